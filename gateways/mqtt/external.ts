import { connect, type MqttClient } from 'mqtt'
import { randomUUID } from 'node:crypto'
import { credentialOf, type Session } from '../../domains/device/server/api.ts'
import type { House } from '../../platform/server/domain.ts'
import * as counted from './counters.ts'
import { PAYLOAD_MAX } from './frames.ts'
import { rootOf, snOf } from './protocol.ts'
import type { Ear, Wire } from './wire.ts'

const KINDS = ['event', 'telemetry', 'attributes', 'status', 'rpc/response/+']
/** Several gateways share the work where the broker can do that. */
const SHARED = '$share/kerbline/'
/** A device's place and use may change; its record is looked up again after this. */
const KNOWN_MS = 30_000
/** A broker that speaks only MQTT 3.1.1 refuses 5 with one of these. */
const OLD_BROKER = [1, 132]

/**
 * An owner's broker (MQTT_URL): it keeps the devices' names, secrets and rights, we are one client of it. Who is on line follows from the devices' retained status,
 * which their last wills end.
 */
export async function openExternal(house: House, ear: Ear): Promise<Wire> {
  const sessions = new Map<string, { session: Session; at: number }>()
  const online = new Set<string>()
  const newest = await connected(house.config.mqttUrl!, 5).catch((error: { code?: number }) => {
    if (OLD_BROKER.includes(error.code ?? -1)) return undefined
    throw error
  })
  const client = newest ?? (await connected(house.config.mqttUrl!, 4))
  client.on('error', (error) => house.log.warn({ err: error }, 'The MQTT broker refuses us.'))

  async function sessionOf(sn: string): Promise<Session | undefined> {
    const known = sessions.get(sn)
    if (known && performance.now() - known.at < KNOWN_MS) return known.session
    const found = await credentialOf(house.pool, sn)
    if (!found) return undefined
    const session = { sn, ...found }
    sessions.set(sn, { session, at: performance.now() })
    return session
  }

  // The library would take the next message only when this one is done. Told that it failed, it goes on without a PUBACK, which follows after the commit.
  client.handleMessage = ({ topic, payload, qos, retain, messageId }, done) => {
    done(new Error('It is acknowledged later.'))
    arrived(topic, payload as Buffer, retain).then(
      () => qos === 1 && (client as unknown as Acknowledging)._sendPacket({ cmd: 'puback', messageId: messageId!, reasonCode: 0 }),
      (error: Error) => house.log.warn({ err: error, topic }, 'A message stays unacknowledged; the broker repeats it.'),
    )
  }
  async function arrived(topic: string, payload: Buffer, retain: boolean): Promise<void> {
    const sn = snOf(topic)
    const session = sn === undefined ? undefined : await sessionOf(sn)
    if (!session) return void counted.rejects.inc({ reason: 'topic' })
    const isStatus = topic === `${rootOf(session.sn)}status`
    if (retain && !isStatus) return // an event happens once; one that is retained is somebody's mistake
    if (isStatus) presence(session, payload)
    else if (!online.has(session.sn)) presence(session, Buffer.from('{"online":true}'))
    if (!retain) await ear.took(session, topic, payload, () => false)
  }
  function presence(session: Session, payload: Buffer): void {
    const is = payload.length <= PAYLOAD_MAX && /"online"\s*:\s*true/.test(payload.toString())
    if (is === online.has(session.sn)) return
    if (!is) {
      online.delete(session.sn)
      ear.disconnected(session)
    } else {
      online.add(session.sn)
      ear.connected(session, '')
      ear.listening(session)
    }
    counted.connections.set(online.size)
  }

  await subscribe(client, newest ? 5 : 4)

  return {
    port: undefined,
    reaches: (sn) => (online.has(sn) ? sessions.get(sn)?.session : undefined),
    sessions: () => [...online].flatMap((sn) => sessions.get(sn)?.session ?? []),
    async publish(_sn, topic, payload, { qos, ttlMs }) {
      if (!client.connected) return false
      await client.publishAsync(topic, payload, { qos, ...(ttlMs && newest && { properties: { messageExpiryInterval: Math.ceil(ttlMs / 1000) } }) })
      return true
    },
    shut: (sn) => void sessions.delete(sn),
    stop: () => client.endAsync(),
  }
}

/** Everything that devices say. A broker that speaks MQTT 5 may share it out among several gateways. */
async function subscribe(client: MqttClient, protocolVersion: 4 | 5): Promise<void> {
  const topics = KINDS.map((kind) => `v1/devices/+/${kind}`)
  if (protocolVersion === 4) return void (await client.subscribeAsync(topics, { qos: 1 }))
  await client
    .subscribeAsync(
      topics.map((topic) => `${SHARED}${topic}`),
      { qos: 1 },
    )
    .catch(() => client.subscribeAsync(topics, { qos: 1 }))
  // A shared subscription is not told what was retained.
  await client.subscribeAsync('v1/devices/+/status', { qos: 1 })
}
interface Acknowledging {
  _sendPacket(packet: { cmd: 'puback'; messageId: number; reasonCode: number }): void
}

const CONNECT_MS = 10_000
function connected(url: string, protocolVersion: 4 | 5): Promise<MqttClient> {
  const client = connect(url, {
    clientId: `kerbline-${randomUUID().slice(0, 12)}`,
    clean: true,
    protocolVersion,
    connectTimeout: CONNECT_MS,
    reconnectPeriod: 1_000,
  })
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      client.end(true)
      reject(error)
    }
    client.once('error', fail)
    client.once('connect', () => {
      client.off('error', fail)
      resolve(client)
    })
  })
}

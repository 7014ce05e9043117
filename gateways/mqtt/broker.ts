import { Aedes, type AedesOptions, type AuthenticateError, type Client } from 'aedes'
import { createServer, type Socket } from 'node:net'
import { openDoor, type Session } from '../../domains/device/server/api.ts'
import type { House } from '../../platform/server/domain.ts'
import * as counted from './counters.ts'
import { guarded } from './frames.ts'
import { mayHear, requestTopic, rootOf } from './protocol.ts'
import type { Ear, Wire } from './wire.ts'

/** Where a message goes that nobody else may get: devices talk to the platform, not to each other. */
const NOWHERE = '$SYS/taken'
const CONNECTIONS_MAX = 20_000
const LOG_MS = 10_000

/** Our own broker: one process, in memory; what must last is in the database before it is acknowledged. */
export async function openBroker(house: House, ear: Ear, isLive: (id: string) => boolean): Promise<Wire> {
  const present = new Present(ear)
  const broker = await Aedes.createBroker({
    queueLimit: 100,
    maxTopicLevels: 8,
    connectTimeout: 10_000,
    authenticate: signIn(house, present),
    ...rights(present, ear, isLive),
  })
  broker.on('clientReady', (client) => present.came(client))
  broker.on('subscribe', (_, client) => present.subscribed(client))
  broker.on('clientDisconnect', (client) => present.left(client))
  broker.on('clientError', (client, error) => house.log.debug({ err: error, client: client.id }, 'A device connection broke.'))
  broker.on('connectionError', (_, error) => house.log.debug({ err: error }, 'A connection broke before its sign-in.'))

  const port = await openPort(house, (socket) => {
    const stream = guarded(socket, (topic) => ear.acked(topic))
    present.addresses.set(stream, socket.remoteAddress ?? '')
    broker.handle(stream)
  })

  return {
    port: port.number,
    reaches: (sn) => {
      const listener = present.listenersOf(sn, requestTopic(sn, '-'))[0]
      return listener && present.sessions.get(listener)
    },
    sessions: () => present.eachSession(),
    // To whoever listens right now, and not through the broker's own queue: that would keep commands for devices that are away.
    async publish(sn, topic, payload, { qos }) {
      const packet = { cmd: 'publish', topic, payload: Buffer.from(payload), qos, retain: false, dup: false } as const
      const sent = present
        .listenersOf(sn, topic)
        .map((client) => new Promise<boolean>((resolve) => client.publish({ ...packet }, (error) => resolve(!error))))
      return (await Promise.all(sent)).some(Boolean)
    },
    shut: (sn) => present.shut(sn),
    async stop() {
      present.stop()
      port.close()
      await new Promise<void>((resolve) => broker.close(() => resolve()))
      port.cut()
    },
  }
}

/** The connected clients, as which device and from where. A device may be connected more than once. */
class Present {
  readonly sessions = new WeakMap<Client, Session>()
  /** By the connection's stream. */
  readonly addresses = new WeakMap<object, string>()
  #bySn = new Map<string, Set<Client>>()
  #ear: Ear
  #stopping = false

  constructor(ear: Ear) {
    this.#ear = ear
  }

  addressOf(client: Client): string {
    return this.addresses.get(client.conn) ?? ''
  }
  listenersOf(sn: string, topic: string): Client[] {
    return [...(this.#bySn.get(sn) ?? [])].filter((client) => listens(client, topic))
  }
  eachSession(): Session[] {
    return [...this.#bySn.values()].flatMap((its) => this.sessions.get(its.values().next().value!) ?? [])
  }

  came(client: Client): void {
    const session = this.sessions.get(client)
    if (!session) return
    const its = this.#bySn.get(session.sn) ?? new Set()
    this.#bySn.set(session.sn, its.add(client))
    counted.connections.set(this.#bySn.size)
    if (its.size === 1) this.#ear.connected(session, this.addressOf(client))
    if (listens(client, requestTopic(session.sn, '-'))) this.#ear.listening(session)
  }
  subscribed(client: Client): void {
    const session = this.sessions.get(client)
    if (session && this.#bySn.get(session.sn)?.has(client) && listens(client, requestTopic(session.sn, '-'))) this.#ear.listening(session)
  }
  left(client: Client): void {
    const session = this.sessions.get(client)
    const its = session && this.#bySn.get(session.sn)
    if (!its?.delete(client)) return
    if (its.size > 0) return
    this.#bySn.delete(session!.sn)
    counted.connections.set(this.#bySn.size)
    if (!this.#stopping) this.#ear.disconnected(session!)
  }
  shut(sn: string): void {
    this.#bySn.get(sn)?.forEach((client) => client.close())
  }
  /** From here on devices disconnect because the broker stops. */
  stop(): void {
    this.#stopping = true
  }
}

/** Asks the door, and remembers who came in. */
function signIn(house: House, present: Present): Aedes['authenticate'] {
  const door = openDoor(house.pool)
  const seldom = openSeldom()
  return (client, username, password, done) => {
    const sn = username ?? ''
    const address = present.addressOf(client)
    door.enter(sn, password?.toString() ?? '', client.id.startsWith('aedes_') ? '' : client.id, address).then(
      (entry) => {
        if ('session' in entry) {
          present.sessions.set(client, entry.session)
          return done(null, true)
        }
        counted.rejects.inc({ reason: entry.refused })
        seldom(`${address} ${sn}`, () => house.log.warn({ sn: sn.slice(0, 40), address, reason: entry.refused }, 'A device was not let in.'))
        done(
          Object.assign(new Error(entry.refused), {
            returnCode: entry.refused === 'identifier' ? 2 : entry.refused === 'credentials' ? 4 : 5,
          }) as AuthenticateError,
          false,
        )
      },
      (error: Error) => {
        house.log.warn({ err: error }, 'Devices cannot be let in while the database is away.')
        done(Object.assign(error, { returnCode: 3 }) as AuthenticateError, false)
      },
    )
  }
}
/** Does the work of one key once in `LOG_MS`. */
function openSeldom() {
  const loggedAt = new Map<string, number>()
  return (key: string, work: () => void) => {
    if (performance.now() - (loggedAt.get(key) ?? -Infinity) < LOG_MS) return
    if (loggedAt.size > 10_000) loggedAt.clear()
    loggedAt.set(key, performance.now())
    work()
  }
}

/** The topics that a device may publish and subscribe to. */
function rights(present: Present, ear: Ear, isLive: (id: string) => boolean) {
  return {
    // Before PUBACK, and before anybody gets it: `done` is said when the message is committed.
    authorizePublish(client, packet, done) {
      const session = client && present.sessions.get(client)
      if (!session) return done(new Error('Nobody is signed in.'))
      const { topic } = packet
      const isWill = partsOf(client).will === packet
      ear
        .took(session, topic, packet.payload as Buffer, () => client.closed && !isWill)
        .then(
          () => {
            const isStatus = topic === `${rootOf(session.sn)}status`
            packet.retain = packet.retain && isStatus
            if (!isStatus) packet.topic = NOWHERE
            done()
          },
          (error: Error) => done(error),
        )
    },
    authorizeSubscribe(client, subscription, done) {
      const session = present.sessions.get(client)
      if (session && mayHear(session.sn, subscription.topic)) return done(null, subscription)
      if (session) ear.refused(session, subscription.topic, 0)
      done(null, null)
    },
    // A message kept for a device that was away is checked again: an ended command is dropped.
    authorizeForward(client, packet) {
      const session = present.sessions.get(client)
      if (!session || !packet.topic.startsWith(rootOf(session.sn))) return null
      const id = packet.topic.split('/rpc/request/')[1]
      return id === undefined || isLive(id) ? packet : null
    },
  } satisfies AedesOptions
}

/** The port that devices connect to. `close` lets nobody in any more, `cut` ends the connections that are left. */
async function openPort(house: House, accept: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    if (sockets.size >= CONNECTIONS_MAX) return socket.destroy()
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    accept(socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(house.config.mqttPort, house.config.host, resolve)
  })
  const address = server.address()
  return {
    number: typeof address === 'object' && address ? address.port : undefined,
    close: () => void server.close(),
    cut: () => sockets.forEach((socket) => socket.destroy()),
  }
}

/** Two things that the broker keeps of a client and its types leave out. */
const partsOf = (client: Client) => client as unknown as { will: object | null; subscriptions: Record<string, unknown> }
const listens = (client: Client, topic: string) =>
  !client.closed && Object.keys(partsOf(client).subscriptions).some((filter) => matches(filter, topic))
function matches(filter: string, topic: string): boolean {
  const levels = topic.split('/')
  const wanted = filter.split('/')
  return (
    wanted.every((level, i) => level === '#' || (i < levels.length && (level === '+' || level === levels[i]))) &&
    (wanted.at(-1) === '#' || wanted.length === levels.length)
  )
}

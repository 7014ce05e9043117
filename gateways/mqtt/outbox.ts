import {
  claim,
  delivered,
  publishingBy,
  type Queued,
  replay,
  seen,
  sweepBacklog,
  sweepCommands,
  sweepSilent,
  unsent,
  waitingFor,
} from '../../domains/device/server/api.ts'
import { plainJson } from '../../platform/contract/said.ts'
import type { House } from '../../platform/server/domain.ts'
import * as counted from './counters.ts'
import { requestTopic, warningTopic } from './protocol.ts'
import type { Wire } from './wire.ts'

const SWEEP_MS = 1_000
/** Connected devices count as heard of, told together. */
const SEEN_MS = 20_000
const RECEIPTS_MS = 500

export type Outbox = ReturnType<typeof openOutbox>

/** Commands that may still be worth something to their devices, by id. */
type Live = Map<string, { enterprise: number; until: number }>

/** Commands to devices: sent at once after the commit that queued them, wherever that was; receipts, expiry and repeats by a sweep that survives a restart. */
export function openOutbox(house: House, wire: () => Wire) {
  const live: Live = new Map()
  let timers: NodeJS.Timeout[] = []

  const reaches = (sn: string) => wire().reaches(sn) !== undefined

  /** A command that counts as sent already: only the process that claimed it does this, and only once. */
  async function send(enterprise: number, { id, sn, method, params, ttlMs }: Queued): Promise<void> {
    live.set(id, { enterprise, until: performance.now() + ttlMs })
    const payload = plainJson({ method, params, ts: Date.now(), ttl: ttlMs })
    const onWire = await wire()
      .publish(sn, requestTopic(sn, id), payload, { qos: 1, ttlMs })
      .catch(() => false)
    counted.commands.inc({ outcome: onWire ? 'sent' : 'unsent' })
    if (!onWire) await house.writing(enterprise, 'mqtt.unsent', (tx) => unsent(tx, id))
  }
  /** Sends what waits for a device that can be reached from here. */
  async function wake(sn: string): Promise<void> {
    const session = wire().reaches(sn)
    if (!session) return
    const claimed = await house.writing(session.enterprise, 'mqtt.send', (tx) => claim(tx, sn))
    await Promise.all(claimed.map((one) => send(session.enterprise, one)))
  }
  const awake = (sn: string) =>
    void wake(sn).catch((error: Error) => house.log.warn({ err: error, sn }, 'Waiting commands could not be sent; the sweep tries again.'))

  /** Another transaction, here or elsewhere, has queued something. */
  function signalled(data: string): void {
    const { sn, at } = JSON.parse(data) as { sn: string; at: string }
    if (!reaches(sn)) return
    const wait = Date.parse(at) - Date.now()
    if (wait <= 0) awake(sn)
    else setTimeout(() => awake(sn), wait + 2)
  }

  const sweeper = openSweeper(house, live, { reaches, send, wake })
  const receipts = openReceipts(house, live)

  return {
    reaches,
    send,
    awake,
    signalled,
    sweep: sweeper.sweep,
    warn: (sn: string, what: object) =>
      void wire()
        .publish(sn, warningTopic(sn), plainJson(what), { qos: 0 })
        .catch(() => {}),
    /** Is this command still worth something to its device? A broker may have kept it for a device that was away. */
    isLive: (id: string) => (live.get(id)?.until ?? -Infinity) > performance.now(),
    received: receipts.received,
    over: (id: string) => void live.delete(id),
    /** From here on there is a wire to send by. */
    begin() {
      timers = [
        setInterval(() => void sweeper.sweep(), SWEEP_MS),
        setInterval(() => void tellSeen(house, wire()), SEEN_MS),
        setInterval(() => void receipts.tell(), RECEIPTS_MS),
      ]
    },
    async stop() {
      timers.forEach(clearInterval)
      await sweeper.idle()
      await receipts.tell()
    },
  }
}

interface Sending {
  reaches(sn: string): boolean
  send(enterprise: number, command: Queued): Promise<void>
  wake(sn: string): Promise<void>
}

/**
 * Sweeps commands and devices whose time is over, and the leftovers of a restart. One sweep at a time: a caller during one gets
 * that one.
 */
function openSweeper(house: House, live: Live, { reaches, send, wake }: Sending) {
  let busy: Promise<void> | undefined

  function sweep(): Promise<void> {
    busy ??= sweepNow()
      .catch((error: Error) => house.log.warn({ err: error }, 'The sweep over commands failed; it runs again.'))
      .finally(() => (busy = undefined))
    return busy
  }
  async function sweepNow(): Promise<void> {
    for (const [id, { until }] of live) if (until < performance.now() - SEEN_MS) live.delete(id)
    const { rows } = await house.pool.query('select enterprise_id from device.due()')
    for (const { enterprise_id: enterprise } of rows as { enterprise_id: number }[]) {
      await within(enterprise, 'mqtt.sweep', sweepCommands)
      await within(enterprise, 'mqtt.silent', sweepSilent)
      for (const park of await house.reading(enterprise, sweepBacklog)) await within(enterprise, 'mqtt.replay', (tx) => replay(tx, park))
      for (const { sn } of await house.reading(enterprise, waitingFor)) if (reaches(sn)) await wake(sn)
    }
  }
  /** Work in a transaction whose commands leave from here. */
  async function within(enterprise: number, via: string, work: (tx: Parameters<typeof sweepCommands>[0]) => Promise<unknown>): Promise<void> {
    const queued: Queued[] = []
    await house.writing(enterprise, via, async (tx) => {
      publishingBy(tx, { reaches, queued })
      await work(tx)
    })
    for (const one of queued) await send(enterprise, one)
  }

  return { sweep, idle: async () => busy }
}

/** Receipts, told to the database together. */
function openReceipts(house: House, live: Live) {
  let receipts: string[] = []
  return {
    received: (id: string) => void (live.has(id) && receipts.push(id)),
    async tell(): Promise<void> {
      const ids = receipts
      if (ids.length === 0) return
      receipts = []
      for (const [enterprise, its] of Map.groupBy(ids, (id) => live.get(id)?.enterprise)) {
        if (enterprise !== undefined) await house.writing(enterprise, 'mqtt.receipt', (tx) => delivered(tx, its)).catch(() => {}) // the answer will say more
      }
    },
  }
}

async function tellSeen(house: House, wire: Wire): Promise<void> {
  for (const [enterprise, its] of Map.groupBy(wire.sessions(), (session) => session.enterprise)) {
    const sns = its.map(({ sn }) => sn)
    await house
      .writing(enterprise, 'mqtt.seen', (tx) => seen(tx, sns))
      .catch((error: Error) => house.log.warn({ err: error }, 'Presence could not be kept.'))
  }
}

import {
  type Answer,
  answered,
  disconnected,
  connected,
  type Heard,
  hear,
  type Hearing,
  isPassing,
  publishingBy,
  type Queued,
  type Reason,
  rejected,
  type Session,
  type Rejected,
} from '../../domains/device/server/api.ts'
import { isData } from '../../platform/server/database.ts'
import type { House } from '../../platform/server/domain.ts'
import { slotsOf } from '../../platform/server/job/slots.ts'
import { openTogether } from '../../platform/server/job/together.ts'
import * as counted from './counters.ts'
import type { Outbox } from './outbox.ts'
import { type Read, read } from './protocol.ts'

/** Transactions at once: the lanes must not take all connections from the people at the console. */
const AT_ONCE = 6
/** A device may say this much per second on average; more has to wait, nothing is lost. */
const PER_SECOND = 50
const BURST = 200
/** The database may be away this long before the device is told to come again. */
const PATIENCE_MS = 30_000
/** An event that breaks its listener this often is kept without effect, so that the lane goes on. */
const ATTEMPTS = 3
const FLUSH_MS = 1_000
const LOG_MS = 10_000
const WARN_MS = 1_000

interface Told {
  heard: Heard
  effect: boolean
  /** By the process's own clock. */
  arrived: number
}
interface Line {
  tail: Promise<void>
  length: number
  /** Cars among its messages: somebody waits at a barrier for what stands ahead of them. */
  cars: number
  tokens: number
  at: number
}

/** Messages of one device in their order, of different devices side by side; each is done when it is committed. */
export function openInbox(house: House, outbox: Outbox) {
  const { inLine, idle } = openLines()
  const answer = openTogether((enterprise, answers: readonly Answer[]) =>
    house.writing(enterprise, 'mqtt.response', (tx) => Promise.all(answers.map((one) => answered(tx, one)))),
  )
  const report = openTogether(hearAll)
  const refusals = openRefusals(house, outbox)

  async function took(session: Session, topic: string, payload: Uint8Array, isGone: () => boolean): Promise<void> {
    const arrived = performance.now()
    const seen = read(session.sn, topic, payload, Date.now())
    if ('reject' in seen) return refusals.note(session, seen.reject, topic, payload, seen.en)
    await inLine(session.sn, sortOf(seen), async () => {
      // Only what the event itself breaks counts against it: while the database is away every attempt fails, and that is not its fault.
      for (let attempt = 1, broken = 0, since = performance.now(); ; attempt++) {
        try {
          if (isGone() && attempt > 1) throw new Error('The device has gone; it will repeat this.')
          return await work(broken)
        } catch (error) {
          if (!isPassing(error)) broken++
          if (isData(error)) return refusals.note(session, 'unstorable', topic, payload, 'it cannot be kept')
          if (isGone() || (isPassing(error) && performance.now() - since > PATIENCE_MS) || attempt > 50) throw error
          if (!isPassing(error)) house.log.error({ err: error, sn: session.sn, topic, attempt }, 'A device message could not be handled.')
          await sleep(Math.min(50 * 2 ** attempt, 2_000))
        }
      }
    })

    async function work(broken: number): Promise<void> {
      if ('response' in seen) {
        const became = await answer(session.enterprise, seen.response)
        counted.commands.inc({ outcome: became })
        return outbox.over(seen.response.id)
      }
      if (!('heard' in seen)) return
      const told = { heard: seen.heard, effect: broken < ATTEMPTS, arrived }
      const hearing = sortOf(seen) === 'report' ? await report(session.enterprise, told) : (await hearAll(session.enterprise, [told]))[0]!
      counted.messages.inc({ kind: seen.heard.kind, outcome: hearing.duplicate ? 'repeated' : hearing.waits ? 'waits' : 'kept' })
    }
  }

  /** In one transaction; what it queues for devices leaves right after it. */
  async function hearAll(enterprise: number, all: readonly Told[]): Promise<Hearing[]> {
    const queued: Queued[] = []
    const hearings = await house.writing(enterprise, `mqtt.${all[0]!.heard.kind}`, (tx) => {
      queued.length = 0
      publishingBy(tx, { reaches: outbox.reaches, queued })
      return Promise.all(all.map(({ heard, effect }) => hear(tx, heard, { effect, alone: all.length === 1 })))
    })
    if (queued.length === 0) return hearings
    await Promise.all(queued.map((one) => outbox.send(enterprise, one)))
    for (const { arrived } of all) counted.reaction.observe((performance.now() - arrived) / 1000)
    return hearings
  }

  const comes = (session: Session, address: string) =>
    quietly(inLine(session.sn, 'other', () => house.writing(session.enterprise, 'mqtt.connect', (tx) => connected(tx, session.sn, address))))
  const goes = (session: Session, reason: 1 | 3 = 1) =>
    quietly(inLine(session.sn, 'other', () => house.writing(session.enterprise, 'mqtt.disconnect', (tx) => disconnected(tx, session.sn, reason))))
  const quietly = (work: Promise<void>) => work.catch((error: Error) => house.log.warn({ err: error }, 'The presence of a device could not be kept.'))

  return { took, comes, goes, note: refusals.note, stop: refusals.stop, idle }
}

/** A line for each device: its messages one after the other, those of different devices side by side. */
function openLines() {
  const lines = new Map<string, Line>()
  const slots = slotsOf(AT_ONCE)
  const inLine = (sn: string, sort: Sort, work: () => Promise<void>): Promise<void> => {
    const line = lines.get(sn) ?? { tail: Promise.resolve(), length: 0, cars: 0, tokens: BURST, at: performance.now() }
    lines.set(sn, line)
    line.length++
    if (sort === 'car') line.cars++
    const done = line.tail.then(async () => {
      await turn(line)
      await (sort === 'answer' || sort === 'report' ? work() : slots(work, () => line.cars > 0))
    })
    line.tail = done
      .catch(() => {})
      .finally(() => {
        if (sort === 'car') line.cars--
        if (--line.length === 0 && line.tokens >= BURST - 1) lines.delete(sn)
      })
    return done
  }
  return { inLine, idle: () => Promise.all([...lines.values()].map(({ tail }) => tail)) }
}

/** A car stands at a barrier and waits. Answers to commands and what barriers report of themselves are committed together and need no slot each. */
type Sort = 'car' | 'answer' | 'report' | 'other'
function sortOf(seen: Read): Sort {
  if ('response' in seen) return 'answer'
  if (!('heard' in seen) || seen.heard.kind !== 'event' || seen.heard.offline) return 'other'
  return seen.heard.type === 'plate' ? 'car' : seen.heard.type === 'gate' ? 'report' : 'other'
}

/** Takes a token, or waits until there is one; by a clock that nobody puts back. */
async function turn(line: Line): Promise<void> {
  const now = performance.now()
  line.tokens = Math.min(BURST, line.tokens + ((now - line.at) / 1000) * PER_SECOND)
  line.at = now
  line.tokens -= 1
  if (line.tokens < 0) await sleep((-line.tokens / PER_SECOND) * 1000)
}
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Refused messages: counted in memory, told to the database once a second, to the log seldom, and to the device so that its maker can find out. */
function openRefusals(house: House, outbox: Outbox) {
  const waiting = new Map<string, Rejected & { enterprise: number }>()
  const logged = new Map<string, number>()
  const warnedAt = new Map<string, number>()
  const timer = setInterval(() => void flush(), FLUSH_MS)

  function note(session: Session, reason: Reason, topic: string, payload: Uint8Array, en: string): void {
    const { sn, enterprise } = session
    counted.rejects.inc({ reason })
    const key = `${sn} ${reason}`
    const sample = Buffer.from(payload.subarray(0, 120))
      .toString('latin1')
      .replace(/[^\x20-\x7e]/g, '.')
    const known = waiting.get(key)
    waiting.set(key, {
      sn,
      enterprise,
      reason,
      count: (known?.count ?? 0) + 1,
      topic: topic.replace(/[^\x20-\x7e]/g, '.'),
      bytes: payload.length,
      sample,
    })
    const now = performance.now()
    if (now - (logged.get(key) ?? -Infinity) > LOG_MS) {
      logged.set(key, now)
      house.log.warn({ sn, reason, topic: topic.slice(0, 200), bytes: payload.length, sample }, 'A device message was refused.')
    }
    if (now - (warnedAt.get(sn) ?? -Infinity) < WARN_MS) return
    warnedAt.set(sn, now)
    outbox.warn(sn, { reason, topic: topic.slice(0, 200), message: en, ts: now })
    if (warnedAt.size > 10_000) warnedAt.clear()
    if (logged.size > 10_000) logged.clear()
  }
  async function flush(): Promise<void> {
    const rows = [...waiting.values()]
    waiting.clear()
    for (const [enterprise, its] of Map.groupBy(rows, (row) => row.enterprise)) {
      await house
        .writing(enterprise, 'mqtt.reject', (tx) => rejected(tx, its))
        .catch((error: Error) => house.log.warn({ err: error, count: its.length }, 'Refusals could not be counted.'))
    }
  }
  return {
    note,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type pg from 'pg'
import type { Random } from '../../city/random.ts'
import { type Fault, planFaults, type Point } from '../../platform/server/faults.ts'
import { between, type Counts, counterOf, wrongs } from './truth.ts'

interface Sent {
  status: number
  code?: number
  data?: unknown
}
/** A write as somebody makes it, with what it needs made beforehand. Sent again under the same key it is the same request. */
export interface Write<Made = any> {
  /** The call's or the task's id: only its own statements are struck. */
  via: string
  prepare(): Promise<Made>
  send(made: Made, key: string): Promise<Sent>
  /** It has several transactions: what it did may be there although its answer is not. */
  phased?: true
  /** A table that keeps every request, also one that has no effect. */
  keeps?: string
}
export interface Outcome {
  /** Places at which something can go wrong. */
  points: number
  runs: number
}
/** More statements than any write has. */
const POINTS_MAX = 400
const away = () => Object.assign(new Error('planned by the test'), { code: '57P01' })
const DELAY_MS = 20

/** Which faults are tried at each point: one of the first two by chance, or all. */
export const FAULTS: Record<string, () => Fault> = { throw: away, cut: () => 'cut', delay: () => DELAY_MS }

/**
 * Strikes the write at its first point, then at the second, and so on until a run passes untouched. After each: all of it is there or nothing, nothing is
 * wrong anywhere, and the same request again succeeds and has been done once.
 * @throws the first broken promise, with the point at which it broke
 */
export async function everyPoint(write: Write, owner: pg.ClientBase, random: Random, all: boolean): Promise<Outcome> {
  const count = await counterOf(owner, write.keeps)
  const whole = await undisturbed(write, count)
  let runs = 0
  for (let n = 1; n <= POINTS_MAX; n++) {
    const kinds = all ? Object.keys(FAULTS) : [random.oneOf(['throw', 'cut'])]
    for (const kind of kinds) {
      runs++
      const struck = await strikeAt(n, kind, write, count, whole, owner)
      if (!struck) return { points: n - 1, runs }
    }
  }
  throw new Error(`${write.via} has more than ${POINTS_MAX} points: it never ended.`)
}

/** Counts the writes without a fault; twice, so that rows of only a first time do not count. */
async function undisturbed(write: Write, count: () => Promise<Counts>): Promise<Counts> {
  let whole: Counts = {}
  for (let times = 0; times < 2; times++) {
    const made = await write.prepare()
    const before = await count()
    const { status, data } = await write.send(made, randomUUID())
    whole = between(before, await count())
    if (status !== 200) throw new Error(`${write.via} does not succeed undisturbed: ${status} ${JSON.stringify(data)}`)
    if (Object.keys(whole).length === 0) throw new Error(`${write.via} says that it succeeded and leaves nothing behind.`)
  }
  return whole
}

/** The answer while the struck call is still rolled back; the caller then waits for a moment. */
const IN_FLIGHT = 40902
const MOMENTS = 100
const MOMENT_MS = 20
async function patiently(send: () => Promise<Sent>): Promise<Sent> {
  for (let times = 0; ; times++) {
    const sent = await send()
    if (sent.code !== IN_FLIGHT || times > MOMENTS) return sent
    await pause(MOMENT_MS)
  }
}

async function strikeAt(n: number, kind: string, write: Write, count: () => Promise<Counts>, whole: Counts, owner: pg.ClientBase): Promise<boolean> {
  const made = await write.prepare()
  const key = randomUUID()
  const before = await count()
  let seen = 0
  let at: Point | undefined
  planFaults((point) => (point.via === write.via && ++seen === n ? ((at = point), FAULTS[kind]!()) : undefined))
  const first = await write.send(made, key).finally(() => planFaults(undefined))
  const where = at && `${write.via}, ${kind} at point ${n}, ${at.when} «${at.what.replace(/\s+/g, ' ').slice(0, 120)}»`
  const broken = (what: string, has: unknown) => new Error(`${where ?? `${write.via}, untouched`}: ${what} ${JSON.stringify(has)}`)
  const did = between(before, await count())
  const nothing = Object.keys(did).length === 0
  const everything = isDeepStrictEqual(did, whole)
  if (!nothing && !everything) throw broken('a half is left; it did', { did, whole })
  if (first.status === 200 && !everything) throw broken('it was answered as done and is not there;', first)
  const ends = write.phased || (at?.when === 'after' && at.what === 'commit')
  if (first.status !== 200 && everything && !ends) throw broken('it was refused and is there;', first)
  for (const time of ['again', 'a third time']) {
    const { status, data } = await patiently(() => write.send(made, key))
    const now = between(before, await count())
    if (status !== 200) throw broken(`asked ${time} it does not succeed:`, { status, data })
    if (!isDeepStrictEqual(now, whole)) throw broken(`asked ${time} it is not done once;`, { now, whole })
    if (first.status === 200 && first.data !== undefined && !isDeepStrictEqual(data, first.data))
      throw broken(`asked ${time} it answers otherwise:`, { first: first.data, data })
  }
  const found = await wrongs(owner)
  if (found.length > 0) throw broken('there is', found)
  return at !== undefined
}

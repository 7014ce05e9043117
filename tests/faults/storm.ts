import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Random } from '../../city/random.ts'

/** Acknowledged: whoever asked was told that it is done. Refused: that it is not. Unknown: no answer, or one that does not say. */
export type Outcome = 'acknowledged' | 'unknown' | 'refused'
/** One thing that somebody wants done, by a mark that its effect can be found by. */
export interface Wish {
  mark: string
  /** The same request under the same key, as often as wanted. */
  send(key: string): Promise<Outcome>
}
/** A sort of write: how it is made, and how often each mark has had its effect. */
export interface Sort {
  /** Undefined: nothing to do just now. */
  wish(): Promise<Wish | undefined>
  effects(marks: readonly string[]): Promise<ReadonlyMap<string, number>>
}
export type Book = Map<Sort, Map<string, Outcome>>
export interface Verdict {
  acknowledged: number
  unknown: number
  refused: number
  /** Said to be done, and is not there. */
  lost: string[]
  /** There more than once. */
  doubled: string[]
  /** Said not to be done, and is there. */
  ghosts: string[]
}

/** Of what stays without an answer, so much is asked for again until there is one; the rest stays unknown. */
const ASKED_AGAIN = 0.6
const AGAIN_MS = 60
const BETWEEN_MS = 5

/** One writer that goes from wish to wish until it is told to stop. */
export async function writer(sorts: readonly Sort[], book: Book, random: Random, stopped: () => boolean): Promise<void> {
  while (!stopped()) {
    const sort = random.oneOf(sorts)
    const wish = await sort.wish().catch(() => undefined)
    if (!wish) {
      await pause(AGAIN_MS)
      continue
    }
    const notes = book.get(sort) ?? new Map<string, Outcome>()
    book.set(sort, notes)
    notes.set(wish.mark, 'unknown')
    const key = randomUUID()
    let outcome = await wish.send(key)
    if (outcome === 'unknown' && random.chance(ASKED_AGAIN))
      while (outcome === 'unknown' && !stopped()) {
        await pause(AGAIN_MS)
        outcome = await wish.send(key)
      }
    notes.set(wish.mark, outcome)
    await pause(outcome === 'unknown' ? AGAIN_MS : BETWEEN_MS)
  }
}

export async function judge(book: Book): Promise<Verdict> {
  const verdict: Verdict = { acknowledged: 0, unknown: 0, refused: 0, lost: [], doubled: [], ghosts: [] }
  for (const [sort, notes] of book) {
    const effects = await sort.effects([...notes.keys()])
    for (const [mark, outcome] of notes) {
      const times = effects.get(mark) ?? 0
      verdict[outcome]++
      if (outcome === 'acknowledged' && times === 0) verdict.lost.push(mark)
      if (outcome === 'refused' && times > 0) verdict.ghosts.push(mark)
      if (times > 1) verdict.doubled.push(`${mark} ${times} times`)
    }
  }
  return verdict
}

/** Tells from an answer whether the call was done; a twin that is still at work tells nothing yet. */
const IN_FLIGHT = 40902
export async function told(asked: Promise<Response>, hear: (data: any) => void = () => {}): Promise<Outcome> {
  try {
    const reply = await asked
    const { code, data } = (await reply.json()) as { code: number; data: unknown }
    if (reply.status === 200) hear(data)
    return reply.status === 200 ? 'acknowledged' : reply.status >= 500 || reply.status === 408 || code === IN_FLIGHT ? 'unknown' : 'refused'
  } catch {
    return 'unknown' // nobody there, or gone in the middle
  }
}

import { TooMany } from '../refusal.ts'

/** Of so many turns one goes to whoever has waited longest, hurried or not: nobody waits for ever. */
const FAIR_TURN = 4

/**
 * At most `n` at once, first come, first served; who is in a hurry goes ahead of those who are not. `hurried` is asked when a slot becomes free: what waits may
 * have become urgent since it came. Who would stand behind `waitingMax` others is told to come again. @throws TooMany
 */
export function slotsOf(n: number, waitingMax = Infinity) {
  const waiting: { go: () => void; hurried: () => boolean }[] = []
  let free = n
  let turns = 0
  const next = () => {
    const hurry = ++turns % FAIR_TURN === 0 ? 0 : waiting.findIndex(({ hurried }) => hurried())
    return waiting.splice(Math.max(hurry, 0), 1)[0]
  }
  return async <T>(work: () => Promise<T>, hurried: () => boolean = () => false): Promise<T> => {
    if (free > 0) free--
    else if (waiting.length >= waitingMax) throw TooMany()
    else await new Promise<void>((go) => waiting.push({ go, hurried }))
    try {
      return await work()
    } finally {
      const one = next()
      if (one) one.go()
      else free++
    }
  }
}

import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { HELD_MS, heldMost, longestHold, spentMs } from './held.ts'

/** Of the processor: beside other work the same stretch of the clock holds less of it. */
const busyFor = (ms: number) => {
  for (const until = spentMs() + ms; spentMs() < until;);
}

test('what holds the thread is counted, and a wait is not', async () => {
  const held = await longestHold(async () => {
    await setTimeout(20)
    busyFor(120)
    await setTimeout(20)
  })
  expect(held.ms).toBeGreaterThan(HELD_MS)
  expect((await longestHold(() => setTimeout(200))).ms).toBeLessThan(HELD_MS)
})
test('a slower machine is given more, and never more than four times', () => {
  expect(heldMost()).toBeGreaterThanOrEqual(HELD_MS)
  expect(heldMost()).toBeLessThanOrEqual(4 * HELD_MS)
})

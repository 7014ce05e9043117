import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../platform/contract/call.ts'
import { type ImportCall } from '../../platform/contract/sheet.ts'
import { each, tally } from '../../scripts/tally.ts'
import { CHANGES_SESSION, whoMay } from './checks.ts'
import { inputFor, largestFor, spanFor, type Victim, victimOf } from './inputs.ts'
import { HELD_MS, heldMost, longestHold } from './held.ts'
import { openWorld, tried, type World } from './world.ts'

/** A pause of the whole machine or a collection of garbage is nobody's call: what a call does, it does each time. */
const TIMES = 3

let world: World
let victim: Victim
beforeAll(async () => {
  world = await openWorld()
  victim = await victimOf(world.owner, 1, 'P001')
})
afterAll(() => world.close())

/** The longest that nothing else had its turn while a call was answered, how long that may be on this machine just then, and what was answered. */
async function heldBy(call: Call<any, any>, input: Record<string, unknown>) {
  const { ms, result } = await longestHold(() => world.ask(call, input, whoMay(world, call)))
  return { ms, most: ms > HELD_MS ? heldMost() : HELD_MS, status: result.status }
}
async function leastHeld(call: Call<any, any>, input: Record<string, unknown>) {
  let least = await heldBy(call, input)
  for (let i = 1; i < TIMES && least.ms > least.most; i++) {
    const again = await heldBy(call, input)
    if (again.ms < least.ms) least = again
  }
  return least
}

const going = tried.filter(({ id }) => !CHANGES_SESSION.has(id))

test('no call holds the process at its largest legal input', async () => {
  const wrong: string[] = []
  let longest = 0
  for (const call of going) {
    const { ms, most, status } = await leastHeld(call, largestFor(call, victim))
    if (ms > most) wrong.push(`${call.id} held the process for ${Math.round(ms)} of ${Math.round(most)} ms (${status})`)
    longest = Math.max(longest, ms)
  }
  expect(wrong).toEqual([])
  tally({ check: 'held: largest legal input', calls: each(going, 1), numbers: { longestMs: Math.round(longest) } })
}, 600_000)

/** The ends of what a moment can be, and from now on: what walks a span day by day is held up by these. */
const soon = () => new Date(Date.now() + 3_600_000).toISOString()
const LAST = '9999-12-30T00:00:00.000Z'
const spans = (): [string, string][] => [
  [soon(), LAST],
  ['0001-01-02T00:00:00.000Z', LAST],
  [LAST, LAST],
]
test('no call holds the process for a span of time, however long', async () => {
  const wrong: string[] = []
  const took = new Set<string>()
  let longest = 0
  for (const call of going)
    for (const span of spans()) {
      const input = spanFor(call, victim, span)
      if (!input) continue
      took.add(call.id)
      const { ms, most, status } = await leastHeld(call, input)
      if (ms > most) wrong.push(`${call.id} held the process for ${Math.round(ms)} of ${Math.round(most)} ms from ${span.join(' to ')} (${status})`)
      if (status >= 500) wrong.push(`${call.id} answered ${status} to ${span.join(' to ')}`)
      longest = Math.max(longest, ms)
    }
  expect(wrong).toEqual([])
  tally({
    check: 'held: longest span of time',
    calls: each(
      [...took].map((id) => ({ id })),
      1,
    ),
    numbers: { longestMs: Math.round(longest) },
  })
}, 600_000)

/** `ROWS=50000` sends as many as an import takes; what would hold the process then shows with fewer too. */
const ROWS = Number(process.env['ROWS'] ?? 5_000)
const imports = tried.filter((call): call is ImportCall<object> => 'row' in call)
test('no import holds the process, however many rows it is sent', async () => {
  const wrong: string[] = []
  let longest = 0
  for (const call of imports) {
    const input = inputFor(call, victim)
    const [head, ...rows] = (input['file'] as { text: string }).text.split('\n')
    const text = [head, ...Array<string>(ROWS).fill(rows[0]!)].join('\n')
    const { ms, most, status } = await leastHeld(call, { ...input, dryRun: 'true', file: { name: 'rows.csv', text } })
    if (ms > most) wrong.push(`${call.id} held the process for ${Math.round(ms)} of ${Math.round(most)} ms (${status})`)
    longest = Math.max(longest, ms)
  }
  expect(wrong).toEqual([])
  tally({ check: 'held: largest sheets', calls: each(imports, 1), numbers: { longestMs: Math.round(longest) } })
}, 1_200_000)

import { expect, test } from 'vitest'
import { BoxStatus } from '../contract/box.ts'
import { LightState } from '../contract/wiring.ts'
import { lightOfBox } from './lightOfBox.ts'

type Light = Parameters<typeof lightOfBox>[1][number]['state']
const { lit, dark, faulty, offline, tagged, litWrongly, unknown } = LightState
const of = (states: readonly Light[], status: Parameters<typeof lightOfBox>[0]['status'] = BoxStatus.online) =>
  lightOfBox(
    { status },
    states.map((state) => ({ state })),
  )

test('of a box whose circuits are not known nobody says that it is dark; one that is away is said to be away', () => {
  expect(of([])).toBe(unknown)
  expect(of([], BoxStatus.offline)).toBe(offline)
  expect(of([lit], BoxStatus.disabled)).toBe(offline)
})

test('a box shows the worst of its circuits, lit where any is, and dark where all are', () => {
  expect(of([dark, dark])).toBe(dark)
  expect(of([dark, lit])).toBe(lit)
  expect(of([lit, tagged])).toBe(tagged)
  expect(of([tagged, litWrongly])).toBe(litWrongly)
  expect(of([litWrongly, faulty, lit])).toBe(faulty)
})

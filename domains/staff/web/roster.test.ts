import { expect, test } from 'vitest'
import { EMPTY, filled, type Line } from './roster.ts'

const cell = (id: string, workDate: string, begun = false) => ({ id, workDate, shiftId: 'early', placeCodes: [], state: 1, begun, conflicts: [] })
const people = [
  { tollNo: 'A', name: '甲', cells: [cell('a1', '2026-12-01', true), cell('a2', '2026-12-02')] },
  { tollNo: 'B', name: '乙', cells: [] },
] as unknown as Line[]
const days = ['2026-12-01', '2026-12-02', '2026-12-03']
const filling = { people: ['A', 'B'], days, pattern: ['early', 'late', null], step: 1, replaces: false, placeCodes: ['P'] }
const told = (added: readonly { tollNo: string; workDate: string; shiftId: string | null }[]) =>
  added.map(({ tollNo, workDate, shiftId }) => `${tollNo}${workDate.slice(9)} ${shiftId}`)

test('a pattern runs over the days, each person one place further; what stands there is kept', () => {
  const { draft, put, kept } = filled(people, EMPTY, filling)
  expect(told(draft.added)).toEqual(['A3 null', 'B1 late', 'B2 null', 'B3 early'])
  expect([put, kept, draft.removed]).toEqual([4, 2, []])
  expect(draft.added.map(({ placeCodes }) => placeCodes)).toEqual([[], ['P'], [], ['P']])
})

test('what is replaced goes, except for what has begun', () => {
  const { draft, kept } = filled(people, EMPTY, { ...filling, people: ['A'], step: 0, replaces: true })
  expect(told(draft.added)).toEqual(['A2 late', 'A3 null'])
  expect([draft.removed, kept]).toEqual([['a2'], 1])
})

test('a second filling replaces what the first put down and nobody has saved', () => {
  const first = filled(people, EMPTY, { ...filling, people: ['B'] }).draft
  const { draft } = filled(people, first, { ...filling, people: ['B'], pattern: ['night'], replaces: true })
  expect(told(draft.added)).toEqual(['B1 night', 'B2 night', 'B3 night'])
})

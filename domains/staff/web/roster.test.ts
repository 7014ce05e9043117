import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { Day } from '../../../platform/contract/field.ts'
import { CopiedTold } from './CopyDialog.tsx'
import { Mets } from './Mets.tsx'
import { EMPTY, filled, type Line, type Met, piecesOf } from './roster.ts'
import { Weeks } from './RosterGrid.tsx'

const cell = (id: string, workDate: string, begun = false) => ({
  id,
  workDate,
  shiftId: 'early',
  placeCodes: [],
  state: 1,
  begun,
  requested: false,
  conflicts: [],
})
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

test('a day with an open request stays as it is, the rest is filled, and whoever fills is told how many stayed for that', () => {
  const asked = [{ ...people[0]!, cells: [{ ...cell('a1', '2026-12-01'), requested: true }, cell('a2', '2026-12-02')] }] as unknown as Line[]
  const { draft, ...told } = filled(asked, EMPTY, { ...filling, people: ['A'], pattern: ['late'], replaces: true })
  expect(draft.added.map(({ workDate }) => workDate)).toEqual(['2026-12-02', '2026-12-03'])
  expect([draft.removed, told]).toEqual([['a2'], { put: 2, kept: 1, requested: 1 }])
  expect([...piecesOf(asked, EMPTY).values()].flat().map(({ fixed }) => fixed)).toEqual([true, false])
})

test('the hours of each week are said with its first and its last day, of one week as of two', () => {
  const week = (monday: string, plannedMin: number) => ({ monday: monday as Day, plannedMin })
  const told = (weeks: Line['weeks']) => renderToStaticMarkup(createElement(Weeks, { weeks })).replaceAll(/<[^>]+>/g, '|')
  expect(told([week('2026-12-28', 2400)])).toContain('12-28–01-03 40 ')
  const two = told([week('2026-11-30', 2400), week('2026-12-07', 2700)])
  expect(two).toMatch(/11-30–12-06 40 .*△ 12-07–12-13 45 /)
})

const aMet = (tollNo: string, workDate: string, code: Met['code'], more: Partial<Met> = {}): Met =>
  ({ tollNo, workDate, code, with: null, workMin: null, blocks: false, ...more }) as Met
const words = (node: Parameters<typeof renderToStaticMarkup>[0]) => renderToStaticMarkup(node).replaceAll(/<[^>]+>/g, '|')

test('a week with too many hours is said by person and week, with its dates, how many they are and how many they may be', () => {
  const met = [
    aMet('B', '2026-11-30', 9, { workMin: 2880 }),
    aMet('A', '2026-12-07', 9, { workMin: 2700 }),
    aMet('A', '2026-11-30', 9, { workMin: 2670 }),
  ]
  const told = words(createElement(Mets, { met, lines: people }))
  expect(told.match(/[甲乙] [AB] [^|]+/g)).toEqual([
    '甲 A 11-30–12-06 周工时 44.5 小时，超过 44 小时',
    '甲 A 12-07–12-13 周工时 45 小时，超过 44 小时',
    '乙 B 11-30–12-06 周工时 48 小时，超过 44 小时',
  ])
})

test('a copy says how many it took, how many it left out, and why', () => {
  const conflicts = [aMet('A', '2026-12-08', 1, { with: '2026-12-08 早班', blocks: true }), aMet('B', '2026-12-08', 2, { blocks: true })]
  const told = words(createElement(CopiedTold, { copied: { copied: 5, skipped: 2, conflicts }, lines: people }))
  expect(told).toContain('已复制 5 格，跳过 2 格')
  expect(told).toContain('时间重叠 1 处，离职或无此人 1 处')
  expect(told).toContain('甲 A 2026-12-08 时间重叠：2026-12-08 早班')
  expect(words(createElement(CopiedTold, { copied: { copied: 0, skipped: 0, conflicts: [] }, lines: [] }))).toContain('来源日期没有排班')
})

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Day } from '../../../platform/contract/field.ts'
import { person } from '../../../platform/web/person.ts'
import { CopiedTold } from './CopyDialog.tsx'
import { Mets } from './Mets.tsx'
import { hintOf } from './FillDialog.tsx'
import { GapDays } from './Gaps.tsx'
import { adding, changedBy, EMPTY, filled, type Line, listOf, type Met, moving, piecesOf, removing, weeksWith } from './roster.ts'
import { About, Chip, Weeks } from './RosterGrid.tsx'
import { RosterSheet } from './RosterSheet.tsx'

const cell = (id: string, workDate: string, begun = false) => ({
  id,
  workDate,
  shiftId: 'early',
  shiftName: '早班',
  segments: [{ from: '08:00', to: '16:00' }],
  placeCodes: [],
  state: 1,
  begun,
  requested: false,
  requestNo: null,
  plannedMin: 480,
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
  const asked = [
    { ...people[0]!, cells: [{ ...cell('a1', '2026-12-01'), requested: true, requestNo: 'SQ1' }, cell('a2', '2026-12-02')] },
  ] as unknown as Line[]
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

const standing = {
  ...people[0]!,
  weeks: [{ monday: '2026-11-30', plannedMin: 960 }],
  cells: [cell('a1', '2026-12-01'), cell('a2', '2026-12-02')],
} as unknown as Line
const put = (workDate: string, shiftId: string | null) => ({ tollNo: 'A', workDate, shiftId, placeCodes: [] })
const pieceOn = (workDate: string) => piecesOf([standing], EMPTY).get(`A ${workDate}`)![0]!

test('the hours of a week count what is drafted: what is put down, what is taken away, and a day of rest for none', () => {
  const minutes = (draft: typeof EMPTY) => weeksWith(standing, draft, () => 600).map(({ monday, plannedMin }) => [monday, plannedMin])
  expect(minutes(EMPTY)).toEqual([['2026-11-30', 960]])
  expect(minutes(adding(EMPTY, put('2026-12-03', 'late')))).toEqual([['2026-11-30', 1560]])
  expect(minutes(removing(EMPTY, pieceOn('2026-12-01')))).toEqual([['2026-11-30', 480]])
  expect(minutes(adding(EMPTY, put('2026-12-03', null)))).toEqual([['2026-11-30', 960]])
  // The same shift at other places takes no longer; a day of the next week is of that week.
  expect(minutes(adding(EMPTY, { ...put('2026-12-01', 'early'), placeCodes: ['P'] }))).toEqual([['2026-11-30', 960]])
  expect(minutes(adding(EMPTY, put('2026-12-07', 'late')))).toEqual([
    ['2026-11-30', 960],
    ['2026-12-07', 600],
  ])
})

test('what is to be saved counts each day of a person once, and what was put back not at all', () => {
  const replaced = filled([standing], EMPTY, { ...filling, people: ['A'], pattern: ['late'], step: 0, replaces: true })
  expect([replaced.put, changedBy([standing], replaced.draft)]).toEqual([3, 3])
  const moved = moving(EMPTY, pieceOn('2026-12-01'), { tollNo: 'A', workDate: '2026-12-03' }, false)
  expect(changedBy([standing], moved)).toBe(2)
  expect(changedBy([standing], adding(removing(EMPTY, pieceOn('2026-12-01')), put('2026-12-01', 'early')))).toBe(0)
  const same = filled([standing], EMPTY, { ...filling, people: ['A'], pattern: ['early'], step: 0, replaces: true, placeCodes: [] })
  expect([same.put, same.kept, changedBy([standing], same.draft)]).toEqual([1, 2, 1])
})

test('the days of a person by one shift are asked for together', () => {
  const draft = ['2026-12-03', '2026-12-04'].reduce((before, day) => adding(before, put(day, 'late')), adding(EMPTY, put('2026-12-05', null)))
  expect(listOf(draft)).toEqual([
    { tollNo: 'A', placeCodes: [], workDates: ['2026-12-05'], state: 5 },
    { tollNo: 'A', shiftId: 'late', placeCodes: [], workDates: ['2026-12-03', '2026-12-04'], state: 1 },
  ])
})

test('a shift with an open request is marked with a word, and leads to the request', () => {
  person.set({ capabilities: new Set(['staff:request:view']) } as never)
  const piece = { ...pieceOn('2026-12-01'), requestNo: 'SQ20261201', fixed: true }
  const props = { piece, shift: { name: '早班', color: '#123456' }, met: [], edits: true, drag: () => {}, change: () => {} }
  expect(words(createElement(Chip, props))).toMatch(/早班.*申请中/)
  expect(words(createElement(Chip, { ...props, piece: pieceOn('2026-12-01') }))).not.toContain('申请中')
  const box = createElement(MemoryRouter, null, createElement(About, props))
  const about = renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, box))
  expect(about).toContain('href="/assetManage/person/attendance/record?tab=requests&amp;requestNo=SQ20261201"')
  person.set(undefined)
})

test('many days that nobody keeps fold into their count', () => {
  const gaps = ['2026-12-01', '2026-12-02', '2026-12-02'].map((workDate, n) => ({ workDate, placeCode: `P${n}`, from: '', to: '' })) as never
  const folded = words(createElement(GapDays, { gaps, most: 0 }))
  expect(folded).toMatch(/2 天 · 3 处.*展.*开/)
  expect(folded).not.toContain('12-01')
  expect(words(createElement(GapDays, { gaps, most: 7 }))).toMatch(/12-01 · 1.*12-02 · 2/)
})

test('the example of a pattern is made of shifts that there are', () => {
  expect(hintOf([{ name: '早班' }, { name: '夜班' }])[0]).toContain('如 早班 早班 夜班 夜班 休；')
})

test('the printed roster says whose it is and of when, and of each day the shift and its hours; who is on leave or off works at none', () => {
  const twice = [
    { from: '07:00', to: '11:00' },
    { from: '16:00', to: '20:00' },
  ]
  const cells = [
    cell('a1', '2026-12-01'),
    { ...cell('a2', '2026-12-02'), state: 2 },
    { ...cell('a3', '2026-12-03'), state: 3, shiftName: '两头班', segments: twice },
  ]
  const off = { ...cell('b1', '2026-12-01'), state: 5, shiftId: null, shiftName: '', segments: [] }
  const lines = [
    { ...people[0]!, cells },
    { ...people[1]!, cells: [off] },
  ] as unknown as Line[]
  const saidAt = Date.parse('2026-11-30T08:30:00Z')
  const sheet = words(createElement(RosterSheet, { lines, days, crew: ['东门组', '东门组'], saidAt, dirty: false }))
  expect(sheet).toMatch(/排班表 · 东门组 · 2026-12-01 – 2026-12-03\|+ 数据时间 2026-11-30 16:30\|/)
  const rows = sheet.split(/(?=甲)|(?=乙)/).slice(1)
  expect(rows.map((row) => row.split(/\|+/).filter((word) => word.trim()))).toEqual([
    ['甲', ' A', '早班', '08:00–', '16:00', '早班', '请假', '两头班', '调班', '07:00–', '11:00', '16:00–', '20:00'],
    ['乙', ' B', '休息'],
  ])
  const unsaved = words(createElement(RosterSheet, { lines, days, crew: ['东门组', '东门组'], saidAt, dirty: true }))
  expect(unsaved).toContain('未保存的改动不在表上')
})

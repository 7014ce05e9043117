import { describe, expect, test } from 'vitest'
import { type TableRule, type TableSegment, tariffOfTables } from './catalogue.ts'
import { civilOf } from './civil.ts'
import { compile } from './compiled.ts'
import { type Part, price } from './engine.ts'

/** The worked figures of semantics 6 for rules kept in the console's tables, and its edges. */

const all = { dayType: 7, capFen: null }
const head: Omit<TableRule, 'segments'> = {
  freeMin: 0,
  freeMode: 1,
  freeTimesPerDay: 0,
  dayUnit: 1,
  dayCutMin: 0,
  dayCapFen: null,
  sessionCapFen: null,
  unitAnchor: 1,
  secondRule: 1,
}
const hour = (fromMin: number, toMin: number, unitMin: number, unitFen: number, more: Partial<TableSegment> = {}): TableSegment => ({
  ...all,
  fromMin,
  toMin,
  price: { mode: 2, firstMin: null, firstFen: null, unitMin, unitFen },
  ...more,
})

const A: TableRule = { ...head, freeMin: 30, dayCapFen: 3000, segments: [hour(480, 1200, 30, 200), hour(1200, 480, 60, 100, { capFen: 500 })] }
const B: TableRule = { ...head, freeMin: 15, dayUnit: 2, dayCapFen: 2500, segments: [hour(0, 0, 60, 500)] }
const steps = [
  { upToMin: 60, totalFen: 500 },
  { upToMin: 120, totalFen: 800 },
  { upToMin: 240, totalFen: 1500 },
]
const C: TableRule = {
  ...head,
  dayUnit: 2,
  dayCapFen: 3000,
  segments: [{ ...all, fromMin: 0, toMin: 1440, price: { mode: 3, steps, overUnitMin: 60, overUnitFen: 300 } }],
}
const D: TableRule = {
  ...head,
  freeMin: 10,
  segments: [
    { ...all, fromMin: 360, toMin: 1320, price: { mode: 1, amountFen: 500 } },
    { ...all, fromMin: 1320, toMin: 360, price: { mode: 1, amountFen: 300 } },
  ],
}
const F: TableRule = {
  ...head,
  freeMin: 30,
  segments: [{ ...all, fromMin: 0, toMin: 1440, price: { mode: 2, firstMin: 60, firstFen: 500, unitMin: 30, unitFen: 150 } }],
}

const at = (written: string) => civilOf(written.length > 11 ? `2026-${written}` : `2026-${written}:00`)!
interface More {
  covered?: [string, string][]
  freeUsed?: number
}
function fenOf(rule: TableRule, entry: string, exit: string, { covered = [], freeUsed = 0 }: More = {}) {
  const parts: Part[] = []
  const compiled = compile(tariffOfTables(rule))
  const asked = { entry: at(entry), exit: at(exit), covered: covered.map(([from, to]) => [at(from), at(to)] as const), freeUsed }
  const { total } = price(compiled, asked, parts)
  expect(parts.reduce((sum, { amount }) => sum + amount, 0)).toBe(total)
  expect(price(compiled, asked).total).toBe(total)
  return total / (100 * compiled.scale)
}

describe('the golden vectors of semantics 6', () => {
  test.each([
    ['A', A, '03-02 09:00', '03-02 09:30', 0],
    ['A', A, '03-02 09:00', '03-02 09:31', 400],
    ['A with the free minutes deducted', { ...A, freeMode: 2 as const }, '03-02 09:00', '03-02 09:31', 200],
    ['A', A, '03-02 19:50', '03-02 21:05', 300],
    ['A with units restarting', { ...A, unitAnchor: 2 as const }, '03-02 19:50', '03-02 21:05', 400],
    ['A', A, '03-02 08:00', '03-02 20:00', 3000],
    ['A', A, '03-02 19:00', '03-03 09:00', 1300],
    ['A', A, '03-02 07:00', '03-05 07:00', 9100],
    ['A', A, '03-02 23:50', '03-03 00:20', 0],
    ['A', A, '03-02 23:50', '03-03 00:21', 100],
    ['B', B, '03-02 10:00', '03-03 10:00', 2500],
    ['B', B, '03-02 10:00', '03-03 10:01', 3000],
    ['B', B, '03-02 10:00', '03-03 12:00', 3500],
    ['C', C, '03-02 10:00', '03-02 11:00', 500],
    ['C', C, '03-02 10:00', '03-02 11:01', 800],
    ['C', C, '03-02 10:00', '03-02 15:00', 1800],
    ['C', C, '03-02 10:00', '03-03 12:30', 4500],
    ['C', C, '03-02 22:00', '03-03 02:00', 1500],
    ['D', D, '03-02 21:00', '03-02 23:00', 800],
    ['D', D, '03-02 21:00', '03-03 07:00', 1300],
    ['D', D, '03-02 21:55', '03-02 22:05', 0],
    ['F', F, '03-02 09:00', '03-02 11:40', 1100],
  ])('%s %#', (_name, rule, entry, exit, fen) => {
    expect(fenOf(rule, entry, exit)).toBe(fen)
  })
})

describe('edges', () => {
  test('a stay of no length costs nothing', () => expect(fenOf({ ...A, freeMin: 0 }, '03-02 09:00', '03-02 09:00')).toBe(0))
  test('entry on the edge belongs to the later band', () => expect(fenOf({ ...A, freeMin: 0 }, '03-02 20:00', '03-02 20:01')).toBe(100))
  test('leaving on the edge does not touch the next band', () => expect(fenOf(D, '03-02 21:00', '03-02 22:00')).toBe(500))
  test('a night over two days is one occurrence, its cap and its visit count once', () => {
    expect(fenOf({ ...A, freeMin: 0 }, '03-02 20:00', '03-03 08:00')).toBe(500)
    expect(fenOf(D, '03-02 22:00', '03-03 06:00')).toBe(300)
  })
  test('29 February is a day like others', () => {
    const entry = civilOf('2028-02-28 10:00')!
    const total = price(compile(tariffOfTables(B)), { entry, exit: civilOf('2028-03-01 10:00')! }).total
    expect(total / 100).toBe(5000)
  })
  test('a day that is cut at 6 in the morning', () => {
    const rule: TableRule = { ...B, freeMin: 0, dayUnit: 3, dayCutMin: 360 }
    expect(fenOf(rule, '03-02 23:00', '03-03 05:00')).toBe(2500)
    expect(fenOf(rule, '03-02 23:00', '03-03 07:00')).toBe(3000)
  })
  test('seconds: dropped, or a started minute is a minute', () => {
    expect(fenOf(A, '03-02 09:00:00', '03-02 09:30:59')).toBe(0)
    expect(fenOf({ ...A, secondRule: 2 }, '03-02 09:00:00', '03-02 09:30:01')).toBe(400)
    expect(fenOf({ ...A, secondRule: 2 }, '03-02 09:00:50', '03-02 09:30:50')).toBe(0)
  })
  test('the cap of a stay comes last', () => expect(fenOf({ ...A, sessionCapFen: 7000 }, '03-02 07:00', '03-05 07:00')).toBe(7000))
  test('a covered part is cut out, and the free minutes count on the first rest only', () => {
    // 09:00–10:00 and 11:00–11:20 are billed: two and one half hours.
    expect(fenOf(A, '03-02 09:00', '03-02 11:20', { covered: [['03-02 10:00', '03-02 11:00']] })).toBe(600)
    // 20 + 10 minutes are within the free 30.
    expect(fenOf(A, '03-02 09:00', '03-02 10:10', { covered: [['03-02 09:20', '03-02 10:00']] })).toBe(0)
    // Deducted, the 20 free minutes left over after the first rest are gone.
    const deducted: TableRule = { ...A, freeMode: 2 }
    expect(fenOf(deducted, '03-02 09:00', '03-02 10:40', { covered: [['03-02 09:10', '03-02 10:00']] })).toBe(400)
    expect(fenOf(A, '03-02 09:00', '03-02 11:00', { covered: [['03-02 08:00', '03-02 12:00']] })).toBe(0)
  })
  test('the first hour is paid once in a stay, also when its middle is covered', () => {
    expect(fenOf(F, '03-02 09:00', '03-02 12:00', { covered: [['03-02 10:00', '03-02 11:00']] })).toBe(800)
  })
  test('free minutes so many times a day', () => {
    const rule: TableRule = { ...A, freeTimesPerDay: 2 }
    expect(fenOf(rule, '03-02 09:00', '03-02 09:20', { freeUsed: 1 })).toBe(0)
    expect(fenOf(rule, '03-02 09:00', '03-02 09:20', { freeUsed: 2 })).toBe(200)
  })
  test('a night that the next date does not have is cut at midnight', () => {
    // Friday night, band for workdays only; Saturday has a dearer one.
    const rule: TableRule = {
      ...head,
      segments: [
        { ...hour(480, 1200, 60, 100), dayType: 7 },
        { ...all, fromMin: 1200, toMin: 480, dayType: 1, price: { mode: 1, amountFen: 300 } },
        { ...all, fromMin: 1200, toMin: 480, dayType: 6, price: { mode: 1, amountFen: 700 } },
      ],
    }
    expect(fenOf(rule, '03-06 21:00', '03-07 07:00')).toBe(1000)
    expect(fenOf(rule, '03-05 21:00', '03-06 07:00')).toBe(300)
  })
})

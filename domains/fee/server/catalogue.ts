import { type Band, type DayRule, EVERY_DAY, HOLIDAY, type Tariff, type Tier, WEEKEND, WORKDAY } from '../contract/tariff.ts'
import { compile } from './compiled.ts'
import { FreeMode, DayUnit, SecondRule, UnitAnchor } from '../contract/rule.ts'
import { SegmentMode } from '../contract/segment.ts'

/** A rule as the console's tables hold it: the head, and its segments with their prices. Fen and minutes; times of day in minutes. */
export interface TableRule {
  freeMin: number
  freeMode: 1 | 2
  freeTimesPerDay: number
  dayUnit: 1 | 2 | 3
  dayCutMin: number
  dayCapFen: number | null
  /** The cap of such calendar days, where it is not that of every day. */
  weekendCapFen?: number | null
  holidayCapFen?: number | null
  /** The price of every full 24 hours. */
  wholeDayFen?: number | null
  sessionCapFen: number | null
  unitAnchor: 1 | 2
  secondRule: 1 | 2
  segments: TableSegment[]
}
export interface TableSegment {
  name?: string | null
  fromMin: number
  toMin: number
  dayType: number
  capFen: number | null
  price:
    | { mode: typeof SegmentMode.free }
    | { mode: typeof SegmentMode.byVisit; amountFen: number }
    | { mode: typeof SegmentMode.byHour; firstMin: number | null; firstFen: number | null; unitMin: number; unitFen: number }
    | { mode: typeof SegmentMode.byStep; steps: { upToMin: number; totalFen: number }[]; overUnitMin: number; overUnitFen: number }
}

const e4 = (fen: number) => fen * 100

/** The console's tables as a tariff: the rule of semantics 6, in the engine's words. */
export function tariffOfTables(rule: TableRule): Tariff {
  const bands = rule.segments.map((segment) => bandOf(segment, rule.unitAnchor === UnitAnchor.runsOn ? 'carry' : 'cut'))
  const days = daysOf(rule, bands)
  return {
    schema: 1,
    currency: 'CNY',
    seconds: rule.secondRule === SecondRule.count ? 'up' : 'drop',
    ...(rule.freeMin > 0 && {
      free: {
        minutes: rule.freeMin,
        inclusive: true,
        mode: rule.freeMode === FreeMode.takenOff ? 'deduct' : 'grace',
        ...(rule.freeTimesPerDay > 0 && { timesPerDay: rule.freeTimesPerDay }),
      },
    }),
    bands: days ? [] : bands,
    ...(days && { days }),
    clock: 'segment',
    cycle: {
      kind: ({ [DayUnit.calendar]: 'natural', [DayUnit.rolling]: 'rolling', [DayUnit.ownStart]: 'cut' } as const)[rule.dayUnit],
      ...(rule.dayUnit === DayUnit.ownStart && { cutMin: rule.dayCutMin }),
      capsE4: rule.dayCapFen === null || days ? [] : [e4(rule.dayCapFen)],
      edge: 'goOn',
    },
    ...(typeof rule.wholeDayFen === 'number' && { wholeDayE4: e4(rule.wholeDayFen) }),
    ...(rule.sessionCapFen !== null && { stayCapE4: e4(rule.sessionCapFen) }),
  }
}

/** A rule for each kind of day, where they have caps of their own: the bands of that kind, and its cap. */
function daysOf({ dayCapFen, weekendCapFen = null, holidayCapFen = null }: TableRule, bands: Band[]): DayRule[] | undefined {
  if (weekendCapFen === null && holidayCapFen === null) return undefined
  const caps = [
    [HOLIDAY, holidayCapFen ?? dayCapFen],
    [WEEKEND, weekendCapFen ?? dayCapFen],
    [WORKDAY, dayCapFen],
  ] as const
  return caps.map(([mask, capFen]) => ({
    days: { mask },
    bands: bands.filter(({ days }) => 'mask' in days && days.mask & mask).map(({ days: _, ...band }) => band),
    ...(capFen !== null && { capE4: e4(capFen) }),
  }))
}

function bandOf({ name, fromMin, toMin, dayType, capFen, price }: TableSegment, edge: 'carry' | 'cut'): Band {
  return {
    ...(name && { name }),
    fromMin,
    toMin: toMin === 0 ? 1440 : toMin,
    days: { mask: dayType },
    price: priceOf(price, edge),
    ...(capFen !== null && { capE4: e4(capFen) }),
  }
}

function priceOf(price: TableSegment['price'], edge: 'carry' | 'cut'): Band['price'] {
  if (price.mode === SegmentMode.free) return { by: 'free' }
  if (price.mode === SegmentMode.byVisit) return { by: 'visit', priceE4: e4(price.amountFen) }
  if (price.mode === SegmentMode.byStep) return { by: 'tiers', tiers: tiersOf(price), rounding: 'ceil' }
  const { firstMin, firstFen, unitMin, unitFen } = price
  return { by: 'unit', ...(firstMin && { first: { min: firstMin, priceE4: e4(firstFen ?? 0) } }), unitMin, priceE4: e4(unitFen), edge }
}

/** Totals by length become what each step adds: 60 min 5.00, 120 min 8.00 is a unit of 60 at 5.00 and one of 60 at 3.00. */
function tiersOf({ steps, overUnitMin, overUnitFen }: Extract<TableSegment['price'], { mode: typeof SegmentMode.byStep }>): Tier[] {
  const tiers = steps.map(({ upToMin, totalFen }, i): Tier => {
    const before = steps[i - 1] ?? { upToMin: 0, totalFen: 0 }
    return { toMin: upToMin, unitMin: upToMin - before.upToMin, priceE4: e4(totalFen - before.totalFen) }
  })
  return [...tiers, { toMin: null, unitMin: overUnitMin, priceE4: e4(overUnitFen) }]
}

/** A stretch of the clock that no band is for, on the kinds of day in `mask`. Over midnight where `toMin` is not beyond `fromMin`. */
export interface Gap {
  fromMin: number
  toMin: number
  mask: number
}

/** Minutes of the day that no band says anything of. */
export function gapsOf(tariff: Tariff): Gap[] {
  if (tariff.table) return []
  const { clocks, clockOf } = compile(tariff)
  const kinds = clockOf ? [WORKDAY, WEEKEND, HOLIDAY] : [EVERY_DAY]
  const found = new Map<string, Gap>()
  clocks.forEach(({ starts, bands }, i) => {
    const mask = kinds[Math.min(Math.floor(i / 7), kinds.length - 1)]!
    bands.forEach((band, piece) => {
      if (band >= 0) return
      const gap = { fromMin: starts[piece]! / 60, toMin: starts[piece + 1]! / 60 }
      const key = `${gap.fromMin} ${gap.toMin}`
      found.set(key, { ...gap, mask: (found.get(key)?.mask ?? 0) | mask })
    })
  })
  return joinedOverMidnight([...found.values()])
}
function joinedOverMidnight(gaps: Gap[]): Gap[] {
  const evening = gaps.find(({ fromMin, toMin }) => toMin === 1440 && fromMin > 0)
  const morning = evening && gaps.find(({ fromMin, toMin, mask }) => fromMin === 0 && toMin < 1440 && mask === evening.mask)
  if (!morning) return gaps
  return [...gaps.filter((gap) => gap !== evening && gap !== morning), { ...evening, toMin: morning.toMin }]
}

/** The same tariff with every gap said to be free. Bands are tried in order, so what is added last takes nothing from the others. */
export function withFreeGaps(tariff: Tariff, gaps = gapsOf(tariff)): Tariff {
  const free = gaps.map(({ fromMin, toMin, mask }): Band => ({ fromMin, toMin, days: { mask }, price: { by: 'free' } }))
  if (!tariff.days) return { ...tariff, bands: [...tariff.bands, ...free] }
  const wholeDay = free.filter(({ fromMin, toMin }) => toMin - fromMin === 1440)
  const rules = tariff.days.map((rule): DayRule => ({
    ...rule,
    bands: [...rule.bands, ...freeOf(gapsOf({ ...tariff, days: [{ ...rule, days: { mask: EVERY_DAY } }] }))],
  }))
  // A kind of day that no rule is for.
  return { ...tariff, days: [...rules, ...wholeDay.map(({ days }): DayRule => ({ days, bands: freeOf([{ fromMin: 0, toMin: 1440 }]) }))] }
}
const freeOf = (gaps: Pick<Gap, 'fromMin' | 'toMin'>[]) =>
  gaps.map(({ fromMin, toMin }): DayRule['bands'][0] => ({ fromMin, toMin, price: { by: 'free' } }))

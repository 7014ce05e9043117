import { HOLIDAY, type Rate, type Tariff, WEEKEND, WORKDAY } from '../contract/tariff.ts'
import { type Civil, dayNumber, DAY_SECONDS } from './civil.ts'
import { type Calendar, compile } from './compiled.ts'
import { price } from './engine.ts'
import { fractionOf, gcd } from './rate.ts'

/** A stay of just below 24 hours that costs more than the price of a full 24, by the minute of the day it begins at. */
export interface Dearer {
  entryMin: number
  costsE4: number
}

/** Stays times bands: beyond it the search would hold others up. */
const WORK_MAX = 50_000

/**
 * Finds where the price of a full 24 hours is below that of a stay just short of them: there the fee falls. `unsure` when there is too much to look through.
 * The sum of started units depends on the entry only by its place in the grid of all edges and units: on a line of it, or between two.
 */
export function dearerThanWholeDay(tariff: Tariff): Dearer | 'unsure' | undefined {
  if (tariff.wholeDayE4 === undefined || tariff.table) return undefined
  if (!isSearchable(tariff)) return 'unsure'
  const compiled = compile(byUnitsOnly(tariff))
  const entries = entriesOf(tariff, compiled.clockOf !== undefined)
  if (entries.length * (compiled.bands.length + 4) > WORK_MAX) return 'unsure'
  const [n, d] = fractionOf(tariff.wholeDayE4)
  const length = DAY_SECONDS - (tariff.seconds === 'count' ? 1 : 60)
  let most = (n * compiled.scale) / d
  let worst: Dearer | undefined
  for (const { entry, calendar } of entries) {
    const { total } = price(compiled, { entry, exit: entry + length, calendar })
    if (total <= most) continue
    most = total
    worst = { entryMin: Math.floor((entry % DAY_SECONDS) / 60), costsE4: total / compiled.scale }
  }
  return worst
}

/** Days that are told apart by kind only; and a cycle that begins where the charging does. */
const isSearchable = ({ bands, days: rules, free, cycle }: Tariff) =>
  !rules && bands.every(({ days }) => 'mask' in days) && !(free?.mode === 'deduct' && cycle?.kind === 'rolling')

/** At its dearest: under the highest of its daily caps, and without what lowers every sum alike. */
function byUnitsOnly({ schema, currency, seconds, bands, clock, cycle }: Tariff): Tariff {
  const highest = [...(cycle?.capsE4 ?? [])].sort((a, b) => value(b) - value(a)).slice(0, 1)
  return { schema, currency, seconds, bands, clock, ...(cycle && { cycle: { ...cycle, capsE4: cycle.once ? [] : highest } }) }
}
const value = (rate: Rate) => fractionOf(rate)[0] / fractionOf(rate)[1]

/** A Saturday and the Sunday after it, taken for every two kinds of day that can follow one another. */
const SATURDAY = dayNumber('2026-03-07')
const KINDS = [WORKDAY, WEEKEND, HOLIDAY]
interface Entry {
  entry: Civil
  calendar: Calendar | undefined
}
function entriesOf(tariff: Tariff, kindsMatter: boolean): Entry[] {
  const step = gridOf(tariff) * 60
  const calendars = kindsMatter ? KINDS.flatMap((one) => KINDS.map((next) => calendarOfTwo(one, next))) : [undefined]
  const entries: Entry[] = []
  for (const calendar of calendars)
    for (let at = SATURDAY * DAY_SECONDS; at < (SATURDAY + 1) * DAY_SECONDS; at += step)
      entries.push({ entry: at, calendar }, { entry: at + step - 30, calendar })
  return entries
}
function calendarOfTwo(...kinds: [number, number]): Calendar {
  const daysOf = (kind: number) => new Set([0, 1].filter((i) => kinds[i] === kind).map((i) => SATURDAY + i))
  return { holidays: daysOf(HOLIDAY), workdays: daysOf(WORKDAY), years: undefined }
}

/** The widest grid of minutes on which every edge and every unit lies. */
function gridOf({ bands, cycle }: Tariff) {
  const lengths = bands.flatMap(({ fromMin, toMin, price }) => {
    if (price.by === 'unit') return [fromMin, toMin, price.unitMin, price.first?.min ?? 0]
    return [fromMin, toMin, ...(price.by === 'tiers' ? price.tiers.flatMap((tier) => [tier.unitMin, tier.toMin ?? 0]) : [])]
  })
  return [...lengths, cycle?.cutMin ?? 0].reduce(gcd, DAY_SECONDS / 60)
}

import type { Fen, Instant } from '../../../platform/contract/field.ts'
import type { LintOf } from '../contract/rule.ts'
import { type Days, EVERY_DAY, HOLIDAY, type Tariff, WEEKEND, WORKDAY } from '../contract/tariff.ts'
import { civilOfInstant, dayNumber, DAY_SECONDS, instantOfCivil, weekdayOf } from './civil.ts'
import { type Calendar, type Compiled, compile, kindOf } from './compiled.ts'
import { totalFenOf } from './quoting.ts'

/** When and by which calendar a tariff is looked at: its examples are stays of real days from then on. `from`, `to`: when it is to be in force. */
export interface Around {
  at: Instant
  calendar: Calendar
  from?: Instant | null | undefined
  to?: Instant | null | undefined
}
/** A stay near what a finding speaks of: on the next day of that sort, or on that very day; minutes may lie before or behind it. */
export interface Near {
  on?: Days | { day: number }
  fromMin: number
  minutes: number
}

const EXAMPLES = 3
/** A list of a hundred overlaps needs no three hundred stays. */
const SHOWN_MAX = 20
const LOOK_DAYS = 400

/** The stays that show each finding, priced by the tariff as it stands; none where it cannot be priced. */
export function withExamples(
  tariff: Tariff,
  found: readonly (Omit<LintOf, 'examples'> & { near: readonly Near[] })[],
  around: Around | undefined,
): LintOf[] {
  const compiled = around && found.some(({ near }) => near.length) ? compiledOr(tariff) : undefined
  return found.map(({ near, ...one }, i) => ({
    ...one,
    examples: compiled && i < SHOWN_MAX ? near.slice(0, EXAMPLES).flatMap((stay) => exampleOf(compiled, around!, stay)) : [],
  }))
}
function compiledOr(tariff: Tariff): Compiled | undefined {
  try {
    return compile(tariff)
  } catch {
    return undefined // too fine to be priced: that is a finding of its own
  }
}

function exampleOf(compiled: Compiled, around: Around, { on, fromMin, minutes }: Near): LintOf['examples'] {
  const day = on && 'day' in on ? on.day : daysOf(on ?? { mask: EVERY_DAY }, around)[0]
  if (day === undefined) return []
  const begins = day * DAY_SECONDS + fromMin * 60
  const [from, to] = [instantOfCivil(begins) as Instant, instantOfCivil(begins + minutes * 60) as Instant]
  const feeFen = totalFenOf(compiled, around.calendar, { entry: from, at: to })
  return feeFen === undefined || feeFen < 0 ? [] : [{ from, to, feeFen: feeFen as Fen }]
}

/** The next day of each kind, weekday or date that a band is for. */
export function daysOf(on: Days, { at, calendar }: Pick<Around, 'at' | 'calendar'>): number[] {
  const today = Math.floor(civilOfInstant(at) / DAY_SECONDS)
  if ('dates' in on) {
    const days = on.dates.map(dayNumber).sort((a, b) => a - b)
    return days.length ? [days.find((day) => day >= today) ?? days[0]!] : []
  }
  const next = (is: (day: number) => boolean) => {
    for (let day = today; day < today + LOOK_DAYS; day++) if (is(day)) return [day]
    return []
  }
  if ('weekdays' in on) return on.weekdays.flatMap((weekday) => next((day) => weekdayOf(day) === weekday))
  return [WORKDAY, WEEKEND, HOLIDAY].filter((kind) => on.mask & kind).flatMap((kind) => next((day) => kindOf(day, calendar) === kind))
}

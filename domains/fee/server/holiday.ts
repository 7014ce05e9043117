import chineseDays from 'chinese-days'
import type { Day, Of } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { serve } from '../../../platform/server/serve.ts'
import { type CalendarDay, holiday, Holiday, HolidayKind, holidaySearch } from '../contract/holiday.ts'
import { WORKDAY } from '../contract/tariff.ts'
import { civilOf, civilText, DAY_SECONDS, dayNumber } from './civil.ts'
import { type Calendar, kindOf } from './compiled.ts'
import './tables.ts'

const holidays = listOver(Holiday, 'fee.holiday', holidaySearch)

export const calls = serve(holiday, {
  queryPage: ({ tx, input }) => page(tx, holidays, input),
  year: async ({ tx, input: { year } }) => ({ known: (await calendarOf(tx)).years!.has(year), days: await daysOf(tx, year) }),
  async save({ tx, input, at }) {
    await tx
      .insertInto('fee.holiday')
      .values(input)
      .onConflict((on) =>
        on.columns(['enterpriseId', 'day']).doUpdateSet((of) => ({ kind: of.ref('excluded.kind'), name: of.ref('excluded.name'), updatedAt: at })),
      )
      .execute()
  },
  async delete({ tx, input }) {
    await tx.deleteFrom('fee.holiday').where('id', '=', input.id).execute()
  },
})

const FIRST_YEAR = 2004
const LAST_YEAR = 2040
let carried: (Calendar & { years: ReadonlySet<number>; names: ReadonlyMap<number, string> }) | undefined
/** The State Council's holidays and worked weekend days, as the package carries them; a year it does not have is not in `years`. */
function published() {
  if (carried) return carried
  const holidays = new Set<number>()
  const workdays = new Set<number>()
  const years = new Set<number>()
  const names = new Map<number, string>()
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year++)
    for (const day of daysOfYear(year)) {
      const { name, work } = chineseDays.getDayDetail(dateOf(day))
      if (!name.includes(',')) continue // a weekday's plain name: nothing was published for it
      years.add(year)
      names.set(day, name.split(',')[1] ?? name)
      ;(work ? workdays : holidays).add(day)
    }
  return (carried = { holidays, workdays, years, names })
}
const dateOf = (day: number) => civilText(day * DAY_SECONDS).slice(0, 10)
function* daysOfYear(year: number) {
  const end = dayNumber(`${year + 1}-01-01`)
  for (let day = Math.floor(civilOf(`${year}-01-01`)! / DAY_SECONDS); day < end; day++) yield day
}

/** The calendar of the enterprise whose transaction this is: the published one with its own changes. */
export const calendarOf = async (tx: Tx): Promise<Calendar> => calendarWith(await changesOf(tx))
/** Returns the enterprise's own changes of the published calendar. */
export const changesOf = (tx: Tx) => tx.selectFrom('fee.holiday').select(['day', 'kind']).execute()
export function calendarWith(changes: Awaited<ReturnType<typeof changesOf>>): Calendar {
  const base = published()
  if (changes.length === 0) return base
  const years = new Set([...base.years, ...yearsEntered(changes)])
  const holidays = new Set(base.holidays)
  const workdays = new Set(base.workdays)
  for (const { day, kind } of changes) {
    const number = dayNumber(day)
    holidays.delete(number)
    workdays.delete(number)
    if (kind === HolidayKind.holiday) holidays.add(number)
    if (kind === HolidayKind.worked) workdays.add(number)
  }
  return { holidays, workdays, years }
}
/** The least days off in a year by law: a year with fewer has not been entered yet. */
const HOLIDAYS_LEAST = 11
const yearsEntered = (changes: readonly { day: Day; kind: number }[]) =>
  [
    ...Map.groupBy(
      changes.filter(({ kind }) => kind === HolidayKind.holiday),
      ({ day }) => Number(day.slice(0, 4)),
    ),
  ]
    .filter(([, days]) => days.length >= HOLIDAYS_LEAST)
    .map(([year]) => year)

/** Whether people work on a day, counted from 1970-01-01: the State Council's calendar with the enterprise's own changes. */
export async function worksOn(tx: Tx): Promise<(day: number) => boolean> {
  const calendar = await calendarOf(tx)
  return (day) => kindOf(day, calendar) === WORKDAY
}

async function daysOf(tx: Tx, year: number): Promise<Of<typeof CalendarDay>[]> {
  const { holidays, workdays, names } = published()
  const rows = await tx
    .selectFrom('fee.holiday')
    .select(['day', 'kind', 'name'])
    .where('day', '>=', `${year}-01-01` as Day)
    .where('day', '<=', `${year}-12-31` as Day)
    .execute()
  const changes = new Map(rows.map((row) => [dayNumber(row.day), row]))
  const days: Of<typeof CalendarDay>[] = []
  for (const day of daysOfYear(year)) {
    const change = changes.get(day)
    if (change) days.push({ day: change.day, kind: change.kind, name: change.name, changed: true })
    else if (holidays.has(day) || workdays.has(day))
      days.push({
        day: dateOf(day) as Day,
        kind: holidays.has(day) ? HolidayKind.holiday : HolidayKind.worked,
        name: names.get(day) ?? '',
        changed: false,
      })
  }
  return days
}

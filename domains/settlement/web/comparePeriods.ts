import type { Day } from '../../../platform/contract/field.ts'
import { dayBy } from '../../../platform/contract/time.ts'
import type { Text } from '../../../platform/web/text.ts'

export interface Period {
  from: Day
  to: Day
}
const monday = (day: Day) => dayBy(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))
const first = (day: Day) => `${day.slice(0, 8)}01` as Day
const lastOfMonth = (day: Day) => dayBy(first(dayBy(first(day), 31)), -1)

/** Periods that are asked for by name. One that is running ends later than today: its past part is compared. */
export const PERIODS = {
  today: [['今日', 'Today'], (today) => ({ from: today, to: today })],
  yesterday: [['昨日', 'Yesterday'], (today) => ({ from: dayBy(today, -1), to: dayBy(today, -1) })],
  week: [['本周', 'This week'], (today) => ({ from: monday(today), to: dayBy(monday(today), 6) })],
  lastWeek: [['上周', 'Last week'], (today) => ({ from: dayBy(monday(today), -7), to: dayBy(monday(today), -1) })],
  month: [['本月', 'This month'], (today) => ({ from: first(today), to: lastOfMonth(today) })],
  lastMonth: [['上月', 'Last month'], (today) => ({ from: first(dayBy(first(today), -1)), to: dayBy(first(today), -1) })],
} as const satisfies Record<string, readonly [Text, (today: Day) => Period]>
export type PeriodName = keyof typeof PERIODS
/** The name of a period as of today, if it has one. */
export const nameOf = ({ from, to }: Period, today: Day): PeriodName | undefined =>
  (Object.keys(PERIODS) as PeriodName[]).find((name) => {
    const named = PERIODS[name][1](today)
    return named.from === from && named.to === to
  })

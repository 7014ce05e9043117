import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import 'dayjs/locale/zh-cn'
import { cityDay, dayEnd, dayStart, time } from '../format.ts'
import { ZONE_NAME } from '../../contract/time.ts'
import { language, type Text, useText } from '../text.ts'

/** Loaded only where a date is asked for: antd's pickers weigh 30 kB. Values are the city's wall clock, never the browser's zone. */
const today = () => dayjs(cityDay())
const afterToday = (day: Dayjs) => day.isAfter(today(), 'day')
const shortcuts: readonly (readonly [days: number, text: Text])[] = [
  [0, ['今天', 'Today']],
  [7, ['最近一周', 'Last 7 days']],
  [30, ['最近一个月', 'Last 30 days']],
  [90, ['最近三个月', 'Last 90 days']],
]
const useCalendarLanguage = () => dayjs.locale(language.use() === 'en' ? 'en' : 'zh-cn')

/** Whose hours these are. */
function Zone() {
  const say = useText()
  return <span className="faint">{say(ZONE_NAME)}</span>
}

/** `[from, to]` as the calls take them: whole days, `yyyy-MM-dd 00:00:00` to `yyyy-MM-dd 23:59:59` of the city; days alone with `plain`. */
export type Range = readonly [from: string, to: string]
/** As it is typed in a search, which says what it lacks. */
export type TypedRange = readonly [from: string | null, to: string | null]
export interface RangeProps {
  id?: string
  value?: TypedRange | null
  onChange?: (value: any) => void
  plain?: boolean
  /** One end alone and an end before its start are kept as they were typed: the form says what is wrong. */
  asTyped?: boolean
  autoFocus?: boolean
  defaultOpen?: boolean
  future?: boolean
}
export function DateRange({ value, onChange, plain, asTyped, future, ...rest }: RangeProps) {
  const say = useText()
  useCalendarLanguage()
  const dayOf = (end: string | null) => (end === null ? null : dayjs(cityDay(end)))
  const shown: [Dayjs | null, Dayjs | null] | null = value ? [dayOf(value[0]), dayOf(value[1])] : null
  return (
    <DatePicker.RangePicker
      {...rest}
      value={shown}
      format="YYYY-MM-DD"
      className="date-range"
      {...(asTyped && { order: false, allowEmpty: [true, true] as [boolean, boolean] })}
      {...(!plain && { renderExtraFooter: () => <Zone /> })}
      {...(!future && { disabledDate: afterToday })}
      presets={shortcuts.map(([days, text]) => ({ label: say(text), value: [today().subtract(days, 'day'), today()] }))}
      onChange={(days) => {
        const [from, to] = (days ?? []).map((day) => day?.format('YYYY-MM-DD'))
        if (!from && !to) return onChange?.(null)
        if (!(from && to) && !asTyped) return onChange?.(null)
        const ends = plain ? [from, to] : [from && dayStart(from), to && dayEnd(to)]
        onChange?.(ends.map((end) => end ?? null))
      }}
    />
  )
}

export interface PointProps {
  autoFocus?: boolean
  defaultOpen?: boolean
  id?: string
  value?: string | null
  onChange?: (value: string | null) => void
  future?: boolean
  disabled?: boolean
  allowClear?: boolean
  placeholder?: string
  'aria-label'?: string
}
/** A day of the city, `yyyy-MM-dd`. */
export function DayField({ value, onChange, future = true, ...rest }: PointProps) {
  useCalendarLanguage()
  return (
    <DatePicker
      {...rest}
      value={value ? dayjs(value) : null}
      {...(!future && { disabledDate: afterToday })}
      onChange={(day) => onChange?.(day ? day.format('YYYY-MM-DD') : null)}
    />
  )
}
/** A point in time, shown and given as the city's `yyyy-MM-dd HH:mm:ss`. */
export function TimeField({ value, onChange, future = true, ...rest }: PointProps) {
  useCalendarLanguage()
  return (
    <DatePicker
      {...rest}
      showTime
      // Whoever types a time and goes on has said it: only Esc takes it back.
      needConfirm={false}
      renderExtraFooter={() => <Zone />}
      value={value ? dayjs(time(value)) : null}
      {...(!future && { disabledDate: afterToday })}
      onChange={(at) => onChange?.(at ? at.format('YYYY-MM-DD HH:mm:ss') : null)}
    />
  )
}

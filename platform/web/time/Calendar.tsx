import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { Button, Popover } from 'antd'
import type { ReactNode } from 'react'
import type { Day } from '../../contract/field.ts'
import { cityDay } from '../format.ts'
import { type Text, useText } from '../text.ts'
import { monthAfter, weeksOf } from './timeAxis.ts'
import './timeAxis.css'

export interface CalendarEntry {
  key: string
  day: Day
  title: ReactNode
  tone?: 'success' | 'warning' | 'error' | 'default'
  onOpen?: () => void
}
interface Props {
  label: Text
  /** `2026-11`. Who shows the calendar keeps it, in the address for example, and asks for that month's entries. */
  month: string
  onMonth: (month: string) => void
  entries: readonly CalendarEntry[]
  /** Called on a press on a free part of a day: it begins a new shift, a booking. */
  onAdd?: (day: Day) => void
}
const IN_A_DAY = 3
const WEEKDAYS: readonly Text[] = [
  ['一', 'Mon'],
  ['二', 'Tue'],
  ['三', 'Wed'],
  ['四', 'Thu'],
  ['五', 'Fri'],
  ['六', 'Sat'],
  ['日', 'Sun'],
]

/** A month with what falls on its days: a few of each day, the rest behind their number. On a narrow screen it is a list of the days that have something. */
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']
export function Calendar({ label, month, onMonth, entries, onAdd }: Props) {
  const say = useText()
  const today = cityDay()
  const of = (day: Day) => entries.filter((one) => one.day === day)
  return (
    <section className="calendar" aria-label={say(label)}>
      <header>
        <Button icon={<LeftOutlined />} aria-label={say(['上个月', 'Previous month'])} onClick={() => onMonth(monthAfter(month, -1))} />
        <h2 aria-live="polite">
          {say([`${month.slice(0, 4)}年${Number(month.slice(5))}月`, `${MONTHS[Number(month.slice(5)) - 1]} ${month.slice(0, 4)}`])}
        </h2>
        <Button icon={<RightOutlined />} aria-label={say(['下个月', 'Next month'])} onClick={() => onMonth(monthAfter(month, 1))} />
        <Button onClick={() => onMonth(today.slice(0, 7))}>{say(['本月', 'This month'])}</Button>
      </header>
      <div role="table" aria-label={say(label)} className="calendar-days">
        <div role="row" className="weekdays">
          {WEEKDAYS.map((name) => (
            <span role="columnheader" key={name[1]}>
              {say(name)}
            </span>
          ))}
        </div>
        {weeksOf(month).map((week) => (
          <div role="row" key={week[0]}>
            {week.map((day) => (
              <div role="cell" key={day} className={dayLook(day, month, today, of(day).length === 0)}>
                <DayHead day={day} {...(onAdd && { onAdd })} />
                <Entries of={of(day)} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </section>
  )
}
const dayLook = (day: Day, month: string, today: Day, empty: boolean) =>
  `calendar-day${day.startsWith(month) ? '' : ' outside'}${day === today ? ' today' : ''}${empty ? ' empty' : ''}`

function DayHead({ day, onAdd }: { day: Day; onAdd?: (day: Day) => void }) {
  const say = useText()
  const number = <time dateTime={day}>{Number(day.slice(8))}</time>
  if (!onAdd) return <div className="day-head">{number}</div>
  return (
    <button type="button" className="day-head" aria-label={say([`${day} 新增`, `Add on ${day}`])} onClick={() => onAdd(day)}>
      {number}
    </button>
  )
}

function Entries({ of }: { of: readonly CalendarEntry[] }) {
  const say = useText()
  const [shown, rest] = of.length > IN_A_DAY ? [of.slice(0, IN_A_DAY - 1), of.slice(IN_A_DAY - 1)] : [of, []]
  return (
    <>
      {shown.map((one) => (
        <Entry key={one.key} of={one} />
      ))}
      {rest.length > 0 && (
        <Popover
          trigger="click"
          content={
            <div className="calendar-rest">
              {rest.map((one) => (
                <Entry key={one.key} of={one} />
              ))}
            </div>
          }
        >
          <button type="button" className="calendar-entry faint">
            {say([`另 ${rest.length} 项`, `${rest.length} more`])}
          </button>
        </Popover>
      )}
    </>
  )
}
const Entry = ({ of: { title, tone = 'default', onOpen } }: { of: CalendarEntry }) =>
  onOpen ? (
    <button type="button" className={`calendar-entry state ${tone}`} onClick={onOpen}>
      {title}
    </button>
  ) : (
    <span className={`calendar-entry state ${tone}`}>{title}</span>
  )

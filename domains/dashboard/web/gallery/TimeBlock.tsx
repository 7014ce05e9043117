import { useState } from 'react'
import { type CodeOf, type Day, dictionary } from '../../../../platform/contract/field.ts'
import { Calendar } from '../../../../platform/web/time/Calendar.tsx'
import { cityDay } from '../../../../platform/web/format.ts'
import { Gantt } from '../../../../platform/web/time/Gantt.tsx'
import { toast } from '../../../../platform/web/page/hosts.tsx'
import { Kanban } from '../../../../platform/web/list/Kanban.tsx'
import { useText } from '../../../../platform/web/text.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Shifts of a month. */
export function CalendarBlock() {
  const say = useText()
  const [month, setMonth] = useState(() => cityDay().slice(0, 7))
  const on = (number: string) => `${month}-${number}` as Day
  const open = () => toast('info', ['打开班次', 'Opens the shift'])
  const entries = ['03', '03', '03', '03', '12', '20'].map((number, at) => ({
    key: String(at),
    day: on(number),
    title: say([`早班 ${at + 1} 组`, `Morning, team ${at + 1}`]),
    tone: at === 4 ? ('warning' as const) : ('default' as const),
    onOpen: open,
  }))
  return (
    <Calendar
      label={['排班', 'Shifts']}
      month={month}
      onMonth={setMonth}
      entries={entries}
      onAdd={(day) => toast('info', [`在 ${day} 排班`, `A shift on ${day}`])}
    />
  )
}

const OrderState = dictionary('gallery_order_state', ['状态', 'State'], {
  open: [1, '待处理', 'Open', 'warning'],
  doing: [2, '处理中', 'In progress'],
  done: [3, '已完成', 'Done', 'success'],
})
type StateCode = CodeOf<typeof OrderState>
const NEXT: Record<StateCode, readonly StateCode[]> = {
  [OrderState.open]: [OrderState.doing],
  [OrderState.doing]: [OrderState.open, OrderState.done],
  [OrderState.done]: [],
}

/** Work orders by state. */
export function KanbanBlock() {
  const say = useText()
  const [rows, setRows] = useState<{ id: string; title: readonly [string, string]; state: StateCode }[]>([
    { id: 'W-1', title: ['出口 2 道闸不落杆', 'Exit 2: barrier stays up'], state: OrderState.open },
    { id: 'W-2', title: ['A-017 地磁离线', 'A-017: sensor offline'], state: OrderState.open },
    { id: 'W-3', title: ['更换 LED 屏', 'Replace the LED sign'], state: OrderState.doing },
  ])
  return (
    <Kanban
      label={['工单', 'Work orders']}
      rows={rows}
      keyOf={({ id }) => id}
      nameOf={({ id }) => id}
      states={OrderState}
      stateOf={({ state }) => state}
      mayGo={({ state }) => NEXT[state]}
      onMove={({ id }, state) => setRows((all) => all.map((one) => (one.id === id ? { ...one, state } : one)))}
      card={({ id, title }) => (
        <>
          <code>{id}</code> {say(title)}
        </>
      )}
    />
  )
}

/** Bookings of berths over a day. */
export function GanttBlock() {
  const say = useText()
  const [from] = useState(() => Date.parse(`${cityDay()}T00:00:00+08:00`))
  const at = (hours: number) => new Date(from + hours * HOUR_MS).toISOString()
  const bar = (key: string, begin: number, end: number | null, title: string) => ({ key, from: at(begin), to: end === null ? null : at(end), title })
  return (
    <Gantt
      label={['预约', 'Bookings']}
      head={['泊位', 'Berth']}
      span={{ from, to: from + DAY_MS }}
      now={from + 10.5 * HOUR_MS}
      rows={[
        { key: 'A', name: 'A-017', bars: [bar('1', 7, 9.5, '鄂F·65026'), { ...bar('2', 9, 12, '鄂F·1A2B3'), tone: 'warning' }] },
        { key: 'B', name: 'A-018', bars: [{ ...bar('3', 8, null, say(['长期预约', 'Long booking'])), tone: 'success' }] },
      ]}
    />
  )
}

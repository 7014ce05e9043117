import { useQuery } from '@tanstack/react-query'
import { Input } from 'antd'
import { asks } from '../../../platform/web/ask.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { useParks, ParkName } from '../../parking/web/api/names.tsx'
import { OfferState, sharing, UseState } from '../contract/sharing.ts'
import { asSaid } from '../contract/windows.ts'

interface PickProps<V> {
  id?: string
  value?: V | undefined
  onChange?: (value: V | undefined) => void
}
export const useParkColumn = () => {
  const say = useText()
  return {
    dataIndex: 'parkCode' as const,
    title: say(['车场', 'Car park']),
    render: (_: unknown, row: { parkCode: string }) => <ParkName code={row.parkCode} />,
  }
}
/** More bays on offer than a list shows are found by their park's name or their own. */
const OFFERS_SHOWN = 500
/** A bay on offer, by its park and its own name. */
export function OfferSelect(props: PickProps<string>) {
  const say = useText()
  const names = new Map(useParks().map((one) => [one.parkCode, one.name]))
  const { data } = useQuery(asks(sharing.members, { status: [OfferState.offered], limit: OFFERS_SHOWN }, { quiet: true }))
  const options = (data?.records ?? []).map((one) => ({
    value: one.id as string,
    label: `${names.get(one.parkCode) ?? one.parkCode} ${one.seatNo} · ${one.ownerName}`,
  }))
  return <Select {...props} allowClear placeholder={say(['请选择', 'Choose'])} options={options} showSearch={{ optionFilterProp: 'label' }} />
}
/** Terms in use, of one kind. */
export function FeesSelect({ kind, parkCode, ...props }: PickProps<string> & { kind: 1 | 2; parkCode?: string | undefined }) {
  const say = useText()
  const { data } = useQuery(asks(sharing.fees, { kind, status: [UseState.on], limit: OFFERS_SHOWN, ...(parkCode && { parkCode }) }, { quiet: true }))
  const options = (data?.records ?? []).map((one) => ({ value: one.id as string, label: `${one.name} (${one.parkCode})` }))
  return <Select {...props} allowClear placeholder={say(['请选择', 'Choose'])} options={options} showSearch={{ optionFilterProp: 'label' }} />
}

export interface Window {
  day: number
  from: string
  to: string
}
export const DAYS: Text[] = [
  ['周一', 'Mon'],
  ['周二', 'Tue'],
  ['周三', 'Wed'],
  ['周四', 'Thu'],
  ['周五', 'Fri'],
  ['周六', 'Sat'],
  ['周日', 'Sun'],
]
const MIDNIGHT = '24:00'
/** The same hours on any days of the week; an end at midnight is that of the day, and one before the start is in the next. */
export function WindowsInput({ value = [], onChange, id }: PickProps<Window[]>) {
  const say = useText()
  const days = value.map(({ day }) => day)
  const { from = '08:00', to = '18:00' } = value[0] ?? {}
  const set = (next: { days?: number[]; from?: string; to?: string }) => {
    const hours = { from: next.from ?? from, to: next.to ?? to }
    onChange?.([...(next.days ?? days)].sort((a, b) => a - b).map((day) => ({ day, ...hours })))
  }
  return (
    <div className="line-buttons">
      <Select
        {...(id && { id })}
        mode="multiple"
        className="park-select"
        placeholder={say(['选择星期', 'Choose days'])}
        value={days}
        onChange={(chosen: number[]) => set({ days: chosen })}
        options={DAYS.map((name, at) => ({ value: at + 1, label: say(name) }))}
      />
      <Input type="time" aria-label={say(['开始时间', 'From'])} value={from} onChange={({ target }) => set({ from: target.value || '00:00' })} />
      <Input
        type="time"
        aria-label={say(['结束时间', 'To'])}
        value={to === MIDNIGHT ? '00:00' : to}
        onChange={({ target }) => set({ to: !target.value || target.value === '00:00' ? MIDNIGHT : target.value })}
      />
    </div>
  )
}
export function WindowsText({ of }: { of: readonly Window[] }) {
  const say = useText()
  const hours = new Map<string, number[]>()
  for (const { day, from, to } of asSaid(of)) {
    const span = to > from ? `${from}–${to}` : say([`${from}–次日 ${to}`, `${from}–${to} next day`])
    hours.set(span, [...(hours.get(span) ?? []), day])
  }
  return (
    <>
      {[...hours]
        .map(([span, days]) => `${days.length === 7 ? say(['每天', 'Daily']) : days.map((day) => say(DAYS[day - 1]!)).join(' ')} ${span}`)
        .join('；')}
    </>
  )
}

import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Form, InputNumber } from 'antd'
import type { Day } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { cityDay, NONE } from '../../../platform/web/format.ts'
import { can } from '../../../platform/web/person.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { brand } from '../contract/brand.ts'
import { driver } from '../contract/driver.ts'
import { PAPERS_DUE_DAYS, vehicle, WhyNot } from '../contract/vehicle.ts'

export interface PickProps<V> {
  id?: string
  value?: V | null | undefined
  onChange?: (value: V | undefined) => void
}
const DAY_MS = 86_400_000
/** The day on which a paper ends: amber in its last thirty days, red behind it. */
export function PaperDay({ day }: { day: Day | null }) {
  const say = useText()
  if (!day) return <span className="faint">{NONE}</span>
  const left = Math.round((Date.parse(day) - Date.parse(cityDay())) / DAY_MS)
  if (left < 0)
    return (
      <span className="state error" title={say(['已过期', 'Expired'])}>
        {day} {say(['过期', 'expired'])}
      </span>
    )
  if (left <= PAPERS_DUE_DAYS)
    return (
      <span className="state warning">
        {day} {say([`剩 ${left} 天`, `${left} ${plural(left, 'day')} left`])}
      </span>
    )
  return <>{day}</>
}

/** Metres in a kilometre: stored values against typed ones, for the bounds of a field with `KmInput`. */
export const METRES = 1_000
export const km = (metres: number | null | undefined) => (metres === null || metres === undefined ? NONE : `${(metres / METRES).toFixed(1)} km`)
/** Odometers are read in kilometres and kept in metres. */
export const KmInput = ({ value, onChange, ...rest }: PickProps<number>) => (
  <InputNumber<number>
    {...rest}
    precision={1}
    suffix="km"
    style={{ width: 180 }}
    value={value === null || value === undefined ? null : value / METRES}
    onChange={(typed) => onChange?.(typed === null ? undefined : Math.round(typed * METRES))}
  />
)

export function BrandSelect(props: PickProps<string>) {
  const say = useText()
  const { data = [] } = useQuery(asks(brand.queryList, {}, { quiet: true }))
  return (
    <Select
      {...props}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(['选择品牌型号', 'Choose a model'])}
      options={data.map(({ id, name, model }) => ({ value: id as string, label: `${name} ${model}` }))}
    />
  )
}

/** The time typed beside it, once it is one. */
function useSpan() {
  const form = Form.useFormInstance()
  const planFrom = Form.useWatch('planFrom', form) as string | undefined
  const planTo = Form.useWatch('planTo', form) as string | undefined
  return planFrom && planTo && Date.parse(planFrom) < Date.parse(planTo) ? { planFrom, planTo } : undefined
}
const FIRST: Text = ['先填计划开始与结束', 'Enter planned start and end first']
const why = (say: Say, whyNot: number | null) => (whyNot === null ? '' : `（${say(WhyNot.entries[whyNot as 1])}）`)

/** Those that are free at the time typed; the others are named with what stands in the way. */
export function FreeVehicle({ of, ...props }: PickProps<string> & { of?: string | undefined }) {
  const say = useText()
  const span = useSpan()
  const input = { ...(span as object), all: true, ...(of && { id: of }) } as never
  const { data = [] } = useQuery({ ...asks(vehicle.queryAllocating, input, { quiet: true }), enabled: span !== undefined })
  return (
    <Select
      {...props}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(span ? ['选择空闲车辆', 'Choose an available vehicle'] : FIRST)}
      options={data.map((one) => ({
        value: one.id as string,
        disabled: one.whyNot !== null,
        label: `${one.vehicleNo} ${one.brandName} ${one.model}${why(say, one.whyNot)}`,
      }))}
    />
  )
}
export function FreeDriver({ of, ...props }: PickProps<string> & { of?: string | undefined }) {
  const say = useText()
  const span = useSpan()
  const input = { ...(span as object), all: true, ...(of && { id: of }) } as never
  const { data = [] } = useQuery({ ...asks(driver.queryAllocating, input, { quiet: true }), enabled: span !== undefined })
  return (
    <Select
      {...props}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(span ? ['选择空闲驾驶员', 'Choose an available driver'] : FIRST)}
      options={data.map((one) => ({ value: one.id as string, disabled: one.whyNot !== null, label: `${one.name}${why(say, one.whyNot)}` }))}
    />
  )
}

/** More cars than a picker shows are found by their list. */
const VEHICLES_SHOWN = 500
/** Any car of the fleet, by its plate. */
export function VehicleSelect(props: PickProps<string>) {
  const say = useText()
  const { data } = useQuery({ ...asks(vehicle.query, { limit: VEHICLES_SHOWN }, { quiet: true }), enabled: can(vehicle.query.needs) })
  return (
    <Select
      {...props}
      {...(!props.id && { 'aria-label': say(['车辆', 'Vehicle']) })}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={say(['选择车辆', 'Choose a vehicle'])}
      options={(data?.records ?? []).map((one) => ({ value: one.id as string, label: `${one.vehicleNo} ${one.dept}` }))}
    />
  )
}

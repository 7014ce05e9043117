import { InputNumber, Select } from 'antd'
import { VehicleClass, type VehicleClassCode } from '../../../platform/contract/plate.ts'
import { Yuan } from '../../../platform/web/inputs.tsx'
import { useText } from '../../../platform/web/text.ts'
import { CouponType } from '../contract/template.ts'

interface Props<V> {
  id?: string
  value?: V
  onChange?: (value: V | null) => void
}
/** The thousandths that are left to pay, typed as the trade says them: 8 折 is 800. */
const PER_TENTH = 100
/** A coupon's value in the unit of its kind. */
export function DiscountInput({ type, value, onChange, ...rest }: Props<number> & { type: number }) {
  const say = useText()
  if (type === CouponType.amount) return <Yuan {...rest} {...(value !== undefined && { value })} onChange={(fen) => onChange?.(fen)} min={1} />
  if (type === CouponType.discount)
    return (
      <InputNumber
        {...rest}
        value={value === undefined ? null : value / PER_TENTH}
        min={0.1}
        max={9.9}
        step={0.5}
        precision={1}
        suffix={say(['折', 'tenths'])}
        onChange={(tenths) => onChange?.(tenths === null ? null : Math.round(tenths * PER_TENTH))}
      />
    )
  return (
    <InputNumber
      {...rest}
      value={value ?? null}
      min={1}
      precision={0}
      suffix={say(type === CouponType.time ? ['分钟', 'min'] : ['次', 'times'])}
      onChange={(typed) => onChange?.(typed)}
    />
  )
}

export function ClassesSelect({ value, onChange, ...rest }: Props<VehicleClassCode[]>) {
  const say = useText()
  const options = Object.entries(VehicleClass.entries).map(([code, entry]) => ({
    value: Number(code) as VehicleClassCode,
    label: say(entry as never),
  }))
  return (
    <Select
      {...rest}
      mode="multiple"
      allowClear
      {...(value && { value })}
      options={options}
      onChange={(chosen: VehicleClassCode[]) => onChange?.(chosen)}
    />
  )
}

/** How many times as many, kept in thousandths. */
const ONCE = 1000
export function MultiplierInput({ value, onChange, ...rest }: Props<number>) {
  return (
    <InputNumber
      {...rest}
      prefix="×"
      min={1}
      max={10}
      step={0.5}
      precision={1}
      value={value === undefined ? null : value / ONCE}
      onChange={(times) => onChange?.(times === null ? null : Math.round(times * ONCE))}
    />
  )
}

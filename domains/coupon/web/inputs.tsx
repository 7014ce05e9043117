import { InputNumber } from 'antd'
import { fen, whole } from '../../../platform/contract/field.ts'
import { VehicleClass, type VehicleClassCode } from '../../../platform/contract/plate.ts'
import { numberFault } from '../../../platform/web/form/bounds.ts'
import { Yuan } from '../../../platform/web/form/inputs.tsx'
import { type Language, language, useText } from '../../../platform/web/text.ts'
import { Select } from '../../../platform/web/form/Select.tsx'
import { BOOK_MAX, CouponType } from '../contract/template.ts'

interface Props<V> {
  id?: string
  value?: V
  onChange?: (value: V | null) => void
}
/** The thousandths that are left to pay, typed as each language says them: 8 折 and 80% are 800. */
const PER: Record<Language, number> = { 'zh-chs': 100, en: 10 }
/** A coupon's value in the unit of its kind. */
export function DiscountInput({ type, value, onChange, ...rest }: Props<number> & { type: number }) {
  const say = useText()
  const per = PER[language.use()]
  if (type === CouponType.amount) return <Yuan {...rest} {...(value !== undefined && { value })} onChange={(fen) => onChange?.(fen)} />
  if (type === CouponType.discount)
    return (
      <InputNumber
        {...rest}
        value={value === undefined || value === null ? null : value / per}
        step={per === PER['zh-chs'] ? 0.5 : 5}
        precision={1}
        suffix={say(['折', '% to pay'])}
        onChange={(left) => onChange?.(left === null ? null : Math.round(left * per))}
      />
    )
  return (
    <InputNumber
      {...rest}
      value={value ?? null}
      precision={0}
      suffix={say(type === CouponType.time ? ['分钟', 'min'] : ['次', 'times'])}
      onChange={(typed) => onChange?.(typed)}
    />
  )
}

const VALUES: Record<number, object> = {
  [CouponType.amount]: fen('减免金额', 'The amount', { min: 1, max: 10_000_000 }),
  [CouponType.time]: whole('减免分钟', 'The minutes', { min: 1, max: 10_000_000 }),
  [CouponType.discount]: whole('折扣', 'The share to pay', { min: 10, max: 990 }),
  [CouponType.book]: whole('次数', 'The uses', { min: 2, max: BOOK_MAX }),
}
/** Returns the fault of a coupon's value, in the unit of its type. */
export const valueFault = (type: number) => (typed: Readonly<Record<string, unknown>>) => {
  const value = typed['value']
  if (typeof value !== 'number') return undefined
  if (type !== CouponType.discount) return numberFault(VALUES[type]!, value)
  const [zh, en] = [numberFault(VALUES[type]!, value, { per: PER['zh-chs'] }), numberFault(VALUES[type]!, value, { per: PER.en })]
  return zh && en && [zh[0], en[1]]
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
export const ONCE = 1000
export function MultiplierInput({ value, onChange, ...rest }: Props<number>) {
  return (
    <InputNumber
      {...rest}
      prefix="×"
      step={0.5}
      precision={1}
      value={value === undefined || value === null ? null : value / ONCE}
      onChange={(times) => onChange?.(times === null ? null : Math.round(times * ONCE))}
    />
  )
}

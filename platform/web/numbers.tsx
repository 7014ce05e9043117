import { InputNumber } from 'antd'
import type { ReactNode } from 'react'

/** Loaded only where a number is typed. */
export interface NumberProps {
  id?: string
  value?: number | null
  onChange?: (value: number | null) => void
  min?: number
  max?: number
  placeholder?: string
  precision?: number
  suffix?: ReactNode
  'aria-label'?: string
  autoFocus?: boolean
  /** Of the pickers; a number has nothing to open. */
  defaultOpen?: boolean
}
export function Plain({ defaultOpen: _, ...props }: NumberProps) {
  return <InputNumber<number> {...props} />
}

/** Money is typed in yuan and kept in whole fen. */
export function Yuan({ value, onChange, min, max, defaultOpen: _, ...rest }: NumberProps) {
  return (
    <InputNumber
      {...rest}
      precision={2}
      step={1}
      prefix="¥"
      className="yuan"
      value={value === null || value === undefined ? null : value / 100}
      {...(min !== undefined && { min: min / 100 })}
      {...(max !== undefined && { max: max / 100 })}
      onChange={(typed) => onChange?.(typed === null ? null : Math.round(Number(typed) * 100))}
    />
  )
}

type Scaled = Omit<NumberProps, 'min' | 'max'>
/** Typed in a unit of which `per` are kept as whole numbers. */
const scaled =
  (per: number, precision: number, suffix: string) =>
  ({ value, onChange, defaultOpen: _, ...rest }: Scaled) => (
    <InputNumber
      {...rest}
      precision={precision}
      suffix={suffix}
      value={value === null || value === undefined ? null : value / per}
      onChange={(typed) => onChange?.(typed === null ? null : Math.round(Number(typed) * per))}
    />
  )
/** Energy is typed in kilowatt hours and kept in whole watt hours. */
export const KilowattHours = scaled(1000, 3, 'kWh')
/** A share is typed in hundredths and kept in thousandths. */
export const Percent = scaled(10, 1, '%')

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

/** Energy is typed in kilowatt hours and kept in whole watt hours. */
export function KilowattHours({ value, onChange, defaultOpen: _, ...rest }: Omit<NumberProps, 'min' | 'max'>) {
  return (
    <InputNumber
      {...rest}
      precision={3}
      suffix="kWh"
      value={value === null || value === undefined ? null : value / 1000}
      onChange={(typed) => onChange?.(typed === null ? null : Math.round(Number(typed) * 1000))}
    />
  )
}

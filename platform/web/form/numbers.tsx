import { InputNumber } from 'antd'
import type { ReactNode } from 'react'
import { perOf, unitNamed } from '../../contract/units.ts'

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
const made = new Map<string, ReturnType<typeof scaled>>()
/** Energy is typed in kilowatt hours and kept in whole watt hours, a share in hundredths and kept in thousandths: what the unit says. One component for each unit, so that no box is begun anew. */
export function scaledFor(name: string): ReturnType<typeof scaled> {
  const known = made.get(name)
  if (known) return known
  const unit = unitNamed(name)
  const fresh = scaled(perOf(unit), unit.decimals ?? 0, unit.sign?.[1] ?? '')
  made.set(name, fresh)
  return fresh
}

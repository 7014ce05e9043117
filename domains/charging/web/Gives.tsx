import { Form, InputNumber } from 'antd'
import { type Text, useText } from '../../../platform/web/text.ts'

/** How a number is typed that is kept as so many parts of its unit. */
export interface Scale {
  per: number
  unit: Text
  decimals: number
  most?: number
}
/** No promotion gives more; what is kept ends there. */
const MOST = 1_000_000
/** What is still paid: nine tenths are 90 %. */
export const SHARE: Scale = { per: 10, unit: ['%', '%'], decimals: 1, most: 1_000 }
export const YUAN: Scale = { per: 100, unit: ['元', 'yuan'], decimals: 2 }
export const YUAN_PER_KWH: Scale = { per: 10_000, unit: ['元/度', 'yuan/kWh'], decimals: 4 }
export const MINUTES: Scale = { per: 1, unit: ['分钟', 'min'], decimals: 0 }

interface Props {
  id?: string
  value?: number | null
  onChange?: (value: number | null) => void
  /** By the kind that is chosen in the form, in its field `by`; where that cannot be changed, it is `kind`. */
  scales: Record<number, Scale>
  by: string
  kind?: number
}
/** What a promotion or a discount gives, in the unit of its kind. */
export function Gives({ id, value, onChange, scales, by, kind }: Props) {
  const say = useText()
  const chosen = Form.useWatch<number | undefined>(by, Form.useFormInstance())
  const { per, unit, decimals } = scales[kind ?? chosen ?? 0] ?? MINUTES
  return (
    <InputNumber
      {...(id !== undefined && { id })}
      precision={decimals}
      suffix={say(unit)}
      value={value === null || value === undefined ? null : value / per}
      onChange={(typed) => onChange?.(typed === null ? null : Math.round(Number(typed) * per))}
    />
  )
}

/** What is typed beyond what its kind can give, in the unit of the kind. */
export const givesFault =
  ({ scales, by, kind }: Pick<Props, 'scales' | 'by' | 'kind'>) =>
  (typed: Readonly<Record<string, unknown>>): Text | undefined => {
    const { per, unit, most = MOST } = scales[kind ?? (typed[by] as number)] ?? MINUTES
    const value = typed['value']
    if (typeof value !== 'number' || (value >= 0 && value <= most)) return undefined
    const [zh, en] = unit
    const gap = en === '%' ? '' : ' '
    return [`应在 0 至 ${most / per}${gap}${zh} 之间`, `From 0 to ${most / per}${gap}${en}`]
  }

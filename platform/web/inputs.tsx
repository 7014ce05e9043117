import { Input, Select } from 'antd'
import { type ComponentProps, type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import type { Operator } from '../contract/call.ts'
import type { DayField as Day, TimeField as Time } from './dates.tsx'
import type { NumberProps } from './numbers.tsx'
import { type Say, type Text, useText } from './text.ts'
import { isNumber, isOf, type Shape } from './value.tsx'

/** Stands in a form while its picker is loaded, as wide as the picker. */
function late<P extends object>(load: () => Promise<{ default: ComponentType<P> }>, width: number) {
  const Loaded = lazy(load)
  return (props: P) => (
    <Suspense fallback={<Input disabled style={{ width }} />}>
      <Loaded {...props} />
    </Suspense>
  )
}
type RangeProps = ComponentProps<(typeof import('./dates.tsx'))['DateRange']>
export const DateRange = late<RangeProps>(async () => ({ default: (await import('./dates.tsx')).DateRange }), 250)
export const DayField = late<ComponentProps<typeof Day>>(async () => ({ default: (await import('./dates.tsx')).DayField }), 150)
export const TimeField = late<ComponentProps<typeof Time>>(async () => ({ default: (await import('./dates.tsx')).TimeField }), 190)

const NumberField = late<NumberProps>(async () => ({ default: (await import('./numbers.tsx')).Plain }), 90)
/** Money is typed in yuan and kept in whole fen. */
export const Yuan = late<NumberProps>(async () => ({ default: (await import('./numbers.tsx')).Yuan }), 90)

type Bounds = readonly [number | null, number | null]
/** From and to of a number, either end may stay open. */
function NumberRange({ value, onChange, money }: { value?: Bounds | null; onChange?: (value: Bounds | null) => void; money: boolean }) {
  const One = money ? Yuan : NumberField
  const [from = null, to = null] = value ?? []
  const put = (next: Bounds) => onChange?.(next[0] === null && next[1] === null ? null : next)
  return (
    <span className="number-range">
      <One value={from} onChange={(typed) => put([typed, to])} />
      <i>–</i>
      <One value={to} onChange={(typed) => put([from, typed])} />
    </span>
  )
}

export const optionsOf = (shape: Shape, say: Say) =>
  Object.entries(shape['x-dictionary']?.entries ?? {}).map(([value, entry]) => ({ value: Number(value), label: say(entry as Text) }))
const yesOrNo = (say: Say) => [
  { value: true, label: say(['是', 'Yes']) },
  { value: false, label: say(['否', 'No']) },
]

/** The control of one search field, by its type and its operator. */
export function SearchInput({ shape, operator, ...rest }: { shape: Shape; operator: Operator; id?: string }) {
  const say = useText()
  const any = say(['全部', 'Any'])
  if (operator === 'between') {
    if (shape.format === 'date-time') return <DateRange {...rest} />
    if (shape.format === 'date') return <DateRange plain {...rest} />
    return <NumberRange money={shape['x-unit'] === 'fen'} {...rest} />
  }
  const several = operator === 'among'
  const options: { value: number | boolean; label: string }[] | undefined = shape['x-dictionary']
    ? optionsOf(shape, say)
    : isOf(shape, 'boolean')
      ? yesOrNo(say)
      : undefined
  if (options) {
    const more = several && ({ mode: 'multiple', maxTagCount: 'responsive' } as const)
    return (
      <Select
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={any}
        options={options}
        className={several ? 'search-many' : 'search-one'}
        {...more}
        {...rest}
      />
    )
  }
  if (several)
    return (
      <Select
        mode="tags"
        tokenSeparators={[',', ' ', '，']}
        open={false}
        suffixIcon={null}
        maxTagCount="responsive"
        placeholder={any}
        className="search-many"
        {...rest}
      />
    )
  if (isNumber(shape)) return <NumberField placeholder={any} {...rest} />
  const hint = operator === 'startsWith' ? say(['开头几位', 'Begins with']) : operator === 'contains' ? say(['包含', 'Contains']) : any
  return <Input allowClear placeholder={hint} maxLength={shape.maxLength ?? TEXT_MOST} className="search-text" {...rest} />
}
const TEXT_MOST = 200

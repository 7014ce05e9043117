import { Input, Select } from 'antd'
import { type ComponentProps, type ComponentType, lazy, startTransition, useState } from 'react'
import type { Operator } from '../../contract/call.ts'
import { SEES_PLATES } from '../../contract/personal.ts'
import type { DayField as Day, TimeField as Time } from './dates.tsx'
import { cityDay, time, yuan } from '../format.ts'
import type { NumberProps } from './numbers.tsx'
import { can } from '../person.ts'
import { PlateInput } from '../plate/PlateInput.tsx'
import { RegionField } from '../map/regions.tsx'
import { Label } from './remove.tsx'
import { type Say, type Text, useText } from '../text.ts'
import { isNumber, isOf, type Shape } from '../value.tsx'

interface Picked {
  id?: string
  value?: unknown
  onChange?: ((value: any, text: any) => void) | undefined
  'aria-label'?: string
}
/**
 * Stands in a form in place of a picker, with its value and as wide (or with its class), until the hand or the focus comes near; then the picker is loaded. What is typed until
 * it is there is `read` here, and who has begun to type goes on here.
 */
function late<P extends Picked>(
  load: () => Promise<{ default: ComponentType<P> }>,
  size: number | string,
  shown: (value: unknown, say: Say) => string = String,
  read?: (typed: string) => number | null,
) {
  let here = false
  const Loaded = lazy(() => load().then((module) => ((here = true), module)))
  return (props: P) => {
    const say = useText()
    const [near, setNear] = useState(false)
    const [focused, setFocused] = useState(false)
    const [typed, setTyped] = useState<string>()
    // Between a press and its end nothing changes places: a picker that opened under the hand was closed by the rest of the click.
    const [pressed, setPressed] = useState(false)
    // What stands here is not taken away before the picker is there; one that is there comes before the hand does. A press and its end may bring it as well: on a slow
    // machine the end is drawn after the coming, and what brings it in one stroke hides the whole screen until it is loaded.
    const bring = (change: () => void) => (here ? change() : startTransition(change))
    const come = () => bring(() => setNear(true))
    const letGo = () => bring(() => setPressed(false))
    if (near && typed === undefined && !pressed) return <Loaded {...props} {...(focused && { autoFocus: true, defaultOpen: true })} />
    const text = props.value === null || props.value === undefined ? '' : shown(props.value, say)
    return (
      <Input
        readOnly={!read}
        {...(typeof size === 'number' ? { style: { width: size } } : { className: size })}
        value={typed ?? text}
        {...(props.id && { id: props.id })}
        aria-label={props['aria-label']}
        placeholder={shown(undefined, say)}
        onMouseEnter={come}
        onMouseDown={() => setPressed(true)}
        onMouseLeave={letGo}
        onClick={letGo}
        onFocus={() => {
          setFocused(true)
          come()
        }}
        onBlur={() => {
          setFocused(false)
          startTransition(() => setTyped(undefined))
        }}
        // In a calendar Enter chooses, in a number it sends the form.
        onKeyDown={(event) => {
          if (!read && event.key === 'Enter') event.preventDefault()
        }}
        onChange={({ target }) => {
          setTyped(target.value)
          props.onChange?.(read!(target.value), target.value)
        }}
      />
    )
  }
}
const rangeShown = (value: unknown, say: Say) =>
  Array.isArray(value)
    ? value.map((end) => (end === null ? '' : cityDay(String(end)))).join(' → ')
    : say(['开始日期 → 结束日期', 'Start date → End date'])
const timeShown = (value: unknown, say: Say) => (typeof value === 'string' ? time(value) : say(['请选择', 'Choose']))
const numberShown = (value: unknown) => (value === undefined ? '' : String(value))
const numberRead = (typed: string) => (typed.trim() === '' || !Number.isFinite(Number(typed)) ? null : Number(typed))
const fenRead = (typed: string) => {
  const read = numberRead(typed)
  return read === null ? null : Math.round(read * 100)
}
type RangeProps = ComponentProps<(typeof import('./dates.tsx'))['DateRange']>
export const DateRange = late<RangeProps>(async () => ({ default: (await import('./dates.tsx')).DateRange }), 'date-range', rangeShown)
export const DayField = late<ComponentProps<typeof Day>>(async () => ({ default: (await import('./dates.tsx')).DayField }), 150, timeShown)
export const TimeField = late<ComponentProps<typeof Time>>(async () => ({ default: (await import('./dates.tsx')).TimeField }), 190, timeShown)

const yuanShown = (value: unknown) => (typeof value === 'number' ? yuan(value) : '')
const NumberField = late<NumberProps>(async () => ({ default: (await import('./numbers.tsx')).Plain }), 90, numberShown, numberRead)
/** Money is typed in yuan and kept in whole fen. */
export const Yuan = late<NumberProps>(async () => ({ default: (await import('./numbers.tsx')).Yuan }), 90, yuanShown, fenRead)

type Bounds = readonly [number | null, number | null]
/** From and to of a number, either end may stay open. */
function NumberRange({ value, onChange, money }: { value?: Bounds | null; onChange?: (value: Bounds | null) => void; money: boolean }) {
  const say = useText()
  const One = money ? Yuan : NumberField
  const [from = null, to = null] = value ?? []
  const put = (next: Bounds) => onChange?.(next[0] === null && next[1] === null ? null : next)
  return (
    <span className="number-range">
      <One aria-label={say(['不小于', 'From'])} value={from} onChange={(typed) => put([typed, to])} />
      <i>–</i>
      <One aria-label={say(['不大于', 'To'])} value={to} onChange={(typed) => put([from, typed])} />
    </span>
  )
}

export const optionsOf = (shape: Pick<Shape, 'x-dictionary'>, say: Say) =>
  Object.entries(shape['x-dictionary']?.entries ?? {}).map(([value, entry]) => ({ value: Number(value), label: say(entry as Text) }))
const yesOrNo = (say: Say) => [
  { value: true, label: say(['是', 'Yes']) },
  { value: false, label: say(['否', 'No']) },
]

/** The control of one search field, by its type and its operator. */
export function SearchInput({ shape, operator, ...rest }: { shape: Shape; operator: Operator; id?: string }) {
  const say = useText()
  const any = say(Label.any)
  if (operator === 'between') {
    if (shape.format === 'date-time') return <DateRange asTyped {...rest} />
    if (shape.format === 'date') return <DateRange asTyped plain {...rest} />
    return <NumberRange money={shape['x-unit'] === 'fen'} {...rest} />
  }
  if (shape['x-plate']) return <PlateInput className="plate-find" placeholder={say(plateHint(operator))} {...rest} />
  if (shape['x-region']) return <RegionField placeholder={any} {...rest} />
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
  return <Input allowClear placeholder={say(hintFor(operator))} maxLength={shape.maxLength ?? TEXT_MOST} className="search-text" {...rest} />
}
const TEXT_MOST = 200

/** What of a plate finds it, as the list looks for it. */
const plateHint = (operator: Operator): Text => ((operator === 'plate' || operator === 'contains') && can(SEES_PLATES) ? PIECE_OF_PLATE : WHOLE_PLATE)
const PIECE_OF_PLATE: Text = ['任意几位', 'Any part']
/** Whoever is not shown plates finds a car by its whole plate. */
const WHOLE_PLATE: Text = ['完整车牌', 'Whole plate']

function hintFor(operator: Operator): Text {
  if (operator === 'startsWith') return ['开头几位', 'Starts with']
  return operator === 'contains' ? ['包含', 'Contains'] : Label.any
}

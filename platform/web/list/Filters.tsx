import { CloseOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import type { Search } from '../../contract/call.ts'
import { ZONE_NAME } from '../../contract/time.ts'
import { count, time, yuan } from '../format.ts'
import { RegionNames } from '../map/regions.tsx'
import type { Find } from './SearchBar.tsx'
import { Chosen } from '../form/Select.tsx'
import { type Say, type Text, useText } from '../text.ts'
import { labelOf, Plate, type Shape } from '../value.tsx'

interface Props<C> {
  search: Search<C>
  shapes: Record<string, Shape>
  find: readonly Find<string>[]
  criteria: C
  onNarrow: (criteria: { [K in keyof C]?: undefined }) => void
  onReset: () => void
}

/** What narrows the list at this moment, whoever set it: the search, a link, a view, a click on a figure. Each can be taken away alone. */
export function Filters<C extends object>({ search, shapes, find, criteria, onNarrow, onReset }: Props<C>) {
  const say = useText()
  const acting = [...new Set(Object.keys(criteria).map((key) => fieldOf(search, key)))].filter((name) => shapes[name])
  if (acting.length === 0) return null
  const own = new Map(
    find.map((one) => (typeof one === 'string' ? [one, { name: one }] : [one.name, one]) as [string, Exclude<Find<string>, string>]),
  )
  const without = (name: string) => Object.fromEntries(endsOf(search, name).map((key) => [key, undefined])) as { [K in keyof C]?: undefined }
  return (
    <div className="filters" role="group" aria-label={say(['筛选条件', 'Filters'])}>
      {acting.map((name) => {
        const label = say(own.get(name)?.label ?? labelOf(shapes[name]!))
        const values = endsOf(search, name).map((key) => (criteria as Record<string, unknown>)[key])
        return (
          <span key={name} className="filter">
            <span className="soft">{label}</span>{' '}
            <b title={shapes[name]!.format === 'date-time' ? say(ZONE_NAME) : undefined}>{shownOf(values, shapes[name]!, own.get(name), say)}</b>
            <button type="button" aria-label={say([`去掉条件：${label}`, `Remove the filter ${label}`])} onClick={() => onNarrow(without(name))}>
              <CloseOutlined />
            </button>
          </span>
        )
      })}
      {acting.length > 1 && (
        <button type="button" className="filters-none" onClick={onReset}>
          {say(['全部清除', 'Clear all'])}
        </button>
      )}
    </div>
  )
}

const fieldOf = ({ operators }: Search<any>, key: string) => {
  const field = key.replace(/(From|To)$/, '')
  return operators[field] === 'between' ? field : key
}
const endsOf = ({ operators }: Search<any>, name: string) => (operators[name] === 'between' ? [`${name}From`, `${name}To`] : [name])

function shownOf(values: readonly unknown[], shape: Shape, { shown, control }: Partial<Exclude<Find<string>, string>> = {}, say: Say): ReactNode {
  if (values.length === 1) {
    const [value] = values
    if (shown) return shown(value)
    if (control) return <Chosen control={control} value={value} otherwise={(one) => wordOf(one, shape, say)} />
    if (shape['x-region']) return <RegionNames codes={[value].flat() as string[]} />
    if (shape['x-plate']) return <Plate number={String(value)} still />
    return [value]
      .flat()
      .map((one) => wordOf(one, shape, say))
      .join(say(['、', ', ']))
  }
  const ends = values.map((value) => (value === undefined ? undefined : wordOf(value, shape, say)))
  // From the first to the last minute of days: the days alone say it.
  const [from, to] = wholeDays(ends) ? ends.map((end) => end?.slice(0, 10)) : ends
  if (from === undefined) return say([`${to} 及以前`, `up to ${to}`])
  return to === undefined ? say([`${from} 起`, `from ${from}`]) : `${from} – ${to}`
}

const wholeDays = ([from = ' 00:00', to = ' 23:59']: readonly (string | undefined)[]) => from.endsWith(' 00:00') && to.endsWith(' 23:59')

function wordOf(value: unknown, shape: Shape, say: Say): string {
  const entry = shape['x-dictionary']?.entries[value as never] as Text | undefined
  if (entry) return say(entry)
  if (typeof value === 'boolean') return say(value ? ['是', 'Yes'] : ['否', 'No'])
  if (shape['x-unit'] === 'fen') return `¥${yuan(value as number)}`
  if (shape.format === 'date-time') return time(String(value)).slice(0, 16)
  return typeof value === 'number' ? count(value) : String(value)
}

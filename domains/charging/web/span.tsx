import { Segmented } from 'antd'
import { useSearchParams } from 'react-router'
import type { Dictionary } from '../../../platform/contract/field.ts'
import { DateRange } from '../../../platform/web/form/inputs.tsx'
import { cityDay, dayEnd, dayStart } from '../../../platform/web/format.ts'
import { useText } from '../../../platform/web/text.ts'
import { Compare, GroupBy } from '../contract/span.ts'
import { StationSelect } from './stations.tsx'
import './charging.css'

const DAYS = 7
const DAY_MS = 86_400_000
export interface Span {
  timeFrom: string
  timeTo: string
  stationId?: string
  groupBy?: number
  compare?: number
}
/** What a page of figures is of, in its address: a time, a station, by what, beside what. */
export function useSpan(days = DAYS): { span: Span; set: (more: Record<string, string | undefined>) => void } {
  const [address, setAddress] = useSearchParams()
  const get = (name: string) => address.get(name) ?? undefined
  const number = (name: string) => (get(name) === undefined ? undefined : Number(get(name)))
  const span = {
    timeFrom: get('timeFrom') ?? dayStart(cityDay(new Date(Date.now() - (days - 1) * DAY_MS))),
    timeTo: get('timeTo') ?? dayEnd(cityDay()),
    ...(get('stationId') && { stationId: get('stationId') }),
    ...(number('groupBy') && { groupBy: number('groupBy') }),
    ...(number('compare') && { compare: number('compare') }),
  } as Span
  const set = (more: Record<string, string | undefined>) =>
    setAddress((now) => {
      const next = new URLSearchParams(now)
      for (const [name, value] of Object.entries(more))
        if (value === undefined) next.delete(name)
        else next.set(name, value)
      return next
    })
  return { span, set }
}

const optionsOf = (dictionary: Dictionary<number>, say: ReturnType<typeof useText>) =>
  Object.entries(dictionary.entries).map(([code, [zh, en]]) => ({ value: Number(code), label: say([zh, en]) }))
export function SpanBar({ span, set, how = true, compare = true }: ReturnType<typeof useSpan> & { how?: boolean; compare?: boolean }) {
  const say = useText()
  return (
    <div className="charging-tools">
      <DateRange
        value={[span.timeFrom, span.timeTo] as never}
        onChange={(range: readonly [string, string] | null) => set({ timeFrom: range?.[0], timeTo: range?.[1] })}
      />
      <StationSelect value={span.stationId} onChange={(stationId) => set({ stationId })} />
      {how && (
        <Segmented options={optionsOf(GroupBy, say)} value={span.groupBy ?? GroupBy.day} onChange={(value) => set({ groupBy: String(value) })} />
      )}
      {compare && (
        <Segmented
          options={[{ value: 0, label: say(['不对比', 'No comparison']) }, ...optionsOf(Compare, say)]}
          value={span.compare ?? 0}
          onChange={(value) => set({ compare: value ? String(value) : undefined })}
        />
      )}
    </div>
  )
}

import { Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { time } from '../format.ts'
import { type Text, useText } from '../text.ts'
import { linesOf, placeOf, type Span, ticksOf } from './timeAxis.ts'
import './timeAxis.css'

export interface GanttBar {
  key: string
  from: string
  /** None: it goes on. */
  to: string | null
  title: string
  tone?: 'success' | 'warning' | 'error' | 'default'
  onOpen?: () => void
}
export interface GanttRow {
  key: string
  name: ReactNode
  bars: readonly GanttBar[]
  /** When there may be any, where not all of the time is: the rest of the row lies in shade. */
  open?: readonly { from: string; to: string }[]
}
interface Props {
  label: Text
  span: Span
  rows: readonly GanttRow[]
  /** The head of the column of names. */
  head: Text
  /** Where the line of now stands; none is drawn outside the span. */
  now?: number
}
const TICKS = 12
const LINE_PX = 28

/** Stretches of time on one axis of the city's clock, a row for each thing: berths and their bookings, people and their shifts. Bars that overlap lie under each other. */
export function Gantt({ label, span, rows, head, now }: Props) {
  const say = useText()
  const ticks = ticksOf(span, TICKS)
  const part = (ms: number) => ((ms - span.from) * 100) / (span.to - span.from)
  return (
    <div className="gantt" role="table" aria-label={say(label)}>
      <div role="row" className="gantt-head">
        <span role="columnheader">{say(head)}</span>
        <span role="columnheader" className="gantt-axis" aria-label={`${time(new Date(span.from))} – ${time(new Date(span.to))}`}>
          {ticks.map((at) => (
            <time key={at} style={{ left: `${part(at)}%` }}>
              {tickText(at)}
            </time>
          ))}
        </span>
      </div>
      {rows.map((row) => (
        <Row
          key={row.key}
          of={row}
          span={span}
          ticks={ticks.map(part)}
          now={now !== undefined && now > span.from && now < span.to ? part(now) : undefined}
        />
      ))}
    </div>
  )
}
/** At midnight the day, else the hour. */
const tickText = (at: number) => {
  const text = time(new Date(at))
  return text.slice(11, 16) === '00:00' ? text.slice(5, 10) : text.slice(11, 16)
}

function Row({ of, span, ticks, now }: { of: GanttRow; span: Span; ticks: readonly number[]; now: number | undefined }) {
  const lines = linesOf(of.bars)
  return (
    <div role="row" className="gantt-row">
      <div role="rowheader">{of.name}</div>
      <div role="cell" className={`gantt-lane${of.open ? ' shut' : ''}`} style={{ height: (Math.max(0, ...lines) + 1) * LINE_PX + 8 }}>
        {of.open?.map((one) => (
          <Open key={one.from} of={one} span={span} />
        ))}
        {ticks.map((left) => (
          <i key={left} className="tick" style={{ left: `${left}%` }} />
        ))}
        {of.bars.map((bar, at) => (
          <Bar key={bar.key} of={bar} span={span} line={lines[at]!} />
        ))}
        {now !== undefined && <i className="now" style={{ left: `${now}%` }} />}
      </div>
    </div>
  )
}

function Open({ of, span }: { of: { from: string; to: string }; span: Span }) {
  const say = useText()
  const place = placeOf(span, of.from, of.to)
  const name = say([`开放 ${time(of.from)} – ${time(of.to)}`, `Open ${time(of.from)} – ${time(of.to)}`])
  return place ? (
    <span role="img" className="open" aria-label={name} title={name} style={{ left: `${place.left}%`, width: `${place.width}%` }} />
  ) : null
}

function Bar({ of, span, line }: { of: GanttBar; span: Span; line: number }) {
  const say = useText()
  const place = placeOf(span, of.from, of.to)
  if (!place) return null
  const until = of.to === null ? say(['未结束', 'open-ended']) : time(of.to)
  const name = `${of.title} ${time(of.from)} – ${until}`
  return (
    <Tooltip title={name}>
      <button
        type="button"
        className={`gantt-bar ${of.tone ?? 'default'}${place.cut ? ' cut' : ''}`}
        aria-label={name}
        style={{ left: `${place.left}%`, width: `${place.width}%`, top: line * LINE_PX + 4 }}
        onClick={of.onOpen}
      >
        {of.title}
      </button>
    </Tooltip>
  )
}

import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { Figure } from '../../contract/figure.ts'
import { Explain } from './Explain.tsx'
import { count, NONE } from '../format.ts'
import { Nothing, Waiting } from '../page/states.tsx'
import type { Span } from '../time/timeAxis.ts'
import { type Text, useText } from '../text.ts'
import './chart.css'

export interface ChartSeries {
  name: Text
  /** One for each category; null is not known, and drawn as a gap. */
  values: readonly (number | null)[]
  /** Another time, beside which the rest is read: thin and grey. */
  beside?: 'dashed' | 'dotted'
  /** A state has the colour of its state, what is neither good nor bad is grey; others have a hue each. */
  tone?: 'bad' | 'quiet'
  /** The room below a line is tinted. */
  filled?: boolean
  /** The last value of a line is of a time that is not over: it falls short of what it will be, and the way to it is faint. */
  running?: boolean
}
export interface ChartProps {
  /** The quantity that is counted. */
  label: Text
  /** `line` over time; `bar` beside one another; `stack` on one another; `rank` from the most to the least, lying, its parts after one another; `share` of a whole. */
  kind: 'line' | 'bar' | 'stack' | 'rank' | 'share'
  /** The meaning of the categories: the hour, the park. */
  by: Text
  categories: readonly string[]
  /** Short labels for the axis, where a category is too long for it: `05:30` of a whole moment. */
  ticks?: readonly string[]
  /** Of a line whose points do not come evenly: when each was, in milliseconds, and the time that is shown. Each then lies at its time, and the axis ticks evenly. */
  moments?: { at: readonly number[] } & Span
  /** At most six with a colour of their own; `share` has one. */
  series: readonly ChartSeries[]
  /** Of a share whose parts have a colour in the world, each one's own; where it is left out, the part has the next hue. */
  colors?: readonly (string | undefined)[]
  /** How a value is written; counted when left out. */
  written?: (value: number) => string
  /** The address of the list that a figure sums, its filter in it. */
  leads?: (category: number, series: number) => string | undefined
  height?: number
  /** The scale ends here: 100 for a share. */
  top?: number
  /** A head in one row with the switch to the table. */
  title?: Text
  /** The declared figures that it draws. */
  figures?: readonly Figure[]
  /** Beside the title: the figure as it is now. */
  note?: ReactNode
  /** The answer is not there yet. */
  waiting?: boolean
  /** Why there may be nothing. */
  empty?: Text
}
const Body = lazy(() => import('./ChartBody.tsx'))

/** Names stand at their lines, not in a legend, wherever there is room; every figure leads to the list behind it; the same figures as a table for whoever reads rather than looks. */
export function Chart(props: ChartProps) {
  const say = useText()
  const [asTable, setAsTable] = useState(false)
  const { categories, series, label, height = 240, title, figures, note, waiting, empty } = props
  const nothing = categories.length === 0 || series.every(({ values }) => values.every((value) => !value))
  const toTable = (
    <button type="button" className="chart-switch" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
      {say(asTable ? ['图', 'Chart'] : ['表格', 'Table'])}
    </button>
  )
  return (
    <div className="chart" data-chart={props.kind}>
      {title ? (
        <header>
          <h2>{say(title)}</h2>
          {figures && <Explain figures={figures} />}
          {note}
          {toTable}
        </header>
      ) : (
        toTable
      )}
      {asTable ? (
        <ChartTable {...props} />
      ) : waiting ? (
        <div style={{ height }}>
          <Waiting lines={4} />
        </div>
      ) : nothing ? (
        <Nothing>{empty && say(empty)}</Nothing>
      ) : (
        <div style={{ height }} role="img" aria-label={say(label)}>
          <Suspense fallback={<Waiting lines={4} />}>
            <Body {...props} />
          </Suspense>
        </div>
      )}
    </div>
  )
}

function ChartTable({ label, by, categories, series, written = count, leads }: ChartProps) {
  const say = useText()
  return (
    <div className="chart-table">
      <table>
        <caption className="unseen">{say(label)}</caption>
        <thead>
          <tr>
            <th scope="col">{say(by)}</th>
            {series.map(({ name }) => (
              <th scope="col" key={name[1]}>
                {say(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {categories.map((category, at) => (
            <tr key={category}>
              <th scope="row">{category}</th>
              {series.map(({ name, values }, of) => {
                const value = values[at]
                const to = value === null || value === undefined ? undefined : leads?.(at, of)
                const text = value === null || value === undefined ? NONE : written(value)
                return <td key={name[1]}>{to ? <Link to={to}>{text}</Link> : text}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { init, use as register } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type Text, useText } from '../../../platform/web/text.ts'
import { useLook } from '../../../platform/web/theme.ts'

register([BarChart, LineChart, GridComponent, TooltipComponent, LabelLayout, CanvasRenderer])

export interface Series {
  name: Text
  data: readonly number[]
  /** A colour of the look, by its name: `--accent`. */
  colour: string
}
interface Props {
  title: Text
  wide?: boolean
  labels: readonly string[]
  series: readonly Series[]
  kind: 'line' | 'stack' | 'bars'
  /** A bar or a point was pressed: its place among the labels and among the series. */
  onPick: (label: number, series: number) => void
  note?: ReactNode
}

/** Figures as a picture, each leading to the list it counts; and as a table for whoever reads rather than looks. */
export default function Chart(props: Props) {
  const say = useText()
  const [asTable, setAsTable] = useState(false)
  const { title, wide, note, labels } = props
  return (
    <section className={`message-panel${wide ? ' wide' : ''}`}>
      <header>
        <h2>{say(title)}</h2>
        {note}
        <button type="button" className="message-switch" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {say(asTable ? ['图', 'Chart'] : ['表格', 'Table'])}
        </button>
      </header>
      {labels.length === 0 ? (
        <p className="faint">{say(['这段时间没有消息', 'No message in this time'])}</p>
      ) : asTable ? (
        <AsTable {...props} />
      ) : (
        <Picture {...props} />
      )}
    </section>
  )
}

function Picture({ title, labels, series, kind, onPick }: Props) {
  const say = useText()
  const look = useLook()
  const place = useRef<HTMLDivElement>(null)
  const pick = useRef(onPick)
  pick.current = onPick
  const drawn = JSON.stringify([labels, series, kind])
  useEffect(() => {
    const element = place.current
    if (!element) return
    const chart = init(element)
    chart.setOption(optionOf({ labels, series, kind }, say))
    chart.on('click', ({ dataIndex, seriesIndex }) => pick.current(dataIndex, seriesIndex ?? 0))
    const watch = new ResizeObserver(() => chart.resize())
    watch.observe(element)
    return () => {
      watch.disconnect()
      chart.dispose()
    }
  }, [drawn, look.dark, look.name, look.colour, say])
  return <div ref={place} className="message-chart" role="img" aria-label={say(title)} />
}

function optionOf({ labels, series, kind }: Pick<Props, 'labels' | 'series' | 'kind'>, say: (text: Text) => string) {
  const css = getComputedStyle(document.documentElement)
  const of = (token: string) => css.getPropertyValue(token).trim() || token
  const axis = { axisLine: { lineStyle: { color: of('--line') } }, axisTick: { show: false }, axisLabel: { color: of('--faint') }, splitLine: { lineStyle: { color: of('--line') } } } // prettier-ignore
  const names = { type: 'category', data: labels, ...axis, axisLabel: { ...axis.axisLabel, hideOverlap: true } }
  const numbers = { type: 'value', min: 0, minInterval: 1, ...axis }
  const across = kind === 'bars'
  return {
    animation: false,
    grid: { left: across ? 8 : 40, right: kind === 'line' ? 72 : 24, top: 16, bottom: 8, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    tooltip: {
      trigger: 'axis',
      axisPointer: { type: 'shadow' },
      backgroundColor: of('--surface'),
      borderColor: of('--line'),
      textStyle: { color: of('--ink') },
    },
    xAxis: across ? numbers : names,
    yAxis: across ? { ...names, inverse: true } : numbers,
    series: series.map(({ name, data, colour }) => ({
      type: kind === 'line' ? 'line' : 'bar',
      name: say(name),
      data,
      cursor: 'pointer',
      barMaxWidth: 28,
      symbolSize: 6,
      ...(kind !== 'line' && { stack: 'all' }),
      lineStyle: { color: of(colour), width: 2 },
      itemStyle: { color: of(colour) },
      ...(kind === 'line' && { endLabel: { show: true, formatter: '{a}', color: of(colour), fontSize: 12 }, labelLayout: { moveOverlap: 'shiftY' } }),
    })),
  }
}

function AsTable({ labels, series, onPick }: Props) {
  const say = useText()
  return (
    <div className="message-table">
      <table className="lines">
        <thead>
          <tr>
            <th>{say(['项目', 'Item'])}</th>
            {series.map(({ name }) => (
              <th key={name[1]} className="right">
                {say(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, row) => (
            <tr key={label}>
              <td>{label}</td>
              {series.map(({ name, data }, column) => (
                <td key={name[1]} className="right">
                  {data[row] ? (
                    <button type="button" onClick={() => onPick(row, column)}>
                      {data[row]}
                    </button>
                  ) : (
                    <span className="faint">0</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

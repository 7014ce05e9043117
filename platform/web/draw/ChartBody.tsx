import { BarChart, LineChart, PieChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { type ECharts, init, use as register } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import type { ChartProps } from './Chart.tsx'
import { huesOf, optionOf } from './chartOption.ts'
import { useText } from '../text.ts'
import { useLook } from '../theme.ts'

register([LineChart, BarChart, PieChart, GridComponent, TooltipComponent, LabelLayout, CanvasRenderer])

/** Drawn anew when its figures, the language or the look change, and when a hidden tab is shown again. */
export default function ChartBody(props: ChartProps) {
  const say = useText()
  const { dark, name, colour } = useLook()
  const go = useNavigate()
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts>(undefined)
  const leads = useRef(props.leads)
  leads.current = props.leads
  const draw = () =>
    chart.current!.setOption(optionOf(props, { say, dark, token: tokenAt(place.current), width: place.current!.clientWidth }), { notMerge: true })
  const latest = useRef(draw)
  latest.current = draw
  useEffect(() => {
    const element = place.current!
    const made = init(element)
    chart.current = made
    const watch = new ResizeObserver(() => {
      // Taken out of the page it has no room, and is not watched any more a moment later.
      if (!place.current) return
      made.resize()
      // The names under its bars break by the room there is.
      latest.current()
    })
    watch.observe(element)
    return () => {
      watch.disconnect()
      made.dispose()
      chart.current = undefined
    }
  }, [])
  useEffect(() => {
    const made = chart.current!
    latest.current()
    return opening(made, props.kind, (at, of) => {
      const to = leads.current?.(at, of)
      if (to) void go(to)
    })
  }, [props.kind, props.categories, props.ticks, props.moments, props.series, props.colors, props.written, props.top, say, dark, name, colour, go])
  const several = props.series.length > 1 && (props.kind === 'stack' || props.kind === 'rank' || props.kind === 'bar')
  return (
    <div className="chart-body">
      {several && <Legend of={props} hues={huesOf(props.series, { dark, token: (name) => `var(${name})` })} />}
      <div ref={place} className="chart-canvas" />
    </div>
  )
}
/** The colours of the ground that it stands on: a wall has its own. */
const tokenAt = (element: Element | null) => (name: string) =>
  getComputedStyle(element ?? document.documentElement)
    .getPropertyValue(name)
    .trim()

/** Bars have no room for their names. */
function Legend({ of: { series }, hues }: { of: ChartProps; hues: readonly string[] }) {
  const say = useText()
  return (
    <p className="chart-legend">
      {series.map(({ name }, at) => (
        <span key={name[1]}>
          <i style={{ background: hues[at] }} /> {say(name)}
        </span>
      ))}
    </p>
  )
}

/**
 * Opens an entry on a press: of bars the one under the pointer, of lines the nearest point, since a line is too thin to be hit.
 * @returns the function that undoes it
 */
function opening(made: ECharts, kind: ChartProps['kind'], open: (at: number, of: number) => void): () => void {
  if (kind !== 'line') {
    const press = ({ dataIndex, seriesIndex = 0 }: { dataIndex: number; seriesIndex?: number }) => open(dataIndex, seriesIndex)
    made.on('click', press as never)
    return () => void made.off('click')
  }
  const press = ({ offsetX, offsetY }: { offsetX: number; offsetY: number }) => {
    if (!made.containPixel({ gridIndex: 0 }, [offsetX, offsetY])) return
    const at = made.convertFromPixel({ seriesIndex: 0 }, [offsetX, offsetY])[0]!
    const lines = (made.getOption() as { series: { data: (number | null)[] }[] }).series
    const far = lines.map(({ data }, of) => {
      const value = data[at]
      return typeof value === 'number' ? Math.abs(made.convertToPixel({ seriesIndex: of }, [at, value])[1]! - offsetY) : Infinity
    })
    const nearest = far.indexOf(Math.min(...far))
    if (Number.isFinite(far[nearest])) open(at, nearest)
  }
  // Kept by name: a chart that is gone has no canvas to ask for.
  const canvas = made.getZr()
  canvas.on('click', press)
  return () => void canvas.off('click', press)
}

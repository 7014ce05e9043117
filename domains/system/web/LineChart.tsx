import { BarChart, LineChart as Lines } from 'echarts/charts'
import { GridComponent, MarkLineComponent, TooltipComponent } from 'echarts/components'
import { init, use as register } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useEffect, useRef } from 'react'
import { useText } from '../../../platform/web/text.ts'
import type { Say, Text } from '../../../platform/web/text.ts'
import { useLook } from '../../../platform/web/theme.ts'

register([Lines, BarChart, GridComponent, TooltipComponent, MarkLineComponent, CanvasRenderer])

export interface Line {
  name: Text
  /** A colour of the theme: `--accent`. */
  token: string
  values: readonly (number | null)[]
  kind?: 'line' | 'bar'
  filled?: boolean
}
export interface LineChartProps {
  label: Text
  /** One per value, as the axis shows it; the tooltip shows `long`. */
  axis: readonly string[]
  long?: readonly string[]
  lines: readonly Line[]
  /** How a value is written. */
  write?: (value: number) => string
  /** The top of the scale at least. */
  top?: number
  height?: number
}

/** Values over time. Nothing measured is a gap, the scale begins at zero. */
export default function LineChart({ label, axis, long = axis, lines, write = String, top, height = 150 }: LineChartProps) {
  const say = useText()
  const look = useLook()
  const place = useRef<HTMLDivElement>(null)
  const chart = useRef<ReturnType<typeof init>>(undefined)
  useEffect(() => {
    const made = init(place.current!)
    chart.current = made
    const watch = new ResizeObserver(() => made.resize())
    watch.observe(place.current!)
    return () => {
      watch.disconnect()
      made.dispose()
      chart.current = undefined
    }
  }, [])
  useEffect(() => {
    chart.current?.setOption(optionOf({ axis, long, lines, write, top }, say), { notMerge: true })
  }, [axis, long, lines, write, top, look.dark, look.name, look.colour, say])
  return <div ref={place} className="metric-chart" style={{ blockSize: height }} role="img" aria-label={say(label)} />
}

/** The whole chart as echarts wants it, in the colours the theme has now. */
function optionOf({ axis, long, lines, write, top }: Drawn, say: Say) {
  const css = getComputedStyle(document.documentElement)
  const of = (token: string) => css.getPropertyValue(token).trim()
  const quiet = {
    axisLine: { lineStyle: { color: of('--line') } },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: of('--line'), opacity: 0.6 } },
  }
  return {
    animation: false,
    grid: { left: 4, right: 22, top: 10, bottom: 2, containLabel: true },
    tooltip: {
      trigger: 'axis',
      backgroundColor: of('--surface'),
      borderColor: of('--line'),
      textStyle: { color: of('--ink'), fontSize: 12 },
      confine: true,
      formatter: (points: { dataIndex: number; seriesName: string; value: number | null; marker: string }[]) =>
        [
          long[points[0]!.dataIndex] ?? '',
          ...points.map(({ marker, seriesName, value }) => `${marker}${seriesName} ${value === null || value === undefined ? '--' : write(value)}`),
        ].join('<br>'),
    },
    xAxis: {
      type: 'category',
      data: [...axis],
      boundaryGap: lines.some(({ kind }) => kind === 'bar'),
      ...quiet,
      axisLabel: { color: of('--faint'), fontSize: 11, hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      min: 0,
      ...(top !== undefined && { max: top, interval: top / 4 }),
      splitNumber: 3,
      ...quiet,
      axisLabel: { color: of('--faint'), fontSize: 11, formatter: write },
    },
    series: lines.map(({ name, token, values, kind = 'line', filled = false }) => ({
      type: kind,
      name: say(name),
      data: [...values],
      symbol: 'none',
      connectNulls: false,
      barMaxWidth: 18,
      lineStyle: { color: of(token), width: filled ? 1.5 : 1, ...(!filled && { type: 'dashed' }) },
      itemStyle: { color: of(token) },
      ...(filled && { areaStyle: { color: of(token), opacity: 0.1 } }),
    })),
  }
}
type Drawn = Required<Pick<LineChartProps, 'axis' | 'long' | 'lines' | 'write'>> & { top: number | undefined }

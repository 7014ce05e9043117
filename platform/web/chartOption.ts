import type { ChartProps, ChartSeries } from './Chart.tsx'
import { count } from './format.ts'
import type { Say } from './text.ts'

/** Six hues that are neither the accent's neighbours nor states; each is told from the others in grey too. */
const HUES = {
  light: ['#2F6FDE', '#8A5CD1', '#0B8F8A', '#B4537A', '#5F6B7A', '#8A6A3B'],
  dark: ['#6CA8FF', '#B493EE', '#3CC4BD', '#E08AAE', '#A2ABB8', '#C9A46B'],
} as const

interface Drawing {
  say: Say
  dark: boolean
  /** A colour of the theme by its name: `--line`. */
  token: (name: string) => string
}

/** What echarts is told: no animation, no legend, bars from zero. */
export function optionOf(props: ChartProps, drawing: Drawing): Record<string, unknown> {
  const { token, dark } = drawing
  const hues = HUES[dark ? 'dark' : 'light']
  const shared = {
    animation: false,
    textStyle: { fontFamily: getComputedStyle(document.body).fontFamily },
    // Drawn on the canvas: the page allows no styles that are written into its text.
    tooltip: {
      renderMode: 'richText',
      confine: true,
      backgroundColor: token('--surface'),
      borderColor: token('--line'),
      textStyle: { color: token('--ink'), fontSize: 12 },
      valueFormatter: (value: unknown) => (typeof value === 'number' ? (props.written ?? count)(value) : '--'),
    },
  }
  if (props.kind === 'share') return { ...shared, ...shareOf(props, drawing, hues) }
  return { ...shared, tooltip: { ...shared.tooltip, trigger: 'axis' }, ...axesOf(props, drawing, hues) }
}

function axesOf(props: ChartProps, { say, token }: Drawing, hues: readonly string[]) {
  const { kind, categories, series } = props
  const written = props.written ?? count
  const line = { lineStyle: { color: token('--line') } }
  const axis = { axisLine: line, axisTick: { show: false }, axisLabel: { color: token('--faint'), hideOverlap: true }, splitLine: line }
  const lying = kind === 'rank'
  const named = { type: 'category', data: categories, ...axis, splitLine: { show: false }, ...(kind === 'line' && { boundaryGap: false }), ...(lying && { inverse: true, axisLine: { show: false } }) } // prettier-ignore
  const counted = {
    type: 'value',
    min: (of: { min: number }) => Math.min(0, of.min),
    minInterval: 1,
    ...axis,
    axisLabel: { color: token('--faint'), formatter: written },
    ...(lying && { show: false }),
  }
  const room = kind === 'line' ? 104 : lying ? 56 : 12
  return {
    grid: { left: 8, right: room, top: series.length > 1 && kind === 'bar' ? 24 : 12, bottom: 4, containLabel: true },
    xAxis: lying ? counted : named,
    yAxis: lying ? named : counted,
    series: series.map((one, at) =>
      kind === 'line' ? lineOf(one, say, hueOf(series, at, hues, token), token('--surface')) : barOf(one, say, hueOf(series, at, hues, token), { lying, written, several: series.length > 1 }),
    ),
  } // prettier-ignore
}
const hueOf = (series: readonly ChartSeries[], at: number, hues: readonly string[], token: Drawing['token']) =>
  series[at]!.beside ? token('--faint') : hues[series.slice(0, at).filter(({ beside }) => !beside).length]!

const lineOf = ({ name, values, beside }: ChartSeries, say: Say, color: string, ground: string) => ({
  type: 'line',
  name: say(name),
  data: values,
  symbol: 'circle',
  symbolSize: 6,
  showSymbol: false,
  triggerLineEvent: true,
  lineStyle: { color, width: beside ? 1 : 2, type: beside ?? 'solid' },
  itemStyle: { color },
  endLabel: { show: true, formatter: '{a}', color, fontSize: 12, backgroundColor: ground, padding: [0, 2] },
  labelLayout: { moveOverlap: 'shiftY' },
})

const barOf = (
  { name, values, beside }: ChartSeries,
  say: Say,
  color: string,
  { lying, written, several }: { lying: boolean; written: (value: number) => string; several: boolean },
) => ({
  type: 'bar',
  name: say(name),
  data: values,
  barMaxWidth: lying ? 12 : 28,
  itemStyle: { color, opacity: beside ? 0.4 : 1 },
  label: {
    show: lying || !several || values.length <= 8,
    position: lying ? 'right' : 'top',
    color,
    fontSize: 12,
    formatter: ({ value }: { value: number | null }) => (value === null ? '' : written(value)),
  },
  labelLayout: { hideOverlap: true },
})

function shareOf({ categories, series, written = count }: ChartProps, { token }: Drawing, hues: readonly string[]) {
  const values = series[0]!.values
  const whole = values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  return {
    series: [
      {
        type: 'pie',
        radius: ['40%', '62%'],
        data: categories.map((name, at) => ({ name, value: values[at], itemStyle: { color: hues[at] ?? token('--faint'), borderColor: token('--surface'), borderWidth: 1 } })),
        label: {
          color: token('--soft'),
          lineHeight: 16,
          edgeDistance: 4,
          formatter: ({ name, value }: { name: string; value: number }) => `${name}\n${written(value)} · ${Math.round((value / (whole || 1)) * 100)}%`,
        },
        labelLine: { lineStyle: { color: token('--line') } },
      },
    ],
  } // prettier-ignore
}

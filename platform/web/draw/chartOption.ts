import type { ChartProps, ChartSeries } from './Chart.tsx'
import { count, time } from '../format.ts'
import type { Say } from '../text.ts'
import { MINUTES_MS, ticksOf } from '../time/timeAxis.ts'

/** Six hues, since more nobody tells apart; they are neither the accent's neighbours nor states; each is told from the others in grey too. */
const HUES = {
  light: ['#2F6FDE', '#8A5CD1', '#0B8F8A', '#B4537A', '#5F6B7A', '#8A6A3B'],
  dark: ['#6CA8FF', '#B493EE', '#3CC4BD', '#E08AAE', '#A2ABB8', '#C9A46B'],
} as const

interface Drawing {
  say: Say
  dark: boolean
  /** A colour of the theme by its name: `--line`. */
  token: (name: string) => string
  /** Of the place that it is drawn in. */
  width?: number
}

/** The option given to echarts: no animation, no legend, bars from zero. */
export function optionOf(props: ChartProps, drawing: Drawing): Record<string, unknown> {
  const { token } = drawing
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
  if (props.kind === 'share') return { ...shared, ...shareOf(props, drawing) }
  return { ...shared, tooltip: { ...shared.tooltip, trigger: 'axis' }, ...axesOf(props, drawing) }
}

/** The colour of each series, in its order. */
export function huesOf(series: readonly ChartSeries[], { dark, token }: Pick<Drawing, 'dark' | 'token'>): string[] {
  const hues = HUES[dark ? 'dark' : 'light']
  if (series.filter(hasHue).length > hues.length) throw new Error(`A chart has at most ${hues.length} colours.`)
  return series.map(({ tone, beside }, at) =>
    tone === 'bad' ? token('--bad') : tone === 'quiet' || beside ? token('--faint') : hues[series.slice(0, at).filter(hasHue).length]!,
  )
}
const hasHue = ({ beside, tone }: ChartSeries) => !beside && !tone

export function axesOf(props: ChartProps, drawing: Drawing) {
  const { say, token } = drawing
  const { kind, categories, ticks, moments, series, top, written = count } = props
  const hues = huesOf(series, drawing)
  const line = { lineStyle: { color: token('--line') } }
  const axis = { axisLine: line, axisTick: { show: false }, axisLabel: { color: token('--faint'), hideOverlap: true }, splitLine: line }
  const lying = kind === 'rank'
  const parts = kind === 'stack' || (lying && series.length > 1)
  const shownAs = ticks && { formatter: (_: string, at: number) => ticks[at] ?? '' }
  const whole = !lying && kind !== 'line' && !ticks && categories.length <= NAMED_MOST && drawing.width ? namesIn(drawing.width, categories) : {}
  const byName = {
    type: 'category',
    data: categories,
    ...axis,
    axisLabel: { ...axis.axisLabel, ...shownAs, ...whole },
    splitLine: { show: false },
    ...(kind === 'line' && { boundaryGap: false }),
    ...(lying && { inverse: true, axisLine: { show: false } }),
  }
  const named = moments ? { ...axis, ...timeAxisOf(moments, axis.axisLabel), splitLine: { show: false } } : byName
  const counted = {
    type: 'value',
    min: (of: { min: number }) => Math.min(0, of.min),
    ...(top === undefined ? { minInterval: props.written ? 0 : 1, splitNumber: 4 } : { max: top, interval: top / 4 }),
    ...axis,
    axisLabel: { color: token('--faint'), formatter: written },
    ...(lying && { show: false }),
  }
  const room = kind === 'line' ? Math.max(...series.map(({ name }) => widthOf(say(name)))) + 16 : lying ? 56 : 12
  const draw = (one: ChartSeries, at: number) => {
    const color = hues[at]!
    if (kind === 'line') {
      const drawn = lineOf(one, say, color, token('--surface'))
      return moments ? { ...drawn, data: one.values.map((value, place) => [moments.at[place], value]) } : drawn
    }
    return {
      ...barOf(one, say, color, { lying, written, named: !parts && (lying || series.length === 1 || one.values.length <= 8) }),
      ...(parts && { stack: 'all' }),
    }
  }
  return {
    grid: { left: 8, right: room, top: series.length > 1 && kind === 'bar' ? 24 : 12, bottom: 4, containLabel: true },
    xAxis: lying ? counted : named,
    yAxis: lying ? named : counted,
    series: series.map(draw),
  }
}
/** Of so few bars each has its name, over several lines where it is long. */
const NAMED_MOST = 12
/** Beside the bars: the scale and the chart's edges. */
const SCALE_WIDTH = 76
const NAME_GAP = 4
function namesIn(width: number, names: readonly string[]) {
  const each = Math.max(24, Math.floor((width - SCALE_WIDTH) / Math.max(1, names.length)) - NAME_GAP)
  const isNarrow = names.some((name) => name.split(' ').some((word) => widthOf(word) > each))
  return { interval: 0, hideOverlap: false, width: each, overflow: isNarrow ? 'breakAll' : 'break', lineHeight: 14 }
}
/** At most so many marks, so that `05:30` fits between them in a drawer on a telephone. */
const MARKS_MOST = 6
function timeAxisOf({ from, to }: NonNullable<ChartProps['moments']>, axisLabel: object) {
  const marks = ticksOf({ from, to }, MARKS_MOST, MINUTES_MS)
  const clock = (ms: number, end: number) => time(new Date(ms)).slice(11, end)
  return {
    type: 'value',
    min: from,
    max: to,
    axisLabel: { ...axisLabel, customValues: marks, formatter: (ms: number) => clock(ms, 16) },
    axisPointer: { label: { formatter: ({ value }: { value: number }) => clock(value, 19) } },
  }
}
/** How wide a name is at its 12 pixels; Chinese is square. */
const widthOf = (name: string) => [...name].reduce((sum, sign) => sum + (sign > '\u2E80' ? 12 : 7), 0)

const lineOf = ({ name, values, beside, filled, running }: ChartSeries, say: Say, color: string, ground: string) => ({
  type: 'line',
  name: say(name),
  data: values,
  symbol: 'circle',
  symbolSize: 6,
  // One point makes no line: alone it is drawn as a point.
  showSymbol: values.filter((value) => value !== null).length === 1,
  connectNulls: false,
  lineStyle: { color: running ? faintAtLast(values, color) : color, width: beside ? 1 : 2, type: beside ?? 'solid' },
  itemStyle: { color },
  ...(filled && { areaStyle: { color, opacity: 0.1 } }),
  endLabel: { show: true, formatter: '{a}', color, fontSize: 12, backgroundColor: ground, padding: [2, 2], lineHeight: 14 },
  labelLayout: { moveOverlap: 'shiftY' },
})

/** Along the line: its colour to the last but one of its values, a third of it from there. */
function faintAtLast(values: ChartSeries['values'], color: string) {
  const last = values.findLastIndex((value) => value !== null)
  const turn = last > 0 ? (last - 1) / last : 0
  const stops = [
    [0, color],
    [turn, color],
    [turn, `${color}55`],
    [1, `${color}55`],
  ] as const
  return { type: 'linear', x: 0, y: 0, x2: 1, y2: 0, colorStops: stops.map(([offset, of]) => ({ offset, color: of })) }
}

const barOf = (
  { name, values, beside }: ChartSeries,
  say: Say,
  color: string,
  { lying, written, named }: { lying: boolean; written: (value: number) => string; named: boolean },
) => ({
  type: 'bar',
  name: say(name),
  data: values,
  barMaxWidth: lying ? 12 : 28,
  itemStyle: { color, opacity: beside ? 0.4 : 1 },
  label: {
    show: named,
    position: lying ? 'right' : 'top',
    color,
    fontSize: 12,
    formatter: ({ value }: { value: number | null }) => (value === null ? '' : written(value)),
  },
  labelLayout: { hideOverlap: true },
})

/** A part without a slice has no place for its name: several names would lie over each other, and over the ring. The table shows them. */
const UNNAMED = { label: { show: false }, labelLine: { show: false } }
export function shareOf({ categories, series, colors, written = count }: ChartProps, { token, dark }: Drawing) {
  const hues = HUES[dark ? 'dark' : 'light']
  const values = series[0]!.values
  const whole = values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  return {
    series: [
      {
        type: 'pie',
        radius: ['34%', '54%'],
        data: categories.map((name, at) => ({
          name,
          value: values[at],
          itemStyle: { color: colors?.[at] ?? hues[at] ?? token('--faint'), borderColor: token(colors ? '--line' : '--surface'), borderWidth: 1 },
          ...(!values[at] && UNNAMED),
        })),
        label: {
          color: token('--soft'),
          lineHeight: 16,
          edgeDistance: 0,
          overflow: 'none',
          formatter: ({ name, value }: { name: string; value: number }) =>
            `${name}\n${written(value)} · ${Math.round((value / (whole || 1)) * 100)}%`,
        },
        labelLine: { length: 8, length2: 6, lineStyle: { color: token('--line') } },
      },
    ],
  }
}

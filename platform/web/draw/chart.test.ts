import { expect, test } from 'vitest'
import type { Text } from '../text.ts'
import { axesOf, shareOf } from './chartOption.ts'

const drawing = { say: (text: Text) => text[1], dark: false, token: (name: string) => name }
const at = (clock: string) => Date.parse(`2026-11-20T${clock}+08:00`)

test('points that come unevenly lie at their time, and the axis of the city’s clock ticks evenly', () => {
  const moments = { at: [at('08:03:10'), at('08:03:40'), at('08:41:00')], from: at('08:01:00'), to: at('09:01:00') }
  const series = [{ name: ['功率', 'Power'] as const, values: [1, 2, null] }]
  const drawn = axesOf({ kind: 'line', label: ['kW', 'kW'], by: ['时间', 'Time'], categories: ['a', 'b', 'c'], series, moments }, drawing)
  expect(drawn.series[0]).toMatchObject({
    data: [
      [at('08:03:10'), 1],
      [at('08:03:40'), 2],
      [at('08:41:00'), null],
    ],
  })
  const { min, max, axisLabel, axisPointer } = drawn.xAxis as any
  expect([min, max]).toEqual([at('08:01:00'), at('09:01:00')])
  expect(axisLabel.customValues.map(axisLabel.formatter)).toEqual(['08:10', '08:20', '08:30', '08:40', '08:50', '09:00'])
  expect(axisPointer.label.formatter({ value: at('08:03:40') })).toBe('08:03:40')
})

test('a ring names its shares, and none of nothing: it has no slice to stand beside', () => {
  const series = [{ name: ['欠费', 'Arrears'] as const, values: [7, 0, null] }]
  const drawn = shareOf({ kind: 'share', label: ['欠费', 'Arrears'], by: ['状态', 'State'], categories: ['未缴', '已缴', '核销'], series }, drawing)
  expect(drawn.series[0]!.data.map(({ name, label }: { name: string; label?: object }) => [name, label])).toEqual([
    ['未缴', undefined],
    ['已缴', { show: false }],
    ['核销', { show: false }],
  ])
})

test('a few bars all have their names: broken at words where these fit, and anywhere else where they do not', () => {
  const bars = (width: number, categories: string[]) =>
    (
      axesOf(
        {
          kind: 'bar',
          label: ['额', 'Amount'],
          by: ['项目', 'Item'],
          categories,
          series: [{ name: ['额', 'Amount'], values: categories.map(() => 1) }],
        },
        { ...drawing, width },
      ).xAxis as { axisLabel: object }
    ).axisLabel
  const names = ['Receivable', 'Paid', 'Discount', 'Waived', 'In arrears', 'Refunded', 'To be paid']
  expect(bars(640, names)).toMatchObject({ interval: 0, hideOverlap: false, overflow: 'break', width: 76 })
  expect(bars(320, names)).toMatchObject({ interval: 0, overflow: 'breakAll', width: 30 })
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour))
  expect(bars(640, hours)).toMatchObject({ hideOverlap: true })
})
test('what has a colour in the world is drawn in it', () => {
  const series = [{ name: ['进场', 'Entries'] as const, values: [3, 1, 2] }]
  const drawn = shareOf(
    {
      kind: 'share',
      label: ['车牌', 'Plates'],
      by: ['颜色', 'Colour'],
      categories: ['绿', '黄', '未识别'],
      series,
      colors: ['#58c67e', '#f4b41a', undefined],
    },
    drawing,
  )
  expect(drawn.series[0]!.data.map(({ itemStyle }) => itemStyle.color)).toEqual(['#58c67e', '#f4b41a', '#0B8F8A'])
})

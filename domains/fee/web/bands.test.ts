import { describe, expect, test } from 'vitest'
import type { QuoteLineOf } from '../contract/quote.ts'
import { huesOf, isDayBand, stretchesOf, ticksBetween } from './bands.ts'

const aLine = (more: Partial<QuoteLineOf>): QuoteLineOf =>
  ({
    kind: 1,
    from: '2026-03-02T00:00:00.000Z',
    to: '2026-03-02T01:00:00.000Z',
    segment: '白天',
    segmentNo: 0,
    units: 1,
    unitMin: 60,
    unitFen: 100,
    unitE4: 10000,
    fullFen: 100,
    amountFen: 100,
    cappedBy: null,
    cappedFrom: null,
    ...more,
  }) as QuoteLineOf
const utc = (text: string) => Date.parse(`2026-03-${text}:00Z`)

describe('the bar of a stay', () => {
  test('a line is cut where its cap begins to hold', () => {
    const line = aLine({ cappedBy: 2, cappedFrom: '2026-03-02T00:20:00.000Z' as never })
    expect(stretchesOf([line]).map(({ from, to, look }) => [from, to, look])).toEqual([
      [utc('02T00:00'), utc('02T00:20'), 'charged'],
      [utc('02T00:20'), utc('02T01:00'), 'capped'],
    ])
  })
  test('lines that adjust the sum take no time', () => expect(stretchesOf([aLine({ kind: 10 })])).toEqual([]))
  test('a band has the hue of most of its time in the city, and keeps it', () => {
    const night = aLine({ segmentNo: 1, from: '2026-03-02T12:00:00.000Z' as never, to: '2026-03-03T00:00:00.000Z' as never }) // 20:00–08:00
    const second = aLine({ segmentNo: 2, from: '2026-03-02T04:00:00.000Z' as never, to: '2026-03-02T05:00:00.000Z' as never }) // noon
    expect([...huesOf([aLine({}), night, second, aLine({ segmentNo: -1 })])]).toEqual([
      [0, 'day'],
      [1, 'night'],
      [2, 'day-2'],
    ])
    expect([isDayBand(480, 1200), isDayBand(1200, 480), isDayBand(0, 1440)]).toEqual([true, false, true])
  })
  test('a band that is called by its clock has the hue of its clock, whichever part of it the stay meets', () => {
    const late = aLine({ segment: '08:00–20:00', from: '2026-03-02T11:00:00.000Z' as never, to: '2026-03-02T12:00:00.000Z' as never }) // 19:00–20:00
    const early = aLine({ segment: '20:00–08:00', segmentNo: 1, from: '2026-03-02T23:00:00.000Z' as never, to: '2026-03-03T00:00:00.000Z' as never }) // 7:00–8:00
    expect([...huesOf([late, early])]).toEqual([
      [0, 'day'],
      [1, 'night'],
    ])
  })
  test('ticks stand at round times of the city and never crowd', () => {
    const [start, end] = [utc('01T23:50'), utc('02T02:10')]
    expect(ticksBetween(start, end).map((at) => new Date(at).toISOString().slice(11, 16))).toEqual(['00:00', '00:30', '01:00', '01:30', '02:00'])
    for (const days of [1, 3, 30, 400]) expect(ticksBetween(start, start + days * 86_400_000).length).toBeLessThanOrEqual(10)
  })
})

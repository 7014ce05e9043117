import { describe, expect, test } from 'vitest'
import type { RuleVersionId } from '../contract/rule.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { compile } from './compiled.ts'
import { lint } from './lint.ts'
import { tariffOfPublished } from './published.ts'
import { quoteWith } from './quoting.ts'

/** A full 24 hours at a price of their own: the lines, the time an amount stays, and what the lint says where the fee falls. */

const hourly = (wholeDay: number, more: object = {}) =>
  tariffOfPublished({
    segments: [{ from: '00:00', to: '24:00', tiers: [{ toMin: null, unitMin: 60, price: 1 }] }],
    tierClock: 'stay',
    wholeDay,
    ...more,
  })
const at = (written: string) => `2026-03-${written}:00+08:00` as Instant
const quoted = (tariff: ReturnType<typeof hourly>, entry: string, exit: string, more: object = {}) =>
  quoteWith(compile(tariff), undefined, { id: 'v' as RuleVersionId, name: 'r', versionNo: 1 }, { entry: at(entry), at: at(exit), ...more })

describe('the lines', () => {
  test('days first, then the rest by units; they add up', () => {
    const { totalFen, lines } = quoted(hourly(10), '04T10:00', '06T11:30')
    expect(totalFen).toBe(2200)
    expect(lines).toMatchObject([
      {
        kind: 12,
        units: 2,
        unitMin: 1440,
        unitFen: 1000,
        amountFen: 2000,
        cappedBy: null,
        segment: null,
        from: '2026-03-04T02:00:00.000Z',
        to: '2026-03-06T02:00:00.000Z',
      },
      { kind: 1, units: 2, unitMin: 60, amountFen: 200 },
    ])
  })
  test('only the cap of the stay holds for a day', () => {
    const { totalFen, lines } = quoted({ ...hourly(30, { cycle: { type: 'rolling24h', caps: [8] } }), stayCapE4: 450_000 }, '04T10:00', '06T20:00')
    expect(totalFen).toBe(4500)
    expect(lines[0]).toMatchObject({ kind: 12, fullFen: 6000, amountFen: 4500, cappedBy: 3, cappedFrom: '2026-03-06T02:00:00.000Z' })
  })
  test('covered time breaks the 24 hours', () => {
    const covered = [{ from: at('04T20:00'), to: at('04T21:00') }]
    expect(quoted(hourly(10), '04T10:00', '05T11:00', { covered }).totalFen).toBe(2400)
  })
})

describe('an amount stays', () => {
  test('until the unit ends, also where the fee is lower later and then the same again', () => {
    // 10.00 after 9 h 30, and again after 27 h 30: a day of 6 and four hours.
    expect(quoted(hourly(6), '04T10:00', '04T19:30')).toMatchObject({ totalFen: 1000, validUntil: '2026-03-04T12:00:00.000Z' })
  })
  test('until the day is full, where the price of the day is below that of its hours', () => {
    expect(quoted(hourly(10), '04T10:00', '05T09:30')).toMatchObject({ totalFen: 2400, validUntil: '2026-03-05T01:59:59.000Z' })
  })
  test('over the end of the day, where its price is what the hours had come to', () => {
    expect(quoted(hourly(24), '04T10:00', '05T09:30')).toMatchObject({ totalFen: 2400, validUntil: '2026-03-05T02:00:00.000Z' })
  })
})

describe('the lint', () => {
  const said = (tariff: ReturnType<typeof hourly>) => lint(tariff).filter(({ code }) => code === 'wholeDay')
  test('says where the fee falls, and nothing where it does not', () => {
    expect(said(hourly(24))).toEqual([])
    expect(said(hourly(23.99))).toMatchObject([{ level: 'warning', en: expect.stringContaining('cost 24 but a full 24 hours only 23.99') }])
  })
  test('finds the entry between two hours, where a day meets 25 units of two bands', () => {
    const two = {
      segments: [
        { from: '08:00', to: '20:00', tiers: [{ toMin: null, unitMin: 60, price: 1 }] },
        { from: '20:00', to: '08:00', tiers: [{ toMin: null, unitMin: 60, price: 1 }] },
      ],
    }
    expect(said(tariffOfPublished({ ...two, wholeDay: 25 }))).toEqual([])
    expect(said(tariffOfPublished({ ...two, wholeDay: 24 }))).toMatchObject([{ en: expect.stringContaining('cost 25') }])
  })
  test('looks at every two kinds of day', () => {
    const kinds = {
      segments: [
        { from: '00:00', to: '24:00', days: 'workday', tiers: [{ toMin: null, unitMin: 60, price: 1 }] },
        { from: '00:00', to: '24:00', days: 'nonworkday', tiers: [{ toMin: null, unitMin: 60, price: 2 }] },
      ],
      tierClock: 'stay',
    }
    expect(said(tariffOfPublished({ ...kinds, wholeDay: 47 }))).toMatchObject([{ en: expect.stringContaining('cost 48') }])
    expect(said(tariffOfPublished({ ...kinds, wholeDay: 48 }))).toEqual([])
  })
  test('does not look through all of a rule with many bands or dates, and says that it may fall', () => {
    const dated = {
      segments: [
        { from: '00:00', to: '24:00', days: ['2026-05-01'], perEntry: 9 },
        { from: '00:00', to: '24:00', perEntry: 1 },
      ],
    }
    expect(said(tariffOfPublished({ ...dated, wholeDay: 9 }))).toMatchObject([{ level: 'warning', en: expect.stringContaining('may cost less') }])
  })
  test('refuses it beside a table of lengths', () => {
    expect(
      said(
        tariffOfPublished({
          table: [
            { toMin: 60, price: 1 },
            { toMin: 120, price: 2 },
          ],
          wholeDay: 9,
        }),
      ),
    ).toMatchObject([{ level: 'error' }])
  })
})

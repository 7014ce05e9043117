import { describe, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import type { RuleVersionId } from '../contract/rule.ts'
import { EVERY_DAY, HOLIDAY, type Tariff, WEEKEND, WORKDAY } from '../contract/tariff.ts'
import { TariffSchema } from '../contract/tariffSchema.ts'
import { calendarOf, compile } from './compiled.ts'
import { imported } from './import.ts'
import { lint } from './lint.ts'
import { BadTariff, tariffOfPublished } from './published.ts'
import { quoteWith } from './quoting.ts'
import { schemaCheck } from './schemaCheck.ts'

/** Of one stay, each calendar day by the rule of its own kind. 2026-03-06 is a Friday; 2026-05-01 is a holiday. */

const calendar = calendarOf({ holidays: ['2026-05-01'], workdays: ['2026-03-14'] })
const at = (written: string) => `2026-${written}:00+08:00` as Instant
const quoted = (tariff: Tariff, entry: string, exit: string) =>
  quoteWith(compile(tariff), calendar, { id: 'v' as RuleVersionId, name: 'r', versionNo: 1 }, { entry: at(entry), at: at(exit) })
const fenOf = (...asked: Parameters<typeof quoted>) => {
  const { totalFen, lines } = quoted(...asked)
  expect(lines.reduce((sum, { amountFen }) => sum + amountFen, 0)).toBe(totalFen)
  return totalFen
}

const daytime = (hour: number) => ({
  from: '08:00',
  to: '20:00',
  tiers: [
    { toMin: 60, unitMin: 60, price: hour },
    { toMin: null, unitMin: 30, price: hour / 2 },
  ],
})
const night = { from: '20:00', to: '08:00', perEntry: 5 }
/** As a scenic district publishes it: rules by name, and one that says which holds when. */
const document = {
  rules: {
    longHoliday: { segments: [daytime(30), night] },
    weekend: { segments: [daytime(20), night] },
    ordinary: { segments: [daytime(10), night] },
    small: {
      days: [
        { on: ['2026-05-01', '2026-05-02'], rule: 'longHoliday' },
        { on: 'nonworkday', rule: 'weekend' },
        { on: 'workday', rule: 'ordinary' },
      ],
    },
  },
}
const small = imported(document, { rule: 'small' })[0]!.tariff
const allDay = (price: number) => [{ from: '00:00', to: '24:00', tiers: [{ toMin: null, unitMin: 60, price }] }]

describe('each day of a stay by the rule of its own kind', () => {
  test.each([
    ['a workday', '03-06 10:00', '03-06 12:15', 2500],
    ['a Saturday', '03-07 10:00', '03-07 12:15', 5000],
    ['a Saturday that is worked', '03-14 10:00', '03-14 12:15', 2500],
    ['a date that is named stands before its kind', '05-01 10:00', '05-01 12:15', 7500],
    ['the night from Friday to Saturday is one, alike in both rules', '03-06 19:00', '03-07 09:00', 1000 + 500 + 2000],
    ['the night into a named date too', '04-30 19:00', '05-01 09:00', 1000 + 500 + 3000],
    ['from Friday to Monday', '03-06 19:00', '03-09 09:00', 1000 + 500 + 24_000 - 1000 + 1000 + 500 + 24_000 + 500 + 1000],
  ])('%s', (_name, entry, exit, fen) => expect(fenOf(small, entry, exit)).toBe(fen))

  test('a band over midnight that differs ends there', () => {
    const two = tariffOfPublished({
      days: [
        { on: 'nonworkday', segments: [daytime(20), { ...night, perEntry: 8 }] },
        { on: 'workday', segments: [daytime(10), night] },
      ],
    })
    expect(fenOf(two, '03-06 21:00', '03-07 07:00')).toBe(500 + 800)
  })

  test('each kind has its own cap of a calendar day, and the lines say so', () => {
    const capped = tariffOfPublished({
      days: [
        { on: 'nonworkday', segments: allDay(5), cap: 30 },
        { on: 'workday', segments: allDay(3), cap: 20 },
      ],
    })
    expect(fenOf(capped, '03-06 00:00', '03-07 00:00')).toBe(2000)
    expect(fenOf(capped, '03-06 22:00', '03-07 12:00')).toBe(600 + 3000)
    expect(fenOf(capped, '03-05 00:00', '03-09 00:00')).toBe(2000 + 2000 + 3000 + 3000)
    expect(quoted(capped, '03-07 00:00', '03-08 00:00').lines).toMatchObject([
      { units: 24, fullFen: 12_000, amountFen: 3000, cappedBy: 2, cappedFrom: '2026-03-06T22:00:00.000Z' },
    ])
  })

  test('a full 24 hours at their own price come first, the rest by the day it falls on', () => {
    const whole = tariffOfPublished({
      wholeDay: 15,
      days: [
        { on: 'nonworkday', segments: allDay(5) },
        { on: 'workday', segments: allDay(3) },
      ],
    })
    expect(fenOf(whole, '03-06 10:00', '03-07 12:00')).toBe(1500 + 1000)
  })

  test('free minutes are the stay’s, once', () => {
    const free = tariffOfPublished({ free: { minutes: 30, mode: 'deduct' }, days: [{ on: 'all', segments: allDay(4) }] })
    expect(fenOf(free, '03-06 23:45', '03-07 01:15')).toBe(400)
  })
})

describe('the format', () => {
  const cap = (rule: object) => () => tariffOfPublished({ days: [rule] }, 'CNY', 'r', { beside: document.rules })
  test.each([
    ['both', () => tariffOfPublished({ segments: allDay(1), days: [{ on: 'all', segments: allDay(1) }] }), 'cannot be used together'],
    ['none', () => tariffOfPublished({ days: [] }), 'rule.days: is empty'],
    ['no such rule', cap({ on: 'all', rule: 'x' }), 'r.days[0].rule: no such rule: "x"'],
    ['a name of every object', cap({ on: 'all', rule: 'toString' }), 'no such rule'],
    ['a rule of rules', cap({ on: 'all', rule: 'small' }), 'days: is not a known field'],
    ['a rule and segments', cap({ on: 'all', rule: 'ordinary', segments: allDay(1) }), 'either segments or a rule'],
    ['days of a band', cap({ on: 'all', segments: [{ ...night, days: 'workday' }] }), 'segments[0].days: is not a known field'],
    ['no day', cap({ on: 'someday', segments: allDay(1) }), 'not a date'],
    [
      'an own counting of units',
      () => tariffOfPublished({ tierClock: 'stay', days: [{ on: 'all', rule: 'o' }] }, 'CNY', 'r', { beside: { o: { segments: allDay(1) } } }),
      'tierClock',
    ],
    [
      'a cap from entry',
      () =>
        tariffOfPublished({ days: [{ on: 'all', rule: 'o' }] }, 'CNY', 'r', {
          beside: { o: { segments: allDay(1), cycle: { type: 'rolling24h', caps: [3] } } },
        }),
      'a calendar-day cap',
    ],
  ])('%s is a mistake with its place', (_name, read, said) => expect(read).toThrow(said))
  test('mistakes are of the document', () => expect(cap({ on: 'all', rule: 'x' })).toThrow(BadTariff))

  test('a rule that is named brings its cap of the calendar day', () => {
    const beside = { o: { segments: allDay(3), cycle: { type: 'naturalDay', caps: [20] } } }
    expect(fenOf(tariffOfPublished({ days: [{ on: 'all', rule: 'o' }] }, 'CNY', 'r', { beside }), '03-06 00:00', '03-08 00:00')).toBe(4000)
  })

  test('what is read may be sent back as our own document', () => {
    expect(schemaCheck(TariffSchema)(small)).toBeUndefined()
    expect(imported(small, {})[0]!.tariff).toEqual(small)
  })
  test('hours and kinds of day that it says nothing of are free, and said so', () => {
    const [one] = imported({ days: [{ on: 'workday', segments: [daytime(10)] }] }, {})
    expect(one!.gaps).toEqual([
      { fromMin: 0, toMin: 1440, mask: WEEKEND | HOLIDAY },
      { fromMin: 1200, toMin: 480, mask: WORKDAY },
    ])
    expect(lint(one!.tariff)).toEqual([])
    expect(fenOf(one!.tariff, '03-06 19:00', '03-09 09:00')).toBe(2000)
  })
})

describe('the lint', () => {
  const one = (days: Tariff['days'], more: Partial<Tariff> = {}): Tariff => ({
    schema: 1,
    currency: 'CNY',
    seconds: 'count',
    clock: 'segment',
    bands: [],
    days: days!,
    ...more,
  })
  const band = { fromMin: 0, toMin: 1440, price: { by: 'visit', priceE4: 10_000 } } as const
  const codes = (tariff: Tariff) => lint(tariff).map(({ level, code }) => `${level} ${code}`)
  test('is content with days of every kind', () => expect(lint(small)).toEqual([]))
  test.each([
    ['a kind of day without a rule', one([{ days: { mask: WORKDAY }, bands: [band] }]), ['error gap']],
    [
      'an hour of a named date',
      one([
        { days: { dates: ['2026-05-01'] }, bands: [{ ...band, toMin: 600 }] },
        { days: { mask: EVERY_DAY }, bands: [band] },
      ]),
      ['error gap'],
    ],
    [
      'two bands of a day over one another',
      one([{ days: { mask: EVERY_DAY }, bands: [band, { ...band, fromMin: 60, toMin: 120 }] }]),
      ['error overlap'],
    ],
    ['a cap without calendar days', one([{ days: { mask: EVERY_DAY }, bands: [band], capE4: 5 }]), ['error days']],
    [
      'a cap beside that of every day',
      one([{ days: { mask: EVERY_DAY }, bands: [band], capE4: 5 }], { cycle: { kind: 'natural', capsE4: [9], edge: 'restart' } }),
      ['error days'],
    ],
    ['bands beside days', one([{ days: { mask: EVERY_DAY }, bands: [band] }], { bands: [{ ...band, days: { mask: EVERY_DAY } }] }), ['error days']],
    [
      'a rule that is never used',
      one([
        { days: { mask: EVERY_DAY }, bands: [band] },
        { days: { mask: WEEKEND }, bands: [band] },
      ]),
      ['warning unreached'],
    ],
  ])('names %s', (_name, tariff, found) => expect(codes(tariff)).toEqual(found))
})

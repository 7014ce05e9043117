import { plural } from '../../../platform/contract/plural.ts'
import type { LintOf } from '../contract/rule.ts'
import { type Band, bandsOf, type DayRule, type Days, EVERY_DAY, HOLIDAY, type Rate, type Tariff, WEEKEND, WORKDAY } from '../contract/tariff.ts'
import { type Gap, gapsOf } from './catalogue.ts'
import { civilOfInstant, clockText, dayNumber, DAY_SECONDS, yearOf } from './civil.ts'
import { compile, covers } from './compiled.ts'
import { type Around, type Near, withExamples } from './lintExamples.ts'
import { fractionOf } from './rate.ts'
import { unreachedSteps } from './unreached.ts'
import { dearerThanWholeDay } from './wholeDay.ts'

/** A finding, with the stays that show it. */
type Found = Omit<LintOf, 'examples'> & { near: readonly Near[] }
const said = (level: 'error' | 'warning', code: string, zh: string, en: string, minute: number | null = null, near: readonly Near[] = []): Found => ({
  level,
  code,
  minute,
  zh,
  en,
  near,
})
const wrong = (code: string, zh: string, en: string, minute: number | null = null, near: readonly Near[] = []) =>
  said('error', code, zh, en, minute, near)

/**
 * Returns faults that forbid publishing a tariff (`error`), and warnings (`warning`). A tariff without errors is compilable, its bands tile every day,
 * and its fee never falls as a stay grows, except where the warning `wholeDay` says so. `around` gives each finding stays that show it, and looks at what needs a calendar.
 */
export function lint(tariff: Tariff, around?: Around, most = FINDINGS_MAX): LintOf[] {
  return withExamples(tariff, atMost(all(tariff, around), most), around)
}
/** The most findings at once: a person who has mended so many checks again. */
export const FINDINGS_MAX = 50
function atMost(found: Found[], most: number): Found[] {
  if (found.length <= most) return found
  const inOrder = [...found.filter(({ level }) => level === 'error'), ...found.filter(({ level }) => level !== 'error')]
  const rest = inOrder.slice(most - 1)
  return [
    ...inOrder.slice(0, most - 1),
    said(
      rest[0]!.level as 'error' | 'warning',
      'more',
      `另有 ${rest.length} 项未列出，处理以上各项后再检查`,
      `${rest.length} more are not listed: put these right first, then check again`,
    ),
  ]
}
/** Looked at for as long as is useful, and not to its end. */
export const tooCostly = (): LintOf => {
  const { near: _, ...one } = wrong(
    'costly',
    '规则过大，未能在限定时间内检查完：请减少时段或阶梯',
    'The rule is too large to be checked in time: use fewer bands or steps',
  )
  return { ...one, examples: [] }
}
function all(tariff: Tariff, around: Around | undefined): Found[] {
  const found = [...currency(tariff), ...prices(tariff), ...tiers(tariff), ...table(tariff)]
  if (found.some(({ code }) => code === 'scale')) return found
  const over = tariff.days ? tariff.days.flatMap(({ bands }) => overlaps(onAnyDay(bands))) : overlaps(tariff.bands)
  return [
    ...found,
    ...gapsOf(tariff).map(uncovered),
    ...over,
    ...byDay(tariff),
    ...wholeDay(tariff),
    ...never(tariff),
    ...(around ? [...unreached(tariff, around), ...holidays(tariff, around)] : []),
  ]
}
const onAnyDay = (bands: DayRule['bands']): Band[] => bands.map((band) => ({ ...band, days: { mask: EVERY_DAY } }))

const KINDS: readonly (readonly [kind: number, zh: string, en: string])[] = [
  [WORKDAY, '工作日', 'workdays'],
  [WEEKEND, '周末', 'weekends'],
  [HOLIDAY, '节假日', 'holidays'],
]
const daysText = (mask: number, language: 1 | 2) => {
  if (mask === 7) return language === 1 ? '每天' : 'every day'
  const names = KINDS.filter(([kind]) => mask & kind).map((kind) => kind[language])
  return language === 1 ? names.join('、') : `on ${names.join(' and ')}`
}

const uncovered = ({ fromMin, toMin, mask }: Gap) => {
  const span = `${clockText(fromMin)}–${clockText(toMin)}`
  return wrong(
    'gap',
    `${daysText(mask, 1)} ${span} 没有任何时段覆盖（从 ${clockText(fromMin)} 起）`,
    `No band covers ${span} ${daysText(mask, 2)}, from ${clockText(fromMin)} on`,
    fromMin,
    [
      { on: { mask }, fromMin: fromMin - 60, minutes: 60 },
      { on: { mask }, fromMin: fromMin - 60, minutes: 120 },
      { on: { mask }, fromMin, minutes: toMin > fromMin ? toMin - fromMin : toMin + 1440 - fromMin },
    ],
  )
}

/** Bands are tried in order, so an overlap prices by the first; a person who draws two did not mean that. */
function overlaps(bands: Band[]): Found[] {
  const found: Found[] = []
  for (const [i, band] of bands.entries())
    for (let n = i + 1; n < bands.length; n++) {
      if (found.length > FINDINGS_MAX) return found
      const minute = share(band, bands[n]!) ? meetAt(band, bands[n]!) : undefined
      if (minute !== undefined) found.push(overlap(band.days, minute))
    }
  return found
}
const meetAt = (band: Band, other: Band): number | undefined =>
  [band.fromMin % 1440, other.fromMin % 1440].find((one) => covers(band, one) && covers(other, one))
const overlap = (on: Days, minute: number): Found =>
  wrong('overlap', `${clockText(minute)} 起有两个时段重叠`, `Two bands overlap from ${clockText(minute)} on`, minute, [
    { on, fromMin: minute - 60, minutes: 60 },
    { on, fromMin: minute, minutes: 60 },
    { on, fromMin: minute - 60, minutes: 120 },
  ])
/** Dates and weekdays stand before what holds in general: they are exceptions, no overlaps. */
const share = ({ days: a }: Band, { days: b }: Band) => 'mask' in a && 'mask' in b && (a.mask & b.mask) !== 0

/** Checks rules by calendar day: whole days, a cap where days are calendar days, and days that no rule before them has taken. */
function byDay(tariff: Tariff): Found[] {
  const { days, cycle, table: rows } = tariff
  if (!days) return []
  const found: Found[] = []
  if (rows || tariff.bands.length > 0)
    found.push(wrong('days', '按日选用的规则与时段或时长表不能同时使用', 'Rules by day cannot be combined with bands or a length table'))
  if (days.some(({ capE4 }) => capE4 !== undefined) && (cycle?.kind !== 'natural' || cycle.capsE4.length > 0))
    found.push(
      wrong(
        'days',
        '各类日期的封顶只用于自然日计费，且不与每日封顶并用',
        'Caps by type of day need calendar days and cannot be combined with a daily cap',
      ),
    )
  let taken = 0
  days.forEach(({ days: on, bands }, i) => {
    if (!('mask' in on)) return found.push(...gapsOf({ ...tariff, days: [{ days: { mask: EVERY_DAY }, bands }] }).map(uncovered))
    if ((on.mask & ~taken) === 0)
      found.push(
        said(
          'warning',
          'unreached',
          `第 ${i + 1} 条按日规则的日期都已属于前面的规则`,
          `Rule ${i + 1} by day is never used: its days belong to earlier rules`,
          null,
          hours(on),
        ),
      )
    taken |= on.mask
  })
  return found
}

const currency = (tariff: Tariff) =>
  tariff.currency === 'CNY'
    ? []
    : [
        wrong(
          'currency',
          `本平台以人民币收费，规则币种为 ${tariff.currency}`,
          `This platform charges in CNY, but the rule is in ${tariff.currency}`,
          null,
          hours(),
        ),
      ]

/** An hour in the morning, half a day, a whole one. */
const hours = (on?: Days): Near[] => [60, 720, 1440].map((minutes) => ({ ...(on && { on }), fromMin: 600, minutes }))

function prices(tariff: Tariff): Found[] {
  const found: Found[] = []
  if (tariff.free && tariff.free.minutes >= 1440) found.push(wrong('freeMin', '免费时长须小于 1440 分钟', 'Free time must be less than 1440 minutes'))
  const bands = bandsOf(tariff)
  if (bands.length === 0 && !tariff.table) found.push(wrong('empty', '没有任何时段', 'There are no bands'))
  const all: (Rate | undefined)[] = [
    tariff.stayCapE4,
    tariff.wholeDayE4,
    ...(tariff.cycle?.capsE4 ?? []),
    ...bands.map(({ capE4 }) => capE4),
    ...(tariff.days ?? []).map(({ capE4 }) => capE4),
  ]
  if (all.some((rate) => rate !== undefined && !(fractionOf(rate)[0] >= 0 && fractionOf(rate)[1] >= 1)))
    found.push(wrong('cap', '封顶金额不能为负', 'A cap cannot be negative'))
  if (bands.some(({ price }) => price.by === 'unit' && (price.unitMin < 1 || (price.first && price.first.min < 1))))
    found.push(wrong('unit', '计费单元至少 1 分钟', 'A unit must be at least one minute'))
  try {
    compile(tariff)
  } catch {
    found.push(wrong('scale', '价格过细，无法精确计算', 'The prices are too fine to be calculated exactly'))
  }
  return found
}

function tiers(tariff: Tariff): Found[] {
  const found: Found[] = []
  for (const { price, fromMin, days } of bandsOf(tariff)) {
    if (price.by !== 'tiers') continue
    price.tiers.forEach(({ toMin }, i) => {
      const isLast = i === price.tiers.length - 1
      const before = price.tiers[i - 1]?.toMin ?? 0
      if (isLast ? toMin !== null : toMin === null || toMin <= before)
        found.push(
          wrong(
            'tiers',
            '阶梯时长须递增，且最后一档不限时长',
            'Steps must increase in length, and the last one must be open-ended',
            fromMin,
            [0, 60].map((more) => ({ on: days, fromMin, minutes: before + 60 + more })),
          ),
        )
    })
    if (price.rounding === 'floor' && tariff.clock !== 'segment')
      found.push(
        said(
          'warning',
          'floor',
          '不足单元不计费，且单元跨时段：按单元结束时所在时段收费',
          'Incomplete units are free and units cross bands: each unit is billed by the band in which it ends',
          fromMin,
          [-30, 0, 30].map((minutes) => ({ fromMin: fromMin - 60, minutes: 60 + minutes })),
        ),
      )
  }
  return found
}

const table = ({ table: rows = [] }: Tariff) =>
  rows.some(({ toMin, priceE4 }, i) => i > 0 && (toMin <= rows[i - 1]!.toMin || value(priceE4) < value(rows[i - 1]!.priceE4)))
    ? [wrong('table', '时长表须按时长递增且金额不下降', 'The length table must increase in length and never drop in price', null, fallsIn(rows))]
    : []
/** The first row that is out of order, and the one before it. */
function fallsIn(rows: NonNullable<Tariff['table']>): Near[] {
  const i = rows.findIndex(({ toMin, priceE4 }, at) => at > 0 && (toMin <= rows[at - 1]!.toMin || value(priceE4) < value(rows[at - 1]!.priceE4)))
  return rows.slice(i - 1, i + 1).map(({ toMin }) => ({ fromMin: 600, minutes: toMin }))
}
const value = (rate: Rate) => fractionOf(rate)[0] / fractionOf(rate)[1]

/** A price for a full 24 hours is no cap: a shorter stay may cost more, and then the fee falls when they are full. */
function wholeDay(tariff: Tariff): Found[] {
  const { wholeDayE4 } = tariff
  if (wholeDayE4 === undefined) return []
  if (tariff.table)
    return [
      wrong(
        'wholeDay',
        '时长表已定满 24 小时的价格，请去掉其中一项',
        'The length table already sets the price of a full 24 hours: remove one of the two',
      ),
    ]
  const dearer = dearerThanWholeDay(tariff)
  if (!dearer) return []
  if (dearer === 'unsure')
    return [
      said(
        'warning',
        'wholeDay',
        '满 24 小时的价格可能低于不足 24 小时的费用：停满后费用可能下降，请试算核对',
        'A full 24 hours may cost less than a shorter stay, so the fee may drop once 24 hours are reached: check with a trial',
        null,
        fullDay(600),
      ),
    ]
  const at = clockText(dearer.entryMin)
  const [day, short] = [yuanText(value(wholeDayE4) / 10_000), yuanText(dearer.costsE4 / 10_000)]
  return [
    said(
      'warning',
      'wholeDay',
      `${at} 入场停近 24 小时须 ${short} 元，停满 24 小时只须 ${day} 元：费用会下降`,
      `From ${at}, just under 24 hours cost ${short} but a full 24 hours only ${day}: the fee drops`,
      dearer.entryMin,
      fullDay(dearer.entryMin),
    ),
  ]
}
/** Just before 24 hours are full, when they are, and an hour later. */
const fullDay = (fromMin: number): Near[] => [1439, 1440, 1500].map((minutes) => ({ fromMin, minutes }))
const yuanText = (yuan: number) => String(Number(yuan.toFixed(4)))

function never(tariff: Tariff): Found[] {
  const bands = bandsOf(tariff)
  const free = bands.every(({ price }) => price.by === 'free') && !tariff.table
  return free && bands.length > 0 ? [said('warning', 'free', '此规则永不收费', 'This rule never bills anything', null, hours())] : []
}

/** Steps that nobody ever pays: the band is over by then, or a cap is reached. */
const unreached = (tariff: Tariff, around: Around): Found[] =>
  unreachedSteps(tariff, around).map(({ band, step, tier, fromMin, bandMin }) => {
    const span = `${clockText(band.fromMin)}–${clockText(band.toMin)}`
    const [zh, en] =
      bandMin === null
        ? ['之前已到封顶或周期已满', 'a cap or the end of the cycle comes first']
        : [`时段只有 ${bandMin} 分钟`, `the band lasts only ${bandMin} ${plural(bandMin, 'minute')}`]
    const lengths = [bandMin ?? fromMin, fromMin + tier.unitMin, fromMin + 2 * tier.unitMin]
    return said(
      'warning',
      'step',
      `${span} 的第 ${step} 档（停满 ${fromMin} 分钟起）永远收不到：${zh}`,
      `Step ${step} of ${span} (from ${fromMin} ${plural(fromMin, 'minute')} on) is never billed: ${en}`,
      band.fromMin,
      lengths.map((minutes) => ({ on: band.days, fromMin: band.fromMin, minutes })),
    )
  })

/** A missing year is a warning this long ahead: a year's holidays are published in the November before. */
const AHEAD_MS = 60 * DAY_SECONDS * 1000
/** Where kinds of day matter, each year in which the rule charges needs its holidays; without them it goes by weekdays alone. */
function holidays(tariff: Tariff, { at, from, to, calendar }: Around): Found[] {
  const { clockOf, capOf } = compile(tariff)
  if ((!clockOf && !capOf) || !calendar.years || !byKind(tariff)) return []
  const begins = Math.max(Date.parse(at), from ? Date.parse(from) : 0)
  const ends = Math.min(begins + AHEAD_MS, to ? Date.parse(to) - 1 : Infinity)
  const yearAt = (ms: number) => yearOf(civilOfInstant(new Date(ms).toISOString()))
  const found: Found[] = []
  for (let year = yearAt(begins); ends >= begins && year <= yearAt(ends); year++) {
    if (calendar.years.has(year)) continue
    const near = ['01-01', '05-01', '10-01'].map((date) => ({ on: { day: dayNumber(`${year}-${date}`) }, fromMin: 600, minutes: 240 }))
    found.push(
      said(
        'warning',
        'holidays',
        `${year} 年的节假日还没有录入，届时只按星期计费：请在节假日日历中录入`,
        `The holidays of ${year} are not entered yet, so its days are billed by weekday only: enter them in the holiday calendar`,
        null,
        near,
      ),
    )
  }
  return found
}
/** Does a workday differ from a holiday at all? Weekdays and dates are what they are without any calendar. */
const byKind = ({ bands, days }: Tariff) => [...bands, ...(days ?? [])].some(({ days: on }) => 'mask' in on && on.mask !== EVERY_DAY)

import type { LintOf } from '../contract/rule.ts'
import { type Band, bandsOf, type DayRule, EVERY_DAY, HOLIDAY, type Rate, type Tariff, WEEKEND, WORKDAY } from '../contract/tariff.ts'
import { type Gap, gapsOf } from './catalogue.ts'
import { compile, covers } from './compiled.ts'
import { fractionOf } from './rate.ts'
import { dearerThanWholeDay } from './wholeDay.ts'

export type Found = LintOf
const said = (level: 'error' | 'warning', code: string, zh: string, en: string, minute: number | null = null): Found => ({
  level,
  code,
  minute,
  zh,
  en,
})
export const wrong = (code: string, zh: string, en: string, minute: number | null = null) => said('error', code, zh, en, minute)

/**
 * What stands against publishing a tariff (`error`), and what one should know (`warning`). A tariff without errors is compilable, its bands tile every day,
 * and its fee never falls as a stay grows, but where the warning `wholeDay` says so.
 */
export function lint(tariff: Tariff): Found[] {
  const found = [...currency(tariff), ...prices(tariff), ...tiers(tariff), ...table(tariff)]
  if (found.some(({ code }) => code === 'scale')) return found
  const over = tariff.days ? tariff.days.flatMap(({ bands }) => overlaps(onAnyDay(bands))) : overlaps(tariff.bands)
  return [...found, ...gapsOf(tariff).map(uncovered), ...over, ...byDay(tariff), ...wholeDay(tariff), ...never(tariff)]
}
const onAnyDay = (bands: DayRule['bands']): Band[] => bands.map((band) => ({ ...band, days: { mask: EVERY_DAY } }))

export const clockText = (minutes: number) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
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
    `No segment covers ${span} ${daysText(mask, 2)}, from ${clockText(fromMin)} on`,
    fromMin,
  )
}

/** Bands are tried in order, so an overlap prices by the first; a person who draws two did not mean that. */
function overlaps(bands: Band[]): Found[] {
  return bands.flatMap((band, i) =>
    bands.slice(i + 1).flatMap((other) => {
      if (!share(band, other)) return []
      const minute = [band.fromMin % 1440, other.fromMin % 1440].find((one) => covers(band, one) && covers(other, one))
      if (minute === undefined) return []
      return [wrong('overlap', `${clockText(minute)} 起有两个时段重叠`, `Two segments overlap from ${clockText(minute)} on`, minute)]
    }),
  )
}
/** Dates and weekdays stand before what holds in general: they are exceptions, no overlaps. */
const share = ({ days: a }: Band, { days: b }: Band) => 'mask' in a && 'mask' in b && (a.mask & b.mask) !== 0

/** What rules by calendar day must hold: whole days, a cap where days are calendar days, and days that no rule before them has taken. */
function byDay(tariff: Tariff): Found[] {
  const { days, cycle, table: rows } = tariff
  if (!days) return []
  const found: Found[] = []
  if (rows || tariff.bands.length > 0)
    found.push(wrong('days', '按日选用的规则与时段或时长表不能同时使用', 'Rules by day stand in the place of bands and of a table'))
  if (days.some(({ capE4 }) => capE4 !== undefined) && (cycle?.kind !== 'natural' || cycle.capsE4.length > 0))
    found.push(
      wrong('days', '各类日期的封顶只用于自然日计费，且不与每日封顶并用', 'Caps by kind of day ask for calendar days without a cap of their own'),
    )
  let taken = 0
  days.forEach(({ days: on, bands }, i) => {
    if (!('mask' in on)) return found.push(...gapsOf({ ...tariff, days: [{ days: { mask: EVERY_DAY }, bands }] }).map(uncovered))
    if ((on.mask & ~taken) === 0) found.push(said('warning', 'unreached', `第 ${i + 1} 条按日规则的日期都已属于前面的规则`, `Rule ${i + 1} by day is never used: those before it have its days`)) // prettier-ignore
    taken |= on.mask
  })
  return found
}

const currency = (tariff: Tariff) =>
  tariff.currency === 'CNY'
    ? []
    : [wrong('currency', `本平台以人民币收费，规则币种为 ${tariff.currency}`, `This platform collects CNY; the rule is in ${tariff.currency}`)]

function prices(tariff: Tariff): Found[] {
  const found: Found[] = []
  if (tariff.free && tariff.free.minutes >= 1440) found.push(wrong('freeMin', '免费时长须小于1440分钟', 'Free minutes must be fewer than 1440'))
  const bands = bandsOf(tariff)
  if (bands.length === 0 && !tariff.table) found.push(wrong('empty', '没有任何时段', 'It has no segment'))
  const all: (Rate | undefined)[] = [tariff.stayCapE4, tariff.wholeDayE4, ...(tariff.cycle?.capsE4 ?? []), ...bands.map(({ capE4 }) => capE4), ...(tariff.days ?? []).map(({ capE4 }) => capE4)] // prettier-ignore
  if (all.some((rate) => rate !== undefined && !(fractionOf(rate)[0] >= 0 && fractionOf(rate)[1] >= 1)))
    found.push(wrong('cap', '封顶金额不能为负', 'A cap cannot be below zero'))
  if (bands.some(({ price }) => price.by === 'unit' && (price.unitMin < 1 || (price.first && price.first.min < 1))))
    found.push(wrong('unit', '计费单元至少1分钟', 'A unit is at least one minute'))
  try {
    compile(tariff)
  } catch {
    found.push(wrong('scale', '价格过细，无法精确计算', 'Its prices are too fine to be worked out exactly'))
  }
  return found
}

function tiers(tariff: Tariff): Found[] {
  const found: Found[] = []
  for (const { price, fromMin } of bandsOf(tariff)) {
    if (price.by !== 'tiers') continue
    price.tiers.forEach(({ toMin }, i) => {
      const isLast = i === price.tiers.length - 1
      const before = price.tiers[i - 1]?.toMin ?? 0
      if (isLast ? toMin !== null : toMin === null || toMin <= before)
        found.push(wrong('tiers', '阶梯时长须递增，且最后一档不限时长', 'Steps must ascend, and the last one must be open', fromMin))
    })
    if (price.rounding === 'floor' && tariff.clock !== 'segment')
      found.push(
        said(
          'warning',
          'floor',
          '不足单元不计费，且单元跨时段：按单元结束时所在时段收费',
          'Full units that run over bands are charged where they end',
          fromMin,
        ),
      )
  }
  return found
}

const table = ({ table: rows = [] }: Tariff) =>
  rows.some(({ toMin, priceE4 }, i) => i > 0 && (toMin <= rows[i - 1]!.toMin || value(priceE4) < value(rows[i - 1]!.priceE4)))
    ? [wrong('table', '时长表须按时长递增且金额不下降', 'The table must ascend in length and never fall in price')]
    : []
const value = (rate: Rate) => fractionOf(rate)[0] / fractionOf(rate)[1]

/** A price for a full 24 hours is no cap: a shorter stay may cost more, and then the fee falls when they are full. */
function wholeDay(tariff: Tariff): Found[] {
  const { wholeDayE4 } = tariff
  if (wholeDayE4 === undefined) return []
  if (tariff.table)
    return [wrong('wholeDay', '时长表已定满24小时的价格，请去掉其中一项', 'The table says what 24 hours cost already; take one of the two out')]
  const dearer = dearerThanWholeDay(tariff)
  if (!dearer) return []
  if (dearer === 'unsure')
    return [
      said(
        'warning',
        'wholeDay',
        '满24小时的价格可能低于不足24小时的费用：停满后费用可能下降，请试算核对',
        'A full 24 hours may cost less than a shorter stay, so that the fee falls when they are full; try some stays',
      ),
    ]
  const at = clockText(dearer.entryMin)
  const [day, short] = [yuanText(value(wholeDayE4) / 10_000), yuanText(dearer.costsE4 / 10_000)]
  return [
    said(
      'warning',
      'wholeDay',
      `${at} 入场停近24小时须 ${short} 元，停满24小时只须 ${day} 元：费用会下降`,
      `From ${at} on just below 24 hours cost ${short}, a full 24 only ${day}: the fee falls there`,
      dearer.entryMin,
    ),
  ]
}
const yuanText = (yuan: number) => String(Number(yuan.toFixed(4)))

function never(tariff: Tariff): Found[] {
  const bands = bandsOf(tariff)
  const free = bands.every(({ price }) => price.by === 'free') && !tariff.table
  return free && bands.length > 0 ? [said('warning', 'free', '此规则永不收费', 'This rule never charges anything')] : []
}

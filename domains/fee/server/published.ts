import {
  type Band,
  type Cycle,
  type DayRule,
  type Days,
  EVERY_DAY,
  HOLIDAY,
  type HolidayTable,
  type Rate,
  type Tariff,
  type Tier,
  WEEKEND,
  WORKDAY,
} from '../contract/tariff.ts'
import { civilOf } from './civil.ts'
import { rateOf, rational } from './rate.ts'

/** The fault of a document and its place: `zone1.segments[0].from: no time of day: 25:00`. */
export class BadTariff extends Error {
  readonly where: string
  readonly texts: readonly [zh: string, en: string]
  constructor(where: string, zh: string, en: string) {
    super(`${where}: ${en}`)
    this.where = where
    this.texts = [`${where}：${zh}`, `${where}: ${en}`]
  }
}

/**
 * A rule written as cities' tariffs are published (`segments` with `tiers`, `perEntry`, `cap`; `tierClock`; `cycle`; `wholeDay`; `free`; `table`; `factor`; `round`), or
 * with a rule for each kind of calendar day (`days`, in the place of `segments`), each its own or that of `beside` which it names.
 * Throws BadTariff with the place of the first mistake. A name that is not known is a mistake too: it might have meant money.
 */
export function tariffOfPublished(written: unknown, currency = 'CNY', where = 'rule', { more = [], beside = {} }: Around = {}): Tariff {
  const rule = objectAt(written, where, ['free', 'segments', 'tierClock', 'cycle', 'days', 'wholeDay', 'table', 'factor', 'round', ...more])
  if (!rule['segments'] && !rule['table'] && !rule['days'])
    throw new BadTariff(where, '没有 segments、days 或 table', 'neither segments, days nor a table')
  if (rule['days'] && (rule['segments'] || rule['table']))
    throw new BadTariff(`${where}.days`, '不能与 segments 或 table 同时使用', 'cannot be used together with segments or a table')
  const days = rule['days'] === undefined ? undefined : dayRulesOf(rule['days'], rule['tierClock'], `${where}.days`, beside)
  const cycle = cycleOf(rule['cycle'], `${where}.cycle`) ?? (days?.some(({ capE4 }) => capE4 !== undefined) ? CALENDAR_DAYS : undefined)
  return {
    schema: 1,
    currency,
    seconds: 'count',
    ...(rule['free'] !== undefined && { free: freeOf(rule['free'], `${where}.free`) }),
    bands:
      rule['segments'] === undefined ? [] : listAt(rule['segments'], `${where}.segments`).map((one, i) => bandOf(one, `${where}.segments[${i}]`)),
    clock: oneOf(rule['tierClock'] ?? 'segment', ['segment', 'cycle', 'stay'] as const, `${where}.tierClock`),
    ...(days && { days }),
    ...(cycle && { cycle }),
    ...(rule['wholeDay'] !== undefined && { wholeDayE4: priceAt(rule['wholeDay'], `${where}.wholeDay`) }),
    ...(rule['table'] !== undefined && { table: tableOf(rule['table'], `${where}.table`) }),
    ...(rule['factor'] !== undefined && { factor: factorOf(rule['factor'], `${where}.factor`) }),
    ...(rule['round'] !== undefined && { round: oneOf(rule['round'], ['halfUpUnit', 'downCent'] as const, `${where}.round`) }),
  }
}

interface Around {
  /** Names that the rule may have too. */
  more?: readonly string[]
  /** The other rules of the document, as written. */
  beside?: Record<string, unknown>
}
/** Days whose caps stand with their rules. */
const CALENDAR_DAYS: Cycle = { kind: 'natural', capsE4: [], edge: 'restart' }

/** `{ "on": "weekend", "segments": […], "cap": 20 }`, or `"rule": "ordinary"` for one that stands beside it: its segments, and its cap of a calendar day. */
function dayRulesOf(written: unknown, tierClock: unknown, where: string, beside: Record<string, unknown>): DayRule[] {
  const rules = listAt(written, where).map((one, i): DayRule => {
    const at = `${where}[${i}]`
    const { name, on, cap, ...said } = objectAt(one, at, ['on', 'rule', 'segments', 'cap'])
    if ((said['rule'] === undefined) === (said['segments'] === undefined))
      throw new BadTariff(at, '须有 segments 或 rule 其中之一', 'needs either segments or a rule')
    const of = said['rule'] === undefined ? { segments: said['segments'] } : besideOf(beside, said['rule'], tierClock, `${at}.rule`)
    const capE4 = cap ?? of.cap
    const bands = listAt(of.segments, `${at}.segments`).map((band, k) => bandOf(band, `${at}.segments[${k}]`, ['days']))
    if (bands.length === 0) throw new BadTariff(`${at}.segments`, '为空', 'is empty')
    return {
      ...(name !== undefined && { name: String(name).slice(0, 64) }),
      days: daysOf(on, `${at}.on`),
      bands: bands.map(({ days: _, ...band }) => band),
      ...(capE4 !== undefined && capE4 !== null && { capE4: priceAt(capE4, `${at}.cap`) }),
    }
  })
  if (rules.length === 0) throw new BadTariff(where, '为空', 'is empty')
  return rules
}
/** Returns what a named rule says of a day; the rule that names it says everything about stays. */
function besideOf(beside: Record<string, unknown>, named: unknown, tierClock: unknown, where: string): { segments: unknown; cap?: unknown } {
  if (typeof named !== 'string' || named.startsWith('_') || !Object.hasOwn(beside, named))
    throw new BadTariff(where, `没有此规则：${shown(named)}`, `no such rule: ${shown(named)}`)
  const rule = objectAt(beside[named], where, ['segments', 'tierClock', 'cycle'])
  if ((rule['tierClock'] ?? 'segment') !== (tierClock ?? 'segment'))
    throw new BadTariff(where, '与本规则的 tierClock 不同', 'has a different tierClock')
  const cycle = cycleOf(rule['cycle'], `${where}.cycle`)
  if (cycle && (cycle.kind !== 'natural' || cycle.capsE4.length !== 1 || cycle.once))
    throw new BadTariff(`${where}.cycle`, '按日选用的规则只能有自然日封顶', 'a rule by day can only have a calendar-day cap')
  return { segments: rule['segments'], cap: cycle && (rule['cycle'] as { caps: unknown[] }).caps[0] }
}

/** The holidays and the weekend days worked that stand beside a tariff's rules under `_calendar`. */
export function holidaysOfPublished(written: unknown, where = '_calendar'): HolidayTable {
  const found = objectAt(written, where, ['holidays', 'workdays'])
  const dates = (name: string) => listAt(found[name] ?? [], `${where}.${name}`).map((date, i) => dateAt(date, `${where}.${name}[${i}]`))
  return { holidays: dates('holidays'), workdays: dates('workdays') }
}

function freeOf(written: unknown, where: string): NonNullable<Tariff['free']> {
  const free = objectAt(written, where, ['minutes', 'inclusive', 'mode'])
  return {
    minutes: minutesAt(free['minutes'], `${where}.minutes`, 0),
    inclusive: booleanAt(free['inclusive'] ?? true, `${where}.inclusive`),
    mode: oneOf(free['mode'] ?? 'grace', ['grace', 'deduct'] as const, `${where}.mode`),
  }
}

function cycleOf(written: unknown, where: string): Cycle | undefined {
  if (written === undefined || written === null || written === 'none') return undefined
  const cycle = objectAt(written, where, ['type', 'caps', 'once'])
  const type = oneOf(cycle['type'], ['rolling24h', 'naturalDay', 'none'] as const, `${where}.type`)
  if (type === 'none') return undefined
  return {
    kind: type === 'rolling24h' ? 'rolling' : 'natural',
    capsE4: listAt(cycle['caps'] ?? [], `${where}.caps`).map((cap, i) => priceAt(cap, `${where}.caps[${i}]`)),
    ...(cycle['once'] !== undefined && { once: booleanAt(cycle['once'], `${where}.once`) }),
    edge: 'restart',
  }
}

function bandOf(written: unknown, where: string, without: readonly string[] = []): Band {
  const known = ['from', 'to', 'days', 'tiers', 'perEntry', 'rounding', 'cap'].filter((name) => !without.includes(name))
  const segment = objectAt(written, where, known)
  const { perEntry, tiers } = segment
  if ((perEntry === undefined) === (tiers === undefined))
    throw new BadTariff(where, '须有 tiers 或 perEntry 其中之一', 'needs either tiers or perEntry')
  return {
    ...(segment['name'] !== undefined && { name: String(segment['name']).slice(0, 64) }),
    fromMin: clockAt(segment['from'], `${where}.from`),
    toMin: clockAt(segment['to'], `${where}.to`),
    days: daysOf(segment['days'] ?? 'all', `${where}.days`),
    price:
      perEntry !== undefined
        ? { by: 'visit', priceE4: priceAt(perEntry, `${where}.perEntry`) }
        : {
            by: 'tiers',
            tiers: tiersOf(tiers, `${where}.tiers`),
            rounding: oneOf(segment['rounding'] ?? 'ceil', ['ceil', 'floor', 'exact'] as const, `${where}.rounding`),
          },
    ...(segment['cap'] !== undefined && segment['cap'] !== null && { capE4: priceAt(segment['cap'], `${where}.cap`) }),
  }
}

function tiersOf(written: unknown, where: string): Tier[] {
  const tiers = listAt(written, where).map((one, i): Tier => {
    const at = `${where}[${i}]`
    const tier = objectAt(one, at, ['toMin', 'unitMin', 'price'])
    return {
      toMin: tier['toMin'] === null || tier['toMin'] === undefined ? null : minutesAt(tier['toMin'], `${at}.toMin`, 1),
      unitMin: minutesAt(tier['unitMin'], `${at}.unitMin`, 1),
      priceE4: priceAt(tier['price'], `${at}.price`),
    }
  })
  if (tiers.length === 0) throw new BadTariff(where, '为空', 'is empty')
  tiers.forEach(({ toMin }, i) => {
    const isLast = i === tiers.length - 1
    if (toMin === null && !isLast) throw new BadTariff(`${where}[${i}].toMin`, '只有最后一档可以不限', 'only the last tier may be open-ended')
    const before = tiers[i - 1]?.toMin ?? 0
    if (toMin !== null && toMin <= before) throw new BadTariff(`${where}[${i}].toMin`, '须大于上一档', 'must be greater than the previous tier')
  })
  const { toMin, ...open } = tiers.at(-1)!
  return toMin === null ? tiers : [...tiers, { toMin: null, ...open }]
}

function tableOf(written: unknown, where: string): NonNullable<Tariff['table']> {
  const rows = listAt(written, where).map((one, i) => {
    const row = objectAt(one, `${where}[${i}]`, ['toMin', 'price'])
    return { toMin: minutesAt(row['toMin'], `${where}[${i}].toMin`, 1), priceE4: priceAt(row['price'], `${where}[${i}].price`) }
  })
  if (rows.length === 0) throw new BadTariff(where, '为空', 'is empty')
  rows.forEach(({ toMin }, i) => {
    if (toMin <= (rows[i - 1]?.toMin ?? 0)) throw new BadTariff(`${where}[${i}].toMin`, '须大于上一行', 'must be greater than the previous row')
  })
  return rows
}

function factorOf(written: unknown, where: string) {
  const factor = typeof written === 'number' && written >= 0 ? rational(written) : undefined
  if (!factor) throw new BadTariff(where, `不是倍数：${shown(written)}`, `not a factor: ${shown(written)}`)
  return factor
}

const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const NAMED_DAYS: Record<string, number> = {
  all: EVERY_DAY,
  workday: WORKDAY,
  nonworkday: WEEKEND | HOLIDAY,
  weekend: WEEKEND,
  holiday: HOLIDAY,
}
/** `all`, `workday`, `nonworkday`; or a list of weekdays (1 Monday … 7, or their names) or of dates. */
function daysOf(written: unknown, where: string): Days {
  if (typeof written === 'string' && NAMED_DAYS[written] !== undefined) return { mask: NAMED_DAYS[written] }
  const list = Array.isArray(written) ? written : String(written).split(',')
  if (list.every((one) => NAMED_DAYS[String(one)] !== undefined)) return { mask: list.reduce((mask, one) => mask | NAMED_DAYS[String(one)]!, 0) }
  const weekdays = list.map((one) => (Number.isInteger(one) ? Number(one) : WEEKDAYS.indexOf(String(one).slice(0, 3).toLowerCase()) + 1))
  if (weekdays.every((one) => one >= 1 && one <= 7)) return { weekdays }
  return { dates: list.map((date, i) => dateAt(date, `${where}[${i}]`)) }
}

const CLOCK = /^(\d{1,2}):(\d{2})$/
function clockAt(written: unknown, where: string) {
  const [, hour, minute] = (typeof written === 'string' && CLOCK.exec(written)) || []
  const minutes = Number(hour) * 60 + Number(minute)
  if (hour === undefined || minutes > 1440 || Number(minute) > 59)
    throw new BadTariff(where, `不是时刻：${shown(written)}`, `not a time of day: ${shown(written)}`)
  return minutes
}
const MINUTES_MAX = 527_040 // a year
function minutesAt(written: unknown, where: string, least: number) {
  if (Number.isInteger(written) && (written as number) >= least && (written as number) <= MINUTES_MAX) return written as number
  throw new BadTariff(where, `不是分钟数：${shown(written)}`, `not a number of minutes: ${shown(written)}`)
}
/** In the currency's unit: more than any tariff asks, in any currency. */
const PRICE_MAX = 10_000_000
function priceAt(written: unknown, where: string): Rate {
  const found = typeof written === 'number' && written >= 0 && written <= PRICE_MAX ? rateOf(written) : undefined
  if (found === undefined) throw new BadTariff(where, `不是金额：${shown(written)}`, `not a price: ${shown(written)}`)
  return found
}
function booleanAt(written: unknown, where: string) {
  if (typeof written === 'boolean') return written
  throw new BadTariff(where, `须为 true 或 false：${shown(written)}`, `must be true or false: ${shown(written)}`)
}
function dateAt(written: unknown, where: string) {
  if (typeof written === 'string' && written.length === 10 && civilOf(written) !== undefined) return written
  throw new BadTariff(where, `不是日期：${shown(written)}`, `not a date: ${shown(written)}`)
}
function oneOf<const T extends string>(written: unknown, allowed: readonly T[], where: string): T {
  if (allowed.includes(written as T)) return written as T
  throw new BadTariff(where, `须为 ${allowed.join('、')} 之一：${shown(written)}`, `must be one of ${allowed.join(', ')}: ${shown(written)}`)
}
/** Words about a rule that no price depends on. */
const REMARKS = new Set(['id', 'name', 'title', 'note', 'notes', 'comment', 'remark', 'published', 'source', 'why', 'tags', 'certainty', 'basis'])
export function objectAt(written: unknown, where: string, known?: readonly string[]): Record<string, unknown> {
  if (typeof written !== 'object' || written === null || Array.isArray(written)) throw new BadTariff(where, '须为对象', 'must be an object')
  const stranger = known && Object.keys(written).find((name) => !known.includes(name) && !REMARKS.has(name) && !name.startsWith('_'))
  if (stranger !== undefined) throw new BadTariff(`${where}.${stranger}`, '不认识的字段', 'is not a known field')
  return written as Record<string, unknown>
}
/** More than any tariff has; a list beyond it is no tariff. */
const LIST_MAX = 2000
export function listAt(written: unknown, where: string): unknown[] {
  if (Array.isArray(written) && written.length <= LIST_MAX) return written
  throw new BadTariff(where, '须为列表', 'must be a list')
}
const shown = (written: unknown) => JSON.stringify(written)?.slice(0, 40) ?? 'missing'

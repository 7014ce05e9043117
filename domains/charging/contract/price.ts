import { type Of } from '../../../platform/contract/field.ts'
import { CITY_OFFSET_MS, DAY_MS, instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { type BillLine, type Offer, OfferKind, type Prices } from './session.ts'
import { type Period, PERIODS_MAX, RUNS_MAX } from './strategy.ts'

type PeriodOf = Of<typeof Period>
type OfferOf = Of<typeof Offer>
export type Line = Of<typeof BillLine>
/** What a register said at a moment. */
export interface Reading {
  atMs: number
  wh: number
}

/** Wh at a price in ten thousandths of a yuan per kWh, to the fen, half up. The only place where energy becomes money. */
export const fenOf = (wh: number, priceE4: number): number => Math.floor((wh * priceE4 + 50_000) / 100_000)

const HOUR_MS = 3_600_000
export const RATED_MOST = 1.1
/** Of rated power and time a meter may say a tenth more; and a minute more, since piles' times are rough. */
export const mostWh = (ratedW: number, spanMs: number) => Math.ceil((ratedW * (spanMs + MINUTE_MS) * RATED_MOST) / HOUR_MS)

/** A register as it was read: how far it has counted since the first reading. It can be kept and gone on with. */
export interface Register {
  firstMs: number
  /** The moment of the last reading, also of one that counted nothing. */
  heardMs: number
  /** The last reading that counted, as it was read. */
  before: Reading
  wh: number
  /** A reading since then that is more than the gun can have given by that moment. */
  doubted?: Reading | null
}
const begun = (first: Reading): Register => ({ firstMs: first.atMs, heardMs: first.atMs, before: first, wh: 0 })
/** Whether a register can have gone from one reading to the next. */
const follows = (before: Reading, next: Reading, ratedW: number) =>
  next.wh >= before.wh && next.wh - before.wh <= mostWh(ratedW, next.atMs - before.atMs)
/**
 * One reading more, later than the last. What is more than the gun can have given counts nothing, and the charge goes on without it; only where nothing but the first reading
 * was there, and the next one agrees with the doubted one, was it the first that was wrong: a nought that was sent before the meter was read is no baseline. A register
 * that begins again goes on from where it was; a reading that is merely lower is none, and then the answer has no readings.
 */
function readOn(register: Register, one: Reading, ratedW: number): { register: Register; readings: Reading[] } {
  const { before, doubted } = register
  const heard = { ...register, heardMs: one.atMs }
  const alone = before.atMs === register.firstMs
  if (alone && doubted && !follows(before, one, ratedW) && follows(doubted, one, ratedW)) {
    const wh = one.wh - doubted.wh
    return {
      register: { ...heard, before: one, wh, doubted: null },
      readings: [
        { atMs: doubted.atMs, wh: 0 },
        { atMs: one.atMs, wh },
      ],
    }
  }
  const more = one.wh - before.wh
  if (register.wh + more > mostWh(ratedW, one.atMs - register.firstMs)) return { register: { ...heard, doubted: one }, readings: [] }
  const begunAgain = more < 0 && one.wh <= mostWh(ratedW, one.atMs - before.atMs)
  if (more < 0 && !begunAgain) return { register: { ...heard, doubted: null }, readings: [] }
  const wh = register.wh + (begunAgain ? one.wh : more)
  return { register: { ...heard, before: one, wh, doubted: null }, readings: [{ atMs: one.atMs, wh }] }
}

/** A last reading that is lower by so much is a pile's rounding; by more it is of another register, and a person looks at it. */
const LOWER_WH = 1_000
interface Delivered {
  readings: Reading[]
  sane: boolean
  baseWh: number | null
}
/**
 * Energy delivered since the beginning, from what a register said. `sane`: no more than the rated power could give, and its end is not far below what was read before.
 * `baseWh`: the reading that it is counted from; none where the first was not believed and there is but the end, so that nobody knows how much it was.
 */
export function delivered(raw: readonly Reading[], ratedW: number): Delivered {
  const [first, ...later] = [...raw].sort((a, b) => a.atMs - b.atMs).filter(({ atMs }, place, all) => place === 0 || all[place - 1]!.atMs !== atMs)
  if (!first) return { readings: [], sane: true, baseWh: null }
  const readings: Reading[] = [{ atMs: first.atMs, wh: 0 }]
  let register = begun(first)
  let [lowerWh, base] = [0, first]
  for (const one of later) {
    const next = readOn(register, one, ratedW)
    if (next.readings.length > 1) base = register.doubted!
    register = next.register
    readings.push(...next.readings)
    lowerWh = next.readings.length > 0 ? 0 : register.before.wh - one.wh
  }
  const last = readings.at(-1)!
  // What made the first reading wrong, and is far above all that came then, was itself wrong.
  const doubted = Boolean(register.doubted) || (base !== first && later.some((one) => one.atMs > base.atMs && one.wh < base.wh - LOWER_WH))
  return {
    readings,
    baseWh: doubted && later.length === 1 ? null : base.wh,
    sane: !doubted && last.wh <= mostWh(ratedW, last.atMs - first.atMs) && lowerWh <= LOWER_WH,
  }
}
/** The same of a charge that is over: where its readings do not go together, those between its first and its last count that the gun can have given. */
export function deliveredInAll(raw: readonly Reading[], ratedW: number): Delivered {
  const all = delivered(raw, ratedW)
  const [first, last] = [raw[0], raw.at(-1)]
  if (all.sane || !first || !last) return all
  const possible = delivered(
    raw.filter((one) => one === first || one === last || one.wh - first.wh <= mostWh(ratedW, one.atMs - first.atMs)),
    ratedW,
  )
  return possible.sane ? possible : all
}

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
/** The period that holds at a moment, and when it ends. */
function periodAt(periods: readonly PeriodOf[], atMs: number): { period: PeriodOf; endMs: number } {
  const dayMs = Math.floor((atMs + CITY_OFFSET_MS) / DAY_MS) * DAY_MS - CITY_OFFSET_MS
  const minute = (atMs - dayMs) / MINUTE_MS
  const period = periods.find(({ from, to }) => minuteOf(from) <= minute && minute < minuteOf(to)) ?? periods.at(-1)!
  return { period, endMs: dayMs + minuteOf(period.to) * MINUTE_MS }
}
export const priceAt = (periods: readonly PeriodOf[], atMs: number): PeriodOf => periodAt(periods, atMs).period
const alike = (a: Pick<PeriodOf, 'kind' | 'elecPriceE4' | 'servicePriceE4'>, b: typeof a) =>
  a.kind === b.kind && a.elecPriceE4 === b.elecPriceE4 && a.servicePriceE4 === b.servicePriceE4

/** Energy at one kind and price without a break: a line of the bill that may still grow. */
export interface Run extends Pick<PeriodOf, 'kind' | 'elecPriceE4' | 'servicePriceE4'> {
  fromMs: number
  toMs: number
  wh: number
}
/** Adds what was delivered between two readings. What the register was at a border is taken from its neighbours in proportion to time, rounded down. */
function stretch(runs: Run[], from: Reading, next: Reading, periods: readonly PeriodOf[]): void {
  const span = next.atMs - from.atMs
  let [atMs, wh] = [from.atMs, from.wh]
  while (atMs < next.atMs) {
    const { period, endMs } = periodAt(periods, atMs)
    const toMs = Math.min(endMs, next.atMs)
    const toWh = toMs === next.atMs ? next.wh : from.wh + Math.floor(((next.wh - from.wh) * (toMs - from.atMs)) / span)
    const open = runs.at(-1)
    const { kind, elecPriceE4, servicePriceE4 } = period
    if (open && alike(open, period)) Object.assign(open, { toMs, wh: open.wh + toWh - wh })
    else runs.push({ kind, elecPriceE4, servicePriceE4, fromMs: atMs, toMs, wh: toWh - wh })
    ;[atMs, wh] = [toMs, toWh]
  }
}
const lineOf = ({ kind, elecPriceE4, servicePriceE4, fromMs, toMs, wh }: Run): Line => ({
  ...{ kind, elecPriceE4, servicePriceE4, wh, from: instantAt(fromMs), to: instantAt(toMs) },
  elecFen: fenOf(wh, elecPriceE4) as Line['elecFen'],
  serviceFen: fenOf(wh, servicePriceE4) as Line['serviceFen'],
})
/** The bill's lines: each the longest run of one kind and price. */
export function linesOf(readings: readonly Reading[], periods: readonly PeriodOf[]): Line[] {
  const runs: Run[] = []
  for (const [place, next] of readings.entries()) if (place > 0) stretch(runs, readings[place - 1]!, next, periods)
  return runs.map(lineOf)
}

export interface Cost {
  lines: Line[]
  energyWh: number
  elecFen: number
  serviceFen: number
  discountFen: number
  /** What takes the discount off. */
  offer: OfferOf | null
}
const sum = (lines: readonly Line[], field: 'wh' | 'elecFen' | 'serviceFen') => lines.reduce((total, line) => total + line[field], 0)

/** What a charge costs by now: the driver sees it while it runs, and the bill is made of it. */
export const costOf = (readings: readonly Reading[], { periods, offers }: Pick<Of<typeof Prices>, 'periods' | 'offers'>): Cost =>
  costAt(linesOf(readings, periods), offers)
function costAt(lines: Line[], offers: readonly OfferOf[]): Cost {
  const gross = { energyWh: sum(lines, 'wh'), elecFen: sum(lines, 'elecFen'), serviceFen: sum(lines, 'serviceFen') }
  const [best] = ranked(gross, offers)
  return { lines, ...gross, discountFen: best?.fen ?? 0, offer: best?.offer ?? null }
}

/** How far a charge has got, kept with it: its next readings need none of those before. */
export interface Running extends Register {
  /** The last reading that counted, since the beginning. */
  last: Reading
  runs: Run[]
}
/** The first reading of all makes it; `undefined` when a reading is not later than the last: then all have to be read again. */
export function runOn(
  running: Running | null,
  readings: readonly Reading[],
  { ratedW, periods }: { ratedW: number; periods: readonly PeriodOf[] },
): Running | null | undefined {
  const [first, ...later] = running ? [undefined, ...readings] : readings
  const before = running ?? (first && { ...begun(first), last: { atMs: first.atMs, wh: 0 }, runs: [] })
  if (!before) return null
  const now: Running = { ...before, runs: before.runs.map((one) => ({ ...one })) }
  for (const one of later) {
    if (one!.atMs <= now.heardMs) return undefined
    const { register, readings: counted } = readOn(now, one!, ratedW)
    Object.assign(now, register)
    for (const reading of counted) {
      stretch(now.runs, now.last, reading, periods)
      now.last = reading
    }
  }
  return now
}
export const costOfRunning = (running: Running | null, offers: readonly OfferOf[]): Cost => costAt((running?.runs ?? []).map(lineOf), offers)

type Gross = Pick<Cost, 'energyWh' | 'elecFen' | 'serviceFen'>
/** Discounts that take something off, the best first; of equal ones a user's own, then the older. */
export const ranked = (gross: Gross, offers: readonly OfferOf[]): { offer: OfferOf; fen: number }[] =>
  offers
    .map((offer) => ({ offer, fen: offFen(gross, offer) }))
    .filter(({ fen }) => fen > 0)
    .sort(
      (a, b) =>
        b.fen - a.fen ||
        Number(b.offer.kind === OfferKind.user) - Number(a.offer.kind === OfferKind.user) ||
        msOf(a.offer.createdAt) - msOf(b.offer.createdAt),
    )
const ofPermille = (fen: number, permille: number) => fen - Math.floor((fen * permille + 500) / 1000)
/** Nothing takes more than the service fee, but for a user who pays less of the electricity too. */
function offFen({ energyWh, elecFen, serviceFen }: Gross, { kind, value, elecPermille, thresholdFen, maxDiscountFen }: OfferOf): number {
  const reached = elecFen + serviceFen >= thresholdFen
  const off: Record<OfferOf['kind'], number> = {
    [OfferKind.service]: ofPermille(serviceFen, value),
    [OfferKind.user]: ofPermille(serviceFen, value) + ofPermille(elecFen, elecPermille),
    [OfferKind.reached]: Math.min(value, serviceFen),
    [OfferKind.first]: Math.min(value, serviceFen),
    [OfferKind.serviceE4]: Math.min(fenOf(energyWh, value), serviceFen),
  }
  return reached ? Math.min(off[kind], maxDiscountFen ?? Number.MAX_SAFE_INTEGER) : 0
}

/** Whole minutes that a bay was taken without charging, behind the free ones and outside the quiet hours. */
export function occupiedMinutes(
  fromMs: number,
  toMs: number,
  { idleGraceMin, quietFrom, quietTo }: Pick<Of<typeof Prices>, 'idleGraceMin' | 'quietFrom' | 'quietTo'>,
): number {
  const begins = fromMs + idleGraceMin * MINUTE_MS
  let countedMs = 0
  for (let dayMs = Math.floor((begins + CITY_OFFSET_MS) / DAY_MS) * DAY_MS - CITY_OFFSET_MS; dayMs < toMs; dayMs += DAY_MS)
    for (const [from, to] of loud(minuteOf(quietFrom), minuteOf(quietTo)))
      countedMs += Math.max(0, Math.min(toMs, dayMs + to * MINUTE_MS) - Math.max(begins, dayMs + from * MINUTE_MS))
  return Math.floor(countedMs / MINUTE_MS)
}
/** The minutes of a day that are not quiet. */
const loud = (from: number, to: number): [number, number][] =>
  from === to
    ? [[0, 1440]]
    : from < to
      ? [
          [0, from],
          [to, 1440],
        ]
      : [[to, from]]
export function occupancyFen(fromMs: number, toMs: number, prices: Of<typeof Prices>): number {
  const fen = occupiedMinutes(fromMs, toMs, prices) * prices.occupyFenPerMin
  return prices.occupyCapFen > 0 ? Math.min(fen, prices.occupyCapFen) : fen
}

/** What is wrong with a table of periods, if anything: it says every minute of a day once, and in no more runs than partners can be told. */
export function flawOf(periods: readonly PeriodOf[]): { zh: string; en: string } | undefined {
  if (periods.length === 0 || periods.length > PERIODS_MAX) return { zh: `时段应为 1 至 ${PERIODS_MAX} 个`, en: `set 1 to ${PERIODS_MAX} periods` }
  for (const [place, { from, to }] of periods.entries()) {
    const due = periods[place - 1]?.to ?? '00:00'
    if (from !== due) return { zh: `时段应从 ${due} 开始，首尾相接`, en: `a period must start at ${due}, with no gap or overlap` }
    if (minuteOf(to) <= minuteOf(from)) return { zh: `${from} 开始的时段没有长度`, en: `the period from ${from} has no length` }
  }
  if (periods.at(-1)!.to !== '24:00') return { zh: '时段应到 24:00 结束', en: 'the last period must end at 24:00' }
  const runs = periods.filter((one, place) => place === 0 || !alike(periods[place - 1]!, one)).length
  return runs > RUNS_MAX ? { zh: `一天最多 ${RUNS_MAX} 段价格`, en: `a day can have at most ${RUNS_MAX} price periods` } : undefined
}

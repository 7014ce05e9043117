import type { Day, Fen, Instant, Of } from '../../../../platform/contract/field.ts'
import { dayBy, dayOf, instantAt, msOf, startOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { serve } from '../../../../platform/server/serve.ts'
import { exporting } from '../../../../platform/server/sheets/exporting.ts'
import type { Business } from '../../../ledger/server/api.ts'
import {
  Against,
  type AgainstCode,
  beforeOf,
  compare,
  COMPARED_DAYS_MAX,
  type ComparedDay,
  type Comparison,
  daysIn,
  KINDS,
  type Why,
} from '../../contract/compare.ts'
import { FIGURES } from './report.ts'
import '../tables.ts'

const Backwards = refusal(
  'settlement.compare-backwards',
  40527,
  '结束日期早于开始日期，请重新选择期间',
  'The period ends before it begins: choose it again',
  422,
)
const TooLong = refusal(
  'settlement.compare-too-long',
  40528,
  `一次最多对比 ${COMPARED_DAYS_MAX} 天，请缩短期间`,
  `At most ${COMPARED_DAYS_MAX} days are compared at once: choose a shorter period`,
  422,
)
const NotYet = refusal(
  'settlement.compare-not-yet',
  40529,
  '所选期间还没有开始，请选择今天或以前的日期',
  'The period has not begun: choose days up to today',
  422,
)
const Overlapping = refusal(
  'settlement.compare-overlapping',
  40530,
  '所选期间与对比期重叠，请缩短期间或改为与上一期对比',
  'Both periods share days: choose a shorter one, or compare with the previous period',
  422,
)

type Found = Of<typeof Comparison>
type Figures = Found['now']
type Parked = Figures & { day: Day; parkCode: string }
interface Periods {
  now: { from: Day; to: Day }
  before: { from: Day; to: Day }
  /** The end of the part of the other period that is compared, while this period still runs. */
  until: Instant | null
}

/** @throws Backwards, TooLong, NotYet, Overlapping */
function periodsOf(from: Day, to: Day, against: AgainstCode, at: Instant): Periods {
  if (to < from) throw Backwards()
  if (daysIn(from, to) > COMPARED_DAYS_MAX) throw TooLong()
  const today = dayOf(at)
  if (from > today) throw NotYet()
  const before = beforeOf(from, to, against)
  if (before.to >= from) throw Overlapping()
  if (to < today) return { now: { from, to }, before, until: null }
  const last = dayBy(before.from, daysIn(from, today) - 1)
  // The other period may be over before this one is: a month of thirty days beside the thirty-first.
  const until = last > before.to ? null : instantAt(msOf(startOf(last)) + msOf(at) - msOf(startOf(today)))
  return { now: { from, to: today }, before: { from: before.from, to: last > before.to ? before.to : last }, until }
}

// Whole days as the ledger keeps them; of the day that is cut its whole hours, and of the hour that is cut its lines. $5: of one business, $6: of some accounts.
const PARKED_ON = 'income.parking'
const COLUMNS = 'park_code, business, account, debit_fen, credit_fen, credits'
const WHERE =
  'enterprise_id = scope_enterprise() and ($3::text is null or park_code = $3) and ($5::text is null or business = $5) and ($6::text[] is null or account = any ($6))'
const SPANNED = `(select day, ${COLUMNS} from ledger.daily where ${WHERE} and day between $1 and $2
    and ($4::timestamptz is null or day < ($4::timestamptz at time zone 'Asia/Shanghai')::date) union all
  select day, ${COLUMNS} from ledger.hourly where ${WHERE} and day = ($4::timestamptz at time zone 'Asia/Shanghai')::date
    and hour < extract(hour from $4::timestamptz at time zone 'Asia/Shanghai') union all
  select day, park_code, business, account, debit_fen, credit_fen, (credit_fen > 0)::int from ledger.line where ${WHERE}
    and at >= date_trunc('hour', $4::timestamptz) and at < $4::timestamptz) d`
const PARKED = `select f.*, f.paid_fen - f.refund_fen as net_fen from (select d.day, d.park_code, ${FIGURES} from ${SPANNED} group by d.day, d.park_code) f`
/** Revenue of businesses other than temporary parking. Shared bays and forfeited coupons are booked on the account of parking too. */
const EARNED = `select d.account, sum(d.credit_fen - d.debit_fen)::bigint as fen from ${SPANNED} where d.account <> '${PARKED_ON}' or d.business <> 'parking' group by 1`
const PARKING: Business = 'parking'

type Asked = Of<typeof compare.whole.input>
async function rowsOf(tx: Tx, periods: Periods, parkCode: string | undefined): Promise<[Parked[], Parked[]]> {
  const { now, before, until } = periods
  return [
    await run<Parked>(tx, { sql: PARKED }, [now.from, now.to, parkCode ?? null, null, PARKING, null]),
    await run<Parked>(tx, { sql: PARKED }, [before.from, before.to, parkCode ?? null, until, PARKING, null]),
  ]
}
const NAMES = ['orders', 'receivableFen', 'discountFen', 'paidFen', 'waivedFen', 'arrearsFen', 'refundFen', 'netFen'] as const
const NONE = 0 as Fen
const ZERO: Figures = {
  orders: 0,
  receivableFen: NONE,
  discountFen: NONE,
  paidFen: NONE,
  waivedFen: NONE,
  arrearsFen: NONE,
  refundFen: NONE,
  netFen: NONE,
}
function added(rows: readonly Figures[]): Figures {
  const sum = { ...ZERO }
  for (const row of rows) for (const name of NAMES) sum[name] = (sum[name] + row[name]) as Fen
  return sum
}

/** The parts of a change of 净收, to the fen. */
export function whyOf(now: Figures, before: Figures): Of<typeof Why> {
  const receivable = now.receivableFen - before.receivableFen
  // Without stays in one of the periods there is no mean to speak of.
  const known = now.orders > 0 && before.orders > 0
  const stays = known ? Math.round(((now.orders - before.orders) * before.receivableFen) / before.orders) : receivable
  const less = (name: 'discountFen' | 'waivedFen' | 'arrearsFen' | 'refundFen') => (before[name] - now[name]) as Fen
  return {
    staysFen: stays as Fen,
    meanFen: (receivable - stays) as Fen,
    discountFen: less('discountFen'),
    waivedFen: less('waivedFen'),
    arrearsFen: less('arrearsFen'),
    refundFen: less('refundFen'),
  }
}

/** Each day beside the one in its place. */
function daysBeside({ now, before }: Periods): { day: Day | null; beforeDay: Day | null }[] {
  const at = (span: { from: Day; to: Day }, place: number) => (place < daysIn(span.from, span.to) ? dayBy(span.from, place) : null)
  const places = Math.max(daysIn(now.from, now.to), daysIn(before.from, before.to))
  return Array.from({ length: places }, (_, place) => ({ day: at(now, place), beforeDay: at(before, place) }))
}
async function compared(tx: Tx, { dayFrom, dayTo, parkCode, against = Against.previous }: Asked, at: Instant): Promise<Found> {
  const periods = periodsOf(dayFrom, dayTo, against, at)
  const { now, before, until } = periods
  const [rows, rowsBefore] = await rowsOf(tx, periods, parkCode)
  const earned = async (span: { from: Day; to: Day }, cut: Instant | null) =>
    new Map(
      (await run<{ account: string; fen: Fen }>(tx, { sql: EARNED }, [span.from, span.to, parkCode ?? null, cut, null, [...KINDS]])).map((row) => [
        row.account,
        row.fen,
      ]),
    )
  const [kinds, kindsBefore] = [await earned(now, null), await earned(before, until)]
  const [byDay, byDayBefore] = [Map.groupBy(rows, ({ day }) => day), Map.groupBy(rowsBefore, ({ day }) => day)]
  const [byPark, byParkBefore] = [Map.groupBy(rows, (row) => row.parkCode), Map.groupBy(rowsBefore, (row) => row.parkCode)]
  const of = (found: Parked[] | undefined) => added(found ?? [])
  const [all, allBefore] = [added(rows), added(rowsBefore)]
  return {
    ...{ dayFrom: now.from, dayTo: now.to, beforeFrom: before.from, beforeTo: before.to, beforeUntil: until },
    ...{ now: all, before: allBefore, why: whyOf(all, allBefore) },
    days: daysBeside(periods).map((one) => ({
      ...one,
      now: of(one.day ? byDay.get(one.day) : undefined),
      before: of(one.beforeDay ? byDayBefore.get(one.beforeDay) : undefined),
    })),
    parks: [...new Set([...byPark.keys(), ...byParkBefore.keys()])]
      .map((code) => ({ parkCode: code, now: of(byPark.get(code)), before: of(byParkBefore.get(code)) }))
      .toSorted((a, b) => Math.abs(b.now.netFen - b.before.netFen) - Math.abs(a.now.netFen - a.before.netFen)),
    kinds: [
      // The same reading as the figures above: money that comes between two readings is in both, or in neither.
      { account: PARKED_ON, temporary: true, earnedFen: all.receivableFen, earnedBeforeFen: allBefore.receivableFen },
      ...KINDS.map((account) => ({
        account,
        temporary: false,
        earnedFen: kinds.get(account) ?? NONE,
        earnedBeforeFen: kindsBefore.get(account) ?? NONE,
      })),
    ].filter(({ earnedFen, earnedBeforeFen }) => earnedFen !== 0 || earnedBeforeFen !== 0),
  }
}

type Row = Of<typeof ComparedDay>
/** Rows by day and by park; a row that only one of the periods has is beside zeros. */
async function comparedRows(tx: Tx, input: Of<typeof compare.rows.input>, at: Instant): Promise<Row[]> {
  const today = dayOf(at)
  const { dayTo = today, dayFrom = dayTo, parkCode, against = Against.previous } = input
  const periods = periodsOf(dayFrom, dayTo, against, at)
  const [rows, rowsBefore] = (await rowsOf(tx, periods, parkCode)).map((found) => new Map(found.map((row) => [`${row.day} ${row.parkCode}`, row])))
  const parks = [...new Set([...rows!.values(), ...rowsBefore!.values()].map((row) => row.parkCode))].toSorted()
  return daysBeside(periods).flatMap(({ day, beforeDay }) =>
    parks.map((code): Row => {
      const [now, before] = [rows!.get(`${day} ${code}`) ?? ZERO, rowsBefore!.get(`${beforeDay} ${code}`) ?? ZERO]
      return {
        ...{ id: `${day ?? beforeDay} ${code}`, against, day, beforeDay, parkCode: code },
        ...{ orders: now.orders, ordersBefore: before.orders, receivableFen: now.receivableFen, receivableBeforeFen: before.receivableFen },
        ...{ paidFen: now.paidFen, paidBeforeFen: before.paidFen, refundFen: now.refundFen, refundBeforeFen: before.refundFen },
        ...{ netFen: now.netFen, netBeforeFen: before.netFen, changeFen: (now.netFen - before.netFen) as Fen },
      }
    }),
  )
}
async function pageOfRows(tx: Tx, input: Of<typeof compare.rows.input>, at: Instant) {
  const { current = 1, limit = 20 } = input
  const rows = await comparedRows(tx, input, at)
  return { records: rows.slice((current - 1) * limit, current * limit), total: rows.length, totalExact: true }
}

export const calls = serve(compare, {
  whole: ({ tx, input, at }) => compared(tx, input, at),
  rows: ({ tx, input, at }) => pageOfRows(tx, input, at),
  export: exporting(compare.export, ({ tx, input, at }) => pageOfRows(tx, input, at)),
})

import type { Day, Instant } from '../../../../platform/contract/field.ts'
import { dayBy, dayOf } from '../../../../platform/contract/time.ts'
import { CheckResult, Closing, DiffState } from '../../contract/liquidation.ts'

export interface Ours {
  kind: 1 | 2
  orderId: string
  orderNo: string
  payNo: string
  tradeNo: string
  /** Our number as the channel repeats it: of the payment, of the refund. */
  number: string
  parkCode: string
  fen: number
  at: Instant
}
export interface Theirs {
  checkDate: Day
  kind: 1 | 2
  tradeNo: string
  number: string
  fen: number
  feeFen: number
  at: Instant
}
interface Attempt {
  payNo: string
  orderId: string
  orderNo: string
  parkCode: string
}

/** A day's trades, ours beside theirs: by the channel's number, else by ours. One that stands in a neighbour day's file is across days, on both days; with another amount it differs on ours. */
export function matched(day: Day, ours: readonly Ours[], theirs: readonly Theirs[], attempts: readonly Attempt[]) {
  const byTrade = Map.groupBy(theirs, (one) => `${one.kind} ${one.tradeNo}`)
  const byNumber = Map.groupBy(theirs, (one) => `${one.kind} ${one.number}`)
  const own = (one: Ours) => nearest(one, byTrade.get(`${one.kind} ${one.tradeNo}`))
  const partner = (one: Ours) => own(one) ?? nearest(one, byNumber.get(`${one.kind} ${one.number}`))
  const taken = new Map<Theirs, Ours>()
  // A second payment of one attempt has the first one's number: what has its own trade number goes first.
  for (const one of ours) {
    const other = own(one)
    if (other) taken.set(other, one)
  }
  for (const one of ours) {
    const other = partner(one)
    if (other && !taken.has(other)) taken.set(other, one)
  }
  const pair = new Map([...taken].map(([other, one]) => [one, other]))
  const waiting = new Map(attempts.map((one) => [one.payNo, one]))
  return [
    ...ours.filter((one) => dayOf(one.at) === day).map((one) => fromOurs(day, one, pair.get(one))),
    ...theirs
      .filter((one) => one.checkDate === day && dayOf(taken.get(one)?.at ?? NEVER) !== day)
      .map((one) => fromTheirs(one, taken.get(one), waiting.get(one.number))),
  ]
}
/** A channel may tell of a trade in the files of several days: that of our own day is ours, else that of the day before, else that of the day after; any other is over. */
function nearest(one: Ours, told: readonly Theirs[] = []) {
  if (told.length === 0) return undefined
  const own = dayOf(one.at)
  const on = (day: Day) => told.find(({ checkDate }) => checkDate === day)
  return on(own) ?? on(dayBy(own, -1)) ?? on(dayBy(own, 1))
}
const NEVER = '1970-01-01T00:00:00Z' as Instant
const ended = (result: number) =>
  result === CheckResult.same
    ? { result, diff_state: DiffState.even, closing: null }
    : result === CheckResult.crossDay
      ? { result, diff_state: DiffState.even, closing: Closing.crossDay }
      : { result, diff_state: DiffState.unclaimed, closing: null }

function fromOurs(day: Day, one: Ours, other: Theirs | undefined) {
  const result = !other
    ? CheckResult.short
    : other.fen !== one.fen
      ? CheckResult.amount
      : other.checkDate !== day
        ? CheckResult.crossDay
        : CheckResult.same
  return {
    kind: one.kind, key: one.tradeNo, order_id: one.orderId, order_no: one.orderNo, pay_no: one.number, trade_no: one.tradeNo, park_code: one.parkCode, plat_fen: one.fen, chan_fen: other?.fen ?? null,
    fee_fen: other?.feeFen ?? 0, in_file: other?.checkDate === day, plat_time: one.at, chan_time: other?.at ?? null, ...ended(result),
  } // prettier-ignore
}
function fromTheirs(one: Theirs, ours: Ours | undefined, attempt: Attempt | undefined) {
  const of = ours ?? attempt
  const result = ours ? CheckResult.crossDay : attempt ? CheckResult.state : CheckResult.over
  return {
    kind: one.kind, key: ours?.tradeNo ?? one.tradeNo, order_id: of?.orderId ?? null, order_no: of?.orderNo ?? null, pay_no: one.number, trade_no: one.tradeNo, park_code: of?.parkCode ?? '', plat_fen: null,
    chan_fen: one.fen, fee_fen: one.feeFen, in_file: true, plat_time: ours?.at ?? null, chan_time: one.at, ...ended(result),
  } // prettier-ignore
}

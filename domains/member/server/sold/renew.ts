import { createHash } from 'node:crypto'
import type { Fen, Instant, Of } from '../../../../platform/contract/field.ts'
import { dayOf, instantAt, MINUTE_MS, msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { IllegalMove, refusal } from '../../../../platform/server/refusal.ts'
import { SessionStatus } from '../../../parking/contract/stay.ts'
import { OrderStatus } from '../../../settlement/contract/order.ts'
import type { OrderRow } from '../../../settlement/server/api.ts'
import { CustomerStatus } from '../../contract/customer.ts'
import { GroupStatus } from '../../contract/group.ts'
import { DeferKind, type DeferQuote, PassStatus } from '../../contract/pass.ts'
import { dayOfMonth, daysOn, endOf, midnight, priceOf } from './calendar.ts'
import { groupOf } from '../group.ts'
import { refuseFull } from './places.ts'
import { carsOf, conflictsOf, coverCars, type PassRow, refuseBay, refuseFrozen, setPass } from './pass.ts'
import { addPeriod, Kind, periodOfOrder, periodsOf, State } from './period.ts'
import { planOf } from '../plan.ts'
import { NotSold, openPassOrder, parksOf, prolong, waitForMoney } from './sale.ts'
import { Said } from '../../contract/said.ts'

export type Quote = Of<typeof DeferQuote>
/** A quote is good so long, and no longer than its figures. */
const QUOTE_MS = 10 * MINUTE_MS
const FREE_DAYS_A_YEAR = 31
export const QuoteMoved = refusal(
  'member.quote-moved',
  41440,
  '报价已失效或金额、期限已变化，请按新报价确认',
  'The quote has expired, or its amount or dates have changed: confirm the new one',
)
const TooEarly = refusal('member.renew-too-early', 41441, '到期前 {days} 天内才可续费', 'It can be renewed only in the last {days:day}', 422)
const TooFree = refusal(
  'member.free-days',
  41442,
  '免费延期一年合计不超过 31 天，还剩 {left} 天',
  'Free days are limited to 31 a year; {left} left',
  422,
)
const AlreadyWaits = refusal(
  'member.renewal-waits',
  41443,
  '该月卡已有待支付的续费订单，请先支付或取消',
  'This pass already has an unpaid renewal: pay or cancel it first',
)
const Lacking = refusal(
  'member.defer-lacks',
  41444,
  '续费须填期数和支付方式；免费延期须填天数和原因',
  'A renewal needs periods and a payment method; free days need a number and a reason',
  422,
)

export interface Wish {
  kind: 1 | 2
  periods?: number | undefined
  days?: number | undefined
  reason?: string | undefined
}
export function refuseIncomplete({ kind, periods, days, reason }: Wish): void {
  if (kind === DeferKind.renew ? periods === undefined : days === undefined || !reason) throw Lacking()
}

/** Quotes the extension of a pass. Nothing is written: the number of the quote is made of its figures, so it holds as long as they do. */
export async function quoteOf(
  tx: Tx,
  pass: PassRow,
  wish: Wish,
  at: Instant,
  expires = instantAt(Math.ceil((msOf(at) + QUOTE_MS) / 1000) * 1000),
): Promise<Quote> {
  await refuseNotExtended(tx, pass, wish, at)
  const { from, to, payableFen } = wish.kind === DeferKind.free ? freeOf(pass, wish.days!) : await renewalOf(tx, pass, wish.periods!, at)
  await refuseBay(tx, pass, from, to)
  const cars = await carsOf(tx, pass.id)
  const conflicts = (await conflictsOf(tx, { ...pass, from, to, cars, except: pass.id })).map(({ id: _, ...one }) => one)
  const figures = [pass.id, pass.version, wish.kind, wish.periods ?? 0, wish.days ?? 0, pass.endAt, from, to, payableFen, expires]
  const quoteNo = `${Math.floor(msOf(expires) / 1000).toString(36)}-${createHash('sha256').update(figures.join()).digest('hex').slice(0, 32)}`
  return { oldEnd: pass.endAt, newStart: from, newEnd: to, payableFen: payableFen as Fen, conflicts, quoteNo }
}
/** The same quote, or a refusal that brings a new one. @throws QuoteMoved */
export async function confirmQuote(tx: Tx, pass: PassRow, wish: Wish, quoteNo: string | undefined, at: Instant): Promise<Quote> {
  const expiresMs = Number.parseInt(quoteNo?.split('-')[0] ?? '', 36) * 1000
  const good = Number.isSafeInteger(expiresMs) && expiresMs >= msOf(at) && expiresMs <= msOf(at) + QUOTE_MS + 1000
  const quote = await quoteOf(tx, pass, wish, at, good ? instantAt(expiresMs) : undefined)
  if (!good || quote.quoteNo !== quoteNo) throw QuoteMoved({ ...(await quoteOf(tx, pass, wish, at)) })
  return quote
}

const freeOf = (pass: PassRow, days: number) => ({ from: pass.endAt, to: daysOn(pass.endAt, days), payableFen: 0 })
/** Still valid: on from its end. Within its grace: on from its end if a car of it stood in a park meanwhile, so that no night is free. Else from today. */
async function renewalOf(tx: Tx, pass: PassRow, periods: number, at: Instant) {
  const ended = msOf(pass.endAt) <= msOf(at)
  const graced = ended && msOf(at) < msOf(daysOn(pass.endAt, pass.graceDays)) && (await stoodSince(tx, pass, at))
  const from = ended && !graced ? midnight(at) : pass.endAt
  const anchor = ended && !graced ? dayOfMonth(from) : pass.anchorDay
  return { from, to: endOf(from, pass, periods, anchor), payableFen: priceOf(from, pass, periods, pass.seats) }
}
async function stoodSince(tx: Tx, pass: PassRow, at: Instant): Promise<boolean> {
  const sql = `select 1 from parking.stay where enterprise_id = scope_enterprise() and plate_no = any ($1) and park_code = any ($2) and entry_time < $4 and (exit_time is null or exit_time > $3) and status <> ${SessionStatus.void} limit 1`
  return (await run(tx, { sql }, [pass.plates, pass.parkCodes, pass.endAt, at])).length > 0
}

async function refuseNotExtended(tx: Tx, pass: PassRow, { kind, days = 0 }: Wish, at: Instant): Promise<void> {
  refuseFrozen(pass)
  const { status } = pass
  if (status !== PassStatus.valid && status !== PassStatus.notYet && status !== PassStatus.expired) throw IllegalMove({ status })
  const periods = await periodsOf(tx, pass.id)
  if (periods.some(({ state, kind: of }) => state === State.waits && of === Kind.renewed)) throw AlreadyWaits()
  if (kind === DeferKind.free) {
    if (status === PassStatus.expired) throw IllegalMove({ status })
    const left = await freeDaysLeft(tx, pass.id, at)
    if (days > left) throw TooFree({ left })
    return
  }
  const [customer] = await run<{ status: number }>(
    tx,
    { sql: 'select status from member.customer where enterprise_id = scope_enterprise() and id = $1' },
    [pass.memberId],
  )
  // Renewing is selling: a kind that is not sold any more runs out.
  const group = pass.groupId === null ? undefined : await groupOf(tx, pass.groupId)
  if (!group || customer?.status === CustomerStatus.stopped || group.status !== GroupStatus.inUse) throw NotSold()
  // An expired pass has left its place; somebody else may have it by now.
  if (status === PassStatus.expired) await refuseFull(tx, group, pass.carFeesId === null ? undefined : await planOf(tx, pass.carFeesId), pass.seats)
  if (pass.renewAheadDays !== null && msOf(daysOn(pass.endAt, -pass.renewAheadDays)) > msOf(at)) throw TooEarly({ days: pass.renewAheadDays })
}
/** Of the days that may be given in a year. */
export async function freeDaysLeft(tx: Tx, passId: string, at: Instant): Promise<number> {
  const [given] = await run<{ days: number }>(tx, { sql: GIVEN }, [passId, dayOf(at).slice(0, 4)])
  return Math.max(0, FREE_DAYS_A_YEAR - given!.days)
}
const GIVEN = `select coalesce(sum(days), 0)::int as days from member.period where enterprise_id = scope_enterprise() and pass_id = $1 and kind = ${Kind.free}
  and to_char(at at time zone 'Asia/Shanghai', 'YYYY') = $2`

/** Free days: at once, without an order, and they earn nothing. */
export async function giveDays(
  tx: Tx,
  pass: PassRow,
  quote: Quote,
  { reason, byName, at }: { reason: string | undefined; byName: string; at: Instant },
): Promise<void> {
  const { newStart: from, newEnd: to } = quote
  await coverCars(tx, { passId: pass.id, parkCodes: pass.parkCodes, timeWindow: pass.timeWindow, from, to }, await carsOf(tx, pass.id))
  await addPeriod(tx, pass, { kind: Kind.free, from, to, reason, byName, counts: true, at })
  await setPass(tx, pass, { endAt: to, anchorDay: dayOfMonth(to) }, at)
}
/** A renewal is an order; the end moves when it is paid. A kind of pass that got other parks meanwhile gives them from here on. */
export async function openRenewal(tx: Tx, pass: PassRow, quote: Quote, { byName, at }: { byName: string; at: Instant }): Promise<OrderRow> {
  const { newStart: from, newEnd: to, payableFen } = quote
  const plan = pass.carFeesId === null ? undefined : await planOf(tx, pass.carFeesId)
  const parkCodes = pass.groupId === null ? pass.parkCodes : parksOf(await groupOf(tx, pass.groupId), plan)
  const order = await openPassOrder(tx, pass, payableFen, Said.renewal({ passNo: pass.passNo }), at)
  await addPeriod(tx, pass, { kind: Kind.renewed, from, to, order, byName, counts: false, at })
  await coverCars(tx, { passId: pass.id, parkCodes, timeWindow: pass.timeWindow, from, to, heldBy: order.id }, await carsOf(tx, pass.id))
  // The next version: a person with the same quote is told that it is out of date.
  await setPass(tx, pass, {}, at)
  if (order.status === OrderStatus.free) await prolong(tx, pass, (await periodOfOrder(tx, order.id))!, at)
  await waitForMoney(tx, order, at)
  return order
}

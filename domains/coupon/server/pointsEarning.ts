import type { Instant } from '../../../platform/contract/field.ts'
import { cityTime, dayOf, instantAt, startOf } from '../../../platform/contract/time.ts'
import type { Day } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { type Laid, orderOf, pointsOn, type Refunded, type Returned, type Settled } from '../../settlement/server/api.ts'
import { OrderStatus, OrderType } from '../../settlement/contract/order.ts'
import { PointsEvent, PointsExpire } from '../contract/pointsRule.ts'
import { clawBack, comeBack, earn, freeApart, layApart, takeApart } from './pointsBook.ts'

interface Rule {
  id: string
  ratio: number
  roundDown: boolean
  dayCap: number | null
  monthCap: number | null
  multiplier: number
  multiplierFrom: string | null
  multiplierTo: string | null
  additive: boolean
  expireType: number
  expireMonths: number | null
}
/** What kind of order earns by which event. */
const EVENTS: Partial<Record<number, number>> = {
  [OrderType.temporaryParking]: PointsEvent.parking,
  [OrderType.charging]: PointsEvent.charging,
  [OrderType.pass]: PointsEvent.pass,
}

/** What was paid in money earns points, for the account that has the car; only at parks that take part. */
export async function hearPaid(
  tx: Tx,
  { type, status, orderId, orderNo, parkCode, plateNo, paidFen: allFen, at }: Settled,
): Promise<true | undefined> {
  const event = EVENTS[type]
  if (event === undefined || status !== OrderStatus.paid || allFen === 0 || plateNo === null) return undefined
  const [account] = await run<{ id: string }>(tx, OF_PLATE, [plateNo, parkCode])
  const paidFen = account ? allFen - (await pointsOn(tx, [orderId]))(orderId).paidFen : 0
  if (!account || paidFen === 0) return undefined
  for (const rule of chosen(await run<Rule>(tx, RULES, [event, at, parkCode]))) {
    const points = await capped(tx, account.id, rule, pointsOf(rule, paidFen, at), at)
    if (points <= 0) continue
    await earn(tx, account.id, { points, ruleId: rule.id, bizNo: orderNo, at, expireAt: expiryOf(rule, at), parkCode })
    await run(tx, USED, [rule.id])
  }
  return true
}
const OF_PLATE = {
  sql: `select a.id from coupon.points_account a join coupon.points_park p on p.enterprise_id = a.enterprise_id and p.park_code = $2 and p.earn
    where a.enterprise_id = scope_enterprise() and a.plates @> array[$1::text] order by a.created_at, a.id limit 1`,
}
const RULES = {
  sql: `select id, ratio, round_down, day_cap, month_cap, multiplier, multiplier_from, multiplier_to, additive, expire_type, expire_months from coupon.points_rule
    where enterprise_id = scope_enterprise() and event = $1 and not stopped and start_at <= $2 and end_at > $2 and (park_codes = '{}' or $3 = any(park_codes)) order by priority desc, created_at, id`,
}
const USED = { sql: 'update coupon.points_rule set used = true where enterprise_id = scope_enterprise() and id = $1 and not used' }

/** The weightiest alone; those that add come to it. */
export const chosen = <R extends Pick<Rule, 'additive'>>(rules: readonly R[]): R[] => {
  const alone = rules.find(({ additive }) => !additive)
  return rules.filter((rule) => rule === alone || rule.additive)
}

export function pointsOf(
  {
    ratio,
    roundDown,
    multiplier,
    multiplierFrom,
    multiplierTo,
  }: Omit<Rule, 'id' | 'additive' | 'dayCap' | 'monthCap' | 'expireType' | 'expireMonths'>,
  paidFen: number,
  at: Instant,
): number {
  const clock = cityTime(at).slice(11, 16)
  const [from, to] = [multiplierFrom, multiplierTo]
  const within = from === null || to === null || (from < to ? clock >= from && clock < to : clock >= from || clock < to)
  const exact = (paidFen * ratio * (within ? multiplier : 1000)) / 100_000
  return roundDown ? Math.floor(exact) : Math.round(exact)
}

/** Not beyond what the rule gives one account in a day and in a month. */
async function capped(tx: Tx, accountId: string, { id, dayCap, monthCap }: Rule, points: number, at: Instant): Promise<number> {
  if (dayCap === null && monthCap === null) return points
  const day = dayOf(at)
  const [had] = await run<{ today: number; month: number }>(tx, GIVEN, [accountId, id, startOf(day), startOf(`${day.slice(0, 7)}-01` as Day)])
  return Math.max(0, Math.min(points, (dayCap ?? Infinity) - had!.today, (monthCap ?? Infinity) - had!.month))
}
const GIVEN = {
  sql: `select coalesce(sum(points) filter (where at >= $3), 0)::int as today, coalesce(sum(points), 0)::int as month from coupon.points_batch
    where enterprise_id = scope_enterprise() and account_id = $1 and rule_id = $2 and at >= $4`,
}

/** The end of the next year, or so many months on, in the city's days. */
export function expiryOf({ expireType, expireMonths }: Pick<Rule, 'expireType' | 'expireMonths'>, at: Instant): Instant {
  const [year, month, day] = dayOf(at).split('-').map(Number) as [number, number, number]
  if (expireType === PointsExpire.yearEnd || expireMonths === null) return startOf(`${year + 2}-01-01` as Day)
  const last = new Date(Date.UTC(year, month - 1 + expireMonths + 1, 0)).getUTCDate()
  return startOf(instantAt(Date.UTC(year, month - 1 + expireMonths, Math.min(day, last) + 1)).slice(0, 10) as Day)
}
/** Points without a rule of their own last as long as most do. */
export const yearEnd = (at: Instant) => expiryOf({ expireType: PointsExpire.yearEnd, expireMonths: null }, at)

/** Money went back: the points that it earned go in the same proportion. */
export async function hearRefunded(tx: Tx, { orderId, orderNo, paidFen, refundFen, parkCode, at }: Refunded): Promise<true> {
  const points = (await pointsOn(tx, [orderId]))(orderId)
  const moneyFen = paidFen - points.paidFen
  if (moneyFen > 0) await clawBack(tx, { bizNo: orderNo, paidFen: moneyFen, refundFen: refundFen - points.refundFen, parkCode, at })
  return true
}
const POINTS = 'liability.points'
/** A payment with points was refunded: they are there again. The ledger has heard of it from the payment. */
export async function hearPurse(tx: Tx, { orderId, refundNo, legs, at }: Returned): Promise<true | undefined> {
  const mine = legs.filter(({ account, fen }) => account === POINTS && fen > 0)
  if (mine.length === 0) return undefined
  const { orderNo } = await orderOf(tx, orderId)
  for (const { sub, fen } of mine) await comeBack(tx, sub, { points: fen, takenBy: orderNo, bizNo: refundNo, at, booked: false })
  return true
}
/** A part of a payment with points that is under way: set apart, spent, or free again. */
export async function hearLaid(tx: Tx, { move, orderNo, parkCode, legs, at }: Laid): Promise<true | undefined> {
  const mine = legs.filter(({ account }) => account === POINTS)
  for (const { sub, fen } of mine) await MOVES[move](tx, sub, { points: fen, bizNo: orderNo, parkCode, at })
  return mine.length > 0 || undefined
}
const MOVES = { lay: layApart, take: takeApart, free: freeApart }

import type { Instant } from '../../../platform/contract/field.ts'
import { cityTime, dayOf, instantAt, startOf } from '../../../platform/contract/time.ts'
import type { Day } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { type Laid, orderOf, type OrderRow, pointsOn, type Refunded, type Returned, type Settled } from '../../settlement/server/api.ts'
import { VerifyState } from '../../owner/contract/car.ts'
import { OrderStatus, OrderType } from '../../settlement/contract/order.ts'
import { PointsEvent, PointsExpire } from '../contract/pointsRule.ts'
import { accountFor, clawBack, comeBack, earn, freeApart, type Holder, layApart, lockAccount, takeApart } from './pointsBook.ts'

const CheckedIn = refusal('coupon.checked-in', 41670, '今天已签到，请明天再来', 'You have checked in today: come back tomorrow')
const NoCheckIn = refusal(
  'coupon.no-check-in',
  41671,
  '签到积分暂无可领，请稍后再来',
  'There are no check-in points to collect just now: come back later',
  422,
)

interface Rule {
  id: string
  name: string
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
/** The event by which each kind of order earns. */
const EVENTS: Partial<Record<number, number>> = {
  [OrderType.temporaryParking]: PointsEvent.parking,
  [OrderType.charging]: PointsEvent.charging,
  [OrderType.pass]: PointsEvent.pass,
}

/** Grants points for the part paid in money to the driver who has the car; only at parks that take part. */
export async function hearPaid(tx: Tx, { type, status, orderId, orderNo, parkCode, paidFen: allFen, at }: Settled): Promise<true | undefined> {
  const event = EVENTS[type]
  if (event === undefined || status !== OrderStatus.paid || allFen === 0 || !(await run(tx, EARNS, [parkCode])).length) return undefined
  const fen = allFen - (await pointsOn(tx, [orderId]))(orderId).paidFen
  if (fen === 0) return undefined
  const holder = async () => holderOf(tx, await orderOf(tx, orderId))
  return (await grant(tx, holder, { event, fen, bizNo: orderNo, parkCode, at })) > 0 || undefined
}
const EARNS = { sql: 'select from coupon.points_park where enterprise_id = scope_enterprise() and park_code = $1 and earn' }

/**
 * Returns the account that earns: of a charge that of the driver who started it; else that of the one owner as whose the car is verified, opened by their first points; else
 * the account on which the counter wrote its plate.
 */
async function holderOf(tx: Tx, { type, creditedTo, plateNo, plateColor }: OrderRow): Promise<string | undefined> {
  const started = type === OrderType.charging ? await run<Holder>(tx, OF_CHARGE, [creditedTo]) : []
  const owners = started.length > 0 ? started : await run<Holder>(tx, OF_CAR, [plateNo, plateColor])
  if (owners.length === 1) return accountFor(tx, owners[0]!)
  return (await run<{ id: string }>(tx, OF_PLATE, [plateNo]))[0]?.id
}
const OF_CAR = {
  sql: `select distinct a.phone, a.nickname as name from owner.car c join owner.account a on a.enterprise_id = c.enterprise_id and a.id = c.owner_id
    where c.enterprise_id = scope_enterprise() and c.plate_no = $1 and ($2::int is null or c.plate_color = $2) and c.verify_state = ${VerifyState.verified}`,
}
const OF_CHARGE = {
  sql: `select a.phone, a.nickname as name from charging.charge c join owner.account a on a.enterprise_id = c.enterprise_id and a.id::text = c.owner_id
    where c.enterprise_id = scope_enterprise() and c.order_no = $1`,
}
const OF_PLATE = {
  sql: `select id from coupon.points_account where enterprise_id = scope_enterprise() and merged_into is null and plates @> array[$1::text] order by created_at, id limit 1`,
}

interface Earned {
  event: number
  /** The amount paid; an event that is no payment counts as one yuan. */
  fen?: number
  bizNo: string
  parkCode?: string
  at: Instant
}
const ONCE_FEN = 100
/** Returns the points that each rule of an event gives just now, before its limits. */
async function duePoints(tx: Tx, { event, fen = ONCE_FEN, parkCode = '', at }: Omit<Earned, 'bizNo'>): Promise<{ rule: Rule; points: number }[]> {
  const rules = chosen(await run<Rule>(tx, RULES, [event, at, parkCode]))
  return rules.map((rule) => ({ rule, points: pointsOf(rule, fen, at) })).filter(({ points }) => points > 0)
}
/** Gives them, each rule up to its most, once for a number. Who has them is looked for, and their account opened, only where there are any. Gives how many. */
async function grant(tx: Tx, holder: () => Promise<string | undefined>, earned: Earned): Promise<number> {
  const due = await duePoints(tx, earned)
  const accountId = due.length > 0 ? await holder() : undefined
  if (accountId === undefined) return 0
  const { bizNo, parkCode, at } = earned
  // Held first: two that come at once share what the rule gives at most.
  const before = await lockAccount(tx, accountId)
  let { totalEarned } = before
  for (const { rule, points: all } of due) {
    const points = await capped(tx, accountId, rule, all, at)
    if (points <= 0) continue
    const facts = { points, ruleId: rule.id, bizNo, at, memo: rule.name, expireAt: expiryOf(rule, at), ...(parkCode !== undefined && { parkCode }) }
    totalEarned = (await earn(tx, accountId, facts)).totalEarned
    await run(tx, USED, [rule.id])
  }
  return totalEarned - before.totalEarned
}
const RULES = {
  sql: `select id, name, ratio, round_down, day_cap, month_cap, multiplier, multiplier_from, multiplier_to, additive, expire_type, expire_months from coupon.points_rule
    where enterprise_id = scope_enterprise() and event = $1 and not stopped and start_at <= $2 and end_at > $2 and (park_codes = '{}' or $3 = any(park_codes)) order by priority desc, created_at, id`,
}
const USED = { sql: 'update coupon.points_rule set used = true where enterprise_id = scope_enterprise() and id = $1 and not used' }

/** Returns the rules that apply: the weightiest of those that do not add up, and all that do. */
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
  }: Omit<Rule, 'id' | 'name' | 'additive' | 'dayCap' | 'monthCap' | 'expireType' | 'expireMonths'>,
  paidFen: number,
  at: Instant,
): number {
  const clock = cityTime(at).slice(11, 16)
  const [from, to] = [multiplierFrom, multiplierTo]
  const within = from === null || to === null || (from < to ? clock >= from && clock < to : clock >= from || clock < to)
  const exact = (paidFen * ratio * (within ? multiplier : 1000)) / 100_000
  return roundDown ? Math.floor(exact) : Math.round(exact)
}

/** Not beyond what the rule gives one account in a day and in a month; nobody has had anything without one. */
async function capped(tx: Tx, accountId: string | null, { id, dayCap, monthCap }: Rule, points: number, at: Instant): Promise<number> {
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

/** The answer to `owner.registered`: a welcome, once. */
export async function hearRegistered(
  tx: Tx,
  { ownerId, phone, nickname, at }: { ownerId: string; phone: string; nickname: string; at: Instant },
): Promise<undefined> {
  await grant(tx, () => accountFor(tx, { phone, name: nickname }), { event: PointsEvent.registration, bizNo: `ZC-${ownerId}`, at })
}
/** A driver signs in for the day. @throws CheckedIn, NoCheckIn */
export async function checkIn(tx: Tx, ownerId: string, at: Instant): Promise<number> {
  const [owner] = await run<Holder>(tx, OWNER, [ownerId])
  const bizNo = checkInOf(ownerId, at)
  const holder = async () => {
    const id = await accountFor(tx, owner!)
    await lockAccount(tx, id)
    if ((await run(tx, CHECKED_IN, [id, bizNo])).length > 0) throw CheckedIn()
    return id
  }
  const points = await grant(tx, holder, { event: PointsEvent.checkIn, bizNo, at })
  if (points === 0) throw NoCheckIn()
  return points
}
/** One a day of the city; by the owner too, so that two days of owners who are merged stay two. */
const checkInOf = (ownerId: string, at: Instant) => `QD${dayOf(at).replaceAll('-', '')}-${ownerId}`
const OWNER = { sql: 'select phone, nickname as name from owner.account where enterprise_id = scope_enterprise() and id = $1' }
const CHECKED_IN = { sql: 'select from coupon.points_batch where enterprise_id = scope_enterprise() and account_id = $1 and biz_no = $2' }
/** Returns the points that a check-in gives just now, and whether it was done today; undefined where no rule runs, or each has given its most. */
export async function checkInNow(
  tx: Tx,
  ownerId: string,
  accountId: string | undefined,
  at: Instant,
): Promise<{ points: number; done: boolean } | null> {
  const done = accountId !== undefined && (await run(tx, CHECKED_IN, [accountId, checkInOf(ownerId, at)])).length > 0
  let points = 0
  for (const due of await duePoints(tx, { event: PointsEvent.checkIn, at })) points += await capped(tx, accountId ?? null, due.rule, due.points, at)
  return points > 0 || done ? { points, done } : null
}

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

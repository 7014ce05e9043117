import type { Instant } from '../../../../platform/contract/field.ts'
import { dayOf, instantAt, msOf } from '../../../../platform/contract/time.ts'
import { inAllParks, run, type Tx } from '../../../../platform/server/database.ts'
import { IllegalMove, refusal } from '../../../../platform/server/refusal.ts'
import { applyRefund, orderOf } from '../../../settlement/server/api.ts'
import { FreezeCause, PassStatus } from '../../contract/pass.ts'
import { RefundRule } from '../../contract/plan.ts'
import { daysBetween, daysOn, midnight, unusedMonths } from './calendar.ts'
import { freeze, thaw, Waits } from './freeze.ts'
import { closePeriod, earnThrough, refundPart } from './income.ts'
import { endCover, type Held, lockPass, passOf, type PassRow, setPass } from './pass.ts'
import { Kind, type Period, periodOfOrder, periodsOf, State } from './period.ts'
import { Said } from '../../contract/said.ts'

export interface Part {
  period: Period
  paidFen: number
  /** Asked for of its order alone, and neither paid out nor rejected. */
  openFen: number
  usedDays: number
  refundFen: number
}
/** Returns the refund of each order as of now: orders not begun in full, the running one by the rule that it was sold by. Today counts as used. */
export async function partsOf(tx: Tx, pass: PassRow, at: Instant): Promise<Part[]> {
  const periods = (await periodsOf(tx, pass.id)).filter(
    ({ state, kind, orderId }) => state === State.counts && kind !== Kind.free && orderId !== null,
  )
  const parts: Part[] = []
  for (const period of periods) {
    const order = await orderOf(tx, period.orderId!)
    const paidFen = order.paidFen - order.refundFen
    const openFen = period.refundId === null ? order.refundingFen : 0
    const usedDays = await usedDaysOf(tx, period, at)
    parts.push({ period, paidFen, openFen, usedDays, refundFen: Math.max(0, Math.min(paidFen, goesBack(pass, period, paidFen, usedDays))) })
  }
  return parts
}
function goesBack(pass: PassRow, { soldFrom, days }: Period, paidFen: number, usedDays: number): number {
  if (usedDays === 0) return paidFen
  if (pass.refundRule === RefundRule.none) return 0
  if (pass.refundRule === RefundRule.byDay) return Math.floor((paidFen * (days - usedDays)) / days)
  const [unused, of] = unusedMonths(soldFrom, pass, days, usedDays)
  return Math.floor((paidFen * unused) / of)
}
const usedDaysOf = async (tx: Tx, period: Period, at: Instant): Promise<number> =>
  msOf(period.startAt) > msOf(at) ? 0 : Math.min(period.days, await usedOf(tx, period, at))
/** The day amounts that have come due, today's too; nothing is written for a quote, so days not posted yet are counted. */
async function usedOf(tx: Tx, { passId, id, startAt, earnedDays }: Period, at: Instant): Promise<number> {
  const [due] = await run<{ days: number }>(tx, { sql: DUE }, [passId, id, startAt, dayOf(at)])
  return earnedDays + due!.days
}
const DUE = `select count(*)::int as days from generate_series(greatest(($3::timestamptz at time zone 'Asia/Shanghai')::date,
      coalesce((select max(e.day) + 1 from member.earning e where e.enterprise_id = scope_enterprise() and e.pass_id = $1), ($3::timestamptz at time zone 'Asia/Shanghai')::date))::timestamp, $4::date::timestamp, interval '1 day') d
  where not exists (select from member.freeze f where f.enterprise_id = scope_enterprise() and f.pass_id = $1 and f.bank
      and (f.from_at at time zone 'Asia/Shanghai') <= d and (f.ended_at is null or (f.ended_at at time zone 'Asia/Shanghai') >= d + interval '1 day'))
    and not exists (select from member.period e where e.enterprise_id = scope_enterprise() and e.pass_id = $1 and e.id <> $2 and e.state = ${State.counts} and e.kind <> ${Kind.free}
      and e.start_at < $3 and e.earned_days < e.days)`

/** A pass that is valid now or later, or is frozen. */
const isGood = ({ status }: PassRow): boolean => status === PassStatus.valid || status === PassStatus.notYet || status === PassStatus.frozen
const OpenRefund = refusal(
  'member.refund-open',
  41492,
  '该月卡的订单还有 ¥{yuan} 退款未办结，请待其付出或驳回后再退卡',
  'A refund of ¥{yuan} of an order of this pass is still open: cancel the pass once that is paid out or rejected',
)
/** Refuses while a refund can still be rejected: its amount would be lost to the customer with the end of the pass. @throws OpenRefund */
export function refuseOpenRefund(parts: readonly Part[]): void {
  const openFen = parts.reduce((sum, part) => sum + part.openFen, 0)
  if (openFen > 0) throw OpenRefund({ yuan: (openFen / 100).toFixed(2) })
}
/** Access stops at once; the pass rests, banked, while another person decides on its money. Nothing to give back: it is over at once. */
export async function giveBack(tx: Tx, pass: PassRow, reason: string, actor: { userId: string; userName: string }, at: Instant): Promise<Held> {
  if (!isGood(pass) || pass.refunding) throw IllegalMove({ status: pass.status })
  if ((await periodsOf(tx, pass.id)).some(({ state }) => state === State.waits)) throw Waits()
  refuseOpenRefund(await partsOf(tx, pass, at))
  if (pass.status !== PassStatus.frozen)
    await freeze(tx, pass, { cause: FreezeCause.givenBack, bank: true, reason: Said.returned({ why: reason }), byName: actor.userName, at })
  await earnThrough(tx, pass.id, dayOf(at))
  const due = (await partsOf(tx, pass, at)).filter(({ refundFen }) => refundFen > 0)
  for (const { period, refundFen } of due) {
    const made = await applyRefund(tx, { orderId: period.orderId!, amountFen: refundFen, reason: Said.returned({ why: reason }), actor, at })
    await run(tx, { sql: 'update member.period set refund_id = $2 where enterprise_id = scope_enterprise() and id = $1' }, [period.id, made.id])
  }
  if (due.length === 0) return end(tx, pass, at)
  return setPass(tx, pass, { refunding: true }, at)
}

interface Ended {
  refundId: string
  orderId: string
  amountFen: number
  paidOut: boolean
  at: Instant
}
/**
 * A refund was paid out or refused. Once none of them is open the pass is over, or goes on with every day that it had and was not paid back, in each of its parks, no matter who decided.
 */
export async function hearRefund(tx: Tx, ended: Ended): Promise<true | undefined> {
  const [of] = await run<{ passId: string }>(tx, { sql: OF_REFUND }, [ended.refundId])
  return of ? inAllParks(tx, (whole) => goOnOrEnd(whole, of.passId, ended)) : ofItsOwn(tx, ended)
}
async function goOnOrEnd(tx: Tx, passId: string, { refundId, orderId, amountFen, paidOut, at }: Ended): Promise<true | undefined> {
  // The pass is locked before its periods, as giving it back does.
  await lockPass(tx, { id: passId })
  const sql = `update member.period set refund_id = null, state = case when $2 then ${State.refunded} else state end where enterprise_id = scope_enterprise() and refund_id = $1 returning *`
  const [period] = await run<Period>(tx, { sql }, [refundId, paidOut])
  if (!period) return ofItsOwn(tx, { refundId, orderId, amountFen, paidOut, at })
  const pass = await lockPass(tx, { id: period.passId })
  if (paidOut) {
    await closePeriod(tx, await refundPart(tx, period, amountFen, refundId, at), at)
    await takeOff(tx, pass, period, at)
  }
  const periods = await periodsOf(tx, pass.id)
  if (!pass.refunding || periods.some((one) => one.refundId !== null)) return true
  const goesOn = periods.some(({ state, kind, earnedDays, days }) => state === State.counts && kind !== Kind.free && earnedDays < days)
  if (goesOn) await thaw(tx, await lockPass(tx, { id: pass.id }), at, true)
  else await end(tx, await lockPass(tx, { id: pass.id }), at)
  return true
}
const OF_REFUND = 'select pass_id from member.period where enterprise_id = scope_enterprise() and refund_id = $1'
const GiveBack = refusal(
  'member.give-back-instead',
  41484,
  '该月卡仍可使用，全额退款请在月卡中办理退卡，退卡后立即停止通行',
  'This pass can still be used: to refund all of it, refund the pass itself, so that its access stops at once',
  422,
)
const TooMuchAlone = refusal(
  'member.too-much-alone',
  41438,
  '该月卡仍可使用，单独退此订单最多还能退 ¥{yuan}（未用天数所值的一半）；要退更多，请在月卡中办理退卡，退卡后立即停止通行',
  'This pass can still be used: its order alone gives back ¥{yuan} more at most, half of what its unused days are worth. To refund more, cancel the pass itself, so that its access stops at once',
  422,
)
const BeingGivenBack = refusal(
  'member.being-given-back',
  41493,
  '该月卡正在退卡，请待退卡的退款办结后再按订单退款',
  'This pass is being cancelled: refund its order once that is decided and paid out',
)
/**
 * The answer to `settlement.refundAsked`: of a pass that is being given back nothing more is asked for; of a pass that is good the order alone gives back a goodwill. A
 * goodwill that was granted before, and failed at the channel, counts as on the first day: its days went on. Two at once are one after the other: the caller holds the order's
 * money, and the pass is held after it. @throws BeingGivenBack, GiveBack, TooMuchAlone
 */
export async function refuseMuch(tx: Tx, { orderId, amountFen, refundId, at }: Asked): Promise<void> {
  const period = await periodOfOrder(tx, orderId)
  if (!period || period.state !== State.counts || (refundId && period.refundId === refundId)) return
  const [pass, usedDays] = await inAllParks(tx, async (whole) => [await lockPass(whole, { id: period.passId }), await usedDaysOf(whole, period, at)])
  if (pass.refunding) throw BeingGivenBack()
  if (!isGood(pass)) return
  const order = await orderOf(tx, orderId)
  const backFen = order.refundFen + order.refundingFen
  if (amountFen >= order.paidFen - backFen) throw GiveBack()
  const mostFen = Math.max(0, goodwillOf(period, order.paidFen, refundId === null ? usedDays : 0) - backFen)
  if (amountFen > mostFen) throw TooMuchAlone({ yuan: (mostFen / 100).toFixed(2) })
}
interface Asked {
  orderId: string
  amountFen: number
  refundId: string | null
  at: Instant
}
/** With more than half of what its unused days are worth in hand again, a customer has given the pass up and would still park. By the day, whatever the plan gives back: it makes up for days, as those of a building site. */
const GOODWILL_SHARE = 1 / 2
const goodwillOf = ({ days }: Period, paidFen: number, usedDays: number): number => Math.floor((paidFen * (days - usedDays) * GOODWILL_SHARE) / days)
/** An order of a pass was refunded by itself, the pass was not given back: it goes on, and earns less. */
async function ofItsOwn(tx: Tx, { refundId, orderId, amountFen, paidOut, at }: Ended): Promise<true | undefined> {
  const period = paidOut ? await periodOfOrder(tx, orderId) : undefined
  if (period) await refundPart(tx, period, amountFen, refundId, at)
  return period && true
}
/** The days that were paid back are taken off the end of a resting pass, and what comes after them comes earlier. */
async function takeOff(tx: Tx, pass: PassRow, { startAt, endAt }: Period, at: Instant): Promise<void> {
  if (!pass.refunding) return
  const rests = midnight(pass.frozenAt!)
  const days = daysBetween(msOf(startAt) > msOf(pass.frozenAt!) ? startAt : daysOn(rests, 1), endAt)
  const sql = `update member.period set start_at = start_at - make_interval(days => $3), end_at = end_at - make_interval(days => $3)
    where enterprise_id = scope_enterprise() and pass_id = $1 and state = ${State.counts} and start_at >= $2`
  await run(tx, { sql }, [pass.id, endAt, days])
  const earliest = Math.max(msOf(daysOn(rests, 1)), msOf(daysOn(pass.startAt, 1)))
  await setPass(tx, pass, { endAt: instantAt(Math.max(earliest, msOf(daysOn(pass.endAt, -days)))) }, at)
}

/** The pass is over: its cover, its pause, and what is left of its price. */
async function end(tx: Tx, pass: PassRow, at: Instant): Promise<Held> {
  for (const period of await periodsOf(tx, pass.id)) if (period.state === State.counts && period.kind !== Kind.free) await closePeriod(tx, period, at)
  await run(tx, { sql: 'update member.freeze set ended_at = $2 where enterprise_id = scope_enterprise() and pass_id = $1 and ended_at is null' }, [
    pass.id,
    at,
  ])
  await endCover(tx, pass.id, at)
  await setPass(tx, pass, { state: PassStatus.returned, frozenAt: null, refunding: false }, at)
  return passOf(tx, pass.id)
}

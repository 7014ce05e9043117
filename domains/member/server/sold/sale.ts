import type { Fen, Id, Instant, Of } from '../../../../platform/contract/field.ts'
import { DAY_MS, MINUTE_MS, instantAt, msOf } from '../../../../platform/contract/time.ts'
import { inAllParks, run, type Tx } from '../../../../platform/server/database.ts'
import { undoing } from '../../../../platform/server/call/keys.ts'
import { addJob, task } from '../../../../platform/server/job/jobs.ts'
import { IllegalMove, NotFound, refusal } from '../../../../platform/server/refusal.ts'
import type { Actor, PhasedContext } from '../../../../platform/server/serve.ts'
import { ordinaryPlate } from '../../../parking/server/api.ts'
import { cancelOrder, openOrder, orderOf, type OrderRow, payCash, type Settled, startPayment } from '../../../settlement/server/api.ts'
import { OrderStatus, OrderType } from '../../../settlement/contract/order.ts'
import { PayMethod, type PayMethodCode } from '../../../settlement/contract/payment.ts'
import { CustomerStatus } from '../../contract/customer.ts'
import { GroupStatus } from '../../contract/group.ts'
import type { PassOrder } from '../../contract/pass.ts'
import { PassStatus } from '../../contract/pass.ts'
import { PlanStatus } from '../../contract/plan.ts'
import { dayOfMonth, endOf, midnight, priceOf } from './calendar.ts'
import { type CarOf, carsOf, coverCars, dropHeld, keepCars, lockPass, type PassRow, refuseBay, releaseHeld, setPass, WAITS } from './pass.ts'
import { type Group, groupOf } from '../group.ts'
import { refuseFull } from './places.ts'
import { addPeriod, Kind, movePeriod, type Period, periodOfOrder, State } from './period.ts'
import { letGo } from './letGo.ts'
import { type Plan, planOf } from '../plan.ts'
import { tellApproved, tellRejected } from './telling.ts'
import { Said } from '../../contract/said.ts'

/** A sale waits so long for its money. */
const UNPAID_MS = 30 * MINUTE_MS
/** An applicant is not at the counter when the pass is granted: they get a message, and have a day to pay. */
const GRANTED_UNPAID_MS = DAY_MS
/** A later day is a mistyped year. */
const AHEAD_DAYS_MAX = 731
export const NotSold = refusal('member.not-sold', 41430, '该月卡类型或套餐不在售', 'This pass type or plan is not on sale', 422)
export const PriceMoved = refusal(
  'member.price-moved',
  41432,
  '价格已变化，现为 ¥{yuan}，请刷新后再办理',
  'The price is now ¥{yuan}: refresh and try again',
)
export const Stopped = refusal(
  'member.customer-stopped',
  41433,
  '客户已停用，不能再办理；请先启用该客户',
  'This customer is stopped: nothing can be sold: enable them first',
  422,
)
const TooManyCars = refusal('member.too-many-cars', 41434, '每卡最多 {most} 辆车', 'A pass takes {most:car} at most', 422)
const TooManyBays = refusal(
  'member.too-many-bays',
  41495,
  '车位数不能多于车辆数，这张卡有 {cars} 辆车；请减少车位或增加车辆',
  'There cannot be more bays than cars: this pass has {cars}: choose fewer bays, or add cars',
  422,
)
const PastStart = refusal('member.start-past', 41435, '开始时间不能早于今天', 'The start cannot be before today', 422)
const FarStart = refusal('member.start-far', 41485, '最多可提前 {days} 天开卡', 'A pass can start {days:day} ahead at most', 422)
const NoCar = refusal('member.no-car', 41486, '请至少填写一个车牌', 'Enter at least one plate', 422)
const NoWay = refusal(
  'member.pay-method',
  41436,
  '请选择现金、微信、支付宝、银联或数字人民币',
  'Pay by cash, WeChat, Alipay, UnionPay or digital yuan',
  422,
)

export type Order = Of<typeof PassOrder>
export interface Sale {
  memberId: string
  groupId: string
  carFeesId: string
  periods: number
  plates: readonly CarOf[]
  seats?: number
  seatCode?: string
  startAt?: Instant
  payableFen: number
}

/** Checks and prices a sale in all but its cars. */
export async function offerOf(
  tx: Tx,
  { groupId, carFeesId, periods, seats = 1, startAt }: Pick<Sale, 'groupId' | 'carFeesId' | 'periods' | 'seats' | 'startAt'>,
  at: Instant,
) {
  const [group, plan] = await Promise.all([groupOf(tx, groupId), planOf(tx, carFeesId)])
  if (group.status !== GroupStatus.inUse || plan.status !== PlanStatus.onSale || !group.carFeesIds.includes(plan.id)) throw NotSold()
  const from = midnight(startAt ?? at)
  if (msOf(from) < msOf(midnight(at))) throw PastStart()
  refuseFarStart(from, at)
  const parkCodes = parksOf(group, plan)
  const parkCode = parkCodes.includes(group.homePark) ? group.homePark : parkCodes[0]!
  return { group, plan, parkCodes, parkCode, from, to: endOf(from, plan, periods, dayOfMonth(from)), payableFen: priceOf(from, plan, periods, seats) }
}
/** @throws FarStart */
export function refuseFarStart(from: Instant, at: Instant): void {
  if (msOf(from) > msOf(at) + AHEAD_DAYS_MAX * DAY_MS) throw FarStart({ days: AHEAD_DAYS_MAX })
}
/** A kind bounds the cars, and the cars bound the bays: a bay that none of them could stand in would be sold to nobody. @throws TooManyCars, TooManyBays */
export function refuseCars(cars: number, seats: number, { maxCars }: Pick<Group, 'maxCars'>): void {
  if (cars > maxCars) throw TooManyCars({ most: maxCars })
  if (seats > cars) throw TooManyBays({ cars })
}
/** Where a pass of this kind and plan is good. */
export function parksOf(group: Group, plan: Pick<Plan, 'parks'> | undefined): string[] {
  const parkCodes = plan?.parks.length ? plan.parks.filter((code) => group.parkCodes.includes(code)) : group.parkCodes
  if (parkCodes.length === 0) throw NotSold()
  return parkCodes
}
/** Sells: the pass waits for its money (or for a review), its cars keep their place meanwhile. */
export async function sell(tx: Tx, sale: Sale, actor: Actor, at: Instant): Promise<{ pass: PassRow; order: OrderRow | undefined }> {
  const [customer] = await run<{ status: number; name: string }>(
    tx,
    { sql: 'select status, name from member.customer where enterprise_id = scope_enterprise() and id = $1 for share' },
    [sale.memberId],
  )
  if (!customer) throw NotFound()
  if (customer.status === CustomerStatus.stopped) throw Stopped()
  const { group, plan, parkCodes, parkCode, from, to, payableFen } = await offerOf(tx, sale, at)
  if (payableFen !== sale.payableFen) throw PriceMoved({ yuan: (payableFen / 100).toFixed(2), payableFen })
  const { seats = 1 } = sale
  await refuseFull(tx, group, plan, seats)
  const cars = [...new Map(sale.plates.map((car) => [ordinaryPlate(car.plateNo), { ...car, plateNo: ordinaryPlate(car.plateNo) }])).values()]
  // A car is added to the cars of a pass, and a pass without cars covers nothing.
  if (cars.length === 0) throw NoCar()
  refuseCars(cars.length, seats, group)
  await refuseBay(tx, { parkCode, seatCode: sale.seatCode ?? null }, from, to)
  const { id } = await tx
    .insertInto('member.pass')
    .values({
      memberId: sale.memberId as Id<'CustomerId'>,
      groupId: group.id,
      carFeesId: plan.id,
      parkCode,
      parkCodes,
      seatCode: sale.seatCode ?? null,
      seats,
      timeWindow: plan.timeWindow,
      startAt: from,
      endAt: to,
      anchorDay: dayOfMonth(from),
      state: group.review ? PassStatus.underReview : PassStatus.toPay,
      priceFen: plan.priceFen,
      periods: sale.periods,
      periodUnit: plan.periodUnit,
      periodCount: plan.periodCount,
      validType: plan.validType,
      graceDays: plan.graceDays,
      renewAheadDays: plan.renewAheadDays,
      refundRule: plan.refundRule,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await keepCars(tx, sale.memberId, cars)
  await coverCars(tx, { passId: id, parkCodes, timeWindow: plan.timeWindow, from, to, heldBy: WAITS }, cars)
  const pass = await lockPass(tx, { id })
  return { pass, order: group.review ? undefined : await orderFor(tx, pass, { payableFen, byName: actor.userName, at }) }
}

/** The order of a pass that was reviewed, or need not be. Nothing to pay: it is valid at once. */
export async function orderFor(
  tx: Tx,
  pass: PassRow,
  { payableFen, byName, waitsMs = UNPAID_MS, at }: { payableFen: number; byName: string; waitsMs?: number; at: Instant },
): Promise<OrderRow> {
  const order = await openPassOrder(tx, pass, payableFen, Said.pass({ passNo: pass.passNo }), at)
  await run(tx, { sql: 'update member.pass_car set order_id = $2 where enterprise_id = scope_enterprise() and pass_id = $1 and held' }, [
    pass.id,
    order.id,
  ])
  await addPeriod(tx, pass, { kind: Kind.opened, from: pass.startAt, to: pass.endAt, order, byName, counts: false, at })
  if (order.status === OrderStatus.free) await begin(tx, pass, order.id, at)
  else await setPass(tx, pass, { state: PassStatus.toPay }, at)
  await waitForMoney(tx, order, at, waitsMs)
  return order
}
export const openPassOrder = (tx: Tx, pass: PassRow, receivableFen: number, subject: string, at: Instant): Promise<OrderRow> =>
  openOrder(tx, { type: OrderType.pass, creditedTo: pass.id, subject, plateNo: pass.plates[0] ?? null, parkCode: pass.parkCode, receivableFen, at })
export const waitForMoney = async (tx: Tx, order: OrderRow, at: Instant, waitsMs = UNPAID_MS): Promise<void> => {
  if (order.status === OrderStatus.unpaid)
    await addJob(tx, unpaidOver, { orderId: order.id }, { runAt: instantAt(msOf(at) + waitsMs), key: `member.unpaid ${order.id}` })
}

async function begin(tx: Tx, pass: PassRow, orderId: string, at: Instant): Promise<void> {
  const period = await periodOfOrder(tx, orderId)
  if (!period || !(await movePeriod(tx, period.id, State.waits, State.counts, at))) return
  await releaseHeld(tx, orderId)
  await setPass(tx, pass, { state: PassStatus.valid }, at)
}

/** An order of a pass is paid: the change that waited for it holds now, in the transaction that took the money and in each of its parks, no matter who took it. */
export async function hearPaid(tx: Tx, { type, orderId, status, at }: Settled): Promise<true | undefined> {
  if (type !== OrderType.pass || (status !== OrderStatus.paid && status !== OrderStatus.free)) return undefined
  const period = await periodOfOrder(tx, orderId)
  if (!period) return undefined
  await inAllParks(tx, async (whole) => {
    const pass = await lockPass(whole, { id: period.passId })
    if (period.kind === Kind.renewed) await prolong(whole, pass, period, at)
    else await begin(whole, pass, orderId, at)
  })
  return true
}
/** The end of a pass moves to where its renewal ends. */
export async function prolong(tx: Tx, pass: PassRow, period: Period, at: Instant): Promise<void> {
  if (!(await movePeriod(tx, period.id, State.waits, State.counts, at))) return
  await releaseHeld(tx, period.orderId!)
  const anew = msOf(period.startAt) > msOf(pass.endAt)
  const [{ parks }] = (await run<{ parks: string[] }>(tx, { sql: PARKS }, [period.orderId])) as [{ parks: string[] }]
  const parkCodes = parks.length ? parks : pass.parkCodes
  await setPass(tx, pass, { endAt: period.endAt, parkCodes, ...(anew && { anchorDay: dayOfMonth(period.startAt) }) }, at)
}

const PARKS =
  "select coalesce(array_agg(distinct park_code order by park_code), '{}') as parks from member.pass_car where enterprise_id = scope_enterprise() and order_id = $1"

/** Cancels an order that nobody paid in time: the places are free again. One that is being paid just now waits a little longer. */
const unpaidOver = task<{ orderId: string }>('member.unpaid', async ({ tx, data: { orderId }, at }) => {
  const order = await orderOf(tx, orderId)
  if (order.status === OrderStatus.paying) return void (await addJob(tx, unpaidOver, { orderId }, { runAt: instantAt(msOf(at) + UNPAID_MS / 6) }))
  if (order.status === OrderStatus.unpaid) await cancelOrder(tx, orderId, { reason: Said.unpaid, at })
  await letGo(tx, orderId, at)
})
export const tasks = [unpaidOver]

const WhyRejected = refusal('member.why-rejected', 41490, '驳回须填写原因', 'Enter the reason for rejecting', 422)
/**
 * Grants an application: it waits for its money, with the reviewer's remark. @throws Overlaps, BayTaken when it begins later than it was asked for and something else was sold
 * meanwhile
 */
export async function grant(tx: Tx, pass: PassRow, remark: string | undefined, actor: Actor, at: Instant): Promise<OrderRow> {
  refuseReviewed(pass)
  if (remark) await setPass(tx, pass, { remark }, at)
  const due = await notBefore(tx, pass, at)
  const payableFen = priceOf(due.startAt, due, due.periods, due.seats)
  const order = await orderFor(tx, due, { payableFen, byName: actor.userName, waitsMs: GRANTED_UNPAID_MS, at })
  if (order.status === OrderStatus.unpaid) await tellApproved(tx, due, { payableFen, until: instantAt(msOf(at) + GRANTED_UNPAID_MS) })
  return order
}
/** Rejects an application, which ends it; its customer and the applicant see why. @throws WhyRejected */
export async function reject(tx: Tx, pass: PassRow, rejectedFor: string | undefined, at: Instant): Promise<void> {
  refuseReviewed(pass)
  if (!rejectedFor) throw WhyRejected()
  await dropHeld(tx, pass.id, null)
  await setPass(tx, pass, { state: PassStatus.deleted, rejectedFor }, at)
  await tellRejected(tx, pass, rejectedFor)
}
function refuseReviewed({ status }: PassRow): void {
  if (status !== PassStatus.underReview) throw IllegalMove({ status })
}

/** Days that were over before the review covered nothing, so they are not sold: it begins on the day of the review. */
async function notBefore(tx: Tx, pass: PassRow, at: Instant): Promise<PassRow> {
  const from = midnight(at)
  if (msOf(pass.startAt) >= msOf(from)) return pass
  const { id, parkCodes, timeWindow, periods } = pass
  const to = endOf(from, pass, periods, dayOfMonth(from))
  await refuseBay(tx, pass, from, to)
  const cars = await carsOf(tx, id)
  await dropHeld(tx, id, null)
  await coverCars(tx, { passId: id, parkCodes, timeWindow, from, to, heldBy: WAITS }, cars)
  await setPass(tx, pass, { startAt: from, endAt: to, anchorDay: dayOfMonth(from) }, at)
  return lockPass(tx, { id })
}

/** Ways of paying at a counter: cash in hand, or a code that the payer scans. */
const COUNTER: readonly PayMethodCode[] = [PayMethod.cash, PayMethod.wechat, PayMethod.alipay, PayMethod.unionpay, PayMethod.digitalYuan]
export function refuseMethod(payMethod: PayMethodCode): void {
  if (!COUNTER.includes(payMethod)) throw NoWay()
}
export async function takeCash(tx: Tx, order: OrderRow | undefined, payMethod: PayMethodCode, actor: Actor, at: Instant): Promise<void> {
  const waits = order?.status === OrderStatus.unpaid || order?.status === OrderStatus.paying
  if (waits && payMethod === PayMethod.cash) await payCash(tx, { orderId: order.id, amountFen: order.payableFen, actor, at })
}
/** After the sale has committed: a payer's page at the channel, where it is not cash. */
export async function payAt(
  { write, actor, at }: Pick<PhasedContext<unknown>, 'write' | 'actor' | 'at'>,
  { passId, order, payMethod, warning = null }: { passId: string; order: OrderRow | undefined; payMethod: PayMethodCode; warning?: string | null },
): Promise<Order> {
  const plain = {
    passId,
    orderNo: order?.orderNo ?? null,
    payableFen: order?.payableFen ?? (0 as Fen),
    payUrl: null,
    expiresAt: null,
    warning,
  }
  if (!order || order.status !== OrderStatus.unpaid || payMethod === PayMethod.cash) return plain
  const { payUrl, expiresAt } = await startPayment(write, { orderId: order.id, payMethod, merchant: actor.enterprise, at }).catch(
    async (error: Error) => {
      // No channel took the order: the places held for it are free at once.
      await undoing(write)(async (tx) => {
        await cancelOrder(tx, order.id, { reason: Said.channelAway, at })
        await letGo(tx, order.id, at)
      })
      throw error
    },
  )
  return { ...plain, payUrl, expiresAt }
}

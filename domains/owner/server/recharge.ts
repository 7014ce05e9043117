import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob, type Task, task } from '../../../platform/server/job/jobs.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { post } from '../../ledger/server/api.ts'
import {
  cancelOrder,
  describeRecharge,
  openOrder,
  orderOf,
  type OrderRow,
  payCash,
  type RechargeFacts,
  type Settled,
  startPayment,
} from '../../settlement/server/api.ts'
import { OrderStatus, OrderType } from '../../settlement/contract/order.ts'
import { PayMethod, type PayMethodCode } from '../../settlement/contract/payment.ts'
import { RechargeKind } from '../../settlement/contract/recharge.ts'
import { MovementKind, NO_PARK, PurseKind, RechargeState } from '../contract/asset.ts'
import type { MyActivity } from '../contract/mine.ts'
import { book, lockPurse } from './purse.ts'
import { Said } from '../contract/said.ts'

const NoWay = refusal(
  'owner.no-way-to-recharge',
  41502,
  '该方式不能用于充值，请选择其他支付方式',
  'Stored value cannot be recharged this way: choose another payment method',
  422,
)
/** Money that comes from outside: stored value is not recharged out of stored value. */
const WAYS = new Set<number>([PayMethod.wechat, PayMethod.alipay, PayMethod.cash, PayMethod.unionpay, PayMethod.digitalYuan])

interface Recharge {
  purseId: string
  ownerId: string | null
  payFen: number
  subject: string
  parkCode?: string
  at: Instant
}
/** Opens an order for a recharge of a purse. Its bonus is known when it is paid. */
export async function openRecharge(tx: Tx, { purseId, ownerId, payFen, subject, parkCode = NO_PARK, at }: Recharge): Promise<OrderRow> {
  const order = await openOrder(tx, { type: OrderType.storedValue, creditedTo: purseId, subject, parkCode, receivableFen: payFen, at })
  await run(
    tx,
    { sql: 'insert into owner.recharge (order_id, order_no, purse_id, owner_id, principal_fen, made_at) values ($1, $2, $3, $4, $5, $6)' },
    [order.id, order.orderNo, purseId, ownerId, payFen, at],
  )
  const [purse] = await run<Omit<RechargeFacts, 'bizType'> & { kind: number }>(tx, { sql: OF_PURSE }, [purseId])
  const { kind, ...facts } = purse!
  await describeRecharge(tx, order.id, { ...facts, bizType: kind === PurseKind.card ? RechargeKind.parkCard : RechargeKind.stored })
  await addJob(tx, unpaidOver, { orderId: order.id }, { key: `${unpaidOver.name}:${order.id}`, runAt: instantAt(msOf(at) + UNPAID_MS) })
  return order
}
const OF_PURSE = `select p.kind, coalesce(c.holder, a.nickname) as member_name, nullif(left(c.plates, 200), '') as plates from owner.purse p
    left join owner.card c on c.enterprise_id = p.enterprise_id and c.purse_id = p.id left join owner.account a on a.enterprise_id = p.enterprise_id and a.id = p.owner_id
  where p.enterprise_id = scope_enterprise() and p.id = $1`

/** The time in which a recharge may be paid, under the activities that ran when it was made; as long as a pass. */
const UNPAID_MS = 30 * 60_000
/** One that is being paid just now is looked at again after so long. */
const AGAIN_MS = 5 * 60_000
/** Cancels the order of a recharge that nobody paid in time; later money goes back by itself. */
export const unpaidOver: Task<{ orderId: string }> = task<{ orderId: string }>('owner.recharge-unpaid', async ({ tx, data: { orderId }, at }) => {
  const { status } = await orderOf(tx, orderId)
  if (status === OrderStatus.paying) await addJob(tx, unpaidOver, { orderId }, { runAt: instantAt(msOf(at) + AGAIN_MS) })
  if (status === OrderStatus.unpaid) await cancelOrder(tx, orderId, { reason: Said.unpaid, at })
})

type Write = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
interface Paid {
  payMethod: PayMethodCode
  actor: { userId: string; userName: string; enterprise: number }
  at: Instant
}
export const checkWay = (payMethod: PayMethodCode): void => {
  if (!WAYS.has(payMethod)) throw NoWay()
}
/** Cash is taken at once, with what else is done; for the rest the payer gets an address, outside of any transaction. */
export const takeCash = async (tx: Tx, order: OrderRow, { payMethod, actor, at }: Paid): Promise<OrderRow> =>
  payMethod === PayMethod.cash ? payCash(tx, { orderId: order.id, amountFen: order.payableFen, actor, at }) : order
export async function payUrlOf(
  write: Write,
  order: OrderRow,
  { payMethod, actor, at }: Paid,
): Promise<{ orderNo: string; payUrl: string | null; bonusFen: Fen }> {
  const { orderNo } = order
  if (payMethod === PayMethod.cash) return { orderNo, payUrl: null, bonusFen: await write((tx) => bonusOf(tx, order.id)) }
  const { payUrl } = await startPayment(write, { orderId: order.id, payMethod, merchant: actor.enterprise, at })
  return { orderNo, payUrl, bonusFen: 0 as Fen }
}
const bonusOf = async (tx: Tx, orderId: string): Promise<Fen> =>
  (
    await run<{ fen: Fen }>(tx, { sql: 'select bonus_fen as fen from owner.recharge where enterprise_id = scope_enterprise() and order_id = $1' }, [
      orderId,
    ])
  )[0]?.fen ?? (0 as Fen)

interface Row {
  id: string
  purseId: string
  ownerId: string | null
  principalFen: number
  madeAt: Instant
}
/** The answer to `settlement.orderPaid`: the payment goes into the purse, and the best activity's bonus with it. */
export async function hearPaid(tx: Tx, { orderId, type, at }: Settled): Promise<void> {
  if (type !== OrderType.storedValue) return
  const [recharge] = await run<Row>(tx, { sql: HEARD }, [orderId])
  if (!recharge) return
  const { purseId, principalFen } = recharge
  await lockPurse(tx, purseId)
  const order = await orderOf(tx, orderId)
  const about = { bizNo: order.orderNo, orderId, parkCode: order.parkCode, payMethod: order.payMethod, operatorName: order.operatorName, at }
  await book(tx, purseId, { ...about, kind: MovementKind.recharged, principalFen })
  const best = await bestOf(tx, recharge, order.payMethod)
  const bonusFen = best?.bonusFen ?? 0
  if (best) {
    await giveBonus(tx, purseId, order, best.bonusFen, at)
    await book(tx, purseId, { ...about, kind: MovementKind.given, bonusFen, remark: best.name })
  }
  await run(tx, { sql: PAID }, [recharge.id, bonusFen, best?.id ?? null, order.payMethod, at])
}
const HEARD = `select id, purse_id, owner_id, principal_fen, made_at from owner.recharge where enterprise_id = scope_enterprise() and order_id = $1 and state = ${RechargeState.waiting} for update`
const PAID = `update owner.recharge set state = ${RechargeState.paid}, bonus_fen = $2, activity_id = $3, pay_method = $4, paid_at = $5 where enterprise_id = scope_enterprise() and id = $1`

const giveBonus = (tx: Tx, purseId: string, { orderNo, parkCode }: OrderRow, fen: number, at: Instant) =>
  post(tx, {
    bizType: 'stored.given',
    bizNo: orderNo,
    about: orderNo,
    eventId: `stored-bonus:${orderNo}`,
    at,
    parkCode,
    business: 'stored',
    lines: [
      { account: 'expense.marketing', debitFen: fen },
      { account: 'liability.stored-bonus', sub: purseId, creditFen: fen },
    ],
  })

interface Best {
  id: string
  name: string
  bonusFen: number
}
/** Of the activities that ran when the order was made, the one that gives most, its highest tier that is reached; not one that was used as often as each may. The purse is held, so two recharges count one after the other. */
async function bestOf(tx: Tx, { purseId, ownerId, principalFen, madeAt }: Row, payMethod: number | null): Promise<Best | undefined> {
  const running = await runningFor(tx, { purseId, ownerId, madeAt, payMethod })
  return running
    .map(({ id, name, tiers }) => ({
      id,
      name,
      bonusFen: Math.max(0, ...tiers.filter((tier) => tier.payFen <= principalFen).map((tier) => tier.bonusFen)),
    }))
    .filter(({ bonusFen }) => bonusFen > 0)
    .sort((a, b) => b.bonusFen - a.bonusFen)[0]
}
/** Activities that a recharge made then falls under, one that its payer may still use. `payMethod`: null before anybody chose. */
export const runningFor = (
  tx: Tx,
  { purseId, ownerId, madeAt, payMethod }: { purseId: string | null; ownerId: string | null; madeAt: Instant; payMethod: number | null },
): Promise<Of<typeof MyActivity>[]> => run(tx, { sql: RUNNING }, [madeAt, payMethod, ownerId, purseId])
const RUNNING = `select a.id, a.name, a.end_at, a.pay_methods, a.tiers from owner.activity a where a.enterprise_id = scope_enterprise() and not a.stopped and a.start_at <= $1 and a.end_at > $1
  and (jsonb_array_length(a.pay_methods) = 0 or $2::int is null or a.pay_methods @> to_jsonb($2::int))
  and (a.per_user_times is null or a.per_user_times > (select count(*) from owner.recharge r where r.enterprise_id = a.enterprise_id and r.activity_id = a.id and r.state = ${RechargeState.paid}
    and (r.purse_id = $4 or r.owner_id = $3))) order by a.created_at`

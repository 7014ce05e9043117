import { instantAt, msOf } from '../../../platform/contract/time.ts'
import type { Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob, type Task, task } from '../../../platform/server/job/jobs.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import type { PhasedContext } from '../../../platform/server/serve.ts'
import { OrderStatus, OrderType } from '../../settlement/contract/order.ts'
import { PayMethod, type PayMethodCode } from '../../settlement/contract/payment.ts'
import { cancelOrder, openOrder, orderOf, type OrderRow, type Settled, startPayment } from '../../settlement/server/api.ts'
import type { desk } from '../contract/desk.ts'
import { Said } from '../contract/said.ts'
import { credited } from './account.ts'
import type { MerchantRow } from './merchant.ts'
import { lockMerchant } from './purse.ts'

const NoWay = refusal(
  'merchant.no-way-to-recharge',
  41763,
  '该方式不能在此充值，请选择微信、支付宝、云闪付或数字人民币',
  'An account cannot be recharged this way here: choose WeChat Pay, Alipay, UnionPay or digital yuan',
  422,
)
/** Money that a telephone sends by itself. */
const WAYS = new Set<number>([PayMethod.wechat, PayMethod.alipay, PayMethod.unionpay, PayMethod.digitalYuan])
/** The time in which a recharge may be paid, as long as a driver's. */
const UNPAID_MS = 30 * 60_000
/** One that is being paid just now is looked at again after so long. */
const AGAIN_MS = 5 * 60_000

type Asked = PhasedContext<Of<typeof desk.recharge.input>>
/** An order over what the merchant wants to put in, and where to pay it. `mine`: who asks, with the right to. */
export async function recharge({ input: { amountFen, payMethod }, actor, at, write }: Asked, mine: (tx: Tx) => Promise<MerchantRow>) {
  if (!WAYS.has(payMethod)) throw NoWay()
  const order = await write(async (tx) => openRecharge(tx, await lockMerchant(tx, (await mine(tx)).id, { enabled: true }), { amountFen, at }))
  const { payUrl } = await startPayment(write, { orderId: order.id, payMethod: payMethod as PayMethodCode, merchant: actor.enterprise, at })
  return { orderNo: order.orderNo, payUrl }
}
async function openRecharge(
  tx: Tx,
  { id, name, parkCodes }: MerchantRow,
  { amountFen, at }: { amountFen: number; at: Asked['at'] },
): Promise<OrderRow> {
  const order = await openOrder(tx, {
    type: OrderType.merchantRecharge,
    creditedTo: id,
    subject: Said.recharge({ name }),
    parkCode: parkCodes[0]!,
    receivableFen: amountFen,
    at,
  })
  await run(tx, { sql: 'insert into merchant.desk_recharge (order_id, mch_id, at) values ($1, $2, $3)' }, [order.id, id, at])
  await addJob(tx, unpaidOver, { orderId: order.id }, { key: `${unpaidOver.name}:${order.id}`, runAt: instantAt(msOf(at) + UNPAID_MS) })
  return order
}

/** Cancels the order of a recharge that nobody paid in time; later money goes back by itself. */
export const unpaidOver: Task<{ orderId: string }> = task<{ orderId: string }>('merchant.recharge-unpaid', async ({ tx, data: { orderId }, at }) => {
  const { status } = await orderOf(tx, orderId)
  if (status === OrderStatus.paying) await addJob(tx, unpaidOver, { orderId }, { runAt: instantAt(msOf(at) + AGAIN_MS) })
  if (status === OrderStatus.unpaid) await cancelOrder(tx, orderId, { reason: Said.unpaid, at })
})

/** The answer to `settlement.orderPaid`: a recharge that the merchant paid by itself is credited once. A recharge at the counter credits itself. */
export async function hearPaid(tx: Tx, { orderId, type, at }: Settled): Promise<void> {
  if (type !== OrderType.merchantRecharge) return
  const [asked] = await run<{ mchId: string }>(tx, TAKEN, [orderId, at])
  if (!asked) return
  const [found, order] = [await lockMerchant(tx, asked.mchId), await orderOf(tx, orderId)]
  await credited(tx, found, order, { amountFen: order.paidFen, payMethod: order.payMethod as PayMethodCode, by: found.name, at })
}
const TAKEN = {
  sql: 'update merchant.desk_recharge set paid_at = $2 where enterprise_id = scope_enterprise() and order_id = $1 and paid_at is null returning mch_id',
}

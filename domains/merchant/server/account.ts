import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { columnsIn } from '../../../platform/contract/names.ts'
import { post } from '../../ledger/server/api.ts'
import { CHANNELS, PayMethod } from '../../settlement/contract/payment.ts'
import { OrderType } from '../../settlement/contract/order.ts'
import { begin, noticePayment, openOrder, type OrderRow, payCash } from '../../settlement/server/api.ts'
import { account, BalanceDetail, BalanceKind, balanceSearch, Recharge } from '../contract/account.ts'
import type { MerchantRow } from './merchant.ts'
import { lockMerchant, move, refill } from './purse.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

const SlipSeen = refusal(
  'merchant.slip-seen',
  41720,
  '凭证号 {receiptNo} 已用过，请核对转账凭证',
  'Receipt {receiptNo} was already used: check the transfer receipt',
)
const NoSlip = refusal('merchant.no-slip', 41721, '转账充值须填写凭证号', 'Enter the slip number of the transfer', 422)

export const balanceDetails = listOver(BalanceDetail, 'merchant.balanceDetail', balanceSearch, { sums: ['amountFen'] })
type Wanted = Of<typeof account.recharge.input>
type Person = { userId: string; userName: string }
/** How money is taken at the counter: into the till, or by a transfer whose slip is shown. */
const TAKEN: readonly number[] = [PayMethod.cash, PayMethod.other]

export const calls = serve(account, {
  async recharge({ tx, input, actor, at }) {
    const { mchId, amountFen, payMethod, receiptNo } = input
    if (!TAKEN.includes(payMethod)) throw BadInput({ zh: '线下充值只收现金或转账', en: 'an offline recharge takes cash or a transfer only' })
    if (payMethod === PayMethod.other && !receiptNo) throw NoSlip()
    if (receiptNo && (await run(tx, SLIP, [receiptNo])).length) throw SlipSeen({ receiptNo })
    const found = await lockMerchant(tx, mchId)
    const order = await openOrder(tx, {
      type: OrderType.merchantRecharge,
      creditedTo: mchId,
      subject: Said.recharge({ name: found.name }),
      parkCode: found.parkCodes[0]!,
      receivableFen: amountFen,
      at,
    })
    await take(tx, order.id, input, actor, at)
    return credited(tx, found, order, { amountFen, payMethod, receiptNo, images: input.images, by: actor.userName, at })
  },
  balanceDetailPage: ({ tx, input }) => page(tx, balanceDetails, input),
})
interface Credited {
  amountFen: number
  payMethod: Wanted['payMethod']
  receiptNo?: string | undefined
  images?: string | undefined
  by: string
  at: Instant
}
/** Money that has come for a merchant: used credit is repaid first, the rest is balance. */
export async function credited(
  tx: Tx,
  found: MerchantRow,
  order: OrderRow,
  { amountFen, payMethod, receiptNo, images, by, at }: Credited,
): Promise<Of<typeof Recharge>> {
  const mchId = found.id
  const got = await refill(tx, found, amountFen)
  await move(tx, found, BalanceKind.recharge, got, { amountFen, bizNo: order.orderNo, at, by })
  const repaidFen = -got.usedFen
  await post(tx, {
    bizType: 'merchant.repaid',
    bizNo: order.orderNo,
    eventId: `merchant.repaid:${order.id}`,
    at,
    parkCode: order.parkCode,
    business: 'coupon',
    lines: [
      { account: 'liability.merchant', sub: mchId, debitFen: repaidFen },
      { account: 'asset.merchant-credit', sub: mchId, creditFen: repaidFen },
    ],
  })
  const values = [mchId, order.id, order.orderNo, amountFen, repaidFen, payMethod, receiptNo ?? null, images ?? null, by, at]
  return (await run<Of<typeof Recharge>>(tx, KEPT, values))[0]!
}
const SLIP = { sql: 'select from merchant.recharge where enterprise_id = scope_enterprise() and receipt_no = $1' }
const RECHARGE = columnsIn(Recharge)
const KEPT = {
  sql: `insert into merchant.recharge (mch_id, order_id, order_no, amount_fen, repaid_fen, pay_method, receipt_no, images, operator_name, at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning ${RECHARGE}`,
}

/** Cash goes into the till of its cashier; a transfer is money at the bank, known by its slip. */
async function take(
  tx: Tx,
  orderId: string,
  { amountFen, payMethod, receiptNo }: Wanted,
  actor: Person,
  at: Parameters<typeof begin>[3],
): Promise<void> {
  if (payMethod === PayMethod.cash) return void (await payCash(tx, { orderId, amountFen, actor, at }))
  const { attempt } = await begin(tx, orderId, payMethod, at)
  await noticePayment(tx, { payNo: attempt.payNo, channel: CHANNELS[payMethod], tradeNo: receiptNo!, amountFen: amountFen as Fen, paidAt: at, at })
}

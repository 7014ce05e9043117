import type { Instant } from '../../../../../platform/contract/field.ts'
import { PayAway, type TradeState } from '../provider.ts'
import type { AlipayAccount, AlipaySettings } from './account.ts'
import { timeOf, titleOf, yuanOf } from './fields.ts'
import { ask } from './gateway.ts'
import type { PlateDebits } from './port.ts'
import type { RefundOrder } from './refund.ts'
import { about, tradeIn } from './trade.ts'
import { debitFailure, isStranded } from './words.ts'

type Park = NonNullable<AlipaySettings['parking']>
type PlateOrder = Parameters<PlateDebits['debit']>[0]

/** Debits by number plate, of drivers who have agreed to it in Alipay's own app. */
export const platesOf = (account: AlipayAccount, park: Park): PlateDebits => ({
  query: ({ plateNo }) => mayDebit(account, park, plateNo),
  entered: ({ plateNo, at }) => tell(account, park, 'alipay.eco.mycar.parking.enterinfo.sync', plateNo, ['in_time', at]),
  left: ({ plateNo, at }) => tell(account, park, 'alipay.eco.mycar.parking.exitinfo.sync', plateNo, ['out_time', at]),
  debit: (order) => debit(account, park, order),
  tradeOf: ({ payNo }) => plateTrade(account, payNo),
  refund: (order) => refund(account, order),
})

/** Older answers say only `agreement_status` (0 may be debited), newer ones the scenes in which the plate was agreed to. */
async function mayDebit(account: AlipayAccount, { parkingId }: Park, plateNo: string): Promise<boolean> {
  const answer = await ask(account, 'alipay.eco.mycar.parking.agreement.query', { content: { car_number: plateNo, parking_id: parkingId } })
  if (answer.verdict === 'unknown') throw PayAway()
  if (answer.verdict !== 'done') return false
  const scenes = answer.node['agreement_scene']
  return typeof scenes === 'string' ? scenes.split(',').includes('PLATE_PAY') : answer.node['agreement_status'] === '0'
}

/** Alipay shows the stay to its driver; the park works as well without that, so a refusal is left at that. @throws PayAway */
async function tell(account: AlipayAccount, { parkingId }: Park, method: string, plateNo: string, [name, at]: [string, Instant]): Promise<void> {
  const { verdict } = await ask(account, method, { content: { parking_id: parkingId, car_number: plateNo, [name]: timeOf(at) } })
  if (verdict === 'unknown') throw PayAway()
}

async function debit(account: AlipayAccount, { parkingId, outParkingId, agentId }: Park, order: PlateOrder): Promise<TradeState> {
  const content = {
    car_number: order.plateNo,
    car_number_color: order.color,
    out_trade_no: order.payNo,
    subject: titleOf(order.subject),
    total_fee: yuanOf(order.amountFen),
    seller_id: account.sellerId,
    parking_id: parkingId,
    out_parking_id: outParkingId,
    agent_id: agentId,
  }
  const answer = await ask(account, 'alipay.eco.mycar.parking.order.pay', { content })
  if (answer.verdict === 'done')
    return tradeIn(about(answer, 'out_trade_no', order.payNo).node, { amount: 'total_fee', paid: 'gmt_payment' }, 'TRADE_SUCCESS')
  // Its words for a refusal are published nowhere: only a trade that Alipay does not know, or says is over, was not debited.
  const trade = await plateTrade(account, order.payNo)
  if (trade.state !== 'none' && trade.state !== 'closed') return trade
  if (answer.verdict === 'unknown') return { state: 'none' }
  const failure = debitFailure(answer.subCode)
  return { state: 'closed', ...(failure && { failure }) }
}

async function plateTrade(account: AlipayAccount, payNo: string): Promise<TradeState> {
  const answer = await ask(account, 'alipay.eco.mycar.trade.order.query', { content: { out_biz_trade_no: payNo } })
  if (answer.verdict === 'unknown') throw PayAway()
  if (answer.verdict !== 'done') return { state: 'none' }
  const { node } = about(answer, 'out_biz_trade_no', payNo)
  return tradeIn(node, { amount: 'total_fee', paid: 'gmt_payment' })
}

async function refund(account: AlipayAccount, { payNo, tradeNo, refundNo, amountFen, reason }: RefundOrder) {
  const content = { order_no: tradeNo, out_order_no: payNo, out_refund_no: refundNo, refund_fee: yuanOf(amountFen), refund_reason: reason }
  const { verdict, subCode, said } = await ask(account, 'alipay.eco.mycar.parking.order.refund', { content })
  if (verdict === 'done') return { state: 'done', channelRefundNo: tradeNo } as const
  if (verdict === 'unknown' || verdict === 'waiting') return { state: 'accepted' } as const
  return { state: isStranded(subCode) ? 'abnormal' : 'failed', failure: said || subCode } as const
}

import { feeOf } from '../../fees.ts'
import { cityText, yuan } from '../clock.ts'
import type { Refund, Trade } from '../store.ts'
import { tradeType } from './orders.ts'

const HEAD =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'
const SUMS = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'
/** The states of a bill are not those of a query. */
const STATUS = { processing: 'PROCESSING', done: 'SUCCESS', abnormal: 'CHANGE' } as const
const RATE = '0.60%'

/** A fee has five digits behind the point. */
const fee = (fen: number) => `${yuan(fen)}000`
export const ticked = (...cells: readonly string[]): string => cells.map((cell) => `\`${cell}`).join(',')
export const total = <One>(ones: readonly One[], fen: (one: One) => number): number => ones.reduce((sum, one) => sum + fen(one), 0)
/** The channel keeps its fee of a payment, and gives it back with a refund. */
export const feeOfTrade = ({ paidFen }: Trade): number => feeOf('wechat', paidFen)
export const feeOfRefund = ({ amountFen }: Refund): number => -feeOf('wechat', amountFen)

/** The bill `ALL` of a day: UTF-8 with a mark, every cell led by a backtick, and two lines of sums. */
export function tradeBill(paid: readonly Trade[], back: readonly Refund[]): string {
  const rows = [...paid.map((one) => ({ at: one.paidAt!, row: paidRow(one) })), ...back.map((one) => ({ at: one.createdAt, row: backRow(one) }))]
  const [paidFen, backFen] = [total(paid, (one) => one.paidFen), total(back, ({ amountFen }) => amountFen)]
  const fees = total(paid, feeOfTrade) + total(back, feeOfRefund)
  const sums = ticked(String(rows.length), yuan(paidFen), yuan(backFen), '0.00', fee(fees), yuan(paidFen), yuan(backFen))
  const lines = rows.sort((one, other) => one.at - other.at).map(({ row }) => row)
  return `\uFEFF${[HEAD, ...lines, SUMS, sums].join('\r\n')}\r\n`
}

const partiesOf = (trade: Trade, at: number) => [
  cityText(at),
  trade.appId,
  trade.mchId,
  '0',
  '',
  trade.tradeNo!,
  trade.number,
  trade.payer ?? '',
  tradeType(trade),
]
const paidRow = (trade: Trade): string =>
  ticked(
    ...[...partiesOf(trade, trade.paidAt!), 'SUCCESS', 'OTHERS', 'CNY', yuan(trade.paidFen), '0.00'],
    ...['0', '0', '0.00', '0.00', '', ''],
    ...[trade.subject, trade.attach ?? '', fee(feeOfTrade(trade)), RATE, yuan(trade.paidFen), '0.00', ''],
  )
const backRow = (refund: Refund): string => {
  const { trade, id, number, amountFen, createdAt, state } = refund
  return ticked(
    ...[...partiesOf(trade, createdAt), 'REFUND', 'OTHERS', 'CNY', '0.00', '0.00'],
    ...[id, number, yuan(amountFen), '0.00', 'ORIGINAL', STATUS[state]],
    ...[trade.subject, trade.attach ?? '', fee(feeOfRefund(refund)), RATE, '0.00', yuan(amountFen), ''],
  )
}

import { feeOf } from '../../fees.ts'
import { cityText, type Span, yuan } from '../clock.ts'
import type { Refund, Trade } from '../store.ts'

const HEAD =
  '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注'
const SUM_HEAD =
  '门店编号,门店名称,交易订单总笔数,退款订单总笔数,订单金额（元）,商家实收（元）,支付宝优惠（元）,商家优惠（元）,卡消费金额（元）,服务费（元）,分润（元）,实收净额（元）'
const RULE = '-'.repeat(41)
const ACCOUNT_MARK = '0156'
const PAYER = '*机(dri***@sandbox.com)'

export interface Day {
  paid: readonly Trade[]
  back: readonly Refund[]
  span: Span
  sellerId: string
  now: number
}
const total = <One>(ones: readonly One[], fen: (one: One) => number) => ones.reduce((sum, one) => sum + fen(one), 0)
const feeFen = ({ paidFen }: Trade) => feeOf('alipay', paidFen)
const lines = (all: readonly string[]) => `${all.join('\r\n')}\r\n`
/** `2026年11月20日 00:00:00`. */
const dated = (ms: number) => cityText(ms).replace(/^(\d+)-(\d+)-(\d+)/, '$1年$2月$3日')
const between = (title: string, name: string, { sellerId, span, now }: Day, head: string, rows: readonly string[], sums: readonly string[]) =>
  lines([
    `#${title}`,
    `#账号：[${sellerId}${ACCOUNT_MARK}]`,
    `#起始日期：[${dated(span.from)}]   终止日期：[${dated(span.until)}]`,
    `#${RULE}${name}${RULE.slice(1)}`,
    head,
    ...rows,
    `#${RULE}${name}结束${RULE.slice(5)}`,
    ...sums,
    `#导出时间：[${dated(now)}]`,
  ])

/** Payments and refunds one by one; refunds are negative, numbers end in a tab. */
export function details(day: Day): string {
  const rows = [
    ...day.paid.map((one) => ({ at: one.paidAt!, row: paidRow(one) })),
    ...day.back.map((one) => ({ at: one.doneAt!, row: backRow(one) })),
  ]
  const [paid, back] = [total(day.paid, ({ paidFen }) => paidFen), total(day.back, ({ amountFen }) => amountFen)]
  const sums = [
    `#交易合计：${day.paid.length}笔，商家实收共${yuan(paid)}元，商家优惠共0.00元`,
    `#退款合计：${day.back.length}笔，商家实收退款共${back > 0 ? yuan(-back) : '0.00'}元，商家优惠退款共0.00元`,
  ]
  const sorted = rows.sort((one, other) => one.at - other.at).map(({ row }) => row)
  return between('支付宝业务明细查询', '业务明细列表', day, HEAD, sorted, sums)
}
/** The sums of the day. */
export function summary(day: Day): string {
  const sum = total(day.paid, ({ paidFen }) => paidFen) - total(day.back, ({ amountFen }) => amountFen)
  const fees = -total(day.paid, feeFen)
  const cells = [
    '合计',
    '',
    String(day.paid.length),
    String(day.back.length),
    yuan(sum),
    yuan(sum),
    '0.00',
    '0.00',
    '0.00',
    yuan(fees),
    '0.00',
    yuan(sum + fees),
  ]
  return between('支付宝业务汇总查询', '业务汇总列表', day, SUM_HEAD, [cells.join(',')], [])
}

interface Row {
  trade: Trade
  type: string
  doneAt: number
  fen: number
  request: string
  feeFen: number
}
const rowOf = ({ trade, type, doneAt, fen, request, feeFen: fee }: Row): string =>
  [
    ...[`${trade.tradeNo}\t`, `${trade.number}\t`, `${type}\t`, trade.subject.replaceAll(',', '，'), cityText(trade.createdAt), cityText(doneAt)],
    ...['\t', '\t', '\t', '\t', PAYER, yuan(fen), yuan(fen), '0.00', '0.00', '0.00', '0.00', '0.00', ''],
    ...['0.00\t', '0.00', `${request}\t`, yuan(fee), '0.00', ''],
  ].join(',')
const paidRow = (trade: Trade) => rowOf({ trade, type: '交易', doneAt: trade.paidAt!, fen: trade.paidFen, request: '', feeFen: -feeFen(trade) })
const backRow = ({ trade, doneAt, amountFen, number }: Refund) =>
  rowOf({ trade, type: '退款', doneAt: doneAt!, fen: -amountFen, request: number, feeFen: 0 })

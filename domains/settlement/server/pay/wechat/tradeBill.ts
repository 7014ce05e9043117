import type { Day } from '../../../../../platform/contract/field.ts'
import { TradeKind } from '../../../contract/liquidation.ts'
import { BadFile, type ChannelTrade } from '../../clearing/files.ts'
import { agrees, areEqualFees, type BillTable, type Cells, countOf, feeFenOf, fenOf, isOfDay, tableIn, timeOf, unitsOf } from './billTable.ts'

/** What the columns of the lines add up to, by the names of the sums. Older and smaller bills lack some. */
const ADDED = [
  ['订单总金额', '订单金额'],
  ['申请退款总金额', '申请退款金额'],
  ['应结订单总金额', '应结订单金额'],
  ['退款总金额', '退款金额'],
  ['充值券退款总金额', '充值券退款金额'],
] as const
const NEEDED: readonly string[] = ['订单总金额', '申请退款总金额']

/** The trades of a bill of the type ALL, in the order of the bill. @throws BadFile for a bill that is cut, of another day or of another merchant */
export async function tradesInBill(bytes: Uint8Array, { day, mchId }: { day: Day; mchId: string }): Promise<ChannelTrade[]> {
  const table = await tableIn(bytes, { begins: '交易时间', sumsBegin: '总交易单数' })
  addsUp(table)
  const other = table.rows.find((row) => row.textOr('商户号', mchId) !== mchId)
  if (other) throw BadFile({ zh: `账单属于商户 ${other.text('商户号')}`, en: `it is the bill of merchant ${other.text('商户号')}` })
  const trades = table.rows.map(tradeIn)
  isOfDay(
    trades.map(({ at }) => at),
    day,
  )
  return trades
}

/** A payment that its payer revoked at the till has gone back like a refund. */
const KINDS = new Map<string, ChannelTrade['kind']>([
  ['SUCCESS', TradeKind.payment],
  ['REFUND', TradeKind.refund],
  ['REVOKED', TradeKind.refund],
])
function tradeIn(row: Cells): ChannelTrade {
  const word = row.text('交易状态')
  const kind = KINDS.get(word)
  if (!kind) throw BadFile({ zh: `交易状态「${word}」无法识别`, en: `${word} cannot be read as the state of a trade` })
  const isRefund = kind === TradeKind.refund
  return {
    kind,
    tradeNo: row.text(isRefund ? '微信退款单号' : '微信订单号'),
    number: row.text(isRefund ? '商户退款单号' : '商户订单号'),
    amountFen: fenOf(row.text(isRefund ? '申请退款金额' : '订单金额')),
    feeFen: feeFenOf(unitsOf(row.text('手续费'))),
    at: timeOf(row.text('交易时间')),
  }
}

function addsUp({ rows, sums }: BillTable): void {
  const added = (name: string) => rows.reduce((sum, row) => sum + unitsOf(row.text(name)), 0)
  agrees(countOf(sums.text('总交易单数')) === rows.length)
  for (const [sum, column] of ADDED) {
    const told = NEEDED.includes(sum) ? sums.text(sum) : sums.textOr(sum, undefined)
    if (told !== undefined) agrees(unitsOf(told) === added(column))
  }
  agrees(areEqualFees(added('手续费'), unitsOf(sums.text('手续费总金额'))))
}

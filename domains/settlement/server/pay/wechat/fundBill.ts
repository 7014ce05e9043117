import type { Day, Instant } from '../../../../../platform/contract/field.ts'
import { BadFile } from '../../clearing/files.ts'
import { agrees, type Cells, countOf, fenOf, isOfDay, tableIn, timeOf } from './billTable.ts'

/** One movement of the merchant's money at WeChat. */
export interface FundLine {
  at: Instant
  /** WeChat's number of what moved it: a trade, a refund, a withdrawal. */
  businessNo: string
  flowNo: string
  name: string
  type: string
  /** Out of the account it is negative. */
  amountFen: number
  /** What the account had afterwards. */
  balanceFen: number
  remark: string
  /** Ours: the number of the payment or of the refund. */
  voucherNo: string
}
const SIGNS = new Map([
  ['收入', 1],
  ['支出', -1],
])

/** @throws BadFile for a bill that is cut or of another day */
export async function fundsInBill(bytes: Uint8Array, day: Day): Promise<FundLine[]> {
  const { rows, sums } = await tableIn(bytes, { begins: '记账时间', sumsBegin: '资金流水总笔数' })
  const lines = rows.map(lineIn)
  const [into, out] = [lines.filter(({ amountFen }) => amountFen > 0), lines.filter(({ amountFen }) => amountFen < 0)]
  const fen = (some: readonly FundLine[]) => some.reduce((sum, { amountFen }) => sum + Math.abs(amountFen), 0)
  agrees(
    countOf(sums.text('资金流水总笔数')) === lines.length &&
      countOf(sums.text('收入笔数')) === into.length &&
      fenOf(sums.text('收入金额')) === fen(into) &&
      countOf(sums.text('支出笔数')) === out.length &&
      fenOf(sums.text('支出金额')) === fen(out),
  )
  isOfDay(
    lines.map(({ at }) => at),
    day,
  )
  return lines
}
function lineIn(row: Cells): FundLine {
  const word = row.text('收支类型')
  const sign = SIGNS.get(word)
  if (!sign) throw BadFile({ zh: `收支类型「${word}」无法识别`, en: `${word} is neither money in nor money out` })
  return {
    at: timeOf(row.text('记账时间')),
    businessNo: row.text('微信支付业务单号'),
    flowNo: row.text('资金流水单号'),
    name: row.text('业务名称'),
    type: row.text('业务类型'),
    amountFen: sign * fenOf(row.text('收支金额(元)')),
    balanceFen: fenOf(row.text('账户结余(元)')),
    remark: row.text('备注'),
    voucherNo: row.text('业务凭证号'),
  }
}

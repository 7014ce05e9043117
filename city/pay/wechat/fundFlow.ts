import { cityDigits, cityText, yuan } from '../clock.ts'
import type { Refund, Trade } from '../store.ts'
import { feeOfRefund, feeOfTrade, ticked, total } from './tradeBill.ts'

const HEAD = '记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号'
const SUMS = '资金流水总笔数,收入笔数,收入金额,支出笔数,支出金额'

type Money = readonly [paid: readonly Trade[], back: readonly Refund[]]
interface Movement {
  at: number
  /** WeChat's number of the payment or of the refund. */
  id: string
  name: string
  type: string
  /** Negative for an expense. */
  fen: number
  remark: string
  voucher: string
}

/** The bill of the account: payments, the channel's fee of each, and refunds less the fee that comes back with them. */
export function fundFlow({ today, past, who }: { today: Money; past: Money; who: string }): string {
  const movements = movementsOf(today).sort((one, other) => one.at - other.at)
  let balance = total(movementsOf(past), ({ fen }) => fen)
  const rows = movements.map(({ at, id, name, type, fen, remark, voucher }, index) => {
    balance += fen
    const flowNo = `${who}${cityDigits(at)}${String(index).padStart(8, '0')}`
    return ticked(cityText(at), id, flowNo, name, type, fen < 0 ? '支出' : '收入', yuan(Math.abs(fen)), yuan(balance), 'system', remark, voucher)
  })
  const [income, expense] = [movements.filter(({ fen }) => fen >= 0), movements.filter(({ fen }) => fen < 0)]
  const sumOf = (ones: readonly Movement[]) => yuan(Math.abs(total(ones, ({ fen }) => fen)))
  const sums = ticked(String(rows.length), String(income.length), sumOf(income), String(expense.length), sumOf(expense))
  return `\uFEFF${[HEAD, ...rows, SUMS, sums].join('\r\n')}\r\n`
}

const movementsOf = ([paid, back]: Money): Movement[] => [
  ...paid.flatMap((trade) => {
    const whole = { at: trade.paidAt!, id: trade.tradeNo!, name: '交易', remark: '', voucher: trade.number }
    const fee = feeOfTrade(trade)
    return [{ ...whole, type: '交易', fen: trade.paidFen }, ...(fee > 0 ? [{ ...whole, type: '扣除交易手续费', fen: -fee }] : [])]
  }),
  ...back
    .filter(({ state }) => state !== 'abnormal')
    .map((refund) => {
      const fee = feeOfRefund(refund)
      const remark = `退款总金额${yuan(refund.amountFen)}元;含手续费${yuan(Math.abs(fee))}元`
      return { at: refund.createdAt, id: refund.id, name: '退款', type: '退款', fen: -refund.amountFen - fee, remark, voucher: refund.number }
    }),
]

import { takeFile, tradesOf } from '../../domains/settlement/server/api.ts'
import type { Day, Instant } from '../../platform/contract/field.ts'
import { cityTime, DAY_MS, dayOf, instantAt } from '../../platform/contract/time.ts'
import { run, type Tx } from '../../platform/server/database.ts'
import type { House } from '../../platform/server/domain.ts'
import { feeOf } from '../fees.ts'
import { type BillLine, billOf } from '../pay/bills.ts'
import { SYSTEM } from '../../platform/contract/said.ts'
import { RefundState } from '../../domains/settlement/contract/refund.ts'

const CHANNELS = ['wechat', 'alipay', 'etc', 'ecny']
/** So many days are cleared, the last of them yesterday. */
const DAYS = 3

/** The channels' files of the last days, as they would have written them of the city's past; yesterday's has what a clearing finds: a trade more, one less, one with another amount. */
export async function addClearing(house: House, enterprise: number, nowMs: number): Promise<void> {
  for (let back = DAYS; back >= 1; back--)
    for (const channel of CHANNELS) {
      const checkDate = dayOf(instantAt(nowMs - back * DAY_MS))
      await house.writing(enterprise, 'demo', async (tx) => {
        const lines = await linesOf(tx, channel, checkDate)
        const told = back === 1 ? withMischief(lines, channel, checkDate) : lines
        const file = await tradesOf(channel, billOf(channel, told))
        await takeFile(tx, {
          checkDate,
          channel,
          file,
          fileName: `${channel}_${checkDate}.csv`,
          importedName: SYSTEM,
          mchId: `kerbline-${enterprise}`,
          at: instantAt(nowMs),
        })
      })
    }
}

async function linesOf(tx: Tx, channel: string, checkDate: Day): Promise<BillLine[]> {
  const paid = await run<{ tradeNo: string; payNo: string; receivedFen: number; paidAt: Instant }>(tx, { sql: PAID }, [channel, checkDate])
  const back = await run<{ refundNo: string; amountFen: number; finishedAt: Instant }>(tx, { sql: BACK }, [channel, checkDate])
  return [
    ...paid.map(({ tradeNo, payNo, receivedFen, paidAt }): BillLine => ({
      kind: 'payment',
      tradeNo,
      number: payNo,
      amountFen: receivedFen,
      feeFen: feeOf(channel, receivedFen),
      at: cityTime(paidAt),
    })),
    ...back.map(({ refundNo, amountFen, finishedAt }): BillLine => ({
      kind: 'refund',
      tradeNo: refundNo,
      number: refundNo,
      amountFen,
      feeFen: 0,
      at: cityTime(finishedAt),
    })),
  ]
}
const OF_DAY = `>= $2::date::timestamp at time zone 'Asia/Shanghai' and`
const UNTIL = `< ($2::date + 1)::timestamp at time zone 'Asia/Shanghai'`
const PAID = `select trade_no, pay_no, received_fen, paid_at from settlement.payment where enterprise_id = scope_enterprise() and channel = $1 and trade_no is not null and paid_at ${OF_DAY} paid_at ${UNTIL} order by paid_at`
const BACK = `select f.refund_no, f.amount_fen, f.finished_at from settlement.refund f join settlement.payment p on p.enterprise_id = f.enterprise_id and p.id = f.payment_id
  where f.enterprise_id = scope_enterprise() and p.channel = $1 and f.state = ${RefundState.done} and f.finished_at ${OF_DAY} f.finished_at ${UNTIL} order by f.finished_at`

function withMischief(lines: readonly BillLine[], channel: string, checkDate: Day): BillLine[] {
  const [first, second, ...rest] = lines
  // The issuer does not know one of the cards that an antenna took something of.
  if (channel === 'etc') return lines.slice(1)
  if (!first || !second || channel !== 'wechat') return [...lines]
  const unknown: BillLine = {
    kind: 'payment',
    tradeNo: `420000${checkDate.replaceAll('-', '')}7731`,
    number: 'OFFLINE-0001',
    amountFen: 1500,
    feeFen: 9,
    at: `${checkDate} 18:20:11`,
  }
  return [{ ...first, amountFen: first.amountFen + 200 }, ...rest, unknown]
}

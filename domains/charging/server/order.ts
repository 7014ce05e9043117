import type { CallContext } from '../../../platform/server/serve.ts'
import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, type List, listOver, page } from '../../../platform/server/page.ts'
import { IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { json } from '../../../platform/server/row.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { linesAbout } from '../../ledger/server/api.ts'
import { ordinaryPlate } from '../../parking/server/api.ts'
import { OrderType } from '../../settlement/contract/order.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { plainCard } from '../contract/card.ts'
import { orderOf } from '../../settlement/server/api.ts'
import { PaidBy } from '../contract/money.ts'
import { BillLines, type BillStory, type ChargeStory, order, Orphan, orphanSearch, RechargeRefund, rechargeRefundSearch } from '../contract/order.ts'
import { type ChargeMove, ChargeStatus, StopReason } from '../contract/session.ts'
import type { MeterSample } from '../contract/meter.ts'
import { adjust, bills, costBy, type BillRow } from './bill.ts'
import { charges, frozenPrices, lockCharge, noteCharge, setCharge, type Charge } from './charge.ts'
import { holds, lockWithMoney, refundableFor, takenFor } from './hold.ts'
import { giveBack, paidFor } from './late.ts'
import { closeAtLast, closeByHand } from './sweep.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

const refunds = listOver(RechargeRefund, 'charging.rechargeRefund', rechargeRefundSearch, { sums: ['refundFen'] })
const orphans = listOver(Orphan, 'charging.orphan', orphanSearch)
const lines = listOver(BillLines, 'charging.billLine', order.lineSearch)
const NotBilled = refusal(
  'charging.not-billed',
  41340,
  '订单还没有结算，不能调整或退款；请待结算后再办理',
  'The session is not billed yet and cannot be adjusted or refunded: wait until it is billed',
)
const NotPrepaid = refusal(
  'charging.not-prepaid',
  41341,
  '该订单不是预付或储值支付，请在对应账户或月结单中处理',
  'This session was not paid by prepayment or stored value: handle it in the account or monthly statement that paid',
  422,
)
const MoreThanPaid = refusal('charging.more-than-paid', 41342, '最多可退 ¥{left}', 'At most ¥{left} can be refunded', 422)
/** A card is looked for as its number is kept, however it was typed. */
const byCard = <I extends { cardNo?: string }>(input: I): I => (input.cardNo ? { ...input, cardNo: plainCard(input.cardNo) } : input)
export const calls = serve(order.calls, {
  recordList: ({ tx, input }) => page(tx, charges, byCard(input)),
  recordDetail: ({ tx, input }) => story(tx, input.orderNo),
  recordExport: exporting(order.calls.recordExport, ({ tx, input }) => page(tx, charges, byCard(input))),
  tradeList: ({ tx, input }) => page(tx, bills, input),
  tradeDetail: ({ tx, input }) => billStory(tx, input.billNo),
  tradeDetailExport: exporting(order.calls.tradeDetailExport, lines),
  tradeExport: exporting(order.calls.tradeExport, bills),
  holdList: ({ tx, input }) => page(tx, holds, input),
  holdSum: ({ tx, input }) => sumsOf<Of<typeof order.calls.holdSum.reply>>(tx, holds, input),
  holdExport: exporting(order.calls.holdExport, holds),
  refundList: ({ tx, input }) => page(tx, refunds, input),
  async refundSum({ tx, input }) {
    const byState = []
    for (const state of order.refundStates) {
      const of = await sumsOf<RefundSums>(tx, refunds, { ...input, state: [state] })
      if (of.count > 0 && (!input.state || input.state.includes(state))) byState.push({ state, count: of.count, refundFen: of.refundFen })
    }
    return { ...(await sumsOf<RefundSums>(tx, refunds, input)), byState }
  },
  refundExport: exporting(order.calls.refundExport, refunds),

  async close({ tx, input, actor, at }) {
    const found = await lockWithMoney(tx, input.orderNo)
    if (found.status !== ChargeStatus.abnormal) throw IllegalMove({ status: found.status })
    // Closed at its first reading it costs nothing, and needs no price for it.
    const unpriced = found.prices.strategyId === null && (input.endWh === undefined || input.endWh !== found.startWh)
    const charge = unpriced ? await setCharge(tx, found, { prices: json(await frozenPrices(tx, { ...found, at })) } as object, at) : found
    await noteCharge(tx, charge, 'closedByHand', at, input.reason, actor.userName)
    return input.endWh === undefined ? closeAtLast(tx, charge, StopReason.silence, at) : closeByHand(tx, charge, input.endWh, at)
  },
  async bindPlate({ tx, input: { orderNo, plateNo: typed, plateColor }, actor, at }) {
    const plateNo = ordinaryPlate(typed)
    const charge = await lockCharge(tx, orderNo)
    const named = await setCharge(tx, charge, { plateNo, plateColor } as Partial<Charge>, at)
    await noteCharge(tx, named, 'plateBound', at, plateNo, actor.userName)
    return named
  },
  adjust: (context) => change(context, context.input.adjustFen),
  refund: (context) => change(context, -context.input.refundFen),
  orphans: ({ tx, input }) => page(tx, orphans, input),
})

const yuan = (fen: number) => (fen / 100).toFixed(2)

/** A signed bill of today. */
async function change(
  { tx, input, actor, at }: Pick<CallContext<{ orderNo: string; reason: string }>, 'tx' | 'input' | 'actor' | 'at'>,
  adjustFen: number,
): Promise<BillRow> {
  const { orderNo, reason } = input
  const charge = await lockWithMoney(tx, orderNo)
  if (charge.status !== ChargeStatus.done) throw NotBilled()
  const backFen = Math.max(0, -adjustFen)
  if (backFen > 0 && (await takenFor(tx, orderNo)).length === 0) throw NotPrepaid()
  const leftFen = backFen > 0 ? await paidFor(tx, orderNo) : 0
  if (backFen > leftFen) throw MoreThanPaid({ left: yuan(leftFen) })
  const { billNo } = await (backFen > 0
    ? giveBack(tx, charge, backFen, { reason, actor, at })
    : adjust(tx, charge, adjustFen, reason, at, { byName: actor.userName }))
  return (await billsOf(tx, orderNo)).find((one) => one.billNo === billNo)!
}

/** The answer to `settlement.refundEnded`: what another person did not let go back stays paid, and a bill says so. */
export async function hearRefundEnd(
  tx: Tx,
  { orderId, amountFen, paidOut, at }: { orderId: string; amountFen: number; paidOut: boolean; at: Instant },
): Promise<void> {
  const { type, creditedTo, payMethod } = await orderOf(tx, orderId)
  if (paidOut || type !== OrderType.charging) return
  const keeps = payMethod === PayMethod.storedValue ? PaidBy.stored : PaidBy.prepaid
  await adjust(tx, await lockWithMoney(tx, creditedTo), amountFen, Said.refundRefused, at, { keeps })
}

type RefundSums = Omit<Of<typeof order.calls.refundSum.reply>, 'byState'>
async function sumsOf<Sums extends { count: number }>(tx: Tx, list: List<never>, input: object): Promise<Sums> {
  const [{ sums = {} }, { total }] = [
    await page<never, object>(tx, list, { ...input, queryMode: 'sum' }),
    await page<never, object>(tx, list, { ...input, queryMode: 'total' }),
  ]
  return { ...sums, count: total } as Sums
}
const all = async <Row>(tx: Tx, list: List<Row>, orderNo: string): Promise<Row[]> =>
  (await page<Row, object>(tx, list, { orderNo, queryMode: 'rows', limit: STORY_ROWS } as object)).records
const STORY_ROWS = 500
const billsOf = (tx: Tx, orderNo: string) => all(tx, bills, orderNo)

/** The same rows, by the number that people read. */
const byOrderNo = { ...charges, key: 'orderNo' } as typeof charges
const byBillNo = { ...bills, key: 'billNo' } as typeof bills

async function story(tx: Tx, orderNo: string): Promise<Of<typeof ChargeStory>> {
  const charge = await find(tx, byOrderNo, orderNo)
  if (!charge) throw NotFound()
  const [{ lines: cost, baseWh }, moves, samples, ofHolds, ofBills, back, refundableFen, entries] = [
    await costBy(tx, await wholeOf(tx, orderNo)),
    await run<Of<typeof ChargeMove>>(
      tx,
      {
        sql: 'select order_no, park_code, from_status, to_status, event, at, by_name, note from charging.charge_move where enterprise_id = scope_enterprise() and order_no = $1 order by id',
      },
      [orderNo],
    ),
    await run<Of<typeof MeterSample>>(tx, SAMPLES, [orderNo]),
    await all(tx, holds, orderNo),
    await billsOf(tx, orderNo),
    await all(tx, refunds, orderNo),
    (await refundableFor(tx, orderNo)) as Fen,
    await linesAbout(tx, orderNo),
  ]
  return { ...charge, baseWh, lines: cost, moves, samples, holds: ofHolds, bills: ofBills, refunds: back, refundableFen, entries }
}
const SAMPLES = {
  sql: 'select connector_id, park_code, order_no, at, received_at, meter_wh, power_w, current_ma, voltage_dv, soc, temperature_c from charging.measured where enterprise_id = scope_enterprise() and order_no = $1 order by at limit 2000',
}
const wholeOf = async (tx: Tx, orderNo: string): Promise<Charge> =>
  (await run<Charge>(tx, { sql: 'select * from charging.charge where enterprise_id = scope_enterprise() and order_no = $1' }, [orderNo]))[0]!

async function billStory(tx: Tx, billNo: string): Promise<Of<typeof BillStory>> {
  const bill = await find(tx, byBillNo, billNo)
  if (!bill) throw NotFound()
  return { ...bill, holds: await all(tx, holds, bill.orderNo), entries: await linesAbout(tx, bill.orderNo) }
}

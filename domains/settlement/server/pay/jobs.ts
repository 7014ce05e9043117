import { instantAt } from '../../../../platform/contract/time.ts'
import { PaymentState } from '../../contract/payment.ts'
import { RefundState } from '../../contract/refund.ts'
import { OrderStatus } from '../../contract/order.ts'
import { begunAt, enterpriseOf, run, type Tx } from '../../../../platform/server/database.ts'
import { type Task, task } from '../../../../platform/server/job/jobs.ts'
import { noticePayment } from '../receiving.ts'
import { finishRefund, paymentOf } from '../refund/returning.ts'
import type { PaymentRow } from '../row.ts'
import { providerOf, type TradeState } from './provider.ts'
import { debit } from './debit.ts'
import { askToExpire, askToSend, EXPIRE, type ExpireData, SEND, type SendData } from './queue.ts'
import { endAttempt } from './start.ts'
import { spoken } from '../../../../platform/contract/said.ts'

/**
 * Brings a refund to its channel; the same number again is the same refund there. A refund that the channel does not make at once it reports later, and the sweep asks again.
 * The waits lie between two short transactions of their own.
 */
const send = task<SendData>(SEND, async ({ tx, data, house }) => {
  const merchant = enterpriseOf(tx)
  const due = await house.writing(merchant, SEND, (own) => takeUp(own, data.refundId))
  if (!due) return
  const { refundNo, amountFen, reason, payNo, tradeNo, channel } = due
  const { state, channelRefundNo, failure } = await providerOf(channel).refund({
    merchant,
    channel,
    payNo,
    tradeNo,
    refundNo,
    amountFen,
    reason: spoken(reason, 0),
  })
  if (state !== 'done' && state !== 'failed') return
  const result = {
    refundNo,
    ok: state === 'done',
    at: instantAt(Date.now()),
    ...(channelRefundNo && { channelRefundNo }),
    ...(failure && { failure }),
  }
  await house.writing(merchant, SEND, (own) => finishRefund(own, result))
})

interface Due {
  refundNo: string
  amountFen: number
  reason: string
  payNo: string
  tradeNo: string
  channel: string
}
async function takeUp(tx: Tx, refundId: string): Promise<Due | undefined> {
  const sql = `update settlement.refund r set state = ${RefundState.sending}, version = r.version + 1, updated_at = $2 from settlement.payment p
    where r.enterprise_id = scope_enterprise() and r.id = $1 and r.state in (${RefundState.approved}, ${RefundState.sending}) and p.enterprise_id = r.enterprise_id and p.id = r.payment_id and p.channel <> 'cash'
    returning r.refund_no, r.amount_fen, r.reason, p.pay_no, p.trade_no, p.channel`
  return (await run<Due>(tx, { sql }, [refundId, begunAt(tx)]))[0]
}

/** Five minutes are over: the channel is asked once more, then the attempt is closed there and here. Money that comes even later is a late notice. */
const expire = task<ExpireData>(EXPIRE, async ({ tx, data, at, house }) => {
  const merchant = enterpriseOf(tx)
  const payment = await house.reading(merchant, (own) => paymentOf(own, data.paymentId))
  if (!payment || payment.state !== PaymentState.waiting) return
  const trade = await lastWord(payment, merchant)
  await house.writing(merchant, EXPIRE, async (own) => {
    if (trade.state === 'paid') {
      const { tradeNo, amountFen, paidAt } = trade
      await noticePayment(own, { payNo: payment.payNo, channel: payment.channel, tradeNo: tradeNo!, amountFen: amountFen!, paidAt: paidAt ?? at, at })
    } else await endAttempt(own, payment.id, PaymentState.closed, at)
  })
})

async function lastWord({ channel, payNo }: PaymentRow, merchant: number): Promise<TradeState> {
  try {
    const provider = providerOf(channel)
    const trade = await provider.query({ merchant, payNo })
    if (trade.state === 'unpaid') await provider.close({ merchant, payNo })
    return trade
  } catch {
    return { state: 'none' } // the channel is away: the order must not wait for it
  }
}

/** Payments that a crash or a channel's outage left unfinished are taken up again after this time. */
const STUCK_AFTER = '2 minutes'
const SWEEP_MAX = 200
const sweep = task(
  'settlement.sweep',
  async ({ tx, at }) => {
    const refunds = await run<{ id: string }>(
      tx,
      {
        sql: `select r.id from settlement.refund r join settlement.payment p on p.enterprise_id = r.enterprise_id and p.id = r.payment_id
        where r.enterprise_id = scope_enterprise() and r.state in (${RefundState.approved}, ${RefundState.sending}) and p.channel <> 'cash' and r.updated_at < now() - interval '${STUCK_AFTER}' limit ${SWEEP_MAX}`,
      },
      [],
    )
    for (const { id } of refunds) await askToSend(tx, id)
    const attempts = await run<{ id: string }>(
      tx,
      {
        sql: `select p.id from settlement.payment p join settlement.order o on o.enterprise_id = p.enterprise_id and o.id = p.order_id
        where p.enterprise_id = scope_enterprise() and o.status = ${OrderStatus.paying} and p.state = ${PaymentState.waiting} and p.expires_at < now() - interval '${STUCK_AFTER}' limit ${SWEEP_MAX}`,
      },
      [],
    )
    for (const { id } of attempts) await askToExpire(tx, id, at)
  },
  { every: '*/5 * * * *' },
)

export const tasks: Task[] = [send, expire, debit, sweep]

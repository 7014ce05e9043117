import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { notice } from '../contract/payment.ts'
import { agreementTold } from './events.ts'
import { refuseDebit } from './pay/debit.ts'
import { providerOf, Replayed, type VerifiedNotice } from './pay/provider.ts'
import { noticePayment } from './receiving.ts'
import { finishRefund } from './refund/returning.ts'
import { Said } from '../contract/said.ts'

export const calls = serve(notice, {
  /** The channel's answer decides whether it tells again: anything but a success does. */
  sandbox: phased(async ({ input, at, asSteps, house }) => {
    const heard = providerOf(input.channel).verifyNotice(input, at)
    const write = asSteps((work) => house.writing(heard.merchant, notice.sandbox.id, work))
    await write((tx) => hear(tx, heard, at))
    return 'success'
  }),
})

async function hear(tx: Tx, notice: VerifiedNotice, at: Instant): Promise<void> {
  const { channel, nonce, kind, number, tradeNo, amountFen } = notice
  const [known] = await run(
    tx,
    { sql: 'select id from settlement.notice where enterprise_id = scope_enterprise() and channel = $1 and nonce = $2' },
    [channel, nonce],
  )
  if (known) throw Replayed()
  const { hear, code } = HEARS[kind]
  const outcome = await hear(tx, notice, at)
  if (outcome === 'unknown') throw NotFound()
  const sql =
    'insert into settlement.notice (channel, nonce, kind, number, trade_no, amount_fen, outcome, received_at) values ($1, $2, $3, $4, $5, $6, $7, $8)'
  await run(tx, { sql }, [channel, nonce, code, number, tradeNo, amountFen, outcome, at])
}

const hearPayment = (tx: Tx, { number, channel, tradeNo, amountFen, ok, finishedAt }: VerifiedNotice, at: Instant) =>
  ok ? noticePayment(tx, { payNo: number, channel, tradeNo, amountFen, paidAt: finishedAt, at }) : refuseDebit(tx, { payNo: number, channel, at })

async function hearRefund(tx: Tx, { number, tradeNo, ok }: VerifiedNotice, at: Instant): Promise<string> {
  const done = await finishRefund(tx, { refundNo: number, ok, channelRefundNo: tradeNo, at, ...(!ok && { failure: Said.channelFailed }) })
  if (done) return ok ? 'refunded' : 'refundFailed'
  const [known] = await run(tx, { sql: 'select id from settlement.refund where enterprise_id = scope_enterprise() and refund_no = $1' }, [number])
  return known ? 'repeat' : 'unknown'
}

async function hearAgreement(tx: Tx, { number, channel, tradeNo, ok }: VerifiedNotice, at: Instant): Promise<string> {
  const [told] = await agreementTold.ask(tx, { contractNo: number, channel, agreementNo: tradeNo, inForce: ok, at })
  return told?.answer ?? 'unknown'
}

const HEARS = { payment: { hear: hearPayment, code: 1 }, refund: { hear: hearRefund, code: 2 }, agreement: { hear: hearAgreement, code: 3 } }

import type { Instant } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { addJob, longTask } from '../../../../platform/server/job/jobs.ts'
import { OrderStatus } from '../../contract/order.ts'
import { CHANNELS, PaymentState, PayMethod } from '../../contract/payment.ts'
import { agreementTold, debitAgreed } from '../events.ts'
import { lockOrders } from '../hold.ts'
import { freshen } from '../opening.ts'
import { noticePayment, takes } from '../receiving.ts'
import { paymentOf } from '../refund/returning.ts'
import { type OrderRow, orderOf, type PaymentRow } from '../row.ts'
import { agreementsOf, debitsAt, providerOf, type TradeState } from './provider.ts'
import { begin, endAttempt, subjectOf } from './start.ts'

/**
 * Takes the amount due at the channel by the standing agreement of the car's driver, a moment later. An order is tried once per agreement: if the debit fails it is paid
 * another way, or,
 * after its plate is corrected, by the agreement of the right car; never by two at a time. @returns whether it is tried: not where nothing is due, nobody has agreed or no such
 * channel is set up
 */
export async function debitByContract(tx: Tx, orderId: string, at: Instant): Promise<boolean> {
  // Locked and brought up to now: the caller may ask for the try while something else pays or frees the order.
  await lockOrders(tx, [orderId])
  await freshen(tx, orderId, at)
  const order = await orderOf(tx, orderId)
  const [agreed] = order.status === OrderStatus.unpaid ? await debitAgreed.ask(tx, order) : []
  if (!agreed) return false
  const { contractNo, payMethod } = agreed.answer
  const channel = CHANNELS[payMethod]
  if (!debitsAt(channel) || (await run(tx, { sql: TRIED }, [orderId, contractNo])).length > 0) return false
  const { attempt } = await begin(tx, orderId, PayMethod.autoDebit, at, { channel, contractNo })
  await askToDebit(tx, { paymentId: attempt.id, contractNo, tries: 0 })
  return true
}
const TRIED = `select from settlement.payment where enterprise_id = scope_enterprise() and order_id = $1 and contract_no is not null
  and (contract_no = $2 or state = ${PaymentState.waiting}) limit 1`

interface DebitData {
  paymentId: string
  contractNo: string
  tries: number
}
/** A channel that is away, or has not decided, is asked again after so long, so many times; then the attempt ends when its time is over. */
const AGAIN_MS = 2_000
const TRIES_MAX = 20
const askToDebit = (tx: Tx, data: DebitData, runAt?: Date) =>
  addJob(tx, debit, data, { key: `settlement.debit:${data.paymentId}:${data.tries}`, ...(runAt && { runAt }) })

/**
 * The wait for the channel lies between two short transactions. If an answer was lost, the channel is asked: only a debit that it has never heard of is sent again, and only
 * one that is still due
 * and still agreed to is sent at all.
 */
export const debit = longTask<DebitData>('settlement.debit', async ({ enterprise: merchant, data, at, house }) => {
  const [payment, order, wanted] = await house.reading(merchant, async (own) => {
    const found = await paymentOf(own, data.paymentId)
    const of = await orderOf(own, found.orderId)
    return [found, of, await isWanted(own, found, of, data.contractNo)] as const
  })
  if (payment.state !== PaymentState.waiting) return
  const trade = await resultOf(payment, { merchant, contractNo: data.contractNo, subject: subjectOf(order), asked: data.tries > 0, wanted })
  await house.writing(merchant, debit.name, (own) => conclude(own, payment, data, trade, at))
})

/** Whether the debit is still wanted: not if the order was paid, cancelled or found to be another car's meanwhile, or the driver has ended the agreement. */
const isWanted = async (tx: Tx, { amountFen }: PaymentRow, order: OrderRow, contractNo: string): Promise<boolean> =>
  (await run(tx, { sql: DUE }, [order.id, amountFen])).length > 0 &&
  (await debitAgreed.ask(tx, order)).some(({ answer }) => answer.contractNo === contractNo)
const STILL_TAKES = takes('$2')
const DUE = `select from settlement.order where enterprise_id = scope_enterprise() and id = $1 and ${STILL_TAKES}`

interface Asked {
  merchant: number
  contractNo: string
  subject: string
  asked: boolean
  wanted: boolean
}
async function resultOf(
  { channel, payNo, amountFen, expiresAt }: PaymentRow,
  { merchant, contractNo, subject, asked, wanted }: Asked,
): Promise<TradeState> {
  try {
    // The debit is no longer wanted: a try whose answer was lost may have been made all the same.
    const known = asked || !wanted ? await providerOf(channel).query({ merchant, payNo }) : undefined
    if (known?.state === 'unpaid' && !wanted) await providerOf(channel).close({ merchant, payNo })
    if (known && known.state !== 'none') return known
    if (!wanted) return { state: 'closed' }
    return await agreementsOf(channel).debit({ merchant, channel, contractNo, payNo, amountFen, subject, expiresAt: expiresAt! })
  } catch {
    return { state: 'none' }
  }
}

async function conclude(tx: Tx, payment: PaymentRow, { tries, ...of }: DebitData, trade: TradeState, at: Instant): Promise<void> {
  const { payNo, channel } = payment
  if (trade.state === 'paid') {
    const { tradeNo, amountFen, paidAt } = trade
    await noticePayment(tx, { payNo, channel, tradeNo: tradeNo!, amountFen: amountFen!, paidAt: paidAt ?? at, at })
  } else if (trade.state === 'closed') {
    await endDebit(tx, payment, at)
    if (trade.failure === 'agreement') await agreementTold.ask(tx, { contractNo: of.contractNo, channel, agreementNo: null, inForce: false, at })
  } else if (tries < TRIES_MAX) await askToDebit(tx, { ...of, tries: tries + 1 }, new Date(Date.now() + AGAIN_MS))
}

/** Ends a debit that failed. If the plate was corrected meanwhile, the right car's agreement is tried next. */
async function endDebit(tx: Tx, { id, orderId }: Pick<PaymentRow, 'id' | 'orderId'>, at: Instant): Promise<void> {
  await endAttempt(tx, id, PaymentState.failed, at)
  await debitByContract(tx, orderId, at)
}

/** A channel says that it could not take it. Of a page where a driver may try again that means nothing; of a debit it is the end. */
export async function refuseDebit(tx: Tx, { payNo, channel, at }: { payNo: string; channel: string; at: Instant }): Promise<'failed' | 'unknown'> {
  const [found] = await run<Pick<PaymentRow, 'id' | 'orderId' | 'payMethod'>>(tx, { sql: BY_NUMBER }, [payNo, channel])
  if (!found) return 'unknown'
  if (found.payMethod === PayMethod.autoDebit) await endDebit(tx, found, at)
  return 'failed'
}
const BY_NUMBER = 'select id, order_id, pay_method from settlement.payment where enterprise_id = scope_enterprise() and pay_no = $1 and channel = $2'

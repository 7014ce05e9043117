import type { Instant } from '../../../../platform/contract/field.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { addJob } from '../../../../platform/server/job/jobs.ts'

// The tasks themselves stand in jobs.ts; here only what a transaction writes to ask for them, so that rules and channel work do not import each other.
export const SEND = 'settlement.refund-send'
export const EXPIRE = 'settlement.payment-expire'
export interface SendData {
  refundId: string
}
export interface ExpireData {
  paymentId: string
}
const named = (name: string) => ({ name })

/** The refund goes to its channel once this transaction is committed. */
export const askToSend = (tx: Tx, refundId: string): Promise<void> => addJob<SendData>(tx, named(SEND), { refundId }, { key: `${SEND}:${refundId}` })
/** At `runAt` an attempt that nobody paid is closed and its order free for another. */
export const askToExpire = (tx: Tx, paymentId: string, runAt: Instant): Promise<void> =>
  addJob<ExpireData>(tx, named(EXPIRE), { paymentId }, { key: `${EXPIRE}:${paymentId}`, runAt })

import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { post } from '../../ledger/server/api.ts'
import { applyRefund, returnable } from '../../settlement/server/api.ts'
import { BillState } from '../contract/lease.ts'
import { type BillRow, type ContractRow, lockEnroll, type Person } from './row.ts'

interface Asking {
  reason: string
  by: Person | { userId: null; userName: string }
  at: Instant
}
const sumOf = (came: readonly { leftFen: number }[]): number => came.reduce((sum, { leftFen }) => sum + leftFen, 0)

/** The stretch of a bill never came: what was paid of it, and what the earnest money paid, is no rent but the lessee's again. */
export async function unearn(tx: Tx, { enrollId }: ContractRow, { id, billNo, parkCode, creditFen }: BillRow, at: Instant): Promise<void> {
  const paidFen = sumOf(await returnable(tx, id))
  if (paidFen + creditFen === 0) return
  await post(tx, {
    bizType: 'rent.unearned', bizNo: billNo, eventId: `rent-unearned:${id}`, at, parkCode, business: 'rent',
    lines: [
      { account: 'income.rent', debitFen: paidFen + creditFen },
      ...(paidFen > 0 ? [{ account: 'liability.deposit' as const, sub: id, creditFen: paidFen }] : []),
      ...(creditFen > 0 ? [{ account: 'liability.deposit' as const, sub: enrollId, creditFen }] : []),
    ],
  }) // prettier-ignore
}
/** What is here for the void bills of a lease is proposed to go back the way it came, each fen once: what is on its way, or back, is not asked for again. */
export async function returnUnearned(tx: Tx, { id, enrollId }: ContractRow, asking: Asking): Promise<number> {
  let [backFen, creditFen] = [0, 0]
  for (const bill of await run<{ id: string; creditFen: number }>(tx, { sql: VOID }, [id])) {
    backFen += await askBackAllBut(tx, bill.id, 0, asking)
    creditFen += bill.creditFen
  }
  if (creditFen === 0) return backFen
  const { earnestFen } = await lockEnroll(tx, enrollId)
  return backFen + (await askBackAllBut(tx, enrollId, earnestFen - creditFen, asking))
}
const VOID = `select id, credit_fen from rent.bill where enterprise_id = scope_enterprise() and contract_id = $1 and state = ${BillState.void} and (order_id is not null or credit_fen > 0) order by period_from, kind`

/** @returns how much of what came for it is proposed to go back */
async function askBackAllBut(tx: Tx, creditedTo: string, keptFen: number, { reason, by, at }: Asking): Promise<number> {
  const came = await returnable(tx, creditedTo)
  const backFen = Math.max(0, sumOf(came) - keptFen)
  let left = backFen
  for (const { orderId, cameBy, leftFen } of came) {
    const amountFen = Math.min(left, leftFen)
    if (amountFen > 0) await applyRefund(tx, { orderId, cameBy, amountFen, reason, actor: by, at })
    left -= amountFen
  }
  return backFen
}

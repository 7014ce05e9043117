import type { Fen, Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { post } from '../../ledger/server/api.ts'
import { applyRefund, orderOf, returnable } from '../../settlement/server/api.ts'
import { BillKind, BillState } from '../contract/lease.ts'
import { type BillRow, bills, type ContractRow, lockEnroll, type Person } from './row.ts'

interface Asking {
  reason: string
  by: Person | { userId: null; userName: string }
  at: Instant
}
const sumOf = (came: readonly { leftFen: number }[]): number => came.reduce((sum, { leftFen }) => sum + leftFen, 0)

/** Reverses the income of a bill whose period never came: its payments, and the earnest money in it, are the lessee's again. */
export async function unearn(tx: Tx, { enrollId }: ContractRow, { id, billNo, parkCode, creditFen }: BillRow, at: Instant): Promise<void> {
  const paidFen = sumOf(await returnable(tx, id))
  if (paidFen + creditFen === 0) return
  await post(tx, {
    bizType: 'rent.unearned',
    bizNo: billNo,
    eventId: `rent-unearned:${id}`,
    at,
    parkCode,
    business: 'rent',
    lines: [
      { account: 'income.rent', debitFen: paidFen + creditFen },
      ...(paidFen > 0 ? [{ account: 'liability.deposit' as const, sub: id, creditFen: paidFen }] : []),
      ...(creditFen > 0 ? [{ account: 'liability.deposit' as const, sub: enrollId, creditFen }] : []),
    ],
  })
}
/** Requests refunds of payments for the void bills of a lease, by the way that they came, each fen once: a refund under way or done is not requested again. */
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

const KeptTooMuch = refusal(
  'rent.kept-too-much',
  42442,
  '押金可退 ¥{yuan}，扣除的违约金须小于它',
  'The deposit to refund is ¥{yuan}: the penalty must be less than it',
  422,
)
/** Requests the refund of the deposit less the penalty; the approver of the refund decides both. @throws KeptTooMuch */
export async function returnDeposit(tx: Tx, { id }: ContractRow, penaltyFen: number, asking: Asking): Promise<number> {
  const [of] = await run<{ id: string }>(tx, { sql: DEPOSIT }, [id])
  const hereFen = of ? sumOf(await returnable(tx, of.id)) : 0
  const bill = of && (await lockRow(tx, bills, { id: of.id }))
  const leftFen = hereFen - (bill?.withheldFen ?? 0)
  if (penaltyFen > 0 && penaltyFen >= leftFen) throw KeptTooMuch({ yuan: (leftFen / 100).toFixed(2) })
  if (!bill || leftFen <= 0) return 0
  const withheldFen = (bill.withheldFen + penaltyFen) as Fen
  if (penaltyFen > 0) await setRow(tx, bills, bill, { withheldFen }, asking.at)
  return askBackAllBut(tx, bill.id, withheldFen, asking)
}
const DEPOSIT = `select id from rent.bill where enterprise_id = scope_enterprise() and contract_id = $1 and kind = ${BillKind.deposit} and state = ${BillState.paid}`
/** Once the rest of the deposit is paid out, the kept part is a penalty; after a rejection nothing is kept. */
export async function hearDepositEnded(
  tx: Tx,
  { orderId, paidOut, at }: { orderId: string; paidOut: boolean; at: Instant },
): Promise<true | undefined> {
  const [of] = await run<{ id: string }>(tx, { sql: KEPT_OF }, [orderId])
  if (!of) return undefined
  const bill = await lockRow(tx, bills, { id: of.id })
  const { id, billNo, parkCode, withheldFen } = bill
  if (!paidOut) return void (await setRow(tx, bills, bill, { withheldFen: 0 as Fen }, at))
  const { paidFen, refundFen } = await orderOf(tx, orderId)
  if (paidFen - refundFen !== withheldFen) return undefined
  await post(tx, {
    bizType: 'rent.withheld',
    bizNo: billNo,
    eventId: `rent-withheld:${id}`,
    at,
    parkCode,
    business: 'rent',
    lines: [
      { account: 'liability.deposit', sub: id, debitFen: withheldFen },
      { account: 'income.penalty', creditFen: withheldFen },
    ],
  })
  return true
}
const KEPT_OF = 'select id from rent.bill where enterprise_id = scope_enterprise() and order_id = $1 and withheld_fen > 0'

/** @returns the fen of its payments whose refund is requested */
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

import type { Fen, Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { OrderStatus } from '../../settlement/contract/order.ts'
import { applyRefund, returnRest, waive } from '../../settlement/server/api.ts'
import { adjust, LATE, lateDifference, type Less } from './bill.ts'
import { BillKind, PaidBy } from '../contract/money.ts'
import { type Charge, noteCharge } from './charge.ts'
import { lentFor, lockWithMoney, partsOf, takenFor } from './hold.ts'
import { SYSTEM } from '../../../platform/contract/said.ts'

/** Above this another person approves what goes back. */
const CHECKED_FROM_FEN = 2_000
/** A pile that was off line tells what it measured in many messages: the bill is looked at when they are through. */
export const LATE_AFTER_MS = 30_000
const HOUSE = { userId: null, userName: SYSTEM }

export const lateDue = task<{ orderNo: string }>('charging.late', async ({ tx, data, at }) => {
  const charge = await lockWithMoney(tx, data.orderNo)
  if (charge.finalAt !== null) await settleLate(tx, charge, at)
})
/** What is known by now of a charge that was billed: what was too little is asked as `adjust` has it, what was too much goes back. @returns whether it was either */
export async function settleLate(tx: Tx, charge: Charge, at: Instant): Promise<boolean> {
  const differs = await lateDifference(tx, charge)
  if (differs > 0) await adjust(tx, charge, differs, LATE, at)
  return differs > 0 || (differs < 0 && (await tooMuch(tx, charge, -differs, at)))
}
/** Where a person or a statement has changed the bill, or a debt of it is paid in part or just now, what is too much by now is for a person: paid, or still asked for. */
async function tooMuch(tx: Tx, charge: Charge, tooMuchFen: number, at: Instant): Promise<boolean> {
  const { orderNo, platformId } = charge
  const lent = await lentFor(tx, orderNo)
  const [sums] = (await run<Sums>(tx, { sql: SUMS }, [orderNo, LATE])) as [Sums]
  const cameFen = platformId ? 0 : await paidFor(tx, orderNo)
  const paidFen = platformId ? sums.partnerFen : cameFen + sums.lentFen
  const beyondFen = paidFen - (sums.billedFen - tooMuchFen)
  const [debts] = (await run<{ owedFen: number; moving: boolean }>(tx, { sql: OWED }, [orderNo])) as [{ owedFen: number; moving: boolean }]
  if (sums.byHand || debts.moving) return beyondFen + debts.owedFen > 0 && tellLeft(tx, charge, beyondFen + debts.owedFen, at)
  if (platformId) await adjust(tx, charge, -tooMuchFen, LATE, at)
  else await giveBackLate(tx, charge, { tooMuchFen, beyondFen, ...(lent && { cameFen }) }, at)
  return true
}
/** Once, until it is another amount. */
async function tellLeft(tx: Tx, charge: Charge, fen: number, at: Instant): Promise<boolean> {
  const note = (fen / 100).toFixed(2)
  const [last] = await run<{ note: string }>(tx, { sql: LAST_LEFT }, [charge.orderNo])
  if (last?.note === note) return false
  await noteCharge(tx, charge, 'tooMuchLeft', at, note)
  return true
}
const LAST_LEFT = `select note from charging.charge_move where enterprise_id = scope_enterprise() and order_no = $1 and event = 'tooMuchLeft' order by id desc limit 1`
/** What was let off and what is still owed becomes less first. Of money as much goes back as was paid beyond what is due by now: where a company was lent to, what `cameFen` of it came as money, then what the company owes becomes less. */
async function giveBackLate(
  tx: Tx,
  charge: Charge,
  { tooMuchFen, beyondFen, cameFen = Infinity }: { tooMuchFen: number; beyondFen: number; cameFen?: number },
  at: Instant,
): Promise<void> {
  const { orderNo } = charge
  const backFen = Math.min(tooMuchFen, Math.max(0, beyondFen))
  const debts = await openDebts(tx, orderNo)
  const owedFen = debts.reduce((sum, { arrearsFen }) => sum + arrearsFen, 0)
  const arrearsFen = Math.min(tooMuchFen - backFen, Math.max(0, owedFen + Math.min(0, beyondFen)))
  const endedFen = await endDebts(tx, debts, arrearsFen, at)
  const less = { waivedFen: tooMuchFen - backFen - arrearsFen, arrearsFen, endedFen }
  const moneyFen = Math.min(backFen, cameFen)
  const lent = cameFen !== Infinity
  if (lent && tooMuchFen > moneyFen) await adjust(tx, charge, moneyFen - tooMuchFen, LATE, at, { less })
  if (!lent || moneyFen > 0) await giveBack(tx, charge, moneyFen, { reason: LATE, actor: HOUSE, ...(!lent && { less }), at })
}
const OWED = `select coalesce(sum(arrears_fen), 0)::bigint as owed_fen,
    coalesce(bool_or(owed and (status = ${OrderStatus.paying} or (status in (${OrderStatus.arrears}, ${OrderStatus.waived}) and paid_fen > refund_fen + refunding_fen))), false) as moving
  from settlement.order where enterprise_id = scope_enterprise() and credited_to = $1`
interface Sums {
  billedFen: number
  partnerFen: number
  lentFen: number
  byHand: boolean
}
/** What was billed by the pile's word, what of all bills a partner or a company has to pay, and whether people changed them. */
const SUMS = `select coalesce(sum(payable_fen) filter (where kind <> ${BillKind.adjustment} or reason = $2), 0)::bigint as billed_fen, coalesce(sum(payable_fen), 0)::bigint as partner_fen,
    coalesce(sum(captured_fen + case when payable_fen < 0 then payable_fen - waived_fen - arrears_fen else 0 end) filter (where paid_by = ${PaidBy.credit}), 0)::bigint as lent_fen,
    coalesce(bool_or(kind = ${BillKind.adjustment} and reason <> $2), false) as by_hand
  from charging.bill where enterprise_id = scope_enterprise() and order_no = $1`
interface Debt {
  id: string
  arrearsFen: Fen
}
const openDebts = (tx: Tx, orderNo: string): Promise<Debt[]> => run(tx, { sql: DEBTS }, [orderNo])
const DEBTS = `select id, arrears_fen from settlement.order where enterprise_id = scope_enterprise() and credited_to = $1 and status = ${OrderStatus.arrears} and owed and arrears_fen > 0
  order by id for no key update`
/** A debt is let off whole: what is left of the last one is owed anew. @returns what was let off */
async function endDebts(tx: Tx, debts: readonly Debt[], lessFen: number, at: Instant): Promise<number> {
  let endedFen = 0
  for (const { id: orderId, arrearsFen } of debts) {
    if (endedFen >= lessFen) break
    await waive(tx, { orderId, amountFen: arrearsFen, reason: LATE }, at)
    endedFen += arrearsFen
  }
  return endedFen
}
/** What was paid for a charge and may go back. */
export const paidFor = async (tx: Tx, orderNo: string): Promise<number> => (await takenFor(tx, orderNo)).reduce((sum, one) => sum + one.leftFen, 0)

/** A signed bill of today, and the money the way that it came. Above the limit, in one or by and by, it waits for another person's approval. */
export async function giveBack(
  tx: Tx,
  charge: Charge,
  backFen: number,
  { reason, actor, less, at }: { reason: string; actor: { userId: string | null; userName: string }; less?: Less; at: Instant },
): Promise<{ billNo: string }> {
  const taken = await takenFor(tx, charge.orderNo)
  const checked = backFen + (await givenBack(tx, charge.orderNo)) > CHECKED_FROM_FEN
  const notPaidFen = less ? less.waivedFen + less.arrearsFen : 0
  const made = await adjust(tx, charge, -backFen - notPaidFen, reason, at, { byName: actor.userName, returned: true, ...(less && { less }) })
  for (const { orderId, cameBy, leftFen: amountFen } of partsOf(taken, backFen)) {
    const what = { orderId, cameBy, amountFen, reason, actor, at }
    await (checked ? applyRefund(tx, what) : returnRest(tx, what))
  }
  return made
}
async function givenBack(tx: Tx, orderNo: string): Promise<number> {
  const sql =
    'select coalesce(sum(waived_fen + arrears_fen - adjust_fen), 0)::bigint as fen from charging.bill where enterprise_id = scope_enterprise() and order_no = $1 and adjust_fen < 0'
  return Number((await run<{ fen: number }>(tx, { sql }, [orderNo]))[0]!.fen)
}

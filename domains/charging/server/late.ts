import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/jobs.ts'
import { applyRefund, returnRest } from '../../settlement/server/api.ts'
import { adjust, LATE, lateDifference } from './bill.ts'
import { type Charge, lockCharge, noteCharge } from './charge.ts'
import { lentFor, partsOf, takenFor } from './hold.ts'

/** Above this another person approves what goes back. */
const CHECKED_FROM_FEN = 2_000
/** A pile that was off line tells what it measured in many messages: the bill is looked at when they are through. */
export const LATE_AFTER_MS = 30_000
const HOUSE = { userId: null, userName: 'system' }

export const lateDue = task<{ orderNo: string }>('charging.late', async ({ tx, data, at }) => {
  const charge = await lockCharge(tx, data.orderNo)
  if (charge.finalAt !== null) await settleLate(tx, charge, at)
})
/** What is known by now of a charge that was billed: what was too little is asked as `adjust` has it, what was too much goes back. @returns whether it was either */
export async function settleLate(tx: Tx, charge: Charge, at: Instant): Promise<boolean> {
  const differs = await lateDifference(tx, charge)
  if (differs > 0) await adjust(tx, charge, differs, LATE, at)
  else if (differs < 0) await giveBackLate(tx, charge, -differs, at)
  return differs !== 0
}
/** Off what a partner or a company has yet to pay; else as much of it as was paid. What nobody has paid yet is for a person. */
async function giveBackLate(tx: Tx, charge: Charge, tooMuchFen: number, at: Instant): Promise<void> {
  if (charge.platformId || (await lentFor(tx, charge.orderNo))) return void (await adjust(tx, charge, -tooMuchFen, LATE, at))
  const backFen = Math.min(tooMuchFen, await paidFor(tx, charge.orderNo))
  if (backFen > 0) await giveBack(tx, charge, backFen, { reason: LATE, actor: HOUSE, at })
  if (backFen < tooMuchFen) await noteCharge(tx, charge, 'tooMuchLeft', at, ((tooMuchFen - backFen) / 100).toFixed(2))
}
/** What was paid for a charge and may go back. */
export const paidFor = async (tx: Tx, orderNo: string): Promise<number> => (await takenFor(tx, orderNo)).reduce((sum, one) => sum + one.leftFen, 0)

/** A signed bill of today, and the money the way that it came. Above the limit, in one or by and by, it waits for another person's approval. */
export async function giveBack(
  tx: Tx,
  charge: Charge,
  backFen: number,
  { reason, actor, at }: { reason: string; actor: { userId: string | null; userName: string }; at: Instant },
): Promise<{ billNo: string }> {
  const taken = await takenFor(tx, charge.orderNo)
  const checked = backFen + (await givenBack(tx, charge.orderNo)) > CHECKED_FROM_FEN
  const made = await adjust(tx, charge, -backFen, reason, at, { byName: actor.userName })
  for (const { orderId, cameBy, leftFen: amountFen } of partsOf(taken, backFen)) {
    const what = { orderId, cameBy, amountFen, reason, at }
    await (checked ? applyRefund(tx, { ...what, actor }) : returnRest(tx, what))
  }
  return made
}
async function givenBack(tx: Tx, orderNo: string): Promise<number> {
  const sql =
    'select coalesce(sum(-adjust_fen), 0)::bigint as fen from charging.bill where enterprise_id = scope_enterprise() and order_no = $1 and adjust_fen < 0'
  return Number((await run<{ fen: number }>(tx, { sql }, [orderNo]))[0]!.fen)
}

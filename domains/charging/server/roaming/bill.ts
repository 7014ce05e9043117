import type { CodeOf, Fen, Instant, Of } from '../../../../platform/contract/field.ts'
import { dayOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { json } from '../../../../platform/server/row.ts'
import { post } from '../../../ledger/server/api.ts'
import { leaveUnpaid, openOrder, returnable, returnRest, SelfApproval } from '../../../settlement/server/api.ts'
import { PARK_OF_ALL } from '../../contract/units.ts'
import { BillKind } from '../../contract/money.ts'
import { Doubt, type RoamingBill } from '../../contract/roaming.ts'
import { doubtsAbout, type TheirBill } from '../../contract/roamingBill.ts'
import { ChargeStatus, StopReason } from '../../contract/session.ts'
import { Direction } from '../../contract/statement.ts'
import { FROM_CHARGING, WAIVED_FEN } from '../bill.ts'
import { partsOf } from '../hold.ts'
import { keepDifference } from '../partnerCheck.ts'
import { purse } from '../questions.ts'
import { change, freed, move, moveRoaming, roamingBySeq, type RoamingCharge } from './charge.ts'
import { Said } from '../../contract/said.ts'
import { OrderType } from '../../../settlement/contract/order.ts'

type Bill = Of<typeof RoamingBill>
const TooMuch = refusal(
  'charging.roaming-too-much',
  41346,
  '结算金额不能超过 ¥{most}（对方账单；未收到账单时为冻结金额）',
  'The amount cannot exceed ¥{most}: the partner’s bill, or where none came what was put on hold',
  422,
)
const NotDoubted = refusal(
  'charging.roaming-not-doubted',
  41347,
  '该订单没有待处理的争议，请刷新列表',
  'This session has no open dispute: refresh the list',
)
const Waits = refusal('charging.roaming-waits', 41336, '{name} 已提交处理，请先复核', '{name} has submitted this dispute: review that first')
const NotAgreed = refusal(
  'charging.roaming-not-agreed',
  41337,
  '该争议还没有提交处理，或已处理；请刷新列表',
  'Nothing of this dispute waits for review: refresh the list',
)

export interface BillSaid extends TheirBill {
  platformId: string
  startChargeSeq: string
  connectorId: string
  stopReason: CodeOf<typeof StopReason> | null
}
/**
 * A partner's bill of a charge. What can be is settled at once; what cannot is a person's to look at, and its money waits. Told again it is the same bill: it changes nothing, and one that is put right in the meantime
 * is looked at anew. @returns whether we agree to it
 */
export async function billTold(tx: Tx, said: BillSaid, at: Instant): Promise<boolean> {
  const charge = await roamingBySeq(tx, said.platformId, said.startChargeSeq)
  const theirs = { startChargeSeq: said.startChargeSeq, wh: said.energyWh, fen: said.totalFen }
  const of = { platformId: said.platformId, direction: Direction.payable, day: dayOf(at) }
  if (!charge) {
    await keepDifference(tx, of, undefined, theirs, at)
    return false
  }
  if (charge.status === ChargeStatus.done) return asSettled(tx, charge, said, of, at)
  const wrong = [...doubtsAbout(said, charge, at), ...(charge.connectorId === said.connectorId ? [] : [Doubt.gun])]
  // The standard has the first five; what a partner means by another is its own.
  const stopReason = said.stopReason !== null && said.stopReason <= StopReason.unplugged ? said.stopReason : charge.stopReason
  const told = { ...figures(said), stopReason, ...NOT_AGREED }
  if (wrong.length > 0) {
    await moveRoaming(tx, charge, 'doubt', { ...told, doubts: wrong }, at)
    return false
  }
  await settleAt(tx, await change(tx, charge, { ...told, doubts: [] }, at), said, null, at)
  return true
}
const figures = ({ startTime, endTime, energyWh, elecFen, serviceFen, lines }: TheirBill) => ({
  ...{ startTime, endTime, energyWh, elecFen: elecFen as Fen, serviceFen: serviceFen as Fen, lines: json([...lines]) },
})
/** What was settled stays: the same bill again is agreed to, another one is a difference between the books. */
async function asSettled(
  tx: Tx,
  charge: RoamingCharge,
  said: BillSaid,
  of: { platformId: string; direction: 1 | 2; day: ReturnType<typeof dayOf> },
  at: Instant,
): Promise<boolean> {
  const [[bill], [settled]] = [await billsOf(tx, charge.orderNo), await sumOf(tx, charge.orderNo)]
  if (settled!.fen === said.totalFen && bill!.energyWh === said.energyWh) return true
  const ours = { startChargeSeq: charge.startChargeSeq, orderNo: charge.orderNo, finalAt: bill!.finalAt, wh: bill!.energyWh, fen: settled!.fen }
  await keepDifference(tx, of, ours, { startChargeSeq: said.startChargeSeq, wh: said.energyWh, fen: said.totalFen }, at)
  return false
}
export const billsOf = (tx: Tx, orderNo: string): Promise<Bill[]> => run<Bill>(tx, { sql: BILLS }, [orderNo])
const BILLS = `select id, bill_no, order_no, platform_id, kind, final_at, energy_wh, elec_fen, service_fen, adjust_fen, captured_fen, waived_fen, arrears_fen, reason
  from charging.roaming_bill where enterprise_id = scope_enterprise() and order_no = $1 order by final_at, id`
const sumOf = (tx: Tx, orderNo: string): Promise<{ fen: number }[]> => run(tx, { sql: SUM }, [orderNo])
const SUM =
  'select coalesce(sum(elec_fen + service_fen + adjust_fen), 0)::bigint as fen from charging.roaming_bill where enterprise_id = scope_enterprise() and order_no = $1'

type Person = { userId: string; userName: string }
/** Of what a bill in doubt was agreed to be nothing is left: its partner bills something else, or the reviewer says no. */
const NOT_AGREED = { agreedFen: null, agreedId: null, agreedName: null }
/** A person agreed with the partner to what is paid of a bill in doubt; another one reviews it. @throws NotDoubted, Waits, TooMuch */
export async function agreeDoubt(
  tx: Tx,
  charge: RoamingCharge,
  amountFen: number,
  reason: string,
  { userId, userName }: Person,
  at: Instant,
): Promise<RoamingCharge> {
  if (charge.status !== ChargeStatus.abnormal) throw NotDoubted()
  if (charge.agreedFen !== null) throw Waits({ name: charge.agreedName! })
  const { elecFen, serviceFen, doubts, holdFen } = charge
  const unbilled = doubts.some((one) => one === Doubt.noBill || one === Doubt.unknown)
  const mostFen = Math.max(elecFen + serviceFen, unbilled ? holdFen : 0)
  if (amountFen > mostFen) throw TooMuch({ most: (mostFen / 100).toFixed(2) })
  return change(
    tx,
    charge,
    { agreedFen: amountFen as Fen, agreedNote: reason, agreedId: userId as RoamingCharge['agreedId'], agreedName: userName },
    at,
  )
}
/** With the yes of another than who agreed to it the bill is settled; with a no it waits as before. @throws NotAgreed, SelfApproval */
export async function decideDoubt(
  tx: Tx,
  charge: RoamingCharge,
  pass: boolean,
  verdict: string | undefined,
  { userId, userName }: Person,
  at: Instant,
): Promise<RoamingCharge> {
  const { elecFen, serviceFen, energyWh, agreedFen, agreedNote } = charge
  if (charge.status !== ChargeStatus.abnormal || agreedFen === null) throw NotAgreed()
  if (charge.agreedId === (userId as string)) throw SelfApproval()
  const said = { agreedNote: noted(agreedNote, verdict) }
  if (!pass) return change(tx, charge, { ...NOT_AGREED, ...said }, at)
  return settleAt(tx, charge, { elecFen, serviceFen, energyWh, adjustFen: agreedFen - elecFen - serviceFen }, { ...said, decidedName: userName }, at)
}
/** What was written of it, with what its reviewer says. */
export const noted = (reason: string | null, verdict: string | undefined): string | null =>
  verdict ? [reason, verdict].filter(Boolean).join('；').slice(0, NOTE_MAX) : reason
const NOTE_MAX = 200

interface Amounts {
  elecFen: number
  serviceFen: number
  energyWh: number
  adjustFen?: number
}
/** The bill is ours now: what it takes comes out of what was put on hold, the rest is free; we owe the partner all of it. */
async function settleAt(
  tx: Tx,
  charge: RoamingCharge,
  { elecFen, serviceFen, energyWh, adjustFen = 0 }: Amounts,
  reviewed: Partial<RoamingCharge> | null,
  at: Instant,
): Promise<RoamingCharge> {
  const totalFen = elecFen + serviceFen + adjustFen
  const spread = await take(tx, charge, totalFen, at)
  const { orderNo, platformId } = charge
  await writeBill(
    tx,
    { orderNo, platformId, kind: BillKind.charge, energyWh, elecFen, serviceFen, adjustFen, ...spread, reason: reviewed && charge.agreedNote },
    at,
  )
  // What it took beyond what was put on hold was set aside in that moment.
  const taken = {
    holdFen: (charge.holdFen + spread.capturedFen - spread.fromHoldFen) as Fen,
    capturedFen: (charge.capturedFen + spread.capturedFen) as Fen,
  }
  const rest = await freed(tx, { ...charge, ...taken }, at)
  return moveRoaming(tx, charge, 'bill', { ...taken, ...rest, ...reviewed, shortfallFen: (totalFen - spread.capturedFen) as Fen, finalAt: at }, at)
}

interface Spread {
  capturedFen: number
  waivedFen: number
  arrearsFen: number
}
/** Out of what was put on hold; what that does not cover out of what is free by now, all of it or none; else little of it is ours to bear, and much a debt of the driver. */
async function take(tx: Tx, charge: RoamingCharge, totalFen: number, at: Instant): Promise<Spread & { fromHoldFen: number }> {
  const open = charge.held ? charge.holdFen - charge.capturedFen - charge.releasedFen : 0
  const fromHoldFen = Math.min(open, totalFen)
  if (fromHoldFen > 0) await move(tx, charge, 'spend', fromHoldFen, at)
  const left = totalFen - fromHoldFen
  const [found] = left > 0 ? await purse.ask(tx, { ownerId: charge.ownerId, at }) : []
  if (left > 0 && found && !found.answer.refused && found.answer.availableFen >= left) {
    // All that was set aside is used up by now, so its number is free again.
    if ((await move(tx, charge, 'freeze', left, at)) && (await move(tx, charge, 'spend', left, at)))
      return { fromHoldFen, capturedFen: totalFen, waivedFen: 0, arrearsFen: 0 }
    throw new Error(`Session ${charge.orderNo} found ${left} and could not take it.`)
  }
  const isLittle = left <= WAIVED_FEN
  if (!isLittle) await owe(tx, charge, left, at)
  return { fromHoldFen, capturedFen: fromHoldFen, waivedFen: isLittle ? left : 0, arrearsFen: isLittle ? 0 : left }
}
async function owe(tx: Tx, { orderNo, plateNo, plateColor }: RoamingCharge, fen: number, at: Instant): Promise<void> {
  const order = await openOrder(tx, {
    ...{
      type: OrderType.charging,
      creditedTo: orderNo,
      subject: Said.debt({ orderNo }),
      plateNo,
      plateColor,
      parkCode: PARK_OF_ALL,
      receivableFen: fen,
      at,
    },
  })
  await leaveUnpaid(tx, order.id, { sourceType: FROM_CHARGING, at })
}

/** A partner's figure stands where we had settled another: less goes back to the driver, more is ours to bear. */
export async function adjustRoaming(tx: Tx, charge: RoamingCharge, adjustFen: number, reason: string, at: Instant): Promise<{ billNo: string }> {
  const parts = adjustFen < 0 ? partsOf(await returnable(tx, charge.orderNo), -adjustFen) : []
  const backFen = parts.reduce((sum, { leftFen }) => sum + leftFen, 0)
  const { orderNo, platformId } = charge
  const spread = { capturedFen: -backFen, waivedFen: adjustFen + backFen, arrearsFen: 0 }
  const billNo = await writeBill(
    tx,
    { orderNo, platformId, kind: BillKind.adjustment, energyWh: 0, elecFen: 0, serviceFen: 0, adjustFen, ...spread, reason },
    at,
  )
  for (const { orderId, cameBy, leftFen } of parts) await returnRest(tx, { orderId, cameBy, amountFen: leftFen, reason, at })
  return { billNo }
}

type NewBill = Omit<Bill, 'id' | 'billNo' | 'finalAt' | 'elecFen' | 'serviceFen' | 'adjustFen' | keyof Spread> &
  Spread & { elecFen: number; serviceFen: number; adjustFen: number }
async function writeBill(tx: Tx, bill: NewBill, at: Instant): Promise<string> {
  const { orderNo, platformId, kind, energyWh, elecFen, serviceFen, adjustFen, capturedFen, waivedFen, arrearsFen, reason } = bill
  const values = [orderNo, platformId, kind, at, energyWh, elecFen, serviceFen, adjustFen, capturedFen, waivedFen, arrearsFen, reason]
  const [{ billNo }] = (await run<{ billNo: string }>(tx, { sql: WRITE }, values)) as [{ billNo: string }]
  const owedFen = elecFen + serviceFen + adjustFen
  const paidFen = capturedFen + arrearsFen
  await post(tx, {
    bizType: 'charge.roamed',
    bizNo: billNo,
    about: orderNo,
    eventId: `roaming:${billNo}`,
    at,
    parkCode: PARK_OF_ALL,
    business: 'charging',
    lines: [
      { account: 'liability.charge-prepaid', sub: orderNo, debitFen: Math.max(0, paidFen), creditFen: Math.max(0, -paidFen) },
      { account: 'contra.waiver', debitFen: Math.max(0, waivedFen), creditFen: Math.max(0, -waivedFen) },
      { account: 'liability.partner', sub: `platform:${platformId}`, debitFen: Math.max(0, -owedFen), creditFen: Math.max(0, owedFen) },
    ],
  })
  return billNo
}
const WRITE = `insert into charging.roaming_bill (bill_no, order_no, platform_id, kind, final_at, energy_wh, elec_fen, service_fen, adjust_fen, captured_fen, waived_fen, arrears_fen, reason)
  values (platform.business_no('KZ'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning bill_no`

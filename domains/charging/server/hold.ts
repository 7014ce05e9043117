import type { Instant, Of } from '../../../platform/contract/field.ts'
import { columnsIn } from '../../../platform/contract/names.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { type List, listOver } from '../../../platform/server/page.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { setRow } from '../../../platform/server/row.ts'
import { cancelOrder, holdCredited, openOrder, orderOf, type Returnable, returnable, returnableNow, returnRest } from '../../settlement/server/api.ts'
import { Hold, HoldKind, holdSearch, HoldState } from '../contract/money.ts'
import { CardKind } from '../contract/card.ts'
import { type Charge, lockCharge } from './charge.ts'
import { purse, purseMoved } from './questions.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'
import { OrderType } from '../../settlement/contract/order.ts'

export type HoldRow = Of<typeof Hold> & { accountId: string | null; settlementId: string | null }
export const holds = listOver(Hold, 'charging.hold', holdSearch, { sums: ['holdFen', 'capturedFen', 'releasedFen', 'openFen', 'shortfallFen'] })
const whole: List<HoldRow, 'charging.hold'> = {
  ...(holds as object as List<HoldRow, 'charging.hold'>),
  columns: [...holds.columns, 'accountId', 'settlementId'],
}
const COLUMNS = columnsIn(Hold) + ', account_id, settlement_id'
/** With less than that nobody begins. */
export const LEAST_FEN = 500

export const TooLittle = refusal(
  'charging.too-little',
  41310,
  '余额不足，至少需要 ¥{least}',
  'The balance is too low: at least ¥{least} is needed',
  422,
)
export const PurseRefused = refusal('charging.purse-refused', 41315, '储值不能支付充电：{zh}', 'Stored value cannot pay for this session: {en}', 422)
const NoCredit = refusal(
  'charging.no-credit',
  41311,
  '单位授信额度已用完，请联系单位管理员或改用个人储值',
  'The company’s credit is used up: contact your company or pay from your own balance',
  422,
)

/** Paid in advance: the order that the driver pays. The charge waits for it. */
export async function askPrepaid(tx: Tx, charge: Charge, amountFen: number, at: Instant): Promise<HoldRow> {
  const order = await openOrder(tx, {
    type: OrderType.charging,
    creditedTo: charge.orderNo,
    subject: Said.prepaid({ connectorId: charge.connectorId }),
    plateNo: charge.plateNo,
    plateColor: charge.plateColor,
    parkCode: charge.parkCode,
    receivableFen: amountFen,
    at,
  })
  return addHold(tx, charge, {
    kind: HoldKind.prepaid,
    state: HoldState.waiting,
    amountFen,
    payer: charge.plateNo ?? Said.scanned,
    accountId: null,
    settlementId: order.id,
    at,
  })
}
/** From the stored value of an owner: as much as is there, no more than is paid in advance elsewhere. @throws TooLittle, PurseRefused */
export async function freezeStored(tx: Tx, charge: Charge, prepayFen: number, at: Instant): Promise<HoldRow> {
  const ownerId = charge.ownerId!
  const [found] = await purse.ask(tx, { ownerId, at })
  if (found?.answer.refused) throw PurseRefused({ ...found.answer.refused })
  const amountFen = Math.min(found?.answer.availableFen ?? 0, prepayFen)
  if (!found || amountFen < LEAST_FEN) throw TooLittle({ least: (LEAST_FEN / 100).toFixed(2) })
  const made = await addHold(tx, charge, {
    kind: HoldKind.stored,
    state: HoldState.held,
    amountFen,
    payer: found.answer.payer,
    accountId: ownerId,
    settlementId: null,
    at,
  })
  if (!(await moveMoney(tx, made, 'freeze', amountFen, at))) throw TooLittle({ least: (LEAST_FEN / 100).toFixed(2) })
  return made
}
/** On a company's account: what its charges hold and what it has not paid stay within its credit. @throws NoCredit */
export async function lendCredit(tx: Tx, charge: Charge, prepayFen: number, at: Instant): Promise<HoldRow> {
  const credit = await creditLeft(tx, charge.cardNo!)
  if (!credit || credit.leftFen < LEAST_FEN) throw NoCredit()
  const amountFen = Math.min(prepayFen, credit.leftFen)
  return addHold(tx, charge, {
    kind: HoldKind.credit,
    state: HoldState.held,
    amountFen,
    payer: credit.unit,
    accountId: unitAccount(credit.unit),
    settlementId: null,
    at,
  })
}
export const unitAccount = (unit: string) => `unit:${unit}`
/** What a company's card may still be used for. All its cards share the largest credit that one of them has. */
export async function creditLeft(tx: Tx, cardNo: string): Promise<{ unit: string; leftFen: number } | undefined> {
  const [card] = await run<{ unit: string }>(
    tx,
    { sql: `select unit from charging.card where enterprise_id = scope_enterprise() and card_no = $1 and kind = ${CardKind.company}` },
    [cardNo],
  )
  if (!card) return undefined
  // Two of its cards at once wait for each other.
  await run(tx, { sql: 'select 1 from charging.card where enterprise_id = scope_enterprise() and unit = $1 order by card_no for update' }, [
    card.unit,
  ])
  const [sums] = await run<{ creditFen: number; openFen: number; billedFen: number }>(tx, CREDIT, [card.unit, unitAccount(card.unit)])
  return { unit: card.unit, leftFen: Number(sums!.creditFen) - Number(sums!.openFen) - Number(sums!.billedFen) }
}
const CREDIT = {
  sql: `select (select max(credit_fen) from charging.card where enterprise_id = scope_enterprise() and unit = $1) as credit_fen,
    (select coalesce(sum(open_fen), 0)::bigint from charging.hold where enterprise_id = scope_enterprise() and account_id = $2 and state = ${HoldState.held}) as open_fen,
    (select coalesce(sum(debit_fen - credit_fen), 0)::bigint from ledger.balance where enterprise_id = scope_enterprise() and account = 'asset.partner' and sub = $2) as billed_fen`,
}

/** What was billed too little, out of stored value: all of it, or nothing where there is too little. */
export async function debitStored(
  tx: Tx,
  charge: Charge,
  { ownerId, amountFen, at }: { ownerId: string; amountFen: number; at: Instant },
): Promise<HoldRow | undefined> {
  const [found] = await purse.ask(tx, { ownerId, at })
  if (!found || found.answer.refused || found.answer.availableFen < amountFen) return undefined
  const made = await addHold(tx, charge, {
    kind: HoldKind.stored,
    state: HoldState.settled,
    amountFen,
    capturedFen: amountFen,
    payer: found.answer.payer,
    accountId: ownerId,
    settlementId: null,
    at,
  })
  for (const move of ['freeze', 'spend'] as const)
    if (!(await moveMoney(tx, made, move, amountFen, at))) throw new Error(`Hold ${made.holdNo} found ${amountFen} and could not take it.`)
  return made
}
/** What was billed too little, on the account of the company that the charge was lent to: its bill comes by the month, so it is never let off; past its credit nothing more begins. */
export async function lendLate(tx: Tx, charge: Charge, amountFen: number, at: Instant): Promise<HoldRow | undefined> {
  const lent = await lentFor(tx, charge.orderNo)
  if (!lent) return undefined
  const { accountId, payer } = lent
  return addHold(tx, charge, {
    kind: HoldKind.credit,
    state: HoldState.settled,
    amountFen,
    capturedFen: amountFen,
    payer,
    accountId,
    settlementId: null,
    at,
  })
}
/** What a company was lent for a charge, and used of it. */
export const lentFor = async (tx: Tx, orderNo: string): Promise<HoldRow | undefined> => (await run<HoldRow>(tx, { sql: LENT }, [orderNo]))[0]
const LENT = `select ${COLUMNS} from charging.hold where enterprise_id = scope_enterprise() and order_no = $1 and hold_kind = ${HoldKind.credit} and captured_fen > 0 order by hold_at limit 1`

/** What was frozen or lent for a charge went back before its bill was made: the bill takes it from there again, of stored value as far as it goes. */
export async function takeAgain(tx: Tx, charge: Charge, askedFen: number, at: Instant): Promise<HoldRow | undefined> {
  const [before] = await run<HoldRow>(tx, { sql: WENT_BACK }, [charge.orderNo])
  if (!before) return undefined
  const { holdKind, payer, accountId } = before
  const take = (amountFen: number) =>
    addHold(tx, charge, { kind: holdKind, state: HoldState.held, amountFen, payer, accountId, settlementId: null, at })
  if (holdKind === HoldKind.credit) return take(askedFen)
  const [found] = await purse.ask(tx, { ownerId: accountId!, at })
  const amountFen = found && !found.answer.refused ? Math.min(found.answer.availableFen, askedFen) : 0
  if (amountFen === 0) return undefined
  const made = await take(amountFen)
  if (!(await moveMoney(tx, made, 'freeze', amountFen, at))) throw new Error(`Hold ${made.holdNo} found ${amountFen} and could not take it.`)
  return made
}
const WENT_BACK = `select ${COLUMNS} from charging.hold where enterprise_id = scope_enterprise() and order_no = $1 and hold_kind <> ${HoldKind.prepaid} and state = ${HoldState.released}
  order by hold_at desc limit 1`

interface NewHold {
  kind: 1 | 2 | 3
  state: 0 | 1 | 2
  amountFen: number
  capturedFen?: number
  payer: string
  accountId: string | null
  settlementId: string | null
  at: Instant
}
async function addHold(
  tx: Tx,
  charge: Charge,
  { kind, state, amountFen, capturedFen = 0, payer, accountId, settlementId, at }: NewHold,
): Promise<HoldRow> {
  const sql = `insert into charging.hold (hold_no, order_no, park_code, hold_kind, state, hold_at, payer, account_id, settlement_id, hold_fen, captured_fen, created_at, updated_at)
    values (platform.business_no('CDY'), $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $5, $5) returning ${COLUMNS}`
  const [made] = await run<HoldRow>(tx, { sql }, [
    charge.orderNo,
    charge.parkCode,
    kind,
    state,
    at,
    payer,
    accountId,
    settlementId,
    amountFen,
    capturedFen,
  ])
  return made!
}
const moveMoney = async (
  tx: Tx,
  { accountId, holdNo, orderNo, parkCode }: HoldRow,
  move: 'freeze' | 'spend' | 'free',
  amountFen: number,
  at: Instant,
): Promise<boolean> =>
  (await purseMoved.ask(tx, { move, ownerId: accountId!, holdNo, orderNo, parkCode, amountFen, at })).some(({ answer }) => answer)

/** The live hold of a charge, held until the transaction ends. */
export async function holdOf(tx: Tx, orderNo: string): Promise<HoldRow | undefined> {
  return (await run<HoldRow>(tx, { sql: `${LIVE} for update` }, [orderNo]))[0]
}
const LIVE = `select ${COLUMNS} from charging.hold where enterprise_id = scope_enterprise() and order_no = $1 and state in (${HoldState.waiting}, ${HoldState.held})`
/** Its money, held in the order in which a payment that comes in holds it: first its orders, then the hold. */
export async function holdMoney(tx: Tx, orderNo: string): Promise<void> {
  await holdCredited(tx, orderNo)
  await holdOf(tx, orderNo)
}
/** A charge whose money may move: held behind its money, as a payment that comes in holds it. @throws NotFound */
export async function lockWithMoney(tx: Tx, orderNo: string): Promise<Charge> {
  await holdMoney(tx, orderNo)
  return lockCharge(tx, orderNo)
}
export async function holdPaidBy(tx: Tx, settlementId: string): Promise<HoldRow | undefined> {
  return (
    await run<HoldRow>(
      tx,
      { sql: `select ${COLUMNS} from charging.hold where enterprise_id = scope_enterprise() and settlement_id = $1 for update` },
      [settlementId],
    )
  )[0]
}
/** The money has come. */
export async function takeHold(tx: Tx, hold: HoldRow, at: Instant): Promise<HoldRow> {
  const { payMethod, tradeNo } = await orderOf(tx, hold.settlementId!)
  return changeHold(tx, hold, { state: HoldState.held, holdAt: at, payMethod, tradeNo }, at)
}

/** Takes of a hold what a bill asks, as far as it goes. @returns what was captured */
export async function capture(tx: Tx, hold: HoldRow, askedFen: number, at: Instant): Promise<{ hold: HoldRow; fen: number }> {
  const fen = Math.min(askedFen, hold.openFen)
  if (fen > 0 && hold.holdKind === HoldKind.stored) await moveMoney(tx, hold, 'spend', fen, at)
  const changes = { capturedFen: plus(hold.capturedFen, fen), shortfallFen: plus(hold.shortfallFen, askedFen - fen) }
  return { hold: await changeHold(tx, hold, changes, at), fen }
}
/** What nobody needs any more goes back: by a refund, to the stored value, to the credit. */
export async function releaseRest(tx: Tx, hold: HoldRow, reason: string, at: Instant): Promise<HoldRow> {
  const fen = hold.openFen
  if (hold.state !== HoldState.held) return hold
  if (fen > 0 && hold.holdKind === HoldKind.prepaid) await returnRest(tx, { orderId: hold.settlementId!, amountFen: fen, reason, at })
  if (fen > 0 && hold.holdKind === HoldKind.stored) await moveMoney(tx, hold, 'free', fen, at)
  const state = hold.capturedFen > 0 ? HoldState.settled : HoldState.released
  return changeHold(tx, hold, { state, releasedFen: plus(hold.releasedFen, fen) }, at)
}
/** A part goes back while the rest waits. Of stored value and credit the whole waits: there nobody waits for a refund. */
export async function releasePart(tx: Tx, hold: HoldRow, fen: number, reason: string, at: Instant): Promise<void> {
  if (hold.holdKind !== HoldKind.prepaid) return
  await returnRest(tx, { orderId: hold.settlementId!, amountFen: fen, reason, at })
  await changeHold(tx, hold, { releasedFen: plus(hold.releasedFen, fen) }, at)
}
/** What was taken for a charge and may go back, the last first: of money that was paid in advance not what it may still cost. */
export async function takenFor(tx: Tx, orderNo: string): Promise<Returnable[]> {
  const taken = await returnable(tx, orderNo)
  return withoutOpen(taken, await holdOf(tx, orderNo))
}
const withoutOpen = (taken: readonly Returnable[], live: HoldRow | undefined): Returnable[] =>
  taken.map((one) => (one.orderId === live?.settlementId ? { ...one, leftFen: one.leftFen - live.openFen } : one))
/** How much of it may go back by now, only to be read. */
export async function refundableFor(tx: Tx, orderNo: string): Promise<number> {
  const [live] = await run<HoldRow>(tx, { sql: LIVE }, [orderNo])
  const taken = withoutOpen(await returnableNow(tx, orderNo), live)
  return Math.max(
    0,
    taken.reduce((sum, { leftFen }) => sum + leftFen, 0),
  )
}
/** An amount of it, by the payments that it came by. */
export function partsOf(taken: readonly Returnable[], amountFen: number): Returnable[] {
  let left = amountFen
  return taken.flatMap((one) => {
    const leftFen = Math.min(left, one.leftFen)
    left -= Math.max(0, leftFen)
    return leftFen > 0 ? [{ ...one, leftFen }] : []
  })
}
/** Nobody paid it in time, or the charge was called off before. Money that comes later goes back by itself. */
export async function voidHold(tx: Tx, hold: HoldRow, reason: string, at: Instant): Promise<void> {
  await cancelOrder(tx, hold.settlementId!, { reason, at })
  await changeHold(tx, hold, { state: HoldState.void }, at)
}

const changeHold = (tx: Tx, hold: HoldRow, changes: Partial<HoldRow>, at: Instant): Promise<HoldRow> => setRow(tx, whole, hold, changes, at)
const plus = (a: number, b: number) => (a + b) as HoldRow['holdFen']

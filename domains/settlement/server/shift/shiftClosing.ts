import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { inAllParks, run, type Tx } from '../../../../platform/server/database.ts'
import { IllegalMove, refusal } from '../../../../platform/server/refusal.ts'
import { json } from '../../../../platform/server/row.ts'
import { recall, sendInner } from '../../../message/server/api.ts'
import { type shift, shiftCan, type ShiftRow, ShiftMoveKind, ShiftState } from '../../contract/shift.ts'
import { cashierOf } from '../events.ts'
import { holdRunning, shiftOf } from './shiftRow.ts'
import { BANK, bookDifference, cashOf, lockTill, moveCash, partsOf, seesAll, setTill, sumOf, type Till, unbooked } from './shiftCash.ts'

type Person = { userId: string; userName: string }
type Line = Of<typeof ShiftRow>
const NotYours = refusal('settlement.not-your-shift', 40581, '只能操作自己的收银班次', 'You can only work on your own shift', 403)
const NotInTill = refusal(
  'settlement.not-in-till',
  40582,
  '最多可上缴 {left} 元（不含备用金）',
  'At most ¥{left} can be deposited, not counting the float',
  422,
)
const VoucherTaken = refusal(
  'settlement.voucher-taken',
  40583,
  '凭证号 {voucherNo} 已登记过，请核对凭证号',
  'Voucher {voucherNo} has already been recorded: check the number',
)
const ReasonNeeded = refusal(
  'settlement.difference-needs-reason',
  40584,
  '清点与应有现金不符：请重新清点，仍不符的填写原因',
  'The count differs from the cash expected: count again, and if it still does, give a reason',
  422,
)
const NoTaker = refusal(
  'settlement.no-taker',
  40585,
  '接班人须为在职且有账号的收费员，且不能是自己',
  'The incoming cashier must be an active collector with an account, and not yourself',
  422,
)
const CountDiffers = refusal(
  'settlement.taker-counts-otherwise',
  40586,
  '与交班清点的金额不符，请一同重新清点，或拒绝接班',
  'The amount differs from the count at closing: count again together, or reject the handover',
  422,
)
const RunsAnother = refusal(
  'settlement.another-shift-runs',
  40587,
  '{name} 已有新的收银班次在进行，请其先结清新的收银班次，再拒绝',
  '{name} already has another shift running, which must be closed before you can reject this one',
)
const NotAllYours = refusal(
  'settlement.deposit-of-other-parks',
  40579,
  '收银班次里有您已不再管理的车场的现金，不能上缴，请直接交班',
  'This shift holds cash of car parks that you no longer manage: it cannot be deposited, close the shift instead',
  422,
)
/** A difference up to here is explained by its cashier; above, somebody else settles it. */
const LIMIT_FEN = 1_000
const yuan = (fen: number) => (fen / 100).toFixed(2)

export async function deposit(tx: Tx, { id, version, amountFen, voucherNo }: Of<typeof shift.deposit.input>, by: Person, at: Instant): Promise<Line> {
  const till = await ownTill(tx, { id, version }, by)
  if (till.state !== ShiftState.running) throw IllegalMove({ state: till.state })
  if (!(await seesAll(tx, id))) throw NotAllYours()
  const cash = await cashOf(tx, id)
  const parts = partsOf(cash, amountFen)
  if (sumOf(parts) < amountFen || sumOf(cash) < amountFen) throw NotInTill({ left: yuan(Math.max(sumOf(cash), 0)) })
  if ((await run(tx, { sql: KNOWN_VOUCHER }, [voucherNo])).length > 0) throw VoucherTaken({ voucherNo })
  for (const { parkCode, fen } of parts)
    await moveCash(tx, { till, kind: ShiftMoveKind.deposit, parkCode, fen: -fen, against: BANK, voucherNo, by, at })
  return setTill(tx, till, 'state = state', [], at)
}
const KNOWN_VOUCHER = `select 1 from settlement.shift_move where enterprise_id = scope_enterprise() and voucher_no = $1 and kind = ${ShiftMoveKind.deposit}`

export async function close(
  tx: Tx,
  { id, version, counted, takerTollNo, reason }: Of<typeof shift.close.input>,
  by: Person,
  at: Instant,
): Promise<Line> {
  const till = await ownTill(tx, { id, version }, by)
  if (shiftCan.bringIn(till.state) === undefined) throw IllegalMove({ state: till.state })
  const countedFen = counted.reduce((sum, { faceFen, count }) => sum + faceFen * count, 0)
  const expectedFen = till.openingFloatFen + sumOf(await cashOf(tx, id))
  const differs = countedFen - expectedFen
  if (differs !== 0 && !reason?.trim()) throw ReasonNeeded()
  const taker = takerTollNo ? await takerOf(tx, takerTollNo, by) : undefined
  const tooMuch = Math.abs(differs) > LIMIT_FEN
  const state = tooMuch ? ShiftState.difference : taker ? ShiftState.toTakeOver : ShiftState.toSettle
  const values = [
    state,
    json(counted),
    countedFen,
    expectedFen,
    tooMuch ? differs : 0,
    reason ?? null,
    taker?.userId ?? null,
    taker?.userName ?? null,
  ]
  const closed = await setTill(tx, till, CLOSED, values, at)
  if (taker && !tooMuch) await tellTaker(tx, closed, at)
  return closed
}
const CLOSED = `state = $3, counted = $4, counted_fen = $5, expected_fen = $6, open_fen = $7, close_reason = $8, taker_id = $9, taker_name = $10, closed_at = $2`

async function ownTill(tx: Tx, which: { id: string; version: number }, { userId }: Person): Promise<Till> {
  const till = await lockTill(tx, which, userId)
  if (till.personId !== userId) throw NotYours()
  return till
}
async function takerOf(tx: Tx, tollNo: string, { userId }: Person): Promise<Person> {
  const [known] = await cashierOf.ask(tx, { tollNo })
  if (!known || known.answer.userId === userId) throw NoTaker()
  return known.answer
}
export const tellTaker = (
  tx: Tx,
  { id, takerId, personName, shiftNo, countedFen }: Pick<Line, 'id' | 'takerId' | 'personName' | 'shiftNo' | 'countedFen'>,
  at: Instant,
) =>
  sendInner(tx, {
    to: { custId: takerId! },
    title: [`待接班：${personName}`, `Cash shift to take over from ${personName}`],
    body: [`收银班次 ${shiftNo}，清点现金 ${yuan(countedFen ?? 0)} 元`, `Cash shift ${shiftNo}, ¥${yuan(countedFen ?? 0)} counted`],
    concerns: concernsOf(id),
    at,
  })

const concernsOf = (id: string) => `shift:${id}`

/** The taker counts too; the cash then lies in the taker's till, and so does the float. */
export async function takeOver(tx: Tx, { id, version, accept, countedFen }: Of<typeof shift.takeOver.input>, by: Person, at: Instant): Promise<Line> {
  const till = await lockTill(tx, { id, version }, by.userId)
  // The giver may take it back while nobody has counted it.
  if (till.takerId !== by.userId && (accept || till.personId !== by.userId)) throw NotYours()
  const next = accept ? shiftCan.accept(till.state) : shiftCan.reject(till.state)
  if (next === undefined) throw IllegalMove({ state: till.state })
  await recall(tx, concernsOf(id), at)
  if (!accept) return reopen(tx, till, at)
  if (countedFen !== till.countedFen) throw CountDiffers()
  await inAllParks(tx, (whole) => moveOver(whole, till, by, at))
  return setTill(tx, till, 'state = $3, taken_at = $2', [next], at)
}
/** Moves all its cash, also that of parks which the taker does not see. */
async function moveOver(tx: Tx, till: Till, by: Person, at: Instant): Promise<void> {
  const found = await cashOf(tx, till.id)
  const cash = await bookDifference(tx, till, found, await unbooked(tx, till, found), by, at)
  // Of two that one person takes over at once, the second waits here.
  await holdRunning(tx, by.userId)
  const taking = await shiftOf(tx, by, at, { begunIn: till.begunIn })
  for (const { parkCode, fen } of cash) {
    await moveCash(tx, { till, kind: ShiftMoveKind.handedOver, parkCode, fen: -fen, against: { account: 'asset.cash', sub: taking.id }, by, at })
    const theirs = { id: taking.id, shiftNo: till.shiftNo }
    await moveCash(tx, { till: theirs, kind: ShiftMoveKind.takenOver, parkCode, fen, against: { account: 'asset.cash', sub: till.id }, by, at })
  }
  await run(tx, { sql: FLOAT }, [taking.id, till.openingFloatFen, at])
}
const FLOAT = `update settlement.shift set opening_float_fen = opening_float_fen + $2, version = version + 1, updated_at = $3 where enterprise_id = scope_enterprise() and id = $1`

/** A shift that the taker refuses goes on as if it had not been counted. */
async function reopen(tx: Tx, till: Till, at: Instant): Promise<Line> {
  const runs = `select 1 from settlement.shift where enterprise_id = scope_enterprise() and person_id = $1 and state = ${ShiftState.running}`
  if ((await run(tx, { sql: runs }, [till.personId])).length > 0) throw RunsAnother({ name: till.personName })
  return setTill(tx, till, REOPENED, [], at)
}
const REOPENED = `state = ${ShiftState.running}, counted = null, counted_fen = null, expected_fen = null, late_fen = 0, close_reason = null, taker_id = null, taker_name = null, closed_at = null`

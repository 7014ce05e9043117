import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { type Shift, ShiftState } from '../../contract/shift.ts'

type ShiftRow = Of<typeof Shift>

/**
 * The running shift of a person, opened now if there is none. One person has one running shift; the index says so. It is held against being closed until the
 * transaction is over: a count of the till includes what this one brings.
 */
export async function shiftOf(
  tx: Tx,
  actor: { userId: string; userName: string },
  at: Instant,
  { openingFloatFen = 0, begunIn = null }: { openingFloatFen?: number | undefined; begunIn?: string | null } = {},
): Promise<{ id: string }> {
  const sql = `insert into settlement.shift (shift_no, person_id, person_name, opening_float_fen, opened_at, begun_in) values (platform.business_no('BC'), $1, $2, $3, $4, $5)
    on conflict (enterprise_id, person_id) where state = ${ShiftState.running} do nothing returning id`
  for (;;) {
    const [opened] = await run<{ id: string }>(tx, { sql }, [actor.userId, actor.userName, openingFloatFen, at, begunIn])
    if (opened) return opened
    const [running] = await run<{ id: string }>(tx, { sql: RUNS }, [actor.userId])
    if (running) return running
    // The shift was closed in between: the next one is opened.
  }
}
const RUNS = `select id from settlement.shift where enterprise_id = scope_enterprise() and person_id = $1 and state = ${ShiftState.running} for share`

/** The running shift of a person, if there is one, held until the call is over: of two that take out of it, or bring something to it, the second waits. */
export async function holdRunning(tx: Tx, personId: string): Promise<{ id: string; openingFloatFen: number } | undefined> {
  return (await run<{ id: string; openingFloatFen: number }>(tx, { sql: RUNNING_HELD }, [personId]))[0]
}
const RUNNING_HELD = `select id, opening_float_fen from settlement.shift where enterprise_id = scope_enterprise() and person_id = $1 and state = ${ShiftState.running} for update`

/** The shift in which a person took cash at that moment, by the handheld's clock: the one that ran then, closed by now, or the running one. */
export async function shiftAt(
  tx: Tx,
  actor: { userId: string; userName: string },
  takenAt: Instant,
  at: Instant,
): Promise<{ id: string; late: boolean }> {
  const [closed] = takenAt < at ? await run<{ id: string }>(tx, { sql: RAN_THEN }, [actor.userId, takenAt]) : []
  return closed ? { id: closed.id, late: true } : { id: (await shiftOf(tx, actor, at)).id, late: false }
}
const RAN_THEN = `select id from settlement.shift where enterprise_id = scope_enterprise() and person_id = $1 and state <> ${ShiftState.running} and opened_at <= $2 and closed_at >= $2
  order by opened_at desc limit 1 for update`

/** The running shift of a person, with what should lie in the till. Cash of a shift is what stands on its sub-account of the ledger. */
export async function heldBy(tx: Tx, personId: string): Promise<ShiftRow | undefined> {
  const [running] = await run<ShiftRow>(tx, { sql: HELD }, [personId])
  return running
}
const HELD = `select id, shift_no, person_name, state, opening_float_fen, cash_in_fen, cash_out_fen, deposit_fen, over_fen, under_fen, expected_fen, opened_at, closed_at, version
  from settlement.shift_line where enterprise_id = scope_enterprise() and person_id = $1 and state = ${ShiftState.running}`

interface Waits {
  shiftNo: string
  /** Whether they are to take it over; otherwise it is their own running one. */
  takes: boolean
}
/** The till that waits for a person, and that nobody else can close or take: without them its cash would lie there for ever. */
export const tillOf = async (tx: Tx, personId: string): Promise<Waits | undefined> => (await run<Waits>(tx, { sql: WAITS }, [personId]))[0]
const WAITS = `select shift_no, state <> ${ShiftState.running} as takes from settlement.shift
  where enterprise_id = scope_enterprise() and ((person_id = $1 and state = ${ShiftState.running}) or (taker_id = $1 and state = ${ShiftState.toTakeOver})) order by opened_at limit 1`

export const inWords = (till: Waits | undefined): { zh: string; en: string } | undefined =>
  till && {
    zh: till.takes ? `须先接班或拒绝接班 ${till.shiftNo}` : `还有收银班次 ${till.shiftNo} 未交班`,
    en: till.takes ? `cash shift ${till.shiftNo} waits for them to take over or refuse it` : `cash shift ${till.shiftNo} is still open`,
  }

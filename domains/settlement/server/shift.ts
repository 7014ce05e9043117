import type { Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { serve } from '../../../platform/server/serve.ts'
import { type Shift, shift, ShiftState } from '../contract/shift.ts'

type ShiftRow = Of<typeof Shift>

export const calls = serve(shift, {
  mine: async ({ tx, actor }) => (await heldBy(tx, actor.userId)) ?? null,
  async open({ tx, input, actor, at }) {
    await shiftOf(tx, actor, at, input.openingFloatFen)
    return (await heldBy(tx, actor.userId))!
  },
})

/** The running shift of a person, opened now if there is none. One person has one running shift; the index says so. */
export async function shiftOf(
  tx: Tx,
  actor: { userId: string; userName: string },
  at: Instant,
  openingFloatFen = 0,
): Promise<{ id: string; opened: boolean }> {
  const sql = `insert into settlement.shift (shift_no, person_id, person_name, opening_float_fen, opened_at) values (platform.business_no('BC'), $1, $2, $3, $4)
    on conflict (enterprise_id, person_id) where state = ${ShiftState.running} do nothing returning id`
  const [opened] = await run<{ id: string }>(tx, { sql }, [actor.userId, actor.userName, openingFloatFen, at])
  if (opened) return { id: opened.id, opened: true }
  const running = await heldBy(tx, actor.userId)
  return { id: running!.id, opened: false }
}

/** The running shift of a person, with what should lie in the till. Cash of a shift is what stands on its sub-account of the ledger. */
export async function heldBy(tx: Tx, personId: string): Promise<ShiftRow | undefined> {
  const sql = `select s.id, s.shift_no, s.person_name, s.state, s.opening_float_fen, c.cash_in_fen, c.cash_out_fen,
      (s.opening_float_fen + c.cash_in_fen - c.cash_out_fen)::bigint as expected_fen, s.opened_at, s.closed_at, s.version
    from settlement.shift s cross join lateral (select coalesce(sum(b.debit_fen), 0)::bigint as cash_in_fen, coalesce(sum(b.credit_fen), 0)::bigint as cash_out_fen
      from ledger.balance b where b.enterprise_id = scope_enterprise() and b.account = 'asset.cash' and b.sub = s.id::text) c
    where s.enterprise_id = scope_enterprise() and s.person_id = $1 and s.state = ${ShiftState.running}`
  const [running] = await run<ShiftRow>(tx, { sql }, [personId])
  return running
}

/** How many people are at work now. */
export const shiftsRunning = async (tx: Tx): Promise<number> =>
  (
    await run<{ n: number }>(
      tx,
      { sql: `select count(*)::int as n from settlement.shift where enterprise_id = scope_enterprise() and state = ${RUNNING}` },
      [],
    )
  )[0]!.n
const RUNNING = 0

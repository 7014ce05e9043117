import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { CardKind } from '../contract/attendance.ts'
import { LogState } from '../contract/workLog.ts'

/** Rounds over many logs and warnings go one behind the other, to the end of the transaction: they lock the same rows in orders of their own. */
export const inTurn = (tx: Tx): Promise<unknown> => run(tx, { sql: TURN }, [])
const TURN = `select pg_advisory_xact_lock(hashtextextended('staff.round ' || scope_enterprise(), 0))`

/** Opens the log of a cell; clockings say when its work begins and ends. Repeated, it changes nothing. */
export async function keepLogs(tx: Tx, which: { from: string; to: string; cellId?: string }, at: Instant): Promise<void> {
  if (which.cellId === undefined) await inTurn(tx)
  await run(tx, { sql: KEEP }, [which.from, which.to, which.cellId ?? null, at])
}
/** A collector who comes back after going is at work again. */
const KEEP = `with came as (select e.id, e.collector_id, e.park_code, e.work_date, a.check_in_at, e.end_at + e.check_out_to_min * interval '1 minute' as until_at,
      case when exists (select from staff.card k where k.enterprise_id = e.enterprise_id and k.collector_id = e.collector_id and k.kind = ${CardKind.in} and k.at > a.check_out_at and k.at < e.end_at) then null else a.check_out_at end as out_at
    from staff.cell e join staff.attendance a on a.enterprise_id = e.enterprise_id and a.cell_id = e.id
    where e.enterprise_id = scope_enterprise() and e.work_date between $1::date and $2::date and ($3::uuid is null or e.id = $3) and a.check_in_at is not null),
  stands as (select *, case when out_at is not null or until_at < $4::timestamptz then ${LogState.toSubmit} else ${LogState.running} end::smallint as next from came)
  insert into staff.work_log as w (cell_id, collector_id, park_code, work_date, opened_at, out_at, until_at, state, created_at, updated_at)
  select id, collector_id, park_code, work_date, check_in_at, out_at, until_at, next, $4, $4 from stands
  on conflict (enterprise_id, cell_id) do update set opened_at = excluded.opened_at, out_at = excluded.out_at, until_at = excluded.until_at, updated_at = excluded.updated_at, version = w.version + 1,
    state = case when w.state in (${LogState.running}, ${LogState.toSubmit}) then excluded.state else w.state end
  where (w.opened_at, w.out_at, w.until_at) is distinct from (excluded.opened_at, excluded.out_at, excluded.until_at) or (w.state in (${LogState.running}, ${LogState.toSubmit}) and w.state <> excluded.state)`

/** How long a log waits for its words, once the work is over or, where the card was granted later, once it is there. */
export const SUBMIT_HOURS = 24
export const DUE = `greatest(coalesce(out_at, until_at), created_at) + interval '${SUBMIT_HOURS} hours'`
/** Moves logs on with time: work that ended without a clock-out, and logs that were not submitted in time. */
export async function moveOn(tx: Tx, at: Instant): Promise<void> {
  for (const sql of [OVER, LATE]) await run(tx, { sql }, [at])
}
const OVER = `update staff.work_log set state = ${LogState.toSubmit}, version = version + 1, updated_at = $1 where enterprise_id = scope_enterprise() and state = ${LogState.running} and until_at < $1::timestamptz`
const LATE = `update staff.work_log set state = ${LogState.overdue}, version = version + 1, updated_at = $1 where enterprise_id = scope_enterprise() and state = ${LogState.toSubmit} and ${DUE} < $1::timestamptz`

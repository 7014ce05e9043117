import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { SessionStatus } from '../../parking/contract/stay.ts'
import { NoteKind } from '../contract/tracker.ts'
import { LogState } from '../contract/workLog.ts'
import { inTurn } from './duty.ts'
import { WarningState } from '../contract/workWarning.ts'

/** Counts what happened while somebody was at work: logs that run, and those that ended within a day, because what a handheld kept comes late. Counted again nothing changes. */
export async function countLogs(
  tx: Tx,
  at: Instant,
  { logId = null, backDays = 1 }: { logId?: string | null; backDays?: number } = {},
): Promise<void> {
  if (logId === null) await inTurn(tx)
  await run(tx, { sql: COUNT }, [at, logId, backDays])
}
/** The fastest walk, in metres a second; and the least step: a smaller one is a wavering fix. */
const WALK_MAX = 4
const STEP_M = 5
const COUNT = `with logs as materialized (select w.id, w.enterprise_id, w.collector_id, w.opened_at, coalesce(w.out_at, least(w.until_at, $1::timestamptz)) as ended_at, c.person_id, coalesce(nullif(e.place_codes, '{}'), array[w.park_code]) as places
    from staff.work_log w join staff.collector c on c.enterprise_id = w.enterprise_id and c.id = w.collector_id join staff.cell e on e.enterprise_id = w.enterprise_id and e.id = w.cell_id
    where w.enterprise_id = scope_enterprise() and (w.id = $2::uuid or ($2 is null and (w.state = ${LogState.running} or coalesce(w.out_at, w.until_at) > $1 - make_interval(days => $3::int, hours => 1))))),
  places as (select l.id, q.park_code, q.place_code from logs l join staff.place q on q.enterprise_id = l.enterprise_id and q.place_code = any (l.places)),
  counted as (select l.id, i.n as entries, o.n as exits, m.n as orders, m.fen as paid_fen, f.photos + k.n as photos, f.patrols, coalesce(s.walk_m, 0) as walk_m, x.n as warnings from logs l
    cross join lateral (select count(distinct y.id)::int as n from places q join parking.stay y on y.enterprise_id = l.enterprise_id and y.park_code = q.park_code and q.place_code in (q.park_code, y.section_code)
      where q.id = l.id and y.third_platform is null and y.seen_at >= l.opened_at and y.seen_at <= l.ended_at and y.entry_time is not null and y.status <> ${SessionStatus.void}) i
    cross join lateral (select count(distinct y.id)::int as n from places q join parking.stay y on y.enterprise_id = l.enterprise_id and y.park_code = q.park_code and q.place_code in (q.park_code, y.section_code)
      where q.id = l.id and y.third_platform is null and y.exit_time >= l.opened_at and y.exit_time <= l.ended_at and y.status <> ${SessionStatus.void}) o
    cross join lateral (select count(*)::int as n, coalesce(sum(p.received_fen - p.refund_fen), 0)::bigint as fen from settlement.shift s join settlement.payment p on p.enterprise_id = s.enterprise_id and p.shift_id = s.id
      where s.enterprise_id = l.enterprise_id and s.person_id = l.person_id and staff.keeper_of(s.person_id, s.opened_at) = l.collector_id and s.opened_at <= l.ended_at and coalesce(s.closed_at, l.ended_at) >= l.opened_at and p.received_fen > 0 and p.paid_at >= l.opened_at and p.paid_at <= l.ended_at) m
    cross join lateral (select count(*) filter (where n.kind = ${NoteKind.photo} or n.image is not null)::int as photos, count(*) filter (where n.kind = ${NoteKind.note} and n.in_fence)::int as patrols from staff.field_note n
      where n.enterprise_id = l.enterprise_id and n.collector_id = l.collector_id and n.at >= l.opened_at and n.at <= l.ended_at) f
    cross join lateral (select count(*)::int as n from staff.card k where k.enterprise_id = l.enterprise_id and k.collector_id = l.collector_id and k.at >= l.opened_at and k.at <= l.ended_at and k.image is not null) k
    cross join lateral (select round(sum(step) filter (where step >= ${STEP_M} and step <= ${WALK_MAX} * sec))::int as walk_m from (
      select staff.metres(lag(p.lng) over one, lag(p.lat) over one, p.lng, p.lat) as step, extract(epoch from p.at - lag(p.at) over one) as sec from staff.point p
      where p.enterprise_id = l.enterprise_id and p.collector_id = l.collector_id and p.at >= l.opened_at and p.at <= l.ended_at window one as (order by p.at)) steps) s
    cross join lateral (select count(*)::int as n from staff.warning x where x.enterprise_id = l.enterprise_id and x.collector_id = l.collector_id and x.start_at >= l.opened_at and x.start_at <= l.ended_at and x.state <> ${WarningState.mistaken}) x)
  update staff.work_log w set entries = c.entries, exits = c.exits, orders = c.orders, paid_fen = c.paid_fen, photos = c.photos, patrols = c.patrols, walk_m = c.walk_m, warnings = c.warnings
  from counted c where w.enterprise_id = scope_enterprise() and w.id = c.id
    and (w.entries, w.exits, w.orders, w.paid_fen, w.photos, w.patrols, w.walk_m, w.warnings) is distinct from (c.entries, c.exits, c.orders, c.paid_fen, c.photos, c.patrols, c.walk_m, c.warnings)`

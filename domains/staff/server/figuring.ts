import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { CardKind, CardSource } from '../contract/attendance.ts'
import { Attendance, CellState } from '../contract/roster.ts'

/**
 * Works out the attendance of cells from clockings and decisions. A cell is written only where it differs: working it out again changes nothing. Cells of a closed month
 * and those that have not begun are left alone; an early leave is recorded once the time for a last clocking is over.
 * Cells are locked before their attendance, and both by their ids: a decision about two cells and a round over many lock in one order.
 */
export async function figure(tx: Tx, which: { from: string; to: string; cellId?: string }, at: Instant): Promise<number> {
  const written = await run<{ n: number }>(tx, { sql: FIGURE }, [which.from, which.to, at, which.cellId ?? null])
  return written[0]!.n
}
const MINUTES = (span: string) => `floor(extract(epoch from ${span}) / 60)::int`
const FIGURE = `with cells as materialized (select e.* from staff.cell e where e.enterprise_id = scope_enterprise() and e.work_date between $1::date and $2::date and e.shift_id is not null
    and ($4::uuid is null or e.id = $4) and e.start_at - e.check_in_from_min * interval '1 minute' <= $3::timestamptz
    and not exists (select from staff.closed_month m where m.enterprise_id = e.enterprise_id and m.month = date_trunc('month', e.work_date)::date) order by e.id for key share of e),
  carded as (select e.*, i.at as in_at, i.in_fence as in_there, i.dist_m as in_dist, i.source as in_source, o.at as out_at, o.in_fence as out_there, o.source as out_source,
      $3::timestamptz > e.end_at + e.check_out_to_min * interval '1 minute' as over
    from cells e
    left join lateral (select k.* from staff.card k where k.enterprise_id = e.enterprise_id and k.collector_id = e.collector_id and k.kind = ${CardKind.in}
        and k.at >= e.start_at - e.check_in_from_min * interval '1 minute' and k.at < e.end_at order by k.at, k.id limit 1) i on true
    left join lateral (select k.* from staff.card k where k.enterprise_id = e.enterprise_id and k.collector_id = e.collector_id and k.kind = ${CardKind.out}
        and k.at > greatest(e.start_at, i.at) and k.at <= e.end_at + e.check_out_to_min * interval '1 minute' order by k.at desc, k.id desc limit 1) o on true),
  judged as (select c.*,
      case when in_at > start_at + late_grace_min * interval '1 minute' then ${MINUTES('(in_at - start_at)')} else 0 end as late,
      case when in_at is null or not over then 0 when out_at is null then greatest(${MINUTES('(end_at - greatest(in_at, start_at))')}, 0)
        when out_at < end_at - early_grace_min * interval '1 minute' then ${MINUTES('(end_at - out_at)')} else 0 end as early,
      case when in_at is null or out_at is null then 0 else least(planned_min, (select coalesce(sum(${MINUTES('(upper(h) - lower(h))')}), 0)::int from unnest(hours * tstzmultirange(tstzrange(in_at, greatest(in_at, out_at)))) h)) end as worked
    from carded c),
  said as (select j.id, j.park_code, j.work_date, j.in_at, j.out_at, j.in_dist, j.late, j.early, j.worked,
      case when j.state = ${CellState.leave} then ${Attendance.leave}
        when j.in_at is null then case when $3::timestamptz >= j.end_at then ${Attendance.absent} else ${Attendance.none} end
        when j.late > 0 and j.early > 0 then ${Attendance.both} when j.late > 0 then ${Attendance.late} when j.early > 0 then ${Attendance.early}
        when j.in_source = ${CardSource.granted} or j.out_source = ${CardSource.granted} then ${Attendance.granted}
        when not j.in_there or not coalesce(j.out_there, true) then ${Attendance.elsewhere} else ${Attendance.right} end as result from judged j),
  written as (insert into staff.attendance as a (cell_id, park_code, work_date, attendance, check_in_at, check_out_at, dist_m, late_min, early_min, work_min)
    select id, park_code, work_date, result, in_at, out_at, in_dist, late, early, worked from said order by id
    on conflict (enterprise_id, cell_id) do update set park_code = excluded.park_code, work_date = excluded.work_date, attendance = excluded.attendance, check_in_at = excluded.check_in_at,
      check_out_at = excluded.check_out_at, dist_m = excluded.dist_m, late_min = excluded.late_min, early_min = excluded.early_min, work_min = excluded.work_min
    where (a.attendance, a.check_in_at, a.check_out_at, a.dist_m, a.late_min, a.early_min, a.work_min, a.work_date) is distinct from
      (excluded.attendance, excluded.check_in_at, excluded.check_out_at, excluded.dist_m, excluded.late_min, excluded.early_min, excluded.work_min, excluded.work_date) returning 1)
  select (select count(*)::int from said) as n, (select count(*) from written) as changed`

import type { Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { parksOf, run } from '../../../platform/server/database.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { OnJob } from '../contract/collector.ts'
import { CellState } from '../contract/roster.ts'
import { DutyState, GAP_MIN, LINE_MAX, type NowAt, PEOPLE_MAX, tracker, type TrackPoint } from '../contract/tracker.ts'
import { LogState } from '../contract/workLog.ts'
import { WarningState } from '../contract/workWarning.ts'
import { keepNote, keepPoints } from './fix.ts'

export const calls = serve(tracker, {
  async line({ tx, input: { tollNo, workDate } }) {
    const [known] = await run<{ id: string }>(tx, { sql: BY_NO }, [tollNo])
    if (!known) throw NotFound()
    return run<Of<typeof TrackPoint>>(tx, { sql: LINE }, [known.id, workDate])
  },
  now: ({ tx, input: { tollNos, workDate, parkCode = null }, at }) =>
    run<Of<typeof NowAt>>(tx, { sql: NOW }, [tollNos?.length ? tollNos : null, workDate ?? dayOf(at), at, parkCode, parksOf(tx), dayOf(at)]),
  report: ({ tx, input, actor, at }) => keepPoints(tx, input, actor, at),
  note: ({ tx, input, actor, at }) => keepNote(tx, input, actor, at),
})
const BY_NO = 'select id from staff.collector where enterprise_id = scope_enterprise() and toll_no = $1'
const SPAN = "p.at >= w.opened_at - interval '1 second' and p.at <= coalesce(w.out_at, w.until_at)"
/** Thinned where the rows lie; a gap keeps both its ends. */
const THINNED = Math.floor(LINE_MAX * 0.8)
const LINE = `with p as (select p.at, p.lng, p.lat, p.in_fence, p.dist_m, p.battery, row_number() over one as n, count(*) over () as of_all,
      coalesce(p.at - lag(p.at) over one > interval '${GAP_MIN} minutes', false) as gap_before, coalesce(lead(p.at) over one - p.at > interval '${GAP_MIN} minutes', true) as gap_behind
    from staff.work_log w join staff.point p on p.enterprise_id = w.enterprise_id and p.collector_id = w.collector_id and ${SPAN}
    where w.enterprise_id = scope_enterprise() and w.collector_id = $1 and w.work_date = $2 window one as (order by p.at))
  select at, lng, lat, in_fence, dist_m, battery, gap_before from p
  where gap_before or gap_behind or n % greatest(1, ceil(of_all / ${THINNED}::numeric))::bigint = 1 % greatest(1, ceil(of_all / ${THINNED}::numeric))::bigint order by at limit ${LINE_MAX}`

/** The work of that day, or of a night that began the day before and still goes on. A warning open today is open, whenever it began: the list behind the figure says the same. */
const NOW = `select c.toll_no, c.name, c.park_code, g.name as group_name, coalesce(e.shift_name, d.shift_name) as shift_name,
    case when w.state = ${LogState.running} and w.until_at >= $3::timestamptz then case when p.in_fence = false then ${DutyState.away} else ${DutyState.there} end
      when d.state = ${CellState.leave} then ${DutyState.leave} when d.start_at > $3 then ${DutyState.before} when w.id is not null then ${DutyState.over} when d.end_at <= $3 then ${DutyState.over} else ${DutyState.before} end as duty_state,
    p.at as device_time, p.lng, p.lat, p.battery, p.in_fence, case when p.at is not null then greatest(extract(epoch from $3 - p.at), 0)::int end as age_sec,
    (select count(*)::int from staff.warning x where x.enterprise_id = c.enterprise_id and x.collector_id = c.id and x.state = ${WarningState.open} and ($2::date = $6::date or (x.start_at at time zone 'Asia/Shanghai')::date = $2::date)) as warnings
  from staff.collector c left join staff.work_group g on g.enterprise_id = c.enterprise_id and g.id = c.group_id
  left join lateral (select l.* from staff.work_log l where l.enterprise_id = c.enterprise_id and l.collector_id = c.id and (l.work_date = $2 or ($2 = $6::date and l.work_date = $2 - 1 and l.state = ${LogState.running} and l.until_at >= $3))
      order by l.opened_at desc limit 1) w on true
  left join staff.cell e on e.enterprise_id = w.enterprise_id and e.id = w.cell_id
  left join lateral (select s.* from staff.cell s where s.enterprise_id = c.enterprise_id and s.collector_id = c.id and s.work_date = $2 and s.shift_id is not null order by s.end_at <= $3, s.start_at limit 1) d on true
  left join lateral (select p.* from staff.point p where p.enterprise_id = w.enterprise_id and p.collector_id = w.collector_id and ${SPAN} order by p.at desc limit 1) p on true
  where c.enterprise_id = scope_enterprise() and c.on_job = ${OnJob.employed} and ($1::text[] is null or c.toll_no = any ($1)) and ($4::text is null or c.park_code = $4) and ($5::text[] is null or c.park_code = any ($5))
  order by c.toll_no limit ${PEOPLE_MAX}`

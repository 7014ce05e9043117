import type { Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run } from '../../../platform/server/database.ts'
import { serve } from '../../../platform/server/serve.ts'
import { CardKind } from '../contract/attendance.ts'
import { OnJob } from '../contract/collector.ts'
import { dashboard } from '../contract/dashboard.ts'
import { Attendance, CAME, CellState } from '../contract/roster.ts'
import { WarningState, workWarning } from '../contract/workWarning.ts'
import './tables.ts'

type Now = Of<typeof dashboard.now.reply>
export const calls = serve(dashboard, {
  async now({ tx, input: { parkCode = null }, actor, at }) {
    const values = [dayOf(at), at, parkCode]
    const [figures] = await run<Omit<Now, 'at' | 'warnings' | 'places' | 'missing'>>(tx, { sql: FIGURES }, values)
    const places = await run<Now['places'][number]>(tx, { sql: PLACES }, values)
    const missing = await run<Now['missing'][number]>(tx, { sql: MISSING }, values)
    const open = actor.may.has(workWarning.query.needs) ? (await run<{ n: number }>(tx, { sql: OPEN }, [parkCode]))[0]!.n : null
    return { at, ...figures!, warnings: open, places, missing } as Now
  },
})
const SHOWN_MAX = 200
const OPEN = `select count(*)::int as n from staff.warning_line where enterprise_id = scope_enterprise() and state = ${WarningState.open} and ($1::text is null or park_code = $1)`
/** Cells of today that have begun, and yesterday's night shift: the list behind the figures has the same. */
const TODAY = `today as materialized (select l.*, a.on_duty, a.phone from staff.cell_line l
    join lateral (select c.phone, coalesce((select k.kind = ${CardKind.in} from staff.card k where k.enterprise_id = c.enterprise_id and k.collector_id = c.id
        and k.at > $2::timestamptz - interval '1 day' and k.at <= $2 order by k.at desc, k.id desc limit 1), false) as on_duty
      from staff.collector c where c.enterprise_id = l.enterprise_id and c.id = l.collector_id) a on true
    where l.enterprise_id = scope_enterprise() and l.shift_id is not null and l.start_at <= $2 and ($3::text is null or l.park_code = $3)
      and (l.work_date = $1::date or (l.work_date = $1::date - 1 and l.end_at > $1::date::timestamp at time zone 'Asia/Shanghai')))`
const FIGURES = `with ${TODAY}
  select (select count(*)::int from staff.collector c where c.enterprise_id = scope_enterprise() and c.on_job = ${OnJob.employed} and ($3::text is null or c.park_code = $3)) as employed,
    count(*)::int as due, count(*) filter (where attendance in (${CAME.join(', ')}))::int as present, count(distinct collector_id) filter (where on_duty)::int as on_duty,
    count(*) filter (where attendance = ${Attendance.absent})::int as absent, count(*) filter (where attendance = ${Attendance.leave})::int as leave from today`
const WHERE = `cross join lateral unnest(coalesce(nullif(t.place_codes, '{}'), array[t.park_code])) as p(code) left join staff.place q on q.enterprise_id = t.enterprise_id and q.place_code = p.code`
const PLACES = `with ${TODAY}
  select p.code as place_code, coalesce(max(q.name), p.code) as name, max(q.lng) as lng, max(q.lat) as lat, count(*)::int as planned, count(*) filter (where t.on_duty)::int as on_duty
  from today t ${WHERE} where t.end_at > $2 and t.state <> ${CellState.leave} group by p.code order by count(*) filter (where not t.on_duty) desc, p.code limit ${SHOWN_MAX}`
const MISSING = `with ${TODAY}
  select t.toll_no, t.name, t.phone, t.shift_name, coalesce((select string_agg(coalesce(q.name, p.code), '、' order by p.code) from unnest(coalesce(nullif(t.place_codes, '{}'), array[t.park_code])) as p(code)
      left join staff.place q on q.enterprise_id = t.enterprise_id and q.place_code = p.code), '') as place_name, floor(extract(epoch from $2 - t.start_at) / 60)::int as late_min
  from today t where t.check_in_at is null and t.end_at > $2 and t.state <> ${CellState.leave} order by t.start_at, t.toll_no limit ${SHOWN_MAX}`

import type { Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { OnJob } from '../contract/collector.ts'
import { CellState, Conflict, type schedule, WEEK_MIN_MAX } from '../contract/roster.ts'
import { WorkShiftStatus } from '../contract/workShift.ts'
import { OVERLAP } from './workShift.ts'
import { Said } from '../contract/said.ts'

/** A cell as it is wanted. The whole roster is worked on by the database: four hundred people's month is one text to this process. */
export interface WantedCell {
  tollNo: string
  workDate: string
  shiftId: string | null
  placeCodes: readonly string[]
  state: number
}
export type Met = Of<typeof schedule.save.reply>['conflicts'][number]
const MovedMeanwhile = refusal(
  'staff.roster-moved',
  41918,
  '有人刚刚排了同一时间的班，请刷新后重试',
  'Somebody has just rostered the same time: refresh and try again',
)

/** Of how many conflicts an answer tells. */
export const TOLD = 500
const MIN_REST_HOURS = 8
const WORKS = `(${CellState.planned}, ${CellState.swapped}, ${CellState.stoodIn})`

/** The wanted cells, with the person, the shift and the hours; and the cells that exist and stay. */
export const WANTED = `w as materialized (select n, "tollNo" as toll_no, "workDate" as work_date, "shiftId" as shift_id, array(select jsonb_array_elements_text("placeCodes")) as place_codes, state
    from jsonb_to_recordset($1::jsonb) as x(n integer, "tollNo" text, "workDate" date, "shiftId" uuid, "placeCodes" jsonb, state smallint)),
  shift_day as materialized (select s.id, s.name, s.work_min, s.late_grace_min, s.early_grace_min, s.check_in_from_min, s.check_out_to_min, d.work_date, staff.hours_of(s.segments, d.work_date) as hours
    from (select distinct shift_id, work_date from w) d join staff.work_shift s on s.enterprise_id = scope_enterprise() and s.id = d.shift_id and s.status = ${WorkShiftStatus.enabled}),
  next as materialized (select w.*, c.id as collector_id, c.park_code, s.name as shift_name, s.work_min, s.late_grace_min, s.early_grace_min, s.check_in_from_min, s.check_out_to_min,
      coalesce(s.hours, '{}') as hours
    from w left join staff.collector c on c.enterprise_id = scope_enterprise() and c.toll_no = w.toll_no and c.on_job = ${OnJob.employed}
    left join shift_day s on s.id = w.shift_id and s.work_date = w.work_date),
  around as materialized (select e.* from staff.cell e where e.enterprise_id = scope_enterprise() and e.collector_id in (select collector_id from next)
      and e.work_date between (select min(work_date) - 8 from w) and (select max(work_date) + 8 from w)),
  gone as (select e.id from around e where e.id = any ($2::uuid[])
    union select e.id from around e join next x on x.collector_id = e.collector_id and x.work_date = e.work_date and x.shift_id is not distinct from e.shift_id),
  kept as materialized (select e.* from around e where e.id not in (select id from gone))`
/** Everybody's hours as they would be. */
const PLANNED = `planned as materialized (select collector_id, toll_no, work_date, n, shift_name, hours, work_min from next where not isempty(hours) and collector_id is not null
    union all select k.collector_id, null, k.work_date, null, k.shift_name, k.hours, k.planned_min from kept k where k.state in ${WORKS})`
const saying = (code: number, why: string, from: string, workMin = 'null::integer') =>
  `select x.toll_no, x.work_date, ${code} as code, ${why} as "with", ${workMin} as work_min, x.n from ${from}`
const NEXT_TO = `to_char(o.work_date, 'YYYY-MM-DD ') || o.shift_name`
const FINDS = `with ${WANTED}, ${PLANNED}, stretch as materialized (select p.*, lead(lower(hours)) over one - upper(hours) as pause, lead(work_date) over one as after_date, lead(shift_name) over one as after_name
    from planned p window one as (partition by collector_id order by lower(hours))),
  week as (select collector_id, date_trunc('week', work_date) as monday, sum(work_min) as min from planned group by 1, 2 having sum(work_min) > ${WEEK_MIN_MAX}),
  met as (
    ${saying(Conflict.leaver, 'null::text', 'next x where x.collector_id is null')}
    union all ${saying(Conflict.disabled, 'null', `next x where (x.shift_id is null) <> (x.state = ${CellState.rest}) or (x.shift_id is not null and x.shift_name is null)`)}
    union all ${saying(Conflict.past, 'null', `next x where x.work_date < $3::date or lower(x.hours) <= $4::timestamptz`)}
    union all ${saying(Conflict.past, `e.shift_name`, `next x join around e on e.collector_id = x.collector_id and e.work_date = x.work_date and e.shift_id is not distinct from x.shift_id and e.start_at <= $4`)}
    union all ${saying(Conflict.requested, 'e.shift_name', `next x join around e on e.collector_id = x.collector_id and e.work_date = x.work_date and e.shift_id is not distinct from x.shift_id and e.state in (${CellState.leave}, ${CellState.swapped}, ${CellState.stoodIn})`)}
    union all ${saying(Conflict.place, 'p.code', `next x, unnest(x.place_codes) as p(code) where not exists (select from staff.place q where q.enterprise_id = scope_enterprise() and q.place_code = p.code)`)}
    union all ${saying(Conflict.there, NEXT_TO, `next x join kept o on o.collector_id = x.collector_id and o.work_date = x.work_date and (o.shift_id is null or x.shift_id is null)`)}
    union all ${saying(Conflict.there, `'休息'`, `next x join next o on o.collector_id = x.collector_id and o.work_date = x.work_date and o.n <> x.n and (o.shift_id is null or x.shift_id is null)`)}
    union all ${saying(Conflict.overlap, NEXT_TO, `next x join planned o on o.collector_id = x.collector_id and o.work_date between x.work_date - 1 and x.work_date + 1 and o.n is distinct from x.n and o.hours && x.hours and not isempty(x.hours)`)}
    union all ${saying(
      Conflict.rest,
      `to_char(x.after_date, 'YYYY-MM-DD ') || x.after_name`,
      `(select s.collector_id, coalesce(s.toll_no, c.toll_no) as toll_no, s.work_date, s.n, s.pause, s.after_date, s.after_name from stretch s join staff.collector c on c.enterprise_id = scope_enterprise() and c.id = s.collector_id
        where s.pause >= interval '0' and s.pause < interval '${MIN_REST_HOURS} hours' and exists (select from next y where y.collector_id = s.collector_id and y.work_date in (s.work_date, s.after_date))) x`,
    )}
    union all ${saying(
      Conflict.week,
      'null',
      `(select c.toll_no, v.monday::date as work_date, null::int as n, v.min::int from week v join staff.collector c on c.enterprise_id = scope_enterprise() and c.id = v.collector_id
        where exists (select from next y where y.collector_id = v.collector_id and date_trunc('week', y.work_date) = v.monday)) x`,
      'x.min',
    )})
  select distinct toll_no, work_date, code, "with", work_min, n, code not in (${Conflict.rest}, ${Conflict.week}) as blocks from met order by blocks desc, n nulls last, toll_no, work_date, code limit $5`

export interface Found extends Met {
  n: number | null
}
/** Returns the conflicts of the wanted cells, the worst first; all of them for a caller who leaves those cells out. */
export const conflictsOf = (tx: Tx, wanted: string, removed: readonly string[], at: Instant, most: number | null = TOLD): Promise<Found[]> =>
  run<Found>(tx, { sql: FINDS }, [wanted, removed, dayOf(at), at, most])

/** How the database is told of them: each with its number. */
export const numbered = (wanted: readonly WantedCell[]): string => JSON.stringify(wanted.map((one, n) => ({ n, ...one })))

const REMOVE = `delete from staff.cell where enterprise_id = scope_enterprise() and id = any ($1::uuid[]) returning id`
const STORE = `with ${WANTED}
  insert into staff.cell as e (collector_id, park_code, work_date, shift_id, shift_name, hours, start_at, end_at, planned_min, late_grace_min, early_grace_min, check_in_from_min, check_out_to_min, place_codes, state, created_at, updated_at)
  select collector_id, park_code, work_date, shift_id, coalesce(shift_name, '${Said.rest}'), hours, lower(hours), upper(hours), coalesce(work_min, 0), coalesce(late_grace_min, 0), coalesce(early_grace_min, 0),
    coalesce(check_in_from_min, 0), coalesce(check_out_to_min, 0), place_codes, state, $3, $3 from next
  on conflict (enterprise_id, collector_id, work_date, shift_id) do update set place_codes = excluded.place_codes, version = e.version + 1, updated_at = excluded.updated_at
    where e.place_codes is distinct from excluded.place_codes`
/** A month of 400 people in one statement comes near the time that a statement has, where the machine is busy; of so many cells none does. */
const AT_ONCE = 1_000
const inParts = <One>(all: readonly One[]) =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, n) => all.slice(n * AT_ONCE, (n + 1) * AT_ONCE))
/** Stores them, all or none. @throws MovedMeanwhile when somebody else came first */
export async function store(tx: Tx, wanted: readonly WantedCell[], removed: readonly string[], at: Instant): Promise<void> {
  try {
    for (const part of inParts(removed)) await run(tx, { sql: REMOVE }, [part])
    for (const part of inParts(wanted)) await run(tx, { sql: STORE }, [numbered(part), [], at])
  } catch (error) {
    throw (error as { code?: string }).code === OVERLAP ? MovedMeanwhile() : error
  }
}

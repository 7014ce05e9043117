import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { OnJob } from '../contract/collector.ts'
import { RequestState } from '../contract/request.ts'
import { Cell, CELLS_MAX, cellSearch, CellState, Conflict, CopyMode, DAYS_MAX, isDue, schedule, WEEK_MIN_MAX } from '../contract/roster.ts'
import { conflictsOf, numbered, store, TOLD, WANTED, type WantedCell } from './planning.ts'
import './tables.ts'

const cells = listOver(Cell, 'staff.cellLine', cellSearch)
const TooLong = refusal(
  'staff.range',
  41919,
  '日期范围应从早到晚且不超过 {days} 天',
  'The start date must not be after the end date, with {days:day} at most',
  422,
)
const Begun = refusal(
  'staff.cell-begun',
  41920,
  '{shift} 已开始或不存在，不能移除；请刷新后再试',
  '{shift} has started or does not exist: it cannot be removed: refresh and try again',
)
const HasRequest = refusal(
  'staff.cell-requested',
  41921,
  '{shift} 有请假、调班或待办申请，请先处理',
  '{shift} is on leave, swapped or has an open request: settle that first',
)
const PastTarget = refusal(
  'staff.copy-past',
  41978,
  '目标日期 {from} 至 {to} 已过去，请选择今天或以后的日期',
  'The target days {from} to {to} are past: choose today or later',
  422,
)

export const calls = serve(schedule, {
  cells: ({ tx, input }) => page(tx, cells, input),
  async query({ tx, input: { workDateFrom, workDateTo, groupId = null, tollNos, parkCode = null }, at }) {
    daysIn(workDateFrom, workDateTo)
    return run(tx, { sql: GRID }, [workDateFrom, workDateTo, groupId, tollNos?.length ? tollNos : null, parkCode, at])
  },
  save: ({ tx, input, at }) => save(tx, input, at),
  copy: ({ tx, input, at }) => copy(tx, input, at),
  /** A sheet leaves out the attendance of cells where nobody can be missing yet. */
  export: exporting(schedule.export, async ({ tx, input, at }) => {
    const { records } = await page(tx, cells, input)
    return { records: records.map((one) => (isDue(one, at) ? one : { ...one, attendance: null })) }
  }),
  async uncovered({ tx, input: { workDateFrom, workDateTo, groupId = null, list = [], removed = [] } }) {
    daysIn(workDateFrom, workDateTo)
    return run(tx, { sql: UNCOVERED }, [numbered(wantedOf({ list })), removed, workDateFrom, workDateTo, groupId])
  },
})

/** @throws TooLong */
export function daysIn(from: string, to: string, most = DAYS_MAX): number {
  const days = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
  if (days < 1 || days > most) throw TooLong({ days: most })
  return days
}
/** A grid has at most so many people. */
const PEOPLE_MAX = 500
const WORKS = `(${CellState.planned}, ${CellState.swapped}, ${CellState.stoodIn})`
const WARNED = `array_remove(array[case when pause >= interval '0' and pause < interval '8 hours' then ${Conflict.rest} end, case when week_min > ${WEEK_MIN_MAX} and s.state in ${WORKS} then ${Conflict.week} end], null)`
const SEGMENTS = `coalesce((select json_agg(json_build_object('from', to_char(lower(h) at time zone 'Asia/Shanghai', 'HH24:MI'), 'to', to_char(upper(h) at time zone 'Asia/Shanghai', 'HH24:MI')) order by h) from unnest(s.hours) as h), '[]')`
const GRID = `with people as (select id, toll_no, name, group_id, park_code from staff.collector where enterprise_id = scope_enterprise() and on_job = ${OnJob.employed}
    and ($3::uuid is null or group_id = $3) and ($4::text[] is null or toll_no = any ($4)) and ($5::text is null or park_code = $5) order by toll_no limit ${PEOPLE_MAX}),
  shown as materialized (select e.id, e.collector_id, e.work_date, e.shift_id, e.shift_name, e.hours, e.place_codes, e.state, e.planned_min, e.start_at <= $6::timestamptz as begun,
      case when e.state in ${WORKS} then e.start_at - lag(e.end_at) over (partition by e.collector_id, e.state in ${WORKS} order by e.start_at) end as pause,
      sum(case when e.state in ${WORKS} then e.planned_min else 0 end) over (partition by e.collector_id, date_trunc('week', e.work_date)) as week_min
    from staff.cell e where e.enterprise_id = scope_enterprise() and e.collector_id in (select id from people) and e.work_date between $1::date - 7 and $2::date + 7),
  requested as materialized (select q.id, min(r.request_no) as request_no from staff.request r, unnest(array[r.cell_id, r.to_cell_id]) as q(id) where r.enterprise_id = scope_enterprise() and r.state in (${RequestState.partner}, ${RequestState.open}) and q.id is not null group by q.id),
  weeks as materialized (select collector_id, json_agg(json_build_object('monday', monday, 'plannedMin', min) order by monday) as weeks
    from (select collector_id, date_trunc('week', work_date)::date as monday, max(week_min)::int as min from shown where date_trunc('week', work_date)::date + 6 >= $1::date and date_trunc('week', work_date)::date <= $2::date group by 1, 2) each_week group by 1)
  select p.toll_no, p.name, p.group_id, p.park_code, coalesce(max(s.week_min), 0)::int as week_min, coalesce((select w.weeks from weeks w where w.collector_id = p.id), '[]') as weeks,
    coalesce(json_agg(json_build_object('id', s.id, 'workDate', s.work_date, 'shiftId', s.shift_id, 'shiftName', s.shift_name, 'segments', ${SEGMENTS}, 'placeCodes', s.place_codes, 'state', s.state, 'begun', coalesce(s.begun, s.work_date < ($6::timestamptz at time zone 'Asia/Shanghai')::date), 'requested', q.request_no is not null, 'requestNo', q.request_no, 'plannedMin', s.planned_min, 'conflicts', ${WARNED})
      order by s.work_date, s.id) filter (where s.id is not null), '[]') as cells
  from people p left join shown s on s.collector_id = p.id and s.work_date between $1 and $2 left join requested q on q.id = s.id group by p.id, p.toll_no, p.name, p.group_id, p.park_code order by p.toll_no`

type Given = Of<typeof schedule.save.input>
function wantedOf({ list }: Pick<Given, 'list'>): WantedCell[] {
  const wanted = list.flatMap(({ tollNo, workDate, workDates = [], shiftId = null, placeCodes = [], state = CellState.planned }) =>
    [...(workDate ? [workDate] : []), ...workDates].map((day) => ({ tollNo, workDate: day, shiftId, placeCodes, state })),
  )
  if (wanted.length > CELLS_MAX) throw BadInput({ zh: `一次最多排 ${CELLS_MAX} 格`, en: `at most ${CELLS_MAX} shifts at once` })
  if (wanted.length > 0) {
    const days = wanted.map(({ workDate }) => workDate).sort()
    daysIn(days[0]!, days.at(-1)!)
  }
  return wanted
}

async function save(tx: Tx, input: Given, at: Instant): Promise<Of<typeof schedule.save.reply>> {
  const wanted = wantedOf(input)
  const { removed = [], dryRun = false } = input
  await refuseRemoving(tx, removed, at)
  const told = numbered(wanted)
  const conflicts = wanted.length > 0 ? await conflictsOf(tx, told, removed, at) : []
  const said = conflicts.map(({ n: _, ...one }) => one)
  if (conflicts.some(({ blocks }) => blocks)) return { saved: 0, conflicts: said }
  if (!dryRun) await store(tx, wanted, removed, at)
  return { saved: wanted.length + removed.length, conflicts: said }
}
async function refuseRemoving(tx: Tx, removed: readonly string[], at: Instant): Promise<void> {
  if (removed.length === 0) return
  const found = await run<{ shift: string; begun: boolean; requested: boolean }>(tx, { sql: REMOVABLE }, [removed, at, dayOf(at)])
  const begun = found.find((one) => one.begun)
  if (begun || found.length < new Set(removed).size) throw Begun({ shift: begun?.shift ?? '--' })
  const requested = found.find((one) => one.requested)
  if (requested) throw HasRequest({ shift: requested.shift })
}
const REMOVABLE = `select c.toll_no || to_char(e.work_date, ' YYYY-MM-DD ') || e.shift_name as shift, coalesce(e.start_at <= $2, e.work_date < $3::date) as begun, e.state not in (${CellState.planned}, ${CellState.rest})
    or exists (select from staff.request r where r.enterprise_id = e.enterprise_id and e.id in (r.cell_id, r.to_cell_id) and r.state in (${RequestState.partner}, ${RequestState.open})) as requested
  from staff.cell e join staff.collector c on c.enterprise_id = e.enterprise_id and c.id = e.collector_id where e.enterprise_id = scope_enterprise() and e.id = any ($1) order by e.id for update of e`

const monday = (day: string) => {
  const ms = Date.parse(day)
  return ms - ((new Date(ms).getUTCDay() + 6) % 7) * DAY_MS
}
interface Source extends WantedCell {
  left: boolean
}
async function copy(tx: Tx, input: Of<typeof schedule.copy.input>, at: Instant): Promise<Of<typeof schedule.copy.reply>> {
  const { sourceFrom, sourceTo, targetFrom, mode = CopyMode.daily, groupId = null, overwrite = false, dryRun = false } = input
  daysIn(sourceFrom, sourceTo)
  const shiftMs = mode === CopyMode.weekday ? monday(targetFrom) - monday(sourceFrom) : Date.parse(targetFrom) - Date.parse(sourceFrom)
  const [first, last] = [sourceFrom, sourceTo].map((day) => dayOf(instantAt(Date.parse(day) + shiftMs)))
  if (last! < dayOf(at)) throw PastTarget({ from: first!, to: last! })
  const source = await run<Source>(tx, { sql: SOURCE }, [sourceFrom, sourceTo, groupId, Math.round(shiftMs / DAY_MS), CELLS_MAX + 1])
  if (source.length > CELLS_MAX) throw BadInput({ zh: `一次最多复制 ${CELLS_MAX} 格`, en: `at most ${CELLS_MAX} shifts at once` })
  // By weekday the first days may lie before the first day that was asked for.
  const fits = ({ left, workDate }: Source) => !left && workDate >= targetFrom
  const wanted = source.filter(fits).map(({ left: _, ...one }) => one)
  const out = source
    .filter((one) => !fits(one))
    .map(({ tollNo, workDate, left }) => ({
      tollNo,
      workDate: workDate as Day,
      code: left ? Conflict.leaver : Conflict.before,
      with: null,
      workMin: null,
      blocks: true,
    }))
  if (wanted.length === 0) return { copied: 0, skipped: source.length, conflicts: out.slice(0, TOLD) }
  const told = numbered(wanted)
  const removed = overwrite ? (await run<{ id: string }>(tx, { sql: IN_THE_WAY }, [told, at])).map(({ id }) => id) : []
  const conflicts = await conflictsOf(tx, told, removed, at, null)
  const but = new Set(conflicts.flatMap(({ n, blocks }) => (blocks && n !== null ? [n] : [])))
  if (!dryRun)
    await store(
      tx,
      wanted.filter((_, n) => !but.has(n)),
      removed,
      at,
    )
  const met = [...out, ...conflicts.map(({ n: _, ...one }) => one)].slice(0, TOLD)
  return { copied: wanted.length - but.size, skipped: source.length - wanted.length + but.size, conflicts: met }
}
/** Leave and swaps are of their day alone: a copy is as it was planned. */
const SOURCE = `select c.toll_no, (e.work_date + $4::integer) as work_date, e.shift_id, e.place_codes, case when e.shift_id is null then ${CellState.rest} else ${CellState.planned} end as state, c.on_job = ${OnJob.left} as left
  from staff.cell e join staff.collector c on c.enterprise_id = e.enterprise_id and c.id = e.collector_id
  where e.enterprise_id = scope_enterprise() and e.work_date between $1 and $2 and ($3::uuid is null or c.group_id = $3) order by c.toll_no, e.work_date limit $5`
const IN_THE_WAY = `select e.id from staff.cell e join staff.collector c on c.enterprise_id = e.enterprise_id and c.id = e.collector_id
  where e.enterprise_id = scope_enterprise() and coalesce(e.start_at > $2, true) and e.state in (${CellState.planned}, ${CellState.rest})
    and not exists (select from staff.request r where r.enterprise_id = e.enterprise_id and e.id in (r.cell_id, r.to_cell_id) and r.state in (${RequestState.partner}, ${RequestState.open}))
    and (c.toll_no, e.work_date) in (select "tollNo", "workDate" from jsonb_to_recordset($1::jsonb) as x("tollNo" text, "workDate" date))`

/** A person planned without a place keeps their own park. */
const UNCOVERED = `with ${WANTED},
  posts as materialized (select g.id as group_id, g.name as group_name, p.code as place_code, d::date as work_date,
      staff.hours_of(jsonb_build_array(jsonb_build_object('from', g.cover_from, 'to', g.cover_to)), d::date) as hours
    from staff.work_group g, unnest(g.place_codes) as p(code), generate_series($3::date, $4::date, interval '1 day') d
    where g.enterprise_id = scope_enterprise() and g.cover_from is not null and ($5::uuid is null or g.id = $5)),
  worked as materialized (select e.work_date, e.hours, coalesce(nullif(e.place_codes, '{}'), array[c.park_code]) as places from staff.cell e
    join staff.collector c on c.enterprise_id = e.enterprise_id and c.id = e.collector_id
    where e.enterprise_id = scope_enterprise() and e.state in ${WORKS} and e.work_date between $3::date - 1 and $4::date + 1 and e.id <> all ($2::uuid[]) and e.id not in (select id from gone)
    union all select work_date, hours, coalesce(nullif(place_codes, '{}'), array[park_code]) from next where not isempty(hours) and collector_id is not null),
  held as materialized (select p.code, w.work_date + n as work_date, range_agg(h) as hours from worked w, unnest(w.places) as p(code), unnest(w.hours) as h, generate_series(-1, 1) as n group by 1, 2),
  bare as (select k.*, k.hours - coalesce(w.hours, '{}') as rest from posts k left join held w on w.code = k.place_code and w.work_date = k.work_date)
  select b.group_id, b.group_name, b.place_code, coalesce(q.name, b.place_code) as place_name, b.work_date, lower(r) as "from", upper(r) as "to" from bare b cross join unnest(b.rest) r
  left join staff.place q on q.enterprise_id = scope_enterprise() and q.place_code = b.place_code order by b.work_date, b.group_name, b.place_code, lower(r) limit 1000`

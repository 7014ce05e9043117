import { createHash } from 'node:crypto'
import { PAGE_ROWS } from '../../../platform/contract/call.ts'
import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { paired } from '../../../platform/contract/said.ts'
import { cityTime, DAY_MS, dayOf, instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { attendance, type Month, Report, reportSearch } from '../contract/attendance.ts'
import { RequestState } from '../contract/request.ts'
import { Attendance, CAME } from '../contract/roster.ts'
import { card } from './card.ts'
import { figure } from './figuring.ts'
import { daysIn } from './roster.ts'
import './tables.ts'

const reports = listOver(Report, 'staff.report', reportSearch)
const NotOver = refusal('staff.month-not-over', 41925, '{month} 还没有结束，不能锁定', '{month} has not ended: close it once the month is over', 422)
const ClosedAlready = refusal('staff.month-closed', 41926, '{month} 已锁定，请查看月报', '{month} is already closed: see its report')
const StillCarding = refusal(
  'staff.month-carding',
  41976,
  '{month} 还有 {count} 个班次可以打卡，最后一个到 {until}，之后再锁定',
  '{count:shift} of {month} can still clock in or out, the last until {until}. Close the month after that',
)
const StillAsked = refusal(
  'staff.month-asked',
  41977,
  '{month} 还有待办结的排班申请 {requests}，请先办结',
  'Requests of {month} are still open: {requests}. Decide them first',
)
/** The task goes over at most so many days at once. */
const TASK_DAYS = 31

type Statistics = Of<typeof attendance.statistics.reply>
export const calls = serve(attendance, {
  card: ({ tx, input, actor, at }) => card(tx, input, actor, at),
  async statistics({ tx, input, at }) {
    const { workDateFrom: from = `${dayOf(at).slice(0, 7)}-01` as Day, workDateTo: to = dayOf(at), groupId = null } = input
    daysIn(from, to, STATISTIC_DAYS)
    const values = [from, to, groupId, at]
    const rows = <Row>(sql: string) => run<Row>(tx, { sql }, values)
    const [[whole], days, groups, people] = await Promise.all([
      rows<Omit<Statistics, 'at' | 'days' | 'groups' | 'people'>>(WHOLE),
      rows<Statistics['days'][number]>(BY_DAY),
      rows<Statistics['groups'][number]>(BY_GROUP),
      rows<Statistics['people'][number]>(BY_PERSON),
    ])
    return { ...whole!, at, days, groups, people }
  },
  monthSheet: ({ tx, input, at }) => monthOf(tx, input, at),
  export: exporting(attendance.export, ({ tx, input }) => monthOf(tx, input, null)),
  task: ({ tx, input, at }) => workOut(tx, input, at),
  async closeMonth({ tx, input: { month }, actor, at }) {
    if (month >= dayOf(at).slice(0, 7)) throw NotOver({ month })
    await refuseUnfinished(tx, month, at)
    await figure(tx, { from: `${month}-01`, to: lastDayOf(month) }, at)
    const closed = await run(tx, { sql: CLOSE }, [`${month}-01`, actor.userName, at])
    if (closed.length === 0) throw ClosedAlready({ month })
  },
  async locations({ tx, input }) {
    const known = 'select 1 from staff.collector where enterprise_id = scope_enterprise() and toll_no = $1'
    if (!input.tollNo || (await run(tx, { sql: known }, [input.tollNo])).length === 0) throw NotFound()
    return page(tx, reports, input)
  },
})
const STATISTIC_DAYS = 366
const CLOSE = `insert into staff.closed_month (month, closed_by, closed_at) values ($1, $2, $3) on conflict (enterprise_id, month) do nothing returning id`
/** A night shift of the last day runs into the next month, and its collector may still clock; an open request decides about a cell's attendance. */
async function refuseUnfinished(tx: Tx, month: string, at: Instant): Promise<void> {
  const values = [`${month}-01`, lastDayOf(month)]
  const [carding] = await run<{ count: number; until: Instant | null }>(tx, { sql: CARDING }, [...values, at])
  if (carding!.until) throw StillCarding({ month, count: carding!.count, until: cityTime(carding!.until).slice(0, 16) })
  const asked = await run<{ requestNo: string }>(tx, { sql: ASKED }, values)
  if (asked.length > 0) throw StillAsked({ month, requests: asked.map(({ requestNo }) => requestNo).join(' ') })
}
const CARDING = `select count(*)::int as count, max(end_at + check_out_to_min * interval '1 minute') as until from staff.cell
  where enterprise_id = scope_enterprise() and shift_id is not null and work_date between $1 and $2 and end_at + check_out_to_min * interval '1 minute' >= $3`
/** The most requests that are named. */
const NAMED = 10
const ASKED = `select r.request_no from staff.request r join staff.cell e on e.enterprise_id = r.enterprise_id and e.id in (r.cell_id, r.to_cell_id)
  where r.enterprise_id = scope_enterprise() and r.state in (${RequestState.partner}, ${RequestState.open}) and e.work_date between $1 and $2 group by r.request_no order by r.request_no limit ${NAMED}`
const lastDayOf = (month: string): string => dayOf(instantAt(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)))

/** Shifts that have begun are due. Leave counts as due and is taken out of the rate, and so is a shift that nobody has come to yet: that person may still be late. */
const FIGURES = `count(*)::int as due, count(*) filter (where attendance in (${CAME.join(', ')}))::int as present, count(*) filter (where attendance in (${Attendance.late}, ${Attendance.both}))::int as late,
  count(*) filter (where attendance in (${Attendance.early}, ${Attendance.both}))::int as early, count(*) filter (where attendance = ${Attendance.absent})::int as absent,
  count(*) filter (where attendance = ${Attendance.leave})::int as leave,
  platform.permille(count(*) filter (where attendance in (${CAME.join(', ')})), count(*) filter (where attendance in (${[...CAME, Attendance.absent].join(', ')}))) as attendance_rate`
const OF = `from staff.cell_line l where l.enterprise_id = scope_enterprise() and l.shift_id is not null and l.work_date between $1 and $2 and ($3::uuid is null or l.group_id = $3) and l.start_at <= $4`
const WHOLE = `select ${FIGURES} ${OF}`
const BY_DAY = `select work_date, ${FIGURES} ${OF} group by work_date order by work_date`
const BY_GROUP = `select coalesce(g.name, '') as group_name, f.due, f.present, f.late, f.early, f.absent, f.leave, f.attendance_rate from (select group_id, ${FIGURES} ${OF} group by group_id) f
  left join staff.work_group g on g.enterprise_id = scope_enterprise() and g.id = f.group_id order by 1`
const BY_PERSON = `select toll_no, name, ${FIGURES}, sum(work_min)::int as work_min ${OF} group by toll_no, name order by toll_no limit 500`

/** A person's month in one row: each day's attendance, in words. */
async function monthOf(tx: Tx, input: Of<typeof attendance.monthSheet.input>, at: Instant | null) {
  const { month, groupId = null, current = 1, limit = PAGE_ROWS } = input
  if (!month) throw BadInput({ zh: '请选择月份', en: 'choose a month' })
  const values = [`${month}-01`, lastDayOf(month), groupId, at]
  const rows = await run<{ total: number; cells: Record<string, string> } & Of<typeof Month>>(tx, { sql: MONTH }, [
    ...values,
    limit,
    (current - 1) * limit,
  ])
  const days = Array.from({ length: 31 }, (_, n) => `d${n + 1}`)
  const records = rows.map(({ total: _, cells, ...row }) => ({ ...row, ...Object.fromEntries(days.map((day, n) => [day, cells[n + 1] ?? null])) }))
  const total = rows[0]?.total ?? 0
  return { records, total, totalExact: true }
}
const WORDS = `case attendance ${Object.entries(Attendance.entries)
  .map(([code, words]) => `when ${code} then '${paired(words)}'`)
  .join(' ')} end`
const MONTH = `with mine as (select l.*, l.start_at <= coalesce($4::timestamptz, now()) as begun from staff.cell_line l where l.enterprise_id = scope_enterprise() and l.shift_id is not null and l.work_date between $1 and $2 and ($3::uuid is null or l.group_id = $3)),
  days as (select toll_no, extract(day from work_date)::int as n, string_agg(shift_name || case when begun then ' ' || ${WORDS} else '' end, ' / ' order by start_at) as said from mine group by 1, 2),
  people as (select toll_no, name, group_id, park_code, count(*) over ()::int as total from (select distinct toll_no, name, group_id, first_value(park_code) over (partition by toll_no order by work_date) as park_code from mine) p order by toll_no limit $5 offset $6)
  select p.toll_no, p.name, p.park_code, p.total, g.name as group_name, (select json_object_agg(d.n, d.said) from days d where d.toll_no = p.toll_no) as cells, f.*
  from people p left join staff.work_group g on g.enterprise_id = scope_enterprise() and g.id = p.group_id
  cross join lateral (select ${FIGURES}, coalesce(sum(work_min), 0)::int as work_min, coalesce(sum(late_min), 0)::int as late_min from mine m where m.toll_no = p.toll_no and m.begun) f order by p.toll_no`

const yesterday = (at: Instant) => dayOf(instantAt(msOf(at) - DAY_MS))
/** One at a time goes over the same days: who asks meanwhile is told that it is being done. */
async function workOut(tx: Tx, input: Of<typeof attendance.task.input>, at: Instant) {
  const { workDateFrom: from = input.workDateTo ?? yesterday(at), workDateTo: to = from } = input
  daysIn(from, to, TASK_DAYS)
  const taskId = taskOf(from, to)
  const [counted] = await run<{ total: number; locked: number; mine: boolean }>(tx, { sql: CLAIM }, [from, to, taskId])
  const done = counted!.mine ? await figure(tx, { from, to }, at) : 0
  return { taskId: taskId, done, total: counted!.total, locked: counted!.locked }
}
const CLAIM = `select count(*)::int as total, count(*) filter (where exists (select from staff.closed_month m where m.enterprise_id = e.enterprise_id and m.month = date_trunc('month', e.work_date)::date))::int as locked,
    pg_try_advisory_xact_lock(hashtextextended(scope_enterprise() || $3::text, 0)) as mine
  from staff.cell e where e.enterprise_id = scope_enterprise() and e.shift_id is not null and e.work_date between $1 and $2`
function taskOf(from: string, to: string): string {
  const sign = createHash('sha256').update(`${from} ${to}`).digest('hex')
  return `${sign.slice(0, 8)}-${sign.slice(8, 12)}-8${sign.slice(13, 16)}-8${sign.slice(17, 20)}-${sign.slice(20, 32)}`
}

/** Every night at three, yesterday and the day before it, whose night shifts ended yesterday. */
const NIGHTLY = '0 19 * * *'
const BACK_DAYS = 2
export const tasks = [
  task(
    'staff.attendance',
    async ({ tx, at }) => void (await figure(tx, { from: dayOf(instantAt(msOf(at) - BACK_DAYS * DAY_MS)), to: yesterday(at) }, at)),
    {
      every: NIGHTLY,
    },
  ),
]

import { PAGE_ROWS } from '../../../platform/contract/call.ts'
import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf, msOf } from '../../../platform/contract/time.ts'
import { parksOf, run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove, NotFound, refusal } from '../../../platform/server/refusal.ts'
import { json, lockRow, rowsOver, setRow } from '../../../platform/server/row.ts'
import { type Actor, serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { logCan, logSearch, LogState, type LogTotals, WorkLog, type WorkLogDetail, workLog } from '../contract/workLog.ts'
import { DUE } from './duty.ts'
import { refuseWhoDoesNotLead } from './leading.ts'
import { pinsOf } from './pins.ts'
import { daysIn } from './roster.ts'
import './tables.ts'

const lines = listOver(WorkLog, 'staff.workLogLine', logSearch, { sums: ['orders', 'paidFen', 'entries', 'exits', 'walkM'] })
const logs = rowsOver(WorkLog, 'staff.workLog', ['collectorId', 'state', 'content', 'outAt', 'untilAt', 'createdAt'])
const NotYours = refusal('staff.log-not-yours', 41964, '只能填写自己的工作日志', 'You can write your own work log only', 403)
const TooLate = refusal(
  'staff.log-too-late',
  41965,
  '已超过提交期限（下班后 24 小时），请联系班组长',
  'The deadline (24 h after the shift) has passed: contact your leader',
  422,
)
const NoWords = refusal('staff.log-without-words', 41966, '请先填写工作内容再提交', 'Enter the work done before submitting', 422)
type Detail = Of<typeof WorkLogDetail>
type Told = Omit<Of<typeof workLog.write.input>, 'id' | 'version'>

export const calls = serve(workLog, {
  query: ({ tx, input }) => page(tx, lines, input),
  async detail({ tx, input: { id } }) {
    const [found] = await run<Detail>(tx, { sql: `${DETAIL} and id = $1` }, [id])
    if (!found) throw NotFound()
    return found
  },
  pins: ({ tx, input, at }) => pinsOf(tx, input, at),
  totals: ({ tx, input, at }) => totalsOf(tx, input, at),
  export: exporting(workLog.export, lines),
  async mine({ tx, input: { current = 1, limit = PAGE_ROWS }, actor }) {
    const me = 'toll_no in (select toll_no from staff.collector where enterprise_id = scope_enterprise() and person_id = $1)'
    const [counted] = await run<{ n: number }>(
      tx,
      { sql: `select count(*)::int as n from staff.work_log_line where enterprise_id = scope_enterprise() and ${me}` },
      [actor.userId],
    )
    const records = await run<Detail>(tx, { sql: `${DETAIL} and ${me} order by opened_at desc, id desc limit $2 offset $3` }, [
      actor.userId,
      limit,
      (current - 1) * limit,
    ])
    return { records, total: counted!.n, totalExact: true }
  },
  async write({ tx, input: { id, version, ...told }, actor, at }) {
    const log = await ownLog(tx, { id, version }, actor)
    if (log.state !== LogState.running && log.state !== LogState.toSubmit) throw IllegalMove({ state: log.state })
    await refuseLate(tx, id, at)
    await setRow(tx, logs, log, wordsOf(told, at), at)
  },
  async submit({ tx, input: { id, version, ...told }, actor, at }) {
    const log = await ownLog(tx, { id, version }, actor)
    const next = logCan.submit(log.state)
    if (next === undefined) throw IllegalMove({ state: log.state })
    await refuseLate(tx, id, at)
    if (!(told.content ?? log.content)?.trim()) throw NoWords()
    await setRow(tx, logs, log, { ...wordsOf(told, at), state: next, submittedAt: at }, at)
  },
  async review({ tx, input: { id, version, score, verdict = null }, actor, at }) {
    const log = await lockRow(tx, logs, { id, version })
    const next = logCan.rate(log.state)
    if (next === undefined) throw IllegalMove({ state: log.state })
    await refuseWhoDoesNotLead(tx, actor, [log.collectorId])
    await setRow(tx, logs, log, { state: next, score, verdict, reviewerName: actor.userName, reviewedAt: at }, at)
  },
})
const DETAIL = `select ${Object.keys(WorkLog.properties)
  .map((name) => name.replaceAll(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`))
  .join(', ')}, incidents,
  case when state in (${LogState.running}, ${LogState.toSubmit}) then ${DUE} end as due_at from staff.work_log_line where enterprise_id = scope_enterprise()`

async function ownLog(tx: Tx, which: { id: string; version: number }, { userId }: Actor) {
  const log = await lockRow(tx, logs, which)
  const own = 'select 1 from staff.collector where enterprise_id = scope_enterprise() and id = $1 and person_id = $2'
  if ((await run(tx, { sql: own }, [log.collectorId, userId])).length === 0) throw NotYours()
  return log
}
async function refuseLate(tx: Tx, id: string, at: Instant): Promise<void> {
  const late = `select ${DUE} < $2::timestamptz as late from staff.work_log where enterprise_id = scope_enterprise() and id = $1`
  const [found] = await run<{ late: boolean }>(tx, { sql: late }, [id, at])
  if (found!.late) throw TooLate()
}
/** Refuses incidents in the future. */
function wordsOf({ incidents, ...told }: Told, at: Instant) {
  if (incidents?.some((one) => msOf(one.at) > msOf(at))) throw BadInput({ zh: '事件时间不能晚于现在', en: 'an incident cannot be in the future' })
  if (incidents?.some((one) => (one.lng === undefined) !== (one.lat === undefined)))
    throw BadInput({ zh: '经纬度须同时填写', en: 'enter both longitude and latitude' })
  return { ...told, ...(incidents && { incidents: json(incidents) }) }
}

const TOTAL_DAYS = 366
async function totalsOf(tx: Tx, input: Of<typeof workLog.totals.input>, at: Instant) {
  const {
    workDateTo: to = dayOf(at),
    workDateFrom: from = `${to.slice(0, 7)}-01` as Day,
    groupId = null,
    parkCode = null,
    tollNos,
    current = 1,
    limit = PAGE_ROWS,
  } = input
  daysIn(from, to, TOTAL_DAYS)
  const values = [from, to, groupId, parkCode, tollNos?.length ? tollNos : null, parksOf(tx)]
  const records = await run<Of<typeof LogTotals>>(tx, { sql: TOTALS }, [...values, limit, (current - 1) * limit])
  const [{ total, ...sums }] = (await run<{ total: number } & Record<string, number>>(tx, { sql: ALL }, values)) as [
    { total: number } & Record<string, number>,
  ]
  return { records, total, totalExact: true, sums }
}
const DONE = `(${LogState.submitted}, ${LogState.rated})`
const FIGURES = `count(*)::int as logs, count(*) filter (where state in ${DONE})::int as submitted,
  platform.permille(count(*) filter (where state in ${DONE}), count(*) filter (where state in (${LogState.submitted}, ${LogState.rated}, ${LogState.overdue}))) as submit_rate, round(10 * avg(score))::int as score_tenths,
  sum(work_min)::int as work_min, sum(entries)::int as entries, sum(exits)::int as exits, sum(orders)::int as orders, sum(paid_fen)::bigint as paid_fen, sum(photos)::int as photos, sum(patrols)::int as patrols, sum(walk_m)::int as walk_m, sum(warnings)::int as warnings`
const OF = `from staff.work_log_line where enterprise_id = scope_enterprise() and work_date between $1::date and $2::date and ($3::uuid is null or group_id = $3) and ($4::text is null or park_code = $4)
  and ($5::text[] is null or toll_no = any ($5)) and ($6::text[] is null or park_code = any ($6))`
const TOTALS = `select f.*, g.name as group_name from (select toll_no, name, group_id, ${FIGURES} ${OF} group by toll_no, name, group_id order by toll_no limit $7 offset $8) f
  left join staff.work_group g on g.enterprise_id = scope_enterprise() and g.id = f.group_id order by f.toll_no`
const ALL = `select (select count(*)::int from (select distinct toll_no ${OF}) one) as total, f.* from (select ${FIGURES} ${OF}) f`

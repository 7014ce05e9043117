import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver, page } from '../../../platform/server/page.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { lockRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { importing } from '../../../platform/server/sheets/importing.ts'
import { templating } from '../../../platform/server/sheets/template.ts'
import { heldBy } from '../../settlement/server/api.ts'
import { type CollectorDetail, CollectorLine, type CollectorNow, collectorSearch, OnJob, ONLINE_MIN, toll } from '../contract/collector.ts'
import { CellState } from '../contract/roster.ts'
import { tracker } from '../contract/tracker.ts'
import { WarningState } from '../contract/workWarning.ts'
import { LogState } from '../contract/workLog.ts'
import { collectorImport } from './collectorImport.ts'
import { addCollector, changeCollector, collectors, removeCollector } from './collectorRow.ts'
import { tell } from './notice.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

const lines = listOver(CollectorLine, 'staff.collectorLine', collectorSearch)

export const calls = serve(toll, {
  async query({ tx, input, at }) {
    const found = await page(tx, lines, input)
    return { ...found, records: await withToday(tx, found.records, at) }
  },
  pick: ({ tx, input: { tollType = null, groupId = null, parkCode = null, keyword = null }, actor }) =>
    run(tx, { sql: PICK }, [tollType, groupId, parkCode, keyword, actor.userId]),
  async save({ tx, input }) {
    await addCollector(tx, input)
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    await changeCollector(tx, await lockRow(tx, collectors, { id, version }), changes, at)
  },
  delete: ({ tx, input: { id }, at }) => removeCollector(tx, id, at),
  async detail({ tx, input: { tollNo }, actor, at }) {
    const [known] = await run<{ id: string }>(tx, { sql: BY_NO }, [tollNo])
    const found = known && (await find(tx, lines, known.id))
    if (!found) throw NotFound()
    const held = found.personId ? await heldBy(tx, found.personId) : undefined
    const monthStart = `${dayOf(at).slice(0, 7)}-01`
    const [month] = await run<{ cells: number; orders: number; paidFen: number }>(tx, { sql: MONTH }, [
      found.id,
      monthStart,
      found.personId,
      startOf(monthStart as Day),
      dayOf(at),
    ])
    const [now] = await withToday(tx, [found], at)
    const [work] = await run<{ warnings: number; position: Of<typeof CollectorDetail>['position'] }>(tx, { sql: WORK }, [
      found.id,
      at,
      actor.may.has(tracker.line.needs),
    ])
    return { ...now, ...work, cashHeldFen: held ? held.expectedFen : 0, shiftNo: held?.shiftNo ?? null, month: month! } as Of<typeof CollectorDetail>
  },
  import: importing(toll.import, collectorImport),
  template: templating(toll.import),
  export: exporting(toll.export, lines),
  message: ({ tx, input, actor, at }) => tell(tx, input, actor, at),
})
/** Adds each collector's shift of today, and whether their handheld was heard from a moment ago while at work. */
async function withToday(tx: Tx, found: readonly Of<typeof CollectorLine>[], at: Instant): Promise<Of<typeof CollectorNow>[]> {
  const today = await run<{ id: string; todayShift: string | null; online: boolean }>(tx, { sql: TODAY }, [found.map(({ id }) => id), dayOf(at), at])
  const of = new Map(today.map((one) => [one.id, one]))
  return found.map((one) => ({ ...one, todayShift: of.get(one.id)?.todayShift ?? null, online: of.get(one.id)?.online ?? false }))
}
/** A night's shift is today's too while it lasts. */
const TODAY = `select c.id, (select string_agg(case when e.state = ${CellState.leave} then '${Said.onLeave({ shift: `' || e.shift_name || '` })}' else e.shift_name end, ' / ' order by e.start_at) from staff.cell e
    where e.enterprise_id = scope_enterprise() and e.collector_id = c.id and (e.work_date = $2::date or (e.start_at <= $3::timestamptz and e.end_at > $3))) as today_shift,
  exists (select from staff.work_log w join staff.point p on p.enterprise_id = w.enterprise_id and p.collector_id = w.collector_id and p.at >= w.opened_at - interval '1 second' and p.at > $3::timestamptz - interval '1 day'
    where w.enterprise_id = scope_enterprise() and w.collector_id = c.id and w.state = ${LogState.running} and w.until_at >= $3 and p.received_at > $3 - interval '${ONLINE_MIN} minutes') as online
  from unnest($1::uuid[]) c (id)`
const WORK = `select (select count(*)::int from staff.warning x where x.enterprise_id = scope_enterprise() and x.collector_id = $1 and x.state = ${WarningState.open}) as warnings,
  (select jsonb_build_object('at', p.at, 'lng', p.lng, 'lat', p.lat, 'inFence', p.in_fence) from staff.work_log w join staff.point p on p.enterprise_id = w.enterprise_id and p.collector_id = w.collector_id and p.at >= w.opened_at - interval '1 second'
    where $3 and w.enterprise_id = scope_enterprise() and w.collector_id = $1 and w.state = ${LogState.running} and w.until_at >= $2::timestamptz order by p.at desc limit 1) as position`
const PICK = `select id, toll_no, name, toll_type, group_id, park_code, person_id is not null as has_account, coalesce(person_id = $5, false) as mine from staff.collector where enterprise_id = scope_enterprise() and on_job = ${OnJob.employed}
  and ($1::smallint is null or toll_type = $1) and ($2::uuid is null or group_id = $2) and ($3::text is null or park_code = $3)
  and ($4::text is null or position($4 in name) > 0 or toll_no ^@ $4) order by toll_no limit 2000`
const BY_NO = 'select id from staff.collector where enterprise_id = scope_enterprise() and toll_no = $1'
const MONTH = `select (select count(*)::int from staff.cell where enterprise_id = scope_enterprise() and collector_id = $1 and shift_id is not null and work_date between $2 and $5) as cells,
  count(p.id)::int as orders, coalesce(sum(p.received_fen - p.refund_fen), 0)::bigint as paid_fen
  from settlement.shift s join settlement.payment p on p.enterprise_id = s.enterprise_id and p.shift_id = s.id
  where s.enterprise_id = scope_enterprise() and s.person_id = $3 and staff.keeper_of(s.person_id, s.opened_at) = $1 and s.opened_at >= $4`

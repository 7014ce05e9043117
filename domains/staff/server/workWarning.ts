import { PAGE_ROWS } from '../../../platform/contract/call.ts'
import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf } from '../../../platform/contract/time.ts'
import { parksOf, run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { BadInput, IllegalMove } from '../../../platform/server/refusal.ts'
import { lockRow, rowsOver, setRow } from '../../../platform/server/row.ts'
import { serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import {
  ruleSearch,
  Verdict,
  warningCan,
  WarningRule,
  warningRule,
  warningSearch,
  WarningState,
  type WarningTotals,
  WorkRule,
  WorkWarning,
  workWarning,
} from '../contract/workWarning.ts'
import { refuseWhoDoesNotLead } from './leading.ts'
import { daysIn } from './roster.ts'
import './tables.ts'

const ruleLines = listOver(WarningRule, 'staff.warningRuleLine', ruleSearch, { key: 'rule' })
const rules = rowsOver(WarningRule, 'staff.warningRule', ['rule', 'distM', 'people'], { key: 'rule' })
const lines = listOver(WorkWarning, 'staff.warningLine', warningSearch)
const rows = rowsOver(WorkWarning, 'staff.warning', ['collectorId', 'state'])

export const ruleCalls = serve(warningRule, {
  query: ({ tx, input }) => page(tx, ruleLines, input),
  async update({ tx, input: { rule, version, ...changes }, at }) {
    await run(tx, { sql: OWN_ROW }, [rule, at])
    const found = await lockRow(tx, rules, { id: rule, version })
    for (const name of ['distM', 'people'] as const)
      if (changes[name] !== undefined && (changes[name] === null) !== (found[name] === null))
        throw found[name] === null ? HasNone() : BadInput({ zh: '请填写数值', en: 'enter a number' })
    await setRow(tx, rules, found, changes, at)
  },
})
const HasNone = () => BadInput({ zh: '该规则没有这一项设置', en: 'this rule has no such setting' })
/** Until a company sets a rule it has no row of its own. */
const OWN_ROW = `insert into staff.warning_rule (rule, enabled, level, notify, threshold_min, silence_min, dist_m, people, version, updated_at)
  select rule, enabled, level, notify, threshold_min, silence_min, dist_m, people, version, $2 from staff.warning_rule_line where enterprise_id = scope_enterprise() and rule = $1 on conflict do nothing`

export const calls = serve(workWarning, {
  query: ({ tx, input }) => page(tx, lines, input),
  totals: ({ tx, input, at }) => totalsOf(tx, input, at),
  export: exporting(workWarning.export, lines),
  totalsExport: exporting(workWarning.totalsExport, ({ tx, input }) => totalsOf(tx, input, null)),
  async handle({ tx, input: { ids, state, opinion }, actor, at }) {
    if (ids.length === 0) throw BadInput({ zh: '请选择预警', en: 'choose at least one warning' })
    const found = []
    // In one order, so that two who handle the same ones do not wait for each other.
    for (const id of [...new Set(ids)].toSorted()) found.push(await lockRow(tx, rows, { id }))
    await refuseWhoDoesNotLead(
      tx,
      actor,
      found.map(({ collectorId }) => collectorId),
    )
    for (const one of found) {
      const next = state === Verdict.handled ? warningCan.handle(one.state) : warningCan.dismiss(one.state)
      if (next === undefined) throw IllegalMove({ state: one.state })
      await setRow(tx, rows, one, { state: next, opinion, handlerName: actor.userName, handledAt: at }, at)
    }
  },
})

const TOTAL_DAYS = 366
async function totalsOf(tx: Tx, input: Of<typeof workWarning.totals.input>, at: Instant | null) {
  const {
    dateTo: to = at && dayOf(at),
    dateFrom: from = to && (`${to.slice(0, 7)}-01` as Day),
    groupId = null,
    parkCode = null,
    current = 1,
    limit = PAGE_ROWS,
  } = input
  if (from && to) daysIn(from, to, TOTAL_DAYS)
  const values = [from, to, groupId, parkCode, parksOf(tx)]
  const records = await run<Of<typeof WarningTotals>>(tx, { sql: TOTALS }, [...values, limit, (current - 1) * limit])
  const [all] = await run<{ people: number } & Record<string, number>>(tx, { sql: ALL }, values)
  const { people, ...sums } = all!
  return { records, total: people, totalExact: true, sums }
}
const COUNTED = `count(*)::int as total, count(*) filter (where x.state = ${WarningState.open})::int as open, ${(
  ['away', 'still', 'gathered', 'noCard', 'late', 'early', 'offline', 'unhandled'] as const
)
  .map((name) => `count(*) filter (where x.rule = ${WorkRule[name]})::int as "${name}"`)
  .join(', ')}`
const OF = `from staff.warning x join staff.collector c on c.enterprise_id = x.enterprise_id and c.id = x.collector_id
  where x.enterprise_id = scope_enterprise() and x.state <> ${WarningState.mistaken} and x.start_at >= coalesce($1::date, date_trunc('month', now() at time zone 'Asia/Shanghai'))::timestamp at time zone 'Asia/Shanghai' and ($2::date is null or x.start_at < ($2::date + 1)::timestamp at time zone 'Asia/Shanghai')
  and ($3::uuid is null or c.group_id = $3) and ($4::text is null or x.park_code = $4) and ($5::text[] is null or x.park_code = any ($5))`
const TOTALS = `select f.*, c.toll_no, c.name, c.park_code, g.name as group_name from (select x.collector_id, ${COUNTED} ${OF} group by x.collector_id) f
  join staff.collector c on c.enterprise_id = scope_enterprise() and c.id = f.collector_id left join staff.work_group g on g.enterprise_id = c.enterprise_id and g.id = c.group_id
  order by f.total desc, c.toll_no limit $6 offset $7`
const ALL = `select count(distinct x.collector_id)::int as people, ${COUNTED} ${OF}`

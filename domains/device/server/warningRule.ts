import type { Id, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { addRow, lockRow, removeRow, setRow } from '../../../platform/server/row.ts'
import { type Actor, serve } from '../../../platform/server/serve.ts'
import { exporting } from '../../../platform/server/sheets/exporting.ts'
import { receivers } from '../../system/server/api.ts'
import { WarningState, WarningType } from '../contract/device.ts'
import { LASTING, RuleStatus, THRESHOLDS, WarningRule, warningRule, type WarningRuleRow, warningRuleSearch } from '../contract/warningRule.ts'
import { standsAt, warningTopic } from './events.ts'
import { OPEN } from './warning.ts'
import './tables.ts'

const AlwaysOn = refusal(
  'device.warning-always-on',
  40721,
  '「付款后未放行」关系到已付款的车，不能停用；可调整阈值与通知人',
  '“Paid, but not let out” protects cars that have paid and cannot be disabled: change its threshold or who is told',
)
const TwoOfAKind = refusal(
  'device.warning-rule-twice',
  40722,
  '该类型在这个车场已有规则，请修改那一条',
  'This car park already has a rule for this type: change that one',
)
const NoThreshold = refusal('device.warning-no-threshold', 40723, '「{zh}」没有阈值，请留空', '“{en}” has no threshold: leave it empty', 422)
const BadThreshold = refusal('device.warning-threshold', 40724, '阈值应在 {min} 至 {max} 之间', 'The threshold must be between {min} and {max}', 422)
const NotLasting = refusal(
  'device.warning-not-lasting',
  40725,
  '「{zh}」发生即预警，持续时间请留空',
  '“{en}” is raised immediately: leave the duration empty',
  422,
)
const OverAlready = refusal(
  'device.warning-over',
  40727,
  '其中 {n} 条已恢复、已关闭或已确认，请刷新后重选',
  '{n} of them have recovered or are already closed or acknowledged: refresh and select again',
)
const NoSuchPark = refusal('device.warning-no-park', 40726, '没有这个车场，请重新选择', 'The car park does not exist: choose again', 422)

type Rule = Of<typeof WarningRule>
export const rules = listOver(WarningRule, 'device.warningRule', warningRuleSearch)

export const calls = serve(warningRule, {
  query: async ({ tx, input }) => {
    const found = await page(tx, rules, input)
    return { ...found, records: await withOpen(tx, found.records) }
  },
  async add({ tx, input }) {
    const wanted = { parkCode: null, threshold: null, durationSec: null, remark: null, ...input }
    await refuseWrong(tx, wanted)
    return addRow(tx, rules, { ...wanted, notifyPeople: input.notifyPeople ?? [], notifyRoles: input.notifyRoles ?? [] })
  },
  async update({ tx, input: { id, version, ...changes }, at }) {
    const found = await lockRow(tx, rules, { id, version })
    await refuseWrong(tx, { ...found, ...changes })
    return setRow(tx, rules, found, changes, at)
  },
  statusChange: (context) => switched(context),
  statusChangePost: (context) => switched(context),
  async delete({ tx, input, at }) {
    await removeRow(tx, rules, await lockRow(tx, rules, input), at)
  },
  export: exporting(warningRule.export, async ({ tx, input }) => {
    const { records } = await page(tx, rules, input)
    return { records: await withOpen(tx, records) }
  }),
  async receivers({ tx }) {
    const answers = await receivers.ask(tx, {})
    return { people: answers.flatMap(({ answer }) => answer.people), roles: answers.flatMap(({ answer }) => answer.roles) }
  },
  handle,
})

interface Switch {
  tx: Tx
  at: Instant
  actor: Actor
  input: { id: Id<'WarningRuleId'>; status: Rule['status']; closeOpen?: number }
}
async function switched({ tx, input, at, actor }: Switch): Promise<Rule> {
  const found = await lockRow(tx, rules, { id: input.id })
  if (found.type === WarningType.paidButShut && input.status === RuleStatus.off) throw AlwaysOn()
  if (input.closeOpen === 1 && input.status === RuleStatus.off) await closeOpen(tx, found, actor, at)
  return found.status === input.status ? found : setRow(tx, rules, found, { status: input.status }, at)
}

/** Sums over what each rule answers for: a park's own rule, or all parks that have none of their own. */
async function withOpen(tx: Tx, rows: readonly Rule[]): Promise<Of<typeof WarningRuleRow>[]> {
  const counts = await run<{ id: string; n: number }>(
    tx,
    {
      sql: `select r.id, count(*)::int n from device.warning w join device.warning_rule r on r.enterprise_id = w.enterprise_id and r.type = w.type
          and r.id = (select o.id from device.rule_of(w.park_code, w.type) o)
        where w.enterprise_id = scope_enterprise() and w.${OPEN} and r.id = any($1::uuid[]) group by r.id`,
    },
    [rows.map(({ id }) => id)],
  )
  return rows.map((row) => ({ ...row, openCount: counts.find(({ id }) => id === row.id)?.n ?? 0 }))
}

async function closeOpen(tx: Tx, { id, type }: Rule, { userName }: Actor, at: Instant): Promise<void> {
  const closed = await run<{ id: string; parkCode: string | null }>(
    tx,
    {
      sql: `update device.warning w set state = ${WarningState.closed}, handled_by = $3, recovered_at = $4::timestamptz, version = version + 1
        where type = $2::int and ${OPEN} and (select o.id from device.rule_of(w.park_code, w.type) o) = $1::uuid returning id, park_code`,
    },
    [id, type, userName, at],
  )
  for (const one of closed) await tell(tx, warningTopic, { ids: [one.id], ...(one.parkCode && { park: one.parkCode }) })
}

type Wanted = Pick<Rule, 'type' | 'parkCode' | 'threshold' | 'durationSec'> & { id?: string }
async function refuseWrong(tx: Tx, { id, type, parkCode, threshold, durationSec }: Wanted): Promise<void> {
  const [zh, en] = WarningType.entries[type]
  const bounds = THRESHOLDS[type]
  if (threshold !== null && !bounds) throw NoThreshold({ zh, en })
  if (threshold !== null && bounds && (threshold < bounds.min || threshold > bounds.max)) throw BadThreshold({ min: bounds.min, max: bounds.max })
  if (durationSec !== null && !LASTING.includes(type)) throw NotLasting({ zh, en })
  if (parkCode !== null && !(await standsAt.ask(tx, { parkCode, gateCode: null })).some(({ answer }) => answer)) throw NoSuchPark()
  const [twin] = await run<{ id: string }>(
    tx,
    {
      sql: 'select id from device.warning_rule where enterprise_id = scope_enterprise() and type = $1::int and park_code is not distinct from $2 and id is distinct from $3::uuid',
    },
    [type, parkCode, id ?? null],
  )
  if (twin) throw TwoOfAKind()
}

/** All of them or none: one that is over already is nobody's to handle. */
async function handle({ tx, input, at, actor }: { tx: Tx; input: { ids: string[]; state: number; remark?: string }; at: Instant; actor: Actor }) {
  const ids = [...new Set(input.ids)]
  const handled = await run<{ id: string; parkCode: string | null }>(tx, HANDLE, [ids, input.state, actor.userName, input.remark ?? null, at])
  if (handled.length < ids.length) throw OverAlready({ n: ids.length - handled.length })
  for (const one of handled) await tell(tx, warningTopic, { ids: [one.id], ...(one.parkCode && { park: one.parkCode }) })
  return { handled: handled.length }
}
const HANDLE = {
  sql: `update device.warning set state = $2::int, handled_by = $3, remark = coalesce($4, remark), version = version + 1,
      recovered_at = case when $2::int = ${WarningState.closed} then $5::timestamptz else recovered_at end
    where id = any($1::uuid[]) and (state = ${WarningState.open} or state = ${WarningState.acknowledged} and $2::int = ${WarningState.closed}) returning id, park_code`,
}

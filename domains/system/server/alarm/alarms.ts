import type { Instant, Of } from '../../../../platform/contract/field.ts'
import { instantAt, MINUTE_MS, msOf } from '../../../../platform/contract/time.ts'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { announce } from '../../../../platform/server/events.ts'
import { task } from '../../../../platform/server/job/jobs.ts'
import { alarmCan, AlarmEnding, type AlarmRecord, AlarmState } from '../../contract/alarmRecord.ts'
import { AlarmLevel, type AlarmRule, OP_SIGNS, AlarmOp } from '../../contract/alarmRule.ts'
import { Metric, METRICS, SILENT_SECONDS } from '../../contract/performance.ts'
import { setAlarm, tellAlarm } from './alarmRecord.ts'
import { notice } from '../questions.ts'
import '../tables.ts'

type Rule = Of<typeof AlarmRule>
type Alarm = Of<typeof AlarmRecord>
interface Server {
  id: Alarm['serverId']
  name: string
  firstSeenAt: Instant
  lastSeenAt: Instant
}
/** A measure at a moment, as it is kept. */
export interface Measured {
  at: Instant
  value: number
}

/**
 * Looks at every rule of the enterprise on every server it holds for: raises alarms whose condition has held for its time, follows open ones, ends those that recovered. All of
 * it
 * follows from the samples and the open alarms, so a job that runs twice, late or after a restart has the same result.
 */
export async function lookForAlarms(tx: Tx, at: Instant): Promise<void> {
  const rules = (await tx.selectFrom('system.alarmRule').selectAll().where('enabled', '=', true).orderBy('id').execute()) as Rule[]
  if (rules.length === 0) return
  const servers = (await tx.selectFrom('system.server').select(['id', 'name', 'firstSeenAt', 'lastSeenAt']).orderBy('id').execute()) as Server[]
  const longest = Math.max(...rules.map(({ forMin }) => forMin))
  const [measured, open] = await Promise.all([
    measuredSince(tx, rules, instantAt(msOf(at) - longest * MINUTE_MS - GAP_MS), at),
    tx.selectFrom('system.alarmRecord').selectAll().where('state', 'in', [AlarmState.raised, AlarmState.acknowledged]).forUpdate().execute(),
  ])
  for (const rule of rules)
    for (const server of servers.filter(({ id }) => rule.serverIds.length === 0 || rule.serverIds.includes(id))) {
      const values = rule.metric === SILENCE ? silenceOf(server, at) : (measured.get(`${server.id} ${rule.metric}`) ?? [])
      const alarm = open.find(({ ruleId, serverId }) => ruleId === rule.id && serverId === server.id)
      await (alarm ? follow(tx, rule, alarm, values, at) : raise(tx, rule, server, values, at))
    }
}
export const tasks = [task('system.look-for-alarms', ({ tx, at }) => lookForAlarms(tx, at), { every: '* * * * *' })]

const GAP_MS = SILENT_SECONDS * 1000
const SILENCE = Metric.silence

async function measuredSince(tx: Tx, rules: readonly Rule[], from: Instant, to: Instant): Promise<Map<string, Measured[]>> {
  const metrics = [...new Set(rules.map(({ metric }) => metric))]
  const rows = await run<Measured & { serverId: string; metric: number }>(
    tx,
    { sql: 'select server_id, metric, at, value from system.server_metric where at >= $1 and at <= $2 and metric = any($3) order by at' },
    [from, to, metrics],
  )
  return Map.groupBy(rows, ({ serverId, metric }) => `${serverId} ${metric}`)
}
/** Silence is not measured but counted: none while samples come, then the seconds since the last. */
function silenceOf({ lastSeenAt }: Server, at: Instant): Measured[] {
  const seconds = Math.max(0, Math.round((msOf(at) - msOf(lastSeenAt)) / 1000))
  return [
    { at: lastSeenAt, value: 0 },
    { at, value: seconds },
  ]
}

const kept = ({ metric, threshold }: Pick<Rule, 'metric' | 'threshold'>) => threshold * METRICS[metric].per
/** 5 % behind the threshold: a value that trembles around it is one alarm and not twenty. */
const HYSTERESIS = 0.05
export function breaks(rule: Pick<Rule, 'metric' | 'op' | 'threshold'>, value: number): boolean {
  const limit = kept(rule)
  return rule.op === AlarmOp.above ? value > limit : rule.op === AlarmOp.below ? value < limit : value === limit
}
export function isBack(rule: Pick<Rule, 'metric' | 'op' | 'threshold'>, value: number): boolean {
  const limit = kept(rule)
  if (rule.op === AlarmOp.above) return value <= limit * (1 - HYSTERESIS)
  if (rule.op === AlarmOp.below) return value >= limit * (1 + HYSTERESIS)
  return Math.abs(value - limit) > limit * HYSTERESIS
}

/**
 * Since when the values have been breaking the rule without a break, up to `at`; undefined when they do not now. Nothing measured for a minute interrupts it:
 * what nobody saw is not held against anybody.
 */
export function brokenSince(rule: Pick<Rule, 'metric' | 'op' | 'threshold'>, values: readonly Measured[], at: Instant): Instant | undefined {
  const last = values.at(-1)
  if (!last || msOf(at) - msOf(last.at) > GAP_MS || !breaks(rule, last.value)) return undefined
  let since = last.at
  for (let place = values.length - 2; place >= 0; place--) {
    const one = values[place]!
    if (!breaks(rule, one.value) || msOf(since) - msOf(one.at) > GAP_MS) break
    since = one.at
  }
  return since
}

async function raise(tx: Tx, rule: Rule, server: Server, values: readonly Measured[], at: Instant): Promise<void> {
  const broken = rule.metric === SILENCE ? silentSince(rule, server, values) : brokenSince(rule, values, at)
  if (broken === undefined || msOf(at) - msOf(broken) < rule.forMin * MINUTE_MS - LOOK_SLACK_MS) return
  const last = values.at(-1)!
  const during = values.filter((one) => msOf(one.at) >= msOf(broken)).map(({ value }) => value)
  const told = !(await toldLately(tx, rule, server, at))
  const made = await tx
    .insertInto('system.alarmRecord')
    .values({
      ...{
        ruleId: rule.id,
        ruleName: rule.name,
        serverId: server.id,
        serverName: server.name,
        metric: rule.metric,
        op: rule.op,
        threshold: rule.threshold,
      },
      ...{
        level: rule.level,
        value: last.value,
        mostValue: worst(rule, during),
        lastValue: last.value,
        since: broken,
        raisedAt: at,
        seenAt: at,
        told,
      },
      ...{ acknowledgedAt: null, acknowledgedBy: null, note: null, recoveredAt: null, ending: null },
    })
    .onConflict((on) => on.doNothing()) // another process looked at the same moment
    .returningAll()
    .executeTakeFirst()
  if (!made) return
  await tellAlarm(tx, made.id)
  if (told) await announce(tx, notice, noticeOf(rule, made, last.value))
}
/** The last sample may lie up to one interval before the look. */
const LOOK_SLACK_MS = 15_000
const worst = ({ op }: Pick<Rule, 'op'>, values: readonly number[]) => (op === AlarmOp.below ? Math.min(...values) : Math.max(...values))
const silentSince = (rule: Rule, { lastSeenAt }: Server, values: readonly Measured[]) =>
  breaks(rule, values.at(-1)!.value) ? instantAt(msOf(lastSeenAt) + rule.threshold * 1000) : undefined

/** Within the silence after the last notice of the same rule and server nobody is told again; the record says so. */
async function toldLately(tx: Tx, rule: Rule, server: Server, at: Instant): Promise<boolean> {
  const found = await tx
    .selectFrom('system.alarmRecord')
    .select('id')
    .where('ruleId', '=', rule.id)
    .where('serverId', '=', server.id)
    .where('told', '=', true)
    .where('raisedAt', '>', instantAt(msOf(at) - rule.silenceMin * MINUTE_MS))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** An open alarm: how bad it is now, and whether it is over. Without fresh values nothing is known, and it stays. */
async function follow(tx: Tx, rule: Rule, alarm: Alarm, values: readonly Measured[], at: Instant): Promise<void> {
  const last = values.at(-1)
  if (!last || msOf(at) - msOf(last.at) > GAP_MS) return
  const fresh = values.filter((one) => msOf(one.at) > msOf(alarm.seenAt)).map(({ value }) => value)
  const seen = { lastValue: last.value, mostValue: worst(rule, [alarm.mostValue, last.value, ...fresh]), seenAt: at }
  const state = isBack(rule, last.value) ? alarmCan.recover(alarm.state) : undefined
  if (state === undefined) return void (await tx.updateTable('system.alarmRecord').set(seen).where('id', '=', alarm.id).execute())
  const ended = await setAlarm(tx, alarm, { ...seen, state, recoveredAt: at, ending: AlarmEnding.recovered }, at)
  if (ended.told) await announce(tx, notice, noticeOf(rule, ended, last.value))
}

/** As the kinds of messages count. */
const ALARM = 2
/** The notice of an alarm. A rule without named receivers notifies everybody who may acknowledge alarms. */
function noticeOf({ notifyPeople, notifyRoles }: Rule, alarm: Alarm, value: number) {
  const { metric, level, serverName, ruleName, op, threshold } = alarm
  const { unit, per } = METRICS[metric]
  const over = alarm.state === AlarmState.recovered
  const [zh, en] = Metric.entries[metric]
  const [levelZh, levelEn] = AlarmLevel.entries[level]
  const now = `${Math.round((value / per) * 10) / 10}${unit}`
  return {
    ...(notifyPeople.length + notifyRoles.length > 0
      ? { people: notifyPeople, roles: notifyRoles }
      : { capability: 'system:alarm-record:acknowledge' }),
    title: over
      ? ([`服务器告警已恢复：${ruleName}`, `Server alarm recovered: ${ruleName}`] as const)
      : ([`服务器告警（${levelZh}）：${ruleName}`, `Server alarm (${levelEn.toLowerCase()}): ${ruleName}`] as const),
    body: [
      `${serverName} 的${zh}为 ${now}，规则 ${OP_SIGNS[op]} ${threshold}${unit}`,
      `${en} of ${serverName} is ${now}; rule: ${OP_SIGNS[op]} ${threshold}${unit}`,
    ] as const,
    kind: ALARM,
    template: over ? 'alarm.server.over' : 'alarm.server',
    vars: { server: serverName, rule: ruleName, level: levelZh, metric: zh, value: now, limit: `${OP_SIGNS[op]} ${threshold}${unit}` },
    link: `/appManage/server/alarmRecord/${alarm.id}`,
  }
}

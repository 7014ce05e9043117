import type { CodeOf } from '../../../platform/contract/field.ts'
import type { Tx } from '../../../platform/server/database.ts'
import { run } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { WarningLevel, WarningState, WarningType } from '../contract/device.ts'
import { RuleStatus, THRESHOLDS } from '../contract/warningRule.ts'
import { warned, warningTopic } from './events.ts'

type Type = CodeOf<typeof WarningType>
/** How bad each is where no rule says so. */
const LEVEL: Record<Type, number> = {
  [WarningType.offline]: WarningLevel.major,
  [WarningType.clockOff]: WarningLevel.minor,
  [WarningType.paidButShut]: WarningLevel.critical,
  [WarningType.badMessages]: WarningLevel.minor,
  [WarningType.help]: WarningLevel.major,
  [WarningType.blocked]: WarningLevel.major,
  [WarningType.unhandled]: WarningLevel.critical,
}
/** Not finished yet: nobody has closed it and its cause has not gone. */
export const OPEN = `state in (${WarningState.open}, ${WarningState.acknowledged})`

/** The rule for a device: its park's, or the enterprise's. Undefined where there is none, or it is off. */
export interface RuleFor {
  status: number
  threshold: number | null
  durationSec: number | null
}
export async function ruleFor(tx: Tx, sn: string, type: Type): Promise<RuleFor | undefined> {
  const [rule] = await run<RuleFor>(tx, RULE_FOR, [sn, type])
  return rule
}
const RULE_FOR = {
  sql: `select r.status, r.threshold, r.duration_sec from device.device d, device.rule_of(d.park_code, $2::smallint) r where d.device_no = $1::text and r.id is not null`,
}
/** From how much on: the rule's figure, or the platform's. */
export const thresholdFor = async (tx: Tx, sn: string, type: Type): Promise<number> =>
  (await ruleFor(tx, sn, type))?.threshold ?? THRESHOLDS[type]!.usual

/**
 * Raises a warning, or counts up the one that is open about the same thing; a rule that is off raises nothing. Told to open pages; announced only when it is new and
 * nobody was told of its like within the rule's silence: a warning dated before a clock was put back silences nobody.
 */
export async function raise(tx: Tx, sn: string, type: Type, subject = '', detail: object = {}): Promise<void> {
  const [row] = await run<Raised>(tx, RAISE, [sn, type, LEVEL[type], subject, JSON.stringify(detail)])
  if (!row) return
  await tell(tx, warningTopic, { ids: [row.id], ...(row.parkCode && { park: row.parkCode }) })
  if (row.count > 1 || !row.told) return
  const { id: warningId, parkCode, gateCode, level, count, notifyPeople: people, notifyRoles: roles } = row
  await announce(tx, warned, { warningId, sn, parkCode, gateCode, type, level, subject, count, people: people ?? [], roles: roles ?? [] })
}
interface Raised {
  id: string
  parkCode: string | null
  gateCode: string | null
  count: number
  level: number
  told: boolean
  notifyPeople: string[] | null
  notifyRoles: string[] | null
}
const RAISE = {
  sql: `with d as (select d.device_no, d.park_code, d.gate_code, r.level, r.silence_min, r.notify_people, r.notify_roles
      from device.device d left join lateral device.rule_of(d.park_code, $2::smallint) r on true where d.device_no = $1::text and r.status is distinct from ${RuleStatus.off}),
    made as (insert into device.warning (device_no, park_code, gate_code, type, level, subject, detail, told)
      select d.device_no, d.park_code, d.gate_code, $2::int, coalesce(d.level, $3::int), $4, $5::jsonb,
        not exists (select from device.warning w where w.enterprise_id = scope_enterprise() and w.device_no = d.device_no and w.type = $2::int and w.told
          and w.first_at > now() - make_interval(mins => coalesce(d.silence_min, 0)) and w.first_at <= now() + interval '1 minute') from d
      on conflict (enterprise_id, device_no, type, subject) where ${OPEN}
      do update set count = warning.count + 1, last_at = now(), detail = excluded.detail, version = warning.version + 1
      returning id, park_code, gate_code, count, level, told)
    select made.*, d.notify_people, d.notify_roles from made, d`,
}

/** The cause is gone: the open warning about it, if there is one, has recovered. */
export async function recover(tx: Tx, sn: string, type: Type, subject = ''): Promise<void> {
  const [row] = await run<{ id: string; parkCode: string | null }>(tx, RECOVER, [sn, type, subject])
  if (row) await tell(tx, warningTopic, { ids: [row.id], ...(row.parkCode && { park: row.parkCode }) })
}
const RECOVER = {
  sql: `with waiting as (delete from device.warning_pending where device_no = $1::text and type = $2::int)
    update device.warning set state = ${WarningState.recovered}, recovered_at = now(), version = version + 1
      where device_no = $1::text and type = $2::int and subject = $3 and ${OPEN} returning id, park_code`,
}

/** The same of one subject, whichever device warned of it: it may have been replaced since. */
export async function recoverOf(tx: Tx, type: Type, subject: string): Promise<void> {
  const rows = await run<{ sn: string }>(tx, OPEN_OF, [type, subject])
  for (const { sn } of rows) await recover(tx, sn, type, subject)
}
const OPEN_OF = {
  sql: `select device_no as sn from device.warning where enterprise_id = scope_enterprise() and type = $1::int and subject = $2 and ${OPEN}`,
}

/** A cause that the rule wants to last: raised when it has, by `raiseLasting`; at once where no rule asks for that. */
export async function raiseIfLasting(tx: Tx, sn: string, type: Type): Promise<void> {
  const seconds = (await ruleFor(tx, sn, type))?.durationSec ?? 0
  if (seconds === 0) return raise(tx, sn, type)
  await run(tx, { sql: 'insert into device.warning_pending (device_no, type, since) values ($1, $2::int, now()) on conflict do nothing' }, [sn, type])
}
/** Raises warnings that have lasted as long as their rule asks. */
export async function raiseLasting(tx: Tx): Promise<void> {
  const due = await run<{ sn: string; type: Type }>(tx, LASTED, [])
  for (const { sn, type } of due) await raise(tx, sn, type)
}
const LASTED = {
  sql: `delete from device.warning_pending p using device.device d
    where p.enterprise_id = scope_enterprise() and d.enterprise_id = p.enterprise_id and d.device_no = p.device_no
      and (p.since <= now() - make_interval(secs => coalesce((select r.duration_sec from device.rule_of(d.park_code, p.type) r), 0)) or p.since > now() + interval '1 minute')
    returning p.device_no as sn, p.type`,
}

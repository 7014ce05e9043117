import { createHash } from 'node:crypto'
import type { CodeOf, Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { ChargeStatus, StopReason } from '../contract/session.ts'
import './linkTables.ts'

/** A gun with a charge under way is charging, whatever it says of itself. */
export async function chargesNow(tx: Tx, connectorId: string): Promise<boolean> {
  const rows = await run(tx, { sql: CHARGES }, [connectorId])
  return rows.length > 0
}
const CHARGES = `select 1 from charging.charge where enterprise_id = scope_enterprise() and connector_id = $1 and claimed and status in (${ChargeStatus.charging}, ${ChargeStatus.stopping})`

interface Facts {
  connectorId: string
  statusRaw: string | null
  statusAt: Instant | null
  status: number | null
  soc: number | null
}
/** What is known of the gun of a transaction. */
const FACTS = `select c.connector_id, s.status_raw, s.status_at, s.status, coalesce(c.soc, s.soc) as soc from charging.charge c
  left join charging.connector_state s on s.enterprise_id = c.enterprise_id and s.connector_id = c.connector_id
  where c.enterprise_id = scope_enterprise() and c.equipment_id = $1 and c.transaction_id = $2`

/** The gun of a transaction. */
export async function gunOfTransaction(
  tx: Tx,
  equipmentId: string,
  transactionId: string,
): Promise<{ connectorId: string; statusRaw: string | null } | undefined> {
  const [gun] = await run<Facts>(tx, { sql: FACTS }, [equipmentId, transactionId])
  return gun
}

/** A car that has asked for nothing this long before the end was full. */
const SUSPENDED_MS = 60_000
const FULL_SOC = 99
const FULL: ReadonlySet<string> = new Set(['StoppedByEV', 'SOCLimitReached'])
const WORDS: Record<string, CodeOf<typeof StopReason>> = {
  Local: StopReason.user,
  Other: StopReason.user,
  Remote: StopReason.operator,
  UnlockCommand: StopReason.operator,
  MasterPass: StopReason.operator,
  LocalOutOfCredit: StopReason.outOfMoney,
  GroundFault: StopReason.fault,
  OvercurrentFault: StopReason.fault,
  PowerQuality: StopReason.fault,
  EVDisconnected: StopReason.unplugged,
  PowerLoss: StopReason.powerCut,
  EmergencyStop: StopReason.emergency,
  DeAuthorized: StopReason.revoked,
  Timeout: StopReason.silence,
  HardReset: StopReason.reboot,
  SoftReset: StopReason.reboot,
  Reboot: StopReason.reboot,
  ImmediateReset: StopReason.reboot,
  EnergyLimitReached: StopReason.limit,
  TimeLimitReached: StopReason.limit,
}
/** Why a charge ended, from the pile's word and from what the gun said before it. */
export async function stopReasonOf(
  tx: Tx,
  { equipmentId, transactionId, word, soc, at }: { equipmentId: string; transactionId: string; word: string; soc: number | null; at: Instant },
): Promise<CodeOf<typeof StopReason>> {
  if (FULL.has(word)) return StopReason.full
  if (word !== 'Local' && word !== 'Other') return WORDS[word] ?? StopReason.user
  const [gun] = await run<Facts>(tx, { sql: FACTS }, [equipmentId, transactionId])
  if (word === 'Other' && gun?.status === ConnectorStatus.faulty) return StopReason.fault
  const waited = gun?.statusRaw === 'SuspendedEV' && gun.statusAt !== null && Date.parse(at) - Date.parse(gun.statusAt) >= SUSPENDED_MS
  return waited || (soc ?? gun?.soc ?? 0) >= FULL_SOC ? StopReason.full : StopReason.user
}

/** A pile that tells what went through since the last time: its register is what was known plus that. What was counted already adds nothing. */
export async function registerAt(tx: Tx, connectorId: string): Promise<{ wh: number; at: Instant | null; ratedW: number }> {
  const [row] = await run<{ wh: number | null; at: Instant | null; ratedW: number }>(tx, { sql: REGISTER }, [connectorId])
  return { wh: row?.wh ?? 0, at: row?.at ?? null, ratedW: row?.ratedW ?? 0 }
}
const REGISTER = `select s.meter_wh as wh, s.meter_at as at, g.power * 1000 as rated_w from charging.connector g
  left join charging.connector_state s on s.enterprise_id = g.enterprise_id and s.connector_id = g.connector_id where g.enterprise_id = scope_enterprise() and g.connector_id = $1`

export interface TransactionMessage {
  equipmentId: string
  transactionId: string
  seqNo: number
  /** Where it is told: a pile may say it once. */
  connectorId: string | null
  content: unknown
  receivedAt: Instant
}
/**
 * Claims the number of a message of a transaction. The same message again gets the answer that it got; another content under the number is kept and flagged, and counts for nothing.
 * @returns the earlier answer, or what is missing before this number
 */
export async function claimSequence(
  tx: Tx,
  { equipmentId, transactionId, seqNo, connectorId, content, receivedAt }: TransactionMessage,
): Promise<{ repeated: true; reply: unknown } | { repeated: false }> {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('base64url')
  const [made] = await run(tx, { sql: CLAIM }, [equipmentId, transactionId, seqNo, digest, receivedAt, connectorId])
  if (made) return { repeated: false }
  const [known] = await run<{ reply: unknown }>(tx, { sql: AGAIN }, [equipmentId, transactionId, seqNo, digest])
  return { repeated: true, reply: known?.reply ?? {} }
}
const CLAIM = `insert into charging.transaction_event (equipment_id, park_code, transaction_id, seq_no, digest, received_at, connector_id)
  select equipment_id, park_code, $2, $3, $4, $5, $6 from charging.equipment where enterprise_id = scope_enterprise() and equipment_id = $1 on conflict do nothing returning seq_no`
const AGAIN = `update charging.transaction_event set times = times + 1, flagged = flagged or digest <> $4 where enterprise_id = scope_enterprise() and equipment_id = $1 and transaction_id = $2 and seq_no = $3 returning reply`
export const keepReply = ({
  tx,
  equipmentId,
  transactionId,
  seqNo,
  reply,
}: {
  tx: Tx
  equipmentId: string
  transactionId: string
  seqNo: number
  reply: unknown
}) =>
  run(
    tx,
    {
      sql: 'update charging.transaction_event set reply = $4::jsonb where enterprise_id = scope_enterprise() and equipment_id = $1 and transaction_id = $2 and seq_no = $3',
    },
    [equipmentId, transactionId, seqNo, JSON.stringify(reply)],
  )
/** The gun that a transaction was said to be at, whether somebody charges there yet or not. */
export async function gunTold(tx: Tx, equipmentId: string, transactionId: string): Promise<string | undefined> {
  const [told] = await run<{ connectorId: string }>(tx, { sql: TOLD_AT }, [equipmentId, transactionId])
  return told?.connectorId
}
const TOLD_AT =
  'select connector_id from charging.transaction_event where enterprise_id = scope_enterprise() and equipment_id = $1 and transaction_id = $2 and connector_id is not null order by seq_no limit 1'
/** Whether numbers from the first to this one are missing. */
export async function hasGap(tx: Tx, equipmentId: string, transactionId: string, seqNo: number): Promise<boolean> {
  const [row] = await run<{ n: number }>(
    tx,
    {
      sql: 'select count(*)::integer as n from charging.transaction_event where enterprise_id = scope_enterprise() and equipment_id = $1 and transaction_id = $2 and seq_no <= $3',
    },
    [equipmentId, transactionId, seqNo],
  )
  return row!.n < seqNo + 1
}

export interface SettingTold {
  key: string
  value: string | null
  readonly: boolean
}
export const keepSettings = (tx: Tx, equipmentId: string, settings: readonly SettingTold[], at: Instant) =>
  run(tx, { sql: SETTINGS }, [
    equipmentId,
    settings.map(({ key }) => key.slice(0, 120)),
    settings.map(({ key, value }) => (isSecret(key) ? '***' : (value?.slice(0, 2500) ?? null))),
    settings.map(({ readonly }) => readonly),
    at,
  ])
const SETTINGS = `insert into charging.pile_setting (equipment_id, park_code, key, value, readonly, read_at)
  select distinct on (t.key) e.equipment_id, e.park_code, t.key, t.value, t.readonly, $5 from charging.equipment e, unnest($2::text[], $3::text[], $4::boolean[]) as t (key, value, readonly)
  where e.enterprise_id = scope_enterprise() and e.equipment_id = $1
  on conflict (enterprise_id, equipment_id, key) do update set value = excluded.value, readonly = excluded.readonly, read_at = excluded.read_at`
const isSecret = (key: string) => /AuthorizationKey|BasicAuthPassword/i.test(key)

/** A reservation is over: used, expired at the pile, or taken back. */
export const reservationOver = (tx: Tx, equipmentId: string, reservationNo: number, at: Instant) =>
  run(
    tx,
    {
      sql: 'update charging.reservation set ended_at = $3 where enterprise_id = scope_enterprise() and equipment_id = $1 and reservation_no = $2 and ended_at is null',
    },
    [equipmentId, reservationNo, at],
  )
/** Whoever a gun was kept for has begun there; not every pile says that it was for this. */
export const reservationUsed = (tx: Tx, connectorId: string, cardNo: string, at: Instant) =>
  run(
    tx,
    {
      sql: 'update charging.reservation set ended_at = $3 where enterprise_id = scope_enterprise() and connector_id = $1 and card_no = $2 and ended_at is null and created_at <= $3',
    },
    [connectorId, cardNo, at],
  )

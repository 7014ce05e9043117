import type { CodeOf, Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { ChargeStatus, StopReason } from '../contract/session.ts'

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

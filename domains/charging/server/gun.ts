import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { plugSaid } from './hear.ts'
import { loadForgotten, loadMoved } from './loadShare.ts'
import { type ConnectorSaid, connectorChanged, gunTopic, type PileSaid } from './said.ts'
import './tables.ts'

/**
 * A gun says its state; what does not charge draws nothing. The same state again is no change; a message older than what is known is kept in the history and changes nothing.
 * @returns whether it is a change
 */
export async function connectorSaid(tx: Tx, { connectorId, status, raw, errorCode = null, at, receivedAt }: ConnectorSaid): Promise<boolean> {
  const [before] = await run<{ status: number | null; raw: string | null; errorCode: string | null; statusAt: string | null; parkCode: string }>(
    tx,
    BEFORE,
    [connectorId],
  )
  if (!before) return false
  const same = before.statusAt !== null && before.status === status && before.raw === raw && before.errorCode === errorCode
  if (same) return false
  await run(tx, HISTORY, [connectorId, before.parkCode, status, raw, errorCode, at, receivedAt])
  const newer = await run(tx, NEWEST, [connectorId, before.parkCode, status, raw, errorCode, at])
  if (newer.length === 0) return false
  await plugSaid(tx, connectorId, status, raw, at)
  await announce(tx, connectorChanged, { connectorId, parkCode: before.parkCode, status, raw, errorCode, at })
  await tell(tx, gunTopic, { park: before.parkCode, ids: [connectorId] })
  return true
}
const BEFORE = {
  sql: `select s.status, s.status_raw as raw, s.error_code, s.status_at, c.park_code from charging.connector c
    left join charging.connector_state s on s.enterprise_id = c.enterprise_id and s.connector_id = c.connector_id
    where c.enterprise_id = scope_enterprise() and c.connector_id = $1 for update of c`,
}
const HISTORY = {
  sql: 'insert into charging.status_change (connector_id, park_code, status, raw, error_code, at, received_at) values ($1, $2, $3, $4, $5, $6, $7)',
}
const NEWEST = {
  sql: `insert into charging.connector_state as s (connector_id, park_code, status, status_raw, error_code, status_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (enterprise_id, connector_id) do update set status = $3, status_raw = $4, error_code = $5, status_at = $6,
      power_w = case when $3 = ${ConnectorStatus.charging} then s.power_w end where s.status_at is null or s.status_at <= $6 returning connector_id`,
}

/** A pile's link came up or went down, or the pile told what it is. */
export async function pileSaid(tx: Tx, { equipmentId, at, ...said }: PileSaid): Promise<void> {
  const { online = null, bootAt = null, vendor = null, model = null, serialNo = null, firmware = null, skewSec = null } = said
  const [pile] = await run<{ parkCode: string }>(tx, PILE, [equipmentId, online, at, bootAt, vendor, model, serialNo, firmware, skewSec])
  if (!pile) return
  if (bootAt !== null) await loadForgotten(tx, equipmentId)
  else if (online !== null) await loadMoved(tx, { equipmentId })
  await tell(tx, gunTopic, { park: pile.parkCode, ids: [equipmentId] })
}
const PILE = {
  sql: `insert into charging.pile_state as p (equipment_id, park_code, online, last_seen_at, connected_at, boot_at, vendor, model, serial_no, firmware, skew_sec)
    select equipment_id, park_code, coalesce($2::boolean, false), $3::timestamptz, case when $2 then $3::timestamptz end, $4::timestamptz, $5, $6, $7, $8, $9
    from charging.equipment where enterprise_id = scope_enterprise() and equipment_id = $1
    on conflict (enterprise_id, equipment_id) do update set online = coalesce($2, p.online), last_seen_at = case when $2 is not distinct from false then p.last_seen_at else greatest(p.last_seen_at, $3) end,
      connected_at = case when $2 and not p.online then $3 else p.connected_at end, boot_at = coalesce($4, p.boot_at), vendor = coalesce($5, p.vendor), model = coalesce($6, p.model),
      serial_no = coalesce($7, p.serial_no), firmware = coalesce($8, p.firmware), skew_sec = coalesce($9, p.skew_sec) returning park_code`,
}

/** The gun that a pile calls by its numbers; 1.6 has no EVSE, and a pile with one gun needs none. */
export async function connectorAt(
  tx: Tx,
  equipmentId: string,
  { no, evseId = null }: { no: number; evseId?: number | null },
): Promise<string | undefined> {
  const [found] = await run<{ connectorId: string }>(
    tx,
    {
      sql: `select connector_id from charging.connector where enterprise_id = scope_enterprise() and equipment_id = $1 and ocpp_connector_no = $2
        and ($3::integer is null or evse_id is null or evse_id = $3) order by evse_id nulls last limit 1`,
    },
    [equipmentId, no, evseId],
  )
  return found?.connectorId
}

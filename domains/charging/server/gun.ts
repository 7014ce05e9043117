import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { holdPlugged, plugSaid } from './hear.ts'
import { loadsForgotten, loadsMoved } from './loadShare.ts'
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
  // A clock that is ahead would show what has yet to happen, and hide what comes next.
  const since = msOf(at) > msOf(receivedAt) ? receivedAt : at
  await holdPlugged(tx, connectorId, status, since)
  const newer = await run(tx, NEWEST, [connectorId, before.parkCode, status, raw, errorCode, since])
  if (newer.length === 0) return false
  await plugSaid(tx, connectorId, { status, raw, at: since, receivedAt })
  await announce(tx, connectorChanged, { connectorId, parkCode: before.parkCode, status, raw, errorCode, at: since })
  await tell(tx, gunTopic, { park: before.parkCode, ids: [connectorId] })
  return true
}
const BEFORE = {
  sql: `select s.status, s.status_raw as raw, s.error_code, s.status_at, c.park_code from charging.connector c
    left join charging.connector_state s on s.enterprise_id = c.enterprise_id and s.connector_id = c.connector_id
    where c.enterprise_id = scope_enterprise() and c.connector_id = $1 for no key update of c`,
}
const HISTORY = {
  sql: 'insert into charging.status_change (connector_id, park_code, status, raw, error_code, at, received_at) values ($1, $2, $3, $4, $5, $6, $7)',
}
const NEWEST = {
  sql: `insert into charging.connector_state as s (connector_id, park_code, status, status_raw, error_code, status_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (enterprise_id, connector_id) do update set status = $3, status_raw = $4, error_code = $5, status_at = $6,
      power_w = case when $3 = ${ConnectorStatus.charging} then s.power_w end, soc = case when $3 = ${ConnectorStatus.charging} then s.soc end where s.status_at is null or s.status_at <= $6 returning connector_id`,
}

/** A pile's link came up or went down, or the pile told what it is. */
export const pileSaid = (tx: Tx, said: PileSaid): Promise<void> => pilesSaid(tx, [said])

/** The same of many piles in one transaction; the last word of a pile counts. */
export async function pilesSaid(tx: Tx, all: readonly PileSaid[]): Promise<void> {
  const said = [...new Map(all.map((one) => [one.equipmentId, one])).values()].sort((a, b) => (a.equipmentId < b.equipmentId ? -1 : 1))
  const known = await told(tx, said)
  const first = said.filter(({ equipmentId }) => !known.some((one) => one.equipmentId === equipmentId))
  const piles = first.length === 0 ? known : [...known, ...(await toldFirst(tx, first))]
  const ids = new Set(piles.map(({ equipmentId }) => equipmentId))
  const these = (which: (one: PileSaid) => boolean) =>
    said.filter((one) => ids.has(one.equipmentId) && which(one)).map(({ equipmentId }) => equipmentId)
  await loadsForgotten(
    tx,
    these(({ bootAt }) => bootAt !== undefined),
  )
  await loadsMoved(
    tx,
    these(({ bootAt, online }) => bootAt === undefined && online !== undefined),
  )
  for (const [park, its] of Map.groupBy(piles, ({ parkCode }) => parkCode))
    await tell(tx, gunTopic, { park, ids: its.map(({ equipmentId }) => equipmentId) })
}
interface Known {
  equipmentId: string
  parkCode: string
}
const TOLD = ['equipmentId', 'online', 'at', 'bootAt', 'vendor', 'model', 'serialNo', 'firmware', 'skewSec'] as const
const told = (tx: Tx, said: readonly PileSaid[]) =>
  run<Known>(
    tx,
    PILES,
    TOLD.map((name) => said.map((one) => one[name] ?? null)),
  )
/** What was never heard of gets its row first. */
async function toldFirst(tx: Tx, said: readonly PileSaid[]): Promise<Known[]> {
  await run(tx, NEW_PILES, [said.map(({ equipmentId }) => equipmentId)])
  return told(tx, said)
}
const NEW_PILES = {
  sql: 'insert into charging.pile_state (equipment_id, park_code, online) select equipment_id, park_code, false from charging.equipment where enterprise_id = scope_enterprise() and equipment_id = any($1) on conflict do nothing',
}
// Held by their numbers first, as whoever hears of many piles holds them.
const PILES = {
  sql: `with held as materialized (select enterprise_id, equipment_id from charging.pile_state where enterprise_id = scope_enterprise() and equipment_id = any($1::text[]) order by equipment_id for no key update)
    update charging.pile_state p set online = coalesce(t.online, p.online), last_seen_at = case when t.online is not distinct from false then p.last_seen_at else greatest(p.last_seen_at, t.at) end,
      connected_at = case when t.online and not p.online then t.at else p.connected_at end, boot_at = coalesce(t.boot_at, p.boot_at), vendor = coalesce(t.vendor, p.vendor), model = coalesce(t.model, p.model),
      serial_no = coalesce(t.serial_no, p.serial_no), firmware = coalesce(t.firmware, p.firmware), skew_sec = coalesce(t.skew_sec, p.skew_sec)
    from held h, unnest($1::text[], $2::boolean[], $3::timestamptz[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[], $9::integer[]) as t (equipment_id, online, at, boot_at, vendor, model, serial_no, firmware, skew_sec)
    where p.enterprise_id = h.enterprise_id and p.equipment_id = h.equipment_id and t.equipment_id = h.equipment_id returning p.equipment_id, p.park_code`,
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

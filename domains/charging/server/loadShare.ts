import type { CodeOf, Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob, task } from '../../../platform/server/job/jobs.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { CommandState } from '../../device/contract/command.ts'
import { type Load, LoadEvent, type LoadWhy } from '../contract/load.ts'
import { PileFailure, PileMethod } from '../contract/pileCommand.ts'
import { asksNow, heldSum, shareOut, type Share } from './loadRule.ts'
import { ampsOf, gunNow, LATE_MS, type Stand, standsOf } from './loadStand.ts'
import { command } from './pileCommand.ts'
import { gunTopic } from './said.ts'
import './linkTables.ts'
import './tables.ts'
import { Said } from '../contract/said.ts'

const BY = Said.load
export const LOAD_COLUMNS = 'id, version, created_at, updated_at, station_id, park_code, limit_w, mode, fallback_w, zero_models'
type LoadRow = Of<typeof Load>

/** Something changed that a station's shares follow from: they are made anew after the commit. `where` names the station by itself, by a pile or by a gun of it. */
export async function loadMoved(tx: Tx, where: { stationId?: string; equipmentId?: string; connectorId?: string }): Promise<void> {
  const { stationId = null, equipmentId = null, connectorId = null } = where
  const [found] = await run<{ stationId: string }>(tx, { sql: MANAGED }, [stationId, equipmentId, connectorId])
  if (found) await wanted(tx, found.stationId)
}
const MANAGED = `select l.station_id from charging.load l where l.enterprise_id = scope_enterprise() and l.station_id = coalesce($1,
  (select e.station_id from charging.equipment e where e.enterprise_id = scope_enterprise() and e.equipment_id = $2), (select c.station_id from charging.connector c where c.enterprise_id = scope_enterprise() and c.connector_id = $3))`
export const reshareTask = task<{ stationId: string }>('charging.load', ({ tx, data, at }) => reshare(tx, data.stationId, at))
/** What no message came for: piles that refused a while ago, a job that was lost. */
export const reshareAll = task(
  'charging.load-round',
  async ({ tx }) => {
    const all = await run<{ stationId: string }>(
      tx,
      { sql: 'select station_id from charging.load where enterprise_id = scope_enterprise() order by station_id' },
      [],
    )
    for (const { stationId } of all) await loadMoved(tx, { stationId })
  },
  { every: '* * * * *' },
)
const KEPT_DAYS = 90
export const forgetLoads = task(
  'charging.forget-loads',
  async ({ tx }) => {
    await run(
      tx,
      { sql: `delete from charging.load_change where enterprise_id = scope_enterprise() and at < now() - make_interval(days => ${KEPT_DAYS})` },
      [],
    )
  },
  { every: '41 19 * * *' },
)

/** Shares a station's limit out anew and asks for what is asked now. One at a time for a station: two would both give away what is free. */
export async function reshare(tx: Tx, stationId: string, at: Instant): Promise<void> {
  const [load] = await run<LoadRow>(
    tx,
    { sql: `select ${LOAD_COLUMNS} from charging.load where enterprise_id = scope_enterprise() and station_id = $1 for update` },
    [stationId],
  )
  if (!load) return
  const stands = await over(tx, await standsOf(tx, stationId), load, at)
  if (load.limitW === null) return liftAll(tx, load, stands, at)
  const guns = stands.map((stand) => gunNow(stand, load, at))
  const shares = shareOut(load.limitW, load.mode, guns)
  const asks = new Map(asksNow(load.limitW, guns, shares).map((ask) => [ask.connectorId, ask.toW]))
  for (const [place, stand] of stands.entries()) {
    const gun = guns[place]!
    const share = shares.get(stand.connectorId)!
    const toW = asks.get(stand.connectorId)
    if (share.wantW !== stand.wantW || share.why !== stand.why)
      await run(tx, { sql: WANTED }, [stand.connectorId, stand.parkCode, share.wantW, share.why])
    if (toW !== undefined) await ask(tx, { load, stand, share, fromW: gun.ackedW, toW, forCharge: stand.orderNo !== null, stands, at })
    else if (gun.pinned === null && !gun.asking && stand.orderNo !== null && stand.shareW !== null && stand.defaultW !== gun.floorW)
      // What the next car begins with never is more than what this one has: it takes nothing off the limit.
      await ask(tx, { load, stand, share, fromW: stand.defaultW, toW: gun.floorW, forCharge: false, stands, at })
  }
  if (asks.size > 0) await addJob(tx, reshareTask, { stationId }, { key: `charging.load-late:${stationId}`, runAt: instantAt(msOf(at) + LATE_MS) })
  if (stands.length > 0) await tell(tx, gunTopic, { park: load.parkCode, ids: stands.map(({ connectorId }) => connectorId) })
}
const WANTED = `insert into charging.load_share as s (connector_id, park_code, want_w, why) values ($1, $2, $3, $4)
  on conflict (enterprise_id, connector_id) do update set want_w = $3, why = $4`

/** Shares end with the charge that they were for. */
async function over(tx: Tx, stands: Stand[], load: LoadRow, at: Instant): Promise<Stand[]> {
  const now = stands.map((stand) =>
    stand.shareOrder !== null && stand.shareOrder !== stand.orderNo && stand.online ? { ...stand, shareOrder: null, shareW: null } : stand,
  )
  for (const [place, stand] of stands.entries()) {
    if (now[place] === stand) continue
    await run(
      tx,
      { sql: 'update charging.load_share set order_no = null, share_w = null where enterprise_id = scope_enterprise() and connector_id = $1' },
      [stand.connectorId],
    )
    if (stand.shareW !== null)
      await changed(tx, load, now, at, {
        stand: { ...stand, orderNo: stand.shareOrder },
        event: LoadEvent.over,
        fromW: stand.shareW,
        toW: stand.defaultW ?? stand.ratedW,
        why: null,
      })
  }
  return now
}

interface Asked {
  load: LoadRow
  stand: Stand
  share: Share
  fromW: number | null
  toW: number
  forCharge: boolean
  stands: readonly Stand[]
  at: Instant
}
async function ask(tx: Tx, { load, stand, share, fromW, toW, forCharge, stands, at }: Asked): Promise<void> {
  const { connectorId, equipmentId, orderNo, transactionId } = stand
  const amps = ampsOf(stand, toW)
  const params = { load: true, limitW: toW, ...(amps !== null && { amps }), ...(forCharge && { transaction: transactionId }) }
  const { id } = await command(tx, {
    equipmentId,
    connectorId,
    orderNo: forCharge ? orderNo : null,
    method: PileMethod.setProfile,
    params,
    byName: BY,
    quiet: true,
  })
  await run(tx, { sql: ASKED }, [connectorId, toW, id, !forCharge, forCharge ? orderNo : null, at])
  const after = stands.map((one) => (one.connectorId === connectorId ? { ...one, askedW: toW } : one))
  await changed(tx, load, after, at, { stand, event: LoadEvent.asked, fromW, toW, why: share.why })
}
// What was asked before and never answered stays in doubt until something is agreed to.
const ASKED = `update charging.load_share set asked_w = $2, asked_at = $6, command_id = $3, asks_default = $4, order_no = case when $4 then order_no else $5 end, share_w = case when $4 or order_no is not distinct from $5 then share_w end,
  again = false, refused_at = null where enterprise_id = scope_enterprise() and connector_id = $1`

async function liftAll(tx: Tx, load: LoadRow, stands: readonly Stand[], at: Instant): Promise<void> {
  for (const stand of stands) {
    const { connectorId, equipmentId, defaultW, shareW, askedW, online, ratedW } = stand
    if (askedW !== null || !online || (defaultW === null && shareW === null && stand.unsureW === null)) continue
    const { id } = await command(tx, { equipmentId, connectorId, method: PileMethod.clearProfile, params: { load: true }, byName: BY, quiet: true })
    await run(tx, { sql: ASKED }, [connectorId, ratedW, id, true, null, at])
    await changed(tx, load, stands, at, { stand, event: LoadEvent.asked, fromW: shareW ?? defaultW, toW: ratedW, why: null })
  }
}

interface Change {
  stand: Pick<Stand, 'connectorId' | 'orderNo'> | null
  event: CodeOf<typeof LoadEvent>
  fromW: number | null
  toW: number | null
  why: CodeOf<typeof LoadWhy> | null
  byName?: string
}
export async function changed(
  tx: Tx,
  load: LoadRow,
  stands: readonly Stand[],
  at: Instant,
  { stand, event, fromW, toW, why, byName = BY }: Change,
): Promise<void> {
  const heldW = heldSum(stands.map((one) => gunNow(one, load, at)))
  await run(tx, { sql: CHANGED }, [
    at,
    load.stationId,
    load.parkCode,
    stand?.connectorId ?? null,
    stand?.orderNo ?? null,
    event,
    fromW,
    toW,
    why,
    heldW,
    load.limitW,
    byName,
  ])
}
const CHANGED =
  'insert into charging.load_change (at, station_id, park_code, connector_id, order_no, event, from_w, to_w, why, held_w, limit_w, by_name) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)'

/** What became of a command that may have been one of ours. Agreed to is what counts; refused changes nothing; without an answer both may be so. */
export async function profileOver(
  tx: Tx,
  { commandId, state, failure, method, at }: { commandId: string; state: number; failure: number | null; method: number; at: Instant },
): Promise<void> {
  const neverSent = state === CommandState.expired && failure === PileFailure.offline
  const refused = state === CommandState.failed && (failure === PileFailure.rejected || failure === PileFailure.unsupported)
  const done = state === CommandState.done
  const lifted = done && method === PileMethod.clearProfile
  const sql = lifted ? LIFTED : done ? AGREED : neverSent ? NEVER_SENT : refused ? REFUSED : IN_DOUBT
  await run(tx, { sql: HOLD_LOAD }, [commandId])
  const [before] = await run<Before>(tx, { sql: OF_COMMAND }, [commandId])
  if (!before) return
  // A pile that says an error is left alone for a while, as one that refuses.
  const wrong = failure === PileFailure.error ? at : null
  await run(tx, { sql }, neverSent || lifted ? [before.connectorId] : sql === IN_DOUBT ? [before.connectorId, at, wrong] : [before.connectorId, at])
  const [load] = await run<LoadRow>(tx, { sql: LOAD_OF_GUN }, [before.connectorId])
  if (!load) return
  const event = done ? (lifted ? LoadEvent.lifted : LoadEvent.agreed) : refused ? LoadEvent.refused : LoadEvent.unanswered
  await changed(tx, load, await standsOf(tx, load.stationId), at, {
    stand: before,
    event,
    fromW: before.shareW ?? before.defaultW,
    toW: before.askedW,
    why: null,
  })
  await loadMoved(tx, { stationId: load.stationId })
}
interface Before {
  connectorId: string
  orderNo: string | null
  askedW: number
  shareW: number | null
  defaultW: number | null
}
/** Shares are changed one station at a time, as they are made: many answers at once and a new share-out do not wait for each other in a ring. */
const HOLD_LOAD = `select 1 from charging.load where enterprise_id = scope_enterprise() and station_id = (select c.station_id from charging.load_share s
  join charging.connector c on c.enterprise_id = s.enterprise_id and c.connector_id = s.connector_id where s.enterprise_id = scope_enterprise() and s.command_id = $1) for update`
const OF_COMMAND =
  'select connector_id, order_no, asked_w, share_w, default_w from charging.load_share where enterprise_id = scope_enterprise() and command_id = $1 for update'
const LOAD_OF_GUN = `select ${LOAD_COLUMNS.split(', ')
  .map((one) => `l.${one}`)
  .join(', ')} from charging.load l join charging.connector c on c.enterprise_id = l.enterprise_id and c.station_id = l.station_id
  where l.enterprise_id = scope_enterprise() and c.connector_id = $1`
const GUN = 'where enterprise_id = scope_enterprise() and connector_id = $1'
const AGREED = `update charging.load_share set default_w = case when asks_default then asked_w else default_w end, share_w = case when not asks_default and order_no is not null then asked_w else share_w end,
  asked_w = null, asked_at = null, unsure_w = null, command_id = null, refused_at = null, agreed_at = $2 ${GUN}`
const LIFTED = `update charging.load_share set default_w = null, share_w = null, order_no = null, asked_w = null, asked_at = null, unsure_w = null, command_id = null, refused_at = null, ignored_at = null ${GUN}`
const REFUSED = `update charging.load_share set asked_w = null, asked_at = null, command_id = null, refused_at = case when asks_default then $2::timestamptz else $2::timestamptz - interval '570 seconds' end ${GUN}`
// A charge's own limit may have come before the pile knew of the charge: it is tried again soon.
const NEVER_SENT = `update charging.load_share set asked_w = null, asked_at = null, command_id = null ${GUN}`
const IN_DOUBT = `update charging.load_share set unsure_w = greatest(unsure_w, asked_w), asked_w = null, asked_at = null, command_id = null, refused_at = $3, agreed_at = $2 ${GUN}`

/** A pile that has started again may have forgotten what it agreed to: it is told once more, and believed once more. */
export async function loadsForgotten(tx: Tx, equipmentIds: readonly string[]): Promise<void> {
  if (equipmentIds.length === 0) return
  await run(tx, { sql: HOLD_LOADS }, [equipmentIds])
  await run(tx, { sql: AGAIN }, [equipmentIds])
  await loadsMoved(tx, equipmentIds)
}
const HOLD_LOADS = `select 1 from charging.load where enterprise_id = scope_enterprise() and station_id in (select station_id from charging.equipment where enterprise_id = scope_enterprise() and equipment_id = any($1))
  order by station_id for update`
const AGAIN = `update charging.load_share s set again = true, ignored_at = null, refused_at = null from charging.connector c
  where s.enterprise_id = scope_enterprise() and c.enterprise_id = s.enterprise_id and c.connector_id = s.connector_id and c.equipment_id = any($1)`
/** Something changed at these piles: the shares of their stations are made anew. */
export async function loadsMoved(tx: Tx, equipmentIds: readonly string[]): Promise<void> {
  if (equipmentIds.length === 0) return
  for (const { stationId } of await run<{ stationId: string }>(tx, { sql: STATIONS }, [equipmentIds])) await wanted(tx, stationId)
}
const STATIONS = `select distinct l.station_id from charging.load l join charging.equipment e on e.enterprise_id = l.enterprise_id and e.station_id = l.station_id
  where l.enterprise_id = scope_enterprise() and e.equipment_id = any($1) order by 1`
const wanted = (tx: Tx, stationId: string) => addJob(tx, reshareTask, { stationId }, { key: `charging.load:${stationId}` })

/** A minute after it agreed a gun draws no more than its share, a little apart: one that does counts with its plate from now on. */
export async function sharesKept(tx: Tx, drawn: readonly { connectorId: string; powerW: number; at: Instant }[]): Promise<void> {
  const stationIds = new Set<string>()
  for (const { connectorId, powerW, at } of drawn) {
    const [broken] = await run<Before>(tx, { sql: IGNORED }, [connectorId, powerW, at])
    const [load] = broken ? await run<LoadRow>(tx, { sql: LOAD_OF_GUN }, [connectorId]) : []
    if (!broken || !load) continue
    await changed(tx, load, await standsOf(tx, load.stationId), at, {
      stand: broken,
      event: LoadEvent.ignored,
      fromW: broken.shareW ?? broken.defaultW,
      toW: powerW,
      why: null,
    })
    stationIds.add(load.stationId)
  }
  // All shares first, and then what follows from them: an answer holds a share before it asks for a new share-out, too.
  for (const stationId of stationIds) await loadMoved(tx, { stationId })
}
const IGNORED = `update charging.load_share set ignored_at = $3 ${GUN} and ignored_at is null and share_w is not null and asked_w is null and unsure_w is null and agreed_at < $3::timestamptz - interval '60 seconds'
  and $2::integer > share_w * 1.05 + 500 returning connector_id, order_no, 0 as asked_w, share_w, default_w`

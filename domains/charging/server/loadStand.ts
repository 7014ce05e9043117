import type { CodeOf, Instant, Of } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { ConnectorStatus, ConnectorType } from '../contract/connector.ts'
import { AdminStatus, PileProtocol } from '../contract/pile.ts'
import { type Load, LoadWhy } from '../contract/load.ts'
import { ChargeStatus } from '../contract/session.ts'
import type { GunNow } from './loadRule.ts'
import './linkTables.ts'
import './tables.ts'

/** A gun of a station with all that its share follows from. */
export interface Stand {
  connectorId: string
  connectorName: string | null
  equipmentId: string
  parkCode: string
  connectorType: CodeOf<typeof ConnectorType>
  ratedW: number
  pileW: number
  loadPriority: number
  linked: boolean
  online: boolean
  model: string | null
  powerW: number | null
  orderNo: string | null
  plateNo: string | null
  since: Instant | null
  transactionId: string | null
  shareOrder: string | null
  defaultW: number | null
  shareW: number | null
  askedW: number | null
  unsureW: number | null
  askedAt: Instant | null
  again: boolean
  refusedAt: Instant | null
  ignoredAt: Instant | null
  wantW: number | null
  why: CodeOf<typeof LoadWhy> | null
}
/** Of piles that are in use or may be again; one that waits to be taken in use, or is scrapped, has no power. */
export const HAS_POWER = `e.admin_status not in (${AdminStatus.waiting}, ${AdminStatus.scrapped})`
const STANDS = `select g.connector_id, g.connector_name, g.equipment_id, g.park_code, g.connector_type, (g.power * 1000)::integer as rated_w, (greatest(e.power, max(g.power) over (partition by g.equipment_id)) * 1000)::integer as pile_w, e.load_priority, coalesce(p.online, false) as online,
    e.charge_point_id is not null and e.protocol <> ${PileProtocol.platform} as linked, coalesce(p.model, e.equipment_model) as model, case when c.status = ${ConnectorStatus.charging} then c.power_w end as power_w, o.order_no, o.plate_no, o.start_time as since, o.transaction_id,
    s.order_no as share_order, s.default_w, s.share_w, s.asked_w, s.unsure_w, s.asked_at, coalesce(s.again, false) as again, s.refused_at, s.ignored_at, s.want_w, s.why
  from charging.connector g join charging.equipment e on e.enterprise_id = g.enterprise_id and e.equipment_id = g.equipment_id
    left join charging.pile_state p on p.enterprise_id = g.enterprise_id and p.equipment_id = g.equipment_id
    left join charging.connector_state c on c.enterprise_id = g.enterprise_id and c.connector_id = g.connector_id
    left join charging.load_share s on s.enterprise_id = g.enterprise_id and s.connector_id = g.connector_id
    left join charging.charge o on o.enterprise_id = g.enterprise_id and o.connector_id = g.connector_id and o.claimed and o.status in (${ChargeStatus.charging}, ${ChargeStatus.stopping}) and o.transaction_id is not null
  where g.enterprise_id = scope_enterprise() and g.station_id = $1 and ${HAS_POWER} order by g.connector_id`
export const standsOf = (tx: Tx, stationId: string) => run<Stand>(tx, { sql: STANDS }, [stationId])

/** Six amperes a phase, as the plug of an alternating current needs; beyond a single phase's 7 kW there are three. */
const LEAST_AC_W = 1_380
const ONE_PHASE_W = 7_700
const LEAST_DC_W = 5_000
const VOLTS = 230
export const phasesOf = ({ connectorType, ratedW }: Pick<Stand, 'connectorType' | 'ratedW'>) =>
  connectorType === ConnectorType.dcPlug ? 0 : ratedW > ONE_PHASE_W ? 3 : 1
/** Less, and a car does not charge; some never begin again. */
export const leastOf = (gun: Pick<Stand, 'connectorType' | 'ratedW'>) =>
  Math.min(gun.ratedW, gun.connectorType === ConnectorType.dcPlug ? LEAST_DC_W : LEAST_AC_W * phasesOf(gun))
/** The same limit in tenths of an ampere a phase, rounded down, for piles that take no watts. */
export const ampsOf = (gun: Stand, limitW: number) => {
  const phases = phasesOf(gun)
  return phases === 0 ? null : Math.floor((limitW * 10) / (VOLTS * phases)) / 10
}

/** Who has not answered by then is waited for no longer: within five seconds of a change the limit is kept without it. */
export const LATE_MS = 1_500
/** A pile that refused is asked again after so long. */
const REFUSED_MS = 10 * 60_000
/** What counts of a gun, as `loadRule` shares it out. */
export function gunNow(stand: Stand, { fallbackW, zeroModels }: Pick<Of<typeof Load>, 'fallbackW' | 'zeroModels'>, at: Instant): GunNow {
  const { ratedW, online, orderNo, askedW, unsureW, since } = stand
  const share = orderNo !== null && stand.shareOrder === orderNo ? stand.shareW : null
  const base = Math.min(ratedW, stand.defaultW ?? ratedW)
  const ackedW = Math.min(ratedW, share ?? base)
  const pinned = pinnedBy(stand, at)
  // Off line it may go on with the charge that it has, or begin another.
  const alone = online ? 0 : Math.max(base, stand.shareW ?? 0)
  const leastW = leastOf(stand)
  const mayPause = stand.model !== null && zeroModels.includes(stand.model)
  return {
    connectorId: stand.connectorId,
    ratedW,
    pile: { id: stand.equipmentId, ratedW: stand.pileW },
    leastW,
    floorW: Math.min(ratedW, mayPause ? fallbackW : Math.max(fallbackW, leastW)),
    ackedW,
    heldW: pinned === LoadWhy.ignores ? ratedW : Math.min(ratedW, Math.max(ackedW, alone, askedW ?? 0, unsureW ?? 0)),
    asking: askedW !== null,
    unsure: unsureW !== null || stand.again,
    late: unsureW !== null || (stand.askedAt !== null && msOf(at) - msOf(stand.askedAt) >= LATE_MS),
    pinned,
    charge: orderNo === null ? null : { since: since!, priority: stand.loadPriority },
  }
}
function pinnedBy({ ignoredAt, linked, refusedAt, online }: Stand, at: Instant): GunNow['pinned'] {
  if (ignoredAt !== null) return LoadWhy.ignores
  if (!linked || (refusedAt !== null && msOf(at) - msOf(refusedAt) < REFUSED_MS)) return LoadWhy.unmanaged
  return online ? null : LoadWhy.silent
}

import type { Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound } from '../../../platform/server/refusal.ts'
import { serve } from '../../../platform/server/serve.ts'
import { type LiveGun, type LivePile, monitor, type Notice } from '../contract/monitor.ts'
import { ChargeOrder, ChargeStatus } from '../contract/session.ts'
import { FaultState } from '../contract/fault.ts'
import './tables.ts'

type Gun = Of<typeof LiveGun>
const HOUR_MS = 3_600_000

export const calls = serve(monitor, {
  queryEquipmentinfo: ({ tx, input }) => run<Of<typeof LivePile>>(tx, { sql: PILES }, [input.stationId ?? null]),
  queryConnectorinfoList: ({ tx, input, at }) => gunsNow(tx, input, at),
  async queryConnectorinfo({ tx, input: { connectorId }, at }) {
    const [gun] = await gunsNow(tx, { connectorId }, at)
    if (!gun) throw NotFound()
    const [curve, changes] = await Promise.all([
      run(tx, { sql: CURVE }, [connectorId, instantAt(msOf(at) - HOUR_MS)]),
      run(tx, { sql: CHANGES }, [connectorId]),
    ])
    return { ...gun, curve, changes } as Of<typeof monitor.queryConnectorinfo.reply>
  },
  queryParkChargeOrderList: ({ tx, input: { parkCode, stationId } }) =>
    run<Of<typeof ChargeOrder>>(tx, { sql: OPEN_CHARGES }, [parkCode ?? null, stationId ?? null]),
  queryNotifyRecord: ({ tx, input }) => notices(tx, input),
  queryChargeOrderId: async ({ tx, input }) =>
    (await run<Of<typeof monitor.queryChargeOrderId.reply> & object>(tx, { sql: ORDER_OF }, [input.connectorId]))[0] ?? null,
})

const RUNNING = [ChargeStatus.waiting, ChargeStatus.starting, ChargeStatus.charging, ChargeStatus.stopping].join(', ')
const OPEN_FAULTS = `(${FaultState.waiting}, ${FaultState.dispatched}, ${FaultState.working})`
const PILES = `select e.equipment_id, e.equipment_name, e.station_id, e.park_code, e.admin_status, coalesce(p.online, false) as online, p.last_seen_at, p.skew_sec, x.power_w, x.share_w,
    (select count(*)::int from charging.fault f join charging.connector c on c.enterprise_id = f.enterprise_id and c.connector_id = f.connector_id
      where f.enterprise_id = e.enterprise_id and c.equipment_id = e.equipment_id and f.state in ${OPEN_FAULTS}) as faults
  from charging.equipment e left join charging.pile_state p on p.enterprise_id = e.enterprise_id and p.equipment_id = e.equipment_id
    left join lateral (select sum(s.power_w)::int as power_w, sum(h.now_w)::int as share_w from charging.connector c left join charging.connector_state s on s.enterprise_id = c.enterprise_id and s.connector_id = c.connector_id
        left join charging.share_now h on h.enterprise_id = c.enterprise_id and h.connector_id = c.connector_id
      where c.enterprise_id = e.enterprise_id and c.equipment_id = e.equipment_id) x on true
  where e.enterprise_id = scope_enterprise() and ($1::text is null or e.station_id = $1) order by e.station_id, e.equipment_id limit 2000`

/** Guns as they are now. A gun whose pile is away is off line whatever it told last, since its pile was last heard of. */
export const gunsNow = (
  tx: Tx,
  { stationId, status, connectorId }: { stationId?: string; status?: number; connectorId?: string },
  at: Instant,
): Promise<Gun[]> => run(tx, { sql: GUNS }, [stationId ?? null, status ?? null, connectorId ?? null, at])
const GUNS = `select * from (
    select g.connector_id, g.connector_name, g.equipment_id, g.station_id, t.station_name, g.park_code, g.status, g.status_raw as raw, g.status_at as since,
      (g.power * 1000)::int as rated_w, c.order_no, c.status as order_status, c.plate_no, coalesce(c.soc, g.soc) as soc, coalesce(g.power_w, c.power_w) as power_w, c.energy_wh, c.cost_fen,
      case when c.order_no is not null then greatest(0, floor(extract(epoch from $4::timestamptz - c.start_time) / 60))::int end as minutes, h.now_w as share_w, f.id as fault_id, f.code as fault_code,
      charging.grave_danger(g.enterprise_id, g.station_id) as danger_no
    from charging.gun g join charging.station t on t.enterprise_id = g.enterprise_id and t.station_id = g.station_id
      left join charging.charge c on c.enterprise_id = g.enterprise_id and c.connector_id = g.connector_id and c.claimed
        and c.status in (${RUNNING})
      left join lateral (select f.id, f.code from charging.fault f where f.enterprise_id = g.enterprise_id and f.connector_id = g.connector_id and f.state in ${OPEN_FAULTS}
        order by f.level desc, f.start_at limit 1) f on true
      left join charging.share_now h on h.enterprise_id = g.enterprise_id and h.connector_id = g.connector_id
    where g.enterprise_id = scope_enterprise() and ($1::text is null or g.station_id = $1) and ($3::text is null or g.connector_id = $3)) gun
  where ($2::int is null or status = $2) order by station_id, connector_id limit 4000`
const CURVE = `select at, power_w, soc, temperature_c from charging.meter_sample where enterprise_id = scope_enterprise() and connector_id = $1 and at >= $2 order by at limit 1000`
const CHANGES = `select at, status, raw, error_code from charging.status_change where enterprise_id = scope_enterprise() and connector_id = $1 order by at desc, id desc limit 20`
const FIELDS = Object.keys(ChargeOrder.properties).map((name) => `c.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`)
const OPEN_CHARGES = `select ${FIELDS.join(', ')} from charging.charge c where c.enterprise_id = scope_enterprise() and c.status in (${[ChargeStatus.starting, ChargeStatus.charging, ChargeStatus.stopping, ChargeStatus.billing, ChargeStatus.abnormal]})
  and ($1::text is null or c.park_code = $1) and ($2::text is null or c.station_id = $2) order by c.start_time desc, c.id limit 500`
const ORDER_OF = `select order_no, start_charge_seq, case when claimed and status in (${RUNNING}) then 1 else 0 end as open from charging.charge
  where enterprise_id = scope_enterprise() and connector_id = $1 order by (claimed and status in (${RUNNING})) desc, start_time desc limit 1`

type Line = Of<typeof Notice>
const NOTICES_MAX = 200
/** What guns said of themselves and what partners were told, in one order. */
async function notices(tx: Tx, { connectorId, orderNo, platformId, atFrom, atTo }: Of<typeof monitor.queryNotifyRecord.input>): Promise<Line[]> {
  const values = [connectorId ?? null, orderNo ?? null, platformId ?? null, atFrom ?? null, atTo ?? null]
  const both = await Promise.all([
    run<Line>(tx, { sql: PARTNER_LINES }, values),
    platformId ? [] : run<Line>(tx, { sql: STATUS_LINES }, [values[0], values[1], values[3], values[4]]),
  ])
  return both
    .flat()
    .sort((a, b) => msOf(b.at) - msOf(a.at))
    .slice(0, NOTICES_MAX)
}
const PARTNER_LINES = `select created_at as at, null::timestamptz as device_time, way as direction, 'T/CEC 102' as protocol, interface as action, left(said, 500) as summary, coalesce(ret::text, '') as result, id::text as frame_id
  from charging.partner_message where enterprise_id = scope_enterprise() and ($1::text is null or connector_id = $1) and ($2::text is null or order_no = $2) and ($3::text is null or platform_id::text = $3)
    and ($4::timestamptz is null or created_at >= $4) and ($5::timestamptz is null or created_at <= $5) order by created_at desc limit ${NOTICES_MAX}`
const STATUS_LINES = `select x.received_at as at, x.at as device_time, 1 as direction, 'OCPP' as protocol, 'StatusNotification' as action, concat_ws(' ', x.raw, x.error_code) as summary, x.status::text as result, x.id::text as frame_id
  from charging.status_change x where x.enterprise_id = scope_enterprise()
    and x.connector_id = coalesce($1, (select c.connector_id from charging.charge c where c.enterprise_id = x.enterprise_id and c.order_no = $2), x.connector_id)
    and ($3::timestamptz is null or x.received_at >= $3) and ($4::timestamptz is null or x.received_at <= $4) order by x.received_at desc limit ${NOTICES_MAX}`

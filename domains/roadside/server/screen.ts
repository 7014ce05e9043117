import type { Fen, Instant, Of } from '../../../platform/contract/field.ts'
import { permilleOf } from '../../../platform/contract/rate.ts'
import { dayOf, startOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { find, listOver } from '../../../platform/server/page.ts'
import { serve } from '../../../platform/server/serve.ts'
import { ParkType } from '../../parking/contract/park.ts'
import { PayState, SessionStatus, StayPlace } from '../../parking/contract/stay.ts'
import { type AnyStay, dueOf } from '../../parking/server/api.ts'
import { type BerthNow, Occupy } from '../contract/berth.ts'
import { RoadStay, roadSearch } from '../contract/roadStay.ts'
import { screen, type RoadOverview, type RoadPark, type RoadResources } from '../contract/screen.ts'
import { berthOf, berthsNow } from './berth.ts'
import { boundTo } from './binding.ts'
import { billAt, placeOfStay } from './leaving.ts'
import { collectorsOnDuty } from './questions.ts'
import { evidenceOf } from './seen.ts'
import './tables.ts'

const byId = listOver(RoadStay, 'roadside.stay', roadSearch)

export const calls = serve(screen, {
  overview: ({ tx, input, at }) => overviewOf(tx, input, at),
  park: ({ tx, input }) => districtsOf(tx, input),
  resources: ({ tx, input }) => resourcesOf(tx, input),
  async parkSeat({ tx, input, at }) {
    const berth = await berthOf(tx, input)
    const stay = berth.stayId ? ((await find(tx, byId, berth.stayId)) ?? null) : null
    const [bindings, waiting, evidence, due] = await Promise.all([
      boundTo(tx, input),
      run<{ id: string }>(tx, WAITING, [input.parkCode, input.seatCode]),
      stay ? evidenceOf(tx, stay.id) : [],
      berth.stayId ? dueNow(tx, [berth], at) : new Map<string, number>(),
    ])
    return {
      berth,
      stay,
      abnormal: (waiting[0] && (await find(tx, byId, waiting[0].id))) ?? null,
      dueFen: (due.get(berth.stayId ?? '') ?? 0) as Fen,
      bindings: bindings.map(({ deviceNo, kind, fromAt }) => ({ deviceNo, kind, fromAt })),
      evidence,
    }
  },
  async parkSeatList({ tx, input: { current = 1, limit = ROWS, ...of }, at }) {
    const rows = await berthsNow(tx, of, { current, limit })
    const due = await dueNow(tx, rows, at)
    return rows.map(({ seatCode, berthNo, sectionCode, occupy, plateNo, plateColor, arrivedAt, stayId, lng, lat }) => ({
      ...{ seatCode, berthNo, sectionCode, occupy, plateNo, plateColor, arrivedAt, stayId, lng, lat },
      dueFen: (stayId === null ? null : (due.get(stayId) ?? null)) as Fen,
    }))
  },
})
/** Of a berth: the newest stay that a person has to look at. */
const WAITING = {
  sql: `select id from parking.stay where enterprise_id = scope_enterprise() and park_code = $1 and seat_code = $2 and status = ${SessionStatus.abnormal} order by seen_at desc, id desc limit 1`,
}
/** A board shows a street; a district has several. */
const ROWS = 200

/** How the street stands now and what its day was. */
export async function overviewOf(tx: Tx, input: Of<typeof screen.overview.input>, at: Instant): Promise<Of<typeof RoadOverview>> {
  const of = [input.parkCode ?? null, input.regionCode ?? null]
  const [[seats], [today], [illegal]] = await Promise.all([
    run<Pick<Of<typeof RoadOverview>, 'seatTotal' | 'occupied' | 'free' | 'abnormal' | 'disabled'>>(tx, SEATS, of),
    run<Today>(tx, TODAY, [...of, startOf(dayOf(at))]),
    run<{ illegal: number }>(tx, ILLEGAL, [...of, startOf(dayOf(at))]),
  ])
  const { orders, paidOrders } = today!
  return { ...seats!, ...today!, ...illegal!, payRate: permilleOf(paidOrders, orders), at }
}
export const districtsOf = (tx: Tx, input: Of<typeof screen.park.input>) => run<Of<typeof RoadPark>>(tx, PARKS, [input.regionCode ?? null])
/** Counts the street's sections, berths, detectors, and people on duty. */
export async function resourcesOf(tx: Tx, input: Of<typeof screen.resources.input>): Promise<Of<typeof RoadResources>> {
  const [[resources], onDuty] = await Promise.all([
    run<Omit<Of<typeof RoadResources>, 'tollersOnDuty'>>(tx, RESOURCES, [input.parkCode ?? null]),
    collectorsOnDuty.ask(tx, { parkCode: input.parkCode }),
  ])
  return { ...resources!, tollersOnDuty: onDuty.reduce((sum, { answer }) => sum + answer, 0) }
}

/** Returns the amount that each car on these berths would pay if it left now. Stays that no rule covers are left out. */
async function dueNow(tx: Tx, rows: readonly Of<typeof BerthNow>[], at: Instant): Promise<Map<string, number>> {
  const ids = rows.flatMap(({ stayId }) => stayId ?? [])
  const stays = await run<AnyStay>(tx, { sql: 'select * from parking.stay where enterprise_id = scope_enterprise() and id = any($1::uuid[])' }, [ids])
  const bills = await Promise.all(stays.map(async (stay) => billAt(tx, await placeOfStay(tx, stay), stay, stay.exitTime ?? at)))
  return new Map(stays.flatMap((stay, n) => (bills[n] ? [[stay.id, dueOf(stay, bills[n])] as const] : [])))
}

const OF_PARK = `($1::text is null or p.park_code = $1) and ($2::text is null or p.region_code ^@ platform.region_prefix($2))`
const SEATS = {
  sql: `select count(*)::int as seat_total, (count(*) filter (where b.occupy = ${Occupy.occupied}))::int as occupied, (count(*) filter (where b.occupy = ${Occupy.free}))::int as free,
      (count(*) filter (where b.occupy = ${Occupy.abnormal}))::int as abnormal, (count(*) filter (where b.occupy = ${Occupy.disabled}))::int as disabled
    from roadside.berth_now b join parking.park p on p.enterprise_id = b.enterprise_id and p.park_code = b.park_code
    where b.enterprise_id = scope_enterprise() and b.section_code is not null and ${OF_PARK}`,
}
type Today = Pick<Of<typeof RoadOverview>, 'arrivals' | 'leaves' | 'receivableFen' | 'paidFen' | 'arrearsFen' | 'orders' | 'paidOrders'>
const LEFT = `s.status = ${SessionStatus.left} and s.exit_time >= $3`
const COST = `${LEFT} and s.pay_state in (${PayState.toPay}, ${PayState.paid}, ${PayState.owed})`
const TODAY = {
  sql: `select (count(*) filter (where s.entry_time >= $3))::int as arrivals, (count(*) filter (where ${LEFT}))::int as leaves,
      coalesce(sum(s.receivable_fen) filter (where ${LEFT}), 0)::bigint as receivable_fen, coalesce(sum(s.paid_fen) filter (where ${LEFT}), 0)::bigint as paid_fen,
      coalesce(sum(s.payable_fen - s.paid_fen) filter (where ${LEFT} and s.pay_state = ${PayState.owed}), 0)::bigint as arrears_fen,
      (count(*) filter (where ${COST}))::int as orders, (count(*) filter (where ${COST} and s.pay_state = ${PayState.paid}))::int as paid_orders
    from parking.stay s join parking.park p on p.enterprise_id = s.enterprise_id and p.park_code = s.park_code
    where s.enterprise_id = scope_enterprise() and s.p_type = ${StayPlace.street} and s.status <> ${SessionStatus.void} and (s.entry_time >= $3 or s.exit_time >= $3) and s.seen_at >= $3::timestamptz - interval '31 days' and ${OF_PARK}`,
}
const ILLEGAL = {
  sql: `select count(*)::int as illegal from roadside.illegal_stop i join parking.park p on p.enterprise_id = i.enterprise_id and p.park_code = i.park_code
    where i.enterprise_id = scope_enterprise() and i.first_at >= $3 and ${OF_PARK}`,
}
const PARKS = {
  sql: `select p.park_code, p.name, p.address, p.lng, p.lat, p.status,
      (select count(*)::int from roadside.berth_now b where b.enterprise_id = p.enterprise_id and b.park_code = p.park_code) as seat_total,
      (select count(*)::int from roadside.berth_now b where b.enterprise_id = p.enterprise_id and b.park_code = p.park_code and b.occupy = ${Occupy.free}) as seat_free,
      (select count(distinct d.device_no)::int from roadside.binding d join device.status s on s.enterprise_id = d.enterprise_id and s.device_no = d.device_no
        where d.enterprise_id = p.enterprise_id and d.park_code = p.park_code and d.to_at is null and not s.online) as offline_devices
    from parking.park p where p.enterprise_id = scope_enterprise() and p.p_type = ${ParkType.roadside} and not p.deleted and ($1::text is null or p.region_code ^@ platform.region_prefix($1)) order by p.park_code limit 500`,
}
const RESOURCES = {
  sql: `select
      (select count(*)::int from parking.park where enterprise_id = scope_enterprise() and p_type = ${ParkType.roadside} and not deleted and ($1::text is null or park_code = $1)) as parks,
      (select count(*)::int from roadside.section where enterprise_id = scope_enterprise() and not deleted and ($1::text is null or park_code = $1)) as sections,
      (select coalesce(json_agg(json_build_object('type', t.type, 'total', t.total) order by t.type), '[]') from (select type, count(*)::int as total from roadside.berth
        where enterprise_id = scope_enterprise() and section_code is not null and not deleted and ($1::text is null or park_code = $1) group by type) t) as seats,
      (select coalesce(json_agg(json_build_object('kind', k.kind, 'total', k.total, 'online', k.online) order by k.kind), '[]') from (select d.kind, count(distinct d.device_no)::int as total,
          (count(distinct d.device_no) filter (where s.online))::int as online from roadside.binding d join device.status s on s.enterprise_id = d.enterprise_id and s.device_no = d.device_no
        where d.enterprise_id = scope_enterprise() and d.to_at is null and ($1::text is null or d.park_code = $1) group by d.kind) k) as devices`,
}

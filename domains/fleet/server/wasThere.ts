import type { Instant, Of } from '../../../platform/contract/field.ts'
import { DAY_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { sectionsNear } from '../../roadside/server/api.ts'
import { Crossing, type fence, type Visit, WAS_THERE_DAYS_MAX } from '../contract/fence.ts'
import { Trust } from '../contract/track.ts'
import { cellsOf, refuseArea } from './area.ts'
import { EDGE_M, follow, type Side, type Spot, type Standing } from './crossing.ts'

const TooLong = refusal(
  'fleet.was-there-span',
  42347,
  '起止时间最长 {days} 天，且结束晚于开始',
  'The range can be {days:day} at most, and must end after it starts',
  422,
)
const TooMuch = refusal(
  'fleet.was-there-too-much',
  42348,
  '该范围和时间内的定位点太多，请缩小范围或时间',
  'There are too many positions in this area and time: narrow the area or the time',
  422,
)
/** Places that one question reads, and edges of stays that it answers from. */
const LOOKED_MAX = 50_000
const EDGES_MAX = 3_000
const OUTSIDE: Standing = { inside: false, since: null, pending: null }

interface Edge extends Spot {
  vehicleId: string
  vehicleNo: string
  plateColor: Of<typeof Visit>['plateColor']
  dept: string
  side: Side
  /** The next places of the vehicle, where those are outside. */
  out1: Instant | null
  out2: Instant | null
  looked: number
}

/** Which vehicles were in an area, by the same rule as crossings of fences. Of their tracks only the places there and in the strip around are read. */
export async function wasThere(tx: Tx, { area, timeFrom, timeTo }: Of<typeof fence.wasThere.input>): Promise<Of<typeof Visit>[]> {
  refuseArea(area)
  const long = msOf(timeTo) - msOf(timeFrom)
  if (!(long > 0 && long <= WAS_THERE_DAYS_MAX * DAY_MS)) throw TooLong({ days: WAS_THERE_DAYS_MAX })
  const rows = await run<Edge>(tx, EDGES, [JSON.stringify(area), cellsOf(area, EDGE_M), timeFrom, timeTo])
  if (rows.length > EDGES_MAX || rows[0]!.looked > LOOKED_MAX) throw TooMuch()
  // Where nobody was the one row says how much was read, and no vehicle.
  const edges = rows.filter(({ vehicleId }) => vehicleId)
  const visits = [...Map.groupBy(edges, ({ vehicleId }) => vehicleId).values()].flatMap(visitsOf).sort((a, b) => msOf(a.entered) - msOf(b.entered))
  const sections = await sectionsNear(tx, visits)
  return visits.map(({ lng: _, lat: __, ...visit }, n) => ({
    ...visit,
    sectionName: sections[n]?.name ?? null,
    sectionM: sections[n]?.metres ?? null,
  }))
}

/** Each stay, with where the vehicle was first seen inside. */
type Stay = Omit<Of<typeof Visit>, 'sectionName' | 'sectionM'> & Pick<Spot, 'lng' | 'lat'>
function visitsOf(edges: readonly Edge[]): Stay[] {
  const spots: Spot[] = []
  const sides: Side[] = []
  const put = (at: Instant, { lng, lat }: Spot, side: Side) => void (spots.push({ at, lng, lat }), sides.push(side))
  for (const edge of edges) {
    put(edge.at, edge, edge.side)
    for (const out of [edge.out1, edge.out2]) if (out) put(out, edge, 'o')
  }
  const visits: Stay[] = []
  const { vehicleId, vehicleNo, plateColor, dept } = edges[0]!
  for (const { kind, at, lng, lat } of follow(OUTSIDE, spots, sides).crossed)
    if (kind === Crossing.entered) visits.push({ vehicleId, vehicleNo, plateColor, dept, entered: at, left: null, lng, lat })
    else visits.at(-1)!.left = at
  return visits
}

/** Where one side goes on for long, its first two and its last place say all of it. */
const EDGES = {
  sql: `with a as materialized (select $1::jsonb as area, fleet.flat($1::jsonb) as flat),
    looked as materialized (select p.vehicle_id, p.device_time, p.lng, p.lat from fleet.position p where p.enterprise_id = scope_enterprise() and p.cell = any ($2::bigint[]) and p.trust = ${Trust.good}
      and p.device_time >= $3 and p.device_time <= $4 limit ${LOOKED_MAX + 1}),
    near as (select l.*, case when o.m = 0 then 'i' else 'b' end as side from looked l cross join a cross join lateral (select fleet.off_m(a.area, a.flat, l.lng, l.lat) as m) o where o.m <= ${EDGE_M} and (select count(*) from looked) <= ${LOOKED_MAX}),
    after as (select n.*, lead(n.device_time) over w as next_near, x.next from near n left join lateral (select array_agg(y.device_time order by y.device_time) as next from (select p.device_time from fleet.position p
      where p.enterprise_id = scope_enterprise() and p.vehicle_id = n.vehicle_id and p.trust = ${Trust.good} and p.device_time > n.device_time order by p.device_time limit 2) y) x on true
      window w as (partition by n.vehicle_id order by n.device_time)),
    outs as (select *, case when next[1] is distinct from next_near then next[1] end as out1, case when next[1] is distinct from next_near and next[2] is distinct from next_near then next[2] end as out2 from after),
    runs as (select *, lag(side) over w as side1, lag(side, 2) over w as side2, lag(out1) over w as out_1, lag(out1, 2) over w as out_2, lead(side) over w as side_next from outs window w as (partition by vehicle_id order by device_time))
    select r.vehicle_id, v.vehicle_no, v.plate_color, v.dept, r.device_time as at, r.lng, r.lat, r.side, r.out1, r.out2, l.looked from (select count(*)::int as looked from looked) l left join runs r on
      (side1 is distinct from side or side2 is distinct from side or side_next is distinct from side or out_1 is not null or out_2 is not null or out1 is not null)
    left join fleet.vehicle v on v.enterprise_id = scope_enterprise() and v.id = r.vehicle_id order by r.vehicle_id, r.device_time limit ${EDGES_MAX + 1}`,
}

import { run, type Tx } from '../../../platform/server/database.ts'
import { NEAR_M } from '../contract/section.ts'

interface Spot {
  lng: number
  lat: number
}
/** A section that has a line, and how far that reaches in degrees. */
export interface Drawn {
  name: string
  line: readonly (readonly number[])[]
  west: number
  south: number
  east: number
  north: number
}
interface NearSection {
  name: string
  metres: number
}
const DEGREE_M = 111_194.93
const wideOf = (lat: number) => DEGREE_M * Math.cos((lat * Math.PI) / 180)

/** For each place the section that runs nearest to it by the line drawn for it, and how far off; none where none is near. Sections without a line are not known to be anywhere. */
export async function sectionsNear(tx: Tx, places: readonly Spot[]): Promise<(NearSection | undefined)[]> {
  if (places.length === 0) return []
  const [lngs, lats] = [places.map(({ lng }) => lng), places.map(({ lat }) => lat)]
  const high = NEAR_M / DEGREE_M
  const wide = NEAR_M / Math.min(...lats.map(wideOf))
  const around = [Math.min(...lngs) - wide, Math.min(...lats) - high, Math.max(...lngs) + wide, Math.max(...lats) + high]
  const drawn = await run<Drawn>(tx, { sql: AROUND }, around)
  return places.map((place) => nearest(place, drawn))
}
/** More than a city has. */
const SECTIONS_MAX = 5_000
const AROUND = `select s.name, s.line, b.west, b.south, b.east, b.north from roadside.section s cross join lateral (select min((p.spot ->> 0)::float8) as west, max((p.spot ->> 0)::float8) as east, min((p.spot ->> 1)::float8) as south, max((p.spot ->> 1)::float8) as north
    from jsonb_array_elements(s.line) as p (spot)) b
  where s.enterprise_id = scope_enterprise() and not s.deleted and b.west <= $3 and b.east >= $1 and b.south <= $4 and b.north >= $2 order by s.section_code limit ${SECTIONS_MAX}`

/** Lines that do not reach its surroundings are not measured: of many places each is near to few of them. */
export function nearest(place: Spot, drawn: readonly Drawn[]): NearSection | undefined {
  const [high, wide] = [NEAR_M / DEGREE_M, NEAR_M / wideOf(place.lat)]
  const [west, south, east, north] = [place.lng - wide, place.lat - high, place.lng + wide, place.lat + high]
  let found: NearSection | undefined
  for (const one of drawn) {
    if (one.east < west || one.west > east || one.north < south || one.south > north) continue
    const metres = Math.round(metresTo(place, one.line))
    if (metres <= NEAR_M && (!found || metres < found.metres)) found = { name: one.name, metres }
  }
  return found
}
/** To the nearest point of a line; of so few metres the earth is flat. */
function metresTo({ lng, lat }: Spot, line: Drawn['line']): number {
  const wide = wideOf(lat)
  const points = line.flatMap(([x, y]) => (x === undefined || y === undefined ? [] : [[(x - lng) * wide, (y - lat) * DEGREE_M] as const]))
  return Math.min(...points.map((point, n) => metresToStretch(points[n - 1] ?? point, point)))
}
/** From where one stands to the stretch between two points around it. */
function metresToStretch([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): number {
  const [dx, dy] = [bx - ax, by - ay]
  const long = dx * dx + dy * dy
  const part = long === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / long))
  return Math.hypot(ax + part * dx, ay + part * dy)
}

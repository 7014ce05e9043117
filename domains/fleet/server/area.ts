import type { Of } from '../../../platform/contract/field.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { type Area, type PlaceAt, REACH_MAX_M } from '../contract/fence.ts'
import { metresBetween } from './distance.ts'

type Place = Of<typeof PlaceAt>
const NoArea = refusal(
  'fleet.no-area',
  42344,
  '请画出范围：圆需要圆心和半径，多边形至少三个点',
  'Draw the area: a circle needs a centre and a radius, a polygon at least three points',
  422,
)
const Crosses = refusal(
  'fleet.area-crosses',
  42345,
  '多边形的边不能相交，请调整顶点',
  'The sides of the polygon must not cross: move its corners',
  422,
)
const TooWide = refusal(
  'fleet.area-too-wide',
  42346,
  '范围太大：离第一个点最远 {km} 公里；请缩小范围',
  'The area is too large: {km} km from its first point at most. Make it smaller',
  422,
)

/** @throws when it is no area of the map, or none that can be looked at */
export function refuseArea({ ring, radiusM }: Of<typeof Area>): void {
  if (radiusM === undefined ? ring.length < 3 : ring.length !== 1) throw NoArea()
  if (ring.some((one) => metresBetween(ring[0]!, one) > REACH_MAX_M)) throw TooWide({ km: REACH_MAX_M / 1_000 })
  if (radiusM === undefined && crosses(ring)) throw Crosses()
}

/** Sides that share no corner and meet all the same. */
function crosses(ring: readonly Place[]): boolean {
  const sides = ring.map((from, n) => [from, ring[(n + 1) % ring.length]!] as const)
  return sides.some(([a, b], n) =>
    sides.some(
      ([c, d], m) => m > n + 1 && !(n === 0 && m === sides.length - 1) && turn(a, b, c) * turn(a, b, d) <= 0 && turn(c, d, a) * turn(c, d, b) <= 0,
    ),
  )
}
const turn = (a: Place, b: Place, c: Place) => Math.sign((b.lng - a.lng) * (c.lat - a.lat) - (b.lat - a.lat) * (c.lng - a.lng))

const SQUARES = 100
const DEGREE_M = 111_194.93
/** The squares of the map that an area and the strip around it touch, as `fleet.cell` numbers them. */
export function cellsOf({ ring, radiusM = 0 }: Of<typeof Area>, stripM: number): number[] {
  const high = (radiusM + stripM) / DEGREE_M
  const wide = high / Math.cos((ring[0]!.lat * Math.PI) / 180)
  const span = (all: number[], more: number) =>
    [Math.floor((Math.min(...all) - more) * SQUARES), Math.floor((Math.max(...all) + more) * SQUARES)] as const
  const [west, east] = span(
    ring.map(({ lng }) => lng),
    wide,
  )
  const [south, north] = span(
    ring.map(({ lat }) => lat),
    high,
  )
  const cells: number[] = []
  for (let x = west; x <= east; x++) for (let y = south; y <= north; y++) cells.push(x * 1_000_000 + y)
  return cells
}

import type { Fen, Of } from '../../../platform/contract/field.ts'
import type { Bin, ParkChange, RehearsalOf } from '../contract/rehearsal.ts'

/** Edges of the spread, in fen: a little, some and much, as a driver would call them. */
const EDGES = [-5000, -2000, -1000, -500, 0, 500, 1000, 2000, 5000]

type Sums = Pick<RehearsalOf, 'staysDone' | 'unlikeStays' | 'dearerStays' | 'dearerFen' | 'cheaperStays' | 'cheaperFen' | 'beforeFen' | 'afterFen'>
type Park = Of<typeof ParkChange>

/** Adds up a rehearsal, stay by stay. */
export function openSums() {
  const sums: Record<keyof Sums, number> = {
    staysDone: 0,
    unlikeStays: 0,
    dearerStays: 0,
    dearerFen: 0,
    cheaperStays: 0,
    cheaperFen: 0,
    beforeFen: 0,
    afterFen: 0,
  }
  const cheaper = EDGES.filter((edge) => edge <= 0).map(() => 0)
  const dearer = EDGES.filter((edge) => edge >= 0).map(() => 0)
  let same = 0
  const parks = new Map<string, Park>()
  const parkOf = (parkCode: string): Park => {
    const fresh = { parkCode, stays: 0, dearerStays: 0, cheaperStays: 0, beforeFen: 0 as Fen, afterFen: 0 as Fen }
    return parks.get(parkCode) ?? parks.set(parkCode, fresh).get(parkCode)!
  }
  return {
    unlike() {
      sums.staysDone++
      sums.unlikeStays++
    },
    add(parkCode: string, before: number, after: number) {
      const park = parkOf(parkCode)
      const delta = after - before
      sums.staysDone++
      park.stays++
      sums.beforeFen += before
      sums.afterFen += after
      park.beforeFen = (park.beforeFen + before) as Fen
      park.afterFen = (park.afterFen + after) as Fen
      if (delta === 0) return void same++
      if (delta > 0) {
        sums.dearerStays++
        park.dearerStays++
        sums.dearerFen += delta
        dearer[ABOVE.findLastIndex((edge) => delta > edge)]!++
      } else {
        sums.cheaperStays++
        park.cheaperStays++
        sums.cheaperFen -= delta
        cheaper[BELOW.findIndex((edge) => delta < edge)]!++
      }
    },
    sums: () => sums as Sums,
    spread: (): Of<typeof Bin>[] => [
      ...BELOW.map((edge, i) => ({ fromFen: (BELOW[i - 1] ?? null) as Fen | null, toFen: edge as Fen, stays: cheaper[i]! })),
      { fromFen: 0 as Fen, toFen: 0 as Fen, stays: same },
      ...ABOVE.map((edge, i) => ({ fromFen: edge as Fen, toFen: (ABOVE[i + 1] ?? null) as Fen | null, stays: dearer[i]! })),
    ],
    /** The parks that change most first. */
    parks: () => [...parks.values()].sort((a, b) => Math.abs(b.afterFen - b.beforeFen) - Math.abs(a.afterFen - a.beforeFen)),
  }
}
const BELOW = EDGES.filter((edge) => edge <= 0)
const ABOVE = EDGES.filter((edge) => edge >= 0)

import type { Instant } from '../../../platform/contract/field.ts'
import { Crossing } from '../contract/fence.ts'

/** Nearer to its edge than this a place outside counts as neither side: receivers waver so far. */
export const EDGE_M = 50
/** Inside, in the strip around it, outside. */
export type Side = 'i' | 'b' | 'o'
export interface Spot {
  at: Instant
  lng: number
  lat: number
}
/** On which side something is, and where it may have crossed with its last place. */
export interface Standing {
  /** Null: nobody knows yet. */
  inside: boolean | null
  /** When it crossed; none where nobody saw it. */
  since: Instant | null
  pending: ({ inside: boolean } & Spot) | null
}
export const UNKNOWN: Standing = { inside: null, since: null, pending: null }
export interface Crossed extends Spot {
  kind: (typeof Crossing)['entered' | 'left']
}

/** From place to place: two in a row beyond the edge are a crossing, of when the first of them was. */
export function follow(from: Standing, spots: readonly Spot[], sides: ArrayLike<string>): { standing: Standing; crossed: Crossed[] } {
  let standing = from
  const crossed: Crossed[] = []
  for (const [n, { at, lng, lat }] of spots.entries()) {
    const inside = sides[n] === 'i'
    const { pending } = standing
    if (sides[n] === 'b' || inside === standing.inside) {
      if (pending) standing = { ...standing, pending: null }
    } else if (pending?.inside !== inside) standing = { ...standing, pending: { inside, at, lng, lat } }
    else {
      const seen = standing.inside !== null
      if (seen) crossed.push({ kind: inside ? Crossing.entered : Crossing.left, at: pending.at, lng: pending.lng, lat: pending.lat })
      standing = { inside, since: seen ? pending.at : null, pending: null }
    }
  }
  return { standing, crossed }
}

import type { Instant } from '../../../platform/contract/field.ts'
import { msOf } from '../../../platform/contract/time.ts'
import { metresBetween, type Spot } from './distance.ts'

/** Metres a second: nothing of ours is faster. */
export const FASTEST = 300 / 3.6
/** Odometers count in hundreds of metres, clocks in seconds. */
export const ROUNDING_M = 200
/** A place wavers by less where a car stands. */
export const WAVERS_M = 200

interface Reading {
  deviceTime: Instant
  mileageM: number | null
}
/** How far a counter came from one reading to the next; undefined where either has none, and where it fell or grew as no car drives. */
function grownBy(before: Reading, now: Reading): number | undefined {
  if (before.mileageM === null || now.mileageM === null) return undefined
  const grown = now.mileageM - before.mileageM
  return grown >= 0 && grown <= elapsedS(before, now) * FASTEST + ROUNDING_M ? grown : undefined
}

/** Where an odometer grew last, and how far the car has come since by its places alone: a counter that goes by whole kilometres is not counted twice. */
export interface Standing extends Spot {
  countedM: number
}
/** How far a car came from one place to the next: by its odometer where that can be believed, else along the great circle, and by neither where no car drives so. */
export function cameBy(before: Reading & Spot, now: Reading & Spot, standing: Standing | null): { came: number; standing: Standing } {
  const here = { lng: now.lng, lat: now.lat }
  const way = wayBetween(before, now)
  const grown = grownBy(before, now)
  if (grown === undefined) return { came: way, standing: { ...here, countedM: 0 } }
  const stands = standing ?? { lng: before.lng, lat: before.lat, countedM: 0 }
  if (grown > 0) return { came: Math.max(0, grown - stands.countedM), standing: { ...here, countedM: 0 } }
  if (stands.countedM > 0) return { came: way, standing: { ...stands, countedM: stands.countedM + way } }
  const missed = Math.round(metresBetween(stands, here))
  return missed > WAVERS_M ? { came: missed, standing: { ...stands, countedM: missed } } : { came: 0, standing: stands }
}
const elapsedS = (before: Reading, now: Reading) => (msOf(now.deviceTime) - msOf(before.deviceTime)) / 1_000
function wayBetween(before: Reading & Spot, now: Reading & Spot): number {
  const way = metresBetween(before, now)
  return way <= elapsedS(before, now) * FASTEST ? Math.round(way) : 0
}

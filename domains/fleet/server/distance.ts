const EARTH_M = 6_371_000
const RADIANS = Math.PI / 180

export interface Spot {
  lng: number
  lat: number
}
/** Along the great circle. */
export function metresBetween(a: Spot, b: Spot): number {
  const [lat1, lat2] = [a.lat * RADIANS, b.lat * RADIANS]
  const half = Math.sin((lat2 - lat1) / 2) ** 2 + Math.cos(lat1) * Math.cos(lat2) * Math.sin(((b.lng - a.lng) * RADIANS) / 2) ** 2
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(half)))
}

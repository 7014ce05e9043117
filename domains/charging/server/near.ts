import gcoord from 'gcoord'
import type { Of } from '../../../platform/contract/field.ts'
import type { mine } from '../contract/mine.ts'

/** What a driver looks for, and from where. */
export type Where = Of<typeof mine.stations.input>
/** A telephone shows no more of them, and of a station no more of its guns: a partner may have thousands. */
export const STATIONS_MOST = 20
export const GUNS_MOST = 60
/** Stations stand in GCJ-02, a telephone tells WGS-84. */
export const placed = ({ lng, lat }: { lng?: number | undefined; lat?: number | undefined }): number[] | undefined =>
  lng === undefined || lat === undefined ? undefined : gcoord.transform([lng, lat] as [number, number], gcoord.WGS84, gcoord.GCJ02)
export const escapedLike = (keyword: string): string => keyword.replaceAll(/[\\%_]/g, '\\$&')
const EARTH_M = 6_371_000
export function metresBetween([lng, lat]: number[], [toLng, toLat]: number[]): number {
  const rad = Math.PI / 180
  const [a, b] = [Math.sin(((toLat! - lat!) * rad) / 2), Math.sin(((toLng! - lng!) * rad) / 2)]
  return 2 * EARTH_M * Math.asin(Math.sqrt(a * a + Math.cos(lat! * rad) * Math.cos(toLat! * rad) * b * b))
}

/** More parks than an operator has. */
export const PARKS_MOST = 500
export type Half = number | null | undefined
/** Some ten centimetres: nobody points more closely. */
export const rounded = (degrees: number) => Math.round(degrees * 1e6) / 1e6
const isMissing = (degrees: Half) => (degrees ?? null) === null
export const isHalf = (lng: Half, lat: Half) => isMissing(lng) !== isMissing(lat)
export const hasPlace = <T extends { lng: number | null; lat: number | null }>(row: T): row is T & { lng: number; lat: number } =>
  row.lng !== null && row.lat !== null
const MOST_NORTH = 90

/** Returns the fault of one half of a place while it is typed, if it has one. */
export function placeFault(at: 'lng' | 'lat', { lng, lat }: { lng?: Half; lat?: Half }): readonly [zh: string, en: string] | undefined {
  if (at === 'lat' && Math.abs(lat ?? 0) > MOST_NORTH) return ['纬度应在 -90 至 90 之间', 'Latitude must be between -90 and 90']
  return isHalf(lng, lat) && isMissing(at === 'lng' ? lng : lat) ? ['经度与纬度须同时填写', 'Enter both longitude and latitude'] : undefined
}

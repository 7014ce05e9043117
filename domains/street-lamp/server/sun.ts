import type { Day } from '../../../platform/contract/field.ts'
import { DAY_MS } from '../../../platform/contract/time.ts'

export interface Place {
  lng: number
  lat: number
}
const RAD = Math.PI / 180
const MINUTES_A_DAY = 1440
/** The middle of the sun is this far from overhead when its upper edge meets the horizon through the air. */
const ZENITH = 90.833
const J2000_MS = Date.UTC(2000, 0, 1, 12)
const CENTURY_MS = 36_525 * DAY_MS

/** The sun's declination, and by how many minutes a sundial is ahead of a clock, at a moment: the equations that NOAA publishes, good to a minute or two at our latitudes. */
function sunAt(ms: number): { declination: number; ahead: number } {
  const t = (ms - J2000_MS) / CENTURY_MS
  const meanLong = (280.46646 + t * (36_000.76983 + t * 0.0003032)) % 360
  const meanAnomaly = (357.52911 + t * (35_999.05029 - 0.0001537 * t)) * RAD
  const eccentricity = 0.016708634 - t * (0.000042037 + 0.0000001267 * t)
  const centre =
    Math.sin(meanAnomaly) * (1.914602 - t * (0.004817 + 0.000014 * t)) +
    Math.sin(2 * meanAnomaly) * (0.019993 - 0.000101 * t) +
    Math.sin(3 * meanAnomaly) * 0.000289
  const node = (125.04 - 1934.136 * t) * RAD
  const seenFrom = (meanLong + centre - 0.00569 - 0.00478 * Math.sin(node)) * RAD
  const tilt = (23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60 + 0.00256 * Math.cos(node)) * RAD
  const y = Math.tan(tilt / 2) ** 2
  const long = meanLong * RAD
  const equation =
    y * Math.sin(2 * long) -
    2 * eccentricity * Math.sin(meanAnomaly) +
    4 * eccentricity * y * Math.sin(meanAnomaly) * Math.cos(2 * long) -
    0.5 * y * y * Math.sin(4 * long) -
    1.25 * eccentricity * eccentricity * Math.sin(2 * meanAnomaly)
  return { declination: Math.asin(Math.sin(tilt) * Math.sin(seenFrom)), ahead: (4 * equation) / RAD }
}

/** When the sun rises (-1) or sets (1) on a day by the sun's own noon there. Where it never does, the day or the night is as long as it gets. */
function edgeOf(day: Day, { lng, lat }: Place, side: -1 | 1): number {
  const midnight = Date.parse(`${day}T00:00:00Z`)
  let minutes = 720 - 4 * lng
  // The sun moves on meanwhile: the second look is at where it is when it sets.
  for (let look = 0; look < 3; look++) {
    const { declination, ahead } = sunAt(midnight + minutes * 60_000)
    const cos = Math.cos(ZENITH * RAD) / (Math.cos(lat * RAD) * Math.cos(declination)) - Math.tan(lat * RAD) * Math.tan(declination)
    const half = Math.acos(Math.max(-1, Math.min(1, cos))) / RAD
    minutes = MINUTES_A_DAY / 2 - 4 * lng - ahead + side * 4 * half
  }
  return Math.round(midnight / 60_000 + minutes) * 60_000
}

/** Whole minutes, as programs have them. */
export const sunset = (day: Day, place: Place): number => edgeOf(day, place, 1)
export const sunrise = (day: Day, place: Place): number => edgeOf(day, place, -1)

import type { Instant } from '../../../platform/contract/field.ts'
import { isReal } from '../../../platform/contract/time.ts'
import { TimeMode } from '../contract/pile.ts'

/** How a pile's clock is to be read. */
export interface PileClock {
  timeMode: number
  /** It writes the city's time and calls it UTC. */
  zIsCity: boolean
  /** How far behind its clock was when it was first heard of after a start at which it knew no date. */
  bootSkewMs: number | null
  /** Moments in a row that were the city's time called UTC. */
  cityStamps: number
}
export const soundClock = (timeMode: number, zIsCity: boolean): PileClock => ({ timeMode, zIsCity, bootSkewMs: null, cityStamps: 0 })

const CITY_MS = 8 * 3_600_000
const CITY_WITHIN_MS = 5 * 60_000
const CITY_STAMPS = 3
/** Before this no pile of ours was built: its clock was never set. */
const FIRST_YEAR_MS = Date.UTC(2020, 0, 1)
/** And after this none of them stands any more. */
const LAST_YEAR_MS = Date.UTC(2090, 0, 1)

/** The moment that a pile meant. `told`: it said one, else it is when we heard of it. `live`: it speaks of now, so that its clock shows itself. */
export function momentOf(
  stamp: string | null,
  receivedMs: number,
  clock: PileClock,
  live: boolean,
): { at: Instant; skewSec: number | null; told: boolean } {
  const told = stamp === null ? undefined : readStamp(stamp, clock)
  if (told === undefined) return { at: isoOf(receivedMs), skewSec: null, told: false }
  if (told.ms < FIRST_YEAR_MS) {
    if (live) clock.bootSkewMs ??= receivedMs - told.ms
    return { at: isoOf(clock.bootSkewMs === null ? receivedMs : told.ms + clock.bootSkewMs), skewSec: null, told: clock.bootSkewMs !== null }
  }
  let { ms } = told
  const ahead = ms - receivedMs - CITY_MS
  if (live && !clock.zIsCity) {
    clock.cityStamps = Math.abs(ahead) <= CITY_WITHIN_MS ? clock.cityStamps + 1 : 0
    if (clock.cityStamps >= CITY_STAMPS) {
      clock.zIsCity = told.zone
      clock.timeMode = TimeMode.city
      ms -= CITY_MS
    }
  }
  return { at: isoOf(ms), skewSec: live ? Math.round((ms - receivedMs) / 1000) : null, told: true }
}
const isoOf = (ms: number) => new Date(ms).toISOString() as Instant

/** `zone`: it named one, rightly or not. */
function readStamp(stamp: string, { timeMode, zIsCity }: PileClock): { ms: number; zone: boolean } | undefined {
  const [, day, time, zone] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|[+-]\d\d:?\d\d)?$/i.exec(stamp) ?? []
  if (!day || !time) return undefined
  const ms = Date.parse(
    `${day}T${time.length === 5 ? `${time}:00` : time.slice(0, 12)}${zone && !/^z$/i.test(zone) ? zone.replace(/^([+-]\d\d):?(\d\d)$/, '$1:$2') : 'Z'}`,
  )
  if (Number.isNaN(ms) || ms > LAST_YEAR_MS || !isReal(day)) return undefined
  const isCity = zone === undefined ? timeMode === TimeMode.city : /^z$/i.test(zone) && zIsCity
  return { ms: isCity ? ms - CITY_MS : ms, zone: zone !== undefined }
}

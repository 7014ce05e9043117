import { CITY_OFFSET_MS } from '../../../platform/contract/time.ts'
import { type QuoteLineOf } from '../contract/quote.ts'
import { isAdjusting, isCostless } from '../contract/words.ts'
import { time } from '../../../platform/web/format.ts'

/** Hues of bands, neither accent nor state: steel by day, indigo by night, a second shade where a rule has more. The style sheet says the colours. */
export type Hue = 'day' | 'night' | 'day-2' | 'night-2' | 'day-3' | 'night-3'
const SHADES = 3
const MORNING = 6
const EVENING = 19

/** Midnight 0 … 1439. */
const cityMinute = (instant: string) => {
  const clock = time(instant).slice(11, 16)
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
}
const isDay = (minute: number) => minute >= MORNING * 60 && minute < EVENING * 60

/** A band keeps its hue wherever it comes again in one stay; it is a day's band when most of its time in the stay is daytime. */
export function huesOf(lines: readonly QuoteLineOf[]): Map<number, Hue> {
  const daytime = new Map<number, number>()
  for (const { segment, segmentNo, from, to } of lines)
    if (segmentNo >= 0)
      daytime.set(
        segmentNo,
        clockOf(segment) ?? (daytime.get(segmentNo) ?? 0) + daylight(cityMinute(from), (Date.parse(to) - Date.parse(from)) / MINUTE_MS),
      )
  const hues = new Map<number, Hue>()
  const used = { day: 0, night: 0 }
  for (const [segmentNo, balance] of daytime) hues.set(segmentNo, nextHue(balance >= 0, used))
  return hues
}
/** By the clock of the band itself, where it is called by that: the same band has one hue whichever part of it a stay meets. */
function clockOf(segment: string | null): number | undefined {
  const [, fromHour, fromMin, toHour, toMin] = CLOCK.exec(segment ?? '') ?? []
  if (fromHour === undefined) return undefined
  return isDayBand(Number(fromHour) * 60 + Number(fromMin), Number(toHour) * 60 + Number(toMin)) ? 1 : -1
}
const CLOCK = /^(\d\d):(\d\d)–(\d\d):(\d\d)$/
/** Minutes of day less minutes of night, sampled every quarter of an hour from its middle. */
function daylight(start: number, length: number) {
  let balance = 0
  for (let at = 0; at < length; at += SAMPLE_MIN) {
    const span = Math.min(SAMPLE_MIN, length - at)
    balance += isDay((start + at + span / 2) % DAY_MIN) ? span : -span
  }
  return balance
}
const SAMPLE_MIN = 15
export function nextHue(day: boolean, used: { day: number; night: number }): Hue {
  const base = day ? 'day' : 'night'
  const shade = Math.min(++used[base], SHADES)
  return (shade === 1 ? base : `${base}-${shade}`) as Hue
}
/** The hue of a band of the clock, by its middle: over midnight the middle lies in the night. */
export const isDayBand = (fromMin: number, toMin: number) => isDay(Math.floor((fromMin + (toMin <= fromMin ? toMin + 1440 : toMin)) / 2) % 1440)

const MINUTE_MS = 60_000
const STEPS_MIN = [5, 10, 15, 30, 60, 120, 180, 240, 360, 720]
const DAY_MIN = 1440
const TICKS_MOST = 9
/** Round times of the city between two moments, never more than fit side by side. */
export function ticksBetween(start: number, end: number): number[] {
  const fits = (minutes: number) => (end - start) / (minutes * MINUTE_MS) <= TICKS_MOST
  let step = STEPS_MIN.find(fits) ?? DAY_MIN
  while (!fits(step)) step += DAY_MIN
  const ms = step * MINUTE_MS
  const first = Math.ceil((start + CITY_OFFSET_MS) / ms) * ms - CITY_OFFSET_MS
  return Array.from({ length: Math.max(0, Math.floor((end - first) / ms) + 1) }, (_, i) => first + i * ms)
}

/** Lines of time, without those that adjust the sum. */
export const timeLines = (lines: readonly QuoteLineOf[]) => lines.filter((line) => !isAdjusting(line))

/** A stretch of the bar: a line, cut where its cap begins to hold. */
export interface Stretch {
  from: number
  to: number
  line: QuoteLineOf
  look: 'charged' | 'free' | 'capped'
}
export function stretchesOf(lines: readonly QuoteLineOf[]): Stretch[] {
  return timeLines(lines).flatMap((line): Stretch[] => {
    const [from, to] = [Date.parse(line.from), Date.parse(line.to)]
    if (isCostless(line)) return [{ from, to, line, look: 'free' }]
    const capped = line.cappedFrom ? Date.parse(line.cappedFrom) : to
    const both: Stretch[] = [
      { from, to: capped, line, look: 'charged' },
      { from: capped, to, line, look: 'capped' },
    ]
    return both.filter((one) => one.to > one.from)
  })
}

import type { Day, Fen, Instant } from '../contract/field.ts'
import type { Say } from './text.ts'
import { lasting } from '../contract/duration.ts'

/** Everything is shown in the city's zone, wherever the reader sits. */
export const CITY_ZONE = 'Asia/Shanghai'
export const NONE = '--'
const MS_A_MINUTE = 60_000

const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: CITY_ZONE, dateStyle: 'short', timeStyle: 'medium' })
const FOURTEEN_DIGITS = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/
const CITY_TIME = /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d)?$/
/** `yyyy-MM-dd HH:mm:ss` of the city. Takes an instant, a `Date`, 14 digits (already city time) or what already reads so. */
export function time(instant: Instant | Date | string): string {
  if (typeof instant === 'string') {
    if (CITY_TIME.test(instant)) return instant
    const digits = FOURTEEN_DIGITS.exec(instant)
    if (digits) return `${digits[1]}-${digits[2]}-${digits[3]} ${digits[4]}:${digits[5]}:${digits[6]}`
  }
  const at = new Date(instant)
  return Number.isNaN(at.getTime()) ? String(instant) : clock.format(at)
}
/** The city's day: `2026-09-01`. */
export const cityDay = (instant: Instant | Date | string = new Date()) => time(instant).slice(0, 10) as Day
/** Where a moment is most likely of today, and there is little room: `14:05`, and `11-28 14:05` of any other day. */
export function nearTime(instant: Instant | Date | string, to: 'minute' | 'second' = 'minute'): string {
  const whole = time(instant)
  return whole.slice(whole.startsWith(cityDay()) ? 11 : 5, to === 'minute' ? 16 : 19)
}
/** A whole day of the city as the calls take it: both ends included. */
export const dayStart = (day: string) => `${day} 00:00:00`
export const dayEnd = (day: string) => `${day} 23:59:59`

const grouped = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
/** 123456 fen are `1,234.56`. */
export const yuan = (fen: Fen | number) => grouped.format(fen / 100)
/** -123456 fen are `-¥1,234.56`. */
export const money = (fen: Fen | number) => `${fen < 0 ? '-' : ''}¥${yuan(Math.abs(fen))}`
/** 1500 watt hours are `1.50` kilowatt hours. */
export const kilowattHours = (wh: number) => grouped.format(wh / 1000)
const whole = new Intl.NumberFormat('en-US')
export const count = (value: number) => whole.format(value)
export const decimal = (value: number, digits: number) =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
/** Shares are kept in thousandths and read in hundredths: 1505 is `150.5%`; none is `--`. */
export const percent = (permille: number | null | undefined) => (permille === null || permille === undefined ? NONE : `${count(permille / 10)}%`)

/** 1501 minutes are `1天1小时1分` and `1 d 1 h 1 min`; none or zero is `--`. */
export const duration = (minutes: number | null | undefined, say: Say): string => (minutes && minutes >= 1 ? say(lasting(minutes)) : NONE)
export const minutesOf = (milliseconds: number) => Math.floor(milliseconds / MS_A_MINUTE)

/** Bytes as people say them: `932 B`, `1.4 MB`. */
export function sizeOf(bytes: number): string {
  const step = Math.min(SIZES.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(KILO)))
  return `${(bytes / KILO ** step).toFixed(step === 0 ? 0 : 1)} ${SIZES[step]}`
}
const KILO = 1024
const SIZES = ['B', 'KB', 'MB', 'GB', 'TB']

import { CITY_OFFSET_MS, cityTime, DAY_MS, instantAt } from '../../platform/contract/time.ts'

/** `2026-11-20 10:00:00`, the city's clock. */
export const cityText = (ms: number): string => cityTime(instantAt(ms))
/** `2026-11-20T10:00:00+08:00`. */
export const rfc3339 = (ms: number): string => `${cityText(ms).replace(' ', 'T')}+08:00`
/** `20261120100000`. */
export const cityDigits = (ms: number): string => cityText(ms).replaceAll(/\D/g, '')

const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
export function rfc3339In(text: string): number | undefined {
  const ms = RFC3339.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
const CITY = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/
export function cityTextIn(text: string): number | undefined {
  const ms = CITY.test(text) ? Date.parse(`${text.replace(' ', 'T')}+08:00`) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

export interface Span {
  from: number
  until: number
}
/** A day of the city, `2026-11-20`; undefined for a text that is none. */
export function dayIn(text: string): Span | undefined {
  const from = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) - CITY_OFFSET_MS : Number.NaN
  return Number.isNaN(from) || cityText(from).slice(0, 10) !== text ? undefined : { from, until: from + DAY_MS }
}
export const within = (at: number | undefined, { from, until }: Span): boolean => at !== undefined && at >= from && at < until

export const yuan = (fen: number): string => (fen / 100).toFixed(2)
/** Whole fen of yuan with at most two digits behind the point; undefined for other texts. */
export function fenIn(text: unknown): number | undefined {
  const found = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(typeof text === 'number' ? String(text) : typeof text === 'string' ? text : '')
  return found ? Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0')) : undefined
}

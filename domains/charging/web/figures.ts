import { count, NONE, yuan } from '../../../platform/web/format.ts'

/** Figures as people of the trade write them. */
export const kwh = (wh: number | null | undefined) =>
  wh === null || wh === undefined ? NONE : (wh / 1000).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
export const kw = (w: number | null | undefined) => (w === null || w === undefined ? NONE : (w / 1000).toFixed(1))
export const percent = (permille: number | null | undefined) =>
  permille === null || permille === undefined ? NONE : `${(permille / 10).toFixed(1)}%`
export const hours = (minutes: number | null | undefined) => (minutes === null || minutes === undefined ? NONE : (minutes / 60).toFixed(1))
export const money = (fen: number) => yuan(fen)
export const whole = count

/** The lists behind the figures. */
export const BILLS = '/recharge/chargingAnalysis/finance'
export const DANGERS = '/recharge/chargingDanger'
export const FAULTS = '/recharge/chargingFault'
export const CHARGES = '/recharge/chargingOrder/use'
export const ACTIVITIES = '/recharge/chargingActivity'
const query = (values: Record<string, string | undefined>) =>
  new URLSearchParams(Object.entries(values).filter((one): one is [string, string] => one[1] !== undefined)).toString()
export const billsOf = (from: string, to: string, stationId?: string) =>
  `${BILLS}?${query({ view: 'bills', finalAtFrom: from, finalAtTo: to, stationId })}`
export const chargesOf = (from: string, to: string, stationId?: string) => `${CHARGES}?${query({ startTimeFrom: from, startTimeTo: to, stationId })}`
export const dangersOf = (more: Record<string, string | undefined>) => `${DANGERS}?${query(more)}`

/** The moments of a group of figures: an hour, a day, a month, or the whole time for a station. */
export function edgesOf(key: string, from: string, to: string): [from: string, to: string] {
  if (/^\d{4}-\d\d-\d\d \d\d:00$/.test(key)) return [`${key}:00`, `${key.slice(0, 13)}:59:59`]
  if (/^\d{4}-\d\d-\d\d$/.test(key)) return [`${key} 00:00:00`, `${key} 23:59:59`]
  if (/^\d{4}-\d\d$/.test(key))
    return [`${key}-01 00:00:00`, `${key}-${String(new Date(Date.UTC(Number(key.slice(0, 4)), Number(key.slice(5)), 0)).getUTCDate())} 23:59:59`]
  return [from, to]
}

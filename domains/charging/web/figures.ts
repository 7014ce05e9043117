import { lasting } from '../../../platform/contract/duration.ts'
import { count, NONE, time, yuan } from '../../../platform/web/format.ts'
import { type Criteria, listAt } from '../../../platform/web/list/listAt.ts'
import type { Text } from '../../../platform/web/text.ts'
import { BILLS, DANGERS, finalIn } from '../contract/figures.ts'
import { PlaceState } from '../contract/map.ts'
import { BillKind } from '../contract/money.ts'
import { ChargeStatus } from '../contract/session.ts'
import { GroupBy } from '../contract/span.ts'

/** Figures as people of the trade write them. */
export const kwh = (wh: number | null | undefined) =>
  wh === null || wh === undefined ? NONE : (wh / 1000).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })
export const kw = (w: number | null | undefined) => (w === null || w === undefined ? NONE : (w / 1000).toFixed(1))
export const hours = (minutes: number | null | undefined) => (minutes === null || minutes === undefined ? NONE : (minutes / 60).toFixed(1))
/** Between two lengths, the second open: `30分钟 – 1小时`. */
export function lengthsOf({ fromMin, toMin }: { fromMin: number; toMin: number | null }): Text {
  const [[zh, en], [zhTo, enTo]] = [lasting(fromMin), lasting(toMin ?? 0)]
  return toMin === null ? [`≥ ${zh}`, `${en} or more`] : [`${zh} – ${zhTo}`, `${en} – ${enTo}`]
}
export const money = (fen: number) => yuan(fen)
/** A price per kWh with its four decimals; of none nothing. */
export const perKwh = (e4: number | null | undefined) => (e4 === null || e4 === undefined ? NONE : (e4 / 10_000).toFixed(4))
export const whole = count

/** How a station's point is drawn on a map. */
export const PLACE_TONES = {
  [PlaceState.free]: 'success',
  [PlaceState.busy]: 'warning',
  [PlaceState.full]: 'error',
  [PlaceState.offline]: 'error',
  [PlaceState.shut]: 'default',
  [PlaceState.halted]: 'error',
  [PlaceState.bare]: 'default',
} as const

/** The lists behind the figures. */
export const FAULTS = '/recharge/chargingFault'
export const PILES = '/recharge/chargingPileList'
export const CHARGES = '/recharge/chargingOrder/use'
export const ACTIVITIES = '/recharge/chargingActivity'
export interface Part {
  from: string
  to: string
  stationId?: string | undefined
}
export const billsOf = ({ from, to, stationId }: Part) => listAt(BILLS, finalIn({ from, to, stationId }))
/** One for each charge: what was adjusted later, and what a bay cost, are bills of their own. */
export const chargeBillsOf = (part: Part) => `${billsOf(part)}&kind=${BillKind.charge}`
const { waiting, starting, failed, cancelled } = ChargeStatus
const without = (...left: readonly number[]) =>
  Object.keys(ChargeStatus.entries)
    .map(Number)
    .filter((status) => !left.includes(status))
const chargesIn = ({ from, to, stationId }: Part, status: readonly number[]) =>
  listAt(CHARGES, { startTimeFrom: from, startTimeTo: to, status, stationId })
/** Charges that ever charged, and those that are about to as well. */
export const chargesOf = (part: Part) => chargesIn(part, without(waiting, starting, failed, cancelled))
export const startsOf = (part: Part) => chargesIn(part, without(waiting, failed, cancelled))
export const dangersOf = ({ from, to, stationId }: Part, more: Criteria = {}) =>
  listAt(DANGERS, { foundAtFrom: from, foundAtTo: to, stationId, ...more })

/** The hour that begins at a moment. */
export const hourOf = (at: string): Part => ({ from: time(at), to: `${time(at).slice(0, 13)}:59:59` })

/** A time of figures, and by what they are put together. */
export interface Asked {
  timeFrom: string
  timeTo: string
  stationId?: string | undefined
  groupBy?: number | undefined
}
/** What a page of figures is of. */
export const wholeOf = ({ timeFrom, timeTo, stationId }: Asked): Part => ({ from: timeFrom, to: timeTo, stationId })
/** What a group of figures is of: its hour, day or month, as far as that lies in the time asked for; or its station. */
export function partOf(key: string, asked: Asked): Part {
  if (asked.groupBy === GroupBy.station) return { ...wholeOf(asked), stationId: key }
  const [first, last] = edgesOf(key)
  const [from, to] = [time(asked.timeFrom), time(asked.timeTo)]
  return { from: first > from ? first : from, to: last < to ? last : to, stationId: asked.stationId }
}
/** `2026-03-10 08:00`, `2026-03-10`, `2026-03`. */
function edgesOf(key: string): [first: string, last: string] {
  if (key.includes(':')) return [`${key}:00`, `${key.slice(0, 13)}:59:59`]
  const [year, month, day] = key.split('-').map(Number)
  const last = day ? key : `${key}-${new Date(Date.UTC(year!, month!, 0)).getUTCDate()}`
  return [`${day ? key : `${key}-01`} 00:00:00`, `${last} 23:59:59`]
}

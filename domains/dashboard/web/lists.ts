import { cityDay, dayEnd, dayStart } from '../../../platform/web/format.ts'
import { listAt } from '../../../platform/web/listAt.ts'
import { ArrearsSource, DECIDED, OrderType } from '../../settlement/contract/order.ts'

/** The lists that the figures of the first page sum, each with its filter in the address. */
export const STAYS = '/operation/record/parking/parkingRecord'
export const ABNORMAL = '/operation/record/parking/abnormal'
export const PRESENT = '/operation/record/parking/present'
export const INCOME = '/operation/temporaryIncome'
export const ORDERS = '/operation/finance'

type More = Record<string, string>
const between = (path: string, field: string, from: string, to: string, more: More) =>
  listAt(path, { [`${field}From`]: from, [`${field}To`]: to, ...more })
export const within = (path: string, field: string, more: More = {}, day: string = cityDay()) =>
  between(path, field, dayStart(day), dayEnd(day), more)

/** Void records are in no figure; a car that came in was seen doing it, and one that left did so through a lane. */
const CAME = { status: '1,2,3,4', entered: 'true' }
const WENT = { status: '3' }
export const cameIn = (day: string = cityDay()) => within(STAYS, 'entryTime', CAME, day)
/** By when they were first seen: what went wrong with a car may be that nobody saw it coming in. */
export const abnormalSeen = (day: string = cityDay()) => within(ABNORMAL, 'seenAt', {}, day)
export const wentOut = (day: string = cityDay()) => within(STAYS, 'exitTime', WENT, day)

/** Parking orders that were made on a day and whose amount is decided: their 应收 is the sum of what became of it. */
const DECIDED_PARKING = { type: String(OrderType.temporaryParking), status: DECIDED.join(',') }
export const decidedOrders = (day: string = cityDay()) => within(ORDERS, 'createdAt', DECIDED_PARKING, day)

/** Parking of a day that was not paid when the car left, whatever became of it: only a debt has a source. */
const UNPAID = { type: String(OrderType.temporaryParking), sourceType: Object.keys(ArrearsSource.entries).join(',') }
export const leftUnpaid = (day: string = cityDay()) => within(ORDERS, 'createdAt', UNPAID, day)

const hourOf = (day: string, hour: number, path: string, field: string, more: More) => {
  const of = String(hour).padStart(2, '0')
  return between(path, field, `${day} ${of}:00:00`, `${day} ${of}:59:59`, more)
}
export const cameInHour = (day: string, hour: number) => hourOf(day, hour, STAYS, 'entryTime', CAME)
export const wentOutHour = (day: string, hour: number) => hourOf(day, hour, STAYS, 'exitTime', WENT)

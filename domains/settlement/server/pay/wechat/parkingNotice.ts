import type { Instant } from '../../../../../platform/contract/field.ts'
import { type Fields, NotUnderstood } from './fields.ts'
import { type ParkingTrade, parkingTradeIn } from './parkingTrade.ts'

/** The car of an entry can be debited, or no longer: its driver paused, owes, or took the plate away. */
export interface EntryNotice {
  kind: 'parkingEntry'
  parkingId: string
  outParkingNo: string
  usable: boolean
  /** `PAUSE`, `OVERDUE`, `REMOVE` … */
  blocked: string | undefined
  changedAt: Instant
}
/** A debit succeeded or failed, or its driver has paid back what WeChat advanced. */
export interface DebitNotice extends ParkingTrade {
  kind: 'parkingDebit'
}
export type ParkingNotice = EntryNotice | DebitNotice

const ENTRY = 'VEHICLE.ENTRANCE_STATE_CHANGE'
const DEBITS: readonly string[] = ['TRANSACTION.SUCCESS', 'TRANSACTION.FAIL', 'TRANSACTION.PAY_BACK']

/** Undefined where it is about nothing of parking. @throws NotUnderstood for another merchant's */
export function parkingNoticeIn(event: string, fields: Fields, { mchId, appId }: { mchId: string; appId: string }): ParkingNotice | undefined {
  const isDebit = DEBITS.includes(event) && fields.textOr('trade_scene', '') === 'PARKING'
  if (event !== ENTRY && !isDebit) return undefined
  if (fields.text('sp_mchid') !== mchId) throw new NotUnderstood('of another merchant')
  if (!isDebit) return entryIn(fields)
  if (fields.text('appid') !== appId) throw new NotUnderstood('of another app')
  return { kind: 'parkingDebit', ...parkingTradeIn(fields, event === 'TRANSACTION.FAIL') }
}
const entryIn = (fields: Fields): EntryNotice => ({
  kind: 'parkingEntry',
  parkingId: fields.text('parking_id'),
  outParkingNo: fields.text('out_parking_no'),
  usable: fields.text('parking_state') === 'NORMAL',
  blocked: fields.textOr('blocked_state_description', undefined),
  changedAt: fields.moment('state_update_time'),
})

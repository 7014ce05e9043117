import type { Instant } from '../../../../platform/contract/field.ts'
import { cityTime } from '../../../../platform/contract/time.ts'
import type { Tx } from '../../../../platform/server/database.ts'
import { refusal } from '../../../../platform/server/refusal.ts'
import { lockOrders } from '../../../settlement/server/api.ts'
import { PassMode } from '../../contract/stay.ts'
import { rightOf } from './entrance.ts'
import { standingOf } from '../questions.ts'
import { editStay, type StayRecord } from '../stay/stayMoves.ts'

const EntrySeen = refusal(
  'parking.entry-seen',
  40867,
  '该车有入场识别记录（{at}），不能在车道改入场时间：不是这次停车的，请匹配或修正车牌；时间有误的，请在停车记录中更正',
  'This car was seen coming in ({at}), so its entry time is not set at the lane: if that is another car, match it or correct the plate; if the time is wrong, correct it on the stay',
)
const PaidSince = refusal(
  'parking.paid-since-entry',
  40868,
  '该车按原入场时间已缴过费，不能再改入场时间：多收的请在订单中退款',
  'This car has paid by the entry time it had, so that is not changed any more: refund from its order what was taken in error',
)

/** The time that a person says a car came in, again if they were mistaken before: what it costs follows. @throws EntrySeen, PaidSince */
export async function enteredAt(tx: Tx, stay: StayRecord, entryTime: Instant, by: string): Promise<StayRecord> {
  if (stay.entryTime !== null && Date.parse(stay.entryTime) === Date.parse(entryTime)) return stay
  if (stay.entryTime !== null && stay.entryMode !== null && stay.entryMode !== PassMode.entered)
    throw EntrySeen({ at: cityTime(stay.entryTime).slice(0, 16) })
  if (stay.paidFen > 0 || stay.settledFen > 0) throw PaidSince()
  const { parkCode, plateNo, plateColor } = stay
  // As a payment does it: the order is held before its stay.
  if (stay.orderId) await lockOrders(tx, [stay.orderId])
  const right = rightOf(await standingOf(tx, { parkCode, plateNo, plateColor, at: entryTime }))
  return editStay(tx, stay, { ...right, entryTime, entryMode: PassMode.entered, operatorIn: by })
}

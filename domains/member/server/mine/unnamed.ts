import { Refusal, refusal } from '../../../../platform/server/refusal.ts'
import { Overlaps } from '../sold/pass.ts'
import { type Quote, QuoteMoved } from '../sold/renew.ts'

const Taken = refusal(
  'member.mine-taken',
  41474,
  '车辆在此期间已有月卡，请核对日期或联系车场',
  'A car already has a pass in that period: check the dates or contact the car park',
)
const Moved = refusal(
  'member.mine-quote-moved',
  41475,
  '报价已失效或金额、期限已变化，请按新报价确认',
  'The quote has expired, or its amount or dates have changed: confirm the new one',
)

/** A refusal says what is wrong for the driver who asks, and names neither another's pass nor another's car. */
export async function unnamed<T>(work: () => Promise<T>, shown?: (quote: Quote) => object): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal && error.id === Overlaps().id) throw Taken()
    if (error instanceof Refusal && error.id === QuoteMoved().id) throw Moved({ ...shown?.(error.data as Quote) })
    throw error
  }
}

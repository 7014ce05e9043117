import { run, type Tx } from '../../../platform/server/database.ts'
import { NotFound, Refusal, refusal } from '../../../platform/server/refusal.ts'
import { phased, serve } from '../../../platform/server/serve.ts'
import { OrderStatus } from '../contract/order.ts'
import { scan } from '../contract/scan.ts'
import { driverAsks, type Place, scanned } from './events.ts'
import { PayAway } from './pay/provider.ts'
import { startPayment } from './pay/start.ts'
import type { OrderRow } from './row.ts'

const BadCode = refusal(
  'settlement.bad-code',
  40520,
  '二维码无效，请重新扫描现场的二维码或呼叫值班人员',
  'This QR code is not valid; scan the one on site again, or call the attendant',
  422,
)
/** The same as `PayAway`, for somebody who cannot take cash. */
export const DriverPayAway = refusal(
  'settlement.driver-pay-away',
  40526,
  '支付渠道暂时不可用，请稍后重试或联系值班人员',
  'The payment channel is not available; try again later, or contact the attendant',
  503,
)
const AWAY = PayAway().id
/** A driver has no session and no enterprise: the code that hangs at the place says whose order it can be. */
export const scanCalls = serve(scan, {
  find: phased(async ({ input, read, house }) => {
    const { enterpriseId, parkCode } = await placeOf(read, input.code)
    const waiting = await house.reading(enterpriseId, (tx) => run<OrderRow>(tx, WAITING, [parkCode, input.plateNo]))
    return waiting.map(({ orderNo, plateNo, payableFen, status }) => ({
      orderNo,
      parkCode,
      plateNo: plateNo!,
      payableFen,
      paying: status === OrderStatus.paying,
    }))
  }),
  quote: phased(async ({ input: { code, plateNo }, at, read, asSteps, house }) => {
    const place = await placeOf(read, code)
    const write = asSteps((work) => house.writing(place.enterpriseId, scan.quote.id, work))
    const told = await write((tx) => driverAsks.ask(tx, { parkCode: place.parkCode, plateNo, at, code: place }))
    return told.flatMap(({ answer }) => answer)
  }),
  pay: phased(async ({ input, at, read, asSteps, house }) => {
    const { enterpriseId: merchant, parkCode } = await placeOf(read, input.code)
    const sql = 'select id from settlement.order where enterprise_id = scope_enterprise() and order_no = $1 and park_code = $2'
    const [found] = await house.reading(merchant, (tx) => run<{ id: string }>(tx, { sql }, [input.orderNo, parkCode]))
    if (!found) throw NotFound()
    const write = asSteps((work) => house.writing(merchant, scan.pay.id, work))
    return startPayment(write, { orderId: found.id, payMethod: input.payMethod, merchant, at }).catch((error: Error) => {
      throw error instanceof Refusal && error.id === AWAY ? DriverPayAway() : error
    })
  }),
})
const WAITING = {
  sql: `select order_no, plate_no, payable_fen, status from settlement.order
    where enterprise_id = scope_enterprise() and park_code = $1 and plate_no = $2 and status in (${OrderStatus.unpaid}, ${OrderStatus.paying}) order by created_at desc limit 5`,
}
/** @throws BadCode */
export async function placeOf(read: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>, code: string): Promise<Place> {
  const [place] = await read((tx) => scanned.ask(tx, { code }))
  if (!place) throw BadCode()
  return place.answer
}

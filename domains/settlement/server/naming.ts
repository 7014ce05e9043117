import type { PlateColorCode } from '../../../platform/contract/plate.ts'
import { begunAt, type Tx } from '../../../platform/server/database.ts'
import { OrderStatus } from '../contract/order.ts'
import { orderNamed } from './events.ts'
import { change, told } from './row.ts'
import { Said } from '../contract/said.ts'

const OPEN = `status in (${OrderStatus.unpaid}, ${OrderStatus.paying}, ${OrderStatus.arrears})`
/** Whose order it is was learned afterwards: a sensor sees a car before anybody sees its plate, and a camera misreads one. An order that is over keeps the name under which it was paid. */
export async function nameOrder(
  tx: Tx,
  orderId: string,
  { plateNo, plateColor }: { plateNo: string; plateColor: PlateColorCode | null },
): Promise<void> {
  const named = await change(tx, orderId, 'plate_no = $2, plate_color = $3, subject = $4', OPEN, [
    plateNo,
    plateColor,
    Said.parking({ whose: plateNo }),
  ])
  if (!named) return
  await Promise.all([told(tx, orderId, named.parkCode), orderNamed.ask(tx, { orderId, plateNo, plateColor, at: begunAt(tx) })])
}

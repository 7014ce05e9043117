import { run, type Tx } from '../../../platform/server/database.ts'
import { Order } from '../contract/order.ts'
import { UNASKED_STATES } from '../contract/payment.ts'
import type { OrderRow } from './row.ts'
import { columnsIn } from '../../../platform/contract/names.ts'

const COLUMNS = columnsIn(Order)

/** The orders of one stay, oldest first. */
export const ordersOfStay = (tx: Tx, stayId: string): Promise<OrderRow[]> =>
  run<OrderRow>(
    tx,
    { sql: `select ${COLUMNS} from settlement.order where enterprise_id = scope_enterprise() and stay_id = $1 order by created_at, id limit 100` },
    [stayId],
  )

/** Returns the money paid for a stay beyond what was asked, and how much of it has gone back. */
export async function unaskedOf(tx: Tx, stayId: string): Promise<{ unaskedFen: number; backFen: number }> {
  const [sums] = await run<{ unaskedFen: string; backFen: string }>(tx, { sql: UNASKED }, [stayId])
  return { unaskedFen: Number(sums!.unaskedFen), backFen: Number(sums!.backFen) }
}
const UNASKED = `select coalesce(sum(p.received_fen), 0) as unasked_fen, coalesce(sum(p.refund_fen), 0) as back_fen
  from settlement.order o join settlement.payment p on p.enterprise_id = o.enterprise_id and p.order_id = o.id
  where o.enterprise_id = scope_enterprise() and o.stay_id = $1 and p.state in (${UNASKED_STATES.join(', ')})`

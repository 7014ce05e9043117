import { run, type Tx } from '../../../platform/server/database.ts'
import { Order } from '../contract/order.ts'
import type { OrderRow } from './row.ts'

const COLUMNS = Object.keys(Order.properties).map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join(', ') // prettier-ignore

/** The orders of one stay, oldest first. */
export const ordersOfStay = (tx: Tx, stayId: string): Promise<OrderRow[]> =>
  run<OrderRow>(
    tx,
    { sql: `select ${COLUMNS} from settlement.order where enterprise_id = scope_enterprise() and stay_id = $1 order by created_at, id limit 100` },
    [stayId],
  )

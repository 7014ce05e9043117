import { run, type Tx } from '../../../platform/server/database.ts'
import { Order } from '../contract/order.ts'
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

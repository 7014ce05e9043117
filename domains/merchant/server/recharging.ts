import { run, type Tx } from '../../../platform/server/database.ts'
import { OrderStatus } from '../../settlement/contract/order.ts'

/** Money may be on its way that only this merchant can be credited with. */
export const isRecharging = async (tx: Tx, mchId: string): Promise<boolean> => (await run(tx, RECHARGING, [mchId])).length > 0
const RECHARGING = {
  sql: `select from merchant.desk_recharge d join settlement.order o on o.enterprise_id = d.enterprise_id and o.id = d.order_id
    where d.enterprise_id = scope_enterprise() and d.mch_id = $1 and d.paid_at is null and o.status in (${OrderStatus.unpaid}, ${OrderStatus.paying}) limit 1`,
}

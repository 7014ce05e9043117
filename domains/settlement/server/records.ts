import { covered } from '../../../platform/contract/personal.ts'
import { run } from '../../../platform/server/database.ts'
import type { Kind } from '../../../platform/server/record/kinds.ts'
import { order, Order } from '../contract/order.ts'

const ORDERS = '/operation/finance'

/** An order is found by the beginning of its number. */
export const records: Kind[] = [
  {
    table: 'settlement.order',
    entity: Order,
    needs: order.list.needs,
    async find(tx, words, most, hidden) {
      const rows = await run<{ id: string; orderNo: string; plateNo: string | null }>(
        tx,
        {
          sql: 'select id, order_no, plate_no from settlement.order where enterprise_id = scope_enterprise() and order_no ^@ $1 order by order_no desc limit $2',
        },
        [words.toUpperCase(), most],
      )
      return rows.map(({ id, orderNo, plateNo }) => ({
        key: id,
        title: orderNo,
        detail: plateNo && hidden.includes('plate') ? covered('plate', plateNo) : (plateNo ?? ''),
        path: `${ORDERS}/${id}`,
      }))
    },
  },
]

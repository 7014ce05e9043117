import type { Fen, Instant } from '../../../platform/contract/field.ts'
import { type Source, sourceOf } from '../../../platform/server/record/known.ts'
import { order } from '../contract/order.ts'
import { ChargeStatus } from '../contract/session.ts'

const CHARGES = '/recharge/chargingOrder/use'
interface ChargeRow {
  orderNo: string
  plateNo: string | null
  connectorId: string
  status: keyof typeof ChargeStatus.entries
  costFen: Fen
  at: Instant
}
const CHARGE =
  'select c.order_no, c.plate_no, c.connector_id, c.status, c.cost_fen, c.start_time as at from charging.charge c where c.enterprise_id = scope_enterprise()'

export const known: Source[] = [
  sourceOf<ChargeRow>()({
    name: 'charging.charge',
    label: ['充电订单', 'Charging sessions'],
    needs: order.calls.recordList.needs,
    by: {
      plate: { sql: `${CHARGE} and c.plate_no = $1 order by c.start_time desc limit $2` },
      code: {
        sql: `select * from ((${CHARGE} and c.order_no = $1 limit $2) union (${CHARGE} and c.connector_id = $1 order by c.start_time desc limit $2)) c order by at desc limit $2`,
      },
    },
    tell: ({ orderNo, plateNo, connectorId, status, costFen, at }) => {
      const [zh, en] = ChargeStatus.entries[status]
      const of = `${plateNo ?? ''} ${connectorId}`.trim()
      return { key: orderNo, title: orderNo, zh: `${of}，${zh}`, en: `${of}, ${en}`, at, amountFen: costFen, path: `${CHARGES}/${orderNo}` }
    },
  }),
]

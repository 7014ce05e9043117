import type { Fen, Id, Instant, Of } from '../../../platform/contract/field.ts'
import { type Source, sourceOf } from '../../../platform/server/record/known.ts'
import { order, type Order, OrderStatus, OrderType } from '../contract/order.ts'
import { CHANNELS, PaymentState, PayMethod } from '../contract/payment.ts'
import { refund, type Refund, RefundState } from '../contract/refund.ts'

const ORDERS = '/operation/finance'
type OrderRow = Pick<Of<typeof Order>, 'id' | 'orderNo' | 'type' | 'status' | 'plateNo' | 'payableFen' | 'createdAt'>
const ORDER =
  'select o.id, o.order_no, o.type, o.status, o.plate_no, o.payable_fen, o.created_at from settlement.order o where o.enterprise_id = scope_enterprise()'

interface PaymentRow {
  id: string
  orderId: Id<'OrderId'>
  payNo: string
  payMethod: keyof typeof PayMethod.entries
  state: keyof typeof PaymentState.entries
  receivedFen: Fen
  at: Instant
}
const PAYMENT =
  'select p.id, p.order_id, p.pay_no, p.pay_method, p.state, p.received_fen, coalesce(p.paid_at, p.created_at) as at from settlement.payment p where p.enterprise_id = scope_enterprise()'
/** A trade number is looked up channel by channel, as its index is. */
const ALL_CHANNELS = `array[${Object.values(CHANNELS)
  .map((one) => `'${one}'`)
  .join(', ')}]`

type RefundRow = Pick<Of<typeof Refund>, 'id' | 'refundNo' | 'orderId' | 'state' | 'amountFen' | 'reason' | 'applicantName' | 'appliedAt'> & {
  orderNo: string
}
const REFUND = `select r.id, r.refund_no, r.order_id, r.state, r.amount_fen, r.reason, r.applicant_name, r.applied_at, o.order_no from settlement.order o
  join settlement.refund r on r.enterprise_id = o.enterprise_id and r.order_id = o.id where o.enterprise_id = scope_enterprise()`

export const known: Source[] = [
  sourceOf<OrderRow>()({
    name: 'settlement.order',
    label: ['订单', 'Orders'],
    needs: order.list.needs,
    by: {
      plate: { sql: `${ORDER} and o.plate_no = $1 order by o.created_at desc limit $2` },
      code: {
        sql: `${ORDER} and o.id in (select x.id from settlement.order x where x.enterprise_id = scope_enterprise() and x.order_no = $1
          union all select y.order_id from settlement.payment y where y.enterprise_id = scope_enterprise() and y.pay_no = $1
          union all select r.order_id from settlement.refund r where r.enterprise_id = scope_enterprise() and r.refund_no = $1) limit $2`,
      },
    },
    tell: ({ id, orderNo, type, status, plateNo, payableFen, createdAt }) => {
      const [zh, en] = OrderStatus.entries[status]
      const [ofZh, ofEn] = OrderType.entries[type]
      const of = plateNo ? ` ${plateNo}` : ''
      return {
        key: id,
        title: orderNo,
        zh: `${ofZh}${of}，${zh}`,
        en: `${ofEn}${of}, ${en}`,
        at: createdAt,
        amountFen: payableFen,
        path: `${ORDERS}/${id}`,
      }
    },
  }),
  sourceOf<PaymentRow>()({
    name: 'settlement.payment',
    label: ['支付', 'Payments'],
    needs: order.list.needs,
    by: {
      code: {
        sql: `${PAYMENT} and p.id in (select x.id from settlement.payment x where x.enterprise_id = scope_enterprise() and x.pay_no = $1
          union all select y.id from settlement.payment y where y.enterprise_id = scope_enterprise() and y.channel = any (${ALL_CHANNELS}) and y.trade_no = $1
          union all select z.id from settlement.payment z join settlement.order o on o.enterprise_id = z.enterprise_id and o.id = z.order_id where z.enterprise_id = scope_enterprise() and o.order_no = $1)
        order by 7 desc limit $2`,
      },
    },
    tell: ({ id, orderId, payNo, payMethod, state, receivedFen, at }) => {
      const [zh, en] = PaymentState.entries[state]
      const [byZh, byEn] = PayMethod.entries[payMethod]
      return { key: id, title: payNo, zh: `${byZh}，${zh}`, en: `${byEn}, ${en}`, at, amountFen: receivedFen, path: `${ORDERS}/${orderId}` }
    },
  }),
  sourceOf<RefundRow>()({
    name: 'settlement.refund',
    label: ['退款', 'Refunds'],
    needs: refund.list.needs,
    by: {
      plate: { sql: `${REFUND} and o.plate_no = $1 order by r.applied_at desc limit $2` },
      code: {
        sql: `${REFUND} and r.id in (select x.id from settlement.refund x where x.enterprise_id = scope_enterprise() and x.refund_no = $1
          union all select y.id from settlement.refund y join settlement.order q on q.enterprise_id = y.enterprise_id and q.id = y.order_id where y.enterprise_id = scope_enterprise() and q.order_no = $1)
        order by r.applied_at desc limit $2`,
      },
    },
    tell: ({ id, refundNo, orderId, orderNo, state, amountFen, reason, applicantName, appliedAt }) => {
      const [zh, en] = RefundState.entries[state]
      return {
        key: id,
        title: refundNo,
        zh: `${zh}，${applicantName}：${reason}（${orderNo}）`,
        en: `${en}, ${applicantName}: ${reason} (${orderNo})`,
        at: appliedAt,
        amountFen,
        path: `${ORDERS}/${orderId}`,
      }
    },
  }),
]

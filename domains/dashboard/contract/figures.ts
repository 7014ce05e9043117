import { figures } from '../../../platform/contract/figure.ts'
import { during } from '../../parking/contract/figures.ts'
import { ArrearsSource, order, OrderType } from '../../settlement/contract/order.ts'
import { Escapes } from './home.ts'

/** Only a debt has a source. */
const UNPAID = { type: String(OrderType.temporaryParking), sourceType: Object.keys(ArrearsSource.entries).join(',') }
/** Cars that left without paying. */
export const UNPAID_EXITS = figures(undefined, Escapes.properties, {
  orders: {
    counts: [
      '离场时没有付清、记为欠费的停车订单，含以后补缴和减免的',
      'parking orders booked as arrears when the car left, those repaid or waived since included',
    ],
    time: ['按下单时间', 'by when the order was made'],
    opens: { path: '/operation/finance', call: order.list, filter: during('createdAt', UNPAID) },
  },
})

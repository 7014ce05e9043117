import { Link } from 'react-router'
import { OrderStatus } from '../../settlement/contract/order.ts'
import { useText } from '../../../platform/web/text.ts'
import { booking } from '../contract/booking.ts'
import { Bookings } from './Bookings.tsx'

const ARREARS = '/userCenter/arrearage/record'
/** Overruns: paid inside, or arrears once the car has left. */
export default function BookingUnpaidScreen() {
  const say = useText()
  return (
    <Bookings
      purpose={[
        '超时费的补缴：车在场时在此支付，未付离场后转为欠费，在「欠费记录」中追缴',
        'Unpaid overrun fees: pay here while the car is inside; after it leaves they become arrears, collected in “Arrears records”',
      ]}
      query={booking.timeouts}
      exports={booking.timeoutExport}
      lead={[
        'overFen',
        'overStatus',
        {
          dataIndex: 'overOrderNo',
          title: say(['去向', 'Next step']),
          render: (_, row) =>
            row.overStatus === OrderStatus.arrears ? (
              <Link to={`${ARREARS}?plateNo=${encodeURIComponent(row.plateNo)}`}>{say(['欠费追缴', 'Collect in arrears'])}</Link>
            ) : (
              <Link to={`/operation/finance/${row.overOrderId ?? ''}`}>{row.overOrderNo}</Link>
            ),
        },
      ]}
      empty={['没有需要补缴的超时费', 'No overrun fees to pay']}
    />
  )
}

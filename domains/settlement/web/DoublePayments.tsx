import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { findPark, ParkName } from '../../parking/web/names.tsx'
import { liquidation } from '../contract/liquidation.ts'
import { order } from '../contract/order.ts'
import { PaymentState } from '../contract/payment.ts'
import { refund } from '../contract/refund.ts'
import { type PaymentLine, paymentSearch } from '../contract/report.ts'
import { Refunding } from './OrderDialogs.tsx'

type Line = Of<typeof PaymentLine>

/** Money that came twice, after the end or in a wrong amount: what goes back, and how far it is. */
export function DoublePayments({ toolbar, openOrder }: { toolbar: ReactNode; openOrder: (id: string) => void }) {
  const say = useText()
  const [returning, setReturning] = useState<Line>()
  return (
    <>
      <ListScreen
        purpose={[
          '重复支付、取消后支付自动原路退回；金额异常由人核实后退回',
          'What was paid twice or after the end goes back by itself; a wrong amount waits for a person',
        ]}
        query={liquidation.doubles}
        search={paymentSearch}
        toolbar={toolbar}
        find={['plateNo', 'state', 'paidAt', findPark, 'orderNo', 'tradeNo', 'payMethod']}
        sum={{ totals: ['receivedFen', 'refundFen'] }}
        columns={[
        'orderNo', 'plateNo', 'state', { dataIndex: 'parkCode', title: say(['车场', 'Park']), render: (_, row) => <ParkName code={row.parkCode} /> }, 'payMethod', 'receivedFen', 'refundFen', 'paidAt', 'tradeNo', 'payNo',
      ]} // prettier-ignore
        hidden={['payNo']}
        roomy={['parkCode', 'tradeNo']}
        actions={(row) => [
          { text: ['查看订单', 'Open the order'], needs: order.info.needs, run: () => openOrder(row.orderId) },
          { text: ['退回', 'Return'], needs: refund.apply.needs, run: () => setReturning(row), not: whyNot(row) },
        ]}
        empty={['没有重复或异常的支付', 'No money that nobody asked for']}
      />
      {returning && (
        <Refunding
          of={{ id: returning.orderId, orderNo: returning.orderNo }}
          payment={returning}
          leftFen={leftOf(returning)}
          onClose={() => setReturning(undefined)}
        />
      )}
    </>
  )
}

const leftOf = ({ receivedFen, refundFen }: Line) => receivedFen - refundFen
/** What was paid twice goes back by itself; should the channel say no, it is sent again from its order. */
function whyNot(row: Line): Text | false {
  if (leftOf(row) === 0) return ['已全部退回', 'All of it went back']
  return (
    row.state !== PaymentState.wrongAmount && [
      '系统正在自动退回；失败时请在订单中重新退款',
      'It goes back by itself; should that fail, send it again from its order',
    ]
  )
}

import type { ReactNode } from 'react'
import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { useText } from '../../../platform/web/text.ts'
import { findPark, ParkName } from '../../parking/web/names.tsx'
import { liquidation } from '../contract/liquidation.ts'
import { paymentSearch } from '../contract/report.ts'

/** Money that came twice, after the end or in a wrong amount: what goes back, and how far it is. */
export function DoublePayments({ toolbar }: { toolbar: ReactNode }) {
  const say = useText()
  return (
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
      empty={['没有重复或异常的支付', 'No money that nobody asked for']}
    />
  )
}

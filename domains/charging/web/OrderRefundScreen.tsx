import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { findPark } from '../../parking/web/api/names.tsx'
import { order, rechargeRefundSearch } from '../contract/order.ts'
import { RefundStands } from './ChargeMoney.tsx'
import { ChargeLink } from './links.tsx'
import { RefundState } from '../../settlement/contract/refund.ts'

/** Money that was sent back for charges. */
export default function OrderRefundScreen() {
  return (
    <ListScreen
      purpose={[
        '退回的预付余款与售后退款；超过 20 元的售后退款由另一人在「财务对账」中审核',
        'Unused prepayments and after-sale refunds; after-sale refunds above ¥20 are approved by another person under “Finance”',
      ]}
      query={order.calls.refundList}
      search={rechargeRefundSearch}
      exports={order.calls.refundExport}
      find={['orderNo', 'refundKind', 'state', 'appliedAt', 'refundNo', findPark]}
      sum={{ totals: ['refundFen'], figures: [{ text: ['待审核', 'to approve'], leads: { state: [RefundState.waiting] } }] }}
      columns={[
        'refundNo',
        { dataIndex: 'orderNo', render: (orderNo: string) => <ChargeLink orderNo={orderNo} /> },
        'refundKind',
        { dataIndex: 'state', render: (_, row) => <RefundStands of={row} /> },
        'holdFen',
        'usedFen',
        'refundFen',
        'appliedAt',
        'doneAt',
        'applicant',
        'checker',
      ]}
      hidden={['doneAt']}
      roomy={['checker']}
      live="settlement.order"
      empty={['还没有充电退款', 'No charging refunds yet']}
    />
  )
}

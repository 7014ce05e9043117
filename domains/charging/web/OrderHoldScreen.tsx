import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { findPark } from '../../parking/web/api/names.tsx'
import { HoldState, holdSearch } from '../contract/money.ts'
import { order } from '../contract/order.ts'

/** Money that was put aside for charges, and what became of it. */
export default function OrderHoldScreen() {
  return (
    <ListScreen
      purpose={[
        '每笔充电的预付、冻结与授信：预付 = 结算 + 释放 + 未结',
        'Prepayments, stored value on hold and credit of each session: prepaid = captured + released + open',
      ]}
      query={order.calls.holdList}
      search={holdSearch}
      exports={order.calls.holdExport}
      find={['orderNo', 'holdKind', 'state', 'holdAt', 'holdNo', findPark]}
      sum={{
        totals: ['holdFen', 'capturedFen', 'releasedFen', 'openFen', 'shortfallFen'],
        figures: [{ text: ['持有中', 'held'], leads: { state: [HoldState.held] } }],
      }}
      columns={[
        'holdNo',
        'orderNo',
        'holdKind',
        'state',
        'holdAt',
        'holdFen',
        'capturedFen',
        'releasedFen',
        'openFen',
        'shortfallFen',
        'payer',
        'payMethod',
        'tradeNo',
      ]}
      hidden={['tradeNo', 'shortfallFen']}
      roomy={['holdNo', 'payer', 'payMethod']}
      live="charging.order"
      empty={['还没有充电预付', 'No charging prepayments yet']}
    />
  )
}

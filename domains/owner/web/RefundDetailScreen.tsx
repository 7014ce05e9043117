import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { storedRefund, storedRefundSearch } from '../contract/refund.ts'
import { refundDetail } from './RefundStory.tsx'

/** The amount paid of each refund, and the people who handled it. */
export default function RefundDetailScreen() {
  return (
    <ListScreen
      purpose={['每笔退款的审核人、收回的赠送和实际到账', 'Each refund with its reviewers, bonus taken back and amount paid']}
      query={storedRefund.list}
      search={storedRefundSearch}
      find={['refundNo', 'phone', 'appliedAt', 'state', 'holder']}
      sum={{ totals: ['amountFen', 'clawbackFen', 'payFen', 'doneFen'] }}
      columns={[
        'holder',
        'refundNo',
        'state',
        'amountFen',
        'clawbackFen',
        'shortfallFen',
        'payFen',
        'doneFen',
        'applicantName',
        'firstName',
        'firstAt',
        'secondName',
        'secondAt',
        'finishedAt',
        'failure',
      ]}
      hidden={['firstAt', 'secondAt', 'failure']}
      roomy={['shortfallFen']}
      detail={refundDetail}
      empty={['没有储值退款', 'No refunds']}
    />
  )
}

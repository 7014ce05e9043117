import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { storedRefund, storedRefundSearch, StoredRefundState } from '../contract/refund.ts'
import { refundDetail } from './RefundStory.tsx'

/** All refunds of stored value, each with its story beside the list. */
export default function RefundScreen() {
  return (
    <ListScreen
      purpose={[
        '储值退款申请：登记、初审、复审由三人完成，最近的充值先退',
        'Stored value refunds: three people request, review and review again; the latest recharge is refunded first',
      ]}
      query={storedRefund.list}
      search={storedRefundSearch}
      find={['phone', 'state', 'appliedAt', 'refundNo', 'holder']}
      sum={{
        totals: ['amountFen', 'clawbackFen', 'payFen', 'doneFen'],
        figures: [
          { text: ['待初审', 'first review'], leads: { state: [StoredRefundState.waiting] } },
          { text: ['待复审', 'second review'], leads: { state: [StoredRefundState.firstPassed] } },
          { text: ['打款中', 'being paid'], leads: { state: [StoredRefundState.paying] } },
          { text: ['打款失败', 'failed'], leads: { state: [StoredRefundState.failed] } },
        ],
      }}
      columns={[
        'holder',
        'refundNo',
        'phone',
        'state',
        'amountFen',
        'clawbackFen',
        'payFen',
        'doneFen',
        'applicantName',
        'appliedAt',
        'firstName',
        'secondName',
        'finishedAt',
        'cardNo',
        'reason',
        'failure',
      ]}
      hidden={['cardNo', 'reason', 'failure', 'finishedAt']}
      roomy={['firstName', 'secondName']}
      detail={refundDetail}
      empty={['没有储值退款；在「车主储值」里申请', 'No refunds; request one under “Owner balances”']}
    />
  )
}

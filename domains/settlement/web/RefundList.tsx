import type { ReactNode } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { NONE } from '../../../platform/web/format.ts'
import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { useText } from '../../../platform/web/text.ts'
import { order } from '../contract/order.ts'
import { type Refund, refund, refundSearch, RefundState } from '../contract/refund.ts'

type Row = Of<typeof Refund>

/** Refunds of every order, those that wait for somebody first to be found: to approve, to hand out in cash, to send again. Each is dealt with in its order. */
export function RefundList({ toolbar, openOrder }: { toolbar: ReactNode; openOrder: (id: string) => void }) {
  const say = useText()
  const me = person.use()?.custId as string | undefined
  const mayDecide = (row: Row) =>
    row.state === RefundState.waiting && row.applicantId !== me && row.firstApproverId !== me && can(refund.approve.needs)
  return (
    <ListScreen
      purpose={['每一笔退款：谁申请、谁审核、退到哪一步', 'Every refund: who requested it, who approved it, how far it is']}
      query={refund.list}
      search={refundSearch}
      toolbar={toolbar}
      find={['state', findPark, 'appliedAt', 'refundNo']}
      sum={{
        figures: [
          { text: ['待审核', 'to approve'], leads: { state: [RefundState.waiting] } },
          { text: ['待退', 'approved'], leads: { state: [RefundState.approved] } },
          { text: ['失败', 'failed'], leads: { state: [RefundState.failed] } },
        ],
      }}
      columns={[
        'refundNo', 'state', { dataIndex: 'approvals', title: say(['已审', 'Approved']), render: (_, row) => (row.approvalsNeeded > 0 ? `${row.approvals}/${row.approvalsNeeded}` : NONE) }, 'amountFen', 'reason',
        { dataIndex: 'parkCode', title: say(['车场', 'Park']), render: (_, row) => <ParkName code={row.parkCode} /> }, { dataIndex: 'applicantName', render: (name: string) => (name === 'system' ? say(['系统', 'System']) : name) }, 'appliedAt', 'firstApproverName', 'secondApproverName', 'kind', 'finishedAt', 'failure', 'verdict',
      ]} // prettier-ignore
      hidden={['firstApproverName', 'secondApproverName', 'kind', 'finishedAt', 'failure', 'verdict']}
      roomy={['parkCode', 'appliedAt']}
      actions={(row) => [
        { text: mayDecide(row) ? ['审核', 'Review'] : ['查看订单', 'View order'], needs: order.info.needs, run: () => openOrder(row.orderId) },
      ]}
      empty={['没有退款', 'No refunds']}
    />
  )
}

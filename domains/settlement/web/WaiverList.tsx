import type { ReactNode } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { can, person } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { order } from '../contract/order.ts'
import { waiver, type WaiverLine, waiverSearch, WaiverState } from '../contract/waiver.ts'

type Row = Of<typeof WaiverLine>

/** What somebody asked to let drivers off: whoever approves finds it here, and decides in its order. */
export function WaiverList({ toolbar, openOrder }: { toolbar: ReactNode; openOrder: (id: string) => void }) {
  const say = useText()
  const me = person.use()?.custId as string | undefined
  const mayDecide = (row: Row) => row.state === WaiverState.waiting && row.applicantId !== me && row.approverId !== me && can(waiver.approve.needs)
  return (
    <ListScreen
      purpose={['每一笔减免：谁申请、谁审核、减免多少', 'Every waiver: who requested it, who approved it, and how much']}
      query={waiver.list}
      search={waiverSearch}
      toolbar={toolbar}
      exports={waiver.export}
      find={['state', 'plateNo', findPark, 'appliedAt', 'orderNo']}
      sum={{ totals: ['amountFen'], figures: [{ text: ['待审核', 'to approve'], leads: { state: [WaiverState.waiting] } }] }}
      columns={[
        'plateNo', 'state', { dataIndex: 'approvals', title: say(['已审', 'Approved']), render: (_, row) => `${row.approvals}/${row.approvalsNeeded}` }, 'amountFen', 'reason',
        { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> }, 'applicantName', 'appliedAt', 'approverName', 'orderNo', 'secondApproverName', 'verdict', 'decidedAt',
      ]} // prettier-ignore
      hidden={['secondApproverName', 'decidedAt']}
      roomy={['parkCode', 'verdict']}
      actions={(row) => [
        { text: mayDecide(row) ? ['审核', 'Review'] : ['查看订单', 'View order'], needs: order.info.needs, run: () => openOrder(row.orderId) },
      ]}
      empty={['没有减免', 'No waivers']}
    />
  )
}

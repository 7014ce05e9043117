import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { yuan } from '../../../platform/web/format.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { rowAfter } from '../../../platform/web/list/rowAfter.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { order } from '../contract/order.ts'
import { waiver, type WaiverLine, waiverSearch, WaiverState } from '../contract/waiver.ts'
import { MONEY_CHANGES } from './api/OrderDialogs.tsx'

type Row = Of<typeof WaiverLine>

/** Waivers that were asked for: an approver finds them here, and decides here. */
export function WaiverList({ toolbar, openOrder }: { toolbar: ReactNode; openOrder: (id: string) => void }) {
  const say = useText()
  const [rejecting, setRejecting] = useState<Row>()
  const actionsOf = useActions(setRejecting, openOrder)
  return (
    <>
      <ListScreen
        purpose={['每一笔减免：谁申请、谁审核、减免多少', 'Every waiver: who requested it, who approved it, and how much']}
        query={waiver.list}
        search={waiverSearch}
        toolbar={toolbar}
        exports={waiver.export}
        find={['state', 'plateNo', findPark, 'appliedAt', 'orderNo']}
        sum={{ totals: ['amountFen'], figures: [{ text: ['待审核', 'to approve'], leads: { state: [WaiverState.waiting] } }] }}
        columns={[
          'plateNo',
          'state',
          { dataIndex: 'approvals', title: say(['已审', 'Approved']), render: (_, row) => `${row.approvals}/${row.approvalsNeeded}` },
          'amountFen',
          'reason',
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          'applicantName',
          'appliedAt',
          'approverName',
          'orderNo',
          'secondApproverName',
          'verdict',
          'decidedAt',
        ]}
        hidden={['secondApproverName', 'decidedAt']}
        roomy={['parkCode', 'verdict']}
        actions={actionsOf}
        empty={['没有减免', 'No waivers']}
      />
      {rejecting && <Rejecting of={rejecting} onClose={() => setRejecting(undefined)} />}
    </>
  )
}

const nameOf = ({ plateNo, orderNo }: Row): string => [plateNo, orderNo].filter(Boolean).join(' · ')
const APPROVED_OR_OWN: Text = ['申请人与已审核的人不能再审核', 'You requested it or have already approved it']
/** The actions on a waiting waiver; each question names whose fee it is. */
function useActions(reject: (of: Row) => void, openOrder: (id: string) => void): (row: Row) => RowAction[] {
  const act = useAct(MONEY_CHANGES)
  const me = person.use()?.custId as string | undefined
  return (row) => {
    const which = { id: row.id, version: row.version }
    const [amount, name] = [`¥${yuan(row.amountFen)}`, nameOf(row)]
    const mine = me !== undefined && row.applicantId === me
    const not = (mine || (me !== undefined && row.approverId === me)) && APPROVED_OR_OWN
    const question: Text =
      row.approvals + 1 >= row.approvalsNeeded
        ? [`减免 ${name} 的 ${amount}？`, `Waive ${amount} of ${name}?`]
        : [`同意减免 ${amount}（${name}）？还需另一人审核`, `Approve waiving ${amount} (${name})? Another person still has to approve it`]
    const approve = async () => {
      const next = rowAfter(row.id)
      if (await act(waiver.approve, which, { question, act: [`同意减免 ${amount}`, `Waive ${amount}`], done: ['已审核', 'Approved'] })) next()
    }
    const withdraw = () =>
      void act(waiver.withdraw, which, {
        question: [`撤回 ${name} 的减免申请 ${amount}？`, `Withdraw the request to waive ${amount} of ${name}?`],
        act: ['撤回', 'Withdraw'],
        done: ['已撤回', 'Withdrawn'],
      })
    const waiting: RowAction[] = mine
      ? [{ text: ['撤回', 'Withdraw'], needs: waiver.withdraw.needs, run: withdraw }]
      : [
          { text: ['审核', 'Review'], needs: waiver.approve.needs, not, run: () => void approve() },
          { text: ['驳回', 'Reject'], needs: waiver.reject.needs, not, run: () => reject(row) },
        ]
    return [
      ...(row.state === WaiverState.waiting ? waiting : []),
      { text: ['查看订单', 'View order'], needs: order.info.needs, run: () => openOrder(row.orderId) },
    ]
  }
}

const Rejecting = ({ of, onClose }: { of: Row; onClose: () => void }) => (
  <FormDialog
    title={[`驳回减免 ¥${yuan(of.amountFen)} · ${nameOf(of)}`, `Reject waiver of ¥${yuan(of.amountFen)} · ${nameOf(of)}`]}
    entity={waiver.reject.input}
    mode="new"
    value={{ id: of.id, version: of.version }}
    save={waiver.reject}
    act={['驳回减免', 'Reject waiver']}
    done={['已驳回', 'Rejected']}
    changes={MONEY_CHANGES}
    fields={['verdict']}
    onClose={onClose}
  />
)

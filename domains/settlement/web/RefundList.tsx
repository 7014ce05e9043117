import { type ReactNode, useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { NONE, yuan } from '../../../platform/web/format.ts'
import { ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { rowAfter } from '../../../platform/web/list/rowAfter.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { order } from '../contract/order.ts'
import { PayMethod } from '../contract/payment.ts'
import { refund, type RefundLine, refundSearch, RefundState } from '../contract/refund.ts'
import { MONEY_CHANGES } from './api/OrderDialogs.tsx'
import { RefundWhy } from './api/RefundWhy.tsx'

type Row = Of<typeof RefundLine>

/** Refunds of every order, those that wait for somebody first to be found: to approve, to hand out in cash, to send again. A person who decides stays in the list. */
export function RefundList({ toolbar, openOrder }: { toolbar: ReactNode; openOrder: (id: string) => void }) {
  const say = useText()
  const [asked, setAsked] = useState<Row['id']>()
  const [rejecting, setRejecting] = useState<Row>()
  const actionsOf = useActions({ reject: setRejecting, why: setAsked, openOrder })
  return (
    <>
      <ListScreen
        purpose={['每一笔退款：谁申请、谁审核、退到哪一步', 'Every refund: who requested it, who approved it, how far it is']}
        query={refund.list}
        search={refundSearch}
        toolbar={toolbar}
        exports={refund.export}
        find={['state', 'plateNo', findPark, 'appliedAt', 'orderNo', 'refundNo', 'payMethod']}
        sum={{
          totals: ['amountFen'],
          figures: [
            { text: ['待审核', 'to approve'], leads: { state: [RefundState.waiting] } },
            { text: ['待退', 'approved'], leads: { state: [RefundState.approved] } },
            { text: ['失败', 'failed'], leads: { state: [RefundState.failed] } },
          ],
        }}
        columns={[
          'plateNo',
          'state',
          {
            dataIndex: 'approvals',
            title: say(['已审', 'Approved']),
            render: (_, row) => (row.approvalsNeeded > 0 ? `${row.approvals}/${row.approvalsNeeded}` : NONE),
          },
          'amountFen',
          'reason',
          { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
          'applicantName',
          'appliedAt',
          'orderNo',
          'refundNo',
          'payMethod',
          'firstApproverName',
          'secondApproverName',
          'kind',
          'finishedAt',
          'failure',
          'verdict',
        ]}
        hidden={['refundNo', 'payMethod', 'firstApproverName', 'secondApproverName', 'kind', 'finishedAt', 'failure', 'verdict']}
        roomy={['parkCode', 'appliedAt', 'orderNo']}
        actions={actionsOf}
        empty={['没有退款', 'No refunds']}
      />
      {asked && <RefundWhy id={asked} onClose={() => setAsked(undefined)} />}
      {rejecting && <Rejecting of={rejecting} onClose={() => setRejecting(undefined)} />}
    </>
  )
}

const nameOf = ({ plateNo, orderNo }: Row): string => [plateNo, orderNo].filter(Boolean).join(' · ')
const APPROVED_OR_OWN: Text = ['申请人与已审核的人不能再审核', 'You requested it or have already approved it']

interface Doors {
  reject: (of: Row) => void
  why: (id: Row['id']) => void
  openOrder: (id: string) => void
}
/** The next actions on a refund by its state; each question names whose money it is. */
function useActions({ reject, why, openOrder }: Doors): (row: Row) => RowAction[] {
  const act = useAct(MONEY_CHANGES)
  const me = person.use()?.custId as string | undefined
  return (row) => {
    const which = { id: row.id, version: row.version }
    const [amount, name] = [`¥${yuan(row.amountFen)}`, nameOf(row)]
    const mine = me !== undefined && row.applicantId === me
    const not = (mine || (me !== undefined && row.firstApproverId === me)) && APPROVED_OR_OWN
    const last = row.approvals + 1 >= row.approvalsNeeded
    const question: Text = last
      ? [`退款 ${amount} 给 ${name} 的付款人？`, `Refund ${amount} to the payer of ${name}?`]
      : [`同意退款 ${amount}（${name}）？还需另一人审核`, `Approve ${amount} (${name})? Another person still has to approve it`]
    const approve = async () => {
      const next = rowAfter(row.id)
      if (await act(refund.approve, which, { question, act: [`同意退款 ${amount}`, `Approve ${amount}`], done: ['已审核', 'Approved'] })) next()
    }
    const waiting: RowAction[] = [
      {
        text: ['审核', 'Review'],
        needs: refund.approve.needs,
        not,
        run: () => void approve(),
      },
      { text: ['驳回', 'Reject'], needs: refund.reject.needs, not, run: () => reject(row) },
    ]
    const withdraw: RowAction = {
      text: ['撤回', 'Withdraw'],
      needs: refund.withdraw.needs,
      run: () =>
        void act(refund.withdraw, which, {
          question: [`撤回 ${name} 的退款申请 ${amount}？`, `Withdraw the request for ${amount} of ${name}?`],
          act: ['撤回', 'Withdraw'],
          done: ['已撤回', 'Withdrawn'],
        }),
    }
    const payOut: RowAction = {
      text: [`付出现金 ${amount}`, `Pay out ${amount}`],
      needs: refund.payOut.needs,
      run: () =>
        void act(refund.payOut, which, {
          question: [`已把现金 ${amount} 交给 ${name} 的付款人？`, `Have you handed ${amount} in cash to the payer of ${name}?`],
          act: [`付出现金 ${amount}`, `Pay out ${amount}`],
          done: ['已记录', 'Recorded'],
        }),
    }
    const retry: RowAction = {
      text: ['重新退款', 'Retry'],
      needs: refund.retry.needs,
      run: () => void act(refund.retry, which, { done: ['已重新提交', 'Submitted again'] }),
    }
    return [
      ...(row.state === RefundState.waiting ? (mine ? [withdraw] : waiting) : []),
      ...(row.state === RefundState.approved && row.payMethod === PayMethod.cash ? [payOut] : []),
      ...(row.state === RefundState.failed ? [retry] : []),
      { text: ['为什么', 'Why'], needs: refund.list.needs, run: () => why(row.id) },
      { text: ['查看订单', 'View order'], needs: order.info.needs, run: () => openOrder(row.orderId) },
    ]
  }
}

const Rejecting = ({ of, onClose }: { of: Row; onClose: () => void }) => (
  <FormDialog
    title={[`驳回退款 ¥${yuan(of.amountFen)} · ${nameOf(of)}`, `Reject refund of ¥${yuan(of.amountFen)} · ${nameOf(of)}`]}
    entity={refund.reject.input}
    mode="new"
    value={{ id: of.id, version: of.version }}
    save={refund.reject}
    act={['驳回退款', 'Reject refund']}
    done={['已驳回', 'Rejected']}
    changes={MONEY_CHANGES}
    fields={['verdict']}
    onClose={onClose}
  />
)

import { Button } from 'antd'
import type { Of } from '../../../platform/contract/field.ts'
import { yuan } from '../../../platform/web/format.ts'
import { can, person } from '../../../platform/web/person.ts'
import { useAct } from '../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money, State, Time } from '../../../platform/web/value.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { useState } from 'react'
import type { Payment } from '../contract/payment.ts'
import { type Refund, refund, RefundKind, RefundState } from '../contract/refund.ts'
import { type Waiver, waiver, WaiverState } from '../contract/waiver.ts'
import { MONEY_CHANGES } from './api/OrderDialogs.tsx'
import { RefundWhy } from './api/RefundWhy.tsx'

type RefundOf = Of<typeof Refund>
type WaiverOf = Of<typeof Waiver>

/** Refunds of an order, made or under way, and who decided on each. */
export function Refunds({ of, payments }: { of: readonly RefundOf[]; payments: readonly Of<typeof Payment>[] }) {
  const say = useText()
  const [rejecting, setRejecting] = useState<RefundOf>()
  const [asked, setAsked] = useState<RefundOf['id']>()
  const isCash = ({ paymentId }: RefundOf) => payments.some(({ id, channel }) => id === paymentId && channel === 'cash')
  return (
    <>
      <table className="lines">
        <thead>
          <tr>
            <th>{say(['退款单号', 'Number'])}</th>
            <th>{say(['状态', 'Status'])}</th>
            <th>{say(['申请与审核', 'Requested and approved by'])}</th>
            <th className="right">{say(['金额', 'Amount'])}</th>
          </tr>
        </thead>
        <tbody>
          {of.map((one) => (
            <tr key={one.id}>
              <td>
                {can(refund.list.needs) ? (
                  <Button type="link" size="small" title={say(['为什么', 'Why'])} onClick={() => setAsked(one.id)}>
                    {one.refundNo}
                  </Button>
                ) : (
                  one.refundNo
                )}
                <div className="faint">
                  {say(RefundKind.entries[one.kind])} · {one.reason}
                </div>
              </td>
              <td className="wrap">
                <State dictionary={RefundState} value={one.state} />
                {one.state === RefundState.waiting && one.approvalsNeeded > 1 && (
                  <div className="faint">
                    {say([`已审 ${one.approvals}/${one.approvalsNeeded}`, `${one.approvals} of ${one.approvalsNeeded} approved`])}
                  </div>
                )}
                {one.failure && <div className="faint">{one.failure}</div>}
              </td>
              <td className="wrap">
                {[one.applicantName, one.firstApproverName, one.secondApproverName].filter(Boolean).join(' → ')}
                <div className="faint">
                  <Time at={one.finishedAt ?? one.decidedAt ?? one.appliedAt} />
                </div>
              </td>
              <td className="right">
                <Money fen={one.amountFen} />
                <RefundButtons of={one} cash={isCash(one)} reject={() => setRejecting(one)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {asked && <RefundWhy id={asked} onClose={() => setAsked(undefined)} />}
      {rejecting && <Rejecting of={rejecting} onClose={() => setRejecting(undefined)} />}
    </>
  )
}

const WITHDRAW: Text = ['撤回', 'Withdraw']
/** The applicant withdraws a mistaken request; another person decides on it otherwise. */
function Withdraw({ run }: { run: () => void }) {
  const say = useText()
  return (
    <div className="line-buttons at-end">
      <Button size="small" onClick={run}>
        {say(WITHDRAW)}
      </Button>
      <span className="faint">{say(['由另一人审核', 'Another person decides'])}</span>
    </div>
  )
}

const OWN: Text = ['申请人与已审核的人不能再审核', 'You requested it or have already approved it']
function RefundButtons({ of, cash, reject }: { of: RefundOf; cash: boolean; reject: () => void }) {
  const say = useText()
  const act = useAct(MONEY_CHANGES)
  const me = person.use()?.custId
  const amount = yuan(of.amountFen)
  const which = { id: of.id, version: of.version }
  if (of.state === RefundState.waiting && me !== undefined && me === of.applicantId && can(refund.withdraw.needs))
    return (
      <Withdraw
        run={() =>
          void act(refund.withdraw, which, {
            question: [`撤回退款申请 ¥${amount}？`, `Withdraw the request for ¥${amount}?`],
            act: WITHDRAW,
            done: ['已撤回', 'Withdrawn'],
          })
        }
      />
    )
  if (of.state === RefundState.waiting && can(refund.approve.needs)) {
    const own = me !== undefined && (me === of.applicantId || me === of.firstApproverId)
    const approve: Text = [`同意退款 ¥${amount}`, `Approve ¥${amount}`]
    const run = () =>
      void act(refund.approve, which, {
        question:
          of.approvals + 1 < of.approvalsNeeded
            ? [`同意退款 ¥${amount}？还需另一人审核`, `Approve ¥${amount}? Another person still has to approve it`]
            : [`退款 ¥${amount} 给付款人？`, `Refund ¥${amount} to the payer?`],
        act: approve,
        done: ['已审核', 'Approved'],
      })
    return (
      <div className="line-buttons at-end">
        <Button size="small" disabled={own} onClick={run}>
          {say(approve)}
        </Button>
        <Button size="small" disabled={own} onClick={reject}>
          {say(['驳回', 'Reject'])}
        </Button>
        {own && <span className="faint">{say(OWN)}</span>}
      </div>
    )
  }
  if (of.state === RefundState.approved && cash && can(refund.payOut.needs)) {
    const hand: Text = [`付出现金 ¥${amount}`, `Pay out ¥${amount}`]
    return (
      <Button
        size="small"
        onClick={() =>
          void act(refund.payOut, which, {
            question: [`已把现金 ¥${amount} 交给付款人？`, `Have you handed ¥${amount} in cash to the payer?`],
            act: hand,
            done: ['已记录', 'Recorded'],
          })
        }
      >
        {say(hand)}
      </Button>
    )
  }
  if (of.state === RefundState.failed && can(refund.retry.needs))
    return (
      <Button size="small" onClick={() => void act(refund.retry, which, { done: ['已重新提交', 'Submitted again'] })}>
        {say([`重新退款 ¥${amount}`, `Retry refund of ¥${amount}`])}
      </Button>
    )
  return null
}
const Rejecting = ({ of, onClose }: { of: RefundOf; onClose: () => void }) => (
  <FormDialog
    title={[`驳回退款 ¥${yuan(of.amountFen)} · ${of.refundNo}`, `Reject refund of ¥${yuan(of.amountFen)} · ${of.refundNo}`]}
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

const withdrawing = ({ amountFen }: WaiverOf) => ({
  question: [`撤回减免申请 ¥${yuan(amountFen)}？`, `Withdraw the request to waive ¥${yuan(amountFen)}?`] as const,
  act: WITHDRAW,
  done: ['已撤回', 'Withdrawn'] as const,
})
export function Waivers({ of }: { of: readonly WaiverOf[] }) {
  const say = useText()
  const act = useAct(MONEY_CHANGES)
  const me = person.use()?.custId
  const [rejecting, setRejecting] = useState<WaiverOf>()
  const withdraw = (one: WaiverOf) => void act(waiver.withdraw, { id: one.id, version: one.version }, withdrawing(one))
  const decide = (one: WaiverOf) => {
    const grant: Text = [`同意减免 ¥${yuan(one.amountFen)}`, `Waive ¥${yuan(one.amountFen)}`]
    const run = () =>
      void act(
        waiver.approve,
        { id: one.id, version: one.version },
        {
          question:
            one.approvals + 1 < one.approvalsNeeded
              ? [`${grant[0]}？还需另一人审核`, `${grant[1]}? Another person still has to approve it`]
              : [`${grant[0]}？原因：${one.reason}`, `${grant[1]}? Reason: ${one.reason}`],
          act: grant,
          done: ['已审核', 'Approved'],
        },
      )
    const own = me !== undefined && (me === one.applicantId || me === one.approverId)
    return (
      <div className="line-buttons at-end">
        <Button size="small" disabled={own} onClick={run}>
          {say(grant)}
        </Button>
        <Button size="small" disabled={own} onClick={() => setRejecting(one)}>
          {say(['驳回', 'Reject'])}
        </Button>
        {own && <span className="faint">{say(OWN)}</span>}
      </div>
    )
  }
  return (
    <>
      <table className="lines">
        <tbody>
          {of.map((one) => (
            <tr key={one.id}>
              <td>
                <State dictionary={WaiverState} value={one.state} />
                {one.verdict && <div className="faint">{one.verdict}</div>}
              </td>
              <td>
                {one.reason}
                <div className="faint">
                  {[one.applicantName, one.approverName, one.secondApproverName].filter(Boolean).join(' → ')}{' '}
                  <Time at={one.decidedAt ?? one.appliedAt} />
                </div>
              </td>
              <td className="right">
                <Money fen={one.amountFen} />
              </td>
              <td>
                {one.state === WaiverState.waiting &&
                  (me !== undefined && me === one.applicantId && can(waiver.withdraw.needs) ? (
                    <Withdraw run={() => withdraw(one)} />
                  ) : (
                    can(waiver.approve.needs) && decide(one)
                  ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rejecting && <RejectingWaiver of={rejecting} onClose={() => setRejecting(undefined)} />}
    </>
  )
}
const RejectingWaiver = ({ of, onClose }: { of: WaiverOf; onClose: () => void }) => (
  <FormDialog
    title={[`驳回减免 ¥${yuan(of.amountFen)}`, `Reject the waiver of ¥${yuan(of.amountFen)}`]}
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

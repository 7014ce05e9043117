import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { NONE, yuan } from '../../../platform/web/format.ts'
import { type LineColumn, Lines } from '../../../platform/web/list/Lines.tsx'
import { listAt } from '../../../platform/web/list/listAt.ts'
import { useText } from '../../../platform/web/text.ts'
import { Money, State, Time } from '../../../platform/web/value.tsx'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { RefundState } from '../../settlement/contract/refund.ts'
import { HoldState } from '../contract/money.ts'
import { type ChargeStory, RefundKind } from '../contract/order.ts'
import { ChargeStatus } from '../contract/session.ts'
import { elsewhere, type Elsewhere, paidHow } from './refundable.ts'

type Story = Of<typeof ChargeStory>
type Refund = Story['refunds'][number]
/** Where a refund is approved: the queue of finance, at this one. */
export const approvalAt = ({ refundNo }: Pick<Refund, 'refundNo'>) => listAt('/operation/finance', { tab: 'refunds', refundNo })

/** Over the form of a refund: how the charge was paid, and how much of it may go back. */
export function Refundable({ of }: { of: Story }) {
  const say = useText()
  const most = yuan(of.refundableFen)
  return (
    <p>
      {paidHow(of).map((one) => (
        <span key={one[1]}>{say(one)} · </span>
      ))}
      <b>{say([`最多可退 ¥${most}`, `up to ¥${most} refundable`])}</b>
    </p>
  )
}

/** Why nothing of a charge can go back, and the way to where it is dealt with. */
export function DealtWith({ in: { why, to, at } }: { in: Elsewhere }) {
  const say = useText()
  return (
    <p>
      {say(why)} {to && at && <Link to={to}>{say(at)}</Link>}
    </p>
  )
}

/** Money in advance, and money back: when, how much, by which way, by whom. */
export function ChargeMoney({ of }: { of: Story }) {
  const say = useText()
  const other = of.status === ChargeStatus.done ? elsewhere(of) : undefined
  return (
    <>
      {of.holds.length === 0 && of.refunds.length === 0 && <p className="faint">{say(['没有预付', 'No prepayment'])}</p>}
      {of.holds.length > 0 && <Lines of={of.holds} keyOf={({ holdNo }) => holdNo} columns={HOLDS} />}
      {of.refunds.length > 0 && <Lines of={of.refunds} keyOf={({ refundNo }) => refundNo} columns={REFUNDS} />}
      {other && <DealtWith in={other} />}
    </>
  )
}
const HOLDS: LineColumn<Story['holds'][number]>[] = [
  { name: ['预付时间', 'Prepaid at'], cell: ({ holdAt }) => (holdAt ? <Time at={holdAt} /> : NONE) },
  { name: ['状态', 'Status'], cell: ({ state }) => <State dictionary={HoldState} value={state} /> },
  { name: ['支付方式', 'Payment method'], cell: ({ payMethod }) => <Method of={payMethod} /> },
  { name: ['预付', 'Prepaid'], right: true, cell: ({ holdFen }) => <Money fen={holdFen} /> },
  { name: ['已结算', 'Billed'], right: true, cell: ({ capturedFen }) => <Money fen={capturedFen} /> },
  { name: ['余款退回', 'Rest returned'], right: true, cell: ({ releasedFen }) => <Money fen={releasedFen} /> },
]
const REFUNDS: LineColumn<Refund>[] = [
  { name: ['退款时间', 'Requested at'], cell: ({ appliedAt }) => <Time at={appliedAt} /> },
  { name: ['状态', 'Status'], cell: (one) => <RefundStands of={one} /> },
  { name: ['退款类型', 'Type'], cell: ({ refundKind }) => <Kind of={refundKind} /> },
  { name: ['申请人', 'Requested by'], cell: ({ applicant }) => applicant },
  { name: ['退款', 'Refund'], right: true, cell: ({ refundFen }) => <Money fen={refundFen} /> },
]
/** One that waits leads to where it is approved. */
export function RefundStands({ of }: { of: Pick<Refund, 'refundNo' | 'state'> }) {
  const say = useText()
  return (
    <>
      <State dictionary={RefundState} value={of.state} />{' '}
      {of.state === RefundState.waiting && <Link to={approvalAt(of)}>{say(['去审核', 'Approve'])}</Link>}
    </>
  )
}
function Kind({ of }: { of: Refund['refundKind'] }) {
  const [zh, en] = RefundKind.entries[of]
  return useText()([zh, en])
}
function Method({ of }: { of: Story['holds'][number]['payMethod'] }) {
  const say = useText()
  return of === null ? NONE : say([PayMethod.entries[of][0], PayMethod.entries[of][1]])
}

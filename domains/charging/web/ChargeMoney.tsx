import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { Fen, Of } from '../../../platform/contract/field.ts'
import { asks } from '../../../platform/web/ask.ts'
import { NONE, yuan } from '../../../platform/web/format.ts'
import { type LineColumn, Lines } from '../../../platform/web/Lines.tsx'
import { listAt } from '../../../platform/web/listAt.ts'
import { useText } from '../../../platform/web/text.ts'
import { Money, State, Time } from '../../../platform/web/value.tsx'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { RefundState } from '../../settlement/contract/refund.ts'
import { HoldState } from '../contract/money.ts'
import { type ChargeStory, order, RefundKind } from '../contract/order.ts'

type Story = Of<typeof ChargeStory>
type Refund = Story['refunds'][number]
/** Where a refund is approved: the queue of finance, at this one. */
export const approvalAt = ({ refundNo }: Pick<Refund, 'refundNo'>) => listAt('/operation/finance', { tab: 'refunds', refundNo })
const sumOf = <T,>(all: readonly T[], of: (one: T) => number) => all.reduce((sum, one) => sum + of(one), 0) as Fen
const CAME: readonly number[] = [HoldState.held, HoldState.settled, HoldState.released]
const WENT: readonly number[] = [RefundState.approved, RefundState.sending, RefundState.done]
/** What was paid in advance for a charge, taken of it, sent back, and may still go back. */
const figuresOf = ({ holds, bills, refunds, refundableFen }: Story) => ({
  paidFen: sumOf(
    holds.filter(({ state }) => CAME.includes(state)),
    ({ holdFen }) => holdFen,
  ),
  takenFen: sumOf(bills, ({ capturedFen }) => capturedFen),
  backFen: sumOf(
    refunds.filter(({ state }) => WENT.includes(state)),
    ({ refundFen }) => refundFen,
  ),
  refundableFen,
})

/** Over the form of a refund: how much of what was paid may go back. */
export function Refundable({ orderNo }: { orderNo: string }) {
  const say = useText()
  const { data } = useQuery(asks(order.calls.recordDetail, { orderNo }, { quiet: true }))
  const of = data && figuresOf(data)
  const amount = (fen: Fen | undefined) => (fen === undefined ? NONE : `¥${yuan(fen)}`)
  return (
    <p>
      {say([
        `预付 ${amount(of?.paidFen)} · 已结算 ${amount(of?.takenFen)} · 已退 ${amount(of?.backFen)} · `,
        `Prepaid ${amount(of?.paidFen)} · billed ${amount(of?.takenFen)} · returned ${amount(of?.backFen)} · `,
      ])}
      <b>{say([`最多可退 ${amount(of?.refundableFen)}`, `up to ${amount(of?.refundableFen)} refundable`])}</b>
    </p>
  )
}

/** Money in advance, and money back: when, how much, by which way, by whom. */
export function ChargeMoney({ of }: { of: Story }) {
  const say = useText()
  if (of.holds.length === 0 && of.refunds.length === 0) return <p className="faint">{say(['没有预付款', 'No prepayment'])}</p>
  return (
    <>
      {of.holds.length > 0 && <Lines of={of.holds} keyOf={({ holdNo }) => holdNo} columns={HOLDS} />}
      {of.refunds.length > 0 && <Lines of={of.refunds} keyOf={({ refundNo }) => refundNo} columns={REFUNDS} />}
    </>
  )
}
const HOLDS: LineColumn<Story['holds'][number]>[] = [
  { name: ['预付时间', 'Prepaid at'], cell: ({ holdAt }) => (holdAt ? <Time at={holdAt} /> : NONE) },
  { name: ['状态', 'State'], cell: ({ state }) => <State dictionary={HoldState} value={state} /> },
  { name: ['支付方式', 'Payment method'], cell: ({ payMethod }) => <Method of={payMethod} /> },
  { name: ['预付', 'Prepaid'], right: true, cell: ({ holdFen }) => <Money fen={holdFen} /> },
  { name: ['已结算', 'Billed'], right: true, cell: ({ capturedFen }) => <Money fen={capturedFen} /> },
  { name: ['余款退回', 'Rest returned'], right: true, cell: ({ releasedFen }) => <Money fen={releasedFen} /> },
]
const REFUNDS: LineColumn<Refund>[] = [
  { name: ['退款时间', 'Requested at'], cell: ({ appliedAt }) => <Time at={appliedAt} /> },
  { name: ['状态', 'State'], cell: (one) => <RefundStands of={one} /> },
  { name: ['退款类型', 'Kind'], cell: ({ refundKind }) => <Kind of={refundKind} /> },
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

import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { type Event, Facts, Section, Timeline } from '../../../platform/web/record/DetailDrawer.tsx'
import { type LineColumn, Lines } from '../../../platform/web/list/Lines.tsx'
import { can } from '../../../platform/web/person.ts'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money, State, Time } from '../../../platform/web/value.tsx'
import { Order, OrderStatus, type OrderStory } from '../contract/order.ts'
import { methodOf, PaymentState, PayMethod } from '../contract/payment.ts'
import { refund } from '../contract/refund.ts'
import { Entries } from './api/Entries.tsx'
import { Refunding } from './api/OrderDialogs.tsx'
import { ParkName } from '../../parking/web/api/names.tsx'
import { Refunds, Waivers } from './Refunds.tsx'

type Story = Of<typeof OrderStory>
const STAYS = '/operation/record/parking/parkingRecord'
const row = (zh: string, en: string, value: ReactNode) => ({ label: [zh, en] as const, value })

/** The order, its money, and what happened to it. */
export function OrderStoryOf({ story }: { story: Story }) {
  const say = useText()
  return (
    <div className="story">
      <Facts
        entity={Order}
        of={story}
        show={[
          row('车场', 'Car park', <ParkName code={story.parkCode} />),
          'type',
          ...(story.stayId ? [row('停车记录', 'Stay', <Link to={`${STAYS}/${story.stayId}`}>{say(['查看经过', 'View stay'])}</Link>)] : []),
          'createdAt',
          'receivableFen',
          'discountFen',
          'payableFen',
          'paidFen',
          ...(story.arrearsFen ? (['arrearsFen', 'sourceType'] as const) : []),
          ...(story.waivedFen ? (['waivedFen'] as const) : []),
          ...(story.refundFen || story.refundingFen ? (['refundFen', 'refundingFen'] as const) : []),
          'payMethod',
          'payTime',
          ...(story.remark ? (['remark'] as const) : []),
        ]}
      />
      <Section title={['支付', 'Payments']}>
        <Payments story={story} />
      </Section>
      {story.refunds.length > 0 && (
        <Section title={['退款', 'Refunds']}>
          <Refunds of={story.refunds} payments={story.payments} />
        </Section>
      )}
      {story.waivers.length > 0 && (
        <Section title={['减免', 'Waivers']}>
          <Waivers of={story.waivers} />
        </Section>
      )}
      <Section title={['经过', 'What happened']}>
        <Timeline events={story.moves.map((one, place) => ({ key: String(place), at: one.at, ...movedAs(one, say) }))} />
      </Section>
      {story.entries.length > 0 && (
        <Section title={['总账分录', 'Ledger entries']}>
          <Entries lines={story.entries} />
        </Section>
      )}
    </div>
  )
}

function movedAs(one: Story['moves'][number], say: (text: Text) => string): Omit<Event, 'at'> {
  const [text, tone] = MOVES[one.event] ?? [[one.event, one.event], 'default']
  const to = OrderStatus.entries[one.toStatus]
  return { title: say(text), tone, body: one.reason, ...(one.fromStatus !== one.toStatus && { by: `→ ${say(to)}` }) }
}
const MOVES: Record<string, [Text, NonNullable<Event['tone']>]> = {
  paying: [['发起支付', 'Payment started'], 'default'],
  paid: [['支付成功', 'Paid'], 'success'],
  free: [['无需付款', 'Nothing to pay'], 'success'],
  stopped: [['停止等待支付', 'Stopped waiting for payment'], 'default'],
  timedOut: [['支付超时', 'Payment timed out'], 'warning'],
  failed: [['支付未能发起', 'The payment could not be started'], 'warning'],
  cancelled: [['订单取消', 'Cancelled'], 'default'],
  leftUnpaid: [['未付离场，转欠费', 'Left without paying: moved to arrears'], 'error'],
  waived: [['减免', 'Waived'], 'default'],
  paidPart: [['部分补缴', 'Partly repaid'], 'warning'],
  writtenOff: [['坏账核销', 'Written off'], 'default'],
  revoked: [['欠费撤销', 'Revoked'], 'default'],
  refunded: [['全部退款', 'Refunded in full'], 'warning'],
  owedAgain: [['退款，重新计入欠费', 'Refunded and owed again'], 'warning'],
  refundedPart: [['部分退款', 'Refunded in part'], 'warning'],
  duplicate: [['收到重复支付，自动退回', 'Duplicate payment: returned automatically'], 'error'],
  afterCancel: [['取消后收到支付，自动退回', 'Paid after cancellation: returned automatically'], 'error'],
  wrongAmount: [['支付金额与应付不符，未放行', 'Amount differs from the payable: not let out'], 'error'],
}

function Payments({ story }: { story: Story }) {
  const say = useText()
  const [returning, setReturning] = useState<Story['payments'][number]>()
  if (story.payments.length === 0) return <p className="faint">{say(['还没有支付', 'No payment yet'])}</p>
  const columns: LineColumn<Story['payments'][number]>[] = [
    {
      name: ['支付单号', 'Number'],
      cell: (one) => (
        <>
          {one.payNo}
          {one.tradeNo && one.tradeNo !== one.payNo && <div className="faint">{one.tradeNo}</div>}
        </>
      ),
    },
    {
      name: ['方式', 'Method'],
      cell: (one) => (
        <>
          {say(PayMethod.entries[one.payMethod])}
          {one.payMethod === PayMethod.autoDebit && ` · ${say(PayMethod.entries[methodOf(one.channel)])}`}{' '}
          {one.operatorName && <span className="faint">{one.operatorName}</span>}
        </>
      ),
    },
    { name: ['状态', 'Status'], cell: (one) => <State dictionary={PaymentState} value={one.state} /> },
    { name: ['时间', 'Time'], cell: (one) => <Time at={one.paidAt} /> },
    { name: ['应付', 'Payable'], right: true, cell: (one) => <Money fen={one.amountFen} /> },
    { name: ['实收', 'Paid'], right: true, cell: (one) => <Money fen={one.receivedFen} /> },
    { name: ['已退', 'Refunded'], right: true, cell: (one) => <Money fen={one.refundFen} /> },
  ]
  return (
    <>
      <Lines
        of={story.payments}
        keyOf={({ id }) => id}
        columns={columns}
        act={(one) =>
          one.state === PaymentState.wrongAmount &&
          one.receivedFen > one.refundFen + one.refundingFen &&
          can(refund.apply.needs) && (
            <Button size="small" onClick={() => setReturning(one)}>
              {say(['退回', 'Return'])} ¥{((one.receivedFen - one.refundFen - one.refundingFen) / 100).toFixed(2)}
            </Button>
          )
        }
      />
      {returning && (
        <Refunding
          of={story}
          payment={returning}
          leftFen={returning.receivedFen - returning.refundFen - returning.refundingFen}
          onClose={() => setReturning(undefined)}
        />
      )}
    </>
  )
}

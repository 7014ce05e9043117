import { PrinterOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button, Modal } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../../platform/web/ask.ts'
import { Section, Timeline } from '../../../../platform/web/record/DetailDrawer.tsx'
import { time } from '../../../../platform/web/format.ts'
import { SlipDialog, SlipLine } from '../../../../platform/web/draw/Slip.tsx'
import { Failed, Waiting } from '../../../../platform/web/page/states.tsx'
import { useText } from '../../../../platform/web/text.ts'
import { Money, Plate, State } from '../../../../platform/web/value.tsx'
import { PayMethod } from '../../contract/payment.ts'
import { RefundState } from '../../contract/refund.ts'
import { RefundStepKind, refundWhy, type RefundWhy as Why } from '../../contract/refundWhy.ts'
import { Entries } from './Entries.tsx'

/** Shows why so much is refunded: the payments and their ways, earlier refunds, who asked, who approved, and the channel's answer. */
export function RefundWhy({ id, onClose }: { id: Of<typeof Why>['refund']['id']; onClose: () => void }) {
  const say = useText()
  const [printing, setPrinting] = useState(false)
  const { data, error, refetch } = useQuery(asks(refundWhy.show, { id }, { quiet: true }))
  if (data && printing) return <RefundPrint of={data} onClose={() => setPrinting(false)} />
  return (
    <Modal
      open
      width={720}
      title={say(['退款说明', 'Refund explanation'])}
      onCancel={onClose}
      footer={
        data && (
          <Button icon={<PrinterOutlined />} onClick={() => setPrinting(true)}>
            {say(['打印给车主', 'Print for the driver'])}
          </Button>
        )
      }
    >
      {data ? <Whole of={data} /> : error ? <Failed error={error as Refusal} retry={() => void refetch()} /> : <Waiting lines={8} />}
    </Modal>
  )
}

function Whole({ of }: { of: Of<typeof Why> }) {
  const say = useText()
  const { refund, order, payment } = of
  return (
    <div className="story">
      <p>
        <b>{refund.refundNo}</b> <State dictionary={RefundState} value={refund.state} />{' '}
        {order.plateNo && <Plate number={order.plateNo} color={order.plateColor} still />} {order.orderNo} {order.subject}
      </p>
      <Section title={['退款金额依据', 'Why this amount']}>
        <table className="lines">
          <tbody>
            <Line
              name={say(['收到', 'Received'])}
              says={`${say(PayMethod.entries[payment.payMethod])} ${payment.payNo}`}
              at={payment.paidAt}
              fen={payment.receivedFen}
            />
            {of.others.map((one) => (
              <Line
                key={one.id}
                name={one.refundNo}
                says={say(RefundState.entries[one.state])}
                at={one.finishedAt ?? one.appliedAt}
                fen={-one.amountFen}
                faint={one.state >= RefundState.failed}
              />
            ))}
            <Line name={say(['最多可退', 'Maximum refund'])} fen={of.mostFen} total />
            <Line name={say(['本次退款', 'This refund'])} says={refund.reason} fen={refund.amountFen} total />
          </tbody>
        </table>
      </Section>
      <Section title={['经过', 'What happened']}>
        <Steps of={of} />
      </Section>
      {of.entries.length > 0 && (
        <Section title={['总账分录', 'Ledger entries']}>
          <Entries lines={of.entries} />
        </Section>
      )}
    </div>
  )
}

interface LineProps {
  name: string
  says?: string | null
  at?: string | null
  fen: number
  total?: true
  /** The line takes nothing away. */
  faint?: boolean
}
const Line = ({ name, says, at, fen, total, faint }: LineProps) => (
  <tr className={total ? 'sum' : faint ? 'faint' : ''}>
    <td>{name}</td>
    <td>{says}</td>
    <td>{at && time(at)}</td>
    <td className="right">
      {faint ? (
        <s>
          <Money fen={fen} />
        </s>
      ) : (
        <Money fen={fen} />
      )}
    </td>
  </tr>
)

function Steps({ of }: { of: Of<typeof Why> }) {
  const say = useText()
  return (
    <Timeline
      events={of.steps.map((one, place) => ({
        key: String(place),
        at: one.at,
        title: <b className="event-kind">{say(RefundStepKind.entries[one.kind])}</b>,
        tone: TONES[one.kind] ?? 'default',
        by: one.by ?? undefined,
        body: one.says ?? undefined,
      }))}
    />
  )
}
const TONES: Partial<Record<number, 'success' | 'error'>> = {
  [RefundStepKind.approved]: 'success',
  [RefundStepKind.done]: 'success',
  [RefundStepKind.rejected]: 'error',
  [RefundStepKind.failed]: 'error',
}

/** The refund as its receiver gets it: names of staff stay in the house. */
function RefundPrint({ of: { refund, order, payment, others, steps }, onClose }: { of: Of<typeof Why>; onClose: () => void }) {
  const say = useText()
  const gone = others.filter(({ state }) => state === RefundState.done)
  return (
    <SlipDialog title={['给车主的退款说明', 'Refund explanation for the driver']} onClose={onClose}>
      <h3>{order.plateNo ?? order.orderNo}</h3>
      <dl>
        <SlipLine name={['订单', 'Order']}>{order.orderNo}</SlipLine>
        <SlipLine name={['支付方式', 'Payment method']}>{say(PayMethod.entries[payment.payMethod])}</SlipLine>
        <SlipLine name={['支付时间', 'Paid at']}>{payment.paidAt ? time(payment.paidAt) : '--'}</SlipLine>
        <SlipLine name={['支付金额', 'Paid']}>
          <Money fen={payment.receivedFen} />
        </SlipLine>
        {gone.map((one) => (
          <SlipLine key={one.id} name={['此前已退', 'Refunded before']}>
            <Money fen={one.amountFen} />
          </SlipLine>
        ))}
        <SlipLine name={['本次退款', 'This refund']}>
          <Money fen={refund.amountFen} />
        </SlipLine>
        <SlipLine name={['原因', 'Reason']}>{refund.reason}</SlipLine>
        <SlipLine name={['状态', 'Status']}>{say(RefundState.entries[refund.state])}</SlipLine>
      </dl>
      <dl>
        {steps.map((one) => (
          <SlipLine key={`${one.kind}${one.at}`} name={RefundStepKind.entries[one.kind]}>
            {time(one.at)}
          </SlipLine>
        ))}
      </dl>
      <p>
        {say([
          '退款按原支付方式退回；渠道到账时间以渠道为准。',
          'Refunds go back to the original payment method; the channel decides when the money arrives.',
        ])}
      </p>
      <p>{refund.refundNo}</p>
    </SlipDialog>
  )
}

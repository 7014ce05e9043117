import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import type { DictionaryEntry, Id, Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Section, Timeline } from '../../../platform/web/record/DetailDrawer.tsx'
import { time, yuan } from '../../../platform/web/format.ts'
import { SlipDialog, SlipLine } from '../../../platform/web/draw/Slip.tsx'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { type Say, useText } from '../../../platform/web/text.ts'
import { Money, Plates } from '../../../platform/web/value.tsx'
import { ParkName } from '../../parking/web/api/names.tsx'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { customer, HistoryKind, type HistoryLine } from '../contract/customer.ts'

type Line = Of<typeof HistoryLine>
type Customer = { id: string; name: string }
const useHistory = (id: string) => useQuery(asks(customer.history, { id: id as Id<'CustomerId'> }, { quiet: true }))
const wasPaid = ({ kind, amountFen }: Line) => (kind === HistoryKind.sold || kind === HistoryKind.renewed) && (amountFen ?? 0) > 0

/** Payments, pauses and changes, the newest first; a payment reprints its receipt. */
export function CustomerHistory({ of }: { of: Customer }) {
  const say = useText()
  const { data, error, refetch } = useHistory(of.id)
  const [printed, print] = useState<Line>()
  return (
    <Section title={['缴费与经过', 'Payments and history']}>
      {error && <Failed error={error as Refusal} retry={() => void refetch()} />}
      {!data && !error && <Waiting lines={3} />}
      {data?.length === 0 && <p className="faint">{say(['还没有缴费和变更', 'No payments or changes yet'])}</p>}
      <Timeline
        events={(data ?? []).map((one, place) => ({
          key: `${one.at}${place}`,
          at: one.at,
          ...(one.byName && { by: one.byName }),
          tone: (HistoryKind.entries[one.kind] as DictionaryEntry)[2] ?? 'default',
          title: <Happened of={one} />,
          body: (
            <>
              {detailsOf(one, say)}{' '}
              {wasPaid(one) && (
                <Button size="small" onClick={() => print(one)}>
                  {say(['打印收据', 'Print receipt'])}
                </Button>
              )}
            </>
          ),
        }))}
      />
      {printed && <Receipt of={of} line={printed} onClose={() => print(undefined)} />}
    </Section>
  )
}

/** The last second in which it is good. */
const lastMoment = (until: Instant) => time(instantAt(msOf(until) - 1000))
function Happened({ of }: { of: Line }) {
  const say = useText()
  return (
    <>
      {say(HistoryKind.entries[of.kind])} {of.amountFen !== null && <Money fen={of.amountFen} />}{' '}
      {of.plates.length > 0 && <Plates numbers={of.plates} />}
      {of.newPlateNo && (
        <>
          {' → '}
          <Plates numbers={[of.newPlateNo]} />
        </>
      )}
    </>
  )
}
const detailsOf = (of: Line, say: Say) =>
  [
    of.groupName,
    of.passNo,
    (of.fromAt || of.toAt) && `${of.fromAt ? time(of.fromAt) : ''} – ${of.toAt ? lastMoment(of.toAt) : ''}`,
    of.payMethod !== null && of.amountFen !== null && say(PayMethod.entries[of.payMethod]),
    of.orderNo,
    of.reason,
  ]
    .filter(Boolean)
    .join(' · ')

/** The payer's receipt: of whom, for which pass and time, how much and how. */
function Receipt({ of, line, onClose }: { of: Customer; line: Line; onClose: () => void }) {
  const say = useText()
  return (
    <SlipDialog title={['月卡缴费收据', 'Receipt for a pass']} onClose={onClose}>
      <h3>{of.name}</h3>
      <dl>
        <SlipLine name={['车牌', 'Plates']}>{line.plates.join(say(['、', ', ']))}</SlipLine>
        <SlipLine name={['月卡', 'Pass']}>{[line.groupName, line.passNo].filter(Boolean).join(' ')}</SlipLine>
        <SlipLine name={['车场', 'Park']}>
          <ParkName code={line.parkCode} still />
        </SlipLine>
        <SlipLine name={['有效期', 'Valid']}>{`${line.fromAt ? time(line.fromAt) : '--'} – ${line.toAt ? lastMoment(line.toAt) : '--'}`}</SlipLine>
        <SlipLine name={['实收', 'Paid']}>{`¥${yuan(line.amountFen ?? 0)}`}</SlipLine>
        <SlipLine name={['支付方式', 'Payment method']}>{line.payMethod === null ? '--' : say(PayMethod.entries[line.payMethod])}</SlipLine>
        <SlipLine name={['单号', 'Number']}>{line.orderNo ?? '--'}</SlipLine>
        <SlipLine name={['时间', 'Time']}>{time(line.at)}</SlipLine>
        <SlipLine name={['收款人', 'Taken by']}>{line.byName ?? '--'}</SlipLine>
      </dl>
    </SlipDialog>
  )
}

/** Straight after the money was taken: the receipt of that order. */
export function ReceiptOf({ customerId, orderNo, onClose }: { customerId: string; orderNo: string; onClose: () => void }) {
  const history = useHistory(customerId)
  const known = useQuery(asks(customer.detail, { id: customerId as Id<'CustomerId'> }, { quiet: true })).data
  const line = history.data?.find((one) => one.orderNo === orderNo)
  return line && known ? <Receipt of={known} line={line} onClose={onClose} /> : null
}

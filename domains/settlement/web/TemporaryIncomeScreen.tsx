import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { Chart } from '../../../platform/web/Chart.tsx'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Section } from '../../../platform/web/DetailDrawer.tsx'
import { dayEnd, dayStart } from '../../../platform/web/format.ts'
import { ExportButton } from '../../../platform/web/ExportButton.tsx'
import { ListScreen } from '../../../platform/web/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, Nothing, Waiting } from '../../../platform/web/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money, Plate, State, Time } from '../../../platform/web/value.tsx'
import { moneySheet } from '../contract/moneySheet.ts'
import { order } from '../contract/order.ts'
import { PaymentState, PayMethod } from '../contract/payment.ts'
import { Income, incomeSearch, type PaymentLine, report } from '../contract/report.ts'
import { ParkName, findPark } from '../../parking/web/api/names.tsx'
import './settlement.css'

type Row = Of<typeof Income>
const FIGURES = ['receivableFen', 'discountFen', 'paidFen', 'waivedFen', 'arrearsFen', 'refundFen', 'netFen'] as const
/** A row's key is its day and its park: `2026-11-20 P001`. */
const ofKey = (key: string) => ({ dayFrom: key.slice(0, 10) as Day, dayTo: key.slice(0, 10) as Day, parkCode: key.slice(11) })

const PURPOSE: Text = [
  '临停收入取自总账：应收 = 实收 + 优惠 + 减免 + 欠费，净收 = 实收 − 退款',
  'Temporary parking income, from the ledger: receivable = paid + discount + waived + arrears; net = paid - refunded',
]
type By = 'day' | 'park'

/** What temporary parking brought in, by day and park or by park alone; each day leads to the payments it is made of. */
export default function TemporaryIncomeScreen() {
  const say = useText()
  const [by, setBy] = useState<By>('day')
  const find = ['day', findPark] as const
  const shared = { purpose: PURPOSE, search: incomeSearch, find, sum: { totals: FIGURES } }
  const parkColumn = {
    dataIndex: 'parkCode' as const,
    title: say(['车场', 'Car park']),
    render: (_: unknown, row: { parkCode: string }) => <ParkName code={row.parkCode} />,
  }
  const toolbar = (
    <Segmented<By>
      value={by}
      onChange={setBy}
      options={[
        { value: 'day', label: say(['按日和车场', 'By day and car park']) },
        { value: 'park', label: say(['按车场', 'By car park']) },
      ]}
    />
  )
  if (by === 'park')
    return (
      <ListScreen
        {...shared}
        toolbar={toolbar}
        query={report.parks}
        exports={moneySheet.parks}
        extra={{ day: Income.properties.day }}
        columns={[parkColumn, 'orders', ...FIGURES, 'wechatFen', 'alipayFen', 'cashFen', 'otherFen']}
        hidden={['waivedFen', 'refundFen']}
      />
    )
  return (
    <ListScreen
      {...shared}
      toolbar={toolbar}
      query={report.temporaryStop}
      exports={moneySheet.income}
      columns={['day', parkColumn, 'orders', ...FIGURES]}
      detail={{
        call: report.temporaryStop,
        input: (key) => ({ ...ofKey(key), limit: 1 }),
        head: ({ records: [row] }) => row && <DayHead row={row} />,
        body: ({ records: [row] }) => (row ? <DayIncome row={row} /> : <Nothing />),
      }}
    />
  )
}

const DayHead = ({ row }: { row: Row }) => (
  <>
    <b>{row.day}</b> <ParkName code={row.parkCode} />
  </>
)

function DayIncome({ row }: { row: Row }) {
  return (
    <div className="story">
      <Identity row={row} />
      <Section title={['按小时', 'By hour']}>
        <Hours row={row} />
      </Section>
      <Section title={['按支付方式', 'By payment method']}>
        <Methods row={row} />
      </Section>
      <Section
        title={['支付明细', 'Payments']}
        aside={can(moneySheet.details.needs) && <ExportButton call={moneySheet.details} criteria={paidOn(row)} />}
      >
        <Payments row={row} />
      </Section>
    </div>
  )
}

/** 应收 is drawn as what it became. */
function Identity({ row }: { row: Row }) {
  const say = useText()
  const part = (text: Text, fen: number, sign = '') => (
    <div key={text[1]}>
      <dt>{say(text)}</dt>
      <dd>
        {sign} <Money fen={fen} />
      </dd>
    </div>
  )
  return (
    <dl className="identity">
      {part(['应收', 'Receivable'], row.receivableFen)}
      {part(['实收', 'Paid'], row.paidFen, '=')}
      {part(['优惠', 'Discount'], row.discountFen, '+')}
      {part(['减免', 'Waived'], row.waivedFen, '+')}
      {part(['欠费', 'Arrears'], row.arrearsFen, '+')}
      <div className="push" />
      {part(['退款', 'Refunded'], row.refundFen)}
      {part(['净收', 'Net'], row.netFen)}
    </dl>
  )
}

/** What was booked in each hour of the day, and what of it came in. */
function Hours({ row }: { row: Row }) {
  const { data, isError, error, refetch } = useQuery(asks(report.hours, { day: row.day, parkCode: row.parkCode }))
  if (isError) return <Failed error={error as Refusal} retry={() => void refetch()} />
  if (!data) return <Waiting lines={4} />
  const values = (of: 'receivableFen' | 'paidFen') => HOURS.map((hour) => (data.find((one) => one.hour === hour)?.[of] ?? 0) / 100)
  return (
    <Chart
      kind="bar"
      label={['每小时收入（元）', 'Hourly income (yuan)']}
      by={['小时', 'Hour']}
      height={180}
      categories={HOURS.map((hour) => `${hour}:00`)}
      series={[
        { name: ['应收', 'Receivable'], values: values('receivableFen') },
        { name: ['实收', 'Paid'], values: values('paidFen') },
      ]}
    />
  )
}
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

function Methods({ row }: { row: Row }) {
  const say = useText()
  const { data, isError, error, refetch } = useQuery(asks(report.methods, ofKey(row.id)))
  if (isError) return <Failed error={error as Refusal} retry={() => void refetch()} />
  if (!data) return <Waiting lines={3} />
  return (
    <table className="lines">
      <thead>
        <tr>
          <th>{say(['支付方式', 'Payment method'])}</th>
          <th className="right">{say(['实收', 'Paid'])}</th>
          <th className="right">{say(['退款', 'Refunded'])}</th>
          <th className="right">{say(['净收', 'Net'])}</th>
        </tr>
      </thead>
      <tbody>
        {data.records.map((one) => (
          <tr key={one.id}>
            <td>{say(PayMethod.entries[one.payMethod])}</td>
            <td className="right">
              <Money fen={one.paidFen} />
            </td>
            <td className="right">
              <Money fen={one.refundFen} />
            </td>
            <td className="right">
              <Money fen={one.netFen} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** More stand in the list of payments that the day's sum belongs to. */
const SHOWN = 200
const paidOn = ({ parkCode, day }: Row) => ({ parkCode, paidAtFrom: dayStart(day) as never, paidAtTo: dayEnd(day) as never })
function Payments({ row }: { row: Row }) {
  const say = useText()
  const { data, isError, error, refetch } = useQuery(asks(report.details, { ...paidOn(row), limit: SHOWN }))
  if (isError) return <Failed error={error as Refusal} retry={() => void refetch()} />
  if (!data) return <Waiting lines={6} />
  if (data.records.length === 0) return <p className="faint">{say(['这一天没有收到支付', 'No payments that day'])}</p>
  return (
    <table className="lines">
      <thead>
        <tr>
          <th>{say(['时间', 'Time'])}</th>
          <th>{say(['车牌', 'Plate'])}</th>
          <th>{say(['订单', 'Order'])}</th>
          <th>{say(['支付方式', 'Payment method'])}</th>
          <th>{say(['状态', 'State'])}</th>
          <th className="right">{say(['实收', 'Received'])}</th>
          <th className="right">{say(['已退', 'Refunded'])}</th>
        </tr>
      </thead>
      <tbody>
        {data.records.map((one) => (
          <PaymentRow key={one.id} of={one} />
        ))}
      </tbody>
    </table>
  )
}
function PaymentRow({ of }: { of: Of<typeof PaymentLine> }) {
  const say = useText()
  return (
    <tr>
      <td>
        <Time at={of.paidAt} />
      </td>
      <td>
        <Plate number={of.plateNo} color={of.plateColor} />
      </td>
      <td>{can(order.info.needs) ? <Link to={`/operation/finance/${of.orderId}`}>{of.orderNo}</Link> : of.orderNo}</td>
      <td>
        {say(PayMethod.entries[of.payMethod])} {of.operatorName && <span className="faint">{of.operatorName}</span>}
      </td>
      <td>
        <State dictionary={PaymentState} value={of.state} />
      </td>
      <td className="right">
        <Money fen={of.receivedFen} />
      </td>
      <td className="right">
        <Money fen={of.refundFen} />
      </td>
    </tr>
  )
}

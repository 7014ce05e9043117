import { useQuery } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { Link, useSearchParams } from 'react-router'
import type { Day, Of } from '../../../platform/contract/field.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { Explain } from '../../../platform/web/draw/Explain.tsx'
import { dayEnd, dayStart } from '../../../platform/web/format.ts'
import { ExportButton } from '../../../platform/web/sheet/ExportButton.tsx'
import { ListScreen } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Money, Plate, State, Time } from '../../../platform/web/value.tsx'
import { INCOME } from '../contract/figures.ts'
import { moneySheet } from '../contract/moneySheet.ts'
import { order } from '../contract/order.ts'
import { PaymentState, PayMethod } from '../contract/payment.ts'
import { Income, incomeSearch, type PaymentLine, report } from '../contract/report.ts'
import { IncomeCompare } from './IncomeCompare.tsx'
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
const VIEWS = {
  day: ['按日和车场', 'By day and car park'],
  park: ['按车场', 'By car park'],
  compare: ['对比', 'Compare'],
} as const satisfies Record<string, Text>
type View = keyof typeof VIEWS

/** Money from temporary parking, by day and park, by park alone, or beside another period; each day leads to its payments. */
export default function ReportScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const shown = (Object.keys(VIEWS) as View[]).find((one) => one === params.get('tab')) ?? 'day'
  const find = ['day', findPark] as const
  const shared = { purpose: PURPOSE, search: incomeSearch, find, sum: { totals: FIGURES, explains: INCOME } }
  const parkColumn = {
    dataIndex: 'parkCode' as const,
    title: say(['车场', 'Car park']),
    render: (_: unknown, row: { parkCode: string }) => <ParkName code={row.parkCode} />,
  }
  const toolbar = (
    <Segmented<View>
      value={shown}
      onChange={(view) => setParams(view === 'day' ? {} : { tab: view })}
      options={(Object.keys(VIEWS) as View[]).map((value) => ({ value, label: say(VIEWS[value]) }))}
    />
  )
  if (shown === 'compare') return <IncomeCompare toolbar={toolbar} />
  if (shown === 'park')
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
      <Section title={['按小时', 'By hour']} aside={<Explain figures={[INCOME.receivableFen, INCOME.paidFen]} />}>
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
  const part = (of: (typeof FIGURES)[number], sign = '') => (
    <div>
      <dt>
        {say(INCOME[of].name)}
        <Explain figures={[INCOME[of]]} />
      </dt>
      <dd>
        {sign} <Money fen={row[of]} />
      </dd>
    </div>
  )
  return (
    <dl className="identity">
      {part('receivableFen')}
      {part('paidFen', '=')}
      {part('discountFen', '+')}
      {part('waivedFen', '+')}
      {part('arrearsFen', '+')}
      <div className="push" />
      {part('refundFen')}
      {part('netFen')}
    </dl>
  )
}

/** The fees booked in each hour of the day, and how much of them was paid. */
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
        { name: INCOME.receivableFen.name, values: values('receivableFen') },
        { name: INCOME.paidFen.name, values: values('paidFen') },
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
          <th className="right">{say(INCOME.paidFen.name)}</th>
          <th className="right">{say(INCOME.refundFen.name)}</th>
          <th className="right">{say(INCOME.netFen.name)}</th>
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
          <th>{say(['状态', 'Status'])}</th>
          <th className="right">{say(['实收', 'Paid'])}</th>
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

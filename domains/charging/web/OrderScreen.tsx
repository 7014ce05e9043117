import { Button, Tabs } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { Facts, Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { FormDialog } from '../../../platform/web/form/FormDialog.tsx'
import { kilowattHours, time } from '../../../platform/web/format.ts'
import { type LineColumn, Lines } from '../../../platform/web/list/Lines.tsx'
import { type Column, ListScreen, type RowAction } from '../../../platform/web/list/ListScreen.tsx'
import { can } from '../../../platform/web/person.ts'
import { type Say, type Text, useText } from '../../../platform/web/text.ts'
import { Money, Plate, State, Time } from '../../../platform/web/value.tsx'
import { findPark, ParkName } from '../../parking/web/api/names.tsx'
import { Entries } from '../../settlement/web/api/Entries.tsx'
import { BillKind, billSearch } from '../contract/money.ts'
import { ChargeStory, order } from '../contract/order.ts'
import { type ChargeOrder, chargeSearch, ChargeStatus } from '../contract/session.ts'
import { PeriodKind } from '../contract/strategy.ts'
import { adjusts, closes } from './acts.ts'
import { ChargeMoney } from './ChargeMoney.tsx'
import { CHARGES, kw } from './figures.ts'
import { RefundDialog } from './RefundDialog.tsx'
import { PARTNERS } from './refundable.ts'
import { StationName, StationSelect } from './stations.tsx'

type Row = Of<typeof ChargeOrder>
type Story = Of<typeof ChargeStory>
type What = 'close' | 'plate' | 'adjust' | 'refund'
const { calls } = order
const CHANGES = [calls.recordList, calls.recordDetail, calls.tradeList, calls.holdList, calls.refundList]
const NOT_DONE = ['结算完成后才能调整或退款', 'Only a billed session can be adjusted or refunded'] as const

/** Charges, and beside them the bills that they came to. */
export default function OrderScreen() {
  const say = useText()
  const [shown, setShown] = useState('charges')
  return (
    <Tabs
      className="tabs-of-lists"
      activeKey={shown}
      onChange={setShown}
      items={[
        { key: 'charges', label: say(['充电订单', 'Charging sessions']), children: <Charges /> },
        { key: 'bills', label: say(['充电账单', 'Bills']), children: <AllBills follow={() => setShown('charges')} /> },
      ]}
    />
  )
}

/** Every final bill; its number leads to the charge that explains it. */
function AllBills({ follow }: { follow: () => void }) {
  return (
    <ListScreen
      purpose={[
        '每张结算账单：应付 = 预付结算 + 不足；不足计入减免、平台应收或欠费',
        'All final bills: payable = captured + shortfall; the shortfall is waived, charged to a partner or moved to arrears',
      ]}
      query={calls.tradeList}
      search={billSearch}
      exports={calls.tradeExport}
      find={['orderNo', 'kind', 'finalAt', { name: 'stationId', control: <StationSelect /> }, 'billNo', findPark]}
      sum={{ totals: ['elecFen', 'serviceFen', 'occupyFen', 'discountFen', 'payableFen', 'capturedFen'] }}
      columns={[
        'billNo',
        {
          dataIndex: 'orderNo',
          render: (_, row) => (
            <Link to={`${CHARGES}/${row.orderNo}`} onClick={follow}>
              {row.orderNo}
            </Link>
          ),
        },
        'kind',
        'finalAt',
        'energyWh',
        'elecFen',
        'serviceFen',
        'occupyFen',
        'discountFen',
        'adjustFen',
        'payableFen',
        'capturedFen',
        'shortfallFen',
        'waivedFen',
        'partnerFen',
        'arrearsFen',
        'paidBy',
        'payMethod',
        'discountName',
        'reason',
      ]}
      hidden={['adjustFen', 'shortfallFen', 'waivedFen', 'partnerFen', 'arrearsFen', 'payMethod', 'discountName', 'reason']}
      roomy={['billNo', 'paidBy', 'energyWh']}
      live="charging.order"
      empty={['还没有账单', 'No bills yet']}
    />
  )
}

/** Every charge: its energy, what it costs by periods, how it was paid and what happened. */
function Charges() {
  const say = useText()
  const [doing, setDoing] = useState<{ of: Row; what: What }>()
  const act = (of: Row, what: What) => () => setDoing({ of, what })
  return (
    <>
      <ListScreen
        purpose={['每次充电的过程、分段费用与结算', 'All charging sessions: what happened, cost by period and billing']}
        query={calls.recordList}
        search={chargeSearch}
        exports={calls.recordExport}
        find={[
          'plateNo',
          'status',
          'startTime',
          { name: 'stationId', control: <StationSelect /> },
          'startMode',
          'connectorId',
          'orderNo',
          'cardNo',
          findPark,
        ]}
        rowKey="orderNo"
        sum={{
          totals: ['energyWh', 'costFen'],
          figures: [{ text: ['异常待处理（不计入合计）', 'need attention (not in the totals)'], leads: { status: [ChargeStatus.abnormal] } }],
        }}
        columns={columnsOf(say)}
        hidden={['cardNo', 'elecFen', 'serviceFen', 'occupyFen', 'discountFen', 'parkCode', 'startChargeSeq']}
        roomy={['orderNo', 'connectorId', 'failReason', 'startMode', 'endTime', 'soc', 'stopReason']}
        live="charging.order"
        actions={(row) => actionsOf(row, (what) => act(row, what))}
        detail={{
          call: calls.recordDetail,
          input: (orderNo) => ({ orderNo }),
          head: (row) => (
            <>
              {row.plateNo && <Plate number={row.plateNo} color={row.plateColor} large />} <State dictionary={ChargeStatus} value={row.status} />{' '}
              {row.orderNo}
            </>
          ),
          act: (row) =>
            row.status === ChargeStatus.abnormal &&
            can(calls.close.needs) && (
              <Button type="primary" onClick={act(row, 'close')}>
                {say(['人工结束', 'Close by hand'])}
              </Button>
            ),
          body: (row) => <StoryOf story={row} />,
        }}
        empty={['还没有充电订单', 'No charging sessions yet']}
      />
      {doing && <Doing {...doing} adjust={act(doing.of, 'adjust')} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const columnsOf = (say: Say): Column<Row>[] => [
  'orderNo',
  { dataIndex: 'stationId', title: say(['充电站', 'Station']), render: (_, row) => <StationName id={row.stationId} /> },
  'connectorId',
  'plateNo',
  'status',
  'failReason',
  'startTime',
  'energyWh',
  'costFen',
  'startMode',
  'endTime',
  'soc',
  'stopReason',
  'cardNo',
  'elecFen',
  'serviceFen',
  'occupyFen',
  'discountFen',
  { dataIndex: 'parkCode', title: say(['车场', 'Car park']), render: (_, row) => <ParkName code={row.parkCode} /> },
  'startChargeSeq',
]

const actionsOf = (row: Row, act: (what: What) => () => void): RowAction[] => [
  {
    text: ['人工结束', 'Close by hand'],
    needs: calls.close.needs,
    run: act('close'),
    not: row.status !== ChargeStatus.abnormal && ['只有异常订单需要人工结束', 'Only a session that needs attention can be closed by hand'],
  },
  { text: ['绑定车牌', 'Link a plate'], needs: calls.bindPlate.needs, run: act('plate') },
  { text: ['调整', 'Adjust'], needs: calls.adjust.needs, run: act('adjust'), not: row.status !== ChargeStatus.done && NOT_DONE },
  {
    text: ['退款', 'Refund'],
    needs: calls.refund.needs,
    run: act('refund'),
    not: row.status !== ChargeStatus.done ? NOT_DONE : row.platformId !== null && PARTNERS.why,
  },
]

function Doing({ of, what, adjust, onClose }: { of: Row; what: What; adjust: () => void; onClose: () => void }) {
  const whose = [of.plateNo, of.orderNo].filter(Boolean).join(' ')
  const titled = ([zh, en]: Text) => ({ title: [`${zh} · ${whose}`, `${en} · ${whose}`] as Text })
  const shared = { mode: 'new' as const, value: {}, also: { orderNo: of.orderNo }, changes: CHANGES, onClose }
  if (what === 'close')
    return (
      <FormDialog
        {...shared}
        {...titled(['人工结束', 'Close by hand'])}
        entity={calls.close.input}
        save={calls.close}
        act={['结束并结算', 'Close and bill']}
        done={['已结束，等待结算', 'Closed; it will be billed']}
        fields={[{ name: 'endWh', help: closes(of.startWh) }, 'reason']}
      />
    )
  if (what === 'plate')
    return (
      <FormDialog
        {...shared}
        {...titled(['绑定车牌', 'Link a plate'])}
        entity={calls.bindPlate.input}
        save={calls.bindPlate}
        act={['绑定车牌', 'Link the plate']}
        done={['已绑定', 'Linked']}
        fields={['plateNo', 'plateColor']}
      />
    )
  if (what === 'adjust')
    return (
      <FormDialog
        {...shared}
        {...titled(['调整账单', 'Adjust the bill'])}
        entity={calls.adjust.input}
        save={calls.adjust}
        act={({ adjustFen }) => adjusts(adjustFen)}
        done={['已调整', 'Adjusted']}
        fields={[
          {
            name: 'adjustFen',
            help: [
              '负数退给付款人。正数：单位卡记入单位账；储值付款或自动扣款的，1 元起、72 小时内直接扣；其余减免，不追收',
              'Negative: refunded to the payer. Positive: company cards are billed; stored value is debited (from ¥1, within 72 hours); anything else is waived',
            ],
          },
          'reason',
        ]}
      />
    )
  return <RefundDialog of={of} shared={{ ...shared, ...titled(['退款', 'Refund']) }} adjust={adjust} />
}
function StoryOf({ story }: { story: Story }) {
  const say = useText()
  return (
    <div className="story">
      <Facts
        entity={ChargeStory}
        of={story}
        show={[
          { label: ['充电站', 'Station'], value: <StationName id={story.stationId} /> },
          'connectorId',
          'startMode',
          'startTime',
          'endTime',
          'stopReason',
          'startWh',
          ...(story.endWh !== null && story.baseWh !== null && story.baseWh !== story.startWh ? ['baseWh' as const] : []),
          'endWh',
          story.endWh !== null && story.baseWh === null
            ? { label: ['电量', 'Energy'], value: say(['未知，起始底度不可信', 'Unknown: the start reading cannot be trusted']) }
            : 'energyWh',
          ...(story.failReason === null ? [] : [{ label: ['异常原因', 'What went wrong'] as const, value: story.failReason }]),
          'socStart',
          'soc',
          'elecFen',
          'serviceFen',
          'occupyFen',
          'discountFen',
          'costFen',
          'cardNo',
          'startChargeSeq',
          'finalAt',
        ]}
      />
      {story.samples.length > 0 && <Curve of={story.samples} />}
      <Section title={['分段费用', 'Cost by period']}>
        <Stretches of={story.lines} />
      </Section>
      <Section title={['账单', 'Bills']}>
        <Bills of={story.bills} />
      </Section>
      <Section title={['预付与退款', 'Prepayment and refunds']}>
        <ChargeMoney of={story} />
      </Section>
      <Section title={['经过', 'What happened']}>
        <Moves of={story.moves} />
      </Section>
      {story.entries.length > 0 && (
        <Section title={['总账分录', 'Ledger entries']}>
          <Entries lines={story.entries} />
        </Section>
      )}
    </div>
  )
}
/** Power, and how full the car was, through the charge. */
function Curve({ of }: { of: Story['samples'] }) {
  const by = { kind: 'line' as const, by: ['时间', 'Time'] as const, categories: of.map(({ at }) => time(at).slice(11)) }
  return (
    <>
      <Chart
        {...by}
        title={['功率曲线', 'Power']}
        label={['kW', 'kW']}
        height={180}
        series={[{ name: ['功率', 'Power'], values: of.map(({ powerW }) => powerW), filled: true }]}
        written={(value) => kw(value)}
      />
      {of.some(({ soc }) => soc !== null) && (
        <Chart
          {...by}
          title={['SoC 曲线', 'State of charge']}
          label={['%', '%']}
          height={120}
          top={100}
          series={[{ name: ['SoC', 'SoC'], values: of.map(({ soc }) => soc) }]}
          written={(value) => `${value}%`}
        />
      )}
    </>
  )
}
const LINES: LineColumn<Story['lines'][number]>[] = [
  { name: ['时段', 'Period'], cell: (line) => <Period of={line} /> },
  { name: ['电量', 'Energy'], right: true, cell: (line) => `${kilowattHours(line.wh)} kWh` },
  { name: ['电价（元/度）', 'Electricity, yuan per kWh'], right: true, cell: (line) => price(line.elecPriceE4) },
  { name: ['服务费（元/度）', 'Service, yuan per kWh'], right: true, cell: (line) => price(line.servicePriceE4) },
  { name: ['电费', 'Electricity'], right: true, cell: (line) => <Money fen={line.elecFen} /> },
  { name: ['服务费', 'Service'], right: true, cell: (line) => <Money fen={line.serviceFen} /> },
]
function Period({ of: { kind, from, to } }: { of: Story['lines'][number] }) {
  const say = useText()
  return `${say(PeriodKind.entries[kind])} ${time(from).slice(5, 16)} – ${time(to).slice(11, 16)}`
}
/** Each stretch of one price: when, how much, at what price, what it came to. */
function Stretches({ of }: { of: Story['lines'] }) {
  const say = useText()
  if (of.length === 0) return <p className="faint">{say(['没有电量', 'No energy'])}</p>
  return (
    <div className="charging-table">
      <Lines of={of} keyOf={({ from }) => from} columns={LINES} />
    </div>
  )
}
const price = (e4: number) => (e4 / 10_000).toFixed(4)
const BILLS: LineColumn<Story['bills'][number]>[] = [
  { name: ['账单', 'Bill'], cell: ({ kind, billNo }) => <BillName kind={kind} billNo={billNo} /> },
  { name: ['结算时间', 'Billed at'], cell: ({ finalAt }) => <Time at={finalAt} /> },
  { name: ['应收', 'Receivable'], right: true, cell: ({ payableFen }) => <Money fen={payableFen} /> },
  { name: ['原因', 'Reason'], cell: ({ reason }) => <span className="faint">{reason}</span> },
]
function BillName({ kind, billNo }: Pick<Story['bills'][number], 'kind' | 'billNo'>) {
  const say = useText()
  return (
    <>
      {say(BillKind.entries[kind])} <span className="faint">{billNo}</span>
    </>
  )
}
function Bills({ of }: { of: Story['bills'] }) {
  const say = useText()
  if (of.length === 0) return <p className="faint">{say(['还没有结算', 'Not billed yet'])}</p>
  return <Lines of={of} keyOf={({ billNo }) => billNo} columns={BILLS} />
}
/** The events of a charge as people say them. */
const EVENTS: Record<string, readonly [string, string]> = {
  opened: ['下单', 'Ordered'],
  paid: ['预付到账', 'Prepayment received'],
  accepted: ['桩已接受', 'Accepted by pile'],
  began: ['开始充电', 'Charging started'],
  beganOffline: ['离线开始', 'Started offline'],
  beganLate: ['超时后开始', 'Started late'],
  beganUnpaid: ['未付款开始', 'Started unpaid'],
  stopAsked: ['要求停止', 'Stop requested'],
  stopAskedAgain: ['未停止，已再次下发', 'Not stopped; request sent again'],
  ended: ['结束', 'Ended'],
  endedAgain: ['重复结束', 'Duplicate end'],
  billed: ['结算', 'Billed'],
  adjusted: ['调整', 'Adjusted'],
  tooMuchLeft: ['多收未退，请人工退款', 'Overcharged and not refunded: refund by hand'],
  parkingWaived: ['停车减免', 'Parking waived'],
  failed: ['启动失败', 'Did not start'],
  cancelled: ['取消', 'Cancelled'],
  lost: ['未收到结束', 'End not received'],
  silent: ['没有数据', 'No data'],
  powerCut: ['断电', 'Power cut'],
  insane: ['电量异常', 'Implausible energy'],
  unpriced: ['没有价格', 'No price'],
  holdReturned: ['款项先行退回', 'Prepayment returned'],
  closedByHand: ['人工结束', 'Closed by hand'],
  plateBound: ['绑定车牌', 'Plate linked'],
}
const MOVES: LineColumn<Story['moves'][number]>[] = [
  { name: ['时间', 'Time'], cell: ({ at }) => <Time at={at} /> },
  { name: ['事件', 'Event'], cell: ({ event }) => <EventName event={event} /> },
  { name: ['状态', 'Status'], cell: ({ toStatus }) => <State dictionary={ChargeStatus} value={toStatus} /> },
  { name: ['说明', 'Note'], cell: ({ note }) => <span className="faint">{note}</span> },
]
const EventName = ({ event }: { event: string }) => useText()(EVENTS[event] ?? [event, event])
const Moves = ({ of }: { of: Story['moves'] }) => <Lines of={of} keyOf={({ at, event }) => `${at}${event}`} columns={MOVES} />

import { lazy, Suspense } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { dayOf, instantAt, startOf } from '../../../platform/contract/time.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { listOf } from '../../../platform/web/draw/Explain.tsx'
import { count, money } from '../../../platform/web/format.ts'
import { Waiting } from '../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { Tile } from '../../../platform/web/draw/Tiles.tsx'
import { Money, plateHue } from '../../../platform/web/value.tsx'
import { TRAFFIC } from '../../parking/contract/figures.ts'
import { INCOME, ORDERED } from '../../settlement/contract/figures.ts'
import { order, type OrderSummary, OrderType } from '../../settlement/contract/order.ts'
import { UNPAID_EXITS } from '../contract/figures.ts'
import { type ByPlate, home } from '../contract/home.ts'
import { Overview, Part, useFigures } from './Overview.tsx'

const FlowChart = lazy(() => import('../../parking/web/api/FlowChart.tsx'))
const NOTHING = {}

/** How the day goes: cars, income, and what left unpaid. */
export default function OperationDashboardScreen() {
  const today = { createdAtFrom: startOf(dayOf(instantAt(Date.now()))), type: [OrderType.temporaryParking] }
  return (
    <Overview
      purpose={['今日停车、收入与欠费离场，与昨天同一时刻相比', 'Parking, income and unpaid exits today, compared with the same time yesterday']}
      label={['运营数字', 'Today’s figures']}
      tiles={<Figures />}
    >
      <Part
        title={['每小时进出', 'Entries and exits per hour']}
        to={listOf(TRAFFIC.entered)}
        figures={[TRAFFIC.entered, TRAFFIC.left]}
        call={home.flow}
        input={NOTHING}
      >
        {(hours) => (
          <Suspense fallback={<Waiting lines={4} />}>
            <FlowChart hours={hours} />
          </Suspense>
        )}
      </Part>
      <Part title={PARKING_ORDERS} to={listOf(ORDERED.receivableFen)} figures={Object.values(ORDERED)} call={order.summary} input={today}>
        {(of) => <Orders of={of} />}
      </Part>
      <Part
        title={['占用率最高的车场', 'Highest occupancy']}
        to={listOf(TRAFFIC.present)}
        figures={[TRAFFIC.occupancy]}
        call={home.screen}
        input={NOTHING}
      >
        {({ parks }) => <Fullest parks={parks} />}
      </Part>
      <Part
        title={['今日进场车牌', 'Plates entered today']}
        to={listOf(TRAFFIC.entered)}
        figures={[TRAFFIC.entered]}
        call={home.plates}
        input={NOTHING}
      >
        {(of) => <Colors of={of} />}
      </Part>
    </Overview>
  )
}

function Figures() {
  const say = useText()
  const of = useFigures(home.realPark, NOTHING).data
  const escapes = useFigures(home.escapes, NOTHING).data
  return (
    <>
      <Tile figure={TRAFFIC.entered} value={of?.entered.today} {...of?.entered} />
      <Tile figure={TRAFFIC.left} value={of?.left.today} {...of?.left} />
      <Tile figure={TRAFFIC.present} value={of?.present}>
        {of && say([`空余 ${count(of.freeBays)}`, `${count(of.freeBays)} free`])}
        {of && of.heldBays > 0 && say([` · 预约保留 ${count(of.heldBays)}`, ` · held for bookings: ${count(of.heldBays)}`])}
      </Tile>
      <Tile figure={INCOME.paidFen} value={of && <Money fen={of.paidFen.today} />} {...of?.paidFen} />
      <Tile figure={INCOME.netFen} value={of && <Money fen={of.netFen.today} />} {...of?.netFen} />
      <Tile figure={UNPAID_EXITS.orders} value={escapes?.orders.today} {...escapes?.orders} good="down">
        {escapes && say([`现欠 ${money(escapes.owedFen.today)}`, `${money(escapes.owedFen.today)} still owed`])}
      </Tile>
    </>
  )
}

/** The amount asked is the sum of its parts: 应收 = 实收 + 优惠 + 减免 + 欠费. A refund is part of 实收, and an amount that waits to be paid is in no 应收 yet. */
const PARKING_ORDERS: Text = ['今日下单的停车订单', 'Parking orders made today']
function Orders({ of }: { of: Of<typeof OrderSummary> }) {
  const say = useText()
  const parts = (Object.keys(ORDERED) as (keyof typeof ORDERED)[]).map((part) => [ORDERED[part].name, of[part]] as const)
  return (
    <Chart
      kind="bar"
      label={PARKING_ORDERS}
      by={['项目', 'Item']}
      categories={parts.map(([name]) => say(name))}
      series={[{ name: ['金额', 'Amount'], values: parts.map(([, fen]) => fen) }]}
      written={money}
    />
  )
}
const MOST = 12
type ParkNow = NonNullable<Of<typeof home.screen.reply>>['parks'][number]
function Fullest({ parks }: { parks: readonly ParkNow[] }) {
  const say = useText()
  const share = (one: ParkNow) => (one.totalBays > 0 ? Math.round((one.present / one.totalBays) * 100) : 0)
  const most = [...parks].sort((a, b) => share(b) - share(a)).slice(0, MOST)
  return (
    <Chart
      kind="rank"
      label={['泊位占用率', 'Bay occupancy']}
      by={['车场', 'Car park']}
      categories={most.map((one) => one.name)}
      series={[{ name: TRAFFIC.occupancy.name, values: most.map(share) }]}
      written={(value) => say([`${value}%`, `${value}%`])}
      top={100}
    />
  )
}
function Colors({ of }: { of: Of<typeof ByPlate> }) {
  const say = useText()
  const name = (color: Of<typeof ByPlate>['colors'][number]['plateColor']) =>
    color === null ? say(['未识别', 'Not recognised']) : say([PlateColor.entries[color][0], PlateColor.entries[color][1]])
  return (
    <Chart
      kind="share"
      label={['今日进场车辆，按车牌颜色', 'Cars entered today, by plate colour']}
      by={['车牌颜色', 'Plate colour']}
      categories={of.colors.map(({ plateColor }) => name(plateColor))}
      series={[{ name: TRAFFIC.entered.name, values: of.colors.map(({ entered }) => entered) }]}
      colors={of.colors.map(({ plateColor }) => plateHue(plateColor))}
    />
  )
}

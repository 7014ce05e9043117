import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import gcoord from 'gcoord'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { cityDay, dayEnd, dayStart, percent, time } from '../../../platform/web/format.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { type MapPoint, PlaceMap } from '../../../platform/web/map/PlaceMap.tsx'
import { Failed, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Tile, Tiles } from '../../../platform/web/draw/Tiles.tsx'
import { Money } from '../../../platform/web/value.tsx'
import { CHARGED, CHARGED_MONTH, USED } from '../contract/figures.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { data } from '../contract/data.ts'
import { map } from '../contract/map.ts'
import { billsOf, chargeBillsOf, hourOf, kwh, lengthsOf, money, type Part, PLACE_TONES, startsOf } from './figures.ts'
import './charging.css'

/** No older than this when it is looked at. */
const RENEW_MS = 10_000
const again = { refetchInterval: RENEW_MS }
const MAP_PX = 420
/** The charging of the district on one wall. */
export default function ChargingWallScreen() {
  const say = useText()
  const counts = useQuery({ ...asks(data.chargeCount, {}, { quiet: true }), ...again })
  const orders = useQuery({ ...asks(data.chargeOrder, {}, { quiet: true }), ...again })
  const times = useQuery({ ...asks(data.chargeTime, {}, { quiet: true }), ...again })
  const cars = useQuery({ ...asks(data.chargeCar, {}, { quiet: true }), ...again })
  const failed = [counts, orders, times, cars].find((one) => one.isError && !one.data)
  if (failed) return <Failed error={failed.error as Refusal} retry={() => void failed.refetch()} />
  if (!counts.data || !orders.data || !times.data || !cars.data) return <Waiting />
  const day = { from: dayStart(cityDay()), to: dayEnd(cityDay()) }
  return (
    <div className="page charging-page charging-screen">
      <PageHead purpose={['今日截至目前，与昨日同期相比', 'Today so far, compared with the same time yesterday']}>
        <span className="push" />
        <span className="faint">
          {say(['截至', 'As of'])} {time(orders.data.at)}
        </span>
      </PageHead>
      <Today of={orders.data} timeUse={times.data.timeUse} day={day} />
      <div className="charging-parts">
        <Status of={counts.data.byStatus} total={counts.data.connectors} stations={counts.data.stations} piles={counts.data.piles} />
        <Starts of={orders.data.hours} />
        <Best of={orders.data.best} day={day} />
        <Durations of={times.data.durations} />
        <Cars of={cars.data} />
        <Places />
      </div>
    </div>
  )
}

type Orders = Of<typeof data.chargeOrder.reply>
type Times = Of<typeof data.chargeTime.reply>
/** Today so far, beside the same time of yesterday. */
function Today({ of: { today, yesterday, month }, timeUse, day }: { of: Orders; timeUse: Times['timeUse']; day: Part }) {
  const say = useText()
  return (
    <Tiles label={['今日', 'Today']}>
      <Tile figure={CHARGED.orders} value={today.orders} to={chargeBillsOf(day)} today={today.orders} before={yesterday.orders} />
      <Tile figure={CHARGED.billedWh} value={kwh(today.wh)} unit={['度', 'kWh']} to={billsOf(day)} today={today.wh} before={yesterday.wh} />
      <Tile
        figure={CHARGED.receivableFen}
        value={<Money fen={today.receivableFen} />}
        to={billsOf(day)}
        today={today.receivableFen}
        before={yesterday.receivableFen}
      />
      <Tile figure={CHARGED.netFen} value={<Money fen={today.netFen} />} to={billsOf(day)} today={today.netFen} before={yesterday.netFen} />
      <Tile figure={CHARGED_MONTH.receivableFen} value={<Money fen={month.receivableFen} />} />
      <Tile figure={USED.timeUse} value={timeUse === null ? null : percent(timeUse)}>
        {say(['今日', 'Today'])}
      </Tile>
    </Tiles>
  )
}

function Starts({ of }: { of: Orders['hours'] }) {
  return (
    <Chart
      kind="line"
      title={['24 小时启动', 'Starts in the last 24 hours']}
      figures={[USED.starts]}
      label={['启动次数', 'Starts']}
      by={['时间', 'Hour']}
      categories={of.map(({ at }) => time(at).slice(11, 16))}
      series={[{ name: ['启动', 'Starts'], values: of.map((one) => one.orders), filled: true, running: true }]}
      leads={(at) => of[at] && startsOf(hourOf(of[at].at))}
    />
  )
}

function Best({ of, day }: { of: Orders['best']; day: Part }) {
  return (
    <Chart
      kind="rank"
      title={['今日站点前十', 'Top ten stations today']}
      figures={[CHARGED.receivableFen]}
      label={['应收（元）', 'Receivable (yuan)']}
      by={['充电站', 'Station']}
      categories={of.map(({ name }) => name)}
      series={[{ name: ['应收', 'Receivable'], values: of.map((one) => one.receivableFen) }]}
      written={money}
      leads={(at) => of[at] && billsOf({ ...day, stationId: of[at].stationId })}
    />
  )
}

function Durations({ of }: { of: Times['durations'] }) {
  const say = useText()
  return (
    <Chart
      kind="bar"
      title={['充电时长分布（已结束）', 'Durations of sessions that ended']}
      figures={[USED.ended]}
      label={['次数', 'Sessions']}
      by={['时长', 'Time']}
      categories={of.map((one) => say(lengthsOf(one)))}
      series={[{ name: ['次数', 'Sessions'], values: of.map(({ count }) => count) }]}
    />
  )
}

/** Those that charged for the first time beside those that came again. */
function Cars({ of }: { of: Of<typeof data.chargeCar.reply> }) {
  const say = useText()
  return (
    <Chart
      kind="share"
      title={USED.cars.name}
      figures={[USED.cars]}
      note={
        <span className="faint">
          {of.cars}
          {of.unknown > 0 && say([`，另有 ${of.unknown} 次未识别车辆`, `, and ${of.unknown} ${plural(of.unknown, 'session')} without a known car`])}
        </span>
      }
      label={['车辆', 'Cars']}
      by={['类型', 'Type']}
      categories={[say(['新车', 'New']), say(['回头车', 'Returning'])]}
      series={[{ name: ['车辆', 'Cars'], values: [of.fresh, of.returning] }]}
    />
  )
}

function Status({
  of,
  total,
  stations,
  piles,
}: {
  of: readonly { status: keyof typeof ConnectorStatus.entries; count: number }[]
  total: number
  stations: number
  piles: number
}) {
  const say = useText()
  return (
    <section className="charging-status">
      <h2>
        {say([
          `充电站 ${stations} · 充电桩 ${piles} · 充电枪 ${total}`,
          `${stations} ${plural(stations, 'station')} · ${piles} ${plural(piles, 'pile')} · ${total} ${plural(total, 'connector')}`,
        ])}
      </h2>
      <ul>
        {of.map(({ status, count }) => (
          <li key={status}>
            <Link to={`/recharge/chargingRealTimeMonitoring?status=${status}`}>
              <span className={`state ${ConnectorStatus.entries[status][2] ?? ''}`}>
                {say([ConnectorStatus.entries[status][0], ConnectorStatus.entries[status][1]])}
              </span>
              <b>{count}</b>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Places() {
  const { data: spots = [] } = useQuery({ ...asks(map.queryMap, {}, { quiet: true }), ...again, enabled: can(map.queryMap.needs) })
  const points = spots.flatMap(({ stationId, name, gcjLng, gcjLat, state, free, total }): MapPoint[] => {
    const [lng, lat] = gcoord.transform([gcjLng, gcjLat] as [number, number], gcoord.GCJ02, gcoord.WGS84)
    return [{ id: stationId ?? name, name: `${name} ${free}/${total}`, lng, lat, tone: PLACE_TONES[state] }]
  })
  return <PlaceMap label={['充电站', 'Stations']} points={points} height={MAP_PX} />
}

import { useQuery } from '@tanstack/react-query'
import { useContext, useMemo } from 'react'
import { Link } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { asks } from '../../../platform/web/ask.ts'
import { cityDay, count } from '../../../platform/web/format.ts'
import { can } from '../../../platform/web/person.ts'
import { useText } from '../../../platform/web/text.ts'
import { Money } from '../../../platform/web/value.tsx'
import { Still } from '../../../platform/web/draw/still.ts'
import { WALL_AGAIN_MS } from '../../../platform/web/draw/Wall.tsx'
import { Detector } from '../../roadside/contract/berth.ts'
import { ROAD } from '../../roadside/contract/figures.ts'
import type { RoadResources } from '../../roadside/contract/screen.ts'
import type { RoadWall } from '../../roadside/contract/wall.ts'
import { ShiftState } from '../../settlement/contract/shift.ts'
import { TollType } from '../../staff/contract/collector.ts'
import { till } from '../../staff/contract/till.ts'
import { ASSETS } from '../contract/figures.ts'

const STAYS = '/operation/record/roadParking/roadParkingRecord'
const DEVICES = '/assetManage/roadParking/device'
const HEIGHT_PX = 180
/** Of the lines below; who arrived stands in two lists, those that are there and those that left. */
const LEFT = 1
const leftIn = (hour: number) => {
  const of = `${cityDay()} ${String(hour).padStart(2, '0')}`
  return `${STAYS}?${new URLSearchParams({ leftAtFrom: `${of}:00:00`, leftAtTo: `${of}:59:59` })}`
}

/** How the day goes on the street, and what watches it. */
export default function RoadWallCharts({ flow, resources }: { flow: Of<typeof RoadWall>; resources: Of<typeof RoadResources> }) {
  const say = useText()
  const still = useContext(Still)
  const { hours } = flow
  const categories = useMemo(() => hours.map(({ hour }) => `${hour}:00`), [hours])
  const series = useMemo(
    () => [
      { name: ['驶入', 'Arrived'] as const, values: hours.map(({ arrivals }) => arrivals), running: true },
      { name: ['驶离', 'Left'] as const, values: hours.map(({ leaves }) => leaves), running: true },
      { name: ['昨日驶入', 'Arrived yesterday'] as const, values: hours.map(({ arrivalsBefore }) => arrivalsBefore), beside: 'dashed' as const },
    ],
    [hours],
  )
  const kinds = useMemo(() => resources.devices.map(({ kind }) => say(Detector.entries[kind])), [resources, say])
  const watching = useMemo(
    () => [
      { name: ['在线', 'Online'] as const, values: resources.devices.map(({ online }) => online) },
      { name: ['离线', 'Offline'] as const, values: resources.devices.map(({ total, online }) => total - online), tone: 'bad' as const },
    ],
    [resources],
  )
  return (
    <div className="wall-charts">
      <Chart
        kind="line"
        title={['每小时驶入驶离', 'Arrivals and departures per hour']}
        figures={[ROAD.arrivals, ROAD.leaves]}
        label={['每小时驶入驶离车辆数', 'Cars arriving and leaving per hour']}
        by={['小时', 'Hour']}
        height={HEIGHT_PX}
        {...(!still && { leads: (at: number, of: number) => (of === LEFT ? leftIn(hours[at]!.hour) : undefined) })}
        {...{ categories, series }}
      />
      <Chart
        kind="rank"
        title={['检测设备', 'Detectors']}
        figures={[ASSETS.roadDevices]}
        label={['检测设备在线数', 'Detectors online']}
        by={['检测方式', 'Detector']}
        height={HEIGHT_PX}
        categories={kinds}
        series={watching}
        {...(!still && { leads: () => DEVICES })}
        empty={['还没有绑定设备', 'No devices bound yet']}
      />
      <Duty on={resources.tollersOnDuty} />
    </div>
  )
}

/** Collectors of the street whose cash shift is running, and the list of just these. */
function Duty({ on }: { on: number }) {
  const say = useText()
  const leads = !useContext(Still) && can(till.shifts.needs)
  return (
    <section className="wall-duty">
      <h3>{say(['在岗收费员', 'Collectors on duty'])}</h3>
      <b>{leads ? <Link to={RUNNING_LIST}>{count(on)}</Link> : count(on)}</b>
      {leads && <CollectorsDue />}
    </section>
  )
}

const TILLS = '/assetManage/person/charging'
/** More names nobody reads from across a room. */
const DUE_SHOWN = 6
const RUNNING = { state: [ShiftState.running], tollType: [TollType.roadside], limit: 500 }
const RUNNING_LIST = `${TILLS}?${new URLSearchParams({ tab: 'shifts', state: String(ShiftState.running), tollType: String(TollType.roadside) })}`
/** Shows each collector's cash and what they owe: the cash shifts that run now, as the collection screen lists them. Hidden from people who may not see money. */
function CollectorsDue() {
  const say = useText()
  const { data } = useQuery({ ...asks(till.shifts, RUNNING, { quiet: true }), refetchInterval: WALL_AGAIN_MS })
  const collectors = data?.records ?? []
  if (collectors.length === 0) return null
  const more = collectors.length - DUE_SHOWN
  return (
    <table className="wall-due">
      <thead>
        <tr>
          <th>{say(['收费员', 'Collector'])}</th>
          <th>{say(['已收现金', 'Cash taken'])}</th>
          <th>{say(['应缴', 'Cash due'])}</th>
        </tr>
      </thead>
      <tbody>
        {collectors.slice(0, DUE_SHOWN).map(({ id, name, cashInFen, expectedFen }) => (
          <tr key={id}>
            <td>
              <Link to={`${TILLS}/${id}`}>{name}</Link>
            </td>
            <td>
              <Money fen={cashInFen} />
            </td>
            <td>
              <Money fen={expectedFen} />
            </td>
          </tr>
        ))}
      </tbody>
      {more > 0 && (
        <tfoot>
          <tr>
            <td colSpan={3}>
              <Link to={RUNNING_LIST}>{say([`另 ${more} 人`, `${more} more`])}</Link>
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  )
}

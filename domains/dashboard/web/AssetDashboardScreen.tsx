import type { Of } from '../../../platform/contract/field.ts'
import { Chart } from '../../../platform/web/Chart.tsx'
import { count } from '../../../platform/web/format.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { useText } from '../../../platform/web/text.ts'
import { Tile } from '../../../platform/web/Tiles.tsx'
import { park, type ParkDevices } from '../../parking/contract/park.ts'
import { screen as parks } from '../../parking/contract/screen.ts'
import { Detector } from '../../roadside/contract/berth.ts'
import { screen as road, type RoadOverview, type RoadResources } from '../../roadside/contract/screen.ts'
import { home } from '../contract/home.ts'
import { Overview, Part, useFigures } from './Overview.tsx'

const PARKS = '/assetManage/parkingAndFacility/selfParking'
const DEVICES = '/operation/deviceMonitor'
const BERTHS = '/assetManage/roadParking/berth'
const SECTIONS = '/assetManage/roadParking/section'
const NOTHING = {}

/** What there is: parks, berths of the street, and devices, and how much of it works right now. */
export default function AssetDashboardScreen() {
  return (
    <Overview
      purpose={['车场、路内泊位与设备的总量，以及当前状态', 'Totals and current state of car parks, berths and devices']}
      label={['资产数字', 'Asset figures']}
      tiles={<Figures />}
    >
      <Part title={['车场泊位', 'Car park bays']} to={PARKS} call={home.screen} input={NOTHING}>
        {({ parks: rows }) => <Bays parks={rows} />}
      </Part>
      <Part title={['路内泊位状态', 'Berths by status']} to={BERTHS} call={road.overview} input={NOTHING}>
        {(of) => <Berths of={of} />}
      </Part>
      <Part title={['车场设备', 'Car park devices']} to={DEVICES} call={park.parkInfo} input={NOTHING}>
        {(rows) => <ParkDevicesChart parks={rows} />}
      </Part>
      <Part title={['路内设备', 'Roadside devices']} to="/assetManage/roadParking/device" call={road.resources} input={NOTHING}>
        {(of) => <RoadDevices of={of} />}
      </Part>
    </Overview>
  )
}

function Figures() {
  const say = useText()
  const points = useFigures(parks.overview, NOTHING).data
  const info = useFigures(park.parkInfo, NOTHING).data
  const berths = useFigures(road.overview, NOTHING).data
  const street = useFigures(road.resources, NOTHING).data
  const devices = info?.flatMap((one) => one.devices)
  const online = devices?.filter((one) => one.online).length ?? 0
  const seen = street?.devices.reduce((sum, one) => sum + one.total, 0)
  return (
    <>
      <Tile name={['停车场', 'Car parks']} to={PARKS} value={points?.length} />
      <Tile name={['车场泊位', 'Car park bays']} value={points?.reduce((sum, one) => sum + one.totalBays, 0)}>
        {points &&
          say([
            `余位 ${count(points.reduce((sum, one) => sum + one.remainingBays, 0))}`,
            `${count(points.reduce((sum, one) => sum + one.remainingBays, 0))} free`,
          ])}
      </Tile>
      <Tile name={['路内泊位', 'Berths']} to={BERTHS} value={berths?.seatTotal}>
        {berths && say([`空闲 ${count(berths.free)}`, `${count(berths.free)} free`])}
      </Tile>
      <Tile name={['片区 / 路段', 'Districts / sections']} to={SECTIONS} value={street && `${street.parks} / ${street.sections}`} />
      <Tile
        name={['车场设备', 'Car park devices']}
        to={DEVICES}
        value={devices?.length}
        tone={devices !== undefined && online < devices.length && 'warning'}
      >
        {devices && say([`在线 ${count(online)}`, `${count(online)} online`])}
      </Tile>
      <Tile name={['路内设备', 'Roadside devices']} value={seen}>
        {street && say([`在岗收费员 ${street.tollersOnDuty}`, `${street.tollersOnDuty} ${plural(street.tollersOnDuty, 'collector')} on duty`])}
      </Tile>
    </>
  )
}

/** More parks than these are read in their list. */
const MOST = 12
type ParkNow = NonNullable<Of<typeof home.screen.reply>>['parks'][number]
function Bays({ parks: rows }: { parks: readonly ParkNow[] }) {
  const most = [...rows].sort((a, b) => b.totalBays - a.totalBays).slice(0, MOST)
  return (
    <Chart
      kind="rank"
      label={['车场泊位：在场与空余', 'Car park bays: present and free']}
      by={['车场', 'Car park']}
      categories={most.map((one) => one.name)}
      series={[
        { name: ['在场', 'Present'], values: most.map((one) => one.present) },
        { name: ['空余', 'Free'], values: most.map((one) => one.freeBays), tone: 'quiet' },
      ]}
    />
  )
}
function Berths({ of }: { of: Of<typeof RoadOverview> }) {
  const say = useText()
  const states = [
    [['占用', 'Occupied'], of.occupied],
    [['空闲', 'Free'], of.free],
    [['异常', 'Abnormal'], of.abnormal],
    [['停用', 'Disabled'], of.disabled],
  ] as const
  return (
    <Chart
      kind="share"
      label={['路内泊位状态', 'Berths by status']}
      by={['状态', 'Status']}
      categories={states.map(([name]) => say(name))}
      series={[{ name: ['泊位', 'Berths'], values: states.map(([, n]) => n) }]}
    />
  )
}
function ParkDevicesChart({ parks: rows }: { parks: readonly Of<typeof ParkDevices>[] }) {
  const counted = rows
    .filter((one) => one.devices.length > 0)
    .sort((a, b) => b.devices.length - a.devices.length)
    .slice(0, MOST)
  const online = counted.map((one) => one.devices.filter((device) => device.online).length)
  return (
    <Chart
      kind="rank"
      label={['车场设备：在线与离线', 'Car park devices: online and offline']}
      by={['车场', 'Car park']}
      categories={counted.map((one) => one.name)}
      series={[
        { name: ['在线', 'Online'], values: online },
        { name: ['离线', 'Offline'], values: counted.map((one, at) => one.devices.length - online[at]!), tone: 'bad' },
      ]}
    />
  )
}
function RoadDevices({ of }: { of: Of<typeof RoadResources> }) {
  const say = useText()
  return (
    <Chart
      kind="stack"
      label={['路内设备：在线与离线', 'Roadside devices: online and offline']}
      by={['检测方式', 'Detector']}
      categories={of.devices.map(({ kind }) => say([Detector.entries[kind][0], Detector.entries[kind][1]]))}
      series={[
        { name: ['在线', 'Online'], values: of.devices.map(({ online }) => online) },
        { name: ['离线', 'Offline'], values: of.devices.map(({ total, online }) => total - online), tone: 'bad' },
      ]}
    />
  )
}

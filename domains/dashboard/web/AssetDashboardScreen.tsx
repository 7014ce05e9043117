import type { Of } from '../../../platform/contract/field.ts'
import { Chart } from '../../../platform/web/draw/Chart.tsx'
import { listOf } from '../../../platform/web/draw/Explain.tsx'
import { count } from '../../../platform/web/format.ts'
import { plural } from '../../../platform/contract/plural.ts'
import { useText } from '../../../platform/web/text.ts'
import { Tile } from '../../../platform/web/draw/Tiles.tsx'
import { TRAFFIC } from '../../parking/contract/figures.ts'
import { park, type ParkDevices, ParkType } from '../../parking/contract/park.ts'
import { type ParkPoint, screen as parks } from '../../parking/contract/screen.ts'
import { Detector } from '../../roadside/contract/berth.ts'
import { ROAD_BERTHS } from '../../roadside/contract/figures.ts'
import { screen as road, type RoadOverview, type RoadResources } from '../../roadside/contract/screen.ts'
import { ASSETS } from '../contract/figures.ts'
import { Overview, Part, useFigures } from './Overview.tsx'

const NOTHING = {}
/** Districts of the street are parks as well; their berths are counted by themselves. */
const OFF_STREET = { pType: ParkType.offStreet }
const isOffStreet = ({ pType }: Pick<Of<typeof ParkDevices>, 'pType'>) => pType === ParkType.offStreet

/** Assets: parks, berths of the street, and devices, and how many of them work right now. */
export default function AssetDashboardScreen() {
  return (
    <Overview
      purpose={['车场、路内泊位与设备的总量，以及当前状态', 'Totals and current state of car parks, berths and devices']}
      label={['资产数字', 'Asset figures']}
      tiles={<Figures />}
    >
      <Part title={ASSETS.bays.name} to={listOf(ASSETS.bays)} figures={[ASSETS.bays, TRAFFIC.present]} call={parks.overview} input={OFF_STREET}>
        {(rows) => <Bays parks={rows} />}
      </Part>
      <Part
        title={['路内泊位状态', 'Berths by status']}
        to={listOf(ROAD_BERTHS.seatTotal)}
        figures={Object.values(ROAD_BERTHS)}
        call={road.overview}
        input={NOTHING}
      >
        {(of) => <Berths of={of} />}
      </Part>
      <Part title={ASSETS.parkDevices.name} to={listOf(ASSETS.parkDevices)} figures={[ASSETS.parkDevices]} call={park.parkInfo} input={NOTHING}>
        {(rows) => <ParkDevicesChart parks={rows.filter(isOffStreet)} />}
      </Part>
      <Part title={ASSETS.roadDevices.name} to={listOf(ASSETS.roadDevices)} figures={[ASSETS.roadDevices]} call={road.resources} input={NOTHING}>
        {(of) => <RoadDevices of={of} />}
      </Part>
    </Overview>
  )
}

function Figures() {
  const say = useText()
  const points = useFigures(parks.overview, OFF_STREET).data
  const info = useFigures(park.parkInfo, NOTHING).data
  const berths = useFigures(road.overview, NOTHING).data
  const street = useFigures(road.resources, NOTHING).data
  const devices = info?.filter(isOffStreet).flatMap((one) => one.devices)
  const online = devices?.filter((one) => one.online).length ?? 0
  const seen = street?.devices.reduce((sum, one) => sum + one.total, 0)
  return (
    <>
      <Tile figure={ASSETS.parks} value={points?.length} />
      <Tile figure={ASSETS.bays} value={points?.reduce((sum, one) => sum + one.totalBays, 0)}>
        {points &&
          say([
            `余位 ${count(points.reduce((sum, one) => sum + one.remainingBays, 0))}`,
            `${count(points.reduce((sum, one) => sum + one.remainingBays, 0))} free`,
          ])}
      </Tile>
      <Tile figure={ROAD_BERTHS.seatTotal} value={berths?.seatTotal}>
        {berths && say([`空闲 ${count(berths.free)}`, `${count(berths.free)} free`])}
      </Tile>
      <Tile figure={ASSETS.sections} value={street && `${street.parks} / ${street.sections}`} />
      <Tile figure={ASSETS.parkDevices} value={devices?.length} tone={devices !== undefined && online < devices.length && 'warning'}>
        {devices && say([`在线 ${count(online)}`, `${count(online)} online`])}
      </Tile>
      <Tile figure={ASSETS.roadDevices} value={seen}>
        {street && say([`在岗收费员 ${street.tollersOnDuty}`, `${street.tollersOnDuty} ${plural(street.tollersOnDuty, 'collector')} on duty`])}
      </Tile>
    </>
  )
}

/** More parks than these are read in their list. */
const MOST = 12
function Bays({ parks: rows }: { parks: readonly Of<typeof ParkPoint>[] }) {
  const most = [...rows].sort((a, b) => b.totalBays - a.totalBays).slice(0, MOST)
  return (
    <Chart
      kind="rank"
      label={['车场泊位：在场与空余', 'Car park bays: present and free']}
      by={['车场', 'Car park']}
      categories={most.map((one) => one.name)}
      series={[
        { name: TRAFFIC.present.name, values: most.map((one) => one.presentCount) },
        { name: ['空余', 'Free'], values: most.map((one) => one.remainingBays), tone: 'quiet' },
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

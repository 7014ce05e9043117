import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import type { Of } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { cityDay, count, dayStart } from '../../../platform/web/format.ts'
import { can } from '../../../platform/web/person.ts'
import { type MapPoint, PlaceMap } from '../../../platform/web/PlaceMap.tsx'
import { Failed, NoPermission, Waiting } from '../../../platform/web/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Fullest, toneOf, Wall, WALL_AGAIN_MS, type WallFigure } from '../../../platform/web/Wall.tsx'
import { record } from '../../arrears/contract/record.ts'
import { ParkType } from '../../parking/contract/park.ts'
import { PayState } from '../../parking/contract/stay.ts'
import { Occupy } from '../../roadside/contract/berth.ts'
import { type RoadOverview, type RoadPark, screen } from '../../roadside/contract/screen.ts'
import { wall } from '../../roadside/contract/wall.ts'

const RoadWallCharts = lazy(() => import('./RoadWallCharts.tsx'))
const STREET = { pType: String(ParkType.roadside) }
const BERTHS = '/assetManage/roadParking/berth'
const STAYS = '/operation/record/roadParking/roadParkingRecord'
const DEBTS = '/operation/record/roadParking/arrears'
const to = (path: string, more: Record<string, string>) => `${path}?${new URLSearchParams(more)}`

/** The street at a glance: which sections are full, what came in today and whether it was paid. */
export default function RoadWallScreen() {
  return can(screen.overview.needs) ? <RoadWall /> : <NoPermission />
}

const AGAIN = { refetchInterval: WALL_AGAIN_MS }
const EVERYWHERE = {}
function RoadWall() {
  const say = useText()
  const go = useNavigate()
  const [parkCode, setParkCode] = useState<string>()
  const { data, error, refetch } = useQuery({ ...asks(screen.overview, EVERYWHERE, { quiet: true }), ...AGAIN })
  const { data: flow } = useQuery({ ...asks(wall.show, EVERYWHERE, { quiet: true }), ...AGAIN })
  const { data: resources } = useQuery({ ...asks(screen.resources, EVERYWHERE, { quiet: true }), ...AGAIN })
  const { data: districts } = useQuery({ ...asks(screen.park, EVERYWHERE, { quiet: true }), ...AGAIN })
  const points = useMemo(() => (districts ?? []).flatMap(pointOf), [districts])
  const repaid = useRepaid()
  if (!data) return error ? <Failed error={error as Refusal} retry={() => void refetch()} /> : <Waiting lines={8} />
  const sections = (flow?.sections ?? []).map(({ sectionCode, name, seats, occupied, free }) => ({
    ...{ key: sectionCode, name, used: Math.round((occupied / seats) * 100) },
    says: say([`余 ${count(free)} / ${count(seats)}`, `${count(free)} of ${count(seats)} free`]),
  }))
  return (
    <Wall title={['路内停车大屏', 'Roadside parking']} at={data.at} figures={[...figuresOf(data, say), ...repaid]}>
      <div className="wall-body">
        <div className="wall-side">
          <Fullest title={['最满的路段', 'The fullest sections']} rows={sections} onOpen={(sectionCode) => void go(to(BERTHS, { sectionCode }))} />
        </div>
        <PlaceMap label={['片区地图', 'Map of the districts']} points={points} chosen={parkCode} height="100%" onOpen={setParkCode} />
      </div>
      <Suspense fallback={<Waiting lines={4} />}>{flow && resources && <RoadWallCharts flow={flow} resources={resources} />}</Suspense>
      {parkCode && <District of={districts?.find((one) => one.parkCode === parkCode)} />}
    </Wall>
  )
}

type Overview = Of<typeof RoadOverview>
function figuresOf(of: Overview, say: ReturnType<typeof useText>): WallFigure[] {
  const today = { leftAtFrom: dayStart(cityDay()) }
  const cost = { ...today, payState: [PayState.toPay, PayState.paid, PayState.owed].join(',') }
  const berths = (occupy: number) => to(BERTHS, { ...STREET, occupy: String(occupy) })
  const off = of.abnormal + of.disabled
  return [
    {
      ...{ name: ['泊位', 'Berths'], value: count(of.seatTotal), to: to(BERTHS, STREET) },
      ...(off > 0 && { more: say([`异常 ${of.abnormal}，停用 ${of.disabled}`, `${of.abnormal} abnormal, ${of.disabled} disabled`]) }),
    },
    { name: ['占用', 'Occupied'], value: count(of.occupied), to: berths(Occupy.occupied) },
    { name: ['空闲', 'Free'], value: count(of.free), to: berths(Occupy.free) },
    { name: ['今日订单', 'Orders today'], value: count(of.orders), to: to(STAYS, cost) },
    {
      ...{ name: ['缴费率', 'Paid'], value: percent(of.payRate), to: to(STAYS, { ...today, payState: String(PayState.paid) }) },
      more: say([`已缴 ${count(of.paidOrders)}`, `${count(of.paidOrders)} paid`]),
    },
  ]
}
const percent = (permille: number | null) => (permille === null ? '--' : `${(permille / 10).toFixed(1)}%`)

/** How much of what the street was owed came in after all; whoever may not see debts does not see it. */
function useRepaid(): WallFigure[] {
  const enabled = can(record.summary.needs)
  const { data } = useQuery({ ...asks(record.summary, { pType: [ParkType.roadside] }, { quiet: true }), ...AGAIN, enabled })
  return enabled ? [{ name: ['追缴率', 'Repaid'], value: data ? percent(data.repayRate) : '--', to: DEBTS }] : []
}

type District = Of<typeof RoadPark>
const takenIn = ({ seatTotal, seatFree }: District) => (seatTotal === 0 ? 0 : Math.round(((seatTotal - seatFree) / seatTotal) * 100))
const pointOf = (of: District): MapPoint[] =>
  of.lng === null || of.lat === null
    ? []
    : [{ id: of.parkCode, name: `${of.name} ${of.seatFree}`, lng: of.lng, lat: of.lat, tone: toneOf(takenIn(of)) }]

/** The district that was pointed at. */
function District({ of }: { of: District | undefined }) {
  const say = useText()
  if (!of) return null
  return (
    <footer>
      <b>{of.name}</b>
      <span>{say([`空闲 ${count(of.seatFree)} / ${count(of.seatTotal)}`, `${count(of.seatFree)} of ${count(of.seatTotal)} free`])}</span>
      <span>{say([`离线设备 ${count(of.offlineDevices)}`, `${count(of.offlineDevices)} devices offline`])}</span>
    </footer>
  )
}

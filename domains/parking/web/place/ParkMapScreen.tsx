import { plural } from '../../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { Button, Segmented } from 'antd'
import { useMemo } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Of, Tone } from '../../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../../platform/web/ask.ts'
import { Facts } from '../../../../platform/web/record/DetailDrawer.tsx'
import { PageHead } from '../../../../platform/web/page/page.tsx'
import { type MapPoint, PlaceMap } from '../../../../platform/web/map/PlaceMap.tsx'
import { Failed, Nothing, Waiting } from '../../../../platform/web/page/states.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { ParkType } from '../../contract/park.ts'
import { ParkFigures, type ParkPoint, screen } from '../../contract/screen.ts'
import { Bays } from './Bays.tsx'
import '../parkMap.css'

type Point = Of<typeof ParkPoint>
/** Asked anew while it is looked at: bays fill and empty. */
const RENEW_MS = 10_000
const FILTERS = ['all', 'full', 'tight', 'roomy'] as const
type Filter = (typeof FILTERS)[number]
const NAMES: Record<Filter, Text> = { all: ['全部', 'All'], full: ['满位', 'Full'], tight: ['紧张', 'Nearly full'], roomy: ['有空位', 'Available'] }

/** Up to a twentieth of its bays free a park is full, up to a fifth it is tight. */
function roomOf({ totalBays, remainingBays }: Point): Exclude<Filter, 'all'> {
  if (totalBays === 0 || remainingBays * 20 <= totalBays) return 'full'
  return remainingBays * 5 <= totalBays ? 'tight' : 'roomy'
}
const TONES: Record<Exclude<Filter, 'all'>, Tone> = { full: 'error', tight: 'warning', roomy: 'success' }

/** The parks where they lie, by how much room is left; the list and the map show the same ones. */
export default function ParkMapScreen() {
  const say = useText()
  const [address, setAddress] = useSearchParams()
  const filter = (FILTERS.find((one) => one === address.get('room')) ?? 'all') satisfies Filter
  const chosen = address.get('park') ?? undefined
  const query = useQuery({ ...asks(screen.overview, { pType: ParkType.offStreet }), refetchInterval: RENEW_MS })
  const all = query.data ?? []
  const shown = useMemo(() => all.filter((one) => filter === 'all' || roomOf(one) === filter), [query.data, filter])
  const points = useMemo(() => shown.flatMap(pointOf), [shown])
  const set = (name: string, value: string | undefined) =>
    setAddress((now) => {
      const next = new URLSearchParams(now)
      if (value) next.set(name, value)
      else next.delete(name)
      return next
    })
  if (query.isError && !query.data) return <Failed error={query.error as Refusal} retry={() => void query.refetch()} />
  const placeless = shown.length - points.length
  return (
    <div className="park-map page">
      <PageHead
        purpose={[
          '车场位置与余位；点击车场查看今日进出与收入',
          'Car park locations and free bays; choose a car park to see today’s entries, exits and income',
        ]}
      />
      <Segmented<Filter>
        value={filter}
        onChange={(value) => set('room', value === 'all' ? undefined : value)}
        options={FILTERS.map((value) => ({
          value,
          label: `${say(NAMES[value])} ${value === 'all' ? all.length : all.filter((one) => roomOf(one) === value).length}`,
        }))}
      />
      <div className="park-map-body">
        <PlaceMap label={['车场地图', 'Car park map']} points={points} chosen={chosen} height="100%" onOpen={(id) => set('park', id)} />
        <aside aria-label={say(['车场', 'Car parks'])}>
          {chosen ? (
            <Card parkCode={chosen} onClose={() => set('park', undefined)} />
          ) : (
            <List parks={shown} waits={query.isPending} onOpen={(id) => set('park', id)} />
          )}
          {!chosen && placeless > 0 && (
            <p className="faint">{say([`${placeless} 个车场尚未设置位置`, `${placeless} ${plural(placeless, 'car park')} without a location`])}</p>
          )}
        </aside>
      </div>
    </div>
  )
}
const pointOf = (one: Point): MapPoint[] =>
  one.lng === null || one.lat === null ? [] : [{ id: one.parkCode, name: one.name, lng: one.lng, lat: one.lat, tone: TONES[roomOf(one)] }]

function List({ parks, waits, onOpen }: { parks: readonly Point[]; waits: boolean; onOpen: (parkCode: string) => void }) {
  const say = useText()
  if (waits) return <Waiting lines={8} />
  if (parks.length === 0) return <Nothing>{say(['没有符合条件的车场', 'No matching car parks'])}</Nothing>
  return (
    <ul>
      {parks.map((one) => (
        <li key={one.parkCode}>
          <button type="button" onClick={() => onOpen(one.parkCode)}>
            <b>{one.name}</b>
            <Bays total={one.totalBays} free={one.remainingBays} present={one.presentCount} />
          </button>
        </li>
      ))}
    </ul>
  )
}

function Card({ parkCode, onClose }: { parkCode: string; onClose: () => void }) {
  const say = useText()
  const { data, isError, error, refetch } = useQuery({ ...asks(screen.detail, { parkCode }), refetchInterval: RENEW_MS })
  return (
    <section>
      <Button type="text" size="small" onClick={onClose}>
        ← {say(['全部车场', 'All car parks'])}
      </Button>
      {isError && !data ? (
        <Failed error={error as Refusal} retry={() => void refetch()} />
      ) : !data ? (
        <Waiting lines={8} />
      ) : (
        <>
          <h3>{data.name}</h3>
          <Bays total={data.totalBays} free={data.remainingBays} present={data.presentCount} />
          <Facts
            entity={ParkFigures}
            of={data}
            show={['entriesToday', 'exitsToday', 'receivableTodayFen', 'paidTodayFen', 'address', 'phone', 'status']}
          />
          <p className="park-map-links">
            <Link to={`/assetManage/parkingAndFacility/selfParking/${parkCode}`}>{say(['车场详情', 'Car park details'])}</Link>
            <Link to={`/operation/record/parking/present?parkCode=${parkCode}`}>{say(['在场车辆', 'Cars present'])}</Link>
            <Link to={`/operation/record/parking/parkingRecord?parkCode=${parkCode}`}>{say(['停车记录', 'Records'])}</Link>
          </p>
        </>
      )}
    </section>
  )
}

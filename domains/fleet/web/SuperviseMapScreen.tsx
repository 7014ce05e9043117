import { plural } from '../../../platform/contract/plural.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { Of, Tone } from '../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Facts } from '../../../platform/web/record/DetailDrawer.tsx'
import { count } from '../../../platform/web/format.ts'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { can } from '../../../platform/web/person.ts'
import { type MapArea, type MapPoint, PlaceMap } from '../../../platform/web/map/PlaceMap.tsx'
import { Failed, Nothing, Waiting } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { Plate, State } from '../../../platform/web/value.tsx'
import { fence, FenceKind, FenceStatus } from '../contract/fence.ts'
import { picture, PictureSource } from '../contract/picture.ts'
import { Flag, Motion, supervise, Supervised } from '../contract/supervise.ts'
import { track } from '../contract/track.ts'
import { kmh } from './SuperviseScreen.tsx'
import { TerminalOrders } from './TerminalOrders.tsx'
import './fleet.css'

type Row = Of<typeof Supervised>
const RENEW_MS = 10_000
/** As many as one answer holds; a larger fleet is looked at by its list. */
const SHOWN = 500
const TONES: Record<number, Tone> = { [Motion.driving]: 'success', [Motion.standing]: 'default', [Motion.offline]: 'error' }

/** The fleet where it is now. */
export default function SuperviseMapScreen() {
  const say = useText()
  const [chosen, setChosen] = useState<string>()
  const query = useQuery({ ...asks(supervise.query, { limit: SHOWN }, { quiet: true }), refetchInterval: RENEW_MS })
  const areas = useFences()
  if (query.isError && !query.data) return <Failed error={query.error as Refusal} retry={() => void query.refetch()} />
  const rows = query.data?.records ?? []
  const points = rows.flatMap((row): MapPoint[] =>
    row.lng === null || row.lat === null
      ? []
      : [
          {
            id: row.id,
            lng: row.lng,
            lat: row.lat,
            name: `${row.vehicleNo} ${say(Motion.entries[row.motion])}`,
            tone: row.flagged ? 'warning' : TONES[row.motion],
          },
        ],
  )
  const one = rows.find(({ id }) => id === chosen)
  return (
    <div className="page fleet-page">
      <PageHead purpose={['车队车辆的实时位置；黄色的有监管标记', 'Live positions of the fleet; amber vehicles are flagged']}>
        <span className="push" />
        <Taken />
      </PageHead>
      <div className="fleet-map">
        <PlaceMap label={['车辆地图', 'Fleet map']} points={points} areas={areas} chosen={chosen} height="100%" onOpen={setChosen} />
        <aside aria-label={say(['车辆', 'Vehicles'])}>
          {query.isPending ? (
            <Waiting lines={6} />
          ) : rows.length === 0 ? (
            <Nothing>{say(['还没有车辆', 'No vehicles yet'])}</Nothing>
          ) : one ? (
            <Card of={one} onClose={() => setChosen(undefined)} />
          ) : (
            <Vehicles of={rows} onOpen={setChosen} />
          )}
        </aside>
      </div>
    </div>
  )
}

/** How many pictures the cars took. */
function Taken() {
  const say = useText()
  const { data } = useQuery({ ...asks(picture.count, {}, { quiet: true }), refetchInterval: RENEW_MS })
  if (!data || data.total === 0) return null
  const parts = data.bySource.map(({ source, count: of }) => `${say(PictureSource.entries[source])} ${count(of)}`).join(say(['，', ', ']))
  return (
    <span className="faint">
      {say([
        `车辆图片 ${count(data.total)} 张（${parts}），今日 ${count(data.today)} 张`,
        `${count(data.total)} ${plural(data.total, 'picture')} (${parts}), ${count(data.today)} today`,
      ])}
    </span>
  )
}

/** Those in use, by their kind. */
function useFences(): readonly MapArea[] {
  const { data } = useQuery({ ...asks(fence.query, { limit: SHOWN, status: [FenceStatus.on] }, { quiet: true }), enabled: can(fence.query.needs) })
  return useMemo(() => (data?.records ?? []).map(({ id, name, kind, area }) => ({ id, name, tone: FenceKind.entries[kind][2], ...area })), [data])
}
function Vehicles({ of, onOpen }: { of: readonly Row[]; onOpen: (id: string) => void }) {
  const say = useText()
  return (
    <ul>
      {of.map((row) => (
        <li key={row.id}>
          <button type="button" onClick={() => onOpen(row.id)}>
            <Plate number={row.vehicleNo} color={row.plateColor} still /> <State dictionary={Motion} value={row.motion} />
            <span className="faint">
              {[row.motion === Motion.driving ? kmh(row.speed) : '', row.driverName, row.lng === null ? say(['还没有位置', 'No position yet']) : '']
                .filter(Boolean)
                .join(' · ')}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
function Card({ of, onClose }: { of: Row; onClose: () => void }) {
  const say = useText()
  return (
    <section>
      <button type="button" className="back" onClick={onClose}>
        ← {say(['全部车辆', 'All vehicles'])}
      </button>
      <h3>
        <Plate number={of.vehicleNo} color={of.plateColor} /> <State dictionary={Motion} value={of.motion} />
      </h3>
      {of.kinds.map((kind) => (
        <State key={kind} dictionary={Flag} value={kind} />
      ))}
      <Facts
        entity={Supervised}
        of={of}
        show={['dept', { label: ['速度', 'Speed'], value: kmh(of.speed) }, 'driverName', 'allocationNo', 'dest', 'planTo', 'deviceTime', 'heardAt']}
      />
      <TerminalOrders key={of.id} of={of} />
      {can(track.query.needs) && of.deviceTime && <Link to={`/car/trajectory?vehicleId=${of.id}`}>{say(['看轨迹', 'View track'])}</Link>}
    </section>
  )
}

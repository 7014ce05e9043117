import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { asks, type Refusal } from '../../../platform/web/ask.ts'
import { Section } from '../../../platform/web/record/DetailDrawer.tsx'
import { PageHead } from '../../../platform/web/page/page.tsx'
import { plural } from '../../../platform/contract/plural.ts'
import { type MapPoint, PlaceMap } from '../../../platform/web/map/PlaceMap.tsx'
import { Failed } from '../../../platform/web/page/states.tsx'
import { useText } from '../../../platform/web/text.ts'
import { State } from '../../../platform/web/value.tsx'
import { BerthType, Detector, Occupy } from '../contract/berth.ts'
import { screen } from '../contract/screen.ts'
import { DistrictSelect } from './api/names.tsx'
import { Overview } from './Overview.tsx'

const AGAIN_MS = 10_000
/** The streets on the map: districts first, and the berths of the one that is chosen. */
export default function RoadMapScreen() {
  const [parkCode, setParkCode] = useState<string>()
  const go = useNavigate()
  const { data: parks = [], error } = useQuery({ ...asks(screen.park, {}, { quiet: true }), refetchInterval: AGAIN_MS })
  const { data: seats } = useQuery({
    ...asks(screen.parkSeatList, { parkCode: parkCode ?? '', limit: 500 }, { quiet: true }),
    enabled: parkCode !== undefined,
    refetchInterval: AGAIN_MS,
  })
  const points = useMemo((): MapPoint[] => {
    if (parkCode === undefined)
      return parks.flatMap(({ parkCode: id, name, lng, lat, seatFree, seatTotal }) =>
        lng === null || lat === null
          ? []
          : [{ id, name: `${name} ${seatFree}/${seatTotal}`, lng, lat, tone: seatFree === 0 ? ('error' as const) : ('success' as const) }],
      )
    return (seats ?? []).flatMap(({ seatCode: id, berthNo, lng, lat, occupy, plateNo }) =>
      lng === null || lat === null ? [] : [{ id, name: [id, plateNo ?? berthNo].join(' '), lng, lat, tone: Occupy.entries[occupy][2] }],
    )
  }, [parkCode, parks, seats])
  const open = (id: string) =>
    parkCode === undefined ? setParkCode(id) : void go(`/assetManage/roadParking/berth?${new URLSearchParams({ parkCode, seatCode: id })}`)
  return (
    <div className="road-map">
      <PageHead purpose={['路内片区和泊位在哪里、哪里有空位', 'Where districts and berths are, and which berths are free']}>
        <DistrictSelect value={parkCode} onChange={setParkCode} empty={['全部片区', 'All districts']} />
      </PageHead>
      <Overview parkCode={parkCode} />
      {error && <Failed error={error as Refusal} />}
      <PlaceMap label={['路内停车地图', 'Roadside parking map']} points={points} onOpen={open} height="min(60vh, 560px)" />
      <Resources parkCode={parkCode} />
    </div>
  )
}

/** Counts of the street: berths by kind, and devices that watch them. */
function Resources({ parkCode }: { parkCode: string | undefined }) {
  const say = useText()
  const { data } = useQuery(asks(screen.resources, parkCode ? { parkCode } : {}, { quiet: true }))
  if (!data) return null
  return (
    <Section title={['资源', 'Resources']}>
      <p>
        {say([
          `片区 ${data.parks}，路段 ${data.sections}，在岗收费员 ${data.tollersOnDuty}`,
          `${data.parks} ${plural(data.parks, 'district')}, ${data.sections} ${plural(data.sections, 'section')}, ${data.tollersOnDuty} ${plural(data.tollersOnDuty, 'collector')} on duty`,
        ])}
      </p>
      <p>
        {data.seats.map(({ type, total }) => (
          <span key={type} className="road-kind">
            <State dictionary={BerthType} value={type} /> {total}
          </span>
        ))}
      </p>
      <p>
        {data.devices.map(({ kind, total, online }) => (
          <span key={kind} className="road-kind">
            <State dictionary={Detector} value={kind} /> {say([`${online}/${total} 在线`, `${online}/${total} online`])}
          </span>
        ))}
      </p>
    </Section>
  )
}

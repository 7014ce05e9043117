import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks } from '../../../../platform/web/ask.ts'
import { Section } from '../../../../platform/web/record/DetailDrawer.tsx'
import { type MapPoint, PlaceMap } from '../../../../platform/web/map/PlaceMap.tsx'
import { park, type ParkNow, UseStatus } from '../../contract/park.ts'
import { hasPlace, PARKS_MOST } from './place.ts'

const PARKS = '/assetManage/parkingAndFacility/selfParking'
type Row = Of<typeof ParkNow>

const pointOf = ({ parkCode: id, name, lng, lat, status }: Row & { lng: number; lat: number }): MapPoint => ({
  ...{ id, name, lng, lat },
  tone: UseStatus.entries[status][2],
})

/** Where a park lies among the others; each opens. */
export function ParkPlace({ parkCode }: { parkCode: string }) {
  const go = useNavigate()
  const { data } = useQuery({ ...asks(park.queryPage, { limit: PARKS_MOST, queryMode: 'rows' }, { quiet: true }), staleTime: 60_000 })
  const points = useMemo(() => (data?.records ?? []).filter(hasPlace).map(pointOf), [data])
  if (!points.some(({ id }) => id === parkCode)) return null
  return (
    <Section title={['位置', 'Location']}>
      <PlaceMap
        label={['车场位置', 'Car park locations']}
        points={points}
        chosen={parkCode}
        height={280}
        onOpen={(id) => void go(`${PARKS}/${encodeURIComponent(id)}`)}
      />
    </Section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Button, Form } from 'antd'
import { useMemo } from 'react'
import { asks } from '../../../../platform/web/ask.ts'
import { useFill } from '../../../../platform/web/form/FormDialog.tsx'
import { can } from '../../../../platform/web/person.ts'
import { type MapPoint, PlaceMap } from '../../../../platform/web/map/PlaceMap.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { park } from '../../contract/park.ts'
import { type Half, hasPlace, isHalf, PARKS_MOST, rounded } from '../place/place.ts'
import '../parkMap.css'

/** The point of the form's own park, which has no code before it is saved. */
const HERE = '\n'

/** How the map calls what it places. */
export interface Placing {
  /** The thing to be placed, before it has a name. */
  what: Text
  label: Text
  /** Where to click. */
  hint: Text
}
const PARK: Placing = {
  what: ['新车场', 'The new car park'],
  label: ['车场位置', 'Car park location'],
  hint: ['在地图上点车场的入口，经纬度自动填入', 'Click the car park’s entrance on the map to fill in longitude and latitude'],
}
/** The map of a form with `lng` and `lat`: a click puts both, and what is typed there moves the point. Before that the car parks are there, to find one's way. */
export function PlacePick({ name, of = PARK }: { name?: string | undefined; of?: Placing }) {
  const say = useText()
  const fill = useFill()
  const form = Form.useFormInstance()
  const lng = Form.useWatch<Half>('lng', form) ?? null
  const lat = Form.useWatch<Half>('lat', form) ?? null
  const { data } = useQuery({
    ...asks(park.queryPage, { limit: PARKS_MOST, queryMode: 'rows' }, { quiet: true }),
    staleTime: 60_000,
    enabled: can(park.queryPage.needs),
  })
  const called = name ?? say(of.what)
  const points = useMemo((): MapPoint[] => {
    // Alone, so that no cluster takes it in.
    if (lng !== null && lat !== null) return [{ id: HERE, name: called, lng, lat, tone: 'success' }]
    return (data?.records ?? []).filter(hasPlace).map((row) => ({ id: row.parkCode, name: row.name, lng: row.lng, lat: row.lat }))
  }, [data, called, lng, lat])
  const none = lng === null && lat === null
  return (
    <div className="place-pick">
      <p className="faint">
        {none
          ? say(of.hint)
          : isHalf(lng, lat)
            ? say(['再填另一个，或在地图上点一下', 'Enter the other one, or click on the map'])
            : say(['再点一下可移动位置', 'Click again to move it'])}
        {!none && (
          <Button type="link" size="small" onClick={() => fill({ lng: null, lat: null })}>
            {say(['清除位置', 'Clear the location'])}
          </Button>
        )}
      </p>
      {/* It opens over what is there, so it waits for it. */}
      {(data || !can(park.queryPage.needs)) && (
        <PlaceMap
          label={of.label}
          points={points}
          chosen={HERE}
          height={260}
          onPick={(east, north) => fill({ lng: rounded(east), lat: rounded(north) })}
        />
      )}
    </div>
  )
}

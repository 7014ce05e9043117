import { useQuery } from '@tanstack/react-query'
import { Button, Input, InputNumber } from 'antd'
import { useMemo, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Of } from '../../../../platform/contract/field.ts'
import { asks, type Refusal } from '../../../../platform/web/ask.ts'
import { numberFault } from '../../../../platform/web/form/bounds.ts'
import { Beside, TreePane } from '../../../../platform/web/tree/Beside.tsx'
import { useUnsaved } from '../../../../platform/web/form/guard.ts'
import { PageHead } from '../../../../platform/web/page/page.tsx'
import { can } from '../../../../platform/web/person.ts'
import { type MapPoint, PlaceMap } from '../../../../platform/web/map/PlaceMap.tsx'
import { useAct } from '../../../../platform/web/form/remove.tsx'
import { type Text, useText } from '../../../../platform/web/text.ts'
import { Park, park, type ParkNow } from '../../contract/park.ts'
import { screen } from '../../contract/screen.ts'
import { PARK_CHANGES } from '../stay/changes.ts'
import { PARKS_MOST, rounded } from './place.ts'
import '../parkMap.css'

type Row = Of<typeof ParkNow>
interface Place {
  lng: number | null
  lat: number | null
  address: string | null
}

/** Where each park lies: chosen at the left, pointed at on the map or typed. */
export default function ParkLocationScreen() {
  const say = useText()
  const [params, setParams] = useSearchParams()
  const { data, error, refetch } = useQuery(asks(park.queryPage, { limit: PARKS_MOST, queryMode: 'rows' }, { quiet: true }))
  const parks = data?.records
  const chosen = parks?.find(({ parkCode }) => parkCode === params.get('park'))
  const choose = (code: string | undefined) => setParams(code ? { park: code } : {})
  return (
    <Beside
      tree={
        <TreePane
          items={parks?.map(({ parkCode, name, lng }) => ({
            key: parkCode,
            words: name,
            ...(lng === null && { title: <span className="state warning">{name}</span> }),
            leaf: true,
          }))}
          hint={say(['查找车场', 'Find a car park'])}
          error={error as Refusal | null}
          retry={() => void refetch()}
          chosen={chosen?.parkCode}
          onChoose={choose}
        />
      }
    >
      <div className="page park-map">
        <PageHead purpose={purposeOf(parks?.filter(({ lng }) => lng === null).length ?? 0)} />
        {/* Another park, or another version of it, starts anew. */}
        <Placing key={`${chosen?.parkCode} ${chosen?.version}`} of={chosen} parks={parks ?? NONE} onChoose={choose} />
      </div>
    </Beside>
  )
}
const NONE: Row[] = []
const purposeOf = (missing: number): Text =>
  missing === 0
    ? ['车场在地图上的位置', 'Car park locations on the map']
    : [
        `车场在地图上的位置；${missing} 个还没有设置，列表中带三角标记`,
        `Car park locations on the map; not set yet: ${missing}, marked with a triangle in the list`,
      ]

function Placing({ of, parks, onChoose }: { of: Row | undefined; parks: readonly Row[]; onChoose: (code: string) => void }) {
  const say = useText()
  const was: Place = { lng: of?.lng ?? null, lat: of?.lat ?? null, address: of?.address ?? null }
  const [place, setPlace] = useState(was)
  const points = useMemo(() => pointsOf(parks, of?.parkCode, place), [parks, of, place])
  const edits = of !== undefined && can(park.update.needs)
  return (
    <>
      {of && <Fields of={of} place={place} was={was} {...(edits && { onChange: setPlace })} />}
      {!of && (
        <p className="faint">{say(['在左侧选择车场，再在地图上点它的入口', 'Choose a car park on the left, then click its entrance on the map'])}</p>
      )}
      <PlaceMap
        label={['车场位置', 'Car park locations']}
        points={points}
        chosen={of?.parkCode}
        height="100%"
        onOpen={onChoose}
        onPick={(lng, lat) => edits && setPlace({ ...place, lng: rounded(lng), lat: rounded(lat) })}
      />
    </>
  )
}

/** The chosen park stands where it is to be. */
const pointsOf = (parks: readonly Row[], chosen: string | undefined, place: Place): MapPoint[] =>
  parks
    .map(({ parkCode: id, name, lng, lat }) => (id === chosen ? { id, name, ...place } : { id, name, lng, lat }))
    .filter((one): one is MapPoint => one.lng !== null && one.lat !== null)

interface FieldsProps {
  of: Row
  place: Place
  was: Place
  /** Left out for a reader who may only view. */
  onChange?: (place: Place) => void
}
function Fields({ of, place, was, onChange }: FieldsProps) {
  const say = useText()
  const act = useAct([...PARK_CHANGES, screen.overview])
  const [saves, setSaves] = useState(false)
  const { lng, lat, address } = place
  const faultOf = (name: 'lng' | 'lat') => (place[name] === null ? undefined : numberFault(Park.properties[name], place[name]))
  const fault = faultOf('lng') ?? faultOf('lat')
  const half = (lng === null) !== (lat === null)
  const same = lng === was.lng && lat === was.lat && address === was.address
  useUnsaved(!same)
  const save = async () => {
    setSaves(true)
    const input = { id: of.id, version: of.version, lng, lat, address }
    await act(park.update, input as never, { done: [`「${of.name}」的位置已保存`, `Location of “${of.name}” saved`] })
    setSaves(false)
  }
  const degrees = (name: 'lng' | 'lat', label: string) => (
    <label>
      {label}
      <InputNumber
        value={place[name]}
        precision={6}
        {...(faultOf(name) && { status: 'error' as const })}
        controls={false}
        disabled={!onChange}
        onChange={(value) => onChange?.({ ...place, [name]: value })}
      />
    </label>
  )
  return (
    <div className="park-place">
      <b>{of.name}</b>
      {degrees('lng', say(['经度', 'Longitude']))}
      {degrees('lat', say(['纬度', 'Latitude']))}
      <label className="park-address">
        {say(['地址', 'Address'])}
        <Input
          value={address ?? ''}
          maxLength={200}
          disabled={!onChange}
          onChange={({ target }) => onChange?.({ ...place, address: target.value || null })}
        />
      </label>
      {onChange && (
        <>
          <Button type="primary" loading={saves} disabled={same || half || fault !== undefined} onClick={() => void save()}>
            {say(['保存位置', 'Save the location'])}
          </Button>
          <Button disabled={same} onClick={() => onChange(was)}>
            {say(['还原', 'Reset'])}
          </Button>
        </>
      )}
      {fault && (
        <span className="state error" role="alert">
          {say(fault)}
        </span>
      )}
      {half && <span className="state error">{say(['经度与纬度须同时填写', 'Enter both longitude and latitude'])}</span>}
    </div>
  )
}

import { Button, Input, InputNumber, Segmented } from 'antd'
import { useState } from 'react'
import type { Of } from '../../../platform/contract/field.ts'
import { type MapArea, PlaceMap } from '../../../platform/web/map/PlaceMap.tsx'
import { type Text, useText } from '../../../platform/web/text.ts'
import { type Area, type PlaceAt, REACH_MAX_M } from '../contract/fence.ts'
import type { PickProps } from './parts.tsx'

type AreaOf = Of<typeof Area>
type Place = Of<typeof PlaceAt>
const RADIUS_FIRST_M = 300
const RADIUS_LEAST_M = 20
const MICRO = 1_000_000
const rounded = (degrees: number) => Math.round(degrees * MICRO) / MICRO
export const hasArea = (area: AreaOf | undefined): area is AreaOf =>
  area !== undefined && (area.radiusM === undefined ? area.ring.length > 2 : area.ring.length === 1)

/** An area, drawn on the map or written down: a circle around a point, or a polygon of points in their order. */
export function AreaPick({ id, value, onChange, beside = [] }: PickProps<AreaOf> & { beside?: readonly MapArea[] }) {
  const say = useText()
  const [round, setRound] = useState(!value || value.radiusM !== undefined)
  const ring = value?.ring ?? []
  const turn = (toRound: boolean) => {
    setRound(toRound)
    onChange?.(toRound ? { ring: ring.slice(0, 1), radiusM: RADIUS_FIRST_M } : { ring })
  }
  const put = (places: Place[]) => onChange?.(round ? { ring: places.slice(0, 1), radiusM: value?.radiusM ?? RADIUS_FIRST_M } : { ring: places })
  const pick = (lng: number, lat: number) => put([...(round ? [] : ring), { lng: rounded(lng), lat: rounded(lat) }])
  const drawn =
    ring.length === 0 ? beside : [...beside, { id: 'here', name: '', tone: 'error' as const, ring, ...(round && { radiusM: value?.radiusM }) }]
  return (
    <div className="area-pick" {...(id && { id })}>
      <Segmented<boolean>
        value={round}
        onChange={turn}
        options={[
          { value: true, label: say(['圆形', 'Circle']) },
          { value: false, label: say(['多边形', 'Polygon']) },
        ]}
      />
      <p className="faint">
        {say(
          round
            ? ['在地图上点圆心，再填半径', 'Click the centre on the map, then enter the radius']
            : ['在地图上依次点各个角，至少三个', 'Click the corners on the map one after the other, three at least'],
        )}
        {ring.length > 0 && (
          <Button type="link" size="small" onClick={() => put(ring.slice(0, -1))}>
            {say(['撤销上一点', 'Undo last point'])}
          </Button>
        )}
        {ring.length > 1 && (
          <Button type="link" size="small" onClick={() => put([])}>
            {say(['清除', 'Clear'])}
          </Button>
        )}
      </p>
      <PlaceMap label={['围栏范围', 'Fence area']} points={NO_POINTS} areas={drawn} height={300} onPick={pick} />
      {round && (
        <InputNumber
          aria-label={say(['半径', 'Radius'])}
          precision={0}
          min={RADIUS_LEAST_M}
          max={REACH_MAX_M}
          suffix={say(['米', 'm'])}
          style={{ width: 140 }}
          value={value?.radiusM ?? RADIUS_FIRST_M}
          onChange={(radiusM) => radiusM !== null && onChange?.({ ring, radiusM })}
        />
      )}
      <Written
        key={JSON.stringify(ring)}
        ring={ring}
        label={round ? ['圆心经纬度', 'Centre: longitude, latitude'] : ['各角经纬度，一行一个', 'Corners: longitude, latitude, one a line']}
        onChange={put}
      />
    </div>
  )
}
const NO_POINTS: never[] = []
/** Beyond these it is scrolled. */
const ROWS_MOST = 6

/** The same in figures, for a person who has them or cannot point. */
function Written({ ring, label, onChange }: { ring: readonly Place[]; label: Text; onChange: (ring: Place[]) => void }) {
  const say = useText()
  const [typed, setTyped] = useState(ring.map(({ lng, lat }) => `${lng}, ${lat}`).join('\n'))
  const [wrong, setWrong] = useState(false)
  const take = () => {
    const places = typed
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(placeIn)
    setWrong(places.includes(undefined))
    if (!places.includes(undefined)) onChange(places as Place[])
  }
  return (
    <>
      <Input.TextArea
        aria-label={say(label)}
        rows={Math.min(typed.split('\n').length, ROWS_MOST)}
        placeholder={`${say(label)}  112.145, 32.045`}
        value={typed}
        {...(wrong && { status: 'error' as const })}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={take}
      />
      {wrong && (
        <p className="state error">
          {say(['每行写经度和纬度，如 112.145, 32.045', 'Each line needs longitude and latitude, such as 112.145, 32.045'])}
        </p>
      )}
    </>
  )
}
function placeIn(line: string): Place | undefined {
  const [lng, lat, ...more] = line
    .split(/[,，\s]+/)
    .filter(Boolean)
    .map(Number)
  if (lng === undefined || lat === undefined || more.length > 0) return undefined
  return Math.abs(lng) <= 180 && Math.abs(lat) <= 90 ? { lng, lat } : undefined
}

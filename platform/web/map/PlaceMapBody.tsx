import { CloseOutlined, MinusOutlined, PlusOutlined, UnorderedListOutlined } from '@ant-design/icons'
import type { Map } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import { cornersOf, drawAreas, showAreas } from './mapAreas.ts'
import { drawPoints, openMap, pointsIn, showPoints, showWay, type Spoken, speakIn, standOver, type View } from './mapDrawing.ts'
import type { MapPoint, PlaceMapProps } from './PlaceMap.tsx'
import { language, useText } from '../text.ts'
import { useLook } from '../theme.ts'
import './map.css'

/** A panel lists so many; more are a list of their own. */
const LISTED_MAX = 200

export default function PlaceMapBody({ label, points, way, areas, onOpen, onPick, chosen, height = 420 }: PlaceMapProps) {
  const say = useText()
  const called = say(label)
  const speaks: Spoken = language.use() === 'en' ? 'en' : 'zh'
  const { dark } = useLook()
  const place = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<Map>()
  const view = useRef<View>(undefined)
  // Opened before its things were known it goes where they are once, unless somebody points at a place there.
  const isPlaced = useRef(false)
  const [listed, setListed] = useState<readonly MapPoint[]>()
  const latest = useRef({ points, way, areas, onOpen, onPick, speaks })
  latest.current = { points, way, areas, onOpen, onPick, speaks }
  // A hidden tab gives its map back; shown again it stands where it stood.
  useEffect(() => {
    const { points, way = [], areas = [], speaks } = latest.current
    const places = [...points, ...way, ...areas.flatMap(cornersOf)]
    isPlaced.current ||= places.length > 0
    const made = openMap(place.current!, { dark, language: speaks, view: view.current, points: places })
    // A machine without any graphics has no map; its list it has.
    if (!made) return setListed(points)
    const keep = () => (view.current = { center: made.getCenter(), zoom: made.getZoom() })
    made.on('moveend', keep)
    made.once('style.load', () => {
      drawAreas(made, dark)
      drawPoints(made, {
        dark,
        onOpen: (id) => latest.current.onOpen?.(id),
        onCluster: (ids) => setListed(latest.current.points.filter(({ id }) => ids.has(id))),
        onPlace: (lng, lat) => latest.current.onPick?.(lng, lat),
      })
      setMap(made)
    })
    return () => {
      setMap(undefined)
      made.remove()
    }
  }, [dark])
  useEffect(() => {
    if (map) speakIn(map, speaks, called)
  }, [map, speaks, called])
  useEffect(() => {
    if (!map) return
    showPoints(map, points, chosen)
    if (isPlaced.current || points.length === 0 || latest.current.onPick) return
    isPlaced.current = true
    standOver(map, points)
  }, [map, points, chosen])
  useEffect(() => {
    if (map && way) showWay(map, way)
  }, [map, way])
  useEffect(() => {
    if (map && areas) showAreas(map, areas)
  }, [map, areas])
  return (
    <div className="place-map" style={{ height }} data-map={map ? 'ready' : 'loading'}>
      <div ref={place} role="application" aria-label={called} />
      <button
        type="button"
        className="map-list"
        aria-expanded={listed !== undefined}
        onClick={() => setListed(listed ? undefined : map ? pointsIn(map, points) : points)}
      >
        <UnorderedListOutlined /> {say(['列表', 'List'])}
      </button>
      {map && <Zoom map={map} />}
      {listed && <Listed list={listed} onOpen={onOpen} onClose={() => setListed(undefined)} />}
    </div>
  )
}

function Zoom({ map }: { map: Map }) {
  const say = useText()
  const [closer, farther] = [say(['放大', 'Zoom in']), say(['缩小', 'Zoom out'])]
  return (
    <div className="map-zoom">
      <button type="button" aria-label={closer} title={closer} onClick={() => map.zoomIn()}>
        <PlusOutlined />
      </button>
      <button type="button" aria-label={farther} title={farther} onClick={() => map.zoomOut()}>
        <MinusOutlined />
      </button>
    </div>
  )
}

function Listed({ list, onOpen, onClose }: { list: readonly MapPoint[]; onOpen: PlaceMapProps['onOpen']; onClose: () => void }) {
  const say = useText()
  const close = say(['关闭', 'Close'])
  return (
    <aside className="map-panel" aria-label={say(['此处的点', 'Points here'])}>
      <header>
        <b>{say([`共 ${list.length} 个`, `${list.length} here`])}</b>
        <button type="button" aria-label={close} title={close} onClick={onClose}>
          <CloseOutlined />
        </button>
      </header>
      <ul>
        {list.slice(0, LISTED_MAX).map(({ id, name, tone = 'default' }) => (
          <li key={id}>
            <button type="button" onClick={() => onOpen?.(id)}>
              <span className={`state ${tone}`}>{name}</span>
            </button>
          </li>
        ))}
      </ul>
      {list.length > LISTED_MAX && (
        <p className="faint">{say([`只列出前 ${LISTED_MAX} 个，放大地图可看其余`, `First ${LISTED_MAX} only; zoom in for the rest`])}</p>
      )}
    </aside>
  )
}

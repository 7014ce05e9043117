import { type GeoJSONSource, type LngLatLike, Map, ScaleControl, setWorkerUrl, type SymbolLayerSpecification } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import 'maplibre-gl/dist/maplibre-gl.css'
import type { Tone } from '../../contract/field.ts'
import { DISTRICT, NAMED } from './basemap.ts'
import { firstLook, mapSettings, onMap, stored, styleOf } from './mapSettings.ts'
import type { MapPoint, Place } from './PlaceMap.tsx'

// Its worker is a file of ours: the page allows no scripts from anywhere else.
setWorkerUrl(workerUrl)

const ZOOM_MAX = 18
/** Points closer than this, in pixels, are drawn as one circle. */
const CLUSTER_PX = 48
const POINTS = 'points'
/** The chosen point is no part of a circle of many: it lies on top of them. */
const CHOSEN = 'chosen'
const WAY = 'way'
const WAY_PX = 4
const empty = (): GeoJSON.FeatureCollection => ({ type: 'FeatureCollection', features: [] })

export interface View {
  center: LngLatLike
  zoom: number
}
/** A name of the drawn district is under the property of its language. */
export type Spoken = 'zh' | 'en'
interface Opening {
  dark: boolean
  language: Spoken
  view: View | undefined
  points: readonly Place[]
}
/** Undefined where the machine cannot draw one. */
export function openMap(container: HTMLElement, opening: Opening): Map | undefined {
  try {
    return opened(container, opening)
  } catch {
    return undefined
  }
}
function opened(container: HTMLElement, { dark, language, view, points }: Opening): Map {
  const settings = mapSettings()
  const font = 'sans-serif'
  const map = new Map({
    container,
    style: styleOf(settings, { dark, language, font }),
    ...(view ?? firstLook(settings, points)),
    maxZoom: ZOOM_MAX,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    fadeDuration: 0,
  })
  map.touchZoomRotate.disableRotation()
  map.addControl(new ScaleControl({ maxWidth: 80 }), 'bottom-left')
  return map
}

/** Where all of them are in sight. */
export function standOver(map: Map, points: readonly Place[]): void {
  const { bounds, fitBoundsOptions } = firstLook(mapSettings(), points)
  if (bounds) map.fitBounds(bounds, { ...fitBoundsOptions, animate: false })
}

/** In another language the map stays as it stands: only its names are set anew. */
export function speakIn(map: Map, language: Spoken, label: string): void {
  map.getCanvas().setAttribute('aria-label', label)
  if (map.getSource(DISTRICT)) for (const layer of NAMED) map.setLayoutProperty(layer, 'text-field', ['get', language])
}

interface Hears {
  dark: boolean
  onOpen: (id: string) => void
  /** A cluster that the closest look does not take apart. */
  onCluster: (ids: ReadonlySet<string>) => void
  /** Where nothing lies. */
  onPlace: (lng: number, lat: number) => void
}
/** The layers of things over the map, once it is there. */
export function drawPoints(map: Map, { dark, onOpen, onCluster, onPlace }: Hears): void {
  const tones: Tone[] = ['default', 'success', 'warning', 'error']
  for (const tone of tones) map.addImage(tone, markOf(tone, dark), { pixelRatio: 2 })
  map.addSource(WAY, { type: 'geojson', data: empty() })
  map.addSource(CHOSEN, { type: 'geojson', data: empty() })
  map.addSource(POINTS, {
    type: 'geojson',
    data: empty(),
    cluster: true,
    clusterRadius: CLUSTER_PX,
    clusterMaxZoom: ZOOM_MAX,
    maxzoom: ZOOM_MAX + 1,
  })
  const ink = dark ? '#0E1116' : '#FFFFFF'
  map.addLayer({
    id: WAY,
    type: 'line',
    source: WAY,
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint: { 'line-color': dark ? '#A2ABB8' : '#4A5563', 'line-width': WAY_PX, 'line-opacity': 0.7 },
  })
  map.addLayer({
    id: 'clusters',
    type: 'circle',
    source: POINTS,
    filter: ['has', 'point_count'],
    paint: {
      'circle-color': dark ? '#A2ABB8' : '#4A5563',
      'circle-radius': ['step', ['get', 'point_count'], 13, 10, 16, 100, 20, 1000, 24],
      'circle-stroke-width': 2,
      'circle-stroke-color': ink,
    },
  })
  map.addLayer({
    id: 'cluster-numbers',
    type: 'symbol',
    source: POINTS,
    filter: ['has', 'point_count'],
    layout: { 'text-field': ['get', 'point_count_abbreviated'], 'text-font': ['sans-serif'], 'text-size': 12, 'text-allow-overlap': true },
    paint: { 'text-color': ink },
  })
  map.addLayer({ ...layerOfMarks(dark, 1), filter: ['!', ['has', 'point_count']] })
  map.addLayer({ ...layerOfMarks(dark, CHOSEN_SIZE), id: CHOSEN, source: CHOSEN })
  map.on('click', 'marks', ({ features }) => onOpen(String(features?.[0]?.properties['id'])))
  map.on('click', CHOSEN, ({ features }) => onOpen(String(features?.[0]?.properties['id'])))
  map.on('click', 'clusters', ({ features }) => void openCluster(map, features![0]!, onCluster))
  map.on('click', ({ point, lngLat }) => {
    if (map.queryRenderedFeatures(point, { layers: ['marks', CHOSEN, 'clusters'] }).length === 0)
      onPlace(...stored(mapSettings(), lngLat.lng, lngLat.lat))
  })
  for (const layer of ['marks', CHOSEN, 'clusters']) {
    map.on('mouseenter', layer, () => (map.getCanvas().style.cursor = 'pointer'))
    map.on('mouseleave', layer, () => (map.getCanvas().style.cursor = ''))
  }
}

const CHOSEN_SIZE = 1.6
const layerOfMarks = (dark: boolean, size: number): SymbolLayerSpecification => ({
  id: 'marks',
  type: 'symbol',
  source: POINTS,
  layout: {
    'icon-image': ['get', 'tone'],
    'icon-size': size,
    'icon-allow-overlap': true,
    'text-field': ['step', ['zoom'], '', 12, ['get', 'name']],
    'text-font': ['sans-serif'],
    'text-size': 12,
    'text-offset': [0, 1],
    'text-anchor': 'top',
    'text-optional': true,
  },
  paint: { 'text-color': dark ? '#E3E7ED' : '#1C2128', 'text-halo-color': dark ? '#161B22' : '#FFFFFF', 'text-halo-width': 1.4 },
})

async function openCluster(map: Map, cluster: { properties: Record<string, unknown>; geometry: GeoJSON.Geometry }, onCluster: Hears['onCluster']) {
  const source = map.getSource<GeoJSONSource>(POINTS)!
  const id = Number(cluster.properties['cluster_id'])
  const zoom = await source.getClusterExpansionZoom(id)
  if (zoom <= ZOOM_MAX) return void map.easeTo({ center: (cluster.geometry as GeoJSON.Point).coordinates as [number, number], zoom, duration: 150 })
  const leaves = await source.getClusterLeaves(id, Number(cluster.properties['point_count']), 0)
  onCluster(new Set(leaves.map(({ properties }) => String(properties?.['id']))))
}

export function showPoints(map: Map, points: readonly MapPoint[], chosen: string | undefined): void {
  const settings = mapSettings()
  const put = (source: string, shown: readonly MapPoint[]) =>
    void map.getSource<GeoJSONSource>(source)!.setData({
      type: 'FeatureCollection',
      features: shown.map(({ id, lng, lat, name, tone = 'default' }) => ({
        type: 'Feature',
        properties: { id, name, tone },
        geometry: { type: 'Point', coordinates: onMap(settings, lng, lat) },
      })),
    })
  put(
    POINTS,
    points.filter(({ id }) => id !== chosen),
  )
  put(
    CHOSEN,
    points.filter(({ id }) => id === chosen),
  )
}
export function showWay(map: Map, way: readonly Place[]): void {
  const settings = mapSettings()
  const coordinates = way.map(({ lng, lat }) => onMap(settings, lng, lat))
  void map.getSource<GeoJSONSource>(WAY)!.setData({ type: 'Feature', properties: {}, geometry: { type: 'LineString', coordinates } })
}

/** The points in sight now. */
export function pointsIn(map: Map, points: readonly MapPoint[]): MapPoint[] {
  const settings = mapSettings()
  const bounds = map.getBounds()
  const [west, south] = stored(settings, bounds.getWest(), bounds.getSouth())
  const [east, north] = stored(settings, bounds.getEast(), bounds.getNorth())
  return points.filter(({ lng, lat }) => lng >= west && lng <= east && lat >= south && lat <= north)
}

/** A state is a shape as well as a colour: ring, disc, triangle, square. */
function markOf(tone: Tone, dark: boolean): ImageData {
  const size = 36
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = size
  const draw = canvas.getContext('2d')!
  const colour = {
    default: dark ? '#A2ABB8' : '#5B6470',
    success: dark ? '#3DBB7E' : '#14804C',
    warning: dark ? '#E3A43A' : '#9A5B00',
    error: dark ? '#F0706B' : '#C93434',
  }[tone]
  const [middle, reach] = [size / 2, size / 2 - 5]
  draw.beginPath()
  if (tone === 'warning') {
    draw.moveTo(middle, middle - reach)
    draw.lineTo(middle + reach, middle + reach * 0.8)
    draw.lineTo(middle - reach, middle + reach * 0.8)
    draw.closePath()
  } else if (tone === 'error') draw.rect(middle - reach * 0.85, middle - reach * 0.85, reach * 1.7, reach * 1.7)
  else draw.arc(middle, middle, reach, 0, Math.PI * 2)
  draw.fillStyle = tone === 'default' ? (dark ? '#161B22' : '#FFFFFF') : colour
  draw.fill()
  draw.lineWidth = tone === 'default' ? 6 : 3
  draw.strokeStyle = tone === 'default' ? colour : dark ? '#161B22' : '#FFFFFF'
  draw.stroke()
  return draw.getImageData(0, 0, size, size)
}

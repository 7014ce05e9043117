import type { ExpressionSpecification, GeoJSONSource, Map } from 'maplibre-gl'
import { mapSettings, onMap } from './mapSettings.ts'
import type { MapArea, Place } from './PlaceMap.tsx'

const AREAS = 'areas'
/** A circle is drawn as so many corners. */
const CORNERS = 64
const DEGREE_M = 111_194.93
const FILL = 0.08

/** Parts of the map under everything else that lies on it. */
export function drawAreas(map: Map, dark: boolean): void {
  map.addSource(AREAS, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } })
  const [green, amber, red, grey] = dark ? ['#3DBB7E', '#E3A43A', '#F0706B', '#A2ABB8'] : ['#14804C', '#9A5B00', '#C93434', '#4A5563']
  const colour: ExpressionSpecification = ['match', ['get', 'tone'], 'success', green!, 'warning', amber!, 'error', red!, grey!]
  map.addLayer({
    id: 'area-fills',
    type: 'fill',
    source: AREAS,
    filter: ['==', '$type', 'Polygon'],
    paint: { 'fill-color': colour, 'fill-opacity': FILL },
  })
  map.addLayer({
    id: 'area-lines',
    type: 'line',
    source: AREAS,
    filter: ['==', '$type', 'Polygon'],
    paint: { 'line-color': colour, 'line-width': 2 },
  })
  map.addLayer({
    id: 'area-names',
    type: 'symbol',
    source: AREAS,
    filter: ['==', '$type', 'Point'],
    layout: { 'text-field': ['get', 'name'], 'text-font': ['sans-serif'], 'text-size': 12 },
    paint: { 'text-color': dark ? '#E3E7ED' : '#1C2128', 'text-halo-color': dark ? '#161B22' : '#FFFFFF', 'text-halo-width': 1.4 },
  })
}

export function showAreas(map: Map, areas: readonly MapArea[]): void {
  const settings = mapSettings()
  void map.getSource<GeoJSONSource>(AREAS)!.setData({
    type: 'FeatureCollection',
    features: areas.flatMap(({ id, name, tone = 'default', ...area }) => [
      named(name, middleOf(area)),
      {
        type: 'Feature',
        properties: { id, tone },
        geometry: { type: 'Polygon', coordinates: [closed(cornersOf(area)).map(({ lng, lat }) => onMap(settings, lng, lat))] },
      },
    ]),
  })
}
/** Once, however many squares of the map an area touches. */
const named = (name: string, { lng, lat }: Place): GeoJSON.Feature => ({
  type: 'Feature',
  properties: { name },
  geometry: { type: 'Point', coordinates: onMap(mapSettings(), lng, lat) },
})
function middleOf({ ring }: Pick<MapArea, 'ring'>): Place {
  const mean = (all: number[]) => all.reduce((sum, one) => sum + one, 0) / all.length
  return { lng: mean(ring.map(({ lng }) => lng)), lat: mean(ring.map(({ lat }) => lat)) }
}
const closed = (ring: readonly Place[]) => [...ring, ring[0]!]
/** The corners of an area: those it has, or those of a circle. */
export function cornersOf({ ring, radiusM }: Pick<MapArea, 'ring' | 'radiusM'>): readonly Place[] {
  const [middle] = ring
  if (radiusM === undefined || !middle) return ring
  const high = radiusM / DEGREE_M
  const wide = high / Math.cos((middle.lat * Math.PI) / 180)
  return Array.from({ length: CORNERS }, (_, n) => {
    const turn = (2 * Math.PI * n) / CORNERS
    return { lng: middle.lng + wide * Math.cos(turn), lat: middle.lat + high * Math.sin(turn) }
  })
}

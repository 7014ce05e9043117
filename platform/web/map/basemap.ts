import type { Feature, FeatureCollection } from 'geojson'
import type { StyleSpecification } from 'maplibre-gl'
import type { Text } from '../text.ts'

/**
 * The district as it is drawn in the product itself: where there is no internet there is still a map. WGS-84; the simulated city, not a survey.
 * An installation sets the address of its own style or tiles instead.
 */
type Place = [lng: number, lat: number]
interface Drawn {
  kind: 'ground' | 'water' | 'green' | 'main' | 'road' | 'rail' | 'place'
  name?: Text
  at: Place[]
}

const PLACES: readonly Drawn[] = [
  {
    kind: 'ground',
    at: [
      [112.12, 32.05],
      [112.15, 32.13],
      [112.2, 32.14],
      [112.26, 32.135],
      [112.305, 32.115],
      [112.31, 32.06],
      [112.29, 32.04],
      [112.2, 32.062],
      [112.15, 32.056],
    ],
  },
  {
    kind: 'water',
    name: ['汉江', 'Han River'],
    at: [
      [112.05, 32.083],
      [112.12, 32.069],
      [112.17, 32.058],
      [112.205, 32.054],
      [112.24, 32.057],
      [112.262, 32.043],
      [112.3, 32.025],
      [112.36, 32.01],
      [112.36, 32.002],
      [112.298, 32.017],
      [112.258, 32.034],
      [112.237, 32.047],
      [112.205, 32.045],
      [112.165, 32.05],
      [112.118, 32.061],
      [112.05, 32.074],
    ],
  },
  {
    kind: 'water',
    at: [
      [112.258, 32.128],
      [112.27, 32.13],
      [112.272, 32.122],
      [112.262, 32.12],
    ],
  },
  {
    kind: 'green',
    name: ['滨江公园', 'Riverside park'],
    at: [
      [112.232, 32.067],
      [112.248, 32.071],
      [112.25, 32.066],
      [112.24, 32.06],
      [112.23, 32.062],
    ],
  },
  {
    kind: 'green',
    name: ['体育中心', 'Sports centre'],
    at: [
      [112.194, 32.088],
      [112.203, 32.088],
      [112.203, 32.083],
      [112.194, 32.083],
    ],
  },
  {
    kind: 'green',
    name: ['隆中山', 'Longzhong hills'],
    at: [
      [112.08, 32.1],
      [112.11, 32.12],
      [112.14, 32.112],
      [112.132, 32.09],
      [112.1, 32.085],
    ],
  },
  {
    kind: 'green',
    at: [
      [112.283, 32.099],
      [112.296, 32.1],
      [112.297, 32.093],
      [112.284, 32.09],
    ],
  },
  {
    kind: 'rail',
    at: [
      [112.08, 32.06],
      [112.14, 32.0665],
      [112.1752, 32.0702],
      [112.2, 32.074],
      [112.235, 32.0655],
      [112.2718, 32.0528],
      [112.33, 32.038],
    ],
  },
  {
    kind: 'main',
    name: ['人民路', 'Renmin Road'],
    at: [
      [112.14, 32.093],
      [112.2, 32.0945],
      [112.2322, 32.0952],
      [112.27, 32.0948],
      [112.31, 32.093],
    ],
  },
  {
    kind: 'main',
    name: ['航空路', 'Hangkong Road'],
    at: [
      [112.2086, 32.135],
      [112.209, 32.1014],
      [112.2095, 32.08],
      [112.21, 32.062],
    ],
  },
  {
    kind: 'main',
    name: ['滨江大道', 'Binjiang Avenue'],
    at: [
      [112.12, 32.073],
      [112.17, 32.062],
      [112.205, 32.059],
      [112.24, 32.0625],
      [112.262, 32.049],
      [112.3, 32.031],
    ],
  },
  {
    kind: 'main',
    name: ['站前大道', 'Zhanqian Avenue'],
    at: [
      [112.253, 32.095],
      [112.26, 32.078],
      [112.27, 32.0555],
      [112.28, 32.04],
    ],
  },
  {
    kind: 'main',
    name: ['长虹路', 'Changhong Road'],
    at: [
      [112.1301, 32.055],
      [112.1301, 32.0621],
      [112.14, 32.093],
      [112.165, 32.11],
      [112.1893, 32.1145],
      [112.24, 32.119],
      [112.28, 32.116],
    ],
  },
  {
    kind: 'road',
    name: ['健康路', 'Jiankang Road'],
    at: [
      [112.2251, 32.119],
      [112.2253, 32.0893],
      [112.2255, 32.066],
    ],
  },
  {
    kind: 'road',
    name: ['创新路', 'Chuangxin Road'],
    at: [
      [112.172, 32.1135],
      [112.1893, 32.1128],
      [112.2088, 32.1118],
    ],
  },
  {
    kind: 'road',
    name: ['北街', 'North Street'],
    at: [
      [112.2154, 32.092],
      [112.2156, 32.0779],
      [112.216, 32.065],
    ],
  },
  {
    kind: 'road',
    name: ['体育路', 'Tiyu Road'],
    at: [
      [112.18, 32.0815],
      [112.1987, 32.082],
      [112.21, 32.0822],
      [112.2254, 32.0825],
    ],
  },
  {
    kind: 'road',
    name: ['行政路', 'Xingzheng Road'],
    at: [
      [112.196, 32.1213],
      [112.2109, 32.1213],
      [112.232, 32.121],
    ],
  },
  {
    kind: 'road',
    name: ['前进路', 'Qianjin Road'],
    at: [
      [112.1752, 32.0625],
      [112.1752, 32.0688],
      [112.176, 32.0938],
      [112.178, 32.1132],
    ],
  },
  {
    kind: 'road',
    name: ['汉江北路', 'North Hanjiang Road'],
    at: [
      [112.241, 32.119],
      [112.2534, 32.1085],
      [112.262, 32.0949],
      [112.268, 32.08],
    ],
  },
  {
    kind: 'road',
    name: ['学府路', 'Xuefu Road'],
    at: [
      [112.2877, 32.114],
      [112.2877, 32.0934],
      [112.288, 32.07],
      [112.284, 32.045],
    ],
  },
  {
    kind: 'road',
    at: [
      [112.2088, 32.1014],
      [112.2252, 32.102],
      [112.241, 32.1025],
      [112.2534, 32.1085],
    ],
  },
  {
    kind: 'road',
    at: [
      [112.241, 32.119],
      [112.241, 32.095],
      [112.2413, 32.0702],
    ],
  },
  { kind: 'place', name: ['老城', 'Old town'], at: [[112.2125, 32.0735]] },
  { kind: 'place', name: ['科技园', 'Science park'], at: [[112.185, 32.1165]] },
  { kind: 'place', name: ['大学城', 'University town'], at: [[112.293, 32.087]] },
  { kind: 'place', name: ['襄州区', 'Xiangzhou'], at: [[112.237, 32.1125]] },
  { kind: 'place', name: ['高铁东站', 'High-speed station'], at: [[112.277, 32.0495]] },
]

const AREAS = new Set(['ground', 'water', 'green'])
const featureOf = ({ kind, name, at }: Drawn): Feature => ({
  type: 'Feature',
  properties: { kind, zh: name?.[0] ?? '', en: name?.[1] ?? '' },
  geometry: AREAS.has(kind)
    ? { type: 'Polygon', coordinates: [[...at, at[0]!]] }
    : kind === 'place'
      ? { type: 'Point', coordinates: at[0]! }
      : { type: 'LineString', coordinates: at },
})
const district = (): FeatureCollection => ({ type: 'FeatureCollection', features: PLACES.map(featureOf) })

/** Its source in the map, and the layers that say names: the property called like the language. */
export const DISTRICT = 'district'
export const NAMED = ['road-name', 'place-name']
/** A muted ground: what lies on it has the colours. */
export function drawnStyle(dark: boolean, language: 'zh' | 'en', font: string): StyleSpecification {
  const of = dark
    ? {
        out: '#10141A',
        ground: '#161B22',
        water: '#1A2A3A',
        green: '#18261F',
        road: '#2A323D',
        main: '#3A4553',
        rail: '#39424E',
        text: '#9AA5B3',
        halo: '#161B22',
      }
    : {
        out: '#EEF0F3',
        ground: '#F7F8FA',
        water: '#CFE0EE',
        green: '#DDEBDD',
        road: '#E3E6EB',
        main: '#D3D8E0',
        rail: '#B9C1CC',
        text: '#5B6470',
        halo: '#FFFFFF',
      }
  const source = DISTRICT
  const only = (...kinds: string[]) => ['in', ['get', 'kind'], ['literal', kinds]] as never
  const wide = (from: number, to: number) => ['interpolate', ['exponential', 1.5], ['zoom'], 11, from, 17, to] as never
  const name: object = { 'text-field': ['get', language], 'text-font': [font], 'text-size': 12 }
  const ink = { 'text-color': of.text, 'text-halo-color': of.halo, 'text-halo-width': 1.2 }
  return {
    version: 8,
    sources: { [source]: { type: 'geojson', data: district() } },
    layers: [
      { id: 'out', type: 'background', paint: { 'background-color': of.out } },
      { id: 'ground', type: 'fill', source, filter: only('ground'), paint: { 'fill-color': of.ground } },
      { id: 'green', type: 'fill', source, filter: only('green'), paint: { 'fill-color': of.green } },
      { id: 'water', type: 'fill', source, filter: only('water'), paint: { 'fill-color': of.water } },
      {
        id: 'road',
        type: 'line',
        source,
        filter: only('road'),
        layout: { 'line-cap': 'round' },
        paint: { 'line-color': of.road, 'line-width': wide(1.5, 14) },
      },
      {
        id: 'main',
        type: 'line',
        source,
        filter: only('main'),
        layout: { 'line-cap': 'round' },
        paint: { 'line-color': of.main, 'line-width': wide(2.5, 22) },
      },
      { id: 'rail', type: 'line', source, filter: only('rail'), paint: { 'line-color': of.rail, 'line-width': 1.5, 'line-dasharray': [4, 2] } },
      {
        id: 'road-name',
        type: 'symbol',
        source,
        minzoom: 12.5,
        filter: only('road', 'main'),
        layout: { ...name, 'symbol-placement': 'line', 'text-size': 11 } as never,
        paint: ink,
      },
      { id: 'place-name', type: 'symbol', source, filter: only('place', 'green', 'water'), layout: name as never, paint: ink },
    ],
  }
}

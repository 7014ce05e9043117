import { createHash } from 'node:crypto'
import { Direction } from '../domains/parking/contract/gate.ts'

/** The simulated district: 襄州区. Its parks, their lanes, how busy they are and what they charge. Invented, in realistic shares. */
export interface PlannedPark {
  parkCode: string
  name: string
  nameEn: string
  address: string
  lng: number
  lat: number
  bays: number
  /** Cars that come on an ordinary workday. */
  carsPerDay: number
  /** How the day goes: arrivals by hour, relative. */
  rhythm: Rhythm
  tariff: TariffName
  /** Pairs of lanes: one in, one out. */
  lanes: number
  /** Of a hundred cars, so many have a pass. */
  passShare: number
}
export type Rhythm = 'work' | 'shop' | 'hospital' | 'station' | 'home'
export type TariffName = 'centre' | 'hospital' | 'station' | 'ordinary'

const park = (
  n: number,
  name: string,
  nameEn: string,
  address: string,
  lng: number,
  lat: number,
  bays: number,
  carsPerDay: number,
  rhythm: Rhythm,
  tariff: TariffName,
  lanes: number,
  passShare: number,
): PlannedPark => ({
  parkCode: `P${String(n).padStart(3, '0')}`,
  name,
  nameEn,
  address,
  lng,
  lat,
  bays,
  carsPerDay,
  rhythm,
  tariff,
  lanes,
  passShare,
})

/** Coordinates are WGS-84. The first park is never full at the start. */
export const PARKS: readonly PlannedPark[] = [
  park(1, '人民广场地下停车场', "People's Square underground", '人民路 1 号', 112.2322, 32.0957, 860, 520, 'shop', 'centre', 1, 8),
  park(2, '中心医院南区停车场', 'Central hospital, south', '健康路 88 号', 112.2251, 32.0893, 420, 610, 'hospital', 'hospital', 1, 6),
  park(3, '高铁东站 P2 停车场', 'High-speed station P2', '站前大道 9 号', 112.2718, 32.0541, 1200, 480, 'station', 'station', 2, 3),
  park(4, '万汇广场停车场', 'Wanhui mall', '航空路 56 号', 112.2086, 32.1014, 980, 560, 'shop', 'centre', 2, 5),
  park(5, '滨江公园停车场', 'Riverside park', '滨江大道 20 号', 112.2413, 32.0702, 260, 210, 'shop', 'ordinary', 1, 2),
  park(6, '科技园一期停车场', 'Science park, phase one', '创新路 12 号', 112.1893, 32.1132, 640, 260, 'work', 'ordinary', 1, 42),
  park(7, '老城步行街停车场', 'Old town pedestrian street', '北街 33 号', 112.2154, 32.0779, 180, 290, 'shop', 'centre', 1, 4),
  park(8, '体育中心停车场', 'Sports centre', '体育路 7 号', 112.1987, 32.0856, 520, 190, 'shop', 'ordinary', 1, 3),
  park(9, '政务中心停车场', 'Government service centre', '行政路 1 号', 112.2109, 32.1207, 300, 230, 'work', 'ordinary', 1, 30),
  park(10, '火车站北广场停车场', 'Railway station, north square', '前进路 101 号', 112.1752, 32.0688, 380, 340, 'station', 'station', 1, 2),
  park(11, '汉江批发市场停车场', 'Hanjiang wholesale market', '汉江北路 200 号', 112.2534, 32.1085, 450, 310, 'work', 'ordinary', 1, 15),
  park(12, '大学城生活区停车场', 'University town', '学府路 66 号', 112.2877, 32.0934, 340, 160, 'home', 'ordinary', 1, 35),
]
/** Another operator, in the same product: nobody of the first sees any of it. */
export const OTHER_PARKS: readonly PlannedPark[] = [
  park(901, '樊西商务楼停车场', 'West business tower', '长虹路 18 号', 112.1301, 32.0621, 150, 60, 'work', 'ordinary', 1, 30),
]
/** The small demo has the first three parks and a few days. */
export const SMALL_PARKS = 3
export const SMALL_DAYS = 2
export const CITY_DAYS = 90

/** So many parks have an antenna for ETC cards, at their last exit. */
export const PARKS_WITH_ETC = 2
export const hasEtc = ({ parkCode }: PlannedPark): boolean => PARKS.slice(0, PARKS_WITH_ETC).some((one) => one.parkCode === parkCode)
/** The antenna of a gate, and what is in it. */
export const antennaOf = (gateCode: string) => ({
  deviceNo: `ETC-${gateCode}`,
  laneNo: `L-${gateCode}`,
  psamNo: createHash('sha256').update(gateCode).digest('hex').slice(0, 12).toUpperCase(),
})

/** Relative arrivals by hour of the day. */
export const RHYTHMS: Record<Rhythm, readonly number[]> = {
  work: [1, 0, 0, 0, 0, 1, 4, 18, 26, 12, 7, 5, 6, 9, 8, 5, 4, 4, 3, 2, 2, 1, 1, 1],
  shop: [1, 0, 0, 0, 0, 0, 1, 3, 5, 9, 13, 15, 13, 12, 13, 12, 12, 14, 18, 17, 12, 7, 3, 1],
  hospital: [2, 1, 1, 1, 1, 2, 6, 18, 22, 20, 15, 9, 6, 12, 16, 13, 9, 6, 5, 4, 3, 3, 2, 2],
  station: [4, 2, 2, 3, 5, 9, 13, 12, 11, 10, 10, 10, 10, 10, 11, 11, 11, 12, 12, 11, 10, 9, 7, 5],
  home: [1, 1, 0, 0, 0, 1, 2, 4, 4, 4, 4, 5, 6, 5, 5, 6, 9, 14, 17, 14, 10, 7, 4, 2],
}
/** Middle stay in minutes, and how far stays spread around it (a log-normal's sigma). */
export const STAYS: Record<Rhythm, { middle: number; spread: number }> = {
  work: { middle: 420, spread: 0.55 },
  shop: { middle: 95, spread: 0.75 },
  hospital: { middle: 120, spread: 0.9 },
  station: { middle: 45, spread: 1.4 },
  home: { middle: 600, spread: 0.6 },
}

/** Lanes of a park: odd sn in, even sn out, counted through the whole city so that the first park has PG-0001 and PG-0002. */
export interface PlannedLane {
  gateCode: string
  name: string
  nameEn: string
  direction: 1 | 2
  sn: string
}
export function lanesOf(parks: readonly PlannedPark[], wanted: PlannedPark): PlannedLane[] {
  const first = wanted.parkCode.startsWith('P9') ? 900 : parks.slice(0, parks.indexOf(wanted)).reduce((sum, { lanes }) => sum + lanes * 2, 0)
  return Array.from({ length: wanted.lanes * 2 }, (_, i): PlannedLane => {
    const entry = i % 2 === 0
    const place = Math.floor(i / 2) + 1
    return {
      gateCode: `${wanted.parkCode}-G${String(i + 1).padStart(2, '0')}`,
      name: `${entry ? '入口' : '出口'} ${place}`,
      nameEn: `${entry ? 'Entry' : 'Exit'} ${place}`,
      direction: entry ? Direction.entrance : Direction.exit,
      sn: `PG-${String(first + i + 1).padStart(4, '0')}`,
    }
  })
}

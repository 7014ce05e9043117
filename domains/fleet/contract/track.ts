import { call, PAGE, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { degrees, dictionary, among, entity, instant, message, orNone, whole, yes } from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Vehicle } from './vehicle.ts'

export const Trust = dictionary('fleet_trust', ['定位', 'Fix'], {
  good: [1, '有效', 'Good', 'success'],
  noFix: [2, '未定位', 'No fix'],
  impossible: [3, '不可信', 'Implausible', 'error'],
})
export const TrackEvent = dictionary('fleet_track_event', ['事件', 'Event'], {
  ignitionOn: [1, '点火', 'Ignition on', 'success'],
  ignitionOff: [2, '熄火', 'Ignition off'],
  alarm: [3, '报警', 'Alarm', 'error'],
})
/** Bits of an alarm as terminals say it, in the words of those who watch. */
export const ALARMS: readonly (readonly [bit: number, zh: string, en: string])[] = [
  [0, '紧急报警', 'Emergency'],
  [1, '超速', 'Speeding'],
  [2, '疲劳驾驶', 'Fatigue'],
  [7, '主电源欠压', 'Low voltage'],
  [8, '主电源掉电', 'Power lost'],
  [20, '进出区域', 'Area entry/exit'],
  [21, '进出路线', 'Route entry/exit'],
  [27, '非法点火', 'Illegal ignition'],
  [29, '碰撞', 'Collision'],
]
/** Those of them that are on. */
export const alarmsIn = (bits: number | null) => ALARMS.filter(([bit]) => ((bits ?? 0) >>> bit) & 1).map(([, zh, en]) => [zh, en] as const)
export const TRACK_DAYS_MAX = 31
/** A longer track is thinned to so many points; events on the way are kept. */
export const TRACK_POINTS_MAX = 5_000
export const speedField = (zh: string, en: string) => whole(zh, en, { unit: 'tenth-km/h', min: 0 })
export const headingField = () => whole('方向', 'Heading', { unit: 'degree', min: 0, max: 360 })
/** Where a vehicle was at one moment, WGS-84. */
export const TrackPoint = entity({
  vehicleNo: Vehicle.properties.vehicleNo,
  deviceTime: instant('定位时间', 'Position time'),
  lng: degrees('经度', 'Longitude'),
  lat: degrees('纬度', 'Latitude', 90),
  speed: speedField('速度', 'Speed'),
  heading: headingField(),
  acc: yes('点火', 'Ignition'),
  mileageM: orNone(whole('里程', 'Odometer', { unit: 'metre' })),
  alarmBits: whole('报警位', 'Alarm bits', { min: 0, max: 4_294_967_295 }),
  trust: among('定位', 'Fix', Trust),
})
export const DrawnPoint = entity({ ...TrackPoint.properties, event: orNone(among('事件', 'Event', TrackEvent)) })
export const RawPoint = entity({ ...TrackPoint.properties, vehicleId: Vehicle.properties.id })
export const rawSearch = searchOf(
  RawPoint,
  { vehicleId: 'equals', vehicleNo: 'equals', deviceTime: 'between' },
  { sort: ['deviceTime'], ascending: true },
)
/** A stretch of driving between two stops. */
export const Trip = entity({
  fromAt: instant('出发时间', 'Departed at'),
  toAt: instant('到达时间', 'Arrived at'),
  fromLng: degrees('起点经度', 'Start longitude'),
  fromLat: degrees('起点纬度', 'Start latitude'),
  toLng: degrees('终点经度', 'End longitude'),
  toLat: degrees('终点纬度', 'End latitude'),
  distanceM: whole('里程', 'Distance', { unit: 'metre' }),
  topSpeed: speedField('最高速度', 'Top speed'),
  /** How long it stood before the next one. */
  stoodMin: orNone(whole('停留', 'Stopped', { unit: 'minute' })),
})
/** By its id or its whole plate. */
const span = {
  vehicleId: Vehicle.properties.id,
  vehicleNo: Vehicle.properties.vehicleNo,
  timeFrom: instant('开始时间', 'From'),
  timeTo: instant('结束时间', 'To'),
}
const view = { service: 'business', needs: 'fleet:track:view' } as const
const query = call('fleet.track.query', {
  ...view,
  heavy: true,
  post: '/vehicleTrackInfo/queryVehicleTrackInfo',
  body: message({}, { ...span, ...PAGE }),
  reply: pageOf(DrawnPoint),
})
export const track = {
  query,
  /** Days with driving, stretch by stretch. */
  trips: call('fleet.track.trips', {
    ...view,
    own: true,
    heavy: true,
    post: '/vehicleTrackInfo/queryTrips',
    body: message({}, { ...span, ...PAGE }),
    reply: pageOf(Trip),
  }),
  /** The points as they came, none left out. */
  export: exportOf('fleet.track.export', {
    service: 'business',
    needs: 'fleet:track:export',
    get: '/vehicleTrackInfo/exportVehicleTrackInfoExport',
    title: ['车辆轨迹', 'Vehicle track'],
    query,
    columns: ['vehicleNo', 'deviceTime', 'lng', 'lat', 'speed', 'heading', 'acc', 'mileageM', 'trust'],
  }),
}

import { entity, instant, listOf, orNone, permille, pick, shaped, whole } from '../../../platform/contract/field.ts'
import { Spot } from './map.ts'
import { Station } from './station.ts'
import { wattHours } from './units.ts'

const n = (zh: string, en: string) => whole(zh, en, { min: 0 })
const watts = (zh: string, en: string) => whole(zh, en, { unit: 'watt', min: 0 })
const timeUse = orNone(permille('时间利用率', 'Time utilisation'))

export const ChargingFigures = entity({
  connectors: n('充电枪', 'Connectors'),
  free: n('空闲', 'Free'),
  charging: n('充电中', 'Charging'),
  faulty: n('故障', 'Faulty'),
  offline: n('离线', 'Offline'),
  wh: wattHours('今日电量', 'Energy today'),
  cars: n('今日车辆', 'Cars today'),
  timeUse,
})
/** One hour of the city's day: on average so much was drawn. Hours to come have no figure for today. */
export const PowerHour = entity({
  hour: whole('小时', 'Hour', { min: 0, max: 23 }),
  powerW: orNone(watts('平均功率', 'Average power')),
  powerBeforeW: watts('昨日平均功率', 'Average power yesterday'),
})
const BusyStation = entity({ stationId: Station.properties.stationId, name: Station.properties.stationName, wh: wattHours('电量', 'Energy') })
const UsedStation = entity({
  stationId: Station.properties.stationId,
  name: Station.properties.stationName,
  timeUse: permille('时间利用率', 'Time utilisation'),
})
export const WallSpot = pick(Spot, 'name', 'gcjLng', 'gcjLat', 'free', 'total', 'state')
/** What a wall in the control room shows of charging: no plate, no name, no money. */
export const ChargingWall = entity({
  at: instant('统计时间', 'As of'),
  figures: shaped('指标', 'Figures', ChargingFigures),
  hours: shaped('逐时', 'By hour', listOf(PowerHour)),
  /** Those with the most energy billed today. */
  best: shaped('站点前十', 'Top ten stations', listOf(BusyStation)),
  /** Those whose guns charged for the largest part of the day so far. */
  used: shaped('时间利用率', 'Time utilisation', listOf(UsedStation)),
  spots: shaped('地图', 'Map', listOf(WallSpot)),
})

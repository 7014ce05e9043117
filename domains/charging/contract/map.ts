import { call } from '../../../platform/contract/call.ts'
import {
  among,
  degrees,
  dictionary,
  entity,
  fen,
  instant,
  listOf,
  message,
  orNone,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { Connector, ConnectorStatus } from './connector.ts'
import { Equipment } from './pile.ts'
import { LiveGun } from './monitor.ts'
import { Station, StationRow } from './station.ts'
import { PeriodKind } from './strategy.ts'
import { parkCode, priceE4, wattHours } from './units.ts'

export const PlaceState = dictionary('charging_place_state', ['站点运行状态', 'Station running status'], {
  free: [1, '空闲', 'Free', 'success'],
  busy: [2, '繁忙', 'Busy', 'warning'],
  full: [3, '满', 'Full', 'error'],
  offline: [4, '离线', 'Offline', 'error'],
  shut: [5, '停运', 'Out of service'],
  halted: [6, '隐患停用', 'Stopped by a hazard', 'error'],
  bare: [7, '无充电枪', 'No connectors'],
})
const n = (zh: string, en: string) => whole(zh, en, { min: 0 })
const gcjLng = degrees('经度', 'Longitude', 180, 'gcj02')
const gcjLat = degrees('纬度', 'Latitude', 90, 'gcj02')
const { stationId, stationName, address } = Station.properties
const PriceNow = entity({
  kind: among('时段类型', 'Period type', PeriodKind),
  elecPriceE4: priceE4('电价', 'Electricity'),
  servicePriceE4: priceE4('服务费', 'Service'),
  until: text('至', 'Until', { max: 5 }),
})
/** A station beside the map. `distance` in metres from the middle of the city, or of where one looks. */
export const Place = entity({
  stationId,
  stationName,
  address,
  parkCode,
  gcjLng,
  gcjLat,
  state: among('状态', 'Status', PlaceState),
  fastFree: n('快充空闲', 'Fast, free'),
  fastTotal: n('快充', 'Fast'),
  slowFree: n('慢充空闲', 'Slow, free'),
  slowTotal: n('慢充', 'Slow'),
  dangerNo: StationRow.properties.dangerNo,
  price: orNone(shaped('当前价格', 'Price now', PriceNow)),
  distance: orNone(whole('距离', 'Distance', { unit: 'metre', min: 0 })),
})
/** Codes of a spot's `kind`. */
export const SpotKind = { station: 1, cluster: 2 } as const
/** A station on the map, or several that lie close together. */
export const Spot = entity({
  stationId: orNone(stationId),
  name: text('名称', 'Name', { max: 64 }),
  gcjLng,
  gcjLat,
  kind: whole('类型', 'Type', { min: SpotKind.station, max: SpotKind.cluster }),
  count: n('站数', 'Stations'),
  free: n('空闲', 'Free'),
  total: n('总数', 'Connectors'),
  state: among('状态', 'Status', PlaceState),
})
export const PilePlace = entity({
  equipmentId: Equipment.properties.equipmentId,
  deviceNo: orNone(text('设备编号', 'Device', { max: 48 })),
  parkCode,
  gcjLng,
  gcjLat,
  approx: whole('约略', 'Approximate', { min: 0, max: 1 }),
  online: yes('在线', 'Online'),
  adminStatus: Equipment.properties.adminStatus,
  worst: orNone(among('最差充电枪状态', 'Worst connector status', ConnectorStatus)),
})
const FaultShown = entity({
  faultNo: text('故障编号', 'Fault number', { max: 40 }),
  connectorId: Connector.properties.connectorId,
  code: text('故障码', 'Code', { max: 50 }),
  startAt: instant('发生时间', 'Since'),
})
const view = { service: 'charging', needs: 'charging:station:view' } as const
export const map = {
  queryList: call('charging.map.query-list', {
    ...view,
    get: '/map/queryList',
    query: message({}, { keyword: text('关键词', 'Keyword', { max: 50 }), free: yes('只看有空闲', 'Available only'), lng: gcjLng, lat: gcjLat }),
    reply: listOf(Place),
  }),
  /** Below this zoom, stations that lie close together are one spot. */
  queryMap: call('charging.map.query-map', {
    ...view,
    get: '/map/queryMap',
    query: message({}, { west: gcjLng, south: gcjLat, east: gcjLng, north: gcjLat, zoom: whole('缩放', 'Zoom', { min: 0, max: 24 }) }),
    reply: listOf(Spot),
  }),
  queryMapDetails: call('charging.map.query-map-details', {
    ...view,
    post: '/map/queryMapDetails',
    body: message({ stationId }),
    reply: entity({
      ...Place.properties,
      guns: shaped('充电枪', 'Connectors', listOf(LiveGun)),
      faults: shaped('未恢复故障', 'Open faults', listOf(FaultShown)),
      orders: n('今日订单', 'Sessions today'),
      billedWh: wattHours('今日电量', 'Energy today'),
      receivableFen: fen('今日应收', 'Receivable today'),
    }),
  }),
  pileGis: call('charging.map.pile-gis', {
    service: 'device',
    needs: 'charging:pile:view',
    get: '/deviceMap/getChargingPileGis',
    query: message({}, { parkCode }),
    reply: listOf(PilePlace),
  }),
}

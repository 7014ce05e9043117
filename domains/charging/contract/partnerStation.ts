import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  degrees,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  orNone,
  pick,
  personal,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { ConnectorStatus, ConnectorType, LockStatus, ParkStatus } from './connector.ts'
import { PlatformRow } from './platform.ts'
import { StationStatus, StationType } from './station.ts'
import { priceE4 } from './units.ts'

/** How we know the state of a gun that is not ours. */
export const HeardBy = dictionary('charging_heard_by', ['状态来源', 'How the status was learned'], {
  pushed: [1, '对方推送', 'Pushed by the partner'],
  queried: [2, '我方查询', 'Queried by us'],
})
const time = text('起始时间', 'From', { max: 5, pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })
/** What a partner takes for a kilowatt hour from a minute of the city's day on, to the next such minute. */
export const PartnerPrice = message({ from: time, elecPriceE4: priceE4('电价', 'Electricity'), servicePriceE4: priceE4('服务费', 'Service') })

const platformId = id<'ChargingPlatformId'>('互联平台', 'Platform')
const heardAt = instant('获取时间', 'Fetched at')
/** A station of a partner, as the partner told it. */
export const PartnerStation = entity(['合作电站', 'Partner station'], {
  platformId,
  stationId: text('电站 ID', 'Station id', { max: 20 }),
  stationName: text('电站', 'Station', { max: 100 }),
  operatorId: text('所属运营商', 'Operator', { max: 9 }),
  address: text('地址', 'Address', { min: 0, max: 200 }),
  serviceTel: orNone(personal('phone', text('服务电话', 'Service phone', { max: 40 }))),
  stationType: among('站点类型', 'Type', StationType),
  stationStatus: among('站点状态', 'Station status', StationStatus),
  stationLng: degrees('经度', 'Longitude', 180, 'gcj02'),
  stationLat: degrees('纬度', 'Latitude', 90, 'gcj02'),
  busineHours: orNone(text('营业时间', 'Opening hours', { max: 100 })),
  parkFee: orNone(text('停车费说明', 'Parking fee note', { max: 255 })),
  heardAt,
})
/** A gun of a partner: its plate, what it was last said to be, and what it costs. */
export const PartnerConnector = entity(['合作充电枪', 'Partner connector'], {
  id: id<'PartnerConnectorId'>(),
  platformId,
  stationId: PartnerStation.properties.stationId,
  equipmentId: text('桩编号', 'Pile id', { max: 23 }),
  connectorId: text('充电枪编号', 'Connector ID', { max: 26 }),
  connectorName: orNone(text('充电枪名称', 'Connector name', { max: 30 })),
  connectorType: among('接口类型', 'Type', ConnectorType),
  power: shaped<number>('额定功率（kW）', 'Rated power (kW)', { type: 'number', minimum: 0, maximum: 2_000 }),
  parkNo: orNone(text('车位号', 'Bay number', { max: 10 })),
  status: among('充电枪状态', 'Connector status', ConnectorStatus),
  parkStatus: among('车位状态', 'Bay status', ParkStatus),
  lockStatus: among('地锁状态', 'Bay lock', LockStatus),
  statusAt: orNone(instant('状态时间', 'Status as of')),
  heardBy: orNone(among('状态来源', 'Learned', HeardBy)),
  prices: shaped('价格', 'Prices', listOf(PartnerPrice)),
  pricedAt: orNone(instant('价格获取时间', 'Prices as of')),
  heardAt,
})
/** A gun with where it stands and what it costs now. */
export const PartnerGun = entity({
  ...PartnerConnector.properties,
  ...pick(PartnerStation, 'stationName', 'address', 'stationStatus', 'stationLng', 'stationLat', 'busineHours', 'parkFee', 'serviceTel').properties,
  platformName: PlatformRow.properties.name,
  elecPriceE4: orNone(priceE4('当前电价', 'Electricity now')),
  servicePriceE4: orNone(priceE4('当前服务费', 'Service now')),
})
export const partnerGunSearch = searchOf(
  PartnerGun,
  { platformId: 'equals', stationName: 'contains', connectorId: 'startsWith', status: 'among', connectorType: 'among' },
  { sort: ['stationName', 'connectorId'], ascending: true },
)

export const partnerStation = {
  guns: call('charging.partner-station.guns', {
    service: 'charging',
    needs: 'charging:platform:view',
    own: true,
    post: '/chargingPlatform/guns',
    body: paged(partnerGunSearch),
    reply: pageOf(PartnerGun),
  }),
  /** Asks a partner for all of its stations, their states and prices now. */
  fetch: call('charging.partner-station.fetch', {
    service: 'charging',
    needs: 'charging:platform:edit',
    writes: true,
    own: true,
    post: '/chargingPlatform/fetchStations',
    does: ['获取合作电站', 'Fetched a partner’s stations'],
    body: message({ platformId }),
    reply: message({
      stations: whole('电站', 'Stations', { min: 0 }),
      guns: whole('充电枪', 'Connectors', { min: 0 }),
      failure: orNone(text('失败原因', 'Failure', { max: 500 })),
    }),
  }),
}

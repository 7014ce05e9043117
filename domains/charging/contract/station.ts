import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  empty,
  listOf,
  message,
  pick,
  degrees,
  dictionary,
  entity,
  fen,
  images,
  instant,
  moves,
  orNone,
  region,
  rowFields,
  telephone,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Operator } from './operator.ts'
import { Strategy } from './strategy.ts'
import { parkCode } from './units.ts'

export const StationType = dictionary('charging_station_type', ['站点类型', 'Station type'], {
  public: [1, '公共', 'Public'],
  private: [50, '个人', 'Private'],
  bus: [100, '公交（专用）', 'Buses'],
  sanitation: [101, '环卫（专用）', 'Sanitation'],
  logistics: [102, '物流（专用）', 'Logistics'],
  taxi: [103, '出租车（专用）', 'Taxis'],
  other: [255, '其他', 'Other'],
})
export const StationStatus = dictionary('charging_station_status', ['站点状态', 'Station status'], {
  unknown: [0, '未知', 'Unknown'],
  building: [1, '建设中', 'Being built', 'warning'],
  closed: [5, '关闭下线', 'Closed'],
  maintained: [6, '维护中', 'Under maintenance', 'warning'],
  inUse: [50, '正常使用', 'In use', 'success'],
})
/** Only a station in use takes new charges. */
export const stationCan = moves(StationStatus, {
  open: { 0: 50, 1: 50, 5: 50, 6: 50 },
  maintain: { 50: 6 },
  close: { 50: 5, 6: 5 },
})
export const Construction = dictionary('charging_station_construction', ['建设场所', 'Site'], {
  homes: [1, '居民区', 'Residential area'],
  publicBody: [2, '公共机构', 'Public body'],
  company: [3, '企事业单位', 'Company'],
  offices: [4, '写字楼', 'Office building'],
  industry: [5, '工业园区', 'Industrial park'],
  hub: [6, '交通枢纽', 'Transport hub'],
  venue: [7, '大型文体设施', 'Sports or cultural venue'],
  green: [8, '城市绿地', 'Urban green space'],
  building: [9, '大型建筑配建停车场', 'Building car park'],
  street: [10, '路边停车位', 'Kerbside berths'],
  motorway: [11, '城际高速服务区', 'Motorway services'],
  other: [255, '其他', 'Other'],
})

/** A place with piles. Its coordinates are GCJ-02, as partners and phones read them. */
export const Station = entity(['充电站', 'Charging station'], {
  ...rowFields<'StationId'>(),
  stationId: text('充电站 ID', 'Station id', { max: 20, pattern: '^[0-9A-Za-z_-]+$' }),
  stationName: text('充电站名称', 'Name', { max: 50 }),
  operatorId: Operator.properties.operatorId,
  equipmentOwnerId: orNone(text('设备所属方 ID', 'Owner of the piles', { min: 9, max: 9, pattern: '^[0-9A-Z]{9}$' })),
  parkCode,
  regionCode: region(),
  address: text('地址', 'Address', { max: 128 }),
  stationTel: orNone(telephone('站点电话', 'Phone')),
  serviceTel: telephone('服务电话', 'Service phone'),
  stationType: among('站点类型', 'Type', StationType),
  stationStatus: among('站点状态', 'Status', StationStatus),
  parkNums: whole('车位数', 'Bays', { min: 0, max: 10_000 }),
  stationLng: degrees('经度', 'Longitude', 180, 'gcj02'),
  stationLat: degrees('纬度', 'Latitude', 90, 'gcj02'),
  siteGuide: orNone(text('站点引导', 'Directions', { max: 200 })),
  construction: among('建设场所', 'Site', Construction),
  pictures: orNone(images('照片', 'Pictures')),
  matchCars: orNone(text('使用车型描述', 'Suitable cars', { max: 200 })),
  parkInfo: orNone(text('车位楼层及数量', 'Bays and floors', { max: 200 })),
  busineHours: text('营业时间', 'Opening hours', { max: 100 }),
  parkFee: orNone(text('停车费说明', 'Parking fee note', { max: 200 })),
  payment: orNone(text('支付方式说明', 'Payment methods', { max: 50 })),
  remark: orNone(text('备注', 'Remark', { max: 200 })),
  /** What a driver who scans pays in advance. */
  prepayFen: fen('预付金额', 'Prepayment', { min: 0 }),
  limitW: orNone(whole('功率上限（W）', 'Power limit (W)', { min: 0 })),
})
export const stationSearch = searchOf(
  Station,
  {
    stationName: 'contains',
    operatorId: 'equals',
    stationType: 'among',
    stationStatus: 'among',
    regionCode: 'within',
    stationId: 'equals',
    parkCode: 'equals',
  },
  { sort: ['createdAt'], ascending: true },
)

/** A station as its list shows it: how many guns are free, and its price. */
export const StationRow = entity({
  ...Station.properties,
  connectors: whole('充电枪数', 'Connectors', { min: 0 }),
  freeConnectors: whole('空闲充电枪', 'Free connectors', { min: 0 }),
  strategyId: orNone(Strategy.properties.id),
  strategyName: orNone(text('价格表', 'Price table', { max: 64 })),
  /** The price table that comes next: where none is in force, nothing starts before it. */
  nextStrategyName: orNone(text('待生效价格表', 'Next price table', { max: 64 })),
  nextPriceAt: orNone(instant('价格表生效时间', 'Next price from')),
  /** The critical hazard that stops new charges here, while there is one. */
  dangerNo: orNone(text('重大隐患', 'Critical hazard', { max: 40 })),
})
export const stationRowSearch = searchOf(
  StationRow,
  {
    stationName: 'contains',
    operatorId: 'equals',
    stationType: 'among',
    stationStatus: 'among',
    regionCode: 'within',
    stationId: 'equals',
    parkCode: 'equals',
  },
  { sort: ['createdAt'], ascending: true },
)
const n = (zh: string, en: string) => whole(zh, en, { min: 0 })
/** A station with how far its opening has come. */
export const StationOpening = entity({
  ...StationRow.properties,
  piles: n('充电桩', 'Piles'),
  enabledPiles: n('启用的桩', 'Enabled piles'),
  keyedPiles: n('已有密钥的桩', 'Piles with a secret'),
  onlinePiles: n('在线的桩', 'Piles online'),
})
const { id, version, stationId, stationName, operatorId, regionCode, address, serviceTel, stationLng, stationLat, stationStatus, ...rest } =
  Station.properties
// The limit is set where it is shared out: with the load.
const { createdAt: _, updatedAt: __, limitW: ___, parkCode: ofPark, ...written } = rest
/** Where a station is, as people type it. */
export const typedPlace = { lng: degrees('经度', 'Longitude'), lat: degrees('纬度', 'Latitude', 90) } as const
const view = { service: 'charging', needs: 'charging:station:view' } as const
const tableList = call('charging.station.table-list', {
  ...view,
  post: '/chargeDbQuery/getStationinfoTableList',
  body: paged(stationRowSearch),
  reply: pageOf(StationRow),
})
export const station = {
  tableList,
  export: exportOf('charging.station.export', {
    service: 'charging',
    needs: 'charging:station:view',
    own: true,
    post: '/chargeDbQuery/getStationinfoExport',
    title: ['充电站', 'Charging stations'],
    query: tableList,
    columns: [
      'stationName',
      'stationId',
      'operatorId',
      'parkCode',
      'regionCode',
      'address',
      'stationType',
      'stationStatus',
      'connectors',
      'freeConnectors',
      'strategyName',
      'limitW',
      'prepayFen',
      'serviceTel',
      'busineHours',
      'dangerNo',
      'remark',
    ],
  }),
  detail: call('charging.station.detail', {
    ...view,
    own: true,
    get: '/chargeDbQuery/getStationinfoDetail',
    query: message({ stationId }),
    reply: StationOpening,
  }),
  /** For pickers. */
  list: call('charging.station.list', {
    ...view,
    post: '/chargeDbQuery/getStationinfoList',
    body: empty,
    reply: listOf(pick(Station, 'stationId', 'stationName', 'operatorId', 'parkCode', 'stationStatus', 'regionCode')),
  }),
  /** Its place as people type it, `lng` and `lat` in WGS-84 as in every other form, or as partners tell it. Without an id a new one; its own id, operator and park stay what they are. A station closes only without open charges. */
  save: call('charging.station.save', {
    service: 'charging',
    needs: 'charging:station:edit',
    writes: true,
    post: '/chargeDbQuery/saveStationinfo',
    does: ['保存充电站', 'Saved a charging station'],
    body: message(
      { stationName, regionCode, address, serviceTel },
      {
        ...{ id, version, stationId, operatorId, parkCode: ofPark, stationStatus, strategyId: Strategy.properties.id },
        ...written,
        ...typedPlace,
        stationLng,
        stationLat,
      },
    ),
    reply: Station,
  }),
}

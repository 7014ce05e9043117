import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  listOf,
  message,
  nothing,
  shaped,
  dictionary,
  entity,
  instant,
  orNone,
  rowFields,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Equipment, Pile } from './pile.ts'
import { kilowatts, parkCode, wattHours } from './units.ts'

export const ConnectorType = dictionary('charging_connector_type', ['接口类型', 'Connector type'], {
  household: [1, '家用插座（模式 2）', 'Household socket'],
  acSocket: [2, '交流接口插座（模式 3，连接方式 B）', 'AC socket'],
  acPlug: [3, '交流接口插头（带枪线，模式 3，连接方式 C）', 'AC plug'],
  dcPlug: [4, '直流接口枪头（带枪线，模式 4）', 'DC plug'],
  wireless: [5, '无线充电座', 'Wireless'],
  other: [6, '其他', 'Other'],
})
export const NationalStandard = dictionary('charging_national_standard', ['国家标准', 'Standard'], {
  gb2011: [1, '2011', 'GB 2011'],
  gb2015: [2, '2015', 'GB 2015'],
})
export const ConnectorStatus = dictionary('charging_connector_status', ['充电枪状态', 'Connector status'], {
  offline: [0, '离线', 'Offline', 'error'],
  free: [1, '空闲', 'Free', 'success'],
  plugged: [2, '占用（未充电）', 'Occupied, not charging', 'warning'],
  charging: [3, '占用（充电中）', 'Charging', 'success'],
  reserved: [4, '占用（预约锁定）', 'Reserved', 'warning'],
  faulty: [255, '故障', 'Faulty', 'error'],
})
export const ParkStatus = dictionary('charging_park_status', ['车位状态', 'Bay status'], {
  unknown: [0, '未知', 'Unknown'],
  free: [10, '空闲', 'Free', 'success'],
  taken: [50, '占用', 'Occupied', 'warning'],
})
export const LockStatus = dictionary('charging_lock_status', ['地锁状态', 'Bay lock'], {
  unknown: [0, '未知', 'Unknown'],
  open: [10, '已解锁', 'Unlocked'],
  locked: [50, '已上锁', 'Locked'],
})

/** A gun of a pile: where one car charges. */
export const Connector = entity(['充电枪', 'Connector'], {
  ...rowFields<'ConnectorId'>(),
  connectorId: text('充电枪 ID', 'Connector ID', { max: 26, pattern: '^[0-9A-Za-z_-]+$' }),
  connectorName: orNone(text('充电枪名称', 'Name', { max: 30 })),
  equipmentId: Equipment.properties.equipmentId,
  stationId: Equipment.properties.stationId,
  parkCode,
  connectorType: among('接口类型', 'Type', ConnectorType),
  voltageUpper: whole('电压上限', 'Highest voltage', { unit: 'volt', min: 0, max: 2_000 }),
  voltageLower: whole('电压下限', 'Lowest voltage', { unit: 'volt', min: 0, max: 2_000 }),
  current: whole('额定电流', 'Rated current', { unit: 'ampere', min: 0, max: 2_000 }),
  power: kilowatts('额定功率', 'Rated power'),
  parkNo: orNone(text('车位号', 'Bay number', { max: 10 })),
  nationalStandard: among('国家标准', 'Standard', NationalStandard),
  /** Its number at the pile, from 1 on; under OCPP 2.0.1 that of the gun in its EVSE. */
  ocppConnectorNo: whole('桩内序号', 'Connector number', { min: 1, max: 99 }),
  evseId: orNone(whole('EVSE 编号', 'EVSE number', { min: 1, max: 99 })),
  seatCode: orNone(text('泊位编号', 'Bay', { max: 24 })),
})
/** What a gun last said. */
export const ConnectorState = entity(['充电枪实时状态', 'Live connector status'], {
  connectorId: Connector.properties.connectorId,
  parkCode,
  status: among('充电枪状态', 'Status', ConnectorStatus),
  /** The word of its protocol. */
  statusRaw: orNone(text('原始状态', 'Raw status', { max: 40 })),
  /** By the gun's own time, so that an older message never takes the place of a newer one. */
  statusAt: orNone(instant('状态时间', 'Since')),
  parkStatus: among('车位状态', 'Bay status', ParkStatus),
  lockStatus: among('地锁状态', 'Bay lock', LockStatus),
  errorCode: orNone(text('故障码', 'Error code', { max: 50 })),
  meterWh: orNone(wattHours('电表底度', 'Meter reading')),
  meterAt: orNone(instant('抄表时间', 'Read at')),
  powerW: orNone(whole('功率', 'Power', { unit: 'watt' })),
  soc: orNone(whole('SOC', 'State of charge', { unit: 'percent', min: 0, max: 100 })),
})
/** A gun as lists show it: its nameplate, what it said last and the order that holds it. */
export const Gun = entity(['充电枪', 'Connector'], {
  ...Connector.properties,
  status: ConnectorState.properties.status,
  statusRaw: ConnectorState.properties.statusRaw,
  statusAt: ConnectorState.properties.statusAt,
  parkStatus: ConnectorState.properties.parkStatus,
  lockStatus: ConnectorState.properties.lockStatus,
  errorCode: ConnectorState.properties.errorCode,
  powerW: ConnectorState.properties.powerW,
  soc: ConnectorState.properties.soc,
  orderNo: orNone(text('充电订单', 'Session', { max: 40 })),
})
export const gunSearch = searchOf(
  Gun,
  { equipmentId: 'equals', stationId: 'equals', connectorId: 'equals', status: 'among', parkCode: 'equals' },
  { sort: ['createdAt'], ascending: true },
)

/** A gun with what is printed at it. */
export const GunCode = entity({ ...Gun.properties, qrCode: orNone(text('二维码内容', 'QR code', { max: 40 })) })
const { id, version, connectorId, equipmentId, stationId: ofStation, parkCode: _, createdAt: __, updatedAt: ___, ...written } = Connector.properties
const view = { service: 'charging', needs: 'charging:pile:view' } as const
const tableList = call('charging.connector.table-list', {
  ...view,
  own: true,
  post: '/chargeDbQuery/getConnectorinfoTableList',
  body: paged(gunSearch),
  reply: pageOf(Gun),
})
export const connector = {
  tableList,
  export: exportOf('charging.connector.export', {
    ...view,
    own: true,
    post: '/chargeDbQuery/getConnectorinfoExport',
    title: ['充电枪', 'Connectors'],
    query: tableList,
    columns: [
      'stationId',
      'equipmentId',
      'connectorId',
      'connectorName',
      'connectorType',
      'power',
      'parkCode',
      'parkNo',
      'status',
      'statusAt',
      'parkStatus',
      'lockStatus',
      'errorCode',
      'powerW',
      'soc',
      'orderNo',
    ],
  }),
  list: call('charging.connector.list', {
    ...view,
    post: '/chargeDbQuery/getConnectorinfoList',
    body: message({}, { equipmentId, stationId: ofStation }),
    reply: listOf(Gun),
  }),
  /** Without an id a new one. No more power than its pile's, and none is changed while a car charges. */
  save: call('charging.connector.save', {
    service: 'charging',
    needs: 'charging:pile:edit',
    writes: true,
    post: '/chargeDbQuery/saveConnectorinfo',
    does: ['保存充电枪', 'Saved a connector'],
    body: message({}, { id, version, connectorId, equipmentId, ...written }),
    reply: Connector,
  }),
  /** Only while nothing hangs on it: no charge, no fault, no hazard. */
  del: call('charging.connector.del', {
    service: 'charging',
    needs: 'charging:pile:edit',
    writes: true,
    own: true,
    post: '/chargeDbQuery/delConnectorinfo',
    does: ['删除充电枪', 'Deleted a connector'],
    body: message({ id, version }),
    reply: nothing,
  }),
  /** Piles with their guns, by any of the three numbers. */
  ofPiles: call('charging.pile.query-charging-pile', {
    ...view,
    get: '/chargingPile/queryChargingPile',
    query: message({}, { stationId: ofStation, equipmentId, connectorId }),
    reply: listOf(entity({ ...Pile.properties, guns: shaped('充电枪', 'Connectors', listOf(GunCode)) })),
  }),
}

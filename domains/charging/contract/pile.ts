import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  message,
  nothing,
  pick,
  day,
  degrees,
  dictionary,
  entity,
  instant,
  moves,
  orNone,
  rowFields,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf, importOf } from '../../../platform/contract/sheet.ts'
import { Station } from './station.ts'
import { kilowatts, parkCode } from './units.ts'

export const EquipmentType = dictionary('charging_equipment_type', ['桩类型', 'Pile type'], {
  dc: [1, '直流设备', 'DC'],
  ac: [2, '交流设备', 'AC'],
  both: [3, '交直流一体设备', 'AC and DC'],
  wireless: [4, '无线设备', 'Wireless'],
  other: [5, '其他', 'Other'],
})
/** What people say of a pile; what its guns say stands apart. */
export const AdminStatus = dictionary('charging_admin_status', ['桩管理状态', 'Admin status of the pile'], {
  enabled: [1, '启用', 'Enabled', 'success'],
  disabled: [2, '停用', 'Disabled'],
  maintained: [3, '维护', 'Under maintenance', 'warning'],
  waiting: [4, '待投用', 'Not in use yet', 'warning'],
  scrapped: [9, '报废', 'Scrapped'],
})
/** Scrapping goes by an approval of maintenance alone. */
export const adminCan = moves(AdminStatus, {
  enable: { 2: 1, 3: 1, 4: 1 },
  disable: { 1: 2 },
  maintain: { 1: 3, 2: 3 },
})
/** What maintenance alone does: repairs move a pile with them, one not in use yet too, which waits again when it is mended; a scrap needs its approval. One in use is disabled first. */
export const adminMaintenance = moves(AdminStatus, {
  repair: { 1: 3, 2: 3, 4: 3 },
  mend: { 3: 1 },
  wait: { 3: 4 },
  scrap: { 2: 9, 3: 9, 4: 9 },
})
export const PileProtocol = dictionary('charging_pile_protocol', ['通信协议', 'Protocol'], {
  ocpp16: [1, 'OCPP 1.6J', 'OCPP 1.6J'],
  ocpp201: [2, 'OCPP 2.0.1', 'OCPP 2.0.1'],
  platform: [3, '平台接入', 'Through a platform'],
})
export const MeterKind = dictionary('charging_meter_kind', ['电量上报', 'Meter reporting'], {
  register: [1, '电表底度', 'Meter reading'],
  interval: [2, '时段增量', 'Energy since the last reading'],
})
export const TimeMode = dictionary('charging_time_mode', ['无时区时间', 'Times without a zone'], {
  utc: [1, 'UTC', 'UTC'],
  city: [2, '本地时间', 'City time'],
})

/** A pile: the nameplate that partners read, and the device behind it. */
export const Equipment = entity(['充电桩', 'Charging pile'], {
  ...rowFields<'EquipmentId'>(),
  equipmentId: text('充电桩 ID', 'Pile id', { max: 23, pattern: '^[0-9A-Za-z_-]+$' }),
  equipmentName: text('充电桩名称', 'Name', { max: 30 }),
  stationId: Station.properties.stationId,
  parkCode,
  equipmentType: among('桩类型', 'Type', EquipmentType),
  power: kilowatts('额定功率', 'Rated power'),
  manufacturerId: orNone(text('生产商代码', 'Maker code', { max: 9 })),
  manufacturerName: orNone(text('生产商', 'Maker', { max: 30 })),
  equipmentModel: orNone(text('型号', 'Model', { max: 20 })),
  productionDate: orNone(day('生产日期', 'Made on')),
  /** WGS-84; the station's place where it is not known. */
  lng: orNone(degrees('经度', 'Longitude')),
  lat: orNone(degrees('纬度', 'Latitude', 90)),
  adminStatus: among('管理状态', 'Status', AdminStatus),
  /** What the pile calls itself when it connects; none where it has no link yet. */
  chargePointId: orNone(text('通信编号', 'Charge point id', { max: 48, pattern: '^[0-9A-Za-z_.:-]+$' })),
  protocol: orNone(among('通信协议', 'Protocol', PileProtocol)),
  /** 3: no secret but the pile's own client certificate, which the TLS edge has checked. */
  securityProfile: whole('安全级别', 'Security profile', { min: 0, max: 3 }),
  meterKind: among('电量上报', 'Meter reports', MeterKind),
  timeMode: among('无时区时间', 'Times without a zone', TimeMode),
  loadPriority: whole('功率优先级（9 最先）', 'Load priority (9 first)', { min: 0, max: 9 }),
  remark: orNone(text('备注', 'Remark', { max: 200 })),
})
/** What its link last said of the pile; kept apart, since it changes with every sign of life. */
export const PileState = entity(['充电桩在线状态', 'Live pile status'], {
  equipmentId: Equipment.properties.equipmentId,
  parkCode,
  online: yes('在线', 'Online'),
  lastSeenAt: orNone(instant('最近通信', 'Last message')),
  connectedAt: orNone(instant('连接时间', 'Connected at')),
  bootAt: orNone(instant('启动时间', 'Started at')),
  vendor: orNone(text('厂商', 'Vendor', { max: 50 })),
  model: orNone(text('上报型号', 'Reported model', { max: 50 })),
  serialNo: orNone(text('序列号', 'Serial number', { max: 50 })),
  firmware: orNone(text('固件版本', 'Firmware', { max: 50 })),
  /** How far its clock is ahead of ours. */
  skewSec: orNone(whole('时钟偏差', 'Clock offset', { unit: 'second' })),
  /** Open faults of it and its guns, and the worst of their levels: from 3 on nothing starts. */
  faultCount: whole('未恢复故障', 'Open faults', { min: 0 }),
})
/** A pile as lists show it. */
export const Pile = entity(['充电桩', 'Charging pile'], {
  ...Equipment.properties,
  stationName: Station.properties.stationName,
  online: PileState.properties.online,
  lastSeenAt: PileState.properties.lastSeenAt,
  firmware: PileState.properties.firmware,
  skewSec: PileState.properties.skewSec,
  faultCount: PileState.properties.faultCount,
  connectors: whole('充电枪数', 'Connectors', { min: 0 }),
})
export const pileSearch = searchOf(
  Pile,
  {
    equipmentId: 'startsWith',
    equipmentName: 'contains',
    stationId: 'equals',
    adminStatus: 'among',
    online: 'equals',
    protocol: 'among',
    equipmentType: 'among',
    parkCode: 'equals',
  },
  { sort: ['createdAt'], ascending: true },
)

const e = Equipment.properties
const nameplate = {
  equipmentName: e.equipmentName,
  equipmentType: e.equipmentType,
  power: e.power,
  manufacturerId: e.manufacturerId,
  manufacturerName: e.manufacturerName,
  equipmentModel: e.equipmentModel,
  productionDate: e.productionDate,
  lng: e.lng,
  lat: e.lat,
  remark: e.remark,
} as const
const device = {
  chargePointId: e.chargePointId,
  protocol: e.protocol,
  securityProfile: e.securityProfile,
  meterKind: e.meterKind,
  timeMode: e.timeMode,
  loadPriority: e.loadPriority,
} as const
const keys = { id: e.id, version: e.version, equipmentId: e.equipmentId, stationId: e.stationId } as const
const view = { service: 'charging', needs: 'charging:pile:view' } as const
const edit = { service: 'charging', needs: 'charging:pile:edit', writes: true } as const
export const equipmentSearch = searchOf(
  Equipment,
  { stationId: 'equals', equipmentId: 'startsWith', equipmentType: 'among', adminStatus: 'among', parkCode: 'equals' },
  { sort: ['createdAt'], ascending: true },
)
export const equipment = {
  tableList: call('charging.equipment.table-list', {
    ...view,
    post: '/chargeDbQuery/getEquipmentinfoTableList',
    body: paged(equipmentSearch),
    reply: pageOf(Equipment),
  }),
  /** The nameplate; a new pile is not in use yet and has no link. */
  save: call('charging.equipment.save', {
    ...edit,
    post: '/chargeDbQuery/saveEquipmentinfo',
    does: ['保存充电设备', 'Saved charging equipment'],
    body: message({}, { ...keys, ...nameplate }),
    reply: Equipment,
  }),
}
/** A pile as a sheet tells it; no line of it says more than the form does. */
export const PileRow = message(
  { equipmentId: e.equipmentId, equipmentName: e.equipmentName, stationId: e.stationId, equipmentType: e.equipmentType, power: e.power },
  {
    ...{ chargePointId: e.chargePointId, protocol: e.protocol, meterKind: e.meterKind, timeMode: e.timeMode, loadPriority: e.loadPriority },
    ...{ manufacturerName: e.manufacturerName, equipmentModel: e.equipmentModel, lng: e.lng, lat: e.lat, remark: e.remark },
  },
)
const query = call('charging.pile.query', { ...view, post: '/chargingPile/query', body: paged(pileSearch), reply: pageOf(Pile) })
export const pile = {
  query,
  export: exportOf('charging.pile.export', {
    ...view,
    post: '/chargingPile/exportChargingPile',
    title: ['充电桩', 'Charging piles'],
    query,
    columns: [
      'equipmentId',
      'equipmentName',
      'stationId',
      'stationName',
      'equipmentType',
      'power',
      'adminStatus',
      'online',
      'protocol',
      'chargePointId',
      'lastSeenAt',
      'firmware',
      'faultCount',
      'connectors',
      'manufacturerName',
      'equipmentModel',
      'meterKind',
      'timeMode',
      'loadPriority',
      'lng',
      'lat',
      'remark',
    ],
  }),
  import: importOf('charging.pile.import', {
    service: 'charging',
    post: '/chargingPile/import',
    needs: 'charging:pile:edit',
    title: ['充电桩', 'Charging piles'],
    row: PileRow,
    unique: 'equipmentId',
    own: true,
    note: [
      '新桩为「待投用」：导入后新增充电枪、生成密钥、再启用。已有的桩按编号更新，不换充电站。',
      'New piles are imported as not in use: add their connectors, generate their secrets, then enable them. Existing piles are updated by pile id and stay at their station.',
    ],
  }),
  /** The device; without an id a new one, with its nameplate. */
  saveInfo: call('charging.pile.save-info', {
    ...edit,
    post: '/chargingPile/saveInfo',
    does: ['保存充电桩', 'Saved a pile'],
    body: message({}, { ...keys, ...nameplate, ...device }),
    reply: Equipment,
  }),
  del: call('charging.pile.del', {
    ...edit,
    post: '/chargingPile/del',
    does: ['删除充电桩', 'Deleted a pile'],
    body: pick(Equipment, 'id', 'version'),
    reply: nothing,
  }),
  updateStatus: call('charging.pile.update-status', {
    ...edit,
    get: '/chargingPile/updatePileStatus',
    does: ['切换充电桩状态', 'Changed the status of a pile'],
    query: message({ id: e.id, status: e.adminStatus, reason: text('原因', 'Reason', { max: 200 }) }),
    reply: Equipment,
  }),
}

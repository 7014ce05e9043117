import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  anything,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  pick,
  pickSome,
  ref,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'

/** The type of a device. A lane camera that also moves its barrier is a barrier (1): it takes commands. */
export const DeviceType = dictionary('device_type', ['设备类型', 'Device type'], {
  barrier: [1, '道闸', 'Barrier'],
  camera: [2, '相机', 'Camera'],
  led: [3, 'LED', 'LED sign'],
  berthSensor: [4, '地磁', 'Berth sensor'],
  highPole: [5, '高位视频', 'High-pole camera'],
  pile: [6, '充电桩', 'Charging pile'],
  lampController: [7, '集控器', 'Lamp controller'],
  handheld: [8, 'PDA', 'Handheld'],
  etc: [9, 'ETC 天线', 'ETC antenna'],
  server: [10, '服务器', 'Server'],
  gps: [11, 'GPS', 'GPS tracker'],
  dome: [12, '球机', 'Dome camera'],
  videoPost: [13, '视频桩', 'Video pile'],
  patrolCar: [14, '巡检车', 'Patrol car'],
})
export const DeviceUse = dictionary('device_use_status', ['使用状态', 'Use status'], {
  waiting: [0, '待投用', 'To be put in use'],
  inUse: [1, '正常', 'In use', 'success'],
  faulty: [2, '故障', 'Faulty', 'error'],
  scrapped: [3, '报废', 'Scrapped', 'error'],
  inStock: [4, '库存', 'In stock'],
  inRepair: [5, '维修中', 'In repair', 'warning'],
})
/** Scrapped is final, and not for everyday hands: nobody scraps a device by changing its record. */
export const deviceCan = moves(DeviceUse, {
  use: { [DeviceUse.waiting]: DeviceUse.inUse, [DeviceUse.inStock]: DeviceUse.inUse },
  mend: { [DeviceUse.faulty]: DeviceUse.inUse, [DeviceUse.inRepair]: DeviceUse.inUse },
  fail: { [DeviceUse.inUse]: DeviceUse.faulty },
  repair: { [DeviceUse.inUse]: DeviceUse.inRepair, [DeviceUse.faulty]: DeviceUse.inRepair },
  store: {
    [DeviceUse.waiting]: DeviceUse.inStock,
    [DeviceUse.inUse]: DeviceUse.inStock,
    [DeviceUse.faulty]: DeviceUse.inStock,
    [DeviceUse.inRepair]: DeviceUse.inStock,
  },
  scrap: {
    [DeviceUse.waiting]: DeviceUse.scrapped,
    [DeviceUse.faulty]: DeviceUse.scrapped,
    [DeviceUse.inStock]: DeviceUse.scrapped,
    [DeviceUse.inRepair]: DeviceUse.scrapped,
  },
})
/**
 * Moves that only repairs make: a device that is not scrapped is in repair while somebody works on it, wherever it was; then it is in use again, or waits or is in the store as
 * before.
 */
export const deviceMaintenance = moves(DeviceUse, {
  repair: {
    [DeviceUse.waiting]: DeviceUse.inRepair,
    [DeviceUse.inUse]: DeviceUse.inRepair,
    [DeviceUse.faulty]: DeviceUse.inRepair,
    [DeviceUse.inStock]: DeviceUse.inRepair,
  },
  mend: { [DeviceUse.faulty]: DeviceUse.inUse, [DeviceUse.inRepair]: DeviceUse.inUse },
  wait: { [DeviceUse.inRepair]: DeviceUse.waiting },
  shelve: { [DeviceUse.inRepair]: DeviceUse.inStock },
})
export const OfflineReason = dictionary('device_offline_reason', ['离线原因', 'Offline reason'], {
  disconnected: [1, '连接断开', 'Disconnected'],
  silent: [2, '心跳超时', 'Heartbeat timeout'],
  will: [3, '遗嘱报告', 'Last will'],
})
export const WarningType = dictionary('device_warning_type', ['预警类型', 'Warning type'], {
  offline: [1, '设备离线', 'Offline'],
  clockOff: [2, '时钟偏差', 'Clock drift'],
  paidButShut: [3, '付款后未放行', 'Paid, but not let out'],
  badMessages: [4, '非法报文', 'Invalid messages'],
  help: [5, '求助按钮', 'Help button'],
  blocked: [6, '道闸受阻', 'Barrier blocked'],
  unhandled: [7, '处理失败', 'Processing failed'],
})
export const WarningLevel = dictionary('device_warning_level', ['预警级别', 'Warning level'], {
  notice: [1, '提示', 'Notice', 'default'],
  minor: [2, '一般', 'Minor', 'warning'],
  major: [3, '重要', 'Major', 'warning'],
  critical: [4, '紧急', 'Critical', 'error'],
})
export const WarningState = dictionary('device_warning_state', ['预警状态', 'Warning status'], {
  open: [0, '未处理', 'Open', 'error'],
  acknowledged: [1, '已确认', 'Acknowledged', 'warning'],
  recovered: [2, '已恢复', 'Recovered', 'success'],
  closed: [3, '已关闭', 'Closed'],
})
/** Recovered and closed are over; a new cause is a new warning. */
export const warningCan = moves(WarningState, {
  acknowledge: { [WarningState.open]: WarningState.acknowledged },
  close: { [WarningState.open]: WarningState.closed, [WarningState.acknowledged]: WarningState.closed },
  recover: { [WarningState.open]: WarningState.recovered, [WarningState.acknowledged]: WarningState.recovered },
})

/** One device of a park, a street or a vehicle. `deviceNo` is the serial number it signs in with. */
export const Device = entity(['设备', 'Device'], {
  id: id<'DeviceId'>(),
  deviceNo: text('设备编号', 'Device number', { max: 32, pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]*$' }),
  name: text('名称', 'Name'),
  type: among('设备类型', 'Device type', DeviceType),
  productId: orNone(ref<'ProductId'>('产品', 'Product')),
  parkCode: orNone(text('车场编号', 'Car park code', { max: 16 })),
  gateCode: orNone(text('通道编号', 'Lane code', { max: 24 })),
  useStatus: among('使用状态', 'Use status', DeviceUse),
  intervalSec: whole('心跳间隔', 'Heartbeat interval', { unit: 'second', min: 5, max: 90_000 }),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
})
/** The device as the lists show it: with what is known of it right now. */
export const DeviceStatus = entity({
  ...Device.properties,
  online: yes('在线', 'Online'),
  since: orNone(instant('状态开始时间', 'Since')),
  lastSeenAt: orNone(instant('最近在线', 'Last seen')),
  ip: orNone(text('IP 地址', 'IP address', { max: 64 })),
  firmware: orNone(text('固件', 'Firmware', { max: 64 })),
  state: shaped('设备状态', 'Reported status', anything),
} as typeof Device.properties & Record<'online' | 'since' | 'lastSeenAt' | 'ip' | 'firmware' | 'state', any>)

/** Told to open pages when a device comes, goes or reports. */
export const DEVICE_TOPIC = 'device.status'
export const deviceSearch = searchOf(
  Device,
  { deviceNo: 'startsWith', type: 'among', parkCode: 'equals', gateCode: 'equals', useStatus: 'among' },
  { sort: ['deviceNo', 'name', 'createdAt'], ascending: true },
)
const statusSearch = searchOf(
  entity({ ...Device.properties, online: yes('在线', 'Online') }),
  { deviceNo: 'startsWith', type: 'among', parkCode: 'equals', useStatus: 'among', online: 'equals' },
  { sort: ['deviceNo', 'name'], ascending: true },
)
export { statusSearch }

/** Shown once, when it is made; afterwards only its hash exists. */
export const deviceSecret = text('设备密钥', 'Device secret', { max: 64 })
/** To what use a person may put devices by hand. */
export const UseChange = entity({
  to: {
    ...among('使用状态', 'Use status', DeviceUse),
    enum: [DeviceUse.inUse, DeviceUse.faulty, DeviceUse.inStock],
  } as typeof Device.properties.useStatus,
  reason: text('原因', 'Reason', { max: 200 }),
})
const written = ['name', 'type'] as const
const mayHave = ['productId', 'parkCode', 'gateCode', 'useStatus', 'intervalSec', 'remark'] as const

const view = { service: 'device', needs: 'device:device:view' } as const
const edit = { service: 'device', needs: 'device:device:edit', writes: true } as const
export const device = {
  find: call('device.iot-device.find-iot-device', {
    ...view,
    get: '/iotDevice/findIotDevice',
    query: paged(deviceSearch),
    reply: pageOf(DeviceStatus),
  }),
  findOne: call('device.iot-device.find-device', {
    ...view,
    get: '/iotDevice/findDevice',
    query: pick(Device, 'id'),
    reply: DeviceStatus,
  }),
  insert: call('device.iot-device.insert', {
    ...edit,
    post: '/iotDevice/insertIotDevice',
    does: ['新增设备', 'Added a device'],
    body: pickSome(Device, ['deviceNo', ...written], mayHave),
    reply: message({ id: id<'DeviceId'>(), deviceNo: Device.properties.deviceNo, secret: deviceSecret }),
  }),
  /** With `renewSecret` the device gets a new secret, shown once in the answer; the old one stops working at once. */
  update: call('device.iot-device.update', {
    ...edit,
    post: '/iotDevice/updateIotDevice',
    does: ['修改设备', 'Changed a device'],
    body: message(
      { id: Device.properties.id, version: Device.properties.version },
      {
        name: Device.properties.name,
        type: Device.properties.type,
        productId: Device.properties.productId,
        parkCode: Device.properties.parkCode,
        gateCode: Device.properties.gateCode,
        useStatus: Device.properties.useStatus,
        intervalSec: Device.properties.intervalSec,
        remark: Device.properties.remark,
        renewSecret: yes('更换密钥', 'Renew secret'),
      },
    ),
    reply: message({ version: whole('版本', 'Version'), secret: orNone(deviceSecret) }),
  }),
  deleteList: call('device.iot-device.delete-list', {
    ...edit,
    post: '/iotDevice/deleteList',
    does: ['批量删除设备', 'Deleted devices'],
    body: message({ ids: listOf(Device.properties.id, { max: 200 }) }),
    reply: nothing,
  }),
  status: call('device.park-device.find-deivce-status', {
    ...view,
    post: '/parkDevice/findDeivceStatus',
    body: paged(statusSearch),
    reply: pageOf(DeviceStatus),
  }),
  /** Puts devices to another use, all of them or none; scrapping has its own way. */
  changeUse: call('device.iot-device.change-use', {
    ...edit,
    own: true,
    does: ['变更设备使用状态', 'Changed the use status of devices'],
    post: '/iotDevice/changeUse',
    body: message({ ids: listOf(Device.properties.id, { max: 200 }), ...UseChange.properties }),
    reply: nothing,
  }),
  /** Where devices connect to. Without `host` it is the console's own; an owner's broker has one. */
  line: call('device.iot-device.line', {
    ...view,
    own: true,
    get: '/iotDevice/line',
    query: message({}),
    reply: message({ host: orNone(text('服务器地址', 'Server address', { max: 255 })), port: whole('端口', 'Port', { min: 0, max: 65_535 }) }),
  }),
  /** Gives devices new secrets and answers with them, shown once: the old ones stop working at once. For devices that came by a sheet. */
  secrets: call('device.iot-device.secrets', {
    service: 'device',
    own: true,
    writes: true,
    heavy: true,
    does: ['下发设备密钥', 'Issued new device secrets'],
    needs: 'device:device:secret',
    post: '/iotDevice/secrets',
    body: message({ ids: listOf(Device.properties.id, { max: 500 }) }),
    reply: listOf(message({ deviceNo: Device.properties.deviceNo, name: Device.properties.name, secret: deviceSecret })),
  }),
  parks: call('device.park-device.find-park-info', {
    ...view,
    get: '/parkDevice/findParkInfo',
    query: message({}),
    reply: listOf(
      message({ parkCode: text('车场编号', 'Car park code', { max: 16 }), devices: whole('设备数', 'Devices'), online: whole('在线数', 'Online') }),
    ),
  }),
}

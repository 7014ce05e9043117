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
  yes, // prettier-ignore
} from '../../../platform/contract/field.ts'

/** What a device is. A lane camera that also moves its barrier is a barrier (1): it takes commands. */
export const DeviceType = dictionary('device_type', ['设备类型', 'Device type'], {
  1: ['道闸', 'Barrier'],
  2: ['相机', 'Camera'],
  3: ['LED', 'LED sign'],
  4: ['地磁', 'Berth sensor'],
  5: ['高位视频', 'High-pole camera'],
  6: ['充电桩', 'Charging pile'],
  7: ['集控器', 'Lamp controller'],
  8: ['PDA', 'Handheld'],
  9: ['ETC天线', 'ETC antenna'],
  10: ['服务器', 'Server'],
  11: ['GPS', 'GPS tracker'],
})
export const DeviceUse = dictionary('device_use_status', ['使用状态', 'Use status'], {
  0: ['待投用', 'To be put in use'],
  1: ['正常', 'In use', 'success'],
  2: ['故障', 'Faulty', 'error'],
  3: ['报废', 'Scrapped', 'error'],
  4: ['库存', 'In stock'],
  5: ['维修中', 'In repair', 'warning'],
})
/** Scrapped is final. */
export const deviceCan = moves(DeviceUse, {
  use: { 0: 1, 2: 1, 4: 1, 5: 1 },
  fail: { 1: 2 },
  repair: { 1: 5, 2: 5 },
  store: { 0: 4, 1: 4, 2: 4, 5: 4 },
  scrap: { 0: 3, 2: 3, 4: 3, 5: 3 },
})
export const OfflineReason = dictionary('device_offline_reason', ['离线原因', 'Offline because'], {
  1: ['连接断开', 'Disconnected'],
  2: ['心跳超时', 'Silent too long'],
  3: ['遗嘱报告', 'Its last will'],
})
export const WarningType = dictionary('device_warning_type', ['预警类型', 'Warning type'], {
  1: ['设备离线', 'Offline'],
  2: ['时钟偏差', 'Clock is off'],
  3: ['付款后未放行', 'Paid, but the barrier did not answer'],
  4: ['非法报文', 'Bad messages'],
  5: ['求助按钮', 'Help button'],
  6: ['道闸受阻', 'Barrier blocked'],
  7: ['处理失败', 'Could not be handled'],
})
export const WarningState = dictionary('device_warning_state', ['预警状态', 'Warning state'], {
  0: ['未处理', 'Open', 'error'],
  1: ['已确认', 'Acknowledged', 'warning'],
  2: ['已恢复', 'Recovered', 'success'],
  3: ['已关闭', 'Closed'],
})

/** One device of a park, a street or a vehicle. `deviceNo` is the serial number it signs in with. */
export const Device = entity({
  id: id<'DeviceId'>(),
  deviceNo: text('设备编号', 'Device number', { max: 32, pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]*$' }),
  name: text('名称', 'Name'),
  type: among('设备类型', 'Device type', DeviceType),
  productId: orNone(ref<'ProductId'>('产品', 'Product')),
  parkCode: orNone(text('车场编号', 'Park code', { max: 16 })),
  gateCode: orNone(text('通道编号', 'Gate code', { max: 24 })),
  useStatus: among('使用状态', 'Use status', DeviceUse),
  intervalSec: whole('心跳间隔', 'Heartbeat every', { unit: 'second', min: 5, max: 90_000 }),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
})
/** The device as the lists show it: with what is known of it right now. */
export const DeviceStatus = entity({
  ...Device.properties,
  online: yes('在线', 'Online'),
  since: orNone(instant('状态自', 'Since')),
  lastSeenAt: orNone(instant('最近在线', 'Last seen')),
  ip: orNone(text('IP 地址', 'IP address', { max: 64 })),
  firmware: orNone(text('固件', 'Firmware', { max: 64 })),
  state: shaped('设备状态', 'Reported state', anything as never),
} as typeof Device.properties & Record<'online' | 'since' | 'lastSeenAt' | 'ip' | 'firmware' | 'state', any>)

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
const secret = text('设备密钥', 'Device secret', { max: 64 })
const written = ['name', 'type'] as const
const mayHave = ['productId', 'parkCode', 'gateCode', 'useStatus', 'intervalSec', 'remark'] as const

export const device = {
  find: call('device.iot-device.find-iot-device', {
    service: 'device',
    get: '/iotDevice/findIotDevice',
    needs: 'device:device:view',
    query: paged(deviceSearch),
    reply: pageOf(DeviceStatus), // prettier-ignore
  }),
  findOne: call('device.iot-device.find-device', {
    service: 'device',
    get: '/iotDevice/findDevice',
    needs: 'device:device:view',
    query: pick(Device, 'id'),
    reply: DeviceStatus, // prettier-ignore
  }),
  insert: call('device.iot-device.insert', {
    service: 'device',
    post: '/iotDevice/insertIotDevice',
    writes: true,
    needs: 'device:device:edit',
    body: pickSome(Device, ['deviceNo', ...written], mayHave),
    reply: message({ id: id<'DeviceId'>(), secret }), // prettier-ignore
  }),
  /** With `renewSecret` the device gets a new secret, shown once in the answer; the old one stops working at once. */
  update: call('device.iot-device.update', {
    service: 'device',
    post: '/iotDevice/updateIotDevice',
    writes: true,
    needs: 'device:device:edit',
    body: message(
      { id: Device.properties.id, version: Device.properties.version },
      { name: Device.properties.name, type: Device.properties.type, productId: Device.properties.productId, parkCode: Device.properties.parkCode, gateCode: Device.properties.gateCode, useStatus: Device.properties.useStatus, intervalSec: Device.properties.intervalSec, remark: Device.properties.remark, renewSecret: yes('更换密钥', 'Renew the secret') }, // prettier-ignore
    ),
    reply: message({ version: whole('版本', 'Version'), secret: orNone(secret) }), // prettier-ignore
  }),
  deleteList: call('device.iot-device.delete-list', {
    service: 'device',
    post: '/iotDevice/deleteList',
    writes: true,
    needs: 'device:device:edit',
    body: message({ ids: listOf(Device.properties.id, { max: 200 }) }),
    reply: nothing, // prettier-ignore
  }),
  status: call('device.park-device.find-deivce-status', {
    service: 'device',
    post: '/parkDevice/findDeivceStatus',
    needs: 'device:device:view',
    body: paged(statusSearch),
    reply: pageOf(DeviceStatus), // prettier-ignore
  }),
  parks: call('device.park-device.find-park-info', {
    service: 'device',
    get: '/parkDevice/findParkInfo',
    needs: 'device:device:view',
    query: message({}),
    reply: listOf(message({ parkCode: text('车场编号', 'Park code', { max: 16 }), devices: whole('设备数', 'Devices'), online: whole('在线数', 'Online') })), // prettier-ignore
  }),
}

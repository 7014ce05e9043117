import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, instant, message, orNone, pickSome, rowFields, text } from '../../../platform/contract/field.ts'
import { exportOf, importOf, parkName, templateOf } from '../../../platform/contract/sheet.ts'
import { Device, deviceSecret } from './device.ts'

/** Off and on line are what is heard of it; only out of service is set by hand. */
export const EtcStatus = dictionary('etc_device_status', ['ETC 设备状态', 'ETC antenna status'], {
  offline: [0, '离线', 'Offline', 'error'],
  online: [1, '在线', 'Online', 'success'],
  disabled: [2, '停用', 'Out of service'],
})

/** An ETC antenna of a lane: a device of type 9 with its lane's number at the issuer and its security module (PSAM). */
export const Etc = entity(['ETC 设备', 'ETC antenna'], {
  ...rowFields<'DeviceId'>(),
  deviceNo: Device.properties.deviceNo,
  name: Device.properties.name,
  laneNo: text('车道号', 'Lane number', { max: 24, pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]*$' }),
  parkCode: Device.properties.parkCode,
  gateCode: Device.properties.gateCode,
  vendor: orNone(text('厂商', 'Vendor')),
  psamNo: text('PSAM 号', 'PSAM number', { min: 12, max: 12, pattern: '^[0-9A-F]{12}$' }),
  status: among('状态', 'Status', EtcStatus),
  reason: orNone(text('停用原因', 'Out-of-service reason', { max: 200 })),
  lastSeenAt: orNone(instant('最近在线', 'Last seen')),
  intervalSec: Device.properties.intervalSec,
  remark: Device.properties.remark,
})
export const etcSearch = searchOf(
  Etc,
  { deviceNo: 'startsWith', laneNo: 'startsWith', parkCode: 'equals', status: 'among', vendor: 'equals' },
  { sort: ['deviceNo', 'createdAt'], ascending: true },
)
const parkCode = text('车场编号', 'Car park code', { max: 16 })
const written = ['gateCode', 'vendor', 'intervalSec', 'remark'] as const
const view = { service: 'device', needs: 'device:etc:view' } as const
const edit = { service: 'device', needs: 'device:etc:edit', writes: true } as const

const query = call('device.etc.page-query', { ...view, post: '/etcDevice/etcPageQuery', body: paged(etcSearch), reply: pageOf(Etc) })
export const etc = {
  query,
  /** Answers with the secret that the antenna signs in with: shown once. */
  add: call('device.etc.add', {
    ...edit,
    does: ['新增 ETC 设备', 'Added an ETC antenna'],
    post: '/etcDevice/etcAdd',
    body: pickSome(entity({ ...Etc.properties, parkCode }), ['deviceNo', 'name', 'laneNo', 'parkCode', 'psamNo'], written),
    reply: message({ id: Etc.properties.id, deviceNo: Etc.properties.deviceNo, secret: deviceSecret }),
  }),
  update: call('device.etc.update', {
    ...edit,
    does: ['修改 ETC 设备', 'Changed an ETC antenna'],
    post: '/etcDevice/etcUpdate',
    body: pickSome(entity({ ...Etc.properties, parkCode }), ['id', 'version'], ['name', 'laneNo', 'parkCode', 'psamNo', ...written]),
    reply: Etc,
  }),
  updateStatus: call('device.etc.update-status', {
    ...edit,
    does: ['启用或停用 ETC 设备', 'Put an ETC antenna in or out of service'],
    post: '/etcDevice/etcUpdateStatus',
    body: message({
      id: Etc.properties.id,
      version: Etc.properties.version,
      status: Etc.properties.status,
      reason: text('原因', 'Reason', { max: 200 }),
    }),
    reply: Etc,
  }),
  import: importOf('device.etc.import', {
    service: 'device',
    post: '/etcDevice/etcImport',
    needs: edit.needs,
    title: ['ETC 设备', 'ETC devices'],
    row: message(
      { deviceNo: Etc.properties.deviceNo, laneNo: Etc.properties.laneNo, parkCode, psamNo: Etc.properties.psamNo },
      { gateCode: text('通道编号', 'Lane code', { max: 24 }), vendor: text('厂商', 'Vendor') },
    ),
    unique: 'deviceNo',
  }),
  export: exportOf('device.etc.export', {
    service: 'device',
    get: '/etcDevice/etcExport',
    needs: view.needs,
    title: ['ETC 设备', 'ETC devices'],
    query,
    columns: ['deviceNo', 'laneNo', 'parkCode', parkName, 'gateCode', 'vendor', 'psamNo', 'status', 'lastSeenAt', 'remark'],
  }),
  template: templateOf('device.etc.export-template', { service: 'device', get: '/etcDevice/etcExportTemplate', needs: edit.needs }),
}

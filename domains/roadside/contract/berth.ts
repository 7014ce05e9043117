import { call, paged, pageOf, posted, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  degrees,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  pickSome,
  plate,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { exportOf, importOf } from '../../../platform/contract/sheet.ts'
import { Park, UseStatus } from '../../parking/contract/park.ts'
import { Section } from './section.ts'

export const BerthType = dictionary('berth_type', ['泊位类型', 'Berth type'], {
  ordinary: [1, '普通', 'Ordinary'],
  disabled: [2, '残疾人', 'Accessible'],
  charging: [3, '充电', 'Charging'],
  limited: [4, '限时', 'Limited time'],
  loading: [5, '装卸', 'Loading'],
})
export const ChargeType = dictionary('berth_charge_type', ['收费类型', 'Fee type'], { free: [0, '免费', 'Free'], charged: [1, '收费', 'With a fee'] })
/** The device that watches a berth, and by which a stay was seen. */
export const Detector = dictionary('berth_detector', ['检测方式', 'Detector'], {
  none: [0, '无', 'None'],
  sensor: [1, '地磁', 'Berth sensor'],
  highPole: [2, '高位视频', 'High-pole camera'],
  videoPile: [3, '低位视频桩', 'Video pile'],
  patrol: [4, '巡检车', 'Patrol car'],
  handheld: [5, 'PDA', 'Handheld'],
})
export const BindState = dictionary('berth_bind_state', ['绑定状态', 'Binding'], {
  unbound: [0, '未绑', 'Unbound'],
  bound: [1, '已绑', 'Bound', 'success'],
})
export const Occupy = dictionary('berth_occupy', ['泊位状态', 'Berth status'], {
  free: [0, '空闲', 'Free', 'success'],
  occupied: [1, '占用', 'Occupied'],
  abnormal: [2, '异常', 'Abnormal', 'error'],
  disabled: [3, '停用', 'Disabled', 'warning'],
})
export const BindAction = dictionary('berth_bind_action', ['绑定操作', 'Binding action'], {
  bound: [1, '绑定', 'Bound', 'success'],
  unbound: [2, '解绑', 'Unbound'],
  replaced: [3, '更换', 'Replaced'],
  scrapped: [4, '报废', 'Scrapped'],
})
export { statusCan as berthCan } from '../../parking/contract/park.ts'

export type BerthId = 'BerthId'
/** One place for one car: at the street in a section, or in a park in an area. Its painted code never changes and is never given again. */
export const Berth = entity(['泊位', 'Berth'], {
  ...rowFields<BerthId>(),
  parkCode: Park.properties.parkCode,
  sectionCode: orNone(Section.properties.sectionCode),
  areaCode: orNone(text('区域编号', 'Area code', { max: 24 })),
  seatCode: text('泊位编号', 'Berth code', { max: 24, pattern: '^[A-Za-z0-9][A-Za-z0-9_-]*$' }),
  berthNo: text('泊位号', 'Berth number', { max: 24 }),
  type: among('类型', 'Type', BerthType),
  chargeType: among('收费类型', 'Fee type', ChargeType),
  lng: orNone(degrees('经度', 'Longitude')),
  lat: orNone(degrees('纬度', 'Latitude', 90)),
  status: among('启用状态', 'In use', UseStatus),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
/** A berth with what stands on it now. */
export const BerthNow = entity({
  ...Berth.properties,
  parkName: text('片区', 'District'),
  sectionName: orNone(text('路段', 'Section')),
  detector: among('检测方式', 'Detector', Detector),
  bindState: among('绑定状态', 'Binding', BindState),
  occupy: among('泊位状态', 'Berth status', Occupy),
  stayId: orNone(id<'StayId'>('停车记录', 'Stay')),
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  arrivedAt: orNone(instant('驶入时间', 'Arrived at')),
  pType: Park.properties.pType,
})
export const berthSearch = searchOf(
  BerthNow,
  {
    parkCode: 'equals',
    pType: 'among',
    sectionCode: 'equals',
    areaCode: 'equals',
    seatCode: 'equals',
    berthNo: 'equals',
    type: 'among',
    chargeType: 'among',
    status: 'among',
    occupy: 'among',
    bindState: 'among',
  },
  { sort: ['seatCode', 'createdAt'], ascending: true },
)
const seat = { parkCode: Berth.properties.parkCode, seatCode: Berth.properties.seatCode }

export type BindingId = 'BindingId'
export const Binding = entity(['设备绑定', 'Binding'], {
  id: id<BindingId>(),
  ...seat,
  deviceNo: text('设备编号', 'Device', { max: 32 }),
  kind: among('检测方式', 'Detector', Detector),
  fromAt: instant('绑定时间', 'Bound at'),
  toAt: orNone(instant('结束时间', 'Ended at')),
  action: among('操作', 'Action', BindAction),
  operName: text('绑定人', 'Bound by'),
  offOperName: orNone(text('解绑人', 'Unbound by')),
  reason: orNone(text('原因', 'Reason', { max: 200 })),
})
export const bindingSearch = searchOf(
  Binding,
  { parkCode: 'equals', seatCode: 'equals', deviceNo: 'startsWith', kind: 'among', action: 'among', fromAt: 'between' },
  { sort: ['fromAt'] },
)
export const BindResult = dictionary('berth_bind_result', ['绑定结果', 'Binding result'], {
  bound: [1, '已绑', 'Already bound', 'success'],
  free: [2, '可绑', 'Can be bound'],
  noBerth: [3, '无泊位', 'No such berth', 'warning'],
  conflict: [4, '冲突', 'Conflict', 'error'],
})
const Bindings = entity({ bindings: shaped('绑定', 'Bindings', listOf(pick(Binding, 'deviceNo', 'kind', 'fromAt'))) })
const BindPlan = entity({
  seatCode: orNone(Berth.properties.seatCode),
  deviceNo: Binding.properties.deviceNo,
  result: among('结果', 'Binding result', BindResult),
})
const BindAsked = message(seat, {
  deviceNo: Binding.properties.deviceNo,
  unbind: yes('解绑', 'Unbind'),
  replace: yes('更换', 'Replace'),
  reason: text('原因', 'Reason', { max: 200 }),
})
const BindParkAsked = message({ parkCode: Berth.properties.parkCode }, { dryRun: yes('只看', 'Preview only') })
const QrContent = entity({
  ...seat,
  qrUrl: text('二维码内容', 'QR code content', { max: 200 }),
  versionNo: whole('版本', 'Version'),
  status: among('状态', 'Status', UseStatus),
})

/** A berth with the devices that watch it and what its printed code says. */
export const BerthDetail = entity({
  ...BerthNow.properties,
  bindings: Bindings.properties.bindings,
  qrUrl: QrContent.properties.qrUrl,
  versionNo: QrContent.properties.versionNo,
})

const PLACE = { lng: degrees('经度', 'Longitude'), lat: degrees('纬度', 'Latitude', 90) }
/** A row of a sheet of berths. Longitude and latitude are in WGS-84, as everywhere else where they are typed; the head of their columns says so. */
const BerthSheet = message(
  { sectionCode: Section.properties.sectionCode, seatCode: Berth.properties.seatCode, berthNo: Berth.properties.berthNo },
  {
    type: Berth.properties.type,
    chargeType: Berth.properties.chargeType,
    ...PLACE,
    deviceNo: Binding.properties.deviceNo,
  },
)
const WRITTEN = ['type', 'chargeType', 'lng', 'lat', 'remark'] as const
const view = { service: 'business', needs: 'roadside:berth:view' } as const
const edit = { service: 'business', needs: 'roadside:berth:edit', writes: true } as const
const bind = { service: 'business', needs: 'roadside:berth:bind', writes: true } as const
const find = call('roadside.berth.find', { ...view, post: '/roadInfo/findparkSeat', body: paged(berthSearch), reply: pageOf(BerthNow) })

/** Without a device returns the bound ones; with one binds it, or with `unbind` takes it off. */
const bindOne = call('roadside.berth.bind-by-seat-no', {
  ...bind,
  does: ['绑定泊位设备', 'Bound a device to a berth'],
  get: '/roadInfo/bindBySeatNo',
  query: BindAsked,
  reply: Bindings,
})
/** Returns free devices of a district by the berths that they report; with `dryRun=0` binds all of them at once. */
const bindPark = call('roadside.berth.bind-by-park-code', {
  ...bind,
  does: ['按片区绑定设备', 'Bound the devices of a district'],
  get: '/roadInfo/bindByParkCode',
  query: BindParkAsked,
  reply: listOf(BindPlan),
})

export const berth = {
  find,
  /** One park whole: `current` and `limit` are taken and make no difference. */
  findAll: call('roadside.berth.find-all', {
    ...view,
    post: '/roadInfo/findAllparkSeat',
    body: message(
      { parkCode: Berth.properties.parkCode },
      {
        seatCode: Berth.properties.seatCode,
        sectionCode: Section.properties.sectionCode,
        current: whole('页', 'Page'),
        limit: whole('每页', 'Rows per page'),
      },
    ),
    reply: listOf(BerthNow),
  }),
  one: call('roadside.berth.one', { ...view, own: true, get: '/roadInfo/findSeat', query: pick(Berth, 'id'), reply: BerthDetail }),
  add: call('roadside.berth.add', {
    ...edit,
    does: ['新增泊位', 'Added a berth'],
    post: '/roadInfo/addparkSeat',
    body: pickSome(Berth, ['parkCode', 'seatCode', 'berthNo'], ['sectionCode', 'areaCode', ...WRITTEN]),
    reply: Berth,
  }),
  edit: call('roadside.berth.edit', {
    ...edit,
    does: ['修改泊位', 'Changed a berth'],
    post: '/roadInfo/editparkSeat',
    body: pickSome(Berth, ['id', 'version'], ['berthNo', 'status', ...WRITTEN]),
    reply: Berth,
  }),
  /** All of them or none. */
  remove: call('roadside.berth.remove', {
    ...edit,
    does: ['删除泊位', 'Removed berths'],
    post: '/roadInfo/removeParkSeat',
    body: message({ ids: shaped('泊位', 'Berths', listOf(Berth.properties.id, { max: 200 })) }),
    reply: nothing,
  }),
  qrCode: call('roadside.berth.qr-code', { ...view, post: '/roadInfo/findSeatQRCode', body: pick(Berth, 'parkCode', 'seatCode'), reply: QrContent }),
  bind: bindOne,
  bindPost: posted('roadside.berth.bind-by-seat-no-post', bindOne),
  bindPark,
  bindParkPost: posted('roadside.berth.bind-by-park-code-post', bindPark),
  bindLog: call('roadside.berth.bind-log', { ...view, post: '/roadInfo/queryPageSeatBindLog', body: paged(bindingSearch), reply: pageOf(Binding) }),
  import: importOf('roadside.berth.import', {
    service: 'business',
    post: '/roadInfo/parkSeatImport',
    needs: 'roadside:berth:edit',
    title: ['泊位', 'Berths'],
    row: BerthSheet,
    unique: 'seatCode',
    also: { parkCode: Berth.properties.parkCode },
  }),
  export: exportOf('roadside.berth.export', {
    ...view,
    get: '/roadInfo/parkSeatExport',
    title: ['泊位', 'Berths'],
    query: find,
    columns: [
      'parkCode',
      'sectionCode',
      'sectionName',
      'seatCode',
      'berthNo',
      'type',
      'chargeType',
      'lng',
      'lat',
      { name: 'deviceNo', field: Binding.properties.deviceNo },
      'detector',
      'occupy',
      'status',
      'remark',
    ],
  }),
}

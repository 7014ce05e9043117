import { call, PAGE, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  exact,
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
import { Device } from '../../device/contract/device.ts'
import { Park, UseStatus } from './park.ts'

export const Direction = dictionary('gate_direction', ['通道方向', 'Lane direction'], {
  entrance: [1, '入口', 'Entrance'],
  exit: [2, '出口', 'Exit'],
  both: [3, '混合', 'Both ways'],
})
/** Why a person opened a barrier by hand. */
export const OpenReason = dictionary('gate_open_reason', ['手动放行原因', 'Reason for opening by hand'], {
  misread: [1, '误识别', 'Misread plate'],
  fault: [2, '故障', 'Fault'],
  emergency: [3, '应急', 'Emergency'],
  special: [4, '特殊车', 'Special vehicle'],
  test: [5, '测试', 'Test'],
  other: [6, '其他', 'Other'],
})
/** "Other" says nothing by itself: it goes with a note. */
export const lacksNote = ({ reason, remark }: { reason?: number | undefined; remark?: string | null | undefined }): boolean =>
  reason === OpenReason.other && !remark?.trim()
/** The treatment of the fee of a car that is let out unpaid. */
export const FeeChoice = dictionary('gate_fee_choice', ['费用处理', 'Fee handling'], {
  free: [1, '免费', 'Free'],
  arrears: [2, '欠费', 'Arrears'],
  cash: [3, '已现金', 'Paid in cash'],
})
export const GateAction = dictionary('gate_action', ['道闸操作', 'Barrier action'], {
  open: [1, '开闸', 'Open', 'success'],
  close: [2, '关闸', 'Close'],
  keepOpen: [3, '常开', 'Keep open', 'warning'],
  lock: [4, '锁闸', 'Lock', 'error'],
  unlock: [5, '解锁', 'Unlock'],
})

/** When the sign of a lane shows a text of its own. */
export const SignEvent = dictionary('sign_event', ['显示时机', 'Shown when'], {
  idle: [1, '空闲', 'The lane is free'],
  entered: [2, '入场', 'A car is admitted'],
  toPay: [3, '待缴', 'A fee is due'],
  paid: [4, '已缴', 'The fee is paid'],
  refused: [5, '拒绝', 'Refused'],
  full: [6, '满位', 'Full'],
})
export const SignColor = dictionary('sign_color', ['颜色', 'Colour'], {
  red: [1, '红', 'Red'],
  green: [2, '绿', 'Green'],
  yellow: [3, '黄', 'Yellow'],
})
/** A line may hold {车牌}, {金额}, {车场} and {广告}: the car's plate, its debt in yuan, the park's name, and the present advertisement on signs; a line without anything is left out. */
// On a sign a blank is a place that stays dark.
const signLines = shaped('文字', 'Lines', listOf(exact(text('一行', 'Line', { max: 16 })), { max: 4 }))
const signSeconds = whole('显示时长', 'Shown for', { unit: 'second', min: 1, max: 600 })
export const SignProgram = entity({
  event: among('显示时机', 'Shown when', SignEvent),
  lines: signLines,
  color: among('颜色', 'Colour', SignColor),
  seconds: signSeconds,
})

export type GateId = 'GateId'
/** A lane through which cars pass, with its camera, barrier and LED (often one device). An inner gate lies between two areas of one park. */
export const Gate = entity(['通道', 'Lane'], {
  ...rowFields<GateId>(),
  parkCode: Park.properties.parkCode,
  gateCode: text('通道编号', 'Lane code', { max: 24 }),
  name: text('通道名称', 'Lane'),
  direction: among('方向', 'Direction', Direction),
  /** Where the car comes from and goes to; none = the street. */
  areaFrom: orNone(text('来自区域', 'From area', { max: 24 })),
  areaTo: orNone(text('去往区域', 'To area', { max: 24 })),
  lane: whole('车道号', 'Lane', { min: 1, max: 99 }),
  cameraId: orNone(text('相机', 'Camera', { max: 32 })),
  barrierId: orNone(text('道闸', 'Barrier', { max: 32 })),
  ledId: orNone(text('LED 屏', 'LED sign', { max: 32 })),
  /** One for each event at most; without one the lane says what it decided. */
  programs: shaped('显示内容', 'Sign messages', listOf(SignProgram)),
  status: among('状态', 'Status', UseStatus),
  /** While set, its barrier stays down for every car (锁闸). */
  lockedBy: orNone(text('锁闸人', 'Locked by', { max: 64 })),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const gateSearch = searchOf(
  Gate,
  { parkCode: 'equals', gateCode: 'equals', name: 'contains', direction: 'among', status: 'among' },
  { sort: ['gateCode'], ascending: true },
)
export const GateChoice = pick(Gate, 'gateCode', 'parkCode', 'name', 'direction', 'status')
/** A gate with what its devices last said. */
export const GateDetail = entity({
  ...Gate.properties,
  parkName: Park.properties.name,
  online: yes('在线', 'Online'),
  lastSeenAt: orNone(instant('最后在线', 'Last online')),
  gateState: orNone(text('道闸状态', 'Barrier status', { max: 16 })),
  plateNo: orNone(plate('当前车牌', 'Car at the lane')),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  since: orNone(instant('到达时间', 'Arrived at')),
})
/** A device that stands in a park and can serve a lane: `usedBy` is the gate that has it already. */
export const GateDevice = entity({
  ...pick(Device, 'deviceNo', 'name', 'type').properties,
  online: yes('在线', 'Online'),
  usedBy: orNone(text('所在通道', 'Used by', { max: 24 })),
})
export const Seat = entity({
  parkCode: Park.properties.parkCode,
  seatCode: text('泊位编号', 'Bay code', { max: 24 }),
  areaCode: orNone(text('区域编号', 'Area code', { max: 24 })),
})
export const AreaChoice = entity({
  parkCode: Park.properties.parkCode,
  areaCode: text('区域编号', 'Area code', { max: 24 }),
  name: text('区域名称', 'Area'),
})
export const AreaAndGates = entity({ ...AreaChoice.properties, gates: shaped('通道', 'Lanes', listOf(GateChoice)) })

const WRITTEN = ['areaFrom', 'areaTo', 'lane', 'cameraId', 'barrierId', 'ledId', 'remark'] as const
const OfPark = message({}, { parkCode: Park.properties.parkCode })
const view = { service: 'basic', needs: 'parking:gate:view' } as const
const edit = { service: 'basic', needs: 'parking:gate:edit', writes: true } as const
const seen = { service: 'device', needs: 'parking:gate:view' } as const
const operate = { service: 'device', needs: 'parking:gate:operate', writes: true } as const
const choices = { service: 'device', needs: 'signed-in' } as const

export const gate = {
  queryPage: call('parking.gate.query-page', { ...view, post: '/parkGate/queryPage', body: paged(gateSearch), reply: pageOf(GateDetail) }),
  add: call('parking.gate.add', {
    ...edit,
    post: '/parkGate/add',
    does: ['新增通道', 'Added a lane'],
    body: pickSome(Gate, ['parkCode', 'gateCode', 'name', 'direction'], WRITTEN),
    reply: Gate,
  }),
  update: call('parking.gate.update', {
    ...edit,
    post: '/parkGate/update',
    does: ['修改通道', 'Changed a lane'],
    body: pickSome(Gate, ['id', 'version'], ['name', 'direction', ...WRITTEN]),
    reply: Gate,
  }),
  /** For the pickers of a gate's form: the barriers, cameras and signs of a park. */
  devices: call('parking.gate.devices', {
    service: 'basic',
    get: '/parkGate/devices',
    own: true,
    needs: edit.needs,
    query: pick(Gate, 'parkCode'),
    reply: listOf(GateDevice),
  }),
  delete: call('parking.gate.delete', {
    ...edit,
    post: '/parkGate/delete',
    does: ['删除通道', 'Deleted a lane'],
    body: pick(Gate, 'id', 'version'),
    reply: nothing,
  }),
  updateStatus: call('parking.gate.update-status', {
    ...edit,
    post: '/parkGate/updateStatus',
    needs: 'parking:gate:enable',
    does: ['启用或停用通道', 'Enabled or disabled a lane'],
    body: message(
      { id: Gate.properties.id, version: Gate.properties.version, status: Gate.properties.status },
      { reason: text('原因', 'Reason', { max: 200 }) },
    ),
    reply: Gate,
  }),

  gateDetail: call('parking.gate-operation.gate-detail', {
    ...seen,
    get: '/gateOperation/getGateDetail',
    query: pick(Gate, 'gateCode'),
    reply: GateDetail,
  }),
  textToLed: call('parking.gate-operation.text-to-led', {
    ...operate,
    post: '/gateOperation/textToLed',
    does: ['下发 LED 文字', 'Sent a text to the sign'],
    body: message({ gateCode: Gate.properties.gateCode, lines: signLines }, { seconds: signSeconds, color: SignProgram.properties.color }),
    reply: nothing,
  }),
  /** Replaces the text that the sign shows at one event. */
  programSave: call('parking.led.program-save', {
    ...edit,
    own: true,
    post: '/led/programSave',
    does: ['设置显示内容', 'Set a sign message'],
    body: message({ id: Gate.properties.id, version: Gate.properties.version, ...SignProgram.properties }),
    reply: Gate,
  }),
  programDelete: call('parking.led.program-delete', {
    ...edit,
    own: true,
    post: '/led/programDelete',
    does: ['取消显示内容', 'Removed a sign message'],
    body: message({ id: Gate.properties.id, version: Gate.properties.version, event: SignProgram.properties.event }),
    reply: Gate,
  }),
  /**
   * Lets the car at the gate through, by hand and with a reason. Where a car stands at an exit unpaid, `fee` says what becomes of its fee.
   * `keepOpen` keeps the barrier up for `seconds`; `lock` keeps it down until `unlock`.
   */
  openGate: call('parking.gate-operation.open-gate', {
    ...operate,
    post: '/gateOperation/openGateToPark',
    does: ['手动放行', 'Opened by hand'],
    body: message(
      { gateCode: Gate.properties.gateCode, reason: among('原因', 'Reason', OpenReason) },
      {
        action: among('操作', 'Action', GateAction),
        fee: among('费用处理', 'Fee handling', FeeChoice),
        remark: text('说明', 'Note', { max: 200 }),
        seconds: whole('常开时长', 'Keep open for', { unit: 'second', min: 1, max: 86_400 }),
      },
    ),
    reply: nothing,
  }),

  findParkGateList: call('parking.seat.find-park-gate-list', {
    forPrograms: true,
    ...choices,
    get: '/parkSeat/findParkGateList',
    query: OfPark,
    reply: listOf(GateChoice),
  }),
  findParkSeatList: call('parking.seat.find-park-seat-list', {
    ...choices,
    get: '/parkSeat/findParkSeatList',
    needs: 'parking:park:view',
    query: message({}, { parkCode: Park.properties.parkCode, seatCode: Seat.properties.seatCode, ...PAGE }),
    reply: listOf(Seat),
  }),
  findParkRegionList: call('parking.seat.find-park-region-list', {
    forPrograms: true,
    ...choices,
    get: '/parkSeat/findParkRegionList',
    query: OfPark,
    reply: listOf(AreaChoice),
  }),
  selectRegionAndGateList: call('parking.seat.select-region-and-gate-list', {
    forPrograms: true,
    ...choices,
    get: '/parkSeat/selectRegionAndGateList',
    query: OfPark,
    reply: listOf(AreaAndGates),
  }),
  selectRegionAndGateListPost: call('parking.seat.select-region-and-gate-list-post', {
    forPrograms: true,
    ...choices,
    post: '/parkSeat/selectRegionAndGateList',
    body: OfPark,
    reply: listOf(AreaAndGates),
  }),
}

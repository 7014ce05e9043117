import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  account,
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  minutes,
  moves,
  orNone,
  pick,
  pictures,
  plate,
  ref,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PlateColor, VehicleClass } from '../../../platform/contract/plate.ts'
import { Quote } from '../../fee/contract/quote.ts'
import { Change } from './change.ts'
import { Cleared } from './clearing.ts'
import { FeeChoice, Gate } from './gate.ts'
import { Park } from './park.ts'

export const SessionStatus = dictionary('session_status', ['停车状态', 'Stay status'], {
  present: [1, '在场', 'Present'],
  leaving: [2, '待离场', 'Leaving', 'warning'],
  left: [3, '已离场', 'Left', 'success'],
  abnormal: [4, '异常待处理', 'Abnormal', 'error'],
  void: [9, '作废', 'Void', 'default'],
})
export type StayStatus = keyof typeof SessionStatus.entries
export const PassMode = dictionary('pass_mode', ['进出场方式', 'Entry and exit mode'], {
  camera: [1, '自动识别', 'Read by camera'],
  scan: [2, '扫码', 'Scanned code'],
  byHand: [3, '手动放行', 'By hand'],
  entered: [4, '补录', 'Entered later'],
  etc: [5, 'ETC', 'ETC'],
  offline: [6, '离线同步', 'Synced after offline'],
  remote: [7, '远程开闸', 'Opened remotely'],
  cleared: [8, '系统清场', 'Cleared'],
})
export const SessionAbnormal = dictionary('session_abnormal', ['异常类型', 'Abnormality type'], {
  none: [0, '正常', 'Normal'],
  twice: [1, '重复入场', 'Entered twice', 'warning'],
  noEntry: [2, '无入场记录出场', 'Exit without entry', 'warning'],
  overstay: [3, '超长在场', 'Overstay', 'warning'],
  corrected: [4, '车牌修正', 'Plate corrected'],
  forced: [5, '强行闯闸', 'Forced the barrier', 'error'],
  tailgated: [6, '跟车', 'Tailgated', 'error'],
  backedOut: [7, '倒车退出', 'Backed out'],
  inverted: [8, '时间倒挂', 'Exit before entry', 'error'],
  offlineConflict: [9, '离线冲突', 'Offline conflict', 'error'],
  noPlate: [10, '车牌未补录', 'Plate not filled in', 'warning'],
  unpriced: [11, '无法计费', 'Cannot be priced', 'error'],
  heldBill: [12, '费用待核对', 'Fee to be checked', 'warning'],
})
export const CarKind = dictionary('car_kind', ['车辆类型', 'Car type'], {
  free: [1, '免费车', 'Free'],
  reserved: [2, '共享/预约车', 'Reserved'],
  special: [5, '特种车', 'Special'],
  noPlate: [6, '无牌车', 'Unplated'],
  storedValue: [7, '储值车', 'Stored value'],
  pass: [8, '月租车', 'Pass'],
  temporary: [9, '临时车', 'Temporary'],
})
export type CarKindCode = keyof typeof CarKind.entries
/** The pay state of a stay: the state of its order, as the lane sees it. */
export const PayState = dictionary('pay_state', ['缴费状态', 'Payment'], {
  nothing: [0, '未出账', 'Not billed yet'],
  toPay: [1, '待支付', 'To pay', 'warning'],
  paid: [2, '已支付', 'Paid', 'success'],
  free: [3, '免费', 'Free', 'success'],
  owed: [4, '欠费', 'In arrears', 'error'],
  checking: [5, '费用核对中', 'Fee being checked', 'warning'],
})

export const StayPlace = dictionary('stay_place', ['停车类型', 'Parking type'], {
  park: [1, '停车场', 'Off-street'],
  street: [2, '路内', 'Roadside'],
})

/**
 * The moves of a stay. `left` and `void` are final: to correct such a record it is voided and a new one made in its place.
 * `cleared` is undone within 24 hours by `unclear`, the one way out of `left`.
 */
export const stayCan = moves(SessionStatus, {
  toExit: { 1: 2 },
  backOut: { 2: 1 },
  leave: { 1: 3, 2: 3 },
  clear: { 1: 3, 2: 3 },
  unclear: { 3: 1 },
  flag: { 1: 4, 2: 4 },
  confirmExit: { 4: 3 },
  restore: { 4: 1 },
  void: { 1: 9, 2: 9, 3: 9, 4: 9 },
})

export type StayId = 'StayId'
const gateCode = (zh: string, en: string) => orNone(text(zh, en, { max: 24 }))
/** One visit of a vehicle to a park, from the entry gate to the exit gate (停车记录). Its id is the session's number. */
export const Stay = entity({
  id: id<StayId>(),
  parkCode: Park.properties.parkCode,
  areaCode: orNone(text('区域编号', 'Area code', { max: 24 })),
  /** On the street a stay belongs to a berth of a section and has no gates. */
  pType: among('停车类型', 'Parking type', StayPlace),
  sectionCode: orNone(text('路段编号', 'Section code', { max: 24 })),
  seatCode: orNone(text('泊位编号', 'Berth code', { max: 24 })),
  /** Null on the street only: a sensor has seen a car, and nobody its plate yet. */
  plateNo: orNone(plate()),
  /** Null: no camera knew it. */
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  plateOriginal: orNone(plate('原车牌', 'Plate as read')),
  vehicleClass: among('车型', 'Vehicle class', VehicleClass),
  carKindIn: among('入场车辆类型', 'Type at entry', CarKind),
  carKindOut: orNone(among('离场车辆类型', 'Type at exit', CarKind)),
  entryGate: gateCode('入口通道', 'Entry lane'),
  /** Null: the car left without having been seen coming in. */
  entryTime: orNone(instant('入场时间', 'Entered at')),
  entryImage: orNone(pictures('入场图片', 'Entry picture')),
  entryMode: orNone(among('入场方式', 'Entry mode', PassMode)),
  exitGate: gateCode('出口通道', 'Exit lane'),
  /** Set once the exit camera has seen the car, so also while it waits to pay. */
  exitTime: orNone(instant('离场时间', 'Left at')),
  exitImage: orNone(pictures('离场图片', 'Exit picture')),
  exitMode: orNone(among('离场方式', 'Exit mode', PassMode)),
  durationMin: orNone(minutes('停车时长', 'Parked for')),
  status: among('状态', 'Status', SessionStatus),
  abnormalType: among('异常类型', 'Abnormality', SessionAbnormal),
  payState: among('缴费状态', 'Payment', PayState),
  receivableFen: fen('应收', 'Receivable'),
  discountFen: fen('优惠', 'Discount'),
  payableFen: fen('应付', 'Payable'),
  paidFen: fen('实收', 'Paid'),
  /** The newest order; a stay that paid inside and stayed on has more than one. */
  orderId: orNone(ref<'OrderId'>('订单', 'Order')),
  ruleVersionId: orNone(text('收费规则版本', 'Fee rule version', { max: 40 })),
  passId: orNone(text('月卡', 'Pass', { max: 40 })),
  reserveId: orNone(text('预约', 'Reservation', { max: 40 })),
  chargeOrderIds: shaped('充电订单', 'Charging sessions', listOf(text('订单', 'Session', { max: 40 }))),
  operatorIn: orNone(text('入场操作员', 'Let in by')),
  operatorOut: orNone(text('离场操作员', 'Let out by')),
  offline: whole('离线', 'Offline', { min: 0, max: 1 }),
  /** A record of another operator's platform: shown apart, never among own income. */
  thirdPlatform: orNone(text('第三方平台', 'Third-party platform')),
  remark: orNone(account('备注', 'Remark', { max: 500 })),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
})
export type StayRow = (typeof Stay)['~unsafe']
/** Further fields that a stay is searched by: when it was first seen (at its exit where it has no entry), and whether it was seen coming in at all. */
const Sought = entity({ ...Stay.properties, seenAt: instant('首次识别', 'First read'), entered: yes('有入场记录', 'Entry on record') })
/** The list is ordered by when a stay was first seen. It is asked for as `entryTime`. */
export const staySearch = searchOf(
  Sought,
  {
    id: 'equals',
    parkCode: 'equals',
    pType: 'equals',
    sectionCode: 'equals',
    seatCode: 'equals',
    plateNo: 'plate',
    plateColor: 'among',
    status: 'among',
    abnormalType: 'among',
    carKindIn: 'among',
    payState: 'among',
    entryGate: 'equals',
    exitGate: 'equals',
    entryTime: 'between',
    exitTime: 'between',
    seenAt: 'between',
    entered: 'equals',
    offline: 'equals',
  },
  { sort: ['entryTime'] },
)

export type DecisionId = 'DecisionId'
export const LaneOutcome = dictionary('lane_outcome', ['通道决定', 'Lane decision'], {
  pass: [1, '放行', 'Let pass', 'success'],
  refuse: [2, '拒绝', 'Refused', 'error'],
  ask: [3, '人工确认', 'Waiting for staff', 'warning'],
  ignore: [4, '忽略', 'Ignored'],
  toPay: [5, '待缴费', 'To be paid', 'warning'],
})
/** The checks of a lane: 1-10 are the admission in its fixed order, the first that hits decides; 11-18 are those of an exit; 19 only says something of both. */
export const LaneCheck = dictionary('lane_check', ['检查项', 'Check'], {
  open: [1, '通道开放', 'Lane and park open'],
  special: [2, '特种车', 'Special vehicle'],
  black: [3, '黑名单', 'Black list'],
  inside: [4, '已在场', 'Already inside'],
  white: [5, '白名单', 'White list'],
  pass: [6, '月卡', 'Pass'],
  reservation: [7, '预约/共享', 'Reservation'],
  arrears: [8, '欠费', 'Arrears'],
  bays: [9, '余位', 'Free bays'],
  temporary: [10, '临时车', 'Temporary car'],
  found: [11, '匹配在场记录', 'Stay found'],
  fuzzy: [12, '模糊匹配', 'Fuzzy match'],
  noEntry: [13, '无入场记录', 'No entry record'],
  orderTimes: [14, '时间顺序', 'Time order'],
  free: [15, '免费', 'Free'],
  paidBefore: [16, '已预付', 'Paid earlier'],
  exitArrears: [17, '欠费', 'Arrears'],
  fee: [18, '计费', 'Fee'],
  twin: [19, '一车两地', 'In two parks at once'],
})
export type LaneCheckCode = keyof typeof LaneCheck.entries
export const CheckTried = entity({
  check: among('检查项', 'Check', LaneCheck),
  hit: yes('决定项', 'Deciding check'),
  zh: account('说明', 'Text in Chinese', { max: 200 }),
  en: account('英文说明', 'Text in English', { max: 200 }),
})
export type Tried = (typeof CheckTried)['~unsafe']

/** A discount on a fee, such as a coupon by its name. */
export const TakenOff = entity({
  zh: text('优惠', 'Discount', { max: 100 }),
  en: text('英文名称', 'In English', { max: 100 }),
  amountFen: fen('金额', 'Amount', { min: 0 }),
})
/** The fee as the tariff makes it, and what was taken off it. */
export const StayFee = message(Quote.properties, { discounts: shaped('优惠', 'Discounts', listOf(TakenOff)) })

/** A lane's decision about one car: why it was refused, why it cost that. */
export const Decision = entity({
  id: id<DecisionId>(),
  stayId: orNone(ref<StayId>('停车记录', 'Stay')),
  parkCode: Park.properties.parkCode,
  gateCode: Gate.properties.gateCode,
  direction: whole('方向', 'Direction', { min: 1, max: 2 }),
  /** When the device saw the car, and when the platform heard of it. */
  at: instant('识别时间', 'Read at'),
  receivedAt: instant('接收时间', 'Received at'),
  plateNo: plate(),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  confidence: orNone(whole('置信度', 'Confidence', { unit: 'permille', min: 0, max: 1000 })),
  image: orNone(pictures('图片', 'Picture')),
  outcome: among('决定', 'Decision', LaneOutcome),
  checks: shaped('检查过程', 'Checks', listOf(CheckTried)),
  /** The fee as quoted at that moment, with a line for every part of it. */
  quote: orNone(shaped('计费', 'Fee', StayFee)),
  /** The device's message, the command that followed. */
  messageId: orNone(text('设备消息', 'Message', { max: 64 })),
  commandId: orNone(text('指令', 'Command', { max: 64 })),
  by: orNone(text('操作员', 'Decided by')),
})
export type DecisionRow = (typeof Decision)['~unsafe']

export const StoryEventKind = dictionary('story_event', ['事件', 'Event'], {
  readEntrance: [1, '入口识别', 'Read at the entrance'],
  entered: [2, '入场', 'Entered'],
  readExit: [3, '出口识别', 'Read at the exit'],
  order: [4, '订单', 'Order'],
  payment: [5, '支付', 'Payment'],
  command: [6, '开闸', 'Barrier command'],
  left: [7, '离场', 'Left'],
  byPerson: [8, '人工操作', 'By a person'],
  changedArea: [9, '区域变更', 'Changed area'],
  feeCheck: [10, '费用核对', 'Fee check'],
})
export const StoryEvent = entity({
  at: instant('时间', 'Time'),
  kind: among('事件', 'Event', StoryEventKind),
  zh: account('说明', 'Text in Chinese', { max: 500 }),
  en: account('英文说明', 'Text in English', { max: 500 }),
  gateCode: orNone(Gate.properties.gateCode),
  image: orNone(pictures('图片', 'Picture')),
  by: orNone(text('操作员', 'By')),
})
export const StoryOrder = entity({
  id: ref<'OrderId'>('订单', 'Order'),
  orderNo: text('订单号', 'Order number'),
  type: whole('类型', 'Type'),
  status: whole('状态', 'Status'),
  receivableFen: fen('应收', 'Receivable'),
  discountFen: fen('优惠', 'Discount'),
  payableFen: fen('应付', 'Payable'),
  paidFen: fen('实收', 'Paid'),
  pointsFen: fen('其中积分', 'Of it in points'),
  refundFen: fen('退款', 'Refunded'),
  payMethod: orNone(whole('支付方式', 'Payment method')),
  tradeNo: orNone(text('交易号', 'Trade number')),
  payTime: orNone(instant('支付时间', 'Paid at')),
  operator: orNone(text('收费员', 'Taken by')),
})
export const Segment = entity({
  areaCode: orNone(text('区域编号', 'Area code', { max: 24 })),
  gateCode: orNone(Gate.properties.gateCode),
  from: instant('自', 'From'),
  to: orNone(instant('至', 'To')),
})
/** Everything about one stay, on one page: sightings, decisions, charges, payments and changes. */
export const Story = entity({
  stay: shaped('停车记录', 'Stay', Stay),
  parkName: Park.properties.name,
  entryGateName: orNone(Gate.properties.name),
  exitGateName: orNone(Gate.properties.name),
  events: shaped('经过', 'What happened', listOf(StoryEvent)),
  segments: shaped('区域经过', 'Areas', listOf(Segment)),
  decisions: shaped('决定', 'Decisions', listOf(Decision)),
  /** The fee as it stands: the quote of the exit, or of now for a car that is inside. */
  quote: orNone(shaped('计费', 'Fee', StayFee)),
  orders: shaped('订单', 'Orders', listOf(StoryOrder)),
  history: shaped('变更记录', 'Changes', listOf(Change)),
  /** The record that took this one's place when it was corrected, and the one whose place it took. */
  correctedTo: orNone(ref<StayId>('更正为', 'Corrected to')),
  correctedFrom: orNone(ref<StayId>('更正前记录', 'Corrected from')),
})

export const Handling = dictionary('stay_handling', ['异常处理', 'Handling'], {
  left: [1, '确认离场', 'Confirm exit'],
  restore: [2, '恢复在场', 'Restore as present'],
  void: [3, '作废', 'Void'],
})
/** The result of undoing a clearing: a car that has come in again, or whose berth was taken again, stays cleared. */
export const Uncleared = entity({
  ...Cleared.properties,
  restored: whole('已恢复', 'Restored', { min: 0 }),
  leftOut: shaped('未恢复', 'Left out', listOf(plate())),
})

/**
 * Whether a person may void a stay: one that waits for a person, or one at an exit that was never seen coming in and has paid nothing. A finished stay is only corrected.
 * Money paid on it has to go back first; only its orders know of that.
 */
export const mayVoid = ({ status, entryTime, paidFen }: Pick<StayRow, 'status' | 'entryTime' | 'paidFen'>): boolean =>
  status === SessionStatus.abnormal || (status === SessionStatus.leaving && entryTime === null && paidFen === 0)

const reason = text('原因', 'Reason', { max: 200 })
const TO_CLEAR = {
  ids: shaped('停车记录', 'Stays', listOf(id<StayId>(), { max: 500 })),
  enteredBefore: instant('入场早于', 'Entered before'),
  carKindIn: among('车辆类型', 'Car type', CarKind),
}
const view = 'parking:stay:view'
const list = { service: 'fee', needs: view, query: paged(staySearch), reply: pageOf(Stay) } as const

const stayView = { service: 'fee', needs: 'parking:stay:view' } as const
const correct = { service: 'fee', needs: 'parking:stay:correct', writes: true, own: true } as const
const clear = { service: 'fee', needs: 'parking:stay:clear', own: true } as const
export const stay = {
  queryPage: call('parking.record.query-page', { get: '/parkRecord/queryPage', ...list }),
  queryPresentPage: call('parking.record.query-present-page', { get: '/parkRecord/queryPresentPage', ...list }),
  queryAbnormalPage: call('parking.record.query-abnormal-page', { get: '/parkRecord/queryAbnormalPage', ...list }),
  queryThirdPage: call('parking.record.query-third-page', { get: '/parkRecord/queryThirdPage', ...list }),
  queryDetail: call('parking.record.query-detail', { ...stayView, get: '/parkRecord/queryDetail', query: pick(Stay, 'id'), reply: Stay }),
  story: call('parking.stay.story', { ...stayView, get: '/parkRecord/story', own: true, heavy: true, query: pick(Stay, 'id'), reply: Story }),

  /** Other characters for a misread plate; the reading stays in `plateOriginal`. A final record is voided and made anew. */
  correctPlate: call('parking.stay.correct-plate', {
    ...correct,
    post: '/parkRecord/correctPlate',
    does: ['修正车牌', 'Corrected a plate'],
    body: message(
      { id: Stay.properties.id, version: Stay.properties.version, plateNo: plate(), reason },
      { plateColor: among('车牌颜色', 'Plate colour', PlateColor), special: yes('特殊车牌', 'Special plate') },
    ),
    reply: Stay,
  }),
  /** Corrects the times of a record, by reversal and a new record when it is final. */
  correctTimes: call('parking.stay.correct-times', {
    ...correct,
    post: '/parkRecord/correctTimes',
    does: ['修正时间', 'Corrected times'],
    body: message(
      { id: Stay.properties.id, version: Stay.properties.version, reason },
      { entryTime: instant('入场时间', 'Entered at'), exitTime: instant('离场时间', 'Left at') },
    ),
    reply: Stay,
  }),
  /** Another car left in this record: its own is inside again, and who left gets the exit and what was paid there. */
  undoExit: call('parking.stay.undo-exit', {
    ...correct,
    post: '/parkRecord/undoExit',
    does: ['撤销错配的离场', 'Undid an exit of another car'],
    body: message({ id: Stay.properties.id, version: Stay.properties.version, leftPlateNo: plate('实际离场的车牌', 'Plate that left'), reason }),
    reply: Stay,
  }),
  handle: call('parking.stay.handle', {
    service: 'fee',
    post: '/parkRecord/handle',
    writes: true,
    own: true,
    needs: 'parking:stay:handle',
    does: ['处理异常停车', 'Handled an abnormal stay'],
    body: message(
      { id: Stay.properties.id, version: Stay.properties.version, handling: among('处理', 'Handling', Handling), reason },
      // The person who confirms that a car is gone decides about its fee, unless the fee is known to be nothing.
      { exitTime: instant('离场时间', 'Left at'), fee: among('费用处理', 'Fee handling', FeeChoice) },
    ),
    reply: Stay,
  }),
  /** Counts the cars of a clearing and what they would have to pay now, before it is done. */
  countToClear: call('parking.stay.count-to-clear', {
    ...clear,
    post: '/parkRecord/countToClear',
    heavy: true,
    body: message({ parkCode: Park.properties.parkCode }, TO_CLEAR),
    reply: message({
      count: whole('车辆数', 'Cars'),
      amountFen: fen('免收金额', 'Fees waived'),
      free: whole('免费放行的车辆数', 'Cars that leave free'),
      unpriced: whole('算不出费用的车辆数', 'Cars that cannot be priced'),
      waits: yes('需另一人审核', 'Another person approves'),
    }),
  }),
  /**
   * Cars that are inside only on paper: they leave without a fee and without arrears. Undone as a whole within 24 hours. Where more is given up than one person may, it waits for another.
   */
  clear: call('parking.stay.clear', {
    ...clear,
    post: '/parkRecord/clear',
    writes: true,
    does: ['提交批量清场', 'Submitted a clearing'],
    body: message({ parkCode: Park.properties.parkCode, reason }, TO_CLEAR),
    reply: Cleared,
  }),
  unclear: call('parking.stay.unclear', {
    ...clear,
    post: '/parkRecord/unclear',
    writes: true,
    does: ['撤销清场', 'Undid a clearing'],
    body: message({ id: Cleared.properties.id, reason }),
    reply: Uncleared,
  }),
  /** A car that came in unseen is entered by hand (补录). */
  supplement: call('parking.stay.supplement', {
    service: 'fee',
    post: '/parkRecord/supplement',
    writes: true,
    own: true,
    needs: 'parking:stay:supplement',
    does: ['补录停车记录', 'Added a stay afterwards'],
    body: message(
      { parkCode: Park.properties.parkCode, plateNo: plate(), entryTime: instant('入场时间', 'Entered at'), reason },
      {
        plateColor: among('车牌颜色', 'Plate colour', PlateColor),
        entryGate: text('入口通道', 'Entry lane', { max: 24 }),
        special: yes('特殊车牌', 'Special plate'),
      },
    ),
    reply: Stay,
  }),
}

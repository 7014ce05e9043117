import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  minutes,
  orNone,
  pick,
  pictures,
  plate,
  ref,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { Quote } from '../../fee/contract/quote.ts'
import { CarKind, PayState, SessionAbnormal, SessionStatus, Stay, type StayId, StoryEvent } from '../../parking/contract/stay.ts'
import { Park } from '../../parking/contract/park.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { Berth, Detector } from './berth.ts'

export const ConfirmState = dictionary('road_confirm_state', ['确认状态', 'Confirmation'], {
  unconfirmed: [0, '待确认', 'Unconfirmed'],
  confirmed: [1, '已确认', 'Confirmed', 'success'],
  split: [2, '已拆分', 'Split'],
  merged: [3, '已合并', 'Merged'],
})
export const EvidenceKind = dictionary('road_evidence_kind', ['取证环节', 'Evidence stage'], {
  arrive: [1, '驶入', 'Arrival'],
  stands: [2, '在停', 'Parked'],
  leave: [3, '驶离', 'Departure'],
})
/** The source of the plate; the higher one is believed. A person who looked outranks every machine. */
export const PlateSource = dictionary('road_plate_source', ['车牌来源', 'Plate source'], {
  none: [0, '无', 'None'],
  patrol: [1, '巡检车', 'Patrol car'],
  handheld: [2, 'PDA', 'Handheld'],
  video: [3, '高位视频', 'High-pole camera'],
  person: [4, '人工审核', 'Manual review'],
})

/** One thing that was seen at a berth. */
export const Evidence = entity(['取证', 'Evidence'], {
  id: id<'EvidenceId'>(),
  /** Null: it fits no stay, a leave of a car that nobody saw come. */
  stayId: orNone(ref<StayId>('停车记录', 'Stay')),
  kind: among('取证环节', 'Evidence stage', EvidenceKind),
  detector: among('检测方式', 'Detector', Detector),
  deviceNo: orNone(text('设备编号', 'Device', { max: 32 })),
  at: instant('时间', 'Time'),
  image: orNone(pictures('图片', 'Picture')),
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  confidence: orNone(whole('置信度', 'Confidence', { unit: 'permille', min: 0, max: 1000 })),
  showsBerth: yes('可见泊位号', 'Berth number visible'),
  showsPlate: yes('可见车牌', 'Plate visible'),
})

const { version, createdAt, updatedAt } = rowFields()
/** A stay on a berth of the street. */
export const RoadStay = entity(['路内停车', 'Roadside stay'], {
  id: id<StayId>(),
  parkCode: Park.properties.parkCode,
  sectionCode: text('路段编号', 'Section code', { max: 24 }),
  seatCode: Berth.properties.seatCode,
  /** Null: nobody knows it yet (待补录). */
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  vehicleClass: Stay.properties.vehicleClass,
  carKindIn: among('车辆类型', 'Car type', CarKind),
  arrivedAt: instant('驶入时间', 'Arrived at'),
  leftAt: orNone(instant('驶离时间', 'Left at')),
  chargedMin: orNone(minutes('停车时长', 'Parked for')),
  status: among('状态', 'Status', SessionStatus),
  abnormalType: among('异常类型', 'Abnormal', SessionAbnormal),
  payState: among('缴费状态', 'Payment', PayState),
  receivableFen: fen('应收', 'Receivable'),
  discountFen: fen('优惠', 'Discount'),
  payableFen: fen('应付', 'Payable'),
  paidFen: fen('实收', 'Paid'),
  arrearsFen: fen('欠费', 'Arrears'),
  orderId: orNone(ref<'OrderId'>('订单', 'Order')),
  ruleVersionId: orNone(text('收费规则版本', 'Fee rule version', { max: 40 })),
  detector: among('检测方式', 'Detector', Detector),
  confirmState: among('确认状态', 'Confirmation', ConfirmState),
  tollNo: orNone(text('收费员', 'Collector', { max: 64 })),
  /** There is a picture of its coming and one of its going, each with plate and berth number. */
  collectable: yes('可追缴', 'Collectable'),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  ...{ version, createdAt, updatedAt },
})
export const roadSearch = searchOf(
  RoadStay,
  {
    id: 'equals',
    parkCode: 'equals',
    sectionCode: 'equals',
    seatCode: 'equals',
    plateNo: 'plate',
    status: 'among',
    abnormalType: 'among',
    payState: 'among',
    detector: 'among',
    confirmState: 'among',
    collectable: 'equals',
    arrivedAt: 'between',
    leftAt: 'between',
  },
  { sort: ['arrivedAt'] },
)

/** Everything about one stay on the street: sightings, and the fee with its reasons. */
export const RoadStory = entity({
  stay: shaped('停车记录', 'Stay', RoadStay),
  parkName: text('片区', 'District'),
  sectionName: text('路段', 'Section'),
  berthNo: Berth.properties.berthNo,
  evidence: shaped('取证', 'Evidence', listOf(Evidence)),
  /** The evidence that the stay lacks before a debt of it may be asked for. */
  lacks: shaped('缺少证据', 'Missing evidence', listOf(among('取证环节', 'Evidence stage', EvidenceKind))),
  quote: orNone(shaped('计费', 'Fee', Quote)),
  /** Why it is free whatever its rule says; the rule's lines are then left out. */
  free: orNone(shaped('免费原因', 'Why it is free', message({ zh: text('中文', 'Chinese'), en: text('英文', 'English') }))),
  /** Its fee could not be right: why, and what a person said of it. */
  checks: shaped('费用核对', 'Fee checks', listOf(StoryEvent)),
  dueFen: fen('现在应付', 'Due now'),
  orderNo: orNone(text('订单号', 'Order number', { max: 40 })),
  takenBy: orNone(text('收款人', 'Taken by', { max: 40 })),
  cameOf: shaped('来自', 'Made from', listOf(id<StayId>())),
  became: shaped('成为', 'Became', listOf(id<StayId>())),
})

const V = { id: RoadStay.properties.id, version: RoadStay.properties.version }
const seat = { parkCode: RoadStay.properties.parkCode, seatCode: RoadStay.properties.seatCode }
const reason = text('原因', 'Reason', { max: 200 })
const seen = {
  image: pictures('图片', 'Picture'),
  plateColor: among('车牌颜色', 'Plate colour', PlateColor),
  special: yes('特殊车牌', 'Special plate'),
  showsBerth: yes('可见泊位号', 'Berth number visible'),
  showsPlate: yes('可见车牌', 'Plate visible'),
}
const view = { service: 'business', needs: 'roadside:stay:view', own: true } as const
const collect = { service: 'business', needs: 'roadside:stay:collect', writes: true, own: true } as const
const correct = { service: 'business', needs: 'roadside:stay:correct', writes: true, own: true } as const
const stayView = { service: 'fee', needs: 'roadside:stay:view' } as const
const roadOut = call('roadside.road-out.query-page', { ...stayView, get: '/roadOut/queryPage', query: paged(roadSearch), reply: pageOf(RoadStay) })
export const Receipt = entity({
  orderNo: text('订单号', 'Order number', { max: 40 }),
  amountFen: fen('金额', 'Amount'),
  /** The part of it that nobody owed: it goes back to the driver. */
  overFen: fen('多收', 'Taken above what was due'),
  payMethod: among('支付方式', 'Payment method', PayMethod),
  shiftId: id<'ShiftId'>('收银班次', 'Cash shift'),
  at: instant('时间', 'Time'),
})

const present = call('roadside.stay.query-present', { ...view, get: '/roadStay/queryPresent', query: paged(roadSearch), reply: pageOf(RoadStay) })
export const roadStay = {
  roadOut,
  present,
  presentExport: exportOf('roadside.stay.present-export', {
    ...view,
    get: '/roadStay/presentExport',
    title: ['路内在停车辆', 'Cars on berths'],
    query: present,
    columns: [
      'plateNo',
      'plateColor',
      'parkCode',
      'sectionCode',
      'seatCode',
      'arrivedAt',
      'leftAt',
      'status',
      'abnormalType',
      'receivableFen',
      'discountFen',
      'paidFen',
      'payState',
      'detector',
      'confirmState',
      'tollNo',
      'remark',
    ],
  }),
  story: call('roadside.stay.story', { ...view, heavy: true, get: '/roadStay/story', query: pick(RoadStay, 'id'), reply: RoadStory }),
  /** A person with a handheld sees a car on a berth, or its leaving. */
  arrive: call('roadside.stay.arrive', {
    ...collect,
    does: ['登记驶入', 'Recorded an arrival'],
    post: '/roadStay/arrive',
    /** With `leftAt` it is a visit that is over. */
    body: message(
      { ...seat, plateNo: plate() },
      {
        ...seen,
        at: instant('驶入时间', 'Arrived at'),
        leftAt: instant('驶离时间', 'Left at'),
        /** By the records the car stands on another berth, and is recorded here all the same. */
        reason: text('仍要登记的原因', 'Reason for recording it anyway', { max: 200 }),
      },
    ),
    reply: RoadStay,
  }),
  leave: call('roadside.stay.leave', {
    ...collect,
    does: ['登记驶离', 'Recorded a departure'],
    post: '/roadStay/leave',
    body: message(V, { image: seen.image, showsBerth: seen.showsBerth, showsPlate: seen.showsPlate, at: instant('驶离时间', 'Left at') }),
    reply: RoadStay,
  }),
  /** Bills the stay as if the car left now; its order is opened, or gets that amount. */
  bill: call('roadside.stay.bill', {
    ...collect,
    does: ['开具路内账单', 'Billed a roadside stay'],
    post: '/roadStay/bill',
    body: message(V),
    reply: message({
      version: RoadStay.properties.version,
      orderId: orNone(ref<'OrderId'>('订单', 'Order')),
      orderNo: orNone(text('订单号', 'Order number', { max: 40 })),
      dueFen: fen('应付', 'Due'),
    }),
  }),
  /**
   * Cash into the hands of the collector. Another amount than is due now is refused. With `deviceTime` it was taken off line: it is booked whatever the stay has become since (`version` is not compared), once,
   * however often it is told: it pays what was due at that moment, belongs to the shift of then, and what it differs by is told when that is closed.
   */
  collect: call('roadside.stay.collect', {
    ...collect,
    does: ['收取停车费', 'Took cash for a roadside stay'],
    post: '/roadStay/collect',
    body: message({ ...V, amountFen: fen('金额', 'Amount', { min: 1 }) }, { deviceTime: instant('设备时间', 'Device time') }),
    reply: Receipt,
  }),
  fillPlate: call('roadside.stay.fill-plate', {
    ...correct,
    does: ['补录车牌', 'Filled in a plate'],
    post: '/roadStay/fillPlate',
    body: message({ ...V, plateNo: plate() }, { plateColor: seen.plateColor, special: seen.special, image: seen.image, reason }),
    reply: RoadStay,
  }),
  addEvidence: call('roadside.stay.add-evidence', {
    ...correct,
    does: ['补充取证', 'Added evidence'],
    post: '/roadStay/addEvidence',
    body: message(
      { ...V, kind: Evidence.properties.kind, at: Evidence.properties.at, image: seen.image },
      { showsBerth: seen.showsBerth, showsPlate: seen.showsPlate },
    ),
    reply: RoadStay,
  }),
  confirm: call('roadside.stay.confirm', {
    ...correct,
    does: ['确认停车记录', 'Confirmed a stay'],
    post: '/roadStay/confirm',
    body: message(V),
    reply: RoadStay,
  }),
  /** Two cars were taken for one: at `at` the first had gone and the second stood there. Both are charged anew. */
  split: call('roadside.stay.split', {
    ...correct,
    does: ['拆分停车记录', 'Split a stay'],
    post: '/roadStay/split',
    body: message({ ...V, at: instant('拆分时间', 'Split at'), reason }),
    reply: listOf(RoadStay),
  }),
  /** One car was taken for two, with a gap of an hour at most between them. */
  merge: call('roadside.stay.merge', {
    ...correct,
    does: ['合并停车记录', 'Merged two stays'],
    post: '/roadStay/merge',
    body: message({ ids: shaped('停车记录', 'Stays', listOf(id<StayId>(), { max: 2 })), reason }),
    reply: RoadStay,
  }),
  export: exportOf('roadside.road-out.export', {
    ...stayView,
    get: '/roadOut/export',
    own: true,
    title: ['路内停车记录', 'Roadside stays'],
    query: roadOut,
    columns: [
      'plateNo',
      'plateColor',
      'parkCode',
      'sectionCode',
      'seatCode',
      'arrivedAt',
      'leftAt',
      'chargedMin',
      'receivableFen',
      'discountFen',
      'paidFen',
      'arrearsFen',
      'payState',
      'detector',
      'confirmState',
      'collectable',
      'remark',
    ],
  }),
}

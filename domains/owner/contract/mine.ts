import { call, PAGE, pageOf } from '../../../platform/contract/call.ts'
import {
  among,
  empty,
  entity,
  fen,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  plate,
  shaped,
  text,
  upload,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { ArrearsRecord } from '../../arrears/contract/file.ts'
import { Collected } from '../../arrears/contract/repayment.ts'
import { ChargeOrder } from '../../charging/contract/session.ts'
import { Order, Prepay } from '../../settlement/contract/order.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { DriverBill, DriverLine } from '../../settlement/contract/scan.ts'
import { Account, phone } from './account.ts'
import { RechargeActivity, Tier } from './activity.ts'
import { Movement, payFen, Recharged } from './asset.ts'
import { Agreement } from './agreement.ts'
import { Car } from './car.ts'
import { Quote, StoredRefund } from './refund.ts'

const parkName = text('车场', 'Car park', { max: 64 })
/** A plate as its driver sees it. */
export const MyCar = entity({
  ...pick(Car, 'id', 'version', 'plateNo', 'plateColor', 'vehicleClass', 'verifyState', 'autoDebit', 'isDefault', 'bindAt').properties,
  ...pick(Car, 'verdict', 'appeal', 'dueAt', 'proof').properties,
  /** With whom its driver has signed, or is signing, that fees are taken without asking. */
  debitMethod: orNone(Agreement.properties.payMethod),
  debitState: orNone(Agreement.properties.state),
  licencePictures: whole('行驶证图片', 'Licence pictures', { min: 0 }),
  appealPictures: whole('申诉图片', 'Appeal pictures', { min: 0 }),
  /** Somebody else says that it is theirs, and has it by then unless its driver objects. */
  claimedUntil: orNone(instant('他人申请，异议截止', 'Claimed by another: object before')),
})
export const MyHome = entity({
  nickname: Account.properties.nickname,
  phone,
  principalFen: fen('本金', 'Principal', { min: 0 }),
  bonusFen: fen('赠送', 'Bonus', { min: 0 }),
  frozenFen: fen('冻结', 'Frozen', { min: 0 }),
  points: orNone(whole('积分', 'Points')),
  coupons: orNone(whole('可用券', 'Coupons')),
  owedFen: fen('欠费', 'Arrears', { min: 0 }),
  debts: whole('欠费笔数', 'Debts', { min: 0 }),
  cars: shaped('车辆', 'Cars', listOf(MyCar)),
})
/** A car of the driver's that stands in a park now, with what it costs by now and why. */
export const MyParked = entity({ ...DriverBill.properties, parkCode: Order.properties.parkCode, parkName, since: instant('入场时间', 'Since') })
export const MyOrder = entity({
  ...pick(Order, 'id', 'orderNo', 'type', 'subject', 'plateNo', 'parkCode', 'receivableFen', 'discountFen', 'payableFen', 'paidFen', 'refundFen')
    .properties,
  ...pick(Order, 'status', 'payMethod', 'payTime', 'createdAt').properties,
  parkName: orNone(parkName),
})
export const MyDebt = entity({
  ...pick(ArrearsRecord, 'id', 'arrearsNo', 'orderType', 'plateNo', 'parkCode', 'amountFen', 'owedFen', 'sourceType', 'state', 'arrivedAt', 'leftAt')
    .properties,
  parkName: orNone(parkName),
})
export const MyBills = entity({
  debts: shaped('欠费', 'Debts', listOf(MyDebt)),
  open: shaped('待支付', 'To pay', listOf(MyOrder)),
  past: shaped('历史账单', 'Past bills', listOf(MyOrder)),
})
/** An order with how it adds up. */
export const MyBill = entity({
  ...MyOrder.properties,
  pointsFen: fen('其中积分', 'Of it in points', { min: 0 }),
  /** Of a bill for parking: when the car came and left. */
  arrivedAt: orNone(instant('入场时间', 'Entered')),
  leftAt: orNone(instant('离场时间', 'Left')),
  ruleName: orNone(text('收费规则', 'Fee rule', { max: 100 })),
  lines: shaped('计费明细', 'Fee breakdown', listOf(DriverLine)),
})
export const MyCharge = entity({
  ...pick(
    ChargeOrder,
    'orderNo',
    'plateNo',
    'status',
    'startTime',
    'endTime',
    'energyWh',
    'elecFen',
    'serviceFen',
    'occupyFen',
    'discountFen',
    'costFen',
  ).properties,
  stationName: text('充电站', 'Station', { max: 100 }),
  connectorId: ChargeOrder.properties.connectorId,
  /** Begun by the driver, who may end it; else by somebody at the gun, with a car of theirs. */
  own: yes('本人启动', 'Started by me'),
})
/** The bonus of a recharge at present. */
export const MyActivity = entity({
  ...pick(RechargeActivity, 'id', 'name', 'endAt', 'payMethods').properties,
  tiers: shaped('档位', 'Tiers', listOf(Tier)),
})
/** A movement of the driver's stored value, in or out. */
export const MyMovement = pick(
  Movement,
  'id',
  'purseKind',
  'cardNo',
  'kind',
  'amountFen',
  'principalFen',
  'bonusFen',
  'balanceAfterFen',
  'bizNo',
  'plateNo',
  'parkCode',
  'remark',
  'at',
)
const refunded = pick(StoredRefund, 'id', 'refundNo', 'amountFen', 'clawbackFen', 'payFen', 'doneFen', 'state', 'appliedAt', 'finishedAt', 'failure')

const look = { service: 'custom', needs: 'driver', own: true } as const
const act = { ...look, writes: true } as const
const one = pick(Car, 'id', 'version').properties
const payMethod = among('支付方式', 'Payment method', PayMethod)
const reason = text('说明', 'Explanation', { max: 500 })
/** All of a driver's own: whatever id is named, it is theirs, or there is no such thing. */
export const mine = {
  home: call('owner.mine.home', { ...look, post: '/owner/mine/home', body: empty, reply: MyHome }),
  /** Claims a plate, which is reviewed by its evidence: a pass that this phone number has for the plate, or pictures of the licence, which come after. */
  bind: call('owner.mine.bind', {
    ...act,
    post: '/owner/mine/bind',
    does: ['车主绑定车牌', 'A driver bound a plate'],
    body: message({ plateNo: plate() }, { plateColor: among('车牌颜色', 'Plate colour', PlateColor) }),
    reply: MyCar,
  }),
  /** A picture of the licence, while the plate waits for its review. */
  licencePicture: call('owner.mine.licence-picture', {
    ...act,
    heavy: true,
    post: '/owner/mine/licencePicture',
    does: ['车主上传行驶证', 'A driver added a picture of a licence'],
    multipart: message({ id: one.id, file: upload('图片', 'Picture') }),
    reply: MyCar,
  }),
  /** The default car, and automatic debit, which only a driver switches on, for a car that is verified as theirs. */
  setCar: call('owner.mine.set-car', {
    ...act,
    post: '/owner/mine/setCar',
    does: ['车主设置车辆', 'A driver changed a car’s settings'],
    body: message(one, { isDefault: yes('默认车辆', 'Default car'), autoDebit: Car.properties.autoDebit }),
    reply: MyCar,
  }),
  /** Fees of a verified car are taken at WeChat or Alipay from now on, once the driver has agreed there: the reply says where. */
  sign: call('owner.mine.sign', {
    ...act,
    post: '/owner/mine/sign',
    does: ['车主开通免密代扣', 'A driver began to set up automatic payment'],
    body: message({ ...one, payMethod }),
    reply: entity({ signUrl: text('签约地址', 'Where to agree', { max: 500 }) }),
  }),
  unsign: call('owner.mine.unsign', {
    ...act,
    post: '/owner/mine/unsign',
    does: ['车主关闭免密代扣', 'A driver turned automatic payment off'],
    body: message(one),
    reply: MyCar,
  }),
  unbind: call('owner.mine.unbind', {
    ...act,
    post: '/owner/mine/unbind',
    does: ['车主解绑车牌', 'A driver unbound a plate'],
    body: message(one),
    reply: nothing,
  }),
  appeal: call('owner.mine.appeal', {
    ...act,
    post: '/owner/mine/appeal',
    does: ['车主申诉车牌', 'A driver appealed a plate'],
    body: message({ ...one, reason }),
    reply: MyCar,
  }),
  /** A picture that shows whose the car is, for an appeal that waits. */
  appealPicture: call('owner.mine.appeal-picture', {
    ...act,
    heavy: true,
    post: '/owner/mine/appealPicture',
    does: ['车主上传申诉图片', 'A driver added a picture to an appeal'],
    multipart: message({ id: one.id, file: upload('图片', 'Picture') }),
    reply: MyCar,
  }),
  /** Against somebody else's claim on a plate that is verified as the driver's. */
  contest: call('owner.mine.contest', {
    ...act,
    post: '/owner/mine/contest',
    does: ['车主提出车牌异议', 'A driver objected to a claim'],
    body: message({ ...one, reason }),
    reply: MyCar,
  }),
  /** Brings the orders of cars that are parked up to this moment. */
  parked: call('owner.mine.parked', {
    ...act,
    heavy: true,
    logged: false,
    post: '/owner/mine/parked',
    does: ['车主查询在停费用', 'A driver checked fees due'],
    body: empty,
    reply: listOf(MyParked),
  }),
  bills: call('owner.mine.bills', { ...look, post: '/owner/mine/bills', body: empty, reply: MyBills }),
  bill: call('owner.mine.bill', { ...look, post: '/owner/mine/bill', body: message({ orderNo: Order.properties.orderNo }), reply: MyBill }),
  charges: call('owner.mine.charges', { ...look, post: '/owner/mine/charges', body: empty, reply: listOf(MyCharge) }),
  /** Through a channel, or a parking fee out of the driver's own stored value: then there is nowhere to go. */
  pay: call('owner.mine.pay', {
    ...act,
    post: '/owner/mine/pay',
    does: ['车主支付账单', 'A driver paid a bill'],
    body: message({ orderNo: Order.properties.orderNo, payMethod }),
    reply: pick(Prepay, 'orderNo', 'amountFen', 'payUrl', 'expiresAt'),
  }),
  /** One payment for these debts, all of them. `paidFen` is what the driver was told. */
  repay: call('owner.mine.repay', {
    ...act,
    post: '/owner/mine/repay',
    does: ['车主补缴欠费', 'A driver paid arrears'],
    body: message({ ids: listOf(ArrearsRecord.properties.id, { max: 50 }), paidFen: fen('补缴金额', 'To pay', { min: 1 }), payMethod }),
    reply: Collected,
  }),
  offers: call('owner.mine.offers', { ...look, post: '/owner/mine/offers', body: empty, reply: listOf(MyActivity) }),
  recharge: call('owner.mine.recharge', {
    ...act,
    post: '/owner/mine/recharge',
    does: ['车主自助充值', 'A driver recharged'],
    body: message({ payFen, payMethod }),
    reply: Recharged,
  }),
  movements: call('owner.mine.movements', { ...look, post: '/owner/mine/movements', body: message({}, PAGE), reply: pageOf(MyMovement) }),
  refunds: call('owner.mine.refunds', { ...look, post: '/owner/mine/refunds', body: empty, reply: listOf(refunded) }),
  /** Requests a refund, whose amount is frozen until two people have reviewed it. Nothing is written on a dry run. */
  refund: call('owner.mine.refund', {
    ...act,
    post: '/owner/mine/refund',
    does: ['车主申请储值退款', 'A driver requested a stored value refund'],
    body: message(
      { reason: text('退款原因', 'Refund reason', { max: 200 }) },
      { amountFen: fen('退款本金', 'Principal', { min: 1 }), dryRun: yes('仅试算', 'Trial only') },
    ),
    reply: entity({ ...Quote.properties, refundNo: orNone(StoredRefund.properties.refundNo) }),
  }),
}

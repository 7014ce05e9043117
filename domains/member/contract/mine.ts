import { call } from '../../../platform/contract/call.ts'
import { among, empty, entity, fen, id, listOf, message, orNone, pick, plate, shaped, text, whole, yes } from '../../../platform/contract/field.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { type GroupId, MemberGroup } from './group.ts'
import { DeferQuote, Pass, PassOrder } from './pass.ts'
import { CarFees, type CarFeesId } from './plan.ts'

const parkNames = shaped('可用车场', 'Car parks', listOf(text('车场', 'Car park', { max: 64 })))
/** A pass as its driver sees it: of a pass that is not their own, no car but theirs is named. */
export const MyPass = entity({
  ...pick(Pass, 'id', 'version', 'passNo', 'groupName', 'carFeesName', 'seatCode', 'seats', 'plates', 'timeWindow', 'startAt', 'endAt').properties,
  ...pick(Pass, 'daysLeft', 'status', 'refunding', 'rejectedFor').properties,
  ...pick(CarFees, 'priceFen', 'periodUnit', 'periodCount').properties,
  parkNames,
  otherCars: whole('其他车辆', 'Other cars', { min: 0 }),
  own: yes('本人月卡', 'Own pass'),
  renewable: yes('可自助续费', 'Online renewal'),
  /** Opened and not paid yet, with what it costs. */
  waiting: orNone(text('待支付订单', 'Order to pay', { max: 40 })),
  waitingFen: orNone(fen('待支付', 'To be paid', { min: 0 })),
})
const OnSale = pick(CarFees, 'id', 'name', 'priceFen', 'periodUnit', 'periodCount', 'validType', 'timeWindow', 'vehicleClasses')
/** A kind of pass that drivers buy by themselves. */
export const PassOffer = entity({
  groupId: id<GroupId>('月卡类型', 'Pass type'),
  ...pick(MemberGroup, 'name', 'maxCars', 'review').properties,
  parkNames,
  placesLeft: orNone(whole('剩余名额', 'Places left', { min: 0 })),
  plans: shaped('套餐', 'Plans', listOf(OnSale)),
})
/** The terms of a purchase or a renewal. `taken`: a car of it has a pass in that time already; whose is not said. */
export const MyQuote = entity({
  startAt: Pass.properties.startAt,
  endAt: Pass.properties.endAt,
  payableFen: fen('应付', 'Payable', { min: 0 }),
  placesLeft: orNone(whole('剩余名额', 'Places left')),
  taken: yes('已有月卡', 'Already has a pass'),
  quoteNo: orNone(DeferQuote.properties.quoteNo),
})

const look = { service: 'member', needs: 'driver', own: true } as const
const act = { ...look, writes: true } as const
const one = pick(Pass, 'id', 'version').properties
/** A driver buys for some years at most; a longer contract is made at the counter. */
const periods = whole('期数', 'Periods', { min: 1, max: 24 })
const payMethod = among('支付方式', 'Payment method', PayMethod)
const reason = text('原因', 'Reason', { max: 200 })
const wanted = {
  groupId: PassOffer.properties.groupId,
  carFeesId: id<CarFeesId>('套餐', 'Plan'),
  plates: shaped('车辆', 'Cars', listOf(plate(), { max: 5 })),
}
const { startAt, endAt } = Pass.properties
/** All of a driver's own: whatever pass or plate is named, it is theirs, or there is no such thing. */
export const mine = {
  passes: call('member.mine.passes', { ...look, post: '/member/mine/passes', body: empty, reply: listOf(MyPass) }),
  offers: call('member.mine.offers', { ...look, post: '/member/mine/offers', body: empty, reply: listOf(PassOffer) }),
  /** Quotes the renewal of a pass; without a pass, a purchase of a kind for some cars. Nothing is written. */
  quote: call('member.mine.quote', {
    ...look,
    post: '/member/mine/quote',
    body: message({ periods }, { id: one.id, ...wanted, startAt }),
    reply: MyQuote,
  }),
  /** `payableFen` and `startAt` are those that the driver was told; a sale not paid within half an hour is void. */
  buy: call('member.mine.buy', {
    ...act,
    post: '/member/mine/buy',
    does: ['车主购买月卡', 'A driver bought a pass'],
    body: message({ ...wanted, periods, startAt, payableFen: fen('应付', 'Payable', { min: 0 }), payMethod }),
    reply: PassOrder,
  }),
  /** With the number of a quote; 409 with a new one where a figure moved. */
  renew: call('member.mine.renew', {
    ...act,
    post: '/member/mine/renew',
    does: ['车主续费月卡', 'A driver renewed a pass'],
    body: message({ id: one.id, periods, quoteNo: DeferQuote.properties.quoteNo, payMethod }),
    reply: PassOrder,
  }),
  /** Pays for a pass that was opened and waits for its money. */
  pay: call('member.mine.pay', {
    ...act,
    post: '/member/mine/pay',
    does: ['车主支付月卡', 'A driver paid for a pass'],
    body: message({ id: one.id, payMethod }),
    reply: PassOrder,
  }),
  /** 车牌变更, to another plate that is verified as theirs. */
  changePlate: call('member.mine.change-plate', {
    ...act,
    post: '/member/mine/changePlate',
    does: ['车主变更月卡车牌', 'A driver changed the plate of a pass'],
    body: message({ ...one, plateNo: plate(), newPlateNo: plate() }),
    reply: MyPass,
  }),
  /** Access stops at once; the money goes back when the office has approved it. Nothing is written on a dry run. */
  refund: call('member.mine.refund', {
    ...act,
    post: '/member/mine/refund',
    does: ['车主申请退卡', 'A driver asked to cancel a pass'],
    body: message({ ...one, reason }, { dryRun: yes('仅试算', 'Trial only') }),
    reply: entity({ refundFen: fen('可退金额', 'Refundable', { min: 0 }), startAt, endAt, status: Pass.properties.status }),
  }),
}

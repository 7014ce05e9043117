import { call } from '../../../platform/contract/call.ts'
import {
  among,
  empty,
  entity,
  fen,
  instant,
  listOf,
  message,
  orNone,
  pick,
  plate,
  shaped,
  text,
  upload,
  whole,
} from '../../../platform/contract/field.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { Reservation, ShareBooking } from './booking.ts'
import { Payout } from './payout.ts'
import { FeesKind, OfferState, ShareFees, ShareOffer } from './sharing.ts'

const parkName = text('车场', 'Car park', { max: 64 })
const parkCode = ShareOffer.properties.parkCode
const prepaidFen = fen('预付', 'Prepaid', { min: 0 })
const { startAt, endAt } = ShareBooking.properties
/** A bay that is free for the time that was asked for, with what it costs. Whose it is is not said. */
export const FreeBay = entity({
  offerId: ShareOffer.properties.id,
  ...{ parkCode, parkName, seatNo: ShareOffer.properties.seatNo, startAt, endAt, prepaidFen },
  ...pick(ShareFees, 'graceMin', 'overtimePermille', 'cancelFreeMin').properties,
})
/** A park that keeps places, and by which rules. */
export const KeepingPark = entity({
  ...{ parkCode, parkName },
  ...pick(Reservation, 'depositFen', 'holdMin', 'cancelFreeMin').properties,
  openAheadHours: whole('可提前预约', 'Open ahead', { unit: 'hour' }),
})
export const MyBooking = entity({
  ...pick(ShareBooking, 'id', 'version', 'bookingNo', 'kind', 'parkCode', 'seatNo', 'plateNo', 'startAt', 'endAt', 'state').properties,
  ...pick(ShareBooking, 'prepaidFen', 'refundFen', 'overMin', 'overFen', 'payUntil', 'reason').properties,
  parkName,
  /** Cancelled until then, all of it goes back. */
  freeUntil: instant('免费取消截止', 'Free cancellation until'),
  /** After too many no-shows, this phone number books nothing until then. */
  bannedUntil: orNone(instant('暂停预约至', 'Bookings suspended until')),
})
/** Where the driver goes to pay; nowhere when nothing is to be paid. */
const Opened = entity({
  ...pick(ShareBooking, 'id', 'bookingNo', 'prepaidFen', 'payUntil').properties,
  payUrl: orNone(text('支付地址', 'Payment link', { max: 500 })),
})

const look = { service: 'business', needs: 'driver', own: true } as const
const act = { ...look, writes: true } as const
const kind = among('类型', 'Type', FeesKind)
const payMethod = among('支付方式', 'Payment method', PayMethod)
const one = pick(ShareBooking, 'id', 'version').properties
/** All of a driver's own: whatever booking or plate is named, it is theirs, or there is no such thing. */
export const mine = {
  /** By the hour from one moment to another, or for a month from one. */
  search: call('share.mine.search', {
    ...look,
    post: '/share/mine/search',
    body: message({ kind, startAt }, { endAt, parkCode }),
    reply: listOf(FreeBay),
  }),
  places: call('share.mine.places', { ...look, post: '/share/mine/places', body: empty, reply: listOf(KeepingPark) }),
  orders: call('share.mine.orders', { ...look, post: '/share/mine/orders', body: empty, reply: listOf(MyBooking) }),
  /** `prepaidFen` is what the driver was told. It is kept for a quarter of an hour until it is paid. */
  book: call('share.mine.book', {
    ...act,
    post: '/share/mine/book',
    does: ['车主预约共享车位', 'A driver booked a shared bay'],
    body: message({ offerId: ShareOffer.properties.id, kind, plateNo: plate(), startAt, prepaidFen, payMethod }, { endAt }),
    reply: Opened,
  }),
  /** A place in a park; a driver who books for themselves leaves the park's deposit, which goes back when the car comes. */
  keep: call('share.mine.keep', {
    ...act,
    post: '/share/mine/keep',
    does: ['车主预约车位', 'A driver reserved a place'],
    body: message({ parkCode, plateNo: plate(), startAt, prepaidFen, payMethod }),
    reply: Opened,
  }),
  pay: call('share.mine.pay', {
    ...act,
    post: '/share/mine/pay',
    does: ['车主支付预约', 'A driver paid for a booking'],
    body: message({ id: one.id, payMethod }),
    reply: Opened,
  }),
  cancel: call('share.mine.cancel', {
    ...act,
    post: '/share/mine/cancel',
    does: ['车主取消预约', 'A driver cancelled a booking'],
    body: message(one),
    reply: MyBooking,
  }),
}

/** A park that is open to owners' bays, its price per hour, and the owner's part of it. */
const SharingPark = entity({
  parkCode,
  parkName,
  splitPermille: ShareOffer.properties.splitPermille,
  priceFen: orNone(fen('每小时价格', 'Price per hour')),
})
export const MyBay = entity({
  ...pick(ShareOffer, 'id', 'version', 'parkCode', 'seatNo', 'windows', 'splitPermille', 'status', 'reason').properties,
  parkName,
  booked: whole('进行中的预约', 'Upcoming bookings', { min: 0 }),
  pictures: whole('权属证明', 'Proof pictures', { min: 0 }),
})
/** A booking of the owner's bay, without the car that parked there. */
const BayOrder = entity({
  ...pick(ShareBooking, 'id', 'bookingNo', 'kind', 'seatNo', 'startAt', 'endAt', 'state').properties,
  parkName,
  splitFen: fen('分成', 'My share', { min: 0 }),
  splitAt: orNone(instant('入账时间', 'Received at')),
})
const MyPayout = pick(Payout, 'id', 'payoutNo', 'amountFen', 'state', 'verdict', 'failure', 'createdAt', 'paidAt')
/** A driver's shared bays: the bays that they let, their earnings, and the payouts. */
export const MyBays = entity({
  bays: shaped('我的车位', 'My bays', listOf(MyBay)),
  parks: shaped('可共享车场', 'Car parks for sharing', listOf(SharingPark)),
  orders: shaped('我的订单', 'My orders', listOf(BayOrder)),
  payouts: shaped('提现', 'Payouts', listOf(MyPayout)),
  balanceFen: fen('可提现', 'Available'),
})
const bay = pick(ShareOffer, 'id', 'version').properties
/** The driver as the owner of bays. */
export const myBays = {
  bays: call('share.mine.bays', { ...look, post: '/share/mine/bays', body: empty, reply: MyBays }),
  /** Offers a bay, which waits until the operator has looked at it. */
  offer: call('share.mine.offer', {
    ...act,
    post: '/share/mine/offer',
    does: ['车主登记共享车位', 'A driver offered a bay'],
    body: pick(ShareOffer, 'parkCode', 'seatNo', 'windows'),
    reply: MyBay,
  }),
  /** A picture that shows whose the bay is, while it waits. */
  proof: call('share.mine.proof', {
    ...act,
    heavy: true,
    post: '/share/mine/proof',
    does: ['车主上传权属证明', 'A driver uploaded proof of a bay'],
    multipart: message({ id: ShareOffer.properties.id, file: upload('图片', 'Picture') }),
    reply: MyBay,
  }),
  /** Paused, offered again, or withdrawn for good. */
  turn: call('share.mine.turn', {
    ...act,
    post: '/share/mine/turn',
    does: ['车主变更共享车位', 'A driver changed a shared bay'],
    body: message({ ...bay, status: among('状态', 'Status', OfferState) }),
    reply: MyBay,
  }),
  payout: call('share.mine.payout', {
    ...act,
    post: '/share/mine/payout',
    does: ['车主申请分成提现', 'A driver requested a payout'],
    body: pick(Payout, 'amountFen', 'bank'),
    reply: MyPayout,
  }),
}

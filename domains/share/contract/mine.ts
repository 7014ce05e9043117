import { call } from '../../../platform/contract/call.ts'
import { among, empty, entity, fen, instant, listOf, message, orNone, pick, plate, text, whole } from '../../../platform/contract/field.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { Reservation, ShareBooking } from './booking.ts'
import { FeesKind, ShareFees, ShareOffer } from './sharing.ts'

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
  freeUntil: instant('免费取消截止', 'Free to cancel until'),
  /** It did not come too often: its car books nothing until then. */
  bannedUntil: orNone(instant('停约至', 'Suspended until')),
})
/** Where the driver goes to pay; nowhere when nothing is to be paid. */
const Opened = entity({
  ...pick(ShareBooking, 'id', 'bookingNo', 'prepaidFen', 'payUntil').properties,
  payUrl: orNone(text('支付地址', 'Pay at', { max: 500 })),
})

const look = { service: 'business', needs: 'driver', own: true } as const
const act = { ...look, writes: true } as const
const kind = among('类别', 'Kind', FeesKind)
const payMethod = among('支付方式', 'Paid with', PayMethod)
const one = pick(ShareBooking, 'id', 'version').properties
/** All of a driver's own: whatever booking or plate is named, it is theirs, or there is no such thing. */
export const mine = {
  /** By the hour from one moment to another, or for a month from one. */
  search: call('share.mine.search', { ...look, post: '/share/mine/search', body: message({ kind, startAt }, { endAt, parkCode }), reply: listOf(FreeBay) }),
  places: call('share.mine.places', { ...look, post: '/share/mine/places', body: empty, reply: listOf(KeepingPark) }),
  orders: call('share.mine.orders', { ...look, post: '/share/mine/orders', body: empty, reply: listOf(MyBooking) }),
  /** `prepaidFen` is what the driver was told. It is kept for a quarter of an hour until it is paid. */
  book: call('share.mine.book', {
    ...act, post: '/share/mine/book', does: ['车主预约共享车位', 'A driver booked a shared bay'],
    body: message({ offerId: ShareOffer.properties.id, kind, plateNo: plate(), startAt, prepaidFen, payMethod }, { endAt }), reply: Opened,
  }),
  /** A place in a park; whoever books for themselves leaves the park's deposit, which goes back when the car comes. */
  keep: call('share.mine.keep', {
    ...act, post: '/share/mine/keep', does: ['车主预约车位', 'A driver had a place kept'],
    body: message({ parkCode, plateNo: plate(), startAt, prepaidFen, payMethod }), reply: Opened,
  }),
  pay: call('share.mine.pay', { ...act, post: '/share/mine/pay', does: ['车主支付预约', 'A driver paid a booking'], body: message({ id: one.id, payMethod }), reply: Opened }),
  cancel: call('share.mine.cancel', { ...act, post: '/share/mine/cancel', does: ['车主取消预约', 'A driver cancelled a booking'], body: message(one), reply: MyBooking }),
} // prettier-ignore

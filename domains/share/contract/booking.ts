import { call, paged, pageOf, posted, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  permille,
  personal,
  pick,
  plate,
  rowFields,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { OrderStatus } from '../../settlement/contract/order.ts'
import { FeesKind, UseState } from './sharing.ts'

export const BookingKind = dictionary('share_booking_kind', ['预约类型', 'Booking type'], {
  hourly: [1, '时租', 'By the hour'],
  monthly: [2, '月卡', 'By the month'],
  place: [3, '预约', 'Place'],
})
export const BookingState = dictionary('share_order', ['预约状态', 'Booking status'], {
  unpaid: [0, '待支付', 'To pay', 'warning'],
  booked: [1, '已预约', 'Booked', 'success'],
  inUse: [2, '使用中', 'In use', 'success'],
  completed: [3, '已完成', 'Completed'],
  cancelled: [4, '已取消', 'Cancelled'],
  noShow: [5, '违约（未到）', 'No-show', 'error'],
  overrun: [6, '超时', 'Overrun', 'error'],
  refunded: [7, '退款', 'Refunded'],
})
export const bookingCan = moves(BookingState, {
  paid: { 0: 1 },
  /** Also for a booking that was counted as a no-show, when its arrival is told later. */
  arrive: { 1: 2, 5: 2 },
  /** A month's car leaves and comes again. */
  goOut: { 2: 1 },
  /** Another car was misread for it. */
  notCome: { 2: 1, 6: 1 },
  leave: { 2: 3, 6: 3 },
  overrun: { 2: 6 },
  expire: { 0: 4 },
  cancel: { 0: 4, 1: 4 },
  noShow: { 1: 5 },
  complete: { 1: 3 },
  /** The operator was at fault: the no-show is void and the money goes back. */
  void: { 5: 4 },
})
export const PayKind = dictionary('share_pay_kind', ['款项类型', 'Payment type'], {
  prepaid: [1, '预付', 'Prepaid'],
  overrun: [2, '超时费', 'Overrun fee'],
  refund: [3, '退款', 'Refund'],
  split: [4, '分成', 'Owner’s share'],
  payout: [5, '提现', 'Payout'],
})
const parkCode = text('车场编号', 'Car park code', { max: 16 })
const phone = personal('phone', text('手机', 'Phone', { max: 20, pattern: '^[0-9+*-]{5,20}$' }))
const kept = {
  ...rowFields<'ShareBookingId'>(),
  bookingNo: text('预约单号', 'Booking number', { max: 40 }),
  kind: among('类型', 'Type', BookingKind),
  parkCode,
  offerId: orNone(id<'ShareOfferId'>('车位', 'Bay id')),
  seatNo: orNone(text('车位号', 'Bay', { max: 24 })),
  plateNo: plate(),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  phone,
  startAt: instant('开始', 'From'),
  endAt: instant('结束', 'To'),
  state: among('状态', 'Status', BookingState),
  prepaidFen: fen('预约金额', 'Price', { min: 0 }),
  refundFen: fen('应退', 'To be refunded', { min: 0 }),
  splitFen: fen('业主分成', 'Owner’s share', { min: 0 }),
  splitAt: orNone(instant('分成时间', 'Share booked at')),
  orderId: orNone(id<'OrderId'>('订单', 'Order')),
  payUntil: orNone(instant('请在此前支付', 'Pay by')),
  stayId: orNone(id<'StayId'>('停车记录', 'Stay')),
  enteredAt: orNone(instant('入场时间', 'Entered at')),
  leftAt: orNone(instant('离场时间', 'Left at')),
  overMin: whole('超时时长', 'Overrun', { unit: 'minute', min: 0 }),
  overFen: fen('超时费', 'Overrun fee', { min: 0 }),
  overOrderId: orNone(id<'OrderId'>('超时订单', 'Overrun order')),
  reason: orNone(text('原因', 'Reason', { max: 200 })),
}
/** A bay or a place that is kept for a car. */
export const ShareBooking = entity(['共享预约', 'Booking'], {
  ...kept,
  /** The money paid so far, and the part refunded: an unpaid booking has a price and no payment, and a refund may be on its way. */
  paidFen: fen('已付', 'Paid', { min: 0 }),
  refundedFen: fen('已退', 'Refunded', { min: 0 }),
  ownerName: orNone(text('业主', 'Owner', { max: 40 })),
  orderNo: orNone(text('订单号', 'Order number', { max: 40 })),
  overOrderNo: orNone(text('超时订单号', 'Overrun order', { max: 40 })),
  overStatus: orNone(among('超时费状态', 'Overrun fee status', OrderStatus)),
})
/** Terms at the time of the booking; later changes do not touch them. */
export const terms = {
  ownerId: orNone(id<'OwnerId'>('业主编号', 'Owner id')),
  priceFen: fen('单价', 'Price', { min: 0 }),
  graceMin: whole('超时宽限', 'Grace', { unit: 'minute' }),
  overtimePermille: whole('超时费率', 'Overrun rate', { unit: 'permille' }),
  cancelFreeMin: whole('免费取消提前', 'Free cancellation before', { unit: 'minute' }),
  holdMin: whole('保留时长', 'Held for', { unit: 'minute' }),
  splitPermille: permille('业主分成比例', 'Owner’s share'),
  completedAt: orNone(instant('完成时间', 'Completed at')),
  earlierOver: shaped('先前的超时订单', 'Earlier overrun orders', listOf(id<'OrderId'>('订单', 'Order'))),
}
/** A booking as it is kept, with its terms. */
export const KeptBooking = entity({ ...kept, ...terms })
export const bookingSearch = searchOf(
  ShareBooking,
  {
    parkCode: 'equals',
    plateNo: 'plate',
    phone: 'equals',
    kind: 'among',
    state: 'among',
    bookingNo: 'equals',
    seatNo: 'equals',
    startAt: 'between',
  },
  { sort: ['startAt'] },
)
export const PayLine = entity({
  id: id<'ShareBookingId'>(),
  kind: among('款项类型', 'Type', PayKind),
  bookingNo: text('预约单号', 'Booking number', { max: 40 }),
  billNo: text('单号', 'Number', { max: 48 }),
  parkCode: text('车场编号', 'Car park code', { min: 0, max: 16 }),
  seatNo: orNone(text('车位号', 'Bay', { max: 24 })),
  plateNo: orNone(plate()),
  ownerName: orNone(text('业主', 'Owner', { max: 40 })),
  amountFen: fen('金额', 'Amount'),
  receivedFen: fen('收款', 'Received'),
  returnedFen: fen('退款', 'Refunded'),
  splitFen: fen('分成', 'Owners’ share'),
  paidOutFen: fen('提现', 'Payout'),
  payMethod: orNone(among('支付方式', 'Payment method', PayMethod)),
  at: instant('时间', 'Time'),
})
export const paySearch = searchOf(
  PayLine,
  { kind: 'among', parkCode: 'equals', plateNo: 'plate', bookingNo: 'equals', payMethod: 'among', at: 'between' },
  { sort: ['at'] },
)

const view = { service: 'business', needs: 'share:share:view' } as const
const book = { service: 'business', needs: 'share:order:edit', writes: true, own: true } as const
const appointments = call('share.share.query-share-appointment-record', {
  ...view,
  post: '/share/queryShareAppointmentRecord',
  body: paged(bookingSearch),
  reply: pageOf(ShareBooking),
})
const parkings = call('share.share.query-share-parking-record', {
  ...view,
  post: '/share/queryShareParkingRecord',
  body: paged(bookingSearch),
  reply: pageOf(ShareBooking),
})
const timeouts = call('share.share.query-share-timeout-record', {
  ...view,
  post: '/share/queryShareTimeoutRecord',
  body: paged(bookingSearch),
  reply: pageOf(ShareBooking),
})
const pays = call('share.share.query-share-pay-detail', {
  ...view,
  post: '/share/querySharePayDetail',
  body: paged(paySearch),
  reply: pageOf(PayLine),
})
const columns = [
  'bookingNo',
  'kind',
  'parkCode',
  parkName,
  'seatNo',
  'ownerName',
  'plateNo',
  'phone',
  'startAt',
  'endAt',
  'state',
  'prepaidFen',
  'paidFen',
  'refundFen',
  'refundedFen',
  'orderNo',
] as const
export const booking = {
  appointments,
  parkings,
  timeouts,
  pays,
  appointmentExport: exportOf('share.share.export-share-appointment-record', {
    ...view,
    get: '/share/exportShareAppointmentRecord',
    title: ['共享预约', 'Shared bay bookings'],
    query: appointments,
    columns: [...columns],
  }),
  parkingExport: exportOf('share.share.export-share-parking-record', {
    ...view,
    get: '/share/exportShareParkingRecord',
    title: ['共享停车记录', 'Stays in shared bays'],
    query: parkings,
    columns: [...columns, 'enteredAt', 'leftAt', 'overMin'],
  }),
  timeoutExport: exportOf('share.share.export-share-timeout-record', {
    ...view,
    get: '/share/exportShareTimeoutRecord',
    title: ['共享超时记录', 'Sharing overruns'],
    query: timeouts,
    columns: [...columns, 'overMin', 'overFen', 'overOrderNo', 'overStatus'],
  }),
  payExport: exportOf('share.share.export-share-pay-detail', {
    ...view,
    get: '/share/exportSharePayDetail',
    title: ['共享订单', 'Sharing orders'],
    query: pays,
    columns: ['kind', 'bookingNo', 'billNo', 'parkCode', parkName, 'seatNo', 'plateNo', 'ownerName', 'amountFen', 'payMethod', 'at'],
  }),
  /** Books a bay for a driver at the counter, by the hour or for a month; it is kept for fifteen minutes until it is paid. */
  book: call('share.order.book', {
    ...book,
    post: '/share/orderBook',
    does: ['预约共享车位', 'Booked a shared bay'],
    body: message(
      {
        offerId: id<'ShareOfferId'>('车位', 'Bay'),
        kind: among('类型', 'Type', FeesKind),
        plateNo: plate(),
        phone,
        startAt: instant('开始', 'From'),
      },
      { plateColor: among('车牌颜色', 'Plate colour', PlateColor), endAt: instant('结束', 'To') },
    ),
    reply: ShareBooking,
  }),
  cancel: call('share.order.cancel', {
    ...book,
    post: '/share/orderCancel',
    does: ['取消共享预约', 'Cancelled a shared bay booking'],
    body: message({ ...pick(ShareBooking, 'id', 'version').properties, reason: text('原因', 'Reason', { max: 200 }) }),
    reply: ShareBooking,
  }),
}

export const ReservationKind = dictionary('reservation_kind', ['记录类型', 'Record type'], {
  booking: [1, '预约', 'Booking'],
  rules: [2, '配置', 'Rules'],
})
const rules = {
  quota: whole('预约车位数', 'Places', { min: 0, max: 10_000 }),
  openAheadHours: whole('可提前预约', 'Open ahead', { unit: 'hour', min: 1, max: 720 }),
  holdMin: whole('保留时长', 'Held for', { unit: 'minute', min: 5, max: 240 }),
  cancelFreeMin: whole('免费取消提前', 'Free cancellation before', { unit: 'minute', min: 0, max: 1440 }),
  depositFen: fen('保证金', 'Deposit', { min: 0 }),
  maxActive: whole('每车同时预约', 'Active per car', { min: 1, max: 20 }),
  defaultLimit: whole('30 天违约上限', 'No-shows in 30 days', { min: 1, max: 100 }),
  banDays: whole('暂停预约天数', 'Booking ban (days)', { min: 1, max: 365 }),
}
/** A place kept in a park, or (kind 2) the rules of a park that keeps places. */
export const Reservation = entity(['停车预约', 'Reservation'], {
  ...rowFields<'ReservationId'>(),
  kind: among('记录类型', 'Type', ReservationKind),
  parkCode,
  bookingNo: orNone(text('预约单号', 'Booking number', { max: 40 })),
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  phone: orNone(phone),
  startAt: orNone(instant('预约到场时间', 'Arrival time')),
  endAt: orNone(instant('预约至', 'To')),
  state: orNone(among('预约状态', 'Status', BookingState)),
  paidFen: fen('已付', 'Paid', { min: 0 }),
  refundFen: fen('应退', 'To be refunded', { min: 0 }),
  orderNo: orNone(text('订单号', 'Order number', { max: 40 })),
  enteredAt: orNone(instant('入场时间', 'Entered at')),
  leftAt: orNone(instant('离场时间', 'Left at')),
  reason: orNone(text('原因', 'Reason', { max: 200 })),
  bannedUntil: orNone(instant('暂停预约至', 'Bookings suspended until')),
  status: orNone(among('启用状态', 'In use', UseState)),
  holdMin: rules.holdMin,
  cancelFreeMin: rules.cancelFreeMin,
  depositFen: rules.depositFen,
  quota: orNone(rules.quota),
  openAheadHours: orNone(rules.openAheadHours),
  maxActive: orNone(rules.maxActive),
  defaultLimit: orNone(rules.defaultLimit),
  banDays: orNone(rules.banDays),
})
export const reservationSearch = searchOf(
  Reservation,
  { kind: 'equals', parkCode: 'equals', plateNo: 'plate', phone: 'equals', state: 'among', bookingNo: 'equals', startAt: 'between' },
  { sort: ['createdAt'] },
)
/** How a park's places stand right now. */
export const Supervised = entity({
  id: parkCode,
  parkCode,
  quota: rules.quota,
  active: whole('有效预约', 'Active', { min: 0 }),
  held: whole('占用余位', 'Held', { min: 0 }),
  free: whole('余位', 'Free bays'),
})

const look = { service: 'business', needs: 'share:reservation:view' } as const
const reserve = { service: 'business', needs: 'share:reservation:edit', writes: true } as const
const query = call('share.reservation.query', { ...look, post: '/parkReservation/query', body: paged(reservationSearch), reply: pageOf(Reservation) })
const updateStatus = call('share.reservation.update-status', {
  ...reserve,
  get: '/parkReservation/updateStatus',
  does: ['变更预约状态', 'Changed a reservation'],
  query: message(
    { id: Reservation.properties.id, status: whole('状态', 'Status', { min: 1, max: 7 }) },
    { reason: text('原因', 'Reason', { max: 200 }) },
  ),
  reply: nothing,
})
export const reservation = {
  query,
  one: call('share.reservation.query-one', {
    ...look,
    post: '/parkReservation/queryReservationOne',
    body: pick(Reservation, 'id'),
    reply: Reservation,
  }),
  /** kind 1 keeps a place for a car at the counter, without a deposit; kind 2 sets a park's rules. */
  insert: call('share.reservation.insert', {
    ...reserve,
    post: '/parkReservation/insert',
    does: ['新增停车预约', 'Added a reservation'],
    body: message(
      { kind: among('记录类型', 'Type', ReservationKind), parkCode },
      {
        plateNo: plate(),
        plateColor: among('车牌颜色', 'Plate colour', PlateColor),
        phone,
        startAt: instant('预约到场时间', 'Arrival time'),
        endAt: instant('预约至', 'To'),
        ...rules,
      },
    ),
    reply: nothing,
  }),
  updateStatus,
  updateStatusPost: posted('share.reservation.update-status-post', updateStatus),
  export: exportOf('share.reservation.export', {
    ...look,
    get: '/parkReservation/queryExport',
    title: ['停车预约', 'Reservations'],
    query,
    columns: [
      'bookingNo',
      'parkCode',
      parkName,
      'plateNo',
      'phone',
      'startAt',
      'endAt',
      'state',
      'depositFen',
      'paidFen',
      'refundFen',
      'enteredAt',
      'leftAt',
      'bannedUntil',
      'reason',
    ],
  }),
  supervise: call('share.reservation.supervise', {
    ...look,
    own: true,
    get: '/parkReservation/supervise',
    query: message({}, { parkCode }),
    reply: pageOf(Supervised),
  }),
  liftBan: call('share.reservation.lift-ban', {
    service: 'business',
    needs: 'share:reservation:lift',
    writes: true,
    own: true,
    post: '/parkReservation/liftBan',
    does: ['解除暂停预约', 'Lifted a booking ban'],
    body: message({ ...pick(Reservation, 'id').properties, reason: text('原因', 'Reason', { max: 200 }) }),
    reply: nothing,
  }),
}

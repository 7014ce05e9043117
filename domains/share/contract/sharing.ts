import { call, paged, pageOf, posted, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  images,
  instant,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  permille,
  personal,
  pick,
  pickSome,
  rowFields,
  shaped,
  text,
  whole,
  orSaid,
} from '../../../platform/contract/field.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'

export const UseState = dictionary('share_use', ['启用状态', 'In use'], { on: [1, '启用', 'In use', 'success'], off: [2, '停用', 'Disabled'] })
export const FeesKind = dictionary('share_fees_kind', ['共享计费类型', 'Rates type'], {
  hourly: [1, '时租', 'By the hour'],
  monthly: [2, '月卡', 'By the month'],
})
export const OfferState = dictionary('share_offer', ['共享车位状态', 'Shared bay status'], {
  waiting: [0, '待审', 'Pending review', 'warning'],
  offered: [1, '上架', 'On offer', 'success'],
  withdrawn: [2, '下架', 'Withdrawn'],
  paused: [3, '暂停', 'Paused', 'warning'],
  rejected: [4, '驳回', 'Rejected', 'error'],
})
/** Paused keeps what is booked and takes nothing new; withdrawn only with nothing booked. */
export const offerCan = moves(OfferState, { approve: { 0: 1 }, reject: { 0: 4 }, pause: { 1: 3 }, resume: { 3: 1 }, withdraw: { 1: 2, 3: 2 } })

const parkCode = text('车场编号', 'Car park code', { max: 16 })
/** Terms of sharing in a park; a change is a new version, and orders keep theirs. */
export const ShareFees = entity(['共享计费', 'Sharing rates'], {
  ...rowFields<'ShareFeesId'>(),
  name: text('名称', 'Name', { max: 40 }),
  parkCode,
  kind: among('类型', 'Type', FeesKind),
  priceFen: fen('单价', 'Price', { min: 1 }),
  capFen: orNone(fen('封顶', 'Cap per booking', { min: 1 })),
  graceMin: whole('超时宽限', 'Grace', { unit: 'minute', min: 0, max: 120 }),
  overtimePermille: whole('超时费率', 'Overrun rate', { unit: 'permille', min: 0, max: 5000 }),
  cancelFreeMin: whole('免费取消提前', 'Free cancellation before', { unit: 'minute', min: 0, max: 10_080 }),
  splitPermille: permille('业主分成', 'Owner’s share'),
  status: among('状态', 'Status', UseState),
})
export const feesSearch = searchOf(ShareFees, { parkCode: 'equals', kind: 'equals', status: 'among', name: 'contains' }, { sort: ['createdAt'] })
export const SharedPark = entity(['共享车场', 'Shared car park'], {
  ...rowFields<'SharedParkId'>(),
  parkCode,
  feesId: orNone(id<'ShareFeesId'>('计费', 'Rates')),
  feesName: orNone(text('计费名称', 'Rates', { max: 40 })),
  maxBays: whole('车位上限', 'Bay limit', { min: 1, max: 10_000 }),
  bays: whole('共享车位', 'Shared bays', { min: 0 }),
  held: whole('占用中', 'Bays held', { min: 0 }),
  status: among('状态', 'Status', UseState),
})
export const parkSearch = searchOf(SharedPark, { parkCode: 'equals', status: 'among' }, { sort: ['createdAt'] })

const clock = text('时间', 'Time of day', { max: 5, pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$' })
const Window = entity({ day: whole('星期', 'Weekday', { min: 1, max: 7 }), from: clock, to: clock })
/** A week has no more stretches than these. */
export const WINDOWS_MAX = 28
/** A bay that its owner lets in weekly windows; without an owner it is the operator's. */
export const ShareOffer = entity(['共享车位', 'Shared bay'], {
  ...rowFields<'ShareOfferId'>(),
  parkCode,
  seatNo: text('车位号', 'Bay', { max: 24 }),
  ownerId: orNone(id<'OwnerId'>('车主编号', 'Owner id')),
  ownerName: orSaid(text('业主', 'Owner', { max: 40 })),
  phone: orNone(personal('phone', text('手机', 'Phone', { max: 20 }))),
  proof: orNone(images('权属证明', 'Proof')),
  windows: shaped('开放时段', 'Windows', listOf(Window, { max: WINDOWS_MAX })),
  splitPermille: permille('业主分成', 'Owner’s share'),
  status: among('状态', 'Status', OfferState),
  reason: orNone(text('原因', 'Reason', { max: 200 })),
})
export const offerSearch = searchOf(
  ShareOffer,
  { parkCode: 'equals', seatNo: 'startsWith', ownerName: 'contains', ownerId: 'equals', phone: 'equals', status: 'among' },
  { sort: ['createdAt'] },
)
/** A booking in a bay's calendar, with its car. */
const Bar = entity({
  bookingId: id<'ShareBookingId'>('预约', 'Booking'),
  bookingNo: text('预约单号', 'Booking number'),
  offerId: id<'ShareOfferId'>('车位', 'Bay'),
  seatNo: text('车位号', 'Bay'),
  plateNo: personal('plate', text('车牌号', 'Plate')),
  phone: personal('phone', text('手机', 'Phone')),
  startAt: instant('开始', 'From'),
  endAt: instant('结束', 'To'),
  state: whole('状态', 'Status'),
})

const view = { service: 'business', needs: 'share:share:view' } as const
const edit = { service: 'business', needs: 'share:share:edit', writes: true } as const
const feesFields = ['priceFen', 'graceMin', 'overtimePermille', 'cancelFreeMin', 'splitPermille'] as const
const fees = call('share.share.query-share-fees-role-info', {
  ...view,
  post: '/share/queryShareFeesRoleInfo',
  body: paged(feesSearch),
  reply: pageOf(ShareFees),
})
const updateFees = call('share.share.update-share-fees-role-info', {
  ...edit,
  get: '/share/updateShareFeesRoleInfo',
  does: ['修改共享计费', 'Changed sharing rates'],
  query: pickSome(ShareFees, ['id', 'version'], ['name', ...feesFields, 'capFen', 'status']),
  reply: nothing,
})
const updateMember = call('share.share.update-share-member-state', {
  ...edit,
  get: '/share/updateShareMemberState',
  does: ['变更共享车位状态', 'Changed a shared bay’s status'],
  query: message({ id: ShareOffer.properties.id, state: among('状态', 'Status', OfferState) }, { reason: text('原因', 'Reason', { max: 200 }) }),
  reply: nothing,
})
const members = call('share.share.query-share-member-info', {
  ...view,
  post: '/share/queryShareMemberInfo',
  body: paged(offerSearch),
  reply: pageOf(ShareOffer),
})
export const sharing = {
  pickParks: call('share.share.query-share-parking-list', {
    ...view,
    get: '/share/queryShareParkingList',
    query: message({}),
    reply: listOf(entity({ parkCode, name: text('车场', 'Car park'), shared: whole('已共享', 'Shared', { min: 0, max: 1 }) })),
  }),
  parks: call('share.share.query-share-parking', { ...view, post: '/share/queryShareParking', body: paged(parkSearch), reply: pageOf(SharedPark) }),
  updatePark: call('share.share.update-share-parking', {
    ...edit,
    post: '/share/updateShareParking',
    does: ['设置共享车场', 'Set up a shared car park'],
    body: message(
      { parkCode, status: SharedPark.properties.status },
      { feesId: id<'ShareFeesId'>('计费', 'Rates'), maxBays: SharedPark.properties.maxBays },
    ),
    reply: nothing,
  }),
  fees,
  insertFees: call('share.share.insert-share-fees', {
    ...edit,
    post: '/share/insertShareFees',
    does: ['新增共享计费', 'Added sharing rates'],
    body: message(
      { name: ShareFees.properties.name, parkCode, kind: ShareFees.properties.kind, ...pick(ShareFees, ...feesFields).properties },
      { capFen: fen('封顶', 'Cap per booking', { min: 1 }) },
    ),
    reply: nothing,
  }),
  updateFees,
  updateFeesPost: posted('share.share.update-share-fees-role-info-post', updateFees),
  members,
  updateMember,
  updateMemberPost: posted('share.share.update-share-member-state-post', updateMember),
  memberExport: exportOf('share.share.export-share-member-info', {
    ...view,
    get: '/share/exportShareMemberInfo',
    title: ['共享车位', 'Shared bays'],
    query: members,
    columns: ['parkCode', parkName, 'seatNo', 'ownerName', 'phone', 'splitPermille', 'status', 'reason', 'createdAt'],
  }),
  /** A bay of the operator's own, or one that an owner brings to the counter. */
  insertOffer: call('share.offer.insert', {
    ...edit,
    own: true,
    post: '/share/offerInsert',
    does: ['登记共享车位', 'Registered a shared bay'],
    body: message(
      { parkCode, seatNo: ShareOffer.properties.seatNo, windows: ShareOffer.properties.windows },
      {
        ownerId: id<'OwnerId'>('车主编号', 'Owner id'),
        ownerName: text('业主', 'Owner', { max: 40 }),
        phone: personal('phone', text('手机', 'Phone', { max: 20, pattern: '^[0-9+*-]{5,20}$' })),
        proof: images('权属证明', 'Proof'),
        splitPermille: permille('业主分成', 'Owner’s share'),
      },
    ),
    reply: ShareOffer,
  }),
  calendar: call('share.calendar.bay', {
    ...view,
    own: true,
    get: '/share/calendarBay',
    query: message({ parkCode, from: instant('自', 'From'), to: instant('至', 'To') }, { offerId: id<'ShareOfferId'>('车位', 'Bay') }),
    reply: listOf(Bar),
  }),
}

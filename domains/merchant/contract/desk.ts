import { call } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  dictionary,
  empty,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  plate,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { client, digest } from '../../identity/contract/session.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { Merchant } from './merchant.ts'
import { CouponCounts, Statement, StatementDay } from './statement.ts'

/** Coupons that a merchant may still issue: of one purchase, with what each does in words. */
export const DeskSale = entity(['可发券', 'Coupons to issue'], {
  soldId: id<'CouponSoldId'>('销售单', 'Sale'),
  name: text('名称', 'Name'),
  worthZh: text('优惠', 'Discount (Chinese)', { max: 100 }),
  worthEn: text('优惠（英文）', 'Discount (English)', { max: 100 }),
  leftQty: whole('剩余', 'Left', { min: 0 }),
  /** The money put on hold for each issued coupon: 0 where it was paid when bought. */
  holdsFen: fen('每张冻结', 'On hold per coupon', { min: 0 }),
})
export const DeskState = dictionary('desk_coupon_state', ['发放状态', 'Issue status'], {
  issued: [1, '待使用', 'Unused', 'success'],
  locked: [2, '结算中', 'In payment', 'warning'],
  used: [3, '已使用', 'Used', 'default'],
  expired: [4, '已过期', 'Expired', 'default'],
  withdrawn: [5, '已撤回', 'Withdrawn', 'default'],
})
/** A coupon that the merchant gave to a car. */
export const DeskCoupon = entity(['已发券', 'Issued coupon'], {
  id: id<'CouponId'>(),
  version: whole('版本', 'Version', { min: 1 }),
  couponNo: text('券号', 'Number', { max: 40 }),
  name: text('名称', 'Name'),
  plateNo: plate(),
  state: among('状态', 'Status', DeskState),
  issuedAt: instant('发放时间', 'Issued at'),
  validTo: instant('失效时间', 'Valid until'),
  deductedFen: orNone(fen('实际抵扣', 'Deducted', { min: 0 })),
})
const { mchNo, name, settleMode, balanceFen, quotaFen, usedFen, heldFen } = Merchant.properties
export const DeskHome = entity(['商户首页', 'Merchant home'], {
  ...{ mchNo, name, settleMode, balanceFen, quotaFen, usedFen, heldFen },
  today: shaped('今日', 'Today', CouponCounts),
  sales: shaped('可发券', 'Coupons to issue', listOf(DeskSale)),
})

/** Where a telephone goes that scans it; nobody who has seen the page after that can use it. */
export const DeskCode = entity(['领券码', 'Coupon code'], {
  path: text('地址', 'Address', { max: 200 }),
  name: DeskSale.properties.name,
  expiresAt: instant('有效期至', 'Valid until'),
})

export const INSIDE_MOST = 5
/** A car that is in a park of the merchant: whether it came, how long it has been there and what it owes, before a coupon is given. */
export const DeskCar = entity(['在场车辆', 'Car inside'], {
  plateNo: plate(),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  parkName: text('车场', 'Park', { max: 64 }),
  entryTime: instant('入场时间', 'Entered at'),
  dueFen: orNone(fen('现在应付', 'Due now', { min: 0 })),
})
/** As much as a telephone sends at once. */
const RECHARGE_MOST = 5_000_000

const DESK = { service: 'custom', own: true } as const
const mine = { ...DESK, needs: 'merchant' } as const
const given = { id: DeskCoupon.properties.id, version: DeskCoupon.properties.version }
/** Calls of a merchant's own page, on a phone. */
export const desk = {
  signIn: call('merchant.desk.sign-in', {
    ...DESK,
    post: '/merchant/desk/signIn',
    needs: 'public',
    writes: true,
    does: ['商户登录', 'A merchant signed in'],
    body: message({ mchNo, password: digest('密码', 'Password') }, client),
    reply: message({ access_token: text('访问令牌', 'Access token', { max: 128 }), mustChange: yes('须修改密码', 'Must change the password') }),
  }),
  signOut: call('merchant.desk.sign-out', {
    ...mine,
    post: '/merchant/desk/signOut',
    writes: true,
    does: ['商户退出登录', 'A merchant signed out'],
    body: empty,
    reply: nothing,
  }),
  /** The other sessions of the merchant end. */
  changePassword: call('merchant.desk.change-password', {
    ...mine,
    post: '/merchant/desk/changePassword',
    writes: true,
    does: ['商户修改密码', 'A merchant changed its password'],
    body: message({ oldPassword: digest('原密码', 'Old password'), newPassword: digest('新密码', 'New password') }),
    reply: nothing,
  }),
  home: call('merchant.desk.home', { ...mine, post: '/merchant/desk/home', body: empty, reply: DeskHome }),
  /** Cars inside the merchant's parks by how their plates end, at most five. */
  inside: call('merchant.desk.inside', {
    ...mine,
    post: '/merchant/desk/inside',
    body: message({ ending: text('车牌末几位', 'End of the plate', { min: 3, max: 10 }) }),
    reply: listOf(DeskCar),
  }),
  /** The merchant's own money by a channel: paid, it repays credit and the rest is balance. */
  recharge: call('merchant.desk.recharge', {
    ...mine,
    post: '/merchant/desk/recharge',
    writes: true,
    does: ['商户自助充值', 'A merchant recharged'],
    body: message({
      amountFen: fen('充值金额', 'Amount', { min: 100, max: RECHARGE_MOST }),
      payMethod: among('支付方式', 'Payment method', PayMethod),
    }),
    reply: message({ orderNo: text('订单号', 'Order number', { max: 40 }), payUrl: orNone(text('支付地址', 'Pay at', { max: 500 })) }),
  }),
  /** One coupon of a purchase for one car, also before it comes. */
  validate: call('merchant.desk.validate', {
    ...mine,
    post: '/merchant/desk/validate',
    writes: true,
    does: ['商户发券', 'A merchant issued a coupon'],
    body: message({ soldId: DeskSale.properties.soldId, plateNo: plate() }),
    reply: DeskCoupon,
  }),
  /** A code for one coupon of a purchase; the first driver to scan it takes the coupon for their car. */
  qr: call('merchant.desk.qr', {
    ...mine,
    post: '/merchant/desk/qr',
    writes: true,
    does: ['商户出示领券码', 'A merchant showed a coupon code'],
    body: message({ soldId: DeskSale.properties.soldId }),
    reply: DeskCode,
  }),
  issued: call('merchant.desk.issued', {
    ...mine,
    post: '/merchant/desk/issued',
    body: message({}, { day: day('日期', 'Day') }),
    reply: listOf(DeskCoupon),
  }),
  /** While nobody has used it or is paying with it. */
  withdraw: call('merchant.desk.withdraw', {
    ...mine,
    post: '/merchant/desk/withdraw',
    writes: true,
    does: ['商户撤回优惠券', 'A merchant withdrew a coupon'],
    body: message(given),
    reply: DeskCoupon,
  }),
  /** Its days, the latest first. */
  statements: call('merchant.desk.statements', {
    ...mine,
    post: '/merchant/desk/statements',
    body: message({}, { before: day('早于', 'Before') }),
    reply: listOf(Statement),
  }),
  day: call('merchant.desk.day', {
    ...mine,
    post: '/merchant/desk/day',
    body: message({ day: Statement.properties.day }),
    reply: StatementDay,
  }),
}

import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  account,
  among,
  day,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  moves,
  orNone,
  plate,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { mchId } from '../../merchant/contract/merchant.ts'
import { Sold } from './sold.ts'
import { CouponType, Template } from './template.ts'

export const CouponState = dictionary('coupon_state', ['券状态', 'Coupon status'], {
  inStock: [0, '未发放', 'In stock'],
  issued: [1, '已发放', 'Issued', 'success'],
  locked: [2, '已锁定', 'Locked', 'warning'],
  used: [3, '已使用', 'Used', 'default'],
  expired: [4, '已过期', 'Expired', 'default'],
  withdrawn: [5, '已作废', 'Withdrawn', 'default'],
  givenBack: [6, '已退回', 'Returned', 'warning'],
})
const { issued, locked, used, expired, withdrawn, givenBack } = CouponState
/** Stock is a count: a coupon begins when it is issued. */
export const couponCan = moves(CouponState, {
  lock: { [issued]: locked, [locked]: locked },
  letGo: { [locked]: issued },
  use: { [locked]: used },
  giveBack: { [used]: givenBack },
  again: { [givenBack]: issued },
  expire: { [issued]: expired, [givenBack]: expired },
  withdraw: { [issued]: withdrawn },
})

/** One coupon of one car. */
export const Coupon = entity(['优惠券', 'Coupon'], {
  ...rowFields<'CouponId'>(),
  couponNo: text('券号', 'Number', { max: 40 }),
  templateId: id<'CouponTemplateId'>('券模板', 'Template'),
  name: Template.properties.name,
  type: among('类型', 'Type', CouponType),
  value: Template.properties.value,
  soldId: orNone(id<'CouponSoldId'>('销售单', 'Sale')),
  soldNo: orNone(Sold.properties.soldNo),
  mchId: orNone(mchId),
  mchName: orNone(text('商户', 'Merchant')),
  plateNo: plate(),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  state: among('状态', 'Status', CouponState),
  validFrom: instant('生效时间', 'Valid from'),
  validTo: instant('失效时间', 'Valid until'),
  heldFen: fen('冻结金额', 'On hold', { min: 0 }),
  takeFen: fen('抵扣金额', 'Deducted', { min: 0 }),
  orderId: orNone(id<'OrderId'>('订单', 'Order')),
  reason: orNone(account('发放原因', 'Reason', { max: 200 })),
  issuedBy: text('发放人', 'Issued by'),
  issuedAt: instant('发放时间', 'Issued at'),
  endedAt: orNone(instant('结束时间', 'Ended at')),
})
export const couponSearch = searchOf(
  Coupon,
  {
    plateNo: 'plate',
    state: 'among',
    templateId: 'equals',
    mchId: 'equals',
    soldId: 'equals',
    soldNo: 'equals',
    couponNo: 'equals',
    type: 'among',
    issuedAt: 'between',
    validTo: 'between',
  },
  { sort: ['issuedAt'] },
)

export const Verdict = dictionary('coupon_verdict', ['选用结果', 'Selection result'], {
  chosen: [1, '选用', 'Chosen', 'success'],
  less: [2, '优惠更少', 'Smaller discount'],
  notTogether: [3, '不可叠加', 'Does not stack'],
  threshold: [4, '未达门槛', 'Below the minimum'],
  park: [5, '车场不适用', 'Not for this car park'],
  vehicle: [6, '车型不适用', 'Not for this vehicle'],
  hours: [7, '不在使用时段', 'Outside its hours'],
  early: [8, '未到有效期', 'Not valid yet'],
  elsewhere: [9, '已被其他订单锁定', 'Locked by another order'],
  noFee: [10, '当前无费用', 'Nothing to pay now'],
})
/** A coupon of a car with what it would take off now, and why it is chosen or not. In the order in which they are chosen. */
export const Weighed = entity({
  ...Coupon.properties,
  verdict: among('结果', 'Verdict', Verdict),
  /** Alone, whatever else there is. */
  aloneFen: fen('单独使用优惠', 'Alone', { min: 0 }),
  wastedFen: fen('未用完面值', 'Unused value', { min: 0 }),
  /** With the others that are chosen: over all of them it is the best discount. */
  togetherFen: fen('本次优惠', 'Discount now', { min: 0 }),
  amountFen: orNone(fen('当前应付', 'To pay now', { min: 0 })),
})

const counts = {
  issued: whole('发放', 'Issued', { min: 0 }),
  live: whole('可用（未锁定）', 'Usable, not locked', { min: 0 }),
  locked: whole('锁定', 'Locked', { min: 0 }),
  used: whole('已使用', 'Used', { min: 0 }),
  withdrawn: whole('已作废', 'Withdrawn', { min: 0 }),
  expired: whole('已过期', 'Expired', { min: 0 }),
  faceFen: fen('核销面值', 'Face value used', { min: 0 }),
  deductedFen: fen('实际抵扣', 'Deducted', { min: 0 }),
}
/** Issued = usable + locked + used + withdrawn + expired, always. */
export const CouponStatistics = entity({
  ...counts,
  byTemplate: shaped(
    '按模板',
    'By template',
    listOf(entity({ templateId: Coupon.properties.templateId, name: Template.properties.name, ...counts })),
  ),
  byDay: shaped(
    '按日',
    'By day',
    listOf(entity({ day: day('日期', 'Day'), issued: counts.issued, used: counts.used, deductedFen: counts.deductedFen })),
  ),
})
const view = { service: 'coupon', needs: 'coupon:coupon:view' } as const
export const coupon = {
  queryPage: call('coupon.coupon.query-page', { ...view, post: '/coupon/queryPage', body: paged(couponSearch), reply: pageOf(Coupon) }),
  queryByCar: call('coupon.coupon.query-by-car', {
    ...view,
    post: '/coupon/queryByCar',
    body: message(
      { plateNo: plate() },
      { plateColor: among('车牌颜色', 'Plate colour', PlateColor), parkCode: text('车场编号', 'Car park code', { max: 16 }) },
    ),
    reply: listOf(Weighed),
  }),
  queryStatistics: call('coupon.coupon.query-statistics', {
    ...view,
    post: '/coupon/queryStatistics',
    body: message(
      {},
      { templateId: Coupon.properties.templateId, mchId, issuedAtFrom: day('发放自', 'Issued from'), issuedAtTo: day('发放至', 'Issued to') },
    ),
    reply: CouponStatistics,
  }),
  /** Of a sale of a merchant, or of a template at the operator's cost. All of them, or none. */
  sendToCar: call('coupon.coupon.send-to-car', {
    service: 'coupon',
    post: '/coupon/sendToCar',
    needs: 'coupon:coupon:send',
    writes: true,
    does: ['发放优惠券', 'Issued coupons'],
    body: message(
      { plates: shaped('车牌', 'Plates', listOf(plate(), { max: 200 })), reason: text('原因', 'Reason', { max: 200 }) },
      {
        templateId: Coupon.properties.templateId,
        soldId: id<'CouponSoldId'>('销售单', 'Sale'),
        plateColor: among('车牌颜色', 'Plate colour', PlateColor),
      },
    ),
    reply: message({ cars: whole('车辆', 'Cars'), coupons: whole('张数', 'Coupons'), again: yes('含重复车牌', 'Repeated plates') }),
  }),
  withdraw: call('coupon.coupon.withdraw', {
    service: 'coupon',
    post: '/coupon/withdraw',
    needs: 'coupon:coupon:withdraw',
    own: true,
    writes: true,
    does: ['撤回优惠券', 'Withdrew a coupon'],
    body: message({ id: Coupon.properties.id, version: Coupon.properties.version, reason: text('原因', 'Reason', { max: 200 }) }),
    reply: Coupon,
  }),
}

import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { entity, fen, id, instant, orNone, plate, text } from '../../../platform/contract/field.ts'
import { mchId } from '../../merchant/contract/merchant.ts'
import { Coupon } from './coupon.ts'
import { Sold } from './sold.ts'

/** A use of a coupon: for which stay, its possible discount and the real one. */
export const Use = entity(['券核销', 'Coupon use'], {
  id: id<'CouponUseId'>(),
  couponId: id<'CouponId'>('优惠券', 'Coupon'),
  couponNo: Coupon.properties.couponNo,
  name: Coupon.properties.name,
  orderId: id<'OrderId'>('订单', 'Order'),
  orderNo: orNone(text('订单号', 'Order number', { max: 40 })),
  stayId: orNone(id<'StayId'>('停车记录', 'Stay')),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  plateNo: plate(),
  plateColor: Coupon.properties.plateColor,
  faceFen: fen('面值', 'Face value', { min: 0 }),
  deductedFen: fen('实际抵扣', 'Deducted', { min: 0 }),
  wastedFen: fen('未用完面值', 'Unused value', { min: 0 }),
  soldNo: orNone(Sold.properties.soldNo),
  mchId: orNone(mchId),
  mchName: orNone(text('商户', 'Merchant')),
  usedAt: instant('核销时间', 'Used at'),
  returnedAt: orNone(instant('退回时间', 'Returned at')),
})
export const usedSearch = searchOf(
  Use,
  { mchId: 'equals', parkCode: 'equals', plateNo: 'plate', couponNo: 'equals', soldNo: 'equals', stayId: 'equals', usedAt: 'between' },
  { sort: ['usedAt'] },
)
export const use = {
  queryPage: call('coupon.use-record.query-page', {
    service: 'coupon',
    post: '/couponUseRecord/queryPage',
    needs: 'coupon:use:view',
    body: paged(usedSearch),
    reply: pageOf(Use),
  }),
}

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
  orNone,
  pickSome,
  rowFields,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { mchId } from '../../merchant/contract/merchant.ts'
import { CouponType, Template } from './template.ts'

export const Audience = dictionary('coupon_audience', ['售卖对象', 'Sold to'], {
  merchants: [1, '商户', 'Merchants'],
  owners: [2, '车主', 'Drivers'],
})
export const GoodsStatus = dictionary('coupon_goods_status', ['上架状态', 'Sale status'], {
  on: [1, '上架', 'On sale', 'success'],
  off: [2, '下架', 'Off sale', 'default'],
})
export const StockKind = dictionary('coupon_stock_kind', ['库存变动', 'Stock movement'], {
  first: [1, '初始', 'Opening stock'],
  replenished: [2, '补货', 'Restocked'],
  sold: [3, '售出', 'Sold'],
  givenBack: [4, '退回', 'Returned'],
})
const qty = whole('数量', 'Quantity', { min: 1, max: 1_000_000 })

/** A template with a price and a stock. Without merchants named, any may buy it. */
export const Goods = entity(['券商品', 'Coupon for sale'], {
  ...rowFields<'CouponGoodsId'>(),
  templateId: id<'CouponTemplateId'>('券模板', 'Template'),
  name: text('名称', 'Name'),
  priceFen: fen('单价', 'Price', { min: 0 }),
  stock: whole('库存', 'Stock', { min: 0 }),
  mchIds: shaped('可购商户', 'Merchants', listOf(mchId, { max: 200 })),
  audience: among('售卖对象', 'Sold to', Audience),
  perBuyMax: orNone(whole('单次限购', 'Limit per purchase', { min: 1 })),
  status: among('状态', 'Status', GoodsStatus),
})
export const goodsSearch = searchOf(Goods, { name: 'contains', templateId: 'equals', status: 'among', audience: 'among' }, { sort: ['createdAt'] })
export const GoodsRecord = entity(['券库存记录', 'Stock movement'], {
  id: id<'CouponGoodsRecordId'>(),
  goodId: id<'CouponGoodsId'>('券商品', 'Article'),
  goodName: Goods.properties.name,
  kind: among('类型', 'Type', StockKind),
  qty: whole('数量', 'Quantity'),
  stockAfter: whole('变动后库存', 'Stock after', { min: 0 }),
  bizNo: orNone(text('业务单号', 'Reference', { max: 40 })),
  operatorName: text('操作员', 'Operator'),
  at: instant('时间', 'Time'),
})
export const goodsRecordSearch = searchOf(GoodsRecord, { goodId: 'equals', kind: 'among', at: 'between' }, { sort: ['at'] })
/** Goods that a merchant may buy, and the rest that it still has of them. */
export const Offer = entity({
  ...Goods.properties,
  type: among('类型', 'Type', CouponType),
  value: Template.properties.value,
  leftQty: whole('未发放', 'Left to issue', { min: 0 }),
})
const edit = { service: 'coupon', needs: 'coupon:goods:edit', writes: true } as const
const view = { service: 'coupon', needs: 'coupon:goods:view' } as const
export const goods = {
  queryPage: call('coupon.goods.query-page', { ...view, post: '/couponsGoodsinfo/queryPage', body: paged(goodsSearch), reply: pageOf(Goods) }),
  selectByMerchant: call('coupon.goods.select-by-merchant', {
    ...view,
    get: '/couponsGoodsinfo/selectGoodInfoByMchId',
    query: message({ mchId }),
    reply: listOf(Offer),
  }),
  insert: call('coupon.goods.insert', {
    ...edit,
    post: '/couponsGoodsinfo/insert',
    does: ['新增券商品', 'Added a coupon article'],
    body: message(
      { templateId: Goods.properties.templateId, name: Goods.properties.name, priceFen: Goods.properties.priceFen },
      {
        mchIds: Goods.properties.mchIds,
        audience: Goods.properties.audience,
        perBuyMax: Goods.properties.perBuyMax,
        status: Goods.properties.status,
        qty,
      },
    ),
    reply: Goods,
  }),
  update: call('coupon.goods.update', {
    ...edit,
    post: '/couponsGoodsinfo/update',
    does: ['修改券商品', 'Changed a coupon article'],
    body: pickSome(Goods, ['id', 'version'], ['name', 'priceFen', 'mchIds', 'audience', 'perBuyMax', 'status']),
    reply: Goods,
  }),
}
export const goodsRecord = {
  queryPage: call('coupon.goods-record.query-page', {
    ...view,
    post: '/couponsGoodsRecord/queryPage',
    body: paged(goodsRecordSearch),
    reply: pageOf(GoodsRecord),
  }),
  replenish: call('coupon.goods-record.replenish', {
    ...edit,
    post: '/couponsGoodsRecord/replenish',
    does: ['券商品补货', 'Restocked coupons'],
    body: message({ goodId: GoodsRecord.properties.goodId, qty }),
    reply: Goods,
  }),
}

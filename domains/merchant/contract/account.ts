import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, fen, id, images, instant, message, orNone, text } from '../../../platform/contract/field.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { mchId, MerchantNamed } from './merchant.ts'

/** The kinds of change of a merchant's balance. 6 and 7: put on hold for issued coupons, and released. */
export const BalanceKind = dictionary('merchant_balance_kind', ['余额变动', 'Balance change'], {
  recharge: [1, '充值', 'Recharge'],
  bought: [2, '购券', 'Coupons bought'],
  returned: [3, '退券', 'Coupons returned'],
  deducted: [4, '核销', 'Used coupons'],
  expiredBack: [5, '过期退回', 'Expired, returned'],
  held: [6, '发券冻结', 'On hold for coupons'],
  letGo: [7, '解冻', 'Released'],
  granted: [8, '授信', 'Credit granted'],
  withdrawn: [9, '收回授信', 'Credit withdrawn'],
})
/** One change of a merchant's balance. */
export const BalanceDetail = entity(['商户余额明细', 'Balance change'], {
  id: id<'MovementId'>(),
  ...MerchantNamed,
  kind: among('类型', 'Type', BalanceKind),
  amountFen: fen('金额', 'Amount'),
  afterFen: fen('变动后余额', 'Balance after', { min: 0 }),
  bizNo: text('业务单号', 'Reference', { max: 60 }),
  remark: orNone(text('备注', 'Remark', { max: 200 })),
  operatorName: orNone(text('操作员', 'Operator')),
  at: instant('时间', 'Time'),
})
export const balanceSearch = searchOf(BalanceDetail, { mchId: 'equals', kind: 'among', bizNo: 'equals', at: 'between' }, { sort: ['at'] })

/** A recharge as its receipt says it. */
export const Recharge = entity(['商户充值', 'Merchant recharge'], {
  id: id<'RechargeId'>(),
  mchId,
  orderId: id<'OrderId'>('订单', 'Order'),
  orderNo: text('订单号', 'Order number', { max: 40 }),
  amountFen: fen('充值金额', 'Amount', { min: 1, max: 100_000_000 }),
  repaidFen: fen('其中归还授信', 'Credit repaid', { min: 0 }),
  payMethod: among('收款方式', 'Paid with', PayMethod),
  receiptNo: orNone(text('凭证号', 'Slip number', { max: 64 })),
  images: orNone(images('凭证', 'Slip')),
  operatorName: text('收款人', 'Received by'),
  at: instant('时间', 'Time'),
})
export const account = {
  /** Used credit is repaid first, the rest is balance. Cash goes to the shift of its cashier; a transfer has a slip, which counts once. */
  recharge: call('merchant.account.recharge', {
    service: 'custom',
    post: '/merchantAccount/recharge',
    needs: 'merchant:account:recharge',
    writes: true,
    does: ['商户充值', 'Recharged a merchant'],
    body: message(
      { mchId, amountFen: Recharge.properties.amountFen, payMethod: Recharge.properties.payMethod },
      { receiptNo: text('凭证号', 'Slip number', { max: 64 }), images: images('凭证', 'Slip') },
    ),
    reply: Recharge,
  }),
  balanceDetailPage: call('merchant.account.balance-detail-page', {
    service: 'custom',
    post: '/merchantAccount/balanceDetailPage',
    needs: 'merchant:account:view',
    body: paged(balanceSearch),
    reply: pageOf(BalanceDetail),
  }),
}

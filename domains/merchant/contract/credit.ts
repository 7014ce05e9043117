import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, fen, id, instant, message, orNone, pick, text, yes } from '../../../platform/contract/field.ts'
import { Merchant, mchId, MerchantNamed } from './merchant.ts'

export const CreditKind = dictionary('merchant_credit_kind', ['授信变动', 'Credit change'], {
  granted: [1, '授信', 'Granted'],
  used: [2, '使用', 'Used'],
  repaid: [3, '归还', 'Repaid'],
  withdrawn: [4, '收回', 'Withdrawn'],
})
/** One change of a merchant's credit, or of its used part. */
export const CreditSerial = entity(['授信流水', 'Credit change'], {
  id: id<'MovementId'>(),
  ...MerchantNamed,
  kind: among('类型', 'Type', CreditKind),
  amountFen: fen('金额', 'Amount'),
  quotaFen: fen('额度', 'Credit', { min: 0 }),
  usedFen: fen('已用', 'Used', { min: 0 }),
  bizNo: text('业务单号', 'Reference', { max: 60 }),
  remark: orNone(text('原因', 'Reason', { max: 200 })),
  operatorName: orNone(text('操作员', 'Operator')),
  at: instant('时间', 'Time'),
})
export const creditSearch = searchOf(CreditSerial, { mchId: 'equals', kind: 'among', at: 'between' }, { sort: ['at'] })
/** The credit of one merchant. */
export const Credit = entity({
  ...pick(Merchant, 'id', 'version', 'mchNo', 'name', 'type', 'status', 'balanceFen', 'quotaFen', 'usedFen', 'createdAt').properties,
  /** Credit withdrawn while it was used: the quota falls to this as it is repaid. */
  quotaTargetFen: orNone(fen('收回后额度', 'Credit after withdrawal', { min: 0 })),
})
export const creditPageSearch = searchOf(Credit, { name: 'contains', mchNo: 'equals', status: 'among', quotaFen: 'between' }, { sort: ['createdAt'] })

const grant = { service: 'custom', needs: 'merchant:credit:grant', writes: true } as const
/** A hundred million yuan, far above what anybody is trusted with: a higher amount was mistyped, and sums of many merchants stay whole numbers. */
export const CREDIT_FEN_MAX = 10_000_000_000
const amountFen = fen('金额', 'Amount', { min: 1, max: CREDIT_FEN_MAX })
const view = { service: 'custom', needs: 'merchant:credit:view' } as const
export const credit = {
  page: call('merchant.credit.page', { ...view, post: '/merchant/queryCreditPage', body: paged(creditPageSearch), reply: pageOf(Credit) }),
  serialPage: call('merchant.credit.serial-page', {
    ...view,
    post: '/merchant/queryCreditSerialPage',
    body: paged(creditSearch),
    reply: pageOf(CreditSerial),
  }),
  add: call('merchant.credit.add', {
    ...grant,
    post: '/merchant/addCreditQuota',
    does: ['增加商户授信', 'Granted a merchant credit'],
    body: message({ mchId, amountFen, reason: text('原因', 'Reason', { max: 200 }) }),
    reply: Credit,
  }),
  /** Not below what is used, unless it runs down: then nothing new is used, and it falls as it is repaid. */
  delete: call('merchant.credit.delete', {
    ...grant,
    post: '/merchant/deleteCreditQuota',
    does: ['收回商户授信', 'Withdrew a merchant’s credit'],
    body: message({ mchId, amountFen }, { runDown: yes('随还款逐步收回', 'Reduce as it is repaid'), reason: text('原因', 'Reason', { max: 200 }) }),
    reply: Credit,
  }),
}

import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, day, entity, fen, instant, listOf, message, orNone, shaped, text, whole } from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { BalanceDetail, BalanceKind } from './account.ts'
import { mchId, MerchantNamed, SettleMode } from './merchant.ts'

const money = (zh: string, en: string) => orNone(fen(zh, en))
/** One day of a merchant, as the ledger has it: closing = opening + recharged - bought + given back - deducted + expired back = balance + held - used. */
export const Statement = entity(['商户对账单', 'Merchant statement'], {
  id: text('编号', 'Id', { max: 60 }),
  ...MerchantNamed,
  settleMode: among('结算方式', 'Settlement', SettleMode),
  day: day('日期', 'Day'),
  openingFen: fen('期初余额', 'Opening balance'),
  rechargeFen: money('充值', 'Recharged'),
  boughtFen: money('购券', 'Bought'),
  returnedFen: money('退券', 'Returned'),
  deductedFen: money('核销', 'Used coupons'),
  expiredBackFen: money('过期退回', 'Expired, returned'),
  closingFen: fen('期末', 'Closing'),
  balanceFen: fen('余额', 'Balance'),
  heldFen: fen('占用', 'On hold'),
  usedFen: fen('已用授信', 'Credit used'),
  confirmedAt: orNone(instant('确认时间', 'Confirmed at')),
  confirmedBy: orNone(text('确认人', 'Confirmed by')),
})
export const statementSearch = searchOf(Statement, { mchId: 'equals', day: 'between', settleMode: 'among' }, { sort: ['day'] })
/** Coupons of a merchant within days, by what became of them then. */
export const CouponCounts = entity({
  issued: whole('发放', 'Issued', { min: 0 }),
  used: whole('使用', 'Used', { min: 0 }),
  withdrawn: whole('撤回', 'Withdrawn', { min: 0 }),
  expired: whole('过期', 'Expired', { min: 0 }),
})
/** A movement of balance + held − credit used: a day's opening and its lines add up to its closing. */
export const StatementLine = entity(['对账单明细', 'Statement line'], {
  id: BalanceDetail.properties.id,
  kind: among('类型', 'Type', BalanceKind),
  amountFen: fen('金额', 'Amount'),
  afterFen: fen('变动后', 'Balance after'),
  bizNo: BalanceDetail.properties.bizNo,
  operatorName: BalanceDetail.properties.operatorName,
  at: BalanceDetail.properties.at,
})
/** More lines of one day are counted and not listed: the balance has them all. */
export const LINES_MAX = 500
export const StatementDay = entity({
  ...Statement.properties,
  ...CouponCounts.properties,
  lines: shaped('明细', 'Lines', listOf(StatementLine)),
  lineCount: whole('明细笔数', 'Number of lines', { min: 0 }),
})
const view = { service: 'custom', needs: 'merchant:statement:view', own: true } as const
const page = call('merchant.statement.page', { ...view, post: '/merchant/statement/page', body: paged(statementSearch), reply: pageOf(Statement) })
const which = { mchId, day: Statement.properties.day }
export const statement = {
  page,
  day: call('merchant.statement.day', { ...view, post: '/merchant/statement/day', body: message(which), reply: StatementDay }),
  /** Both sides agree on a day that is over, as it was shown. */
  confirm: call('merchant.statement.confirm', {
    service: 'custom',
    post: '/merchant/statement/confirm',
    needs: 'merchant:statement:confirm',
    own: true,
    writes: true,
    does: ['确认商户对账单', 'Confirmed a merchant’s statement'],
    body: message({ ...which, closingFen: Statement.properties.closingFen }),
    reply: Statement,
  }),
  export: exportOf('merchant.statement.export', {
    ...view,
    get: '/merchant/statement/export',
    title: ['商户对账单', 'Merchant statements'],
    query: page,
    columns: [
      'day',
      'mchNo',
      'mchName',
      'settleMode',
      'openingFen',
      'rechargeFen',
      'boughtFen',
      'returnedFen',
      'deductedFen',
      'expiredBackFen',
      'closingFen',
      'balanceFen',
      'heldFen',
      'usedFen',
      'confirmedAt',
      'confirmedBy',
    ],
  }),
}

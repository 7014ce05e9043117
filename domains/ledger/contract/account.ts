import { call } from '../../../platform/contract/call.ts'
import { among, day, dictionary, entity, fen, id, instant, listOf, message, orNone, text, whole, yes } from '../../../platform/contract/field.ts'

export const AccountKind = dictionary('ledger_account_kind', ['科目类型', 'Account type'], {
  asset: [1, '资产', 'Asset'],
  liability: [2, '负债', 'Liability'],
  income: [3, '收入', 'Income'],
  contra: [4, '抵减', 'Contra'],
  clearing: [5, '清算', 'Clearing'],
  expense: [6, '费用', 'Expense'],
})
export const AccountSide = dictionary('ledger_account_side', ['余额方向', 'Normal side'], { debit: [1, '借', 'Debit'], credit: [2, '贷', 'Credit'] })

/** The chart of accounts, as code names them. `migrations/0050_ledger.sql` holds the same list; a test compares them. */
export const accountNames = {
  'asset.channel': ['渠道在途', 'In transit at payment channels'],
  'asset.cash': ['现金', 'Cash'],
  'asset.bank': ['银行存款', 'Bank'],
  'asset.arrears': ['应收欠费', 'Arrears receivable'],
  'asset.merchant-credit': ['应收商户授信', 'Merchant credit receivable'],
  'asset.partner': ['应收互联平台', 'Receivable from charging partners'],
  'liability.stored': ['储值本金', 'Stored value, principal'],
  'liability.stored-bonus': ['储值赠送', 'Stored value, bonus'],
  'liability.charge-prepaid': ['充电预付', 'Charging prepayments'],
  'liability.deposit': ['预约与租赁保证金', 'Reservation and rental deposits'],
  'liability.merchant': ['商户余额', 'Merchant balances'],
  'liability.coupon': ['未使用券', 'Unused coupons'],
  'liability.points': ['积分负债', 'Points liability'],
  'liability.refund': ['待退款', 'Refunds owed'],
  'liability.pass': ['月卡递延收入', 'Deferred pass income'],
  'liability.partner': ['应付互联平台', 'Payable to charging partners'],
  'liability.share': ['应付分成', 'Shares payable to bay owners'],
  'income.parking': ['停车收入', 'Parking'],
  'income.pass': ['月卡收入', 'Passes'],
  'income.energy': ['充电电费', 'Charging energy'],
  'income.charge-service': ['充电服务费', 'Charging service'],
  'income.occupancy': ['占位费', 'Idle fees'],
  'income.rent': ['租金', 'Rent'],
  'income.penalty': ['违约金', 'Penalties'],
  'contra.discount': ['优惠', 'Discounts'],
  'contra.waiver': ['减免', 'Waivers'],
  'contra.bad-debt': ['坏账', 'Bad debts'],
  'clearing.duplicate': ['重复支付', 'Duplicate payments'],
  'clearing.over-short': ['长短款', 'Surplus and shortage'],
  'expense.marketing': ['营销费用', 'Marketing'],
  'expense.channel-fee': ['手续费', 'Channel fees'],
  'expense.partner-split': ['互联平台分成', 'Charging partner shares'],
  'expense.cash-short': ['现金短款', 'Cash shortage'],
} as const satisfies Record<string, readonly [zh: string, en: string]>
export type AccountCode = keyof typeof accountNames
export const ACCOUNTS = Object.keys(accountNames) as AccountCode[]

const code = text('科目', 'Account', { max: 40 })
const sub = text('明细', 'Sub-account', { min: 0, max: 64 })
const parkCode = text('车场编号', 'Car park code', { max: 16 })
/** The name of a sub-account, from the domain that keeps it: a till by its shift, money in transit by its channel. */
const subNames = {
  subName: orNone(text('明细名称', 'Sub-account name', { max: 80 })),
  subNameEn: orNone(text('明细英文名', 'Sub-account name in English', { max: 80 })),
}
/** Where nobody says what a sub-account stands for, the head of its id. */
export function subAccountText({
  sub,
  subName,
  subNameEn,
}: {
  sub: string
  subName: string | null
  subNameEn: string | null
}): [zh: string, en: string] {
  const head = sub.length > HEAD_FROM ? `${sub.slice(0, 8)}…` : sub
  return [subName ?? head, subNameEn ?? head]
}
const HEAD_FROM = 20
const debitFen = fen('借方', 'Debit')
const creditFen = fen('贷方', 'Credit')

/** One account and sub-account with what stands on it. The balance is on the account's normal side. */
export const Balance = entity({
  account: code,
  name: text('科目名称', 'Account name'),
  nameEn: text('科目英文名', 'Account name in English'),
  kind: among('类型', 'Type', AccountKind),
  normal: among('余额方向', 'Normal side', AccountSide),
  sub,
  ...subNames,
  debitFen,
  creditFen,
  balanceFen: fen('余额', 'Balance'),
})

/** One line of an entry, with what its entry says. */
export const Line = entity({
  entryId: id<'EntryId'>('分录', 'Entry'),
  seq: whole('行号', 'Line'),
  at: instant('记账时间', 'Posted at'),
  day: day('记账日', 'Business day'),
  parkCode,
  account: code,
  sub,
  debitFen,
  creditFen,
  bizType: text('业务类型', 'Source type'),
  bizNo: text('业务单号', 'Source number', { max: 40 }),
  about: text('所属单号', 'Belongs to', { max: 40 }),
  memo: orNone(text('摘要', 'Memo', { max: 200 })),
})
/** The same with its sub-account's name. */
export const NamedLine = entity({ ...Line.properties, ...subNames })
/** A line of a statement, with the balance after it on the account's normal side. */
export const StatementLine = entity({ ...Line.properties, balanceFen: fen('余额', 'Balance') })

/** A difference between the stored sums and the lines; `what` is `balance`, `day …` or `entry …`. */
export const Difference = entity({
  what: text('对象', 'Object'),
  account: sub,
  sub,
  parkCode: sub,
  keptFen: fen('缓存余额', 'Stored balance'),
  replayedFen: fen('重算余额', 'Recalculated balance'),
})

const view = { service: 'business', needs: 'ledger:account:view', own: true } as const
export const account = {
  list: call('ledger.account.list', {
    ...view,
    get: '/ledger/account/list',
    query: message({}, { parkCode }),
    reply: listOf(Balance),
  }),
  /** Lines of one account over business days, oldest first, with opening and closing balance. */
  statement: call('ledger.account.statement', {
    ...view,
    get: '/ledger/account/statement',
    query: message(
      { account: code },
      {
        sub,
        parkCode,
        dayFrom: day('自', 'From'),
        dayTo: day('至', 'To'),
        current: whole('页', 'Page', { min: 1, max: 100_000 }),
        limit: whole('每页', 'Rows', { min: 1, max: 500 }),
      },
    ),
    reply: message({
      openingFen: fen('期初余额', 'Opening balance'),
      debitFen,
      creditFen,
      closingFen: fen('期末余额', 'Closing balance'),
      total: whole('条数', 'Lines'),
      records: listOf(StatementLine),
    }),
  }),
  /** Every line of the entries that belong to one number, an order's for example. */
  about: call('ledger.entry.about', {
    ...view,
    get: '/ledger/entry/about',
    query: message({ about: Line.properties.about }),
    reply: listOf(NamedLine),
  }),
  trialBalance: call('ledger.trial-balance', {
    ...view,
    get: '/ledger/trialBalance',
    query: message({}, { parkCode, dayFrom: day('自', 'From'), dayTo: day('至', 'To') }),
    reply: message({ debitFen, creditFen, balanced: yes('平衡', 'Balanced'), accounts: listOf(Balance) }),
  }),
  replay: call('ledger.replay.check', {
    ...view,
    get: '/ledger/replay/check',
    heavy: true,
    query: message({}),
    reply: message({
      entries: whole('分录数', 'Entries'),
      lines: whole('行数', 'Lines'),
      right: yes('一致', 'Matches'),
      differences: listOf(Difference),
    }),
  }),
}

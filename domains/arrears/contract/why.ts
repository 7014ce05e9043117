import { account, among, dictionary, entity, fen, instant, orNone, shaped, text, listOf, yes } from '../../../platform/contract/field.ts'

/** The checks before a debt may be asked for, in this order. */
export const DemandCheck = dictionary('demand_check', ['追缴检查', 'Collection check'], {
  settled: [1, '是否结清', 'Settled'],
  evidence: [2, '证据', 'Evidence'],
  plate: [3, '车牌', 'Plate'],
  amount: [4, '金额', 'Amount'],
  etc: [5, 'ETC 结果', 'ETC result'],
  appeal: [6, '申诉', 'Appeal'],
})
export const DebtStepKind = dictionary('debt_step', ['欠费经过', 'Debt step'], {
  arose: [1, '产生欠费', 'Debt created', 'error'],
  evidence: [2, '补充证据', 'Evidence added'],
  suspected: [3, '标记异常', 'Marked abnormal', 'warning'],
  released: [4, '解除异常', 'Abnormal mark cleared', 'success'],
  reminded: [5, '催缴', 'Reminder'],
  appealed: [6, '申诉', 'Appeal', 'warning'],
  decided: [7, '申诉处理', 'Appeal decided'],
  closingAsked: [8, '申请坏账核销或撤销', 'Write-off or revocation requested', 'warning'],
  closed: [9, '坏账核销或撤销处理', 'Write-off or revocation decided'],
  repaid: [10, '补缴', 'Repaid', 'success'],
  waived: [11, '减免', 'Waived'],
  refunded: [12, '退款', 'Refunded', 'warning'],
})
export const DebtCheck = entity({
  check: among('检查项', 'Check', DemandCheck),
  /** Whether it forbids asking for the debt. */
  bars: yes('阻止追缴', 'Blocks collection'),
  /** Whether it does not forbid that, but is not as it should be. */
  doubts: yes('存疑', 'In doubt'),
  zh: text('中文说明', 'Description (Chinese)', { max: 200 }),
  en: text('英文说明', 'In English', { max: 300 }),
})
export const DebtStep = entity({
  kind: among('步骤', 'Step', DebtStepKind),
  at: instant('时间', 'Time'),
  /** Null: the system did it. */
  by: orNone(text('操作人', 'By')),
  zh: text('中文说明', 'Description (Chinese)', { min: 0, max: 200 }),
  en: text('英文说明', 'In English', { min: 0, max: 300 }),
  /** As a person wrote it. */
  says: orNone(account('原因', 'Reason', { max: 500 })),
  amountFen: orNone(fen('金额', 'Amount', { min: 0 })),
})
const amount = (zh: string, en: string) => fen(zh, en, { min: 0 })
/** From the fee of the stay to the debt: fee − discount − other orders = debt; debt − repaid − waived − written off − revoked = still owed. */
export const DebtWhy = entity({
  feeFen: amount('停车费', 'Parking fee'),
  discountFen: amount('优惠', 'Discount'),
  otherOrdersFen: amount('其他订单', 'Other orders for the stay'),
  checks: shaped('追缴检查', 'Checks', listOf(DebtCheck)),
  steps: shaped('经过', 'What happened', listOf(DebtStep)),
})

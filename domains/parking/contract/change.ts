import { account, anything, entity, instant, orNone, personal, shaped, text } from '../../../platform/contract/field.ts'

/** One change of a record as the audit stream keeps it: the whole row before and after. */
export const Change = entity({
  id: text('编号', 'Id'),
  at: instant('时间', 'Time'),
  authorName: text('操作人', 'By'),
  via: text('操作', 'Operation'),
  entity: text('对象', 'Record'),
  event: text('事件', 'Event'),
  before: personal('account', shaped('之前', 'Before', anything)),
  after: personal('account', shaped('之后', 'After', anything)),
  reason: orNone(account('原因', 'Reason')),
})

import { sentences } from '../../../platform/contract/said.ts'

/** Sentences that this domain writes into rows. */
export const Said = sentences('parking', {
  twice: ['重复入场，旧记录关闭', 'Entered again: the earlier record is closed'],
  offlineTwice: ['离线冲突，旧记录关闭', 'Conflict with offline passages: the earlier record is closed'],
  conflicts: ['与记录 {stayId} 冲突', 'Conflicts with record {stayId}'],
  backedOut: ['入口倒车退出', 'Reversed out of the entrance'],
  openLane: ['应急常开', 'Barriers kept open for an emergency'],
  checking: ['费用核对中', 'The fee is being checked'],
  pass: ['人工放行', 'Let through by staff'],
  refused: ['人工拒绝', 'Refused by staff'],
  matched: ['人工匹配', 'Matched by staff'],
  entryTyped: ['人工输入入场时间', 'Entry time entered by staff'],
  plateTyped: ['人工修正车牌', 'Plate corrected by staff'],
  ruleNow: ['按现行规则计费', 'Billed by the rule in force now'],
  also: ['{first}；{next}', '{first}; {next}'],
})

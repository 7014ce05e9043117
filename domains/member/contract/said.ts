import { sentences } from '../../../platform/contract/said.ts'

/** Sentences that this domain writes into rows. */
export const Said = sentences('member', {
  groupStopped: ['月卡类型停用', 'The pass type was stopped'],
  groupStoppedFor: ['月卡类型停用：{why}', 'The pass type was stopped: {why}'],
  deleted: ['月卡已删除', 'The pass was deleted'],
  byCustomer: ['客户取消', 'Cancelled by the customer'],
  returned: ['退卡：{why}', 'Pass returned: {why}'],
  pass: ['月卡 {passNo}', 'Pass {passNo}'],
  renewal: ['月卡续费 {passNo}', 'Pass renewal {passNo}'],
  broughtIn: ['月卡导入 {passNo}', 'Imported pass {passNo}'],
  unpaid: ['超时未支付', 'Not paid in time'],
  channelAway: ['支付渠道不可用', 'The payment channel was not available'],
  owes: ['欠费 {count} 笔 {amount} 元，催缴无果', 'Unpaid orders: {count}, ¥{amount}. Reminders had no result'],
  joined: ['已并入「{name}」', 'Merged into “{name}”'],
})

import { dictionary } from '../../../platform/contract/field.ts'

export const PassStatus = dictionary('pass_status', ['月卡状态', 'State of a pass'], {
  0: ['待审核', 'Under review', 'warning'],
  1: ['未生效', 'Not yet valid'],
  2: ['有效', 'Valid', 'success'],
  3: ['冻结', 'Frozen', 'warning'],
  4: ['已过期', 'Expired', 'error'],
  5: ['已退卡', 'Given back'],
  6: ['已删除', 'Deleted'],
  7: ['待支付', 'To pay', 'warning'],
})
export const PassWindow = dictionary('pass_window', ['月卡时段', 'Hours of a pass'], {
  1: ['全天', 'Day and night'],
  2: ['日间', 'By day'],
  3: ['夜间', 'By night'],
  4: ['工作日', 'On workdays'],
})
export type PassWindowCode = keyof typeof PassWindow.entries

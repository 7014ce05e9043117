import { dictionary } from '../../../platform/contract/field.ts'

export const PassStatus = dictionary('pass_status', ['月卡状态', 'State of a pass'], {
  underReview: [0, '待审核', 'Under review', 'warning'],
  notYet: [1, '未生效', 'Not yet valid'],
  valid: [2, '有效', 'Valid', 'success'],
  frozen: [3, '冻结', 'Frozen', 'warning'],
  expired: [4, '已过期', 'Expired', 'error'],
  returned: [5, '已退卡', 'Given back'],
  deleted: [6, '已删除', 'Deleted'],
  toPay: [7, '待支付', 'To pay', 'warning'],
})
export const PassWindow = dictionary('pass_window', ['月卡时段', 'Hours of a pass'], {
  always: [1, '全天', 'Day and night'],
  day: [2, '日间', 'By day'],
  night: [3, '夜间', 'By night'],
  workdays: [4, '工作日', 'On workdays'],
})
export type PassWindowCode = keyof typeof PassWindow.entries

import { useQuery } from '@tanstack/react-query'
import { asks } from '../../../platform/web/ask.ts'
import type { Text } from '../../../platform/web/text.ts'
import { menuCalls } from '../../identity/contract/menu.ts'
import type { MenuNode } from '../../identity/contract/menuTree.ts'

/** What people call the last word of a call's name. A call that is not here shows its own name. */
const VERBS: Record<string, Text> = {
  add: ['新增', 'Added'],
  insert: ['新增', 'Added'],
  'add-type': ['新增类型', 'Added a type'],
  'add-clause': ['新增条款', 'Added a clause'],
  update: ['修改', 'Changed'],
  'update-type': ['修改类型', 'Changed a type'],
  'update-clause': ['修改条款', 'Changed a clause'],
  'update-status': ['启用或停用', 'Enabled or disabled'],
  'update-lock': ['锁定或解锁', 'Locked or unlocked'],
  move: ['变更状态', 'Moved to another state'],
  revise: ['修订', 'Revised'],
  delete: ['删除', 'Deleted'],
  del: ['删除', 'Deleted'],
  'delete-list': ['批量删除', 'Deleted several'],
  'delete-type': ['删除类型', 'Deleted a type'],
  'delete-clause': ['删除条款', 'Deleted a clause'],
  import: ['导入', 'Imported'],
  'import-clause': ['导入条款', 'Imported clauses'],
  export: ['导出', 'Exported'],
  upload: ['上传', 'Uploaded'],
  'upload-file': ['上传附件', 'Uploaded a file'],
  publish: ['发布', 'Published'],
  withdraw: ['撤回', 'Withdrew'],
  approve: ['审核通过', 'Approved'],
  reject: ['审核驳回', 'Rejected'],
  apply: ['提交申请', 'Applied'],
  cancel: ['取消', 'Cancelled'],
  handle: ['处理', 'Handled'],
  retry: ['重试', 'Tried again'],
  resend: ['重新发送', 'Sent again'],
  cash: ['现金收款', 'Took cash'],
  pay: ['支付', 'Paid'],
  'pay-out': ['退款打款', 'Paid out a refund'],
  open: ['放行', 'Opened the barrier'],
  'open-gate': ['手动放行', 'Opened a gate by hand'],
  'open-all': ['应急常开', 'Opened all gates'],
  'text-to-led': ['下发LED文字', 'Sent a text to the sign'],
  'correct-plate': ['修正车牌', 'Corrected a plate'],
  'correct-times': ['修正时间', 'Corrected times'],
  supplement: ['补录', 'Added afterwards'],
  clear: ['批量清场', 'Cleared cars'],
  unclear: ['撤销清场', 'Took back a clearing'],
  'edit-remainder': ['修正余位', 'Corrected free bays'],
  'reset-password': ['重置密码', 'Reset a password'],
  'reset-enterprise-password': ['重置企业密码', 'Reset a company’s password'],
  logout: ['退出登录', 'Signed out'],
  end: ['结束会话', 'Ended a session'],
  'end-of': ['结束他人会话', 'Ended somebody’s session'],
  'check-chains': ['校验日志', 'Checked the logs'],
  defer: ['延期', 'Extended'],
}
/** `parking.gate-operation.open-gate` → 手动放行. Exports are named for their list. */
export function actionOf(call: string): Text {
  const verb = call.split('.').at(-1) ?? call
  if (VERBS[verb]) return VERBS[verb]
  if (/template/.test(verb)) return ['下载模板', 'Downloaded a template']
  if (/export/.test(verb)) return ['导出', 'Exported']
  if (/import/.test(verb)) return ['导入', 'Imported']
  return [call, call]
}

/** Names of pages by their addresses, from the reader's own menu. */
export function usePageNames(): (path: string | null) => Text | undefined {
  const { data = [] } = useQuery(asks(menuCalls.tree, {}, { quiet: true }))
  const pages = pagesIn(data)
  return (path) => {
    const found = pages.filter(({ url }) => path === url || path?.startsWith(`${url}/`)).sort((a, b) => b.url.length - a.url.length)[0]
    return found && [found.name, found.nameEn || found.name]
  }
}
const pagesIn = (nodes: readonly MenuNode[]): MenuNode[] => nodes.flatMap((node) => [...(node.component ? [node] : []), ...pagesIn(node.children)])

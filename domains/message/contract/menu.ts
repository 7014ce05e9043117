import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

const send = { code: 'send', name: ['发送、撤回', 'Send, withdraw'], needs: 'message:record:send' } as const
const resend = { code: 'resend', name: ['重发', 'Resend'], needs: 'message:record:resend' } as const

export const menu: MenuEntry[] = [
  screen(
    '/operation/message/dashboard',
    'MessageDashboardScreen',
    ['消息概览', 'Message dashboard'],
    ['message:statistics:view', 'message:record:view'],
  ),
  // One's own messages need no more than being signed in; the entry itself is granted with the right to look at messages.
  screen(
    '/operation/message/record',
    'MessageRecordScreen',
    ['消息记录', 'Message records'],
    ['message:record:view'],
    [send, resend, { code: 'delete', name: ['删除记录', 'Delete records'], needs: 'message:record:delete' }],
  ),
  screen('/operation/message/list', 'MessageListScreen', ['消息列表', 'Message list'], ['message:record:view'], [send]),
  screen(
    '/operation/message/task',
    'MessageTaskScreen',
    ['消息任务', 'Message tasks'],
    ['message:task:view', 'message:record:view'],
    [
      { code: 'edit', name: ['新增、编辑、取消', 'Add, edit, cancel'], needs: 'message:task:edit' },
      { code: 'resend', name: ['重发失败', 'Resend failed'], needs: 'message:task:resend' },
    ],
  ),
  screen(
    '/operation/message/template',
    'MessageTemplateScreen',
    ['消息模板', 'Message templates'],
    ['message:template:view'],
    [{ code: 'edit', name: ['新增、编辑、启停', 'Add, edit, enable'], needs: 'message:template:edit' }],
  ),
  screen(
    '/operation/message/channel',
    'MessageChannelScreen',
    ['消息渠道', 'Message channels'],
    ['message:channel:view'],
    [{ code: 'edit', name: ['新增、编辑、启停', 'Add, edit, enable'], needs: 'message:channel:edit' }],
  ),
  screen(
    '/operation/marketing',
    'MarketingScreen',
    ['营销推广', 'Marketing'],
    ['message:news:view'],
    [{ code: 'edit', name: ['新增、编辑、发布', 'Add, edit, publish'], needs: 'message:news:edit' }],
  ),
]

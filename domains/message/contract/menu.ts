import { type MenuEntry, screen } from '../../../platform/contract/menu.ts'

export const menu: MenuEntry[] = [
  // One's own messages need no more than being signed in; the entry itself is granted with the right to look at messages.
  screen('/operation/message/record', 'MessageRecordScreen', ['消息记录', 'Message records'], ['message:record:view']),
]

import { among, instant } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { Channel } from '../contract/channel.ts'
import { News } from '../contract/news.ts'
import { SendRule } from '../contract/rule.ts'
import { Task } from '../contract/task.ts'
import { MessageKind, Template } from '../contract/template.ts'

export const nouns: Noun[] = [
  { table: 'message.rule', entity: SendRule },
  { table: 'message.channel', entity: Channel },
  { table: 'message.template', entity: Template },
  { table: 'message.task', entity: Task },
  {
    table: 'message.unsubscribed',
    label: ['消息退订', 'Unsubscribed'],
    also: { kind: among('消息类型', 'Type', MessageKind), at: instant('退订时间', 'Unsubscribed at') },
  },
  { table: 'message.news', entity: News },
]

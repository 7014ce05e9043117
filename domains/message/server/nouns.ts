import { among, instant } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/nouns.ts'
import { Channel } from '../contract/channel.ts'
import { News } from '../contract/news.ts'
import { SendRule } from '../contract/rule.ts'
import { Task } from '../contract/task.ts'
import { MessageKind, Template } from '../contract/template.ts'

export const nouns: Noun[] = [
  { table: 'message.rule', label: ['发送规则', 'Sending rule'], entity: SendRule },
  { table: 'message.channel', label: ['消息渠道', 'Channel'], entity: Channel },
  { table: 'message.template', label: ['消息模板', 'Template'], entity: Template },
  { table: 'message.task', label: ['消息任务', 'Message task'], entity: Task },
  {
    table: 'message.unsubscribed',
    label: ['消息退订', 'Unsubscribed'],
    also: { kind: among('消息类型', 'Kind', MessageKind), at: instant('退订时间', 'Since') },
  },
  { table: 'message.news', label: ['公告', 'Announcement'], entity: News },
]

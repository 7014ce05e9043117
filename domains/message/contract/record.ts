import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, id, instant, message, nothing, orNone, text } from '../../../platform/contract/field.ts'

export const ReadState = dictionary('read_state', ['阅读状态', 'Read state'], { 0: ['未读', 'Unread', 'warning'], 1: ['已读', 'Read', 'success'] })

/** A message to one person inside the console. `link` is a path of the console that shows what it is about. */
export const InnerMessage = entity({
  id: id<'MessageId'>(),
  custId: id<'PersonId'>('接收人', 'To'),
  toName: text('接收人姓名', 'To whom'),
  title: text('标题', 'Title', { max: 100 }),
  titleEn: text('英文标题', 'English title', { max: 100 }),
  content: text('内容', 'Text', { min: 0, max: 2000 }),
  contentEn: text('英文内容', 'English text', { min: 0, max: 2000 }),
  link: orNone(text('链接', 'Link', { max: 300, pattern: '^/' })),
  readState: among('阅读状态', 'Read state', ReadState),
  readAt: orNone(instant('阅读时间', 'Read at')),
  createdAt: instant('发送时间', 'Sent at'),
})
export const mineSearch = searchOf(InnerMessage, { readState: 'equals', title: 'contains', createdAt: 'between' }, { sort: ['createdAt'] })
export const platSearch = searchOf(
  InnerMessage,
  { readState: 'equals', title: 'contains', toName: 'contains', createdAt: 'between' },
  { sort: ['createdAt'] },
)

export const record = {
  /** The signed-in person's own messages, whoever is named in `custId`. */
  queryMessageRecord: call('message.record.query-message-record', {
    service: 'message',
    post: '/messageRecord/queryMessageRecord',
    needs: 'signed-in',
    body: paged(mineSearch, { custId: text('用户编号', 'Person') }),
    reply: pageOf(InnerMessage),
  }),
  queryPlatMessageRecord: call('message.user-message.query-plat-message-record', {
    service: 'message',
    post: '/userMessage/queryPlatMessageRecord',
    needs: 'message:record:view',
    body: paged(platSearch),
    reply: pageOf(InnerMessage),
  }),
  /** Marks one own message read; another person's is not found. */
  tag: call('message.record.tag', {
    service: 'message',
    get: '/messageRecord/tagMsgById',
    needs: 'signed-in',
    writes: true,
    query: message({ id: id<'MessageId'>() }),
    reply: nothing,
  }),
}

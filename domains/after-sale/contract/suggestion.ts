import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  account,
  among,
  day,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  pick,
  pickSome,
  pictures,
  plate,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { Level } from './level.ts'
import { OrderSource, OrderType, parkCode, phone, Share } from './workOrder.ts'

export const SuggestionKind = dictionary('suggest_kind', ['反馈类型', 'Feedback type'], {
  complaint: [1, '投诉', 'Complaint', 'error'],
  suggestion: [2, '建议', 'Suggestion'],
  praise: [3, '表扬', 'Praise', 'success'],
  question: [4, '咨询', 'Question'],
})
export const SuggestionState = dictionary('suggest_state', ['反馈状态', 'Feedback status'], {
  waiting: [0, '待受理', 'New', 'warning'],
  accepted: [1, '已受理', 'Accepted', 'warning'],
  replied: [2, '已回复', 'Replied', 'success'],
  closed: [3, '办结', 'Closed'],
  declined: [4, '不受理', 'Declined'],
  converted: [5, '转工单', 'Converted'],
})
export const SuggestionResult = dictionary('suggest_result', ['办结结果', 'Outcome'], {
  adopted: [1, '采纳', 'Adopted', 'success'],
  partly: [2, '部分采纳', 'Partly adopted'],
  rejected: [3, '未采纳', 'Not adopted'],
  explained: [4, '解释说明', 'Explained'],
})
const { waiting, accepted, replied, closed, declined, converted } = SuggestionState
export const suggestionCan = moves(SuggestionState, {
  accept: { [waiting]: accepted },
  decline: { [waiting]: declined },
  reply: { [accepted]: replied, [replied]: replied },
  close: { [replied]: closed },
  convert: { [waiting]: converted, [accepted]: converted },
  edit: { [waiting]: waiting, [accepted]: accepted },
  delete: { [waiting]: waiting },
})
/** Working days: it is accepted within one, and answered within three where it is a complaint, else within five. */
export const ACCEPT_DAYS = 1
export const REPLY_DAYS = { complaint: 3, other: 5 } as const

export const Suggestion = entity(['反馈', 'Feedback'], {
  ...rowFields<'SuggestionId'>(),
  suggestNo: text('反馈号', 'Feedback number', { max: 40 }),
  kind: among('类型', 'Type', SuggestionKind),
  category: orNone(text('分类', 'Category', { max: 40 })),
  source: among('来源', 'Source', OrderSource),
  contactName: orNone(text('反馈人', 'Customer', { max: 40 })),
  phone: orNone(phone),
  plateNo: orNone(plate()),
  parkCode: orNone(parkCode),
  content: account('内容', 'Content', { max: 2000 }),
  images: orNone(pictures('图片', 'Pictures')),
  state: among('状态', 'Status', SuggestionState),
  acceptDueAt: instant('受理时限', 'Accept by'),
  replyDueAt: instant('回复时限', 'Reply by'),
  handlerId: orNone(id<'PersonId'>('经办人编号', 'Handled by (id)')),
  handlerName: orNone(text('经办人', 'Handled by', { max: 40 })),
  acceptedAt: orNone(instant('受理时间', 'Accepted at')),
  reason: orNone(account('不受理原因', 'Decline reason', { max: 200 })),
  reply: orNone(account('回复', 'Reply', { max: 1000 })),
  repliedAt: orNone(instant('回复时间', 'Replied at')),
  toldAt: orNone(instant('已通知反馈人', 'Customer notified at')),
  result: orNone(among('办结结果', 'Outcome', SuggestionResult)),
  closedAt: orNone(instant('办结时间', 'Closed at')),
  orderId: orNone(id<'WorkOrderId'>('工单编号', 'Work order (id)')),
  orderNo: orNone(text('工单号', 'Work order', { max: 40 })),
  createdName: text('登记人', 'Recorded by', { max: 40 }),
})
export const suggestionSearch = searchOf(
  Suggestion,
  {
    suggestNo: 'startsWith',
    kind: 'among',
    state: 'among',
    source: 'among',
    result: 'among',
    category: 'contains',
    phone: 'equals',
    plateNo: 'plate',
    parkCode: 'equals',
    handlerName: 'contains',
    createdAt: 'between',
    replyDueAt: 'between',
  },
  { sort: ['createdAt', 'replyDueAt'] },
)

const counted = (zh: string, en: string) => whole(zh, en, { min: 0 })
const rate = (zh: string, en: string) => orNone(whole(zh, en, { unit: 'permille', min: 0, max: 1000 }))
export const SuggestionSummary = entity({
  total: counted('反馈', 'Feedback'),
  open: counted('未办结', 'Open'),
  late: counted('超时未回复', 'Late'),
  states: shaped('按状态', 'By status', listOf(Share)),
  kinds: shaped('按类型', 'By type', listOf(Share)),
  sources: shaped('按来源', 'By source', listOf(Share)),
  parks: shaped('按车场', 'By car park', listOf(entity({ parkCode, count: counted('数量', 'Count') }))),
  acceptRate: rate('受理准时率', 'Accepted on time'),
  replyRate: rate('回复准时率', 'Replied on time'),
  /** Of the interviews: a score of four or five among all scores. */
  interviewCsat: rate('回访满意度', 'Interview CSAT'),
  days: shaped('按日', 'By day', listOf(entity({ day: day('日期', 'Day'), count: counted('数量', 'Count') }))),
})

const basic = { service: 'basic' } as const
const view = { ...basic, needs: 'after-sale:suggestion:view' } as const
const edit = { ...basic, needs: 'after-sale:suggestion:edit', writes: true } as const
const own = { ...edit, own: true } as const
const which = pick(Suggestion, 'id', 'version').properties
const FIELDS = ['category', 'contactName', 'plateNo', 'parkCode', 'images'] as const
const query = call('after-sale.suggestion.select-list', {
  ...view,
  post: '/sysSuggest/selectList',
  body: paged(suggestionSearch),
  reply: pageOf(Suggestion),
})
const reply = account('回复', 'Reply', { max: 1000 })
export const suggestion = {
  query,
  one: call('after-sale.suggestion.one', { ...view, own: true, get: '/sysSuggest/one', query: message({ id: which.id }), reply: Suggestion }),
  export: exportOf('after-sale.suggestion.export', {
    ...view,
    get: '/sysSuggest/export',
    title: ['投诉建议', 'Feedback'],
    query,
    columns: [
      'suggestNo',
      'kind',
      'category',
      'source',
      'contactName',
      'phone',
      'plateNo',
      'parkCode',
      parkName,
      'content',
      'state',
      'handlerName',
      'reply',
      'repliedAt',
      'result',
      'orderNo',
      'createdAt',
    ],
  }),
  summary: call('after-sale.suggestion.summary', {
    ...view,
    post: '/sysSuggest/summary',
    body: message({}, { dateFrom: day('自', 'From'), dateTo: day('至', 'To'), parkCode }),
    reply: SuggestionSummary,
  }),
  add: call('after-sale.suggestion.add', {
    ...edit,
    post: '/sysSuggest/add',
    does: ['登记投诉建议', 'Recorded feedback'],
    body: message(pick(Suggestion, 'kind', 'source', 'content').properties, { ...pick(Suggestion, ...FIELDS).properties, phone }),
    reply: Suggestion,
  }),
  /** Changes feedback while it is not answered; with `reply`, answers it. */
  update: call('after-sale.suggestion.update', {
    ...edit,
    post: '/sysSuggest/update',
    does: ['修改投诉建议', 'Changed feedback'],
    body: message(which, { ...pick(Suggestion, 'kind', 'content', 'phone', ...FIELDS).properties, reply }),
    reply: Suggestion,
  }),
  delete: call('after-sale.suggestion.delete', {
    ...basic,
    needs: 'after-sale:suggestion:delete',
    writes: true,
    delete: '/sysSuggest/delete',
    does: ['删除投诉建议', 'Deleted feedback'],
    query: pickSome(Suggestion, ['id'], ['version']),
    reply: nothing,
  }),
  accept: call('after-sale.suggestion.accept', {
    ...own,
    post: '/sysSuggest/accept',
    does: ['受理投诉建议', 'Accepted feedback'],
    body: message({ ...which, accept: yes('受理', 'Accept') }, { reason: account('原因', 'Reason', { max: 200 }) }),
    reply: Suggestion,
  }),
  /** Replies to the customer, who gets it by message if they left a number. */
  reply: call('after-sale.suggestion.reply', {
    ...own,
    post: '/sysSuggest/reply',
    does: ['回复投诉建议', 'Replied to feedback'],
    body: message({ ...which, reply }),
    reply: Suggestion,
  }),
  close: call('after-sale.suggestion.close', {
    ...own,
    post: '/sysSuggest/close',
    does: ['办结投诉建议', 'Closed feedback'],
    body: message({ ...which, result: among('结果', 'Outcome', SuggestionResult) }),
    reply: Suggestion,
  }),
  /** Into a work order, with its pictures. */
  convert: call('after-sale.suggestion.convert', {
    ...own,
    post: '/sysSuggest/convert',
    does: ['投诉建议转工单', 'Converted feedback to a work order'],
    body: message(
      { ...which, type: among('工单类型', 'Type', OrderType), level: among('级别', 'Level', Level) },
      { title: account('标题', 'Title', { max: 60 }), assigneeId: id<'PersonId'>('处理人', 'Handler') },
    ),
    reply: Suggestion,
  }),
}

import { call, paged, pageOf, posted, searchOf } from '../../../platform/contract/call.ts'
import {
  account,
  among,
  day,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  personal,
  pick,
  pickSome,
  pictures,
  plate,
  rowFields,
  shaped,
  text,
  whole,
  yes,
  orSaid,
} from '../../../platform/contract/field.ts'
import { Level } from './level.ts'

export const OrderType = dictionary('wo_type', ['工单类型', 'Work order type'], {
  question: [1, '咨询', 'Question'],
  complaint: [2, '投诉', 'Complaint'],
  repair: [3, '报修', 'Repair'],
  refund: [4, '退款', 'Refund'],
  suggestion: [5, '建议', 'Suggestion'],
  plateAppeal: [6, '车牌申诉', 'Plate appeal'],
  feeDispute: [7, '计费争议', 'Fee dispute'],
})
export const OrderSource = dictionary('wo_source', ['工单来源', 'Source'], {
  telephone: [1, '电话', 'Phone'],
  miniProgram: [2, '小程序', 'Mini program'],
  console: [3, '后台', 'Console'],
  device: [4, '设备', 'Device'],
  inspection: [5, '巡检', 'Inspection'],
})
export const OrderState = dictionary('wo_state', ['工单状态', 'Work order status'], {
  unassigned: [0, '待分派', 'To be assigned', 'warning'],
  assigned: [1, '已分派', 'Assigned', 'warning'],
  working: [2, '处理中', 'In progress', 'warning'],
  waiting: [3, '等待客户', 'Waiting for customer', 'default'],
  solved: [4, '已解决待确认', 'Solved, to be confirmed', 'success'],
  closed: [5, '已关闭', 'Closed', 'default'],
  returned: [6, '已退回', 'Returned', 'error'],
  reopened: [7, '已重开', 'Reopened', 'warning'],
  cancelled: [8, '已取消', 'Cancelled', 'default'],
})
const { unassigned, assigned, working, waiting, solved, closed, returned, reopened, cancelled } = OrderState
/** Orders that somebody still has to do something about. */
export const OPEN_STATES = [unassigned, assigned, working, waiting, returned, reopened] as const
/** The steps of an order that a person reports. Assigning is a call of its own. */
export const OrderEvent = dictionary('wo_event', ['处理动作', 'Action'], {
  create: [1, '创建', 'Created'],
  assign: [2, '分派', 'Assigned'],
  reassign: [3, '改派', 'Reassigned'],
  start: [4, '开始处理', 'Started'],
  wait: [5, '等待客户', 'Waiting for customer'],
  resume: [6, '继续处理', 'Resumed'],
  solve: [7, '解决', 'Solved'],
  return: [8, '退回', 'Returned'],
  close: [9, '关闭', 'Closed'],
  reopen: [10, '重开', 'Reopened'],
  cancel: [11, '取消', 'Cancelled'],
  remind: [12, '催办', 'Reminded'],
  change: [13, '修改', 'Changed'],
  warn: [14, '超时预警', 'Overdue soon'],
  escalate: [15, '超时升级', 'Overdue, escalated'],
  evaluate: [16, '客户评价', 'Rated by customer'],
  join: [17, '再次上报', 'Reported again'],
})
export const orderCan = moves(OrderState, {
  assign: { [unassigned]: assigned, [assigned]: assigned, [working]: assigned, [waiting]: assigned, [returned]: assigned, [reopened]: assigned },
  start: { [assigned]: working },
  wait: { [working]: waiting },
  resume: { [waiting]: working },
  solve: { [working]: solved },
  return: { [assigned]: returned },
  close: { [solved]: closed },
  reopen: { [closed]: reopened },
  cancel: { [unassigned]: cancelled, [assigned]: cancelled },
  change: { [unassigned]: unassigned, [assigned]: assigned, [working]: working, [waiting]: waiting, [returned]: returned, [reopened]: reopened },
  delete: { [unassigned]: unassigned, [cancelled]: cancelled },
  remind: {
    [unassigned]: unassigned,
    [assigned]: assigned,
    [working]: working,
    [waiting]: waiting,
    [solved]: solved,
    [returned]: returned,
    [reopened]: reopened,
  },
})
/** The events that a person reports by `handleOrder`. */
export const Handling = dictionary('wo_handling', ['处理', 'Action'], {
  start: [4, '开始处理', 'Start'],
  wait: [5, '等待客户', 'Wait for customer'],
  resume: [6, '继续处理', 'Resume'],
  solve: [7, '解决', 'Solve'],
  return: [8, '退回', 'Return'],
  close: [9, '关闭', 'Close'],
  reopen: [10, '重开', 'Reopen'],
  cancel: [11, '取消', 'Cancel'],
})
export const SlaState = dictionary('wo_sla', ['时限', 'Time limit'], {
  fine: [1, '正常', 'On time', 'success'],
  near: [2, '预警', 'Due soon', 'warning'],
  over: [3, '超时', 'Overdue', 'error'],
  paused: [4, '暂停', 'Paused'],
})
export const RespondState = dictionary('wo_respond', ['响应', 'Response'], {
  pending: [0, '待响应', 'Awaiting response', 'warning'],
  inTime: [1, '准时响应', 'On time', 'success'],
  late: [2, '响应超时', 'Late', 'error'],
})
/** The result of a dispute over money: it was right, and money was refunded or waived, or it was unfounded. */
export const Finding = dictionary('wo_finding', ['认定', 'Finding'], {
  upheld: [1, '成立', 'Upheld', 'warning'],
  unfounded: [2, '不成立', 'Not upheld'],
})
export const RemedyKind = dictionary('wo_remedy', ['处置', 'Remedy'], { refund: [1, '退款', 'Refund'], waiver: [2, '减免', 'Waiver'] })
/** These are about money: they are solved by a refund or a waiver, or there was nothing in it. */
export const OF_MONEY: readonly number[] = [OrderType.refund, OrderType.feeDispute]

/** Whether a driver opened it from a bill: nobody of the staff took it in, and devices dispute no fees. The driver reads what the handler writes. */
export const isObjection = ({ type, creatorId }: { type: number; creatorId: string | null }): boolean =>
  type === OrderType.feeDispute && creatorId === null

export const phone = personal('phone', text('联系电话', 'Phone', { max: 20, pattern: '^[0-9+*\\- ]{5,20}$' }))
export const parkCode = text('车场编号', 'Car park code', { max: 16 })
const person = (zh: string, en: string) => orNone(id<'PersonId'>(zh, en))
const kept = {
  ...rowFields<'WorkOrderId'>(),
  orderNo: text('工单号', 'Work order number', { max: 40 }),
  title: orSaid(account('标题', 'Title', { max: 60 })),
  type: among('类型', 'Type', OrderType),
  source: among('来源', 'Source', OrderSource),
  level: among('级别', 'Level', Level),
  content: account('描述', 'Description', { max: 2000 }),
  contactName: orNone(text('联系人', 'Contact', { max: 40 })),
  contact: orNone(phone),
  plateNo: orNone(plate()),
  parkCode: orNone(parkCode),
  images: orNone(pictures('图片', 'Pictures')),
  relatedNo: orNone(text('相关订单号', 'Related order', { max: 40 })),
  deviceNo: orNone(text('设备编号', 'Device', { max: 64 })),
  suggestionId: orNone(id<'SuggestionId'>('建议编号', 'Feedback (id)')),
  creatorId: person('建单人编号', 'Created by (id)'),
  creatorName: orSaid(text('建单人', 'Created by', { max: 40 })),
  assigneeId: person('处理人编号', 'Handler (id)'),
  assigneeName: orNone(orSaid(text('处理人', 'Handler', { max: 40 }))),
  state: among('状态', 'Status', OrderState),
  respondDueAt: instant('响应时限', 'Respond by'),
  dueAt: instant('解决时限', 'Solve by'),
  respondedAt: orNone(instant('响应时间', 'Responded at')),
  solvedAt: orNone(instant('解决时间', 'Solved at')),
  closedAt: orNone(instant('关闭时间', 'Closed at')),
  reopens: whole('重开次数', 'Times reopened', { min: 0 }),
  finding: orNone(among('认定', 'Finding', Finding)),
  remedyKind: orNone(among('处置', 'Remedy', RemedyKind)),
  remedyNo: orNone(text('处置单号', 'Remedy number', { max: 40 })),
  remedyFen: orNone(fen('处置金额', 'Remedy amount', { min: 0 })),
}
/** A request of a customer or a device that a person has to see to within a time limit. */
export const WorkOrder = entity(['工单', 'Work order'], {
  ...kept,
  slaState: among('时限', 'Time limit', SlaState),
  respondState: among('响应', 'Response', RespondState),
  /** Small first. */
  urgency: whole('处理次序', 'Urgency', { min: 0, max: 5 }),
  score: orNone(whole('评分', 'Score', { min: 1, max: 5 })),
  scoredAt: orNone(instant('评价时间', 'Rated at')),
  comment: orNone(account('评价', 'Comment', { max: 500 })),
})
/** Fields behind the order: the clock of the running round, notices sent, the customer's link. */
export const clockFields = {
  countedFrom: instant('计时起点', 'Counted from'),
  warnAt: instant('预警时间', 'Warn from'),
  warnedAt: orNone(instant('已预警', 'Warned at')),
  lateAt: orNone(instant('响应超时提醒', 'Late-response reminder')),
  escalatedAt: orNone(instant('已升级', 'Escalated at')),
  remindedAt: orNone(instant('催办时间', 'Reminded at')),
  remedyId: orNone(id('处置编号', 'Remedy (id)')),
  sourceKey: orNone(text('上报标识', 'Report key', { max: 80 })),
  invitedAt: orNone(instant('评价邀请', 'Invited at')),
}
export const KeptOrder = entity({ ...kept, ...clockFields })
export const orderSearch = searchOf(
  WorkOrder,
  {
    orderNo: 'startsWith',
    title: 'contains',
    type: 'among',
    source: 'among',
    level: 'among',
    state: 'among',
    slaState: 'among',
    respondState: 'among',
    contact: 'equals',
    plateNo: 'plate',
    parkCode: 'equals',
    assigneeId: 'among',
    creatorId: 'among',
    assigneeName: 'contains',
    creatorName: 'contains',
    deviceNo: 'equals',
    dueAt: 'between',
    createdAt: 'between',
    reopens: 'between',
    score: 'among',
    scoredAt: 'between',
  },
  { sort: ['createdAt', 'dueAt', 'urgency'] },
)

export const Box = dictionary('wo_box', ['工单箱', 'Box'], {
  all: [0, '全部', 'All'],
  mine: [1, '我创建的', 'Created by me'],
  todo: [2, '待我处理', 'Assigned to me'],
  done: [3, '我处理过的', 'Handled by me'],
  unassigned: [4, '待分派', 'To be assigned'],
  overdue: [5, '超时', 'Overdue'],
})
/** One step of an order's story. `workMin` is how long it took since the step before, by the clock that the order runs by. */
export const Step = entity(['工单经过', 'Work order step'], {
  id: id<'WorkOrderStepId'>(),
  at: instant('时间', 'Time'),
  event: among('动作', 'Action', OrderEvent),
  from: orNone(among('原状态', 'From', OrderState)),
  to: among('新状态', 'To', OrderState),
  who: text('操作人', 'By', { max: 40 }),
  whom: orNone(text('处理人', 'Handler', { max: 40 })),
  opinion: orNone(account('意见', 'Opinion', { max: 1000 })),
  images: orNone(pictures('图片', 'Pictures')),
  workMin: whole('用时', 'Time taken', { unit: 'minute', min: 0 }),
})
const UsedCase = entity({ id: id<'CaseId'>(), title: text('标题', 'Title', { max: 80 }) })
export const OrderStory = entity({
  ...WorkOrder.properties,
  invitedAt: clockFields.invitedAt,
  cases: shaped('引用案例', 'Cases used', listOf(UsedCase)),
})
/** A refund or a waiver of an order of money, which solves a dispute over it. */
export const Remedy = entity({
  id: id<'RemedyId'>(),
  kind: among('处置', 'Remedy', RemedyKind),
  no: text('单号', 'Number', { max: 40 }),
  amountFen: fen('金额', 'Amount', { min: 0 }),
  /** Whether it counts: approved, on its way or done. */
  good: yes('有效', 'Valid'),
  appliedAt: instant('申请时间', 'Requested at'),
})
export const Handler = entity({
  id: id<'PersonId'>('处理人编号', 'Handler (id)'),
  name: text('处理人', 'Handler', { max: 40 }),
  open: whole('在办', 'Open', { min: 0 }),
  over: whole('超时', 'Overdue', { min: 0 }),
})
/** Earlier cases of a caller. */
export const Before = entity({
  id: id('编号', 'Id'),
  /** A work order, or else a suggestion. */
  isOrder: yes('工单', 'Work order'),
  no: text('单号', 'Number', { max: 40 }),
  title: account('标题', 'Title', { max: 80 }),
  state: whole('状态', 'Status'),
  at: instant('时间', 'Time'),
  handler: orNone(text('处理人', 'Handler', { max: 40 })),
})
export const Assigned = entity({
  id: WorkOrder.properties.id,
  orderNo: orNone(WorkOrder.properties.orderNo),
  done: yes('成功', 'Done'),
  zh: text('结果', 'Outcome', { max: 100 }),
  en: text('结果（英文）', 'Outcome in English', { max: 160 }),
})

const counted = (zh: string, en: string) => whole(zh, en, { min: 0 })
export const Share = entity({ code: whole('编码', 'Code'), count: counted('数量', 'Count') })
const shares = (zh: string, en: string) => shaped(zh, en, listOf(Share))
const rate = (zh: string, en: string) => orNone(whole(zh, en, { unit: 'permille', min: 0, max: 1000 }))
/** How the orders of a period stand. A rate of nothing is not known. */
export const OrderSummary = entity({
  total: counted('工单', 'Work orders'),
  createdToday: counted('今日新建', 'New today'),
  pending: counted('待处理', 'Open'),
  mine: counted('待我处理', 'Assigned to me'),
  overdue: counted('超时', 'Overdue'),
  /** Beside those that wait: solved, and the customer has not said so yet. */
  confirming: counted('待客户确认', 'To be confirmed'),
  respondRate: rate('响应准时率', 'On-time responses'),
  solveRate: rate('解决准时率', 'Solved on time'),
  reopenRate: rate('重开率', 'Reopen rate'),
  csat: rate('满意度', 'CSAT'),
  rated: counted('评价数', 'Ratings'),
  states: shares('按状态', 'By status'),
  types: shares('按类型', 'By type'),
  levels: shares('按级别', 'By level'),
  sources: shares('按来源', 'By source'),
  days: shaped('按日', 'By day', listOf(entity({ day: day('日期', 'Day'), created: counted('新建', 'New'), solved: counted('解决', 'Solved') }))),
})

const { id: orderId, version } = WorkOrder.properties
/** Orders that are given to somebody at once. */
export const ASSIGN_MAX = 100
const reason = account('意见', 'Opinion', { max: 1000 })
const images = pictures('图片', 'Pictures')
const WRITTEN = ['contactName', 'contact', 'plateNo', 'parkCode', 'images', 'relatedNo', 'deviceNo'] as const
const basic = { service: 'basic' } as const
const view = { ...basic, needs: 'after-sale:order:view' } as const
const take = { ...basic, needs: 'after-sale:order:add', writes: true } as const
const handle = { ...basic, needs: 'after-sale:order:handle', writes: true } as const
const remind = call('after-sale.work-order.send-message', {
  ...basic,
  get: '/workOrder/sendMessage',
  needs: 'after-sale:order:remind',
  writes: true,
  does: ['催办工单', 'Sent a work order reminder'],
  query: message({ id: orderId }),
  reply: nothing,
})
export const workOrder = {
  query: call('after-sale.work-order.select-list', {
    ...view,
    post: '/workOrder/selectList',
    body: paged(orderSearch, { box: among('工单箱', 'Box', Box), scored: yes('只看已评价', 'Rated only') }),
    reply: pageOf(WorkOrder),
  }),
  summary: call('after-sale.work-order.summary', {
    ...view,
    post: '/workOrder/summary',
    body: message({}, { dateFrom: day('自', 'From'), dateTo: day('至', 'To'), parkCode }),
    reply: OrderSummary,
  }),
  one: call('after-sale.work-order.one', { ...view, own: true, get: '/workOrder/one', query: message({ id: orderId }), reply: OrderStory }),
  progress: call('after-sale.work-order.progress', {
    ...view,
    get: '/workOrder/getOrderProgress',
    query: message({ id: orderId }),
    reply: listOf(Step),
  }),
  /** Records a customer's request, for a handler or for the people who assign. */
  add: call('after-sale.work-order.add', {
    ...take,
    post: '/workOrder/add',
    does: ['新建工单', 'Created a work order'],
    body: message(pick(WorkOrder, 'title', 'type', 'source', 'level', 'content').properties, {
      ...fieldsFor(),
      assigneeId: id<'PersonId'>('处理人', 'Handler'),
    }),
    reply: WorkOrder,
  }),
  update: call('after-sale.work-order.update', {
    ...take,
    post: '/workOrder/update',
    does: ['修改工单', 'Changed a work order'],
    body: pickSome(WorkOrder, ['id', 'version'], ['title', 'type', 'level', 'content', ...WRITTEN]),
    reply: WorkOrder,
  }),
  /** Assigns up to a hundred orders to one person; the answer has the result of each. */
  assign: call('after-sale.work-order.assign', {
    ...basic,
    post: '/workOrder/assign',
    needs: 'after-sale:order:assign',
    writes: true,
    does: ['分派工单', 'Assigned work orders'],
    body: message(
      { ids: shaped('工单', 'Work orders', listOf(orderId, { max: ASSIGN_MAX })), assigneeId: id<'PersonId'>('处理人', 'Handler') },
      { opinion: reason },
    ),
    reply: listOf(Assigned),
  }),
  handle: call('after-sale.work-order.handle', {
    ...handle,
    post: '/workOrder/handleOrder',
    does: ['处理工单', 'Handled a work order'],
    body: message(
      { id: orderId, event: among('处理', 'Action', Handling) },
      {
        version,
        opinion: reason,
        images,
        caseId: id<'CaseId'>('引用案例', 'Case used'),
        finding: among('认定', 'Finding', Finding),
        remedyId: id<'RemedyId'>('退款或减免', 'Refund or waiver'),
      },
    ),
    reply: WorkOrder,
  }),
  remind,
  remindPost: posted('after-sale.work-order.send-message-post', remind),
  delete: call('after-sale.work-order.delete', {
    ...basic,
    delete: '/workOrder/delete',
    needs: 'after-sale:order:manage',
    writes: true,
    does: ['删除工单', 'Deleted a work order'],
    query: message({ id: orderId }, { version }),
    reply: nothing,
  }),
  /** Returns the possible handlers, with their open orders. */
  handlers: call('after-sale.work-order.handlers', { ...view, own: true, get: '/workOrder/handlers', query: message({}), reply: listOf(Handler) }),
  /** Returns earlier cases of a caller, found by the whole number or plate only. */
  before: call('after-sale.work-order.before', {
    ...basic,
    own: true,
    needs: 'after-sale:order:add',
    post: '/workOrder/before',
    body: message({}, { contact: phone, plateNo: plate() }),
    reply: listOf(Before),
  }),
  /** Refunds and waivers of the order of money that it is about. */
  remedies: call('after-sale.work-order.remedies', {
    ...basic,
    own: true,
    needs: 'after-sale:order:handle',
    get: '/workOrder/remedies',
    query: message({ id: orderId }, { relatedNo: text('相关订单号', 'Related order', { max: 40 }) }),
    reply: listOf(Remedy),
  }),
}
function fieldsFor() {
  const { contactName, plateNo, images, relatedNo, deviceNo } = WorkOrder.properties
  return { contactName, contact: phone, plateNo, parkCode: WorkOrder.properties.parkCode, images, relatedNo, deviceNo }
}

import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  empty,
  entity,
  id,
  instant,
  listOf,
  message,
  moves,
  orNone,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { Channel } from './channel.ts'
import { Template, Values } from './template.ts'

export const TaskState = dictionary('message_task_state', ['任务状态', 'Task status'], {
  draft: [0, '草稿', 'Draft', 'default'],
  planned: [1, '待执行', 'Scheduled', 'warning'],
  running: [2, '执行中', 'Running', 'warning'],
  completed: [3, '已完成', 'Completed', 'success'],
  partlyFailed: [4, '部分失败', 'Partly failed', 'error'],
  cancelled: [5, '已取消', 'Cancelled', 'default'],
  failed: [6, '失败', 'Failed', 'error'],
})
export const taskCan = moves(TaskState, {
  edit: { 0: 0 },
  submit: { 0: 1 },
  start: { 1: 2 },
  cancel: { 0: 5, 1: 5, 2: 5 },
  resend: { 4: 2, 6: 2 },
  complete: { 2: 3 },
  failPartly: { 2: 4 },
  fail: { 1: 6, 2: 6 },
})

export const AudienceKind = dictionary('message_audience_kind', ['收件人范围', 'Audience'], {
  people: [1, '指定人员', 'Named people'],
  roles: [2, '按角色', 'By role'],
  departments: [3, '按部门', 'By department'],
  query: [4, '按条件', 'By criteria'],
})
export const AUDIENCE_MAX = 500
/** To whom. People, roles and departments are named; a query (name, capability, department) is answered when the task starts, and frozen then. */
export interface Audience {
  kind: 1 | 2 | 3 | 4
  custIds?: string[]
  roleIds?: string[]
  departmentIds?: string[]
  keyword?: string
  capability?: string
}
const ids = { type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: AUDIENCE_MAX }
export const AudienceField = shaped<Audience>('收件人', 'Audience', {
  type: 'object',
  required: ['kind'],
  additionalProperties: false,
  properties: {
    kind: { type: 'integer', enum: [1, 2, 3, 4] },
    custIds: ids,
    roleIds: ids,
    departmentIds: ids,
    keyword: { type: 'string', maxLength: 64 },
    capability: { type: 'string', maxLength: 100 },
  },
})

/** One thing told to many: planned, run once, followed to its end. */
export const Task = entity(['消息任务', 'Message task'], {
  id: id<'TaskId'>(),
  name: text('任务名称', 'Task', { max: 64 }),
  templateId: Template.properties.id,
  channelId: Channel.properties.id,
  audience: AudienceField,
  vars: Values,
  urgent: yes('紧急', 'Urgent'),
  planAt: orNone(instant('计划时间', 'Scheduled for')),
  state: among('状态', 'Status', TaskState),
  total: whole('收件人数', 'Recipients', { min: 0 }),
  startedAt: orNone(instant('开始时间', 'Started')),
  finishedAt: orNone(instant('结束时间', 'Finished')),
  failure: orNone(text('失败原因', 'Failure reason', { max: 200 })),
  authorName: text('创建人', 'Created by', { min: 0 }),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created'),
  updatedAt: instant('更新时间', 'Updated'),
})
export const taskSearch = searchOf(
  Task,
  { name: 'contains', state: 'among', templateId: 'equals', channelId: 'equals', createdAt: 'between' },
  { sort: ['createdAt'] },
)
/** How far it is, counted from its records. */
export const Progress = entity({
  waiting: whole('待发', 'Waiting', { min: 0 }),
  sending: whole('发送中', 'Sending', { min: 0 }),
  succeeded: whole('成功', 'Succeeded', { min: 0 }),
  failed: whole('失败', 'Failed', { min: 0 }),
  withdrawn: whole('撤回', 'Withdrawn', { min: 0 }),
  limited: whole('限流', 'Over limit', { min: 0 }),
  unsubscribed: whole('退订', 'Unsubscribed', { min: 0 }),
})
export const TaskRow = entity({
  ...Task.properties,
  templateName: text('模板', 'Template', { min: 0 }),
  channelName: text('渠道', 'Channel', { min: 0 }),
  ...Progress.properties,
})
export const TaskDetail = entity({
  ...TaskRow.properties,
  audienceText: text('收件人', 'Audience', { min: 0, max: 500 }),
  nextAt: orNone(instant('下次发送', 'Next send')),
  waitsForMorning: whole('等静默时段结束', 'Held for quiet hours', { min: 0 }),
})
const Named = entity({ id: text('编号', 'Id'), name: text('名称', 'Name'), parentId: orNone(text('上级', 'Parent')) })
export const Person = entity({ custId: id<'PersonId'>('人员', 'Person'), name: text('姓名', 'Name'), reachable: yes('可送达', 'Reachable') })

const { name, templateId, channelId, audience, vars, urgent, planAt, state, version } = Task.properties

const view = { service: 'message', needs: 'message:task:view' } as const
const edit = { service: 'message', needs: 'message:task:edit' } as const
export const task = {
  queryPage: call('message.task.query-page', { ...view, post: '/messageTask/queryPage', body: paged(taskSearch), reply: pageOf(TaskRow) }),
  /** `state` 1 submits it at once; a draft otherwise. Without `planAt` it starts when it is submitted. */
  insert: call('message.task.insert', {
    ...edit,
    post: '/messageTask/insert',
    writes: true,
    does: ['新建群发任务', 'Created a message task'],
    body: message({ name, templateId, channelId, audience }, { vars, urgent, planAt, state }),
    reply: Task,
  }),
  /** A draft is changed, submitted (`state` 1) or cancelled (`state` 5); a planned or running one is cancelled. */
  update: call('message.task.update', {
    ...edit,
    put: '/messageTask/update',
    writes: true,
    does: ['修改群发任务', 'Changed a message task'],
    body: message({ id: Task.properties.id, version }, { name, templateId, channelId, audience, vars, urgent, planAt, state }),
    reply: Task,
  }),
  /** Only the recipients whom it did not reach. */
  resend: call('message.task.resend', {
    service: 'message',
    post: '/messageTask/resendTask',
    needs: 'message:task:resend',
    writes: true,
    does: ['重新群发', 'Resent failed task messages'],
    body: message({ id: Task.properties.id }),
    reply: message({ resent: whole('重发', 'Resent') }),
  }),
  detail: call('message.task.detail', {
    ...view,
    get: '/messageTask/detail',
    query: message({ id: Task.properties.id }),
    reply: TaskDetail,
    own: true,
  }),
  /** Returns the present receivers, and how many of them the channel can reach. */
  audience: call('message.task.audience', {
    service: 'message',
    post: '/messageTask/audience',
    needs: 'message:record:view',
    body: message({ audience }, { channelId }),
    reply: message({
      total: whole('人数', 'People'),
      reachable: whole('可送达', 'Reachable'),
      some: shaped('部分人员', 'Sample people', listOf(Person)),
    }),
    own: true,
  }),
  /** Roles and departments that an audience can be chosen by. */
  groups: call('message.task.groups', {
    ...edit,
    get: '/messageTask/groups',
    query: empty,
    reply: message({ roles: shaped('角色', 'Roles', listOf(Named)), departments: shaped('部门', 'Departments', listOf(Named)) }),
    own: true,
  }),
}

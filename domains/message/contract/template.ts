import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
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
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { ChannelType } from './channel.ts'

/** The type of a message. People unsubscribe by it; codes reach everybody. */
export const MessageKind = dictionary('message_kind', ['消息类型', 'Message type'], {
  notice: [1, '系统通知', 'System notice'],
  alarm: [2, '设备告警', 'Alarm'],
  reminder: [3, '业务提醒', 'Business reminder'],
  marketing: [4, '营销推广', 'Marketing'],
  code: [5, '验证码', 'Verification code'],
})
export type MessageKindCode = keyof typeof MessageKind.entries

export const TemplateState = dictionary('message_template_state', ['模板状态', 'Template status'], {
  draft: [0, '草稿', 'Draft', 'default'],
  inUse: [1, '启用', 'In use', 'success'],
  disabled: [2, '停用', 'Disabled', 'warning'],
})
export const templateCan = moves(TemplateState, { enable: { 0: 1, 2: 1 }, disable: { 1: 2 }, edit: { 0: 0, 2: 2 }, delete: { 0: 0, 2: 2 } })

/** A place in a template that is filled when a message is made. `sample` fills it in the preview. */
export const TemplateVar = entity({
  name: text('变量名', 'Variable', { max: 32, pattern: '^[a-zA-Z][a-zA-Z0-9_]{0,31}$' }),
  label: text('含义', 'Meaning', { max: 40 }),
  sample: text('示例值', 'Sample', { min: 0, max: 100 }),
})
export const VARS_MAX = 20
/** The recipient's own name: every template may use it, nobody has to give it. */
export const NAME_VAR = 'name'

/** A text with `{{variables}}` and nothing else: no loops, no conditions. */
export const Template = entity(['消息模板', 'Template'], {
  id: id<'TemplateId'>(),
  code: text('模板编码', 'Code', { max: 64, pattern: '^[a-z][a-z0-9._-]{1,63}$' }),
  name: text('模板名称', 'Template', { max: 64 }),
  kind: among('消息类型', 'Type', MessageKind),
  channelType: among('渠道类型', 'Channel type', ChannelType),
  title: text('标题', 'Title', { min: 0, max: 100, pattern: '^[^\\r\\n]*$' }),
  titleEn: text('英文标题', 'English title', { min: 0, max: 100, pattern: '^[^\\r\\n]*$' }),
  content: text('内容', 'Text', { max: 1000 }),
  contentEn: text('英文内容', 'English text', { min: 0, max: 1000 }),
  vars: shaped('变量', 'Variables', listOf(TemplateVar, { max: VARS_MAX })),
  signName: orNone(text('签名', 'Signature', { max: 20, pattern: '^[^\\r\\n]*$' })),
  thirdTemplateId: orNone(text('第三方模板编号', 'Provider template ID', { max: 64 })),
  state: among('状态', 'Status', TemplateState),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created'),
  updatedAt: instant('更新时间', 'Updated'),
})
export const templateSearch = searchOf(
  Template,
  { name: 'contains', code: 'startsWith', kind: 'among', channelType: 'among', state: 'among' },
  { sort: ['createdAt'] },
)
export const TemplateChoice = pick(Template, 'id', 'code', 'name', 'kind', 'channelType', 'state', 'vars', 'title', 'content')
/** A template with who uses it. */
export const TemplateDetail = entity({
  ...Template.properties,
  openTasks: whole('进行中的任务', 'Open tasks'),
  sentCount: whole('近 30 天发送', 'Sent in 30 days'),
})

/** Values for the variables, by their names. */
export const Values = shaped<Record<string, string>>('变量值', 'Variable values', {
  type: 'object',
  maxProperties: VARS_MAX,
  propertyNames: { pattern: '^[a-zA-Z][a-zA-Z0-9_]{0,31}$' },
  additionalProperties: { type: 'string', maxLength: 200 },
})
export const Preview = entity({
  title: text('标题', 'Title', { min: 0, max: 500 }),
  titleEn: text('英文标题', 'English title', { min: 0, max: 500 }),
  content: text('内容', 'Text', { min: 0, max: 5000 }),
  contentEn: text('英文内容', 'English text', { min: 0, max: 5000 }),
  /** Names used and not declared, or declared and not used. */
  unknown: shaped('未定义的变量', 'Undefined variables', listOf(text('变量', 'Variable'))),
  unused: shaped('未使用的变量', 'Unused', listOf(text('变量', 'Variable'))),
  problem: orNone(text('问题', 'Problem', { max: 300 })),
})

const { name, kind, channelType, title, titleEn, content, contentEn, vars, signName, thirdTemplateId, remark, code, version, state } =
  Template.properties
const OPTIONAL = { title, titleEn, contentEn, vars, signName, thirdTemplateId, remark }

const view = { service: 'message', needs: 'message:template:view' } as const
const edit = { service: 'message', needs: 'message:template:edit', writes: true } as const
export const template = {
  queryPage: call('message.template.query-page', {
    ...view,
    post: '/messageTemplate/queryPage',
    body: paged(templateSearch),
    reply: pageOf(Template),
  }),
  insert: call('message.template.insert', {
    ...edit,
    post: '/messageTemplate/insert',
    does: ['新增消息模板', 'Added a message template'],
    body: message({ code, name, kind, channelType, content }, OPTIONAL),
    reply: Template,
  }),
  /** Texts change while it is a draft or disabled; `state` 1 enables it, 2 disables it. */
  update: call('message.template.update', {
    ...edit,
    put: '/messageTemplate/update',
    does: ['修改消息模板', 'Changed a message template'],
    query: message({ id: Template.properties.id, version }, { name, kind, content, ...OPTIONAL, state }),
    reply: Template,
  }),
  delete: call('message.template.delete', {
    ...edit,
    delete: '/messageTemplate/delete/{id}',
    does: ['删除消息模板', 'Deleted a message template'],
    query: message({ id: Template.properties.id }),
    reply: nothing,
  }),
  list: call('message.template.list', {
    forPrograms: true,
    service: 'message',
    post: '/messageTemplate/list',
    needs: 'signed-in',
    body: message({}, { channelType, kind, state }),
    reply: listOf(TemplateChoice),
  }),
  detail: call('message.template.detail', {
    ...view,
    get: '/messageTemplate/detail',
    query: message({ id: Template.properties.id }),
    reply: TemplateDetail,
    own: true,
  }),
  /** Returns the text with the samples, or with given values; its faults are listed, not refused. */
  preview: call('message.template.preview', {
    ...view,
    post: '/messageTemplate/preview',
    body: message({ content }, { title, titleEn, contentEn, vars, values: Values }),
    reply: Preview,
    own: true,
  }),
}

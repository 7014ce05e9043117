import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  pickSome,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { Metric } from './performance.ts'

export const AlarmOp = dictionary('alarm_op', ['比较', 'Comparison'], {
  above: [1, '大于', 'Above'],
  below: [2, '小于', 'Below'],
  equal: [3, '等于', 'Equal to'],
})
export const OP_SIGNS: Record<keyof (typeof AlarmOp)['entries'], string> = { 1: '>', 2: '<', 3: '=' }
export const AlarmLevel = dictionary('alarm_level', ['告警级别', 'Alarm level'], {
  notice: [1, '提示', 'Notice', 'default'],
  minor: [2, '一般', 'Minor', 'warning'],
  major: [3, '重要', 'Major', 'warning'],
  critical: [4, '紧急', 'Critical', 'error'],
})

/** More than any measure reaches in its own unit. */
export const THRESHOLD_MAX = 10_000_000
/** When a measure is worth a person's attention. It holds for every server unless some are chosen. */
export const AlarmRule = entity(['告警规则', 'Alarm rule'], {
  id: id<'AlarmRuleId'>(),
  name: text('规则名称', 'Rule name', { max: 60 }),
  metric: among('指标', 'Metric', Metric),
  op: among('比较', 'Comparison', AlarmOp),
  /** In the unit in which the measure is shown. */
  threshold: whole('阈值', 'Threshold', { min: 0, max: THRESHOLD_MAX }),
  forMin: whole('持续时间', 'Duration', { unit: 'minute', min: 0, max: 120 }),
  level: among('级别', 'Level', AlarmLevel),
  serverIds: shaped('服务器', 'Servers', listOf(id<'ServerId'>(), { max: 100 })),
  notifyPeople: shaped('通知人员', 'People notified', listOf(id<'PersonId'>(), { max: 100 })),
  notifyRoles: shaped('通知角色', 'Roles notified', listOf(id<'RoleId'>(), { max: 20 })),
  silenceMin: whole('静默时间', 'Quiet time', { unit: 'minute', min: 0, max: 1440 }),
  enabled: yes('启用', 'Enabled'),
  remark: orNone(text('备注', 'Remark', { max: 300 })),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
})
export const alarmRuleSearch = searchOf(
  AlarmRule,
  { name: 'contains', metric: 'among', level: 'among', enabled: 'equals' },
  { sort: ['name'], ascending: true },
)
/** A rule, the names of whom it tells, and how often it was right lately. */
export const AlarmRuleDetail = entity({
  ...AlarmRule.properties,
  open: whole('告警中', 'Open'),
  lastRaisedAt: orNone(instant('最近告警', 'Last raised at')),
})
export const Receiver = entity({ id: id<'ReceiverId'>(), name: text('名称', 'Name') })
export const Receivers = entity({
  people: shaped('人员', 'People', listOf(Receiver)),
  roles: shaped('角色', 'Roles', listOf(Receiver)),
})

const FIELDS = ['serverIds', 'notifyPeople', 'notifyRoles', 'silenceMin', 'enabled', 'remark'] as const
const edit = { service: 'business', needs: 'system:alarm-rule:edit', writes: true } as const
const view = { service: 'business', needs: 'system:alarm-rule:view' } as const
export const alarmRule = {
  save: call('system.alarm-rule.save', {
    ...edit,
    post: '/serverAlarmRule/save',
    does: ['新增告警规则', 'Added an alarm rule'],
    body: pickSome(AlarmRule, ['name', 'metric', 'op', 'threshold', 'level'], ['forMin', ...FIELDS]),
    reply: AlarmRule,
  }),
  delete: call('system.alarm-rule.delete', {
    ...edit,
    post: '/serverAlarmRule/delete',
    does: ['删除告警规则', 'Deleted an alarm rule'],
    body: pick(AlarmRule, 'id', 'version'),
    reply: nothing,
  }),
  pageQuery: call('system.alarm-rule.page-query', {
    ...view,
    post: '/serverAlarmRule/pageQuery',
    body: paged(alarmRuleSearch),
    reply: pageOf(AlarmRuleDetail),
  }),
  update: call('system.alarm-rule.update', {
    ...edit,
    post: '/serverAlarmRule/update',
    does: ['修改告警规则', 'Changed an alarm rule'],
    body: pickSome(AlarmRule, ['id', 'version'], ['name', 'metric', 'op', 'threshold', 'level', 'forMin', ...FIELDS]),
    reply: AlarmRule,
  }),
  getInfo: call('system.alarm-rule.get-info', { ...view, get: '/serverAlarmRule/getInfo', query: pick(AlarmRule, 'id'), reply: AlarmRuleDetail }),
  /** Returns the people and roles that a rule may tell. */
  receivers: call('system.alarm-rule.get-receivers', {
    ...view,
    get: '/serverAlarmRule/getReceivers',
    own: true,
    query: message({}),
    reply: Receivers,
  }),
}

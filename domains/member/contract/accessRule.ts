import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  dictionary,
  entity,
  id,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  pickSome,
  rowFields,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import type { GroupId } from './group.ts'

export const AccessEffect = dictionary('access_effect', ['准入效果', 'Effect'], {
  allow: [1, '允许', 'Allowed', 'success'],
  forbid: [2, '禁止', 'Forbidden', 'error'],
})
export const AccessStatus = dictionary('access_rule_status', ['规则状态', 'Rule status'], {
  draft: [0, '未启用', 'Not in force'],
  inForce: [1, '启用', 'In force', 'success'],
})
export const OddEven = dictionary('odd_even', ['单双号', 'Odd/even'], {
  any: [0, '不限', 'Any'],
  byDate: [1, '按单双号', 'By date'],
})

const clock = (zh: string, en: string) => text(zh, en, { min: 5, max: 5, pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })
/** Which cars may come in when, through which entrances. Lists that are empty name all; the same clock twice is day and night. */
export const AccessRule = entity(['准入规则', 'Access rule'], {
  ...rowFields<'AccessRuleId'>(),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  name: text('规则名称', 'Rule', { max: 60 }),
  gates: shaped('通道', 'Lanes', listOf(text('通道编号', 'Lane code', { max: 24 }), { max: 100 })),
  memberGroups: shaped('月卡类型', 'Pass types', listOf(id<GroupId>('月卡类型', 'Pass type'), { max: 100 })),
  /** Bit 0 is Monday, bit 6 Sunday. */
  dayMask: whole('适用星期', 'Weekdays', { min: 1, max: 127 }),
  timeFrom: clock('时段起', 'From'),
  timeTo: clock('时段止', 'To'),
  dateFrom: orNone(day('开始日期', 'Start date')),
  dateTo: orNone(day('结束日期', 'End date')),
  oddEven: among('单双号', 'Odd/even', OddEven),
  effect: among('效果', 'Effect', AccessEffect),
  priority: whole('优先级', 'Priority', { min: -1000, max: 1000 }),
  status: among('状态', 'Status', AccessStatus),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const accessRuleSearch = searchOf(
  AccessRule,
  { parkCode: 'equals', name: 'startsWith', effect: 'among', status: 'among' },
  { sort: ['createdAt'] },
)

const edit = { service: 'member', needs: 'member:access:edit', writes: true } as const
const view = { service: 'member', needs: 'member:access:view' } as const
const OPTIONAL = ['gates', 'memberGroups', 'dayMask', 'timeFrom', 'timeTo', 'dateFrom', 'dateTo', 'oddEven', 'priority', 'remark'] as const
const base = '/member/config/accessRule'
const One = pick(AccessRule, 'id', 'version')
export const accessRule = {
  queryPage: call('member.access-rule.query-page', { ...view, post: `${base}/queryPage`, body: paged(accessRuleSearch), reply: pageOf(AccessRule) }),
  queryOne: call('member.access-rule.query-one', { ...view, post: `${base}/queryOne`, body: pick(AccessRule, 'id'), reply: AccessRule }),
  /** A new rule is not in force yet. */
  insert: call('member.access-rule.insert', {
    ...edit,
    post: `${base}/insertParkAccessRule`,
    does: ['新增准入规则', 'Added an access rule'],
    body: pickSome(AccessRule, ['parkCode', 'name', 'effect'], OPTIONAL),
    reply: AccessRule,
  }),
  updateYes: call('member.access-rule.update-yes', {
    ...edit,
    post: `${base}/updateYes`,
    does: ['启停准入规则', 'Enabled or disabled an access rule'],
    body: message({ ...One.properties, yes: among('启用', 'In force', AccessStatus) }),
    reply: AccessRule,
  }),
  update: call('member.access-rule.update', {
    ...edit,
    post: `${base}/updateParkAccessRule`,
    does: ['修改准入规则', 'Changed an access rule'],
    body: pickSome(AccessRule, ['id', 'version'], ['name', 'effect', ...OPTIONAL]),
    reply: AccessRule,
  }),
  delete: call('member.access-rule.delete', {
    ...edit,
    post: `${base}/deleteParkAccessRule`,
    does: ['删除准入规则', 'Deleted an access rule'],
    body: One,
    reply: nothing,
  }),
}

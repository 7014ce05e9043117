import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  edge,
  entity,
  instant,
  message,
  nothing,
  orNone,
  pickSome,
  rowFields,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf, importOf, templateOf } from '../../../platform/contract/sheet.ts'
import { parkCodes } from '../../identity/contract/parks.ts'

export const PointsEvent = dictionary('points_event', ['积分事件', 'Points event'], {
  parking: [1, '停车缴费', 'Parking fee'],
  charging: [2, '充电', 'Charging'],
  pass: [3, '月卡', 'Pass'],
  checkIn: [4, '签到', 'Check-in'],
  registration: [5, '注册', 'Registration'],
  imported: [6, '活动导入', 'Imported'],
})
export const PointsExpire = dictionary('points_expire', ['过期方式', 'Expiry'], {
  yearEnd: [1, '次年 12 月 31 日', '31 December of the next year'],
  months: [2, '满 N 月', 'After a number of months'],
})
/** The first three follow from its dates; only the last is set by hand. */
export const RuleStatus = dictionary('points_rule_status', ['规则状态', 'Rule status'], {
  notYet: [0, '未开始', 'Not started'],
  running: [1, '进行中', 'Running', 'success'],
  over: [2, '已结束', 'Over'],
  stopped: [3, '停用', 'Stopped', 'warning'],
})
const clock = (zh: string, en: string) => orNone(text(zh, en, { min: 5, max: 5, pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }))
/** Points for money: so many for every yuan, more at some hours, up to a day's and a month's most. Signing in for the day and registering give them each time. */
export const PointsRule = entity(['积分规则', 'Points rule'], {
  ...rowFields<'PointsRuleId'>(),
  name: text('名称', 'Name'),
  event: among('事件', 'Event', PointsEvent),
  ratio: whole('每元积分', 'Points per yuan', { min: 1, max: 100_000 }),
  roundDown: yes('取整', 'Round down'),
  dayCap: orNone(whole('日上限', 'Daily limit', { min: 1 })),
  monthCap: orNone(whole('月上限', 'Monthly limit', { min: 1 })),
  multiplier: whole('倍数', 'Multiplier', { unit: 'permille', min: 1000, max: 10_000 }),
  multiplierFrom: clock('倍数时段起', 'Multiplied from'),
  multiplierTo: clock('倍数时段止', 'Multiplied to'),
  parkCodes: parkCodes('车场', 'Car parks'),
  additive: yes('叠加', 'Additive'),
  startAt: edge(instant('开始', 'From'), 'first'),
  endAt: edge(instant('结束', 'Until'), 'last'),
  priority: whole('优先级', 'Priority', { min: 0, max: 999 }),
  expireType: among('过期方式', 'Expiry', PointsExpire),
  expireMonths: orNone(whole('过期月数', 'Months to expiry', { min: 1, max: 120 })),
  status: among('状态', 'Status', RuleStatus),
})
export const pointsRuleSearch = searchOf(
  PointsRule,
  { name: 'contains', event: 'among', status: 'among', startAt: 'between' },
  { sort: ['createdAt'] },
)
const OPTIONAL = [
  'roundDown',
  'dayCap',
  'monthCap',
  'multiplier',
  'multiplierFrom',
  'multiplierTo',
  'parkCodes',
  'additive',
  'priority',
  'expireType',
  'expireMonths',
] as const
const row = pickSome(PointsRule, ['name', 'event', 'ratio', 'startAt', 'endAt'], OPTIONAL)
const edit = { service: 'business', needs: 'coupon:points-rule:edit', writes: true } as const
const view = { service: 'business', needs: 'coupon:points-rule:view' } as const
const pointsRuleEdit = { service: 'business', needs: 'coupon:points-rule:edit' } as const
const pageQuery = call('coupon.points-rule.page-query', {
  ...view,
  post: '/pointsRule/pageQuery',
  body: paged(pointsRuleSearch),
  reply: pageOf(PointsRule),
})
export const pointsRule = {
  pageQuery,
  add: call('coupon.points-rule.add', {
    ...edit,
    post: '/pointsRule/add',
    does: ['新增积分规则', 'Added a points rule'],
    body: row,
    reply: PointsRule,
  }),
  /** Once it has given points it only ends: sooner, or by being stopped. */
  update: call('coupon.points-rule.update', {
    ...edit,
    post: '/pointsRule/update',
    does: ['修改积分规则', 'Changed a points rule'],
    body: message({ id: PointsRule.properties.id, version: PointsRule.properties.version }, { ...optional(), stopped: yes('停用', 'Stopped') }),
    reply: PointsRule,
  }),
  delete: call('coupon.points-rule.delete', {
    ...edit,
    post: '/pointsRule/delete',
    does: ['删除积分规则', 'Deleted a points rule'],
    form: message({ id: PointsRule.properties.id }),
    reply: nothing,
  }),
  import: importOf('coupon.points-rule.import-date', {
    ...pointsRuleEdit,
    post: '/pointsRule/importDate',
    title: ['积分规则', 'Points rules'],
    row,
    unique: 'name',
  }),
  export: exportOf('coupon.points-rule.export', {
    ...view,
    get: '/pointsRule/export',
    title: ['积分规则', 'Points rules'],
    query: pageQuery,
    columns: [
      'name',
      'event',
      'ratio',
      'roundDown',
      'dayCap',
      'monthCap',
      'multiplier',
      'multiplierFrom',
      'multiplierTo',
      'parkCodes',
      'additive',
      'startAt',
      'endAt',
      'priority',
      'expireType',
      'expireMonths',
      'status',
    ],
  }),
  importTemplate: templateOf('coupon.points-rule.import-template', { ...pointsRuleEdit, get: '/pointsRule/importTemplate' }),
}
function optional() {
  const { id: _, version: __, createdAt: ___, updatedAt: ____, status: _____, ...fields } = PointsRule.properties
  return fields
}

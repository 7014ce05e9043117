import { call, PAGE, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  degrees,
  dictionary,
  entity,
  instant,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { Collector, tollNo } from './collector.ts'

/** The warning rules for people at work. The eight are fixed; their limits are set. */
export const WorkRule = dictionary('work_rule', ['预警规则', 'Rule'], {
  away: [1, '脱岗', 'Off post', 'error'],
  still: [2, '静止', 'Not moving', 'warning'],
  gathered: [3, '聚集', 'Gathered', 'warning'],
  noCard: [4, '未打卡', 'No clock-in', 'warning'],
  late: [5, '迟到', 'Late'],
  early: [6, '早退', 'Left early'],
  offline: [7, 'PDA 离线', 'Handheld offline', 'warning'],
  unhandled: [8, '超时未处理订单', 'Overdue orders', 'warning'],
})
export const WarningLevel = dictionary('work_warning_level', ['预警级别', 'Level'], {
  low: [1, '提示', 'Notice'],
  middle: [2, '一般', 'Minor', 'warning'],
  high: [3, '严重', 'Severe', 'error'],
})
export const WarningState = dictionary('work_warning_state', ['处理状态', 'Status'], {
  open: [0, '未处理', 'Open', 'warning'],
  handled: [1, '已处理', 'Handled', 'success'],
  mistaken: [2, '误报', 'False alarm'],
})
/** A false alarm counts in no statistic. */
export const Verdict = dictionary('work_warning_verdict', ['处理结论', 'Conclusion'], {
  handled: [1, '已处理', 'Handled', 'success'],
  mistaken: [2, '误报', 'False alarm'],
})
export const warningCan = moves(WarningState, {
  handle: { [WarningState.open]: WarningState.handled },
  dismiss: { [WarningState.open]: WarningState.mistaken },
})
const minute = (zh: string, en: string, min: number) => whole(zh, en, { unit: 'minute', min, max: 480 })
const rule = among('规则', 'Rule', WorkRule)
const level = among('级别', 'Level', WarningLevel)
const set = {
  enabled: yes('启用', 'Enabled'),
  level,
  notify: yes('通知班组长', 'Notify leader'),
  thresholdMin: minute('时长阈值', 'Lasts for', 0),
  silenceMin: minute('静默时长', 'Quiet time', 0),
}
/** Settings that belong to one rule alone: a distance, a number of people. */
const some = {
  distM: orNone(whole('距离', 'Distance', { unit: 'metre', min: 5, max: 1000 })),
  people: orNone(whole('人数', 'People', { min: 2, max: 50 })),
}
/** The present settings of a rule (工作预警规则); a change applies to what happens from then on. */
export const WarningRule = entity(['预警规则', 'Warning rule'], {
  rule,
  version: whole('版本', 'Version'),
  updatedAt: orNone(instant('更新时间', 'Updated at')),
  ...set,
  ...some,
})
export const ruleSearch = searchOf(WarningRule, { rule: 'among', enabled: 'equals' }, { sort: ['rule'], ascending: true })

const place = text('地点', 'Place', { max: 24 })
/** Something that somebody at work should be asked about (工作预警). One open at a time of each rule and person. */
export const WorkWarning = entity(['工作预警', 'Work warning'], {
  ...rowFields<'WorkWarningId'>(),
  rule,
  level,
  tollNo,
  name: Collector.properties.name,
  groupId: Collector.properties.groupId,
  parkCode: Collector.properties.parkCode,
  placeCode: orNone(place),
  lng: orNone(degrees('经度', 'Longitude')),
  lat: orNone(degrees('纬度', 'Latitude', 90)),
  startAt: instant('开始', 'From'),
  endAt: orNone(instant('结束', 'Until')),
  times: whole('次数', 'Count', { min: 1 }),
  state: among('状态', 'Status', WarningState),
  opinion: orNone(text('处理意见', 'Handling note', { max: 200 })),
  handlerName: orNone(text('处理人', 'Handler', { max: 64 })),
  handledAt: orNone(instant('处理时间', 'Handled at')),
})
export const warningSearch = searchOf(
  WorkWarning,
  { startAt: 'between', rule: 'among', level: 'among', state: 'among', tollNo: 'equals', name: 'contains', groupId: 'equals', parkCode: 'equals' },
  { sort: ['startAt'] },
)
const counted = (zh: string, en: string) => whole(zh, en, { min: 0 })
/** By person, without false alarms. A rule has the field that is called as it is. */
export const WarningTotals = entity({
  tollNo,
  name: Collector.properties.name,
  parkCode: Collector.properties.parkCode,
  groupName: orNone(text('班组', 'Group', { max: 40 })),
  total: counted('合计', 'Total'),
  open: counted('未处理', 'Open'),
  away: counted('脱岗', 'Off post'),
  still: counted('静止', 'Not moving'),
  gathered: counted('聚集', 'Gathered'),
  noCard: counted('未打卡', 'No clock-in'),
  late: counted('迟到', 'Late'),
  early: counted('早退', 'Left early'),
  offline: counted('PDA 离线', 'Handheld offline'),
  unhandled: counted('超时未处理订单', 'Overdue orders'),
})
const view = { service: 'business', needs: 'staff:warning:view' } as const
const query = call('staff.warning-log.page-query', {
  ...view,
  post: '/api/staff/workEarningLog/pageQuery',
  body: paged(warningSearch),
  reply: pageOf(WorkWarning),
})
const totals = call('staff.warning-log.warning-log-statistic', {
  ...view,
  post: '/api/staff/workEarningLog/warningLogStatistic',
  body: message(
    {},
    { dateFrom: day('自', 'From'), dateTo: day('至', 'To'), groupId: Collector.properties.groupId, parkCode: Collector.properties.parkCode, ...PAGE },
  ),
  reply: pageOf(WarningTotals),
})
/** The most warnings that are handled at once. */
export const HANDLED_MAX = 100

export const warningRule = {
  query: call('staff.warning-rule.page-query', {
    service: 'business',
    needs: 'staff:warning-rule:view',
    post: '/api/staff/workWarningRule/pageQuery',
    body: paged(ruleSearch),
    reply: pageOf(WarningRule),
  }),
  update: call('staff.warning-rule.update', {
    service: 'business',
    needs: 'staff:warning-rule:edit',
    writes: true,
    post: '/api/staff/workWarningRule/update',
    does: ['设置预警规则', 'Set a warning rule'],
    query: message({ rule, version: WarningRule.properties.version }, { ...set, ...some }),
    reply: nothing,
  }),
}
export const workWarning = {
  query,
  totals,
  export: exportOf('staff.warning-log.page-query-export', {
    ...view,
    get: '/api/staff/workEarningLog/pageQueryExport',
    title: ['工作预警', 'Work warnings'],
    query,
    columns: [
      'startAt',
      'endAt',
      'rule',
      'level',
      'tollNo',
      'name',
      'parkCode',
      parkName,
      'placeCode',
      'times',
      'state',
      'opinion',
      'handlerName',
      'handledAt',
    ],
  }),
  totalsExport: exportOf('staff.warning-log.warning-log-statistic-export', {
    ...view,
    get: '/api/staff/workEarningLog/warningLogStatisticExport',
    title: ['预警统计', 'Warnings by person'],
    query: totals,
    columns: [
      'tollNo',
      'name',
      'parkCode',
      parkName,
      'groupName',
      'total',
      'open',
      'away',
      'still',
      'gathered',
      'noCard',
      'late',
      'early',
      'offline',
      'unhandled',
    ],
  }),
  /** Not by whom it means. */
  handle: call('staff.warning-log.handle', {
    service: 'business',
    needs: 'staff:warning:handle',
    writes: true,
    own: true,
    post: '/api/staff/workEarningLog/handle',
    does: ['处理工作预警', 'Handled work warnings'],
    body: message({
      ids: shaped('预警', 'Warnings', listOf(WorkWarning.properties.id, { max: HANDLED_MAX })),
      state: among('结论', 'Conclusion', Verdict),
      opinion: text('处理意见', 'Handling note', { max: 200 }),
    }),
    reply: nothing,
  }),
}

import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  instant,
  listOf,
  message,
  moves,
  type Of,
  orNone,
  pickSome,
  rowFields,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { StartMode } from './session.ts'
import { Station } from './station.ts'

/** All but `stopped` follow from the dates. */
export const ActivityState = dictionary('charging_activity_state', ['充电活动状态', 'Charging promotion status'], {
  notYet: [0, '未开始', 'Not started'],
  running: [1, '进行中', 'Running', 'success'],
  over: [2, '已结束', 'Ended'],
  stopped: [3, '停用', 'Stopped', 'warning'],
})
export const ActivityKind = dictionary('charging_activity_kind', ['充电活动类型', 'Charging promotion type'], {
  serviceRate: [1, '服务费折扣', 'Service fee discount'],
  threshold: [2, '满减', 'Amount off above a minimum'],
  first: [3, '首充立减', 'Money off the first session'],
  perKwh: [4, '服务费每度立减', 'Money off the service fee per kWh'],
})
/** A promotion is stopped by hand and taken up again; one whose time is over stays so. */
export const activityCan = moves(ActivityState, {
  stop: { [ActivityState.notYet]: ActivityState.stopped, [ActivityState.running]: ActivityState.stopped },
  resume: { [ActivityState.stopped]: ActivityState.notYet },
})

const { stationId } = Station.properties
/** So many stations at most: who means more leaves the list empty, and means all. */
const STATIONS_MAX = 200
/** Money off charges between two moments, within a budget. `value` is thousandths that are still to be paid, fen, or hundredths of a fen for each kWh, as `kind` says. */
export const ActivityRow = entity(['充电活动', 'Charging promotion'], {
  ...rowFields<'ChargingActivityId'>(),
  name: text('活动名称', 'Promotion', { max: 64 }),
  kind: among('类型', 'Type', ActivityKind),
  value: whole('优惠幅度', 'Discount', { min: 0, max: 1_000_000 }),
  thresholdFen: orNone(fen('满多少可用', 'Minimum amount', { min: 0 })),
  maxDiscountFen: orNone(fen('最多优惠', 'Discount, at most', { min: 1 })),
  stationIds: shaped('适用充电站', 'Stations', listOf(stationId, { max: STATIONS_MAX })),
  startModes: shaped('适用启动方式', 'Start methods', listOf(among('启动方式', 'Started by', StartMode), { max: 4 })),
  startAt: instant('开始时间', 'Start time'),
  endAt: instant('结束时间', 'End time'),
  perUserTimes: orNone(whole('每人次数', 'Times per person', { min: 1, max: 1_000 })),
  perDayTimes: orNone(whole('每人每日次数', 'Times per person and day', { min: 1, max: 100 })),
  budgetFen: orNone(fen('预算', 'Budget', { min: 1 })),
  usedFen: fen('已优惠', 'Discount given', { min: 0 }),
  usedTimes: whole('已用次数', 'Times used', { min: 0 }),
})
/** A promotion with the state that the clock gives it. */
export const Activity = entity({ ...ActivityRow.properties, state: among('状态', 'Status', ActivityState) })
export const activitySearch = searchOf(
  Activity,
  { name: 'contains', state: 'among', kind: 'among', startAt: 'between' },
  { sort: ['createdAt', 'startAt'] },
)

const yuan = (fen: number) => `¥${(fen / 100).toFixed(2)}`
/** What it gives, in the unit of its kind. */
export const activityGives = ({ kind, value, thresholdFen }: Pick<Of<typeof Activity>, 'kind' | 'value' | 'thresholdFen'>) =>
  ({
    [ActivityKind.serviceRate]: [`服务费 ${value / 100} 折`, `${100 - value / 10}% off the service fee`],
    [ActivityKind.threshold]: [`满 ${yuan(thresholdFen ?? 0)} 减 ${yuan(value)}`, `${yuan(value)} off ${yuan(thresholdFen ?? 0)} or more`],
    [ActivityKind.first]: [`首充减 ${yuan(value)}`, `${yuan(value)} off the first session`],
    [ActivityKind.perKwh]: [`每度减 ${(value / 10_000).toFixed(4)} 元`, `${(value / 10_000).toFixed(4)} yuan off per kWh`],
  })[kind] as [zh: string, en: string]

const edit = { service: 'charging', needs: 'charging:activity:edit', writes: true } as const
const query = call('charging.activity.query', {
  service: 'charging',
  needs: 'charging:activity:view',
  post: '/chargingActivity/query',
  body: paged(activitySearch),
  reply: pageOf(Activity),
})
export const activity = {
  query,
  export: exportOf('charging.activity.export', {
    service: 'charging',
    needs: 'charging:activity:view',
    own: true,
    post: '/chargingActivity/export',
    title: ['充电活动', 'Charging promotions'],
    query: query,
    columns: [
      'name',
      'state',
      'kind',
      { name: 'gives', field: text('优惠幅度', 'Discount') },
      'thresholdFen',
      'maxDiscountFen',
      'startAt',
      'endAt',
      'perUserTimes',
      'perDayTimes',
      'budgetFen',
      'usedFen',
    ],
  }),
  /** What is published is not changed any more: copy it. Without stations or ways to start, all of them take part. */
  add: call('charging.activity.add', {
    ...edit,
    post: '/chargingActivity/add',
    does: ['新增充电活动', 'Added a charging promotion'],
    body: pickSome(
      Activity,
      ['name', 'kind', 'value', 'startAt', 'endAt'],
      ['thresholdFen', 'maxDiscountFen', 'stationIds', 'startModes', 'perUserTimes', 'perDayTimes', 'budgetFen'],
    ),
    reply: Activity,
  }),
  /** 3 stops it, 0 takes it up again. */
  updateState: call('charging.activity.update-state', {
    ...edit,
    post: '/chargingActivity/updateState',
    does: ['启停充电活动', 'Stopped or resumed a charging promotion'],
    body: message({ id: Activity.properties.id, version: Activity.properties.version, state: Activity.properties.state }),
    reply: Activity,
  }),
}

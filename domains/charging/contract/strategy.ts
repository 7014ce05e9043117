import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  account,
  among,
  callable,
  nothing,
  yes,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  orNone,
  permille,
  rowFields,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { halfHour, priceE4 } from './units.ts'

export const PeriodKind = dictionary('charging_period_kind', ['时段类型', 'Period type'], {
  sharp: [1, '尖', 'Critical peak', 'error'],
  peak: [2, '峰', 'Peak', 'warning'],
  flat: [3, '平', 'Standard'],
  valley: [4, '谷', 'Off-peak', 'success'],
  deep: [5, '深谷', 'Super off-peak', 'success'],
})
export const StrategyStatus = dictionary('charging_strategy_status', ['价格表状态', 'Price table status'], {
  draft: [0, '草稿', 'Draft'],
  published: [1, '已发布', 'Published', 'success'],
  stopped: [2, '停用', 'Stopped'],
})
/** Where a version stands in time: what is published may have yet to come, and what was in force is over. */
export const StrategyPhase = dictionary('charging_strategy_phase', ['价格表生效', 'Phase of the price table'], {
  draft: [0, '草稿', 'Draft'],
  coming: [1, '待生效', 'Not in force yet', 'warning'],
  now: [2, '生效中', 'In force', 'success'],
  over: [3, '已过期', 'Expired'],
  stopped: [4, '停用', 'Stopped'],
})
/** Halves of an hour of one day; a table has as many at most. */
export const PERIODS_MAX = 48
/** So many runs of one price a day are what the protocol between platforms can say. */
export const RUNS_MAX = 32
/** What a kilowatt hour costs between two half hours of the city's day. */
export const Period = message({
  from: halfHour('开始', 'From'),
  to: halfHour('结束', 'To'),
  kind: among('类型', 'Type', PeriodKind),
  elecPriceE4: priceE4('电价', 'Electricity'),
  servicePriceE4: priceE4('服务费', 'Service'),
})

/** One version of a price table; `tableId` is the same for all its versions. What was published never changes. */
export const Strategy = entity(['充电价格表', 'Charging price table'], {
  ...rowFields<'ChargingStrategyId'>(),
  tableId: id<'PriceTableId'>('价格表', 'Price table'),
  versionNo: whole('版次', 'Version number', { min: 1 }),
  name: text('名称', 'Name', { max: 64 }),
  status: among('状态', 'Status', StrategyStatus),
  periods: shaped('时段', 'Periods', listOf(Period, { max: PERIODS_MAX })),
  /** After the charge has ended the bay is free for so long. */
  idleGraceMin: whole('占位宽限', 'Grace after charging', { unit: 'minute', min: 0, max: 1_440 }),
  occupyFenPerMin: fen('占位费（每分钟）', 'Idle fee per minute', { min: 0 }),
  occupyCapFen: fen('占位费封顶', 'Idle fee cap', { min: 0 }),
  quietFrom: halfHour('占位免计起', 'Start of quiet hours'),
  quietTo: halfHour('占位免计止', 'End of quiet hours'),
  effectiveFrom: orNone(instant('生效时间', 'In force from')),
  effectiveTo: orNone(instant('失效时间', 'In force until')),
  stationIds: shaped('充电站', 'Stations', listOf(text('充电站 ID', 'Station id', { max: 20 }), { max: 500 })),
  publishedName: orNone(text('发布人', 'Published by')),
})
/** A version as its list shows it. */
export const StrategyRow = entity({ ...Strategy.properties, phase: among('生效状态', 'Phase', StrategyPhase) })
export const strategySearch = searchOf(Strategy, { name: 'contains', status: 'among', effectiveFrom: 'between' }, { sort: ['createdAt'] })

export const UserKind = dictionary('charging_user_kind', ['用户类型', 'User type'], {
  owner: [1, '车主', 'Owner'],
  phone: [2, '手机号', 'Phone'],
  plate: [3, '车牌', 'Plate'],
  card: [4, '充电卡', 'Card'],
  group: [5, '车主分组', 'Owner group'],
})
/** Somebody who charges for less: what of the price they pay, in thousandths. */
export const StrategyUser = entity(['充电用户策略', 'User discount'], {
  ...rowFields<'StrategyUserId'>(),
  /** Of one price table alone; none is all of them. */
  strategyId: orNone(id<'PriceTableId'>('价格表', 'Price table')),
  name: text('名称', 'Name', { max: 64 }),
  userKind: among('用户类型', 'User type', UserKind),
  userKey: account('用户', 'User', { max: 64 }),
  servicePermille: permille('服务费按', 'Service fee charged at'),
  elecPermille: permille('电费按', 'Electricity charged at'),
  validFrom: instant('有效期起', 'Valid from'),
  validTo: instant('有效期止', 'Valid until'),
  usedCount: whole('使用次数', 'Times used', { min: 0 }),
  savedFen: fen('累计优惠', 'Total saved', { min: 0 }),
})
export const strategyUserSearch = searchOf(
  StrategyUser,
  { strategyId: 'equals', name: 'contains', userKind: 'among', userKey: 'equals' },
  { sort: ['createdAt'] },
)

const s = Strategy.properties
const u = StrategyUser.properties
const view = { service: 'charging', needs: 'charging:strategy:view' } as const
const edit = { service: 'charging', needs: 'charging:strategy:edit', writes: true } as const
/** So many get one discount at once. */
const USERS_MAX = 500
const key = (zh: string, en: string) => text(zh, en, { max: 64 })
const queryUser = call('charging.strategy.query-user', {
  ...view,
  post: '/strategy/queryUser',
  body: paged(strategyUserSearch),
  reply: pageOf(StrategyUser),
})
export const strategy = {
  query: call('charging.strategy.query', { ...view, post: '/strategy/query', body: paged(strategySearch), reply: pageOf(StrategyRow) }),
  detail: call('charging.strategy.detail', { ...view, own: true, get: '/strategy/detail', query: message({ id: s.id }), reply: StrategyRow }),
  /** A new table, or with the id of one a new version of it. `publish` puts it in force from `effectiveFrom` on, at its stations. */
  insert: call('charging.strategy.insert', {
    ...edit,
    post: '/strategy/insert',
    does: ['新增充电价格表', 'Added a charging price table'],
    body: message(
      { name: s.name, periods: s.periods },
      {
        id: s.id,
        idleGraceMin: s.idleGraceMin,
        occupyFenPerMin: s.occupyFenPerMin,
        occupyCapFen: s.occupyCapFen,
        quietFrom: s.quietFrom,
        quietTo: s.quietTo,
        stationIds: s.stationIds,
        effectiveFrom: instant('生效时间', 'In force from'),
        publish: yes('发布', 'Publish'),
      },
    ),
    reply: Strategy,
  }),
  /** A draft goes; one that was in force is stopped. Refused where a station would be without a price. */
  del: call('charging.strategy.del', {
    ...edit,
    get: '/strategy/del',
    does: ['删除或停用价格表', 'Deleted or stopped a price table'],
    query: message({ id: s.id }),
    reply: nothing,
  }),
  queryUser,
  insertUser: call('charging.strategy.insert-user', {
    ...edit,
    post: '/strategy/insertUser',
    does: ['新增充电用户策略', 'Added user discounts'],
    body: message(
      {
        name: u.name,
        users: shaped(
          '用户',
          'Users',
          listOf(
            message(
              {},
              {
                ownerId: key('车主', 'Owner'),
                phone: callable('手机号', 'Phone'),
                plateNo: key('车牌', 'Plate'),
                cardNo: key('充电卡', 'Card'),
                groupId: key('分组', 'Group'),
              },
            ),
            { max: USERS_MAX },
          ),
        ),
        servicePermille: u.servicePermille,
        validFrom: u.validFrom,
        validTo: u.validTo,
      },
      { strategyId: u.strategyId, elecPermille: u.elecPermille },
    ),
    reply: listOf(StrategyUser),
  }),
  exportUser: exportOf('charging.strategy.export-user', {
    ...view,
    post: '/strategy/exportUser',
    title: ['充电用户策略', 'User discounts'],
    query: queryUser,
    columns: ['name', 'userKind', 'userKey', 'servicePermille', 'elecPermille', 'validFrom', 'validTo', 'usedCount', 'savedFen'],
  }),
  /** Charges that run keep it. */
  delUser: call('charging.strategy.del-user', {
    ...edit,
    get: '/strategy/delUser',
    does: ['移除充电用户策略', 'Removed a user discount'],
    query: message({ id: u.id }),
    reply: nothing,
  }),
}

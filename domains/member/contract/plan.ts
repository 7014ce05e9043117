import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
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
import { VehicleClass } from '../../../platform/contract/plate.ts'
import { PassWindow } from './pass.ts'

export const PeriodUnit = dictionary('period_unit', ['周期单位', 'Period unit'], {
  day: [1, '天', 'Days'],
  month: [2, '月', 'Months'],
  quarter: [3, '季', 'Quarters'],
  halfYear: [4, '半年', 'Half years'],
  year: [5, '年', 'Years'],
})
export const ValidType = dictionary('valid_type', ['有效期方式', 'How the period runs'], {
  calendar: [1, '自然月', 'Calendar months'],
  rolling: [2, '按日滚动', 'From its start date'],
})
export const RefundRule = dictionary('refund_rule', ['退款规则', 'Refund rule'], {
  none: [1, '不退', 'No refund'],
  byDay: [2, '按天折算', 'By day'],
  byMonth: [3, '按未用整月', 'By unused whole months'],
})
export const PlanStatus = dictionary('plan_status', ['套餐状态', 'Plan status'], {
  onSale: [1, '在售', 'On sale', 'success'],
  offSale: [2, '停售', 'Off sale'],
})

export type CarFeesId = 'CarFeesId'
/** A million yuan: so many periods as are sold at once are still an amount. */
const PRICE_FEN_MAX = 100_000_000
/** A plan: a price for a length of time, for some hours. A sold pass keeps the terms that it was sold by. */
export const CarFeesTerms = entity(['月卡套餐', 'Pass plan'], {
  ...rowFields<CarFeesId>(),
  name: text('套餐名称', 'Plan', { max: 60 }),
  priceFen: fen('价格', 'Price', { min: 0, max: PRICE_FEN_MAX }),
  periodUnit: among('周期单位', 'Unit', PeriodUnit),
  periodCount: whole('周期数', 'Number of units', { min: 1, max: 366 }),
  validType: among('有效期方式', 'Period runs', ValidType),
  timeWindow: among('可用时段', 'Hours', PassWindow),
  /** Empty: all parks of the kind of pass. */
  parks: shaped('适用车场', 'Car parks', listOf(text('车场编号', 'Car park code', { max: 16 }), { max: 100 })),
  quota: orNone(whole('发行上限', 'Sales limit', { min: 1, max: 1_000_000 })),
  renewAheadDays: orNone(whole('可提前续费天数', 'Renew days ahead', { min: 1, max: 366 })),
  graceDays: whole('过期宽限天数', 'Grace days', { min: 0, max: 366 }),
  refundRule: among('退款规则', 'Refund rule', RefundRule),
  /** Empty: for all. */
  vehicleClasses: shaped('适用车型', 'Vehicle classes', listOf(among('车型', 'Class', VehicleClass), { max: 10 })),
  status: among('状态', 'Status', PlanStatus),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const CarFees = entity({ ...CarFeesTerms.properties, sold: whole('已售', 'Sold', { min: 0 }) })
export const carFeesSearch = searchOf(
  CarFees,
  { name: 'startsWith', periodUnit: 'among', timeWindow: 'among', status: 'among' },
  { sort: ['createdAt'] },
)

const edit = { service: 'member', needs: 'member:plan:edit', writes: true } as const
const view = { service: 'member', needs: 'member:plan:view' } as const
const OPTIONAL = ['parks', 'quota', 'renewAheadDays', 'graceDays', 'refundRule', 'vehicleClasses', 'status', 'remark'] as const
const NEEDED = ['name', 'priceFen', 'periodUnit', 'periodCount', 'validType', 'timeWindow'] as const
export const carFees = {
  queryPage: call('member.car-fees.query-page', {
    ...view,
    post: '/member/config/carFeesRole/queryPage',
    body: paged(carFeesSearch),
    reply: pageOf(CarFees),
  }),
  insert: call('member.car-fees.insert', {
    ...edit,
    post: '/member/config/carFeesRole/insert',
    does: ['新增月卡套餐', 'Added a pass plan'],
    body: pickSome(CarFeesTerms, NEEDED, OPTIONAL),
    reply: CarFees,
  }),
  update: call('member.car-fees.update', {
    ...edit,
    post: '/member/config/carFeesRole/update',
    does: ['修改月卡套餐', 'Changed a pass plan'],
    body: pickSome(CarFeesTerms, ['id', 'version'], [...NEEDED, ...OPTIONAL]),
    reply: CarFees,
  }),
  delete: call('member.car-fees.delete', {
    ...edit,
    post: '/member/config/carFeesRole/delete',
    does: ['删除月卡套餐', 'Deleted a pass plan'],
    body: pick(CarFees, 'id', 'version'),
    reply: nothing,
  }),
  /** Returns the plans that the signed-in person may sell: those of kinds of pass that they see. `custId` is theirs already. */
  selectByCustId: call('member.car-fees.select-by-cust-id', {
    ...view,
    post: '/member/config/carFeesRole/selectByCustId',
    body: message({}, { custId: id<'PersonId'>('操作员', 'Operator') }),
    reply: listOf(CarFees),
  }),
}

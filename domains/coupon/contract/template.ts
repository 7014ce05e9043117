import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  dictionary,
  entity,
  fen,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  pickSome,
  rowFields,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { VehicleClass } from '../../../platform/contract/plate.ts'
import { parkCodes } from '../../identity/contract/parks.ts'

export const CouponType = dictionary('coupon_type', ['券类型', 'Coupon type'], {
  amount: [1, '金额减免', 'Amount off'],
  time: [2, '时长减免', 'Time off'],
  discount: [3, '折扣', 'Discount'],
  free: [4, '全免', 'Free'],
  book: [5, '次数券', 'Multi-use coupon'],
})
export const ValidType = dictionary('coupon_valid_type', ['有效期类型', 'Validity'], {
  fixed: [1, '固定区间', 'Fixed days'],
  afterIssue: [2, '领取后 N 天', 'Days after issue'],
})
export const TemplateStatus = dictionary('coupon_template_status', ['券模板状态', 'Template status'], {
  draft: [0, '草稿', 'Draft'],
  enabled: [1, '启用', 'Enabled', 'success'],
  disabled: [2, '停用', 'Disabled', 'warning'],
  ended: [3, '结束', 'Ended', 'default'],
})
const { draft, enabled, disabled, ended } = TemplateStatus
export const templateCan = moves(TemplateStatus, {
  enable: { [draft]: enabled, [disabled]: enabled, [enabled]: enabled },
  disable: { [enabled]: disabled, [disabled]: disabled },
  end: { [enabled]: ended, [disabled]: ended, [ended]: ended },
  draft: { [draft]: draft },
})
/** More of one group on one order is nothing that anybody could foresee at a till. */
export const STACK_MAX = 3
const clock = (zh: string, en: string) => orNone(text(zh, en, { min: 5, max: 5, pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }))

/** A book of coupons has so many at most. */
export const BOOK_MAX = 100
/** The effect of a coupon, where and when it is valid. The meaning of `value` follows from the type: fen, minutes, the ‰ that is still paid, or how many are in a book. */
export const Template = entity(['券模板', 'Coupon template'], {
  ...rowFields<'CouponTemplateId'>(),
  name: text('名称', 'Name'),
  type: among('类型', 'Type', CouponType),
  value: whole('面值', 'Value', { min: 0, max: 10_000_000 }),
  thresholdFen: fen('使用门槛', 'Minimum amount', { min: 0 }),
  maxDiscountFen: orNone(fen('最高优惠', 'Maximum discount', { min: 1 })),
  parkCodes: parkCodes('适用车场', 'Car parks'),
  vehicleClasses: shaped('适用车型', 'Vehicle classes', listOf(among('车型', 'Vehicle class', VehicleClass), { max: 10 })),
  timeFrom: clock('时段起', 'From'),
  timeTo: clock('时段止', 'To'),
  validType: among('有效期类型', 'Validity', ValidType),
  validFrom: orNone(day('生效日', 'First day')),
  validTo: orNone(day('失效日', 'Last day')),
  validDays: orNone(whole('有效天数', 'Valid days', { min: 1, max: 3650 })),
  stackGroup: orNone(text('叠加组', 'Stacking group', { max: 32 })),
  maxPerOrder: whole('每单张数', 'Limit per order', { min: 1, max: STACK_MAX }),
  priority: whole('优先级', 'Priority', { min: 0, max: 999 }),
  totalQty: whole('发行总量', 'Total', { min: 1, max: 10_000_000 }),
  madeQty: whole('已制券', 'Made', { min: 0 }),
  perUserLimit: orNone(whole('每车上限', 'Limit per car', { min: 1 })),
  perDayLimit: orNone(whole('每车每日上限', 'Daily limit per car', { min: 1 })),
  status: among('状态', 'Status', TemplateStatus),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const templateSearch = searchOf(Template, { name: 'contains', type: 'among', status: 'among', createdAt: 'between' }, { sort: ['createdAt'] })
const OPTIONAL = [
  'thresholdFen',
  'maxDiscountFen',
  'parkCodes',
  'vehicleClasses',
  'timeFrom',
  'timeTo',
  'validFrom',
  'validTo',
  'validDays',
  'stackGroup',
  'maxPerOrder',
  'priority',
  'perUserLimit',
  'perDayLimit',
  'status',
  'remark',
] as const
const edit = { service: 'coupon', needs: 'coupon:template:edit', writes: true } as const
const view = { service: 'coupon', needs: 'coupon:template:view' } as const
export const template = {
  queryPage: call('coupon.template.query-page', {
    ...view,
    post: '/couponsTemplateInfo/queryPage',
    body: paged(templateSearch),
    reply: pageOf(Template),
  }),
  /** Those that are enabled there. */
  selectByParkCode: call('coupon.template.select-by-park-code', {
    ...view,
    get: '/couponsTemplateInfo/selectByParkCode',
    query: message({}, { parkCode: text('车场编号', 'Car park code', { max: 16 }) }),
    reply: listOf(Template),
  }),
  insert: call('coupon.template.insert', {
    ...edit,
    post: '/couponsTemplateInfo/insert',
    does: ['新增券模板', 'Added a coupon template'],
    body: pickSome(Template, ['name', 'type', 'value', 'validType', 'totalQty'], OPTIONAL),
    reply: Template,
  }),
  /** Once enabled its terms are fixed: its name, a larger total and its state are all that changes. */
  update: call('coupon.template.update', {
    ...edit,
    post: '/couponsTemplateInfo/update',
    does: ['修改券模板', 'Changed a coupon template'],
    body: pickSome(Template, ['id', 'version'], ['name', 'type', 'value', 'validType', 'totalQty', ...OPTIONAL]),
    reply: Template,
  }),
  delete: call('coupon.template.delete', {
    ...edit,
    post: '/couponsTemplateInfo/delete',
    does: ['删除券模板', 'Deleted a coupon template'],
    body: pickSome(Template, ['id', 'version'], []),
    reply: nothing,
  }),
}

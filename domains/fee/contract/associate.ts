import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  instant,
  message,
  nothing,
  orNone,
  pick,
  pickSome,
  ref,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import type { RuleId } from './rule.ts'

/** Kinds of car that a rule may be for alone; the codes are those of the kinds of car at a lane. */
export const TiedKind = dictionary('fee_tied_kind', ['适用车辆类型', 'Car type'], {
  reserved: [2, '共享/预约车', 'Reserved'],
  noPlate: [6, '无牌车', 'Unplated'],
  storedValue: [7, '储值车', 'Stored value'],
  pass: [8, '月租车', 'Pass'],
  temporary: [9, '临时车', 'Temporary'],
})

/**
 * Which stays a rule is for (关联): whatever is named must be so; with nothing named it is the default of all parks. Of several the most special wins
 * (member group, area, park, default), then the rule's priority.
 */
export const Associate = entity({
  id: id<'AssociateId'>(),
  ruleId: ref<RuleId>('规则', 'Rule'),
  parkCode: orNone(text('车场编号', 'Car park code', { max: 24 })),
  areaCode: orNone(text('区域编号', 'Area code', { max: 24 })),
  sectionCode: orNone(text('路段编号', 'Section code', { max: 24 })),
  memberGroup: orNone(text('月卡类型', 'Pass type', { max: 40 })),
  carKind: orNone(among('车辆类型', 'Car type', TiedKind)),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
})
/** With what a person wants to know of the rule. */
export const AssociateLine = entity({
  ...Associate.properties,
  ruleName: text('规则名称', 'Rule', { max: 100 }),
  priority: whole('优先级', 'Priority'),
  /** The version in force now; none: nothing is published. */
  inForceNo: orNone(whole('当前版本', 'Version in force')),
  inForceId: orNone(ref<'RuleVersionId'>('当前版本编号', 'Version in force')),
})
export const associateSearch = searchOf(
  AssociateLine,
  { ruleId: 'equals', parkCode: 'equals', areaCode: 'equals', sectionCode: 'equals', memberGroup: 'equals', carKind: 'equals' },
  { sort: ['createdAt'] },
)

const edit = { service: 'fee', needs: 'fee:associate:edit', writes: true } as const
const OPTIONAL = ['parkCode', 'areaCode', 'sectionCode', 'memberGroup', 'carKind', 'remark'] as const
export const associate = {
  queryPage: call('fee.associate.query-page', {
    service: 'fee',
    needs: 'fee:associate:view',
    post: '/feeAssociate/queryPage',
    body: paged(associateSearch),
    reply: pageOf(AssociateLine),
  }),
  insert: call('fee.associate.insert', {
    ...edit,
    post: '/feeAssociate/insert',
    does: ['关联收费规则', 'Linked a fee rule'],
    body: pickSome(Associate, ['ruleId'], OPTIONAL),
    reply: message({ id: Associate.properties.id }),
  }),
  update: call('fee.associate.update', {
    ...edit,
    post: '/feeAssociate/update',
    does: ['修改规则关联', 'Changed a fee rule link'],
    body: pickSome(Associate, ['id', 'version'], ['ruleId', ...OPTIONAL]),
    reply: nothing,
  }),
  delete: call('fee.associate.delete', {
    ...edit,
    delete: '/feeAssociate/delete',
    does: ['解除规则关联', 'Removed a fee rule link'],
    query: pick(Associate, 'id'),
    reply: nothing,
  }),
}

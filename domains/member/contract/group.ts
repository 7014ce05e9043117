import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  pickSome,
  ref,
  rowFields,
  type Schema,
  shaped,
  text,
  treeOf,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { CarFees, type CarFeesId } from './plan.ts'

export const GroupType = dictionary('member_group_type', ['月卡类型', 'Pass type'], {
  monthly: [1, '月租', 'Monthly'],
  inner: [2, '内部', 'Staff'],
  visitor: [3, '访客', 'Visitors'],
  vip: [4, 'VIP', 'VIP'],
  merchant: [5, '商户', 'Merchants'],
})
/** The treatment of cars that come when all bays of a pass are taken. */
export const SeatPolicy = dictionary('seat_policy', ['车位占满时', 'When all bays are taken'], {
  stays: [1, '不转换', 'Later car pays as temporary'],
  takesOver: [2, '后车自离开时刻起转为月卡', 'Later car joins the pass once a bay is free'],
})
export const GroupStatus = dictionary('member_group_status', ['月卡类型状态', 'Pass type status'], {
  inUse: [1, '启用', 'On sale', 'success'],
  disabled: [2, '停用', 'Not sold'],
})

export type GroupId = 'MemberGroupId'
const parkCode = text('车场编号', 'Car park code', { max: 16 })
const parkCodes = shaped('车场', 'Car parks', listOf(parkCode, { max: 100 }))
const ids = <Name extends string>(zh: string, en: string) => shaped(zh, en, listOf(id<Name>(zh, en), { max: 100 }))
/** A kind of pass (分组): which parks, how many, by which plans, and what holds where the pass does not. */
export const MemberGroup = entity(['月卡类型', 'Pass type'], {
  ...rowFields<GroupId>(),
  parentId: orNone(ref<GroupId>('上级月卡类型', 'Parent type')),
  name: text('月卡类型名称', 'Pass type', { max: 60 }),
  type: among('类型', 'Type', GroupType),
  parkCodes,
  homePark: text('归属车场', 'Home car park', { max: 16 }),
  maxMembers: orNone(whole('名额上限', 'Place limit', { min: 1, max: 1_000_000 })),
  maxCars: whole('每卡车辆上限', 'Cars per pass', { min: 1, max: 50 }),
  seatPolicy: among('车位占满时', 'When all bays are taken', SeatPolicy),
  review: yes('开卡需审核', 'Review before sale'),
  online: yes('车主可自助办理', 'Sold online'),
  carFeesIds: ids<CarFeesId>('套餐', 'Plans'),
  defaultId: orNone(ref<CarFeesId>('默认套餐', 'Default plan')),
  accessRuleIds: ids<'AccessRuleId'>('准入规则', 'Access rules'),
  status: among('状态', 'Status', GroupStatus),
  suspended: yes('已暂停通行', 'Access suspended'),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const groupSearch = searchOf(
  MemberGroup,
  { name: 'startsWith', type: 'among', status: 'among', parentId: 'equals', homePark: 'equals' },
  { sort: ['createdAt'] },
)

/** The tariff of a park for cars of this kind where their pass does not cover them. */
const FeeIndex = entity({ parkCode, feeIndex: ref<'RuleId'>('收费规则', 'Fee rule'), ruleName: text('规则名称', 'Rule', { max: 100 }) })
export const GroupDetail = entity({
  ...MemberGroup.properties,
  plans: shaped('套餐', 'Plans', listOf(CarFees)),
  feeIndexes: shaped('收费标准', 'Tariffs', listOf(FeeIndex)),
  passes: whole('月卡数', 'Passes', { min: 0 }),
  placesLeft: orNone(whole('剩余名额', 'Places left')),
  children: whole('下级月卡类型', 'Child types', { min: 0 }),
})
export interface GroupNode {
  id: string
  parentId: string | null
  name: string
  status: number
  passes: number
  children: GroupNode[]
}
const GroupNodes: Schema<GroupNode[]> = treeOf(
  { ...pick(MemberGroup, 'id', 'parentId', 'name', 'status').properties, passes: whole('月卡数', 'Passes', { min: 0 }) },
  ['下级', 'Children'],
)

const edit = { service: 'member', needs: 'member:group:edit', writes: true } as const
const view = { service: 'member', needs: 'member:group:view' } as const
const groupId = ref<GroupId>('月卡类型', 'Pass type')
const OPTIONAL = ['parentId', 'homePark', 'maxMembers', 'maxCars', 'seatPolicy', 'review', 'online', 'remark'] as const
const base = '/member/config/memberGroup'
export const group = {
  selectAll: call('member.group.select-all', { ...view, post: `${base}/selectAll`, body: paged(groupSearch), reply: pageOf(MemberGroup) }),
  selectTree: call('member.group.select-tree', { ...view, post: `${base}/selectTree`, body: message({}), reply: GroupNodes }),
  /** All of a park, those that are not sold too. */
  selectListByParkCode: call('member.group.select-list-by-park-code', {
    ...view,
    post: `${base}/selectListByParkCode`,
    body: message({}, { parkCode }),
    reply: listOf(MemberGroup),
  }),
  selectByParent: call('member.group.select-by-parent', {
    ...view,
    get: `${base}/selectByParent`,
    query: message({}, { parentId: id<GroupId>('上级月卡类型', 'Parent type') }),
    reply: listOf(MemberGroup),
  }),
  detail: call('member.group.detail', { ...view, get: `${base}/getMemberGroupDetail`, query: pick(MemberGroup, 'id'), reply: GroupDetail }),
  insert: call('member.group.insert', {
    ...edit,
    post: `${base}/insertMemberGroup`,
    does: ['新增月卡类型', 'Added a pass type'],
    body: pickSome(MemberGroup, ['name', 'type', 'parkCodes'], OPTIONAL),
    reply: MemberGroup,
  }),
  update: call('member.group.update', {
    ...edit,
    post: `${base}/updateMemberGroup`,
    does: ['修改月卡类型', 'Changed a pass type'],
    body: pickSome(MemberGroup, ['id', 'version'], ['name', 'type', ...OPTIONAL]),
    reply: MemberGroup,
  }),
  delete: call('member.group.delete', {
    ...edit,
    post: `${base}/deleteMemberGroup`,
    does: ['删除月卡类型', 'Deleted a pass type'],
    body: pick(MemberGroup, 'id', 'version'),
    reply: nothing,
  }),
  /** Of one park, or of all of the kind's parks; without a rule it is the park's own again. */
  configFeeIndex: call('member.group.config-fee-index', {
    ...edit,
    post: `${base}/configFeeIndex`,
    does: ['设置月卡类型收费标准', 'Set the tariff of a pass type'],
    body: message({ groupId, feeIndex: orNone(ref<'RuleId'>('收费规则', 'Fee rule')) }, { parkCode }),
    reply: nothing,
  }),
  configCarFeesRule: call('member.group.config-car-fees-rule', {
    ...edit,
    post: `${base}/configCarFeesRule`,
    does: ['设置月卡类型套餐', 'Set the plans of a pass type'],
    body: message({ groupId, carFeesIds: MemberGroup.properties.carFeesIds }, { defaultId: MemberGroup.properties.defaultId }),
    reply: MemberGroup,
  }),
  /** With `suspendAccess` its passes are frozen and banked; switched on again they go on. */
  disable: call('member.group.disable', {
    ...edit,
    post: `${base}/disableMemberGroup`,
    does: ['启停月卡类型', 'Enabled or disabled a pass type'],
    body: message(
      { id: MemberGroup.properties.id, version: MemberGroup.properties.version, status: MemberGroup.properties.status },
      { suspendAccess: yes('同时暂停通行', 'Suspend access too'), reason: text('原因', 'Reason', { max: 200 }) },
    ),
    reply: MemberGroup,
  }),
  /** Replaces both lists. Passes that were sold keep their parks until they are renewed. */
  configParkAccess: call('member.group.config-park-access', {
    ...edit,
    post: `${base}/configParkAccess`,
    does: ['设置月卡类型车场与准入', 'Set the car parks and access of a pass type'],
    body: message({ groupId, parkCodes }, { accessRuleIds: MemberGroup.properties.accessRuleIds, homePark: MemberGroup.properties.homePark }),
    reply: MemberGroup,
  }),
}

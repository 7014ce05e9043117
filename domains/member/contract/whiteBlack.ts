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
  personal,
  pick,
  plate,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'

export const ListType = dictionary('list_type', ['名单类型', 'List'], {
  white: [1, '白名单', 'White list', 'success'],
  black: [2, '黑名单', 'Black list', 'error'],
  special: [3, '特种车', 'Special vehicles', 'warning'],
})
export const ListStatus = dictionary('list_status', ['名单状态', 'Entry status'], {
  inForce: [1, '生效', 'In force', 'success'],
  notYet: [2, '未生效', 'Not yet in force'],
  expired: [3, '已过期', 'Expired', 'warning'],
  released: [4, '已解除', 'Released'],
  proposed: [5, '待审核', 'Proposed', 'warning'],
  rejected: [6, '已驳回', 'Rejected'],
})
/** The type of a white entry: free of everything; free for some minutes a day; staff, whose unit has so many bays. */
export const WhiteKind = dictionary('white_kind', ['白名单类型', 'White entry type'], {
  white: [1, '白名单', 'White list'],
  free: [2, '免费车', 'Free car'],
  staff: [3, '员工车', 'Staff car'],
})
/** Why a car is on the white list. The black list has reasons of its own. */
export const WhiteReason = dictionary('white_reason', ['白名单原因', 'White list reason'], {
  official: [1, '公务', 'Official'],
  management: [2, '领导', 'Management'],
  partner: [3, '合作', 'Partner'],
  visitor: [4, '访客', 'Visitor'],
})
export const BlackReason = dictionary('black_reason', ['黑名单原因', 'Black list reason'], {
  escaped: [1, '逃费', 'Fee evasion'],
  owes: [2, '恶意欠费', 'Wilful arrears'],
  falsePlate: [3, '套牌', 'Cloned plate'],
  security: [4, '治安', 'Public security'],
  other: [5, '其他', 'Other'],
})
/** "Other" says nothing by itself: it goes with a remark. */
export const lacksRemark = ({
  listType,
  reasonType,
  remark,
}: {
  listType: number
  reasonType: number
  remark?: string | null | undefined
}): boolean => listType === ListType.black && reasonType === BlackReason.other && !remark?.trim()
export const BlackAction = dictionary('black_action', ['黑名单处理', 'Black list action'], {
  refuse: [1, '禁止入场', 'Refuse entry'],
  leaveByPerson: [2, '允许入场限出', 'Let in, hold at the exit'],
  warn: [3, '仅预警', 'Warn only'],
})

export type ListId = 'ListId'
/** One car on one list, for one park or for all. */
export const ListEntry = entity(['黑白名单', 'White and black list'], {
  id: id<ListId>(),
  listType: among('名单', 'List', ListType),
  plateNo: plate(),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  /** Null: in all parks. */
  parkCode: orNone(text('车场编号', 'Car park code', { max: 16 })),
  startAt: instant('生效时间', 'From'),
  /** Null: for ever. */
  endAt: orNone(instant('失效时间', 'Until')),
  releasedAt: orNone(instant('解除时间', 'Released at')),
  reasonType: whole('原因', 'Reason', { min: 1, max: 5 }),
  whiteKind: orNone(among('类型', 'Type', WhiteKind)),
  holder: orNone(text('持有人', 'Holder', { max: 60 })),
  phone: orNone(personal('phone', text('手机号', 'Phone', { max: 20, pattern: '^[0-9+ *-]*$' }))),
  unit: orNone(text('单位', 'Unit', { max: 60 })),
  /** Of a free car: the rest of the day is charged. Null: all of it is free. */
  freeMinPerDay: orNone(whole('每日免费时长', 'Free time per day', { unit: 'minute', min: 1, max: 1440 })),
  action: among('处理', 'Action', BlackAction),
  status: among('状态', 'Status', ListStatus),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
  version: whole('版本', 'Version'),
  createdAt: instant('创建时间', 'Created at'),
  updatedAt: instant('更新时间', 'Updated at'),
})
export const listSearch = searchOf(
  ListEntry,
  { listType: 'among', whiteKind: 'among', plateNo: 'plate', parkCode: 'equals', unit: 'startsWith', holder: 'startsWith', status: 'among' },
  { sort: ['createdAt'] },
)

const One = pick(ListEntry, 'id', 'version')
const { plateNo, listType, startAt, reasonType } = ListEntry.properties
const endAt = instant('失效时间', 'Until')
const remark = text('备注', 'Remark', { max: 500 })
const action = among('处理', 'Action', BlackAction)
const { holder, phone, unit, freeMinPerDay } = ListEntry.properties
const whose = { whiteKind: among('类型', 'Type', WhiteKind), holder, phone, unit, freeMinPerDay }

export const UnitQuota = entity({
  id: id<'UnitQuotaId'>(),
  unit: text('单位', 'Unit', { max: 60 }),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  bays: whole('车位数', 'Bays', { min: 0, max: 100_000 }),
})

/** Saving a car on the white list that is on the black list too is allowed: black wins, and the answer says so. */
export const Saved = entity({
  entries: shaped('名单', 'Entries', listOf(ListEntry)),
  warning: orNone(text('提示', 'Warning', { max: 200 })),
})

const view = { service: 'member', needs: 'member:list:view', own: true } as const
const edit = { service: 'member', needs: 'member:list:edit', writes: true } as const
export const whiteBlack = {
  queryPage: call('member.white-black.query-page', {
    ...view,
    post: '/member/whiteAndBlack/queryPage',
    body: paged(listSearch),
    reply: pageOf(ListEntry),
  }),
  /** One entry for each park named; without any, one for all parks. */
  insert: call('member.white-black.insert', {
    ...edit,
    post: '/member/whiteAndBlack/insert',
    does: ['新增名单', 'Added to a list'],
    body: message(
      { plateNo, listType, startAt, reasonType },
      {
        plateColor: among('车牌颜色', 'Plate colour', PlateColor),
        parkCodes: shaped('车场', 'Car parks', listOf(text('车场编号', 'Car park code', { max: 16 }), { max: 100 })),
        endAt,
        action,
        remark,
        ...whose,
        special: yes('特殊车牌', 'Special plate'),
      },
    ),
    reply: Saved,
  }),
  update: call('member.white-black.update', {
    ...edit,
    post: '/member/whiteAndBlack/update',
    does: ['修改名单', 'Changed a list entry'],
    body: message({ ...One.properties }, { startAt, endAt: ListEntry.properties.endAt, reasonType, action, remark, ...whose }),
    reply: ListEntry,
  }),
  /** Released (解除): the entry stays on record and is in force no more. */
  delete: call('member.white-black.delete', {
    ...edit,
    post: '/member/whiteAndBlack/delete',
    does: ['移出名单', 'Removed from a list'],
    body: One,
    reply: nothing,
  }),
  /** A later end; none = for ever. */
  defer: call('member.white-black.defer', {
    ...edit,
    post: '/member/whiteAndBlack/defer',
    does: ['名单延期', 'Extended a list entry'],
    body: message({ ...One.properties, endAt: ListEntry.properties.endAt }),
    reply: ListEntry,
  }),
  /** A proposal becomes an entry, or nothing. */
  decide: call('member.white-black.decide', {
    ...edit,
    post: '/member/whiteAndBlack/decide',
    own: true,
    does: ['审核名单', 'Reviewed a list proposal'],
    body: message({ ...One.properties, accept: yes('通过', 'Accept') }),
    reply: ListEntry,
  }),
  quotas: call('member.white-black.quotas', { ...view, post: '/member/whiteAndBlack/quotas', body: message({}), reply: listOf(UnitQuota) }),
  /** How many of a unit's staff are free in a park at once; the next is a temporary car. None: as many as come. */
  unitQuota: call('member.white-black.unit-quota', {
    ...edit,
    post: '/member/whiteAndBlack/unitQuota',
    own: true,
    does: ['设置单位车位数', 'Set a unit’s bays'],
    body: message({ unit: UnitQuota.properties.unit, parkCode: UnitQuota.properties.parkCode, bays: orNone(UnitQuota.properties.bays) }),
    reply: nothing,
  }),
}

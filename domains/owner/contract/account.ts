import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  personal,
  plate,
  rowFields,
  shaped,
  text,
  whole,
  yes,
  day,
  anything,
  orSaid,
} from '../../../platform/contract/field.ts'

export const OwnerStatus = dictionary('owner_status', ['车主状态', 'Owner status'], {
  normal: [1, '正常', 'Normal', 'success'],
  locked: [2, '锁定', 'Locked', 'error'],
  merged: [3, '已合并', 'Merged'],
  erased: [4, '已注销', 'Deleted'],
})
export type OwnerId = 'OwnerId'
export const ownerId = id<OwnerId>('车主编号', 'Owner id')
export const phone = personal('phone', text('手机号', 'Phone', { min: 5, max: 32, pattern: '^[+0-9*-]+$' }))

/** A driver's account as it is kept. */
export const Account = entity(['车主', 'Owner'], {
  ...rowFields<OwnerId>(),
  phone,
  nickname: orSaid(text('昵称', 'Name', { max: 40 })),
  status: among('状态', 'Status', OwnerStatus),
  lockReason: orNone(text('锁定原因', 'Lock reason', { max: 200 })),
  registeredAt: instant('注册时间', 'Registered at'),
  activeAt: instant('最近活跃', 'Last active at'),
  mergedInto: orNone(id<OwnerId>('并入', 'Merged into')),
  eraseAt: orNone(instant('注销生效', 'Deleted from')),
})
/** A driver with an account, and what they have. Coupons and points come from the domain that keeps them; none are told where there is none. */
export const Owner = entity({
  ownerId,
  phone,
  nickname: Account.properties.nickname,
  status: Account.properties.status,
  lockReason: Account.properties.lockReason,
  cars: whole('绑定车辆', 'Cars bound'),
  verified: whole('已认证', 'Verified'),
  storedFen: fen('储值余额', 'Stored value', { min: 0 }),
  registeredAt: Account.properties.registeredAt,
  activeAt: Account.properties.activeAt,
  eraseAt: Account.properties.eraseAt,
  version: Account.properties.version,
})
/** Answered beside what the list has. */
export const OwnerInfo = entity({ ...Owner.properties, points: orNone(whole('积分', 'Points')), coupons: orNone(whole('可用券', 'Coupons')) })
export const ownerSearch = searchOf(
  Owner,
  { phone: 'startsWith', nickname: 'contains', status: 'among', ownerId: 'among', registeredAt: 'between' },
  { sort: ['registeredAt'] },
)

export const StatisticsUnit = dictionary('owner_statistics_unit', ['统计单位', 'Unit'], { day: [1, '日', 'Day'], month: [2, '月', 'Month'] })
export const UserCount = entity({
  day: day('日期', 'Day'),
  added: whole('新增车主', 'New owners'),
  active: whole('活跃车主', 'Active owners'),
  bound: whole('新绑车辆', 'Cars newly bound'),
})
export const OwnerNow = entity({
  owners: whole('车主', 'Owners'),
  addedToday: whole('今日新增', 'New today'),
  locked: whole('锁定', 'Locked'),
  cars: whole('绑定车辆', 'Cars bound'),
  verified: whole('已认证车辆', 'Cars verified'),
  waiting: whole('待审核车牌', 'Plates to review'),
  autoDebit: whole('开通代扣', 'With automatic debit'),
  storedFen: fen('储值余额', 'Stored value'),
})

const care = { service: 'custom', needs: 'owner:account:care', writes: true, own: true } as const
const view = { service: 'custom', needs: 'owner:asset:view' } as const
const one = { ownerId, version: Owner.properties.version }
/** The result of a merge, or of its trial. */
const Merge = entity({
  cars: whole('车辆', 'Cars'),
  principalFen: fen('本金', 'Principal'),
  bonusFen: fen('赠送', 'Bonus'),
  cards: whole('储值卡', 'Park cards'),
  done: yes('已合并', 'Merged'),
})
export const account = {
  info: call('owner.asset.owner-info', {
    ...view,
    post: '/assert/selectCarOwnerInfo',
    body: paged(ownerSearch, { plateNo: plate() }),
    reply: pageOf(OwnerInfo),
  }),
  /** By day or month, both ends included; a year of days at most. */
  userStatistics: call('owner.asset.user-statistics', {
    ...view,
    post: '/assert/userStatistics',
    body: message({ dateFrom: day('自', 'From'), dateTo: day('至', 'To') }, { unit: among('单位', 'Unit', StatisticsUnit) }),
    reply: listOf(UserCount),
  }),
  statistics: call('owner.person.statistics', {
    service: 'custom',
    needs: 'owner:person:view',
    post: '/person/getPersonsStatistics',
    body: message({}),
    reply: OwnerNow,
  }),
  /** At the counter, for a driver who has no telephone with them. A number that is known answers with the owner it belongs to. */
  register: call('owner.account.register', {
    ...care,
    post: '/owner/account/register',
    does: ['登记车主', 'Registered an owner'],
    body: message({ phone, nickname: Owner.properties.nickname }),
    reply: Owner,
  }),
  lock: call('owner.account.lock', {
    ...care,
    post: '/owner/account/lock',
    does: ['锁定或解锁车主', 'Locked or unlocked an owner'],
    body: message({ ...one, locked: yes('锁定', 'Locked'), reason: text('原因', 'Reason', { max: 200 }) }),
    reply: Owner,
  }),
  /** Two accounts of one person become one; nothing is written on a dry run. */
  merge: call('owner.account.merge', {
    ...care,
    post: '/owner/account/merge',
    does: ['合并车主', 'Merged two owners'],
    body: message(
      { keepId: id<OwnerId>('保留的车主', 'Owner kept'), goneId: id<OwnerId>('并入的车主', 'Merged owner') },
      { dryRun: yes('仅预览', 'Preview only') },
    ),
    reply: Merge,
  }),
  /** All that is kept of one person, as they may ask for it. */
  export: call('owner.account.export', {
    service: 'custom',
    needs: 'owner:account:care',
    own: true,
    heavy: true,
    logged: true,
    does: ['导出车主资料', 'Exported an owner’s data'],
    post: '/owner/account/export',
    body: message({ ownerId }),
    reply: message({
      owner: Owner,
      cars: shaped('车辆', 'Cars', listOf(anything)),
      movements: shaped('收支明细', 'Transactions', listOf(anything)),
      refunds: shaped('退款', 'Refunds', listOf(anything)),
      others: shaped('其他业务资料', 'Other data', listOf(anything)),
    }),
  }),
  /** In seven days the person is gone; a later call with `cancel` takes it back until then. */
  erase: call('owner.account.erase', {
    ...care,
    post: '/owner/account/erase',
    does: ['注销车主', 'Deleted an owner’s account'],
    body: message({ ...one }, { cancel: yes('撤回注销', 'Withdraw') }),
    reply: nothing,
  }),
}

import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, entity, id, instant, message, nothing, orNone, text, whole, yes } from '../../../platform/contract/field.ts'
import { DeviceUse } from '../../device/contract/device.ts'
import { tollNo } from './collector.ts'

const deviceNo = text('设备编号', 'Device number', { max: 32 })
const reason = text('原因', 'Reason', { max: 200 })

/** A handheld: its holder, its last report, and whether it is locked. */
export const Handheld = entity(['手持机', 'Handheld'], {
  id: id<'DeviceId'>(),
  deviceNo,
  name: text('名称', 'Name'),
  parkCode: orNone(text('车场编号', 'Car park code', { max: 16 })),
  useStatus: among('使用状态', 'Use status', DeviceUse),
  online: yes('在线', 'Online'),
  lastSeenAt: orNone(instant('最近在线', 'Last seen')),
  appVersion: orNone(text('程序版本', 'App version', { max: 64 })),
  battery: orNone(whole('电量', 'Battery', { unit: 'percent', min: 0, max: 100 })),
  queue: orNone(whole('待上传', 'To upload', { min: 0 })),
  tollNo: orNone(tollNo),
  holderName: orNone(text('领用人', 'Holder', { max: 40 })),
  lockedAt: orNone(instant('锁定时间', 'Locked at')),
  lockedBy: orNone(text('锁定人', 'Locked by')),
  lockReason: orNone(reason),
})
export const handheldSearch = searchOf(
  Handheld,
  { deviceNo: 'startsWith', holderName: 'contains', tollNo: 'equals', parkCode: 'equals', online: 'equals', useStatus: 'among' },
  { sort: ['deviceNo', 'lastSeenAt', 'battery', 'queue'], ascending: true },
)
const edit = { service: 'business', needs: 'staff:handheld:edit', writes: true, own: true } as const
export const handheld = {
  query: call('staff.handheld.query', {
    service: 'business',
    needs: 'staff:toll:view',
    own: true,
    post: '/api/staff/handheld/query',
    body: paged(handheldSearch),
    reply: pageOf(Handheld),
  }),
  /** Gives a handheld to a person; the one they held before is free. A handheld that somebody holds has to be taken back first. */
  bind: call('staff.handheld.bind', {
    ...edit,
    post: '/api/staff/handheld/bind',
    does: ['绑定手持机', 'Issued a handheld'],
    body: message({ deviceNo, tollNo }),
    reply: message({ replaced: orNone(deviceNo) }),
  }),
  unbind: call('staff.handheld.unbind', {
    ...edit,
    post: '/api/staff/handheld/unbind',
    does: ['解绑手持机', 'Took back a handheld'],
    body: message({ deviceNo }),
    reply: nothing,
  }),
  /** Locks a handheld: its holder records nothing in the street from now on; earlier records are still taken. */
  lock: call('staff.handheld.lock', {
    ...edit,
    post: '/api/staff/handheld/lock',
    does: ['锁定手持机', 'Locked a handheld'],
    body: message({ deviceNo, reason }),
    reply: nothing,
  }),
  unlock: call('staff.handheld.unlock', {
    ...edit,
    post: '/api/staff/handheld/unlock',
    does: ['解锁手持机', 'Unlocked a handheld'],
    body: message({ deviceNo }),
    reply: nothing,
  }),
}

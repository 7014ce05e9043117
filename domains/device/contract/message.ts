import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  anything,
  dictionary,
  entity,
  id,
  instant,
  message as messageOf,
  orNone,
  personal,
  shaped,
  text,
  whole,
  yes,
  type Schema,
} from '../../../platform/contract/field.ts'
import { OfflineReason, WarningLevel, WarningState, WarningType } from './device.ts'

export const MessageKind = dictionary('device_message_kind', ['消息类型', 'Message type'], {
  event: [1, '事件', 'Event'],
  telemetry: [2, '遥测', 'Telemetry'],
  attributes: [3, '属性', 'Attributes'],
  status: [4, '状态', 'Status'],
})
/** A device's message under a mid, kept once. `deviceTime` is its own clock, `receivedAt` ours; with `clockFixed` its clock was plainly wrong and ours stands for both. */
export const Message = entity({
  id: id<'MessageId'>(),
  deviceNo: text('设备编号', 'Device number', { max: 32 }),
  parkCode: orNone(text('车场编号', 'Car park code', { max: 16 })),
  gateCode: orNone(text('通道编号', 'Lane code', { max: 24 })),
  kind: among('消息类型', 'Message type', MessageKind),
  type: text('事件类型', 'Event type', { max: 32 }),
  mid: orNone(text('消息号', 'Message id', { max: 64 })),
  deviceTime: instant('设备时间', 'Device time'),
  receivedAt: instant('接收时间', 'Received at'),
  offline: yes('离线补传', 'Replayed'),
  clockFixed: yes('时钟已校正', 'Clock corrected'),
  seq: orNone(whole('离线序号', 'Sequence')),
  payload: personal('account', shaped('内容', 'Content', anything)),
})
export const messageSearch = searchOf(
  Message,
  { deviceNo: 'equals', parkCode: 'equals', kind: 'among', receivedAt: 'between' },
  { sort: ['receivedAt'] },
)
/** One silence of a device; shorter ones than half a minute are not kept. */
export const Offline = entity({
  id: id<'OfflineId'>(),
  deviceNo: text('设备编号', 'Device number', { max: 32 }),
  parkCode: orNone(text('车场编号', 'Car park code', { max: 16 })),
  fromAt: instant('离线时间', 'Offline from'),
  toAt: orNone(instant('恢复时间', 'Back online at')),
  durationMin: orNone(whole('离线时长', 'Offline for', { unit: 'minute' })),
  reason: among('离线原因', 'Offline reason', OfflineReason),
})
export const offlineSearch = searchOf(Offline, { deviceNo: 'equals', parkCode: 'equals', fromAt: 'between' }, { sort: ['fromAt'] })

export const Warning = entity({
  id: id<'WarningId'>(),
  deviceNo: text('设备编号', 'Device number', { max: 32 }),
  parkCode: orNone(text('车场编号', 'Car park code', { max: 16 })),
  gateCode: orNone(text('通道编号', 'Lane code', { max: 24 })),
  type: among('预警类型', 'Warning type', WarningType),
  level: among('级别', 'Level', WarningLevel),
  subject: text('对象', 'Subject', { min: 0, max: 64 }),
  state: among('预警状态', 'Warning status', WarningState),
  count: whole('次数', 'Times'),
  firstAt: instant('首次', 'First'),
  lastAt: instant('最近', 'Last'),
  recoveredAt: orNone(instant('恢复时间', 'Recovered at')),
  handledBy: orNone(text('处理人', 'Handler')),
  remark: orNone(text('说明', 'Note', { max: 200 })),
})
export const warningSearch = searchOf(
  Warning,
  { deviceNo: 'equals', parkCode: 'equals', type: 'among', level: 'among', state: 'among', lastAt: 'between' },
  { sort: ['lastAt'] },
)

const view = { service: 'device', needs: 'device:device:view' } as const
export const message = {
  query: call('device.message.query', {
    service: 'device',
    post: '/message/query',
    own: true,
    needs: 'device:message:view',
    body: paged(messageSearch),
    reply: pageOf(Message),
  }),
  offline: call('device.park-device.find-offline-log', {
    ...view,
    post: '/parkDevice/findOfflineLog',
    own: true,
    body: paged(offlineSearch),
    reply: pageOf(Offline),
  }),
  warning: call('device.park-device.find-deivce-warning', {
    ...view,
    post: '/parkDevice/findDeivceWarning',
    body: paged(warningSearch),
    reply: pageOf(Warning),
  }),
}
export interface PictureFile {
  name: string
  type: string
  bytes: Uint8Array
}
export const picture = {
  /** A device's picture, ahead of the event that carries its `ref`. The device proves itself with its serial number and secret (HTTP Basic). */
  upload: call('device.picture.upload', {
    service: 'device',
    post: '/picture/upload',
    own: true,
    writes: true,
    needs: 'public',
    does: ['设备上传图片', 'A device sent a picture'],
    multipart: messageOf({ file: anything as Schema<PictureFile> }),
    reply: messageOf({ ref: text('引用', 'Reference', { max: 300 }) }),
  }),
}

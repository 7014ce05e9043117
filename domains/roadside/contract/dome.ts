import { call } from '../../../platform/contract/call.ts'
import {
  among,
  entity,
  id as idOf,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { Command, CommandFailure, CommandState } from '../../device/contract/command.ts'
import { Device } from '../../device/contract/device.ts'
import { Park, UseStatus } from '../../parking/contract/park.ts'
import { IllegalType } from './illegalStop.ts'

export type PresetId = 'PresetId'
const CLOCK = '^([01][0-9]|2[0-3]):[0-5][0-9]$'
/** Where a dome camera looks and when it is forbidden to stop there. */
export const Preset = entity(['预置位', 'Preset'], {
  ...rowFields<PresetId>(),
  parkCode: Park.properties.parkCode,
  deviceNo: text('设备编号', 'Device', { max: 32 }),
  presetNo: whole('预置位号', 'Preset', { min: 1, max: 255 }),
  zone: text('监控区域', 'Zone', { max: 100 }),
  type: among('违停类型', 'Type', IllegalType),
  /** A violation is confirmed once two pictures are this far apart. */
  holdMin: whole('停留时限', 'Time limit', { unit: 'minute', min: 3, max: 60 }),
  /** Bit 0 is Monday. */
  dayMask: whole('生效日', 'Days', { min: 1, max: 127 }),
  timeFrom: text('起', 'From', { max: 5, pattern: CLOCK }),
  /** The same as `timeFrom` = day and night; earlier = past midnight. */
  timeTo: text('止', 'To', { max: 5, pattern: CLOCK }),
  status: among('状态', 'Status', UseStatus),
})
/** The subject of the warning that a dome reports a preset that nobody has set up. */
export const presetWarning = (presetNo: number) => `preset ${presetNo}`

/** The last capture command to a dome, and its outcome. */
export const DomeTold = entity({
  method: Command.properties.method,
  state: among('指令状态', 'Command status', CommandState),
  failure: orNone(among('未成功原因', 'Failure reason', CommandFailure)),
  at: instant('下发时间', 'Sent at'),
})
/** A dome camera in the console's list: its violations, and how many of them were confirmed. */
export const Dome = entity({
  deviceNo: Preset.properties.deviceNo,
  name: text('名称', 'Name', { max: 64 }),
  parkCode: Preset.properties.parkCode,
  place: text('位置', 'Place', { max: 200 }),
  online: whole('在线', 'Online', { min: 0, max: 1 }),
  useStatus: Device.properties.useStatus,
  /** Its own word; none: it has not said. */
  capturing: orNone(yes('抓拍中', 'Capturing')),
  told: orNone(shaped('最近指令', 'Latest command', DomeTold)),
  presets: whole('预置位', 'Presets'),
  caughtToday: whole('今日抓拍', 'Captured today'),
  /** Of what it caught in the last thirty days and was reviewed, so much held; -1: none was reviewed. */
  validPermille: whole('近 30 天有效率', 'Valid rate, last 30 days', { unit: 'permille', min: -1, max: 1000 }),
})
const view = { service: 'device', needs: 'roadside:illegal:view', own: true } as const
const edit = { service: 'device', needs: 'roadside:dome:edit', writes: true, own: true } as const
const { presetNo, zone, type, holdMin, dayMask, timeFrom, timeTo, status, deviceNo, id, version } = Preset.properties
export const dome = {
  list: call('roadside.dome.list', { ...view, get: '/dome/list', query: message({}, { parkCode: Preset.properties.parkCode }), reply: listOf(Dome) }),
  presetList: call('roadside.dome.preset-list', { ...view, get: '/dome/presetList', query: message({ deviceNo }), reply: listOf(Preset) }),
  /** A preset of a camera and number that is there already is changed; `version` is needed then. */
  presetSave: call('roadside.dome.preset-save', {
    ...edit,
    does: ['保存预置位', 'Saved a preset'],
    post: '/dome/presetSave',
    body: message({ deviceNo, presetNo, zone, type, holdMin }, { version, dayMask, timeFrom, timeTo, status }),
    reply: Preset,
  }),
  /** Starts or stops the capturing of a dome. That it did is its own word, as a barrier's is. */
  patrol: call('roadside.dome.patrol', {
    service: 'device',
    own: true,
    writes: true,
    needs: 'roadside:dome:operate',
    does: ['启停球机抓拍', 'Started or stopped a dome camera'],
    post: '/dome/patrol',
    body: message({ deviceNo, on: yes('抓拍', 'Capture') }),
    reply: message({ commandId: idOf<'CommandId'>('指令', 'Command') }),
  }),
  presetDelete: call('roadside.dome.preset-delete', {
    ...edit,
    does: ['删除预置位', 'Removed a preset'],
    post: '/dome/presetDelete',
    body: message({ id, version }),
    reply: nothing,
  }),
}

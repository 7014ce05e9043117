import { call } from '../../../platform/contract/call.ts'
import { among, entity, listOf, message, nothing, rowFields, text, whole } from '../../../platform/contract/field.ts'
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
  type: among('违停类型', 'Kind', IllegalType),
  /** A car is caught when it has stood this long. */
  holdMin: whole('停留时限', 'Time limit', { unit: 'minute', min: 3, max: 60 }),
  /** Bit 0 is Monday. */
  dayMask: whole('生效日', 'Days', { min: 1, max: 127 }),
  timeFrom: text('起', 'From', { max: 5, pattern: CLOCK }),
  /** The same as `timeFrom` = day and night; earlier = past midnight. */
  timeTo: text('止', 'To', { max: 5, pattern: CLOCK }),
  status: among('状态', 'State', UseStatus),
})
/** A dome camera as the console lists it: what it caught, and how much of that held. */
export const Dome = entity({
  deviceNo: Preset.properties.deviceNo,
  name: text('名称', 'Name', { max: 64 }),
  parkCode: Preset.properties.parkCode,
  place: text('位置', 'Place', { max: 200 }),
  online: whole('在线', 'Online', { min: 0, max: 1 }),
  presets: whole('预置位', 'Presets'),
  caughtToday: whole('今日抓拍', 'Captured today'),
  /** Of those reviewed, so many held; none: none was reviewed. */
  validPermille: whole('有效率', 'Valid rate', { unit: 'permille', min: -1, max: 1000 }),
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
  presetDelete: call('roadside.dome.preset-delete', {
    ...edit,
    does: ['删除预置位', 'Removed a preset'],
    post: '/dome/presetDelete',
    body: message({ id, version }),
    reply: nothing,
  }),
}

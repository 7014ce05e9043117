import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  degrees,
  dictionary,
  entity,
  id,
  images,
  instant,
  listOf,
  message,
  orNone,
  pick,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { Level } from '../../after-sale/contract/level.ts'
import { Device } from '../../device/contract/device.ts'
import { tollNo } from '../../staff/contract/collector.ts'
import { ItemType } from './patrolRule.ts'
import { deviceCounts, Task, TaskState } from './task.ts'

export const Proof = dictionary('patrol_proof', ['到位证明', 'Proof of presence'], {
  code: [1, '扫码', 'Code scanned'],
  place: [2, '定位', 'Position'],
})
const inspector = { ...tollNo, 'x-zh': '巡检员工号', 'x-en': 'Inspector' }
/** One round of one inspector through one park. */
export const PatrolRecord = entity(['巡检记录', 'Patrol record'], {
  ...rowFields<'PatrolRecordId'>(),
  ...pick(Task, 'taskNo', 'parkCode', 'tollNo', 'tollName').properties,
  taskId: { ...id<'PatrolTaskId'>('任务编号', 'Task (id)') },
  taskName: Task.properties.name,
  startedAt: instant('开始时间', 'Started at'),
  endedAt: instant('结束时间', 'Ended at'),
  devices: deviceCounts.checked,
  abnormal: deviceCounts.abnormal,
  skipped: deviceCounts.skipped,
  authorName: text('提交人', 'Submitted by', { max: 40 }),
})
export const recordSearch = searchOf(
  PatrolRecord,
  { taskNo: 'startsWith', parkCode: 'equals', tollNo: 'equals', taskId: 'equals', endedAt: 'between', abnormal: 'between' },
  { sort: ['endedAt', 'startedAt'] },
)
const { deviceNo } = Device.properties
const itemName = text('检查项', 'Item', { max: 40 })
const value = text('结果', 'Result', { max: 200 })
const ok = yes('正常', 'Normal')
const level = among('级别', 'Level', Level)
const pictures = images('照片', 'Pictures')
const reason = text('未检原因', 'Reason not checked', { max: 200 })
/** One item of one device, as it was found. */
export const Line = entity(['巡检明细', 'Patrol detail'], {
  id: id<'PatrolLineId'>(),
  deviceNo,
  deviceName: Device.properties.name,
  deviceType: Device.properties.type,
  itemName,
  itemType: among('类型', 'Type', ItemType),
  value: orNone(value),
  ok,
  level: orNone(level),
  images: orNone(pictures),
  proof: among('到位证明', 'Proof of presence', Proof),
  distM: orNone(whole('距离', 'Distance', { unit: 'metre', min: 0 })),
  repairNo: orNone(text('维修单号', 'Repair', { max: 40 })),
})
/** The most lines of a round, which is sent whole: all that a handheld holds of one park. */
export const LINES_MAX = 1_000
const DEVICES_MAX = 500
const Seen = message({ deviceNo, itemName }, { value, ok, level, images: pictures })
/** The proof that a person stood at a device: the text of its printed code, or their position. Or the reason why it was not inspected. */
const Stood = message(
  { deviceNo },
  { code: text('二维码', 'Code', { max: 300 }), lng: degrees('经度', 'Longitude'), lat: degrees('纬度', 'Latitude', 90), reason },
)
const view = { service: 'device', needs: 'inspection:record:view' } as const
const find = call('inspection.patrol-record.find', { ...view, get: '/patrolRecord/find', query: paged(recordSearch), reply: pageOf(PatrolRecord) })

export const patrolRecord = {
  find,
  /** A round, once for each `mid`: sent again it is the same one. A fault joins the device's open repair or opens one. */
  insert: call('inspection.patrol-record.insert', {
    service: 'device',
    needs: 'inspection:record:add',
    writes: true,
    post: '/patrolRecord/insert',
    does: ['提交巡检记录', 'Submitted a patrol'],
    body: message({
      taskId: PatrolRecord.properties.taskId,
      tollNo: inspector,
      startedAt: PatrolRecord.properties.startedAt,
      endedAt: PatrolRecord.properties.endedAt,
      lines: shaped('明细', 'Details', listOf(Seen, { max: LINES_MAX })),
      devices: shaped('到位', 'Presence', listOf(Stood, { max: DEVICES_MAX })),
      mid: text('提交标识', 'Message id', { max: 64 }),
    }),
    reply: message({
      recordId: PatrolRecord.properties.id,
      state: among('任务状态', 'Task status', TaskState),
      repairNos: shaped('维修单号', 'Repairs', listOf(text('维修单号', 'Repair', { max: 40 }))),
    }),
  }),
  details: call('inspection.patrol-record.find-details', {
    ...view,
    get: '/patrolRecord/findPatrolRecordDetails',
    query: message({ recordId: PatrolRecord.properties.id }),
    reply: listOf(Line),
  }),
  /** Returns the devices of a task and the progress of each, for the inspector. */
  devices: call('inspection.patrol-record.devices', {
    ...view,
    own: true,
    get: '/patrolRecord/devices',
    query: message({ taskId: PatrolRecord.properties.taskId }),
    reply: listOf(
      entity({
        ...pick(Device, 'deviceNo', 'name', 'type', 'gateCode').properties,
        done: yes('已检', 'Checked'),
        abnormal: yes('异常', 'Abnormal'),
        reason: orNone(reason),
      }),
    ),
  }),
  export: exportOf('inspection.patrol-record.find-export', {
    ...view,
    get: '/patrolRecord/findExport',
    title: ['巡检记录', 'Patrol records'],
    query: find,
    columns: [
      'taskNo',
      'taskName',
      'parkCode',
      parkName,
      'tollNo',
      'tollName',
      'startedAt',
      'endedAt',
      'devices',
      'abnormal',
      'skipped',
      'authorName',
    ],
  }),
}

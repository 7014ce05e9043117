import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  instant,
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
  orSaid,
} from '../../../platform/contract/field.ts'
import { exportOf, importOf } from '../../../platform/contract/sheet.ts'
import { Device } from '../../device/contract/device.ts'
import { Park } from '../../parking/contract/park.ts'
import { Collector, tollNo } from '../../staff/contract/collector.ts'
import { deviceTypes, items, KeptRule } from './patrolRule.ts'

export const TaskState = dictionary('patrol_task_state', ['任务状态', 'Task status'], {
  waiting: [0, '待执行', 'To do', 'warning'],
  begun: [1, '执行中', 'In progress', 'warning'],
  done: [2, '已完成', 'Completed', 'success'],
  overdue: [3, '逾期', 'Overdue', 'error'],
  missed: [4, '漏检', 'Missed', 'error'],
  cancelled: [5, '取消', 'Cancelled'],
})
export const TaskSource = dictionary('patrol_task_source', ['任务来源', 'Task source'], {
  rule: [1, '规则', 'Rule'],
  hand: [2, '手工', 'Manual'],
  sheet: [3, '导入', 'Import'],
  again: [4, '复检', 'Re-inspect'],
})
const { waiting, begun, done, overdue, missed, cancelled } = TaskState
/** `round` is a round that leaves something to do; one that came late from a handheld may still begin what was written down as missed. */
export const taskCan = moves(TaskState, {
  round: { [waiting]: begun, [begun]: begun, [overdue]: overdue, [missed]: overdue },
  finish: { [waiting]: done, [begun]: done, [overdue]: done, [missed]: done },
  expire: { [waiting]: overdue, [begun]: overdue },
  miss: { [waiting]: missed, [overdue]: missed },
  cancel: { [waiting]: cancelled, [begun]: cancelled, [overdue]: cancelled },
  change: { [waiting]: waiting, [begun]: begun, [overdue]: overdue },
})
/** Those that somebody still has to go through. */
export const OPEN_STATES = [waiting, begun, overdue] as const

const deviceNos = shaped('指定设备', 'Specified devices', listOf(Device.properties.deviceNo, { max: 500 }))
const parkCode = Park.properties.parkCode
const kept = {
  ...rowFields<'PatrolTaskId'>(),
  taskNo: text('任务号', 'Task number', { max: 40 }),
  name: orSaid(text('任务名称', 'Task name', { max: 40 })),
  ruleId: orNone({ ...KeptRule.properties.id, 'x-zh': '规则', 'x-en': 'Rule' }),
  parkCode,
  deviceTypes,
  deviceNos: orNone(deviceNos),
  items,
  planFrom: instant('计划开始', 'Planned start'),
  planTo: instant('计划完成', 'Planned end'),
  periodTo: orNone(instant('周期截止', 'Period ends')),
  state: among('状态', 'Status', TaskState),
  source: among('来源', 'Source', TaskSource),
  startedAt: orNone(instant('开始时间', 'Started at')),
  endedAt: orNone(instant('完成时间', 'Completed at')),
  reason: orNone(text('原因', 'Reason', { max: 200 })),
  remark: orNone(text('备注', 'Remark', { max: 200 })),
}
export const KeptTask = entity(['巡检任务', 'Patrol task'], {
  ...kept,
  collectorId: orNone(id<'CollectorId'>('巡检员编号', 'Inspector (id)')),
  slot: orNone(text('周期标识', 'Period slot', { max: 40 })),
  dueCount: orNone(whole('应检设备', 'Devices due', { min: 0 })),
})
/** Counts of a task and of each of its rounds: devices inspected, devices skipped for a reason, and faulty devices. */
export const deviceCounts = {
  checked: whole('已检设备', 'Devices checked', { min: 0 }),
  skipped: whole('未检设备', 'Not checked', { min: 0 }),
  abnormal: whole('异常设备', 'Abnormal devices', { min: 0 }),
}
/** One park that one inspector goes through within a time. */
export const Task = entity({
  ...kept,
  parkName: Park.properties.name,
  tollNo: orNone(tollNo),
  tollName: orNone({ ...Collector.properties.name, 'x-zh': '巡检员', 'x-en': 'Inspector' }),
  devicesDue: whole('应检设备', 'Devices due', { min: 0 }),
  devicesDone: deviceCounts.checked,
  devicesSkipped: deviceCounts.skipped,
  abnormal: deviceCounts.abnormal,
  turn: whole('先后', 'Turn', { min: 0 }),
})
export const taskSearch = searchOf(
  Task,
  {
    taskNo: 'startsWith',
    name: 'contains',
    parkCode: 'equals',
    tollNo: 'equals',
    ruleId: 'equals',
    state: 'among',
    source: 'among',
    planFrom: 'between',
    planTo: 'between',
  },
  { sort: ['turn', 'planFrom', 'planTo', 'createdAt'], ascending: true },
)

const { name, planFrom, planTo, remark } = kept
const view = { service: 'device', needs: 'inspection:task:view' } as const
const edit = { service: 'device', needs: 'inspection:task:edit', writes: true } as const
const query = call('inspection.scheduling.select-list-by-page', {
  ...view,
  get: '/inspection/scheduling/selectListByPage',
  query: paged(taskSearch),
  reply: pageOf(Task),
})
const ruleName = { ...KeptRule.properties.name, 'x-zh': '规则名称', 'x-en': 'Rule' }
const inspector = { ...tollNo, 'x-zh': '巡检员工号', 'x-en': 'Inspector' }
/** A sheet names the rule whose items are looked at. */
const TaskRow = message({ ruleName, parkCode, planFrom, planTo }, { tollNo: inspector, remark })

export const scheduling = {
  query,
  /** By hand: with the items of a rule, or its own. `recheckOf` inspects again the devices that the task found wrong. */
  add: call('inspection.scheduling.add', {
    ...edit,
    post: '/inspection/scheduling/add',
    does: ['新增巡检任务', 'Added a patrol task'],
    body: message(
      { planFrom, planTo },
      {
        name,
        parkCode,
        tollNo,
        ruleId: KeptRule.properties.id,
        deviceTypes,
        items,
        deviceNos,
        recheckOf: { ...kept.id, 'x-zh': '复检任务', 'x-en': 'Task to look at again' },
        remark,
      },
    ),
    reply: nothing,
  }),
  /** Moves it, gives it to another, or cancels it (`state` 5). A begun task, and a cancellation, need a reason. */
  update: call('inspection.scheduling.update', {
    ...edit,
    post: '/inspection/scheduling/update',
    does: ['调整巡检任务', 'Changed a patrol task'],
    body: message(
      { id: kept.id, version: kept.version },
      {
        planFrom,
        planTo,
        tollNo: orNone({ ...tollNo, 'x-zh': '巡检员', 'x-en': 'Inspector' }),
        state: { ...kept.state, enum: [cancelled] } as typeof kept.state,
        reason: text('原因', 'Reason', { max: 200 }),
        remark,
      },
    ),
    reply: nothing,
  }),
  /** Only what was made by hand or a sheet, and is not begun. */
  delete: call('inspection.scheduling.delete', {
    ...edit,
    post: '/inspection/scheduling/delete',
    does: ['删除巡检任务', 'Deleted a patrol task'],
    body: pickSome(KeptTask, ['id'], ['version']),
    reply: nothing,
  }),
  import: importOf('inspection.scheduling.import', {
    service: 'device',
    needs: 'inspection:task:edit',
    post: '/inspection/scheduling/import',
    title: ['巡检任务', 'Patrol tasks'],
    row: TaskRow,
    note: [
      '检查项取自所填规则；规则、车场与时间都相同的任务不重复导入。',
      'Items come from the rule; tasks with the same rule, car park and time are not imported twice.',
    ],
  }),
  export: exportOf('inspection.scheduling.export', {
    ...view,
    get: '/inspection/scheduling/export',
    title: ['巡检任务', 'Patrol tasks'],
    query,
    columns: [
      'taskNo',
      'name',
      { name: 'ruleName', field: ruleName },
      'parkCode',
      'parkName',
      { name: 'tollNo', field: inspector },
      'tollName',
      'planFrom',
      'planTo',
      'devicesDue',
      'devicesDone',
      'devicesSkipped',
      'abnormal',
      'state',
      'source',
      'startedAt',
      'endedAt',
      'reason',
      'remark',
    ],
  }),
}

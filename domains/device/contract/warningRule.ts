import { call, paged, pageOf, posted, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  type CodeOf,
  dictionary,
  entity,
  id,
  listOf,
  message,
  nothing,
  orNone,
  pick,
  pickSome,
  rowFields,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { Receivers } from '../../system/contract/alarmRule.ts'
import { WarningLevel, WarningState, WarningType } from './device.ts'
import { Warning } from './message.ts'

export const RuleStatus = dictionary('device_warning_rule_status', ['预警规则状态', 'Warning rule status'], {
  on: [1, '启用', 'On', 'success'],
  off: [2, '停用', 'Off'],
})

/** The unit of a threshold, for the types that have one. A type without one is raised by the event itself. */
export const THRESHOLDS: Partial<
  Record<CodeOf<typeof WarningType>, { label: readonly [string, string]; unit: readonly [string, string]; usual: number; min: number; max: number }>
> = {
  [WarningType.clockOff]: { label: ['时钟偏差超过', 'Clock drift over'], unit: ['秒', 's'], usual: 300, min: 30, max: 86_400 },
  [WarningType.badMessages]: {
    label: ['每小时非法报文达到', 'Invalid messages per hour'],
    unit: ['条', 'messages'],
    usual: 20,
    min: 1,
    max: 100_000,
  },
}
/** The types whose cause may last a while before it is worth a warning. Offline without a duration: three heartbeats. */
export const LASTING: readonly CodeOf<typeof WarningType>[] = [WarningType.offline, WarningType.blocked]

/** When a park's devices are worth a person's attention, and whose. One for each type and park; without a park it holds for all that have none of their own. */
export const WarningRule = entity(['设备预警规则', 'Device warning rule'], {
  ...rowFields<'WarningRuleId'>(),
  name: text('规则名称', 'Rule', { max: 60 }),
  type: among('预警类型', 'Warning type', WarningType),
  parkCode: orNone(text('车场编号', 'Car park code', { max: 16 })),
  threshold: orNone(whole('阈值', 'Threshold', { min: 1, max: 100_000 })),
  durationSec: orNone(whole('持续时间', 'Duration', { unit: 'second', min: 0, max: 86_400 })),
  level: among('级别', 'Level', WarningLevel),
  notifyPeople: shaped('通知人员', 'People notified', listOf(id<'PersonId'>(), { max: 100 })),
  notifyRoles: shaped('通知角色', 'Roles notified', listOf(id<'RoleId'>(), { max: 20 })),
  silenceMin: whole('静默时间', 'Mute period', { unit: 'minute', min: 0, max: 1440 }),
  status: among('状态', 'Status', RuleStatus),
  remark: orNone(text('备注', 'Remark', { max: 300 })),
})
/** A rule with how many of its warnings are open. */
export const WarningRuleRow = entity({ ...WarningRule.properties, openCount: whole('未恢复', 'Open') })
export const warningRuleSearch = searchOf(
  WarningRule,
  { name: 'contains', type: 'among', parkCode: 'equals', level: 'among', status: 'equals' },
  { sort: ['name', 'createdAt'], ascending: true },
)

const WRITTEN = ['parkCode', 'threshold', 'durationSec', 'notifyPeople', 'notifyRoles', 'silenceMin', 'remark'] as const
const view = { service: 'device', needs: 'device:warning-rule:view' } as const
const edit = { service: 'device', needs: 'device:warning-rule:edit', writes: true } as const
const query = call('device.warning.warning-info', {
  ...view,
  get: '/deviceWarning/warningInfo',
  query: paged(warningRuleSearch),
  reply: pageOf(WarningRuleRow),
})
/** The same status again changes nothing. `closeOpen` 1 closes what the rule has raised and nobody has handled; otherwise it stays until it recovers. */
const statusChange = call('device.warning.status-change', {
  ...edit,
  does: ['启用或停用预警规则', 'Enabled or disabled a warning rule'],
  get: '/deviceWarning/statusChange',
  query: message(
    { id: WarningRule.properties.id, status: WarningRule.properties.status },
    { closeOpen: whole('一并关闭未恢复的预警', 'Also close open warnings', { min: 0, max: 1 }) },
  ),
  reply: WarningRule,
})

export const warningRule = {
  query,
  add: call('device.warning.add', {
    ...edit,
    does: ['新增预警规则', 'Added a warning rule'],
    post: '/deviceWarning/warningAdd',
    body: pickSome(WarningRule, ['name', 'type', 'level'], WRITTEN),
    reply: WarningRule,
  }),
  update: call('device.warning.update', {
    ...edit,
    does: ['修改预警规则', 'Changed a warning rule'],
    post: '/deviceWarning/warningUpdate',
    body: pickSome(WarningRule, ['id', 'version'], ['name', 'level', ...WRITTEN]),
    reply: WarningRule,
  }),
  statusChange,
  statusChangePost: posted('device.warning.status-change-post', statusChange),
  delete: call('device.warning.delete', {
    ...edit,
    own: true,
    does: ['删除预警规则', 'Deleted a warning rule'],
    post: '/deviceWarning/warningDelete',
    body: pick(WarningRule, 'id', 'version'),
    reply: nothing,
  }),
  export: exportOf('device.warning.export', {
    service: 'device',
    get: '/deviceWarning/warningExport',
    needs: view.needs,
    title: ['设备预警规则', 'Device warning rules'],
    query,
    columns: ['name', 'type', 'parkCode', parkName, 'threshold', 'durationSec', 'level', 'silenceMin', 'status', 'openCount', 'remark', 'updatedAt'],
  }),
  /** Returns the people and roles that a rule may tell. */
  receivers: call('device.warning.receivers', {
    ...view,
    own: true,
    get: '/deviceWarning/receivers',
    query: message({}),
    reply: Receivers,
  }),
  /** Acknowledges or closes open warnings: all of them or none. */
  handle: call('device.warning.handle', {
    service: 'device',
    own: true,
    needs: 'device:warning:handle',
    writes: true,
    does: ['处理设备预警', 'Handled device warnings'],
    post: '/deviceWarning/handle',
    body: message(
      {
        ids: listOf(Warning.properties.id, { max: 200 }),
        state: {
          ...among('处理', 'Action', WarningState),
          enum: [WarningState.acknowledged, WarningState.closed],
        } as typeof Warning.properties.state,
      },
      { remark: text('说明', 'Note', { max: 200 }) },
    ),
    reply: message({ handled: whole('已处理', 'Handled') }),
  }),
}

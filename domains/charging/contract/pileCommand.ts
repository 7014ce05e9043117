import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  anything,
  dictionary,
  entity,
  id,
  instant,
  listOf,
  message,
  orNone,
  personal,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { CommandState } from '../../device/contract/command.ts'
import { typedCard } from './card.ts'
import { Connector } from './connector.ts'
import { Equipment } from './pile.ts'
import { parkCode } from './units.ts'

export const PileMethod = dictionary('charging_pile_method', ['桩指令', 'Command to a pile'], {
  start: [1, '远程启动', 'Start a session remotely'],
  stop: [2, '远程停止', 'Stop a session remotely'],
  reset: [3, '重启', 'Restart'],
  unlock: [4, '解锁枪头', 'Unlock the plug'],
  availability: [5, '启停用', 'Take in or out of service'],
  getConfiguration: [6, '读取配置', 'Read settings'],
  setConfiguration: [7, '修改配置', 'Change a setting'],
  trigger: [8, '触发上报', 'Trigger a message'],
  updateFirmware: [9, '固件升级', 'Update the firmware'],
  getLog: [10, '调取日志', 'Fetch the log'],
  sendLocalList: [11, '下发本地名单', 'Send the local list'],
  reserve: [12, '预约锁枪', 'Reserve a connector'],
  cancelReservation: [13, '取消预约', 'Cancel a reservation'],
  setProfile: [14, '限制功率', 'Limit the power'],
  clearProfile: [15, '解除限功率', 'Lift the limit'],
  rotateSecret: [16, '更换密钥', 'Renew the secret'],
  transactionStatus: [17, '核对交易', 'Check a transaction'],
})
const METHODS = [
  'start',
  'stop',
  'reset',
  'unlock',
  'availability',
  'getConfiguration',
  'setConfiguration',
  'trigger',
  'updateFirmware',
  'getLog',
  'sendLocalList',
  'reserve',
  'cancelReservation',
  'setProfile',
  'clearProfile',
  'rotateSecret',
  'transactionStatus',
] as const
/** A command as it is written down of its pile, and back into words. */
export const methodKey = (method: number): string => METHODS.find((name) => PileMethod[name] === method) ?? String(method)
export function methodName(key: string): readonly [string, string] | undefined {
  const found = METHODS.find((name) => name === key)
  return found && [PileMethod.entries[PileMethod[found]][0], PileMethod.entries[PileMethod[found]][1]]
}
/** Why a command came to nothing. */
export const PileFailure = dictionary('charging_pile_failure', ['未成功原因', 'Reason for failure'], {
  offline: [1, '桩离线', 'The pile was offline'],
  noAnswer: [2, '桩未应答', 'The pile did not answer'],
  rejected: [3, '桩拒绝', 'The pile refused'],
  unsupported: [4, '桩不支持', 'The pile does not support it'],
  error: [5, '桩报错', 'The pile reported an error'],
  noEffect: [6, '已应答但未见生效', 'Accepted, but without effect'],
  cancelled: [7, '已取消', 'Cancelled'],
})
export const ResetKind = dictionary('charging_reset_kind', ['重启方式', 'Restart mode'], {
  soft: [1, '软重启（充完再启）', 'Soft (once idle)'],
  hard: [2, '硬重启（立即）', 'Hard (immediately)'],
})
export const TriggerMessage = dictionary('charging_trigger_message', ['上报内容', 'Message'], {
  status: [1, '充电枪状态', 'Connector status'],
  meter: [2, '电表数据', 'Meter values'],
  heartbeat: [3, '心跳', 'Heartbeat'],
  firmware: [4, '固件状态', 'Firmware status'],
  log: [5, '日志上传状态', 'Log upload status'],
})
export const LogKind = dictionary('charging_log_kind', ['日志类型', 'Log type'], {
  diagnostics: [1, '诊断日志', 'Diagnostics'],
  security: [2, '安全日志', 'Security'],
})

/** One order to one pile. That it agreed is `delivered`; `done` is said when what it agreed to was seen to happen. */
export const PileCommand = entity(['桩指令', 'Command to a pile'], {
  id: id<'PileCommandId'>(),
  equipmentId: Equipment.properties.equipmentId,
  parkCode,
  connectorId: orNone(Connector.properties.connectorId),
  orderNo: orNone(text('充电订单', 'Session', { max: 40 })),
  method: among('指令', 'Command', PileMethod),
  params: shaped('参数', 'Parameters', anything),
  reason: orNone(text('原因', 'Reason', { max: 100 })),
  state: among('状态', 'Status', CommandState),
  failure: orNone(among('未成功原因', 'Reason for failure', PileFailure)),
  result: orNone(shaped('桩应答', 'Pile response', anything)),
  byName: text('操作人', 'By', { max: 64 }),
  createdAt: instant('创建时间', 'Created at'),
  sentAt: orNone(instant('下发时间', 'Sent at')),
  deliveredAt: orNone(instant('应答时间', 'Answered at')),
  finishedAt: orNone(instant('完成时间', 'Finished at')),
  expiresAt: instant('有效至', 'Valid until'),
})
export const pileCommandSearch = searchOf(
  PileCommand,
  { equipmentId: 'equals', connectorId: 'equals', orderNo: 'equals', method: 'among', state: 'among', parkCode: 'equals', createdAt: 'between' },
  { sort: ['createdAt'] },
)

/** A setting of a pile, as it last told it. */
export const PileSetting = entity(['桩配置', 'Pile setting'], {
  id: id<'PileSettingId'>(),
  equipmentId: Equipment.properties.equipmentId,
  parkCode,
  key: text('配置项', 'Setting', { max: 120 }),
  value: orNone(text('值', 'Value', { min: 0, max: 2500 })),
  readonly: yes('只读', 'Read only'),
  readAt: instant('读取时间', 'Read at'),
})
export const pileSettingSearch = searchOf(PileSetting, { equipmentId: 'equals', key: 'contains' }, { sort: ['key'], ascending: true })

const { equipmentId } = Equipment.properties
const { connectorId } = Connector.properties
const reason = text('原因', 'Reason', { max: 100 })
const on = { equipmentId, reason }
const atGun = { connectorId, reason }
const cardNo = personal('account', typedCard)
const url = text('地址', 'Address', { max: 500, pattern: '^(https?|ftps?|sftp)://[^\\s"<>]+$' })
const duty = { service: 'charging', needs: 'charging:pile:operate', writes: true, own: true, reply: PileCommand } as const
const engineer = { service: 'charging', needs: 'charging:pile:engineer', writes: true, own: true, reply: PileCommand } as const
const view = { service: 'charging', needs: 'charging:pile:view', own: true } as const

export const pileCommand = {
  commands: call('charging.pile.commands', { ...view, post: '/chargingPile/commands', body: paged(pileCommandSearch), reply: pageOf(PileCommand) }),
  settings: call('charging.pile.settings', { ...view, post: '/chargingPile/settings', body: paged(pileSettingSearch), reply: pageOf(PileSetting) }),
  remoteStart: call('charging.pile.remote-start', {
    ...duty,
    does: ['远程启动充电', 'Started a charging session remotely'],
    post: '/chargingPile/remoteStart',
    body: message({ ...atGun, cardNo }),
  }),
  remoteStop: call('charging.pile.remote-stop', {
    ...duty,
    does: ['远程停止充电', 'Stopped a charging session remotely'],
    post: '/chargingPile/remoteStop',
    body: message(atGun),
  }),
  reset: call('charging.pile.reset', {
    ...engineer,
    does: ['重启充电桩', 'Restarted a pile'],
    post: '/chargingPile/reset',
    body: message({ ...on, kind: among('重启方式', 'Restart mode', ResetKind) }),
  }),
  unlock: call('charging.pile.unlock', {
    ...duty,
    does: ['解锁枪头', 'Unlocked a plug'],
    post: '/chargingPile/unlock',
    body: message(atGun),
  }),
  availability: call('charging.pile.availability', {
    ...duty,
    does: ['启停用充电枪', 'Took a connector in or out of service'],
    post: '/chargingPile/availability',
    body: message({ ...on, operative: yes('可用', 'In service') }, { connectorId }),
  }),
  getConfiguration: call('charging.pile.get-configuration', {
    ...engineer,
    does: ['读取桩配置', 'Read settings of a pile'],
    post: '/chargingPile/getConfiguration',
    body: message(on, { keys: listOf(PileSetting.properties.key, { max: 50 }) }),
  }),
  setConfiguration: call('charging.pile.set-configuration', {
    ...engineer,
    does: ['修改桩配置', 'Changed a setting of a pile'],
    post: '/chargingPile/setConfiguration',
    body: message({ ...on, key: PileSetting.properties.key, value: text('值', 'Value', { min: 0, max: 500 }) }),
  }),
  trigger: call('charging.pile.trigger', {
    ...duty,
    does: ['触发桩上报', 'Triggered a message from a pile'],
    post: '/chargingPile/trigger',
    body: message({ ...on, message: among('上报内容', 'Message', TriggerMessage) }, { connectorId }),
  }),
  updateFirmware: call('charging.pile.update-firmware', {
    ...engineer,
    does: ['下发固件升级', 'Sent a firmware update'],
    post: '/chargingPile/updateFirmware',
    body: message({ ...on, url }, { version: text('目标版本', 'Version', { max: 50 }), retrieveAt: instant('开始时间', 'Start at') }),
  }),
  getLog: call('charging.pile.get-log', {
    ...engineer,
    does: ['调取桩日志', 'Fetched the log of a pile'],
    post: '/chargingPile/getLog',
    body: message({ ...on, url, kind: among('日志类型', 'Log type', LogKind) }),
  }),
  sendLocalList: call('charging.pile.send-local-list', {
    ...duty,
    does: ['下发本地名单', 'Sent the local list to a pile'],
    post: '/chargingPile/sendLocalList',
    body: message(on),
  }),
  reserve: call('charging.pile.reserve', {
    ...duty,
    does: ['预约锁枪', 'Reserved a connector'],
    post: '/chargingPile/reserve',
    body: message({ ...atGun, cardNo, until: instant('保留至', 'Until') }),
  }),
  cancelReservation: call('charging.pile.cancel-reservation', {
    ...duty,
    does: ['取消锁枪预约', 'Cancelled a reservation'],
    post: '/chargingPile/cancelReservation',
    body: message(atGun),
  }),
  setProfile: call('charging.pile.set-profile', {
    ...engineer,
    does: ['限制充电功率', 'Limited the power of a connector'],
    post: '/chargingPile/setProfile',
    body: message({ ...atGun, limitW: whole('功率上限', 'Power limit', { unit: 'watt', min: 0, max: 2_000_000 }) }),
  }),
  clearProfile: call('charging.pile.clear-profile', {
    ...engineer,
    does: ['解除功率限制', 'Lifted the power limit of a connector'],
    post: '/chargingPile/clearProfile',
    body: message(atGun),
  }),
}

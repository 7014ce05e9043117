import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, id, instant, message, orNone, text, whole, yes } from '../../../platform/contract/field.ts'
import { CommandState } from '../../device/contract/command.ts'
import { Vehicle, type VehicleId } from './vehicle.ts'

/** Commands to a terminal. */
export const TerminalAct = dictionary('fleet_terminal_act', ['终端指令', 'Terminal command'], {
  text: [1, '下发文本', 'Send text'],
  shoot: [2, '抓拍', 'Take picture'],
  track: [3, '临时追踪', 'Track closely'],
})
export const TerminalFailure = dictionary('fleet_terminal_failure', ['未成功原因', 'Failure reason'], {
  refused: [1, '终端执行失败', 'Failed on the terminal'],
  wrong: [2, '终端返回消息错误', 'Rejected by terminal as malformed'],
  unsupported: [3, '终端不支持', 'Not supported by the terminal'],
  offline: [4, '终端不在线', 'Terminal offline'],
  noAnswer: [5, '终端未应答', 'No answer from the terminal'],
  noPicture: [6, '终端已应答，未收到照片', 'Answered, but no picture came'],
})
export const TEXT_MAX = 200
export const TRACK_MAX_S = 3_600
const said = text('内容', 'Message', { max: TEXT_MAX })
export const channel = whole('摄像头通道', 'Camera channel', { min: 1, max: 16 })
const everyS = whole('间隔', 'Interval', { unit: 'second', min: 1, max: 60 })
const forS = whole('时长', 'Duration', { unit: 'second', min: 60, max: TRACK_MAX_S })
/** One thing that a terminal is told once. A success is the terminal's own word, and of a picture the picture. */
export const TerminalCommand = entity({
  id: id<'FleetCommandId'>(),
  createdAt: instant('下达时间', 'Ordered at'),
  vehicleId: id<VehicleId>('车辆编号', 'Vehicle (id)'),
  vehicleNo: Vehicle.properties.vehicleNo,
  act: among('指令', 'Command', TerminalAct),
  text: orNone(said),
  channel: orNone(channel),
  everyS: orNone(everyS),
  forS: orNone(forS),
  state: among('状态', 'Status', CommandState),
  failure: orNone(among('未成功原因', 'Failure reason', TerminalFailure)),
  byName: text('操作人', 'Operator', { max: 40 }),
  sentAt: orNone(instant('下发时间', 'Sent at')),
  ackedAt: orNone(instant('应答时间', 'Answered at')),
  finishedAt: orNone(instant('完成时间', 'Finished at')),
  expiresAt: instant('有效至', 'Valid until'),
})
export const terminalCommandSearch = searchOf(
  TerminalCommand,
  { vehicleId: 'equals', vehicleNo: 'plate', act: 'among', state: 'among', createdAt: 'between' },
  { sort: ['createdAt'] },
)

const { vehicleId } = TerminalCommand.properties
const view = { service: 'business', needs: 'fleet:supervise:view', own: true } as const
const operate = { service: 'business', needs: 'fleet:terminal:operate', own: true, writes: true, reply: TerminalCommand } as const
export const terminal = {
  query: call('fleet.terminal.query', {
    ...view,
    post: '/vehicleTerminal/query',
    body: paged(terminalCommandSearch),
    reply: pageOf(TerminalCommand),
  }),
  text: call('fleet.terminal.text', {
    ...operate,
    post: '/vehicleTerminal/text',
    does: ['向车辆下发文本', 'Sent a text to a vehicle'],
    body: message({ vehicleId, text: said }, { urgent: yes('紧急', 'Urgent'), spoken: yes('语音播报', 'Read aloud') }),
  }),
  track: call('fleet.terminal.track', {
    ...operate,
    post: '/vehicleTerminal/track',
    does: ['临时追踪车辆', 'Tracked a vehicle closely'],
    body: message({ vehicleId }, { everyS, forS }),
  }),
  shoot: call('fleet.picture.shoot', {
    ...operate,
    needs: 'fleet:picture:shoot',
    post: '/vehiclePicture/shoot',
    does: ['抓拍车辆照片', 'Took a picture from a vehicle'],
    body: message({ vehicleId }, { channel }),
  }),
}

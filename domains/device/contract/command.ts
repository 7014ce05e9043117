import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, anything, dictionary, entity, id, instant, moves, orNone, shaped, text, whole, yes } from '../../../platform/contract/field.ts'

/** A success is the device's own word for it, never ours. */
export const CommandState = dictionary('cmd_state', ['指令状态', 'Command status'], {
  queued: [0, '待下发', 'Queued'],
  sent: [1, '已下发', 'Sent'],
  delivered: [2, '已送达', 'Delivered'],
  done: [3, '执行成功', 'Done', 'success'],
  failed: [4, '执行失败', 'Failed', 'error'],
  expired: [5, '超时', 'Timed out', 'warning'],
  cancelled: [6, '已取消', 'Cancelled'],
})
/** An answer may arrive before the broker's receipt of the command does, so both 1 and 2 lead to 3 and 4. The last four states are final. */
export const commandCan = moves(CommandState, {
  send: { 0: 1 },
  deliver: { 1: 2 },
  succeed: { 1: 3, 2: 3 },
  fail: { 0: 4, 1: 4, 2: 4 },
  expire: { 0: 5, 1: 5, 2: 5 },
  cancel: { 0: 6 },
})

/** The first four are the device's own words (its answer's `code`). */
export const CommandFailure = dictionary('cmd_failure', ['未成功原因', 'Failure reason'], {
  unknown: [1, '设备不支持该指令', 'Command not supported'],
  badParameters: [2, '参数错误', 'Invalid parameters'],
  busy: [3, '设备忙', 'Device busy'],
  failed: [4, '执行失败', 'Execution failed'],
  offline: [5, '设备离线', 'Device offline'],
  noAnswer: [6, '设备未应答', 'No answer from device'],
  cancelled: [7, '已取消', 'Cancelled'],
})

/** One order to one device, sent once. A repeat is another command with the same `orderId`. */
export const Command = entity({
  id: id<'CommandId'>(),
  deviceNo: text('设备编号', 'Device number', { max: 32 }),
  parkCode: orNone(text('车场编号', 'Car park code', { max: 16 })),
  gateCode: orNone(text('通道编号', 'Lane code', { max: 24 })),
  method: text('指令', 'Command', { max: 32 }),
  params: shaped('参数', 'Parameters', anything),
  orderId: orNone(text('订单', 'Order', { max: 64 })),
  attempt: whole('第几次', 'Attempt'),
  persist: yes('未应答则重发', 'Resend until answered'),
  state: among('状态', 'Status', CommandState),
  createdAt: instant('创建时间', 'Created at'),
  sentAt: orNone(instant('下发时间', 'Sent at')),
  deliveredAt: orNone(instant('送达时间', 'Delivered at')),
  finishedAt: orNone(instant('完成时间', 'Finished at')),
  expiresAt: instant('有效至', 'Valid until'),
  result: orNone(shaped('设备应答', 'Device response', anything)),
  failure: orNone(among('未成功原因', 'Failure reason', CommandFailure)),
})
export const commandSearch = searchOf(
  Command,
  { deviceNo: 'equals', parkCode: 'equals', gateCode: 'equals', orderId: 'equals', state: 'among', createdAt: 'between' },
  { sort: ['createdAt'] },
)
export const command = {
  query: call('device.command.query', {
    service: 'device',
    post: '/command/query',
    own: true,
    needs: 'device:message:view',
    body: paged(commandSearch),
    reply: pageOf(Command),
  }),
}

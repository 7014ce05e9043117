import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, anything, dictionary, entity, id, instant, orNone, shaped, text } from '../../../platform/contract/field.ts'
import { Equipment } from './pile.ts'
import { methodName } from './pileCommand.ts'
import { parkCode } from './units.ts'

export const OperateKind = dictionary('charging_operate_kind', ['操作类型', 'Operation type'], {
  data: [1, '资料', 'Data'],
  status: [2, '状态', 'Status'],
  command: [3, '指令', 'Command'],
  configuration: [4, '配置', 'Configuration'],
  firmware: [5, '固件', 'Firmware'],
  secret: [6, '密钥', 'Secret'],
  qrcode: [7, '二维码', 'QR code'],
})
/** What the house writes of piles and their guns; what a pile was told is written by the command's name. */
export const OperateAction = {
  add: 'add',
  save: 'save',
  updateStatus: 'updateStatus',
  repair: 'repair',
  mend: 'mend',
  wait: 'wait',
  scrap: 'scrap',
  addGun: 'addGun',
  saveGun: 'saveGun',
  deleteGun: 'deleteGun',
} as const
const ACTIONS: Readonly<Record<string, readonly [string, string]>> = {
  [OperateAction.add]: ['新增充电桩', 'Added the pile'],
  [OperateAction.save]: ['修改充电桩', 'Changed the pile'],
  [OperateAction.updateStatus]: ['切换管理状态', 'Changed the admin status'],
  [OperateAction.repair]: ['转维修', 'Taken for repair'],
  [OperateAction.mend]: ['修复投用', 'Back in use after repair'],
  [OperateAction.wait]: ['修复，仍待投用', 'Repaired, still to be put in use'],
  [OperateAction.scrap]: ['报废', 'Scrapped'],
  [OperateAction.addGun]: ['新增充电枪', 'Added a connector'],
  [OperateAction.saveGun]: ['修改充电枪', 'Changed a connector'],
  [OperateAction.deleteGun]: ['删除充电枪', 'Deleted a connector'],
}
/** What was done, in words; of a command, what it is called. */
export const actionName = (action: string): readonly [string, string] => ACTIONS[action] ?? methodName(action) ?? [action, action]

/** What was done to a pile, by whom, and what came of it. */
export const OperateLog = entity(['充电桩操作', 'Pile operation'], {
  id: id<'OperateLogId'>(),
  equipmentId: Equipment.properties.equipmentId,
  parkCode,
  kind: among('类型', 'Type', OperateKind),
  action: text('操作', 'Action', { max: 64 }),
  who: text('操作人', 'By', { max: 64 }),
  at: instant('时间', 'Time'),
  reason: orNone(text('原因', 'Reason', { max: 200 })),
  params: orNone(shaped('参数', 'Parameters', anything)),
  before: orNone(shaped('之前', 'Before', anything)),
  after: orNone(shaped('之后', 'After', anything)),
  /** Of a command: its state by now, in the words of commands. */
  commandState: orNone(text('指令状态', 'Command', { max: 40 })),
})
export const operateSearch = searchOf(OperateLog, { equipmentId: 'equals', kind: 'among', at: 'between', parkCode: 'equals' }, { sort: ['at'] })

export const operateLog = {
  query: call('charging.pile.query-operate-log', {
    service: 'charging',
    needs: 'charging:pile:view',
    post: '/chargingPile/queryOperateLog',
    body: paged(operateSearch),
    reply: pageOf(OperateLog),
  }),
}

import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, anything, dictionary, entity, id, instant, orNone, shaped, text } from '../../../platform/contract/field.ts'
import { Equipment } from './equipment.ts'
import { parkCode } from './units.ts'

export const OperateKind = dictionary('charging_operate_kind', ['操作类别', 'Kind of operation'], {
  data: [1, '资料', 'Data'],
  status: [2, '状态', 'State'],
  command: [3, '指令', 'Command'],
  configuration: [4, '配置', 'Configuration'],
  firmware: [5, '固件', 'Firmware'],
  secret: [6, '密钥', 'Secret'],
  qrcode: [7, '二维码', 'QR code'],
})
/** What was done to a pile, by whom, and what came of it. */
export const OperateLog = entity(['充电桩操作', 'Pile operation'], {
  id: id<'OperateLogId'>(),
  equipmentId: Equipment.properties.equipmentId,
  parkCode,
  kind: among('类别', 'Kind', OperateKind),
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

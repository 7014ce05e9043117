import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { dictionary, entity, among, orNone, rowFields, telephone, text, yes, message, nothing, pick } from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'

export const OperatorStatus = dictionary('charging_operator_status', ['运营商状态', 'Operator status'], {
  active: [1, '启用', 'Active', 'success'],
  stopped: [2, '停用', 'Stopped'],
})
/** Who runs charging stations; known to others by the nine characters of its organisation code. */
export const Operator = entity(['充电运营商', 'Charging operator'], {
  ...rowFields<'ChargingOperatorId'>(),
  operatorId: text('运营商 ID', 'Operator id', { min: 9, max: 9, pattern: '^[0-9A-Z]{9}$' }),
  operatorName: text('运营商名称', 'Name', { max: 64 }),
  operatorTel1: telephone('联系电话', 'Phone'),
  operatorTel2: orNone(telephone('备用电话', 'Second phone')),
  regAddress: orNone(text('注册地址', 'Registered address', { max: 255 })),
  note: orNone(text('说明', 'Note', { max: 255 })),
  /** The enterprise itself, whose charges are its own income. */
  own: yes('本企业', 'Our own'),
  status: among('状态', 'Status', OperatorStatus),
})
export const operatorSearch = searchOf(
  Operator,
  { operatorId: 'equals', operatorName: 'contains', status: 'among' },
  { sort: ['createdAt'], ascending: true },
)

const { id, version } = Operator.properties
const { operatorId, operatorName, operatorTel1, operatorTel2, regAddress, note, own, status } = Operator.properties
const edit = { service: 'charging', needs: 'charging:operator:edit', writes: true } as const
const list = call('charging.operator.list', {
  service: 'charging',
  post: '/pc/charge/chargeOperators',
  needs: 'charging:operator:view',
  body: paged(operatorSearch),
  reply: pageOf(Operator),
})
export const operator = {
  list,
  export: exportOf('charging.operator.export', {
    service: 'charging',
    needs: 'charging:operator:view',
    own: true,
    post: '/pc/charge/chargeOperatorsExport',
    title: ['充电运营商', 'Charging operators'],
    query: list,
    columns: ['operatorName', 'operatorId', 'operatorTel1', 'operatorTel2', 'regAddress', 'own', 'status', 'note'],
  }),
  /** Without an id a new one. Its nine characters stay what they are. */
  saveOrUpdate: call('charging.operator.save-or-update', {
    ...edit,
    post: '/pc/charge/chargeOperator/saveOrUpdate',
    does: ['保存充电运营商', 'Saved a charging operator'],
    body: message({ operatorName, operatorTel1 }, { id, version, operatorId, operatorTel2, regAddress, note, own, status }),
    reply: Operator,
  }),
  delete: call('charging.operator.delete', {
    ...edit,
    post: '/pc/charge/chargeOperator/delete',
    does: ['删除充电运营商', 'Deleted a charging operator'],
    body: pick(Operator, 'id', 'version'),
    reply: nothing,
  }),
}

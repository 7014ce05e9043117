import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, fen, id, instant, message, orNone, pick, plate, text, whole } from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'

export const WaiverState = dictionary('waiver_state', ['减免状态', 'Waiver status'], {
  waiting: [0, '待审核', 'Pending approval', 'warning'],
  granted: [1, '已减免', 'Waived', 'success'],
  rejected: [2, '驳回', 'Rejected', 'default'],
  withdrawn: [3, '撤回', 'Withdrawn', 'default'],
  /** Its order was paid, or ended otherwise, before anybody decided. */
  lapsed: [4, '已失效', 'Lapsed', 'default'],
})
/** From this amount on two people approve. */
export const TWO_APPROVERS_FEN = 50_000

/** Letting somebody off what an order asks: all that is left of it. Asked by one person, granted by another, or by two others. */
export const Waiver = entity(['减免', 'Waiver'], {
  id: id<'WaiverId'>(),
  orderId: id<'OrderId'>('订单', 'Order'),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  amountFen: fen('金额', 'Amount', { min: 1 }),
  reason: text('原因', 'Reason', { max: 200 }),
  state: among('状态', 'Status', WaiverState),
  applicantId: id<'PersonId'>('申请人编号', 'Requested by (id)'),
  applicantName: text('申请人', 'Requested by'),
  approvals: whole('已审核人数', 'Approvals'),
  approvalsNeeded: whole('需审核人数', 'Approvals needed'),
  approverId: orNone(id<'PersonId'>('审核人编号', 'Decided by (id)')),
  approverName: orNone(text('审核人', 'Decided by')),
  secondApproverName: orNone(text('二审', 'Second approver')),
  verdict: orNone(text('审核意见', 'Review comment', { max: 200 })),
  appliedAt: instant('申请时间', 'Requested at'),
  decidedAt: orNone(instant('审核时间', 'Decided at')),
  version: whole('版本', 'Version'),
})
/** With whose order it is. */
export const WaiverLine = entity(['减免', 'Waiver'], {
  ...Waiver.properties,
  orderNo: text('订单号', 'Order number', { max: 40 }),
  plateNo: orNone(plate()),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
})
export const waiverSearch = searchOf(
  WaiverLine,
  { state: 'among', plateNo: 'plate', parkCode: 'equals', orderNo: 'equals', orderId: 'equals', appliedAt: 'between' },
  { sort: ['appliedAt'] },
)
const verdict = text('审核意见', 'Review comment', { max: 200 })
const one = pick(Waiver, 'id', 'version')

const approve = { service: 'business', needs: 'settlement:waiver:approve', writes: true, own: true } as const
const list = call('settlement.waiver.list', {
  service: 'business',
  get: '/orderWaiver/list',
  needs: 'settlement:waiver:view',
  own: true,
  query: paged(waiverSearch),
  reply: pageOf(WaiverLine),
})
export const waiver = {
  list,
  export: exportOf('settlement.waiver.export', {
    service: 'business',
    get: '/orderWaiver/export',
    needs: list.needs,
    own: true,
    title: ['减免', 'Waivers'],
    query: list,
    columns: [
      'orderNo',
      'plateNo',
      'parkCode',
      parkName,
      'state',
      'amountFen',
      'reason',
      'applicantName',
      'appliedAt',
      'approverName',
      'secondApproverName',
      'verdict',
      'decidedAt',
    ],
  }),
  apply: call('settlement.waiver.apply', {
    service: 'business',
    post: '/orderWaiver/apply',
    writes: true,
    needs: 'settlement:waiver:apply',
    own: true,
    does: ['申请减免', 'Requested a waiver'],
    body: message({ orderId: Waiver.properties.orderId, amountFen: Waiver.properties.amountFen, reason: Waiver.properties.reason }),
    reply: Waiver,
  }),
  withdraw: call('settlement.waiver.withdraw', {
    service: 'business',
    post: '/orderWaiver/withdraw',
    writes: true,
    needs: 'settlement:waiver:apply',
    own: true,
    does: ['撤回减免申请', 'Withdrew a waiver request'],
    body: one,
    reply: Waiver,
  }),
  approve: call('settlement.waiver.approve', {
    ...approve,
    post: '/orderWaiver/approve',
    does: ['减免审核通过', 'Approved a waiver'],
    body: message({ ...one.properties }, { verdict }),
    reply: Waiver,
  }),
  reject: call('settlement.waiver.reject', {
    ...approve,
    post: '/orderWaiver/reject',
    does: ['驳回减免', 'Rejected a waiver'],
    body: message({ ...one.properties, verdict }),
    reply: Waiver,
  }),
}

import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, fen, id, instant, message, orNone, pick, text, whole } from '../../../platform/contract/field.ts'

export const WaiverState = dictionary('waiver_state', ['减免状态', 'State of the waiver'], {
  0: ['待审核', 'To be approved', 'warning'],
  1: ['已减免', 'Granted', 'success'],
  2: ['驳回', 'Rejected', 'default'],
})
/** Letting somebody off what an order asks: all that is left of it. Asked by one person, granted by another. */
export const Waiver = entity({
  id: id<'WaiverId'>(),
  orderId: id<'OrderId'>('订单', 'Order'),
  parkCode: text('车场编号', 'Park code', { max: 16 }),
  amountFen: fen('金额', 'Amount', { min: 1 }),
  reason: text('原因', 'Reason', { max: 200 }),
  state: among('状态', 'State', WaiverState),
  applicantName: text('申请人', 'Asked by'),
  approverName: orNone(text('审核人', 'Decided by')),
  verdict: orNone(text('审核意见', 'Verdict', { max: 200 })),
  appliedAt: instant('申请时间', 'Asked at'),
  decidedAt: orNone(instant('审核时间', 'Decided at')),
  version: whole('版本', 'Version'),
})
export const waiverSearch = searchOf(Waiver, { state: 'among', parkCode: 'equals', orderId: 'equals' }, { sort: ['appliedAt'] })
const verdict = text('审核意见', 'Verdict', { max: 200 })
const one = pick(Waiver, 'id', 'version')

export const waiver = {
  list: call('settlement.waiver.list', {
    service: 'business',
    get: '/orderWaiver/list',
    needs: 'settlement:waiver:view',
    own: true,
    query: paged(waiverSearch),
    reply: pageOf(Waiver), // prettier-ignore
  }),
  apply: call('settlement.waiver.apply', {
    service: 'business', post: '/orderWaiver/apply', writes: true, needs: 'settlement:waiver:apply', own: true,
    body: message({ orderId: Waiver.properties.orderId, amountFen: Waiver.properties.amountFen, reason: Waiver.properties.reason }), reply: Waiver,
  }), // prettier-ignore
  approve: call('settlement.waiver.approve', {
    service: 'business',
    post: '/orderWaiver/approve',
    writes: true,
    needs: 'settlement:waiver:approve',
    own: true,
    body: message({ ...one.properties }, { verdict }),
    reply: Waiver, // prettier-ignore
  }),
  reject: call('settlement.waiver.reject', {
    service: 'business',
    post: '/orderWaiver/reject',
    writes: true,
    needs: 'settlement:waiver:approve',
    own: true,
    body: message({ ...one.properties, verdict }),
    reply: Waiver, // prettier-ignore
  }),
}

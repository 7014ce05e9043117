import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  id,
  images,
  instant,
  listOf,
  message,
  moves,
  nothing,
  orNone,
  pick,
  rowFields,
  shaped,
  text,
  yes,
} from '../../../platform/contract/field.ts'
import { CardKind } from './attendance.ts'
import { Collector, tollNo } from './collector.ts'
import { Cell } from './roster.ts'

export const RequestType = dictionary('staff_request_type', ['申请类型', 'Request type'], {
  leave: [1, '请假', 'Leave'],
  swap: [2, '调班', 'Swap'],
  standIn: [3, '替班', 'Stand-in'],
  card: [4, '补卡', 'Missed punch'],
})
export const RequestState = dictionary('staff_request_state', ['申请状态', 'Request status'], {
  partner: [0, '待对方同意', 'Waiting for colleague', 'warning'],
  open: [1, '待审批', 'To be decided', 'warning'],
  granted: [2, '通过', 'Granted', 'success'],
  rejected: [3, '驳回', 'Rejected', 'error'],
  withdrawn: [4, '撤回', 'Withdrawn'],
  expired: [5, '过期', 'Expired'],
})
export const requestCan = moves(RequestState, {
  agree: { 0: 1 },
  decline: { 0: 3 },
  grant: { 1: 2 },
  reject: { 1: 3 },
  withdraw: { 0: 4, 1: 4 },
})
export const LeaveKind = dictionary('leave_kind', ['请假类型', 'Leave type'], {
  personal: [1, '事假', 'Personal'],
  sick: [2, '病假', 'Sick'],
  annual: [3, '年假', 'Annual'],
})
const ref = <N extends string>(zh: string, en: string) => id<N>(zh, en)
/** A collector's request (申请) about one cell. */
export const Request = entity(['排班申请', 'Request'], {
  ...rowFields<'StaffRequestId'>(),
  requestNo: text('申请单号', 'Request number', { max: 40 }),
  parkCode: Collector.properties.parkCode,
  type: among('类型', 'Type', RequestType),
  leaveKind: orNone(among('请假类型', 'Leave type', LeaveKind)),
  applicantId: ref<'CollectorId'>('申请人', 'Applicant'),
  cellId: ref<'CellId'>('班次', 'Shift'),
  toCollectorId: orNone(ref<'CollectorId'>('换班对象', 'Colleague')),
  toCellId: orNone(ref<'CellId'>('对方班次', 'Partner’s shift')),
  cardKind: orNone(among('补卡类型', 'Clocking type', CardKind)),
  cardTime: orNone(instant('补卡时间', 'Clocking time')),
  reason: text('原因', 'Reason', { max: 200 }),
  images: orNone(images('附图', 'Pictures')),
  state: among('状态', 'Status', RequestState),
  askedById: ref<'PersonId'>('申请账号', 'Requested by (account)'),
  agreedById: orNone(ref<'PersonId'>('答复账号', 'Answered by (account)')),
  opinion: orNone(text('意见', 'Opinion', { max: 200 })),
  decidedId: orNone(ref<'PersonId'>('审批人编号', 'Decided by')),
  decidedName: orNone(text('审批人', 'Decided by', { max: 40 })),
  decidedAt: orNone(instant('审批时间', 'Decided at')),
})
export const RequestLine = entity({
  ...Request.properties,
  tollNo,
  name: Collector.properties.name,
  toTollNo: orNone(tollNo),
  toName: orNone(text('换班对象', 'Colleague', { max: 40 })),
  workDate: Cell.properties.workDate,
  shiftName: Cell.properties.shiftName,
  startAt: Cell.properties.startAt,
})
export const requestSearch = searchOf(
  RequestLine,
  { requestNo: 'equals', tollNo: 'equals', name: 'contains', type: 'among', state: 'among', parkCode: 'equals', workDate: 'between' },
  { sort: ['createdAt'] },
)
const { type, leaveKind, cellId, toCellId, cardKind, cardTime, reason } = Request.properties
const asked = { type, cellId, reason }
const askedAlso = { leaveKind, toTollNo: tollNo, toCellId, cardKind, cardTime, images: images('附图', 'Pictures') }
const own = { service: 'business', own: true } as const
const apply = { ...own, needs: 'staff:request:apply', writes: true } as const
const Ref = pick(Request, 'id', 'version').properties
const opinion = text('意见', 'Opinion', { max: 200 })
const MyCell = pick(Cell, 'id', 'workDate', 'shiftName', 'startAt', 'endAt', 'state')

export const request = {
  query: call('staff.request.page-query', {
    ...own,
    needs: 'staff:request:view',
    post: '/api/staff/request/pageQuery',
    body: paged(requestSearch),
    reply: pageOf(RequestLine),
  }),
  /** Returns the caller as field staff, and the cells that they may ask about. */
  mine: call('staff.request.mine', {
    ...own,
    needs: 'staff:request:apply',
    get: '/api/staff/request/mine',
    query: message({}),
    reply: message({ tollNo: orNone(tollNo), leads: yes('可审批', 'May decide'), cells: shaped('班次', 'Shifts', listOf(MyCell)) }),
  }),
  apply: call('staff.request.apply', {
    ...apply,
    post: '/api/staff/request/apply',
    does: ['提交排班申请', 'Submitted a roster request'],
    body: message(asked, askedAlso),
    reply: nothing,
  }),
  /** Files a request for somebody who rang in. The person who enters it decides it as little as the applicant. */
  applyFor: call('staff.request.apply-for', {
    ...own,
    needs: 'staff:roster:edit',
    writes: true,
    post: '/api/staff/request/applyFor',
    does: ['代收费员提交排班申请', 'Submitted a roster request on behalf of a collector'],
    body: message({ tollNo, ...asked }, askedAlso),
    reply: nothing,
  }),
  respond: call('staff.request.respond', {
    ...apply,
    post: '/api/staff/request/respond',
    does: ['答复调班或替班', 'Answered a swap or stand-in'],
    body: message({ ...Ref, accept: yes('同意', 'Agree') }, { opinion }),
    reply: nothing,
  }),
  /** Granting changes the cells and the attendance at once. */
  decide: call('staff.request.decide', {
    ...own,
    needs: 'staff:request:decide',
    writes: true,
    post: '/api/staff/request/decide',
    does: ['审批排班申请', 'Decided a roster request'],
    body: message({ ...Ref, pass: yes('通过', 'Grant') }, { opinion }),
    reply: nothing,
  }),
  withdraw: call('staff.request.withdraw', {
    ...apply,
    post: '/api/staff/request/withdraw',
    does: ['撤回排班申请', 'Withdrew a roster request'],
    body: message(Ref),
    reply: nothing,
  }),
}

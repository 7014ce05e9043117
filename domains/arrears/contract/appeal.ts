import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  account,
  among,
  dictionary,
  entity,
  id,
  instant,
  message,
  orNone,
  pictures,
  rowFields,
  telephone,
  text,
} from '../../../platform/contract/field.ts'
import { ArrearsRecord } from './file.ts'

export const AppealState = dictionary('appeal_state', ['申诉状态', 'Appeal status'], {
  waiting: [0, '待处理', 'Pending', 'warning'],
  upheld: [1, '成立', 'Upheld', 'success'],
  rejected: [2, '驳回', 'Rejected'],
  withdrawn: [3, '撤回', 'Withdrawn'],
})
/** The number of days in which a paid debt can be appealed. */
export const APPEAL_DAYS = 30
/** Somebody says that they do not owe this. Until another person has decided, nothing is demanded. */
export const Appeal = entity(['欠费申诉', 'Arrears appeal'], {
  ...rowFields<'AppealId'>(),
  /** A person who has this number can follow the appeal: it cannot be guessed. */
  appealNo: text('申诉单号', 'Appeal number', { max: 40 }),
  recordId: id<'ArrearsRecordId'>('欠费记录', 'Arrears record'),
  parkCode: ArrearsRecord.properties.parkCode,
  reason: account('申诉理由', 'Reason', { max: 500 }),
  images: orNone(pictures('图片', 'Pictures')),
  contact: telephone('联系电话', 'Phone'),
  state: among('状态', 'Status', AppealState),
  /** Null: the driver appealed by a printed code. */
  applicantId: orNone(id<'PersonId'>('登记人编号', 'Recorded by (id)')),
  applicantName: text('登记人', 'Recorded by'),
  approverName: orNone(text('处理人', 'Decided by')),
  verdict: orNone(account('处理意见', 'Decision comment', { max: 200 })),
  appliedAt: instant('申诉时间', 'Appealed at'),
  decidedAt: orNone(instant('处理时间', 'Decided at')),
})
export const appealSearch = searchOf(
  Appeal,
  { state: 'among', parkCode: 'equals', recordId: 'equals', appliedAt: 'between' },
  { sort: ['appliedAt'] },
)

const decision = message({
  id: Appeal.properties.id,
  version: Appeal.properties.version,
  verdict: text('处理意见', 'Decision comment', { max: 200 }),
})
const apply = { service: 'business', needs: 'arrears:appeal:apply', writes: true, own: true } as const
const decide = { service: 'business', needs: 'arrears:appeal:decide', writes: true, own: true } as const
export const appeal = {
  list: call('arrears.appeal.list', {
    service: 'business',
    needs: 'arrears:appeal:view',
    own: true,
    get: '/escape/appealList',
    query: paged(appealSearch),
    reply: pageOf(Appeal),
  }),
  /** `id` is the arrears record's. A paid one can be appealed for thirty days. */
  apply: call('arrears.appeal.apply', {
    ...apply,
    post: '/escape/appealApply',
    does: ['登记欠费申诉', 'Recorded an appeal'],
    body: message(
      { id: ArrearsRecord.properties.id, reason: Appeal.properties.reason, contact: Appeal.properties.contact },
      { images: pictures('图片', 'Pictures') },
    ),
    reply: Appeal,
  }),
  /** The order is void, and all that was paid goes back. */
  accept: call('arrears.appeal.accept', {
    ...decide,
    post: '/escape/appealAccept',
    does: ['认可欠费申诉', 'Upheld an appeal'],
    body: decision,
    reply: Appeal,
  }),
  reject: call('arrears.appeal.reject', {
    ...decide,
    post: '/escape/appealReject',
    does: ['驳回欠费申诉', 'Rejected an appeal'],
    body: decision,
    reply: Appeal,
  }),
}

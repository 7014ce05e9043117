import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  orNone,
  personal,
  plate,
  rowFields,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { ArrearsRecord } from './file.ts'

export const DunState = dictionary('dun_state', ['催缴状态', 'Reminder status'], {
  waiting: [0, '待发送', 'Scheduled', 'warning'],
  sent: [1, '已发送', 'Sent', 'success'],
  noContact: [2, '无联系人', 'No contact', 'warning'],
  stopped: [3, '已停止', 'Stopped'],
  notSent: [4, '未发出', 'Not sent', 'error'],
})
/** One debt that its owner was reminded of. All debts of a vehicle are one message, and one a day. */
export const Dun = entity(['催缴', 'Reminder'], {
  ...rowFields<'DunId'>(),
  recordId: id<'ArrearsRecordId'>('欠费记录', 'Arrears record'),
  parkCode: ArrearsRecord.properties.parkCode,
  plateNo: plate(),
  plateColor: ArrearsRecord.properties.plateColor,
  day: day('催缴日', 'Day'),
  step: whole('催缴阶段', 'Step', { min: 0, max: 5 }),
  amountFen: fen('催缴金额', 'Amount', { min: 1 }),
  state: among('状态', 'Status', DunState),
  dueAt: instant('应发时间', 'Scheduled for'),
  sentAt: orNone(instant('发送时间', 'Sent at')),
  contact: orNone(personal('phone', text('联系电话', 'Phone', { max: 64 }))),
  byName: text('发起人', 'By'),
})
export const dunSearch = searchOf(
  Dun,
  { plateNo: 'plate', parkCode: 'equals', state: 'among', recordId: 'equals', dueAt: 'between' },
  { sort: ['dueAt'] },
)
/** The most debts chosen at once. */
const TOGETHER_MAX = 500
const Outcome = entity({
  vehicles: whole('车辆', 'Vehicles', { min: 0 }),
  sent: whole('已发送', 'Sent', { min: 0 }),
  waiting: whole('待发送', 'Scheduled', { min: 0 }),
  noContact: whole('无联系人', 'No contact', { min: 0 }),
  notSent: whole('未发出', 'Not sent', { min: 0 }),
  /** Of these it was reminded before: one message a vehicle and day. */
  today: whole('今日已催', 'Reminded today already', { min: 0 }),
  /** Paid, appealed or let off meanwhile. */
  notOwed: whole('无可催欠费', 'Nothing to remind of', { min: 0 }),
  noPlate: whole('车牌未知', 'Plate unknown', { min: 0 }),
})
export const dun = {
  list: call('arrears.dun.list', {
    service: 'business',
    needs: 'arrears:dun:view',
    own: true,
    get: '/escape/dunList',
    query: paged(dunSearch),
    reply: pageOf(Dun),
  }),
  /** Reminds the owners of the chosen debts of all that they owe. From 21:00 to 8:00 it waits for the morning. */
  send: call('arrears.dun.send', {
    service: 'business',
    needs: 'arrears:dun:send',
    own: true,
    writes: true,
    post: '/escape/dunSend',
    does: ['发送欠费催缴', 'Sent arrears reminders'],
    body: message({ ids: listOf(ArrearsRecord.properties.id, { max: TOGETHER_MAX }) }),
    reply: Outcome,
  }),
}

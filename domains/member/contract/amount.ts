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
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { NamedLine } from '../../ledger/contract/account.ts'
import { OrderStatus } from '../../settlement/contract/order.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import type { GroupId } from './group.ts'
import type { CustomerId, PassId } from './pass.ts'
import type { CarFeesId } from './plan.ts'

export const AmountKind = dictionary('pass_payment_kind', ['缴费类型', 'Payment type'], {
  opened: [1, '开卡', 'New pass'],
  renewed: [2, '续费', 'Renewed'],
  givenBack: [3, '退卡', 'Cancelled'],
  /** A payment from before its sheet was imported: neither sold nor renewed here. */
  broughtIn: [4, '导入', 'Imported'],
})
export const MovementKind = dictionary('pass_movement_kind', ['变动类型', 'Transaction type'], {
  recharged: [1, '充值', 'Recharged'],
  refunded: [2, '退款', 'Refunded'],
  consumed: [3, '消耗', 'Consumed'],
})

const parkCode = text('车场编号', 'Car park code', { max: 16 })
const groupId = id<GroupId>('月卡类型', 'Pass type')
const memberId = id<CustomerId>('客户', 'Customer')
const figures = {
  openingFen: fen('期初余额', 'Opening balance'),
  rechargeFen: fen('充值', 'Recharged'),
  refundFen: fen('退款', 'Refunded'),
  consumedFen: fen('消耗', 'Consumed'),
  closingFen: fen('期末', 'Closing'),
}

/** One order of a pass, or one refund of it. */
export const Amount = entity({
  id: id<'PassPeriodId'>(),
  orderId: id<'OrderId'>('订单', 'Order'),
  orderNo: text('单号', 'Number', { max: 40 }),
  at: instant('时间', 'Time'),
  kind: among('缴费类型', 'Type', AmountKind),
  passId: id<PassId>('月卡', 'Pass'),
  memberId,
  customer: text('客户', 'Customer', { max: 60 }),
  phone: orNone(personal('phone', text('手机号', 'Phone', { max: 20 }))),
  plates: shaped('车牌', 'Plates', listOf(plate())),
  parkCode,
  groupId: orNone(groupId),
  groupName: orNone(text('月卡类型', 'Pass type', { max: 60 })),
  carFeesId: orNone(id<CarFeesId>('套餐', 'Plan')),
  carFeesName: orNone(text('套餐', 'Plan', { max: 60 })),
  startAt: instant('周期开始', 'From'),
  endAt: instant('周期结束', 'Until'),
  receivableFen: fen('应收', 'Receivable', { min: 0 }),
  discountFen: fen('优惠', 'Discount', { min: 0 }),
  paidFen: fen('实收', 'Paid', { min: 0 }),
  /** Of a refund's own line, so that a sum has it once. */
  refundFen: fen('退款', 'Refunded', { min: 0 }),
  /** The part of the order that was refunded. */
  returnedFen: fen('其中已退', 'Refunded of it', { min: 0 }),
  payMethod: orNone(among('支付方式', 'Payment method', PayMethod)),
  status: among('订单状态', 'Status', OrderStatus),
  operatorName: orNone(text('操作员', 'Operator')),
})
/** By one plate of the pass, any run of its characters: of the cars that it is or was on. */
export const amountSearch = searchOf(
  entity({ ...Amount.properties, plateNo: plate() }),
  {
    plateNo: 'contains',
    memberId: 'equals',
    parkCode: 'equals',
    groupId: 'equals',
    kind: 'among',
    payMethod: 'among',
    status: 'among',
    customer: 'startsWith',
    orderNo: 'equals',
    at: 'between',
  },
  { sort: ['at'] },
)
/** A day amount: earned, or to come if the pass does not rest meanwhile. */
const ScheduledDay = entity({
  seq: whole('第几日', 'Day', { min: 1 }),
  day: day('日期', 'Day'),
  amountFen: fen('日收入', 'Day’s income', { min: 0 }),
  earned: yes('已确认', 'Earned'),
})
export const AmountDetail = entity({
  ...Amount.properties,
  days: whole('总天数', 'Days', { min: 0 }),
  earnedDays: whole('已确认天数', 'Days earned', { min: 0 }),
  earnedFen: fen('已确认收入', 'Income earned', { min: 0 }),
  schedule: shaped('按日收入', 'Income by day', listOf(ScheduledDay)),
  entries: shaped('记账', 'Ledger entries', listOf(NamedLine)),
})
export const AmountSums = entity({
  orders: whole('笔数', 'Orders', { min: 0 }),
  receivableFen: Amount.properties.receivableFen,
  discountFen: Amount.properties.discountFen,
  paidFen: Amount.properties.paidFen,
  refundFen: Amount.properties.refundFen,
  netFen: fen('净收', 'Net'),
})

const month = (zh: string, en: string) => text(zh, en, { min: 7, max: 7, pattern: '^20\\d\\d-(0[1-9]|1[0-2])$' })
/** Opening + recharged − refunded − consumed = closing: sums of the ledger's own lines. */
export const ReportRow = entity({
  id: text('行', 'Row', { max: 120 }),
  month: month('月份', 'Month'),
  parkCode,
  groupId: orNone(groupId),
  groupName: orNone(text('月卡类型', 'Pass type', { max: 60 })),
  ...figures,
})
export const reportSearch = searchOf(ReportRow, { month: 'equals', parkCode: 'equals', groupId: 'equals' }, { sort: ['month'] })
export const MemberRow = entity({
  id: memberId,
  customer: text('客户', 'Customer', { max: 60 }),
  phone: orNone(personal('phone', text('手机号', 'Phone', { max: 20 }))),
  ...figures,
})
export const memberRowSearch = searchOf(MemberRow, { customer: 'startsWith' }, { sort: ['customer'], ascending: true })
export const MovementLine = entity({
  id: text('行', 'Row', { max: 80 }),
  at: instant('时间', 'Time'),
  day: day('记账日', 'Business day'),
  parkCode,
  customer: orNone(text('客户', 'Customer', { max: 60 })),
  passNo: orNone(text('月卡编号', 'Pass number', { max: 40 })),
  kind: among('变动类型', 'Type', MovementKind),
  bizNo: text('业务单号', 'Number', { max: 60 }),
  about: text('订单号', 'Order number', { max: 60 }),
  amountFen: fen('金额', 'Amount', { min: 0 }),
})
export const movementSearch = searchOf(MovementLine, { day: 'between' }, { sort: ['at'] })
const ParkFigures = entity({ parkCode, ...figures })
const Cloud = entity({ ...figures, parks: shaped('各车场', 'By car park', listOf(ParkFigures)) })
const months = { monthFrom: month('自月份', 'From month'), monthTo: month('至月份', 'To month') }

const view = { service: 'member', needs: 'member:amount:view' } as const
export const amount = {
  queryPage: call('member.amount.query-page', {
    ...view,
    post: '/member/amount/queryPage',
    body: paged(amountSearch),
    reply: pageOf(Amount),
  }),
  queryStatistics: call('member.amount.query-statistics', {
    ...view,
    post: '/member/amount/queryStatistics',
    body: paged(amountSearch),
    reply: AmountSums,
  }),
  queryDetail: call('member.amount.query-detail', {
    ...view,
    post: '/member/amount/queryDetail',
    body: message({ orderNo: Amount.properties.orderNo }),
    reply: AmountDetail,
  }),
}
export const report = {
  cloud: call('member.report.count-member-amount-info-cloud', {
    ...view,
    post: '/member/report/countMemberAmountInfoCloud',
    body: message({}, { parkCode, ...months }),
    reply: Cloud,
  }),
  detailed: call('member.report.query-member-detailed', {
    ...view,
    post: '/member/report/queryMemberDetailed',
    body: paged(memberRowSearch, { parkCode, groupId, ...months }),
    reply: pageOf(MemberRow),
  }),
  form: call('member.report.query-member-report-form', {
    ...view,
    post: '/member/report/queryMemberReportForm',
    body: paged(reportSearch, months),
    reply: pageOf(ReportRow),
  }),
  /** The lines behind one figure: of a row of the report (month, park, kind of pass) or of a customer. */
  details: call('member.report.query-member-report-details', {
    ...view,
    post: '/member/report/queryMemberReportDetails',
    body: paged(movementSearch, {
      /** A row's `id`: month, park, kind of pass. */
      row: text('行', 'Row', { max: 120, pattern: '^20\\d\\d-(0[1-9]|1[0-2])\\|[^|]{1,16}\\|([\\da-f]{8}(-[\\da-f]{4}){3}-[\\da-f]{12})?$' }),
      figure: among('数字', 'Figure', MovementKind),
      memberId,
      parkCode,
      groupId,
      ...months,
    }),
    reply: pageOf(MovementLine),
  }),
}

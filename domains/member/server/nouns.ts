import { among, anything, day, fen, id, instant, listOf, plate, shaped, text, whole, yes } from '../../../platform/contract/field.ts'
import type { Noun } from '../../../platform/server/record/nouns.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { AccessRule } from '../contract/accessRule.ts'
import { Customer, MemberCar } from '../contract/customer.ts'
import { MemberGroup } from '../contract/group.ts'
import { FreezeCause, Pass, PassStatus } from '../contract/pass.ts'
import { CarFeesTerms } from '../contract/plan.ts'
import { ListEntry, UnitQuota } from '../contract/whiteBlack.ts'

const startAt = instant('开始时间', 'From')
const endAt = instant('结束时间', 'Until')
const passId = id('月卡', 'Pass')
const parkCode = text('车场编号', 'Car park code')
const order = { orderId: id('订单', 'Order'), orderNo: text('订单号', 'Order number') }
const { periodUnit, periodCount, validType, graceDays, renewAheadDays, refundRule } = CarFeesTerms.properties

export const nouns: Noun[] = [
  { table: 'member.list', entity: ListEntry, also: { decided: whole('审核', 'Review'), byItself: yes('系统提请', 'System proposal') } },
  { table: 'member.unit_quota', label: ['单位车位', 'Unit bays'], entity: UnitQuota },
  { table: 'member.customer', entity: Customer, also: { addedIn: shaped('登记车场', 'Added in', listOf(parkCode)) } },
  { table: 'member.car_fees', entity: CarFeesTerms },
  { table: 'member.card_group', entity: MemberGroup },
  { table: 'member.access_rule', entity: AccessRule },
  {
    table: 'member.car',
    entity: MemberCar,
    also: { replacedBy: id('变更为', 'Changed to'), addedIn: shaped('登记车场', 'Added in', listOf(parkCode)) },
  },
  {
    table: 'member.pass',
    entity: Pass,
    also: {
      state: among('状态', 'Status', PassStatus),
      anchorDay: whole('月锚定日', 'Anchor day'),
      periods: whole('期数', 'Periods'),
      platesMonth: day('变更车牌的月份', 'Month of plate changes'),
      plateChanges: whole('当月变更车牌次数', 'Plate changes in it'),
      periodUnit,
      periodCount,
      validType,
      graceDays,
      renewAheadDays,
      refundRule,
    },
  },
  {
    table: 'member.pass_car',
    label: ['月卡车辆', 'Car of a pass'],
    also: {
      passId,
      plateNo: plate(),
      plateColor: among('车牌颜色', 'Plate colour', PlateColor),
      hours: text('可用时段', 'Hours'),
      startAt,
      endAt,
      held: yes('待支付占用', 'On hold for a payment'),
      orderId: order.orderId,
    },
  },
  {
    table: 'member.freeze',
    label: ['月卡冻结', 'Freeze of a pass'],
    also: {
      passId,
      fromAt: instant('冻结时间', 'From'),
      untilAt: instant('冻结至', 'Frozen until'),
      endedAt: instant('恢复时间', 'Ended at'),
      bank: yes('天数顺延', 'Days given back'),
      days: whole('顺延天数', 'Days'),
      cause: among('冻结起因', 'Cause', FreezeCause),
      reason: text('原因', 'Reason'),
      byName: text('操作员', 'Operator'),
      cars: shaped('车辆', 'Cars', listOf(anything)),
      parkCode,
    },
  },
  {
    table: 'member.period',
    label: ['月卡周期', 'Period of a pass'],
    also: {
      passId,
      memberId: id('客户', 'Customer'),
      groupId: id('月卡类型', 'Pass type'),
      carFeesId: id('套餐', 'Plan'),
      kind: whole('类型', 'Type'),
      ...order,
      startAt,
      soldFrom: instant('购买时起始日', 'First day as sold'),
      endAt,
      priceFen: fen('金额', 'Price'),
      days: whole('天数', 'Days'),
      plates: shaped('车牌', 'Plates', listOf(plate())),
      earnedDays: whole('已确认天数', 'Days earned'),
      earnedFen: fen('已确认收入', 'Earned'),
      refundFen: fen('已退', 'Refunded'),
      state: whole('状态', 'Status'),
      refundId: id('退款', 'Refund'),
      reason: text('原因', 'Reason'),
      operatorName: text('操作员', 'Operator'),
      at: instant('时间', 'Time'),
      paidAt: instant('支付时间', 'Paid at'),
      parkCode,
    },
  },
  {
    table: 'member.earning',
    label: ['月卡按日收入', 'Pass income by day'],
    also: {
      periodId: id('周期', 'Period'),
      seq: whole('第几日', 'Day'),
      passId,
      day: day('日期', 'Day'),
      amountFen: fen('金额', 'Amount'),
      parkCode,
    },
  },
]

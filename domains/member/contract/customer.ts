import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  personal,
  pick,
  plate,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { type GroupId, MemberGroup } from './group.ts'
import { CarTyped, type CustomerId, Pass, type PassId, PassOrder, PassStatus, sale, saleMore } from './pass.ts'
import { CarFees } from './plan.ts'
import { ListType } from './whiteBlack.ts'

export const CustomerKind = dictionary('customer_kind', ['客户类型', 'Customer type'], {
  person: [1, '个人', 'Person'],
  company: [2, '单位', 'Company'],
})
export const CustomerStatus = dictionary('customer_status', ['客户状态', 'Customer status'], {
  normal: [1, '正常', 'Normal', 'success'],
  stopped: [2, '停用', 'Stopped', 'warning'],
})

const fields = {
  name: text('姓名', 'Name', { max: 60 }),
  phone: orNone(personal('phone', text('手机号', 'Phone', { max: 20, pattern: '^[0-9+*][0-9 *-]{5,19}$' }))),
  kind: among('客户类型', 'Type', CustomerKind),
  certNo: orNone(personal('document', text('证件号', 'ID number', { max: 30 }))),
  address: orNone(text('地址', 'Address', { max: 200 })),
  status: among('客户状态', 'Customer status', CustomerStatus),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
}
/** A person or a company that holds passes. A stopped customer is sold nothing more; their passes run on. */
export const Customer = entity(['月卡客户', 'Customer'], { ...rowFields<CustomerId>(), ...fields })
export const CustomerLine = entity({
  ...Customer.properties,
  groups: shaped('月卡类型', 'Pass types', listOf(text('月卡类型', 'Type', { max: 60 }))),
  plates: shaped('车牌', 'Plates', listOf(plate())),
  passes: whole('月卡数', 'Passes', { min: 0 }),
  endAt: orNone(instant('到期时间', 'Ends')),
  daysLeft: orNone(whole('剩余天数', 'Days left')),
  /** A pass of theirs is being given back: its refund waits. */
  refunding: yes('退卡中', 'Being cancelled'),
})
/** Passes that one car is put on at once. */
const PASSES_MOST = 100
export const customerSearch = searchOf(
  CustomerLine,
  { name: 'startsWith', phone: 'equals', kind: 'among', status: 'among', endAt: 'between' },
  { sort: ['createdAt'] },
)
/** Of its cars and passes rather than of itself. */
export const customerExtra = {
  plateNo: plate(),
  groupId: id<GroupId>('月卡类型', 'Pass type'),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  passStatus: among('月卡状态', 'Pass status', PassStatus),
  listType: among('名单', 'List', ListType),
}
/** A customer's car, with the passes that it is on. Closed: another plate has taken its place, or it was taken off. */
export const MemberCar = entity(['客户车辆', 'Car of a customer'], {
  ...rowFields<'MemberCarId'>(),
  memberId: id<CustomerId>('客户', 'Customer'),
  plateNo: plate(),
  plateColor: orNone(among('车牌颜色', 'Plate colour', PlateColor)),
  closedAt: orNone(instant('停用时间', 'Ended at')),
  passIds: shaped('月卡', 'Passes', listOf(id<PassId>('月卡', 'Pass'))),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const CustomerDetail = entity({
  ...CustomerLine.properties,
  cars: shaped('车辆', 'Cars', listOf(MemberCar)),
  held: shaped('月卡', 'Passes', listOf(Pass)),
})
/** The reader sees some parks only, so what is counted is theirs. */
const limited = yes('仅含您的车场', 'Your parks only')
export const CustomerFigures = entity({
  limited,
  customers: whole('客户', 'Customers', { min: 0 }),
  valid: whole('有效', 'Valid', { min: 0 }),
  ending: whole('7 日内到期', 'Ending within 7 days', { min: 0 }),
  expired: whole('过期', 'Expired', { min: 0 }),
  frozen: whole('冻结', 'Frozen', { min: 0 }),
  underReview: whole('待审', 'Pending review', { min: 0 }),
  toPay: whole('待付', 'To pay', { min: 0 }),
})
export const Today = entity({
  limited,
  sold: whole('今日开卡', 'Sold today', { min: 0 }),
  renewed: whole('今日续费', 'Renewed today', { min: 0 }),
  refunded: whole('今日退卡', 'Cancelled today', { min: 0 }),
  expired: whole('今日到期', 'Ended today', { min: 0 }),
  /** Money taken today; an import's payments were taken earlier and do not count. */
  netFen: fen('今日净收', 'Net today'),
  customers: whole('客户总数', 'Customers', { min: 0 }),
  /** Those that are frozen too. */
  passes: whole('有效和冻结的月卡', 'Valid and frozen passes', { min: 0 }),
  cars: whole('车辆数', 'Cars', { min: 0 }),
  totalNetFen: fen('累计净收', 'Total net'),
  deferredFen: fen('待确认收入', 'Deferred'),
})
const OnSale = entity({
  ...pick(MemberGroup, 'id', 'name', 'type', 'parkCodes', 'homePark', 'maxCars', 'review', 'defaultId').properties,
  plans: shaped('套餐', 'Plans', listOf(CarFees)),
  placesLeft: orNone(whole('剩余名额', 'Places left')),
})

export const HistoryKind = dictionary('customer_history_kind', ['客户经过', 'Event of a customer'], {
  sold: [1, '开卡', 'Pass sold', 'success'],
  renewed: [2, '续费', 'Renewed', 'success'],
  free: [3, '免费延期', 'Free days'],
  broughtIn: [4, '导入', 'Imported'],
  refunded: [5, '退款', 'Refunded', 'warning'],
  frozen: [6, '冻结', 'Frozen', 'warning'],
  restarted: [7, '恢复', 'Restarted'],
  carAdded: [8, '新增车辆', 'Car added'],
  plateChanged: [9, '车牌变更', 'Plate changed'],
  carRemoved: [10, '移除车辆', 'Car removed'],
})
/** An event of a customer's passes and cars; a payment says how, to whom and for which time, as a receipt does. */
export const HistoryLine = entity({
  at: instant('时间', 'Time'),
  kind: among('经过', 'Event', HistoryKind),
  passNo: orNone(text('月卡号', 'Pass number', { max: 40 })),
  groupName: orNone(text('月卡类型', 'Pass type', { max: 60 })),
  plates: shaped('车牌', 'Plates', listOf(plate())),
  newPlateNo: orNone(plate()),
  fromAt: orNone(instant('开始', 'From')),
  toAt: orNone(instant('结束', 'Until')),
  amountFen: orNone(fen('金额', 'Amount')),
  payMethod: orNone(among('支付方式', 'Payment method', PayMethod)),
  orderNo: orNone(text('单号', 'Number', { max: 40 })),
  parkCode: orNone(text('车场编号', 'Park code', { max: 16 })),
  reason: orNone(text('原因', 'Reason', { max: 200 })),
  byName: orNone(text('经办人', 'By', { max: 60 })),
})

const edit = { service: 'member', needs: 'member:customer:edit', writes: true } as const
const view = { service: 'member', needs: 'member:customer:view' } as const
const OneCar = pick(MemberCar, 'id', 'version')
const more = { phone: fields.phone, kind: fields.kind, certNo: fields.certNo, address: fields.address, remark: fields.remark }
const plateColor = among('车牌颜色', 'Plate colour', PlateColor)
/** Being on the black list does not keep a car off a pass; it is said. */
const warned = message({ id: MemberCar.properties.id, warning: orNone(text('提示', 'Warning', { max: 200 })) })
const base = '/member/custom'
export const customer = {
  queryPage: call('member.customer.query-page', {
    ...view,
    post: `${base}/queryPage`,
    body: paged(customerSearch, customerExtra),
    reply: pageOf(CustomerLine),
  }),
  queryStatistics: call('member.customer.query-statistics', {
    ...view,
    post: `${base}/queryStatistics`,
    body: message({}, { parkCode: customerExtra.parkCode }),
    reply: CustomerFigures,
  }),
  /** Kinds of pass that are sold, with their plans and places left. */
  getMemberGroup: call('member.customer.get-member-group', {
    ...view,
    post: `${base}/getMemberGroup`,
    body: message({}, { parkCode: customerExtra.parkCode }),
    reply: listOf(OnSale),
  }),
  detail: call('member.customer.detail', { ...view, own: true, get: `${base}/detail`, query: pick(Customer, 'id'), reply: CustomerDetail }),
  /** The newest first. */
  history: call('member.customer.history', { ...view, own: true, get: `${base}/history`, query: pick(Customer, 'id'), reply: listOf(HistoryLine) }),
  /** With `pass` it sells one at once; with cars alone they stand on record. */
  insert: call('member.customer.insert', {
    ...edit,
    post: `${base}/insertMember`,
    does: ['新增月卡客户', 'Added a customer'],
    body: message(
      { name: fields.name },
      { ...more, cars: shaped('车辆', 'Cars', listOf(CarTyped, { max: 50 })), pass: shaped('月卡', 'Pass', message(sale, saleMore)) },
    ),
    reply: message({ id: Customer.properties.id, order: orNone(shaped('订单', 'Order', PassOrder)) }),
  }),
  update: call('member.customer.update', {
    ...edit,
    post: `${base}/updateMember`,
    does: ['修改月卡客户', 'Changed a customer'],
    body: message(pick(Customer, 'id', 'version').properties, { name: fields.name, ...more, status: fields.status }),
    reply: Customer,
  }),
}
export const car = {
  query: call('member.car.query', {
    ...view,
    post: `${base}/queryMemberCar`,
    body: message({ memberId: MemberCar.properties.memberId }),
    reply: listOf(MemberCar),
  }),
  insert: call('member.car.insert', {
    ...edit,
    post: `${base}/insertMemberCarId`,
    does: ['新增客户车辆', 'Added a car to a customer'],
    body: message(
      { memberId: MemberCar.properties.memberId, plateNo: plate() },
      {
        plateColor,
        passIds: shaped('月卡', 'Passes', listOf(id<PassId>('月卡', 'Pass'), { max: PASSES_MOST })),
        remark: text('备注', 'Remark', { max: 500 }),
      },
    ),
    reply: warned,
  }),
  /** Another plate is a change of plate (车牌变更): the old row closes, and past stays keep it. */
  update: call('member.car.update', {
    ...edit,
    post: `${base}/updateMemberCarId`,
    does: ['变更客户车辆', 'Changed a customer’s car'],
    body: message(OneCar.properties, { plateNo: plate(), plateColor, remark: MemberCar.properties.remark }),
    reply: warned,
  }),
  /** Off one pass, or with none named off all of them and off the record. */
  delete: call('member.car.delete', {
    ...edit,
    post: `${base}/deleteMemberCarId`,
    does: ['移除客户车辆', 'Removed a customer’s car'],
    body: message(OneCar.properties, { passId: id<PassId>('月卡', 'Pass') }),
    reply: nothing,
  }),
}
export const business = {
  todayAndTotal: call('member.business.today-and-total', {
    service: 'member',
    needs: 'member:customer:view',
    post: '/member/business/todayAndTotal',
    body: message({}, { parkCode: customerExtra.parkCode }),
    reply: Today,
  }),
}

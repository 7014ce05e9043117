import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  day,
  edge,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  personal,
  plate,
  shaped,
  text,
  whole,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { exportOf, importOf, parkName } from '../../../platform/contract/sheet.ts'
import { amount, Amount } from './amount.ts'
import { customer, CustomerKind } from './customer.ts'
import type { GroupId } from './group.ts'
import { Pass } from './pass.ts'
import { BlackAction, BlackReason, whiteBlack, WhiteKind, WhiteReason } from './whiteBlack.ts'

const plateColor = among('颜色', 'Colour', PlateColor)
const remark = text('备注', 'Remark', { max: 500 })
const phone = personal('phone', text('手机', 'Phone', { max: 20, pattern: '^[0-9+*][0-9 *-]{5,19}$' }))
const park = text('车场', 'Car park', { max: 60 })
/** A row is a pass; rows of one phone are one customer's. Several plates stand in one cell, commas between. */
export const MemberRow = message(
  {
    name: text('姓名', 'Name', { max: 60 }),
    phone,
    plateNo: shaped('车牌', 'Plate', listOf(personal('plate', text('车牌', 'Plate', { max: 500 })), { max: 50 })),
    groupName: text('月卡类型', 'Pass type', { max: 60 }),
    startAt: day('开始', 'From'),
    /** The last day. */
    endAt: day('结束', 'Until'),
  },
  {
    kind: among('类型', 'Type', CustomerKind),
    certNo: personal('document', text('证件号', 'ID number', { max: 30 })),
    address: text('地址', 'Address', { max: 200 }),
    plateColor,
    parkName: park,
    carFeesName: text('套餐', 'Plan', { max: 60 }),
    seats: whole('车位数', 'Bays', { min: 1, max: 50 }),
    seatCode: text('固定车位', 'Assigned bay', { max: 24 }),
    paidFen: fen('实收', 'Paid', { min: 0 }),
    remark,
  },
)
const list = {
  plateNo: plate('车牌', 'Plate'),
  startAt: edge(instant('开始', 'From'), 'first'),
}
const listMore = {
  plateColor,
  parkName: park,
  /** A day alone is the last one. */
  endAt: edge(instant('结束', 'Until'), 'last'),
  holder: text('持有人', 'Holder', { max: 60 }),
  phone,
  unit: text('单位', 'Unit', { max: 60 }),
  remark,
}
export const WhiteRow = message(
  { ...list, reason: text('原因', 'Reason', { max: 20 }) },
  {
    whiteKind: among('类型', 'Type', WhiteKind),
    freeMinPerDay: whole('每日免费时长', 'Free time per day', { unit: 'minute', min: 1, max: 1440 }),
    ...listMore,
  },
)
export const BlackRow = message(
  { ...list, reason: text('原因', 'Reason', { max: 20 }) },
  { action: among('处理', 'Action', BlackAction), ...listMore },
)

/** As the import calls them, so that what was written is read again. */
const listed = [
  { name: 'plateNo', field: list.plateNo },
  { name: 'plateColor', field: plateColor },
  parkName,
  { name: 'startAt', field: instant('开始', 'From') },
  { name: 'endAt', field: instant('结束', 'Until') },
] as const
const whose = ['holder', { name: 'phone', field: phone }, 'unit'] as const

/** Per day, park, kind of pass and plan. */
export const RechargeRow = entity({
  id: text('行', 'Row', { max: 120 }),
  day: day('日期', 'Day'),
  parkCode: Amount.properties.parkCode,
  groupName: Amount.properties.groupName,
  carFeesName: Amount.properties.carFeesName,
  orders: whole('笔数', 'Orders', { min: 0 }),
  paidFen: Amount.properties.paidFen,
  refundFen: Amount.properties.refundFen,
  netFen: fen('净收', 'Net'),
})
const rechargeSearch = searchOf(RechargeRow, { day: 'between', parkCode: 'equals' }, { sort: ['day'] })
const view = { service: 'member', needs: 'member:amount:view' } as const
const recharges = call('member.amount.recharges', {
  ...view,
  own: true,
  post: '/member/amount/recharges',
  body: paged(rechargeSearch),
  reply: pageOf(RechargeRow),
})
const moneyWith = (back: unknown) =>
  [
    'orderNo',
    'at',
    'customer',
    { name: 'plates' as const },
    'parkCode',
    parkName,
    'groupName',
    'carFeesName',
    'kind',
    'startAt',
    'endAt',
    'receivableFen',
    'discountFen',
    'paidFen',
    back,
    'payMethod',
    'status',
    'operatorName',
  ] as never[]

const money = { service: 'member', needs: 'member:amount:export' } as const
const sheets = { service: 'member', needs: 'member:customer:import' } as const
const lists = { service: 'member', needs: 'member:list:import' } as const
const listExport = { service: 'member', needs: 'member:list:export' } as const
export const memberSheet = {
  import: importOf('member.excel.import-member', {
    ...sheets,
    post: '/member/excel/importMember2',
    title: ['月卡客户', 'Customers with passes'],
    row: MemberRow,
    note: [
      '一行一张月卡，同一手机号为同一客户；多个车牌用顿号或逗号隔开。实收填未消耗的金额，按「其他」方式入账；留空不入账。',
      'One row per pass; rows with the same phone are one customer. Separate several plates with commas. “Paid” is the amount not yet used up, booked with payment method Other; empty books nothing.',
    ],
    may: { groupId: id<GroupId>('月卡类型', 'Pass type'), parkCode: text('车场编号', 'Car park code', { max: 16 }) },
  }),
  importWhite: importOf('member.excel.import-white', {
    ...lists,
    post: '/member/excel/importWhite2',
    title: ['白名单', 'White list'],
    row: WhiteRow,
  }),
  importBlack: importOf('member.excel.import-black', {
    ...lists,
    post: '/member/excel/importBlack2',
    title: ['黑名单', 'Black list'],
    row: BlackRow,
  }),
  export: exportOf('member.excel.export-member', {
    service: 'member',
    needs: 'member:customer:export',
    get: '/member/excel/exportMember2',
    title: ['月卡客户', 'Customers with passes'],
    query: customer.queryPage,
    columns: [
      'name',
      { name: 'phone', field: phone },
      { name: 'kind', field: among('类型', 'Type', CustomerKind) },
      'certNo',
      'address',
      { name: 'plateNo', field: text('车牌', 'Plate') },
      { name: 'plateColor', field: plateColor },
      { name: 'parkName', field: park },
      { name: 'groupName', field: text('月卡类型', 'Pass type') },
      { name: 'carFeesName', field: text('套餐', 'Plan') },
      { name: 'seats', field: Pass.properties.seats },
      { name: 'seatCode', field: text('固定车位', 'Assigned bay') },
      { name: 'startAt', field: day('开始', 'From') },
      { name: 'endAt', field: day('结束', 'Until') },
      { name: 'paidFen', field: fen('实收', 'Paid', { min: 0 }) },
      { name: 'passStatus', field: Pass.properties.status },
      'remark',
    ],
  }),
  exportWhite: exportOf('member.excel.export-white', {
    ...listExport,
    get: '/member/excel/exportWhite2',
    title: ['白名单', 'White list'],
    query: whiteBlack.queryPage,
    columns: [
      ...listed,
      { name: 'reasonType', field: among('原因', 'Reason', WhiteReason) },
      'whiteKind',
      ...whose,
      'freeMinPerDay',
      'status',
      'remark',
    ],
  }),
  exportBlack: exportOf('member.excel.export-black', {
    ...listExport,
    get: '/member/excel/exportBlack2',
    title: ['黑名单', 'Black list'],
    query: whiteBlack.queryPage,
    columns: [...listed, { name: 'reasonType', field: among('原因', 'Reason', BlackReason) }, 'action', ...whose, 'status', 'remark'],
  }),
  exportAmount: exportOf('member.excel.export-amount', {
    ...money,
    get: '/member/excel/exportAmount2',
    title: ['月卡缴费', 'Pass payments'],
    query: amount.queryPage,
    columns: moneyWith('refundFen'),
  }),
  recharges,
  exportRecharge: exportOf('member.excel.export-recharge', {
    ...money,
    get: '/member/excel/exportRecharge2',
    title: ['月卡充值', 'Pass recharges'],
    query: recharges,
    columns: ['day', 'parkCode', parkName, 'groupName', 'carFeesName', 'orders', 'paidFen', 'refundFen', 'netFen'],
  }),
  exportRechargeDetail: exportOf('member.excel.export-recharge-detail', {
    ...money,
    get: '/member/excel/exportRechargeDetail2',
    title: ['月卡充值明细', 'Orders of pass recharges'],
    query: amount.queryPage,
    columns: moneyWith({ name: 'returnedFen', field: Amount.properties.refundFen }),
  }),
}

import { call, paged, pageOf, PAGE, searchOf } from '../../../platform/contract/call.ts'
import { among, day, entity, fen, id, instant, listOf, message, orNone, permille, shaped, text, whole } from '../../../platform/contract/field.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { ShiftState } from '../../settlement/contract/shift.ts'
import { TollType, tollNo } from './collector.ts'

const money = {
  orders: whole('笔数', 'Receipts', { min: 0 }),
  receivableFen: fen('应收', 'Receivable'),
  paidFen: fen('实收', 'Paid'),
  cashFen: fen('现金', 'Cash'),
  scanFen: fen('扫码', 'QR code'),
  refundFen: fen('退款', 'Refunded'),
  netFen: fen('净收', 'Net'),
}
const parkCode = text('车场编号', 'Car park code', { max: 16 })
const name = text('姓名', 'Name', { max: 40 })
/** The money that one person took in all cash shifts of some days. */
export const Taken = entity({
  tollNo: orNone(tollNo),
  name,
  ...money,
  payRate: orNone(permille('实收率', 'Collection rate')),
  shifts: whole('收银班次数', 'Cash shifts', { min: 0 }),
})
/** One cash shift (收银班次) with its collector. */
export const Till = entity({
  id: id<'ShiftId'>(),
  shiftNo: text('收银班次号', 'Cash shift', { max: 40 }),
  tollNo: orNone(tollNo),
  name,
  /** Null: the keeper of the till is no field staff, a clerk of the lettings for example. */
  tollType: orNone(among('人员类型', 'Type', TollType)),
  parkCode: orNone(parkCode),
  workDate: day('日期', 'Day'),
  state: among('状态', 'Status', ShiftState),
  openedAt: instant('开班', 'Opened'),
  closedAt: orNone(instant('结班', 'Closed')),
  /** Of the whole till, like the count: null for a reader who sees only a part of its cash. */
  openingFloatFen: orNone(fen('备用金', 'Opening float')),
  ...money,
  cashInFen: fen('现金收入', 'Cash in'),
  cashOutFen: fen('现金退款', 'Cash out'),
  expectedFen: orNone(fen('应有现金', 'Cash expected')),
  depositFen: fen('已上缴', 'Deposited'),
  overFen: fen('多收', 'Taken above what was due'),
  underFen: fen('少收', 'Undercharged'),
  countedFen: orNone(fen('实点现金', 'Counted')),
  differenceFen: orNone(fen('差异', 'Difference')),
  openFen: orNone(fen('未核验差异', 'Open difference')),
  lateFen: orNone(fen('迟到收款', 'Late receipts')),
  version: whole('版本', 'Version'),
  personId: id<'PersonId'>('收费员编号', 'Cashier (id)'),
  takerId: orNone(id<'PersonId'>('接班人编号', 'Taken over by (id)')),
  takenAt: orNone(instant('接班时间', 'Taken over at')),
  settledById: orNone(id<'PersonId'>('处理人编号', 'Settled by (id)')),
})
export const tillSearch = searchOf(
  Till,
  { workDate: 'between', tollNo: 'among', tollType: 'among', parkCode: 'equals', state: 'among', shiftNo: 'startsWith' },
  { sort: ['openedAt'] },
)
const tollNos = shaped('工号', 'Staff numbers', listOf(tollNo, { max: 200 }))
const view = { service: 'business', needs: 'staff:money:view' } as const
export const SUMS = ['orders', 'receivableFen', 'paidFen', 'cashFen', 'scanFen', 'refundFen', 'netFen'] as const

const shifts = call('staff.toll.toll-fee-statistic3', {
  ...view,
  get: '/api/staff/toll/tollFeeStatistic3',
  query: paged(tillSearch, { tollNos }),
  reply: pageOf(Till),
})
export const till = {
  /** Returns the takings by person, the highest first. */
  people: call('staff.toll.toll-fee-statistic2', {
    ...view,
    get: '/api/staff/toll/tollFeeStatistic2',
    query: message({}, { workDateFrom: day('自', 'From'), workDateTo: day('至', 'To'), tollNos, parkCode, ...PAGE }),
    reply: pageOf(Taken),
  }),
  /** By cash shift. */
  shifts,
  shiftsExport: exportOf('staff.toll.shift-export', {
    ...view,
    own: true,
    get: '/api/staff/toll/shiftExport',
    title: ['收银班次', 'Cash shifts'],
    query: shifts,
    columns: [
      'shiftNo',
      'workDate',
      'tollNo',
      'name',
      'tollType',
      'parkCode',
      parkName,
      'state',
      'openedAt',
      'closedAt',
      'orders',
      'receivableFen',
      'paidFen',
      'cashFen',
      'scanFen',
      'refundFen',
      'netFen',
      'openingFloatFen',
      'cashInFen',
      'cashOutFen',
      'depositFen',
      'overFen',
      'underFen',
      'expectedFen',
      'countedFen',
      'differenceFen',
      'openFen',
      'lateFen',
    ],
  }),
}

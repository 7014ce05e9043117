import { call, PAGE, paged, pageOf } from '../../../platform/contract/call.ts'
import { day, entity, fen, message, text, whole } from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { Income } from './analysis.ts'
import { Bill, billSearch } from './money.ts'
import { SPAN, WHERE } from './span.ts'

const { receivableFen, discountFen, paidFen, waivedFen, arrearsFen, partnerFen, refundFen } = Income.properties
/** A day of a station's money: what stood as prepaid, what came and went of it, and what the day's bills came to. open + in − captured − released = close. */
export const FinanceRow = entity({
  day: day('日期', 'Day'),
  stationId: WHERE.stationId,
  name: text('充电站', 'Station', { max: 64 }),
  openFen: fen('期初预付', 'Opening prepayments'),
  inFen: fen('收预付', 'Prepayments received'),
  capturedFen: fen('预付结算', 'Captured'),
  releasedFen: fen('退预付', 'Released'),
  closeFen: fen('期末预付', 'Closing prepayments'),
  ...{ receivableFen, discountFen, paidFen, waivedFen, arrearsFen, partnerFen, refundFen },
})
export const BillSums = entity({
  count: whole('账单数', 'Bills', { min: 0 }),
  ...Income.properties,
})
const view = { service: 'charging', needs: 'charging:finance:view' } as const
const queryFinance = call('charging.finance.query-finance', {
  ...view,
  post: '/finance/queryFinance',
  body: message(SPAN, { ...WHERE, ...PAGE }),
  reply: pageOf(FinanceRow),
})
/** The bills behind the figures. */
const queryChargeOrder = call('charging.finance.query-charge-order', {
  ...view,
  post: '/finance/queryChargeOrder',
  body: paged(billSearch),
  reply: pageOf(Bill),
})
export const finance = {
  queryFinance,
  queryFinanceExport: exportOf('charging.finance.query-finance-export', {
    ...view,
    post: '/finance/queryFinanceExport',
    title: ['充电财务日报', 'Daily charging finance'],
    query: queryFinance,
    columns: [
      'day',
      'stationId',
      'name',
      'openFen',
      'inFen',
      'capturedFen',
      'releasedFen',
      'closeFen',
      'receivableFen',
      'discountFen',
      'paidFen',
      'waivedFen',
      'arrearsFen',
      'partnerFen',
      'refundFen',
    ],
  }),
  queryChargeOrder,
  queryChargeOrderSum: call('charging.finance.query-charge-order-sum', {
    ...view,
    post: '/finance/queryChargeOrderSum',
    body: paged(billSearch),
    reply: BillSums,
  }),
  queryChargeOrderExport: exportOf('charging.finance.query-charge-order-export', {
    ...view,
    post: '/finance/queryChargeOrderExport',
    title: ['充电账单', 'Charging bills'],
    query: queryChargeOrder,
    columns: [
      'billNo',
      'orderNo',
      'stationId',
      'kind',
      'finalAt',
      'energyWh',
      'elecFen',
      'serviceFen',
      'occupyFen',
      'adjustFen',
      'discountFen',
      'payableFen',
      'capturedFen',
      'waivedFen',
      'partnerFen',
      'arrearsFen',
      'paidBy',
      'discountName',
    ],
  }),
}

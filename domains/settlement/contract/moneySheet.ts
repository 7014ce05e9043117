import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { order } from './order.ts'
import { channelInWords } from './payment.ts'
import { report } from './report.ts'

const FIGURES = ['orders', 'receivableFen', 'discountFen', 'paidFen', 'waivedFen', 'arrearsFen', 'refundFen', 'netFen'] as const

/** Orders and the reports over them as sheets. */
export const moneySheet = {
  orders: exportOf('settlement.order.export', {
    service: 'business',
    get: '/order/export',
    needs: order.list.needs,
    title: ['支付订单', 'Orders'],
    query: order.list,
    columns: [
      'orderNo',
      'type',
      'plateNo',
      'parkCode',
      parkName,
      'receivableFen',
      'discountFen',
      'payableFen',
      'paidFen',
      'waivedFen',
      'refundFen',
      'arrearsFen',
      'status',
      'payMethod',
      'payTime',
      'tradeNo',
      'operatorName',
      'createdAt',
      'remark',
    ],
  }),
  income: exportOf('settlement.report.temporary-stop-export', {
    service: 'fee',
    get: '/report/temporaryStopExport',
    needs: report.temporaryStop.needs,
    title: ['临停收入', 'Temporary parking income'],
    query: report.temporaryStop,
    columns: ['day', 'parkCode', parkName, ...FIGURES],
  }),
  details: exportOf('settlement.report.temporary-stop-details-export', {
    service: 'fee',
    get: '/report/temporaryStopDetailsExport',
    needs: report.details.needs,
    title: ['临停收入明细', 'Temporary parking payments'],
    query: report.details,
    columns: [
      'orderNo',
      'plateNo',
      'parkCode',
      parkName,
      'payNo',
      'payMethod',
      channelInWords,
      'tradeNo',
      'receivableFen',
      'discountFen',
      'receivedFen',
      'refundFen',
      'state',
      'paidAt',
      'operatorName',
    ],
  }),
  parks: exportOf('settlement.report.park-statistics-report-export', {
    service: 'fee',
    get: '/report/parkStatisticsReportExport',
    needs: report.parks.needs,
    title: ['车场收入统计', 'Income by car park'],
    query: report.parks,
    columns: ['parkCode', parkName, ...FIGURES, 'wechatFen', 'alipayFen', 'cashFen', 'otherFen'],
  }),
}

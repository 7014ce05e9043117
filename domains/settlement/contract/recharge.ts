import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import { account, among, dictionary, entity, fen, id, instant, orNone, text, whole } from '../../../platform/contract/field.ts'
import { exportOf, parkName } from '../../../platform/contract/sheet.ts'
import { PayMethod } from './payment.ts'

export const RechargeKind = dictionary('recharge_kind', ['充值类型', 'Recharge type'], {
  newPass: [1, '月卡新办', 'New pass'],
  renewal: [2, '月卡续费', 'Pass renewed'],
  stored: [3, '储值', 'Stored value'],
  parkCard: [4, '储值卡', 'Park card'],
  /** Of a pass that a sheet brought in: paid before, neither sold nor renewed here. */
  broughtIn: [5, '月卡导入', 'Pass imported'],
})
const GROUPS = ['day', 'month', 'park', 'group'] as const
export type GroupBy = (typeof GROUPS)[number]

const money = {
  payFen: fen('充值金额', 'Paid'),
  bonusFen: fen('赠送', 'Bonus'),
  refundFen: fen('退款', 'Refunded'),
  netFen: fen('净收', 'Net'),
  recognisedFen: fen('已确认收入', 'Recognised'),
  deferredFen: fen('递延收入', 'Deferred'),
}
/** Money taken ahead: a pass sold or renewed, stored value. The figures are the ledger's about its order; 净收 = 已确认 + 递延 of passes. */
export const Recharge = entity(['充值', 'Recharge'], {
  id: id<'OrderId'>(),
  rechargeNo: text('充值单号', 'Recharge number', { max: 40 }),
  bizType: among('类型', 'Type', RechargeKind),
  plates: orNone(account('车牌', 'Plates', { max: 200 })),
  memberName: orNone(text('客户', 'Customer', { max: 64 })),
  groupName: orNone(text('月卡类型', 'Pass type', { max: 64 })),
  parkCode: text('车场编号', 'Car park code', { min: 0, max: 16 }),
  ...money,
  payMethod: orNone(among('支付方式', 'Payment method', PayMethod)),
  periodFrom: orNone(instant('有效期自', 'Valid from')),
  periodTo: orNone(instant('有效期至', 'Valid until')),
  paidAt: instant('支付时间', 'Paid at'),
})
export const rechargeSearch = searchOf(
  Recharge,
  { bizType: 'among', parkCode: 'equals', groupName: 'equals', payMethod: 'among', rechargeNo: 'equals', paidAt: 'between' },
  { sort: ['paidAt'] },
)
/** Recharges of one day, month, park or group. */
export const RechargeSum = entity({
  id: text('编号', 'Id', { min: 0, max: 64 }),
  period: orNone(text('日期', 'Period', { max: 10 })),
  parkCode: orNone(Recharge.properties.parkCode),
  groupName: Recharge.properties.groupName,
  newCount: whole('新办笔数', 'New'),
  renewCount: whole('续费笔数', 'Renewed'),
  broughtInCount: whole('导入笔数', 'Imported'),
  ...money,
})
const view = { service: 'fee', needs: 'settlement:report:view' } as const
const list = call('settlement.report.recharge', { ...view, get: '/report/recharge', query: paged(rechargeSearch), reply: pageOf(Recharge) })
const statistics = call('settlement.report.recharge-statistics', {
  ...view,
  get: '/report/rechargeStatistics',
  query: paged(rechargeSearch, { groupBy: text('统计方式', 'Grouped by', { pattern: `^(${GROUPS.join('|')})$` }) }),
  reply: pageOf(RechargeSum),
})
export const recharge = { list, statistics }
export const rechargeSheet = {
  listExport: exportOf('settlement.report.recharge-export', {
    ...view,
    get: '/report/rechargeExport',
    title: ['充值记录', 'Recharges'],
    query: list,
    columns: [
      'rechargeNo',
      'bizType',
      'plates',
      'memberName',
      'groupName',
      'parkCode',
      parkName,
      'payFen',
      'bonusFen',
      'refundFen',
      'netFen',
      'payMethod',
      'periodFrom',
      'periodTo',
      'paidAt',
    ],
  }),
  statisticsExport: exportOf('settlement.report.recharge-statistics-export', {
    ...view,
    get: '/report/rechargeStatisticsExport',
    title: ['充值统计', 'Recharge summary'],
    query: statistics,
    columns: [
      'period',
      'parkCode',
      'groupName',
      'newCount',
      'renewCount',
      'broughtInCount',
      'payFen',
      'bonusFen',
      'refundFen',
      'netFen',
      'recognisedFen',
      'deferredFen',
    ],
  }),
}

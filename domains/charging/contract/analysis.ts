import { call, PAGE, pageOf } from '../../../platform/contract/call.ts'
import { entity, fen, listOf, message, orNone, permille, shaped, text, whole } from '../../../platform/contract/field.ts'
import { exportOf } from '../../../platform/contract/sheet.ts'
import { HOW, SPAN, WHERE } from './span.ts'
import { wattHours } from './units.ts'

const n = (zh: string, en: string) => whole(zh, en, { min: 0 })
const min = (zh: string, en: string) => whole(zh, en, { unit: 'minute', min: 0 })
const watts = (zh: string, en: string) => orNone(whole(zh, en, { unit: 'watt', min: 0 }))
const key = text('分组', 'Group', { max: 24 })
const name = text('名称', 'Name', { max: 64 })
/** By how much more or less than the other time, in thousandths of that; none where there was nothing. */
const ratio = orNone(whole('变化', 'Change', { unit: 'permille' }))

/** What final bills add up to. receivable = elec + service + occupy + adjust = discount + paid + waived + arrears + partner. */
export const Income = entity({
  orders: n('订单数', 'Sessions'),
  billedWh: wattHours('计费电量', 'Billed energy'),
  elecFen: fen('电费', 'Electricity'),
  serviceFen: fen('服务费', 'Service'),
  occupyFen: fen('占位费', 'Idle fee'),
  adjustFen: fen('调整', 'Adjustments'),
  receivableFen: fen('应收', 'Receivable'),
  discountFen: fen('优惠', 'Discount'),
  paidFen: fen('实收', 'Paid'),
  waivedFen: fen('减免', 'Waived'),
  arrearsFen: fen('欠费', 'Arrears'),
  partnerFen: fen('平台应收', 'Partner receivable'),
  refundFen: fen('退款', 'Refunded'),
  netFen: fen('净收', 'Net'),
})
export const IncomeRow = entity({ key, name, ...Income.properties, prevReceivableFen: orNone(fen('对比应收', 'Prior receivable')), ratio })
const Best = entity({ stationId: WHERE.stationId, name, receivableFen: Income.properties.receivableFen, billedWh: Income.properties.billedWh })

/** How a station was used. */
export const Operation = entity({
  stationId: WHERE.stationId,
  name,
  connectors: n('充电枪数', 'Connectors'),
  inUseMin: min('投用时长', 'Time in service'),
  chargingMin: min('充电时长', 'Charging time'),
  timeUse: orNone(permille('时间利用率', 'Time utilisation')),
  powerUse: orNone(permille('功率利用率', 'Power utilisation')),
  sessions: n('充电次数', 'Charging sessions'),
  deliveredWh: wattHours('充电量', 'Energy delivered'),
  sessionsPerDay: orNone(whole('单枪日均次数', 'Sessions per connector per day', { unit: 'tenth', min: 0 })),
  whPerDay: orNone(wattHours('单枪日均电量', 'Daily energy per connector')),
  avgMin: orNone(min('平均时长（已结束）', 'Average duration (ended)')),
  startRate: orNone(permille('启动成功率', 'Start success rate')),
  onlineRate: orNone(permille('在线率', 'Online rate')),
})

const Cell = entity({
  weekday: whole('星期', 'Weekday', { min: 1, max: 7 }),
  hour: whole('时', 'Hour', { min: 0, max: 23 }),
  chargingMin: min('充电时长', 'Charging time'),
  starts: n('启动次数', 'Starts'),
})
const Bucket = entity({
  fromMin: whole('不少于', 'From', { unit: 'minute' }),
  toMin: orNone(whole('少于', 'Below', { unit: 'minute' })),
  count: n('次数', 'Sessions'),
})
const Half = entity({ half: whole('半小时', 'Half hour', { min: 0, max: 47 }), wh: wattHours('充电量', 'Energy delivered') })
export const EnergyRow = entity({
  key,
  name,
  deliveredWh: wattHours('充电量', 'Energy delivered'),
  billedWh: wattHours('计费电量', 'Billed energy'),
  peakW: watts('峰值功率', 'Peak power'),
  limitW: watts('功率上限', 'Power limit'),
  prevDeliveredWh: orNone(wattHours('对比充电量', 'Prior energy delivered')),
  ratio,
})
const Share = entity({ key, name, wh: wattHours('电量', 'Energy') })

const asked = message(SPAN, { ...WHERE, ...HOW })
const pagedAsked = message(SPAN, { ...WHERE, ...HOW, ...PAGE })
const view = { service: 'charging', needs: 'charging:analysis:view' } as const
const incomeQueryPage = call('charging.analysis.income-query-page', {
  ...view,
  post: '/analysis/incomeQueryPage',
  body: pagedAsked,
  reply: pageOf(IncomeRow),
})
const operationsAnalysis = call('charging.analysis.operations-analysis', {
  ...view,
  post: '/analysis/operationsAnalysis',
  body: pagedAsked,
  reply: pageOf(Operation),
})

/** The week of `queryTime` as rows. */
const queryWeek = call('charging.analysis.query-week', { ...view, own: true, post: '/analysis/queryWeek', body: pagedAsked, reply: pageOf(Cell) })
/** The rows of `chargingCapacity`. */
const capacityPage = call('charging.analysis.capacity-page', {
  ...view,
  own: true,
  post: '/analysis/capacityPage',
  body: pagedAsked,
  reply: pageOf(EnergyRow),
})

export const analysis = {
  queryWeek,
  incomeQueryPage,
  incomeQueryPageExport: exportOf('charging.analysis.income-query-page-export', {
    ...view,
    post: '/analysis/incomeQueryPageExport',
    title: ['充电收入', 'Charging income'],
    query: incomeQueryPage,
    columns: [
      'key',
      'name',
      'orders',
      'billedWh',
      'elecFen',
      'serviceFen',
      'occupyFen',
      'adjustFen',
      'receivableFen',
      'discountFen',
      'paidFen',
      'waivedFen',
      'arrearsFen',
      'partnerFen',
      'refundFen',
      'netFen',
    ],
  }),
  incomeQuery: call('charging.analysis.income-query', {
    ...view,
    post: '/analysis/incomeQuery',
    body: asked,
    reply: message({
      now: shaped('合计', 'Total', Income),
      before: orNone(shaped('对比', 'Comparison', Income)),
      bars: shaped('明细', 'Bars', listOf(IncomeRow)),
      best: shaped('站点前十', 'Top ten stations', listOf(Best)),
    }),
  }),
  operationsAnalysis,
  operationsAnalysisExport: exportOf('charging.analysis.operations-analysis-export', {
    ...view,
    post: '/analysis/operationsAnalysisExport',
    title: ['充电运营', 'Charging operations'],
    query: operationsAnalysis,
    columns: [
      'stationId',
      'name',
      'connectors',
      'inUseMin',
      'chargingMin',
      'timeUse',
      'powerUse',
      'sessions',
      'deliveredWh',
      'sessionsPerDay',
      'whPerDay',
      'avgMin',
      'startRate',
      'onlineRate',
    ],
  }),
  queryTime: call('charging.analysis.query-time', {
    ...view,
    post: '/analysis/queryTime',
    body: asked,
    reply: message({
      week: shaped('星期与时段', 'By weekday and hour', listOf(Cell)),
      durations: shaped('时长分布', 'Durations', listOf(Bucket)),
      day: shaped('一天的电量', 'Energy by half hour', listOf(Half)),
    }),
  }),
  exportQueryTime: exportOf('charging.analysis.export-query-time', {
    ...view,
    post: '/analysis/exportQueryTime',
    title: ['充电时段', 'Charging by hour'],
    query: queryWeek,
    columns: ['weekday', 'hour', 'chargingMin', 'starts'],
  }),
  capacityPage,
  capacityExport: exportOf('charging.analysis.capacity-export', {
    ...view,
    own: true,
    post: '/analysis/capacityExport',
    title: ['充电电量', 'Charging energy'],
    query: capacityPage,
    columns: ['key', 'name', 'deliveredWh', 'billedWh', 'peakW', 'limitW', 'prevDeliveredWh', 'ratio'],
  }),
  chargingCapacity: call('charging.analysis.charging-capacity', {
    ...view,
    post: '/analysis/chargingCapacity',
    body: asked,
    reply: message({
      deliveredWh: wattHours('充电量', 'Energy delivered'),
      billedWh: wattHours('计费电量', 'Billed energy'),
      peakW: watts('峰值功率', 'Peak power'),
      limitW: watts('功率上限', 'Power limit'),
      prevDeliveredWh: orNone(wattHours('对比充电量', 'Prior energy delivered')),
      ratio,
      rows: shaped('明细', 'Rows', listOf(EnergyRow)),
      byKind: shaped('按时段类型', 'By period type', listOf(Share)),
      byCurrent: shaped('按交直流', 'By current', listOf(Share)),
    }),
  }),
}

import { fen, permille, whole } from '../../../platform/contract/field.ts'
import { figures, type Listed, type Meaning, NOW, Refunds, type Within } from '../../../platform/contract/figure.ts'
import { analysis, Income } from './analysis.ts'
import { ConnectorStatus } from './connector.ts'
import { danger, DangerCounts, DangerState, OPEN_DANGERS } from './danger.ts'
import { finance, FinanceRow } from './finance.ts'
import { BillKind } from './money.ts'
import { monitor } from './monitor.ts'
import { order } from './order.ts'
import { ChargeStatus } from './session.ts'
import { wattHours } from './units.ts'

type Text = readonly [zh: string, en: string]

export const BILLS = '/recharge/chargingAnalysis/finance'
/** The bills that became final in a time, as their list is asked. */
export const finalIn = ({ from, to, stationId }: { from: string; to: string; stationId?: string | undefined }) => ({
  ...{ view: 'bills', finalAtFrom: from, finalAtTo: to, stationId },
})
const FINAL: Text = ['按账单结算时间', 'by when the bill became final']
const daysOf = ({ from, to }: Within) => ({ from: `${from} 00:00:00`, to: `${to} 23:59:59` })
const billed = (counts: Text, sums: string, refunds?: Text): Listed => ({
  ...{ counts, time: FINAL, ...(refunds && { refunds }) },
  opens: {
    ...{ path: BILLS, call: finance.queryChargeOrder, sums },
    filter: (within) => finalIn(daysOf(within)),
  },
})
/** Charging, as its final bills have it. */
export const CHARGED = figures(['充电', 'Charging'], Income.properties, {
  orders: {
    ...{
      counts: [
        '已结算的充电订单；以后的调整单和占位费账单不另计',
        'charging sessions that were billed; later adjustments and idle fees are not counted again',
      ],
      time: FINAL,
    },
    opens: {
      ...{ path: BILLS, call: finance.queryChargeOrder },
      filter: (within) => ({ ...finalIn(daysOf(within)), kind: String(BillKind.charge) }),
    },
  },
  billedWh: billed(['已结算账单的电量，正在充电的不计', 'energy of final bills; sessions that go on are not counted'], 'billedWh'),
  receivableFen: billed(
    [
      '电费 + 服务费 + 占位费 + 调整，等于优惠 + 实收 + 减免 + 欠费 + 平台应收',
      'electricity + service + idle fee + adjustments, which is discount + paid + waived + arrears + partner receivable',
    ],
    'receivableFen',
  ),
  paidFen: billed(
    ['账单实际收到的金额，预付多收的已退、不计', 'what bills were paid; the rest of a prepayment is not counted'],
    'paidFen',
    Refunds.before,
  ),
  refundFen: billed(
    ['结算后退给付款人的金额，未用完的预付不计', 'what went back after the bill; the rest of a prepayment is not counted'],
    'refundFen',
  ),
  netFen: billed(['实收 − 退款', 'paid − refunded'], 'netFen', Refunds.after),
})

const monthOf = (day: string) => `${day.slice(0, 8)}01`
/** What the month came to so far, beside what the day did. */
export const CHARGED_MONTH = figures(
  ['充电', 'Charging'],
  { receivableFen: fen('本月应收', 'Receivable this month') },
  {
    receivableFen: {
      ...{ counts: CHARGED.receivableFen.counts, time: ['本月截至目前，按账单结算时间', 'this month so far, by when the bill became final'] },
      opens: { ...CHARGED.receivableFen.opens, filter: ({ to }) => finalIn(daysOf({ from: monthOf(to), to })) },
    },
  },
)

const prepaid = (counts: Text, time: Text): Listed => ({
  ...{ counts, time },
  opens: { path: BILLS, call: finance.queryFinance, filter: ({ from, to }) => ({ timeFrom: from, timeTo: to }) },
})
const ENTERED: Text = ['按记账日', 'by the day it was booked']
/** Prepaid money as the ledger has it: opening + received − captured − released = closing. */
export const PREPAID = figures(undefined, FinanceRow.properties, {
  inFen: prepaid(['收到的充电预付款', 'prepayments that came in for charging sessions'], ENTERED),
  capturedFen: prepaid(['预付款中结算为充电费的金额', 'what of prepayments became charging fees'], ENTERED),
  releasedFen: prepaid(['充电后退回的预付款', 'what of prepayments went back after the session'], ENTERED),
  closeFen: prepaid(['还没有结算、也没有退回的预付款', 'prepayments that were neither captured nor released'], ['期末', 'at the end of the time']),
})

const CHARGES_LIST = '/recharge/chargingOrder/use'
/** Charges that charged, or are about to: what waits for its prepayment, failed or was cancelled did not. */
export const STARTED = Object.keys(ChargeStatus.entries)
  .map(Number)
  .filter((status) => !([ChargeStatus.waiting, ChargeStatus.failed, ChargeStatus.cancelled] as number[]).includes(status))
const started = (counts: Text): Listed => ({
  ...{ counts, time: ['按启动时间', 'by when the session started'] },
  opens: {
    ...{ path: CHARGES_LIST, call: order.calls.recordList },
    filter: ({ from, to }) => ({ startTimeFrom: `${from} 00:00:00`, startTimeTo: `${to} 23:59:59`, status: STARTED.join(',') }),
  },
})
const FLOWED: Text = ['按充电发生的时间，跨期的按时长分摊', 'by when it flowed; a session across the limits is split by its minutes']
const measured = (counts: Text, time: Text): Meaning => ({ counts, time })
/** How stations are used. */
export const USED = figures(
  undefined,
  {
    starts: whole('充电启动', 'Charging starts'),
    cars: whole('今日充电车辆', 'Cars charging today'),
    ended: whole('已结束的充电', 'Ended sessions'),
    deliveredWh: wattHours('充电量', 'Energy delivered'),
    timeUse: permille('时间利用率', 'Time utilisation'),
    peakW: whole('峰值功率', 'Peak power', { unit: 'watt' }),
    meanW: whole('每小时平均功率', 'Average power per hour', { unit: 'watt' }),
  },
  {
    starts: started(['启动了的充电，启动失败和取消的不计', 'charging sessions that started; those that failed or were cancelled are not counted']),
    cars: started([
      '今日开始充电的车，同一辆车算一次；以前充过电的是回头车，没有识别出车辆的充电不计',
      'cars that began to charge today, each counted once; one that charged here before is returning, and sessions whose car is not known are not counted',
    ]),
    ended: measured(
      ['已结束的充电，按时长分组；正在充电的不计', 'charging sessions that have ended, by their length; those that go on are not counted'],
      ['按启动时间', 'by when the session started'],
    ),
    deliveredWh: measured(
      [
        '充电枪送出的电量，正在充电的算到此刻；读数不可信的订单处理后才计入',
        'energy that connectors gave, of running sessions until now; a session with an implausible reading counts once it is closed',
      ],
      FLOWED,
    ),
    timeUse: {
      ...measured(
        ['充电时长 ÷ 充电枪投用时长；没有投用的为 --', 'minutes of charging ÷ minutes that connectors were in service; -- where none was'],
        FLOWED,
      ),
      opens: {
        path: '/recharge/chargingAnalysis/operate',
        call: analysis.operationsAnalysis,
        filter: ({ from, to }) => ({ timeFrom: from, timeTo: to }),
      },
    },
    peakW: measured(
      [
        '所有充电枪合计的功率的最大值，每 5 分钟取平均；没有上报的为 --',
        'the most that all connectors drew together, as means of five minutes; -- where none was reported',
      ],
      ['按上报时间', 'by when it was reported'],
    ),
    meanW: measured(
      ['一小时里送出的电量；还没有过完的小时是到此刻的', 'energy given within an hour; of the hour that runs, what was given so far'],
      FLOWED,
    ),
  },
)

/** The power of a station, shared among its connectors. */
export const LOADS = figures(
  undefined,
  {
    limitW: whole('功率上限', 'Power limit', { unit: 'watt' }),
    heldW: whole('计入上限', 'Counted', { unit: 'watt' }),
    leftW: whole('尚可分配', 'Available', { unit: 'watt' }),
    powerW: whole('当前功率', 'Power now', { unit: 'watt' }),
    charging: whole('正在充电', 'Charging now'),
    waiting: whole('等待功率', 'Waiting for power'),
  },
  {
    limitW: measured(
      [
        '充电站设定的功率上限；几个站合计，其中有未设的为 --',
        'the power limit set for the station; of several stations their sum, -- where one has none',
      ],
      NOW,
    ),
    heldW: measured(
      [
        '每把充电枪最多可能取用的功率之和，含正在生效的配额',
        'the sum of what each connector may draw at most, shares that are taking effect included',
      ],
      NOW,
    ),
    leftW: measured(['功率上限 − 计入上限，最少为 0；未设上限的为 --', 'power limit − counted, 0 at least; -- without a limit'], NOW),
    powerW: measured(
      ['充电枪最近上报的功率之和，没有上报的不计', 'the sum of what connectors last reported; those that reported nothing are not counted'],
      NOW,
    ),
    charging: measured(['有充电订单进行中的充电枪', 'connectors with a charging session under way'], NOW),
    waiting: measured(['插枪要充电、因上限还没有分到功率的充电枪', 'connectors that want to charge and have no share of the limit yet'], NOW),
  },
)

const MONITOR = '/recharge/chargingRealTimeMonitoring'
const guns = (counts: Text, ...states: number[]): Listed => ({
  ...{ counts, time: NOW },
  opens: { path: MONITOR, call: monitor.queryConnectorinfoList, filter: () => (states.length > 0 ? { status: states.join(',') } : {}) },
})
const { offline, free, plugged, charging, reserved, faulty } = ConnectorStatus
const stated = (status: keyof typeof ConnectorStatus.entries) => whole(ConnectorStatus.entries[status][0], ConnectorStatus.entries[status][1])
/** Every connector is in one of the states. */
export const GUNS = figures(
  ['充电枪', 'Connectors:'],
  {
    ...{ total: whole('总数', 'Total'), offline: stated(offline), free: stated(free), plugged: stated(plugged) },
    ...{ charging: stated(charging), reserved: stated(reserved), faulty: stated(faulty) },
  },
  {
    total: guns(['登记的充电枪，不论状态', 'registered connectors, whatever their status']),
    offline: guns(['失去连接的充电枪', 'connectors that are not connected'], offline),
    free: guns(['可以使用的充电枪', 'connectors that can be used'], free),
    plugged: guns(['已插枪、没有在充电的充电枪', 'connectors that are plugged in and do not charge'], plugged),
    charging: guns(['正在充电的充电枪', 'connectors that charge'], charging),
    reserved: guns(['为预约锁定的充电枪', 'connectors held for a booking'], reserved),
    faulty: guns(
      ['上报故障、有未恢复故障或因隐患停用的充电枪', 'connectors that report a fault, have an open one or are stopped by a hazard'],
      faulty,
    ),
  },
)

export const DANGERS = '/recharge/chargingDanger'
const found = (counts: Text, among: Record<string, string> = {}): Listed => ({
  ...{ counts, time: ['按发现时间', 'by when the hazard was found'] },
  opens: {
    ...{ path: DANGERS, call: danger.query },
    filter: ({ from, to }) => ({ foundAtFrom: `${from} 00:00:00`, foundAtTo: `${to} 23:59:59`, ...among }),
  },
})
const open = { state: OPEN_DANGERS.join(',') }
/** Hazards that were found in a time, and what became of them since. */
export const HAZARDS = figures(undefined, DangerCounts.properties, {
  total: found(['发现的隐患，不论现在是什么状态', 'hazards that were found, whatever their status is now']),
  open: found(['至今没有闭环的隐患，含整改中和待复查', 'hazards not closed until now, those being fixed or to be reviewed included'], open),
  overdue: found(['过了整改期限、至今没有闭环的隐患', 'hazards past their deadline that are not closed until now'], { ...open, late: 'true' }),
  closedLate: found(['过了整改期限才闭环的隐患', 'hazards that were closed after their deadline'], {
    state: String(DangerState.closed),
    late: 'true',
  }),
  closedRate: found(['已闭环的隐患 ÷ 隐患总数；没有隐患时为 --', 'closed hazards ÷ all hazards; -- where there are none'], {
    state: String(DangerState.closed),
  }),
})

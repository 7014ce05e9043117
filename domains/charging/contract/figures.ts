import { figures, type Meaning, Refunds } from '../../../platform/contract/figure.ts'
import { Income } from './analysis.ts'
import { danger, DangerCounts, DangerState, OPEN_DANGERS } from './danger.ts'
import { finance } from './finance.ts'

type Text = readonly [zh: string, en: string]

export const BILLS = '/recharge/chargingAnalysis/finance'
/** The bills that became final in a time, as their list is asked. */
export const finalIn = ({ from, to, stationId }: { from: string; to: string; stationId?: string | undefined }) => ({
  ...{ view: 'bills', finalAtFrom: from, finalAtTo: to, stationId },
})
const billed = (counts: Text, sums: string, refunds?: Text): Meaning => ({
  ...{ counts, time: ['按账单结算时间', 'by when the bill became final'], ...(refunds && { refunds }) },
  opens: {
    ...{ path: BILLS, call: finance.queryChargeOrder, sums },
    filter: ({ from, to }) => finalIn({ from: `${from} 00:00:00`, to: `${to} 23:59:59` }),
  },
})
/** Charging, as its final bills have it. */
export const CHARGED = figures(['充电', 'Charging'], Income.properties, {
  billedWh: billed(['已结算账单的电量，正在充电的不计', 'energy of final bills; charges that go on are not counted'], 'billedWh'),
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

export const DANGERS = '/recharge/chargingDanger'
const found = (counts: Text, among: Record<string, string> = {}): Meaning => ({
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

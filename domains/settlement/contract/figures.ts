import { figures, type Listed, NOW, Refunds, type Within } from '../../../platform/contract/figure.ts'
import { CheckState, CheckSum, CheckTotal, DiffState, liquidation } from './liquidation.ts'
import { DECIDED, order, OrderSummary, OrderType } from './order.ts'
import { Income, report } from './report.ts'

type Text = readonly [zh: string, en: string]

const BOOKED: Text = ['按入账日（北京时间）', 'by the day it was booked (Beijing time)']
const INCOME_LIST = '/operation/temporaryIncome'
const booked = (counts: Text, sums: string, refunds?: Text): Listed => ({
  counts,
  time: BOOKED,
  ...(refunds && { refunds }),
  opens: { path: INCOME_LIST, call: report.temporaryStop, filter: ({ from, to, parkCode }) => ({ dayFrom: from, dayTo: to, parkCode }), sums },
})
/** Temporary parking as the ledger has it. */
export const INCOME = figures(['停车', 'Parking'], Income.properties, {
  orders: booked(['计入应收的停车订单，免费的不计', 'parking orders booked as receivable; free ones are not counted'], 'orders'),
  receivableFen: booked(
    [
      '按收费规则应收的停车费，等于实收 + 优惠 + 减免 + 欠费；待支付和已取消的不计',
      'what parking cost by its tariff: paid + discount + waived + arrears. What waits to be paid or was cancelled is not counted',
    ],
    'receivableFen',
  ),
  discountFen: booked(['优惠券、商户优惠等抵扣的金额', 'what coupons and merchants’ discounts took off'], 'discountFen'),
  paidFen: booked(
    [
      '收到的停车费，含用储值、积分支付的和补缴的欠费；重复支付不计',
      'parking fees that came in, stored value, points and repaid arrears among them; duplicate payments are not counted',
    ],
    'paidFen',
    Refunds.before,
  ),
  waivedFen: booked(['审核通过不再收取的金额，含核销的坏账', 'what was let off with approval, bad debts written off among it'], 'waivedFen'),
  arrearsFen: booked(['记为欠费的金额，减去补缴、减免的欠费', 'what was booked as owed, less arrears that were repaid or waived'], 'arrearsFen'),
  refundFen: booked(
    ['已退给付款人的停车费；退回的重复支付不计', 'parking fees that went back; duplicate payments sent back are not counted'],
    'refundFen',
  ),
  netFen: booked(['实收 − 退款', 'paid − refunded'], 'netFen', Refunds.after),
})

const CREATED: Text = ['按下单时间', 'by when the order was made']
const ORDERS = '/operation/finance'
const moments = ({ from, to, parkCode }: Within) => ({ createdAtFrom: `${from} 00:00:00`, createdAtTo: `${to} 23:59:59`, parkCode })
const PARKING = String(OrderType.temporaryParking)
const made = (counts: Text, sums: string | undefined, among: Record<string, string>, refunds?: Text): Listed => ({
  ...{ counts, time: CREATED, ...(refunds && { refunds }) },
  opens: { path: ORDERS, call: order.list, filter: (within) => ({ ...moments(within), type: PARKING, ...among }), ...(sums && { sums }) },
})
const decided = { status: DECIDED.join(',') }
/** Parking orders that were made in a time, and what became of them since: money that comes later belongs to the day of its order. */
export const ORDERED = figures(['停车订单', 'Parking orders:'], OrderSummary.properties, {
  receivableFen: made(
    ['已有结果的订单应收，等于实收 + 优惠 + 减免 + 欠费', 'receivable of orders whose outcome is known: paid + discount + waived + arrears'],
    'receivableFen',
    decided,
  ),
  paidFen: made(['这些订单至今收到的金额', 'what these orders got until now'], 'paidFen', decided, Refunds.before),
  discountFen: made(['这些订单抵扣的优惠', 'discounts of these orders'], 'discountFen', decided),
  waivedFen: made(['这些订单减免的金额', 'what was let off of these orders'], 'waivedFen', decided),
  arrearsFen: made(['这些订单此刻还欠的金额', 'what these orders owe now'], 'arrearsFen', decided),
  refundFen: made(['这些订单至今退回的金额', 'what went back of these orders until now'], 'refundFen', decided),
  openFen: made(['还没有付款、也没有记为欠费的金额', 'what is neither paid nor booked as arrears yet'], undefined, { status: '0,1' }),
})

const OPEN_DIFFERENCES = [DiffState.unclaimed, DiffState.claimed, DiffState.toReview].join(',')
const days = (counts: Text, state: number): Listed => ({
  ...{ counts, time: NOW },
  opens: { path: ORDERS, call: liquidation.totals, filter: () => ({ tab: 'days', state: String(state) }) },
})
/** Differences of clearing that are still open, over all days; the figures fall as differences are settled. */
export const CLEARING_FIGURES = figures(
  undefined,
  { ...CheckSum.properties, openFen: CheckTotal.properties.openFen },
  {
    awaited: days(
      ['渠道的对账日，对账文件还没有导入，每个渠道每天算一个', 'days of a channel whose file is not imported yet, one for each channel and day'],
      CheckState.awaited,
    ),
    differs: days(['有差异、还没有平的渠道对账日', 'days of a channel with differences that are not settled'], CheckState.differs),
    openCount: {
      counts: ['还没有平账的差异笔数，含待认领、处理中和待复核', 'differences that are not settled yet: unclaimed, being handled or to be reviewed'],
      time: NOW,
      opens: { path: ORDERS, call: liquidation.details, filter: () => ({ tab: 'trades', diffState: OPEN_DIFFERENCES }) },
    },
    openFen: {
      counts: [
        '还没有平账的差异，每笔为平台与渠道相差的金额，长款、短款都按正数相加',
        'differences that are not settled yet: what ours and the channel’s amounts differ by, surpluses and shortages both added up',
      ],
      time: NOW,
      opens: { path: ORDERS, call: liquidation.details, filter: () => ({ tab: 'trades', diffState: OPEN_DIFFERENCES }), sums: 'diffFen' },
    },
  },
)

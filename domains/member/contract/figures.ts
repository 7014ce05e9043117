import { whole } from '../../../platform/contract/field.ts'
import { figures, type Listed, NOW, Refunds, type Within } from '../../../platform/contract/figure.ts'
import { amount, AmountKind, AmountSums, report } from './amount.ts'
import { customer, CustomerFigures, Today } from './customer.ts'
import { PassStatus } from './pass.ts'

type Text = readonly [zh: string, en: string]

const PAYMENTS = '/operation/month/pay'
const CUSTOMERS = '/operation/month/info'
const MADE: Text = ['按下单、退款的时间', 'by when it was ordered or refunded']
const PAID: Text = ['按收款、退款的时间', 'by when it was paid or refunded']
const at = ({ from, to }: Within) => ({ atFrom: `${from} 00:00:00`, atTo: `${to} 23:59:59` })
const paid = (counts: Text, sums?: string, refunds?: Text): Listed => ({
  ...{ counts, time: MADE, ...(refunds && { refunds }) },
  opens: {
    path: PAYMENTS,
    call: amount.queryPage,
    filter: ({ parkCode, ...within }) => ({ ...at(within), parkCode }),
    ...(sums && { sums }),
  },
})
/** Payments of passes: each order of one and each refund is a line. */
export const PASS_MONEY = figures(['月卡', 'Passes:'], AmountSums.properties, {
  orders: paid(['开卡、续费的订单和退卡的退款，每笔算一笔', 'orders of new and renewed passes, and refunds of cancelled ones, each counted once']),
  receivableFen: paid(
    [
      '开卡、续费订单的应收，未扣优惠；待支付和已取消的订单也在内，可按订单状态筛选',
      'what orders of new and renewed passes cost, before discounts; those to be paid and cancelled ones are in it and can be filtered by status',
    ],
    'receivableFen',
  ),
  paidFen: paid(['开卡、续费收到的金额', 'what came in for new and renewed passes'], 'paidFen', Refunds.before),
  refundFen: paid(['退卡退回的金额', 'what went back for cancelled passes'], 'refundFen'),
  netFen: paid(['实收 − 退款', 'paid − refunded'], undefined, Refunds.after),
})

const held = (counts: Text, filter: Record<string, string>): Listed => ({
  ...{ counts, time: NOW },
  opens: { path: CUSTOMERS, call: customer.queryPage, filter: ({ parkCode }) => ({ ...filter, parkCode }) },
})
const valid = { passStatus: String(PassStatus.valid) }
/** Holders of passes, and the day's results. */
export const PASSES = figures(
  undefined,
  {
    sold: whole('今日开卡 / 续费', 'Sold / renewed today'),
    netFen: Today.properties.netFen,
    valid: whole('有效月卡', 'Valid passes'),
    ending: CustomerFigures.properties.ending,
    customers: whole('客户 / 车辆', 'Customers / cars'),
    deferredFen: Today.properties.deferredFen,
  },
  {
    sold: {
      ...{
        counts: [
          '今日付清的开卡和续费笔数，导入的不计；点开按下单时间列出',
          'new passes and renewals paid today; imported ones are not counted. The list goes by when they were ordered',
        ],
        time: PAID,
      },
      opens: {
        ...{ path: PAYMENTS, call: amount.queryPage },
        filter: (within) => ({ ...at(within), kind: [AmountKind.opened, AmountKind.renewed].join(',') }),
      },
    },
    netFen: {
      counts: [
        '今日收到的月卡费 − 今日退回的月卡费，导入的不计',
        'pass fees that came in today − those that went back today; imported ones are not counted',
      ],
      ...{ time: PAID, refunds: Refunds.after },
      opens: {
        ...{ path: PAYMENTS, call: amount.queryPage },
        filter: (within) => ({ ...at(within), kind: [AmountKind.opened, AmountKind.renewed, AmountKind.givenBack].join(',') }),
      },
    },
    valid: held(
      [
        '已生效、未到期、未冻结的月卡，一个客户可有几张；点开是持有人',
        'passes that have begun, have not ended and are not frozen; a customer may hold several. The list has their holders',
      ],
      valid,
    ),
    ending: held(
      ['7 日内到期、未冻结的月卡；点开是有效月卡的持有人', 'passes ending within 7 days that are not frozen. The list has holders of valid passes'],
      valid,
    ),
    customers: held(
      [
        '登记的月卡客户，不论有没有有效月卡；车辆是在册的，停用的不计',
        'registered customers, with or without a valid pass; cars that were taken off are not counted',
      ],
      {},
    ),
    deferredFen: {
      counts: ['已收、以后按日确认为收入的月卡费', 'pass fees that were paid and will be earned day by day'],
      time: NOW,
      opens: { path: PAYMENTS, call: report.form, filter: () => ({ tab: 'months' }) },
    },
  },
)

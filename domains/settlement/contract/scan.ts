import { call } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  instant,
  listOf,
  message,
  minutes,
  orNone,
  plate,
  shaped,
  text,
  yes,
} from '../../../platform/contract/field.ts'
import { Order, Prepay } from './order.ts'
import { Payment } from './payment.ts'

/** The code printed at the place; it names the park that is paid there, and cannot be made up. */
const code = text('二维码', 'QR code', { max: 40 })

export const DriverState = dictionary('driver_state', ['车主须知', 'Driver notice'], {
  toPay: [1, '待缴费', 'Payment due'],
  paying: [2, '支付中', 'Paying'],
  free: [3, '目前无需缴费', 'Nothing to pay so far'],
  leave: [4, '已缴费，请在时限内离场', 'Paid: please leave in time'],
  attendant: [5, '请联系值班人员', 'Please contact the attendant'],
  checking: [6, '费用核对中，请勿付款', 'The fee is being checked: please do not pay yet'],
})
/** One part of the fee in words. It names no hour: a person who types somebody else's plate learns no more than the amount says. */
export const DriverLine = entity({
  zh: text('中文', 'Chinese', { max: 200 }),
  en: text('英文', 'English', { max: 200 }),
  amountFen: fen('金额', 'Amount'),
})
/** The fee that a parked car owes now, with its breakdown. */
export const DriverBill = entity({
  plateNo: text('车牌号', 'Plate', { max: 16 }),
  state: among('状态', 'Status', DriverState),
  orderNo: orNone(Order.properties.orderNo),
  dueFen: fen('待付', 'Still to pay', { min: 0 }),
  paidFen: fen('已付', 'Paid', { min: 0 }),
  discountFen: fen('优惠', 'Discount', { min: 0 }),
  /** Money paid twice or in another amount: it pays nothing and goes back. */
  unaskedFen: fen('多付', 'Paid in excess', { min: 0 }),
  backFen: fen('已退回', 'Returned', { min: 0 }),
  /** The amount is the same until then. */
  goodUntil: orNone(instant('金额有效至', 'Valid until')),
  leaveBy: orNone(instant('请在此前离场', 'Leave by')),
  ruleName: orNone(text('收费规则', 'Fee rule', { max: 100 })),
  lines: shaped('计费明细', 'Fee details', listOf(DriverLine)),
  /** Only of a car that stands at the lane whose code was scanned. */
  since: orNone(instant('入场时间', 'Entered at')),
  parkedMin: orNone(minutes('停车时长', 'Parked for')),
  /** The phone number of the operator, where a person has to help. */
  helpPhone: orNone(text('值班电话', 'Attendant’s phone', { max: 32 })),
})

const open = { service: 'business', needs: 'public', own: true } as const
/** Open to everybody: a driver at a printed code has no account. It tells an amount and how it adds up, never where a car was or when; the plate is what was asked for. Only of the car that stands at the very lane whose code it is, it tells since when it is inside. */
export const scan = {
  find: call('settlement.scan.find', {
    ...open,
    get: '/order/scan',
    heavy: true,
    query: message({ code, plateNo: plate() }),
    reply: listOf(
      entity({
        orderNo: Order.properties.orderNo,
        parkCode: Order.properties.parkCode,
        plateNo: text('车牌号', 'Plate', { max: 16 }),
        payableFen: Order.properties.payableFen,
        paying: yes('支付中', 'Paying'),
      }),
    ),
  }),
  /** Brings what the car owes up to this moment, before it stands at an exit too. Nothing: no such car is parked here. */
  quote: call('settlement.scan.quote', {
    ...open,
    post: '/order/scanQuote',
    writes: true,
    heavy: true,
    does: ['扫码查询停车费', 'Looked up a fee by QR code'],
    body: message({ code, plateNo: plate() }),
    reply: listOf(DriverBill),
  }),
  pay: call('settlement.scan.pay', {
    ...open,
    post: '/order/scanPay',
    writes: true,
    heavy: true,
    does: ['扫码支付', 'Paid by QR code'],
    body: message({ code, orderNo: Order.properties.orderNo, payMethod: Payment.properties.payMethod }),
    reply: Prepay,
  }),
}

import { call } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  nothing,
  orNone,
  personal,
  pick,
  plate,
  ref,
  rowFields,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PlateColor } from '../../../platform/contract/plate.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import type { GroupId } from './group.ts'
import type { CarFeesId } from './plan.ts'

export const PassStatus = dictionary('pass_status', ['月卡状态', 'Pass status'], {
  underReview: [0, '待审核', 'Under review', 'warning'],
  notYet: [1, '未生效', 'Not yet valid'],
  valid: [2, '有效', 'Valid', 'success'],
  frozen: [3, '冻结', 'Frozen', 'warning'],
  expired: [4, '已过期', 'Expired', 'error'],
  returned: [5, '已退卡', 'Cancelled'],
  deleted: [6, '已删除', 'Deleted'],
  toPay: [7, '待支付', 'To pay', 'warning'],
})
export const PassWindow = dictionary('pass_window', ['月卡时段', 'Hours of a pass'], {
  always: [1, '全天', 'All day'],
  day: [2, '日间', 'By day'],
  night: [3, '夜间', 'By night'],
  workdays: [4, '工作日', 'On workdays'],
})
export type PassWindowCode = keyof typeof PassWindow.entries
/** Why a pass was frozen. */
export const FreezeCause = dictionary('pass_freeze_cause', ['冻结起因', 'Cause of a freeze'], {
  asked: [1, '申请冻结', 'Requested'],
  group: [2, '月卡类型停用', 'Pass type suspended'],
  givenBack: [3, '退卡', 'Being cancelled'],
})
/** Ways in which the end of a pass moves. */
export const DeferKind = dictionary('pass_defer_kind', ['延期方式', 'Extension'], {
  renew: [1, '续费', 'Renewed'],
  free: [2, '免费延期', 'Free of charge'],
})
export const Confirm = dictionary('pass_confirm', ['确认', 'Confirm'], { ask: [0, '询价', 'Ask'], act: [1, '确认', 'Confirm'] })
export const QuoteAct = dictionary('pass_quote_act', ['报价', 'Quote'], { sell: [1, '售', 'Sell'], giveBack: [2, '退', 'Cancel'] })

export type PassId = 'PassId'
export type CustomerId = 'CustomerId'
const parkCode = text('车场编号', 'Car park code', { max: 16 })
const memberId = ref<CustomerId>('客户', 'Customer')
const groupId = ref<GroupId>('月卡类型', 'Pass type')
const carFeesId = ref<CarFeesId>('套餐', 'Plan')
const plates = shaped('车牌', 'Plates', listOf(plate(), { max: 50 }))
/** A pass as people see it: its state follows from the clock where it can. `seats` bays for its cars; `seatCode` is a bay of its own. */
export const Pass = entity(['月卡', 'Pass'], {
  ...rowFields<PassId>(),
  passNo: text('月卡编号', 'Pass number', { max: 40 }),
  memberId,
  holder: text('客户', 'Customer', { max: 60 }),
  phone: orNone(personal('phone', text('手机号', 'Phone', { max: 20 }))),
  groupId: orNone(groupId),
  groupName: orNone(text('月卡类型', 'Pass type', { max: 60 })),
  carFeesId: orNone(carFeesId),
  carFeesName: orNone(text('套餐', 'Plan', { max: 60 })),
  parkCode,
  parkCodes: shaped('可用车场', 'Car parks', listOf(parkCode)),
  seatCode: orNone(text('固定车位', 'Assigned bay', { max: 24 })),
  seats: whole('车位数', 'Bays', { min: 1, max: 50 }),
  plates,
  timeWindow: among('可用时段', 'Hours', PassWindow),
  startAt: instant('开始时间', 'From'),
  endAt: instant('结束时间', 'Until'),
  daysLeft: whole('剩余天数', 'Days left', { min: 0 }),
  status: among('状态', 'Status', PassStatus),
  frozenAt: orNone(instant('冻结时间', 'Frozen at')),
  refunding: yes('退卡中', 'Being cancelled'),
  priceFen: fen('单价', 'Price', { min: 0 }),
  paidFen: fen('累计实付', 'Total paid', { min: 0 }),
  /** An order of it that nobody has paid yet: of the sale, or of a renewal. */
  waitingNo: orNone(text('待支付订单', 'Order to pay', { max: 40 })),
  waitingFen: orNone(fen('待支付', 'To be paid', { min: 0 })),
  /** Of a pass that a review refused. */
  rejectedFor: orNone(text('驳回原因', 'Rejected because', { max: 200 })),
  remark: orNone(text('备注', 'Remark', { max: 500 })),
})
export const PassConflict = entity({
  plateNo: plate(),
  parkCode,
  passNo: text('月卡编号', 'Pass number', { max: 40 }),
  startAt: Pass.properties.startAt,
  endAt: Pass.properties.endAt,
})
/** The effect of extending a pass. Confirming with its number does just this, unless anything changed meanwhile. */
export const DeferQuote = entity({
  oldEnd: instant('原结束时间', 'Current end'),
  newStart: instant('续期开始', 'Renewed from'),
  newEnd: instant('新结束时间', 'New end'),
  payableFen: fen('应付', 'Payable', { min: 0 }),
  conflicts: shaped('重叠', 'Overlaps', listOf(PassConflict)),
  quoteNo: text('报价号', 'Quote', { max: 80 }),
})
/** An order at its payer: `payUrl` none where the money is in hand or nothing is to be paid. */
export const PassOrder = entity({
  passId: id<PassId>('月卡', 'Pass'),
  orderNo: orNone(text('订单号', 'Order number', { max: 40 })),
  payableFen: fen('应付', 'Payable', { min: 0 }),
  payUrl: orNone(text('支付地址', 'Pay at', { max: 500 })),
  expiresAt: orNone(instant('有效期至', 'Valid until')),
  warning: orNone(text('提示', 'Warning', { max: 200 })),
})
const RefundPart = entity({
  orderNo: text('订单号', 'Order number', { max: 40 }),
  startAt: Pass.properties.startAt,
  endAt: Pass.properties.endAt,
  paidFen: fen('实付', 'Paid', { min: 0 }),
  /** Asked for of the order alone; the pass is not given back before it is paid out or rejected. */
  refundingFen: fen('退款中', 'Refund under way', { min: 0 }),
  days: whole('总天数', 'Days', { min: 0 }),
  usedDays: whole('已用天数', 'Days used', { min: 0 }),
  refundFen: fen('可退', 'Refundable', { min: 0 }),
})
const quoted = {
  payableFen: fen('应付', 'Payable', { min: 0 }),
  startAt: Pass.properties.startAt,
  endAt: Pass.properties.endAt,
  placesLeft: orNone(whole('剩余名额', 'Places left')),
  conflicts: shaped('重叠', 'Overlaps', listOf(PassConflict)),
  refundFen: fen('可退金额', 'Refundable', { min: 0 }),
  parts: shaped('退款明细', 'Refund lines', listOf(RefundPart)),
}
export const PassQuote = entity(quoted)

/** A car of a sale. */
export const CarTyped = message({ plateNo: plate() }, { plateColor: among('车牌颜色', 'Plate colour', PlateColor) })
const periods = whole('期数', 'Periods', { min: 1, max: 60 })
const payMethod = among('支付方式', 'Payment method', PayMethod)
const reason = text('原因', 'Reason', { max: 200 })
const cars = listOf(CarTyped, { max: 50 })
export const sale = { groupId, carFeesId, periods, plates: shaped('车辆', 'Cars', cars), payableFen: fen('应付', 'Payable', { min: 0 }), payMethod }
export const saleMore = { seats: Pass.properties.seats, seatCode: text('固定车位', 'Assigned bay', { max: 24 }), startAt: Pass.properties.startAt }

const One = pick(Pass, 'id', 'version')
const edit = { service: 'member', needs: 'member:pass:edit', writes: true } as const
const view = { service: 'member', needs: 'member:pass:view' } as const
const deferral = { kind: among('延期方式', 'Extension', DeferKind) }
export const deferralMore = { periods, days: whole('天数', 'Days', { min: 1, max: 31 }), reason, payMethod }
export const seat = {
  query: call('member.seat.query', {
    ...view,
    post: '/member/custom/queryMemberSeat',
    body: message(
      {},
      {
        parkCode,
        seatCode: saleMore.seatCode,
        memberId,
        plateNo: plate(),
        status: listOf(among('状态', 'Status', PassStatus), { max: 8 }),
        current: whole('页', 'Page', { min: 1, max: 100_000 }),
        limit: whole('每页', 'Rows', { min: 1, max: 500 }),
      },
    ),
    reply: listOf(Pass),
  }),
  /** At once: a car that is inside pays from then on. With `bank` the whole days come back at the end. */
  stop: call('member.seat.stop', {
    ...edit,
    post: '/member/custom/stopMemberSeat',
    does: ['冻结月卡', 'Froze a pass'],
    body: message({ ...One.properties, reason }, { bank: yes('冻结天数顺延', 'Give days back'), until: instant('冻结至', 'Frozen until') }),
    reply: Pass,
  }),
  start: call('member.seat.start', {
    ...edit,
    post: '/member/custom/startMemberSeat',
    does: ['恢复月卡', 'Restarted a pass'],
    body: One,
    reply: Pass,
  }),
  /** `confirm` 0 writes nothing and answers with what it would be; 1 does it, with the quote's number. */
  deferConfirm: call('member.seat.defer-confirm', {
    ...edit,
    post: '/member/custom/deferConfirmMemberSeat',
    does: ['月卡延期', 'Extended a pass'],
    asksWith: { confirm: Confirm.ask },
    body: message(
      { ...One.properties, ...deferral, confirm: among('确认', 'Confirm', Confirm) },
      { ...deferralMore, quoteNo: DeferQuote.properties.quoteNo },
    ),
    reply: message({ quote: DeferQuote }, { order: PassOrder }),
  }),
  delete: call('member.seat.delete', {
    ...edit,
    post: '/member/custom/deleteMemberSeat',
    does: ['删除月卡', 'Deleted a pass'],
    body: One,
    reply: nothing,
  }),
}
/** The most passes that are renewed together. */
export const RENEWED_MOST = 200
/** A pass among those renewed together: its price and new end, or why it is not renewed. */
export const Renewal = entity({
  id: id<PassId>('月卡', 'Pass'),
  ...pick(Pass, 'passNo', 'holder', 'plates', 'status').properties,
  oldEnd: DeferQuote.properties.oldEnd,
  payableFen: DeferQuote.properties.payableFen,
  newEnd: orNone(DeferQuote.properties.newEnd),
  orderNo: PassOrder.properties.orderNo,
  refused: orNone(shaped('不能续费', 'Refused', message({ zh: text('中文', 'Chinese', { max: 300 }), en: text('英文', 'English', { max: 300 }) }))),
})
export const pass = {
  quote: call('member.pass.quote', {
    ...view,
    own: true,
    post: '/member/pass/quote',
    body: message(
      { act: among('报价', 'Quote', QuoteAct) },
      { id: id<PassId>('月卡', 'Pass'), groupId, carFeesId, periods, plates: sale.plates, seats: saleMore.seats, startAt: saleMore.startAt },
    ),
    reply: PassQuote,
  }),
  /** `payableFen` is what the buyer was told. A sale that is not paid within half an hour is void. */
  sell: call('member.pass.sell', {
    ...edit,
    own: true,
    post: '/member/pass/sell',
    does: ['售卖月卡', 'Sold a pass'],
    body: message({ memberId, ...sale }, saleMore),
    reply: PassOrder,
  }),
  /** The order that waits, paid at the counter: cash, or the code of a channel, shown as often as the payer needs it. */
  pay: call('member.pass.pay', {
    ...edit,
    own: true,
    post: '/member/pass/pay',
    does: ['收取月卡待支付订单', 'Took the money for an unpaid pass order'],
    body: message({ id: id<PassId>('月卡', 'Pass'), payMethod }),
    reply: PassOrder,
  }),
  /** Cancels an order that the customer no longer wants: places it held are free at once. A pass that was being sold is void; a renewal leaves it as it was. */
  cancelOrder: call('member.pass.cancel-order', {
    ...edit,
    own: true,
    post: '/member/pass/cancelOrder',
    does: ['取消月卡待支付订单', 'Cancelled an unpaid pass order'],
    body: One,
    reply: Pass,
  }),
  /** Returns the state of an order whose code a payer was shown. */
  orderState: call('member.pass.order-state', {
    ...view,
    own: true,
    get: '/member/pass/orderState',
    query: message({ orderNo: text('订单号', 'Order number', { max: 40 }) }),
    reply: message({ paid: yes('已支付', 'Paid'), waits: yes('待支付', 'Unpaid') }),
  }),
  audit: call('member.pass.audit', {
    service: 'member',
    needs: 'member:pass:audit',
    writes: true,
    own: true,
    post: '/member/pass/audit',
    does: ['审核月卡', 'Reviewed a pass'],
    body: message({ ...One.properties, pass: yes('通过', 'Approve') }, { verdict: text('审核意见', 'Review comment', { max: 200 }) }),
    reply: PassOrder,
  }),
  /** Access stops at once; the money goes back when another person has approved it. */
  refund: call('member.pass.refund', {
    ...edit,
    own: true,
    post: '/member/pass/refund',
    does: ['申请退卡', 'Asked to cancel a pass'],
    body: message({ ...One.properties, reason }),
    reply: Pass,
  }),
  /** Withdraws a cancellation made by mistake: the applicant does so while nobody has decided, and the pass goes on. */
  withdrawRefund: call('member.pass.withdraw-refund', {
    ...edit,
    own: true,
    post: '/member/pass/withdrawRefund',
    does: ['撤回退卡申请', 'Withdrew the cancellation of a pass'],
    body: message({ ...One.properties }),
    reply: Pass,
  }),
  /** How many days may still be given free of charge this year. */
  freeDays: call('member.pass.free-days', {
    service: 'member',
    needs: 'member:pass:defer',
    own: true,
    get: '/member/pass/freeDays',
    query: pick(Pass, 'id'),
    reply: message({ left: whole('剩余天数', 'Days left', { min: 0 }) }),
  }),
  /** Passes by their ids, or all that the customers have which can still be extended. `payableFen` is the sum that was shown; `cash` takes it at once. */
  renewMany: call('member.pass.renew-many', {
    ...edit,
    own: true,
    post: '/member/pass/renewMany',
    does: ['批量续费', 'Renewed several passes'],
    body: message(
      { periods },
      {
        ids: shaped('月卡', 'Passes', listOf(id<PassId>('月卡', 'Pass'), { max: RENEWED_MOST })),
        memberIds: shaped('客户', 'Customers', listOf(id<CustomerId>('客户', 'Customer'), { max: RENEWED_MOST })),
        payableFen: fen('合计应付', 'Total payable', { min: 0 }),
        cash: yes('现金收讫', 'Paid in cash'),
        dryRun: yes('只试算', 'Trial only'),
      },
    ),
    reply: listOf(Renewal),
  }),
}

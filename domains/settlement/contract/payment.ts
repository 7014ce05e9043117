import { call } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, exact, fen, id, instant, message, orNone, text, whole } from '../../../platform/contract/field.ts'

export const PayMethod = dictionary('pay_method', ['支付方式', 'Payment method'], {
  wechat: [1, '微信', 'WeChat'],
  alipay: [2, '支付宝', 'Alipay'],
  storedValue: [3, '储值余额', 'Stored value'],
  cash: [4, '现金', 'Cash'],
  unionpay: [5, '银联', 'UnionPay'],
  etc: [6, 'ETC', 'ETC'],
  digitalYuan: [7, '数字人民币', 'Digital yuan'],
  coupon: [10, '停车券抵扣', 'Parking coupon'],
  points: [11, '积分抵扣', 'Paid with points'],
  autoDebit: [12, '免密代扣', 'Automatic debit'],
  other: [99, '其他', 'Other'],
})
export type PayMethodCode = keyof typeof PayMethod.entries
export const PaymentState = dictionary('payment_state', ['支付状态', 'Payment status'], {
  waiting: [0, '待支付', 'Waiting', 'warning'],
  received: [1, '成功', 'Received', 'success'],
  closed: [2, '已关闭', 'Closed', 'default'],
  failed: [3, '失败', 'Failed', 'default'],
  paidTwice: [4, '重复支付', 'Paid twice', 'error'],
  wrongAmount: [5, '金额异常', 'Wrong amount', 'error'],
  afterCancel: [6, '取消后支付', 'Paid after cancellation', 'error'],
})
/** Money that nobody asked for: it settles nothing and goes back. */
export const UNASKED_STATES: readonly number[] = [PaymentState.paidTwice, PaymentState.wrongAmount, PaymentState.afterCancel]

/**
 * The channel through which money of a method comes; the ledger keeps what is in transit by it. A debit comes through the one with which its driver signed, and is in that one's file: `debit` by
 * itself is where it is not known.
 */
export const CHANNELS = {
  1: 'wechat',
  2: 'alipay',
  3: 'stored',
  4: 'cash',
  5: 'unionpay',
  6: 'etc',
  7: 'ecny',
  10: 'coupon',
  11: 'points',
  12: 'debit',
  99: 'other',
} as const satisfies Record<PayMethodCode, string>
export type Channel = (typeof CHANNELS)[PayMethodCode]
/** A channel in a sheet: as people call it. */
export const channelInWords = {
  name: 'channel' as const,
  words: Object.fromEntries(
    Object.entries(CHANNELS).map(([code, name]): [string, readonly [string, string]] => {
      const [zh, en] = PayMethod.entries[Number(code) as PayMethodCode]
      return [name, [zh, en]]
    }),
  ),
}
export const methodOf = (channel: string): PayMethodCode =>
  Number(Object.entries(CHANNELS).find(([, name]) => name === channel)?.[0] ?? 99) as PayMethodCode

/** One attempt to pay an order, or money that came for it unasked. */
export const Payment = entity(['支付', 'Payment'], {
  id: id<'PaymentId'>(),
  orderId: id<'OrderId'>('订单', 'Order'),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  payNo: text('支付单号', 'Payment number', { max: 48 }),
  payMethod: among('支付方式', 'Payment method', PayMethod),
  channel: text('支付渠道', 'Channel', { max: 20 }),
  tradeNo: orNone(text('渠道流水号', 'Transaction ID', { max: 64 })),
  /** The amount due when the payment began. For cash that a handheld took: what was due then, however much it took; null where nothing was owed. */
  amountFen: fen('应付', 'Payable', { min: 0 }),
  receivedFen: fen('实收', 'Paid', { min: 0 }),
  refundFen: fen('已退', 'Refunded', { min: 0 }),
  refundingFen: fen('退款中', 'Being refunded', { min: 0 }),
  state: among('状态', 'Status', PaymentState),
  expiresAt: orNone(instant('有效期至', 'Valid until')),
  paidAt: orNone(instant('支付时间', 'Paid at')),
  operatorName: orNone(text('收费员', 'Collector')),
  shiftId: orNone(id<'ShiftId'>('收银班次', 'Cash shift')),
  besideId: orNone(id<'PaymentId'>('同付的支付', 'Paid together with')),
  version: whole('版本', 'Version'),
})

/**
 * A signed notice of the sandbox channel: HMAC-SHA256 over all other fields, sorted by name, as `name=value` joined by `&`.
 * Every delivery has a fresh timestamp and nonce; a nonce that was used before is refused.
 */
export const SandboxNotice = message(
  {
    mchId: text('商户号', 'Merchant ID', { max: 40 }),
    channel: text('渠道', 'Channel', { max: 20 }),
    kind: text('类型', 'Type', { max: 10, pattern: '^(payment|refund|agreement)$' }),
    number: text('我方单号', 'Our number', { max: 48 }),
    tradeNo: text('渠道流水号', 'Transaction ID', { max: 64 }),
    /** Left out for an agreement. */
    amountFen: fen('金额', 'Amount', { min: 0 }),
    result: text('结果', 'Result', { max: 10, pattern: '^(SUCCESS|FAIL)$' }),
    finishedAt: text('完成时间', 'Finished at', { max: 30 }),
    timestamp: whole('时间戳', 'Timestamp', { unit: 'second', min: 0 }),
    nonce: text('随机串', 'Nonce', { min: 16, max: 64 }),
    sign: text('签名', 'Signature', { min: 64, max: 64 }),
  },
  {},
)
export const notice = {
  sandbox: call('settlement.notice.sandbox', {
    service: 'business',
    post: '/pay/sandbox/notice',
    writes: true,
    needs: 'public',
    own: true,
    does: ['支付回调', 'Received a payment callback'],
    body: exact(SandboxNotice),
    reply: text('答复', 'Answer'),
  }),
}

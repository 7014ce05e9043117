import { call, paged, pageOf, searchOf } from '../../../platform/contract/call.ts'
import {
  among,
  dictionary,
  entity,
  fen,
  id,
  instant,
  listOf,
  message,
  moves,
  orNone,
  pick,
  plate,
  shaped,
  text,
  whole,
  yes,
} from '../../../platform/contract/field.ts'
import { PayMethod } from './payment.ts'

export const ShiftState = dictionary('shift_state', ['收银班次状态', 'Cash shift status'], {
  running: [0, '进行中', 'Running', 'success'],
  toTakeOver: [1, '待接班确认', 'Awaiting takeover', 'warning'],
  handedOver: [2, '已交接', 'Handed over', 'default'],
  toSettle: [3, '待核验', 'Pending verification', 'warning'],
  settled: [4, '已核验', 'Verified', 'default'],
  difference: [5, '差异处理中', 'Resolving difference', 'error'],
})
export const shiftCan = moves(ShiftState, {
  handOver: { 0: 1 },
  bringIn: { 0: 3 },
  differ: { 0: 5 },
  accept: { 1: 2 },
  reject: { 1: 0 },
  verify: { 2: 4, 3: 4 },
  comeLate: { 1: 5, 2: 5, 3: 5, 4: 5, 5: 5 },
})
export const ShiftWay = dictionary('shift_way', ['差异处理方式', 'Difference resolution'], {
  madeGood: [1, '已补足', 'Repaid'],
  over: [2, '长款', 'Booked as a surplus'],
  borne: [3, '公司承担', 'Borne by the enterprise'],
})
export const ShiftMoveKind = dictionary('shift_move_kind', ['现金变动', 'Cash transactions'], {
  deposit: [1, '上缴', 'Deposited'],
  handedOver: [2, '交出', 'Handed over'],
  takenOver: [3, '接入', 'Taken over'],
  short: [4, '短款', 'Shortage'],
  over: [5, '长款（多收）', 'Surplus'],
  broughtIn: [6, '入账', 'Banked'],
})
export const CashFace = dictionary('cash_face', ['面额', 'Denomination'], {
  y100: [10_000, '100 元', '¥100'],
  y50: [5_000, '50 元', '¥50'],
  y20: [2_000, '20 元', '¥20'],
  y10: [1_000, '10 元', '¥10'],
  y5: [500, '5 元', '¥5'],
  y1: [100, '1 元', '¥1'],
  j5: [50, '5 角', '¥0.50'],
  j1: [10, '1 角', '¥0.10'],
  f1: [1, '1 分', '¥0.01'],
})
const personId = (zh: string, en: string) => id<'PersonId'>(zh, en)
const name = (zh: string, en: string) => orNone(text(zh, en, { max: 40 }))
const openingFloatFen = fen('备用金', 'Opening float', { min: 0 })
/** One person's time at the till. Every cash receipt names the shift it belongs to. Figures of the whole till are null for a reader who sees only a part of its cash. */
export const Shift = entity(['收银班次', 'Cash shift'], {
  id: id<'ShiftId'>(),
  shiftNo: text('收银班次号', 'Cash shift number', { max: 40 }),
  personName: text('收费员', 'Cashier'),
  state: among('状态', 'Status', ShiftState),
  openingFloatFen: orNone(openingFloatFen),
  cashInFen: fen('现金收入', 'Cash in'),
  cashOutFen: fen('现金退款', 'Cash refunds'),
  depositFen: fen('已上缴', 'Deposited'),
  /** Of receipts taken offline: the sums taken above, and below, the amount due at that moment. */
  overFen: fen('多收', 'Taken above what was due'),
  underFen: fen('少收', 'Undercharged'),
  expectedFen: orNone(fen('应有现金', 'Cash expected')),
  openedAt: instant('开班时间', 'Opened at'),
  closedAt: orNone(instant('结班时间', 'Closed at')),
  version: whole('版本', 'Version'),
})
export const Counted = entity({ faceFen: among('面额', 'Denomination', CashFace), count: whole('张数', 'Pieces', { min: 0, max: 100_000 }) })
const counted = shaped('清点', 'Counted', listOf(Counted, { max: Object.keys(CashFace.entries).length }))
/** A shift with its later results, once it was closed. */
export const ShiftLine = entity({
  ...Shift.properties,
  personId: personId('收费员编号', 'Cashier (id)'),
  parkCode: orNone(text('车场编号', 'Car park code', { max: 16 })),
  countedFen: orNone(fen('实点现金', 'Counted')),
  differenceFen: orNone(fen('差异', 'Difference')),
  openFen: orNone(fen('未处理差异', 'Open difference')),
  lateFen: orNone(fen('迟到收款', 'Late receipts')),
  closeReason: orNone(text('差异原因', 'Reason for difference', { max: 200 })),
  takerId: orNone(personId('接班人编号', 'Taken over by (id)')),
  takerName: name('接班人', 'Taken over by'),
  takenAt: orNone(instant('接班时间', 'Taken over at')),
  settledWay: orNone(among('差异处理', 'Difference settled', ShiftWay)),
  settledNote: orNone(text('处理说明', 'Settlement note', { max: 200 })),
  settledById: orNone(personId('处理人编号', 'Settled by (id)')),
  settledByName: name('处理人', 'Settled by'),
  settledAt: orNone(instant('处理时间', 'Settled at')),
  confirmedById: orNone(personId('确认人编号', 'Confirmed by (id)')),
  confirmedByName: name('确认人', 'Confirmed by'),
  verifiedById: orNone(personId('核验人编号', 'Verified by (id)')),
  verifiedByName: name('核验人', 'Verified by'),
  verifiedAt: orNone(instant('核验时间', 'Verified at')),
})
/** The part of a shift that is stored in its own row: the ledger supplies the rest once the call is over. */
export const ShiftRow = pick(
  ShiftLine,
  ...([
    'id',
    'version',
    'shiftNo',
    'personId',
    'personName',
    'state',
    'openedAt',
    'closedAt',
    'openingFloatFen',
    'countedFen',
    'differenceFen',
    'openFen',
    'lateFen',
    'closeReason',
  ] as const),
  ...([
    'takerId',
    'takerName',
    'takenAt',
    'settledWay',
    'settledNote',
    'settledByName',
    'settledAt',
    'confirmedByName',
    'verifiedByName',
    'verifiedAt',
  ] as const),
)
export const ShiftMove = entity({
  id: id<'ShiftMoveId'>(),
  kind: among('类型', 'Type', ShiftMoveKind),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  debitFen: fen('收入', 'In'),
  creditFen: fen('支出', 'Out'),
  voucherNo: orNone(text('凭证号', 'Voucher', { max: 40 })),
  byName: text('经办人', 'By', { max: 40 }),
  at: instant('时间', 'Time'),
})
/** A payment into a till. The list shows the newest, of the parks that the reader may see. */
export const ShiftTaking = entity({
  id: id<'PaymentId'>(),
  orderId: id<'OrderId'>('订单', 'Order'),
  orderNo: text('订单号', 'Order number', { max: 40 }),
  plateNo: orNone(plate()),
  parkCode: text('车场编号', 'Car park code', { max: 16 }),
  payMethod: among('支付方式', 'Payment method', PayMethod),
  receivedFen: fen('实收', 'Paid', { min: 0 }),
  refundFen: fen('已退', 'Refunded', { min: 0 }),
  paidAt: instant('收款时间', 'Taken at'),
})
export const ShiftDetail = entity({
  ...ShiftLine.properties,
  counted: orNone(counted),
  moves: shaped('现金变动', 'Cash transactions', listOf(ShiftMove)),
  takings: shaped('收款', 'Receipts', listOf(ShiftTaking)),
})
export const shiftSearch = searchOf(
  ShiftLine,
  { shiftNo: 'startsWith', personName: 'contains', state: 'among', parkCode: 'equals', openedAt: 'between' },
  { sort: ['openedAt'] },
)
const own = { service: 'business', own: true } as const
const cashier = { ...own, needs: 'settlement:order:cash', writes: true } as const
const Ref = pick(Shift, 'id', 'version').properties
const note = text('说明', 'Note', { max: 200 })

export const shift = {
  /** The shift that is running, or none. */
  mine: call('settlement.shift.mine', {
    ...own,
    get: '/shift/mine',
    needs: 'settlement:order:cash',
    query: message({}),
    reply: orNone({ ...Shift, 'x-zh': '收银班次', 'x-en': 'Cash shift' }),
  }),
  /** Opens one, or answers the one that is already running. */
  open: call('settlement.shift.open', {
    ...cashier,
    post: '/shift/open',
    does: ['开班', 'Opened a cash shift'],
    body: message({}, { openingFloatFen }),
    reply: Shift,
  }),
  /** Returns the shifts that somebody wants to hand over to the caller. */
  toTake: call('settlement.shift.to-take', {
    ...own,
    get: '/shift/toTake',
    needs: 'settlement:order:cash',
    query: message({}),
    reply: listOf(ShiftLine),
  }),
  query: call('settlement.shift.query', {
    ...own,
    post: '/shift/query',
    needs: 'settlement:shift:view',
    body: paged(shiftSearch),
    reply: pageOf(ShiftLine),
  }),
  detail: call('settlement.shift.detail', {
    ...own,
    get: '/shift/detail',
    needs: 'settlement:shift:view',
    query: message({ id: Shift.properties.id }),
    reply: ShiftDetail,
  }),
  /** Cash of the running shift is paid into the bank; the bank's voucher says so. */
  deposit: call('settlement.shift.deposit', {
    ...cashier,
    post: '/shift/deposit',
    does: ['上缴现金', 'Deposited cash'],
    body: message({ ...Ref, amountFen: fen('上缴金额', 'Amount', { min: 1 }), voucherNo: text('凭证号', 'Voucher', { max: 40 }) }),
    reply: ShiftRow,
  }),
  /** Closes a shift with the count of its keeper; the cash goes to the taker, or to the bank. */
  close: call('settlement.shift.close', {
    ...cashier,
    post: '/shift/close',
    does: ['交班', 'Closed a cash shift'],
    body: message(
      { ...Ref, counted },
      { takerTollNo: text('接班人工号', 'Incoming cashier no.', { max: 32 }), reason: text('差异原因', 'Reason', { max: 200 }) },
    ),
    reply: ShiftRow,
  }),
  takeOver: call('settlement.shift.take-over', {
    ...cashier,
    post: '/shift/takeOver',
    does: ['接班', 'Took over a cash shift'],
    body: message({ ...Ref, accept: yes('接班', 'Accept') }, { countedFen: fen('实收现金', 'Counted', { min: 0 }) }),
    reply: ShiftRow,
  }),
  /** Borne by the company it is proposed by one, and in force once another says the same. */
  settle: call('settlement.shift.settle', {
    ...own,
    needs: 'settlement:shift:settle',
    writes: true,
    post: '/shift/settle',
    does: ['处理收银班次差异', 'Settled a cash shift difference'],
    body: message({ ...Ref, way: among('处理方式', 'Resolution', ShiftWay) }, { note }),
    reply: ShiftRow,
  }),
  verify: call('settlement.shift.verify', {
    ...own,
    needs: 'settlement:shift:verify',
    writes: true,
    post: '/shift/verify',
    does: ['核验收银班次现金', 'Verified a cash shift'],
    body: message(Ref),
    reply: ShiftRow,
  }),
}

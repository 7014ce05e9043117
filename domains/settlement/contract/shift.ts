import { call } from '../../../platform/contract/call.ts'
import { among, dictionary, entity, fen, id, instant, message, orNone, text, whole } from '../../../platform/contract/field.ts'

export const ShiftState = dictionary('shift_state', ['当班状态', 'State of the cash shift'], {
  running: [0, '进行中', 'Running', 'success'],
  toTakeOver: [1, '待接班确认', 'To be taken over', 'warning'],
  handedOver: [2, '已交接', 'Handed over', 'default'],
  toSettle: [3, '待核销', 'To be settled', 'warning'],
  settled: [4, '已核销', 'Settled', 'default'],
  difference: [5, '差异处理中', 'Difference being handled', 'error'],
})
/** One person's time at the till. Every cash receipt names the shift it belongs to. */
export const Shift = entity(['当班', 'Cash shift'], {
  id: id<'ShiftId'>(),
  shiftNo: text('当班号', 'Cash shift number', { max: 40 }),
  personName: text('收费员', 'Cashier'),
  state: among('状态', 'State', ShiftState),
  openingFloatFen: fen('备用金', 'Opening float', { min: 0 }),
  cashInFen: fen('现金收入', 'Cash in'),
  cashOutFen: fen('现金退款', 'Cash refunds'),
  expectedFen: fen('应有现金', 'Cash expected'),
  openedAt: instant('开班时间', 'Opened at'),
  closedAt: orNone(instant('结班时间', 'Closed at')),
  version: whole('版本', 'Version'),
})

export const shift = {
  /** The shift that is running, or none. */
  mine: call('settlement.shift.mine', {
    service: 'business',
    get: '/shift/mine',
    needs: 'settlement:order:cash',
    own: true,
    query: message({}),
    reply: orNone({ ...Shift, 'x-zh': '当班', 'x-en': 'Cash shift' }), // prettier-ignore
  }),
  /** Opens one, or answers the one that is already running. */
  open: call('settlement.shift.open', {
    service: 'business',
    post: '/shift/open',
    writes: true,
    needs: 'settlement:order:cash',
    own: true,
    does: ['开班', 'Opened a shift'],
    body: message({}, { openingFloatFen: Shift.properties.openingFloatFen }),
    reply: Shift, // prettier-ignore
  }),
}

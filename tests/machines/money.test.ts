import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../platform/server/database.ts'
import { type OrderStatus, orderCan } from '../../domains/settlement/contract/order.ts'
import { type RefundState, refundCan } from '../../domains/settlement/contract/refund.ts'
import { leaveUnpaid, type OrderRow } from '../../domains/settlement/server/api.ts'
import { endAttempt } from '../../domains/settlement/server/pay/start.ts'
import { finishRefund } from '../../domains/settlement/server/refund/returning.ts'
import { aTill, now, type Till } from '../../domains/settlement/server/testing.ts'
import { tally } from '../../scripts/tally.ts'
import { exercise, type Machine, type Move, SEED, STEPS } from './machine.ts'

type Status = keyof typeof OrderStatus.entries
type State = keyof typeof RefundState.entries
const DUE = 1200
const PART = 400
let till: Till
beforeAll(async () => {
  console.log(`machines: seed ${SEED}, ${STEPS} steps each`)
  till = await aTill({ role: 'web' })
  // The cash for refunds lies in the till from its beginning.
  await till.call(till.admin, '/shift/open', { openingFloatFen: 100_000_000 })
})
afterAll(() => till.close())

const write: Till['server']['house']['writing'] = (...args) => till.server.house.writing(...args)
/** The status of a refusal that a rule of ours raises inside a transaction. */
const statusOf = async (work: Promise<unknown>): Promise<number> => {
  try {
    await work
    return 200
  } catch (error) {
    return (error as { status?: number }).status ?? 500
  }
}

interface Order {
  status: Status
  owed: boolean
  paidFen: number
  refundFen: number
  /** An attempt at the channel that can still be paid or closed. */
  attempt: 'none' | 'open' | 'over'
}
interface RealOrder {
  order: OrderRow
  payNo: string
}
const orderMachine = (): Machine<Order, RealOrder> => ({
  name: 'order',
  life: 16,
  fresh: async () => ({
    model: { status: 0, owed: false, paidFen: 0, refundFen: 0, attempt: 'none' },
    real: { order: await till.anOrder(), payNo: '' },
  }),
  async look({ order }) {
    const { status, paidFen, refundFen } = await till.story(order.id)
    const [row] = await write(1, 'test', (tx) => run<{ owed: boolean }>(tx, { sql: 'select owed from settlement.order where id = $1' }, [order.id]))
    return { status, paidFen, refundFen, owed: row!.owed }
  },
  moves: [pays, notice, cash, cancel, leaves, waives, refunds, timesOut],
})
type OrderMove = Move<Order, RealOrder>
const to = (model: Order, status: Status | undefined, more: Partial<Order> = {}): boolean => {
  if (status !== undefined) Object.assign(model, { status, ...more })
  return status !== undefined
}
const pays: OrderMove = {
  name: 'pay',
  async does(real) {
    const { status, data } = await till.call(till.admin, '/order/pay', { id: real.order.id, payMethod: 1 })
    if (status === 200) real.payNo = data.payNo
    return status
  },
  allowed: (model) => to(model, orderCan.pay(model.status), { attempt: 'open' }),
}
/** Money that comes is taken, whatever the state: it pays, or it goes back. */
const notice: OrderMove = {
  name: 'notice',
  does: async (real, { attempt }) => (attempt === 'none' ? 200 : (await till.notify({ payNo: real.payNo, amountFen: DUE })).status),
  allowed(model) {
    if (model.attempt !== 'none') to(model, orderCan.paid(model.status), { paidFen: DUE })
    if (model.attempt === 'open') model.attempt = 'over'
    return true
  },
}
const cash: OrderMove = {
  name: 'cash',
  does: async ({ order }) => (await till.call(till.operator, '/order/cash', { id: order.id, amountFen: DUE })).status,
  allowed: (model) => to(model, orderCan.paid(model.status), { paidFen: DUE }),
}
/** An order that is being paid first falls back to the state it came from. */
const settledIn = ({ status, owed }: Order): Status => (status === 1 ? (owed ? 4 : 0) : status)
const cancel: OrderMove = {
  name: 'cancel',
  does: async ({ order }) => (await till.call(till.admin, '/order/cancel', { id: order.id, reason: '试' })).status,
  allowed: (model) => to(model, orderCan.cancel(settledIn(model))),
}
const leaves: OrderMove = {
  name: 'leaveUnpaid',
  does: ({ order }) => statusOf(write(1, 'test', (tx) => leaveUnpaid(tx, order.id, { at: now() }))),
  allowed: (model) => to(model, orderCan.leaveUnpaid(settledIn(model)), { owed: true }),
}
const waives: OrderMove = {
  name: 'waive',
  async does({ order }) {
    const asked = await till.call(till.operator, '/orderWaiver/apply', { orderId: order.id, amountFen: DUE, reason: '试' })
    if (asked.status !== 200) return asked.status
    return (await till.call(till.admin, '/orderWaiver/approve', { id: asked.data.id, version: asked.data.version })).status
  },
  allowed: (model) => to(model, orderCan.waive(model.status)),
}
const refunds: OrderMove = {
  name: 'refund',
  async does({ order }) {
    const asked = await till.call(till.operator, '/orderRefund/apply', { orderId: order.id, amountFen: PART, reason: '试' })
    if (asked.status !== 200) return asked.status
    const { data } = await till.call(till.admin, '/orderRefund/approve', { id: asked.data.id, version: asked.data.version })
    return statusOf(write(1, 'test', (tx) => finishRefund(tx, { refundNo: data.refundNo, ok: true, at: now() })))
  },
  allowed(model) {
    const refundFen = model.refundFen + PART
    return to(model, (refundFen === DUE ? orderCan.refundAll : orderCan.refundPart)(model.status), { refundFen })
  },
}
const timesOut: OrderMove = {
  name: 'timeOut',
  async does({ order }) {
    const sql = 'select id from settlement.payment where order_id = $1 and state = 0'
    const open = await write(1, 'test', (tx) => run<{ id: string }>(tx, { sql }, [order.id]))
    for (const { id } of open) await write(1, 'test', (tx) => endAttempt(tx, id, 2, now()))
    return 200
  },
  allowed(model) {
    if (model.attempt === 'open') {
      model.attempt = 'over'
      model.status = settledIn(model)
    }
    return true
  },
}

interface Refunded {
  state: State
  cash: boolean
  refundingFen: number
  refundFen: number
}
interface RealRefund {
  id: string
  refundNo: string
  paymentId: string
}
const HELD = new Set<State>([0, 1, 2])
const amounts = (model: Refunded, state: State | undefined): boolean => {
  if (state === undefined) return false
  Object.assign(model, { state, refundingFen: HELD.has(state) ? PART : 0, refundFen: state === 3 ? PART : 0 })
  return true
}
type RefundMove = Move<Refunded, RealRefund>
const rowOf = async ({ id }: RealRefund) =>
  (
    await write(1, 'test', (tx) =>
      run<{ version: number; state: State; refundingFen: number; refundFen: number }>(
        tx,
        {
          sql: 'select r.version, r.state, p.refunding_fen, p.refund_fen from settlement.refund r join settlement.payment p on p.id = r.payment_id where r.id = $1',
        },
        [id],
      ),
    )
  )[0]!
const byCall = (name: string, path: string, move: (model: Refunded) => State | undefined, more: object = {}): RefundMove => ({
  name,
  does: async (real) => (await till.call(till.admin, `/orderRefund/${path}`, { id: real.id, version: (await rowOf(real)).version, ...more })).status,
  allowed: (model) => amounts(model, move(model)),
})
/** The channel's word; it has none about cash. */
const byChannel = (name: string, ok: boolean): RefundMove => ({
  name,
  does: ({ refundNo }, { cash: inCash }) =>
    inCash ? Promise.resolve(200) : statusOf(write(1, 'test', (tx) => finishRefund(tx, { refundNo, ok, at: now() }))),
  allowed(model) {
    if (!model.cash) amounts(model, (ok ? refundCan.succeed : refundCan.fail)(model.state))
    return true // told again, it counts once
  },
})
let alternating = 0
const refundMachine = (): Machine<Refunded, RealRefund> => ({
  name: 'refund',
  life: 10,
  async fresh() {
    const inCash = alternating++ % 2 === 0
    const order = await till.anOrder()
    if (inCash) await till.call(till.operator, '/order/cash', { id: order.id, amountFen: DUE })
    else await till.notify({ payNo: (await till.startPaying(order)).payNo, amountFen: DUE })
    const { data } = await till.call(till.operator, '/orderRefund/apply', { orderId: order.id, amountFen: PART, reason: '试' })
    return { model: { state: 0, cash: inCash, refundingFen: PART, refundFen: 0 }, real: data }
  },
  async look(real) {
    const { state, refundingFen, refundFen } = await rowOf(real)
    return { state, refundingFen, refundFen }
  },
  moves: [
    byCall('approve', 'approve', ({ state }) => refundCan.approve(state)),
    byCall('reject', 'reject', ({ state }) => refundCan.reject(state), { verdict: '试' }),
    byCall('payOut', 'payOut', ({ state, cash: inCash }) => (inCash ? refundCan.payOut(state) : undefined)),
    byCall('retry', 'retry', ({ state }) => (state === 4 ? refundCan.send(state) : undefined)),
    byChannel('succeed', true),
    byChannel('fail', false),
    {
      name: 'approve an older version',
      does: async (real) => (await till.call(till.admin, '/orderRefund/approve', { id: real.id, version: (await rowOf(real)).version + 1 })).status,
      allowed: () => false,
    },
  ],
})

test.each([
  ['order', orderMachine],
  ['refund', refundMachine],
] as const)(
  'the %s is always what its table of moves says, and what the table forbids is refused',
  async (name, machine) => {
    const { steps, refused } = await exercise(machine() as Machine<object, unknown>)
    expect(steps).toBeGreaterThanOrEqual(STEPS)
    tally({ check: `machine: ${name}`, seed: SEED, numbers: { steps, refused } })
  },
  60_000 + STEPS * 100,
)

test('afterwards every balance follows from the lines', async () => expect((await till.replay()).differences).toEqual([]))

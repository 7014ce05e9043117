import { afterAll, beforeAll, expect, test } from 'vitest'
import { PassStatus } from '../../domains/member/contract/pass.ts'
import { anOffice, type Office } from '../../domains/member/server/testing.ts'
import { exercise, LIFE_MS, type Machine, type Move, SEED, STEPS } from './machine.ts'

const TERMS = { plan: { periodUnit: 1, periodCount: 30, priceFen: 10_001 } }
let office: Office
let made: Awaited<ReturnType<Office['aGroup']>>
beforeAll(async () => {
  console.log(`machines: seed ${SEED}, ${STEPS} steps each`)
  office = await anOffice()
  made = await office.aGroup(TERMS)
})
afterAll(() => office.server.close())

interface Pass {
  status: number
  /** A renewal waits for its money. */
  waits: boolean
  /** How many times it was paid for. */
  paidFen: number
}
interface Real {
  id: string
}
type PassMove = Move<Pass, Real>
const becomes = (model: Pass, may: boolean, next: Partial<Pass>): boolean => {
  if (may) Object.assign(model, next)
  return may
}
const named = async ({ id }: Real) => ({ id, version: (await office.pass(id)).version as number })
/** The order of the renewal that waits. */
const order = async ({ id }: Real) =>
  (
    await office.sql<{ id: string; payableFen: number }>(
      `select o.id, o.payable_fen from member.period p join settlement.order o on o.id = p.order_id where p.pass_id = $1 and p.kind = 2 and o.status = 0`,
      [id],
    )
  )[0]

const freezes: PassMove = {
  name: 'frozen',
  does: async (real) => (await office.call('/custom/stopMemberSeat', { ...(await named(real)), reason: '试', bank: false })).status,
  allowed: (model) => becomes(model, model.status === PassStatus.valid && !model.waits, { status: PassStatus.frozen }),
}
const restarts: PassMove = {
  name: 'restarted',
  does: async (real) => (await office.call('/custom/startMemberSeat', await named(real))).status,
  allowed: (model) => becomes(model, model.status === PassStatus.frozen, { status: PassStatus.valid }),
}
const renews: PassMove = {
  name: 'renewed',
  async does({ id }) {
    const { status, data } = await office.call('/pass/renewMany', { ids: [id], periods: 1 })
    return status === 200 && data[0].refused ? 409 : status
  },
  allowed: (model) => becomes(model, model.status === PassStatus.valid && !model.waits, { waits: true }),
}
const pays: PassMove = {
  name: 'the renewal is paid',
  async does(real) {
    const due = await order(real)
    return due ? (await office.ask(office.admin, '/business/order/cash', { id: due.id, amountFen: due.payableFen })).status : 409
  },
  allowed: (model) => becomes(model, model.waits, { waits: false, paidFen: model.paidFen + TERMS.plan.priceFen }),
}
const cancels: PassMove = {
  name: 'the renewal is cancelled',
  async does(real) {
    const due = await order(real)
    return due ? (await office.ask(office.admin, '/business/order/cancel', { id: due.id, reason: '试' })).status : 409
  },
  allowed: (model) => becomes(model, model.waits, { waits: false }),
}
const deletes: PassMove = {
  name: 'deleted while it runs',
  does: async (real) => (await office.call('/custom/deleteMemberSeat', await named(real))).status,
  allowed: () => false,
}

const machine = (): Machine<Pass, Real> => ({
  name: 'pass',
  life: 12,
  async fresh() {
    const { id } = await office.aPass(made)
    return { model: { status: PassStatus.valid, waits: false, paidFen: TERMS.plan.priceFen }, real: { id } }
  },
  async look(real) {
    const { status, paidFen } = await office.pass(real.id)
    return { status, paidFen, waits: (await order(real)) !== undefined }
  },
  moves: [freezes, restarts, renews, pays, cancels, deletes],
})

const PERIODS_APART = `select a.pass_id from member.period a join member.period b on b.pass_id = a.pass_id and b.id <> a.id and b.state = a.state
  where a.state = 1 and a.start_at < b.end_at and b.start_at < a.end_at`
const ENDS_WRONG = `select h.id from member.held h where h.end_at <> (select max(p.end_at) from member.period p where p.pass_id = h.id and p.state = 1)`

test(
  'whatever is done with passes in whatever order: their states are the table’s, no day is sold twice, and each ends where its last paid period does',
  async () => {
    const { steps, refused } = await exercise(machine())
    expect(steps).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(10)
    expect(await office.sql(PERIODS_APART)).toEqual([])
    expect(await office.sql(ENDS_WRONG)).toEqual([])
  },
  LIFE_MS,
)

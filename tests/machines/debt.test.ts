import type { Id } from '../../platform/contract/field.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ArrearsState } from '../../domains/arrears/contract/file.ts'
import { aCollection, aPlate, type Collection } from '../../domains/arrears/server/testing.ts'
import { exercise, LIFE_MS, type Machine, type Move, SEED, STEPS } from './machine.ts'

const { open, partly, repaid, appealed, waived, writtenOff, revoked } = ArrearsState
const DUE = 1000
const PART = 300
/** Every step is several calls: more time than other machines have. */
const LONG_AGO_MS = 400 * 86_400_000
let town: Collection
beforeAll(async () => {
  console.log(`machines: seed ${SEED}, ${STEPS} steps each`)
  town = await aCollection({ role: 'web' })
})
afterAll(() => town.close())

interface Debt {
  state: number
  /** The sum that a payer is asked for; of a written-off debt, the whole sum that was written off. */
  leftFen: number
}
interface Real {
  id: string
  orderId: Id<'OrderId'>
  before: number
}
type DebtMove = Move<Debt, Real>
const collect = async ({ id }: Real, paidFen: number) =>
  (await town.post('/escape/repayCollect', { ids: [id], paidFen, payMethod: 4, place: 3 })).status
const fileOf = ({ orderId }: Real) => town.fileOf({ id: orderId as never })
const isOpen = ({ state }: Debt) => state === open || state === partly
/** The model follows where the move is allowed. */
const becomes = (model: Debt, may: boolean, state: number, leftFen = model.leftFen): boolean => {
  if (may) Object.assign(model, { state, leftFen })
  return may
}

const paysPart: DebtMove = {
  name: 'pays a part',
  does: (real) => collect(real, PART),
  allowed: (model) => becomes(model, (isOpen(model) || model.state === appealed) && model.leftFen > PART, partly, model.leftFen - PART),
}
const paysAll: DebtMove = {
  name: 'pays all',
  does: (real, { leftFen }) => collect(real, Math.max(1, leftFen)),
  allowed: (model) => becomes(model, model.leftFen > 0 && [open, partly, appealed, writtenOff].includes(model.state as never), repaid, 0),
}
const appeals: DebtMove = {
  name: 'appeals',
  async does(real) {
    const { state } = await fileOf(real)
    const { status } = await town.post('/escape/appealApply', { id: real.id, reason: '试', contact: '13900001111' }, town.operator)
    if (status === 200) real.before = state
    return status
  },
  allowed: (model) => becomes(model, isOpen(model) || model.state === repaid, appealed),
}
const decides = (path: string) => async (real: Real) => {
  const [waiting] = (await fileOf(real)).appeals.filter(({ state }: { state: number }) => state === 0)
  if (!waiting) return 409
  return (await town.post(path, { id: waiting.id, version: waiting.version, verdict: '试' })).status
}
const upheld: DebtMove = {
  name: 'appeal upheld',
  does: decides('/escape/appealAccept'),
  allowed: (model) => becomes(model, model.state === appealed, revoked, 0),
}
const rejected: DebtMove = {
  name: 'appeal rejected',
  does: decides('/escape/appealReject'),
  allowed: (model) => becomes(model, model.state === appealed, model.leftFen === 0 ? repaid : model.leftFen < DUE ? partly : open),
}
const waives: DebtMove = {
  name: 'waived',
  async does(real, { leftFen }) {
    const asked = await town.post('/orderWaiver/apply', { orderId: real.orderId, amountFen: Math.max(1, leftFen), reason: '试' }, town.operator)
    if (asked.status !== 200) return asked.status
    return (await town.post('/orderWaiver/approve', { id: asked.data.id, version: asked.data.version })).status
  },
  allowed: (model) => becomes(model, isOpen(model) || (model.state === appealed && model.leftFen > 0), waived, 0),
}
const ends = (ask: (real: Real) => Promise<any>) => async (real: Real) => {
  const { status, data } = await ask(real)
  if (status !== 200) return status
  const { id, version } = [data].flat()[0]
  return (await town.post('/escape/writeOffDecide', { id, version, pass: true })).status
}
const writesOff: DebtMove = {
  name: 'written off',
  does: ends(({ id }) => town.post('/escape/writeOffApply', { ids: [id], cause: 1, reason: '试' }, town.operator)),
  allowed: (model) => becomes(model, isOpen(model), writtenOff),
}
const revokes: DebtMove = {
  name: 'revoked',
  does: ends(async (real) => town.post('/escape/recordRevoke', { id: real.id, version: (await fileOf(real)).version, reason: '试' }, town.operator)),
  allowed: (model) => becomes(model, isOpen(model), revoked, 0),
}

const machine = (): Machine<Debt, Real> => ({
  name: 'debt',
  life: 12,
  async fresh() {
    const [file] = await town.debts(aPlate(), [DUE], { at: new Date(Date.now() - LONG_AGO_MS).toISOString() })
    return { model: { state: open, leftFen: DUE }, real: { id: file.id, orderId: file.orderId, before: open } }
  },
  async look(real) {
    const { state, owedFen, writtenOffFen } = await fileOf(real)
    return { state, leftFen: owedFen + writtenOffFen }
  },
  moves: [paysPart, paysAll, appeals, upheld, rejected, waives, writesOff, revokes],
})

test(
  'whatever is done about debts in whatever order: their states are the table’s, and what they owe is what the ledger says',
  async () => {
    const { steps, refused } = await exercise(machine())
    expect(steps).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(10)
    const { ledger, files } = await town.owed()
    expect(files).toBe(ledger)
    expect((await town.replay()).right).toBe(true)
    const { data } = await town.get('/escape/escapeSummary')
    expect(data.paidFen + data.waivedFen + data.writtenOffFen + data.revokedFen + data.owedFen).toBe(data.amountFen)
  },
  LIFE_MS,
)

import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGarage, type Garage } from '../../domains/owner/server/testing.ts'
import { exercise, LIFE_MS, type Machine, type Move, SEED, STEPS } from './machine.ts'

const IN = 1_000
const OUT = 700
let garage: Garage
beforeAll(async () => {
  console.log(`machines: seed ${SEED}, ${STEPS} steps each`)
  garage = await aGarage()
})
afterAll(() => garage.close())

interface Purse {
  principalFen: number
  /** What was asked back and waits for its reviews. */
  frozenFen: number
}
interface Real {
  ownerId: string
  plateNo: string
}
type PurseMove = Move<Purse, Real>
const becomes = (model: Purse, may: boolean, next: Partial<Purse>): boolean => {
  if (may) Object.assign(model, next)
  return may
}
const waiting = async ({ ownerId }: Real) =>
  (await garage.sql<{ id: string; version: number }>('select id, version from owner.refund where owner_id = $1 and state = 0', [ownerId]))[0]

const recharges: PurseMove = {
  name: 'recharges',
  does: async ({ ownerId }) => (await garage.recharge(ownerId, IN)).status,
  allowed: (model) => becomes(model, true, { principalFen: model.principalFen + IN }),
}
const spends: PurseMove = {
  name: 'spends',
  does: ({ plateNo }) => garage.spends(plateNo, OUT).then(() => 200, ({ status }: { status: number }) => status), // prettier-ignore
  allowed: (model) => becomes(model, model.principalFen - model.frozenFen >= OUT, { principalFen: model.principalFen - OUT }),
}
const asksBack: PurseMove = {
  name: 'asks for all of it back',
  does: async ({ ownerId }, { frozenFen }) =>
    frozenFen > 0 ? 409 : (await garage.custom('/assetsStore/refund/apply', { ownerId, reason: '不再使用' })).status,
  allowed: (model) => becomes(model, model.frozenFen === 0 && model.principalFen > 0, { frozenFen: model.principalFen }),
}
const rejects: PurseMove = {
  name: 'a reviewer rejects it',
  async does(real) {
    const found = await waiting(real)
    if (!found) return 409
    return (await garage.custom('/assetsStore/refund/audit', { ...found, level: 1, pass: false, verdict: '试' }, garage.second)).status
  },
  allowed: (model) => becomes(model, model.frozenFen > 0, { frozenFen: 0 }),
}

const machine = (): Machine<Purse, Real> => ({
  name: 'purse',
  life: 12,
  async fresh() {
    const { ownerId } = await garage.anOwner()
    const { plateNo } = await garage.aCar(ownerId)
    return { model: { principalFen: 0, frozenFen: 0 }, real: { ownerId, plateNo } }
  },
  async look({ ownerId }) {
    const { principalFen, frozenFen } = await garage.stands(ownerId)
    return { principalFen, frozenFen }
  },
  moves: [recharges, spends, asksBack, rejects],
})

test(
  'whatever is done with purses in whatever order: nobody spends what they have not, and purse, movements and ledger are the same',
  async () => {
    const { steps, refused } = await exercise(machine())
    expect(steps).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(10)
    expect(await garage.differing()).toEqual([])
  },
  LIFE_MS,
)

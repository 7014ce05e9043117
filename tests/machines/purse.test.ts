import { afterAll, beforeAll, expect, test } from 'vitest'
import { purseMoved } from '../../domains/charging/server/api.ts'
import { aGarage, type Garage, now } from '../../domains/owner/server/testing.ts'
import { exercise, LIFE_MS, type Machine, type Move, SEED, STEPS } from './machine.ts'

const IN = 1_000
const OUT = 700
const CHARGE = 600
const COST = 250
let garage: Garage
beforeAll(async () => {
  console.log(`machines: seed ${SEED}, ${STEPS} steps each`)
  garage = await aGarage()
})
afterAll(() => garage.close())

interface Purse {
  principalFen: number
  /** Money asked back that waits for its reviews, and money set aside for a charge. */
  frozenFen: number
  chargeFen: number
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

const freeOf = ({ principalFen, frozenFen }: Purse) => principalFen - frozenFen
const forCharge = ({ ownerId }: Real, move: 'freeze' | 'spend' | 'free', amountFen: number) =>
  garage.server.house.writing(1, 'test', async (tx) => {
    const what = { move, ownerId, holdNo: `CDY-${ownerId}`, orderNo: `CD-${ownerId.slice(-12)}`, parkCode: 'P001', amountFen, at: now() }
    return (await purseMoved.ask(tx, what)).some(({ answer }) => answer)
  })
const isHeld = async ({ ownerId }: Real) => (await garage.sql('select from owner.charge_hold where hold_no = $1', [`CDY-${ownerId}`])).length > 0

const recharges: PurseMove = {
  name: 'recharges',
  does: async ({ ownerId }) => (await garage.recharge(ownerId, IN)).status,
  allowed: (model) => becomes(model, true, { principalFen: model.principalFen + IN }),
}
const spends: PurseMove = {
  name: 'spends',
  does: ({ plateNo }) =>
    garage.spends(plateNo, OUT).then(
      () => 200,
      ({ status }: { status: number }) => status,
    ),
  allowed: (model) => becomes(model, freeOf(model) >= OUT, { principalFen: model.principalFen - OUT }),
}
const asksBack: PurseMove = {
  name: 'asks for all of it back',
  does: async ({ ownerId }, { frozenFen, chargeFen }) =>
    frozenFen > chargeFen ? 409 : (await garage.custom('/assetsStore/refund/apply', { ownerId, reason: '不再使用' })).status,
  allowed: (model) => becomes(model, model.frozenFen === model.chargeFen && freeOf(model) > 0, { frozenFen: model.principalFen }),
}
const rejects: PurseMove = {
  name: 'a reviewer rejects it',
  async does(real) {
    const found = await waiting(real)
    if (!found) return 409
    return (await garage.custom('/assetsStore/refund/audit', { ...found, level: 1, pass: false, verdict: '试' }, garage.second)).status
  },
  allowed: (model) => becomes(model, model.frozenFen > model.chargeFen, { frozenFen: model.chargeFen }),
}
const startsCharging: PurseMove = {
  name: 'a charge sets its part aside',
  does: async (real) => ((await isHeld(real)) || !(await forCharge(real, 'freeze', CHARGE)) ? 409 : 200),
  allowed: (model) => becomes(model, model.chargeFen === 0 && freeOf(model) >= CHARGE, { frozenFen: model.frozenFen + CHARGE, chargeFen: CHARGE }),
}
const isBilled: PurseMove = {
  name: 'its bill spends what it cost, and the rest is free',
  async does(real) {
    if (!(await isHeld(real))) return 409
    await forCharge(real, 'spend', COST)
    await forCharge(real, 'free', CHARGE - COST)
    return 200
  },
  allowed: (model) =>
    becomes(model, model.chargeFen > 0, { principalFen: model.principalFen - COST, frozenFen: model.frozenFen - CHARGE, chargeFen: 0 }),
}

const machine = (): Machine<Purse, Real> => ({
  name: 'purse',
  life: 12,
  async fresh() {
    const { ownerId } = await garage.anOwner()
    const { plateNo } = await garage.aCar(ownerId)
    return { model: { principalFen: 0, frozenFen: 0, chargeFen: 0 }, real: { ownerId, plateNo } }
  },
  async look({ ownerId }) {
    const { principalFen, frozenFen } = await garage.stands(ownerId)
    const [held] = await garage.sql<{ fen: number }>('select principal_fen + bonus_fen as fen from owner.charge_hold where hold_no = $1', [
      `CDY-${ownerId}`,
    ])
    return { principalFen, frozenFen, chargeFen: held?.fen ?? 0 }
  },
  moves: [recharges, spends, asksBack, rejects, startsCharging, isBilled],
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

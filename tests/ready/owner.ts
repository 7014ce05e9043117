import { bindCar } from '../../domains/owner/server/car.ts'
import { register } from '../../domains/owner/server/owner.ts'
import { aPlate, type Factories, type Maker, now, of, some } from './maker.ts'

const PAY_FEN = 5_000
const CASH = 4
const DAY_MS = 86_400_000

/** Owners, their cars, cards and money in the very state that a call asks for. */
export function ready({ write, row, asked, deputy, parkCode }: Maker): Factories {
  const phone = () => `138${String(parseInt(some(), 16) % 100_000_000).padStart(8, '0')}`
  const owner = async () => {
    const { id, version } = await write((tx) => register(tx, { phone: phone(), nickname: '试', at: now() }))
    return { ownerId: id, version }
  }
  const car = async () =>
    of(
      await write(async (tx) =>
        bindCar(tx, { ownerId: (await register(tx, { phone: phone(), nickname: '试', at: now() })).id, plateNo: aPlate(), at: now() }),
      ),
    )
  const rejected = async () => {
    const { id } = await car()
    return row('update owner.car set verify_state = 2 where id = $1 returning id, version', [id])
  }
  const claimed = async () => {
    const [{ id }, rival] = [await car(), await car()]
    return row(`update owner.car set verify_state = 3, rival_id = $2, due_at = now() + interval '1 day' where id = $1 returning id, version`, [
      id,
      rival.id,
    ])
  }
  const rich = async () => {
    const { ownerId } = await owner()
    await asked(deputy, 'owner.account.recharge', { ownerId, payFen: PAY_FEN, payMethod: CASH })
    return ownerId
  }
  const refund = async () => (await asked(deputy, 'owner.stored-refund.apply', { ownerId: await rich(), reason: '试' })).refund
  const part = async () => {
    const { id } = await refund()
    await row(`update owner.refund set state = 3, first_id = gen_random_uuid(), second_id = gen_random_uuid() where id = $1 returning id`, [id])
    return row('update owner.refund_part set route = 2 where refund_id = $1 returning id', [id])
  }
  const card = async () => (await asked(deputy, 'owner.park-card.add', { holder: '试', phone: phone() })).card
  const activity = async () => {
    const at = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
    return asked(deputy, 'owner.recharge-activity.insert', {
      name: some(),
      tiers: [{ payFen: 900_000, bonusFen: 100 }],
      startAt: at(1),
      endAt: at(2),
    })
  }
  return {
    'owner.account.register': async () => ({ phone: phone() }),
    'owner.account.recharge': async () => ({ ownerId: (await owner()).ownerId, payFen: PAY_FEN, payMethod: CASH }),
    'owner.account.lock': owner,
    'owner.account.erase': owner,
    'owner.account.export': async () => ({ ownerId: (await owner()).ownerId }),
    'owner.account.merge': async () => ({ keepId: (await owner()).ownerId, goneId: (await owner()).ownerId, dryRun: false }),
    'owner.car-owner.bind-car': async () => ({ ownerId: (await owner()).ownerId, plateNo: aPlate() }),
    'owner.car-owner.update-car': async () => ({ ...(await car()), autoDebit: false, isDefault: false }),
    'owner.car-owner.unbind-car': car,
    'owner.car-verification.update': async () => ({ ...(await car()), verifyState: 1 }),
    'owner.car-verification.appeal': rejected,
    'owner.car-verification.contest': claimed,
    'owner.recharge-activity.insert': async () => ({
      tiers: [{ payFen: 100, bonusFen: 10 }],
      startAt: '2026-01-01T00:00:00Z',
      endAt: '2026-02-01T00:00:00Z',
      payMethods: [],
    }),
    'owner.recharge-activity.update': async () => ({
      ...of(await activity()),
      tiers: [{ payFen: 100, bonusFen: 10 }],
      startAt: '2026-01-01T00:00:00Z',
      endAt: '2026-02-01T00:00:00Z',
      payMethods: [],
    }),
    'owner.recharge-activity.delete': async () => of(await activity()),
    'owner.park-card.add': async () => ({
      holder: '试',
      phone: phone(),
      ownerId: (await owner()).ownerId,
      plates: [aPlate()],
      parkCodes: [parkCode],
      payFen: PAY_FEN,
      payMethod: CASH,
    }),
    'owner.park-card.update': async () => ({
      ...of(await card()),
      act: 4,
      ownerId: (await owner()).ownerId,
      plates: [aPlate()],
      parkCodes: [parkCode],
      payFen: PAY_FEN,
      payMethod: CASH,
    }),
    'owner.stored-refund.apply': async () => ({ ownerId: await rich(), amountFen: PAY_FEN, cardNo: undefined, dryRun: false }),
    'owner.stored-refund.audit': async () => ({ ...of(await refund()), level: 1, pass: true }),
    'owner.stored-refund.transfer': async () => ({ partId: (await part()).id }),
  }
}

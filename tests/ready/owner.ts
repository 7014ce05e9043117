import { bindCar } from '../../domains/owner/server/car.ts'
import { register } from '../../domains/owner/server/owner.ts'
import { run } from '../../platform/server/database.ts'
import { codeHash, openSession } from '../../domains/owner/server/driverSession.ts'
import { leaveUnpaid, openOrder } from '../../domains/settlement/server/api.ts'
import { AS, aPlate, type Factories, type Maker, now, of, some } from './maker.ts'

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
  /** A driver who is signed in, with a plate that is verified as theirs unless another state is asked for. */
  const driver = async (state = 1) => {
    const at = now()
    const { ownerId } = await owner()
    const plateNo = aPlate()
    const car_ = await write((tx) => bindCar(tx, { ownerId, plateNo, at }))
    const { id, version } = await row('update owner.car set verify_state = $2 where id = $1 returning id, version', [car_.id, state])
    const token = await write((tx) => openSession(tx, ownerId, '127.0.0.1', at))
    return { ownerId, plateNo, car: { id, version }, me: { [AS]: `Bearer ${token}` } }
  }
  /** In a park that whoever looks at owners sees: a plate that a park knows is not to be read elsewhere. */
  const withOrder = async (owed: boolean) => {
    const one = await driver()
    const order = await write(async (tx) => {
      const made = await openOrder(tx, { type: 1, plateNo: one.plateNo, plateColor: 0, parkCode: 'P001', receivableFen: PAY_FEN, at: now() })
      return owed ? leaveUnpaid(tx, made.id, { at: now() }) : made
    })
    return { ...one, order }
  }
  const NONCE = 'n'.repeat(22)
  return {
    'owner.door.code': async () => ({ enterpriseId: 1, phone: phone() }),
    'owner.door.sign-in': async () => {
      const number = phone()
      const sql = `insert into owner.door_code (phone, code_hash, nonce_hash, address, sent_at, expires_at) values ($1, $2, $3, '127.0.0.1', now(), now() + interval '5 minutes')`
      await write((tx) => run(tx, { sql }, [number, codeHash(number, '123456'), codeHash(number, NONCE)]))
      return { enterpriseId: 1, phone: number, code: '123456', nonce: NONCE }
    },
    'owner.mine.bind': async () => ({ ...(await driver()).me, plateNo: aPlate() }),
    'owner.mine.licence-picture': async () => {
      const { me, car: of_ } = await driver(0)
      return { ...me, id: of_.id }
    },
    'owner.mine.set-car': async () => {
      const { me, car: of_ } = await driver()
      return { ...me, ...of_, isDefault: true, autoDebit: true }
    },
    'owner.mine.sign': async () => {
      const { me, car: of_ } = await driver()
      return { ...me, ...of_, payMethod: 1 }
    },
    'owner.mine.unsign': async () => {
      const { me, car: of_ } = await driver()
      await row(`insert into owner.agreement (enterprise_id, car_id, pay_method, state, signed_at) values (1, $1, 1, 1, now()) returning id`, [
        of_.id,
      ])
      return { ...me, ...of_ }
    },
    'owner.mine.unbind': async () => {
      const { me, car: of_ } = await driver()
      return { ...me, ...of_ }
    },
    'owner.mine.appeal': async () => {
      const { me, car: of_ } = await driver(2)
      return { ...me, ...of_ }
    },
    'owner.mine.appeal-picture': async () => {
      const { me, car: of_ } = await driver(3)
      return { ...me, id: of_.id }
    },
    'owner.mine.contest': async () => {
      const { me, car: of_ } = await driver()
      const rival = await car()
      await row(`update owner.car set verify_state = 3, rival_id = $2, due_at = now() + interval '1 day' where id = $1 returning id`, [
        rival.id,
        of_.id,
      ])
      return { ...me, ...of_ }
    },
    'owner.mine.parked': async () => (await driver()).me,
    'owner.mine.pay': async () => {
      const { me, order } = await withOrder(false)
      return { ...me, orderNo: order.orderNo, payMethod: 1 }
    },
    'owner.mine.repay': async () => {
      const { me, order } = await withOrder(true)
      const file = await row('select id from arrears.record where order_id = $1', [order.id])
      return { ...me, ids: [file.id], paidFen: PAY_FEN, payMethod: 1 }
    },
    'owner.mine.recharge': async () => ({ ...(await driver()).me, payFen: PAY_FEN, payMethod: 1 }),
    'owner.mine.refund': async () => {
      const { me, ownerId } = await driver()
      await asked(deputy, 'owner.account.recharge', { ownerId, payFen: PAY_FEN, payMethod: CASH })
      return { ...me, amountFen: PAY_FEN, dryRun: false }
    },
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

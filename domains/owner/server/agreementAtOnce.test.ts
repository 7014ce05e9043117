import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import { Refusal } from '../../../platform/server/refusal.ts'
import { aGround, type Field, WAITS_FOR_US } from '../../parking/server/testing.ts'
import { openOrder, payCash } from '../../settlement/server/api.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { debitNow, expireNow } from '../../settlement/server/testing.ts'
import { payByContract, hearAgreement, lookAtAgreements } from './agreement.ts'
import { aDoor, aGarage, aPhone, type Door, type Garage, now, until } from './testing.ts'

/** A fee is taken by agreement in the second in which something else happens to its order, its car or its agreement. */
let garage: Garage
let door: Door
let field: Field
let owner: pg.Pool
beforeAll(async () => {
  garage = await aGarage()
  door = await aDoor(garage)
  field = await (await aGround(garage.server)).field({ totalBays: 100_000 })
  owner = new pg.Pool({ connectionString: garage.server.ownerUrl, max: 1 })
})
/** PostgreSQL counts them, those of jobs too, which come again by themselves. */
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 1_200)) // a connection tells once a second what it has counted
  expect((await owner.query('select deadlocks::int from pg_stat_database where datname = current_database()')).rows).toEqual([{ deadlocks: 0 }])
})
afterAll(async () => {
  await owner.end()
  await garage.close()
})

const ROUNDS = 12
const FEE = 500
const STALE = 409
const actor = { userId: '00000000-0000-4000-8000-000000000001', userName: 'cashier' }

/** A driver who has signed for so many cars. */
async function aSigner() {
  const phone = aPhone()
  const token = await door.comes(phone)
  const [{ id: ownerId }] = (await garage.sql<{ id: string }>('select id from owner.account where phone = $1', [phone])) as [{ id: string }]
  return { ownerId, ask: (path: string, body?: object) => door.mine(token, path, body) }
}
type Signer = Awaited<ReturnType<typeof aSigner>>
interface Signed {
  carId: string
  plateNo: string
  contractNo: string
}
/** Their next car, and the agreement for it, which the channel knows as its driver does. The one before is not theirs any more. */
async function aCar({ ownerId }: Signer): Promise<Signed> {
  await garage.sql('update owner.car set verify_state = 4, slot = null, is_default = false where owner_id = $1 and verify_state <> 4', [ownerId])
  const { id: carId, plateNo } = await garage.aCar(ownerId)
  const [{ contractNo }] = (await garage.sql<{ contractNo: string }>(
    'insert into owner.agreement (car_id, pay_method, state, signed_at) values ($1, 1, 1, now()) returning contract_no',
    [carId],
  )) as [{ contractNo: string }]
  return { carId, plateNo, contractNo }
}
const versionOf = async (carId: string) => (await garage.sql<{ version: number }>('select version from owner.car where id = $1', [carId]))[0]!.version

/** An order of the car's whose fee the channel has taken by the agreement, and has not told of. `paid`: it was paid in cash first, and the channel took it all the same. */
async function aDebit({ plateNo, contractNo }: Signed, { paid = false } = {}) {
  const orderId = await field.write(async (tx) => {
    const { id } = await openOrder(tx, { type: 1, plateNo, plateColor: 0, parkCode: 'P001', receivableFen: FEE, at: now() })
    await payByContract(tx, { parkCode: 'P001', gateCode: '', stayId: '', orderId: id, dueFen: FEE, at: now() })
    if (paid) await payCash(tx, { orderId: id, amountFen: FEE, actor, at: now() })
    return id
  })
  return { orderId, ...(await taken(orderId, contractNo, paid)) }
}
async function attemptOf(orderId: string, contractNo: string) {
  const [{ id: paymentId, payNo, amountFen }] = (await garage.sql<{ id: string; payNo: string; amountFen: number }>(
    'select id, pay_no, amount_fen from settlement.payment where order_id = $1 and pay_method = 12',
    [orderId],
  )) as [{ id: string; payNo: string; amountFen: number }]
  const asks = (tries = 1) => debitNow(garage.server.house, { paymentId, contractNo, tries })
  return { paymentId, payNo, amountFen, asks, expires: () => field.write((tx) => expireNow(garage.server.house, tx, paymentId)) }
}
async function taken(orderId: string, contractNo: string, paid = false) {
  const { payNo, amountFen, asks, expires } = await attemptOf(orderId, contractNo)
  await garage.untold(() => asks(0))
  const { tradeNo } = paid ? { tradeNo: `T-${payNo}` } : (garage.channel.channel.pay(payNo).body as { tradeNo: string })
  return { asks, expires, tells: () => garage.notify({ payNo, amountFen, tradeNo }) }
}
const pays = (orderId: string) => field.write((tx) => payCash(tx, { orderId, amountFen: FEE, actor, at: now() }))
const looks = () => garage.server.house.writing(1, 'test', (tx) => lookAtAgreements.work({ tx, at: now(), data: {} } as never))

/** All of it at once, in any order. A refusal by the rules is no failure. */
async function atOnce(...works: (() => Promise<unknown>)[]) {
  const shuffled = works.map((work) => ({ work, turn: Math.random() })).sort((a, b) => a.turn - b.turn)
  const ends = await Promise.allSettled(shuffled.map(({ work }) => work()))
  const failures = ends.flatMap((one) => (one.status === 'rejected' && !(one.reason instanceof Refusal) ? [String(one.reason)] : []))
  expect(failures).toEqual([])
}
/** Checks that the money kept for an order is what it asked, once. */
async function paidOnce(orderId: string) {
  const kept = ({ payments }: any) => payments.reduce((sum: number, one: any) => sum + one.receivedFen - one.refundFen, 0)
  const story = await until(
    () => garage.story(orderId),
    (seen) => seen.payments.every(({ state }: any) => state !== 0) && kept(seen) === seen.payableFen,
  )
  expect(story).toMatchObject({ status: 2, paidFen: story.payableFen })
  return story
}

test('a debit that is told twice, asked after and paid in cash at once is one payment, and the other goes back', async () => {
  const signer = await aSigner()
  for (let n = 0; n < ROUNDS; n++) {
    const { orderId, asks, tells, expires } = await aDebit(await aCar(signer))
    await atOnce(tells, tells, asks, expires, () => pays(orderId))
    await paidOnce(orderId)
  }
})

test('turned off, unbound and ended at the channel as the fee is taken', async () => {
  const signer = await aSigner()
  for (let n = 0; n < ROUNDS; n++) {
    const car = await aCar(signer)
    const { orderId, asks, tells } = await aDebit(car)
    const over = { contractNo: car.contractNo, channel: 'wechat', agreementNo: null, inForce: false, at: now() }
    const named = { id: car.carId, version: await versionOf(car.carId) }
    await atOnce(
      tells,
      asks,
      looks,
      () => signer.ask('unsign', named),
      () => signer.ask('unbind', named),
      () => signer.ask('sign', { ...named, payMethod: 2 }),
      () => field.write((tx) => hearAgreement(tx, over)),
    )
    expect(await paidOnce(orderId)).toMatchObject({ status: 2, payMethod: PayMethod.autoDebit })
  }
})

test('a car that lost its verification: the round takes its agreement away as its driver turns it off', async () => {
  const signer = await aSigner()
  for (let n = 0; n < ROUNDS; n++) {
    const car = await aCar(signer)
    await garage.sql('update owner.car set verify_state = 0 where id = $1', [car.carId])
    const named = { id: car.carId, version: await versionOf(car.carId) }
    const over = { contractNo: car.contractNo, channel: 'wechat', agreementNo: null, inForce: false, at: now() }
    await atOnce(
      looks,
      () => signer.ask('unsign', named),
      looks,
      () => signer.ask('unbind', named),
      () => field.write((tx) => hearAgreement(tx, over)),
    )
  }
})

test('a refund is asked for and approved as the debit of the same order, paid in cash meanwhile, is told', async () => {
  const signer = await aSigner()
  for (let n = 0; n < ROUNDS; n++) {
    const { orderId, asks, tells } = await aDebit(await aCar(signer), { paid: true })
    const asked = { orderId, amountFen: 100, reason: '多收' }
    const refunds = async () => {
      const { data } = await garage.call(garage.admin, '/orderRefund/apply', asked)
      return garage.call(garage.second, '/orderRefund/approve', { id: data.id, version: data.version })
    }
    await atOnce(tells, asks, tells, refunds, refunds)
    await until(
      () => garage.story(orderId),
      ({ refunds }) => refunds.filter(({ kind }: any) => kind === 2).every(({ state }: any) => state === 3) && refunds.length > 2,
    )
  }
})

/** A correction that found the stay changed meanwhile tries again. */
async function corrects(id: string, plateNo: string): Promise<void> {
  const [{ version }] = (await garage.sql<{ version: number }>('select version from parking.stay where id = $1', [id])) as [{ version: number }]
  const said = await garage.server.ask(garage.admin, 'POST', '/lbs/fee/parkRecord/correctPlate', { id, version, plateNo, reason: '看错' })
  if (said.code === STALE) return corrects(id, plateNo)
  expect([said.code, said.message]).toEqual([200, expect.anything()])
}

test('a plate is put right, and its car is read again, as the fee of the wrong one is taken', async () => {
  const [signer, other] = [await aSigner(), await aSigner()]
  for (let n = 0; n < ROUNDS; n++) {
    const [{ plateNo, contractNo }, right] = [await aCar(signer), await aCar(other)]
    await field.enters(plateNo, 910)
    await field.exits(plateNo, 999.9)
    const { id, orderId } = await field.stay(plateNo)
    const { asks, tells } = await taken(orderId!, contractNo)
    await atOnce(
      tells,
      asks,
      () => corrects(id, right.plateNo),
      () => field.exits(plateNo, 999.92),
      tells,
    )
    await paidOnce(orderId!)
  }
})

test('the wrong car’s driver has too little as the plate is put right: the right one pays, once, whatever is told, asked or read at that moment', async () => {
  const [signer, other] = [await aSigner(), await aSigner()]
  for (let n = 0; n < ROUNDS; n++) {
    const [{ plateNo, contractNo }, right] = [await aCar(signer), await aCar(other)]
    await field.enters(plateNo, 910)
    await garage.unanswered(() => field.exits(plateNo, 999.9))
    const { id, orderId } = await field.stay(plateNo)
    const { payNo, amountFen, asks } = await attemptOf(orderId!, contractNo)
    const fails = () => garage.notify({ payNo, amountFen, tradeNo: payNo, result: 'FAIL' })
    const reads = (minutes: number) => () => field.exits(plateNo, minutes)
    await atOnce(
      fails,
      () => asks(1),
      () => corrects(id, right.plateNo),
      reads(999.92),
      fails,
      reads(999.93),
    )
    await paidOnce(orderId!)
  }
})

/** Somebody holds what stands first; the other is done without it, or waits and holds nothing that stands after it. */
async function holding(first: string, then: string, id: string, thenId: string, work: () => Promise<unknown>) {
  const { other } = await field.write(async (tx) => {
    await run(tx, { sql: `select from ${first} where id = $1 for update` }, [id])
    let ended = false
    const other = work().finally(() => (ended = true))
    await vi.waitFor(async () => expect(ended || (await run(tx, { sql: WAITS_FOR_US }, [])).length > 0).toBe(true), 10_000)
    await run(tx, { sql: `select from ${then} where id = $1 for update` }, [thenId])
    return { other }
  })
  await other
}

test('the car before its agreement: the round that takes it away does not ask for the car', async () => {
  const { carId, contractNo } = await aCar(await aSigner())
  await garage.sql('update owner.car set verify_state = 0 where id = $1', [carId])
  const [{ id }] = (await garage.sql<{ id: string }>('select id from owner.agreement where contract_no = $1', [contractNo])) as [{ id: string }]
  await holding('owner.car', 'owner.agreement', carId, id, looks)
  await looks()
  await until(
    () => garage.sql<{ state: number }>('select state from owner.agreement where id = $1', [id]),
    ([one]) => one!.state === 3,
  )
})

test('the order before its stay: an exit that reads the car again while the order is being paid waits for it, and does not hold the stay', async () => {
  const { plateNo } = await aCar(await aSigner())
  await field.enters(plateNo, 910)
  await field.exits(plateNo, 999.9)
  const { id, orderId } = await field.stay(plateNo)
  await holding('settlement.order', 'parking.stay', orderId!, id, () => field.exits(plateNo, 999.92))
  expect(await field.stay(plateNo)).toMatchObject({ orderId })
})

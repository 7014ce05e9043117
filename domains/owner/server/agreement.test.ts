import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { DAY_MS, dayOf, instantAt } from '../../../platform/contract/time.ts'
import { reading, run } from '../../../platform/server/database.ts'
import { hearEtc } from '../../arrears/server/testing.ts'
import { aGround, type Field } from '../../parking/server/testing.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { OwnerStatus } from '../contract/account.ts'
import { applyRefund, approveRefund, nameOrder, openOrder, orderOf, payCash } from '../../settlement/server/api.ts'
import { bringAgreement, payByContract, hearAgreement, lookAtAgreements } from './agreement.ts'
import { aDoor, aGarage, aPhone, aPlate, type Door, type Garage, now, until } from './testing.ts'

let garage: Garage
let door: Door
let field: Field
beforeAll(async () => {
  garage = await aGarage()
  door = await aDoor(garage)
  field = await (await aGround(garage.server)).field()
})
afterAll(() => garage.close())

const named = ({ id, version }: { id: string; version: number }) => ({ id, version })
/** A driver with a verified car. */
async function aDriver() {
  const phone = aPhone()
  const token = await door.comes(phone)
  const [{ id: ownerId }] = (await garage.sql<{ id: string }>('select id from owner.account where phone = $1', [phone])) as [{ id: string }]
  const { plateNo } = await garage.aCar(ownerId)
  const ask = (path: string, body?: object) => door.mine(token, path, body)
  const car = async () => (await ask('home')).data.cars.find((one: any) => one.plateNo === plateNo)
  const contractNo = async () =>
    (
      await garage.sql<any>(
        'select contract_no from owner.agreement g join owner.car c on c.id = g.car_id where c.plate_no = $1 order by g.created_at desc',
        [plateNo],
      )
    )[0].contractNo as string
  return { token, ownerId, plateNo, ask, car, contractNo, signs: async (payMethod = 1) => ask('sign', { ...named(await car()), payMethod }) }
}
type Driver = Awaited<ReturnType<typeof aDriver>>
/** One who has agreed at the channel; their account there has so much. */
async function aSigner({ payMethod = 1, limitFen }: { payMethod?: number; limitFen?: number } = {}): Promise<Driver> {
  const driver = await aDriver()
  expect((await driver.signs(payMethod)).status).toBe(200)
  garage.channel.channel.sign(await driver.contractNo(), limitFen === undefined ? {} : { limitFen })
  await until(driver.car, ({ debitState }) => debitState === 1)
  return driver
}
/** It came an hour and a half ago, and stands at the exit now. */
async function atExit({ plateNo }: Driver) {
  await field.enters(plateNo, 910)
  await field.exits(plateNo, 999.9)
  return field.stay(plateNo)
}
const storyOf = (stay: { orderId: unknown }) => garage.story(stay.orderId as string)
const paidBy = (stay: { orderId: unknown }) =>
  until(
    () => storyOf(stay),
    ({ status }) => status === 2,
    15_000,
  )
const stateOf = async (driver: Driver) =>
  (await garage.sql<any>('select state from owner.agreement where contract_no = $1', [await driver.contractNo()]))[0].state as number
const FIRST_TRY_MS = 700
const round = () => garage.server.house.writing(1, 'test', (tx) => lookAtAgreements.work({ tx, at: new Date().toISOString(), data: {} } as never))

test('a driver agrees at the channel, and is asked there once: for a verified car, by WeChat or Alipay', async () => {
  const driver = await aDriver()
  const { data: waiting } = await driver.ask('bind', { plateNo: '鄂F0A0A0' })
  expect(await driver.ask('sign', { ...named(waiting), payMethod: 1 })).toMatchObject({ status: 422, code: 41572 })
  expect(await driver.signs(PayMethod.cash)).toMatchObject({ status: 422, code: 41574 })
  const offered = await driver.signs()
  expect(offered).toMatchObject({ status: 200, data: { signUrl: expect.stringContaining(await driver.contractNo()) } })
  expect(await driver.car()).toMatchObject({ debitMethod: 1, debitState: 0 })
  expect((await driver.signs()).data).toEqual(offered.data)
  expect(await (await fetch(offered.data.signUrl)).text()).toContain(driver.plateNo)
  const agreed = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: `contractNo=${await driver.contractNo()}` }
  expect((await fetch(new URL('/sign', offered.data.signUrl), agreed)).status).toBe(200)
  expect(await until(driver.car, ({ debitState }) => debitState === 1)).toMatchObject({ debitMethod: 1 })
  expect(await driver.signs(2)).toMatchObject({ status: 409, code: 41577 })
  const seen = await garage.business('/carOwner/queryCarInfo', { plateNo: driver.plateNo })
  expect(seen.data.records).toMatchObject([{ debitMethod: 1, autoDebit: false }])
})

test('whoever turns to the other channel has given the first up, also where they agree to it too late', async () => {
  const driver = await aDriver()
  await driver.signs(1)
  const first = await driver.contractNo()
  await driver.signs(2)
  expect(await driver.car()).toMatchObject({ debitMethod: 2, debitState: 0 })
  await until(
    async () => garage.channel.channel.agreementOf(first)?.state,
    (state) => state === 'ended',
  )
  expect(garage.channel.channel.sign(first).status).toBe(409)
  garage.channel.channel.sign(await driver.contractNo())
  expect(await until(driver.car, ({ debitState }) => debitState === 1)).toMatchObject({ debitMethod: 2 })
})

test('at the exit the fee is taken where the driver agreed, the barrier opens, and the money goes back the way it came', async () => {
  const driver = await aSigner({ payMethod: 2 })
  const stay = await atExit(driver)
  const paid = await paidBy(stay)
  expect(paid).toMatchObject({ payMethod: PayMethod.autoDebit, payChannel: 'alipay' })
  expect(paid.entries.find(({ account }: any) => account === 'asset.channel')).toMatchObject({ sub: 'alipay', debitFen: paid.paidFen })
  expect((await field.told(field.outSn)).map(({ method }) => method)).toContain('gate.open')
  const asked = { orderId: stay.orderId, amountFen: 100, reason: '多收' }
  const { data } = await garage.call(garage.admin, '/orderRefund/apply', asked)
  expect((await garage.call(garage.second, '/orderRefund/approve', named(data))).code).toBe(200)
  expect(
    await until(
      () => storyOf(stay),
      ({ refunds }) => refunds[0]?.state === 3,
    ),
  ).toMatchObject({ refundFen: 100 })
})

test('too little at the channel takes nothing, once: the driver is asked for the fee', async () => {
  const driver = await aSigner({ limitFen: 1 })
  const stay = await atExit(driver)
  await until(
    () => storyOf(stay),
    ({ status, payments }) => status === 0 && payments[0]?.state === 3,
  )
  await field.exits(driver.plateNo, 999.95)
  const asked = await storyOf(stay)
  expect([asked.status, asked.payments.length]).toEqual([0, 1])
  expect(await stateOf(driver)).toBe(1)
  const { payNo } = await garage.startPaying(asked, 1)
  garage.channel.channel.pay(payNo)
  expect(await paidBy(stay)).toMatchObject({ payMethod: PayMethod.wechat })
})

test('an agreement that its driver has ended at the channel takes nothing, whether we have heard of it or not', async () => {
  const told = await aSigner()
  garage.channel.channel.sign(await told.contractNo(), { end: true })
  await until(
    () => stateOf(told),
    (state) => state === 3,
  )
  expect((await storyOf(await atExit(told))).payments).toEqual([])
  const untold = await aSigner()
  garage.channel.channel.sign(await untold.contractNo(), { end: true })
  await until(
    () => stateOf(untold),
    (state) => state === 3,
  )
  await garage.sql(`update owner.agreement set state = 1, ended_at = null where contract_no = $1`, [await untold.contractNo()])
  const stay = await atExit(untold)
  await until(
    () => storyOf(stay),
    ({ status, payments }) => status === 0 && payments[0]?.state === 3,
  )
  expect(await stateOf(untold)).toBe(3)
})

test('a channel that is away is asked again, and what it did unheard is one trade', async () => {
  const driver = await aSigner()
  let stay = await field.stay('')
  await garage.unanswered(async () => {
    stay = await atExit(driver)
    await new Promise((resolve) => setTimeout(resolve, FIRST_TRY_MS))
  })
  expect((await paidBy(stay)).payments).toMatchObject([{ state: 1 }])

  const unheard = await aSigner()
  await garage.untold(async () => {
    stay = await atExit(unheard)
    const [{ payNo }] = (await storyOf(stay)).payments
    await until(
      async () => garage.channel.channel.tradeOf(payNo),
      (trade) => trade !== undefined,
    )
  })
  expect((await paidBy(stay)).payments).toMatchObject([{ state: 1 }])
})

test('a driver who pays by telephone meanwhile has paid once: the other goes back by itself', async () => {
  const driver = await aSigner()
  const stay = await atExit(driver)
  const [debit] = (await storyOf(stay)).payments
  await until(
    async () => garage.channel.channel.tradeOf(debit.payNo),
    (trade) => trade !== undefined,
  )
  const { payNo } = await garage.startPaying((await storyOf(stay)) as never, 1)
  garage.channel.channel.pay(payNo)
  const settled = await until(
    () => storyOf(stay),
    ({ payments }) => payments.filter(({ tradeNo }: any) => tradeNo).length === 2,
  )
  expect(settled.payments.map(({ payMethod }: any) => payMethod).sort()).toEqual([1, 12])
  const back = await until(
    () => storyOf(stay),
    ({ refunds }) => refunds[0]?.state === 3,
  )
  expect(back).toMatchObject({ status: 2, refundFen: 0 })
  expect(back.refunds).toMatchObject([{ amountFen: back.paidFen, applicantName: '系统' }])
})

test('it is the last of the tries: after stored value that is too little, and after the antenna', async () => {
  const driver = await aSigner()
  await garage.sql('update owner.car set auto_debit = true where plate_no = $1', [driver.plateNo])
  await garage.recharge(driver.ownerId, 100)
  expect(await paidBy(await atExit(driver))).toMatchObject({ payMethod: PayMethod.autoDebit })
  expect(await garage.stands(driver.ownerId)).toMatchObject({ principalFen: 100 })

  const place = [field.parkCode, field.outGate]
  await garage.sql(
    `insert into device.device (device_no, name, type, park_code, gate_code, use_status, secret_hash) values ('ETC-L', '天线', 9, $1, $2, 1, 'none')`,
    place,
  )
  await garage.sql(
    `insert into device.presence (device_no, online) values ('ETC-L', true) on conflict (enterprise_id, device_no) do update set online = true`,
  )
  await garage.sql(`insert into device.etc (device_no, lane_no, psam_no) values ('ETC-L', 'L1', '0123456789AB')`)
  const tagged = await aSigner()
  const stay = await atExit(tagged)
  expect((await storyOf(stay)).payments).toMatchObject([{ payMethod: PayMethod.etc }])
  const [{ deductNo }] = await garage.sql<any>('select deduct_no from arrears.etc_deduct where order_id = $1', [stay.orderId])
  const heard = { type: 'etc', sn: 'ETC-L', body: { deductNo, result: 'fail', failCode: 1 }, deviceTime: field.at(1000), receivedAt: field.at(1000) }
  await field.write((tx) => hearEtc(tx, heard as never))
  expect(await paidBy(stay)).toMatchObject({ payMethod: PayMethod.autoDebit, payChannel: 'wechat' })
  await garage.sql(`delete from device.etc where device_no = 'ETC-L'`)
})

test('a car that is to be debited when it leaves is not unbound; one that stands nowhere is, and its agreement ends at the channel', async () => {
  const driver = await aSigner()
  await field.enters(driver.plateNo, 990)
  expect(await driver.ask('unbind', named(await driver.car()))).toMatchObject({ status: 409, code: 41524 })
  const other = await aSigner()
  expect((await other.ask('unbind', named(await other.car()))).status).toBe(200)
  await round()
  await until(
    () => stateOf(other),
    (state) => state === 3,
  )
  expect(garage.channel.channel.agreementOf(await other.contractNo())?.state).toBe('ended')
  expect(await stateOf(driver)).toBe(1)
})

test('turned off by its driver it takes nothing from that moment, and may be turned on anew', async () => {
  const driver = await aSigner()
  await garage.unanswered(async () => {
    expect((await driver.ask('unsign', named(await driver.car()))).data).toMatchObject({ debitMethod: null, debitState: null })
  })
  expect((await storyOf(await atExit(driver))).payments).toEqual([])
  expect(await stateOf(driver)).not.toBe(1)
  await round()
  await until(
    () => stateOf(driver),
    (state) => state === 3,
  )
  expect((await driver.signs()).status).toBe(200)
  expect(await driver.car()).toMatchObject({ debitState: 0 })
})

test('a signature that nobody told us of is asked after; one that never comes is given up', async () => {
  const driver = await aDriver()
  await garage.untold(async () => void (await driver.signs()))
  const contractNo = await driver.contractNo()
  await garage.sql(`update owner.agreement set updated_at = now() - interval '1 minute' where contract_no = $1`, [contractNo])
  garage.channel.channel.sign(contractNo)
  await round()
  expect(await until(driver.car, ({ debitState }) => debitState === 1)).toMatchObject({ debitMethod: 1 })
  const idle = await aDriver()
  await idle.signs()
  await garage.sql(
    `update owner.agreement set created_at = now() - interval '31 minutes', updated_at = now() - interval '31 minutes' where contract_no = $1`,
    [await idle.contractNo()],
  )
  await round()
  await until(
    () => stateOf(idle),
    (state) => state === 2 || state === 3,
  )
  await round()
  expect(
    await until(
      () => stateOf(idle),
      (state) => state === 3,
    ),
  ).toBe(3)
  expect(garage.channel.channel.sign(await idle.contractNo()).status).toBe(409)
})

test('pressed again after a signature that nobody told us of, it says that it is on already', async () => {
  const driver = await aDriver()
  await garage.untold(async () => void (await driver.signs()))
  garage.channel.channel.sign(await driver.contractNo())
  expect(await driver.signs()).toMatchObject({ status: 409, code: 41577 })
  expect(await driver.car()).toMatchObject({ debitMethod: 1, debitState: 1 })
  const other = await aDriver()
  await garage.unanswered(async () => void expect((await other.signs()).status).toBe(503))
  expect((await other.signs()).status).toBe(200)
})

test('nobody signs for another’s car, ends what another signed, or sees it', async () => {
  const [driver, stranger] = [await aSigner(), await aDriver()]
  const car = named(await driver.car())
  expect(await stranger.ask('sign', { ...car, payMethod: 1 })).toMatchObject({ status: 404 })
  expect(await stranger.ask('unsign', car)).toMatchObject({ status: 404 })
  expect(await stateOf(driver)).toBe(1)
  const seen = (ownerId: string) =>
    reading(garage.server.house.pool, { enterprise: 1, parks: null, guest: `driver:${ownerId}` }, (tx) =>
      run(tx, { sql: 'select id from owner.agreement' }, []),
    )
  expect(await seen(stranger.ownerId)).toHaveLength(0)
  expect(await seen(driver.ownerId)).toHaveLength(1)
})

test('a signature of which we hear only after the agreement was over is ended at the channel too', async () => {
  const driver = await aDriver()
  await driver.signs()
  const contractNo = await driver.contractNo()
  await driver.ask('unsign', named(await driver.car()))
  await until(
    () => stateOf(driver),
    (state) => state === 3,
  )
  const late = { contractNo, channel: 'wechat', agreementNo: 'A1', inForce: true, at: now() }
  expect(await field.write((tx) => hearAgreement(tx, late))).toBe('repeat')
  await until(
    () => stateOf(driver),
    (state) => state === 3,
  )
  expect(garage.channel.channel.agreementOf(contractNo)?.state).toBe('ended')
})

test('a driver who turns it off as the channel tells that it is over finds it off', async () => {
  const driver = await aSigner()
  const over = { contractNo: await driver.contractNo(), channel: 'wechat', agreementNo: null, inForce: false, at: now() }
  const car = named(await driver.car())
  const pressed = await field.write(async (tx) => {
    await hearAgreement(tx, over)
    const answer = driver.ask('unsign', car)
    await new Promise((resolve) => setTimeout(resolve, 300))
    return { answer }
  })
  expect(await pressed.answer).toMatchObject({ status: 200, data: { debitState: null } })
  expect(await stateOf(driver)).toBe(3)
})

test('what was begun is not taken any more once it is paid, turned off, or found to be another car’s', async () => {
  const actor = { userId: '00000000-0000-4000-8000-000000000001', userName: 'cashier' }
  const cases: [string, (driver: Driver, orderId: string) => Promise<unknown>][] = [
    [
      'paid',
      async (_, orderId) => field.write(async (tx) => payCash(tx, { orderId, amountFen: (await orderOf(tx, orderId)).payableFen, actor, at: now() })),
    ],
    ['off', async (driver) => driver.ask('unsign', named(await driver.car()))],
    ['locked', async ({ ownerId }) => garage.sql('update owner.account set status = $2 where id = $1', [ownerId, OwnerStatus.locked])],
    ['another', async (_, orderId) => field.write((tx) => nameOrder(tx, orderId, { plateNo: aPlate(), plateColor: 0 }))],
  ]
  const orderIds: string[] = []
  const signers = await Promise.all(cases.map(() => aSigner()))
  await garage.unanswered(async () => {
    for (const driver of signers) orderIds.push((await atExit(driver)).orderId!)
    await new Promise((resolve) => setTimeout(resolve, FIRST_TRY_MS))
    for (const [i, [, end]] of cases.entries()) await end(signers[i]!, orderIds[i]!)
  })
  const debitOf = async (orderId: string) => (await garage.story(orderId)).payments.find(({ payMethod }: any) => payMethod === PayMethod.autoDebit)
  for (const [i, [why]] of cases.entries()) {
    const { state, payNo } = await until(
      () => debitOf(orderIds[i]!),
      (one) => one.state !== 0,
    )
    expect([why, state, garage.channel.channel.tradeOf(payNo)]).toEqual([why, 3, undefined])
    expect((await garage.story(orderIds[i]!)).status).toBe(why === 'paid' ? 2 : 0)
  }
})

test('where a plate is of two colours and nobody saw which, neither driver pays', async () => {
  const [driver, other] = [await aSigner(), await aDriver()]
  const tried = (plateColor: 0 | 1 | null) =>
    field.write(async (tx) => {
      const order = await openOrder(tx, { type: 1, plateNo: driver.plateNo, plateColor, parkCode: 'P001', receivableFen: 500, at: now() })
      return payByContract(tx, { parkCode: 'P001', gateCode: '', stayId: '', orderId: order.id, dueFen: 500, at: now() })
    })
  expect(await tried(null)).toBe(true)
  const { id } = await garage.aCar(other.ownerId)
  await garage.sql('update owner.car set plate_no = $2, plate_color = 1 where id = $1', [id, driver.plateNo])
  expect([await tried(null), await tried(1), await tried(0)]).toEqual([undefined, undefined, true])
})

test('what is being paid in cash at that moment is left to it, and what asks for the last try goes on', async () => {
  const driver = await aSigner()
  const order = await field.write((tx) =>
    openOrder(tx, { type: 1, plateNo: driver.plateNo, plateColor: 0, parkCode: 'P001', receivableFen: 500, at: now() }),
  )
  const waits = { parkCode: 'P001', gateCode: '', stayId: '', orderId: order.id, dueFen: 500, at: now() }
  const { tried } = await field.write(async (tx) => {
    await payCash(tx, { orderId: order.id, amountFen: 500, actor: { userId: driver.ownerId, userName: 'cashier' }, at: now() })
    const trying = field.write((own) => payByContract(own, waits)).catch((error: Error) => error)
    await new Promise((resolve) => setTimeout(resolve, 300))
    return { tried: trying }
  })
  expect(await tried).toBeUndefined()
})

test('without a channel nobody waits for one, and what is to be ended there waits for it quietly', async () => {
  const [driver, leaving] = [await aSigner(), await aSigner()]
  await garage.without(async () => {
    expect((await storyOf(await atExit(driver))).payments).toEqual([])
    expect((await leaving.ask('unsign', named(await leaving.car()))).status).toBe(200)
    const [{ id }] = (await garage.sql<{ id: string }>('select id from owner.agreement where contract_no = $1', [await leaving.contractNo()])) as [
      { id: never },
    ]
    await bringAgreement.alone!({ house: garage.server.house, enterprise: 1, data: { id }, at: now() })
    expect(await stateOf(leaving)).toBe(2)
  })
  await round()
  await until(
    () => stateOf(leaving),
    (state) => state === 3,
  )
})

test('whoever the channel does not answer for stands at the end of the round', async () => {
  const [first, second] = [await aSigner(), await aSigner()]
  await garage.unanswered(async () => {
    for (const driver of [first, second]) await driver.ask('unsign', named(await driver.car()))
    const when = (driver: Driver) =>
      driver.contractNo().then((no) => garage.sql<any>('select updated_at from owner.agreement where contract_no = $1', [no]))
    const before = await Promise.all([first, second].map(when))
    await round()
    expect(await Promise.all([first, second].map(when))).not.toEqual(before)
  })
  await round()
  for (const driver of [first, second])
    await until(
      () => stateOf(driver),
      (state) => state === 3,
    )
})

test('a plate that is put right is tried by the agreement of the right car: after the wrong one came to nothing, and as soon as it has, never both at a time', async () => {
  const debitsOf = async (stay: { orderId: unknown }) => {
    const { payments } = await storyOf(stay)
    return payments
      .filter(({ payMethod }: any) => payMethod === PayMethod.autoDebit)
      .map(({ state }: any) => state)
      .sort() as number[]
  }
  const corrects = async ({ id }: { id: string }, { plateNo }: Driver) => {
    const [{ version }] = (await garage.sql<{ version: number }>('select version from parking.stay where id = $1', [id])) as [{ version: number }]
    expect((await garage.server.ask(garage.admin, 'POST', '/lbs/fee/parkRecord/correctPlate', { id, version, plateNo, reason: '看错' })).code).toBe(
      200,
    )
  }
  const [poor, right] = [await aSigner({ limitFen: 1 }), await aSigner()]
  const stay = await atExit(poor)
  await until(
    () => debitsOf(stay),
    ([state]) => state === 3,
  )
  await corrects(stay, right)
  expect(await paidBy(stay)).toMatchObject({ plateNo: right.plateNo, payMethod: PayMethod.autoDebit })
  expect(await debitsOf(stay)).toEqual([1, 3])

  const [wrong, own] = [await aSigner(), await aSigner({ payMethod: 2 })]
  let waiting = stay
  await garage.unanswered(async () => {
    waiting = await atExit(wrong)
    await new Promise((resolve) => setTimeout(resolve, FIRST_TRY_MS))
    await corrects(waiting, own)
    expect(await debitsOf(waiting)).toEqual([0])
  })
  expect(await paidBy(waiting)).toMatchObject({ plateNo: own.plateNo, payMethod: PayMethod.autoDebit, payChannel: 'alipay' })
  expect(await debitsOf(waiting)).toEqual([1, 3])
})

test.each([
  [1, 'wechat'],
  [2, 'alipay'],
] as const)(
  'the channel’s own file of a day has what it took by agreement and gave back of it, and is compared as for any payment (%i %s)',
  async (payMethod, channel) => {
    const driver = await aSigner({ payMethod })
    // A channel writes its file when the day is over.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 2 * DAY_MS })
    const checkDate = dayOf(instantAt(Date.now()))
    const taken: any[] = []
    try {
      for (const receivableFen of [500, 700]) {
        const orderId = await field.write(async (tx) => {
          const { id } = await openOrder(tx, { type: 1, plateNo: driver.plateNo, plateColor: 0, parkCode: 'P001', receivableFen, at: now() })
          expect(await payByContract(tx, { parkCode: 'P001', gateCode: '', stayId: '', orderId: id, dueFen: receivableFen, at: now() })).toBe(true)
          return id
        })
        taken.push(await paidBy({ orderId }))
      }
      const { id, version } = await field.write((tx) =>
        applyRefund(tx, { orderId: taken[0].id, amountFen: 200, reason: '多收', actor: { userId: null, userName: '收费员' }, at: now() }),
      )
      await field.write((tx) => approveRefund(tx, { id, version }, { userId: driver.ownerId, userName: '主管' }, now()))
      await until(
        () => storyOf({ orderId: taken[0].id }),
        ({ refundFen }) => refundFen === 200,
      )
    } finally {
      vi.useRealTimers()
    }
    const clearing = (path: string, body: object) => garage.server.ask(garage.admin, 'POST', `/lbs/checkBill/liquidation/${path}`, body)
    expect((await clearing('fetch', { checkDate, channel })).status).toBe(200)
    const total = async () => (await clearing('searchCheckTotal', { dateFrom: checkDate, dateTo: checkDate, channel })).data.records[0]
    expect(await until(total, (seen) => seen?.chanCount === 3)).toMatchObject({
      state: 2,
      platCount: 3,
      platFen: 1200,
      chanFen: 1200,
      platRefundFen: 200,
      chanRefundFen: 200,
      diffCount: 0,
    })
    const { records } = (await clearing('searchCheckDetail', { checkDate, channel })).data
    const seen = records.map(({ kind, orderNo, platFen, chanFen, result }: any) => [kind, orderNo, platFen, chanFen, result])
    expect(seen.sort()).toEqual([
      [1, taken[0].orderNo, 500, 500, 1],
      [1, taken[1].orderNo, 700, 700, 1],
      [2, taken[0].orderNo, 200, 200, 1],
    ])
  },
)

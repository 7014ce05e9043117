import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { planFaults } from '../../../platform/server/faults.ts'
import { askStart, began, billWhenDue, connectorSaid, ended, ownerOf, purse, startAnswered } from '../../charging/server/api.ts'
import { ConnectorStatus } from '../../charging/contract/connector.ts'
import { HoldState } from '../../charging/contract/money.ts'
import { StartMode, StopReason } from '../../charging/contract/session.ts'
import { aYard, now, type Yard } from '../../charging/server/testing.ts'
import { payCash } from '../../settlement/server/api.ts'
import { insisting } from '../../settlement/server/testing.ts'
import { erase as eraseTask } from './account.ts'
import { aGarage, aPlate, type Garage } from './testing.ts'
import { Said as ChargeSaid } from '../../charging/contract/said.ts'

let yard: Yard
let garage: Garage
beforeAll(async () => {
  yard = await aYard()
  garage = await aGarage(yard)
})
afterAll(() => yard.close())

/** Tomorrow at ten in the city: no bill is due before a test says so. */
const START_MS = Math.ceil(Date.now() / 86_400_000) * 86_400_000 + 2 * 3_600_000
const minutesOn = (minutes: number) => new Date(START_MS + minutes * 60_000).toISOString() as Instant
const whose = (asked: Parameters<typeof ownerOf.ask>[1]) => yard.write(async (tx) => (await ownerOf.ask(tx, asked))[0]?.answer)
/** An owner with a verified car that may be debited, and so much stored value. */
async function aDriver({ payFen = 0, bonusFen = 0, autoDebit = true } = {}) {
  const { ownerId, phone } = await garage.anOwner('李明')
  const car = await garage.aCar(ownerId, { autoDebit })
  if (bonusFen > 0) {
    const activity = { name: '充值送', tiers: [{ payFen, bonusFen }], startAt: '2026-01-01 00:00:00', endAt: '2027-01-01 00:00:00' }
    const { data } = await garage.custom('/assetsStore/rechargeActivity/insert', activity)
    await garage.recharge(ownerId, payFen)
    await garage.sql('update owner.activity set stopped = true where id = $1', [data.id])
  } else if (payFen > 0) await garage.recharge(ownerId, payFen)
  return { ownerId, phone, ...car }
}
type Driver = Awaited<ReturnType<typeof aDriver>>
type Gun = { equipmentId: string; connectorId: string }
/** Somebody starts at a gun by their plate. */
async function startsBy({ plateNo }: Pick<Driver, 'plateNo'>, gun: Gun, prepayFen = 5000) {
  const found = await whose({ plateNo })
  const wish = {
    connectorId: gun.connectorId,
    startMode: StartMode.console,
    ownerId: found!.ownerId,
    plateNo,
    plateColor: 0 as const,
    prepayFen,
    at: minutesOn(0),
  }
  return insisting(() => yard.write((tx) => askStart(tx, { ...wish, pays: 'stored' })))
}
/** It charges for so many watt-hours, ten fen the hundred, and the car drives away. */
async function charges(gun: Gun, { charge }: Awaited<ReturnType<typeof startsBy>>, wh: number) {
  const { equipmentId, connectorId } = gun
  const said = { connectorId, transactionId: null, idTag: charge.token, meterWh: 100_000, at: minutesOn(0), receivedAt: minutesOn(0), offline: false }
  const { transactionId } = await yard.write((tx) => began(tx, said))
  const over = {
    equipmentId,
    transactionId,
    meterWh: 100_000 + wh,
    reason: StopReason.user,
    at: minutesOn(30),
    receivedAt: minutesOn(30),
    offline: false,
  }
  await yard.write((tx) => ended(tx, over))
  await yard.write((tx) =>
    connectorSaid(tx, { connectorId, status: ConnectorStatus.free, raw: 'Available', at: minutesOn(31), receivedAt: minutesOn(31) }),
  )
}
const bills = ({ charge: { orderNo } }: Awaited<ReturnType<typeof startsBy>>) => yard.write((tx) => billWhenDue(tx, orderNo, minutesOn(40)))
const movements = async (ownerId: string) =>
  (await garage.sql<any>('select kind, principal_fen, bonus_fen, frozen_fen from owner.movement where owner_id = $1 order by seq', [ownerId])).map(
    (one) => [one.kind, one.principalFen, one.bonusFen, one.frozenFen],
  )
const rights = async () => {
  expect(await garage.differing()).toEqual([])
  expect((await yard.replay()).right).toBe(true)
}
const [FROZEN, SPENT, UNFROZEN] = [5, 3, 6]

describe('a charge out of stored value', () => {
  test('by the plate of an owner: as much as it may cost is set aside, what it cost is spent by proportion, the rest is free again', async () => {
    const driver = await aDriver({ payFen: 10_000, bonusFen: 2_500 })
    const gun = await yard.aGun()
    const started = await startsBy(driver, gun)
    expect(started.hold).toMatchObject({ holdFen: 5000, openFen: 5000, payer: '李明', accountId: driver.ownerId })
    expect(await garage.stands(driver.ownerId)).toEqual({ principalFen: 10_000, bonusFen: 2_500, frozenFen: 5000 })
    // Money set aside buys nothing else, and is not refunded.
    await expect(garage.spends(driver.plateNo, 7_501)).rejects.toMatchObject({ code: 41501 })
    const { data } = await garage.custom('/assetsStore/refund/apply', { ownerId: driver.ownerId, reason: '不用了', dryRun: true })
    expect(data.quote.principalFen).toBe(6_000)
    await charges(gun, started, 10_000)
    await bills(started)
    expect(await garage.stands(driver.ownerId)).toEqual({ principalFen: 9_200, bonusFen: 2_300, frozenFen: 0 })
    expect((await movements(driver.ownerId)).slice(2)).toEqual([
      [FROZEN, 0, 0, 5000],
      [SPENT, -800, -200, -1000],
      [UNFROZEN, 0, 0, -4000],
    ])
    const [spent] = await garage.sql<any>('select plate_no, park_code, pay_method, order_id from owner.movement where owner_id = $1 and kind = 3', [
      driver.ownerId,
    ])
    expect(spent).toMatchObject({ plateNo: driver.plateNo, parkCode: 'P001', payMethod: 3 })
    const [order] = await garage.sql<any>('select type, credited_to, paid_fen, status from settlement.order where id = $1', [spent.orderId])
    expect(order).toMatchObject({ type: 5, creditedTo: started.charge.orderNo, paidFen: 1000 })
    expect(await yard.prepaid(started.charge.orderNo)).toBe(0)
    expect(await yard.hold(started.charge.orderNo)).toMatchObject({ capturedFen: 1000, releasedFen: 4000, openFen: 0 })
    expect(await garage.sql('select from owner.charge_hold')).toEqual([])
    await rights()
  })

  test('two charges at once each have their own part; what one cost more than its part is a debt, and neither takes of the other', async () => {
    const driver = await aDriver({ payFen: 8_000, bonusFen: 800 })
    const [one, two] = [await yard.aGun(), await yard.aGun()]
    const [first, second] = [await startsBy(driver, one), await startsBy(driver, two)]
    expect(second.hold).toMatchObject({ holdFen: 3800 })
    await charges(one, first, 30_000)
    await charges(two, second, 40_000)
    await bills(second)
    expect((await yard.bills(second.charge.orderNo))[0]).toMatchObject({ payableFen: 4000, capturedFen: 3800, arrearsFen: 200 })
    expect((await garage.stands(driver.ownerId)).frozenFen).toBe(5000)
    await bills(first)
    const { principalFen, bonusFen, frozenFen } = await garage.stands(driver.ownerId)
    expect([principalFen + bonusFen, frozenFen]).toEqual([2000, 0])
    // An owner with an unpaid charge starts none with another car or card of theirs.
    const card = await yard.aCard({ kind: 1, ownerId: driver.ownerId })
    const again = await yard.write((tx) => purse.ask(tx, { ownerId: driver.ownerId, at: now() }))
    expect(again[0]!.answer).toMatchObject({
      availableFen: 2000,
      refused: { zh: expect.stringContaining('补缴'), en: expect.stringContaining('unpaid charging session') },
    })
    const gun = await yard.aGun()
    const said = { connectorId: gun.connectorId, transactionId: null, idTag: card, meterWh: 0, at: now(), receivedAt: now(), offline: false }
    expect(await yard.write((tx) => began(tx, said))).toMatchObject({ authorised: { accepted: false, why: 'Blocked' } })
    await rights()
  })

  test('two hundred at once of what ten can have: exactly ten', async () => {
    const driver = await aDriver({ payFen: 4_500, bonusFen: 500 })
    const guns: Gun[] = []
    for (let n = 0; n < 200; n++) guns.push(await yard.aGun())
    const all = await Promise.allSettled(guns.map((gun) => startsBy(driver, gun, 500)))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    for (const one of all) if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 41310 })
    expect(await garage.stands(driver.ownerId)).toEqual({ principalFen: 4_500, bonusFen: 500, frozenFen: 5_000 })
    await rights()
  })

  test('two cards of one owner at two piles at once, and money for one: one charges, the other is told so', async () => {
    const driver = await aDriver({ payFen: 900 })
    const begins = async () => {
      const [{ connectorId }, idTag] = [await yard.aGun(), await yard.aCard({ kind: 1, ownerId: driver.ownerId })]
      return { connectorId, transactionId: null, idTag, meterWh: 100_000, at: minutesOn(0), receivedAt: minutesOn(0), offline: false }
    }
    const both = [await begins(), await begins()]
    const told = await Promise.all(both.map((said) => yard.write((tx) => began(tx, said))))
    expect(told.map(({ authorised }) => authorised.accepted).toSorted()).toEqual([false, true])
    expect(told.find(({ authorised }) => !authorised.accepted)).toMatchObject({ orderNo: null, authorised: { why: 'Blocked' } })
    expect(await garage.stands(driver.ownerId)).toEqual({ principalFen: 900, bonusFen: 0, frozenFen: 900 })
  })

  test('too little, an owner who is locked and one who owes are told so in both languages, and nothing starts', async () => {
    const gun = await yard.aGun()
    const poor = await aDriver({ payFen: 499 })
    await expect(startsBy(poor, gun)).rejects.toMatchObject({
      code: 41310,
      texts: [expect.stringContaining('余额不足'), expect.stringContaining('too low')],
    })
    const locked = await aDriver({ payFen: 3_000 })
    await garage.sql(`update owner.account set status = 2 where id = $1`, [locked.ownerId])
    expect(await whose({ plateNo: locked.plateNo })).toBeUndefined()
    const wish = { connectorId: gun.connectorId, startMode: StartMode.console, ownerId: locked.ownerId, pays: 'stored', at: now() } as const
    await expect(yard.write((tx) => askStart(tx, wish))).rejects.toMatchObject({
      code: 41315,
      texts: [expect.stringContaining('锁定'), expect.stringContaining('locked')],
    })
    expect(await garage.sql('select from charging.charge where connector_id = $1', [gun.connectorId])).toEqual([])
    expect((await garage.stands(locked.ownerId)).frozenFen).toBe(0)
  })

  test('broken off at any statement of its bill, all is as it was; the same bill again takes the money once', async () => {
    const driver = await aDriver({ payFen: 4_000, bonusFen: 1_000 })
    const gun = await yard.aGun()
    const started = await startsBy(driver, gun)
    await charges(gun, started, 10_000)
    const before = await garage.stands(driver.ownerId)
    let struck = 0
    for (let whole = false; !whole; struck++) {
      let seen = 0
      const lost = Object.assign(new Error('planned'), { code: '57P01' })
      planFaults(({ via, when }) => (via === 'test' && when === 'after' && seen++ === struck ? lost : undefined))
      await bills(started)
        .catch((error) => expect(error).toBe(lost))
        .finally(() => planFaults(undefined))
      // The answer to its commit may be lost too: then it is whole.
      whole = (await yard.bills(started.charge.orderNo)).length > 0
      if (!whole) expect(await garage.stands(driver.ownerId)).toEqual(before)
    }
    await bills(started)
    expect(struck).toBeGreaterThan(15)
    expect(await garage.stands(driver.ownerId)).toEqual({ principalFen: 3_200, bonusFen: 800, frozenFen: 0 })
    expect(await yard.bills(started.charge.orderNo)).toHaveLength(1)
    await rights()
  })
})

describe('what comes after', () => {
  const refund = (orderNo: string, refundFen: number, token = yard.admin) =>
    yard.server.ask<any>(token, 'POST', '/lbs/charging/pc/charge/refund', { orderNo, refundFen, reason: '计量有误' })
  /** A charge of sixty yuan that is paid, and its car has left. */
  async function paid(driver: Driver, wh = 60_000) {
    const gun = await yard.aGun()
    const started = await startsBy(driver, gun, 10_000)
    await charges(gun, started, wh)
    await bills(started)
    return started.charge.orderNo
  }

  test('a refund goes back into the purse that paid, by the same proportion: a little at once, more after another person has agreed', async () => {
    const driver = await aDriver({ payFen: 8_000, bonusFen: 2_000 })
    const orderNo = await paid(driver)
    expect(await garage.stands(driver.ownerId)).toEqual({ principalFen: 3_200, bonusFen: 800, frozenFen: 0 })
    expect((await refund(orderNo, 1_000)).status).toBe(200)
    expect(await garage.stands(driver.ownerId)).toEqual({ principalFen: 4_000, bonusFen: 1_000, frozenFen: 0 })
    expect((await refund(orderNo, 3_000)).status).toBe(200)
    expect(await garage.stands(driver.ownerId)).toEqual({ principalFen: 4_000, bonusFen: 1_000, frozenFen: 0 })
    const [waiting] = await garage.sql<any>(
      `select r.id, r.version from settlement.refund r join settlement.order o on o.id = r.order_id where o.credited_to = $1 and r.state = 0`,
      [orderNo],
    )
    expect((await garage.business('/orderRefund/approve', waiting)).status).toBe(422)
    expect((await garage.business('/orderRefund/approve', waiting, garage.second)).status).toBe(200)
    expect(await garage.stands(driver.ownerId)).toEqual({ principalFen: 6_400, bonusFen: 1_600, frozenFen: 0 })
    expect(await refund(orderNo, 2_001)).toMatchObject({ code: 41342, message: expect.stringContaining('20.00') })
    const { data } = await yard.server.ask<any>(yard.admin, 'POST', '/lbs/charging/pc/charge/queryOrderRechargeRefund', { orderNo })
    // Each says what was paid ahead and used of the charge that it belongs to; only what went back is summed.
    const parts = data.records.map(({ holdFen, usedFen, refundFen }: any) => ({ holdFen, usedFen, refundFen }))
    expect(parts).toEqual([
      { holdFen: 10_000, usedFen: 6_000, refundFen: 3_000 },
      { holdFen: 10_000, usedFen: 6_000, refundFen: 1_000 },
    ])
    expect(await yard.prepaid(orderNo)).toBe(0)
    await rights()
  })

  const adjust = (orderNo: string, adjustFen: number) =>
    yard.server.ask<any>(yard.admin, 'POST', '/lbs/charging/pc/charge/adjust', { orderNo, adjustFen, reason: '桩补报电量' })
  const [BY_STORED, WAIVED] = [2, 5]
  test('what was billed too little is debited within three days, whole or not at all, and never a debt', async () => {
    const driver = await aDriver({ payFen: 8_000, bonusFen: 2_000 })
    const orderNo = await paid(driver, 10_000)
    const stands = async () => garage.stands(driver.ownerId)
    expect((await adjust(orderNo, 500)).data).toMatchObject({ payableFen: 500, capturedFen: 500, waivedFen: 0, arrearsFen: 0, paidBy: BY_STORED })
    expect(await stands()).toEqual({ principalFen: 6_800, bonusFen: 1_700, frozenFen: 0 })
    const late = await garage.sql<any>('select state, captured_fen, account_id from charging.hold where order_no = $1 and hold_fen = 500', [orderNo])
    expect(late).toEqual([{ state: HoldState.settled, capturedFen: 500, accountId: driver.ownerId }])
    expect((await adjust(orderNo, 100)).data).toMatchObject({ capturedFen: 100, paidBy: BY_STORED })
    const before = await stands()
    for (const fen of [99, 8_401])
      expect((await adjust(orderNo, fen)).data).toMatchObject({ capturedFen: 0, waivedFen: fen, arrearsFen: 0, paidBy: WAIVED })
    await garage.sql(`update charging.charge set final_at = now() - interval '73 hours' where order_no = $1`, [orderNo])
    expect((await adjust(orderNo, 500)).data).toMatchObject({ capturedFen: 0, waivedFen: 500, paidBy: WAIVED })
    expect(await stands()).toEqual(before)
    expect(await yard.prepaid(orderNo)).toBe(0)
    await rights()
  })

  /** A charge of ten yuan that was paid by twenty in cash, of a car whose owner lets it be debited. */
  async function paidInCash(driver: Driver) {
    const gun = await yard.aGun()
    const wish = {
      connectorId: gun.connectorId,
      startMode: StartMode.scan,
      pays: 'prepaid',
      prepayFen: 2_000,
      plateNo: driver.plateNo,
      plateColor: 0,
      at: minutesOn(0),
    } as const
    const started = await yard.write((tx) => askStart(tx, wish))
    const { orderNo } = started.charge
    await yard.write((tx) => payCash(tx, { orderId: started.hold!.settlementId!, amountFen: 2_000, actor: CASHIER, at: now() }))
    await yard.write((tx) => startAnswered(tx, { orderNo, accepted: true, at: minutesOn(0) }))
    await charges(gun, { ...started, charge: await yard.charge(orderNo) }, 10_000)
    await bills(started)
    return orderNo
  }
  const CASHIER = { userId: '0190f5a0-0000-7000-8000-00000000c001', userName: '值班员' }
  const sentBack = async (orderNo: string) =>
    (
      await garage.sql<any>(
        `select p.channel, r.amount_fen, r.state from settlement.refund r join settlement.order o on o.id = r.order_id join settlement.payment p on p.id = r.payment_id
          where o.credited_to = $1 order by r.refund_no`,
        [orderNo],
      )
    ).map(({ channel, amountFen, state }: any) => [channel, amountFen, state])

  test('a refund reaches the advance and what was debited later: the last first, each the way that it came, and no fen more', async () => {
    const driver = await aDriver({ payFen: 5_000 })
    const orderNo = await paidInCash(driver)
    expect((await adjust(orderNo, 300)).data).toMatchObject({ capturedFen: 300, paidBy: BY_STORED })
    expect(await refund(orderNo, 1_301)).toMatchObject({ code: 41342, message: expect.stringContaining('13.00') })
    expect((await refund(orderNo, 1_200)).data).toMatchObject({ payableFen: -1_200 })
    expect((await garage.stands(driver.ownerId)).principalFen).toBe(5_000)
    expect(await sentBack(orderNo)).toEqual([
      ['cash', 1_000, 1],
      ['stored', 300, 3],
      ['cash', 900, 1],
    ])
    expect(await refund(orderNo, 101)).toMatchObject({ code: 41342, message: expect.stringContaining('1.00') })
    expect((await refund(orderNo, 100)).status).toBe(200)
    await rights()
  })

  test('little by little is much: another person approves what passes the limit, and two at once give back no more than was taken', async () => {
    const driver = await aDriver({ payFen: 8_000 })
    const orderNo = await paid(driver, 30_000)
    expect((await refund(orderNo, 1_500)).status).toBe(200)
    expect((await refund(orderNo, 501)).status).toBe(200)
    expect(await sentBack(orderNo)).toEqual([
      ['stored', 1_500, 3],
      ['stored', 501, 0],
    ])
    const both = await Promise.all([refund(orderNo, 600), refund(orderNo, 600)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
    await rights()
  })

  test('a debt that was paid afterwards goes back first, by the way that it came', async () => {
    const driver = await aDriver({ payFen: 500 })
    const orderNo = await paid(driver, 10_000)
    const [debt] = await garage.sql<any>('select id from settlement.order where credited_to = $1 and owed', [orderNo])
    await yard.write((tx) => payCash(tx, { orderId: debt.id, amountFen: 500, actor: CASHIER, at: minutesOn(60) }))
    expect((await refund(orderNo, 700)).status).toBe(200)
    expect(await sentBack(orderNo)).toEqual([
      ['cash', 500, 1],
      ['stored', 200, 3],
    ])
    expect(await refund(orderNo, 301)).toMatchObject({ code: 41342, message: expect.stringContaining('3.00') })
    await rights()
  })

  test('what another person does not let go back stays paid, by a bill of its own, and may be asked for again', async () => {
    const driver = await aDriver({ payFen: 8_000, bonusFen: 2_000 })
    const orderNo = await paid(driver)
    const waiting = async () =>
      (
        await garage.sql<any>(
          'select r.id, r.version from settlement.refund r join settlement.order o on o.id = r.order_id where o.credited_to = $1 and r.state = 0',
          [orderNo],
        )
      )[0]
    expect((await refund(orderNo, 5_000)).status).toBe(200)
    expect(await refund(orderNo, 1_001)).toMatchObject({ code: 41342, message: expect.stringContaining('10.00') })
    expect((await garage.business('/orderRefund/reject', { ...(await waiting()), verdict: '计量无误' }, garage.second)).status).toBe(200)
    const of = await yard.bills(orderNo)
    expect(of.map(({ payableFen, capturedFen, waivedFen }) => [payableFen, capturedFen, waivedFen])).toEqual([
      [6_000, 6_000, 0],
      [-5_000, 0, 0],
      [5_000, 5_000, 0],
    ])
    expect(of[2]).toMatchObject({ paidBy: BY_STORED, reason: ChargeSaid.refundRefused })
    expect(await garage.stands(driver.ownerId)).toEqual({ principalFen: 3_200, bonusFen: 800, frozenFen: 0 })
    expect(await yard.prepaid(orderNo)).toBe(0)
    expect((await refund(orderNo, 6_000)).status).toBe(200)
    expect((await garage.business('/orderRefund/approve', await waiting(), garage.second)).status).toBe(200)
    expect(await garage.stands(driver.ownerId)).toEqual({ principalFen: 8_000, bonusFen: 2_000, frozenFen: 0 })
    const [order] = await garage.sql<any>('select id from settlement.order where credited_to = $1', [orderNo])
    expect(await garage.business('/orderRefund/apply', { orderId: order.id, amountFen: 1, reason: '绕过' })).toMatchObject({ code: 40597 })
    await rights()
  })

  test('of a charge that was paid in advance only a car’s owner who lets it pay by itself is debited', async () => {
    for (const autoDebit of [true, false]) {
      const driver = await aDriver({ payFen: 5_000, autoDebit })
      const orderNo = await paidInCash(driver)
      expect((await adjust(orderNo, 300)).data).toMatchObject(
        autoDebit ? { capturedFen: 300, paidBy: BY_STORED } : { waivedFen: 300, paidBy: WAIVED },
      )
      expect((await garage.stands(driver.ownerId)).principalFen).toBe(autoDebit ? 4_700 : 5_000)
      // The rest of the cash waits at the counter.
      expect(await yard.prepaid(orderNo)).toBe(1_000)
    }
    await rights()
  })

  test('a price by telephone holds for whoever has it, and for nobody else', async () => {
    const [regular, other] = [await aDriver({ payFen: 10_000 }), await aDriver({ payFen: 10_000 })]
    const users = { name: '老客户', users: [{ phone: regular.phone }], servicePermille: 500, validFrom: minutesOn(-1), validTo: minutesOn(100) }
    const { data: made } = await yard.server.ask<any>(yard.admin, 'POST', '/lbs/charging/strategy/insertUser', users)
    const orders = [await paid(regular, 10_000), await paid(other, 10_000)]
    const billed = await Promise.all(orders.map(async (orderNo) => (await yard.bills(orderNo))[0]))
    expect(billed).toMatchObject([
      { payableFen: 800, discountFen: 200, discountName: '老客户' },
      { payableFen: 1_000, discountFen: 0 },
    ])
    expect(await garage.sql('select used_count, saved_fen from charging.strategy_user where id = $1', [made[0].id])).toEqual([
      { usedCount: 1, savedFen: 200 },
    ])
  })

  test('a card is for an owner who is one: nobody else, and none who is locked or gone', async () => {
    const [driver, locked] = [await aDriver(), await aDriver()]
    await garage.sql('update owner.account set status = 2 where id = $1', [locked.ownerId])
    let cards = 0
    const save = (more: object) => yard.server.ask<any>(yard.admin, 'POST', '/lbs/charging/card/save', { cardNo: `OWN${++cards}`, kind: 1, ...more })
    const { data: made } = await save({ ownerId: driver.ownerId })
    expect(made).toMatchObject({ ownerId: driver.ownerId })
    for (const ownerId of ['nobody', locked.ownerId, '0190f5a0-0000-7000-8000-000000000000'])
      expect(await save({ ownerId })).toMatchObject({ status: 422, code: 41316, message: expect.stringContaining('没有该车主') })
    const { id, version } = made
    expect(await save({ cardNo: undefined, kind: undefined, id, version, ownerId: locked.ownerId })).toMatchObject({ code: 41316 })
  })

  const care = (what: string, body: object) => garage.custom(`/owner/account/${what}`, body)
  test('who charges is not merged, on a dry run either; afterwards charges, cards and refunds are with whoever remains', async () => {
    const [keep, gone] = [await aDriver({ payFen: 1_000 }), await aDriver({ payFen: 10_000 })]
    const orderNo = await paid(gone)
    const gun = await yard.aGun()
    const running = await startsBy(gone, gun, 2_000)
    const card = await yard.aCard({ kind: 1, ownerId: gone.ownerId })
    const merge = (more: object = {}) => care('merge', { keepId: keep.ownerId, goneId: gone.ownerId, ...more })
    expect(await merge({ dryRun: true })).toMatchObject({ status: 409, code: 41518 })
    expect(await care('merge', { keepId: gone.ownerId, goneId: keep.ownerId })).toMatchObject({ code: 41518 })
    await charges(gun, running, 2_000)
    await bills(running)
    expect((await merge()).data).toMatchObject({ done: true, principalFen: 3_800 })
    const left = `select from charging.charge where owner_id = $1 union all select from charging.card where owner_id = $1 union all select from charging.hold where account_id = $1`
    expect(await garage.sql(left, [gone.ownerId])).toEqual([])
    expect((await garage.sql<any>('select owner_id from charging.card where card_no = $1', [card]))[0].ownerId).toBe(keep.ownerId)
    expect((await refund(orderNo, 500)).status).toBe(200)
    expect(await garage.stands(keep.ownerId)).toEqual({ principalFen: 5_300, bonusFen: 0, frozenFen: 0 })
    expect((await garage.stands(gone.ownerId)).principalFen).toBe(0)
    await rights()
  })

  test('a start and a merge at once: the one that is later finds what the first has done', async () => {
    const [keep, gone] = [await aDriver(), await aDriver({ payFen: 10_000 })]
    const gun = await yard.aGun()
    const wish = {
      connectorId: gun.connectorId,
      startMode: StartMode.console,
      ownerId: gone.ownerId,
      prepayFen: 2_000,
      at: minutesOn(0),
      pays: 'stored',
    } as const
    let merged: Promise<any> | undefined
    await yard.write(async (tx) => {
      await askStart(tx, wish)
      merged = care('merge', { keepId: keep.ownerId, goneId: gone.ownerId })
      await expect.poll(async () => (await garage.sql<{ n: number }>('select count(*)::int as n from pg_locks where not granted'))[0]!.n).toBe(1)
    })
    expect(await merged).toMatchObject({ status: 409, code: 41518 })
    const [next, other] = [await aDriver(), await aDriver({ payFen: 10_000 })]
    expect((await care('merge', { keepId: next.ownerId, goneId: other.ownerId })).data.done).toBe(true)
    const again = { ...wish, connectorId: (await yard.aGun()).connectorId, ownerId: other.ownerId }
    await expect(yard.write((tx) => askStart(tx, again))).rejects.toMatchObject({ code: 41315 })
    await rights()
  })

  test('who charges is not erased; who is has no name on what they charged, and no card', async () => {
    const driver = await aDriver({ payFen: 6_000 })
    const gun = await yard.aGun()
    const running = await startsBy(driver, gun, 6_000)
    const card = await yard.aCard({ kind: 1, ownerId: driver.ownerId, plateNo: driver.plateNo })
    const erase = async () => {
      const [{ version }] = (await garage.sql<any>('select version from owner.account where id = $1', [driver.ownerId])) as [any]
      return care('erase', { ownerId: driver.ownerId, version })
    }
    expect(await erase()).toMatchObject({ status: 409, code: 41519 })
    await charges(gun, running, 60_000)
    await bills(running)
    const { orderNo } = running.charge
    const { others } = (await care('export', { ownerId: driver.ownerId })).data
    expect(others).toEqual([
      expect.objectContaining({ of: 'charging.charge', order_no: orderNo, energy_wh: 60_000 }),
      expect.objectContaining({ of: 'charging.card', card_no: card }),
    ])
    expect((await erase()).status).toBe(200)
    await garage.sql(`update owner.account set erase_at = now() - interval '1 minute' where id = $1`, [driver.ownerId])
    await yard.write((tx) => eraseTask.work({ house: yard.server.house, tx, at: now(), data: {} }))
    expect((await yard.hold(orderNo)).payer).toBe(ChargeSaid.erased)
    expect((await garage.sql<any>('select status, plate_no from charging.card where card_no = $1', [card]))[0]).toEqual({ status: 2, plateNo: null })
    expect(await yard.bills(orderNo)).toHaveLength(1)
  })

  test('who owes for a charge that named no plate is not erased', async () => {
    const { ownerId } = await aDriver({ payFen: 500 })
    const gun = await yard.aGun()
    const wish = { connectorId: gun.connectorId, startMode: StartMode.console, ownerId, at: minutesOn(0), pays: 'stored' } as const
    const started = await yard.write((tx) => askStart(tx, wish))
    await charges(gun, started, 10_000)
    await bills(started)
    expect(await garage.stands(ownerId)).toEqual({ principalFen: 0, bonusFen: 0, frozenFen: 0 })
    const [{ version }] = (await garage.sql<any>('select version from owner.account where id = $1', [ownerId])) as [any]
    expect(await care('erase', { ownerId, version })).toMatchObject({ status: 409, code: 41512 })
  })
})

describe('whose a car is', () => {
  test('its verified owner’s, with whether they let it be debited; a telephone is its owner’s; anything else is nobody’s', async () => {
    const [debited, other] = [await aDriver(), await aDriver({ autoDebit: false })]
    expect(await whose({ plateNo: debited.plateNo })).toEqual({ ownerId: debited.ownerId, autoPay: true, plateNo: debited.plateNo })
    expect(await whose({ plateNo: other.plateNo })).toMatchObject({ ownerId: other.ownerId, autoPay: false })
    expect(await whose({ phone: other.phone })).toEqual({ ownerId: other.ownerId, autoPay: false, plateNo: null })
    expect(await whose({ plateNo: aPlate() })).toBeUndefined()
    expect(await whose({ vin: 'LSVAU2A37N2183294' })).toBeUndefined()
    // A plate that waits for its review is nobody's yet; one that two vehicles of different colours bear is nobody's by itself.
    await garage.sql('update owner.car set verify_state = 0, auto_debit = false where id = $1', [debited.id])
    expect(await whose({ plateNo: debited.plateNo })).toBeUndefined()
    await garage.sql('update owner.car set verify_state = 1 where id = $1', [debited.id])
    const twin = await garage.aCar(other.ownerId)
    await garage.sql('update owner.car set plate_no = $2, plate_color = 4 where id = $1', [twin.id, debited.plateNo])
    expect(await whose({ plateNo: debited.plateNo })).toBeUndefined()
  })

  test('the VIN of a verified car is its owner’s by what its licence says, once; the car charges by it alone', async () => {
    const [driver, other] = [await aDriver({ payFen: 5_000 }), await aDriver({ payFen: 5_000, autoDebit: false })]
    const vin = 'LSVAU2A37N2183294'
    const note = async ({ id }: { id: string }, more: object = { vin }) => {
      const [{ version }] = (await garage.sql<any>('select version from owner.car where id = $1', [id])) as [any]
      return garage.business('/carOwner/updateCarInfo', { id, version, ...more })
    }
    expect((await note(driver)).data).toMatchObject({ vin })
    expect(await note(other)).toMatchObject({ status: 409, code: 41526, message: expect.stringContaining(driver.plateNo) })
    expect((await note(other, { vin: 'LSVAU2A37N218329' })).status).toBe(400)
    expect(await whose({ vin: vin.toLowerCase() })).toEqual({ ownerId: driver.ownerId, autoPay: true, plateNo: driver.plateNo })
    const gun = await yard.aGun()
    const plugged = {
      connectorId: gun.connectorId,
      transactionId: null,
      idTag: null,
      vin,
      meterWh: 100_000,
      at: minutesOn(0),
      receivedAt: minutesOn(0),
      offline: false,
    }
    const { orderNo } = await yard.write((tx) => began(tx, plugged))
    expect(await yard.hold(orderNo!)).toMatchObject({ holdFen: 5_000, accountId: driver.ownerId })
    expect((await yard.charge(orderNo!)).plateNo).toBe(driver.plateNo)
    // A driver who did not allow it is not charged by their VIN, and another colour is another car: its VIN is noted anew.
    await note(other, { vin: 'LSVAU2A37N2183295' })
    const theirs = { ...plugged, connectorId: (await yard.aGun()).connectorId, vin: 'LSVAU2A37N2183295' }
    expect((await yard.write((tx) => began(tx, theirs))).authorised).toEqual({ accepted: false, why: 'Invalid' })
    expect((await note(driver, { plateColor: 4 })).data).toMatchObject({ verifyState: 0, vin: null })
    expect(await note(driver)).toMatchObject({ status: 422, code: 41525 })
    expect(await whose({ vin })).toBeUndefined()
  })
})

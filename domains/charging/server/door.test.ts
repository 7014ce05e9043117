import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { until } from '../../settlement/server/testing.ts'
import { DoorState } from '../contract/door.ts'
import { HoldState } from '../contract/money.ts'
import { ChargeStatus, StopReason } from '../contract/session.ts'
import { began, connectorSaid, ended, meterSaid, startAnswered } from './api.ts'
import { overdue, sweepOne } from './sweep.ts'
import { aYard, now, type Yard } from './testing.ts'

let yard: Yard
beforeAll(async () => void (yard = await aYard()))
afterAll(() => yard.close())

const ADDRESS = '/lbs/charging/door'
const show = (code: string) => yard.server.ask<any>(null, 'GET', `${ADDRESS}/show`, { code })
const start = (code: string, fields: object = {}) =>
  yard.server.ask<any>(null, 'POST', `${ADDRESS}/start`, { code, prepayFen: 5000, payMethod: 1, ...fields })
type Mine = { orderNo: string; key: string }
const opened = (call: 'status' | 'bill', { orderNo, key }: Mine) => yard.server.ask<any>(null, 'GET', `${ADDRESS}/${call}`, { orderNo, key })
const changed = (call: 'stop' | 'bindPlate', { orderNo, key }: Mine, more: object = {}) =>
  yard.server.ask<any>(null, 'POST', `${ADDRESS}/${call}`, { orderNo, key, ...more })
const stateOf = async (mine: Mine) => (await opened('status', mine)).data.state

/** A gun that is free, with the code that hangs at it. */
async function aGun() {
  const gun = await yard.aGun()
  const [row] = await yard.sql<{ code: string }>('select code from parking.qrcode_shown where target = 4 and target_code = $1', [gun.connectorId])
  return { ...gun, code: row!.code }
}
type Gun = Awaited<ReturnType<typeof aGun>>
const away = (gun: Gun) => yard.sql('update charging.pile_state set online = false where equipment_id = $1', [gun.equipmentId])
const payNoIn = (payUrl: string) => new URL(payUrl).searchParams.get('payNo')!
const sandbox = (payUrl: string) => yard.channel.channel.pay(payNoIn(payUrl), {})
/** Scans, pays at the channel, and the notice has come. */
async function paid(gun: Gun, fields: object = {}): Promise<Mine> {
  const { data } = await start(gun.code, fields)
  sandbox(data.payUrl)
  await until(
    () => stateOf(data),
    (state) => state !== DoorState.toPay,
  )
  return data
}
const begin = async (gun: Gun, { orderNo }: Mine, meterWh = 100_000) => {
  const { token } = await yard.charge(orderNo)
  const said = { connectorId: gun.connectorId, transactionId: null, idTag: token, meterWh, at: now(), receivedAt: now(), offline: false }
  return yard.write((tx) => began(tx, said))
}
const later = (minutes: number): Instant => new Date(Date.now() + minutes * 60_000).toISOString() as Instant
const pass = async (at: Instant) => {
  for (const one of await yard.write((tx) => overdue(tx, at))) await yard.write((tx) => sweepOne(tx, one, at))
}
const refunds = async (mine: Mine) => (await opened('bill', mine)).data.refunds as { amountFen: number; state: number }[]
const moneyIsWhole = async ({ orderNo }: Mine) => {
  const hold = await yard.hold(orderNo)
  expect(hold.state === HoldState.void || hold.holdFen === hold.capturedFen + hold.releasedFen + hold.openFen).toBe(true)
  expect((await yard.replay()).right).toBe(true)
  return hold
}

describe('the gun', () => {
  test('shows its prices from now to midnight, and that it is free', async () => {
    const gun = await aGun()
    const { status, data } = await show(gun.code)
    expect(status).toBe(200)
    expect(data).toMatchObject({
      connectorId: gun.connectorId,
      stationName: '东门充电站',
      serviceTel: '4000000000',
      hindrance: null,
      prepays: [2000, 5000, 10_000],
      usualFen: 5000,
      occupyFenPerMin: 50,
    })
    expect(data.periods.at(-1)).toMatchObject({ to: '24:00', elecPriceE4: 6000, servicePriceE4: 4000 })
  })
  test('says why nothing starts: off line, faulty, not enabled, station shut, and refuses to take money then', async () => {
    const cases: [string, (gun: Gun) => Promise<unknown>, number][] = [
      ['off line', away, 41358],
      ['faulty', (gun) => yard.sql('update charging.connector_state set status = 255 where connector_id = $1', [gun.connectorId]), 41303],
      ['not enabled', (gun) => yard.sql('update charging.equipment set admin_status = 2 where equipment_id = $1', [gun.equipmentId]), 40041],
    ]
    for (const [, make, code] of cases) {
      const gun = await aGun()
      await make(gun)
      const { data } = await show(gun.code)
      expect(data.hindrance.zh).toMatch(/\p{Script=Han}/u)
      expect((await start(gun.code)).code).toBe(code)
      expect(await yard.sql('select 1 from charging.charge where connector_id = $1', [gun.connectorId])).toEqual([])
    }
  })
  test('a code that is forged, or hangs elsewhere than at a gun, opens nothing', async () => {
    const gun = await aGun()
    for (const code of [`${gun.code.slice(0, -1)}~`, await yard.codeOf('P001')]) {
      expect((await show(code)).code).toBe(41350)
      expect((await start(code)).code).toBe(41350)
    }
  })
  test('another advance than those shown, no number plate, and cash are refused', async () => {
    const gun = await aGun()
    expect((await start(gun.code, { prepayFen: 5001 })).code).toBe(41353)
    expect((await start(gun.code, { plateNo: '不是车牌' })).code).toBe(41352)
    expect((await start(gun.code, { payMethod: PayMethod.cash })).status).toBe(422)
    const left = await yard.sql<any>('select status from charging.charge where connector_id = $1', [gun.connectorId])
    expect(left.every(({ status }) => status === ChargeStatus.cancelled)).toBe(true)
    expect((await show(gun.code)).data.hindrance).toBeNull()
  })
})

describe('a charge', () => {
  test('is paid, begins, is watched, stopped and billed, and the rest goes back', async () => {
    const gun = await aGun()
    const { data: mine } = await start(gun.code, { plateNo: '鄂FD12345' })
    expect((await opened('status', mine)).data).toMatchObject({ state: DoorState.toPay, payUrl: mine.payUrl, prepaidFen: 0, plateNo: '鄂FD12345' })
    sandbox(mine.payUrl)
    await until(
      () => stateOf(mine),
      (state) => state === DoorState.starting,
    )
    await yard.write((tx) => startAnswered(tx, { orderNo: mine.orderNo, accepted: true, at: now() }))
    expect((await opened('status', mine)).data).toMatchObject({
      state: DoorState.starting,
      plugged: false,
      startBy: expect.any(String),
      payUrl: null,
      prepaidFen: 5000,
    })
    expect((await show(gun.code)).data.hindrance.en).toContain('taken')
    const { transactionId } = await begin(gun, mine)
    await yard.write((tx) =>
      meterSaid(tx, {
        connectorId: gun.connectorId,
        transactionId,
        samples: [{ at: later(5), meterWh: 105_000, powerW: 60_000, soc: 55 }],
        receivedAt: later(5),
      }),
    )
    const { data: live } = await opened('status', mine)
    expect(live).toMatchObject({ state: DoorState.charging, energyWh: 5000, powerW: 60_000, soc: 55, costFen: live.elecFen + live.serviceFen })
    expect((await changed('stop', mine)).data).toMatchObject({ state: DoorState.stopping })
    // What is on its way is not asked twice; what the pile refused is asked again.
    const stops = () => yard.sql('select id from charging.pile_command where order_no = $1 and method = 2', [mine.orderNo])
    await until(stops, ({ length }) => length === 1)
    expect((await changed('stop', mine)).data).toMatchObject({ state: DoorState.stopping })
    await yard.sql('update charging.pile_command set state = 4, failure = 3, finished_at = now() where order_no = $1 and method = 2', [mine.orderNo])
    expect((await changed('stop', mine)).data).toMatchObject({ state: DoorState.stopping })
    await until(stops, ({ length }) => length === 2)
    await yard.write((tx) =>
      ended(tx, {
        equipmentId: gun.equipmentId,
        transactionId,
        meterWh: 105_000,
        reason: StopReason.unplugged,
        at: later(6),
        receivedAt: later(6),
        offline: false,
      }),
    )
    expect(await stateOf(mine)).toBe(DoorState.billing)
    await yard.write((tx) => connectorSaid(tx, { connectorId: gun.connectorId, status: 1, raw: 'Available', at: later(7), receivedAt: later(7) }))
    await pass(later(8))
    const { data: bill } = await opened('bill', mine)
    expect(bill).toMatchObject({ stopped: { zh: '用户手动停止' }, capturedFen: live.costFen, returnedFen: 5000 - live.costFen, openFen: 0 })
    expect(bill.bills).toMatchObject([{ payableFen: live.costFen, energyWh: 5000 }])
    expect(bill.bills[0].lines.reduce((sum: number, line: any) => sum + line.elecFen + line.serviceFen, 0)).toBe(live.costFen)
    await until(
      () => refunds(mine),
      (all) => all.some(({ state }) => state === 3),
    )
    expect(await moneyIsWhole(mine)).toMatchObject({ state: HoldState.settled })
    expect(await yard.prepaid(mine.orderNo)).toBe(0)
    expect((await show(gun.code)).data.hindrance).toBeNull()
    // What is given back of it afterwards is used no more.
    await yard.server.ask(yard.admin, 'POST', '/lbs/charging/pc/charge/refund', { orderNo: mine.orderNo, refundFen: 150, reason: '枪头故障' })
    expect((await opened('bill', mine)).data).toMatchObject({
      prepaidFen: 5000,
      capturedFen: live.costFen - 150,
      returnedFen: 5150 - live.costFen,
      openFen: 0,
    })
  })

  test('costs at the end, to the fen, what its driver saw last, whatever the meter said between', { timeout: 60_000 }, async () => {
    const minute = fc.record({ wh: fc.integer({ min: 0, max: 1_900 }), again: fc.boolean(), early: fc.boolean() })
    const property = fc.asyncProperty(fc.array(minute, { minLength: 1, maxLength: 10 }), async (minutes) => {
      const gun = await aGun()
      const mine = await paid(gun, { prepayFen: 10_000 })
      await yard.write((tx) => startAnswered(tx, { orderNo: mine.orderNo, accepted: true, at: now() }))
      const { transactionId } = await begin(gun, mine)
      const measured = (at: number, meterWh: number) =>
        yard.write((tx) =>
          meterSaid(tx, {
            connectorId: gun.connectorId,
            transactionId,
            samples: [{ at: later(at), meterWh, powerW: 60_000 }],
            receivedAt: later(minutes.length),
          }),
        )
      let meterWh = 100_000
      for (const [index, { wh, again, early }] of minutes.entries()) {
        const before = meterWh
        meterWh += wh
        await measured(index + 1, meterWh)
        // Sent once more, and one that comes behind a newer one.
        if (again) await measured(index + 1, meterWh)
        if (early) await measured(index + 0.5, before)
      }
      const { data: live } = await opened('status', mine)
      expect(live.energyWh).toBe(meterWh - 100_000)
      const at = later(minutes.length + 0.1)
      await yard.write((tx) =>
        ended(tx, { equipmentId: gun.equipmentId, transactionId, meterWh, reason: StopReason.unplugged, at, receivedAt: at, offline: false }),
      )
      await yard.write((tx) => connectorSaid(tx, { connectorId: gun.connectorId, status: 1, raw: 'Available', at, receivedAt: at }))
      await pass(later(minutes.length + 2))
      const { data: bill } = await opened('bill', mine)
      expect(bill.bills.map((one: any) => one.payableFen)).toEqual([live.costFen])
      expect(bill).toMatchObject({ capturedFen: live.costFen, energyWh: live.energyWh })
    })
    await fc.assert(property, { numRuns: 8 })
  })

  test('opens to its key alone: no number, no other key, no key of another charge', async () => {
    const [one, other] = [await aGun(), await aGun()]
    const [mine, theirs] = [(await start(one.code)).data as Mine, (await start(other.code)).data as Mine]
    const kept = (await yard.charge(mine.orderNo)).doorKey
    expect(kept).not.toContain(mine.key)
    for (const key of [theirs.key, kept, mine.key.slice(0, -1), `${mine.key}A`, '-', mine.key.replace('1.', '2.'), `1.${'A'.repeat(32)}`])
      for (const call of ['status', 'bill'] as const)
        expect(await opened(call, { orderNo: mine.orderNo, key })).toMatchObject({ status: 404, code: 41351 })
    for (const call of ['stop', 'bindPlate'] as const)
      expect((await changed(call, { orderNo: mine.orderNo, key: theirs.key }, call === 'bindPlate' ? { plateNo: '鄂FD12345' } : {})).code).toBe(41351)
    expect((await opened('status', { orderNo: 'CD00000000000000000000', key: mine.key })).code).toBe(41351)
    expect((await yard.server.ask(null, 'GET', `${ADDRESS}/status`, { orderNo: mine.orderNo })).status).toBe(400)
    expect(await stateOf(mine)).toBe(DoorState.toPay)
  })

  test('two scans of one gun at once: one charges, the other has all of its money back', async () => {
    const gun = await aGun()
    const both = await Promise.all([start(gun.code), start(gun.code)])
    const mine = both.map(({ data }) => data as Mine & { payUrl: string })
    for (const { payUrl } of mine) sandbox(payUrl)
    // Both are paid at first; then one has the gun.
    const states = await until(
      () => Promise.all(mine.map(stateOf)),
      (all) => all.includes(DoorState.cancelled),
    )
    expect(states.toSorted()).toEqual([DoorState.starting, DoorState.cancelled])
    const lost = mine[states.indexOf(DoorState.cancelled)]!
    expect((await opened('status', lost)).data.why.en).toContain('Somebody else has started')
    await until(
      () => refunds(lost),
      (all) => all.some(({ amountFen, state }) => amountFen === 5000 && state === 3),
    )
    expect((await yard.sql('select 1 from charging.charge where connector_id = $1 and claimed', [gun.connectorId])).length).toBe(1)
    for (const one of mine) await moneyIsWhole(one)
  })
})

describe('whose car, and a pile that is away', () => {
  test('a plate is named once, later too, and for a day after the end', async () => {
    const gun = await aGun()
    const mine = await paid(gun)
    await begin(gun, mine)
    expect((await changed('bindPlate', mine, { plateNo: '不是车牌' })).code).toBe(41352)
    expect((await changed('bindPlate', mine, { plateNo: '鄂f·d54321' })).data).toMatchObject({ plateNo: '鄂FD54321' })
    expect((await changed('bindPlate', mine, { plateNo: '鄂FD54321' })).status).toBe(200)
    expect((await changed('bindPlate', mine, { plateNo: '鄂FD99999' })).code).toBe(41356)
    expect(await yard.charge(mine.orderNo)).toMatchObject({ plateNo: '鄂FD54321', plateColor: 4 })
    const old = await aGun()
    const theirs = await paid(old)
    await yard.sql(`update charging.charge set status = 5, claimed = false, end_time = now() - interval '25 hours' where order_no = $1`, [
      theirs.orderNo,
    ])
    expect((await changed('bindPlate', theirs, { plateNo: '鄂FD54322' })).code).toBe(41357)
  })
  test('a pile that is off line cannot be stopped from here, and it is said what to do', async () => {
    const gun = await aGun()
    const mine = await paid(gun)
    await begin(gun, mine)
    await away(gun)
    const { code, message } = await changed('stop', mine)
    expect(code).toBe(41355)
    expect(message).toContain('停止键')
    expect((await opened('status', mine)).data).toMatchObject({ state: DoorState.charging, online: false })
  })
  test('a plate that owes for charging starts nothing', async () => {
    const gun = await aGun()
    const mine = await paid(gun, { prepayFen: 2000, plateNo: '鄂FD77777' })
    const { transactionId } = await begin(gun, mine)
    const at = later(60)
    await yard.write((tx) =>
      ended(tx, { equipmentId: gun.equipmentId, transactionId, meterWh: 140_000, reason: StopReason.user, at, receivedAt: at, offline: false }),
    )
    await pass(later(62))
    expect((await opened('bill', mine)).data.bills[0].arrearsFen).toBeGreaterThan(0)
    expect((await start((await aGun()).code, { plateNo: '鄂FD77777' })).code).toBe(41307)
  })
})

describe('called off', () => {
  test('before it is paid: nothing is asked any more, and money that comes late goes back', async () => {
    const gun = await aGun()
    const { data: mine } = await start(gun.code)
    expect((await changed('stop', mine)).data).toMatchObject({ state: DoorState.cancelled, payUrl: null })
    expect(await yard.hold(mine.orderNo)).toMatchObject({ state: HoldState.void })
    sandbox(mine.payUrl)
    const [{ settlementId }] = (await yard.sql<any>('select settlement_id from charging.hold where order_no = $1', [mine.orderNo])) as [any]
    const back = () => yard.sql<any>('select state, amount_fen from settlement.refund where order_id = $1', [settlementId])
    const closed = () => yard.sql<any>('select state from settlement.payment where order_id = $1', [settlementId])
    // Either the channel closed the payment before, or took the money and sent it back.
    await until(
      async () => [...(await back()), ...(await closed())],
      (all) => all.some(({ state, amountFen }) => (amountFen ? state === 3 : state === 2)),
    )
    expect(await stateOf(mine)).toBe(DoorState.cancelled)
    expect((await show(gun.code)).data.hindrance).toBeNull()
  })
  test('after it is paid and before it begins: all goes back, and a pile that begins later is refused', async () => {
    const gun = await aGun()
    const mine = await paid(gun)
    await yard.write((tx) => startAnswered(tx, { orderNo: mine.orderNo, accepted: true, at: now() }))
    const { token } = await yard.charge(mine.orderNo)
    expect((await changed('stop', mine)).data).toMatchObject({ state: DoorState.cancelled, why: { en: 'Cancelled by the driver' } })
    await until(
      () => refunds(mine),
      (all) => all.some(({ amountFen, state }) => amountFen === 5000 && state === 3),
    )
    const said = { connectorId: gun.connectorId, transactionId: null, idTag: token, meterWh: 1, at: now(), receivedAt: now(), offline: false }
    expect((await yard.write((tx) => began(tx, said))).authorised.accepted).toBe(false)
    await moneyIsWhole(mine)
  })
  test('at the moment in which it begins: either it charges or its money is back, and nothing between', async () => {
    for (let round = 0; round < 6; round++) {
      const gun = await aGun()
      const mine = await paid(gun)
      const [stopped] = await Promise.allSettled([changed('stop', mine), begin(gun, mine)])
      expect(stopped!.status).toBe('fulfilled')
      const state = await stateOf(mine)
      const hold = await moneyIsWhole(mine)
      expect([DoorState.cancelled, DoorState.stopping, DoorState.charging]).toContain(state)
      expect(hold.openFen).toBe(state === DoorState.cancelled ? 0 : 5000)
    }
  })
  test('paid and called off at once: the money is held or back, never lost', async () => {
    for (let round = 0; round < 6; round++) {
      const gun = await aGun()
      const { data: mine } = await start(gun.code)
      sandbox(mine.payUrl)
      const { status } = await changed('stop', mine)
      expect([200, 409]).toContain(status)
      await until(
        () => stateOf(mine),
        (state) => state !== DoorState.toPay,
      )
      await moneyIsWhole(mine)
    }
  })
  test('nobody pays: after a quarter of an hour it is over', async () => {
    const { data: mine } = await start((await aGun()).code)
    await yard.sql(`update charging.charge set created_at = now() - interval '20 minutes' where order_no = $1`, [mine.orderNo])
    await yard.sql(`update settlement.payment set state = 2 where pay_no = $1`, [payNoIn(mine.payUrl)])
    await yard.sql(`update settlement.order set status = 0 where id = (select settlement_id from charging.hold where order_no = $1)`, [mine.orderNo])
    await pass(now())
    expect((await opened('status', mine)).data).toMatchObject({ state: DoorState.cancelled, why: { en: 'The payment was not made in time' } })
  })
  test('the payment channel does not answer: nothing is left waiting', async () => {
    const gun = await aGun()
    await yard.channel.stop()
    expect(await start(gun.code)).toMatchObject({ status: 503, code: 41354 })
    const rows = await yard.sql<any>(
      'select c.status, h.state from charging.charge c join charging.hold h on h.order_no = c.order_no where c.connector_id = $1',
      [gun.connectorId],
    )
    expect(rows).toEqual([{ status: ChargeStatus.cancelled, state: HoldState.void }])
  })
})

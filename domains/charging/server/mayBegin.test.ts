import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { register } from '../../owner/server/api.ts'
import { HoldState } from '../contract/money.ts'
import { PileMethod } from '../contract/pileCommand.ts'
import { ChargeStatus } from '../contract/session.ts'
import { authorise, type began } from './api.ts'
import { found } from './danger.ts'
import { at, aYard, driversOf, type Gun, inMinutes, now, pilesOf, type Yard } from './testing.ts'
import { spoken } from '../../../platform/contract/said.ts'

/** Where nothing may start, nothing does, and who has paid or is waiting loses nothing. */
let yard: Yard
beforeAll(async () => void (yard = await aYard()))
afterAll(() => yard.close())

const { begin, beginAt, meter, end } = pilesOf(() => yard)
const { askedStart, paidStart, passBy, pass, company, ask, conserved } = driversOf(() => yard)

describe('where nothing may start', () => {
  const refusedAt = async (gun: Gun) => {
    const idTag = await company()
    expect(await begin(gun, { idTag })).toMatchObject({ orderNo: null, authorised: { accepted: false, why: 'Blocked' } })
    expect(await yard.write((tx) => authorise(tx, { ...gun, idTag, at: at(0) }))).toEqual({ accepted: false, why: 'Blocked' })
    return idTag
  }
  test('a card begins nothing at a pile that is disabled, nor does 1.6 hear yes without naming a gun; what began off line is taken', async () => {
    const gun = await yard.aGun()
    await yard.sql('update charging.equipment set admin_status = 2 where equipment_id = $1', [gun.equipmentId])
    const idTag = await refusedAt(gun)
    const asked = { equipmentId: gun.equipmentId, idTag, at: at(0) }
    expect(await yard.write((tx) => authorise(tx, asked))).toEqual({ accepted: false, why: 'Blocked' })
    expect(await begin(gun, { idTag, at: at(1), offline: true, receivedAt: at(9) })).toMatchObject({ authorised: { accepted: true } })
  })
  test('nor at a station that is shut, nor at one with a critical danger', async () => {
    const gun = await yard.aGun()
    try {
      await yard.sql('update charging.station set station_status = 6')
      await refusedAt(gun)
      await yard.sql('update charging.station set station_status = 50')
      await yard.write((tx) => found(tx, { stationId: 'ST001', level: 4, kind: 6, source: 3, at: at(0) }))
      await refusedAt(gun)
    } finally {
      await yard.sql('update charging.station set station_status = 50')
      await yard.sql('delete from charging.danger')
    }
  })
  test('a gun that is kept for a card begins for that card alone; the pile’s other gun may still charge', async () => {
    const [gun, other] = (await yard.guns(2)) as [Gun, Gun]
    const mine = await company()
    await yard.sql(
      `insert into charging.reservation (reservation_no, connector_id, equipment_id, park_code, card_no, until) values (77, $1, $2, 'P001', $3, '2030-01-01')`,
      [gun.connectorId, gun.equipmentId, mine],
    )
    const idTag = await refusedAt(gun)
    expect((await yard.write((tx) => authorise(tx, { equipmentId: gun.equipmentId, idTag, at: at(0) }))).accepted).toBe(true)
    expect(await begin(other, { idTag })).toMatchObject({ authorised: { accepted: true } })
    expect(await begin(gun, { idTag: mine })).toMatchObject({ authorised: { accepted: true } })
  })
  test('once its card has charged there it is kept no more, also where the pile does not say so; an older charge that is told late was not what it was kept for', async () => {
    const gun = await yard.aGun()
    const mine = await company()
    await yard.sql(
      `insert into charging.reservation (reservation_no, connector_id, equipment_id, park_code, card_no, until, created_at) values (78, $1, $2, 'P001', $3, '2030-01-01', $4)`,
      [gun.connectorId, gun.equipmentId, mine, at(5)],
    )
    const late = await begin(gun, { idTag: mine, receivedAt: at(6), offline: true })
    await end(gun, late.transactionId, 3, 1_000, { receivedAt: at(6), offline: true })
    expect(await beginAt(gun, 7, { idTag: await company() })).toMatchObject({ authorised: { accepted: false, why: 'Blocked' } })
    const used = await beginAt(gun, 8, { idTag: mine, meterWh: 101_000 })
    expect(used).toMatchObject({ authorised: { accepted: true } })
    await end(gun, used.transactionId, 20, 2_000)
    expect(await beginAt(gun, 21, { idTag: await company(), meterWh: 102_000 })).toMatchObject({ authorised: { accepted: true } })
  })
  test('what was paid while the pile was disabled goes back, and the pile is asked nothing', async () => {
    const gun = await yard.aGun()
    const { orderNo, pay: pays } = await askedStart(gun)
    await yard.sql('update charging.equipment set admin_status = 2 where equipment_id = $1', [gun.equipmentId])
    await pays()
    expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.cancelled, token: null, failReason: expect.stringMatching('未启用') })
    expect(await conserved(orderNo)).toMatchObject({ state: HoldState.released, releasedFen: 5000 })
  })
  test('a paid charge that begins after its pile was disabled is refused, and its money goes back at once', async () => {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun)
    await yard.sql('update charging.equipment set admin_status = 3 where equipment_id = $1', [gun.equipmentId])
    expect(await begin(gun, { idTag: token })).toMatchObject({ orderNo: null, authorised: { accepted: false, why: 'Blocked' } })
    expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.failed })
    expect(await conserved(orderNo)).toMatchObject({ state: HoldState.released, releasedFen: 5000 })
  })
  test('a start from the console is refused at once where any other start is, in the same words, and nothing is sent', async () => {
    const gun = await yard.aGun()
    await yard.sql('update charging.equipment set charge_point_id = $2, protocol = 1 where equipment_id = $1', [
      gun.equipmentId,
      `RS-${gun.equipmentId}`,
    ])
    const cardNo = await company()
    const start = () =>
      yard.server.ask<any>(yard.admin, 'POST', '/lbs/charging/chargingPile/remoteStart', { connectorId: gun.connectorId, cardNo, reason: '代客启动' })
    try {
      for (const status of [2, 3]) {
        await yard.sql('update charging.equipment set admin_status = $2 where equipment_id = $1', [gun.equipmentId, status])
        expect(await start()).toMatchObject({ code: 40041 })
      }
      await yard.sql('update charging.equipment set admin_status = 1 where equipment_id = $1', [gun.equipmentId])
      await yard.sql('update charging.station set station_status = 6')
      expect(await start()).toMatchObject({ code: 41302 })
      await yard.sql('update charging.station set station_status = 50')
      await yard.write((tx) => found(tx, { stationId: 'ST001', level: 4, kind: 6, source: 3, at: at(0) }))
      expect(await start()).toMatchObject({ code: 41305 })
      await yard.sql('delete from charging.danger')
      await yard.sql(`update charging.station_price set to_at = from_at + interval '1 minute'`)
      expect(await start()).toMatchObject({ code: 41306 })
    } finally {
      await yard.sql('update charging.station set station_status = 50')
      await yard.sql('delete from charging.danger')
      await yard.sql('update charging.station_price set to_at = null')
    }
    expect(await yard.sql('select 1 from charging.pile_command where equipment_id = $1', [gun.equipmentId])).toEqual([])
    expect(await start()).toMatchObject({ code: 200 })
  })
  test('where no price is in force a live start is refused, one off line is kept for a person, and neither costs nothing by itself', async () => {
    const gun = await yard.aGun()
    const { orderNo: paid, token } = await paidStart(gun)
    const other = await yard.aGun()
    let told: Awaited<ReturnType<typeof began>>
    try {
      await yard.sql(`update charging.station_price set to_at = from_at + interval '1 minute'`)
      const idTag = await refusedAt(other)
      expect(await begin(gun, { idTag: token })).toMatchObject({ orderNo: paid, authorised: { accepted: true } })
      const said = { idTag, at: at(1), receivedAt: at(90), offline: true }
      const [first, same] = await Promise.all([begin(other, said), begin(other, said)])
      told = first
      expect(same).toEqual(told)
      expect(told).toMatchObject({ orderNo: expect.any(String), authorised: { accepted: false, why: 'Blocked' } })
      await meter(other, told.transactionId, 30, 10_000, 20_000)
      for (const _ of [1, 2]) await end(other, told.transactionId, 60, 20_000, { receivedAt: at(91), offline: true })
      await pass(93)
      expect(await yard.charge(told.orderNo!)).toMatchObject({ status: ChargeStatus.abnormal, energyWh: 20_000 })
      expect(await yard.bills(told.orderNo!)).toEqual([])
      expect(await ask('/close', { orderNo: told.orderNo, reason: '核对' })).toMatchObject({ code: 41306 })
    } finally {
      await yard.sql('update charging.station_price set to_at = null')
    }
    expect(await ask('/close', { orderNo: told.orderNo, reason: '按现行价格' })).toMatchObject({ code: 200 })
    await passBy(inMinutes(11))
    expect(await yard.charge(told.orderNo!)).toMatchObject({ status: ChargeStatus.done, energyWh: 20_000, elecFen: 1_200, serviceFen: 800 })
  })
  test('a pile is told that it is out of service, and the line that says so shows what became of it', async () => {
    const { equipmentId } = await yard.aGun()
    await yard.sql('update charging.equipment set charge_point_id = $2, protocol = 1 where equipment_id = $1', [equipmentId, `AV-${equipmentId}`])
    const [{ id }] = (await yard.sql<{ id: string }>('select id from charging.equipment where equipment_id = $1', [equipmentId])) as [{ id: string }]
    const set = (status: number) =>
      yard.server.ask<any>(yard.admin, 'GET', '/lbs/charging/chargingPile/updatePileStatus', { id, status, reason: '检修' })
    for (const status of [2, 3, 1]) expect((await set(status)).code).toBe(200)
    const told = await yard.sql<any>('select id, params from charging.pile_command where equipment_id = $1 and method = $2 order by id', [
      equipmentId,
      PileMethod.availability,
    ])
    expect(told.map(({ params }) => params.operative)).toEqual([false, true])
    const lines = await yard.sql<any>('select action, params, command_state from charging.operate_log where equipment_id = $1 order by at', [
      equipmentId,
    ])
    expect(lines.map(({ action, params, commandState }) => [action, params?.commandId ?? null, commandState && spoken(commandState, 0)])).toEqual([
      ['updateStatus', told[0].id, '已取消'],
      ['updateStatus', null, null],
      ['updateStatus', told[1].id, '待下发'],
    ])
  })
})

test('a discount of a plate is its verified owner’s, or its car’s by the plug, and not of whoever types the plate or has it on a card', async () => {
  const plateNo = '鄂A90055'
  await yard.sql(
    `insert into charging.strategy_user (name, user_kind, user_key, service_permille, valid_from, valid_to) values ('半价', 3, $1, 500, '2026-01-01', '2030-01-01')`,
    [plateNo],
  )
  const owner = (phone: string) => yard.write(async (tx) => (await register(tx, { phone, nickname: phone, at: now() })).id as string)
  const [owns, claims] = [await owner('13700000301'), await owner('13700000302')]
  for (const [ownerId, state, vin] of [
    [owns, 1, 'LSVAA4187E2184841'],
    [claims, 0, null],
  ] as const) {
    await yard.sql(
      `insert into owner.car (owner_id, plate_no, plate_color, vehicle_class, verify_state, slot, vin, auto_debit, bind_at, applied_at) values ($1, $2, 4, 1, $3, 1, $4, $5, now(), now())`,
      [ownerId, plateNo, state, vin, state === 1],
    )
    await yard.server.ask(yard.admin, 'POST', '/lbs/custom/owner/account/recharge', { ownerId, payFen: 20_000, payMethod: 4 })
  }
  const offered = async (orderNo: string) => (await yard.charge(orderNo)).prices.offers.map(({ name }: { name: string }) => name)
  const typed = await askedStart(await yard.aGun(), { plateNo })
  expect(await offered(typed.orderNo)).toEqual([])
  const cards = { others: { kind: 1, ownerId: claims, plateNo }, company: { kind: 2, unit: '外单位', creditFen: 9_000, plateNo } } as const
  for (const card of Object.values(cards)) {
    const told = await begin(await yard.aGun(), { idTag: await yard.aCard(card) })
    expect(await offered(told.orderNo!)).toEqual([])
  }
  const own = await begin(await yard.aGun(), { idTag: await yard.aCard({ kind: 1, ownerId: owns, plateNo }) })
  expect(await offered(own.orderNo!)).toEqual(['半价'])
  const plugged = await begin(await yard.aGun(), { vin: 'LSVAA4187E2184841' })
  expect(await offered(plugged.orderNo!)).toEqual(['半价'])
})

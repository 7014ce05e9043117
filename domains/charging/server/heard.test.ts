import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { CodeOf, Instant } from '../../../platform/contract/field.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { BillKind, HoldState } from '../contract/money.ts'
import { PileFailure, PileMethod } from '../contract/pileCommand.ts'
import { ChargeStatus, StopReason } from '../contract/session.ts'
import { authorise, meterSaid, pileSignedOut } from './api.ts'
import { failStart } from './hear.ts'
import { lockWithMoney } from './hold.ts'
import { settleLate } from './late.ts'
import { giveSecret, type PileSession, pileSignedIn, pilesLost } from './link.ts'
import { claimCommands, command, commandAnswered, sweepPileCommands } from './pileCommand.ts'
import { at, aYard, driversOf, type Gun, inMinutes, now, pilesOf, type Yard } from './testing.ts'
import { Why } from '../contract/why.ts'

/** What a pile says beside the plan: it is answered so that it goes on, every fen is held, captured or released, and nobody loses a charge that was paid to a stranger's tag. */
let yard: Yard
beforeAll(async () => void (yard = await aYard()))
afterAll(() => yard.close())

const { begin, beginAt, meter, end, plug } = pilesOf(() => yard)
const { paidStart, passBy, pass, company, ask, conserved } = driversOf(() => yard)
const sessionOf = ({ equipmentId }: Gun) => ({ equipmentId }) as PileSession

describe('a start beside another', () => {
  test('a refused tag takes nobody’s paid charge: its own start goes on', async () => {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun)
    expect(await begin(gun, { idTag: 'STRANGER' })).toMatchObject({ orderNo: null, authorised: { accepted: false, why: 'Invalid' } })
    expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.starting, claimed: true })
    expect(await begin(gun, { idTag: token, meterWh: 100_001 })).toMatchObject({ orderNo, authorised: { accepted: true } })
  })

  test('a card that may charge takes the gun; what was paid and had not begun goes back whole at once', async () => {
    const gun = await yard.aGun()
    const { orderNo } = await paidStart(gun)
    expect(await begin(gun, { idTag: await company() })).toMatchObject({ authorised: { accepted: true } })
    expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.cancelled, claimed: false })
    expect(await conserved(orderNo)).toMatchObject({ state: HoldState.released, releasedFen: 5000 })
  })

  test('a card whose last end was never told begins again at its gun', async () => {
    const gun = await yard.aGun()
    const idTag = await company()
    const { orderNo } = await begin(gun, { idTag })
    expect(await beginAt(gun, 30, { idTag, meterWh: 120_000 })).toMatchObject({ authorised: { accepted: true } })
    expect(await yard.charge(orderNo!)).toMatchObject({
      status: ChargeStatus.abnormal,
      claimed: false,
      failReason: Why.nextBegan,
    })
  })

  test('what began off line before the charge that runs is told beside it, and that one keeps its gun and its limit', async () => {
    const gun = await yard.aGun()
    const live = await beginAt(gun, 60, { idTag: await company(), meterWh: 200_000 })
    await plug(gun, 60, ConnectorStatus.charging, 'Charging')
    const old = await begin(gun, { idTag: await company(), at: at(5), receivedAt: at(61), offline: true })
    expect(old.authorised.accepted).toBe(true)
    expect(await yard.charge(live.orderNo!)).toMatchObject({ status: ChargeStatus.charging, claimed: true })
    expect(await yard.charge(old.orderNo!)).toMatchObject({ status: ChargeStatus.charging, claimed: false })
    await end(gun, old.transactionId, 50, 9_000, { receivedAt: at(62), offline: true })
    await pass(63)
    expect(await yard.charge(old.orderNo!)).toMatchObject({ status: ChargeStatus.done, energyWh: 9_000 })
    expect(await conserved(old.orderNo!)).toMatchObject({ state: HoldState.settled, capturedFen: 900, openFen: 0 })
    expect((await yard.charge(live.orderNo!)).status).toBe(ChargeStatus.charging)
  })

  test('a card that charges elsewhere and is told to have begun off line is answered, and billed', async () => {
    const [one, other] = [await yard.aGun(), await yard.aGun()]
    const idTag = await company()
    const live = await beginAt(one, 60, { idTag })
    const old = await begin(other, { idTag, at: at(5), receivedAt: at(61), offline: true })
    expect(old).toMatchObject({ orderNo: expect.any(String), authorised: { accepted: false, why: 'ConcurrentTx' } })
    expect(await yard.charge(live.orderNo!)).toMatchObject({ status: ChargeStatus.charging, claimed: true })
  })

  test('so is one that was stopped since', async () => {
    const [one, other] = [await yard.aGun(), await yard.aGun()]
    const idTag = await company()
    const live = await beginAt(one, 60, { idTag })
    await yard.sql('update charging.card set status = 2 where card_no = $1', [idTag])
    const old = await begin(other, { idTag, at: at(5), receivedAt: at(61), offline: true })
    expect(old).toMatchObject({ orderNo: expect.any(String), authorised: { accepted: false, why: 'Blocked' } })
    expect(await yard.charge(old.orderNo!)).toMatchObject({ status: ChargeStatus.charging, claimed: false })
    expect(await yard.charge(live.orderNo!)).toMatchObject({ status: ChargeStatus.charging, claimed: true })
  })

  test('a token at another gun than its own is refused: no charge is nobody’s', async () => {
    const [gun, other] = (await yard.guns(2)) as [Gun, Gun]
    const { orderNo, token } = await paidStart(gun)
    expect(await begin(other, { idTag: token })).toMatchObject({ orderNo: null, authorised: { accepted: false, why: 'Invalid' } })
    expect(await yard.write((tx) => authorise(tx, { ...other, idTag: token, at: at(0) }))).toEqual({ accepted: false, why: 'Invalid' })
    expect(await yard.write((tx) => authorise(tx, { ...gun, idTag: token, at: at(0) }))).toEqual({ accepted: true, orderNo })
    expect(await begin(gun, { idTag: token })).toMatchObject({ orderNo, authorised: { accepted: true } })
  })

  test('a token that charged at another gun off line is its driver’s debt, not nobody’s', async () => {
    const [gun, other] = (await yard.guns(2)) as [Gun, Gun]
    const { orderNo, token } = await paidStart(gun)
    const { plateNo } = await yard.charge(orderNo)
    const told = await begin(other, { idTag: token, receivedAt: at(30), offline: true })
    expect(await yard.charge(told.orderNo!)).toMatchObject({ plateNo, status: ChargeStatus.charging })
  })
})

describe('a start that was refused and is told again', () => {
  test('began off line by a tag that may not: the same answer, the same transaction, one charge', async () => {
    const gun = await yard.aGun()
    const said = { idTag: 'NOBODY', receivedAt: at(30), offline: true }
    const first = await begin(gun, said)
    expect(first).toMatchObject({ orderNo: expect.any(String), authorised: { accepted: false, why: 'Invalid' } })
    expect(await begin(gun, said)).toEqual(first)
    expect(await begin(gun, { ...said, transactionId: first.transactionId })).toEqual(first)
    expect(await yard.sql('select 1 from charging.charge where connector_id = $1', [gun.connectorId])).toHaveLength(1)
  })
  test('a card that charged elsewhere is told so again, also once it charges nowhere; two at once hear one answer', async () => {
    const [one, other] = [await yard.aGun(), await yard.aGun()]
    const idTag = await company()
    const live = await beginAt(one, 60, { idTag })
    const said = { idTag, at: at(5), receivedAt: at(61), offline: true }
    const [first, same] = await Promise.all([begin(other, said), begin(other, said)])
    expect(same).toEqual(first)
    await end(one, live.transactionId, 70, 5_000)
    expect(await begin(other, said)).toEqual(first)
    expect(first).toMatchObject({ authorised: { accepted: false, why: 'ConcurrentTx' } })
  })
  test('an order that began unpaid after its time is stopped, and stays refused', async () => {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun)
    await pass(5)
    const first = await beginAt(gun, 6, { idTag: token })
    expect(first).toMatchObject({ orderNo, authorised: { accepted: false, why: 'Expired' } })
    expect(await beginAt(gun, 6, { idTag: token })).toEqual(first)
  })
  test('a card that was blocked, or a station that was shut, is told so again however late its pile repeats it: no charge comes of it, also once it may', async () => {
    const gun = await yard.aGun()
    const idTag = await company()
    const chargesHere = () => yard.sql('select 1 from charging.charge where connector_id = $1', [gun.connectorId])
    await yard.sql('update charging.card set status = 2 where card_no = $1', [idTag])
    const [first, twin] = await Promise.all([begin(gun, { idTag }), begin(gun, { idTag })])
    expect(first).toMatchObject({ orderNo: null, authorised: { accepted: false, why: 'Blocked' } })
    expect(twin).toEqual(first)
    await yard.sql('update charging.card set status = 1 where card_no = $1', [idTag])
    expect(await begin(gun, { idTag, receivedAt: at(2), offline: true })).toEqual(first)
    try {
      await yard.sql('update charging.station set station_status = 6')
      const shut = await beginAt(gun, 3, { idTag })
      expect(shut).toMatchObject({ orderNo: null, authorised: { accepted: false, why: 'Blocked' } })
      expect(await begin(gun, { idTag, at: at(3), receivedAt: at(9), offline: true })).toEqual(shut)
    } finally {
      await yard.sql('update charging.station set station_status = 50')
    }
    expect(await chargesHere()).toEqual([])
    expect(await beginAt(gun, 10, { idTag })).toMatchObject({ orderNo: expect.any(String), authorised: { accepted: true } })
    expect(await chargesHere()).toHaveLength(1)
  })
  test('what a pile with another clock, or another gun, says at the same moment is no repetition', async () => {
    const [gun, other] = (await yard.guns(2)) as [Gun, Gun]
    expect(await begin(gun, { idTag: 'STRANGER' })).toMatchObject({ orderNo: null })
    for (const one of [
      await begin(other, { idTag: 'STRANGER', receivedAt: at(5), offline: true }),
      await begin(gun, { idTag: 'STRANGER', at: at(1), receivedAt: at(5), offline: true }),
    ])
      expect(one).toMatchObject({ orderNo: expect.any(String), authorised: { accepted: false, why: 'Invalid' } })
  })
  test('an order that was refused because its pile is disabled hears the same again', async () => {
    const gun = await yard.aGun()
    const { token } = await paidStart(gun)
    await yard.sql('update charging.equipment set admin_status = 3 where equipment_id = $1', [gun.equipmentId])
    for (const _ of [1, 2])
      expect(await begin(gun, { idTag: token })).toMatchObject({ orderNo: null, authorised: { accepted: false, why: 'Blocked' } })
  })
})

test('what waits for a pile that is away is told in the order in which it was asked, and of being in service the last word alone', async () => {
  const { equipmentId, connectorId } = await yard.aGun()
  const asks = (method: CodeOf<typeof PileMethod>, params: object, on: string | null = null) =>
    yard.write((tx) => command(tx, { equipmentId, connectorId: on, method, params: { ...params }, byName: '测试' }))
  const { availability, setConfiguration } = PileMethod
  await asks(availability, { operative: false }, connectorId)
  await asks(availability, { operative: false })
  await asks(availability, { operative: true })
  await asks(availability, { operative: false }, connectorId)
  const [first, second] = [await asks(setConfiguration, { key: 'B', value: '1' }), await asks(setConfiguration, { key: 'A', value: '2' })]
  await yard.sql(`update charging.pile_command set created_at = created_at + interval '1 minute' where id = $1`, [first.id])
  const claimed = await yard.write((tx) => claimCommands(tx, equipmentId))
  expect(claimed.map(({ connectorId: on, params }) => [on, params.operative ?? params.key])).toEqual([
    [null, true],
    [connectorId, false],
    [null, 'A'],
    [null, 'B'],
  ])
  expect(claimed.at(-2)!.id).toBe(second.id)
  const over = await yard.sql<any>('select failure from charging.pile_command where equipment_id = $1 and state = 6', [equipmentId])
  expect(over).toEqual([{ failure: PileFailure.cancelled }, { failure: PileFailure.cancelled }])
})

describe('a word about being in service that was sent and never answered', () => {
  const commandsOf = ({ equipmentId }: Gun) =>
    yard.sql<any>(
      `select id, state, failure, params, extract(epoch from expires_at - sent_at)::int as waits_sec, extract(epoch from expires_at - created_at)::int as lasts_sec from charging.pile_command where equipment_id = $1 order by created_at, id`,
      [equipmentId],
    )
  async function sent() {
    const gun = await yard.aGun()
    const { id } = await yard.write((tx) =>
      command(tx, { equipmentId: gun.equipmentId, method: PileMethod.availability, params: { operative: false }, byName: '测试' }),
    )
    expect(await yard.write((tx) => claimCommands(tx, gun.equipmentId))).toHaveLength(1)
    return { gun, id }
  }
  const signIn = (gun: Gun) => yard.write((tx) => pileSignedIn(tx, sessionOf(gun), { renewed: false, ip: '10.0.0.1', subProtocol: null, at: now() }))
  const again = [
    { state: 5, failure: PileFailure.noAnswer },
    { state: 0, failure: null, params: { operative: false } },
  ]

  test('is over within minutes, not a day later, and is said again when the pile is back', async () => {
    const { gun } = await sent()
    expect((await commandsOf(gun))[0].waitsSec).toBeLessThanOrEqual(300)
    await yard.sql(`update charging.pile_command set expires_at = now() where equipment_id = $1`, [gun.equipmentId])
    await yard.write((tx) => sweepPileCommands(tx))
    expect(await commandsOf(gun)).toMatchObject([again[0]])
    await signIn(gun)
    expect(await commandsOf(gun)).toMatchObject(again)
  })
  test('is said again at once when the pile comes back before that', async () => {
    const { gun } = await sent()
    await signIn(gun)
    expect(await commandsOf(gun)).toMatchObject(again)
    await signIn(gun)
    expect(await commandsOf(gun)).toHaveLength(2)
  })
  test('is said again where the line broke under it, and not where the pile refused it', async () => {
    for (const [failure, count] of [
      [PileFailure.offline, 2],
      [PileFailure.rejected, 1],
    ] as const) {
      const { gun, id } = await sent()
      await yard.write((tx) => commandAnswered(tx, id, { agreed: false, failure, result: null }))
      await signIn(gun)
      expect(await commandsOf(gun)).toHaveLength(count)
    }
  })
  test('agreed to, it has its whole day: a pile that charges becomes unavailable when the car leaves', async () => {
    const { gun, id } = await sent()
    await yard.write((tx) => commandAnswered(tx, id, { agreed: true, done: false, result: { status: 'Scheduled' } }))
    expect(await commandsOf(gun)).toMatchObject([{ state: 2, lastsSec: 86_400 }])
  })
})

describe('an end that is not simply told', () => {
  const stopsOf = (gun: Gun) =>
    yard.sql<any>('select id, state, failure from charging.pile_command where connector_id = $1 and method = $2 order by created_at', [
      gun.connectorId,
      PileMethod.stop,
    ])
  /** A charge that has used up what was paid, and the stop of it. */
  async function usedUp(gun: Gun) {
    const { orderNo, token } = await paidStart(gun, { prepayFen: 2000 })
    const began = new Date(Date.now() - 20 * 60_000).toISOString() as Instant
    const { transactionId } = await begin(gun, { idTag: token, at: began, receivedAt: began })
    const tell = (wh: number) =>
      yard.write((tx) =>
        meterSaid(tx, {
          connectorId: gun.connectorId,
          transactionId,
          samples: [{ at: now(), meterWh: 100_000 + wh, powerW: 100_000 }],
          receivedAt: now(),
        }),
      )
    // By day and by night that is what was paid, but for a minute of it.
    await tell(28_000)
    await vi.waitFor(async () => expect(await stopsOf(gun)).toHaveLength(1), { timeout: 9_000 })
    return { orderNo, transactionId, tell }
  }
  const refuseStops = (gun: Gun) =>
    yard.sql(
      'update charging.pile_command set state = 4, failure = $2, finished_at = now() where connector_id = $1 and method = 2 and state in (0, 1, 2)',
      [gun.connectorId, PileFailure.rejected],
    )

  test('a stop that the pile refused is asked again, each time after longer, while the charge goes on; whoever is on duty is told once', async () => {
    const gun = await yard.aGun()
    const { orderNo, tell } = await usedUp(gun)
    await refuseStops(gun)
    await passBy(inMinutes(0.5))
    expect(await stopsOf(gun)).toHaveLength(1)
    await passBy(inMinutes(1.1))
    await vi.waitFor(async () => expect(await stopsOf(gun)).toHaveLength(2), { timeout: 9_000 })
    await passBy(inMinutes(9)) // it is under way
    await refuseStops(gun)
    await tell(29_000)
    await passBy(inMinutes(1.1))
    expect(await stopsOf(gun)).toHaveLength(2)
    await passBy(inMinutes(2.1))
    await vi.waitFor(async () => expect(await stopsOf(gun)).toHaveLength(3), { timeout: 9_000 })
    expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.stopping, stopReason: StopReason.outOfMoney })
    const told = await yard.sql<any>('select count(*)::int as n from message.record where link = $1 group by cust_id', [
      `/recharge/chargingOrder/use/${orderNo}`,
    ])
    expect(new Set(told.map(({ n }) => n))).toEqual(new Set([1]))
    const moves = await yard.sql<any>('select event from charging.charge_move where order_no = $1 order by id', [orderNo])
    expect(moves.filter(({ event }) => event === 'stopAskedAgain')).toHaveLength(2)
  })

  test('while the first stop is on its way nobody is told that the pile does not stop; once it has failed, once', async () => {
    const gun = await yard.aGun()
    const { orderNo } = await usedUp(gun)
    const told = async () =>
      (
        await yard.sql<any>('select count(*)::int as n from message.record where link = $1 group by cust_id', [
          `/recharge/chargingOrder/use/${orderNo}`,
        ])
      ).map(({ n }) => n)
    await passBy(inMinutes(1.1))
    await passBy(inMinutes(1.9))
    expect(await told()).toEqual([])
    await refuseStops(gun)
    await passBy(inMinutes(1.1))
    await passBy(inMinutes(1.2))
    expect(new Set(await told())).toEqual(new Set([1]))
    await vi.waitFor(async () => expect(await stopsOf(gun)).toHaveLength(2), { timeout: 9_000 })
  })

  test('a charge that began too late and without money is asked to end again while it measures on, and no more when it is silent', async () => {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun)
    await yard.write(async (tx) => failStart(tx, await lockWithMoney(tx, orderNo), '超时', now()))
    const { transactionId } = await begin(gun, { idTag: token, at: now(), receivedAt: now() })
    expect((await yard.charge(orderNo)).status).toBe(ChargeStatus.abnormal)
    const tell = (wh: number) =>
      yard.write((tx) =>
        meterSaid(tx, {
          connectorId: gun.connectorId,
          transactionId,
          samples: [{ at: now(), meterWh: 100_000 + wh, powerW: 60_000 }],
          receivedAt: now(),
        }),
      )
    await vi.waitFor(async () => expect(await stopsOf(gun)).toHaveLength(1), { timeout: 9_000 })
    await refuseStops(gun)
    await tell(500)
    await passBy(inMinutes(1.1))
    await vi.waitFor(async () => expect(await stopsOf(gun)).toHaveLength(2), { timeout: 9_000 })
    await refuseStops(gun)
    await passBy(inMinutes(20))
    expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.abnormal, endTime: null })
    const asked = await yard.sql<any>(`select 1 from charging.charge_move where order_no = $1 and event = 'stopAskedAgain'`, [orderNo])
    expect(asked).toHaveLength(1)
    await end(gun, transactionId, 0, 600, { at: now(), receivedAt: now() })
    await passBy(inMinutes(3))
    expect(await stopsOf(gun)).toHaveLength(2)
  })

  test('a charge that was asked to stop and lost its gun to the next one is asked no more', async () => {
    const gun = await yard.aGun()
    const { orderNo, tell } = await usedUp(gun)
    await refuseStops(gun)
    await tell(29_000)
    expect(await begin(gun, { idTag: await company(), at: now(), receivedAt: now(), meterWh: 130_000 })).toMatchObject({
      authorised: { accepted: true },
    })
    expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.abnormal, claimed: false, endTime: null })
    await passBy(inMinutes(5))
    expect(await yard.sql(`select 1 from charging.charge_move where order_no = $1 and event = 'stopAskedAgain'`, [orderNo])).toEqual([])
    expect(await stopsOf(gun)).toHaveLength(1)
  })

  test('what waits for a person is closed by the last reading that was believed, never by the one that was not', async () => {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun)
    const { transactionId } = await begin(gun, { idTag: token })
    await meter(gun, transactionId, 1, 500)
    await meter(gun, transactionId, 2, 800_000)
    await end(gun, transactionId, 10, 800_000)
    await pass(11)
    expect((await yard.charge(orderNo)).status).toBe(ChargeStatus.abnormal)
    expect((await ask('/close', { orderNo, reason: '电表异常' })).data).toMatchObject({ status: ChargeStatus.billing, endWh: 100_500 })
    // The car stood there until its end, and not since the last good reading.
    expect(Date.parse((await yard.charge(orderNo)).occupiedFrom)).toBe(Date.parse(at(10)))
    await plug(gun, 12, ConnectorStatus.free, 'Available')
    await passBy(inMinutes(1))
    expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.done, energyWh: 500 })
    expect(await conserved(orderNo)).toMatchObject({ state: HoldState.settled, capturedFen: 50, releasedFen: 4950 })
  })

  test('a person reads the register at the pile, or has all of it given back', async () => {
    for (const [endWh, energyWh] of [
      [108_000, 8_000],
      [100_000, 0],
    ] as const) {
      const gun = await yard.aGun()
      const { orderNo, token } = await paidStart(gun)
      const { transactionId } = await begin(gun, { idTag: token })
      await meter(gun, transactionId, 1, 500)
      await meter(gun, transactionId, 2, 800_000)
      await end(gun, transactionId, 10, 800_000)
      await plug(gun, 11, ConnectorStatus.free, 'Available')
      await pass(11)
      expect((await ask('/close', { orderNo, reason: '抄表', endWh: 950_000 })).code).toBe(41343)
      expect((await yard.charge(orderNo)).status).toBe(ChargeStatus.abnormal)
      expect((await ask('/close', { orderNo, reason: '抄表', endWh })).data).toMatchObject({ status: ChargeStatus.billing, endWh })
      await passBy(inMinutes(1))
      expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.done, energyWh })
      expect(await conserved(orderNo)).toMatchObject({ capturedFen: energyWh / 10, openFen: 0 })
    }
  })

  test('a stop of nothing while a charge is about to begin is taken and kept apart, and the start goes on', async () => {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun)
    await yard.sql('update charging.charge set start_time = $2 where order_no = $1', [orderNo, at(0)])
    expect(await end(gun, '-1', 1, 10, { connectorId: gun.connectorId })).toEqual({ orderNo: null })
    expect(await yard.sql<any>('select 1 from charging.orphan where equipment_id = $1', [gun.equipmentId])).toHaveLength(1)
    expect(await begin(gun, { idTag: token })).toMatchObject({ orderNo, authorised: { accepted: true } })
  })

  test('the stop of a refused second start is nobody’s, and the card’s first charge goes on', async () => {
    const [gun, other] = (await yard.guns(2)) as [Gun, Gun]
    const idTag = await company()
    const first = await begin(gun, { idTag })
    const second = await beginAt(other, 5, { idTag, meterWh: 50_000 })
    expect(second.authorised).toEqual({ accepted: false, why: 'ConcurrentTx' })
    expect(await end(gun, second.transactionId, 6, 0, { idTag, meterWh: 50_010, reason: StopReason.revoked })).toEqual({ orderNo: null })
    expect(await yard.charge(first.orderNo!)).toMatchObject({ status: ChargeStatus.charging, claimed: true })
    expect(await yard.sql<any>('select 1 from charging.orphan where equipment_id = $1', [gun.equipmentId])).toHaveLength(1)
  })
})

describe('what is known late', () => {
  const city = (time: string) => `2026-11-02T${time}:00+08:00` as Instant
  /** From seven to nine, half of it before prices rise at eight, as far as is known. */
  async function aMorning(kWh: number, prepayFen: number) {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun, { prepayFen })
    const { transactionId } = await begin(gun, { idTag: token, at: city('07:00'), receivedAt: city('07:00') })
    await end(gun, transactionId, 0, kWh * 1000, { at: city('09:00'), receivedAt: city('09:00') })
    await passBy(city('09:02'))
    return { gun, orderNo, transactionId }
  }
  const refundsOf = async (orderNo: string) =>
    ((await ask('/queryOrderRechargeRefund', { orderNo })).data.records as any[])
      .map(({ refundFen, state }) => [refundFen, state])
      .toSorted((a, b) => a[0] - b[0])

  test('a sample that says more was cheap gives the difference back, once and by a bill of its own', async () => {
    const { gun, orderNo, transactionId } = await aMorning(20, 2000)
    const [first] = await yard.bills(orderNo)
    expect(first).toMatchObject({ payableFen: 1700 })
    const late = () =>
      yard.write((tx) =>
        meterSaid(tx, { connectorId: gun.connectorId, transactionId, samples: [{ at: city('07:55'), meterWh: 119_900 }], receivedAt: city('09:20') }),
      )
    await late()
    await vi.waitFor(async () => expect(await yard.bills(orderNo)).toHaveLength(2), { timeout: 9_000 })
    await late()
    await yard.write(async (tx) => settleLate(tx, await lockWithMoney(tx, orderNo), city('09:22')))
    expect(await yard.bills(orderNo)).toMatchObject([first, { kind: BillKind.adjustment, payableFen: -297 }])
    expect(await refundsOf(orderNo)).toEqual([
      [297, 1],
      [300, 1],
    ])
    expect((await yard.replay()).right).toBe(true)
  })
  test('a lower end gives back what was too much, much of it by another person; one that cannot be changes nothing', async () => {
    const { gun, orderNo, transactionId } = await aMorning(20, 2000)
    await end(gun, transactionId, 0, 15_000, { at: city('08:50'), receivedAt: city('09:30') })
    expect((await yard.bills(orderNo)).map(({ payableFen }) => payableFen)).toEqual([1700, -446])
    await end(gun, transactionId, 0, 900_000, { at: city('08:50'), receivedAt: city('09:31') })
    expect(await yard.bills(orderNo)).toHaveLength(2)
    expect(await yard.charge(orderNo)).toMatchObject({ endWh: 115_000 })
    const dear = await aMorning(50, 5000)
    await end(dear.gun, dear.transactionId, 0, 20_000, { at: city('09:00'), receivedAt: city('09:30') })
    expect(await refundsOf(dear.orderNo)).toEqual([
      [750, 1],
      [2550, 0],
    ])
  })
  test('what was too much for a company’s card is off what the company has to pay', async () => {
    const gun = await yard.aGun()
    const { transactionId, orderNo } = await begin(gun, { idTag: await yard.aCard({ kind: 2, unit: '多收公司', creditFen: 100_000 }) })
    await end(gun, transactionId, 30, 10_000)
    await pass(31)
    await end(gun, transactionId, 30, 9_000, { receivedAt: at(60) })
    expect((await yard.bills(orderNo!)).map(({ payableFen }) => payableFen)).toEqual([1000, -100])
    const owes = await yard.sql<any>(
      `select sum(debit_fen - credit_fen)::int as fen from ledger.balance where account = 'asset.partner' and sub = $1`,
      ['unit:多收公司'],
    )
    expect(owes).toEqual([{ fen: 900 }])
    expect(await yard.prepaid(orderNo!)).toBe(0)
    expect((await yard.replay()).right).toBe(true)
  })
  test('what people gave back stays given when the pile tells something again', async () => {
    const { gun, orderNo, transactionId } = await aMorning(20, 2000)
    await ask('/refund', { orderNo, refundFen: 500, reason: '投诉' })
    await end(gun, transactionId, 0, 20_100, { at: city('09:00'), receivedAt: city('09:30') })
    expect((await yard.bills(orderNo)).map(({ payableFen }) => payableFen)).toEqual([
      1700,
      -500,
      expect.toSatisfy((fen: number) => fen > 0 && fen < 20),
    ])
  })

  test('an end that was told when the pile came back costs no bay either', async () => {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun)
    const { transactionId } = await begin(gun, { idTag: token })
    await plug(gun, 1, ConnectorStatus.charging, 'Charging')
    await yard.sql('update charging.pile_state set connected_at = $2 where equipment_id = $1', [gun.equipmentId, at(90)])
    await end(gun, transactionId, 10, 10_000, { receivedAt: at(91), offline: true })
    await plug(gun, 91, ConnectorStatus.plugged, 'Finishing')
    await pass(92)
    expect((await yard.bills(orderNo)).map(({ kind }) => kind)).toEqual([BillKind.charge])
    expect(await conserved(orderNo)).toMatchObject({ state: HoldState.settled, capturedFen: 1000, openFen: 0 })
  })
  /** Full at ten, billed, and standing there when its pile was last heard of. */
  async function standing(lastSeen: number) {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun)
    const { transactionId } = await begin(gun, { idTag: token })
    await yard.sql('update charging.pile_state set connected_at = $2, last_seen_at = $3 where equipment_id = $1', [
      gun.equipmentId,
      at(0),
      at(lastSeen),
    ])
    await plug(gun, 10, ConnectorStatus.plugged, 'Finishing')
    await end(gun, transactionId, 10, 10_000)
    await pass(12)
    return { gun, orderNo }
  }
  test('a car that is full stands there for nothing while nobody hears of its pile', async () => {
    const { gun, orderNo } = await standing(12)
    expect(await conserved(orderNo)).toMatchObject({ state: HoldState.held, releasedFen: 2000, openFen: 2000 })
    await yard.write((tx) => pileSignedOut(tx, gun.equipmentId, at(14)))
    await plug(gun, 100, ConnectorStatus.free, 'Available')
    expect((await yard.bills(orderNo)).map(({ kind }) => kind)).toEqual([BillKind.charge])
    expect(await conserved(orderNo)).toMatchObject({ state: HoldState.settled, capturedFen: 1000, releasedFen: 4000, openFen: 0 })
  })
  test('a car that charges again without leaving stood there until then, and no longer', async () => {
    const { gun, orderNo } = await standing(12)
    await beginAt(gun, 40, { idTag: await company(), meterWh: 110_000 })
    for (const _ of [1, 2]) {
      expect((await yard.bills(orderNo))[1]).toMatchObject({ kind: BillKind.occupancy, occupyFen: 15 * 50 })
      expect(await conserved(orderNo)).toMatchObject({ state: HoldState.settled, capturedFen: 1000 + 750, openFen: 0 })
      await plug(gun, 300, ConnectorStatus.free, 'Available')
    }
  })
  test('one that asked for nothing more before its pile was away stands there since the end that the pile tells then', async () => {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun)
    const { transactionId } = await begin(gun, { idTag: token })
    await plug(gun, 5, ConnectorStatus.charging, 'SuspendedEV')
    await yard.write((tx) => pileSignedOut(tx, gun.equipmentId, at(10)))
    await yard.write((tx) => pileSignedIn(tx, sessionOf(gun), { renewed: false, ip: '10.0.0.1', subProtocol: null, at: at(100) }))
    await plug(gun, 101, ConnectorStatus.plugged, 'Finishing')
    await end(gun, transactionId, 101, 10_000)
    await pass(102)
    await plug(gun, 140, ConnectorStatus.free, 'Available')
    const [, bay] = await yard.bills(orderNo)
    expect(bay).toMatchObject({ kind: BillKind.occupancy, occupyFen: 24 * 50 })
  })
  test('a bay that was left when its pile was lost is billed on the day that it is known, not in the past', async () => {
    const { orderNo } = await standing(70)
    await yard.write((tx) => pilesLost(tx, at(2000)))
    const [, bay] = await yard.bills(orderNo)
    expect(bay).toMatchObject({ kind: BillKind.occupancy })
    expect(new Date(bay.finalAt).toISOString()).toBe(new Date(at(2000)).toISOString())
    const charge = await yard.charge(orderNo)
    expect(Date.parse(charge.occupiedTo)).toBe(Date.parse(at(70)))
    expect(Date.parse(charge.updatedAt)).toBe(Date.parse(at(2000)))
    expect(await conserved(orderNo)).toMatchObject({ state: HoldState.settled, openFen: 0 })
  })
  test('a pile that comes back after our own silence was not heard meanwhile, though nobody wrote that it was away', async () => {
    const { gun, orderNo } = await standing(12)
    await yard.write((tx) => pileSignedIn(tx, sessionOf(gun), { renewed: false, ip: '10.0.0.1', subProtocol: null, at: at(600) }))
    await plug(gun, 601, ConnectorStatus.free, 'Available')
    expect((await yard.bills(orderNo)).map(({ kind }) => kind)).toEqual([BillKind.charge])
    expect(await conserved(orderNo)).toMatchObject({ state: HoldState.settled, capturedFen: 1000, openFen: 0 })
    const [pile] = await yard.sql<any>('select online, connected_at from charging.pile_state where equipment_id = $1', [gun.equipmentId])
    expect([pile.online, Date.parse(pile.connectedAt)]).toEqual([true, Date.parse(at(600))])
  })
  test('a pile that comes back at once was heard all the time', async () => {
    const { gun, orderNo } = await standing(70)
    await yard.write((tx) => giveSecret(tx, gun.equipmentId, 'secret'))
    await yard.write((tx) => pileSignedIn(tx, sessionOf(gun), { renewed: false, ip: '10.0.0.1', subProtocol: null, at: at(71) }))
    expect((await yard.charge(orderNo)).occupiedTo).toBeNull()
    // Its connection is the present one all the same.
    const [link] = await yard.sql<any>('select connected_at from charging.pile_link where equipment_id = $1', [gun.equipmentId])
    expect(Date.parse(link.connectedAt)).toBe(Date.parse(at(71)))
  })
})

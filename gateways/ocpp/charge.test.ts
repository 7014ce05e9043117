import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { askStart, giveSecret, sweepPileCommands } from '../../domains/charging/server/api.ts'
import { PileFailure, PileMethod } from '../../domains/charging/contract/pileCommand.ts'
import { CommandState } from '../../domains/device/contract/command.ts'
import { ChargeStatus, StartMode, StopReason } from '../../domains/charging/contract/session.ts'
import { aYard, now, type Yard } from '../../domains/charging/server/testing.ts'
import { run } from '../../platform/server/database.ts'
import { type Answers, connectPile, type PileWire } from './simulator.ts'
import { paired } from '../../platform/contract/said.ts'

/** Cars that charge, from the plug to the end, told by real sockets in both versions. */
let yard: Yard
const open: PileWire[] = []
const SECRET = 'demo-secret-of-piles'
let points = 0

beforeAll(async () => {
  yard = await aYard()
})
afterAll(async () => {
  for (const wire of open) wire.cut()
  await yard.close()
})

const until = <T>(work: () => Promise<T>) => vi.waitFor(work, { timeout: 9_000, interval: 40 })
const MINUTE = 60_000
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString()
async function aPile(protocol: 1 | 2, { answers = {}, meterKind = 1, guns = 1 }: { answers?: Answers; meterKind?: 1 | 2; guns?: number } = {}) {
  const { equipmentId, connectorIds } = await yard.aPile(guns)
  const id = `CX-${++points}`
  await yard.sql('update charging.equipment set charge_point_id = $2, protocol = $3, meter_kind = $4 where equipment_id = $1', [
    equipmentId,
    id,
    protocol,
    meterKind,
  ])
  await yard.server.house.writing(1, 'test', (tx) => giveSecret(tx, equipmentId, SECRET))
  const connect = async () => {
    const wire = await connectPile({
      url: `ws://127.0.0.1:${yard.server.ocppPort}`,
      id,
      secret: SECRET,
      protocols: [protocol === 1 ? 'ocpp1.6' : 'ocpp2.0.1'],
      answers,
    })
    open.push(wire)
    return wire
  }
  return { equipmentId, connectorId: connectorIds[0]!, connectorIds, connect, wire: await connect() }
}
let cards = 0
async function aCard() {
  const cardNo = `C${String(++cards).padStart(9, '0')}`
  await yard.sql(`insert into charging.card (card_no, kind, unit, credit_fen) values ($1, 2, $2, 1000000)`, [cardNo, `单位${cardNo}`])
  return cardNo
}
const chargesOf = (equipmentId: string) => yard.sql<any>('select * from charging.charge where equipment_id = $1 order by created_at', [equipmentId])
const value = (wh: number, more: object = {}) => ({ value: String(wh), measurand: 'Energy.Active.Import.Register', unit: 'Wh', ...more })
const start16 = (wire: PileWire, idTag: string, meterStart: number, minutes: number, connectorId = 1) =>
  wire.call('StartTransaction', { connectorId, idTag, meterStart, timestamp: ago(minutes) })
/** A reading of the energy since the last one. */
const interval = (wh: number, timestamp?: string) => ({
  ...(timestamp && { timestamp }),
  sampledValue: [value(wh, { measurand: 'Energy.Active.Import.Interval' })],
})
const refusedAs = (answer: any) => answer.idTagInfo?.status ?? answer.idTokenInfo?.status

test('1.6: a card charges from the plug to the end, and every Wh is its register’s', async () => {
  const { wire, equipmentId, connectorId } = await aPile(1)
  const card = await aCard()
  await wire.call('StatusNotification', { connectorId: 1, status: 'Preparing', errorCode: 'NoError' })
  expect(refusedAs(await wire.call('Authorize', { idTag: card }))).toBe('Accepted')
  expect(refusedAs(await wire.call('Authorize', { idTag: 'NOBODY' }))).toBe('Invalid')
  const began = await start16(wire, card, 1_000, 0.5)
  expect(began).toMatchObject({ idTagInfo: { status: 'Accepted' } })
  expect(began.transactionId).toBeGreaterThanOrEqual(1)
  await wire.call('StatusNotification', { connectorId: 1, status: 'Charging', errorCode: 'NoError' })
  await wire.call('MeterValues', {
    connectorId: 1,
    transactionId: began.transactionId,
    meterValue: [
      {
        timestamp: ago(0.2),
        sampledValue: [
          value(1_400),
          { value: '60', measurand: 'SoC', unit: 'Percent' },
          { value: '58.5', unit: 'kW', measurand: 'Power.Active.Import' },
        ],
      },
    ],
  })
  expect(await chargesOf(equipmentId)).toMatchObject([
    { status: ChargeStatus.charging, cardNo: card, energyWh: 400, soc: 60, powerW: 58_500, connectorId },
  ])
  await wire.call('StopTransaction', { transactionId: began.transactionId, idTag: card, meterStop: 1_900, timestamp: ago(0), reason: 'Local' })
  expect(await chargesOf(equipmentId)).toMatchObject([
    { status: ChargeStatus.billing, startWh: 1_000, endWh: 1_900, energyWh: 900, stopReason: StopReason.user },
  ])
})

test('1.6: a start told again, under whichever message id, is the same transaction', async () => {
  const { wire, equipmentId } = await aPile(1)
  const card = await aCard()
  const said = { connectorId: 1, idTag: card, meterStart: 5, timestamp: ago(0) }
  const first = await wire.call('StartTransaction', said, 'a-1')
  expect((await wire.call('StartTransaction', said, 'a-1')).transactionId).toBe(first.transactionId)
  expect((await wire.call('StartTransaction', said, 'b-2')).transactionId).toBe(first.transactionId)
  expect(await chargesOf(equipmentId)).toHaveLength(1)
})

test('1.6: a start that was refused and is told again after minutes began no charge off line', async () => {
  const { wire, equipmentId } = await aPile(1)
  const card = await aCard()
  await yard.sql('update charging.card set status = 2 where card_no = $1', [card])
  const heardAt = Date.now()
  const said = { connectorId: 1, idTag: card, meterStart: 5, timestamp: new Date(heardAt).toISOString() }
  const first = await wire.call('StartTransaction', said)
  expect(refusedAs(first)).toBe('Blocked')
  try {
    vi.spyOn(Date, 'now').mockImplementation(() => heardAt + 5 * MINUTE)
    expect(await wire.call('StartTransaction', said)).toEqual(first)
  } finally {
    vi.restoreAllMocks()
  }
  expect(await chargesOf(equipmentId)).toEqual([])
})

test('1.6: a stop with the id -1 is acknowledged and matched by card and time, and one of nobody is kept apart', async () => {
  const { wire, equipmentId } = await aPile(1)
  const card = await aCard()
  await start16(wire, card, 100, 0.5)
  expect(await wire.call('StopTransaction', { transactionId: -1, idTag: card, meterStop: 300, timestamp: ago(0) })).toEqual({})
  expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.billing, energyWh: 200 }])
  expect(await wire.call('StopTransaction', { transactionId: 0, idTag: 'GHOST', meterStop: 300, timestamp: ago(0) })).toEqual({})
  expect(await yard.sql('select id_tag from charging.orphan where equipment_id = $1', [equipmentId])).toEqual([{ idTag: 'GHOST' }])
})

test('1.6: a stop with the id -1 before the start that it ends waits for it; of two each start finds its own, and a start of now finds none', async () => {
  const { wire, equipmentId } = await aPile(1)
  const card = await aCard()
  const stop = (meterStop: number, minutes: number) =>
    wire.call('StopTransaction', { transactionId: -1, idTag: card, meterStop, timestamp: ago(minutes), reason: 'EVDisconnected' })
  await stop(300, 30)
  await stop(900, 10)
  const orphans = () => yard.sql<any>('select meter_wh from charging.orphan where equipment_id = $1 order by at', [equipmentId])
  expect(await orphans()).toEqual([{ meterWh: 300 }, { meterWh: 900 }])
  expect(refusedAs(await start16(wire, card.toLowerCase(), 100, 40))).toBe('Accepted')
  expect(await orphans()).toEqual([{ meterWh: 900 }])
  await start16(wire, card, 300, 20)
  expect(await orphans()).toEqual([])
  expect(await chargesOf(equipmentId)).toMatchObject([
    { status: ChargeStatus.billing, claimed: false, startWh: 100, endWh: 300, energyWh: 200, stopReason: StopReason.unplugged },
    { status: ChargeStatus.billing, claimed: false, startWh: 300, endWh: 900, energyWh: 600, stopReason: StopReason.unplugged },
  ])
  await stop(900, 10)
  await start16(wire, card, 950, 0)
  expect((await chargesOf(equipmentId)).at(-1)).toMatchObject({ status: ChargeStatus.charging, claimed: true })
})

const tell16 = (wire: PileWire, transactionId: number | undefined, wh: number, minutes: number) =>
  wire.call('MeterValues', {
    connectorId: 1,
    ...(transactionId !== undefined && { transactionId }),
    meterValue: [{ timestamp: ago(minutes), sampledValue: [value(wh)] }],
  })

test('1.6: measurements with the id -1 or 0 are acknowledged, and are of no charge', async () => {
  const { wire, equipmentId } = await aPile(1)
  await start16(wire, await aCard(), 100, 2)
  for (const id of [-1, 0]) expect(await tell16(wire, id, 5_000 + id, 1 + id / 10)).toEqual({})
  expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.charging, energyWh: 0 }])
})

test('1.6: the id of another pile’s transaction ends nothing here and measures nothing there', async () => {
  const [one, other] = [await aPile(1), await aPile(1)]
  const { transactionId } = await start16(one.wire, await aCard(), 100, 2)
  await start16(other.wire, await aCard(), 100, 2)
  expect(await tell16(other.wire, transactionId, 900, 1)).toEqual({})
  expect(await other.wire.call('StopTransaction', { transactionId, meterStop: 900, timestamp: ago(0) })).toEqual({})
  for (const { equipmentId } of [one, other]) expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.charging, energyWh: 0 }])
  expect(await yard.sql('select meter_wh from charging.orphan where equipment_id = $1', [other.equipmentId])).toEqual([{ meterWh: 900 }])
})

test('1.6: a stop without a tag lets its card go', async () => {
  const { wire } = await aPile(1)
  const card = await aCard()
  const { transactionId } = await start16(wire, card, 0, 1)
  expect(refusedAs(await wire.call('Authorize', { idTag: card }))).toBe('ConcurrentTx')
  await wire.call('StopTransaction', { transactionId, meterStop: 10, timestamp: ago(0) })
  expect(refusedAs(await wire.call('Authorize', { idTag: card }))).toBe('Accepted')
})

test('a card in small letters is the one that was issued in capitals, and one that is merely like it is none', async () => {
  const { wire, equipmentId } = await aPile(1)
  const card = await aCard()
  expect(refusedAs(await wire.call('Authorize', { idTag: card.slice(0, -1) }))).toBe('Invalid')
  expect(refusedAs(await wire.call('Authorize', { idTag: `${card}0` }))).toBe('Invalid')
  const { idTagInfo } = await start16(wire, card.toLowerCase(), 100, 0.5)
  expect(idTagInfo.status).toBe('Accepted')
  expect(refusedAs(await wire.call('Authorize', { idTag: card }))).toBe('ConcurrentTx')
  await wire.call('StopTransaction', { transactionId: -1, idTag: card, meterStop: 300, timestamp: ago(0) })
  expect(await chargesOf(equipmentId)).toMatchObject([{ cardNo: card, status: ChargeStatus.billing, energyWh: 200 }])
})

test('a register of the session inside a transaction and one of a lifetime outside it are two', async () => {
  const { wire, equipmentId } = await aPile(1)
  await tell16(wire, undefined, 9_000_000, 4)
  const { transactionId } = await start16(wire, await aCard(), 0, 3)
  await tell16(wire, transactionId, 400, 2)
  await wire.call('StopTransaction', { transactionId, meterStop: 700, timestamp: ago(0.5) })
  await tell16(wire, undefined, 9_000_700, 0)
  expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.billing, energyWh: 700 }])
})

test('a reading told again is one, and one told after the stop is taken and changes no end', async () => {
  const { wire, equipmentId } = await aPile(1)
  const { transactionId } = await start16(wire, await aCard(), 0, 3)
  const said = { connectorId: 1, transactionId, meterValue: [{ timestamp: ago(2), sampledValue: [value(400)] }] }
  await wire.call('MeterValues', said)
  await wire.call('MeterValues', said)
  await wire.call('StopTransaction', { transactionId, meterStop: 700, timestamp: ago(0.5) })
  expect(await tell16(wire, transactionId, 690, 0.6)).toEqual({})
  const [charge] = await chargesOf(equipmentId)
  expect(charge).toMatchObject({ status: ChargeStatus.billing, energyWh: 700, endWh: 700 })
  expect(await yard.sql('select meter_wh from charging.meter_sample where order_no = $1 order by at', [charge.orderNo])).toEqual([
    { meterWh: 400 },
    { meterWh: 690 },
  ])
})

test('a gun may go from plugged to finishing without a charge, and the next charge begins from there', async () => {
  const { wire, equipmentId, connectorId } = await aPile(1)
  for (const status of ['Preparing', 'Finishing']) await wire.call('StatusNotification', { connectorId: 1, status, errorCode: 'NoError' })
  expect(await yard.sql('select status, status_raw from charging.connector_state where connector_id = $1', [connectorId])).toEqual([
    { status: 2, statusRaw: 'Finishing' },
  ])
  expect(refusedAs(await start16(wire, await aCard(), 0, 0))).toBe('Accepted')
  expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.charging }])
})

test('1.6: a refused tag gets a transaction of its own and no charge', async () => {
  const { wire, equipmentId } = await aPile(1)
  const answer = await start16(wire, 'UNKNOWN', 0, 0)
  expect(answer.idTagInfo.status).toBe('Invalid')
  expect(answer.transactionId).toBeGreaterThanOrEqual(1)
  expect(await chargesOf(equipmentId)).toEqual([])
  expect(await start16(wire, 'UNKNOWN', 0, 0, 9)).toMatchObject({ idTagInfo: { status: 'Invalid' } })
})

test('1.6: a card that charges elsewhere is ConcurrentTx', async () => {
  const [one, other] = [await aPile(1), await aPile(1)]
  const card = await aCard()
  await start16(one.wire, card, 0, 0)
  expect(refusedAs(await other.wire.call('Authorize', { idTag: card }))).toBe('ConcurrentTx')
})

test('free, while a charge is under way, is a pile’s mistake; once it is over the pile’s word counts', async () => {
  const { wire, connectorId } = await aPile(1)
  const card = await aCard()
  const { transactionId } = await start16(wire, card, 0, 0.1)
  const statusOf = async () => (await yard.sql<any>('select status from charging.connector_state where connector_id = $1', [connectorId]))[0].status
  await wire.call('StatusNotification', { connectorId: 1, status: 'Available', errorCode: 'NoError' })
  expect(await statusOf()).toBe(3)
  await wire.call('StopTransaction', { transactionId, meterStop: 10, timestamp: ago(0) })
  expect(await statusOf()).toBe(1)
})

test('full is what a car that asks for nothing any more, or is at 99 %, was', async () => {
  const [waiting, full] = [await aPile(1), await aPile(1)]
  const [one, two] = [await aCard(), await aCard()]
  const first = await start16(waiting.wire, one, 0, 9)
  await waiting.wire.call('StatusNotification', { connectorId: 1, status: 'SuspendedEV', errorCode: 'NoError', timestamp: ago(3) })
  await waiting.wire.call('StopTransaction', { transactionId: first.transactionId, meterStop: 500, timestamp: ago(0), reason: 'Local' })
  expect(await chargesOf(waiting.equipmentId)).toMatchObject([{ stopReason: StopReason.full }])
  const second = await start16(full.wire, two, 0, 0.5)
  await full.wire.call('StopTransaction', {
    transactionId: second.transactionId,
    meterStop: 500,
    timestamp: ago(0),
    transactionData: [{ timestamp: ago(0), sampledValue: [{ value: '99', measurand: 'SoC' }] }],
  })
  expect(await chargesOf(full.equipmentId)).toMatchObject([{ stopReason: StopReason.full }])
})

test('a pile that tells what went through since the last time is added up', async () => {
  const { wire, equipmentId } = await aPile(1, { meterKind: 2 })
  const card = await aCard()
  const { transactionId } = await start16(wire, card, 0, 3)
  const tell = (wh: number, minutes: number) => wire.call('MeterValues', { connectorId: 1, transactionId, meterValue: [interval(wh, ago(minutes))] })
  const [first, second] = [2, 1]
  await tell(300, first)
  await tell(400, second)
  expect(await chargesOf(equipmentId)).toMatchObject([{ energyWh: 700 }])
})

test('of what went through, two intervals without a moment of their own both count, and the same message again adds nothing', async () => {
  const { wire, equipmentId } = await aPile(1, { meterKind: 2 })
  const { transactionId } = await start16(wire, await aCard(), 0, 4)
  const tell = (...meterValue: object[]) => wire.call('MeterValues', { connectorId: 1, transactionId, meterValue })
  const stamped = interval(300, ago(2))
  await tell(stamped)
  await tell(stamped)
  expect(await chargesOf(equipmentId)).toMatchObject([{ energyWh: 300 }])
  await tell(interval(200), interval(100))
  expect(await chargesOf(equipmentId)).toMatchObject([{ energyWh: 600 }])
})

test('of what went through, an interval that comes after later ones is no reading: the register of then is not known', async () => {
  const { wire, equipmentId } = await aPile(1, { meterKind: 2 })
  const card = await aCard()
  const { transactionId } = await start16(wire, card, 0, 6)
  const tell = (wh: number, timestamp: string) => wire.call('MeterValues', { connectorId: 1, transactionId, meterValue: [interval(wh, timestamp)] })
  await tell(300, ago(4))
  await tell(400, ago(2))
  await wire.call('StopTransaction', { transactionId, idTag: card, timestamp: ago(1), reason: 'Local' })
  await tell(200, ago(3))
  const [charge] = await chargesOf(equipmentId)
  expect(charge).toMatchObject({ energyWh: 700 })
  const read = await yard.sql<any>('select meter_wh from charging.meter_sample where order_no = $1 and meter_wh is not null order by at', [
    charge.orderNo,
  ])
  expect(read.map(({ meterWh }: any) => meterWh)).toEqual([...new Set(read.map(({ meterWh }: any) => meterWh))])
  expect(read.map(({ meterWh }: any) => meterWh)).toEqual(expect.arrayContaining([300, 700]))
})

test('of what went through since the last time, more than the gun can give is left out alone: what comes after it counts', async () => {
  const { wire, equipmentId } = await aPile(1, { meterKind: 2 })
  const { transactionId } = await start16(wire, await aCard(), 0, 4)
  const told = [
    [300, 3],
    [900_000_000_000, 2],
    [400, 1],
  ] as const
  for (const [wh, minutes] of told)
    await wire.call('MeterValues', {
      connectorId: 1,
      transactionId,
      meterValue: [{ timestamp: ago(minutes), sampledValue: [value(wh, { measurand: 'Energy.Active.Import.Interval' })] }],
    })
  expect(await chargesOf(equipmentId)).toMatchObject([{ energyWh: 700 }])
})

test('a pile that writes the city’s time and calls it UTC is right from the third moment on, and none is refused', async () => {
  const { wire, equipmentId } = await aPile(1)
  const city = () => new Date(Date.now() + 8 * 3_600_000).toISOString()
  for (let i = 0; i < 3; i++)
    expect(
      await wire.call('StatusNotification', { connectorId: 1, status: i % 2 ? 'Available' : 'Preparing', errorCode: 'NoError', timestamp: city() }),
    ).toEqual({})
  const card = await aCard()
  await wire.call('StartTransaction', { connectorId: 1, idTag: card, meterStart: 0, timestamp: city() })
  const [charge] = await chargesOf(equipmentId)
  expect(Math.abs(Date.parse(charge.startTime) - Date.now())).toBeLessThan(MINUTE)
  expect(charge.clockFixed).toBe(false)
  expect(await yard.sql('select time_mode from charging.equipment where equipment_id = $1', [equipmentId])).toEqual([{ timeMode: 2 }])
})

test('a clock that is ahead begins and ends nothing in the future; told again it is the same transaction', async () => {
  for (const [minutesAhead, clockFixed] of [
    [4, false],
    [20, true],
  ] as const) {
    const { wire, equipmentId } = await aPile(1)
    const card = await aCard()
    const said = { connectorId: 1, idTag: card, meterStart: 5, timestamp: ago(-minutesAhead) }
    const first = await wire.call('StartTransaction', said, 'a-1')
    expect((await wire.call('StartTransaction', said, 'b-2')).transactionId).toBe(first.transactionId)
    const { transactionId } = first
    await wire.call('StopTransaction', { transactionId, idTag: card, meterStop: 5, timestamp: ago(-minutesAhead - 1) })
    const charges = await chargesOf(equipmentId)
    expect(charges).toMatchObject([{ status: ChargeStatus.billing, energyWh: 0, clockFixed }])
    const [{ startTime, endTime }] = charges
    expect(Date.parse(startTime)).toBeLessThanOrEqual(Date.now())
    expect(Date.parse(endTime)).toBeLessThanOrEqual(Date.now())
  }
})

const evse = { id: 1, connectorId: 1 }
const event201 = (eventType: string, seqNo: number, transactionId: string, more: any = {}, wh?: number) => ({
  eventType,
  seqNo,
  timestamp: ago(0),
  triggerReason: 'Authorized',
  evse,
  ...more,
  transactionInfo: { transactionId, ...more.transactionInfo },
  ...(wh !== undefined && {
    meterValue: [
      {
        timestamp: more.timestamp ?? ago(0),
        sampledValue: [
          {
            value: wh,
            context: eventType === 'Started' ? 'Transaction.Begin' : eventType === 'Ended' ? 'Transaction.End' : 'Sample.Periodic',
            unitOfMeasure: { unit: 'Wh' },
          },
        ],
      },
    ],
  }),
})

test('2.0.1: a card charges from the plug to the end', async () => {
  const { wire, equipmentId, connectorId } = await aPile(2)
  const card = await aCard()
  expect(
    await wire.call('BootNotification', { reason: 'PowerUp', chargingStation: { model: 'K120', vendorName: 'Kerb', firmwareVersion: '2.1' } }),
  ).toMatchObject({ status: 'Accepted' })
  await wire.call('StatusNotification', { timestamp: ago(2), connectorStatus: 'Occupied', evseId: 1, connectorId: 1 })
  const idToken = { idToken: card, type: 'ISO14443' }
  expect(refusedAs(await wire.call('Authorize', { idToken }))).toBe('Accepted')
  expect(refusedAs(await wire.call('TransactionEvent', event201('Started', 0, 'T-1', { idToken, timestamp: ago(1) }, 2_000)))).toBe('Accepted')
  await wire.call('TransactionEvent', event201('Updated', 1, 'T-1', { timestamp: ago(0.5), transactionInfo: { chargingState: 'Charging' } }, 2_300))
  expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.charging, energyWh: 300, transactionId: 'T-1', connectorId }])
  expect(await yard.sql('select status from charging.connector_state where connector_id = $1', [connectorId])).toEqual([{ status: 3 }])
  await wire.call('TransactionEvent', event201('Ended', 2, 'T-1', { transactionInfo: { stoppedReason: 'StoppedByEV' } }, 2_500))
  expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.billing, energyWh: 500, stopReason: StopReason.full }])
})

test('2.0.1: a transaction that begins with the plug is the driver’s who pays then, from the register of the plug; where it is was said once', async () => {
  const asked: any[] = []
  const answers: Answers = { RequestStartTransaction: (said) => (asked.push(said), { status: 'Accepted' }) }
  const { wire, equipmentId, connectorIds } = await aPile(2, { answers, guns: 2 })
  const connectorId = connectorIds[1]!
  const at = { evse: { id: 2, connectorId: 1 } }
  await wire.call('StatusNotification', { timestamp: ago(0), connectorStatus: 'Occupied', evseId: 2, connectorId: 1 })
  const plugged = {
    ...event201('Started', 0, 'T-P', { ...at, timestamp: ago(1), transactionInfo: { chargingState: 'EVConnected' } }, 5_000),
    triggerReason: 'CablePluggedIn',
  }
  expect(await wire.call('TransactionEvent', plugged)).toEqual({})
  expect(await chargesOf(equipmentId)).toEqual([])
  const { charge } = await yard.write((tx) => askStart(tx, { connectorId, startMode: StartMode.console, pays: 'nobody', at: now() }))
  await until(async () => expect(asked).toHaveLength(1))
  const { idToken, remoteStartId } = asked[0]
  const started = {
    ...event201('Updated', 1, 'T-P', { timestamp: ago(0.5), idToken, transactionInfo: { remoteStartId } }),
    triggerReason: 'RemoteStart',
    evse: undefined,
  }
  expect(refusedAs(await wire.call('TransactionEvent', started))).toBe('Accepted')
  await wire.call('TransactionEvent', {
    ...event201('Updated', 2, 'T-P', { transactionInfo: { chargingState: 'Charging' } }, 5_400),
    evse: undefined,
  })
  expect(await chargesOf(equipmentId)).toMatchObject([
    { orderNo: charge.orderNo, connectorId, status: ChargeStatus.charging, transactionId: 'T-P', startWh: 5_000, energyWh: 400 },
  ])
  await wire.call('TransactionEvent', { ...event201('Ended', 3, 'T-P', { transactionInfo: { stoppedReason: 'Local' } }, 5_500), evse: undefined })
  expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.billing, energyWh: 500 }])
})

test('2.0.1: a start that names its order alone, and may not be, is told so, and no charge goes on for nothing', async () => {
  const asked: any[] = []
  const answers: Answers = { RequestStartTransaction: (said) => (asked.push(said), { status: 'Accepted' }) }
  const { wire, equipmentId, connectorId } = await aPile(2, { answers })
  await wire.call('StatusNotification', { timestamp: ago(0), connectorStatus: 'Occupied', evseId: 1, connectorId: 1 })
  await yard.write((tx) => askStart(tx, { connectorId, startMode: StartMode.console, pays: 'nobody', at: now() }))
  await until(async () => expect(asked).toHaveLength(1))
  await yard.sql('update charging.equipment set admin_status = 2 where equipment_id = $1', [equipmentId])
  const started = event201('Started', 0, 'T-B', { transactionInfo: { remoteStartId: asked[0].remoteStartId } }, 100)
  expect(refusedAs(await wire.call('TransactionEvent', started))).toBe('Blocked')
  expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.failed }])
  const later = event201('Started', 0, 'T-C', { transactionInfo: { remoteStartId: asked[0].remoteStartId } }, 100)
  expect(refusedAs(await wire.call('TransactionEvent', later))).toBe('Blocked')
})

test('what a pile answers to a start waits for the order before it takes its command, as what it says of the charge does', async () => {
  const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { wire, connectorId } = await aPile(1, {
    answers: { RemoteStartTransaction: () => (asked.resolve(), held.promise.then(() => ({ status: 'Accepted' }))) },
  })
  await wire.call('StatusNotification', { connectorId: 1, status: 'Preparing', errorCode: 'NoError' })
  const { charge } = await yard.write((tx) => askStart(tx, { connectorId, startMode: StartMode.console, pays: 'nobody', at: now() }))
  await asked.promise
  await yard.write(async (tx) => {
    await run(tx, { sql: 'select 1 from charging.charge where order_no = $1 for update' }, [charge.orderNo])
    held.resolve()
    await until(async () => expect(await yard.sql('select 1 from pg_locks where not granted')).not.toEqual([]))
    await run(tx, { sql: `set local lock_timeout = '300ms'` }, [])
    await run(tx, { sql: 'update charging.pile_command set created_at = created_at where order_no = $1' }, [charge.orderNo])
  })
  const accepted = () => yard.sql('select accepted_at is not null as accepted from charging.charge where order_no = $1', [charge.orderNo])
  await until(async () => expect(await accepted()).toEqual([{ accepted: true }]))
})

test('a pile that was away for so long that nobody told it is told when it comes whether it is in service', async () => {
  const told: any[] = []
  const { wire, equipmentId, connect } = await aPile(1, { answers: { ChangeAvailability: (said) => (told.push(said), { status: 'Accepted' }) } })
  await wire.close()
  const ask = (operative: boolean) =>
    yard.server.ask<any>(yard.admin, 'POST', '/lbs/charging/chargingPile/availability', { equipmentId, operative, reason: '检修' })
  for (const operative of [true, false]) expect((await ask(operative)).code).toBe(200)
  await yard.sql('update charging.pile_command set expires_at = now() where equipment_id = $1 and state = 0', [equipmentId])
  await yard.write((tx) => sweepPileCommands(tx))
  await connect()
  await until(async () => expect(told).toEqual([{ connectorId: 0, type: 'Inoperative' }]))
  const asked = () =>
    yard.sql<any>('select id, state from charging.pile_command where equipment_id = $1 and method = $2', [equipmentId, PileMethod.availability])
  // A command without an answer when its line is gone is sent again.
  await until(async () => expect((await asked()).map(({ state }) => state)).not.toContain(CommandState.sent))
  const before = await asked()
  const again = await connect()
  await again.call('BootNotification', { chargePointVendor: 'Kerb', chargePointModel: 'K60' })
  expect([told.length, await asked()]).toEqual([1, before])
})

test('2.0.1: the same number gets the same answer and counts once, another content under it is flagged', async () => {
  const { wire, equipmentId } = await aPile(2)
  const idToken = { idToken: await aCard(), type: 'ISO14443' }
  const started = event201('Started', 0, 'T-2', { idToken }, 100)
  const first = await wire.call('TransactionEvent', started)
  expect(await wire.call('TransactionEvent', started)).toEqual(first)
  const ended = event201('Ended', 1, 'T-2', {}, 400)
  await wire.call('TransactionEvent', ended)
  await wire.call('TransactionEvent', ended)
  await wire.call('TransactionEvent', event201('Ended', 1, 'T-2', {}, 90_000))
  expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.billing, endWh: 400 }])
  expect(await yard.sql('select seq_no, times, flagged from charging.transaction_event where equipment_id = $1 order by 1', [equipmentId])).toEqual([
    { seqNo: 0, times: 2, flagged: false },
    { seqNo: 1, times: 3, flagged: true },
  ])
})

test('2.0.1: an end before what went before it has the right total', async () => {
  const { wire, equipmentId } = await aPile(2)
  const idToken = { idToken: await aCard(), type: 'ISO14443' }
  await wire.call('TransactionEvent', event201('Started', 0, 'T-3', { idToken, timestamp: ago(3) }, 100))
  await wire.call('TransactionEvent', event201('Ended', 2, 'T-3', {}, 700))
  await wire.call('TransactionEvent', event201('Updated', 1, 'T-3', { timestamp: ago(2), offline: true }, 350))
  expect(await chargesOf(equipmentId)).toMatchObject([{ startWh: 100, endWh: 700, energyWh: 600 }])
})

test('2.0.1: an end before the beginning of its transaction waits for it, and leaves the gun free and nothing of nobody', async () => {
  const { wire, equipmentId } = await aPile(2)
  const idToken = { idToken: await aCard(), type: 'ISO14443' }
  await wire.call('TransactionEvent', event201('Ended', 2, 'T-6', {}, 700))
  expect(await chargesOf(equipmentId)).toEqual([])
  await wire.call('TransactionEvent', event201('Started', 0, 'T-6', { idToken, timestamp: ago(3), offline: true }, 100))
  expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.billing, claimed: false, startWh: 100, endWh: 700, energyWh: 600 }])
  expect(await yard.sql('select 1 from charging.orphan where equipment_id = $1', [equipmentId])).toEqual([])
  await wire.call('TransactionEvent', event201('Ended', 2, 'T-6', {}, 700))
  expect(await chargesOf(equipmentId)).toHaveLength(1)
})

test('2.0.1: a pile whose end came before all of its numbers is asked what it holds back', async () => {
  const asked: unknown[] = []
  const answers: Answers = {
    GetTransactionStatus: (said) => (asked.push(said), { messagesInQueue: true }),
    TriggerMessage: () => ({ status: 'Accepted' }),
  }
  const { wire } = await aPile(2, { answers })
  const idToken = { idToken: await aCard(), type: 'ISO14443' }
  await wire.call('TransactionEvent', event201('Started', 0, 'T-4', { idToken, timestamp: ago(3) }, 100))
  await wire.call('TransactionEvent', event201('Ended', 1, 'T-4', {}, 700))
  await wire.call('TransactionEvent', event201('Started', 0, 'T-5', { idToken, timestamp: ago(3) }, 700))
  await wire.call('TransactionEvent', event201('Ended', 2, 'T-5', {}, 900))
  await until(async () => expect(asked).toEqual([{ transactionId: 'T-5' }]))
})

test('a pile that refuses to start says so to its driver in their own language', async () => {
  const { wire, connectorId, equipmentId } = await aPile(1, { answers: { RemoteStartTransaction: () => ({ status: 'Rejected' }) } })
  await wire.call('StatusNotification', { connectorId: 1, status: 'Preparing', errorCode: 'NoError' })
  await yard.write((tx) => askStart(tx, { connectorId, startMode: StartMode.console, pays: 'nobody', at: now() }))
  await until(async () =>
    expect(await chargesOf(equipmentId)).toMatchObject([
      { status: ChargeStatus.failed, failReason: paired(PileFailure.entries[PileFailure.rejected]) },
    ]),
  )
})

test('a person starts and stops from the console: done is what began and what ended', async () => {
  const asked: any[] = []
  const answers: Answers = {
    RemoteStartTransaction: (said) => (asked.push(said), { status: 'Accepted' }),
    RemoteStopTransaction: (said) => (asked.push(said), { status: 'Accepted' }),
    TriggerMessage: () => ({ status: 'Accepted' }),
  }
  const { wire, equipmentId, connectorId } = await aPile(1, { answers })
  const card = await aCard()
  await wire.call('StatusNotification', { connectorId: 1, status: 'Preparing', errorCode: 'NoError' })
  const ask = (path: string, body: object) => yard.server.ask(yard.admin, 'POST', `/lbs/charging/chargingPile/${path}`, body)
  const stateOf = async (id: string) => (await yard.sql<any>('select state from charging.pile_command where id = $1', [id]))[0].state
  const { data: start } = await ask('remoteStart', { connectorId, cardNo: card, reason: '代客启动' })
  await until(async () => expect(await stateOf(start.id)).toBe(2))
  expect(asked[0]).toMatchObject({ connectorId: 1, idTag: card })
  const { transactionId } = await start16(wire, asked[0].idTag, 0, 0)
  await until(async () => expect(await stateOf(start.id)).toBe(3))
  expect((await ask('remoteStart', { connectorId, cardNo: card, reason: '再来' })).code).toBe(41362)
  const { data: stop } = await ask('remoteStop', { connectorId, reason: '车主要求' })
  await until(async () => expect(await stateOf(stop.id)).toBe(2))
  expect(asked[1]).toEqual({ transactionId })
  await wire.call('StopTransaction', { transactionId, meterStop: 100, timestamp: ago(0), reason: 'Remote' })
  await until(async () => expect(await stateOf(stop.id)).toBe(3))
  expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.billing, stopReason: StopReason.operator }])
  expect((await ask('remoteStop', { connectorId, reason: '再来' })).code).toBe(41363)
})

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { giveSecret } from '../../domains/charging/server/api.ts'
import { ChargeStatus } from '../../domains/charging/contract/session.ts'
import { aYard, type Yard } from '../../domains/charging/server/testing.ts'
import { readFrame } from './frames.ts'
import { connectPile, type PileWire } from './simulator.ts'
import { pointIn } from './upgrade.ts'
import { heard16 } from './v16.ts'
import { heard201 } from './v201.ts'

/** Impossible messages of a device never block its line, hide its charge or outlive it. */
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
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
async function aPile(protocol: 1 | 2) {
  const { equipmentId } = await yard.aPile()
  const id = `CO-${++points}`
  await yard.sql('update charging.equipment set charge_point_id = $2, protocol = $3 where equipment_id = $1', [equipmentId, id, protocol])
  await yard.server.house.writing(1, 'test', (tx) => giveSecret(tx, equipmentId, SECRET))
  const protocols = [protocol === 1 ? 'ocpp1.6' : 'ocpp2.0.1']
  const wire = await connectPile({ url: `ws://127.0.0.1:${yard.server.ocppPort}`, id, secret: SECRET, protocols })
  open.push(wire)
  return { equipmentId, wire }
}
const chargesOf = (equipmentId: string) => yard.sql<any>('select * from charging.charge where equipment_id = $1 order by created_at', [equipmentId])
const leftOut = (equipmentId: string) =>
  yard.sql<any>('select body from charging.frame where equipment_id = $1 and kind = 5 order by at', [equipmentId])

const ODD: unknown[] = [
  null,
  undefined,
  '',
  'NaN',
  1e300,
  '1e300',
  2 ** 53,
  -5,
  '9223372036854775807',
  {},
  [],
  true,
  'soon',
  '0000-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-12:00',
  'a\u0000b',
  '\ud800',
]
const FIELDS = ['connectorId', 'transactionId', 'meterValue', 'meterStop', 'timestamp', 'reason', 'transactionData', 'reservationId']
const SAMPLES = [
  { value: '65535', measurand: 'Temperature' },
  { value: '1e300', measurand: 'Power.Active.Import', unit: 'kW' },
  { value: '1e12', measurand: 'Voltage' },
  { value: '1e300', unit: 'Wh' },
  { value: '9007199254743000', unit: 'Wh' },
  { value: '900000000000', unit: 'Wh' },
  { value: 'n/a' },
]

test('1.6: whatever odd message comes beside it, a charge ends with the energy of its register and nothing is refused', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ field: fc.constantFrom(...FIELDS), odd: fc.constantFrom(...ODD) }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.constantFrom(...SAMPLES), { maxLength: 4 }),
      fc.constantFrom('transactionId', 'timestamp', 'reason', 'transactionData', 'none'),
      fc.constantFrom(...ODD),
      async (oddities, samples, ofStop, oddStop) => {
        const { wire, equipmentId } = await aPile(1)
        const card = await yard.aCard({ kind: 3 })
        const started = await wire.call('StartTransaction', {
          connectorId: 1,
          idTag: card,
          meterStart: 1_000,
          timestamp: ago(20),
          reservationId: 2 ** 53 - 1,
        })
        expect(started.idTagInfo.status).toBe('Accepted')
        const { transactionId } = started
        const meter = (minutes: number, wh: number, more: object[] = []) => ({
          connectorId: 1,
          transactionId,
          meterValue: [{ timestamp: ago(minutes), sampledValue: [{ value: String(wh), unit: 'Wh' }, ...more] }],
        })
        for (const [place, { field, odd }] of oddities.entries())
          expect(await wire.call('MeterValues', { ...meter(15 - place, 1_200), [field]: odd })).toEqual({})
        for (const one of samples)
          expect(await wire.call('MeterValues', { ...meter(9, 1_300), meterValue: [{ timestamp: ago(8), sampledValue: [one] }] })).toEqual({})
        expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.charging }])
        expect((await chargesOf(equipmentId))[0].energyWh).toBeLessThanOrEqual(300)
        const stop = { transactionId, idTag: card, meterStop: 1_900, timestamp: ago(0), reason: 'Local' }
        expect(
          await wire.call('StopTransaction', {
            ...stop,
            ...(ofStop !== 'none' && { [ofStop]: ofStop === 'transactionId' && typeof oddStop === 'number' && oddStop < 2 ** 53 ? -1 : oddStop }),
          }),
        ).toEqual({})
        expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.billing, energyWh: 900, startWh: 1_000 }])
      },
    ),
    { numRuns: 25, seed: 7 },
  )
}, 120_000)

test('1.6: each oddity of a start is answered, and told again without a moment it is the same transaction', async () => {
  const { wire } = await aPile(1)
  for (const field of ['connectorId', 'idTag', 'meterStart', 'timestamp', 'reservationId'])
    for (const odd of ODD)
      expect(await wire.call('StartTransaction', { connectorId: 1, idTag: 'NOBODY', meterStart: 5, timestamp: ago(0), [field]: odd })).toHaveProperty(
        'transactionId',
      )
  const said = { connectorId: 1, idTag: await yard.aCard({ kind: 3 }), meterStart: 5, timestamp: '' }
  const first = await wire.call('StartTransaction', said)
  expect(first.idTagInfo.status).toBe('Accepted')
  expect(await wire.call('StartTransaction', said)).toEqual(first)
}, 60_000)

test('1.6: a start that tells no register is the same when it is told again, also where the register has moved since', async () => {
  const { wire, equipmentId } = await aPile(1)
  const [said, refused] = [await yard.aCard({ kind: 3 }), 'NOBODY'].map((idTag) => ({ connectorId: 1, idTag, timestamp: ago(0) }))
  const moves = (wh: number) =>
    wire.call('MeterValues', { connectorId: 1, meterValue: [{ timestamp: ago(0), sampledValue: [{ value: String(wh), unit: 'Wh' }] }] })
  const nobody = await wire.call('StartTransaction', refused)
  expect(nobody.idTagInfo.status).toBe('Invalid')
  await moves(1_000)
  expect(await wire.call('StartTransaction', refused)).toEqual(nobody)
  const first = await wire.call('StartTransaction', said)
  expect(first.idTagInfo.status).toBe('Accepted')
  await moves(1_200)
  expect(await wire.call('StartTransaction', said)).toEqual(first)
  expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.charging, transactionId: String(first.transactionId) }])
})

test('a reading of another century of energy costs nothing, and what was left out stands beside the message', async () => {
  const { wire, equipmentId } = await aPile(1)
  const { transactionId } = await wire.call('StartTransaction', {
    connectorId: 1,
    idTag: await yard.aCard({ kind: 3 }),
    meterStart: 1_000,
    timestamp: ago(9),
  })
  const samples = [{ value: '1400' }, { value: '65535', measurand: 'Temperature' }, { value: '41', measurand: 'SoC' }]
  await wire.call('MeterValues', { connectorId: 1, transactionId, meterValue: [{ timestamp: ago(2), sampledValue: samples }] })
  await wire.call('MeterValues', { connectorId: 1, transactionId, meterValue: [{ timestamp: ago(1), sampledValue: [{ value: '900000000000' }] }] })
  expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.charging, energyWh: 400, soc: 41 }])
  await expect.poll(async () => (await leftOut(equipmentId)).map(({ body }) => body)).toEqual([expect.stringContaining('65535')])
})

test('2.0.1: each oddity of a transaction is answered, and readings at the body are the energy', async () => {
  const { wire, equipmentId } = await aPile(2)
  const card = await yard.aCard({ kind: 3 })
  const says = (eventType: string, seqNo: number, wh: number, more: object = {}) => ({
    eventType,
    timestamp: ago(9 - seqNo),
    triggerReason: 'Authorized',
    seqNo,
    transactionInfo: { transactionId: 'T1' },
    evse: { id: 1, connectorId: 1 },
    idToken: { idToken: card, type: 'ISO14443' },
    meterValue: [
      {
        timestamp: ago(9 - seqNo),
        sampledValue: [
          { value: wh, location: 'Body' },
          { value: 65_535, measurand: 'Temperature' },
        ],
      },
    ],
    ...more,
  })
  expect((await wire.call('TransactionEvent', says('Started', 0, 1_000))).idTokenInfo.status).toBe('Accepted')
  for (const field of ['eventType', 'timestamp', 'triggerReason', 'seqNo', 'meterValue', 'offline', 'reservationId', 'evse', 'idToken'])
    for (const odd of ODD) {
      const said = { ...says('Updated', 1, 1_400), idToken: undefined, [field]: odd }
      expect(await wire.call('TransactionEvent', JSON.parse(JSON.stringify(said)))).toEqual({})
    }
  await wire.call('TransactionEvent', says('Ended', 2, 1_900))
  expect(await chargesOf(equipmentId)).toMatchObject([{ status: ChargeStatus.billing, startWh: 1_000, endWh: 1_900, energyWh: 900 }])
  const nobody = { ...says('Started', 0, 1_900), transactionInfo: { transactionId: 'T2' }, idToken: { idToken: '', type: 'NoAuthorization' } }
  expect((await wire.call('TransactionEvent', nobody)).idTokenInfo.status).toBe('Invalid')
}, 60_000)

test('a card is the same with marks between its bytes, and another one is not', async () => {
  const { wire } = await aPile(1)
  await yard.sql(`insert into charging.card (card_no, kind) values ('05AC45C1', 3)`)
  const status = async (idTag: string) => (await wire.call('Authorize', { idTag })).idTagInfo.status
  for (const idTag of ['05AC45C1', '05:ac:45:C1', ' 05 AC 45 C1', '05-AC-45-C1', '0x05AC45C1']) expect(await status(idTag)).toBe('Accepted')
  for (const idTag of ['05:AC:45', '5AC45C1']) expect(await status(idTag)).toBe('Invalid')
})

test('what else of a frame is mended: noughts at its end, a number for an id, a backslash, an answer that is cut off', () => {
  expect(readFrame('[2,"a","Heartbeat",{}]\0')).toMatchObject({ kind: 'call', id: 'a' })
  expect(readFrame('[2,12345,"Heartbeat",{}]')).toMatchObject({ kind: 'call', id: 12345 })
  expect(readFrame('[2,12345,"Heartbeat"')).toMatchObject({ wrong: 'frame', id: 12345 })
  expect(readFrame(JSON.stringify([2, 'a', 'DataTransfer', { vendorId: 'C:\\udata\\u0000' }]))).toMatchObject({ kind: 'call' })
  expect(readFrame('[2,"a","DataTransfer",{"vendorId":"\\\\\\u0000"}]')).toMatchObject({ wrong: 'form' })
  expect(readFrame('[2,"a","StopTransaction",{"idTag":"AB\\u0000"}]')).toMatchObject({ kind: 'call', payload: { idTag: 'AB' } })
  expect(readFrame('[3,"a",{"configurationKey":[]')).toMatchObject({ wrong: 'frame', id: 'a', answers: true })
  for (const path of ['/ocpp/ID', '/ocpp//ID', '//ocpp/ID', '/ocpp/ID/']) expect(pointIn(path)).toBe('ID')
  for (const path of ['/ocpp/', '/ocpp/ID/more', '/other/ID']) expect(pointIn(path)).toBeUndefined()
})

test('the best place counts, in capitals or not; one line that cannot be right makes no whole', () => {
  const figures = (...sampledValue: object[]) =>
    (heard16['MeterValues']!({ connectorId: 1, meterValue: [{ timestamp: ago(0), sampledValue }] }) as any).readings[0] ?? {}
  for (const location of ['Body', 'Inlet', 'Cable', 'outlet']) expect(figures({ value: '1200', location }).wh).toBe(1_200)
  expect(figures({ value: '1300', location: 'Inlet' }, { value: '1200', location: 'Outlet' }).wh).toBe(1_200)
  expect(figures({ value: '1', phase: 'L1' }, { value: '1e300', phase: 'L2' })).not.toHaveProperty('wh')
  const event = {
    eventType: 'Ended',
    transactionInfo: { transactionId: 'T' },
    meterValue: [{ sampledValue: [{ value: 2, unitOfMeasure: { unit: 'kWh' } }] }],
  }
  expect(heard201['TransactionEvent']!(event)).toMatchObject({ seqNo: null, stamp: null, readings: [{ stamp: null, wh: 2_000 }] })
})

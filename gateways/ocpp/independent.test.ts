import { RPCClient } from 'ocpp-rpc'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { ChargeStatus } from '../../domains/charging/contract/session.ts'
import { giveSecret } from '../../domains/charging/server/api.ts'
import { aYard, type Yard } from '../../domains/charging/server/testing.ts'

/** A client that others wrote speaks to us, and holds each of our words against the official schemas. */
let yard: Yard
let points = 0
let client: RPCClient | undefined
const SECRET = 'demo-secret-of-piles'
beforeAll(async () => void (yard = await aYard()))
afterEach(async () => {
  await client?.close({ force: true })
  client = undefined
})
afterAll(() => yard.close())

type Protocol = 'ocpp1.6' | 'ocpp2.0.1'
async function aPile(protocol: Protocol) {
  const { equipmentId } = await yard.aPile()
  const identity = `IN-${++points}`
  await yard.sql('update charging.equipment set charge_point_id = $2, protocol = $3 where equipment_id = $1', [
    equipmentId,
    identity,
    protocol === 'ocpp1.6' ? 1 : 2,
  ])
  await yard.write((tx) => giveSecret(tx, equipmentId, SECRET))
  return { equipmentId, identity }
}
/** Checks both the pile's messages and the answers to them; `broken` lists those that break a schema. */
function speaks(identity: string, protocol: Protocol, password = SECRET) {
  const broken: string[] = []
  const options = {
    endpoint: `ws://127.0.0.1:${yard.server.ocppPort}/ocpp`,
    identity,
    password,
    protocols: [protocol],
    strictMode: true,
    reconnect: false,
  }
  client = new RPCClient(options as ConstructorParameters<typeof RPCClient>[0])
  client.on('strictValidationFailure', ({ error }: { error: Error }) => broken.push(error.message))
  client.on('badMessage', ({ error }: { error: Error }) => broken.push(error.message))
  return { client, broken, call: (action: string, payload: object) => client!.call(action, payload) as Promise<any> }
}
const now = () => new Date().toISOString()
const chargeOf = async (equipmentId: string) =>
  (await yard.sql<any>('select status, energy_wh from charging.charge where equipment_id = $1', [equipmentId]))[0]

test('1.6: an independent client signs in, starts, authorises, charges, measures and stops, and finds no fault with a word of ours', async () => {
  const { equipmentId, identity } = await aPile('ocpp1.6')
  const card = await yard.aCard({ kind: 3 })
  const { client, broken, call } = speaks(identity, 'ocpp1.6')
  const asked: string[] = []
  client.handle(
    'GetConfiguration',
    async () => (asked.push('GetConfiguration'), { configurationKey: [{ key: 'MeterValueSampleInterval', readonly: false, value: '60' }] }),
  )
  client.handle('ChangeConfiguration', async ({ params }) => (asked.push(`${params!['key']} ${params!['value']}`), { status: 'Accepted' }))
  client.handle('TriggerMessage', async () => ({ status: 'Accepted' }))
  await client.connect()
  expect(client.protocol).toBe('ocpp1.6')
  expect(await call('BootNotification', { chargePointVendor: 'Others', chargePointModel: 'O1' })).toMatchObject({ status: 'Accepted' })
  await call('Heartbeat', {})
  await call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Preparing' })
  expect((await call('Authorize', { idTag: card })).idTagInfo.status).toBe('Accepted')
  const { transactionId, idTagInfo } = await call('StartTransaction', { connectorId: 1, idTag: card, meterStart: 1_000, timestamp: now() })
  expect(idTagInfo.status).toBe('Accepted')
  await call('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [{ timestamp: now(), sampledValue: [{ value: '1400', measurand: 'Energy.Active.Import.Register', unit: 'Wh' }] }],
  })
  await call('StopTransaction', { transactionId, idTag: card, meterStop: 1_900, timestamp: now(), reason: 'Local' })
  expect(await chargeOf(equipmentId)).toMatchObject({ status: ChargeStatus.billing, energyWh: 900 })
  await vi.waitFor(() => expect(asked).toEqual(['GetConfiguration', 'MeterValueSampleInterval 30']), { timeout: 8_000, interval: 40 })
  expect(broken).toEqual([])
})

test('2.0.1: an independent client signs in, starts, authorises, charges, measures and stops, and finds no fault with a word of ours', async () => {
  const { equipmentId, identity } = await aPile('ocpp2.0.1')
  const idToken = { idToken: await yard.aCard({ kind: 3 }), type: 'ISO14443' }
  const { client, broken, call } = speaks(identity, 'ocpp2.0.1')
  const asked: string[] = []
  client.handle('GetVariables', async ({ params }) => {
    asked.push('GetVariables')
    return { getVariableResult: params!['getVariableData'].map((one: object) => ({ ...one, attributeStatus: 'UnknownVariable' })) }
  })
  client.handle('TriggerMessage', async () => ({ status: 'Accepted' }))
  await client.connect()
  expect(client.protocol).toBe('ocpp2.0.1')
  expect(await call('BootNotification', { reason: 'PowerUp', chargingStation: { model: 'O2', vendorName: 'Others' } })).toMatchObject({
    status: 'Accepted',
  })
  await call('Heartbeat', {})
  await call('StatusNotification', { timestamp: now(), connectorStatus: 'Occupied', evseId: 1, connectorId: 1 })
  expect((await call('Authorize', { idToken })).idTokenInfo.status).toBe('Accepted')
  const event = (eventType: string, seqNo: number, wh: number, context: string, more: object = {}, info: object = {}) =>
    call('TransactionEvent', {
      eventType,
      seqNo,
      timestamp: now(),
      triggerReason: seqNo === 0 ? 'Authorized' : 'MeterValuePeriodic',
      evse: { id: 1, connectorId: 1 },
      ...more,
      transactionInfo: { transactionId: 'OTHERS-1', ...info },
      meterValue: [{ timestamp: now(), sampledValue: [{ value: wh, context, measurand: 'Energy.Active.Import.Register' }] }],
    })
  expect((await event('Started', 0, 2_000, 'Transaction.Begin', { idToken })).idTokenInfo.status).toBe('Accepted')
  await event('Updated', 1, 2_300, 'Sample.Periodic', {}, { chargingState: 'Charging' })
  await event('Ended', 2, 2_500, 'Transaction.End', {}, { stoppedReason: 'Local' })
  expect(await chargeOf(equipmentId)).toMatchObject({ status: ChargeStatus.billing, energyWh: 500 })
  await vi.waitFor(() => expect(asked).toEqual(['GetVariables']), { timeout: 8_000, interval: 40 })
  expect(broken).toEqual([])
})

test('an independent client with a wrong secret, or for a version that its pile does not speak, is not let in', async () => {
  const { identity } = await aPile('ocpp1.6')
  await expect(speaks(identity, 'ocpp1.6', 'wrong').client.connect()).rejects.toThrow(/401|Unauthorized/)
  await expect(speaks(identity, 'ocpp2.0.1').client.connect()).rejects.toThrow(/400|Bad Request/)
})

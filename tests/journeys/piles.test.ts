import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { Pile } from '../../city/piles/pile.ts'
import { pilesLeft } from '../../city/piles.ts'
import { ChargeStatus } from '../../domains/charging/contract/session.ts'
import { giveSecret } from '../../domains/charging/server/api.ts'
import { aYard, type Yard } from '../../domains/charging/server/testing.ts'
import { connectPile, type PileWire } from '../../gateways/ocpp/simulator.ts'

const SECRET = 'demo-secret-of-piles'
const stamp = () => new Date().toISOString()
const until = <T>(work: () => Promise<T>) => vi.waitFor(work, { timeout: 30_000, interval: 50 })
let yard: Yard
beforeAll(async () => {
  yard = await aYard()
})
afterAll(() => yard.close())

/** A town in which a minute lasts sixty milliseconds. */
const townAt = (going: () => boolean) => ({
  url: `ws://127.0.0.1:${yard.server.ocppPort}`,
  secret: SECRET,
  random: () => 0.5,
  speed: 1_000,
  faults: 0,
  going,
})
const traits = (id: string, version: '1.6' | '2.0.1') => ({ id, version, ratedW: 60_000, driftMs: 0, placeholder: false, registerWh: 100_000 })
async function aPile(id: string, version: '1.6' | '2.0.1') {
  const { equipmentId, connectorIds } = await yard.aPile()
  const protocol = version === '1.6' ? 1 : 2
  await yard.sql('update charging.equipment set charge_point_id = $2, protocol = $3 where equipment_id = $1', [equipmentId, id, protocol])
  await yard.sql('update charging.connector set evse_id = $2 where equipment_id = $1', [equipmentId, protocol === 2 ? 1 : null])
  await yard.write((tx) => giveSecret(tx, equipmentId, SECRET))
  return connectorIds[0]!
}
const chargeAt = async (connectorId: string) =>
  (await yard.sql<any>('select status, energy_wh, end_wh from charging.charge where connector_id = $1', [connectorId]))[0]

/** A pile begins a charge with this card, tells of 1.2 kWh, and is gone. @returns what it called it */
const BEGINS: Record<'1.6' | '2.0.1', (wire: PileWire, card: string) => Promise<string>> = {
  async '1.6'(wire, card) {
    const { transactionId } = await wire.call('StartTransaction', { connectorId: 1, idTag: card, meterStart: 10_000, timestamp: stamp() })
    const sampledValue = [
      { value: '11200', measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
      { value: '61', measurand: 'SoC', unit: 'Percent' },
    ]
    await wire.call('MeterValues', { connectorId: 1, transactionId, meterValue: [{ timestamp: stamp(), sampledValue }] })
    return String(transactionId)
  },
  async '2.0.1'(wire, card) {
    const event = (eventType: string, seqNo: number, wh: number) =>
      wire.call('TransactionEvent', {
        ...{
          eventType,
          seqNo,
          timestamp: stamp(),
          triggerReason: 'MeterValuePeriodic',
          transactionInfo: { transactionId: 'T-1', chargingState: 'Charging' },
        },
        evse: { id: 1, connectorId: 1 },
        ...(eventType === 'Started' && { idToken: { idToken: card, type: 'ISO14443' } }),
        meterValue: [
          { timestamp: stamp(), sampledValue: [{ value: wh, measurand: 'Energy.Active.Import.Register', unitOfMeasure: { unit: 'Wh' } }] },
        ],
      })
    await event('Started', 0, 10_000)
    await event('Updated', 1, 11_200)
    return 'T-1'
  },
}
test.each(['1.6', '2.0.1'] as const)(
  'a simulated pile of %s that was cut off in a charge goes on with it: one charge, one end, its meter never back',
  async (version) => {
    const id = `LEFT-${version}`
    const gun = await aPile(id, version)
    const card = await yard.aCard({ kind: 3 })
    const wire = await connectPile({ url: townAt(() => true).url, id, secret: SECRET, protocols: [version === '1.6' ? 'ocpp1.6' : 'ocpp2.0.1'] })
    const transaction = await BEGINS[version](wire, card)
    wire.cut()
    await until(async () => expect(await chargeAt(gun)).toMatchObject({ status: ChargeStatus.charging, energyWh: 1_200 }))
    const [left] = (await yard.write(pilesLeft)).filter((one) => one.id === id)
    expect(left).toMatchObject({ faulty: false, registerWh: 11_200, running: { transaction, tag: card, seqNo: version === '1.6' ? 0 : 2 } })

    let goes = true
    const pile = new Pile(
      traits(id, version),
      townAt(() => goes),
      left,
    )
    await pile.connect()
    const played = pile.play()
    await until(async () => expect((await chargeAt(gun)).endWh).not.toBeNull())
    goes = false
    await Promise.all([played, pile.close()])
    const charges = await yard.sql<any>('select transaction_id, energy_wh, end_wh, status from charging.charge where connector_id = $1', [gun])
    expect(charges).toEqual([
      { transactionId: transaction, energyWh: charges[0].endWh - 10_000, endWh: expect.any(Number), status: ChargeStatus.billing },
    ])
    expect(charges[0].endWh).toBeGreaterThan(11_200)
  },
)

test('a pile whose line breaks comes back by itself', async () => {
  const gun = await aPile('BREAKS', '1.6')
  let goes = true
  const pile = new Pile(
    traits('BREAKS', '1.6'),
    townAt(() => goes),
  )
  await pile.connect()
  const online = () =>
    yard.sql<any>('select online from charging.pile_state where equipment_id = $1', [gun.slice(0, -2)]).then(([row]) => row?.online)
  await until(async () => expect(await online()).toBe(true))
  pile.cut()
  await until(async () => expect(await online()).toBe(false))
  await until(async () => expect(await online()).toBe(true))
  goes = false
  await pile.close()
})

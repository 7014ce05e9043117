import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { connectorAt, connectorSaid, meterSaid, pileSaid } from './api.ts'
import { aYard, type Yard } from './testing.ts'

let yard: Yard
beforeAll(async () => void (yard = await aYard()))
afterAll(() => yard.close())

const at = (minute: number) => `2026-11-02T04:${String(minute).padStart(2, '0')}:00Z` as Instant
const say = (connectorId: string, status: 1 | 2 | 3 | 255, raw: string, minute: number) =>
  yard.server.house.writing(1, 'test', (tx) => connectorSaid(tx, { connectorId, status, raw, at: at(minute), receivedAt: at(59) }))
const stateOf = async (connectorId: string) =>
  (await yard.sql<{ status: number; statusRaw: string }>('select status, status_raw from charging.gun where connector_id = $1', [connectorId]))[0]!

test('a state said again is no change, and an older message never overwrites a newer one', async () => {
  const { connectorIds } = await yard.aPile()
  const gun = connectorIds[0]!
  expect(await say(gun, ConnectorStatus.plugged, 'Preparing', 10)).toBe(true)
  expect(await say(gun, ConnectorStatus.plugged, 'Preparing', 11)).toBe(false)
  expect(await say(gun, ConnectorStatus.free, 'Available', 5)).toBe(false)
  expect(await stateOf(gun)).toEqual({ status: ConnectorStatus.plugged, statusRaw: 'Preparing' })
  const history = await yard.sql<{ raw: string }>('select raw from charging.status_change where connector_id = $1 order by at', [gun])
  expect(history.map(({ raw }) => raw)).toEqual(['Available', 'Preparing'])
})

test('what a pile with a clock that is ahead said happened when it was told: the next word is newer', async () => {
  const { connectorIds } = await yard.aPile()
  const gun = connectorIds[0]!
  const told = (status: 0 | 1, raw: string, minute: number, receivedMinute: number) =>
    yard.write((tx) => connectorSaid(tx, { connectorId: gun, status, raw, at: at(minute), receivedAt: at(receivedMinute) }))
  expect(await told(ConnectorStatus.free, 'Available', 15, 10)).toBe(true)
  expect(await told(ConnectorStatus.offline, 'Offline', 11, 11)).toBe(true)
  expect(await stateOf(gun)).toEqual({ status: ConnectorStatus.offline, statusRaw: 'Offline' })
})

test('a gun that charges no more draws nothing, whatever it measured last', async () => {
  const { connectorIds } = await yard.aPile()
  const gun = connectorIds[0]!
  await say(gun, ConnectorStatus.charging, 'Charging', 1)
  await yard.write((tx) => meterSaid(tx, { connectorId: gun, transactionId: null, samples: [{ at: at(2), powerW: 42_000 }], receivedAt: at(59) }))
  const drawn = async () =>
    (await yard.sql<{ powerW: number | null }>('select power_w from charging.connector_state where connector_id = $1', [gun]))[0]!.powerW
  expect(await drawn()).toBe(42_000)
  await say(gun, ConnectorStatus.charging, 'SuspendedEV', 3)
  expect(await drawn()).toBe(42_000)
  await say(gun, ConnectorStatus.plugged, 'Finishing', 4)
  expect(await drawn()).toBeNull()
})

test('a pile is on line from its first word until its link says otherwise', async () => {
  const { equipmentId, connectorIds } = await yard.aPile(2)
  const hear = (online: boolean, minute: number) =>
    yard.server.house.writing(1, 'test', (tx) => pileSaid(tx, { equipmentId, online, firmware: 'V1.2', at: at(minute) }))
  await hear(true, 1)
  await hear(false, 3)
  const [row] = await yard.sql('select online, firmware, last_seen_at, connectors from charging.pile where equipment_id = $1', [equipmentId])
  expect(row).toEqual({ online: false, firmware: 'V1.2', lastSeenAt: at(1), connectors: 2 })
  expect(await yard.server.house.reading(1, (tx) => connectorAt(tx, equipmentId, { no: 2 }))).toBe(connectorIds[1])
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { DangerKind, DangerLevel, DangerSource } from '../contract/danger.ts'
import { PlaceState } from '../contract/map.ts'
import { FaultLevel, FaultSource, FaultState } from '../contract/fault.ts'
import { connectorAt, connectorSaid, meterSaid, pileSaid, pileSignedOut, pilesSeen } from './api.ts'
import { found } from './danger.ts'
import { pilesLost } from './link.ts'
import { aYard, now, type Yard } from './testing.ts'

let yard: Yard
beforeAll(async () => void (yard = await aYard()))
afterAll(() => yard.close())

const at = (minute: number) => `2026-11-02T04:${String(minute).padStart(2, '0')}:00.000Z` as Instant
const say = (connectorId: string, status: 1 | 2 | 3 | 255, raw: string, minute: number) =>
  yard.server.house.writing(1, 'test', (tx) => connectorSaid(tx, { connectorId, status, raw, at: at(minute), receivedAt: at(59) }))
const stateOf = async (connectorId: string) =>
  (
    await yard.sql<{ status: number; statusRaw: string }>('select told as status, status_raw from charging.gun where connector_id = $1', [
      connectorId,
    ])
  )[0]!

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

test('what a car’s battery had goes with its charge', async () => {
  const gun = await yard.aGun()
  await yard.sql('update charging.connector_state set status = 3, soc = 49 where connector_id = $1', [gun.connectorId])
  const socs = () =>
    yard.sql(
      'select g.soc, s.soc as kept from charging.gun g join charging.connector_state s using (enterprise_id, connector_id) where connector_id = $1',
      [gun.connectorId],
    )
  expect(await socs()).toEqual([{ soc: null, kept: 49 }])
  const orderNo = 'CDSOC'
  await yard.sql(
    `insert into charging.charge (order_no, start_charge_seq, park_code, station_id, equipment_id, connector_id, start_mode, status, claimed, start_time, prices)
      values ($1, $1, 'P001', 'ST001', $2, $3, 2, 2, true, now(), '{}')`,
    [orderNo, gun.equipmentId, gun.connectorId],
  )
  expect(await socs()).toEqual([{ soc: 49, kept: 49 }])
  await yard.sql('delete from charging.charge where order_no = $1', [orderNo])
  await yard.write((tx) =>
    connectorSaid(tx, { connectorId: gun.connectorId, status: ConnectorStatus.faulty, raw: 'Faulted', at: now(), receivedAt: now() }),
  )
  expect(await socs()).toEqual([{ soc: null, kept: null }])
  await yard.sql('update charging.pile_state set online = false')
})

describe('to people', () => {
  const ask = async (method: 'GET' | 'POST', path: string, input: object = {}) => {
    const { code, data } = await yard.server.ask<any>(yard.admin, method, `/lbs/charging${path}`, input)
    expect(code, path).toBe(200)
    return data
  }
  /** What is said of a gun, and how many are free, wherever it is said. */
  async function shown(connectorId: string) {
    const [wall, stations, [place], counts, [qr]] = await Promise.all([
      ask('GET', '/monitor/queryConnectorinfoList'),
      ask('POST', '/chargeDbQuery/getStationinfoTableList', { stationId: 'ST001' }),
      ask('GET', '/map/queryList'),
      ask('GET', '/data/chargeCount'),
      yard.sql<{ code: string }>('select code from parking.qrcode_shown where target = 4 and target_code = $1', [connectorId]),
    ])
    const { data: door } = await yard.server.ask<any>(null, 'GET', '/lbs/charging/door/show', { code: qr!.code })
    const free = [
      stations.records[0].freeConnectors,
      place.fastFree + place.slowFree,
      counts.byStatus.find((one: any) => one.status === ConnectorStatus.free)?.count ?? 0,
    ]
    const said = { state: place.state, dangerNo: [place.dangerNo, stations.records[0].dangerNo] }
    return { said, wall: wall.find((one: any) => one.connectorId === connectorId).status, door: door.status, free, refused: door.hindrance !== null }
  }
  const { free, offline, faulty } = ConnectorStatus

  test('a gun with a severe fault, or at a station with a grave danger, is faulty, and free again when it is over', async () => {
    const { connectorId } = await yard.aGun()
    expect(await shown(connectorId)).toMatchObject({ wall: free, door: free, free: [1, 1, 1], refused: false })
    const fault = { connectorId, code: 'Screen', source: FaultSource.inspection }
    await ask('POST', '/fault/insertFault', { ...fault, level: FaultLevel.heavier })
    expect(await shown(connectorId)).toMatchObject({ wall: free, refused: false })
    const { id, version } = await ask('POST', '/fault/insertFault', { ...fault, level: FaultLevel.severe })
    expect(await shown(connectorId)).toMatchObject({ wall: faulty, door: faulty, free: [0, 0, 0], refused: true })
    await ask('POST', '/fault/updateFault', { id, version, state: FaultState.recovered })
    expect(await shown(connectorId)).toMatchObject({ wall: free, door: free, free: [1, 1, 1], refused: false })
    const danger = await yard.write((tx) =>
      found(tx, { stationId: 'ST001', level: DangerLevel.grave, kind: DangerKind.fire, source: DangerSource.person, at: now() }),
    )
    const { dangerNo } = danger
    expect(await shown(connectorId)).toMatchObject({
      said: { state: PlaceState.halted, dangerNo: [dangerNo, dangerNo] },
      wall: faulty,
      door: faulty,
      free: [0, 0, 0],
      refused: true,
    })
    await yard.write((tx) => connectorSaid(tx, { connectorId, status: ConnectorStatus.charging, raw: 'Charging', at: now(), receivedAt: now() }))
    expect((await shown(connectorId)).wall).toBe(ConnectorStatus.charging)
    await yard.sql('update charging.danger set state = 3, closed_at = now() where id = $1', [danger.id])
    expect((await shown(connectorId)).said).toEqual({ state: PlaceState.full, dangerNo: [null, null] })
    await yard.sql('update charging.pile_state set online = false', [])
  })

  test('a station without guns is not off line, it has none', async () => {
    await yard.sql(`insert into charging.station (station_id, station_name, operator_id, park_code, region_code, address, service_tel, station_status, station_lng, station_lat)
      select 'ST000', '新站', operator_id, park_code, region_code, address, service_tel, 50, station_lng, station_lat from charging.station where station_id = 'ST001'`)
    const stateOf = async (keyword: string) => (await ask('GET', '/map/queryList', { keyword }))[0].state
    expect(await stateOf('新站')).toBe(PlaceState.bare)
    expect(await stateOf('东门充电站')).toBe(PlaceState.offline)
    await yard.sql(`delete from charging.station where station_id = 'ST000'`)
  })

  test('a gun whose pile is away is off line, also where its process died with it, and free again when it is back', async () => {
    const { connectorId, equipmentId } = await yard.aGun()
    const since = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString() as Instant
    const back = { wall: free, door: free, free: [1, 1, 1], refused: false }
    const gone = { wall: offline, door: offline, free: [0, 0, 0], refused: true }
    await yard.write((tx) => pileSignedOut(tx, equipmentId, now()))
    expect(await shown(connectorId)).toMatchObject(gone)
    await yard.write((tx) => pileSaid(tx, { equipmentId, online: true, at: since(200) }))
    expect(await shown(connectorId)).toMatchObject(back)
    await yard.write((tx) => pilesLost(tx, now()))
    expect(await shown(connectorId)).toMatchObject(gone)
    const seen = await ask('GET', '/monitor/queryConnectorinfo', { connectorId })
    expect(seen).toMatchObject({ status: offline, raw: 'Available' })
    const [{ lastSeenAt }] = (await yard.sql<{ lastSeenAt: string }>('select last_seen_at from charging.pile_state where equipment_id = $1', [
      equipmentId,
    ])) as [{ lastSeenAt: string }]
    expect(seen.since).toBe(lastSeenAt)
    // The list of its station says the same time: when its pile was last heard of, not when the gun last told a state.
    const piles = (await ask('GET', '/chargingPile/queryChargingPile', { stationId: 'ST001' })) as {
      guns: { connectorId: string; statusAt: string }[]
    }[]
    expect(piles.flatMap(({ guns }) => guns).find((one) => one.connectorId === connectorId)?.statusAt).toBe(seen.since)
    await yard.write((tx) => pilesSeen(tx, [equipmentId], now()))
    expect(await shown(connectorId)).toMatchObject(back)
    await yard.write((tx) => pileSignedOut(tx, equipmentId, now()))
    await yard.write((tx) => pilesSeen(tx, [equipmentId], now()))
    expect(await shown(connectorId)).toMatchObject(gone)
  })
})

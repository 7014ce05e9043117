import { afterAll, beforeAll, expect, test } from 'vitest'
import { HoldState } from '../../charging/contract/money.ts'
import { ChargeStatus } from '../../charging/contract/session.ts'
import { aYard, type Yard } from '../../charging/server/testing.ts'
import { openSession } from './api.ts'
import { aGarage, type Garage } from './testing.ts'
import { now } from '../../charging/server/testing.ts'

/** A driver finds a gun of the house on the telephone and charges there from stored value. */
let yard: Yard
let garage: Garage
beforeAll(async () => {
  yard = await aYard()
  garage = await aGarage(yard)
})
afterAll(() => yard.close())

async function aDriver(payFen: number) {
  const { ownerId } = await garage.anOwner('李明')
  const { plateNo } = await garage.aCar(ownerId)
  if (payFen > 0) await garage.recharge(ownerId, payFen)
  const token = await yard.write((tx) => openSession(tx, ownerId, '127.0.0.1', now()))
  const mine = (what: string, body: object = {}) => yard.server.ask<any>(token, 'POST', `/lbs/charging/mine/${what}`, body)
  return { ownerId, plateNo, mine, charges: async () => (await yard.server.ask<any>(token, 'POST', '/lbs/custom/owner/mine/charges', {})).data }
}

test('own stations are found by name and by a gun’s number, with prices and what is free, the nearest first; one that is shut is not', async () => {
  const [driver, gun] = [await aDriver(0), await yard.aGun()]
  const [{ stationId, stationName, stationLng, stationLat }] = await yard.sql<any>(
    'select s.* from charging.station s join charging.connector c on c.enterprise_id = s.enterprise_id and c.station_id = s.station_id where c.connector_id = $1',
    [gun.connectorId],
  )
  const found = async (more: object = {}) => {
    const answer = await driver.mine('ownStations', more)
    expect(answer).toMatchObject({ status: 200 })
    return answer.data as any[]
  }
  const [one] = await found({ keyword: gun.connectorId.slice(0, -1) })
  expect(one).toMatchObject({
    stationId,
    stationName,
    free: expect.any(Number),
    prices: expect.arrayContaining([{ from: '00:00', elecPriceE4: expect.any(Number), servicePriceE4: expect.any(Number) }]),
    elecPriceE4: expect.any(Number),
  })
  expect(one.guns.map(({ connectorId }: { connectorId: string }) => connectorId)).toContain(gun.connectorId)
  expect((await found({ keyword: stationName, lng: stationLng, lat: stationLat }))[0].metres).toBeLessThan(2_000)
  expect(await found({ keyword: '没有这样的站' })).toEqual([])
  expect(one.halted).toBe(false)
  await yard.sql(
    `insert into charging.danger (station_id, park_code, level, kind, source, found_at, deadline) select station_id, park_code, 4, 6, 3, now(), now() from charging.station where station_id = $1`,
    [stationId],
  )
  expect((await found({ keyword: gun.connectorId }))[0]).toMatchObject({ halted: true, free: 0 })
  await yard.sql('delete from charging.danger where station_id = $1', [stationId])
  await yard.sql('update charging.station set station_status = 6 where station_id = $1', [stationId])
  expect(await found({ keyword: gun.connectorId })).toEqual([])
  await yard.sql('update charging.station set station_status = 50 where station_id = $1', [stationId])
})

test('a driver starts a gun of the house from stored value and ends it; nobody else does, and too little does not start', async () => {
  const [driver, stranger, poor, gun] = [await aDriver(10_000), await aDriver(10_000), await aDriver(100), await yard.aGun()]
  const asked = { connectorId: gun.connectorId, holdFen: 5_000 }
  expect(await poor.mine('begin', asked)).toMatchObject({ status: 422 })
  expect(await driver.mine('begin', { ...asked, plateNo: stranger.plateNo })).toMatchObject({ status: 404 })
  const { data, status } = await driver.mine('begin', { ...asked, plateNo: driver.plateNo })
  expect([status, data]).toEqual([200, { orderNo: expect.any(String), status: ChargeStatus.waiting }])
  expect(await yard.hold(data.orderNo)).toMatchObject({ state: HoldState.held, holdFen: 5_000, accountId: driver.ownerId })
  expect(await driver.charges()).toMatchObject([{ orderNo: data.orderNo, own: true, connectorId: gun.connectorId }])
  expect(await stranger.mine('begin', asked)).toMatchObject({ status: 409 })
  expect(await stranger.mine('end', { orderNo: data.orderNo })).toMatchObject({ status: 404 })
  expect(await driver.mine('end', { orderNo: data.orderNo })).toMatchObject({ status: 200, data: { status: ChargeStatus.cancelled } })
  expect(await yard.hold(data.orderNo)).toMatchObject({ state: HoldState.released, releasedFen: 5_000 })
})

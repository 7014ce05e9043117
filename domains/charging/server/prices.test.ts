import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { StrategyPhase, StrategyStatus } from '../contract/strategy.ts'
import { aYard, type Yard } from './testing.ts'

let yard: Yard
beforeAll(async () => void (yard = await aYard()))
afterAll(() => yard.close())

const post = (path: string, body: object, token = yard.admin) => yard.server.ask<any>(token, 'POST', `/lbs/charging${path}`, body)
const get = (path: string, query: object) => yard.server.ask<any>(yard.admin, 'GET', `/lbs/charging${path}`, query)
const STATION = {
  stationId: 'ST900',
  stationName: '西门站',
  operatorId: 'MA0000001',
  parkCode: 'P001',
  regionCode: '420607',
  address: '西门路',
  serviceTel: '4001112222',
  stationLng: 112.1,
  stationLat: 32,
}
const FLAT = [{ from: '00:00', to: '24:00', kind: 3, elecPriceE4: 7000, servicePriceE4: 3000 }]

describe('prices', () => {
  const insert = (more: object) => post('/strategy/insert', { name: '价格', periods: FLAT, ...more })
  test('a table with a gap, one that begins in the past and a second one at a station are refused', async () => {
    expect((await insert({ periods: [{ ...FLAT[0], to: '12:00' }] })).code).toBe(41322)
    expect((await insert({ publish: true, effectiveFrom: '2020-01-01T00:00:00.000Z' })).code).toBe(41323)
    expect((await insert({ publish: true, stationIds: ['ST001'] })).code).toBe(41324)
    expect((await insert({ publish: true, stationIds: ['NONE'] })).code).toBe(41326)
  })
  test('a new version takes the place of the one before, to the moment', async () => {
    const [old] = (await post('/strategy/query', { name: '东门价格' })).data.records
    const made = (await insert({ id: old.id, name: '东门价格', publish: true })).data
    expect(made).toMatchObject({ versionNo: 2, tableId: old.tableId, stationIds: ['ST001'], status: StrategyStatus.published })
    const before = (await post('/strategy/query', { name: '东门价格' })).data.records.find(({ id }: any) => id === old.id)
    expect(before.effectiveTo).toBe(made.effectiveFrom)
    const phases = async () =>
      (await post('/strategy/query', { name: '东门价格' })).data.records.map(({ versionNo, phase }: any) => [versionNo, phase])
    expect(await phases()).toEqual(
      expect.arrayContaining([
        [1, StrategyPhase.over],
        [2, StrategyPhase.now],
      ]),
    )
    expect((await get('/strategy/detail', { id: made.id })).data).toMatchObject({ phase: StrategyPhase.now, stationIds: ['ST001'] })
    const coming = await insert({
      id: made.id,
      name: '明日价格',
      publish: true,
      stationIds: [],
      effectiveFrom: new Date(Date.now() + 86_400_000).toISOString(),
    })
    expect(coming).toMatchObject({ code: 41325 })
    const draft = (await insert({})).data
    expect((await get('/strategy/detail', { id: draft.id })).data.phase).toBe(StrategyPhase.draft)
    const later = (await insert({ name: '以后', publish: true, stationIds: [], effectiveFrom: new Date(Date.now() + 86_400_000).toISOString() })).data
    expect((await get('/strategy/detail', { id: later.id })).data.phase).toBe(StrategyPhase.coming)
    expect((await get('/strategy/del', { id: made.id })).code).toBe(41325)
  })
  test('a station that is given a table has its next version too; none loses its price by being left out of one', async () => {
    const made = (await post('/chargeDbQuery/saveStationinfo', { ...STATION, stationId: 'ST903' })).data
    const one = (await insert({ name: '甲价', publish: true, stationIds: ['ST903'] })).data
    const two = (await insert({ name: '乙价', publish: true, stationIds: [] })).data
    const { stationName, regionCode, address, serviceTel, stationLng, stationLat } = STATION
    const given = await post('/chargeDbQuery/saveStationinfo', {
      id: made.id,
      version: made.version,
      stationName,
      regionCode,
      address,
      serviceTel,
      stationLng,
      stationLat,
      strategyId: two.id,
    })
    expect(given.code).toBe(200)
    const stationsOf = async (name: string) => (await post('/strategy/query', { name })).data.records[0].stationIds
    expect([await stationsOf('甲价'), await stationsOf('乙价')]).toEqual([[], ['ST903']])
    expect(await insert({ id: two.id, name: '乙价', publish: true, stationIds: [] })).toMatchObject({ code: 41325 })
    expect((await insert({ id: one.id, name: '甲价', publish: true })).code).toBe(200)
    expect((await insert({ id: two.id, name: '乙价', publish: true })).data).toMatchObject({ versionNo: 2, stationIds: ['ST903'] })
    const held = await yard.sql<any>(
      `select s.name, s.version_no from charging.station_price p join charging.strategy s on s.id = p.strategy_id where p.station_id = 'ST903' and p.to_at is null`,
    )
    expect(held).toEqual([{ name: '乙价', versionNo: 2 }])
  })
  test('a draft goes, a user gets a discount once at a time', async () => {
    expect((await insert({ occupyFenPerMin: 50, occupyCapFen: 20 })).message).toContain('封顶不能低于每分钟')
    const draft = (await insert({})).data
    expect((await get('/strategy/del', { id: draft.id })).code).toBe(200)
    const user = {
      name: '会员九折',
      users: [{ plateNo: '鄂a12345' }],
      servicePermille: 900,
      validFrom: '2026-01-01T00:00:00.000Z',
      validTo: '2030-01-01T00:00:00.000Z',
    }
    const made = await post('/strategy/insertUser', user)
    expect(made.data[0]).toMatchObject({ userKey: '鄂A12345', elecPermille: 1000, usedCount: 0 })
    expect((await post('/strategy/insertUser', user)).code).toBe(409)
    expect(await post('/strategy/insertUser', { ...user, users: [{ plateNo: 'BADPLATE' }] })).toMatchObject({ status: 422 })
    expect((await post('/strategy/insertUser', { ...user, validTo: user.validFrom })).message).toContain('结束时间须晚于开始时间')
    expect((await get('/strategy/delUser', { id: made.data[0].id })).code).toBe(200)
  })
})

test('a card is lost and found', async () => {
  const made = (await post('/card/save', { cardNo: 'TAG9001', kind: 2, unit: '城东物流', creditFen: 50_000 })).data
  // A pile that reads one in small letters means the same card.
  for (const cardNo of ['TAG9001', 'tag9001', '0xTAG9001']) expect((await post('/card/save', { cardNo, kind: 2, unit: '城东物流' })).code).toBe(409)
  for (const [typed, kept] of [
    ['04:a3:5f:11:c0:80', '04A35F11C080'],
    ['04-A3-5F-11-C0-81', '04A35F11C081'],
    [' 04 a3 5f 11 c0 82', '04A35F11C082'],
    ['0x04A35F11C083', '04A35F11C083'],
  ]) {
    expect((await post('/card/save', { cardNo: typed, kind: 2, unit: '城东物流' })).data, typed).toMatchObject({ cardNo: kept })
    for (const again of [typed, kept, kept!.toLowerCase()]) {
      expect((await post('/card/save', { cardNo: again, kind: 2, unit: '城东物流' })).code, again).toBe(409)
      expect((await post('/card/query', { cardNo: again })).data.records, again).toMatchObject([{ cardNo: kept }])
    }
  }
  for (const cardNo of [':-', '04_A3', '04:A3:5F:11:C0:80:04:A3:5F:11:C0'])
    expect((await post('/card/save', { cardNo, kind: 2, unit: '城东物流' })).status, cardNo).toBe(400)
  expect(await post('/card/save', { id: made.id, version: 1, plateNo: 'BADPLATE' })).toMatchObject({ status: 422 })
  const lost = (await post('/card/updateStatus', { id: made.id, version: 1, status: 3 })).data
  expect((await post('/card/updateStatus', { id: made.id, version: lost.version, status: 3 })).code).toBe(40010)
  expect((await post('/card/updateStatus', { id: made.id, version: lost.version, status: 1 })).data.status).toBe(1)
})

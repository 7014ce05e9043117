import gcoord from 'gcoord'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formOf, sendSheet } from '../../../tests/support/sheets.ts'
import { AdminStatus } from '../contract/pile.ts'
import { actionName } from '../contract/operateLog.ts'
import { StationStatus } from '../contract/station.ts'
import { StrategyPhase, StrategyStatus } from '../contract/strategy.ts'
import { giveSecret } from './link.ts'
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

describe('operators and stations', () => {
  test('an operator with stations is not deleted', async () => {
    const made = await post('/pc/charge/chargeOperator/saveOrUpdate', {
      operatorId: 'MA0000009',
      operatorName: '城投充电',
      operatorTel1: '02711112222',
    })
    expect(made.data).toMatchObject({ operatorId: 'MA0000009', version: 1 })
    const own = (await post('/pc/charge/chargeOperators', { operatorId: 'MA0000001' })).data.records[0]
    expect((await post('/pc/charge/chargeOperator/delete', { id: own.id, version: own.version })).code).toBe(41320)
    expect((await post('/pc/charge/chargeOperator/delete', { id: made.data.id, version: 1 })).code).toBe(200)
  })
  test('whoever looks after some parks changes the stations, piles and loads of these alone', async () => {
    const ofPark = async (parkCode: string) => {
      const custom = async (path: string, body: object) => (await yard.server.ask(yard.admin, 'POST', `/lbs/custom${path}`, body)).data
      const username = `of-${parkCode.toLowerCase()}`
      const role = await custom('/roleNew/roleAddNew', { name: username, dataScope: 6, grants: 2, parks: [parkCode] })
      const made = await custom('/person/add', { username, name: username, roleIds: [role.id] })
      await yard.sql('update identity.person set must_change = false where id = $1', [made.id])
      return yard.server.signIn(username, made.password)
    }
    const [near, far] = [await ofPark('P001'), await ofPark('P002')]
    const as = async (token: string, path: string, body: object) => (await yard.server.ask(token, 'POST', `/lbs/charging${path}`, body)).status
    const [station] = await yard.sql<any>(`select * from charging.station where station_id = 'ST001'`)
    const { id, version, stationName, regionCode, address, serviceTel, stationLng, stationLat } = station
    const renamed = { id, version, stationName, regionCode, address, serviceTel, stationLng, stationLat }
    const pile = { equipmentName: '桩', stationId: 'ST001', equipmentType: 1, power: 60, protocol: 1 }
    const load = { stationId: 'ST001', mode: 1, fallbackW: 7_000 }
    for (const [path, body] of [
      ['/chargeDbQuery/saveStationinfo', renamed],
      ['/chargingPile/saveInfo', { ...pile, equipmentId: 'P881', chargePointId: 'CP881' }],
      ['/load/save', load],
    ] as const) {
      const refused = await as(far, path, body)
      expect([403, 404], `${path} ${refused}`).toContain(refused)
      expect(await as(near, path, body), path).toBe(200)
    }
  })
  test('a station opens, is maintained and closes; it never goes back to being built', async () => {
    const made = (await post('/chargeDbQuery/saveStationinfo', STATION)).data
    expect(made.stationStatus).toBe(StationStatus.building)
    const { stationName, regionCode, address, serviceTel, stationLng, stationLat } = STATION
    const said = { stationName, regionCode, address, serviceTel, stationLng, stationLat }
    const open = await post('/chargeDbQuery/saveStationinfo', { id: made.id, version: 1, ...said, stationStatus: StationStatus.inUse })
    expect(open.data).toMatchObject({ stationStatus: StationStatus.inUse, version: 2 })
    expect((await post('/chargeDbQuery/saveStationinfo', { id: made.id, version: 2, ...said, stationStatus: StationStatus.building })).code).toBe(
      40010,
    )
    const opening = async () => (await get('/chargeDbQuery/getStationinfoDetail', { stationId: 'ST900' })).data
    expect(await opening()).toMatchObject({
      stationStatus: StationStatus.inUse,
      strategyId: null,
      connectors: 0,
      piles: 0,
      enabledPiles: 0,
      keyedPiles: 0,
      onlinePiles: 0,
    })
    expect(
      (
        await post('/chargingPile/saveInfo', {
          equipmentId: 'P890',
          equipmentName: '桩',
          stationId: 'ST900',
          equipmentType: 1,
          power: 60,
          chargePointId: 'CP890',
          protocol: 1,
        })
      ).code,
    ).toBe(200)
    expect(await opening()).toMatchObject({ piles: 1, enabledPiles: 0, keyedPiles: 0 })
    await yard.write((tx) => giveSecret(tx, 'P890', 'secret'))
    expect(await opening()).toMatchObject({ piles: 1, keyedPiles: 1, onlinePiles: 0 })
    expect((await get('/chargeDbQuery/getStationinfoDetail', { stationId: 'NONE' })).status).toBe(404)
    const listed = (await post('/chargeDbQuery/getStationinfoTableList', { stationId: 'ST001' })).data.records[0]
    expect(listed).toMatchObject({ stationName: '东门充电站', strategyName: '东门价格', nextStrategyName: null, nextPriceAt: null })
  })
  test('a place is typed in WGS-84 and kept as partners read it; saved as it was read it does not move', async () => {
    const { stationLng, stationLat, ...facts } = STATION
    expect(await post('/chargeDbQuery/saveStationinfo', { ...facts, stationId: 'ST912' })).toMatchObject({ status: 400 })
    const made = (await post('/chargeDbQuery/saveStationinfo', { ...facts, stationId: 'ST912', lng: 112.1, lat: 32 })).data
    const [east, north] = gcoord.transform([112.1, 32], gcoord.WGS84, gcoord.GCJ02)
    expect([made.stationLng, made.stationLat]).toEqual([expect.closeTo(east!, 5), expect.closeTo(north!, 5)])
    expect(Math.abs(made.stationLng - 112.1)).toBeGreaterThan(0.002)
    const [lng, lat] = gcoord.transform([made.stationLng, made.stationLat], gcoord.GCJ02, gcoord.WGS84).map((one: number) => Number(one.toFixed(6)))
    const { stationName, regionCode, address, serviceTel } = facts
    const again = { id: made.id, version: made.version, stationName, regionCode, address, serviceTel, lng, lat }
    expect((await post('/chargeDbQuery/saveStationinfo', again)).data).toMatchObject({ stationLng: made.stationLng, stationLat: made.stationLat })
    expect((await post('/chargeDbQuery/saveStationinfo', { ...facts, stationId: 'ST913', stationLng, stationLat })).data).toMatchObject({
      stationLng,
      stationLat,
    })
  })
  test('a station whose price table is still to come says so, and starts nothing before', async () => {
    const effectiveFrom = new Date(Date.now() + 86_400_000).toISOString()
    const table = (await post('/strategy/insert', { name: '明日价格', periods: FLAT, effectiveFrom, publish: true, stationIds: [] })).data
    await post('/chargeDbQuery/saveStationinfo', { ...STATION, stationId: 'ST911', stationStatus: StationStatus.inUse, strategyId: table.id })
    const rowOf = async (stationId: string) => (await post('/chargeDbQuery/getStationinfoTableList', { stationId })).data.records[0]
    expect(await rowOf('ST911')).toMatchObject({ strategyId: null, strategyName: null, nextStrategyName: '明日价格', nextPriceAt: effectiveFrom })
    const gun = await yard.aGun()
    await yard.sql("update charging.equipment set station_id = 'ST911' where equipment_id = $1", [gun.equipmentId])
    await yard.sql("update charging.connector set station_id = 'ST911' where equipment_id = $1", [gun.equipmentId])
    const cardNo = await yard.aCard({ kind: 3 })
    const shown = cardNo.toLowerCase().replace(/^(..)(..)/, '$1:$2-')
    const start = () => post('/chargingPile/remoteStart', { connectorId: gun.connectorId, cardNo: shown, reason: '代客启动' })
    expect(await start()).toMatchObject({ code: 41306, message: expect.stringContaining('生效') })
    await yard.sql("update charging.station_price set from_at = '2020-01-01' where station_id = 'ST911'")
    expect(await start()).toMatchObject({ code: 200, data: { params: { token: cardNo } } })
    expect(await rowOf('ST911')).toMatchObject({ strategyName: '明日价格', nextStrategyName: null })
  })
})

test('a region in which a station stands stays', async () => {
  const basic = (path: string, body: object) => yard.server.ask<any>(yard.admin, 'POST', `/lbs/basic/tSysRegion${path}`, body)
  const regionCode = '420607901'
  expect((await basic('/addRegion', { code: regionCode, name: '站区', rank: 4, parentCode: '420607' })).status).toBe(200)
  const made = (await post('/chargeDbQuery/saveStationinfo', { ...STATION, stationId: 'ST901', regionCode })).data
  expect(await basic('/deleteRegion', { code: regionCode, version: 1 })).toMatchObject({ status: 409, message: '不能删除：有充电站位于该区划' })
  const { stationName, address, serviceTel, stationLng, stationLat } = STATION
  expect(await post('/chargeDbQuery/saveStationinfo', { ...STATION, stationId: 'ST902', regionCode: '429999' })).toMatchObject({ code: 40147 })
  const said = { stationName, regionCode: '420607', address, serviceTel, stationLng, stationLat }
  expect((await post('/chargeDbQuery/saveStationinfo', { id: made.id, version: 1, ...said })).code).toBe(200)
  expect((await basic('/deleteRegion', { code: regionCode, version: 1 })).status).toBe(200)
})

describe('piles and guns', () => {
  test('state.pile-status: a pile comes, is used, and what was done to it is told', async () => {
    const made = (
      await post('/chargingPile/saveInfo', {
        equipmentId: 'P900',
        equipmentName: '9号桩',
        stationId: 'ST001',
        equipmentType: 1,
        power: 60,
        chargePointId: 'CP900',
        protocol: 1,
      })
    ).data
    expect(made).toMatchObject({ adminStatus: AdminStatus.waiting, parkCode: 'P001' })
    const gun = {
      connectorId: 'P900-1',
      equipmentId: 'P900',
      connectorType: 4,
      voltageUpper: 750,
      voltageLower: 200,
      current: 250,
      ocppConnectorNo: 1,
    }
    expect((await post('/chargeDbQuery/saveConnectorinfo', { ...gun, power: 120 })).code).toBe(41332)
    const crossed = await post('/chargeDbQuery/saveConnectorinfo', { ...gun, power: 60, voltageUpper: 200, voltageLower: 750 })
    expect(crossed).toMatchObject({ status: 422, code: 41317, message: '电压上限 200 V 低于电压下限 750 V，请核对铭牌' })
    const added = await post('/chargeDbQuery/saveConnectorinfo', { ...gun, power: 60 })
    expect(added.code).toBe(200)
    const { id, version } = added.data
    expect((await post('/chargeDbQuery/saveConnectorinfo', { id, version, power: 30 })).data).toMatchObject({ power: 30, version: 2 })
    expect((await post('/chargeDbQuery/saveConnectorinfo', { id, version: 2, voltageUpper: 100 })).code).toBe(41317)
    expect((await post('/chargeDbQuery/saveConnectorinfo', { id, version: 2, power: 30 })).code).toBe(200)
    expect((await get('/chargingPile/updatePileStatus', { id: made.id, status: AdminStatus.disabled, reason: '试' })).code).toBe(40010)
    expect((await get('/chargingPile/updatePileStatus', { id: made.id, status: AdminStatus.enabled, reason: '投用' })).data.adminStatus).toBe(
      AdminStatus.enabled,
    )
    expect((await get('/chargingPile/updatePileStatus', { id: made.id, status: AdminStatus.scrapped, reason: '试' })).code).toBe(40010)
    const { records } = (await post('/chargingPile/queryOperateLog', { equipmentId: 'P900' })).data
    expect(records.map(({ action }: any) => action)).toEqual(['updateStatus', 'saveGun', 'addGun', 'add'])
    expect(records[1]).toMatchObject({ params: { connectorId: 'P900-1' }, before: { power: 60 }, after: { power: 30 } })
    expect(records.every(({ action }: any) => actionName(action)[0] !== action)).toBe(true)
    const [pile] = (await get('/chargingPile/queryChargingPile', { connectorId: 'P900-1' })).data
    expect(pile.guns[0]).toMatchObject({ connectorId: 'P900-1', qrCode: expect.stringMatching(/^\w{10}\.1\./) })
    expect((await post('/chargingPile/del', { id: made.id, version: 2 })).code).toBe(41331)
  })
  test('a gun goes while nothing hangs on it, and stays once it has charged or was faulty', async () => {
    const {
      equipmentId,
      connectorIds: [kept = '', gone = ''],
    } = await yard.aPile(2)
    const ofGun = async (connectorId: string) =>
      (await post('/chargeDbQuery/getConnectorinfoList', { equipmentId })).data.find((one: any) => one.connectorId === connectorId)
    const del = async (connectorId: string) =>
      ((one) => post('/chargeDbQuery/delConnectorinfo', { id: one.id, version: one.version }))(await ofGun(connectorId))
    const codeOf = async (connectorId: string) =>
      (await yard.sql<{ code: string }>('select code from parking.qrcode_shown where target = 4 and target_code = $1', [connectorId]))[0]?.code
    const print = await codeOf(gone)
    expect((await del(gone)).code).toBe(200)
    expect(await ofGun(gone)).toBeUndefined()
    expect([await codeOf(gone), await codeOf(kept)]).toEqual([undefined, expect.any(String)])
    const scanned = await yard.server.ask(null, 'GET', '/lbs/charging/door/show', { code: print })
    expect(scanned).toMatchObject({ status: 422, code: 41350 })
    expect((await post('/fault/insertFault', { connectorId: kept, code: 'Screen', level: 1, source: 2 })).code).toBe(200)
    expect(await del(kept)).toMatchObject({ status: 409, code: 41318 })
    expect((await post('/chargingPile/queryOperateLog', { equipmentId })).data.records.map(({ action }: any) => action)).toEqual(['deleteGun'])
  })
  test('two piles never answer to one name', async () => {
    const of = { equipmentName: '桩', stationId: 'ST001', equipmentType: 1, power: 60, chargePointId: 'CP901', protocol: 1 }
    expect((await post('/chargingPile/saveInfo', { ...of, equipmentId: 'P901' })).code).toBe(200)
    expect((await post('/chargingPile/saveInfo', { ...of, equipmentId: 'P902' })).code).toBe(409)
  })
})

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

describe('a sheet of piles', () => {
  const at = '/lbs/charging/chargingPile/import'
  const head = '充电桩 ID,充电桩名称,充电站 ID,桩类型,额定功率(kW),通信编号,通信协议\n'
  test('adds and changes by the rules of the form, and comes back from an export unchanged', async () => {
    const csv = `${head}SHEET01,一号,ST001,直流设备,120,SH-01,OCPP 1.6J\nSHEET02,二号,ST001,交流设备,7,,\n`
    expect((await sendSheet(yard.server, yard.admin, at, csv)).data).toMatchObject({ added: 2, bad: 0, written: true })
    expect((await sendSheet(yard.server, yard.admin, at, csv)).data).toMatchObject({ added: 0, changed: 0, same: 2 })
    expect((await sendSheet(yard.server, yard.admin, at, csv.replace('一号', '甲号'))).data).toMatchObject({ changed: 1, same: 1 })
    const [pile] = (await post('/chargingPile/query', { equipmentId: 'SHEET01' })).data.records
    expect(pile).toMatchObject({ equipmentName: '甲号', adminStatus: AdminStatus.waiting, parkCode: 'P001', chargePointId: 'SH-01', protocol: 1 })
    const file = await yard.server.ask(yard.admin, 'POST', '/lbs/charging/chargingPile/exportChargingPile', { equipmentId: 'SHEET0', format: 'xlsx' })
    expect((await yard.server.ask(yard.admin, 'POST', at, formOf('piles.xlsx', file.data))).data).toMatchObject({
      added: 0,
      changed: 0,
      same: 2,
      bad: 0,
    })
  })
  test('half a link, another station and a station that is not there are bad rows; nothing is written', async () => {
    const csv = `${head}SHEET11,一号,ST001,直流设备,120,SH-11,\nSHEET12,二号,NOWHERE,直流设备,120,,\nSHEET13,三号,ST001,直流设备,120,,\n`
    const refused = await sendSheet(yard.server, yard.admin, at, csv)
    expect(refused).toMatchObject({ status: 422, data: { added: 1, bad: 2 } })
    expect(refused.data.errors).toContainEqual(expect.objectContaining({ row: 3, field: 'stationId', value: 'NOWHERE' }))
    expect((await post('/chargingPile/query', { equipmentId: 'SHEET1' })).data.records).toEqual([])
    const typed = await sendSheet(yard.server, yard.admin, at, `${head}SHEET14,四号,ST001,直流,abc,,\n`)
    expect(JSON.stringify(typed)).toContain('「桩类型」只能是 直流设备、交流设备')
    expect(JSON.stringify(typed)).toContain('「额定功率(kW)」应为数字')
    await yard.aGun()
    const [other] = await yard.sql<{ equipmentId: string }>(`select equipment_id from charging.equipment where station_id = 'ST001' limit 1`)
    await post('/chargeDbQuery/saveStationinfo', { ...STATION, stationId: 'ST901' })
    const moved = await sendSheet(yard.server, yard.admin, at, `${head}${other!.equipmentId},换站,ST901,直流设备,120,,\n`)
    expect(moved).toMatchObject({ status: 422, data: { bad: 1 } })
  })
})

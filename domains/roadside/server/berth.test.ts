import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import { arrives } from './arriving.ts'
import { holdPlace } from './binding.ts'
import { placeIf } from './place.ts'
import { aStreet, type Street } from './testing.ts'

let street: Street
beforeAll(async () => {
  street = await aStreet()
})
afterAll(() => street.close())
const answer = (status: number, code?: number) => ({ status, ...(code && { code }) })

describe('districts and sections', () => {
  test('a section without a rule stays closed; with one it opens, and closing it needs a reason', async () => {
    const { ask } = street
    const { parkCode } = await street.district()
    const made = await ask('/business/roadInfo/addParkArea', {
      parkCode,
      sectionCode: `${parkCode}-A`,
      name: '前进路',
      side: 2,
      level: 1,
      tollMode: 2,
    })
    expect(made.data).toMatchObject({ flag: 2, line: [], version: 1 })
    const { id, version } = made.data
    expect(await street.form('/business/roadInfo/changeParkAreaFlag', { id, version, flag: 1 })).toMatchObject(answer(422, 40020))
    expect((await ask('/business/roadInfo/selectAreaInfo', { sectionCode: `${parkCode}-A` })).data).toMatchObject({
      flag: 2,
      version,
      ruleName: null,
      seats: 0,
    })

    await street.rule(parkCode)
    expect(await street.form('/business/roadInfo/changeParkAreaFlag', { id, version, flag: 1 })).toMatchObject(answer(200))
    const open = (await ask('/business/roadInfo/selectAreaInfo', { sectionCode: `${parkCode}-A` })).data
    expect(open.ruleName).toContain('规则')
    expect((await ask('/business/roadInfo/selectParkArea', { parkCode })).data).toMatchObject([{ sectionCode: `${parkCode}-A` }])
    expect(await street.form('/business/roadInfo/changeParkAreaFlag', { id, version: open.version, flag: 2 })).toMatchObject(answer(422, 41100))
    expect(await street.form('/business/roadInfo/changeParkAreaFlag', { id, version: open.version, flag: 2, reason: '道路施工' })).toMatchObject(
      answer(200),
    )
    expect(await street.form('/business/roadInfo/changeParkAreaFlag', { id, version: open.version, flag: 1 })).toMatchObject(answer(409))
  })
  test('a section does not open in a district that is off', async () => {
    const { parkCode, section } = await street.field()
    await ask_off(parkCode)
    const found = (await street.ask('/business/roadInfo/selectAreaInfo', { sectionCode: section })).data
    await street.form('/business/roadInfo/changeParkAreaFlag', { id: found.id, version: found.version, flag: 2, reason: '测试' })
    expect(await street.form('/business/roadInfo/changeParkAreaFlag', { id: found.id, version: found.version + 1, flag: 1 })).toMatchObject(
      answer(409, 41101),
    )
  })
  const ask_off = (parkCode: string) => street.get('/business/roadInfo/changeRoadParkStatus', { parkCode, status: 2, reason: '测试' })
  test('a district is switched by GET as by POST; said again it answers the same', async () => {
    const { parkCode } = await street.district()
    expect(await street.get('/business/roadInfo/changeRoadParkStatus', { parkCode, status: 2 })).toMatchObject(answer(422, 41100))
    for (let n = 0; n < 2; n++) expect(await ask_off(parkCode)).toMatchObject(answer(200))
    const { version } = (await street.get('/business/roadInfo/findRoadPark', { parkCode })).data
    expect(version).toBe(2)
    expect(await street.ask('/business/roadInfo/changeRoadParkStatus', { parkCode, version: 1, status: 1 })).toMatchObject(answer(409))
    expect(await street.ask('/business/roadInfo/changeRoadParkStatus', { parkCode, version, status: 1 })).toMatchObject(answer(200))
  })
  test('lists count what is there', async () => {
    const { parkCode } = await street.field({ berths: 3 })
    const { records } = (await street.ask('/business/roadInfo/findRoadParkInfo', { parkCode })).data
    expect(records).toMatchObject([{ parkCode, sections: 1, seats: 3, occupied: 0 }])
    expect((await street.ask('/basic/parkInfo/queryDetail', { parkCode })).data).toMatchObject({ pType: 2, totalBays: 3, remainingBays: 3 })
  })
})

describe('berths', () => {
  test('a code is given once and never again', async () => {
    const { parkCode, section, berths } = await street.field()
    const [first] = berths
    const add = (seatCode: string, more = {}) =>
      street.ask('/business/roadInfo/addparkSeat', { parkCode, sectionCode: section, seatCode, berthNo: seatCode, ...more })
    expect(await add(first!)).toMatchObject(answer(409, 41104))
    const { id } = (await street.ask('/business/roadInfo/findparkSeat', { parkCode, seatCode: first! })).data.records[0]
    expect(await street.ask('/business/roadInfo/removeParkSeat', { ids: [id] })).toMatchObject(answer(200))
    expect(await add(first!)).toMatchObject(answer(409, 41104))
  })
  test('two berths on one spot are refused, by form as by sheet, and nothing of the sheet is written', async () => {
    const { parkCode, section } = await street.field({ berths: 0 })
    const place = { lng: 112.2, lat: 32.09 }
    const add = (seatCode: string, more: object) =>
      street.ask('/business/roadInfo/addparkSeat', { parkCode, sectionCode: section, seatCode, berthNo: seatCode, ...more })
    expect(await add('B1', place)).toMatchObject(answer(200))
    expect(await add('B2', { ...place, lng: place.lng + 0.00001 })).toMatchObject(answer(422, 41105))
    expect(await add('B2', { ...place, lng: place.lng + 0.00005 })).toMatchObject(answer(200))
    const sheet = (rows: string[]) => ['路段编号,泊位编号,泊位号,类型,收费类型,经度,纬度,设备编号', ...rows].join('\n')
    const rows = [`${section},C1,1,普通,收费,112.21,32.1,`, `${section},C2,2,残疾人,免费,112.210001,32.1,`, `X-9,C3,3,普通,收费,,,`]
    const refused = await street.sheet('/business/roadInfo/parkSeatImport', sheet(rows), { parkCode })
    expect(refused).toMatchObject(answer(422))
    expect((await street.ask('/business/roadInfo/findAllparkSeat', { parkCode })).data).toHaveLength(2)
    const tried = (await street.sheet('/business/roadInfo/parkSeatImport', sheet(rows), { parkCode, dryRun: 'true' })).data
    expect(tried).toMatchObject({ added: 1, bad: 2, written: false })
    const taken = (await street.sheet('/business/roadInfo/parkSeatImport', sheet(rows), { parkCode, mode: '2' })).data
    expect(taken).toMatchObject({ added: 1, bad: 2, written: true })
    expect((await street.ask('/business/roadInfo/findAllparkSeat', { parkCode })).data.map(({ seatCode }: { seatCode: string }) => seatCode)).toEqual(
      ['B1', 'B2', 'C1'],
    )
  })
  test('a sheet of berths says its datum, and comes back to the same place', async () => {
    const { parkCode, section } = await street.field({ berths: 0 })
    const sheet = `路段编号,泊位编号,泊位号,经度,纬度\n${section},D1,1,112.3005,32.2\n`
    expect((await street.sheet('/business/roadInfo/parkSeatImport', sheet, { parkCode })).data).toMatchObject({ added: 1 })
    const [{ lng, lat }] = (await street.ask('/business/roadInfo/findAllparkSeat', { parkCode })).data
    expect([lng, lat]).toEqual([112.3005, 32.2])
    const { data } = await street.get('/business/roadInfo/parkSeatExport', { parkCode, format: 'csv' })
    const [heads, first] = String(data)
      .replace('\ufeff', '')
      .split('\r\n')
      .map((line) => line.split(','))
    const at = heads!.indexOf('经度(WGS-84)')
    expect([Number(first![at]), Number(first![at + 1]), heads![at + 1]]).toEqual([112.3005, 32.2, '纬度(WGS-84)'])
    const back = await street.sheet('/business/roadInfo/parkSeatImport', String(data), { parkCode, dryRun: 'true' })
    expect(back.data).toMatchObject({ rows: 1, same: 1, guessed: [] })
    // Of another datum it is another place: nobody takes one for the other.
    const other = await street.sheet('/business/roadInfo/parkSeatImport', sheet.replace('经度', '经度(GCJ-02)').replace('纬度', '纬度(GCJ-02)'), {
      parkCode,
      dryRun: 'true',
    })
    expect(other.data).toMatchObject({ same: 1, mapping: { lng: -1, lat: -1 } })
  })
  test('a printed code says the same each time it is asked for, and a forged one is not it', async () => {
    const { parkCode, berths } = await street.field()
    const code = () => street.ask('/business/roadInfo/findSeatQRCode', { parkCode, seatCode: berths[0]! })
    const { qrUrl, versionNo } = (await code()).data
    expect(qrUrl).toMatch(/^\/q\/[0-9A-Za-z]{10}\.1\.[\w-]{16}$/)
    expect(versionNo).toBe(1)
    expect((await code()).data.qrUrl).toBe(qrUrl)
    const opened = await fetch(`${street.server.url}${qrUrl}`)
    expect([opened.status, await opened.text()]).toEqual([200, expect.stringContaining(`片区 ${parkCode}`)])
    expect((await fetch(`${street.server.url}${qrUrl.slice(0, -1)}~`)).status).toBe(404)
  })
  test('all are removed or none: one with a device stays, and the other with it', async () => {
    const { parkCode, berths, sensor } = await street.field({ berths: 2 })
    await sensor(berths[0]!)
    const { records } = (await street.ask('/business/roadInfo/findparkSeat', { parkCode })).data
    const ids = records.map(({ id }: { id: string }) => id)
    expect(await street.ask('/business/roadInfo/removeParkSeat', { ids })).toMatchObject(answer(409, 41106))
    expect((await street.ask('/business/roadInfo/findparkSeat', { parkCode })).data.total).toBe(2)
  })
  test('one that is removed while a car comes: the car was there first, or finds no berth', async () => {
    const field = await street.field({ berths: 2 })
    const { parkCode, berths } = field
    const [first, second] = [
      { parkCode, seatCode: berths[0]! },
      { parkCode, seatCode: berths[1]! },
    ]
    const camera = await field.camera(second.seatCode)
    const { records } = (await street.ask('/business/roadInfo/findparkSeat', { parkCode })).data
    const idOf = (seatCode: string) => records.find((one: { seatCode: string }) => one.seatCode === seatCode).id
    const stays = () => street.write((tx) => run(tx, { sql: 'select seat_code, status from parking.stay where park_code = $1' }, [parkCode]))
    const soon = () => new Promise((done) => setTimeout(done, 300))
    const remove = () => street.ask('/business/roadInfo/removeParkSeat', { ids: [idOf(first.seatCode)] })
    let removing: ReturnType<typeof remove> | undefined
    await street.write(async (tx) => {
      await holdPlace(tx, first)
      removing = remove()
      await soon()
      await arrives(tx, (await placeIf(tx, first))!, {
        kind: 1,
        detector: 5,
        deviceNo: null,
        at: field.at(0),
        receivedAt: field.at(0),
        image: null,
        plateNo: '鄂F65001',
        plateColor: 0,
        confidence: null,
        showsBerth: false,
        showsPlate: false,
        by: 'p',
        messageId: null,
      })
    })
    expect(await removing).toMatchObject(answer(409, 41106))
    expect(await stays()).toEqual([{ seatCode: first.seatCode, status: 1 }])

    let coming: Promise<void> | undefined
    await street.write(async (tx) => {
      await holdPlace(tx, second)
      coming = field.says(camera, 'occupied', 1, { berth: second.seatCode, plate: '鄂F65002', confidence: 0.99 })
      await soon()
      await run(tx, { sql: 'update roadside.berth set deleted = true where park_code = $1 and seat_code = $2' }, [parkCode, second.seatCode])
    })
    await coming
    expect(await stays()).toHaveLength(1)
  })
  test('a bay of a park is a berth with an area; a berth of the street needs its section', async () => {
    const { parkCode } = await street.field()
    expect(await street.ask('/business/roadInfo/addparkSeat', { parkCode, seatCode: 'Z1', berthNo: '1' })).toMatchObject(answer(422, 41102))
  })
})

describe('devices on berths', () => {
  test('one of a kind: a second needs to be said to replace the first, and the log shows no gap', async () => {
    const { parkCode, berths, device } = await street.field()
    const seatCode = berths[0]!
    const [a, b] = [await device(4), await device(4)]
    const bind = (deviceNo: string, more = {}) => street.get('/business/roadInfo/bindBySeatNo', { parkCode, seatCode, deviceNo, ...more })
    expect((await bind(a)).data).toMatchObject({ bindings: [{ deviceNo: a, kind: 1 }] })
    expect((await bind(a)).data.bindings).toHaveLength(1)
    expect(await bind(b)).toMatchObject(answer(409, 41108))
    expect((await bind(b, { replace: 'true' })).data).toMatchObject({ bindings: [{ deviceNo: b }] })
    const { records } = (await street.ask('/business/roadInfo/queryPageSeatBindLog', { parkCode, seatCode })).data
    expect(records).toMatchObject([
      { deviceNo: b, action: 1, toAt: null },
      { deviceNo: a, action: 3 },
    ])
    expect(records[1].toAt).toBe(records[0].fromAt)
    expect((await street.get('/business/roadInfo/bindBySeatNo', { parkCode, seatCode })).data.bindings).toHaveLength(1)
    expect((await bind(b, { unbind: 'true' })).data.bindings).toEqual([])
    expect(await bind(b, { unbind: 'true' })).toMatchObject(answer(409, 41110))
  })
  test('a sensor watches one berth, a camera on its pole thirty; neither of another district, nor one that is out of use', async () => {
    const { parkCode, berths, device } = await street.field({ berths: 2 })
    const other = await street.field()
    const bind = (deviceNo: string, seatCode: string) => street.get('/business/roadInfo/bindBySeatNo', { parkCode, seatCode, deviceNo })
    const sensor = await device(4)
    await bind(sensor, berths[0]!)
    expect(await bind(sensor, berths[1]!)).toMatchObject(answer(409, 41109))
    const camera = await device(5)
    for (const seatCode of berths) expect(await bind(camera, seatCode)).toMatchObject(answer(200))
    expect(await bind(await other.device(4), berths[1]!)).toMatchObject(answer(422, 41107))
    expect(await bind(await device(4, 2), berths[1]!)).toMatchObject(answer(422, 41107))
    expect(await bind(await device(3), berths[1]!)).toMatchObject(answer(422, 41107))
  })
  test('whoever has another district alone binds nothing here, and sees nothing that is bound', async () => {
    const { parkCode, berths, device } = await street.field()
    const own = await street.field()
    const token = await street.personOf([own.parkCode])
    const bind = (of: { parkCode: string; berths: readonly string[] }, more: object) =>
      street.server.ask(token, 'GET', '/lbs/business/roadInfo/bindBySeatNo', { parkCode: of.parkCode, seatCode: of.berths[0], ...more })
    const [sensor, mine] = [await device(4), await own.device(4)]
    const asAdmin = { parkCode, seatCode: berths[0]!, deviceNo: sensor }
    expect((await bind({ parkCode, berths }, { deviceNo: sensor })).status).toBe(404)
    await street.get('/business/roadInfo/bindBySeatNo', asAdmin)
    expect((await bind({ parkCode, berths }, {})).status).toBe(404)
    expect((await bind({ parkCode, berths }, { deviceNo: sensor, unbind: 'true' })).status).toBe(404)
    expect((await street.get('/business/roadInfo/bindBySeatNo', { parkCode, seatCode: berths[0] })).data.bindings).toMatchObject([
      { deviceNo: sensor },
    ])
    expect(await bind(own, { deviceNo: mine })).toMatchObject({ status: 200, data: { bindings: [{ deviceNo: mine }] } })
  })
  test('devices of a district are bound by the berths that they report, once it is said', async () => {
    const { parkCode, berths, device, reports } = await street.field({ berths: 2 })
    const [a, b, c] = [await device(4), await device(4), await device(4)]
    await reports(a, { berth: berths[0]! })
    await reports(b, { berth: berths[0]! })
    await reports(c, { berth: 'nowhere' })
    const plan = (dryRun?: string) => street.get('/business/roadInfo/bindByParkCode', { parkCode, ...(dryRun && { dryRun }) })
    const expected = [
      { deviceNo: a, seatCode: berths[0], result: 2 },
      { deviceNo: b, result: 4 },
      { deviceNo: c, result: 3, seatCode: null },
    ]
    expect((await plan()).data).toMatchObject(expected)
    expect((await plan('false')).data).toMatchObject([{ result: 1 }, { result: 4 }, { result: 3 }])
    expect((await plan()).data).toMatchObject([
      { deviceNo: a, result: 1 },
      { deviceNo: b, result: 4 },
      { deviceNo: c, result: 3 },
    ])
  })
})

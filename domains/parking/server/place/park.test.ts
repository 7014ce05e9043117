import { run } from '../../../../platform/server/database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Direction, SignColor, SignEvent } from '../../contract/gate.ts'
import { UseStatus } from '../../contract/park.ts'
import { aPark, presses } from '../factories.ts'
import { aGround, type Ground } from '../testing.ts'

let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.server.close())

const call = (address: string, body: object, token = ground.admin) => ground.ask(token, address, body)
const get = (address: string, body: object, token = ground.admin) => ground.ask(token, address, body, 'GET')
let codes = 0
const code = () => `C${String(++codes).padStart(3, '0')}`
const newPark = (of: object = {}) =>
  call('/basic/parkInfo/add', { parkCode: code(), name: '万达停车场', pType: 1, regionCode: '420607', totalBays: 10, ...of })

describe('parks', () => {
  test('state.park-gate-toggle data.page-response: added, changed with its version, disabled, enabled, deleted; the list counts what is inside', async () => {
    const { data: park } = await newPark()
    expect(park).toMatchObject({ status: 1, openFrom: '00:00', exitGraceMin: 15, dupEntry: 1, version: 1 })
    const { data: changed } = await call('/basic/parkInfo/update', { id: park.id, version: 1, name: '万达广场', fullPolicy: 2, remark: null })
    expect(changed).toMatchObject({ name: '万达广场', fullPolicy: 2, version: 2 })
    expect(await call('/basic/parkInfo/update', { id: park.id, version: 1, name: '旧' })).toMatchObject({ status: 409, data: { version: 2 } })
    expect(await call('/basic/parkInfo/updateStatus', { id: park.id, version: 2, status: 1 })).toMatchObject({ code: 40010 })
    expect(await call('/basic/parkInfo/updateStatus', { id: park.id, version: 2, status: 2 })).toMatchObject({ data: { status: 2 } })
    const found = await call('/basic/parkInfo/queryPage', { name: '达广' })
    expect(found.data).toMatchObject({ total: 1, records: [{ parkCode: park.parkCode, presentCount: 0, remainingBays: 10 }] })
    expect(await call('/basic/parkInfo/delete', { id: park.id, version: 3 })).toMatchObject({ code: 200 })
    expect(await call('/basic/parkInfo/queryDetail', { parkCode: park.parkCode })).toMatchObject({ status: 404 })
    expect(await newPark({ parkCode: park.parkCode })).toMatchObject({ status: 409 })
  })
  test('the same code twice, a code that is none and unknown fields are refused', async () => {
    const parkCode = code()
    expect((await newPark({ parkCode })).code).toBe(200)
    expect(await newPark({ parkCode })).toMatchObject({ status: 409 })
    expect(await newPark({ parkCode: 'lower case' })).toMatchObject({ status: 400 })
    expect(await newPark({ status: 2 })).toMatchObject({ status: 400 })
    expect(await newPark({ totalBays: -1 })).toMatchObject({ status: 400 })
  })
  test('bays that do not add up are refused with their sum, added or changed; an older record may still change its name', async () => {
    expect(await newPark({ tempBays: 7, passBays: 2 })).toMatchObject({
      ...{ status: 422, code: 40887, message: '临停 7 + 月租 2 = 9，比总车位 10 少 1；请改正后再保存', data: { passBays: 2 } },
    })
    expect(await newPark({ chargeBays: 11 })).toMatchObject({ code: 40887, data: { chargeBays: 11 } })
    const { data: park } = await newPark({ tempBays: 8, passBays: 2, chargeBays: 10, disabledBays: 1 })
    const change = (of: object) => call('/basic/parkInfo/update', { id: park.id, version: park.version, ...of })
    expect(await change({ totalBays: 12 })).toMatchObject({ code: 40887, message: expect.stringContaining('少 2') })
    expect(await change({ totalBays: 12, passBays: 4 })).toMatchObject({ data: { totalBays: 12, passBays: 4 } })
    const field = await ground.field({ totalBays: 5, tempBays: 3 })
    const old = (await call('/basic/parkInfo/queryDetail', { parkCode: field.parkCode })).data
    expect(await call('/basic/parkInfo/update', { id: old.id, version: old.version, name: '老场', tempBays: 3 })).toMatchObject({
      data: { name: '老场' },
    })
  })
  test('cars, debts and devices keep a park from being deleted', async () => {
    const field = await ground.field()
    const { data: park } = await call('/basic/parkInfo/queryDetail', { parkCode: field.parkCode })
    expect(await call('/basic/parkInfo/delete', { id: park.id, version: park.version })).toMatchObject({
      code: 40011,
      message: '不能删除：有绑定的设备',
    })
    await field.enters('鄂F51001', 0)
    expect(await call('/basic/parkInfo/delete', { id: park.id, version: park.version })).toMatchObject({
      code: 40011,
      message: '不能删除：有在场车辆',
    })
  })
  test('disabled, it lets nobody in and everybody out', async () => {
    const field = await ground.field()
    await field.enters('鄂F51011', 0)
    const { data: park } = await call('/basic/parkInfo/queryDetail', { parkCode: field.parkCode })
    await call('/basic/parkInfo/updateStatus', { id: park.id, version: park.version, status: 2, reason: '施工' })
    await field.enters('粤B99999', 10)
    expect(await field.stays('粤B99999')).toEqual([])
    expect(await field.lane(field.inGate)).toMatchObject({ state: 5 })
    await field.exits('鄂F51011', 12)
    expect(await field.stay('鄂F51011')).toMatchObject({ status: 2, payState: 3 })
  })
  test('free bays are corrected with a reason, and never shown below none or above all', async () => {
    const field = await ground.field({ totalBays: 5 })
    for (const plate of ['鄂F51021', '粤B51022']) await field.enters(plate, 0)
    const now = async () => (await call('/basic/parkInfo/queryDetail', { parkCode: field.parkCode })).data
    expect(await now()).toMatchObject({ presentCount: 2, remainingBays: 3 })
    const edit = (of: object) => get('/device/device/editRemainder', { parkCode: field.parkCode, ...of })
    expect(await edit({ remainder: 1 })).toMatchObject({ status: 400 })
    expect(await edit({ remainder: 0, reason: '两车位施工' })).toMatchObject({ data: { presentCount: 2, remainingBays: 0 } })
    await field.enters('苏E51023', 1)
    expect(await field.stays('苏E51023')).toEqual([])
    expect(await edit({ remainder: 3, reason: '恢复' })).toMatchObject({ data: { remainingBays: 3 } })
  })
  test('pickers need no permission of their own and show the parks of the scope only', async () => {
    await ground.field()
    await ground.field().then((field) => field.write((tx) => aPark(tx, { parkCode: 'P001' })))
    const codesOf = async (token: string) => (await call('/basic/parkInfo/queryList', {}, token)).data.map(({ parkCode }: any) => parkCode)
    expect(await codesOf(ground.operator)).toEqual(['P001'])
    expect(await codesOf(ground.other)).toEqual([])
    expect((await codesOf(ground.admin)).length).toBeGreaterThan(2)
    expect(await call('/basic/parkInfo/queryList', {}, null as never)).toMatchObject({ status: 401 })
  })
  test('a park lies in a region that is there, and is found by the county, the city and the province around it', async () => {
    const { data: park } = await newPark({ regionCode: '420624' })
    for (const regionCode of ['420624', '420600', '420000', '4206'])
      expect((await call('/basic/parkInfo/queryPage', { regionCode, parkCode: park.parkCode })).data.total).toBe(1)
    for (const regionCode of ['420607', '420100'])
      expect((await call('/basic/parkInfo/queryPage', { regionCode, parkCode: park.parkCode })).data.total).toBe(0)
    expect(await newPark({ regionCode: '429999' })).toMatchObject({ status: 422, message: '没有区划 429999，请重新选择' })
    expect(await call('/basic/parkInfo/update', { id: park.id, version: 1, regionCode: '429999' })).toMatchObject({ status: 422 })
    expect(await call('/basic/parkInfo/update', { id: park.id, version: 1, regionCode: '420625' })).toMatchObject({ code: 200 })
  })
  test('the map and the devices tell the same numbers as the list', async () => {
    const field = await ground.field({ totalBays: 9, lng: 112.1, lat: 32.1 })
    await field.enters('鄂F51031', 0)
    await field.exits('鄂F51031', 90)
    const { parkCode } = field
    expect((await get('/business/park/screen', { parkCode })).data).toMatchObject([{ parkCode, presentCount: 1, remainingBays: 8, lng: 112.1 }])
    expect((await get('/business/park/screen', { regionCode: '420600' })).data.map((one: any) => one.parkCode)).toContain(parkCode)
    expect((await get('/business/park/screen/detail', { parkCode })).data).toMatchObject({ presentCount: 1 })
    expect((await get('/device/device/parkInfo', { parkCode })).data).toMatchObject([
      { parkCode, presentCount: 1, devices: [{ sn: field.inSn }, { sn: field.outSn }] },
    ])
    expect((await get('/business/park/getChargeRecord', { parkCode })).data).toMatchObject({
      total: 1,
      records: [{ plateNo: '鄂F51031', receivableFen: 1000 }],
    })
    expect((await get('/business/park/selectOrder', { parkCode, plateNo: '鄂f51031' })).data).toMatchObject({ total: 1 })
  })
})

describe('gates', () => {
  test('two who give one device to two new gates at once: one has it, the other hears which gate that is', async () => {
    for (let round = 0; round < 5; round++) {
      const { parkCode } = await ground.field()
      const add = (code: string) =>
        call('/basic/parkGate/add', {
          parkCode,
          gateCode: `${parkCode}-${code}`,
          name: code,
          direction: Direction.both,
          cameraId: `SPARE-${parkCode}`,
        })
      const codes = (await Promise.all(['G8', 'G9'].map(add))).map(({ code }) => code)
      expect(codes.sort()).toEqual([200, 40888])
    }
  })
  test('the devices of a park are offered with the gate that has them; one that another gate has is refused', async () => {
    const field = await ground.field()
    const { parkCode, inGate, inSn, outSn } = field
    expect((await get('/basic/parkGate/devices', { parkCode })).data).toMatchObject([
      { deviceNo: inSn, type: 1, online: false, usedBy: inGate },
      { deviceNo: outSn, usedBy: field.outGate },
    ])
    const add = (of: object) => call('/basic/parkGate/add', { parkCode, gateCode: `${parkCode}-G9`, name: '侧门', direction: Direction.both, ...of })
    expect(await add({ cameraId: inSn })).toMatchObject({
      status: 409,
      code: 40888,
      message: expect.stringContaining(inSn),
      data: { cameraId: inSn },
    })
    const { data: side } = await add({})
    const change = (of: object) => call('/basic/parkGate/update', { id: side.id, version: side.version, ...of })
    expect(await change({ barrierId: outSn })).toMatchObject({ code: 40888, data: { barrierId: outSn } })
    const exit = (await call('/basic/parkGate/queryPage', { gateCode: field.outGate })).data.records[0]
    const kept = await call('/basic/parkGate/update', {
      id: exit.id,
      version: exit.version,
      name: '西出口',
      barrierId: outSn,
      cameraId: null,
      ledId: null,
    })
    expect(kept).toMatchObject({ data: { name: '西出口', cameraId: null } })
    await call('/basic/parkGate/update', { id: exit.id, version: kept.data.version, barrierId: null })
    expect(await change({ barrierId: outSn })).toMatchObject({ data: { barrierId: outSn } })
    expect((await get('/basic/parkGate/devices', { parkCode })).data[1]).toMatchObject({ deviceNo: outSn, usedBy: side.gateCode })
    expect((await get('/basic/parkGate/devices', { parkCode }, ground.other)).data).toEqual([])
  })
  test('listed with what their devices say; disabled they let nobody in', async () => {
    const field = await ground.field()
    const { data } = await call('/basic/parkGate/queryPage', { parkCode: field.parkCode })
    expect(data.records).toMatchObject([{ gateCode: field.inGate, online: false, gateState: null }, { gateCode: field.outGate }])
    const [entrance] = data.records
    expect(
      await call('/basic/parkGate/updateStatus', { id: entrance.id, version: entrance.version, status: UseStatus.disabled, reason: '检修' }),
    ).toMatchObject({
      data: { status: UseStatus.disabled },
    })
    await field.enters('鄂F52001', 0)
    expect(await field.stays('鄂F52001')).toEqual([])
  })
  test('added with a park that is there, changed, deleted when nobody stands there', async () => {
    const field = await ground.field()
    const gate = { parkCode: field.parkCode, gateCode: `${field.parkCode}-G09`, name: '东门', direction: Direction.both }
    const { data } = await call('/basic/parkGate/add', gate)
    expect(data).toMatchObject({ ...gate, lane: 1, status: UseStatus.inUse })
    expect(await call('/basic/parkGate/add', gate)).toMatchObject({ status: 409 })
    expect(await call('/basic/parkGate/add', { ...gate, gateCode: 'X', parkCode: 'NOWHERE' })).toMatchObject({ status: 409 })
    expect(await call('/basic/parkGate/update', { id: data.id, version: 1, name: '东一门' })).toMatchObject({ data: { name: '东一门', version: 2 } })
    expect(await call('/basic/parkGate/update', { id: data.id, version: 1, name: '东二门' })).toMatchObject({
      status: 409,
      data: { version: 2, sent: 1 },
    })
    expect(await call('/basic/parkGate/delete', { id: data.id, version: 1 })).toMatchObject({ status: 409, data: { version: 2, sent: 1 } })
    expect(await call('/basic/parkGate/delete', { id: data.id, version: 2 })).toMatchObject({ code: 200 })
    expect(await call('/basic/parkGate/update', { id: data.id, version: 3, name: '东三门' })).toMatchObject({ status: 404 })
    expect((await call('/basic/parkGate/queryPage', { parkCode: field.parkCode })).data.total).toBe(2)
    expect((await get('/device/laneBoard/state', { parkCode: field.parkCode })).data.lanes).toHaveLength(2)
  })
  test('texts for the sign and pickers by park', async () => {
    const field = await ground.field()
    expect(
      await call('/device/gateOperation/textToLed', { gateCode: field.inGate, lines: ['车位已满', '请绕行'], seconds: 60, color: SignColor.red }),
    ).toMatchObject({
      code: 200,
    })
    expect(await field.told(field.inSn)).toMatchObject([
      { method: 'display.show', params: { lines: ['车位已满', '请绕行'], seconds: 60, color: SignColor.red } },
    ])
    expect(await call('/device/gateOperation/textToLed', { gateCode: field.inGate, lines: ['一', '二', '三', '四', '五'] })).toMatchObject({
      status: 400,
    })
    expect((await get('/device/parkSeat/findParkGateList', { parkCode: field.parkCode })).data.map((one: any) => one.gateCode)).toEqual([
      field.inGate,
      field.outGate,
    ])
    expect((await get('/device/parkSeat/selectRegionAndGateList', { parkCode: field.parkCode })).data).toEqual([])
  })
  test('a gate with texts of its own shows them, with the plate and the amount in their places', async () => {
    const field = await ground.field()
    const rowOf = async (gateCode: string) => (await get('/device/gateOperation/getGateDetail', { gateCode })).data
    const save = async (gateCode: string, program: object) => {
      const { id, version } = await rowOf(gateCode)
      return call('/basic/led/programSave', { id, version, color: SignColor.green, seconds: 30, ...program })
    }
    expect(await save(field.inGate, { event: SignEvent.entered, lines: ['欢迎 {车牌}', '{车场}'] })).toMatchObject({ code: 200 })
    expect(await save(field.inGate, { event: SignEvent.idle, lines: ['余位充足', '推广 {广告}'] })).toMatchObject({ code: 200 })
    expect(await save(field.outGate, { event: SignEvent.toPay, lines: ['{金额}元 {错字}'] })).toMatchObject({ code: 200 })
    expect(await save(field.outGate, { event: SignEvent.toPay, lines: ['请付 {金额} 元'] })).toMatchObject({ code: 200 })
    expect((await rowOf(field.outGate)).programs).toEqual([
      { event: SignEvent.toPay, lines: ['请付 {金额} 元'], color: SignColor.green, seconds: 30 },
    ])
    const first = await rowOf(field.inGate)
    expect(
      await call('/basic/led/programSave', { id: first.id, version: 1, event: SignEvent.paid, lines: ['慢行'], color: SignColor.red, seconds: 5 }),
    ).toMatchObject({ status: 409 })

    await field.enters('鄂F53009', 0)
    const shown = async (sn: string) => (await field.told(sn)).filter(({ method }) => method === 'display.show').map(({ params }) => params)
    const { name } = (await call('/basic/parkInfo/queryDetail', { parkCode: field.parkCode })).data
    expect(await shown(field.inSn)).toEqual([{ lines: ['欢迎 鄂F53009', [...name].slice(0, 16).join('')], seconds: 30, color: SignColor.green }])
    await field.passes(1, { sn: field.inSn })
    expect((await shown(field.inSn)).at(-1), 'nothing is advertised').toMatchObject({ lines: ['余位充足'] })
    await field.write((tx) => run(tx, { sql: ADVERTISED }, []))
    await field.enters('鄂F53010', 2)
    await field.passes(3, { sn: field.inSn })
    expect((await shown(field.inSn)).at(-1)).toMatchObject({ lines: ['余位充足', '推广 洗车八折'] })
    await field.exits('鄂F53009', 90)
    expect(await shown(field.outSn)).toMatchObject([{ lines: ['请付 10 元'] }])

    const { id, version } = await rowOf(field.outGate)
    expect(await call('/basic/led/programDelete', { id, version, event: SignEvent.toPay })).toMatchObject({ data: { programs: [] } })
  })
})

const ADVERTISED = `insert into merchant.advertisement (name, slot, media, start_at, end_at, state, author_id, author_name)
  values ('洗车八折', 3, 'a.png', now() - interval '1 hour', now() + interval '1 hour', 2, uuidv7(), '测试')`

describe('the lane board', () => {
  test('shows lanes, what stands there, and what was decided lately', async () => {
    const field = await ground.field()
    await field.enters('鄂F53001', 0)
    await field.exits('鄂F53001', 90)
    await field.write((tx) => presses(tx, { sn: field.inSn, at: field.at(91) }))
    const { data } = await get('/device/laneBoard/state', { parkCode: field.parkCode })
    expect(data).toMatchObject({ parkCode: field.parkCode, presentCount: 1, totalBays: 100 })
    expect(data.lanes).toMatchObject([
      { gateCode: field.inGate, direction: Direction.entrance, state: 6, plateNo: '鄂F53001' },
      {
        gateCode: field.outGate,
        direction: Direction.exit,
        state: 3,
        plateNo: '鄂F53001',
        dueFen: 1000,
        entryTime: field.at(0),
        carKind: 9,
        command: null,
      },
    ])
    expect(data.recent.map(({ outcome }: any) => outcome)).toEqual([5, 1])
    expect(await get('/device/laneBoard/state', { parkCode: field.parkCode }, ground.operator)).toMatchObject({ status: 404 })
  })
  test('a car that was decided about again stands once among the passages, by its newest decision, and follows what became of its stay', async () => {
    const field = await ground.field({ noEntry: 1, noEntryFeeFen: 700 as never })
    const recent = async () =>
      (await get('/device/laneBoard/state', { parkCode: field.parkCode })).data.recent.map(
        ({ plateNo, gateCode, outcome, status, payState }: any) => [plateNo, gateCode === field.outGate ? 'out' : 'in', outcome, status, payState],
      )
    await field.enters('鄂F53002', 0)
    await field.exits('鄂A99882', 90)
    const { id, version } = await field.stay('鄂A99882')
    expect((await call('/fee/parkRecord/correctPlate', { id, version, plateNo: '鄂F53002', reason: '看错了' })).code).toBe(200)
    await field.exits('鄂A99882', 92)
    expect(await recent()).toEqual([
      ['鄂F53002', 'out', 5, 2, 1],
      ['鄂F53002', 'in', 1, 2, 1],
    ])
    await field.pays(await field.stay('鄂F53002'), 93)
    await field.passes(94)
    expect(await recent()).toEqual([
      ['鄂F53002', 'out', 5, 3, 2],
      ['鄂F53002', 'in', 1, 3, 2],
    ])
    // A record that is over is corrected by another: its passages go on as that one. Another visit is another passage.
    const left = await field.stay('鄂F53002')
    expect((await call('/fee/parkRecord/correctTimes', { id: left.id, version: left.version, entryTime: field.at(1), reason: '对时' })).code).toBe(
      200,
    )
    await field.enters('鄂F53002', 105)
    expect((await recent()).toSorted()).toEqual([
      ['鄂F53002', 'in', 1, 1, 0],
      ['鄂F53002', 'in', 1, 3, 2],
      ['鄂F53002', 'out', 5, 3, 2],
    ])
  })
  test('each passage stays a row when the same plate comes again a minute later, and a misread plate that was matched shows as the car that it is', async () => {
    const field = await ground.field({ fuzzyAuto: false })
    const recent = async () =>
      (await get('/device/laneBoard/state', { parkCode: field.parkCode })).data.recent.map(({ plateNo, at, outcome }: any) => [plateNo, at, outcome])
    await field.enters('鄂F53012', 0)
    await field.passes(0.2, { sn: field.inSn })
    await field.enters('鄂F53012', 1.1)
    expect(await recent()).toEqual([
      ['鄂F53012', field.at(1.1), 1],
      ['鄂F53012', field.at(0), 1],
    ])
    await field.exits('鄂F53O12', 30)
    const { decisionId, candidates } = await field.lane(field.outGate)
    const match = { gateCode: field.outGate, decisionId, answer: 3, stayId: candidates[0]!.stayId }
    expect(await call('/device/laneBoard/answer', match)).toMatchObject({ code: 200 })
    expect((await recent())[0]).toEqual(['鄂F53012', field.at(30), 5])
  })
  test('a car without a plate is let in by a person, under a name of its own, or refused', async () => {
    const field = await ground.field()
    const answer = async (of: object) =>
      call('/device/laneBoard/answer', { gateCode: field.inGate, decisionId: (await field.lane(field.inGate)).decisionId, ...of })
    await field.enters('无牌车', 0)
    expect(await answer({ answer: 2 })).toMatchObject({ code: 200 })
    expect(await field.lane(field.inGate)).toMatchObject({ state: 1 })
    await field.enters('无牌车', 5)
    expect((await field.told(field.inSn)).at(-1)!.params.lines![0]).toBe('无牌车')
    expect(await answer({ answer: 1 })).toMatchObject({ code: 200 })
    const [inside] = await field.write((tx) => tx.selectFrom('parking.stay').selectAll().where('parkCode', '=', field.parkCode).execute())
    expect(inside).toMatchObject({ status: 1, carKindIn: 6, entryMode: 3 })
    await field.exits('', 100)
    const lane = await field.lane(field.outGate)
    expect(lane).toMatchObject({ state: 2, candidates: [{ plateNo: inside!.plateNo }] })
    await call('/device/laneBoard/answer', { gateCode: field.outGate, decisionId: lane.decisionId, answer: 3, stayId: inside!.id })
    expect(await field.stay(inside!.plateNo!)).toMatchObject({ status: 2, payableFen: 1000, carKindOut: 6 })
  })
})

describe('a locked gate', () => {
  test('nothing opens it until it is unlocked: no entry, no payment, no person; then whoever waits is let through', async () => {
    const field = await ground.field()
    const move = (action: number, gateCode = field.outGate) =>
      ground.ask(ground.admin, '/device/gateOperation/openGateToPark', { gateCode, action, reason: 2 })
    const opened = async (sn: string) => (await field.told(sn)).filter(({ method }) => method === 'gate.open')
    await field.enters('鄂F12345', 0)
    await field.passes(0, { sn: field.inSn })
    await field.exits('鄂F12345', 60)
    expect((await move(4)).status).toBe(200)
    expect((await field.told(field.outSn)).map(({ method }) => method)).toContain('gate.close')
    expect((await move(4)).status).toBe(409)
    await field.pays(await field.stay('鄂F12345'), 61)
    expect(await opened(field.outSn)).toEqual([])
    expect(await move(1)).toMatchObject({ status: 409, code: 40892 })
    const { data: board } = await get('/device/laneBoard/state', { parkCode: field.parkCode })
    expect(board.lanes).toMatchObject([
      { gateCode: field.inGate, lockedBy: null },
      { gateCode: field.outGate, lockedBy: expect.any(String) },
    ])
    expect((await move(4, field.inGate)).status).toBe(200)
    await field.enters('鄂A99887', 62)
    expect(await field.lane(field.inGate)).toMatchObject({ outcome: 2, checks: [{ hit: true, zh: '通道已锁闸' }] })
    expect((await move(5)).status).toBe(200)
    expect(await opened(field.outSn)).toHaveLength(1)
  })
  test('an emergency opens it all the same', async () => {
    const field = await ground.field()
    await ground.ask(ground.admin, '/device/gateOperation/openGateToPark', { gateCode: field.outGate, action: 4, reason: 2 })
    await field.told(field.outSn)
    await ground.ask(ground.admin, '/basic/parkInfo/openAll', { parkCode: field.parkCode, open: true, reason: '火警' })
    expect((await field.told(field.outSn)).map(({ method }) => method)).toContain('gate.keepOpen')
    const unlock = { gateCode: field.outGate, action: 5, reason: 2 }
    expect(await ground.ask(ground.admin, '/device/gateOperation/openGateToPark', unlock)).toMatchObject({ status: 409, data: { lockedBy: null } })
  })
})

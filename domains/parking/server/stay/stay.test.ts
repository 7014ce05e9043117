import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Fen } from '../../../../platform/contract/field.ts'
import { run } from '../../../../platform/server/database.ts'
import { Stale } from '../../../../platform/server/refusal.ts'
import type { Tariff } from '../../../fee/contract/tariff.ts'
import { applyRefund, approveRefund, begin, finishRefund, noticePayment } from '../../../settlement/server/api.ts'
import { aRule, aStay, barrier, FIVE_AN_HOUR, reads } from '../factories.ts'
import { FeeChoice, OpenReason } from '../../contract/gate.ts'
import { HeldState } from '../../contract/heldBill.ts'
import { NoEntry, RuleBind } from '../../contract/park.ts'
import { PayState, StoryEventKind } from '../../contract/stay.ts'
import { driverBill } from '../code/driver.ts'
import { admission } from '../questions.ts'
import { moveStay } from './stayMoves.ts'
import { aGround, type Field, type Ground, tenMinutesLater, WAITS_FOR_US } from '../testing.ts'
import { Said } from '../../../settlement/contract/said.ts'

let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.server.close())

const list = (of: object, token = ground.admin, path = 'queryPage') => ground.ask(token, `/fee/parkRecord/${path}`, of, 'GET')
const record = (path: string, body: object, token = ground.admin) => ground.ask(token, `/fee/parkRecord/${path}`, body)
const reason = '监控核实'

describe('lists of stays', () => {
  test('a plate is found however it is typed, and by its beginning', async () => {
    const field = await ground.field()
    await field.enters('鄂F41234', 0)
    for (const plateNo of ['鄂f·41234', '鄂Ｆ４１２３４', ' 鄂F-41234 '])
      expect((await list({ plateNo })).data).toMatchObject({ total: 1, records: [{ plateNo: '鄂F41234', status: 1 }] })
  })
  test('any run of its characters finds a plate, the last ones first of all; a whole plate is that car alone', async () => {
    const field = await ground.field()
    for (const plateNo of ['鄂F41765', '鄂AD4176', '鄂AD41765']) await field.write((tx) => aStay(tx, { parkCode: field.parkCode, plateNo }))
    const found = async (plateNo: string) =>
      (await list({ plateNo, parkCode: field.parkCode })).data.records.map((one: any) => one.plateNo).toSorted() as string[]
    for (const run of ['41765', 'f·4176', '鄂F4', 'F·41765']) expect(await found(run), run).toContain('鄂F41765')
    expect(await found('1765')).toEqual(['鄂AD41765', '鄂F41765'])
    expect(await found('D4176')).toEqual(['鄂AD4176', '鄂AD41765'])
    expect(await found('鄂AD4176')).toEqual(['鄂AD4176'])
    expect(await found('4299')).toEqual([])
    expect(await found(' · ')).toHaveLength(3)
    await field.write(async (tx) => run(tx, { sql: "update parking.stay set plate_no = '鄂F41299' where plate_no = '鄂F41765'" }, []))
    expect(await found('1299')).toEqual(['鄂F41299'])
    expect(await found('F41765')).toEqual([])
  })
  test('of a run that more plates have than are looked up each, the list shows those that have it', async () => {
    const field = await ground.field()
    await field.write(async (tx) => {
      await aStay(tx, { parkCode: field.parkCode, plateNo: '鄂F77701' })
      await aStay(tx, { parkCode: field.parkCode, plateNo: '鄂F88801' })
    })
    const owner = new pg.Client(ground.server.ownerUrl)
    await owner.connect()
    const many = `select enterprise_id, '777' || n, '鄂F777' || n from parking.park, generate_series(1, 1001) n where park_code = $1`
    await owner.query(`insert into platform.plate_ending ${many}`, [field.parkCode])
    await owner.end()
    const { data } = await list({ plateNo: '777', parkCode: field.parkCode })
    expect(data).toMatchObject({ total: 1, records: [{ plateNo: '鄂F77701' }] })
  })
  test('a stay without an entry stands in the list where its exit was, and is found by that time', async () => {
    const field = await ground.field({ noEntry: 2 })
    await field.enters('鄂F42001', 0)
    await field.exits('粤B88666', 30)
    await field.enters('鄂F42003', 60)
    const { data } = await list({ parkCode: field.parkCode })
    expect(data.records.map(({ plateNo }: any) => plateNo)).toEqual(['鄂F42003', '粤B88666', '鄂F42001'])
    const between = await list({ parkCode: field.parkCode, entryTimeFrom: field.at(20), entryTimeTo: field.at(40), orderByColumn: 'entryTime' })
    expect(between.data.records).toMatchObject([{ plateNo: '粤B88666', entryTime: null, abnormalType: 2 }])
  })
  test('present, abnormal and third-party records are told apart, and sums are over the whole filter', async () => {
    const field = await ground.field()
    await field.write((tx) => aStay(tx, { parkCode: field.parkCode, plateNo: '鄂F43001' }))
    await field.write((tx) =>
      aStay(tx, {
        parkCode: field.parkCode,
        plateNo: '鄂F43002',
        status: 3,
        exitTime: field.at(90),
        receivableFen: 700 as never,
        payableFen: 700 as never,
        paidFen: 700 as never,
      }),
    )
    await field.write((tx) => aStay(tx, { parkCode: field.parkCode, plateNo: '鄂F43003', status: 4, abnormalType: 9 }))
    await field.write((tx) => aStay(tx, { parkCode: field.parkCode, plateNo: '鄂F43004', thirdPlatform: '捷停' }))
    const plates = async (path: string) =>
      (await list({ parkCode: field.parkCode }, ground.admin, path)).data.records.map(({ plateNo }: any) => plateNo).sort()
    expect(await plates('queryPage')).toEqual(['鄂F43001', '鄂F43002', '鄂F43003'])
    expect(await plates('queryPresentPage')).toEqual(['鄂F43001'])
    expect(await plates('queryAbnormalPage')).toEqual(['鄂F43003'])
    expect(await plates('queryThirdPage')).toEqual(['鄂F43004'])
    expect((await list({ parkCode: field.parkCode, queryMode: 'sum' })).data.sums).toMatchObject({ receivableFen: 700, paidFen: 700 })
  })
  test('who may not see a park sees none of its stays, by list, id or story', async () => {
    const field = await ground.field()
    const { id } = await field.write((tx) => aStay(tx, { parkCode: field.parkCode, plateNo: '鄂F44001' }))
    for (const token of [ground.operator, ground.other]) {
      expect((await list({ plateNo: '鄂F44001' }, token)).data?.total ?? 0).toBe(0)
      expect((await list({ id }, token, 'queryDetail')).status).toBe(404)
      expect((await list({ id }, token, 'story')).status).toBe(404)
    }
    expect((await list({}, null as never)).status).toBe(401)
  })
  test.each([[{ status: 7 }], [{ orderByColumn: 'plateNo' }], [{ limit: 100_000 }], [{ entryTimeFrom: 'yesterday' }], [{ nonsense: 1 }]])(
    '%j is a 400',
    async (of) => {
      expect((await list(of)).status).toBe(400)
    },
  )
})

describe('the story of a stay', () => {
  test('tells what was seen, decided, charged, paid and changed, in order', async () => {
    const field = await ground.field()
    await field.enters('鄂F45001', 0, { image: '/files/in.jpg' })
    await field.exits('鄂F45001', 90, { image: '/files/out.jpg' })
    await field.pays(await field.stay('鄂F45001'), 91)
    await field.passes(92)
    const { id } = await field.stay('鄂F45001')
    const { data } = await list({ id }, ground.admin, 'story')
    expect(data).toMatchObject({
      stay: { id, status: 3 },
      parkName: `车场 ${field.parkCode}`,
      entryGateName: `${field.inGate} 通道`,
      correctedTo: null,
    })
    expect(data.events.map(({ kind }: any) => kind)).toEqual(expect.arrayContaining([1, 2, 3, 4, 5, 6, 7]))
    expect(data.events.at(-1)).toMatchObject({ kind: 7 })
    const said = (of: number) => data.events.filter(({ kind }: any) => kind === of).map(({ zh, en }: any) => [zh, en])
    expect(said(2)).toEqual([['自动识别', 'Read by camera']])
    expect(said(5)).toEqual([['¥10.00', '¥10.00']])
    expect(data.quote).toMatchObject({ totalFen: 1000, lines: [{ amountFen: 1000, units: 2 }] })
    expect(data.orders).toMatchObject([{ status: 2, payableFen: 1000, paidFen: 1000 }])
    expect(data.decisions.map(({ outcome }: any) => outcome)).toEqual([1, 5])
    expect(data.history.length).toBeGreaterThan(3)
  })
  test('what a person decides at the exit stands at their time, as theirs, after what the camera read', async () => {
    const field = await ground.field()
    await field.enters('鄂F45003', 0)
    await field.exits('鄂F45003', 90, { image: '/files/out.jpg' })
    await ground.ask(ground.admin, '/device/gateOperation/openGateToPark', {
      gateCode: field.outGate,
      reason: OpenReason.fault,
      fee: FeeChoice.arrears,
    })
    const { id } = await field.stay('鄂F45003')
    const { data } = await list({ id }, ground.admin, 'story')
    const read = data.events.filter(({ kind }: any) => kind === StoryEventKind.readExit)
    expect(read).toMatchObject([{ by: null, image: '/files/out.jpg' }])
    const [decided] = data.events.filter(({ kind, zh }: any) => kind === StoryEventKind.byPerson && zh.includes('放行（'))
    expect(decided).toMatchObject({ by: expect.any(String), image: null })
    expect(Date.parse(decided.at)).toBeGreaterThan(Date.parse(read[0].at))
  })
  test('of a car that is inside it tells the fee of now', async () => {
    const field = await ground.field()
    await field.enters('鄂F45002', 970) // half an hour ago
    const { data } = await list({ id: (await field.stay('鄂F45002')).id }, ground.admin, 'story')
    expect(data.quote).toMatchObject({ totalFen: 500 })
    expect((await ground.ask(ground.admin, '/fee/carFee/query', { plateNo: '鄂F45002' }, 'GET')).data).toMatchObject({
      totalFen: 500,
      parkCode: field.parkCode,
    })
  })
})

describe('putting a record right', () => {
  test('another plate keeps the one read; the next exit finds it', async () => {
    const field = await ground.field()
    await field.enters('鄂F46001', 0)
    const { id, version } = await field.stay('鄂F46001')
    expect(await record('correctPlate', { id, version, plateNo: '鄂f·46002', reason })).toMatchObject({
      data: { plateNo: '鄂F46002', plateOriginal: '鄂F46001', abnormalType: 4, status: 1 },
    })
    expect(await record('correctPlate', { id, version, plateNo: '鄂F46003', reason })).toMatchObject({ status: 409 })
    await field.exits('鄂F46002', 90)
    expect(await field.stay('鄂F46002')).toMatchObject({ status: 2, payableFen: 1000 })
  })
  test('another class has another tariff, from the entry on and as often as it is put right; the same one keeps its version, though it was withdrawn since', async () => {
    const field = await ground.field()
    const fifty: Tariff = {
      ...FIVE_AN_HOUR,
      bands: [{ ...FIVE_AN_HOUR.bands![0]!, price: { by: 'unit', unitMin: 60, priceE4: 500_000, edge: 'carry' } }],
    }
    delete fifty.cycle
    const large = await field.write((tx) => aRule(tx, { parkCode: field.parkCode, tariff: fifty, vehicleClasses: [2, 3] }))
    await field.enters('鄂F46201', 0)
    const first = await field.stay('鄂F46201')
    const right = async (plate: string, plateNo: string, plateColor: number) => {
      const { id, version } = await field.stay(plate)
      return (await record('correctPlate', { id, version, plateNo, plateColor, reason })).data
    }
    expect(await right('鄂F46201', '鄂F46202', 1)).toMatchObject({ vehicleClass: 3, ruleVersionId: large.ruleVersionId })
    expect(await right('鄂F46202', '鄂F46203', 0)).toMatchObject({ vehicleClass: 1, ruleVersionId: first.ruleVersionId })
    await right('鄂F46203', '鄂F46202', 1)
    await field.exits('鄂F46202', 60, { color: 'yellow' })
    expect(await field.stay('鄂F46202')).toMatchObject({ status: 2, payableFen: 5000 })
    // At the exit too: its fee is asked anew.
    expect(await right('鄂F46202', '鄂F46204', 0)).toMatchObject({ status: 2, payableFen: 500 })
    await field.pays(await field.stay('鄂F46204'), 61)
    await field.passes(62)
    expect(await right('鄂F46204', '鄂F46205', 1)).toMatchObject({ status: 3, paidFen: 500, ruleVersionId: first.ruleVersionId })
    await field.enters('鄂F46206', 100, { color: 'yellow' })
    await field.write((tx) => run(tx, { sql: 'update fee.rule set status = 2 where id = $1' }, [large.ruleVersionId]))
    expect(await right('鄂F46206', '鄂F46207', 1)).toMatchObject({ ruleVersionId: large.ruleVersionId })
  })
  test('the tariff of a kind of pass is for its cars however they came in, and whenever the park binds its rules', async () => {
    const groups = new Set(['鄂F46301'])
    onTestFinished(admission.answer('stay.test', async (_tx, { plateNo }) => (groups.has(plateNo) ? { memberGroup: 'VIP' } : undefined)))
    const ofGroup = async (policies: object) => {
      const field = await ground.field(policies)
      const one: Tariff = {
        ...FIVE_AN_HOUR,
        bands: [{ ...FIVE_AN_HOUR.bands![0]!, price: { by: 'unit', unitMin: 60, priceE4: 10_000, edge: 'carry' } }],
      }
      await field.write((tx) => aRule(tx, { parkCode: field.parkCode, memberGroup: 'VIP', tariff: one }))
      return field
    }
    const atExit = await ofGroup({ ruleBind: RuleBind.exit })
    await atExit.enters('鄂F46301', 0)
    await atExit.exits('鄂F46301', 180)
    expect(await atExit.stay('鄂F46301')).toMatchObject({ payableFen: 300 })
    const byHand = await ofGroup({})
    expect(await record('supplement', { parkCode: byHand.parkCode, plateNo: '鄂F46301', entryTime: byHand.at(0), reason })).toMatchObject({
      code: 200,
    })
    await byHand.exits('鄂F46301', 180)
    expect(await byHand.stay('鄂F46301')).toMatchObject({ payableFen: 300 })
    const joined = await ofGroup({})
    await joined.exits('鄂F46301', 180, { received: joined.at(200), offline: true, seq: 1 })
    await joined.enters('鄂F46399', 201)
    await joined.enters('鄂F46301', 0, { received: joined.at(300), offline: true, seq: 1 })
    await joined.enters('鄂F46398', 301)
    expect(await joined.stay('鄂F46301')).toMatchObject({ status: 3, payableFen: 300, payState: PayState.owed })
    const misread = await ofGroup({})
    await misread.enters('鄂F46302', 0)
    const { id, version } = await misread.stay('鄂F46302')
    await record('correctPlate', { id, version, plateNo: '鄂F46301', reason })
    // Its entry's is kept: it belongs to the kind no more when it leaves.
    groups.clear()
    await misread.exits('鄂F46301', 180)
    expect(await misread.stay('鄂F46301')).toMatchObject({ payableFen: 300 })
  })
  test('no plate, or one that is inside already, is refused', async () => {
    const field = await ground.field()
    await field.enters('鄂F46011', 0)
    await field.enters('鄂F46012', 0)
    const { id, version } = await field.stay('鄂F46011')
    expect(await record('correctPlate', { id, version, plateNo: '鄂F4601', reason })).toMatchObject({ code: 40806, status: 422 })
    expect(await record('correctPlate', { id, version, plateNo: '鄂F46012', reason })).toMatchObject({ code: 40807, status: 409 })
    expect(await record('correctPlate', { id, version, plateNo: '鄂F00001临', special: true, reason })).toMatchObject({ code: 200 })
  })
  test('a record that is over never changes: it is voided and a new one takes its place, with its money', async () => {
    const field = await ground.field()
    await field.enters('鄂F46021', 0)
    await field.exits('鄂F46021', 90)
    await field.pays(await field.stay('鄂F46021'), 91)
    await field.passes(92)
    const old = await field.stay('鄂F46021')
    const { data: made } = await record('correctPlate', { id: old.id, version: old.version, plateNo: '鄂F46022', reason })
    expect(made).toMatchObject({ status: 3, plateNo: '鄂F46022', plateOriginal: '鄂F46021', paidFen: 1000, exitTime: field.at(90) })
    expect(await field.stay('鄂F46021')).toMatchObject({ id: old.id, status: 9, plateNo: '鄂F46021' })
    const { data: story } = await list({ id: made.id }, ground.admin, 'story')
    expect(story).toMatchObject({ correctedFrom: old.id, orders: [{ paidFen: 1000 }] })
    expect((await list({ id: old.id }, ground.admin, 'story')).data).toMatchObject({
      correctedTo: made.id,
      history: expect.arrayContaining([expect.objectContaining({ reason })]),
    })
  })
  test('times: a car enters before it leaves and not in the future', async () => {
    const field = await ground.field()
    await field.enters('鄂F46031', 60)
    const { id, version } = await field.stay('鄂F46031')
    expect(await record('correctTimes', { id, version, entryTime: field.at(5000), reason })).toMatchObject({ code: 40808 })
    expect(await record('correctTimes', { id, version, entryTime: field.at(30), reason })).toMatchObject({ data: { entryTime: field.at(30) } })
    await field.exits('鄂F46031', 95)
    expect(await field.stay('鄂F46031')).toMatchObject({ durationMin: 65, payableFen: 1000 })
  })
  test.each([
    [1, { status: 3, exitMode: 4 }],
    [2, { status: 1, exitTime: null }],
    [3, { status: 9 }],
  ])('an abnormal stay is handled: %i', async (handling, after) => {
    const field = await ground.field()
    const { id, version } = await field.write((tx) =>
      aStay(tx, { parkCode: field.parkCode, plateNo: `鄂F4604${handling}`, status: 4, abnormalType: 1, entryTime: field.at(0) }),
    )
    expect(await record('handle', { id, version, handling, reason, ...(handling === 1 && { exitTime: field.at(45) }) })).toMatchObject({
      data: after,
    })
    expect(await record('handle', { id, version: version + 1, handling, reason })).toMatchObject({ code: 40010, status: 409 })
  })
  test.each([
    [FeeChoice.free, { payState: 3, receivableFen: 1000, discountFen: 1000, payableFen: 0 }, 3],
    [FeeChoice.arrears, { payState: 4, payableFen: 1000 }, 4],
    [FeeChoice.cash, { payState: 2, paidFen: 1000 }, 2],
  ])('whoever confirms that a car has gone says what becomes of its fee: %i', async (fee, after, status) => {
    const field = await ground.field()
    const plateNo = `鄂F4606${fee}`
    const { id, version } = await field.write((tx) =>
      aStay(tx, { parkCode: field.parkCode, plateNo, status: 4, abnormalType: 3, entryTime: field.at(0) }),
    )
    const said = { id, version, handling: 1, reason, exitTime: field.at(90) }
    expect(await record('handle', said)).toMatchObject({ code: 40803, status: 422 })
    expect(await field.stay(plateNo)).toMatchObject({ status: 4, version })
    expect(await record('handle', { ...said, fee })).toMatchObject({ code: 200, data: { status: 3, ...after } })
    const stay = await field.stay(plateNo)
    expect(stay).toMatchObject({ status: 3, ...after })
    expect(await field.orders(stay)).toMatchObject([{ status }])
  })
  test('an emergency of now lets off nothing of what a car owed that left before it', async () => {
    const field = await ground.field()
    const { id, version } = await field.write((tx) =>
      aStay(tx, { parkCode: field.parkCode, plateNo: '鄂F46064', status: 4, abnormalType: 3, entryTime: field.at(0) }),
    )
    expect((await ground.ask(ground.admin, '/basic/parkInfo/openAll', { parkCode: field.parkCode, open: true, reason: '火警' })).code).toBe(200)
    const said = { id, version, handling: 1, reason, exitTime: field.at(90) }
    expect(await record('handle', said)).toMatchObject({ code: 40803, status: 422 })
    expect(await record('handle', { ...said, fee: FeeChoice.arrears })).toMatchObject({ code: 200, data: { payState: 4, payableFen: 1000 } })
  })
  test('a bill that waited and is good by now waits no more once its car has gone', async () => {
    const field = await ground.field({ billMaxFen: 500 as Fen })
    await field.enters('鄂F46065', 0)
    await field.exits('鄂F46065', 90)
    const { id } = await field.stay('鄂F46065')
    const held = () => field.write((tx) => run<{ state: number }>(tx, { sql: 'select state from parking.held_bill where stay_id = $1' }, [id]))
    expect(await held()).toEqual([{ state: HeldState.waiting }])
    await field.write((tx) => run(tx, { sql: 'update parking.stay set status = 4 where id = $1' }, [id]))
    await field.write((tx) => run(tx, { sql: 'update parking.park set bill_max_fen = 100000 where park_code = $1' }, [field.parkCode]))
    const { version } = await field.stay('鄂F46065')
    const said = { id, version, handling: 1, reason, exitTime: field.at(90), fee: FeeChoice.arrears }
    expect(await record('handle', said)).toMatchObject({ code: 200, data: { status: 3, payState: 4, payableFen: 1000 } })
    expect(await held()).toEqual([{ state: HeldState.letGo }])
  })
  test('a fee that nobody knows is let off in so many words, and one of nothing without any', async () => {
    const field = await ground.field()
    const abnormal = (plateNo: string) =>
      field.write((tx) => aStay(tx, { parkCode: field.parkCode, plateNo, status: 4, abnormalType: 3, entryTime: field.at(0) }))
    const short = await abnormal('鄂F46071')
    expect((await record('handle', { id: short.id, version: short.version, handling: 1, reason, exitTime: field.at(10) })).code).toBe(200)
    const unruled = await abnormal('鄂F46072')
    await field.write((tx) => run(tx, { sql: 'delete from fee.associate where park_code = $1' }, [field.parkCode]))
    const said = { id: unruled.id, version: unruled.version, handling: 1, reason, exitTime: field.at(90) }
    expect(await record('handle', said)).toMatchObject({ code: 40803 })
    expect(await record('handle', { ...said, fee: FeeChoice.arrears })).toMatchObject({ code: 40860 })
    expect((await record('handle', { ...said, fee: FeeChoice.free })).code).toBe(200)
  })
  test('a stay without an entry, or of a car that is inside again, is not restored', async () => {
    const field = await ground.field()
    const lost = await field.write((tx) =>
      aStay(tx, { parkCode: field.parkCode, plateNo: '鄂F46051', status: 4, abnormalType: 9, entryTime: null, exitTime: field.at(9) }),
    )
    expect(await record('handle', { id: lost.id, version: lost.version, handling: 2, reason })).toMatchObject({ code: 40809 })
    await field.enters('鄂F46052', 0)
    await field.enters('鄂F46052', 100)
    const [, old] = await field.stays('鄂F46052')
    expect(await record('handle', { id: old!.id, version: old!.version, handling: 2, reason })).toMatchObject({ code: 40807 })
  })
  test('a plate put right takes the order and what is owed with it, before the car has left and afterwards; what was paid keeps its name', async () => {
    const debts = (orderId: string) =>
      field.write((tx) => run(tx, { sql: 'select plate_no, plate_color, state from arrears.record where order_id = $1' }, [orderId]))
    const putRight = async (from: string, to: string) => {
      const { id, version } = await field.stay(from)
      expect((await record('correctPlate', { id, version, plateNo: to, reason })).code).toBe(200)
      return field.stay(to)
    }
    const field = await ground.field()
    await field.enters('鄂F46081', 0)
    await field.exits('鄂F46081', 90)
    const asked = await putRight('鄂F46081', '鄂F46082')
    expect(await field.orders(asked)).toMatchObject([{ plateNo: '鄂F46082', subject: Said.parking({ whose: '鄂F46082' }), payableFen: 1000 }])
    const open = { gateCode: field.outGate, action: 1, reason: OpenReason.other, fee: FeeChoice.arrears, remark: reason }
    expect((await ground.ask(ground.admin, '/device/gateOperation/openGateToPark', open)).code).toBe(200)
    await field.passes(91)
    expect(await debts(asked.orderId!)).toMatchObject([{ plateNo: '鄂F46082', state: 0 }])
    const gone = await putRight('鄂F46082', '鄂F46083')
    expect(gone).toMatchObject({ status: 3, payState: 4, orderId: asked.orderId })
    expect(await debts(asked.orderId!)).toEqual([{ plateNo: '鄂F46083', plateColor: 0, state: 0 }])

    await field.enters('鄂F46084', 100)
    await field.exits('鄂F46084', 190)
    const paid = await field.stay('鄂F46084')
    await field.pays(paid, 191)
    await putRight('鄂F46084', '鄂F46085')
    expect(await field.orders(paid)).toMatchObject([{ plateNo: '鄂F46084', status: 2 }])
  })
  test('a stay that stands at an exit and has no entry is void where it stands, with its order, and its lane is free for the next; one that came in is not, nor one that is over', async () => {
    const field = await ground.field({ noEntry: 1, noEntryFeeFen: 500 as Fen })
    await field.exits('鄂F46071', 30)
    const unseen = await field.stay('鄂F46071')
    expect(unseen).toMatchObject({ status: 2, entryTime: null, payState: 1 })
    const lanes = async () => (await ground.ask(ground.admin, '/device/laneBoard/state', { parkCode: field.parkCode }, 'GET')).data.lanes
    const atExit = async () => (await lanes()).find((one: any) => one.gateCode === field.outGate)
    expect(await atExit()).toMatchObject({ plateNo: '鄂F46071', dueFen: 500 })
    expect((await record('handle', { id: unseen.id, version: unseen.version, handling: 3, reason })).data).toMatchObject({ status: 9, payState: 0 })
    expect(await field.orders(unseen)).toMatchObject([{ status: 5 }])
    expect(await atExit()).toMatchObject({ plateNo: null, stayId: null, dueFen: 0 })
    await field.enters('鄂F46072', 40)
    for (const leaving of [false, true]) {
      if (leaving) await field.exits('鄂F46072', 100)
      const { id, version } = await field.stay('鄂F46072')
      expect(await record('handle', { id, version, handling: 3, reason }), String(leaving)).toMatchObject({ code: 40010 })
    }
    expect(await atExit()).toMatchObject({ plateNo: '鄂F46072' })
    await field.pays(await field.stay('鄂F46072'), 101)
    await field.passes(102)
    const { id, version } = await field.stay('鄂F46072')
    expect(await record('handle', { id, version, handling: 3, reason })).toMatchObject({ code: 40010 })
  })
  test('one that has paid, or before which the barrier is opening, is not void: it is let go', async () => {
    for (const policies of [{ noEntry: NoEntry.minimumFee, noEntryFeeFen: 500 as Fen }, { noEntry: NoEntry.free }]) {
      const field = await ground.field(policies)
      await field.exits('鄂F46081', 30)
      if (policies.noEntry === NoEntry.minimumFee) await field.pays(await field.stay('鄂F46081'), 31)
      const { openRef } = await field.lane(field.outGate)
      expect(openRef).not.toBeNull()
      const { id, version } = await field.stay('鄂F46081')
      expect(await record('handle', { id, version, handling: 3, reason })).toMatchObject({ code: 40864, status: 409 })
      expect(await field.lane(field.outGate)).toMatchObject({ openRef, stayId: id })
      await field.passes(32)
      expect(await field.stay('鄂F46081')).toMatchObject({ id, status: 3 })
    }
  })
  /** Somebody begins to pay by telephone; so much comes. */
  async function paysBy(field: Field, orderId: string, minutes: number) {
    const { attempt } = await field.write((tx) => begin(tx, orderId, 1, field.at(minutes)))
    const { payNo, channel } = attempt
    return (amountFen: number, minute: number) => {
      const at = field.at(minute)
      return field.write((tx) => noticePayment(tx, { payNo, channel, tradeNo: `T${payNo}`, amountFen, paidAt: at, at }))
    }
  }
  test('an abnormal record with money on it is not void before that has gone back, nor while somebody pays', async () => {
    const field = await ground.field({ noEntry: NoEntry.minimumFee, noEntryFeeFen: 500 as Fen })
    const voids = async (plate: string) => {
      const { id, version } = await field.stay(plate)
      return record('handle', { id, version, handling: 3, reason })
    }
    await field.exits('鄂F46091', 30)
    const paid = await field.stay('鄂F46091')
    const pays = await paysBy(field, paid.orderId!, 30)
    await pays(500, 31)
    await field.write((tx) => barrier(tx, { sn: field.outSn, at: field.at(31), state: 'closed' }))
    await tenMinutesLater(field, 42) // nobody saw it pass, or come in: a person must look
    expect(await field.stay('鄂F46091')).toMatchObject({ status: 4, paidFen: 500 })
    expect(await voids('鄂F46091')).toMatchObject({ code: 40865, status: 409, message: expect.stringContaining('已收 5 元未退') })
    const [apply, approve] = ['someone', 'another'].map((userName) => ({ userId: randomUUID(), userName }))
    const made = await field.write((tx) => applyRefund(tx, { orderId: paid.orderId!, amountFen: 500, reason, actor: apply!, at: field.at(43) }))
    expect(await voids('鄂F46091')).toMatchObject({ code: 40865 })
    await field.write((tx) => approveRefund(tx, { id: made.id, version: made.version }, approve!, field.at(44)))
    await field.write((tx) => finishRefund(tx, { refundNo: made.refundNo, ok: true, at: field.at(45) }))
    expect((await voids('鄂F46091')).data).toMatchObject({ status: 9 })

    await field.enters('鄂F46092', 100)
    await field.exits('鄂F46092', 190)
    const { orderId } = await field.stay('鄂F46092')
    const comes = await paysBy(field, orderId!, 190)
    await field.write(async (tx) => moveStay(tx, await field.stay('鄂F46092'), 'flag', { abnormalType: 3 }))
    expect(await voids('鄂F46092')).toMatchObject({ code: 40866, status: 409 })
    await comes(700, 191)
    expect(await voids('鄂F46092')).toMatchObject({ code: 40865, message: expect.stringContaining('已收 7 元未退') })
    await field.write((tx) => run(tx, { sql: 'update settlement.payment set refund_fen = received_fen where order_id = $1' }, [orderId!]))
    expect((await voids('鄂F46092')).data).toMatchObject({ status: 9, payState: 0 })
    expect(await field.orders(await field.stay('鄂F46092'))).toMatchObject([{ status: 5 }])
  })
  test('a car that came in unseen is entered by hand, with the rule of its own time', async () => {
    const field = await ground.field()
    const body = { parkCode: field.parkCode, plateNo: '鄂F46061', entryTime: field.at(10), entryGate: field.inGate, reason }
    expect(await record('supplement', body)).toMatchObject({ data: { status: 1, entryMode: 4, operatorIn: '系统管理员', entryTime: field.at(10) } })
    expect(await record('supplement', body)).toMatchObject({ code: 40807 })
    expect(await record('supplement', { ...body, plateNo: '鄂F46062', entryTime: field.at(9000) })).toMatchObject({ code: 40808 })
    expect(await record('supplement', { ...body, plateNo: '鄂F46063', entryGate: 'NOWHERE' })).toMatchObject({ status: 404 })
    await field.exits('鄂F46061', 100)
    expect(await field.stay('鄂F46061')).toMatchObject({ status: 2, payableFen: 1000 })
  })
})

describe('clearing', () => {
  test('cars on paper leave without a fee or arrears, and come back as a whole within a day', async () => {
    const field = await ground.field()
    for (const plate of ['鄂F47001', '鄂F47002', '鄂F47003']) await field.enters(plate, plate === '鄂F47003' ? 500 : 0)
    await field.exits('鄂F47002', 90)
    const order = (await field.orders(await field.stay('鄂F47002')))[0]!
    expect(await record('clear', { parkCode: field.parkCode, reason })).toMatchObject({ status: 400 })
    const { data: counted } = await record('countToClear', { parkCode: field.parkCode, enteredBefore: field.at(400) })
    expect(counted).toMatchObject({ count: 2, unpriced: 0 })
    expect(counted.amountFen).toBeGreaterThanOrEqual(order.payableFen)
    expect((await record('countToClear', { parkCode: field.parkCode, enteredBefore: field.at(-10) })).data).toEqual({
      count: 0,
      amountFen: 0,
      free: 0,
      unpriced: 0,
      waits: false,
    })
    expect(await record('countToClear', { parkCode: field.parkCode })).toMatchObject({ status: 400 })
    const { data: cleared } = await record('clear', { parkCode: field.parkCode, reason, enteredBefore: field.at(400) })
    expect(cleared).toMatchObject({ count: 2, reason, clearedBy: '系统管理员', revertedAt: null })
    for (const plate of ['鄂F47001', '鄂F47002'])
      expect(await field.stay(plate)).toMatchObject({ status: 3, exitMode: 8, payableFen: 0, payState: 3 })
    expect(await field.stay('鄂F47003')).toMatchObject({ status: 1 })
    expect(await field.orders(await field.stay('鄂F47002'))).toMatchObject([{ id: order.id, status: 5 }])

    await field.enters('鄂F47001', 600) // it was outside after all
    expect(await record('unclear', { id: cleared.id, reason })).toMatchObject({ code: 200, data: { count: 2, restored: 1, leftOut: ['鄂F47001'] } })
    expect((await field.stays('鄂F47001')).map(({ status }) => status)).toEqual([1, 3])
    expect(await field.stay('鄂F47002')).toMatchObject({ status: 1, exitTime: null, payState: 0 })
    expect(await record('unclear', { id: cleared.id, reason })).toMatchObject({ code: 40010 })
    expect(await record('clear', { parkCode: field.parkCode, reason, enteredBefore: field.at(-10) })).toMatchObject({ code: 40804 })
  })
  test('a car at an exit is forgotten by its lane, and a bill that waits for a person waits no longer, cleared or void', async () => {
    const heldBills = async () =>
      (await ground.ask(ground.admin, '/fee/heldBill/list', { parkCode: field.parkCode }, 'GET')).data.records.map(({ plateNo, state }: any) => [
        plateNo,
        state,
      ])
    const field = await ground.field({ billMaxFen: 600 as Fen, noEntry: 1, noEntryFeeFen: 700 as Fen })
    await field.enters('鄂F47021', 0)
    await field.exits('鄂F47021', 60)
    expect(await field.lane(field.outGate)).toMatchObject({ plateNo: '鄂F47021', dueFen: 500 })
    const { id } = await field.stay('鄂F47021')
    expect((await record('clear', { parkCode: field.parkCode, reason, ids: [id] })).code).toBe(200)
    expect(await field.lane(field.outGate)).toMatchObject({ plateNo: null, stayId: null, dueFen: 0 })

    await field.enters('鄂F47022', 100)
    await field.exits('鄂F47022', 280)
    const held = await field.stay('鄂F47022')
    expect(held).toMatchObject({ payState: 5 })
    await record('clear', { parkCode: field.parkCode, reason, ids: [held.id] })
    expect(await field.stay('鄂F47022')).toMatchObject({ status: 3, payState: 3 })
    await field.exits('鄂F47023', 300)
    const unseen = await field.stay('鄂F47023')
    expect(unseen).toMatchObject({ status: 2, payState: 5, entryTime: null })
    expect((await record('handle', { id: unseen.id, version: unseen.version, handling: 3, reason })).code).toBe(200)
    expect((await heldBills()).toSorted()).toEqual([
      ['鄂F47022', HeldState.letGo],
      ['鄂F47023', HeldState.letGo],
    ])
  })
  test('a bill that cannot be right waits for a person again when its car comes back', async () => {
    const field = await ground.field({ billMaxFen: 600 as Fen })
    const heldBills = async () => (await ground.ask(ground.admin, '/fee/heldBill/list', { parkCode: field.parkCode }, 'GET')).data.records
    await field.enters('鄂F47031', 0)
    await field.exits('鄂F47031', 180)
    const { id } = await field.stay('鄂F47031')
    const { data: cleared } = await record('clear', { parkCode: field.parkCode, reason, ids: [id] })
    expect(await record('unclear', { id: cleared.id, reason })).toMatchObject({ code: 200 })
    expect(await field.stay('鄂F47031')).toMatchObject({ status: 1, payState: PayState.checking })
    expect(await heldBills()).toMatchObject([{ state: HeldState.waiting, setFen: null, decidedBy: null, decidedAt: null }])
    await field.exits('鄂F47031', 200)
    expect(await field.stay('鄂F47031')).toMatchObject({ status: 2, payState: PayState.checking, payableFen: 0 })
    expect(await field.lane(field.outGate)).toMatchObject({ state: 2, openRef: null })
    expect(await heldBills()).toMatchObject([{ state: HeldState.waiting, amountFen: 2000 }])
  })
  test.each([
    ['is asked for its fee', 90],
    ['comes to an exit', 3],
  ])('a car that %s while it is cleared is not cleared as it was before', async (_, minutes) => {
    const field = await ground.field()
    await field.enters('鄂F47041', 0)
    const { id } = await field.stay('鄂F47041')
    const clear = () => record('clear', { parkCode: field.parkCode, reason, ids: [id] })
    const { clearing } = await field.write(async (tx) => {
      if (minutes === 90) await driverBill(tx, { parkCode: field.parkCode, plateNo: '鄂F47041', at: field.at(minutes) })
      else await reads(tx, { sn: field.outSn, at: field.at(minutes), plate: '鄂F47041' })
      const clearing = clear()
      await vi.waitFor(async () => expect(await run(tx, { sql: WAITS_FOR_US }, [])).not.toEqual([]), 10_000)
      return { clearing }
    })
    expect(await clearing).toMatchObject({ code: Stale().code, status: 409 })
    expect(await field.stay('鄂F47041')).not.toMatchObject({ status: 3 })
    expect(await clear()).toMatchObject({ code: 200 })
    expect((await field.orders(await field.stay('鄂F47041'))).filter(({ status }) => status === 0)).toEqual([])
    expect((await field.lane(field.outGate))?.stayId ?? null).toBeNull()
  })
  test('after a day it stands', async () => {
    const field = await ground.field()
    await field.enters('鄂F47011', 0)
    const { data: cleared } = await record('clear', { parkCode: field.parkCode, reason, ids: [(await field.stay('鄂F47011')).id] })
    await field.write((tx) =>
      run(tx, { sql: `update parking.clearing set cleared_at = cleared_at - interval '25 hours' where id = $1` }, [cleared.id]),
    )
    expect(await record('unclear', { id: cleared.id, reason })).toMatchObject({ code: 40805 })
  })
})

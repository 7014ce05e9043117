import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Fen, Id } from '../../../../platform/contract/field.ts'
import { run } from '../../../../platform/server/database.ts'
import { FeeChoice, OpenReason } from '../../contract/gate.ts'
import { Handling, PayState, SessionAbnormal, SessionStatus } from '../../contract/stay.ts'
import { driverBill } from '../code/driver.ts'
import { aStay } from '../factories.ts'
import { holdLane } from '../lane/lane.ts'
import { settleExits } from '../lane/passing.ts'
import { discounts } from '../questions.ts'
import { aGround, type Field, type Ground } from '../testing.ts'

let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.server.close())

const [INSIDE, LEFT, READ] = ['鄂F66001', '鄂F66002', '鄂A99881'] as const
const record = (path: string, body: object, token = ground.admin) => ground.ask(token, `/fee/parkRecord/${path}`, body)
const undo = async (field: Field, leftPlateNo: string = LEFT, more: object = {}, of: string = INSIDE) => {
  const { id, version } = await field.stay(of)
  return record('undoExit', { id, version, leftPlateNo, reason: '车牌修正错了', ...more })
}

/** The car that leaves is read as another; the person who corrects its plate enters that of the car that stays. It pays for that one, and drives off. */
async function wronglyMatched(as: string = INSIDE, field?: Field): Promise<Field> {
  field ??= await twoInside()
  await leavesAs(field, as)
  await field.pays(await field.stay(as), 92)
  await field.passes(94)
  return field
}
async function oneInside(policies: object = {}): Promise<Field> {
  const field = await ground.field({ noEntry: 1, noEntryFeeFen: 700 as never, ...policies })
  await field.enters(INSIDE, 0)
  return field
}
async function twoInside(policies: object = {}): Promise<Field> {
  const field = await oneInside(policies)
  await field.enters(LEFT, 30)
  return field
}
async function leavesAs(field: Field, as: string = INSIDE, minutes = 90) {
  await field.exits(READ, minutes)
  const { id, version } = await field.stay(READ)
  expect((await record('correctPlate', { id, version, plateNo: as, reason: '看错了' })).code).toBe(200)
}
const WAITS = 'select from pg_locks l join pg_stat_activity a on a.pid = l.pid where a.datname = current_database() and not l.granted'
/** Waits until the call is blocked by what the test's transaction holds. */
const untilItWaits = (field: Field) =>
  expect.poll(async () => (await field.write((tx) => run(tx, { sql: WAITS }, []))).length, { timeout: 10_000 }).toBe(1)
const present = (field: Field) =>
  field.write((tx) =>
    run<{ plateNo: string }>(tx, { sql: 'select plate_no from parking.present where park_code = $1 order by plate_no' }, [field.parkCode]),
  )

describe('an exit in the record of another car is undone', () => {
  test('its own car is inside again and owes its own time; who left has the exit and what it paid', async () => {
    const field = await wronglyMatched()
    const wrong = await field.stay(INSIDE)
    const { data: again } = await undo(field)
    expect(again).toMatchObject({
      plateNo: INSIDE,
      status: SessionStatus.present,
      entryTime: field.at(0),
      exitTime: null,
      exitGate: null,
      paidFen: 0,
    })
    expect(again).toMatchObject({ payState: PayState.nothing, orderId: null, receivableFen: 0 })
    expect((await field.stays(INSIDE)).map(({ status }) => status)).toEqual([SessionStatus.present, SessionStatus.void])
    const gone = await field.stay(LEFT)
    expect(gone).toMatchObject({
      status: SessionStatus.left,
      entryTime: field.at(30),
      exitTime: field.at(90),
      durationMin: 60,
      exitGate: field.outGate,
    })
    expect(gone).toMatchObject({ orderId: wrong.orderId, payState: PayState.paid, receivableFen: 1000, payableFen: 1000, paidFen: 1000 })
    expect((await present(field)).map(({ plateNo }) => plateNo)).toEqual([INSIDE])
    expect(await field.orders(wrong)).toMatchObject([{ status: 2, paidFen: 1000, plateNo: INSIDE }])

    await field.exits(INSIDE, 150)
    expect(await field.stay(INSIDE)).toMatchObject({ status: SessionStatus.leaving, payableFen: 1500, payState: PayState.toPay })
  })
  test('its way through the areas of the park goes on with it', async () => {
    const field = await wronglyMatched()
    const { id } = await field.stay(INSIDE)
    await field.write((tx) =>
      run(tx, { sql: `insert into parking.segment (park_code, stay_id, area_code, from_time) values ($1, $2, 'A', $3)` }, [
        field.parkCode,
        id,
        field.at(0),
      ]),
    )
    const { data } = await undo(field)
    const way = await field.write((tx) => run(tx, { sql: 'select stay_id from parking.segment where park_code = $1' }, [field.parkCode]))
    expect(way).toEqual([{ stayId: data.id }])
  })
  test('the stories of both tell who did it and why', async () => {
    const field = await wronglyMatched()
    await undo(field)
    for (const plate of [INSIDE, LEFT]) {
      const { data } = await ground.ask(ground.admin, '/fee/parkRecord/story', { id: (await field.stay(plate)).id }, 'GET')
      expect(data.events, plate).toContainEqual(
        expect.objectContaining({ zh: '撤销错配的离场：车牌修正错了', en: 'Undid an exit of another car: 车牌修正错了', by: '系统管理员' }),
      )
      expect(data.orders, plate).toMatchObject(plate === LEFT ? [{ paidFen: 1000 }] : [])
    }
  })
  test('what its own car had paid before stays its own', async () => {
    const field = await twoInside({ exitGraceMin: 5 })
    await field.exits(INSIDE, 50)
    await field.pays(await field.stay(INSIDE), 51)
    const early = await field.stay(INSIDE)
    await field.write((tx) =>
      run(tx, { sql: 'update parking.stay set status = 1, exit_time = null, exit_gate = null, grace_until = exit_time where id = $1' }, [early.id]),
    )
    await field.write((tx) =>
      run(tx, { sql: `update parking.lane set state = 1, stay_id = null, asked = null, open_ref = null where gate_code = $1` }, [field.outGate]),
    )
    await leavesAs(field)
    await field.pays(await field.stay(INSIDE), 92)
    await field.passes(94)
    expect(await field.stay(INSIDE)).toMatchObject({ paidFen: 1000 })
    const { data } = await undo(field)
    expect(data).toMatchObject({ status: SessionStatus.present, paidFen: 500, receivableFen: 500, orderId: early.orderId, payState: PayState.paid })
    expect(await field.stay(LEFT)).toMatchObject({ paidFen: 500, receivableFen: 500, payState: PayState.paid })
    const { data: story } = await ground.ask(ground.admin, '/fee/parkRecord/story', { id: data.id }, 'GET')
    expect(story.orders).toMatchObject([{ id: early.orderId, paidFen: 500 }])
  })
  test.each([0, 7])(
    'an order that its own car had left open was paid at the exit: it keeps what it had paid before, corrected %d times since',
    async (times) => {
      const field = await twoInside({ exitGraceMin: 5 })
      await field.write((tx) => driverBill(tx, { parkCode: field.parkCode, plateNo: INSIDE, at: field.at(50) }))
      await field.pays(await field.stay(INSIDE), 51)
      const early = await field.stay(INSIDE)
      await field.exits(INSIDE, 80)
      const open = await field.stay(INSIDE)
      expect(open).toMatchObject({ payState: PayState.toPay, paidFen: 500 })
      await field.write((tx) => settleExits(tx, field.at(91)))
      await leavesAs(field, INSIDE, 98)
      await field.pays(await field.stay(INSIDE), 99)
      await field.passes(100)
      for (let n = 1; n <= times; n++) {
        const { id, version } = await field.stay(INSIDE)
        expect((await record('correctTimes', { id, version, exitTime: field.at(99 + n), reason: '时钟不准' })).code).toBe(200)
      }
      const { data } = await undo(field)
      expect(data).toMatchObject({ paidFen: 500, receivableFen: 500, orderId: early.orderId, payState: PayState.paid })
      expect(await field.stay(LEFT)).toMatchObject({ paidFen: 500, receivableFen: 500, orderId: open.orderId, payState: PayState.paid })
    },
  )
  test('undone a second time, it has none of what was paid the first time', async () => {
    const field = await wronglyMatched()
    await undo(field)
    await field.enters('鄂F66003', 100)
    await leavesAs(field, INSIDE, 190)
    await field.pays(await field.stay(INSIDE), 192)
    await field.passes(194)
    const { orderId } = await field.stay(INSIDE)
    const { data } = await undo(field, '鄂F66003')
    expect(data).toMatchObject({ paidFen: 0, receivableFen: 0, orderId: null, payState: PayState.nothing })
    expect(await field.stay('鄂F66003')).toMatchObject({ paidFen: 2000, receivableFen: 2000, orderId })
    const { data: story } = await ground.ask(ground.admin, '/fee/parkRecord/story', { id: data.id }, 'GET')
    expect(story.orders).toEqual([])
  })
  test('who is said to have left was the wrong one, too: what was paid there goes on to the next', async () => {
    const field = await wronglyMatched()
    await undo(field)
    const { orderId } = await field.stay(LEFT)
    const { data } = await undo(field, '粤B88666', {}, LEFT)
    expect(data).toMatchObject({ plateNo: LEFT, status: SessionStatus.present, paidFen: 0, receivableFen: 0, orderId: null })
    expect(await field.stay('粤B88666')).toMatchObject({ paidFen: 1000, receivableFen: 1000, orderId })
  })
  test.each(['read once more after it has paid', 'its times put right afterwards'])('%s: what was paid at the exit goes to who left', async (how) => {
    const field = await twoInside()
    await leavesAs(field)
    await field.pays(await field.stay(INSIDE), 92)
    if (how.startsWith('read')) await field.exits(READ, 93)
    await field.passes(94)
    if (how.startsWith('its times')) {
      const { id, version } = await field.stay(INSIDE)
      expect((await record('correctTimes', { id, version, exitTime: field.at(93), reason: '时钟不准' })).code).toBe(200)
    }
    expect(await field.stay(INSIDE)).toMatchObject({ exitTime: field.at(93), paidFen: 1000 })
    expect((await undo(field)).data).toMatchObject({ paidFen: 0, receivableFen: 0, orderId: null })
    expect(await field.stay(LEFT)).toMatchObject({ exitTime: field.at(93), paidFen: 1000, receivableFen: 1000, payState: PayState.paid })
  })
  test('a coupon paid for all: who left was free, its own car owes its own time', async () => {
    onTestFinished(
      discounts.answer('test', async (_, { plateNo, amountFen }) =>
        plateNo === INSIDE ? [{ by: 'test', ref: 'c1', amountFen, zh: '停车券', en: 'Coupon' }] : undefined,
      ),
    )
    const field = await twoInside()
    await leavesAs(field)
    await field.passes(94)
    const { orderId } = await field.stay(INSIDE)
    expect((await undo(field)).data).toMatchObject({ payState: PayState.nothing, receivableFen: 0, discountFen: 0, paidFen: 0, orderId: null })
    const gone = { payState: PayState.free, receivableFen: 1000, discountFen: 1000, payableFen: 0, paidFen: 0, orderId }
    expect(await field.stay(LEFT)).toMatchObject(gone)
  })
  test('staff let it out free: what its own car had paid before stays its own', async () => {
    const field = await twoInside({ exitGraceMin: 5 })
    await field.write((tx) => driverBill(tx, { parkCode: field.parkCode, plateNo: INSIDE, at: field.at(50) }))
    await field.pays(await field.stay(INSIDE), 51)
    await leavesAs(field)
    const free = { gateCode: field.outGate, reason: OpenReason.special, fee: FeeChoice.free }
    expect((await ground.ask(ground.admin, '/device/gateOperation/openGateToPark', free)).code).toBe(200)
    await field.passes(94)
    expect((await undo(field)).data).toMatchObject({ payState: PayState.paid, receivableFen: 500, paidFen: 500 })
    expect(await field.stay(LEFT)).toMatchObject({ payState: PayState.free, receivableFen: 0, paidFen: 0 })
  })
  test('a record that was kept only when it was over: what was paid for it was paid at the exit', async () => {
    const field = await twoInside()
    const over = { plateNo: '鄂F66004', entryTime: field.at(0), exitTime: field.at(60), exitGate: field.outGate, status: SessionStatus.left } as const
    const fen = 500 as Fen
    const orderId = randomUUID() as string as Id<'OrderId'>
    const paid = { payState: PayState.paid, settledFen: fen, receivableFen: fen, payableFen: fen, paidFen: fen, orderId } as const
    await field.write((tx) => aStay(tx, { parkCode: field.parkCode, ...over, ...paid }))
    expect((await undo(field, LEFT, {}, '鄂F66004')).data).toMatchObject({ paidFen: 0, receivableFen: 0, orderId: null })
    expect(await field.stay(LEFT)).toMatchObject({ paidFen: 500, receivableFen: 500, orderId })
  })
  test('its own car left since without an entry record: that it stayed until then is no doubt', async () => {
    const field = await wronglyMatched(INSIDE, await oneInside())
    await field.exits(INSIDE, 150)
    await field.pays(await field.stay(INSIDE), 151)
    await field.passes(152)
    const [unseen, wrong] = await field.stays(INSIDE)
    expect(unseen).toMatchObject({ status: SessionStatus.left, entryTime: null })
    expect((await undo(field, LEFT, { id: wrong!.id, version: wrong!.version })).data).toMatchObject({ status: SessionStatus.present })
  })
  test('a car that nobody saw coming in leaves without an entry', async () => {
    const field = await wronglyMatched()
    await undo(field, '粤B88666')
    expect(await field.stay('粤B88666')).toMatchObject({
      status: SessionStatus.left,
      abnormalType: SessionAbnormal.noEntry,
      entryTime: null,
      exitTime: field.at(90),
      paidFen: 1000,
    })
    expect((await present(field)).map(({ plateNo }) => plateNo)).toEqual([INSIDE, LEFT])
  })
  test('the order that who left had open is asked for no more', async () => {
    const field = await twoInside()
    await field.exits(LEFT, 85)
    const open = (await field.orders(await field.stay(LEFT)))[0]!
    await leavesAs(field)
    await field.pays(await field.stay(INSIDE), 92)
    await field.passes(94)
    expect((await undo(field)).code).toBe(200)
    expect(await field.orders(await field.stay(LEFT))).toMatchObject([{ id: open.id, status: 5 }])
    expect(await field.stay(LEFT)).toMatchObject({ status: SessionStatus.left, paidFen: 1000 })
  })
})

describe('it is refused', () => {
  test('a plate that is none, or is the record’s own; a record that is not over, or has changed meanwhile', async () => {
    const field = await wronglyMatched()
    expect(await undo(field, '鄂F1')).toMatchObject({ code: 40893, status: 422 })
    expect(await undo(field, INSIDE)).toMatchObject({ status: 400 })
    expect(await undo(field, LEFT, { version: 1 })).toMatchObject({ status: 409 })
    const { id, version } = await field.stay(LEFT)
    expect(await record('undoExit', { id, version, leftPlateNo: INSIDE, reason: '试' })).toMatchObject({ code: 40010, status: 409 })
    expect(await field.stay(INSIDE)).toMatchObject({ status: SessionStatus.left, paidFen: 1000 })
  })
  test('its car is inside, or has come again since', async () => {
    const field = await wronglyMatched()
    const wrong = await field.stay(INSIDE)
    await field.enters(INSIDE, 200)
    const again = () => record('undoExit', { id: wrong.id, version: wrong.version, leftPlateNo: LEFT, reason: '试' })
    expect(await again()).toMatchObject({ code: 40807 })
    await field.exits(INSIDE, 205)
    await field.passes(206)
    expect(await again()).toMatchObject({ code: 40898 })
  })
  test('its car stands at an exit without an entry record: that is settled first', async () => {
    const field = await wronglyMatched(INSIDE, await oneInside())
    const { id, version } = await field.stay(INSIDE)
    await field.exits(INSIDE, 100)
    const again = () => undo(field, LEFT, { id, version })
    expect(await again()).toMatchObject({ code: 40870, status: 409 })
    const unseen = await field.stay(INSIDE)
    expect(unseen).toMatchObject({ status: SessionStatus.leaving, entryTime: null })
    const gone = { id: unseen.id, version: unseen.version, handling: Handling.void, reason: '有入场记录' }
    expect((await record('handle', gone)).code).toBe(200)
    expect((await again()).data).toMatchObject({ status: SessionStatus.present, entryTime: field.at(0) })
  })
  test('who is said to have left stood at an exit afterwards', async () => {
    const field = await wronglyMatched()
    await field.exits(LEFT, 100)
    expect(await undo(field)).toMatchObject({ code: 40895, status: 409 })
    expect(await field.stay(LEFT)).toMatchObject({ status: SessionStatus.leaving, payState: PayState.toPay })
  })
  test('who is said to have left came in only afterwards', async () => {
    const field = await wronglyMatched()
    await field.enters('鄂F66009', 120)
    expect(await undo(field, '鄂F66009')).toMatchObject({ code: 40895, status: 409 })
    expect(await field.stay('鄂F66009')).toMatchObject({ status: SessionStatus.present })
  })
  test('it is owed for, or it left through no lane', async () => {
    const field = await oneInside()
    await leavesAs(field)
    await field.passes(94, { cause: 'manual' })
    expect(await field.stay(INSIDE)).toMatchObject({ payState: PayState.owed })
    expect(await undo(field)).toMatchObject({ code: 40897 })
    const other = await ground.field()
    await other.enters(INSIDE, 0)
    await record('clear', { parkCode: other.parkCode, reason: '试', ids: [(await other.stay(INSIDE)).id] })
    expect(await undo(other)).toMatchObject({ code: 40896 })
  })
  test('of two at once one undoes it', async () => {
    const field = await wronglyMatched()
    const answers = await Promise.all([undo(field), undo(field)])
    expect(answers.map(({ code }) => code).toSorted()[0]).toBe(200)
    expect(answers.filter(({ code }) => code === 200)).toHaveLength(1)
    expect((await field.stays(INSIDE)).map(({ status }) => status)).toEqual([SessionStatus.present, SessionStatus.void])
  })
  test('who left is asked for money by an order of this very moment', async () => {
    const field = await wronglyMatched()
    const { id } = await field.stay(INSIDE)
    let undoing: ReturnType<typeof undo> | undefined
    await field.write(async (tx) => {
      await run(tx, { sql: 'select from parking.stay where id = $1 for update' }, [id])
      undoing = undo(field)
      await untilItWaits(field)
      await driverBill(tx, { parkCode: field.parkCode, plateNo: LEFT, at: field.at(100) })
    })
    expect(await undoing).toMatchObject({ status: 409 })
    expect(await field.stay(INSIDE)).toMatchObject({ status: SessionStatus.left })
    expect(await field.stay(LEFT)).toMatchObject({ status: SessionStatus.present, payState: PayState.toPay })
  })
})

test('two plates are held in one order, whichever of them is whose', async () => {
  const field = await wronglyMatched(LEFT)
  let undoing: ReturnType<typeof undo> | undefined
  await field.write(async (tx) => {
    await holdLane(tx, { parkCode: field.parkCode, gateCode: 'none', plateNo: LEFT })
    undoing = undo(field, INSIDE, {}, LEFT)
    await untilItWaits(field)
    const sql = 'select pg_try_advisory_xact_lock(hashtextextended($1, scope_enterprise())) as free'
    expect(await run(tx, { sql }, [`plate ${field.parkCode} ${INSIDE}`])).toEqual([{ free: false }])
  })
  expect((await undoing)!.code).toBe(200)
})

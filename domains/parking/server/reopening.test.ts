import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import { PayState, SessionAbnormal, SessionStatus } from '../contract/stay.ts'
import { aGround, type Field, type Ground } from './testing.ts'

let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.server.close())

const [INSIDE, LEFT, READ] = ['鄂F66001', '鄂F66002', '鄂A99881'] as const
const record = (path: string, body: object, token = ground.admin) => ground.ask(token, `/fee/parkRecord/${path}`, body)
const undo = async (field: Field, leftPlateNo: string = LEFT, more: object = {}) => {
  const { id, version } = await field.stay(INSIDE)
  return record('undoExit', { id, version, leftPlateNo, reason: '改牌改错了', ...more })
}

/** The car that leaves is read as another; whoever puts its plate right puts it to the car that stays. It pays for that one, and drives off. */
async function wronglyMatched(): Promise<Field> {
  const field = await ground.field({ noEntry: 1, noEntryFeeFen: 700 as never })
  await field.enters(INSIDE, 0)
  await field.enters(LEFT, 30)
  await leavesAs(field)
  await field.pays(await field.stay(INSIDE), 92)
  await field.passes(94)
  expect(await field.stay(INSIDE)).toMatchObject({ status: SessionStatus.left, paidFen: 1000 })
  return field
}
async function leavesAs(field: Field) {
  await field.exits(READ, 90)
  const { id, version } = await field.stay(READ)
  expect((await record('correctPlate', { id, version, plateNo: INSIDE, reason: '看错了' })).code).toBe(200)
}
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
        expect.objectContaining({ zh: '撤销错配的离场：改牌改错了', en: 'Undid an exit of another car: 改牌改错了', by: '系统管理员' }),
      )
      expect(data.orders, plate).toMatchObject([{ paidFen: 1000 }])
    }
  })
  test('what its own car had paid before stays its own', async () => {
    const field = await ground.field({ noEntry: 1, noEntryFeeFen: 700 as never, exitGraceMin: 5 })
    await field.enters(INSIDE, 0)
    await field.enters(LEFT, 30)
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
    const field = await wronglyMatched()
    await field.exits(LEFT, 100)
    const open = (await field.orders(await field.stay(LEFT)))[0]!
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
  test('who is said to have left came in only afterwards', async () => {
    const field = await wronglyMatched()
    await field.enters('鄂F66009', 120)
    expect(await undo(field, '鄂F66009')).toMatchObject({ code: 40895, status: 409 })
    expect(await field.stay('鄂F66009')).toMatchObject({ status: SessionStatus.present })
  })
  test('it is owed for, or it left through no lane', async () => {
    const field = await ground.field({ noEntry: 1, noEntryFeeFen: 700 as never })
    await field.enters(INSIDE, 0)
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
})

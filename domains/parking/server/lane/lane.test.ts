import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { run } from '../../../../platform/server/database.ts'
import { aRule, FIVE_AN_HOUR } from '../factories.ts'
import { LaneAnswer } from '../../contract/laneBoard.ts'
import { HeldState } from '../../contract/heldBill.ts'
import { CarKind, LaneOutcome, PayState, SessionStatus } from '../../contract/stay.ts'
import { admission, cover, debts } from '../questions.ts'
import { Direction, FeeChoice, OpenReason } from '../../contract/gate.ts'
import { afterMidnight, aGate, aGround, type Ground, opens, tenMinutesLater, type Told } from '../testing.ts'

let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.server.close())

const shows = (told: readonly Told[]) => told.filter(({ method }) => method === 'display.show').flatMap(({ params }) => params.lines)

describe('a car comes, pays and leaves', () => {
  test('the whole way: in, seen at the exit, paid, through', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0, { image: '/files/in.jpg' })
    expect(opens(await field.told(field.inSn))).toHaveLength(1)
    const inside = await field.stay('鄂F12345')
    expect(inside).toMatchObject({
      status: 1,
      plateColor: 0,
      carKindIn: 9,
      entryMode: 1,
      entryGate: field.inGate,
      entryImage: '/files/in.jpg',
      payState: 0,
      exitTime: null,
    })
    expect(inside.ruleVersionId).not.toBeNull()

    await field.exits('鄂F12345', 90, { image: '/files/out.jpg' })
    const leaving = await field.stay('鄂F12345')
    expect(leaving).toMatchObject({ status: 2, exitTime: field.at(90), durationMin: 90, payableFen: 1000, paidFen: 0, payState: 1, carKindOut: 9 })
    const told = await field.told(field.outSn)
    expect(opens(told)).toHaveLength(0)
    expect(shows(told)).toContain('请缴费 10 元')

    await field.pays(leaving, 91)
    const [order] = await field.orders(leaving)
    expect(opens(await field.told(field.outSn))).toMatchObject([{ params: { reason: 'paid', orderId: order!.orderNo } }])
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 2, payState: 2, paidFen: 1000, payableFen: 1000 })

    await field.passes(92)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 3, exitTime: field.at(90), abnormalType: 0 })
    expect(await field.lane(field.outGate)).toMatchObject({ state: 1, plateNo: null })
  })
  test('through the entrance: the lane is free, and its barrier is down since then', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    expect(await field.lane(field.inGate)).toMatchObject({ state: 4, plateNo: '鄂F12345', gateState: null })
    await field.passes(1, { sn: field.inSn })
    expect(await field.lane(field.inGate)).toMatchObject({ state: 1, plateNo: null, stayId: null, gateState: 'closed', gateAt: field.at(1.1) })
  })
  test('within the free minutes it leaves without paying; its order says free', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12345', 15)
    expect(opens(await field.told(field.outSn))).toHaveLength(1)
    const stay = await field.stay('鄂F12345')
    expect(stay).toMatchObject({ status: 2, payState: 3, payableFen: 0 })
    expect(await field.orders(stay)).toMatchObject([{ status: 3 }])
    await field.passes(16)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 3 })
  })
  test('paid inside: fifteen minutes to leave, to the second; after that the rest, not a new stay', async () => {
    const field = await ground.field()
    const paidAt61 = async (plate: string, exitAt: number) => {
      await field.enters(plate, 0)
      await field.exits(plate, 59)
      await tenMinutesLater(field, 70) // it backs away from the exit and pays on foot
      await field.pays(await field.stay(plate), 61)
      await field.told(field.outSn)
      await field.exits(plate, exitAt)
      return field.stay(plate)
    }
    expect(await paidAt61('鄂F10001', 76)).toMatchObject({ status: 2, payableFen: 500, paidFen: 500, payState: 2 })
    expect(opens(await field.told(field.outSn))).toHaveLength(1)

    const late = await paidAt61('鄂F10002', 76.02)
    expect(late).toMatchObject({ status: 2, receivableFen: 1000, payableFen: 1000, paidFen: 500, payState: 1 })
    expect((await field.orders(late)).map(({ payableFen, status }) => [payableFen, status])).toEqual([
      [500, 2],
      [500, 0],
    ])
    expect(shows(await field.told(field.outSn))).toContain('请缴费 5 元')
    await field.pays(late, 77)
    expect(await field.stay('鄂F10002')).toMatchObject({ payState: 2, paidFen: 1000 })
  })
  test('backing out of a paid exit keeps the payment and begins the time to leave once more, once', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12345', 59)
    await field.pays(await field.stay('鄂F12345'), 59)
    await field.write((tx) => tx.updateTable('parking.lane').set({ gateState: 'closed' }).where('gateCode', '=', field.outGate).execute())
    await tenMinutesLater(field, 70)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 1, exitTime: null, paidFen: 500, graceUntil: field.at(85), graceRestarts: 1 })
    await field.exits('鄂F12345', 84)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 2, payState: 2, paidFen: 500 })
    await tenMinutesLater(field, 95)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 1, graceUntil: field.at(85), graceRestarts: 1 })
  })
  test('a car that turned away unpaid is inside again, and asked for the whole fee next time by the same order', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12345', 50)
    await tenMinutesLater(field, 61)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 1, exitTime: null })
    await field.exits('鄂F12345', 130)
    const stay = await field.stay('鄂F12345')
    expect(stay).toMatchObject({ status: 2, payableFen: 1500 })
    expect(await field.orders(stay)).toMatchObject([{ status: 0, payableFen: 1500 }])
  })
  test('read again while it waits, it is asked for what it owes by now', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12345', 59)
    await field.exits('鄂F12345', 61)
    const stay = await field.stay('鄂F12345')
    expect(stay).toMatchObject({ status: 2, payableFen: 1000, durationMin: 61 })
    expect(await field.orders(stay)).toHaveLength(1)
  })
  test('no fee rule: a person is asked, and nothing is silently free', async () => {
    const field = await ground.field()
    await field.write((tx) =>
      tx
        .deleteFrom('fee.associate' as never)
        .where('parkCode' as never, '=', field.parkCode as never)
        .execute(),
    )
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12345', 90)
    expect(opens(await field.told(field.outSn))).toHaveLength(0)
    expect(await field.lane(field.outGate)).toMatchObject({ state: 2, outcome: 3 })
    expect(await field.orders(await field.stay('鄂F12345'))).toEqual([])
  })
  test('free minutes that a rule gives once a day: the second short stay of the day is charged, another car has its own', async () => {
    const field = await ground.field()
    await field.write((tx) => aRule(tx, { parkCode: field.parkCode, tariff: { ...FIVE_AN_HOUR, free: { ...FIVE_AN_HOUR.free!, timesPerDay: 1 } } }))
    const begin = afterMidnight(field, 60)
    const stays = async (plate: string, minutes: number) => {
      await field.enters(plate, minutes)
      await field.exits(plate, minutes + 10)
      await field.passes(minutes + 11)
      return (await field.stay(plate)).payableFen
    }
    expect(await stays('鄂F12001', begin)).toBe(0)
    expect(await stays('鄂F12001', begin + 20)).toBe(500)
    expect(await stays('鄂F12002', begin + 40)).toBe(0)
    expect(await stays('鄂F12001', begin + 24 * 60)).toBe(0)
  })
  test('one plate in two parks: let in, and said when no car could have driven from one to the other', async () => {
    const here = await ground.field({ lng: 112.14, lat: 32.04 })
    const there = await ground.field({ lng: 112.24, lat: 32.04 }) // 9.4 km to the east
    const unknown = await ground.field()
    await here.enters('鄂F13001', 0)
    await there.enters('鄂F13001', 3)
    await here.enters('鄂F13002', 0)
    await there.enters('鄂F13002', 30)
    await unknown.enters('鄂F13001', 4)
    expect(await there.stay('鄂F13001')).toMatchObject({ status: 1, abnormalType: 0, remark: expect.stringMatching('疑似套牌') })
    const [decision] = await there.decisions('鄂F13001')
    expect(decision!.checks.at(-1)).toMatchObject({ check: 19, hit: false, en: expect.stringMatching('9.4 km away, 3 min ago') })
    expect(await there.stay('鄂F13002')).toMatchObject({ status: 1, remark: null })
    expect(await unknown.stay('鄂F13001')).toMatchObject({ status: 1, remark: null })
  })
})

describe('the same car twice', () => {
  test('read again at the same lane within a minute: one stay, one opening', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await field.enters('鄂F12345', 0.9)
    expect(await field.stays('鄂F12345')).toHaveLength(1)
    expect(opens(await field.told(field.inSn))).toHaveLength(1)
    expect((await field.decisions('鄂F12345')).map(({ outcome }) => outcome)).toEqual([1, 4])
  })
  test('policy 1 closes the old record for a person to look at, without a fee, and opens a new one', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12345', 100)
    const [old] = await field.orders(await field.stay('鄂F12345'))
    await field.enters('鄂F12345', 120)
    const [now, before] = await field.stays('鄂F12345')
    expect(now).toMatchObject({ status: 1, entryTime: field.at(120) })
    expect(before).toMatchObject({ status: 4, abnormalType: 1, payableFen: 0, payState: 0 })
    expect(await field.orders(before!)).toMatchObject([{ id: old!.id, status: 5 }])
  })
  test('policy 2 goes on with the old record, policy 3 asks a person', async () => {
    const kept = await ground.field({ dupEntry: 2 })
    await kept.enters('鄂F12345', 0)
    await kept.enters('鄂F12345', 120)
    expect(await kept.stays('鄂F12345')).toMatchObject([{ status: 1, entryTime: kept.at(0) }])
    expect(opens(await kept.told(kept.inSn))).toHaveLength(2)
    const asks = await ground.field({ dupEntry: 3 })
    await asks.enters('鄂F12345', 0)
    await asks.enters('鄂F12345', 120)
    expect(await asks.stays('鄂F12345')).toHaveLength(1)
    expect(await asks.lane(asks.inGate)).toMatchObject({ state: 2 })
  })
  test('the same characters in another colour are another car; an unknown colour is the same one', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0, { color: 'blue' })
    await field.enters('鄂F12345', 5, { color: 'yellow' })
    expect((await field.stays('鄂F12345')).map(({ status, plateColor }) => [status, plateColor])).toEqual([
      [1, 1],
      [1, 0],
    ])
    await field.exits('鄂F12345', 10, { color: 'yellow' })
    expect((await field.stays('鄂F12345')).map(({ status }) => status)).toEqual([2, 1])
    await field.enters('鄂F99999', 0, { color: 'nobody knows' })
    await field.exits('鄂F99999', 10, { color: 'blue' })
    expect(await field.stays('鄂F99999')).toMatchObject([{ status: 2, plateColor: 0 }])
  })
})

describe('an entrance that read no plate', () => {
  const asking = async (policies: Parameters<typeof ground.field>[0] = {}) => {
    const field = await ground.field(policies)
    await field.enters('无牌车', 0)
    const typed = async (plateNo: string) =>
      ground.ask(ground.admin, '/device/laneBoard/answer', {
        gateCode: field.inGate,
        decisionId: (await field.lane(field.inGate)).decisionId,
        answer: LaneAnswer.plate,
        plateNo,
      })
    return { field, typed }
  }
  test('the plate that a person reads off its picture is decided about as if the camera had read it', async () => {
    const { field, typed } = await asking()
    expect((await typed('')).status).toBeGreaterThanOrEqual(400)
    expect((await typed('鄂f·12345')).code).toBe(200)
    expect(opens(await field.told(field.inSn))).toHaveLength(1)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 1, entryTime: field.at(0), operatorIn: null })
  })
  test('where it may not enter it still waits, for the reason that holds for its plate', async () => {
    const { field, typed } = await asking({ tempAllowed: false })
    expect((await typed('鄂F12345')).code).toBe(200)
    expect(opens(await field.told(field.inSn))).toEqual([])
    expect(await field.stays('鄂F12345')).toEqual([])
    expect(await field.lane(field.inGate)).toMatchObject({ plateNo: '鄂F12345', outcome: LaneOutcome.ask })
  })
  test('an entrance takes no fee', async () => {
    const { field } = await asking()
    const { decisionId } = await field.lane(field.inGate)
    const answer = { gateCode: field.inGate, decisionId, answer: LaneAnswer.ruleNow }
    expect(await ground.ask(ground.admin, '/device/laneBoard/answer', answer)).toMatchObject({ code: 40899, status: 422 })
  })
})

describe('an exit that knows no entry', () => {
  test('one character that cameras confuse, one candidate, same colour: taken for it', async () => {
    const field = await ground.field()
    await field.enters('鄂F8B888', 0)
    await field.exits('鄂F88888', 90)
    expect(await field.stay('鄂F8B888')).toMatchObject({ status: 2, payableFen: 1000 })
    expect((await field.decisions('鄂F88888'))[0]!.checks).toContainEqual(expect.objectContaining({ check: 12, hit: true }))
  })
  test.each([
    ['two candidates', ['鄂F8B888', '京F88888'], 'blue', {}],
    ['another colour', ['鄂F8B888'], 'yellow', {}],
    ['a park that does not take them', ['鄂F8B888'], 'blue', { fuzzyAuto: false }],
    ['a whole character', ['鄂F88881'], 'blue', {}],
  ] as const)('%s: a person chooses', async (_, inside, color, policy) => {
    const field = await ground.field(policy)
    for (const plate of inside) await field.enters(plate, 0)
    await field.exits('鄂F88888', 90, { color })
    const lane = await field.lane(field.outGate)
    expect(lane).toMatchObject({ state: 2, stayId: null })
    expect(lane.candidates.map(({ plateNo }) => plateNo).sort()).toEqual([...inside].sort())
    const [first] = lane.candidates
    const answer = await ground.ask(ground.admin, '/device/laneBoard/answer', {
      gateCode: field.outGate,
      decisionId: lane.decisionId,
      answer: 3,
      stayId: first!.stayId,
    })
    expect(answer.code).toBe(200)
    expect(await field.stay(first!.plateNo)).toMatchObject({ status: 2, payableFen: 1000, exitMode: 3 })
  })
  test.each([
    [{ noEntry: 1, noEntryFeeFen: 700 as never }, { status: 2, payableFen: 700, payState: 1 }, 0],
    [{ noEntry: 2 }, { status: 2, payableFen: 0, payState: 3 }, 1],
  ] as const)('nobody alike, policy %j', async (policy, stay, opened) => {
    const field = await ground.field(policy)
    await field.exits('鄂F12345', 30)
    expect(await field.stay('鄂F12345')).toMatchObject({ ...stay, entryTime: null, abnormalType: 2, exitTime: field.at(30) })
    expect(opens(await field.told(field.outSn))).toHaveLength(opened)
  })
  test('policy 3: a person enters when it came, and it pays for that', async () => {
    const field = await ground.field({ noEntry: 3 })
    await field.exits('鄂F12345', 150)
    expect(await field.stays('鄂F12345')).toEqual([])
    const { decisionId } = await field.lane(field.outGate)
    const answer = { gateCode: field.outGate, decisionId, answer: 4 }
    expect((await ground.ask(ground.admin, '/device/laneBoard/answer', answer)).code).toBe(40812)
    await ground.ask(ground.admin, '/device/laneBoard/answer', { ...answer, entryTime: field.at(10) })
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 2, entryMode: 4, entryTime: field.at(10), payableFen: 1500 })
    expect((await ground.ask(ground.admin, '/device/laneBoard/answer', { ...answer, entryTime: field.at(10) })).code).toBe(40811)
  })
  test('a mistyped entry time is entered again: the fee follows, and who changed it is kept', async () => {
    const field = await ground.field({ noEntry: 3, billMaxFen: 2000 as never })
    await field.exits('无牌车', 150)
    const answer = async (entryTime: string) =>
      ground.ask(ground.admin, '/device/laneBoard/answer', {
        gateCode: field.outGate,
        decisionId: (await field.lane(field.outGate)).decisionId,
        answer: LaneAnswer.enteredAt,
        entryTime,
      })
    expect(await answer(field.at(151))).toMatchObject({ code: 40808, status: 422 })
    expect(await field.stays('无牌车')).toEqual([])
    expect((await answer(field.at(-28 * 1440))).code).toBe(200)
    const wrong = await field.stay('无牌车')
    expect(wrong).toMatchObject({ status: 2, payState: PayState.checking, entryTime: field.at(-28 * 1440), orderId: null })
    expect((await answer(field.at(10))).code).toBe(200)
    const right = await field.stay('无牌车')
    expect(right).toMatchObject({ id: wrong.id, status: 2, payState: PayState.toPay, entryTime: field.at(10), durationMin: 140, payableFen: 1500 })
    expect(await field.lane(field.outGate)).toMatchObject({ outcome: LaneOutcome.toPay, dueFen: 1500 })
    expect(await field.write((tx) => run(tx, { sql: 'select state, set_fen from parking.held_bill where stay_id = $1' }, [right.id]))).toEqual([
      { state: HeldState.anew, setFen: null },
    ])
    const { events } = (await ground.ask(ground.admin, '/fee/parkRecord/story', { id: right.id }, 'GET')).data
    expect(events.map(({ zh }: { zh: string }) => zh)).toContain('入场时间已更正，重新计费')
  })
  test('two cars whose plates nobody read, at two exits: what is said of one never ends the stay of the other', async () => {
    const field = await ground.field({ noEntry: 3 })
    const [secondGate, secondSn] = [`${field.parkCode}-G05`, `PG-${field.parkCode}-5`]
    await field.write((tx) => aGate(tx, { parkCode: field.parkCode, gateCode: secondGate, direction: Direction.exit, sn: secondSn }))
    const answer = async (gateCode: string, body: object) =>
      ground.ask(ground.admin, '/device/laneBoard/answer', { gateCode, decisionId: (await field.lane(gateCode)).decisionId, ...body })
    await field.exits('无牌车', 150)
    expect((await answer(field.outGate, { answer: LaneAnswer.enteredAt, entryTime: field.at(10) })).code).toBe(200)
    const first = await field.stay('无牌车')
    expect(first).toMatchObject({ status: 2, payState: PayState.toPay, payableFen: 1500 })

    await field.exits('无牌车', 151, { sn: secondSn })
    expect(await field.lane(secondGate)).toMatchObject({ outcome: LaneOutcome.ask, stayId: null, candidates: [] })
    for (const body of [
      { answer: LaneAnswer.pass, fee: FeeChoice.free, reason: OpenReason.fault },
      { answer: LaneAnswer.pass, fee: FeeChoice.cash, reason: OpenReason.fault },
      { answer: LaneAnswer.enteredAt, entryTime: field.at(100) },
    ])
      expect(await answer(secondGate, body), JSON.stringify(body)).toMatchObject({ code: 40815, message: expect.stringContaining(field.outGate) })
    expect(await field.stays('无牌车')).toEqual([first])
    expect(opens(await field.told(secondSn))).toEqual([])
    expect((await answer(secondGate, { answer: LaneAnswer.plate, plateNo: '鄂F12399' })).code).toBe(200)
    expect((await answer(secondGate, { answer: LaneAnswer.pass, fee: FeeChoice.free, reason: OpenReason.fault })).code).toBe(200)
    expect(opens(await field.told(secondSn))).toHaveLength(1)
    expect(await field.stays('无牌车')).toEqual([first])

    await field.pays(first, 152)
    expect(await field.lane(field.outGate)).toMatchObject({ outcome: LaneOutcome.pass, stayId: first.id })
    await field.passes(153)
    expect(await field.stay('无牌车')).toMatchObject({ id: first.id, status: 3, paidFen: 1500 })
  })
  test('an unread car whose stay stands at no lane any more holds no other one up', async () => {
    const field = await ground.field({ noEntry: 3 })
    const answer = async (body: object) =>
      ground.ask(ground.admin, '/device/laneBoard/answer', {
        gateCode: field.outGate,
        decisionId: (await field.lane(field.outGate)).decisionId,
        ...body,
      })
    await field.exits('无牌车', 150)
    expect((await answer({ answer: LaneAnswer.enteredAt, entryTime: field.at(10) })).code).toBe(200)
    await tenMinutesLater(field, 170)
    expect(await field.stay('无牌车')).toMatchObject({ status: SessionStatus.present, exitGate: null })
    await field.exits('无牌车', 171)
    expect(await answer({ answer: LaneAnswer.enteredAt, entryTime: field.at(100) })).toMatchObject({ code: 40817 })
    expect((await answer({ answer: LaneAnswer.pass, fee: FeeChoice.free, reason: OpenReason.fault })).code).toBe(200)
    expect(opens(await field.told(field.outSn))).toHaveLength(1)
  })
  test('what the lane saw itself is not typed over there, and nothing is asked that only an exit answers', async () => {
    const field = await ground.field({ billMaxFen: 500 as never })
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12345', 90)
    const answer = async (body: object, gateCode = field.outGate) =>
      ground.ask(ground.admin, '/device/laneBoard/answer', { gateCode, decisionId: (await field.lane(gateCode)).decisionId, ...body })
    expect(await answer({ answer: LaneAnswer.enteredAt, entryTime: field.at(60) })).toMatchObject({ code: 40867, status: 409 })
    expect(await answer({ answer: LaneAnswer.ruleNow })).toMatchObject({ code: 40869, status: 409 })
    expect(await field.stay('鄂F12345')).toMatchObject({ entryTime: field.at(0), payState: PayState.checking })
    await field.enters('无牌车', 91)
    for (const body of [
      { answer: LaneAnswer.match, stayId: (await field.stay('鄂F12345')).id },
      { answer: LaneAnswer.enteredAt, entryTime: field.at(60) },
    ])
      expect(await answer(body, field.inGate)).toMatchObject({ code: 40899, status: 422 })
    expect(opens(await field.told(field.inSn))).toHaveLength(1)
  })
  test('a pass that covers it counts without an entry as it does with one: asked when it came, or at the least fee; not while its bays are taken', async () => {
    const passes = new Map([
      ['鄂F1P001', false],
      ['鄂F1P002', false],
      ['粤B8K603', true],
    ])
    const ends = [
      admission.answer('lane.test', async (_tx, { plateNo }) =>
        passes.has(plateNo) ? { pass: { passId: 'P1', allDay: true, full: passes.get(plateNo)! } } : undefined,
      ),
      cover.answer('lane.test', async (_tx, { passId, from, to }) => (passId === 'P1' ? [{ from, to }] : undefined)),
    ]
    onTestFinished(() => ends.forEach((end) => end()))
    const asks = await ground.field({ noEntry: 3 })
    await asks.exits('鄂F1P001', 150)
    const { decisionId } = await asks.lane(asks.outGate)
    await ground.ask(ground.admin, '/device/laneBoard/answer', { gateCode: asks.outGate, decisionId, answer: 4, entryTime: asks.at(10) })
    expect(await asks.stay('鄂F1P001')).toMatchObject({ carKindIn: CarKind.pass, passId: 'P1', payableFen: 0, payState: 3 })
    expect(opens(await asks.told(asks.outSn))).toHaveLength(1)
    const least = await ground.field({ noEntry: 1, noEntryFeeFen: 700 as never })
    const fees = []
    for (const [n, plate] of ['鄂F1P002', '粤B8K603', '京C77214'].entries()) {
      await least.exits(plate, n * 20)
      fees.push((await least.stay(plate)).payableFen)
    }
    expect(fees).toEqual([0, 700, 700])
    expect(await least.stay('鄂F1P002')).toMatchObject({ abnormalType: 2, entryTime: null, carKindIn: CarKind.pass, carKindOut: CarKind.pass })
  })
  test('policy 3: nobody alike, because its plate was misread: by the plate that a person types it is looked for, never let out', async () => {
    const field = await ground.field({ noEntry: 3 })
    await field.enters('鄂F12345', 0)
    await field.exits('鄂A99881', 90)
    const answer = async (more: object) =>
      ground.ask(ground.admin, '/device/laneBoard/answer', {
        gateCode: field.outGate,
        decisionId: (await field.lane(field.outGate)).decisionId,
        answer: 5,
        ...more,
      })
    expect((await answer({})).code).toBe(40812)
    expect((await answer({ plateNo: '鄂F1' })).code).toBe(40893)
    expect((await answer({ plateNo: '京C77777' })).code).toBe(200)
    expect(await field.lane(field.outGate)).toMatchObject({ state: 2, plateNo: '京C77777' })
    expect((await answer({ plateNo: '鄂f·12345' })).code).toBe(200)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 2, payableFen: 1000, payState: 1, exitMode: 3 })
    expect(opens(await field.told(field.outSn))).toHaveLength(0)
    expect((await field.decisions('鄂F12345')).at(-1)!.checks).toContainEqual(
      expect.objectContaining({ check: 11, hit: true, zh: '人工修正车牌：鄂F12345（识别为 鄂A99881），找到在场记录' }),
    )
  })
  test('policy 1: charged as unseen because its plate was misread: put right, it is the car inside and pays for its time', async () => {
    const field = await ground.field({ noEntry: 1, noEntryFeeFen: 700 as never })
    await field.enters('鄂F12345', 0)
    await field.exits('鄂A99881', 90)
    const wrong = await field.stay('鄂A99881')
    const [order] = await field.orders(wrong)
    const fix = { id: wrong.id, version: wrong.version, plateNo: '鄂F12345', reason: '看错了' }
    expect((await ground.ask(ground.admin, '/fee/parkRecord/correctPlate', fix)).data).toMatchObject({ plateNo: '鄂F12345', payableFen: 1000 })
    expect(await field.stay('鄂A99881')).toMatchObject({ status: 9, payState: 0 })
    expect(await field.orders(wrong)).toMatchObject([{ id: order!.id, status: 5 }])
    const right = await field.stay('鄂F12345')
    expect(right).toMatchObject({ status: 2, entryTime: field.at(0), exitTime: field.at(90), payableFen: 1000, payState: 1 })
    expect(await field.lane(field.outGate)).toMatchObject({ state: 3, stayId: right.id, plateNo: '鄂F12345', dueFen: 1000 })
    await field.exits('鄂A99881', 91)
    expect((await field.stays('鄂A99881')).map(({ status }) => status)).toEqual([9])
    expect(await field.lane(field.outGate)).toMatchObject({ state: 3, stayId: right.id, plateNo: '鄂F12345' })
    await field.pays(await field.stay('鄂F12345'), 92)
    expect(opens(await field.told(field.outSn))).toHaveLength(1)
    await field.exits('鄂A99881', 93)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 2, payState: 2 })
    await field.passes(94)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 3, paidFen: 1000 })
    await field.exits('鄂A99881', 95)
    expect((await field.stays('鄂A99881')).map(({ status }) => status)).toEqual([2, 9])
  })
  test('a plate put right while the car waits: its exit decides by the right one', async () => {
    const field = await ground.field()
    await field.enters('鄂F12346', 0)
    await field.exits('鄂F12346', 90)
    const { id, version } = await field.stay('鄂F12346')
    const fix = { id, version, plateNo: '鄂F0001警', reason: '看错了' }
    expect((await ground.ask(ground.admin, '/fee/parkRecord/correctPlate', fix)).code).toBe(200)
    expect(await field.lane(field.outGate)).toMatchObject({ state: 4, plateNo: '鄂F0001警', dueFen: 0 })
    expect(opens(await field.told(field.outSn))).toHaveLength(1)
  })
  test('a clock that runs backwards: marked, without a fee, for a person', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 60)
    await field.exits('鄂F12345', 50)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 4, abnormalType: 8, durationMin: 0, payableFen: 0 })
    expect(await field.lane(field.outGate)).toMatchObject({ state: 2 })
    const { id, version } = await field.stay('鄂F12345')
    const fix = { id, version, plateNo: '鄂F12346', reason: '看错了' }
    expect((await ground.ask(ground.admin, '/fee/parkRecord/correctPlate', fix)).data).toMatchObject({ status: 4, plateNo: '鄂F12346' })
  })
  test('a green plate read as a blue one: the plate that is typed says its colour', async () => {
    const field = await ground.field({ noEntry: 3 })
    await field.enters('鄂FD12345', 0, { color: 'green' })
    await field.exits('鄂A99881', 90, { color: 'blue' })
    const { decisionId } = await field.lane(field.outGate)
    const answer = { gateCode: field.outGate, decisionId, answer: 5, plateNo: '鄂FD12345' }
    expect((await ground.ask(ground.admin, '/device/laneBoard/answer', answer)).code).toBe(200)
    expect(await field.stay('鄂FD12345')).toMatchObject({ status: 2, plateColor: 4, payableFen: 1000 })
  })
})

describe('out without paying', () => {
  test('the barrier went up by no command of ours: forced, and in arrears', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12345', 90)
    await field.passes(91, { cause: 'manual' })
    const stay = await field.stay('鄂F12345')
    expect(stay).toMatchObject({ status: 3, abnormalType: 5, payState: 4 })
    expect(await field.orders(stay)).toMatchObject([{ status: 4, sourceType: 2, arrearsFen: 1000 }])
    await field.pays(stay, 200)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 3, payState: 2, paidFen: 1000 })
  })
  test('close behind one that had paid: when the next car stands there, it has followed it out', async () => {
    const field = await ground.field()
    for (const plate of ['鄂F10001', '鄂F10002', '鄂F10003']) await field.enters(plate, 0)
    await field.exits('鄂F10001', 90)
    await field.pays(await field.stay('鄂F10001'), 91)
    await field.passes(91.1, { sn: 'nobody' }).catch(() => {})
    await field.write((tx) =>
      tx
        .updateTable('parking.lane')
        .set({ gateState: 'opened', gateAt: field.at(91.1) })
        .where('gateCode', '=', field.outGate)
        .execute(),
    )
    await field.exits('鄂F10002', 91.2)
    expect(await field.stay('鄂F10001')).toMatchObject({ status: 3, abnormalType: 0 })
    expect(await field.stay('鄂F10002')).toMatchObject({ status: 2, tailing: true })
    await field.write((tx) => tx.updateTable('parking.lane').set({ gateState: 'closed' }).where('gateCode', '=', field.outGate).execute())
    await field.exits('鄂F10003', 93)
    const follower = await field.stay('鄂F10002')
    expect(follower).toMatchObject({ status: 3, abnormalType: 6, payState: 4 })
    expect(await field.orders(follower)).toMatchObject([{ status: 4, sourceType: 3 }])
    expect(await field.stay('鄂F10003')).toMatchObject({ status: 2, tailing: false })
  })
  test('where the barrier tells nothing, a car that was let through has left after ten minutes', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12345', 10)
    await tenMinutesLater(field, 21)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 3, abnormalType: 0 })
  })
  test('let in, but it backed out of the entrance: no stay', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await field.passes(1, { sn: field.inSn, passed: false })
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 9, abnormalType: 7 })
  })
})

describe('arrears at the exit', () => {
  test('policy 3: paid first, then it may leave', async () => {
    const field = await ground.field({ exitArrears: 3 })
    await field.enters('鄂F77777', 0)
    await field.exits('鄂F77777', 90)
    await field.passes(91, { cause: 'manual' })
    const owed = await field.stay('鄂F77777')
    await field.enters('鄂F77777', 900)
    await field.exits('鄂F77777', 905)
    expect(await field.lane(field.outGate)).toMatchObject({ state: 3, outcome: 5, dueFen: 1000 })
    await field.told(field.outSn)
    await field.pays(owed, 906)
    expect(opens(await field.told(field.outSn))).toHaveLength(1)
    await field.passes(907)
    expect(await field.stay('鄂F77777')).toMatchObject({ status: 3, payState: 3 })
    expect(debts.answeredBy()).toContain('arrears')
  })
})

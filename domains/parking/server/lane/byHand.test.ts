import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Fen, Instant } from '../../../../platform/contract/field.ts'
import { instantAt } from '../../../../platform/contract/time.ts'
import { run } from '../../../../platform/server/database.ts'
import { begin, noticePayment } from '../../../settlement/server/api.ts'
import { FeeChoice, GateAction, OpenReason } from '../../contract/gate.ts'
import { NoEntry } from '../../contract/park.ts'
import { LaneAnswer } from '../../contract/laneBoard.ts'
import { LaneOutcome, PayState, SessionAbnormal } from '../../contract/stay.ts'
import { closeAgain, holdOpen } from './emergency.ts'
import { barrier } from '../factories.ts'
import { stillStands } from './paid.ts'
import { admission } from '../questions.ts'
import { aGround, aRule, type Field, type Ground, opens, tenMinutesLater } from '../testing.ts'

let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.server.close())

describe('a person opens', () => {
  const open = (field: Field, body: object) =>
    ground.ask(ground.admin, '/device/gateOperation/openGateToPark', {
      gateCode: field.outGate,
      reason: OpenReason.other,
      remark: '现场核对',
      ...body,
    })
  test.each([
    [FeeChoice.free, { payState: 3, payableFen: 0, receivableFen: 1000, discountFen: 1000 }, 3, '应缴 10 元，人工免费放行'],
    [FeeChoice.arrears, { payState: 4, payableFen: 1000 }, 4, '应缴 10 元，人工放行，记欠费'],
    [FeeChoice.cash, { payState: 2, paidFen: 1000 }, 2, expect.any(String)],
  ])('fee %i', async (fee, after, status, said) => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12345', 90)
    await field.told(field.outSn)
    expect(await open(field, {})).toMatchObject({ code: 40803, status: 422 })
    expect((await open(field, { fee })).code).toBe(200)
    expect(opens(await field.told(field.outSn))).toHaveLength(1)
    expect((await field.lane(field.outGate)).checks.at(-1)).toMatchObject({ hit: true, zh: said })
    await field.passes(91)
    const stay = await field.stay('鄂F12345')
    expect(stay).toMatchObject({ status: 3, abnormalType: 0, operatorOut: '系统管理员', ...after })
    expect(await field.orders(stay)).toMatchObject([{ status }])
  })
  test.each([
    [FeeChoice.free, { payState: 3, payableFen: 0, receivableFen: 2000, discountFen: 2000 }, 3],
    [FeeChoice.arrears, { payState: 4, payableFen: 2000, paidFen: 0 }, 4],
    [FeeChoice.cash, { payState: 2, paidFen: 2000 }, 2],
  ])('while the exit asks whose car it is: fee %i of one that nobody saw coming in', async (fee, after, status) => {
    const field = await ground.field({ noEntry: 1, noEntryFeeFen: 2000 as Fen })
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12346', 90)
    expect((await field.lane(field.outGate)).outcome).toBe(LaneOutcome.ask)
    await field.told(field.outSn)
    expect(await open(field, {})).toMatchObject({ code: 40803, status: 422 })
    expect(await field.stays('鄂F12346')).toEqual([])
    expect((await open(field, { fee })).code).toBe(200)
    expect(opens(await field.told(field.outSn))).toHaveLength(1)
    await field.passes(91)
    const stay = await field.stay('鄂F12346')
    expect(stay).toMatchObject({ status: 3, operatorOut: '系统管理员', ...after })
    expect(await field.orders(stay)).toMatchObject([{ status }])
  })
  test('while a fee is checked it is neither owed nor taken in cash: the car goes free, or waits', async () => {
    const field = await ground.field({ billMaxFen: 500 as Fen })
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12345', 90)
    for (const fee of [FeeChoice.arrears, FeeChoice.cash]) expect(await open(field, { fee })).toMatchObject({ code: 40860, status: 422 })
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 2, payState: PayState.checking })
    expect((await open(field, { fee: FeeChoice.free })).code).toBe(200)
    await field.passes(91)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 3, payableFen: 0, paidFen: 0 })
  })
  test('where the entry time is asked for and nobody knows it yet, the fee is neither owed nor taken in cash', async () => {
    const field = await ground.field({ noEntry: NoEntry.ask })
    await field.exits('鄂F12345', 90)
    for (const fee of [FeeChoice.arrears, FeeChoice.cash]) expect(await open(field, { fee })).toMatchObject({ code: 40863, status: 422 })
    expect(opens(await field.told(field.outSn))).toEqual([])
    expect(await field.stays('鄂F12345')).toEqual([])
    expect((await open(field, { fee: FeeChoice.free })).code).toBe(200)
    await field.passes(91)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 3, payableFen: 0, paidFen: 0 })
  })
  /** A car at an exit whose fee nobody has worked out, or that owes one all the same. */
  const ASKING = {
    'no rule': async () => {
      const field = await ground.field()
      await field.write((tx) => run(tx, { sql: 'delete from fee.associate where park_code = $1' }, [field.parkCode]))
      await field.enters(PLATE, 0)
      return leaving(field)
    },
    'its bill is checked': async () => {
      const field = await ground.field({ billMaxFen: 500 as Fen })
      await field.enters(PLATE, 0)
      return leaving(field)
    },
    'nobody saw it coming in': async () => leaving(await ground.field({ noEntry: NoEntry.ask })),
    'it may be the car inside': async () => {
      const field = await ground.field({ noEntry: NoEntry.free })
      await field.enters('鄂F12346', 0)
      return leaving(field)
    },
  }
  const PLATE = '鄂F12345'
  const leaving = async (field: Field) => {
    await field.exits(PLATE, 90)
    expect((await field.lane(field.outGate)).outcome).toBe(LaneOutcome.ask)
    await field.told(field.outSn)
    return field
  }
  const answer = async (field: Field, body: object) =>
    ground.ask(ground.admin, '/device/laneBoard/answer', {
      gateCode: field.outGate,
      decisionId: (await field.lane(field.outGate)).decisionId,
      answer: LaneAnswer.pass,
      ...body,
    })
  const WAYS = {
    'the lane board': answer,
    'the gate': (field: Field, body: object) => open(field, body),
  }
  test.each(Object.keys(ASKING).flatMap((asks) => Object.keys(WAYS).map((way) => [asks, way] as const)))(
    'while the exit asks (%s), by %s: nobody goes free before it is said what becomes of the fee',
    async (asks, way) => {
      const field = await ASKING[asks as keyof typeof ASKING]()
      const act = WAYS[way as keyof typeof WAYS]
      expect(await act(field, { reason: OpenReason.other, remark: '现场核对' })).toMatchObject({ code: 40803, status: 422 })
      for (const fee of [FeeChoice.arrears, FeeChoice.cash])
        expect((await act(field, { reason: OpenReason.other, remark: '现场核对', fee })).status, `fee ${fee}`).toBe(422)
      expect(opens(await field.told(field.outSn))).toEqual([])
      expect((await act(field, { reason: OpenReason.other, fee: FeeChoice.free, remark: '现场核对' })).code).toBe(200)
      expect(opens(await field.told(field.outSn))).toHaveLength(1)
    },
  )
  test.each(Object.entries(WAYS))('by %s: “other” is no reason without a note', async (_, act) => {
    const field = await ASKING['no rule']()
    const said = { reason: OpenReason.other, fee: FeeChoice.free }
    for (const remark of [undefined, '  ']) expect((await act(field, { ...said, remark })).status).toBeGreaterThanOrEqual(400)
    expect(await act(field, { ...said, remark: undefined })).toMatchObject({ code: 40816, status: 422 })
    expect(opens(await field.told(field.outSn))).toEqual([])
    expect((await act(field, { ...said, remark: '救护车跟车' })).code).toBe(200)
    expect(opens(await field.told(field.outSn))).toHaveLength(1)
  })
  test.each([GateAction.close, GateAction.keepOpen, GateAction.lock])('“other” wants a note for act %i of a barrier, too', async (action) => {
    const field = await ground.field()
    expect(await open(field, { action, remark: undefined })).toMatchObject({ code: 40816, status: 422 })
    expect((await open(field, { action, remark: '检修' })).code).toBe(200)
  })
  test('at the lane board an exit wants a reason too, an entrance does not', async () => {
    const field = await ASKING['no rule']()
    expect(await answer(field, { fee: FeeChoice.free })).toMatchObject({ code: 40813, status: 422 })
    expect((await answer(field, { fee: FeeChoice.free, reason: OpenReason.fault })).code).toBe(200)
    const { id } = await field.stay(PLATE)
    const { data } = await ground.ask(ground.admin, '/fee/parkRecord/story', { id }, 'GET')
    expect(JSON.stringify(data)).toContain('故障；免费')
  })
  test('whoever goes free though nothing said what it costs is marked as such', async () => {
    const field = await ASKING['no rule']()
    await answer(field, { fee: FeeChoice.free, reason: OpenReason.other, remark: '现场核对' })
    await field.passes(91)
    expect(await field.stay(PLATE)).toMatchObject({ status: 3, payableFen: 0, abnormalType: SessionAbnormal.unpriced })
    expect((await field.decisions(PLATE)).at(-1)!.checks.at(-1)).toMatchObject({ hit: true, zh: '未配置收费规则，人工免费放行' })
  })
  test.each([
    [FeeChoice.arrears, { payState: 4, payableFen: 1000 }],
    [FeeChoice.cash, { payState: 2, paidFen: 1000 }],
    [FeeChoice.free, { payState: 3, receivableFen: 1000, discountFen: 1000 }],
  ])('at the lane board a fee that is known is settled as it is said there: %i', async (fee, after) => {
    const { aside, plateNo } = await detained()
    expect(await answer(aside, { reason: OpenReason.other, remark: '现场核对' })).toMatchObject({ code: 40803 })
    expect((await answer(aside, { reason: OpenReason.other, remark: '现场核对', fee })).code).toBe(200)
    expect(opens(await aside.told(aside.outSn))).toHaveLength(1)
    await aside.passes(91)
    expect(await aside.stay(plateNo)).toMatchObject({ status: 3, ...after })
  })
  /** On the black list with "may enter, does not leave alone": its fee is known. */
  async function detained() {
    const aside = await ground.field()
    const plateNo = `鄂FK${aside.parkCode.slice(1)}0`
    admission.answer('byHand.test', async (_tx, car) =>
      car.plateNo === plateNo ? { black: { action: 2, zh: '欠租', en: 'rent' } as never } : undefined,
    )
    await aside.enters(plateNo, 0)
    await aside.exits(plateNo, 90)
    await aside.told(aside.outSn)
    return { aside, plateNo }
  }
  test('who owes nothing goes on a reason alone', async () => {
    const aside = await ground.field()
    admission.answer('byHand.test', async () => ({ black: { action: 2, zh: '欠租', en: 'rent' } as never }))
    await aside.enters(PLATE, 0)
    await aside.exits(PLATE, 10)
    admission.answer('byHand.test', async () => undefined)
    expect((await answer(aside, { reason: OpenReason.other, remark: '现场核对' })).code).toBe(200)
    expect(await aside.stay(PLATE)).toMatchObject({ payableFen: 0, abnormalType: 0 })
  })
  test('one that left before it came by its clocks: its fee is said too', async () => {
    const field = await ground.field()
    await field.enters(PLATE, 100)
    await leaving(field)
    expect(await answer(field, { reason: OpenReason.other, remark: '现场核对' })).toMatchObject({ code: 40803 })
    expect((await answer(field, { reason: OpenReason.other, remark: '现场核对', fee: FeeChoice.free })).code).toBe(200)
  })
  test('no rule was in force when it came: it is charged by the one that is in force now', async () => {
    const field = await ASKING['no rule']()
    expect(await answer(field, { answer: LaneAnswer.ruleNow })).toMatchObject({ code: 40020 })
    await field.write((tx) => aRule(tx, { parkCode: field.parkCode, from: field.at(60) }))
    expect((await answer(field, { answer: LaneAnswer.ruleNow })).code).toBe(200)
    expect(await field.lane(field.outGate)).toMatchObject({ outcome: LaneOutcome.toPay, dueFen: 1000 })
    expect(opens(await field.told(field.outSn))).toEqual([])
    await field.pays(await field.stay(PLATE), 91)
    expect(opens(await field.told(field.outSn))).toHaveLength(1)
  })
  test('which rule counts does not say whose car it is: the exit goes on asking', async () => {
    const field = await ASKING['it may be the car inside']()
    expect(await answer(field, { answer: LaneAnswer.ruleNow })).toMatchObject({ code: 40814, status: 409 })
    expect(opens(await field.told(field.outSn))).toEqual([])
    expect(await field.stays(PLATE)).toEqual([])
    expect(await field.lane(field.outGate)).toMatchObject({ outcome: LaneOutcome.ask, stayId: null, candidates: [{ plateNo: '鄂F12346' }] })
  })
  /** Misread at the exit, matched to its stay, and then asked about once more. */
  const matched = async () => {
    const field = await ASKING['it may be the car inside']()
    await field.write((tx) => run(tx, { sql: 'delete from fee.associate where park_code = $1' }, [field.parkCode]))
    await field.write((tx) => run(tx, { sql: 'update parking.stay set rule_version_id = null where park_code = $1' }, [field.parkCode]))
    const { id } = await field.stay('鄂F12346')
    expect((await answer(field, { answer: LaneAnswer.match, stayId: id })).code).toBe(200)
    expect(await field.lane(field.outGate)).toMatchObject({ outcome: LaneOutcome.ask, stayId: id })
    return field
  }
  test.each(Object.entries(WAYS))('a match holds where the exit asks again and the car is let out by %s', async (_, act) => {
    const field = await matched()
    expect((await act(field, { reason: OpenReason.other, remark: '现场核对', fee: FeeChoice.free })).code).toBe(200)
    expect(opens(await field.told(field.outSn))).toHaveLength(1)
    await field.passes(91)
    expect(await field.stays(PLATE)).toEqual([])
    expect(await field.stay('鄂F12346')).toMatchObject({ status: 3, operatorOut: '系统管理员', entryTime: field.at(0) })
  })
  test('a match holds where the rule of now is said next, and where the gate is unlocked', async () => {
    const field = await matched()
    await field.write((tx) => aRule(tx, { parkCode: field.parkCode, from: field.at(60) }))
    expect((await answer(field, { answer: LaneAnswer.ruleNow })).code).toBe(200)
    expect(await field.lane(field.outGate)).toMatchObject({ outcome: LaneOutcome.toPay, dueFen: 1000 })
    for (const action of [GateAction.lock, GateAction.unlock]) expect((await open(field, { action })).code).toBe(200)
    expect(await field.lane(field.outGate)).toMatchObject({ outcome: LaneOutcome.toPay, dueFen: 1000, plateNo: '鄂F12346' })
    expect(await field.stays(PLATE)).toEqual([])
  })
  test('a refused car is let in by hand; its record says by whom', async () => {
    const field = await ground.field({ tempAllowed: false })
    await field.enters('鄂F12345', 0)
    expect(await field.lane(field.inGate)).toMatchObject({ state: 2 })
    await ground.ask(ground.admin, '/device/gateOperation/openGateToPark', { gateCode: field.inGate, reason: OpenReason.special })
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 1, entryMode: 3, operatorIn: '系统管理员' })
    expect(opens(await field.told(field.inSn))).toHaveLength(1)
  })
  test('a second click within two seconds is refused, and other people’s parks are not there', async () => {
    const field = await ground.field()
    expect((await open(field, {})).code).toBe(200)
    expect((await open(field, {})).status).toBe(429)
    expect(
      (await ground.ask(ground.operator, '/device/gateOperation/openGateToPark', { gateCode: field.outGate, reason: OpenReason.test })).status,
    ).toBe(404)
    expect(
      (await ground.ask(ground.other, '/device/gateOperation/openGateToPark', { gateCode: field.outGate, reason: OpenReason.test })).status,
    ).toBe(404)
  })
  test('all barriers open: cars leave free, at once', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    expect((await ground.ask(ground.admin, '/basic/parkInfo/openAll', { parkCode: field.parkCode, open: true, reason: '火警' })).code).toBe(200)
    await field.exits('鄂F12345', 300)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 3, payState: 3, payableFen: 0 })
  })
  const emergency = (field: Field, yes: boolean) =>
    ground.ask(ground.admin, '/basic/parkInfo/openAll', { parkCode: field.parkCode, open: yes, reason: '火警' })
  test('all barriers open: a car that was asked to pay goes free, and has forced nothing', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12345', 300)
    expect(await field.lane(field.outGate)).toMatchObject({ state: 3 })
    await emergency(field, true)
    await field.passes(301, { cause: 'command' })
    const gone = await field.stay('鄂F12345')
    expect(gone).toMatchObject({ status: 3, payState: 3, payableFen: 0, abnormalType: 0 })
    expect(await field.orders(gone)).not.toContainEqual(expect.objectContaining({ status: 0 }))
    expect(await field.lane(field.outGate)).toMatchObject({ state: 1 })
  })
  test('all barriers open: none is opened for one car alone, closed or locked, until it ends', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await field.told(field.outSn)
    await emergency(field, true)
    await field.exits('鄂F12345', 300)
    expect(new Set((await field.told(field.outSn)).map(({ method }) => method))).toEqual(new Set(['gate.keepOpen', 'display.show']))
    for (const action of [GateAction.close, GateAction.lock]) expect(await open(field, { action })).toMatchObject({ status: 409, code: 40894 })
    expect((await open(field, {})).code).toBe(200)
    expect(opens(await field.told(field.outSn))).toEqual([])
    const { data: board } = await ground.ask(ground.admin, '/device/laneBoard/state', { parkCode: field.parkCode }, 'GET')
    expect(board).toMatchObject({ openAllFrom: expect.any(String), openAllBy: expect.any(String), lanes: [{ openAll: true }, { openAll: true }] })
    expect(await field.lane(field.outGate)).toMatchObject({ state: 4 })
    await emergency(field, false)
    expect(await field.lane(field.outGate)).toMatchObject({ state: 1 })
    expect((await open(field, { action: GateAction.close })).code).toBe(200)
  })
  test('kept open by hand: no car is let through by a single opening, the board says until when, and closing or locking ends it', async () => {
    const field = await ground.field()
    const kept = async (gateCode: string) => {
      const { data } = await ground.ask(ground.admin, '/device/laneBoard/state', { parkCode: field.parkCode }, 'GET')
      return data.lanes.find((lane: any) => lane.gateCode === gateCode).keptOpenUntil
    }
    const methodsTo = async (sn: string) => (await field.told(sn)).filter(({ method }) => method !== 'display.show')
    const keep = () => open(field, { action: GateAction.keepOpen, seconds: 600 })
    await field.enters('鄂F12345', 0)
    expect(await kept(field.outGate)).toBeNull()
    expect((await keep()).code).toBe(200)
    expect(await methodsTo(field.outSn)).toMatchObject([{ method: 'gate.keepOpen', params: { seconds: 600 } }])
    expect(Date.parse(await kept(field.outGate)) - Date.now()).toBeGreaterThan(590_000)
    expect(await kept(field.inGate)).toBeNull()
    await field.exits('鄂F12345', 5)
    expect(new Set((await methodsTo(field.outSn)).map(({ method }) => method))).toEqual(new Set(['gate.keepOpen']))
    expect((await open(field, { fee: FeeChoice.free })).code).toBe(200)
    expect(opens(await field.told(field.outSn))).toEqual([])
    const { openRef } = await field.lane(field.outGate)
    const toldAgain = () => field.write((tx) => stillStands(tx, { orderId: openRef!, gateCode: field.outGate }))
    expect(await toldAgain()).toBe(false)
    expect((await open(field, { action: GateAction.close })).code).toBe(200)
    expect(await kept(field.outGate)).toBeNull()
    expect(await toldAgain()).toBe(true)
    expect((await open(field, { fee: FeeChoice.free })).code).toBe(200)
    expect(opens(await field.told(field.outSn))).toHaveLength(1)
    const moves = (state: 'opened' | 'closed', seconds: number) =>
      field.write((tx) => barrier(tx, { sn: field.outSn, at: instantAt(Date.now() + seconds * 1_000), state, cause: 'manual' }))
    await keep()
    await moves('closed', 5) // behind the car before: it has not heard of it yet
    expect(await kept(field.outGate)).not.toBeNull()
    await moves('opened', 6)
    await moves('closed', 30)
    expect(await kept(field.outGate)).toBeNull()
    await moves('opened', 40)
    expect(await kept(field.outGate)).toBeNull()
    await keep()
    expect(await kept(field.outGate)).not.toBeNull()
    expect((await open(field, { action: GateAction.lock })).code).toBe(200)
    expect(await kept(field.outGate)).toBeNull()
  })
  test('kept open by hand: nobody sees the car pass, and ten minutes after it was let through it has left', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12345', 5)
    await field.write((tx) => barrier(tx, { sn: field.outSn, at: field.at(5), state: 'opened', cause: 'manual' }))
    expect((await open(field, { action: GateAction.keepOpen, seconds: 3_600 })).code).toBe(200)
    expect((await open(field, { fee: FeeChoice.free })).code).toBe(200)
    await tenMinutesLater(field, 16)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 3, exitTime: field.at(5) })
  })
  test('all barriers open: a car that is paying just then owes nothing, and what it pays goes back', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12345', 300)
    const { orderId } = await field.stay('鄂F12345')
    const { attempt } = await field.write((tx) => begin(tx, orderId!, 1, field.at(300)))
    await emergency(field, true)
    expect(await field.stay('鄂F12345')).toMatchObject({ status: 3, payableFen: 0, abnormalType: 0 })
    const { payNo, channel, amountFen } = attempt
    await field.write((tx) => noticePayment(tx, { payNo, channel, tradeNo: `T${payNo}`, amountFen, paidAt: field.at(301), at: field.at(301) }))
    const back = await field.write((tx) => run(tx, { sql: 'select amount_fen from settlement.refund where order_id = $1' }, [orderId!]))
    expect(back).toMatchObject([{ amountFen }])
  })
  test('all barriers open: one that did not hear of the end is told again when it is on line, unless it was told something else since', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await emergency(field, true)
    await emergency(field, false)
    await field.told(field.outSn)
    const set = (sql: string) => field.write((tx) => run(tx, { sql }, [field.outSn]))
    const look = () => field.write((tx) => closeAgain(tx, { parkCode: field.parkCode, endedAt: field.at(1) }, field.at(2)))
    await set(`update device.command set state = 5 where device_no = $1 and method = 'gate.close'`)
    await look()
    expect(await field.told(field.outSn)).toEqual([])
    await set('update device.presence set online = true where device_no = $1')
    await look()
    expect((await field.told(field.outSn)).map(({ method }) => method)).toEqual(['gate.close'])
    await look()
    expect(await field.told(field.outSn)).toEqual([])
    await set(`update device.command set state = 5 where device_no = $1 and method = 'gate.close'`)
    expect((await open(field, { action: GateAction.keepOpen })).code).toBe(200)
    await field.told(field.outSn)
    await look()
    expect(await field.told(field.outSn)).toEqual([])
  })
  test('all barriers open: a car of long ago that a lane still shows does not leave once more', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await field.exits('鄂F12345', 300)
    const { id } = await field.stay('鄂F12345')
    await field.write((tx) => run(tx, { sql: 'update parking.stay set status = 3 where id = $1' }, [id]))
    await emergency(field, true)
    const stays = await field.write((tx) => run(tx, { sql: 'select id, status from parking.stay where park_code = $1' }, [field.parkCode]))
    expect(stays).toEqual([{ id, status: 3 }])
  })
  test('all barriers open: one that is online and did not go up is told again', async () => {
    const field = await ground.field()
    await field.enters('鄂F12345', 0)
    await emergency(field, true)
    await field.told(field.inSn)
    await field.told(field.outSn)
    await field.write((tx) => barrier(tx, { sn: field.inSn, at: field.at(1), state: 'opened', cause: 'command' }))
    await field.write((tx) => holdOpen(tx))
    expect(await field.told(field.outSn)).toEqual([])
    await field.write((tx) => run(tx, { sql: 'update device.presence set online = true where device_no = any($1)' }, [[field.inSn, field.outSn]]))
    await field.write((tx) => holdOpen(tx))
    expect(await field.told(field.outSn)).toEqual([]) // it is being told
    await field.write((tx) => run(tx, { sql: 'update device.command set state = 5 where device_no = $1' }, [field.outSn]))
    await field.write((tx) => holdOpen(tx))
    expect((await field.told(field.outSn)).map(({ method }) => method)).toEqual(['gate.keepOpen'])
    expect(await field.told(field.inSn)).toEqual([])
  })
  test('all barriers open: each is told once, whatever cars stand there or come, and again when it came down', async () => {
    const field = await ground.field()
    const kept = async (sn: string) => (await field.told(sn)).filter(({ method }) => method === 'gate.keepOpen')
    await field.enters('鄂F12345', 0)
    await field.enters('鄂F12346', 0)
    await field.exits('鄂F12345', 300)
    await emergency(field, true)
    expect(await field.lane(field.outGate)).toMatchObject({ state: 4, outcome: 1, commandId: expect.any(String) })
    await field.exits('鄂F12346', 301)
    await field.enters('鄂F12347', 302)
    expect(await kept(field.outSn)).toHaveLength(1)
    expect(await kept(field.inSn)).toHaveLength(1)
    const soon = new Date(Date.now() + 60_000).toISOString() as Instant
    await field.write((tx) =>
      run(tx, { sql: "update parking.lane set gate_state = 'closed', gate_at = $2 where gate_code = $1" }, [field.inGate, soon]),
    )
    await field.enters('鄂F12348', 303)
    expect(await kept(field.inSn)).toHaveLength(1)
  })
})

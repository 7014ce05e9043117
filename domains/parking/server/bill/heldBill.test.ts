import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../../platform/server/database.ts'
import { DriverState } from '../../../settlement/contract/scan.ts'
import { HeldState, HeldVerdict, HeldWhy } from '../../contract/heldBill.ts'
import { LaneAnswer, LaneState } from '../../contract/laneBoard.ts'
import { NoEntry } from '../../contract/park.ts'
import { LaneOutcome, PayState, SessionStatus, StoryEventKind } from '../../contract/stay.ts'
import { checked } from './checking.ts'
import { parkOf } from '../place/park.ts'
import { aGround, type Field, type Ground } from '../testing.ts'

let ground: Ground
beforeAll(async () => void (ground = await aGround()))
afterAll(() => ground.server.close())

const PLATE = '鄂F68Q21'
const now = (field: Field) => (Date.now() - Date.parse(field.at(0))) / 60_000
/** A car that has been inside for so many minutes, in a park that lets nobody pay more than 10 yuan unseen. */
const inside = async (minutes: number, policies = {}) => {
  const field = await ground.field({ billMaxFen: 1000 as never, phone: '0710-3511000', ...policies })
  await field.enters(PLATE, now(field) - minutes)
  await field.passes(now(field) - minutes, { sn: field.inSn })
  return field
}
const held = async ({ parkCode }: Field) => (await ground.ask(ground.admin, '/fee/heldBill/list', { parkCode }, 'GET')).data.records
/** Returns the fee checks in a stay's story, which do not appear again among what people did. */
const checksIn = async ({ id }: { id: string }) => {
  const { events } = (await ground.ask(ground.admin, '/fee/parkRecord/story', { id }, 'GET')).data
  expect(events.filter(({ zh }: any) => zh.startsWith('核对停车费用'))).toEqual([])
  return events.filter(({ kind }: any) => kind === StoryEventKind.feeCheck)
}
const decide = async (field: Field, verdict: number, more: object = {}, who = ground.admin) => {
  const [{ id, version }] = await held(field)
  return ground.ask(who, '/fee/heldBill/decide', { id, version, verdict, reason: '已核对录像', ...more })
}
const driver = async (field: Field) => {
  const code = (await ground.ask(ground.admin, '/device/qrcode/query', { parkCode: field.parkCode, target: [1] })).data.records[0].code
  return (await ground.ask<any[]>(null, '/business/order/scanQuote', { code, plateNo: PLATE })).data[0]
}

test('an impossible bill at an exit is held: no order, the sign and the board say so, a person is told why; released it is asked for', async () => {
  const field = await inside(170)
  await field.told(field.outSn)
  await field.exits(PLATE, now(field))
  const stay = await field.stay(PLATE)
  expect(stay).toMatchObject({ status: SessionStatus.leaving, payState: PayState.checking, orderId: null })
  expect(await field.orders(stay)).toEqual([])
  expect((await field.told(field.outSn)).flatMap(({ params }) => params.lines ?? [])).toEqual([PLATE, '费用核对中', '请等候值班人员'])
  const lane = await field.lane(field.outGate)
  expect(lane).toMatchObject({ state: LaneState.asking, outcome: LaneOutcome.ask, dueFen: 0 })
  expect(lane.checks.findLast(({ hit }) => hit)!.zh).toBe('费用核对中：超过车场单笔上限 10 元，算得 15 元')
  expect(await held(field)).toMatchObject([
    { stayId: stay.id, plateNo: PLATE, why: HeldWhy.aboveBound, amountFen: 1500, limitFen: 1000, parkedMin: 170, state: HeldState.waiting },
  ])
  const { data } = await ground.ask(
    ground.admin,
    '/fee/parkRecord/queryAbnormalPage',
    { parkCode: field.parkCode, payState: PayState.checking },
    'GET',
  )
  expect(data.records).toMatchObject([{ id: stay.id, payState: PayState.checking }])
  const told = await field.write((tx) =>
    run<any>(tx, { sql: "select distinct title, link from message.record where title like '%待核对' and link like $1" }, [`%${field.parkCode}`]),
  )
  expect(told).toMatchObject([
    { title: expect.stringContaining(PLATE), link: `/operation/record/parking/abnormal?payState=5&parkCode=${field.parkCode}` },
  ])

  expect(await decide(field, HeldVerdict.release, { reason: '' })).toMatchObject({ status: 400 })
  expect((await decide(field, HeldVerdict.release)).data).toMatchObject({
    state: HeldState.released,
    reason: '已核对录像',
    decidedBy: expect.any(String),
  })
  expect(await field.lane(field.outGate)).toMatchObject({ state: LaneState.toPay, outcome: LaneOutcome.toPay, dueFen: 1500 })
  const released = await field.stay(PLATE)
  expect(released).toMatchObject({ payState: PayState.toPay, payableFen: 1500, abnormalType: 0 })
  await field.pays(released, now(field))
  expect((await field.told(field.outSn)).map(({ method }) => method)).toContain('gate.open')
  expect(await checksIn(released)).toMatchObject([
    {
      zh: '待核对：超过车场单笔上限 10 元，算得 15 元',
      en: 'To be checked: Above the car park’s limit for one bill (¥10), calculated ¥15',
      by: null,
    },
    { zh: '金额无误，本次停车计 15 元：已核对录像', en: 'Amount confirmed, ¥15 for the stay: 已核对录像', by: expect.any(String) },
  ])
})

test('corrected, the other amount is asked for; no more than was worked out, and decided once', async () => {
  const field = await inside(170)
  await field.exits(PLATE, now(field))
  expect(await decide(field, HeldVerdict.correct)).toMatchObject({ status: 422, code: 40889 })
  expect(await decide(field, HeldVerdict.correct, { setFen: 1600 })).toMatchObject({ status: 422, code: 40890 })
  const both = await Promise.all([decide(field, HeldVerdict.correct, { setFen: 800 }), decide(field, HeldVerdict.release)])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const again = await decide(field, HeldVerdict.release)
  expect(again).toMatchObject({ status: 409 })
  const [{ state, setFen }] = await held(field)
  expect(await field.stay(PLATE)).toMatchObject({ payState: PayState.toPay, payableFen: state === HeldState.corrected ? setFen : 1500 })
})

test('a driver inside is told that the fee is checked and whom to call; an order from before is cancelled', async () => {
  const field = await inside(50)
  expect(await driver(field)).toMatchObject({ state: DriverState.toPay, dueFen: 500, helpPhone: null })
  await field.write((tx) =>
    tx
      .updateTable('parking.stay')
      .set({ entryTime: field.at(now(field) - 170) })
      .where('parkCode', '=', field.parkCode)
      .execute(),
  )
  const checking = { state: DriverState.checking, dueFen: 0, orderNo: null, lines: [], helpPhone: '0710-3511000' }
  expect(await driver(field)).toMatchObject(checking)
  expect(await driver(field)).toMatchObject(checking)
  expect(await held(field)).toHaveLength(1)
  expect(await field.orders(await field.stay(PLATE))).toMatchObject([{ status: 5, paidFen: 0 }])
  await decide(field, HeldVerdict.correct, { setFen: 1000 })
  expect(await driver(field)).toMatchObject({ state: DriverState.toPay, dueFen: 1000 })
})

test('a stay longer than an overstay is looked at, one that costs nothing is not', async () => {
  const field = await inside(2 * 1440, { billMaxFen: 100_000, overstayDays: 1 })
  await field.exits(PLATE, now(field))
  expect(await held(field)).toMatchObject([{ why: HeldWhy.tooLong, limitFen: null, parkedMin: 2880 }])
  const free = await inside(10, { billMaxFen: 1 })
  await free.exits(PLATE, now(free))
  expect(await held(free)).toEqual([])
})

test('more than the rule can ask, less than nothing, or no sum of its lines', async () => {
  const field = await inside(60, { billMaxFen: 1_000_000 })
  const stay = await field.stay(PLATE)
  const why = (receivableFen: number, mostFen: number) =>
    field.write(async (tx) => {
      const { bill } = await checked(
        tx,
        await parkOf(tx, field.parkCode),
        stay,
        { bill: { receivableFen, discountFen: 0 }, quote: null, mostFen },
        field.at(now(field)),
      )
      return bill.held?.why
    })
  expect(await why(500, 500)).toBeUndefined()
  expect(await why(501, 500)).toBe(HeldWhy.aboveRule)
  expect(await why(-1, 500)).toBe(HeldWhy.wrong)
  expect(await why(0.5, 500)).toBe(HeldWhy.wrong)
})

test('a person lets the car go while its bill waits: nothing is asked, and who did so stays', async () => {
  const field = await inside(170)
  await field.exits(PLATE, now(field))
  const { decisionId } = await field.lane(field.outGate)
  await ground.ask(ground.admin, '/device/laneBoard/answer', { gateCode: field.outGate, decisionId, answer: 1, reason: 4, fee: 1 })
  expect(await held(field)).toMatchObject([{ state: HeldState.letGo, setFen: 0, reason: null, decidedBy: expect.any(String) }])
  const stay = await field.stay(PLATE)
  expect(stay).toMatchObject({ payState: PayState.free, payableFen: 0 })
  expect((await checksIn(stay)).map(({ zh }: any) => zh)).toEqual([expect.stringContaining('待核对'), '未核对即放行，本次停车计 0 元'])
})

test('another car left in its record: with the exit undone its bill waits for nobody', async () => {
  const field = await inside(170)
  await field.exits(PLATE, now(field))
  await field.passes(now(field) + 0.5, { cause: 'manual' })
  const { id, version } = await field.stay(PLATE)
  const undo = { id, version, leftPlateNo: '粤B88666', reason: '车牌修正错了' }
  expect((await ground.ask(ground.admin, '/fee/parkRecord/undoExit', undo)).data).toMatchObject({ payState: PayState.nothing, payableFen: 0 })
  expect(await held(field)).toMatchObject([{ state: HeldState.letGo }])
})

test('one that forces its way out owes what is decided afterwards', async () => {
  const field = await inside(170)
  await field.exits(PLATE, now(field))
  await field.passes(now(field) + 0.5, { cause: 'manual' })
  expect(await field.stay(PLATE)).toMatchObject({ status: SessionStatus.left, payState: PayState.checking })
  expect((await decide(field, HeldVerdict.correct, { setFen: 1200 })).status).toBe(200)
  expect(await field.stay(PLATE)).toMatchObject({ status: SessionStatus.left, payState: PayState.owed, payableFen: 1200 })
  expect(await field.orders(await field.stay(PLATE))).toMatchObject([{ status: 4, payableFen: 1200 }])
})

test('one that was misread at the exit and matched to its stay goes on as that stay once its bill is released', async () => {
  const field = await inside(170, { noEntry: NoEntry.free })
  const misread = '鄂F68Q22'
  await field.exits(misread, now(field))
  const { decisionId } = await field.lane(field.outGate)
  const { id } = await field.stay(PLATE)
  const matches = { gateCode: field.outGate, decisionId, answer: LaneAnswer.match, stayId: id }
  expect((await ground.ask(ground.admin, '/device/laneBoard/answer', matches)).code).toBe(200)
  expect(await field.lane(field.outGate)).toMatchObject({ outcome: LaneOutcome.ask, stayId: id })
  expect((await decide(field, HeldVerdict.release)).code).toBe(200)
  expect(await field.lane(field.outGate)).toMatchObject({ outcome: LaneOutcome.toPay, stayId: id, dueFen: 1500 })
  expect(await field.stays(misread)).toEqual([])
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { DriverState } from '../../../settlement/contract/scan.ts'
import { run } from '../../../../platform/server/database.ts'
import { OrderStatus } from '../../../settlement/contract/order.ts'
import { begin, freshen, noticePayment, payCash } from '../../../settlement/server/api.ts'
import { aChannel } from '../../../settlement/server/testing.ts'
import { GateAction, OpenReason } from '../../contract/gate.ts'
import { CarKind, PayState, SessionStatus } from '../../contract/stay.ts'
import { admission, type Standing } from '../questions.ts'
import { aGround, type Field, type Ground, opens, reads, WAITS_FOR_US } from '../testing.ts'

let ground: Ground
beforeAll(async () => void (ground = await aGround()))
afterAll(() => ground.server.close())

const PLATE = '鄂F68Q21'
const codeOf = async ({ parkCode }: Field, token = ground.admin) =>
  (await ground.ask(token, '/device/qrcode/query', { parkCode, target: [1] })).data.records[0].code as string
/** A call takes the hour of the machine: so many minutes of the field's own clock. */
const now = (field: Field) => (Date.now() - Date.parse(field.at(0))) / 60_000
const inside = async (minutes: number, policies = {}) => {
  const field = await ground.field(policies)
  await field.enters(PLATE, now(field) - minutes)
  await field.passes(now(field) - minutes, { sn: field.inSn })
  return field
}
const asks = async (field: Field, plateNo = PLATE, code?: string) =>
  ground.ask<any[]>(null, '/business/order/scanQuote', { code: code ?? (await codeOf(field)), plateNo })
const paysAhead = async (field: Field) => field.pays(await field.stay(PLATE), now(field))

test('a driver inside sees what is due and how it adds up, pays, and the exit opens by itself', async () => {
  const field = await inside(50)
  const { data } = await asks(field)
  expect(data).toEqual([
    {
      ...{
        plateNo: PLATE,
        state: DriverState.toPay,
        orderNo: expect.stringMatching(/^TC/),
        dueFen: 500,
        paidFen: 0,
        discountFen: 0,
        unaskedFen: 0,
        backFen: 0,
      },
      ...{ goodUntil: expect.any(String), leaveBy: null, ruleName: expect.any(String), since: null, parkedMin: null, helpPhone: null },
      lines: [{ zh: expect.stringContaining('1个60分钟，每个¥5.00'), en: expect.stringContaining('1 × 60 min at ¥5.00'), amountFen: 500 }],
    },
  ])
  await paysAhead(field)
  const [paid] = (await asks(field)).data
  expect(paid).toMatchObject({ state: DriverState.leave, dueFen: 0, paidFen: 500, orderNo: null, leaveBy: expect.any(String) })
  await field.exits(PLATE, now(field))
  expect((await field.told(field.outSn)).map(({ method }) => method)).toContain('gate.open')
  expect(await field.orders(await field.stay(PLATE))).toHaveLength(1)
})

test('at the code of the lane at which it stands a driver sees since when the car is inside; at any other, and about any other car, nobody does', async () => {
  const field = await inside(50)
  await field.enters('鄂F68Q22', now(field) - 40)
  const { records } = (await ground.ask(ground.admin, '/device/qrcode/query', { parkCode: field.parkCode, target: [2] })).data
  const code = (gateCode: string): string => records.find(({ targetCode }: { targetCode: string }) => targetCode === gateCode).code
  expect((await asks(field, PLATE, code(field.outGate))).data).toMatchObject([{ since: null, parkedMin: null }])
  await field.exits(PLATE, now(field))
  const { entryTime } = await field.stay(PLATE)
  expect((await asks(field, PLATE, code(field.outGate))).data).toMatchObject([{ dueFen: 500, since: entryTime, parkedMin: 50 }])
  for (const [plate, at] of [
    [PLATE, code(field.inGate)],
    [PLATE, undefined],
    ['鄂F68Q22', code(field.outGate)],
  ] as const)
    expect((await asks(field, plate, at)).data, plate).toMatchObject([{ since: null, parkedMin: null }])
})

test('who paid in another amount, and then by the telephone and in cash at once, is told what goes back', async () => {
  const field = await inside(50)
  await asks(field)
  const { orderId } = await field.stay(PLATE)
  const hears = async (amountFen: number) => {
    const { attempt } = await field.write((tx) => begin(tx, orderId!, 1, field.at(now(field))))
    const { payNo, channel } = attempt
    return async () => {
      const at = field.at(now(field))
      await field.write((tx) => noticePayment(tx, { payNo, channel, tradeNo: `T${payNo}`, amountFen, paidAt: at, at }))
    }
  }
  await (
    await hears(400)
  )()
  expect((await asks(field)).data).toMatchObject([{ dueFen: 500, paidFen: 0, unaskedFen: 400, backFen: 0 }])
  const byTelephone = await hears(500)
  const cashier = { userId: randomUUID(), userName: 'cashier' }
  await field.write((tx) => payCash(tx, { orderId: orderId!, amountFen: 500, actor: cashier, at: field.at(now(field)) }))
  await byTelephone()
  expect((await asks(field)).data).toMatchObject([{ dueFen: 0, paidFen: 500, unaskedFen: 900, backFen: 0 }])
  await field.write((tx) =>
    run(tx, { sql: 'update settlement.payment set refund_fen = received_fen, refunding_fen = 0 where order_id = $1 and state in (4, 5)' }, [orderId]),
  )
  expect((await asks(field)).data).toMatchObject([{ unaskedFen: 900, backFen: 900 }])
})

test('it tells no hour, no place and no picture: whoever types the plate of somebody else learns what the amount says', async () => {
  const field = await inside(50)
  const { data } = await asks(field)
  const stay = await field.stay(PLATE)
  const told = JSON.stringify(data.map(({ goodUntil: _, ...one }) => one))
  for (const secret of [stay.id, stay.entryTime!, stay.entryTime!.slice(0, 16), field.inGate, stay.plateNo.length > 9 ? '' : 'entry'])
    expect(told).not.toContain(secret)
})

test('who stayed longer than the time to leave is asked for the rest, and only for it', async () => {
  const field = await inside(50, { exitGraceMin: 0 })
  await asks(field)
  await paysAhead(field)
  await field.write((tx) =>
    tx
      .updateTable('parking.stay')
      .set({ graceUntil: field.at(now(field) - 1), entryTime: field.at(now(field) - 70) })
      .where('parkCode', '=', field.parkCode)
      .execute(),
  )
  expect((await asks(field)).data).toMatchObject([{ state: DriverState.toPay, dueFen: 500, paidFen: 500 }])
})

test('within the free minutes nothing is asked, and no order is left behind', async () => {
  const field = await inside(3)
  expect((await asks(field)).data).toMatchObject([{ state: DriverState.free, dueFen: 0, orderNo: null }])
  expect(await field.orders(await field.stay(PLATE))).toEqual([])
})

test('a car that is not here, a code of another park, no plate, and a forged code', async () => {
  const field = await inside(50)
  expect((await asks(field, '鄂F00001')).data).toEqual([])
  const elsewhere = await ground.field()
  expect((await asks(elsewhere)).data).toEqual([])
  expect((await asks(field, PLATE, `${(await codeOf(field)).slice(0, -1)}~`)).status).toBe(422)
  expect((await asks(field, '不是车牌')).data).toEqual([])
})

test('two telephones at once are one order', async () => {
  const field = await inside(50)
  const code = await codeOf(field)
  const both = await Promise.all(Array.from({ length: 8 }, () => asks(field, PLATE, code)))
  expect(both.map(({ status }) => status)).toEqual(both.map(() => 200))
  expect(new Set(both.map(({ data }) => data[0].orderNo)).size).toBe(1)
  expect(await field.orders(await field.stay(PLATE))).toHaveLength(1)
})

test('at the exit the sign shows what the telephone shows', async () => {
  const field = await inside(50)
  await field.exits(PLATE, now(field))
  const stay = await field.stay(PLATE)
  expect([stay.status, stay.payState]).toEqual([SessionStatus.leaving, PayState.toPay])
  const [{ dueFen, orderNo }] = (await asks(field)).data
  expect(orderNo).toBe((await field.orders(stay))[0]!.orderNo)
  expect(await field.lane(field.outGate)).toMatchObject({ dueFen })
})

/** Answers of the domains that keep lists about the car, by park. */
const lists = new Map<string, Standing>()
afterAll(admission.answer('driver.test', async (_tx, { parkCode, plateNo }) => (plateNo === PLATE ? lists.get(parkCode) : undefined)))

test('a car that its exit lets out free is asked for nothing, and told why: on a list, or while all barriers stand open', async () => {
  const free = { state: DriverState.free, dueFen: 0, orderNo: null, leaveBy: null }
  for (const [standing, zh] of [
    [{ white: true }, '白名单免费'],
    [{ special: true }, '特种车免费'],
  ] as const) {
    const field = await inside(170)
    lists.set(field.parkCode, standing)
    expect((await asks(field)).data).toMatchObject([{ ...free, lines: [{ zh, amountFen: 0 }] }])
    expect(await field.orders(await field.stay(PLATE))).toEqual([])
  }
  const field = await inside(170)
  await field.write((tx) =>
    run(tx, { sql: "update parking.park set open_all_from = now(), open_all_by = '值班员' where park_code = $1" }, [field.parkCode]),
  )
  expect((await asks(field)).data).toMatchObject([{ ...free, lines: [{ zh: '应急常开，免费放行', amountFen: 0 }] }])
  await field.write((tx) =>
    run(tx, { sql: 'update parking.park set open_all_from = null, open_all_by = null where park_code = $1' }, [field.parkCode]),
  )
  expect((await asks(field)).data).toMatchObject([{ state: DriverState.toPay, dueFen: 1500 }])
})

test('a list that a car came on after it was asked takes the order back, and opens the exit at which it stands; the black list wins', async () => {
  const field = await inside(170)
  lists.set(field.parkCode, { white: true, black: { action: 3, zh: '欠费', en: 'Debts' } })
  expect((await asks(field)).data).toMatchObject([{ state: DriverState.toPay, dueFen: 1500 }])
  lists.set(field.parkCode, { white: true })
  const both = await Promise.all([asks(field), asks(field)])
  expect(both.map(({ data }) => [data[0].state, data[0].dueFen])).toEqual([
    [DriverState.free, 0],
    [DriverState.free, 0],
  ])
  expect((await field.orders(await field.stay(PLATE))).map(({ status }) => status)).toEqual([OrderStatus.free])
  lists.delete(field.parkCode)
  await field.exits(PLATE, now(field))
  expect(await field.lane(field.outGate)).toMatchObject({ dueFen: 1500 })
  await field.told(field.outSn)
  lists.set(field.parkCode, { white: true })
  expect((await asks(field)).data).toMatchObject([{ state: DriverState.free, dueFen: 0 }])
  expect((await field.told(field.outSn)).map(({ method }) => method)).toContain('gate.open')
  await field.passes(now(field))
  expect(await field.stay(PLATE)).toMatchObject({ status: SessionStatus.left, payState: PayState.free, payableFen: 0, carKindOut: CarKind.free })
})

test('who is about to pay an old amount and is free by now pays nothing', async () => {
  const field = await inside(170)
  await asks(field)
  const { orderId } = await field.stay(PLATE)
  lists.set(field.parkCode, { white: true })
  await field.write((tx) => freshen(tx, orderId!, field.at(now(field) + 20)))
  expect((await field.orders(await field.stay(PLATE))).map(({ status, payableFen }) => [status, payableFen])).toEqual([[OrderStatus.free, 0]])
})

test('a free car that no lane shows any more, or whose gate is locked, is asked for nothing, and its barrier stays down', async () => {
  const atExit = async () => {
    const field = await inside(170)
    await field.exits(PLATE, now(field))
    return field
  }
  const free = async (field: Field) => {
    await field.told(field.outSn)
    lists.set(field.parkCode, { white: true })
    expect((await asks(field)).data).toMatchObject([{ state: DriverState.free, dueFen: 0, orderNo: null }])
    expect((await field.orders(await field.stay(PLATE))).map(({ status, payableFen }) => [status, payableFen])).toEqual([[OrderStatus.free, 0]])
    expect((await field.told(field.outSn)).map(({ method }) => method)).not.toContain('gate.open')
  }
  const backedOut = await atExit()
  await backedOut.enters('鄂F68Q22', now(backedOut) - 80)
  await backedOut.exits('鄂F68Q22', now(backedOut))
  await free(backedOut)
  expect(await backedOut.lane(backedOut.outGate)).toMatchObject({ plateNo: '鄂F68Q22', dueFen: 1000 })
  const locked = await atExit()
  const lock = { gateCode: locked.outGate, action: GateAction.lock, reason: OpenReason.fault }
  expect((await ground.ask(ground.admin, '/device/gateOperation/openGateToPark', lock)).code).toBe(200)
  await free(locked)
  expect(await locked.lane(locked.outGate)).toMatchObject({ plateNo: PLATE, dueFen: 0 })
})

test('who is about to pay at the exit and is free by now is let out, and its sign asks for nothing', async () => {
  const field = await inside(170)
  await field.exits(PLATE, now(field))
  const { orderId } = await field.stay(PLATE)
  await field.told(field.outSn)
  lists.set(field.parkCode, { white: true })
  await field.write((tx) => freshen(tx, orderId!, field.at(now(field) + 20)))
  const told = await field.told(field.outSn)
  expect(told.map(({ method }) => method)).toContain('gate.open')
  expect(told.flatMap(({ params }) => params.lines ?? []).filter((line) => line.startsWith('请缴费'))).toEqual([])
})

test('who is asked to pay at the counter and is free by now is told that nothing is due, is let out, and no payment begins', async () => {
  const channel = await aChannel(ground.server)
  onTestFinished(channel.stop)
  const field = await inside(170)
  await field.exits(PLATE, now(field))
  const { orderId } = await field.stay(PLATE)
  const pays = () => ground.ask(ground.admin, '/business/order/pay', { id: orderId, payMethod: 1 })
  const longAgo = { sql: `update settlement.order set good_until = good_until - interval '1 hour' where id = $1` }
  await field.told(field.outSn)
  lists.set(field.parkCode, { white: true })
  await field.write((tx) => run(tx, longAgo, [orderId]))
  expect(await pays()).toMatchObject({ code: 40514, status: 409 })
  expect(opens(await field.told(field.outSn))).toHaveLength(1)
  expect(await field.stay(PLATE)).toMatchObject({ status: SessionStatus.leaving, payState: PayState.free, payableFen: 0 })
  expect(await field.write((tx) => run(tx, { sql: 'select id from settlement.payment where order_id = $1' }, [orderId]))).toEqual([])
  expect(await pays()).toMatchObject({ code: 40514 })
  expect(opens(await field.told(field.outSn))).toEqual([])
  lists.delete(field.parkCode)
})

test('the next car is read at the exit while a free one asks: the barrier does not open before it', async () => {
  const field = await inside(170)
  await field.enters('鄂F68Q22', now(field) - 80)
  await field.exits(PLATE, now(field))
  await field.told(field.outSn)
  const code = await codeOf(field)
  lists.set(field.parkCode, { white: true })
  const asked = await field.write(async (tx) => {
    await reads(tx, { sn: field.outSn, at: field.at(now(field)), plate: '鄂F68Q22' })
    const asking = asks(field, PLATE, code)
    await vi.waitFor(async () => expect(await run(tx, { sql: WAITS_FOR_US }, [])).not.toEqual([]), 10_000)
    return { asking }
  })
  expect((await asked.asking).data).toMatchObject([{ state: DriverState.free, dueFen: 0 }])
  expect(await field.lane(field.outGate)).toMatchObject({ plateNo: '鄂F68Q22', openRef: null })
  expect((await field.told(field.outSn)).map(({ method }) => method)).not.toContain('gate.open')
})

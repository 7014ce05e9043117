import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningChannel, startChannel } from '../../city/pay/server.ts'
import { signed } from '../../city/pay/signature.ts'
import type { Instant } from '../../platform/contract/field.ts'
import { instantAt } from '../../platform/contract/time.ts'
import { run } from '../../platform/server/database.ts'
import { orders } from '../../domains/settlement/server/row.ts'
import { find } from '../../platform/server/page.ts'
import { useSandbox } from '../../domains/settlement/server/settings.ts'
import { settleExits } from '../../domains/parking/server/lane/passing.ts'
import type { StayRecord } from '../../domains/parking/server/stay/stayMoves.ts'
import { aGround, type Field, type Ground } from '../../domains/parking/server/testing.ts'

const SECRET = randomBytes(32).toString('hex')
const PLATE = '鄂F12345'
let ground: Ground
let channel: RunningChannel
beforeAll(async () => {
  ground = await aGround()
  channel = await startChannel({ port: 0, secret: SECRET })
  useSandbox({ url: channel.url, secret: SECRET, notifyUrl: `${ground.server.url}/lbs/business/pay/sandbox/notice` })
})
afterAll(async () => {
  useSandbox(undefined)
  await channel.stop()
  await ground.server.close()
})

const MINUTE = 60_000
/** Moves what stands in the database into the past: the fee grows meanwhile, and nothing else happens. */
const later = (field: Field, minutes: number) =>
  field.write(async (tx) => {
    const back = `- interval '${minutes} minutes'`
    await run(tx, { sql: `update parking.stay set entry_time = entry_time ${back}, exit_time = exit_time ${back} where park_code = $1` }, [
      field.parkCode,
    ])
    await run(tx, { sql: `update settlement.order set good_until = good_until ${back}, paying_until = paying_until ${back} where park_code = $1` }, [
      field.parkCode,
    ])
    await run(tx, { sql: `update settlement.payment set expires_at = expires_at ${back} where park_code = $1 and state = 0` }, [field.parkCode])
  })
/** A car came `minutes` ago and stands at the exit now. */
async function atExit(field: Field, minutes: number): Promise<void> {
  const from = (Date.now() - Date.parse(field.at(0))) / MINUTE
  await field.enters(PLATE, from - minutes)
  await field.exits(PLATE, from)
}
const exitsNow = (field: Field) => field.exits(PLATE, (Date.now() - Date.parse(field.at(0))) / MINUTE)
const openOrder = async (field: Field) => (await field.orders(await field.stay(PLATE))).find(({ status }) => status === 0 || status === 1)
const codeOf = async ({ parkCode }: Field) =>
  (await ground.ask(ground.admin, '/device/qrcode/query', { parkCode, target: [1] })).data.records[0].code as string
async function scans(field: Field, payMethod: 1 | 2) {
  const order = await openOrder(field)
  return (await ground.ask(null, '/business/order/scanPay', { code: await codeOf(field), orderNo: order!.orderNo, payMethod })).data as {
    payNo: string
    amountFen: number
  }
}
const notify = (payNo: string, amountFen: number, wire = 'wechat', finishedAt: Instant = instantAt(Date.now())) =>
  ground.ask(
    null,
    '/business/pay/sandbox/notice',
    signed(
      {
        mchId: 'kerbline-1',
        channel: wire,
        kind: 'payment',
        number: payNo,
        tradeNo: `T${randomBytes(6).toString('hex')}`,
        amountFen,
        result: 'SUCCESS',
        finishedAt,
        timestamp: Math.floor(Date.now() / 1000),
        nonce: randomBytes(16).toString('hex'),
      },
      SECRET,
    ),
  )
const opened = async (field: Field) => (await field.told(field.outSn)).filter(({ method }) => method === 'gate.open').length
const money = ({ status, payState, payableFen, paidFen }: StayRecord) => ({ status, payState, payableFen, paidFen })

test('renewing a payment asks what is due by then: nobody keeps an amount from growing', async () => {
  const field = await ground.field()
  await atExit(field, 50)
  expect(await scans(field, 1)).toMatchObject({ amountFen: 500 })
  await later(field, 120)
  const again = await scans(field, 2)
  expect(again).toMatchObject({ amountFen: 1500 })
  expect(await field.lane(field.outGate)).toMatchObject({ dueFen: 1500 })
  await notify(again.payNo, 1500, 'alipay')
  expect(money(await field.stay(PLATE))).toEqual({ status: 2, payState: 2, payableFen: 1500, paidFen: 1500 })
  expect(await opened(field)).toBe(1)
})
test('an amount that is being paid is kept while it is good, and asked anew by the lane after that', async () => {
  const field = await ground.field()
  await atExit(field, 58)
  await scans(field, 1)
  await later(field, 3)
  await exitsNow(field)
  expect(await openOrder(field)).toMatchObject({ status: 1, payableFen: 500 })
  await later(field, 120)
  await exitsNow(field)
  expect(await openOrder(field)).toMatchObject({ status: 1, payableFen: 2000 })
})
test('the old amount, paid after its time: it counts as a part, the rest is asked, and the barrier stays shut until that is paid', async () => {
  const field = await ground.field()
  await atExit(field, 50)
  const old = await scans(field, 1)
  await later(field, 600)
  await notify(old.payNo, 500)
  const stay = await field.stay(PLATE)
  expect(money(stay)).toEqual({ status: 2, payState: 1, payableFen: 2500, paidFen: 500 })
  expect((await field.orders(stay)).map(({ status, payableFen }) => [status, payableFen])).toEqual([
    [2, 500],
    [0, 2000],
  ])
  expect(await opened(field)).toBe(0)
  expect(await field.lane(field.outGate)).toMatchObject({ dueFen: 2000, openRef: null })
  const rest = await scans(field, 1)
  await notify(rest.payNo, 2000)
  expect(money(await field.stay(PLATE))).toEqual({ status: 2, payState: 2, payableFen: 2500, paidFen: 2500 })
  expect(await opened(field)).toBe(1)
})
test('paid in time and told late, after the order asks more: it pays what was asked then, and the car goes', async () => {
  const field = await ground.field()
  await atExit(field, 50)
  const old = await scans(field, 1)
  const paidAt = instantAt(Date.now() - 121 * MINUTE)
  await later(field, 120)
  await exitsNow(field)
  expect(await openOrder(field)).toMatchObject({ payableFen: 1500 })
  await notify(old.payNo, 500, 'wechat', paidAt)
  expect(money(await field.stay(PLATE))).toEqual({ status: 2, payState: 2, payableFen: 500, paidFen: 500 })
  expect(await opened(field)).toBe(1)
})
test('cash at the desk for an order of hours ago: no time to leave is given, and the exit asks for the rest', async () => {
  const field = await ground.field()
  await atExit(field, 50)
  await field.write((tx) => settleExits(tx, instantAt(Date.now() + 11 * MINUTE)))
  await later(field, 600)
  const order = (await openOrder(field))!
  expect((await ground.ask(ground.admin, '/business/order/cash', { id: order.id, amountFen: 500 })).status).toBe(200)
  expect(await field.stay(PLATE)).toMatchObject({ status: 1, paidFen: 500, graceUntil: null })
  await exitsNow(field)
  expect(money(await field.stay(PLATE))).toEqual({ status: 2, payState: 1, payableFen: 2500, paidFen: 500 })
})

const cancelled = async (field: Field) => {
  const order = (await openOrder(field))!
  expect((await ground.ask(ground.admin, '/business/order/cancel', { id: order.id, reason: '开错' })).status).toBe(200)
  return order
}
const opens = (field: Field, fee?: 1 | 2 | 3) =>
  ground.ask(ground.admin, '/device/gateOperation/openGateToPark', { gateCode: field.outGate, action: 1, reason: 1, ...(fee && { fee }) })
test('the order of a car at an exit is cancelled: the car is asked by a new one, pays it and goes', async () => {
  const field = await ground.field()
  await atExit(field, 50)
  const order = await cancelled(field)
  const anew = (await openOrder(field))!
  expect(anew).toMatchObject({ status: 0, payableFen: 500 })
  expect(anew.id).not.toBe(order.id)
  expect(await field.stay(PLATE)).toMatchObject({ status: 2, payState: 1, orderId: anew.id })
  await exitsNow(field)
  await notify((await scans(field, 1)).payNo, 500)
  expect(await opened(field)).toBe(1)
})
test.each([
  [1, 3, 3],
  [2, 4, 4],
  [3, 2, 2],
] as const)('after a cancelled order a person opens with the fee %i: the order ends as %i, the stay as %i', async (fee, status, payState) => {
  const field = await ground.field()
  await atExit(field, 50)
  await cancelled(field)
  expect((await opens(field)).status).toBe(422)
  expect((await opens(field, fee)).status).toBe(200)
  const stay = await field.stay(PLATE)
  expect(stay.payState).toBe(payState)
  expect(await field.write((tx) => find(tx, orders, stay.orderId))).toMatchObject({ status })
})
test('a car inside whose order was cancelled is cleared with the others, and one that comes to the exit is asked anew', async () => {
  const field = await ground.field()
  await atExit(field, 50)
  await field.write((tx) => settleExits(tx, instantAt(Date.now() + 11 * MINUTE)))
  await cancelled(field)
  expect(await field.stay(PLATE)).toMatchObject({ status: 1, payState: 0, orderId: null, receivableFen: 0 })
  await exitsNow(field)
  expect(await openOrder(field)).toMatchObject({ status: 0, payableFen: 500 })
  await cancelled(field)
  const cleared = await ground.ask(ground.admin, '/fee/parkRecord/clear', {
    parkCode: field.parkCode,
    ids: [(await field.stay(PLATE)).id],
    reason: '清',
  })
  expect(cleared.status).toBe(200)
  expect(await field.stay(PLATE)).toMatchObject({ status: 3, exitMode: 8 })
})

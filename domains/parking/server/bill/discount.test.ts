import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { Stale } from '../../../../platform/server/refusal.ts'
import { cancelOrder, leaveUnpaid } from '../../../settlement/server/api.ts'
import { LaneOutcome, PayState, SessionStatus } from '../../contract/stay.ts'
import { discounts, discountsHeld, type Discount } from '../questions.ts'
import { aGround, type Field, type Ground } from '../testing.ts'

let ground: Ground
let field: Field
/** Discounts that the domain above parking offers, and those that each order was told to hold. */
let offered: Discount[]
let held: { orderId: string; refs: string[]; used: boolean }[]
let stalls: number
beforeAll(async () => {
  ground = await aGround()
  field = await ground.field()
})
afterAll(discounts.answer('test', async () => (offered.length ? offered : undefined)))
afterAll(
  discountsHeld.answer('test', async (_, { orderId, discounts: all, used }) => {
    if (stalls-- > 0) throw Stale()
    held.push({ orderId, refs: all.map(({ ref }) => ref), used })
    return true
  }),
)
afterAll(() => ground.server.close())
beforeEach(() => {
  offered = []
  held = []
  stalls = 0
})
let cars = 0
const aPlate = () => `鄂C${String(++cars).padStart(5, '0')}`
const off = (amountFen: number, ref = 'c1'): Discount => ({ by: 'test', ref, amountFen, zh: `停车券 ${ref}`, en: `Coupon ${ref}` })

test('what is taken off is on the order, held by it, and named by the explanation of the fee', async () => {
  const plate = aPlate()
  offered = [off(300)]
  await field.enters(plate, 0)
  await field.exits(plate, 90)
  const stay = await field.stay(plate)
  const [order] = await field.orders(stay)
  expect(order).toMatchObject({ receivableFen: 1000, discountFen: 300, payableFen: 700, status: 0 })
  expect(stay).toMatchObject({ receivableFen: 1000, discountFen: 300, payableFen: 700 })
  expect(held).toEqual([{ orderId: order!.id, refs: ['c1'], used: false }])
  const [, decision] = await field.decisions(plate)
  expect((decision!.quote as any).discounts).toEqual([{ zh: '停车券 c1', en: 'Coupon c1', amountFen: 300 }])
  expect(decision!.checks.at(-1)!.zh).toBe('应缴 7 元（停车券 c1）')
  const story = (await ground.ask(ground.admin, '/fee/parkRecord/story', { id: stay.id }, 'GET')).data
  expect(story.quote.discounts).toEqual([{ zh: '停车券 c1', en: 'Coupon c1', amountFen: 300 }])
  await field.pays(stay, 91)
  expect(await field.stay(plate)).toMatchObject({ paidFen: 700, discountFen: 300, payState: 2 })
})

test('it pays the whole fee: free at once, used, and the barrier opens', async () => {
  const plate = aPlate()
  offered = [off(600, 'a'), off(600, 'b'), off(600, 'c')]
  await field.enters(plate, 0)
  await field.exits(plate, 90)
  const [order] = await field.orders(await field.stay(plate))
  expect(order).toMatchObject({ receivableFen: 1000, discountFen: 1000, status: 3 })
  expect(held).toEqual([{ orderId: order!.id, refs: ['a', 'b'], used: true }])
  expect((await field.decisions(plate))[1]).toMatchObject({ outcome: LaneOutcome.pass })
})

test('a longer stay is asked anew by the same order; what it held and does not need is let go', async () => {
  const plate = aPlate()
  await field.enters(plate, 0)
  offered = [off(200)]
  await field.exits(plate, 61)
  offered = [off(400, 'c2')]
  await field.exits(plate, 125)
  const [order, none] = await field.orders(await field.stay(plate))
  expect(none).toBeUndefined()
  expect(order).toMatchObject({ receivableFen: 1500, discountFen: 400 })
  offered = []
  await field.exits(plate, 126)
  expect(held.map(({ orderId, refs }) => [orderId === order!.id, refs])).toEqual([
    [true, ['c1']],
    [true, ['c2']],
    [true, []],
  ])
  expect((await field.orders(await field.stay(plate)))[0]).toMatchObject({ discountFen: 0, payableFen: 1500 })
})

test('a person lets it go free: nothing is held; a cancelled order lets go', async () => {
  const plate = aPlate()
  offered = [off(200)]
  await field.enters(plate, 0)
  await field.exits(plate, 61)
  const stay = await field.stay(plate)
  const [order] = await field.orders(stay)
  expect((await ground.ask(ground.admin, '/business/order/cancel', { id: order!.id, reason: '试' })).status).toBe(200)
  expect(held.slice(0, 2).map(({ refs }) => refs)).toEqual([['c1'], []])
})

test('what somebody else took meanwhile: looked at again, and nobody is charged less than is due', async () => {
  const plate = aPlate()
  offered = [off(200)]
  stalls = 1
  await field.enters(plate, 0)
  await field.exits(plate, 61)
  expect(await field.orders(await field.stay(plate))).toMatchObject([{ discountFen: 200, payableFen: 800 }])
  expect(held).toHaveLength(1)
})

test('the amount that is discounted is what is still asked after a payment; a stay made shorter costs less', async () => {
  const plate = aPlate()
  await field.enters(plate, 0)
  await field.exits(plate, 61)
  await field.pays(await field.stay(plate), 62)
  const asked: number[] = []
  onTestFinished(discounts.answer('later', async (_, { amountFen, amountIf }) => void asked.push(amountFen, await amountIf(60), await amountIf(600))))
  await field.exits(plate, 185)
  expect(asked).toEqual([1000, 500, 0])
})

test('left unpaid, the debt is what was asked less what was taken off', async () => {
  const plate = aPlate()
  offered = [off(300)]
  await field.enters(plate, 0)
  await field.exits(plate, 90)
  const [order] = await field.orders(await field.stay(plate))
  await field.write((tx) => leaveUnpaid(tx, order!.id, { at: field.at(95) }))
  expect((await field.orders(await field.stay(plate)))[0]).toMatchObject({ status: 4, arrearsFen: 700 })
  await expect(field.write((tx) => cancelOrder(tx, order!.id, { reason: '试', at: field.at(96) }))).rejects.toThrow()
})

test('what a coupon paid whole was free and is not said to be paid: cleared from the park, brought back, or asked again', async () => {
  const plate = aPlate()
  offered = [off(1000)]
  await field.enters(plate, 0)
  await field.exits(plate, 90)
  const { id } = await field.stay(plate)
  const record = (path: string, body: object) => ground.ask(ground.admin, `/fee/parkRecord/${path}`, { reason: '试', ...body })
  const { data: cleared } = await record('clear', { parkCode: field.parkCode, ids: [id] })
  const free = { receivableFen: 1000, discountFen: 1000, payableFen: 0, paidFen: 0, payState: PayState.free }
  expect(await field.stay(plate)).toMatchObject({ ...free, status: SessionStatus.left })
  expect(await record('unclear', { id: cleared.id })).toMatchObject({ code: 200 })
  expect(await field.stay(plate)).toMatchObject({ ...free, status: SessionStatus.present })
  // Its rest is asked for, and the order of it is cancelled.
  offered = []
  await field.exits(plate, 240)
  const asked = await field.stay(plate)
  expect(asked).toMatchObject({ payState: PayState.toPay })
  await record('clear', { parkCode: field.parkCode, ids: [id] })
  expect(await field.stay(plate)).toMatchObject({ ...free, status: SessionStatus.left })
})

test('what paid the whole fee is used up and comes off for good: read again later, the car is asked for the time since', async () => {
  const plate = aPlate()
  offered = [off(1000)]
  await field.enters(plate, 0)
  await field.exits(plate, 90)
  expect(await field.stay(plate)).toMatchObject({ receivableFen: 1000, discountFen: 1000, payableFen: 0, payState: 3 })
  offered = []
  await field.exits(plate, 240)
  const later = await field.stay(plate)
  expect(later.receivableFen).toBeGreaterThan(1000)
  expect(later).toMatchObject({ payState: 1, discountFen: 1000, payableFen: later.receivableFen - 1000, paidFen: 0 })
})

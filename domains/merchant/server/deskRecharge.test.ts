import { afterAll, beforeAll, expect, test } from 'vitest'
import { digestOf } from '../../../tests/support/server.ts'
import { unpaidOver } from './deskRecharge.ts'
import { aMarket, type Market, now } from './testing.ts'

let market: Market
beforeAll(async () => {
  market = await aMarket()
})
afterAll(() => market.close())

const NEW = 'Shop-2026-new'
/** A merchant at its own page. */
async function aDesk(of: Parameters<Market['merchant']>[0] = {}) {
  const made = await market.merchant(of)
  const { mchNo, password } = made
  const ask = (path: string, input: object = {}, token = '') => market.custom(`/merchant/desk/${path}`, input, token)
  const token = (await ask('signIn', { mchNo, password: digestOf(mchNo, password) })).data.access_token as string
  await ask('changePassword', { oldPassword: digestOf(mchNo, password), newPassword: digestOf(mchNo, NEW) }, token)
  return { id: made.id as string, ask: (path: string, input?: object) => ask(path, input, token) }
}
const orderOf = async (orderNo: string) => (await market.sql('select id, status from settlement.order where order_no = $1', [orderNo]))[0]
const payNoOf = async (id: string) => (await market.sql('select pay_no from settlement.payment where order_id = $1', [id]))[0].payNo as string

test('a merchant recharges by itself: paid, its credit is repaid and the rest is balance, once', async () => {
  const desk = await aDesk({ creditFen: 5_000 })
  expect(await desk.ask('recharge', { amountFen: 10_000, payMethod: 4 })).toMatchObject({ status: 422, code: 41763 })
  await market.sql('update merchant.merchant set used_fen = 3000 where id = $1', [desk.id])
  const { data } = await desk.ask('recharge', { amountFen: 10_000, payMethod: 1 })
  expect(data.payUrl).toContain('http')
  expect((await desk.ask('home')).data).toMatchObject({ balanceFen: 0, usedFen: 3_000 })
  const payNo = await payNoOf((await orderOf(data.orderNo)).id)
  await market.notify({ payNo, amountFen: 10_000 })
  await market.notify({ payNo, amountFen: 10_000 })
  expect((await desk.ask('home')).data).toMatchObject({ balanceFen: 7_000, usedFen: 0 })
  expect(await market.sql('select amount_fen, repaid_fen, pay_method from merchant.recharge where mch_id = $1', [desk.id])).toEqual([
    { amountFen: 10_000, repaidFen: 3_000, payMethod: 1 },
  ])
})

test('a merchant is not deleted while its own recharge may still be paid, and is when that is over', async () => {
  const desk = await aDesk()
  const { data } = await desk.ask('recharge', { amountFen: 10_000, payMethod: 1 })
  const remove = async () => {
    const [{ version }] = await market.sql('select version from merchant.merchant where id = $1', [desk.id])
    return market.custom('/merchant/delete', { id: desk.id, version })
  }
  expect((await remove()).status).toBe(409)
  await market.sql('update settlement.order set status = 5, paying_until = null where order_no = $1', [data.orderNo])
  expect((await remove()).status).toBe(200)
})

test('a recharge that nobody pays in time is cancelled; money that comes later goes back and is not credited', async () => {
  const desk = await aDesk()
  const { data } = await desk.ask('recharge', { amountFen: 20_000, payMethod: 1 })
  const { id: orderId } = await orderOf(data.orderNo)
  await market.sql(`update settlement.payment set state = 2, expires_at = now() - interval '1 minute' where order_id = $1`, [orderId])
  await market.sql('update settlement.order set status = 0, paying_until = null where id = $1', [orderId])
  await market.server.house.writing(1, 'test', (tx) => unpaidOver.work({ house: market.server.house, tx, at: now(), data: { orderId } }))
  expect((await orderOf(data.orderNo)).status).toBe(5)
  await market.notify({ payNo: await payNoOf(orderId), amountFen: 20_000 })
  expect(await market.sql('select amount_fen from settlement.refund where order_id = $1', [orderId])).toEqual([{ amountFen: 20_000 }])
  expect((await desk.ask('home')).data.balanceFen).toBe(0)
})

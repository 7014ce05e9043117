import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aChannel } from '../../settlement/server/testing.ts'
import { PassStatus } from '../contract/pass.ts'
import { daysOn, midnight } from './sold/calendar.ts'
import { anOffice, aPlate, type Office } from './testing.ts'

let office: Office
let channel: Awaited<ReturnType<typeof aChannel>>
beforeAll(async () => {
  office = await anOffice()
  channel = await aChannel(office.server)
})
afterAll(async () => {
  await channel.stop()
  await office.server.close()
})

const [WECHAT, CASH] = [1, 4]
const days = { plan: { periodUnit: 1, periodCount: 30, priceFen: 30_000 } }
/** A renewal whose code the customer was shown, and did not scan. */
async function aRenewal() {
  const pass = await office.aPass(await office.aGroup(days))
  const one = { id: pass.id, version: pass.version, kind: 1, periods: 1, payMethod: WECHAT }
  const { quote } = (await office.call('/custom/deferConfirmMemberSeat', { ...one, confirm: 0 })).data
  const renew = () => office.call('/custom/deferConfirmMemberSeat', { ...one, confirm: 1, quoteNo: quote.quoteNo })
  return { pass, renew, order: (await renew()).data.order }
}
const detailOf = async ({ memberId, id }: { memberId: string; id: string }) =>
  (await office.get('/custom/detail', { id: memberId })).data.held.find((one: any) => one.id === id)
const stateOf = async (orderNo: string) => (await office.get('/pass/orderState', { orderNo })).data
async function scans(orderNo: string) {
  const [{ payNo, amountFen }] = await office.sql<any>(
    'select p.pay_no, p.amount_fen from settlement.payment p join settlement.order o on o.id = p.order_id where o.order_no = $1 order by p.created_at desc limit 1',
    [orderNo],
  )
  expect((await channel.paid({ payNo, amountFen })).status).toBe(200)
}
const pay = (id: string, payMethod: number) => office.call('/pass/pay', { id, payMethod })

describe('an order of a pass that was begun at the counter and not paid', () => {
  test('is seen on its pass, and its code is shown again', async () => {
    const { pass, order } = await aRenewal()
    expect(await detailOf(pass)).toMatchObject({ waitingNo: order.orderNo, waitingFen: 30_000 })
    const again = await pay(pass.id, WECHAT)
    expect(again.data).toMatchObject({ orderNo: order.orderNo, payableFen: 30_000, payUrl: expect.stringContaining('http') })
    expect(await stateOf(order.orderNo)).toEqual({ paid: false, waits: true })
    await scans(order.orderNo)
    expect(await stateOf(order.orderNo)).toEqual({ paid: true, waits: false })
    expect(await detailOf(pass)).toMatchObject({ waitingNo: null, waitingFen: null, endAt: daysOn(pass.endAt, 30), paidFen: 60_000 })
    expect(await pay(pass.id, CASH)).toMatchObject({ code: 41472 })
  })
  test('is paid in cash instead, once, however many hands take it', async () => {
    const { pass, order } = await aRenewal()
    const both = await Promise.all([pay(pass.id, CASH), pay(pass.id, CASH)])
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await office.pass(pass.id)).toMatchObject({ endAt: daysOn(pass.endAt, 30), paidFen: 60_000 })
    expect(await office.sql('select paid_fen, pay_method from settlement.order where order_no = $1', [order.orderNo])).toEqual([
      { paidFen: 30_000, payMethod: CASH },
    ])
  })
  test('is cancelled: the pass is as it was, and may be renewed at once', async () => {
    const { pass, renew } = await aRenewal()
    const now = async () => (await office.pass(pass.id)).version
    expect(await office.call('/pass/cancelOrder', { id: pass.id, version: pass.version })).toMatchObject({ status: 409 })
    expect((await office.call('/pass/cancelOrder', { id: pass.id, version: await now() })).data).toMatchObject({
      status: PassStatus.valid,
      waitingNo: null,
      endAt: pass.endAt,
    })
    expect(await office.call('/pass/cancelOrder', { id: pass.id, version: await now() })).toMatchObject({ code: 41472 })
    expect((await renew()).code, 'the quote of before is over').toBe(41440)
    expect((await office.call('/pass/renewMany', { ids: [pass.id], periods: 1, cash: true })).data).toMatchObject([
      { refused: null, payableFen: 30_000 },
    ])
  })
  test('of a reviewed kind is paid where it was asked for, once it is approved', async () => {
    const made = await office.aGroup({ ...days, group: { review: true } })
    const sale = { memberId: await office.aCustomer(), groupId: made.group.id, carFeesId: made.plan.id, periods: 1, plates: [{ plateNo: aPlate() }] }
    const { passId } = (await office.call('/pass/sell', { ...sale, payableFen: 30_000, payMethod: CASH })).data
    expect(await pay(passId, CASH), 'nothing is paid of what is still reviewed').toMatchObject({ code: 41472 })
    const { version } = await office.pass(passId)
    const { orderNo } = (await office.call('/pass/audit', { id: passId, version, pass: true }, office.checker)).data
    expect(await detailOf({ memberId: sale.memberId, id: passId })).toMatchObject({ status: PassStatus.toPay, waitingNo: orderNo })
    expect((await pay(passId, CASH)).data).toMatchObject({ orderNo, payUrl: null })
    expect(await office.pass(passId)).toMatchObject({ status: PassStatus.valid, paidFen: 30_000 })
  })
  test('stays as it was where the channel does not answer', async () => {
    const { pass, order } = await aRenewal()
    await channel.without(async () => {
      expect((await pay(pass.id, WECHAT)).status).toBeGreaterThanOrEqual(400)
    })
    expect(await detailOf(pass)).toMatchObject({ waitingNo: order.orderNo })
    expect((await pay(pass.id, CASH)).status).toBe(200)
  })
})

test('the days that are left of a pass that has not begun are its own', async () => {
  const startAt = daysOn(midnight(new Date().toISOString() as never), 20)
  const pass = await office.aPass(await office.aGroup(days), { startAt })
  expect(await detailOf(pass)).toMatchObject({ status: PassStatus.notYet, daysLeft: 30 })
  const { records } = (await office.call('/custom/queryPage', { plateNo: pass.plates[0] })).data
  expect(records).toMatchObject([{ daysLeft: 30 }])
})

import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTill, type Till, until } from '../../domains/settlement/server/testing.ts'
import { PASSWORD } from '../../tests/support/server.ts'
import { type Client, signIn } from '../client.ts'
import { type RunningIssuer, startIssuer } from '../etc/issuer.ts'
import { snapshot } from './check.ts'

let till: Till
let issuer: RunningIssuer
let admin: Client
beforeAll(async () => {
  till = await aTill()
  issuer = await startIssuer({ port: 0, secret: randomBytes(32).toString('hex') })
  admin = await signIn(till.server.url, 'admin', PASSWORD)
})
afterAll(async () => {
  await issuer.stop()
  await till.close()
})

test('a refund that the channel has made and the books have not heard of is waited for; cash that waits at the counter is not', async () => {
  const { channel } = till.channel
  const order = await till.anOrder()
  channel.pay((await till.startPaying(order)).payNo)
  await until(
    () => till.story(order.id),
    ({ status }) => status === 2,
  )
  const inCash = await till.anOrder()
  await till.call(till.operator, '/order/cash', { id: inCash.id, amountFen: 1200 })
  const agreed = async (orderId: string): Promise<string> => {
    const { data } = await till.call(till.operator, '/orderRefund/apply', { orderId, amountFen: 500, reason: '多收' })
    const approved = await till.call(till.admin, '/orderRefund/approve', { id: data.id, version: data.version })
    expect(approved.code).toBe(200)
    return data.refundNo
  }
  const looks = () => snapshot(admin, till.channel.url, issuer.url)
  let refundNo = ''
  await till.untold(async () => {
    refundNo = await agreed(order.id)
    await until(
      async () => channel.counts.refunds,
      (refunds) => refunds === 1,
    )
  })
  const seen = looks()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  expect((await till.notify({ kind: 'refund', payNo: refundNo, amountFen: 500 })).status).toBe(200)
  expect(await seen).toMatchObject({ channelFen: 700, bookedFen: 700 })
  await agreed(inCash.id)
  expect(await looks()).toMatchObject({ channelFen: 700, bookedFen: 700 })
})

import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTill, type Till, until } from '../testing.ts'

let till: Till
let second: string
beforeAll(async () => {
  till = await aTill()
  const owner = new pg.Client({ connectionString: till.server.ownerUrl })
  await owner.connect()
  // A third person who may approve: the auditor, with the administrator's role.
  await owner.query(`update identity.person_role p set role_id = (select r.role_id from identity.person_role r join identity.person a on a.id = r.person_id where a.username = 'admin')
    where p.person_id = (select id from identity.person where username = 'auditor')`)
  await owner.end()
  second = await till.server.signIn('auditor')
})
afterAll(() => till.close())

async function aPaidOrder(receivableFen: number) {
  const order = await till.anOrder({ receivableFen })
  const { payNo } = await till.startPaying(order)
  till.channel.channel.pay(payNo)
  return until(
    () => till.story(order.id),
    ({ status }) => status === 2,
  )
}
const apply = async (token: string, orderId: string, amountFen: number) =>
  (await till.call(token, '/orderRefund/apply', { orderId, amountFen, reason: '多收' })).data
const decide = async (token: string, how: 'approve' | 'reject', { id, version }: any) =>
  (await till.call(token, `/orderRefund/${how}`, { id, version, verdict: how === 'approve' ? '属实' : '无凭证' })).data
const whyOf = (id: string, token = till.admin) => till.server.ask(token, 'GET', '/lbs/business/orderRefund/why', { id })
const finished = async (id: string) =>
  (
    await until(
      () => whyOf(id),
      ({ data }: any) => data.refund.state === 3,
    )
  ).data
const kinds = ({ steps }: any) => steps.map(({ kind }: any) => kind)

test('it says what came in by which way, who asked and who approved, and that the channel paid', async () => {
  const order = await aPaidOrder(60_000)
  const asked = await apply(till.operator, order.id, 50_000)
  const once = await decide(till.admin, 'approve', asked)
  await decide(second, 'approve', once)
  const why = await finished(asked.id)
  expect(why).toMatchObject({
    order: { orderNo: order.orderNo, paidFen: 60_000 },
    payment: { payMethod: 1, receivedFen: 60_000 },
    others: [],
    othersFen: 0,
    mostFen: 60_000,
    refund: { amountFen: 50_000, applicantName: expect.any(String) },
  })
  expect(kinds(why)).toEqual([1, 3, 3, 5, 6])
  const [first, one, other, sent, done] = why.steps
  expect([first.says, one.says, other.says]).toEqual(['多收', '属实', '属实'])
  expect(new Set([first.by, one.by, other.by]).size).toBe(3)
  expect([sent.by, done.by]).toEqual([null, null])
  expect(done.says).toBe(why.refund.channelRefundNo)
  expect(why.entries.map(({ bizType }: any) => bizType)).toEqual(expect.arrayContaining(['refund.done']))
  expect(why.entries.reduce((sum: number, { debitFen, creditFen }: any) => sum + debitFen - creditFen, 0)).toBe(0)
})

test('what others took or hold of the payment is taken off, what was rejected is not', async () => {
  const order = await aPaidOrder(1_200)
  const done = await apply(till.operator, order.id, 300)
  await decide(till.admin, 'approve', done)
  await finished(done.id)
  const rejected = await apply(till.operator, order.id, 400)
  await decide(till.admin, 'reject', rejected)
  const waits = await apply(till.operator, order.id, 200)
  const { data: why } = await whyOf(waits.id)
  expect(why).toMatchObject({ othersFen: 300, mostFen: 900 })
  expect(why.others.map(({ amountFen, state }: any) => [amountFen, state])).toEqual([
    [300, 3],
    [400, 5],
  ])
  expect(kinds(why)).toEqual([1])
  const { data: no } = await whyOf(rejected.id)
  expect(no.steps.at(-1)).toMatchObject({ kind: 4, says: '无凭证', by: expect.any(String) })
  // No more than that may in fact be asked for.
  expect((await till.call(till.operator, '/orderRefund/apply', { orderId: order.id, amountFen: 701, reason: '多收' })).status).toBe(422)
  expect((await till.call(till.operator, '/orderRefund/apply', { orderId: order.id, amountFen: 700, reason: '多收' })).status).toBe(200)
})

test('a stranger finds nothing, and whoever may not see refunds is refused', async () => {
  const order = await aPaidOrder(1_200)
  const asked = await apply(till.operator, order.id, 300)
  expect((await whyOf(asked.id, await till.server.signIn('otheradmin'))).status).toBe(404)
  expect((await till.call(null, '/orderRefund/why', {})).status).not.toBe(200)
})

import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requote } from '../api.ts'
import { aTill, now, type Till, until } from '../testing.ts'

let till: Till
let second: string
beforeAll(async () => {
  till = await aTill()
  second = await anotherApprover()
})
afterAll(() => till.close())

/** A third person who may approve: the auditor, with the administrator's role. */
async function anotherApprover(): Promise<string> {
  const owner = new pg.Client({ connectionString: till.server.ownerUrl })
  await owner.connect()
  await owner.query(`update identity.person_role p set role_id = (select r.role_id from identity.person_role r join identity.person a on a.id = r.person_id where a.username = 'admin')
    where p.person_id = (select id from identity.person where username = 'auditor')`)
  await owner.end()
  return till.server.signIn('auditor')
}
async function aPaidOrder(receivableFen = 1200) {
  const order = await till.anOrder({ receivableFen })
  const { payNo } = await till.startPaying(order)
  till.channel.channel.pay(payNo)
  return until(
    () => till.story(order.id),
    ({ status }) => status === 2,
  )
}
async function aCashOrder() {
  const order = await till.anOrder()
  await till.call(till.operator, '/order/cash', { id: order.id, amountFen: 1200 })
  return till.story(order.id)
}
const refunded = async (orderId: string, amountFen: number) => (await approve(till.admin, (await apply(till.operator, orderId, amountFen)).data)).data
const payOut = (token: string, { id, version }: any) => till.call(token, '/orderRefund/payOut', { id, version })
const apply = (token: string, orderId: string, amountFen: number) => till.call(token, '/orderRefund/apply', { orderId, amountFen, reason: '多收' })
const approve = (token: string, { id, version }: any) => till.call(token, '/orderRefund/approve', { id, version })

test('whoever asked does not approve; another does, and the money goes back the way it came', async () => {
  const order = await aPaidOrder()
  const asked = (await apply(second, order.id, 500)).data
  expect(asked).toMatchObject({ state: 0, amountFen: 500, approvalsNeeded: 1, applicantName: expect.any(String) })
  expect(await approve(second, asked)).toMatchObject({ status: 422, code: 40506 })
  expect((await approve(till.operator, asked)).status).toBe(403)
  expect((await approve(till.admin, asked)).data).toMatchObject({ state: 1 })
  const after = await until(
    () => till.story(order.id),
    ({ refunds }) => refunds[0].state === 3,
  )
  expect(after).toMatchObject({ status: 6, paidFen: 1200, refundFen: 500, refundingFen: 0 })
  const rest = (await apply(till.operator, order.id, 700)).data
  await approve(till.admin, rest)
  expect(
    await until(
      () => till.story(order.id),
      ({ status }) => status === 7,
    ),
  ).toMatchObject({ refundFen: 1200 })
  expect((await apply(till.operator, order.id, 1)).status).toBe(422)
})

test('whoever asked by mistake takes it back, and nobody else; what was set apart is free again', async () => {
  const order = await aPaidOrder(60_000)
  const withdraw = (token: string, { id, version }: any) => till.call(token, '/orderRefund/withdraw', { id, version })
  const asked = (await apply(second, order.id, 50_000)).data
  expect(await withdraw(till.admin, asked)).toMatchObject({ status: 403, code: 40517 })
  const once = (await approve(till.admin, asked)).data
  expect(once).toMatchObject({ state: 0, approvals: 1, approvalsNeeded: 2 })
  expect(await approve(till.admin, once)).toMatchObject({ status: 422, code: 40518 })
  expect(await withdraw(second, asked)).toMatchObject({ status: 409 })
  expect((await withdraw(second, once)).data).toMatchObject({ state: 6 })
  expect((await withdraw(second, { id: asked.id, version: once.version + 1 })).code).toBe(40010)
  expect(await till.story(order.id)).toMatchObject({ status: 2, refundFen: 0, refundingFen: 0 })
  // It asked for nothing in the end: the next one is as small as it is.
  expect((await apply(second, order.id, 100)).data).toMatchObject({ approvalsNeeded: 1 })
})

test('a request to waive lapses once its order is paid, and is taken back by whoever asked; of another amount it says so', async () => {
  const waive = async (token = till.operator, amountFen = 1200) => {
    const order = await till.anOrder()
    return { order, asked: (await till.call(token, '/orderWaiver/apply', { orderId: order.id, amountFen, reason: '投诉' })).data }
  }
  const paid = await waive()
  await till.call(till.operator, '/order/cash', { id: paid.order.id, amountFen: 1200 })
  expect((await till.story(paid.order.id)).waivers).toMatchObject([{ state: 4 }])
  expect((await till.call(till.admin, '/orderWaiver/approve', { id: paid.asked.id, version: paid.asked.version + 1 })).code).toBe(40010)
  const gone = await waive()
  await till.call(till.admin, '/order/cancel', { id: gone.order.id, reason: '误开' })
  expect((await till.story(gone.order.id)).waivers).toMatchObject([{ state: 4 }])
  const mine = await waive()
  const withdraw = (token: string) => till.call(token, '/orderWaiver/withdraw', { id: mine.asked.id, version: mine.asked.version })
  expect(await withdraw(till.admin)).toMatchObject({ status: 403, code: 40517 })
  expect((await withdraw(till.operator)).data).toMatchObject({ state: 3 })
  expect((await till.story(mine.order.id)).status).toBe(0)
  const grown = await waive()
  await till.server.house.writing(1, 'test', (tx) => requote(tx, grown.order.id, { receivableFen: 2000, at: now() }))
  expect(await till.call(till.admin, '/orderWaiver/approve', { id: grown.asked.id, version: grown.asked.version })).toMatchObject({ code: 40519 })
  const kept = await waive()
  expect((await till.call(till.admin, '/orderWaiver/approve', { id: kept.asked.id, version: kept.asked.version })).data).toMatchObject({ state: 1 })
})

test('a refund is listed, summed and found by its car and its order', async () => {
  const order = await aPaidOrder()
  await apply(second, order.id, 300)
  const list = async (query: object) => (await till.server.ask(till.admin, 'GET', '/lbs/business/orderRefund/list', query)).data
  const { records } = await list({ orderNo: order.orderNo })
  expect(records).toMatchObject([{ orderNo: order.orderNo, plateNo: order.plateNo, payMethod: 1, amountFen: 300 }])
  expect((await list({ plateNo: order.plateNo.slice(-4), orderNo: order.orderNo })).records).toHaveLength(1)
  expect((await list({ orderNo: order.orderNo, queryMode: 'sum' })).sums).toEqual({ amountFen: 300 })
})

test('refunds asked for at once never pass what was paid', async () => {
  const order = await aPaidOrder(20_000)
  const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => apply(i % 2 ? till.operator : till.admin, order.id, 300)))
  const granted = answers.filter(({ status }) => status === 200)
  expect(granted).toHaveLength(66)
  expect(new Set(answers.filter(({ status }) => status !== 200).map(({ status }) => status))).toEqual(new Set([422]))
  expect(await till.story(order.id)).toMatchObject({ refundingFen: 19_800, refundFen: 0 })
  const approved = await Promise.all(granted.flatMap(({ data }) => [approve(till.admin, data), approve(second, data), approve(till.operator, data)]))
  expect(approved.filter(({ status }) => status === 200)).toHaveLength(66)
  const after = await until(
    () => till.story(order.id),
    ({ refundFen }) => refundFen === 19_800,
    30_000,
  )
  expect(after).toMatchObject({ status: 6, refundingFen: 0 })
  expect(after.entries.filter(({ bizType, creditFen }: any) => bizType === 'refund.done' && creditFen > 0)).toHaveLength(66)
}, 60_000)

test('two people who approve the same refund at once: one does, and it is paid back once', async () => {
  const order = await aPaidOrder()
  const asked = (await apply(till.operator, order.id, 1200)).data
  const answers = await Promise.all([till.admin, second].map((token) => approve(token, asked)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const after = await until(
    () => till.story(order.id),
    ({ status }) => status === 7,
  )
  expect(after.entries.filter(({ bizType }: any) => bizType === 'refund.done')).toHaveLength(2)
})

test('a large refund needs two different approvers', async () => {
  const order = await aPaidOrder(60_000)
  const asked = (await apply(till.operator, order.id, 50_000)).data
  expect(asked.approvalsNeeded).toBe(2)
  const once = (await approve(till.admin, asked)).data
  expect(once).toMatchObject({ state: 0, approvals: 1 })
  expect((await approve(till.admin, once)).status).toBe(422)
  expect((await approve(second, once)).data).toMatchObject({ state: 1, approvals: 2 })
  await until(
    () => till.story(order.id),
    ({ status }) => status === 6,
  )
})

test('a large refund in two parts needs two approvers all the same; what was refused does not count', async () => {
  const order = await aPaidOrder(60_000)
  const first = (await apply(till.operator, order.id, 25_000)).data
  const refused = (await apply(till.operator, order.id, 24_999)).data
  expect([first.approvalsNeeded, refused.approvalsNeeded]).toEqual([1, 1])
  expect((await till.call(till.admin, '/orderRefund/reject', { id: refused.id, version: refused.version, verdict: '不退' })).status).toBe(200)
  expect((await approve(till.admin, first)).data).toMatchObject({ state: 1 })
  const other = (await apply(till.operator, order.id, 25_000)).data
  expect(other.approvalsNeeded).toBe(2)
  expect((await approve(till.admin, other)).data).toMatchObject({ state: 0, approvals: 1 })
})

test('a rejected refund gives the amount free again, and cannot be approved any more', async () => {
  const order = await aPaidOrder()
  const asked = (await apply(till.operator, order.id, 1200)).data
  expect((await apply(till.operator, order.id, 1)).status).toBe(422)
  const rejected = await till.call(till.admin, '/orderRefund/reject', { id: asked.id, version: asked.version, verdict: '无凭证' })
  expect(rejected.data).toMatchObject({ state: 5, verdict: '无凭证' })
  expect(await approve(second, rejected.data)).toMatchObject({ status: 409, code: 40010 })
  expect(await till.story(order.id)).toMatchObject({ refundingFen: 0, status: 2 })
  expect((await apply(till.operator, order.id, 1200)).status).toBe(200)
})

test('cash goes back over the counter, out of the shift of who hands it over', async () => {
  const order = await aCashOrder()
  const paidOut = async () => {
    const shifts = await Promise.all([till.admin, till.operator].map((token) => till.server.ask(token, 'GET', '/lbs/business/shift/mine')))
    return shifts.map(({ data }) => data?.cashOutFen ?? 0)
  }
  const before = await paidOut()
  const asked = (await apply(till.operator, order.id, 200)).data
  const approved = (await approve(till.admin, asked)).data
  expect(approved.state).toBe(1)
  await till.call(till.admin, '/shift/open', { openingFloatFen: 5000 })
  const out = await Promise.all(
    [till.admin, till.operator].map((token) => till.call(token, '/orderRefund/payOut', { id: approved.id, version: approved.version })),
  )
  expect(out.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await till.story(order.id)).toMatchObject({ status: 6, refundFen: 200 })
  const after = await paidOut()
  expect(after.map((fen, place) => fen - before[place]!).sort()).toEqual([0, 200])
})

test('no more cash goes out of a till than lies in it, whoever asks for two at once, and the till that has too little is told of', async () => {
  const [first, other] = await Promise.all([aCashOrder(), aCashOrder()])
  const [one, two] = [await refunded(first.id, 1000), await refunded(other.id, 1000)]
  expect(await payOut(second, one)).toMatchObject({ status: 422, code: 40599, message: expect.stringContaining('0.00') })
  expect((await till.server.ask(second, 'GET', '/lbs/business/shift/mine')).data).toBeNull()
  await till.call(second, '/shift/open', { openingFloatFen: 1500 })
  const out = await Promise.all([one, two].map((each) => payOut(second, each)))
  expect(out.map(({ status }) => status).sort()).toEqual([200, 422])
  expect(out.find(({ status }) => status === 422)!.message).toContain('5.00')
  expect((await till.server.ask(second, 'GET', '/lbs/business/shift/mine')).data).toMatchObject({ cashOutFen: 1000, expectedFen: 500 })
  const left = out[0]!.status === 422 ? one : two
  expect((await payOut(till.operator, left)).status).toBe(200)
})

test('whoever may approve a refund is told that it waits, and neither who asked nor who has approved it; decided on it waits for nobody', async () => {
  const titlesOf = async (token: string) =>
    (await till.server.ask(token, 'POST', '/lbs/message/messageRecord/queryMessageRecord', {})).data.records.filter(({ title }: any) =>
      title.includes('¥512.34'),
    )
  const order = await aPaidOrder(60_000)
  const asked = (await apply(second, order.id, 51_234)).data
  expect(await titlesOf(till.admin)).toMatchObject([
    { title: '待审核退款：¥512.34', content: `${asked.refundNo}：多收`, link: '/operation/finance?tab=refunds&state=0' },
  ])
  expect([(await titlesOf(second)).length, (await titlesOf(till.operator)).length]).toEqual([0, 0])
  expect((await approve(till.admin, asked)).data.state).toBe(0)
  expect([(await titlesOf(till.admin)).length, (await titlesOf(second)).length]).toEqual([0, 0])
  const small = (await apply(till.operator, order.id, 1_234)).data
  const waits = async (token: string) =>
    (await till.server.ask(token, 'POST', '/lbs/message/messageRecord/queryMessageRecord', {})).data.records.filter(({ content }: any) =>
      content.includes(small.refundNo),
    )
  const [read] = await waits(till.admin)
  await till.server.ask(till.admin, 'GET', '/lbs/message/messageRecord/tagMsgById', { id: read.id })
  expect((await waits(second)).length).toBe(1)
  expect((await till.call(second, '/orderRefund/reject', { id: small.id, version: small.version, verdict: '不符' })).data.state).toBe(5)
  expect([(await waits(till.admin)).map(({ readState }: any) => readState), await waits(second)], 'what was read stays read').toEqual([[1], []])
})

test('letting somebody off: asked by one, granted by another, for exactly what is due', async () => {
  const owed = await till.anOrder({ owed: true, receivableFen: 900 })
  expect((await till.call(till.operator, '/orderWaiver/apply', { orderId: owed.id, amountFen: 800, reason: '误收' })).status).toBe(409)
  const asked = (await till.call(second, '/orderWaiver/apply', { orderId: owed.id, amountFen: 900, reason: '设备故障' })).data
  expect((await till.call(second, '/orderWaiver/approve', { id: asked.id, version: asked.version })).status).toBe(422)
  expect((await till.call(till.admin, '/orderWaiver/approve', { id: asked.id, version: asked.version })).data.state).toBe(1)
  const after = await till.story(owed.id)
  expect(after).toMatchObject({ status: 8, waivedFen: 900, arrearsFen: 0 })
  expect(after.entries.map(({ account, debitFen, creditFen }: any) => [account, debitFen, creditFen])).toEqual([
    ['asset.arrears', 900, 0],
    ['income.parking', 0, 900],
    ['contra.waiver', 900, 0],
    ['asset.arrears', 0, 900],
  ])
})

test('an auditor may not move money; a stranger learns nothing', async () => {
  const order = await aPaidOrder()
  for (const path of ['/orderRefund/apply', '/orderRefund/approve', '/order/cash', '/order/pay', '/orderWaiver/apply', '/shift/open']) {
    expect((await till.call(null, path, {})).status).toBe(401)
  }
  const other = await till.server.signIn('otheradmin')
  expect((await till.call(other, '/orderRefund/apply', { orderId: order.id, amountFen: 1, reason: 'x' })).status).toBe(404)
})

test('afterwards every balance follows from the lines', async () => expect((await till.replay()).differences).toEqual([]))

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { SEES_WHOLE } from '../../../platform/contract/personal.ts'
import { instantAt } from '../../../platform/contract/time.ts'
import { announce } from '../../../platform/server/events.ts'
import { orderWanted } from './api.ts'
import { assignAll } from './assigning.ts'
import { handleOrder } from './handling.ts'
import { openOrder, report } from './opening.ts'
import { SYSTEM } from './row.ts'
import { aDesk, CANCELLED, city, CLOSED, type Desk, ORDER, type Person, REOPENED, RESUMED, RETURNED, SOLVED, STARTED, WAITED } from './testing.ts'

let desk: Desk
let agent: Person
let handler: Person
let other: Person
let dispatcher: Person
beforeAll(async () => {
  desk = await aDesk()
  agent = await desk.person('坐席', ['order:add', 'order:handle'])
  handler = await desk.person('处理人甲', ['order:handle'])
  other = await desk.person('处理人乙', ['order:handle'])
  dispatcher = await desk.person('调度', ['order:assign'])
})
afterAll(() => desk.close())

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const moves = async (id: string) => (await desk.get('/workOrder/getOrderProgress', { id })).data.map(({ event, from, to }: any) => [event, from, to])

test('state.work-order: an order goes from the agent to its handler and back, each step in its story, and strangers to it may not act', async () => {
  const made = await desk.opens({}, agent.token)
  expect(made).toMatchObject({ state: 0, creatorName: '坐席', slaState: 1, respondState: 0 })
  expect(made.orderNo).toMatch(/^GD\d{14}/)
  expect(await desk.inbox(dispatcher.id)).toContain('有工单待分派')
  const { data } = await desk.post('/workOrder/assign', { ids: [made.id], assigneeId: handler.id, opinion: '就近' }, dispatcher.token)
  expect(data).toEqual([{ id: made.id, orderNo: made.orderNo, done: true, zh: '已分派给 处理人甲', en: 'Assigned to 处理人甲' }])
  expect(await desk.inbox(handler.id)).toContain('您有新工单')
  expect((await desk.handles(made.id, STARTED, {}, other.token)).code).toBe(42110)
  expect((await desk.handles(made.id, STARTED, {}, handler.token)).data).toMatchObject({ state: 2, respondState: 1 })
  expect((await desk.handles(made.id, CLOSED, {}, handler.token)).code).toBe(42110)
  expect((await desk.handles(made.id, SOLVED, { opinion: undefined }, handler.token)).code).toBe(42111)
  expect((await desk.handles(made.id, SOLVED, {}, handler.token)).data).toMatchObject({ state: 4 })
  expect((await desk.handles(made.id, SOLVED, {}, handler.token)).code).toBe(40010)
  expect((await desk.handles(made.id, CLOSED, {}, agent.token)).data).toMatchObject({ state: 5 })
  expect(await moves(made.id)).toEqual([
    [1, null, 0],
    [2, 0, 1],
    [4, 1, 2],
    [7, 2, 4],
    [9, 4, 5],
  ])
})

test('a role of work orders may be granted the whole number of whoever called, by the screens that it works at', async () => {
  const contact = async (token: string) => (await desk.opens({}, token)).contact
  expect(await contact(agent.token)).toBe('139****1111')
  const screens = ['AllOrdersScreen', 'CreateOrderScreen', 'DealOrdersScreen']
  const granted = await desk.sql(
    `insert into identity.role_button (enterprise_id, role_id, button_id) select r.enterprise_id, r.role_id, b.id from identity.person_role r, identity.button b
      join identity.resource s on s.id = b.resource_id where r.person_id = $1 and s.component = any ($2) and b.capability = $3 returning button_id`,
    [handler.id, screens, SEES_WHOLE],
  )
  onTestFinished(
    async () => void (await desk.sql('delete from identity.role_button where button_id = any ($1)', [granted.map((one: any) => one.buttonId)])),
  )
  expect(granted).toHaveLength(screens.length)
  const given = await desk.opens({ assigneeId: handler.id }, agent.token)
  expect(given.contact).toBe('139****1111')
  expect((await desk.get('/workOrder/one', { id: given.id }, handler.token)).data.contact).toBe(ORDER.contact)
})

test('whoever is no supervisor sees what is theirs; another finds neither the order nor its story', async () => {
  const made = await desk.opens({ assigneeId: handler.id }, agent.token)
  const find = async (token: string, input = {}) =>
    (await desk.post('/workOrder/selectList', { orderNo: made.orderNo, ...input }, token)).data.records.length
  expect(
    await Promise.all([find(desk.admin), find(handler.token), find(other.token), find(agent.token, { box: 1 }), find(other.token, { box: 0 })]),
  ).toEqual([1, 1, 0, 1, 0])
  expect(
    await Promise.all([
      find(handler.token, { box: 2 }),
      find(handler.token, { box: 3 }),
      find(handler.token, { box: 5 }),
      find(handler.token, { box: 2, state: [4] }),
    ]),
  ).toEqual([1, 0, 0, 0])
  expect((await desk.get('/workOrder/one', { id: made.id }, other.token)).status).toBe(404)
  expect((await desk.get('/workOrder/getOrderProgress', { id: made.id }, other.token)).status).toBe(404)
  expect((await desk.get('/workOrder/one', { id: made.id }, handler.token)).data.orderNo).toBe(made.orderNo)
})

test('a hundred orders at once, each with its own outcome; more are refused', async () => {
  const open = await Promise.all(Array.from({ length: 4 }, () => desk.opens()))
  await desk.handles(open[1].id, CANCELLED)
  const ids = [...open.map(({ id }: any) => id), randomUUID()]
  const { data } = await desk.post('/workOrder/assign', { ids, assigneeId: other.id })
  expect(data.map(({ done }: any) => done)).toEqual([true, false, true, true, false])
  expect(data[1].zh).toContain('已取消')
  expect((await desk.inbox(other.id)).filter((title) => title === '您有 3 个新工单')).toHaveLength(1)
  expect((await desk.post('/workOrder/assign', { ids: Array.from({ length: 101 }, () => randomUUID()), assigneeId: other.id })).status).toBe(400)
  expect((await desk.post('/workOrder/assign', { ids, assigneeId: randomUUID() })).code).toBe(42103)
  expect((await desk.post('/workOrder/assign', { ids, assigneeId: dispatcher.id })).code).toBe(42103)
})

test('two who assign the same order at once: both are in its story, and it has one handler', async () => {
  const made = await desk.opens()
  const [one, two] = await Promise.all([handler, other].map(({ id }) => desk.post('/workOrder/assign', { ids: [made.id], assigneeId: id })))
  expect([one.data[0].done, two.data[0].done]).toEqual([true, true])
  const story = (await desk.get('/workOrder/getOrderProgress', { id: made.id })).data
  expect(story.map(({ event }: any) => event)).toEqual([1, 2, 3])
  expect((await desk.order(made.id)).assigneeName).toBe(story[2].whom.split(' → ').at(-1))
})

test('those who give orders to people hear of the orders of their own parks', async () => {
  const told = async (id: string) => (await desk.sql<{ content: string }>('select content from message.record where cust_id = $1', [id])).length
  const [near, far] = [await desk.person('近', ['order:assign'], ['P001']), await desk.person('远', ['order:assign'], ['P002'])]
  await desk.opens({ parkCode: 'P001' })
  expect([await told(near.id), await told(far.id)]).toEqual([1, 0])
})

test('who does not see the park of an order is not given it', async () => {
  const local = await desk.person('二号场', ['order:handle'], ['P002'])
  const made = await desk.opens({ parkCode: 'P001' })
  const { data } = await desk.post('/workOrder/assign', { ids: [made.id], assigneeId: local.id })
  expect(data[0]).toMatchObject({ done: false, en: '二号场 has no access to its car park' })
  expect((await desk.post('/workOrder/add', { ...ORDER, assigneeId: local.id })).code).toBe(42104)
  const taker = await desk.person('二号场坐席', ['order:add'], ['P002'])
  expect((await desk.post('/workOrder/add', { ...ORDER, parkCode: undefined }, taker.token)).code).toBe(42101)
  expect((await desk.post('/workOrder/add', { ...ORDER, parkCode: 'P001' }, taker.token)).status).toBe(404)
  expect((await desk.post('/workOrder/add', { ...ORDER, parkCode: 'P002' }, taker.token)).status).toBe(200)
  expect((await desk.post('/workOrder/add', { ...ORDER, contact: undefined })).code).toBe(42102)
})

const as = (who: Person, userName: string) => ({ userId: who.id, userName, may: new Set<string>() })
const does = (who: Person, id: string, event: number, at: Instant) =>
  desk.write((tx) => handleOrder(tx, { id: id as never, event: event as never, opinion: '试' }, as(who, '处理人甲'), at))

test('a medium order of the evening before a holiday: three hours with the customer move its limit by working time only', async () => {
  const opened = { ...ORDER, level: 2, type: 3, source: 1, assigneeId: handler.id } as const
  const { id } = await desk.write((tx) => openOrder(tx, opened, SYSTEM, city('2026-09-30 17:00')))
  expect((await desk.order(id)).dueAt).toBe(city('2026-10-10 14:00'))
  await does(handler, id, STARTED, city('2026-10-08 09:30'))
  await does(handler, id, WAITED, city('2026-10-08 10:00'))
  expect(await desk.order(id)).toMatchObject({ state: 3, slaState: 4 })
  await does(handler, id, RESUMED, city('2026-10-08 13:00'))
  expect(await desk.order(id)).toMatchObject({ dueAt: city('2026-10-10 17:00'), respondDueAt: city('2026-10-08 10:00'), respondState: 1 })
  const story = (await desk.get('/workOrder/getOrderProgress', { id })).data
  expect(story.map(({ workMin }: any) => workMin)).toEqual([0, 0, 90, 30, 180])
})

test('given to another while the customer has the word, the time that they took is not lost', async () => {
  const at = city('2026-09-30 17:00')
  const { id, dueAt } = await desk.write((tx) => openOrder(tx, { ...ORDER, level: 4, type: 3, source: 1, assigneeId: handler.id }, SYSTEM, at))
  await does(handler, id, STARTED, city('2026-09-30 17:05'))
  await does(handler, id, WAITED, city('2026-09-30 17:10'))
  await desk.write((tx) => assignAll(tx, { ids: [id], assigneeId: other.id }, SYSTEM, city('2026-09-30 18:10')))
  expect(Date.parse((await desk.order(id)).dueAt) - Date.parse(dueAt)).toBe(3_600_000)
})

test('another level counts anew from when the order was opened', async () => {
  const made = await desk.opens({ level: 4 })
  const { data } = await desk.post('/workOrder/update', { id: made.id, version: made.version, level: 1 })
  expect(Date.parse(data.dueAt)).toBeGreaterThan(Date.parse(made.dueAt) + 20 * 3_600_000)
  const back = (await desk.post('/workOrder/update', { id: made.id, version: data.version, level: 4 })).data
  expect(back.dueAt).toBe(made.dueAt)
  expect((await desk.post('/workOrder/update', { id: made.id, version: made.version, title: '旧' })).status).toBe(409)
  expect((await desk.post('/workOrder/update', { id: made.id, version: back.version, title: '改' }, agent.token)).code).toBe(42106)
  expect((await desk.get('/workOrder/getOrderProgress', { id: made.id })).data.map(({ opinion }: any) => opinion)).toEqual([
    null,
    '紧急 → 低',
    '低 → 紧急',
  ])
})

test('a warning at four fifths, the supervisors at the end, each once; with the customer nobody is told', async () => {
  const made = await desk.opens({ level: 4, assigneeId: handler.id })
  const waits = await desk.opens({ level: 4, assigneeId: handler.id })
  await desk.handles(waits.id, STARTED)
  await desk.handles(waits.id, WAITED)
  const minutes = (n: number) => instantAt(Date.parse(made.createdAt) + n * 60_000)
  await desk.tick(minutes(191))
  expect((await desk.order(made.id)).warnedAt).toBeNull()
  for (const n of [193, 194, 241, 242]) await desk.tick(minutes(n))
  const events = (await desk.get('/workOrder/getOrderProgress', { id: made.id })).data.map(({ event }: any) => event)
  expect(events).toEqual([1, 2, 14, 15])
  expect((await desk.get('/workOrder/getOrderProgress', { id: waits.id })).data.map(({ event }: any) => event)).toEqual([1, 2, 4, 5])
  expect((await desk.order(made.id)).version).toBe(made.version)
})

test('nobody is told of what they did themselves: who opens, takes, returns or reminds of an order; all others are', async () => {
  const [one, two] = [
    await desk.person('调度一', ['order:add', 'order:assign', 'order:handle', 'order:remind']),
    await desk.person('调度二', ['order:assign']),
  ]
  const of = async ({ id }: Person, title: string) => (await desk.inbox(id)).filter((told) => told.endsWith(title)).length
  const made = await desk.opens({}, one.token)
  expect([await of(one, '有工单待分派'), await of(two, '有工单待分派')]).toEqual([0, 1])
  await desk.post('/workOrder/assign', { ids: [made.id], assigneeId: one.id, opinion: '自己处理' }, one.token)
  expect(await of(one, '您有新工单')).toBe(0)
  await desk.opens({ assigneeId: one.id }, one.token)
  expect(await of(one, '您有新工单')).toBe(0)
  await desk.opens({ assigneeId: one.id })
  expect(await of(one, '您有新工单')).toBe(1)
  expect((await desk.handles(made.id, RETURNED, {}, one.token)).status).toBe(200)
  expect([await of(one, '工单被退回，请重新分派'), await of(two, '工单被退回，请重新分派')]).toEqual([0, 1])
  await desk.get('/workOrder/sendMessage', { id: made.id }, one.token)
  expect([await of(one, '催办工单'), await of(two, '催办工单')]).toEqual([0, 1])
})

test('a reminder that nobody would get is refused, and holds up nobody else’s', async () => {
  const one = await desk.person('自催员', ['order:add', 'order:handle', 'order:remind'])
  const made = await desk.opens({ assigneeId: one.id })
  expect(await desk.get('/workOrder/sendMessage', { id: made.id }, one.token)).toMatchObject({ status: 422, code: 42157 })
  expect((await desk.get('/workOrder/sendMessage', { id: made.id })).status).toBe(200)
  expect((await desk.inbox(one.id)).filter((title) => title.endsWith('催办工单'))).toHaveLength(1)
})

test('a reminder goes to the handler, not twice within half an hour, and not once it is closed', async () => {
  const made = await desk.opens({ assigneeId: other.id })
  expect((await desk.get('/workOrder/sendMessage', { id: made.id })).status).toBe(200)
  expect((await desk.inbox(other.id)).filter((title) => title.endsWith('催办工单'))).toHaveLength(1)
  const again = await desk.post('/workOrder/sendMessage', { id: made.id })
  expect([again.code, again.message]).toEqual([42105, expect.stringMatching(/^(29|30)分钟后/)])
  const gone = await desk.opens()
  await desk.handles(gone.id, CANCELLED)
  expect((await desk.get('/workOrder/sendMessage', { id: gone.id })).code).toBe(40010)
})

test('a dispute over a fee is solved by a refund or a waiver of its own order, once, or is not upheld', async () => {
  const order = await desk.anOrder({ receivableFen: 1200, owed: true })
  const another = await desk.anOrder({ receivableFen: 900, owed: true })
  const waiver = async (of: { id: string }, amountFen: number, state: number) =>
    (
      await desk.sql<{ id: string }>(
        `insert into settlement.waiver (order_id, park_code, amount_fen, reason, state, applicant_id, applicant_name, applied_at, approvals) values ($1, 'P001', $2, '试', $3, $4, '试', now(), 1) returning id`,
        [of.id, amountFen, state, randomUUID()],
      )
    )[0]!.id
  const [granted, rejected, others] = [await waiver(order, 1200, 1), await waiver(order, 1200, 2), await waiver(another, 900, 1)]
  const dispute = async () => {
    const made = await desk.opens({ type: 7, relatedNo: order.orderNo, assigneeId: handler.id })
    await desk.handles(made.id, STARTED)
    return made.id as string
  }
  const id = await dispute()
  expect((await desk.get('/workOrder/remedies', { id })).data.map(({ id, good }: any) => [id, good])).toEqual(
    expect.arrayContaining([
      [granted, true],
      [rejected, false],
    ]),
  )
  const solve = (of: string, more: object) => desk.handles(of, SOLVED, more)
  expect((await solve(id, {})).code).toBe(42112)
  expect((await solve(id, { finding: 1 })).code).toBe(42112)
  expect((await solve(id, { remedyId: rejected })).code).toBe(42113)
  expect((await solve(id, { remedyId: randomUUID() })).code).toBe(42113)
  expect((await solve(id, { remedyId: others })).code).toBe(42114)
  const rival = await dispute()
  const both = await Promise.all([solve(id, { remedyId: granted }), solve(rival, { remedyId: granted })])
  expect(both.map(({ code }) => code).sort()).toEqual([200, 42115])
  const lost = both[0]!.code === 200 ? rival : id
  expect(await desk.order(lost === id ? rival : id)).toMatchObject({ state: 4, finding: 1, remedyKind: 2, remedyNo: order.orderNo, remedyFen: 1200 })
  expect((await solve(lost, { finding: 2 })).data).toMatchObject({ state: 4, finding: 2, remedyNo: null })
  await expect(desk.sql('update after_sale.work_order set finding = null where id = $1', [lost])).rejects.toThrow(/money_is_found_out/)
})

test('what was closed is reopened within fifteen days for the same person, with a clock of its own; later it is not', async () => {
  const closed = await desk.closed(handler, { level: 4 })
  await desk.sql(`update after_sale.work_order set closed_at = $2 where id = $1`, [closed.id, daysAgo(14)])
  expect((await desk.handles(closed.id, REOPENED)).data).toMatchObject({
    state: 1,
    reopens: 1,
    assigneeName: '处理人甲',
    closedAt: null,
    respondedAt: null,
  })
  expect(Date.parse((await desk.order(closed.id)).dueAt)).toBeGreaterThan(Date.parse(closed.dueAt))
  const late = await desk.closed(handler)
  await desk.sql(`update after_sale.work_order set closed_at = $2 where id = $1`, [late.id, daysAgo(16)])
  expect((await desk.handles(late.id, REOPENED)).code).toBe(42116)
  const locked = await desk.person('离岗', ['order:handle'])
  const theirs = await desk.closed(locked)
  await desk.sql('update identity.person set lock_state = 2 where id = $1', [locked.id])
  expect((await desk.handles(theirs.id, REOPENED)).data).toMatchObject({ state: 7 })
})

test('what is returned waits for another; nobody has it', async () => {
  const made = await desk.opens({ assigneeId: handler.id })
  expect((await desk.handles(made.id, RETURNED, {}, handler.token)).data).toMatchObject({ state: 6, assigneeName: null })
  expect(await desk.inbox(dispatcher.id)).toContain('工单被退回，请重新分派')
  expect((await desk.post('/workOrder/selectList', { box: 4, orderNo: made.orderNo }, dispatcher.token)).data.records).toHaveLength(1)
})

test('a week without a word closes what was solved; only what was never begun is deleted', async () => {
  const made = await desk.opens({ assigneeId: handler.id })
  await desk.handles(made.id, STARTED)
  await desk.handles(made.id, SOLVED)
  await desk.sql(`update after_sale.work_order set solved_at = $2 where id = $1`, [made.id, daysAgo(6)])
  await desk.tick(instantAt(Date.now()))
  expect((await desk.order(made.id)).state).toBe(4)
  await desk.tick(instantAt(Date.now() + 1.1 * 86_400_000))
  expect((await desk.order(made.id)).state).toBe(5)
  const del = (id: string) => desk.server.ask(desk.admin, 'DELETE', `/lbs/basic/workOrder/delete?id=${id}`)
  expect((await del(made.id)).code).toBe(40010)
  const fresh = await desk.opens()
  expect((await del(fresh.id)).status).toBe(200)
  expect(await desk.order(fresh.id)).toBeUndefined()
})

test('what a device reports opens one order, however often and from how many at once', async () => {
  const wanted = { ...ORDER, source: 4, sourceKey: 'device:D1', contact: null, contactName: null } as never
  const at = instantAt(Date.now())
  const all = await Promise.all(Array.from({ length: 5 }, () => desk.write((tx) => report(tx, wanted, at))))
  expect(new Set(all.map(({ id }) => id)).size).toBe(1)
  expect(all.filter(({ opened }) => opened)).toHaveLength(1)
  await desk.handles(all[0]!.id, CANCELLED)
  expect((await desk.write((tx) => report(tx, wanted, at))).opened).toBe(true)
  await desk.write((tx) => announce(tx, orderWanted, wanted))
  expect(
    await desk.sql(`select 1 from graphile_worker.jobs where task_identifier = 'after-sale.order-wanted>after-sale.report'`).catch(() => ['unseen']),
  ).toHaveLength(1)
})

test('figures count what their lists show', async () => {
  const { data } = await desk.post('/workOrder/summary')
  const count = async (input: object) => (await desk.post('/workOrder/selectList', { ...input, queryMode: 'total' })).data.total
  expect(data.pending).toBe(await count({ state: [0, 1, 2, 3, 6, 7] }))
  expect(data.overdue).toBe(await count({ box: 5 }))
  expect(data.confirming).toBe(await count({ state: [4] }))
  expect(data.total).toBe(data.states.reduce((sum: number, { count }: any) => sum + count, 0))
  expect(data.days).toHaveLength(30)
  expect(data.days.at(-1).created).toBe(data.createdToday)
  const own = (await desk.post('/workOrder/summary', {}, handler.token)).data
  expect(own.total).toBeLessThan(data.total)
  expect(own.mine).toBe((await desk.post('/workOrder/selectList', { box: 2, queryMode: 'total' }, handler.token)).data.total)
  expect((await desk.post('/workOrder/summary', { dateFrom: '2026-01-02', dateTo: '2026-01-01' })).status).toBe(400)
})

test('the agent hears what the caller was about before, by the whole number alone', async () => {
  await desk.opens({ contact: '13911112222', plateNo: '鄂F54321' })
  await desk.post('/sysSuggest/add', { kind: 2, source: 1, content: '希望增加车位', phone: '13911112222' })
  const before = async (input: object) => (await desk.post('/workOrder/before', input)).data.map(({ isOrder }: any) => isOrder)
  expect(await before({ contact: '13911112222' })).toEqual([false, true])
  expect(await before({ plateNo: '鄂F54321' })).toEqual([true])
  expect(await before({ contact: '13911112' })).toEqual([])
  expect(await before({})).toEqual([])
})

test('of all orders the urgent one that is over its time is first, and what ended is last; another order may be asked for', async () => {
  const [low, urgent, late, both] = [
    await desk.opens({ level: 1 }),
    await desk.opens({ level: 4 }),
    await desk.opens({ level: 1 }),
    await desk.opens({ level: 4 }),
  ]
  const ended = await desk.opens({ level: 4 })
  await desk.handles(ended.id, 11, {})
  for (const { id } of [late, both])
    await desk.sql(
      `update after_sale.work_order set created_at = now() - interval '3 days', counted_from = now() - interval '3 days', respond_due_at = now() - interval '2 days', warn_at = now() - interval '1 day', due_at = now() - interval '1 hour' where id = $1`,
      [id],
    )
  const made = [low, urgent, late, both, ended].map(({ id }) => id)
  const shown = async (input = {}) =>
    (await desk.post('/workOrder/selectList', { limit: 200, ...input })).data.records
      .map(({ id }: any) => id)
      .filter((id: string) => made.includes(id))
  expect(await shown()).toEqual([both, late, urgent, low, ended].map(({ id }) => id))
  expect((await shown({ orderByColumn: 'createdAt', isAsc: false })).at(0)).toBe(ended.id)
})

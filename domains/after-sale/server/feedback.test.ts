import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { hashOfLink } from './closing.ts'
import { aDesk, type Desk, type Person } from './testing.ts'

let desk: Desk
let handler: Person
let visitor: Person
beforeAll(async () => {
  desk = await aDesk()
  handler = await desk.person('处理人', ['order:handle', 'suggestion:edit', 'interview:edit'])
  visitor = await desk.person('回访员', ['interview:edit'])
  await desk.sql(`insert into message.channel (name, type, status, url, rate_per_sec, day_cap) values ('短信', 2, 1, 'http://127.0.0.1:9/', 5, 100)`)
  await desk.sql(`insert into message.template (code, name, kind, channel_type, title, content, state, vars) values
    ('after-sale.reply', '反馈答复', 1, 2, '答复', '{{no}}：{{reply}}', 1, '[]'), ('after-sale.rate', '服务评价', 1, 2, '评价', '请评价 {{no}}：https://park.example{{path}}', 1, '[]')`)
})
afterAll(() => desk.close())

const SAID = { kind: 1, source: 1, content: '收费员态度差', phone: '13900001111', contactName: '李女士', parkCode: 'P001' }
const takes = async (more: object = {}) => (await desk.post('/sysSuggest/add', { ...SAID, ...more }, handler.token)).data
const step = (call: string, of: any, more: object, token = handler.token) =>
  desk.post(`/sysSuggest/${call}`, { id: of.id, version: of.version, ...more }, token)
const sent = async (start: string) =>
  (await desk.sql<{ content: string }>('select content from message.record where content like $1 order by created_at desc', [`${start}%`])).map(
    ({ content }) => content,
  )
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

test('feedback is accepted, answered to whoever wrote, and closed; a complaint is asked about afterwards', async () => {
  const made = await takes()
  expect(made).toMatchObject({ state: 0, createdName: '处理人', suggestNo: expect.stringMatching(/^JY/) })
  expect((await step('reply', made, { reply: '抱歉' })).code).toBe(40010)
  const accepted = (await step('accept', made, { accept: true })).data
  expect(accepted).toMatchObject({ state: 1, handlerName: '处理人' })
  const replied = (await desk.post('/sysSuggest/update', { id: made.id, version: accepted.version, reply: '已批评教育' }, handler.token)).data
  expect(replied).toMatchObject({ state: 2, reply: '已批评教育', toldAt: expect.any(String) })
  expect(await sent(made.suggestNo)).toEqual([`${made.suggestNo}：已批评教育`])
  expect((await step('close', replied, { result: 4 })).data).toMatchObject({ state: 3, result: 4 })
  const { records } = (await desk.post('/sysSuggestInterview/selectList', { targetNo: made.suggestNo })).data
  expect(records).toMatchObject([{ targetType: 2, result: 0, contactName: '李女士', handlerName: '处理人' }])
})

test('what is declined says why; what was answered is no longer changed, and only what waits is deleted', async () => {
  const made = await takes({ kind: 2 })
  expect((await step('accept', made, { accept: false })).code).toBe(42140)
  const declined = (await step('accept', made, { accept: false, reason: '不属本公司' })).data
  expect(declined.state).toBe(4)
  expect((await step('update', declined, { content: '改' })).code).toBe(40010)
  const del = (id: string) => desk.server.ask(desk.admin, 'DELETE', `/lbs/basic/sysSuggest/delete?id=${id}`)
  expect((await del(made.id)).code).toBe(40010)
  expect((await del((await takes()).id)).status).toBe(200)
})

test('made into a work order it brings its pictures and its link along, once', async () => {
  const made = await takes({ images: '/lbs/basic/sysFile/download?fileName=a.png', plateNo: '鄂F11111' })
  const both = await Promise.all([step('convert', made, { type: 2, level: 3 }), step('convert', made, { type: 2, level: 3 })])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  const converted = both.find(({ status }) => status === 200)!.data
  expect(converted).toMatchObject({ state: 5, orderNo: expect.stringMatching(/^GD/) })
  expect(await desk.order(converted.orderId)).toMatchObject({
    images: SHOT,
    plateNo: '鄂F11111',
    contact: SAID.phone,
    suggestionId: made.id,
    level: 3,
    title: SAID.content,
  })
})
const SHOT = '/lbs/basic/sysFile/download?fileName=a.png'

test('time limits of feedback count working days, and the figures tell who kept them', async () => {
  const made = await takes({ kind: 2 })
  expect(Date.parse(made.replyDueAt) - Date.parse(made.createdAt)).toBeGreaterThan(4 * 86_400_000)
  expect(Date.parse(made.acceptDueAt)).toBeLessThan(Date.parse(made.replyDueAt))
  await desk.sql(`update after_sale.suggestion set accept_due_at = $2, reply_due_at = $2 where id = $1`, [made.id, daysAgo(0.5)])
  const { data } = await desk.post('/sysSuggest/summary')
  expect(data.late).toBe(1)
  expect(data.total).toBe(data.kinds.reduce((sum: number, { count }: any) => sum + count, 0))
  expect(data.acceptRate).toBeLessThan(1000)
  expect(data.parks).toMatchObject([{ parkCode: 'P001' }])
})

test('what waits for its reply beyond the limit is found and counted; what is in time, or was answered late, is not', async () => {
  const phone = '13900002299'
  const [waiting, accepted, inTime, answered] = [await takes({ phone }), await takes({ phone }), await takes({ phone }), await takes({ phone })]
  onTestFinished(async () => void (await desk.sql('delete from after_sale.suggestion where phone = $1', [phone])))
  const takenUp = async (of: any) => (await step('accept', of, { accept: true })).data
  await takenUp(accepted)
  expect((await step('reply', await takenUp(answered), { reply: '已处理' })).data).toMatchObject({ state: 2 })
  const late = [waiting, accepted, answered].map(({ id }) => id)
  await desk.sql('update after_sale.suggestion set reply_due_at = $2 where id = any ($1)', [late, daysAgo(1)])
  const found = async (more: object) => (await desk.post('/sysSuggest/selectList', { phone, ...more })).data.records.map(({ id }: any) => id).sort()
  expect(await found({ state: [0, 1], replyDueAtTo: daysAgo(0) })).toEqual([waiting.id, accepted.id].sort())
  expect(await found({ state: [0, 1] })).toEqual([waiting.id, accepted.id, inTime.id].sort())
})

test('an export has the list’s filter', async () => {
  const answer = await desk.get('/sysSuggest/export', { format: 'csv', kind: 1 })
  expect(String(answer.data)).toContain('收费员态度差')
  expect(String(answer.data)).not.toContain('希望')
})

const asked = async (order: any) => (await desk.post('/sysSuggestInterview/selectList', { targetNo: order.orderNo })).data.records[0]
const interviewOf = async (more: object = {}) => {
  const order = await desk.closed(handler, { type: 2, ...more })
  return { order, planned: await asked(order) }
}
const tells = (of: any, more: object, token = visitor.token) =>
  desk.post('/sysSuggestInterview/update', { id: of.id, version: of.version, ...more }, token)

test('whoever handled it does not ask about it; success needs its answers, and what is done stays', async () => {
  const { planned } = await interviewOf()
  expect(Date.parse(planned.planAt) - Date.now()).toBeLessThan(3 * 86_400_000 + 1_000)
  expect((await tells(planned, { result: 1, solved: 1, score: 5 }, handler.token)).code).toBe(42152)
  expect((await tells(planned, { result: 1, solved: 1 })).code).toBe(42154)
  const done = (await tells(planned, { result: 1, solved: 1, score: 5, content: '满意' })).data
  expect(done).toMatchObject({ result: 1, score: 5, visitorName: '回访员', doneAt: expect.any(String) })
  expect((await tells(done, { content: '改' })).code).toBe(42153)
  const del = await desk.server.ask(visitor.token, 'DELETE', `/lbs/basic/sysSuggestInterview/delete?id=${planned.id}`)
  expect(del.code).toBe(40010)
})

test('not reached ends after three days, however often it rang on one', async () => {
  const { planned } = await interviewOf()
  let row = planned
  const rings = async () => void (row = (await tells(row, { result: 2 })).data)
  await rings()
  await rings()
  expect(row).toMatchObject({ result: 0, attempts: 1 })
  for (const day of ['2026-01-01', '2026-01-02']) {
    await desk.sql('update after_sale.interview set tried_on = $2 where id = $1', [row.id, day])
    await rings()
  }
  expect(row).toMatchObject({ result: 2, attempts: 3, doneAt: expect.any(String) })
})

test('not solved on day 14 reopens the order, on day 16 it is refused and nothing is kept', async () => {
  const { order, planned } = await interviewOf()
  await desk.sql('update after_sale.work_order set closed_at = $2 where id = $1', [order.id, daysAgo(14)])
  expect((await tells(planned, { result: 1, solved: 1, score: 5, reopen: true })).code).toBe(42155)
  expect((await tells(planned, { result: 1, solved: 2, score: 1, reopen: true, content: '又坏了' })).status).toBe(200)
  expect(await desk.order(order.id)).toMatchObject({ state: 1, reopens: 1 })
  const late = await interviewOf()
  await desk.sql('update after_sale.work_order set closed_at = $2 where id = $1', [late.order.id, daysAgo(16)])
  expect((await tells(late.planned, { result: 1, solved: 2, score: 1, reopen: true })).code).toBe(42116)
  expect(await asked(late.order)).toMatchObject({ result: 0, solved: null })
})

test('who complains again is not asked for a rating of the round before; the next close asks once', async () => {
  const { order, planned } = await interviewOf()
  const states = () => desk.sql('select send_state from message.record where concerns = $1 order by created_at, id', [`after-sale.rate ${order.id}`])
  await desk.sql('update message.record set send_state = 0 where concerns = $1', [`after-sale.rate ${order.id}`])
  expect(await states()).toEqual([{ sendState: 0 }])
  expect((await tells(planned, { result: 1, solved: 2, score: 1, reopen: true, content: '又坏了' })).status).toBe(200)
  expect(await states()).toEqual([{ sendState: 4 }])
})

test('an interview is planned of what is closed, and once', async () => {
  const open = await desk.opens()
  const plan = (targetId: string) => desk.post('/sysSuggestInterview/add', { targetType: 1, targetId, way: 1 }, visitor.token)
  expect((await plan(open.id)).code).toBe(42150)
  const { order } = await interviewOf()
  expect((await plan(order.id)).code).toBe(42151)
})

const linkOf = async (order: any) => /\/evaluate\/(\S+)/.exec((await sent(`请评价 ${order.orderNo}`))[0]!)![1]!
const rate = (code: string, score: number, content?: string) =>
  desk.server.ask(null, 'POST', '/lbs/basic/workOrder/evaluate', { code, score, ...(content && { content }) })

test('the customer’s link rates its order once, of many at once too, and shows nothing else', async () => {
  const { order } = await interviewOf()
  const code = await linkOf(order)
  expect(await desk.sql('select link_hash from after_sale.work_order where id = $1', [order.id])).toEqual([{ linkHash: hashOfLink(code) }])
  const shown = (await desk.server.ask(null, 'GET', '/lbs/basic/workOrder/evaluation', { code })).data
  expect(shown).toEqual({ orderNo: order.orderNo, type: 2, closedAt: expect.any(String), score: null, open: true })
  const all = await Promise.all(Array.from({ length: 6 }, () => rate(code, 4, '不错')))
  expect(all.map(({ code }) => code).sort()).toEqual([200, 42132, 42132, 42132, 42132, 42132])
  expect(await desk.order(order.id)).toMatchObject({ score: 4, comment: '不错' })
  const { records } = (await desk.post('/workOrder/selectList', { scored: true, orderNo: order.orderNo })).data
  expect(records).toMatchObject([{ score: 4 }])
  expect((await desk.post('/workOrder/summary')).data).toMatchObject({ csat: 1000, rated: 1 })
})

test('a link that is guessed, over or of another company opens nothing; while the order is in hand it cannot be rated', async () => {
  const { order } = await interviewOf()
  const code = await linkOf(order)
  const turned = `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`
  const cut = code.slice(0, -5)
  for (const wrong of [turned, code.replace(/^1-/, '2-'), code.replace(/^1-/, '999999-'), cut, `${code}x`, code.slice(2)]) {
    expect(await rate(wrong, 1)).toMatchObject({ status: 404, code: 42130 })
    expect(await desk.server.ask(null, 'GET', '/lbs/basic/workOrder/evaluation', { code: wrong })).toMatchObject({ status: 404, code: 42130 })
  }
  await desk.handles(order.id, 10)
  expect((await rate(code, 5)).code).toBe(42131)
  const old = await interviewOf()
  await desk.sql('update after_sale.work_order set closed_at = $2 where id = $1', [old.order.id, daysAgo(31)])
  expect((await rate(await linkOf(old.order), 5)).code).toBe(42130)
})

test('a case is published, used by an order once, and then withdrawn rather than deleted', async () => {
  const add = (title: string) => desk.post('/SysCaseSolution/add', { title, category: 3, content: '<p>重启道闸控制器</p>', answer: '已为您重启' })
  const { data: made } = await add('道闸不抬杆')
  expect((await add('道闸不抬杆')).code).toBe(42122)
  const order = await desk.opens({ assigneeId: handler.id })
  const use = (caseId: string) => desk.post('/SysCaseSolution/use', { caseId, orderId: order.id }, handler.token)
  expect((await use(made.id)).code).toBe(42120)
  const change = (of: any, fields: object) => desk.post('/SysCaseSolution/update', { id: of.id, version: of.version, ...fields })
  const published = (await change(made, { state: 1 })).data
  expect((await change(published, { state: 0 })).code).toBe(40010)
  await Promise.all([use(made.id), use(made.id)])
  const used = (await desk.get('/SysCaseSolution/one', { id: made.id })).data
  expect(used).toMatchObject({ used: 1, lastUsedAt: expect.any(String) })
  await desk.handles(order.id, 4, {}, handler.token)
  await desk.handles(order.id, 7, { caseId: made.id }, handler.token)
  expect((await desk.get('/workOrder/one', { id: order.id })).data.cases).toEqual([{ id: made.id, title: '道闸不抬杆' }])
  const del = (id: string) => desk.server.ask(desk.admin, 'DELETE', `/lbs/basic/SysCaseSolution/delete?id=${id}`)
  expect((await del(made.id)).code).toBe(42121)
  expect((await change(used, { state: 2 })).data.state).toBe(2)
  expect((await del((await add('另一个')).data.id)).status).toBe(200)
})

test('an interview of a repair is planned for a tenth, and for every complaint', async () => {
  expect((await interviewOf({ type: 2, level: 1 })).planned).toBeDefined()
  expect((await interviewOf({ type: 3, level: 3 })).planned).toBeDefined()
  const rest = await Promise.all(Array.from({ length: 12 }, () => interviewOf({ type: 1, level: 1 })))
  expect(rest.filter(({ planned }) => planned === undefined).length).toBeGreaterThan(6)
})

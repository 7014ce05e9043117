import { afterAll, beforeAll, expect, test } from 'vitest'
import pg from 'pg'
import { tokenOfSomeoneWho } from '../../../tests/support/roles.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { WebSocket } from 'ws'
import { sendInner } from './api.ts'

let server: TestServer
let admin: string
let operator: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  operator = await server.signIn('operator')
})
afterAll(() => server.close())

const idOf = async (token: string) => (await server.ask(token, 'GET', '/lbs/custom/account/getUserInfo')).data.custId as string
const mine = async (token: string, body: object = {}) => (await server.ask(token, 'POST', '/lbs/message/messageRecord/queryMessageRecord', body)).data
const tag = (token: string, id: string) => server.ask(token, 'GET', '/lbs/message/messageRecord/tagMsgById', { id }).then(({ status }) => status)
const send = (to: { custId: string } | { capability: string; parkCode: null }, enterprise = 1) =>
  server.house.writing(enterprise, 'test', (tx) =>
    sendInner(tx, { to, title: ['车道离线', 'Lane offline'], body: ['北门', 'North gate'], link: '/operation/deviceMonitor' }),
  )

test('a message is its receiver’s own: unread, then read, by nobody else', async () => {
  await send({ custId: await idOf(operator) })
  const unread = await mine(operator, { readState: 0, limit: 1, custId: await idOf(admin) })
  expect(unread).toMatchObject({
    total: 1,
    records: [{ title: '车道离线', titleEn: 'Lane offline', link: '/operation/deviceMonitor', readState: 0 }],
  })
  expect((await mine(admin, { custId: await idOf(operator) })).total).toBe(0)
  const { id } = unread.records[0]
  expect(await tag(admin, id)).toBe(404)
  expect([await tag(operator, id), await tag(operator, id)]).toEqual([200, 200])
  expect((await mine(operator, { readState: 0 })).total).toBe(0)
})

test('all own messages are read at once, however many pages they fill, and nobody else’s', async () => {
  const all = (token: string) => server.ask(token, 'POST', '/lbs/message/messageRecord/tagAllMsg', {})
  const custId = await idOf(operator)
  for (let n = 0; n < 18; n++) await send({ custId })
  expect((await mine(operator, { readState: 0, limit: 1 })).total).toBe(18)
  expect((await all(admin)).data).toEqual({ read: 0 })
  expect((await all(operator)).data).toEqual({ read: 18 })
  expect((await all(operator)).data).toEqual({ read: 0 })
  expect((await mine(operator, { readState: 0, limit: 1 })).total).toBe(0)
})

test('all who may do something are told, in their own enterprise only', async () => {
  expect(await send({ capability: 'identity:role:edit', parkCode: null })).toBe(1)
  expect((await mine(admin)).total).toBe(1)
  expect((await mine(await server.signIn('otheradmin'))).total).toBe(0)
})

test('an open page hears of it at once, and nobody else’s does', async () => {
  const [custId, adminId] = [await idOf(operator), await idOf(admin)]
  const socket = (token: string, of: string) =>
    new WebSocket(`${server.url.replace('http', 'ws')}/lbs/message/innerMessage/channel/${of}`, { headers: { authorization: `Bearer ${token}` } })
  const heard: string[] = []
  const [one, two] = [socket(operator, custId), socket(admin, adminId)]
  // A person who may view records hears of these too; a person's own messages are told to them alone.
  const hear = (who: string) => (frame: { data: unknown }) => {
    const { topic } = JSON.parse(String(frame.data)) as { topic: string }
    if (topic === 'message.inner') heard.push(`${who} ${topic}`)
  }
  one.onmessage = hear('operator')
  two.onmessage = hear('admin')
  await Promise.all([one, two].map((each) => new Promise((open) => (each.onopen = open))))
  await send({ custId })
  await expect.poll(() => heard).toEqual(['operator message.inner'])
  const foreign = socket(admin, custId)
  expect(await new Promise((done) => ((foreign.onerror = () => done('refused')), (foreign.onopen = () => done('open'))))).toBe('refused')
  one.close()
  two.close()
})

test('what was sent is taken back while it is unread, resent only when it failed, deleted only when it is over', async () => {
  const custId = await idOf(operator)
  const insert = (body: object, token = admin) => server.ask(token, 'POST', '/lbs/message/messageRecord/insert', body)
  const put = (body: object) => server.ask(admin, 'PUT', '/lbs/message/messageRecord/update', body)
  const resend = (id: string) => server.ask(admin, 'GET', '/lbs/message/messageRecord/resend', { id })
  expect((await insert({ title: '无人', content: 'x' })).code).toBe(40310)
  expect((await insert({ custIds: [custId] })).code).toBe(40309)
  expect((await insert({ custIds: [custId], title: '请回复', content: '明早八点开会' })).data).toEqual({ sent: 1, refused: 0 })
  const [row] = (await server.ask(admin, 'POST', '/lbs/message/userMessage/queryPlatMessageRecord', { title: '请回复' })).data.records
  expect((await resend(row.id)).code).toBe(40010)
  expect((await put({ id: row.id, version: row.version + 5, sendState: 4 })).code).toBe(409)
  expect((await put({ id: row.id, version: row.version, sendState: 4 })).data).toMatchObject({ sendState: 4 })
  expect((await mine(operator, { title: '请回复' })).total).toBe(0)
  expect((await put({ id: row.id, version: row.version + 1, sendState: 4 })).code).toBe(40010)

  await insert({ custIds: [custId], title: '再次', content: 'x' })
  const [own] = (await mine(operator, { title: '再次' })).records
  const remove = (token: string, id: string) => server.ask(token, 'DELETE', `/lbs/message/messageRecord/delete/${id}`).then(({ status }) => status)
  expect(await remove(await server.signIn('otheradmin'), own.id)).toBe(404)
  expect([await remove(operator, own.id), (await mine(operator, { title: '再次' })).total]).toEqual([200, 0])
  // Gone from one's own list, it is still in the records until somebody who may removes it there.
  const listed = async () => (await server.ask(admin, 'POST', '/lbs/message/messageRecord/queryPage', { title: '再次' })).data.total
  expect([await listed(), await remove(admin, own.id), await listed()]).toEqual([1, 200, 0])
})

test('the figures are those of the lists that they open', async () => {
  const get = (path: string) => server.ask(admin, 'GET', `/lbs/message/messageStatics/${path}`)
  const [summary, channels, kinds, times, list] = await Promise.all([
    get('summary'),
    get('channelPieChart'),
    get('messageTypeCurve'),
    get('timeCurve'),
    server.ask(admin, 'POST', '/lbs/message/messageRecord/queryPage', { queryMode: 'total' }),
  ])
  const sum = (rows: any[]) => rows.reduce((all, { total }) => all + total, 0)
  expect([summary!.data.total, sum(channels!.data), sum(kinds!.data), sum(times!.data)]).toEqual(Array.from({ length: 4 }, () => list!.data.total))
  expect(times!.data).toHaveLength(7)
  expect((await get('summary?from=2026-01-01&to=2026-12-31')).code).toBe(40314)
})

test('news is cleaned, published to everybody, and withdrawn', async () => {
  const call = (path: string, body: object, token = admin) => server.ask(token, 'POST', `/lbs/business/platformNews/${path}`, body)
  const { data: draft } = await call('addNews', {
    title: '公告',
    content: '<p onclick="x()">好<script>alert(1)</script><img src="http://evil.example/a.png"></p>',
  })
  expect(draft.content).not.toMatch(/onclick|script|evil/)
  const shown = async () => (await server.ask(operator, 'GET', '/lbs/business/platformNews/published')).data.map(({ title }: any) => title)
  expect(await shown()).not.toContain('公告')
  expect((await call('updateNews', { id: draft.id, version: 1, status: 1 }, operator)).status).toBe(200)
  expect(await shown()).toContain('公告')
  expect((await call('updateNews', { id: draft.id, version: 2, title: '改' })).code).toBe(40010)
  await call('updateNews', { id: draft.id, version: 2, status: 2 })
  expect(await shown()).not.toContain('公告')
})

test('a plate in a message is covered for whoever is not shown plates', async () => {
  await server.house.writing(1, 'test', async (tx) => {
    const words: [string, string] = ['车辆 鄂F12345 未缴', 'Car 鄂F12345 owes']
    await sendInner(tx, { to: { custId: await idOf(operator) }, title: words, body: words, link: '/operation/finance' })
  })
  const owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  const clerk = await tokenOfSomeoneWho(server, owner, ['MessageRecordScreen'])
  await owner.end()
  const told = async (token: string) =>
    JSON.stringify((await server.ask(token, 'POST', '/lbs/message/messageRecord/queryPage', { title: '未缴' })).data)
  expect(await told(admin)).toContain('鄂F12345')
  expect(await told(clerk)).toContain('车辆 鄂F***45 未缴')
  expect(await told(clerk)).not.toContain('鄂F12345')
})

test('whoever is not shown plates does not find one out by the titles that have it', async () => {
  const owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  const clerk = await tokenOfSomeoneWho(server, owner, ['MessageRecordScreen'])
  await owner.end()
  await server.house.writing(1, 'test', async (tx) =>
    sendInner(tx, {
      to: { custId: await idOf(admin) },
      title: ['鄂F57001 在北门', 'At the gate'],
      body: ['北门', 'North gate'],
      link: '/operation/deviceMonitor',
    }),
  )
  const found = async (token: string, title: string) => server.ask(token, 'POST', '/lbs/message/messageRecord/queryPage', { title, limit: 10 })
  expect((await found(admin, 'F570')).data.total).toBe(1)
  expect((await found(clerk, '在北门')).data.records).toMatchObject([{ title: '鄂F***01 在北门' }])
  for (const part of ['F570', 'f57', '鄂F570', '鄂-f5', '７', '鄂F5700%'])
    expect(await found(clerk, part)).toMatchObject({ status: 400, message: expect.stringContaining('不含字母和数字') })
})

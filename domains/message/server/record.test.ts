import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { demoPeople } from '../../identity/server/api.ts'
import { WebSocket } from 'ws'
import { sendInner } from './api.ts'

let server: TestServer
let admin: string
let operator: string
beforeAll(async () => {
  server = await startTestServer()
  await demoPeople(server.house, PASSWORD)
  admin = await server.signIn('admin')
  operator = await server.signIn('operator')
})
afterAll(() => server.close())

const idOf = async (token: string) => (await server.ask(token, 'GET', '/lbs/custom/account/getUserInfo')).data.custId as string
const mine = async (token: string, body: object = {}) => (await server.ask(token, 'POST', '/lbs/message/messageRecord/queryMessageRecord', body)).data
const tag = (token: string, id: string) => server.ask(token, 'GET', '/lbs/message/messageRecord/tagMsgById', { id }).then(({ status }) => status)
const send = (to: { custId: string } | { capability: string }, enterprise = 1) =>
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

test('all who may do something are told, in their own enterprise only', async () => {
  expect(await send({ capability: 'identity:role:edit' })).toBe(1)
  expect((await mine(admin)).total).toBe(1)
  expect((await mine(await server.signIn('otheradmin'))).total).toBe(0)
})

test('an open page hears of it at once, and nobody else’s does', async () => {
  const [custId, adminId] = [await idOf(operator), await idOf(admin)]
  const socket = (token: string, of: string) =>
    new WebSocket(`${server.url.replace('http', 'ws')}/lbs/message/innerMessage/channel/${of}`, { headers: { authorization: `Bearer ${token}` } })
  const heard: string[] = []
  const [one, two] = [socket(operator, custId), socket(admin, adminId)]
  one.onmessage = ({ data }) => void heard.push(`operator ${JSON.parse(String(data)).topic}`)
  two.onmessage = ({ data }) => void heard.push(`admin ${JSON.parse(String(data)).topic}`)
  await Promise.all([one, two].map((each) => new Promise((open) => (each.onopen = open))))
  await send({ custId })
  await expect.poll(() => heard).toEqual(['operator message.inner'])
  const foreign = socket(admin, custId)
  expect(await new Promise((done) => ((foreign.onerror = () => done('refused')), (foreign.onopen = () => done('open'))))).toBe('refused')
  one.close()
  two.close()
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { announce } from '../../../../platform/server/events.ts'
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { warned } from '../../../device/server/api.ts'
import { Direction } from '../../contract/gate.ts'
import { aGate, aPark } from '../factories.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a car that paid and stands before a shut barrier is told by the names of park and gate, as an urgent alarm that leads to its lane', async () => {
  const [parkCode, gateCode, sn] = ['T900', 'T900-G02', 'PG-T900-2']
  const at = { warningId: 'w', sn, parkCode, gateCode, subject: 'o1', count: 1, people: [], roles: [] }
  await server.house.writing(1, 'test', async (tx) => {
    await aPark(tx, { parkCode, name: '人民广场停车场' })
    await aGate(tx, { parkCode, gateCode, name: '出口 1', direction: Direction.exit, sn })
    await announce(tx, warned, { ...at, type: 3, level: 4 })
  })
  const admin = await server.signIn('admin')
  const { custId } = (await server.ask(admin, 'GET', '/lbs/custom/account/getUserInfo')).data
  const alarms = async () => {
    const search = { custId, current: 1, limit: 10, urgent: true, kind: [2] }
    const { data } = await server.ask(admin, 'POST', '/lbs/message/messageRecord/queryMessageRecord', search)
    return (data.records as { title: string; link: string }[]).map(({ title, link }) => [title, link])
  }
  await expect.poll(alarms).toEqual([['人民广场停车场 · 出口 1：付款后未放行', `/operation/laneBoard?gate=${gateCode}`]])
})

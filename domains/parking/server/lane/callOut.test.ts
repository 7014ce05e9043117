import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { instantAt } from '../../../../platform/contract/time.ts'
import { signed } from '../../../../platform/server/call/signature.ts'
import { startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { CallResult, CallSource } from '../../contract/callOut.ts'
import { Direction } from '../../contract/gate.ts'
import { callCentreSignsWith, giveUpCalls } from './callOut.ts'
import { aGate, aPark } from '../factories.ts'

const SECRET = randomBytes(32).toString('hex')
const GATE = 'P001-G02'
let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  callCentreSignsWith(SECRET)
  await server.house.writing(1, 'test', async (tx) => {
    await aPark(tx, { parkCode: 'P001' })
    await aGate(tx, { parkCode: 'P001', gateCode: GATE, direction: Direction.exit, sn: 'PG-1' })
  })
})
afterAll(() => server?.close())

const call = (path: string, body: object, token: string | null = admin) => server.ask(token, 'POST', `/lbs/device/callCenter/${path}`, body)
const NOW = Date.now()
const at = (seconds: number) => instantAt(NOW - 3_600_000 + seconds * 1000)
const tells = (callId: string, event: string, seconds: number, more: object = {}, secret = SECRET) =>
  call(
    'notice',
    signed(
      {
        centre: 'kerbline-1',
        callId,
        event,
        gateCode: GATE,
        at: at(seconds),
        timestamp: Math.floor(Date.now() / 1000),
        nonce: randomBytes(16).toString('hex'),
        ...more,
      },
      secret,
    ),
    null,
  )
const found = async (callId: string) => (await call('search', {})).data.records.find((one: any) => one.callId === callId)

test('a call is one record, in whatever order its events come and however often', async () => {
  const events = [
    ['ring', 0],
    ['answer', 12],
    ['hangup', 95],
    ['recording', 100, { recordUrl: 'https://calls.example/1.mp3' }],
  ] as const
  const orders = [events, events.toReversed(), [events[1], events[0], events[3], events[2], events[1]]]
  for (const [place, order] of orders.entries()) {
    for (const [event, seconds, more] of order) expect((await tells(`C-${place}`, event, seconds, more)).status).toBe(200)
    expect(await found(`C-${place}`)).toMatchObject({
      ...{ source: CallSource.centre, gateCode: GATE, parkCode: 'P001', startAt: at(0), answerAt: at(12), endAt: at(95) },
      ...{ waitSec: 12, result: null, recordUrl: 'https://calls.example/1.mp3' },
    })
  }
})

test('what is not signed, signed with another secret or old is not believed', async () => {
  expect((await tells('C-forged', 'ring', 0, {}, 'other')).code).toBe(40871)
  expect((await tells('C-forged', 'ring', 0, { timestamp: Math.floor(Date.now() / 1000) - 400 })).code).toBe(40871)
  const genuine = signed(
    {
      centre: 'kerbline-1',
      callId: 'C-forged',
      event: 'ring',
      gateCode: GATE,
      at: at(0),
      timestamp: Math.floor(Date.now() / 1000),
      nonce: 'n'.repeat(16),
    },
    SECRET,
  )
  expect((await call('notice', { ...genuine, gateCode: 'P001-G01' }, null)).code).toBe(40871)
  expect((await call('notice', { ...genuine, centre: 'kerbline-2' }, null)).code).toBe(40871)
  callCentreSignsWith(undefined)
  expect((await call('notice', genuine, null)).code).toBe(40871)
  callCentreSignsWith(SECRET)
  expect((await call('notice', genuine, null)).status).toBe(200)
})

test('what rings for a minute is not answered, until an answer is heard late', async () => {
  await tells('C-late', 'ring', 0)
  await server.house.writing(1, 'test', (tx) => giveUpCalls(tx, at(61)))
  expect((await found('C-late')).result).toBe(CallResult.unanswered)
  await tells('C-late', 'answer', 40)
  expect(await found('C-late')).toMatchObject({ result: null, waitSec: 40 })
  await tells('C-gone', 'ring', 0)
  await tells('C-gone', 'hangup', 30)
  expect((await found('C-gone')).result).toBe(CallResult.unanswered)
})

test('a person says what was done about a known call, or writes down one of their own; the figures count the call centre’s', async () => {
  await tells('C-done', 'ring', 0)
  await tells('C-done', 'answer', 15, { agent: '坐席7' })
  const done = await call('insert', { callId: 'C-done', gateCode: GATE, result: CallResult.opened, remark: '已开闸' })
  expect(done.data).toMatchObject({ result: CallResult.opened, agent: '坐席7', remark: '已开闸' })
  await tells('C-done', 'hangup', 80)
  expect((await found('C-done')).result).toBe(CallResult.opened)
  const own = await call('insert', { gateCode: GATE, result: CallResult.plateCorrected })
  expect(own.data).toMatchObject({ source: CallSource.byHand, result: CallResult.plateCorrected })
  expect((await call('insert', { gateCode: 'P009-G01', result: CallResult.opened })).status).toBe(404)
  expect((await call('insert', { gateCode: GATE, result: CallResult.opened, stayId: own.data.id })).code).toBe(40872)
  const { records } = (await call('search', { source: CallSource.centre, limit: 100 })).data
  const waited = records.filter(({ waitSec }: any) => waitSec !== null)
  expect((await call('figures', {})).data).toEqual({
    calls: records.length,
    answered: waited.length,
    answeredIn: waited.filter(({ waitSec }: any) => waitSec <= 20).length,
  })
})

test('an auditor sees calls and records none; another enterprise sees none', async () => {
  const other = await server.signIn('otheradmin')
  expect((await call('search', {}, other)).data.total).toBe(0)
  expect((await call('insert', { gateCode: GATE, result: CallResult.opened }, other)).status).toBe(404)
  expect((await call('search', {}, null)).status).toBe(401)
})

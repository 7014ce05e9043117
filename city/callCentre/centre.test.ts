import { afterAll, beforeAll, expect, test } from 'vitest'
import { callOut, CallResult, CallSource } from '../../domains/parking/contract/callOut.ts'
import { callCentreSignsWith } from '../../domains/parking/server/api.ts'
import { aGate, aPark } from '../../domains/parking/server/factories.ts'
import { addressOf } from '../../platform/contract/call.ts'
import { startTestServer, type TestServer } from '../../tests/support/server.ts'
import { randomFrom } from '../random.ts'
import { noticesOf, tell } from './centre.ts'

const SECRET = 'a call centre of the test, 32 long'
const GATE = 'P001-G02'
let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  callCentreSignsWith(SECRET)
  await server.house.writing(1, 'test', async (tx) => {
    await aPark(tx, { parkCode: 'P001' })
    await aGate(tx, { parkCode: 'P001', gateCode: GATE, direction: 2, sn: 'PG-1' })
  })
})
afterAll(async () => {
  callCentreSignsWith(undefined)
  await server?.close()
})

test('whatever order its notices come in and however often, a call is one record that says whether somebody answered', async () => {
  const random = randomFrom(7)
  const centre = { platform: server.url, secret: SECRET, enterprise: 1 }
  const calls = Array.from({ length: 20 }, (_, n) =>
    noticesOf({ habits: { unanswered: 40, repeated: 50, turned: 50 }, random }, GATE, Date.now() - n * 3_600_000),
  )
  for (const notice of calls.flat()) expect(await tell(centre, notice)).toBe(200)
  const { data } = await server.ask(admin, 'POST', addressOf(callOut.search), { limit: 100, gateCode: GATE })
  expect(data.total).toBe(calls.length)
  for (const notices of calls) {
    const row = data.records.find(({ callId }: { callId: string }) => callId === notices[0]!.callId)
    const isTaken = notices.some(({ event }) => event === 'answer')
    expect(row).toMatchObject({ source: CallSource.centre, result: isTaken ? null : CallResult.unanswered, endAt: expect.any(String) })
    expect(row.answerAt !== null).toBe(isTaken)
  }
  expect(await tell({ ...centre, secret: `${SECRET}!` }, calls[0]![0]!)).toBe(401)
})

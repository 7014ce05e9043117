import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { addressOf, type Call } from '../../../platform/contract/call.ts'
import { sample } from '../contract/sample.ts'

let server: TestServer
let admin: string
let auditor: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  auditor = await server.signIn('auditor')
  expect((await ask(admin, sample.fill, { rows: 30 })).message).toBe('ok')
})
afterAll(() => server?.close())
const ask = (token: string, call: Call<any, any>, input: object = {}) => server.ask(token, call.method, addressOf(call), input)
const rows = async (input: object = {}) =>
  (await ask(admin, sample.query, { limit: 500, ...input })).data.records as {
    id: string
    code: string
    version: number
    state: number
    costFen: number | null
  }[]

test('a filling adds rows with codes of their own, the next one goes on behind it', async () => {
  expect((await rows()).length).toBe(30)
  await ask(admin, sample.fill, { rows: 5 })
  expect(new Set((await rows()).map(({ code }) => code)).size).toBe(35)
})

test('a row is finished, opened again, and a locked one is left alone; a stale change is told both versions', async () => {
  const open = (await rows()).find(({ state }) => state === 1)!
  const locked = (await rows()).find(({ state }) => state === 3)!
  expect((await ask(admin, sample.finish, { id: open.id, version: open.version })).message).toBe('ok')
  expect(await ask(admin, sample.finish, { id: open.id, version: open.version + 1 })).toMatchObject({
    status: 409,
    message: '当前状态不能这样做，请刷新后再试',
  })
  expect(await ask(admin, sample.update, { id: open.id, version: open.version, name: '旧' })).toMatchObject({
    status: 409,
    data: { version: open.version + 1, sent: open.version },
  })
  expect((await ask(admin, sample.reopen, { id: open.id, version: open.version + 1 })).message).toBe('ok')
  expect(await ask(admin, sample.delete, { id: locked.id, version: locked.version })).toMatchObject({
    message: `${locked.code} 已锁定，不能修改或删除；请先解锁`,
  })
})

test('what it cost is neither shown to nor searched by who may not see it', async () => {
  const [row] = await rows()
  expect(row!.costFen).not.toBeNull()
  const asked = await ask(auditor, sample.detail, { id: row!.id })
  if (asked.status === 200) expect(asked.data.costFen).toBeNull()
  expect((await ask(auditor, sample.query, { costFenFrom: 1 })).status).toBe(403)
})

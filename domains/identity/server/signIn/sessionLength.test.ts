import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { digestOf, PASSWORD, startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { run } from '../../../../platform/server/database.ts'

let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

const USER = '/lbs/custom/account/getUserInfo'
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const setting = (which: 'add' | 'update' | 'reset', body: object) =>
  server.ask(admin, 'POST', `/lbs/business/system/${which}SystemInformationConfiguration`, body)
/** A token that no process has read yet: nothing of it is remembered. */
async function signedIn(username: string, { page = false, startedAgo = 0, seenAgo = 0 } = {}) {
  const body = new URLSearchParams({ username, password: digestOf(username, PASSWORD) })
  const headers = page ? { origin: server.url, 'sec-fetch-site': 'same-origin' } : {}
  const answer = await fetch(`${server.url}/lbs/security/authentication/form`, { method: 'POST', headers, body })
  const token = ((await answer.json()) as { access_token: string }).access_token
  const [{ id }] = (await server.house.writing(1, 'test', (tx) =>
    tx
      .updateTable('identity.session')
      .set({ startedAt: minutesAgo(startedAgo), seenAt: minutesAgo(seenAgo) } as never)
      .where('id', '=', (eb) => eb.selectFrom('identity.session').select('id').orderBy('id', 'desc').limit(1))
      .returning('id')
      .execute(),
  )) as [{ id: string }]
  const cookie = answer.headers.get('set-cookie')?.split(';')[0]
  const ask = async () => (await server.ask(token, 'GET', USER, undefined, cookie ? { cookie } : {})).status
  const lengths = async () => {
    const [row] = (await server.house.reading(1, (tx) =>
      run(tx, { sql: 'select idle::text, started_at, expires_at from identity.session where id = $1' }, [id]),
    )) as any[]
    return { idle: row.idle as string, hours: Math.round((Date.parse(row.expiresAt) - Date.parse(row.startedAt)) / 360_000) / 10 }
  }
  return { ask, lengths }
}
let clean: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  for (const one of clean) await one()
  clean = []
})
const change = async (name: string, value: number) => {
  expect((await setting('add', { name, value })).status).toBe(200)
  clean.push(() => setting('reset', { name, version: 1 }))
}

test('a session lasts as the settings say: 30 idle minutes and 12 hours, a plain client’s two', async () => {
  const [page, plain] = [await signedIn('auditor', { page: true }), await signedIn('auditor')]
  expect([await page.lengths(), await plain.lengths()]).toEqual([
    { idle: '00:30:00', hours: 12 },
    { idle: '00:30:00', hours: 2 },
  ])
  await change('idleMinutes', 45)
  await change('sessionHours', 1)
  const [next, client] = [await signedIn('auditor', { page: true }), await signedIn('auditor')]
  expect([await next.lengths(), await client.lengths()]).toEqual([
    { idle: '00:45:00', hours: 1 },
    { idle: '00:45:00', hours: 1 },
  ])
})

test('a setting that is shortened ends what runs: whoever was idle for longer, and who signed in before', async () => {
  const idle = await signedIn('auditor', { page: true, seenAgo: 7 })
  const old = await signedIn('auditor', { page: true, startedAgo: 90 })
  await change('idleMinutes', 5)
  await change('sessionHours', 1)
  await expect.poll(async () => [(await idle.lengths()).idle, (await old.lengths()).hours]).toEqual(['00:05:00', 1])
  expect([await idle.ask(), await old.ask()]).toEqual([401, 401])
})

test('a setting that is lengthened keeps what runs, and wakes nothing that is over', async () => {
  const running = await signedIn('auditor', { page: true, seenAgo: 20 })
  const over = await signedIn('auditor', { page: true, seenAgo: 40 })
  await change('idleMinutes', 60)
  await expect.poll(async () => (await running.lengths()).idle).toBe('01:00:00')
  expect((await over.lengths()).idle).toBe('00:30:00')
  expect([await running.ask(), await over.ask()]).toEqual([200, 401])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { isGuests } from '../../platform/contract/call.ts'
import { topic, tell } from '../../platform/server/realtime.ts'
import { startTestServer, type TestServer } from '../../tests/support/server.ts'

let server: TestServer
let admin: string
const things = topic('trial.thing', 'identity:role:view')
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

test('it lives, it is ready, and every answer carries the headers that keep a browser out of trouble', async () => {
  for (const path of ['/lbs/health', '/lbs/ready', '/lbs/openapi.json', '/lbs/docs', '/lbs/nowhere']) {
    const { status, headers } = await fetch(`${server.url}${path}`)
    expect([path, status]).toEqual([path, path.endsWith('nowhere') ? 404 : 200])
    expect([headers.get('x-content-type-options'), headers.get('referrer-policy'), headers.get('cross-origin-opener-policy')]).toEqual([
      'nosniff',
      'no-referrer',
      'same-origin',
    ])
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('the API document names every call by the id of the catalogue and says what it needs', async () => {
  const { paths } = (await (await fetch(`${server.url}/lbs/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string; 'x-needs': string }>>
  }
  expect(paths['/lbs/security/authentication/form']!['post']).toMatchObject({ operationId: 'identity.session.login', 'x-needs': 'public' })
  const operations = Object.values(paths).flatMap((one) => Object.values(one))
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length)
  for (const { 'x-needs': needs } of operations)
    expect(isGuests(needs as never) || /^(public|signed-in|[a-z-]+:[a-z-]+:[a-z-]+)$/.test(needs), needs).toBe(true)
})

test('figures of the process are for those who may see them', async () => {
  const metrics = (token?: string) => fetch(`${server.url}/metrics`, token ? { headers: { authorization: `Bearer ${token}` } } : {})
  expect((await metrics()).status).toBe(401)
  expect((await metrics(await server.signIn('operator'))).status).toBe(403)
  const text = await (await metrics(admin)).text()
  expect(text).toContain('process_cpu_user_seconds_total')
  expect(text).toMatch(/kerbline_http_seconds_count\{method="GET",route="\/metrics",status="403"\} 1/)
})

async function channel(token: string | undefined, custId: string) {
  const socket = new WebSocket(
    `${server.url.replace('http', 'ws')}/lbs/message/innerMessage/channel/${custId}`,
    token ? { headers: { authorization: `Bearer ${token}` } } : {},
  )
  const frames: { topic: string; ids: string[] }[] = []
  socket.on('message', (text) => frames.push(JSON.parse(String(text))))
  const opened = await new Promise<boolean>((resolve) => socket.once('open', () => resolve(true)).once('error', () => resolve(false)))
  return { socket, frames, opened }
}
const idOf = async (token: string) => (await server.ask(token, 'GET', '/lbs/custom/account/getUserInfo')).data.custId as string

test('a page hears on commit what its person may know, and nothing else', async () => {
  const [auditor, operator, other] = await Promise.all(['auditor', 'operator', 'otheradmin'].map((name) => server.signIn(name)))
  const [mine, theirs, elsewhere] = await Promise.all([auditor!, operator!, other!].map(async (token) => channel(token, await idOf(token))))
  await server.house.writing(1, 'test', (tx) => tell(tx, things, { ids: ['a'] }))
  await server.house
    .writing(1, 'test', async (tx) => {
      await tell(tx, things, { ids: ['never'] })
      throw new Error('rolled back')
    })
    .catch(() => {})
  await server.house.writing(1, 'test', (tx) => tell(tx, things, { ids: ['b'], park: 'P001' }))
  await expect.poll(() => mine!.frames.flatMap(({ ids }) => ids)).toEqual(['a', 'b'])
  expect([theirs!.frames, elsewhere!.frames]).toEqual([[], []]) // the operator lacks the capability, the other enterprise is another
  for (const one of [mine!, theirs!, elsewhere!]) one.socket.close()
})

test('the channel of somebody else, or of nobody, does not open', async () => {
  expect((await channel(undefined, await idOf(admin))).opened).toBe(false)
  expect((await channel('garbage', await idOf(admin))).opened).toBe(false)
  expect((await channel(await server.signIn('auditor'), await idOf(admin))).opened).toBe(false)
})

test('signing out closes the channel at once', async () => {
  const token = await server.signIn('auditor')
  const { socket, opened } = await channel(token, await idOf(token))
  expect(opened).toBe(true)
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  expect((await server.ask(token, 'POST', '/lbs/security/authentication/logout', {})).status).toBe(200)
  expect(await closed).toBe(4401)
})

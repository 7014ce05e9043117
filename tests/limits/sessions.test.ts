import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { freePort } from '../../platform/server/start/port.ts'
import { spawned, until } from '../faults/child.ts'
import { digestOf, startTestServer, type TestServer } from '../support/server.ts'
import { tally } from '../../scripts/tally.ts'

/** A second process on the same database hears of an end within a moment, whichever one it happened at. */
const ELSEWHERE_MS = 1_000
let server: TestServer
let other: { url: string; stop(): Promise<unknown> }
let owner: pg.Client
let admin: string
beforeAll(async () => {
  server = await startTestServer({ role: 'web' })
  admin = await server.signIn('admin')
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-node-'))
  const [port, mqtt] = [await freePort(), await freePort()]
  const child = spawned('apps/server/main.ts', {
    PORT: String(port),
    MQTT_PORT: String(mqtt),
    DATABASE_URL: server.ownerUrl,
    DATA_DIR: dataDir,
    DEMO: 'none',
    ROLE: 'web',
  })
  const url = `http://127.0.0.1:${port}`
  await until(
    () =>
      fetch(`${url}/lbs/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
    30_000,
    'the second process is ready',
  )
  const stop = async () => {
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    await gone
    rmSync(dataDir, { recursive: true, force: true })
  }
  other = { url, stop }
})
afterAll(async () => {
  await other.stop()
  await owner.end()
  await server.close()
})

const ME = '/lbs/custom/account/getUserInfo'
const asks = async (url: string, token: string, address = ME) =>
  (await fetch(url + address, { headers: { authorization: `Bearer ${token}` } })).status
/** Somebody with a role, signed in, known to both processes, with an open channel at each. */
async function aPerson() {
  const made = (await server.ask(admin, 'POST', '/lbs/custom/person/add', { username: `p${Math.random().toString(36).slice(2, 8)}`, name: '试' }))
    .data
  const { rows } = await owner.query<{ id: string; version: number }>(
    `update identity.person set must_change = false where username = $1 returning id, version`,
    [made.username],
  )
  await owner.query(
    `insert into identity.person_role (enterprise_id, person_id, role_id) select 1, $1, r.role_id from identity.person_role r join identity.person a on a.id = r.person_id where a.username = 'auditor'`,
    [rows[0]!.id],
  )
  const token = await server.signIn(made.username, made.password)
  expect([await asks(server.url, token), await asks(other.url, token)]).toEqual([200, 200])
  const channels = await Promise.all([server.url, other.url].map((url) => channelAt(url, token, rows[0]!.id)))
  return { ...rows[0]!, username: made.username as string, password: made.password as string, token, channels }
}
type Somebody = Awaited<ReturnType<typeof aPerson>>
async function channelAt(url: string, token: string, custId: string) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/lbs/message/innerMessage/channel/${custId}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return { closed }
}
const post = async (token: string, address: string, body: object) => {
  const { status, message } = await server.ask(token, 'POST', `/lbs${address}`, body)
  if (status !== 200) throw new Error(`${address}: ${status} ${message}`)
}
const current = async (id: string) =>
  (await owner.query<{ version: number }>('select version from identity.person where id = $1', [id])).rows[0]!.version

/** Everything that ends a session at once. */
const ENDS: Record<string, (who: Somebody) => Promise<unknown>> = {
  'signing out': ({ token }) => post(token, '/security/authentication/logout', {}),
  'being locked': async ({ id }) => post(admin, '/custom/person/updateLock', { id, version: await current(id), lockState: 2 }),
  'a new password from an administrator': ({ id }) => post(admin, '/custom/person/resetPassword', { custId: id }),
  'a changed name': async ({ id, username }) => post(admin, '/custom/person/update', { id, version: await current(id), username: `${username}x` }),
  'being removed': ({ id }) => post(admin, '/custom/person/delete', { id }),
  async 'an own password, changed elsewhere'({ id, username, password }) {
    const second = await server.signIn(username, password)
    const next = digestOf(username, 'Another-Kerbline-1')
    await post(second, '/custom/enterprise/resetEnterprisePassword', { custId: id, newPassword: next, confirmPassword: next, type: '1' })
  },
  async 'being ended by an administrator'({ id }) {
    const { data } = await server.ask(admin, 'GET', '/lbs/security/authentication/sessionsOf', { custId: id })
    for (const session of data) await post(admin, '/security/authentication/endSessionOf', { id: session.id })
  },
}

test.each(Object.keys(ENDS))('%s: the token is refused on the very next call, in the other process too, and every channel closes', async (name) => {
  const who = await aPerson()
  await ENDS[name]!(who)
  expect(await asks(server.url, who.token)).toBe(401)
  await expect.poll(() => asks(other.url, who.token), { timeout: ELSEWHERE_MS, interval: 20 }).toBe(401)
  expect(await Promise.all(who.channels.map(({ closed }) => closed))).toEqual([4401, 4401])
  expect(await asks(server.url, who.token)).toBe(401) // and it is not born again
  tally({ check: `session ends: ${name}`, numbers: { processes: 2, channels: 2 } })
})

test('a role that is taken away is gone on the very next call, in the other process too', async () => {
  const who = await aPerson()
  const needing = '/lbs/custom/roleNew/roleQueryNew'
  expect([await asks(server.url, who.token, needing), await asks(other.url, who.token, needing)]).toEqual([200, 200])
  await post(admin, '/custom/person/update', { id: who.id, version: await current(who.id), roleIds: [] })
  expect(await asks(server.url, who.token, needing)).toBe(403)
  await expect.poll(() => asks(other.url, who.token, needing), { timeout: ELSEWHERE_MS, interval: 20 }).toBe(403)
})

/** `GUESSES=1000` for the long run. */
const GUESSES = Number(process.env['GUESSES'] ?? 120)
const AT_ONCE = 20
/** As identity has them: so many tries of a name are looked at, and then each answer waits up to a second. */
const NAME_TRIES = 10
const WAITS_MS = 900
const LIMIT_MS = 60_000 + GUESSES * 500

test(
  'one name, many guesses: few are looked at, then each waits; the right one among them opens nothing, and its owner gets in from a browser that they know',
  async () => {
    const { id, username, password } = await aPerson()
    const form = async (secret: string, headers: Record<string, string> = {}) => {
      const body = new URLSearchParams({ username, password: digestOf(username, secret) })
      const answer = await fetch(`${server.url}/lbs/security/authentication/form`, { method: 'POST', headers, body })
      return { status: answer.status, message: ((await answer.json()) as { message: string }).message }
    }
    const known = { deviceid: `the-browser-of-${username}` }
    expect((await form(password, known)).status).toBe(200)
    const said = new Set<string>()
    for (let wave = 0; wave < GUESSES; wave += AT_ONCE) {
      const guesses = Array.from({ length: AT_ONCE }, (_, i) => form(i + 1 === AT_ONCE && wave > 0 ? password : `Guess-${wave + i}`))
      for (const { status, message } of await Promise.all(guesses)) said.add(`${status} ${message}`)
    }
    expect([...said]).toEqual(['401 用户名或密码错误，或账号已锁定；锁定 15 分钟后自动解除'])
    const { rows } = await owner.query<{ failures: number }>('select failures from identity.person where id = $1', [id])
    expect(rows[0]!.failures).toBeLessThanOrEqual(NAME_TRIES)
    const from = performance.now()
    expect((await form(password)).status).toBe(401)
    const waited = performance.now() - from
    expect(waited).toBeGreaterThan(WAITS_MS)
    expect((await form(password, known)).status).toBe(200)
    tally({ check: 'sign-in: guesses at one name', numbers: { guesses: GUESSES, lookedAt: rows[0]!.failures, waitsMs: Math.round(waited) } })
  },
  LIMIT_MS,
)

test(
  'stuffing: many names with one password each open nothing, and all are answered alike',
  async () => {
    const tries = await Promise.all(
      Array.from({ length: GUESSES }, (_, i) =>
        server.ask(null, 'POST', '/lbs/security/authentication/exchange', { code: `guess-${i}-${'x'.repeat(32)}` }),
      ),
    )
    const forms = await Promise.all(
      Array.from({ length: GUESSES }, (_, i) => {
        const body = new URLSearchParams({ username: i % 3 ? `name${i}` : 'operator', password: digestOf(`name${i}`, 'Wrong-password-1') })
        return fetch(`${server.url}/lbs/security/authentication/form`, { method: 'POST', body })
      }),
    )
    expect(new Set([...tries, ...forms].map(({ status }) => status)).difference(new Set([401, 429]))).toEqual(new Set())
    const texts = await Promise.all(forms.map(async (form) => ((await form.json()) as { message: string }).message))
    expect(new Set(texts).size).toBeLessThanOrEqual(2)
    tally({ check: 'sign-in: guesses', numbers: { codes: GUESSES, names: GUESSES } })
  },
  LIMIT_MS,
)

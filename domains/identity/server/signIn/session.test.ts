import { randomBytes } from 'node:crypto'
import type { Instant } from '../../../../platform/contract/field.ts'
import { run } from '../../../../platform/server/database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../../tests/support/database.ts'
import { digestOf, PASSWORD, startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import { ensureFirstAdministrator } from '../api.ts'
import { hashed } from './password.ts'
import { secretHash } from './sessions.ts'
import { triedBy } from './tries.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const FORM = '/lbs/security/authentication/form'
const USER = '/lbs/custom/account/getUserInfo'
const fromPage = () => ({ origin: server.url, 'sec-fetch-site': 'same-origin' })

async function signInAs(username: string, digest: string, headers: Record<string, string> = {}, more: Record<string, string> = {}) {
  const answer = await fetch(server.url + FORM, { method: 'POST', headers, body: new URLSearchParams({ username, password: digest, ...more }) })
  const { data, ...envelope } = (await answer.json()) as any
  return { status: answer.status, ...envelope, token: data?.access_token as string, cookie: answer.headers.get('set-cookie') ?? undefined }
}
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('a plain client gets a token, at the top level too, and is told who it is', async () => {
  const { status, token, access_token, cookie } = await signInAs('admin', digestOf('admin', PASSWORD))
  expect({ status, same: token === access_token, cookie }).toEqual({ status: 200, same: true, cookie: undefined })
  const { data } = await server.ask(token, 'GET', USER)
  expect(data).toMatchObject({ username: 'admin', enterpriseId: 1, mustChangePassword: false, parks: null })
  expect(data.capabilities).toContain('identity:role:view')
})

test('the name is taken in any case, the digest only in its agreed form', async () => {
  expect((await signInAs('ADMIN', digestOf('admin', PASSWORD))).status).toBe(200)
  expect((await signInAs('admin', PASSWORD)).status).toBe(400)
})

test('an unknown name, a wrong password and a locked person are answered alike', async () => {
  const wrong = () => signInAs('otheradmin', digestOf('otheradmin', 'no'))
  const answers = [await signInAs('nobody', digestOf('nobody', 'no')), await wrong()]
  for (let i = 0; i < 4; i++) await wrong()
  answers.push(await signInAs('otheradmin', digestOf('otheradmin', PASSWORD))) // right, but locked by five failures
  for (const { status, message, data } of answers as any[])
    expect({ status, message, data }).toEqual({ status: 401, message: '用户名或密码错误，或账号已锁定；锁定 15 分钟后自动解除', data: undefined })
})

test('of a hundred guesses at once no more count than one after the other: the right one among them does not get in', async () => {
  const passwordHash = await hashed(digestOf('guessed', PASSWORD))
  await server.house.writing(1, 'test', (tx) =>
    tx
      .insertInto('identity.person')
      .values({ username: 'guessed', name: 'guessed', passwordHash, mustChange: false } as never)
      .execute(),
  )
  const guesses = Array.from({ length: 40 }, (_, i) => signInAs('guessed', digestOf('guessed', `no ${i}`)))
  const right = signInAs('guessed', digestOf('guessed', PASSWORD))
  expect((await Promise.all(guesses)).every(({ status }) => status === 401)).toBe(true)
  expect((await right).status).toBe(401)
})

test('many sign-ins of one person at once are all right', async () => {
  const all = await Promise.all(Array.from({ length: 30 }, () => signInAs('admin', digestOf('admin', PASSWORD))))
  expect(all.every(({ status }) => status === 200)).toBe(true)
})

test('who was locked by a clock that was put back since comes in; the lock of a quarter of an hour holds', async () => {
  const username = `put${randomBytes(4).toString('hex')}`
  const password_ = await hashed(digestOf(username, PASSWORD))
  const lockedFor = (length: string) =>
    server.house.writing(1, 'test', (tx) =>
      run(tx, { sql: 'update identity.person set locked_until = now() + $2::interval where username = $1' }, [username, length]),
    )
  await server.house.writing(1, 'test', (tx) =>
    run(tx, { sql: `insert into identity.person (enterprise_id, username, name, password_hash, must_change) values (1, $1, $1, $2, false)` }, [
      username,
      password_,
    ]),
  )
  await lockedFor('14 minutes')
  expect((await signInAs(username, digestOf(username, PASSWORD))).status).toBe(401)
  await lockedFor('1 day')
  expect((await signInAs(username, digestOf(username, PASSWORD))).status).toBe(200)
})

/** Times of each kind, `SAMPLES=300` for the long run, and at most. Other work on the machine only ever adds to one: the least of many is the call's own, and more of them only bring it nearer. */
const SAMPLES = Number(process.env['SAMPLES'] ?? 36)
const MOST = Math.max(SAMPLES, 240)
/** A name is tried three times: after five it would be locked. */
const NAMES = Math.ceil(MOST / 3)
/** A difference of this share, or of so many milliseconds where the time is short, tells nothing. */
const ALIKE = 0.15
const ALIKE_MS = 1
/** Asks in turn, so that whatever else happens on the machine happens to all of them. A call that does less than the others stays below them, however often it is asked. @returns what was answered, each answer once, and whether the least times came together */
async function told(kinds: Record<string, (turn: number) => Promise<Response>>, turns: { least: number; most: number }) {
  const said = new Set<string>()
  const least = new Map<string, number>()
  const alike = () => {
    const times = [...least.values()]
    return Math.max(...times) - Math.min(...times) < Math.max(ALIKE_MS, ALIKE * Math.max(...times))
  }
  for (let turn = 0; turn < turns.least || (turn < turns.most && !alike()); turn++)
    for (const [kind, ask] of Object.entries(kinds)) {
      const from = performance.now()
      const answer = await ask(turn)
      const body = await answer.text()
      least.set(kind, Math.min(least.get(kind) ?? Infinity, performance.now() - from))
      const headers = [...answer.headers].filter(([name]) => !['date', 'x-request-id', 'server-timing'].includes(name))
      said.add(JSON.stringify([answer.status, headers, body.replace(/"requestId":"[^"]*"/, '')]))
    }
  return { said: [...said], alike: alike(), least: Object.fromEntries(least) }
}
/** Forgets the counted tries of this machine, which these tests are not about. */
const forgotten = () =>
  server.house.writing(1, 'test', (tx) => run(tx, { sql: 'select identity.forget_tries($1)' }, [triedBy('', '127.0.0.1').address]))
async function people(names: readonly string[], more: object = {}) {
  const passwordHash = await hashed(RIGHT)
  const rows = names.map((username) => ({ username, name: username, passwordHash, mustChange: false, ...more }))
  return server.house.writing(1, 'test', (tx) =>
    tx
      .insertInto('identity.person')
      .values(rows as never)
      .returning('id')
      .execute(),
  )
}
const RIGHT = digestOf('x', PASSWORD)

test(
  'neither status, text nor time tells an unknown name, a wrong password and somebody locked from one another',
  async () => {
    const named = (kind: string) => Array.from({ length: NAMES }, (_, i) => `${kind}${i}`)
    await people(named('known'))
    await people(named('locked'), { lockState: 2 })
    await people(named('guessedat'), { failures: 5, lockedUntil: new Date(Date.now() + 600_000).toISOString() })
    const form = (kind: string, digest: string) => async (turn: number) => {
      if (turn % 20 === 0) await forgotten()
      return fetch(server.url + FORM, { method: 'POST', body: new URLSearchParams({ username: `${kind}${turn % NAMES}`, password: digest }) })
    }
    const wrong = digestOf('x', 'no')
    const kinds = { known: form('known', wrong), unknown: form('un', wrong), locked: form('locked', RIGHT), guessedAt: form('guessedat', RIGHT) }
    const { said, alike, least } = await told(kinds, { least: SAMPLES, most: MOST })
    expect(said).toEqual([expect.stringContaining('用户名或密码错误，或账号已锁定；锁定 15 分钟后自动解除')])
    expect(alike, JSON.stringify(least)).toBe(true)
  },
  90_000 + SAMPLES * 1_000,
)

/** Nobody comes by such a secret by guessing, so its time tells nothing: a few of each. */
const FEW = 3
test('no text tells a code that was never made, was used, is over, or is somebody’s who is locked from one another', async () => {
  const minted = async (token: string) => (await server.ask(token, 'POST', '/lbs/security/authentication/code', {})).data.code as string
  const codes = async (token: string) => {
    const all: string[] = []
    for (let i = 0; i < FEW; i++) all.push(await minted(token))
    return all
  }
  const exchange = (code: string) =>
    fetch(`${server.url}/lbs/security/authentication/exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code }),
    })
  await people(['coded'])
  const admin = await server.signIn('admin')
  const coded = (await signInAs('coded', RIGHT)).token
  const [used, over, locked] = [await codes(admin), await codes(admin), await codes(coded)]
  for (const code of used) expect((await exchange(code)).status).toBe(200)
  await server.house.writing(1, 'test', async (tx) => {
    const hashes = over.map((code) => secretHash(code))
    await run(tx, { sql: `update identity.one_time_code set expires_at = now() - interval '1 second' where code_hash = any($1)` }, [hashes])
    await run(tx, { sql: `update identity.person set lock_state = 2 where username = 'coded'` }, [])
  })
  const never = `never-${'x'.repeat(37)}`
  const kinds = {
    never: () => exchange(never),
    used: (i: number) => exchange(used[i]!),
    over: (i: number) => exchange(over[i]!),
    locked: (i: number) => exchange(locked[i]!),
  }
  expect((await told(kinds, { least: FEW, most: FEW })).said).toEqual([expect.stringContaining('[401,')])
})

test('nor a key that nobody has, that was revoked, is over, or is somebody’s who is locked', async () => {
  const [owner] = await people(['keyed'], { lockState: 2 })
  const [free] = await people(['keyed2'])
  const key = async (personId: string, more: object) => {
    const secret = `kb_${randomBytes(32).toString('base64url')}`
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    const row = {
      personId,
      name: '程序',
      prefix: secret.slice(0, 8),
      keyHash: secretHash(secret),
      capabilities: ['identity:role:view'],
      expiresAt,
      ...more,
    }
    await server.house.writing(1, 'test', (tx) =>
      tx
        .insertInto('identity.apiKey')
        .values(row as never)
        .execute(),
    )
    return () => fetch(server.url + USER, { headers: bearer(secret) })
  }
  const ago = new Date(Date.now() - 60_000).toISOString()
  const nobodys = `kb_${randomBytes(32).toString('base64url')}`
  expect((await (await key(free!.id, {}))()).status).toBe(200)
  const kinds = {
    never: () => fetch(server.url + USER, { headers: bearer(nobodys) }),
    revoked: await key(free!.id, { revokedAt: ago }),
    over: await key(free!.id, { expiresAt: ago }),
    locked: await key(owner!.id, {}),
  }
  expect((await told(kinds, { least: FEW, most: FEW })).said).toEqual([expect.stringContaining('[401,')])
})

test('strangers cannot lock somebody out of a browser that they used before', async () => {
  const known = { deviceid: 'a-browser-of-the-auditor' }
  expect((await signInAs('auditor', digestOf('auditor', PASSWORD), known)).status).toBe(200)
  for (let i = 0; i < 6; i++) await signInAs('auditor', digestOf('auditor', 'guess'))
  expect((await signInAs('auditor', digestOf('auditor', PASSWORD))).status).toBe(401)
  expect((await signInAs('auditor', digestOf('auditor', PASSWORD), known)).status).toBe(200)
})

describe('a page’s session', () => {
  test('is bound to its browser: token and cookie are needed together', async () => {
    const { token, cookie } = await signInAs('admin', digestOf('admin', PASSWORD), fromPage())
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/)
    const pair = cookie!.split(';')[0]!
    const asks = (headers: Record<string, string>) => server.ask(null, 'GET', USER, undefined, headers).then(({ status }) => status)
    expect(await asks({ ...bearer(token), cookie: pair })).toBe(200)
    expect(await asks(bearer(token))).toBe(401)
    expect(await asks({ cookie: `${pair}; token=${token}` })).toBe(401)
    expect(await asks({ ...bearer(token), cookie: `${pair}x` })).toBe(401)
  })

  test('cannot be opened from another site', async () => {
    expect(
      (await signInAs('admin', digestOf('admin', PASSWORD), { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' })).status,
    ).toBe(403)
  })
})

test('a token is refused on the very next call after signing out', async () => {
  const token = await server.signIn('admin')
  expect((await server.ask(token, 'GET', USER)).status).toBe(200)
  await server.ask(token, 'POST', '/lbs/security/authentication/logout', {})
  expect((await server.ask(token, 'GET', USER)).status).toBe(401)
  expect((await server.ask('garbage', 'GET', USER)).status).toBe(401)
})

test('one’s own sessions are listed and one of them can be ended; another person’s is not found', async () => {
  const [one, two, operator] = [await server.signIn('admin'), await server.signIn('admin'), await server.signIn('operator')]
  const mine = (await server.ask(two, 'GET', '/lbs/security/authentication/mySessions')).data as { id: string; current: boolean }[]
  const theirs = (await server.ask(operator, 'GET', '/lbs/security/authentication/mySessions')).data as { id: string; current: boolean }[]
  expect(mine.filter(({ current }) => current)).toHaveLength(1)
  const ask = (token: string, id: string) => server.ask(token, 'POST', '/lbs/security/authentication/endSession', { id }).then(({ status }) => status)
  expect(await ask(operator, mine[0]!.id)).toBe(404)
  for (const { id } of mine.filter(({ current }) => !current)) await ask(two, id)
  expect((await server.ask(one, 'GET', USER)).status).toBe(401)
  expect(await ask(two, theirs.find(({ current }) => current)!.id)).toBe(404)
  // A person who may end anybody's session does so by a call of its own.
  const { custId } = (await server.ask(operator, 'GET', USER)).data
  const open = (await server.ask(two, 'GET', '/lbs/security/authentication/sessionsOf', { custId })).data as { id: string }[]
  expect((await server.ask(operator, 'POST', '/lbs/security/authentication/endSessionOf', { id: open[0]!.id })).status).toBe(403)
  for (const { id } of open) await server.ask(two, 'POST', '/lbs/security/authentication/endSessionOf', { id })
  expect((await server.ask(operator, 'GET', USER)).status).toBe(401)
})

describe('a session ends by itself', () => {
  const aged = (change: object) =>
    server.house.writing(1, 'test', (tx) =>
      tx
        .updateTable('identity.session')
        .set(change as never)
        .execute(),
    )
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
  /** The process believes what it has read for some seconds. */
  const later = () => new Promise((go) => setTimeout(go, 5_100))
  test('after half an hour without a call, and at its latest end whatever happens', async () => {
    const [token, other] = [await server.signIn('admin'), await server.signIn('admin')]
    await aged({ seenAt: minutesAgo(29) })
    expect((await server.ask(token, 'GET', USER)).status).toBe(200)
    await aged({ seenAt: minutesAgo(31) })
    expect((await server.ask(other, 'GET', USER)).status).toBe(401)
    const last = await server.signIn('admin')
    expect((await server.ask(last, 'GET', USER)).status).toBe(200)
    await aged({ expiresAt: minutesAgo(1) })
    await later()
    expect((await server.ask(last, 'GET', USER)).status).toBe(401)
  })
  test('sooner when it is bound to no browser', async () => {
    await signInAs('admin', digestOf('admin', PASSWORD))
    await signInAs('admin', digestOf('admin', PASSWORD), fromPage())
    const rows = await server.house.reading(1, (tx) =>
      tx.selectFrom('identity.session').select(['startedAt', 'expiresAt']).orderBy('startedAt', 'desc').limit(2).execute(),
    )
    const hours = rows.map(({ startedAt, expiresAt }) => Math.round((Date.parse(expiresAt) - Date.parse(startedAt)) / 3_600_000))
    expect(hours).toEqual([12, 2])
  })
})

test('a one-time code opens one session, once', async () => {
  const token = await server.signIn('operator')
  const { code } = (await server.ask(token, 'POST', '/lbs/security/authentication/code', {})).data
  const exchange = () => server.ask(null, 'POST', '/lbs/security/authentication/exchange', { code })
  const first = await exchange()
  expect((await server.ask(first.data.access_token, 'GET', USER)).data.username).toBe('operator')
  expect((await exchange()).status).toBe(401)
})

test('a session that comes of another one is as old as it and ends with it: nobody gets round the old password so', async () => {
  const newest = () =>
    server.house.reading(1, (tx) => tx.selectFrom('identity.session').select(['startedAt', 'expiresAt']).orderBy('id', 'desc').limit(1).execute())
  const moments = (of: { startedAt: Instant; expiresAt: Instant }) => [of.startedAt, of.expiresAt].map((at) => Date.parse(at))
  const own = async () => moments((await newest())[0]!)
  const exchange = (code: string) => server.ask(null, 'POST', '/lbs/security/authentication/exchange', { code })
  const token = await server.signIn('operator')
  const began = {
    startedAt: new Date(Date.now() - 3_600_000).toISOString() as Instant,
    expiresAt: new Date(Date.now() + 1_800_000).toISOString() as Instant,
  }
  const { id } = (await server.ask(token, 'GET', '/lbs/security/authentication/mySessions')).data.find(({ current }: { current: boolean }) => current)
  await server.house.writing(1, 'a test', (tx) => tx.updateTable('identity.session').set(began).where('id', '=', id).execute())
  const { code } = (await server.ask(token, 'POST', '/lbs/security/authentication/code', {})).data
  const byCode = (await exchange(code)).data.access_token
  expect(await own()).toEqual(moments(began))
  const digest = digestOf('operator', 'Another-2026')
  const reset = (by: string) =>
    server.ask(by, 'POST', '/lbs/custom/enterprise/resetEnterprisePassword', { newPassword: digest, confirmPassword: digest, type: '1' })
  expect((await reset(byCode)).code).toBe(40206)
  const byToken = (await exchange(token)).data.access_token
  expect(await own()).toEqual(moments(began))
  expect((await reset(byToken)).code).toBe(40206)
})

test('a locked console is exchanged for no open one', async () => {
  const token = await server.signIn('operator')
  const exchange = (code: string) => server.ask(null, 'POST', '/lbs/security/authentication/exchange', { code })
  const { code } = (await server.ask(token, 'POST', '/lbs/security/authentication/code', {})).data
  expect((await server.ask(token, 'POST', '/lbs/security/session/lock', {})).status).toBe(200)
  expect((await exchange(code)).status).toBe(401)
  expect((await exchange(token)).status).toBe(401)
  expect((await server.ask(token, 'POST', '/lbs/security/session/unlock', { password: digestOf('operator', PASSWORD) })).status).toBe(200)
  expect((await exchange(token)).status).toBe(200)
})

test('a code dies with the session that made it', async () => {
  const token = await server.signIn('operator')
  const { code } = (await server.ask(token, 'POST', '/lbs/security/authentication/code', {})).data
  await server.ask(token, 'POST', '/lbs/security/authentication/logout', {})
  expect((await server.ask(null, 'POST', '/lbs/security/authentication/exchange', { code })).status).toBe(401)
})

test('an access token that a third party hands over is good once: it ends, and what it became is handed over no more', async () => {
  const token = await server.signIn('operator')
  const exchange = (code: string) => server.ask(null, 'POST', '/lbs/security/authentication/exchange', { code })
  const { data } = await exchange(token)
  expect((await server.ask(data.access_token, 'GET', USER)).data.username).toBe('operator')
  expect((await server.ask(token, 'GET', USER)).status).toBe(401)
  expect((await exchange(token)).status).toBe(401)
  expect((await exchange(data.access_token)).status).toBe(401)
  expect((await server.ask(data.access_token, 'GET', USER)).status).toBe(200)
  const page = await signInAs('operator', digestOf('operator', PASSWORD), fromPage())
  expect((await exchange(page.token)).status).toBe(401)
})

test('a header that is no small JSON is refused', async () => {
  expect((await signInAs('admin', digestOf('admin', PASSWORD), { virtualclient: '{' })).status).toBe(400)
  expect((await signInAs('admin', digestOf('admin', PASSWORD), { virtualclient: JSON.stringify({ browser: 'x'.repeat(3000) }) })).status).toBe(400)
  expect(
    (
      await signInAs('admin', digestOf('admin', PASSWORD), {
        virtualclient: JSON.stringify({ loginType: 1, browser: { name: 'Chrome', version: '150' }, userSystem: 'Linux' }),
      })
    ).status,
  ).toBe(200)
})

describe('one’s own password', () => {
  const CHANGE = '/lbs/custom/enterprise/resetEnterprisePassword'
  const change = (token: string, to: string, more = {}) => {
    const digest = digestOf('operator', to)
    return server.ask(token, 'POST', CHANGE, { newPassword: digest, confirmPassword: digest, type: '1', ...more })
  }
  test('changed, ends every other session and leaves this one', async () => {
    const [other, token] = [await server.signIn('operator'), await server.signIn('operator')]
    expect((await change(token, 'Another-1234')).status).toBe(200)
    expect((await server.ask(other, 'GET', USER)).status).toBe(401)
    expect((await server.ask(token, 'GET', USER)).status).toBe(200)
    expect((await signInAs('operator', digestOf('operator', PASSWORD))).status).toBe(401)
    expect((await signInAs('operator', digestOf('operator', 'Another-1234'))).status).toBe(200)
    expect((await change(token, PASSWORD)).status).toBe(200)
  })
  test('is nobody else’s, whatever custId says', async () => {
    const token = await server.signIn('operator')
    const admin = await server.signIn('admin')
    const { custId } = (await server.ask(admin, 'GET', USER)).data
    expect((await change(token, 'Another-1234', { custId })).status).toBe(403)
    expect((await change(admin, 'Another-1234', { custId: '00000000-0000-7000-8000-000000000000' })).status).toBe(403)
  })
  test('needs the old one when the sign-in is older than five minutes', async () => {
    const token = await server.signIn('operator')
    await server.house.writing(1, 'test', (tx) =>
      tx
        .updateTable('identity.session')
        .set({ startedAt: '2026-01-01T00:00:00.000Z' as never })
        .execute(),
    )
    expect(await change(token, 'Another-1234')).toMatchObject({ status: 403, message: '登录已超过 5 分钟，请输入您现在的登录密码' })
    expect((await change(token, 'Another-1234', { oldPassword: digestOf('operator', 'no') })).status).toBe(422)
    expect((await change(token, 'Another-1234', { oldPassword: digestOf('operator', PASSWORD) })).status).toBe(200)
    expect((await change(token, PASSWORD, { oldPassword: digestOf('operator', 'Another-1234') })).status).toBe(200)
  })
})

test('an installation without people gets one administrator, whose password has to be changed', async () => {
  const bare = await startTestServer({}, await testDatabase())
  try {
    const password = await ensureFirstAdministrator(bare.house)
    expect(await ensureFirstAdministrator(bare.house)).toBeUndefined()
    const token = await bare.signIn('admin', password)
    expect((await bare.ask(token, 'GET', USER)).data).toMatchObject({ mustChangePassword: true, capabilities: [] })
    const digest = digestOf('admin', 'Quite-new-1234')
    await bare.ask(token, 'POST', '/lbs/custom/enterprise/resetEnterprisePassword', { newPassword: digest, confirmPassword: digest, type: '1' })
    expect((await bare.ask(token, 'GET', USER)).data.capabilities).toContain('identity:enterprise:edit')
  } finally {
    await bare.close()
  }
})

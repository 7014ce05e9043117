import { Secret, TOTP } from 'otpauth'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { digestOf, PASSWORD, startTestServer, type TestServer } from '../../../../tests/support/server.ts'

let server: TestServer
let owner: pg.Client
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner.end()
  await server.close()
})

const A = '/lbs/security/authentication'
const USER = '/lbs/custom/account/getUserInfo'
const post = (token: string | null, path: string, body: object = {}) => server.ask(token, 'POST', A + path, body)
const stateOf = async (token: string) => (await server.ask(token, 'GET', `${A}/secondFactor`)).data
/** Of the app: the code of now, or of so many steps later. */
const codeOf = (secret: string, later = 0) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + later * 30_000 })
const form = async (username: string, password = PASSWORD) => {
  const answer = await fetch(`${server.url}${A}/form`, {
    method: 'POST',
    body: new URLSearchParams({ username, password: digestOf(username, password) }),
  })
  return { status: answer.status, ...((await answer.json()) as { code: number; data: any }) }
}
const challengeOf = async (username: string): Promise<string> => (await form(username)).data.challenge

let made = 0
async function aPerson(more: object = {}) {
  const username = `factor${++made}`
  const { data } = await server.ask(admin, 'POST', '/lbs/custom/person/add', { username, name: username, ...more })
  await owner.query(
    'update identity.person set must_change = false, password_hash = (select password_hash from identity.person where username = $2) where username = $1',
    [username, 'admin'],
  )
  const { hashed } = await import('./password.ts')
  await owner.query('update identity.person set password_hash = $2 where username = $1', [username, await hashed(digestOf(username, PASSWORD))])
  return { id: data.id as string, username }
}
async function enrolled(more: object = {}) {
  const { id, username } = await aPerson(more)
  const token = await server.signIn(username)
  const { secret, uri } = (await post(token, '/secondFactorBegin')).data
  const { data } = await post(token, '/secondFactorConfirm', { code: codeOf(secret) })
  return { id, username, token, secret, uri, recovery: data.recoveryCodes as string[] }
}

test('enrolling: a secret, the first code, ten recovery codes; from then on the password alone opens nothing', async () => {
  const { username, token, secret, uri, recovery } = await enrolled()
  expect(uri).toMatch(new RegExp(`^otpauth://totp/Kerbline:${username}\\?`))
  expect(new Set(recovery).size).toBe(10)
  expect(await stateOf(token)).toMatchObject({ enrolled: true, recoveryLeft: 10 })
  const first = await form(username)
  expect(first).toMatchObject({ status: 401, code: 40246 })
  expect(first.data.access_token).toBeUndefined()
  const code = codeOf(secret, 1)
  const opened = await post(null, '/secondFactorVerify', { challenge: first.data.challenge, code })
  expect((await server.ask(opened.data.access_token, 'GET', USER)).data.username).toBe(username)
  // Neither the challenge nor the code is good again.
  expect((await post(null, '/secondFactorVerify', { challenge: first.data.challenge, code })).status).toBe(401)
  expect((await post(null, '/secondFactorVerify', { challenge: await challengeOf(username), code })).status).toBe(401)
})

test('what was used to enrol opens no session', async () => {
  const { username } = await aPerson()
  const token = await server.signIn(username)
  const { secret } = (await post(token, '/secondFactorBegin')).data
  const code = codeOf(secret)
  expect((await post(token, '/secondFactorConfirm', { code: code === '000000' ? '000001' : '000000' })).status).toBe(422)
  expect((await post(token, '/secondFactorConfirm', { code })).status).toBe(200)
  expect((await post(null, '/secondFactorVerify', { challenge: await challengeOf(username), code })).status).toBe(401)
})

test('a recovery code opens one session, once; new ones make the old worthless', async () => {
  const { username, token, secret, recovery } = await enrolled()
  const enter = async (code: string) => (await post(null, '/secondFactorVerify', { challenge: await challengeOf(username), code })).status
  expect([await enter(recovery[0]!.toUpperCase()), await enter(recovery[0]!)]).toEqual([200, 401])
  expect((await stateOf(token)).recoveryLeft).toBe(9)
  const { data } = await post(token, '/recoveryCodes', { code: codeOf(secret, 1) })
  expect([await enter(recovery[1]!), await enter(data.recoveryCodes[0])]).toEqual([401, 200])
})

test('two at once with one code: one gets in', async () => {
  const { username, recovery } = await enrolled()
  const challenge = await challengeOf(username)
  const tries = await Promise.all(Array.from({ length: 4 }, () => post(null, '/secondFactorVerify', { challenge, code: recovery[2]! })))
  expect(tries.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('guessing ends: five tries of a challenge, ten of a person', async () => {
  const { username, secret, recovery } = await enrolled()
  const challenge = await challengeOf(username)
  for (let i = 0; i < 5; i++) expect((await post(null, '/secondFactorVerify', { challenge, code: 'aaaaa-aaaaa' })).status).toBe(401)
  expect((await post(null, '/secondFactorVerify', { challenge, code: recovery[0] })).status).toBe(401)
  const second = await challengeOf(username)
  for (let i = 0; i < 4; i++) await post(null, '/secondFactorVerify', { challenge: second, code: 'aaaaa-aaaaa' })
  expect((await post(null, '/secondFactorVerify', { challenge: await challengeOf(username), code: codeOf(secret, 1) })).status).toBe(401)
})

describe('required', () => {
  test('by a role: whoever has none may do nothing but get one, and keeps it', async () => {
    const { data: role } = await server.ask(admin, 'POST', '/lbs/custom/roleNew/roleAddNew', {
      name: '财务',
      dataScope: 2,
      grants: 3,
      secondFactor: true,
    })
    const { username } = await aPerson({ roleIds: [role.id] })
    const token = await server.signIn(username)
    expect((await server.ask(token, 'GET', USER)).data).toMatchObject({ mustEnrol: true, capabilities: [] })
    const { secret } = (await post(token, '/secondFactorBegin')).data
    await post(token, '/secondFactorConfirm', { code: codeOf(secret) })
    const { data } = await server.ask(token, 'GET', USER)
    expect(data.mustEnrol).toBe(false)
    expect(data.capabilities.length).toBeGreaterThan(0)
    expect(await post(token, '/secondFactorRemove', { code: codeOf(secret, 1) })).toMatchObject({ status: 409, code: 40250 })
  })
  test('by the enterprise, of everybody in it and of nobody else', async () => {
    const other = await server.signIn('otheradmin')
    await owner.query('update identity.enterprise set second_factor = true where id = 2')
    await expect.poll(async () => (await server.ask(other, 'GET', USER)).data.capabilities, { timeout: 3_000 }).toEqual([])
    await owner.query('update identity.enterprise set second_factor = false where id = 2')
    expect((await server.ask(admin, 'GET', USER)).data.mustEnrol).toBe(false)
  })
})

test('given up with a code; begun again only then', async () => {
  const { username, token, secret, recovery } = await enrolled()
  expect((await post(token, '/secondFactorBegin')).status).toBe(409)
  expect((await post(token, '/secondFactorRemove', { code: recovery[3]! })).status).toBe(200)
  expect((await form(username)).status).toBe(200)
  expect((await post(token, '/recoveryCodes', { code: codeOf(secret, 1) })).status).toBe(422)
})

test('an old sign-in gives the password before it begins', async () => {
  const { username } = await aPerson()
  const token = await server.signIn(username)
  await owner.query(
    `update identity.session s set started_at = now() - interval '6 min' from identity.person p where p.id = s.person_id and p.username = $1`,
    [username],
  )
  expect(await post(token, '/secondFactorBegin')).toMatchObject({ status: 403, code: 40206 })
  expect((await post(token, '/secondFactorBegin', { password: digestOf(username, 'no') })).status).toBe(422)
  expect((await post(token, '/secondFactorBegin', { password: digestOf(username, PASSWORD) })).status).toBe(200)
})

test('an administrator takes it away from whoever lost everything, and from nobody who has more', async () => {
  const { id, username, token } = await enrolled()
  const reset = (by: string, custId: string) => server.ask(by, 'POST', '/lbs/custom/person/resetSecondFactor', { custId })
  expect((await reset(await server.signIn('otheradmin'), id)).status).toBe(404)
  expect((await reset(admin, id)).status).toBe(200)
  expect((await server.ask(token, 'GET', USER)).status).toBe(401)
  expect((await form(username)).status).toBe(200)
})

test('no secret is in any table that the application reads', async () => {
  const app = new pg.Client({ connectionString: server.appUrl })
  await app.connect()
  for (const table of ['second_factor', 'recovery_code', 'sign_in_challenge'])
    await expect(app.query(`select * from identity.${table}`)).rejects.toThrow('permission denied')
  await app.end()
})

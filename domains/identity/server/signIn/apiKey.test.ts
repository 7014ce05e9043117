import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

const K = '/lbs/security/apiKey'
const LOOKS = ['identity:role:view', 'identity:person:view']
const ROLES = '/lbs/custom/roleNew/roleQueryNewNoPage'
const post = (token: string, address: string, body: object = {}) => server.ask(token, 'POST', address, body)
const add = (token: string, more: object = {}) => post(token, `${K}/add`, { name: '对账程序', capabilities: LOOKS, days: 30, ...more })
const aKey = async (more: object = {}) => (await add(admin, more)).data as { id: string; key: string }
const mine = async () => (await post(admin, `${K}/queryPage`)).data.records as any[]

test('does what it was made for and nothing else', async () => {
  const { key } = await aKey()
  expect(key).toMatch(/^kb_[\w-]{43}$/)
  expect((await server.ask(key, 'GET', ROLES)).status).toBe(200)
  expect((await post(key, '/lbs/custom/person/queryPage')).data.records.length).toBeGreaterThan(0)
  expect((await post(key, '/lbs/custom/department/queryPage')).status).toBe(403)
  expect((await post(key, '/lbs/custom/roleNew/roleAddNew', { name: 'x', dataScope: 2 })).status).toBe(403)
})

test('is no person: it changes nobody’s password, mints no code, begins no factor, makes no key', async () => {
  const { key } = await aKey()
  const digest = 'a'.repeat(64)
  const own = ['/lbs/security/authentication/code', '/lbs/security/authentication/logout', '/lbs/security/authentication/secondFactorBegin']
  for (const address of own) expect((await post(key, address)).status, address).toBe(403)
  const change = { newPassword: digest, confirmPassword: digest, type: '1' }
  expect((await post(key, '/lbs/custom/enterprise/resetEnterprisePassword', change)).status).toBe(403)
  expect((await add(key)).status).toBe(403)
  expect((await server.ask(null, 'POST', '/lbs/security/authentication/exchange', { code: key })).status).toBe(401)
})

test('holds only what its maker holds, now and later, and never a right to give rights', async () => {
  const operator = await server.signIn('operator')
  expect((await add(operator)).status).toBe(403)
  expect(await add(admin, { capabilities: ['identity:role:edit'] })).toMatchObject({ status: 422, code: 40202 })
  expect((await add(admin, { capabilities: ['nobody:has:this'] })).status).toBe(403)
  const { data: role } = await post(admin, '/lbs/custom/roleNew/roleAddNew', { name: '接口', dataScope: 6, grants: 2, parks: ['P001'] })
  const { data: person } = await post(admin, '/lbs/custom/person/add', { username: 'maker', name: '制作人', roleIds: [role.id] })
  await owner.query('update identity.person set must_change = false where id = $1', [person.id])
  const maker = await server.signIn('maker', person.password)
  const { key } = (await add(maker)).data
  expect((await server.ask(key, 'GET', '/lbs/custom/account/getUserInfo')).data).toMatchObject({ parks: ['P001'], capabilities: [...LOOKS].sort() })
  await post(admin, '/lbs/custom/roleNew/roleUpdateNew', { id: role.id, version: 1, grants: 1 })
  expect((await server.ask(key, 'GET', ROLES)).status).toBe(403)
})

test('ends: revoked, expired, its maker locked', async () => {
  const revoked = await aKey()
  expect((await server.ask(revoked.key, 'GET', ROLES)).status).toBe(200)
  expect((await post(admin, `${K}/revoke`, { id: revoked.id })).status).toBe(200)
  expect((await server.ask(revoked.key, 'GET', ROLES)).status).toBe(401)
  const expired = await aKey()
  await owner.query(`update identity.api_key set expires_at = now() - interval '1 s' where id = $1`, [expired.id])
  expect((await server.ask(expired.key, 'GET', ROLES)).status).toBe(401)
  const states = new Map((await mine()).map(({ id, state }) => [id, state]))
  expect([states.get(revoked.id), states.get(expired.id)]).toEqual([3, 2])
  expect((await add(admin, { days: 0 })).status).toBe(400)
  expect((await add(admin, { days: 367 })).status).toBe(400)
})

test('is made by nobody who merely sits at a console that somebody left open', async () => {
  const token = await server.signIn('admin')
  await owner.query(
    `update identity.session set started_at = now() - interval '1 hour' where person_id = (select id from identity.person where username = 'admin')`,
  )
  expect(await add(token)).toMatchObject({ status: 403, code: 40206 })
  expect(await add(token, { password: digestOf('admin', 'Another-2026') })).toMatchObject({ status: 422, code: 40208 })
  expect((await add(token, { password: digestOf('admin', PASSWORD) })).data.key).toMatch(/^kb_/)
  admin = await server.signIn('admin')
})

test('ends with the sessions of whoever made it: locked, or given another password by somebody else', async () => {
  const { data: role } = await post(admin, '/lbs/custom/roleNew/roleAddNew', { name: '接口二', dataScope: 2, grants: 2 })
  for (const [username, end] of [
    ['reset', (id: string) => post(admin, '/lbs/custom/person/resetPassword', { custId: id })],
    ['locked', (id: string, version: number) => post(admin, '/lbs/custom/person/updateLock', { id, version, lockState: 2 })],
  ] as const) {
    const { data: person } = await post(admin, '/lbs/custom/person/add', { username, name: '制作人', roleIds: [role.id] })
    const { rows } = await owner.query('update identity.person set must_change = false where id = $1 returning version', [person.id])
    const { id, key } = (await add(await server.signIn(username, person.password))).data
    expect((await server.ask(key, 'GET', ROLES)).status).toBe(200)
    expect((await end(person.id, rows[0].version)).status).toBe(200)
    await owner.query('update identity.person set must_change = false, lock_state = 1 where id = $1', [person.id])
    expect((await server.ask(key, 'GET', ROLES)).status, username).toBe(401)
    expect((await mine()).find((row) => row.id === id)).toMatchObject({ state: 3, revokedBy: '系统管理员' })
  }
})

test('is kept as a hash, listed by its beginning, its last use shown; another enterprise sees none and revokes none', async () => {
  const { id, key } = await aKey({ name: '看得见的' })
  await server.ask(key, 'GET', ROLES)
  const { rows } = await owner.query('select row_to_json(k)::text as text from identity.api_key k where id = $1', [id])
  expect(rows[0].text).not.toContain(key.slice(8))
  const one = (await mine()).find((row) => row.id === id)
  expect(one).toMatchObject({ name: '看得见的', prefix: key.slice(0, 8), personName: '系统管理员' })
  expect(JSON.stringify(one)).not.toContain(key.slice(8))
  const used = async () => (await mine()).find((row) => row.id === id).lastUsedAt
  await expect.poll(used, { timeout: 20_000, interval: 1_000 }).not.toBeNull()
  const other = await server.signIn('otheradmin')
  expect((await post(other, `${K}/queryPage`)).data.total).toBe(0)
  expect((await post(other, `${K}/revoke`, { id })).status).toBe(404)
})

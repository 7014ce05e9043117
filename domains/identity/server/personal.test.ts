import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tokenOfSomeoneWho } from '../../../tests/support/roles.ts'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { sendSheet } from '../../../tests/support/sheets.ts'
import { SEES_WHOLE } from '../../../platform/contract/personal.ts'

const PHONE = '13812345678'
const EMAIL = 'lisi@example.com'
const WHOLE = { phone: PHONE, email: EMAIL }
const COVERED = { phone: '138****5678', email: 'li***@example.com' }
/** More than an export answers at once. */
const PEOPLE = 5_100
let server: TestServer
let owner: pg.Client
let admin: string
let auditor: string
/** Changes people without seeing their numbers whole. */
let clerk: string
let lisi: string
beforeAll(async () => {
  server = await startTestServer()
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  admin = await server.signIn('admin')
  auditor = await server.signIn('auditor')
  clerk = await clerkWho(['identity:person:edit'])
  lisi = (await post(admin, '/person/add', { username: 'lisi', name: '李四', ...WHOLE })).data.id
})
afterAll(async () => {
  await owner.end()
  await server.close()
})

const post = (token: string, path: string, body: object) => server.ask(token, 'POST', `/lbs/custom${path}`, body)
const row = async (token: string, criteria: object = { username: 'lisi' }) => (await post(token, '/person/queryPage', criteria)).data.records[0]
const detail = async (token: string, id = lisi) => (await server.ask(token, 'GET', '/lbs/custom/person/detail', { id })).data
const sheet = async (token: string, criteria: object) =>
  (await server.ask(token, 'GET', '/lbs/custom/person/export', { ...criteria, format: 'csv', columns: 'username,phone,email' })).data.toString('utf8')
const told = async (token: string, id = lisi) => {
  const { data } = await server.ask(token, 'POST', '/lbs/basic/record/history', { kind: 'identity.person', key: id })
  return Object.fromEntries(data.changes.at(-1).fields.map(({ name, after }: { name: string; after: unknown }) => [name, after]))
}
const kept = async () => (await owner.query('select name, phone, email from identity.person where id = $1', [lisi])).rows[0]

test('whoever may see the whole sees it in list, detail, sheet and history; to others all four are covered', async () => {
  for (const [token, seen] of [
    [admin, WHOLE],
    [auditor, COVERED],
    [clerk, COVERED],
  ] as const) {
    expect(await row(token)).toMatchObject(seen)
    expect(await detail(token)).toMatchObject(seen)
    expect(await told(token)).toMatchObject(seen)
    expect(await sheet(token, { username: 'lisi' })).toContain(`lisi,${seen.phone},${seen.email}`)
  }
})

test('a role may be granted the whole, and nobody grants it who lacks it', async () => {
  const sees = await clerkWho(['identity:person:edit', SEES_WHOLE])
  expect(await row(sees)).toMatchObject(WHOLE)
  const [button] = (await owner.query<{ id: string }>('select id from identity.button where capability = $1', [SEES_WHOLE])).rows
  const grants = await clerkWho(['identity:role:edit'])
  expect((await post(grants, '/roleNew/roleAddNew', { name: '想看', dataScope: 2, grants: 1, buttonIds: [button!.id] })).status).toBe(403)
})

test('a sheet that is written in the background is covered as the list is', async () => {
  await owner.query(
    `insert into identity.person (enterprise_id, username, name, phone, password_hash) select 1, 'many' || i, '员工', '139' || lpad(i::text, 8, '0'), 'x' from generate_series(1, ${PEOPLE}) i`,
  )
  const written = async (token: string) => {
    const { id } = (await server.ask(token, 'GET', '/lbs/custom/person/export', { username: 'many', format: 'csv', background: true })).data
    const state = async () =>
      (await server.ask(token, 'POST', '/lbs/basic/sysExport/queryPage', {})).data.records.find((one: { id: string }) => one.id === id)?.state
    await expect.poll(state, { timeout: 60_000, interval: 200 }).toBe(3)
    return (await server.ask(token, 'GET', '/lbs/basic/sysExport/download', { id })).data.toString('utf8')
  }
  expect(await written(auditor)).not.toMatch(/139\d{8}/)
  expect(await written(admin)).toContain('13900000001')
}, 120_000)

test('what is covered and sent back with a change stays as it is; what is written anew is taken, and an emptied one is gone', async () => {
  const { version, phone, email } = await row(clerk)
  expect((await post(clerk, '/person/update', { id: lisi, version, name: '李四四', phone, email })).message).toBe('ok')
  expect(await kept()).toEqual({ name: '李四四', ...WHOLE })
  expect((await post(clerk, '/person/update', { id: lisi, version: version + 1, phone: '13700001111', email })).message).toBe('ok')
  expect(await kept()).toEqual({ name: '李四四', phone: '13700001111', email: EMAIL })
  expect((await post(clerk, '/person/update', { id: lisi, version: version + 2, phone: null, email })).message).toBe('ok')
  expect(await kept()).toEqual({ name: '李四四', phone: null, email: EMAIL })
  await post(admin, '/person/update', { id: lisi, version: version + 3, name: '李四', ...WHOLE })
})

test('nobody new is written down with a covered number', async () => {
  expect(await post(clerk, '/person/add', { username: 'wangwu', name: '王五', phone: COVERED.phone })).toMatchObject({
    status: 400,
    message: expect.stringContaining('手机号'),
  })
})

test('a covered sheet that comes back changes nothing', async () => {
  const csv = `用户名,姓名,手机号,邮箱\nlisi,李四,${COVERED.phone},${COVERED.email}\n`
  expect((await sendSheet(server, clerk, '/lbs/custom/person/import', csv)).data).toMatchObject({ same: 1, changed: 0, bad: 0 })
  expect(await kept()).toEqual({ name: '李四', ...WHOLE })
})

test('a number that somebody knows is found by it, and cannot be found out digit by digit', async () => {
  expect(await row(auditor, { phone: PHONE })).toMatchObject({ username: 'lisi', ...COVERED })
  const found = async (token: string, words: string) =>
    (await server.ask(token, 'POST', '/lbs/basic/record/find', { words })).data.filter(({ kind }: { kind: string }) => kind === 'identity.person')
  expect(await found(auditor, PHONE)).toMatchObject([{ detail: 'lisi 138****5678' }])
  expect(await found(auditor, PHONE.slice(0, 10))).toEqual([])
  expect(await found(admin, PHONE.slice(0, 10))).toMatchObject([{ detail: `lisi ${PHONE}` }])
})

/** Somebody who opens the staff and role screens and may do just this. */
const clerkWho = (needs: string[]) => tokenOfSomeoneWho(server, owner, ['StaffScreen', 'RoleScreen'], needs)

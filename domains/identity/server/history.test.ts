import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../../../tests/support/server.ts'

let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

const historyOf = (token: string | null, kind: string, key: string) => server.ask(token, 'POST', '/lbs/basic/record/history', { kind, key })
async function aPerson(username: string): Promise<string> {
  const made = await server.ask(admin, 'POST', '/lbs/custom/person/add', { username, name: '李四' })
  expect(made.message).toBe('ok')
  return made.data.id
}

test('fields by the contract’s names, ids with the names they have now, nothing that the contract does not name', async () => {
  const department = (await server.ask(admin, 'POST', '/lbs/custom/department/add', { name: '夜班', sort: 1, parks: [] })).data.id
  const id = await aPerson('lisi')
  await server.ask(admin, 'POST', '/lbs/custom/person/update', { id, version: 1, departmentId: department, phone: '13800000000' })
  const { data } = await historyOf(admin, 'identity.person', id)
  expect(data.changes.map(({ event }: { event: string }) => event)).toEqual(['update', 'insert'])
  expect(data.changes[0]).toMatchObject({ via: 'identity.person.update', reason: null })
  expect(data.changes[0].fields).toEqual([
    { name: 'phone', before: null, after: '13800000000' },
    { name: 'departmentId', before: null, after: department },
  ])
  expect(data.names).toEqual({ [department]: '夜班' })
  expect(JSON.stringify(data)).not.toMatch(/password/i)
})

test('roles given and taken are told by name, and only the difference', async () => {
  const id = await aPerson('wangwu')
  const [one, two] = await Promise.all(
    ['甲班', '乙班'].map(async (name) => (await server.ask(admin, 'POST', '/lbs/custom/roleNew/roleAddNew', { name, dataScope: 2 })).data.id),
  )
  await server.ask(admin, 'POST', '/lbs/custom/person/update', { id, version: 1, roleIds: [one] })
  await server.ask(admin, 'POST', '/lbs/custom/person/update', { id, version: 2, roleIds: [one, two] })
  const { data } = await historyOf(admin, 'identity.person', id)
  expect(data.changes.map(({ links }: { links: object[] }) => links)).toEqual([
    [{ label: ['角色', 'Roles'], added: ['乙班'], removed: [] }],
    [{ label: ['角色', 'Roles'], added: ['甲班'], removed: [] }],
    [],
  ])
})

test('whoever may not see the list, another company, and an unknown kind learn nothing', async () => {
  const id = await aPerson('zhaoliu')
  expect((await historyOf(await server.signIn('operator'), 'identity.person', id)).status).toBe(403)
  expect((await historyOf(await server.signIn('otheradmin'), 'identity.person', id)).status).toBe(404)
  expect((await historyOf(null, 'identity.person', id)).status).toBe(401)
  expect((await historyOf(admin, 'pg_catalog.pg_authid', '1')).status).toBe(404)
  expect((await historyOf(admin, 'identity.person', 'x')).status).toBe(400)
})

test('a record that is gone is told to its end', async () => {
  const id = await aPerson('sunqi')
  expect((await server.ask(admin, 'POST', '/lbs/custom/person/delete', { id })).status).toBe(200)
  const { data } = await historyOf(admin, 'identity.person', id)
  expect(data.changes[0].event).toBe('delete')
  expect(data.changes[0].fields).toContainEqual({ name: 'username', before: 'sunqi', after: null })
})

test('who changed what all companies read is told to the platform’s own people; to others it was the platform', async () => {
  const made = await server.ask(admin, 'POST', '/lbs/basic/tSysRegion/addRegion', { code: '990000', name: '测试省', rank: 1 })
  expect(made.message).toBe('ok')
  const authors = async (username: string) =>
    (await historyOf(await server.signIn(username), 'system.region', '990000')).data.changes.map(
      ({ authorName }: { authorName: string | null }) => authorName,
    )
  expect(await authors('auditor')).toEqual(['系统管理员'])
  expect(await authors('otheradmin')).toEqual([null])
})

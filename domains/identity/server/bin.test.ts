import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { digestOf, PASSWORD, startTestServer, type TestServer } from '../../../tests/support/server.ts'
import { hashed } from './signIn/password.ts'

let server: TestServer
let owner: pg.Client
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  admin = await server.signIn('admin')
})
afterAll(async () => {
  await owner.end()
  await server.close()
})

const custom = (token: string, method: string, address: string, body: object) => server.ask(token, method, `/lbs/custom${address}`, body)
const inBin = async (token: string, title: string) => (await server.ask(token, 'POST', '/lbs/basic/bin/query', { title })).data.records
const restore = (token: string, id: string) => server.ask(token, 'POST', '/lbs/basic/bin/restore', { id })
const aRole = async (name: string, chosen: object = {}) =>
  (await custom(admin, 'POST', '/roleNew/roleAddNew', { name, dataScope: 2, ...chosen })).data.id as string
async function aPerson(username: string, more: object = {}): Promise<string> {
  const made = await custom(admin, 'POST', '/person/add', { username, name: username, ...more })
  expect(made.message).toBe('ok')
  await owner.query('update identity.person set must_change = false, password_hash = $2 where username = $1', [
    username,
    await hashed(digestOf(username, PASSWORD)),
  ])
  return made.data.id
}
const remove = async (id: string) => expect((await custom(admin, 'POST', '/person/delete', { id })).message).toBe('ok')

test('a deleted person comes back with roles and password, and is in the bin no more', async () => {
  const roleId = await aRole('回来的')
  const id = await aPerson('huilai', { roleIds: [roleId], phone: '13700000000' })
  await remove(id)
  await expect(server.signIn('huilai')).rejects.toThrow()
  const [line] = await inBin(admin, 'huilai')
  expect(line).toMatchObject({ kind: 'identity.person', rowKey: id, title: 'huilai' })
  expect(Object.keys(line)).not.toContain('content')
  expect((await restore(admin, line.id)).data).toEqual({ lost: 0 })
  const [back] = (await custom(admin, 'POST', '/person/queryPage', { username: 'huilai' })).data.records
  expect(back).toMatchObject({ id, phone: '13700000000', roles: [{ id: roleId, name: '回来的' }] })
  expect(await server.signIn('huilai')).toBeTruthy()
  expect(await inBin(admin, 'huilai')).toEqual([])
  expect((await restore(admin, line.id)).status).toBe(404)
})

test('a role that went meanwhile is left out, and said so', async () => {
  const roleId = await aRole('会消失的')
  const id = await aPerson('xiaoshi', { roleIds: [roleId] })
  await remove(id)
  await custom(admin, 'POST', `/roleNew/roleDelNew?id=${roleId}`, {})
  await owner.query('delete from identity.role where id = $1', [roleId])
  expect((await restore(admin, (await inBin(admin, 'xiaoshi'))[0].id)).data).toEqual({ lost: 1 })
})

test('what stands in the way refuses it, with a sentence of what to do', async () => {
  const id = await aPerson('chongming')
  await remove(id)
  await aPerson('chongming')
  const same = await restore(admin, (await inBin(admin, 'chongming'))[0].id)
  expect(same).toMatchObject({ status: 409, code: 40001, message: '无法恢复：已有相同的数据，请先改名或删除它' })
  const department = (await custom(admin, 'POST', '/department/add', { name: '上级部门', sort: 1, parks: [] })).data.id
  const below = await aPerson('xiaji', { departmentId: department })
  await remove(below)
  await custom(admin, 'POST', '/department/delete', { id: department })
  const gone = await restore(admin, (await inBin(admin, 'xiaji'))[0].id)
  expect(gone).toMatchObject({ status: 409, code: 40002 })
  expect(await inBin(admin, 'xiaji')).toHaveLength(1)
})

test('nobody brings back more than they could give, sees the bin without the right, or another company’s', async () => {
  const roles = (await custom(admin, 'GET', '/roleNew/roleQueryNewNoPage', {})).data as { id: string; name: string; grants: number }[]
  const whole = roles.find(({ grants }) => grants === 2)!
  const id = await aPerson('erhao', { roleIds: [whole.id] })
  await remove(id)
  const buttons = (await owner.query(`select id from identity.button where capability = 'identity:person:edit'`)).rows
  const menus = (await owner.query(`select id from identity.resource where url in ('/appManage/organization/staff', '/appManage/system/recycleBin')`))
    .rows
  const clerkRole = await aRole('文员', { resourceIds: menus.map((one) => one.id), buttonIds: buttons.map((one) => one.id) })
  await aPerson('wenyuan', { roleIds: [clerkRole] })
  const clerk = await server.signIn('wenyuan')
  const [line] = await inBin(clerk, 'erhao')
  expect(await restore(clerk, line.id)).toMatchObject({ status: 403, code: 40225 })
  expect((await custom(admin, 'POST', '/person/queryPage', { username: 'erhao' })).data.records).toEqual([])
  expect((await server.ask(await server.signIn('operator'), 'POST', '/lbs/basic/bin/query', {})).status).toBe(403)
  const other = await server.signIn('otheradmin')
  expect(await inBin(other, 'erhao')).toEqual([])
  expect((await restore(other, line.id)).status).toBe(404)
})

test('after thirty days it is gone', async () => {
  const id = await aPerson('guoqi')
  await remove(id)
  await owner.query(`update platform.bin set at = now() - interval '29 days' where row_key = $1`, [id])
  await owner.query(`select platform.sweep_bin('30 days')`)
  expect(await inBin(admin, 'guoqi')).toHaveLength(1)
  await owner.query(`update platform.bin set at = now() - interval '31 days' where row_key = $1`, [id])
  await owner.query(`select platform.sweep_bin('30 days')`)
  expect(await inBin(admin, 'guoqi')).toEqual([])
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { digestOf, startTestServer, type TestServer } from '../../../../tests/support/server.ts'

let server: TestServer
let admin: string
let other: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  other = await server.signIn('otheradmin')
})
afterAll(() => server.close())

const C = '/lbs/custom'
const post = (token: string, path: string, body: object = {}) => server.ask(token, 'POST', C + path, body)
const infoOf = (token: string) => server.ask(token, 'GET', `${C}/account/getUserInfo`)
const detailOf = async (id: number) => (await server.ask(admin, 'GET', `${C}/enterprise/detail`, { id })).data
const add = async (body: object): Promise<{ id: number; username: string; password: string }> => {
  const { status, message, data } = await post(admin, '/enterprise/add', body)
  if (status !== 200) throw new Error(message)
  return data
}

test('a company gets somebody who can begin, and they begin in their own enterprise', async () => {
  const made = await add({ name: '谷城分公司', parentId: 1, adminUsername: 'gucheng', adminName: '谷经理' })
  const token = await server.signIn('gucheng', made.password)
  expect((await infoOf(token)).data).toMatchObject({ enterpriseId: made.id, enterpriseName: '谷城分公司', mustChangePassword: true })
  const digest = digestOf('gucheng', 'Gucheng-2026')
  await post(token, '/enterprise/resetEnterprisePassword', { newPassword: digest, confirmPassword: digest, type: '1' })
  const { data } = await infoOf(token)
  expect(data.capabilities).toContain('identity:person:edit')
  expect(data.capabilities).not.toContain('identity:enterprise:view')
  expect(await detailOf(made.id)).toMatchObject({
    parentName: '襄州区智慧停车运营公司',
    people: 1,
    administrators: [{ username: 'gucheng', name: '谷经理', mustChange: false }],
  })
})

test('names are their own: of the company, of its first person; nothing is half made', async () => {
  expect(await post(admin, '/enterprise/add', { name: '樊城区停车服务公司' })).toMatchObject({
    status: 409,
    message: '企业名称已被使用，请换一个名称',
  })
  expect(await post(admin, '/enterprise/add', { name: '枣阳', adminUsername: 'ADMIN', adminName: '某' })).toMatchObject({ status: 409, code: 40224 })
  expect(await post(admin, '/enterprise/add', { name: '枣阳', adminUsername: 'zaoyang' })).toMatchObject({ status: 422 })
  expect((await post(admin, '/enterprise/queryPage', { name: '枣阳' })).data.total).toBe(0)
})

test('units below units: as a list, as a tree, and never in a circle', async () => {
  const top = await add({ name: '集团' })
  const middle = await add({ name: '集团一部', parentId: top.id })
  const low = await add({ name: '集团一部东区', parentId: middle.id })
  const below = async (body: object) =>
    (await server.ask(admin, 'POST', '/lbs/basic/V2/customerRelation/selectCustomerSubunitInfo', body)).data.map(({ name }: any) => name)
  expect(await below({ enterpriseId: top.id })).toEqual(['集团一部', '集团一部东区'])
  expect(await below({ enterpriseId: top.id, name: '东' })).toEqual(['集团一部东区'])
  const tree = (await server.ask(admin, 'GET', `${C}/enterprise/queryTree`)).data
  expect(tree.find(({ id }: any) => id === top.id)).toMatchObject({ children: [{ id: middle.id, children: [{ id: low.id }] }] })
  const into = { id: top.id, version: 1, parentId: low.id }
  expect(await post(admin, '/enterprise/update', into)).toMatchObject({ status: 409, message: '不能移动到自己的下属单位，请选择其他上级' })
  expect(await post(admin, '/enterprise/delete', { id: top.id })).toMatchObject({ status: 409, message: '请先移走下属单位' })
})

describe('deleting', () => {
  test('only a company that nobody has worked in', async () => {
    const { id, password } = await add({ name: '保康', adminUsername: 'baokang', adminName: '保' })
    expect((await post(admin, '/enterprise/delete', { id })).status).toBe(200)
    await expect(server.signIn('baokang', password)).rejects.toThrow('401')
    const used = await add({ name: '保康', adminUsername: 'baokang', adminName: '保' })
    await server.signIn('baokang', used.password)
    expect(await post(admin, '/enterprise/delete', { id: used.id })).toMatchObject({ status: 409, code: 40220 })
  })
  test('never the one that runs the platform, and by nobody else', async () => {
    expect((await post(admin, '/enterprise/delete', { id: 1 })).status).toBe(409)
    expect((await post(other, '/enterprise/delete', { id: 2 })).status).toBe(403)
    expect((await post(admin, '/enterprise/delete', { id: 4711 })).status).toBe(404)
  })
})

describe('a password for an administrator of another company', () => {
  const reset = (token: string, custId: string) => {
    const digest = digestOf('otheradmin', 'Chosen-by-me-1')
    return post(token, '/enterprise/resetEnterprisePassword', { custId, newPassword: digest, confirmPassword: digest, type: '1' })
  }
  test('is the server’s, has to be changed, and ends their sessions', async () => {
    const [{ id }] = (await detailOf(2)).administrators
    const session = await server.signIn('otheradmin')
    const { status, data } = await reset(admin, id)
    expect(status).toBe(200)
    expect((await infoOf(session)).status).toBe(401)
    await expect(server.signIn('otheradmin', 'Chosen-by-me-1')).rejects.toThrow('401')
    expect((await infoOf(await server.signIn('otheradmin', data.password))).data.mustChangePassword).toBe(true)
  })
  test('is given by whoever looks after companies only, and to nobody else', async () => {
    const auditor = await server.signIn('auditor')
    const { custId } = (await infoOf(admin)).data
    const { custId: operator } = (await infoOf(await server.signIn('operator'))).data
    const [{ id }] = (await detailOf(2)).administrators
    expect((await reset(auditor, id)).status).toBe(403)
    expect((await reset(await server.signIn('operator'), custId)).status).toBe(403)
    expect((await reset(admin, operator)).status).toBe(403)
    expect((await reset(admin, '01900000-0000-7000-8000-000000000000')).status).toBe(403)
  })
})

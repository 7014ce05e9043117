import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { digestOf, PASSWORD, startTestServer, type TestServer } from '../../../tests/support/server.ts'

let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

const C = '/lbs/custom'
const post = (token: string, path: string, body: object = {}) => server.ask(token, 'POST', C + path, body)
const infoOf = (token: string) => server.ask(token, 'GET', `${C}/account/getUserInfo`)

async function aPerson(username: string, more: object): Promise<string> {
  const { data } = await post(admin, '/person/add', { username, name: username, ...more })
  const token = await server.signIn(username, data.password)
  const digest = digestOf(username, PASSWORD)
  await post(token, '/enterprise/resetEnterprisePassword', { newPassword: digest, confirmPassword: digest, type: '1' })
  return token
}

describe('a data scope', () => {
  const parks = async (dataScope: number, departmentId: string | undefined, more: object = {}) => {
    const { id } = (await post(admin, '/roleNew/roleAddNew', { name: `范围 ${dataScope} ${Math.random()}`, dataScope, ...more })).data
    const token = await aPerson(`scope${dataScope}${Math.random().toString(36).slice(2, 8)}`, {
      roleIds: [id],
      ...(departmentId && { departmentId }),
    })
    return (await infoOf(token)).data.parks as string[] | null
  }
  test('is all parks, those of a department with or without what is below it, or those chosen', async () => {
    const upper = (await post(admin, '/department/add', { name: '大区', parks: ['P001'] })).data.id
    await post(admin, '/department/add', { name: '小组', parentId: upper, parks: ['P002'] })
    expect(await parks(1, undefined)).toBeNull()
    expect(await parks(2, undefined)).toBeNull()
    expect((await parks(3, upper))?.sort()).toEqual(['P001', 'P002'])
    expect(await parks(4, upper)).toEqual(['P001'])
    expect(await parks(5, undefined)).toEqual([])
    expect(await parks(6, undefined, { parks: ['P009'] })).toEqual(['P009'])
  })
  test('of two roles is what both give together', async () => {
    const make = async (name: string, chosen: string[]) =>
      (await post(admin, '/roleNew/roleAddNew', { name, dataScope: 6, parks: chosen })).data.id as string
    const token = await aPerson('tworoles', { roleIds: [await make('一', ['P001']), await make('二', ['P003'])] })
    expect((await infoOf(token)).data.parks.sort()).toEqual(['P001', 'P003'])
  })
})

describe('a department', () => {
  const versionOf = async (id: string) => {
    const { records } = (await post(admin, '/department/queryPage', { limit: 100 })).data as { records: { id: string; version: number }[] }
    return records.find((one) => one.id === id)!.version
  }
  test('moves anywhere but below itself, and goes only when nobody is left in it', async () => {
    const top = (await post(admin, '/department/add', { name: '总部' })).data.id
    const below = (await post(admin, '/department/add', { name: '分部', parentId: top })).data.id
    expect((await post(admin, '/department/update', { id: top, version: await versionOf(top), parentId: below })).status).toBe(409)
    expect((await post(admin, '/department/delete', { id: top })).status).toBe(409)
    expect((await post(admin, '/department/update', { id: below, version: await versionOf(below), parentId: null })).status).toBe(200)
    expect((await post(admin, '/department/delete', { id: top })).status).toBe(200)
  })
  test('two that are moved below one another at the same moment make no circle: one of them is refused', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [`甲部${round}`, `乙部${round}`]
      const ids = [(await post(admin, '/department/add', { name: a })).data.id, (await post(admin, '/department/add', { name: b })).data.id]
      const moved = ids.map((id, at) => post(admin, '/department/update', { id, version: 1, parentId: ids[1 - at] }))
      expect((await Promise.all(moved)).map(({ status }) => status).sort()).toEqual([200, 409])
    }
  })
  test('of another enterprise is not there', async () => {
    const mine = (await post(admin, '/department/add', { name: '本企业部门' })).data.id
    const other = await server.signIn('otheradmin')
    expect((await post(other, '/department/delete', { id: mine })).status).toBe(404)
    expect((await post(other, '/department/add', { name: 'x', parentId: mine })).status).toBe(404)
    expect((await post(other, '/department/queryPage')).data.total).toBe(0)
  })
})

describe('an enterprise', () => {
  const all = async () => (await post(admin, '/enterprise/queryPage')).data.records as { id: number; name: string; version: number }[]
  test('is looked after by the one that runs the platform; disabled, its people are out at once', async () => {
    const { id } = (await post(admin, '/enterprise/add', { name: '新企业' })).data
    expect((await all()).map((one) => one.id)).toContain(id)
    const other = await server.signIn('otheradmin')
    const theirs = (await all()).find((one) => one.id === 2)!
    expect((await post(admin, '/enterprise/update', { id: 2, version: theirs.version, status: 2 })).status).toBe(200)
    expect((await infoOf(other)).status).toBe(401)
    await expect(server.signIn('otheradmin')).rejects.toThrow('401')
    expect((await post(admin, '/enterprise/update', { id: 2, version: theirs.version + 1, status: 1 })).status).toBe(200)
    expect((await infoOf(other)).status).toBe(200)
  })
  test('that runs the platform is never disabled', async () => {
    const own = (await all()).find((one) => one.id === 1)!
    expect((await post(admin, '/enterprise/update', { id: 1, version: own.version, status: 2 })).status).toBe(409)
  })
})

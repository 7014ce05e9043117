import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { digestOf, startTestServer, type TestServer } from '../../../tests/support/server.ts'

let server: TestServer
let admin: string
let auditor: string
const C = '/lbs/custom'
const post = (token: string, path: string, body: object = {}) => server.ask(token, 'POST', C + path, body)
const infoOf = (token: string) => server.ask(token, 'GET', `${C}/account/getUserInfo`)
const listOf = async (token: string) => (await server.ask(token, 'GET', `${C}/account/getList`)).data
const peopleOf = async (token: string) => (await post(token, '/person/queryPage')).data.records.map(({ username }: any) => username)
const switched = async (token: string, id: number) => post(token, '/account/switch', { id })

beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
  auditor = await server.signIn('auditor')
})
afterAll(() => server.close())
const idOf = async (token: string) => (await infoOf(token)).data.custId as string
const admit = async (who: string) => post(admin, '/enterprise/admit', { enterpriseId: 2, custId: await idOf(who) })

test('nearly everybody has one company, and goes nowhere else', async () => {
  expect(await listOf(auditor)).toEqual([{ id: 1, name: '襄州区智慧停车运营公司', current: true }])
  expect((await switched(auditor, 2)).status).toBe(403)
  expect((await infoOf(auditor)).status).toBe(200)
})

describe('somebody whom the platform admitted', () => {
  test('acts for the other company with its rights and its rows; nothing of the first is left', async () => {
    expect((await admit(auditor)).status).toBe(200)
    const before = await server.signIn('auditor')
    expect((await listOf(before)).map(({ id }: any) => id)).toEqual([1, 2])
    const token = (await switched(before, 2)).data.access_token
    expect((await infoOf(before)).status).toBe(401)
    const { data } = await infoOf(token)
    expect(data).toMatchObject({ username: 'auditor', enterpriseId: 2, homeId: 1, enterpriseName: '樊城区停车服务公司' })
    expect(data.capabilities).toContain('identity:role:edit')
    expect(data.capabilities).not.toContain('identity:enterprise:view')
    expect(await peopleOf(token)).toEqual(['otheradmin'])
    const menus = JSON.stringify((await server.ask(token, 'GET', `${C}/menu/getCurrTreeMenu`)).data)
    expect(menus).toContain('/appManage/organization/staff')
    expect(menus).not.toContain('/assetManage/firmMode')
    // And home again.
    const home = (await switched(token, 1)).data.access_token
    expect((await peopleOf(home)).includes('admin')).toBe(true)
    expect((await infoOf(home)).data.capabilities).not.toContain('identity:role:edit')
  })
  test('what they do there stands under their name; how they sign in is changed at home', async () => {
    const token = (await switched(await server.signIn('auditor'), 2)).data.access_token
    expect((await post(token, '/department/add', { name: '代管的部门' })).status).toBe(200)
    const changes = await server.house.reading(2, (tx) =>
      tx
        .selectFrom('platform.change' as never)
        .selectAll()
        .execute(),
    )
    expect(changes).toContainEqual(expect.objectContaining({ enterpriseId: 2, authorName: '审计员', entity: 'identity.department' }))
    const digest = digestOf('auditor', 'Another-1234')
    const abroad = [
      post(token, '/enterprise/resetEnterprisePassword', { newPassword: digest, confirmPassword: digest, type: '1' }),
      server.ask(token, 'POST', '/lbs/security/authentication/code', {}),
      server.ask(token, 'POST', '/lbs/security/authentication/secondFactorBegin', {}),
      server.ask(token, 'POST', '/lbs/security/apiKey/add', { name: 'x', capabilities: ['identity:role:view'], days: 1 }),
    ]
    for (const one of await Promise.all(abroad)) expect(one).toMatchObject({ status: 409, code: 40207 })
    const mine = (await server.ask(token, 'GET', '/lbs/security/authentication/mySessions')).data
    expect(mine.filter(({ current }: any) => current)).toHaveLength(1)
    expect((await server.ask(token, 'POST', '/lbs/security/authentication/logout', {})).status).toBe(200)
    expect((await infoOf(token)).status).toBe(401)
  })
  test('the realtime channel of the old company closes with it', async () => {
    const before = await server.signIn('auditor')
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/lbs/message/innerMessage/channel/${await idOf(before)}`, {
      headers: { authorization: `Bearer ${before}` },
    })
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    await switched(before, 2)
    expect(await closed).toBe(4401)
  })
  test('is out at once when they are dismissed, and when that company is disabled', async () => {
    const dismissed = (await switched(await server.signIn('auditor'), 2)).data.access_token
    expect((await post(admin, '/enterprise/dismiss', { enterpriseId: 2, custId: await idOf(auditor) })).status).toBe(200)
    expect((await infoOf(dismissed)).status).toBe(401)
    expect((await listOf(auditor)).length).toBe(1)
    await admit(auditor)
    const disabled = (await switched(await server.signIn('auditor'), 2)).data.access_token
    const [other] = (await post(admin, '/enterprise/queryPage', { name: '樊城' })).data.records
    await post(admin, '/enterprise/update', { id: 2, version: other.version, status: 2 })
    expect((await infoOf(disabled)).status).toBe(401)
    expect((await listOf(auditor)).length).toBe(1)
    await post(admin, '/enterprise/update', { id: 2, version: other.version + 1, status: 1 })
  })
})

test('only the platform admits, and only its own people', async () => {
  const other = await server.signIn('otheradmin')
  const custId = await idOf(other)
  expect((await post(other, '/enterprise/admit', { enterpriseId: 1, custId })).status).toBe(403)
  expect((await post(admin, '/enterprise/admit', { enterpriseId: 1, custId })).status).toBe(404)
  expect((await post(admin, '/enterprise/admit', { enterpriseId: 2, custId })).status).toBe(404)
})

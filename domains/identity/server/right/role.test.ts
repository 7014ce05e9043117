import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Of } from '../../../../platform/contract/field.ts'
import { SEES_PLATES, SEES_WHOLE } from '../../../../platform/contract/personal.ts'
import { ButtonType } from '../../../../platform/contract/menu.ts'
import { digestOf, PASSWORD, startTestServer, type TestServer } from '../../../../tests/support/server.ts'
import type { Button } from '../../contract/button.ts'
import type { MenuNode } from '../../contract/menuTree.ts'

let server: TestServer
let admin: string
beforeAll(async () => {
  server = await startTestServer()
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

const C = '/lbs/custom'
const post = (token: string, path: string, body: object) => server.ask(token, 'POST', C + path, body)
const infoOf = async (token: string) => (await server.ask(token, 'GET', `${C}/account/getUserInfo`)).data
const menuOf = async (token: string) => (await server.ask<MenuNode[]>(token, 'GET', `${C}/menu/getCurrTreeMenu`)).data
const urlsIn = (nodes: MenuNode[]): string[] => nodes.flatMap(({ url, children }) => [url, ...urlsIn(children)])
const roles = async (token: string) =>
  (await server.ask(token, 'GET', `${C}/roleNew/roleQueryNewNoPage`)).data as { id: string; name: string; version: number }[]
const entries = async () => flat((await server.ask(admin, 'GET', `${C}/resource/queryTree`)).data)
const flat = (nodes: any[]): any[] => nodes.flatMap((node) => [node, ...flat(node.children)])
const entry = async (url: string) => (await entries()).find((one) => one.url === url)

async function aPerson(username: string, roleIds: string[] = []): Promise<{ id: string; token: string }> {
  const { data } = await post(admin, '/person/add', { username, name: username, roleIds })
  const first = await server.signIn(username, data.password)
  const digest = digestOf(username, PASSWORD)
  await post(first, '/enterprise/resetEnterprisePassword', { newPassword: digest, confirmPassword: digest, type: '1' })
  return { id: data.id, token: first }
}
const aRole = async (name: string, urls: string[], more: object = {}) => {
  const resourceIds = (await Promise.all(urls.map(entry))).map(({ id }) => id)
  return (await post(admin, '/roleNew/roleAddNew', { name, dataScope: 2, resourceIds, ...more })).data.id as string
}

test('only the assigned menus are offered, with the folders above them', async () => {
  const role = await aRole('只看角色', ['/appManage/permission/roles'])
  const { token } = await aPerson('menus', [role])
  expect(urlsIn(await menuOf(token))).toEqual(['/appManage', '/appManage/permission', '/appManage/permission/roles'])
  expect(urlsIn(await menuOf((await aPerson('without')).token))).toEqual([])
  const operator = urlsIn(await menuOf(await server.signIn('operator')))
  expect(operator).toContain('/operation/message/record')
  expect(operator.filter((url) => url.startsWith('/appManage'))).toEqual([])
})

test('a role under a name that is taken is refused by that name', async () => {
  const add = (name: string) => post(admin, '/roleNew/roleAddNew', { name, dataScope: 2 })
  expect((await add('值班长')).status).toBe(200)
  // The form says it at the field whose value it is.
  expect(await add('值班长')).toMatchObject({ status: 409, data: { name: '值班长' }, message: '角色名称「值班长」已被使用，请换一个角色名称' })
  expect((await add('值班长二')).status).toBe(200)
})

test('the operator sees two parks and a street, the administrators all', async () => {
  expect((await infoOf(await server.signIn('operator'))).parks).toEqual(['P001', 'P002', 'R001'])
  expect((await infoOf(admin)).parks).toBeNull()
})

test('the auditor may look at everything and change nothing', async () => {
  const auditor = await server.signIn('auditor')
  const { capabilities } = await infoOf(auditor)
  expect(capabilities.every((one: string) => one.endsWith(':view'))).toBe(true)
  expect((await roles(auditor)).length).toBeGreaterThan(0)
  expect((await post(auditor, '/roleNew/roleAddNew', { name: 'x', dataScope: 2 })).status).toBe(403)
})

test('what a role grants is felt on the very next call', async () => {
  const role = await aRole('可变', ['/appManage/permission/roles'])
  const { token } = await aPerson('feels', [role])
  expect((await server.ask(token, 'GET', `${C}/roleNew/roleQueryNewNoPage`)).status).toBe(200)
  await post(admin, '/roleNew/roleUpdateNew', { id: role, version: 1, resourceIds: [] })
  expect((await server.ask(token, 'GET', `${C}/roleNew/roleQueryNewNoPage`)).status).toBe(403)
  await post(admin, '/roleNew/roleUpdateNew', { id: role, version: 2, grants: 3 })
  expect((await server.ask(token, 'GET', `${C}/roleNew/roleQueryNewNoPage`)).status).toBe(200)
  expect((await post(admin, '/roleNew/roleUpdateNew', { id: role, version: 2, name: 'y' })).status).toBe(409)
})

describe('nobody grants what they lack', () => {
  let limited: { id: string; token: string }
  let higher: string
  beforeAll(async () => {
    const button = (await server.ask(admin, 'GET', `${C}/resourceBtn/getAllResourceBtn`)).data as { id: string; capability: string }[]
    const buttonIds = button
      .filter(({ capability }) => ['identity:role:edit', 'identity:person:edit', 'identity:person:reset'].includes(capability))
      .map(({ id }) => id)
    const role = await aRole('部分管理员', ['/appManage/permission/roles', '/appManage/organization/staff'], {
      buttonIds,
      dataScope: 6,
      parks: ['P001'],
    })
    limited = await aPerson('limited', [role])
    higher = (await roles(admin)).find(({ name }) => name === '平台管理员')!.id
  })

  test('by a new role', async () => {
    const log = await entry('/appManage/system/operateLog')
    const scope = { dataScope: 6, parks: ['P001'] }
    expect((await post(limited.token, '/roleNew/roleAddNew', { name: 'all', grants: 2, ...scope })).status).toBe(403)
    expect((await post(limited.token, '/roleNew/roleAddNew', { name: 'log', resourceIds: [log.id], ...scope })).status).toBe(403)
    expect((await post(limited.token, '/roleNew/roleAddNew', { name: 'wide', dataScope: 2 })).status).toBe(403)
    expect((await post(limited.token, '/roleNew/roleAddNew', { name: 'other park', dataScope: 6, parks: ['P002'] })).status).toBe(403)
    expect((await post(limited.token, '/roleNew/roleAddNew', { name: 'own', ...scope })).status).toBe(200)
  })
  test('by a park code that would be read as several parks, or as all', async () => {
    for (const code of ['*', 'P001,P002', 'P001 P002', ' ', '']) {
      const { status, message } = await post(admin, '/roleNew/roleAddNew', { name: `parks ${code}`, dataScope: 6, parks: [code] })
      expect([code, status]).toEqual([code, 400])
      expect(message).toContain('车场编号')
      expect((await post(admin, '/department/add', { name: `parks ${code}`, parks: [code] })).status).toBe(400)
    }
  })
  test('by giving somebody a role, or themselves', async () => {
    const body = { username: 'raised', name: 'raised', roleIds: [higher] }
    expect((await post(limited.token, '/person/add', body)).status).toBe(403)
    expect((await post(limited.token, '/person/update', { id: limited.id, version: 1, roleIds: [higher] })).status).toBe(403)
  })
  test('by a role or a department that shows more parks', async () => {
    const viewer = await entry('/appManage/permission/roles')
    const wide = (await post(admin, '/roleNew/roleAddNew', { name: '全部车场', dataScope: 2, resourceIds: [viewer.id] })).data.id
    const narrow = (await post(admin, '/roleNew/roleAddNew', { name: '一个车场', dataScope: 6, parks: ['P001'], resourceIds: [viewer.id] })).data.id
    const department = (await post(admin, '/department/add', { name: '别的车场', parks: ['P002'] })).data.id
    const add = (username: string, more: object) =>
      post(limited.token, '/person/add', { username, name: username, ...more }).then(({ status }) => status)
    expect(await add('wide', { roleIds: [wide] })).toBe(403)
    expect(await add('narrow', { roleIds: [narrow] })).toBe(200)
    expect(await add('elsewhere', { departmentId: department })).toBe(403)
    expect((await post(limited.token, '/person/update', { id: limited.id, version: 1, departmentId: department })).status).toBe(403)
  })
  test('by taking over the sign-in of somebody who has more', async () => {
    const { custId } = await infoOf(admin)
    expect((await post(limited.token, '/person/resetPassword', { custId })).status).toBe(403)
    // Nor by their mailbox or phone, where codes and warnings go.
    const { version, phone } = (await server.ask(admin, 'GET', `${C}/person/detail`, { id: custId })).data
    for (const changes of [{ email: 'mine@kerbline.example' }, { phone: '13800001234' }, { name: '别人' }])
      expect((await post(limited.token, '/person/update', { id: custId, version, ...changes })).status).toBe(403)
    expect((await server.ask(admin, 'GET', `${C}/person/detail`, { id: custId })).data).toMatchObject({ version, phone })
    expect((await post(limited.token, '/roleNew/roleUpdateNew', { id: higher, version: 1, grants: 1 })).status).toBe(403)
  })
})

test('the last administrator stays one', async () => {
  const other = await server.signIn('otheradmin')
  const [role] = await roles(other)
  expect(await post(other, '/roleNew/roleUpdateNew', { id: role!.id, version: 1, grants: 3 })).toMatchObject({ status: 409, code: 40242 })
})

test('another enterprise sees none of the people and roles, and nothing of the platform', async () => {
  const other = await server.signIn('otheradmin')
  const people = (await post(other, '/person/queryPage', {})).data.records as { username: string }[]
  expect(people.map(({ username }) => username)).toEqual(['otheradmin'])
  expect((await roles(other)).map(({ name }) => name)).toEqual(['企业管理员'])
  expect((await post(other, '/enterprise/queryPage', {})).status).toBe(403)
  const foreign = (await roles(admin))[0]!
  expect((await server.ask(other, 'POST', `${C}/roleNew/roleDelNew?id=${foreign.id}`)).status).toBe(404)
  expect((await post(other, '/person/resetPassword', { custId: (await infoOf(admin)).custId })).status).toBe(404)
})

describe('a person', () => {
  test('must change the first password before anything else', async () => {
    const role = await aRole('新人角色', ['/appManage/permission/roles'])
    const { data } = await post(admin, '/person/add', { username: 'newcomer', name: '新人', roleIds: [role] })
    const token = await server.signIn('newcomer', data.password)
    expect(await infoOf(token)).toMatchObject({ mustChangePassword: true, capabilities: [] })
    expect((await server.ask(token, 'GET', `${C}/roleNew/roleQueryNewNoPage`)).status).toBe(403)
    const digest = digestOf('newcomer', 'Newcomer-123')
    await post(token, '/enterprise/resetEnterprisePassword', { newPassword: digest, confirmPassword: digest, type: '1' })
    expect((await server.ask(token, 'GET', `${C}/roleNew/roleQueryNewNoPage`)).status).toBe(200)
  })
  test('state.user-lock: who is locked is out at once and signs in no more, until unlocked', async () => {
    const { id, token } = await aPerson('lockme')
    const { version } = ((await post(admin, '/person/queryPage', { username: 'lockme' })).data.records as { version: number }[])[0]!
    expect((await post(admin, '/person/updateLock', { id, version, lockState: 2 })).status).toBe(200)
    expect((await server.ask(token, 'GET', `${C}/account/getUserInfo`)).status).toBe(401)
    await expect(server.signIn('lockme')).rejects.toThrow('401')
    expect((await post(admin, '/person/updateLock', { id, version: version + 1, lockState: 1 })).status).toBe(200)
    expect((await infoOf(await server.signIn('lockme'))).custId).toBe(id)
  })
  test('whose password is reset is out at once and gets one made by the server', async () => {
    const { id, token } = await aPerson('resetme')
    const { data } = await post(admin, '/person/resetPassword', { custId: id })
    expect((await server.ask(token, 'GET', `${C}/account/getUserInfo`)).status).toBe(401)
    expect((await infoOf(await server.signIn('resetme', data.password))).mustChangePassword).toBe(true)
  })
  test('calls.password-type: whose password is reset to a chosen one signs in with it, and changes it at once', async () => {
    const { id, token } = await aPerson('choose')
    const reset = (newPassword: string, confirmPassword?: string) =>
      post(admin, '/person/resetPassword', { custId: id, newPassword, type: '1', ...(confirmPassword && { confirmPassword }) })
    const chosen = digestOf('choose', 'Chosen-1234')
    expect(await reset(chosen, digestOf('choose', 'Another-1234'))).toMatchObject({ status: 422, code: 40214 })
    expect(await reset(chosen)).toMatchObject({ status: 422, code: 40214 })
    expect(await reset('Chosen-1234', 'Chosen-1234')).toMatchObject({ status: 400 })
    expect(await reset(chosen, chosen)).toMatchObject({ status: 200, data: { password: null } })
    expect((await server.ask(token, 'GET', `${C}/account/getUserInfo`)).status).toBe(401)
    expect((await infoOf(await server.signIn('choose', 'Chosen-1234'))).mustChangePassword).toBe(true)
    expect(await reset(chosen, chosen)).toMatchObject({ status: 422, code: 40215 })
  })
  test('has a name of their own in any case of letters', async () => {
    expect(await post(admin, '/person/add', { username: 'OPERATOR', name: 'x' })).toMatchObject({ status: 409, code: 40224 })
  })
})

test('a renamed menu and a renamed button stay so when the product starts again', async () => {
  const { syncCatalogue } = await import('../api.ts')
  const { domains } = await import('../../../../apps/server/domains.ts')
  const { id, version } = await entry('/appManage/permission/roles')
  expect((await post(admin, '/resource/update', { id, version, name: '我的角色' })).status).toBe(200)
  const button = async (screen: string) =>
    ((await server.ask(admin, 'GET', `${C}/resourceBtn/getAllResourceBtn`)).data as Of<typeof Button>[]).find(
      ({ resourceUrl, code }) => resourceUrl === screen && code === 'edit',
    )!
  const calls = '/assetManage/parkingAndFacility/callout'
  const own = await button('/appManage/permission/roles')
  expect((await post(admin, '/resourceBtn/update', { id: own.id, version: own.version, name: '改角色', type: ButtonType.danger })).status).toBe(200)
  // Another release, in which every button has another type: those that nobody has edited follow it.
  const menuOfNext = (menu: NonNullable<(typeof domains)[number]['menu']>) =>
    menu.map((one) => ({ ...one, buttons: one.buttons?.map((each) => ({ ...each, type: ButtonType.primary })) ?? [] }))
  await syncCatalogue(
    server.house,
    domains.map((one) => ({ ...one, ...(one.menu && { menu: menuOfNext(one.menu) }) })),
  )
  expect(await button('/appManage/permission/buttons')).toMatchObject({ type: ButtonType.primary })
  expect(await button('/appManage/permission/roles')).toMatchObject({ type: ButtonType.danger })
  await syncCatalogue(server.house, domains)
  expect(await button('/appManage/permission/buttons')).toMatchObject({ type: ButtonType.asBuilt })
  expect(await button('/appManage/permission/roles')).toMatchObject({ name: '改角色', type: ButtonType.danger, shippedName: '新增、编辑、删除' })
  expect(await button(calls)).toMatchObject({ name: '登记呼叫', type: ButtonType.primary })
  expect((await entry('/appManage/permission/roles')).name).toBe('我的角色')
  expect((await entry('/appManage/permission/rescource')).name).toBe('资源管理')
})

test('the level of an entry follows what it hangs below, of all below it too: moved, released anew, and never too deep', async () => {
  const add = async (url: string, parentId: string | null = null) =>
    (await post(admin, '/resource/add', { url, name: url, nameEn: url, ...(parentId && { parentId }) })).data.id as string
  const [upper, folder] = [await add('/deep'), await add('/folder')]
  const inner = await add('/folder/inner', folder)
  await add('/folder/inner/leaf', inner)
  const move = async (url: string, parentId: string | null) => {
    const { id, version } = await entry(url)
    return post(admin, '/resource/update', { id, version, parentId })
  }
  const levels = async () => Promise.all(['/folder', '/folder/inner', '/folder/inner/leaf'].map(async (url) => (await entry(url)).level))
  expect(await levels()).toEqual([1, 2, 3])
  expect((await move('/folder', upper)).status).toBe(200)
  expect(await levels()).toEqual([2, 3, 4])
  const { syncCatalogue } = await import('../api.ts')
  const { domains } = await import('../../../../apps/server/domains.ts')
  expect((await move('/appManage/permission', folder)).status).toBe(200)
  await syncCatalogue(server.house, domains)
  expect((await entry('/appManage/permission/roles')).level).toBe(4)
  expect((await move('/appManage/permission', (await entry('/appManage')).id)).status).toBe(200)
  expect((await entry('/appManage/permission/roles')).level).toBe(3)

  const chain = [upper]
  for (const name of ['/d2', '/d3', '/d4']) chain.push(await add(name, chain.at(-1)!))
  expect(await move('/folder', chain.at(-1)!)).toMatchObject({ status: 409, code: 40265 })
  expect(await levels()).toEqual([2, 3, 4])
  expect(await move('/folder', inner)).toMatchObject({ status: 409, code: 40236 })
  expect((await move('/folder', null)).status).toBe(200)
  expect(await levels()).toEqual([1, 2, 3])
})

test('a menu holds no script: only paths and web links', async () => {
  for (const url of ['javascript:alert(1)', 'data:text/html,x', '//elsewhere.example', '//elsewhere', 'http://x"onclick=']) {
    expect((await post(admin, '/resource/add', { url, name: 'x', nameEn: 'x' })).status).toBe(400)
  }
  expect((await post(admin, '/resource/add', { url: 'https://example.org/help', name: '帮助', nameEn: 'Help' })).status).toBe(200)
})

test('a screen needs the same wherever an entry opens it: whoever lacks it is not offered the page', async () => {
  const added = await post(admin, '/resource/add', { url: '/mine/roles', name: '我的角色页', nameEn: 'My roles', component: 'RoleScreen', needs: [] })
  const made = await entry('/mine/roles')
  expect(made).toMatchObject({ id: added.data.id, needs: (await entry('/appManage/permission/roles')).needs })
  const { token } = await aPerson('mine', [await aRole('只有自己的菜单', ['/mine/roles'])])
  expect(urlsIn(await menuOf(token))).toEqual(['/mine/roles'])
  expect((await infoOf(token)).capabilities).toContain('identity:role:view')
})

test('the rights to see telephones and plates whole are offered side by side', async () => {
  const all = (await server.ask(admin, 'GET', `${C}/resourceBtn/getAllResourceBtn`)).data as Of<typeof Button>[]
  const staff = all.filter(({ resourceUrl }) => resourceUrl === '/appManage/organization/staff').map(({ capability }) => capability)
  expect(staff).toEqual(expect.arrayContaining([SEES_WHOLE, SEES_PLATES]))
})

test('buttons are those that one holds', async () => {
  const mine = (await server.ask(await server.signIn('operator'), 'GET', `${C}/resourceBtn/getCurrResourceBtnNoPage`)).data as {
    capability: string
  }[]
  expect(mine.some(({ capability }) => capability.startsWith('identity:'))).toBe(false)
  const all = (await server.ask(admin, 'GET', `${C}/resourceBtn/getCurrResourceBtn`, { limit: 2 })).data
  expect(all.records).toHaveLength(2)
})

test('calls.click-record-query: opening a menu is recorded for whoever is signed in, whatever custId says', async () => {
  const { id } = await entry('/appManage/permission/roles')
  expect((await server.ask(admin, 'POST', `${C}/system/clickMenuRecord?menuId=${id}&custId=somebody`)).status).toBe(200)
  const { custId } = await infoOf(admin)
  const rows = await server.house.reading(1, (tx) => tx.selectFrom('identity.clickRecord').select('personId').execute())
  expect(rows).toEqual([{ personId: custId }])
})

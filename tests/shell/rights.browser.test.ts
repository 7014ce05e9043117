import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ButtonType } from '../../platform/contract/menu.ts'
import { run } from '../../platform/server/database.ts'
import { DEMO_ENTERPRISE } from '../../domains/identity/server/api.ts'
import { sendInner } from '../../domains/message/server/api.ts'
import { type Console, openConsole, PARKS, pathOf, poll, ROLES, STAYS } from './console.ts'

let console_: Console
let page: Page
let admin: string
let operator: { id: string; version: number; roles: { id: string }[] }
const ask = (method: string, address: string, body: object = {}) => console_.server.ask(admin, method, `/lbs/custom${address}`, body)
const read = async () => (operator = (await ask('POST', '/person/queryPage', { username: 'operator' })).data.records[0])
const give = async (roleIds: string[]) => {
  await read()
  expect((await ask('POST', '/person/update', { id: operator.id, version: operator.version, roleIds })).message).toBe('ok')
}
interface Node {
  id: string
  url: string
  children: Node[]
}
const every = (nodes: Node[]): Node[] => nodes.flatMap((node) => [node, ...every(node.children)])

let own: string[]
let roleId: string
beforeAll(async () => {
  console_ = await openConsole()
  admin = await console_.server.signIn('admin')
  await read()
  own = operator.roles.map(({ id }) => id)
  const menus = every((await ask('GET', '/resource/queryTree')).data)
  const wanted = menus.find(({ url }) => url === ROLES)!
  roleId = (await ask('POST', '/roleNew/roleAddNew', { name: '看角色', dataScope: 2, resourceIds: [wanted.id] })).data.id
  page = await console_.as('operator')
  await page.goto(`${console_.server.url}/dist${STAYS}`)
  await page.locator('.ant-table').first().waitFor()
})
afterAll(() => console_.close())

describe('rights that change while the console is open', () => {
  test('a role that is given brings its page into the menu of the open console, and what was being done stays', async () => {
    await page.evaluate(() => ((globalThis as { mark?: number }).mark = 1))
    expect(await page.locator('.side').innerText()).not.toContain('角色管理')
    await give([...own, roleId])
    await page.locator('.side', { hasText: '系统管理' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.locator('.search-panel input').fill('角色管理')
    await page.locator('.search-panel [aria-selected=true]', { hasText: '角色管理' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.ant-table-row').first().waitFor()
    expect(await page.evaluate(() => (globalThis as { mark?: number }).mark)).toBe(1)
  })

  test('one that is taken away takes its page and its tab with it, also while the tab is hidden', async () => {
    await page.locator('.brand').click()
    await give(own)
    await page.locator('[role=tab]', { hasText: '角色管理' }).waitFor({ state: 'detached' })
    expect(await page.locator('.side').innerText()).not.toContain('角色管理')
    expect(await page.locator('[role=tab]', { hasText: '进出场记录' }).count()).toBe(1)
  })
})

test('home shows nobody a panel that they may not open: whoever holds no abnormal stays does not see that they are there', async () => {
  const panel = (at: Page, title: string) => at.locator('.today-parts h2, .today-parts h3').filter({ hasText: title })
  const home = every((await ask('GET', '/resource/queryTree')).data).find(({ url }) => url === '/index')!
  const { id } = (await ask('POST', '/roleNew/roleAddNew', { name: '看首页', dataScope: 2, resourceIds: [home.id] })).data
  await panel(await console_.as('admin'), '最近的异常').waitFor()
  onTestFinished(() => give(own))
  await give([id])
  const at = await console_.as('operator')
  await panel(at, '平台公告').waitFor()
  expect(await panel(at, '最近的异常').count()).toBe(0)
  expect(await at.locator('.today').innerText()).not.toContain('没有查看这里的权限')
})

test('whoever has no page of messages is led to none: home says how many there are, and the bell opens its own list', async () => {
  onTestFinished(() => give(own))
  await give([roleId])
  const message = { to: { custId: operator.id }, title: ['停电通知', 'Power cut'] as const }
  await console_.server.house.writing(DEMO_ENTERPRISE, 'test', (tx) => sendInner(tx, message))
  const at = await console_.as('operator')
  await at
    .locator('.home')
    .getByText(/^\d+ 条未读消息$/)
    .waitFor()
  expect(
    await at
      .locator('.home')
      .getByRole('link', { name: /未读消息/ })
      .count(),
  ).toBe(0)
  await at.locator('.bell').click()
  await at.locator('.notices').getByText('停电通知').waitFor()
  expect(await at.getByRole('link', { name: '全部消息' }).count()).toBe(0)
  expect(pathOf(at)).toBe('/index')
})

async function rename(screen: string, code: string, said: object) {
  const all: { id: string; version: number; resourceUrl: string; code: string }[] = (await ask('GET', '/resourceBtn/getAllResourceBtn')).data
  const { id, version } = all.find((one) => one.resourceUrl === screen && one.code === code)!
  expect((await ask('POST', '/resourceBtn/update', { id, version, ...said })).message).toBe('ok')
}
test('access.button-driven: a button shows the label and the type of its row in the permission catalogue, also when they change', async () => {
  const at = await console_.as('admin')
  await at.goto(`${console_.server.url}/dist/appManage/organization/staff?username=operator`)
  const button = (name: string) => at.locator('.ant-table-row').first().getByRole('button', { name, exact: true })
  await button('重置密码').waitFor()
  expect(await button('重置密码').getAttribute('class')).toBeNull()
  await rename('/appManage/organization/staff', 'reset', { name: '重设登录密码', nameEn: 'Set sign-in anew', type: ButtonType.danger })
  await button('重设登录密码').waitFor()
  expect(await button('重设登录密码').getAttribute('class')).toBe('danger')
  await rename('/operation/record/parking/present', 'clear', { name: '整场清空', nameEn: 'Empty the park', type: ButtonType.primary })
  await at.goto(`${console_.server.url}/dist/operation/record/parking/present`)
  const over = at.getByRole('button', { name: '整场清空', exact: true })
  await over.waitFor()
  expect(await over.getAttribute('class')).toContain('ant-btn-primary')
  // A button that the row does not rename has the product's name.
  await at.getByRole('button', { name: '按条件清场' }).waitFor()
})
test('what is dangerous on its screen stays so while its row has no type of its own, and is as the row says when it has one', async () => {
  const park = `insert into parking.park (park_code, name, p_type, region_code, total_bays) values ('P001', '试', 1, '420607', 10)`
  await console_.server.house.writing(1, 'test', (tx) => run(tx, { sql: park }, []))
  const at = await console_.as('admin')
  await at.goto(`${console_.server.url}/dist${PARKS}`)
  await at.locator('.ant-table-row').first().getByRole('button', { name: '更多' }).click()
  const item = (name: string) => at.getByRole('menuitem', { name, exact: true })
  const isRed = async (name: string) => (await item(name).getAttribute('class'))!.includes('danger')
  await item('应急常开').waitFor()
  expect([await isRed('应急常开'), await isRed('删除'), await isRed('修正余位')]).toEqual([true, true, false])
  await rename(PARKS, 'delete', { name: '删除车场', type: ButtonType.asBuilt })
  await item('删除车场').waitFor()
  expect(await isRed('删除车场')).toBe(true)
  await rename(PARKS, 'delete', { type: ButtonType.plain })
  await poll(() => isRed('删除车场')).toBe(false)
})

describe('why somebody cannot see a page', () => {
  test('an administrator reads which permission is missing, and which roles would give it', async () => {
    const at = await console_.as('admin')
    await at.goto(`${console_.server.url}/dist/appManage/organization/staff?username=operator`)
    const row = at.locator('.ant-table-row').first()
    await row.getByRole('button', { name: '更多' }).click()
    await at.getByRole('menuitem', { name: '权限诊断' }).click()
    const dialog = at.getByRole('dialog', { name: /权限诊断/ })
    await dialog.getByLabel('菜单').fill('角色管理')
    await at.locator('.ant-select-tree-title', { hasText: '角色管理' }).click()
    await dialog.getByText('看不到该页面').waitFor()
    const text = await dialog.innerText()
    expect(text).toContain('缺少页面所需权限：identity:role:view')
    expect(text).toContain('其角色没有勾选该菜单')
    expect(await dialog.locator('tr', { hasText: 'identity:role:view' }).innerText()).toContain('看角色')
    expect(await dialog.locator('tr', { hasText: 'identity:role:edit' }).innerText()).toMatch(/缺少/)
  })

  test('nobody else may ask, and about nobody of another company', async () => {
    const resourceId = every((await ask('GET', '/resource/queryTree')).data).find(({ url }) => url === ROLES)!.id
    const why = async (token: string) =>
      (await console_.server.ask(token, 'POST', '/lbs/custom/access/explain', { personId: operator.id, resourceId })).status
    expect(await why(await console_.server.signIn('operator'))).toBe(403)
    expect(await why(await console_.server.signIn('otheradmin'))).toBe(404)
    expect(await why(admin)).toBe(200)
  })
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Console, heading, openConsole, ROLES, tab } from './console.ts'

const LOCATIONS = '/assetManage/parkingAndFacility/location'
let shown: Console
let page: Page
beforeAll(async () => {
  shown = await openConsole()
  const park = { parkCode: 'P001', name: '车场1', pType: 1, regionCode: '420606', totalBays: 100 }
  expect((await shown.server.ask(await shown.server.signIn('admin'), 'POST', '/lbs/basic/parkInfo/add', park)).message).toBe('ok')
  page = await shown.as('admin')
})
afterAll(() => shown?.close())

const question = () => page.getByRole('dialog').filter({ hasText: '放弃未保存的修改？' })
const stay = async () => {
  await question().getByRole('button', { name: '继续编辑' }).click()
  await question().waitFor({ state: 'detached' })
}
/** Through the menu of names, as a hand goes: a page that was open stays as it was. */
async function turnTo(word: string) {
  await page.keyboard.press('Control+k')
  await page.locator('.search-panel input').fill(word)
  await page.locator('.search-panel [aria-selected=true]', { hasText: word }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('h1:visible', { hasText: word }).waitFor()
}

describe('a dialog with choices of its own', () => {
  const rights = () => page.getByRole('dialog').filter({ hasText: '的权限' })
  test('Esc, × and 取消 ask once something is ticked, and not before; a tick of a folder is a tick of all below it', async () => {
    await page.goto(`/dist${ROLES}`)
    await heading(page).waitFor()
    await page.getByRole('button', { name: '新增' }).click()
    await page.getByRole('dialog').getByLabel('角色名称').fill('客服班')
    await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
    const row = page.locator('.ant-table-row', { hasText: '客服班' })
    await row.getByRole('button', { name: '权限' }).click()
    await rights().locator('.ant-tree-treenode:visible').first().waitFor()
    await page.keyboard.press('Escape')
    await rights().waitFor({ state: 'detached' })

    await row.getByRole('button', { name: '权限' }).click()
    await rights().getByLabel('查找').fill('售后服务')
    const folder = rights().locator('.ant-tree-treenode:visible', { hasText: '售后服务' }).first()
    await folder.locator('.ant-tree-checkbox').click()
    expect(await rights().locator('.ant-tree-checkbox-checked').count()).toBeGreaterThan(5)
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => rights().getByRole('button', { name: 'Close' }).or(rights().locator('.ant-modal-close')).first().click(),
      () => rights().getByRole('button', { name: '取消' }).click(),
    ]) {
      await leave()
      await question().waitFor()
      await stay()
    }
    expect(await rights().locator('.ant-tree-checkbox-checked').count()).toBeGreaterThan(5)
    await rights().getByRole('button', { name: '保存权限' }).click()
    await rights().waitFor({ state: 'detached' })
    await row.click()
    await page.locator('.ant-drawer').getByText('全部工单').first().waitFor()
    // Saved, nothing is asked any more.
    await tab(page, '角色管理').press('Delete')
    await tab(page, '角色管理').waitFor({ state: 'detached' })
  })
})

test('a page that holds something typed asks before its tab goes, also when another page is in front; the browser asks too', async () => {
  await page.goto(`/dist${LOCATIONS}?park=P001`)
  await page.locator('.park-address input').fill('没有保存的地址')
  await turnTo('角色管理')
  const location = tab(page, '车场位置')
  await location.press('Delete')
  await question().waitFor()
  await stay()
  expect(await page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(false)
  await location.click()
  expect(await page.locator('.park-address input:visible').inputValue()).toBe('没有保存的地址')
  await page.getByRole('button', { name: '还原' }).click()
  expect(await page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(true)
  await location.press('Delete')
  await location.waitFor({ state: 'detached' })
})

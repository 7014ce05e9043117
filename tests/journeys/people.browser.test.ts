import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { atConsole, type District, openDistrict } from './district.ts'

let district: District
let browser: Browser
let page: Page
const goTo = (of: Page, path: string) => of.goto(`${district.server.url}/dist${path}`)

beforeAll(async () => {
  ;[district, browser] = await Promise.all([openDistrict(), openBrowser()])
  page = await atConsole(browser, district.server, 'admin')
})
afterAll(async () => {
  await browser?.close()
  await district?.close()
})

describe('home', () => {
  it('counts a car that came in, and its figure opens the list of exactly those cars', async () => {
    const { entrance } = district
    await entrance.plate({ plate: '鄂F8K216' })
    await entrance.next('gate.open')
    await goTo(page, '/index')
    const came = page.locator('.tile', { hasText: '进场' })
    await came.getByText('1', { exact: true }).waitFor()
    await page.locator('.chart canvas').waitFor()
    // Nobody left unpaid: nothing of it is red.
    const unpaid = page.getByRole('link', { name: '欠费离场 0 笔' })
    await unpaid.waitFor()
    expect(await unpaid.getAttribute('class')).toBe('today-aside')
    await came.getByRole('link').click()
    await page.waitForURL(/parkingRecord\?/)
    await page.locator('.ant-table-row').first().waitFor()
    expect(await page.locator('.ant-table-row').count()).toBe(1)
  })

  it('shows its hours as a table to whoever reads rather than looks', async () => {
    await goTo(page, '/index')
    await page.getByRole('button', { name: '表格' }).click()
    expect(await page.locator('.chart-table tbody tr').count()).toBe(24)
  })

  it('fits a small screen in English without anything cut off', async () => {
    await page.setViewportSize({ width: 1024, height: 768 })
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByText('Entries', { exact: true }).first().waitFor()
    expect(await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBeLessThanOrEqual(0)
    await page.getByRole('button', { name: '中文' }).click()
    await page.setViewportSize({ width: 1440, height: 900 })
  })
})

describe('a new colleague', () => {
  let password = ''
  it('gets a role of chosen screens', async () => {
    await goTo(page, '/appManage/permission/roles')
    await page.getByRole('button', { name: '新增' }).click()
    await page.getByRole('dialog').getByLabel('角色名称').fill('班长')
    await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
    const row = page.locator('.ant-table-row', { hasText: '班长' })
    await row.waitFor()
    await row.getByRole('button', { name: '权限' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('查找').fill('在场车辆')
    await dialog.locator('.ant-tree-treenode', { hasText: '在场车辆' }).locator('.ant-tree-checkbox').first().click()
    await dialog.getByRole('button', { name: '保存权限' }).click()
    await dialog.waitFor({ state: 'hidden' })
  })

  it('gets a password made by the server, shown once with the name it belongs to', async () => {
    await goTo(page, '/appManage/organization/staff')
    await page.getByRole('button', { name: '新增' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('用户名').fill('banzhang')
    await dialog.getByLabel('姓名').fill('王班长')
    await dialog.getByLabel('角色').click()
    await page.locator('.ant-select-item', { hasText: '班长' }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: '保存' }).click()
    const shown = page.getByRole('dialog', { name: '一次性密码' })
    await shown.getByText('banzhang').waitFor()
    password = (await shown.locator('code').innerText()).trim()
    await shown.getByRole('button', { name: '我已记下' }).click()
    await page.locator('.ant-table-row', { hasText: '王班长' }).getByText('班长', { exact: true }).waitFor()
  })

  it('changes it at the first sign-in, and then sees these screens and nothing else', async () => {
    const own = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    const refused: string[] = []
    own.on('response', (response) => void (response.status() === 403 && refused.push(response.url())))
    const signIn = async (with_: string) => {
      await own.goto(`${district.server.url}/dist/login?redirect=/operation/record/parking/present`)
      await own.fill('[name=username]', 'banzhang')
      await own.fill('[name=password]', with_)
      await own.keyboard.press('Enter')
    }
    await signIn(password)
    const dialog = own.getByRole('dialog')
    await dialog.waitFor()
    const [next, again] = [dialog.locator('input[type=password]').nth(-2), dialog.locator('input[type=password]').nth(-1)]
    await next.fill('Banzhang#2026')
    await again.fill('Banzhang#2026')
    // Behind the dialog no page asks for what is not theirs yet.
    await own.waitForLoadState('networkidle')
    expect(refused).toEqual([])
    // By the keyboard, as passwords are typed.
    await own.keyboard.press('Enter')
    await own.waitForURL(/login/)
    await own.getByText('密码已修改，请用新密码登录').waitFor()
    await signIn('Banzhang#2026')
    await own.locator('.side').getByText('运营管理').waitFor()
    expect(await own.locator('.side').innerText()).not.toContain('系统管理')
    await goTo(own, '/operation/record/parking/present')
    await own.locator('.ant-table-row').first().waitFor()
    await goTo(own, '/appManage/permission/roles')
    await own.locator('[data-page="not-found"]').waitFor()
    await own.close()
  })
})

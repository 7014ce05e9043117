import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Console, GATES, heading, openConsole, PARKS, pathOf, poll, signIn, STAYS, tab } from './console.ts'

let shown: Console
beforeAll(async () => void (shown = await openConsole()))
afterAll(() => shown?.close())

const names = (page: Page) => page.getByRole('tab').allTextContents()
/** Opened one after the other, as a person does: by the search panel, without a reload. */
async function open(page: Page, ...words: string[]) {
  for (const word of words) {
    await page.keyboard.press('Control+k')
    await page.locator('.search-panel input').fill(word)
    await page.locator('.search-panel [aria-selected=true]', { hasText: word }).waitFor()
    await page.keyboard.press('Enter')
    await tab(page, word).waitFor()
  }
}
async function close(page: Page, name: string, how: string) {
  await tab(page, name).click({ button: 'right' })
  await page.locator('.ant-dropdown:visible').getByText(how, { exact: true }).click()
}
const FOUR = ['进出场记录', '异常停车', '在场车辆', '角色管理'] as const

describe('opened pages', () => {
  test('tabs.close-left tabs.close-right tabs.close-others tabs.close-all tabs.home-never-closed: each way from a tab', async () => {
    const page = await shown.as('admin')
    await open(page, ...FOUR)
    await close(page, '异常停车', '关闭左侧')
    expect(await names(page)).toEqual(['异常停车', '在场车辆', '角色管理'])
    await close(page, '在场车辆', '关闭右侧')
    expect(await names(page)).toEqual(['异常停车', '在场车辆'])
    await page.waitForURL('**/parking/present')
    await close(page, '异常停车', '关闭其他')
    expect(await names(page)).toEqual(['异常停车'])
    await page.waitForURL('**/parking/abnormal')
    await close(page, '异常停车', '全部关闭')
    await page.waitForURL('**/dist/index')
    expect(await names(page)).toEqual([])
    await heading(page).filter({ hasText: '首页' }).waitFor()
  })
  test('shell.tabs-close tabs.close-current-next tabs.close-current-last: its mark closes a tab; the next comes, or the one before', async () => {
    const page = await shown.as('admin')
    await open(page, '进出场记录', '异常停车', '在场车辆')
    // Turned to and closed before the page could be drawn.
    await tab(page, '异常停车').evaluate((one: HTMLElement) => (one.click(), one.querySelector<HTMLElement>('[title=关闭]')!.click()))
    await page.waitForURL('**/parking/present')
    await expect.poll(() => names(page)).toEqual(['进出场记录', '在场车辆'])
    await tab(page, '在场车辆').getByTitle('关闭').click()
    await page.waitForURL('**/parking/parkingRecord')
    expect(await names(page)).toEqual(['进出场记录'])
  })
  test('shell.tabs-reorder: dragging changes the order, and the order is kept', async () => {
    const page = await shown.as('admin')
    await page.waitForTimeout(700)
    await open(page, '进出场记录', '异常停车', '在场车辆')
    const [from, to] = await Promise.all([tab(page, '进出场记录').boundingBox(), tab(page, '在场车辆').boundingBox()])
    await page.mouse.move(from!.x + 20, from!.y + 18)
    await page.mouse.down()
    await page.mouse.move(from!.x + 60, from!.y + 18, { steps: 4 })
    await page.mouse.move(to!.x + to!.width - 10, to!.y + 18, { steps: 8 })
    await page.mouse.up()
    await poll(() => names(page)).toEqual(['异常停车', '在场车辆', '进出场记录'])
    await page.reload()
    await poll(() => names(page)).toEqual(['异常停车', '在场车辆', '进出场记录'])
  })
  test('the tab that has the focus keeps it when dragging becomes ready', async () => {
    const page = await shown.as('admin')
    await open(page, '进出场记录', '异常停车')
    const ready = Promise.withResolvers<void>()
    await page.route('**/sorting-*.js', async (route) => {
      await ready.promise
      await route.continue()
    })
    await page.reload()
    await tab(page, '进出场记录').evaluate((one: HTMLElement) => {
      one.setAttribute('data-before', '')
      one.focus()
    })
    ready.resolve()
    // Its box is another one now.
    await page.locator('.tabs [data-before]').waitFor({ state: 'detached' })
    expect(await tab(page, '进出场记录').evaluate((one) => one === document.activeElement)).toBe(true)
  })
  test('tabs.limit-five: with the limit of five a sixth page drops the oldest', async () => {
    const page = await shown.as('admin')
    await page.locator('.who').click()
    await page.getByText('我的设置').click()
    await page.getByText('5 个').click()
    await page.keyboard.press('Escape')
    await page.locator('.ant-modal').waitFor({ state: 'hidden' })
    await open(page, '进出场记录', '异常停车', '在场车辆', '角色管理', '自营停车场', '通道管理')
    expect(await names(page)).toEqual(['异常停车', '在场车辆', '角色管理', '自营停车场', '通道管理'])
  })
  test('tabs.remembered tabs.per-user theme.saved-per-user: pages and theme are kept for each person of one browser', async () => {
    const page = await shown.anew('admin')
    await open(page, '进出场记录', '角色管理')
    await page.locator('.who').click()
    await page.getByText('我的设置').click()
    await page.getByText('深色', { exact: true }).click()
    await page.getByRole('dialog').locator('.ant-select').click()
    await page.locator('.ant-select-dropdown').getByText('高对比').click()
    await page.locator('.ant-modal-close').click()
    await poll(() => page.locator('body').getAttribute('class')).toContain('theme-contrast dark')
    const leave = async () => {
      await page.locator('.ant-modal').waitFor({ state: 'hidden' })
      await page.locator('.who').click()
      await page.getByText('退出登录').click()
      await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
      await page.waitForURL('**/dist/login')
    }
    await leave()
    await signIn(page, 'auditor')
    await page.waitForURL('**/dist/index')
    await page.locator('.shell').waitFor()
    expect(await names(page)).toEqual([])
    expect(await page.locator('body').getAttribute('class')).toContain('theme-xiangzhou light')
    await open(page, '异常停车')
    await leave()
    await signIn(page, 'admin')
    await poll(() => names(page)).toEqual(['进出场记录', '角色管理'])
    expect(await page.locator('body').getAttribute('class')).toContain('theme-contrast dark')
  })
})

describe('a page that stays alive', () => {
  test('a hidden list keeps what is half typed and its own address; a new language reaches it without a reload', async () => {
    const page = await shown.as('admin')
    await page.goto(`/dist${PARKS}`)
    const field = page.locator('.search input:visible').first()
    await field.fill('东')
    await field.press('Enter')
    await page.waitForURL(/\?/)
    const address = pathOf(page)
    await field.fill('half typed')
    await open(page, '通道管理')
    await page.waitForURL(`**/dist${GATES}`)
    await page.getByRole('button', { name: 'English' }).click()
    await tab(page, 'Self-operated car parks').click()
    await heading(page).filter({ hasText: 'Self-operated car parks' }).waitFor()
    expect(pathOf(page)).toBe(address)
    expect(await page.locator('.search input:visible').first().inputValue()).toBe('half typed')
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.waitForURL(`**/dist${PARKS}`)
  })
  test('search, order, page and the ticked column stand in the address and in the browser: a reload shows the same', async () => {
    const page = await shown.as('admin')
    await page.goto(`/dist${STAYS}?status=1,2&page=2&rows=50`)
    const asked = page.waitForRequest(/parkRecord\/queryPage\?.*current=2/)
    await page.reload()
    const query = new URL((await asked).url()).searchParams
    expect([query.get('current'), query.get('limit'), query.get('status')]).toEqual(['2', '50', '1,2'])
    await page.getByRole('button', { name: '列设置' }).click()
    await page.locator('.column-list').getByText('缴费状态').click()
    await page.reload()
    await page.locator('.ant-table-thead').getByText('状态', { exact: true }).first().waitFor()
    expect(await page.locator('.ant-table-thead').getByText('缴费状态').count()).toBe(0)
  })
})

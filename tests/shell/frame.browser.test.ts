import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Console, envelope, heading, openConsole, PARKS, pathOf, poll, ROLES, STAYS, tab, toast } from './console.ts'

let shown: Console
let page: Page
beforeAll(async () => {
  shown = await openConsole()
  page = await shown.as('admin')
})
afterAll(() => shown?.close())
const TREE = '**/lbs/custom/menu/getCurrTreeMenu'
const go = (path: string) => page.goto(`/dist${path}`)
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const aNode = (id: string, url: string, component: string, children: object[] = []) => ({
  id,
  name: `菜单${id}`,
  nameEn: `Menu ${id}`,
  url,
  funcCode: '',
  component,
  icon: null,
  level: 1,
  children,
})

describe('the menu in English', () => {
  test('a long name takes a second line and is read whole', async () => {
    const english = await shown.as('admin')
    await english.context().addCookies([{ name: 'lang', value: 'en', url: shown.server.url }])
    await english.goto('/dist/operation/temporaryIncome')
    const names = english.locator('.side .ant-menu-item .ant-menu-title-content')
    await names.filter({ hasText: 'Temporary parking income' }).waitFor()
    const cut = await names.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent))
    expect(cut).toEqual([])
    await english.context().close()
  })
})

describe('addresses', () => {
  test('routes.root-redirect routes.login-when-signed-in: the root and the sign-in page lead home', async () => {
    await go('/')
    await page.waitForURL('**/dist/index')
    await go('/login')
    await page.waitForURL('**/dist/index')
  })
  test('routes.index-tab shell.home-tab-hidden: home is open and called 首页, its tab is not drawn', async () => {
    await heading(page).filter({ hasText: '首页' }).waitFor()
    expect(await tab(page, '首页').count()).toBe(0)
    await go(STAYS)
    await tab(page, '进出场记录').waitFor()
    const kept = await page.evaluate(() => Object.entries(localStorage).find(([key]) => key.endsWith('/tabs'))?.[1] ?? '')
    expect(JSON.parse(kept).map((one: { path: string }) => one.path)).toEqual(['/index', STAYS])
    expect(await page.getByRole('tab').count()).toBe(1)
  })
  test('routes.unmatched-404: a path that leads nowhere', async () => {
    await go('/no/such/page')
    await page.locator('[data-page=not-found]').waitFor()
    expect(await page.title()).toBe('泊城 | 页面不存在')
  })
  test('access.only-assigned-routes app.menus-only-assigned: what is not assigned is no route and not in the menu', async () => {
    const operator = await shown.as('operator')
    await operator.goto(`/dist${ROLES}`)
    await operator.locator('[data-page=not-found]').waitFor()
    expect(await operator.locator('.side').getByText('系统管理').count()).toBe(0)
  })
  test('routes.redirect: /redirect/<path> ends on the path, with its query', async () => {
    await go(`/redirect${STAYS}?plateNo=1`)
    await page.waitForURL(`**/dist${STAYS}?plateNo=1`)
    await heading(page).filter({ hasText: '进出场记录' }).waitFor()
  })
  test('routes.refresh: the page is loaded afresh and shown again', async () => {
    await go(ROLES)
    await heading(page).filter({ hasText: '角色管理' }).waitFor()
    const filled = page.locator('.search input:visible').first()
    await filled.fill('half typed')
    await page.waitForTimeout(800) // tabs become draggable
    const asked = page.waitForRequest('**/lbs/custom/roleNew/**')
    await tab(page, '角色管理').click({ button: 'right' })
    await page.getByText('刷新页面').click()
    await asked
    await page.waitForURL(`**/dist${ROLES}`)
    expect(await filled.inputValue()).toBe('')
  })
  test('app.title: the title is the product, a bar and the page, in the language chosen', async () => {
    await go(STAYS)
    await poll(() => page.title()).toBe('泊城 | 进出场记录')
    await button('English').click()
    await poll(() => page.title()).toBe('Kerbline | Stays')
    expect(await heading(page).textContent()).toBe('Stays')
    await button('中文').click()
  })
  test('what the platform wrote into rows is read in the language chosen, without another look', async () => {
    await go('/appManage/system/changeLog?authorName=系统')
    const author = (name: string) => page.getByRole('cell', { name, exact: true }).first()
    await author('系统').waitFor()
    await button('English').click()
    await author('System').waitFor()
    await button('中文').click()
    await author('系统').waitFor()
  })
})

describe('the session', () => {
  test('session.load-once session.not-loaded-twice login.load-settings: person and menus are asked for once, the wanted page is shown', async () => {
    const calls: string[] = []
    page.on('request', (request) => /getUserInfo|getCurrTreeMenu/.test(request.url()) && calls.push(request.url()))
    await go(STAYS)
    await heading(page).filter({ hasText: '进出场记录' }).waitFor()
    await button('首页').click()
    await page.waitForURL('**/dist/index')
    await page.goBack()
    await page.waitForURL(`**/dist${STAYS}`)
    expect(calls).toHaveLength(2)
    page.removeAllListeners('request')
  })
  test('theme.default theme.body-class login.load-settings: xiangzhou, #409EFF and the default size are active', async () => {
    const fresh = await shown.as('auditor')
    expect(await fresh.locator('body').getAttribute('class')).toContain('theme-xiangzhou')
    expect(await fresh.locator('body').getAttribute('class')).toContain('size-default')
    expect(await fresh.evaluate(() => document.documentElement.style.getPropertyValue('--accent'))).toBe('#409EFF')
  })
  test('app.footer: platform, company and the Chinese description, in either language', async () => {
    const foot = page.locator('.foot')
    await foot.getByText('泊城').waitFor()
    await foot.getByText('襄州区智慧停车运营公司').waitFor()
    await foot.getByText('区级智慧停车管理运营服务平台').waitFor()
  })
})

describe('the menu', () => {
  const menuOf = async (tree: object[]) => {
    const made = await shown.as('admin')
    await made.route(TREE, envelope(tree))
    await made.goto('/dist/index')
    await made.locator('.side').getByText('菜单a').waitFor()
    return made
  }
  test('menu.main-layout menu.lazy-component menu.missing-module: a page shows inside the layout, loaded when first opened; a missing one says so', async () => {
    const made = await menuOf([aNode('a', '/a', 'layoutHeaderAside', [aNode('b', '/a/parks', 'ParkScreen'), aNode('c', '/a/gone', 'NoSuchScreen')])])
    const parts: string[] = []
    made.on('request', (request) => request.url().includes('/assets/') && parts.push(request.url()))
    await made.locator('.side').getByText('菜单a').click()
    await made.locator('.side').getByText('菜单b').click()
    await made.locator('main .list').waitFor()
    expect(parts.some((one) => one.includes('ParkScreen'))).toBe(true)
    expect(await made.locator('.shell > main h1:visible').textContent()).toBe('菜单b')
    await made.locator('.side').getByText('菜单c').click()
    await made.locator('[data-page=missing-screen]').waitFor()
    expect(await heading(made).textContent()).toBe('菜单c')
  })
  test('menu.select-placeholder menu.select-external menu.select-path error.menu-no-target: each does what it means', async () => {
    const made = await menuOf([
      aNode('a', '/a', 'layoutHeaderAside', [
        aNode('p', '/a/parks', 'ParkScreen'),
        aNode('e', 'https://video.example/', 'X'),
        aNode('n', '/a/none', ''),
      ]),
      aNode('m', '/m', 'layoutHeaderAside'),
    ])
    await made.context().route('https://video.example/**', (route) => route.fulfill({ body: 'outside' }))
    const side = made.locator('.side')
    await side.getByText('菜单m').click()
    await side.getByText('空菜单').click()
    await toast(made, '临时菜单').waitFor()
    await side.getByText('菜单a').click()
    await side.getByText('菜单n').click()
    await toast(made, '正在开发中').waitFor()
    const [opened] = await Promise.all([made.context().waitForEvent('page'), side.getByText('菜单e').click()])
    await opened.waitForURL('https://video.example/')
    expect(pathOf(made)).toBe('/index')
    await side.getByText('菜单p').click()
    await made.waitForURL('**/dist/a/parks')
  })
  test('menu.click-record: opening an entry records person and entry in the query', async () => {
    await go('/index')
    await page.locator('.side').getByText('资产管理').click()
    const sent = page.waitForRequest('**/lbs/custom/system/clickMenuRecord*')
    await page.locator('.side').getByText('停车场与设施').click()
    await page.locator('.side').getByText('自营停车场').click()
    const request = await sent
    const query = new URL(request.url()).searchParams
    expect([request.method(), query.get('custId'), query.get('menuId')]).toEqual([
      'POST',
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ])
    expect((await request.response())!.status()).toBe(200)
    await page.waitForURL(`**/dist${PARKS}`)
  })
  test('shell.header-dropdown menu.header-first-descendant menu.header-none menu.header-external: areas of the menu in the header', async () => {
    const made = await menuOf([
      aNode('a', '/a', 'layoutHeaderAside', [aNode('f', '/a/f', 'layoutHeaderAside', [aNode('b', '/a/f/parks', 'ParkScreen')])]),
      aNode('h', '/h', 'layoutHeaderAside'),
      aNode('x', 'https://video.example/', 'X'),
    ])
    await made.context().route('https://video.example/**', (route) => route.fulfill({ body: 'outside' }))
    const choose = async (name: string) => {
      await made.getByRole('button', { name: '功能导航' }).click()
      await made.locator('.ant-dropdown:visible').getByText(name).click()
    }
    await choose('菜单h')
    await toast(made, '正在开发中').waitFor()
    const [opened] = await Promise.all([made.context().waitForEvent('page'), choose('菜单x')])
    await opened.waitForURL('https://video.example/')
    await choose('菜单a')
    await made.waitForURL('**/dist/a/f/parks')
  })
  test('menu.navigation-errors-silent: a way that is refused shows nothing', async () => {
    const made = await menuOf([aNode('a', '/a', 'ParkScreen'), aNode('b', '/b', 'GateScreen')])
    await made.evaluate(() => {
      history.pushState = () => {
        throw new Error('refused')
      }
    })
    await made.locator('.side').getByText('菜单a').click()
    await made.waitForTimeout(300)
    await made.locator('.shell').waitFor()
    expect(await made.locator('.toast').count()).toBe(0)
  })
})

describe('the frame', () => {
  test('shell.menu-starts-expanded shell.menu-width shell.menu-collapsed-width shell.menu-transition: 220 px, folded 65, animated', async () => {
    const moving = await shown.as('auditor', { reducedMotion: 'no-preference' })
    const side = moving.locator('.side')
    const width = async () => (await side.boundingBox())!.width
    expect(await width()).toBe(220)
    expect(await side.evaluate((node) => getComputedStyle(node).transition)).toContain('width 0.15s')
    await moving.getByRole('button', { name: '收起菜单' }).click()
    await poll(width).toBe(65)
    await moving.getByRole('button', { name: '展开菜单' }).click()
    await poll(width).toBe(220)
  })
  test('shell.logo shell.home-button shell.bell: the mark and the house lead home, the bell to the messages', async () => {
    await go(STAYS)
    await page.locator('.brand').click()
    await page.waitForURL('**/dist/index')
    await go(STAYS)
    await button('首页').click()
    await page.waitForURL('**/dist/index')
    await button(/^消息/).click()
    await page.waitForURL('**/dist/operation/message/record')
  })
  test('shell.fullscreen: once fills the screen, twice returns', async () => {
    const full = () => page.evaluate(() => document.fullscreenElement !== null)
    await button('全屏').click()
    await poll(full).toBe(true)
    await button('退出全屏').click()
    await poll(full).toBe(false)
  })
  test('shell.user-dropdown: change password and log out', async () => {
    await page.locator('.who').click()
    await page.getByText('修改密码').waitFor()
    await page.getByText('退出登录').waitFor()
    await page.keyboard.press('Escape')
  })
  test('shell.search-open shell.search-close: s opens the search outside of fields, esc closes it; pinyin finds a page', async () => {
    await go(STAYS)
    const field = page.locator('.search input:visible').first()
    await field.click()
    await page.keyboard.type('s')
    expect(await page.locator('.search-panel').count()).toBe(0)
    await heading(page).click()
    await page.keyboard.press('s')
    await page.locator('.search-panel input').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.search-panel').waitFor({ state: 'hidden' })
    await page.keyboard.press('Control+k')
    await page.locator('.search-panel input').fill('jsgl')
    await page.locator('.search-panel [aria-selected=true]', { hasText: '角色管理' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/dist${ROLES}`)
  })
  test('? lists the keys of the page', async () => {
    await go(STAYS)
    await heading(page).filter({ hasText: '进出场记录' }).click()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('下一条记录').waitFor()
    await page.keyboard.press('Escape')
  })
})

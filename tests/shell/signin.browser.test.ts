import { createHash } from 'node:crypto'
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashed } from '../../domains/identity/server/api.ts'
import { run } from '../../platform/server/database.ts'
import { digestOf, PASSWORD } from '../support/server.ts'
import { answer, type Console, heading, openConsole, pathOf, ROLES, signIn, STAYS, toast } from './console.ts'

let shown: Console
beforeAll(async () => void (shown = await openConsole()))
afterAll(() => shown?.close())
const TREE = '**/lbs/custom/menu/getCurrTreeMenu'
const INFO = '**/lbs/custom/account/getUserInfo'
const cookieOf = async (page: Awaited<ReturnType<Console['as']>>, name: string) => (await page.context().cookies()).find((one) => one.name === name)

describe('before signing in', () => {
  test('routes.base routes.login-open app.language-default: the sign-in page lies under /dist/ and speaks Chinese', async () => {
    const page = await shown.stranger()
    await page.goto('/')
    await page.waitForURL('**/dist/login')
    await page.goto('/dist/login')
    expect(pathOf(page)).toBe('/login')
    expect(await heading(page).textContent()).toBe('泊城')
    expect(await page.title()).toBe('泊城 | 登录')
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN')
  })
  test('app.language-cookie: a cookie that names English makes it English', async () => {
    const page = await shown.stranger()
    await page.context().addCookies([{ name: 'lang', value: 'en', url: shown.server.url }])
    await page.goto('/dist/login')
    expect(await heading(page).textContent()).toBe('Kerbline')
    await page.getByRole('button', { name: '中文' }).click()
    expect(await heading(page).textContent()).toBe('泊城')
    expect((await cookieOf(page, 'lang'))?.value).toBe('zh-chs')
  })
  test('access.index-authenticated routes.index-needs-login session.guest-only-login routes.guest-redirect-query: any other path leads to it with the way back', async () => {
    const page = await shown.stranger()
    await page.goto('/dist/index')
    await page.waitForURL('**/dist/login**')
    await page.goto(`/dist${STAYS}?plateNo=%E4%BA%ACA12345`)
    await page.waitForURL('**/dist/login**')
    expect(new URL(page.url()).searchParams.get('redirect')).toBe(`${STAYS}?plateNo=%E4%BA%ACA12345`)
    expect(await page.locator('.shell').count()).toBe(0)
  })
})

describe('signing in', () => {
  test('calls.login-headers login.form-call: name and digest go out form-encoded, with the client headers', async () => {
    const page = await shown.stranger()
    await page.goto('/dist/login')
    const sent = page.waitForRequest('**/lbs/security/authentication/form')
    await signIn(page, 'admin')
    const request = await sent
    const headers = await request.allHeaders()
    const form = new URLSearchParams(request.postData() ?? '')
    expect(request.method()).toBe('POST')
    expect(headers['content-type']).toContain('application/x-www-form-urlencoded')
    expect(form.get('username')).toBe('admin')
    expect(form.get('password')).toBe(createHash('sha256').update(`admin:${PASSWORD}`).digest('hex'))
    expect(headers).toMatchObject({
      clienttype: 'platform',
      deviceid: expect.stringMatching(/^[0-9a-f]{32}$/),
      authorization: expect.stringMatching(/^Basic /),
    })
    expect(JSON.parse(headers['virtualclient']!)).toEqual({
      loginType: 1,
      browser: { name: expect.any(String), version: expect.any(String) },
      userSystem: expect.any(String),
    })
    await page.waitForURL('**/dist/index')
  })
  test('login.token-cookie login.uuid-cookie request.bearer request.base-path: token and person stand in cookies; calls carry the token', async () => {
    const page = await shown.stranger()
    const asked = page.waitForRequest(INFO)
    await page.goto('/dist/login')
    await signIn(page, 'admin')
    const token = (await (await page.waitForResponse('**/authentication/form')).json()).access_token
    const request = await asked
    await page.waitForURL('**/dist/index')
    expect((await cookieOf(page, 'token'))?.value).toBe(token)
    expect((await request.allHeaders())['authorization']).toBe(`Bearer ${token}`)
    expect(new URL(request.url()).pathname).toBe('/lbs/custom/account/getUserInfo')
    const info = (await (await request.response())!.json()).data
    expect((await cookieOf(page, 'uuid'))?.value).toBe(info.custId)
  })
  test('a wrong sign-in says so and keeps the name', async () => {
    const page = await shown.stranger()
    await page.goto('/dist/login')
    await signIn(page, 'admin', 'wrong')
    await page.getByText('用户名或密码错误').waitFor()
    expect(await page.inputValue('[name=username]')).toBe('admin')
    expect(await cookieOf(page, 'token')).toBeUndefined()
  })
  test('routes.back-after-login: the wanted path is shown; a foreign one is not', async () => {
    const page = await shown.stranger()
    await page.goto(`/dist${STAYS}?page=2`)
    await signIn(page, 'admin')
    await page.waitForURL(`**/dist${STAYS}?page=2`)
    const other = await shown.stranger()
    await other.goto('/dist/login?redirect=//evil.example')
    await signIn(other, 'admin')
    await other.waitForURL(`${shown.server.url}/dist/index`)
  })
  test('session.no-menus: who has no menus is turned away, is told for as long as it is so, and may change the password or leave', async () => {
    const sql = <Row>(text: string, values: readonly unknown[] = []) =>
      shown.server.house.writing(1, 'test', (tx) => run<Row>(tx, { sql: text }, values))
    const hash = await hashed(digestOf('newcomer', PASSWORD))
    await sql(`insert into identity.person (username, name, password_hash, must_change) values ('newcomer', '新人', $1, false)`, [hash])
    const page = await shown.stranger()
    await page.goto(`/dist/login?redirect=${STAYS}`)
    await signIn(page, 'newcomer')
    const told = page.getByRole('alert').filter({ hasText: '请先给用户分配菜单' })
    await told.getByText('请联系襄州区智慧停车运营公司的管理员').waitFor()
    expect([pathOf(page), await page.locator('.side').count()]).toEqual(['/login', 0])
    await page.reload()
    await told.waitFor()
    await page.getByRole('button', { name: '修改密码' }).click()
    await page.getByRole('dialog', { name: '修改密码' }).getByRole('button', { name: '取消' }).click()
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByRole('alert').getByText('Ask an administrator').waitFor()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.locator('[name=username]').waitFor()
    expect(await cookieOf(page, 'token')).toBeUndefined()
    // As soon as somebody grants a menu the console is there, and gone again with the last of them.
    await signIn(page, 'newcomer')
    await page.getByRole('alert').getByText('Ask an administrator').waitFor()
    const admin = await shown.server.signIn('admin')
    const people = async (path: string, body: object) => (await shown.server.ask(admin, 'POST', `/lbs/custom/person/${path}`, body)).data
    const give = async (...roleIds: string[]) => {
      const { records } = await people('queryPage', { username: 'newcomer' })
      await people('update', { id: records[0].id, version: records[0].version, roleIds })
    }
    const [role] = await sql<{ id: string }>(`select id from identity.role where name = '审计员'`)
    await give(role!.id)
    await page.locator('.side').waitFor()
    expect(pathOf(page)).toBe('/index')
    await give()
    await page.getByRole('alert').getByText('Ask an administrator').waitFor()
    // Home lists what is granted by then, without another load.
    const [roles] = await sql<{ id: string }>('select id from identity.resource where url = $1 and not retired', [ROLES])
    const only = { name: '只看角色', dataScope: 2, resourceIds: [roles!.id] }
    await give((await shown.server.ask(admin, 'POST', '/lbs/custom/roleNew/roleAddNew', only)).data.id)
    await page.locator(`.home .areas-list a[href$="${ROLES}"]`).waitFor()
  })
  test('session.load-fails error.permission-tree-message error.session-load-other: what fails is said and the person is signed out', async () => {
    for (const [address, reply, said] of [
      [TREE, answer({ code: 500, message: '菜单服务繁忙', data: null }, 500), '菜单服务繁忙'],
      [INFO, answer({}, 502), '网关错误'],
      [INFO, answer('nothing', 200), '访问出错'],
    ] as const) {
      const page = await shown.stranger()
      await page.clock.install()
      await page.route(address, reply)
      await page.goto('/dist/login')
      await signIn(page, 'admin')
      const notice = page.locator('#notice', { hasText: said })
      await notice.waitFor()
      // By the page's own clock, which stands still from then on: a busy machine makes no second longer.
      await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 3_000)
      await notice.waitFor({ state: 'hidden' })
      expect(await cookieOf(page, 'token')).toBeUndefined()
      expect(pathOf(page)).toBe('/login')
    }
  })
  test('a server that is busy for a moment signs nobody out; who is signed out after all comes back to the same page', async () => {
    const page = await shown.anew('admin')
    const refusal = (status: number) => answer({ code: status, message: '服务暂时不可用', data: null }, status)
    let refusals = [refusal(503), refusal(429), (route: Route) => route.abort()]
    await page.route(TREE, (route) => refusals.shift()?.(route) ?? route.fallback())
    await page.goto(`/dist${ROLES}`)
    await heading(page).filter({ hasText: '角色管理' }).waitFor()
    expect(refusals).toEqual([])
    refusals = Array.from({ length: 9 }, () => refusal(503))
    await page.goto(`/dist${ROLES}?name=x`)
    await page.locator('#notice', { hasText: '服务暂时不可用' }).waitFor()
    expect(pathOf(page)).toBe(`/login?redirect=${encodeURIComponent(`${ROLES}?name=x`)}`)
  })
  test('whoever loads the page anew while it still begins stays signed in', async () => {
    for (let time = 0; time < 8; time++) {
      const page = await shown.stranger()
      await page.goto('/dist/login')
      await signIn(page, 'admin')
      await page.waitForURL((url) => !url.pathname.endsWith('/login'))
      await page.goto(`/dist${ROLES}`)
      await heading(page).filter({ hasText: '角色管理' }).waitFor()
      await page.context().close()
    }
  })
})

describe('entering from a third party', () => {
  const mint = async (username: string) => {
    const token = await shown.server.signIn(username)
    return (await shown.server.ask<{ code: string }>(token, 'POST', '/lbs/security/authentication/code', {})).data.code
  }
  test('routes.third-auth-token: a one-time code or an access token in the address opens the session and leaves the address', async () => {
    for (const secret of [await mint('operator'), await shown.server.signIn('operator')]) {
      const page = await shown.stranger()
      await page.goto(`/dist${STAYS}?thirdAuth=${secret}`)
      await heading(page).filter({ hasText: '进出场记录' }).waitFor()
      expect(page.url()).not.toContain('thirdAuth')
      const again = await shown.stranger()
      await again.goto(`/dist/?thirdAuth=${secret}`)
      await again.waitForURL('**/dist/login**')
    }
    const stale = await shown.stranger()
    await stale.goto('/dist/?thirdAuth=nothing-that-anybody-issued')
    await stale.waitForURL('**/dist/login**')
  })
  test('routes.third-auth-resets: what an earlier person could open is not kept', async () => {
    const page = await shown.as('admin')
    await page.goto(`/dist${ROLES}`)
    await heading(page).filter({ hasText: '角色管理' }).waitFor()
    await page.goto(`/dist${ROLES}?thirdAuth=${await mint('operator')}`)
    await page.locator('[data-page=not-found]').waitFor()
    expect(await page.locator('.side').getByText('系统管理').count()).toBe(0)
  })
})

describe('signing out', () => {
  const askToLeave = async (page: Awaited<ReturnType<Console['as']>>) => {
    await page.locator('.who').click()
    await page.getByText('退出登录').click()
    const dialog = page.getByRole('dialog').filter({ hasText: '注销用户' })
    await dialog.getByText('确定要注销当前用户吗').waitFor()
    return dialog
  }
  test('logout.confirm-dialog logout.confirm-cancel: it asks; cancelled, the session goes on', async () => {
    const page = await shown.anew('admin')
    const dialog = await askToLeave(page)
    await dialog.getByRole('button', { name: '取消' }).click()
    await toast(page, '取消注销操作').waitFor()
    expect(await cookieOf(page, 'token')).toBeDefined()
  })
  test('logout.clears routes.logout-default: cookies, person and rights are gone, here and on the server', async () => {
    const page = await shown.anew('admin')
    const token = (await cookieOf(page, 'token'))!.value
    const dialog = await askToLeave(page)
    await dialog.getByRole('button', { name: '确定' }).click()
    await page.waitForURL('**/dist/login')
    expect(await cookieOf(page, 'token')).toBeUndefined()
    expect(await cookieOf(page, 'uuid')).toBeUndefined()
    expect(await page.locator('.shell').count()).toBe(0)
    const again = await shown.server.ask(token, 'GET', '/lbs/custom/account/getUserInfo')
    expect(again.status).toBe(401)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { DEMO_ENTERPRISE } from '../../domains/identity/server/api.ts'
import { sendInner } from '../../domains/message/server/api.ts'
import { PASSWORD } from '../support/server.ts'
import { answer, type Console, heading, openConsole, poll, ROLES, signIn, STAYS } from './console.ts'

let shown: Console
beforeAll(async () => void (shown = await openConsole()))
afterAll(() => shown?.close())

const HALF_AN_HOUR = 30 * 60_000
const warning = (page: Page) => page.getByText(/您已长时间未操作，将在\d+秒后自动退出登录/)

describe('idleness', () => {
  async function watched(path: string) {
    const page = await shown.anew('auditor')
    await page.clock.install()
    await page.goto(`/dist${path}`)
    await page.locator('h1:visible').first().waitFor()
    // From here time passes only when the test says so, and somebody has just touched the mouse.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
    await page.mouse.move(200, 200)
    return page
  }
  test('idle.warning-after idle.countdown idle.logout: after 30 minutes it warns, counts from 5 to 0 and signs out', async () => {
    const page = await watched(STAYS)
    await page.clock.runFor(HALF_AN_HOUR - 60_000)
    expect(await warning(page).count()).toBe(0)
    await page.clock.runFor(60_000)
    for (let left = 5; left > 0; left--) {
      await page.getByText(`将在${left}秒后`).waitFor()
      await page.clock.runFor(1_000)
    }
    await page.clock.resume()
    await page.waitForURL('**/dist/login')
    await poll(() => page.locator('#notice').textContent()).toBe('长时间未操作，已自动退出登录')
    expect((await page.context().cookies()).some(({ name }) => name === 'token')).toBe(false)
  })
  test('idle.activity-resets: a mouse, a key or a click begins the 30 minutes anew', async () => {
    const page = await watched(STAYS)
    for (const act of [() => page.mouse.move(300, 300), () => page.keyboard.press('Shift'), () => page.mouse.click(700, 110)]) {
      await page.clock.runFor(HALF_AN_HOUR - 60_000)
      await act()
    }
    await page.clock.runFor(HALF_AN_HOUR - 60_000)
    expect(await warning(page).count()).toBe(0)
    await page.clock.runFor(60_000)
    await warning(page).waitFor()
  })
  test('a board that is watched for hours is at work: nobody is signed out for keeping still', async () => {
    const page = await shown.anew('admin')
    await page.clock.install()
    await page.goto('/dist/operation/laneBoard')
    await page.locator('.board').first().waitFor()
    await page.clock.runFor(HALF_AN_HOUR + 60_000)
    expect(await warning(page).count()).toBe(0)
    // Another page in front of it is watched as ever.
    await page.goto(`/dist${STAYS}`)
    await page.locator('h1:visible').first().waitFor()
    await page.clock.runFor(HALF_AN_HOUR)
    await warning(page).waitFor()
  })
  test('idle.not-on-login: the sign-in page does not warn', async () => {
    const page = await shown.stranger()
    await page.clock.install()
    await page.goto('/dist/')
    await page.waitForURL('**/dist/login')
    await page.clock.runFor(HALF_AN_HOUR + 10_000)
    expect(await warning(page).count()).toBe(0)
    expect(new URL(page.url()).pathname).toBe('/dist/login')
  })
})

describe('windows of one browser', () => {
  /** A second window, at a list. */
  async function beside(page: Page) {
    const other = await page.context().newPage()
    await other.goto(`/dist${STAYS}`)
    await heading(other).waitFor()
    return other
  }
  test('a sign-out ends them all at once, and each says why', async () => {
    const page = await shown.anew('auditor')
    const other = await beside(page)
    await page.reload()
    await heading(page).waitFor()
    expect(await heading(other).isVisible()).toBe(true)
    await page.locator('.who').click()
    await page.getByText('退出登录').click()
    await page.getByRole('dialog').getByRole('button', { name: '确定' }).click()
    await page.waitForURL('**/dist/login')
    await other.waitForURL('**/dist/login')
    await other.getByText('已在另一个窗口退出登录').waitFor()
  })
  test('another who signs in is another session: no window goes on showing what the first one read', async () => {
    const waiting = await shown.stranger()
    await waiting.goto('/dist/login')
    const page = await waiting.context().newPage()
    await page.goto('/dist/login')
    await signIn(page, 'auditor')
    await page.waitForURL('**/dist/index')
    const other = await beside(page)
    await signIn(waiting, 'admin')
    for (const one of [waiting, page, other]) {
      await one.waitForURL('**/dist/index')
      await one.locator('.greeting', { hasText: await nameOf(waiting) }).waitFor()
    }
  })
  const nameOf = async (page: Page) => (await page.locator('.greeting').innerText()).split(/[，,]/).at(-1)!.trim()
  test('a page out of the browser’s memory is none of the session that ended', async () => {
    const page = await shown.anew('auditor')
    await heading(page).waitFor()
    await page.context().clearCookies({ name: 'token' })
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    await page.waitForURL('**/dist/login')
  })
})

describe('unread messages', () => {
  const send = (custId: string, many: number) =>
    shown.server.house.writing(DEMO_ENTERPRISE, 'test', async (tx) => {
      for (let i = 0; i < many; i++) await sendInner(tx, { to: { custId }, title: [`消息 ${i}`, `Message ${i}`] })
    })
  test('badge.hidden-at-zero limits.message-query-size badge.push-refresh badge.unread-total badge.capped: the badge follows what is pushed', async () => {
    const asked: { readState: number; limit: number; custId: string }[] = []
    const page = await shown.as('operator')
    page.on('request', (request) => request.url().includes('queryMessageRecord') && asked.push(request.postDataJSON()))
    await page.reload()
    await page.locator('.bell').waitFor()
    await poll(() => asked.length).toBe(1)
    expect(asked[0]).toMatchObject({ readState: 0, current: 1, limit: 1 })
    const badge = page.locator('.bell [data-badge]')
    expect(await badge.count()).toBe(0)
    await page.waitForTimeout(500) // the channel opens
    await send(asked[0]!.custId, 3)
    await badge.filter({ hasText: /^3$/ }).waitFor()
    expect(asked.length).toBeGreaterThan(1)
    await send(asked[0]!.custId, 147)
    await badge.filter({ hasText: /^99\+$/ }).waitFor()
  })
})

describe('changing the password', () => {
  const NEW = 'Kerbline-2027!'
  async function form(page: Page) {
    await page.locator('.who').click()
    await page.getByText('修改密码').click()
    const dialog = page.getByRole('dialog').filter({ hasText: '修改密码' })
    return {
      dialog,
      next: dialog.getByLabel('新密码'),
      again: dialog.getByLabel('确认密码'),
      send: dialog.getByRole('button', { name: '修改并重新登录' }),
    }
  }
  test('password.on-blur password.required password.mismatch password.confirm-empty: a rule is checked when its field is left', async () => {
    const page = await shown.as('admin')
    const { dialog, next, again, send } = await form(page)
    await next.click()
    await page.keyboard.press('Tab')
    await dialog.getByText('请输入新密码!').waitFor()
    await next.fill('Abcdef1@')
    await again.click()
    await dialog.getByText('密码长度不能小于9位').waitFor()
    await next.fill(NEW)
    await again.fill('Other-2027!')
    await next.click()
    await dialog.getByText('两次输入密码不一致!').waitFor()
    await again.fill('')
    await next.click()
    await dialog.getByText('请再次输入密码').waitFor()
    await send.click()
    expect(await dialog.isVisible()).toBe(true)
  })
  test('password.hashed password.failure-stops-loading: digests go out, never the password; a refusal keeps the form', async () => {
    const page = await shown.as('admin')
    await page.route('**/enterprise/resetEnterprisePassword', answer({ code: 42201, message: '不能使用旧密码' }, 422))
    const { dialog, next, again, send } = await form(page)
    await next.fill(NEW)
    await again.fill(NEW)
    const sent = page.waitForRequest('**/enterprise/resetEnterprisePassword')
    await send.click()
    const body = (await sent).postData() ?? ''
    expect(JSON.parse(body)).toMatchObject({
      newPassword: expect.stringMatching(/^[0-9a-f]{64}$/),
      confirmPassword: expect.stringMatching(/^[0-9a-f]{64}$/),
      type: '1',
    })
    expect(body).not.toContain(NEW)
    await dialog.getByText('不能使用旧密码').waitFor()
    await poll(() => dialog.locator('.ant-btn-loading').count()).toBe(0)
    expect(await next.inputValue()).toBe(NEW)
  })
  test('password.success-logout logout.without-confirm: it changes and signs out without a question; the new one opens', async () => {
    const page = await shown.anew('otheradmin')
    const { next, again, send } = await form(page)
    await next.fill(NEW)
    await again.fill(NEW)
    await send.click()
    await page.waitForURL('**/dist/login')
    await signIn(page, 'otheradmin', PASSWORD)
    await page.getByText('用户名或密码错误').waitFor()
    await signIn(page, 'otheradmin', NEW)
    await page.waitForURL('**/dist/index')
  })
})

test('routes.logout-other: signing out to another path ends there', async () => {
  const page = await shown.anew('auditor')
  await page.goto(`/dist${ROLES}`)
  await page.clock.install()
  await page.goto(`/dist${STAYS}`)
  await page.locator('h1:visible').first().waitFor()
  const visited: string[] = []
  page.on('framenavigated', (frame) => visited.push(new URL(frame.url()).pathname))
  // Idleness signs out to "/", which then leads a stranger to the sign-in page.
  await page.clock.runFor(HALF_AN_HOUR)
  await page.clock.runFor(6_000)
  await page.waitForURL('**/dist/login')
  expect(visited).toContain('/dist/')
})

test('data.storage-items: who one is, one’s menu, companies and unread messages are learnt once; what is kept of pages, size and colour lies under the person', async () => {
  const page = await shown.anew('admin')
  await page.locator('.bell').waitFor()
  await page.waitForLoadState('networkidle')
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  for (const word of ['进出场记录', '角色管理', '异常停车']) {
    await page.keyboard.press('Control+k')
    await page.locator('.search-panel input').fill(word)
    await page.locator('.search-panel [aria-selected=true]', { hasText: word }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('h1:visible', { hasText: word }).waitFor()
  }
  await page.waitForLoadState('networkidle')
  expect(asked.filter((path) => path.includes('/queryPage')).length).toBeGreaterThan(0)
  expect(asked.filter((path) => /getUserInfo|menu|getList|queryMessageRecord/i.test(path.replace('clickMenuRecord', '')))).toEqual([])
  await page.locator('.who').click()
  await page.getByText('我的设置').click()
  await page.getByText('深色', { exact: true }).click()
  await page.getByText('紧凑', { exact: true }).click()
  const uuid = (await page.context().cookies()).find(({ name }) => name === 'uuid')!.value
  const keys = await page.evaluate(() => Object.keys(localStorage))
  for (const name of ['tabs', 'mode', 'size']) expect(keys.filter((key) => key.endsWith(`/${name}`))).toEqual([`1.0.0/${uuid}/${name}`])
})

import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answer, type Console, envelope, openConsole, pathOf, STAYS, STAYS_CALL, toast } from './console.ts'

let shown: Console
let page: Page
let reply: (route: Route) => unknown = (route) => route.continue()
const PAGE_OF_NONE = { records: [], total: 0, totalExact: true }

beforeAll(async () => {
  shown = await openConsole()
  page = await shown.as('admin')
  await page.route(STAYS_CALL, (route) => reply(route))
  await page.goto(`/dist${STAYS}`)
  await page.getByText('还没有记录').waitFor()
})
afterAll(() => shown?.close())

/** The list is asked again and answered so; then what it says. */
async function said(by: (route: Route) => unknown, text: string) {
  await page.locator('.toast').first().waitFor({ state: 'detached' })
  reply = by
  await page.getByRole('button', { name: '刷新', exact: true }).click()
  await toast(page, text).waitFor()
  return toast(page, text).textContent()
}

/** Runs in the page, where no answer of a busy machine comes late: the color of a toast, how long it was there, and how often it was put there. */
const lifeOfToast = (text: string) =>
  new Promise<{ color: string; ms: number; times: number }>((resolve) => {
    let [color, at, times] = ['', 0, 0]
    let before: Element | undefined
    new MutationObserver((_, watch) => {
      const now = [...document.querySelectorAll('.toast')].find((one) => one.textContent?.includes(text))
      if (now && now !== before) [color, at, times] = [getComputedStyle(now).color, at || performance.now(), times + 1]
      if (!now && before) {
        watch.disconnect()
        resolve({ color, ms: performance.now() - at, times })
      }
      before = now
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })

describe('an answer in the envelope', () => {
  test('error.success-number error.success-string: 200 as a number or as a string is success', async () => {
    for (const code of [200, '200']) {
      reply = answer({ code, message: 'ok', data: PAGE_OF_NONE })
      const done = page.waitForResponse(STAYS_CALL)
      await page.getByRole('button', { name: '刷新', exact: true }).click()
      await done
      await page.getByText('还没有记录').waitFor()
      expect(await page.locator('.toast').count()).toBe(0)
    }
  })
  test('error.other-code-data: another code with data shows the data', async () => {
    expect(await said(answer({ code: 40001, message: '不该显示', data: '数据里的话' }), '数据里的话')).not.toContain('不该显示')
  })
  test('error.other-code-message: without data it shows the message', async () => said(answer({ code: 40001, message: '信息里的话' }), '信息里的话'))
  test('error.other-code-bare: with neither it says 出错了', async () => said(answer({ code: 40001 }), '出错了'))
  test('error.no-code: without a code it says 访问出错', async () => said(answer({ records: [] }), '访问出错'))
})

describe('a failing call', () => {
  const texts: readonly (readonly [behaviour: string, status: number, text: string])[] = [
    ['error.http-400', 400, '请求错误'],
    ['error.http-403', 403, '拒绝访问'],
    ['error.http-404', 404, '请求地址出错'],
    ['error.http-408', 408, '请求超时'],
    ['error.http-500', 500, '服务器内部错误'],
    ['error.http-501', 501, '服务未实现'],
    ['error.http-502', 502, '网关错误'],
    ['error.http-503', 503, '服务不可用'],
    ['error.http-504', 504, '网关超时'],
    ['error.http-505', 505, 'HTTP版本不受支持'],
  ]
  for (const [behaviour, status, text] of texts)
    test(`${behaviour}: without a message it says ${text}`, async () => {
      const shows = await said((route) => route.fulfill({ status, contentType: 'text/html', body: '<p>gateway</p>' }), text)
      if (status === 404) expect(shows).toContain('/lbs/fee/parkRecord/queryPage')
    })
  test('error.server-message-first: the message of the server goes first', async () => {
    const shows = await said(answer({ code: 50301, message: '数据库维护中' }, 503), '数据库维护中')
    expect(shows).not.toContain('服务不可用')
  })
  test('error.red-two-seconds: it is logged, red, gone after two seconds, and stays in the list with its request', async () => {
    const logged = page.waitForEvent('console', (line) => line.type() === 'error' && line.text().includes('parking.record.query-page'))
    const life = page.evaluate(lifeOfToast, '红色的话')
    await said(answer({ code: 500, message: '红色的话' }, 500), '红色的话')
    await logged
    const { color, ms, times } = await life
    expect(color).toBe('rgb(201, 52, 52)')
    expect(times, 'how often it was put on the page').toBe(1)
    expect(ms).toBeGreaterThan(1_500)
    expect(ms).toBeLessThan(3_500)
    await page.getByRole('button', { name: '出错记录' }).hover()
    await page.locator('.failures li').first().getByText('request-1').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('h1:visible').first().click()
  })
  test('an error keeps the search and offers to try again', async () => {
    await page.getByRole('button', { name: '重试' }).first().waitFor()
    reply = envelope(PAGE_OF_NONE)
    await page.getByRole('button', { name: '重试' }).first().click()
    await page.getByText('还没有记录').waitFor()
  })
  test('request.timeout: after 50 seconds without an answer it has timed out', async () => {
    const slow = await shown.as('auditor')
    await slow.clock.install()
    await slow.goto(`/dist${STAYS}`)
    await slow.getByText('还没有记录').waitFor()
    await slow.route(STAYS_CALL, () => {})
    await slow.getByRole('button', { name: '刷新', exact: true }).click()
    await slow.waitForTimeout(300)
    await slow.clock.runFor(49_000)
    expect(await toast(slow, '请求超时').count()).toBe(0)
    await slow.clock.runFor(1_000)
    await toast(slow, '请求超时').waitFor()
  })
  test('error.http-401 routes.unauthorised-redirect-query: the person is told, signed out and may come back to the page', async () => {
    const ended = await shown.anew('auditor')
    await ended.goto(`/dist${STAYS}?page=2`)
    await ended.locator('h1:visible').first().waitFor()
    await ended.route(STAYS_CALL, answer({}, 401))
    // A living list asks by itself as well: whichever is answered first ends the session, and the button is gone with the page.
    const signedOut = ended.waitForURL('**/dist/login?**')
    await Promise.race([ended.getByRole('button', { name: '刷新', exact: true }).click(), signedOut])
    await signedOut
    await ended.getByText('未授权，请登录').waitFor()
    expect(new URL(ended.url()).searchParams.get('redirect')).toBe(`${STAYS}?page=2`)
    expect((await ended.context().cookies()).some(({ name }) => name === 'token')).toBe(false)
  })
  test('offline: a banner says so and the rows stay', async () => {
    await page.context().setOffline(true)
    await page.locator('[data-state=offline]').waitFor()
    await page.context().setOffline(false)
    await page.locator('[data-state=offline]').waitFor({ state: 'detached' })
    expect(pathOf(page)).toBe(STAYS)
  })
})

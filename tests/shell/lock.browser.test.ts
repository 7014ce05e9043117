import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { UNLOCK_TRIES } from '../../domains/identity/contract/lock.ts'
import { PASSWORD } from '../support/server.ts'
import { type Console, openConsole, STAYS } from './console.ts'

const FORM = '/demo/page2?block=form'
let shown: Console
let page: Page
beforeAll(async () => {
  shown = await openConsole()
  page = await shown.anew('admin')
  await page.goto(`/dist${FORM}`)
})
afterAll(() => shown?.close())
const cover = (at = page) => at.locator('dialog.lock')
const password = (at = page) => cover(at).getByLabel('密码', { exact: true })
const lock = async () => {
  await page.locator('.who').click()
  await page.locator('.ant-dropdown:visible').getByText('锁屏').click()
  await cover().waitFor()
}
const unlock = async (text: string, at = page) => {
  await password(at).fill(text)
  await page.bringToFront()
  await cover(at).getByRole('button', { name: '解锁' }).click()
}

describe('the lock', () => {
  test('covers everything and takes the keyboard; the session answers nothing meanwhile', async () => {
    await lock()
    await cover().getByText('已锁屏').waitFor()
    const box = (await cover().boundingBox())!
    expect([box.width, box.height]).toEqual([1440, 900])
    const seen = await cover().evaluate((node) => getComputedStyle(node).backgroundColor)
    expect(seen).not.toMatch(/rgba\(.*, 0(\.\d+)?\)/)
    for (const key of ['Escape', 'Escape', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Tab', 'Control+k', 's']) await page.keyboard.press(key)
    expect(await cover().isVisible()).toBe(true)
    expect(await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('dialog.lock') !== null)).toBe(true)
    expect(await page.locator('.search-panel').count()).toBe(0)
    const asked = await page.evaluate(async () => {
      const token = decodeURIComponent(/(?:^|; )token=([^;]+)/.exec(document.cookie)![1]!)
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      return (await fetch('/lbs/business/sample/queryPage', { method: 'POST', headers, body: '{}' })).status
    })
    expect(asked).toBe(423)
  })
  test('a reload does not lift it', async () => {
    await page.reload()
    await cover().waitFor()
  })
  test('a wrong password is said with the tries that are left; the right one leads on where one was', async () => {
    await unlock('wrong')
    await cover()
      .getByText(/密码错误，还可尝试 \d 次/)
      .waitFor()
    expect(await password().inputValue()).toBe('')
    await page.keyboard.press('Control+k')
    await unlock(PASSWORD)
    await cover().waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(`/dist${FORM}`)
    // Keys pressed behind the lock had no effect: the search would have come by now.
    expect(await page.locator('.search-panel').count()).toBe(0)
    await page.getByRole('button', { name: '新增', exact: true }).waitFor()
  })
  test('what is half typed is still there afterwards', async () => {
    await page.getByRole('button', { name: '新增', exact: true }).click()
    const name = page.locator('.ant-modal:visible').getByRole('textbox', { name: '名称' })
    await name.fill('没写完')
    // The dialog covers the menu: the palette of the keyboard does not, the session is locked as another tab would.
    await page.evaluate(() => new BroadcastChannel('lock').postMessage(true))
    await cover().waitFor()
    await unlock(PASSWORD)
    await cover().waitFor({ state: 'detached' })
    expect(await name.inputValue()).toBe('没写完')
    await page
      .locator('.ant-modal:visible')
      .getByRole('button', { name: /取\s?消/ })
      .click()
    await page.getByRole('button', { name: '放弃修改' }).click()
  })
  test('every tab of the browser is covered, and uncovered, at once', async () => {
    const other = await page.context().newPage()
    await other.goto(`/dist${STAYS}`)
    await other.locator('h1:visible').first().waitFor()
    await page.bringToFront()
    await lock()
    await cover(other).waitFor()
    await unlock(PASSWORD, other)
    await cover(other).waitFor({ state: 'detached' })
    await cover().waitFor({ state: 'detached' })
    await other.close()
  })
  test('too many wrong passwords end the session', async () => {
    await lock()
    for (let left = UNLOCK_TRIES - 1; left > 0; left--) {
      await unlock('wrong')
      await cover().getByText(`还可尝试 ${left} 次`).waitFor()
    }
    await unlock('wrong')
    await page.waitForURL('**/dist/login**')
  })
})

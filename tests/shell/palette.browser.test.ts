import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type District, openDistrict } from '../journeys/district.ts'
import { type Console, openConsole, PARKS, pathOf, poll, ROLES, STAYS } from './console.ts'

const PLATE = '鄂F12345'
let district: District
let shown: Console
let page: Page
beforeAll(async () => {
  district = await openDistrict()
  await district.entrance.plate({ plate: PLATE })
  await district.entrance.next('gate.open')
  shown = await openConsole(district.server)
  page = await shown.as('admin')
})
afterAll(async () => {
  await shown?.close()
  await district?.close()
})
const panel = (at = page) => at.locator('.search-panel')
const options = (at = page) => panel(at).getByRole('option')
const look = async (words: string, at = page) => {
  if ((await panel(at).count()) === 0) await at.keyboard.press('Control+k')
  await panel(at).getByRole('combobox').fill(words)
}
const first = (at = page) => panel(at).locator('[aria-selected=true]')

describe('the palette', () => {
  test('opens by Ctrl-K and by s, closes by Esc, and types into nothing else', async () => {
    await page.keyboard.press('Control+k')
    await panel().waitFor()
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'detached' })
    await page.keyboard.press('s')
    await panel().waitFor()
    expect(await panel().getByRole('combobox').inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'detached' })
  })
  test('finds a page by its name in either language, by pinyin, by its initials and by its address; arrows choose, Enter opens', async () => {
    for (const words of ['角色管理', 'Roles', 'jueseguanli', 'jsgl', '/permission/roles']) {
      await look(words)
      await first().filter({ hasText: '角色管理' }).waitFor()
    }
    await look('停车')
    await poll(() => options().count()).toBeGreaterThan(1)
    await page.keyboard.press('ArrowDown')
    expect(await options().nth(1).getAttribute('aria-selected')).toBe('true')
    await look('角色管理')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/dist${ROLES}`)
    await panel().waitFor({ state: 'detached' })
  })
  test('finds a record by the beginning of its plate, its phone or its number, and opens it', async () => {
    await look('鄂F123')
    await options().filter({ hasText: PLATE }).first().click()
    await poll(() => pathOf(page)).toContain('/operation/record/parking/')
    await page.locator('main').getByText('12345').first().waitFor()
    await look('P001')
    await options().filter({ hasText: '车场' }).first().waitFor()
    await look('opera')
    await options().filter({ hasText: '员工' }).first().waitFor()
    await look('没有这样的东西')
    await panel().getByText('没有找到').waitFor()
  })
  test('an act with what it is done to, in one line: it names the lane and asks as the lane’s button does, only for whoever may', async () => {
    await look('开闸 P001 出口1')
    const act = options()
      .filter({ hasText: /开闸 .* · .*出口/ })
      .first()
    await act.waitFor()
    expect(await act.textContent()).toContain('抬杆放行一次')
    await act.click()
    const dialog = page.locator('.ant-modal:visible')
    await dialog.getByText('开闸').first().waitFor()
    expect(await dialog.locator('.ant-modal-title').textContent()).toContain('出口')
    await dialog.getByRole('button', { name: '取消' }).click()
    await dialog.waitFor({ state: 'detached' })
    const auditor = await shown.as('auditor')
    const answered = auditor.waitForResponse('**/record/find')
    await look('开闸 P001 出口1', auditor)
    await answered
    expect(await options(auditor).filter({ hasText: '抬杆' }).count()).toBe(0)
    await auditor.close()
  })
  test('does what can be done, by its name', async () => {
    await look('锁屏')
    await options().filter({ hasText: '锁屏' }).first().waitFor()
    await page.keyboard.press('Escape')
  })
  test('shows where one was last, with nothing typed', async () => {
    for (const path of [PARKS, ROLES, STAYS]) {
      await page.goto(`/dist${path}`)
      await page.locator('h1:visible').first().waitFor()
    }
    await page.keyboard.press('Control+k')
    await options().first().waitFor()
    const words = await options().allTextContents()
    expect(words[0]).toContain('角色管理')
    expect(words[1]).toContain('车场')
    await page.keyboard.press('Escape')
  })
  test('access.only-assigned-routes: neither pages nor records of what one may not see', async () => {
    const operator = await shown.as('operator')
    await look('角色管理', operator)
    await panel(operator).getByText('没有找到').waitFor()
    await look('审计', operator)
    await panel(operator).getByText('没有找到').waitFor()
    await look('鄂F123', operator)
    await options(operator).filter({ hasText: PLATE }).first().waitFor()
    const stranger = await shown.as('otheradmin')
    await look('鄂F123', stranger)
    await panel(stranger).getByText('没有找到').waitFor()
    await operator.close()
    await stranger.close()
  })
})

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type District, openDistrict } from '../journeys/district.ts'
import { type Console, openConsole, pathOf, poll, STAYS, toast } from './console.ts'

const LIST = '/demo/page1?block=list'
const SAMPLES = 500
const BUTTONS = '/appManage/permission/buttons'
let district: District
let shown: Console
let page: Page
beforeAll(async () => {
  district = await openDistrict()
  await district.entrance.plate({ plate: '鄂F65026' })
  await district.entrance.next('gate.open')
  shown = await openConsole(district.server)
  page = await shown.as('admin')
})
afterAll(async () => {
  await shown?.close()
  await district?.close()
})
const button = (name: string) => page.getByRole('button', { name, exact: true })
const chips = () => page.locator('.filter:visible')
const total = () => page.locator('.ant-pagination-total-text:visible b').first()
const go = async (path: string) => {
  await page.goto(`/dist${path}`)
  await page.locator('.list-rows:visible[aria-busy=false]').waitFor()
}

describe('a plate', () => {
  const rows = () => page.locator('.ant-table-row:visible')
  const plate = () => page.getByLabel('车牌', { exact: true })
  test('is found by its last digits, with the dot or without; its field, its chip and the plates of late say what is looked for', async () => {
    await go(STAYS)
    for (const typed of ['65026', 'f·650', '鄂F65026']) {
      await plate().fill(typed)
      await plate().press('Enter')
      await chips().filter({ hasText: '车牌' }).waitFor()
      await poll(() => rows().count()).toBe(1)
    }
    await plate().fill('F65029')
    await plate().press('Enter')
    await poll(() => rows().count()).toBe(0)
    await button('省份与最近车牌').click()
    await page.locator('.plates-of-late button').filter({ hasText: '65026' }).last().waitFor()
    await page.locator('.plate-pad').getByRole('button', { name: '鄂', exact: true }).click()
    expect(await plate().inputValue()).toBe('鄂F65029')
    await button('重置').click()
    await rows().first().locator('a.plate').click()
    await poll(() => pathOf(page)).toContain('/known?words=')
    await page.locator('.known-head').waitFor()
    await page.locator('.known').getByText('停车记录').first().waitFor()
    await page.goBack()
  })
  test('the palette finds it by any run of its characters too', async () => {
    for (const words of ['5026', 'f·65026', '鄂F·65']) {
      await page.keyboard.press('Control+k')
      await page.locator('.search-panel').getByRole('combobox').fill(words)
      await page.getByRole('option').filter({ hasText: '鄂F65026' }).waitFor()
      await page.keyboard.press('Escape')
      await page.locator('.search-panel').waitFor({ state: 'detached' })
    }
  })
})

describe('a list', () => {
  test('Tab out of a choice of several keeps what was chosen, by hand or by keys, and adds nothing', async () => {
    await go(LIST)
    await button(`增加 ${SAMPLES} 条`).click()
    await toast(page, `已增加 ${SAMPLES} 条`).waitFor()
    const state = page.getByLabel('状态', { exact: true })
    const chosen = page.locator('.search-many .ant-select-selection-item').filter({ hasNotText: '+' })
    await state.click()
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()
    await page.keyboard.press('Tab')
    await poll(() => chosen.allTextContents()).toEqual(['待处理'])
    await state.pressSequentially('完成')
    await page.keyboard.press('Tab')
    await poll(async () => (await chosen.allTextContents()).length).toBe(2)
  })
  test('what filters is a chip of its own, taken away alone; after reset, Back brings fields, chips and rows together', async () => {
    await button('查询').click()
    await chips().filter({ hasText: '状态' }).waitFor()
    await poll(() => total().textContent()).not.toBe(String(SAMPLES))
    const narrowed = await total().textContent()
    const name = page.getByLabel('名称', { exact: true })
    await name.fill('示例')
    await name.press('Enter')
    await poll(() => chips().count()).toBe(2)
    await poll(() => total().textContent()).toBe('0')
    await button('重置').click()
    await poll(() => chips().count()).toBe(0)
    expect(await name.inputValue()).toBe('')
    await page.goBack()
    await poll(() => chips().count()).toBe(2)
    await poll(() => name.inputValue()).toBe('示例')
    await poll(() => total().textContent()).toBe('0')
    await page.getByRole('button', { name: '去掉条件：名称' }).click()
    await poll(() => chips().count()).toBe(1)
    await poll(() => name.inputValue()).toBe('')
    await poll(() => total().textContent()).toBe(narrowed)
  })
  test('two filters taken away in one moment are both away', async () => {
    await page.getByLabel('名称', { exact: true }).fill('示例')
    await button('查询').click()
    await poll(() => chips().count()).toBe(2)
    // Nothing is drawn between the two.
    await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.filter button')].filter((one) => one.checkVisibility()).forEach((one) => one.click()),
    )
    await poll(() => chips().count()).toBe(0)
    await page.goBack()
    await page.goBack()
    await poll(() => chips().count()).toBe(2)
    await page.getByRole('button', { name: '去掉条件：名称' }).click()
    await poll(() => chips().count()).toBe(1)
  })
  test('the view in force is named, and says when it was changed', async () => {
    const views = page.locator('.list-tools:visible').getByRole('button', { name: /filter/ })
    await views.click()
    await page.locator('.views:visible').getByLabel('视图名称').fill('我的示例')
    await button('保存当前条件').click()
    await page.locator('.views:visible').getByRole('button', { name: '我的示例' }).click()
    await poll(() => views.innerText()).toContain('我的示例')
    expect(await views.innerText()).not.toContain('已修改')
    await page.getByLabel('名称', { exact: true }).fill('示例 1')
    await button('查询').click()
    await poll(() => views.innerText()).toContain('已修改')
    await button('重置').click()
    await poll(() => views.innerText()).toContain('视图')
    await page.goBack()
    await poll(() => page.getByLabel('名称', { exact: true }).inputValue()).toBe('示例 1')
    expect(await views.innerText()).toContain('已修改')
  })
  test('a filter chosen by name is named in its chip, also where a link set it: out of a list, a tree, a closed list of words', async () => {
    const named = (label: string) => chips().filter({ hasText: label }).locator('b')
    await go('/appManage/system/recycleBin?kind=system.document')
    await poll(() => named('类型').innerText()).toBe('文件')
    await go('/appManage/system/changeLog?entity=parking.park&event=update')
    await poll(async () => (await chips().locator('b').allInnerTexts()).join()).toBe('停车场,修改')
    const tree = page.waitForResponse((answer) => answer.url().includes('/resource/queryTree'))
    await go(BUTTONS)
    const { data } = (await (await tree).json()) as { data: { name: string; children: { id: string; name: string }[] }[] }
    const { id, name } = data.find(({ children }) => children.length > 0)!.children[0]!
    await go(`${BUTTONS}?resourceId=${id}`)
    await poll(() => chips().locator('b').innerText()).toBe(name)
  })
})

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../../city/client.ts'
import { PARKS } from '../../city/plan.ts'
import { group, GroupType } from '../../domains/member/contract/group.ts'
import { openBrowser } from '../support/browser.ts'
import { PASSWORD } from '../support/server.ts'
import { atConsole, type District, openDistrict } from './district.ts'

const RULES = '/dist/appManage/toll/ordinary'
const TIES = '/dist/assetManage/parkingAndFacility/chargeConfig'
/** Charged from 08:00 to 20:00; the night is not spoken of. */
const DOCUMENT = JSON.stringify({
  free: { minutes: 15, inclusive: true, mode: 'grace' },
  segments: [{ name: '白天', from: '08:00', to: '20:00', tiers: [{ toMin: null, unitMin: 60, price: 5 }], cap: 30 }],
})

let district: District
let browser: Browser
let page: Page
const goTo = (path: string) => page.goto(`${district.server.url}${path}`)
const yuanIn = (text: string) => Number(text.replace(/[^\d.-]/g, ''))

beforeAll(async () => {
  ;[district, browser] = await Promise.all([openDistrict(), openBrowser()])
  page = await atConsole(browser, district.server, 'admin')
})
afterAll(async () => {
  await browser?.close()
  await district?.close()
})

describe('the holiday calendar', () => {
  it('takes a day of the company’s own, says that it is one, and gives it back to what was published', async () => {
    await goTo(RULES)
    await page.getByRole('button', { name: '节假日日历' }).click()
    const calendar = page.getByRole('dialog').filter({ hasText: '节假日日历' })
    await calendar.getByRole('button', { name: /-15 新增$/ }).click()
    const setting = page.getByRole('dialog').filter({ hasText: /^设置 / })
    await setting.getByLabel('名称').fill('厂庆')
    await setting.getByRole('button', { name: /^保\s?存$/ }).click()
    await calendar.getByRole('button', { name: '节假日 厂庆（本企业）' }).click()
    await page.getByRole('button', { name: '恢复为公布的日历' }).click()
    await calendar.getByText('（本企业）').waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await calendar.waitFor({ state: 'detached' })
  })
})

describe('a fee rule from a document to a park', () => {
  it('is imported as a draft, and the hours that nobody spoke of are named as free', async () => {
    await goTo(RULES)
    await page.getByRole('button', { name: '导入规则文档' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('规则文档').fill('{ "segments": 5 }')
    await dialog.getByRole('button', { name: '导入为草稿' }).click()
    await dialog.getByText('document.segments').waitFor()
    await dialog.getByLabel('规则名称').fill('白天收费')
    await dialog.getByLabel('规则文档').fill(DOCUMENT)
    await dialog.getByRole('button', { name: '导入为草稿' }).click()
    await dialog.getByText('20:00–08:00').waitFor()
    await dialog.getByRole('button', { name: '完成' }).click()
    await page.locator('.ant-table-row', { hasText: '白天收费' }).getByText('草稿').waitFor()
  })

  it('is tried before it holds: every line adds up, what the cap cut is struck out', async () => {
    await page.locator('.ant-table-row', { hasText: '白天收费' }).click()
    const drawer = page.locator('.detail')
    await drawer.locator('.fee-clock .hours').first().waitFor()
    await drawer.getByRole('button', { name: '3 天' }).click()
    await drawer.getByRole('button', { name: /^试\s?算$/ }).click()
    await drawer.locator('.fee-lines .sum').waitFor()
    const amounts = await drawer.locator('.fee-lines tbody td:last-child > .money').allInnerTexts()
    const sum = yuanIn(await drawer.locator('.fee-lines .sum .money').innerText())
    expect(amounts.map(yuanIn).reduce((all, one) => all + one, 0)).toBeCloseTo(sum, 2)
    // Two whole days at their cap, and what is left of a third on either side.
    expect(sum).toBeGreaterThanOrEqual(60)
    expect(sum).toBeLessThanOrEqual(120)
    expect(await drawer.locator('.fee-lines s').count()).toBeGreaterThan(0)
    expect(await drawer.locator('.fee-flags').innerText()).toContain('时段封顶')
  })

  it('is published, tied to a park, and then is what a stay there costs', async () => {
    await page
      .locator('.detail')
      .getByRole('button', { name: /^发\s?布$/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: '发布，此后不可修改' }).click()
    await page.locator('.detail').getByText('已发布').first().waitFor()

    const admin = await signIn(district.server.url, 'admin', PASSWORD)
    await admin.ask(group.insert, { name: 'VIP 车主', type: GroupType.vip, parkCodes: [PARKS[0]!.parkCode] })
    await goTo(TIES)
    await page.getByRole('button', { name: '关联规则' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('规则', { exact: true }).click()
    await page.locator('.ant-select-item-option', { hasText: '白天收费' }).click()
    await dialog.getByLabel('月卡类型').click()
    await page.locator('.ant-select-item-option', { hasText: 'VIP 车主' }).click()
    await dialog.getByRole('button', { name: /^保\s?存$/ }).click()
    const row = page.locator('.ant-table-row', { hasText: '白天收费' })
    await row.getByText('v1').waitFor()
    expect(await row.innerText()).toContain('VIP 车主')
  })

  it('says which minute is missing, and cannot be published until it is there', async () => {
    await goTo(RULES)
    await page.getByRole('button', { name: '新增' }).click()
    await page.getByRole('dialog').getByLabel('规则名称').fill('缺时段')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^保\s?存$/ })
      .click()
    await page.locator('.ant-table-row', { hasText: '缺时段' }).click()
    const drawer = page.locator('.detail')
    await drawer.getByText('没有任何时段').waitFor()
    await drawer.getByRole('button', { name: '新增时段' }).click()
    const dialog = page.getByRole('dialog').last()
    await dialog.getByLabel('开始').fill('07:00')
    await dialog.getByLabel('结束').fill('06:30')
    await dialog.getByRole('button', { name: /^保\s?存$/ }).click()
    await page.locator('.toast', { hasText: '已保存' }).waitFor()
    await drawer.getByRole('button', { name: '设置价格' }).click()
    await page.getByRole('dialog').last().getByLabel('单价').fill('2')
    await page
      .getByRole('dialog')
      .last()
      .getByRole('button', { name: /^保\s?存$/ })
      .click()
    await drawer.locator('.fee-lint').getByText('06:30–07:00').waitFor()
    expect(await drawer.getByRole('button', { name: /^发\s?布$/ }).isDisabled()).toBe(true)
  })
})

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { atConsole, type District, openDistrict } from './district.ts'

const BOARD = '/dist/operation/laneBoard'
const HOURS_AGO = 3 * 3_600_000

let district: District
let browser: Browser
let page: Page
const card = (gate: string) => page.locator(`[data-gate="${gate}"]`)
const goTo = (path: string) => page.goto(`${district.server.url}${path}`)

beforeAll(async () => {
  ;[district, browser] = await Promise.all([openDistrict(), openBrowser()])
  page = await atConsole(browser, district.server, 'operator')
})
afterAll(async () => {
  await browser?.close()
  await district?.close()
})

describe('a car comes, stays, pays and leaves, and the console shows it', () => {
  it('appears on the lane board by itself, with the picture, the reason and its barrier command', async () => {
    const { entrance } = district
    await goTo(BOARD)
    await card('P001-G01').getByText('无车').waitFor()
    await entrance.plate({ plate: '粤B5T9Z2', image: await entrance.picture('粤B5T9Z2') })

    await card('P001-G01').getByText('5T9Z2').waitFor()
    await card('P001-G01').locator('.command .here', { hasText: '已确认' }).waitFor()
    await card('P001-G01').getByText('抬起').waitFor()
    const picture = card('P001-G01').locator('.lane-picture img')
    await picture.waitFor()
    expect(await picture.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBeGreaterThan(0)
    await entrance.pass()
    await card('P001-G01').getByText('无车').waitFor()
  })

  it('owes money at the exit, pays cash by two keys, and the barrier opens', async () => {
    const { entrance, exit } = district
    await entrance.plate({ plate: '粤C8K216', ts: Date.now() - HOURS_AGO, offline: true, seq: 1 })
    await goTo(BOARD)
    await exit.plate({ plate: '粤C8K216', image: await exit.picture('粤A6T180') })
    await card('P001-G02').locator('.due').waitFor()
    await card('P001-G02').locator('.lane-name').click()
    await page.keyboard.press('3')
    const act = card('P001-G02').getByRole('button', { name: /确认收现金 ¥\d/ })
    await act.waitFor()
    const due = Number(/¥([\d.]+)/.exec(await act.innerText())![1])
    // The cash handed over is for the cashier alone: the change, or the missing sum, is shown and nothing is sent.
    const change = card('P001-G02')
      .getByRole('status')
      .filter({ hasText: /找零|还差/ })
    const given = card('P001-G02').getByRole('spinbutton', { name: '收到' })
    await card('P001-G02').getByLabel('收到').click()
    await given.fill('100')
    await expect.poll(() => change.innerText(), { timeout: 20_000 }).toBe(`找零 ¥${(100 - due).toFixed(2)}`)
    await given.fill('1')
    await expect.poll(() => change.innerText(), { timeout: 20_000 }).toBe(`还差 ¥${(due - 1).toFixed(2)}`)
    await card('P001-G02').locator('.lane-act').focus()
    await page.keyboard.press('Enter')
    await exit.next('gate.open')
    await card('P001-G02').locator('.command .here', { hasText: '已确认' }).waitFor()
    await exit.pass()
    await card('P001-G02').getByText('无车').waitFor()
  })

  it('finds its lane locked from the board by keys alone, with a reason, and unlocked the same way', async () => {
    await goTo(BOARD)
    const lane = card('P001-G02')
    await lane.locator('.lane-name').click()
    // A key whose act there is not now says so.
    await page.keyboard.press('7')
    await page.locator('.toast', { hasText: '现在没有「核对费用」这一项' }).waitFor()
    await page.keyboard.press('8')
    await lane.getByText('锁闸后，缴费和手动都不能开闸').waitFor()
    for (const key of ['2', 'Enter']) await page.keyboard.press(key)
    await district.exit.next('gate.close')
    await lane.locator('.lane-barrier', { hasText: '锁闸' }).waitFor()
    await page.keyboard.press('8')
    await lane.getByText('解锁后恢复自动放行').waitFor()
    for (const key of ['2', 'Enter']) await page.keyboard.press(key)
    await lane.locator('.lane-barrier', { hasNotText: '锁闸' }).waitFor()
  })

  it('says each word of its lanes in sight on a telephone, in English too, with the day where it is not today', async () => {
    const { server } = district
    const admin = await server.signIn('admin')
    const hold = { gateCode: 'P001-G02', reason: 1, action: 3, seconds: 86_400 }
    expect((await server.ask(admin, 'POST', '/lbs/device/gateOperation/openGateToPark', hold)).message).toBe('ok')
    const telephone = await atConsole(browser, server, 'operator')
    await telephone.setViewportSize({ width: 390, height: 844 })
    await telephone.context().addCookies([{ name: 'lang', value: 'en', url: server.url }])
    await telephone.goto(`${server.url}${BOARD}`)
    const lane = telephone.locator('[data-gate="P001-G02"]')
    await lane.locator('.lane-barrier', { hasText: /until \d\d-\d\d \d\d:\d\d/ }).waitFor()
    const cut = (parts: Element[]) =>
      parts.filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1).map(({ className }) => className)
    expect(await telephone.locator('.lane, .lane > *, .lane-car, .needs').evaluateAll(cut)).toEqual([])
    await telephone.close()
    await server.ask(admin, 'POST', '/lbs/device/gateOperation/openGateToPark', { gateCode: 'P001-G02', reason: 1, action: 2 })
  })

  it('owes an amount that stands whole in an English card, as narrow as two beside each other', async () => {
    const { server, entrance, exit } = district
    await entrance.plate({ plate: '粤C5K331', ts: Date.now() - HOURS_AGO, offline: true, seq: 3 })
    await exit.plate({ plate: '粤C5K331', image: await exit.picture('粤C5K331') })
    const english = await atConsole(browser, server, 'operator')
    await english.context().addCookies([{ name: 'lang', value: 'en', url: server.url }])
    await english.setViewportSize({ width: 1400, height: 900 })
    await english.goto(`${server.url}${BOARD}`)
    const lane = english.locator('[data-gate="P001-G02"]')
    await lane.locator('.due').waitFor()
    const edge = (of: string, side: 'top' | 'bottom') => lane.locator(of).evaluate((one, at) => one.getBoundingClientRect()[at], side)
    expect(await edge('.due', 'bottom')).toBeLessThanOrEqual(await edge('.lane-barrier', 'top'))
    await english.close()
  })

  it('is said to have no plate, in either language, where none was read: neither on a blue plate nor in Chinese alone; an act on it opens whole', async () => {
    const { server, exit } = district
    const english = await atConsole(browser, server, 'operator')
    await exit.plate({ plate: '' })
    await english.context().addCookies([{ name: 'lang', value: 'en', url: server.url }])
    await english.goto(`${server.url}${BOARD}`)
    const plate = english.locator('[data-gate="P001-G02"] .lane-who .plate')
    await plate.getByText('No plate', { exact: true }).waitFor()
    expect(await plate.getAttribute('class')).toContain('other')
    await english.setViewportSize({ width: 1440, height: 620 })
    await english.locator('[data-gate="P001-G02"] .lane-name').click()
    await english.keyboard.press('6')
    const end = english.locator('.lane-act footer')
    await end.waitFor()
    const bottom = (one: Element) => one.getBoundingClientRect().bottom
    expect(await end.evaluate(bottom)).toBeLessThanOrEqual(await english.locator('.board-lanes').evaluate(bottom))
    await english.close()
  })

  it('is entered by hand at a lane of its park; where lanes of several are offered each says its park', async () => {
    await goTo('/dist/operation/record/parking/present')
    const options = page.locator('.ant-select-dropdown:visible .ant-select-item-option-content')
    await page.getByRole('button', { name: '补录入场' }).click()
    const dialog = page.getByRole('dialog', { name: '补录入场' })
    await dialog.getByText('请选择').nth(1).waitFor()
    await dialog.getByLabel('车场').click()
    await options.filter({ hasText: '中心医院南区停车场' }).click()
    await dialog.getByLabel('入口通道').click()
    await expect.poll(() => options.allInnerTexts()).toEqual(['入口 1'])
    await goTo('/dist/assetManage/parkingAndFacility/callout')
    await page.getByRole('button', { name: '登记呼叫' }).click()
    await page.getByRole('dialog').getByLabel('通道').click()
    await expect.poll(() => options.allInnerTexts()).toContain('中心医院南区停车场 · 入口 1')
    await page.reload()
  })

  it('has cost the same and stood as long so far in the list of cars present and in the records', async () => {
    await district.entrance.plate({ plate: '粤D77K21', ts: Date.now() - HOURS_AGO - 60_000, offline: true, seq: 4 })
    const told = async (path: string) => {
      await goTo(`/dist/operation/record/parking/${path}?plateNo=粤D77K21`)
      const row = page.locator('.ant-table-row', { hasText: '77K21' })
      await row.locator('.money + .so-far').waitFor()
      return row.locator('td').filter({ hasText: '至今' }).allInnerTexts()
    }
    const present = await told('present')
    expect(present).toEqual([expect.stringMatching(/^3小时1分至今$/), expect.stringMatching(/^¥[1-9]\d*\.\d\d至今$/)])
    expect(await told('parkingRecord')).toEqual(present)
    // A slip for its driver says how long it has stood, though it has not left.
    await page.locator('.ant-table-row').first().click()
    await page.locator('.detail').getByRole('button', { name: '打印' }).click()
    const slip = page.getByRole('dialog', { name: '给车主的停车单' })
    await slip.getByText(/3小时\d分/).waitFor()
    await page.keyboard.press('Escape')
  })

  it('is named by its park and lane, not by a code, where a help call from it is written down', async () => {
    await goTo('/dist/assetManage/parkingAndFacility/callout')
    await page.getByRole('button', { name: '登记呼叫' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('通道').click()
    await page.locator('.ant-select-dropdown:visible .ant-select-item', { hasText: '出口 1' }).first().click()
    await dialog.getByLabel('处理结果').click()
    await page.locator('.ant-select-dropdown:visible .ant-select-item').last().click()
    await dialog.getByRole('button', { name: '保存' }).click()
    await page.locator('.ant-table-row').first().getByText('登记处理').click()
    await page.getByRole('dialog', { name: '登记处理 · 人民广场地下停车场 · 出口 1' }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('tells on its own page why it cost what it cost, and who was paid', async () => {
    await goTo('/dist/operation/record/parking/parkingRecord?plateNo=粤C8K216')
    await page.locator('.ant-table-row').first().click()
    const story = page.locator('.story')
    await story.getByText('计费明细').waitFor()
    const sum = await story.locator('.fee-lines .sum .money').innerText()
    expect(Number(sum.replace(/[^\d.]/g, ''))).toBeGreaterThan(0)
    // The same amount stands in the order, as paid.
    const paid = story.locator('table', { hasText: '订单' }).locator('tbody tr').first()
    expect(await paid.innerText()).toContain(sum.replace(/[^\d.]/g, ''))
    expect(await paid.innerText()).toContain('现金')
    expect(await story.locator('.checks .hit').count()).toBeGreaterThan(0)
    await story.getByText('离场').first().waitFor()
    // On a telephone each part of a line stands below the other, nothing beyond the edge.
    await page.setViewportSize({ width: 390, height: 844 })
    await story.locator('.fee-lines tbody [data-name=金额]').first().waitFor()
    expect(await story.locator('.stacked').evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth))).toEqual([0, 0])
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('was another car by the picture: its exit is undone beside that picture, for another plate than its own', async () => {
    await goTo('/dist/operation/record/parking/parkingRecord?plateNo=粤C8K216')
    await page.locator('.ant-table-row').first().getByRole('button', { name: '更多' }).click()
    await page.getByRole('menuitem', { name: '撤销离场' }).click()
    const dialog = page.getByRole('dialog', { name: '撤销离场 · 粤C8K216' })
    await dialog.getByText('人民广场地下停车场').waitFor()
    await dialog.locator('img').first().waitFor()
    await dialog.getByLabel('实际离场的车牌').fill('粤c8k216')
    await dialog.getByText('与本记录的车牌相同').waitFor()
    await dialog.getByLabel('实际离场的车牌').fill('粤A6T180')
    await dialog.getByLabel('原因').fill('修正车牌选错了车')
    await dialog.getByRole('button', { name: '撤销离场' }).click()
    await page.locator('.toast', { hasText: '粤C8K216 已恢复在场' }).waitFor()
  })

  it('keeps the reading when a person corrects a misread plate, and shows the change live', async () => {
    await goTo('/dist/operation/record/parking/present')
    const row = page.locator('.ant-table-row', { hasText: '5T9Z2' })
    await row.getByText('修正车牌').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('车牌号').fill('粤B5T9Z8')
    await dialog.getByLabel('原因').fill('相机误识别')
    await dialog.getByRole('button', { name: '修正车牌' }).click()
    const corrected = page.locator('.ant-table-row', { hasText: '5T9Z8' })
    await corrected.waitFor()
    await corrected.click()
    await page.locator('.story').getByText('原车牌').first().waitFor()
    await page.locator('.story .history').getByText('相机误识别').waitFor()
  })
})

it('a coordinate beyond its bounds stays as it was typed, is told them and not saved', async () => {
  const admin = await atConsole(browser, district.server, 'admin')
  await admin.goto(`${district.server.url}/dist/assetManage/parkingAndFacility/location?park=P001`)
  const place = admin.locator('.park-place')
  await place.getByLabel('经度').fill('114.3')
  await place.getByLabel('纬度').fill('95')
  await place.getByRole('alert').getByText('纬度应在 -90 至 90 之间').waitFor()
  await place.getByLabel('地址').focus()
  expect(Number(await place.getByLabel('纬度').inputValue())).toBe(95)
  expect(await place.getByRole('button', { name: '保存位置' }).isDisabled()).toBe(true)
  await place.getByLabel('纬度').fill('30.5')
  await place.getByRole('alert').waitFor({ state: 'detached' })
  await place.getByRole('button', { name: '保存位置' }).click()
  await admin.locator('.toast', { hasText: '位置已保存' }).waitFor()
})

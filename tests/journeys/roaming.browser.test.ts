import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newFour } from '../../city/partner/child.ts'
import { type RunningPartner, startPartner } from '../../city/partner/server.ts'
import { aYard, now, type Yard } from '../../domains/charging/server/testing.ts'
import { openSession } from '../../domains/owner/server/api.ts'
import { aGarage, type Garage } from '../../domains/owner/server/testing.ts'
import { GUEST_COOKIE } from '../../platform/server/call/cookies.ts'
import { allowOutside } from '../../platform/server/outside.ts'
import { barriers } from '../a11y/axe.ts'
import { openBrowser } from '../support/browser.ts'
import { atConsole } from './district.ts'

const HABITS = { silent: 0, busy: 0, stubborn: 0, disputes: 0, drivers: 0, stops: 0 }
const WAITS = { timeout: 20_000, interval: 50 }
let yard: Yard
let garage: Garage
let browser: Browser
let running: RunningPartner
let console_: Page
let phone: Page
const wrong: string[] = []
beforeAll(async () => {
  ;[yard, browser] = await Promise.all([aYard(), openBrowser()])
  garage = await aGarage(yard)
  const ask = async (path: string, body: object) => (await yard.server.ask(yard.admin, 'POST', `/lbs/charging/chargingPlatform/${path}`, body)).data
  const { id, version } = await ask('add', { name: '汉江易充', operatorId: 'MA27B2EB4', role: 3 })
  const given = await ask('rotateSecret', { id, version })
  const own = newFour()
  // Four seconds of a charge are one: enough to see it grow, and its bill lies no further ahead than clocks may differ.
  const stations = { speed: 4, traffic: 0 }
  running = await startPartner({ port: 0, platform: yard.server.url, operatorId: 'MA27B2EB4', given, own, habits: HABITS, everyMs: 200, stations })
  allowOutside([new URL(running.url).host])
  const moved = await ask('update', { id, version: version + 1, baseUrl: `${running.url}/evcs/v1` })
  await ask('saveSecret', { id, version: moved.version, ...own })
  console_ = await atConsole(browser, yard.server, 'admin')
  const { ownerId } = await garage.anOwner('王芳')
  await garage.recharge(ownerId, 10_000)
  const token = await yard.write((tx) => openSession(tx, ownerId, '127.0.0.1', now()))
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })
  await context.addCookies([{ name: GUEST_COOKIE.driver, value: token, url: yard.server.url }])
  phone = await context.newPage()
  for (const page of [console_, phone]) page.on('pageerror', (error) => wrong.push(error.message))
})
afterAll(async () => {
  await browser?.close()
  await running?.stop()
  await yard?.close()
})
const looksRight = async () => {
  expect(await barriers(phone)).toEqual([])
  expect(await phone.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
}

test('a partner’s stations are fetched on its page, with states and prices', async () => {
  await console_.goto(`${yard.server.url}/dist/recharge/chargingPlatform`)
  await console_.getByRole('tab', { name: '合作电站' }).click()
  await console_.getByRole('button', { name: '立即获取' }).click()
  await console_.getByRole('dialog').getByRole('combobox', { name: '互联平台' }).click()
  await console_.locator('.ant-select-item-option', { hasText: '汉江易充' }).click()
  await console_.getByRole('button', { name: '获取', exact: true }).click()
  await console_.getByText('已获取电站 2 个、充电枪 6 把').waitFor()
  const row = console_.locator('.ant-table-row', { hasText: 'HJ-WANHUI-1' })
  await row.getByText('占用（未充电）').waitFor()
  expect(await row.textContent()).toMatch(/0\.\d{4}|1\.\d{4}/)
})

test('a driver finds one by its name, starts, follows it, stops, and pays what the partner billed', async () => {
  await phone.goto(`${yard.server.url}/my/1#charging`)
  await phone.getByRole('searchbox', { name: '充电站名称或充电枪编号' }).fill('万汇')
  await phone.getByRole('button', { name: '查找' }).click()
  await phone.getByRole('heading', { name: '万汇广场超充站' }).waitFor()
  await looksRight()
  await phone.getByRole('button', { name: '启动 HJ-WANHUI-1' }).click()
  await phone.getByText('先冻结 ¥50.00').waitFor()
  await looksRight()
  await phone.getByRole('button', { name: '启动充电' }).click()
  await phone.getByRole('heading', { name: '万汇广场超充站 · HJ-WANHUI-1' }).waitFor()
  await looksRight()
  await vi.waitFor(
    async () => expect((await yard.sql<any>('select energy_wh > 0 as more, status from charging.roaming'))[0]).toEqual({ more: true, status: 2 }),
    WAITS,
  )
  await phone.reload()
  await phone.getByRole('status').filter({ hasText: '充电中' }).waitFor()
  await looksRight()
  await phone.getByRole('button', { name: '停止充电' }).click()
  await vi.waitFor(
    async () => expect((await yard.sql<any>('select status, doubts from charging.roaming'))[0]).toEqual({ status: 5, doubts: [] }),
    WAITS,
  )
  await phone.reload()
  await phone.getByRole('heading', { name: '合作电站充电订单' }).waitFor()
  await phone.getByText('已完成').waitFor()
  await looksRight()
  const [{ capturedFen }] = (await yard.sql<any>('select captured_fen from charging.roaming')) as [any]
  expect(await phone.getByRole('listitem').filter({ hasText: '已完成' }).textContent()).toContain(`¥${(capturedFen / 100).toFixed(2)}`)
})

test('the console shows the charge with its bill, its messages and its entries', async () => {
  await console_.goto(`${yard.server.url}/dist/recharge/chargingRoaming`)
  await console_.locator('.ant-table-row', { hasText: '万汇广场超充站' }).click()
  const drawer = console_.getByRole('dialog')
  await drawer.getByText('对方账单').waitFor()
  await drawer.getByText('notification_charge_order_info').waitFor()
  await drawer.getByText('应付互联平台').first().waitFor()
  expect(await barriers(console_)).toEqual([])
  expect(wrong).toEqual([])
})

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { barriers } from '../a11y/axe.ts'
import { openBrowser } from '../support/browser.ts'
import { atConsole, type District, openDistrict } from './district.ts'

let district: District
let browser: Browser
let page: Page
let tv: Page
let address: string
const wrong: string[] = []
beforeAll(async () => {
  ;[district, browser] = await Promise.all([openDistrict(), openBrowser()])
  page = await atConsole(browser, district.server, 'admin')
  const nobody = await browser.newContext({ viewport: { width: 1920, height: 1080 }, timezoneId: 'Asia/Shanghai', reducedMotion: 'reduce' })
  tv = await nobody.newPage()
  for (const one of [page, tv]) one.on('pageerror', (error) => wrong.push(error.message))
})
afterAll(async () => {
  await browser?.close()
  await district?.close()
})
const shot = (one: Page, name: string) => process.env['SHOTS'] && one.screenshot({ path: `${process.env['SHOTS']}/${name}.png` })

test('a link is made in the console; its address is shown once', async () => {
  await district.entrance.plate({ plate: '鄂F65030' })
  await page.goto(`${district.server.url}/dist/assetManage/parkingAndFacility/wallLink`)
  await page.getByRole('button', { name: '新建链接' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '生成链接' }).click()
  await dialog.getByText('请填写名称').first().waitFor()
  await dialog.getByLabel('名称').fill('指挥中心左屏')
  await shot(page, 'form')
  await dialog.getByLabel('轮播间隔').fill('10')
  await dialog.getByRole('button', { name: '生成链接' }).click()
  address = await page.getByText(/\/dist\/wall#/).innerText()
  await shot(page, 'once')
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: '我已保存' }).click()
  const row = page.locator('.ant-table-row', { hasText: '指挥中心左屏' })
  await row.getByText('有效').waitFor()
  expect(await page.content()).not.toContain(address.split('#')[1])
  await shot(page, 'list')
})

test('a screen without a session shows the walls in turn; nothing on it leads into the console', async () => {
  const asked: string[] = []
  tv.on('request', (request) => request.url().includes('/lbs/') && asked.push(new URL(request.url()).pathname))
  await tv.goto(address.trim())
  await tv.getByRole('heading', { name: '停车场大屏' }).waitFor()
  await tv.getByText('每小时进出', { exact: true }).waitFor()
  await tv.getByText('指挥中心左屏').waitFor()
  await tv.getByRole('heading', { name: '最近进出' }).waitFor()
  await tv.locator('.wall-moves tbody tr', { hasText: '进场' }).waitFor()
  expect(await tv.content()).not.toContain('65030')
  await tv.locator('.place-map').waitFor()
  await shot(tv, 'parks')
  expect(await tv.locator('a').count()).toBe(0)
  expect(await barriers(tv)).toEqual([])
  await tv.getByRole('heading', { name: '路内停车大屏' }).waitFor({ timeout: 20_000 })
  await tv.locator('.wall-duty').waitFor()
  await shot(tv, 'street')
  expect(await tv.locator('a').count()).toBe(0)
  expect(await tv.locator('.explain').count()).toBe(0)
  expect(await barriers(tv)).toEqual([])
  expect(new Set(asked)).toEqual(new Set(['/lbs/business/wall/snapshot']))
})

test('cut off from the server it says so, and since when, in words that can be read from across the room', async () => {
  const snapshots = '**/wall/snapshot'
  await tv.route(snapshots, (route) => route.abort())
  await tv.getByRole('alert').waitFor({ timeout: 20_000 })
  expect(await barriers(tv)).toEqual([])
  await tv.unroute(snapshots)
  await tv.getByRole('alert').waitFor({ state: 'detached', timeout: 20_000 })
})

test('revoked, it goes dark and says what to do', async () => {
  const row = page.locator('.ant-table-row', { hasText: '指挥中心左屏' })
  await row.getByRole('button', { name: '吊销' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '吊销' }).click()
  await row.getByText('已吊销').waitFor()
  await tv.getByRole('heading', { name: '大屏链接已失效' }).waitFor({ timeout: 20_000 })
  await shot(tv, 'over')
  expect(wrong).toEqual([])
})

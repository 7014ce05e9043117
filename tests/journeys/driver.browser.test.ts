import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../../city/client.ts'
import { qrcode } from '../../domains/parking/contract/qrcode.ts'
import { barriers } from '../a11y/axe.ts'
import { openBrowser } from '../support/browser.ts'
import { PASSWORD } from '../support/server.ts'
import { type District, openDistrict } from './district.ts'

const PLATE = '鄂F12345'
let district: District
let browser: Browser
let page: Page
let address: string
const wrong: string[] = []
beforeAll(async () => {
  ;[district, browser] = await Promise.all([openDistrict(), openBrowser()])
  const { records } = await (await signIn(district.server.url, 'admin', PASSWORD)).ask(qrcode.query, { parkCode: 'P001', target: [1] })
  address = `${district.server.url}/q/${records[0]!.code}`
  await district.entrance.plate({ plate: PLATE })
  await district.entrance.next('gate.open')
  await district.entrance.pass()
  page = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
})
afterAll(async () => {
  await browser?.close()
  await district?.close()
})

test('a driver scans, types the plate on the keypad, and is told what is due, in either language', async () => {
  await page.goto(address)
  for (const sign of PLATE) await page.locator('.keys').getByRole('button', { name: sign, exact: true }).click()
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: '查询停车费' }).click()
  expect(await page.getByRole('status').textContent()).toBe('目前无需缴费，可直接离场')
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'English' }).click()
  expect(await page.getByRole('status').textContent()).toBe('Nothing to pay: you may leave')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
})
test('a plate that is not here is said to be none of this park, by keyboard too', async () => {
  await page.getByRole('button', { name: 'Another plate' }).click()
  await page.getByRole('textbox').fill('鄂f·54321')
  await page.keyboard.press('Enter')
  expect(await page.getByRole('alert').textContent()).toContain('was not found here')
  expect(wrong).toEqual([])
})
test('a forged code opens a page that says so, with nothing to type into', async () => {
  const forged = await page.goto(`${address.slice(0, -1)}~`)
  expect(forged!.status()).toBe(404)
  expect(await page.getByRole('textbox').count()).toBe(0)
})
test('the code of a lane names the lane, and says of the car that stands there since when it is inside', async () => {
  const admin = await signIn(district.server.url, 'admin', PASSWORD)
  const [exit] = (await admin.ask(qrcode.query, { parkCode: 'P001', target: [2], targetCode: 'P001-G02' })).records
  await district.exit.plate({ plate: PLATE })
  await district.exit.next('gate.open')
  await page.goto(`${district.server.url}/q/${exit!.code}`)
  await page.locator('header').getByText(exit!.name, { exact: true }).waitFor()
  await page.getByRole('button', { name: '中文' }).click()
  await page.getByRole('button', { name: PLATE }).click()
  await page.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d 入场，已停 0分钟$/).waitFor()
  await page.getByRole('button', { name: 'English' }).click()
  await page.getByText(/^Entered .+, parked for 0 min$/).waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
})

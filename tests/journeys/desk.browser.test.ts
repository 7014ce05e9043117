import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aShop, type Shop } from '../../domains/coupon/server/testing.ts'
import { barriers } from '../a11y/axe.ts'
import { openBrowser } from '../support/browser.ts'

const PASSWORD = 'Shop@2026new'
let shop: Shop
let browser: Browser
let page: Page
let mch: { id: string; mchNo: string; login: string; password: string }
const plate = '鄂F12345'
const wrong: string[] = []
beforeAll(async () => {
  ;[shop, browser] = await Promise.all([aShop(), openBrowser()])
  mch = (await shop.merchant({ settleMode: 2, balanceFen: 300, creditFen: 100 })) as typeof mch
  await shop.sale(mch.id, await shop.template({ name: '消费满百减3元' }), { qty: 2 })
  await shop.sale(mch.id, await shop.template({ name: '开业全免券', type: 4, value: 0, maxDiscountFen: 3_000 }), { qty: 5 })
  page = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })
  page.on('pageerror', (error) => wrong.push(error.message))
})
afterAll(async () => {
  await browser?.close()
  await shop?.close()
})
const press = (name: string | RegExp) => page.getByRole('button', { name }).click()
const typePlate = async () => {
  for (const sign of plate) await page.locator('.keys').getByRole('button', { name: sign, exact: true }).click()
}
const fits = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('a merchant signs in, chooses a password of its own, and sees what it has', async () => {
  await page.goto(`${shop.ground.server.url}/m`)
  await page.getByRole('textbox', { name: '商户编号' }).fill(mch.mchNo.toLowerCase())
  await page.getByLabel('密码', { exact: true }).fill('not this')
  await press('登录')
  expect(await page.getByRole('alert').textContent()).toContain('用户名或密码错误')
  await page.getByLabel('密码', { exact: true }).fill(mch.password)
  await press('登录')
  await page.getByLabel('新密码', { exact: true }).fill('short')
  await page.getByLabel('再输一次新密码', { exact: true }).fill('short')
  await press('修改密码')
  expect(await page.getByRole('alert').textContent()).toContain('9位')
  await page.getByLabel('新密码', { exact: true }).fill(PASSWORD)
  await page.getByLabel('再输一次新密码', { exact: true }).fill(PASSWORD)
  await press('修改密码')
  await page.getByText('¥3.00', { exact: true }).waitFor()
  expect(await barriers(page)).toEqual([])
  expect(await fits()).toBe(0)
})

test('a plate and a coupon are two taps; what is more than it can pay is said, and what was given is taken back', async () => {
  const typed = page.getByRole('textbox', { name: '车牌号' })
  await typed.fill('鄂F123')
  expect(await page.getByRole('button', { name: /减 ¥3/ }).isDisabled()).toBe(true)
  await typed.fill('')
  expect(await page.getByRole('button', { name: /减 ¥3/ }).isEnabled()).toBe(true)
  await typePlate()
  await press(/全免/)
  expect(await page.getByRole('alert').textContent()).toBe('余额和授信不足，还差 ¥26.00；请先充值或增加授信')
  await press(/减 ¥3/)
  expect(await page.getByRole('status').textContent()).toContain(`已发给 ${plate}`)
  expect(await barriers(page)).toEqual([])
  await press('今日')
  await page.getByText('待使用').waitFor()
  await press(`撤回 ${plate}`)
  await page.getByText('已撤回').waitFor()
  expect(await shop.coupons(plate)).toMatchObject([{ state: 5 }])
})

test('a car is found by its last digits, with how long it has been there and what it owes; one that has not come is said to be away', async () => {
  await shop.field.enters('鄂FD8K21', 0)
  await press('发券')
  await page.getByRole('textbox', { name: '车牌末几位' }).fill('8k21')
  await press('查在场')
  const row = page.getByRole('button', { name: /鄂FD8K21/ })
  expect(await row.textContent()).toMatch(/现在应付 ¥\d+\.\d\d.*入场 · 已停/)
  await row.click()
  await page.getByText('在场', { exact: true }).waitFor()
  await press('换一个车牌')
  await typePlate()
  await page.getByText(`${plate} 现在不在您的车场`).waitFor()
  await press('换一个车牌')
  expect(await barriers(page)).toEqual([])
  expect(await fits()).toBe(0)
})

test('it recharges itself: an amount, then the app that pays, and what is owed is repaid first', async () => {
  await press('充值')
  await page.getByRole('button', { name: '¥500.00', exact: true }).click()
  await page.getByRole('button', { name: '微信支付 ¥500.00' }).waitFor()
  expect(await barriers(page)).toEqual([])
  expect(await fits()).toBe(0)
  await press('返回')
})

test('the lines of its day are its statement, in either language', async () => {
  await press('English')
  await press('Statements')
  await press(/Closing ¥3\.00/)
  await expect
    .poll(() => page.locator('dl div').allInnerTexts())
    .toEqual([
      expect.stringMatching(/^Opening balance\s+¥0\.00$/),
      expect.stringMatching(/Recharge\s+¥3\.00$/),
      expect.stringMatching(/^Closing balance\s+¥3\.00$/),
    ])
  expect(await barriers(page)).toEqual([])
  expect(await fits()).toBe(0)
})

test('it stays signed in over a new visit, and is out when the car park disables it', async () => {
  await page.reload()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  await shop.custom('/merchant/updateStatus', { id: mch.id, version: (await shop.merchantOf(mch.id)).version, status: 2 })
  await press('Today')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  expect(wrong).toEqual([])
})

test('its first load is light', async () => {
  const sizes: number[] = []
  const other = await browser.newPage()
  other.on('response', (answer) => void sizes.push(Number(answer.headers()['content-length'] ?? 0)))
  await other.goto(`${shop.ground.server.url}/m`)
  await other.getByRole('button').first().waitFor()
  const kb = sizes.reduce((sum, bytes) => sum + bytes, 0) / 1024
  expect(kb).toBeGreaterThan(1)
  expect(kb).toBeLessThan(60)
})

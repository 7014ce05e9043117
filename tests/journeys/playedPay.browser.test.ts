import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { payIdIn, precreated } from '../../city/pay/alipay/testing.ts'
import { aDesk, type Desk } from '../../city/pay/testing.ts'
import { orderFor } from '../../city/pay/wechat/testing.ts'
import { openBrowser } from '../support/browser.ts'

const WIDTH = 390
/** As long as a channel takes it, and without a place to break. */
const SUBJECT = `停车费${'A'.repeat(120)}`
let desk: Desk
let browser: Browser
let page: Page
beforeAll(async () => {
  ;[desk, browser] = await Promise.all([aDesk(), openBrowser()])
  page = await browser.newPage({ viewport: { width: WIDTH, height: 844 }, locale: 'zh-CN' })
})
afterAll(async () => {
  await browser?.close()
  await desk?.close()
})
/** How far the page reaches beyond the telephone. */
const beyond = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
const mchid = () => desk.keys.wechat.merchants[0]!.mchid
const stateOf = async (number: string) => (await desk.wechat('GET', `/v3/pay/transactions/out-trade-no/${number}?mchid=${mchid()}`)).body.trade_state
const coded = async (number: string) =>
  (await desk.wechat('POST', '/v3/pay/transactions/native', orderFor(desk, number, { description: SUBJECT }))).body.code_url as string

it('a driver reads a WeChat order on a telephone, cancels it, opens it again in English, and pays', async () => {
  const url = await coded('journey-1')
  await page.goto(url)
  await page.getByRole('heading', { name: '¥5.00' }).waitFor()
  expect(await beyond()).toBe(0)
  await page.getByRole('button', { name: '取消' }).click()
  await page.getByText('已取消，未扣款').waitFor()
  expect(await stateOf('journey-1')).toBe('NOTPAY')
  await page.goto(url)
  await page.getByRole('link', { name: 'English' }).click()
  await page.getByRole('button', { name: 'Pay' }).waitFor()
  expect(await beyond()).toBe(0)
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByText('Paid', { exact: true }).waitFor()
  expect(await stateOf('journey-1')).toBe('SUCCESS')
  await page.goto(url)
  await page.getByText('该订单已支付').waitFor()
})

it('a driver pays an Alipay order on a telephone', async () => {
  const payId = payIdIn(await precreated(desk, 'journey-2', { subject: SUBJECT }))
  await page.goto(`${desk.url}/alipay/qr/${payId}`)
  await page.getByRole('button', { name: '确认付款' }).waitFor()
  expect(await beyond()).toBe(0)
  await page.getByRole('button', { name: '确认付款' }).click()
  await page.getByText('支付成功').waitFor()
  expect(desk.published.store.byPayId('alipay', payId)?.state).toBe('paid')
})

it.each([
  ['wechat', '车牌颜色', '开通', 'BLUE'],
  ['alipay', '车牌颜色', '同意开通', 'blue'],
] as const)('a driver opens debits by plate at %s', async (channel, label, act, color) => {
  await page.goto(`${desk.url}/${channel}/parking`)
  await page.getByLabel('车牌号').fill('鄂A12345')
  await page.getByLabel(label).selectOption(color)
  expect(await beyond()).toBe(0)
  await page.getByRole('button', { name: act, exact: true }).click()
  await page.getByText('已开通').waitFor()
  expect(desk.published.store.plate(channel, '鄂A12345', color)?.state).toBe('normal')
})

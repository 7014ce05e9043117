import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { giveSecret } from '../../domains/charging/server/api.ts'
import { overdue, sweepOne } from '../../domains/charging/server/sweep.ts'
import { aYard, type Yard } from '../../domains/charging/server/testing.ts'
import { connectPile, type Json, type PileWire } from '../../gateways/ocpp/simulator.ts'
import type { Instant } from '../../platform/contract/field.ts'
import { barriers } from '../a11y/axe.ts'
import { openBrowser } from '../support/browser.ts'

const SECRET = 'demo-secret-of-piles'
const POINT = 'GUN-1'
let yard: Yard
let browser: Browser
let page: Page
let wire: PileWire
let address: string
/** The pile's transaction: by whose token it runs, and its id. */
let token = ''
let transactionId = 0
const wrong: string[] = []
beforeAll(async () => {
  ;[yard, browser] = await Promise.all([aYard(), openBrowser()])
  const { equipmentId, connectorIds } = await yard.aPile()
  await yard.sql('update charging.equipment set charge_point_id = $2, protocol = 1 where equipment_id = $1', [equipmentId, POINT])
  await yard.write((tx) => giveSecret(tx, equipmentId, SECRET))
  const answers = {
    RemoteStartTransaction: ({ idTag }: Json) => ((token = idTag), { status: 'Accepted' }),
    RemoteStopTransaction: () => (void ends(), { status: 'Accepted' }),
    TriggerMessage: () => ({ status: 'Accepted' }),
  }
  wire = await connectPile({ url: `ws://127.0.0.1:${yard.server.ocppPort}`, id: POINT, secret: SECRET, answers })
  await says('Available')
  const [row] = await yard.sql<{ code: string }>('select code from parking.qrcode_shown where target = 4 and target_code = $1', [connectorIds[0]])
  address = `${yard.server.url}/q/${row!.code}`
  page = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('console', (message) => message.type() === 'error' && message.location().url.startsWith(yard.server.url) && wrong.push(message.text()))
})
afterAll(async () => {
  wire?.cut()
  await browser?.close()
  await yard?.close()
})

const stamp = () => new Date().toISOString()
const says = (status: string) => wire.call('StatusNotification', { connectorId: 1, status, errorCode: 'NoError', timestamp: stamp() })
const sample = (wh: number, soc: number) =>
  wire.call('MeterValues', {
    connectorId: 1,
    transactionId,
    meterValue: [
      {
        timestamp: stamp(),
        sampledValue: [
          { value: String(wh), measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
          { value: '58000', measurand: 'Power.Active.Import', unit: 'W' },
          { value: String(soc), measurand: 'SoC', unit: 'Percent' },
        ],
      },
    ],
  })
async function ends(): Promise<void> {
  await wire.call('StopTransaction', { transactionId, idTag: token, meterStop: 11_500, timestamp: stamp(), reason: 'Remote' })
  await says('Finishing')
  await says('Available')
}
/** The bill is due half a minute after the end; here at once. */
async function billed(): Promise<void> {
  const at = new Date(Date.now() + 60_000).toISOString() as Instant
  for (const one of await yard.write((tx) => overdue(tx, at))) await yard.write((tx) => sweepOne(tx, one, at))
}
const status = () => page.getByRole('status')
const saying = (text: string) => status().filter({ hasText: text }).waitFor()
const widthFits = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test('a driver scans a gun, reads the price of now, and pays fifty yuan in advance', async () => {
  await page.goto(address)
  await saying('空闲')
  expect(await page.locator('.due').first().textContent()).toMatch(/¥(1\.00|0\.70)\/度/)
  expect(await page.getByRole('radio', { name: '¥50' }).isChecked()).toBe(true)
  expect(await barriers(page)).toEqual([])
  expect(await widthFits()).toBe(0)
  await page.getByRole('button', { name: '微信支付 ¥50.00' }).click()
  await page.getByRole('button', { name: '支付 Pay' }).click()
  await page.goto(address)
  await saying('已支付，请插枪')
  expect(await barriers(page)).toEqual([])
})
test('plugged in it charges, and the page tells kWh, power, battery and money as they come', async () => {
  await says('Preparing')
  await expect.poll(() => token).not.toBe('')
  transactionId = (await wire.call('StartTransaction', { connectorId: 1, idTag: token, meterStart: 10_000, timestamp: stamp() })).transactionId
  await says('Charging')
  await saying('充电中')
  await sample(11_200, 61)
  await page.getByText('1.20 度').waitFor()
  expect(await page.locator('main').textContent()).toMatch(/58\.0 kW.*61%/)
  await page.getByRole('textbox', { name: '车牌号' }).fill('鄂FD12345')
  await page.getByRole('button', { name: '登记车牌' }).click()
  await expect.poll(async () => (await yard.sql<any>('select plate_no from charging.charge'))[0].plateNo).toBe('鄂FD12345')
  expect(await barriers(page)).toEqual([])
  await page.getByRole('button', { name: 'English' }).click()
  await saying('Charging')
  expect(await widthFits()).toBe(0)
})
test('stopped twice over it ends; the bill has its lines, and the rest of the money is on its way back', async () => {
  await page.getByRole('button', { name: 'Stop charging' }).click()
  await page.getByRole('button', { name: 'Yes, stop' }).click()
  await saying('Charging has ended')
  await billed()
  await page.getByRole('heading', { name: 'Payment and refund' }).waitFor()
  const told = (await page.locator('main').textContent())!
  expect(told).toMatch(/Charging bill · 1\.50 kWh/)
  const [bill] = await yard.sql<any>('select payable_fen from charging.bill')
  const yuan = (fen: number) => `¥${(fen / 100).toFixed(2)}`
  expect(told).toContain(`To pay${yuan(bill.payableFen)}`)
  expect(told).toContain(`Refunded${yuan(5000 - bill.payableFen)}`)
  expect(await barriers(page)).toEqual([])
  expect(await widthFits()).toBe(0)
  await page.getByRole('button', { name: 'Back to the connector' }).click()
  await saying('Free')
  expect(wrong).toEqual([])
})

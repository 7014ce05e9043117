import type { Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aYard, driversOf, pilesOf, type Yard } from '../../domains/charging/server/testing.ts'
import { type Console, openConsole } from '../shell/console.ts'

let yard: Yard
let shown: Console
beforeAll(async () => {
  yard = await aYard()
  shown = await openConsole(yard.server)
})
afterAll(async () => {
  await shown?.close()
  await yard?.close()
})

test('the list of charges shows what they cost in a small window, in both languages, without being pushed', async () => {
  await yard.sql(`update charging.station set station_name = '中心医院充电站'`)
  const { begin, end } = pilesOf(() => yard)
  const { paidStart, pass } = driversOf(() => yard)
  const gun = await yard.aGun()
  const { token } = await paidStart(gun, { plateNo: '豫RD59204', prepayFen: 20_000 })
  const { transactionId } = await begin(gun, { idTag: token })
  await end(gun, transactionId, 60, 154_000)
  await pass(61)
  for (const lang of ['zh-chs', 'en']) {
    const page = await shown.as('admin', { viewport: { width: 1024, height: 768 } })
    await page.context().addCookies([{ name: 'lang', value: lang, url: yard.server.url }])
    await page.goto('/dist/recharge/chargingOrder/use')
    const row = page.locator('.ant-table-row').first()
    await row.locator('.row-actions').waitFor()
    const beyond = () => page.locator('.list-rows .ant-table-body').evaluate((rows) => rows.scrollWidth - rows.clientWidth)
    await expect.poll(beyond, { message: lang }).toBe(0)
    expect(await page.locator('.list-rows th', { hasText: lang === 'en' ? 'Cost' : '费用' }).count(), lang).toBe(1)
  }
})

test('whoever takes a call sees what the caller brought up before without scrolling the form', async () => {
  const contact = '13900001111'
  const order = { title: '道闸不抬杆', type: 3, source: 1, level: 2, content: '出口道闸扫码后不抬杆', contact, parkCode: 'P001' }
  expect((await yard.server.ask(yard.admin, 'POST', '/lbs/basic/workOrder/add', order)).message).toBe('ok')
  const page = await shown.as('admin', { viewport: { width: 1440, height: 900 } })
  await page.goto('/dist/operation/afterSale/order/create')
  await page.getByRole('button', { name: /新增|新建工单/ }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('联系电话').fill(contact)
  const before = form.getByText('该客户以往的工单与反馈')
  await before.waitFor()
  const middle = async (of: Locator) => (await of.boundingBox())!.y
  expect(await middle(before)).toBeLessThan(await middle(form.getByLabel('标题')))
  expect(await middle(before)).toBeLessThan(900)
})

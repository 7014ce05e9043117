import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { billOf } from '../../city/pay/bills.ts'
import { aGarage } from '../../domains/owner/server/testing.ts'
import { aStay } from '../../domains/parking/server/factories.ts'
import { moveStay } from '../../domains/parking/server/stay/stayMoves.ts'
import { OrderStatus } from '../../domains/settlement/contract/order.ts'
import { openOrder } from '../../domains/settlement/server/api.ts'
import { aTill, now, type Till, until } from '../../domains/settlement/server/testing.ts'
import { run } from '../../platform/server/database.ts'
import { openBrowser } from '../support/browser.ts'
import { atConsole } from './district.ts'

let till: Till
let browser: Browser
let operator: Page
let admin: Page
beforeAll(async () => {
  ;[till, browser] = await Promise.all([aTill(), openBrowser()])
  operator = await atConsole(browser, till.server, 'operator')
  admin = await atConsole(browser, till.server, 'admin')
})
afterAll(async () => {
  await browser?.close()
  await till?.close()
})
const goTo = (page: Page, path: string) => page.goto(`${till.server.url}/dist${path}`)
const drawerOf = (page: Page) => page.locator('.detail')

it('an operator asks for a refund, another person approves it, and the open order follows the money', async () => {
  const order = await till.anOrder({ receivableFen: 1500, discountFen: 300 })
  const { payNo } = await till.startPaying(order)
  till.channel.channel.pay(payNo)
  await until(
    () => till.story(order.id),
    ({ status }) => status === 2,
  )

  await goTo(operator, `/operation/finance/${order.id}`)
  await drawerOf(operator).getByRole('button', { name: '申请退款 ¥12.00' }).click()
  const dialog = operator.getByRole('dialog', { name: /退款 · .+ · TC/ })
  // The number field comes when it is entered.
  await dialog.getByLabel('金额').click()
  const amount = dialog.getByRole('spinbutton', { name: '金额' })
  await amount.fill('150')
  await operator.keyboard.press('Tab')
  await dialog.getByText('应在 ¥0.01 至 ¥12.00 之间').waitFor()
  expect(await amount.inputValue()).toBe('150.00')
  await amount.fill('5')
  await dialog.getByLabel('原因').fill('多收')
  await dialog.getByRole('button', { name: '申请退款 ¥5.00' }).click()
  await drawerOf(operator).getByText('待审核').waitFor()
  expect(
    await drawerOf(operator)
      .getByRole('button', { name: /同意退款/ })
      .count(),
  ).toBe(0)

  // The approver finds it without knowing its order.
  await goTo(admin, '/operation/finance?tab=refunds&state=0')
  await admin.locator('tbody tr', { hasText: '多收' }).getByRole('button', { name: '审核' }).click()
  const deciding = admin.locator('.ant-modal-confirm')
  await deciding.locator('.ant-modal-confirm-title', { hasText: order.orderNo }).waitFor()
  await deciding.getByRole('button', { name: '同意退款 ¥5.00' }).click()
  // Nobody reloads: the channel's notice reaches the open order, and whoever approved is in the list still.
  await drawerOf(operator).getByText('部分退款').first().waitFor()
  expect(await drawerOf(operator).locator('.entry-head').count()).toBe(2)
  expect(new URL(admin.url()).searchParams.get('tab')).toBe('refunds')
})

it('a waiver is decided in its list, by plate and order; refused with a reason that its order shows, granted with the next one at hand', async () => {
  const order = await till.anOrder({ receivableFen: 1_200 })
  await till.call(till.operator, '/orderWaiver/apply', { orderId: order.id, amountFen: 1_200, reason: '车主投诉' })
  await goTo(admin, '/operation/finance')
  await admin.locator('.list-bar .ant-segmented').getByText('减免', { exact: true }).click()
  const row = (reason: string) => admin.locator('tbody tr', { hasText: reason })
  await row('车主投诉').getByRole('button', { name: '驳回', exact: true }).click()
  const refusing = admin.getByRole('dialog', { name: `驳回减免 ¥12.00` }).filter({ hasText: order.orderNo })
  await refusing.getByRole('button', { name: '驳回减免' }).click()
  await refusing.locator('.ant-form-item-explain-error').waitFor()
  await refusing.getByLabel('审核意见').fill('收费无误')
  await admin.keyboard.press('Enter')
  await row('车主投诉').getByText('驳回', { exact: true }).first().waitFor()
  expect((await till.story(order.id)).status).toBe(0)
  const [first, second] = [await till.anOrder({ receivableFen: 1_400 }), await till.anOrder({ receivableFen: 1_500 })]
  await till.call(till.operator, '/orderWaiver/apply', { orderId: first.id, amountFen: 1_400, reason: '先申请的' })
  await till.call(till.operator, '/orderWaiver/apply', { orderId: second.id, amountFen: 1_500, reason: '后申请的' })
  await goTo(admin, '/operation/finance?tab=waivers&state=0')
  await row('后申请的').getByRole('button', { name: '审核' }).click()
  const granting = admin.locator('.ant-modal-confirm')
  await granting.locator('.ant-modal-confirm-title', { hasText: second.orderNo }).waitFor()
  await granting.getByRole('button', { name: '同意减免 ¥15.00' }).click()
  await row('后申请的').waitFor({ state: 'detached' })
  await row('先申请的').getByRole('button', { name: '审核' }).and(admin.locator(':focus')).waitFor()
  expect(new URL(admin.url()).searchParams.get('tab')).toBe('waivers')
})

it('whoever asked for a waiver is not offered its review on its order, and takes it back there', async () => {
  const order = await till.anOrder({ receivableFen: 1_300 })
  await till.call(till.admin, '/orderWaiver/apply', { orderId: order.id, amountFen: 1_300, reason: '设备误判' })
  await goTo(admin, '/operation/finance?tab=waivers&state=0')
  await admin.locator('tbody tr', { hasText: '设备误判' }).getByRole('button', { name: '查看订单' }).click()
  await drawerOf(admin).getByText('由另一人审核').waitFor()
  expect(
    await drawerOf(admin)
      .getByRole('button', { name: /同意减免|驳回/ })
      .count(),
  ).toBe(0)
  await drawerOf(admin).getByRole('button', { name: '撤回' }).click()
  await admin.locator('.ant-modal-confirm').getByRole('button', { name: '撤回' }).click()
  await expect.poll(async () => (await till.story(order.id)).waivers[0].state).toBe(3)
})

it('on a telephone each payment and entry of an order stands below its names, and every part of finance is offered, nothing beyond the edge', async () => {
  const order = await till.anOrder({ receivableFen: 123_450 })
  await till.call(till.operator, '/order/cash', { id: order.id, amountFen: 123_450 })
  await operator.setViewportSize({ width: 390, height: 844 })
  await goTo(operator, `/operation/finance/${order.id}`)
  const stacked = drawerOf(operator).locator('table.stacked')
  await stacked.locator('[data-name=实收]').getByText('1,234.50').waitFor()
  await stacked.locator('[data-name=贷方]').getByText('1,234.50').waitFor()
  const beyond = (all: Element[]) => all.map((one) => one.scrollWidth - one.clientWidth)
  expect(await stacked.evaluateAll(beyond)).toEqual([0, 0])
  expect(await operator.locator('.list-bar .ant-segmented').evaluateAll(beyond)).toEqual([0])
  await operator.setViewportSize({ width: 1440, height: 900 })
  await stacked.locator('th', { hasText: '实收' }).waitFor()
})

it('cash is taken with the amount in the button, and the day’s income leads to it', async () => {
  const order = await till.anOrder({ receivableFen: 800 })
  await goTo(operator, `/operation/finance/${order.id}`)
  await drawerOf(operator).getByRole('button', { name: '收现金 ¥8.00' }).click()
  await operator.getByRole('button', { name: '确认收现金 ¥8.00' }).click()
  await drawerOf(operator).getByText('已支付').first().waitFor()

  await goTo(operator, '/operation/temporaryIncome')
  await operator.locator('.ant-table-row').first().click()
  const day = drawerOf(operator)
  await day.getByText('按支付方式').waitFor()
  await day.getByRole('link', { name: order.orderNo }).click()
  await operator.waitForURL(`**/operation/finance/${order.id}`)
})

it('each part of finance is at an address of its own, and the figures of clearing open the days and differences behind them', async () => {
  await goTo(admin, '/operation/finance?tab=days')
  const tile = (name: string) => admin.getByRole('navigation', { name: '对账概况' }).locator('.tile', { hasText: name }).getByRole('link')
  await tile('有差异').click()
  await admin.waitForURL('**/operation/finance?tab=days&state=1')
  await tile('未平笔数').click()
  await admin.waitForURL(/tab=trades&diffState=0%2C1%2C2/)
  await admin.reload()
  await admin.getByText('每笔差异有处理人').waitFor()
})

it('a day whose money has come since its file is compared again from its row, and can be closed then', async () => {
  const line = { kind: 'payment', tradeNo: 'UP-1', number: 'UP-N1', amountFen: 700, feeFen: 4, at: '2026-10-02 12:00:00' } as const
  const form = new FormData()
  form.append('file', new Blob([billOf('unionpay', [line]) as Uint8Array<ArrayBuffer>]), 'day.csv')
  form.append('checkDate', '2026-10-02')
  form.append('channel', 'unionpay')
  expect((await till.server.ask<any>(till.admin, 'POST', '/lbs/checkBill/liquidation/importFile', form)).data).toMatchObject({ state: 1 })
  const order = await till.anOrder({ receivableFen: 700 })
  const came = `insert into settlement.payment (order_id, park_code, pay_no, pay_method, channel, trade_no, amount_fen, received_fen, state, paid_at) values ($1, 'P001', 'UP-N1', 5, 'unionpay', 'UP-1', 700, 700, 1, '2026-10-02 12:00+8')`
  await till.server.house.writing(1, 'test', (tx) => run(tx, { sql: came }, [order.id]))
  await goTo(admin, '/operation/finance?tab=days')
  const row = admin.locator('.ant-table-row', { hasText: '2026-10-02' })
  await row.getByText('有差异').waitFor()
  await row.getByText('更多').click()
  await admin.getByRole('menuitem', { name: '再核对' }).click()
  await admin.getByText('已重新核对：已平，可以关账').waitFor()
  await row.getByText('已平').waitFor()
})

it('notes and coins beyond what a till can hold stay as they were typed, and the form says so', async () => {
  await goTo(admin, '/assetManage/person/charging?tab=shifts')
  await admin.getByRole('button', { name: '开班' }).click()
  await admin.getByRole('dialog').getByRole('button', { name: '开班' }).click()
  await admin.getByRole('button', { name: /我的收银班次/ }).click()
  const dialog = admin.getByRole('dialog', { name: '交班' })
  const notes = dialog.getByRole('spinbutton', { name: '100 元' })
  await notes.fill('-3')
  await admin.keyboard.press('Tab')
  await dialog.getByText('100 元应在 0 至 100000 之间').waitFor()
  expect(await notes.inputValue()).toBe('-3')
  await notes.fill('3')
  await dialog.getByText('实点 ¥300.00').waitFor()
})

it('a car that left unpaid and nobody noticed gets its file from the list of arrears, with what shows it', async () => {
  const plateNo = '鄂F77B31'
  await till.codeOf('P001')
  const order = await till.server.house.writing(1, 'test', async (tx) => {
    const stay = await moveStay(tx, await aStay(tx, { parkCode: 'P001', plateNo }), 'leave', { exitTime: now() })
    return openOrder(tx, { type: 1, stayId: stay.id, plateNo, plateColor: 0, parkCode: 'P001', receivableFen: 1_600, discountFen: 0, at: now() })
  })
  await goTo(admin, '/userCenter/arrearage/record')
  await admin.getByRole('button', { name: /欠费建档$/ }).click()
  const dialog = admin.getByRole('dialog', { name: '欠费建档' })
  await dialog.getByRole('combobox', { name: '订单' }).fill('77B31')
  await admin.locator('.ant-select-item-option', { hasText: `${plateNo} · ¥16.00` }).click()
  await dialog.getByRole('combobox', { name: '欠费来源' }).click()
  await admin.locator('.ant-select-item-option', { hasText: '欠费放行' }).click()
  const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  await dialog.locator('.image-upload input[type=file]').setInputFiles({ name: '离场.png', mimeType: 'image/png', buffer: picture })
  await dialog.locator('[data-picture] img').waitFor()
  await dialog.getByRole('button', { name: '转为欠费' }).click()
  await admin.locator('.toast', { hasText: '已建档，开始追缴' }).waitFor()
  await admin.locator('.ant-table-row', { hasText: '鄂F·77B31' }).getByText('待缴').first().waitFor()
  expect((await till.story(order.id)).status).toBe(OrderStatus.arrears)
})

it('a refund of stored value is quoted when the typing rests, and never with the quote of another amount', async () => {
  const garage = await aGarage(till)
  const { ownerId, phone } = await garage.anOwner()
  expect((await garage.recharge(ownerId, 20_000)).code).toBe(200)
  const asked: number[] = []
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  await admin.route('**/assetsStore/refund/apply', async (route) => {
    const { amountFen } = route.request().postDataJSON()
    if (amountFen !== undefined) {
      asked.push(amountFen)
      await held
    }
    await route.continue()
  })
  await goTo(admin, `/userCenter/carOwner/asset?phone=${phone}`)
  await admin.locator('.ant-table-row').first().getByRole('button', { name: '申请退款' }).click()
  const dialog = admin.getByRole('dialog', { name: /申请储值退款/ })
  await dialog.getByText('退本金 ¥200.00').waitFor()
  await dialog.getByLabel('退款本金').click()
  // Three keys, with no rest between them.
  await dialog.getByRole('spinbutton', { name: '退款本金' }).evaluate(async (field: HTMLInputElement) => {
    for (const typed of ['1', '12', '123']) {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, typed)
      field.dispatchEvent(new Event('input', { bubbles: true }))
      await Promise.resolve()
    }
  })
  await expect.poll(() => asked).toEqual([12_300])
  expect(await dialog.getByText('退本金 ¥').count()).toBe(0)
  await dialog.getByText('正在试算').waitFor()
  answer()
  await dialog.getByText('退本金 ¥123.00').waitFor()
  expect(asked).toEqual([12_300])
})

it('the ledger says that every balance follows from its entries, in both languages', async () => {
  await goTo(admin, '/operation/ledger')
  await admin.getByRole('button', { name: '重算核对' }).click()
  await admin.getByText(/笔分录重算一致/).waitFor()
  await admin.getByRole('button', { name: '停车收入' }).click()
  await admin.getByText('期初余额').waitFor()
  await admin.getByText('English', { exact: true }).click()
  await admin.getByText('Opening balance').waitFor()
})

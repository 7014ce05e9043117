import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openOrder, payCash } from '../../domains/settlement/server/api.ts'
import { aTill, type Till } from '../../domains/settlement/server/testing.ts'
import type { Day, Fen } from '../../platform/contract/field.ts'
import { dayBy, dayOf, instantAt, msOf, startOf } from '../../platform/contract/time.ts'
import { openBrowser } from '../support/browser.ts'
import { atConsole } from './district.ts'

let till: Till
let browser: Browser
let page: Page
/** Both are over, whenever this runs. */
const DAY = dayBy(dayOf(instantAt(Date.now())), -10)
const WEEK_BEFORE = dayBy(DAY, -7)
const cashier = { userId: '00000000-0000-7000-8000-0000000000aa', userName: '李收费' }
const paid = (parkCode: string, day: Day, receivableFen: number) =>
  till.server.house.writing(1, 'test', async (tx) => {
    const at = instantAt(msOf(startOf(day)) + 36_000_000)
    const { id } = await openOrder(tx, { type: 1, parkCode, receivableFen, discountFen: 0, at })
    await payCash(tx, { orderId: id, amountFen: receivableFen as Fen, actor: cashier, at })
  })

beforeAll(async () => {
  ;[till, browser] = await Promise.all([aTill(), openBrowser()])
  for (const code of ['P001', 'P002']) await till.codeOf(code)
  await paid('P001', WEEK_BEFORE, 1000)
  await paid('P001', WEEK_BEFORE, 3000)
  await paid('P002', WEEK_BEFORE, 5000)
  await paid('P001', DAY, 2000)
  await paid('P001', DAY, 2000)
  await paid('P001', DAY, 3500)
  await paid('P002', DAY, 500)
  page = await atConsole(browser, till.server, 'admin')
})
afterAll(async () => {
  await browser?.close()
  await till?.close()
})
const panel = (title: string) => page.locator('.panel', { has: page.getByRole('heading', { name: title }) })
const row = (title: string, text: string) => panel(title).locator('tr', { hasText: text })

it('an owner sees how a day differs from the same day of last week, in which park and why, and opens what each figure is made of', async () => {
  await page.goto(`${till.server.url}/dist/operation/temporaryIncome`)
  await page.getByText('对比', { exact: true }).click()
  await page.getByTestId('compared').waitFor()
  await page.goto(`${page.url()}&dayFrom=${DAY}&dayTo=${DAY}`)
  await page.getByText('上周同期', { exact: true }).click()
  await page.getByText(`${DAY} 对比 ${WEEK_BEFORE}`).waitFor()

  const net = page.locator('.tile', { hasText: '停车净收' })
  await net.getByText('80.00').waitFor()
  expect(await net.innerText()).toMatch(/变化 ▼\s*下降\s*11%/)
  // Four stays instead of three bring 30.00 more; each costs 10.00 less on average.
  expect(await row('净收差在哪里', '停车笔数').innerText()).toMatch(/3 → 4\s+\+¥30\.00/)
  expect(await row('净收差在哪里', '笔均费用').innerText()).toMatch(/¥30\.00 → ¥20\.00\s+-¥40\.00/)
  expect(await row('净收差在哪里', '净收变化').innerText()).toMatch(/-¥10\.00/)
  // The park that differs most stands first.
  expect(await panel('按车场').locator('tbody tr').first().innerText()).toMatch(/5\.00[\s\S]*50\.00[\s\S]*-¥45\.00[\s\S]*-90%/)
  expect(await row('各类收入', '停车应收').innerText()).toMatch(/80\.00[\s\S]*90\.00/)

  await net.getByRole('button', { name: '净收是怎么算的' }).click()
  await page.getByText('实收 − 退款；按入账日（北京时间）；已扣退款。').waitFor()
  await page.keyboard.press('Escape')
  await net.getByRole('link', { name: '对比期 ¥90.00' }).click()
  await page.locator('.totals', { hasText: '90.00' }).waitFor()
  expect(new URL(page.url()).search).toBe(`?dayFrom=${WEEK_BEFORE}&dayTo=${WEEK_BEFORE}`)
  expect(await page.locator('tbody tr.ant-table-row').count()).toBe(2)
})

it('the comparison goes to a sheet with both periods, park by park', async () => {
  await page.goto(`${till.server.url}/dist/operation/temporaryIncome?tab=compare&dayFrom=${DAY}&dayTo=${DAY}&against=2`)
  await page.getByTestId('compared').waitFor()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /导出/ }).first().click()])
  expect(file.suggestedFilename()).toMatch(/^收入对比-\d+\.xls$/)
})

it('in English, on a telephone, nothing lies beside the page, and a period that cannot be compared says what to do', async () => {
  await page.context().addCookies([{ name: 'lang', value: 'en', url: till.server.url }])
  for (const [width, height] of [
    [1024, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(`${till.server.url}/dist/operation/temporaryIncome?tab=compare&dayFrom=${WEEK_BEFORE}&dayTo=${DAY}`)
    await page.getByText('What explains the change in net').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  }
  await page.goto(`${till.server.url}/dist/operation/temporaryIncome?tab=compare&dayFrom=${WEEK_BEFORE}&dayTo=${DAY}&against=2`)
  await page
    .getByText(/choose a shorter one, or compare with the previous period/)
    .first()
    .waitFor()
})

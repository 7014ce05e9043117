import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Console, openConsole, poll } from './console.ts'

let shown: Console
beforeAll(async () => void (shown = await openConsole()))
afterAll(() => shown?.close())

const deducted = (n: number, amountFen: number) => ({
  id: `01990000-0000-7000-8000-00000000000${n}`,
  deductNo: `KB20261129000000000${n}`,
  amountFen,
  plateNo: `鄂F8K21${n}`,
  tradeTime: '2026-11-29T02:00:00.000Z',
})

test('the amount that goes back is that of the deduction which is chosen, also when another is chosen; a number is searched as a number', async () => {
  const page = await shown.as('admin')
  const asked: URLSearchParams[] = []
  await page.route('**/etc/etcDeduct?*', (route) => {
    asked.push(new URL(route.request().url()).searchParams)
    const data = { records: [deducted(1, 500), deducted(2, 1_250)], total: 2, totalExact: true }
    return route.fulfill({ contentType: 'application/json', body: JSON.stringify({ code: 200, message: 'ok', data }) })
  })
  await page.goto('/dist/extendedBusiness/etc/refund')
  await page.getByRole('button', { name: '申请退款', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  const choice = dialog.getByRole('combobox', { name: '扣费' })
  const amount = dialog.getByLabel('退款金额')
  const choose = async (plate: string) => {
    await choice.click()
    await page.locator('.ant-select-item-option', { hasText: plate }).click()
  }
  await choose('鄂F8K211')
  await poll(() => amount.inputValue()).toMatch(/^5(\.00)?$/)
  await choose('鄂F8K212')
  await poll(() => amount.inputValue()).toMatch(/^12\.50?$/)
  await choice.fill('KB202611290000000002')
  await poll(async () => asked.at(-1)!.get('deductNo')).toBe('KB202611290000000002')
  expect(asked.at(-1)!.get('plateNo')).toBeNull()
  await choice.fill('8K21')
  await poll(async () => asked.at(-1)!.get('plateNo')).toBe('8K21')
})

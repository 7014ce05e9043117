import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../platform/server/database.ts'
import { type District, openDistrict } from '../journeys/district.ts'
import { type Console, GATES, openConsole, poll, STAYS } from './console.ts'

const PLATE = '鄂F65026'
/** The fee stays the same for the minutes that a slow machine needs. */
const TEN_MINUTES_OVER_FIVE_HOURS_MS = 310 * 60_000
let district: District
let shown: Console
let page: Page
let token: string
beforeAll(async () => {
  district = await openDistrict()
  shown = await openConsole(district.server)
  token = await shown.server.signIn('admin')
  page = await shown.as('admin')
})
afterAll(async () => {
  await shown?.close()
  await district?.close()
})
const dialog = () => page.getByRole('dialog')
const stayOf = async (plate = PLATE) =>
  (await shown.server.ask(token, 'GET', `/lbs/fee/parkRecord/queryPage?plateNo=${encodeURIComponent(plate)}`)).data.records[0]
const due = ({ payableFen, paidFen }: { payableFen: number; paidFen: number }) => ((payableFen - paidFen) / 100).toFixed(2)

test('clearing by condition counts cars and amount first, and its button says both', async () => {
  await district.entrance.plate({ plate: PLATE, ts: Date.now() - TEN_MINUTES_OVER_FIVE_HOURS_MS, offline: true, seq: 1 })
  await poll(async () => (await stayOf())?.status).toBe(1)
  await district.exit.plate({ plate: PLATE })
  await poll(async () => (await stayOf()).payState).toBe(1)
  await page.goto('/dist/operation/record/parking/present')
  await page.getByRole('button', { name: '按条件清场' }).click()
  const act = dialog().locator('.ant-modal-footer .ant-btn-primary')
  expect(await act.isDisabled()).toBe(true)
  await dialog().getByLabel('车场').click()
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()
  await dialog().getByLabel('入场早于').focus()
  await page.locator('.ant-picker-dropdown:visible').waitFor()
  const now = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'medium' }).format(Date.now())
  await dialog().getByLabel('入场早于').fill(now)
  await page.keyboard.press('Enter')
  await poll(() => act.textContent()).toContain(`清场 1 辆，放弃 ¥${due(await stayOf())}`)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '放弃修改' }).click()
  await dialog().first().waitFor({ state: 'detached' })
})

test('opening an exit names park, lane, plate and what becomes of the fee; paid meanwhile, the dialog says so and closes itself, and so does taking cash', async () => {
  const stay = await stayOf()
  await page.goto(`/dist${GATES}`)
  await page.locator('.ant-table-row', { hasText: 'P001-G02' }).getByText('开闸', { exact: true }).click()
  const head = dialog().locator('.ant-modal-title')
  await poll(() => head.textContent()).toContain(PLATE)
  expect(await head.textContent()).toMatch(/.+ · .+ · 开闸 鄂F65026/)
  await dialog().getByText('欠费', { exact: true }).click()
  await dialog()
    .getByRole('button', { name: `记欠费 ¥${due(stay)} 并开闸` })
    .waitFor()
  const other = await shown.as('admin')
  await other.goto(`/dist${STAYS}/${stay.id}`)
  await other.getByRole('button', { name: /现金/ }).first().click()
  await other.getByRole('dialog').getByText(PLATE).first().waitFor()
  expect((await shown.server.ask(token, 'POST', '/lbs/business/order/cash', { id: stay.orderId, amountFen: stay.payableFen })).message).toBe('ok')
  await Promise.all([page, other].map((at) => at.getByRole('dialog').getByRole('alert').first().waitFor()))
  for (const at of [page, other]) await at.locator('.ant-modal-wrap').first().waitFor({ state: 'detached' })
})

const ASKED = `with asked as (
    insert into parking.clearing (park_code, reason, count, amount_fen, state, applicant_id, cleared_by, applied_at)
    select $1, '停电后核对', 1, 60000, 0, id, name, now() from identity.person where username = 'operator' returning id)
  insert into parking.clearing_car (park_code, clearing_id, stay_id, due_fen, unpriced) select $1, id, $2::uuid, 60000, false from asked`
test('whoever decides about a clearing looks at its cars first, and at what was cleared afterwards', async () => {
  const plate = '鄂F65027'
  await district.entrance.plate({ plate })
  await poll(async () => (await stayOf(plate))?.status).toBe(1)
  const { id, parkCode } = await stayOf(plate)
  await shown.server.house.writing(1, 'test', (tx) => run(tx, { sql: ASKED }, [parkCode, id]))
  await page.goto('/dist/operation/record/parking/present?clearings=1')
  const asked = page.getByRole('dialog', { name: '清场记录' }).locator('tr', { hasText: '停电后核对' })
  await asked.getByRole('button', { name: '通过' }).click()
  const deciding = page.getByRole('dialog', { name: '审核清场：1 辆，放弃 ¥600.00' })
  const car = deciding.locator('.lines tbody tr')
  await car.waitFor()
  expect(await car.locator('.plate').innerText()).toBe('鄂F·65027')
  expect(await car.innerText()).toMatch(/在场[^]*600\.00/)
  await deciding.getByRole('button', { name: '通过并清场' }).click()
  await asked.getByText('已清场').waitFor()
  await asked.getByRole('button', { name: '查看 1 辆车' }).click()
  const cleared = page.getByRole('dialog', { name: '清场车辆：1 辆' }).locator('.lines tbody tr')
  await cleared.getByText('已离场').waitFor()
  expect(await cleared.locator('.plate').innerText()).toBe('鄂F·65027')
})

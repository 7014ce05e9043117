import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAuction, type Auction } from '../../domains/rent/server/testing.ts'
import { DAY_MS, instantAt } from '../../platform/contract/time.ts'
import { newCode } from '../../platform/web/sealing.ts'
import { openBrowser } from '../support/browser.ts'
import { atConsole } from './district.ts'

let house: Auction
let browser: Browser
let page: Page
beforeAll(async () => {
  ;[house, browser] = await Promise.all([anAuction(), openBrowser()])
  page = await atConsole(browser, house.server, 'admin')
})
afterAll(async () => {
  await browser?.close()
  await house?.close()
})
const inDays = (days: number) => instantAt(Date.now() + days * DAY_MS)
/** A row's act, wherever there is room for it. */
async function act(row: string, name: string) {
  const found = page.locator('.ant-table-row', { hasText: row }).first()
  const button = found.getByRole('button', { name, exact: true })
  await found.waitFor()
  if (await button.isVisible()) return button.click()
  await found.getByRole('button', { name: /更多/ }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

test('an opening key is taken at the console, a bid is sealed on the bidder’s own page, and two holders open it', async () => {
  const terms = {
    name: '密封出租的库房',
    type: 3,
    parkCode: 'R001',
    assets: '120 ㎡',
    baseFen: 1_000_000,
    earnestFen: 200_000,
    leaseMonths: 36,
  }
  const times = { enrollFrom: inDays(-1), enrollTo: inDays(40), bidFrom: inDays(41), bidTo: inDays(42) }
  const { id: projectId } = (await house.post('/rentProject/add', { ...terms, ...times })).data
  const approver = await newCode()
  await house.post('/rentSeal/join', { projectId, holder: 2, publicKey: approver.publicKey }, house.deputy)
  await house.sql(
    `insert into rent.seal_part (enterprise_id, project_id, park_code, holder, person_id, person_name, public_key) values (1, $1, 'R001', 3, uuidv7(), '公证', $2)`,
    [projectId, (await newCode()).publicKey],
  )

  await page.goto(`${house.server.url}/dist/rent/project`)
  await act(terms.name, '领取开标密钥')
  await page.getByText('已领取：审批 副主管、公证 公证').waitFor()
  await page.getByRole('button', { name: '领取', exact: true }).click()
  const code = (await page.locator('.ant-modal code').textContent())!.trim()
  expect(code).toMatch(/^[\w-]{43}$/)
  await page.getByRole('button', { name: '我已保存' }).click()
  expect((await house.project(projectId)).sealKey).toMatch(/^[\w-]{43}$/)

  const { data: told } = await house.post('/rentNotices/add', { projectId, type: 1, title: '招租', content: '密封竞价' })
  expect(await house.post('/rentNotices/publish', { id: told.id, version: told.version }, house.deputy)).toMatchObject({ status: 200 })
  const [one] = [await house.qualified(projectId), await house.qualified(projectId)]
  await house.open(projectId, 300)
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'zh-CN',
    extraHTTPHeaders: { authorization: `Bearer ${one.token}` },
  })
  const bidder = await context.newPage()
  bidder.on('dialog', (dialog) => void dialog.accept())
  await bidder.goto(`${house.server.url}/my/1#rent`)
  await bidder.getByRole('button', { name: '进入竞价' }).click()
  await bidder.getByRole('textbox', { name: '出价（元／年）' }).fill('12345.67')
  await bidder.getByRole('button', { name: '出价', exact: true }).click()
  await bidder.getByText('已提交密封报价').waitFor()
  expect(await bidder.getByRole('textbox', { name: '出价（元／年）' }).count()).toBe(0)
  const [{ hash }] = await house.sql('select hash from rent.sealed where project_id = $1', [projectId])
  expect(await bidder.locator('#room-now li').textContent()).toContain(hash)
  expect(await bidder.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await context.close()

  await house.sql(`update rent.project set bid_to = now() - interval '1 minute', ends_at = now() - interval '1 minute' where id = $1`, [projectId])
  await page.goto(`${house.server.url}/dist/rent/winTheBidding`)
  await act(terms.name, '开标')
  await page.getByLabel('第一份开标密钥').fill(code)
  await page.getByLabel('第二份开标密钥').fill(approver.code)
  await page.getByRole('dialog').getByRole('button', { name: '开标', exact: true }).click()
  await page.getByText('已开标').waitFor()
  expect(await house.project(projectId)).toMatchObject({ state: 5, currentFen: 1_234_567, bids: 1 })
})

test('a lease that runs is renewed from its row, and then says by which it is', async () => {
  const { id } = await house.leased()
  const [{ contractNo }] = await house.sql('select contract_no from rent.contract where id = $1', [id])
  await page.goto(`${house.server.url}/dist/rent/contract?contractNo=${contractNo}`)
  await act(contractNo, '续签')
  const dialog = page.getByRole('dialog', { name: `续签 ${contractNo}` })
  await dialog.getByText('原合同押金转入续签合同').waitFor()
  await dialog.getByRole('button', { name: '拟订续签合同' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(
    await house.sql('select state, from_day - (select to_day from rent.contract where id = $1) as gap from rent.contract where renews_id = $1', [id]),
  ).toEqual([{ state: 0, gap: 1 }])
  const renew = page.locator('.ant-table-row', { hasText: contractNo }).first().getByRole('button', { name: '续签', exact: true })
  await renew.hover()
  await page.getByRole('tooltip', { name: /已有续签合同 HT/ }).waitFor()
  expect(await renew.getAttribute('aria-disabled')).toBe('true')
})

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAuction, type Auction } from '../../domains/rent/server/testing.ts'
import type { Day } from '../../platform/contract/field.ts'
import { DAY_MS, instantAt, startOf } from '../../platform/contract/time.ts'
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
async function act(row: string, name: string, at = page) {
  const found = at.locator('.ant-table-row', { hasText: row }).first()
  const button = found.getByRole('button', { name, exact: true })
  await found.waitFor()
  if (await button.isVisible()) return button.click()
  await found.getByRole('button', { name: /更多/ }).click()
  await at.getByRole('menuitem', { name, exact: true }).click()
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
  // One below the starting price would be void when it is opened: it is not sealed at all.
  await bidder.getByRole('textbox', { name: '出价（元／年）' }).fill('9999.99')
  await bidder.getByRole('button', { name: '出价', exact: true }).click()
  await bidder.getByText('报价不能低于起始价 ¥10000.00').waitFor()
  expect(await house.sql('select from rent.sealed where project_id = $1', [projectId])).toEqual([])
  await bidder.getByRole('textbox', { name: '出价（元／年）' }).fill('12345.67')
  await bidder.getByRole('button', { name: '出价', exact: true }).click()
  await bidder.getByText('已提交密封报价').waitFor()
  expect(await bidder.getByRole('textbox', { name: '出价（元／年）' }).count()).toBe(0)
  const [{ hash }] = await house.sql('select hash from rent.sealed where project_id = $1', [projectId])
  expect(await bidder.locator('#room-now li').textContent()).toContain(hash)
  expect(await bidder.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await context.close()

  await page.goto(`${house.server.url}/dist/rent/winTheBidding`)
  const enrolled = page.locator('.ant-table-row', { hasText: terms.name }).first()
  const opens = enrolled.getByRole('button', { name: '开标', exact: true })
  await opens.waitFor()
  expect(await opens.isDisabled()).toBe(true)
  expect(await enrolled.getByText('未中标').count(), 'nobody has lost yet').toBe(0)
  await house.sql(`update rent.project set bid_to = now() - interval '1 minute', ends_at = now() - interval '1 minute' where id = $1`, [projectId])
  await page.goto(`${house.server.url}/dist/rent/winTheBidding`)
  await act(terms.name, '开标')
  await page.getByLabel('第一份开标密钥').fill(code)
  await page.getByLabel('第二份开标密钥').fill(approver.code)
  await page.getByRole('dialog').getByRole('button', { name: '开标', exact: true }).click()
  await page.getByText('已开标').waitFor()
  expect(await house.project(projectId)).toMatchObject({ state: 5, currentFen: 1_234_567, bids: 1 })
})

test('a lease that runs is renewed from its row, signed by two people, and has its deposit from the day on which the old one is over', async () => {
  const { id, projectId } = await house.leased()
  await house.sql('update rent.contract set to_day = current_date + 30 where id = $1', [id])
  const leaseOf = async (what: string) =>
    (await house.sql<{ id: string; contractNo: string; fromDay: Day; toDay: Day }>(`select id, contract_no, from_day, to_day from rent.contract where ${what} = $1`, [id]))[0]! // prettier-ignore
  const [old, deposit] = [await leaseOf('id'), (await house.bills(id)).find(({ kind }) => kind === 2)]
  await house.post('/rentBill/pay', { id: deposit.id, payMethod: 4, amountFen: 40_000 })
  const list = `${house.server.url}/dist/rent/contract?projectId=${projectId}`

  await page.goto(list)
  await act(old.contractNo, '续签')
  const dialog = page.getByRole('dialog', { name: `续签 ${old.contractNo}` })
  const draft = dialog.getByRole('button', { name: '拟订续签合同' })
  const [term, rent] = [dialog.getByRole('spinbutton', { name: '租期' }), dialog.getByRole('spinbutton', { name: '年租金' })]
  await dialog.getByText('个月', { exact: true }).waitFor()
  await dialog.getByText(`原租期至 ${old.toDay}`).waitFor()
  await term.fill('')
  await rent.fill('0')
  await draft.click()
  await dialog.getByText('请填写租期').waitFor()
  await dialog.getByText('年租金不能小于 ¥0.01').waitFor()
  expect(await leaseOf('renews_id')).toBeUndefined()
  await term.fill('24')
  await rent.fill('15000')
  await draft.click()
  await page.getByText('已拟订续签合同，待双方签署').waitFor()
  const renewal = await leaseOf('renews_id')

  // Whoever drew it up signs for the lessee alone.
  const other = await atConsole(browser, house.server, 'deputy')
  for (const [at, party] of [
    [other, '出租方签署'],
    [page, '承租方签署'],
  ] as const) {
    // prettier-ignore
    await at.goto(list)
    await act(renewal.contractNo, party, at)
    await at.locator('.ant-modal-confirm-title', { hasText: '年租金 ¥15,000.00' }).waitFor()
    await at.locator('.ant-modal-confirm').getByRole('button', { name: '签署' }).click()
    await at.getByText('已签署').first().waitFor()
  }
  await page.locator('.ant-table-row', { hasText: renewal.contractNo }).getByText('生效').waitFor()
  expect((await house.bills(renewal.id)).map(({ kind, amountFen }) => [kind, amountFen])).toEqual(Array.from({ length: 24 }, () => [1, 125_000]))

  await house.tick(startOf(renewal.fromDay))
  await page.goto(list)
  await page.locator('.ant-table-row', { hasText: old.contractNo }).getByText('到期').waitFor()
  await page.goto(`${house.server.url}/dist/rent/order?billNo=${deposit.billNo}`)
  await page.locator('.ant-table-row', { hasText: '押金' }).getByText('已付').waitFor()
  const kept = (await house.bills(renewal.id)).find(({ kind }) => kind === 2)
  expect(kept).toMatchObject({ billNo: deposit.billNo, state: 1, amountFen: 40_000, periodFrom: renewal.fromDay, periodTo: renewal.toDay })
  expect(await house.sql('select from settlement.refund where order_id = $1', [kept.orderId])).toEqual([])
})

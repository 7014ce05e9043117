import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anAuction, type Auction } from '../../domains/rent/server/testing.ts'
import type { Day } from '../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt, startOf } from '../../platform/contract/time.ts'
import { newCode } from '../../platform/web/sealing.ts'
import { openBrowser } from '../support/browser.ts'
import { pngOf } from '../support/hostile.ts'
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
  const asked: string[] = []
  bidder.on('dialog', (dialog) => {
    asked.push(dialog.message())
    void dialog.accept()
  })
  await bidder.goto(`${house.server.url}/my/1#rent`)
  await bidder.getByRole('button', { name: '进入竞价' }).click()
  // One below the starting price would be void when it is opened: it is not sealed at all.
  await bidder.getByRole('textbox', { name: '出价（元／年）' }).fill('9999.99')
  await bidder.getByRole('button', { name: '出价', exact: true }).click()
  await bidder.getByText('报价不能低于起始价 ¥10,000.00').waitFor()
  expect(await house.sql('select from rent.sealed where project_id = $1', [projectId])).toEqual([])
  await bidder.getByRole('textbox', { name: '出价（元／年）' }).fill('12345.67')
  await bidder.getByRole('button', { name: '出价', exact: true }).click()
  await bidder.getByText('已提交密封报价').waitFor()
  expect(asked, 'whoever bids is asked for the sum').toEqual(['密封报价 ¥12,345.67／年？只能提交一次，不能更改'])
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
  await enrolled.getByText('待开标').waitFor()
  await act(terms.name, '开标')
  const opening = page.getByRole('dialog').getByRole('button', { name: '开标', exact: true })
  await page.getByLabel('第一份开标密钥').fill(code)
  await page.getByLabel('第二份开标密钥').fill(code)
  await opening.click()
  await page.getByText('须输入两位持有人各自的开标密钥，请核对').first().waitFor()
  expect(await house.project(projectId)).toMatchObject({ state: 4, bids: 0 })
  await page.getByLabel('第二份开标密钥').fill(approver.code)
  await opening.click()
  await page.getByText('已开标').waitFor()
  expect(await house.project(projectId)).toMatchObject({ state: 5, currentFen: 1_234_567, bids: 1 })
})

test('an award goes to the first in rank, is changed by two people and leads to a lease; what may not be is told where it stands', async () => {
  const { id: projectId, name } = await house.enrolling()
  const [first, second] = [await house.qualified(projectId), await house.qualified(projectId)]
  await house.open(projectId, 300)
  for (const [{ token }, bidFen] of [
    [first, 1_000_000],
    [second, 1_020_000],
  ] as const)
    await house.call(token, '/rentBid/place', { projectId, bidFen })
  await house.sql(`update rent.project set bid_to = now() - interval '1 minute', ends_at = now() - interval '1 minute' where id = $1`, [projectId])
  await house.tick(instantAt(Date.now()))
  const list = `${house.server.url}/dist/rent/winTheBidding?projectId=${projectId}`
  const nameOf = async (id: string) => (await house.enrolment(id)).bidderName as string
  const [winner, next] = [await nameOf(second.id), await nameOf(first.id)]
  const names = async () => (await page.locator('.ant-table-row').allTextContents()).map((text) => (text.includes(winner) ? winner : next))

  await page.goto(list)
  const rank = page.getByRole('columnheader', { name: '名次' })
  const sorted = () => {
    const { searchParams } = new URL(page.url())
    return [searchParams.get('sort'), searchParams.get('up')]
  }
  await rank.click()
  await expect.poll(sorted).toEqual(['rank', '1'])
  await expect.poll(names).toEqual([winner, next])
  await rank.click()
  await expect.poll(sorted).toEqual(['rank', null])
  await expect.poll(names).toEqual([next, winner])
  const rowOf = (bidder: string, at = page) => at.locator('.ant-table-row', { hasText: bidder })
  expect(await rowOf(next).getByRole('button', { name: '定标', exact: true }).isDisabled()).toBe(true)

  // The project's handler does not award it.
  const award = { name: '定标', exact: true }
  expect(await rowOf(winner).getByRole('button', award).isDisabled()).toBe(true)
  const leads = { projectId, enrollId: second.id, bidFen: 1_020_000 }
  expect(await house.post('/rentProject/bidding', leads)).toMatchObject({ status: 422, code: 42401 })

  // By keyboard alone; Escape leaves everything as it is.
  const other = await atConsole(browser, house.server, 'deputy')
  await other.goto(list)
  const question = other.locator('.ant-modal-confirm-title', { hasText: `定 ${winner}（¥10,200.00／年）为中标人` })
  const give = rowOf(winner, other).getByRole('button', award)
  await give.press('Enter')
  await question.waitFor()
  await other.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  expect((await house.project(projectId)).state).toBe(5)
  await give.press('Enter')
  await other.locator('.ant-modal-confirm').getByRole('button', award).press('Enter')
  await other.getByText('已定标并公示').waitFor()
  expect(await house.project(projectId)).toMatchObject({ state: 6, winnerId: second.id })

  await page.goto(list)
  await act(winner, '变更中标')
  const asking = page.getByRole('dialog', { name: `变更中标 · ${name}` })
  await asking.getByText(`顺位为 ${next}，¥10,000.00／年`).waitFor()
  await asking.getByRole('combobox', { name: '变更原因' }).click()
  await page.locator('.ant-select-item-option', { hasText: '取消资格' }).click()
  await asking.getByRole('button', { name: '提出变更' }).click()
  await asking.getByText('取消资格或异议成立须附佐证').waitFor()
  await asking.getByRole('combobox', { name: '变更原因' }).click()
  await page.locator('.ant-select-item-option', { hasText: '放弃' }).click()
  await asking.getByRole('button', { name: '提出变更' }).click()
  await page.getByText('已提出，由另一人确认').waitFor()
  const agree = rowOf(winner).getByRole('button', { name: '同意变更', exact: true })
  await agree.waitFor()
  expect(await agree.isDisabled(), 'whoever asked does not agree').toBe(true)

  await other.goto(list)
  await act(winner, '同意变更', other)
  const deciding = other.getByRole('dialog', { name: `同意变更 · ${name}` })
  await deciding.getByText(`${winner} 不再中标，保证金 ¥2,000.00 没收`).waitFor()
  expect(await deciding.locator('.facts').innerText()).toContain(next)
  await deciding.getByRole('button', { name: '同意变更' }).click()
  await other.getByText('已办理').waitFor()
  expect(await house.project(projectId)).toMatchObject({ state: 6, winnerId: first.id })
  expect(await house.enrolment(second.id)).toMatchObject({ award: 2, earnestState: 5 })

  await page.goto(`${house.server.url}/dist/rent/contract?projectId=${projectId}`)
  await page.getByRole('button', { name: '拟订合同' }).click()
  const drafting = page.getByRole('dialog', { name: '拟订租赁合同' })
  await drafting.getByRole('combobox', { name: '项目' }).fill(name)
  await page.locator('.ant-select-item-option', { hasText: name }).click()
  const save = drafting.getByRole('button', { name: '保存' })
  await save.click()
  await drafting.getByText('请填写租期开始').waitFor()
  await drafting.getByLabel('租期开始').focus()
  await page.locator('.ant-picker-dropdown:visible').waitFor()
  await drafting.getByLabel('租期开始').fill(dayOf(instantAt(Date.now())))
  await page.keyboard.press('Enter')
  await save.click()
  await drafting.getByText('公示结束后才能签约').waitFor()
  await house.sql('update rent.project set public_until = current_date - 1 where id = $1', [projectId])
  await save.click()
  await page.getByText('已拟订，由另一人代表出租方签署').waitFor()
  await rowOf(name).getByText('待签').waitFor()
})

test('whoever enters a bid on site reads for which project, what it has to reach, and on the button whose bid it is and how much', async () => {
  const { id: projectId, name } = await house.enrolling()
  const [first] = [await house.qualified(projectId), await house.qualified(projectId)]
  await house.open(projectId, 3_600)
  await house.call(first.token, '/rentBid/place', { projectId, bidFen: 1_000_000 })
  const { bidderName } = await house.enrolment(first.id)
  await page.goto(`${house.server.url}/dist/rent/winTheBidding?projectId=${projectId}`)
  await act(bidderName, '现场代报')
  const dialog = page.getByRole('dialog', { name: `现场代报 · ${name}` })
  await dialog.getByText('¥10,100.00').waitFor()
  const facts = (await dialog.innerText()).replaceAll(/\s/g, '')
  for (const fact of [`竞租人${bidderName}`, '当前价¥10,000.00', '加价幅度¥100.00', '最低出价¥10,100.00']) expect(facts).toContain(fact)
  await dialog.getByRole('spinbutton').fill('10200')
  await dialog.getByRole('button', { name: `代 ${bidderName} 报价 ¥10,200.00／年` }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '放弃修改' }).click()
  await dialog.waitFor({ state: 'hidden' })
})

test('a lease that runs is renewed from its row, signed by two people, and has its deposit from the day on which the old one is over', async () => {
  const { id, projectId } = await house.leased()
  await house.sql('update rent.contract set to_day = current_date + 30 where id = $1', [id])
  const leaseOf = async (what: string) =>
    (
      await house.sql<{ id: string; version: number; contractNo: string; fromDay: Day; toDay: Day }>(
        `select id, version, contract_no, from_day, to_day from rent.contract where ${what} = $1`,
        [id],
      )
    )[0]!
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

  // Another than who drew it up signs for the lessor, and does not sign for the lessee as well.
  const other = await atConsole(browser, house.server, 'deputy')
  await other.goto(list)
  await act(renewal.contractNo, '出租方签署', other)
  await other.locator('.ant-modal-confirm-title', { hasText: '年租金 ¥15,000.00' }).waitFor()
  await other.locator('.ant-modal-confirm').getByRole('button', { name: '签署' }).click()
  await other.getByText('已签署').first().waitFor()
  const { version } = await leaseOf('renews_id')
  const files = [{ name: '签署页.png', url: '/lbs/file?fileName=a.png', bytes: 10 }]
  const forBoth = await house.post('/rentContract/sign', { id: renewal.id, version, party: 2, files }, house.deputy)
  expect(forBoth).toMatchObject({ status: 422, code: 42408 })

  // The lessee's signature on paper is entered with its pages.
  await page.goto(list)
  await act(renewal.contractNo, '登记承租方签署')
  const paper = page.getByRole('dialog', { name: `登记承租方签署 · ${renewal.contractNo}` })
  await paper.getByText('¥15,000.00').waitFor()
  const record = paper.getByRole('button', { name: '登记签署' })
  await record.click()
  await paper.getByText('请上传承租方签署件').waitFor()
  expect((await leaseOf('renews_id')).version, 'nothing is taken down without pages').toBe(version)
  await paper.locator('input[type=file]').setInputFiles({ name: '签署页.png', mimeType: 'image/png', buffer: pngOf(8, 8) })
  await paper.locator('[data-attachment]').getByText('签署页.png').waitFor()
  await record.click()
  await page.getByText('已登记承租方签署').waitFor()
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

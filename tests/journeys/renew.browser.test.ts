import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anOffice, aPlate, type Office } from '../../domains/member/server/testing.ts'
import { openBrowser } from '../support/browser.ts'
import { atConsole } from './district.ts'

let office: Office
let browser: Browser
let page: Page
let customer: { id: string; passNo: string }
beforeAll(async () => {
  ;[office, browser] = await Promise.all([anOffice(), openBrowser()])
  page = await atConsole(browser, office.server, 'admin')
  const memberId = await office.aCustomer()
  const { passNo } = await office.aPass(await office.aGroup(), { memberId, plates: [aPlate()] })
  customer = { id: memberId, passNo }
})
afterAll(async () => {
  await browser?.close()
  await office?.server.close()
})

/** Collects the inputs of a call as soon as it is made. */
async function heard(path: string): Promise<Record<string, unknown>[]> {
  const asked: Record<string, unknown>[] = []
  await page.route(`**${path}`, async (route) => {
    asked.push(route.request().postDataJSON())
    await route.continue()
  })
  return asked
}
/** Three keys, with no rest between them. */
const types = (field: Locator, ...keys: string[]) =>
  field.evaluate(async (input: HTMLInputElement, all) => {
    for (const typed of all) {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, typed)
      input.dispatchEvent(new Event('input', { bubbles: true }))
      await Promise.resolve()
    }
  }, keys)

it('renewing asks for the figures once the typing rests, and renews by no others', async () => {
  const asked = await heard('/custom/deferConfirmMemberSeat')
  await page.goto(`${office.server.url}/dist/operation/month/info/${customer.id}`)
  await page.getByRole('button', { name: '续费', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: customer.passNo })
  await dialog.getByRole('button', { name: '续费 ¥300.00' }).waitFor()
  await types(dialog.getByRole('spinbutton', { name: '期数' }), '2', '', '3')
  expect(await dialog.getByRole('button', { name: /^续费$/ }).isDisabled()).toBe(true)
  await dialog.getByRole('button', { name: '续费 ¥900.00' }).waitFor()
  expect(asked.map(({ periods }) => periods)).toEqual([1, 3])
  await dialog.getByRole('button', { name: '续费 ¥900.00' }).click()
  const receipt = page.getByRole('dialog').filter({ hasText: '月卡缴费收据' })
  await receipt.getByText('¥900.00', { exact: true }).waitFor()
  await receipt.locator('.ant-modal-close').click()
  const history = page.locator('.detail .timeline li').filter({ hasText: '续费' })
  await history.getByRole('button', { name: '打印收据' }).waitFor()
})

it('renewing several asks for their figures once the typing rests', async () => {
  const asked = await heard('/pass/renewMany')
  await page.goto(`${office.server.url}/dist/operation/month/info`)
  await page.locator('.ant-table-row').first().getByRole('checkbox').check()
  await page.getByRole('button', { name: '批量续费' }).click()
  const dialog = page.getByRole('dialog', { name: '批量续费' })
  await dialog.getByRole('button', { name: '续费 1 张，共 ¥300.00' }).waitFor()
  expect(await dialog.getByRole('checkbox', { name: /现金已收讫/ }).isChecked()).toBe(false)
  expect(await dialog.locator('.plates .plate.blue').first().innerText()).toMatch(/^鄂B·\d{5}$/)
  await types(dialog.getByRole('spinbutton', { name: '期数' }), '2', '', '3')
  await dialog.getByRole('button', { name: '续费 1 张，共 ¥900.00' }).waitFor()
  expect(asked.map(({ periods }) => periods)).toEqual([1, 3])
})

it('renewing several asks before it is left once something was changed, cash alone too, and not before', async () => {
  await page.goto(`${office.server.url}/dist/operation/month/info`)
  const dialog = page.getByRole('dialog', { name: '批量续费' })
  const begins = async () => {
    await page.locator('.ant-table-row').first().getByRole('checkbox').check()
    await page.getByRole('button', { name: '批量续费' }).click()
    await dialog.getByRole('button', { name: '续费 1 张，共 ¥300.00' }).waitFor()
  }
  await begins()
  await dialog.getByRole('checkbox', { name: '全选' }).waitFor()
  await dialog.getByRole('button', { name: '取消' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await begins()
  await dialog.getByRole('checkbox', { name: /现金已收讫/ }).check()
  await dialog.getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '放弃修改' }).click()
  await dialog.waitFor({ state: 'hidden' })
})

it('a reviewer is told before a pass is granted whose wanted start is over, and not of one that begins today', async () => {
  const made = await office.aGroup({ group: { review: true } })
  const memberId = await office.aCustomer()
  const [late, fresh] = [await office.aPass(made, { memberId }), await office.aPass(made, { memberId })]
  await office.sql(`update member.pass set start_at = start_at - interval '2 days' where id = $1`, [late.id])
  await page.goto(`${office.server.url}/dist/operation/month/info/${memberId}`)
  const approve = (passNo: string) => page.locator('.member-pass').filter({ hasText: passNo }).getByRole('button', { name: '通过' })
  await approve(late.passNo).click()
  const asked = page.getByRole('dialog').filter({ hasText: '申请的开始日期已过' })
  await asked.getByRole('button', { name: '取消' }).click()
  await asked.waitFor({ state: 'hidden' })
  await approve(fresh.passNo).click()
  await approve(fresh.passNo).waitFor({ state: 'hidden' })
  expect(await office.pass(late.id)).toMatchObject({ status: 0 })
  await approve(late.passNo).click()
  await asked.getByRole('button', { name: '通过' }).click()
  await approve(late.passNo).waitFor({ state: 'hidden' })
  expect(await office.pass(late.id)).toMatchObject({ status: 7, startAt: fresh.startAt, endAt: fresh.endAt })
})

it('who refuses a pass says why, and whoever looks at the customer afterwards reads it', async () => {
  const memberId = await office.aCustomer()
  const pass = await office.aPass(await office.aGroup({ group: { review: true } }), { memberId })
  await page.goto(`${office.server.url}/dist/operation/month/info/${memberId}`)
  const shown = page.locator('.member-pass').filter({ hasText: pass.passNo })
  await shown.getByRole('button', { name: '驳回' }).click()
  const dialog = page.getByRole('dialog', { name: '驳回开卡申请' })
  await dialog.getByRole('button', { name: '驳回' }).click()
  await dialog.getByText('请填写驳回原因').waitFor()
  await dialog.getByRole('textbox', { name: '驳回原因' }).fill('行驶证不清晰')
  await dialog.getByRole('button', { name: '驳回' }).click()
  await shown.getByText('驳回原因：行驶证不清晰').waitFor()
  expect(await shown.getByText('审核未通过').count()).toBe(1)
  expect(await shown.getByRole('button').count()).toBe(0)
})

it('a pass is sold to a named customer, its type is found by its car park, cars stand as plates, and the button says the sum', async () => {
  const { parkCode } = await office.field()
  const { group } = await office.aGroup({ parks: [parkCode] })
  await page.goto(`${office.server.url}/dist/operation/month/info`)
  await page.getByRole('button', { name: '新增' }).click()
  const adding = page.getByRole('dialog', { name: '新增客户' })
  await adding.getByLabel('姓名').fill('赵开卡')
  await adding.getByRole('button', { name: '保存并开卡' }).click()
  const dialog = page.getByRole('dialog', { name: '开卡 · 赵开卡' })
  const [type, , cars] = [0, 1, 2].map((place) => dialog.getByRole('combobox').nth(place))
  await type!.fill(`车场 ${parkCode}`)
  const option = page.locator('.ant-select-dropdown:visible .ant-select-item-option')
  await expect.poll(() => option.allInnerTexts(), { timeout: 20_000 }).toEqual([`${group.name} · 车场 ${parkCode}`])
  await option.click()
  await cars!.fill('鄂frv002')
  await page.keyboard.press('Enter')
  await dialog.locator('.plate-tag .plate', { hasText: '鄂F·RV002' }).waitFor()
  await dialog.getByRole('button', { name: '售出 ¥300.00' }).waitFor()
  await dialog.getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '放弃修改' }).click()
  await dialog.waitFor({ state: 'hidden' })
})

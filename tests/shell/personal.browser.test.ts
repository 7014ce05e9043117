import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGate, aPark, aRule, reads } from '../../domains/parking/server/factories.ts'
import { instantAt } from '../../platform/contract/time.ts'
import { someoneWho } from '../support/roles.ts'
import { type Console, openConsole, poll, signIn, STAYS as RECORDS } from './console.ts'

const STAFF = '/dist/appManage/organization/staff'
const STAYS = `/dist${RECORDS}`
let shown: Console
let page: Page
let owner: pg.Client
const kept = async () => (await owner.query('select name, phone, email from identity.person where username = $1', ['lisi'])).rows[0]

beforeAll(async () => {
  shown = await openConsole()
  owner = new pg.Client({ connectionString: shown.server.ownerUrl })
  await owner.connect()
  const admin = await shown.server.signIn('admin')
  await shown.server.ask(admin, 'POST', '/lbs/custom/person/add', { username: 'lisi', name: '李四', phone: '13812345678', email: 'lisi@example.com' })
  page = await opens(STAFF, ['StaffScreen'], ['identity:person:edit'])
})
afterAll(async () => {
  await owner?.end()
  await shown?.close()
})

/** Somebody new in a browser of their own, at an address. */
async function opens(address: string, ...[screens, capabilities]: [string[], string[]?]): Promise<Page> {
  const { username, password } = await someoneWho(shown.server, owner, screens, capabilities)
  const at = await shown.stranger()
  await at.goto('/dist/login')
  await signIn(at, username, password)
  await at.waitForURL('**/dist/**')
  await at.locator('.shell').waitFor()
  await at.goto(address)
  return at
}

const row = () => page.locator('.ant-table-row:visible', { hasText: 'lisi' })
const save = () => page.locator('.ant-modal').getByRole('button', { name: '保存' }).click()
const phone = () => page.locator('.ant-modal').getByLabel('手机号')

test('whoever sees numbers in part only changes a name, and the number stays', async () => {
  await row().waitFor()
  expect(await row().innerText()).toContain('138****5678')
  await row().getByText('编辑').click()
  expect(await phone().inputValue()).toBe('138****5678')
  expect(await page.locator('.ant-modal').innerText()).toContain('部分内容已隐藏')
  await page.locator('.ant-modal').getByLabel('姓名').fill('李四四')
  await save()
  await poll(async () => (await kept()).name).toBe('李四四')
  expect(await kept()).toEqual({ name: '李四四', phone: '13812345678', email: 'lisi@example.com' })
})

test('a number with asterisks that somebody types is not taken, a whole one is', async () => {
  await row().getByText('编辑').click()
  await phone().fill('139****5678')
  await page.locator('.ant-modal .ant-form-item-explain-error', { hasText: '请填写完整内容' }).waitFor()
  await phone().fill('13900001111')
  await save()
  await poll(async () => (await kept()).phone).toBe('13900001111')
  await row().filter({ hasText: '139****1111' }).waitFor()
})

test('whoever is not shown plates is asked for a whole one, and has no column of actions where none is theirs', async () => {
  await shown.server.house.writing(1, 'test', async (tx) => {
    await aPark(tx, { parkCode: 'T001' })
    await aGate(tx, { parkCode: 'T001', gateCode: 'T001-G01', direction: 1, sn: 'PG-T001-1' })
    await aRule(tx, { parkCode: 'T001' })
    await reads(tx, { sn: 'PG-T001-1', at: instantAt(Date.now() - 3_600_000), plate: '鄂F57001' })
  })
  const clerk = await opens(STAYS, ['StayScreen'])
  await clerk.locator('.ant-table-row', { hasText: '鄂F·***01' }).waitFor()
  expect(await clerk.getByLabel('车牌', { exact: true }).getAttribute('placeholder')).toBe('完整车牌')
  expect(await clerk.locator('.ant-table-thead:visible').innerText()).not.toContain('操作')
  const guard = await opens(STAYS, ['StayScreen'], ['parking:plate:view', 'parking:stay:correct'])
  await guard.locator('.ant-table-row', { hasText: '鄂F·57001' }).waitFor()
  expect(await guard.getByLabel('车牌', { exact: true }).getAttribute('placeholder')).toBe('任意几位')
  expect(await guard.locator('.ant-table-thead:visible').innerText()).toContain('操作')
})

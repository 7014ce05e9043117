import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someoneWho } from '../support/roles.ts'
import { type Console, openConsole, poll, signIn } from './console.ts'

const STAFF = '/dist/appManage/organization/staff'
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
  const clerk = await someoneWho(shown.server, owner, ['StaffScreen'], ['identity:person:edit'])
  page = await shown.stranger()
  await page.goto('/dist/login')
  await signIn(page, clerk.username, clerk.password)
  await page.waitForURL('**/dist/**')
  await page.locator('.shell').waitFor()
})
afterAll(async () => {
  await owner?.end()
  await shown?.close()
})

const row = () => page.locator('.ant-table-row:visible', { hasText: 'lisi' })
const save = () => page.locator('.ant-modal').getByRole('button', { name: '保存' }).click()
const phone = () => page.locator('.ant-modal').getByLabel('手机号')

test('whoever sees numbers in part only changes a name, and the number stays', async () => {
  await page.goto(STAFF)
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

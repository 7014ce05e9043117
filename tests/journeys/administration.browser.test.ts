import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Console, openConsole } from '../shell/console.ts'
import { PASSWORD } from '../support/server.ts'

let shown: Console
let page: Page
beforeAll(async () => {
  shown = await openConsole()
  page = await shown.as('admin')
})
afterAll(() => shown?.close())

it('a message template is tried out under its form while it is written, and has a remark of its own', async () => {
  await page.goto('/dist/operation/message/template')
  await page.getByRole('button', { name: '新增' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('内容', { exact: true }).fill('您好 {{name}}，今晚升级')
  const preview = form.getByRole('region', { name: '预览' })
  await preview.getByText('您好 张三，今晚升级').waitFor()
  await form.getByLabel('备注').fill('每月一次')
  expect(await preview.innerText()).not.toContain('每月一次')
})

it('a form that takes pictures and attachments shows its own buttons for them, not the browser’s', async () => {
  await page.goto('/dist/appManage/basicData/law')
  await page.getByRole('button', { name: '新增' }).click()
  const form = page.getByRole('dialog')
  await form.getByText('选择文件').waitFor()
  expect(await form.locator('input[type=file]:visible').count()).toBe(0)
})

it('an enterprise can ask a second factor of everybody', async () => {
  await page.goto('/dist/assetManage/firmMode')
  const row = page.locator('.ant-table-row', { hasText: '樊城区停车服务公司' })
  await row.getByRole('button', { name: '编辑' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('switch', { name: '全员须动态验证码' }).click()
  await form.getByRole('button', { name: '保存' }).click()
  await form.waitFor({ state: 'hidden' })
  const other = await shown.stranger()
  await other.goto('/dist/login')
  await other.locator('input:not([type=password]):visible').first().fill('otheradmin')
  await other.locator('input[type=password]').first().fill(PASSWORD)
  await other.keyboard.press('Enter')
  await other.getByRole('dialog').getByText('动态验证码').first().waitFor()
})

it('what went wrong in the console stands in its own log, on the next day too, until it is cleared', async () => {
  await page.goto('/dist/log')
  await page.getByRole('button', { name: '清空' }).waitFor()
  await page.evaluate(() => void Promise.reject(new Error('tried in a test')))
  await page.locator('tr', { hasText: 'tried in a test' }).waitFor()
  await page.reload()
  await page.locator('tr', { hasText: 'tried in a test' }).getByText('错误').waitFor()
  await page.getByRole('button', { name: '清空' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '清空' }).click()
  await page.getByText('一切正常').waitFor()
  // What a page that is left breaks off is not an error.
  await page.goto('/dist/index')
  await page.goto('/dist/log')
  await page.getByText('一切正常').waitFor()
})

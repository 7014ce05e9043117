import { readFile } from 'node:fs/promises'
import type { Page, Route } from 'playwright-core'
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

it('a variable that a template uses and does not declare is declared by one press, and a task takes the one channel that can send it', async () => {
  const token = await shown.server.signIn('admin')
  const gateway = { name: '信箱', type: 5, host: '127.0.0.1', port: 2525, sender: '泊城 <notice@kerbline.example>' }
  const made = await shown.server.ask(token, 'POST', '/lbs/message/messageChannel/insert', gateway)
  expect(made.message).toBe('ok')
  await page.goto('/dist/operation/message/template')
  await page.getByRole('button', { name: '新增' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('渠道类型').click()
  await page.locator('.ant-select-item', { hasText: /^邮件$/ }).click()
  await form.getByLabel('模板编码').fill('duty.tonight')
  await form.getByLabel('模板名称').fill('今晚值班')
  await form.getByLabel('标题', { exact: true }).fill('值班')
  await form.getByLabel('内容', { exact: true }).fill('{{name}}您好，今晚在 {{place}} 值班')
  await form.getByRole('region', { name: '预览' }).getByRole('button', { name: 'place' }).click()
  await form.getByRole('button', { name: '保存' }).click()
  await page.locator('.ant-table-row', { hasText: '今晚值班' }).getByRole('button', { name: '启用' }).click()
  await page.locator('.toast', { hasText: '已启用' }).waitFor()
  await page.goto('/dist/operation/message/task')
  await page.getByRole('button', { name: '新增' }).click()
  await form.getByLabel('模板', { exact: true }).click()
  await page.locator('.ant-select-item', { hasText: '今晚值班' }).click()
  await form.locator('.ant-form-item', { hasText: '渠道' }).getByText('信箱 · 邮件').waitFor()
  await form.getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '放弃修改' }).click()
})

it('a row that one adds oneself is there at once, whoever reads the list and however late an answer comes', async () => {
  await page.goto('/dist/operation/marketing')
  await page.getByText(/共\s*\d+\s*条/).waitFor()
  // The save's own refresh and the one that its news asks for are both under way, and the later one began with the earlier page.
  const waits = [600, 1_500]
  let asked = 0
  const late = async (route: Route) => {
    await new Promise((done) => setTimeout(done, waits[asked++] ?? 0))
    await route.continue()
  }
  await page.getByRole('button', { name: '新增' }).click()
  await page.getByRole('dialog').getByLabel('标题').fill('自己写的')
  await page.route('**/platformNews/getNewsByPage', late)
  await page.getByRole('dialog').getByRole('button', { name: '保存' }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.locator('.list-rows').hover()
  await page.waitForTimeout(2_500)
  expect(asked).toBeGreaterThan(1)
  await page.unroute('**/platformNews/getNewsByPage')
  expect(await page.locator('.ant-table-row', { hasText: '自己写的' }).count()).toBe(1)
  expect(await page.locator('.list-tools .news').count()).toBe(0)
})

it('a release note is shown once to whoever knew the console before, and not to its author in the middle of the work', async () => {
  await page.goto('/dist/appManage/system/update')
  const note = { release: '9.9.0', title: '新说明', titleEn: 'News', content: '<p>菜单变了</p>' }
  const token = await shown.server.signIn('admin')
  expect((await shown.server.ask(token, 'POST', '/lbs/business/system/addSystemUpdateInfo', note)).status).toBe(200)
  await shown.as('auditor')
  await page.getByRole('button', { name: '刷新', exact: true }).click()
  await page.locator('.ant-table-row', { hasText: '9.9.0' }).getByRole('button', { name: '发布' }).click()
  await page.getByRole('dialog').getByRole('button', { name: '发布' }).click()
  await page.locator('.toast', { hasText: '已发布' }).waitFor()
  await page.waitForTimeout(500)
  expect(await page.getByRole('dialog').count()).toBe(0)
  const other = await shown.anew('auditor')
  await other.getByRole('dialog').getByText('菜单变了').waitFor()
  await other.getByRole('button', { name: '知道了' }).click()
  await other.getByRole('dialog').waitFor({ state: 'hidden' })
  const later = await shown.anew('auditor')
  await later.locator('.shell').waitFor()
  await later.waitForLoadState('networkidle')
  expect(await later.getByRole('dialog').count()).toBe(0)
  await page.reload()
  await page.getByRole('button', { name: '知道了' }).click()
})

it('a sheet in which nothing differs offers no import', async () => {
  await page.goto('/dist/appManage/organization/staff')
  const [sheet] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /导出/ }).first().click()])
  await page.getByRole('button', { name: '导入' }).click()
  await page
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles({ name: '员工.xls', mimeType: 'application/vnd.ms-excel', buffer: await readFile(await sheet.path()) })
  expect(await page.getByRole('dialog').getByRole('button', { name: '没有变化，无需导入' }).isDisabled()).toBe(true)
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
  await page.getByText('控制台没有记录').waitFor()
  // A request broken off by leaving the page is not an error.
  await page.goto('/dist/index')
  await page.goto('/dist/log')
  await page.getByText('控制台没有记录').waitFor()
})

it('an odometer beyond its bounds stays as it was typed, and is told them in kilometres', async () => {
  await page.goto('/dist/car/manage')
  await page.getByRole('button', { name: '新增' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('里程').fill('3000000')
  await form.getByLabel('用途').focus()
  await form.getByText('里程应在 0 至 2000000 之间').waitFor()
  expect(await form.getByLabel('里程').inputValue()).toBe('3000000.0')
  await form.getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '放弃修改' }).click()
})

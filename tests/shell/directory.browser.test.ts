import { afterAll, beforeAll, expect, test } from 'vitest'
import { Encryption } from '../../domains/identity/contract/directory.ts'
import { aDirectory, PEOPLE, READER, type TestDirectory } from '../../domains/identity/server/testing.ts'
import { allowOutside } from '../../platform/server/outside.ts'
import { type Console, openConsole, toast } from './console.ts'

let shown: Console
let there: TestDirectory
beforeAll(async () => {
  ;[shown, there] = await Promise.all([openConsole(), aDirectory(Encryption.ldaps)])
  allowOutside([`127.0.0.1:${there.port}`])
})
afterAll(async () => {
  there?.close()
  await shown?.close()
})

test('an administrator sets up the directory and tries it; the sign-in page offers it from then on, by keyboard and in both languages', async () => {
  const { password } = there.person('operator')
  const before = await shown.stranger()
  const offered = before.waitForResponse('**/lbs/security/directory/offer')
  await before.goto('/dist/login')
  await offered
  expect(await before.locator('#directories button').count()).toBe(0)

  const page = await shown.as('admin')
  await page.goto('/dist/appManage/permission/directory')
  await page.getByRole('button', { name: '设置', exact: true }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: '保存' }).click()
  await form.getByText('请填写绑定密码').waitFor()
  for (const [label, value] of [
    ['名称', '公司域账号'],
    ['服务器', '127.0.0.1'],
    ['端口', String(there.port)],
    ['CA 证书', there.ca],
    ['绑定账号', READER.dn],
    ['绑定密码', READER.password],
    ['搜索起点', PEOPLE],
  ] as const)
    await form.getByLabel(label, { exact: true }).fill(value)
  // The input is kept as a draft, but for the secret.
  const drafts = await page.evaluate(() => JSON.stringify(localStorage))
  expect(drafts).toContain('公司域账号')
  expect(drafts).not.toContain(READER.password)
  await form.getByRole('button', { name: '保存' }).click()
  await toast(page, '已保存').waitFor()
  await page.getByRole('button', { name: '试查' }).click()
  for (const [account, said] of [
    ['nobody', '没有找到该用户'],
    ['operator', '已找到'],
  ] as const) {
    await page.getByLabel('目录账号').fill(account)
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText(said).waitFor()
  }

  const stranger = await shown.stranger()
  await stranger.goto('/dist/login')
  const button = stranger.locator('#directories button')
  await button.getByText('使用 公司域账号 登录').waitFor()
  await stranger.locator('#language').click()
  await button.getByText('Sign in with 公司域账号').waitFor()
  // Empty fields are asked for before anything is sent.
  await button.click()
  expect(await stranger.locator('#refused').textContent()).toBe('')
  await stranger.fill('[name=username]', 'operator')
  await stranger.fill('[name=password]', 'wrong')
  for (let i = 0; i < 2; i++) await stranger.keyboard.press('Tab')
  await stranger.keyboard.press('Enter')
  await stranger.locator('#refused', { hasText: 'Wrong username or password' }).waitFor()
  await stranger.fill('[name=password]', password)
  for (let i = 0; i < 2; i++) await stranger.keyboard.press('Tab')
  await stranger.keyboard.press('Enter')
  await stranger.waitForURL('**/dist/index')
})

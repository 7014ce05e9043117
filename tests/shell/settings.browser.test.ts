import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Console, openConsole, poll, STAYS } from './console.ts'

let shown: Console
let admin: string
beforeAll(async () => {
  shown = await openConsole()
  admin = await shown.server.signIn('admin')
})
afterAll(() => shown?.close())

const setting = (which: 'add' | 'reset', body: object) =>
  shown.server.ask(admin, 'POST', `/lbs/business/system/${which}SystemInformationConfiguration`, body).then(({ status }) => status)
let set: string[] = []
const change = async (name: string, value: unknown) => {
  expect(await setting('add', { name, value })).toBe(200)
  set.push(name)
}
beforeEach(async () => {
  for (const name of set) await setting('reset', { name, version: 1 })
  set = []
})

test('the name of the console is at the top left and in the title of every page, in either language, as soon as it is set', async () => {
  const page = await shown.as('auditor')
  await page.waitForLoadState('networkidle')
  await change('consoleName', '城东停车')
  await change('consoleNameEn', 'East District')
  await page.locator('.brand', { hasText: '城东停车' }).waitFor()
  await poll(() => page.title()).toContain('城东停车')
  const english = await shown.as('auditor')
  await english.context().addCookies([{ name: 'lang', value: 'en', url: shown.server.url }])
  await english.reload()
  await english.locator('.brand', { hasText: 'East District' }).waitFor()
})

test('the support contact stands below every help article', async () => {
  await change('supportContact', '0571-88000000')
  const page = await shown.as('auditor')
  await page.keyboard.press('h')
  await page.getByText('技术支持：0571-88000000').waitFor()
})

test('the idle time of open pages is that of the setting', async () => {
  const page = await shown.anew('auditor')
  await page.clock.install()
  const channel = page.waitForEvent('websocket')
  await page.goto(`/dist${STAYS}`)
  await page.locator('h1:visible').first().waitFor()
  await channel
  await page.waitForLoadState('networkidle')
  const read = page.waitForResponse('**/consoleSettings')
  await change('idleMinutes', 5)
  await read
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)
  await page.mouse.move(200, 200)
  await page.clock.runFor(4 * 60_000)
  const warning = page.getByText(/您已长时间未操作/)
  expect(await warning.count()).toBe(0)
  await page.clock.runFor(60_000)
  await warning.waitFor()
})

test('passwords are those of the chosen rule: four kinds of characters, or a long phrase', async () => {
  const page = await shown.as('auditor')
  const open = async () => {
    await page.locator('.who').click()
    await page.getByRole('menuitem', { name: '修改密码' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('新密码').fill('one long sentence')
    await dialog.getByLabel('新密码').blur()
    return dialog
  }
  const refused = '.ant-form-item-explain-error'
  await (await open()).locator(refused).waitFor()
  await page.keyboard.press('Escape')
  await change('passwordPolicy', 2)
  await page.reload()
  const dialog = await open()
  await dialog.getByText('15 位以上的一句话').waitFor()
  expect(await dialog.locator(refused).count()).toBe(0)
})

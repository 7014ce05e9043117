import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Console, openConsole, poll, toast } from './console.ts'

const STAFF = '/appManage/organization/staff'
const DEPARTMENTS = '/appManage/organization/department'
const FILES = '/appManage/basicData/files'
const BIN = '/appManage/system/recycleBin'

let shown: Console
let page: Page
let token: string
const ask = async (call: string, body: object) => (await shown.server.ask(token, 'POST', `/lbs/custom/${call}`, body)).data
const operator = async () => (await ask('person/queryPage', { username: 'operator' })).records[0]
const row = (text: string, at = page) => at.locator('.ant-table-row:visible', { hasText: text })
const more = async (text: string, act: string) => {
  await row(text).first().getByRole('button', { name: '更多' }).click()
  await page.locator('.ant-dropdown:visible').getByText(act, { exact: true }).click()
}
const button = (name: string) => page.getByRole('button', { name, exact: true })

beforeAll(async () => {
  shown = await openConsole()
  token = await shown.server.signIn('admin')
  await ask('person/resetPassword', { custId: (await operator()).id })
  for (const change of [{ phone: '13800138000' }, { name: '老运营', phone: '13900139000' }]) {
    const { id, version } = await operator()
    await ask('person/update', { id, version, ...change })
  }
  page = await shown.as('admin')
})
afterAll(() => shown?.close())

describe('the history of a record', () => {
  const drawer = () => page.locator('.history-drawer .ant-drawer-section')
  test('says who changed what and when, before and after, the newest first', async () => {
    await page.goto(`/dist${STAFF}`)
    await more('operator', '历史')
    const changes = drawer().locator('.record-history > li')
    await changes.first().waitFor()
    const newest = changes.first()
    expect(await newest.locator('header b').textContent()).toBe('修改')
    expect(await newest.locator('header').textContent()).toMatch(/系统管理员\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/)
    const name = newest.locator('dl > div', { hasText: '姓名' })
    expect((await name.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/车场运营员 → 老运营/)
    expect(await newest.locator('footer').textContent()).toMatch(/^修改人员\s*请求号/)
  })
  test('that a password was reset is in it, the password is not', async () => {
    const text = await drawer().innerText()
    expect(text).toContain('重置密码')
    expect(text).not.toMatch(/[0-9a-f]{64}|\$argon2|scrypt/)
  })
  test('a value can be put back by the noun’s own rules; then that is history too', async () => {
    await drawer().locator('li').first().locator('dl > div', { hasText: '姓名' }).getByRole('button', { name: '恢复此值' }).click()
    await page
      .getByRole('dialog')
      .filter({ hasText: '恢复「姓名」？' })
      .getByRole('button', { name: /恢\s?复/ })
      .click()
    await toast(page, '已恢复').waitFor()
    await poll(async () => (await operator()).name).toBe('车场运营员')
    await drawer().locator('li').first().getByText('车场运营员').waitFor()
    await page.keyboard.press('Escape')
  })
  test('who may only look sees it without the way back', async () => {
    const auditor = await shown.as('auditor')
    await auditor.goto(`/dist${STAFF}`)
    await row('operator', auditor).getByRole('button', { name: '历史' }).click()
    await auditor.locator('.record-history > li').first().waitFor()
    expect(await auditor.getByRole('button', { name: '恢复此值' }).count()).toBe(0)
    await auditor.close()
  })
})

describe('what is deleted', () => {
  const confirmed = async () => page.getByRole('dialog').filter({ hasText: '确定删除?' }).getByRole('button', { name: '确定' }).click()
  const remove = async (name: string) => {
    await row(name).getByRole('button', { name: '删除' }).click()
    await confirmed()
  }
  test('delete.success: it is gone with a way to take that back at once', async () => {
    await ask('department/add', { name: '夜班组', code: 'NIGHT' })
    await page.goto(`/dist${DEPARTMENTS}`)
    await remove('夜班组')
    await toast(page, '删除成功').getByRole('button', { name: '撤销' }).click()
    await toast(page, '已恢复').waitFor()
    await row('夜班组').waitFor()
  })
  test('it waits in the recycle bin with its kind, its time and who did it, and comes back from there', async () => {
    await remove('夜班组')
    await row('夜班组').waitFor({ state: 'detached' })
    await page.goto(`/dist${BIN}`)
    const gone = row('夜班组').first()
    await gone.waitFor()
    expect(await gone.innerText()).toMatch(/部门[\s\S]*夜班组[\s\S]*\d{4}-\d\d-\d\d[\s\S]*系统管理员/)
    await gone.getByRole('button', { name: '恢复' }).click()
    await page
      .getByRole('dialog')
      .filter({ hasText: '恢复「夜班组」？' })
      .getByRole('button', { name: /恢\s?复/ })
      .click()
    await toast(page, '已恢复').waitFor()
    await poll(() => row('夜班组').count()).toBe(0)
    await page.goto(`/dist${DEPARTMENTS}`)
    await row('NIGHT').waitFor()
  })
  test('what somebody else has taken the place of does not come back, and that is said', async () => {
    await remove('夜班组')
    await row('夜班组').waitFor({ state: 'detached' })
    expect(await ask('department/add', { name: '夜班组', code: 'NIGHT' })).toHaveProperty('id')
    await page.goto(`/dist${BIN}`)
    await row('夜班组').first().getByRole('button', { name: '恢复' }).click()
    await page
      .getByRole('dialog')
      .filter({ hasText: '恢复「夜班组」？' })
      .getByRole('button', { name: /恢\s?复/ })
      .click()
    await page.locator('.toast.error').waitFor()
    await row('夜班组').first().waitFor()
  })
  test('what is in use is not deleted, and why is said', async () => {
    await page.goto(`/dist${DEPARTMENTS}`)
    await remove('运营一部')
    await page.locator('.toast.error').waitFor()
    await row('运营一部').waitFor()
  })
  test('a folder goes from the files to the bin, and from there for good, after a question that says so', async () => {
    const { data: folder } = await shown.server.ask(token, 'POST', '/lbs/basic/sysFile/addFolder', { name: '旧合同' })
    const { status } = await shown.server.ask(token, 'DELETE', `/lbs/basic/sysFile/deleteFolder?dirId=${folder.id}`)
    expect(status).toBe(200)
    await page.goto(`/dist${FILES}`)
    await page.getByRole('button', { name: '回收站' }).click()
    await page.waitForURL(`**/dist${BIN}?**`) // only files and folders of it
    await row('旧合同').getByRole('button', { name: '彻底删除' }).click()
    const question = page.getByRole('dialog').filter({ hasText: '彻底删除「旧合同」？无法再恢复。' })
    await question.getByRole('button', { name: /取\s?消/ }).click()
    await question.waitFor({ state: 'hidden' })
    expect(await row('旧合同').count()).toBe(1)
    await row('旧合同').getByRole('button', { name: '彻底删除' }).click()
    await question.getByRole('button', { name: '彻底删除' }).click()
    await toast(page, '已彻底删除').waitFor()
    await row('旧合同').waitFor({ state: 'detached' })
  })
  test('access.button-permission: who may only look has neither the bin’s buttons nor those of the list', async () => {
    const auditor = await shown.as('auditor')
    await auditor.goto(`/dist${DEPARTMENTS}`)
    await row('运营一部', auditor).waitFor()
    expect(await auditor.getByRole('button', { name: '删除' }).count()).toBe(0)
    await auditor.close()
  })
})

test('the lists of both are asked for by their names in the keyboard’s way too', async () => {
  await page.keyboard.press('Control+k')
  await page.locator('.search-panel input').fill('回收站')
  await page.locator('.search-panel [aria-selected=true]', { hasText: '回收站' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/dist${BIN}`)
  await button('刷新').waitFor()
})

import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Console, openConsole, PARKS, pathOf, poll, ROLES, STAYS, toast } from './console.ts'

let shown: Console
let page: Page
let token: string
const PARK_CALL = '/lbs/basic/parkInfo'
const DEPARTMENTS = '/appManage/organization/department'
const addPark = (parkCode: string, name: string) =>
  shown.server.ask(token, 'POST', `${PARK_CALL}/add`, { parkCode, name, pType: 1, regionCode: '420606', totalBays: 100 })
/** Every list of parks hears of it. */
async function rename(parkCode: string, name: string) {
  const { id, version } = (await shown.server.ask(token, 'POST', `${PARK_CALL}/queryDetail`, { parkCode })).data
  expect((await shown.server.ask(token, 'POST', `${PARK_CALL}/update`, { id, version, name })).message).toBe('ok')
}
beforeAll(async () => {
  shown = await openConsole()
  token = await shown.server.signIn('admin')
  for (const n of [1, 2, 3]) expect((await addPark(`P00${n}`, `车场${n}`)).message).toBe('ok')
  page = await shown.as('admin')
  await page.goto(`/dist${PARKS}`)
  await row('P001').waitFor()
})
afterAll(() => shown?.close())
const row = (text: string) => page.locator('.ant-table-row:visible', { hasText: text })
const codes = () => page.locator('.ant-table-row:visible td:nth-child(2)').allTextContents()
const button = (name: string) => page.getByRole('button', { name, exact: true })

describe('a list', () => {
  test('limits.page-defaults limits.pagination-layout limits.table-height data.page-params: page 1 of 20, its parts in order, 600 high', async () => {
    const asked = page.waitForRequest(`**${PARK_CALL}/queryPage`)
    await button('刷新').click()
    expect((await asked).postDataJSON()).toMatchObject({ current: 1, limit: 20 })
    await page.setViewportSize({ width: 1024, height: 600 })
    expect((await page.locator('.list-rows').boundingBox())!.height).toBeGreaterThanOrEqual(600)
    await page.setViewportSize({ width: 1440, height: 900 })
    const places = [
      '.ant-pagination-total-text',
      '.ant-pagination-prev',
      '.ant-pagination-item',
      '.ant-pagination-next',
      '.ant-pagination-options',
      '.jumper',
    ]
    const lefts = await Promise.all(places.map(async (one) => (await page.locator(`.list-foot ${one}`).first().boundingBox())!.x))
    expect(lefts).toEqual(lefts.toSorted((a, b) => a - b))
  })
  test('a list of more than are counted goes on to its last row, and a click on 1000+ says how many there are', async () => {
    const owner = new pg.Client({ connectionString: shown.server.ownerUrl })
    await owner.connect()
    await owner.query(`insert into identity.department (enterprise_id, name) select 1, '部门' || n from generate_series(1, 1045) n`)
    await owner.end()
    await page.goto(`/dist${DEPARTMENTS}?page=50`)
    const foot = page.locator('.list-pages:visible')
    const next = foot.locator('.ant-pagination-next')
    await foot.getByRole('button', { name: '1000+' }).waitFor()
    for (const at of [51, 52, 53]) {
      await next.click()
      await page.waitForURL(`**${DEPARTMENTS}?page=${at}`)
      await foot.locator('.ant-pagination-item-active', { hasText: String(at) }).waitFor()
    }
    await poll(() => page.locator('.ant-table-row:visible').count()).toBe(6)
    expect(await next.getAttribute('aria-disabled')).toBe('true')
    await foot.getByRole('button', { name: '1000+' }).click()
    await foot.locator('.ant-pagination-total-text', { hasText: '1046' }).waitFor()
    await foot.locator('.jumper input').fill('60')
    await foot.locator('.jumper input').press('Enter')
    await page.waitForURL(`**${DEPARTMENTS}?page=53`)
  })
  test('search.empty-dropped table.search-first-page table.reset: empty fields are not sent, a search asks for page 1, reset clears filter and order', async () => {
    await page.goto(`/dist${PARKS}?page=3&sort=parkCode`)
    const name = page.getByLabel('车场名称')
    await name.fill('  ')
    const asked = page.waitForRequest((request) => request.url().includes('parkInfo/queryPage') && request.postDataJSON().current === 1)
    await button('查询').click()
    expect((await asked).postDataJSON()).not.toHaveProperty('name')
    await button('重置').click()
    await page.waitForURL(`**/dist${PARKS}`)
    await row('P002').waitFor()
  })
  test('j, k and Esc go through the records; each has its own address', async () => {
    await page.locator('h1:visible').click()
    await page.keyboard.press('j')
    await page.waitForURL(`**${PARKS}/*`)
    const first = pathOf(page)
    await page.keyboard.press('j')
    await poll(() => pathOf(page)).not.toBe(first)
    await page.keyboard.press('k')
    await poll(() => pathOf(page)).toBe(first)
    await page.keyboard.press('Escape')
    await page.waitForURL(`**/dist${PARKS}`)
  })
  test('what changes on the server is refreshed in its place; new rows wait while somebody reads', async () => {
    await page.waitForTimeout(500)
    const before = await codes()
    const read = await page.locator('.list-rows').boundingBox()
    await page.mouse.move(read!.x + 200, read!.y + 200) // the hand is on the rows: somebody reads
    await rename('P002', '改过的车场')
    await row('改过的车场').waitFor()
    await addPark('P000', '新车场')
    await rename('P001', '又改过的')
    await page.getByText('1 条新记录').waitFor()
    expect(await codes()).toEqual(before)
    await page.getByText('1 条新记录').click()
    await row('新车场').waitFor()
    await page.mouse.move(700, 20)
    await addPark('P004', '又一个车场')
    await rename('P001', '再改过的')
    await row('又一个车场').waitFor()
  })
  test('delete.confirm delete.running delete.success delete.cancel: it asks with the name of what goes, says that it runs, and that it is done', async () => {
    const begin = async () => {
      await row('P004').getByText('更多').click()
      await page.locator('.ant-dropdown:visible').getByText('删除').click()
      const dialog = page.getByRole('dialog').filter({ hasText: '提示' })
      await dialog.getByText('确定删除?').waitFor()
      await dialog.getByText('P004 又一个车场').waitFor()
      return dialog
    }
    await (await begin()).getByRole('button', { name: '取消' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await row('P004').count()).toBe(1)
    await page.route('**/parkInfo/delete', async (route) => {
      await new Promise((done) => setTimeout(done, 600))
      await route.continue()
    })
    const dialog = await begin()
    await dialog.getByRole('button', { name: '确定' }).click()
    await dialog.getByText('删除中...').waitFor()
    await toast(page, '删除成功').waitFor()
    await row('P004').waitFor({ state: 'detached' })
  })
})

describe('a dialog', () => {
  const dialog = () => page.getByRole('dialog').filter({ hasText: '名称' }).or(page.locator('.ant-modal:visible')).first()
  test('limits.dialog-size dialog.invalid dialog.close-resets: 60 % wide with labels of 125 px; an invalid form is not sent; leaving asks', async () => {
    await page.getByRole('button', { name: /新增/ }).click()
    await dialog().waitFor()
    expect((await dialog().boundingBox())!.width).toBeCloseTo(1440 * 0.6, -1)
    expect((await dialog().locator('.ant-form-item-label').first().boundingBox())!.width).toBe(125)
    let sent = 0
    page.on('request', (request) => void (sent += request.url().endsWith('/parkInfo/add') ? 1 : 0))
    await dialog().locator('.ant-btn-primary').click()
    await toast(page, '请检查表单是否填写完整').waitFor()
    expect(sent).toBe(0)
    const first = dialog().locator('input[type=text]').first()
    await first.fill('half typed')
    await dialog().getByRole('button', { name: '取消' }).click()
    await page.locator('.ant-modal-confirm-title', { hasText: '放弃未保存的修改？' }).waitFor()
    await page.getByRole('button', { name: '继续编辑' }).click()
    expect(await first.inputValue()).toBe('half typed')
    await dialog().getByRole('button', { name: '取消' }).click()
    await page.getByRole('button', { name: '放弃修改' }).click()
    await page.locator('.ant-modal:visible').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /新增/ }).click()
    expect(await dialog().locator('input[type=text]').first().inputValue()).toBe('')
    await page.keyboard.press('Escape')
  })
  test('a stale record is not overwritten: what was typed stays and the latest can be seen', async () => {
    await page.locator('.ant-modal:visible').first().waitFor({ state: 'detached' })
    await row('P003').getByText('编辑').click()
    const name = page.locator('.ant-modal:visible').getByRole('textbox', { name: '车场名称' })
    await name.fill('我的名字')
    await rename('P003', '别人的名字')
    await page.locator('.ant-modal:visible .ant-btn-primary').click()
    await page.getByText('别人刚刚改过这条记录').waitFor()
    expect(await name.inputValue()).toBe('我的名字')
    await page.getByRole('button', { name: '看最新的' }).click()
    await row('别人的名字').waitFor()
  })
})

test('search.date-range-expanded search.shortcuts search.no-future: a range of days goes from midnight to the last second', async () => {
  await page.goto(`/dist${STAYS}`)
  await page.getByLabel('入场时间').first().click()
  await page.locator('.ant-picker-presets').getByText('最近一周').click()
  for (const text of ['今天', '最近一个月', '最近三个月']) expect(await page.locator('.ant-picker-presets').getByText(text).count()).toBe(1)
  const asked = page.waitForRequest(/parkRecord\/queryPage\?.*entryTimeFrom/)
  await button('查询').click()
  const query = new URL((await asked).url()).searchParams
  expect(query.get('entryTimeFrom')).toMatch(/^\d{4}-\d\d-\d\d 00:00:00$/)
  expect(query.get('entryTimeTo')).toMatch(/^\d{4}-\d\d-\d\d 23:59:59$/)
})

test('what cannot be done with a row now says why, stays faint under the hand, and does nothing', async () => {
  const other = await shown.as('admin')
  await other.goto(`/dist${ROLES}`)
  const action = (name: string) => other.locator('.ant-table-row', { hasText: '平台管理员' }).getByRole('button', { name, exact: true })
  await action('权限').hover()
  await other.getByRole('tooltip').getByText('该角色拥有整类权限，无需逐项选择').waitFor()
  const colors = await Promise.all(['权限', '编辑'].map((name) => action(name).evaluate((node) => getComputedStyle(node).color)))
  expect(colors).toEqual(['rgb(102, 112, 128)', expect.not.stringContaining('rgb(102, 112, 128)')])
  expect(await action('权限').isDisabled()).toBe(true)
  await action('权限').click({ force: true })
  expect([pathOf(other), await other.getByRole('dialog').count()]).toEqual([ROLES, 0])
})

test('access.button-condition: a draft can be published and not withdrawn; what is published, the other way round', async () => {
  const act = (path: string, body: object) => shown.server.ask(token, 'POST', `/lbs/basic/regulation/${path}`, body)
  const { data } = await act('add', { title: '停车管理办法', kind: 1, effectiveOn: '2099-01-01' })
  await act('addClause', { regulationId: data.id, no: 1, content: '先停放，后缴费。' })
  await page.goto('/dist/appManage/basicData/law')
  const acts = async () => (await row('停车管理办法').getByRole('button').allTextContents()).filter((text) => ['发布', '撤回'].includes(text))
  await row('停车管理办法').waitFor()
  expect(await acts()).toEqual(['发布'])
  expect((await act('updateState', { id: data.id, version: data.version, to: 1 })).status).toBe(200)
  await page.reload()
  await row('停车管理办法').waitFor()
  expect(await acts()).toEqual(['撤回'])
})

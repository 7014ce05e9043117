import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { atConsole, type District, openDistrict } from './district.ts'

/** Behaviour of every list and dialog, shown on parking's own. Each test names the behaviours it holds. */
const PARKS = '/dist/assetManage/parkingAndFacility/selfParking'
const GATES = '/dist/assetManage/parkingAndFacility/channel'
const PRESENT = '/dist/operation/record/parking/present'
const RECORDS = '/dist/operation/record/parking/parkingRecord'

let district: District
let browser: Browser
let page: Page
const goTo = async (path: string) => {
  await page.goto(`${district.server.url}${path}`)
  await page.locator('.list').waitFor()
}
const rows = () => page.locator('.ant-table-row')
const row = (text: string) => page.locator('.ant-table-row', { hasText: text })
const dialog = () => page.getByRole('dialog')
const button = (name: string) => page.getByRole('button', { name, exact: true })
/** The input of the next request for rows of this path; figures and sums ask for themselves. */
const asked = async (path: string, act: () => Promise<unknown>): Promise<Record<string, unknown>> => {
  const [request] = await Promise.all([
    page.waitForRequest((one: Request) => one.url().includes(path) && !`${one.url()}${one.postData()}`.includes('queryMode')),
    act(),
  ])
  return request.method() === 'GET' ? Object.fromEntries(new URL(request.url()).searchParams) : (request.postDataJSON() as Record<string, unknown>)
}
const confirmation = () => page.getByRole('dialog').filter({ hasText: '确定删除?' })

beforeAll(async () => {
  ;[district, browser] = await Promise.all([openDistrict(), openBrowser()])
  page = await atConsole(browser, district.server, 'admin')
})
afterAll(async () => {
  await browser?.close()
  await district?.close()
})

describe('a list', () => {
  it('table.toolbar, table.more-buttons: search, toolbar, row buttons and pages; what is more than two is under 更多', async () => {
    await goTo(PARKS)
    await row('P001').waitFor()
    expect(await page.locator('.search').getByRole('button', { name: '查询' }).count()).toBe(1)
    expect(await page.locator('.list-bar').getByText('新增').count()).toBe(1)
    expect(await page.locator('.list-foot .ant-pagination').count()).toBe(1)
    expect(await row('P001').locator('.row-actions button').count()).toBe(3)
    await row('P001').getByText('更多').click()
    await page.getByRole('menuitem', { name: '删除' }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('while the names of parks are on their way no code stands in their place', async () => {
    let answer = () => {}
    const may = new Promise<void>((done) => (answer = done))
    await page.route('**/parkInfo/queryList*', async (route) => {
      await may
      await route.continue()
    })
    await page.goto(`${district.server.url}${GATES}`)
    await rows().first().locator('.name-waits').waitFor()
    expect(await rows().first().locator('.named').count()).toBe(0)
    answer()
    await rows().first().locator('.named').waitFor()
    expect(await rows().first().locator('.named').innerText()).not.toMatch(/^P\d+$/)
    await page.unroute('**/parkInfo/queryList*')
  })

  it('table.loading: shows that it fetches until the answer', async () => {
    await page.route('**/parkInfo/queryPage', async (route) => {
      await new Promise((done) => setTimeout(done, 500))
      await route.continue()
    })
    await page.goto(`${district.server.url}${PARKS}`)
    await page.locator('.list-rows[aria-busy=true]').waitFor()
    await page.locator('.list-rows[aria-busy=false]').waitFor()
    await page.unroute('**/parkInfo/queryPage')
  })

  it('table.search-first-page, search.empty-dropped, table.reset: searching asks for page 1 with what is filled; reset asks for everything', async () => {
    await goTo(`${PARKS}?page=3&sort=parkCode&up=1`)
    await page.getByLabel('车场名称').fill('医院')
    const searched = await asked('/parkInfo/queryPage', () => button('查询').click())
    expect(searched).toMatchObject({ current: 1, name: '医院' })
    expect(Object.keys(searched)).not.toContain('status')
    await row('P002').waitFor()
    expect(await rows().count()).toBe(1)
    await page.getByRole('button', { name: /重\s?置/ }).click()
    await row('P001').waitFor()
    expect(new URL(page.url()).search).toBe('')
  })

  it('search.shortcuts, search.no-future, search.date-range-expanded: whole days of the city, none after today', async () => {
    await goTo(RECORDS)
    await page.getByLabel('入场时间').first().click()
    const picker = page.locator('.ant-picker-dropdown:visible')
    await picker.getByText('最近一周').waitFor()
    for (const shortcut of ['今天', '最近一个月', '最近三个月']) expect(await picker.getByText(shortcut).count()).toBe(1)
    expect(await picker.locator('.ant-picker-cell-today + .ant-picker-cell-in-view:not(.ant-picker-cell-disabled)').count()).toBe(0)
    await picker.getByText('今天').click()
    const searched = await asked('/parkRecord/queryPage', () => button('查询').click())
    expect(searched.entryTimeFrom).toMatch(/ 00:00:00$/)
    expect(searched.entryTimeTo).toMatch(/ 23:59:59$/)
  })

  it('selection.none: a button over ticked rows says that none is ticked', async () => {
    await goTo(PRESENT)
    await page.locator('.list-bar').getByRole('button', { name: '清场', exact: true }).click()
    await page.getByText('至少勾选一项').waitFor()
  })

  it('access.button-permission: who may only look sees no button that changes', async () => {
    const auditor = await atConsole(browser, district.server, 'auditor')
    await auditor.goto(`${district.server.url}${PARKS}`)
    await auditor.locator('.ant-table-row', { hasText: 'P001' }).waitFor()
    expect(await auditor.getByText('新增').count()).toBe(0)
    expect(await auditor.locator('.row-actions button').count()).toBe(0)
    await auditor.close()
  })
})

describe('a dialog', () => {
  it('dialog.title-by-mode, dialog.opens-in-mode: new, edit, and open the barrier', async () => {
    await goTo(GATES)
    await row('P001-G01').getByText('开闸', { exact: true }).click()
    await dialog().getByText('开闸').first().waitFor()
    await dialog()
      .getByRole('button', { name: /取\s?消/ })
      .click()
    await row('P001-G01').getByText('编辑').click()
    await dialog().getByText('编辑').first().waitFor()
    await dialog()
      .getByRole('button', { name: /取\s?消/ })
      .click()
    await dialog().waitFor({ state: 'detached' })
  })

  it('dialog.invalid, dialog.close-resets: an incomplete form is not sent; opened again it is as at first', async () => {
    await goTo(PARKS)
    await page.locator('.list-bar').getByText('新增').click()
    let sent = 0
    page.on('request', (request) => request.url().includes('/parkInfo/add') && sent++)
    await dialog().getByLabel('车场名称').fill('半途')
    await dialog()
      .getByRole('button', { name: /保\s?存/ })
      .click()
    await page.getByText('请检查表单是否填写完整').waitFor()
    expect(sent).toBe(0)
    await dialog()
      .getByRole('button', { name: /取\s?消/ })
      .click()
    await button('放弃修改').click()
    await dialog().first().waitFor({ state: 'detached' })
    await page.locator('.list-bar').getByText('新增').click()
    expect(await dialog().getByLabel('车场名称').inputValue()).toBe('')
    await dialog()
      .getByRole('button', { name: /取\s?消/ })
      .click()
  })
})

describe('deleting', () => {
  const remove = async (code: string) => {
    await row(code).getByText('更多').click()
    await page.getByRole('menuitem', { name: '删除' }).click()
    await confirmation().getByText('提示').last().waitFor()
  }

  it('delete.confirm, delete.cancel, delete.running, delete.success: asked first; then the row is gone', async () => {
    const { server } = district
    const token = await server.signIn('admin')
    const park = { parkCode: 'T900', name: '待删车场', pType: 1, regionCode: '420607', totalBays: 10 }
    expect((await server.ask(token, 'POST', '/lbs/basic/parkInfo/add', park)).code).toBe(200)
    await goTo(PARKS)
    await remove('T900')
    await confirmation()
      .getByRole('button', { name: /取\s?消/ })
      .click()
    await row('T900').waitFor()
    await remove('T900')
    await page.route('**/parkInfo/delete', async (route) => {
      await new Promise((done) => setTimeout(done, 400))
      await route.continue()
    })
    await confirmation()
      .getByRole('button', { name: /确\s?定/ })
      .click()
    await page.getByText('删除中...').waitFor()
    await page.getByText('删除成功').waitFor()
    await row('T900').waitFor({ state: 'detached' })
    await page.unroute('**/parkInfo/delete')
  })

  it('says why when it is refused, and keeps the row', async () => {
    const { entrance } = district
    await entrance.plate({ plate: '鄂F12345' })
    await entrance.next('gate.open')
    await goTo(PARKS)
    await remove('P001')
    await confirmation()
      .getByRole('button', { name: /确\s?定/ })
      .click()
    await page.getByText('有在场车辆').first().waitFor()
    await row('P001').waitFor()
  })
})

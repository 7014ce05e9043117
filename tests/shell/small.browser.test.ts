import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Console, GATES, openConsole, PARKS, poll, ROLES, STAYS, tab } from './console.ts'

let shown: Console
let page: Page
beforeAll(async () => {
  shown = await openConsole()
  page = await shown.as('admin', { viewport: { width: 1024, height: 768 } })
})
afterAll(() => shown?.close())
const inSight = async (css: string) => {
  const box = (await page.locator(css).first().boundingBox())!
  const { width, height } = page.viewportSize()!
  return box.x >= 0 && box.y >= 0 && Math.floor(box.x + box.width) <= width && Math.floor(box.y + box.height) <= height
}

test('the menu starts folded where it would take a fifth of the screen; who unfolds it keeps it so', async () => {
  const width = async () => (await page.locator('.side').boundingBox())!.width
  await poll(width).toBe(65)
  await page.getByRole('button', { name: '展开菜单' }).click()
  await poll(width).toBe(220)
  await page.reload()
  await poll(width).toBe(220)
  await page.getByRole('button', { name: '收起菜单' }).click()
  await poll(width).toBe(65)
})
test('on a telephone the page has the whole width: the menu lies over it while somebody chooses, and is gone when they have', async () => {
  const phone = await shown.as('admin', { viewport: { width: 390, height: 844 } })
  await phone.locator('main').waitFor()
  expect(await phone.locator('.side').count()).toBe(0)
  expect((await phone.locator('main').boundingBox())!.width).toBe(390)
  await phone.getByRole('button', { name: '展开菜单' }).click()
  await phone.locator('.side').waitFor()
  expect((await phone.locator('main').boundingBox())!.width).toBe(390)
  await phone.locator('.side').getByText('系统管理').click()
  await phone.locator('.side').getByText('权限', { exact: true }).or(phone.locator('.side').getByText('权限管理')).first().click()
  await phone.locator('.side').getByText('角色管理').click()
  await phone.locator('h1:visible', { hasText: '角色管理' }).waitFor()
  expect(await phone.locator('.side').count()).toBe(0)
})
test('the pages of a list stay in sight while its rows reach below the window', async () => {
  await page.goto(`/dist${ROLES}`)
  await page.locator('.ant-table-row').first().waitFor()
  expect(await page.locator('main').evaluate((main) => main.scrollHeight > main.clientHeight)).toBe(true)
  expect(await inSight('.list-foot .ant-pagination')).toBe(true)
})
test('the tools of a list stand together in one row, at its right', async () => {
  await page.goto('/dist/appManage/organization/staff')
  await page.locator('.ant-table-row').first().waitFor()
  const tops = await page.locator('.list-tools button').evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().top)))
  expect(new Set(tops).size).toBe(1)
  const [bar, tools] = await Promise.all([page.locator('.list-bar').boundingBox(), page.locator('.list-tools').boundingBox()])
  expect(Math.round(bar!.x + bar!.width - tools!.x - tools!.width)).toBeLessThan(20)
})
test('of more tabs than there is room for, the one in front is in sight', async () => {
  for (const path of [
    PARKS,
    STAYS,
    GATES,
    ROLES,
    '/appManage/permission/rescource',
    '/appManage/organization/department',
    '/appManage/system/update',
    '/appManage/permission/buttons',
    '/appManage/system/operateLog',
    '/appManage/server/alarmRecord',
  ]) {
    await page.goto(`/dist${path}`)
    await page.locator(`[role=tab][data-path="${path}"]`).waitFor()
  }
  await poll(() => inSight('[role=tab][aria-selected=true]')).toBe(true)
  await page.getByRole('button', { name: 'English', exact: true }).click()
  await tab(page, 'Server alarm records').waitFor()
  await poll(() => inSight('[role=tab][aria-selected=true]')).toBe(true)
  expect(await page.locator('.tabs').evaluate((strip) => strip.scrollLeft)).toBeGreaterThan(0)
})
test('a page that is opened in English says so to who reads it aloud', async () => {
  await page.reload()
  await page.getByRole('heading', { name: 'Server alarm records' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en')
})
test('a long text leaves the columns beside it in sight', async () => {
  const admin = await shown.server.signIn('admin')
  await shown.server.ask(admin, 'POST', '/lbs/business/platformNews/addNews', {
    title: '长文',
    content: `<p>${'请提前告知值班人员。'.repeat(20)}</p>`,
    status: 1,
  })
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/dist/operation/marketing')
  const row = page.locator('.ant-table-row', { hasText: '长文' })
  await row.waitFor()
  const [published, actions] = await Promise.all([row.locator('time').first().boundingBox(), row.locator('.row-actions').boundingBox()])
  expect(published!.x + published!.width).toBeLessThanOrEqual(actions!.x)
})
test('in English too a list stands in a small window without scrolling sideways; what it puts away there a large one shows', async () => {
  const admin = await shown.server.signIn('admin')
  const add = async (address: string, body: object) =>
    expect((await shown.server.ask(admin, 'POST', `/lbs/${address}`, body)).message, address).toBe('ok')
  const words = '高铁东站二号地下停车场的工作规程'
  await add('basic/regulation/add', { title: words, kind: 1, docNo: '襄州发改〔2024〕27号', issuer: words, effectiveOn: '2024-10-01' })
  await add('message/messageChannel/insert', { name: words, type: 8, url: 'https://push.example.com/messages', secret: 'Kerbline-2026' })
  await add('message/messageTemplate/insert', { code: 'notice.station', name: words, kind: 1, channelType: 7, content: words })
  await add('device/iotDevice/insertIotDevice', { deviceNo: 'PG-9001', name: words, type: 1, intervalSec: 60, useStatus: 1 })
  const english = await shown.as('admin', { viewport: { width: 1024, height: 768 } })
  await english.context().addCookies([{ name: 'lang', value: 'en', url: shown.server.url }])
  for (const [path, away] of [
    ['appManage/basicData/law', 'Issued by'],
    ['operation/message/channel', 'Address'],
    ['operation/message/template', 'Updated'],
    ['assetManage/parkingAndFacility/device', 'Last seen'],
    ['appManage/system/operateLog', 'Took (ms)'],
  ] as const) {
    const head = english.locator('.list-rows th', { hasText: away })
    await english.setViewportSize({ width: 1024, height: 768 })
    await english.goto(`/dist/${path}`)
    await english.locator('.ant-table-row').first().waitFor()
    const beyond = () => english.locator('.list-rows .ant-table-body').evaluate((rows) => rows.scrollWidth - rows.clientWidth)
    await expect.poll(beyond, { message: path }).toBe(0)
    expect(await head.count(), path).toBe(0)
    await english.setViewportSize({ width: 1440, height: 900 })
    await english.reload()
    await head.waitFor()
    await expect.poll(beyond, { message: path }).toBe(0)
  }
})
test('on a telephone figures stand two by two, so that money is read whole', async () => {
  const telephone = await shown.as('admin', { viewport: { width: 390, height: 844 } })
  await telephone.goto('/dist/assetManage/person/dashboard')
  await telephone.locator('.tile').nth(4).waitFor()
  const lefts = await telephone.locator('.tile').evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)))
  expect(new Set(lefts).size).toBe(2)
})
test('on a small tablet a list that scrolls sideways has its bar at the lower edge; on a telephone its fields are as wide as their line', async () => {
  const telephone = await shown.as('admin', { viewport: { width: 640, height: 450 } })
  await telephone.goto('/dist/appManage/system/operateLog')
  const bar = telephone.locator('.list-rows .ant-table-sticky-scroll')
  await bar.waitFor()
  // Over the pages of the list, which stand at the very edge.
  const pages = telephone.locator('.list-pages')
  await expect
    .poll(async () => {
      const [bottom, top] = [await bar.boundingBox(), await pages.boundingBox()].map((box, n) => (n === 0 ? box!.y + box!.height : box!.y))
      return Math.abs(bottom! - top!)
    })
    .toBeLessThan(24)
  expect(await bar.evaluate((strip) => getComputedStyle(strip).opacity), 'no row shows through it').toBe('1')
  await telephone.setViewportSize({ width: 390, height: 450 })
  await bar.waitFor({ state: 'hidden' })
  await telephone.locator('.search').getByRole('button', { name: '更多' }).click()
  const rights = await telephone
    .locator('.search .ant-form-item')
    .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().right)))
  expect(rights.length).toBeGreaterThan(1)
  expect(new Set(rights).size).toBe(1)
})
test('on a telephone a list is searched by one field, its tools stand in one line, and its rows begin in the upper half', async () => {
  const telephone = await shown.as('admin', { viewport: { width: 390, height: 844 } })
  await telephone.goto('/dist/appManage/system/operateLog')
  await telephone.locator('.ant-table-row').first().waitFor()
  const fields = telephone.locator('.search .ant-form-item')
  expect(await fields.count()).toBe(1)
  const tops = await telephone
    .locator('.list-tools button')
    .evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => Math.round(one.getBoundingClientRect().top)))
  expect(tops.length).toBeGreaterThan(3)
  expect(new Set(tops).size).toBe(1)
  expect((await telephone.locator('.ant-table-row').first().boundingBox())!.y).toBeLessThan(844 / 2)
  // Turned on its side it has more room, and shows more.
  await telephone.setViewportSize({ width: 844, height: 390 })
  await poll(() => fields.count()).toBe(3)
  await telephone.setViewportSize({ width: 390, height: 844 })
  await poll(() => fields.count()).toBe(1)
  await telephone.locator('.search').getByRole('button', { name: '更多' }).click()
  expect(await fields.count()).toBeGreaterThan(1)
})
test('on a telephone what is done with a row stands at its right end behind one button, by the thumb and by the keyboard', async () => {
  const telephone = await shown.as('admin', { viewport: { width: 390, height: 844 } })
  await telephone.goto(`/dist${ROLES}`)
  const row = telephone.locator('.ant-table-row').first()
  const button = row.getByRole('button', { name: '操作', exact: true })
  const box = (await button.boundingBox())!
  expect([box.width, box.height].every((px) => px >= 40)).toBe(true)
  expect(box.x + box.width).toBeLessThanOrEqual(390)
  expect(await row.locator('.row-actions button').count()).toBe(1)
  // A record is a card: it lies within the page, and no value lies under the button.
  const table = telephone.locator('.list-rows .ant-table-body')
  expect(await table.evaluate((rows) => rows.scrollWidth - rows.clientWidth)).toBe(0)
  const values = await row.locator('td[data-name]').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right))
  expect(values.length).toBeGreaterThan(3)
  expect(Math.max(...values)).toBeLessThanOrEqual(box.x)
  await button.focus()
  await telephone.keyboard.press('Enter')
  const items = telephone.locator('.ant-dropdown:visible').getByRole('menuitem')
  await items.first().waitFor()
  expect(await items.count()).toBeGreaterThan(2)
  for (const item of await items.all()) {
    const { x, width } = (await item.boundingBox())!
    expect(x >= 0 && x + width <= 390, await item.innerText()).toBe(true)
  }
  await telephone.keyboard.press('Escape')
  await items.first().waitFor({ state: 'hidden' })
  expect(await button.evaluate((one) => one === document.activeElement)).toBe(true)
  await button.click()
  await items.filter({ hasText: '编辑' }).click()
  await telephone.getByRole('dialog').waitFor()
})
test('on a telephone a map stands above what it shows, high enough to be looked at', async () => {
  const telephone = await shown.as('admin', { viewport: { width: 390, height: 844 } })
  for (const path of ['assetManage/parkingAndFacility/location', 'assetManage/parkingAndFacility/gis', 'streetLamp/gis', 'car/gis', 'recharge/gis']) {
    await telephone.goto(`/dist/${path}`)
    const map = telephone.locator('.place-map')
    await map.waitFor({ state: 'attached' })
    expect((await map.boundingBox())!.height, path).toBeGreaterThanOrEqual(240)
  }
})
test('in English three fields and their buttons stand in one row beside the whole menu', async () => {
  const english = await shown.as('admin', { viewport: { width: 1440, height: 900 } })
  await english.context().addCookies([{ name: 'lang', value: 'en', url: shown.server.url }])
  for (const path of ['userCenter/arrearage/supplementary', 'userCenter/arrearage/abnormal', 'operation/record/parking/makeUp']) {
    await english.goto(`/dist/${path}`)
    await english.locator('.search').getByRole('button', { name: 'Search' }).waitFor()
    const middles = await english
      .locator('.search > *')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ y, height }) => y + height / 2))
    expect(middles.length, path).toBe(4)
    expect(Math.max(...middles) - Math.min(...middles), path).toBeLessThan(4)
  }
})
test('the heading of a page of passes stands over its figures', async () => {
  await page.goto('/dist/operation/month/info')
  await page.locator('main .tiles').waitFor()
  const [heading, figures] = await Promise.all([page.locator('h1').first().boundingBox(), page.locator('main .tiles').boundingBox()])
  expect(heading!.y + heading!.height).toBeLessThanOrEqual(figures!.y)
})

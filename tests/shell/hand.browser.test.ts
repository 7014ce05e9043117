import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Console, GATES, openConsole, PARKS, pathOf, poll, ROLES, STAYS, tab } from './console.ts'

const STAFF = '/appManage/organization/staff'
const MESSAGES = '/operation/message/list'

let shown: Console
let page: Page
beforeAll(async () => {
  shown = await openConsole()
  const admin = await shown.server.signIn('admin')
  const add = async (address: string, body: object) => expect((await shown.server.ask(admin, 'POST', `/lbs/${address}`, body)).message).toBe('ok')
  for (const n of Array.from({ length: 24 }, (_, at) => at + 10))
    await add('basic/parkInfo/add', { parkCode: `P0${n}`, name: `车场${n}`, pType: 1, regionCode: '420606', totalBays: 100 })
  await add('basic/parkGate/add', { parkCode: 'P010', gateCode: 'P010-G01', name: '东门入口', direction: 1 })
  page = await shown.as('admin')
})
afterAll(() => shown?.close())

const go = async (path: string, at = page) => {
  await at.goto(`/dist${path}`)
  await at.locator('.list-rows:visible .ant-table-row').first().waitFor()
}
const widthOf = async (name: string, at = page) => (await at.locator(`th[data-column=${name}]:visible`).boundingBox())!.width
const dialog = () => page.getByRole('dialog').last()
const question = () => page.locator('.ant-modal-confirm:visible')
/** Pressed, pulled and let go as fast as the machine takes it. */
async function pull(handle: Locator, by: number, at = page) {
  const box = (await handle.boundingBox())!
  await at.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await at.mouse.down()
  await at.mouse.move(box.x + by, box.y + 4)
  await at.mouse.up()
}

describe('columns', () => {
  test('a quick pull at a handle makes the column wider; it does not move it', async () => {
    await go(ROLES)
    const before = await widthOf('name')
    const heads = () => page.locator('.list-rows th[data-column]').evaluateAll((all) => all.map((one) => one.getAttribute('data-column')))
    const order = await heads()
    await pull(page.locator('th[data-column=name] .handle'), 90)
    await poll(async () => Math.round((await widthOf('name')) - before)).toBeGreaterThan(60)
    expect(await heads()).toEqual(order)
  })
  test('what a small window puts away is said and comes back by one press; a width set there puts nothing away anywhere else', async () => {
    const small = await shown.as('admin', { viewport: { width: 1024, height: 768 } })
    await go(STAFF, small)
    const created = (at: Page) => at.locator('th[data-column=createdAt]').count()
    expect(await created(small)).toBe(0)
    const kept = small.waitForResponse((answer) => answer.url().endsWith('putPreference') && answer.ok())
    await small.locator('th[data-column=username] [role=slider]').press('ArrowRight')
    await kept
    const large = await shown.as('admin')
    await go(STAFF, large)
    expect(await created(large)).toBe(1)
    await small.getByRole('button', { name: /列设置 · 1 列未显示/ }).click()
    await small.locator('.column-list').getByRole('checkbox', { name: '创建时间' }).check()
    await small.locator('th[data-column=createdAt]').waitFor()
    await Promise.all([small.close(), large.close()])
  })
})

describe('nothing scrolls in what scrolls', () => {
  test('in a low window the page scrolls and its heads stay; in a high one the rows do', async () => {
    const low = await shown.as('admin', { viewport: { width: 1024, height: 768 } })
    await go(PARKS, low)
    const inner = () => low.locator('.list-rows .ant-table-body').evaluate((body) => body.scrollHeight - body.clientHeight)
    await expect.poll(inner).toBeLessThanOrEqual(1)
    expect(await low.locator('main').evaluate((main) => main.scrollHeight > main.clientHeight)).toBe(true)
    await low.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight))
    const [head, main] = await Promise.all([low.locator('.list-rows thead:visible').first().boundingBox(), low.locator('main').boundingBox()])
    expect(Math.abs(head!.y - main!.y)).toBeLessThan(3)
    await low.setViewportSize({ width: 1440, height: 1000 })
    await expect.poll(inner).toBeGreaterThan(0)
    expect(await low.locator('main').evaluate((box) => box.scrollHeight - box.clientHeight)).toBeLessThanOrEqual(1)
    await low.close()
  })
  test('a list of few rows has no bar that scrolls nothing', async () => {
    await go(ROLES)
    const body = page.locator('.list-rows:visible .ant-table-body')
    expect(await body.evaluate((one) => ({ ways: getComputedStyle(one).overflowY, over: one.scrollHeight - one.clientHeight }))).toEqual({
      ways: 'auto',
      over: 0,
    })
  })
})

describe('opened pages', () => {
  test('are moved by keyboard and from their menu, the focus goes along, and the order is kept', async () => {
    const own = await shown.anew('operator')
    const names = () => own.getByRole('tab').allTextContents()
    for (const path of [PARKS, GATES, STAYS]) {
      await own.goto(`/dist${path}`)
      await own.locator(`[role=tab][data-path="${path}"]`).waitFor()
    }
    await poll(async () => (await names()).length).toBe(3)
    const [first, second, third] = (await names()) as [string, string, string]
    // The hand's way of moving them comes a moment after the console and draws them anew; what it says of a drag comes with it.
    await own.locator('[id^=DndLiveRegion]').waitFor({ state: 'attached' })
    await tab(own, first).focus()
    await own.keyboard.press('ArrowRight')
    expect(await own.evaluate(() => document.activeElement?.textContent)).toBe(second)
    await own.keyboard.press('Shift+ArrowRight')
    await poll(names).toEqual([first, third, second])
    await poll(() => own.evaluate(() => document.activeElement?.textContent)).toBe(second)
    await tab(own, second).click({ button: 'right' })
    await own.locator('.ant-dropdown:visible').getByText(/左移/).click()
    await poll(names).toEqual([first, second, third])
    await own.reload()
    await poll(names).toEqual([first, second, third])
    await own.setViewportSize({ width: 320, height: 844 })
    // The menu lies over a telephone's page, not beside it: there is room for three, not for four.
    await own.goto(`/dist${MESSAGES}`)
    await own.locator(`[role=tab][data-path="${MESSAGES}"]`).waitFor()
    await own.getByRole('button', { name: '全部已打开的页面' }).click()
    await own.locator('.ant-dropdown:visible').getByText(first).waitFor()
    await own.close()
  })
  test('the first stop of the keyboard leads past header and menu', async () => {
    await go(PARKS)
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: '跳到正文' }).press('Enter')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
  })
})

describe('a detail', () => {
  test.each([
    [1440, 900],
    [1024, 768],
  ])('at %i×%i leaves header, tabs and the list’s own buttons in reach', async (width, height) => {
    await page.setViewportSize({ width, height })
    await go(`${PARKS}`)
    await page.locator('.ant-table-row').first().click()
    await page.locator('.detail .ant-drawer-section').waitFor()
    await page.waitForTimeout(300)
    for (const one of ['.bell', '.tabs [aria-selected=true]', '.list-bar button >> nth=0', '.list-tools button >> nth=-1'])
      await page.locator(one).first().click({ trial: true })
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1440, height: 900 })
  })
  test('a park’s name in a cell looks like the link that it is', async () => {
    await go(GATES)
    const [name, link] = await Promise.all([
      page
        .locator('.ant-table-row .named')
        .first()
        .evaluate((one) => getComputedStyle(one).color),
      page.evaluate(() => {
        const one = document.body.appendChild(document.createElement('a'))
        one.href = '#'
        const { color } = getComputedStyle(one)
        one.remove()
        return color
      }),
    ])
    expect(name).toBe(link)
  })
})

describe('what one changes oneself', () => {
  test('a password that was reset from the row does not read later as somebody else’s change', async () => {
    await go(STAFF)
    const row = () => page.locator('.ant-table-row', { hasText: 'auditor' })
    await row().getByRole('button', { name: '重置密码' }).click()
    await dialog().getByRole('button', { name: '重置密码' }).click()
    await dialog().getByRole('button', { name: '我已记下' }).click()
    await row().getByRole('button', { name: '编辑' }).click()
    await dialog().getByLabel('备注').fill('重置过密码')
    await dialog().getByRole('button', { name: '保存' }).click()
    await page.locator('.toast', { hasText: '已保存' }).waitFor()
    expect(await page.getByText('别人刚刚改过这条记录').count()).toBe(0)
  })
})

describe('forms', () => {
  test('say one thing that is wrong with a field, not two', async () => {
    await go(STAFF)
    await page.locator('.list-bar').getByRole('button', { name: '新增' }).click()
    // Too long and of the wrong form at once.
    await dialog().getByLabel('用户名').fill('不是用户名'.repeat(20))
    const item = dialog().locator('.ant-form-item').filter({ hasText: '用户名' })
    await item.locator('.ant-form-item-explain-error').first().waitFor()
    expect(await item.locator('.ant-form-item-explain-error').count()).toBe(1)
  })
  test('Enter at “discard?” keeps what was typed, in the form and at the tab', async () => {
    const name = dialog().getByLabel('姓名')
    await name.fill('没写完')
    await dialog().getByRole('button', { name: '取消' }).click()
    await question().waitFor()
    await poll(() => question().evaluate((box) => box.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Enter')
    await question().waitFor({ state: 'hidden' })
    expect(await name.inputValue()).toBe('没写完')
    await page
      .locator(`[role=tab][data-path="${STAFF}"]`)
      .getByTitle('关闭')
      .evaluate((one: HTMLElement) => one.click())
    await question().waitFor()
    await poll(() => question().evaluate((box) => box.contains(document.activeElement))).toBe(true)
    await page.keyboard.press('Enter')
    await question().waitFor({ state: 'hidden' })
    expect(pathOf(page)).toBe(STAFF)
    expect(await name.inputValue()).toBe('没写完')
    await dialog().getByRole('button', { name: '取消' }).click()
    await question().getByRole('button', { name: '放弃修改' }).click()
  })
  test('a message says to how many it goes, and asks before it leaves', async () => {
    await page.goto(`/dist${MESSAGES}`)
    await page.getByRole('button', { name: '发消息' }).click()
    await dialog().locator('.ant-select').first().click()
    await page.locator('.ant-select-dropdown:visible .ant-select-item-option').first().waitFor()
    for (const at of [0, 1]) await page.locator('.ant-select-dropdown:visible .ant-select-item-option').nth(at).click()
    await page.keyboard.press('Tab')
    await dialog().getByLabel('标题').first().fill('试一下')
    await dialog().getByLabel('内容').first().fill('今晚八点检修')
    await dialog().getByRole('button', { name: '发送给 2 人' }).click()
    await question().locator('.ant-modal-confirm-title', { hasText: '发送给 2 人？' }).waitFor()
    await question().getByRole('button', { name: '继续编辑' }).click()
    expect(await page.locator('.toast.success').count()).toBe(0)
    await dialog().getByRole('button', { name: '发送给 2 人' }).click()
    await question().getByRole('button', { name: '发送给 2 人' }).click()
    await page.locator('.toast', { hasText: '已发送' }).waitFor()
  })
})

test('on paper no cell lies over another, and the rows are all there', async () => {
  await go(PARKS)
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize({ width: 1040, height: 740 })
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  const found = await page.evaluate(() => {
    const cells = [...document.querySelectorAll<HTMLTableRowElement>('.list-rows tbody tr.ant-table-row')].map((row) =>
      [...row.cells]
        .filter((one) => one.checkVisibility())
        .map((one) => ({ box: one.getBoundingClientRect(), wide: one.scrollWidth - one.clientWidth })),
    )
    const heads = [...document.querySelectorAll<HTMLElement>('.list-rows thead th')]
      .filter((one) => one.checkVisibility())
      .map((one) => one.getBoundingClientRect())
    const under = cells[0]!.filter(({ box }, at) => heads[at] && Math.abs(heads[at].left - box.left) > 2).length
    const over = cells.flat().filter(({ wide }) => wide > 1).length
    const beyond = cells.flat().filter(({ box }) => box.right > innerWidth + 1).length
    return { rows: cells.length, under, over, beyond }
  })
  expect(found).toEqual({ rows: 20, under: 0, over: 0, beyond: 0 })
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  await page.emulateMedia({ media: 'screen' })
})

import type { Locator, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Console, openConsole, pathOf, poll, STAYS, tab, toast } from './console.ts'

/** The gallery's list, over 500 rows of its own; every seventh is locked. */
const LIST = '/demo/page1?block=list'
const SAMPLES = '/lbs/business/sample'
const QUERY = `**${SAMPLES}/queryPage`
const ROWS = 500
/** The script for typing numbers, a file of its own. */
const NUMBERS = /\/assets\/numbers-[^/]+\.js$/

let shown: Console
let page: Page
let token: string
beforeAll(async () => {
  shown = await openConsole()
  token = await shown.server.signIn('admin')
  page = await shown.as('admin')
  await go(LIST)
})
afterAll(() => shown?.close())

const go = async (path: string, at = page) => {
  await at.goto(`/dist${path}`)
  await at.locator('.list-rows[aria-busy=false]').waitFor()
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
const views = (at = page) => at.getByRole('button', { name: /^filter (视图|待处理的场地)/ })
const rows = (at = page) => at.locator('.ant-table-row:visible')
const row = (text: string) => rows().filter({ hasText: text })
const total = () => page.locator('.ant-pagination-total-text b').first()
const heads = (at = page) => at.locator('th[data-column]').evaluateAll((all) => all.map((one) => one.getAttribute('data-column')))
const codes = () => page.locator('.ant-table-row:visible td:nth-child(2)').allTextContents()
const ticks = () => rows().getByRole('checkbox')
const sampleOf = async (criteria: object, queryMode = 'page') =>
  (await shown.server.ask(token, 'POST', `${SAMPLES}/queryPage`, { ...criteria, queryMode })).data
/** Waits until the person's preferences have reached the server. */
const kept = (at = page) => at.waitForResponse((answer) => answer.url().endsWith('/account/putPreference') && answer.ok())

test('table.toolbar: an empty list says so; 500 samples come by their button and are counted', async () => {
  await page.getByText('还没有记录').waitFor()
  await button(`增加 ${ROWS} 条`).click()
  await toast(page, `已增加 ${ROWS} 条`).waitFor()
  await poll(() => total().textContent()).toBe(String(ROWS))
  expect(await rows().count()).toBe(20)
})

describe('columns', () => {
  const FIRST = ['code', 'name', 'kind', 'state', 'amountFen', 'costFen', 'happenedAt', 'keeper']
  const line = (label: string) => page.locator('.column-list [draggable]').filter({ hasText: label })
  test('are shown, hidden, moved, pinned and sized; another browser of the same person has them so, until they are reset', async () => {
    expect(await heads()).toEqual(FIRST)
    await button('列设置').click()
    await line('类别').getByRole('checkbox').uncheck()
    await line('备注').getByRole('checkbox').check()
    await line('负责人').getByRole('button', { name: '移动「负责人」，上下方向键' }).press('ArrowUp')
    const told = kept()
    await button('「示例编号」固定在左侧').click()
    await told
    await button('列设置').click()
    await page.locator('.column-list').waitFor({ state: 'hidden' })
    const wanted = ['code', 'name', 'state', 'amountFen', 'costFen', 'keeper', 'happenedAt', 'remark']
    expect(await heads()).toEqual(wanted)
    expect(await page.locator('th[data-column=code]').getAttribute('class')).toContain('fix')
    const handle = page.locator('th[data-column=name] [role=slider]')
    const width = async (at: Page) => (await at.locator('th[data-column=name]').boundingBox())!.width
    const before = await width(page)
    const resized = kept()
    await handle.press('ArrowRight')
    await handle.press('ArrowRight')
    await resized
    expect(await width(page)).toBeCloseTo(before + 20, 0)
    const other = await shown.as('admin')
    await go(LIST, other)
    expect(await heads(other)).toEqual(wanted)
    expect(await width(other)).toBeCloseTo(before + 20, 0)
    await other.close()
    await button('列设置').click()
    const reset = kept()
    await button('恢复默认').click()
    await reset
    await page.reload()
    await rows().first().waitFor()
    expect(await heads()).toEqual(FIRST)
  })
  test('the rows are 40 px high, 32 px when dense, and stay so', async () => {
    const height = async () => Math.round((await rows().nth(3).boundingBox())!.height)
    expect(await height()).toBe(40)
    await button('紧凑显示').click()
    await poll(height).toBe(32)
    await page.reload()
    await rows().first().waitFor()
    expect(await height()).toBe(32)
    await button('宽松显示').click()
    await poll(height).toBe(40)
  })
})

describe('the address', () => {
  test('table.search-first-page table.reset: search, order, page and page size stand in it; a reload and the way back keep them', async () => {
    await go(`${LIST}&page=3`)
    await page.getByLabel('名称', { exact: true }).fill('岗亭')
    await button('查询').click()
    await poll(() => pathOf(page)).toBe(`/demo/page1?block=list&name=${encodeURIComponent('岗亭')}`)
    await poll(() => total().textContent()).toBe('100')
    await page.locator('th[data-column=amountFen]').click()
    await page.locator('.ant-pagination-item-2').click()
    await poll(() => pathOf(page)).toContain('sort=amountFen')
    await poll(() => pathOf(page)).toContain('page=2')
    await page.locator('.ant-table-row:visible', { hasText: '岗亭' }).first().waitFor()
    const wanted = (await sampleOf({ name: '岗亭', current: 2, limit: 20, orderByColumn: 'amountFen', isAsc: false })).records.map(
      ({ code }: { code: string }) => code,
    )
    await poll(codes).toEqual(wanted)
    const here = pathOf(page)
    await page.reload()
    await poll(codes).toEqual(wanted)
    expect(await page.getByLabel('名称', { exact: true }).inputValue()).toBe('岗亭')
    await row(wanted[3]!).locator('td').nth(2).click()
    await page.waitForURL('**/demo/page1/*')
    await page.goBack()
    await poll(() => pathOf(page)).toBe(here)
    await poll(codes).toEqual(wanted)
    const stranger = await shown.as('admin')
    await go(here, stranger)
    expect(await stranger.locator('.ant-table-row:visible td:nth-child(2)').allTextContents()).toEqual(wanted)
    await stranger.close()
    await button('重置').click()
    await poll(() => total().textContent()).toBe(String(ROWS))
    expect(await page.getByLabel('名称', { exact: true }).inputValue()).toBe('')
  })
  test('the sum below is of the whole filter, not of the page', async () => {
    await go(`${LIST}&state=1`)
    const { sums } = await sampleOf({ state: [1] }, 'sum')
    const yuan = new Intl.NumberFormat('zh-CN', { minimumFractionDigits: 2 }).format(sums.amountFen / 100)
    await poll(async () => (await page.locator('.totals').innerText()).replaceAll(/\s/g, '')).toContain(`金额¥${yuan}`)
    const figure = page.locator('.figures button', { hasText: '已锁定' })
    await figure.click()
    await poll(() => pathOf(page)).toContain('state=3')
    await poll(() => total().textContent()).toBe(await figure.locator('b').textContent())
  })
})

describe('views', () => {
  const panel = () => page.locator('.views:visible')
  const open = async () => {
    await views().click()
    await panel().getByLabel('视图名称').waitFor()
  }
  test('a search is kept under a name, called again, opened with the list, shared, and deleted', async () => {
    await go(`${LIST}&state=1&kind=2&sort=code&up=1`)
    await open()
    await panel().getByLabel('视图名称').fill('待处理的场地')
    await panel().getByRole('checkbox', { name: '共享' }).check()
    await button('保存当前条件').click()
    await toast(page, '视图已保存').waitFor()
    const wanted = await codes()
    await go(LIST)
    await open()
    await panel().getByText('待处理的场地').click()
    await poll(() => pathOf(page)).toContain('/demo/page1?block=list&kind=2&state=1&sort=code&up=1&view=')
    await poll(codes).toEqual(wanted)
    const auditor = await shown.as('auditor')
    await go(LIST, auditor)
    await views(auditor).click()
    await auditor.locator('.views:visible').getByText('待处理的场地').click()
    await auditor.waitForURL(/state=1/)
    await auditor.close()
    await open()
    await button('设为默认视图').click()
    await page.keyboard.press('Escape')
    await go(LIST)
    await poll(() => pathOf(page)).toContain('state=1')
    await open()
    await button('删除视图').click()
    await toast(page, '已删除').waitFor()
    await panel().getByText('还没有视图').waitFor()
    await page.keyboard.press('Escape')
  })
})

describe('rows', () => {
  test('table.more-buttons: beyond two the buttons are under 更多, by keyboard too; what cannot be done says why', async () => {
    await go(`${LIST}&state=1`)
    const first = rows().first()
    expect(await first.locator('.row-actions button').allTextContents()).toEqual(['编辑', '完成', '更多 '])
    await first.getByRole('button', { name: '更多' }).focus()
    await page.keyboard.press('Enter')
    const menu = page.locator('.ant-dropdown:visible')
    await menu.getByText('查看').waitFor()
    expect(await menu.getByRole('menuitem', { name: '重新打开' }).getAttribute('aria-disabled')).toBe('true')
    expect(await menu.locator('li', { hasText: '重新打开' }).getAttribute('title')).toBe('当前状态不能这样做')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await go(`${LIST}&state=3`)
    const locked = rows().first().getByRole('button', { name: '编辑' })
    expect(await locked.isDisabled()).toBe(true)
    await locked.hover({ force: true })
    await page.getByRole('tooltip', { name: '已锁定' }).waitFor()
    await page.mouse.move(700, 20)
  })
  test('selection.none: ticks stay over pages; a run tells the outcome of each row, and the refused ones can be tried again', async () => {
    await go(`${LIST}&sort=code&up=1`)
    await button('完成').first().waitFor()
    await page.locator('.list-bar').getByRole('button', { name: '完成' }).click()
    await toast(page, '至少勾选一项').waitFor()
    await ticks().nth(0).check() // S0000001 .. S0000010: one of them is locked
    for (let at = 1; at < 10; at++) await ticks().nth(at).check()
    await page.locator('.ant-pagination-item-2').click()
    await row('S0000021').waitFor()
    await row('S0000021').getByRole('checkbox').check()
    await page.getByText('已选 11 条').waitFor()
    await page.locator('.ant-pagination-item-1').click()
    await row('S0000001').waitFor()
    expect(await row('S0000001').getByRole('checkbox').isChecked()).toBe(true)
    const ticked = (await sampleOf({ current: 1, limit: 100, orderByColumn: 'code', isAsc: true })).records as { code: string; state: number }[]
    const chosen = ticked.filter((_, at) => at < 10 || at === 20)
    const open = chosen.filter(({ state }) => state === 1).length
    await page.locator('.list-bar').getByRole('button', { name: '完成' }).click()
    const dialog = page.getByRole('dialog').filter({ hasText: '完成' })
    let sent = 0
    page.on('request', (request) => void (sent += request.url().endsWith('/sample/finish') ? 1 : 0))
    await dialog.getByRole('button', { name: '完成 11 条' }).click()
    await dialog.getByText(`11 / 11，成功 ${open}，失败 ${11 - open}`).waitFor()
    expect(sent).toBe(11)
    await dialog.getByText('S0000007 已锁定，不能修改或删除；请先解锁').waitFor()
    await dialog.getByRole('button', { name: `重试失败的 ${11 - open} 条` }).click()
    await dialog.getByText(`${11 - open} / ${11 - open}，成功 0，失败 ${11 - open}`).waitFor()
    expect(sent).toBe(22 - open)
    await dialog.getByRole('button', { name: '关闭' }).last().click()
    await dialog.waitFor({ state: 'detached' })
    await button('选择全部 500 条').click()
    await page.getByText('已选 500 条').waitFor()
    await button('清除').click()
    await page.getByText('已选 500 条').waitFor({ state: 'detached' })
    page.removeAllListeners('request')
  })
  test('selection.many: by keyboard one ticked row is opened; of two it says that one is enough', async () => {
    await go(`${LIST}&sort=code&up=1`)
    await ticks().nth(0).focus()
    await page.keyboard.press('o')
    await toast(page, '至少勾选一项').waitFor()
    await page.keyboard.press('Space')
    await ticks().nth(1).check()
    await page.keyboard.press('o')
    await toast(page, '最多勾选一项').waitFor()
    await page.keyboard.press('Space')
    await page.keyboard.press('o')
    await page.locator('.detail:visible', { hasText: (await codes())[0]! }).waitFor()
    await page.keyboard.press('Escape')
    await button('清除').click()
  })
  test('a locked row is not deleted: the refusal is said', async () => {
    await go(`${LIST}&state=2&sort=code&up=1`)
    const code = (await codes())[0]!
    await row(code).getByRole('button', { name: '更多' }).click()
    await page.locator('.ant-dropdown:visible').getByText('删除').click()
    await page.route(`**${SAMPLES}/delete`, (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/json',
        body: JSON.stringify({ code: 40941, message: `${code} 已锁定，不能修改或删除`, data: null }),
      }),
    )
    await page.getByRole('dialog').filter({ hasText: '确定删除?' }).getByRole('button', { name: '确定' }).click()
    await toast(page, `${code} 已锁定`).waitFor()
    await row(code).waitFor()
    await page.unroute(`**${SAMPLES}/delete`)
  })
})

describe('a range that is not one', () => {
  const happened = () => page.locator('.search').getByLabel('发生时间')
  const typed = async (from: string, to: string) => {
    await go(LIST)
    const more = page.locator('.search').getByRole('button', { name: '更多 down' })
    if (await more.count()) await more.click()
    await happened().first().click()
    const ends = page.locator('.search .ant-picker-range input')
    await ends.nth(0).fill(from)
    if (from) await page.keyboard.press('Enter')
    await ends.nth(1).fill(to)
    if (to) await page.keyboard.press('Enter')
    await page.locator('h1:visible').first().click()
    return ends
  }
  let sent = 0
  const count = (request: Request) => void (sent += request.url().endsWith('/sample/queryPage') ? 1 : 0)
  beforeAll(() => void page.on('request', count))
  afterAll(() => void page.off('request', count))
  const search = async () => {
    await page.waitForLoadState('networkidle')
    sent = 0
    await page.locator('.search').getByRole('button', { name: '查询' }).click()
  }
  test('search.year-range-half: one end alone is kept, and said to lack the other; nothing is asked', async () => {
    const ends = await typed('2026-01-05', '')
    await search()
    await page.locator('.search').getByText('请选择完整的时间范围').waitFor()
    expect([await ends.nth(0).inputValue(), await ends.nth(1).inputValue(), sent]).toEqual(['2026-01-05', '', 0])
  })
  test('search.end-before-start: an end before its start is not turned round, and said to be wrong; nothing is asked', async () => {
    const ends = await typed('2026-01-05', '2026-01-02')
    await search()
    await page.locator('.search').getByText('结束时间应在开始时间之后').waitFor()
    expect([await ends.nth(0).inputValue(), await ends.nth(1).inputValue(), sent]).toEqual(['2026-01-05', '2026-01-02', 0])
    await page.locator('.search').getByRole('button', { name: '重置' }).click()
    await page.locator('.search').getByText('结束时间应在开始时间之后').waitFor({ state: 'detached' })
  })
})

test('keys: ? lists them, j and k go through the records, r asks again, Esc goes back', async () => {
  await go(`${LIST}&sort=code&up=1`)
  await page.locator('h1:visible').first().click()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog').filter({ hasText: '快捷键' })
  for (const text of ['下一条记录', '上一条记录', '刷新列表', '退回一步']) await keys.getByText(text).waitFor()
  await page.keyboard.press('Escape')
  await keys.waitFor({ state: 'detached' })
  await page.keyboard.press('j')
  await page.locator('.ant-drawer-section:visible', { hasText: 'S0000001' }).waitFor()
  const first = pathOf(page)
  expect(first).toMatch(/^\/demo\/page1\/[^?]+\?block=list&sort=code&up=1$/)
  await page.keyboard.press('j')
  await page.locator('.ant-drawer-section:visible', { hasText: 'S0000002' }).waitFor()
  await page.keyboard.press('k')
  await poll(() => pathOf(page)).toBe(first)
  await page.keyboard.press('Escape')
  await poll(() => pathOf(page)).toBe('/demo/page1?block=list&sort=code&up=1')
  const asked = page.waitForRequest(QUERY)
  await page.keyboard.press('r')
  await asked
})

describe('what a list can be in', () => {
  test('each state is said in words with what to do', async () => {
    await page.goto('/dist/demo/page1?block=states')
    const state = (name: string) => page.locator('.show-two .panel').filter({ has: page.getByRole('heading', { name, exact: true }) })
    await state('加载').locator('.waiting[aria-busy=true] i').first().waitFor()
    await state('没有记录').getByText('有了数据会显示在这里。').waitFor()
    for (const [name, act] of [
      ['没有符合条件', '清空条件'],
      ['页数变少', '回到第一页'],
      ['出错', '重试'],
    ] as const) {
      await state(name).getByRole('button', { name: act }).click()
      await toast(page, '已重试').last().waitFor()
    }
    await state('出错').getByText('01900000-0000-7000-8000-000000000000').waitFor()
    await state('没有权限').getByText('您没有查看这里的权限').waitFor()
  })
  test('table.loading: it shows that it fetches; 500, no connection and nothing found have their words, and trying again helps', async () => {
    let fails: 'no' | 500 | 503 | 'away' = 500
    await page.route(QUERY, async (route) => {
      if (fails === 'away') return route.abort('connectionrefused')
      if (fails === 'no') return route.continue()
      return route.fulfill({
        status: fails,
        contentType: 'application/json',
        headers: { 'x-request-id': 'request-1' },
        body: JSON.stringify({ code: fails, message: '服务不可用', data: null }),
      })
    })
    for (const one of [500, 'away'] as const) {
      fails = one
      await page.goto(`/dist${LIST}`)
      await page.getByText('没有取到数据').waitFor({ timeout: 20_000 })
      await page.locator('.list-rows').getByRole('button', { name: '重试' }).waitFor()
      fails = 'no'
      await rows().first().waitFor()
      fails = 503
      await button('刷新').click()
      await page.getByText(/刷新失败，下面是 \d\d:\d\d:\d\d 的数据/).waitFor({ timeout: 20_000 })
      expect(await rows().count()).toBe(20)
      await page.getByLabel('名称', { exact: true }).fill('没有的')
      await button('查询').click()
      await page.getByText(/按之前的条件查到的数据/).waitFor({ timeout: 20_000 })
      expect(await page.locator('.old-rows').count()).toBe(1)
      expect(await rows().count()).toBe(20)
      fails = 'no'
      await page.getByText('没有符合条件的记录').waitFor()
    }
    await page.unroute(QUERY)
    await page.goto(`/dist${LIST}&name=${encodeURIComponent('没有的')}`)
    await page.getByText('没有符合条件的记录').waitFor()
    await button('清空条件').click()
    await rows().first().waitFor()
    await page.goto(`/dist${LIST}&page=400`)
    await page.getByText('没有这么多页').waitFor()
    await button('回到第一页').click()
    await rows().first().waitFor()
  })
})

test('a hidden list is as it was: what is half typed, ticked and scrolled stays', async () => {
  await go(`${LIST}&sort=code&up=1`)
  await page.getByLabel('名称', { exact: true }).fill('half typed')
  await ticks().nth(2).check()
  const body = page.locator('.ant-table-body:visible')
  // Over this list stands so much that the page scrolls, and not its rows; the page of the other tab does by itself.
  const main = page.locator('main')
  await main.evaluate((node) => node.scrollTo(0, 60))
  await poll(() => main.evaluate((node) => node.scrollTop)).toBe(60)
  await button('首页').click()
  await body.waitFor({ state: 'hidden' })
  await tab(page, '列表').click()
  expect(await page.getByLabel('名称', { exact: true }).inputValue()).toBe('half typed')
  expect(await ticks().nth(2).isChecked()).toBe(true)
  await poll(() => main.evaluate((node) => node.scrollTop)).toBe(60)
})

test('what is typed into a number before its control is there is searched by, and found there when it comes', async () => {
  const slow = await shown.as('admin')
  const { promise: mayCome, resolve: comes } = Promise.withResolvers<void>()
  await slow.route(NUMBERS, async (route) => {
    await mayCome
    await route.continue()
  })
  await go(LIST, slow)
  await slow.locator('.search').getByRole('button', { name: '更多' }).click()
  const amount = slow.locator('.ant-form-item', { hasText: '金额' }).first()
  const [from, to] = ['不小于', '不大于'].map((name) => amount.getByLabel(name)) as [Locator, Locator]
  await Promise.all([slow.waitForRequest(NUMBERS), from.click()])
  await slow.keyboard.type('12.5')
  expect(await from.inputValue()).toBe('12.5')
  await slow.keyboard.press('Tab')
  await slow.keyboard.type('99')
  comes()
  await slow.keyboard.type('.5')
  await slow.keyboard.press('Enter')
  await poll(() => pathOf(slow)).toBe('/demo/page1?block=list&amountFenFrom=1250&amountFenTo=9950')
  const wanted = (await sampleOf({ amountFenFrom: 1250, amountFenTo: 9950 }, 'total')).total
  await poll(() => slow.locator('.ant-pagination-total-text b').first().textContent()).toBe(String(wanted))
  await slow.keyboard.press('Tab')
  await amount.getByRole('spinbutton', { name: '不小于' }).waitFor()
  await amount.getByRole('spinbutton', { name: '不大于' }).waitFor()
  expect(await Promise.all([from.inputValue(), to.inputValue()])).toEqual(['12.50', '99.50'])
  await slow.close()
})

test('a press that is over before its control has come hides nothing of the screen', async () => {
  const slow = await shown.as('admin')
  const { promise: mayCome, resolve: comes } = Promise.withResolvers<void>()
  await slow.route(NUMBERS, async (route) => {
    await mayCome
    await route.continue()
  })
  await go(LIST, slow)
  await slow.locator('.search').getByRole('button', { name: '更多' }).click()
  const from = slow.locator('.ant-form-item', { hasText: '金额' }).first().getByLabel('不小于')
  const asked = slow.waitForRequest(NUMBERS)
  // The hand comes and presses in one turn, as where a machine is slow; what its coming brings is drawn before the press ends.
  await from.evaluate(async (node) => {
    const hand = (kind: string) => node.dispatchEvent(new MouseEvent(kind, { bubbles: true }))
    hand('mouseover')
    hand('mousedown')
    for (let frames = 0; frames < 20; frames++) await new Promise(requestAnimationFrame)
    hand('mouseup')
    hand('click')
  })
  await asked
  expect(await slow.locator('.list').isVisible()).toBe(true)
  comes()
  await slow.locator('.ant-form-item', { hasText: '金额' }).first().getByRole('spinbutton', { name: '不小于' }).waitFor()
  await slow.close()
})

test('export.default-type: a list is saved as .xls with its type; another kind is remembered', async () => {
  await page.goto(`/dist${STAYS}`)
  const save = page.locator('.list-bar').getByRole('button', { name: /导出 \.\w+$/ })
  const [file, answer] = await Promise.all([page.waitForEvent('download'), page.waitForResponse(/parkRecord\/.*[Ee]xport/), save.click()])
  expect(file.suggestedFilename()).toMatch(/\.xls$/)
  expect(answer.headers()['content-type']).toContain('application/vnd.ms-excel')
  await button('选择导出格式').click()
  const [sheet] = await Promise.all([page.waitForEvent('download'), page.locator('.ant-dropdown:visible').getByText('.csv').click()])
  expect(sheet.suggestedFilename()).toMatch(/\.csv$/)
  await page.reload()
  await save.waitFor()
  expect(await save.textContent()).toContain('.csv')
})

test('more rows than are counted are summed when somebody asks, what is narrowed at once', async () => {
  const more = await shown.server.ask(token, 'POST', `${SAMPLES}/fill`, { rows: 2 * ROWS })
  expect(more.message).toBe('ok')
  const asked: string[] = []
  page.on('request', (request) => request.url().endsWith(`${SAMPLES}/queryPage`) && asked.push(request.postData() ?? ''))
  await go(LIST)
  await button('合计全部记录').waitFor()
  expect(asked.filter((body) => body.includes('"sum"'))).toEqual([])
  await button('合计全部记录').click()
  const yuan = (fen: number) => new Intl.NumberFormat('zh-CN', { minimumFractionDigits: 2 }).format(fen / 100)
  const shownSum = async () => (await page.locator('.totals').innerText()).replaceAll(/\s/g, '')
  await poll(shownSum).toContain(`金额¥${yuan((await sampleOf({}, 'sum')).sums.amountFen)}`)
  await go(`${LIST}&state=1`)
  await poll(shownSum).toContain(`金额¥${yuan((await sampleOf({ state: [1] }, 'sum')).sums.amountFen)}`)
  await button('重置').click()
  await button('合计全部记录').waitFor()
  expect(asked.filter((body) => body.includes('"sum"') && !body.includes('"state"'))).toHaveLength(1)
})

test('what is counted over the whole filter follows what happens, but is not asked for at every change', async () => {
  await go(LIST)
  const locked = page.locator('.figures button', { hasText: '已锁定' }).locator('b')
  const standing = async () => String((await sampleOf({ state: [3] }, 'total')).total)
  const shownCount = async () => (await locked.textContent())!.replaceAll(',', '')
  await poll(shownCount).toBe(await standing())
  const asked = { page: 0, total: 0 }
  page.on('request', (request) => {
    if (!request.url().endsWith(`${SAMPLES}/queryPage`)) return
    asked[request.postData()?.includes('"total"') ? 'total' : 'page']++
  })
  const look = async (times: number) => {
    await shown.server.ask(token, 'POST', `${SAMPLES}/fill`, { rows: 7 })
    await poll(() => asked.page >= times).toBe(true)
  }
  for (const times of [1, 2, 3]) await look(times)
  expect(asked.total, 'the first change, both figures').toBeLessThanOrEqual(2)
  await poll(async () => (await shownCount()) === (await standing())).toBe(true)
})

import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'
import { chromiumPath } from '../scripts/programs.ts'
import { end } from './child.ts'
import { PASSWORD, startDemoServer } from './lists.ts'
import { openPeer } from './peer.ts'
import { sizeOf } from './size.ts'
import { median, type Row } from './table.ts'

const ROUNDS = sizeOf('rounds', 7, 1)
/** A name and a password take a person longer. */
const TYPED_MS = 2_000
const STAYS = '/operation/record/parking/parkingRecord'
/** Twelve pages, by what one types to find them. */
const PAGES = [
  '进出场记录',
  '异常停车',
  '在场车辆',
  '角色管理',
  '自营停车场',
  '通道管理',
  '员工管理',
  '部门管理',
  '字典管理',
  '行政区划',
  '操作日志',
  '登录日志',
]
const TABS_ROUNDS = sizeOf('tabs-rounds', 10, 1)
const MB = 1_000_000

/** Measures the console in the browser, on one server with the small demo; the template of antd's makers is opened beside it, in turn. */
export async function browser(ownerUrl: string, dataDir: string, port: number): Promise<Row[]> {
  const server = await startDemoServer(ownerUrl, dataDir, port)
  const opened = await chromium.launch({
    executablePath: chromiumPath()!,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--lang=zh-CN'],
  })
  const peer = await openPeer(dataDir)
  try {
    const url = `http://127.0.0.1:${port}`
    const [ours, pressed, theirs]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await coldly(opened, (page) => signInToList(page, url)))
      pressed.push(await coldly(opened, (page) => signInToList(page, url, TYPED_MS)))
      theirs.push(await coldly(opened, (page) => toPeersList(page, peer.url)))
    }
    const [asked, signedIn, other] = [median(ours), median(pressed), median(theirs)]
    return [
      {
        what: `Sign-in page asked for, name and password there at once, first list usable; nothing cached, median of ${ROUNDS}`,
        value: `${asked.toFixed(0)} ms`,
      },
      {
        what: `Sign-in pressed by who has typed for ${TYPED_MS / 1000} s, first list usable; nothing cached, median of ${ROUNDS}`,
        value: `${signedIn.toFixed(0)} ms`,
        target: `≤ the template (${other.toFixed(0)} ms, no sign-in)`,
        kept: signedIn <= other,
      },
      ...(await clicks(opened, url)),
      ...(await tabs(opened, url)),
    ]
  } finally {
    await opened.close()
    await peer.close()
    await end(server)
  }
}

/** In a browser that has never been here. @returns milliseconds from when `work` says that time begins */
async function coldly(browser: Browser, work: (page: Page) => Promise<number>): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const begun = await work(await context.newPage())
  const took = performance.now() - begun
  await context.close()
  return took
}
/** @returns when the page was asked for, or with `typedMs` when sign-in was pressed */
async function signInToList(page: Page, url: string, typedMs?: number): Promise<number> {
  const asked = performance.now()
  await page.goto(`${url}/dist/login?redirect=${encodeURIComponent(STAYS)}`, { waitUntil: 'commit' })
  await page.fill('[name=username]', 'admin')
  await page.fill('[name=password]', PASSWORD)
  if (typedMs) await page.waitForTimeout(typedMs)
  const pressed = performance.now()
  await page.keyboard.press('Enter')
  await page.locator('.ant-table-row').first().waitFor()
  return typedMs ? pressed : asked
}
async function toPeersList(page: Page, url: string): Promise<number> {
  const asked = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator('.ant-table-row').first().waitFor()
  return asked
}

/** From a press to the next picture, as the browser itself counts it. */
async function clicks(browser: Browser, url: string): Promise<Row[]> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await signInToList(page, url)
  await page.evaluate(WATCH)
  const slow: Press[] = []
  const press = async (name: string, what: () => Promise<void>) => {
    await what()
    await page.waitForTimeout(400)
    slow.push(...(await page.evaluate<number[]>('slow.splice(0)')).map((ms) => ({ name, ms })))
  }
  for (let round = 0; round < 3; round++) {
    await press('a column to sort by', () => page.locator('.ant-table-column-sorters:visible').first().click())
    await press('a row', () => page.locator('.ant-table-row:visible').nth(1).click())
    await press('the drawer closed', () => page.locator('.detail .ant-drawer-close').click())
    await press('the bell', () => page.locator('.bell').click())
    await press('Esc', () => page.keyboard.press('Escape'))
    await press('Ctrl-K', () => page.keyboard.press('Control+k'))
    await press('a search typed', () => page.keyboard.type('角色'))
    await press('Enter on what was found', () => page.keyboard.press('Enter'))
    await press('a tab', () => page.getByRole('tab', { name: '进出场记录' }).click())
  }
  await page.context().close()
  slow.sort((a, b) => b.ms - a.ms)
  const worst = slow[0] ?? { name: 'none', ms: 0 }
  return [
    {
      what: `From a press to the next picture, the longest of ${slow.length} over 16 ms (${worst.name})`,
      value: `${worst.ms.toFixed(0)} ms`,
      target: '< 100 ms',
      kept: slow.length > 0 && worst.ms < 100,
    },
  ]
}
interface Press {
  name: string
  ms: number
}

const WATCH = `slow = []; new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries()) if (interactionId) slow.push(duration)
}).observe({ type: 'event', durationThreshold: 16, buffered: true })`

/** Twelve pages opened and closed ten times: what stays in memory after a forced collection. */
async function tabs(browser: Browser, url: string): Promise<Row[]> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await signInToList(page, url)
  const session = await page.context().newCDPSession(page)
  await openAndClose(page)
  const before = await heap(session)
  for (let round = 0; round < TABS_ROUNDS; round++) await openAndClose(page)
  const grown = (await heap(session)) - before
  await page.context().close()
  return [
    {
      what: `Heap after ${PAGES.length} pages were opened and closed ${TABS_ROUNDS} times more (${(before / MB).toFixed(0)} MB before)`,
      value: `${(grown / MB).toFixed(1)} MB`,
      target: '< 10 MB',
      kept: grown < 10 * MB,
    },
  ]
}
async function openAndClose(page: Page): Promise<void> {
  for (const word of PAGES) {
    await page.keyboard.press('Control+k')
    await page.locator('.search-panel input').fill(word)
    await page.locator('.search-panel [aria-selected=true]', { hasText: word }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: word }).waitFor()
    await page.locator('.ant-table:visible').first().waitFor()
  }
  await page.getByRole('tab', { name: PAGES[0]! }).click({ button: 'right' })
  await page.locator('.ant-dropdown:visible').getByText('全部关闭', { exact: true }).click()
  await page.waitForURL('**/dist/index')
}
async function heap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  await session.send('HeapProfiler.collectGarbage')
  return (await session.send('Runtime.getHeapUsage')).usedSize
}

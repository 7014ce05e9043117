import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Route } from '../../apps/web/menu/menu.ts'
import { openBrowser } from '../support/browser.ts'
import { atConsole, type District, openDistrict } from '../journeys/district.ts'
import { callsOf, open, screensOf, settled } from '../journeys/screens.ts'
import { barriers, COLOURS } from './axe.ts'

/** A list with its figures, a board, a form's block, a chart, a table of rules, and of the others every tenth; `npm run a11y` looks at every screen. */
const EVERY = 10
const SAMPLE = [
  '/index',
  '/operation/record/parking/parkingRecord',
  '/demo/page1',
  '/demo/page2',
  '/demo/page3',
  '/assetManage/parkingAndFacility/selfParking',
  '/appManage/permission/roles',
]
/** The smallest useful sample, in screens. */
const LEAST = 20
const isAll = process.env['SCREENS'] === 'all'
const A_SCREEN_MS = 20_000

let district: District
let browser: Browser
let page: Page
let calls: ReadonlySet<unknown>
beforeAll(async () => {
  ;[district, browser] = await Promise.all([openDistrict(), openBrowser()])
  await district.entrance.plate({ plate: '鄂F12345' })
  await district.entrance.next('gate.open')
  page = await atConsole(browser, district.server, 'admin')
  calls = callsOf(page)
})
afterAll(async () => {
  await browser?.close()
  await district?.close()
})

const screens = async () => (await screensOf(district.server, 'admin')).filter(({ path }, at) => isAll || at % EVERY === 0 || SAMPLE.includes(path))

async function barriersOf(all: Route[], rules?: string[]) {
  const found: string[] = []
  for (const screen of all) {
    await open(page, screen, calls)
    for (const barrier of await barriers(page, rules)) found.push(`${screen.path} ${barrier}`)
  }
  return found.join('\n')
}
const ALL_MS = (isAll ? 240 : 40) * A_SCREEN_MS

test(
  'light: no screen has a serious or critical barrier (WCAG 2.2 A and AA)',
  async () => {
    const all = await screens()
    expect(all.length).toBeGreaterThanOrEqual(LEAST)
    expect(await barriersOf(all)).toBe('')
  },
  ALL_MS,
)

test(
  'dark: nothing is too faint on any of them',
  async () => {
    await page.getByRole('button', { name: '深色', exact: true }).click()
    await page.getByRole('button', { name: '浅色', exact: true }).waitFor()
    expect(await barriersOf(await screens(), COLOURS)).toBe('')
  },
  ALL_MS,
)

test('the dialogs, the drawer and the search have none in the dark, nor has the sign-in page', async () => {
  const found: string[] = []
  const look = async (what: string) => {
    await settled(page, calls)
    for (const barrier of await barriers(page)) found.push(`${what} ${barrier}`)
  }
  await page.goto(`${district.server.url}/dist/assetManage/parkingAndFacility/selfParking`)
  await page.locator('.ant-table-row').first().waitFor()
  await page.locator('.list-bar').getByRole('button', { name: '新增' }).click()
  await page.getByRole('dialog').waitFor()
  await look('dialog')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('j')
  await page.locator('.ant-drawer-section:visible').waitFor()
  await look('drawer')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('listbox').waitFor()
  await look('search')
  const stranger = await browser.newPage()
  await stranger.goto(`${district.server.url}/dist/login`)
  await stranger.locator('[name=username]').waitFor()
  for (const barrier of await barriers(stranger)) found.push(`sign-in ${barrier}`)
  await stranger.close()
  expect(found.join('\n')).toBe('')
})

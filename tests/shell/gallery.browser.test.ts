import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { menu } from '../../domains/dashboard/contract/menu.ts'
import { dialogs, lists, parts } from '../../domains/dashboard/web/gallery/blocks.ts'
import { type Console, openConsole, PATIENCE_MS, poll, tab } from './console.ts'

const pages = [
  ['/demo/page1', lists],
  ['/demo/page2', dialogs],
  ['/demo/page3', parts],
] as const
const blocks = pages.flatMap(([path, all]) => all.map((block) => [`${path}?block=${block.key}`, block.name[0], block.name[1]] as const))

let shown: Console
let page: Page
const wrong: string[] = []
beforeAll(async () => {
  shown = await openConsole()
  page = await shown.as('admin')
  page.on('pageerror', (error) => wrong.push(error.message))
})
afterAll(() => shown?.close())
const section = () => page.locator('.blocks:visible section[data-block]')
/** But for what waits for show. */
const waiting = () => page.locator('.blocks:visible section[data-block]:not([data-block=states]) [aria-busy=true]')
const shownAs = (name: string) =>
  section()
    .and(page.getByRole('region', { name, exact: true }))
    .waitFor()

/** The text of a block that has its code and its data: nothing waits, and two looks find the same. */
const BETWEEN_LOOKS_MS = 300
async function settled(text: () => Promise<string>): Promise<string> {
  await page.waitForLoadState('networkidle')
  let last = ''
  await expect
    .poll(
      async () => {
        const before = last
        last = await text()
        return last === before && last.trim() !== '' && (await waiting().count()) === 0
      },
      { interval: BETWEEN_LOOKS_MS, timeout: PATIENCE_MS },
    )
    .toBe(true)
  return last
}

test.each(blocks)('%s is alive: it shows, in both languages, and is the same after its tab was hidden', async (address, zh, en) => {
  await page.goto(`/dist${address}`)
  const text = async () => (await section().innerText()).replaceAll(/\d\d:\d\d:\d\d/g, '')
  await shownAs(zh)
  const before = await settled(text)
  await page.getByRole('button', { name: '首页', exact: true }).click()
  await section().waitFor({ state: 'hidden' })
  await tab(page, nameOf(address)).click()
  await shownAs(zh)
  await poll(text).toBe(before)
  await page.getByRole('button', { name: 'English', exact: true }).click()
  await shownAs(en)
  await page.getByRole('button', { name: '中文', exact: true }).click()
  expect(wrong).toEqual([])
})
const nameOf = (address: string) => menu.find(({ path }) => address.startsWith(path) && path !== '/index')!.name[0]

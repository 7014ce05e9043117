import type { Page } from 'playwright-core'
import { type Entry, menuOf, type Route, routesOf } from '../../apps/web/menu/menu.ts'
import { addressOf } from '../../platform/contract/call.ts'
import { menuCalls } from '../../domains/identity/contract/menu.ts'
import type { TestServer } from '../support/server.ts'

/** Every page of a person's menu, in its order. */
export async function screensOf(server: TestServer, username: string): Promise<Route[]> {
  const { data } = await server.ask(await server.signIn(username), menuCalls.tree.method, addressOf(menuCalls.tree))
  const tree: Entry[] = menuOf(data)
  return routesOf(tree)
}

/** Calls of the page that have not been answered yet. */
export function callsOf(page: Page) {
  const open = new Set<unknown>()
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  return open
}

/** Goes to a page of the console as a link does, and waits until it has what it asked for and has drawn it. Those behind it are closed: every turn of the language and every look would go through them too. */
export async function open(page: Page, { path, name }: Route, calls: ReadonlySet<unknown>) {
  await page.evaluate((to) => {
    history.pushState(null, '', `/dist${to}`)
    dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.locator('h1:visible').first().waitFor()
  await page
    .locator('.trail', { hasText: name[0] })
    .or(page.locator('.trail', { hasText: name[1] }))
    .first()
    .waitFor()
  await page.evaluate(() => {
    for (const cross of document.querySelectorAll<HTMLElement>('.tabs [role=tab]:not([aria-selected=true]) > span[aria-hidden]')) cross.click()
  })
  await settled(page, calls)
}

const QUIET_MS = 150
/** Nothing is asked for, nothing waits. */
export async function settled(page: Page, calls: ReadonlySet<unknown>) {
  const isQuiet = async () => {
    if (calls.size > 0) return false
    return page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('main [aria-busy=true], main .waiting')].every((node) => !node.checkVisibility()),
    )
  }
  const end = Date.now() + 60_000
  while (Date.now() < end) {
    if (await isQuiet()) {
      await page.waitForTimeout(QUIET_MS)
      if (await isQuiet()) return
    }
    await page.waitForTimeout(50)
  }
}

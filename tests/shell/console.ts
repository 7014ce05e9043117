import type { Browser, BrowserContext, BrowserContextOptions, Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { PASSWORD, startTestServer, type TestServer } from '../support/server.ts'

/** Browser, server and database share two cores; what is not there by then does not come. */
export const PATIENCE_MS = 40_000

/** One server and one browser for a file of tests. */
export interface Console {
  server: TestServer
  browser: Browser
  /** A browser of its own: nobody signed in, Chinese, 1440×900, without motion. */
  stranger(options?: BrowserContextOptions): Promise<Page>
  /** Signed in, at home: the first time through the page, then with the same session in a browser of its own. */
  as(username: string, options?: BrowserContextOptions): Promise<Page>
  /** Signed in through the page: a session that may be ended. */
  anew(username: string): Promise<Page>
  close(): Promise<void>
}

/** On a server of its own, or on one that is there already and stays. */
export async function openConsole(given?: TestServer): Promise<Console> {
  const [server, browser] = await Promise.all([given ?? startTestServer(), openBrowser()])
  const contexts: BrowserContext[] = []
  const stranger = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width: 1440, height: 900 },
      timezoneId: 'Asia/Shanghai',
      reducedMotion: 'reduce',
      ...options,
    })
    contexts.push(context)
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    return page
  }
  const states = new Map<string, Awaited<ReturnType<BrowserContext['storageState']>>>()
  const anew = async (username: string) => {
    const page = await stranger()
    await page.goto('/dist/login')
    await signIn(page, username)
    await page.waitForURL('**/dist/index')
    return page
  }
  return {
    server,
    browser,
    stranger,
    anew,
    async as(username, options) {
      if (!states.has(username)) states.set(username, await (await anew(username)).context().storageState())
      const page = await stranger({ storageState: states.get(username)!, ...options })
      await page.goto('/dist/index')
      await page.locator('.shell').waitFor()
      return page
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()))
      await browser.close()
      if (!given) await server.close()
    },
  }
}

/** Fills the sign-in form that is shown. */
export async function signIn(page: Page, username: string, password = PASSWORD) {
  await page.fill('[name=username]', username)
  await page.fill('[name=password]', password)
  await page.keyboard.press('Enter')
}

/** Pages that the demo's administrator has, and one address of a call that the list of the first asks. */
export const ROLES = '/appManage/permission/roles'
export const PARKS = '/assetManage/parkingAndFacility/selfParking'
export const STAYS = '/operation/record/parking/parkingRecord'
export const GATES = '/assetManage/parkingAndFacility/channel'
export const STAYS_CALL = '**/lbs/fee/parkRecord/queryPage*'

/** Looks again until it is so; the machine may be busy. */
export const poll = <T>(look: () => T) => expect.poll(look, { timeout: PATIENCE_MS })
/** A message that a page shows for two seconds. */
export const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text })
export const heading = (page: Page) => page.locator('h1:visible').first()
export const tab = (page: Page, name: string) => page.getByRole('tab', { name })
export const pathOf = (page: Page) => new URL(page.url()).pathname.replace(/^\/dist/, '') + new URL(page.url()).search

/** A made-up answer in the server's envelope, or without it. */
export const answer =
  (body: unknown, status = 200) =>
  (route: Route) =>
    route.fulfill({ status, contentType: 'application/json', headers: { 'x-request-id': 'request-1' }, body: JSON.stringify(body) })
export const envelope = (data: unknown) => answer({ code: 200, message: 'ok', data })

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { atConsole, type District, openDistrict } from './district.ts'
import { callsOf, open, screensOf, settled } from './screens.ts'

/** Text that nobody should ever read: a missing value, a number that is none, an object taken for a text, a page that is not made. */
const NEVER_SAID = /undefined|\bNaN\b|\[object|Invalid Date|正在开发中/

const LAPTOP = { width: 1024, height: 768 }
const DESK = [1440, 900] as const
const TELEPHONE = [390, 844] as const
/** Each page twice, and the English one in three windows. */
const A_WALK_MS = 900_000

let district: District
let browser: Browser
let page: Page
let calls: ReadonlySet<unknown>
/** Faults since the last look. */
let wrong: string[] = []
beforeAll(async () => {
  ;[district, browser] = await Promise.all([openDistrict(), openBrowser()])
  const { entrance, exit } = district
  await entrance.plate({ plate: '鄂F12345' })
  await entrance.next('gate.open')
  await entrance.plate({ plate: '鄂FD12345' })
  await entrance.next('gate.open')
  await exit.plate({ plate: '鄂F12345' })
  page = await atConsole(browser, district.server, 'admin')
  await page.setViewportSize(LAPTOP)
  calls = callsOf(page)
  page.on('pageerror', (error) => wrong.push(`threw ${error.message}`))
  page.on('console', (message) => message.type() === 'error' && wrong.push(`console: ${message.text()}`))
  page.on('response', (answer) => answer.status() >= 400 && wrong.push(`${answer.status()} ${answer.url()}`))
})
afterAll(async () => {
  await browser?.close()
  await district?.close()
})

/** Finds a scrolling element within another: where both scroll, nobody knows which of them a wheel turns. */
const scrollsTwice = () =>
  page.evaluate(() => {
    const moves = (one: Element) => /auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight + 1
    const main = document.querySelector('main')!
    // Small boxes (a tree's pane, a list of choices) may move by themselves; the work of a page may not.
    const large = [...main.querySelectorAll('*')].filter(
      (one) => one.clientHeight > 240 && one.clientWidth > main.clientWidth / 2 && one.checkVisibility() && moves(one),
    )
    const above = (one: Element): boolean => one !== main && (moves(one.parentElement!) || above(one.parentElement!))
    return large.filter(above).map((one) => `${one.tagName} ${one.className}`)
  })
/** How far the page is wider than its window. */
async function beyond() {
  // A part that is laid out anew (a chart, the heads of a table) needs one more frame.
  const now = () => page.evaluate(() => [document.documentElement, document.querySelector('main')!].map((one) => one.scrollWidth - one.clientWidth))
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  const end = Date.now() + LAID_OUT_MS
  let px = await now()
  while (px.some((one) => one > 0) && Date.now() < end) {
    await page.waitForTimeout(50)
    px = await now()
  }
  return px
}
/** A chart follows its box a moment later; what is still too wide then stays so. */
const LAID_OUT_MS = 10_000

const LANGUAGES = {
  中文: [],
  English: [DESK, TELEPHONE],
} as const
type Language = keyof typeof LANGUAGES
async function look(language: Language) {
  const sizes: readonly (readonly [number, number])[] = LANGUAGES[language]
  const seen = await page.evaluate(() => ({
    text: document.querySelector<HTMLElement>('main')!.innerText,
    titles: [...document.querySelectorAll('main h1')].filter((one) => one.checkVisibility()).map((one) => one.textContent),
    toasts: [...document.querySelectorAll('.toast.error')].map((one) => one.textContent),
  }))
  const twice = await scrollsTwice()
  const wide = [await beyond()]
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height })
    wide.push(await beyond())
  }
  if (sizes.length > 0) await page.setViewportSize(LAPTOP)
  const said = NEVER_SAID.exec(seen.text)
  return [
    ...wrong,
    ...seen.toasts.map((text) => `toast: ${text}`),
    ...(said ? [`says ${seen.text.slice(Math.max(0, said.index - 40), said.index + 40)}`] : []),
    ...(seen.titles.length === 1 && seen.titles[0] ? [] : [`has ${seen.titles.length} headings: ${seen.titles.join(' | ')}`]),
    ...twice.map((one) => `scrolls within what scrolls: ${one}`),
    ...wide.flatMap((px, at) => (px.some((one) => one > 0) ? [`is ${px.join(' and ')} px too wide at ${sizes[at - 1]?.[0] ?? LAPTOP.width}`] : [])),
  ].map((what) => `${language}: ${what}`)
}

test(
  'every entry of the menu opens in both languages: it has a heading, what it asks is answered, no page is wider than 1440, 1024 or 390, nothing scrolls within what scrolls, and no word is missing',
  async () => {
    const screens = await screensOf(district.server, 'admin')
    expect(screens.length).toBeGreaterThan(40)
    const found: Record<string, string[]> = {}
    let now: Language = '中文'
    for (const screen of screens) {
      wrong = []
      await open(page, screen, calls)
      const opened = await look(now)
      wrong = []
      // The next one is opened in the language that this one was turned to: every turn writes all pages anew.
      now = now === '中文' ? 'English' : '中文'
      await page.getByRole('button', { name: now, exact: true }).click()
      await settled(page, calls)
      const turned = await look(now)
      if (opened.length + turned.length > 0) found[screen.path] = [...opened, ...turned]
    }
    expect(found).toEqual({})
  },
  A_WALK_MS,
)

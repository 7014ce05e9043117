import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { atConsole, type District, openDistrict } from './district.ts'
import { callsOf, open, screensOf, settled } from './screens.ts'

/** What nobody should ever read: a value that was not there, a number that is none, an object taken for a text, a page that is not made. */
const NEVER_SAID = /undefined|\bNaN\b|\[object|Invalid Date|正在开发中/

let district: District
let browser: Browser
let page: Page
let calls: ReadonlySet<unknown>
/** What went wrong since the last look. */
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
  await page.setViewportSize({ width: 1024, height: 768 })
  calls = callsOf(page)
  page.on('pageerror', (error) => wrong.push(`threw ${error.message}`))
  page.on('console', (message) => message.type() === 'error' && wrong.push(`console: ${message.text()}`))
  page.on('response', (answer) => answer.status() >= 400 && wrong.push(`${answer.status()} ${answer.url()}`))
})
afterAll(async () => {
  await browser?.close()
  await district?.close()
})

async function look(language: string) {
  const seen = await page.evaluate(() => ({
    text: document.querySelector<HTMLElement>('main')!.innerText,
    titles: [...document.querySelectorAll('main h1')].filter((one) => one.checkVisibility()).map((one) => one.textContent),
    toasts: [...document.querySelectorAll('.toast.error')].map((one) => one.textContent),
    tooWide: [document.documentElement, document.querySelector('main')!].map((one) => one.scrollWidth - one.clientWidth),
  }))
  const said = NEVER_SAID.exec(seen.text)
  return [
    ...wrong,
    ...seen.toasts.map((text) => `toast: ${text}`),
    ...(said ? [`says ${seen.text.slice(Math.max(0, said.index - 40), said.index + 40)}`] : []),
    ...(seen.titles.length === 1 && seen.titles[0] ? [] : [`has ${seen.titles.length} headings: ${seen.titles.join(' | ')}`]),
    ...(seen.tooWide.some((px) => px > 0) ? [`is ${seen.tooWide.join(' and ')} px too wide`] : []),
  ].map((what) => `${language}: ${what}`)
}

test('every entry of the menu opens in both languages: it has a heading, what it asks is answered, nothing overflows at 1024, and no word is missing', async () => {
  const screens = await screensOf(district.server, 'admin')
  expect(screens.length).toBeGreaterThan(40)
  const found: Record<string, string[]> = {}
  for (const screen of screens) {
    wrong = []
    await open(page, screen, calls)
    const inChinese = await look('中文')
    wrong = []
    await page.getByRole('button', { name: 'English', exact: true }).click()
    await settled(page, calls)
    const inEnglish = await look('English')
    await page.getByRole('button', { name: '中文', exact: true }).click()
    if (inChinese.length + inEnglish.length > 0) found[screen.path] = [...inChinese, ...inEnglish]
  }
  expect(found).toEqual({})
}, 600_000)

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCrew, type Crew } from '../../domains/staff/server/testing.ts'
import { openBrowser } from '../support/browser.ts'
import { atConsole } from './district.ts'

/** The pixels of a landscape A4 sheet within margins of a centimetre. */
const SHEET = { width: 1046, height: 718 }
const ROSTER = '/assetManage/person/rostering/staff'
const DAYS = 31
const PEOPLE = 24
const LONG = '国庆长假加强夜班（含次日早高峰）'
let crew: Crew
let group: { id: string; name: string }
let early: string
let browser: Browser
let page: Page
beforeAll(async () => {
  ;[crew, browser] = await Promise.all([aCrew(), openBrowser()])
  const members = []
  for (let n = 0; n < PEOPLE; n++) members.push(await crew.aCollector(n === 0 ? { name: 'Bartholomew Featherstonehaugh' } : {}))
  group = await crew.aGroup({ memberIds: members.map(({ id }) => id) })
  const day = await crew.aShift('08:00', '16:00')
  early = day.name
  await crew.post('/api/staff/shift/save', { name: LONG, segments: [{ from: '22:00', to: '06:00' }] })
  const [night] = await crew.sql('select id from staff.work_shift where name = $1', [LONG])
  const workDates = Array.from({ length: DAYS }, (_, n) => crew.day(n + 1))
  const plan = members.map(({ tollNo }, n) => ({ tollNo, workDates, shiftId: n % 2 ? night.id : day.id }))
  expect((await crew.plans(plan)).data.saved).toBe(PEOPLE * DAYS)
  page = await atConsole(browser, crew.server, 'admin')
})
afterAll(async () => {
  await browser?.close()
  await crew?.close()
})

/** As paper gets it: what is to be seen there, and what of it is cut or torn. */
async function printed() {
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
  await page.emulateMedia({ media: 'print' })
  const found = await page.locator('.roster-sheet').evaluate((sheet: HTMLTableElement) => {
    const cells = [...sheet.querySelectorAll<HTMLTableCellElement>('th, td')]
    const beside = [...sheet.parentElement!.children].filter((one) => one !== sheet && one.checkVisibility())
    return {
      title: sheet.rows[0]!.innerText,
      heads: [...sheet.rows[1]!.cells].map(({ innerText }) => innerText.replace(/\s+/g, ' ')),
      people: sheet.tBodies[0]!.rows.length,
      first: [...sheet.tBodies[0]!.rows].map((row) => row.cells[1]!.innerText.split(/\s+/).join(' ')),
      cut: cells.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1).map(({ innerText }) => innerText),
      beyond: sheet.getBoundingClientRect().right > innerWidth,
      beside: beside.map(({ className }) => className),
      letters: Number.parseFloat(getComputedStyle(sheet).fontSize),
    }
  })
  await page.emulateMedia({ media: null })
  await page.evaluate(() => dispatchEvent(new Event('afterprint')))
  return found
}

test.each([
  ['zh-chs', 7, '人员', '排班表'],
  ['zh-chs', DAYS, '人员', '排班表'],
  ['en', DAYS, 'Person', 'Roster'],
] as const)('in %s a roster of %i days stands whole on a sheet that lies', async (lang, days, person, roster) => {
  await page.context().addCookies([{ name: 'lang', value: lang, url: crew.server.url }])
  await page.setViewportSize(SHEET)
  await page.goto(`${crew.server.url}/dist${ROSTER}?from=${crew.day(1)}&days=${days}&groupId=${group.id}`)
  await page.locator('.roster-grid').waitFor()
  await page.getByRole('button', { name: /打\s?印|Print/ }).waitFor()
  const sheet = await printed()
  expect(sheet).toMatchObject({ people: PEOPLE, cut: [], beyond: false, beside: [] })
  expect(sheet.title).toContain(`${roster} · ${group.name} · ${crew.day(1)} – ${crew.day(days)}`)
  expect(sheet.heads).toHaveLength(days + 1)
  expect(sheet.heads[0]).toBe(person)
  expect(sheet.heads[1]).toContain(crew.day(1).slice(5))
  expect(sheet.first.slice(0, 2)).toEqual([`${early} 08:00–16:00`, `${LONG} 22:00–06:00`])
  expect(sheet.letters).toBeGreaterThanOrEqual(8)
  expect(await page.locator('.roster-sheet').count()).toBe(0)
})

test('on real paper it is sheets of A4 that lie, and what the first has no room for goes on on the next', async () => {
  await page.goto(`${crew.server.url}/dist${ROSTER}?from=${crew.day(1)}&days=${DAYS}&groupId=${group.id}`)
  await page.locator('.roster-grid').waitFor()
  const paper = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const sizes = [...paper.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, wide, high]) => [
    Math.round(Number(wide)),
    Math.round(Number(high)),
  ])
  expect(sizes.length).toBeGreaterThan(1)
  for (const size of sizes) expect(size).toEqual([842, 595])
})

test('what is not saved is not printed: the button waits for it', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${crew.server.url}/dist${ROSTER}?from=${crew.day(1)}&days=7&groupId=${group.id}`)
  await page.locator('.roster-grid').waitFor()
  const print = page.getByRole('button', { name: /打\s?印|Print/ })
  expect(await print.isEnabled()).toBe(true)
  await page.locator('.roster-add').first().click()
  await page.locator('.roster-choices').getByRole('button').last().click()
  await expect.poll(() => print.isDisabled()).toBe(true)
})

import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aYard, type Yard } from '../../domains/charging/server/testing.ts'
import { openBrowser } from '../support/browser.ts'
import { atConsole } from './district.ts'

let yard: Yard
let browser: Browser
let page: Page
beforeAll(async () => {
  ;[yard, browser] = await Promise.all([aYard(), openBrowser()])
  page = await atConsole(browser, yard.server, 'admin')
})
afterAll(async () => {
  await browser?.close()
  await yard?.close()
})

test('the end of a price period is moved by a key and dragged along the day, no further than its neighbours, and kept', async () => {
  await page.goto(`${yard.server.url}/dist/recharge/chargingStrategy`)
  await page.getByRole('button', { name: '新版次' }).click()
  const dialog = page.getByRole('dialog', { name: /新版次/ })
  const border = dialog.getByRole('slider', { name: '时段分界' })
  expect(await border.getAttribute('aria-valuetext')).toBe('08:00')
  await border.press('ArrowLeft')
  expect(await border.getAttribute('aria-valuetext')).toBe('07:30')

  const day = (await dialog.getByRole('img', { name: '一天的价格' }).boundingBox())!
  const dragTo = async (hour: number) => {
    const held = (await border.boundingBox())!
    await page.mouse.move(held.x + held.width / 2, held.y + held.height / 2)
    await page.mouse.down()
    await page.mouse.move(day.x + (day.width * hour) / 24, held.y + 4, { steps: 6 })
    await page.mouse.up()
  }
  await dragTo(30)
  expect(await border.getAttribute('aria-valuetext')).toBe('23:30')
  await dragTo(6.5)
  expect(await border.getAttribute('aria-valuetext')).toBe('06:30')

  await dialog.getByRole('button', { name: '保存' }).click()
  await dialog.waitFor({ state: 'detached' })
  const [made] = await yard.sql<any>('select periods from charging.strategy order by created_at desc limit 1')
  expect(made.periods.map(({ from, to }: any) => `${from}-${to}`)).toEqual(['00:00-06:30', '06:30-24:00'])
})

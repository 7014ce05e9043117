import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { aGround, type Ground, ITEMS, ok } from '../../domains/inspection/server/testing.ts'
import { openBrowser } from '../support/browser.ts'
import { atConsole } from './district.ts'

const WIDTH = 390
let ground: Ground
let browser: Browser
let page: Page
beforeAll(async () => {
  ;[ground, browser] = await Promise.all([aGround(), openBrowser()])
  const { parkCode } = await ground.parkWith(1)
  await ground.inspector(parkCode)
  const plan = { planFrom: new Date(Date.now() - 3_600_000).toISOString(), planTo: new Date(Date.now() + 3_600_000).toISOString() }
  const name = '节前道闸杆体外观与供电电压及地感线圈联合专项复核加检任务一号'
  await ok(ground.post('/inspection/scheduling/add', { name, parkCode, deviceTypes: [1], items: ITEMS, ...plan }))
  page = await atConsole(browser, ground.server, 'admin')
  await page.setViewportSize({ width: WIDTH, height: 844 })
})
afterAll(async () => {
  await browser?.close()
  await ground?.close()
})
const dialog = () => page.getByRole('dialog', { name: '提交巡检' })
/** Parts of the dialog that reach beyond the telephone, by their classes. */
const beyond = () =>
  dialog().evaluate(
    (all, width) =>
      [...all.querySelectorAll('*')].filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > width).map((one) => one.className),
    WIDTH,
  )

it('a patrol that is sent unfinished says what it lacks, and stays within a telephone however long its task is called', async () => {
  await page.goto(`${ground.server.url}/dist/operation/maintain/inspectionRecord`)
  await page.getByRole('button', { name: '提交巡检' }).click()
  await dialog().getByLabel('任务').waitFor()
  await dialog().getByLabel('巡检员').waitFor()
  await dialog()
    .getByRole('button', { name: /^提\s?交$/ })
    .click()
  await dialog().getByText('请选择任务', { exact: true }).waitFor()
  await dialog().getByText('请选择巡检员', { exact: true }).waitFor()
  await dialog().getByLabel('任务').click()
  await page.locator('.ant-select-item-option', { hasText: '联合专项复核' }).click()
  await dialog().locator('fieldset').waitFor()
  expect(await beyond()).toEqual([])
})

it('a task that can begin is begun where it stands, with itself chosen', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(`${ground.server.url}/dist/operation/maintain/rostering`)
  const row = page.locator('.ant-table-row', { hasText: '联合专项复核' })
  await row.getByRole('button', { name: '开始巡检' }).click()
  await dialog().locator('fieldset').waitFor()
  expect(await dialog().getByText('联合专项复核').count()).toBeGreaterThan(0)
})

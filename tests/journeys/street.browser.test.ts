import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, signIn } from '../../city/client.ts'
import { addStreetWork, STREET_COLLECTOR } from '../../city/streetWork.ts'
import { berthsOf, DISTRICTS, setUpStreets } from '../../city/streets.ts'
import { DEMO_ENTERPRISE } from '../../domains/identity/server/api.ts'
import { ConfirmState, roadStay } from '../../domains/roadside/contract/roadStay.ts'
import { screen } from '../../domains/roadside/contract/screen.ts'
import { settleGone } from '../../domains/roadside/server/leaving.ts'
import { instantAt, MINUTE_MS } from '../../platform/contract/time.ts'
import { openBrowser } from '../support/browser.ts'
import { PASSWORD } from '../support/server.ts'
import { atConsole, type District, openDistrict } from './district.ts'

const [plan] = DISTRICTS
const { parkCode, streets } = plan!
const [taken, fresh, unseen] = berthsOf(streets[1]!)
const STANDING_MIN = 100

let district: District
let browser: Browser
let page: Page
let admin: Client
const seat = (code: string) => page.locator('.seat', { hasText: code })
const drawer = () => page.locator('.detail')

beforeAll(async () => {
  ;[district, browser] = await Promise.all([openDistrict(), openBrowser()])
  const { house, url } = district.server
  admin = await signIn(url, 'admin', PASSWORD)
  await setUpStreets(house, admin, DEMO_ENTERPRISE, PASSWORD, [plan!])
  await addStreetWork(house, DEMO_ENTERPRISE, admin, url, PASSWORD, plan!)
  const at = instantAt(Date.now() - STANDING_MIN * MINUTE_MS)
  await admin.ask(roadStay.arrive, { parkCode, seatCode: taken!, plateNo: '鄂F77A21', at })
  await admin.ask(roadStay.arrive, { parkCode, seatCode: fresh!, plateNo: '鄂F77A22' })
  page = await atConsole(browser, district.server, STREET_COLLECTOR.username)
})
afterAll(async () => {
  await browser?.close()
  await district?.close()
})

describe('a collector on the street', () => {
  it('is not offered to take cash from a car that owes nothing yet', async () => {
    await page.goto(`${district.server.url}/dist/operation/record/roadParking/roadBerth`)
    await seat(fresh!).click()
    await drawer().getByRole('button', { name: '登记驶离' }).waitFor()
    expect(await drawer().getByRole('button', { name: /收费/ }).count()).toBe(0)
    await drawer().getByRole('button', { name: '取证' }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('is told that an amount is not what is due before it is sent, and takes what is', async () => {
    await seat(taken!).click()
    const { dueFen } = await admin.ask(screen.parkSeat, { parkCode, seatCode: taken! })
    expect(dueFen).toBeGreaterThan(0)
    const due = (dueFen / 100).toFixed(2)
    await drawer()
      .getByRole('button', { name: `收费 ¥${due}` })
      .click()
    const dialog = page.getByRole('dialog', { name: /收取现金/ })
    await dialog.getByRole('spinbutton').fill('1.11')
    await dialog.getByRole('button', { name: '确认收款 ¥1.11' }).click()
    await dialog.getByText(`现在应付 ¥${due}，金额须一致`).waitFor()
    await dialog.getByRole('spinbutton').fill(due)
    await dialog.getByRole('button', { name: `确认收款 ¥${due}` }).click()
    await dialog.waitFor({ state: 'detached' })
    const slip = page.getByRole('dialog', { name: '现金收据' })
    await slip.getByText(`¥${due}`).first().waitFor()
    await slip
      .locator('.ant-modal-footer')
      .getByRole('button', { name: /^关\s?闭$/ })
      .click()
    await slip.waitFor({ state: 'detached' })
    // The drawer refreshes by itself: nothing more is due.
    await drawer().getByRole('button', { name: /收费/ }).waitFor({ state: 'detached' })
  })
})

describe('whoever keeps the records of the street', () => {
  it('confirms a stay that nobody has looked at yet, and is not asked to again', async () => {
    const { server } = district
    const plateNo = '鄂F77A23'
    const ago = (minutes: number) => instantAt(Date.now() - minutes * MINUTE_MS)
    await admin.ask(roadStay.arrive, { parkCode, seatCode: unseen!, plateNo, at: ago(90), leftAt: ago(30) })
    // A car that has gone is on record when the minute's round has shown that it does not stand there after all.
    await server.house.writing(DEMO_ENTERPRISE, 'test', (tx) => settleGone(tx, ago(0)))
    const confirmState = async () => (await admin.ask(roadStay.roadOut, { plateNo })).records.map((one) => one.confirmState)
    expect(await confirmState()).toEqual([ConfirmState.unconfirmed])
    const keeper = await atConsole(browser, server, 'admin')
    await keeper.goto(`${server.url}/dist/operation/record/roadParking/roadParkingRecord?plateNo=${encodeURIComponent(plateNo)}`)
    const row = keeper.locator('.ant-table-row', { hasText: '鄂F·77A23' })
    const offered = (name: string) => keeper.getByRole('menuitem', { name })
    await row.getByText('更多').click()
    await offered('确认').click()
    await keeper.locator('.ant-modal-confirm').getByRole('button', { name: '确认属实' }).click()
    await keeper.locator('.toast', { hasText: '已确认' }).waitFor()
    expect(await confirmState()).toEqual([ConfirmState.confirmed])
    await row.getByText('更多').click()
    await offered('拆分').waitFor()
    await offered('确认').waitFor({ state: 'detached' })
    await keeper.close()
  })
})

import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cityTime, dayBy, dayOf, DAY_MS, instantAt, MINUTE_MS, msOf, startOf } from '../../platform/contract/time.ts'
import { aLot, aPlate, type Lot } from '../../domains/share/server/testing.ts'
import { openBrowser } from '../support/browser.ts'
import { atConsole } from './district.ts'

const CALENDAR_MS = 3 * DAY_MS
const PLACE = '/dist/share/reserve'
/** Let by day alone. */
const BY_DAY = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '08:00', to: '20:00' }))

let lot: Lot
let browser: Browser
let page: Page
let parkCode: string
/** One that is let all day, one that is let by day, one whose owner lets it rest. */
const bays = { always: { id: '', seatNo: '' }, byDay: { id: '', seatNo: '' }, resting: { id: '', seatNo: '' } }
beforeAll(async () => {
  ;[lot, browser] = await Promise.all([aLot(), openBrowser()])
  ;({ parkCode } = await lot.aSharedPark())
  bays.always = await lot.anOffer(parkCode)
  bays.byDay = await lot.anOffer(parkCode, { windows: BY_DAY })
  bays.resting = await lot.anOffer(parkCode)
  expect((await lot.get('/share/updateShareMemberState', { id: bays.resting.id, state: 3 })).message).toBe('ok')
  page = await atConsole(browser, lot.server, 'admin')
})
afterAll(async () => {
  await browser?.close()
  await lot?.close()
})

/** Tomorrow at an hour of the city. */
const tomorrow = (hour: number) => instantAt(msOf(startOf(dayBy(dayOf(lot.at(0)), 1))) + hour * 60 * MINUTE_MS)
const calendar = (at = page) => at.getByRole('table', { name: '车位日历' })
const row = (seatNo: string, at = page) =>
  calendar(at)
    .getByRole('row')
    .filter({ has: at.getByRole('rowheader', { name: seatNo }) })
const bar = (seatNo: string, plate: string) => row(seatNo).getByRole('button', { name: plate })
const windows = (seatNo: string) => row(seatNo).getByRole('img', { name: /^开放/ })
async function openCalendar(at = page) {
  await at.goto(`${lot.server.url}${PLACE}`)
  await at.getByText('车位日历').click()
}
const edges = async (of: Locator) => {
  const { x, width } = (await of.boundingBox())!
  return { left: x, right: x + width }
}

it('shows bay by bay who has it and until when, in the state of the booking', async () => {
  const [held, unpaid] = [aPlate(), aPlate()]
  const booked = await lot.booked(bays.always.id, { plateNo: held })
  const { data: asked } = await lot.books(bays.byDay.id, { plateNo: unpaid, startAt: tomorrow(10), endAt: tomorrow(12) })
  await openCalendar()
  const from = cityTime(booked.startAt)
  await bar(bays.always.seatNo, held).waitFor()
  expect(await bar(bays.always.seatNo, held).getAttribute('aria-label')).toBe(
    `${held} 已预约 ${booked.bookingNo} ${from} – ${cityTime(booked.endAt)}`,
  )
  expect(await bar(bays.byDay.seatNo, unpaid).getAttribute('aria-label')).toBe(
    `${unpaid} 待支付 ${asked.bookingNo} ${cityTime(tomorrow(10))} – ${cityTime(tomorrow(12))}`,
  )
  // Each of them in its own row alone, and no other has one.
  expect(await calendar().getByRole('button').count()).toBe(2)
  expect(await calendar().getByRole('row').count()).toBe(1 + Object.keys(bays).length)
})

it('shows when a bay may be had: a booking lies in one of its windows, and one that rests has none', async () => {
  await openCalendar()
  const name = `开放 ${cityTime(tomorrow(8))} – ${cityTime(tomorrow(20))}`
  const window = row(bays.byDay.seatNo).getByRole('img', { name, exact: true })
  await window.waitFor()
  const [open, held] = [await edges(window), await edges(row(bays.byDay.seatNo).getByRole('button'))]
  expect(held.left).toBeGreaterThan(open.left)
  expect(held.right).toBeLessThan(open.right)
  // Two hours of twelve.
  expect((held.right - held.left) / (open.right - open.left)).toBeCloseTo(2 / 12, 2)
  const spans = (await windows(bays.always.seatNo).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')!))).map((said) =>
    said
      .slice('开放 '.length)
      .split(' – ')
      .map((at) => Date.parse(`${at.replace(' ', 'T')}+08:00`)),
  )
  expect(spans.reduce((sum, [begin, end]) => sum + end! - begin!, 0)).toBe(CALENDAR_MS)
  await row(bays.resting.seatNo).getByRole('rowheader').getByText('暂停').waitFor()
  expect(await windows(bays.resting.seatNo).count()).toBe(0)
  await page.getByText('斜纹：不开放').waitFor()
})

it('has what is booked on the page, by whoever looks, and no more what is cancelled; what is taken is refused with whom it meets', async () => {
  const plate = aPlate()
  const book = async (from: number, to: number) => {
    await page.goto(`${lot.server.url}${PLACE}`)
    await page.getByRole('button', { name: '预约车位' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: '车位' }).click()
    await page.locator('.ant-select-item:visible', { hasText: bays.byDay.seatNo }).click()
    await dialog.getByRole('textbox', { name: '车牌号' }).fill(plate)
    await dialog.getByRole('textbox', { name: '手机' }).fill('13900008888')
    for (const [label, at] of [
      ['开始', from],
      ['结束', to],
    ] as const) {
      const field = dialog.getByLabel(label)
      await field.click()
      await page.locator('.ant-picker-dropdown:visible').waitFor()
      await field.fill(cityTime(tomorrow(at)))
      await field.press('Enter')
      await page.locator('.ant-picker-dropdown:visible').waitFor({ state: 'hidden' })
    }
    await dialog.getByRole('button', { name: /^预\s?约$/ }).click()
    return dialog
  }
  const dialog = await book(11, 13)
  await dialog.getByText(/与预约 \S+（.* 至 .*）冲突/).waitFor()
  expect(await dialog.getByText(/与预约/).innerText()).toContain(`（${cityTime(tomorrow(10))} 至 ${cityTime(tomorrow(12))}）`)
  await (await book(13, 15)).waitFor({ state: 'detached' })
  await openCalendar()
  await bar(bays.byDay.seatNo, plate).waitFor()
  expect(await bar(bays.byDay.seatNo, plate).getAttribute('aria-label')).toMatch(
    new RegExp(`^${plate} 待支付 \\S+ ${cityTime(tomorrow(13))} – ${cityTime(tomorrow(15))}$`),
  )

  await page.getByText('预约列表').click()
  await page
    .locator('.ant-table-row', { hasText: plate.slice(-5) })
    .getByText('取消预约')
    .click()
  const sure = page.getByRole('dialog')
  await sure.getByRole('textbox', { name: '原因' }).fill('车主改期')
  await sure.getByRole('button', { name: '取消预约' }).click()
  await sure.waitFor({ state: 'detached' })
  await page.getByText('车位日历').click()
  await expect.poll(() => row(bays.byDay.seatNo).getByRole('button').count(), { timeout: 10_000 }).toBe(1)
  expect(await bar(bays.byDay.seatNo, plate).count()).toBe(0)
})

it('has nothing of it for another company', async () => {
  const stranger = await atConsole(browser, lot.server, 'otheradmin')
  await openCalendar(stranger)
  await stranger.getByText('该车场还没有上架的共享车位').waitFor()
  expect(await stranger.getByText(parkCode).count()).toBe(0)
  await stranger.close()
})

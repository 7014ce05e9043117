import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cityTime, instantAt, MINUTE_MS } from '../../platform/contract/time.ts'
import { openBrowser } from '../support/browser.ts'
import { atConsole, type District, openDistrict } from './district.ts'

const PLACE = '/dist/known'
const HOURS_AGO = Date.now() - 3 * 60 * MINUTE_MS
/** One that came and stays, and one that is not let in. */
const CAR = '粤B7K3M1'
const BARRED = '粤B0X4T6'

let district: District
let browser: Browser
let page: Page
beforeAll(async () => {
  ;[district, browser] = await Promise.all([openDistrict(), openBrowser()])
  const { server, entrance } = district
  const admin = await server.signIn('admin')
  const barred = { plateNo: BARRED, listType: 2, reasonType: 1, startAt: instantAt(HOURS_AGO) }
  expect((await server.ask(admin, 'POST', '/lbs/member/member/whiteAndBlack/insert', barred)).message).toBe('ok')
  await entrance.plate({ plate: CAR, ts: HOURS_AGO, offline: true, seq: 1 })
  await entrance.plate({ plate: BARRED })
  page = await atConsole(browser, server, 'admin')
})
afterAll(async () => {
  await browser?.close()
  await district?.close()
})

const words = (at = page) => at.getByRole('searchbox', { name: '车牌、手机号或编号' })
const part = (name: string, at = page) => at.locator('section').filter({ has: at.getByRole('heading', { name, exact: true }) })
async function look(sought: string, at = page) {
  await at.goto(`${district.server.url}${PLACE}`)
  await words(at).fill(sought)
  await words(at).press('Enter')
}

it('says of a car what the lane decided, where and when, and by which check', async () => {
  await look(BARRED)
  await page.getByRole('heading', { level: 2 }).getByText('车牌').waitFor()
  const decided = part('通道决定').getByRole('row')
  await decided.first().waitFor()
  expect(await decided.count()).toBe(1)
  const said = await decided.innerText()
  expect(said).toContain('入口 1 拒绝：')
  expect(said).toContain('✓黑名单')
  // A refusal makes no stay: it is found here alone, and leads to its car.
  expect(await part('停车记录').count()).toBe(0)
  expect(await decided.getByRole('link').getAttribute('href')).toBe(`${PLACE}?words=${encodeURIComponent(BARRED)}`)
})

it('says of a car that stays where it is and what it owes, and leads to the stay from the decision as well', async () => {
  await look(` ${CAR.toLowerCase()} `)
  const stay = part('停车记录').getByRole('row')
  await stay.first().waitFor()
  expect(await stay.count()).toBe(1)
  expect(await stay.innerText()).toContain('人民广场地下停车场，在场')
  expect(await stay.innerText()).toContain(cityTime(instantAt(HOURS_AGO)).slice(5, 16))
  expect(await part('通道决定').getByRole('row').innerText()).toContain('入口 1 放行：')
  expect(new URL(page.url()).searchParams.get('words')).toBe(CAR.toLowerCase())
  const [byStay, byDecision] = await Promise.all(['停车记录', '通道决定'].map((name) => part(name).getByRole('link').getAttribute('href')))
  expect(byDecision).toBe(byStay)
  await part('通道决定').getByRole('link').click()
  await page.locator('.story').waitFor()
  await page.getByText('7K3M1').first().waitFor()
})

it('follows what has happened since when it is asked again', async () => {
  await look(CAR)
  await part('停车记录').waitFor()
  await district.exit.plate({ plate: CAR })
  await look(CAR)
  await part('通道决定').getByRole('row').nth(1).waitFor()
  expect(await part('通道决定').getByRole('row').first().innerText()).toContain('出口 1 待缴费：')
})

it('says that there is nothing of a plate that nobody saw, and of a part of one, and nothing to another company', async () => {
  for (const sought of ['粤B99999', CAR.slice(0, 5)]) {
    await look(sought)
    await page.getByText(`没有与「${sought}」有关的记录`).waitFor()
    expect(await page.locator('.known section').count()).toBe(0)
  }
  const stranger = await atConsole(browser, district.server, 'otheradmin')
  await look(BARRED, stranger)
  await stranger.getByText(`没有与「${BARRED}」有关的记录`).waitFor()
  await stranger.close()
})

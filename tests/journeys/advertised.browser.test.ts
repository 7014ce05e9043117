import { Buffer } from 'node:buffer'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../../city/client.ts'
import { qrcode } from '../../domains/parking/contract/qrcode.ts'
import { keepUpload, recordUpload } from '../../domains/system/server/api.ts'
import { run } from '../../platform/server/database.ts'
import { barriers } from '../a11y/axe.ts'
import { openBrowser } from '../support/browser.ts'
import { PASSWORD } from '../support/server.ts'
import { type District, openDistrict } from './district.ts'

/** One green point. */
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const ON = `insert into merchant.advertisement (name, slot, media, link, start_at, end_at, state, author_id, author_name)
  values ('洗车八折', 1, $1, 'https://kerbline.example/wash', now() - interval '1 hour', now() + interval '1 hour', 2, uuidv7(), '测试')`

let district: District
let browser: Browser
beforeAll(async () => {
  ;[district, browser] = await Promise.all([openDistrict(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await district?.close()
})

test('below what a driver came for stands what is advertised, said to be so, with its picture and without a sign-in', async () => {
  const { server } = district
  const kept = await keepUpload({ name: 'wash.png', bytes: PICTURE })
  await server.house.writing(1, 'test', async (tx) => run(tx, { sql: ON }, [await recordUpload(tx, kept, { author: null })]))
  const { records } = await (await signIn(server.url, 'admin', PASSWORD)).ask(qrcode.query, { parkCode: 'P001', target: [1] })
  const page = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })
  const wrong: string[] = []
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
  await page.goto(`${server.url}/q/${records[0]!.code}`)
  const shown = page.locator('.advertisement')
  await shown.waitFor()
  const width = () => page.locator('.advertisement img').evaluate((picture: HTMLImageElement) => picture.naturalWidth)
  await expect.poll(width).toBe(1)
  expect(await shown.getByRole('link').getAttribute('href')).toBe('https://kerbline.example/wash')
  expect(await shown.textContent()).toBe('广告')
  await page.getByRole('button', { name: 'English' }).click()
  await expect.poll(() => shown.textContent()).toBe('Advertisement')
  expect(await barriers(page)).toEqual([])
  const [{ shows }] = (await server.house.writing(1, 'test', (tx) =>
    run<{ shows: number }>(tx, { sql: 'select shows from merchant.advertisement' }, []),
  )) as [{ shows: number }]
  expect(shows, 'once, however often the page is drawn').toBe(1)
  expect(wrong).toEqual([])
})

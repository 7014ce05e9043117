import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newFour } from '../../city/partner/child.ts'
import type { Habits } from '../../city/partner/partner.ts'
import { type RunningPartner, startPartner } from '../../city/partner/server.ts'
import { connectorSaid } from '../../domains/charging/server/api.ts'
import { aYard, now, type Yard } from '../../domains/charging/server/testing.ts'
import { allowOutside } from '../../platform/server/outside.ts'
import { barriers } from '../a11y/axe.ts'
import { openBrowser } from '../support/browser.ts'
import { atConsole } from './district.ts'

let yard: Yard
let browser: Browser
let page: Page
let running: RunningPartner
/** It fails until somebody repairs it. */
const habits: Habits = { silent: 0, busy: 0, stubborn: 100, disputes: 0, drivers: 0, stops: 0 }
let connectorId: string
let own: ReturnType<typeof newFour>
const wrong: string[] = []
beforeAll(async () => {
  ;[yard, browser] = await Promise.all([aYard(), openBrowser()])
  const ask = async (path: string, body: object) => (await yard.server.ask(yard.admin, 'POST', `/lbs/charging/chargingPlatform/${path}`, body)).data
  const { id, version } = await ask('add', { name: '汉江易充', operatorId: 'MA27B2EB4', role: 1, openStations: ['ST001'] })
  const given = await ask('rotateSecret', { id, version })
  own = newFour()
  running = await startPartner({ port: 0, platform: yard.server.url, operatorId: 'MA27B2EB4', given, own, habits })
  allowOutside([new URL(running.url).host])
  const moved = await ask('update', { id, version: version + 1, baseUrl: `${running.url}/evcs/v1` })
  // Secrets are theirs who listen there.
  await ask('saveSecret', { id, version: moved.version, ...own })
  ;({ connectorId } = await yard.aGun())
  await yard.write((tx) => connectorSaid(tx, { connectorId, status: 2, raw: 'Preparing', at: now(), receivedAt: now() }))
  // As if it had been tried for an hour: the next failure is the last.
  await vi.waitFor(async () => {
    await yard.sql(`update charging.partner_message set tries = 5 where state = 0 and tries > 0`)
    expect((await yard.sql<any>(`select state from charging.partner_message where way = 2`)).map(({ state }) => state)).toEqual([3])
  }, WAITS)
  page = await atConsole(browser, yard.server, 'admin')
  page.on('pageerror', (error) => wrong.push(error.message))
})
const WAITS = { timeout: 20_000, interval: 50 }
afterAll(async () => {
  await browser?.close()
  await running?.stop()
  await yard?.close()
})

test('a dead letter is seen, opened and sent again, and goes when the partner takes it', async () => {
  await page.goto(`${yard.server.url}/dist/recharge/chargingPlatform`)
  const row = page.locator('.ant-table-row', { hasText: '汉江易充' })
  await row.locator('.state.error', { hasText: '1' }).waitFor()
  await row.getByRole('button', { name: '消息' }).click()
  const drawer = page.getByRole('dialog', { name: '汉江易充 · 消息' })
  await drawer.getByText('未送达 1').waitFor()
  await drawer.getByText('推送充电枪状态').waitFor()
  await drawer.getByRole('button', { name: '查看' }).click()
  const opened = drawer.locator('.charging-letter')
  expect(await opened.locator('pre').first().textContent()).toContain(`"ConnectorID": "${connectorId}"`)
  const sendings = opened.getByRole('listitem')
  expect(await sendings.allTextContents()).toEqual(
    Array.from({ length: 2 }, () => expect.stringMatching(/^\d{4}-.* Ret 500 · order service is down/)),
  )
  expect(await barriers(page)).toEqual([])

  habits.stubborn = 0
  await opened.getByRole('button', { name: '重发' }).click()
  await page.locator('.ant-modal-confirm').getByRole('button', { name: '重发' }).click()
  await drawer.getByText('没有未送达的消息').waitFor()
  await drawer.getByText('未送达 0').waitFor()
  await expect.poll(() => running.partner.counts.states, WAITS).toBe(1)
  await drawer.getByText('全部').click()
  await drawer.getByRole('button', { name: '查看' }).click()
  expect(await sendings.allTextContents()).toHaveLength(3)
  await drawer.getByRole('button', { name: /关闭|Close/ }).click()
  await row.locator('.state.error').waitFor({ state: 'detached' })
  expect(wrong).toEqual([])
})

test('a partner’s secrets are entered by keyboard, and whether it is reached is read in words', async () => {
  await page.goto(`${yard.server.url}/dist/recharge/chargingPlatform`)
  const pressed = async (name: string) => {
    await page.locator('.ant-table-row', { hasText: '汉江易充' }).getByRole('button', { name: '更多' }).click()
    await page.locator('.ant-dropdown:visible').getByText(name).click()
  }
  await pressed('录入对方密钥')
  const dialog = page.getByRole('dialog', { name: '录入对方密钥 · 汉江易充' })
  for (const [at, name] of (['operatorSecret', 'dataSecret', 'dataSecretIv', 'sigSecret'] as const).entries())
    await dialog.locator('input[type=password]').nth(at).fill(own[name])
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await pressed('测试')
  await page.getByRole('dialog', { name: '测试互联 · 汉江易充' }).getByText('已连通').waitFor()
  expect(wrong).toEqual([])
})

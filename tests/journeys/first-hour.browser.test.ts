import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Lane, lane } from '../../gateways/mqtt/simulator.ts'
import { poll } from '../shell/console.ts'
import { openBrowser } from '../support/browser.ts'
import { atConsole, type District, openDistrict } from './district.ts'

const PARKS = '/dist/assetManage/parkingAndFacility/selfParking'
const PLATE = '鄂F7K2W6'

let district: District
let browser: Browser
let page: Page
const lanes: Lane[] = []
beforeAll(async () => {
  ;[district, browser] = await Promise.all([openDistrict(), openBrowser()])
  page = await atConsole(browser, district.server, 'admin')
})
afterAll(async () => {
  await Promise.all(lanes.map((one) => one.close(true)))
  await browser?.close()
  await district?.close()
})

/** The dialog that lies on top. */
const top = () => page.getByRole('dialog').last()
const guide = () => page.getByRole('dialog', { name: /开通向导/ })
const step = (name: string) =>
  guide()
    .locator('.first-hour > li')
    .filter({ has: page.getByRole('heading', { name }) })
const isDone = async (name: string) => step(name).locator('h3 .state', { hasText: '已完成' }).waitFor()
const save = () => top().getByRole('button', { name: '保存' }).click()

/** By the guide's own form; answers with the secret that is shown once. */
async function registers(deviceNo: string): Promise<string> {
  await step('设备').getByRole('button', { name: '登记设备' }).first().click()
  await top().getByLabel('设备编号').fill(deviceNo)
  await top().getByLabel('名称', { exact: true }).fill(`${deviceNo} 一体机`)
  await save()
  const shown = page.getByRole('dialog', { name: '设备密钥' })
  const secret = (await shown.locator('.ant-typography code').last().innerText()).trim()
  await shown.getByRole('button', { name: '我已记下' }).click()
  await shown.waitFor({ state: 'detached' })
  return secret
}

test('a new park’s first hour: gates, devices and a rule by their own forms, left and taken up again, until a test car has driven in and out and its fee is explained', async () => {
  await page.goto(`${district.server.url}${PARKS}`)
  await page.locator('.list-bar').getByRole('button', { name: '新增' }).click()
  await top().getByLabel('车场编号').fill('P090')
  await top().getByLabel('车场名称').fill('试运行停车场')
  await top().getByLabel('行政区划').click()
  await page.keyboard.type('420606')
  await page.locator('.ant-select-tree-node-content-wrapper:visible', { hasText: '樊城' }).last().click()
  await top().getByLabel('总车位').fill('50')
  await top().getByLabel('临停车位').fill('50')
  await save()

  await guide().waitFor()
  await step('通道').getByText('至少要一个入口、一个出口').waitFor()
  for (const [way, name] of [
    ['入口', '北门入口'],
    ['出口', '北门出口'],
  ] as const) {
    await step('通道')
      .getByRole('button', { name: `添加${way}` })
      .click()
    await top().getByLabel('通道名称').fill(name)
    await save()
    await step('通道').getByText(name).waitFor()
  }
  await isDone('通道')

  // Left, and taken up from the park itself: what is there is known without being kept.
  await guide().getByRole('button', { name: '稍后继续' }).click()
  await page.locator('.ant-table-row', { hasText: 'P090' }).getByRole('button', { name: /更多/ }).click()
  await page.locator('.ant-dropdown:visible').getByText('开通向导').click()
  await isDone('通道')

  const url = `mqtt://127.0.0.1:${district.server.mqttPort}`
  const device = { url, http: district.server.url, passAfterMs: 100 }
  const [inSecret, outSecret] = [await registers('PG-9001'), await registers('PG-9002')]
  await poll(() => step('设备').getByText('离线').count()).toBe(2)
  const entrance = await lane({ sn: 'PG-9001', secret: inSecret, direction: 'in', ...device })
  lanes.push(entrance)
  const exit = await lane({ sn: 'PG-9002', secret: outSecret, direction: 'out', ...device })
  lanes.push(exit)
  await isDone('设备')
  await step('收费规则').getByRole('button', { name: '关联规则' }).click()
  await top().getByRole('combobox').first().click()
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').first().click()
  await save()
  await isDone('收费规则')
  await step('通行测试').getByText('把一辆车开到入口').waitFor()

  await entrance.plate({ plate: PLATE })
  await entrance.next('gate.open')
  await step('通行测试').getByText('再从出口开出去').waitFor()
  await exit.plate({ plate: PLATE })
  await exit.next('gate.open')
  await isDone('通行测试')
  await step('通行测试').getByText('计费明细').waitFor()
  expect(await step('通行测试').innerText()).toMatch(/合计\s+¥0.00/)
  await guide().getByText('已开通').waitFor()
  await guide().getByRole('button', { name: '完成' }).click()
  await guide().waitFor({ state: 'detached' })
}, 120_000)

test('a park without gates offers the guide in its own detail; whoever may not add them reads which right that needs', async () => {
  const admin = await district.server.signIn('admin')
  const empty = { parkCode: 'P091', name: '空车场', pType: 1, regionCode: '420606', totalBays: 10 }
  expect((await district.server.ask(admin, 'POST', '/lbs/basic/parkInfo/add', empty)).message).toBe('ok')
  const auditor = await atConsole(browser, district.server, 'auditor')
  await auditor.goto(`${district.server.url}${PARKS}/P091`)
  await auditor.getByRole('button', { name: '继续开通' }).click()
  const gates = auditor.locator('.first-hour > li').filter({ has: auditor.getByRole('heading', { name: '通道' }) })
  await gates.getByText('这一步需要「通道管理 · 新增与修改」权限').waitFor()
  expect(await gates.getByRole('button').count()).toBe(0)
  await auditor.close()
})

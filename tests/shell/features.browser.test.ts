import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Day } from '../../platform/contract/field.ts'
import { DAY_MS, dayOf, instantAt } from '../../platform/contract/time.ts'
import { run } from '../../platform/server/database.ts'
import { dialogs, lists, parts } from '../../domains/dashboard/web/gallery/blocks.ts'
import { type District, openDistrict } from '../journeys/district.ts'
import { type Console, GATES, openConsole, PARKS, pathOf, poll, ROLES, STAYS } from './console.ts'

const PLATE = '鄂F12345'
/** The gallery's page on which a block stands. */
const pathOfBlock = (key: string) => `/demo/page${[lists, dialogs, parts].findIndex((all) => all.some((one) => one.key === key)) + 1}?block=${key}`
let district: District
let shown: Console
let page: Page
beforeAll(async () => {
  district = await openDistrict()
  await district.entrance.plate({ plate: PLATE, image: await district.entrance.picture(PLATE) })
  await district.entrance.next('gate.open')
  await district.entrance.pass()
  shown = await openConsole(district.server)
  page = await shown.as('admin')
})
afterAll(async () => {
  await shown?.close()
  await district?.close()
})
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const mark = () => page.locator('.watermark')
const open = async (path: string) => {
  await page.goto(`/dist${path}`)
  await page.locator('.list-rows:visible').waitFor()
}

describe('a mark of who looks', () => {
  test('lies over a list with personal data, on paper too, and takes no click', async () => {
    await open(STAYS)
    await mark().waitFor({ state: 'attached' })
    expect(await mark().getAttribute('data-says')).toMatch(/admin( \d{4})? \d{4}-\d\d-\d\d \d\d:\d\d$/)
    await page.emulateMedia({ media: 'print' })
    expect(
      await mark().evaluate((one) => [getComputedStyle(one).display, getComputedStyle(one).pointerEvents, one.getBoundingClientRect().width > 0]),
    ).toEqual(['block', 'none', true])
    await page.emulateMedia({ media: 'screen' })
    await button('刷新').click()
  })
  test('and over none without', async () => {
    await open(ROLES)
    await poll(() => mark().count()).toBe(0)
  })
})

test('the hours of the city are named where times are asked for and shown', async () => {
  await open(STAYS)
  await page.locator('.list-tools abbr', { hasText: 'UTC+8' }).waitFor()
  await page.getByLabel('入场时间').first().click()
  await page.locator('.ant-picker-footer', { hasText: '北京时间 UTC+8' }).first().waitFor()
  await page.keyboard.press('Escape')
})

test('any list’s export is scheduled from its menu with its filter, and paused and deleted among one’s own', async () => {
  await open(`${PARKS}?name=一`)
  await button('选择导出格式').click()
  await page.getByText('定时导出…').click()
  const dialog = page.locator('.ant-modal:visible')
  await dialog.getByText('按当前筛选').waitFor()
  await dialog.getByLabel('名称').fill('车场早报')
  await dialog.getByRole('button', { name: '开始定时导出' }).click()
  await dialog.waitFor({ state: 'detached' })
  await button('选择导出格式').click()
  await page.getByText('我的导出').last().click()
  await page.getByRole('tab', { name: '定时' }).click()
  const line = page.locator('.exports li', { hasText: '车场早报' })
  await line.getByText('每天 07:30').waitFor()
  await line.getByRole('button', { name: '暂停' }).click()
  await line.getByText('已暂停').waitFor()
  await line.getByRole('button', { name: '删除' }).click()
  await page.locator('.ant-modal-confirm').getByRole('button', { name: '确定' }).click()
  await line.waitFor({ state: 'detached' })
})

describe('a cell that the row’s form may change', () => {
  const row = (text: string) => page.locator('.ant-table-row:visible', { hasText: text })
  const field = () => page.locator('.cell-form input:visible')
  const pencil = (text: string) => row(text).getByRole('button', { name: '编辑通道名称' })
  const begin = async (code: string, typed: string) => {
    await pencil(code).focus()
    await page.keyboard.press('Enter')
    await field().fill(typed)
  }
  test('is changed by keyboard: Enter saves, Esc leaves it, Tab saves and goes on', async () => {
    await open(GATES)
    await row('P001-G01').waitFor()
    const before = (await row('P001-G01').locator('td').first().textContent())!
    await begin('P001-G01', '不要')
    await page.keyboard.press('Escape')
    await field().waitFor({ state: 'detached' })
    expect(await row('P001-G01').locator('td').first().textContent()).toBe(before)
    await begin('P001-G01', '北门入口')
    await page.keyboard.press('Enter')
    await row('北门入口').waitFor()
    await field().waitFor({ state: 'detached' })
    await begin('P001-G01', '东门入口')
    await page.keyboard.press('Tab')
    await row('东门入口').waitFor()
    await poll(() => row('P001-G01').locator('.cell-form .ant-select input:focus').count()).toBe(1)
    await page.keyboard.press('Tab')
    await poll(() => row('P001-G02').locator('.cell-form input:focus').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.locator('.cell-form').waitFor({ state: 'detached' })
  })
  test('chooses from a closed list by keyboard: Esc leaves the list and then the cell, Enter chooses and then saves, Tab does both', async () => {
    const choices = page.locator('.ant-select-dropdown:visible')
    const begun = async () => {
      await row('P001-G01').getByRole('button', { name: '编辑方向' }).focus()
      await page.keyboard.press('Enter')
      await choices.getByText('混合').waitFor()
    }
    const closed = () => page.locator('.cell-form').waitFor({ state: 'detached' })
    await begun()
    await page.keyboard.press('Escape')
    await choices.waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await closed()
    await begun()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await choices.waitFor({ state: 'detached' })
    await page.keyboard.press('Enter')
    await closed()
    await row('P001-G01').getByText('混合').waitFor()
    await begun()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Tab')
    await poll(() => row('P001-G02').locator('.cell-form input:focus').count()).toBe(1)
    await row('P001-G01').getByText('出口').waitFor()
    await page.keyboard.press('Escape')
    await closed()
  })
  test('keeps what is refused, with the reason', async () => {
    await begin('P001-G01', '')
    await page.keyboard.press('Enter')
    await page.locator('.cell-form .ant-form-item-explain-error').waitFor()
    await page.keyboard.press('Escape')
  })
  test('shows who was first, as the form does, and saves over it only when told to', async () => {
    await begin('P001-G01', '我的入口')
    const token = await shown.server.signIn('admin')
    const { data } = await shown.server.ask(token, 'POST', '/lbs/basic/parkGate/queryPage', { gateCode: 'P001-G01' })
    const { id, version } = data.records[0]
    expect((await shown.server.ask(token, 'POST', '/lbs/basic/parkGate/update', { id, version, name: '别人的入口' })).status).toBe(200)
    await page.keyboard.press('Enter')
    const merge = page.locator('.ant-popover:visible .merge')
    await merge.getByText('别人的入口').waitFor()
    await merge.getByText('我的入口').waitFor()
    await poll(() => merge.locator('input:focus').count()).toBe(1)
    await merge.getByRole('button', { name: '按所选保存' }).click()
    await row('我的入口').waitFor()
  })
  test('is not there for whoever may not', async () => {
    const auditor = await shown.as('auditor')
    await auditor.goto(`/dist${GATES}`)
    await auditor.locator('.ant-table-row', { hasText: 'P001-G01' }).waitFor()
    expect(await auditor.locator('.cell-edit').count()).toBe(0)
    await auditor.close()
  })
})

test('a stay is told again in the order of time, by keyboard', async () => {
  await open(`${STAYS}?plateNo=${encodeURIComponent(PLATE)}`)
  await page.locator('.ant-table-row:visible').first().click()
  await page.getByRole('button', { name: /回放$/ }).click()
  const replay = page.locator('.replay:visible')
  const at = () => replay.locator('.replay-buttons .faint').textContent()
  await replay.locator('.replay-picture').waitFor()
  await poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('播放')
  const total = Number((await at())!.split('/')[1])
  expect(total).toBeGreaterThan(1)
  const times: string[] = []
  for (let place = 1; place <= total; place++) {
    await poll(at).toBe(`${place} / ${total}`)
    times.push((await replay.locator('.replay-told time').getAttribute('datetime'))!)
    await page.keyboard.press('ArrowRight')
  }
  expect(times).toEqual(times.toSorted((a, b) => Date.parse(a) - Date.parse(b)))
  await poll(() => replay.locator('.replay-picture img').evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0)
  await page.keyboard.press('Home')
  await poll(at).toBe(`1 / ${total}`)
  await page.keyboard.press(' ')
  await poll(at).toBe(`${total} / ${total}`)
  await page.keyboard.press('Escape')
  await replay.waitFor({ state: 'detached' })
})

test('the way of a vehicle is driven again on the map: from event to event, at any speed none is passed over, by keyboard', async () => {
  const day = dayOf(instantAt(Date.now() - DAY_MS))
  const { id } = await aDrivenCar(day)
  await page.goto(`/dist/car/trajectory?vehicleId=${id}&day=${day}`)
  const count = page.locator('.replay-buttons .faint:visible')
  const at = (place: number) => poll(() => count.textContent()).toBe(`${place} / ${WAY_POINTS}`)
  const told = page.locator('.replay-told:visible')
  const playing = (word: string) => page.locator('.replay-buttons button:visible', { hasText: word })
  await page.locator('.place-map[data-map=ready]').waitFor()
  await at(1)
  await page.keyboard.press('ArrowRight')
  await at(2)
  await page.keyboard.press('PageDown')
  await at(STOOD_AT)
  await told.getByText('停留 7分钟').waitFor()
  await page.keyboard.press('PageDown')
  await at(ALARM_AT)
  await told.getByText('报警：超速').waitFor()
  await page.keyboard.press('PageUp')
  await at(STOOD_AT)
  await page
    .locator('.fleet-map aside')
    .getByRole('button', { name: /报警：超速/ })
    .click()
  await at(ALARM_AT)
  await page.keyboard.press('Home')
  await page.keyboard.press('p')
  await playing('暂停').waitFor()
  await page.keyboard.press('p')
  await playing('播放').waitFor()
  await page.keyboard.press('Home')
  await at(1)
  await count.evaluate((one) => {
    const seen = ((window as any).seen = [] as string[])
    new MutationObserver(() => seen.push(one.textContent!)).observe(one, { childList: true, characterData: true, subtree: true })
  })
  await page.locator('.replay-buttons').getByText('20×').click()
  await page.keyboard.press('p')
  await at(WAY_POINTS)
  const seen = await page.evaluate(() => (window as any).seen as string[])
  expect(seen).toEqual(expect.arrayContaining([STOOD_AT, ALARM_AT].map((place) => `${place} / ${WAY_POINTS}`)))
  expect(new Set(seen).size).toBeLessThan(WAY_POINTS / 4)
})
test('who was in an area is asked for to the minute, and the answer leads to the way', async () => {
  const day = dayOf(instantAt(Date.now() - DAY_MS))
  const { id } = await aDrivenCar(day, '鄂F88887')
  const token = await shown.server.signIn('admin')
  const area = { ring: [{ lng: lngAt(ALARM_AT), lat: LAT }], radiusM: 300 }
  await shown.server.ask(token, 'POST', '/lbs/business/vehicleFence/add', { name: '分钟围栏', kind: 1, area })
  await open('/car/fence')
  await page.locator('.ant-table-row:visible', { hasText: '分钟围栏' }).getByRole('button', { name: '区域查车' }).click()
  const drawer = page.locator('.ant-drawer', { hasText: '谁去过 · 分钟围栏' })
  const calendar = page.locator('.ant-picker-dropdown:visible')
  const type = async (name: string, time: string) => {
    const at = drawer.getByRole('textbox', { name, exact: true })
    await at.click()
    await calendar.waitFor()
    await at.fill(`${day} ${time}`)
    await drawer.locator('.ant-drawer-title').click()
    await calendar.waitFor({ state: 'detached' })
  }
  const passed = drawer.locator('tbody tr', { hasText: '鄂F·88887' })
  await type('从', '08:00:00')
  await type('到', '08:14:00')
  await drawer.getByRole('button', { name: /^查\s?询$/ }).click()
  await drawer.getByText('这段时间没有车辆到过').waitFor()
  await type('到', '08:19:00')
  await drawer.getByRole('button', { name: /^查\s?询$/ }).click()
  await passed.getByRole('link', { name: '轨迹' }).click()
  await page.waitForURL(
    ({ pathname, searchParams }) => pathname.endsWith('/car/trajectory') && searchParams.get('vehicleId') === id && searchParams.get('day') === day,
  )
})

test('a dialog whose first field is a time does not open its calendar over the form', async () => {
  await open('/car/distribution')
  await button(/申请用车$/).click()
  const dialog = page.locator('.ant-modal:visible').filter({ has: page.locator('form') })
  const first = dialog.getByRole('textbox').first()
  await first.waitFor()
  // A calendar would open a moment after the form is there.
  await page.waitForTimeout(500)
  const calendar = page.locator('.ant-picker-dropdown:visible')
  expect(await calendar.count()).toBe(0)
  await first.hover()
  await dialog.locator('.ant-picker').first().waitFor()
  await first.click()
  await calendar.waitFor()
  await page.keyboard.press('Escape')
  await calendar.waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: /^取\s?消$/ }).click()
  await dialog.waitFor({ state: 'detached' })
})

/** A point every ten seconds: it drives, stands for seven minutes, drives on and is too fast once. */
const [WAY_POINTS, STOOD_AT, ALARM_AT] = [120, 40, 100]
const [LAT, LNG_FROM, LNG_STEP] = [32, 112.1, 0.0005]
const lngAt = (place: number) => LNG_FROM + place * LNG_STEP
async function aDrivenCar(day: Day, vehicleNo = '鄂F88888'): Promise<{ id: string }> {
  const { server } = shown
  const token = await server.signIn('admin')
  const made = async (path: string, input: object) => (await server.ask(token, 'POST', `/lbs/business${path}`, input)).data
  const brand = await made('/vehicleBrand/addVehicleBrand', { name: '东风', model: vehicleNo, energy: 1 })
  const vehicle = await made('/vehicleManage/addVehicleManage', {
    vehicleNo,
    brandId: brand.id,
    dept: '运营部',
    seats: 5,
    insuranceEnd: '2099-12-31',
    inspectEnd: '2099-12-31',
  })
  await server.house.writing(1, 'test', (tx) =>
    run(
      tx,
      {
        sql: `insert into fleet.position (vehicle_id, device_time, received_at, lng, lat, speed, heading, alt, acc, alarm_bits, status_bits, blind, clock_fixed, trust)
          select $1, $2::timestamptz + n * interval '10 seconds', $2::timestamptz, $6::float8 + n * $7::float8, $8::float8, case when n > $4 and n <= $4 + 40 then 0 else 300 end, 90, 60, true, case when n = $5 then 2 else 0 end, 3, false, false, 1
          from generate_series(1, $3::int) n`,
      },
      [vehicle.id, `${day}T08:00:00+08:00`, WAY_POINTS, STOOD_AT, ALARM_AT, LNG_FROM, LNG_STEP, LAT],
    ),
  )
  return vehicle
}

describe('a tour', () => {
  const panel = () => page.locator('.tour .ant-tour-panel:visible')
  const offered = (name: string) => page.locator('.ant-drawer').getByRole('button', { name: `导览：${name}` })
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '')
  const begin = async (name: string) => {
    await page.keyboard.press('h')
    await offered(name).click()
    await panel().waitFor()
  }
  test('of a list is taken from the help, by keyboard alone, over the page that waits', async () => {
    await open(`${PARKS}?name=${encodeURIComponent('一')}`)
    expect(await panel().count()).toBe(0)
    await begin('列表')
    const titles: string[] = []
    const total = Number((await panel().locator('.ant-tour-indicators').textContent())!.split('/')[1])
    for (let step = 1; step <= total; step++) {
      await panel().getByText(`${step} / ${total}`, { exact: true }).waitFor()
      titles.push((await panel().locator('.ant-tour-title').textContent())!)
      await poll(focused).toBe(step === total ? '完成' : '下一步')
      await page.keyboard.press('j')
      await page.keyboard.press('Tab')
      await poll(() => page.evaluate(() => document.activeElement?.closest('.tour') !== null)).toBe(true)
      await page.keyboard.press('Shift+Tab')
      await poll(focused).toBe(step === total ? '完成' : '下一步')
      if (step < total) await page.keyboard.press(step % 2 ? 'Enter' : 'ArrowRight')
    }
    expect(titles).toEqual(['查询', '生效的条件', '数字', '视图', '列', '排序', '导出', '记录'])
    expect(pathOf(page)).toBe(`${PARKS}?name=${encodeURIComponent('一')}`)
    await page.keyboard.press('ArrowLeft')
    await panel().getByText('导出', { exact: true }).waitFor()
    await page.keyboard.press('ArrowRight')
    await poll(focused).toBe('完成')
    await page.keyboard.press('Enter')
    await panel().waitFor({ state: 'detached' })
    await poll(() => page.evaluate(() => document.activeElement?.className.includes('help-button'))).toBe(true)
  })
  test('that was taken or left is put forward no more, in no browser; Esc leaves one at once', async () => {
    await open(GATES)
    await begin('控制台')
    await panel().getByText('菜单', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'detached' })
    await page.keyboard.press('h')
    const quiet = (name: string) => poll(() => offered(name).evaluate((one) => one.classList.contains('ant-btn-text'))).toBe(true)
    for (const name of ['列表', '控制台']) await quiet(name)
    await page.reload()
    await page.locator('.list-rows:visible').waitFor()
    await page.keyboard.press('h')
    for (const name of ['列表', '控制台']) await quiet(name)
    await page.keyboard.press('Escape')
  })
  test('each page has its own, in the language of the console', async () => {
    await page.goto('/dist/operation/laneBoard')
    await page.locator('.board [data-gate]').first().waitFor()
    await begin('车道看板')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'English', exact: true }).click()
    await page.keyboard.press('h')
    await page.getByRole('button', { name: 'Tour: Lane board' }).click()
    await panel().getByText('Which car parks', { exact: true }).waitFor()
    await poll(focused).toBe('Next')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '中文', exact: true }).click()
  })
})

describe('what the screens’ shared blocks say', () => {
  const block = async (key: string) => {
    await page.goto(`/dist${pathOfBlock(key)}`)
    await page.locator(`section[data-block=${key}]`).waitFor()
  }
  test('statistics.tiles: a tile has a title, a value and a unit', async () => {
    await block('figures')
    const tile = page.locator('.tile', { hasText: '进场' })
    expect(await tile.locator('a, div').first().textContent()).toBe('进场1,234辆')
  })
  test('selection.delete-none: with no row ticked the delete button says what it needs', async () => {
    await block('list')
    await page.locator('.list-bar').getByRole('button', { name: '删除' }).first().click()
    await page.locator('.toast', { hasText: '至少选择一条数据' }).waitFor()
  })
  test('import.accept import.success: sheets and Word are taken and nothing else; what was imported is said', async () => {
    await page.goto('/dist/appManage/organization/staff')
    await page.getByRole('button', { name: '导入' }).click()
    const dialog = page.getByRole('dialog')
    const chooser = dialog.locator('input[type=file]')
    expect((await chooser.getAttribute('accept'))!.split(',').toSorted()).toEqual(['.csv', '.doc', '.docx', '.xls', '.xlsx'])
    await chooser.setInputFiles({ name: '名单.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await page.locator('.toast', { hasText: '请上传' }).waitFor()
    await chooser.setInputFiles({ name: '名单.csv', mimeType: 'text/csv', buffer: Buffer.from('用户名,姓名\nxin.ren,新人\n') })
    await dialog.getByRole('button', { name: '导入 1 行' }).click()
    await page.getByText('导入成功').first().waitFor()
  })
  test('import.form-first: until it is said what the sheet is of, no file is taken and nothing is sent', async () => {
    await page.goto('/dist/assetManage/roadParking/berth')
    await page.locator('.list-bar').getByRole('button', { name: '导入' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('片区').waitFor()
    const sent: string[] = []
    page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())))
    await dialog.locator('.import-drop').evaluate((zone) => {
      const dropped = new DataTransfer()
      dropped.items.add(new File(['泊位'], '泊位.csv'))
      zone.dispatchEvent(new DragEvent('drop', { dataTransfer: dropped, bubbles: true, cancelable: true }))
    })
    expect(await dialog.locator('.import-drop').isDisabled()).toBe(true)
    expect(await dialog.locator('.ant-modal-footer, .ant-modal-body').getByText('泊位.csv').count()).toBe(0)
    expect(sent.filter((url) => url.includes('parkSeatImport'))).toEqual([])
    await page.keyboard.press('Escape')
  })
})

test('a page of the release before says that a new one is there, and has it by one press', async () => {
  await page.goto('/dist/index')
  await page.locator('.shell').waitFor()
  const front = (url: URL) => url.pathname === '/dist/'
  await page.route(front, (route) => route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/dist/assets/next.js"></script>' }))
  await page.evaluate(() => dispatchEvent(new Event('vite:preloadError')))
  const said = page.getByText('控制台有新版本')
  await said.waitFor()
  await page.unroute(front)
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: '重新加载' }).click()])
  await page.locator('.shell').waitFor()
  expect(await said.count()).toBe(0)
})

test('a call is tried out in the reference of calls', async () => {
  const CALL = '/lbs/custom/account/getUserInfo'
  const { paths } = await (await fetch(`${shown.server.url}/lbs/openapi.json`)).json()
  const tag: string = paths[CALL].get.tags[0]
  const reader = await shown.stranger()
  await reader.goto('/lbs/docs')
  await reader.locator('.download-url-wrapper select').selectOption({ label: tag.split('.')[0]! })
  await reader.locator(`.opblock-tag[data-tag="${tag}"]`).click()
  const one = reader.locator('.opblock').filter({ has: reader.locator(`[data-path="${CALL}"]`) })
  await one.locator('.opblock-summary').click()
  await one.getByRole('button', { name: 'Try it out' }).click()
  await one.getByRole('button', { name: 'Execute' }).click()
  await one.locator('.live-responses-table .response-col_status', { hasText: '401' }).waitFor()
})

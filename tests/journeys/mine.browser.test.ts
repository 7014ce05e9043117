import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aDoor, aGarage, aPhone, type Door, type Garage } from '../../domains/owner/server/testing.ts'
import { barriers } from '../a11y/axe.ts'
import { openBrowser } from '../support/browser.ts'

const PHONE = aPhone()
const PLATE = '鄂F5A123'
let garage: Garage
let door: Door
let browser: Browser
let page: Page
const wrong: string[] = []
beforeAll(async () => {
  ;[garage, browser] = await Promise.all([aGarage(), openBrowser()])
  door = await aDoor(garage)
  page = await browser.newPage({ viewport: { width: 390, height: 844 }, locale: 'zh-CN', timezoneId: 'Asia/Shanghai' })
  page.on('pageerror', (error) => wrong.push(error.message))
  const ours = (url: string) => url.startsWith(garage.server.url)
  page.on(
    'console',
    (message) => message.type() === 'error' && ours(message.location().url) && !/401|409|422/.test(message.text()) && wrong.push(message.text()),
  )
})
afterAll(async () => {
  await browser?.close()
  await garage?.close()
})

const address = () => `${garage.server.url}/my/1`
const button = (name: string) => page.getByRole('button', { name, exact: true })
const section = (name: string) => page.getByRole('navigation').getByRole('link', { name })
const widthFits = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
const looksRight = async () => {
  expect(await barriers(page)).toEqual([])
  expect(await widthFits()).toBe(0)
}
/** The tabs whose words take a second line, or touch what is beside them. */
const wordsAtEdges = () =>
  page.locator('nav a').evaluateAll((tabs) =>
    tabs.flatMap((tab) => {
      const words = document.createRange()
      words.selectNodeContents(tab)
      const [{ left, right, height }, room] = [words.getBoundingClientRect(), tab.getBoundingClientRect()]
      const isOneLine = height < 2 * Number.parseFloat(getComputedStyle(tab).fontSize)
      return isOneLine && left - room.left >= 3 && room.right - right >= 3 ? [] : [tab.textContent]
    }),
  )
/** The sandbox channel's page, paid. */
const pays = async () => {
  await page.getByRole('button', { name: '支付 Pay' }).click()
  await page.waitForTimeout(300)
}

test('a driver comes in by the code that is sent to their telephone; a wrong one is said', async () => {
  await page.goto(address())
  await page.getByRole('textbox', { name: '手机号' }).fill(PHONE)
  await looksRight()
  await button('获取验证码').click()
  await page.getByRole('button', { name: /(秒|分钟)后可重发/ }).waitFor()
  const code = await door.told(PHONE)
  await page.getByRole('textbox', { name: '短信验证码' }).fill(code === '000000' ? '111111' : '000000')
  await button('登录').click()
  expect(await page.getByRole('alert').textContent()).toContain('验证码不正确')
  await page.getByRole('textbox', { name: '短信验证码' }).fill(code)
  await button('登录').click()
  await page.getByText('没有待支付的账单').waitFor()
  // A driver without a car is told what brings bills here, and led there.
  expect(await page.getByRole('link', { name: '去绑定车牌' }).getAttribute('href')).toBe('#cars')
  await looksRight()
  expect(await page.evaluate(() => document.cookie)).not.toContain('kerbline-driver')
})

test('they bind a plate on the keypad, and it waits for its review', async () => {
  await section('车辆').click()
  await button('绑定车牌').click()
  for (const sign of PLATE) await page.locator('.keys').getByRole('button', { name: sign, exact: true }).click()
  await looksRight()
  await button('绑定').click()
  await page.getByText('待审核').waitFor()
  expect(await page.locator('h2').textContent()).toBe(PLATE)
  await looksRight()
})

test('verified, the car’s debt is shown and paid', async () => {
  await garage.sql('update owner.car set verify_state = 1 where plate_no = $1', [PLATE])
  await garage.anOrder({ plateNo: PLATE, receivableFen: 1_200, owed: true })
  await page.goto(`${address()}#bills`)
  await page.getByRole('heading', { name: '欠费待补缴' }).waitFor()
  await looksRight()
  expect(await section('账单').textContent()).toBe('账单 (1)')
  expect(await wordsAtEdges()).toEqual([])
  await button('微信支付 ¥12.00').click()
  await pays()
  await page.goto(address())
  await page.getByText('没有待支付的账单').waitFor()
})

test('points pay a part of a bill beside the money; what they saved is said before and after', async () => {
  await garage.codeOf('P001')
  await garage.business('/pointsAccount/setParks', { parks: [{ parkCode: 'P001', earn: true, spend: true, capPermille: 500 }] })
  const { data: account } = await garage.business('/pointsAccount/open', { phone: PHONE, name: '车主', plates: [] })
  await garage.business('/pointsAccount/grant', { accountId: account.id, points: 300, reason: '活动' })
  await garage.anOrder({ plateNo: PLATE, receivableFen: 1_000 })
  await page.goto(`${address()}#bills`)
  await page.getByRole('heading', { name: '待支付' }).waitFor()
  await button('微信支付 ¥10.00').waitFor()
  await page.getByRole('checkbox', { name: '使用 300 积分，抵 ¥3.00' }).press('Space')
  await button('微信支付 ¥7.00').waitFor()
  expect(await page.getByRole('checkbox').evaluate((box) => box === document.activeElement)).toBe(true)
  await looksRight()
  await button('微信支付 ¥7.00').click()
  await pays()
  await page.goto(`${address()}#bills`)
  await page
    .getByRole('button', { name: /停车费.*¥10\.00/ })
    .first()
    .click()
  await page.getByText('其中积分抵扣').waitFor()
  await looksRight()
  await page.goto(`${address()}#coupons`)
  await page.getByText('余额 0').waitFor()
})

test('they object to a bill that they have paid, and read there what the staff decided', async () => {
  const asked = (path: string, body: object) => garage.server.ask<any>(garage.admin, 'POST', `/lbs/basic/workOrder/${path}`, body)
  await page.goto(`${address()}#bills`)
  await page.reload()
  const open = () =>
    page
      .getByRole('button', { name: /停车费.*¥10\.00/ })
      .first()
      .click()
  await open()
  await button('我对账单有异议').click()
  expect(await button('提交异议').isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: '说明' }).fill('只停了半小时')
  await page.getByRole('radio', { name: '入离场时间不对' }).check()
  await looksRight()
  await button('提交异议').click()
  await page.getByText('异议处理中').waitFor()
  await page.getByText('您的异议：只停了半小时').waitFor()
  expect(await button('我对账单有异议').count()).toBe(0)
  await looksRight()
  const [{ id }] = await garage.sql<any>(`select id from after_sale.work_order where plate_no = $1`, [PLATE])
  const [admin] = await garage.sql<any>(`select id from identity.person where username = 'admin'`)
  await asked('assign', { ids: [id], assigneeId: admin.id })
  await asked('handleOrder', { id, event: 4 })
  expect((await asked('handleOrder', { id, event: 7, finding: 2, opinion: '照片显示停了两小时' })).status).toBe(200)
  await page.reload()
  await open()
  await page.getByText('异议不成立').waitFor()
  await page.getByText('停车场答复：照片显示停了两小时').waitFor()
  await button('English').click()
  await page.getByText('Objection not upheld').waitFor()
  await looksRight()
  await button('中文').click()
  await page.goto(`${address()}#coupons`)
})

test('they check in, see which points expire when, and exchange them for an article, with money beside them', async () => {
  const days = (n: number) => new Date(Date.now() + n * 86_400_000).toISOString()
  const rule = { name: '每日签到', event: 4, ratio: 300, startAt: days(-1), endAt: days(30) }
  await garage.business('/pointsRule/add', rule)
  const picture = new FormData()
  const blue = sharp({ create: { width: 60, height: 40, channels: 3, background: 'blue' } }).png()
  picture.set('file', new Blob([(await blue.toBuffer()) as never]), 'umbrella.png')
  const { url: image } = (await garage.server.ask<any>(garage.admin, 'POST', '/lbs/basic/file/upload', picture)).data
  await garage.business('/pointsGoods/add', { name: '雨伞', pointsPrice: 100, stock: 5, perUserLimit: 2, remark: '服务台领取', image })
  await garage.business('/pointsGoods/add', { name: '车载充电器', pointsPrice: 150, cashFen: 990, stock: 1 })
  await page.reload()
  await button('签到得 300 积分').click()
  await page.getByText('今天已签到').waitFor()
  await page.getByText(/\d{4}-12-31 到期/).waitFor()
  await looksRight()
  await button('积分兑换').click()
  await page.getByText('100 积分 · 剩 5 件 · 每人限兑 2 件').waitFor()
  await expect.poll(() => page.locator('.pictures img').evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(60)
  await looksRight()
  await button('兑换').first().click()
  await button('增加').click()
  await button('用 200 积分兑换').waitFor()
  await button('减少').click()
  await looksRight()
  await button('用 100 积分兑换').click()
  await page.getByText('待领取').waitFor()
  await page.getByText('请到服务台凭兑换单号领取').waitFor()
  await button('兑换').nth(1).click()
  await page.getByText('扣 150 积分，另付：').waitFor()
  await looksRight()
  await button('微信支付 ¥9.90').click()
  await pays()
  await page.goto(`${address()}#coupons`)
  await button('积分兑换').click()
  await expect.poll(() => page.getByText('待领取').count()).toBe(2)
  await page.getByText('还差 50 积分').waitFor()
  await page.getByText('已兑完').waitFor()
  await looksRight()
  await button('English').click()
  await page.getByText('50 more points needed').waitFor()
  await looksRight()
  await button('中文').click()
  await garage.sql('update coupon.points_rule set stopped = true')
})

test('a coupon reads the last day on which it is good, as its template says it', async () => {
  const asked = async (path: string, body: object) => (await garage.server.ask<any>(garage.admin, 'POST', `/lbs/coupon${path}`, body)).data
  const terms = { name: '开业减免', type: 1, value: 500, validType: 1, validFrom: '2026-01-01', validTo: '2036-12-31', totalQty: 10, status: 1 }
  const template = await asked('/couponsTemplateInfo/insert', terms)
  await asked('/coupon/sendToCar', { templateId: template.id, plates: [PLATE], reason: '开业' })
  await page.goto(`${address()}#coupons`)
  await page.reload()
  await page.getByText('2026-01-01 – 2036-12-31').waitFor()
  await looksRight()
  await garage.sql('delete from coupon.coupon where plate_no = $1', [PLATE])
})

test('they buy a pass for the verified car, pay it, and renew it; what cannot be is said', async () => {
  const asked = async (path: string, body: object) => (await garage.server.ask<any>(garage.admin, 'POST', `/lbs/member/member${path}`, body)).data
  await section('月卡').click()
  await page.getByText('暂无可自助购买的月卡').waitFor()
  const parkCode = 'P077'
  await garage.codeOf(parkCode)
  const plan = await asked('/config/carFeesRole/insert', {
    name: '包月',
    priceFen: 30_000,
    periodUnit: 2,
    periodCount: 1,
    validType: 2,
    timeWindow: 1,
    renewAheadDays: 10,
  })
  const kind = await asked('/config/memberGroup/insertMemberGroup', { name: '小区月卡', type: 1, parkCodes: [parkCode], online: true, maxCars: 1 })
  await asked('/config/memberGroup/configCarFeesRule', { groupId: kind.id, carFeesIds: [plan.id] })
  await page.reload()
  await button('购买月卡').click()
  await looksRight()
  await page.getByRole('button', { name: '增加' }).click()
  await button('查看价格').click()
  await page.getByText('¥600.00', { exact: true }).waitFor()
  await looksRight()
  await button('微信支付 ¥600.00').click()
  await pays()
  await page.goto(`${address()}#passes`)
  await page.getByText('有效', { exact: true }).waitFor()
  await looksRight()
  await button('续费').click()
  expect(await page.getByRole('alert').textContent()).toContain('10 天内才可续费')
  await looksRight()
  await button('取消').click()
  await button('退卡').click()
  expect(await button('查看可退金额').isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: '退卡原因' }).fill('搬家了')
  await button('查看可退金额').click()
  await page.getByText('可退金额', { exact: true }).waitFor()
  await looksRight()
  await button('取消').click()
})

test('they book a shared bay and see when none is free; a place is kept for a deposit, and cancelled', async () => {
  const asked = (path: string, body: object) => garage.business(path, body)
  const terms = { name: '时租', parkCode: 'P077', kind: 1, priceFen: 600, graceMin: 10, overtimePermille: 1500, cancelFreeMin: 60, splitPermille: 0 }
  await asked('/share/insertShareFees', terms)
  await asked('/share/updateShareParking', { parkCode: 'P077', status: 1, maxBays: 5 })
  await asked('/parkReservation/insert', { kind: 2, parkCode: 'P077', quota: 2, openAheadHours: 24, holdMin: 30, cancelFreeMin: 60, depositFen: 500 })
  await page.goto(`${address()}#bookings`)
  await page.getByText('没有预约').waitFor()
  await button('找共享车位').click()
  await looksRight()
  await button('查找空闲车位').click()
  await page.getByText('该时段没有空闲的共享车位').waitFor()
  await looksRight()
  const windows = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, from: '00:00', to: '24:00' }))
  await asked('/share/offerInsert', { parkCode: 'P077', seatNo: 'A-01', windows })
  await page.getByRole('button', { name: '增加' }).click()
  await button('查找空闲车位').click()
  await page.getByText('空闲 1 个').waitFor()
  await page.getByRole('radio', { name: /A-01/ }).check()
  await page.getByText('超过 10分钟的，从结束时间起按单价的 150% 计').waitFor()
  await page.getByText('现在预约已过免费取消时间：支付后再取消，预付款不退').waitFor()
  await looksRight()
  await button('English').click()
  await page.getByText('Over 10 min: 150% of the price, from the end of the booking').waitFor()
  await looksRight()
  await button('中文').click()
  await button('微信支付 ¥18.00').click()
  await pays()
  await page.goto(`${address()}#bookings`)
  await page.getByText('共享车位 · 已预约').waitFor()
  await looksRight()
  await button('预约停车位').click()
  await page.getByText('现在预约已过免费取消时间：支付后再取消，保证金不退').waitFor()
  await looksRight()
  await button('微信支付 ¥5.00').click()
  expect(await page.getByRole('alert').textContent()).toContain('该车同一时间已有预约')
  await button('返回').click()
  await button('取消预约').click()
  await page.getByText(/预付款不退|原路退回/).waitFor()
  await button('确定取消').click()
  await page.getByText('共享车位 · 已取消').waitFor()
  await looksRight()
})

test('whoever did not come reads once until when they are suspended, and of money only where there was some', async () => {
  const kept = (n: number, depositFen: number) =>
    garage.sql(
      `insert into share.booking (booking_no, kind, park_code, plate_no, phone, start_at, end_at, state, prepaid_fen, price_fen, grace_min, overtime_permille, cancel_free_min, hold_min, split_permille)
        values ($1, 3, 'P077', $2, $3, now() - make_interval(days => $4::int), now() - make_interval(days => $4::int) + interval '2 hours', 5, $5, 0, 0, 0, 60, 30, 0)`,
      [`GY-${n}`, PLATE, PHONE, n, depositFen],
    )
  await kept(1, 0)
  await kept(2, 500)
  await garage.sql(
    `insert into share.ban (park_code, plate_no, phone, with_car, defaults, until) values ('P077', $1, $2, true, 3, now() + interval '7 days')`,
    [PLATE, PHONE],
  )
  await page.reload()
  await page.getByText('暂停预约至').first().waitFor()
  expect(await page.getByText('暂停预约至').count()).toBe(1)
  expect(await page.getByText(/^未按约到达/).allTextContents()).toEqual(['未按约到达', '未按约到达，保证金不退'])
  await looksRight()
  await garage.sql('delete from share.booking where booking_no in ($1, $2)', ['GY-1', 'GY-2'])
  await garage.sql('update share.ban set lifted_at = now()')
})

test('they recharge, and read the same in English', async () => {
  await page.goto(`${address()}#wallet`)
  await page.getByRole('radio', { name: /¥100\.00/ }).check()
  await button('微信支付 ¥100.00').click()
  await pays()
  await page.goto(`${address()}#wallet`)
  await page.locator('.due').filter({ hasText: '¥100.00' }).waitFor()
  await looksRight()
  await button('申请退款').click()
  expect(await button('查看应退金额').isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: '退款原因' }).fill('不再使用')
  await button('查看应退金额').click()
  await page.getByText('应退', { exact: true }).waitFor()
  await looksRight()
  await button('确认申请').click()
  await page.getByText('待审核').waitFor()
  await looksRight()
  await button('English').click()
  await page.getByRole('heading', { name: 'Balance' }).waitFor()
  await looksRight()
  await section('Coupons').click()
  await page.getByText('No coupons').waitFor()
  await page.getByRole('heading', { name: 'Points' }).waitFor()
  await looksRight()
  await section('Passes').click()
  await page.getByText('Valid', { exact: true }).first().waitFor()
  await looksRight()
  await section('Bookings').click()
  await page.getByText('Shared bay · Cancelled').waitFor()
  await looksRight()
  await section('Cars').click()
  await page.getByText('Verified').waitFor()
  await page.getByRole('checkbox').check()
  await expect.poll(async () => (await garage.sql<any>('select auto_debit from owner.car where plate_no = $1', [PLATE]))[0].autoDebit).toBe(true)
})

test('they agree at WeChat that fees are taken as they leave, and turn it off again', async () => {
  await button('Pay automatically by Alipay').click()
  await page.getByText('停车免密支付').waitFor()
  await page.goto(`${address()}#cars`)
  await page.getByText('waiting for you to agree in Alipay').waitFor()
  await looksRight()
  await button('Cancel set-up').click()
  await button('Pay automatically by WeChat').click()
  await page.getByRole('button', { name: '同意开通 Agree' }).click()
  await page.getByText('signed').waitFor()
  await page.goto(`${address()}#cars`)
  await page.getByText('WeChat automatic payment is on').waitFor()
  await looksRight()
  await button('中文').click()
  await button('关闭微信免密支付').waitFor()
  await looksRight()
  await button('English').click()
  await button('Turn off WeChat').click()
  await button('Pay automatically by WeChat').waitFor()
})

test('on a wide screen the parts stand beside one another; signed out, nothing is left', async () => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await section('Wallet').click()
  await looksRight()
  // Signing out while the page still asks for something is not passed over.
  let goOn = () => {}
  const held = new Promise<void>((resolve) => (goOn = resolve))
  await page.route('**/mine/points', async (route) => (await held, await route.continue()), { times: 1 })
  await section('Bills').click()
  await button('Sign out').click()
  goOn()
  await page.getByRole('textbox', { name: 'Phone' }).waitFor()
  await page.reload()
  await page.getByRole('textbox', { name: 'Phone' }).waitFor()
  expect(wrong).toEqual([])
})

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { instantAt } from '../../../platform/contract/time.ts'
import type { Instant } from '../../../platform/contract/field.ts'
import { PayMethod } from '../../settlement/contract/payment.ts'
import { begin, noticePayment, openOrder, payCash } from '../../settlement/server/api.ts'
import { tokenOfParks } from '../../../tests/support/roles.ts'
import { sendSheet } from '../../../tests/support/sheets.ts'
import { EXPIRE_AT_ONCE, expireBatches } from './pointsBook.ts'
import { chosen, expiryOf, pointsOf } from './pointsEarning.ts'
import { layPoints } from './pointsPaying.ts'
import { aShop, type Shop } from './testing.ts'

let shop: Shop
let second: string
let park: string
beforeAll(async () => {
  shop = await aShop()
  park = shop.field.parkCode
  await shop.sql(`update identity.person_role p set role_id = (select role_id from identity.person_role where person_id = (select id from identity.person where username = 'admin') limit 1)
    where p.person_id = (select id from identity.person where username = 'auditor')`)
  second = await shop.ground.server.signIn('auditor')
  // The till needs cash from the start: refunds are paid out of it.
  await shop.business('/shift/open', { openingFloatFen: 100_000_000 })
  await shop.business('/pointsAccount/setParks', { parks: [{ parkCode: park, earn: true, spend: true, capPermille: 1000 }] })
})
afterAll(() => shop.close())
const now = () => instantAt(Date.now())
const days = (n: number) => instantAt(Date.now() + n * 86_400_000)
let people = 0
const account = async (plates: string[] = []) =>
  (await shop.business('/pointsAccount/open', { phone: `1390000${String(++people).padStart(4, '0')}`, name: '王女士', plates })).data
const look = async (id: string) => (await shop.sql('select * from coupon.points_account where id = $1', [id]))[0]
const rule = async (more: object = {}) =>
  (await shop.business('/pointsRule/add', { name: `规则 ${++people}`, event: 1, ratio: 10, startAt: days(-1), endAt: days(30), ...more })).data
const end = async ({ id }: { id: string }) => {
  const [{ version }] = await shop.sql('select version from coupon.points_rule where id = $1', [id])
  return shop.business('/pointsRule/update', { id, version, stopped: true })
}
const order = (plateNo: string, receivableFen: number) =>
  shop.field.write((tx) => openOrder(tx, { type: 1, plateNo, plateColor: 0, parkCode: park, receivableFen, at: now() }))
const cash = async (plateNo: string, fen: number) => {
  const made = await order(plateNo, fen)
  await shop.field.write((tx) => payCash(tx, { orderId: made.id, amountFen: fen, actor: { userId: made.id, userName: 'cashier' }, at: now() }))
  return made
}
const refund = async (orderId: string, amountFen: number) => {
  const { data } = await shop.business('/orderRefund/apply', { orderId, amountFen, reason: '试' })
  const approved = await shop.business('/orderRefund/approve', { id: data.id, version: data.version, verdict: '同意' }, 'POST', second)
  return shop.business('/orderRefund/payOut', { id: data.id, version: approved.data.version })
}
/** Checks the invariants of an account. */
async function agrees(id: string): Promise<void> {
  const one = await look(id)
  const [{ held }] = await shop.sql('select coalesce(sum(remaining), 0)::bigint as held from coupon.points_batch where account_id = $1', [id])
  const [{ fen }] = await shop.sql(
    `select coalesce(sum(credit_fen - debit_fen), 0)::bigint as fen from ledger.balance where account = 'liability.points' and sub = $1`,
    [id],
  )
  expect(one.balance).toBe(held + one.frozen - one.debt)
  expect(one.balance).toBe(one.totalEarned - one.totalSpent - one.totalExpired - one.totalClawed)
  expect(fen).toBe(one.balance)
}

test('an account is its number’s, whatever gaps are typed in it', async () => {
  const made = await account()
  const gapped = `${made.phone.slice(0, 3)} ${made.phone.slice(3, 7)}-${made.phone.slice(7)}`
  expect((await shop.business('/pointsAccount/open', { phone: gapped, name: '王女士', plates: [] })).data).toMatchObject({
    id: made.id,
    phone: made.phone,
  })
  for (const wrong of ['BADPLATE', '12345678'])
    expect(await shop.business('/pointsAccount/open', { phone: made.phone, name: '别人', plates: [wrong] })).toMatchObject({ code: 40893 })
  expect(await look(made.id)).toMatchObject({ name: '王女士', plates: [] })
  expect((await shop.business('/pointsAccount/pageQuery', { phone: gapped })).data.records).toMatchObject([{ id: made.id }])
})

test('a fee that is paid earns by the weightiest rule and those that add, within the day', async () => {
  const plate = shop.aPlate()
  const { id } = await account([plate])
  const [plain, more] = [await rule({ priority: 1, dayCap: 150 }), await rule({ additive: true, ratio: 1 })]
  await rule({ ratio: 999, priority: 0 })
  await cash(plate, 1000)
  expect(await look(id)).toMatchObject({ balance: 110, totalEarned: 110 })
  await cash(plate, 1000)
  expect(await look(id)).toMatchObject({ balance: 170 })
  expect(
    await shop.business('/pointsRule/update', {
      id: plain.id,
      version: (await shop.sql('select version from coupon.points_rule where id = $1', [plain.id]))[0].version,
      ratio: 20,
    }),
  ).toMatchObject({ code: 41641 })
  await agrees(id)
  for (const one of await shop.sql('select id from coupon.points_rule')) await end(one)
  await cash(plate, 1000)
  expect(await look(id)).toMatchObject({ balance: 170 })
  expect(more.status).toBe(1)
})

test('refunded in part, in proportion; what was spent is owed, and later points fill it first', async () => {
  const plate = shop.aPlate()
  const { id } = await account([plate])
  const one = await rule()
  const paid = await cash(plate, 1000)
  const { data: article } = await shop.business('/pointsGoods/add', { name: '雨伞', pointsPrice: 80, stock: 3, perUserLimit: 2 })
  const exchange = (qty = 1) => shop.business('/pointsOrder/exchange', { accountId: id, goodId: article.id, qty })
  const taken = (await exchange()).data
  expect(taken).toMatchObject({ points: 80, state: 1 })
  expect(await exchange()).toMatchObject({ code: 41650 })
  await refund(paid.id, 300)
  expect(await look(id)).toMatchObject({ balance: -10, debt: 10, totalClawed: 30 })
  await agrees(id)
  await refund(paid.id, 700)
  expect(await look(id)).toMatchObject({ balance: -80, debt: 80, totalClawed: 100 })
  await cash(plate, 900)
  expect(await look(id)).toMatchObject({ balance: 10, debt: 0 })
  await agrees(id)
  const cancelled = (await shop.business('/pointsOrder/cancel', { id: taken.id, version: taken.version, reason: '缺货' })).data
  expect(cancelled.state).toBe(3)
  expect(await look(id)).toMatchObject({ balance: 90 })
  expect((await shop.business('/pointsGoods/pageQuery', { name: '雨伞' })).data.records[0].stock).toBe(3)
  expect(await shop.business('/pointsOrder/deliver', { id: taken.id, version: cancelled.version })).toMatchObject({ code: 40010 })
  await agrees(id)
  await end(one)
})

test('more points than one person may grant, at once or in parts, wait for another; whoever asked may only take it back', async () => {
  const { id } = await account()
  const grant = (points: number, token?: string) => shop.business('/pointsAccount/grant', { accountId: id, points, reason: '活动' }, 'POST', token)
  const asked = async () => (await shop.business('/pointsGrant/query', { accountId: id, state: [0] })).data.records
  expect((await shop.business('/pointsGrant/limit', {})).data).toEqual({ alone: 10_000 })
  expect((await grant(6_000)).data).toMatchObject({ balance: 6_000, waits: false })
  expect((await grant(4_001)).data).toMatchObject({ balance: 6_000, waits: true })
  expect((await grant(4_000)).data).toMatchObject({ balance: 10_000, waits: false })
  const [one] = await asked()
  expect(one).toMatchObject({ points: 4_001, state: 0, name: '王女士' })
  const told = () => shop.sql(`select 1 from message.record where concerns = $1 and send_state = 2`, [`points-grant:${one.id}`])
  expect((await told()).length).toBeGreaterThan(0)
  expect(await shop.business('/pointsGrant/approve', { id: one.id, version: one.version })).toMatchObject({ code: 41672 })
  expect(await shop.business('/pointsGrant/withdraw', { id: one.id, version: one.version }, 'POST', second)).toMatchObject({ code: 41673 })
  const granted = await shop.business('/pointsGrant/approve', { id: one.id, version: one.version, verdict: '属实' }, 'POST', second)
  expect(granted.data).toMatchObject({ state: 1, approverName: expect.any(String) })
  expect(await look(id)).toMatchObject({ balance: 14_001 })
  expect((await told()).length).toBe(0)
  expect(await shop.business('/pointsGrant/reject', { id: one.id, version: granted.data.version, verdict: '否' }, 'POST', second)).toMatchObject({
    code: 40010,
  })
  await grant(500_000)
  const [other] = await asked()
  expect((await shop.business('/pointsGrant/withdraw', { id: other.id, version: other.version })).data.state).toBe(3)
  await shop.business('/pointsGrant/setLimit', { alone: 0 })
  await grant(1)
  const [last] = await asked()
  expect((await shop.business('/pointsGrant/reject', { id: last.id, version: last.version, verdict: '否' }, 'POST', second)).data).toMatchObject({
    state: 2,
    verdict: '否',
  })
  await shop.business('/pointsGrant/setLimit', { alone: 10_000 })
  expect(await look(id)).toMatchObject({ balance: 14_001 })
  await agrees(id)
})

test('what expires first is spent first; what is over expires in steps', async () => {
  const { id } = await account()
  const grant = (points: number) => shop.business('/pointsAccount/grant', { accountId: id, points, reason: '活动' })
  await grant(50)
  await grant(70)
  await shop.sql(`update coupon.points_batch set expire_at = now() + interval '1 day' where account_id = $1 and points = 70`, [id])
  const { data: article } = await shop.business('/pointsGoods/add', { name: '水', pointsPrice: 30 })
  expect(await shop.business('/pointsOrder/exchange', { accountId: id, goodId: article.id, qty: 1 })).toMatchObject({ code: 41661 })
  expect((await shop.business('/pointsGoods/numberAddition', { id: article.id, num: 5 })).data.stock).toBe(5)
  await shop.business('/pointsOrder/exchange', { accountId: id, goodId: article.id, qty: 1 })
  expect(await shop.sql('select points, remaining from coupon.points_batch where account_id = $1 order by points', [id])).toEqual([
    { points: 50, remaining: 50 },
    { points: 70, remaining: 40 },
  ])
  const again = (await shop.business('/pointsOrder/exchange', { accountId: id, goodId: article.id, qty: 3 })).data
  await shop.business('/pointsOrder/cancel', { id: again.id, version: again.version, reason: '缺货' })
  expect(await shop.sql('select remaining from coupon.points_batch where account_id = $1 order by points', [id])).toEqual([
    { remaining: 50 },
    { remaining: 40 },
  ])
  await agrees(id)
  await shop.field.write((tx) => expireBatches(tx, days(2)))
  expect(await look(id)).toMatchObject({ balance: 50, totalExpired: 40 })
  await agrees(id)
  const kinds = (await shop.business('/pointsAccountDetail/pageQuery', { accountId: id })).data.records.map(({ kind, points }: any) => [kind, points])
  expect(kinds[0]).toEqual([3, -40])
})

test('a step expires the batches of many at once: each with its line and the balance after it, in one entry; what is more is left for the next step', async () => {
  const [a, b] = [await account(), await account()]
  for (const [id, points] of [
    [a.id, 50],
    [a.id, 70],
    [b.id, 30],
  ])
    await shop.business('/pointsAccount/grant', { accountId: id, points, reason: '活动' })
  await shop.sql(`update coupon.points_batch set expire_at = now() - make_interval(mins => (200 - points)::int) where account_id = any($1)`, [
    [a.id, b.id],
  ])
  const entries = async () => (await shop.sql(`select distinct entry_id from ledger.line where account = 'liability.points'`)).length
  const before = await entries()
  expect(await shop.field.write((tx) => expireBatches(tx, now()))).toBe(false)
  expect((await entries()) - before).toBe(1)
  const lines = await shop.sql(
    'select points, balance_after, biz_no, batch_id from coupon.points_account_detail where account_id = $1 and kind = 3 order by id',
    [a.id],
  )
  expect(lines).toMatchObject([
    { points: -50, balanceAfter: 70 },
    { points: -70, balanceAfter: 0 },
  ])
  expect(lines.every(({ bizNo, batchId }: any) => bizNo === batchId)).toBe(true)
  for (const { id } of [a, b]) {
    expect(await look(id)).toMatchObject({ balance: 0 })
    await agrees(id)
  }
  await shop.sql(
    `with got as (insert into coupon.points_batch (account_id, biz_no, points, remaining, expire_at, at) select $1, 'M' || n, 1, 1, now() - interval '1 hour', now() from generate_series(1, $2) n returning points)
    update coupon.points_account set balance = balance + $2, total_earned = total_earned + $2 where id = $1`,
    [b.id, EXPIRE_AT_ONCE + 1],
  )
  expect(await shop.field.write((tx) => expireBatches(tx, now()))).toBe(true)
  expect(await look(b.id)).toMatchObject({ balance: 1, totalExpired: 30 + EXPIRE_AT_ONCE })
  expect(await shop.field.write((tx) => expireBatches(tx, now()))).toBe(false)
  expect(await look(b.id)).toMatchObject({ balance: 0, totalExpired: 30 + EXPIRE_AT_ONCE + 1 })
})

test('an owner is shown their points by telephone, and the coupons of their verified cars', async () => {
  const plate = shop.aPlate()
  const { id, phone } = await account()
  await shop.business('/pointsAccount/grant', { accountId: id, points: 70, reason: '活动' })
  const { data: owner } = await shop.custom('/owner/account/register', { phone, nickname: '王女士' })
  const { data: car } = await shop.business('/carOwner/bindCarInfo', { ownerId: owner.ownerId, plateNo: plate })
  const template = await shop.template({ type: 4, value: 0 })
  await shop.send({ templateId: template.id, plates: [plate] })
  const shown = async () => (await shop.custom('/assert/selectCarOwnerInfo', { phone })).data.records[0]
  expect(await shown()).toMatchObject({ points: 70, coupons: 0 })
  await shop.sql('update owner.car set verify_state = 1 where id = $1', [car.id])
  expect(await shown()).toMatchObject({ points: 70, coupons: 1 })
})

test('two exchanges at once for the last article: one', async () => {
  const [a, b] = [await account(), await account()]
  for (const { id } of [a, b]) await shop.business('/pointsAccount/grant', { accountId: id, points: 100, reason: '活动' })
  const { data: article } = await shop.business('/pointsGoods/add', { name: '杯子', pointsPrice: 60, stock: 1 })
  const answers = await Promise.all([a, b].map(({ id }) => shop.business('/pointsOrder/exchange', { accountId: id, goodId: article.id, qty: 1 })))
  expect(answers.map(({ code }) => code).sort()).toEqual([200, 41661])
})

test('points pay an order whole where the park allows it, and come back with its refund', async () => {
  const { id } = await account()
  await shop.business('/pointsAccount/grant', { accountId: id, points: 500, reason: '活动' })
  const [dear, cheap] = [await order(shop.aPlate(), 900), await order(shop.aPlate(), 300)]
  const offset = (orderId: string) => shop.business('/pointsAccount/offset', { accountId: id, orderId })
  expect((await offset(dear.id)).status).toBe(422)
  expect((await offset(cheap.id)).data).toMatchObject({ balance: 200, totalSpent: 300 })
  await agrees(id)
  const { data } = await shop.business('/orderRefund/apply', { orderId: cheap.id, amountFen: 300, reason: '试' })
  expect((await shop.business('/orderRefund/approve', { id: data.id, version: data.version, verdict: '同意' }, 'POST', second)).status).toBe(200)
  expect(await look(id)).toMatchObject({ balance: 500, totalSpent: 0 })
  await agrees(id)
  await shop.business('/pointsAccount/setParks', { parks: [{ parkCode: park, earn: true, spend: true, capPermille: 500 }] })
  expect(await offset((await order(shop.aPlate(), 100)).id)).toMatchObject({ code: 41652 })
  expect((await shop.business('/pointsAccount/chargingParkCode', {})).data).toMatchObject([{ parkCode: park, capPermille: 500 }])
  await shop.business('/pointsAccount/setParks', { parks: [{ parkCode: park, earn: true, spend: true, capPermille: 1000 }] })
  const sum = (await shop.business('/pointsAccount/queryPointsStatistics', {})).data
  expect(sum.balance).toBe(sum.earned - sum.spent - sum.expired - sum.clawed)
})

test('what points paid of a stay stands in its story', async () => {
  const { id } = await account()
  await shop.business('/pointsAccount/grant', { accountId: id, points: 200, reason: '活动' })
  const plate = shop.aPlate()
  const { id: orderId } = await shop.leaves(plate, 90)
  const { attempt } = await shop.field.write((tx) => begin(tx, orderId, PayMethod.wechat, now(), { lay: layPoints(id, 200, now()) }))
  const money = { payNo: attempt.payNo, channel: 'wechat', tradeNo: 'T-story', amountFen: attempt.amountFen, paidAt: now(), at: now() }
  expect(await shop.field.write((tx) => noticePayment(tx, money))).toBe('paid')
  const stay = await shop.field.stay(plate)
  const { data: story } = await shop.ground.ask(shop.ground.admin, '/fee/parkRecord/story', { id: stay.id }, 'GET')
  expect(story.orders).toMatchObject([{ paidFen: attempt.amountFen + 200, pointsFen: 200 }])
  expect(story.events.map(({ zh }: { zh: string }) => zh)).toContainEqual(expect.stringContaining('其中积分抵扣 ¥2.00'))
  await agrees(id)
})

test('a sheet of rules that was exported changes nothing when it comes back, also of a rule that has given points', async () => {
  const name = (await rule({ startAt: '2026-01-01T00:00:00+08:00', endAt: '2036-12-31T23:59:59+08:00', ratio: 7, dayCap: 900 })).name
  const plate = shop.aPlate()
  await account([plate])
  await cash(plate, 1000)
  expect(await shop.sql('select used from coupon.points_rule where name = $1', [name])).toEqual([{ used: true }])
  const exported = await fetch(`${shop.ground.server.url}/lbs/business/pointsRule/export?${new URLSearchParams({ format: 'csv', name })}`, {
    headers: { authorization: `Bearer ${shop.ground.admin}` },
  })
  const sheet = await exported.text()
  const again = (rows: string) => sendSheet(shop.ground.server, shop.ground.admin, '/lbs/business/pointsRule/importDate', rows)
  expect(await again(sheet)).toMatchObject({ data: { added: 0, changed: 0, same: 1, errors: [] } })
  expect(await again(sheet.replace(',7,', ',8,'))).toMatchObject({ data: { errors: [{ row: 2 }] } })
})

test('rules come by sheet; multiplied hours, rounding and expiry as they are written', async () => {
  const head = '名称,事件,每元积分,开始,结束,取整'
  const rows = `${head}\n表格规则,停车缴费,5,2027-01-01 00:00:00,2027-12-31 23:59:59,是`
  const sent = await sendSheet(shop.ground.server, shop.ground.admin, '/lbs/business/pointsRule/importDate', rows)
  expect(sent).toMatchObject({ data: { added: 1 } })
  const [{ id }] = (await shop.business('/pointsRule/pageQuery', { name: '表格' })).data.records
  const gone = await fetch(`${shop.ground.server.url}/lbs/business/pointsRule/delete`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.ground.admin}` },
    body: new URLSearchParams({ id }),
  })
  expect(gone.status).toBe(200)
  expect((await shop.business('/pointsRule/pageQuery', { name: '表格' })).data.total).toBe(0)
  const terms = { ratio: 3, roundDown: true, multiplier: 2000, multiplierFrom: '22:00', multiplierTo: '06:00' }
  expect(pointsOf(terms, 155, '2027-01-01T15:00:00.000Z' as Instant)).toBe(9)
  expect(pointsOf({ ...terms, roundDown: false }, 155, '2027-01-01T04:00:00.000Z' as Instant)).toBe(5)
  expect(expiryOf({ expireType: 1, expireMonths: null }, '2027-03-01T04:00:00.000Z' as Instant)).toBe('2028-12-31T16:00:00.000Z')
  expect(expiryOf({ expireType: 2, expireMonths: 1 }, '2027-01-31T04:00:00.000Z' as Instant)).toBe('2027-02-28T16:00:00.000Z')
  expect(chosen([{ additive: false }, { additive: false }, { additive: true }])).toHaveLength(2)
})

test('whoever looks after one park says where and by which rules points come of it, and of no other', async () => {
  const [{ parkCode: near }, { parkCode: far }] = [await shop.ground.field(), await shop.ground.field()]
  onTestFinished(async () => void (await shop.sql('delete from coupon.points_park where park_code = $1', [near])))
  const token = await tokenOfParks(shop.ground.server, [near])
  const asked = (path: string, input: object) => shop.business(path, input, 'POST', token)
  const terms = { event: 1, ratio: 10, startAt: days(-1), endAt: days(30) }
  const add = (name: string, parkCodes: string[]) => asked('/pointsRule/add', { ...terms, name, parkCodes })
  expect((await add('两场规则', [near, far])).status).toBe(404)
  const made = await add('本场规则', [near])
  expect(made.status).toBe(200)
  const { id, version } = made.data
  expect((await asked('/pointsRule/update', { id, version, parkCodes: [far] })).status).toBe(404)
  expect((await asked('/pointsRule/update', { id, version, ratio: 20 })).status).toBe(200)
  const takesPart = (parkCode: string) => asked('/pointsAccount/setParks', { parks: [{ parkCode, earn: true, spend: true, capPermille: 500 }] })
  expect((await takesPart(far)).status).toBe(404)
  expect((await takesPart(near)).data).toMatchObject([{ parkCode: near }])
  expect(await shop.sql('select park_code from coupon.points_park where park_code in ($1, $2)', [near, far])).toEqual([{ parkCode: near }])
})

test('a sheet tells a share in per cent, in its head too, and reads what it told', async () => {
  const { server, admin } = shop.ground
  const importing = (csv: string) => sendSheet(server, admin, '/lbs/business/pointsRule/importDate', csv)
  const row = (multiplier: string) =>
    `名称,事件,每元积分,倍数(%),开始,结束\n百分规则,停车缴费,5,${multiplier},2027-01-01 00:00:00,2027-12-31 23:59:59`
  const fault = async (multiplier: string) => ((await importing(row(multiplier))).data as any).errors[0].reason
  expect(await fault('2')).toBe('「倍数」不能小于 100%')
  expect(await fault('250.55')).toBe('「倍数」应为百分数，最多一位小数')
  expect(await importing(row('250.5%'))).toMatchObject({ data: { added: 1 } })
  const read = async (path: string) =>
    (await fetch(`${server.url}/lbs/business/pointsRule/${path}`, { headers: { authorization: `Bearer ${admin}` } })).text()
  const told = await read(`export?format=csv&name=${encodeURIComponent('百分规则')}`)
  expect(told).toContain('倍数(%)')
  expect(told).toMatch(/百分规则.*,250\.5,/)
  expect(await importing(told.replace('百分规则', '读回规则'))).toMatchObject({ data: { added: 1 } })
  const { records } = (await shop.business('/pointsRule/pageQuery', { name: '读回规则' })).data
  expect(records).toMatchObject([{ multiplier: 2505 }])
})

test('whatever is done in whatever order, the account, its batches and the ledger are the same', async () => {
  const plate = shop.aPlate()
  const { id } = await account([plate])
  const one = await rule()
  const { data: article } = await shop.business('/pointsGoods/add', { name: '贴纸', pointsPrice: 25, stock: 1000 })
  let seed = 5
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  const paid: { id: string; left: number }[] = []
  for (let step = 0; step < 24; step++) {
    const what = random(4)
    if (what === 0) paid.push({ id: (await cash(plate, 1000)).id, left: 1000 })
    else if (what === 1) await shop.business('/pointsOrder/exchange', { accountId: id, goodId: article.id, qty: 1 + random(3) })
    else if (what === 2 && paid.length) {
      const of = paid[random(paid.length)]!
      const fen = Math.min(of.left, 100 + random(500))
      if (fen > 0) await refund(of.id, fen)
      of.left -= fen
    } else
      await shop
        .sql(
          `update coupon.points_batch set expire_at = now() - interval '1 hour' where account_id = $1 and id = (select min(id::text)::uuid from coupon.points_batch where account_id = $1 and remaining > 0)`,
          [id],
        )
        .then(() => shop.field.write((tx) => expireBatches(tx, now())))
    await agrees(id)
  }
  await end(one)
  expect(await shop.replay()).toBe(true)
}, 60_000)

test('an account that was merged into another is none of its own: there are as many as the list has', async () => {
  const [kept, gone] = [await account(), await account()]
  await shop.sql('update coupon.points_account set merged_into = $1 where id = $2', [kept.id, gone.id])
  const { data } = await shop.business('/pointsAccount/queryPointsStatistics', {})
  expect(data.accounts).toBe((await shop.business('/pointsAccount/pageQuery', { queryMode: 'total' })).data.total)
})

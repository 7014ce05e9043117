import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMarket, type Market } from './testing.ts'
import { sendSheet } from '../../../tests/support/sheets.ts'

let town: Market
beforeAll(async () => {
  town = await aMarket()
})
afterAll(() => town.close())
const recharge = (mchId: string, amountFen: number, more: object = { payMethod: 4 }) =>
  town.custom('/merchantAccount/recharge', { mchId, amountFen, ...more })
const grant = (mchId: string, amountFen: number) => town.custom('/merchant/addCreditQuota', { mchId, amountFen, reason: '合作满一年' })
const withdraw = (mchId: string, amountFen: number, runDown = false) => town.custom('/merchant/deleteCreditQuota', { mchId, amountFen, runDown })
const facts = { type: 1, contact: '李经理', phone: '13800002222', parkCodes: ['P001'], settleMode: 1 }

test('a merchant is added with a login and a password that are told once; its name is its own', async () => {
  const { data } = await town.custom('/merchant/add', { ...facts, name: '万达影城' })
  expect(data).toMatchObject({ mchNo: expect.stringMatching(/^M\d{6}$/), login: data.mchNo, password: expect.stringMatching(/^.{16}$/) })
  expect(await town.custom('/merchant/add', { ...facts, name: '万达影城' })).toMatchObject({ status: 422, code: 41701 })
  expect(await town.custom('/merchant/add', { ...facts, name: '没有车场', parkCodes: ['P099'] })).toMatchObject({ status: 404 })
  expect(await town.custom('/merchant/add', { ...facts, name: '没有车场', parkCodes: [] })).toMatchObject({ status: 400 })
  const [row] = await town.sql('select password_hash from merchant.merchant where id = $1', [data.id])
  expect(row.passwordHash).toMatch(/^\$argon2id\$/)
  const page = await town.custom('/merchant/queryPage', { name: '万达' })
  expect(page.data.records).toMatchObject([{ name: '万达影城', balanceFen: 0, status: 1, parkCodes: ['P001'] }])
  expect(JSON.stringify(page.data)).not.toContain('argon2')
  expect((await town.custom('/merchant/findMchList', { name: '影城' })).data).toMatchObject([{ mchNo: data.mchNo, quotaFen: 0 }])
})

test('a password is reset to one that was typed twice, or to one that is made', async () => {
  const { id } = await town.merchant()
  expect((await town.custom('/merchant/resetPassword', { custId: id })).data).toMatchObject({ password: expect.any(String) })
  const digest = 'a'.repeat(64)
  expect(await town.custom('/merchant/resetPassword', { custId: id, newPassword: digest })).toMatchObject({ code: 40214 })
  expect((await town.custom('/merchant/resetPassword', { custId: id, newPassword: digest, confirmPassword: digest })).data).toMatchObject({
    password: null,
  })
  expect(await town.custom('/merchant/resetPassword', { custId: '00000000-0000-0000-0000-000000000000' })).toMatchObject({ status: 404 })
})

test('a recharge repays credit first, stands in the ledger, and a slip counts once', async () => {
  const { id } = await town.merchant({ creditFen: 500 })
  await town.sql('update merchant.merchant set used_fen = 300, balance_fen = 0 where id = $1', [id])
  const cash = await recharge(id, 1000)
  expect(cash.data).toMatchObject({ amountFen: 1000, repaidFen: 300, orderNo: expect.stringMatching(/^SH/) })
  expect(await town.merchantOf(id)).toMatchObject({ balanceFen: 700, usedFen: 0, quotaFen: 500 })
  expect(await recharge(id, 100, { payMethod: 99 })).toMatchObject({ code: 41721 })
  expect(await recharge(id, 100, { payMethod: 1 })).toMatchObject({ status: 400 })
  expect((await recharge(id, 100, { payMethod: 99, receiptNo: 'HZ001' })).data).toMatchObject({ repaidFen: 0, receiptNo: 'HZ001' })
  expect(await recharge(id, 100, { payMethod: 99, receiptNo: 'HZ001' })).toMatchObject({ code: 41720 })
  expect(await town.merchantOf(id)).toMatchObject({ balanceFen: 800 })
  expect(await town.ledgerOf(id)).toMatchObject({ balance: 800 })
  const details = await town.custom('/merchantAccount/balanceDetailPage', { mchId: id })
  expect(details.data.records.map(({ kind, amountFen, afterFen }: any) => [kind, amountFen, afterFen])).toEqual([
    [1, 100, 800],
    [1, 700, 700],
  ])
  expect((await town.replay()).right).toBe(true)
})

test('credit is granted, and withdrawn not below what is used unless it runs down', async () => {
  const { id } = await town.merchant()
  expect((await grant(id, 1000)).data).toMatchObject({ quotaFen: 1000, usedFen: 0 })
  await town.sql('update merchant.merchant set used_fen = 600 where id = $1', [id])
  expect(await withdraw(id, 500)).toMatchObject({ code: 41730 })
  expect(await withdraw(id, 1001)).toMatchObject({ code: 41731 })
  expect((await withdraw(id, 500, true)).data).toMatchObject({ quotaFen: 600, usedFen: 600, quotaTargetFen: 500 })
  expect((await grant(id, 50)).data).toMatchObject({ quotaFen: 600, usedFen: 600, quotaTargetFen: 550 })
  expect((await withdraw(id, 50, true)).data).toMatchObject({ quotaFen: 600, quotaTargetFen: 500 })
  await recharge(id, 50)
  expect(await town.merchantOf(id)).toMatchObject({ quotaFen: 550, usedFen: 550 })
  await recharge(id, 200)
  expect(await town.merchantOf(id)).toMatchObject({ quotaFen: 500, usedFen: 350, balanceFen: 0 })
  const serial = await town.custom('/merchant/queryCreditSerialPage', { mchId: id })
  expect(serial.data.records.map(({ kind, amountFen }: any) => [kind, amountFen])).toEqual([
    [3, -200],
    [3, -50],
    [4, -50],
    [1, 50],
    [4, -500],
    [1, 1000],
  ])
  expect((await town.custom('/merchant/queryCreditPage', { quotaFenFrom: 500, quotaFenTo: 500 })).data.records[0]).toMatchObject({ id, usedFen: 350 })
  expect((await grant(id, 100)).data).toMatchObject({ quotaFen: 600, usedFen: 350, quotaTargetFen: null })
})

test('credit beyond what a merchant may have is refused in words of its own, at once or in two goes', async () => {
  const { id } = await town.merchant()
  const most = 10_000_000_000
  expect(await grant(id, most + 1)).toMatchObject({ status: 400, data: { zh: '「金额」不能大于 ¥100000000.00' } })
  expect((await grant(id, most)).data).toMatchObject({ quotaFen: most })
  const refused = await grant(id, 1)
  expect(refused).toMatchObject({ status: 422, code: 41732, message: '授信额度最多 ¥100000000.00，现为 ¥100000000.00' })
  expect(await town.merchantOf(id)).toMatchObject({ quotaFen: most, moves: 1 })
  await town.sql('update merchant.merchant set used_fen = 600 where id = $1', [id])
  await withdraw(id, most - 500, true)
  const two = await Promise.all([grant(id, most - 500), grant(id, most - 500)])
  expect(two.map(({ code }) => code).sort(), 'of what it comes to once it is repaid, and of two at once one').toEqual([200, 41732])
  expect((await withdraw(id, most - 600)).data).toMatchObject({ quotaFen: 600 })
})

test('state.merchant-status: it is deleted only when nothing is left, and changed only as it was seen', async () => {
  const one = await town.merchant({ balanceFen: 100 })
  const { version } = await town.merchantOf(one.id)
  expect(await town.custom('/merchant/delete', { id: one.id, version })).toMatchObject({ code: 41702 })
  const empty = await town.merchant()
  const changed = await town.custom('/merchant/update', { id: empty.id, version: empty.version, contact: '新联系人', settleMode: 2 })
  expect(changed.data).toMatchObject({ contact: '新联系人', settleMode: 2 })
  expect(await town.custom('/merchant/update', { id: empty.id, version: empty.version, contact: '晚了' })).toMatchObject({ status: 409 })
  const off = await town.custom('/merchant/updateStatus', { id: empty.id, version: changed.data.version, status: 2 })
  expect(off.data).toMatchObject({ status: 2 })
  expect((await town.custom('/merchant/delete', { id: empty.id, version: off.data.version })).status).toBe(200)
  expect((await town.custom('/merchant/queryPage', { mchNo: empty.mchNo })).data.total).toBe(0)
})

test('a sheet adds and changes by name, and comes out as it went in', async () => {
  const head = '名称,类型,联系人,手机,车场,结算方式,过期退回,备注'
  const send = (text: string) => sendSheet(town.server, town.admin, '/lbs/custom/merchant/import', text)
  expect((await send(`${head}\n表格甲,店铺,甲,13900000001,P001,面值,是,\n表格乙,酒店,乙,13900000002,P001,实抵,否,老客户`)).data).toMatchObject({
    added: 2,
  })
  expect((await send(`${head}\n表格甲,店铺,甲,13900000009,P001,面值,是,`)).data).toMatchObject({ changed: 1 })
  expect(
    (await town.custom('/merchant/queryPage', { name: '表格' })).data.records.map(({ name, settleMode, phone }: any) => [name, settleMode, phone]),
  ).toEqual([
    ['表格乙', 2, '13900000002'],
    ['表格甲', 1, '13900000009'],
  ])
})

test('a day is agreed on when it is over, as it was shown, once', async () => {
  const { id } = await town.merchant({ balanceFen: 900 })
  const page = async () => (await town.custom('/merchant/statement/page', { mchId: id })).data.records
  const [today] = await page()
  expect(today).toMatchObject({ openingFen: 0, rechargeFen: 900, closingFen: 900, balanceFen: 900, confirmedAt: null })
  const agree = (day: string, closingFen: number) => town.custom('/merchant/statement/confirm', { mchId: id, day, closingFen })
  expect(await agree(today.day, 900)).toMatchObject({ code: 41740 })
  await town.sql(
    `insert into merchant.movement (mch_id, kind, amount_fen, balance_fen, balance_after_fen, used_after_fen, held_after_fen, quota_after_fen, biz_no, at)
      values ($1, 1, 100, 100, 100, 0, 0, 0, 'SH1', now() - interval '1 day')`,
    [id],
  )
  const [now, before] = await page()
  expect(now).toMatchObject({ openingFen: 100, closingFen: 1000 })
  expect((await town.custom('/merchant/statement/day', { mchId: id, day: before.day })).data).toMatchObject({
    issued: 0,
    lines: [{ kind: 1, amountFen: 100 }],
    lineCount: 1,
  })
  expect(await agree(before.day, 99)).toMatchObject({ status: 409 })
  expect((await agree(before.day, 100)).data).toMatchObject({ closingFen: 100, confirmedBy: expect.any(String) })
  expect(await agree(before.day, 100)).toMatchObject({ code: 41741 })
})

test('a statement is what the movements of its day add up to and all before it, in whatever order they were written, and a page of them reads no movement', async () => {
  const [one, other] = [await town.merchant({ balanceFen: 900, creditFen: 500 }), await town.merchant({ settleMode: 2, balanceFen: 300 })]
  const moved = (id: string, daysAgo: number, kind: number, balance: number, held = 0, used = 0) =>
    town.sql(
      `insert into merchant.movement (mch_id, kind, amount_fen, balance_fen, held_fen, used_fen, balance_after_fen, used_after_fen, held_after_fen, quota_after_fen, biz_no, at)
        values ($1, $3, 1, $4, $5, $6, 0, 0, 0, 0, 'KEPT', now() - $2 * interval '1 day')`,
      [id, daysAgo, kind, balance, held, used],
    )
  for (const [id, sign] of [
    [one.id, 1],
    [other.id, 7],
  ])
    for (const [at, kind] of [3, 1, 9, 4, 2, 8, 5, 6, 7, 2, 4, 1].entries())
      await moved(id, (at * 5) % 4, kind, sign * (at + 1), kind === 6 ? 5 : 0, kind === 2 ? 3 : 0)
  const kept = await town.sql(`select * from merchant.statement where mch_id = any($1) order by mch_id, day`, [[one.id, other.id]])
  const added = await town.sql(ADDED_UP, [[one.id, other.id]])
  expect(kept).toHaveLength(8)
  expect(kept).toMatchObject(added)
  const plan = await town.sql('explain select * from merchant.statement order by day desc, id desc limit 20')
  expect(JSON.stringify(plan)).not.toMatch(/movement|Aggregate/)
  await expect(town.sql('insert into merchant.day select * from merchant.day limit 1')).rejects.toThrow(/permission denied/)
})
const NET = 'sum(balance_fen + held_fen - used_fen)'
const ofKind = (kind: number, sign = '') => `(${sign}${NET} filter (where kind = ${kind}))::bigint`
const ADDED_UP = `select mch_id, mch_id || '.' || day as id, day, (sum(${NET}) over days - ${NET})::bigint as opening_fen, ${ofKind(1)} as recharge_fen, ${ofKind(2, '-')} as bought_fen,
    ${ofKind(3)} as returned_fen, ${ofKind(4, '-')} as deducted_fen, ${ofKind(5)} as expired_back_fen, (sum(${NET}) over days)::bigint as closing_fen,
    (sum(sum(balance_fen)) over days)::bigint as balance_fen, (sum(sum(held_fen)) over days)::bigint as held_fen, (sum(sum(used_fen)) over days)::bigint as used_fen
  from merchant.movement where mch_id = any($1) group by mch_id, day window days as (partition by mch_id order by day) order by mch_id, day`

test('a park stays while a merchant has it: its money is in the books of that park', async () => {
  await town.codeOf('P009')
  const { data } = await town.custom('/merchant/add', { ...facts, name: '留场商户', parkCodes: ['P009'] })
  const remove = async () => {
    const [park] = await town.sql(`select id, version from parking.park where park_code = 'P009'`)
    return town.server.ask<any>(town.admin, 'POST', '/lbs/basic/parkInfo/delete', park)
  }
  expect(await remove()).toMatchObject({ code: 40011, message: '不能删除：有商户在使用该车场' })
  expect((await town.custom('/merchant/update', { id: data.id, version: 1, parkCodes: ['P001'] })).code).toBe(200)
  const order = await town.anOrder({ parkCode: 'P009' })
  expect(await remove()).toMatchObject({ code: 40011, message: '不能删除：有未支付订单' })
  expect((await town.call(town.admin, '/order/cancel', { id: order.id, reason: '开错' })).code).toBe(200)
  expect((await remove()).code).toBe(200)
})

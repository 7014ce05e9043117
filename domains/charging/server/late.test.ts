import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Instant } from '../../../platform/contract/field.ts'
import { run } from '../../../platform/server/database.ts'
import { RefundKind } from '../contract/order.ts'
import { ChargeStatus, StopReason } from '../contract/session.ts'
import { began, ended } from './api.ts'
import { adjust } from './bill.ts'
import { SUMS } from './income.ts'
import { lockWithMoney } from './hold.ts'
import { settleLate } from './late.ts'
import { overdue, sweepOne } from './sweep.ts'
import { anotherWho, aYard, driversOf, type Gun, type Yard } from './testing.ts'

/** What a pile tells after the bill: nobody gets back what was not paid, nobody pays less than is due, and each thing is settled once. */
let yard: Yard
beforeAll(async () => void (yard = await aYard()))
afterAll(() => yard.close())

const city = (time: string) => `2026-11-02T${time}:00+08:00` as Instant
interface Morning {
  gun: Gun
  orderNo: string
  transactionId: string
}
const { ask, pay, paidStart } = driversOf(() => yard)
const endedAt = (wh: number) => ({ meterWh: 100_000 + wh, reason: StopReason.user, at: city('10:00'), offline: false })
const end = ({ gun, transactionId }: Morning, wh: number, receivedAt: Instant) =>
  yard.write((tx) => ended(tx, { equipmentId: gun.equipmentId, transactionId, ...endedAt(wh), receivedAt }))
/** From nine to ten, at ten yuan for ten kilowatt hours. */
async function aMorning(wh: number, prepayFen: number, by?: { idTag: string }): Promise<Morning> {
  const gun = await yard.aGun()
  const idTag = by?.idTag ?? (await paidStart(gun, { prepayFen })).token
  const began_ = await yard.write((tx) =>
    began(tx, {
      connectorId: gun.connectorId,
      transactionId: null,
      idTag,
      meterWh: 100_000,
      at: city('09:00'),
      receivedAt: city('09:00'),
      offline: false,
    }),
  )
  const morning = { gun, orderNo: began_.orderNo!, transactionId: began_.transactionId }
  await end(morning, wh, city('10:00'))
  for (const one of await yard.write((tx) => overdue(tx, city('10:02')))) await yard.write((tx) => sweepOne(tx, one, city('10:02')))
  expect((await yard.charge(morning.orderNo)).status).toBe(ChargeStatus.done)
  return morning
}
const payables = async (orderNo: string) => (await yard.bills(orderNo)).map(({ payableFen }) => payableFen)
/** What came and stayed, refunds under way counted as gone; and what is still demanded. */
async function money(orderNo: string) {
  const [sums] = await yard.sql<any>(
    `select coalesce(sum(p.received_fen - p.refund_fen - p.refunding_fen), 0)::int as kept_fen, coalesce(sum(p.refunding_fen), 0)::int as refunding_fen from settlement.order o join settlement.payment p on p.enterprise_id = o.enterprise_id and p.order_id = o.id where o.credited_to = $1`,
    [orderNo],
  )
  const [owed] = await yard.sql<any>(
    `select coalesce(sum(arrears_fen), 0)::int as owed_fen from settlement.order where credited_to = $1 and status = 4`,
    [orderNo],
  )
  // The ledger keeps in advance what is on its way back, and nothing else.
  expect(await yard.prepaid(orderNo)).toBe(sums.refundingFen)
  return { keptFen: sums.keptFen as number, owedFen: owed.owedFen as number }
}
const left = async (orderNo: string) =>
  (await yard.sql<any>(`select note from charging.charge_move where order_no = $1 and event = 'tooMuchLeft' order by id`, [orderNo])).map(
    ({ note }) => note,
  )
const held = async (orderNo: string) => {
  const hold = await yard.hold(orderNo)
  expect(hold.holdFen).toBe(hold.capturedFen + hold.releasedFen + hold.openFen)
}

describe('what nobody paid', () => {
  test('a higher end that was let off and the first end again give no money back, however often they alternate', async () => {
    const morning = await aMorning(17_000, 2000)
    for (const [round, wh] of [34_000, 17_000, 34_000, 17_000, 34_000, 17_000].entries()) await end(morning, wh, city(`11:${10 + round}`))
    expect(await money(morning.orderNo)).toEqual({ keptFen: 1700, owedFen: 0 })
    expect(await payables(morning.orderNo)).toEqual([1700, 1700])
    await end(morning, 16_000, city('11:30'))
    expect(await payables(morning.orderNo)).toEqual([1700, 1700, -1800])
    expect(await money(morning.orderNo)).toEqual({ keptFen: 1600, owedFen: 0 })
    expect((await yard.replay()).right).toBe(true)
  })
  test('a debt that is open becomes less before any money goes back', async () => {
    const morning = await aMorning(50_000, 2000)
    expect(await money(morning.orderNo)).toEqual({ keptFen: 2000, owedFen: 3000 })
    await end(morning, 25_000, city('11:10'))
    expect(await money(morning.orderNo)).toEqual({ keptFen: 2000, owedFen: 500 })
    await end(morning, 15_000, city('11:20'))
    expect(await money(morning.orderNo)).toEqual({ keptFen: 1500, owedFen: 0 })
    expect(await payables(morning.orderNo)).toEqual([5000, -2500, -1000])
    await held(morning.orderNo)
    expect((await yard.replay()).right).toBe(true)
    const [sum] = await yard.write((tx) => run<any>(tx, { sql: `select ${SUMS} from charging.bill b where order_no = $1` }, [morning.orderNo]))
    expect(sum).toMatchObject({ receivableFen: 2000, paidFen: 2000, waivedFen: 0, arrearsFen: 0, refundFen: 500, netFen: 1500 })
  })
  test('a staff card that paid nothing is told of as nothing to give back', async () => {
    const idTag = await yard.aCard({ kind: 3 })
    const morning = await aMorning(20_000, 0, { idTag })
    for (const [round, wh] of [19_000, 18_000].entries()) await end(morning, wh, city(`11:1${round}`))
    expect(await left(morning.orderNo)).toEqual([])
    expect(await payables(morning.orderNo)).toEqual([2000, -100, -100])
  })
})

test('what goes back because a pile told it late is listed as an adjustment, beside the rest of the advance', async () => {
  const morning = await aMorning(20_000, 3000)
  await end(morning, 18_000, city('11:10'))
  const { records } = (await ask('/queryOrderRechargeRefund', { orderNo: morning.orderNo })).data
  expect(records.map(({ refundFen, refundKind }: any) => [refundFen, refundKind]).toSorted((a: number[], b: number[]) => a[0]! - b[0]!)).toEqual([
    [200, RefundKind.adjustment],
    [1000, RefundKind.rest],
  ])
})

describe('what people settled', () => {
  const refund = (orderNo: string, refundFen: number) => ask('/refund', { orderNo, refundFen, reason: '多计' })
  test('what a person gave back is not given back again; of more a person is told, once', async () => {
    const morning = await aMorning(50_000, 6000)
    expect((await refund(morning.orderNo, 1000)).code).toBe(200)
    await end(morning, 40_000, city('11:10'))
    expect(await money(morning.orderNo)).toEqual({ keptFen: 4000, owedFen: 0 })
    expect(await left(morning.orderNo)).toEqual([])
    for (const receivedAt of ['11:20', '11:21', '11:22']) {
      await end(morning, 38_000, city(receivedAt))
      await yard.write(async (tx) => settleLate(tx, await lockWithMoney(tx, morning.orderNo), city(receivedAt)))
    }
    expect(await payables(morning.orderNo)).toEqual([5000, -1000])
    expect(await left(morning.orderNo)).toEqual(['2.00'])
  })
  test('of what was given back whole nothing is left to see to', async () => {
    const morning = await aMorning(20_000, 2000)
    expect((await refund(morning.orderNo, 2000)).code).toBe(200)
    for (const [round, wh] of [19_000, 18_000].entries()) await end(morning, wh, city(`11:1${round}`))
    expect(await left(morning.orderNo)).toEqual([])
    expect(await money(morning.orderNo)).toEqual({ keptFen: 0, owedFen: 0 })
  })
  test('a figure that was agreed with a partner or a company is not lowered again by what the pile tells', async () => {
    const morning = await aMorning(20_000, 0, { idTag: await yard.aCard({ kind: 2, unit: '对账公司', creditFen: 100_000 }) })
    await yard.write(async (tx) => adjust(tx, await lockWithMoney(tx, morning.orderNo), -200, '对方为准（对账）', city('10:30')))
    await end(morning, 18_000, city('11:10'))
    expect(await payables(morning.orderNo)).toEqual([2000, -200])
    expect(await left(morning.orderNo)).toEqual([])
  })
})

describe('what was billed too little', () => {
  test('by a partner’s own figure is not billed again when the pile tells it too, only what goes beyond it', async () => {
    const morning = await aMorning(10_000, 0, { idTag: await yard.aCard({ kind: 3 }) })
    const { orderNo } = morning
    const [platform] = await yard.sql<{ id: string }>(
      `insert into charging.platform (name, operator_id, role) values ('对账平台', 'PT0000001', 1) returning id`,
    )
    await yard.sql('update charging.charge set platform_id = $2, card_no = null where order_no = $1', [orderNo, platform!.id])
    const [difference] = await yard.sql<any>(
      `insert into charging.partner_difference (platform_id, month, day, kind, start_charge_seq, order_no, our_fen, their_fen) values ($1, '2026-11', '2026-11-02', 4, 'S1', $2, 1000, 1200) returning id, version`,
      [platform!.id, orderNo],
    )
    const decide = (token: string, path: string, body: object) => yard.server.ask<any>(token, 'POST', `/lbs/charging/statement/${path}`, body)
    const { data } = await decide(yard.admin, 'settleDifference', { ...difference, closing: 2, reason: '按对方' })
    const { id, version } = data
    expect(
      (await decide(await anotherWho(yard, 'StatementScreen', 'charging:statement:edit'), 'decideDifference', { id, version, pass: true })).data,
    ).toMatchObject({ state: 2 })
    expect(await payables(orderNo)).toEqual([1000, 200])
    await end(morning, 12_000, city('11:10'))
    await end(morning, 11_000, city('11:20'))
    expect(await payables(orderNo)).toEqual([1000, 200])
    for (const receivedAt of ['11:30', '11:31'] as const) {
      await end(morning, 13_000, city(receivedAt))
      await yard.write(async (tx) => settleLate(tx, await lockWithMoney(tx, orderNo), city(receivedAt)))
    }
    expect(await payables(orderNo)).toEqual([1000, 200, 100])
    expect((await yard.replay()).right).toBe(true)
  })
  test('by a person’s hand neither', async () => {
    const morning = await aMorning(10_000, 0, { idTag: await yard.aCard({ kind: 2, unit: '补收公司', creditFen: 100_000 }) })
    expect((await ask('/adjust', { orderNo: morning.orderNo, adjustFen: 300, reason: '漏计' })).code).toBe(200)
    await end(morning, 13_000, city('11:10'))
    expect(await payables(morning.orderNo)).toEqual([1000, 300])
  })
})

describe('what is paid in two ways, or just now', () => {
  const debtOf = async (orderNo: string) =>
    (await yard.sql<any>('select * from settlement.order where credited_to = $1 and owed order by id desc limit 1', [orderNo]))[0]
  const owesOf = async (unit: string) =>
    (
      await yard.sql<any>(
        `select coalesce(sum(debit_fen - credit_fen), 0)::int as fen from ledger.balance where account = 'asset.partner' and sub = $1`,
        [`unit:${unit}`],
      )
    )[0].fen

  test('of a company’s charge the cash that paid what its credit did not reach goes back first, then what the company owes becomes less', async () => {
    const unit = '现金公司'
    const morning = await aMorning(15_000, 0, { idTag: await yard.aCard({ kind: 2, unit, creditFen: 1_000 }) })
    const { orderNo } = morning
    await pay((await debtOf(orderNo)).id, 500)
    expect([await money(orderNo), await owesOf(unit)]).toEqual([{ keptFen: 500, owedFen: 0 }, 1_000])
    await end(morning, 12_000, city('11:10'))
    expect([await money(orderNo), await owesOf(unit)]).toEqual([{ keptFen: 200, owedFen: 0 }, 1_000])
    await end(morning, 8_000, city('11:20'))
    expect([await money(orderNo), await owesOf(unit)]).toEqual([{ keptFen: 0, owedFen: 0 }, 800])
    await end(morning, 7_000, city('11:30'))
    expect([await money(orderNo), await owesOf(unit)]).toEqual([{ keptFen: 0, owedFen: 0 }, 700])
    expect((await payables(orderNo)).reduce((sum, fen) => sum + fen, 0)).toBe(700)
    expect(await left(orderNo)).toEqual([])
    expect((await yard.replay()).right).toBe(true)
  })
  test('what a person gives back of a company’s charge is the cash, and not off what the company owes', async () => {
    const unit = '退现公司'
    const { orderNo } = await aMorning(15_000, 0, { idTag: await yard.aCard({ kind: 2, unit, creditFen: 1_000 }) })
    await pay((await debtOf(orderNo)).id, 500)
    expect((await ask('/refund', { orderNo, refundFen: 300, reason: '投诉' })).code).toBe(200)
    expect([await money(orderNo), await owesOf(unit)]).toEqual([{ keptFen: 200, owedFen: 0 }, 1_000])
    expect((await yard.replay()).right).toBe(true)
  })
  test('a debt that somebody is paying is not changed under their hands: a person is told, and once it is paid it goes back', async () => {
    const morning = await aMorning(50_000, 2000)
    const { orderNo } = morning
    const paying = await yard.startPaying(await debtOf(orderNo))
    await end(morning, 25_000, city('11:10'))
    expect(await payables(orderNo)).toEqual([5000])
    expect(await left(orderNo)).toEqual(['25.00'])
    await yard.notify(paying)
    expect(await money(orderNo)).toEqual({ keptFen: 5000, owedFen: 0 })
    await yard.write(async (tx) => settleLate(tx, await lockWithMoney(tx, orderNo), city('11:20')))
    expect(await payables(orderNo)).toEqual([5000, -2500])
    expect(await money(orderNo)).toEqual({ keptFen: 2500, owedFen: 0 })
    expect((await yard.replay()).right).toBe(true)
  })
})

test('in whatever order ends are told and repeated, nobody keeps less than is due and no end counts twice', async () => {
  const kWh = fc.constantFrom(8, 12, 16, 20, 25, 30, 50)
  await fc.assert(
    fc.asyncProperty(kWh, fc.array(kWh, { minLength: 1, maxLength: 6 }), async (first, told) => {
      const morning = await aMorning(first * 1000, 2000)
      let minute = 10
      const tell = (wh: number) => end(morning, wh * 1000, city(`11:${minute++}`))
      for (const wh of told) await tell(wh)
      const { keptFen, owedFen } = await money(morning.orderNo)
      const lowestFen = Math.min(first, ...told) * 100
      expect(keptFen).toBeGreaterThanOrEqual(Math.min(2000, lowestFen))
      expect(keptFen).toBeLessThanOrEqual(2000)
      expect(keptFen + owedFen).toBeGreaterThanOrEqual(lowestFen)
      await held(morning.orderNo)
      const billed = await payables(morning.orderNo)
      for (const wh of [first, ...told].toReversed()) await tell(wh)
      expect(await payables(morning.orderNo)).toEqual(billed)
      expect(await money(morning.orderNo)).toEqual({ keptFen, owedFen })
    }),
    { numRuns: 8 },
  )
  expect((await yard.replay()).right).toBe(true)
}, 60_000)

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { register } from '../../owner/server/api.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { BillKind, HoldState, PaidBy } from '../contract/money.ts'
import { ChargeStatus, StartMode, StopReason } from '../contract/session.ts'
import { askStart, authorise } from './api.ts'
import { at, aYard, driversOf, now, pilesOf, type Yard } from './testing.ts'

let yard: Yard
beforeAll(async () => void (yard = await aYard()))
afterAll(() => yard.close())

const { begin, meter, end, plug } = pilesOf(() => yard)
const { pay, paidStart, pass, ask, conserved } = driversOf(() => yard)

describe('paid in advance', () => {
  test('a charge is billed at what was shown, and the rest goes back', async () => {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun)
    await plug(gun, 0, ConnectorStatus.plugged, 'Preparing')
    const { transactionId, authorised } = await begin(gun, { idTag: token })
    expect(authorised).toEqual({ accepted: true, orderNo })
    await meter(gun, transactionId, 10, 10_000, 60_000)
    const shown = await yard.charge(orderNo)
    expect(shown).toMatchObject({ status: ChargeStatus.charging, energyWh: 10_000, elecFen: 600, serviceFen: 400, costFen: 1000 })
    await end(gun, transactionId, 12, 10_000)
    await pass(13)
    expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.done, costFen: shown.costFen })
    const [bill] = await yard.bills(orderNo)
    expect(bill).toMatchObject({ kind: BillKind.charge, payableFen: 1000, capturedFen: 1000, shortfallFen: 0, paidBy: PaidBy.prepaid })
    // The car still stands there: what the bay may cost waits.
    expect(await conserved(orderNo)).toMatchObject({ state: HoldState.held, releasedFen: 2000, openFen: 2000 })
    await plug(gun, 40, ConnectorStatus.free, 'Available')
    const bills = await yard.bills(orderNo)
    expect(bills[1]).toMatchObject({ kind: BillKind.occupancy, occupyFen: 650, capturedFen: 650 })
    expect(await conserved(orderNo)).toMatchObject({ state: HoldState.settled, capturedFen: 1650, releasedFen: 3350, openFen: 0 })
    // Refunds of cash are paid out by hand; until then the ledger has what is to go back.
    expect(await yard.prepaid(orderNo)).toBe(3350)
    expect((await yard.replay()).right).toBe(true)
  })

  test('what the hold does not cover is a debt: nothing starts until it is paid', async () => {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun, { plateNo: '鄂A00230' })
    const { transactionId } = await begin(gun, { idTag: token })
    await end(gun, transactionId, 60, 52_300)
    await plug(gun, 61, ConnectorStatus.free, 'Available')
    await pass(62)
    const [bill] = await yard.bills(orderNo)
    expect(bill).toMatchObject({ payableFen: 5230, capturedFen: 5000, shortfallFen: 230, arrearsFen: 230 })
    const [debt] = await yard.sql<any>('select * from arrears.record where order_id = $1', [bill.settlementId])
    expect(debt).toMatchObject({ amountFen: 230, sourceType: 8 })
    expect(await yard.prepaid(orderNo)).toBe(0)
    const next = await yard.aGun()
    await expect(paidStart(next, { plateNo: '鄂A00230' })).rejects.toMatchObject({ code: 41307 })
    const [lane] = await yard.sql<any>(`select 1 from arrears.file where plate_no = '鄂A00230' and source_type <> 8`)
    expect(lane).toBeUndefined()
  })

  test('a shortfall of a hundred fen is let off at once', async () => {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun, { plateNo: '鄂A00100' })
    const { transactionId } = await begin(gun, { idTag: token })
    await end(gun, transactionId, 60, 51_000)
    await pass(62)
    expect((await yard.bills(orderNo))[0]).toMatchObject({ payableFen: 5100, capturedFen: 5000, waivedFen: 100, arrearsFen: 0 })
  })

  test('two scans of one gun: one charge, and the other’s money goes back whole', async () => {
    const gun = await yard.aGun()
    const ask = (plateNo: string) =>
      yard.write((tx) =>
        askStart(tx, { connectorId: gun.connectorId, startMode: StartMode.scan, pays: 'prepaid', prepayFen: 5000, plateNo, at: now() }),
      )
    const both = await Promise.all([ask('鄂A00011'), ask('鄂A00012')])
    await Promise.all(both.map(({ hold }) => pay(hold!.settlementId!, 5000)))
    const states = (await Promise.all(both.map(({ charge }) => yard.charge(charge.orderNo)))).map(({ status, claimed }) => ({ status, claimed }))
    expect(states.toSorted((a, b) => a.status - b.status)).toEqual([
      { status: ChargeStatus.waiting, claimed: true },
      { status: ChargeStatus.cancelled, claimed: false },
    ])
    const holds = await Promise.all(both.map(({ charge }) => conserved(charge.orderNo)))
    expect(holds.map(({ releasedFen }) => releasedFen).toSorted((a, b) => a - b)).toEqual([0, 5000])
  })

  test('it is stopped before it costs more than what is held', async () => {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun, { prepayFen: 2000, plateNo: '鄂A00020' })
    const { transactionId } = await begin(gun, { idTag: token })
    await meter(gun, transactionId, 10, 17_900, 120_000)
    expect((await yard.charge(orderNo)).status).toBe(ChargeStatus.charging)
    await meter(gun, transactionId, 11, 18_100, 120_000)
    expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.stopping, stopReason: StopReason.outOfMoney })
  })

  test('accepted and never begun: after a minute it failed and the money goes back; a start that comes then is stopped', async () => {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun, { plateNo: '鄂A00060' })
    await pass(1)
    expect((await yard.charge(orderNo)).status).toBe(ChargeStatus.starting)
    await pass(2)
    expect((await yard.charge(orderNo)).status).toBe(ChargeStatus.failed)
    expect(await conserved(orderNo)).toMatchObject({ state: HoldState.released, releasedFen: 5000 })
    const late = await begin(gun, { idTag: token, at: at(3), receivedAt: at(3) })
    expect(late.authorised.accepted).toBe(false)
    expect((await yard.charge(orderNo)).status).toBe(ChargeStatus.abnormal)
  })
})

describe('at the pile', () => {
  test('a card of a company charges on its credit, one charge at a time', async () => {
    const gun = await yard.aGun()
    const card = await yard.aCard({ kind: 2, unit: '城东物流', creditFen: 6000 })
    const { transactionId, orderNo } = await begin(gun, { idTag: card })
    const who = { equipmentId: gun.equipmentId, idTag: card, at: at(1) }
    expect(await yard.write((tx) => authorise(tx, who))).toEqual({ accepted: false, why: 'ConcurrentTx' })
    await end(gun, transactionId, 30, 30_000)
    await plug(gun, 31, ConnectorStatus.free, 'Available')
    await pass(32)
    expect((await yard.bills(orderNo!))[0]).toMatchObject({ payableFen: 3000, capturedFen: 3000, paidBy: PaidBy.credit })
    expect(await conserved(orderNo!)).toMatchObject({ capturedFen: 3000, releasedFen: 2000 })
    const [owes] = await yard.sql<any>(
      `select sum(debit_fen - credit_fen)::bigint as fen from ledger.balance where account = 'asset.partner' and sub = 'unit:城东物流'`,
    )
    expect(Number(owes.fen)).toBe(3000)
    expect(await yard.write((tx) => authorise(tx, who))).toEqual({ accepted: true, orderNo: null })
  })

  test('an unknown card is refused, and its transaction still has a number', async () => {
    const gun = await yard.aGun()
    expect(await begin(gun, { idTag: 'BAD0001' })).toMatchObject({
      orderNo: null,
      authorised: { accepted: false, why: 'Invalid' },
      transactionId: expect.stringMatching(/^[1-9]\d*$/),
    })
  })

  test('staff charge for nothing, and what it was worth stands in the books', async () => {
    const gun = await yard.aGun()
    const { transactionId, orderNo } = await begin(gun, { idTag: await yard.aCard({ kind: 3 }) })
    await end(gun, transactionId, 30, 10_000)
    await pass(31)
    expect((await yard.bills(orderNo!))[0]).toMatchObject({ payableFen: 1000, waivedFen: 1000, paidBy: PaidBy.waived })
  })

  test('stored value is frozen as far as it goes, and spent', async () => {
    const ownerId = await yard.write(async (tx) => (await register(tx, { phone: '13700000001', nickname: '李明', at: now() })).id as string)
    await yard.server.ask(yard.admin, 'POST', '/lbs/custom/owner/account/recharge', { ownerId, payFen: 3000, payMethod: 4 })
    const gun = await yard.aGun()
    const { transactionId, orderNo } = await begin(gun, { idTag: await yard.aCard({ kind: 1, ownerId }) })
    expect(await yard.hold(orderNo!)).toMatchObject({ payer: '李明', holdFen: 3000, openFen: 3000, accountId: ownerId })
    await end(gun, transactionId, 30, 10_000)
    await plug(gun, 31, ConnectorStatus.free, 'Available')
    await pass(32)
    expect(await conserved(orderNo!)).toMatchObject({ holdFen: 3000, capturedFen: 1000, releasedFen: 2000 })
    expect(await yard.prepaid(orderNo!)).toBe(0)
  })

  test('a card of somebody who is no owner here charges nothing', async () => {
    const gun = await yard.aGun()
    const card = await yard.aCard({ kind: 1, ownerId: 'nobody' })
    expect(await begin(gun, { idTag: card })).toMatchObject({ orderNo: null, authorised: { accepted: false, why: 'Blocked' } })
    const asked = { connectorId: gun.connectorId, startMode: StartMode.console, pays: 'stored', ownerId: 'nobody', at: now() } as const
    await expect(yard.write((tx) => askStart(tx, asked))).rejects.toMatchObject({ code: 41310 })
  })

  test('told again, a begin is the same transaction and an end the same bill', async () => {
    const gun = await yard.aGun()
    const card = await yard.aCard({ kind: 3 })
    const first = await begin(gun, { idTag: card })
    expect(await begin(gun, { idTag: card })).toMatchObject({ transactionId: first.transactionId, orderNo: first.orderNo })
    await end(gun, first.transactionId, 30, 10_000)
    await end(gun, first.transactionId, 30, 10_000)
    await pass(31)
    await end(gun, first.transactionId, 30, 10_000)
    expect(await yard.bills(first.orderNo!)).toHaveLength(1)
  })

  test('what a pile tells after the bill is a bill of its own, and the old one stays as it was', async () => {
    const gun = await yard.aGun()
    const { transactionId, orderNo } = await begin(gun, { idTag: await yard.aCard({ kind: 3 }) })
    await end(gun, transactionId, 30, 10_000)
    await pass(31)
    const [before] = await yard.bills(orderNo!)
    await end(gun, transactionId, 31, 10_400, { receivedAt: at(4 * 1440) })
    const bills = await yard.bills(orderNo!)
    expect(bills[0]).toEqual(before)
    expect(bills[1]).toMatchObject({ kind: BillKind.adjustment, payableFen: 40, waivedFen: 40, arrearsFen: 0 })
  })

  test('what was billed too little on a company’s card is the company’s, past its credit too; then nothing more begins', async () => {
    const gun = await yard.aGun()
    const idTag = await yard.aCard({ kind: 2, unit: '城运公司', creditFen: 1_000 })
    const { transactionId, orderNo } = await begin(gun, { idTag })
    await end(gun, transactionId, 30, 10_000)
    await pass(31)
    await end(gun, transactionId, 31, 10_400, { receivedAt: at(4 * 1440) })
    expect((await yard.bills(orderNo!))[1]).toMatchObject({ payableFen: 40, capturedFen: 40, waivedFen: 0, arrearsFen: 0, paidBy: PaidBy.credit })
    const owes = await yard.sql<any>(
      `select sum(debit_fen - credit_fen)::int as fen from ledger.balance where account = 'asset.partner' and sub = 'unit:城运公司'`,
    )
    expect(owes).toEqual([{ fen: 1_040 }])
    expect(await conserved(orderNo!)).toMatchObject({ holdFen: 40, capturedFen: 40, payer: '城运公司' })
    expect(await yard.prepaid(orderNo!)).toBe(0)
    expect(await begin(await yard.aGun(), { idTag })).toMatchObject({ orderNo: null, authorised: { accepted: false } })
    expect((await yard.replay()).right).toBe(true)
  })

  test('charged off line: the end with -1 finds its charge, at the price of its beginning', async () => {
    const gun = await yard.aGun()
    const card = await yard.aCard({ kind: 3 })
    const { orderNo } = await begin(gun, { idTag: card, offline: true, receivedAt: at(300) })
    expect(await yard.charge(orderNo!)).toMatchObject({ startMode: StartMode.offline })
    await end(gun, '-1', 60, 20_000, { connectorId: gun.connectorId, idTag: card, offline: true, receivedAt: at(301) })
    await pass(302)
    expect(await yard.charge(orderNo!)).toMatchObject({ status: ChargeStatus.done, energyWh: 20_000 })
  })

  test('an end of nothing we know is taken and kept apart', async () => {
    const gun = await yard.aGun()
    expect(await end(gun, '999999', 60, 20_000)).toEqual({ orderNo: null })
    await end(gun, '999999', 60, 20_000)
    const orphans = await yard.sql<any>('select * from charging.orphan where equipment_id = $1', [gun.equipmentId])
    expect(orphans).toHaveLength(1)
  })

  test('after a power cut the register of the boot is the end, and the rest goes back', async () => {
    const gun = await yard.aGun()
    const { transactionId, orderNo } = await begin(gun, { idTag: await yard.aCard({ kind: 2, unit: '停电公司', creditFen: 9000 }) })
    await plug(gun, 1, ConnectorStatus.charging, 'Charging')
    await meter(gun, transactionId, 10, 8_000, 48_000)
    await yard.sql('update charging.pile_state set boot_at = $2, connected_at = $2 where equipment_id = $1', [gun.equipmentId, at(20)])
    await meter(gun, transactionId, 21, 9_000)
    await plug(gun, 22, ConnectorStatus.free, 'Available')
    await pass(30)
    expect((await yard.charge(orderNo!)).status).toBe(ChargeStatus.charging)
    await pass(38)
    expect(await yard.charge(orderNo!)).toMatchObject({ status: ChargeStatus.billing, stopReason: StopReason.powerCut })
    await pass(39)
    expect((await yard.bills(orderNo!))[0]).toMatchObject({ payableFen: 900 })
    expect((await conserved(orderNo!)).openFen).toBe(0)
  })

  test('an end alone beside a nought that its meter cannot have shown is no charge of nothing: a person looks at it', async () => {
    const gun = await yard.aGun()
    const { transactionId, orderNo } = await begin(gun, { idTag: await yard.aCard({ kind: 3 }), meterWh: 0 })
    await end(gun, transactionId, 2, 7_790)
    await pass(3)
    expect(await yard.charge(orderNo!)).toMatchObject({ status: ChargeStatus.abnormal, startWh: 0, endWh: 107_790 })
    const told = async () => (await yard.server.ask(yard.admin, 'POST', '/lbs/charging/pc/charge/recordDetail', { orderNo })).data
    expect(await told()).toMatchObject({ baseWh: null, bills: [] })
    await meter(gun, transactionId, 1, 7_700)
    expect(await told()).toMatchObject({ startWh: 0, baseWh: 107_700 })
  })

  test('more than the gun can give is looked at by a person', async () => {
    const gun = await yard.aGun()
    const { transactionId, orderNo } = await begin(gun, { idTag: await yard.aCard({ kind: 3 }) })
    await meter(gun, transactionId, 10, 9_000)
    await end(gun, transactionId, 12, 900_000)
    await pass(13)
    expect(await yard.charge(orderNo!)).toMatchObject({ status: ChargeStatus.abnormal })
    expect(await yard.bills(orderNo!)).toEqual([])
  })
})

describe('at the desk', () => {
  const look = (path: string, query: object) => yard.server.ask<any>(yard.admin, 'GET', `/lbs/charging/pc/charge${path}`, query)
  async function aDone(plateNo: string) {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun, { plateNo })
    const { transactionId } = await begin(gun, { idTag: token })
    await meter(gun, transactionId, 10, 10_000)
    await end(gun, transactionId, 20, 30_000)
    await pass(21)
    return orderNo
  }
  test('lists, sums and stories say the same', async () => {
    const orderNo = await aDone('鄂A00500')
    const [record] = (await ask('/recordList', { orderNo })).data.records
    const [bill] = (await ask('/tradeRecordList', { orderNo })).data.records
    expect(record.costFen).toBe(bill.payableFen)
    const story = (await ask('/recordDetail', { orderNo })).data
    expect(story.moves.map(({ event }: any) => event)).toEqual(['opened', 'paid', 'accepted', 'began', 'ended', 'billed'])
    expect(story.lines.reduce((sum: number, line: any) => sum + line.elecFen + line.serviceFen, 0)).toBe(3000)
    expect((await look('/tradeDetail', { billNo: bill.billNo })).data.entries.length).toBeGreaterThan(2)
    const sum = (await ask('/queryOrderRechargeSum', { orderNo })).data
    expect(sum).toMatchObject({ count: 1, holdFen: 5000, capturedFen: 3000, releasedFen: 2000, openFen: 0 })
    const [refund] = (await ask('/queryOrderRechargeRefund', { orderNo })).data.records
    expect(refund.holdFen).toBe(refund.usedFen + refund.refundFen)
    expect((await ask('/queryOrderRechargeRefundSum', { orderNo })).data).toMatchObject({
      count: 1,
      refundFen: 2000,
      byState: [{ count: 1, refundFen: 2000 }],
    })
  })
  test('a little goes back at once, much by another person, and no more than was paid', async () => {
    const orderNo = await aDone('鄂A00501')
    const told = async () => ((of) => [of.refundableFen, of.refunds.length])((await ask('/recordDetail', { orderNo })).data)
    expect(await told()).toEqual([3000, 1])
    expect((await ask('/adjust', { orderNo, adjustFen: -500, reason: '电表误差' })).data).toMatchObject({
      kind: BillKind.adjustment,
      payableFen: -500,
    })
    expect((await ask('/refund', { orderNo, refundFen: 2500, reason: '投诉' })).data).toMatchObject({ payableFen: -2500 })
    expect(await told()).toEqual([0, 3])
    const refunds = (await ask('/queryOrderRechargeRefund', { orderNo })).data.records
    expect(refunds.map(({ state, refundFen }: any) => [refundFen, state]).toSorted((a: number[], b: number[]) => a[0]! - b[0]!)).toEqual([
      [500, 1],
      [2000, 1],
      [2500, 0],
    ])
    expect(refunds.map(({ refundKind, refundFen }: any) => [refundFen, refundKind]).toSorted((a: number[], b: number[]) => a[0]! - b[0]!)).toEqual([
      [500, 2],
      [2000, 1],
      [2500, 2],
    ])
    expect(refunds.find(({ refundFen }: any) => refundFen === 500).applicant).not.toBe('系统')
    // Each says of its charge what the dialog of a refund says: what was prepaid, and what the bills took of it.
    for (const { holdFen, usedFen } of refunds) expect([holdFen, usedFen]).toEqual([5000, 3000])
    expect((await ask('/queryOrderRechargeRefundSum', { orderNo })).data).toMatchObject({ count: 3, refundFen: 5000 })
    expect((await ask('/refund', { orderNo, refundFen: 1, reason: '再来' })).code).toBe(41342)
    expect((await yard.replay()).right).toBe(true)
  })
  test('a person ends what waits for one, and names its car', async () => {
    const gun = await yard.aGun()
    const { transactionId, orderNo } = await begin(gun, { idTag: await yard.aCard({ kind: 3 }) })
    await meter(gun, transactionId, 10, 9_000)
    await end(gun, transactionId, 12, 900_000)
    await pass(13)
    expect((await ask('/close', { orderNo, reason: '按最后底度' })).data).toMatchObject({ status: ChargeStatus.billing, endWh: 109_000 })
    expect(await ask('/bindPlate', { orderNo, plateNo: 'BADPLATE', plateColor: 4 })).toMatchObject({ status: 422 })
    expect((await ask('/bindPlate', { orderNo, plateNo: '鄂A00777', plateColor: 4 })).data.plateNo).toBe('鄂A00777')
    expect((await ask('/orphans', {})).code).toBe(200)
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { register } from '../../owner/server/api.ts'
import { BillKind, HoldState, PaidBy } from '../contract/money.ts'
import { ChargeStatus, StopReason } from '../contract/session.ts'
import { at, aYard, driversOf, type Gun, inMinutes, now, pilesOf, type Yard } from './testing.ts'
import { Waits } from '../contract/why.ts'

/** What cannot be billed by itself waits for a person, who is told; the money that was set aside for it does not wait for ever. */
let yard: Yard
beforeAll(async () => void (yard = await aYard()))
afterAll(() => yard.close())

const { begin, beginAt, end, meter, plug } = pilesOf(() => yard)
const { paidStart, passBy, pass, company, ask, conserved } = driversOf(() => yard)
const DAY_MIN = 24 * 60

/** Charged off line by a card where no price was in force: 20 kWh, ended, and not billed. */
async function unpriced(idTag: string) {
  const gun = await yard.aGun()
  await yard.sql(`update charging.station_price set to_at = from_at + interval '1 minute'`)
  try {
    const { orderNo, transactionId } = await begin(gun, { idTag, at: at(0), receivedAt: at(90), offline: true })
    await end(gun, transactionId, 60, 20_000, { receivedAt: at(91), offline: true })
    await pass(93)
    expect(await yard.charge(orderNo!)).toMatchObject({ status: ChargeStatus.abnormal, energyWh: 20_000 })
    return { gun, orderNo: orderNo!, transactionId }
  } finally {
    await yard.sql('update charging.station_price set to_at = null')
  }
}
/** Ended by a reading that cannot be. */
async function unbelieved(idTag: string) {
  const gun = await yard.aGun()
  const { orderNo, transactionId } = await begin(gun, { idTag })
  await end(gun, transactionId, 10, 900_000)
  await pass(11)
  return { gun, orderNo: orderNo!, transactionId }
}
const noPrices = async (work: () => Promise<unknown>) => {
  await yard.sql(`update charging.station_price set to_at = from_at + interval '1 minute'`)
  await work().finally(() => yard.sql('update charging.station_price set to_at = null'))
}
const unread = (orderNo: string) =>
  yard.sql<any>('select title, content from message.record where link = $1 and send_state = 2 and read_state = 0', [
    `/recharge/chargingOrder/use/${orderNo}`,
  ])
const billsAndOpen = async (orderNo: string) => ({
  paid: (await yard.bills(orderNo)).map(({ payableFen, capturedFen, paidBy }) => [payableFen, capturedFen, paidBy]),
  openFen: (await conserved(orderNo)).openFen,
})

describe('a charge off line without a price', () => {
  test('is told to whoever may close it, once, and stands in the list with its reason; priced, it is billed and asked for no more', async () => {
    const { gun, orderNo, transactionId } = await unpriced(await company())
    const told = await unread(orderNo)
    expect(told.length).toBeGreaterThan(0)
    expect(told[0]).toMatchObject({ title: expect.stringContaining('待人工处理'), content: expect.stringContaining('价格表') })
    await end(gun, transactionId, 60, 20_000, { receivedAt: at(95), offline: true })
    await pass(96)
    expect(await unread(orderNo)).toHaveLength(told.length)
    const [row] = (await ask('/recordList', { orderNo, status: [ChargeStatus.abnormal] })).data.records
    expect(row).toMatchObject({ failReason: expect.stringContaining('价格表') })
    expect((await ask('/close', { orderNo, reason: '按现行价格' })).code).toBe(200)
    await passBy(inMinutes(11))
    expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.done, failReason: null })
    expect(await billsAndOpen(orderNo)).toEqual({ paid: [[2_000, 2_000, PaidBy.credit]], openFen: 0 })
    expect(await unread(orderNo)).toEqual([])
  })
  test('is let go where there is no price to this day: closed at its first reading, all of the money is free again', async () => {
    const { orderNo } = await unpriced(await company())
    await noPrices(async () => {
      expect(await ask('/close', { orderNo, reason: '核对' })).toMatchObject({ code: 41306 })
      expect(await ask('/close', { orderNo, endWh: 101_000, reason: '核对' })).toMatchObject({ code: 41306 })
      expect((await ask('/close', { orderNo, endWh: 100_000, reason: '免费' })).code).toBe(200)
      await passBy(inMinutes(11))
    })
    expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.done, energyWh: 0 })
    expect(await billsAndOpen(orderNo)).toEqual({ paid: [[0, 0, PaidBy.nothing]], openFen: 0 })
    expect(await unread(orderNo)).toEqual([])
  })
  test('holds nobody’s money longer than a week; what is billed later is taken from where it was set aside', async () => {
    const ownerId = await yard.write(async (tx) => (await register(tx, { phone: '13700000077', nickname: '陈工', at: now() })).id as string)
    await yard.server.ask(yard.admin, 'POST', '/lbs/custom/owner/account/recharge', { ownerId, payFen: 8000, payMethod: 4 })
    const charges = [await unpriced(await yard.aCard({ kind: 1, ownerId })), await unpriced(await company())]
    await pass(90 + 7 * DAY_MIN - 1)
    for (const { orderNo } of charges)
      expect(await conserved(orderNo)).toMatchObject({ state: HoldState.held, openFen: expect.toSatisfy((fen: number) => fen > 0) })
    for (const _ of [1, 2]) await pass(90 + 7 * DAY_MIN + 1)
    for (const { orderNo } of charges) {
      const held = await conserved(orderNo)
      expect(held).toMatchObject({ state: HoldState.released, releasedFen: held.holdFen, openFen: 0 })
      expect((await yard.charge(orderNo)).status).toBe(ChargeStatus.abnormal)
      expect((await ask('/recordDetail', { orderNo })).data.moves.filter(({ event }: any) => event === 'holdReturned')).toHaveLength(1)
      expect((await ask('/close', { orderNo, reason: '补价' })).code).toBe(200)
      await passBy(inMinutes(11))
    }
    expect(await billsAndOpen(charges[0]!.orderNo)).toEqual({ paid: [[2_000, 2_000, PaidBy.stored]], openFen: 0 })
    expect(await billsAndOpen(charges[1]!.orderNo)).toEqual({ paid: [[2_000, 2_000, PaidBy.credit]], openFen: 0 })
    expect((await yard.replay()).right).toBe(true)
  })
})

test('an end that comes after the money went back is billed by itself, a company’s to its account', async () => {
  const { gun, orderNo, transactionId } = await unbelieved(await company())
  await pass(11 + 7 * DAY_MIN)
  expect(await conserved(orderNo)).toMatchObject({ state: HoldState.released })
  await end(gun, transactionId, 10, 10_000, { receivedAt: at(12 + 7 * DAY_MIN) })
  await pass(13 + 7 * DAY_MIN)
  expect(await billsAndOpen(orderNo)).toEqual({ paid: [[1_000, 1_000, PaidBy.credit]], openFen: 0 })
  expect(await unread(orderNo)).toEqual([])
  expect((await yard.replay()).right).toBe(true)
})

test('a charge whose end cannot be is told too, and what was paid for it in advance goes back after a week', async () => {
  const gun = await yard.aGun()
  const { orderNo, token } = await paidStart(gun)
  const began = new Date(Date.now() - 3_600_000).toISOString() as ReturnType<typeof now>
  const { transactionId } = await begin(gun, { idTag: token, at: began, receivedAt: began })
  await end(gun, transactionId, 0, 900_000, { at: now(), receivedAt: now() })
  await plug(gun, 1, 1, 'Available')
  await passBy(inMinutes(1))
  expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.abnormal, failReason: Waits.noBase })
  expect((await unread(orderNo)).length).toBeGreaterThan(0)
  await passBy(inMinutes(7 * DAY_MIN + 1))
  expect(await conserved(orderNo)).toMatchObject({ state: HoldState.released, releasedFen: 5_000, openFen: 0 })
  expect((await yard.replay()).right).toBe(true)
})

describe('a charge whose pile is not heard of again', () => {
  /** It began half an hour ago, and by its last reading ten minutes later it had 10 kWh; then its pile was gone. Minutes are counted from its beginning. */
  async function lost() {
    const began = (Date.now() - Date.parse(at(0))) / 60_000 - 30
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun)
    const { transactionId } = await beginAt(gun, began, { idTag: token })
    await plug(gun, began + 1, 3, 'Charging')
    await meter(gun, transactionId, began + 10, 10_000)
    await yard.sql('update charging.pile_state set online = false, last_seen_at = $2 where equipment_id = $1', [gun.equipmentId, at(began + 11)])
    return { gun, orderNo, transactionId, began, passed: (minute: number) => pass(began + minute) }
  }
  const comesBack = ({ equipmentId }: Gun) =>
    yard.sql('update charging.pile_state set online = true, connected_at = now(), last_seen_at = now() where equipment_id = $1', [equipmentId])
  /** All of its money is settled: what its first bill took, and the rest went back. */
  async function settled(orderNo: string) {
    const [bill] = await yard.bills(orderNo)
    expect(await conserved(orderNo)).toMatchObject({ state: HoldState.settled, capturedFen: bill.payableFen, openFen: 0 })
    return yard.charge(orderNo)
  }

  test('goes on until a day is over, then waits for a person, who is told once and closes it by its last reading; an end that is told after all corrects the bill', async () => {
    const { gun, orderNo, transactionId, began, passed } = await lost()
    await passed(10 + DAY_MIN)
    expect((await yard.charge(orderNo)).status).toBe(ChargeStatus.charging)
    for (const later of [11, 12]) await passed(later + DAY_MIN)
    expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.abnormal, claimed: false, failReason: Waits.away })
    const told = await unread(orderNo)
    expect(told[0].content).toContain('最后读数')
    const perPerson = await yard.sql<any>('select count(*)::int as n from message.record where link = $1 group by cust_id', [
      `/recharge/chargingOrder/use/${orderNo}`,
    ])
    expect(new Set(perPerson.map(({ n }) => n))).toEqual(new Set([1]))
    expect((await ask('/close', { orderNo, reason: '桩已损坏' })).data).toMatchObject({ status: ChargeStatus.billing, endWh: 110_000 })
    await passBy(inMinutes(1))
    expect(await settled(orderNo)).toMatchObject({ status: ChargeStatus.done, energyWh: 10_000, occupyFen: 0 })
    expect(await unread(orderNo)).toEqual([])
    await comesBack(gun)
    await end(gun, transactionId, began + 20, 15_000, { receivedAt: now(), offline: true })
    const [, more] = await yard.bills(orderNo)
    expect(more).toMatchObject({ kind: BillKind.adjustment, payableFen: expect.toSatisfy((fen: number) => fen > 0), waivedFen: more.payableFen })
    expect((await yard.charge(orderNo)).endWh).toBe(115_000)
    expect((await yard.replay()).right).toBe(true)
  })
  test('is closed by its last reading a day later by itself, where nobody came', async () => {
    const { orderNo, passed } = await lost()
    await passed(11 + DAY_MIN)
    await passed(11 + 2 * DAY_MIN)
    expect(await yard.charge(orderNo)).toMatchObject({ status: ChargeStatus.billing, stopReason: StopReason.silence, endWh: 110_000 })
    await passed(12 + 2 * DAY_MIN)
    expect(await settled(orderNo)).toMatchObject({ status: ChargeStatus.done, energyWh: 10_000 })
  })
  test('and was closed by hand is billed by what its pile tells before the bill is made', async () => {
    const { gun, orderNo, transactionId, began, passed } = await lost()
    await passed(11 + DAY_MIN)
    expect((await ask('/close', { orderNo, reason: '桩已恢复' })).data).toMatchObject({ endWh: 110_000 })
    await comesBack(gun)
    await end(gun, transactionId, began + 20, 15_000, { receivedAt: now(), offline: true })
    await end(gun, transactionId, began + 20, 14_000, { receivedAt: now(), offline: true })
    await passBy(inMinutes(1))
    expect(await settled(orderNo)).toMatchObject({ status: ChargeStatus.done, energyWh: 15_000 })
  })
  test('is ended by its pile, where that comes back before anybody has closed it', async () => {
    const { gun, orderNo, transactionId, began, passed } = await lost()
    await passed(11 + DAY_MIN)
    await comesBack(gun)
    await meter(gun, transactionId, began + 20, 15_000)
    await end(gun, transactionId, began + 29, 20_000, { receivedAt: at(began + 20 + DAY_MIN), offline: true })
    await passed(21 + DAY_MIN)
    expect(await settled(orderNo)).toMatchObject({ status: ChargeStatus.done, energyWh: 20_000, stopReason: StopReason.user })
    expect(await unread(orderNo)).toEqual([])
  })
})

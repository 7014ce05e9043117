import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConnectorStatus } from '../contract/connector.ts'
import { ChargeStatus } from '../contract/session.ts'
import { startAnswered } from './api.ts'
import { at, aYard, driversOf, inMinutes, pilesOf, type Yard } from './testing.ts'

/** What is told of one gun in the same moment. */
let yard: Yard
beforeAll(async () => void (yard = await aYard()))
afterAll(() => yard.close())

const { begin, plug } = pilesOf(() => yard)
const { askedStart, passBy, company, conserved } = driversOf(() => yard)
const NEVER_BEGAN: number[] = [ChargeStatus.cancelled, ChargeStatus.failed]
const ORDERS = [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 0, 4, 1, 3], [1, 4, 0, 3, 2]] // prettier-ignore

test('a paid start, another that is just being paid, a card, a plug and the clock, all at one gun: one charge has it, the others’ money is whole, and nobody waits in a ring', async () => {
  for (let round = 0; round < 16; round++) {
    const gun = await yard.aGun()
    const [first, late, card] = [await askedStart(gun), await askedStart(gun), await company()]
    await first.pay()
    await yard.write((tx) => startAnswered(tx, { orderNo: first.orderNo, accepted: true, at: at(0) }))
    const paid = (await yard.charge(first.orderNo)) as { token: string }
    const told = [
      () => begin(gun, { idTag: paid.token }),
      () => late.pay(),
      () => begin(gun, { idTag: card, meterWh: 100_500 }),
      () => plug(gun, 0, ConnectorStatus.plugged, 'Preparing'),
      () => passBy(inMinutes(4)),
    ]
    const done = await Promise.allSettled(ORDERS[round % ORDERS.length]!.map((one) => told[one]!()))
    expect(done.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))).toEqual([])
    const charges = await yard.sql<any>('select order_no, status, claimed from charging.charge where connector_id = $1', [gun.connectorId])
    expect(charges.filter(({ claimed }) => claimed).length).toBeLessThanOrEqual(1)
    for (const { orderNo, status, claimed } of charges) {
      const { openFen } = await conserved(orderNo)
      if (NEVER_BEGAN.includes(status)) expect([claimed, openFen]).toEqual([false, 0])
    }
  }
  expect((await yard.replay()).right).toBe(true)
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { run } from '../../../platform/server/database.ts'
import { until } from '../../settlement/server/testing.ts'
import { ConnectorStatus } from '../contract/connector.ts'
import { ChargeStatus, StartMode } from '../contract/session.ts'
import { askStart, startAnswered } from './api.ts'
import { holdMoney } from './hold.ts'
import { at, aYard, driversOf, type Gun, inMinutes, now, pilesOf, type Yard } from './testing.ts'
import { Why } from '../contract/why.ts'

/** What is told of one gun in the same moment. */
let yard: Yard
beforeAll(async () => void (yard = await aYard()))
afterAll(() => yard.close())

const { begin, plug } = pilesOf(() => yard)
const { askedStart, paidStart, passBy, company, conserved } = driversOf(() => yard)
const ROUNDS = 6
const staff = ({ connectorId }: Gun, idTag: string) =>
  yard.write((tx) => askStart(tx, { connectorId, startMode: StartMode.card, pays: 'nobody', cardNo: idTag, idTag, at: now() }))
const has = ({ connectorId }: Gun) =>
  yard.sql<any>('select * from charging.charge where connector_id = $1 and claimed and status in (0, 1, 2, 3)', [connectorId])
const live = () => ({ at: now(), receivedAt: now() })

describe('two starts at once at one gun', () => {
  test('a driver’s payment and a card at the pile: one has the gun, and a payment that was too late goes back whole with the reason', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const gun = await yard.aGun()
      const idTag = await yard.aCard({ kind: 3 })
      const { orderNo, pay } = await askedStart(gun)
      const [, told] = await Promise.all([pay(), begin(gun, { idTag, ...live() })])
      const [winner, ...others] = await has(gun)
      expect(others).toEqual([])
      const paid = await yard.charge(orderNo)
      if (told.authorised.accepted) {
        expect(winner.orderNo).toBe(told.orderNo)
        expect(paid).toMatchObject({ status: ChargeStatus.cancelled, claimed: false })
        expect([Why.gunTaken, Why.anotherBegan, Why.notPlugged]).toContain(paid.failReason)
        expect(await conserved(orderNo)).toMatchObject({ holdFen: 5000, releasedFen: 5000, openFen: 0 })
      } else {
        expect(winner.orderNo).toBe(orderNo)
        expect(told.authorised.why).toBe('Blocked')
        expect(await conserved(orderNo)).toMatchObject({ releasedFen: 0, openFen: 5000 })
      }
    }
  })

  test('two that pay nothing first: one has the gun, and the other is told that it is taken', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const gun = await yard.aGun()
      const cards = [await yard.aCard({ kind: 3 }), await yard.aCard({ kind: 3 })]
      const both = await Promise.allSettled(cards.map((idTag) => staff(gun, idTag)))
      expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const lost = both.find(({ status }) => status === 'rejected') as PromiseRejectedResult
      expect(lost.reason.texts[0]).toMatch(/^充电枪/)
      expect(await has(gun)).toHaveLength(1)
    }
  })

  test('a driver who scans and pays twice has one charge, and the other’s money goes back', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const gun = await yard.aGun()
      const plateNo = `鄂A77${String(round).padStart(3, '0')}`
      const both = await Promise.all([askedStart(gun, { plateNo }), askedStart(gun, { plateNo })])
      await Promise.all(both.map(({ pay }) => pay()))
      expect(await has(gun)).toHaveLength(1)
      const back = await Promise.all(both.map(async ({ orderNo }) => (await conserved(orderNo)).releasedFen))
      expect(back.toSorted((a, b) => a - b)).toEqual([0, 5000])
    }
  })

  test('a start that the pile reports waits for the money before it holds the charge, as whatever else moves that money does', async () => {
    const gun = await yard.aGun()
    const { orderNo, token } = await paidStart(gun)
    await yard.sql('update charging.equipment set admin_status = 2 where equipment_id = $1', [gun.equipmentId])
    let told: ReturnType<typeof begin> | undefined
    await yard.write(async (tx) => {
      await holdMoney(tx, orderNo)
      told = begin(gun, { idTag: token, ...live() })
      const waits = { sql: 'select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))' }
      await until(
        () => run(tx, waits, []),
        (waiting) => waiting.length > 0,
      )
      await run(tx, { sql: 'select 1 from charging.charge where order_no = $1 for update nowait' }, [orderNo])
    })
    expect((await told)?.authorised).toMatchObject({ accepted: false, why: 'Blocked' })
    expect(await conserved(orderNo)).toMatchObject({ releasedFen: 5000, openFen: 0 })
  })
})

const NEVER_BEGAN: number[] = [ChargeStatus.cancelled, ChargeStatus.failed]
const ORDERS = [
  [0, 1, 2, 3, 4],
  [4, 3, 2, 1, 0],
  [2, 0, 4, 1, 3],
  [1, 4, 0, 3, 2],
]

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

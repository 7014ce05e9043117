import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { run, type Tx } from '../../../../platform/server/database.ts'
import { cancelOrder, freshen, lockOrders, orderCancelled, payCash } from '../../../settlement/server/api.ts'
import { ExitArrears } from '../../contract/park.ts'
import { LaneOutcome, PayState, SessionStatus } from '../../contract/stay.ts'
import { lookAt, lookAtDebtor } from './paid.ts'
import { settleExits } from './passing.ts'
import { admission } from '../questions.ts'
import { aGround, barrier, type Field, type Ground, opens, reads, WAITS_FOR_US } from '../testing.ts'

/** Money moves in the second in which something else happens at the exit of its car. */
let ground: Ground
let owner: pg.Pool
beforeAll(async () => {
  ground = await aGround()
  owner = new pg.Pool({ connectionString: ground.server.ownerUrl, max: 1 })
})
afterAll(async () => {
  await owner.end()
  await ground.server.close()
})

const [CAR, NEXT] = ['鄂F71001', '粤B8K602']
const freed = new Set<string>()
afterAll(
  admission.answer('atOnce.test', async (_tx, { parkCode, plateNo }) => (plateNo === CAR && freed.has(parkCode) ? { white: true } : undefined)),
)

/** A car stands at the exit and is to pay; the next one is inside. `settles`: what lets it go. */
interface Way {
  name: string
  stands(): Promise<{ field: Field; settles: (tx: Tx) => Promise<unknown> }>
}
async function asked() {
  const field = await ground.field()
  for (const plate of [CAR, NEXT]) await field.enters(plate, 0)
  await field.exits(CAR, 90)
  await field.told(field.outSn)
  return { field, orderId: (await field.stay(CAR)).orderId! }
}
const cashier = { userId: '00000000-0000-7000-8000-000000000001', userName: 'cashier' }
const WAYS: Way[] = [
  {
    name: 'its fee is paid',
    async stands() {
      const { field, orderId } = await asked()
      return { field, settles: (tx) => payCash(tx, { orderId, amountFen: 1000, actor: cashier, at: field.at(91) }) }
    },
  },
  {
    name: 'its order is cancelled, and it is free by now',
    async stands() {
      const { field, orderId } = await asked()
      freed.add(field.parkCode)
      const at = field.at(91)
      return {
        field,
        settles: async (tx) => {
          const { stayId } = await cancelOrder(tx, orderId, { reason: '试', at })
          await orderCancelled.ask(tx, { orderId, stayId, at })
        },
      }
    },
  },
  {
    name: 'somebody is about to pay, and it is free by now',
    async stands() {
      const { field, orderId } = await asked()
      freed.add(field.parkCode)
      return { field, settles: (tx) => freshen(tx, orderId, field.at(120)) }
    },
  },
  {
    name: 'what it owed from before is paid',
    async stands() {
      const field = await ground.field({ exitArrears: ExitArrears.payFirst })
      await field.enters(CAR, 0)
      await field.exits(CAR, 90)
      await field.passes(91, { cause: 'manual' })
      const { orderId } = await field.stay(CAR)
      await field.enters(NEXT, 800)
      await field.enters(CAR, 900)
      await field.exits(CAR, 905)
      await field.told(field.outSn)
      return { field, settles: (tx) => payCash(tx, { orderId: orderId!, amountFen: 1000, actor: cashier, at: field.at(906) }) }
    },
  },
]
const minutesOf = async (field: Field) => (Date.parse((await field.lane(field.outGate)).since!) - Date.parse(field.at(0))) / 60_000

describe.each(WAYS)('$name', ({ stands }) => {
  /** Does one while the other is not committed yet; goes on as soon as the second has ended, or waits for the first. */
  async function meanwhile(field: Field, first: (tx: Tx) => Promise<unknown>, second: () => Promise<unknown>) {
    const { both } = await field.write(async (tx) => {
      await first(tx)
      let ended = false
      const both = second().finally(() => (ended = true))
      await vi.waitFor(async () => expect(ended || (await run(tx, { sql: WAITS_FOR_US }, [])).length > 0).toBe(true), 10_000)
      return { both }
    })
    await both
  }

  test('while the next car is being read: the barrier does not open before that one', async () => {
    const { field, settles } = await stands()
    const minutes = await minutesOf(field)
    await meanwhile(
      field,
      (tx) => reads(tx, { sn: field.outSn, at: field.at(minutes + 2), plate: NEXT }),
      () => field.write(settles),
    )
    await field.write((tx) => lookAt(tx, { gateCode: field.outGate }))
    expect(opens(await field.told(field.outSn))).toEqual([])
    expect(await field.lane(field.outGate)).toMatchObject({ plateNo: NEXT })
  })

  test('and the next car is read before that is done: the first one was let through, and has left', async () => {
    const { field, settles } = await stands()
    const minutes = await minutesOf(field)
    await meanwhile(field, settles, () => field.exits(NEXT, minutes + 2))
    expect(opens(await field.told(field.outSn))).toHaveLength(1)
    expect(await field.stay(CAR)).toMatchObject({ status: SessionStatus.left, abnormalType: 0 })
    expect(await field.lane(field.outGate)).toMatchObject({ plateNo: NEXT })
  })

  test('and a barrier that was raised by hand comes down behind it before that is done: it has left, and has forced nothing', async () => {
    const { field, settles } = await stands()
    const minutes = await minutesOf(field)
    const tells = (state: 'opened' | 'closed', after: number) =>
      field.write((tx) => barrier(tx, { sn: field.outSn, at: field.at(minutes + after), state, cause: 'manual' }))
    await tells('opened', 1)
    await meanwhile(field, settles, () => tells('closed', 1.5))
    expect(await field.stay(CAR)).toMatchObject({ status: SessionStatus.left, abnormalType: 0 })
    expect(await field.lane(field.outGate)).toMatchObject({ state: 1, stayId: null })
  })

  test('while the barrier tells something: it is let through once, by a look of its own right after that', async () => {
    const { field, settles } = await stands()
    const minutes = await minutesOf(field)
    await meanwhile(
      field,
      (tx) => barrier(tx, { sn: field.outSn, at: field.at(minutes + 1), state: 'blocked' }),
      () => field.write(settles),
    )
    const { rows } = await owner.query('select 1 from graphile_worker.jobs where key = $1', [`1 parking.look-again:${field.outGate}`])
    expect(rows).toHaveLength(1)
    for (let n = 0; n < 2; n++) await field.write((tx) => lookAt(tx, { gateCode: field.outGate }))
    expect(opens(await field.told(field.outSn))).toHaveLength(1)
    expect(await field.lane(field.outGate)).toMatchObject({ plateNo: CAR, state: 4, dueFen: 0 })
  })
})

describe('while its order is being paid, which is held before its stay', () => {
  const stands = async () => {
    const field = await ground.field()
    await field.enters(CAR, 0)
    await field.exits(CAR, 90)
    return { field, stay: await field.stay(CAR) }
  }
  /** A payment holds the order, and then its stay. */
  const paying =
    ({ orderId, id }: { orderId: string | null; id: string }, meanwhile: (tx: Tx) => Promise<unknown>) =>
    async (tx: Tx) => {
      await lockOrders(tx, [orderId!])
      await meanwhile(tx)
      await run(tx, { sql: 'select from parking.stay where id = $1 for update' }, [id])
    }

  test('the round that looks after long waits leaves the car to the payment, and settles another', async () => {
    const { field, stay } = await stands()
    const other = await ground.field()
    await other.enters(CAR, 0)
    await other.exits(CAR, 90)
    await field.write(paying(stay, () => field.write((tx) => settleExits(tx, field.at(101)))))
    expect(await field.stay(CAR)).toMatchObject({ status: SessionStatus.leaving })
    expect(await other.stay(CAR)).toMatchObject({ status: SessionStatus.present })
    await field.write((tx) => settleExits(tx, field.at(102)))
    expect(await field.stay(CAR)).toMatchObject({ status: SessionStatus.present })
  })

  test('a barrier that is forced waits for the payment, and neither for the other', async () => {
    const { field, stay } = await stands()
    let passed: Promise<unknown> | undefined
    await field.write(
      paying(stay, async (tx) => {
        passed = field.passes(91, { cause: 'force' })
        await vi.waitFor(async () => expect(await run(tx, { sql: WAITS_FOR_US }, [])).not.toEqual([]), 10_000)
      }),
    )
    await passed
    expect(await field.stay(CAR)).toMatchObject({ status: SessionStatus.left, payState: PayState.owed })
  })
})

test('what it owed from before is paid while its exit decides by it: the exit looks again, and lets it go', async () => {
  const [field, car] = [await ground.field({ exitArrears: ExitArrears.payFirst }), '鄂F71003']
  await field.enters(car, 0)
  await field.exits(car, 90)
  await field.passes(91, { cause: 'manual' })
  const { orderId } = await field.stay(car)
  await field.enters(car, 900)
  const waiting = async () =>
    (await owner.query<{ name: string }>('select task_identifier as name from graphile_worker.jobs')).rows.map(({ name }) => name)
  let looks: Promise<unknown> | undefined
  await field.write(async (tx) => {
    await reads(tx, { sn: field.outSn, at: field.at(905), plate: car })
    await field.write((other) => payCash(other, { orderId: orderId!, amountFen: 1000, actor: cashier, at: field.at(906) }))
    expect(await waiting()).toContain('parking.debtor-paid')
    looks = field.write((other) => lookAtDebtor(other, { plateNo: car }))
    await vi.waitFor(async () => expect(await run(tx, { sql: WAITS_FOR_US }, [])).not.toEqual([]), 10_000)
  })
  await looks
  expect(opens(await field.told(field.outSn))).toEqual([])
  expect(await waiting()).toContain('parking.look-again')
  await field.write((tx) => lookAt(tx, { gateCode: field.outGate }))
  expect(opens(await field.told(field.outSn))).toHaveLength(1)
  expect(await field.lane(field.outGate)).toMatchObject({ outcome: LaneOutcome.pass })
})

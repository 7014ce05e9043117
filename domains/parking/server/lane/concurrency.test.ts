import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { run } from '../../../../platform/server/database.ts'
import { lockOrders, requote } from '../../../settlement/server/api.ts'
import { aGate, reads } from '../factories.ts'
import { aGround, type Ground, WAITS_FOR_US } from '../testing.ts'

let ground: Ground
beforeAll(async () => {
  ground = await aGround()
})
afterAll(() => ground.server.close())

const ROUNDS = 12
const settled = async (work: Promise<unknown>[]) =>
  (await Promise.allSettled(work)).filter((one) => one.status === 'rejected').map((one) => String((one as PromiseRejectedResult).reason))

test('the same car read at two entrances at once has one stay', async () => {
  const field = await ground.field()
  for (let n = 0; n < ROUNDS; n++) {
    const plate = `鄂F7${1000 + n}`
    const failures = await settled([field.enters(plate, n), field.enters(plate, n + 0.01), field.exits(plate, n + 0.02)])
    expect(failures).toEqual([])
    const open = (await field.stays(plate)).filter(({ status }) => status === 1 || status === 2)
    expect(open.length).toBeLessThanOrEqual(1)
  }
})

test('paid while it is read again: paid once, opened, nothing owed', async () => {
  const field = await ground.field({ totalBays: 1000 })
  for (let n = 0; n < ROUNDS; n++) {
    const plate = `鄂F8${1000 + n}`
    await field.enters(plate, 0)
    await field.exits(plate, 90 + n)
    const stay = await field.stay(plate)
    const failures = await settled([field.pays(stay, 90 + n), field.exits(plate, 90.5 + n), field.exits(plate, 90.6 + n)])
    expect(failures).toEqual([])
    expect(await field.stay(plate)).toMatchObject({ status: 2, paidFen: 1000, payState: 2 })
    expect(await field.lane(field.outGate)).toMatchObject({ state: 4, dueFen: 0, stayId: stay.id })
    expect((await field.orders(stay)).filter(({ status }) => status !== 2)).toEqual([])
  }
})

test('paid between two steps of an exit that asks another amount and holds the order once more: neither waits for the other in a ring', async () => {
  const field = await ground.field()
  await field.enters('鄂F89999', 0)
  await field.exits('鄂F89999', 90)
  const stay = await field.stay('鄂F89999')
  let pays: Promise<unknown> | undefined
  await field.write(async (tx) => {
    await requote(tx, stay.orderId!, { receivableFen: 1500, at: field.at(121) })
    pays = settled([field.pays(stay, 91)])
    await vi.waitFor(async () => expect(await run(tx, { sql: WAITS_FOR_US }, [])).not.toEqual([]), 10_000)
    await lockOrders(tx, [stay.orderId!])
  })
  expect(await pays).toEqual([])
  expect(await field.orders(stay)).toMatchObject([{ status: 2, paidFen: 1000, payableFen: 1000 }])
})

test('two people answer the same lane: the first one counts', async () => {
  const field = await ground.field({ tempAllowed: false })
  await field.enters('鄂F90001', 0)
  const { decisionId } = await field.lane(field.inGate)
  const answer = () => ground.ask(ground.admin, '/device/laneBoard/answer', { gateCode: field.inGate, decisionId, answer: 1 })
  const codes = (await Promise.all([answer(), answer(), answer()])).map(({ code }) => code).sort()
  expect(codes).toEqual([200, 40811, 40811])
  expect(await field.stays('鄂F90001')).toHaveLength(1)
})

test('ten cars at once: every one has its stay, its decision and its command', async () => {
  const field = await ground.field({ totalBays: 1000 })
  expect(await settled(Array.from({ length: 10 }, (_, n) => field.enters(`粤C${30000 + n}`, n / 60)))).toEqual([])
  const [counts] = await field.write((tx) =>
    run<{ stays: number; decisions: number; inside: number }>(
      tx,
      {
        sql: `select (select count(*)::int from parking.stay where park_code = $1) as stays, (select count(*)::int from parking.decision where park_code = $1) as decisions,
          (select count(*)::int from parking.present where park_code = $1) as inside`,
      },
      [field.parkCode],
    ),
  )
  expect(counts).toEqual({ stays: 10, decisions: 10, inside: 10 })
})

test('an emergency begins while ten cars stand at exits, one of which pays and one of which is read again: all go, each once', async () => {
  const field = await ground.field({ totalBays: 1000 })
  const cars = Array.from({ length: 10 }, (_, n) => ({ plate: `粤E${40000 + n * 1111}`, sn: `PG-${field.parkCode}-X${n}` }))
  await field.write(async (tx) => {
    for (const [n, { sn }] of cars.entries()) await aGate(tx, { parkCode: field.parkCode, gateCode: `${field.parkCode}-X${n}`, direction: 2, sn })
  })
  for (const { plate, sn } of cars) {
    await field.enters(plate, 0)
    await field.write((tx) => reads(tx, { sn, at: field.at(90), plate }))
  }
  const stay = await field.stay(cars[0]!.plate)
  const openAll = ground.ask(ground.admin, '/basic/parkInfo/openAll', { parkCode: field.parkCode, open: true, reason: '火警' })
  const again = field.write((tx) => reads(tx, { sn: cars[1]!.sn, at: field.at(91), plate: cars[1]!.plate }))
  expect(await settled([openAll, field.pays(stay, 91).catch(() => {}), again])).toEqual([])
  expect((await openAll).code).toBe(200)
  for (const { plate, sn } of cars) {
    const [only, ...more] = await field.stays(plate)
    expect([only, more]).toMatchObject([{ status: 3, abnormalType: 0, payState: expect.toSatisfy((it: number) => it === 2 || it === 3) }, []])
    expect((await field.orders(only!)).filter(({ status }) => status === 0 || status === 1)).toEqual([])
    expect((await field.told(sn)).at(-1)!.method, plate).not.toBe('gate.open')
  }
})

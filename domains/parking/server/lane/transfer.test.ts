import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../../platform/server/database.ts'
import { DeviceUse } from '../../../device/contract/device.ts'
import { GateAction, OpenReason } from '../../contract/gate.ts'
import { LaneOutcome } from '../../contract/stay.ts'
import { barrier, reads } from '../factories.ts'
import { forgetGone } from './passing.ts'
import { aGround, aTower, type Ground, opens } from '../testing.ts'

/** An inner gate that does not let a car through, and what becomes of that car. */
let ground: Ground
beforeAll(async () => void (ground = await aGround()))
afterAll(() => ground.server.close())

const PLATE = '鄂F48401'
/** A car has come in (area A) and stands before the gate that leads into the tower (area B). */
async function beforeTower() {
  const field = await ground.field()
  const { inner, innerSn: sn } = await aTower(field)
  await field.enters(PLATE, 0)
  const move = (action: number) =>
    ground.ask(ground.admin, '/device/gateOperation/openGateToPark', { gateCode: inner, action, reason: OpenReason.fault })
  return {
    ...field,
    sn,
    inner,
    move,
    seen: (minutes: number, plate = PLATE) => field.write((tx) => reads(tx, { sn, at: field.at(minutes), plate })),
    tells: (minutes: number, state: 'opened' | 'closed', passed?: boolean) =>
      field.write((tx) => barrier(tx, { sn, at: field.at(minutes), state, cause: 'manual', ...(passed !== undefined && { passed }) })),
    round: (minutes: number) => field.write((tx) => forgetGone(tx, field.at(minutes))),
    area: async () => (await field.stay(PLATE)).areaCode,
    opened: async () => opens(await field.told(sn)).length,
  }
}

test('seen by a camera that is not in use, it moves nothing and opens nothing until a person has opened', async () => {
  const gate = await beforeTower()
  const use = (status: number) =>
    gate.write((tx) => run(tx, { sql: 'update device.device set use_status = $2 where device_no = $1' }, [gate.sn, status]))
  for (const [n, status] of [DeviceUse.faulty, DeviceUse.inRepair, DeviceUse.waiting].entries()) {
    await use(status)
    await gate.seen(60 + n)
    expect([await gate.area(), await gate.opened()], `use status ${status}`).toEqual(['A', 0])
    expect(await gate.lane(gate.inner)).toMatchObject({ outcome: LaneOutcome.ask, checks: [{ zh: '设备未启用或上报超时，转人工处理' }] })
  }
  expect((await gate.move(GateAction.open)).code).toBe(200)
  expect([await gate.area(), await gate.opened()]).toEqual(['B', 1])
})

test('locked: it backs away, and an unlock after the time that cars at an exit have moves and opens nothing; before, it does', async () => {
  const gate = await beforeTower()
  await gate.move(GateAction.lock)
  await gate.seen(60)
  await gate.round(69)
  expect(await gate.lane(gate.inner)).toMatchObject({ plateNo: PLATE, outcome: LaneOutcome.ask })
  await gate.round(71)
  expect(await gate.lane(gate.inner)).toMatchObject({ plateNo: null, asked: null })
  expect((await gate.move(GateAction.unlock)).code).toBe(200)
  expect([await gate.area(), await gate.opened()]).toEqual(['A', 0])
  await gate.move(GateAction.lock)
  await gate.seen(80)
  await gate.round(89)
  await gate.move(GateAction.unlock)
  expect([await gate.area(), await gate.opened()]).toEqual(['B', 1])
})

test('its barrier went up by hand and came down: whoever stood there is gone; one that went up for the car ahead says nothing', async () => {
  const gate = await beforeTower()
  await gate.move(GateAction.lock)
  await gate.tells(59, 'opened')
  await gate.seen(60)
  await gate.tells(60.5, 'closed')
  expect(await gate.lane(gate.inner)).toMatchObject({ plateNo: PLATE })
  for (const [n, passed] of [true, false].entries()) {
    await gate.seen(61 + n * 5)
    await gate.tells(62 + n * 5, 'opened')
    await gate.tells(63 + n * 5, 'closed', passed)
    expect(await gate.lane(gate.inner), `passed: ${passed}`).toMatchObject({ plateNo: null, asked: null, gateState: 'closed' })
  }
  await gate.move(GateAction.unlock)
  expect([await gate.area(), await gate.opened()]).toEqual(['A', 0])
})

test('it went out meanwhile, or was seen in another area: an unlock neither lets it in again nor moves it back', async () => {
  const gate = await beforeTower()
  await gate.move(GateAction.lock)
  await gate.seen(60)
  await gate.exits(PLATE, 65)
  await gate.pays(await gate.stay(PLATE), 66)
  await gate.passes(67)
  await gate.move(GateAction.unlock)
  expect(await gate.stays(PLATE)).toMatchObject([{ status: 3 }])

  const other = await beforeTower()
  await other.write((tx) => run(tx, { sql: 'update parking.gate set direction = 3 where gate_code = $1' }, [other.inner]))
  await other.seen(50)
  await other.move(GateAction.lock)
  await other.write((tx) => reads(tx, { sn: other.sn, at: other.at(60), plate: PLATE, direction: 'in' }))
  await other.write((tx) => reads(tx, { sn: `PG-${other.parkCode}-4`, at: other.at(65), plate: PLATE }))
  expect(await other.area()).toBe('A')
  await other.move(GateAction.unlock)
  expect(await other.area()).toBe('A')
})

test('a gate for both ways has two cameras: what the one behind reads is the same passing, within the minute', async () => {
  const gate = await beforeTower()
  await gate.write((tx) => run(tx, { sql: 'update parking.gate set direction = 3 where gate_code = any($1)' }, [[gate.inner, gate.outGate]]))
  const way = (sn: string, minutes: number, direction: 'in' | 'out', plate = PLATE) =>
    gate.write((tx) => reads(tx, { sn, at: gate.at(minutes), plate, direction }))
  await way(gate.sn, 60, 'in')
  await way(gate.sn, 60.1, 'out')
  expect([await gate.area(), await gate.opened()]).toEqual(['B', 1])
  await way(gate.sn, 61, 'out')
  expect([await gate.area(), await gate.opened()]).toEqual(['A', 1])

  const other = '粤B8K611'
  await way(gate.outSn, 100, 'in', other)
  await way(gate.outSn, 100.1, 'out', other)
  expect(await gate.stays(other)).toMatchObject([{ status: 1, exitTime: null }])
  expect(await gate.lane(gate.outGate)).toMatchObject({ plateNo: other, direction: 1, outcome: LaneOutcome.pass })
  await way(gate.outSn, 190, 'out', other)
  await way(gate.outSn, 195, 'in', other) // it stands there and is to pay
  expect(await gate.stays(other)).toMatchObject([{ status: 2, payState: 1, payableFen: 1000 }])
  await gate.pays(await gate.stay(other), 196)
  await gate.passes(196.5)
  await way(gate.outSn, 197, 'in', other)
  expect(await gate.stays(other)).toMatchObject([{ status: 3, paidFen: 1000 }])
  expect((await gate.decisions(other)).filter(({ outcome }) => outcome === LaneOutcome.ignore)).toHaveLength(3)
  await way(gate.outSn, 198, 'in', other)
  expect((await gate.stays(other)).map(({ status }) => status)).toEqual([1, 3])
})

test('a locked entrance lets nobody in who was there hours ago', async () => {
  const field = await ground.field()
  const move = (action: number) =>
    ground.ask(ground.admin, '/device/gateOperation/openGateToPark', { gateCode: field.inGate, action, reason: OpenReason.fault })
  await move(GateAction.lock)
  await field.enters(PLATE, 0)
  await field.write((tx) => forgetGone(tx, field.at(11)))
  await move(GateAction.unlock)
  expect(await field.stays(PLATE)).toEqual([])
  expect(opens(await field.told(field.inSn))).toEqual([])
})

test('a car that the loop of a locked gate feels is still there after ten minutes: the unlock lets it through; what the loop told long ago is not believed', async () => {
  const feels = (gate: { sn: string }, told: object, ago: string) =>
    ground.server.house.writing(1, 'test', (tx) =>
      run(tx, { sql: 'update device.presence set online = true, state = $2::jsonb, last_seen_at = now() - $3::interval where device_no = $1' }, [
        gate.sn,
        JSON.stringify(told),
        ago,
      ]),
    )
  const gate = await beforeTower()
  await gate.move(GateAction.lock)
  await gate.seen(60)
  await feels(gate, { loop1: 1, loop2: 0 }, '1 minute')
  await gate.round(71)
  expect(await gate.lane(gate.inner)).toMatchObject({ plateNo: PLATE, outcome: LaneOutcome.ask })
  await gate.move(GateAction.unlock)
  expect([await gate.area(), await gate.opened()]).toEqual(['B', 1])

  const later = await beforeTower()
  await later.move(GateAction.lock)
  const gone = [
    [{ loop1: 1 }, '1 hour'],
    [{ loop1: 0, loop2: 0 }, '1 minute'],
  ] as const
  for (const [told, ago] of gone) {
    await later.seen(60)
    await feels(later, told, ago)
    await later.round(71)
    expect(await later.lane(later.inner)).toMatchObject({ plateNo: null, asked: null })
  }
})

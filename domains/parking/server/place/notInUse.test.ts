import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../../../../platform/server/database.ts'
import { OpenReason } from '../../contract/gate.ts'
import { LaneState } from '../../contract/laneBoard.ts'
import { aGround, type Field, type Ground, opens } from '../testing.ts'

let ground: Ground
beforeAll(async () => void (ground = await aGround()))
afterAll(() => ground.server.close())
const opened = async (field: Field, sn: string) => opens(await field.told(sn))

test('read by a camera that is faulty, in repair or not yet in use: kept, and a person opens; put to use again it opens by itself', async () => {
  const field = await ground.field()
  const use = (status: number) =>
    field.write((tx) => run(tx, { sql: 'update device.device set use_status = $3 where device_no in ($1, $2)' }, [field.inSn, field.outSn, status]))
  for (const [n, status] of [2, 0, 5].entries()) {
    await use(status)
    await field.enters(`鄂F1000${n}`, n * 20, { seq: n + 1 })
    expect(await field.lane(field.inGate), `use status ${status}`).toMatchObject({ state: LaneState.asking, plateNo: `鄂F1000${n}`, openRef: null })
    await field.exits(`鄂F1000${n}`, n * 20 + 10, { seq: n + 1 })
    expect(await field.lane(field.outGate), `use status ${status}`).toMatchObject({
      state: LaneState.asking,
      plateNo: `鄂F1000${n}`,
      openRef: null,
    })
  }
  expect([...(await opened(field, field.inSn)), ...(await opened(field, field.outSn))]).toEqual([])
  await ground.ask(ground.admin, '/device/gateOperation/openGateToPark', { gateCode: field.outGate, reason: OpenReason.fault })
  expect(await opened(field, field.outSn)).toMatchObject([{ params: { reason: 'manual' } }])
  await use(1)
  await field.enters('鄂F20000', 70)
  expect(await opened(field, field.inSn)).toHaveLength(1)
})

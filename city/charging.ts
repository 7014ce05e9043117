import { activity, ActivityKind } from '../domains/charging/contract/activity.ts'
import { danger, DangerKind, DangerLevel } from '../domains/charging/contract/danger.ts'
import { fault, FaultLevel, FaultSource } from '../domains/charging/contract/fault.ts'
import { load, LoadMode } from '../domains/charging/contract/load.ts'
import { platform, PlatformRole } from '../domains/charging/contract/platform.ts'
import { platformReduce, ReduceType } from '../domains/charging/contract/platformReduce.ts'
import { claimCommands, commandAnswered, reshare } from '../domains/charging/server/api.ts'
import { DAY_MS, instantAt } from '../platform/contract/time.ts'
import { run, type Tx } from '../platform/server/database.ts'
import type { House } from '../platform/server/domain.ts'
import type { Client } from './client.ts'
import { STATIONS } from './piles.ts'

const fen = (yuan: number) => (yuan * 100) as never
/** Whose drivers charge here too, and ours at its stations. */
export const PARTNER = 'MA27B2EB4'
const { stationId: STATION, points } = STATIONS[0]!
const gunAt = (place: number) => `${STATION}-${points[place]!.slice(2)}-1`

/** So often are shares made until every pile has agreed to its own: those that go down first, then those that go up. */
const ROUNDS = 4
/** One station has a limit; its piles agree to their shares as they would by their sockets. */
export async function shareLoad(house: House, client: Client, enterprise: number): Promise<void> {
  await client.ask(load.save, { stationId: STATION, limitW: 240_000, mode: LoadMode.equal, fallbackW: 7_000 })
  for (let round = 0; round < ROUNDS; round++)
    await house.writing(enterprise, 'demo', async (tx) => {
      await reshare(tx, STATION, instantAt(Date.now()))
      for (const point of points)
        for (const { id } of await claimCommands(tx, `${STATION}-${point.slice(2)}`))
          await commandAnswered(tx, id, { agreed: true, done: true, result: { status: 'Accepted' } })
    })
}

/** The parts of the demo that an earlier start has added. */
export async function aroundCharging(tx: Tx): Promise<{ platforms: boolean; loads: boolean }> {
  const sql = 'select exists (select from charging.platform where operator_id = $1) as platforms, exists (select from charging.load) as loads'
  return (await run<{ platforms: boolean; loads: boolean }>(tx, { sql }, [PARTNER]))[0]!
}
/**
 * Adds the surroundings of the demo's charges: a promotion that runs and one to come, a partner platform with its discount, a
 * fault and a danger.
 */
export async function addAroundCharging(client: Client, nowMs: number): Promise<void> {
  const days = (from: number, to: number) => ({ startAt: instantAt(nowMs + from * DAY_MS), endAt: instantAt(nowMs + to * DAY_MS) })
  await client.ask(activity.add, {
    name: '夜间服务费七折',
    kind: ActivityKind.serviceRate,
    value: 700,
    budgetFen: fen(5_000),
    perDayTimes: 1,
    ...days(-1, 30),
  })
  await client.ask(activity.add, { name: '国庆满 30 减 5', kind: ActivityKind.threshold, value: 500, thresholdFen: fen(30), ...days(7, 14) })
  const open = { openStations: [STATION], creditLimitFen: fen(10_000), splitPermille: 100 as never }
  const { id } = await client.ask(platform.add, { name: '汉江易充', operatorId: PARTNER, role: PlatformRole.both, ...open })
  await client.ask(platformReduce.add, {
    platformId: id,
    reduceType: ReduceType.serviceRate,
    name: '汉江易充服务费九折',
    value: 900,
    ...days(-1, 90),
  })
  const own = (await client.ask(platform.getTableList, { limit: 50 })).records.find(({ builtIn }) => builtIn)!
  const whileCharging = { name: '充电停车减 2 小时', value: 120, minWh: 5_000, ...days(-1, 300) }
  await client.ask(platformReduce.add, { platformId: own.id, reduceType: ReduceType.parkMinutes, ...whileCharging })
  await client.ask(fault.insert, {
    connectorId: gunAt(3),
    code: 'ScreenDark',
    level: FaultLevel.common,
    source: FaultSource.driver,
    description: '屏幕不亮，能充电',
  })
  await client.ask(danger.insert, {
    stationId: STATION,
    connectorId: gunAt(1),
    level: DangerLevel.common,
    kind: DangerKind.cable,
    description: '枪线外皮磨损，需更换',
  })
}

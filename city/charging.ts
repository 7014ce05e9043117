import { activity, ActivityKind } from '../domains/charging/contract/activity.ts'
import { danger, DangerKind, DangerLevel } from '../domains/charging/contract/danger.ts'
import { fault, FaultLevel, FaultSource } from '../domains/charging/contract/fault.ts'
import { platform, PlatformRole } from '../domains/charging/contract/platform.ts'
import { platformReduce, ReduceType } from '../domains/charging/contract/platformReduce.ts'
import { DAY_MS, instantAt } from '../platform/contract/time.ts'
import type { Client } from './client.ts'
import { STATIONS } from './piles.ts'

const fen = (yuan: number) => (yuan * 100) as never
const { stationId: STATION, points } = STATIONS[0]!
const gunAt = (place: number) => `${STATION}-${points[place]!.slice(2)}-1`

/** What stands around the demo's charges: a promotion that runs and one to come, a partner platform with its discount, a fault and a danger. */
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
  await client.ask(activity.add, { name: '国庆满30减5', kind: ActivityKind.threshold, value: 500, thresholdFen: fen(30), ...days(7, 14) })
  const open = { openStations: [STATION], creditLimitFen: fen(10_000), splitPermille: 100 as never }
  const { id } = await client.ask(platform.add, { name: '新电途', operatorId: 'MA27B2EB4', role: PlatformRole.demand, ...open })
  await client.ask(platformReduce.add, { platformId: id, reduceType: ReduceType.serviceRate, name: '新电途服务费九折', value: 900, ...days(-1, 90) })
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

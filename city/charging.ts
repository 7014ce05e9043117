import { activity, ActivityKind } from '../domains/charging/contract/activity.ts'
import { card, CardKind } from '../domains/charging/contract/card.ts'
import { connector, ConnectorStatus, ConnectorType } from '../domains/charging/contract/connector.ts'
import { danger, DangerKind, DangerLevel } from '../domains/charging/contract/danger.ts'
import { EquipmentType, pile } from '../domains/charging/contract/equipment.ts'
import { fault, FaultLevel, FaultSource } from '../domains/charging/contract/fault.ts'
import { operator } from '../domains/charging/contract/operator.ts'
import { platform, PlatformRole } from '../domains/charging/contract/platform.ts'
import { platformReduce, ReduceType } from '../domains/charging/contract/platformReduce.ts'
import { StopReason } from '../domains/charging/contract/session.ts'
import { station, StationStatus } from '../domains/charging/contract/station.ts'
import { PeriodKind, strategy } from '../domains/charging/contract/strategy.ts'
import { began, connectorSaid, ended, meterSaid } from '../domains/charging/server/api.ts'
import type { Instant } from '../platform/contract/field.ts'
import { DAY_MS, instantAt, MINUTE_MS } from '../platform/contract/time.ts'
import { run } from '../platform/server/database.ts'
import type { House } from '../platform/server/domain.ts'
import type { Client } from './client.ts'
import type { PlannedPark } from './plan.ts'

const fen = (yuan: number) => (yuan * 100) as never
const OPERATOR = 'MA5KERB01'
const STATION = 'XY0001'
const PILES = [
  { equipmentId: `${STATION}01`, name: '1号快充桩', power: 120, dc: true, guns: 2 },
  { equipmentId: `${STATION}02`, name: '2号快充桩', power: 120, dc: true, guns: 2 },
  { equipmentId: `${STATION}03`, name: '3号慢充桩', power: 7, dc: false, guns: 1 },
] as const
/** More than one of the demo's charges costs: a card that owes is not taken again. */
const PREPAY_FEN = fen(100)
const CARDS = ['8820260001', '8820260002', '8820260003'] as const
const period = (from: string, to: string, kind: number, elecPriceE4: number) => ({ from, to, kind, elecPriceE4, servicePriceE4: 4_000 }) as never
const PERIODS = [
  period('00:00', '08:00', PeriodKind.valley, 3_200),
  period('08:00', '11:00', PeriodKind.peak, 9_600),
  period('11:00', '17:00', PeriodKind.flat, 6_400),
  period('17:00', '22:00', PeriodKind.peak, 9_600),
  period('22:00', '24:00', PeriodKind.flat, 6_400),
]

/** One charging station of the demo as people set it up, with charges of the last day, and what its screens look at: a promotion, a partner platform, a fault and a danger. */
export async function addCharging(house: House, enterprise: number, client: Client, park: PlannedPark, nowMs: number): Promise<void> {
  const guns = await setUpStation(client, park)
  const moved = `update charging.station_price set from_at = from_at - interval '30 days' where enterprise_id = scope_enterprise() and station_id = $1`
  await house.writing(enterprise, 'demo', (tx) => run(tx, { sql: moved }, [STATION]))
  for (const connectorId of guns)
    await house.writing(enterprise, 'demo', (tx) => {
      const at = instantAt(nowMs - DAY_MS)
      return connectorSaid(tx, { connectorId, status: ConnectorStatus.free, raw: 'Available', at, receivedAt: at })
    })
  await charges(house, enterprise, guns, nowMs)
  await around(client, guns, nowMs)
}

async function setUpStation(client: Client, { parkCode, name, address, lng, lat }: PlannedPark): Promise<string[]> {
  await client.ask(operator.saveOrUpdate, { operatorId: OPERATOR, operatorName: '泊城充电', operatorTel1: '0710-3500100', own: true })
  await client.ask(station.save, {
    ...{ stationId: STATION, operatorId: OPERATOR, stationName: name.replace('停车场', '充电站'), parkCode, regionCode: '420606', address },
    ...{ serviceTel: '0710-3500100', stationLng: lng, stationLat: lat, stationStatus: StationStatus.inUse, prepayFen: PREPAY_FEN },
  })
  await client.ask(strategy.insert, { name: '2026 分时电价', periods: PERIODS, stationIds: [STATION], publish: true })
  const guns: string[] = []
  for (const { equipmentId, name: equipmentName, power, dc, guns: count } of PILES) {
    const equipmentType = dc ? EquipmentType.dc : EquipmentType.ac
    const { id } = await client.ask(pile.saveInfo, { equipmentId, equipmentName, stationId: STATION, equipmentType, power })
    await client.ask(pile.updateStatus, { id, status: 1, reason: '投用' })
    const volts = dc ? { voltageUpper: 750, voltageLower: 200, current: 250 } : { voltageUpper: 250, voltageLower: 220, current: 32 }
    for (let no = 1; no <= count; no++) {
      const connectorId = `${equipmentId}${String(no).padStart(2, '0')}`
      const connectorType = dc ? ConnectorType.dcPlug : ConnectorType.acPlug
      await client.ask(connector.save, {
        connectorId,
        equipmentId,
        connectorName: `${Number(equipmentId.slice(-2))}0${no}号枪`,
        connectorType,
        power,
        ocppConnectorNo: no,
        ...volts,
      })
      guns.push(connectorId)
    }
  }
  for (const cardNo of CARDS) await client.ask(card.save, { cardNo, kind: CardKind.company, unit: '襄阳公交集团', creditFen: fen(20_000) })
  return guns
}

/** Charges that are over, in the order in which they came, and one that runs. */
const PAST = [
  { hoursAgo: 20, minutes: 48, kw: 62 },
  { hoursAgo: 15, minutes: 35, kw: 71 },
  { hoursAgo: 9, minutes: 52, kw: 58 },
  { hoursAgo: 5, minutes: 25, kw: 80 },
  { hoursAgo: 3, minutes: 41, kw: 66 },
] as const
const SAMPLE_MIN = 5
async function charges(house: House, enterprise: number, guns: readonly string[], nowMs: number): Promise<void> {
  const [first, second, third] = guns as [string, string, string]
  for (const [n, { hoursAgo, minutes, kw }] of PAST.entries())
    await oneCharge(house, enterprise, {
      connectorId: n % 2 ? second : first,
      card: CARDS[n % 2]!,
      fromMs: nowMs - hoursAgo * 60 * MINUTE_MS,
      minutes,
      kw,
      over: true,
      n,
    })
  await oneCharge(house, enterprise, {
    connectorId: third,
    card: CARDS[2],
    fromMs: nowMs - 25 * MINUTE_MS,
    minutes: 25,
    kw: 64,
    over: false,
    n: PAST.length,
  })
}
interface OneCharge {
  connectorId: string
  card: string
  fromMs: number
  minutes: number
  kw: number
  over: boolean
  n: number
}
const oneCharge = (house: House, enterprise: number, { connectorId, card: idTag, fromMs, minutes, kw, over, n }: OneCharge): Promise<void> =>
  house.writing(enterprise, 'demo', async (tx) => {
    const base = 100_000 * (n + 1)
    const at = (minute: number): Instant => instantAt(fromMs + minute * MINUTE_MS)
    const wh = (minute: number) => base + Math.round((kw * 1_000 * minute) / 60)
    const says = (minute: number, status: 1 | 3, raw: string) =>
      connectorSaid(tx, { connectorId, status, raw, at: at(minute), receivedAt: at(minute) })
    await says(0, ConnectorStatus.charging, 'Charging')
    const begin = { connectorId, transactionId: null, idTag, meterWh: base, soc: 22, at: at(0), receivedAt: at(0), offline: false }
    const { transactionId } = await began(tx, begin)
    for (let minute = SAMPLE_MIN; minute < minutes; minute += SAMPLE_MIN) {
      const samples = [{ at: at(minute), meterWh: wh(minute), powerW: kw * 1_000, soc: 22 + minute, temperatureC: 48 }]
      await meterSaid(tx, { connectorId, transactionId, samples, receivedAt: at(minute) })
    }
    if (!over) return
    const end = { meterWh: wh(minutes), reason: StopReason.full, at: at(minutes), receivedAt: at(minutes), offline: false }
    await ended(tx, { equipmentId: connectorId.slice(0, -2), connectorId, transactionId, ...end })
    await says(minutes + 1, ConnectorStatus.free, 'Available')
  })

async function around(client: Client, guns: readonly string[], nowMs: number): Promise<void> {
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
    connectorId: guns[3]!,
    code: 'ScreenDark',
    level: FaultLevel.common,
    source: FaultSource.driver,
    description: '屏幕不亮，能充电',
  })
  await client.ask(danger.insert, {
    stationId: STATION,
    connectorId: guns[1]!,
    level: DangerLevel.common,
    kind: DangerKind.cable,
    description: '枪线外皮磨损，需更换',
  })
}

import { connected, enrol, hashOf, hear } from '../domains/device/server/api.ts'
import { box } from '../domains/street-lamp/contract/box.ts'
import { lamp } from '../domains/street-lamp/contract/lamp.ts'
import { timer, TimerKind, TimerTarget } from '../domains/street-lamp/contract/timer.ts'
import { Phase, Relay, wiring, WiringMode } from '../domains/street-lamp/contract/wiring.ts'
import { CITY_OFFSET_MS, DAY_MS, dayOf, instantAt, MINUTE_MS } from '../platform/contract/time.ts'
import { run } from '../platform/server/database.ts'
import type { House } from '../platform/server/domain.ts'
import type { Client } from './client.ts'
import { CITY_DAYS } from './plan.ts'
import { type Random, randomFrom } from './random.ts'
import { DeviceType } from '../domains/device/contract/device.ts'
import { AlarmLevel } from '../domains/street-lamp/contract/alarm.ts'

const LAMP_CONTROLLER = DeviceType.lampController
const REGION = '420607'
/** A box is heard of every quarter of an hour. */
const STEP_MS = 15 * MINUTE_MS
const LAMP_W = 120
/** The hours that the boxes switch by themselves: full in the evening, half from half past eleven on. */
const LATE_HOUR = 23.5
const DARK_FROM = 17.6
const DARK_TO = 6.9

export interface PlannedBox {
  boxCode: string
  name: string
  lng: number
  lat: number
  /** Lamps of each circuit. */
  circuits: readonly number[]
  /** Off line in the demo. */
  away?: true
}
/** Boxes along the streets of the demo's first districts. */
export const BOXES: readonly PlannedBox[] = [
  { boxCode: 'LB-001', name: '北街 1 号箱', lng: 112.2142, lat: 32.0779, circuits: [24, 24, 18] },
  { boxCode: 'LB-002', name: '荆州街 1 号箱', lng: 112.2185, lat: 32.0762, circuits: [20, 20] },
  { boxCode: 'LB-003', name: '老城 1 号箱', lng: 112.2096, lat: 32.0853, circuits: [30, 30, 12] },
  { boxCode: 'LB-004', name: '老城 2 号箱', lng: 112.2131, lat: 32.0871, circuits: [26, 26] },
  { boxCode: 'LB-005', name: '航空路 1 号箱', lng: 112.2079, lat: 32.1003, circuits: [36, 16] },
  { boxCode: 'LB-006', name: '长征路 1 号箱', lng: 112.2118, lat: 32.0989, circuits: [22, 22, 22] },
  { boxCode: 'LB-007', name: '前进路 1 号箱', lng: 112.2203, lat: 32.0841, circuits: [18] },
  { boxCode: 'LB-008', name: '江华路 1 号箱', lng: 112.2036, lat: 32.0918, circuits: [28, 28], away: true },
]
export const controllerOf = ({ boxCode }: PlannedBox) => `SL-${boxCode}`
/** Along the first street every lamp has a controller of its own. */
const SINGLES = 'LB-001'
const BROKEN = ['LB-001-1-07', 'LB-001-2-15']
const POLES_APART = 0.00032
export const singlesOf = ({ boxCode, circuits }: PlannedBox) =>
  boxCode !== SINGLES
    ? []
    : circuits.flatMap((lamps, of) =>
        Array.from({ length: lamps }, (_, n) => {
          const lamp = `${boxCode}-${of + 1}-${String(n + 1).padStart(2, '0')}`
          return { lamp, circuit: of + 1, pole: n + 1, ratedW: LAMP_W, hours: 4_100 + ((n * 37) % 900) }
        }),
      )
export const circuitsOf = ({ circuits }: PlannedBox) => circuits.map((lamps, n) => ({ circuit: n + 1, ratedW: lamps * LAMP_W }))

/** The boxes' controllers, all with the demo's password; a new one too. */
export async function enrolBoxes(house: House, enterprise: number, secret: string): Promise<void> {
  const secretHash = await hashOf(secret)
  await house.writing(enterprise, 'demo', async (tx) => {
    for (const one of BOXES)
      await enrol(tx, { sn: controllerOf(one), name: `${one.name}集控器`, type: LAMP_CONTROLLER, intervalSec: STEP_MS / 1000, secretHash })
  })
}

/** Boxes, circuits and programs as an engineer makes them, and the last days as the boxes told them: through the gateway's own door. */
export async function addLamps(house: House, enterprise: number, client: Client, nowMs: number): Promise<void> {
  for (const one of BOXES) {
    const { boxCode, name, lng, lat } = one
    await client.ask(box.add, {
      boxCode,
      name,
      lng,
      lat,
      phaseCount: 3,
      regionCode: REGION,
      gatewayNo: controllerOf(one),
      meterNo: `DB${boxCode.slice(3)}`,
      ratioCt: 20,
    })
    for (const [n, lamps] of one.circuits.entries())
      await client.ask(wiring.add, {
        wiringCode: `${boxCode}-${n + 1}`,
        boxCode,
        name: n === 2 ? '景观路' : n === 1 ? '南侧' : '北侧',
        circuitNo: n + 1,
        phase: [Phase.a, Phase.b, Phase.c][n % 3]!,
        lampCount: lamps,
        ratedPowerW: lamps * LAMP_W,
        cable: 'YJV-4×25',
      })
  }
  for (const one of BOXES)
    for (const { lamp: lampNo, circuit, pole, ratedW } of singlesOf(one))
      await client.ask(lamp.add, {
        lampNo,
        wiringCode: `${one.boxCode}-${circuit}`,
        ratedPowerW: ratedW,
        poleNo: `${one.name.slice(0, 2)}${pole}`,
        lng: one.lng + pole * POLES_APART,
        lat: one.lat + (circuit - 2) * (POLES_APART / 3),
      })
  await addPrograms(client, nowMs)
  for (const [n, one] of BOXES.entries()) {
    await keepHours(house, enterprise, one, nowMs, randomFrom(7_800 + n))
    await tellPast(house, enterprise, one, nowMs, randomFrom(7_700 + n))
  }
  const { records } = await client.ask(wiring.query, { boxCode: 'LB-007' })
  await client.ask(wiring.update, {
    id: records[0]!.id,
    version: records[0]!.version,
    mode: WiringMode.tagged,
    tagReason: '更换接触器，现场有人作业',
  })
  const [landscape] = (await client.ask(wiring.query, { wiringCode: 'LB-001-3' })).records
  await client.ask(wiring.batchUpdate, {
    wiringIds: [landscape!.id],
    relay: Relay.off,
    untilAt: instantAt(nowMs + DAY_MS),
    reason: '景观灯检修，今晚不开',
  })
}

async function addPrograms(client: Client, nowMs: number): Promise<void> {
  const dates = { dateFrom: dayOf(instantAt(nowMs - 60 * DAY_MS)), dateTo: dayOf(instantAt(nowMs + 300 * DAY_MS)), dayMask: 127 }
  const evening = { at: 'sunset', relay: Relay.on, dim: 100 }
  const morning = { at: 'sunrise', relay: Relay.off, dim: 0 }
  await client.ask(timer.add, {
    ...dates,
    name: '主干道后半夜半亮',
    target: TimerTarget.regions,
    targets: [REGION],
    kind: TimerKind.sun,
    priority: 10,
    actions: [evening, { at: '23:30', relay: Relay.on, dim: 50 }, morning],
  })
  await client.ask(timer.add, {
    ...dates,
    name: '景观灯二十二点关',
    target: TimerTarget.wirings,
    targets: ['LB-001-3', 'LB-003-3'],
    kind: TimerKind.sun,
    priority: 20,
    actions: [
      { at: 'sunset+15', relay: Relay.on, dim: 80 },
      { at: '22:00', relay: Relay.off, dim: 0 },
    ],
  })
  await client.ask(timer.add, {
    ...dates,
    name: '阴天提前亮灯',
    target: TimerTarget.boxes,
    targets: ['LB-005', 'LB-006'],
    kind: TimerKind.sunAndLux,
    priority: 20,
    luxBelow: 30,
    actions: [evening, morning],
  })
  await client.ask(timer.add, {
    ...dates,
    name: '春节全亮',
    dateFrom: '2027-02-05' as never,
    dateTo: '2027-02-20' as never,
    target: TimerTarget.regions,
    targets: ['4206'],
    kind: TimerKind.sun,
    priority: 50,
    actions: [evening, morning],
  })
}

const HOUR_MS = 60 * MINUTE_MS
/** Nobody knows what this one used in which hour of those: its line was away, and the meter went on. */
const GAP = { boxCode: 'LB-005', fromHour: 400, hours: 31 }
/** The months before those days, as the meters of the boxes would have given them to the hours: too many words for a start to hear them one by one. */
async function keepHours(house: House, enterprise: number, one: PlannedBox, nowMs: number, random: Random): Promise<void> {
  const until = Math.floor((nowMs - PAST_DAYS * DAY_MS) / HOUR_MS) * HOUR_MS
  const from = until - (CITY_DAYS - PAST_DAYS) * 24 * HOUR_MS
  const ratedW = circuitsOf(one).reduce((sum, circuit) => sum + circuit.ratedW, 0)
  const whIn = (hourMs: number) =>
    [0, 1, 2, 3].reduce((sum, quarter) => sum + (ratedW / 4) * (seasonalDimAt(hourMs + quarter * STEP_MS) / 100) * (0.96 + random.next() * 0.02), 0)
  const hours = Array.from({ length: (until - from) / HOUR_MS }, (_, n) => ({
    at: instantAt(from + n * HOUR_MS),
    wh: Math.round(whIn(from + n * HOUR_MS)),
  }))
  const lost = one.boxCode === GAP.boxCode ? hours.splice(GAP.fromHour, GAP.hours) : []
  const end = hours[GAP.fromHour]!
  await house.writing(enterprise, 'demo', async (tx) => {
    await run(tx, { sql: HOURS }, [one.boxCode, hours.map(({ at }) => at), hours.map(({ wh }) => wh)])
    if (lost.length > 0) await run(tx, { sql: LOST }, [one.boxCode, end.at, lost.reduce((sum, { wh }) => sum + wh, end.wh), lost[0]!.at])
  })
}
const HOURS = 'insert into lamp.energy (box_code, hour, wh) select $1, h, w from unnest($2::timestamptz[], $3::int[]) k (h, w) on conflict do nothing'
const LOST =
  'update lamp.energy set wh = null, gap_wh = $3::int, gap_from = $4 where enterprise_id = scope_enterprise() and box_code = $1 and hour = $2'

const PAST_DAYS = 1
/** Adds the measurements of a box. Some lamps are out, one box lost its line yesterday, one has an open door. */
async function tellPast(house: House, enterprise: number, one: PlannedBox, nowMs: number, random: Random): Promise<void> {
  const sn = controllerOf(one)
  const until = one.away ? nowMs - 20 * 60 * MINUTE_MS : nowMs
  let kwh = 8_000 + random.next() * 20_000
  const out = one.boxCode === 'LB-004' ? 0.3 : 0.02
  for (let at = nowMs - PAST_DAYS * DAY_MS; at <= until; at += STEP_MS) {
    const dim = dimAt(at)
    const circuits = circuitsOf(one).map(({ circuit, ratedW }) => {
      const p = Math.round(((ratedW * dim) / 100) * (1 - out - random.next() * 0.02))
      return {
        circuit,
        on: dim > 0 ? 1 : 0,
        dim,
        u: 226 + Math.round(random.next() * 8),
        i: Math.round((p / 230) * 100) / 100,
        p,
        pf: dim > 0 ? 0.96 : 0,
      }
    })
    kwh += (circuits.reduce((sum, { p }) => sum + p, 0) * STEP_MS) / 3_600_000_000
    const lamps = singlesOf(one).map(({ lamp, ratedW, hours }) => {
      const fault = BROKEN.includes(lamp)
      return { lamp, on: dim > 0 && !fault ? 1 : 0, dim: fault ? 0 : dim, fault: fault ? 1 : 0, p: fault ? 0 : (ratedW * dim) / 100, hours }
    })
    const body = { kwh: Math.round(kwh * 100) / 100, lux: dim > 0 ? 2 : 800, door: 0, circuits, ...(at + STEP_MS > until && { lamps }) }
    await house.writing(enterprise, 'demo', (tx) =>
      hear(tx, { sn, kind: 'telemetry', mid: `past-${at}`, ts: at, receivedMs: at + 500, offline: false, seq: null, type: 'telemetry', body }),
    )
  }
  // Heard of every quarter of an hour: it is there until it has missed three of them.
  if (!one.away) await house.writing(enterprise, 'demo', (tx) => connected(tx, sn, '127.0.0.1'))
  if (one.boxCode !== 'LB-006') return
  const body = { type: 'alarm', code: 'doorOpen', level: AlarmLevel.minor }
  await house.writing(enterprise, 'demo', (tx) =>
    hear(tx, { sn, kind: 'event', mid: 'door', ts: nowMs, receivedMs: nowMs, offline: false, seq: null, type: 'alarm', body }),
  )
}
function dimAt(ms: number, darkFrom = DARK_FROM, darkTo = DARK_TO): number {
  const hour = ((ms + CITY_OFFSET_MS) % DAY_MS) / HOUR_MS
  return hour >= LATE_HOUR || hour < darkTo ? 50 : hour >= darkFrom ? 100 : 0
}
const YEAR_DAYS = 365.25
/** The middle of June, in days since a new year. */
const LONGEST_DAY = 171
/** Nights are longer in winter: by the season's sunset and sunrise, to some minutes. */
function seasonalDimAt(ms: number): number {
  const season = Math.cos((2 * Math.PI * (ms / DAY_MS - LONGEST_DAY)) / YEAR_DAYS)
  return dimAt(ms, 18.35 + 1.05 * season, 6.35 - season)
}

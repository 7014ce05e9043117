import { randomUUID } from 'node:crypto'
import { enrol, hashOf, hear } from '../domains/device/server/api.ts'
import { associate } from '../domains/fee/contract/associate.ts'
import { berth, BerthType } from '../domains/roadside/contract/berth.ts'
import { district } from '../domains/roadside/contract/district.ts'
import { section, Side, TollMode, SectionLevel } from '../domains/roadside/contract/section.ts'
import { ordersOfStay, payCash } from '../domains/settlement/server/api.ts'
import { keepPicture, recordPicture } from '../domains/system/server/api.ts'
import { drawn } from '../gateways/mqtt/simulator.ts'
import { DAY_MS, instantAt, MINUTE_MS } from '../platform/contract/time.ts'
import { run, type Tx } from '../platform/server/database.ts'
import type { House } from '../platform/server/domain.ts'
import type { Client } from './client.ts'
import { fillDomes, setUpDomes } from './domes.ts'
import { ensureRule, unlessThere } from './setup.ts'
import { type Plate, plateFrom, type Random, randomFrom, COLOURS } from './random.ts'
import { UseStatus } from '../domains/parking/contract/park.ts'
import { PayState } from '../domains/parking/contract/stay.ts'
import { OrderStatus } from '../domains/settlement/contract/order.ts'
import { DeviceType } from '../domains/device/contract/device.ts'

/** A street of the simulated district: its berths, one sensor under each, and a camera on a pole at its end. */
export interface PlannedStreet {
  sectionCode: string
  name: string
  level: 1 | 2 | 3
  berths: number
  /** Where its first berth lies, in WGS-84; the rest follow it eastwards. */
  lng: number
  lat: number
  /** Of the cars that come, so many a day for each berth. */
  turnsADay: number
  /** A camera on a pole sees its plates; where there is none, a collector with a handheld reads them. */
  camera: boolean
}
export interface PlannedDistrict {
  parkCode: string
  name: string
  address: string
  lng: number
  lat: number
  streets: readonly PlannedStreet[]
}
export const DISTRICTS: readonly PlannedDistrict[] = [
  {
    ...{ parkCode: 'R001', name: '老城片区', address: '老城北街一带', lng: 112.2168, lat: 32.0784 },
    streets: [
      { sectionCode: 'R001-01', name: '北街', level: SectionLevel.first, berths: 8, lng: 112.2154, lat: 32.0787, turnsADay: 5, camera: true },
      { sectionCode: 'R001-02', name: '荆州街', level: SectionLevel.second, berths: 6, lng: 112.2172, lat: 32.0773, turnsADay: 3, camera: false },
    ],
  },
  {
    ...{ parkCode: 'R002', name: '航空路片区', address: '航空路一带', lng: 112.2092, lat: 32.1001 },
    streets: [
      { sectionCode: 'R002-01', name: '航空路东段', level: SectionLevel.first, berths: 12, lng: 112.2081, lat: 32.1008, turnsADay: 6, camera: true },
      { sectionCode: 'R002-02', name: '长征路', level: SectionLevel.third, berths: 10, lng: 112.2103, lat: 32.0994, turnsADay: 2, camera: false },
    ],
  },
]
/** The small demo has the first district. */
export const SMALL_DISTRICTS = 1
const REGION = '420607'
/** A berth is six metres long. */
const STEP_DEGREES = 0.000066

export const berthsOf = ({ sectionCode, berths }: PlannedStreet): string[] =>
  Array.from({ length: berths }, (_, n) => `${sectionCode}-${String(n + 1).padStart(3, '0')}`)
export const sensorOf = (seatCode: string) => `GM-${seatCode}`
export const cameraOf = ({ sectionCode }: PlannedStreet) => `HV-${sectionCode}`
export const patrolOf = ({ parkCode }: PlannedDistrict) => `PC-${parkCode}`
const HOUR_MS = 60 * MINUTE_MS

/** Districts, sections and berths as an administrator makes them; then the devices are enrolled and bound. What is there already stays. */
export async function setUpStreets(
  house: House,
  client: Client,
  enterprise: number,
  secret: string,
  districts: readonly PlannedDistrict[],
): Promise<void> {
  const [secretHash, { ruleId }] = await Promise.all([hashOf(secret), ensureRule(client, 'centre')])
  await enrolStreets(house, enterprise, secretHash, districts)
  for (const one of districts) {
    const { parkCode, name, address, lng, lat } = one
    await unlessThere(() => client.ask(district.add, { parkCode, name, regionCode: REGION, address, lng, lat, phone: '0710-3600001' }))
    await unlessThere(() => client.ask(associate.insert, { ruleId: ruleId as never, parkCode }))
    for (const street of one.streets) await setUpStreet(client, one, street)
  }
  await setUpDomes(house, client, enterprise, secretHash, districts)
}

/** Patrol cars, cameras on poles and sensors sign in with the demo's password. */
export async function enrolStreets(house: House, enterprise: number, secretHash: string, districts: readonly PlannedDistrict[]): Promise<void> {
  await house.writing(enterprise, 'demo', async (tx) => {
    for (const one of districts) {
      const { parkCode, name } = one
      await enrol(tx, { sn: patrolOf(one), name: `${name}巡检车`, type: DeviceType.patrolCar, parkCode, secretHash })
      for (const street of one.streets) {
        if (street.camera) await enrol(tx, { sn: cameraOf(street), name: `${street.name}高位视频`, type: DeviceType.highPole, parkCode, secretHash })
        for (const seat of berthsOf(street))
          await enrol(tx, { sn: sensorOf(seat), name: `${street.name}地磁 ${seat.slice(-3)}`, type: DeviceType.berthSensor, parkCode, secretHash })
      }
    }
  })
}

async function setUpStreet(client: Client, { parkCode }: PlannedDistrict, street: PlannedStreet): Promise<void> {
  const { sectionCode, name, level, lng, lat, camera } = street
  const line = [
    [lng, lat],
    [lng + STEP_DEGREES * street.berths, lat],
  ]
  const tollMode = camera ? TollMode.highPole : TollMode.handheld
  await unlessThere(() => client.ask(section.add, { parkCode, sectionCode, name, level, side: Side.right, tollMode, line }))
  const { id, version, flag } = await client.ask(section.info, { sectionCode })
  if (flag === UseStatus.disabled) await client.ask(section.changeFlag, { id, version, flag: UseStatus.inUse })
  for (const [n, seatCode] of berthsOf(street).entries()) {
    await unlessThere(() =>
      client.ask(berth.add, {
        parkCode,
        sectionCode,
        seatCode,
        berthNo: seatCode.slice(-3),
        lng: lng + STEP_DEGREES * n,
        lat,
        type: n === 0 ? BerthType.disabled : BerthType.ordinary,
      }),
    )
    await client.ask(berth.bindPost, { parkCode, seatCode, deviceNo: sensorOf(seatCode) })
    if (camera) await client.ask(berth.bindPost, { parkCode, seatCode, deviceNo: cameraOf(street) })
  }
}
/** Seconds from a sensor's word to a camera's. */
const CAMERA_AFTER_MS = 20_000
/** Of those who leave, so many have paid. */
const PAYS = 0.62

/**
 * The last days of these streets, told by their devices as the gateway hears them: the platform itself decided each stay, its fee and what is owed. A mark in the bindings says
 * that a berth has its past.
 */
export async function fillStreets(
  house: House,
  enterprise: number,
  districts: readonly PlannedDistrict[],
  days: number,
  nowMs: number,
): Promise<void> {
  const collector = { userId: randomUUID(), userName: '路内收费员' }
  const from = nowMs - days * DAY_MS
  const pictures = await Promise.all([1, 2].map(async (n) => (await keepPicture(await drawn('鄂F12345', 'blue', new Date(nowMs - n * HOUR_MS))))!))
  const images = await house.writing(enterprise, 'demo', async (tx) => Promise.all(pictures.map((one) => recordPicture(tx, one, { author: 'demo' }))))
  for (const { parkCode, streets } of districts)
    for (const street of streets)
      for (const [n, seatCode] of berthsOf(street).entries())
        await house.writing(enterprise, 'demo', async (tx) => {
          const bound = await run(
            tx,
            {
              sql: 'update roadside.binding set from_at = $3 where park_code = $1 and seat_code = $2 and to_at is null and from_at > $3 returning id',
            },
            [parkCode, seatCode, instantAt(from)],
          )
          if (bound.length > 0)
            await pastOf(tx, { parkCode, seatCode, street, from, nowMs, collector, images, random: randomFrom(hashOfText(seatCode) + n) })
        })
  await fillDomes(house, enterprise, districts, days, nowMs)
}
interface Past {
  parkCode: string
  seatCode: string
  street: PlannedStreet
  from: number
  nowMs: number
  collector: { userId: string; userName: string }
  images: string[]
  random: Random
}
async function pastOf(tx: Tx, past: Past): Promise<void> {
  const { street, seatCode, from, nowMs, random } = past
  const gap = DAY_MS / street.turnsADay
  for (let at = from + random.next() * gap; at < nowMs - 5 * MINUTE_MS;) {
    const stayMs = Math.min(12 * HOUR_MS, Math.max(4 * MINUTE_MS, random.skewed(70, 0.8) * MINUTE_MS))
    const car = plateFrom(random)
    await tells(tx, sensorOf(seatCode), 'occupied', at)
    if (street.camera) await sees(tx, past, 'occupied', at + CAMERA_AFTER_MS, car, 0)
    else if (random.chance(0.9)) await patrols(tx, past, at + 5 * MINUTE_MS, car)
    const left = at + stayMs
    if (left > nowMs - 4 * MINUTE_MS) return
    await tells(tx, sensorOf(seatCode), 'vacant', left)
    if (random.chance(PAYS)) await pays(tx, past, left + 30_000)
    if (street.camera && random.chance(0.9)) await sees(tx, past, 'vacant', left + CAMERA_AFTER_MS, car, 1)
    at = left + Math.max(6 * MINUTE_MS, random.skewed(0.5, 0.9) * gap)
  }
}
const tells = (tx: Tx, sn: string, type: string, ms: number, body: object = {}) =>
  hear(tx, {
    sn,
    kind: 'event',
    mid: `${type}-${Math.round(ms)}`,
    ts: Math.round(ms),
    receivedMs: Math.round(ms) + 1_000,
    offline: false,
    seq: null,
    type,
    body: { type, ...body },
  })
const sees = (tx: Tx, { street, seatCode, images, random }: Past, type: string, ms: number, { plateNo, plateColor }: Plate, picture: 0 | 1) =>
  tells(tx, cameraOf(street), type, ms, {
    berth: seatCode,
    plate: plateNo,
    color: COLOURS[plateColor],
    confidence: 0.95 + random.next() * 0.05,
    image: images[picture],
  })
const patrols = (tx: Tx, { parkCode, seatCode }: Past, ms: number, { plateNo, plateColor }: Plate) =>
  tells(tx, `PC-${parkCode}`, 'seen', ms, { berth: seatCode, plate: plateNo, color: COLOURS[plateColor], confidence: 0.93 })

/** Cash to the collector, before three minutes have made a debt of it. */
async function pays(tx: Tx, { parkCode, seatCode, collector }: Past, ms: number): Promise<void> {
  const [stay] = await run<{ id: string }>(
    tx,
    {
      sql: `select id from parking.stay where park_code = $1 and seat_code = $2 and pay_state = ${PayState.toPay} order by seen_at desc limit 1`,
    },
    [parkCode, seatCode],
  )
  const order = stay && (await ordersOfStay(tx, stay.id)).find(({ status }) => status === OrderStatus.unpaid)
  if (order) await payCash(tx, { orderId: order.id, amountFen: order.payableFen, actor: collector, at: instantAt(Math.round(ms)) })
}
const hashOfText = (text: string) => [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) | 0, 7)

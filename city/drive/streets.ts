import { type Lane, lane } from '../../gateways/mqtt/simulator.ts'
import { park, ParkType } from '../../domains/parking/contract/park.ts'
import { roadStay } from '../../domains/roadside/contract/roadStay.ts'
import { screen } from '../../domains/roadside/contract/screen.ts'
import type { Instant } from '../../platform/contract/field.ts'
import type { Client } from '../client.ts'
import { type Plate, plateFrom, type Random, COLOURS } from '../random.ts'
import { berthsOf, cameraOf, DISTRICTS, patrolOf, type PlannedDistrict, type PlannedStreet, sensorOf } from '../streets.ts'
import { type Address, pause, pauseWhile } from './world.ts'

/** A berth with the devices that watch it, and what really stands on it. */
export interface DrivenBerth {
  plan: PlannedDistrict
  street: PlannedStreet
  seatCode: string
  sensor: Lane
  car: Plate | null
}
export interface DrivenStreets {
  berths: DrivenBerth[]
  cameras: ReadonlyMap<string, Lane>
  patrols: ReadonlyMap<string, Lane>
}
export interface StreetTally {
  parked: number
  /** Of them, where a camera looks. */
  seen: number
  drove: number
  collected: number
  flapped: number
  toldLate: number
  toldTwice: number
  problems: string[]
}
export const emptyStreets = (): StreetTally => ({ parked: 0, seen: 0, drove: 0, collected: 0, flapped: 0, toldLate: 0, toldTwice: 0, problems: [] })

/** Every berth of the plan's streets that the platform knows, with sensors, cameras and patrol cars of their own on the wire. What stands there since before drives off first. */
export async function connectStreets(client: Client, { url, mqtt, password }: Address, random: Random): Promise<DrivenStreets> {
  const known = await client.ask(park.queryList, { pType: ParkType.roadside })
  const plans = DISTRICTS.filter(({ parkCode }) => known.some((one) => one.parkCode === parkCode))
  const wire = (sn: string) => lane({ sn, secret: password, url: mqtt, http: url, direction: 'in', passAfterMs: null, keepaliveS: KEEPALIVE_S })
  const berths: DrivenBerth[] = []
  const cameras = new Map<string, Lane>()
  const patrols = new Map<string, Lane>()
  for (const plan of plans) {
    patrols.set(plan.parkCode, await wire(patrolOf(plan)))
    const seats = await client.ask(screen.parkSeatList, { parkCode: plan.parkCode, limit: 500 })
    for (const street of plan.streets) {
      if (street.camera) cameras.set(street.sectionCode, await wire(cameraOf(street)))
      const known = seats.filter(({ seatCode }) => berthsOf(street).includes(seatCode))
      for (const { seatCode, stayId } of known) {
        const car = stayId === null ? null : await standsOn(client, { parkCode: plan.parkCode, seatCode }, random)
        berths.push({ plan, street, seatCode, sensor: await wire(sensorOf(seatCode)), car })
      }
    }
  }
  return { berths, cameras, patrols }
}
const KEEPALIVE_S = 60
/**
 * Reads a plate that no camera has read, as a collector on the street does. A car that left a moment ago stands on its berth for
 * the platform alone.
 */
async function standsOn(client: Client, berth: { parkCode: string; seatCode: string }, random: Random): Promise<Plate | null> {
  const { stay } = await client.ask(screen.parkSeat, berth)
  if (!stay || stay.status !== PRESENT) return null
  const { plateNo, plateColor } = stay.plateNo
    ? stay
    : await client.ask(roadStay.fillPlate, { id: stay.id, version: stay.version, ...plateFrom(random) })
  return { plateNo: plateNo!, plateColor: plateColor as Plate['plateColor'] }
}

interface Traffic {
  client: Client
  random: Random
  speed: number
  tally: StreetTally
  going: () => boolean
}
const DAY_S = 86_400
/** Real seconds that a car stands at least, so that a person has the time to collect. */
const STANDS_S = 3
/** How often devices and people do what makes their lives hard. */
const FLAPS = 0.08
const TWICE = 0.05
const LATE = 0.05
const COLLECTS = 0.35

/** Cars come to one berth and leave it; its sensor flaps, repeats itself and is late now and then. */
export async function playBerth(at: DrivenBerth, streets: DrivenStreets, traffic: Traffic): Promise<void> {
  const { random, speed, going, tally } = traffic
  const gap = () => (-Math.log(1 - random.next()) * DAY_S) / at.street.turnsADay / 2 / speed
  while (going()) {
    if (!at.car) await pauseWhile(going, Math.min(gap(), 20) * 1000)
    if (!going() && !at.car) return
    try {
      if (!at.car) await parks(at, streets, traffic)
      await pauseWhile(going, Math.max(STANDS_S, Math.min(gap(), 15)) * 1000)
      if (random.chance(COLLECTS)) await collects(at, traffic)
      await drivesOff(at, streets, traffic)
    } catch (error) {
      tally.problems.push(`${at.seatCode}: ${(error as Error).message}`)
    }
  }
}

async function parks(at: DrivenBerth, { cameras }: DrivenStreets, { random, tally }: Traffic): Promise<void> {
  const car = plateFrom(random)
  const ts = Date.now()
  at.car = car
  tally.parked++
  const mid = random.chance(TWICE) ? `twice-${at.seatCode}-${ts}` : undefined
  const said = { type: 'occupied', berth: at.seatCode, ts, ...(mid && { mid }) }
  await at.sensor.event(said)
  if (mid) {
    tally.toldTwice++
    await at.sensor.event(said)
  }
  const camera = cameras.get(at.street.sectionCode)
  if (!camera) return
  tally.seen++
  await camera.event({ ...seenBy(at, car, random), type: 'occupied' })
}
const seenBy = (at: DrivenBerth, { plateNo, plateColor }: Plate, random: Random) => ({
  berth: at.seatCode,
  plate: plateNo,
  color: COLOURS[plateColor],
  confidence: 0.95 + random.next() * 0.05,
})

async function drivesOff(at: DrivenBerth, { cameras }: DrivenStreets, { random, tally }: Traffic): Promise<void> {
  const car = at.car!
  if (random.chance(FLAPS)) {
    tally.flapped++
    await at.sensor.event({ type: 'vacant', berth: at.seatCode })
    await pause(300)
    await at.sensor.event({ type: 'occupied', berth: at.seatCode })
    await pause(300)
  }
  at.car = null
  tally.drove++
  const ts = Date.now()
  if (random.chance(LATE)) {
    tally.toldLate++
    await pause(1_500)
  }
  await at.sensor.event({ type: 'vacant', berth: at.seatCode, ts })
  const camera = cameras.get(at.street.sectionCode)
  if (camera) await camera.event({ ...seenBy(at, car, random), type: 'vacant' })
}

/** A collector goes to the car: reads its plate where no camera did, and takes the cash that is due. */
async function collects(at: DrivenBerth, { client, tally }: Traffic): Promise<void> {
  const { parkCode } = at.plan
  const { stay } = await client.ask(screen.parkSeat, { parkCode, seatCode: at.seatCode })
  if (!stay || stay.status !== PRESENT) return
  const named =
    stay.plateNo === null
      ? await client.ask(roadStay.fillPlate, { id: stay.id, version: stay.version, plateNo: at.car!.plateNo, plateColor: at.car!.plateColor })
      : stay
  const { version, orderId, dueFen } = await client.ask(roadStay.bill, { id: named.id, version: named.version })
  if (!orderId || dueFen === 0) return
  await client.ask(roadStay.collect, { id: named.id, version, amountFen: dueFen })
  tally.collected++
}
const PRESENT = 1

/** The patrol car drives by and tells every plate that it sees; where a sensor is blind, it finds the car. */
export async function playPatrol(parkCode: string, { berths, patrols }: DrivenStreets, { random, going }: Traffic): Promise<void> {
  const car = patrols.get(parkCode)!
  while (going()) {
    for (const at of berths.filter(({ plan }) => plan.parkCode === parkCode)) {
      if (!going()) return
      await pauseWhile(going, ROUND_MS)
      if (at.car && random.chance(0.5)) await car.event({ ...seenBy(at, at.car, random), type: 'seen', confidence: 0.93 })
    }
    await pauseWhile(going, ROUND_MS)
  }
}
const ROUND_MS = 700

/** Does the platform say of every berth what really stands there? A car that left is on its berth for three minutes more, in case it had not. */
export async function compareStreets(
  client: Client,
  { berths }: DrivenStreets,
  before: Instant,
  tally: StreetTally,
): Promise<{ what: string; right: boolean }[]> {
  const driven = tally.parked + tally.drove
  const lines = [{ what: `Cars that came to berths or left them: ${driven}, of ${berths.length} berths`, right: driven > 0 }]
  for (const parkCode of new Set(berths.map(({ plan }) => plan.parkCode))) {
    const mine = berths.filter(({ plan }) => plan.parkCode === parkCode)
    const seats = await client.ask(screen.parkSeatList, { parkCode, limit: 500 })
    const { records } = await client.ask(roadStay.present, { parkCode, status: [PRESENT], limit: 500 } as never)
    const wrong = mine.filter(({ seatCode, car }) => records.some((one) => one.seatCode === seatCode) !== (car !== null))
    lines.push({ what: `${parkCode} berths that are taken by the platform / in the street: ${wrong.length} differ`, right: wrong.length === 0 })
    const overview = await client.ask(screen.overview, { parkCode })
    const sum = overview.occupied + overview.free + overview.abnormal + overview.disabled
    lines.push({
      what: `${parkCode} berths in all / by their state: ${overview.seatTotal} / ${sum}`,
      right: overview.seatTotal === sum && seats.length === overview.seatTotal,
    })
  }
  // Where only sensors see, cars that change places within three minutes are one stay to the platform, and in fast motion all of them do.
  const seen = new Set(berths.filter(({ street }) => street.camera).map(({ street }) => street.sectionCode))
  let begun = 0
  for (const sectionCode of seen) {
    const asked = { queryMode: 'total', arrivedAtFrom: before, sectionCode } as never
    const [standing, ended] = await Promise.all([client.ask(roadStay.present, asked), client.ask(roadStay.roadOut, asked)])
    begun += standing.total + ended.total
  }
  if (seen.size > 0) lines.push({ what: `Stays begun under cameras / cars that parked there: ${begun} / ${tally.seen}`, right: begun === tally.seen })
  return lines
}

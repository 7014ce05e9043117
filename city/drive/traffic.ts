import { stay, SessionStatus } from '../../domains/parking/contract/stay.ts'
import { CITY_OFFSET_MS } from '../../platform/contract/time.ts'
import type { Client } from '../client.ts'
import { RHYTHMS } from '../plan.ts'
import { type Plate, plateFrom, type Random, COLOURS } from '../random.ts'
import type { Driver } from './driver.ts'
import { type EtcLanes, faces, isDoubtful } from './etc.ts'
import { type DrivenLane, type DrivenPark, opensWithin, passThrough, pause, pauseWhile } from './world.ts'
import { PlateColor } from '../../platform/contract/plate.ts'

/** The traffic of one park: cars come by the rhythm of the hour, and as many of those inside leave. */
export interface Tally {
  came: number
  left: number
  refused: number
  misread: number
  tailgated: number
  offline: number
  late: number
  paid: number
  problems: string[]
}
export const emptyTally = (): Tally => ({ came: 0, left: 0, refused: 0, misread: 0, tailgated: 0, offline: 0, late: 0, paid: 0, problems: [] })

/** Of a hundred readings so many are wrong by one letter; so many are shown with a picture. */
const MISREAD = 0.02
const PICTURED = 0.3
/** So long a driver waits before the boom: whoever drives off earlier is let in behind their back. */
const WAITS_MS = 20_000
/** A car that has nothing to pay is let out within this; after it the driver takes the phone out. */
const FREE_OPENS_MS = 2_500
/** A lane that was cut off is so for this long, in real time. */
const CUT_MS = 8_000
const CUT_EACH_S = 90

export async function playPark(
  park: DrivenPark,
  traffic: { client: Client; driver: Driver; etc: EtcLanes; random: Random; speed: number; tally: Tally; going: () => boolean },
): Promise<void> {
  const arrivals = park.entries.map((at) => arrive(park, at, traffic))
  const departures = park.exits.map((at) => depart(park, at, traffic))
  await Promise.all([...arrivals, ...departures, ...park.entries.slice(0, 1).map((at) => cutNowAndThen(at, traffic))])
}
type Traffic = Parameters<typeof playPark>[1]

/** Real seconds until the next car at one of `lanes` lanes, at this hour of the city and this speed. */
function untilNext({ plan, entries }: DrivenPark, { random, speed }: Traffic): number {
  const rhythm = RHYTHMS[plan.rhythm]
  const hour = new Date(Date.now() + CITY_OFFSET_MS).getUTCHours()
  const share = Math.max(rhythm[hour]!, 1) / rhythm.reduce((sum, weight) => sum + weight, 0)
  const perSecond = ((plan.carsPerDay * share) / 3600 / entries.length) * speed
  return -Math.log(1 - random.next()) / perSecond
}

async function arrive(park: DrivenPark, at: DrivenLane, traffic: Traffic): Promise<void> {
  const { random, tally, going } = traffic
  while (going()) {
    await pauseWhile(going, untilNext(park, traffic) * 1000)
    if (!going()) return
    const car = plateFrom(random)
    const { away, cuts } = at.lane
    await report(at, car, traffic)
    // Cut off, before the car came or while it was read, the lane decides by itself: it opens.
    const cut = away || at.lane.cuts > cuts
    if (cut) tally.offline++
    if (!cut && !(await opensWithin(at, WAITS_MS))) {
      tally.refused++
      continue
    }
    await passThrough(at)
    tally.came++
  }
}

async function depart(park: DrivenPark, at: DrivenLane, traffic: Traffic): Promise<void> {
  const { random, tally, going, driver, etc } = traffic
  while (going()) {
    await pauseWhile(going, untilNext(park, traffic) * 1000)
    const car = going() ? await someoneInside(park, traffic) : undefined
    if (!car) continue
    const antenna = faces(etc, at, car)
    await report(at, car, traffic)
    if (await opensWithin(at, FREE_OPENS_MS)) {
      await passThrough(at)
      tally.left++
      continue
    }
    const out = await (isDoubtful(antenna) ? driver.doubtful(at) : driver.settle(park, at, car, random)).catch((error: Error) => {
      tally.problems.push(`${park.plan.parkCode} ${car.plateNo}: ${error.message}`)
      return 'stays' as const
    })
    if (out === 'stays' && at.lane.barrier === 'closed') continue
    if (out === 'stays') await passThrough(at) // it was let out after all, only later
    if (out === 'late') tally.late++
    if (out === 'tailgated') tally.tailgated++
    else tally.paid++
    tally.left++
  }
}

/** A car that has been inside a while; not one that another exit is busy with. */
const leaving = new Set<string>()
async function someoneInside({ plan }: DrivenPark, { client, random }: Traffic): Promise<Plate | undefined> {
  const { records } = await client.ask(stay.queryPresentPage, {
    parkCode: plan.parkCode,
    limit: 50,
    status: [SessionStatus.present],
    current: 1 + random.below(3),
  } as never)
  const free = records.filter(({ plateNo }) => !leaving.has(`${plan.parkCode} ${plateNo}`))
  if (free.length === 0) return undefined
  const { plateNo, plateColor } = random.oneOf(free) as { plateNo: string; plateColor: number | null }
  leaving.add(`${plan.parkCode} ${plateNo}`)
  return { plateNo, plateColor: plateColor === PlateColor.yellow || plateColor === PlateColor.green ? plateColor : PlateColor.blue }
}

const CONFUSED: Record<string, string> = { '0': 'D', '8': 'B', '5': 'S', '2': 'Z', '6': 'G', B: '8', D: '0', S: '5', Z: '2', G: '6' }
async function report(at: DrivenLane, car: Plate, { random, tally }: Traffic): Promise<void> {
  let plate = car.plateNo
  if (random.chance(MISREAD)) {
    const place = [...plate].findIndex((letter, i) => i > 1 && CONFUSED[letter])
    if (place > 0) {
      plate = `${plate.slice(0, place)}${CONFUSED[plate[place]!]}${plate.slice(place + 1)}`
      tally.misread++
    }
  }
  const color = COLOURS[car.plateColor]
  const image = at.lane.client.connected && random.chance(PICTURED) ? await at.lane.picture(car.plateNo, color).catch(() => undefined) : undefined
  await at.lane.plate({ plate, color, confidence: plate === car.plateNo ? 0.97 : 0.72, ...(image && { image }) })
}

/** A contractor's digger, a loose plug: the lane goes on by itself and tells later. */
async function cutNowAndThen(at: DrivenLane, { random, going }: Traffic): Promise<void> {
  while (going()) {
    await pauseWhile(going, random.next() * 2 * CUT_EACH_S * 1000)
    if (!going() || at.lane.barrier === 'open') continue
    at.lane.cutOff()
    await pause(CUT_MS)
    await at.lane.restore()
  }
}

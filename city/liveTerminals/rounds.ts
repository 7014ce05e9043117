import sharp from 'sharp'
import { type SimulatedTerminal, simulateTerminal, type Spot } from '../../gateways/jt808/simulator.ts'
import { instantAt, MINUTE_MS } from '../../platform/contract/time.ts'

const METRE = { lng: 1 / 94_300, lat: 1 / 111_000 }
type Point = readonly [x: number, y: number]
/** Rounds through the district, by metres east and north of its middle. */
const MIDDLE = { lng: 112.2266, lat: 32.0981 }
const ROUNDS: readonly (readonly Point[])[] = [
  [
    [0, 0],
    [900, 0],
    [900, 700],
    [-600, 700],
    [-600, -500],
    [0, -500],
    [0, 0],
  ],
  [
    [-400, 300],
    [-1_500, 300],
    [-1_500, 1_400],
    [-200, 1_400],
    [-200, 600],
    [-400, 300],
  ],
  [
    [300, -200],
    [1_800, -200],
    [1_800, -1_300],
    [500, -1_300],
    [300, -200],
  ],
]
const EVERY_MS = 15_000
/** Metres a second, 29 km/h. */
const PACE = 8
const TENTHS = 36

/** A car of the fleet on its round: how far it has come says where it is. */
export interface DrivenCar {
  vehicleNo: string
  deviceNo: string
  round: number
  /** Its odometer where the round begins, and now. */
  fromM: number
  mileageM: number
}

/** Where it was, every quarter of a minute: `mileageM` is its odometer at the beginning. */
export function spotsOf(car: DrivenCar, fromMs: number, toMs: number): Spot[] {
  const spots: Spot[] = []
  for (let ms = fromMs; ms <= toMs; ms += EVERY_MS) spots.push(spotAt({ ...car, mileageM: car.mileageM + (PACE * (ms - fromMs)) / 1_000 }, ms))
  return spots
}

/** Where a car is on its round, which it drives again and again. */
export function spotAt({ round, fromM, mileageM }: DrivenCar, ms: number, stands = false): Spot {
  const points = ROUNDS[round]!
  const long = roundM(round)
  let left = (((mileageM - fromM) % long) + long) % long
  let leg = 0
  while (leg < points.length - 2 && left > legM(points, leg)) left -= legM(points, leg++)
  const [[x, y], [toX, toY]] = [points[leg]!, points[leg + 1]!]
  const part = left / legM(points, leg)
  return {
    at: instantAt(Math.floor(ms / 1_000) * 1_000),
    lng: MIDDLE.lng + (x + (toX - x) * part) * METRE.lng,
    lat: MIDDLE.lat + (y + (toY - y) * part) * METRE.lat,
    speed: stands ? 0 : PACE * TENTHS,
    acc: !stands,
    heading: Math.round((Math.atan2(toX - x, toY - y) * 180) / Math.PI + 360) % 360,
    mileageM,
  }
}
const legM = (points: readonly Point[], leg: number) => Math.hypot(points[leg + 1]![0] - points[leg]![0], points[leg + 1]![1] - points[leg]![1])
const roundM = (round: number) => ROUNDS[round]!.slice(1).reduce((sum, _, leg) => sum + legM(ROUNDS[round]!, leg), 0)

export async function signedIn(port: number, { vehicleNo, deviceNo }: DrivenCar): Promise<SimulatedTerminal> {
  const terminal = await simulateTerminal({ port, phone: deviceNo, terminalId: `KB${deviceNo.slice(-5)}` })
  const signed = await terminal.signIn(vehicleNo)
  if (typeof signed === 'number') throw new Error(`The terminal of ${vehicleNo} was refused: ${signed}`)
  return terminal
}

/** Between rounds the engine is off for longer than a stop takes to be one. */
const REST_MS = 7 * MINUTE_MS
const AGAIN_MS = 5_000
const BY_CLOCK = 1_000_000
export interface Drive {
  port: number
  going(): boolean
  everyMs?: number
}
/** One car, round after round, with a rest between them. A line that was cut is opened anew. */
export async function keepDriving(car: DrivenCar, { port, going, everyMs = EVERY_MS }: Drive): Promise<void> {
  const picture = await sees(car.vehicleNo)
  const drive: Driven = { mileageM: car.mileageM, restsUntil: 0 }
  while (going()) {
    await onLine(car, picture, drive, { port, going, everyMs }).catch(() => {})
    if (going()) await after(AGAIN_MS)
  }
}
interface Driven {
  mileageM: number
  restsUntil: number
}
async function onLine(car: DrivenCar, picture: Buffer, drive: Driven, { port, going, everyMs }: Required<Drive>): Promise<void> {
  const terminal = await signedIn(port, car)
  terminal.manners.picture = picture
  try {
    // One by its own clock, when it has come; its camera counts those that are ordered from one on.
    await terminal.drives(spotAt({ ...car, mileageM: drive.mileageM }, Date.now()))
    await terminal.sendsPicture(BY_CLOCK, 1, picture, spotAt({ ...car, mileageM: drive.mileageM }, Date.now()))
    while (going()) {
      await Promise.race([after(everyMs), terminal.closed.then(() => Promise.reject(new Error('cut')))])
      const rests = Date.now() < drive.restsUntil
      const before = drive.mileageM
      if (!rests) drive.mileageM += (PACE * everyMs) / 1_000
      if (roundsOf(car, drive.mileageM) > roundsOf(car, before)) drive.restsUntil = Date.now() + REST_MS
      await terminal.drives(spotAt({ ...car, mileageM: drive.mileageM }, Date.now(), rests))
    }
  } finally {
    terminal.close()
  }
}
const roundsOf = ({ round, fromM }: DrivenCar, mileageM: number) => Math.floor((mileageM - fromM) / roundM(round))
const after = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

/** The view of its camera: the road ahead. */
const sees = (vehicleNo: string): Promise<Buffer> =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><rect width="640" height="360" fill="#9fb6c9"/><rect y="130" width="640" height="60" fill="#7d8a72"/>
      <path d="M0 360 L280 170 L360 170 L640 360 Z" fill="#4a4d52"/><path d="M316 180 L324 180 L334 360 L306 360 Z" fill="#e8e4d0"/><path d="M40 130 L40 60 L150 60 L150 160 L40 160 Z M500 150 L500 40 L610 40 L610 170 L500 170 Z" fill="#b9aea0"/>
      <rect width="640" height="30" fill="#000" opacity="0.5"/><text x="12" y="21" font-family="sans-serif" font-size="16" fill="#fff">${vehicleNo}  CH1</text></svg>`),
  )
    .jpeg({ quality: 75 })
    .toBuffer()

import { simulateTerminal, type Spot } from '../gateways/jt808/simulator.ts'
import { instantAt, MINUTE_MS } from '../platform/contract/time.ts'

const METRE = { lng: 1 / 94_300, lat: 1 / 111_000 }
/** Rounds through the district, by metres east and north of its middle. */
const MIDDLE = { lng: 112.2266, lat: 32.0981 }
const ROUNDS: readonly (readonly [number, number])[][] = [
  [[0, 0], [900, 0], [900, 700], [-600, 700], [-600, -500], [0, -500], [0, 0]],
  [[-400, 300], [-1_500, 300], [-1_500, 1_400], [-200, 1_400], [-200, 600], [-400, 300]],
  [[300, -200], [1_800, -200], [1_800, -1_300], [500, -1_300], [300, -200]],
] // prettier-ignore
const EVERY_MS = 15_000
/** Metres a second, 29 km/h. */
const PACE = 8
const TENTHS = 36
/** Of 36 bytes each; 28 are what one frame holds. */
const BATCH = 25

/** Cars of the fleet that drove their rounds for some time up to now: each says so through the terminals' own door. */
export async function driveRounds(port: number, cars: readonly { vehicleNo: string; deviceNo: string; mileageM: number; minutes: number }[], nowMs: number): Promise<void> {
  for (const [n, { vehicleNo, deviceNo, mileageM, minutes }] of cars.entries()) {
    const terminal = await simulateTerminal({ port, phone: deviceNo, terminalId: `KB${deviceNo.slice(-5)}` })
    const signed = await terminal.signIn(vehicleNo)
    if (typeof signed === 'number') throw new Error(`The terminal of ${vehicleNo} was refused: ${signed}`)
    const spots = spotsOf(ROUNDS[n % ROUNDS.length]!, mileageM, nowMs - minutes * MINUTE_MS, nowMs)
    for (let from = 0; from < spots.length; from += BATCH) await terminal.catchesUp(spots.slice(from, from + BATCH), false)
    terminal.close()
  }
} // prettier-ignore

function spotsOf(round: readonly (readonly [number, number])[], mileageM: number, fromMs: number, toMs: number): Spot[] {
  const spots: Spot[] = []
  let [leg, done, driven] = [0, 0, 0]
  for (let ms = fromMs; ms <= toMs; ms += EVERY_MS) {
    const [x, y] = round[leg]!
    const [toX, toY] = round[(leg + 1) % round.length]!
    const long = Math.hypot(toX - x, toY - y) || 1
    const part = Math.min(1, done / long)
    spots.push({
      at: instantAt(Math.floor(ms / 1_000) * 1_000),
      lng: MIDDLE.lng + (x + (toX - x) * part) * METRE.lng,
      lat: MIDDLE.lat + (y + (toY - y) * part) * METRE.lat,
      speed: PACE * TENTHS,
      heading: Math.round((Math.atan2(toX - x, toY - y) * 180) / Math.PI + 360) % 360,
      mileageM: mileageM + driven,
    })
    driven += (PACE * EVERY_MS) / 1_000
    done += (PACE * EVERY_MS) / 1_000
    if (done < long) continue
    leg = (leg + 1) % (round.length - 1)
    done = 0
  }
  return spots
}

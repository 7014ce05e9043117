import { gate, Direction } from '../../domains/parking/contract/gate.ts'
import { park } from '../../domains/parking/contract/park.ts'
import { type Lane, lane } from '../../gateways/mqtt/simulator.ts'
import type { Client } from '../client.ts'
import { PARKS, type PlannedPark } from '../plan.ts'

export interface Address {
  url: string
  mqtt: string
  /** The payment channel as drivers reach it. */
  pay: string
  /** The issuer of ETC cards, as lanes reach it. */
  issuer: string
  password: string
}
export interface DrivenLane {
  gateCode: string
  lane: Lane
  /** Cars that went through under the boom. */
  passed: number
}
export interface DrivenPark {
  plan: PlannedPark
  entries: DrivenLane[]
  exits: DrivenLane[]
}

/** A car needs this long under the boom. Short, because a city in fast motion has short cars. */
const PASS_MS = 400

/** Every lane of the plan's parks that the platform knows, each with a camera and a barrier of its own on the wire. */
export async function connectLanes(
  client: Client,
  { url, mqtt, password }: Pick<Address, 'url' | 'mqtt' | 'password'>,
  wanted: readonly PlannedPark[] = PARKS,
): Promise<DrivenPark[]> {
  const known = await client.ask(park.queryList, {})
  const plans = wanted.filter(({ parkCode }) => known.some((one) => one.parkCode === parkCode))
  return Promise.all(
    plans.map(async (plan): Promise<DrivenPark> => {
      const { records } = await client.ask(gate.queryPage, { parkCode: plan.parkCode, limit: 100 } as never)
      const made = await Promise.all(
        records.map(async ({ gateCode, direction, cameraId }): Promise<[direction: number, lane: DrivenLane]> => {
          const one = await lane({
            sn: cameraId!,
            secret: password,
            url: mqtt,
            http: url,
            direction: direction === Direction.exit ? 'out' : 'in',
            passAfterMs: null,
            keepaliveS: 60,
            countedTo: Date.now(), // above whatever an earlier city counted to
          })
          return [direction, { gateCode, lane: one, passed: 0 }]
        }),
      )
      const of = (wanted: number) => made.filter(([direction]) => direction === wanted).map(([, one]) => one)
      return { plan, entries: of(Direction.entrance), exits: of(Direction.exit) }
    }),
  )
}

/** The boom went up: the car drives through, and only one does. */
export async function passThrough(at: DrivenLane): Promise<void> {
  await pause(PASS_MS)
  await at.lane.pass()
  at.passed++
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
/** As long as `going` says so. */
export async function pauseWhile(going: () => boolean, ms: number): Promise<void> {
  for (const until = Date.now() + ms; going() && Date.now() < until;) await pause(Math.min(LOOK_MS, until - Date.now()))
}
const LOOK_MS = 250
/** The lane was told to open within this time, or it was not. */
export const opensWithin = (at: DrivenLane, ms: number): Promise<boolean> =>
  at.lane.next('gate.open', ms).then(
    () => true,
    () => false,
  )

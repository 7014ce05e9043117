import { dome } from '../../domains/roadside/contract/dome.ts'
import { IllegalSource, illegalStop } from '../../domains/roadside/contract/illegalStop.ts'
import { type Lane, lane } from '../../gateways/mqtt/simulator.ts'
import type { Instant } from '../../platform/contract/field.ts'
import type { Client } from '../client.ts'
import { ALWAYS, domeOf, PRESETS, sighting } from '../domes.ts'
import { type Plate, plateFrom, type Random, COLOURS } from '../random.ts'
import { DISTRICTS } from '../streets.ts'
import { type Address, pauseWhile } from './world.ts'

/** A dome on the wire, and the cars that stand before it. */
export interface DrivenDome {
  wire: Lane
  /** Cars that it has caught where stopping is always forbidden. */
  caught: Set<string>
}

/** Every dome of the plan that the platform knows. */
export async function connectDomes(client: Client, { url, mqtt, password }: Address): Promise<DrivenDome[]> {
  const known = await client.ask(dome.list, {})
  const mine = DISTRICTS.map(domeOf).filter((sn) => known.some(({ deviceNo }) => deviceNo === sn))
  return Promise.all(
    mine.map(async (sn) => {
      const wire = await lane({ sn, secret: password, url: mqtt, http: url, direction: 'in', keepaliveS: KEEPALIVE_S })
      await wire.telemetry({ capturing: 1 })
      return { wire, caught: new Set<string>() }
    }),
  )
}
const KEEPALIVE_S = 60
/** From one preset to the next. */
const TURN_MS = 3_000
const COMES = 0.4
const LEAVES = 0.15
/** It says the same once more, as one does that heard no receipt. */
const TWICE = 0.1

/** It turns from preset to preset and tells every car that stands there, until it is told to stop; cars come and go. */
export async function playDome({ wire, caught }: DrivenDome, { random, going }: { random: Random; going: () => boolean }): Promise<void> {
  const standing = new Map<number, Plate>()
  for (let turn = 0; going(); turn++) {
    const { presetNo } = PRESETS[turn % PRESETS.length]!
    await pauseWhile(going, TURN_MS)
    const there = standing.get(presetNo)
    if (there && random.chance(LEAVES)) standing.delete(presetNo)
    else if (!there && random.chance(COMES)) standing.set(presetNo, plateFrom(random))
    const car = standing.get(presetNo)
    if (!car || !wire.capturing || !going()) continue
    const image = await wire.picture(car.plateNo, COLOURS[car.plateColor])
    const said = { ...sighting(car, presetNo, random), image, mid: `${wire.sn}-${Date.now()}`, ts: Date.now() }
    await wire.event(said)
    if (random.chance(TWICE)) await wire.event(said)
    if (presetNo === ALWAYS) caught.add(car.plateNo)
  }
}

/** Has the platform caught whom the domes saw? Where stopping is forbidden at some hours only, the hour decides. */
export async function compareDomes(client: Client, domes: readonly DrivenDome[], before: Instant): Promise<{ what: string; right: boolean }[]> {
  return Promise.all(
    domes.map(async ({ wire: { sn }, caught }) => {
      const { records } = await client.ask(illegalStop.query, {
        deviceNo: sn,
        source: [IllegalSource.dome],
        firstAtFrom: before,
        limit: 500,
      } as never)
      const { zone } = PRESETS.find(({ presetNo }) => presetNo === ALWAYS)!
      const plates = new Set(records.filter(({ place }) => place.endsWith(zone)).map(({ plateNo }) => plateNo))
      const right = plates.size === caught.size && [...caught].every((plate) => plates.has(plate))
      return { what: `${sn} illegal stops by the platform / cars that the dome saw: ${plates.size} / ${caught.size}`, right }
    }),
  )
}

import { enrol, hear } from '../domains/device/server/api.ts'
import { dome } from '../domains/roadside/contract/dome.ts'
import { IllegalType } from '../domains/roadside/contract/illegalStop.ts'
import { keepPicture, recordPicture } from '../domains/system/server/api.ts'
import { drawn } from '../gateways/mqtt/simulator.ts'
import { DAY_MS, MINUTE_MS } from '../platform/contract/time.ts'
import { run, type Tx } from '../platform/server/database.ts'
import type { House } from '../platform/server/domain.ts'
import type { Client } from './client.ts'
import { type Plate, plateFrom, type Random, randomFrom, COLOURS } from './random.ts'
import type { PlannedDistrict } from './streets.ts'
import { DeviceType } from '../domains/device/contract/device.ts'

/** Where a dome of the simulated district looks, and when it is forbidden to stop there. */
const SCHOOL = {
  presetNo: 1,
  zone: '小学门口',
  type: IllegalType.noStopping,
  holdMin: 5,
  dayMask: 0b0011111,
  timeFrom: '06:30',
  timeTo: '19:00',
} as const
const FIRE_LANE = { presetNo: 2, zone: '消防通道', type: IllegalType.noStopping, holdMin: 3 } as const
const BUS_STOP = { presetNo: 3, zone: '公交站台', type: IllegalType.noStopping, holdMin: 3, timeFrom: '05:30', timeTo: '22:30' } as const
export const PRESETS = [SCHOOL, FIRE_LANE, BUS_STOP]
/** Forbidden day and night: whenever the city is played, it is caught there. */
export const ALWAYS = FIRE_LANE.presetNo
export const domeOf = ({ parkCode }: Pick<PlannedDistrict, 'parkCode'>) => `DC-${parkCode}`
const DOME = DeviceType.dome
/** The report of a dome about a car that stands at a preset. */
export const sighting = ({ plateNo, plateColor }: Plate, presetNo: number, random: Random) => ({
  ...{ type: 'illegalStop', preset: presetNo, plate: plateNo, color: COLOURS[plateColor], confidence: 0.92 + Math.round(random.next() * 8) / 100 },
})

/** A dome over each district; what is there already stays. */
export async function setUpDomes(
  house: House,
  client: Client,
  enterprise: number,
  secretHash: string,
  districts: readonly PlannedDistrict[],
): Promise<void> {
  for (const { parkCode, name } of districts) {
    const deviceNo = domeOf({ parkCode })
    await house.writing(enterprise, 'demo', (tx) => enrol(tx, { sn: deviceNo, name: `${name}球机`, type: DOME, parkCode, secretHash }))
    const known = await client.ask(dome.presetList, { deviceNo })
    for (const preset of PRESETS.filter(({ presetNo }) => !known.some((one) => one.presetNo === presetNo)))
      await client.ask(dome.presetSave, { deviceNo, ...preset })
  }
}

/** Of the cars that stop where they may not, so many a day. */
const STOPS_A_DAY = 4
const SEEN_EVERY_MS = 4 * MINUTE_MS
/** Adds the sightings of domes in the last days, as the gateway hears them, unless one has spoken already. */
export async function fillDomes(house: House, enterprise: number, districts: readonly PlannedDistrict[], days: number, nowMs: number): Promise<void> {
  for (const district of districts) {
    const sn = domeOf(district)
    const random = randomFrom(Number(district.parkCode.slice(1)))
    await house.writing(enterprise, 'demo', async (tx) => {
      const [spoken] = await run(tx, { sql: 'select 1 from device.message where device_no = $1 limit 1' }, [sn])
      if (spoken) return
      await tells(tx, sn, 'telemetry', nowMs, { capturing: 1 })
      for (let stop = 0; stop < days * STOPS_A_DAY; stop++) await stopped(tx, sn, random, nowMs - random.next() * days * DAY_MS - 20 * MINUTE_MS)
    })
  }
}
async function stopped(tx: Tx, sn: string, random: Random, from: number): Promise<void> {
  const [car, { presetNo }] = [plateFrom(random), random.oneOf(PRESETS)]
  for (let seen = 0; seen <= random.below(3); seen++) {
    const ms = Math.round(from + seen * SEEN_EVERY_MS)
    const kept = (await keepPicture(await drawn(car.plateNo, COLOURS[car.plateColor], new Date(ms))))!
    await tells(tx, sn, 'event', ms, { ...sighting(car, presetNo, random), image: await recordPicture(tx, kept, { author: sn }) })
  }
}
const tells = (tx: Tx, sn: string, kind: 'event' | 'telemetry', ms: number, body: Record<string, unknown>) => {
  const type = kind === 'event' ? String(body['type']) : kind
  return hear(tx, { sn, kind, mid: `${type}-${ms}`, ts: ms, receivedMs: ms + 1_000, offline: false, seq: null, type, body })
}

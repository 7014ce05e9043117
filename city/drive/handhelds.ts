import { device } from '../../domains/device/contract/device.ts'
import { type Lane, lane } from '../../gateways/mqtt/simulator.ts'
import { APP, BEGIN, between, CARRIED, END, type Said } from '../carried.ts'
import type { Client } from '../client.ts'
import type { Random } from '../random.ts'
import { type Address, pauseWhile } from './world.ts'

/** A collector's handheld on the wire: it signs in like every device, tells its battery and what happens to it. */
export interface Handheld {
  wire: Lane
  tollNo: string
}

/** Those of the demo that the platform knows. */
export async function connectHandhelds(client: Client, { mqtt, password }: Address): Promise<Handheld[]> {
  const { records } = await client.ask(device.find, { deviceNo: 'PDA-' } as never)
  const known = CARRIED.filter(([sn]) => records.some(({ deviceNo }) => deviceNo === sn))
  return Promise.all(
    known.map(async ([sn, , tollNo]) => ({
      wire: await lane({ sn, secret: password, url: mqtt, direction: 'in', keepaliveS: KEEPALIVE_S }),
      tollNo,
    })),
  )
}
const KEEPALIVE_S = 60
/** Something happens to a handheld this often at most, and its battery is told. */
const EACH_MS = 30_000
/** Of full; what a minute costs. */
const FULL = 100
const DRAIN = 0.2

/** One shift: it begins, goes on as long as `going` says, and ends. */
export async function carry({ wire, tollNo }: Handheld, { random, going }: { random: Random; going: () => boolean }): Promise<void> {
  const tell = ([level, tag, text]: Said) => wire.event({ type: 'log', level, tag, text, tollNo, app: APP })
  for (const said of BEGIN) await tell(said)
  for (let battery = FULL; going(); battery = Math.max(1, battery - DRAIN)) {
    await wire.telemetry({ battery: Math.round(battery) })
    await pauseWhile(going, EACH_MS * (0.5 + random.next() / 2))
    if (going() && random.chance(0.5)) await tell(between(random.next))
  }
  for (const said of END) await tell(said)
}

import { enrol, hashOf, hear } from '../domains/device/server/api.ts'
import { DAY_MS, dayOf, instantAt, MINUTE_MS, startOf } from '../platform/contract/time.ts'
import type { House } from '../platform/server/domain.ts'
import { APP, BEGIN, between, CARRIED, END, type Said } from './carried.ts'
import { randomFrom } from './random.ts'
import { DeviceType } from '../domains/device/contract/device.ts'

const HANDHELD = DeviceType.handheld
const DAYS = 4

/** All have the demo's password; a new one too. */
export async function enrolHandhelds(house: House, enterprise: number, secret: string): Promise<void> {
  const secretHash = await hashOf(secret)
  await house.writing(enterprise, 'demo', async (tx) => {
    for (const [sn, parkCode] of CARRIED)
      await enrol(tx, { sn, name: `手持机 ${sn.slice(-2)}`, type: HANDHELD, parkCode, gateCode: null as never, secretHash })
  })
}

/** A few days of what three handhelds say of themselves, heard as the gateway hears a device. */
export async function addHandhelds(house: House, enterprise: number, nowMs: number): Promise<void> {
  const { next } = randomFrom(31)
  const today = Date.parse(startOf(dayOf(instantAt(nowMs))))
  await house.writing(enterprise, 'demo', async (tx) => {
    for (const [place, [sn]] of CARRIED.entries()) {
      const body = { battery: [76, 15, 58][place], queue: [0, 4, 0][place], app: APP }
      const heard = { sn, kind: 'telemetry', mid: `${sn}-now`, ts: nowMs, receivedMs: nowMs, offline: false, seq: null, type: '', body } as const
      await hear(tx, heard)
    }
    for (const [sn, , tollNo] of CARRIED)
      for (let back = DAYS - 1; back >= 0; back--)
        for (const [place, [hours, [level, tag, text]]] of shift(next).entries()) {
          const ms = Math.round(today - back * DAY_MS + hours * 60 * MINUTE_MS)
          if (ms > nowMs - MINUTE_MS) continue
          const mid = `${sn}-${ms}-${place}`
          const body = { type: 'log', level, tag, text, tollNo, app: APP }
          await hear(tx, { sn, kind: 'event', mid, ts: ms - 2_000, receivedMs: ms, offline: false, seq: null, type: 'log', body })
        }
  })
}

const FROM_HOUR = 7.5
const SHIFT_HOURS = 10
function shift(next: () => number): [hours: number, Said][] {
  const some = Array.from({ length: 3 + Math.floor(next() * 4) }, (): [number, Said] => [FROM_HOUR + 0.5 + (SHIFT_HOURS - 1) * next(), between(next)])
  const begin = BEGIN.map((said, at): [number, Said] => [FROM_HOUR + (at + next()) / 60, said])
  const end = END.map((said, at): [number, Said] => [FROM_HOUR + SHIFT_HOURS + (at + next()) / 60, said])
  return [...begin, ...some.sort(([a], [b]) => a - b), ...end]
}

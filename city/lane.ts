import { randomUUID } from 'node:crypto'
import { hear } from '../domains/device/server/api.ts'
import { order, OrderStatus } from '../domains/settlement/contract/order.ts'
import { MINUTE_MS } from '../platform/contract/time.ts'
import type { House } from '../platform/server/domain.ts'
import type { Client } from './client.ts'
import { lanesOf, PARKS, type PlannedPark } from './plan.ts'
import type { Plate } from './random.ts'

/** The fee that a driver is asked at the exit. */
export interface Due {
  orderId: string
  payableFen: number
}
export interface Lane {
  /** Comes in hours ago and stands before the exit now. Nothing where it has nothing to pay. */
  visits(car: Plate): Promise<Due | undefined>
  /** The barrier opened for whoever has paid, and closed behind them. */
  leaves(): Promise<void>
}
const STAYED_MS = 300 * MINUTE_MS
const SECOND_MS = 1_000
const OPENS_MS = 3 * SECOND_MS

/** The first way in and the first way out of a park, by what their cameras and barriers say: nobody is connected there yet. */
export function laneOf(house: House, client: Client, enterprise: number, park: PlannedPark): Lane {
  const [entry, exit] = lanesOf(PARKS, park)
  const told = (sn: string, ms: number, type: string, body: Record<string, unknown>) =>
    house.writing(enterprise, 'demo', (tx) =>
      hear(tx, { sn, kind: 'event', mid: randomUUID(), ts: ms, receivedMs: ms, offline: false, seq: null, type, body }),
    )
  const opens = async (sn: string, ms: number) => {
    await told(sn, ms, 'gate', { state: 'opened', cause: 'command' })
    await told(sn, ms + SECOND_MS, 'gate', { state: 'closed', cause: 'command', passed: true })
  }
  const reads = (sn: string, ms: number, { plateNo }: Plate) => told(sn, ms, 'plate', { plate: plateNo, color: 'blue', confidence: 0.97 })
  return {
    async visits(car) {
      const came = Date.now() - STAYED_MS
      await reads(entry!.sn, came, car)
      await opens(entry!.sn, came + OPENS_MS)
      await reads(exit!.sn, Date.now(), car)
      const { records } = await client.ask(order.list, { plateNo: car.plateNo, status: [OrderStatus.unpaid] })
      return records[0] && { orderId: records[0].id, payableFen: records[0].payableFen }
    },
    leaves: () => opens(exit!.sn, Date.now()),
  }
}

import { MINUTE_MS } from '../platform/contract/time.ts'
import { run } from '../platform/server/database.ts'
import type { House } from '../platform/server/domain.ts'
import { orWithout } from './child.ts'
import { DRIVEN } from './fleet.ts'
import { startTerminalsProcess } from './liveTerminals/child.ts'
import { signedIn, spotsOf } from './liveTerminals/rounds.ts'
import { VehicleStatus } from '../domains/fleet/contract/vehicle.ts'

/** Of 36 bytes each; 28 are what one frame holds. */
const BATCH = 25

/** Cars of the fleet that drove their rounds for some time up to now: each says so through the terminals' own door. */
export async function driveRounds(port: number, nowMs: number): Promise<void> {
  for (const { minutes, ...car } of DRIVEN) {
    const terminal = await signedIn(port, car)
    const spots = spotsOf(car, nowMs - minutes * MINUTE_MS, nowMs)
    for (let from = 0; from < spots.length; from += BATCH) await terminal.catchesUp(spots.slice(from, from + BATCH), false)
    terminal.close()
  }
}

/** The cars of the demo drive on for as long as the server is there, in a process of their own: what their terminals are told is answered. */
export async function playTerminals(house: House, enterprise: number, port: number): Promise<void> {
  const rows = await house.reading(enterprise, (tx) =>
    run<{ vehicleNo: string; mileageM: number }>(tx, { sql: LEFT }, [DRIVEN.map(({ vehicleNo }) => vehicleNo)]),
  )
  const cars = DRIVEN.flatMap(({ minutes: _, ...car }) => {
    const left = rows.find(({ vehicleNo }) => vehicleNo === car.vehicleNo)
    return left ? { ...car, mileageM: left.mileageM } : []
  })
  await orWithout(house.log, startTerminalsProcess({ port, cars }))
}
/** Where they were left; a car that was sold, or has another terminal now, drives no more. */
const LEFT = `select v.vehicle_no, t.mileage_m from fleet.terminal t join fleet.vehicle v on v.enterprise_id = t.enterprise_id and v.id = t.vehicle_id and v.device_no = t.device_no
  where t.enterprise_id = scope_enterprise() and v.vehicle_no = any($1) and t.mileage_m is not null and v.status <> ${VehicleStatus.scrapped}`

import type { Instant } from '../../../platform/contract/field.ts'
import { MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { refusal } from '../../../platform/server/refusal.ts'
import { lockRow, setRow } from '../../../platform/server/row.ts'
import { AllocationState, EARLY_MIN, odometerMost, UNFETCHED_MIN } from '../contract/allocation.ts'
import { DriverStatus } from '../contract/driver.ts'
import { Trust } from '../contract/track.ts'
import { VehicleStatus } from '../contract/vehicle.ts'
import { type AllocationRow, allocationRows, type Doing } from './allocationRow.ts'
import { drivers } from './driver.ts'
import { MOVING_FROM } from './moving.ts'
import { FASTEST, ROUNDING_M, WAVERS_M } from './odometer.ts'
import { vehicleRows } from './vehicle.ts'
import { Said } from '../contract/said.ts'

const TooEarly = refusal(
  'fleet.too-early',
  42320,
  '距计划出车超过 {hours} 小时，还不能发车交接；请临近出车时办理',
  'Too early: hand over at most {hours:hour} before the planned start',
)
const OdometerFar = refusal(
  'fleet.odometer-far',
  42352,
  '里程表读数比出车多 {more} 公里，超出出车以来可能行驶的里程，请核对读数',
  'The odometer reading is {more} km above the one it went out with, further than it can have driven since: check the reading',
  422,
)
const NoOdometer = refusal('fleet.no-odometer', 42321, '请填写里程表读数', 'Enter the odometer reading', 422)
const OdometerBack = refusal(
  'fleet.odometer-back',
  42322,
  '里程表读数不能小于 {least} 公里，请核对读数',
  'The odometer reading cannot be below {least} km: check the reading',
  422,
)
const StillOut = refusal(
  'fleet.still-out',
  42323,
  '{what}还没有从派车单 {allocationNo} 还车；请先办理还车',
  'The {whatEn} has not returned from allocation {allocationNo} yet: record that return first',
)

/** The keys change hands: vehicle and driver are in use from now on, and nobody says so by hand. */
export async function handOut({ tx, found, input, actor, at }: Doing): Promise<AllocationRow> {
  if (msOf(found.planFrom) - msOf(at) > EARLY_MIN * MINUTE_MS) throw TooEarly({ hours: EARLY_MIN / 60 })
  const vehicle = await lockRow(tx, vehicleRows, { id: found.vehicleId })
  const driver = await lockRow(tx, drivers, { id: found.driverId })
  const [other] = await run<{ allocationNo: string; ofVehicle: boolean }>(tx, STILL, [found.vehicleId, found.driverId])
  if (other)
    throw StillOut({
      ...(other.ofVehicle ? { what: '该车', whatEn: 'vehicle' } : { what: '该驾驶员', whatEn: 'driver' }),
      allocationNo: other.allocationNo,
    })
  if (input.odoOut === undefined) throw NoOdometer()
  if (input.odoOut < vehicle.mileageM) throw OdometerBack({ least: vehicle.mileageM / 1_000 })
  const row = await setRow(
    tx,
    allocationRows,
    found,
    {
      state: AllocationState.out,
      odoOut: input.odoOut,
      fuelOut: input.fuelOut ?? null,
      imagesOut: input.images ?? null,
      outAt: at,
      outBy: actor.userName,
    },
    at,
  )
  await setRow(tx, vehicleRows, vehicle, { status: VehicleStatus.inUse, mileageM: input.odoOut }, at)
  await setRow(tx, drivers, driver, { status: DriverStatus.driving }, at)
  return row
}
const STILL = {
  sql: `select allocation_no, vehicle_id = $1 as of_vehicle from fleet.allocation where enterprise_id = scope_enterprise() and (vehicle_id = $1 or driver_id = $2) and state = ${AllocationState.out} limit 1`,
}

export async function takeBack({ tx, found, input, actor, at }: Doing): Promise<AllocationRow> {
  const vehicle = await lockRow(tx, vehicleRows, { id: found.vehicleId })
  const driver = await lockRow(tx, drivers, { id: found.driverId })
  if (input.odoIn === undefined) throw NoOdometer()
  if (input.odoIn < found.odoOut!) throw OdometerBack({ least: found.odoOut! / 1_000 })
  if (input.odoIn > odometerMost(found.odoOut!, found.outAt!, at)) throw OdometerFar({ more: Math.round((input.odoIn - found.odoOut!) / 1_000) })
  const trackM = await drivenBy(tx, found, at)
  const changes = {
    state: AllocationState.returned,
    trackM,
    odoOff: trackM !== null && isOff(input.odoIn - found.odoOut!, trackM),
    odoIn: input.odoIn,
    fuelIn: input.fuelIn ?? null,
    imagesIn: input.images ?? null,
    damage: input.damage ?? null,
    inAt: at,
    inBy: actor.userName,
  }
  const row = await setRow(tx, allocationRows, found, changes, at)
  const mileageM = Math.max(vehicle.mileageM, input.odoIn)
  await setRow(tx, vehicleRows, vehicle, { status: VehicleStatus.idle, mileageM }, at)
  await setRow(tx, drivers, driver, { status: DriverStatus.free }, at)
  return row
}

/** More than a tenth and five kilometres apart is no error of reading. */
const OFF_M = 5_000
const isOff = (driven: number, trackM: number) => Math.abs(driven - trackM) > OFF_M && Math.abs(driven - trackM) > trackM / 10
/**
 * By what its terminal's own counter said meanwhile, step by step as a car drives; by the way between its places where that counter has a gap, or stands from one growth to the
 * next while the car goes: one that counts whole kilometres is not counted twice.
 */
export async function drivenBy(tx: Tx, { vehicleId, outAt }: Pick<AllocationRow, 'vehicleId' | 'outAt'>, at: Instant): Promise<number | null> {
  const [track] = await run<{ driven: number | null }>(tx, { sql: DRIVEN }, [vehicleId, outAt, at])
  return track!.driven === null ? null : Number(track!.driven)
}
const DRIVEN = `with p as (select device_time, lng, lat, speed, mileage_m, extract(epoch from device_time - lag(device_time) over w) as s, lag(lng) over w as from_lng, lag(lat) over w as from_lat, lag(mileage_m) over w as from_m
    from fleet.position where enterprise_id = scope_enterprise() and vehicle_id = $1 and device_time between $2 and $3 and trust = ${Trust.good} window w as (order by device_time)),
  step as (select device_time, case when mileage_m - from_m between 0 and s * ${FASTEST} + ${ROUNDING_M} then mileage_m - from_m end as grown,
    case when speed > ${MOVING_FROM} then fleet.metres(from_lng, from_lat, lng, lat) else 0 end as way, mileage_m is not null and from_m is not null as told from p where from_lng is not null),
  numbered as (select *, count(*) filter (where grown is null or grown > 0) over (order by device_time rows between unbounded preceding and 1 preceding) as nth from step),
  stretch as (select bool_or(told) as told, coalesce(sum(grown), 0) as grown, coalesce(sum(way) filter (where grown = 0), 0) as stood, coalesce(sum(way) filter (where grown is null), 0) as unread
    from numbered group by nth)
  select case when bool_or(told) then round(sum(unread + case when stood > ${WAVERS_M} then greatest(grown, stood) else grown end)) end as driven from stretch`

/** Cancels allocations whose car nobody fetched, so that others may have it, and applications that nobody decided in time. */
export const letGo = task('fleet.let-go', ({ tx, at }) => letUnfetchedGo(tx, at), { every: '* * * * *' })
export async function letUnfetchedGo(tx: Tx, at: Instant): Promise<void> {
  const rows = await run<{ id: string }>(tx, UNFETCHED, [at])
  for (const { id } of rows) {
    const found = await lockRow(tx, allocationRows, { id })
    const verdict = found.verdict ?? Said.notFetched({ hours: 4 })
    if (found.state === AllocationState.applied || found.state === AllocationState.approved)
      await setRow(tx, allocationRows, found, { state: AllocationState.cancelled, verdict }, at)
  }
}
const AT_ONCE = 200
const UNFETCHED = {
  sql: `select id from fleet.allocation where enterprise_id = scope_enterprise() and state in (${AllocationState.applied}, ${AllocationState.approved})
    and plan_from < $1::timestamptz - interval '${UNFETCHED_MIN} minutes' order by plan_from limit ${AT_ONCE}`,
}

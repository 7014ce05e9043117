import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { forgetPictures } from '../../system/server/api.ts'
import { AllocationState } from '../contract/allocation.ts'
import { Flag, Motion } from '../contract/supervise.ts'
import { VehicleStatus } from '../contract/vehicle.ts'
import { flagFences } from './fencing.ts'
import { endLate } from './orders.ts'

/** Once, however often it is found. */
export const openFlag = async (tx: Tx, vehicleId: string, kind: number, since: Instant): Promise<void> =>
  void (await run(tx, { sql: 'insert into fleet.flag (vehicle_id, kind, since) values ($1, $2, $3) on conflict do nothing' }, [
    vehicleId,
    kind,
    since,
  ]))
export const closeFlags = async (tx: Tx, vehicleId: string, kinds: readonly number[], until: Instant): Promise<void> =>
  void (await run(
    tx,
    {
      sql: 'update fleet.flag set until = greatest(since, $3::timestamptz) where enterprise_id = scope_enterprise() and vehicle_id = $1 and kind = any ($2::smallint[]) and until is null',
    },
    [vehicleId, kinds, until],
  ))

/** Raises flags that time brings: a car that is not back, a terminal that is not heard. */
export const watch = task('fleet.watch', ({ tx, at }) => watchFleet(tx, at), { every: '* * * * *' })
export const forget = task('fleet.forget', ({ tx, at }) => forgetFleet(tx, at), { every: '27 18 * * *' })
/** Deletes what is older than it may be kept; of a picture its file as well. */
export async function forgetFleet(tx: Tx, at: Instant): Promise<void> {
  await run(tx, { sql: 'select fleet.forget_positions($1)' }, [at])
  const gone = await run<{ image: string }>(tx, { sql: OLD_PICTURES }, [at])
  await forgetPictures(
    tx,
    gone.map(({ image }) => image),
  )
}
const OLD_PICTURES = `delete from fleet.picture where enterprise_id = scope_enterprise() and at < $1::timestamptz - interval '180 days' returning image`
export async function watchFleet(tx: Tx, at: Instant): Promise<void> {
  for (const sql of [OFFLINE, OVERDUE, BACK, SILENT, HEARD]) await run(tx, { sql }, [at])
  await flagFences(tx, at)
  await endLate(tx, at)
}
const OFFLINE = `update fleet.terminal set motion = ${Motion.offline} where enterprise_id = scope_enterprise() and motion <> ${Motion.offline} and heard_at < $1::timestamptz - interval '10 minutes'`
const OVERDUE = `insert into fleet.flag (vehicle_id, kind, since) select vehicle_id, ${Flag.overdue}, plan_to + interval '30 minutes' from fleet.allocation
  where enterprise_id = scope_enterprise() and state = ${AllocationState.out} and plan_to < $1::timestamptz - interval '30 minutes' on conflict do nothing`
const BACK = `update fleet.flag f set until = greatest(since, $1::timestamptz) where enterprise_id = scope_enterprise() and kind = ${Flag.overdue} and until is null and not exists (
  select from fleet.allocation a where a.enterprise_id = f.enterprise_id and a.vehicle_id = f.vehicle_id and a.state = ${AllocationState.out} and a.plan_to < $1::timestamptz - interval '30 minutes')`
const SILENT = `insert into fleet.flag (vehicle_id, kind, since) select t.vehicle_id, ${Flag.silent}, t.heard_at + interval '24 hours' from fleet.terminal t join fleet.vehicle v on v.enterprise_id = t.enterprise_id and v.id = t.vehicle_id
  where t.enterprise_id = scope_enterprise() and t.heard_at < $1::timestamptz - interval '24 hours' and v.status <> ${VehicleStatus.scrapped} on conflict do nothing`
const HEARD = `update fleet.flag f set until = greatest(since, $1::timestamptz) where enterprise_id = scope_enterprise() and kind = ${Flag.silent} and until is null and exists (
  select from fleet.terminal t where t.enterprise_id = f.enterprise_id and t.vehicle_id = f.vehicle_id and t.heard_at >= $1::timestamptz - interval '24 hours')`

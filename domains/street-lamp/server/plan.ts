import type { Day, Instant } from '../../../platform/contract/field.ts'
import { dayBy, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob, task } from '../../../platform/server/job/jobs.ts'
import { CommandState } from '../../device/contract/command.ts'
import { command as order } from '../../device/server/api.ts'
import { BoxUse } from '../contract/box.ts'
import { TimerKind } from '../contract/timer.ts'
import { WiringMode } from '../contract/wiring.ts'
import { type Circuit, nightOf, noonOf, type Program, ranked } from './night.ts'
import { programsFor, ruling } from './status.ts'
import { type Place, sunrise, sunset } from './sun.ts'

/** A box runs without us for so long. */
const NIGHTS = 30
/** A box gets the next nights in time: never with fewer than three weeks left. */
const REFRESH_DAYS = 7
const TTL_MS = 60_000
/** Boxes planned in one go, so that no transaction is long; the rest follow in the next. */
const AT_ONCE = 50

/** These boxes get a new plan, if it differs from theirs. */
export const planAnew = (tx: Tx, boxCodes: readonly string[]) =>
  run(tx, { sql: 'update lamp.box_now set plan_due = true where enterprise_id = scope_enterprise() and box_code = any($1) and not plan_due' }, [
    boxCodes,
  ])
/** Of all boxes that programs of these targets are about. */
export const planAnewOf = (tx: Tx, programs: readonly Pick<Program, 'target' | 'targets'>[]) =>
  Promise.all(programs.map(({ target, targets }) => run(tx, { sql: DUE_OF }, [target, targets])))
const DUE_OF = `update lamp.box_now n set plan_due = true from lamp.box b where n.enterprise_id = scope_enterprise() and b.enterprise_id = n.enterprise_id and b.box_code = n.box_code
  and case $1::int when 2 then exists (select from lamp.wiring w where w.enterprise_id = b.enterprise_id and w.box_code = b.box_code and w.wiring_code = any($2::text[]))
    when 3 then exists (select from unnest($2::text[]) region where b.region_code ^@ platform.region_prefix(region)) else b.box_code = any($2::text[]) end`
/** Soon, and once for all that changes in the same moment. */
export const askForPlans = (tx: Tx) => addJob(tx, planning, {}, { key: 'street-lamp.plan' })
export const planning = task('street-lamp.plan', async ({ tx, at }) => {
  if ((await planBoxes(tx, at)) === AT_ONCE) await askForPlans(tx)
})

interface Due {
  boxCode: string
  lng: number
  lat: number
  regionCode: string | null
}
/** Makes the plans that are due, and sends what the boxes do not have yet. */
export async function planBoxes(tx: Tx, at: Instant): Promise<number> {
  const night = nightOf(msOf(at))
  const due = await run<Due>(tx, { sql: DUE }, [night])
  if (due.length > 0) {
    const wirings = await run<Circuit & { circuitNo: number; mode: number }>(tx, { sql: WIRINGS }, [due.map(({ boxCode }) => boxCode)])
    const rules = ruling(await programsFor(tx, wirings, at, NIGHTS + 1))
    for (const box of due) {
      const plan = planOf(
        box,
        wirings.filter(({ boxCode }) => boxCode === box.boxCode),
        rules.of,
        night,
      )
      await run(tx, { sql: PLANNED }, [box.boxCode, JSON.stringify(plan), night])
    }
  }
  await sendPlans(tx, null, at)
  return due.length
}
const DUE = `select b.box_code, b.lng, b.lat, b.region_code from lamp.box_now n join lamp.box b on b.enterprise_id = n.enterprise_id and b.box_code = n.box_code
  where n.enterprise_id = scope_enterprise() and (n.plan_due or n.plan_night is null or n.plan_night <= $1::date - ${REFRESH_DAYS}) order by b.box_code limit ${AT_ONCE} for update of n skip locked`
const WIRINGS = `select w.wiring_code, w.box_code, b.region_code, b.lng, b.lat, w.circuit_no, w.mode from lamp.wiring w join lamp.box b on b.enterprise_id = w.enterprise_id and b.box_code = w.box_code
  where w.enterprise_id = scope_enterprise() and w.box_code = any($1) order by w.box_code, w.circuit_no`
// Compared where both are stored alike: a column of JSON keeps no order of names.
const PLANNED = `update lamp.box_now set plan_version = plan_version + (plan is distinct from $2::jsonb)::int, plan = $2::jsonb, plan_night = $3, plan_due = false where enterprise_id = scope_enterprise() and box_code = $1`

/** To boxes that have an older one and can be reached; one that has not answered is told again a minute later. */
export async function sendPlans(tx: Tx, boxCode: string | null, at: Instant): Promise<void> {
  const rows = await run<{ boxCode: string; gatewayNo: string; plan: object; planVersion: number }>(tx, { sql: BEHIND }, [
    boxCode,
    at,
    `${MINUTE_MS} ms`,
  ])
  for (const { gatewayNo, plan, planVersion, ...of } of rows) {
    const { id } = await order(tx, { sn: gatewayNo, method: 'lamp.plan', params: { version: planVersion, ...plan }, ttlMs: TTL_MS })
    await run(tx, { sql: SENT }, [of.boxCode, planVersion, at, id])
  }
}
/** A box that is heard gets what it lacks. One whose plan is being made just now was passed over there, as it is held here, or is not seen here yet: it is looked at once more. */
export async function planHeard(tx: Tx, boxCode: string, at: Instant): Promise<void> {
  await sendPlans(tx, boxCode, at)
  if ((await run(tx, { sql: UNPLANNED }, [boxCode])).length > 0) await askForPlans(tx)
}
const UNPLANNED = 'select from lamp.box_now where enterprise_id = scope_enterprise() and box_code = $1 and (plan is null or plan_due)'
const BEHIND = `select b.box_code, b.gateway_no, n.plan, n.plan_version from lamp.box_now n join lamp.box b on b.enterprise_id = n.enterprise_id and b.box_code = n.box_code
    join device.presence p on p.enterprise_id = b.enterprise_id and p.device_no = b.gateway_no
  where n.enterprise_id = scope_enterprise() and ($1::text is null or n.box_code = $1) and n.plan is not null and n.plan_acked < n.plan_version and p.online and b.use_state = ${BoxUse.inUse}
    and (n.plan_sent < n.plan_version or n.plan_sent_at < $2::timestamptz - $3::interval)
    and not exists (select from device.command c where c.enterprise_id = b.enterprise_id and c.device_no = b.gateway_no and c.method = 'lamp.plan' and c.state in (${CommandState.queued}, ${CommandState.sent}, ${CommandState.delivered}))
  order by b.box_code limit ${AT_ONCE}`
const TOLD_AGAIN_MS = 10 * MINUTE_MS
/** A box that does not light what its plan lights may have lost it, as one that was exchanged has: it is told again, but no more often than that. */
export const planLost = (tx: Tx, boxCode: string, at: Instant) => run(tx, { sql: LOST }, [boxCode, at, `${TOLD_AGAIN_MS} ms`])
const LOST = `update lamp.box_now set plan_acked = 0 where enterprise_id = scope_enterprise() and box_code = $1 and plan_acked > 0 and plan_sent_at < $2::timestamptz - $3::interval`
const SENT = 'update lamp.box_now set plan_sent = $2, plan_sent_at = $3, plan_command = $4 where enterprise_id = scope_enterprise() and box_code = $1'

/** Minutes since the noon that begins the night. */
const minutesInto = (night: Day, ms: number) => Math.round((ms - noonOf(night)) / MINUTE_MS)

/**
 * Returns the plan by which a box runs thirty nights by itself: the first night, sunset and sunrise of each (minutes after noon), and for each circuit which program rules
 * how many nights one after the other. A circuit that is switched by hand or tagged out is left alone.
 */
export function planOf(
  place: Place,
  wirings: readonly (Circuit & { circuitNo: number; mode: number })[],
  of: (circuit: Circuit) => Program[],
  from: Day,
) {
  const nights = Array.from({ length: NIGHTS }, (_, n) => dayBy(from, n))
  return {
    from,
    sun: nights.map((night) => [minutesInto(night, sunset(night, place)), minutesInto(night, sunrise(dayBy(night, 1), place))]),
    circuits: wirings.map((one) => ({
      circuit: one.circuitNo,
      ...(one.mode === WiringMode.automatic ? { runs: runsOf(of(one), nights) } : { hold: true }),
    })),
  }
}
function runsOf(programs: readonly Program[], nights: readonly Day[]) {
  const runs: { program: string; nights: number; luxBelow?: number; luxOnly?: true; entries: { at: string; on: number; dim: number }[] }[] = []
  for (const night of nights) {
    const [winner] = ranked(programs, night)
    if (!winner) continue
    const last = runs.at(-1)
    if (last?.program === winner.id) last.nights++
    else
      runs.push({
        program: winner.id,
        nights: 1,
        ...(winner.luxBelow !== null && { luxBelow: winner.luxBelow }),
        ...(winner.kind === TimerKind.lux && { luxOnly: true as const }),
        entries: winner.actions.map(({ at, relay, dim }) => ({ at, on: relay, dim })),
      })
  }
  return runs
}

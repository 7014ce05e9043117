import type { Instant } from '../../../platform/contract/field.ts'
import { DAY_MS, instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { randomUUIDv7 } from 'node:crypto'
import { run, type Tx } from '../../../platform/server/database.ts'
import { task } from '../../../platform/server/job/jobs.ts'
import { AlarmCode } from '../contract/alarm.ts'
import { BoxUse } from '../contract/box.ts'
import { Source, WiringMode } from '../contract/wiring.ts'
import { raise } from './alarm.ts'
import { dispatch, expire, type New, queue, settling } from './command.ts'
import { nightOf, noonOf } from './night.ts'
import { planBoxes, planning } from './plan.ts'
import { type Known, programsFor, ruling } from './status.ts'
import { Said } from '../contract/said.ts'

/** A box that is silent for longer is an alarm. */
const SILENT_MS = 30 * MINUTE_MS
const BY_PROGRAM = Said.program

/** Moves lamps on with time: commands expire, holds end, nights go on, boxes fall silent. */
export async function tick(tx: Tx, at: Instant): Promise<void> {
  await expire(tx, at)
  await endHolds(tx, at)
  await planBoxes(tx, at)
  await warnOfSilent(tx, at)
}

/** Ends holds whose time is over: a circuit that reads otherwise than its program wants is told once more. */
async function endHolds(tx: Tx, at: Instant): Promise<void> {
  const ended = await run<{ wiringId: string }>(tx, { sql: HELD }, [at])
  if (ended.length === 0) return
  const rows = await run<Known>(tx, { sql: ENDED }, [ended.map(({ wiringId }) => wiringId), WiringMode.automatic])
  await run(tx, { sql: LET_GO }, [ended.map(({ wiringId }) => wiringId)])
  const rules = ruling(await programsFor(tx, rows, at))
  const [batchId, end] = [randomUUIDv7(), instantAt(noonOf(nightOf(msOf(at))) + DAY_MS)]
  const wishes = rows.flatMap((row): New[] => {
    const wish = rules.wanted(row, msOf(at))
    if (!wish || wish.relay === null || row.relay === null || (row.relay === wish.relay && row.dim === wish.dim)) return []
    const until = wish.nextEventAt !== null && wish.nextEventAt < end ? wish.nextEventAt : end
    const { wiringCode, boxCode, circuitNo } = row
    return [
      {
        ...{ batchId, wiringId: row.id, wiringCode, boxCode, circuitNo, source: Source.program, relay: wish.relay, dim: wish.dim!, untilAt: null },
        ...{ expiresAt: until, reason: wish.program.name, actorId: null, actorName: BY_PROGRAM },
      },
    ]
  })
  await queue(tx, wishes, at)
  await dispatch(tx, [...new Set(wishes.map(({ boxCode }) => boxCode))].sort(), at)
}
const HELD = `select wiring_id from lamp.wiring_now where enterprise_id = scope_enterprise() and override_until <= $1 order by wiring_id limit 2000 for update skip locked`
const ENDED = `select * from lamp.wiring_line where enterprise_id = scope_enterprise() and id = any($1) and mode = $2::int and box_use_state = ${BoxUse.inUse}`
const LET_GO = `update lamp.wiring_now set override_relay = null, override_dim = null, override_until = null, override_by = null, override_name = null, override_reason = null where enterprise_id = scope_enterprise() and wiring_id = any($1)`

async function warnOfSilent(tx: Tx, at: Instant): Promise<void> {
  const silent = await run<{ boxCode: string }>(tx, { sql: SILENT }, [at, `${SILENT_MS} ms`])
  await raise(
    tx,
    silent.map(({ boxCode }) => ({ boxCode, code: AlarmCode.communicationFailure })),
    at,
  )
}
const SILENT = `select b.box_code from lamp.box b join device.presence p on p.enterprise_id = b.enterprise_id and p.device_no = b.gateway_no
  where b.enterprise_id = scope_enterprise() and b.use_state = ${BoxUse.inUse} and not p.online and p.since < $1::timestamptz - $2::interval
    and not exists (select from lamp.alarm a where a.enterprise_id = b.enterprise_id and a.box_code = b.box_code and a.code = ${AlarmCode.communicationFailure} and a.recovered_at is null) limit 500`

export const tasks = [task('street-lamp.tick', ({ tx, at }) => tick(tx, at), { every: '* * * * *' }), settling, planning]

import type { Instant, Of } from '../../../platform/contract/field.ts'
import { instantAt, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { addJob, task } from '../../../platform/server/job/jobs.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { tell, topic } from '../../../platform/server/realtime.ts'
import { serve } from '../../../platform/server/serve.ts'
import { CommandState } from '../../device/contract/command.ts'
import { command as order } from '../../device/server/api.ts'
import { AlarmCode } from '../contract/alarm.ts'
import { BoxUse } from '../contract/box.ts'
import { Failure, LampCommand, lampCommand, lampCommandSearch } from '../contract/wiring.ts'
import { raise, recover } from './alarm.ts'
import './tables.ts'

const commands = listOver(LampCommand, 'lamp.command', lampCommandSearch)
export const calls = serve(lampCommand, { query: ({ tx, input }) => page(tx, commands, input) })
export const lampTopic = topic('lamp.wiring', 'street-lamp:circuit:view')

type Command = Of<typeof LampCommand>
/** A wish that is ready to be written down. */
export type New = Pick<
  Command,
  'batchId' | 'wiringId' | 'wiringCode' | 'boxCode' | 'circuitNo' | 'source' | 'relay' | 'dim' | 'untilAt' | 'expiresAt'
> & {
  reason: string | null
  actorId: string | null
  actorName: string
}
/** A box obeys within this, or never. */
const TTL_MS = 10_000
/** A contactor has closed, and the box has said so, within this. */
export const READ_BACK_MS = 15_000
const UNDER_WAY = `cmd_state in (${CommandState.sent}, ${CommandState.delivered})`

/** Takes back what waits for a box or for circuits. */
export async function cancelWaiting(tx: Tx, { boxCode, wiringIds }: { boxCode?: string; wiringIds?: readonly string[] }, at: Instant): Promise<void> {
  const sql = `update lamp.command set cmd_state = ${CommandState.cancelled}, failure = ${Failure.cancelled}, finished_at = $3 where enterprise_id = scope_enterprise() and cmd_state = ${CommandState.queued} and ($1::text is null or box_code = $1) and ($2::uuid[] is null or wiring_id = any($2))`
  await run(tx, { sql }, [boxCode ?? null, wiringIds ?? null, at])
}

/** Writes wishes down; of each circuit the last one waits, and those before it are over. */
export async function queue(tx: Tx, wishes: readonly New[], at: Instant): Promise<{ id: string; wiringId: string }[]> {
  const ids = wishes.map(({ wiringId }) => wiringId)
  await run(tx, { sql: SUPERSEDE }, [ids, at])
  return run(tx, { sql: QUEUE }, [JSON.stringify(wishes), at])
}
const SUPERSEDE = `update lamp.command set cmd_state = ${CommandState.cancelled}, failure = ${Failure.superseded}, finished_at = $2 where enterprise_id = scope_enterprise() and cmd_state = ${CommandState.queued} and wiring_id = any($1)`
const QUEUE = `insert into lamp.command (batch_id, wiring_id, wiring_code, box_code, circuit_no, source, relay, dim, until_at, reason, actor_id, actor_name, expires_at, created_at)
  select "batchId", "wiringId", "wiringCode", "boxCode", "circuitNo", source, relay, dim, "untilAt", reason, "actorId", "actorName", "expiresAt", $2::timestamptz
  from jsonb_to_recordset($1::jsonb) as r("batchId" uuid, "wiringId" uuid, "wiringCode" text, "boxCode" text, "circuitNo" smallint, source smallint, relay smallint, dim smallint, "untilAt" timestamptz, reason text, "actorId" uuid, "actorName" text, "expiresAt" timestamptz)
  returning id, wiring_id`

/** Boxes whose wishes are looked at, held until the call is over: a box does one thing at a time. */
export const holdBoxes = (tx: Tx, boxCodes: readonly string[]) =>
  run(tx, { sql: 'select 1 from lamp.box_now where enterprise_id = scope_enterprise() and box_code = any($1) order by box_code for update' }, [
    boxCodes,
  ])

/** Sends what waits for these boxes, where they can be reached and have nothing under way: one message each, with the present wish of every circuit. */
export async function dispatch(tx: Tx, boxCodes: readonly string[], at: Instant): Promise<void> {
  if (boxCodes.length === 0) return
  await holdBoxes(tx, boxCodes)
  const ready = await run<{ boxCode: string; gatewayNo: string; circuits: Circuit[]; ids: string[] }>(tx, { sql: READY }, [boxCodes, at])
  for (const { gatewayNo, circuits, ids } of ready) {
    const { id } = await order(tx, { sn: gatewayNo, method: 'lamp.set', params: { circuits: circuits.map(told) }, ttlMs: TTL_MS })
    await run(tx, { sql: SENT }, [ids, id, at])
  }
  if (ready.length > 0) await tell(tx, lampTopic, { ids: ready.map(({ boxCode }) => boxCode) })
}
interface Circuit {
  circuit: number
  relay: number
  dim: number
  until: Instant | null
}
const told = ({ circuit, relay, dim, until }: Circuit) => ({ circuit, on: relay, dim, ...(until && { until: msOf(until) }) })
const READY = `select b.box_code, b.gateway_no, jsonb_agg(jsonb_build_object('circuit', c.circuit_no, 'relay', c.relay, 'dim', c.dim, 'until', c.until_at) order by c.circuit_no) as circuits, array_agg(c.id) as ids
  from lamp.command c join lamp.box b on b.enterprise_id = c.enterprise_id and b.box_code = c.box_code join device.presence p on p.enterprise_id = b.enterprise_id and p.device_no = b.gateway_no
  where c.enterprise_id = scope_enterprise() and c.box_code = any($1) and c.cmd_state = ${CommandState.queued} and c.expires_at > $2 and p.online and b.use_state = ${BoxUse.inUse}
    and not exists (select from lamp.command o where o.enterprise_id = c.enterprise_id and o.box_code = c.box_code and o.${UNDER_WAY})
    and not exists (select from device.command d where d.enterprise_id = b.enterprise_id and d.device_no = b.gateway_no and d.method = 'lamp.set' and d.state in (${CommandState.queued}, ${CommandState.sent}, ${CommandState.delivered}))
  group by b.box_code, b.gateway_no order by b.box_code`
const SENT = `update lamp.command set cmd_state = ${CommandState.sent}, device_command = $2, sent_at = $3 where enterprise_id = scope_enterprise() and id = any($1)`

interface Over {
  commandId: string
  sn: string
  method: string
  state: 3 | 4 | 5 | 6
}
/** A box has answered, or has not. An answer is no success yet: the read-back decides. */
export async function hearOver(tx: Tx, { commandId, sn, method, state }: Over, at: Instant): Promise<void> {
  if (method === 'lamp.plan' && state === CommandState.done) await run(tx, { sql: PLAN_ACKED }, [commandId])
  if (method !== 'lamp.set') return
  const [of] = await run<{ boxCode: string }>(
    tx,
    { sql: 'select box_code from lamp.command where enterprise_id = scope_enterprise() and device_command = $1 limit 1' },
    [commandId],
  )
  if (!of) return
  await holdBoxes(tx, [of.boxCode])
  if (state !== CommandState.done) {
    await run(tx, { sql: ENDED }, [commandId, state, at])
    await tell(tx, lampTopic, { ids: [of.boxCode] })
    return dispatch(tx, [of.boxCode], at)
  }
  await run(tx, { sql: ACKED }, [commandId, at])
  if ((await readBack(tx, of.boxCode, at)) > 0) {
    await order(tx, { sn, method: 'lamp.read', params: {}, ttlMs: TTL_MS })
    await addJob(tx, settling, { boxCode: of.boxCode }, { runAt: instantAt(msOf(at) + READ_BACK_MS), key: `street-lamp.settle ${commandId}` })
  }
}
const PLAN_ACKED = `update lamp.box_now set plan_acked = greatest(plan_acked, plan_sent) where enterprise_id = scope_enterprise() and plan_command = $1`
const ACKED = `update lamp.command set cmd_state = ${CommandState.delivered}, acked_at = $2 where enterprise_id = scope_enterprise() and device_command = $1 and ${UNDER_WAY} and acked_at is null`
const ENDED = `update lamp.command c set cmd_state = $2::smallint, finished_at = $3, failure = coalesce((select failure from device.command d where d.id = $1), ${Failure.noAnswer}) where c.enterprise_id = scope_enterprise() and c.device_command = $1 and c.${UNDER_WAY}`

/** Ends what the box has answered and what is read back as it was wanted, since it was sent; sends what waits behind it. Answers how many are still open. */
export async function readBack(tx: Tx, boxCode: string, at: Instant): Promise<number> {
  const done = await run<{ wiringId: string; wiringCode: string }>(tx, { sql: AGREED }, [boxCode, at])
  if (done.length > 0) {
    await recover(tx, { boxCode, code: AlarmCode.relayFailure, wiringCodes: done.map(({ wiringCode }) => wiringCode) }, at)
    await tell(tx, lampTopic, { ids: [boxCode] })
  }
  const [open] = await run<{ n: number }>(tx, { sql: OPEN }, [boxCode])
  if (open!.n === 0) await dispatch(tx, [boxCode], at)
  return open!.n
}
const AGREED = `update lamp.command c set cmd_state = ${CommandState.done}, finished_at = $2 from lamp.wiring_now n where c.enterprise_id = scope_enterprise() and c.box_code = $1 and c.${UNDER_WAY} and c.acked_at is not null
  and n.enterprise_id = c.enterprise_id and n.wiring_id = c.wiring_id and n.heard_at >= c.sent_at and n.relay = c.relay and (n.dim is null or n.dim = c.dim) returning c.wiring_id, c.wiring_code`
const OPEN = `select count(*)::int as n from lamp.command where enterprise_id = scope_enterprise() and box_code = $1 and ${UNDER_WAY}`

/** The time for a read-back is over: a circuit that still reads otherwise has failed, whatever the box has answered. */
export async function settle(tx: Tx, boxCode: string, at: Instant): Promise<void> {
  await holdBoxes(tx, [boxCode])
  if ((await readBack(tx, boxCode, at)) === 0) return
  const failed = await run<{ wiringId: string; wiringCode: string }>(tx, { sql: NOT_AGREED }, [boxCode, at, `${READ_BACK_MS} ms`])
  for (const { wiringId, wiringCode } of failed) await raise(tx, [{ boxCode, wiringId, wiringCode, code: AlarmCode.relayFailure }], at)
  await tell(tx, lampTopic, { ids: [boxCode] })
  await dispatch(tx, [boxCode], at)
}
const NOT_AGREED = `update lamp.command set cmd_state = ${CommandState.failed}, failure = ${Failure.readBack}, finished_at = $2 where enterprise_id = scope_enterprise() and box_code = $1 and ${UNDER_WAY}
  and acked_at is not null and acked_at <= $2::timestamptz - $3::interval returning wiring_id, wiring_code`
export const settling = task<{ boxCode: string }>('street-lamp.settle', ({ tx, data, at }) => settle(tx, data.boxCode, at))

/** Expires commands of a night that is over, or of a time that has passed, and finishes those that a process left half done when it died. */
export async function expire(tx: Tx, at: Instant): Promise<void> {
  await run(tx, { sql: EXPIRED }, [at])
  const late = await run<{ boxCode: string }>(tx, { sql: LATE }, [at, `${2 * READ_BACK_MS} ms`])
  for (const { boxCode } of late) await settle(tx, boxCode, at)
  const waiting = await run<{ boxCode: string }>(tx, { sql: WAITING }, [])
  await dispatch(
    tx,
    waiting.map(({ boxCode }) => boxCode),
    at,
  )
}
const EXPIRED = `update lamp.command set cmd_state = ${CommandState.expired}, failure = ${Failure.offline}, finished_at = $1 where enterprise_id = scope_enterprise() and cmd_state = ${CommandState.queued} and expires_at <= $1`
const LATE = `select distinct box_code from lamp.command where enterprise_id = scope_enterprise() and ${UNDER_WAY} and acked_at <= $1::timestamptz - $2::interval limit 200`
const WAITING = `select distinct box_code from lamp.command where enterprise_id = scope_enterprise() and cmd_state = ${CommandState.queued} order by box_code limit 500`

import type { CodeOf, Id, Instant, Of } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { signal, tell } from '../../../platform/server/realtime.ts'
import { CommandState } from '../../device/contract/command.ts'
import { AdminStatus } from '../contract/pile.ts'
import { OperateKind } from '../contract/operateLog.ts'
import { methodKey, type PileCommand, PileFailure, PileMethod } from '../contract/pileCommand.ts'
import { gunTopic, profileTold } from './said.ts'
import './linkTables.ts'
import { paired, SYSTEM } from '../../../platform/contract/said.ts'

/** What nobody asked for by name. */
export type Method = CodeOf<typeof PileMethod>
type Command = Of<typeof PileCommand>
export interface PileOrder {
  equipmentId: string
  connectorId?: string | null
  orderNo?: string | null
  method: Method
  params?: Record<string, unknown>
  reason?: string | null
  byName: string
  ttlSec?: number
  /** It is one of many that the house tells by itself: told by its own history, not among what people did. */
  quiet?: boolean
}
/** Said on commit to all gateways: something waits for this pile. */
export const PILE_SIGNAL = 'charging.pile'
/** How long a command is worth something, and for how long what it asks for may take to be seen. */
const TTL_SEC: Record<Method, number> = {
  [PileMethod.start]: 150,
  [PileMethod.stop]: 120,
  [PileMethod.reset]: 600,
  [PileMethod.unlock]: 60,
  [PileMethod.availability]: 86_400,
  [PileMethod.getConfiguration]: 120,
  [PileMethod.setConfiguration]: 120,
  [PileMethod.trigger]: 60,
  [PileMethod.updateFirmware]: 86_400,
  [PileMethod.getLog]: 3_600,
  [PileMethod.sendLocalList]: 300,
  [PileMethod.reserve]: 60,
  [PileMethod.cancelReservation]: 60,
  [PileMethod.setProfile]: 60,
  [PileMethod.clearProfile]: 60,
  [PileMethod.rotateSecret]: 300,
  [PileMethod.transactionStatus]: 300,
}
/** What was sent and not answered by then got lost on the way, however long it is worth something. */
const ANSWER_SEC = 300
/** What must be seen to happen before it counts as done. Where nothing is listed the pile's own answer says it: read back, unlocked, accepted. */
const EFFECT: Partial<Record<Method, Effect>> = {
  [PileMethod.start]: 'began',
  [PileMethod.stop]: 'ended',
  [PileMethod.reset]: 'boot',
  [PileMethod.availability]: 'availability',
  [PileMethod.trigger]: 'message',
  [PileMethod.updateFirmware]: 'installed',
  [PileMethod.getLog]: 'uploaded',
}
export type Effect = 'began' | 'ended' | 'boot' | 'availability' | 'message' | 'installed' | 'uploaded'

/** Queues a command in the caller's transaction; a gateway sends it after the commit, once. The same start or stop that is under way already is that one. */
export async function command(
  tx: Tx,
  { equipmentId, connectorId = null, orderNo = null, method, params = {}, reason = null, byName, ttlSec = TTL_SEC[method], quiet = false }: PileOrder,
): Promise<Command> {
  if (method === PileMethod.availability) for (const row of await run<Over>(tx, { sql: OUTDATED }, [equipmentId, connectorId])) await over(tx, row)
  const values = [equipmentId, connectorId, orderNo, method, JSON.stringify(params), reason, EFFECT[method] ?? null, byName, ttlSec]
  const [made] = await run<Command>(tx, { sql: QUEUE }, values)
  const found = made ?? (await run<Command>(tx, { sql: UNDER_WAY }, [connectorId, method]))[0]!
  if (made) {
    if (!quiet)
      await noteOperation(tx, {
        equipmentId,
        kind: kindOf(method),
        action: methodKey(method),
        who: byName,
        at: made.createdAt,
        reason,
        params,
        commandId: made.id,
      })
    await signal(tx, PILE_SIGNAL, equipmentId)
    await tell(tx, gunTopic, { park: made.parkCode, ids: [equipmentId] })
  }
  return found
}
/** What a pile is told when people take it into service or out of it; one that has no link is told nothing. What became of it is shown by the line of `operate_log` that names this command. */
export async function tellInUse(
  tx: Tx,
  { equipmentId, chargePointId }: { equipmentId: string; chargePointId: string | null },
  { from, to, byName, reason }: { from: number; to: number; byName: string; reason: string | null },
): Promise<{ params: { commandId: string }; commandState: string } | undefined> {
  const operative = to === AdminStatus.enabled
  if (chargePointId === null || to === AdminStatus.scrapped || operative === (from === AdminStatus.enabled)) return undefined
  const { id } = await command(tx, { equipmentId, method: PileMethod.availability, params: { operative }, reason, byName, quiet: true })
  return { params: { commandId: id }, commandState: paired(CommandState.entries[CommandState.queued]) }
}
/** A pile that was away is told what was last wanted of it and its guns, where nobody could tell it in time or what was sent got no answer: it keeps what it was told before. */
export async function tellInUseAgain(tx: Tx, equipmentId: string): Promise<void> {
  for (const row of await run<Over>(tx, { sql: UNANSWERED }, [equipmentId])) await over(tx, row)
  for (const wanted of await run<PileOrder>(tx, { sql: UNTOLD }, [equipmentId]))
    await command(tx, { ...wanted, equipmentId, method: PileMethod.availability, byName: SYSTEM })
}
/** By the house itself: whether a pile still holds back something of a transaction of which not all was told. */
export const askAfterTransaction = (
  tx: Tx,
  { equipmentId, connectorId, transactionId }: { equipmentId: string; connectorId: string | null; transactionId: string },
): Promise<Command> =>
  command(tx, {
    equipmentId,
    connectorId,
    method: PileMethod.transactionStatus,
    params: { transaction: transactionId },
    byName: SYSTEM,
    quiet: true,
  })
/** Not over yet. */
const UNDER = `(${CommandState.queued}, ${CommandState.sent}, ${CommandState.delivered})`
const COLUMNS =
  'id, equipment_id, park_code, connector_id, order_no, method, params, reason, state, failure, result, by_name, created_at, sent_at, delivered_at, finished_at, expires_at'
const QUEUE = `insert into charging.pile_command (equipment_id, park_code, connector_id, order_no, method, params, reason, effect, by_name, ttl_sec, expires_at)
  select equipment_id, park_code, $2, $3, $4, $5::jsonb, $6, $7, $8, $9::integer, clock_timestamp() + make_interval(secs => $9::integer) from charging.equipment where enterprise_id = scope_enterprise() and equipment_id = $1
  on conflict do nothing returning ${COLUMNS}`
const UNDER_WAY = `select ${COLUMNS} from charging.pile_command where enterprise_id = scope_enterprise() and connector_id = $1 and method = $2 and state in ${UNDER}`

const kindOf = (method: Method) =>
  method === PileMethod.setConfiguration || method === PileMethod.getConfiguration
    ? OperateKind.configuration
    : method === PileMethod.updateFirmware
      ? OperateKind.firmware
      : method === PileMethod.rotateSecret
        ? OperateKind.secret
        : OperateKind.command

export async function noteOperation(
  tx: Tx,
  {
    equipmentId,
    kind,
    action,
    who,
    at,
    reason = null,
    params = null,
    commandId = null,
  }: {
    equipmentId: string
    kind: number
    action: string
    who: string
    at: Instant
    reason?: string | null
    params?: object | null
    commandId?: string | null
  },
): Promise<void> {
  await run(tx, { sql: NOTE }, [
    equipmentId,
    kind,
    action,
    who,
    at,
    reason,
    params === null ? null : JSON.stringify({ ...params, ...(commandId && { commandId }) }),
    commandId === null ? null : paired(CommandState.entries[0]!),
  ])
}
const NOTE = `insert into charging.operate_log (equipment_id, park_code, kind, action, who, at, reason, params, command_state)
  select equipment_id, park_code, $2, $3, $4, $5, $6, $7::jsonb, $8 from charging.equipment where enterprise_id = scope_enterprise() and equipment_id = $1`

export interface Claimed {
  id: Id<'PileCommandId'>
  equipmentId: string
  connectorId: string | null
  orderNo: string | null
  method: Method
  params: Record<string, any>
  effect: Effect | null
}
/** Takes what waits for this pile, in the order in which it was asked: from now on it counts as sent, here and nowhere else. */
export const claimCommands = (tx: Tx, equipmentId: string): Promise<Claimed[]> =>
  run<Claimed>(
    tx,
    {
      sql: `with taken as (update charging.pile_command set state = ${CommandState.sent}, sent_at = clock_timestamp(), expires_at = least(expires_at, clock_timestamp() + make_interval(secs => ${ANSWER_SEC})) where enterprise_id = scope_enterprise() and id in (select id from charging.pile_command
          where enterprise_id = scope_enterprise() and equipment_id = $1 and state = ${CommandState.queued} and expires_at > clock_timestamp() for update skip locked)
          returning id, equipment_id, connector_id, order_no, method, params, effect, created_at)
        select id, equipment_id, connector_id, order_no, method, params, effect from taken order by created_at, id`,
    },
    [equipmentId],
  )
const OVER = 'id, equipment_id, park_code, state, method, failure, clock_timestamp() as over_at'
/** The last word of each gun and of the pile as a whole, which holds for its guns too. */
const UNTOLD = `with last as (select distinct on (connector_id) connector_id, params, reason, state, failure, created_at from charging.pile_command
    where enterprise_id = scope_enterprise() and equipment_id = $1 and method = ${PileMethod.availability} order by connector_id, created_at desc)
  select connector_id, params, reason from last l where state in (${CommandState.failed}, ${CommandState.expired}) and failure in (${PileFailure.offline}, ${PileFailure.noAnswer})
    and not exists (select from last w where w.connector_id is null and w.created_at > l.created_at) order by created_at`
/** Sent over a line that is no more. */
const UNANSWERED = `update charging.pile_command set state = ${CommandState.expired}, failure = ${PileFailure.noAnswer}, finished_at = clock_timestamp()
  where enterprise_id = scope_enterprise() and equipment_id = $1 and method = ${PileMethod.availability} and state = ${CommandState.sent} returning ${OVER}`
/** Waits still, and is not what is wanted any more. */
const OUTDATED = `update charging.pile_command set state = ${CommandState.cancelled}, failure = ${PileFailure.cancelled}, finished_at = clock_timestamp()
  where enterprise_id = scope_enterprise() and equipment_id = $1 and method = ${PileMethod.availability} and state = ${CommandState.queued} and ($2::text is null or connector_id = $2) returning ${OVER}`

export type Answer = { agreed: true; done: boolean; result: unknown } | { agreed: false; failure: CodeOf<typeof PileFailure>; result: unknown }
/** What the pile said to a command. Agreeing is not doing: that waits for its effect, unless the effect was seen already. */
export async function commandAnswered(tx: Tx, id: string, answer: Answer): Promise<void> {
  const state = answer.agreed ? (answer.done ? CommandState.done : CommandState.delivered) : CommandState.failed
  const [row] = await run<Over>(tx, { sql: ANSWERED }, [id, state, answer.agreed ? null : answer.failure, JSON.stringify(answer.result ?? null)])
  if (row) await over(tx, row)
}
const ANSWERED = `update charging.pile_command set state = $2::smallint, failure = $3::smallint, result = $4::jsonb, expires_at = created_at + make_interval(secs => ttl_sec), delivered_at = case when $2::smallint in (${CommandState.delivered}, ${CommandState.done}) then clock_timestamp() end, finished_at = case when $2::smallint in (${CommandState.done}, ${CommandState.failed}) then clock_timestamp() end
  where enterprise_id = scope_enterprise() and id = $1 and state in (${CommandState.sent}, ${CommandState.delivered}) returning ${OVER}`
interface Over {
  id: string
  equipmentId: string
  parkCode: string
  state: CodeOf<typeof CommandState>
  method: Method
  failure: number | null
  overAt: Instant
}
async function over(tx: Tx, { id, equipmentId, parkCode, state, method, failure, overAt: at }: Over): Promise<void> {
  if (method === PileMethod.setProfile || method === PileMethod.clearProfile) await profileTold.ask(tx, { commandId: id, state, failure, method, at })
  const undone = method === PileMethod.reserve && state !== CommandState.done && state !== CommandState.delivered
  if (undone || (method === PileMethod.cancelReservation && state === CommandState.done)) await run(tx, { sql: UNRESERVE }, [id])
  await run(tx, { sql: LOGGED }, [equipmentId, id, paired(CommandState.entries[state])])
  await tell(tx, gunTopic, { park: parkCode, ids: [equipmentId] })
}
const UNRESERVE = `update charging.reservation r set ended_at = clock_timestamp() from charging.pile_command c
  where r.enterprise_id = scope_enterprise() and c.enterprise_id = r.enterprise_id and c.id = $1 and r.reservation_no = (c.params ->> 'reservation')::integer and r.ended_at is null`
const LOGGED = `update charging.operate_log set command_state = $3 where enterprise_id = scope_enterprise() and equipment_id = $1 and at > now() - interval '8 days' and params ->> 'commandId' = $2`

/** Something was seen to happen that a command may have waited for. `where` is what its parameters must say for this to be it: `['version', '1.4']`. */
export async function effectSeen(
  tx: Tx,
  equipmentId: string,
  effect: Effect,
  { connectorId = null, result, where }: { connectorId?: string | null; result?: object; where?: readonly [name: string, value: string] } = {},
): Promise<void> {
  const values = [equipmentId, effect, connectorId, result ? JSON.stringify(result) : null, where?.[0] ?? null, where?.[1] ?? null]
  const rows = await run<Over>(tx, { sql: SEEN }, values)
  for (const row of rows) await over(tx, row)
}
const SEEN = `update charging.pile_command set state = ${CommandState.done}, finished_at = clock_timestamp(), delivered_at = coalesce(delivered_at, clock_timestamp()), result = coalesce($4::jsonb, result)
  where enterprise_id = scope_enterprise() and equipment_id = $1 and effect = $2 and state in (${CommandState.sent}, ${CommandState.delivered}) and ($3::text is null or connector_id is null or connector_id = $3)
    and ($5::text is null or params ->> $5::text = $6::text) returning ${OVER}`
/** Of many piles at once: those at which something waits for it are few, and looked at one by one. */
export async function effectsSeen(tx: Tx, effect: Effect, seen: readonly Seen[]): Promise<void> {
  const waiting = await run<{ equipmentId: string }>(tx, { sql: WAITING }, [seen.map(({ equipmentId }) => equipmentId), effect])
  const ids = new Set(waiting.map(({ equipmentId }) => equipmentId))
  for (const { equipmentId, ...more } of seen) if (ids.has(equipmentId)) await effectSeen(tx, equipmentId, effect, more)
}
export type Seen = { equipmentId: string } & Parameters<typeof effectSeen>[3]
const WAITING = `select distinct equipment_id from charging.pile_command where enterprise_id = scope_enterprise() and equipment_id = any($1) and effect = $2 and state in (${CommandState.sent}, ${CommandState.delivered})`
/** What a command asked for has failed on the pile's own word: an update that did not install, a log that was not sent. */
export async function effectFailed(tx: Tx, equipmentId: string, effect: Effect, result: object): Promise<void> {
  const rows = await run<Over>(tx, { sql: EFFECT_FAILED }, [equipmentId, effect, JSON.stringify(result)])
  for (const row of rows) await over(tx, row)
}
const EFFECT_FAILED = `update charging.pile_command set state = ${CommandState.failed}, failure = ${PileFailure.error}, finished_at = clock_timestamp(), result = $3::jsonb
  where enterprise_id = scope_enterprise() and equipment_id = $1 and effect = $2 and state in (${CommandState.sent}, ${CommandState.delivered}) returning ${OVER}`

/** Commands whose time is over. Called once a second where something is due; several processes may. */
export async function sweepPileCommands(tx: Tx): Promise<{ equipmentId: string }[]> {
  const rows = await run<Over>(tx, { sql: EXPIRE }, [])
  for (const row of rows) await over(tx, row)
  return run(
    tx,
    { sql: `select distinct equipment_id from charging.pile_command where enterprise_id = scope_enterprise() and state = ${CommandState.queued}` },
    [],
  )
}
const EXPIRE = `update charging.pile_command set state = ${CommandState.expired}, finished_at = clock_timestamp(),
    failure = case state when ${CommandState.queued} then ${PileFailure.offline} when ${CommandState.sent} then ${PileFailure.noAnswer} else ${PileFailure.noEffect} end
  where enterprise_id = scope_enterprise() and id in (select id from charging.pile_command where enterprise_id = scope_enterprise() and state in ${UNDER} and expires_at <= clock_timestamp() for update skip locked) returning ${OVER}`

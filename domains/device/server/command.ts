import type { Instant } from '../../../platform/contract/field.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { announce } from '../../../platform/server/events.ts'
import { listOver, page } from '../../../platform/server/page.ts'
import { NotFound, refusal } from '../../../platform/server/refusal.ts'
import { signal, tell } from '../../../platform/server/realtime.ts'
import { serve } from '../../../platform/server/serve.ts'
import { Command, command as contract, CommandFailure, commandSearch, CommandState } from '../contract/command.ts'
import { commandOver, commandTopic, lampCommandOver, stillWaiting } from './events.ts'
import { WarningType, DeviceUse } from '../contract/device.ts'
import { raise, recover } from './warning.ts'
import './tables.ts'

const commands = listOver(Command, 'device.command', commandSearch)
export const calls = serve(contract, { query: ({ tx, input }) => page(tx, commands, input) })

export type Method =
  | 'gate.open'
  | 'gate.close'
  | 'gate.keepOpen'
  | 'display.show'
  | 'voice.play'
  | 'whitelist.sync'
  | 'etc.deduct'
  | 'etc.query'
  | 'lamp.set'
  | 'lamp.plan'
  | 'lamp.read'
  | 'handheld.lock'
  | 'handheld.unlock'
  | 'dome.start'
  | 'dome.stop'
export interface Order {
  sn: string
  method: Method
  params?: Record<string, unknown>
  /** A device ignores a command older than this. */
  ttlMs?: number
  /** The payment order (or stay) that opens the barrier: the device serves it once. */
  orderId?: string
  /** Repeat until acknowledged, as a new command each time and only while `device.stillWaiting` says so. Needs an orderId. */
  persist?: boolean
  /** The treatment of a second `gate.open` within GATE_MS: it waits its turn (a lane's own decision) or is refused (a person's click). */
  tooSoon?: 'wait' | 'refuse'
}
/** A queued command. `already`: the same order's command is still under way; no second one was made. */
export interface Queued {
  id: string
  sn: string
  method: string
  params: Record<string, unknown>
  orderId: string | null
  state: number
  createdAt: Instant
  sendAt: Instant
  ttlMs: number
  already?: true
}

/** A barrier's command is worth this long; later the car is elsewhere. */
export const TTL_MS = 10_000
/** One opening per gate in this time. */
export const GATE_MS = 2_000
/** A lane's own openings wait their turn this long at most; more of them are no cars. */
const TURN_MS = 8_000
/** No turn is further ahead: a last opening beyond it is of a clock that was put back since, and keeps nobody out. */
const TURN_LATEST = `clock_timestamp() + interval '${TURN_MS} ms'`
/** A sign shows four lines of sixteen characters. */
const LINES_MAX = 4
const LINE_MAX = 16
const VOICE_MAX = 100
const KEEP_OPEN_MAX_S = 86_400
/** A paid car's barrier: three repeats after 10 s each, then one every 60 s for 5 minutes. */
export const REPEAT_AFTER_MS = [10_000, 10_000, 10_000, 60_000, 60_000, 60_000, 60_000, 60_000]
const QUICK_REPEATS = 3

export const TooSoon = refusal(
  'device.too-soon',
  40701,
  '该道闸两秒内已有开闸指令，请稍候',
  'This barrier received an open command less than two seconds ago; wait a moment',
  429,
)
const BadOrder = refusal('device.bad-command', 40702, '指令参数不正确：{zh}', 'The command parameters are not valid: {en}', 422)

/** The gateway that will publish what is queued in this transaction right after its commit, if it can reach the device itself. */
export interface Publisher {
  reaches(sn: string): boolean
  queued: Queued[]
}
const publishers = new WeakMap<Tx, Publisher>()
export const publishingBy = (tx: Tx, publisher: Publisher) => void publishers.set(tx, publisher)

/**
 * Queues a command in the caller's transaction; it goes out at commit. A device that is away keeps it queued until it expires, and never acts late.
 * @throws NotFound for an unknown device, TooSoon for a person's second click, BadOrder.
 */
export async function command(
  tx: Tx,
  { sn, method, params = {}, ttlMs = TTL_MS, orderId, persist = false, tooSoon = 'wait' }: Order,
  attempt = 1,
): Promise<Queued> {
  check(method, params)
  if (persist && !orderId) throw BadOrder({ zh: '重发需要订单号', en: 'resending needs an order number' })
  const publisher = publishers.get(tx)
  const direct = publisher?.reaches(sn) ?? false
  const values = [
    sn,
    method,
    JSON.stringify(orderId ? { ...params, orderId } : params),
    orderId ?? null,
    attempt,
    persist,
    ttlMs,
    direct,
    tooSoon === 'wait' ? TURN_MS : 0,
  ]
  const [made] = await run<Queued & { parkCode: string | null }>(tx, QUEUE, values)
  if (!made) return (await underWay(tx, sn, method, orderId)) ?? (tooSoon === 'wait' ? cutOff(tx, values) : refuse(TooSoon()))
  if (direct && made.state === SENT) publisher!.queued.push(made)
  else await signal(tx, COMMAND_SIGNAL, JSON.stringify({ sn, at: made.sendAt }))
  await tell(tx, commandTopic, { ids: [made.id], ...(made.parkCode && { park: made.parkCode }) })
  return made
}
/** Said on commit to all gateways: something waits for this device. */
export const COMMAND_SIGNAL = 'device.command'
const SENT = 1

// The slot is the presence row's own lock: two openings of one gate cannot both find it free.
const QUEUE = {
  sql: `with d as (select device_no, park_code, gate_code from device.device where device_no = $1::text and use_status not in (${DeviceUse.scrapped}, ${DeviceUse.inStock})),
    free as (select not exists (select from device.command where order_id = $4::text and method = $2::text and state in (${CommandState.queued}, ${CommandState.sent}, ${CommandState.delivered})) as yes),
    slot as (update device.presence p set last_open_at = case when p.last_open_at > ${TURN_LATEST} then clock_timestamp() else greatest(p.last_open_at + interval '${GATE_MS} ms', clock_timestamp()) end from d, free
      where $2 = 'gate.open' and free.yes and p.device_no = d.device_no
        and (p.last_open_at is null or p.last_open_at > ${TURN_LATEST} or p.last_open_at + interval '${GATE_MS} ms' <= clock_timestamp() + make_interval(secs => $9::int / 1000.0))
      returning p.last_open_at),
    at as (select coalesce((select last_open_at from slot), clock_timestamp()) as send)
    insert into device.command (device_no, park_code, gate_code, method, params, order_id, attempt, persist, ttl_ms, send_at, expires_at, state, sent_at)
    select d.device_no, d.park_code, d.gate_code, $2, $3::jsonb, $4, $5::int, $6::boolean, $7::int, at.send, at.send + make_interval(secs => $7::int / 1000.0),
      case when $8::boolean and at.send <= clock_timestamp() then 1 else 0 end, case when $8::boolean and at.send <= clock_timestamp() then clock_timestamp() end
    from d, at where $2 <> 'gate.open' or exists (select from slot)
    on conflict (enterprise_id, order_id, method) where order_id is not null and state in (${CommandState.queued}, ${CommandState.sent}, ${CommandState.delivered}) do nothing
    returning id, device_no as sn, method, params, order_id, state, created_at, send_at, ttl_ms, park_code`,
}

/** Why nothing was queued: the order's command is still under way, or undefined when it was too soon. @throws NotFound */
async function underWay(tx: Tx, sn: string, method: Method, orderId: string | undefined): Promise<Queued | undefined> {
  const [known] = orderId === undefined ? [] : await run<Queued>(tx, UNDER_WAY, [orderId, method])
  if (known) return { ...known, already: true }
  const [device] = await run(
    tx,
    { sql: `select 1 from device.device where device_no = $1 and use_status not in (${DeviceUse.scrapped}, ${DeviceUse.inStock})` },
    [sn],
  )
  if (!device) throw NotFound({ sn })
  return undefined
}
const refuse = (refused: Error): never => {
  throw refused
}
/** More openings than cars can drive: the record stays, the barrier is left alone, and the lane's decision stands. A paid car's is tried again later. */
async function cutOff(tx: Tx, [sn, method, params, orderId, attempt, persist, ttlMs]: unknown[]): Promise<Queued> {
  const [made] = await run<Queued>(tx, CUT_OFF, [sn, method, params, orderId, attempt, persist, ttlMs, REPEAT_AFTER_MS[0]])
  return made!
}
const COLUMNS = 'id, device_no as sn, method, params, order_id, state, created_at, send_at, ttl_ms'
const UNDER_WAY = {
  sql: `select ${COLUMNS} from device.command where order_id = $1 and method = $2 and state in (${CommandState.queued}, ${CommandState.sent}, ${CommandState.delivered})`,
}
const CUT_OFF = {
  sql: `insert into device.command (device_no, park_code, gate_code, method, params, order_id, attempt, persist, ttl_ms, expires_at, state, failure, finished_at, retry_at)
    select device_no, park_code, gate_code, $2, $3::jsonb, $4, $5::int, $6::boolean, $7::int, clock_timestamp(), 6, 7, clock_timestamp(),
      case when $6::boolean then clock_timestamp() + make_interval(secs => $8::int / 1000.0) end from device.device where device_no = $1::text returning ${COLUMNS}`,
}

function check(method: Method, params: Record<string, unknown>) {
  const { lines, text, seconds, url } = params
  if (method === 'display.show') {
    const fits =
      Array.isArray(lines) &&
      lines.length > 0 &&
      lines.length <= LINES_MAX &&
      lines.every((line) => typeof line === 'string' && [...line].length <= LINE_MAX)
    if (!fits) throw BadOrder({ zh: `屏显最多 ${LINES_MAX} 行，每行 ${LINE_MAX} 字`, en: `at most ${LINES_MAX} lines of ${LINE_MAX} characters` })
  }
  if (method === 'voice.play' && (typeof text !== 'string' || text === '' || text.length > VOICE_MAX))
    throw BadOrder({ zh: `语音 1 到 ${VOICE_MAX} 字`, en: `a voice text has 1 to ${VOICE_MAX} characters` })
  if (method === 'gate.keepOpen' && !(Number.isInteger(seconds) && (seconds as number) > 0 && (seconds as number) <= KEEP_OPEN_MAX_S))
    throw BadOrder({ zh: '常开时长应为 1 秒到 24 小时', en: 'the keep-open time must be 1 second to 24 hours' })
  if (method === 'whitelist.sync' && typeof url !== 'string') throw BadOrder({ zh: '缺少名单地址', en: 'the list address is missing' })
}

/** Takes what waits for this device and is still worth sending: from now on it counts as sent, here and nowhere else. */
export const claim = (tx: Tx, sn: string): Promise<Queued[]> =>
  run<Queued>(
    tx,
    {
      sql: `update device.command set state = ${CommandState.sent}, sent_at = clock_timestamp()
        where id in (select id from device.command where device_no = $1 and state = ${CommandState.queued} and send_at <= clock_timestamp() + interval '5 ms' and expires_at > clock_timestamp() order by send_at for update skip locked)
        returning ${COLUMNS}`,
    },
    [sn],
  )

// A command that is known by its id is asked its state as a range. As a list, the planner would rather walk the index of due commands: small when it was last
// counted, and until the next vacuum full of every command since.
/** The broker's receipt: the device has it. One that is being answered at this moment needs none. */
export const delivered = (tx: Tx, ids: readonly string[]) =>
  run(
    tx,
    {
      sql: `update device.command set state = ${CommandState.delivered}, delivered_at = clock_timestamp()
        where id in (select id from device.command where id = any($1::uuid[]) and state between ${CommandState.sent} and ${CommandState.sent} for update skip locked)`,
    },
    [ids],
  )

/** Marks a command that could not be put on the wire at all. */
export const unsent = async (tx: Tx, id: string) => {
  const rows = await run<Over>(
    tx,
    {
      sql: `update device.command set state = ${CommandState.failed}, failure = ${CommandFailure.offline}, finished_at = clock_timestamp() where id = $1 and state between ${CommandState.sent} and ${CommandState.sent} returning ${OVER}`,
    },
    [id],
  )
  for (const row of rows) await over(tx, row)
}

export interface Answer {
  sn: string
  id: string
  code: number
  msg?: string
  data?: unknown
}
/** The device's answer. The first one counts; one that comes after the command has expired is kept, and a late success ends the repeats. */
export async function answered(tx: Tx, { sn, id, code, msg, data }: Answer): Promise<'done' | 'failed' | 'late' | 'repeated' | 'unknown'> {
  const result = JSON.stringify({ code, msg, data })
  const [row] = await run<Over>(
    tx,
    {
      sql: `update device.command set state = case when $3::int = 0 then ${CommandState.done} else ${CommandState.failed} end,
          failure = case when $3::int > 0 then least($3::int, ${CommandFailure.failed}) when $3::int < 0 then ${CommandFailure.failed} end, result = $4::jsonb, finished_at = clock_timestamp()
        where id = $2 and device_no = $1 and state between ${CommandState.sent} and ${CommandState.delivered} returning ${OVER}`,
    },
    [sn, id, code, result],
  )
  if (row) {
    await over(tx, row)
    return code === 0 ? 'done' : 'failed'
  }
  const [late] = await run<Over>(
    tx,
    {
      sql: `update device.command set result = $3::jsonb where id = $2 and device_no = $1 and state = ${CommandState.expired} and result is null returning ${OVER}`,
    },
    [sn, id, result],
  )
  if (late && code === 0) await endRepeats(tx, late)
  if (late) return 'late'
  const [known] = await run(tx, { sql: 'select 1 from device.command where id = $2 and device_no = $1' }, [sn, id])
  return known ? 'repeated' : 'unknown'
}

interface Over {
  id: string
  sn: string
  parkCode: string | null
  gateCode: string | null
  method: Method
  params: Record<string, unknown>
  orderId: string | null
  attempt: number
  persist: boolean
  state: 3 | 4 | 5 | 6
  ttlMs: number
}
const OVER = 'id, device_no as sn, park_code, gate_code, method, params, order_id, attempt, persist, state, ttl_ms'

/** Follows up the end of a command: it is told to pages, announced, and, for a paid car, scheduled to be sent again. */
async function over(tx: Tx, row: Over): Promise<void> {
  await tell(tx, commandTopic, { ids: [row.id], ...(row.parkCode && { park: row.parkCode }) })
  await announce(tx, commandOver, { commandId: row.id, sn: row.sn, method: row.method, orderId: row.orderId, state: row.state })
  if (row.method.startsWith('lamp.')) await announce(tx, lampCommandOver, { commandId: row.id, sn: row.sn, method: row.method, state: row.state })
  if (!row.persist) return
  if (row.state === CommandState.done) return endRepeats(tx, row)
  const after = REPEAT_AFTER_MS[row.attempt - 1]
  if (after !== undefined)
    await run(
      tx,
      { sql: 'update device.command set retry_at = greatest(send_at + make_interval(secs => $2::int / 1000.0), clock_timestamp()) where id = $1' },
      [row.id, after],
    )
  if (row.attempt > QUICK_REPEATS) await raise(tx, row.sn, WarningType.paidButShut, row.orderId!, { attempt: row.attempt, commandId: row.id })
}
async function endRepeats(tx: Tx, { sn, orderId }: Over): Promise<void> {
  if (!orderId) return
  await run(tx, { sql: 'update device.command set retry_at = null where order_id = $1 and retry_at is not null' }, [orderId])
  await recover(tx, sn, WarningType.paidButShut, orderId)
}

/** Takes back what has not been sent yet. Its repeats end too. */
export async function cancel(tx: Tx, orderId: string): Promise<void> {
  const rows = await run<Over>(tx, CANCEL_ORDER, [orderId])
  for (const row of rows) await over(tx, { ...row, persist: false })
  await run(tx, { sql: 'update device.command set retry_at = null where order_id = $1 and retry_at is not null' }, [orderId])
}
/** All that still waits for a device, which will never take it. */
export async function cancelFor(tx: Tx, deviceNo: string): Promise<void> {
  const rows = await run<Over>(tx, CANCEL_DEVICE, [deviceNo])
  for (const row of rows) await over(tx, { ...row, persist: false })
  await run(tx, { sql: 'update device.command set retry_at = null where device_no = $1 and retry_at is not null' }, [deviceNo])
}
const CANCELLED = `state = ${CommandState.cancelled}, failure = ${CommandFailure.cancelled}, finished_at = clock_timestamp()`
const CANCEL_ORDER = { sql: `update device.command set ${CANCELLED} where order_id = $1 and state = ${CommandState.queued} returning ${OVER}` }
const CANCEL_DEVICE = { sql: `update device.command set ${CANCELLED} where device_no = $1 and state = ${CommandState.queued} returning ${OVER}` }

/** Its time is over, or was said by a clock that was put back since: nobody waits until that clock is there again. */
const isOver = `(expires_at <= clock_timestamp() or expires_at > ${TURN_LATEST} and created_at > ${TURN_LATEST})`
/** A paid car's next try is due; none is further ahead than the slowest of them. */
const isDue = `(retry_at <= clock_timestamp() or retry_at > clock_timestamp() + interval '${Math.max(...REPEAT_AFTER_MS) + TURN_MS} ms')`
/** Commands whose time is over, and paid cars' barriers whose next try is due. Called once a second; several processes may. */
export async function sweepCommands(tx: Tx): Promise<void> {
  const expired = await run<Over>(
    tx,
    {
      sql: `update device.command set state = ${CommandState.expired}, failure = case when state = ${CommandState.queued} then ${CommandFailure.offline} else ${CommandFailure.noAnswer} end, finished_at = clock_timestamp()
        where id in (select id from device.command where state in (${CommandState.queued}, ${CommandState.sent}, ${CommandState.delivered}) and ${isOver} for update skip locked) returning ${OVER}`,
    },
    [],
  )
  for (const row of expired) await over(tx, row)
  const due = await run<Over>(
    tx,
    {
      sql: `update device.command set retry_at = null where id in (select id from device.command where ${isDue} for update skip locked) returning ${OVER}`,
    },
    [],
  )
  for (const row of due) await again(tx, row)
}
async function again(tx: Tx, row: Over): Promise<void> {
  const { sn, parkCode, gateCode, method, ttlMs } = row
  const answers = await stillWaiting.ask(tx, { orderId: row.orderId!, sn, parkCode, gateCode })
  if (!answers.some(({ answer }) => answer)) return recover(tx, sn, WarningType.paidButShut, row.orderId!)
  const { orderId, ...params } = row.params
  await command(tx, { sn, method, params, ttlMs, orderId: row.orderId!, persist: true }, row.attempt + 1)
}
/** Devices that have something waiting to be sent now: a process died between queueing and sending, or a turn has come. */
export const waitingFor = (tx: Tx): Promise<{ sn: string }[]> =>
  run(
    tx,
    {
      sql: `select distinct device_no as sn from device.command where state = ${CommandState.queued} and send_at <= clock_timestamp() and expires_at > clock_timestamp()`,
    },
    [],
  )

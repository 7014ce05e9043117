import { createHash } from 'node:crypto'
import type { Instant } from '../../../platform/contract/field.ts'
import { instantAt } from '../../../platform/contract/time.ts'
import { isReadOnly, run, type Tx } from '../../../platform/server/database.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { logHandheld } from '../../system/server/api.ts'
import { type LaneEvent, laneEvent, reported, statusTopic } from './events.ts'
import { DeviceType, DeviceUse, WarningType } from '../contract/device.ts'
import { raise, raiseIfLasting, recover, thresholdFor } from './warning.ts'
import { MessageKind } from '../contract/message.ts'

export type Kind = 'event' | 'telemetry' | 'attributes' | 'status'
/** A message as the gateway has read it: it has a form, nothing more is known. */
export interface Heard {
  sn: string
  kind: Kind
  /** Unique per device; events and telemetry always have one. */
  mid: string | null
  /** The device's clock, ms since 1970; none: the time of arrival counts. */
  ts: number | null
  receivedMs: number
  /** The device says that it kept this while it was cut off. */
  offline: boolean
  seq: number | null
  type: string
  body: Record<string, unknown>
}
export interface Hearing {
  /** Whether the message was heard before; nothing was done then. */
  duplicate: boolean
  messageId: string | null
  /** Whether it waits in the backlog for its turn. */
  waits: boolean
}

/** An event older than this opens nothing: the car has gone on, or a person has let it in. */
export const LATE_MS = 10_000
/** A device whose clock runs further ahead than this, or was never set, is not believed. */
const AHEAD_MS = 600_000
const OLDEST_MS = Date.UTC(2020, 0, 1)
const clockIsWrong = (ts: number, receivedMs: number) => ts < OLDEST_MS || ts > receivedMs + AHEAD_MS
/** A clock that is off by less raises no warning: a message late by a few seconds was on its way. */
const SKEW_LEAST_MS = 30_000

/** The same under the same `mid` within this time is a repeat, whatever time a device writes on it when it tells it again. */
const AGAIN_MS = 600_000

const KINDS: Record<Kind, number> = {
  event: MessageKind.event,
  telemetry: MessageKind.telemetry,
  attributes: MessageKind.attributes,
  status: MessageKind.status,
}

/**
 * Keeps what was said under a (sn, mid) once and lets parking decide about it, in one transaction. `effect: false` keeps it and asks nobody: for an event that
 * broke its listener again and again and must not block its lane. Not `alone`: others are heard in the same transaction at the same time.
 * @throws Error when it has to be heard alone
 */
export async function hear(tx: Tx, heard: Heard, { effect = true, alone = true }: { effect?: boolean; alone?: boolean } = {}): Promise<Hearing> {
  const { ts, receivedMs } = heard
  // Dated by receipt and not refused: a refusal blocks some devices' queues for good, and the car would stand at the exit as one that never came in.
  const clockFixed = ts !== null && clockIsWrong(ts, receivedMs)
  const deviceMs = clockFixed || ts === null ? receivedMs : ts
  const age = receivedMs - deviceMs
  const offline = heard.offline || age > LATE_MS
  const at = { deviceTime: instantAt(deviceMs), receivedAt: instantAt(receivedMs) }
  const kept = await keep(tx, heard, at, { offline, clockFixed })
  if (!kept.id) return { duplicate: true, messageId: null, waits: false }
  const done = { duplicate: false, messageId: kept.id, waits: false }
  if (heard.kind !== 'event') {
    await remember(tx, heard)
    if (effect && REPORTS.includes(kept.type)) await tellReport(tx, heard, kept, at)
    return done
  }
  if (!effect) {
    await raise(tx, heard.sn, WarningType.unhandled, heard.type, { messageId: kept.id })
    return done
  }
  // A box beside the road stands in no park and lets nobody in: its messages are heard as they come, at their own time.
  if (REPORTS.includes(kept.type)) {
    await tellReport(tx, heard, kept, at)
    return done
  }
  const { offline: told, ...body } = heard.body
  // Put to use it is believed; faulty or in repair it tells what it sees, and a person opens.
  const mayOpen = kept.useStatus === DeviceUse.inUse && age <= LATE_MS && !(clockFixed && heard.offline)
  const event = eventOf(heard, kept.id, kept, { ...at, offline, mayOpen }, body)
  // Told afterwards: wait until the lane has told all, then take them in the order in which they happened, across the lanes of the park.
  if (heard.offline && age > LATE_MS) {
    await run(tx, { sql: 'insert into device.backlog (id, park_code, device_no, seq, device_time, event) values ($1, $2, $3, $4, $5, $6::jsonb)' }, [
      kept.id,
      kept.parkCode,
      heard.sn,
      heard.seq,
      at.deviceTime,
      JSON.stringify(event),
    ])
    return { ...done, waits: true }
  }
  // A failed event there is rolled back to a savepoint, which would undo other callers' work too.
  if (kept.backlog && !alone) throw new Error('What the lanes of this park told afterwards comes first: to be heard alone.')
  if (kept.backlog) await replay(tx, kept.parkCode, at.deviceTime)
  const behindMs = ts === null ? 0 : receivedMs - ts
  if (clockFixed) await raise(tx, heard.sn, WarningType.clockOff, '', { skewMs: -behindMs })
  else if (!heard.offline && Math.abs(behindMs) > SKEW_LEAST_MS) await warnOfClock(tx, heard.sn, behindMs)
  await act(tx, event)
  return done
}

/** These say of themselves how things are, and somebody above wants to know each word of it. */
const REPORTS: readonly number[] = [DeviceType.lampController]
const tellReport = (tx: Tx, { sn, kind, type, body }: Heard, kept: Kept, { deviceTime, receivedAt }: { deviceTime: Instant; receivedAt: Instant }) =>
  reported.ask(tx, { messageId: kept.id!, sn, deviceType: kept.type, kind, type, deviceTime, receivedAt, body })

/** A live event tells how far the device's clock is off. */
async function warnOfClock(tx: Tx, sn: string, age: number): Promise<void> {
  const seconds = await thresholdFor(tx, sn, WarningType.clockOff)
  if (Math.abs(age) > seconds * 1000) await raise(tx, sn, WarningType.clockOff, '', { skewMs: -age })
}

interface Kept {
  id: string | null
  /** The type of the device. */
  type: number
  useStatus: number
  parkCode: string | null
  gateCode: string | null
  backlog: boolean
}
/** Fields that a repeat may have otherwise: when and how it was sent, the picture, which is uploaded anew, and how well it was read. */
const OF_THE_TELLING = ['ts', 'mid', 'offline', 'seq', 'image', 'images', 'confidence', 'color']
/** A device whose count begins again after a start says something else under a known `mid`, or the same at another time. */
const saidUnder = (mid: string, body: Record<string, unknown>) => {
  const said = Object.entries(body)
    .filter(([name]) => !OF_THE_TELLING.includes(name))
    .sort(([a], [b]) => (a < b ? -1 : 1)) // by name, as some write them in any order
  return `${mid} ${createHash('md5').update(JSON.stringify(said)).digest('base64url')}`
}
/** Refused in one statement when this was said under (sn, mid), or (sn, seq) of the same device time is known. */
async function keep(
  tx: Tx,
  heard: Heard,
  { deviceTime, receivedAt }: { deviceTime: Instant; receivedAt: Instant },
  { offline, clockFixed }: { offline: boolean; clockFixed: boolean },
): Promise<Kept> {
  const { sn, kind, mid, ts, seq, type, body } = heard
  const marks = [
    ...(mid === null ? [] : [saidUnder(mid, body)]),
    ...(heard.offline && seq !== null ? [`#${seq}@${clockFixed ? ts : deviceTime}`] : []),
  ]
  const values = [sn, marks, KINDS[kind], type, mid, deviceTime, receivedAt, offline, seq, JSON.stringify(body), clockFixed, ts]
  const [kept] = await run<Kept>(tx, KEEP, values)
  if (!kept) throw new Error(`No device ${sn} in this enterprise.`)
  return kept
}
const KEEP = {
  sql: `with d as (select device_no, park_code, gate_code, type, use_status from device.device where device_no = $1::text),
    marked as (insert into device.seen as s (device_no, mid, said_ms) select d.device_no, m, $12::bigint from d, unnest($2::text[]) m
      on conflict (enterprise_id, device_no, mid) do update set said_ms = excluded.said_ms, received_at = excluded.received_at where abs(excluded.said_ms - s.said_ms) > ${AGAIN_MS} returning mid),
    stored as (insert into device.message (device_no, park_code, gate_code, kind, type, mid, device_time, received_at, offline, seq, payload, clock_fixed)
      select d.device_no, d.park_code, d.gate_code, $3::int, $4, $5, $6::timestamptz, $7::timestamptz, $8::boolean, $9::bigint, $10::jsonb, $11::boolean from d
      where (select count(*) from marked) = cardinality($2::text[]) returning id)
    select (select id from stored) as id, d.type, d.use_status, d.park_code, d.gate_code,
      $3::int = 1 and exists (select from device.backlog b where b.park_code is not distinct from d.park_code and b.device_time <= $6::timestamptz) as backlog from d`,
}

function eventOf(
  heard: Heard,
  messageId: string,
  kept: Kept,
  times: Pick<LaneEvent, 'deviceTime' | 'receivedAt' | 'offline' | 'mayOpen'>,
  body: Record<string, unknown>,
): LaneEvent {
  const { plate, color, direction, confidence, image, state, cause, name } = body as Partial<LaneEvent>
  const known = { plate, color, direction, confidence, image, state, cause, name }
  return {
    messageId,
    sn: heard.sn,
    parkCode: kept.parkCode ?? '',
    gateCode: kept.gateCode ?? '',
    type: heard.type,
    mid: heard.mid ?? '',
    ...times,
    seq: heard.seq,
    body,
    ...(Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) as Partial<LaneEvent>),
  }
}

async function act(tx: Tx, event: LaneEvent): Promise<void> {
  if (event.parkCode) await laneEvent.ask(tx, event)
  if (event.type === 'gate') {
    await run(tx, { sql: `update device.presence set state = state || jsonb_build_object('gate', $2::text) where device_no = $1` }, [
      event.sn,
      event.state,
    ])
    if (event.state === 'blocked') await raiseIfLasting(tx, event.sn, WarningType.blocked)
    else if (event.state === 'closed') await recover(tx, event.sn, WarningType.blocked)
    await tell(tx, statusTopic, { ids: [event.sn], ...(event.parkCode && { park: event.parkCode }) })
  }
  if (event.type === 'log') await logHandheld(tx, { ...event, parkCode: event.parkCode || null })
  if (event.type === 'button' && !event.offline) await raise(tx, event.sn, WarningType.help, event.name ?? '')
}

/** Slow facts and measurements: the newest value of each stands in the device's presence. */
async function remember(tx: Tx, { sn, kind, body }: Heard): Promise<void> {
  const { ts, mid, offline, seq, ...values } = body
  if (kind === 'status') {
    const firmware = typeof values['fw'] === 'string' ? values['fw'].slice(0, 64) : null
    await run(tx, { sql: 'update device.presence set firmware = coalesce($2, firmware), last_seen_at = now() where device_no = $1' }, [sn, firmware])
    return
  }
  const column = kind === 'attributes' ? 'attributes' : 'state'
  await run(tx, { sql: `update device.presence set ${column} = ${column} || $2::jsonb, last_seen_at = now() where device_no = $1` }, [
    sn,
    JSON.stringify(values),
  ])
}

/**
 * Takes late reports of this park's lanes, oldest first by device time, up to `until`. One process at a time for a park, because order is the point.
 * An event that breaks its listener stays as a message, raises a warning and is left out: the next ones must not wait for it.
 */
export async function replay(tx: Tx, parkCode: string | null, until?: Instant): Promise<number> {
  await run(tx, { sql: 'select pg_advisory_xact_lock(hashtextextended($1, scope_enterprise()))' }, [`device.replay ${parkCode ?? ''}`])
  for (let taken = 0; ;) {
    const rows = await run<{ event: LaneEvent }>(tx, OLDEST, [parkCode, until ?? null])
    for (const { event } of rows) await actOrSetAside(tx, event)
    taken += rows.length
    if (rows.length < CHUNK) return taken
  }
}
const CHUNK = 200
const OLDEST = {
  sql: `with due as (delete from device.backlog where id in (select id from device.backlog
      where park_code is not distinct from $1::text and ($2::timestamptz is null or device_time <= $2::timestamptz) order by device_time, device_no, seq limit ${CHUNK})
      returning event, device_time, device_no, seq)
    select event from due order by device_time, device_no, seq`,
}
async function actOrSetAside(tx: Tx, event: LaneEvent): Promise<void> {
  await run(tx, { sql: 'savepoint one' }, [])
  try {
    await act(tx, event)
    await run(tx, { sql: 'release savepoint one' }, [])
  } catch (error) {
    if (isPassing(error)) throw error
    await run(tx, { sql: 'rollback to savepoint one' }, [])
    await raise(tx, event.sn, WarningType.unhandled, event.type, { messageId: event.messageId, error: (error as Error).message.slice(0, 200) })
  }
}
const SERVICE_AWAY = 503
/** Trouble of the database or of two transactions with each other: the same again may well succeed. */
export const isPassing = (error: unknown): boolean => {
  const { code, status, message = '' } = error as { code?: unknown; status?: number; message?: string }
  // A number is the code of a refusal of ours: only the one that says that the service is away passes by itself.
  if (typeof code === 'number') return status === SERVICE_AWAY
  return (
    /^(08|40|53|55|57|E[A-Z]+)/.test(String(code ?? '')) ||
    isReadOnly(error) ||
    /timeout exceeded|terminated|Connection|Cannot use a pool/.test(message)
  )
}

/** A lane that has been silent for this long has told all; one that goes on and on is not waited for longer than LONGEST, and a clock that was put back not at all. */
const SETTLED = '2 seconds'
const LONGEST = '15 seconds'
/** Parks whose lanes have told everything. Called once a second. */
export async function sweepBacklog(tx: Tx): Promise<(string | null)[]> {
  const parks = await run<{ parkCode: string | null }>(
    tx,
    {
      sql: `select park_code from device.backlog group by park_code
        having max(received_at) <= clock_timestamp() - interval '${SETTLED}' or min(received_at) <= clock_timestamp() - interval '${LONGEST}' or max(received_at) > clock_timestamp() + interval '${LONGEST}'`,
    },
    [],
  )
  return parks.map(({ parkCode }) => parkCode)
}

import type { CodeOf, Id, Instant, Of } from '../../../../platform/contract/field.ts'
import { plateKind } from '../../../../platform/contract/plate.ts'
import { msOf } from '../../../../platform/contract/time.ts'
import { begunAt, run, type Tx } from '../../../../platform/server/database.ts'
import { tell } from '../../../../platform/server/realtime.ts'
import { NotFound, Refusal } from '../../../../platform/server/refusal.ts'
import { CommandState } from '../../../device/contract/command.ts'
import { DeviceType } from '../../../device/contract/device.ts'
import { command, deviceOf, lastCommands } from '../../../device/server/api.ts'
import { type Gate, SignEvent } from '../../contract/gate.ts'
import type { Park } from '../../contract/park.ts'
import { type DecisionId, type DecisionRow, LaneOutcome, type StayId, type Tried } from '../../contract/stay.ts'
import { yuan } from './admission.ts'
import { advertised, laneTopic } from '../questions.ts'
import type { Sighting } from './sighting.ts'
import type { LaneRecord } from '../tables.ts'

export type GateRow = Of<typeof Gate>
export type ParkRow = Of<typeof Park>
/** Everything about a lane that its decisions need. */
export interface LaneNow {
  gate: GateRow
  park: ParkRow
  lane: LaneRecord | undefined
}

/** `undefined` for a gate that does not exist, or whose park the caller may not see. */
export async function laneNow(tx: Tx, parkCode: string, gateCode: string): Promise<LaneNow | undefined> {
  const [[gate], [park], lane] = await Promise.all([
    run<GateRow>(tx, GATE, [parkCode, gateCode]),
    run<ParkRow>(tx, PARK, [parkCode]),
    laneRecordOf(tx, gateCode),
  ])
  return gate && park && { gate, park, lane }
}
/** A park as its barriers were then: what is told afterwards does not go by an emergency of now. */
export async function asItWas(tx: Tx, park: ParkRow, at: Instant): Promise<ParkRow> {
  const [then] = await run<Pick<ParkRow, 'openAllFrom' | 'openAllBy'>>(tx, OPEN_THEN, [park.parkCode, at])
  return { ...park, openAllFrom: then?.openAllFrom ?? null, openAllBy: then?.openAllBy ?? null }
}
const OPEN_THEN = {
  sql: `select from_time as open_all_from, opened_by as open_all_by from parking.emergency
    where enterprise_id = scope_enterprise() and park_code = $1 and from_time <= $2 and (to_time is null or to_time > $2) limit 1`,
}
/** What stands at a gate now; `undefined` before its first event. */
export const laneRecordOf = async (tx: Tx, gateCode: string) => (await run<LaneRecord>(tx, LANE, [gateCode]))[0]
// Written out, because they run with every event of every lane.
const GATE = { sql: 'select * from parking.gate where enterprise_id = scope_enterprise() and park_code = $1 and gate_code = $2 and not deleted' }
const PARK = { sql: 'select * from parking.park where enterprise_id = scope_enterprise() and park_code = $1 and not deleted' }
const LANE = { sql: 'select * from parking.lane where enterprise_id = scope_enterprise() and gate_code = $1' }
/** The same for one who knows only the gate. @throws NotFound */
export async function laneOf(tx: Tx, gateCode: string): Promise<LaneNow> {
  const gate = await tx.selectFrom('parking.gate').select('parkCode').where('gateCode', '=', gateCode).executeTakeFirst()
  const now = gate && (await laneNow(tx, gate.parkCode, gateCode))
  if (!now) throw NotFound({ gateCode })
  return now
}

/** Its last car was neither let through nor asked to pay: a person may answer. */
export const asksPerson = ({ outcome }: Pick<LaneRecord, 'outcome'>): boolean => outcome === LaneOutcome.refuse || outcome === LaneOutcome.ask

/** One event of a lane at a time, and one of a plate in a park: an entrance and an exit never decide about the same car at once. Held until commit. */
export const holdLane = (tx: Tx, { parkCode, gateCode, plateNo }: { parkCode: string; gateCode: string; plateNo?: string }) =>
  run(tx, HOLD, [[`lane ${gateCode}`, ...(plateNo ? [`plate ${parkCode} ${plateNo}`] : [])]])
const HOLD = { sql: 'select pg_advisory_xact_lock(hashtextextended(name, scope_enterprise())) from unnest($1::text[]) name' }
/**
 * Whether nobody else decides at a lane just now; then it is held until commit. For who holds an order or a stay already: an event holds its lane before these, so to wait for it would
 * be to wait for each other.
 */
export const tryHoldLane = async (tx: Tx, { gateCode }: Pick<GateRow, 'gateCode'>): Promise<boolean> =>
  (await run<{ held: boolean }>(tx, TRY_HOLD, [`lane ${gateCode}`]))[0]!.held
const TRY_HOLD = { sql: 'select pg_try_advisory_xact_lock(hashtextextended($1, scope_enterprise())) as held' }

/** An exit decides by what a vehicle owes from before. Exits do not wait for one another. Held until commit. */
export const holdDebts = (tx: Tx, plateNo: string) => run(tx, HOLD_DEBTS, [`debts ${plateNo}`])
const HOLD_DEBTS = { sql: 'select pg_advisory_xact_lock_shared(hashtextextended($1, scope_enterprise()))' }
/** Waits for all exits that decide by what it owes. For who holds nothing else. */
export const debtsDecided = (tx: Tx, plateNo: string) => run(tx, HOLD, [[`debts ${plateNo}`]])

/** What a lane is set to by an event. What is not named is forgotten with the car before. */
type OfGate = 'parkCode' | 'gateCode' | 'gateState' | 'gateAt' | 'keptOpenFrom' | 'keptOpenUntil'
export type LaneSet = Partial<Omit<LaneRecord, OfGate>> & { state: LaneRecord['state'] }

export async function setLane(tx: Tx, { parkCode, gateCode }: Pick<GateRow, 'parkCode' | 'gateCode'>, set: LaneSet): Promise<void> {
  const row = { ...EMPTY, ...set }
  const values = [
    parkCode,
    gateCode,
    row.state,
    row.since,
    row.stayId,
    row.decisionId,
    row.direction,
    row.plateNo,
    row.plateColor,
    row.image,
    row.dueFen,
    row.outcome,
    JSON.stringify(row.checks),
    JSON.stringify(row.candidates),
    row.asked && JSON.stringify(row.asked),
    row.openRef,
    row.commandId,
    row.dueOrderId,
  ]
  await Promise.all([run(tx, SET_LANE, values), tell(tx, laneTopic, { park: parkCode, ids: [gateCode] })])
}
const EMPTY: Omit<LaneRecord, OfGate | 'state'> = {
  since: null,
  stayId: null,
  decisionId: null,
  direction: null,
  plateNo: null,
  plateColor: null,
  image: null,
  dueFen: 0 as LaneRecord['dueFen'],
  outcome: null,
  checks: [],
  candidates: [],
  asked: null,
  openRef: null,
  commandId: null,
  dueOrderId: null,
}
const LANE_COLUMNS =
  'state, since, stay_id, decision_id, direction, plate_no, plate_color, image, due_fen, outcome, checks, candidates, asked, open_ref, command_id, due_order_id'
const SET_LANE = {
  sql: `insert into parking.lane (park_code, gate_code, ${LANE_COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
    on conflict (enterprise_id, gate_code) do update set (${LANE_COLUMNS}) = row(${LANE_COLUMNS.split(', ')
      .map((column) => `excluded.${column}`)
      .join(', ')})`,
}

export interface NewDecision {
  id: Id<DecisionId>
  stayId: Id<StayId> | null
  outcome: keyof typeof LaneOutcome.entries
  checks: Tried[]
  quote?: unknown
  commandId?: string | null
  by?: string | null
}
/** Writes down what a lane decided about a car. Nothing of it ever changes. */
export const writeDecision = (tx: Tx, car: Sighting, { id, stayId, outcome, checks, quote = null, commandId = null, by = null }: NewDecision) =>
  run(tx, WRITE_DECISION, [
    id,
    stayId,
    car.parkCode,
    car.gateCode,
    car.direction,
    car.at,
    car.receivedAt,
    car.plateNo,
    car.plateColor,
    car.confidence,
    car.image,
    outcome,
    JSON.stringify(checks),
    quote === null ? null : JSON.stringify(quote),
    car.messageId,
    commandId,
    by,
  ])
const WRITE_DECISION = {
  sql: `insert into parking.decision (id, stay_id, park_code, gate_code, direction, at, received_at, plate_no, plate_color, confidence, image, outcome, checks, quote, message_id, command_id, by)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
}
export type { DecisionRow }

export interface Opening {
  reason: string
  /** The device opens once for each of these, however often it is told. */
  ref: string
  /** Said again until the device answers, while the car still stands there. */
  persist?: boolean
}
/**
 * Tells the barrier of a gate to open; `null` when it is locked, or the gate has no barrier that can be told. What a device cannot do must not undo what was decided:
 * the car is admitted all the same, a person opens by hand. In an emergency it has been told already: once more only when it came down since.
 */
export async function openBarrier(tx: Tx, { gate, ...now }: At, { reason, ref, persist = false }: Opening): Promise<string | null> {
  if (gate.lockedBy !== null) return null
  // No waiting where the barrier is known: it is told before the sign.
  const sn = gate.barrierId ?? (await barrierOf(tx, gate))
  if (!sn) return null
  if (now.park.openAllFrom) {
    const told = (await toldOpen(tx, [sn], now.park.openAllFrom)).get(sn)
    if (told && !(now.lane?.gateState === 'closed' && now.lane.gateAt !== null && msOf(now.lane.gateAt) > msOf(told.at))) return told.id
  }
  const queued = await unlessRefused(() =>
    command(tx, staysOpen(sn, now, begunAt(tx)) ?? { sn, method: 'gate.open', params: { reason }, orderId: ref, persist }),
  )
  return queued?.id ?? null
}
/** Of these barriers those that an emergency since then has told to stay open, and by which command: it is under way, or they have heard it. */
export async function toldOpen(tx: Tx, sns: readonly string[], since: Instant) {
  const last = await lastCommands(tx, sns, ['gate.open', 'gate.close', 'gate.keepOpen'])
  return new Map([...last].filter(([, { method, state, at }]) => method === 'gate.keepOpen' && state <= CommandState.done && msOf(at) >= msOf(since)))
}
type Stands = { park: Pick<ParkRow, 'openAllFrom'>; lane: LaneRecord | undefined }
type At = Stands & { gate: GateRow }
/**
 * What a barrier that is kept open is told instead of being opened for one car: it would come down behind that car, and some take a second opening for a closing. Nothing when it
 * is not kept open.
 */
export function staysOpen(sn: string, { park, lane }: Stands, at: Instant) {
  if (park.openAllFrom) return keptOpen(sn)
  return isKeptOpen(lane, at) ? keptOpen(sn, Math.ceil((msOf(lane.keptOpenUntil) - msOf(at)) / 1_000)) : undefined
}
/** By a person, for a time that is not over. */
export const isKeptOpen = <L extends Pick<LaneRecord, 'keptOpenUntil'>>(lane: L | undefined, at: Instant): lane is L & { keptOpenUntil: Instant } =>
  lane?.keptOpenUntil != null && msOf(lane.keptOpenUntil) > msOf(at)
/** Until when a person keeps the barrier of a gate open from now on; `null`: no longer. */
export async function keepOpen(tx: Tx, { parkCode, gateCode }: Pick<GateRow, 'parkCode' | 'gateCode'>, until: Instant | null): Promise<void> {
  await Promise.all([run(tx, KEEP_OPEN, [parkCode, gateCode, until, begunAt(tx)]), tell(tx, laneTopic, { park: parkCode, ids: [gateCode] })])
}
const KEEP_OPEN = {
  sql: `insert into parking.lane (park_code, gate_code, kept_open_from, kept_open_until) values ($1, $2, $4, $3)
    on conflict (enterprise_id, gate_code) do update set kept_open_from = excluded.kept_open_from, kept_open_until = excluded.kept_open_until`,
}
/** In an emergency a day at a time is what a barrier takes; the mode outlasts it and is told again. */
export const keptOpen = (sn: string, seconds = EMERGENCY_S) => ({ sn, method: 'gate.keepOpen', params: { seconds } }) as const
export const EMERGENCY_S = 86_400
export type SignEventCode = CodeOf<typeof SignEvent>
export interface Shown {
  plateNo?: string | null
  dueFen?: number
  parkName?: string
}
/** Shows what was decided on the sign of a gate, up to four lines of sixteen characters; where the gate has a text of its own for the event, that. */
export async function showLines(
  tx: Tx,
  gate: GateRow,
  lines: readonly string[],
  event?: SignEventCode,
  { plateNo, dueFen = 0, parkName }: Shown = {},
): Promise<void> {
  const sn = gate.ledId ?? gate.barrierId ?? (await barrierOf(tx, gate))
  const own = gate.programs.find((one) => one.event === event)
  const words: Record<string, string> = { 车牌: toDriver(plateNo ?? lines[0] ?? ''), 金额: yuan(dueFen), 车场: parkName ?? '' }
  if (own?.lines.some((line) => line.includes(ADVERTISED))) words['广告'] = (await advertised.ask(tx, { parkCode: gate.parkCode }))[0]?.answer ?? ''
  const isEmpty = (line: string) => words['广告'] === '' && line.includes(ADVERTISED)
  const said = own
    ? own.lines.map((line) => (isEmpty(line) ? '' : line.replace(/\{([^{}]{1,8})\}/g, (whole, name: string) => words[name] ?? whole)))
    : lines.map(toDriver)
  const fitting = said
    .filter(Boolean)
    .map((line) => [...line].slice(0, LINE_MAX).join(''))
    .slice(0, LINES_MAX)
  const params = { lines: fitting, seconds: own?.seconds ?? SHOWN_S, ...(own && { color: own.color }) }
  if (sn && fitting.length) await unlessRefused(() => command(tx, { sn, method: 'display.show', params }))
}
/** The name under which a car without a plate is kept says nothing to who sits in it. */
const toDriver = (line: string) => (plateKind(line) === 'unplated' ? UNREAD : line)
/** What stands for a plate that was not read. */
export const UNREAD = '无牌车'
const ADVERTISED = '{广告}'
const SHOWN_S = 20
/** A lane without a car shows its own text, if it has one. */
export async function showIdle(tx: Tx, { parkCode, gateCode }: Pick<GateRow, 'parkCode' | 'gateCode'>): Promise<void> {
  const [gate] = await run<GateRow>(tx, IDLE, [parkCode, gateCode, JSON.stringify([{ event: SignEvent.idle }])])
  if (gate) await showLines(tx, gate, [], SignEvent.idle)
}
const IDLE = { sql: `${GATE.sql} and programs @> $3` }
const LINES_MAX = 4
const LINE_MAX = 16

const barrierOf = async (tx: Tx, { parkCode, gateCode }: GateRow): Promise<string | undefined> => (await deviceOf(tx, { parkCode, gateCode }))?.sn

/** Whose warnings tell of a gate that does not open: its barrier, or the camera that saw the car there. */
export const warnerOf = async (tx: Tx, gate: GateRow): Promise<string | null> =>
  gate.barrierId ?? (await barrierOf(tx, gate)) ?? (await deviceOf(tx, { ...gate, type: DeviceType.camera }))?.sn ?? gate.cameraId

/** A refusal wrote nothing, so the transaction can go on without it. */
async function unlessRefused<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

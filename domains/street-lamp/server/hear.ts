import type { Instant } from '../../../platform/contract/field.ts'
import { MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { tell } from '../../../platform/server/realtime.ts'
import { DeviceType } from '../../device/contract/device.ts'
import type { Report } from '../../device/server/api.ts'
import { AlarmCode } from '../contract/alarm.ts'
import { WiringMode, Relay } from '../contract/wiring.ts'
import { raise, type Raised, recover, recoverOthers } from './alarm.ts'
import { dispatch, holdBoxes, lampTopic, readBack } from './command.ts'
import { meter } from './energy.ts'
import { type LampSaid, lampsSaid } from './lamp.ts'
import { planHeard, planLost } from './plan.ts'
import { type Known, programsFor, ruling } from './status.ts'

/** A box has so many circuits at most. */
const CIRCUITS_MAX = 64
/** And so many lamps that it speaks for. */
const LAMPS_MAX = 1_000
const HOURS_MAX = 1_000_000
/** A box's clock and its sunset are a few minutes off ours: a lamp lit around an event is no alarm. */
const AROUND_EVENT_MS = 5 * MINUTE_MS
/** A register of eight digits. */
const REGISTER_MAX = 2_147_483_647
const U_HIGH = 242
const U_LOW = 198
const PF_LOW = 0.8
/** Of what draws less, the power factor says nothing. */
const PF_FROM_W = 50

/** Takes a box's reports: its measurements, its alarms, that it is online again. */
export async function hearBox(tx: Tx, { sn, deviceType, kind, type, deviceTime, receivedAt, body }: Report): Promise<void> {
  if (deviceType !== DeviceType.lampController) return
  const [box] = await run<{ boxCode: string }>(
    tx,
    { sql: 'select box_code from lamp.box where enterprise_id = scope_enterprise() and gateway_no = $1' },
    [sn],
  )
  if (!box) return
  const { boxCode } = box
  await holdBoxes(tx, [boxCode])
  if (kind === 'telemetry') await measured(tx, boxCode, body, deviceTime, receivedAt)
  if (kind === 'event' && (type === 'alarm' || type === 'alarmCleared')) await alarmed(tx, boxCode, type === 'alarm', body, deviceTime)
  await recover(tx, { boxCode, code: AlarmCode.communicationFailure }, receivedAt)
  await dispatch(tx, [boxCode], receivedAt)
  await planHeard(tx, boxCode, receivedAt)
  await tell(tx, lampTopic, { ids: [boxCode] })
}

const number = (value: unknown, most = 1e6): number | null => {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof read === 'number' && Number.isFinite(read) && Math.abs(read) <= most ? read : null
}
const flag = (value: unknown) => (value === 1 || value === true || value === '1' ? 1 : value === 0 || value === false || value === '0' ? 0 : null)
const share = (value: unknown) => {
  const read = number(value, 100)
  return read === null || read < 0 ? null : Math.round(read)
}
interface Said {
  circuit: number
  relay: 0 | 1 | null
  dim: number | null
  u: number | null
  i: number | null
  p: number | null
  pf: number | null
}
/** Only what can be read counts; a box that says nonsense of one circuit is believed about the others. */
function saidOf({ circuits }: Report['body']): Said[] {
  if (!Array.isArray(circuits)) return []
  return circuits.slice(0, CIRCUITS_MAX).flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return []
    const { circuit, on, dim, u, i, p, pf } = one as Record<string, unknown>
    const no = number(circuit, CIRCUITS_MAX)
    const relay = flag(on)
    if (no === null || !Number.isInteger(no)) return []
    return [{ circuit: no, relay, dim: relay === Relay.off ? 0 : share(dim), u: number(u), i: number(i), p: number(p), pf: number(pf, 1) }]
  })
}

/** Single lamps, each by its number; one that says neither how bright it is nor that it is faulty says nothing. Of one that is told twice the first counts. */
function lampsOf({ lamps }: Report['body']): LampSaid[] {
  if (!Array.isArray(lamps)) return []
  const said = lamps.slice(0, LAMPS_MAX).flatMap((one: unknown): LampSaid[] => {
    if (typeof one !== 'object' || one === null) return []
    const { lamp, on, dim, fault, p, hours } = one as Record<string, unknown>
    const [relay, level, faulty, lit] = [flag(on), share(dim), flag(fault), number(hours, HOURS_MAX)]
    const bright = relay === Relay.off ? 0 : (level ?? (relay === Relay.on ? 100 : null))
    if (typeof lamp !== 'string' || (bright === null && faulty === null)) return []
    return [{ lamp, dim: bright, faulty: faulty === 1, p: number(p), hours: lit === null || lit < 0 ? null : Math.round(lit) }]
  })
  return [...new Map(said.toReversed().map((one) => [one.lamp, one])).values()]
}

async function measured(tx: Tx, boxCode: string, body: Report['body'], deviceTime: Instant, receivedAt: Instant): Promise<void> {
  const said = saidOf(body)
  const kwh = number(body['kwh'], REGISTER_MAX / 100)
  const register = kwh === null || kwh < 0 ? null : Math.round(kwh * 100)
  const lux = number(body['lux'])
  const [was] = await run<{ register: number | null; registerAt: Instant | null }>(tx, { sql: BEFORE }, [boxCode])
  await run(tx, { sql: OF_BOX }, [boxCode, flag(body['door']), lux, register, deviceTime, receivedAt])
  if (register !== null) await meter(tx, { boxCode, register, at: deviceTime, before: was?.register ?? null, beforeAt: was?.registerAt ?? null })
  const rows = await run<Known>(tx, { sql: OF_CIRCUITS }, [boxCode, JSON.stringify(said), deviceTime, receivedAt])
  await lampsSaid(tx, boxCode, lampsOf(body), deviceTime)
  await readBack(tx, boxCode, receivedAt)
  if (rows.length > 0) await judge(tx, boxCode, deviceTime, receivedAt)
}
const BEFORE = 'select register, register_at from lamp.box_now where enterprise_id = scope_enterprise() and box_code = $1'
// An older message says nothing of now.
const OF_BOX = `update lamp.box_now set said_at = greatest(said_at, $6::timestamptz), door = coalesce($2::smallint, door), lux = case when $3::float8 is null or lux_at > $5::timestamptz then lux else $3 end,
  lux_at = case when $3::float8 is null or lux_at > $5::timestamptz then lux_at else $5 end, register = case when $4::int is null or register_at > $5 then register else $4 end,
  register_at = case when $4::int is null or register_at > $5 then register_at else $5 end where enterprise_id = scope_enterprise() and box_code = $1`
const OF_CIRCUITS = `update lamp.wiring_now n set relay = coalesce(r.relay, n.relay), dim = coalesce(r.dim, n.dim), u = coalesce(r.u, n.u), i = coalesce(r.i, n.i), p = coalesce(r.p, n.p), pf = coalesce(r.pf, n.pf), read_at = $3::timestamptz, heard_at = $4::timestamptz
  from jsonb_to_recordset($2::jsonb) as r(circuit smallint, relay smallint, dim smallint, u float8, i float8, p float8, pf float8) join lamp.wiring w on w.enterprise_id = scope_enterprise() and w.box_code = $1 and w.circuit_no = r.circuit
  where n.enterprise_id = w.enterprise_id and n.wiring_id = w.id and (n.read_at is null or n.read_at <= $3) returning n.wiring_id`

/** The codes that a reading raises and ends; an alarm that a box reports by itself it also clears by itself. */
const JUDGED = [AlarmCode.lampFailure, AlarmCode.lampUnexpectedOn, AlarmCode.voltageTooHigh, AlarmCode.voltageTooLow, AlarmCode.powerFactorTooLow]
async function judge(tx: Tx, boxCode: string, deviceTime: Instant, receivedAt: Instant): Promise<void> {
  const rows = await run<Known>(
    tx,
    { sql: 'select * from lamp.wiring_line where enterprise_id = scope_enterprise() and box_code = $1 and read_at = $2' },
    [boxCode, deviceTime],
  )
  const rules = ruling(await programsFor(tx, rows, deviceTime))
  const isAround = (row: Known, relay: 0 | 1) =>
    [-AROUND_EVENT_MS, 0, AROUND_EVENT_MS].every((off) => rules.wanted(row, msOf(deviceTime) + off)?.relay === relay)
  const isDark = (row: Known) => isDue(row, receivedAt) && row.relay === Relay.off && isAround(row, Relay.on)
  const found = rows.flatMap((row) =>
    faultsOf(row, { dueDark: isAround(row, Relay.off), isDark: isDark(row) }, receivedAt).map((one): Raised => ({
      boxCode,
      wiringId: row.id,
      wiringCode: row.wiringCode,
      ...one,
    })),
  )
  if (rows.some(isDark)) await planLost(tx, boxCode, receivedAt)
  await recoverOthers(
    tx,
    boxCode,
    JUDGED,
    found,
    rows.map(({ wiringCode }) => wiringCode),
    deviceTime,
  )
  await raise(tx, found, deviceTime)
}

/** Its program rules it, and no hand. */
const isDue = ({ mode, overrideRelay, overrideUntil }: Known, at: Instant) =>
  mode === WiringMode.automatic && (overrideRelay === null || overrideUntil === null || overrideUntil <= at)
/** Returns the faults that the readings of one circuit show. A tagged circuit, at which somebody works, has none. */
function faultsOf(row: Known, { dueDark, isDark }: { dueDark: boolean; isDark: boolean }, at: Instant): Pick<Raised, 'code' | 'value'>[] {
  const { relay, dim, p, u, pf, ratedPowerW, lossPermille, leakW, mode, overrideUntil, overrideRelay } = row
  if (mode === WiringMode.tagged) return []
  const found: Pick<Raised, 'code' | 'value'>[] = []
  const expected = (ratedPowerW * (dim ?? 100)) / 100
  const isHeldOn = mode === WiringMode.manual || (overrideRelay === Relay.on && overrideUntil !== null && overrideUntil > at)
  if (relay === Relay.on && p !== null && p < expected * (1 - lossPermille / 1000)) found.push({ code: AlarmCode.lampFailure, value: p })
  if (isDark) found.push({ code: AlarmCode.lampFailure, value: p ?? 0 })
  if ((relay === Relay.off && p !== null && p > leakW) || (relay === Relay.on && dueDark && !isHeldOn))
    found.push({ code: AlarmCode.lampUnexpectedOn, value: p })
  if (relay === Relay.on && u !== null && u > U_HIGH) found.push({ code: AlarmCode.voltageTooHigh, value: u })
  if (relay === Relay.on && u !== null && u < U_LOW) found.push({ code: AlarmCode.voltageTooLow, value: u })
  if (relay === Relay.on && pf !== null && pf < PF_LOW && (p ?? 0) > PF_FROM_W) found.push({ code: AlarmCode.powerFactorTooLow, value: pf })
  return found
}

/** The wire's words for what TALQ calls otherwise. */
const CODES: Record<string, Raised['code']> = {
  lampFault: AlarmCode.lampFailure,
  overcurrent: AlarmCode.currentTooHigh,
  leakage: AlarmCode.leakageDetected,
  doorOpen: AlarmCode.cabinetDoorOpen,
  powerLoss: AlarmCode.supplyLoss,
  tilt: AlarmCode.poleTilted,
  breakerTripped: AlarmCode.circuitBreakerTripped,
  relayFailure: AlarmCode.relayFailure,
  dimmingFailure: AlarmCode.dimmingFailure,
}
async function alarmed(tx: Tx, boxCode: string, isRaised: boolean, body: Report['body'], at: Instant): Promise<void> {
  const code = CODES[String(body['code'])]
  if (code === undefined) return
  if (code === AlarmCode.cabinetDoorOpen)
    await run(tx, { sql: 'update lamp.box_now set door = $2::smallint where enterprise_id = scope_enterprise() and box_code = $1' }, [
      boxCode,
      isRaised ? 1 : 0,
    ])
  const circuit = number(body['circuit'], CIRCUITS_MAX)
  const [row] =
    circuit === null
      ? []
      : await run<{ id: string; wiringCode: string }>(
          tx,
          { sql: 'select id, wiring_code from lamp.wiring where enterprise_id = scope_enterprise() and box_code = $1 and circuit_no = $2' },
          [boxCode, Math.round(circuit)],
        )
  if (isRaised)
    return raise(tx, [{ boxCode, wiringId: row?.id ?? null, wiringCode: row?.wiringCode ?? null, code, value: number(body['value']) }], at)
  await recover(tx, { boxCode, code, wiringCodes: [row?.wiringCode ?? ''] }, at)
}

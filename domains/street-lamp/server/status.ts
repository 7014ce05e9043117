import type { Instant, Of } from '../../../platform/contract/field.ts'
import { dayOf, DAY_MS, instantAt, MINUTE_MS, msOf } from '../../../platform/contract/time.ts'
import { run, type Tx } from '../../../platform/server/database.ts'
import { AlarmCode } from '../contract/alarm.ts'
import { TimerStatus, TimerTarget } from '../contract/timer.ts'
import { LightState, Wanted, type WiringLine, WiringMode, type WiringStatus, Relay } from '../contract/wiring.ts'
import { type Circuit, isOf, type Light, type Program, wantedAt, type Wish } from './night.ts'

type Line = Of<typeof WiringLine>
/** A reading is current for this long. */
const STALE_MS = 30 * MINUTE_MS
const FAULTS: readonly number[] = [
  AlarmCode.lampFailure,
  AlarmCode.supplyLoss,
  AlarmCode.circuitBreakerTripped,
  AlarmCode.leakageDetected,
  AlarmCode.relayFailure,
  AlarmCode.currentTooHigh,
]

/** The programs that may rule these circuits around a moment. */
export async function programsFor(tx: Tx, circuits: readonly Pick<Circuit, 'boxCode' | 'wiringCode'>[], at: Instant, days = 2): Promise<Program[]> {
  const [from, to] = [dayOf(instantAt(msOf(at) - 2 * DAY_MS)), dayOf(instantAt(msOf(at) + days * DAY_MS))]
  const boxCodes = [...new Set(circuits.map(({ boxCode }) => boxCode))]
  return run(tx, { sql: PROGRAMS }, [boxCodes, circuits.map(({ wiringCode }) => wiringCode), from, to])
}
const PROGRAMS = `select id, name, target, targets, kind, date_from, date_to, day_mask, priority, actions, lux_below, created_at from lamp.timer
  where enterprise_id = scope_enterprise() and status = ${TimerStatus.on} and date_to >= $3 and date_from <= $4
    and (target = ${TimerTarget.regions} or (target in (${TimerTarget.boxes}, ${TimerTarget.byDefault}) and targets && $1::text[]) or (target = ${TimerTarget.wirings} and targets && $2::text[]))`

/** Says of circuits what rules them at a moment. Circuits of one box under the same programs are looked at once. */
export function ruling(programs: readonly Program[]) {
  const known = new Map<string, Wish | undefined>()
  // Most programs name one box or a few circuits: nobody asks all of them about all circuits.
  const named = new Map<string, Program[]>()
  for (const one of programs)
    if (one.target !== TimerTarget.regions)
      for (const code of new Set(one.targets)) {
        const key = `${one.target === TimerTarget.wirings} ${code}`
        named.set(key, [...(named.get(key) ?? []), one])
      }
  const regional = programs.filter(({ target }) => target === TimerTarget.regions)
  const of = (circuit: Omit<Circuit, 'lng' | 'lat'>) => [
    ...(named.get(`false ${circuit.boxCode}`) ?? []),
    ...(named.get(`true ${circuit.wiringCode}`) ?? []),
    ...regional.filter((one) => isOf(one, circuit)),
  ]
  return {
    of,
    wanted(circuit: Circuit & Light, ms: number): Wish | undefined {
      const mine = of(circuit)
      const key = `${circuit.boxCode} ${ms} ${mine.map(({ id }) => id).join()}`
      if (!known.has(key)) known.set(key, wantedAt(mine, circuit, ms, circuit))
      return known.get(key)
    },
  }
}

/** A row of the view with what the list does not show of it. */
export interface Known extends Line {
  lux: number | null
  luxAt: Instant | null
  overrideRelay: 0 | 1 | null
  overrideDim: number | null
  /** Registered one by one, of which it is known whether they are lit. */
  lampsKnown: number
  lampsKnownLit: number
}
const KNOWN = `select * from lamp.wiring_line where enterprise_id = scope_enterprise() and id = any($1::uuid[])`
export const knownOf = (tx: Tx, ids: readonly string[]): Promise<Known[]> => run(tx, { sql: KNOWN }, [ids])

/** With what is wanted of each, and what follows from it and from what was read. */
export async function statusOf(tx: Tx, rows: readonly Known[], at: Instant): Promise<Of<typeof WiringStatus>[]> {
  if (rows.length === 0) return []
  const programs = await programsFor(tx, rows, at)
  const raised = await run<{ boxCode: string; wiringCode: string | null; code: number }>(tx, { sql: RAISED }, [
    [...new Set(rows.map(({ boxCode }) => boxCode))],
  ])
  const ofBox = Map.groupBy(raised, ({ boxCode }) => boxCode)
  const rules = ruling(programs)
  return rows.map((row) => {
    const alarms = (ofBox.get(row.boxCode) ?? [])
      .filter(({ wiringCode }) => wiringCode === null || wiringCode === row.wiringCode)
      .map(({ code }) => code)
    return statusFrom(row, rules.wanted(row, msOf(at)), alarms, at)
  })
}
const RAISED = `select distinct box_code, wiring_code, code from lamp.alarm where enterprise_id = scope_enterprise() and box_code = any($1) and recovered_at is null`

const isHeld = ({ mode, overrideRelay, overrideUntil }: Known, at: Instant) =>
  overrideRelay !== null && (overrideUntil === null ? mode === WiringMode.manual : overrideUntil > at)
function wantedOf(row: Known, wish: Wish | undefined, at: Instant) {
  if (row.mode === WiringMode.tagged) return { relayWanted: null, dimWanted: null, wantedBy: Wanted.maintenance }
  if (isHeld(row, at)) return { relayWanted: row.overrideRelay, dimWanted: row.overrideDim, wantedBy: Wanted.hand }
  if (row.mode === WiringMode.manual) return { relayWanted: null, dimWanted: null, wantedBy: Wanted.hand }
  return { relayWanted: wish?.relay ?? null, dimWanted: wish?.dim ?? null, wantedBy: Wanted.program }
}

function statusFrom(row: Known, wish: Wish | undefined, alarms: number[], at: Instant): Of<typeof WiringStatus> {
  const wanted = wantedOf(row, wish, at)
  const { lux, luxAt, overrideRelay, overrideDim, lampsKnown, lampsKnownLit, enterpriseId, ...line } = row as Known & { enterpriseId: number }
  const share = row.relay === Relay.on && row.p !== null && (row.dim ?? 0) > 0 ? row.p / ((row.ratedPowerW * row.dim!) / 100) : null
  const stale = row.readAt === null || msOf(at) - msOf(row.readAt) > STALE_MS
  const automatic = row.mode === WiringMode.automatic
  return {
    ...line,
    ...wanted,
    overrideUntil: isHeld(row, at) ? row.overrideUntil : null,
    program: automatic ? (wish?.program.name ?? null) : null,
    nextEventAt: automatic ? (wish?.nextEventAt ?? null) : null,
    lossRate: share === null ? null : Math.round((1 - share) * 1000),
    lampsLit: litOf(row, share),
    alarms: alarms as Of<typeof WiringStatus>['alarms'],
    stale,
    state: lightOf(row, wanted.relayWanted, alarms, stale),
  } as Of<typeof WiringStatus>
}

/** Single lamps say it themselves; how many of the others are lit follows from what their circuit draws. */
function litOf({ lampCount, lampsKnown, lampsKnownLit, relay }: Known, share: number | null): number | null {
  const others = lampCount - lampsKnown
  if (others === 0 || relay === Relay.off) return lampsKnownLit
  return share === null ? null : lampsKnownLit + Math.max(0, Math.min(others, Math.round(others * share)))
}

function lightOf(row: Known, relayWanted: 0 | 1 | null, alarms: readonly number[], stale: boolean): Of<typeof WiringStatus>['state'] {
  if (row.mode === WiringMode.tagged) return LightState.tagged
  if (!row.online || stale) return LightState.offline
  if (alarms.some((code) => FAULTS.includes(code))) return LightState.faulty
  if (row.relay === Relay.off) return (row.p ?? 0) > row.leakW ? LightState.litWrongly : LightState.dark
  return relayWanted === Relay.off ? LightState.litWrongly : LightState.lit
}

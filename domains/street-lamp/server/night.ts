import type { Day, Instant, Of } from '../../../platform/contract/field.ts'
import { regionPrefix } from '../../../platform/contract/region.ts'
import { CITY_OFFSET_MS, DAY_MS, dayBy, dayOf, instantAt, MINUTE_MS, msOf, startOf } from '../../../platform/contract/time.ts'
import { Lost, type Timer, TimerKind, TimerTarget } from '../contract/timer.ts'
import { type Place, sunrise, sunset } from './sun.ts'
import { Relay } from '../contract/wiring.ts'

export type Program = Pick<
  Of<typeof Timer>,
  'id' | 'name' | 'target' | 'targets' | 'kind' | 'dateFrom' | 'dateTo' | 'dayMask' | 'priority' | 'actions' | 'luxBelow' | 'createdAt'
>
/** A circuit as far as programs are concerned. */
export interface Circuit extends Place {
  wiringCode: string
  boxCode: string
  regionCode: string | null
}
export interface SwitchEvent {
  at: number
  relay: 0 | 1
  dim: number
}
export interface Wish {
  program: Program
  /** Null: by the light alone, and nobody knows how light it is. */
  relay: 0 | 1 | null
  dim: number | null
  nextEventAt: Instant | null
}
const HALF_DAY_MS = DAY_MS / 2
/** A program by the light needs to know the light of just now. */
export const LUX_FRESH_MS = 10 * MINUTE_MS
/** In weather as dark as that, a program by sun and light begins so much earlier. */
const DARK_AHEAD_MS = 60 * MINUTE_MS
const FULL = 100

/** The evening's date of the night, noon to noon, that a moment lies in. */
export const nightOf = (ms: number): Day => dayOf(instantAt(ms - HALF_DAY_MS))
export const noonOf = (night: Day): number => msOf(startOf(night)) + HALF_DAY_MS

/** When an action happens in that night: by the clock in its evening or its morning, or by its sunset or its sunrise. */
export function momentOf(at: string, night: Day, place: Place): number {
  const clock = /^(\d\d):(\d\d)$/.exec(at)
  if (clock) {
    const minutes = Number(clock[1]) * 60 + Number(clock[2])
    return msOf(startOf(night)) + minutes * MINUTE_MS + (minutes < 720 ? DAY_MS : 0)
  }
  const [, edge, shift = '0'] = /^(sunset|sunrise)([+-]\d+)?$/.exec(at)!
  return (edge === 'sunset' ? sunset(night, place) : sunrise(dayBy(night, 1), place)) + Number(shift) * MINUTE_MS
}
/** Returns the switch events of a program in a night. A program by light alone has none at any hour. */
export const eventsOf = ({ actions }: Pick<Program, 'actions'>, night: Day, place: Place): SwitchEvent[] =>
  actions.map(({ at, relay, dim }) => ({ at: momentOf(at, night, place), relay, dim }))

/** Is it one event after the other, and all of them of the same night? */
export function ascends(actions: Program['actions'], night: Day, place: Place): boolean {
  const moments = eventsOf({ actions }, night, place).map(({ at }) => at)
  const from = noonOf(night)
  return moments.every((at, n) => at >= from && at < from + DAY_MS && (n === 0 || at > moments[n - 1]!))
}

export const isOf = (program: Program, { boxCode, wiringCode, regionCode }: Omit<Circuit, 'lng' | 'lat'>): boolean =>
  program.target === TimerTarget.wirings
    ? program.targets.includes(wiringCode)
    : program.target === TimerTarget.regions
      ? regionCode !== null && program.targets.some((one) => regionCode.startsWith(regionPrefix(one)))
      : program.targets.includes(boxCode)
/** Bit 0 is Monday. */
const weekdayBit = (night: Day) => 1 << ((new Date(msOf(startOf(night)) + CITY_OFFSET_MS).getUTCDay() + 6) % 7)
const runsIn = ({ dateFrom, dateTo, dayMask }: Program, night: Day) => dateFrom <= night && night <= dateTo && (dayMask & weekdayBit(night)) !== 0
const spanOf = ({ dateFrom, dateTo }: Program) => msOf(startOf(dateTo)) - msOf(startOf(dateFrom))

/** The programs of a night, the one in force first: higher priority, then narrower dates, then newer. */
export const ranked = (programs: readonly Program[], night: Day): Program[] =>
  programs
    .filter((one) => runsIn(one, night))
    .sort(
      (a, b) =>
        b.priority - a.priority || spanOf(a) - spanOf(b) || (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : a.id < b.id ? 1 : -1),
    )
export const whyLost = (winner: Program, loser: Program): 1 | 2 | 3 =>
  loser.priority < winner.priority ? Lost.priority : spanOf(loser) > spanOf(winner) ? Lost.dates : Lost.older

export interface Light {
  lux: number | null
  luxAt: Instant | null
}
export const isFresh = ({ lux, luxAt }: Light, ms: number): boolean => lux !== null && luxAt !== null && Math.abs(ms - msOf(luxAt)) <= LUX_FRESH_MS

const DARK: Pick<Wish, 'relay' | 'dim'> = { relay: Relay.off, dim: 0 }
/** Returns the state that a program wants at a moment of its night. Before its first action it is dark. */
export function wishOf(program: Program, place: Place, ms: number, light: Light): Pick<Wish, 'relay' | 'dim'> {
  const dark = isFresh(light, ms) ? light.lux! < (program.luxBelow ?? 0) : undefined
  if (program.kind === TimerKind.lux) return dark === undefined ? { relay: null, dim: null } : dark ? { relay: Relay.on, dim: FULL } : DARK
  const events = eventsOf(program, nightOf(ms), place)
  const last = events.findLast(({ at }) => at <= ms)
  if (last) return { relay: last.relay, dim: last.dim }
  const first = events.find(({ relay }) => relay === Relay.on)
  if (program.kind === TimerKind.sunAndLux && dark && first && first.at - ms <= DARK_AHEAD_MS) return { relay: Relay.on, dim: first.dim }
  return DARK
}
/** Returns the state that the programs of one circuit want at a moment, by the one in force; undefined where there is none. */
export function wantedAt(programs: readonly Program[], place: Place, ms: number, light: Light): Wish | undefined {
  const night = nightOf(ms)
  const [program] = ranked(programs, night)
  if (!program) return undefined
  const [tomorrow] = ranked(programs, dayBy(night, 1))
  const coming = [...eventsOf(program, night, place), ...(tomorrow ? eventsOf(tomorrow, dayBy(night, 1), place) : [])]
  const next = coming.find(({ at }) => at > ms)
  return { program, ...wishOf(program, place, ms, light), nextEventAt: next ? instantAt(next.at) : null }
}

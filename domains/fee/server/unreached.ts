import { type Band, keyOf, type Tariff, type Tier } from '../contract/tariff.ts'
import { DAY_SECONDS } from './civil.ts'
import { type Calendar, type Compiled, type CompiledBand, compile } from './compiled.ts'
import { price } from './engine.ts'
import { type Around, daysOf } from './lintExamples.ts'
import { gcd } from './rate.ts'

/** A step that no stay ever pays: its price could be anything. */
export interface Unreached {
  band: Band
  /** 1 is the first. */
  step: number
  tier: Tier
  fromMin: number
  /** How long the band lasts, where it is over before the step begins. */
  bandMin: number | null
}

/** Pieces of the clock and steps that all stays tried walk over: beyond it the search would hold others up, and what was not looked at is not spoken of. */
const WORK_MAX = 50_000
/** On a finer grid the stays that would have to be tried are too many. */
const GRID_LEAST = 15
const DEARER = 10_000_000

/** Found by trying: a step is reached when one stay at least costs something else once the step does. */
export function unreachedSteps(tariff: Tariff, around: Around): Unreached[] {
  const found: Unreached[] = []
  const compiled = compile(tariff)
  const keys = compiled.written.map(keyOf)
  const rules = tariff.days?.map((rule) => ({ rule, keys: new Set(rule.bands.map(keyOf)) }))
  const work = { left: WORK_MAX }
  for (const [n, band] of compiled.written.entries()) {
    if (band.price.by !== 'tiers') continue
    const { tiers } = band.price
    const alike = new Set(keys.flatMap((key, at) => (key === keys[n] ? [at] : [])))
    // The days that it is for; a band of rules by day, those of every rule that has it.
    const on = rules ? rules.filter((one) => one.keys.has(keys[n]!)).flatMap(({ rule }) => daysOf(rule.days, around)) : daysOf(band.days, around)
    for (let i = 1; i < tiers.length; i++) {
      const fromMin = tiers[i - 1]!.toMin
      if (fromMin === null) break
      const reached = isReached({ tariff, compiled, around, band, alike, on, i, fromMin, work })
      if (work.left <= 0) return found
      const bandMin = lengthOf(band)
      if (!reached)
        found.push({ band, step: i + 1, tier: tiers[i]!, fromMin, bandMin: tariff.clock === 'segment' && fromMin >= bandMin ? bandMin : null })
    }
  }
  return found
}
const lengthOf = ({ fromMin, toMin }: Band) => (toMin > fromMin ? toMin - fromMin : toMin + 1440 - fromMin)

interface Tried {
  tariff: Tariff
  compiled: Compiled
  around: Around
  band: Band
  /** All bands with the same terms, by their place: a finding about a step of one holds for all. */
  alike: ReadonlySet<number>
  on: readonly number[]
  i: number
  fromMin: number
  work: { left: number }
}
function isReached({ tariff, compiled, around, band, alike, on, i, fromMin, work }: Tried): boolean {
  const other = withOther(compiled, alike, i)
  const stays = tariff.clock === 'segment' ? staysFrom(tariff, band, i, fromMin) : staysOnGrid(tariff, fromMin)
  if (!stays) return true
  const { calendar } = around
  const pieces = Math.max(...compiled.clocks.map(({ bands }) => bands.length))
  for (const day of on)
    for (const [entryMin, minutes] of stays) {
      work.left -= pieces * (1 + minutes / 1440) + i
      if (work.left <= 0) return true
      const entry = day * DAY_SECONDS + entryMin * 60
      if (costs(other, entry, minutes, calendar) !== costs(compiled, entry, minutes, calendar)) return true
    }
  return false
}
const costs = (compiled: Compiled, entry: number, minutes: number, calendar: Calendar) =>
  price(compiled, { entry, exit: entry + minutes * 60, calendar }).total / compiled.scale

/** Within one occurrence of a band a stay comes furthest that begins where the band does, or where its free minutes end there. */
function staysFrom({ free }: Tariff, band: Band, i: number, fromMin: number): [entryMin: number, minutes: number][] {
  const { unitMin, toMin } = (band.price as { tiers: Tier[] }).tiers[i]!
  const last = Math.min(toMin ?? Infinity, lengthOf(band) + 1440)
  const step = Math.max(unitMin, Math.ceil((last - fromMin) / STAYS_MOST))
  const stays: [number, number][] = []
  for (let minutes = fromMin + unitMin; minutes <= last + unitMin && stays.length < STAYS_MOST; minutes += step) stays.push([band.fromMin, minutes])
  const freeMin = free?.mode === 'deduct' ? free.minutes : 0
  return freeMin
    ? stays.flatMap(
        ([entry, minutes]) =>
          [
            [entry, minutes],
            [entry - freeMin, minutes + freeMin],
          ] as [number, number][],
      )
    : stays
}
const STAYS_MOST = 50

/** Where the clock runs on over bands: every stay of up to two days that begins and ends on the widest grid of all edges and units. */
function staysOnGrid({ bands, days, cycle, free }: Tariff, fromMin: number): [entryMin: number, minutes: number][] | undefined {
  const lengths = [...bands, ...(days ?? []).flatMap((rule) => rule.bands)].flatMap(({ fromMin: from, toMin, price: of }) => [
    ...[from, toMin],
    ...(of.by === 'tiers' ? of.tiers.flatMap((tier) => [tier.unitMin, tier.toMin ?? 0]) : of.by === 'unit' ? [of.unitMin, of.first?.min ?? 0] : []),
  ])
  const grid = [...lengths, cycle?.cutMin ?? 0, free?.mode === 'deduct' ? free.minutes : 0].reduce(gcd, 1440)
  if (grid < GRID_LEAST) return undefined
  const stays: [number, number][] = []
  for (let minutes = fromMin + grid; minutes <= fromMin + 2 * 1440; minutes += grid)
    for (let entry = 0; entry < 1440; entry += grid) stays.push([entry, minutes])
  return stays
}

/** A step that costs something, for nothing: the rest below a cap would not show a dearer one. One that costs nothing, dear. */
function withOther(compiled: Compiled, alike: ReadonlySet<number>, step: number): Compiled {
  const dear = DEARER * compiled.scale
  const changed = (band: CompiledBand): CompiledBand => ({ ...band, tierPrice: band.tierPrice.with(step, band.tierPrice[step]! > 0 ? 0 : dear) })
  return { ...compiled, bands: compiled.bands.map((band, at) => (alike.has(at) ? changed(band) : band)) }
}

import { CITY_OFFSET_MS } from '../../platform/contract/time.ts'
import { type Oddity, Pile, type PileLeft, type PileTraits, type Town } from './pile.ts'

const POINTS_16 = Array.from({ length: 20 }, (_, i) => `CP${String(i + 1).padStart(3, '0')}`)
const POINTS_201 = Array.from({ length: 4 }, (_, i) => `CP${String(i + 101)}`)
/** Piles of the older version that begin with a register of nought, and one whose clock is five minutes ahead. */
const PLACEHOLDERS = 7
const DRIFT_MS = 5 * 60_000
/** One tells the time of the city as if it were that of Greenwich; the clock of another was never set, and began in 1970. */
const CLOCKS: Record<number, number> = { 5: DRIFT_MS, 9: CITY_OFFSET_MS, 13: -Date.UTC(2026, 0, 1) }
const ODDITIES: Record<number, Oddity> = { 1: 'twice', 2: 'byLines', 6: 'free', 11: 'jumps', 17: 'twice' }

const traitsOf = (id: string, version: PileTraits['version'], index: number): PileTraits => ({
  id,
  version,
  ratedW: index % 4 === 3 ? 7_000 : 60_000,
  driftMs: version === '1.6' ? (CLOCKS[index] ?? 0) : 0,
  placeholder: version === '1.6' && index % PLACEHOLDERS === 0,
  registerWh: 100_000 + index * 1_000,
  oddity: version === '1.6' ? ODDITIES[index] : undefined,
})

/** The town's charging piles, as many as the demo has; with `left` those that it names, as they were left. Each card is used at one of them: a second charge of it would be refused. */
export function pilesOf(town: Town, cards: readonly string[], left?: readonly PileLeft[]): Pile[] {
  const all = [...POINTS_16.map((id, i) => traitsOf(id, '1.6', i)), ...POINTS_201.map((id, i) => traitsOf(id, '2.0.1', i))]
  const their = new Map(left?.map((one) => [one.id, one]))
  const piles = all.filter(({ id }) => !left || their.has(id)).map((traits) => new Pile(traits, town, their.get(traits.id)))
  for (const [i, pile] of piles.entries()) pile.tags = cards.filter((_, card) => card % piles.length === i)
  return piles
}

/** @returns those that were let in; of the others it is noted why not */
export async function comeOnLine(piles: readonly Pile[]): Promise<Pile[]> {
  const there = await Promise.all(
    piles.map((pile) =>
      pile.connect().then(
        () => pile,
        (error: Error) => void pile.counts.problems.push(`${pile.traits.id} ${error.message}`),
      ),
    ),
  )
  return there.filter((pile) => pile !== undefined)
}

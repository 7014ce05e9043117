import { parseArgs } from 'node:util'
import { randomFrom } from '../random.ts'
import { Pile, type PileTraits, type Town } from './pile.ts'

/**
 * `node city/piles/main.ts --secret … [--url ws://127.0.0.1:8610] [--speed 60] [--minutes 5] [--seed 1] [--cards A,B]`: the town's charging piles, as many as the demo has, over both versions of OCPP.
 * Some clocks are wrong, some registers begin with nought, some piles are away for a charge and tell it later.
 */
const { values } = parseArgs({
  options: {
    url: { type: 'string', default: `ws://127.0.0.1:${process.env['OCPP_PORT'] ?? 8610}` },
    secret: { type: 'string', default: process.env['DEMO_PASSWORD'] ?? '' },
    speed: { type: 'string', default: '60' },
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    cards: { type: 'string', default: '' },
  },
})
const POINTS_16 = Array.from({ length: 20 }, (_, i) => `CP${String(i + 1).padStart(3, '0')}`)
const POINTS_201 = Array.from({ length: 4 }, (_, i) => `CP${String(i + 101)}`)
/** Piles of the older version that begin with a register of nought, and one whose clock is five minutes ahead. */
const PLACEHOLDERS = 7
const DRIFT_MS = 5 * 60_000

const traitsOf = (id: string, version: PileTraits['version'], index: number): PileTraits => ({
  id,
  version,
  ratedW: index % 4 === 3 ? 7_000 : 60_000,
  driftMs: index === 5 ? DRIFT_MS : 0,
  placeholder: version === '1.6' && index % PLACEHOLDERS === 0,
  registerWh: 100_000 + index * 1_000,
})

async function main(): Promise<number> {
  const random = randomFrom(Number(values.seed)).next
  const until = Date.now() + Number(values.minutes) * 60_000
  let stopped = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stopped = true))
  const town: Town = { url: values.url, secret: values.secret, random, speed: Number(values.speed), going: () => !stopped && Date.now() < until }
  const traits = [...POINTS_16.map((id, i) => traitsOf(id, '1.6', i)), ...POINTS_201.map((id, i) => traitsOf(id, '2.0.1', i))]
  const piles = traits.map((one) => new Pile(one, town))
  const cards = values.cards.split(',').filter(Boolean)
  const there = await Promise.all(
    piles.map((pile, i) => {
      // Each card at one pile: a second charge of it would be refused.
      pile.tags = cards.filter((_, card) => card % piles.length === i)
      return pile.connect().then(() => pile, (error: Error) => void pile.counts.problems.push(`${pile.traits.id} ${error.message}`)) // prettier-ignore
    }),
  )
  await Promise.all(there.filter((pile) => pile !== undefined).map((pile) => pile.play()))
  await Promise.all(piles.map((pile) => pile.close()))
  const sum = (of: (pile: Pile) => number) => piles.reduce((all, pile) => all + of(pile), 0)
  const problems = piles.flatMap(({ counts }) => counts.problems)
  for (const problem of problems.slice(0, 20)) console.log(`problem ${problem}`)
  console.log(JSON.stringify({ piles: there.filter(Boolean).length, charged: sum(({ counts }) => counts.charged), refused: sum(({ counts }) => counts.refused), offline: sum(({ counts }) => counts.offline), faults: sum(({ counts }) => counts.faults), deliveredWh: sum(({ counts }) => counts.deliveredWh), problems: problems.length })) // prettier-ignore
  return problems.length === 0 ? 0 : 1
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message)
    process.exit(2)
  },
)

import { parseArgs } from 'node:util'
import { randomFrom } from '../random.ts'
import type { Pile, Town } from './pile.ts'
import { comeOnLine, pilesOf } from './town.ts'

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

async function main(): Promise<number> {
  const random = randomFrom(Number(values.seed)).next
  const until = Date.now() + Number(values.minutes) * 60_000
  let stopped = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => (stopped = true))
  const town: Town = {
    url: values.url,
    secret: values.secret,
    random,
    speed: Number(values.speed),
    faults: 0.04,
    going: () => !stopped && Date.now() < until,
  }
  const piles = pilesOf(town, values.cards.split(',').filter(Boolean))
  const there = await comeOnLine(piles)
  await Promise.all(there.map((pile) => pile.play()))
  await Promise.all(piles.map((pile) => pile.close()))
  const sum = (of: (pile: Pile) => number) => piles.reduce((all, pile) => all + of(pile), 0)
  const problems = piles.flatMap(({ counts }) => counts.problems)
  for (const problem of problems.slice(0, 20)) console.log(`problem ${problem}`)
  console.log(
    JSON.stringify({
      piles: there.length,
      charged: sum(({ counts }) => counts.charged),
      refused: sum(({ counts }) => counts.refused),
      offline: sum(({ counts }) => counts.offline),
      faults: sum(({ counts }) => counts.faults),
      deliveredWh: sum(({ counts }) => counts.deliveredWh),
      problems: problems.length,
    }),
  )
  return problems.length === 0 ? 0 : 1
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message)
    process.exit(2)
  },
)

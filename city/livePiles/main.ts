import { endWith } from '../child.ts'
import { randomFrom } from '../random.ts'
import { comeOnLine, pilesOf } from '../piles/town.ts'
import type { PilesGiven } from './child.ts'

/** The piles of a demo as a process of its own, in our time and for as long as the server is there: they go on as they were left. */
async function main(): Promise<void> {
  const { url, secret, cards, left } = JSON.parse(process.env['PILES']!) as PilesGiven
  let ends = false
  const piles = pilesOf({ url, secret, random: randomFrom(Date.now()).next, speed: 1, faults: 0.004, going: () => !ends }, cards, left)
  const there = await comeOnLine(piles)
  console.log(JSON.stringify({ piles: there.length }))
  endWith(async () => {
    ends = true
    await Promise.all(there.map((pile) => pile.close()))
  })
  await Promise.all(there.map((pile) => pile.play()))
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})

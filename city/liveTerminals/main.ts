import { endWith } from '../child.ts'
import { keepDriving } from './rounds.ts'
import type { TerminalsGiven } from './child.ts'

/** The terminals of a demo's cars as a process of its own, in our time and for as long as the server is there. */
async function main(): Promise<void> {
  const { port, cars } = JSON.parse(process.env['TERMINALS']!) as TerminalsGiven
  let ends = false
  console.log(JSON.stringify({ cars: cars.length }))
  endWith(async () => void (ends = true))
  await Promise.all(cars.map((car) => keepDriving(car, { port, going: () => !ends })))
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})

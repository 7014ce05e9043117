import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomFrom } from '../../city/random.ts'
import { each, tally } from '../../scripts/tally.ts'
import { CHANGES_SESSION, garbageOn } from './checks.ts'
import { type Victim, victimOf } from './inputs.ts'
import { openWorld, tried, type World } from './world.ts'

/** `SEED=7 npx vitest run tests/matrix/garbage` repeats a run; `GARBAGE=200` sends more. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const EACH = Number(process.env['GARBAGE'] ?? 20)
/** Of what the heap held after a collection. */
const HEAP_GROWTH = 1.05
const HEAP_SLACK = 8 * 1024 * 1024

let world: World
let victim: Victim
beforeAll(async () => {
  world = await openWorld()
  victim = await victimOf(world.owner, 1, 'P003')
  console.log(`garbage: seed ${SEED}, ${EACH} inputs for each of ${sent.length} calls`)
})
afterAll(() => world.close())

/** These would lock out the administrator who sends all this, or take away what they may do. */
const LOCKS_OUT = new Set([
  'identity.session.end',
  'identity.enterprise.reset-enterprise-password',
  'identity.person.delete',
  'identity.person.update-lock',
  'identity.person.update',
  'identity.person.reset-password',
  'identity.role.update',
  'identity.role.del',
  'identity.resource.del',
  'identity.resource.update',
])
const sent = tried.filter(({ id }) => !LOCKS_OUT.has(id) && !CHANGES_SESSION.has(id))

test(
  'garbage on any call is refused with a sentence: no 5xx, nothing slow, no inner text, and the house goes on',
  async () => {
    const random = randomFrom(SEED)
    // Validators are compiled by now, and lists have prepared their statements for most sets of filters: what still grows is what is left behind.
    expect(await garbageOn(world, sent, victim, random, EACH / 2)).toEqual([])
    const before = await heap()
    expect(await garbageOn(world, sent, victim, random, EACH / 2)).toEqual([])
    const after = await heap()
    expect((await world.send('GET', '/lbs/ready', {})).status).toBe(200)
    expect(after).toBeLessThan(before * HEAP_GROWTH + HEAP_SLACK)
    tally({
      check: 'garbage',
      seed: SEED,
      calls: each(sent, EACH),
      numbers: { inputs: sent.length * EACH, heapBeforeMb: mb(before), heapAfterMb: mb(after) },
    })
  },
  EACH * 60_000,
)
const mb = (bytes: number) => Math.round(bytes / 1024 / 1024)
/** The heap in use after a garbage collection, in bytes. */
async function heap(): Promise<number> {
  const { setFlagsFromString } = await import('node:v8')
  const { runInNewContext } = await import('node:vm')
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let i = 0; i < 3; i++) collect()
  return process.memoryUsage().heapUsed
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { call, type Call } from '../../platform/contract/call.ts'
import { message, nothing, whole as integer } from '../../platform/contract/field.ts'
import { serve } from '../../platform/server/serve.ts'
import { each, tally } from '../../scripts/tally.ts'
import { AS, type Factories } from '../ready/maker.ts'
import { readyIn } from '../ready/all.ts'
import { bearer } from './checks.ts'
import { inputFor, type Victim, victimOf } from './inputs.ts'
import { openWorld, tried, whole, type World } from './world.ts'

/** Calls that forget to check the version. */
const careless = {
  change: call('trial.careless.change', {
    service: 'basic',
    post: '/careless/change',
    needs: 'public',
    writes: true,
    does: ['试', 'Tried'],
    own: true,
    body: message({ version: integer('版本', 'Version') }),
    reply: nothing,
  }),
}
const planted = serve(careless, { change: async () => undefined })

let world: World
let victim: Victim
let made: Factories
beforeAll(async () => {
  world = await openWorld({ planted: { sql: '', domain: { name: 'trial', calls: planted } } })
  victim = await victimOf(world.owner, 1, 'P001')
  made = await readyIn(world)
})
afterAll(() => world.close())

const versioned = tried.filter(
  (one) => one.writes && !one.id.startsWith('trial.') && ((one.input as { required?: string[] }).required ?? []).includes('version'),
)
/** Nobody has changed a row so often. */
const AHEAD = 900
/** Of a call: what is wrong with its answer to a version that the row never had. */
async function staleAnswer(one: Call<any, any>): Promise<string[]> {
  const ready = await made[one.id]?.()
  const input = { ...inputFor(one, victim), ...ready }
  const { status, text } = await world.ask(
    one,
    { ...input, version: Number(input['version']) + AHEAD },
    { ...bearer(world.tokens.admin), ...(ready?.[AS] && { authorization: ready[AS] }) },
  )
  return status === 409 && text.includes('"system.stale"') ? [] : [`${one.id}: ${status} ${text.slice(0, 200)}`]
}

test('the harness sees a call that takes any version', async () => {
  expect(await staleAnswer(careless.change)).toEqual([expect.stringMatching(/^trial\.careless\.change: 200/)])
})

test('whoever changes what somebody else has changed meanwhile is told so, at every call that carries a version', async () => {
  const wrong: string[] = []
  for (const one of versioned) wrong.push(...(await staleAnswer(one)))
  expect(wrong).toEqual([])
  if (whole) expect(versioned.length).toBeGreaterThan(30)
  tally({ check: 'stale versions', calls: each(versioned, 1) })
}, 180_000)

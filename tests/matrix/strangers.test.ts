import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BOUND_COOKIE } from '../../platform/server/cookies.ts'
import { each, tally } from '../../scripts/tally.ts'
import { bearer, foreignSeen, notAnswering } from './checks.ts'
import { type Victim, victimOf } from './inputs.ts'
import { calls, openWorld, type World } from './world.ts'

let world: World
let victim: Victim
const dead: Record<string, string> = {}
const guarded = calls.filter(({ needs }) => needs !== 'public')

beforeAll(async () => {
  world = await openWorld()
  victim = await victimOf(world.owner, 1, 'P003')
  const digest = (token: string) => hash('sha256', token, 'buffer')
  dead['expired'] = await world.signIn('auditor')
  await world.owner.query(`update identity.session set expires_at = now() - interval '1 second' where token_hash = $1`, [digest(dead['expired'])])
  dead['revoked'] = await world.signIn('auditor')
  await world.send('POST', '/lbs/security/authentication/logout', {
    headers: { ...bearer(dead['revoked']), 'content-type': 'application/json' },
    body: '{}',
  })
  dead['locked'] = await world.signIn('locked')
  await world.owner.query(`update identity.person set lock_state = 2 where username = 'locked'`)
  dead['garbage'] = 'x'.repeat(43)
})
afterAll(() => world.close())

test.each(['none', 'garbage', 'expired', 'revoked', 'locked'])('token %s: 401 on every guarded call', async (kind) => {
  expect(await notAnswering(world, guarded, victim, kind === 'none' ? {} : bearer(dead[kind]!), 401)).toEqual([])
  tally({ check: `strangers: token ${kind}`, calls: each(guarded, 1) })
})

test('a cookie without the header is nobody', async () => {
  expect(await notAnswering(world, guarded, victim, { cookie: `token=${world.tokens.admin}; ${BOUND_COOKIE}=x` }, 401)).toEqual([])
  tally({ check: 'strangers: cookie alone', calls: each(guarded, 1) })
})

test('signed in without the capability: 403 on every call that needs one', async () => {
  const needing = guarded.filter(({ needs }) => needs.includes(':'))
  expect(await notAnswering(world, needing, victim, bearer(world.tokens.nobody), 403)).toEqual([])
  tally({ check: 'strangers: no capability', calls: each(needing, 1) })
})

test.each([
  ['a page elsewhere', { 'sec-fetch-site': 'cross-site' }],
  ['a page of a sister site', { 'sec-fetch-site': 'same-site' }],
  ['a page elsewhere in a browser that only says whose it is', { origin: 'https://elsewhere.example' }],
  ['a browser that looks ahead', { 'sec-purpose': 'prefetch' }],
])('%s fires none of the writing calls', async (who, from) => {
  const writing = calls.filter(({ writes }) => writes)
  expect(await notAnswering(world, writing, victim, { ...bearer(world.tokens.admin), ...from }, 403)).toEqual([])
  tally({ check: `strangers: ${who}`, calls: each(writing, 1) })
})

test('the administrator of another enterprise sees no byte and changes no row, whatever ids are sent', async () => {
  expect(await foreignSeen(world, guarded, victim, world.tokens.otheradmin, 'enterprise_id = 1')).toEqual([])
  tally({ check: 'strangers: other enterprise', calls: each(guarded, 2) })
})

test('a role of two parks sees no byte and changes no row of a third', async () => {
  expect(await foreignSeen(world, guarded, victim, world.tokens.operator, `enterprise_id = 1 and park_code = 'P003'`)).toEqual([])
  tally({ check: 'strangers: other park', calls: each(guarded, 2) })
})

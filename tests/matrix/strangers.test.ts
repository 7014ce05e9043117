import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BOUND_COOKIE } from '../../platform/server/cookies.ts'
import { checksums, foreignIn, secretsOf } from './foreign.ts'
import { inputFor, type Victim, victimOf } from './inputs.ts'
import { calls, openWorld, type World } from './world.ts'

let world: World
let victim: Victim
const dead: Record<string, string> = {}
const guarded = calls.filter(({ needs }) => needs !== 'public')
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

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
  const wrong: string[] = []
  for (const call of guarded) {
    const { status } = await world.ask(call, inputFor(call, victim), kind === 'none' ? {} : bearer(dead[kind]!))
    if (status !== 401) wrong.push(`${call.id} ${status}`)
  }
  expect(wrong).toEqual([])
})

test('a cookie without the header is nobody', async () => {
  const wrong: string[] = []
  for (const call of guarded) {
    const { status } = await world.ask(call, inputFor(call, victim), { cookie: `token=${world.tokens.admin}; ${BOUND_COOKIE}=x` })
    if (status !== 401) wrong.push(`${call.id} ${status}`)
  }
  expect(wrong).toEqual([])
})

test('signed in without the capability: 403 on every call that needs one', async () => {
  const wrong: string[] = []
  for (const call of guarded.filter(({ needs }) => needs.includes(':'))) {
    const { status } = await world.ask(call, inputFor(call, victim), bearer(world.tokens.nobody))
    if (status !== 403) wrong.push(`${call.id} ${status}`)
  }
  expect(wrong).toEqual([])
})

test('a page elsewhere fires none of the writing calls', async () => {
  const wrong: string[] = []
  for (const call of calls.filter(({ writes }) => writes)) {
    const { status } = await world.ask(call, inputFor(call, victim), { ...bearer(world.tokens.admin), 'sec-fetch-site': 'cross-site' })
    if (status !== 403) wrong.push(`${call.id} ${status}`)
  }
  expect(wrong).toEqual([])
})

test('the administrator of another enterprise sees no byte and changes no row, whatever ids are sent', async () => {
  const secrets = await secretsOf(world.owner, 'enterprise_id = 1')
  const before = await checksums(world.owner, 'enterprise_id = 1')
  const leaks: string[] = []
  for (const call of guarded)
    for (const optional of [false, true]) {
      const input = inputFor(call, victim, { optional })
      const { status, text } = await world.ask(call, input, bearer(world.tokens.otheradmin))
      const found = foreignIn(text, secrets, JSON.stringify(input))
      if (found.length > 0 || status >= 500) leaks.push(`${call.id} ${status} ${found.slice(0, 3)}`)
    }
  expect(leaks).toEqual([])
  expect(await checksums(world.owner, 'enterprise_id = 1')).toEqual(before)
})

test('a role of two parks sees no byte and changes no row of a third', async () => {
  const ofPark = `enterprise_id = 1 and park_code = 'P003'`
  const secrets = await secretsOf(world.owner, ofPark)
  const before = await checksums(world.owner, ofPark)
  const leaks: string[] = []
  for (const call of guarded)
    for (const optional of [false, true]) {
      const input = inputFor(call, victim, { optional })
      const { status, text } = await world.ask(call, input, bearer(world.tokens.operator))
      const found = foreignIn(text, secrets, JSON.stringify(input))
      if (found.length > 0 || status >= 500) leaks.push(`${call.id} ${status} ${found.slice(0, 3)}`)
    }
  expect(leaks).toEqual([])
  expect(await checksums(world.owner, ofPark)).toEqual(before)
})

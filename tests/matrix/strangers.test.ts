import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isGuests } from '../../platform/contract/call.ts'
import { BOUND_COOKIE } from '../../platform/server/call/cookies.ts'
import { each, tally } from '../../scripts/tally.ts'
import { readyIn, requestFor } from '../ready/all.ts'
import type { Factories } from '../ready/maker.ts'
import {
  bearer,
  CHANGES_SESSION,
  driversWrite,
  guestsOf,
  learned,
  looks,
  notAnswering,
  rightfulWrites,
  type Stranger,
  strangersWrite,
} from './checks.ts'
import { type Victim, victimOf } from './inputs.ts'
import { scopePeople } from './scopePeople.ts'
import { calls, openWorld, tried, whole, type World } from './world.ts'

let world: World
let victim: Victim
const tokens = new Map<string, string>()
let made: Factories
const dead: Record<string, string> = {}
const guarded = tried.filter(({ needs }) => needs !== 'public')

beforeAll(async () => {
  world = await openWorld()
  for (const [scope, token] of (await scopePeople(world)).tokens) tokens.set(`scope-${scope}`, token)
  for (const [name, token] of Object.entries(world.tokens)) tokens.set(name, token)
  made = await readyIn(world, 'P003')
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

test('a program with a key of somebody gets nothing that is their own, and what is nobody’s', async () => {
  const add = calls.find(({ id }) => id === 'identity.api-key.add')!
  const { input, authorization } = await requestFor(world, made, add)
  const { data } = JSON.parse((await world.ask(add, input, { authorization })).text) as { data: { key: string } }
  const refusing = async (calls: typeof guarded, token: string) =>
    calls.length - (await notAnswering(world, calls, victim, bearer(token), 403)).length
  const own = guarded.filter(({ needs, forPrograms }) => needs === 'signed-in' && !forPrograms)
  expect(await notAnswering(world, own, victim, bearer(data.key), 403)).toEqual([])
  const read = own.filter(({ writes }) => !writes)
  expect(read.length).toBeGreaterThan(whole ? 10 : -1)
  expect(await refusing(read, world.tokens.admin), 'the person is let in').toBe(0)
  const open = guarded.filter(({ forPrograms }) => forPrograms)
  expect(open.length).toBeGreaterThan(whole ? 20 : -1)
  expect(await refusing(open, data.key), 'a program may ask what is nobody’s').toBe(0)
  tally({ check: 'strangers: a key of somebody', calls: each(own, 1) })
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
  const writing = tried.filter(({ writes }) => writes)
  expect(await notAnswering(world, writing, victim, { ...bearer(world.tokens.admin), ...from }, 403)).toEqual([])
  tally({ check: `strangers: ${who}`, calls: each(writing, 1) })
})

/** Each may do everything, or an operator's work, in two parks and a street at most: none of them in any other. */
const IN_PARKS = ['operator', 'scope-3', 'scope-5', 'scope-6']
const elsewhere = `enterprise_id = 1 and park_code not in ('P001', 'P002', 'R001')`
const ours = 'enterprise_id = 1'
const someone = (name: string): Stranger => ({ name, token: tokens.get(name)! })
const going = guarded.filter(({ id, needs }) => !CHANGES_SESSION.has(id) && needs !== 'driver')
const writing = going.filter((call) => !looks(call))
/** Calls that guests read with are open to nobody of the console; that one merchant sees nothing of another is tested at its desk. */
const looking = going.filter((call) => looks(call) && !isGuests(call.needs))

test('no write reaches a row of another enterprise or park, and each of them is one that somebody who may could make', async () => {
  const wrong: string[] = []
  for (const call of writing) {
    const request = await requestFor(world, made, call)
    const other = await strangersWrite(world, call, request, [someone('otheradmin')], ours)
    const park = await strangersWrite(world, call, request, IN_PARKS.map(someone), elsewhere)
    wrong.push(...other.wrong, ...park.wrong)
    if (!other.done && !park.done) wrong.push(...(await rightfulWrites(world, call, request)))
  }
  expect(wrong).toEqual([])
  tally({ check: 'strangers: writes in another enterprise', calls: each(writing, 1) })
  tally({ check: 'strangers: writes in another park', calls: each(writing, IN_PARKS.length) })
}, 1_200_000)

const driving = guarded.filter(({ needs }) => needs === 'driver')
const guests = guarded.filter(({ needs }) => isGuests(needs))
test('nobody of the console is a guest, and a guest is nobody of the console, nor a guest of another kind', async () => {
  for (const token of [...tokens.values()]) expect(await notAnswering(world, guests, victim, bearer(token), 401)).toEqual([])
  for (const [guest, token] of Object.entries(guestsOf(world)))
    expect(
      await notAnswering(
        world,
        guarded.filter(({ needs }) => needs !== guest),
        victim,
        bearer(token),
        401,
      ),
    ).toEqual([])
  tally({ check: 'strangers: guests and the console', calls: each(guarded, 1) })
})
test('no write of a driver reaches a row of another company, and each of them is one that the driver could make', async () => {
  const wrong: string[] = []
  for (const call of driving.filter((one) => one.writes && !CHANGES_SESSION.has(one.id))) {
    const request = await requestFor(world, made, call)
    wrong.push(...(await driversWrite(world, call, request, { name: 'a driver elsewhere', token: world.drivers.theirs }, ours)))
    wrong.push(...(await rightfulWrites(world, call, request)))
  }
  expect(wrong).toEqual([])
})

/** So many of the calls at least tell of the rows to whoever may know: otherwise the column looks at nothing. */
const SEEN_SHARE = 0.2
test.each([
  ['park', IN_PARKS, elsewhere],
  ['enterprise', ['otheradmin'], ours],
])(
  'nobody learns anything of another %s: forgotten, it changes no answer',
  async (what, names, where) => {
    const { wrong, seen } = await learned(world, looking, victim, { strangers: names.map(someone), rightful: someone('admin'), where })
    expect(wrong).toEqual([])
    expect(seen.length).toBeGreaterThan(looking.length * SEEN_SHARE - 1)
    tally({ check: `strangers: looks into another ${what}`, calls: each(looking, names.length * 4), numbers: { seenByOwner: seen.length } })
  },
  1_200_000,
)

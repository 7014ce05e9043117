import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf } from '../../platform/contract/call.ts'
import { partsOf } from '../../platform/contract/field.ts'
import { checkerOf } from '../../platform/server/call/input.ts'
import { each, tally } from '../../scripts/tally.ts'
import { openCalls, openTables, withoutNeeds, writtenByLookers } from './checks.ts'
import { inputFor, type Victim, victimOf } from './inputs.ts'
import { calls, openWorld, type World } from './world.ts'

let world: World
let victim: Victim
beforeAll(async () => {
  world = await openWorld()
  victim = await victimOf(world.owner, 1, 'P003')
})
afterAll(() => world.close())

test('served routes, the contract, the API document and this matrix have the same calls', async () => {
  const { paths } = JSON.parse((await world.send('GET', '/lbs/openapi.json', {})).text) as {
    paths: Record<string, Record<string, { operationId: string; tags: string[] }>>
  }
  const documented = Object.entries(paths).flatMap(([address, operations]) =>
    Object.entries(operations).map(([method, { operationId }]) => `${method.toUpperCase()} ${address} ${operationId}`),
  )
  expect(documented.sort()).toEqual(calls.map((call) => `${call.method} ${addressOf(call)} ${call.id}`).sort())
  expect(new Set(calls.map(({ id }) => id)).size).toBe(calls.length)
  // Each stands under its noun.
  for (const { operationId, tags } of Object.values(paths).flatMap(Object.values))
    expect(operationId.startsWith(`${tags.join()}.`), operationId).toBe(true)
})

const listed = (file: string) =>
  readFileSync(path.join(import.meta.dirname, file), 'utf8')
    .trim()
    .split('\n')
test('the calls that are open to everybody, and those to whoever is signed in, are exactly those of their lists; every other says what it needs', () => {
  expect(openCalls(calls, listed('public-calls.txt'))).toEqual([])
  expect(openCalls(calls, listed('signed-in-calls.txt'), 'signed-in')).toEqual([])
  expect(withoutNeeds(calls)).toEqual([])
  tally({ check: 'inventory', calls: each(calls, 1) })
})

test('what strangers ask is held to the rate of scanned codes: all but sign-ins, which count their own tries, what is signed, and what takes a key that nobody guesses', () => {
  const light = calls.filter(({ needs, heavy }) => needs === 'public' && !heavy).map(({ id }) => id)
  expect(light.toSorted()).toEqual([
    'charging.door.bill',
    'charging.door.status',
    'device.picture.upload',
    'identity.directory.login',
    'identity.directory.offer',
    'identity.oidc.begin',
    'identity.oidc.finish',
    'identity.oidc.offer',
    'identity.second-factor.verify',
    'identity.session.exchange',
    'identity.session.login',
    'merchant.desk.sign-in',
    'owner.door.code',
    'owner.door.sign-in',
    'parking.call-center.notice',
    'roadside.illegal.notice',
    'settlement.notice.sandbox',
  ])
})

test('whoever may only look changes nothing, but for the chain of the logs that they have looked through, and the note that they have looked where somebody was', () => {
  expect(writtenByLookers(calls)).toEqual(['staff.schedule.page-query-location', 'staff.tracker.query-tracker', 'system.log.check-chains'])
})

test('every table with an enterprise has its wall', async () => {
  expect(await openTables(world.owner)).toEqual([])
})

test('what was signed, passwords and secrets are taken as they were sent, blanks and all', () => {
  const cut = calls.flatMap(({ id, input }) => {
    const parts = Object.entries(partsOf<{ 'x-typed'?: true; pattern?: string }>(input)).filter(([, part]) => part['x-typed'])
    const mayNot = 'sign' in partsOf(input) ? parts : parts.filter(([name, { pattern }]) => /password|secret$/i.test(name) && !pattern)
    return mayNot.map(([name]) => `${id}: ${name}`)
  })
  expect(cut).toEqual([])
  expect(calls.filter(({ input }) => 'sign' in partsOf(input)).map(({ id }) => id)).toEqual([
    'parking.call-center.notice',
    'roadside.illegal.notice',
    'settlement.notice.sandbox',
  ])
})

test.each(calls.map((call) => [call.id, call] as const))('%s: its validator compiles, and a valid input can be made', (_, call) => {
  expect(() => checkerOf(call)).not.toThrow()
  expect(() => inputFor(call, victim)).not.toThrow()
})

test('unknown addresses are 404, methods that no call has are refused', async () => {
  expect((await world.send('GET', '/lbs/basic/nowhere', {})).status).toBe(404)
  expect((await world.send('GET', '/nowhere', {})).status).toBe(404)
  for (const method of ['PATCH', 'OPTIONS']) expect((await world.send(method, '/lbs/basic/parkInfo/add', {})).status).toBeGreaterThanOrEqual(400)
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { call } from '../../platform/contract/call.ts'
import { listOf, message, nothing, orNone, text } from '../../platform/contract/field.ts'
import { randomFrom } from '../../city/random.ts'
import type { House } from '../../platform/server/domain.ts'
import { register, serve } from '../../platform/server/serve.ts'
import { tally } from '../../scripts/tally.ts'
import { foreignSeen, garbageOn, notAnswering, openCalls, openTables, withoutNeeds, writtenByLookers } from './checks.ts'
import { type Victim, victimOf } from './inputs.ts'
import { openWorld, type World } from './world.ts'

/** Each of these is a fault that somebody could make. A harness that does not see it is no harness. */
const faulty = {
  unguarded: call('trial.fault.unguarded', { service: 'basic', get: '/fault/unguarded', needs: 'signed-in', own: true, query: message({}), reply: listOf(text('名称', 'Name')) }),
  trusting: call('trial.fault.trusting', {
    service: 'basic', get: '/fault/trusting', needs: 'signed-in', own: true, query: message({ custId: text('人员', 'Person') }), reply: listOf(text('名称', 'Name')),
  }),
  trustingWrite: call('trial.fault.trusting-write', {
    service: 'basic', post: '/fault/trustingWrite', needs: 'signed-in', writes: true, own: true, body: message({ custId: text('人员', 'Person') }), reply: nothing,
  }),
  rawSort: call('trial.fault.raw-sort', {
    service: 'basic', get: '/fault/rawSort', needs: 'signed-in', own: true, query: message({ orderByColumn: text('排序', 'Sort') }), reply: listOf(text('名称', 'Name')),
  }),
  looking: call('trial.fault.looking', { service: 'basic', post: '/fault/looking', needs: 'trial:fault:view', writes: true, own: true, body: message({}), reply: nothing }),
  open: call('trial.fault.open', { service: 'basic', get: '/fault/open', needs: 'public', own: true, query: message({}, { note: orNone(text('备注', 'Note')) }), reply: nothing }),
} // prettier-ignore
let house: House
const named = async (result: Promise<{ rows: unknown[] }>) => (await result).rows.map((row) => (row as { name: string }).name) as never
const calls = serve(faulty, {
  unguarded: ({ tx }) => named(sql`select name from trial.unguarded`.execute(tx)),
  trusting: ({ input }) => house.reading(1, (tx) => named(sql`select username as name from identity.person where id::text = ${input.custId}`.execute(tx))),
  trustingWrite: ({ input }) => house.writing(1, 'trial', async (tx) => void (await sql`update identity.person set remark = 'mine' where id::text = ${input.custId}`.execute(tx))),
  rawSort: ({ tx, input }) => named(sql`select park_code as name from parking.park order by ${sql.raw(input.orderByColumn)}`.execute(tx)),
  looking: async () => undefined,
  open: async () => undefined,
}) // prettier-ignore

let world: World
let victim: Victim
beforeAll(async () => {
  world = await openWorld({
    planted: {
      sql: `create schema trial; select platform.opened('trial');
      create table trial.unguarded (id uuid primary key default uuidv7(), enterprise_id integer not null, name text not null);
      grant select on trial.unguarded to kerbline_app; insert into trial.unguarded (enterprise_id, name) values (1, 'nobody else may know');`,
      domain: { name: 'trial', calls, start: (running) => void (house = running) },
    },
  })
  victim = await victimOf(world.owner, 1, 'P003')
})
afterAll(() => world.close())
const OURS = 'enterprise_id = 1'

test('a table without a policy is seen by its rows, and by itself', async () => {
  expect(await foreignSeen(world, [faulty.unguarded], victim, world.tokens.otheradmin, OURS)).toEqual([
    expect.stringContaining('trial.fault.unguarded 200 nobody else may know'),
    expect.anything(),
  ])
  expect(await openTables(world.owner)).toEqual(['trial.unguarded'])
})

test('a handler that trusts the custId of the body is seen: by what it tells, and by what it changes', async () => {
  expect((await foreignSeen(world, [faulty.trusting], victim, world.tokens.otheradmin, OURS))[0]).toMatch(/^trial\.fault\.trusting 200 \w+/)
  expect(await foreignSeen(world, [faulty.trustingWrite], victim, world.tokens.otheradmin, OURS)).toEqual(['identity.person was changed'])
})

test('a call without its needs does not start, and the harness names it; one that is open to everybody must be listed', async () => {
  const { needs: _, ...naked } = faulty.unguarded
  expect(withoutNeeds([naked as never, faulty.open])).toEqual(['trial.fault.unguarded'])
  expect(() => register({} as never, world.house.pool, {} as never, [{ call: naked as never, handle: async () => [] }])).toThrow(
    'does not say what it needs',
  )
  expect(openCalls([faulty.open], [])).toEqual(['trial.fault.open'])
  expect(openCalls([], ['trial.fault.open'])).toEqual(['trial.fault.open is listed only'])
  expect(openCalls([faulty.trustingWrite], [], 'signed-in')).toEqual(['trial.fault.trusting-write'])
  expect(writtenByLookers([faulty.looking, faulty.trustingWrite])).toEqual(['trial.fault.looking'])
  expect(await notAnswering(world, [faulty.open], victim, {}, 401)).toEqual(['trial.fault.open 200'])
})

test('a sort by a raw name is seen', async () => {
  const wrong = await garbageOn(world, [faulty.rawSort], victim, randomFrom(1), 40)
  expect(wrong.join('\n')).toMatch(/trial\.fault\.raw-sort 500/)
  tally({ check: 'planted: matrix', numbers: { planted: 8, caught: 8 } })
})

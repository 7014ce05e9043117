import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beWary } from '../../domains/identity/server/signIn/sessions.ts'
import { call, type Call } from '../../platform/contract/call.ts'
import { listOf, message, nothing, orNone, text, whole } from '../../platform/contract/field.ts'
import { randomFrom } from '../../city/random.ts'
import type { House } from '../../platform/server/domain.ts'
import { register, serve } from '../../platform/server/serve.ts'
import { tally } from '../../scripts/tally.ts'
import {
  bearer,
  garbageOn,
  learned,
  notAnswering,
  openCalls,
  openTables,
  rightfulWrites,
  strangersWrite,
  withoutNeeds,
  writtenByLookers,
} from './checks.ts'
import { foreignIn, secretsOf } from './foreign.ts'
import { inputFor, type Victim, victimOf } from './inputs.ts'
import { injectionsOn, leaksAt, reflectedAt } from './scanner.ts'
import { openWorld, type World } from './world.ts'

/** Each of these is a fault that somebody could make. A harness that does not see it is no harness. */
const faulty = {
  unguarded: call('trial.fault.unguarded', {
    service: 'basic',
    get: '/fault/unguarded',
    needs: 'signed-in',
    own: true,
    query: message({}),
    reply: listOf(text('名称', 'Name')),
  }),
  trusting: call('trial.fault.trusting', {
    service: 'basic',
    get: '/fault/trusting',
    needs: 'signed-in',
    own: true,
    query: message({ custId: text('人员', 'Person') }),
    reply: listOf(text('名称', 'Name')),
  }),
  trustingWrite: call('trial.fault.trusting-write', {
    service: 'basic',
    post: '/fault/trustingWrite',
    needs: 'signed-in',
    writes: true,
    does: ['试', 'Tried'],
    own: true,
    body: message({ custId: text('人员', 'Person') }),
    reply: nothing,
  }),
  sum: call('trial.fault.sum', {
    service: 'basic',
    get: '/fault/sum',
    needs: 'signed-in',
    own: true,
    query: message({}),
    reply: message({ totalFen: whole('合计', 'Sum') }),
  }),
  ending: call('trial.fault.ending', {
    service: 'basic',
    post: '/fault/ending',
    needs: 'signed-in',
    writes: true,
    does: ['试', 'Tried'],
    own: true,
    body: message({}),
    reply: nothing,
  }),
  rawSort: call('trial.fault.raw-sort', {
    service: 'basic',
    get: '/fault/rawSort',
    needs: 'signed-in',
    own: true,
    query: message({ orderByColumn: text('排序', 'Sort') }),
    reply: listOf(text('名称', 'Name')),
  }),
  looking: call('trial.fault.looking', {
    service: 'basic',
    post: '/fault/looking',
    needs: 'trial:fault:view',
    writes: true,
    does: ['试', 'Tried'],
    own: true,
    body: message({}),
    reply: nothing,
  }),
  open: call('trial.fault.open', {
    service: 'basic',
    get: '/fault/open',
    needs: 'public',
    own: true,
    query: message({}, { note: orNone(text('备注', 'Note')) }),
    reply: nothing,
  }),
}
let house: House
const named = async (result: Promise<{ rows: unknown[] }>) => (await result).rows.map((row) => (row as { name: string }).name) as never
const calls = serve(faulty, {
  unguarded: ({ tx }) => named(sql`select name from trial.unguarded`.execute(tx)),
  trusting: ({ input }) =>
    house.reading(1, (tx) => named(sql`select username as name from identity.person where id::text = ${input.custId}`.execute(tx))),
  sum: ({ tx }) =>
    house.reading(
      1,
      async () =>
        ({ totalFen: Number((await sql<{ v: string }>`select coalesce(sum(fen), 0) as v from trial.unguarded`.execute(tx)).rows[0]!.v) }) as never,
    ),
  ending: async ({ tx, actor }) => {
    beWary()
    await sql`update identity.session set ended_at = now() where id::text = ${actor.sessionId}`.execute(tx)
  },
  trustingWrite: ({ input }) =>
    house.writing(
      1,
      'trial',
      async (tx) => void (await sql`update identity.person set remark = 'mine' where id::text = ${input.custId}`.execute(tx)),
    ),
  rawSort: ({ tx, input }) => named(sql`select park_code as name from parking.park order by ${sql.raw(input.orderByColumn)}`.execute(tx)),
  looking: async () => undefined,
  open: async () => undefined,
})

let world: World
let victim: Victim
beforeAll(async () => {
  world = await openWorld({
    planted: {
      sql: `create schema trial; select platform.opened('trial');
      create table trial.unguarded (id uuid primary key default uuidv7(), enterprise_id integer not null, name text not null, fen bigint not null default 1);
      grant select on trial.unguarded to kerbline_app; insert into trial.unguarded (enterprise_id, name, fen) values (1, 'nobody else may know', 12345), (2, 'they know themselves', 700);`,
      domain: { name: 'trial', calls, start: (running) => void (house = running) },
    },
  })
  victim = await victimOf(world.owner, 1, 'P003')
})
afterAll(() => world.close())
const OURS = 'enterprise_id = 1'

const stranger = () => ({ name: 'otheradmin', token: world.tokens.otheradmin })
const says = async (call: Call<any, any>) => {
  const secrets = await secretsOf(world.owner, OURS)
  const { text } = await world.ask(call, inputFor(call, victim), bearer(world.tokens.otheradmin))
  return foreignIn(text, secrets, '')
}

test('a table without a policy is seen by its rows, and by itself', async () => {
  expect(await says(faulty.unguarded)).toEqual(['nobody else may know'])
  expect(await openTables(world.owner)).toEqual(['trial.unguarded'])
})

test('a handler that trusts the custId of the body is seen: by what it tells, and by what it changes', async () => {
  expect(await says(faulty.trusting)).toEqual([expect.stringMatching(/\w+/)])
  const { wrong } = await strangersWrite(world, faulty.trustingWrite, { input: inputFor(faulty.trustingWrite, victim) }, [stranger()], OURS)
  expect(wrong).toEqual(['trial.fault.trusting-write changed identity.person'])
})

test('a call that ends the session of whoever asks is named, before everything after it is refused', async () => {
  const { wrong } = await strangersWrite(world, faulty.ending, { input: {} }, [{ name: 'operator', token: world.tokens.operator }], OURS)
  expect(wrong).toEqual([expect.stringContaining('operator is signed in no more after trial.fault.ending (401)')])
})
test('a request that nobody can make is named, with where its factory goes', async () => {
  expect(await rightfulWrites(world, faulty.looking, { input: {}, authorization: `Bearer ${world.tokens.nobody}` })).toEqual([
    expect.stringMatching(/^trial\.fault\.looking: nobody could do it \(403.*tests\/ready\/trial\.ts$/),
  ])
})

test('a call without its needs does not start, and the harness names it; one that is open to everybody must be listed', async () => {
  const { needs: _, ...naked } = faulty.unguarded
  expect(withoutNeeds([naked as never, faulty.open])).toEqual(['trial.fault.unguarded'])
  expect(() => register({} as never, world.house, {} as never, [{ call: naked as never, handle: async () => [] }])).toThrow(
    'does not say what it needs',
  )
  expect(openCalls([faulty.open], [])).toEqual(['trial.fault.open'])
  expect(openCalls([], ['trial.fault.open'])).toEqual(['trial.fault.open is listed only'])
  expect(openCalls([faulty.trustingWrite], [], 'signed-in')).toEqual(['trial.fault.trusting-write'])
  expect(writtenByLookers([faulty.looking, faulty.trustingWrite])).toEqual(['trial.fault.looking'])
  expect(await notAnswering(world, [faulty.open], victim, {}, 401)).toEqual(['trial.fault.open 200'])
})

test('what is run as a statement is seen: by an error, by what is true, and by how long it takes', async () => {
  const { found } = await injectionsOn(world, faulty.rawSort, victim)
  expect(found.join('\n')).toContain(`orderByColumn=': 500`)
  expect(found.join('\n')).toContain('was run: it slept')
  expect(found.join('\n')).toContain('was run: it was true')
  const door = (text: string) => ({ send: async () => ({ status: 200, text, ms: 1 }) })
  expect(await leaksAt(door('root:x:0:0:root:/root:/bin/bash'), '/x')).toEqual(['/x: 200 root:x:0:0:'])
  expect(await reflectedAt(door(`<p>"'><svg onload=alert(7)></p>`), '/x')).toHaveLength(4)
})
test('a sort by a raw name is seen', async () => {
  const wrong = await garbageOn(world, [faulty.rawSort], victim, randomFrom(1), 40)
  expect(wrong.join('\n')).toMatch(/trial\.fault\.raw-sort 500/)
})

test('a sum over all companies is seen: it is another one when their rows are forgotten', async () => {
  const before = await learned(world, [faulty.sum], victim, {
    strangers: [stranger()],
    rightful: { name: 'admin', token: world.tokens.admin },
    where: OURS,
  })
  expect(before.wrong).toEqual([
    expect.stringMatching(/^trial\.fault\.sum to otheradmin depends on rows of others: \.data\.totalFen: 13045 \| 700/),
    expect.anything(),
  ])
  tally({ check: 'planted: matrix', numbers: { planted: 11, caught: 11 } })
})

import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { randomFrom } from '../../city/random.ts'
import { call, type Call } from '../../platform/contract/call.ts'
import { message, nothing } from '../../platform/contract/field.ts'
import { planFaults } from '../../platform/server/faults.ts'
import { checkerOf } from '../../platform/server/call/input.ts'
import { phased, serve } from '../../platform/server/serve.ts'
import { inputFor, type Victim } from '../matrix/inputs.ts'
import { calls, openWorld, tried, type World } from '../matrix/world.ts'
import { tally } from '../../scripts/tally.ts'
import { readyIn, requestFor, sacrificial } from '../ready/all.ts'
import { bearer, type Factories } from '../ready/maker.ts'
import { retryOften } from './retry.ts'

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
/** `RETRIES=20` repeats every call with fresh things. */
const ROUNDS = Number(process.env['RETRIES'] ?? 1)

/** A call that says it is done anew each time, and is no session: what a forgotten key looks like. */
const careless = {
  add: call('trial.careless.add', {
    service: 'basic',
    post: '/careless/add',
    needs: 'public',
    writes: true,
    does: ['试', 'Tried'],
    own: true,
    body: message({}),
    reply: nothing,
  }),
}
const planted = serve(careless, {
  add: phased(
    async ({ write }) =>
      void (await write(
        async (tx) =>
          void (await tx
            .insertInto('trial.careless' as never)
            .values({ note: 'again' } as never)
            .execute()),
      )),
    { anew: true },
  ),
})

let world: World
beforeAll(async () => {
  console.log(`retries: seed ${SEED}`)
  world = await openWorld({
    planted: {
      sql: `create schema trial; select platform.opened('trial'); create table trial.careless (id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), note text);
        select platform.scoped('trial.careless');`,
      domain: { name: 'trial', calls: planted },
    },
  })
})
afterAll(() => world.close())

/** Another valid input of the same call, if the call can have one. */
function otherThan(one: Call<any, any>, victim: Victim, input: Record<string, unknown>): Record<string, unknown> | undefined {
  const swapped = (name: string) =>
    typeof input[name] === 'string' && /^[0-9a-f-]{36}$/.test(input[name]) ? [{ ...input, [name]: randomUUID() }] : []
  const candidates = [
    ...Object.keys(input).flatMap(swapped),
    ...Object.entries(input).flatMap(([name, value]) => (typeof value === 'number' ? [{ ...input, [name]: value + 1 }] : [])),
    ...Object.entries(input).flatMap(([name, value]) => (typeof value === 'string' ? [{ ...input, [name]: `${value}x` }] : [])),
    inputFor(one, victim, { optional: true }),
  ]
  return candidates.find((candidate) => {
    if (JSON.stringify(candidate) === JSON.stringify(input)) return false
    try {
      checkerOf(one)(structuredClone(candidate))
      return true
    } catch {
      return false
    }
  })
}

/** Each time something of its own, because that is what is asked for: a session. They end of themselves, and a retry gets one that works. */
const BY_NATURE = new Set([
  'identity.session.login',
  'identity.session.exchange',
  'identity.directory.login',
  'identity.second-factor.verify',
  'owner.door.sign-in',
  'merchant.desk.sign-in',
  'roadside.high-pole.stream',
])
/** The session that asks is over afterwards: nobody is left to be answered the same. */
const ENDS_ITSELF = new Set([
  'identity.session.logout',
  'identity.session.lock',
  'identity.session.unlock',
  'identity.account.switch',
  'owner.door.sign-out',
  'merchant.desk.sign-out',
])

/** A wrong code is counted as a try each time it is said. */
const COUNTS_TRIES = new Set(['identity.second-factor.renew-recovery'])
/** An export reads; what it writes is that somebody took the file away, each time that they do. */
const isExport = (one: object) => 'columns' in one

/** Their other half is a provider of sign-in outside, and each of their states is good once: the tests of identity play it. */
const WITHOUT_EFFECT = ['identity.oidc.begin', 'identity.oidc.finish']

const written = tried.filter(
  (one) => one.writes && !one.id.startsWith('trial.') && !isExport(one) && ![BY_NATURE, ENDS_ITSELF, COUNTS_TRIES].some((known) => known.has(one.id)),
)

test('the harness sees a write that no key protects', async () => {
  const { wrong } = await retryOften(world, careless.add, {
    input: {},
    other: undefined,
    authorization: bearer(world.tokens.admin),
    random: randomFrom(1),
  })
  expect(wrong).toEqual(expect.arrayContaining([expect.stringMatching(/trial\.careless\.add: \d effects/)]))
})

test(
  'every writing call, sent again and again under one key and over a cut connection, has one effect and one answer',
  async () => {
    const random = randomFrom(SEED)
    const made = await readyIn(world)
    const wrong: string[] = []
    const sent: Record<string, number> = {}
    const done: string[] = []
    let others = 0
    for (let round = 0; round < ROUNDS; round++)
      for (const one of written) {
        const { input, authorization } = await requestFor(world, made, one, { optional: round % 2 === 1 })
        const other = one.payload === 'multipart' ? undefined : otherThan(one, await sacrificial(world, 'P003'), input)
        const result = await retryOften(world, one, { input, other, authorization, random })
        wrong.push(...result.wrong)
        sent[one.id] = (sent[one.id] ?? 0) + result.sent
        if (result.status === 200) done.push(one.id)
        else if (process.env['TELL']) console.log(one.id, result.status)
        if (result.status === 200 && other) others++
      }
    const idle = written.map(({ id }) => id).filter((id) => !done.includes(id))
    console.log(`retries: ${written.length - idle.length} of ${written.length} writing calls had an effect; ${others} tried another body`)
    expect(wrong).toEqual([])
    expect(idle, 'Give these a factory in tests/ready/<domain>.ts: refused alike proves little.').toEqual(
      WITHOUT_EFFECT.filter((id) => written.some((one) => one.id === id)),
    )
    tally({
      check: 'retries',
      seed: SEED,
      calls: sent,
      numbers: { calls: written.length, hadEffect: written.length - idle.length, otherBodies: others },
    })
  },
  1_200_000 * ROUNDS,
)

test('a call of several phases whose server died before its answer was kept holds its key for a minute; then the same request has the answer of what was done', async () => {
  const one = calls.find(({ id }) => id === 'owner.account.recharge')!
  const { input, authorization } = await requestFor(world, await readyIn(world), one)
  const headers = { authorization, 'idempotency-key': randomUUID() }
  const paid = async () =>
    (await world.owner.query<{ n: number }>('select count(*)::int as n from owner.asset where owner_id = $1', [input['ownerId']])).rows[0]!.n
  const first = await world.ask(one, input, headers)
  expect([first.status, await paid()]).toEqual([200, 1])
  const died = `update platform.idempotency set answer = null, at = now() where call = $1 and at > now() - interval '10 minutes'`
  await world.owner.query(died, [one.id])
  expect(JSON.parse((await world.ask(one, input, headers)).text)).toMatchObject({ code: 40902 })
  // A clock that was put back since then does not hold it for longer.
  for (const [at, status] of [
    [`now() - interval '61 seconds'`, 200],
    [`now() + interval '1 day'`, 200],
  ] as const) {
    await world.owner.query(`update platform.idempotency set answer = null, at = ${at} where call = $1`, [one.id])
    const again = await world.ask(one, input, headers)
    expect([again.status, again.text, await paid()]).toEqual([status, first.text, 1])
  }
  await world.owner.query(`update platform.step set name = 'of another version'`)
  await world.owner.query(`update platform.idempotency set answer = null, at = now() - interval '61 seconds' where call = $1`, [one.id])
  expect(JSON.parse((await world.ask(one, input, headers)).text)).toMatchObject({ code: 40022 })
  expect(await paid()).toBe(1)
})

/** Counts the writes of a call, table by table; a row that is written twice counts twice. */
async function writtenBy(call: string, since: string): Promise<Record<string, number>> {
  const sql = 'select entity, count(*)::int as n from platform.change where via = $1 and at >= $2::timestamptz group by 1'
  const { rows } = await world.owner.query<{ entity: string; n: number }>(sql, [call, since])
  return Object.fromEntries(rows.map(({ entity, n }) => [entity, n]))
}
const nowThere = async () => (await world.owner.query<{ at: string }>('select clock_timestamp()::text as at')).rows[0]!.at

/** Every one of its transactions is the last, or one of them by chance. */
const ALL_STEPS = process.env['RETRIES'] !== undefined
/**
 * Sends the request, and again once it was struck after the transaction of that number: an error that its own code hears, or a death that it does not live to see.
 * @returns how many transactions it has, what the last answer was and what was written by then
 */
async function struckAfter(one: Call<any, any>, made: Factories, strike?: { commit: number; dies: boolean }) {
  const { input, authorization } = await requestFor(world, made, one)
  const headers = { authorization, 'idempotency-key': randomUUID() }
  const since = await nowThere()
  const [death, struck] = [Promise.withResolvers<never>(), Promise.withResolvers<void>()]
  death.promise.catch(() => {}) // it rejects when all is over
  let commits = 0
  planFaults(({ via, what, when }) => {
    if (via !== one.id || what !== 'commit' || when !== 'after' || ++commits !== strike?.commit) return undefined
    struck.resolve()
    return strike.dies ? death.promise : new Error('The line broke.')
  })
  const first = world.ask(one, input, headers)
  await Promise.race([first, struck.promise])
  if (strike?.dies) {
    planFaults(undefined)
    await world.owner.query(`update platform.idempotency set at = now() - interval '61 seconds' where holder is not null and call = $1`, [one.id])
  }
  const answer = strike?.dies ? undefined : await first
  planFaults(undefined)
  const { status, text } = strike ? await world.ask(one, input, headers) : answer!
  const did = await writtenBy(one.id, since)
  death.reject(new Error('It died.'))
  if ((await first).status === 200 && strike) throw new Error(`${one.id} was not struck after transaction ${strike.commit}.`)
  return { status, text: text.slice(0, 200), commits, did }
}

test(
  'a call of several phases that ends after any of its transactions is finished by the same request, which does nothing twice',
  async () => {
    const random = randomFrom(SEED)
    const { rows } = await world.owner.query<{ call: string }>('select distinct call from platform.idempotency where outside')
    const phases = written.filter(({ id }) => rows.some(({ call }) => call === id))
    expect(phases.length).toBeGreaterThan(30)
    const made = await readyIn(world)
    const wrong: string[] = []
    for (const one of phases) {
      const whole = await struckAfter(one, made)
      if (whole.status !== 200) wrong.push(`${one.id}: ${whole.status} undisturbed`)
      const places = Array.from({ length: whole.commits }, (_, n) => [
        { commit: n + 1, dies: true },
        { commit: n + 1, dies: false },
      ]).flat()
      for (const strike of ALL_STEPS ? places : [random.oneOf(places)]) {
        const { status, text, did } = await struckAfter(one, made, strike)
        const where = `${one.id}, again after ${strike.dies ? 'a death' : 'an error'} behind transaction ${strike.commit} of ${whole.commits}`
        // Steps that the call's own code took back are done anew, or refused because the state has changed.
        const refused = !strike.dies && status >= 400 && status < 500 && !/40902|40022/.test(text)
        if (status !== 200 && !refused) wrong.push(`${where}: ${status} ${text}`)
        else if (strike.dies && !isDeepStrictEqual(did, whole.did)) wrong.push(`${where}: ${JSON.stringify({ did, whole: whole.did })}`)
      }
    }
    expect(wrong).toEqual([])
  },
  1_200_000 * ROUNDS,
)

test('an answer that is kept for retries is opened by its key alone: the table holds no password', async () => {
  const { rows } = await world.owner.query<{ key: string; answer: string }>(
    `select key, answer from platform.idempotency where call = 'identity.person.add'`,
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { key, answer } of rows) {
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    expect(Buffer.from(answer, 'base64').toString()).not.toContain('password')
  }
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Call } from '../../platform/contract/call.ts'
import { addressOf } from '../../platform/contract/call.ts'
import { type Random, randomFrom } from '../../city/random.ts'
import { inputFor, type Victim, victimOf } from './inputs.ts'
import { type Answer, calls, openWorld, type World } from './world.ts'

/** `SEED=7 npx vitest run tests/matrix/garbage` repeats a run; `GARBAGE=200` sends more. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const EACH = Number(process.env['GARBAGE'] ?? 20)
const SLOWEST_MS = 5_000

let world: World
let victim: Victim
beforeAll(async () => {
  world = await openWorld()
  victim = await victimOf(world.owner, 1, 'P003')
  console.log(`garbage: seed ${SEED}, ${EACH} inputs for each of ${calls.length} calls`)
})
afterAll(() => world.close())

const VALUES: readonly unknown[] = [
  null, '', ' ', 0, -1, 1.5, 1e308, -(2 ** 31), 2 ** 31, 2 ** 53, true, [], {}, [[]], 'constructor', '__proto__', "' or 1=1--", '1; drop table parking.stay', '%', '\\', '\u0000', 'a\u0000b', '\ud800', '💥'.repeat(40),
  'x'.repeat(70_000), '../../etc/passwd', '2026-02-30 10:00:00', '99999999999999', 'NaN', 'Infinity', '9'.repeat(400), { $gt: 1 }, ['a', ['b']], '00000000-0000-0000-0000-000000000000', '<script>alert(1)</script>', 'seen_at desc',
] // prettier-ignore
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

function spoilt(call: Call<any, any>, random: Random): Record<string, unknown> {
  const input: Record<string, unknown> = { ...inputFor(call, victim, { optional: random.chance(0.5) }) }
  const names = Object.keys((call.input as { properties?: object }).properties ?? {})
  for (let times = 1 + random.below(3); times > 0; times--) {
    const name =
      names.length > 0 && random.chance(0.85)
        ? random.oneOf(names)
        : random.oneOf(['constructor', '__proto__', 'extra', 'orderByColumn', 'limit', 'current'])
    if (random.chance(0.15)) delete input[name]
    else input[name] = random.oneOf(VALUES)
  }
  return input
}

/** Raw things that no client of ours would send. */
const rawOf = (call: Call<any, any>, random: Random): [method: string, init: { headers?: Record<string, string>; body?: BodyInit }] => {
  const json = { 'content-type': 'application/json' }
  return random.oneOf<[string, { headers?: Record<string, string>; body?: BodyInit }]>([
    ['POST', { headers: json, body: '{"a":' }],
    ['POST', { headers: json, body: 'null' }],
    ['POST', { headers: json, body: '[1,2]' }],
    ['POST', { headers: json, body: deep(5_000) }],
    ['POST', { headers: json, body: '{"id":"1","id":"2"}' }],
    ['POST', { headers: json, body: '{"__proto__":{"admin":true}}' }],
    ['POST', { headers: { 'content-type': 'text/plain' }, body: 'hello' }],
    ['POST', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1&a=2&b[]=%00' }],
    ['POST', { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x\r\nbroken' }],
    ['POST', { headers: { 'content-type': 'multipart/form-data' }, body: 'x' }],
    [call.method === 'GET' ? 'DELETE' : 'GET', {}],
    ['PUT', { headers: json, body: '{}' }],
  ])
}

const INNER = /\bselect\b.*\bfrom\b|\binsert into\b|node_modules|at async |\.ts:\d+|syntax error|violates|relation "/i
const wrongWith = (call: string, what: string, { status, text, ms }: Answer): string[] => [
  ...(status >= 500 ? [`${call} ${status} ${what}`] : []),
  ...(ms > SLOWEST_MS ? [`${call} took ${Math.round(ms)} ms for ${what}`] : []),
  ...(status >= 400 && INNER.test(text) ? [`${call} shows its inside: ${text.slice(0, 200)}`] : []),
]

test('garbage on any call is refused with a sentence: no 5xx, nothing slow, no inner text, and the house goes on', async () => {
  const random = randomFrom(SEED)
  const headers = { authorization: `Bearer ${world.tokens.admin}` }
  const wrong: string[] = []
  for (const call of calls.filter(({ id }) => !ENDS_ITSELF.has(id)))
    for (let i = 0; i < EACH; i++) {
      if (i % 4 === 3) {
        const [method, init] = rawOf(call, random)
        wrong.push(
          ...wrongWith(
            call.id,
            `${method} ${String(init.body).slice(0, 60)}`,
            await world.send(method, addressOf(call), { ...init, headers: { ...headers, ...init.headers } }),
          ),
        )
        continue
      }
      const input = spoilt(call, random)
      wrong.push(...wrongWith(call.id, JSON.stringify(input).slice(0, 300), await world.ask(call, input, headers)))
    }
  expect(wrong).toEqual([])
  expect((await world.send('GET', '/lbs/ready', {})).status).toBe(200)
}, 600_000)
/** These end the session that the others need. */
const ENDS_ITSELF = new Set(['identity.session.logout', 'identity.session.end', 'identity.enterprise.reset-enterprise-password', 'identity.person.delete', 'identity.person.update-lock', 'identity.person.update', 'identity.person.reset-password', 'identity.role.update', 'identity.role.del', 'identity.resource.del', 'identity.resource.update']) // prettier-ignore

import { addressOf, type Call } from '../../platform/contract/call.ts'
import { type Random } from '../../city/random.ts'
import type pg from 'pg'
import { checksums, foreignIn, secretsOf } from './foreign.ts'
import { inputFor, type Victim } from './inputs.ts'
import type { Answer, World } from './world.ts'

type AnyCall = Call<any, any>
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Calls that do not answer so to whoever sends these headers. */
export async function notAnswering(
  world: World,
  calls: readonly AnyCall[],
  victim: Victim,
  headers: Record<string, string>,
  wanted: number,
): Promise<string[]> {
  const wrong: string[] = []
  for (const call of calls) {
    const { status } = await world.ask(call, inputFor(call, victim), headers)
    if (status !== wanted) wrong.push(`${call.id} ${status}`)
  }
  return wrong
}

/** What somebody sees or changes of rows that are none of theirs, whatever ids are sent. `where` names those rows. */
export async function foreignSeen(world: World, calls: readonly AnyCall[], victim: Victim, token: string, where: string): Promise<string[]> {
  const secrets = await secretsOf(world.owner, where)
  const before = await checksums(world.owner, where)
  const wrong: string[] = []
  for (const call of calls)
    for (const optional of [false, true]) {
      const input = inputFor(call, victim, { optional })
      const { status, text } = await world.ask(call, input, bearer(token))
      const found = foreignIn(text, secrets, JSON.stringify(input))
      if (found.length > 0 || status >= 500) wrong.push(`${call.id} ${status} ${found.slice(0, 3)}`)
    }
  const after = await checksums(world.owner, where)
  return [
    ...wrong,
    ...Object.keys(before)
      .filter((table) => before[table] !== after[table])
      .map((table) => `${table} was changed`),
  ]
}

/** Tables with an enterprise that have no wall around it. */
export async function openTables(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'enterprise_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and has_table_privilege('kerbline_app', c.oid, 'select')
      and (not c.relrowsecurity or not exists (select from pg_policy p where p.polrelid = c.oid)
        or exists (select from pg_policy p where p.polrelid = c.oid and p.polpermissive and pg_get_expr(p.polqual, p.polrelid) not like '%scope_enterprise()%')) order by 1`)
  return rows.map(({ name }) => name)
}

/** Calls that are open to everybody (or to whoever is signed in) and not listed, or listed and not open. */
export function openCalls(calls: readonly AnyCall[], listed: readonly string[], to: 'public' | 'signed-in' = 'public'): string[] {
  const open = calls.filter(({ needs }) => needs === to).map(({ id }) => id)
  return [...open.filter((id) => !listed.includes(id)), ...listed.filter((id) => !open.includes(id)).map((id) => `${id} is listed only`)]
}

/** Calls that change something for whoever may look. An export changes nothing but the list of what was taken away. */
export const writtenByLookers = (calls: readonly AnyCall[]): string[] =>
  calls.filter((call) => call.writes && call.needs.endsWith(':view') && !('columns' in call)).map(({ id }) => id)

/** Calls that do not say who may call them. */
export const withoutNeeds = (calls: readonly AnyCall[]): string[] =>
  calls.filter(({ needs }) => !/^(public|signed-in|[a-z-]+:[a-z-]+:[a-z-]+)$/.test(needs ?? '')).map(({ id }) => id)

/** Nothing may take longer, whatever is sent. */
const SLOWEST_MS = 5_000
const VALUES: readonly unknown[] = [
  null, '', ' ', 0, -1, 1.5, 1e308, -(2 ** 31), 2 ** 31, 2 ** 53, true, [], {}, [[]], 'constructor', '__proto__', "' or 1=1--", '1; drop table parking.stay', '%', '\\', '\u0000', 'a\u0000b', '\ud800', '💥'.repeat(40),
  'x'.repeat(70_000), '../../etc/passwd', '2026-02-30 10:00:00', '99999999999999', 'NaN', 'Infinity', '9'.repeat(400), { $gt: 1 }, ['a', ['b']], '00000000-0000-0000-0000-000000000000', '<script>alert(1)</script>', 'seen_at desc',
] // prettier-ignore
const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

function spoilt(call: AnyCall, victim: Victim, random: Random): Record<string, unknown> {
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
const rawOf = (call: AnyCall, random: Random): [method: string, init: { headers?: Record<string, string>; body?: BodyInit }] => {
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

/** Malformed input: what is answered with 5xx, too slowly, or with inner text. */
export async function garbageOn(world: World, calls: readonly AnyCall[], victim: Victim, random: Random, times: number): Promise<string[]> {
  const headers = bearer(world.tokens.admin)
  const wrong: string[] = []
  for (const call of calls)
    for (let i = 0; i < times; i++) {
      if (i % 4 === 3) {
        const [method, init] = rawOf(call, random)
        const answer = await world.send(method, addressOf(call), { ...init, headers: { ...headers, ...init.headers } })
        wrong.push(...wrongWith(call.id, `${method} ${String(init.body).slice(0, 60)}`, answer))
        continue
      }
      const input = spoilt(call, victim, random)
      wrong.push(...wrongWith(call.id, JSON.stringify(input).slice(0, 300), await world.ask(call, input, headers)))
    }
  return wrong
}

import { addressOf, type Call, type Guest, isGuests } from '../../platform/contract/call.ts'
import { type Random } from '../../city/random.ts'
import type pg from 'pg'
import { newlyDifferent } from './differences.ts'
import { foreignIn, type Memory, memoryOf, secretsOf } from './foreign.ts'
import { inputFor, type Victim } from './inputs.ts'
import { momentOf, tablesWritten } from './noted.ts'
import type { Answer, World } from './world.ts'

type AnyCall = Call<any, any>
export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
/** The callers who may make a call at all: guests their own, the administrator all others. */
export const whoMay = (world: World, { needs }: AnyCall) => bearer(isGuests(needs) ? guestsOf(world)[needs] : world.tokens.admin)
export const guestsOf = ({ drivers, merchant, wall }: World): Record<Guest, string> => ({ driver: drivers.ours, merchant, wall })

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

/** After these the session that asked is over, locked, or another one's: whatever came next would be refused to nobody in particular. They are left out of every column that goes on with its session. */
export const CHANGES_SESSION: ReadonlySet<string> = new Set([
  'identity.session.logout',
  'identity.session.lock',
  'identity.session.unlock',
  'identity.account.switch',
  'merchant.desk.sign-out',
  'owner.door.sign-out',
])
/** Somebody signed in who may do whatever their role allows, elsewhere. */
export interface Stranger {
  name: string
  token: string
}

/** Whether somebody is still who they were: a column whose session has ended shows nothing. */
export async function stillSignedIn(world: World, { name, token }: Stranger, after: string): Promise<string[]> {
  const { status } = await world.send('GET', '/lbs/custom/account/getUserInfo', { headers: bearer(token) })
  return status === 200
    ? []
    : [`${name} is signed in no more after ${after} (${status}): leave that call out in CHANGES_SESSION, or do it to somebody else`]
}
/** Of an answer to somebody who is signed in: what it should never be. */
const turnedAway = (what: string, { status, text }: Answer): string[] =>
  status === 401 || status === 423 || status >= 500 ? [`${what}: ${status} ${text.slice(0, 150)}`] : []

/** An export leaves a line about who took it, and no more. */
export const looks = (call: AnyCall) => !call.writes || 'columns' in call

/** One look of one person. */
interface Look {
  call: AnyCall
  by: Stranger
  input: Record<string, unknown>
  what: string
}
const INPUTS = [false, true] as const
/** The requests of each stranger to each reading call, whatever ids they name. */
const looksOf = (calls: readonly AnyCall[], victim: Victim, people: readonly Stranger[]): Look[][] =>
  calls.flatMap((call) =>
    INPUTS.map((optional) => {
      const input = inputFor(call, victim, { optional })
      return people.map((by) => ({ call, by, input, what: `${call.id}${optional ? ' with all filters' : ''} to ${by.name}` }))
    }),
  )
type Answers = Map<string, Answer>
/** The same look of several people is asked by all of them at once, unless it costs much. */
async function answersTo(world: World, asked: readonly (readonly Look[])[]): Promise<Answers> {
  const answers: Answers = new Map()
  for (const together of asked) {
    const ask = async ({ call, input, by, what }: Look) => void answers.set(what, await world.ask(call, input, bearer(by.token)))
    if (together.some(({ call }) => call.heavy)) for (const one of together) await ask(one)
    else await Promise.all(together.map(ask))
  }
  return answers
}

export interface Learned {
  wrong: string[]
  /** The positive control: calls that do tell of these rows, to somebody who may know. */
  seen: string[]
}
/**
 * Finds what strangers learn from rows that are none of theirs, by any way: a word, a sum, a count, an order. Everything is asked,
 * those rows are removed as if they had never been, and everything is asked once more. Requests whose answers differ are then
 * asked with those rows back, without them, and with them again, at once: a difference that comes and goes with the rows is
 * learned from them, one that arises by itself (an hour, a share of the time) is not.
 */
export async function learned(
  world: World,
  calls: readonly AnyCall[],
  victim: Victim,
  { strangers, rightful, where }: { strangers: readonly Stranger[]; rightful: Stranger; where: string },
): Promise<Learned> {
  const secrets = await secretsOf(world.owner, where)
  const memory = await memoryOf(world.owner, where)
  const wrong: string[] = []
  const first = await answersTo(world, looksOf(calls, victim, [...strangers, rightful]))
  for (const one of [...strangers, rightful]) wrong.push(...(await stillSignedIn(world, one, 'the looking calls')))
  const told = looksOf(calls, victim, strangers).map((together) => together.filter(({ what }) => first.get(what)!.status === 200))
  await memory.forget()
  const later = await answersTo(world, told)
  const asked = JSON.stringify([...victim.rows.values(), victim.fields])
  for (const [what, answer] of first) {
    if (what.endsWith(` to ${rightful.name}`)) continue
    const words = foreignIn(answer.text, secrets, asked)
    wrong.push(...turnedAway(what, answer), ...(words.length > 0 ? [`${what}: ${words.slice(0, 3)}`] : []))
  }
  for (const [what, answer] of later) wrong.push(...turnedAway(what, answer))
  const differs = ({ what }: Look) => newlyDifferent(first.get(what)!.text, first.get(what)!.text, later.get(what)!.text).length > 0
  wrong.push(...(await comesAndGoes(world, memory, told.flat().filter(differs))))
  const knows = ({ id }: AnyCall) =>
    [...first].some(
      ([what, { text }]) => what.startsWith(`${id} `) && what.endsWith(` to ${rightful.name}`) && foreignIn(text, secrets, '').length > 0,
    )
  return { wrong, seen: calls.filter(knows).map(({ id }) => id) }
}
/**
 * Of a till that took cash in several parks: that one sees a part of it only. Its float and its count are of all of it, and would tell how much lies in the rest; to whoever
 * sees all of it they are told.
 */
const OF_A_PART = /^\.data(\.records\[\d+\])?\.(openingFloatFen|expectedFen|counted|countedFen|differenceFen|openFen|lateFen): null \|/
/** Answers that may differ: the machine's own use comes and goes by itself; and some facts about others may be known. */
const MAY_DIFFER: Record<string, RegExp> = {
  'settlement.shift.detail': OF_A_PART,
  'settlement.shift.query': OF_A_PART,
  // The same rows as a sheet, whose bytes do not say which cells differ: the list before it does.
  'staff.toll.shift-export': /^: /,
  'staff.toll.toll-fee-statistic3': OF_A_PART,
  'system.performance.query-current-num-info': /^\.data\.dbConnections:/,
  'system.performance.query-resource-proportion': /^\.data\[\d+\]\.used:/,
}
/**
 * Finds the answers that these requests get only while the rows are there. A figure that time alone turned back and forth within
 * one round does not do so in the next. The rows are there at the end.
 */
async function comesAndGoes(world: World, memory: Memory, looks: readonly Look[]): Promise<string[]> {
  const once = await aRound(world, memory, looks)
  const twice = await aRound(world, memory, [...once.keys()])
  return [...twice.values()]
}
async function aRound(world: World, memory: Memory, looks: readonly Look[]): Promise<Map<Look, string>> {
  await memory.remember()
  if (looks.length === 0) return new Map()
  const one = looks.map((look) => [look])
  const withThem = await answersTo(world, one)
  await memory.forget()
  const without = await answersTo(world, one)
  await memory.remember()
  const again = await answersTo(world, one)
  return new Map(
    looks.flatMap((look): [Look, string][] => {
      const { what } = look
      const how = newlyDifferent(again.get(what)!.text, withThem.get(what)!.text, without.get(what)!.text).filter(
        (one) => !MAY_DIFFER[what.split(' ')[0]!]?.test(one),
      )
      return how.length > 0 ? [[look, `${what} depends on rows of others: ${how.slice(0, 3).join('; ').slice(0, 300)}`]] : []
    }),
  )
}

/** How a write went that strangers tried before somebody who may. */
export interface Tried {
  wrong: string[]
  /** Whether anybody could do it at all: a request that nobody can make tells nothing of strangers. */
  done: boolean
}
/** The same request, by each stranger in turn, and at last by somebody who may: no row of `where` changes before that. */
export async function strangersWrite(
  world: World,
  call: AnyCall,
  { input }: { input: Record<string, unknown> },
  strangers: readonly Stranger[],
  where: string,
): Promise<Tried> {
  const before = await momentOf(world.owner)
  const wrong: string[] = []
  let done = false
  for (const stranger of strangers) {
    const answer = await world.ask(call, input, bearer(stranger.token))
    // A guest's door is shut to whoever is signed in at another.
    if (!isGuests(call.needs)) wrong.push(...turnedAway(`${call.id} to ${stranger.name}`, answer))
    if (answer.status !== 200) continue
    done = true
    wrong.push(...(await stillSignedIn(world, stranger, call.id)))
  }
  const changed = await tablesWritten(world.owner, before, where)
  return { wrong: [...wrong, ...changed.map((table) => `${call.id} changed ${table}`)], done }
}
/** The same request by a driver of another company, who has no console to be signed in to: none of these rows changes. */
export async function driversWrite(
  world: World,
  call: AnyCall,
  { input }: { input: Record<string, unknown> },
  { name, token }: Stranger,
  where: string,
): Promise<string[]> {
  const before = await momentOf(world.owner)
  const answer = await world.ask(call, input, bearer(token))
  const changed = await tablesWritten(world.owner, before, where)
  return [...turnedAway(`${call.id} to ${name}`, answer), ...changed.map((table) => `${call.id} of ${name} changed ${table}`)]
}
/** The positive control of a write: somebody who may make it does. */
export async function rightfulWrites(
  world: World,
  call: AnyCall,
  { input, authorization }: { input: Record<string, unknown>; authorization: string },
): Promise<string[]> {
  const { status, text } = await world.ask(call, input, { authorization })
  return status === 200
    ? []
    : [`${call.id}: nobody could do it (${status} ${text.slice(0, 150)}): give it a factory in tests/ready/${call.id.split('.')[0]}.ts`]
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
  calls.filter(({ needs }) => !isGuests(needs) && !/^(public|signed-in|[a-z-]+:[a-z-]+:[a-z-]+)$/.test(needs ?? '')).map(({ id }) => id)

/** Nothing may take longer, whatever is sent. */
const SLOWEST_MS = 5_000
const VALUES: readonly unknown[] = [
  null,
  '',
  ' ',
  0,
  -1,
  1.5,
  1e308,
  -(2 ** 31),
  2 ** 31,
  2 ** 53,
  true,
  [],
  {},
  [[]],
  'constructor',
  '__proto__',
  "' or 1=1--",
  '1; drop table parking.stay',
  '%',
  '\\',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '💥'.repeat(40),
  'x'.repeat(70_000),
  '../../etc/passwd',
  '2026-02-30 10:00:00',
  '99999999999999',
  'NaN',
  'Infinity',
  '9'.repeat(400),
  { $gt: 1 },
  ['a', ['b']],
  '00000000-0000-0000-0000-000000000000',
  '<script>alert(1)</script>',
  'seen_at desc',
]
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
  const admin = { name: 'admin', token: world.tokens.admin }
  const wrong: string[] = []
  for (const call of calls) {
    const headers = whoMay(world, call)
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
    if (call.writes) wrong.push(...(await stillSignedIn(world, admin, call.id)))
  }
  return wrong
}

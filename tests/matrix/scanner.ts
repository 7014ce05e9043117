import type { Call } from '../../platform/contract/call.ts'
import { whoMay } from './checks.ts'
import { inputFor, type Victim } from './inputs.ts'
import type { Answer, World } from './world.ts'

/** Longer than any answer takes, and asked for twice before it is believed. */
const SLEEP_S = 2
const sleep = `(select 1 from pg_sleep(${SLEEP_S}))`
const SLEEPS = [
  `x' or ${sleep} is null or 'a'='`,
  `x') or ${sleep} is null or ('a'='`,
  `x'; select pg_sleep(${SLEEP_S})--`,
  sleep,
  `1; select pg_sleep(${SLEEP_S})--`,
  `case when ${sleep} = 1 then 1 else 2 end`,
]
/** A true condition, and a false one of the same form: where the input is only a text, both mean as much. */
const PAIRS = [
  [`zz' or '1'='1`, `zz' or '1'='2`],
  [`zz') or ('1'='1`, `zz') or ('1'='2`],
  [`zz%' or '1' like '1`, `zz%' or '1' like '2`],
  [`case when 1=1 then '1' else '0' end`, `case when 1=2 then '1' else '0' end`],
  [`1/(case when 1=1 then 1 else 0 end)`, `1/(case when 1=2 then 1 else 0 end)`],
] as const
const BROKEN = [`'`, `"`, `\\`, `$$`, `')--`, `%`, `_`, `/*`, `';`, '`', `\u02bc`, `{{7*7}}`, '${7*7}', `<!--`]
/** Words by which a database gives itself away. */
const INNER = /syntax error|unterminated|pg_|SQLSTATE|relation "|column "|operator does not exist|invalid input syntax/i

/** Sends what is tried on databases in every text that a call looks for or sorts by. @returns the status of its usual input, and a sentence for each sign that one of them was run */
export async function injectionsOn(world: World, call: Call<any, any>, victim: Victim): Promise<{ sent: number; usual: number; found: string[] }> {
  const usual = inputFor(call, victim)
  const headers = whoMay(world, call)
  const found: string[] = []
  let sent = 0
  const asked = async (name: string, many: boolean, value: string): Promise<Answer> => {
    sent++
    const answer = await world.ask(call, { ...usual, [name]: many ? [value] : value }, headers)
    const inner = answer.status === 200 ? undefined : INNER.exec(said(answer, value))?.[0]
    if (answer.status >= 500 || inner) found.push(`${call.id} ${name}=${value}: ${answer.status} ${inner ?? ''}`)
    return answer
  }
  for (const { name, many } of textsOf(call)) {
    for (const value of BROKEN) await asked(name, many, value)
    for (const value of SLEEPS) {
      const slept = async () => (await asked(name, many, value)).ms > SLEEP_S * 1000
      if ((await slept()) && (await slept())) found.push(`${call.id} ${name}=${value} was run: it slept`)
    }
    for (const [so, not] of PAIRS) {
      const [one, other, again] = [await asked(name, many, so), await asked(name, many, not), await asked(name, many, not)]
      if (said(other, not) === said(again, not) && said(one, so) !== said(other, not)) found.push(`${call.id} ${name}=${so} was run: it was true`)
    }
  }
  return { sent, usual: (await world.ask(call, usual, headers)).status, found }
}
/** Without what it repeats of what was sent, and without the number of the request. */
const said = ({ status, text }: Answer, value: string) =>
  `${status} ${text.replaceAll(JSON.stringify(value).slice(1, -1), '').replaceAll(/(请求号|request) [\w-]+/g, '')}`

interface Shape {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  items?: Shape
  anyOf?: Shape[]
  properties?: Record<string, Shape>
}
/** Fields of the input that hold any text, or a list of them. */
function textsOf({ input }: Call<any, any>): { name: string; many: boolean }[] {
  const isText = ({ type, enum: closed, const: fixed, anyOf }: Shape): boolean =>
    anyOf ? anyOf.some(isText) : closed === undefined && fixed === undefined && [type].flat().includes('string')
  return Object.entries((input as unknown as Shape).properties ?? {}).flatMap(([name, shape]) => {
    if (isText(shape)) return { name, many: false }
    return shape.items && isText(shape.items) ? { name, many: true } : []
  })
}

/** Files that are often left on servers, and paths that lead out of the served folder. */
const FILES = [
  '.env',
  '.git/config',
  '.git/HEAD',
  '.data/postgres.password',
  '.npmrc',
  'package.json',
  'package-lock.json',
  'apps/server/main.ts',
  'dist/.vite/manifest.json',
  'backup.zip',
  'dump.sql',
  'id_rsa',
  'etc/passwd',
  'proc/self/environ',
  'server-status',
  'actuator/env',
  'phpinfo.php',
  'wp-login.php',
  'swagger.json',
  'v2/api-docs',
  'graphql',
  'debug/pprof',
  'console',
  'admin',
  'files',
  'uploads',
]
const WAYS_UP = ['../', '..%2f', '%2e%2e/', '%2e%2e%2f', '..\\', '..%5c', '%252e%252e%252f', '....//', '..;/', '.%00./']
const PLACES = ['/', '/dist/', '/dist/assets/', '/lbs/', '/lbs/docs/', '/lbs/basic/sysFile/download?fileName=', '/m/', '/my/', '/q/']
export const addresses: readonly string[] = PLACES.flatMap((place) =>
  FILES.flatMap((file) => [`${place}${file}`, ...WAYS_UP.map((up) => `${place}${up.repeat(6)}${file}`)]),
)
/** Signs of a file that nobody should see. */
const SECRET =
  /root:.*:0:0:|\[core\]|ref: refs\/|"dependencies"|DATABASE_URL|PATH=|BEGIN .*PRIVATE KEY|-- PostgreSQL database dump|import \{ .* from '/

/** Asks a page for what is none of a stranger's business. */
export async function leaksAt(world: Pick<World, 'send'>, address: string): Promise<string[]> {
  const { status, text } = await world.send('GET', address, {})
  const leak = SECRET.exec(text)?.[0]
  return status >= 500 || leak ? [`${address}: ${status} ${leak ?? ''}`] : []
}

const MARK = `"'><svg onload=alert(7)>`
/** Pages for people without a session: none repeats what is written into its address. */
export async function reflectedAt(world: Pick<World, 'send'>, page: string): Promise<string[]> {
  const marked = encodeURIComponent(MARK)
  const tries = [`${page}?x=${marked}`, `${page}?lang=${marked}`, `${page}/${marked}`, `${page}${marked}`]
  const found = await Promise.all(
    tries.map(async (address) => ((await world.send('GET', address, {})).text.includes(MARK) ? [`${address} is repeated`] : [])),
  )
  return found.flat()
}

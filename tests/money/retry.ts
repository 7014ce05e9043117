import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { addressOf, type Call } from '../../platform/contract/call.ts'
import type { Random } from '../../city/random.ts'
import { momentOf, tablesWritten } from '../matrix/noted.ts'
import type { Answer, World } from '../matrix/world.ts'

const IN_FLIGHT = 40902
const REUSED = 40901
const codeOf = ({ text }: Answer): number => (text.startsWith('{') ? (JSON.parse(text) as { code: number }).code : 0)

export interface Retried {
  status: number
  /** How often the same request was sent. */
  sent: number
  wrong: string[]
}

/**
 * One request, again and again under one key: first with the connection cut as soon as it is out, then twice at once, then once or more after the answer.
 * It must have one effect and one answer; another body under its key must be refused.
 */
export async function retryOften(
  world: World,
  call: Call<any, any>,
  {
    input,
    other,
    authorization,
    random,
  }: { input: Record<string, unknown>; other: Record<string, unknown> | undefined; authorization: string; random: Random },
): Promise<Retried> {
  const key = randomUUID()
  const headers = { authorization, 'idempotency-key': key }
  const before = await changesSoFar(world)
  let sent = 3
  await cutOff(world.url, call, input, headers)
  const twins = await Promise.all([world.ask(call, input, headers), world.ask(call, input, headers)])
  const first = await settled(world, call, input, headers)
  const did = first.status === 200
  const done = await momentOf(world.owner)
  const answers = twins.filter((twin) => codeOf(twin) !== IN_FLIGHT)
  for (let times = 1 + random.below(2); times > 0; times--, sent++)
    answers.push(did ? await world.ask(call, input, headers) : await settled(world, call, input, headers))
  const wrong: string[] = []
  for (const { status, text } of answers)
    if (status !== first.status || (status === 200 && text !== first.text))
      wrong.push(`another answer: ${first.status} ${first.text.slice(0, 150)} | ${status} ${text.slice(0, 150)}`)
  if (did) for (const table of await tablesWritten(world.owner, done, 'true')) wrong.push(`${table} changed again`)
  const effects = await effectsOf(world, call.id, before)
  if (effects > 1) wrong.push(`${effects} effects`)
  if (did && other) {
    const refused = await world.ask(call, other, headers)
    if (codeOf(refused) !== REUSED) wrong.push(`another body under the same key: ${refused.status} ${refused.text.slice(0, 150)}`)
  }
  return { status: first.status, sent: sent + 1, wrong: wrong.map((sentence) => `${call.id}: ${sentence}`) }
}

/** As long as the same request is being worked on, it is asked again. */
async function settled(world: World, call: Call<any, any>, input: Record<string, unknown>, headers: Record<string, string>): Promise<Answer> {
  for (let tries = 0; tries < 200; tries++) {
    const answer = await world.ask(call, input, headers)
    if (codeOf(answer) !== IN_FLIGHT) return answer
    await pause(25)
  }
  throw new Error(`${call.id} is worked on for ever.`)
}

/** The request goes out whole; nobody waits for the answer. */
async function cutOff(url: string, call: Call<any, any>, input: Record<string, unknown>, headers: Record<string, string>): Promise<void> {
  if (call.payload === 'multipart') return
  const text = (value: unknown) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : String(value))
  const fields = { ...input }
  const at = addressOf(call).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = fields[name]
    delete fields[name]
    return encodeURIComponent(String(value))
  })
  const pairs = String(
    new URLSearchParams(
      Object.entries(fields)
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => [name, text(value)]),
    ),
  )
  const body = call.payload === 'body' ? JSON.stringify(fields) : call.payload === 'form' ? pairs : ''
  const type = call.payload === 'body' ? 'application/json' : 'application/x-www-form-urlencoded'
  await new Promise<void>((resolve) => {
    const sending = request(`${url}${at}${call.payload === 'query' ? `?${pairs}` : ''}`, {
      method: call.method,
      headers: { ...headers, ...(body && { 'content-type': type, 'content-length': Buffer.byteLength(body) }) },
      agent: false,
    })
    sending.on('error', () => resolve())
    sending.on('close', () => resolve())
    sending.end(body, () => setImmediate(() => sending.destroy()))
  })
}

const changesSoFar = async ({ owner }: World): Promise<string> =>
  (await owner.query<{ at: string }>('select clock_timestamp()::text as at')).rows[0]!.at
/** Every request that changed a row has its number in the audit stream. */
async function effectsOf({ owner }: World, call: string, since: string): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    'select count(distinct request_id)::int as n from platform.change where via = $1 and at >= $2::timestamptz',
    [call, since],
  )
  return rows[0]!.n
}

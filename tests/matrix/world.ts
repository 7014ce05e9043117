import { randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import { domains } from '../../apps/server/domains.ts'
import { startServer } from '../../apps/server/server.ts'
import { startChannel } from '../../city/pay/server.ts'
import { useSandbox } from '../../domains/settlement/server/settings.ts'
import { secretHash } from '../../domains/identity/server/api.ts'
import { openSession } from '../../domains/owner/server/driverSession.ts'
import { register } from '../../domains/owner/server/owner.ts'
import type { Instant } from '../../platform/contract/field.ts'
import { addressOf, type Call } from '../../platform/contract/call.ts'
import type { Domain, House } from '../../platform/server/domain.ts'
import { openLog } from '../../platform/server/log.ts'
import { hashed } from '../../domains/identity/server/signIn/password.ts'
import { demoCity } from '../support/demo.ts'
import { configFor, digestOf, PASSWORD } from '../support/server.ts'

/** Every call that the house serves: what is added later is in here without anybody thinking of it. */
export const calls: Call<any, any>[] = domains.flatMap((domain) => domain.calls.map(({ call }) => call)).sort((a, b) => a.id.localeCompare(b.id))

/** `CALLS=settlement.order,fee` tries only the calls that begin so; what must hold of all together looks at `calls`. */
export const whole = process.env['CALLS'] === undefined
const wanted = process.env['CALLS']?.split(',') ?? ['']
export const tried = calls.filter(({ id }) => wanted.some((start) => id.startsWith(start)))
export const domainNames: readonly string[] = domains.map(({ name }) => name)

export interface Answer {
  status: number
  text: string
  ms: number
}
export interface World {
  url: string
  ownerUrl: string
  house: House
  owner: pg.Client
  tokens: Record<'admin' | 'deputy' | 'operator' | 'auditor' | 'otheradmin' | 'nobody', string>
  /** Drivers who are signed in: one of the first company, one of the other. */
  drivers: Record<'ours' | 'theirs', string>
  /** A merchant of the first company who is signed in at its own page. */
  merchant: string
  /** A wall of the first company, of all its parks. */
  wall: string
  ask(call: Call<any, any>, input: Record<string, unknown>, headers: Record<string, string>): Promise<Answer>
  send(method: string, url: string, init: { headers?: Record<string, string>; body?: BodyInit }): Promise<Answer>
  signIn(username: string): Promise<string>
  /** The secret that the payment channel signs with. */
  secret: string
  close(): Promise<void>
}

/** A domain with faults, and its tables: what a harness must catch. */
export interface Planted {
  sql: string
  domain: Domain
}
async function plant(ownerUrl: string, { sql, domain }: Planted): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query(sql)
  await owner.end()
  ;(domains as Domain[]).push(domain)
}

/** The small demo city on the real product: two operators, rows of every kind, people of every sort, a payment channel. Nothing works in the background: rows change only when they are asked to. */
export async function openWorld({ planted }: { planted?: Planted } = {}): Promise<World> {
  const { ownerUrl, appUrl, dataDir, drop } = await demoCity()
  if (planted) await plant(ownerUrl, planted)
  const config = configFor(ownerUrl, { demo: 'small', role: 'web', dataDir })
  const running = await startServer({ config, ownerUrl, appUrl, log: openLog(planted ? 'fatal' : 'error') })
  const url = running.url.replace('localhost', '127.0.0.1')
  const secret = randomUUID()
  const channel = await startChannel({ port: 0, secret, retryMs: [] })
  useSandbox({ url: channel.url, secret, notifyUrl: `${channel.url}/nobody` })
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  const signIn = (username: string) => signInAt(url, username)
  await morePeople(owner)
  const tokens = {} as World['tokens']
  for (const name of ['admin', 'deputy', 'operator', 'auditor', 'otheradmin', 'nobody'] as const) tokens[name] = await signIn(name)
  return {
    url,
    ownerUrl,
    house: running.house,
    owner,
    tokens,
    drivers: { ours: await aDriver(running.house, 1), theirs: await aDriver(running.house, 2) },
    merchant: await aMerchant(owner),
    wall: await aWall(owner),
    signIn,
    secret,
    send: (method, address, init) => send(method, url + address, init),
    ask: (call, input, headers) => sendCall(url, call, input, headers),
    async close() {
      useSandbox(undefined)
      await channel.stop()
      await owner.end()
      await running.close()
      await drop()
    },
  }
}

async function aDriver(house: House, enterprise: number): Promise<string> {
  const at = new Date().toISOString() as Instant
  return house.writing(enterprise, 'test', async (tx) => {
    const { id } = await register(tx, { phone: '13700000000', nickname: '车主', at })
    return openSession(tx, id, '127.0.0.1', at)
  })
}

async function aMerchant(owner: pg.Client): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const { rows } = await owner.query<{ opened: boolean }>(
    `with one as (update merchant.merchant set must_change = false where id = (select id from merchant.merchant where enterprise_id = 1 and status = 1 and not deleted order by id limit 1) returning id)
     select merchant.open_session(id, $1, '127.0.0.1', null, null, '30 days') as opened from one`,
    [secretHash(token)],
  )
  if (!rows[0]?.opened) throw new Error('The demo has no merchant that may sign in.')
  return token
}

async function aWall(owner: pg.Client): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await owner.query(
    `insert into dashboard.wall_link (enterprise_id, name, token_hash, screens, rotate_sec, expires_at, maker_name) values (1, '左屏', $1, '{1,2,3}', 30, now() + interval '1 day', '试')`,
    [secretHash(token)],
  )
  return token
}

/** A second administrator, somebody without any right, and somebody who will be locked. */
async function morePeople(owner: pg.Client): Promise<void> {
  for (const name of ['deputy', 'nobody', 'locked'])
    await owner.query(
      `insert into identity.person (enterprise_id, username, name, password_hash, demo, must_change) values (1, $1, $1, $2, true, false)`,
      [name, await hashed(digestOf(name, PASSWORD))],
    )
  await owner.query(`insert into identity.person_role (enterprise_id, person_id, role_id)
    select 1, (select id from identity.person where username = 'deputy'), r.role_id from identity.person_role r join identity.person p on p.id = r.person_id where p.username = 'admin'`)
}

async function signInAt(url: string, username: string): Promise<string> {
  const body = new URLSearchParams({ username, password: digestOf(username, PASSWORD) })
  const reply = (await (await fetch(`${url}/lbs/security/authentication/form`, { method: 'POST', body })).json()) as {
    access_token?: string
    message: string
  }
  if (!reply.access_token) throw new Error(`${username}: ${reply.message}`)
  return reply.access_token
}

/** An answer that has not come by now never will. */
const HANGS_MS = 60_000
async function send(method: string, url: string, init: { headers?: Record<string, string>; body?: BodyInit }): Promise<Answer> {
  const begun = performance.now()
  const reply = await fetch(url, { method, redirect: 'manual', signal: AbortSignal.timeout(HANGS_MS), ...init } as RequestInit).catch(
    (error: Error) => {
      throw new Error(`${method} ${new URL(url).pathname}: ${error.message}`, { cause: error })
    },
  )
  return { status: reply.status, text: await reply.text(), ms: performance.now() - begun }
}

function sendCall(url: string, call: Call<any, any>, input: Record<string, unknown>, headers: Record<string, string>): Promise<Answer> {
  const fields = { ...input }
  const at = addressOf(call).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = fields[name]
    delete fields[name]
    return encodeURIComponent(String(value).toWellFormed())
  })
  const text = (value: unknown) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : String(value))
  const pairs = () =>
    new URLSearchParams(
      Object.entries(fields)
        .filter(([, value]) => value !== undefined && value !== null)
        .map(([name, value]) => [name, text(value)]),
    )
  if (call.payload === 'query') return send(call.method, `${url}${at}?${pairs()}`, { headers })
  if (call.payload === 'form') return send(call.method, url + at, { headers, body: pairs() })
  if (call.payload === 'multipart') {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields))
      if (name === 'file') form.set(name, ...fileOf(value))
      else form.set(name, text(value))
    return send(call.method, url + at, { headers, body: form })
  }
  return send(call.method, url + at, { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(fields) })
}
/** The file for a call: a sheet where the input gives one, a picture elsewhere. */
function fileOf(value: unknown): [Blob, string] {
  const { name = 'rows.csv', text } = (value ?? {}) as { name?: string; text?: string }
  return typeof text === 'string' ? [new Blob([text]), name] : [new Blob([PNG as BlobPart], { type: 'image/png' }), 'a.png']
}
/** One grey dot. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==', 'base64')

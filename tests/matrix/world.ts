import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { fillDemo } from '../../apps/server/demo.ts'
import { domains } from '../../apps/server/domains.ts'
import { startServer } from '../../apps/server/server.ts'
import { addressOf, type Call } from '../../platform/contract/call.ts'
import type { Config } from '../../platform/server/config.ts'
import type { Domain, House } from '../../platform/server/domain.ts'
import { openLog } from '../../platform/server/log.ts'
import { testDatabase } from '../support/database.ts'
import { digestOf, PASSWORD } from '../support/server.ts'

/** Every call that the house serves: what is added later is in here without anybody thinking of it. */
export const calls: Call<any, any>[] = domains.flatMap((domain) => domain.calls.map(({ call }) => call)).sort((a, b) => a.id.localeCompare(b.id))

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
  tokens: Record<'admin' | 'operator' | 'auditor' | 'otheradmin' | 'nobody', string>
  ask(call: Call<any, any>, input: Record<string, unknown>, headers: Record<string, string>): Promise<Answer>
  send(method: string, url: string, init: { headers?: Record<string, string>; body?: BodyInit }): Promise<Answer>
  signIn(username: string): Promise<string>
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

/** The small demo city on the real product: two operators, rows of every kind, people of every sort. */
export async function openWorld({ planted, role = 'all' }: { planted?: Planted; role?: Config['role'] } = {}): Promise<World> {
  const { ownerUrl, appUrl, drop } = await testDatabase()
  if (planted) await plant(ownerUrl, planted)
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-matrix-'))
  const running = await startServer({
    config: {
      port: 0,
      mqttPort: 0,
      host: '127.0.0.1',
      dataDir,
      databaseUrl: ownerUrl,
      demo: 'small',
      demoPassword: PASSWORD,
      mqttUrl: undefined,
      role,
      rateLimit: 0,
    },
    ownerUrl,
    appUrl,
    log: openLog('fatal'),
  })
  const url = running.url.replace('localhost', '127.0.0.1')
  await fillDemo(running, () => {})
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await messagesAtRest(owner)
  const signIn = (username: string) => signInAt(url, username)
  await owner.query(`insert into identity.person (enterprise_id, username, name, password_hash, demo, must_change)
    select 1, u, u, replace(password_hash, '', ''), true, false from identity.person, unnest(array['nobody', 'locked']) u where username = 'admin'`)
  const { hashed } = await import('../../domains/identity/server/password.ts')
  for (const name of ['nobody', 'locked'])
    await owner.query('update identity.person set password_hash = $2 where username = $1', [name, await hashed(digestOf(name, PASSWORD))])
  const tokens = {
    admin: await signIn('admin'),
    operator: await signIn('operator'),
    auditor: await signIn('auditor'),
    otheradmin: await signIn('otheradmin'),
    nobody: await signIn('nobody'), // prettier-ignore
  }
  return {
    url,
    ownerUrl,
    house: running.house,
    owner,
    tokens,
    signIn,
    send: (method, address, init) => send(method, url + address, init),
    ask: (call, input, headers) => sendCall(url, call, input, headers),
    async close() {
      await owner.end()
      await running.close()
      await drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
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

/** Nothing may take longer than this, whatever is sent. */
const SLOWEST_MS = 5_000
async function send(method: string, url: string, init: { headers?: Record<string, string>; body?: BodyInit }): Promise<Answer> {
  const begun = performance.now()
  const reply = await fetch(url, { method, redirect: 'manual', signal: AbortSignal.timeout(SLOWEST_MS * 2), ...init } as RequestInit).catch(
    (error: Error) => {
      throw new Error(`${method} ${new URL(url).pathname}: ${error.message}`)
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
  const pairs = () => new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null).map(([name, value]) => [name, text(value)])) // prettier-ignore
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
/** What a call takes as its file: a sheet where it says one, a picture elsewhere. */
function fileOf(value: unknown): [Blob, string] {
  const { name = 'rows.csv', text } = (value ?? {}) as { name?: string; text?: string }
  return typeof text === 'string' ? [new Blob([text]), name] : [new Blob([PNG as BlobPart], { type: 'image/png' }), 'a.png']
}
/** One grey dot. */
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==', 'base64')

/** The demo's messages that no provider takes are tried again and again; here they have failed for good, so that no row changes by itself. */
async function messagesAtRest(owner: pg.Client): Promise<void> {
  for (let quiet = 0; quiet < 3;) {
    await owner.query(
      'update message.record set send_state = 3, next_at = null where id in (select id from message.record where send_state in (0, 1) for update skip locked)',
    )
    const { rows } = await owner.query('select 1 from message.record where send_state in (0, 1) limit 1')
    quiet = rows.length === 0 ? quiet + 1 : 0
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

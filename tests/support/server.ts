import { argon2Sync, createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startServer } from '../../apps/server/server.ts'
import { demoPeople } from '../../domains/identity/server/api.ts'
import type { Config } from '../../platform/server/start/config.ts'
import type { House } from '../../platform/server/domain.ts'
import { openLog } from '../../platform/server/log.ts'
import { copyOfMade, type TestDatabase, testDatabase } from './database.ts'

/** The password of everybody in a test's demo city. */
export const PASSWORD = 'Kerbline-2026'

export interface Answer<Data = any> {
  status: number
  /** The envelope, or undefined where the answer is a file. */
  code: number
  message: string
  data: Data
  headers: Headers
}

export interface TestServer {
  /** `http://127.0.0.1:12345` */
  url: string
  mqttPort: number
  ocppPort: number
  house: House
  ownerUrl: string
  appUrl: string
  /** A plain client's bearer token. */
  signIn(username: string, password?: string): Promise<string>
  /** One call; `token: null` for a stranger. A GET's body becomes its query. */
  ask<Data = any>(token: string | null, method: string, address: string, body?: object, headers?: Record<string, string>): Promise<Answer<Data>>
  close(): Promise<void>
}

/** A test's usual configuration, and what differs. */
export const configFor = (databaseUrl: string, differs: Partial<Config> & { dataDir: string }): Config => ({
  port: 0,
  mqttPort: 0,
  ocppPort: 0,
  host: '127.0.0.1',
  databaseUrl,
  demo: 'none',
  demoPassword: PASSWORD,
  mqttUrl: undefined,
  role: 'all',
  rateLimit: 0,
  ...differs,
})

/**
 * The real product in this process, on a database of its own with the demo people in it, and free ports. Pass what differs from a test's usual configuration, or a
 * database without anybody.
 */
export async function startTestServer(differs: Partial<Config> = {}, database?: TestDatabase): Promise<TestServer> {
  const { ownerUrl, appUrl, drop } = database ?? (await copyOfMade('demo_people', makePeople))
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-files-'))
  const config = configFor(ownerUrl, { dataDir, ...differs })
  const running = await startServer({ config, ownerUrl, appUrl, log: openLog(process.env['LOG_LEVEL'] ?? 'fatal') })
  const url = running.url.replace('localhost', '127.0.0.1')
  return {
    url,
    mqttPort: running.mqttPort ?? 0,
    ocppPort: running.ocppPort ?? 0,
    house: running.house,
    ownerUrl,
    appUrl,
    signIn: (username, password = PASSWORD) => signIn(url, username, password),
    ask: (token, method, address, body, headers) => ask(url, token, method, address, body, headers),
    async close() {
      await running.close()
      await drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A database on which a server was started once: its menu is there, and so are the people. */
async function makePeople(): Promise<TestDatabase> {
  const database = await testDatabase()
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-files-'))
  const running = await startServer({ config: configFor(database.ownerUrl, { dataDir, role: 'web' }), ...database, log: openLog('fatal') })
  await demoPeople(running.house, PASSWORD)
  await running.close()
  rmSync(dataDir, { recursive: true, force: true })
  await hashQuickly(database.ownerUrl)
  return database
}

/**
 * Their passwords are hashed as the product does, but with the least memory that Argon2 takes: a test signs in a thousand times over, and the hash says itself what it was made with.
 * A hash that a test makes through the product takes its full time.
 */
async function hashQuickly(ownerUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  await owner.query('set session_replication_role = replica') // nobody changed them
  const { rows } = await owner.query<{ id: string; username: string }>('select id, username from identity.person where demo')
  for (const { id, username } of rows) {
    const nonce = randomBytes(16)
    const tag = argon2Sync('argon2id', { message: digestOf(username, PASSWORD), nonce, parallelism: 1, tagLength: 32, memory: 8, passes: 1 })
    const hashed = `$argon2id$v=19$m=8,t=1,p=1$${nonce.toString('base64')}$${tag.toString('base64')}`
    await owner.query('update identity.person set password_hash = $2 where id = $1', [id, hashed])
  }
  await owner.end()
}

/** The digest that the sign-in form sends instead of the password. */
export const digestOf = (username: string, password: string) => createHash('sha256').update(`${username.toLowerCase()}:${password}`).digest('hex')

async function signIn(url: string, username: string, password: string): Promise<string> {
  const answer = await fetch(`${url}/lbs/security/authentication/form`, {
    method: 'POST',
    body: new URLSearchParams({ username, password: digestOf(username, password) }),
  })
  const envelope = (await answer.json()) as { message: string; data?: { access_token?: string } }
  if (!envelope.data?.access_token) throw new Error(`${username} was not signed in: ${answer.status} ${envelope.message}`)
  return envelope.data.access_token
}

async function ask(
  url: string,
  token: string | null,
  method: string,
  address: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const inQuery = method === 'GET' && body
  const query = inQuery
    ? `?${new URLSearchParams(Object.entries(body).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))}`
    : ''
  const answer = await fetch(`${url}${address}${query}`, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body && !inQuery && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && !inQuery && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  const isJson = answer.headers.get('content-type')?.includes('json')
  const envelope = isJson ? ((await answer.json()) as Partial<Answer>) : { data: Buffer.from(await answer.arrayBuffer()) }
  return {
    status: answer.status,
    code: envelope.code ?? answer.status,
    message: envelope.message ?? '',
    data: envelope.data,
    headers: answer.headers,
  }
}

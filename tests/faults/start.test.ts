import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../platform/server/start/migrate.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { digestOf } from '../support/server.ts'
import { tally } from '../../scripts/tally.ts'
import { freePort } from '../../platform/server/start/port.ts'
import { ended, spawned, until } from './child.ts'

/** A wrong setting gives the administrator one line that says what to do, no stack, and no server that half works. */
const place = mkdtempSync(path.join(tmpdir(), 'kerbline-start-'))
chmodSync(place, 0o755)
const inside = (name: string) => path.join(place, name)
let database: TestDatabase
let owner: pg.Client
beforeAll(async () => {
  database = await testDatabase()
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner?.end()
  await database?.drop()
  rmSync(place, { recursive: true, force: true })
})

const main = 'apps/server/main.ts'
let refused = 0
async function refusal(env: Record<string, string>): Promise<string> {
  const settings = {
    DATA_DIR: inside('data'),
    DEMO: 'none',
    LOG_LEVEL: 'fatal',
    PORT: String(await freePort()),
    MQTT_PORT: String(await freePort()),
    ...env,
  }
  const { code, out, err } = await ended(main, settings)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  const line = err.trimEnd()
  expect(line.split('\n')).toHaveLength(1)
  expect(line).not.toMatch(/^\s+at |node:internal|\.ts:\d/m)
  expect(line).toMatch(/[一-鿿]/)
  tally({ check: 'start-up refusals', numbers: { refused: ++refused } })
  return line
}
const onOurs = () => ({ DATABASE_URL: database.ownerUrl })

test('a variable that cannot be: it is named, and a secret in it is not repeated', async () => {
  expect(await refusal({ PORT: 'eighty' })).toContain('PORT=eighty')
  expect(await refusal({ DATABASE_URL: 'http://me:very-secret@db' })).not.toContain('very-secret')
})

test('a port that a demo listens at beside the server', async () => {
  const port = await freePort(5)
  for (const [name, after] of Object.entries({ MQTT_PORT: 4, OCPP_PORT: 2, JT808_PORT: 5 }))
    expect(await refusal({ ...onOurs(), DEMO: 'small', PORT: String(port), [name]: String(port + after) })).toContain(`${name}=${port + after}`)
})

test('a secret that can be guessed, or that others can read', async () => {
  expect(await refusal({ ...onOurs(), PAY_SANDBOX_SECRET: 'short' })).toContain('PAY_SANDBOX_SECRET')
  expect(await refusal({ ...onOurs(), DEMO: 'small', DEMO_PASSWORD: 'abc' })).toContain('DEMO_PASSWORD')
  mkdirSync(inside('open'))
  writeFileSync(inside('open/demo-password'), 'Kerbline-2026\n')
  chmodSync(inside('open/demo-password'), 0o644)
  expect(await refusal({ ...onOurs(), DATA_DIR: inside('open') })).toContain('chmod 600')
})

test('a database that is not there, does not let us in, or has no password', async () => {
  expect(await refusal({ DATABASE_URL: `postgres://o:very-secret@127.0.0.1:${await freePort()}/k` })).toMatch(/does not answer: .*ECONNREFUSED/)
  const wrong = new URL(database.ownerUrl)
  wrong.password = 'very-secret'
  const line = await refusal({ DATABASE_URL: wrong.href })
  expect(line).toContain('password authentication failed')
  expect(line).not.toContain('very-secret')
  wrong.password = ''
  expect(await refusal({ DATABASE_URL: wrong.href })).toContain('needs a password')
})

test('a data directory that cannot be used', async () => {
  writeFileSync(inside('file'), '')
  expect(await refusal({ DATA_DIR: inside('file') })).toContain('cannot be used')
  mkdirSync(inside('empty/postgres'), { recursive: true })
  writeFileSync(inside('empty/postgres.password'), 'x', { mode: 0o600 })
  expect(await refusal({ DATA_DIR: inside('empty') })).toContain('is not a PostgreSQL data directory')
  writeFileSync(inside('empty/postgres/PG_VERSION'), '15\n')
  expect(await refusal({ DATA_DIR: inside('empty') })).toContain('belongs to PostgreSQL 15')
})

test('a migration that was changed after it ran, and one that is newer than the program', async () => {
  await owner.query(`update migration.applied set sha256 = reverse(sha256) where name like '0030%'`)
  expect(await refusal(onOurs())).toMatch(/migrations\/0030_\w+\.sql was changed/)
  await owner.query(`update migration.applied set sha256 = reverse(sha256) where name like '0030%'`)
  await owner.query(`insert into migration.applied (name, sha256) values ('9999_later.sql', '')`)
  expect(await refusal(onOurs())).toMatch(/9999_later\.sql.*newer than the program/)
  await owner.query(`delete from migration.applied where name = '9999_later.sql'`)
})

test('a PostgreSQL that is too old: one that says so', async () => {
  const server = net.createServer(oldServer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as net.AddressInfo
  expect(await refusal({ DATABASE_URL: `postgres://o:p@127.0.0.1:${port}/k` })).toMatch(/version 15\.99; Kerbline needs 18/)
  server.close()
})

/** As much of PostgreSQL's protocol as it takes to say one's version. */
function oldServer(socket: net.Socket) {
  const message = (type: string, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts)
    const head = Buffer.alloc(5)
    head.write(type)
    head.writeInt32BE(body.length + 4, 1)
    return Buffer.concat([head, body])
  }
  const [int16, int32] = [(n: number) => Buffer.from([n >> 8, n & 255]), (n: number) => Buffer.from([n >> 24, n >> 16, n >> 8, n & 255])]
  const text = (value: string) => Buffer.from(`${value}\0`)
  const ready = message('Z', Buffer.from('I'))
  let greeted = false
  socket.on('error', () => {})
  socket.on('data', (bytes: Buffer) => {
    if (!greeted) {
      greeted = true
      return socket.write(Buffer.concat([message('R', int32(0)), message('S', text('server_version'), text('15.99')), ready]))
    }
    if (String.fromCharCode(bytes[0]!) !== 'Q') return
    const field = message('T', int16(1), text('version'), int32(0), int16(0), int32(25), int16(65_535), int32(-1), int16(0))
    const row = message('D', int16(1), int32(5), Buffer.from('15.99'))
    return socket.write(Buffer.concat([field, row, message('C', text('SELECT 1')), ready]))
  })
}

/** Debian's, where it is installed. */
const OLD = '/usr/lib/postgresql/15/bin'
/** It refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 }
test('a PostgreSQL that is too old: a real one, where there is one', async () => {
  if (!existsSync(path.join(OLD, 'postgres'))) return console.log('No PostgreSQL 15 is installed here: only the one that says so was asked.')
  const data = inside('old')
  mkdirSync(data, { mode: 0o700 })
  const asRoot = process.getuid?.() === 0
  const user = asRoot ? NOBODY : {}
  if (asRoot) chownSync(data, NOBODY.uid, NOBODY.gid)
  writeFileSync(inside('old-password'), 'p\n')
  const made = spawnSync(
    path.join(OLD, 'initdb'),
    ['-D', data, '-U', 'o', `--pwfile=${inside('old-password')}`, '--auth=scram-sha-256', '--no-sync', '-E', 'UTF8'],
    { ...user, cwd: '/', encoding: 'utf8' },
  )
  expect(made.stderr.match(/error:.*/)?.[0]).toBeUndefined()
  const port = await freePort()
  const old = spawn(path.join(OLD, 'postgres'), ['-D', data, '-p', String(port), '-k', '', '-c', 'listen_addresses=127.0.0.1'], {
    ...user,
    cwd: '/',
    stdio: 'ignore',
  })
  try {
    const url = `postgres://o:p@127.0.0.1:${port}/postgres`
    const answers = async () => {
      const client = new pg.Client({ connectionString: url })
      client.on('error', () => {})
      return client.connect().then(
        () => client.end().then(() => true),
        () => false,
      )
    }
    await until(answers, 20_000, 'The start of PostgreSQL 15')
    expect(await refusal({ DATABASE_URL: url })).toMatch(/version 15\.\d+.*; Kerbline needs 18/)
    await expect(migrate(url, { info() {}, warn() {} })).rejects.toMatchObject({ name: 'StartRefusal' })
  } finally {
    old.kill('SIGQUIT')
  }
})

test('the first administrator has a password made up at the start, told once, and to be changed at the first sign-in', async () => {
  const begin = async () => {
    const words = { out: '', err: '' }
    const port = String(await freePort())
    const child = spawned(
      main,
      { ...onOurs(), DATA_DIR: inside('first'), DEMO: 'none', LOG_LEVEL: 'fatal', PORT: port, MQTT_PORT: String(await freePort()) },
      words,
    )
    await until(() => words.out.includes('/dist/') && words.out.endsWith('\n'), 30_000, 'The start of the server')
    await new Promise((resolve) => setTimeout(resolve, 200)) // the password follows the address
    return { child, out: words.out, url: `http://127.0.0.1:${port}` }
  }
  const stop = (child: ReturnType<typeof spawned>) => new Promise((resolve) => (child.once('exit', resolve), child.kill('SIGTERM')))
  const first = await begin()
  const password = /one-time password (\S{12,})/.exec(first.out)?.[1]
  expect(password).toBeDefined()
  const reply = await fetch(`${first.url}/lbs/security/authentication/form`, {
    method: 'POST',
    body: new URLSearchParams({ username: 'admin', password: digestOf('admin', password!) }),
  })
  const { access_token: token } = (await reply.json()) as { access_token: string }
  const who = await fetch(`${first.url}/lbs/custom/account/getUserInfo`, { headers: { authorization: `Bearer ${token}` } })
  expect(await who.json()).toMatchObject({ data: { username: 'admin', mustChangePassword: true } })
  await stop(first.child)
  const second = await begin()
  expect(second.out).not.toContain('password')
  await stop(second.child)
}, 90_000)

/** Each of them lets what ended the input be read meanwhile. */
const ASKED = 20
test.each(['pay', 'etc'])(
  'what stands outside, started by hand with no input (city/%s), runs until it is told to stop',
  async (folder) => {
    const dataDir = mkdtempSync(inside(`${folder}-`))
    const port = await freePort(3)
    const url = `http://127.0.0.1:${folder === 'pay' ? port : port + 3}`
    writeFileSync(path.join(dataDir, 'pay-sandbox.json'), JSON.stringify({ secret: 'x'.repeat(32), url: `http://127.0.0.1:${port}` }), {
      mode: 0o600,
    })
    const words = { out: '', err: '' }
    const child = spawned(`city/${folder}/main.ts`, { DATA_DIR: dataDir }, words)
    const gone = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })))
    await until(() => words.out.includes(url), 30_000, 'The start of the sandbox')
    for (let n = 0; n < ASKED; n++) expect((await fetch(`${url}/counts`)).status).toBe(200)
    child.kill('SIGKILL')
    expect(await gone).toEqual({ code: null, signal: 'SIGKILL' })
  },
  60_000,
)

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { startEmbedded } from './embedded.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'kerbline-embedded-'))
chmodSync(directory, 0o755) // a temporary directory is closed to other users, and PostgreSQL runs as one of them
const inside = (name: string) => path.join(directory, name)
const said: string[] = []
const log = { info: (line: string) => void said.push(line), warn: (line: string) => void said.push(line) }
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const postmaster = () => Number(readFileSync(inside('postgres/postmaster.pid'), 'utf8').split('\n')[0])
const lives = (pid: number) => existsSync(`/proc/${pid}`) && !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
async function until(what: () => boolean | Promise<boolean>, ms = 15_000) {
  for (const end = Date.now() + ms; !(await what()); await pause(50)) if (Date.now() > end) throw new Error('It did not come to pass.')
}
async function one(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query({ text, rowMode: 'array' })
  await client.end()
  return rows[0]?.[0]
}

test('it starts, lets in whoever knows the password and nobody else, and keeps what was written', async () => {
  const first = await startEmbedded(directory, log)
  expect(await one(first.url, 'show server_version')).toMatch(/^18/)
  expect(await one(first.url, `select setting from pg_settings where name = 'fsync'`)).toBe('on')
  await one(first.url, 'create table kept as select 1 as id')
  await expect(one(first.url.replace(/:[0-9a-f]{40,}@/, ':wrong@'), 'select 1')).rejects.toThrow(/password/)
  expect(statSync(inside('postgres.password')).mode & 0o777).toBe(0o600)
  expect(statSync(inside('postgres')).mode & 0o777).toBe(0o700)
  if (process.getuid?.() === 0) expect(statSync(inside('postgres')).uid).not.toBe(0)
  expect(await one(first.url, 'select inet_server_addr()'), 'by the private socket').toBeNull()
  expect(await one(first.url.replace(/\?.*/, ''), 'select host(inet_server_addr())'), 'by loopback for other programs').toBe('127.0.0.1')
  await first.stop()
  expect(readdirSync(inside('postgres')).filter((name) => name.startsWith('.s.PGSQL'))).toEqual([])
  expect(existsSync(inside('postgres/postmaster.pid'))).toBe(false)
  const second = await startEmbedded(directory, log)
  expect(await one(second.url, 'select id from kept')).toBe(1)
  await second.stop()
})

test('under a name too long for a socket it is asked by loopback', async () => {
  const { url, stop } = await startEmbedded(inside('d'.repeat(90)), log)
  expect(await one(url, 'select host(inet_server_addr())')).toBe('127.0.0.1')
  await stop()
}, 40_000)

test('when it is killed it comes up again at the same address', async () => {
  const { url, stop } = await startEmbedded(directory, log)
  const killed = postmaster()
  process.kill(killed, 'SIGKILL')
  await until(async () => !lives(killed) && (await one(url, 'select id from kept').catch(() => 0)) === 1, 20_000)
  await until(() => said.some((line) => line.includes('PostgreSQL is back')))
  await stop()
  writeFileSync(inside('postgres/.s.PGSQL.1'), '')
  const next = await startEmbedded(directory, log)
  expect(existsSync(inside('postgres/.s.PGSQL.1')), 'what a killed one left').toBe(false)
  await next.stop()
}, 40_000)

test('one of its processes that outlives it and does not notice holds nothing up', async () => {
  const { url, stop } = await startEmbedded(directory, log)
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const backend = Number((await client.query('select pg_backend_pid() as pid')).rows[0].pid)
  process.kill(backend, 'SIGSTOP') // as one that waits for a lock which a killed one held
  process.kill(postmaster(), 'SIGKILL')
  await until(async () => (await one(url, 'select id from kept').catch(() => 0)) === 1, 8_000)
  expect(lives(backend)).toBe(false)
  await client.end().catch(() => {})
  await stop()
}, 40_000)

test('a kill -9 of the process that holds it leaves nothing running, and the next start goes on', async () => {
  const program = `import { startEmbedded } from ${JSON.stringify(path.join(import.meta.dirname, 'embedded.ts'))}
    await startEmbedded(${JSON.stringify(directory)}, { info() {}, warn() {} }); console.log('up'); setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  const pid = postmaster()
  expect(lives(pid)).toBe(true)
  holder.kill('SIGKILL')
  await until(() => !lives(pid), 5_000)
  const again = await startEmbedded(directory, log)
  expect(await one(again.url, 'select id from kept')).toBe(1)
  await again.stop()
}, 40_000)

test('a data directory that cannot be used gets one line', async () => {
  const refused = (place: string) =>
    startEmbedded(place, log).then(
      () => 'it started',
      (error: Error) => `${error.name}: ${error.message}`,
    )
  writeFileSync(inside('file'), '')
  expect(await refused(inside('file'))).toMatch(/^StartRefusal: The data directory .* cannot be used/)
  if (existsSync('/proc/self')) expect(await refused('/proc/no/such')).toMatch(/^StartRefusal: The data directory .* cannot be used/)
  renameSync(inside('postgres/global'), inside('postgres/gone'))
  expect(await refused(directory)).toMatch(/^StartRefusal: PostgreSQL does not start on .*pg_control[^\n]*$/)
  renameSync(inside('postgres/gone'), inside('postgres/global'))
  writeFileSync(inside('postgres/PG_VERSION'), '15\n')
  expect(await refused(directory)).toMatch(/^StartRefusal: .* belongs to PostgreSQL 15; this server brings PostgreSQL 18/)
  rmSync(inside('postgres/PG_VERSION'))
  expect(await refused(directory)).toMatch(/^StartRefusal: .* is not a PostgreSQL data directory/)
  rmSync(inside('postgres.password'))
  expect(await refused(directory)).toMatch(/^StartRefusal: .*postgres\.password is missing/)
})

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../platform/server/start/port.ts'
import { tally } from '../../scripts/tally.ts'
import { testDatabase, type TestDatabase } from '../support/database.ts'
import { ended, familyOf, lives, spawned, until } from './child.ts'

/** The program of `npm start`; run as a gateway, so that no page has to be built. */
const START = 'scripts/start.mjs'
const READY_MS = 60_000

const dataDir = mkdtempSync(path.join(tmpdir(), 'kerbline-restart-'))
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await database?.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const env = (mqttPort: number) => ({ DATABASE_URL: database.ownerUrl, DATA_DIR: dataDir, DEMO: 'none', ROLE: 'gateway', MQTT_PORT: String(mqttPort) })
const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    // A port that nobody listens on may be given to the caller itself, which then meets itself there.
    const socket = connect(port, '127.0.0.1', () => resolve(socket.localPort !== port))
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
  })
const serverOf = (pid: number) =>
  familyOf(pid).find((one) => one !== pid && lives(one) && readFileSync(`/proc/${one}/cmdline`, 'utf8').includes('apps/server/main.ts'))

test('a server that dies is brought back, as often as it dies; one that is told to stop stays away', async () => {
  const port = await freePort()
  const words = { out: '', err: '' }
  const start = spawned(START, env(port), words)
  const pids: number[] = []
  for (const signal of ['SIGKILL', 'SIGSEGV', undefined] as const) {
    const back = await until(
      async () => start.exitCode !== null || ((await answers(port)) && serverOf(start.pid!) !== undefined),
      READY_MS,
      `The server (${words.err})`,
    )
    expect(start.exitCode, words.err).toBeNull()
    const pid = serverOf(start.pid!)!
    expect(pids).not.toContain(pid)
    pids.push(pid)
    tally({ check: 'restart', numbers: { starts: pids.length, backMs: Math.round(back) } })
    if (signal) process.kill(pid, signal)
    if (signal) await until(() => !lives(pid), READY_MS, 'The end of the server')
  }
  start.kill('SIGTERM')
  await until(() => start.exitCode !== null, READY_MS, 'The end of all')
  expect(start.exitCode).toBe(0)
  expect(pids.some(lives)).toBe(false)
  expect(words.err).toMatch(/started again/)
}, 240_000)

test('a server that refuses to start says so once and is not tried again', async () => {
  const { code, err } = await ended(START, { ...env(await freePort()), DATABASE_URL: 'nowhere' })
  expect(code).toBe(1)
  expect(err.trimEnd().split('\n')).toHaveLength(1)
}, 60_000)

test('a program that is no server and is killed is over: nothing runs it again', () => {
  const dies = ['scripts/with-node.mjs', '--eval', 'process.kill(process.pid, "SIGKILL")']
  const { status, stderr } = spawnSync(process.execPath, dies, { cwd: path.resolve(import.meta.dirname, '../..'), encoding: 'utf8', timeout: 20_000 })
  expect([status, stderr]).toEqual([1, ''])
}, 30_000)

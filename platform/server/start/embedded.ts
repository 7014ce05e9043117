import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, readlinkSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { StartRefusal } from './config.ts'
import { findHome, type Home, ownAs, run } from './embedded-home.ts'
import { freePort } from './port.ts'

/** A PostgreSQL of our own: native binaries from node_modules, the cluster under the data directory, reachable from this machine with a generated password. */
export interface Embedded {
  /**
   * The superuser `kerbline_owner` on the database `kerbline`, by its private socket where there is one (`?host=`), else on loopback: a question by the socket
   * costs a quarter less. Port and address stay the same as long as this process lives.
   */
  url: string
  /** A clean stop; resolves when nothing runs any more. */
  stop(): Promise<void>
}

interface Say {
  info(line: string): void
  warn(line: string): void
}
const OWNER = 'kerbline_owner'
const DATABASE = 'kerbline'
/** The PostgreSQL whose binaries are installed, as PG_VERSION of a data directory says it. */
const MAJOR = '18'
/** A killed postmaster's entry may stay in the process table for some seconds; until then a new one refuses its data directory. */
const LINGER_MS = 10_000
const READY_MS = 60_000
const STOP_MS = 20_000

/**
 * `directory` is absolute and is made if it is not there. `throwaway`: faster and not safe against a crash, for databases that nobody keeps.
 * @throws StartRefusal when the data directory cannot be used, with what PostgreSQL says about it.
 */
export async function startEmbedded(directory: string, log: Say, { throwaway = false } = {}): Promise<Embedded> {
  const home = findHome(directory)
  if (home.note) log.info(home.note)
  const password = passwordOf(home)
  createCluster(home, password)
  const cluster = new Cluster(home, password, await freePort(), throwaway, log)
  await cluster.bringUp()
  await cluster.createDatabase()
  return { url: cluster.urlOf(DATABASE), stop: () => cluster.stop() }
}

/** Kept beside the cluster, readable by the cluster's user alone (and by root). */
function passwordOf({ passwordFile, data, user }: Home): string {
  if (existsSync(passwordFile)) {
    const password = readFileSync(passwordFile, 'utf8').trim()
    if (password) return password
  }
  if (existsSync(data)) throw new StartRefusal(`${passwordFile} is missing, so nobody can sign in to the database in ${data}. 缺少数据库密码文件。`)
  const password = randomBytes(24).toString('hex')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  ownAs(passwordFile, user)
  return password
}

/** Made under another name and moved when complete, so that a start that was cut off leaves no half cluster. */
function createCluster({ data, passwordFile, user, binaries, prefix }: Home, password: string) {
  if (existsSync(data)) {
    checkCluster(data)
    return
  }
  const fresh = `${data}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { mode: 0o700 })
  ownAs(fresh, user)
  const made = run([...prefix, path.join(binaries, 'initdb')], user, [
    ...['-D', fresh, '-U', OWNER, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--encoding=UTF8'],
    // Independent of the machine's locales; sorts by code point, the same everywhere.
    ...['--locale-provider=builtin', '--locale=C.UTF-8', '--no-instructions'],
  ])
  if (made.status !== 0) {
    rmSync(fresh, { recursive: true, force: true })
    rmSync(passwordFile, { force: true })
    throw new StartRefusal(`The database could not be created in ${data}: ${lastLine(made.stderr.replaceAll(password, '...'))} 数据库无法创建。`)
  }
  renameSync(fresh, data)
}

function checkCluster(data: string) {
  const version = path.join(data, 'PG_VERSION')
  if (!existsSync(version))
    throw new StartRefusal(
      `${data} is not a PostgreSQL data directory${readdirSync(data).length ? '' : ' (it is empty)'}: remove it or set DATA_DIR. 数据目录已损坏。`,
    )
  const major = readFileSync(version, 'utf8').trim()
  if (major !== MAJOR) throw new StartRefusal(`${data} belongs to PostgreSQL ${major}; this server brings PostgreSQL ${MAJOR}. 数据目录版本不符。`)
}

/**
 * The guard: a shell that starts PostgreSQL and reads a pipe whose other end only we hold. When we end, however we end, the pipe closes and PostgreSQL is told
 * to stop. When PostgreSQL ends, the guard ends with it, and that is how we hear of it.
 */
const GUARD = `exec 3<&0
"$@" </dev/null 3<&- & pg=$!
trap '' INT
trap 'kill -INT $pg 2>/dev/null' TERM
{ while read -r _; do :; done; kill -INT $pg 2>/dev/null; } <&3 2>/dev/null & watch=$!
wait $pg; code=$?
while kill -0 $pg 2>/dev/null; do wait $pg; code=$?; done
kill $watch 2>/dev/null
exit $code`

class Cluster {
  #guard: ChildProcess | undefined
  #stopping = false
  /** The last lines that PostgreSQL wrote: why it did not come up. */
  #lines: string[] = []
  #home: Home
  #password: string
  #port: number
  #throwaway: boolean
  #log: Say

  constructor(home: Home, password: string, port: number, throwaway: boolean, log: Say) {
    this.#home = home
    this.#password = password
    this.#port = port
    this.#throwaway = throwaway
    this.#log = log
  }

  urlOf(database: string) {
    const socket = socketOf(this.#home.data)
    return `postgres://${OWNER}:${this.#password}@127.0.0.1:${this.#port}/${database}${socket && `?host=${encodeURIComponent(socket)}`}`
  }

  /** Starts PostgreSQL and waits until it answers. */
  async bringUp(): Promise<void> {
    const until = performance.now() + LINGER_MS
    for (;;) {
      const guard = this.#spawnGuard()
      if (await this.#answers(guard)) {
        forgetSockets(this.#home.data, this.#port)
        guard.once('exit', () => void this.#onDeath())
        // It may have died between its answer and this line.
        if (guard.exitCode !== null) void this.#onDeath()
        return
      }
      const why = this.#lines.join('\n')
      const held = /lock file|shared memory block|still in use/i.test(why)
      if (held) killOrphans(this.#home.data)
      if (!held) throw new StartRefusal(`PostgreSQL does not start on ${this.#home.data}: ${reasonIn(this.#lines)} 数据库无法启动。`)
      if (performance.now() > until)
        throw new StartRefusal(`Another server is using ${this.#home.data}: stop it or set DATA_DIR. 数据目录正被另一个服务使用。`)
      await pause(500)
    }
  }

  /** The cluster begins with PostgreSQL's own databases; ours is made once. */
  async createDatabase() {
    const client = new pg.Client({ connectionString: this.urlOf('postgres') })
    await client.connect()
    try {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE])
      if (!rowCount) await client.query(`create database ${DATABASE}`)
    } finally {
      await client.end()
    }
  }

  async stop() {
    this.#stopping = true
    const guard = this.#guard
    if (!guard || guard.exitCode !== null || guard.signalCode !== null) return
    const gone = new Promise<void>((resolve) => guard.once('exit', () => resolve()))
    guard.stdin?.end()
    const late = setTimeout(() => guard.kill('SIGTERM'), STOP_MS).unref()
    await gone
    clearTimeout(late)
  }

  #spawnGuard(): ChildProcess {
    const { binaries, data, prefix, user } = this.#home
    const postgres = [...prefix, path.join(binaries, 'postgres'), '-D', data, '-p', String(this.#port)]
    const guard = spawn('/bin/sh', ['-c', GUARD, 'guard', ...postgres, ...settingsOf(data, this.#throwaway)], {
      ...user,
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC', ...preloaded() },
      detached: true, // Ctrl-C of a terminal is for us; PostgreSQL stops after us
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    guard.stdin?.on('error', () => {}) // the guard went away first
    this.#lines = []
    guard.stderr?.setEncoding('utf8').on('data', (text: string) => this.#hear(text))
    this.#guard = guard
    return guard
  }

  #hear(text: string) {
    for (const line of text.split('\n').filter(Boolean)) {
      this.#lines = [...this.#lines.slice(-19), line]
      if (/(FATAL|PANIC): {2}/.test(line) && !EXPECTED.test(line)) this.#log.warn(`PostgreSQL: ${line}`)
    }
  }

  /** False: the guard ended before PostgreSQL answered. */
  async #answers(guard: ChildProcess): Promise<boolean> {
    const until = performance.now() + READY_MS
    while (guard.exitCode === null && guard.signalCode === null) {
      const client = new pg.Client({ connectionString: this.urlOf('postgres'), connectionTimeoutMillis: 2_000 })
      client.on('error', () => {})
      try {
        await client.connect()
        return true
      } catch (error) {
        if ((error as { code?: string }).code === '28P01') throw await this.#refused()
        if (performance.now() > until) throw await this.#refused()
        await pause(25)
      } finally {
        await client.end().catch(() => {})
      }
    }
    return false
  }

  async #refused() {
    await this.stop()
    return new StartRefusal(`The database in ${this.#home.data} does not let us in: ${reasonIn(this.#lines)} 数据库拒绝登录。`)
  }

  /** Somebody killed it, or it ran out of memory: up again on the same port, so that pools find it by themselves. */
  async #onDeath() {
    if (this.#stopping) return
    this.#guard?.stdin?.destroy()
    this.#log.warn(`PostgreSQL went away (${reasonIn(this.#lines)}); bringing it up again.`)
    for (let wait = 250; !this.#stopping; wait = Math.min(wait * 2, 10_000)) {
      try {
        await this.bringUp()
        this.#log.info('PostgreSQL is back.')
        return
      } catch (error) {
        this.#log.warn(`${(error as Error).message} Next try in ${wait} ms.`)
        await pause(wait)
      }
    }
  }
}

/**
 * The processes of a cluster whose first one is gone. One of them that waits for a lock of a killed one never hears of it, and the memory that it holds keeps every
 * new server out. Where there is no /proc, nothing is done: it ends by itself in most cases.
 */
function killOrphans(data: string) {
  const place = realpathSync(data)
  const here = processesIn(place)
  const said = path.join(data, 'postmaster.pid')
  if (existsSync(said) && here.includes(Number(readFileSync(said, 'utf8').split('\n')[0]))) return // another server's, alive
  for (const pid of here) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as { code?: string }).code !== 'ESRCH') throw error // it ended by itself meanwhile
    }
  }
}
/** PostgreSQL's processes all stand in their data directory. */
const processesIn = (place: string) =>
  (existsSync('/proc/self') ? readdirSync('/proc') : [])
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === place && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres'
      } catch {
        return false // gone meanwhile, or somebody else's
      }
    })
    .map(Number)

/** A drill's clock is the database's too: one machine has one time. */
const preloaded = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => name === 'LD_PRELOAD' || name.startsWith('FAKETIME')))

/** The cluster's own directory, which nobody else may enter, holds its socket too; a name longer than this the operating system does not take. */
const socketOf = (data: string) => (Buffer.byteLength(data) <= SOCKET_DIRECTORY_BYTES ? data : '')
const SOCKET_DIRECTORY_BYTES = 90
/** Those of earlier servers that were killed: their ports are others, so nobody else clears them away. */
function forgetSockets(data: string, port: number) {
  const old = readdirSync(data).filter((name) => name.startsWith(SOCKET) && !name.startsWith(`${SOCKET}${port}`))
  for (const name of old) rmSync(path.join(data, name), { force: true })
}
const SOCKET = '.s.PGSQL.'

/** Loopback, one machine, one program: more memory and fewer checkpoints than the defaults. Durability is PostgreSQL's own unless the database is thrown away. */
function settingsOf(data: string, throwaway: boolean): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: socketOf(data),
    timezone: 'UTC',
    max_connections: '120',
    shared_buffers: throwaway ? '128MB' : '256MB',
    effective_cache_size: '1GB',
    work_mem: '16MB',
    maintenance_work_mem: '256MB',
    random_page_cost: '1.1',
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    wal_compression: 'on',
    // A lane's tables change a thousand times a minute: statistics of a minute ago are of another table.
    autovacuum_naptime: '10s',
    // Its log carries no statement and no row: what happened to a call stands in the server's own log.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...(throwaway && {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      wal_compression: 'off', // each page of a database that is copied for a test would be compressed, for nobody: twice the time of the copy
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_connections: '200',
      authentication_timeout: '10s', // a test's half-open connection would hold up a DROP DATABASE for a minute
    }),
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Messages of PostgreSQL as it starts and stops; no person needs to read them. */
const EXPECTED = /the database system is (starting|shutting|not yet)|terminating connection|connection to client lost|lock file/

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? ''
/** The line in which PostgreSQL says what is wrong, without its time and process id. */
const reasonIn = (lines: string[]) =>
  (lines.findLast((line) => /FATAL|PANIC|error|could not/.test(line) && !EXPECTED.test(line)) ?? lines.at(-1) ?? 'no message').replace(/^.*?\] /, '')

import { createHash, createHmac } from 'node:crypto'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { StartRefusal } from './config.ts'

/** The log for remarks of a start that do not stop it. */
interface Say {
  info(line: string): void
  warn(line: string): void
}
export interface Migrated {
  /** The same database as the role `kerbline_parks`, which owns nothing and is bound by every policy. */
  appUrl: string
  /** Files run by this start. */
  applied: string[]
}

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../migrations')
/** The database role of calls that may work in every park of one enterprise. Nobody signs in as it. */
export const ALL_PARKS = 'kerbline_app'
/** The database role that calls sign in as: the same, and bound by the policies about parks. */
const APP = 'kerbline_parks'
const OLDEST = 18
/** One start at a time works on the schema. Any number will do, as long as nobody else in this database uses it. */
const LOCK = 5_042_026

/**
 * Brings the database to this program's schema: each file of migrations/ once, in the order of their numbers, each in a transaction of its own.
 * A file that has run is never changed afterwards; a change is a new file.
 * @throws StartRefusal for a server that is too old, a connection that fails, a file that was changed, or a schema newer than this program.
 */
export async function migrate(ownerUrl: string, log: Say, directory = MIGRATIONS): Promise<Migrated> {
  const appUrl = appUrlOf(ownerUrl)
  const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 10_000, options: '-c timezone=UTC' })
  client.on('error', () => {}) // what fails is told by the statement it cuts off
  await client.connect().catch((error: Error) => {
    void client.end().catch(() => {}) // the driver leaves the socket open
    throw new StartRefusal(`The database does not answer: ${error.message || (error as { code?: string }).code} 无法连接数据库。`)
  })
  try {
    await checkVersion(client)
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await makeLeakproof(client, log)
    await ensureApp(client, appUrl)
    return { appUrl, applied: await applyAll(client, readMigrations(directory)) }
  } finally {
    await client.end()
  }
}

async function checkVersion(client: pg.Client) {
  const { rows } = await client.query<{ version: string }>(`select current_setting('server_version') version`)
  const version = rows[0]!.version
  if (Number.parseInt(version, 10) < OLDEST)
    throw new StartRefusal(`This PostgreSQL is version ${version}; Kerbline needs ${OLDEST} or later. PostgreSQL 版本过低。`)
}

/** Under row-level security only leakproof operators reach an index; LIKE is not one until its owner says so. Both functions only compare texts. */
async function makeLeakproof(client: pg.Client, log: Say) {
  const { rowCount } = await client.query(
    `select from pg_proc where proname in ('textlike', 'texticlike') and pronamespace = 'pg_catalog'::regnamespace and not proleakproof`,
  )
  if (!rowCount) return
  await client
    .query('alter function pg_catalog.textlike(text, text) leakproof; alter function pg_catalog.texticlike(text, text) leakproof')
    .catch((error: Error) => log.warn(`Searching inside texts will be slow, because this database does not allow it an index: ${error.message}`))
}

/** The role that calls run as. Its password follows from the owner's, so that every process of an installation finds the same one and none has to be stored. */
function appUrlOf(ownerUrl: string): string {
  const url = new URL(ownerUrl)
  if (!url.password)
    throw new StartRefusal('DATABASE_URL needs a password: the role that calls run as gets one that follows from it. DATABASE_URL 须包含密码。')
  url.password = createHmac('sha256', decodeURIComponent(url.password)).update(APP).digest('hex')
  url.username = APP
  return url.href
}

async function ensureApp(client: pg.Client, appUrl: string): Promise<void> {
  const { rows } = await client.query<{ name: string; signsIn: boolean }>(
    'select rolname name, rolcanlogin "signsIn" from pg_roles where rolname = any($1)',
    [[ALL_PARKS, APP]],
  )
  const [all, app] = [ALL_PARKS, APP].map((role) => rows.find(({ name }) => name === role))
  if (!all || all.signsIn) await client.query(`${all ? 'alter' : 'create'} role ${ALL_PARKS} nologin`)
  if (app && (await signsIn(appUrl))) return
  const { password, pathname } = new URL(appUrl)
  // The password is hexadecimal, so it needs no quoting; utility statements take no parameters. In one message they are one transaction.
  await client.query(`${app ? 'alter' : 'create'} role ${APP} login password '${password}'; grant ${ALL_PARKS} to ${APP}`)
  await client.query(`grant connect on database ${client.escapeIdentifier(decodeURIComponent(pathname.slice(1)))} to ${APP}`)
}

async function signsIn(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

interface Migration {
  name: string
  sha256: string
  text: string
}

function readMigrations(directory: string): Migration[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(path.join(directory, name), 'utf8')
      return { name, text, sha256: createHash('sha256').update(text).digest('hex') }
    })
}

async function applyAll(client: pg.Client, migrations: Migration[]): Promise<string[]> {
  await client.query('create schema if not exists migration')
  await client.query(
    'create table if not exists migration.applied (name text primary key, sha256 text not null, at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migration.applied')
  const known = new Map(rows.map(({ name, sha256 }) => [name, sha256]))
  const byName = new Map(migrations.map((migration) => [migration.name, migration]))
  for (const [name, sha256] of known) {
    const file = byName.get(name)
    if (!file)
      throw new StartRefusal(
        `The database has been through ${name}, which this program does not know: it is newer than the program. 数据库比程序新。`,
      )
    if (file.sha256 !== sha256)
      throw new StartRefusal(`migrations/${name} was changed after it had run here: put it back and write a new file. 已执行的迁移文件被改动。`)
  }
  const pending = migrations.filter(({ name }) => !known.has(name))
  for (const migration of pending) await apply(client, migration)
  return pending.map(({ name }) => name)
}

async function apply(client: pg.Client, { name, text, sha256 }: Migration) {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migration.applied (name, sha256) values ($1, $2)', [name, sha256])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    const { message, position } = error as { message: string; position?: string }
    const line = position ? `, line ${text.slice(0, Number(position)).split('\n').length}` : ''
    throw new Error(`migrations/${name}${line}: ${message}`, { cause: error })
  }
}

import pg from 'pg'
import {
  CamelCasePlugin,
  type CompiledQuery,
  type DatabaseConnection,
  DefaultQueryExecutor,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type QueryResult,
  replaceWithNoncontingentExpression,
} from 'kysely'
import type { Guest } from '../contract/call.ts'
import type { Instant } from '../contract/field.ts'
import { camelOf } from '../contract/names.ts'
import { faulty, plan, socketOf } from './faults.ts'
import { ALL_PARKS } from './start/migrate.ts'

/** Tables are declared where their SQL is used: `declare module` in domains/<domain>/server/tables.ts. */
export interface Tables {}
/** The only door to the database that a handler gets: open for one call, then dead. */
export type Tx = Kysely<Tables>
/** Tables whose names come at run time, of a record's kind for example: what their columns are is not known. */
export const anyTable = (tx: Tx) => tx as Kysely<any>
/** The rows that the signed-in person may see. `parks: null` means all parks of the enterprise. */
export interface Scope {
  enterprise: number
  parks: readonly string[] | null
  /** People are seen of these departments only, besides oneself; left out, all of the enterprise. */
  people?: { self: string; departments: readonly string[] } | undefined
  /** A guest: of what is kept by guests of that kind, what belongs to this one alone, as the policies of such tables compare it. People of the console are none of theirs. */
  guest?: `${Guest}:${string}`
}
/** The author of a write, as the audit stream keeps it. `via` is the call's or the job's id. */
export interface Author {
  userId: string | null
  userName: string
  via: string
  requestId: string
}

/** int8 is money or a count here, never an id (ids are uuid): it is a whole number or an error, never a rounded one. */
pg.types.setTypeParser(pg.types.builtins.INT8, wholeOf)
function wholeOf(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`${text} does not fit a whole number.`)
  return value
}
/** A sum of int8 is numeric: whole, it is held as strictly. JSON has no word for NaN and Infinity, and nobody reads an amount that is missing as an error. */
pg.types.setTypeParser(pg.types.builtins.NUMERIC, (text) => (text.includes('.') ? finiteOf(text) : wholeOf(text)))
pg.types.setTypeParser(pg.types.builtins.FLOAT4, finiteOf)
pg.types.setTypeParser(pg.types.builtins.FLOAT8, finiteOf)
function finiteOf(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value)) throw new Error(`${text} is no number that can be told.`)
  return value
}
// From PostgreSQL's text to ISO by two cuts, no Date: a page of 20 stays holds 100 of them. It leaves out the last noughts of a fraction; an instant has three digits, so that the order of texts is that of times.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => {
  // A year of five digits, one before Christ and infinity are written otherwise.
  if (text[10] !== ' ' || !text.endsWith('+00')) throw new Error(`${text} is no moment of the years 1 to 9999.`)
  return `${text.slice(0, 10)}T${text.slice(11, -3)}${NOUGHTS[text.length] ?? ''}Z`
})
/** By the length of PostgreSQL's text: `…:03+00`, `…:03.8+00`, `…:03.86+00`. */
const NOUGHTS: Readonly<Record<number, string>> = { 22: '.000', 24: '00', 25: '0' }
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text)

/** A call waits this long for a connection, and for a statement; then the person gets a clear 503 instead of a spinner. */
const CONNECT_MS = 1_500
const STATEMENT_MS = 10_000
const SESSION = `-c timezone=UTC -c statement_timeout=${STATEMENT_MS} -c idle_in_transaction_session_timeout=60000`

export const openPool = (connectionString: string, max: number) => {
  const pool = new pg.Pool({
    connectionString,
    max,
    pipeline: true,
    options: SESSION,
    connectionTimeoutMillis: CONNECT_MS,
    onConnect: (client: pg.ClientBase) => {
      client.on('error', () => {}) // cut while in use: the statement that was running says so
      return client.query({ ...SET_SCOPE, values: ['none', '0', '', '', 'on', ''] }) // prepared before the first call needs it
    },
  } as pg.PoolConfig) // @types/pg does not know yet that onConnect is awaited
  pool.on('error', () => {}) // cut while idle: the next call opens another or answers 503
  return pool
}
/** For COPY, cursors and LISTEN, which a pipelined connection refuses. */
export const openPlainPool = (connectionString: string, max: number, connectMs = CONNECT_MS) => {
  const pool = new pg.Pool({ connectionString, max, options: '-c timezone=UTC', connectionTimeoutMillis: connectMs })
  pool.on('connect', (client) => void client.on('error', () => {}))
  pool.on('error', () => {})
  return pool
}

/**
 * A call that only reads: each statement carries its scope and `read only` in the same message group (see ScopedQuery), so there is no BEGIN, no COMMIT and one
 * round trip. Statements see what was committed when they began, as inside a READ COMMITTED transaction.
 */
export async function reading<T>(pool: pg.Pool, scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const connection = new CallConnection(client, scope, settingsOf(scope))
  try {
    return await work(txOver(connection))
  } finally {
    connection.close()
    client.release()
  }
}

/**
 * A call that writes is one transaction. BEGIN and the scope are sent ahead without waiting; if they fail, every statement behind them fails too,
 * because an unset scope is an error in every policy.
 */
export async function writing<T>(pool: pg.Pool, scope: Scope, author: Author, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  const connection = new CallConnection(client, scope, undefined, author.via)
  const commit = () => client.query('commit')
  together(client)
  client.query('begin').catch(() => {}) // a failure shows in the statements behind it
  let unscoped: Error | undefined
  client.query({ ...SET_SCOPE, values: [...settingsOf(scope), 'off', JSON.stringify(author)] }).catch((error: Error) => (unscoped = error))
  try {
    const result = await work(txOver(connection))
    connection.close()
    if ((await (plan ? faulty(client, { via: author.via, what: 'commit' }, commit) : commit())).command !== 'COMMIT')
      throw new Error('A handler swallowed an error of its transaction; nothing was written.')
    client.release()
    for (const then of connection.afterwards) then(pool)
    return result
  } catch (error) {
    connection.close()
    // Before the answer: whoever was refused and asks again at once finds every lock, and their key, free.
    await client.query('rollback').then(
      // A connection that may only read may do so for as long as it lives, whatever the database lets the next one do.
      () => client.release(isReadOnly(unscoped) ? unscoped : undefined),
      (broken: Error) => client.release(broken),
    )
    throw (error as { code?: string }).code === TRANSACTION_OVER ? (unscoped ?? connection.firstError ?? error) : error
  }
}
/** The database lets nobody write: it is a copy of another one, or somebody has said so. */
export const isReadOnly = (error: unknown): boolean => READ_ONLY.has((error as { code?: string } | undefined)?.code ?? '')
const READ_ONLY = new Set(['25006', '25001'])

/**
 * Statements sent over one connection within a turn of the loop leave in one write: a write for each statement cost the server
 * more than all its other work for them.
 */
function together(client: pg.PoolClient): void {
  const stream = socketOf(client)
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** The one column of a statement's rows in batches: an export's, on a connection of its own that is in nobody's way, under the scope of whoever asked. */
export async function* streaming(
  pool: pg.Pool,
  scope: Scope,
  { sql, values }: { sql: string; values: readonly unknown[] },
): AsyncGenerator<string[]> {
  const client = await pool.connect()
  try {
    await client.query('begin read only')
    await client.query({ text: SET_SCOPE.text, values: [...settingsOf(scope), 'on', ''] })
    await client.query({ text: `declare lines no scroll cursor for ${sql}`, values: [...values] })
    for (;;) {
      const { rows } = await client.query<[string]>({ text: `fetch ${STREAMED_ROWS} from lines`, rowMode: 'array' })
      if (rows.length === 0) return
      yield rows.map(([line]) => line)
    }
  } finally {
    await client.query('rollback').then(
      () => client.release(),
      (broken: Error) => client.release(broken),
    )
  }
}
/** Parsing as many holds the process for some milliseconds; fewer would cost a round trip each. */
const STREAMED_ROWS = 1_000

/** An error of PostgreSQL about the values themselves: repeating the statement does not help. */
export const isData = (error: unknown): boolean => /^2[23]/.test((error as { code?: string }).code ?? '')

/** `current transaction is aborted`. */
const TRANSACTION_OVER = '25P02'

const SET_SCOPE = {
  name: 'scope',
  text: `select set_config('role', $1, true), set_config('scope.enterprise', $2, true), set_config('scope.parks', $3, true), set_config('scope.people', $4, true), set_config('transaction_read_only', $5, true), set_config('scope.author', $6, true)`,
}
const SET_PARKS = `select set_config('role', $1, true), set_config('scope.parks', $2, true)`

export function settingsOf({ enterprise, parks, people, guest }: Scope): [role: string, enterprise: string, parks: string, people: string] {
  if (!Number.isSafeInteger(enterprise)) throw new Error('A scope needs an enterprise.')
  const seen = guest ?? (people ? [people.self, ...people.departments].join(',') : '*')
  return parks === null ? [ALL_PARKS, String(enterprise), '*', seen] : ['none', String(enterprise), parks.join(','), seen]
}

const compiler = new PostgresQueryCompiler()
const adapter = new PostgresAdapter()
const camel = new CamelCasePlugin()
// ScopedQuery has renamed the columns already
const toSnake = {
  transformQuery: camel.transformQuery.bind(camel),
  transformResult: async ({ result }: { result: QueryResult<any> }) => result,
}
/** Nothing is in a list of nothing; SQL has no word for such a list. */
const ofNothing = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })
const unconnected = {
  provideConnection: () => {
    throw new Error('This builder only builds.')
  },
}
// Kysely's own parts are put together without its pool: here only it builds, and our connection sends.
const dialect = new PostgresDialect({ pool: undefined as never })
const kyselyOver = (provider: { provideConnection: <T>(use: (c: DatabaseConnection) => Promise<T>) => Promise<T> }): Tx =>
  new Kysely<Tables>({
    config: { dialect },
    dialect,
    driver: dialect.createDriver(),
    executor: new DefaultQueryExecutor(compiler, adapter, provider as never, [ofNothing, toSnake]),
  } as never)
/** Builds statements without a connection, for those compiled once and used often. */
export const builder: Tx = kyselyOver(unconnected)

const connections = new WeakMap<Tx, CallConnection>()
function txOver(connection: CallConnection): Tx {
  const tx = kyselyOver({ provideConnection: (use) => use(connection) })
  connections.set(tx, connection)
  return tx
}

/** Runs a statement compiled earlier, or written out, with its own values. Columns come back in camelCase. `park`: it asks of that park alone (see CallConnection). */
export const run = <R>(tx: Tx, { sql }: { sql: string }, values: readonly unknown[], park?: string): Promise<R[]> =>
  connections
    .get(tx)!
    .query<R>(sql, values, park)
    .then((r) => r.rows)

/** The name of a last column that says the same in every row, as a total does: it is no part of the rows. */
export const ASIDE = '(aside)'
/** Of a statement whose last column is ASIDE. `aside` is undefined when there are no rows to say it. */
export const runAside = async <R>(
  tx: Tx,
  { sql }: { sql: string },
  values: readonly unknown[],
  park?: string,
): Promise<{ rows: R[]; aside: number | undefined }> => {
  const { rows, aside } = await connections.get(tx)!.query<R>(sql, values, park)
  return { rows, aside: aside === undefined ? undefined : Number(aside) }
}

/** Done when the transaction has committed, and never when it has not. Not for work that must not be lost: that is a job. */
export const afterCommit = (tx: Tx, then: (pool: pg.Pool) => void): void => void connections.get(tx)!.afterwards.push(then)

/** For a list that says its parks itself, so that an index serves them: a policy hides rows, but the planner cannot look for them by it. */
export const parksOf = (tx: Tx) => connections.get(tx)!.scope.parks
/** Undefined: everybody of the enterprise. */
export const peopleOf = (tx: Tx) => connections.get(tx)!.scope.people
/** The clock of what is written deep below a call, where nobody hands on the call's own: all of one transaction is of one moment. */
export const begunAt = (tx: Tx): Instant => connections.get(tx)!.begunAt
export const enterpriseOf = (tx: Tx) => connections.get(tx)!.scope.enterprise

/**
 * Part of a write that concerns something which was handed to its caller whole: as whoever sees all parks of the enterprise. It comes after the check that it is
 * theirs; nothing else of the call may ask meanwhile.
 */
export async function inAllParks<T>(tx: Tx, work: (whole: Tx) => Promise<T>): Promise<T> {
  const connection = connections.get(tx)!
  if (connection.scope.parks === null) return work(tx)
  const whole = await connection.widened()
  try {
    return await work(txOver(whole))
  } finally {
    connection.firstError ??= whole.firstError
    // Where a statement failed, the transaction is over and its scope with it.
    await connection.narrowed().catch(() => {})
    whole.close()
  }
}

/** Whether part of it may be asked in all parks: whoever asks several at once asks them in turn, so that nobody else asks meanwhile. */
export const mayWiden = (tx: Tx): boolean => connections.get(tx)?.mayWiden === true

type Result<R> = pg.QueryResult<any> & { rows: R[]; aside?: string }

class CallConnection implements DatabaseConnection {
  #open = true
  /** Part of the call sees all parks just now. */
  #wide = false
  #client: pg.PoolClient
  #settings: string[] | undefined
  #via: string
  /** Statements sent together fail together: what went wrong is what failed first, the rest only says that the transaction is over. */
  firstError: Error | undefined
  readonly afterwards: ((pool: pg.Pool) => void)[]
  readonly scope: Scope
  readonly begunAt: Instant
  constructor(client: pg.PoolClient, scope: Scope, settings?: string[], via = '', within?: CallConnection) {
    this.#client = client
    this.scope = scope
    this.#settings = settings
    this.#via = via
    this.afterwards = within?.afterwards ?? []
    this.begunAt = within?.begunAt ?? (new Date().toISOString() as Instant)
  }

  close() {
    this.#open = false
  }

  get mayWiden(): boolean {
    return this.#settings === undefined && this.scope.parks !== null
  }
  /** Over the same transaction, all parks of its enterprise, until it is narrowed again. */
  async widened(): Promise<CallConnection> {
    if (this.#settings) throw new Error('A call that only reads sees what its caller sees.')
    const whole = new CallConnection(this.#client, { ...this.scope, parks: null }, undefined, this.#via, this)
    await this.#seeing(whole.scope)
    this.#wide = true
    return whole
  }
  narrowed(): Promise<unknown> {
    this.#wide = false
    return this.#seeing(this.scope)
  }
  #seeing(scope: Scope) {
    const [role, , parks] = settingsOf(scope)
    return this.query(SET_PARKS, [role, parks])
  }

  query<R>(text: string, values: readonly unknown[], park?: string): Promise<Result<R>> {
    if (!this.#open) throw new Error('This call is over; its tx cannot be used any more.')
    if (this.#wide) throw new Error('Part of this call sees all parks just now: what its caller asks waits until it is over.')
    const send = () => this.#send<R>(text, values, this.#within(park))
    return plan ? faulty(this.#client, { via: this.#via, what: text }, send) : send()
  }

  /** The scope of a statement that only reads, narrowed to the one of its parks that it asks of: a policy compares one code faster than it finds one in a list. */
  #within(park: string | undefined): string[] | undefined {
    if (park === undefined || !this.#settings || !this.scope.parks?.includes(park)) return this.#settings
    return settingsOf({ ...this.scope, parks: [park] })
  }

  #send<R>(text: string, values: readonly unknown[], settings: string[] | undefined): Promise<Result<R>> {
    return new Promise((resolve, reject) => {
      const query = new ScopedQuery(
        // `extended`: one that has no name and no values would go as plain text, without its scope.
        { name: statementName(text, this.scope.parks === null), text, values, queryMode: 'extended' },
        (error: Error | undefined, result: any) => {
          if (!error) return resolve(result)
          this.firstError ??= error
          reject(error)
        },
      )
      query.settings = settings
      together(this.#client)
      this.#client.query(query as never)
    })
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount, command } = await this.query<R>(sql, parameters)
    return { rows, ...(command !== 'SELECT' && { numAffectedRows: BigInt(rowCount ?? 0) }) }
  }

  streamQuery(): never {
    throw new Error('A pipelined connection has no cursors: exports run in a job on their own connection.')
  }
}

/** Of one connection: what its prepared statements answer with, and the connection as it is when that need not be asked. */
interface Told {
  shapes: Map<string, object>
  quiet: object
}
const told = new WeakMap<object, Told>()
function toldOn(connection: object): Told {
  let known = told.get(connection)
  if (!known) told.set(connection, (known = { shapes: new Map(), quiet: Object.create(connection, { describe: { value() {} } }) as object }))
  return known
}

/**
 * A statement with its scope ahead of it, up to one Sync: PostgreSQL treats the group as one transaction, so the scope ends with the statement and cannot reach
 * another call. And names: columns are snake_case in SQL and camelCase in TypeScript; renaming the columns of a result once costs nothing per row. A prepared
 * statement tells its columns once on each connection and not with every answer: a page of stays has seventy of them.
 */
// The driver's own query, whose type it does not tell.
class ScopedQuery extends (pg as unknown as { Query: new (...args: any[]) => any }).Query {
  settings: string[] | undefined
  told: Told | undefined
  #unread: Error | undefined
  prepare(connection: { bind(message: object): void; execute(message: object): void }) {
    if (this.settings) {
      connection.bind({ statement: SET_SCOPE.name, values: [...this.settings, 'on', ''] })
      connection.execute({})
    }
    this.told = toldOn(connection)
    const shape = this.told.shapes.get(this.name)
    if (!shape || !this.hasBeenParsed(connection)) return super.prepare(connection)
    Object.assign(this._result, shape)
    this._accumulateRows = true
    super.prepare(this.told.quiet)
  }
  handleRowDescription(message: { fields: { name: string }[] }) {
    for (const field of message.fields) field.name = knownCamelOf(field.name)
    const hasAside = message.fields.at(-1)?.name === ASIDE
    if (hasAside) message.fields.pop()
    super.handleRowDescription(message)
    const { fields, _parsers } = this._result
    const shape = shapeOf(fields, _parsers, hasAside)
    Object.assign(this._result, shape)
    this.#keep(shape)
  }
  #keep(shape: object) {
    if (this.name && !this.told!.shapes.has(this.name)) this.told!.shapes.set(this.name, shape)
  }
  handleDataRow(message: { fields: (string | null)[] }) {
    if (this.settings) return
    const result = this._result
    if (result.hasAside) result.aside = message.fields.pop()
    try {
      result.rows.push(result.rowOf(message.fields))
    } catch (error) {
      this.#unread ??= error as Error // told when the answer is whole: until then more rows come
    }
  }
  handleReadyForQuery(connection: object) {
    if (this.#unread) this.callback(this.#unread)
    else super.handleReadyForQuery(connection)
  }
  handleCommandComplete(message: object, connection: object) {
    if (this.settings)
      this.settings = undefined // that was the scope; what follows is the answer
    else {
      this.#keep({}) // it has no columns
      super.handleCommandComplete(message, connection)
    }
  }
}
type RowMaker = (values: readonly (string | null)[]) => object
type Columns = readonly { name: string; dataTypeID: number }[]
interface Answered {
  fields: Columns
  hasAside: boolean
  rowOf: RowMaker
}
const answered = new Map<string, Answered>()
/** The row shape of an answer, kept once for all statements with the same columns, on all connections. */
function shapeOf(fields: Columns, parsers: readonly ((text: string) => unknown)[], hasAside: boolean): Answered {
  const key = `${hasAside} ${fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`).join()}`
  const known = answered.get(key)
  if (known) return known
  const made = { fields, hasAside, rowOf: rowMaker(fields, parsers) }
  if (answered.size < STATEMENTS_MAX) answered.set(key, made)
  return made
}
/**
 * Rows of one statement, made by a function of their own: a page of seventy columns costs a list a tenth less than setting each by its name. Each function is
 * compiled. The names are those of our own columns, and quoted.
 */
function rowMaker(columns: Columns, parsers: readonly ((text: string) => unknown)[]): RowMaker {
  const parts = columns.map(({ name }, at) => `${JSON.stringify(name)}: values[${at}] === null ? null : parsers[${at}](values[${at}])`)
  // oxlint-disable-next-line no-new-func -- quoted names of our own columns, and nothing of what anybody sent
  return new Function('parsers', `return (values) => ({ ${parts.join(', ')} })`)(parsers) as RowMaker
}

const camelNames = new Map<string, string>()
function knownCamelOf(name: string) {
  let found = camelNames.get(name)
  if (!found) camelNames.set(name, (found = camelOf(name)))
  return found
}

/**
 * Every statement is prepared under a name that stands for its text, so nobody names statements by hand, and for its role: PostgreSQL plans anew what another role
 * asks. Bounded, because each costs memory in every backend.
 */
const STATEMENTS_MAX = 3000
const names = { all: new Map<string, string>(), some: new Map<string, string>() }
function statementName(sql: string, allParks: boolean): string | undefined {
  const known = allParks ? names.all : names.some
  const name = known.get(sql)
  if (name || names.all.size + names.some.size >= STATEMENTS_MAX) return name
  known.set(sql, `${allParks ? 'a' : 's'}${known.size}`)
  return known.get(sql)
}

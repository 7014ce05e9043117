import pg from 'pg'
import type { RowType } from './row-types.ts'

export interface Column {
  name: string
  /** As PostgreSQL prints it: `bigint`, `timestamp with time zone`. */
  type: string
  nullable: boolean
  /** Of a view, which does not know. */
  derived: boolean
  /** Whether ANALYZE counts its values. */
  counted: boolean
}

/** Facts for the rules over tables, read once from a migrated database as its owner. */
export interface Schema {
  /** Columns by `schema.table`. */
  columns: Map<string, Column[]>
  /** `misleads`: a policy asks whether a scope is null in the words that make the planner expect hardly a row. */
  tables: { name: string; secured: boolean; policies: number; parkPolicy: boolean; misleads: boolean }[]
  /** The whole numbers that a CHECK allows for a column: `parking.stay.status` to 1, 2, 3. */
  allowed: Map<string, number[]>
  indexes: { table: string; name: string; first: string; unique: boolean }[]
  /** Columns that the change log tells, by table. */
  watched: { table: string; columns: string[] }[]
}

const OURS = `n.nspname not in ('pg_catalog', 'information_schema', 'graphile_worker', 'migration') and n.nspname !~ '^pg_'`

export async function readSchema(ownerUrl: string): Promise<Schema> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const columns = await client.query<Column & { table: string }>(
      `select n.nspname || '.' || c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, not a.attnotnull as nullable, c.relkind in ('v', 'm') as derived,
         a.attstattarget is distinct from 0 as counted
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped and ${OURS} order by 1, a.attnum`,
    )
    const tables = await client.query<Schema['tables'][number]>(
      `select n.nspname || '.' || c.relname as name, c.relrowsecurity as secured, (select count(*)::int from pg_policy p where p.polrelid = c.oid) as policies,
         exists (select from pg_policy p where p.polrelid = c.oid and not p.polpermissive) as "parkPolicy",
         exists (select from pg_policy p where p.polrelid = c.oid and pg_get_expr(p.polqual, p.polrelid) ~ 'AS scope_[a-z_]+\\) IS NULL') as misleads
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind in ('r', 'p') and not c.relispartition and ${OURS} order by 1`,
    )
    const checks = await client.query<{ place: string; expression: string }>(
      `select n.nspname || '.' || c.relname || '.' || a.attname as place, pg_get_constraintdef(k.oid) as expression
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[1]
       where k.contype = 'c' and cardinality(k.conkey) = 1 and ${OURS}`,
    )
    const indexes = await client.query<Schema['indexes'][number]>(
      `select n.nspname || '.' || c.relname as table, i.relname as name, pg_get_indexdef(x.indexrelid, 1, true) as first, x.indisunique as unique
       from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid join pg_namespace n on n.oid = c.relnamespace
         join pg_am m on m.oid = i.relam and m.amname = 'btree'
       where not c.relispartition and ${OURS} order by 1, 2`,
    )
    const watched = await client.query<Schema['watched'][number]>(
      `select n.nspname || '.' || c.relname as table, array_agg(a.attname::text) as columns
       from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       where t.tgname = 'watched' and not c.relispartition and not a.attisdropped and a.attname <> all (string_to_array(encode(t.tgargs, 'escape'), '\\000')) group by 1 order by 1`,
    )
    return {
      columns: Map.groupBy(columns.rows, ({ table }) => table),
      tables: tables.rows,
      allowed: allowedBy(checks.rows),
      indexes: indexes.rows,
      watched: watched.rows,
    }
  } finally {
    await client.end()
  }
}

/** No dictionary has as many: a wider range is that of an amount. */
const CODES_MAX = 1_000

/** `CHECK ((status = ANY (ARRAY[1, 2])))` and `CHECK (((scope >= 1) AND (scope <= 6)))`; other checks say nothing about a list. */
function allowedBy(checks: readonly { place: string; expression: string }[]): Map<string, number[]> {
  const found = new Map<string, number[]>()
  for (const { place, expression } of checks) {
    const list = expression.match(/= ANY \(ARRAY\[([-\d, ]+)\]\)/)?.[1]
    const range = expression.match(/>= (-?\d+)\) AND \(\w+ <= (-?\d+)\)/)
    const [from = 0, to = Infinity] = range ? [Number(range[1]), Number(range[2])] : []
    if (list) found.set(place, list.split(',').map(Number))
    else if (to - from < CODES_MAX)
      found.set(
        place,
        Array.from({ length: to - from + 1 }, (_, index) => from + index),
      )
  }
  return found
}

/** A table with an enterprise has a policy, one with a park a second that narrows it: `select platform.scoped(...)` makes both. */
export const tablesWithoutPolicy = ({ tables, columns }: Schema): string[] =>
  tables.flatMap(({ name, secured, policies, parkPolicy }) => {
    const has = (column: string) => columns.get(name)?.some((one) => one.name === column)
    if (has('enterprise_id') && (!secured || !policies))
      return [`${name} has an enterprise and no policy: add "select platform.scoped('${name}');" to its migration.`]
    if (has('enterprise_id') && has('park_code') && !parkPolicy)
      return [`${name} has a park and no policy for it: call platform.scoped after the column exists.`]
    return []
  })

/** Of `(select scope_driver()) is null` PostgreSQL expects one row in two hundred, and reads all of a table to sort it rather than walk an index; of `(select scope_driver() is null)` half of them. */
export const policiesThatMislead = ({ tables }: Schema): string[] =>
  tables
    .filter(({ misleads }) => misleads)
    .map(({ name }) => `A policy of ${name} says "(select scope_...()) is null": write "(select scope_...() is null)".`)

/** A park's code says nothing without its enterprise, and lists of parks read both. Of views too. */
export const parksWithoutEnterprise = ({ columns }: Schema): string[] =>
  [...columns].flatMap(([table, list]) => {
    const names = list.map(({ name }) => name)
    return names.includes('park_code') && !names.includes('enterprise_id')
      ? [`${table} has a park and no enterprise: let it have enterprise_id.`]
      : []
  })

/** Money is whole fen, a moment knows its zone, and nothing that is counted is a float. */
export const columnsOfTheWrongKind = ({ columns }: Schema): string[] =>
  [...columns].flatMap(([table, list]) =>
    list.flatMap(({ name, type, derived }) => {
      if (derived) return []
      if (name.endsWith('_fen') && type !== 'bigint') return [`${table}.${name} is ${type}: money is bigint.`]
      if (type === 'timestamp without time zone') return [`${table}.${name} is a timestamp without a zone: write timestamptz.`]
      if (type === 'real' || /^(money|numeric)$/.test(type)) return [`${table}.${name} is ${type}: count in whole units, the unit in the name.`]
      return []
    }),
  )

/** ANALYZE counts no JSON: nothing is looked for by it, and it is most of the work. Months' tables too. */
export const jsonThatIsCounted = ({ columns }: Schema): string[] =>
  [...columns].flatMap(([table, list]) =>
    list.some(({ type, derived, counted }) => type === 'jsonb' && !derived && counted)
      ? [`${table} has JSON that ANALYZE counts: add "select platform.uncounted('${table}');" to its migration.`]
      : [],
  )

/** A table of TypeScript has the columns of SQL, of a fitting type, and its closed lists are the dictionary's. */
export function rowsThatDiffer(rows: readonly RowType[], { columns, allowed }: Schema): string[] {
  return rows.flatMap(({ table, file, fields }) => {
    const there = columns.get(table)
    if (!there) return [`${file} names the table ${table}, which no migration makes.`]
    const names = new Set(there.map(({ name }) => name)) // a table may have more: what the server keeps to itself
    const missing = [...fields.keys()].filter((name) => !names.has(name)).map((name) => `${file} gives ${table} a field ${name} that is no column.`)
    const differing = there.flatMap((column) => {
      const schema = fields.get(column.name)
      return schema ? differences(`${table}.${column.name}`, column, schema, allowed) : []
    })
    return [...missing, ...differing]
  })
}

interface FieldSchema {
  type?: string | string[]
  format?: string
  enum?: (number | null)[]
  'x-unit'?: string
  'x-instant'?: true
  'x-dictionary'?: { entries: Record<string, unknown> }
}

/** Which columns may hold a field of that JSON type. */
const HOLDS: Record<string, RegExp> = {
  integer: /^(smallint|integer|bigint)$/,
  number: /^(double precision|integer|smallint|bigint)$/,
  boolean: /^boolean$/,
  array: /\[\]$|^jsonb$/,
  object: /^jsonb?$/,
}

function differences(place: string, column: Column, schema: FieldSchema, allowed: Map<string, number[]>): string[] {
  const types = [schema.type ?? []].flat()
  const found: string[] = []
  const [type] = types.filter((one) => one !== 'null')
  const holds = type === 'string' ? stringHolder(schema) : type && HOLDS[type]
  if (holds && !holds.test(column.type)) found.push(`${place} is ${column.type}, and its contract says ${schema.format ?? type}.`)
  const mayBeNull = types.includes('null')
  if (type && !column.derived && column.nullable !== mayBeNull)
    found.push(
      `${place} ${column.nullable ? 'may be null, and its contract does not say orNone(...)' : 'is not null, and its contract says orNone(...)'}.`,
    )
  const listed = allowed.get(place)
  const dictionary = schema['x-dictionary'] && Object.keys(schema['x-dictionary'].entries).map(Number)
  if (dictionary && listed && String([...listed].sort()) !== String([...dictionary].sort()))
    found.push(`${place} allows ${listed.join(', ')}; its dictionary has ${dictionary.join(', ')}.`)
  return found
}

function stringHolder({ format }: FieldSchema): RegExp {
  if (format === 'uuid') return /^(uuid|text)$/
  if (format === 'date-time') return /^timestamp with time zone$/
  if (format === 'date') return /^date$/
  return /^(text|character varying|uuid|inet|jsonb|time without time zone)$/
}

/** Under a policy a look-up begins with the enterprise. A unique key finds one row by itself, and a queue (`*_at`) is walked over all enterprises. */
export const indexesOffTheScope = ({ indexes, columns }: Schema): string[] =>
  indexes
    .filter(({ table, unique }) => !unique && columns.get(table)?.some(({ name }) => name === 'enterprise_id'))
    .filter(({ first }) => first !== 'enterprise_id' && !/(^|_)(at|until)$/.test(first))
    .map(({ table, name, first }) => `${name} on ${table} begins with ${first}: begin it with enterprise_id.`)

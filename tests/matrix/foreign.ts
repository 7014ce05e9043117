import type pg from 'pg'
import { domains } from '../../apps/server/domains.ts'
import { nounsTold } from '../../platform/server/record/nouns.ts'

interface Column {
  table: string
  names: string[]
}
/** Rows that change by themselves while people merely look: sessions, what devices last said, jobs. */
const BY_ITSELF = new Set([
  'identity.session',
  'identity.known_browser',
  'device.presence',
  'platform.change',
  'system.sign_in_log',
  'identity.click_record',
  'system.login_log',
  'system.operation_log',
  'system.alarm_record',
])

async function tables(owner: pg.Client, where: string, without = BY_ITSELF): Promise<Column[]> {
  const { rows } = await owner.query<{ table: string; names: string[] }>(`
    select n.nspname || '.' || quote_ident(c.relname) as "table", array_agg(a.attname::text) as names
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('information_schema', 'graphile_worker', 'noted') and n.nspname not like 'pg\\_%' group by 1 order by 1`)
  return rows.filter(
    ({ table, names }) =>
      !without.has(table.replaceAll('"', '')) && names.includes('enterprise_id') && (!where.includes('park_code') || names.includes('park_code')),
  )
}

/** Every table that belongs to an enterprise, but for those that change by themselves. */
export const tablesOf = (owner: pg.Client) => tables(owner, 'true')

/** Shorter texts stand in any answer. */
const SHORTEST = 5
const TEXTS_MAX = 200_000
/** Moments, days, months and this machine's own address are no secret: everybody's rows have them. */
const NO_SECRET = /^(\d{4}-\d\d(-\d\d.*)?|\d\d:\d\d.*|127\.0\.0\.1)$/
/** Words of small letters are a code of ours or a user name: an enterprise's, and no park's. */
const OF_NO_PARK = /^[a-z]+([._-][a-z]+)*$/
/** Exports are called as their lists are, in words that everybody reads. */
const TOLD_BY_US = new Set([...BY_ITSELF, 'platform.export', 'platform.export_file'])
/** Columns whose words are the product's own: what a call or a state is called. */
const OURS = ['via', 'call', 'kind', 'entity', 'event', 'action', 'purpose', 'changed_fields']
/** Every text of these rows, also within JSON: ids, numbers, plates, names, phones, remarks. Without those that stand elsewhere too. */
export async function secretsOf(owner: pg.Client, where: string): Promise<Set<string>> {
  const theirs = await tables(owner, where, TOLD_BY_US)
  const secrets = await textsIn(
    owner,
    theirs.map(({ table }) => table),
    where,
  )
  for (const text of await textsIn(
    owner,
    theirs.map(({ table }) => table),
    `not (${where})`,
  ))
    secrets.delete(text)
  for (const text of await textsIn(owner, await openTables(owner), 'true')) secrets.delete(text)
  for (const { table } of await tables(owner, 'true', new Set())) secrets.delete(table) // what the product calls its tables
  for (const word of JSON.stringify(nounsTold()).matchAll(/"(?:x-)?(?:zh|en)":"([^"]*)"/g)) secrets.delete(word[1]!) // and their columns: a list is kept by its title
  for (const { call } of domains.flatMap(({ calls }) => calls)) secrets.delete(call.id) // and its calls: an export that is scheduled is kept by its own
  const ofParks = where.includes('park_code')
  if (ofParks)
    for (const name of [...(await idsWithoutPark(owner)), ...(await namesWithoutPark(owner)), ...(await ownersOf(owner))]) secrets.delete(name)
  return new Set([...secrets].filter((text) => text.length >= SHORTEST && !NO_SECRET.test(text) && !(ofParks && OF_NO_PARK.test(text))))
}
async function textsIn(owner: pg.Client, names: readonly string[], where: string): Promise<Set<string>> {
  const texts = new Set<string>()
  for (const table of names) {
    const { rows } = await owner.query<{ v: string }>(
      `select distinct v #>> '{}' as v from ${table} t, jsonb_path_query(to_jsonb(t) - $1::text[], '$.**') v where (${where}) and jsonb_typeof(v) = 'string' limit ${TEXTS_MAX}`,
      [OURS],
    )
    for (const { v } of rows) texts.add(v)
  }
  return texts
}
/** Ids, numbers and names of what belongs to no park, of a rule, a merchant, a promotion, a channel: rows of any park may say them. A plate is whose it is wherever it stands, and so is a telephone. */
async function idsWithoutPark(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ table: string; column: string }>(`
    select n.nspname || '.' || quote_ident(c.relname) as "table", quote_ident(i.attname) as "column"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute i on i.attrelid = c.oid and not i.attisdropped
      and (i.atttypid = 'uuid'::regtype or (i.atttypid = 'text'::regtype and (i.attname like '%\\_no' and i.attname <> 'plate_no' or i.attname in ('name', 'channel'))))
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('platform', 'graphile_worker')
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'enterprise_id')
      and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'park_code')`)
  const found = await Promise.all(rows.map((one) => owner.query<{ id: string }>(`select distinct ${one.column}::text as id from ${one.table}`)))
  return found.flatMap((ids) => ids.rows.map(({ id }) => id))
}
/** Columns whose values name things of no park, an operator or a card, in rows of any park: a key refers to them. */
async function namesWithoutPark(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ table: string; column: string }>(`
    select distinct n.nspname || '.' || quote_ident(c.relname) as "table", quote_ident(i.attname) as "column"
    from pg_constraint k join pg_class c on c.oid = k.confrelid join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute i on i.attrelid = c.oid and i.attnum = any (k.confkey) and i.atttypid = 'text'::regtype
    where k.contype = 'f' and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'park_code')`)
  const found = await Promise.all(rows.map((one) => owner.query<{ name: string }>(`select distinct ${one.column} as name from ${one.table}`)))
  return found.flatMap((names) => names.rows.map(({ name }) => name))
}
/** Owners of an account or a park card are known to the company as a whole, with their telephone and their cars, whichever of its parks they use: what a card was recharged with names its plates. */
async function ownersOf(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ v: string }>(
    'select phone as v from owner.account union select plate_no from owner.car union select plate_no from owner.card_plate',
  )
  return rows.map(({ v }) => v)
}
/** Tables that belong to no enterprise: all may know what stands there. */
async function openTables(owner: pg.Client): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(`
    select n.nspname || '.' || quote_ident(c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema', 'graphile_worker', 'platform')
      and not exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'enterprise_id')`)
  return rows.map(({ name }) => name)
}

export interface Memory {
  /** These rows have never been: no trigger, no key holds them. */
  forget(): Promise<void>
  /** They are there again, as they were. */
  remember(): Promise<void>
}
/** Rows that can be taken away and brought back. */
export async function memoryOf(owner: pg.Client, where: string): Promise<Memory> {
  const all = await tables(owner, where, new Set())
  const kept = all.map(({ table }, i) => ({ table, aside: `pg_temp.forgotten_${i}` }))
  for (const { table, aside } of kept)
    await owner.query(
      `drop table if exists ${aside}; create temp table ${aside.split('.')[1]} as select ${await columnsOf(owner, table)} from ${table} limit 0`,
    )
  const moved = async (sql: (one: { table: string; aside: string; columns: string }) => string) => {
    await owner.query('set session_replication_role = replica')
    for (const one of kept) await owner.query(sql({ ...one, columns: await columnsOf(owner, one.table) }))
    await owner.query('set session_replication_role = origin')
  }
  return {
    forget: () =>
      moved(
        ({ table, aside, columns }) =>
          `with gone as (delete from ${table} t where ${where} returning *) insert into ${aside} select ${columns} from gone`,
      ),
    remember: () =>
      moved(
        ({ table, aside, columns }) =>
          `with back as (delete from ${aside} returning *) insert into ${table} (${columns}) overriding system value select ${columns} from back`,
      ),
  }
}
const written = new Map<string, string>()
/** Columns of a row that can be written: generated ones are generated again. */
async function columnsOf(owner: pg.Client, table: string): Promise<string> {
  if (!written.has(table)) {
    const { rows } = await owner.query<{ names: string }>(
      `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    )
    written.set(table, rows[0]!.names)
  }
  return written.get(table)!
}

/** Every secret that stands in an answer and was not in the question. */
export function foreignIn(answer: string, secrets: ReadonlySet<string>, asked: string): string[] {
  const words = answer.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|"(?:[^"\\]|\\.)*"(?:\s*:)?/g) ?? []
  // A word before a colon is a field's name, and tells nothing about anybody.
  const values = words.filter((word) => !word.endsWith(':')).map((word) => word.replace(/^"|"$/g, ''))
  return [...new Set(values)].filter((word) => secrets.has(word) && !asked.includes(word))
}

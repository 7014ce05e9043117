import type pg from 'pg'

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

async function tables(owner: pg.Client, where: string): Promise<Column[]> {
  const { rows } = await owner.query<{ table: string; names: string[] }>(`
    select n.nspname || '.' || quote_ident(c.relname) as "table", array_agg(a.attname::text) as names
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema', 'graphile_worker') group by 1 order by 1`)
  return rows.filter(
    ({ table, names }) =>
      !BY_ITSELF.has(table.replaceAll('"', '')) && names.includes('enterprise_id') && (!where.includes('park_code') || names.includes('park_code')),
  )
}

const statements = new WeakMap<pg.Client, Map<string, string>>()
/**
 * What stands in every table, as far as the condition names it: how many rows, and the transactions that wrote them. A row that is written again, be it with the same words, tells.
 * All tables in one statement, made once for each connection and condition.
 */
export async function checksums(owner: pg.Client, where: string): Promise<Record<string, string>> {
  const known = statements.get(owner) ?? new Map<string, string>()
  statements.set(owner, known)
  if (known.size === 0) await owner.query('set max_parallel_workers_per_gather = 0') // workers take longer to come than small tables to count
  if (!known.has(where)) known.set(where, checksumsOf(await tables(owner, where), where))
  const { rows } = await owner.query<{ name: string; sum: string }>({
    name: `checksums ${[...known.keys()].indexOf(where)}`,
    text: known.get(where)!,
  })
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
}
const checksumsOf = (all: readonly Column[], where: string): string =>
  all
    .map(({ table }) => `select '${table}' as name, count(*) || ' ' || coalesce(sum(t.xmin::text::bigint), 0) as sum from ${table} t where ${where}`)
    .join(' union all ')

/** Texts by which a row gives itself away: its ids, numbers, plates and names. */
const TELLING = new Set(['id', 'stay_id', 'order_no', 'plate_no', 'name', 'username', 'device_no', 'trade_no', 'refund_no', 'address'])
const SHORTEST = 5
export async function secretsOf(owner: pg.Client, where: string): Promise<Set<string>> {
  const secrets = new Set<string>()
  for (const { table, names } of await tables(owner, where))
    for (const name of names.filter((one) => TELLING.has(one))) {
      const { rows } = await owner.query<{ v: string | null }>(`select distinct ${name}::text as v from ${table} where ${where} limit 20000`)
      for (const { v } of rows) if (v && v.length >= SHORTEST) secrets.add(v)
    }
  // What both operators of the demo have alike is no secret of either.
  const { rows } = await owner.query<{ v: string }>(
    `select name as v from fee.rule union select name from identity.role union select name from identity.department`,
  )
  for (const { v } of rows) secrets.delete(v)
  return secrets
}

/** Every secret that stands in an answer and was not in the question. */
export function foreignIn(answer: string, secrets: ReadonlySet<string>, asked: string): string[] {
  const words = answer.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|"(?:[^"\\]|\\.)*"/g) ?? []
  return [...new Set(words.map((word) => word.replace(/^"|"$/g, '')))].filter((word) => secrets.has(word) && !asked.includes(word))
}

import type pg from 'pg'

/** Rules that hold whatever was thrown, cut or killed: each query finds rows that break one. */
const WRONG: Record<string, string> = {
  'a balance that does not follow from the lines': 'select * from ledger.replay()',
  'an entry that is not balanced': `select entry_id from ledger.line group by enterprise_id, entry_id having sum(debit_fen) <> sum(credit_fen) or count(*) < 2`,
  'an entry without its event': `select id from ledger.entry e where not exists (select from ledger.event v where v.enterprise_id = e.enterprise_id and v.event_id = e.event_id)`,
  'a car inside that is not among those present': `select id from parking.stay s where status in (1, 2) and not exists (select from parking.present p where p.stay_id = s.id)`,
  'a car among those present that is not inside': `select stay_id from parking.present p where not exists (select from parking.stay s where s.id = p.stay_id and s.status in (1, 2))`,
  'a car that is inside twice': `select plate_no from parking.stay where status in (1, 2) group by enterprise_id, park_code, plate_no, plate_color having count(*) > 1`,
  'an order of a stay that does not exist': `select id from settlement.order o where stay_id is not null and not exists (select from parking.stay s where s.id = o.stay_id)`,
  'a stay of an order that does not exist': `select id from parking.stay s where order_id is not null and not exists (select from settlement.order o where o.id = s.order_id)`,
  'a paid order without its payment': `select id from settlement.order o where status in (2, 6, 7) and paid_fen > 0
    and paid_fen <> (select coalesce(sum(received_fen), 0) from settlement.payment p where p.order_id = o.id and p.state = 1)`,
  'a payment whose order does not know it': `select p.id from settlement.payment p join settlement.order o on o.id = p.order_id where p.state = 1 and o.status not in (2, 6, 7)`,
  'a paid order without its entry in the ledger': `select id from settlement.order o where status in (2, 6, 7) and paid_fen > 0 and not exists (select from ledger.entry e where e.about = o.order_no)`,
  'a refund that its order does not know': `select o.id from settlement.order o where refunding_fen + refund_fen <>
    (select coalesce(sum(amount_fen), 0) from settlement.refund r where r.order_id = o.id and r.kind = 1 and r.state not in (4, 5))`,
  'an answer that was promised and never kept': 'select key from platform.idempotency where answer is null and not outside',
}

/** All of them in one question: sentence and the first row that breaks it. */
const ALL = Object.entries(WRONG)
  .map(([sentence, sql]) => `(select '${sentence}' as sentence, to_jsonb(w) as row from (${sql} limit 1) w)`)
  .join(' union all ')

/** Sentences with the first row that breaks each; none is right. */
export async function wrongs(owner: pg.ClientBase): Promise<string[]> {
  const found: string[] = []
  for (const enterprise of ['1', '2']) {
    await owner.query({ name: 'scope', text: `select set_config('scope.enterprise', $1, false)`, values: [enterprise] })
    const { rows } = await owner.query<{ sentence: string; row: object }>({ name: 'wrongs', text: ALL })
    found.push(...rows.map(({ sentence, row }) => `${sentence}: ${JSON.stringify(row)}`))
  }
  return found
}

/** Tables that change by themselves, by which connection it was, or with every try whatever became of it; the kept sums of the ledger are looked at by its replay. */
const BY_ITSELF = new Set([
  'identity.session',
  'identity.known_browser',
  'ledger.balance',
  'ledger.daily',
  'device.presence',
  'system.operation_log',
  // An index of plates: as many rows as a plate has signs.
  'platform.plate_ending',
])
export type Counts = Readonly<Record<string, number>>

/** Counts every table: its rows, and how often they were changed where they say so. */
export async function counterOf(owner: pg.ClientBase, but?: string): Promise<() => Promise<Counts>> {
  const { rows } = await owner.query<{ name: string; versions: boolean }>(`
    select format('%I.%I', n.nspname, c.relname) as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'version' and a.atttypid = 'int4'::regtype) as versions
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema', 'migration')
      and (n.nspname <> 'graphile_worker' or c.relname = '_private_jobs') order by 1`)
  const counted = rows.filter(({ name }) => !BY_ITSELF.has(name) && name !== but)
  const text = counted
    .map(
      ({ name, versions }) =>
        `select '${name}' as name, count(*)::int as n, ${versions ? 'coalesce(sum(version), 0)::int' : 'null::int'} as v from ${name}`,
    )
    .join(' union all ')
  const name = `counts but ${but ?? 'none'}`
  // Many small tables: two workers take ten times longer to come than to count them.
  await owner.query('set max_parallel_workers_per_gather = 0')
  return async () => {
    const { rows: now } = await owner.query<{ name: string; n: number; v: number | null }>({ name, text })
    return Object.fromEntries(
      now.flatMap(({ name, n, v }) =>
        v === null
          ? [[name, n]]
          : [
              [name, n],
              [`${name} versions`, v],
            ],
      ),
    )
  }
}
/** Counts the rows that were added between the two. */
export const between = (before: Counts, after: Counts): Counts =>
  Object.fromEntries(
    Object.entries(after)
      .map(([name, n]) => [name, n - (before[name] ?? 0)] as const)
      .filter(([, n]) => n !== 0),
  )

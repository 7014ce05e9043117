import type pg from 'pg'
import { tablesOf } from './foreign.ts'

/** A moment between two transactions; `tablesWritten` says what came after it. */
export type Moment = string

/**
 * Marks a moment after which writes are noted. The first call lays a trigger on every table that belongs to an enterprise: reading
 * all of them before and after each call took longer than the calls. A row that is written again, even with the same words, is
 * noted too.
 */
export async function momentOf(owner: pg.Client): Promise<Moment> {
  if (!watched.has(owner)) {
    watched.add(owner)
    await watch(owner)
  }
  const { rows } = await owner.query<{ seen: string }>(
    'with gone as (delete from noted.row where pg_visible_in_snapshot(at, pg_current_snapshot())) select pg_current_snapshot()::text as seen',
  )
  return rows[0]!.seen
}

/** Tables with a row of the condition that was written since, in the order of their names; one that came and went meanwhile (a key that is held and freed) is none. */
export async function tablesWritten(owner: pg.Client, since: Moment, where: string): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `with fates as (
       select "table", key, (array_agg(op order by n))[1] as first, (array_agg(op order by n desc))[1] as last
       from (select *, of_enterprise as enterprise_id, of_park as park_code from noted.row where not pg_visible_in_snapshot(at, $1::pg_snapshot)) r
       where ${where} group by 1, 2)
     select distinct "table" as name from fates where first <> 'INSERT' or last <> 'DELETE' order by 1`,
    [since],
  )
  return rows.map(({ name }) => name)
}

const watched = new WeakSet<pg.Client>()
/** No column of these is called as an enterprise's are: whoever looks whether an enterprise has any rows finds none here. */
async function watch(owner: pg.Client): Promise<void> {
  await owner.query(`
    create schema noted;
    create unlogged table noted.row (n bigint generated always as identity, at xid8 not null default pg_current_xact_id(),
      "table" text not null, op text not null, key text not null, of_enterprise integer, of_park text);
    create function noted.keep(name text, op text, keys text[], one jsonb) returns void language sql security definer as $$
      insert into noted.row ("table", op, key, of_enterprise, of_park)
      values (name, op, coalesce((select string_agg(one ->> k, '/') from unnest(keys) k), one::text), (one ->> 'enterprise_id')::integer, one ->> 'park_code') $$;
    create function noted.inserted() returns trigger language plpgsql security definer as $$
      begin perform noted.keep(tg_argv[0], tg_op, tg_argv[1]::text[], to_jsonb(t)) from later t; return null; end $$;
    create function noted.updated() returns trigger language plpgsql security definer as $$
      begin
        perform noted.keep(tg_argv[0], tg_op, tg_argv[1]::text[], to_jsonb(t)) from earlier t;
        perform noted.keep(tg_argv[0], tg_op, tg_argv[1]::text[], to_jsonb(t)) from later t;
        return null;
      end $$;
    create function noted.deleted() returns trigger language plpgsql security definer as $$
      begin perform noted.keep(tg_argv[0], tg_op, tg_argv[1]::text[], to_jsonb(t)) from earlier t; return null; end $$;`)
  const keys = await keysOf(owner)
  const on = (table: string, event: string, rows: string) =>
    `create trigger zz_noted_${event} after ${event} on ${table} ${rows} for each statement
     execute function noted.${event === 'delete' ? 'deleted' : `${event.replace(/e$/, '')}ed`}('${table}', '${keys.get(table) ?? '{}'}')`
  const all = (await tablesOf(owner)).flatMap(({ table }) => [
    on(table, 'insert', 'referencing new table as later'),
    on(table, 'update', 'referencing old table as earlier new table as later'),
    on(table, 'delete', 'referencing old table as earlier'),
  ])
  await owner.query(all.join(';\n'))
}

/** The columns of each table's primary key, as an array's text. */
async function keysOf(owner: pg.Client): Promise<Map<string, string>> {
  const { rows } = await owner.query<{ table: string; keys: string }>(`
    select n.nspname || '.' || quote_ident(c.relname) as "table", array_agg(a.attname::text order by a.attnum)::text as keys
    from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
    where i.indisprimary and n.nspname not in ('pg_catalog', 'information_schema') group by 1`)
  return new Map(rows.map(({ table, keys }) => [table, keys]))
}

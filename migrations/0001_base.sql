-- What every domain stands on: who may see a row, what changed, answers kept for retries, numbers for people.
create extension if not exists pg_trgm;
create extension if not exists btree_gist;
-- Under row-level security only leakproof operators reach an index. A server that does not let its owner say so searches by prefix instead.
do $$ begin
  alter function textlike(text, text) leakproof;
  alter function texticlike(text, text) leakproof;
exception when insufficient_privilege then
  raise warning 'textlike is not leakproof here: searches by a part of a text will be slow';
end $$;

-- `(select …)` around these makes PostgreSQL ask once per statement and not once per row; an unset setting is an error, never "all".
create function scope_enterprise() returns integer stable parallel safe language sql return current_setting('scope.enterprise')::integer;
create function scope_parks() returns text[] stable parallel safe language sql return string_to_array(current_setting('scope.parks'), ',');
create function scope_all_parks() returns boolean stable parallel safe language sql return current_setting('scope.parks') = '*';

create schema platform;
grant usage on schema platform to kerbline_app;

-- The audit stream: every change of every watched row, by whom, through which call. Nobody changes it.
create table platform.change (
  id uuid not null default uuidv7(), enterprise_id integer not null, at timestamptz not null default now(), park_code text,
  author_id text, author_name text not null, via text not null, request_id text, entity text not null, row_id text not null,
  event text not null check (event in ('insert', 'update', 'delete')), before jsonb, after jsonb, reason text, primary key (id, at)
) partition by range (at);
create table platform.change_rest partition of platform.change default;
create index change_row on platform.change (enterprise_id, entity, row_id, at desc);
create index change_at on platform.change (enterprise_id, at desc, id desc);
create index change_author on platform.change (enterprise_id, author_id, at desc);

-- `args`: the key column, then columns that are never shown (hashes of secrets).
create function platform.watched() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  author jsonb := nullif(current_setting('scope.author', true), '')::jsonb;
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) - tg_argv[1:] end;
  is_ jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) - tg_argv[1:] end;
  whole jsonb := coalesce(is_, was);
begin
  if tg_op = 'UPDATE' then
    select jsonb_object_agg(o.key, o.value), jsonb_object_agg(o.key, is_ -> o.key) into was, is_
      from jsonb_each(was) o where o.value is distinct from is_ -> o.key and o.key not in ('version', 'updated_at');
    if was is null then return null; end if;
  end if;
  insert into platform.change (enterprise_id, park_code, author_id, author_name, via, request_id, entity, row_id, event, before, after, reason)
  values (coalesce((whole ->> 'enterprise_id')::integer, 0), whole ->> 'park_code', author ->> 'userId', coalesce(author ->> 'userName', current_user),
    coalesce(author ->> 'via', 'migration'), author ->> 'requestId', tg_table_schema || '.' || tg_table_name, coalesce(whole ->> tg_argv[0], ''),
    lower(tg_op), was, is_, nullif(current_setting('scope.reason', true), ''));
  return null;
end $$;

-- One line makes a table safe: rows by enterprise and park, grants, audit. `key` names the row in the audit stream; `hidden` columns stay out of it.
create function platform.scoped(of regclass, audited boolean default true, append_only boolean default false, key text default 'id', hidden text[] default '{}') returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', of);
  execute format('create policy enterprise on %s using (enterprise_id = (select scope_enterprise()))', of);
  if exists (select from pg_attribute where attrelid = of and attname = 'park_code' and not attisdropped) then
    execute format('create policy parks on %s as restrictive using ((select scope_all_parks()) or park_code = any ((select scope_parks())::text[]))', of);
  end if;
  execute format('grant select, insert%s on %s to kerbline_app', case when append_only then '' else ', update, delete' end, of);
  if audited then
    execute format('create trigger watched after insert or update or delete on %s for each row execute function platform.watched(%s)', of,
      (select string_agg(quote_literal(word), ', ') from unnest(array[key] || hidden) word));
  end if;
end $$;
-- A table without an enterprise: everybody who may call reads the same rows.
create function platform.shared(of regclass, audited boolean default true, key text default 'id') returns void language plpgsql as $$
begin
  execute format('grant select, insert, update, delete on %s to kerbline_app', of);
  if audited then
    execute format('create trigger watched after insert or update or delete on %s for each row execute function platform.watched(%L)', of, key);
  end if;
end $$;
create function platform.opened(name text) returns void language plpgsql as $$
begin execute format('grant usage on schema %I to kerbline_app', name); execute format('alter default privileges in schema %I grant usage on sequences to kerbline_app', name); end $$;

select platform.scoped('platform.change', audited => false, append_only => true);
revoke insert on platform.change from kerbline_app;

-- Months of large append-only tables: three ahead always stand ready, so that no insert ever waits for one.
create table platform.monthly (parent regclass primary key);
insert into platform.monthly values ('platform.change');
create function platform.ensure_months(back integer default 1, ahead integer default 3) returns void language plpgsql security definer set search_path = '' as $$
declare m record; month date; name text;
begin
  for m in select parent, n.nspname, c.relname from platform.monthly join pg_catalog.pg_class c on c.oid = parent join pg_catalog.pg_namespace n on n.oid = c.relnamespace loop
    for i in -back..ahead loop
      month := (date_trunc('month', now()) + make_interval(months => i))::date;
      name := format('%s_%s', m.relname, to_char(month, 'YYYYMM'));
      if to_regclass(format('%I.%I', m.nspname, name)) is null then
        begin
          execute format('create table %I.%I partition of %s for values from (%L) to (%L)', m.nspname, name, m.parent, month, (month + interval '1 month')::date);
        exception when check_violation then null; -- the server slept through the month and its rows lie in the rest already: they may stay there
        end;
      end if;
    end loop;
  end loop;
end $$;
select platform.ensure_months(4, 3);

-- A retried write gets the answer of its first try. The key is free again when the first try was rolled back.
create table platform.idempotency (
  user_id text not null, key text not null, call text not null, body_hash text not null, answer text, at timestamptz not null default now(), primary key (user_id, key));
create index idempotency_at on platform.idempotency (at);
create function platform.claim(who text, wanted text, of_call text, of_body text, out state text, out answer text) language plpgsql security definer set search_path = '' as $$
declare found_row platform.idempotency;
begin
  if not pg_try_advisory_xact_lock(hashtextextended(who || ' ' || wanted, 1)) then state := 'busy'; return; end if;
  select * into found_row from platform.idempotency i where i.user_id = who and i.key = wanted;
  if found_row.key is null then
    insert into platform.idempotency (user_id, key, call, body_hash) values (who, wanted, of_call, of_body);
    state := 'new';
  elsif found_row.call = of_call and found_row.body_hash = of_body then state := 'done'; answer := found_row.answer;
  else state := 'reused';
  end if;
end $$;
create function platform.settle(who text, wanted text, with_answer text) returns void language sql security definer set search_path = ''
  begin atomic update platform.idempotency set answer = with_answer where user_id = who and key = wanted; end;
create function platform.forget_keys(older interval) returns void language sql security definer set search_path = ''
  begin atomic delete from platform.idempotency where at < now() - older; end;

-- Numbers that people read out: prefix, city time to the second, six digits that do not repeat within it.
create sequence platform.business_seq maxvalue 999999 cycle;
grant usage on sequence platform.business_seq to kerbline_app;
create function platform.business_no(prefix text) returns text volatile language sql
  return prefix || to_char(now() at time zone 'Asia/Shanghai', 'YYYYMMDDHH24MISS') || lpad(nextval('platform.business_seq')::text, 6, '0');

-- The queue's tables belong to the owner; a call adds jobs in its own transaction through this door only.
create function platform.add_job(task text, payload json, run_at timestamptz default null, job_key text default null) returns void language plpgsql security definer set search_path = '' as $$
begin perform graphile_worker.add_job(task, payload, run_at => run_at, job_key => job_key); end $$;

-- Settings of this installation that the product makes itself (a provider's secret, for example); read by code, never by a call.
create table platform.setting (name text primary key, value jsonb not null, at timestamptz not null default now());
grant select, insert, update on platform.setting to kerbline_app;

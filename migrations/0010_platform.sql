-- What every domain stands on: who may see a row, what changed, answers kept for retries, numbers for people.
create extension if not exists pg_trgm;
create function scope_parks() returns text[] stable parallel safe language sql return string_to_array(current_setting('scope.parks'), ',');
create function scope_all_parks() returns boolean stable parallel safe language sql return current_setting('scope.parks') = '*';

-- A role's data scope narrows people as it narrows parks: department and below, department, own. `scope.people` is `*`, or the person who asks followed by the
-- departments whose people they see. Unset it shows nobody.
create function scope_all_people() returns boolean stable parallel safe language sql return coalesce(current_setting('scope.people', true), '') = '*';
create function scope_departments() returns text[] stable parallel safe language sql
  return (string_to_array(coalesce(current_setting('scope.people', true), ''), ','))[2:];
create function scope_person() returns text stable parallel safe language sql return split_part(coalesce(current_setting('scope.people', true), ''), ',', 1);

-- Who reads within one park compares one code instead of going through a list of one: of ten thousand rows walked that is half a millisecond.
create function scope_park() returns text stable parallel safe language sql
  return case when position(',' in current_setting('scope.parks')) = 0 then current_setting('scope.parks') end;

-- Who sees all parks of an enterprise is asked about none. `kerbline_parks`, as which calls sign in, may do what `kerbline_app` may and is bound by the policies about parks
-- besides; a call whose scope is all parks becomes `kerbline_app` for its statement. Then a list walks its index with no step of a policy for each row.

-- All parks by role and some by setting contradict each other: nobody's rows, in either table.
create function scope_enterprise() returns integer stable parallel safe language sql
  return case when current_user <> 'kerbline_app' or current_setting('scope.parks') = '*' then current_setting('scope.enterprise')::integer end;

-- A driver's own door: a code by text message opens a session that sees what is theirs, and nothing else.

-- The driver whose session asks, as `scope.people` names a guest; null for everybody else.
create function scope_driver() returns uuid stable parallel safe language sql return substring(coalesce(current_setting('scope.people', true), '') from '^driver:(.+)$')::uuid;

-- The merchant's own page: sessions of merchants, which are no persons of the console. What is theirs alone is all that the database shows them.

-- The merchant whose session asks, as `scope.people` names a guest; null for everybody else.
create function scope_merchant() returns uuid stable parallel safe language sql return substring(coalesce(current_setting('scope.people', true), '') from '^merchant:(.+)$')::uuid;
create extension if not exists btree_gist;
-- Under row-level security only leakproof operators reach an index. A server that does not let its owner say so searches by prefix instead.
do $$ begin
  alter function textlike(text, text) leakproof;
  alter function texticlike(text, text) leakproof;
exception when insufficient_privilege then
  raise warning 'textlike is not leakproof here: searches by a part of a text will be slow';
end $$;

create schema platform;
grant usage on schema platform to kerbline_app;

-- The audit stream: every change of every watched row, by whom, through which call. Nobody changes it.
create table platform.change (
  id uuid not null default uuidv7(), enterprise_id integer not null, at timestamptz not null default now(), park_code text,
  author_id text, author_name text not null, via text not null, request_id text, entity text not null, row_id text not null,
  event text not null check (event in ('insert', 'update', 'delete')), before jsonb, after jsonb, reason text, primary key (id, at)
) partition by range (at);
create table platform.change_rest partition of platform.change default;
create index change_row on platform.change (enterprise_id, entity, row_id, id desc);
create index change_at on platform.change (enterprise_id, at desc, id desc);
create index change_author on platform.change (enterprise_id, author_id, at desc);

-- A change of what all enterprises share stands in the log of the one whose people made it: before, nobody could see it.
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
  values (coalesce((whole ->> 'enterprise_id')::integer, nullif(current_setting('scope.enterprise', true), '')::integer, 0), whole ->> 'park_code', author ->> 'userId', coalesce(author ->> 'userName', current_user),
    coalesce(author ->> 'via', 'migration'), author ->> 'requestId', tg_table_schema || '.' || tg_table_name, coalesce(whole ->> tg_argv[0], ''),
    lower(tg_op), was, is_, nullif(current_setting('scope.reason', true), ''));
  return null;
end $$;

-- Nothing is looked for by what lies inside a JSON column, but counting its values is most of an ANALYZE: on a day of many cars a fifth of a processor.
create function platform.uncounted(of regclass) returns void language plpgsql as $$
declare name text;
begin
  for name in select attname from pg_catalog.pg_attribute where attrelid = of and atttypid = 'jsonb'::regtype and attnum > 0 and not attisdropped loop
    execute format('alter table %s alter column %I set statistics 0', of, name);
  end loop;
end $$;

create function platform.scoped(of regclass, audited boolean default true, append_only boolean default false, key text default 'id', hidden text[] default '{}') returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', of);
  execute format('create policy enterprise on %s using (enterprise_id = (select scope_enterprise()))', of);
  if exists (select from pg_attribute where attrelid = of and attname = 'park_code' and not attisdropped) then
    execute format('create policy parks on %s as restrictive to kerbline_parks using (park_code = (select scope_park()) or park_code = any ((select scope_parks())::text[]))', of);
  end if;
  execute format('grant select, insert%s on %s to kerbline_app', case when append_only then '' else ', update, delete' end, of);
  perform platform.uncounted(of);
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
-- How long the rows of a table by months are kept; none: for good. What is too old is taken out by the domain that owns it; a month that is left empty goes whole.
create table platform.monthly (parent regclass primary key, kept interval);
insert into platform.monthly values ('platform.change');

-- A month's table does not take this from its parent.
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
          perform platform.uncounted(format('%I.%I', m.nspname, name)::regclass);
        exception when check_violation then null; -- the server slept through the month and its rows lie in the rest already: they may stay there
        end;
      end if;
    end loop;
  end loop;
end $$;
select platform.ensure_months(4, 3);

-- A retried write gets the answer of its first try. The key is free again when the first try was rolled back.
create table platform.idempotency (
  user_id text not null, key text not null, call text not null, body_hash text not null, answer text, at timestamptz not null default now(),
  -- Of a call that waits for the outside: cut off, it stays without an answer.
  outside boolean not null default false,
  -- The request that works on it. Nobody does where it failed after some of its transactions.
  holder text, primary key (user_id, key));
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

-- What the code of everything in a region begins with: of a province or a city (GB/T 2260) the zeros say nothing.
create function platform.region_prefix(code text) returns text immutable parallel safe language sql
  return case when length(code) = 6 then regexp_replace(code, '(0000|00)$', '') else code end;

-- A part of a whole in thousandths, rounded to the nearest; of nothing it is not known. In TypeScript it is permilleOf.
create function platform.permille(part numeric, whole numeric) returns integer immutable parallel safe language sql
  return case when whole > 0 then least(1000, round(1000 * part / whole))::integer end;

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
select platform.uncounted('platform.setting');
grant select, insert, update on platform.setting to kerbline_app;

-- A call that waits for the outside holds its key while it runs: claimed in a short transaction of its own, with no answer yet, and settled at its end.
-- One that was cut off between the two leaves it held; after that time the same request goes on where it stopped. A moment that has not come yet is of a clock that was put back.
create function platform.hold(who text, wanted text, of_call text, of_body text, by_holder text, held interval, out state text, out answer text) language plpgsql security definer set search_path = '' as $$
declare found_row platform.idempotency;
begin
  insert into platform.idempotency (user_id, key, call, body_hash, outside, holder) values (who, wanted, of_call, of_body, true, by_holder) on conflict (user_id, key) do nothing;
  if found then state := 'new'; return; end if;
  update platform.idempotency i set at = now(), holder = by_holder where i.user_id = who and i.key = wanted and i.answer is null and i.call = of_call and i.body_hash = of_body
    and (i.holder is null or i.at not between now() - held and now() + interval '1 second');
  if found then state := 'again'; return; end if;
  select * into found_row from platform.idempotency i where i.user_id = who and i.key = wanted;
  if found_row.key is null then state := 'busy'; -- released this moment
  elsif found_row.call <> of_call or found_row.body_hash <> of_body then state := 'reused';
  elsif found_row.answer is null then state := 'busy';
  else state := 'done'; answer := found_row.answer;
  end if;
end $$;
-- What each transaction of such a call answered, kept by that transaction: both are there, or neither. What was only read is kept with the next write.
create table platform.step (
  user_id text not null, key text not null, number integer not null, name text not null, answer text not null, primary key (user_id, key, number),
  foreign key (user_id, key) references platform.idempotency on delete cascade);
-- It failed: the key is free again. What it has done by then is not done a second time.
create function platform.release(who text, wanted text, of_holder text) returns void language sql security definer set search_path = '' begin atomic
  update platform.idempotency set holder = null where user_id = who and key = wanted and answer is null and holder = of_holder;
  delete from platform.idempotency i where user_id = who and key = wanted and answer is null and holder is null and outside
    and not exists (select from platform.step s where s.user_id = i.user_id and s.key = i.key);
end;
create function platform.keep_steps(who text, wanted text, steps jsonb) returns void language sql security definer set search_path = '' begin atomic
  insert into platform.step (user_id, key, number, name, answer) select who, wanted, s.number, s.name, s.answer from jsonb_to_recordset(steps) as s (number integer, name text, answer text);
end;
create function platform.forget_steps(who text, wanted text, after_number integer) returns void language sql security definer set search_path = ''
  begin atomic delete from platform.step s where s.user_id = who and s.key = wanted and s.number > after_number; end;
create function platform.step_of(who text, wanted text, of_number integer, out name text, out answer text) returns setof record language sql security definer set search_path = ''
  begin atomic select s.name, s.answer from platform.step s where s.user_id = who and s.key = wanted and s.number = of_number; end;

-- What somebody took away as a sheet: who, which list, with which filter, how many rows. Nobody changes it; it stands in the operation log.
create table platform.export (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), person_id uuid not null, call text not null,
  title text not null, title_en text not null, criteria jsonb not null, format text not null check (format in ('xls', 'xlsx', 'csv')),
  -- Unknown where it is written in the background.
  rows integer, at timestamptz not null default now(), unique (enterprise_id, id));
create index export_person on platform.export (enterprise_id, person_id, at desc);
select platform.scoped('platform.export', append_only => true);

-- The file of one that is written in the background, with the scope of whoever asked for it. Its progress is not worth a line in the log.
-- A sheet that is written in the background shows the people whom its owner saw when they asked; null is everybody.
-- A sheet that is written later shows personal values as whoever asked for it saw them then.
-- A sheet that is written later hides what was hidden from whoever asked for it, kind by kind.
create table platform.export_file (
  id uuid primary key, enterprise_id integer not null default scope_enterprise(), person_id uuid not null, columns jsonb not null, parks text[],
  language smallint not null check (language in (0, 1)), format text not null check (format in ('xls', 'xlsx', 'csv')), name text not null,
  state smallint not null default 1 check (state in (1, 2, 3, 4, 5)), rows_done integer not null default 0, rows_total integer, bytes bigint,
  heard_at timestamptz not null default now(), finished_at timestamptz, link_until timestamptz, created_at timestamptz not null default now(),
  departments text[],
  whole boolean not null default false,
  hidden text[] not null default '{}',
  foreign key (enterprise_id, id) references platform.export (enterprise_id, id));
create index export_file_mine on platform.export_file (enterprise_id, person_id, created_at desc, id desc);
select platform.scoped('platform.export_file', audited => false);
create view platform.my_export with (security_invoker = true) as
  select f.id, f.enterprise_id, f.person_id, e.title, e.title_en, f.format, f.name, f.rows_done, f.rows_total, f.bytes, f.link_until, f.created_at, f.finished_at,
    -- A process that was killed says nothing any more.
    case when f.state in (1, 2) and f.heard_at < now() - interval '15 minutes' then 4::smallint else f.state end as state
  from platform.export_file f join platform.export e on e.enterprise_id = f.enterprise_id and e.id = f.id;
grant select on platform.my_export to kerbline_app;
create function platform.drop_months() returns void language plpgsql security definer set search_path = '' set lock_timeout = '2s' as $$
declare m record; used boolean;
begin
  for m in
    select p.parent, t.oid::regclass as name from platform.monthly p join pg_catalog.pg_inherits i on i.inhparent = p.parent join pg_catalog.pg_class t on t.oid = i.inhrelid
      where p.kept is not null and t.relname ~ '_\d{6}$' and to_date(right(t.relname, 6), 'YYYYMM') + interval '1 month' < now() - p.kept
  loop
    execute format('select exists (select from %s)', m.name) into used;
    continue when used;
    begin
      execute format('lock table only %s in access exclusive mode', m.parent);
      execute format('select exists (select from %s)', m.name) into used;
      if not used then execute format('drop table %s', m.name); end if;
    exception when lock_not_available then null; -- somebody reads, and whoever comes would wait behind us: tomorrow is a night too
    end;
  end loop;
end $$;

-- Deleted rows wait here for thirty days. What hung on a row and went with it (a person's roles) lies beside it. The content is read by the way back alone, never by a call.
create table platform.bin (
  id uuid primary key default uuidv7(), enterprise_id integer not null, park_code text, kind text not null, row_key text not null, title text not null,
  at timestamptz not null default now(), author_name text not null, content jsonb not null, parts jsonb not null default '{}');
select platform.uncounted('platform.bin');
create index bin_at on platform.bin (enterprise_id, at desc, id desc);
create index bin_row on platform.bin (enterprise_id, kind, row_key, at desc);
create index bin_old_at on platform.bin (at);
alter table platform.bin enable row level security;
-- Enterprise 0: rows that all enterprises read; the capability to change them belongs to the platform's own people.
create policy enterprise on platform.bin using (enterprise_id = (select scope_enterprise()) or enterprise_id = 0);
create policy parks on platform.bin as restrictive to kerbline_parks using (park_code is null or (select scope_all_parks()) or park_code = any ((select scope_parks())::text[]));
grant select, delete on platform.bin to kerbline_app;

-- Arguments: the key column, the column that names the row to people, then pairs: a table whose rows go with this one, and its column that holds the key.
create function platform.thrown_away() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  author jsonb := nullif(current_setting('scope.author', true), '')::jsonb;
  whole jsonb := to_jsonb(old);
  owner integer := coalesce((whole ->> 'enterprise_id')::integer, 0);
  held jsonb := '{}';
  tied jsonb;
begin
  for i in 2 .. tg_nargs - 2 by 2 loop
    execute format('select coalesce(jsonb_agg(to_jsonb(p)), ''[]'') from %s p where p.enterprise_id = $1 and p.%I = $2::uuid', tg_argv[i], tg_argv[i + 1])
      into tied using owner, whole ->> tg_argv[0];
    held := held || jsonb_build_object(tg_argv[i], tied);
  end loop;
  insert into platform.bin (enterprise_id, park_code, kind, row_key, title, author_name, content, parts)
  values (owner, whole ->> 'park_code', tg_table_schema || '.' || tg_table_name, whole ->> tg_argv[0], left(coalesce(whole ->> tg_argv[1], whole ->> tg_argv[0]), 200),
    coalesce(author ->> 'userName', current_user), whole, held);
  return old;
end $$;
-- One line opts a table in: select platform.binned('identity.person', title => 'name', parts => '{identity.person_role,person_id}');
create function platform.binned(of regclass, title text, key text default 'id', parts text[] default '{}') returns void language plpgsql as $$
begin
  execute format('create trigger thrown_away before delete on %s for each row execute function platform.thrown_away(%s)', of,
    (select string_agg(quote_literal(word), ', ' order by place) from unnest(array[key, title] || parts) with ordinality as w (word, place)));
end $$;

-- The way back, as the caller: policies, keys and checks decide as they do for a new row. A part whose other end is gone is left out; their number is the answer.
create function platform.put_back(of text, content jsonb) returns void language plpgsql as $$
declare columns text;
begin
  select string_agg(quote_ident(attname), ', ' order by attnum) into columns from pg_attribute
    where attrelid = of::regclass and attnum > 0 and not attisdropped and attgenerated = '';
  execute format('insert into %s (%s) select %s from jsonb_populate_record(null::%s, $1)', of::regclass, columns, columns, of::regclass) using content;
end $$;

-- Parts may stand on one another: what has no place yet is tried again once others stand.
create function platform.put_back_parts(parts jsonb) returns integer language plpgsql as $$
declare waiting jsonb := '[]'; later jsonb; part jsonb;
begin
  select coalesce(jsonb_agg(jsonb_build_object('of', p.key, 'content', one.value)), '[]') into waiting from jsonb_each(parts) p, jsonb_array_elements(p.value) one;
  loop
    later := '[]';
    for part in select * from jsonb_array_elements(waiting) loop
      begin perform platform.put_back(part ->> 'of', part -> 'content');
      exception when foreign_key_violation then later := later || jsonb_build_array(part); end;
    end loop;
    exit when jsonb_array_length(later) in (0, jsonb_array_length(waiting));
    waiting := later;
  end loop;
  return jsonb_array_length(later);
end $$;
create function platform.sweep_bin(older interval) returns void language sql security definer set search_path = ''
  begin atomic delete from platform.bin where at < now() - older; end;
select platform.ensure_months(1, 3);
-- What one request changed. Devices and jobs have no request, and they are many.
create index change_request on platform.change (enterprise_id, request_id) where request_id <> '';
alter table platform.export_file drop whole;

-- A plate is found by any run of its characters, the last ones first of all. Each plate of the tables named below stands here once by each of its endings:
-- a run of its characters is the beginning of one of them, and beginnings are what an index has. There are far fewer plates than stays.
-- Two cars that come at the same moment may write a plate twice; that does no harm, and nobody waits for anybody.
create table platform.plate_ending (enterprise_id integer not null, ending text not null, plate_no text not null);
create index plate_ending_run on platform.plate_ending (enterprise_id, ending, plate_no);
select platform.scoped('platform.plate_ending', audited => false, append_only => true);
revoke insert on platform.plate_ending from kerbline_app;

create function platform.know_plate(of_enterprise integer, plate text) returns void language sql security definer set search_path = '' begin atomic
  insert into platform.plate_ending (enterprise_id, ending, plate_no)
    select of_enterprise, substr(plate, start), plate from generate_series(1, length(plate)) start
    where not exists (select from platform.plate_ending known where known.enterprise_id = of_enterprise and known.ending = plate);
end;
create function platform.plates_came() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform platform.know_plate(c.enterprise_id, c.plate_no) from (select distinct enterprise_id, plate_no from came where plate_no is not null) c;
  return null;
end $$;
create function platform.plate_changed() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform platform.know_plate(new.enterprise_id, new.plate_no);
  return null;
end $$;
-- One line makes a table's `plate_no` searchable by any run. The triggers run on restored and copied rows too.
create function platform.plates_found(of regclass) returns void language plpgsql as $$
begin
  execute format('create trigger plates_came after insert on %s referencing new table as came for each statement execute function platform.plates_came()', of);
  execute format('create trigger plate_changed after update of plate_no on %s for each row when (new.plate_no is distinct from old.plate_no and new.plate_no is not null)
    execute function platform.plate_changed()', of);
  execute format('alter table %s enable always trigger plates_came', of);
  execute format('alter table %s enable always trigger plate_changed', of);
  execute format('select platform.know_plate(enterprise_id, plate_no) from (select distinct enterprise_id, plate_no from %s where plate_no is not null) p', of);
end $$;

-- Whatever a person can delete waits thirty days in the bin. Rows that others go on naming are marked and keep their place; their line in the bin follows the mark.
create function platform.marked_away() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  author jsonb := nullif(current_setting('scope.author', true), '')::jsonb;
  whole jsonb := to_jsonb(new);
begin
  if new.deleted then
    insert into platform.bin (enterprise_id, park_code, kind, row_key, title, author_name, content)
    values (new.enterprise_id, whole ->> 'park_code', tg_table_schema || '.' || tg_table_name, new.id::text, left(whole ->> tg_argv[0], 200),
      coalesce(author ->> 'userName', current_user), '{}');
  else
    delete from platform.bin b where b.enterprise_id = new.enterprise_id and b.kind = tg_table_schema || '.' || tg_table_name and b.row_key = new.id::text;
  end if;
  return null;
end $$;
create function platform.binned_by_mark(of regclass, title text default 'name') returns void language plpgsql as $$
begin
  execute format('create trigger marked_away after update of deleted on %s for each row when (old.deleted <> new.deleted) execute function platform.marked_away(%L)', of, title);
end $$;

-- A row that stands over others takes along what its foreign keys delete with it, at any depth. Only what a person deleted is a line of its own.
create function platform.hanging(of regclass, whole jsonb, held jsonb default '{}') returns jsonb language plpgsql set search_path = '' as $$
declare tie record; tied jsonb; one jsonb;
begin
  for tie in
    select c.conrelid::regclass as child, string_agg(format('p.%I::text = $1 ->> %L', a.attname, f.attname), ' and ') as same
    from pg_catalog.pg_constraint c cross join lateral unnest(c.conkey, c.confkey) as k (child, parent)
    join pg_catalog.pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.child join pg_catalog.pg_attribute f on f.attrelid = c.confrelid and f.attnum = k.parent
    where c.confrelid = of and c.contype = 'f' and c.confdeltype = 'c' group by c.oid, c.conrelid
  loop
    execute format('select coalesce(jsonb_agg(to_jsonb(p)), ''[]'') from %s p where %s', tie.child, tie.same) into tied using whole;
    held := held || jsonb_build_object(tie.child::text, coalesce(held -> tie.child::text, '[]') || tied);
    for one in select * from jsonb_array_elements(tied) loop held := platform.hanging(tie.child, one, held); end loop;
  end loop;
  return held;
end $$;
create function platform.thrown_away_whole() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  author jsonb := nullif(current_setting('scope.author', true), '')::jsonb;
  whole jsonb := to_jsonb(old);
  title text := whole ->> tg_argv[0];
begin
  if tg_argv[0] like '%.%' then execute format('select %s($1)', tg_argv[0]) into title using whole; end if;
  insert into platform.bin (enterprise_id, park_code, kind, row_key, title, author_name, content, parts)
  values (old.enterprise_id, whole ->> 'park_code', tg_table_schema || '.' || tg_table_name, old.id::text, left(coalesce(title, old.id::text), 200),
    coalesce(author ->> 'userName', current_user), whole, platform.hanging(tg_relid, whole));
  return old;
end $$;
-- title: the column that names the row to people, or, with a point in it, a function that makes its name of the whole row.
create function platform.binned_whole(of regclass, title text) returns void language plpgsql as $$
begin
  execute format('create trigger thrown_away before delete on %s for each row when (pg_trigger_depth() = 0) execute function platform.thrown_away_whole(%L)', of, title);
end $$;

-- What somebody carries away as sheets for the printer is in the log of exports too.
alter table platform.export drop constraint export_format_check, add check (format in ('xls', 'xlsx', 'csv', 'print'));

-- A list that is written to a file again and again, for its owner alone. What it is read with are its owner's rights at that time, so none are kept here.
create table platform.scheduled_export (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), person_id uuid not null,
  name text not null check (length(name) between 1 and 60), call text not null, title text not null, title_en text not null,
  criteria jsonb not null, columns jsonb not null, format text not null check (format in ('xls', 'xlsx', 'csv')), language smallint not null check (language in (0, 1)),
  rhythm smallint not null check (rhythm in (1, 2, 3)), day smallint, time_of_day text not null check (time_of_day ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  -- The criterion that moves along: it always holds the stretch before the run.
  moving text, state smallint not null default 1 check (state in (1, 2, 3)), stopped_by smallint check (stopped_by in (1, 2, 3)),
  next_at timestamptz not null, last_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), unique (enterprise_id, id),
  check (case rhythm when 1 then day is null when 2 then day between 1 and 7 else day between 1 and 31 end is true),
  check ((state = 3) = (stopped_by is not null)));
create index scheduled_export_mine on platform.scheduled_export (enterprise_id, person_id, created_at desc, id desc);
create index scheduled_export_due on platform.scheduled_export (enterprise_id, next_at) where state = 1;
select platform.scoped('platform.scheduled_export');
select platform.uncounted('platform.scheduled_export');
select platform.binned('platform.scheduled_export', title => 'name');

-- What became of each time: a file, or why there is none. No time is written twice.
create table platform.scheduled_run (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), scheduled_id uuid not null, due_at timestamptz not null,
  at timestamptz not null, export_id uuid, said text, said_en text,
  unique (enterprise_id, scheduled_id, due_at), check ((export_id is null) = (said is not null)), check ((said is null) = (said_en is null)));
create index scheduled_run_export on platform.scheduled_run (enterprise_id, export_id) where export_id is not null;
create index scheduled_run_old on platform.scheduled_run (at);
select platform.scoped('platform.scheduled_run', audited => false);

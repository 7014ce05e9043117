-- Deleted rows wait here for thirty days. What hung on a row and went with it (a person's roles) lies beside it. The content is read by the way back alone, never by a call.
create table platform.bin (
  id uuid primary key default uuidv7(), enterprise_id integer not null, park_code text, kind text not null, row_key text not null, title text not null,
  at timestamptz not null default now(), author_name text not null, content jsonb not null, parts jsonb not null default '{}');
create index bin_at on platform.bin (enterprise_id, at desc, id desc);
create index bin_row on platform.bin (enterprise_id, kind, row_key, at desc);
create index bin_old_at on platform.bin (at);
alter table platform.bin enable row level security;
-- Enterprise 0: rows that all enterprises read; the capability to change them belongs to the platform's own people.
create policy enterprise on platform.bin using (enterprise_id = (select scope_enterprise()) or enterprise_id = 0);
create policy parks on platform.bin as restrictive using (park_code is null or (select scope_all_parks()) or park_code = any ((select scope_parks())::text[]));
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
create function platform.put_back_parts(parts jsonb) returns integer language plpgsql as $$
declare part record; lost integer := 0;
begin
  for part in select p.key as of, one.value as content from jsonb_each(parts) p, jsonb_array_elements(p.value) one loop
    begin perform platform.put_back(part.of, part.content);
    exception when foreign_key_violation then lost := lost + 1; end;
  end loop;
  return lost;
end $$;
create function platform.sweep_bin(older interval) returns void language sql security definer set search_path = ''
  begin atomic delete from platform.bin where at < now() - older; end;

-- Who sees all parks of an enterprise is asked about none. `kerbline_parks`, as which calls sign in, may do what `kerbline_app` may and is bound by the policies about parks
-- besides; a call whose scope is all parks becomes `kerbline_app` for its statement. Then a list walks its index with no step of a policy for each row.

-- All parks by role and some by setting contradict each other: nobody's rows, in either table.
create or replace function scope_enterprise() returns integer stable parallel safe language sql
  return case when current_user <> 'kerbline_app' or current_setting('scope.parks') = '*' then current_setting('scope.enterprise')::integer end;

create or replace function platform.scoped(of regclass, audited boolean default true, append_only boolean default false, key text default 'id', hidden text[] default '{}') returns void
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

do $$
declare made record;
begin
  for made in select policyname as name, format('%I.%I', schemaname, tablename) of, qual from pg_policies where permissive = 'RESTRICTIVE' and concat(qual, with_check) like '%scope_all_parks()%' loop
    execute format('alter policy %I on %s to kerbline_parks', made.name, made.of);
    if made.qual like '(( SELECT scope_all_parks() AS scope_all_parks) OR (park_code = ( SELECT scope_park() %' then
      execute format('alter policy %I on %s using (park_code = (select scope_park()) or park_code = any ((select scope_parks())::text[]))', made.name, made.of);
    end if;
  end loop;
end $$;

-- What came with a company, its own platform for example, is no work that was done in it: it goes with it.
create or replace function identity.dissolve(of_enterprise integer) returns text language plpgsql security definer set search_path = '' as $$
declare one record; used boolean; made_with_it text[] := '{}';
begin
  if not identity.runs_platform(public.scope_enterprise()) then raise insufficient_privilege; end if;
  perform from identity.enterprise where id = of_enterprise for update;
  if not found then return 'missing'; end if;
  if identity.runs_platform(of_enterprise) then return 'platform'; end if;
  if exists (select from identity.enterprise where parent_id = of_enterprise) then return 'units'; end if;
  for one in
    select format('%I.%I', n.nspname, c.relname) as name,
      exists (select from pg_catalog.pg_attribute b where b.attrelid = c.oid and b.attname = 'built_in' and not b.attisdropped) as has_built_in
    from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'enterprise_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition
      and format('%s.%s', n.nspname, c.relname) not in ('identity.person', 'identity.role', 'identity.person_role', 'platform.change', 'system.login_log')
  loop
    execute format('select exists (select from %s where enterprise_id = $1 %s)', one.name, case when one.has_built_in then 'and not built_in' end) into used using of_enterprise;
    if used then return one.name; end if;
    if one.has_built_in then made_with_it := made_with_it || one.name; end if;
  end loop;
  for one in select unnest(made_with_it) as name loop
    execute format('delete from %s where enterprise_id = $1', one.name) using of_enterprise;
  end loop;
  delete from identity.person where enterprise_id = of_enterprise;
  delete from identity.role where enterprise_id = of_enterprise;
  delete from identity.enterprise where id = of_enterprise;
  return null;
end $$;

-- The company that runs the platform looks after the others as companies: who administers each, how many people it has, and no more of them.
create index enterprise_parent on identity.enterprise (parent_id);

create function identity.looks_after(of_enterprise integer) returns boolean stable language sql security definer set search_path = ''
  begin atomic select public.scope_enterprise() = of_enterprise or identity.runs_platform(public.scope_enterprise()); end;

-- Whoever may change roles and people administers an enterprise.
create function identity.administrators_of(of_enterprise integer)
returns table (id uuid, username text, name text, lock_state smallint, must_change boolean, seen_at timestamptz)
stable language sql security definer set search_path = '' begin atomic
  select p.id, p.username, p.name, p.lock_state, p.must_change,
    (select max(s.seen_at) from identity.session s where s.enterprise_id = p.enterprise_id and s.person_id = p.id)
  from identity.person p
  where p.enterprise_id = of_enterprise and (select identity.looks_after(of_enterprise))
    and identity.capabilities_of(p.enterprise_id, p.id) @> '{identity:role:edit,identity:person:edit}'
  order by p.created_at, p.id limit 50; end;
create function identity.people_in(of_enterprise integer) returns integer stable language sql security definer set search_path = ''
  begin atomic select count(*)::integer from identity.person where enterprise_id = of_enterprise and (select identity.looks_after(of_enterprise)); end;

-- A company that is added gets somebody who can begin: they hold everything an enterprise can hold, and nothing of the platform.
create function identity.seat_administrator(of_enterprise integer, role_name text, as_username text, as_name text, hash text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare of_role uuid; made uuid;
begin
  if not identity.runs_platform(public.scope_enterprise()) then raise insufficient_privilege; end if;
  insert into identity.role (enterprise_id, name, grants, data_scope, built_in) values (of_enterprise, role_name, 2, 2, true)
    on conflict (enterprise_id, name) do nothing;
  select id into of_role from identity.role where enterprise_id = of_enterprise and name = role_name;
  insert into identity.person (enterprise_id, username, name, password_hash) values (of_enterprise, as_username, as_name, hash) returning id into made;
  insert into identity.person_role (enterprise_id, person_id, role_id) values (of_enterprise, made, of_role);
  return made;
end $$;

-- The one thing the platform may do to a person of another company: give its administrator a password again. Answers false for anybody else.
create function identity.reset_administrator(of_person uuid, hash text) returns boolean language plpgsql security definer set search_path = '' as $$
declare of_enterprise integer;
begin
  select enterprise_id into of_enterprise from identity.person where id = of_person;
  if of_enterprise is null or of_enterprise = public.scope_enterprise() or not identity.runs_platform(public.scope_enterprise())
    or not identity.capabilities_of(of_enterprise, of_person) @> '{identity:role:edit,identity:person:edit}' then return false; end if;
  update identity.person set password_hash = hash, password_at = now(), must_change = true, failures = 0, locked_until = null, version = version + 1, updated_at = now()
    where id = of_person;
  update identity.session set ended_at = now(), ended_by = 'reset' where person_id = of_person and ended_at is null;
  return true;
end $$;
create function identity.administrator_name(of_person uuid) returns text stable language sql security definer set search_path = '' begin atomic
  select username from identity.person where id = of_person and (select identity.runs_platform(public.scope_enterprise())); end;

-- Only a company that nobody has worked in goes: its first people and roles with it. Answers what is in the way, or null when it is gone.
create function identity.dissolve(of_enterprise integer) returns text language plpgsql security definer set search_path = '' as $$
declare one record; used boolean;
begin
  if not identity.runs_platform(public.scope_enterprise()) then raise insufficient_privilege; end if;
  perform from identity.enterprise where id = of_enterprise for update;
  if not found then return 'missing'; end if;
  if identity.runs_platform(of_enterprise) then return 'platform'; end if;
  if exists (select from identity.enterprise where parent_id = of_enterprise) then return 'units'; end if;
  for one in
    select format('%I.%I', n.nspname, c.relname) as name from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'enterprise_id' and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition
      and format('%s.%s', n.nspname, c.relname) not in ('identity.person', 'identity.role', 'identity.person_role', 'platform.change', 'system.login_log')
  loop
    execute format('select exists (select from %s where enterprise_id = $1)', one.name) into used using of_enterprise;
    if used then return one.name; end if;
  end loop;
  delete from identity.person where enterprise_id = of_enterprise;
  delete from identity.role where enterprise_id = of_enterprise;
  delete from identity.enterprise where id = of_enterprise;
  return null;
end $$;

-- A token that a third party got by the form and hands over is good once: it ends here, and a new session begins. Only such a token: what was exchanged is not exchanged again.
create function identity.take_token(token bytea) returns uuid language sql security definer set search_path = '' begin atomic
  with taken as (update identity.session set ended_at = now(), ended_by = 'exchanged'
    where token_hash = token and bound_hash is null and login_type = 1 and ended_at is null and expires_at > now() and seen_at > now() - idle
    returning enterprise_id, person_id)
  select p.id from taken t join identity.person p on p.enterprise_id = t.enterprise_id and p.id = t.person_id join identity.enterprise e on e.id = p.enterprise_id
  where p.lock_state = 1 and e.status = 1; end;

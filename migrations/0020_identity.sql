-- Who may sign in, what they may do and which parks they see.
create schema identity;
select platform.opened('identity');

-- A company on the platform. The one that runs the platform looks after the others as companies; their rows stay their own.
create table identity.enterprise (
  id integer primary key, name text not null unique, parent_id integer references identity.enterprise, platform boolean not null default false,
  contact text, phone text, address text, status smallint not null default 1 check (status in (1, 2)),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  second_factor boolean not null default false);
create unique index enterprise_platform on identity.enterprise (platform) where platform;
create function identity.runs_platform(which integer) returns boolean stable language sql security definer set search_path = ''
  begin atomic select exists (select from identity.enterprise where id = which and platform); end;
alter table identity.enterprise enable row level security;
create policy enterprise on identity.enterprise using (id = (select public.scope_enterprise()) or (select identity.runs_platform(public.scope_enterprise())));
grant select, insert, update, delete on identity.enterprise to kerbline_app;
create trigger watched after insert or update or delete on identity.enterprise for each row execute function platform.watched('id');

-- `parks` are those that people of this department see when their role's scope is by department or own.
create table identity.department (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise() references identity.enterprise,
  parent_id uuid, name text not null, code text, sort integer not null default 0, parks text[] not null default '{}',
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), foreign key (enterprise_id, parent_id) references identity.department (enterprise_id, id));
create unique index department_name on identity.department (enterprise_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'), name);
select platform.scoped('identity.department');

-- `failures` and `locked_until` count strangers' tries; a browser the person has used before has its own count in known_browser.
-- `lock_state` 2 is a lock by an administrator.
create table identity.person (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise() references identity.enterprise,
  department_id uuid, username text not null, name text not null, staff_no text, phone text, email text,
  password_hash text not null, password_at timestamptz not null default now(), must_change boolean not null default true, demo boolean not null default false,
  lock_state smallint not null default 1 check (lock_state in (1, 2)), failures integer not null default 0, locked_until timestamptz, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), foreign key (enterprise_id, department_id) references identity.department (enterprise_id, id));
create unique index person_username on identity.person (lower(username));
create index person_newest on identity.person (enterprise_id, created_at, id);
create index person_department on identity.person (enterprise_id, department_id);
select platform.scoped('identity.person', hidden => '{password_hash,failures,locked_until}');

-- `grants`: 1 what is chosen row by row, 2 everything there is or will be, 3 everything that only looks.
-- A second factor (RFC 6238) beside the password, and keys for programs: two more ways in, each with its own rules.
create table identity.role (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise() references identity.enterprise,
  name text not null, remark text, grants smallint not null default 1 check (grants in (1, 2, 3)),
  data_scope smallint not null default 2 check (data_scope between 1 and 6), parks text[] not null default '{}', built_in boolean not null default false,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  second_factor boolean not null default false,
  unique (enterprise_id, id), unique (enterprise_id, name));
create index role_newest on identity.role (enterprise_id, created_at, id);
select platform.scoped('identity.role');
create table identity.person_role (
  enterprise_id integer not null default scope_enterprise(), person_id uuid not null, role_id uuid not null, primary key (enterprise_id, person_id, role_id),
  foreign key (enterprise_id, person_id) references identity.person (enterprise_id, id) on delete cascade,
  foreign key (enterprise_id, role_id) references identity.role (enterprise_id, id));
create index person_role_role on identity.person_role (enterprise_id, role_id);
select platform.scoped('identity.person_role', key => 'person_id');

-- The menu, the same for every enterprise. `shipped` is what the product brought last, so that a later release changes only what nobody has edited.
create table identity.resource (
  id uuid primary key default uuidv7(), parent_id uuid references identity.resource, url text not null unique, name text not null, name_en text not null,
  component text not null default '', func_code text not null default '', icon text, level integer not null default 1 constraint resource_level check (level between 1 and 6), sort integer not null default 0,
  hidden boolean not null default false, retired boolean not null default false, needs text[] not null default '{}', shipped jsonb,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
select platform.uncounted('identity.resource');
select platform.shared('identity.resource');
-- An entry's level follows from what it hangs below, whoever moves it or what is above it: a person, a sheet, a release, the bin.
create function identity.levelled() returns trigger language plpgsql as $$
begin
  with recursive hangs as (
    select id, 1 as level from identity.resource where parent_id is null
    union all select r.id, h.level + 1 from identity.resource r join hangs h on r.parent_id = h.id where h.level <= 6)
  update identity.resource r set level = h.level from hangs h where h.id = r.id and r.level <> h.level;
  return null;
end $$;
create trigger levelled after insert or update of parent_id on identity.resource for each statement execute function identity.levelled();
create table identity.button (
  id uuid primary key default uuidv7(), resource_id uuid not null references identity.resource, code text not null, name text not null, name_en text not null,
  type smallint not null default 0 check (type between 0 and 3), capability text not null, retired boolean not null default false, shipped jsonb,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), unique (resource_id, code));
select platform.uncounted('identity.button');
select platform.shared('identity.button');
create table identity.role_resource (
  enterprise_id integer not null default scope_enterprise(), role_id uuid not null, resource_id uuid not null references identity.resource on delete cascade,
  primary key (enterprise_id, role_id, resource_id), foreign key (enterprise_id, role_id) references identity.role (enterprise_id, id) on delete cascade);
select platform.scoped('identity.role_resource', key => 'role_id');
create table identity.role_button (
  enterprise_id integer not null default scope_enterprise(), role_id uuid not null, button_id uuid not null references identity.button on delete cascade,
  primary key (enterprise_id, role_id, button_id), foreign key (enterprise_id, role_id) references identity.role (enterprise_id, id) on delete cascade);
select platform.scoped('identity.role_button', key => 'role_id');
-- Every capability that some call asks for. `platform_only`: it touches rows that all enterprises share.
create table identity.capability (code text primary key, platform_only boolean not null default false);
select platform.shared('identity.capability', audited => false, key => 'code');

-- Only hashes of the token and of the cookie it is bound to are kept.
-- The session says for whom its person acts; null is their own company. A company's administrators see and end the sessions of whoever acts for it.
-- A locked session does nothing until its person has said the password again; the page keeps what was being worked on.
create table identity.session (
  id uuid primary key default uuidv7(), enterprise_id integer not null, person_id uuid not null, token_hash bytea not null unique, bound_hash bytea,
  login_type smallint not null, ip text not null, browser text, user_system text,
  started_at timestamptz not null default now(), seen_at timestamptz not null default now(), idle interval not null, expires_at timestamptz not null,
  ended_at timestamptz, ended_by text,
  acting integer references identity.enterprise,
  locked_at timestamptz, foreign key (enterprise_id, person_id) references identity.person (enterprise_id, id) on delete cascade);
create index session_open on identity.session (enterprise_id, person_id) where ended_at is null;
create index session_old on identity.session (expires_at);
select platform.scoped('identity.session', audited => false);
-- A session that came of another one is as old as that one, and ends when it would have ended.
create table identity.one_time_code (
  code_hash bytea primary key, enterprise_id integer not null, person_id uuid not null, expires_at timestamptz not null,
  session_id uuid not null,
  foreign key (enterprise_id, person_id) references identity.person (enterprise_id, id) on delete cascade);
select platform.scoped('identity.one_time_code', audited => false, key => 'person_id');
-- A browser in which the person has signed in before keeps its own count of failures: strangers cannot lock its owner out.
create table identity.known_browser (
  enterprise_id integer not null, person_id uuid not null, device_hash bytea not null, failures integer not null default 0, locked_until timestamptz,
  last_at timestamptz not null default now(), primary key (enterprise_id, person_id, device_hash),
  foreign key (enterprise_id, person_id) references identity.person (enterprise_id, id) on delete cascade);
select platform.scoped('identity.known_browser', audited => false, key => 'person_id');
-- Failed tries by name (known or not) and by address. Nobody reads it but the functions below.
create table identity.sign_in_try (what bytea primary key, tries integer not null, since timestamptz not null);
create index sign_in_try_since on identity.sign_in_try (since);

create table identity.click_record (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), person_id uuid not null, resource_id uuid not null,
  at timestamptz not null default now(), primary key (enterprise_id, at, id));
select platform.scoped('identity.click_record', audited => false, append_only => true);

-- ---------------------------------------------------------------------------------------------------------------------------------------------
-- Before there is a scope: signing in and reading the session. Each function does one thing, and the application can do no more than call it.

-- Counts a try and answers how many there were within the window, this one included.
create function identity.count_try(which bytea, window_length interval) returns integer language sql security definer set search_path = '' begin atomic
  insert into identity.sign_in_try as t (what, tries, since) values (which, 1, now())
  on conflict (what) do update set tries = case when t.since between now() - window_length and now() + interval '1 min' then t.tries + 1 else 1 end, since = case when t.since between now() - window_length and now() + interval '1 min' then t.since else now() end
  returning tries; end;
create function identity.tries_of(which bytea, window_length interval) returns integer stable language sql security definer set search_path = ''
  begin atomic select coalesce(max(tries), 0) from identity.sign_in_try where what = which and since between now() - window_length and now() + interval '1 min'; end;
create function identity.forget_tries(which bytea) returns void language sql security definer set search_path = ''
  begin atomic delete from identity.sign_in_try where what = which; end;

-- What signing in has to know of a name. No row: no such name. `locked` counts for the browser that asks.
create function identity.sign_in_facts(wanted text, device bytea, out enterprise_id integer, out person_id uuid, out password_hash text, out locked boolean, out known boolean)
stable language sql security definer set search_path = '' begin atomic
  select p.enterprise_id, p.id, p.password_hash,
    p.lock_state = 2 or e.status = 2 or coalesce(case when b.person_id is null then p.locked_until else b.locked_until end between now() and now() + interval '16 min', false), b.person_id is not null
  from identity.person p join identity.enterprise e on e.id = p.enterprise_id
  left join identity.known_browser b on b.enterprise_id = p.enterprise_id and b.person_id = p.id and b.device_hash = device
  where lower(p.username) = lower(wanted); end;

-- Five failures lock for a quarter of an hour: the person for strangers, or one known browser for itself. What is locked for longer was locked by a clock that was put back since.
create function identity.sign_in_failed(of_person uuid, device bytea) returns void language plpgsql security definer set search_path = '' as $$
begin
  update identity.known_browser set failures = failures + 1, locked_until = case when (failures + 1) % 5 = 0 then now() + interval '15 min' else locked_until end
    where person_id = of_person and device_hash = device;
  if not found then
    update identity.person set failures = failures + 1, locked_until = case when (failures + 1) % 5 = 0 then now() + interval '15 min' else locked_until end
      where id = of_person;
  end if;
end $$;
create function identity.open_session(of_person uuid, token bytea, bound bytea, device bytea, kind smallint, address text, with_browser text, with_system text,
  idle_for interval, at_most interval, begun timestamptz, at_latest timestamptz) returns uuid language plpgsql security definer set search_path = '' as $$
declare of_enterprise integer; made uuid;
begin
  update identity.person set failures = 0, locked_until = null where id = of_person and lock_state = 1 returning enterprise_id into of_enterprise;
  if of_enterprise is null then return null; end if;
  if device is not null then
    insert into identity.known_browser (enterprise_id, person_id, device_hash) values (of_enterprise, of_person, device)
      on conflict on constraint known_browser_pkey do update set failures = 0, locked_until = null, last_at = now();
  end if;
  insert into identity.session (enterprise_id, person_id, token_hash, bound_hash, login_type, ip, browser, user_system, idle, started_at, expires_at)
    values (of_enterprise, of_person, token, bound, kind, address, with_browser, with_system, idle_for, coalesce(begun, now()), least(at_latest, now() + at_most)) returning id into made;
  return made;
end $$;
-- A one-time code is good once, for one person who may still sign in, while the session that made it is open.
create function identity.take_code(code bytea, out person_id uuid, out started_at timestamptz, out expires_at timestamptz) language sql security definer set search_path = '' begin atomic
  with taken as (delete from identity.one_time_code where code_hash = code returning one_time_code.session_id, one_time_code.expires_at)
  select p.id, s.started_at, s.expires_at from taken t join identity.session s on s.id = t.session_id
  join identity.person p on p.enterprise_id = s.enterprise_id and p.id = s.person_id join identity.enterprise e on e.id = p.enterprise_id
  where t.expires_at > now() and s.ended_at is null and s.locked_at is null and s.expires_at > now() and p.lock_state = 1 and e.status = 1; end;

-- Parks of a role's scope: null is all of the enterprise. 1 all, 2 enterprise, 3 department and below, 4 department, 5 own, 6 chosen.
create function identity.parks_of(of_enterprise integer, of_department uuid, scope smallint, chosen text[]) returns text[] stable language sql security definer set search_path = '' begin atomic
  select case when scope in (1, 2) then null when scope = 6 then chosen
    else coalesce((select array_agg(distinct park) from (
      with recursive below as (
        select id from identity.department where enterprise_id = of_enterprise and id = of_department
        union select d.id from identity.department d join below b on d.parent_id = b.id where d.enterprise_id = of_enterprise and scope = 3)
      select unnest(d.parks) as park from identity.department d join below using (id)) q), '{}') end; end;

create function identity.capabilities_of(of_enterprise integer, of_person uuid) returns text[] stable language sql security definer set search_path = '' begin atomic
  with held as (select r.id, r.grants from identity.person_role pr join identity.role r on r.enterprise_id = pr.enterprise_id and r.id = pr.role_id
    where pr.enterprise_id = of_enterprise and pr.person_id = of_person),
  named as (
    select unnest(s.needs) as code from held h join identity.role_resource x on x.enterprise_id = of_enterprise and x.role_id = h.id
      join identity.resource s on s.id = x.resource_id where h.grants = 1
    union select b.capability from held h join identity.role_button x on x.enterprise_id = of_enterprise and x.role_id = h.id
      join identity.button b on b.id = x.button_id where h.grants = 1
    union select c.code from identity.capability c where exists (select from held h where h.grants = 2 or (h.grants = 3 and c.code like '%:view')))
  select coalesce(array_agg(n.code order by n.code), '{}') from named n
  left join identity.capability c on c.code = n.code
  where not coalesce(c.platform_only, true) or identity.runs_platform(of_enterprise); end;
create function identity.touch_sessions(which uuid[]) returns void language sql security definer set search_path = ''
  begin atomic update identity.session set seen_at = now() where id = any (which) and ended_at is null; end;

create function identity.enterprises() returns setof integer stable language sql security definer set search_path = ''
  begin atomic select id from identity.enterprise order by id; end;
create function identity.someone_signs_in() returns boolean stable language sql security definer set search_path = ''
  begin atomic select exists (select from identity.person); end;

-- Whatever decides what somebody may do says so to every process: the next request reads it afresh.
create function identity.said() returns trigger language plpgsql as $$
begin
  perform pg_notify('kerbline', json_build_object('s', 'session', 'd', case
    when tg_level = 'STATEMENT' then '' else coalesce(to_jsonb(new) ->> 'person_id', to_jsonb(new) ->> 'id') end)::text);
  return null;
end $$;
create trigger said after update on identity.session for each row when (new.ended_at is distinct from old.ended_at) execute function identity.said();
create trigger said after update on identity.person for each row
  when ((new.lock_state, new.must_change, new.department_id, new.name) is distinct from (old.lock_state, old.must_change, old.department_id, old.name))
  execute function identity.said();
create trigger said_gone after delete on identity.person for each statement execute function identity.said();
do $$ declare one text; begin
  foreach one in array array['role', 'person_role', 'role_resource', 'role_button', 'resource', 'button', 'capability', 'department', 'enterprise'] loop
    execute format('create trigger said after insert or update or delete on identity.%I for each statement execute function identity.said()', one);
  end loop;
end $$;

create view identity.button_of_menu with (security_invoker = true) as
  select b.id, b.resource_id, r.url as resource_url, r.name as resource_name, r.name_en as resource_name_en, b.code, b.name, b.name_en,
    b.shipped ->> 'name' as shipped_name, b.type, b.capability, b.version
  from identity.button b join identity.resource r on r.id = b.resource_id where not b.retired and not r.retired;
create view identity.staff with (security_invoker = true) as
  select p.id, p.enterprise_id, p.username, p.name, p.staff_no, p.phone, p.email, p.department_id, d.name as department_name, p.lock_state,
    p.must_change, p.demo, p.remark, p.version, p.created_at, p.updated_at,
    coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) order by r.name) from identity.person_role x
      join identity.role r on r.enterprise_id = x.enterprise_id and r.id = x.role_id where x.enterprise_id = p.enterprise_id and x.person_id = p.id), '[]') as roles
  from identity.person p left join identity.department d on d.enterprise_id = p.enterprise_id and d.id = p.department_id;
grant select on identity.button_of_menu, identity.staff to kerbline_app;

-- What a person chose in the console: which columns, how wide, which views. It follows them to any browser.
create table identity.preference (
  enterprise_id integer not null default scope_enterprise(), person_id uuid not null, name text not null, value jsonb not null,
  updated_at timestamptz not null default now(), primary key (enterprise_id, person_id, name),
  foreign key (enterprise_id, person_id) references identity.person (enterprise_id, id) on delete cascade);
select platform.scoped('identity.preference', audited => false, key => 'name');

-- A named search of a list. `shared`: everybody of the enterprise finds it, only its maker changes it.
create table identity.view (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), person_id uuid not null, list text not null, name text not null,
  shared boolean not null default false, criteria jsonb not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, person_id, list, name),
  foreign key (enterprise_id, person_id) references identity.person (enterprise_id, id) on delete cascade);
create index view_of_list on identity.view (enterprise_id, list);
select platform.scoped('identity.view');

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
  update identity.api_key set revoked_at = now(), revoked_by = '⟦platform.system⟧', version = version + 1, updated_at = now() where person_id = of_person and revoked_at is null;
  return true;
end $$;
create function identity.administrator_name(of_person uuid) returns text stable language sql security definer set search_path = '' begin atomic
  select username from identity.person where id = of_person and (select identity.runs_platform(public.scope_enterprise())); end;

-- What came with a company, its own platform for example, is no work that was done in it: it goes with it.
create function identity.dissolve(of_enterprise integer) returns text language plpgsql security definer set search_path = '' as $$
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
create function identity.take_token(token bytea, out person_id uuid, out started_at timestamptz, out expires_at timestamptz) language sql security definer set search_path = '' begin atomic
  with taken as (update identity.session s set ended_at = now(), ended_by = 'exchanged'
    where token_hash = token and bound_hash is null and login_type = 1 and ended_at is null and locked_at is null and s.expires_at > now() and seen_at > now() - idle
    returning s.enterprise_id, s.person_id, s.started_at, s.expires_at)
  select p.id, t.started_at, t.expires_at from taken t join identity.person p on p.enterprise_id = t.enterprise_id and p.id = t.person_id
  join identity.enterprise e on e.id = p.enterprise_id where p.lock_state = 1 and e.status = 1; end;

create policy people on identity.person as restrictive
  using ((select scope_all_people()) or id::text = (select scope_person()) or department_id::text = any ((select scope_departments())::text[]));
create policy people on identity.session as restrictive
  using ((select scope_all_people()) or person_id::text = (select scope_person()) or person_id in (select id from identity.person));

create function identity.below(of_enterprise integer, of_department uuid) returns setof uuid stable language sql security definer set search_path = '' begin atomic
  with recursive below as (
    select id from identity.department where enterprise_id = of_enterprise and id = of_department
    union select d.id from identity.department d join below b on d.parent_id = b.id where d.enterprise_id = of_enterprise)
  select id from below; end;
-- Departments whose people somebody sees by their roles; null is everybody of the enterprise.
create function identity.departments_of(of_enterprise integer, of_person uuid) returns uuid[] stable language sql security definer set search_path = '' begin atomic
  select case when bool_or(r.data_scope in (1, 2, 6)) then null
    when bool_or(r.data_scope = 3) then array(select identity.below(of_enterprise, (select department_id from identity.person where id = of_person)))
    when bool_or(r.data_scope = 4) then array(select department_id from identity.person where id = of_person and department_id is not null)
    else '{}' end
  from identity.person_role x join identity.role r on r.enterprise_id = x.enterprise_id and r.id = x.role_id
  where x.enterprise_id = of_enterprise and x.person_id = of_person; end;

-- What is asked of all people, whoever asks: is somebody left, who is told, what somebody is called.
create function identity.has_administrator() returns boolean stable language sql security definer set search_path = '' begin atomic
  select exists (select from identity.person p where p.enterprise_id = public.scope_enterprise() and p.lock_state = 1
    and identity.capabilities_of(p.enterprise_id, p.id) @> '{identity:role:edit,identity:person:edit}'); end;
create function identity.holders_of(capability text) returns table (id uuid, name text) stable language sql security definer set search_path = '' begin atomic
  select p.id, p.name from identity.person p where p.enterprise_id = public.scope_enterprise() and p.lock_state = 1
    and capability = any (identity.capabilities_of(p.enterprise_id, p.id)) order by p.id; end;
create function identity.name_of(of_person uuid) returns text stable language sql security definer set search_path = ''
  begin atomic select name from identity.person where id = of_person and enterprise_id = public.scope_enterprise(); end;
create function identity.department_has_people(of_department uuid) returns boolean stable language sql security definer set search_path = ''
  begin atomic select exists (select from identity.person where enterprise_id = public.scope_enterprise() and department_id = of_department); end;
-- Somebody holds this role whom the one who asks does not see: to change it would reach further than they do.
create function identity.held_beyond(of_role uuid) returns boolean stable language sql set search_path = '' begin atomic
  select not (select public.scope_all_people()) and exists (select from identity.person_role x where x.enterprise_id = (select public.scope_enterprise()) and x.role_id = of_role
    and not exists (select from identity.person p where p.enterprise_id = x.enterprise_id and p.id = x.person_id)); end;

-- The application reads and writes these through the functions below only: no list can ever show a secret.
create table identity.second_factor (
  person_id uuid primary key references identity.person (id) on delete cascade, secret text not null, confirmed_at timestamptz, last_step bigint,
  created_at timestamptz not null default now());
create table identity.recovery_code (
  person_id uuid not null references identity.person (id) on delete cascade, code_hash bytea not null, primary key (person_id, code_hash));
-- The password was right, the code is still to come: good for five minutes and five tries.
create table identity.sign_in_challenge (
  challenge_hash bytea primary key, person_id uuid not null references identity.person (id) on delete cascade, tries integer not null default 0, expires_at timestamptz not null);
create function identity.has_second_factor(of_person uuid) returns boolean stable language sql security definer set search_path = ''
  begin atomic select exists (select from identity.second_factor where person_id = of_person and confirmed_at is not null); end;
create function identity.second_factor_of(of_person uuid, out secret text, out confirmed_at timestamptz, out recovery_left integer)
stable language sql security definer set search_path = '' begin atomic
  select f.secret, f.confirmed_at, (select count(*)::integer from identity.recovery_code c where c.person_id = f.person_id)
  from identity.second_factor f where f.person_id = of_person; end;
-- Begins anew; one that is confirmed already stays until it is given up.
create function identity.begin_second_factor(of_person uuid, with_secret text) returns boolean language sql security definer set search_path = '' begin atomic
  insert into identity.second_factor as f (person_id, secret) values (of_person, with_secret)
  on conflict (person_id) do update set secret = excluded.secret, created_at = now() where f.confirmed_at is null returning true; end;
-- A code is good once: its time step must lie behind the last one that was taken.
create function identity.take_step(of_person uuid, step bigint, confirms boolean) returns boolean language sql security definer set search_path = '' begin atomic
  update identity.second_factor set last_step = step, confirmed_at = case when confirms then coalesce(confirmed_at, now()) else confirmed_at end
  where person_id = of_person and (last_step is null or last_step < step) and (confirms or confirmed_at is not null) returning true; end;
create function identity.put_recovery_codes(of_person uuid, hashes bytea[]) returns void language sql security definer set search_path = '' begin atomic
  delete from identity.recovery_code where person_id = of_person;
  insert into identity.recovery_code (person_id, code_hash) select of_person, one from unnest(hashes) one; end;
create function identity.take_recovery_code(of_person uuid, hash bytea) returns boolean language sql security definer set search_path = ''
  begin atomic delete from identity.recovery_code where person_id = of_person and code_hash = hash returning true; end;
create function identity.drop_second_factor(of_person uuid) returns boolean language plpgsql security definer set search_path = '' as $$
begin
  if not exists (select from identity.person where id = of_person and enterprise_id = public.scope_enterprise()) then return false; end if;
  delete from identity.recovery_code where person_id = of_person;
  delete from identity.second_factor where person_id = of_person;
  return found;
end $$;
create function identity.put_challenge(of_person uuid, hash bytea, for_length interval) returns void language sql security definer set search_path = '' begin atomic
  delete from identity.sign_in_challenge where person_id = of_person or expires_at < now();
  insert into identity.sign_in_challenge (challenge_hash, person_id, expires_at) values (hash, of_person, now() + for_length); end;
-- Counts the try. No row: there is no such challenge, or it has been tried too often.
create function identity.try_challenge(hash bytea, most integer, out person_id uuid, out username text, out enterprise_id integer)
language sql security definer set search_path = '' begin atomic
  with tried as (update identity.sign_in_challenge set tries = tries + 1 where challenge_hash = hash and expires_at > now() and tries < most returning person_id)
  select p.id, p.username, p.enterprise_id from tried t join identity.person p on p.id = t.person_id; end;
create function identity.end_challenge(hash bytea) returns void language sql security definer set search_path = ''
  begin atomic delete from identity.sign_in_challenge where challenge_hash = hash; end;

-- A key of a program: capabilities that its maker had, of which it has those that its maker still has. Only its hash is kept; `prefix` is what people tell it by.
create table identity.api_key (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), person_id uuid not null, name text not null, prefix text not null,
  key_hash bytea not null unique, capabilities text[] not null check (cardinality(capabilities) between 1 and 200), expires_at timestamptz not null,
  last_used_at timestamptz, last_ip text, revoked_at timestamptz, revoked_by text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  foreign key (enterprise_id, person_id) references identity.person (enterprise_id, id) on delete cascade);
create index api_key_newest on identity.api_key (enterprise_id, created_at, id);
create index api_key_person on identity.api_key (enterprise_id, person_id);
select platform.scoped('identity.api_key', hidden => '{key_hash,last_used_at,last_ip}');
create policy people on identity.api_key as restrictive
  using ((select scope_all_people()) or person_id::text = (select scope_person()) or person_id in (select id from identity.person));
create trigger said after update on identity.api_key for each row when (new.revoked_at is distinct from old.revoked_at) execute function identity.said();

create view identity.api_key_of with (security_invoker = true) as
  select k.id, k.enterprise_id, k.person_id, p.name as person_name, k.name, k.prefix, k.capabilities, k.expires_at, k.last_used_at, k.last_ip, k.revoked_at, k.revoked_by,
    case when k.revoked_at is not null then 3 when k.expires_at <= now() then 2 else 1 end::smallint as state, k.version, k.created_at
  from identity.api_key k join identity.person p on p.enterprise_id = k.enterprise_id and p.id = k.person_id;
grant select on identity.api_key_of to kerbline_app;

-- Parks somebody sees by all their roles together; null is all of the enterprise.
create function identity.parks_seen(of_enterprise integer, of_person uuid) returns text[] stable language sql security definer set search_path = '' begin atomic
  with seen as (select identity.parks_of(of_enterprise, p.department_id, r.data_scope, r.parks) as parks from identity.person_role x
    join identity.role r on r.enterprise_id = x.enterprise_id and r.id = x.role_id join identity.person p on p.id = x.person_id
    where x.enterprise_id = of_enterprise and x.person_id = of_person)
  select case when bool_or(parks is null) then null else coalesce((select array_agg(distinct park) from (select unnest(parks) as park from seen) q), '{}') end from seen; end;

create function identity.key_actor(key bytea, out key_id uuid, out user_id uuid, out user_name text, out enterprise integer, out parks text[], out departments uuid[],
  out capabilities text[], out ends_at timestamptz)
stable language sql security definer set search_path = '' begin atomic
  select k.id, p.id, p.name || ' · ' || k.name, p.enterprise_id, identity.parks_seen(p.enterprise_id, p.id), identity.departments_of(p.enterprise_id, p.id),
    array(select unnest(k.capabilities) intersect select unnest(identity.capabilities_of(p.enterprise_id, p.id))), k.expires_at
  from identity.api_key k join identity.person p on p.enterprise_id = k.enterprise_id and p.id = k.person_id join identity.enterprise e on e.id = p.enterprise_id
  where k.key_hash = key and k.revoked_at is null and k.expires_at > now() and p.lock_state = 1 and not p.must_change and e.status = 1; end;
create function identity.touch_keys(which uuid[], addresses text[]) returns void language sql security definer set search_path = '' begin atomic
  update identity.api_key k set last_used_at = now(), last_ip = u.ip from unnest(which, addresses) as u (id, ip) where k.id = u.id; end;

create or replace view identity.staff with (security_invoker = true) as
  select p.id, p.enterprise_id, p.username, p.name, p.staff_no, p.phone, p.email, p.department_id, d.name as department_name, p.lock_state,
    p.must_change, p.demo, p.remark, p.version, p.created_at, p.updated_at,
    coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) order by r.name) from identity.person_role x
      join identity.role r on r.enterprise_id = x.enterprise_id and r.id = x.role_id where x.enterprise_id = p.enterprise_id and x.person_id = p.id), '[]') as roles,
    identity.has_second_factor(p.id) as second_factor
  from identity.person p left join identity.department d on d.enterprise_id = p.enterprise_id and d.id = p.department_id;

-- What one role gives by itself, to whom it may concern.
create function identity.capabilities_in(of_role uuid) returns text[] stable language sql security definer set search_path = '' begin atomic
  with held as (select id, grants, enterprise_id from identity.role where id = of_role and enterprise_id = public.scope_enterprise()),
  named as (
    select unnest(s.needs) as code from held h join identity.role_resource x on x.enterprise_id = h.enterprise_id and x.role_id = h.id
      join identity.resource s on s.id = x.resource_id where h.grants = 1
    union select b.capability from held h join identity.role_button x on x.enterprise_id = h.enterprise_id and x.role_id = h.id
      join identity.button b on b.id = x.button_id where h.grants = 1
    union select c.code from identity.capability c where exists (select from held h where h.grants = 2 or (h.grants = 3 and c.code like '%:view')))
  select coalesce(array_agg(n.code order by n.code), '{}') from named n left join identity.capability c on c.code = n.code
  where not coalesce(c.platform_only, true) or identity.runs_platform(public.scope_enterprise()); end;

-- Somebody may act for another company than their own where the platform has admitted them. Their rows stay at home; over there they hold roles of that company.
create table identity.guest (
  enterprise_id integer not null default scope_enterprise() references identity.enterprise, person_id uuid not null, home_enterprise_id integer not null,
  admitted_at timestamptz not null default now(), admitted_by text not null, primary key (enterprise_id, person_id),
  foreign key (home_enterprise_id, person_id) references identity.person (enterprise_id, id) on delete cascade, check (enterprise_id <> home_enterprise_id));
select platform.scoped('identity.guest', key => 'person_id');
create table identity.guest_role (
  enterprise_id integer not null default scope_enterprise(), person_id uuid not null, role_id uuid not null, primary key (enterprise_id, person_id, role_id),
  foreign key (enterprise_id, person_id) references identity.guest (enterprise_id, person_id) on delete cascade,
  foreign key (enterprise_id, role_id) references identity.role (enterprise_id, id));
create index guest_role_role on identity.guest_role (enterprise_id, role_id);
select platform.scoped('identity.guest_role', key => 'person_id');
create view identity.held_role with (security_invoker = true) as
  select enterprise_id, person_id, role_id from identity.person_role union all select enterprise_id, person_id, role_id from identity.guest_role;
grant select on identity.held_role to kerbline_app;
do $$ declare one text; begin
  foreach one in array array['guest', 'guest_role'] loop
    execute format('create trigger said after insert or update or delete on identity.%I for each statement execute function identity.said()', one);
  end loop;
end $$;
create index session_acting on identity.session (enterprise_id, acting) where acting is not null;

create or replace function identity.capabilities_of(of_enterprise integer, of_person uuid) returns text[] stable language sql security definer set search_path = '' begin atomic
  with held as (select r.id, r.grants from identity.held_role pr join identity.role r on r.enterprise_id = pr.enterprise_id and r.id = pr.role_id
    where pr.enterprise_id = of_enterprise and pr.person_id = of_person),
  named as (
    select unnest(s.needs) as code from held h join identity.role_resource x on x.enterprise_id = of_enterprise and x.role_id = h.id
      join identity.resource s on s.id = x.resource_id where h.grants = 1
    union select b.capability from held h join identity.role_button x on x.enterprise_id = of_enterprise and x.role_id = h.id
      join identity.button b on b.id = x.button_id where h.grants = 1
    union select c.code from identity.capability c where exists (select from held h where h.grants = 2 or (h.grants = 3 and c.code like '%:view')))
  select coalesce(array_agg(n.code order by n.code), '{}') from named n
  left join identity.capability c on c.code = n.code
  where not coalesce(c.platform_only, true) or identity.runs_platform(of_enterprise); end;
create or replace function identity.parks_seen(of_enterprise integer, of_person uuid) returns text[] stable language sql security definer set search_path = '' begin atomic
  with seen as (select identity.parks_of(of_enterprise, p.department_id, r.data_scope, r.parks) as parks from identity.held_role x
    join identity.role r on r.enterprise_id = x.enterprise_id and r.id = x.role_id join identity.person p on p.id = x.person_id
    where x.enterprise_id = of_enterprise and x.person_id = of_person)
  select case when bool_or(parks is null) then null else coalesce((select array_agg(distinct park) from (select unnest(parks) as park from seen) q), '{}') end from seen; end;
create or replace function identity.departments_of(of_enterprise integer, of_person uuid) returns uuid[] stable language sql security definer set search_path = '' begin atomic
  select case when bool_or(r.data_scope in (1, 2, 6)) then null
    when bool_or(r.data_scope = 3) then array(select identity.below(of_enterprise, (select department_id from identity.person where id = of_person)))
    when bool_or(r.data_scope = 4) then array(select department_id from identity.person where id = of_person and department_id is not null)
    else '{}' end
  from identity.held_role x join identity.role r on r.enterprise_id = x.enterprise_id and r.id = x.role_id
  where x.enterprise_id = of_enterprise and x.person_id = of_person; end;
create function identity.asks_second_factor(of_enterprise integer, of_person uuid) returns boolean stable language sql security definer set search_path = '' begin atomic
  select (select second_factor from identity.enterprise where id = of_enterprise) or exists (select from identity.held_role x
    join identity.role r on r.enterprise_id = x.enterprise_id and r.id = x.role_id
    where x.enterprise_id = of_enterprise and x.person_id = of_person and r.second_factor); end;

-- For whom the actor behind a token acts: over there only as long as they are admitted and that company is active.
create function identity.session_actor(token bytea, bound bytea, out session_id uuid, out user_id uuid, out user_name text, out enterprise integer,
  out parks text[], out capabilities text[], out ends_at timestamptz, out idle_s integer, out is_bound boolean)
stable language sql security definer set search_path = '' begin atomic
  select s.id, p.id, p.name, a.id, identity.parks_seen(a.id, p.id),
    case when p.must_change or (s.login_type <> 3 and identity.asks_second_factor(a.id, p.id) and not identity.has_second_factor(p.id)) then '{}'
      else identity.capabilities_of(a.id, p.id) end,
    s.expires_at, extract(epoch from s.idle)::integer, s.bound_hash is not null
  from identity.session s join identity.person p on p.enterprise_id = s.enterprise_id and p.id = s.person_id join identity.enterprise e on e.id = p.enterprise_id
    join identity.enterprise a on a.id = coalesce(s.acting, p.enterprise_id)
  where s.token_hash = token and s.ended_at is null and s.expires_at > now() and s.seen_at > now() - s.idle
    and (s.bound_hash is null or s.bound_hash = bound) and p.lock_state = 1 and e.status = 1 and a.status = 1
    and (s.acting is null or exists (select from identity.guest g where g.enterprise_id = s.acting and g.person_id = p.id)); end;

-- What is one's own wherever one acts: who one is, one's sessions, the companies one can act for. The ids are those of the session that asks.
create function identity.own_account(of_person uuid, of_session uuid, out name text, out username text, out must_change boolean, out home integer, out started_at timestamptz, out login_type smallint)
stable language sql security definer set search_path = '' begin atomic
  select p.name, p.username, p.must_change, p.enterprise_id, s.started_at, s.login_type from identity.person p
  left join identity.session s on s.id = of_session and s.person_id = p.id where p.id = of_person; end;
create function identity.accounts_of(of_person uuid) returns table (id integer, name text) stable language sql security definer set search_path = '' begin atomic
  select e.id, e.name from identity.enterprise e join identity.person p on p.id = of_person
  where e.status = 1 and (e.id = p.enterprise_id or exists (select from identity.guest g where g.enterprise_id = e.id and g.person_id = p.id))
  order by e.id <> p.enterprise_id, e.id; end;
create function identity.own_sessions(of_person uuid) returns table (id uuid, started_at timestamptz, seen_at timestamptz, expires_at timestamptz, ip text, browser text, user_system text)
stable language sql security definer set search_path = '' begin atomic
  select s.id, s.started_at, s.seen_at, s.expires_at, s.ip, s.browser, s.user_system from identity.session s
  where s.person_id = of_person and s.ended_at is null and s.expires_at > now() and s.seen_at > now() - s.idle order by s.seen_at desc limit 100; end;
create function identity.end_own_sessions(of_person uuid, which uuid, but uuid, why text) returns integer language sql security definer set search_path = '' begin atomic
  with ended as (update identity.session set ended_at = now(), ended_by = why where person_id = of_person and ended_at is null and (which is null or id = which) and id is distinct from but returning 1)
  select count(*)::integer from ended; end;

-- The session of now ends and one for another company begins; it lasts no longer than the first would have.
create function identity.switch_session(of_session uuid, to_enterprise integer, token bytea, bound bytea) returns uuid language plpgsql security definer set search_path = '' as $$
declare was identity.session; made uuid;
begin
  select * into was from identity.session where id = of_session and ended_at is null for update;
  if was.id is null or not exists (select from identity.accounts_of(was.person_id) a where a.id = to_enterprise) then return null; end if;
  update identity.session set ended_at = now(), ended_by = 'switched' where id = was.id;
  insert into identity.session (enterprise_id, person_id, token_hash, bound_hash, login_type, ip, browser, user_system, idle, expires_at, started_at, acting)
    values (was.enterprise_id, was.person_id, token, bound, was.login_type, was.ip, was.browser, was.user_system, was.idle, was.expires_at, was.started_at,
      nullif(to_enterprise, was.enterprise_id)) returning id into made;
  return made;
end $$;

-- The platform admits one of its own people to another company, as one of its administrators.
create function identity.admit(to_enterprise integer, of_person uuid, role_name text, by_name text) returns boolean language plpgsql security definer set search_path = '' as $$
declare of_role uuid;
begin
  if not identity.runs_platform(public.scope_enterprise()) or to_enterprise = public.scope_enterprise()
    or not exists (select from identity.enterprise where id = to_enterprise)
    or not exists (select from identity.person where id = of_person and enterprise_id = public.scope_enterprise()) then return false; end if;
  insert into identity.role (enterprise_id, name, grants, data_scope, built_in) values (to_enterprise, role_name, 2, 2, true) on conflict (enterprise_id, name) do nothing;
  select id into of_role from identity.role where enterprise_id = to_enterprise and name = role_name;
  insert into identity.guest (enterprise_id, person_id, home_enterprise_id, admitted_by) values (to_enterprise, of_person, public.scope_enterprise(), by_name)
    on conflict do nothing;
  insert into identity.guest_role (enterprise_id, person_id, role_id) values (to_enterprise, of_person, of_role) on conflict do nothing;
  return true;
end $$;
-- By the platform, or by the company itself.
create function identity.dismiss(from_enterprise integer, of_person uuid) returns boolean language plpgsql security definer set search_path = '' as $$
begin
  if not identity.looks_after(from_enterprise) then return false; end if;
  delete from identity.guest where enterprise_id = from_enterprise and person_id = of_person;
  if not found then return false; end if;
  update identity.session set ended_at = now(), ended_by = 'dismissed' where person_id = of_person and acting = from_enterprise and ended_at is null;
  return true;
end $$;
create function identity.guests_of(of_enterprise integer) returns table (id uuid, username text, name text, home text, admitted_at timestamptz, admitted_by text)
stable language sql security definer set search_path = '' begin atomic
  select p.id, p.username, p.name, e.name, g.admitted_at, g.admitted_by from identity.guest g join identity.person p on p.id = g.person_id
  join identity.enterprise e on e.id = p.enterprise_id where g.enterprise_id = of_enterprise and (select identity.looks_after(of_enterprise)) order by g.admitted_at; end;

-- What somebody likes to see in a list is theirs in every company that they act for.
alter table identity.preference drop constraint preference_enterprise_id_person_id_fkey, add foreign key (person_id) references identity.person (id) on delete cascade;
alter table identity.view drop constraint view_enterprise_id_person_id_fkey, add foreign key (person_id) references identity.person (id) on delete cascade;

-- Signing in through a company's own identity provider (OpenID Connect), where one is configured.
-- One attempt: between sending a browser there and its coming back. Good once, in that browser, for ten minutes.
create table identity.oidc_flow (
  state_hash bytea primary key, browser_hash bytea not null, verifier text not null, nonce text not null, expires_at timestamptz not null);
create function identity.begin_oidc(state bytea, browser bytea, with_verifier text, with_nonce text) returns void language sql security definer set search_path = '' begin atomic
  delete from identity.oidc_flow where expires_at < now();
  insert into identity.oidc_flow values (state, browser, with_verifier, with_nonce, now() + interval '10 min'); end;
create function identity.take_oidc(state bytea, browser bytea, out verifier text, out nonce text) language sql security definer set search_path = '' begin atomic
  delete from identity.oidc_flow where state_hash = state and browser_hash = browser and expires_at > now() returning verifier, nonce; end;

-- Who somebody is over there, once they have come: a changed name here or there changes nothing.
create table identity.oidc_subject (
  enterprise_id integer not null default scope_enterprise(), issuer text not null, subject text not null, person_id uuid not null, created_at timestamptz not null default now(),
  primary key (enterprise_id, issuer, subject), foreign key (enterprise_id, person_id) references identity.person (enterprise_id, id) on delete cascade);
select platform.scoped('identity.oidc_subject', key => 'person_id');
-- The person of this enterprise whom the provider means: known by subject, or for the first time by the name that its claim says. Never somebody new.
create function identity.person_of_subject(of_enterprise integer, by_issuer text, of_subject text, by_name text, out person_id uuid, out username text)
language plpgsql security definer set search_path = '' as $$
begin
  select p.id, p.username into person_id, username from identity.oidc_subject s join identity.person p on p.enterprise_id = s.enterprise_id and p.id = s.person_id
    join identity.enterprise e on e.id = p.enterprise_id
    where s.enterprise_id = of_enterprise and s.issuer = by_issuer and s.subject = of_subject and p.lock_state = 1 and e.status = 1;
  if person_id is not null or by_name is null
    or exists (select from identity.oidc_subject s where s.enterprise_id = of_enterprise and s.issuer = by_issuer and s.subject = of_subject) then return; end if;
  select p.id, p.username into person_id, username from identity.person p join identity.enterprise e on e.id = p.enterprise_id
    where p.enterprise_id = of_enterprise and lower(p.username) = lower(by_name) and p.lock_state = 1 and e.status = 1
      and not exists (select from identity.oidc_subject s where s.enterprise_id = of_enterprise and s.issuer = by_issuer and s.person_id = p.id);
  if person_id is not null then
    insert into identity.oidc_subject (enterprise_id, issuer, subject, person_id) values (of_enterprise, by_issuer, of_subject, person_id) on conflict do nothing;
    -- At the same moment the subject may have become somebody else's, or somebody else this person.
    if not found and not exists (select from identity.oidc_subject s
      where s.enterprise_id = of_enterprise and s.issuer = by_issuer and s.subject = of_subject and s.person_id = person_of_subject.person_id) then person_id := null; end if;
  end if;
end $$;

-- A company's own directory (LDAP), by which its people may sign in. The password of its account is encrypted under a key that lies beside the database.
create table identity.directory (
  enterprise_id integer primary key default scope_enterprise() references identity.enterprise, in_use boolean not null, name text not null, host text not null,
  port integer not null check (port between 1 and 65535), encryption smallint not null check (encryption in (1, 2, 3)), ca text, bind_dn text not null, secret text not null,
  base_dn text not null, filter text not null, username_attribute text not null, name_attribute text, mail_attribute text, by_name boolean not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
select platform.scoped('identity.directory', key => 'enterprise_id', hidden => '{secret}');
create function identity.directories_offered() returns table (enterprise integer, name text) stable language sql security definer set search_path = '' begin atomic
  select d.enterprise_id, d.name from identity.directory d join identity.enterprise e on e.id = d.enterprise_id where d.in_use and e.status = 1 order by d.enterprise_id limit 20; end;
create function identity.directory_of(of_enterprise integer) returns setof identity.directory stable language sql security definer set search_path = '' begin atomic
  select d.* from identity.directory d join identity.enterprise e on e.id = d.enterprise_id where d.enterprise_id = of_enterprise and d.in_use and e.status = 1; end;
-- Whom `person_of_subject` would let in, with nothing written: known by subject, or by a name that no other subject has taken. Locks are not looked at.
create function identity.username_of_subject(of_enterprise integer, by_issuer text, of_subject text, by_name text) returns text stable language sql security definer set search_path = '' begin atomic
  select p.username from identity.person p left join identity.oidc_subject s on s.enterprise_id = p.enterprise_id and s.issuer = by_issuer and s.person_id = p.id
  where p.enterprise_id = of_enterprise and (s.subject = of_subject or (s.subject is null and lower(p.username) = lower(by_name)
    and not exists (select from identity.oidc_subject o where o.enterprise_id = of_enterprise and o.issuer = by_issuer and o.subject = of_subject))); end;
create unique index oidc_subject_person on identity.oidc_subject (enterprise_id, issuer, person_id);
create view identity.directory_link with (security_invoker = true) as
  select p.id, p.enterprise_id, p.username, p.name, s.created_at from identity.oidc_subject s
  join identity.person p on p.enterprise_id = s.enterprise_id and p.id = s.person_id where s.issuer = 'ldap';
grant select on identity.directory_link to kerbline_app;

-- The settings of how long a session lasts hold for those that run, too: what is over already stays over. A plain client's session, bound to no browser, has an end of its own.
create function identity.limit_sessions(idle_for interval, at_most interval, unbound_at_most interval) returns void language sql security definer set search_path = '' begin atomic
  update identity.session set idle = idle_for, expires_at = started_at + case when bound_hash is null then unbound_at_most else at_most end
  where ended_at is null and expires_at > now() and seen_at > now() - idle; end;

-- Whether somebody who is known in other browsers signs in from one in which they never did; and whose person this is, for what has to be told to them.
create function identity.strange_browser(of_person uuid, device bytea, out enterprise_id integer, out strange boolean) stable language sql security definer set search_path = '' begin atomic
  select p.enterprise_id, device is not null and exists (select from identity.known_browser b where b.enterprise_id = p.enterprise_id and b.person_id = p.id)
    and not exists (select from identity.known_browser b where b.enterprise_id = p.enterprise_id and b.person_id = p.id and b.device_hash = device)
  from identity.person p where p.id = of_person; end;

-- What signing in leaves behind, and which page was opened how often: each for as long as somebody may still ask for it.
create function identity.forget_old_sessions() returns void language sql security definer set search_path = '' begin atomic
  delete from identity.session where expires_at < now() - interval '30 days';
  delete from identity.one_time_code where expires_at < now();
  delete from identity.sign_in_challenge where expires_at < now();
  delete from identity.sign_in_try where since < now() - interval '1 day';
  delete from identity.known_browser where last_at < now() - interval '180 days';
  delete from identity.click_record where at < now() - interval '90 days'; end;

-- Who of the platform's people wrote a row that all enterprises read is nobody else's business: to others it was the platform (null).
create function platform.author_shown(name text) returns text stable language sql security definer set search_path = ''
  begin atomic select case when identity.runs_platform(public.scope_enterprise()) then name end; end;
-- Changes of common rows stand in the log of the platform's enterprise; the oldest stand under none.
create function platform.history(of text[], which text, common boolean, most integer) returns setof platform.change stable language sql security definer set search_path = '' begin atomic
  select c.id, c.enterprise_id, c.at, c.park_code, case when common then platform.author_shown(c.author_id) else c.author_id end,
    case when common then platform.author_shown(c.author_name) else c.author_name end, c.via, c.request_id, c.entity, c.row_id, c.event, c.before, c.after, c.reason
  from platform.change c
  where c.enterprise_id = any (case when common then array(select 0 union all select e.id from identity.enterprise e where e.platform) else array[public.scope_enterprise()] end)
    and c.entity = any (of) and c.row_id = which
    and (c.park_code is null or public.scope_all_parks() or c.park_code = any (public.scope_parks()))
  order by c.id desc limit most; end;
create function identity.session_locked(which uuid) returns boolean stable language sql security definer set search_path = ''
  begin atomic select locked_at is not null from identity.session where id = which; end;
create trigger said_locked after update on identity.session for each row when (new.locked_at is distinct from old.locked_at) execute function identity.said();

-- A person is found by the beginning of what is known of them; each way by an index of its own, within the enterprise.
create index person_staff_no on identity.person (enterprise_id, staff_no);
create index person_phone on identity.person (enterprise_id, phone);
create index person_name on identity.person (enterprise_id, name);
create index person_login on identity.person (enterprise_id, username);

-- What is not lost when somebody deletes it by mistake.
select platform.binned('identity.person', title => 'name', parts => '{identity.person_role,person_id}');
select platform.binned('identity.role', title => 'name', parts => '{identity.role_resource,role_id,identity.role_button,role_id}');
select platform.binned('identity.department', title => 'name');

-- What was once refused because it was over stays so, even when the machine's clock is put back to a time at which it was not.
create function identity.end_if_over(token bytea) returns void language sql security definer set search_path = ''
  begin atomic update identity.session set ended_at = now(), ended_by = 'over'
  where token_hash = token and ended_at is null and (expires_at <= now() or seen_at <= now() - idle); end;
select platform.binned('identity.resource', title => 'name');
select platform.binned('identity.button', title => 'name');

-- Somebody as they are now, without a session: what is done in their name later is done with the rights that they have then. Nothing for whoever may not sign in.
create function identity.person_actor(person uuid, out user_name text, out parks text[], out departments uuid[], out capabilities text[])
stable language sql security definer set search_path = '' begin atomic
  select p.name, identity.parks_seen(a.id, p.id), identity.departments_of(a.id, p.id),
    case when p.must_change or (identity.asks_second_factor(a.id, p.id) and not identity.has_second_factor(p.id)) then '{}' else identity.capabilities_of(a.id, p.id) end
  from identity.person p join identity.enterprise e on e.id = p.enterprise_id join identity.enterprise a on a.id = public.scope_enterprise()
  where p.id = person and p.lock_state = 1 and e.status = 1 and a.status = 1
    and (p.enterprise_id = a.id or exists (select from identity.guest g where g.enterprise_id = a.id and g.person_id = p.id)); end;

-- The end of a person's own number: with their name and the time it stands over what they look at, wherever they act.
create function identity.own_phone_ending(person uuid) returns text stable language sql security definer set search_path = '' begin atomic
  select right(p.phone, 4) from identity.person p where p.id = person and length(p.phone) > 4; end;

-- Whether somebody of the scope's enterprise may see what lies in a park; without a park only whoever sees all of them.
create function identity.sees_park(of_person uuid, park text) returns boolean stable language sql security definer set search_path = '' begin atomic
  select coalesce(bool_or(q.parks is null or park = any (q.parks)), false) from (
    select identity.parks_of(p.enterprise_id, p.department_id, r.data_scope, r.parks) as parks from identity.person p
      join identity.person_role pr on pr.enterprise_id = p.enterprise_id and pr.person_id = p.id join identity.role r on r.enterprise_id = pr.enterprise_id and r.id = pr.role_id
    where p.enterprise_id = public.scope_enterprise() and p.id = of_person) q; end;

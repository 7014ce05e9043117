-- Who may sign in, what they may do and which parks they see.
create schema identity;
select platform.opened('identity');

-- A company on the platform. The one that runs the platform looks after the others as companies; their rows stay their own.
create table identity.enterprise (
  id integer primary key, name text not null unique, parent_id integer references identity.enterprise, platform boolean not null default false,
  contact text, phone text, address text, status smallint not null default 1 check (status in (1, 2)),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
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
create table identity.role (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise() references identity.enterprise,
  name text not null, remark text, grants smallint not null default 1 check (grants in (1, 2, 3)),
  data_scope smallint not null default 2 check (data_scope between 1 and 6), parks text[] not null default '{}', built_in boolean not null default false,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
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
  component text not null default '', func_code text not null default '', icon text, level integer not null, sort integer not null default 0,
  hidden boolean not null default false, retired boolean not null default false, needs text[] not null default '{}', shipped jsonb,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
select platform.shared('identity.resource');
create table identity.button (
  id uuid primary key default uuidv7(), resource_id uuid not null references identity.resource, code text not null, name text not null, name_en text not null,
  capability text not null, retired boolean not null default false, shipped jsonb,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), unique (resource_id, code));
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
create table identity.session (
  id uuid primary key default uuidv7(), enterprise_id integer not null, person_id uuid not null, token_hash bytea not null unique, bound_hash bytea,
  login_type smallint not null, ip text not null, browser text, user_system text,
  started_at timestamptz not null default now(), seen_at timestamptz not null default now(), idle interval not null, expires_at timestamptz not null,
  ended_at timestamptz, ended_by text, foreign key (enterprise_id, person_id) references identity.person (enterprise_id, id) on delete cascade);
create index session_open on identity.session (enterprise_id, person_id) where ended_at is null;
create index session_old on identity.session (expires_at);
select platform.scoped('identity.session', audited => false);
create table identity.one_time_code (
  code_hash bytea primary key, enterprise_id integer not null, person_id uuid not null, expires_at timestamptz not null,
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
  on conflict (what) do update set tries = case when t.since < now() - window_length then 1 else t.tries + 1 end, since = case when t.since < now() - window_length then now() else t.since end
  returning tries; end;
create function identity.tries_of(which bytea, window_length interval) returns integer stable language sql security definer set search_path = ''
  begin atomic select coalesce(max(tries), 0) from identity.sign_in_try where what = which and since >= now() - window_length; end;
create function identity.forget_tries(which bytea) returns void language sql security definer set search_path = ''
  begin atomic delete from identity.sign_in_try where what = which; end;

-- What signing in has to know of a name. No row: no such name. `locked` counts for the browser that asks.
create function identity.sign_in_facts(wanted text, device bytea, out enterprise_id integer, out person_id uuid, out password_hash text, out locked boolean, out known boolean)
stable language sql security definer set search_path = '' begin atomic
  select p.enterprise_id, p.id, p.password_hash,
    p.lock_state = 2 or e.status = 2 or coalesce(case when b.person_id is null then p.locked_until else b.locked_until end > now(), false), b.person_id is not null
  from identity.person p join identity.enterprise e on e.id = p.enterprise_id
  left join identity.known_browser b on b.enterprise_id = p.enterprise_id and b.person_id = p.id and b.device_hash = device
  where lower(p.username) = lower(wanted); end;

-- Five failures lock for a quarter of an hour: the person for strangers, or one known browser for itself.
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
  idle_for interval, at_most interval) returns uuid language plpgsql security definer set search_path = '' as $$
declare of_enterprise integer; made uuid;
begin
  update identity.person set failures = 0, locked_until = null where id = of_person and lock_state = 1 returning enterprise_id into of_enterprise;
  if of_enterprise is null then return null; end if;
  if device is not null then
    insert into identity.known_browser (enterprise_id, person_id, device_hash) values (of_enterprise, of_person, device)
      on conflict on constraint known_browser_pkey do update set failures = 0, locked_until = null, last_at = now();
  end if;
  insert into identity.session (enterprise_id, person_id, token_hash, bound_hash, login_type, ip, browser, user_system, idle, expires_at)
    values (of_enterprise, of_person, token, bound, kind, address, with_browser, with_system, idle_for, now() + at_most) returning id into made;
  return made;
end $$;

-- A one-time code is good once and for one person who may still sign in.
create function identity.take_code(code bytea) returns uuid language sql security definer set search_path = '' begin atomic
  with taken as (delete from identity.one_time_code where code_hash = code returning enterprise_id, person_id, expires_at)
  select p.id from taken t join identity.person p on p.enterprise_id = t.enterprise_id and p.id = t.person_id join identity.enterprise e on e.id = p.enterprise_id
  where t.expires_at > now() and p.lock_state = 1 and e.status = 1; end;

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

-- The actor behind a token, or no row. A password that must be changed first leaves its owner with nothing but the calls open to everybody signed in.
create function identity.session_actor(token bytea, bound bytea, out session_id uuid, out user_id uuid, out user_name text, out enterprise integer,
  out parks text[], out capabilities text[], out ends_at timestamptz, out idle_s integer, out is_bound boolean)
stable language sql security definer set search_path = '' begin atomic
  select s.id, p.id, p.name, p.enterprise_id,
    (select case when bool_or(q.parks is null) then null else coalesce((select array_agg(distinct park) from (select unnest(r.parks) as park from (
        select identity.parks_of(p.enterprise_id, p.department_id, ro.data_scope, ro.parks) as parks from identity.person_role pr
        join identity.role ro on ro.enterprise_id = pr.enterprise_id and ro.id = pr.role_id where pr.enterprise_id = p.enterprise_id and pr.person_id = p.id) r) u), '{}') end
      from (select identity.parks_of(p.enterprise_id, p.department_id, ro.data_scope, ro.parks) as parks from identity.person_role pr
        join identity.role ro on ro.enterprise_id = pr.enterprise_id and ro.id = pr.role_id where pr.enterprise_id = p.enterprise_id and pr.person_id = p.id) q),
    case when p.must_change then '{}' else identity.capabilities_of(p.enterprise_id, p.id) end,
    s.expires_at, extract(epoch from s.idle)::integer, s.bound_hash is not null
  from identity.session s join identity.person p on p.enterprise_id = s.enterprise_id and p.id = s.person_id join identity.enterprise e on e.id = p.enterprise_id
  where s.token_hash = token and s.ended_at is null and s.expires_at > now() and s.seen_at > now() - s.idle
    and (s.bound_hash is null or s.bound_hash = bound) and p.lock_state = 1 and e.status = 1; end;
create function identity.touch_sessions(which uuid[]) returns void language sql security definer set search_path = ''
  begin atomic update identity.session set seen_at = now() where id = any (which) and ended_at is null; end;

create function identity.enterprises() returns setof integer stable language sql security definer set search_path = ''
  begin atomic select id from identity.enterprise order by id; end;
create function identity.someone_signs_in() returns boolean stable language sql security definer set search_path = ''
  begin atomic select exists (select from identity.person); end;
create function identity.forget_old_sessions() returns void language sql security definer set search_path = '' begin atomic
  delete from identity.session where expires_at < now() - interval '30 days';
  delete from identity.one_time_code where expires_at < now();
  delete from identity.sign_in_try where since < now() - interval '1 day';
  delete from identity.known_browser where last_at < now() - interval '180 days'; end;

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
  select b.id, b.resource_id, r.url as resource_url, r.name as resource_name, r.name_en as resource_name_en, b.code, b.name, b.name_en, b.capability, b.version
  from identity.button b join identity.resource r on r.id = b.resource_id where not b.retired and not r.retired;
create view identity.staff with (security_invoker = true) as
  select p.id, p.enterprise_id, p.username, p.name, p.staff_no, p.phone, p.email, p.department_id, d.name as department_name, p.lock_state,
    p.must_change, p.demo, p.remark, p.version, p.created_at, p.updated_at,
    coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) order by r.name) from identity.person_role x
      join identity.role r on r.enterprise_id = x.enterprise_id and r.id = x.role_id where x.enterprise_id = p.enterprise_id and x.person_id = p.id), '[]') as roles
  from identity.person p left join identity.department d on d.enterprise_id = p.enterprise_id and d.id = p.department_id;
grant select on identity.button_of_menu, identity.staff to kerbline_app;

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

-- The session says for whom its person acts; null is their own company. A company's administrators see and end the sessions of whoever acts for it.
alter table identity.session add acting integer references identity.enterprise;
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
create or replace function identity.asks_second_factor(of_enterprise integer, of_person uuid) returns boolean stable language sql security definer set search_path = '' begin atomic
  select (select second_factor from identity.enterprise where id = of_enterprise) or exists (select from identity.held_role x
    join identity.role r on r.enterprise_id = x.enterprise_id and r.id = x.role_id
    where x.enterprise_id = of_enterprise and x.person_id = of_person and r.second_factor); end;

-- For whom the actor behind a token acts: over there only as long as they are admitted and that company is active.
create or replace function identity.session_actor(token bytea, bound bytea, out session_id uuid, out user_id uuid, out user_name text, out enterprise integer,
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

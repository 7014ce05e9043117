-- A second factor (RFC 6238) beside the password, and keys for programs: two more ways in, each with its own rules.
alter table identity.role add second_factor boolean not null default false;
alter table identity.enterprise add second_factor boolean not null default false;

-- The application reads and writes these through the functions below only: no list can ever show a secret.
create table identity.second_factor (
  person_id uuid primary key references identity.person (id) on delete cascade, secret text not null, confirmed_at timestamptz, last_step bigint,
  created_at timestamptz not null default now());
create table identity.recovery_code (
  person_id uuid not null references identity.person (id) on delete cascade, code_hash bytea not null, primary key (person_id, code_hash));
-- The password was right, the code is still to come: good for five minutes and five tries.
create table identity.sign_in_challenge (
  challenge_hash bytea primary key, person_id uuid not null references identity.person (id) on delete cascade, tries integer not null default 0, expires_at timestamptz not null);

create function identity.asks_second_factor(of_enterprise integer, of_person uuid) returns boolean stable language sql security definer set search_path = '' begin atomic
  select (select second_factor from identity.enterprise where id = of_enterprise) or exists (select from identity.person_role x
    join identity.role r on r.enterprise_id = x.enterprise_id and r.id = x.role_id
    where x.enterprise_id = of_enterprise and x.person_id = of_person and r.second_factor); end;
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

-- As before, and: whoever has to have a second factor and has none yet may do nothing but get one. A session that a company's own identity provider opened has that company's.
create or replace function identity.session_actor(token bytea, bound bytea, out session_id uuid, out user_id uuid, out user_name text, out enterprise integer,
  out parks text[], out capabilities text[], out ends_at timestamptz, out idle_s integer, out is_bound boolean)
stable language sql security definer set search_path = '' begin atomic
  select s.id, p.id, p.name, p.enterprise_id, identity.parks_seen(p.enterprise_id, p.id),
    case when p.must_change or (s.login_type <> 3 and identity.asks_second_factor(p.enterprise_id, p.id) and not identity.has_second_factor(p.id)) then '{}'
      else identity.capabilities_of(p.enterprise_id, p.id) end,
    s.expires_at, extract(epoch from s.idle)::integer, s.bound_hash is not null
  from identity.session s join identity.person p on p.enterprise_id = s.enterprise_id and p.id = s.person_id join identity.enterprise e on e.id = p.enterprise_id
  where s.token_hash = token and s.ended_at is null and s.expires_at > now() and s.seen_at > now() - s.idle
    and (s.bound_hash is null or s.bound_hash = bound) and p.lock_state = 1 and e.status = 1; end;

create or replace view identity.staff with (security_invoker = true) as
  select p.id, p.enterprise_id, p.username, p.name, p.staff_no, p.phone, p.email, p.department_id, d.name as department_name, p.lock_state,
    p.must_change, p.demo, p.remark, p.version, p.created_at, p.updated_at,
    coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) order by r.name) from identity.person_role x
      join identity.role r on r.enterprise_id = x.enterprise_id and r.id = x.role_id where x.enterprise_id = p.enterprise_id and x.person_id = p.id), '[]') as roles,
    identity.has_second_factor(p.id) as second_factor
  from identity.person p left join identity.department d on d.enterprise_id = p.enterprise_id and d.id = p.department_id;
create or replace function identity.forget_old_sessions() returns void language sql security definer set search_path = '' begin atomic
  delete from identity.session where expires_at < now() - interval '30 days';
  delete from identity.one_time_code where expires_at < now();
  delete from identity.sign_in_challenge where expires_at < now();
  delete from identity.sign_in_try where since < now() - interval '1 day';
  delete from identity.known_browser where last_at < now() - interval '180 days'; end;

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

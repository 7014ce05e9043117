-- A session that came of another one is as old as that one, and ends when it would have ended.
alter table identity.one_time_code add column session_id uuid not null;

drop function identity.take_code(bytea);
drop function identity.take_token(bytea);
-- A one-time code is good once, for one person who may still sign in, while the session that made it is open.
create function identity.take_code(code bytea, out person_id uuid, out started_at timestamptz, out expires_at timestamptz) language sql security definer set search_path = '' begin atomic
  with taken as (delete from identity.one_time_code where code_hash = code returning one_time_code.session_id, one_time_code.expires_at)
  select p.id, s.started_at, s.expires_at from taken t join identity.session s on s.id = t.session_id
  join identity.person p on p.enterprise_id = s.enterprise_id and p.id = s.person_id join identity.enterprise e on e.id = p.enterprise_id
  where t.expires_at > now() and s.ended_at is null and s.expires_at > now() and p.lock_state = 1 and e.status = 1; end;
create function identity.take_token(token bytea, out person_id uuid, out started_at timestamptz, out expires_at timestamptz) language sql security definer set search_path = '' begin atomic
  with taken as (update identity.session s set ended_at = now(), ended_by = 'exchanged'
    where token_hash = token and bound_hash is null and login_type = 1 and ended_at is null and s.expires_at > now() and seen_at > now() - idle
    returning s.enterprise_id, s.person_id, s.started_at, s.expires_at)
  select p.id, t.started_at, t.expires_at from taken t join identity.person p on p.enterprise_id = t.enterprise_id and p.id = t.person_id
  join identity.enterprise e on e.id = p.enterprise_id where p.lock_state = 1 and e.status = 1; end;

-- `begun` and `at_latest` are those of the session that it comes of.
drop function identity.open_session(uuid, bytea, bytea, bytea, smallint, text, text, text, interval, interval);
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

-- A driver's own door: a code by text message opens a session that sees what is theirs, and nothing else.

-- The driver whose session asks, as `scope.people` names a guest; null for everybody else.
create function scope_driver() returns uuid stable parallel safe language sql return substring(coalesce(current_setting('scope.people', true), '') from '^driver:(.+)$')::uuid;

-- Codes that were sent. The last one of a telephone is good, once, until it is over or was tried too often.
create table owner.door_code (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), phone text not null, code_hash bytea not null, address text not null,
  sent_at timestamptz not null, expires_at timestamptz not null, tries smallint not null default 0 check (tries between 0 and 5), used_at timestamptz, primary key (enterprise_id, id),
  constraint over_after_sent check (expires_at > sent_at));
create index door_code_phone on owner.door_code (enterprise_id, phone, sent_at desc);
create index door_code_address on owner.door_code (enterprise_id, address, sent_at desc);
create index door_code_sent on owner.door_code (enterprise_id, sent_at);
select platform.scoped('owner.door_code', audited => false);

create table owner.session (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), owner_id uuid not null, token_hash bytea not null, ip text not null,
  started_at timestamptz not null, seen_at timestamptz not null, expires_at timestamptz not null, ended_at timestamptz, primary key (enterprise_id, id),
  foreign key (enterprise_id, owner_id) references owner.account (enterprise_id, id), constraint ends_after_start check (expires_at > started_at));
create unique index session_token on owner.session (token_hash);
create index session_owner on owner.session (enterprise_id, owner_id);
create index session_expires on owner.session (enterprise_id, expires_at);
select platform.scoped('owner.session', audited => false);

-- The company whose door it is, by its number; nothing where there is none, or it is closed.
create function owner.door_of(company integer) returns text stable language sql security definer set search_path = '' begin atomic
  select name from identity.enterprise where id = company and status = 1; end;
-- The driver behind a token, or no row. An owner who is locked, merged or erased is signed in no more.
create function owner.session_actor(token bytea, idle interval, out session_id uuid, out owner_id uuid, out nickname text, out enterprise integer)
language plpgsql security definer set search_path = '' as $$
begin
  select s.id, a.id, a.nickname, a.enterprise_id into session_id, owner_id, nickname, enterprise
    from owner.session s join owner.account a on a.enterprise_id = s.enterprise_id and a.id = s.owner_id join identity.enterprise e on e.id = s.enterprise_id
    where s.token_hash = token and s.ended_at is null and s.expires_at > now() and s.seen_at > now() - idle and a.status = 1 and e.status = 1;
  update owner.session s set seen_at = now() where s.id = session_id and s.seen_at < now() - interval '5 minutes';
end $$;
grant execute on function owner.door_of(integer), owner.session_actor(bytea, interval) to kerbline_app;

-- What a driver's session sees of these tables is their own.
create policy own on owner.account as restrictive using ((select scope_driver()) is null or id = (select scope_driver()));
create policy own on owner.car as restrictive using ((select scope_driver()) is null or owner_id = (select scope_driver()));
create policy own on owner.purse as restrictive using ((select scope_driver()) is null or owner_id = (select scope_driver()));
create policy own on owner.movement as restrictive using ((select scope_driver()) is null or owner_id = (select scope_driver()));
create policy own on owner.recharge as restrictive using ((select scope_driver()) is null or owner_id = (select scope_driver()));
create policy own on owner.card as restrictive using ((select scope_driver()) is null or owner_id = (select scope_driver()));
create policy own on owner.refund as restrictive using ((select scope_driver()) is null or owner_id = (select scope_driver()));
create policy own on owner.session as restrictive using ((select scope_driver()) is null or owner_id = (select scope_driver()));
create policy own on owner.door_code as restrictive using ((select scope_driver()) is null);

-- Until when the driver of a car may object to another's claim on its plate; the claim itself is none of theirs to see.
create function owner.claimed_until(which uuid) returns timestamptz stable language sql security definer set search_path = '' begin atomic
  select min(r.due_at) from owner.car c join owner.car r on r.enterprise_id = c.enterprise_id and r.rival_id = c.id and r.verify_state = 3 and r.contested_at is null
    where c.enterprise_id = public.scope_enterprise() and c.id = which and c.owner_id = public.scope_driver(); end;
grant execute on function owner.claimed_until(uuid) to kerbline_app;

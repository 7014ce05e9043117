-- The merchant's own page: sessions of merchants, which are no persons of the console. What is theirs alone is all that the database shows them.

-- The merchant whose session asks, as `scope.people` names a guest; null for everybody else.
create function scope_merchant() returns uuid stable parallel safe language sql return substring(coalesce(current_setting('scope.people', true), '') from '^merchant:(.+)$')::uuid;
-- Rows of a merchant are seen by that merchant, and by whoever is no guest.
create function merchant.own(of regclass, key text default 'mch_id') returns void language plpgsql as $$
begin
  execute format('create policy guest on %s as restrictive using ((select scope_merchant()) is null or %I = (select scope_merchant()))', of, key);
end $$;
select merchant.own('merchant.merchant', 'id');
select merchant.own('merchant.movement');
select merchant.own('merchant.recharge');
select merchant.own('merchant.confirmation');

alter table merchant.merchant add failures integer not null default 0, add locked_until timestamptz;
create table merchant.session (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), mch_id uuid not null, token_hash bytea not null unique, ip text not null, browser text, user_system text,
  started_at timestamptz not null default now(), seen_at timestamptz not null default now(), expires_at timestamptz not null, ended_at timestamptz,
  foreign key (enterprise_id, mch_id) references merchant.merchant (enterprise_id, id));
create index session_merchant on merchant.session (enterprise_id, mch_id) where ended_at is null;
select platform.scoped('merchant.session', audited => false, hidden => '{token_hash}');
select merchant.own('merchant.session');

-- Before there is a scope: each function does one thing, and the application can do no more than call it.
create function merchant.sign_in_facts(wanted text, out mch_id uuid, out enterprise_id integer, out password_hash text, out must_change boolean, out locked boolean) stable language sql security definer set search_path = '' begin atomic
  select m.id, m.enterprise_id, m.password_hash, m.must_change, m.status = 2 or e.status = 2 or coalesce(m.locked_until > now(), false)
    from merchant.merchant m join identity.enterprise e on e.id = m.enterprise_id where m.mch_no = upper(wanted) and not m.deleted; end;
-- Five failures lock for a quarter of an hour.
create function merchant.sign_in_failed(of_merchant uuid) returns void language sql security definer set search_path = '' begin atomic
  update merchant.merchant set failures = failures + 1, locked_until = case when (failures + 1) % 5 = 0 then now() + interval '15 min' else locked_until end where id = of_merchant; end;
create function merchant.open_session(of_merchant uuid, token bytea, address text, with_browser text, with_system text, at_most interval) returns boolean language plpgsql security definer set search_path = '' as $$
declare of_enterprise integer;
begin
  update merchant.merchant set failures = 0, locked_until = null where id = of_merchant and status = 1 and not deleted returning enterprise_id into of_enterprise;
  if of_enterprise is null then return false; end if;
  insert into merchant.session (enterprise_id, mch_id, token_hash, ip, browser, user_system, expires_at) values (of_enterprise, of_merchant, token, address, with_browser, with_system, now() + at_most);
  return true;
end $$;
-- The merchant behind a token, or no row. When it was last used is written once a minute.
create function merchant.session_actor(token bytea, idle interval, out session_id uuid, out mch_id uuid, out name text, out enterprise integer, out parks text[]) language plpgsql security definer set search_path = '' as $$
declare seen timestamptz;
begin
  select s.id, m.id, m.name, m.enterprise_id, m.park_codes, s.seen_at into session_id, mch_id, name, enterprise, parks, seen
    from merchant.session s join merchant.merchant m on m.enterprise_id = s.enterprise_id and m.id = s.mch_id join identity.enterprise e on e.id = m.enterprise_id
    where s.token_hash = token and s.ended_at is null and s.expires_at > now() and s.seen_at > now() - idle and m.status = 1 and not m.deleted and e.status = 1;
  if seen < now() - interval '1 min' then update merchant.session s set seen_at = now() where s.id = session_id; end if;
end $$;
create function merchant.forget_old_sessions() returns void language sql security definer set search_path = '' begin atomic
  delete from merchant.session where expires_at < now() - interval '30 days'; end;

-- What moved a merchant's day: of each movement what it did to balance + held - used, so that the lines of a day are its statement.
create view merchant.statement_line with (security_invoker = true) as
  select v.id, v.enterprise_id, v.mch_id, v.day, v.kind, (v.balance_fen + v.held_fen - v.used_fen)::bigint as amount_fen, (v.balance_after_fen + v.held_after_fen - v.used_after_fen)::bigint as after_fen,
    v.biz_no, v.operator_name, v.at
  from merchant.movement v where v.balance_fen + v.held_fen - v.used_fen <> 0;
grant select on merchant.statement_line to kerbline_app;
create index movement_day on merchant.movement (enterprise_id, mch_id, day);

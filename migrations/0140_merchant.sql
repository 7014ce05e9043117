-- Merchants: shops and companies that buy parking for their guests. They pay beforehand, or up to what they are trusted with.
create schema merchant;
select platform.opened('merchant');
create sequence merchant.number;
grant usage on sequence merchant.number to kerbline_app;

-- type: 1 shop, 2 hotel, 3 hospital, 4 company, 5 other. settle_mode: 1 face value when bought, 2 what was really deducted. status: 1 enabled, 2 disabled.
-- `held_fen` is set apart for coupons that are out (mode 2). `quota_target_fen`: credit that was withdrawn while it was used; the quota falls to it as it is repaid.
create table merchant.merchant (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(),
  mch_no text not null default 'M' || lpad(nextval('merchant.number')::text, 6, '0') unique, name text not null, type smallint not null check (type in (1, 2, 3, 4, 5)), contact text not null, phone text not null,
  park_codes text[] not null check (cardinality(park_codes) > 0), settle_mode smallint not null check (settle_mode in (1, 2)), expired_back boolean not null default true,
  status smallint not null default 1 check (status in (1, 2)), remark text,
  balance_fen bigint not null default 0 check (balance_fen >= 0), quota_fen bigint not null default 0 check (quota_fen >= 0), used_fen bigint not null default 0 check (used_fen >= 0),
  held_fen bigint not null default 0 check (held_fen >= 0), quota_target_fen bigint check (quota_target_fen >= 0),
  password_hash text not null, must_change boolean not null default true, deleted boolean not null default false,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  failures integer not null default 0, locked_until timestamptz,
  unique (enterprise_id, id), constraint within_credit check (used_fen <= quota_fen));
create unique index merchant_name on merchant.merchant (enterprise_id, name) where not deleted;
create index merchant_created on merchant.merchant (enterprise_id, created_at desc, id desc);
select platform.scoped('merchant.merchant', hidden => '{password_hash}');

-- Every change of what a merchant has, once, with what it has after it. balance + held - used is what the ledger keeps for the merchant.
-- kind: 1 recharge, 2 bought, 3 given back, 4 deducted, 5 expired and back, 6 held, 7 let go, 8 credit granted, 9 credit withdrawn.
create table merchant.movement (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), mch_id uuid not null, kind smallint not null check (kind in (1, 2, 3, 4, 5, 6, 7, 8, 9)),
  amount_fen bigint not null, balance_fen bigint not null default 0, used_fen bigint not null default 0, held_fen bigint not null default 0, quota_fen bigint not null default 0,
  balance_after_fen bigint not null, used_after_fen bigint not null, held_after_fen bigint not null, quota_after_fen bigint not null,
  biz_no text not null, remark text, operator_name text, at timestamptz not null,
  day date not null generated always as ((at at time zone 'Asia/Shanghai')::date) stored,
  foreign key (enterprise_id, mch_id) references merchant.merchant (enterprise_id, id));
create index movement_at on merchant.movement (enterprise_id, at desc, id desc);
create index movement_credit on merchant.movement (enterprise_id, at desc, id desc) where used_fen <> 0 or kind in (8, 9);
create index movement_biz on merchant.movement (enterprise_id, biz_no);
create index movement_merchant on merchant.movement (enterprise_id, mch_id, at desc, id desc);
select platform.scoped('merchant.movement', audited => false, append_only => true);
create view merchant.balance_detail with (security_invoker = true) as
  select v.id, v.enterprise_id, v.mch_id, m.mch_no, m.name as mch_name, v.kind, v.balance_fen as amount_fen, v.balance_after_fen as after_fen, v.biz_no, v.remark, v.operator_name, v.at
  from merchant.movement v left join merchant.merchant m on m.enterprise_id = v.enterprise_id and m.id = v.mch_id where v.balance_fen <> 0;
-- What was granted or withdrawn moves the quota; what was used or repaid moves the used part.
create view merchant.credit_serial with (security_invoker = true) as
  select v.id, v.enterprise_id, v.mch_id, m.mch_no, m.name as mch_name,
    (case when v.kind = 8 then 1 when v.kind = 9 then 4 when v.used_fen > 0 then 2 else 3 end)::smallint as kind,
    case when v.kind in (8, 9) then v.amount_fen else v.used_fen end as amount_fen, v.quota_after_fen as quota_fen, v.used_after_fen as used_fen, v.biz_no, v.remark, v.operator_name, v.at
  from merchant.movement v left join merchant.merchant m on m.enterprise_id = v.enterprise_id and m.id = v.mch_id where v.used_fen <> 0 or v.kind in (8, 9);
grant select on merchant.balance_detail, merchant.credit_serial to kerbline_app;

-- Money that came in, with its slip: one slip is one recharge.
create table merchant.recharge (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), mch_id uuid not null, order_id uuid not null, order_no text not null,
  amount_fen bigint not null check (amount_fen > 0), repaid_fen bigint not null default 0 check (repaid_fen between 0 and amount_fen), pay_method smallint not null,
  receipt_no text, images text, operator_name text not null, at timestamptz not null,
  foreign key (enterprise_id, mch_id) references merchant.merchant (enterprise_id, id));
create unique index recharge_slip on merchant.recharge (enterprise_id, receipt_no) where receipt_no is not null;
create unique index recharge_order on merchant.recharge (enterprise_id, order_id);
create index recharge_merchant on merchant.recharge (enterprise_id, mch_id, at desc);
select platform.scoped('merchant.recharge', append_only => true);
-- A recharge that the merchant asked for itself: its order is credited when it is paid, once.
create table merchant.desk_recharge (
  order_id uuid not null, enterprise_id integer not null default scope_enterprise(), mch_id uuid not null, at timestamptz not null, paid_at timestamptz, primary key (enterprise_id, order_id),
  foreign key (enterprise_id, mch_id) references merchant.merchant (enterprise_id, id));
select platform.scoped('merchant.desk_recharge', key => 'order_id', audited => false);

-- A merchant's day that both sides have agreed on: it does not change any more.
create table merchant.confirmation (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), mch_id uuid not null, day date not null, closing_fen bigint not null,
  confirmed_by text not null, confirmed_at timestamptz not null, unique (enterprise_id, mch_id, day),
  foreign key (enterprise_id, mch_id) references merchant.merchant (enterprise_id, id));
select platform.scoped('merchant.confirmation', append_only => true);
-- Statements: what moved a merchant's day, and what it had at its end. Kept by each movement, for summed up when they are asked for, a page of them would read all movements there are.
-- A movement of an earlier day, of a call that began before midnight, moves what stands at the end of the later ones too.
create table merchant.day (
  id text primary key, enterprise_id integer not null, mch_id uuid not null, day date not null, net_fen bigint not null,
  recharge_fen bigint, bought_fen bigint, returned_fen bigint, deducted_fen bigint, expired_back_fen bigint,
  balance_fen bigint not null, held_fen bigint not null, used_fen bigint not null,
  unique (enterprise_id, mch_id, day), foreign key (enterprise_id, mch_id) references merchant.merchant (enterprise_id, id));
create index day_newest on merchant.day (enterprise_id, day desc, id desc);
select platform.scoped('merchant.day', audited => false, append_only => true);
revoke insert on merchant.day from kerbline_app;
create function merchant.moved() returns trigger language plpgsql security definer set search_path = '' as $$
declare net bigint := new.balance_fen + new.held_fen - new.used_fen;
begin
  insert into merchant.day as d (id, enterprise_id, mch_id, day, net_fen, recharge_fen, bought_fen, returned_fen, deducted_fen, expired_back_fen, balance_fen, held_fen, used_fen)
  select new.mch_id || '.' || to_char(new.day, 'YYYY-MM-DD'), new.enterprise_id, new.mch_id, new.day, net,
    case new.kind when 1 then net end, case new.kind when 2 then -net end, case new.kind when 3 then net end, case new.kind when 4 then -net end, case new.kind when 5 then net end,
    new.balance_fen + coalesce(b.balance_fen, 0), new.held_fen + coalesce(b.held_fen, 0), new.used_fen + coalesce(b.used_fen, 0)
  from (values (1)) as one left join lateral (
    select * from merchant.day e where e.enterprise_id = new.enterprise_id and e.mch_id = new.mch_id and e.day < new.day order by e.day desc limit 1) b on true
  on conflict (enterprise_id, mch_id, day) do update set net_fen = d.net_fen + net,
    recharge_fen = coalesce(d.recharge_fen + excluded.recharge_fen, d.recharge_fen, excluded.recharge_fen), bought_fen = coalesce(d.bought_fen + excluded.bought_fen, d.bought_fen, excluded.bought_fen),
    returned_fen = coalesce(d.returned_fen + excluded.returned_fen, d.returned_fen, excluded.returned_fen), deducted_fen = coalesce(d.deducted_fen + excluded.deducted_fen, d.deducted_fen, excluded.deducted_fen),
    expired_back_fen = coalesce(d.expired_back_fen + excluded.expired_back_fen, d.expired_back_fen, excluded.expired_back_fen),
    balance_fen = d.balance_fen + new.balance_fen, held_fen = d.held_fen + new.held_fen, used_fen = d.used_fen + new.used_fen;
  update merchant.day set balance_fen = balance_fen + new.balance_fen, held_fen = held_fen + new.held_fen, used_fen = used_fen + new.used_fen
    where enterprise_id = new.enterprise_id and mch_id = new.mch_id and day > new.day;
  return null;
end $$;
create trigger moved after insert on merchant.movement for each row execute function merchant.moved();
create view merchant.statement with (security_invoker = true) as
  select d.enterprise_id, d.id, d.mch_id, m.mch_no, m.name as mch_name, m.settle_mode, d.day, d.balance_fen + d.held_fen - d.used_fen - d.net_fen as opening_fen,
    d.recharge_fen, d.bought_fen, d.returned_fen, d.deducted_fen, d.expired_back_fen, d.balance_fen + d.held_fen - d.used_fen as closing_fen, d.balance_fen, d.held_fen, d.used_fen, c.confirmed_at, c.confirmed_by
  from merchant.day d left join merchant.merchant m on m.enterprise_id = d.enterprise_id and m.id = d.mch_id
    left join merchant.confirmation c on c.enterprise_id = d.enterprise_id and c.mch_id = d.mch_id and c.day = d.day;
grant select on merchant.statement to kerbline_app;

-- slot: 1 home page, 2 after paying, 3 LED, 4 start of the app. state: 0 draft, 1 under review, 2 on, 3 off, 4 rejected; past its window it shows as off. `changer_ids`: everybody who changed it since it was last passed; none of them passes it.
create table merchant.advertisement (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, slot smallint not null check (slot in (1, 2, 3, 4)), media text not null, link text,
  weight integer not null default 1 check (weight between 1 and 100), start_at timestamptz not null, end_at timestamptz not null check (end_at > start_at), regions text[] not null default '{}',
  state smallint not null default 0 check (state in (0, 1, 2, 3, 4)), shows bigint not null default 0, clicks bigint not null default 0,
  author_id uuid not null, author_name text not null, changer_ids uuid[] not null default '{}', auditor_name text, verdict text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now());
create index advertisement_created on merchant.advertisement (enterprise_id, created_at desc, id desc);
create index advertisement_slot on merchant.advertisement (enterprise_id, slot, end_at) where state = 2;
select platform.scoped('merchant.advertisement');
create view merchant.advertised with (security_invoker = true) as
  select a.*, (case when a.state = 2 and a.end_at <= now() then 3 else a.state end)::smallint as status from merchant.advertisement a;
grant select on merchant.advertised to kerbline_app;
-- Whether any enterprise advertises in a region, now or later.
create function merchant.region_is_used(of_code text) returns boolean stable language sql security definer set search_path = ''
  begin atomic select exists (select from merchant.advertisement where of_code = any (regions) and end_at > now()); end;
grant execute on function merchant.region_is_used to kerbline_app;
-- Rows of a merchant are seen by that merchant, and by whoever is no guest.
create function merchant.own(of regclass, key text default 'mch_id') returns void language plpgsql as $$
begin
  execute format('create policy guest on %s as restrictive using ((select scope_merchant() is null) or %I = (select scope_merchant()))', of, key);
end $$;
select merchant.own('merchant.merchant', 'id');
select merchant.own('merchant.movement');
select merchant.own('merchant.recharge');
select merchant.own('merchant.desk_recharge');
select merchant.own('merchant.confirmation');
select merchant.own('merchant.day');
create table merchant.session (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), mch_id uuid not null, token_hash bytea not null unique, ip text not null, browser text, user_system text,
  started_at timestamptz not null default now(), seen_at timestamptz not null default now(), expires_at timestamptz not null, ended_at timestamptz,
  foreign key (enterprise_id, mch_id) references merchant.merchant (enterprise_id, id));
create index session_merchant on merchant.session (enterprise_id, mch_id) where ended_at is null;
select platform.scoped('merchant.session', audited => false, hidden => '{token_hash}');
select merchant.own('merchant.session');

-- Before there is a scope: each function does one thing, and the application can do no more than call it.
create function merchant.sign_in_facts(wanted text, out mch_id uuid, out enterprise_id integer, out password_hash text, out must_change boolean, out locked boolean) stable language sql security definer set search_path = '' begin atomic
  select m.id, m.enterprise_id, m.password_hash, m.must_change, m.status = 2 or e.status = 2 or coalesce(m.locked_until between now() and now() + interval '16 min', false)
    from merchant.merchant m join identity.enterprise e on e.id = m.enterprise_id where m.mch_no = upper(wanted) and not m.deleted; end;
-- Five failures lock for a quarter of an hour; what is locked for longer was locked by a clock that was put back since.
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

-- A code that a merchant shows on its telephone: whoever scans it first has one coupon of that purchase. It is good for a few minutes, once; only its hash is kept.
create table merchant.code (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), mch_id uuid not null, sold_id uuid not null, code_hash bytea not null unique,
  made_at timestamptz not null, expires_at timestamptz not null, taken_at timestamptz, plate_no text,
  foreign key (enterprise_id, mch_id) references merchant.merchant (enterprise_id, id), check ((taken_at is null) = (plate_no is null)));
create index code_merchant on merchant.code (enterprise_id, mch_id, expires_at);
select platform.scoped('merchant.code', audited => false, hidden => '{code_hash}');
select merchant.own('merchant.code');

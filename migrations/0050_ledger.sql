-- Money, twice: every business event is one balanced entry, written once and never changed.
create schema ledger;
select platform.opened('ledger');

-- The chart is the same for every enterprise; balances are kept per enterprise, account, sub-account and park.
-- kind: 1 asset, 2 liability, 3 income, 4 contra, 5 clearing, 6 expense. normal: the side on which it grows, 1 debit, 2 credit.
-- detail: what a sub-account is: 0 nothing, 1 payment channel, 2 shift, 3 person or merchant.
create table ledger.account (
  code text primary key, name text not null, name_en text not null,
  kind smallint not null check (kind in (1, 2, 3, 4, 5, 6)), normal smallint not null check (normal in (1, 2)),
  detail smallint not null default 0 check (detail in (0, 1, 2, 3)), guarded boolean not null default false, position smallint not null);
grant select on ledger.account to kerbline_app;
insert into ledger.account (code, name, name_en, kind, normal, detail, guarded, position) values
  ('asset.channel', '渠道在途', 'In transit at payment channels', 1, 1, 1, false, 10),
  ('asset.cash', '现金', 'Cash', 1, 1, 2, false, 11),
  ('asset.arrears', '应收欠费', 'Arrears receivable', 1, 1, 0, false, 12),
  ('asset.merchant-credit', '应收商户授信', 'Merchant credit receivable', 1, 1, 3, false, 13),
  ('liability.stored', '储值本金', 'Stored value, principal', 2, 2, 3, true, 20),
  ('liability.stored-bonus', '储值赠送', 'Stored value, bonus', 2, 2, 3, true, 21),
  ('liability.charge-prepaid', '充电预付', 'Charging prepayments', 2, 2, 3, true, 22),
  ('liability.deposit', '预约与租赁保证金', 'Reservation and rental deposits', 2, 2, 3, true, 23),
  ('liability.merchant', '商户余额', 'Merchant balances', 2, 2, 3, true, 24),
  ('liability.coupon', '未使用券', 'Unused coupons', 2, 2, 0, false, 25),
  ('liability.points', '积分负债', 'Points liability', 2, 2, 0, false, 26),
  ('liability.refund', '待退款', 'Refunds owed', 2, 2, 1, false, 27),
  ('liability.pass', '月卡递延收入', 'Deferred pass income', 2, 2, 0, false, 28),
  ('income.parking', '停车收入', 'Parking', 3, 2, 0, false, 30),
  ('income.pass', '月卡收入', 'Passes', 3, 2, 0, false, 31),
  ('income.energy', '充电电费', 'Charging energy', 3, 2, 0, false, 32),
  ('income.charge-service', '充电服务费', 'Charging service', 3, 2, 0, false, 33),
  ('income.occupancy', '占位费', 'Idle fees', 3, 2, 0, false, 34),
  ('income.rent', '租金', 'Rent', 3, 2, 0, false, 35),
  ('income.penalty', '违约金', 'Penalties', 3, 2, 0, false, 36),
  ('contra.discount', '优惠', 'Discounts', 4, 1, 0, false, 40),
  ('contra.waiver', '减免', 'Waivers', 4, 1, 0, false, 41),
  ('contra.bad-debt', '坏账', 'Bad debts', 4, 1, 0, false, 42),
  ('clearing.duplicate', '重复支付', 'Duplicate payments', 5, 2, 1, false, 50),
  ('clearing.over-short', '长短款', 'Surplus and shortage', 5, 2, 1, false, 51),
  ('expense.marketing', '营销费用', 'Marketing', 6, 1, 0, false, 60);

-- event_id is unique while the large tables are cut by month, so it stands in a table of its own.
create table ledger.event (
  enterprise_id integer not null default scope_enterprise(), event_id text not null, entry_id uuid not null, at timestamptz not null,
  primary key (enterprise_id, event_id));
select platform.scoped('ledger.event', audited => false, append_only => true);

-- `business` is the line of business that the money belongs to (parking, pass, charging …), so that a report on one is not mixed with another's payments.
-- `about` is the number of the thing that the entry tells of (an order), `biz_no` of the event itself (a refund of that order).
-- `xid` ties the lines to the transaction of their entry: nobody adds a line to an entry of yesterday.
create table ledger.entry (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), at timestamptz not null,
  day date not null generated always as ((at at time zone 'Asia/Shanghai')::date) stored,
  park_code text not null, business text not null, biz_type text not null, biz_no text not null, about text not null, event_id text not null, memo text, reverses uuid,
  posted_at timestamptz not null default now(), xid xid8 not null default pg_current_xact_id(), primary key (enterprise_id, id, at, xid)
) partition by range (at);
create table ledger.entry_rest partition of ledger.entry default;
create index entry_about on ledger.entry (enterprise_id, about);
select platform.scoped('ledger.entry', audited => false, append_only => true);

create table ledger.line (
  enterprise_id integer not null default scope_enterprise(), entry_id uuid not null, seq smallint not null, at timestamptz not null,
  day date not null generated always as ((at at time zone 'Asia/Shanghai')::date) stored,
  park_code text not null, business text not null, account text not null references ledger.account, sub text not null default '',
  debit_fen bigint not null default 0 check (debit_fen >= 0), credit_fen bigint not null default 0 check (credit_fen >= 0),
  xid xid8 not null default pg_current_xact_id(), primary key (enterprise_id, entry_id, seq, at),
  foreign key (enterprise_id, entry_id, at, xid) references ledger.entry (enterprise_id, id, at, xid),
  constraint one_side check ((debit_fen = 0) <> (credit_fen = 0))
) partition by range (at);
create table ledger.line_rest partition of ledger.line default;
create index line_account on ledger.line (enterprise_id, account, at, entry_id);
select platform.scoped('ledger.line', audited => false, append_only => true);

-- The transaction's number is the database's to give.
revoke insert on ledger.entry, ledger.line from kerbline_app;
grant insert (id, enterprise_id, at, park_code, business, biz_type, biz_no, about, event_id, memo, reverses) on ledger.entry to kerbline_app;
grant insert (enterprise_id, entry_id, seq, at, park_code, business, account, sub, debit_fen, credit_fen) on ledger.line to kerbline_app;
insert into platform.monthly values ('ledger.entry'), ('ledger.line');

-- Kept sums, written by the posting alone. Eight stripes by connection, so that payments at one park do not wait for one another; guarded accounts
-- have one row over all parks, and a CHECK says that they are never overdrawn.
create table ledger.balance (
  enterprise_id integer not null, account text not null references ledger.account, sub text not null, park_code text not null, stripe smallint not null,
  debit_fen bigint not null, credit_fen bigint not null, guard smallint not null default 0,
  primary key (enterprise_id, account, sub, park_code, stripe),
  constraint not_overdrawn check (guard = 0 or (guard = 1 and debit_fen >= credit_fen) or (guard = 2 and credit_fen >= debit_fen)));
create table ledger.daily (
  enterprise_id integer not null, day date not null, park_code text not null, business text not null, account text not null references ledger.account, sub text not null, stripe smallint not null,
  debit_fen bigint not null, credit_fen bigint not null, debits integer not null, credits integer not null,
  primary key (enterprise_id, day, park_code, business, account, sub, stripe));
create index daily_account on ledger.daily (enterprise_id, account, day);
select platform.scoped('ledger.balance', audited => false);
select platform.scoped('ledger.daily', audited => false);
revoke insert, update, delete on ledger.balance, ledger.daily from kerbline_app;

-- What several entries of one transaction change is taken before any of them is kept, in the order in which one entry takes its own: guarded accounts, balances, days, hours.
-- Else whoever keeps a second entry could wait for a row while it holds, of the first, what comes after it. They are the lines of this transaction from its `first_entry` on, whose number
-- says its time: found in the index by it, behind everything older, whatever the planner expects.
create function ledger.hold_sums(first_entry uuid, of_enterprise integer) returns void language plpgsql security definer set search_path = '' set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  stripe_ smallint := pg_backend_pid() % 8;
begin
  insert into ledger.balance as b (enterprise_id, account, sub, park_code, stripe, debit_fen, credit_fen, guard)
    select distinct of_enterprise, l.account, l.sub, '*', 0, 0, 0, a.normal from ledger.line l join ledger.account a on a.code = l.account and a.guarded
      where l.enterprise_id = of_enterprise and l.entry_id >= first_entry and l.xid = pg_current_xact_id() order by 2, 3
    on conflict (enterprise_id, account, sub, park_code, stripe) do update set debit_fen = b.debit_fen;
  insert into ledger.balance as b (enterprise_id, account, sub, park_code, stripe, debit_fen, credit_fen)
    select distinct of_enterprise, l.account, l.sub, l.park_code, stripe_, 0, 0 from ledger.line l join ledger.account a on a.code = l.account and not a.guarded
      where l.enterprise_id = of_enterprise and l.entry_id >= first_entry and l.xid = pg_current_xact_id() order by 2, 3, 4
    on conflict (enterprise_id, account, sub, park_code, stripe) do update set debit_fen = b.debit_fen;
  insert into ledger.daily as d (enterprise_id, day, park_code, business, account, sub, stripe, debit_fen, credit_fen, debits, credits)
    select distinct of_enterprise, l.day, l.park_code, l.business, l.account, l.sub, stripe_, 0, 0, 0, 0 from ledger.line l
      where l.enterprise_id = of_enterprise and l.entry_id >= first_entry and l.xid = pg_current_xact_id() order by 2, 3, 4, 5, 6
    on conflict (enterprise_id, day, park_code, business, account, sub, stripe) do update set debit_fen = d.debit_fen;
  insert into ledger.hourly as h (enterprise_id, day, hour, park_code, business, account, stripe, debit_fen, credit_fen, debits, credits)
    select distinct of_enterprise, l.day, ledger.hour_of(l.at), l.park_code, l.business, l.account, stripe_, 0, 0, 0, 0 from ledger.line l
      where l.enterprise_id = of_enterprise and l.entry_id >= first_entry and l.xid = pg_current_xact_id() order by 2, 3, 4, 5, 6
    on conflict (enterprise_id, day, business, park_code, hour, account, stripe) do update set debit_fen = h.debit_fen;
end $$;
revoke all on function ledger.hold_sums(uuid, integer) from public;

-- At commit: the entry balances or nothing of the transaction stays; then the kept sums follow. Rows are taken in one order, so that two never wait in a ring.
create function ledger.close_entry() returns trigger language plpgsql security definer set search_path = '' as $$
declare
  stripe_ smallint := pg_backend_pid() % 8;
  entries text := current_setting('ledger.entries', true);
  n integer; debit bigint; credit bigint; guarded record;
begin
  select count(*), sum(debit_fen), sum(credit_fen) into n, debit, credit from ledger.line l
    where l.enterprise_id = new.enterprise_id and l.entry_id = new.id and l.at = new.at;
  if n < 2 or debit <> credit then
    raise exception 'The entry % of % does not balance: % lines, debit %, credit %.', new.id, new.biz_no, n, debit, credit using errcode = '23514', constraint = 'balanced';
  end if;
  if entries like '%,%' then
    perform ledger.hold_sums(trim(entries, ',')::uuid, new.enterprise_id);
  end if;
  if entries <> '' then
    perform set_config('ledger.entries', '', true);
  end if;
  for guarded in select l.account, l.sub, a.normal, sum(l.debit_fen) as debit, sum(l.credit_fen) as credit
    from ledger.line l join ledger.account a on a.code = l.account and a.guarded
    where l.enterprise_id = new.enterprise_id and l.entry_id = new.id and l.at = new.at group by 1, 2, 3 order by 1, 2
  loop
    -- Made empty first: an upsert would hold the CHECK against the amount alone, as if it were the whole balance.
    insert into ledger.balance (enterprise_id, account, sub, park_code, stripe, debit_fen, credit_fen, guard)
      values (new.enterprise_id, guarded.account, guarded.sub, '*', 0, 0, 0, guarded.normal) on conflict do nothing;
    update ledger.balance set debit_fen = debit_fen + guarded.debit, credit_fen = credit_fen + guarded.credit
      where enterprise_id = new.enterprise_id and account = guarded.account and sub = guarded.sub and park_code = '*' and stripe = 0;
  end loop;
  insert into ledger.balance as b (enterprise_id, account, sub, park_code, stripe, debit_fen, credit_fen)
    select new.enterprise_id, l.account, l.sub, l.park_code, stripe_, sum(l.debit_fen), sum(l.credit_fen)
    from ledger.line l join ledger.account a on a.code = l.account and not a.guarded
    where l.enterprise_id = new.enterprise_id and l.entry_id = new.id and l.at = new.at
    group by l.account, l.sub, l.park_code order by 2, 3, 4
    on conflict (enterprise_id, account, sub, park_code, stripe) do update set debit_fen = b.debit_fen + excluded.debit_fen, credit_fen = b.credit_fen + excluded.credit_fen;
  insert into ledger.daily as d (enterprise_id, day, park_code, business, account, sub, stripe, debit_fen, credit_fen, debits, credits)
    select new.enterprise_id, new.day, l.park_code, l.business, l.account, l.sub, stripe_, sum(l.debit_fen), sum(l.credit_fen),
      count(*) filter (where l.debit_fen > 0), count(*) filter (where l.credit_fen > 0)
    from ledger.line l where l.enterprise_id = new.enterprise_id and l.entry_id = new.id and l.at = new.at
    group by l.park_code, l.business, l.account, l.sub order by 3, 4, 5, 6
    on conflict (enterprise_id, day, park_code, business, account, sub, stripe) do update set debit_fen = d.debit_fen + excluded.debit_fen, credit_fen = d.credit_fen + excluded.credit_fen,
      debits = d.debits + excluded.debits, credits = d.credits + excluded.credits;
  return null;
end $$;
create constraint trigger closed after insert on ledger.entry deferrable initially deferred for each row execute function ledger.close_entry();

create function ledger.never() returns trigger language plpgsql as $$
begin raise exception 'The ledger is only ever added to: correct an entry by its reversal.' using errcode = '42501'; end $$;
create trigger kept before update or delete or truncate on ledger.entry for each statement execute function ledger.never();
create trigger kept before update or delete or truncate on ledger.line for each statement execute function ledger.never();
create trigger kept before update or delete or truncate on ledger.event for each statement execute function ledger.never();
create function ledger.rebuild(of_enterprise integer) returns void language plpgsql as $$
begin
  delete from ledger.balance where enterprise_id = of_enterprise;
  delete from ledger.hourly where enterprise_id = of_enterprise;
  delete from ledger.daily where enterprise_id = of_enterprise;
  insert into ledger.balance (enterprise_id, account, sub, park_code, stripe, debit_fen, credit_fen, guard)
    select l.enterprise_id, l.account, l.sub, case when a.guarded then '*' else l.park_code end, 0, sum(l.debit_fen), sum(l.credit_fen), case when a.guarded then a.normal else 0 end
    from ledger.line l join ledger.account a on a.code = l.account where l.enterprise_id = of_enterprise group by 1, 2, 3, 4, 8;
  insert into ledger.daily (enterprise_id, day, park_code, business, account, sub, stripe, debit_fen, credit_fen, debits, credits)
    select enterprise_id, day, park_code, business, account, sub, 0, sum(debit_fen), sum(credit_fen), count(*) filter (where debit_fen > 0), count(*) filter (where credit_fen > 0)
    from ledger.line where enterprise_id = of_enterprise group by 1, 2, 3, 4, 5, 6;
  insert into ledger.hourly (enterprise_id, day, hour, park_code, business, account, stripe, debit_fen, credit_fen, debits, credits)
    select enterprise_id, day, ledger.hour_of(at), park_code, business, account, 0, sum(debit_fen), sum(credit_fen), count(*) filter (where debit_fen > 0), count(*) filter (where credit_fen > 0)
    from ledger.line where enterprise_id = of_enterprise group by 1, 2, 3, 4, 5, 6;
end $$;
revoke all on function ledger.rebuild(integer) from public;

-- The same kept sums by the hour of the city's day, so that one day by park and hour is a few hundred rows however many entries it has. Written by the posting alone, stripe by stripe as the days are.
create table ledger.hourly (
  enterprise_id integer not null, day date not null, hour smallint not null check (hour between 0 and 23), park_code text not null, business text not null, account text not null references ledger.account, stripe smallint not null,
  debit_fen bigint not null, credit_fen bigint not null, debits integer not null, credits integer not null,
  primary key (enterprise_id, day, business, park_code, hour, account, stripe));
select platform.scoped('ledger.hourly', audited => false);
revoke insert, update, delete on ledger.hourly from kerbline_app;
create function ledger.hour_of(moment timestamptz) returns smallint immutable parallel safe language sql return extract(hour from moment at time zone 'Asia/Shanghai')::smallint;

-- After `closed`, which checks that the entry balances: both are deferred, and triggers of one event run by their names.
create function ledger.close_hour() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into ledger.hourly as h (enterprise_id, day, hour, park_code, business, account, stripe, debit_fen, credit_fen, debits, credits)
    select new.enterprise_id, new.day, ledger.hour_of(new.at), l.park_code, l.business, l.account, (pg_backend_pid() % 8)::smallint, sum(l.debit_fen), sum(l.credit_fen),
      count(*) filter (where l.debit_fen > 0), count(*) filter (where l.credit_fen > 0)
    from ledger.line l where l.enterprise_id = new.enterprise_id and l.entry_id = new.id and l.at = new.at
    group by l.park_code, l.business, l.account order by 4, 5, 6
    on conflict (enterprise_id, day, business, park_code, hour, account, stripe) do update set debit_fen = h.debit_fen + excluded.debit_fen, credit_fen = h.credit_fen + excluded.credit_fen,
      debits = h.debits + excluded.debits, credits = h.credits + excluded.credits;
  return null;
end $$;
create constraint trigger closed_hour after insert on ledger.entry deferrable initially deferred for each row execute function ledger.close_hour();

-- The hours are replayed and made anew with the other sums.
create function ledger.replay() returns table (what text, account text, sub text, park_code text, kept_fen bigint, replayed_fen bigint) stable language sql as $$
  with lines as (
    select l.account, l.sub, case when a.guarded then '*' else l.park_code end as park_code, sum(l.debit_fen) as debit, sum(l.credit_fen) as credit
    from ledger.line l join ledger.account a on a.code = l.account where l.enterprise_id = scope_enterprise() group by 1, 2, 3
  ), kept as (
    select b.account, b.sub, b.park_code, sum(b.debit_fen) as debit, sum(b.credit_fen) as credit from ledger.balance b where b.enterprise_id = scope_enterprise() group by 1, 2, 3
  ), days as (
    select l.account, l.sub, l.park_code, l.day, l.business, sum(l.debit_fen) as debit, sum(l.credit_fen) as credit from ledger.line l where l.enterprise_id = scope_enterprise() group by 1, 2, 3, 4, 5
  ), kept_days as (
    select d.account, d.sub, d.park_code, d.day, d.business, sum(d.debit_fen) as debit, sum(d.credit_fen) as credit from ledger.daily d where d.enterprise_id = scope_enterprise() group by 1, 2, 3, 4, 5
  ), hours as (
    select l.account, l.park_code, l.day, ledger.hour_of(l.at) as hour, l.business, sum(l.debit_fen) as debit, sum(l.credit_fen) as credit, count(*) filter (where l.debit_fen > 0) as debits, count(*) filter (where l.credit_fen > 0) as credits
    from ledger.line l where l.enterprise_id = scope_enterprise() group by 1, 2, 3, 4, 5
  ), kept_hours as (
    select h.account, h.park_code, h.day, h.hour, h.business, sum(h.debit_fen) as debit, sum(h.credit_fen) as credit, sum(h.debits) as debits, sum(h.credits) as credits
    from ledger.hourly h where h.enterprise_id = scope_enterprise() group by 1, 2, 3, 4, 5
  )
  select 'balance', account, sub, park_code, coalesce(k.debit - k.credit, 0)::bigint, coalesce(l.debit - l.credit, 0)::bigint
    from kept k full join lines l using (account, sub, park_code) where k.debit is distinct from l.debit or k.credit is distinct from l.credit
  union all
  select 'day ' || day || ' ' || business, account, sub, park_code, coalesce(k.debit - k.credit, 0)::bigint, coalesce(l.debit - l.credit, 0)::bigint
    from kept_days k full join days l using (account, sub, park_code, day, business) where k.debit is distinct from l.debit or k.credit is distinct from l.credit
  union all
  select 'hour ' || day || ' ' || hour || ' ' || business, account, '', park_code, coalesce(k.debit - k.credit, 0)::bigint, coalesce(l.debit - l.credit, 0)::bigint
    from kept_hours k full join hours l using (account, park_code, day, hour, business) where (k.debit, k.credit, k.debits, k.credits) is distinct from (l.debit, l.credit, l.debits, l.credits)
  union all
  select 'entry ' || l.entry_id, '', '', min(l.park_code), sum(l.debit_fen)::bigint, sum(l.credit_fen)::bigint from ledger.line l
    where l.enterprise_id = scope_enterprise() group by l.entry_id having sum(l.debit_fen) <> sum(l.credit_fen) or count(*) < 2
$$;

-- Charging partners owe and are owed; owners of shared bays get their part.
update ledger.account set position = position * 10;
insert into ledger.account (code, name, name_en, kind, normal, detail, guarded, position) values
  ('asset.partner', '应收互联平台', 'Receivable from charging partners', 1, 1, 3, false, 135),
  ('liability.partner', '应付互联平台', 'Payable to charging partners', 2, 2, 3, false, 285),
  ('liability.share', '应付分成', 'Shares payable to bay owners', 2, 2, 3, true, 286);

-- What stands on a guarded account, held until the transaction is over: two that spend it at once are one after the other, and the second sees what the first left.
create function ledger.held(of_account text, of_sub text) returns bigint language sql security definer set search_path = '' as $$
  select b.credit_fen - b.debit_fen from ledger.balance b
    where b.enterprise_id = public.scope_enterprise() and b.account = of_account and b.sub = of_sub and b.park_code = '*' and b.stripe = 0 for update;
$$;
revoke all on function ledger.held(text, text) from public;
grant execute on function ledger.held(text, text) to kerbline_app;

-- Clearing with payment channels: what a channel says of a day beside what we have, every difference with its owner and its end, and the day closed.
insert into ledger.account (code, name, name_en, kind, normal, detail, guarded, position) values
  ('asset.bank', '银行存款', 'Bank', 1, 1, 1, false, 115),
  ('expense.channel-fee', '手续费', 'Channel fees', 6, 1, 1, false, 605);

-- Of whom a line of the deferred account is: the pass.
update ledger.account set detail = 3 where code in ('liability.pass', 'income.pass');
update ledger.account set detail = 3 where code = 'liability.points';

-- A liability to a merchant's coupons is kept by merchant.
update ledger.account set detail = 3 where code = 'liability.coupon';

-- What a partner platform and we say of the same charges: compared by day, settled by month.
insert into ledger.account (code, name, name_en, kind, normal, detail, guarded, position) values
  ('expense.partner-split', '互联平台分成', 'Charging partner shares', 6, 1, 3, false, 615);

-- The till is closed by counting it, handed over or brought in, its difference settled by another person and the whole verified by a third.
insert into ledger.account (code, name, name_en, kind, normal, detail, guarded, position) values ('expense.cash-short', '现金短款', 'Cash shortage', 6, 1, 0, false, 660);

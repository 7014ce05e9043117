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

insert into ledger.hourly (enterprise_id, day, hour, park_code, business, account, stripe, debit_fen, credit_fen, debits, credits)
  select enterprise_id, day, ledger.hour_of(at), park_code, business, account, 0, sum(debit_fen), sum(credit_fen), count(*) filter (where debit_fen > 0), count(*) filter (where credit_fen > 0)
  from ledger.line group by 1, 2, 3, 4, 5, 6;

-- The hours are replayed and made anew with the other sums.
create or replace function ledger.replay() returns table (what text, account text, sub text, park_code text, kept_fen bigint, replayed_fen bigint) stable language sql as $$
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
create or replace function ledger.rebuild(of_enterprise integer) returns void language plpgsql as $$
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

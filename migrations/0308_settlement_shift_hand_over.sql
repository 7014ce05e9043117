-- The till is closed by counting it, handed over or brought in, its difference settled by another person and the whole verified by a third.
insert into ledger.account (code, name, name_en, kind, normal, detail, guarded, position) values ('expense.cash-short', '现金短款', 'Cash short', 6, 1, 0, false, 660);

-- counted: by denomination. expected_fen: what should have been there at closing, with what came late. open_fen: the difference that nobody has settled yet. settled_way: 1 made good, 2 kept as over, 3 borne by the company.
alter table settlement.shift
  add column counted jsonb, add column counted_fen bigint check (counted_fen >= 0), add column expected_fen bigint, add column difference_fen bigint generated always as (counted_fen - expected_fen) stored,
  add column open_fen bigint not null default 0, add column late_fen bigint not null default 0 check (late_fen >= 0), add column close_reason text,
  add column taker_id uuid, add column taker_name text, add column taken_at timestamptz,
  add column settled_way smallint check (settled_way in (1, 2, 3)), add column settled_note text, add column settled_by_id uuid, add column settled_by_name text, add column settled_at timestamptz,
  add column verified_by_id uuid, add column verified_by_name text, add column verified_at timestamptz;
select platform.uncounted('settlement.shift');
-- State 4 alone may have no count: shifts that were settled before tills were counted here.
alter table settlement.shift
  add constraint closed_is_counted check (state in (0, 4) or num_nulls(counted, counted_fen, expected_fen, closed_at) = 0),
  add constraint running_is_uncounted check (state <> 0 or num_nonnulls(counted, counted_fen, expected_fen, taker_id, taken_at, verified_by_id) = 0),
  add constraint difference_is_open check ((state = 5) = (open_fen <> 0)),
  add constraint taker_is_another check (taker_id <> person_id),
  add constraint handed_to_somebody check ((state <> 1 or (taker_id is not null and taken_at is null)) and (state <> 2 or taken_at is not null) and (taken_at is null or taker_id is not null)),
  add constraint settled_by_another check (settled_by_id is null or (settled_by_id <> person_id and settled_by_id is distinct from taker_id)),
  add constraint verified_by_another check (verified_by_id is null or (verified_by_id <> person_id and verified_by_id is distinct from taker_id and verified_by_id is distinct from settled_by_id));
create index shift_taker on settlement.shift (enterprise_id, taker_id) where state = 1;

-- Cash that came to a till, or left it, otherwise than by a driver; park by park, each with its entry in the ledger. kind: 1 deposited, 2 handed over, 3 taken over, 4 short, 5 over, 6 brought in.
create table settlement.shift_move (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), shift_id uuid not null, park_code text not null, kind smallint not null check (kind between 1 and 6),
  debit_fen bigint not null default 0 check (debit_fen >= 0), credit_fen bigint not null default 0 check (credit_fen >= 0), voucher_no text, by_id uuid not null, by_name text not null, at timestamptz not null,
  primary key (enterprise_id, id), foreign key (enterprise_id, shift_id) references settlement.shift (enterprise_id, id),
  constraint one_side check ((debit_fen = 0) <> (credit_fen = 0)), constraint deposit_has_voucher check ((kind = 1) = (voucher_no is not null)));
create index shift_move_shift on settlement.shift_move (enterprise_id, shift_id);
create unique index shift_move_voucher on settlement.shift_move (enterprise_id, voucher_no, park_code) where kind = 1;
select platform.scoped('settlement.shift_move', audited => false, append_only => true);

-- Of a till all its cash, in whichever parks it was taken: a part of them counts no till.
create function settlement.shift_cash(of_shift uuid) returns table (park_code text, fen bigint) stable language sql security definer set search_path = '' as $$
  select b.park_code, sum(b.debit_fen - b.credit_fen)::bigint from ledger.balance b
    where b.enterprise_id = public.scope_enterprise() and b.account = 'asset.cash' and b.sub = of_shift::text group by 1 order by 2 desc, 1 $$;
revoke all on function settlement.shift_cash(uuid) from public;
grant execute on function settlement.shift_cash(uuid) to kerbline_app;

create view settlement.shift_line with (security_invoker = true) as
  select s.id, s.enterprise_id, s.version, s.shift_no, s.person_id, s.person_name, s.state, s.opened_at, s.closed_at, s.opening_float_fen, f.park_code,
    b.debit_fen - m.debit_fen as cash_in_fen, b.credit_fen - m.credit_fen as cash_out_fen, m.deposit_fen,
    coalesce(s.expected_fen, s.opening_float_fen + b.debit_fen - b.credit_fen) as expected_fen, s.counted, s.counted_fen, s.difference_fen, s.open_fen, s.late_fen, s.close_reason,
    s.taker_id, s.taker_name, s.taken_at, s.settled_way, s.settled_note, s.settled_by_id, s.settled_by_name, s.settled_at, s.verified_by_id, s.verified_by_name, s.verified_at
  from settlement.shift s
  cross join lateral (select coalesce(sum(l.debit_fen), 0)::bigint as debit_fen, coalesce(sum(l.credit_fen), 0)::bigint as credit_fen
    from ledger.balance l where l.enterprise_id = s.enterprise_id and l.account = 'asset.cash' and l.sub = s.id::text) b
  cross join lateral (select coalesce(sum(v.debit_fen), 0)::bigint as debit_fen, coalesce(sum(v.credit_fen), 0)::bigint as credit_fen,
      coalesce(sum(v.credit_fen) filter (where v.kind = 1), 0)::bigint as deposit_fen
    from settlement.shift_move v where v.enterprise_id = s.enterprise_id and v.shift_id = s.id) m
  left join lateral (select p.park_code from settlement.payment p where p.enterprise_id = s.enterprise_id and p.shift_id = s.id order by p.paid_at limit 1) f on true;
grant select on settlement.shift_line to kerbline_app;

-- Of collectors: as before, with what the closing said.
create or replace view staff.till with (security_invoker = true) as
  select s.id, s.enterprise_id, s.shift_no, s.state, s.opened_at, s.closed_at, (s.opened_at at time zone 'Asia/Shanghai')::date as work_date, s.opening_float_fen,
    c.toll_no, coalesce(c.name, s.person_name) as name, c.group_id, c.park_code, m.orders, m.receivable_fen, m.cash_fen + m.scan_fen as paid_fen, m.cash_fen, m.scan_fen,
    s.cash_out_fen + m.scan_refund_fen as refund_fen, m.cash_fen + m.scan_fen - s.cash_out_fen - m.scan_refund_fen as net_fen, s.cash_in_fen, s.cash_out_fen, s.expected_fen,
    s.deposit_fen, s.counted_fen, s.difference_fen, s.open_fen, s.late_fen, s.version, s.person_id, s.taker_id, s.taken_at, s.settled_by_id
  from settlement.shift_line s left join staff.collector c on c.enterprise_id = s.enterprise_id and c.person_id = s.person_id
  cross join lateral (select count(*)::integer as orders, coalesce(sum(p.amount_fen), 0)::bigint as receivable_fen, coalesce(sum(p.received_fen) filter (where p.channel = 'cash'), 0)::bigint as cash_fen,
      coalesce(sum(p.received_fen) filter (where p.channel <> 'cash'), 0)::bigint as scan_fen, coalesce(sum(p.refund_fen) filter (where p.channel <> 'cash'), 0)::bigint as scan_refund_fen
    from settlement.payment p where p.enterprise_id = s.enterprise_id and p.shift_id = s.id and p.received_fen > 0) m;

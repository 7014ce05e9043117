-- Clearing with payment channels: what a channel says of a day beside what we have, every difference with its owner and its end, and the day closed.
insert into ledger.account (code, name, name_en, kind, normal, detail, guarded, position) values
  ('asset.bank', '银行存款', 'Bank', 1, 1, 1, false, 115),
  ('expense.channel-fee', '手续费', 'Channel fees', 6, 1, 1, false, 605);

-- What a recharge is for, as whoever sells it says it: 1 new pass, 2 renewal, 3 stored value, 4 park card.
create table settlement.recharge (
  enterprise_id integer not null default scope_enterprise(), order_id uuid not null, park_code text not null, biz_type smallint not null check (biz_type in (1, 2, 3, 4)),
  member_name text, plates text, group_name text, period_from timestamptz, period_to timestamptz,
  primary key (enterprise_id, order_id), foreign key (enterprise_id, order_id) references settlement.order (enterprise_id, id),
  constraint period_forward check (period_to > period_from));
select platform.scoped('settlement.recharge', audited => false);

-- Money taken ahead, each figure from the ledger's lines about its order.
create index order_recharge on settlement.order (enterprise_id, pay_time desc, id desc) where type in (3, 4) and paid_fen > 0;
create view settlement.recharge_line with (security_invoker = true) as
  select o.enterprise_id, o.id, o.order_no as recharge_no, coalesce(r.biz_type, case o.type when 3 then 1 else 3 end)::smallint as biz_type, coalesce(r.plates, o.plate_no) as plates,
    r.member_name, r.group_name, o.park_code, m.pay_fen, m.bonus_fen, m.refund_fen, m.pay_fen - m.refund_fen as net_fen,
    case o.type when 3 then m.recognised_fen else 0 end::bigint as recognised_fen, case o.type when 3 then m.pay_fen - m.refund_fen - m.recognised_fen else 0 end::bigint as deferred_fen,
    o.pay_method, r.period_from, r.period_to, o.pay_time as paid_at
  from settlement.order o left join settlement.recharge r on r.enterprise_id = o.enterprise_id and r.order_id = o.id
    cross join lateral (
      select coalesce(sum(l.debit_fen) filter (where l.account in ('asset.channel', 'asset.cash')), 0)::bigint - coalesce(sum(l.credit_fen) filter (where l.account in ('clearing.duplicate', 'clearing.over-short')), 0)::bigint as pay_fen,
        coalesce(sum(l.credit_fen - l.debit_fen) filter (where l.account = 'liability.stored-bonus'), 0)::bigint as bonus_fen,
        coalesce(sum(l.credit_fen) filter (where l.account in ('asset.channel', 'asset.cash')), 0)::bigint - coalesce(sum(l.debit_fen) filter (where l.account in ('clearing.duplicate', 'clearing.over-short')), 0)::bigint as refund_fen,
        coalesce(sum(l.credit_fen - l.debit_fen) filter (where l.account = 'income.pass'), 0)::bigint as recognised_fen
      from ledger.entry e join ledger.line l on l.enterprise_id = e.enterprise_id and l.entry_id = e.id and l.at = e.at
      where e.enterprise_id = o.enterprise_id and e.about = o.order_no) m
  where o.type in (3, 4) and o.paid_fen > 0 and o.pay_time is not null;
grant select on settlement.recharge_line to kerbline_app;

-- A day of a channel. state: 0 its file is awaited, 1 differences, 2 even, 3 closed.
create table settlement.check_total (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), check_date date not null, channel text not null, mch_id text,
  plat_count integer not null default 0, plat_fen bigint not null default 0, plat_refund_fen bigint not null default 0,
  chan_count integer not null default 0, chan_fen bigint not null default 0, chan_refund_fen bigint not null default 0, fee_fen bigint not null default 0,
  diff_count integer not null default 0, diff_fen bigint not null default 0, open_count integer not null default 0, state smallint not null default 0 check (state in (0, 1, 2, 3)),
  file_name text, digest text, imported_name text, imported_at timestamptz, closed_name text, closed_at timestamptz, entry_ids uuid[] not null default '{}',
  reopen_id uuid, reopen_name text, reopen_reason text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint closed_is_even check (state <> 3 or (open_count = 0 and digest is not null)));
create unique index check_total_day on settlement.check_total (enterprise_id, check_date, channel);
create index check_total_state on settlement.check_total (enterprise_id, state, check_date desc);
select platform.scoped('settlement.check_total');

-- The lines of a channel's file. kind: 1 payment, 2 refund. number: ours, of the payment or the refund.
create table settlement.channel_trade (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), check_date date not null, channel text not null, kind smallint not null check (kind in (1, 2)),
  trade_no text not null, number text not null, amount_fen bigint not null check (amount_fen >= 0), fee_fen bigint not null default 0, at timestamptz not null, primary key (enterprise_id, id));
create unique index channel_trade_day on settlement.channel_trade (enterprise_id, check_date, channel, kind, trade_no);
select platform.scoped('settlement.channel_trade', audited => false);

-- One trade of a day as we and the channel have it. result: 1 same, 2 over, 3 short, 4 other amount, 5 other state, 6 across days. diff_state: 0 unclaimed, 1 claimed, 2 to be reviewed, 3 even.
create table settlement.check_detail (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), check_date date not null, channel text not null, kind smallint not null check (kind in (1, 2)), match_key text not null,
  order_id uuid, order_no text, pay_no text, trade_no text, park_code text not null default '', plat_fen bigint, chan_fen bigint, fee_fen bigint not null default 0, in_file boolean not null default true,
  plat_time timestamptz, chan_time timestamptz, result smallint not null check (result between 1 and 6), diff_state smallint not null default 0 check (diff_state in (0, 1, 2, 3)),
  owner_id uuid, owner_name text, closing smallint check (closing between 1 and 6), note text, settled_id uuid, settled_name text, decided_name text, entry_id uuid,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint somewhere check (plat_fen is not null or chan_fen is not null), constraint same_is_even check (result <> 1 or diff_state = 3));
create unique index check_detail_key on settlement.check_detail (enterprise_id, check_date, channel, kind, match_key);
create index check_detail_list on settlement.check_detail (enterprise_id, check_date desc, id desc);
select platform.scoped('settlement.check_detail');

-- A closed day is read only, whoever writes.
create function settlement.keep_closed() returns trigger language plpgsql as $$
declare row record := coalesce(new, old);
begin
  if exists (select from settlement.check_total t where t.enterprise_id = row.enterprise_id and t.check_date = row.check_date and t.channel = row.channel and t.state = 3) then
    raise exception 'The day % of % is closed.', row.check_date, row.channel using errcode = '23514', constraint = 'day_closed';
  end if;
  return row;
end $$;
create trigger closed before insert or update or delete on settlement.check_detail for each row execute function settlement.keep_closed();
create trigger closed before insert or update or delete on settlement.channel_trade for each row execute function settlement.keep_closed();

-- An order that had to be added: money that the channel has and nobody asked for. A trade is added once.
create table settlement.addition (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), addition_no text not null, detail_id uuid not null, check_date date not null, channel text not null,
  trade_no text not null, amount_fen bigint not null check (amount_fen > 0), park_code text not null, stay_id uuid, order_id uuid, order_no text, reason text not null, evidence text not null,
  applicant_id uuid not null, applicant_name text not null, first_approver_id uuid, first_approver_name text, second_approver_id uuid, second_approver_name text,
  approvals smallint not null default 0, approvals_needed smallint not null default 1, state smallint not null default 0 check (state in (0, 1, 2)), verdict text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, detail_id) references settlement.check_detail (enterprise_id, id),
  constraint maker_is_not_checker check (applicant_id is distinct from first_approver_id and applicant_id is distinct from second_approver_id),
  constraint two_people check (first_approver_id is null or first_approver_id is distinct from second_approver_id),
  constraint approved_enough check (state <> 1 or approvals >= approvals_needed));
create unique index addition_no on settlement.addition (enterprise_id, addition_no);
create unique index addition_trade on settlement.addition (enterprise_id, channel, trade_no) where state in (0, 1);
create index addition_created on settlement.addition (enterprise_id, created_at desc, id desc);
select platform.scoped('settlement.addition');

-- Payment orders of every kind, what was paid on them, what went back.
create schema settlement;
select platform.opened('settlement');

-- The fee is receivable, less discount, is payable. `owed`: the arrears stand in the ledger, so a payment settles them and is no new income.
-- `refunding_fen` holds what is on its way back; no sum of refunds can pass what was paid, whoever approves what at once.
-- What a car owes grows while it stands. Until then the amount that its order names is the one that is due; a payment after it is held against what is due by then.
-- Money that becomes somebody's: an order names the account it is paid into, the ledger's sub-account.
create table settlement.order (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_no text not null, type smallint not null check (type between 1 and 9),
  stay_id uuid, subject text, plate_no text, plate_color smallint check (plate_color between 0 and 7), park_code text not null,
  receivable_fen bigint not null check (receivable_fen >= 0), discount_fen bigint not null default 0 check (discount_fen >= 0),
  payable_fen bigint not null generated always as (receivable_fen - discount_fen) stored check (payable_fen >= 0),
  paid_fen bigint not null default 0, waived_fen bigint not null default 0 check (waived_fen >= 0),
  refund_fen bigint not null default 0 check (refund_fen >= 0), refunding_fen bigint not null default 0 check (refunding_fen >= 0),
  arrears_fen bigint not null generated always as (case when status = 4 or (status = 1 and owed) then receivable_fen - discount_fen - paid_fen else 0 end) stored,
  status smallint not null default 0 check (status between 0 and 8), owed boolean not null default false, source_type smallint check (source_type between 1 and 7),
  pay_method smallint check (pay_method in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 99)), pay_channel text, trade_no text, pay_time timestamptz, paying_until timestamptz,
  operator_id uuid, operator_name text, shift_id uuid, invoice_state smallint not null default 0 check (invoice_state in (0, 1, 2)), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  good_until timestamptz,
  written_off_fen bigint not null default 0 check (written_off_fen >= 0),
  place smallint check (place between 1 and 5),
  credited_to text not null default '',
  primary key (enterprise_id, id),
  constraint paid_whole check (paid_fen = 0 or paid_fen = receivable_fen - discount_fen),
  constraint refund_within_paid check (refund_fen + refunding_fen <= paid_fen),
  constraint waived_within check (waived_fen <= receivable_fen - discount_fen - paid_fen));
create unique index order_no on settlement.order (order_no);
create index order_created on settlement.order (enterprise_id, created_at desc, id desc);
create index order_park on settlement.order (enterprise_id, park_code, created_at desc, id desc);
create index order_status on settlement.order (enterprise_id, park_code, status, created_at desc, id desc);
create index order_plate on settlement.order (enterprise_id, plate_no, created_at desc);
create index order_stay on settlement.order (enterprise_id, stay_id);
-- What was paid on a day, beside what its channel clears.
create index order_paid on settlement.order (enterprise_id, pay_time desc, id desc) where pay_time is not null;
create index order_paying on settlement.order (enterprise_id, paying_until) where status = 1;
create index order_waiting on settlement.order (enterprise_id, park_code, plate_no) where status in (0, 1);
select platform.scoped('settlement.order');

-- Every move of an order, in order.
create table settlement.move (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_id uuid not null, park_code text not null,
  from_status smallint not null, to_status smallint not null, event text not null, at timestamptz not null, reason text, primary key (enterprise_id, id),
  foreign key (enterprise_id, order_id) references settlement.order (enterprise_id, id));
create index move_order on settlement.move (enterprise_id, order_id);
select platform.scoped('settlement.move', audited => false, append_only => true);

-- A person's work at the till. Cash belongs to a shift.
-- begun_in: where it was begun, for as long as no money says where it belongs: the post of whoever keeps it, or the one park that they see. counted: by denomination. expected_fen: what should have been there at closing, with what came late. open_fen: the difference that nobody has settled yet. settled_way: 1 made good, 2 kept as over, 3 borne by the company, which a second person confirms: until then it is proposed, and the difference stays open.
create table settlement.shift (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), shift_no text not null, person_id uuid not null, person_name text not null,
  state smallint not null default 0 check (state between 0 and 5), opening_float_fen bigint not null default 0 check (opening_float_fen >= 0),
  opened_at timestamptz not null, begun_in text, closed_at timestamptz, version integer not null default 1,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  counted jsonb, counted_fen bigint check (counted_fen >= 0), expected_fen bigint, difference_fen bigint generated always as (counted_fen - expected_fen) stored, open_fen bigint not null default 0, late_fen bigint not null default 0 check (late_fen >= 0), close_reason text, taker_id uuid, taker_name text, taken_at timestamptz, settled_way smallint check (settled_way in (1, 2, 3)), settled_note text, settled_by_id uuid, settled_by_name text, settled_at timestamptz, confirmed_by_id uuid, confirmed_by_name text, verified_by_id uuid, verified_by_name text, verified_at timestamptz, primary key (enterprise_id, id));
create unique index shift_open on settlement.shift (enterprise_id, person_id) where state = 0;
create index shift_opened on settlement.shift (enterprise_id, opened_at desc);
select platform.scoped('settlement.shift');

-- One attempt to pay, or one trade that nobody expected. (channel, trade_no) is the trade's name: whatever comes again under it is the same money.
-- beside_id: what is laid beside it out of a purse kept here (points), a payment of its own that is taken with it, and let go without it. An order has one such at a time.
-- contract_no: the driver's agreement by which it is taken. One is under way for an order at a time, and each agreement is tried once.
-- Money that nobody asked for is somebody's work: who sees to it, until it has gone back. Only of such money, and of a person who is known by name.
create table settlement.payment (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_id uuid not null, park_code text not null, pay_no text not null,
  pay_method smallint not null check (pay_method in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 99)), channel text not null, trade_no text,
  amount_fen bigint not null check (amount_fen >= 0), received_fen bigint not null default 0 check (received_fen >= 0),
  refund_fen bigint not null default 0 check (refund_fen >= 0), refunding_fen bigint not null default 0 check (refunding_fen >= 0),
  state smallint not null default 0 check (state between 0 and 6), pay_url text, expires_at timestamptz, paid_at timestamptz,
  operator_id uuid, operator_name text, shift_id uuid, version integer not null default 1,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  owner_id uuid, owner_name text, owned_at timestamptz, beside_id uuid, heard_at timestamptz, cleared_on date, contract_no text, primary key (enterprise_id, id),
  foreign key (enterprise_id, order_id) references settlement.order (enterprise_id, id),
  foreign key (enterprise_id, shift_id) references settlement.shift (enterprise_id, id),
  foreign key (enterprise_id, beside_id) references settlement.payment (enterprise_id, id),
  constraint refund_within_received check (refund_fen + refunding_fen <= received_fen));
create unique index payment_pay_no on settlement.payment (enterprise_id, pay_no);
create unique index payment_trade on settlement.payment (enterprise_id, channel, trade_no) where trade_no is not null;
create index payment_order on settlement.payment (enterprise_id, order_id);
create unique index payment_laid on settlement.payment (enterprise_id, order_id) where state = 0 and channel in ('stored', 'points');
create unique index payment_debit on settlement.payment (enterprise_id, order_id) where state = 0 and contract_no is not null;
create index payment_paid on settlement.payment (enterprise_id, paid_at desc, id desc) where trade_no is not null;
create index payment_park on settlement.payment (enterprise_id, park_code, paid_at desc, id desc) where trade_no is not null;
-- What was heard of on a later day than it was paid may have come when its day was closed. It is looked at once: cleared_on is the day that it is compared on, its own or an open one.
create function settlement.hear() returns trigger language plpgsql as $$
begin
  new.heard_at := clock_timestamp();
  return new;
end $$;
create trigger heard before insert or update of trade_no on settlement.payment for each row when (new.trade_no is not null and new.heard_at is null) execute function settlement.hear();
create index payment_late on settlement.payment (enterprise_id, channel) where cleared_on is null and (heard_at at time zone 'Asia/Shanghai')::date > (paid_at at time zone 'Asia/Shanghai')::date;
create index payment_cleared on settlement.payment (enterprise_id, channel, cleared_on) where cleared_on is not null;
select platform.scoped('settlement.payment');

-- Every notice of a channel as it came: 1 a payment, 2 a refund, 3 an agreement. A nonce is heard once.
create table settlement.notice (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), channel text not null, nonce text not null, kind smallint not null check (kind in (1, 2, 3)),
  number text not null, trade_no text, amount_fen bigint not null, outcome text not null, received_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index notice_nonce on settlement.notice (enterprise_id, channel, nonce);
create index notice_number on settlement.notice (enterprise_id, number);
select platform.scoped('settlement.notice', audited => false, append_only => true);

create table settlement.refund (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), refund_no text not null, order_id uuid not null, payment_id uuid not null, park_code text not null,
  kind smallint not null default 1 check (kind in (1, 2, 3)), amount_fen bigint not null check (amount_fen > 0), reason text not null,
  state smallint not null default 0 check (state between 0 and 6), applicant_id uuid, applicant_name text not null, approvals smallint not null default 0, approvals_needed smallint not null default 1,
  first_approver_id uuid, first_approver_name text, second_approver_id uuid, second_approver_name text, verdict text,
  channel_refund_no text, failure text, applied_at timestamptz not null, decided_at timestamptz, finished_at timestamptz, version integer not null default 1,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, order_id) references settlement.order (enterprise_id, id),
  foreign key (enterprise_id, payment_id) references settlement.payment (enterprise_id, id),
  constraint maker_is_not_checker check (applicant_id is distinct from first_approver_id or applicant_id is null),
  constraint maker_is_not_second check (applicant_id is distinct from second_approver_id or applicant_id is null),
  constraint two_people check (first_approver_id is null or first_approver_id is distinct from second_approver_id),
  constraint approved_enough check (state in (0, 5, 6) or approvals >= approvals_needed));
create unique index refund_no on settlement.refund (enterprise_id, refund_no);
create index refund_order on settlement.refund (enterprise_id, order_id);
create index refund_state on settlement.refund (enterprise_id, state, applied_at desc, id desc);
create index refund_applied on settlement.refund (enterprise_id, applied_at desc, id desc);
-- What went back on a day, for its clearing.
create index refund_finished on settlement.refund (enterprise_id, finished_at) where state = 3;
select platform.scoped('settlement.refund');

-- Letting somebody off what is due: asked by one, granted by another.
create table settlement.waiver (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_id uuid not null, park_code text not null, amount_fen bigint not null check (amount_fen > 0),
  reason text not null, state smallint not null default 0 check (state between 0 and 4), applicant_id uuid not null, applicant_name text not null, approver_id uuid, approver_name text, verdict text,
  applied_at timestamptz not null, decided_at timestamptz, version integer not null default 1,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, order_id) references settlement.order (enterprise_id, id),
  constraint maker_is_not_checker check (applicant_id is distinct from approver_id));
create unique index waiver_open on settlement.waiver (enterprise_id, order_id) where state = 0;
create index waiver_state on settlement.waiver (enterprise_id, state, applied_at desc);
select platform.scoped('settlement.waiver');

-- Payments with what a person asks of them: the list behind the income report.
create view settlement.payment_line with (security_invoker = true) as
  select p.enterprise_id, p.id, p.order_id, o.order_no, o.type, o.plate_no, o.plate_color, p.park_code, p.pay_no, p.pay_method, p.channel, p.trade_no, p.amount_fen, p.received_fen,
    p.refund_fen, o.receivable_fen, o.discount_fen, p.state, p.paid_at, p.operator_name, p.shift_id
  from settlement.payment p join settlement.order o on o.enterprise_id = p.enterprise_id and o.id = p.order_id
  where p.trade_no is not null;
grant select on settlement.payment_line to kerbline_app;
select platform.plates_found('settlement.order');

-- A debt may be paid in parts and in one payment with others: an order then holds part of its money, and a repayment (type 2) knows which orders it is for.
alter table settlement.order drop constraint if exists paid_whole;
alter table settlement.order add constraint paid_within check (paid_fen between 0 and receivable_fen - discount_fen);
alter table settlement.order add constraint ended_within check (paid_fen + waived_fen + written_off_fen <= receivable_fen - discount_fen);
alter table settlement.order add constraint paid_in_part_is_owed check (owed or paid_fen = 0 or paid_fen = receivable_fen - discount_fen);

alter table settlement.waiver add column approvals smallint not null default 0, add column approvals_needed smallint not null default 1 check (approvals_needed in (1, 2)),
  add column second_approver_id uuid, add column second_approver_name text,
  add constraint maker_is_not_second check (applicant_id is distinct from second_approver_id),
  add constraint two_people check (approver_id is null or approver_id is distinct from second_approver_id),
  add constraint approved_enough check (state <> 1 or approvals >= approvals_needed);

-- What a repayment is for. `open`: nobody else may ask for that order meanwhile.
create table settlement.repay_item (
  enterprise_id integer not null default scope_enterprise(), repay_id uuid not null, seq smallint not null check (seq > 0), order_id uuid not null, park_code text not null,
  amount_fen bigint not null check (amount_fen > 0), open boolean not null default true, primary key (enterprise_id, repay_id, seq),
  foreign key (enterprise_id, repay_id) references settlement.order (enterprise_id, id),
  foreign key (enterprise_id, order_id) references settlement.order (enterprise_id, id));
create unique index repay_item_open on settlement.repay_item (enterprise_id, order_id) where open;
create index repay_item_order on settlement.repay_item (enterprise_id, order_id);
select platform.scoped('settlement.repay_item', audited => false);

-- How the money of a payment was spread over the orders that it paid: every fen that came for a debt stands here once, and once in the ledger.
create table settlement.allocation (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), payment_id uuid not null, order_id uuid not null, repay_id uuid, park_code text not null,
  amount_fen bigint not null check (amount_fen > 0), refund_fen bigint not null default 0 check (refund_fen >= 0), refunding_fen bigint not null default 0 check (refunding_fen >= 0),
  for_debt boolean not null, at timestamptz not null, primary key (enterprise_id, id),
  foreign key (enterprise_id, payment_id) references settlement.payment (enterprise_id, id),
  foreign key (enterprise_id, order_id) references settlement.order (enterprise_id, id),
  foreign key (enterprise_id, repay_id) references settlement.order (enterprise_id, id),
  constraint refund_within_allocation check (refund_fen + refunding_fen <= amount_fen));
create unique index allocation_once on settlement.allocation (enterprise_id, payment_id, order_id);
create index allocation_order on settlement.allocation (enterprise_id, order_id);
create index allocation_at on settlement.allocation (enterprise_id, at desc, id desc) where for_debt;
select platform.scoped('settlement.allocation', audited => false);

-- Payments with what a person asks of them. One payment for several orders is a line of each.
create or replace view settlement.payment_line with (security_invoker = true) as
  select p.enterprise_id, p.id, p.order_id, o.order_no, o.type, o.plate_no, o.plate_color, p.park_code, p.pay_no, p.pay_method, p.channel, p.trade_no, p.amount_fen, p.received_fen,
    p.refund_fen, o.receivable_fen, o.discount_fen, p.state, p.paid_at, p.operator_name, p.shift_id
  from settlement.payment p join settlement.order o on o.enterprise_id = p.enterprise_id and o.id = p.order_id
  where p.trade_no is not null and (o.type <> 2 or p.state <> 1)
  union all
  select a.enterprise_id, a.id, a.order_id, o.order_no, o.type, o.plate_no, o.plate_color, a.park_code, p.pay_no, p.pay_method, p.channel, p.trade_no, a.amount_fen, a.amount_fen,
    a.refund_fen, o.receivable_fen, o.discount_fen, p.state, p.paid_at, p.operator_name, p.shift_id
  from settlement.allocation a join settlement.payment p on p.enterprise_id = a.enterprise_id and p.id = a.payment_id
    join settlement.order o on o.enterprise_id = a.enterprise_id and o.id = a.order_id
  where a.repay_id is not null;
alter table settlement.order drop constraint order_type_check, add constraint order_type_check check (type between 1 and 11);

-- A payment that comes out of accounts kept here (stored value, points), by what each of them bore. What goes back goes back to them.
create table settlement.leg (
  enterprise_id integer not null default scope_enterprise(), payment_id uuid not null, seq smallint not null, park_code text not null, account text not null references ledger.account, sub text not null,
  amount_fen bigint not null check (amount_fen > 0), booked_fen bigint not null default 0, refund_fen bigint not null default 0,
  primary key (enterprise_id, payment_id, seq), foreign key (enterprise_id, payment_id) references settlement.payment (enterprise_id, id),
  constraint booked_within check (booked_fen between 0 and amount_fen), constraint refund_within check (refund_fen between 0 and amount_fen));
select platform.scoped('settlement.leg', audited => false);
alter table settlement.payment add constraint owned_if_unasked check (owner_id is null or state in (4, 5, 6)),
  add constraint owner_whole check (num_nonnulls(owner_id, owner_name, owned_at) in (0, 3));
create or replace view settlement.payment_line with (security_invoker = true) as
  select p.enterprise_id, p.id, p.order_id, o.order_no, o.type, o.plate_no, o.plate_color, p.park_code, p.pay_no, p.pay_method, p.channel, p.trade_no, p.amount_fen, p.received_fen,
    p.refund_fen, o.receivable_fen, o.discount_fen, p.state, p.paid_at, p.operator_name, p.shift_id, p.version, p.owner_id, p.owner_name, p.owned_at
  from settlement.payment p join settlement.order o on o.enterprise_id = p.enterprise_id and o.id = p.order_id
  where p.trade_no is not null and (o.type <> 2 or p.state <> 1)
  union all
  select a.enterprise_id, a.id, a.order_id, o.order_no, o.type, o.plate_no, o.plate_color, a.park_code, p.pay_no, p.pay_method, p.channel, p.trade_no, a.amount_fen, a.amount_fen,
    a.refund_fen, o.receivable_fen, o.discount_fen, p.state, p.paid_at, p.operator_name, p.shift_id, p.version, p.owner_id, p.owner_name, p.owned_at
  from settlement.allocation a join settlement.payment p on p.enterprise_id = a.enterprise_id and p.id = a.payment_id
    join settlement.order o on o.enterprise_id = a.enterprise_id and o.id = a.order_id
  where a.repay_id is not null;

-- What a recharge is for, as whoever sells it says it: 1 new pass, 2 renewal, 3 stored value, 4 park card, 5 pass brought in by a sheet.
create table settlement.recharge (
  enterprise_id integer not null default scope_enterprise(), order_id uuid not null, park_code text not null, biz_type smallint not null check (biz_type in (1, 2, 3, 4, 5)),
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

-- Refunds and waivers with whose order it is.
create view settlement.refund_line with (security_invoker = true) as
  select r.*, o.order_no, o.plate_no, o.plate_color, p.pay_method from settlement.refund r join settlement.order o on o.enterprise_id = r.enterprise_id and o.id = r.order_id
    left join settlement.payment p on p.enterprise_id = r.enterprise_id and p.id = r.payment_id;
grant select on settlement.refund_line to kerbline_app;
create view settlement.waiver_line with (security_invoker = true) as
  select w.*, o.order_no, o.plate_no, o.plate_color from settlement.waiver w join settlement.order o on o.enterprise_id = w.enterprise_id and o.id = w.order_id;
grant select on settlement.waiver_line to kerbline_app;

-- A day of a channel. state: 0 its file is awaited, 1 differences, 2 even, 3 closed.
create table settlement.check_total (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), check_date date not null, channel text not null, mch_id text,
  plat_count integer not null default 0, plat_fen bigint not null default 0, plat_refund_fen bigint not null default 0,
  chan_count integer not null default 0, chan_fen bigint not null default 0, chan_refund_fen bigint not null default 0, fee_fen bigint not null default 0,
  diff_count integer not null default 0, diff_fen bigint not null default 0, open_count integer not null default 0, open_fen bigint not null default 0, state smallint not null default 0 check (state in (0, 1, 2, 3)),
  file_name text, digest text, imported_name text, imported_at timestamptz, closed_name text, closed_at timestamptz, entry_ids uuid[] not null default '{}',
  reopen_id uuid, reopen_name text, reopen_reason text,
  -- What came before a channel's first closed day, by whose closer's decision it is compared on no day.
  before_count integer, before_fen bigint, before_from date,
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
  -- What the two sides differ by: of the channel counts what stands in the file of that day.
  diff_fen bigint not null generated always as (case when result = 1 then 0 else abs(case when in_file or result = 4 then coalesce(chan_fen, 0) else 0 end - coalesce(plat_fen, 0)) end) stored,
  constraint somewhere check (plat_fen is not null or chan_fen is not null), constraint same_is_even check (result <> 1 or diff_state = 3));
create unique index check_detail_key on settlement.check_detail (enterprise_id, check_date, channel, kind, match_key);
create index check_detail_list on settlement.check_detail (enterprise_id, check_date desc, id desc);
create index check_detail_pay on settlement.check_detail (enterprise_id, pay_no);
-- What an import finds is told by its file; what comes of it afterwards is somebody's doing.
select platform.scoped('settlement.check_detail', audited => false);
create trigger watched after update or delete on settlement.check_detail for each row execute function platform.watched('id');

-- A closed day is read only, whoever writes.
create function settlement.keep_closed() returns trigger language plpgsql as $$
declare day record;
begin
  select t.check_date, t.channel into day from (select distinct enterprise_id, check_date, channel from changed) c
    join settlement.check_total t on t.enterprise_id = c.enterprise_id and t.check_date = c.check_date and t.channel = c.channel where t.state = 3 limit 1;
  if found then raise exception 'The day % of % is closed.', day.check_date, day.channel using errcode = '23514', constraint = 'day_closed'; end if;
  return null;
end $$;
do $$
declare one text;
begin
  foreach one in array array['check_detail', 'channel_trade'] loop
    execute format('create trigger closed_came after insert on settlement.%I referencing new table as changed for each statement execute function settlement.keep_closed()', one);
    execute format('create trigger closed_changed after update on settlement.%I referencing new table as changed for each statement execute function settlement.keep_closed()', one);
    execute format('create trigger closed_went after delete on settlement.%I referencing old table as changed for each statement execute function settlement.keep_closed()', one);
  end loop;
end $$;

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

-- A charge that nobody paid is a debt like others, but no lane asks for it.
alter table settlement.order drop constraint order_source_type_check, add constraint order_source_type_check check (source_type between 1 and 8);
create index order_credited on settlement.order (enterprise_id, credited_to) where credited_to <> '';
-- Which payments an account made, found when it becomes part of another.
create index leg_sub on settlement.leg (enterprise_id, sub);

-- What collectors reported, and what they took.
create index payment_shift on settlement.payment (enterprise_id, shift_id) where shift_id is not null;
create index shift_person on settlement.shift (enterprise_id, person_id, opened_at desc);
select platform.uncounted('settlement.shift');
-- State 4 alone may have no count: shifts that were settled before tills were counted here.
alter table settlement.shift
  add constraint closed_is_counted check (state in (0, 4) or num_nulls(counted, counted_fen, expected_fen, closed_at) = 0),
  add constraint running_is_uncounted check (state <> 0 or num_nonnulls(counted, counted_fen, expected_fen, taker_id, taken_at, verified_by_id) = 0),
  add constraint difference_is_open check ((state = 5) = (open_fen <> 0)),
  add constraint taker_is_another check (taker_id <> person_id),
  add constraint handed_to_somebody check ((state <> 1 or (taker_id is not null and taken_at is null)) and (state <> 2 or taken_at is not null) and (taken_at is null or taker_id is not null)),
  add constraint settled_by_another check (settled_by_id is null or (settled_by_id <> person_id and settled_by_id is distinct from taker_id)),
  add constraint verified_by_another check (verified_by_id is null or (verified_by_id <> person_id and verified_by_id is distinct from taker_id and verified_by_id is distinct from settled_by_id and verified_by_id is distinct from confirmed_by_id)),
  add constraint borne_by_two check (settled_way is distinct from 3 or state = 5 or (confirmed_by_id is not null and settled_note is not null)),
  add constraint confirmed_by_another check (confirmed_by_id is null or (confirmed_by_id <> person_id and confirmed_by_id is distinct from taker_id and confirmed_by_id is distinct from settled_by_id));
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
-- One that has had none lies where it was begun; begun nowhere in particular, it is for whoever sees all parks.
create function settlement.sees_all_cash(of_shift uuid) returns boolean stable language sql security definer set search_path = '' as $$
  select coalesce((select bool_and(b.park_code = any (public.scope_parks())) from ledger.balance b where b.enterprise_id = public.scope_enterprise() and b.account = 'asset.cash' and b.sub = of_shift::text),
    (select s.begun_in = any (public.scope_parks()) from settlement.shift s where s.enterprise_id = public.scope_enterprise() and s.id = of_shift), false) $$;
revoke all on function settlement.sees_all_cash(uuid) from public;
grant execute on function settlement.sees_all_cash(uuid) to kerbline_app;

-- Its park: where it first took money, of the parks that whoever looks may see, or where cash was handed to it, or where it was begun. What came and went is of the parks that whoever
-- looks may see; its float, and what was counted and found to differ, are of the whole till, and unknown to whoever sees a part of its cash only.
create view settlement.shift_line with (security_invoker = true) as
  select s.id, s.enterprise_id, s.version, s.shift_no, s.person_id, s.person_name, s.state, s.opened_at, s.closed_at, case when w.whole then s.opening_float_fen end as opening_float_fen,
    coalesce((select p.park_code from settlement.payment p where p.enterprise_id = s.enterprise_id and p.shift_id = s.id order by p.paid_at limit 1),
      (select v.park_code from settlement.shift_move v where v.enterprise_id = s.enterprise_id and v.shift_id = s.id order by v.at, v.id limit 1), s.begun_in) as park_code,
    b.debit_fen - m.debit_fen as cash_in_fen, b.credit_fen - m.credit_fen as cash_out_fen, m.deposit_fen, d.over_fen, d.under_fen,
    case when w.whole then coalesce(s.expected_fen, s.opening_float_fen + b.debit_fen - b.credit_fen) end as expected_fen, case when w.whole then s.counted end as counted,
    case when w.whole then s.counted_fen end as counted_fen, case when w.whole then s.difference_fen end as difference_fen, case when w.whole then s.open_fen end as open_fen,
    case when w.whole then s.late_fen end as late_fen, s.close_reason,
    s.taker_id, s.taker_name, s.taken_at, s.settled_way, s.settled_note, s.settled_by_id, s.settled_by_name, s.settled_at, s.confirmed_by_id, s.confirmed_by_name, s.verified_by_id, s.verified_by_name, s.verified_at
  from settlement.shift s
  cross join lateral (select (select scope_all_parks()) or settlement.sees_all_cash(s.id) as whole offset 0) w
  cross join lateral (select coalesce(sum(l.debit_fen), 0)::bigint as debit_fen, coalesce(sum(l.credit_fen), 0)::bigint as credit_fen
    from ledger.balance l where l.enterprise_id = s.enterprise_id and l.account = 'asset.cash' and l.sub = s.id::text) b
  cross join lateral (select coalesce(sum(v.debit_fen), 0)::bigint as debit_fen, coalesce(sum(v.credit_fen), 0)::bigint as credit_fen,
      coalesce(sum(v.credit_fen) filter (where v.kind = 1), 0)::bigint as deposit_fen
    from settlement.shift_move v where v.enterprise_id = s.enterprise_id and v.shift_id = s.id) m
  cross join lateral (select coalesce(sum(greatest(p.received_fen - p.amount_fen, 0)), 0)::bigint as over_fen, coalesce(sum(greatest(p.amount_fen - p.received_fen, 0)), 0)::bigint as under_fen
    from settlement.payment p where p.enterprise_id = s.enterprise_id and p.shift_id = s.id and p.channel = 'cash') d;
grant select on settlement.shift_line to kerbline_app;
-- Whoever keeps a till that is open counts and closes it, and whoever it was handed to counts it too, also when they see fewer parks: to these two it is whole, with all that came and went.
create function settlement.own_tills(person uuid) returns setof settlement.shift_line stable language sql security definer set search_path = '' set scope.parks = '*' as $$
  select * from settlement.shift_line where enterprise_id = public.scope_enterprise() and ((person_id = person and state = 0) or (taker_id = person and state = 1)) $$;
create function settlement.own_moves(person uuid) returns setof settlement.shift_move stable language sql security definer set search_path = '' as $$
  select v.* from settlement.shift_move v join settlement.shift s on s.enterprise_id = v.enterprise_id and s.id = v.shift_id
    where s.enterprise_id = public.scope_enterprise() and ((s.person_id = person and s.state = 0) or (s.taker_id = person and s.state = 1)) $$;
revoke all on function settlement.own_tills(uuid), settlement.own_moves(uuid) from public;
grant execute on function settlement.own_tills(uuid), settlement.own_moves(uuid) to kerbline_app;
-- 12: bills of leases.
alter table settlement.order drop constraint order_type_check, add constraint order_type_check check (type between 1 and 12);

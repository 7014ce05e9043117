-- Payment orders of every kind, what was paid on them, what went back.
create schema settlement;
select platform.opened('settlement');

-- The fee is receivable, less discount, is payable. `owed`: the arrears stand in the ledger, so a payment settles them and is no new income.
-- `refunding_fen` holds what is on its way back; no sum of refunds can pass what was paid, whoever approves what at once.
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
create table settlement.shift (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), shift_no text not null, person_id uuid not null, person_name text not null,
  state smallint not null default 0 check (state between 0 and 5), opening_float_fen bigint not null default 0 check (opening_float_fen >= 0),
  opened_at timestamptz not null, closed_at timestamptz, version integer not null default 1,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index shift_open on settlement.shift (enterprise_id, person_id) where state = 0;
create index shift_opened on settlement.shift (enterprise_id, opened_at desc);
select platform.scoped('settlement.shift');

-- One attempt to pay, or one trade that nobody expected. (channel, trade_no) is the trade's name: whatever comes again under it is the same money.
create table settlement.payment (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_id uuid not null, park_code text not null, pay_no text not null,
  pay_method smallint not null check (pay_method in (1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 99)), channel text not null, trade_no text,
  amount_fen bigint not null check (amount_fen > 0), received_fen bigint not null default 0 check (received_fen >= 0),
  refund_fen bigint not null default 0 check (refund_fen >= 0), refunding_fen bigint not null default 0 check (refunding_fen >= 0),
  state smallint not null default 0 check (state between 0 and 6), pay_url text, expires_at timestamptz, paid_at timestamptz,
  operator_id uuid, operator_name text, shift_id uuid, version integer not null default 1,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, order_id) references settlement.order (enterprise_id, id),
  foreign key (enterprise_id, shift_id) references settlement.shift (enterprise_id, id),
  constraint refund_within_received check (refund_fen + refunding_fen <= received_fen));
create unique index payment_pay_no on settlement.payment (enterprise_id, pay_no);
create unique index payment_trade on settlement.payment (enterprise_id, channel, trade_no) where trade_no is not null;
create index payment_order on settlement.payment (enterprise_id, order_id);
create index payment_paid on settlement.payment (enterprise_id, paid_at desc, id desc) where trade_no is not null;
create index payment_park on settlement.payment (enterprise_id, park_code, paid_at desc, id desc) where trade_no is not null;
select platform.scoped('settlement.payment');

-- Every notice of a channel as it came. A nonce is heard once.
create table settlement.notice (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), channel text not null, nonce text not null, kind smallint not null check (kind in (1, 2)),
  number text not null, trade_no text, amount_fen bigint not null, outcome text not null, received_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index notice_nonce on settlement.notice (enterprise_id, channel, nonce);
create index notice_number on settlement.notice (enterprise_id, number);
select platform.scoped('settlement.notice', audited => false, append_only => true);

create table settlement.refund (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), refund_no text not null, order_id uuid not null, payment_id uuid not null, park_code text not null,
  kind smallint not null default 1 check (kind in (1, 2, 3)), amount_fen bigint not null check (amount_fen > 0), reason text not null,
  state smallint not null default 0 check (state between 0 and 5), applicant_id uuid, applicant_name text not null, approvals smallint not null default 0, approvals_needed smallint not null default 1,
  first_approver_id uuid, first_approver_name text, second_approver_id uuid, second_approver_name text, verdict text,
  channel_refund_no text, failure text, applied_at timestamptz not null, decided_at timestamptz, finished_at timestamptz, version integer not null default 1,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, order_id) references settlement.order (enterprise_id, id),
  foreign key (enterprise_id, payment_id) references settlement.payment (enterprise_id, id),
  constraint maker_is_not_checker check (applicant_id is distinct from first_approver_id or applicant_id is null),
  constraint maker_is_not_second check (applicant_id is distinct from second_approver_id or applicant_id is null),
  constraint two_people check (first_approver_id is null or first_approver_id is distinct from second_approver_id),
  constraint approved_enough check (state in (0, 5) or approvals >= approvals_needed));
create unique index refund_no on settlement.refund (enterprise_id, refund_no);
create index refund_order on settlement.refund (enterprise_id, order_id);
create index refund_state on settlement.refund (enterprise_id, state, applied_at desc, id desc);
create index refund_applied on settlement.refund (enterprise_id, applied_at desc, id desc);
select platform.scoped('settlement.refund');

-- Letting somebody off what is due: asked by one, granted by another.
create table settlement.waiver (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_id uuid not null, park_code text not null, amount_fen bigint not null check (amount_fen > 0),
  reason text not null, state smallint not null default 0 check (state in (0, 1, 2)), applicant_id uuid not null, applicant_name text not null, approver_id uuid, approver_name text, verdict text,
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

-- A driver at the exit has no session: what a payment code at the lane shows, and to whom an order belongs.
create function settlement.waiting(of_park text, of_plate text) returns table (enterprise_id integer, order_no text, park_code text, plate_no text, payable_fen bigint, status smallint)
language sql stable security definer set search_path = ''
  begin atomic select o.enterprise_id, o.order_no, o.park_code, o.plate_no, o.payable_fen, o.status from settlement.order o
    where o.park_code = of_park and o.plate_no = of_plate and o.status in (0, 1) order by o.created_at desc limit 5; end;
create function settlement.enterprise_of(of_order text) returns integer language sql stable security definer set search_path = ''
  begin atomic select o.enterprise_id from settlement.order o where o.order_no = of_order; end;

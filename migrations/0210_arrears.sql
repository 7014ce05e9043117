-- A debt may be paid in parts and in one payment with others: an order then holds part of its money, and a repayment (type 2) knows which orders it is for.
alter table settlement.order drop constraint if exists paid_whole;
alter table settlement.order add column written_off_fen bigint not null default 0 check (written_off_fen >= 0);
alter table settlement.order add column place smallint check (place between 1 and 5);
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

create schema arrears;
select platform.opened('arrears');

-- The collection file of one order, born with its move to arrears. What is owed stands in the order; here stands what is done about it.
-- state: 0 open, 1 partly repaid, 2 repaid, 3 appealed, 4 waived, 5 written off, 6 revoked. `before_appeal` is where a rejected appeal goes back to.
-- exception_type: 0 none, 1 evidence missing, 2 plate in doubt, 3 amount wrong, 4 perhaps twice, 5 ETC result unknown: not demanded while it is not 0.
create table arrears.record (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), arrears_no text not null, order_id uuid not null, order_no text not null, order_type smallint not null,
  stay_id uuid, park_code text not null, section_code text, p_type smallint not null check (p_type between 1 and 4), plate_no text, plate_color smallint check (plate_color between 0 and 7),
  amount_fen bigint not null check (amount_fen > 0), source_type smallint not null check (source_type between 1 and 7),
  escape_type smallint not null generated always as (case when source_type in (2, 3, 7) then 2 else 1 end) stored check (escape_type in (1, 2)),
  state smallint not null default 0 check (state between 0 and 6), before_appeal smallint check (before_appeal in (0, 1, 2)),
  exception_type smallint not null default 0 check (exception_type between 0 and 5), missing text, arrived_at timestamptz, left_at timestamptz, images text, exit_gate text, operator_out text,
  dun_count integer not null default 0 check (dun_count >= 0), last_dun_at timestamptz, next_dun_at timestamptz, dun_step smallint not null default 0 check (dun_step >= 0),
  blacklisted boolean not null default false, remark text, version integer not null default 1, created_at timestamptz not null, updated_at timestamptz not null default now(),
  primary key (enterprise_id, id), foreign key (enterprise_id, order_id) references settlement.order (enterprise_id, id),
  constraint appealed_from check ((state = 3) = (before_appeal is not null)));
create unique index record_order on arrears.record (enterprise_id, order_id);
create unique index record_no on arrears.record (enterprise_id, arrears_no);
create index record_created on arrears.record (enterprise_id, created_at desc, id desc);
create index record_park on arrears.record (enterprise_id, park_code, created_at desc, id desc);
create index record_open on arrears.record (enterprise_id, p_type, created_at desc, id desc) where state in (0, 1, 3);
create index record_exception on arrears.record (enterprise_id, created_at desc, id desc) where exception_type <> 0;
create index record_plate on arrears.record (enterprise_id, plate_no, created_at);
create index record_stay on arrears.record (enterprise_id, stay_id);
create index record_to_dun on arrears.record (enterprise_id, next_dun_at) where state in (0, 1) and exception_type = 0;
select platform.scoped('arrears.record');

-- A file with what its order says. Every amount of a file is in exactly one of paid, waived, written off, revoked and owed.
create view arrears.file with (security_invoker = true) as
  select r.*, case when r.state = 6 then 0 else o.paid_fen end as paid_fen, case when r.state = 6 then 0 else o.waived_fen end as waived_fen,
    case when r.state = 6 then 0 else o.written_off_fen end as written_off_fen, case when r.state = 6 then r.amount_fen else 0 end as revoked_fen, o.arrears_fen as owed_fen,
    case when r.state in (0, 1) and r.exception_type = 0 then o.arrears_fen else 0 end as collectable_fen
  from arrears.record r join settlement.order o on o.enterprise_id = r.enterprise_id and o.id = r.order_id;
grant select on arrears.file to kerbline_app;

-- What one payment brought for debts, and what of it each debt got.
create view arrears.repayment_part with (security_invoker = true) as
  select a.id, a.enterprise_id, a.payment_id, p.pay_no, coalesce(b.order_no, p.pay_no) as repay_no, a.order_id, r.id as record_id, r.arrears_no, r.plate_no, r.plate_color, r.park_code, r.section_code, r.p_type,
    r.order_type, r.state, r.amount_fen, o.arrears_fen as owed_fen, a.amount_fen as allocated_fen, a.refund_fen, p.pay_method, b.place, p.operator_name, p.shift_id, a.at, r.created_at
  from settlement.allocation a join settlement.payment p on p.enterprise_id = a.enterprise_id and p.id = a.payment_id
    join arrears.record r on r.enterprise_id = a.enterprise_id and r.order_id = a.order_id
    join settlement.order o on o.enterprise_id = a.enterprise_id and o.id = a.order_id
    left join settlement.order b on b.enterprise_id = a.enterprise_id and b.id = a.repay_id
  where a.for_debt;
grant select on arrears.repayment_part to kerbline_app;

-- What one payment brought for debts, at each park of theirs.
create view arrears.repayment with (security_invoker = true) as
  select min(id::text)::uuid as id, enterprise_id, payment_id, repay_no, park_code, p_type, min(plate_no) as plate_no, min(plate_color) as plate_color, pay_method, place, operator_name, at,
    sum(allocated_fen)::bigint as paid_fen, sum(refund_fen)::bigint as refund_fen, count(*)::integer as records
  from arrears.repayment_part group by enterprise_id, payment_id, repay_no, park_code, p_type, pay_method, place, operator_name, at;
grant select on arrears.repayment to kerbline_app;

-- Pictures and notes that show what happened: which car stood where, coming and going.
create table arrears.evidence (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), record_id uuid not null, park_code text not null,
  kind smallint not null check (kind in (1, 2, 3)), image text not null, shows_berth boolean not null, shows_plate boolean not null, taken_at timestamptz not null, note text,
  added_name text not null, created_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, record_id) references arrears.record (enterprise_id, id));
create index evidence_record on arrears.evidence (enterprise_id, record_id);
select platform.scoped('arrears.evidence');

-- state: 0 waits, 1 upheld, 2 rejected, 3 withdrawn. Whoever asked does not decide.
create table arrears.appeal (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), record_id uuid not null, park_code text not null, reason text not null, images text, contact text not null,
  state smallint not null default 0 check (state between 0 and 3), applicant_id uuid not null, applicant_name text not null, approver_id uuid, approver_name text, verdict text,
  applied_at timestamptz not null, decided_at timestamptz, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (enterprise_id, id), foreign key (enterprise_id, record_id) references arrears.record (enterprise_id, id),
  constraint maker_is_not_checker check (applicant_id is distinct from approver_id));
create unique index appeal_open on arrears.appeal (enterprise_id, record_id) where state = 0;
create index appeal_record on arrears.appeal (enterprise_id, record_id);
create index appeal_applied on arrears.appeal (enterprise_id, applied_at desc, id desc);
select platform.scoped('arrears.appeal');

-- A debt that is to end without being paid: kind 1 revoked (misread), 2 written off. Asked by one, granted by another, by two others from 500 yuan.
create table arrears.closing (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), record_id uuid not null, park_code text not null, kind smallint not null check (kind in (1, 2)),
  cause smallint check (cause between 1 and 5), reason text not null, amount_fen bigint not null check (amount_fen > 0), state smallint not null default 0 check (state in (0, 1, 2)),
  applicant_id uuid not null, applicant_name text not null, approvals smallint not null default 0, approvals_needed smallint not null check (approvals_needed in (1, 2)),
  first_approver_id uuid, first_approver_name text, second_approver_id uuid, second_approver_name text, verdict text, applied_at timestamptz not null, decided_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (enterprise_id, id), foreign key (enterprise_id, record_id) references arrears.record (enterprise_id, id),
  constraint cause_of_write_off check ((kind = 2) = (cause is not null)),
  constraint maker_is_not_checker check (applicant_id is distinct from first_approver_id),
  constraint maker_is_not_second check (applicant_id is distinct from second_approver_id),
  constraint two_people check (first_approver_id is null or first_approver_id is distinct from second_approver_id),
  constraint approved_enough check (state <> 1 or approvals >= approvals_needed));
create unique index closing_open on arrears.closing (enterprise_id, record_id) where state = 0;
create index closing_record on arrears.closing (enterprise_id, record_id);
create index closing_applied on arrears.closing (enterprise_id, applied_at desc, id desc);
select platform.scoped('arrears.closing');

-- A reminder of one debt; all debts of a vehicle that are reminded of on one day are one message. state: 0 waits for the morning, 1 sent, 2 no contact, 3 stopped, 4 not sent.
create table arrears.dun (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), record_id uuid not null, park_code text not null, plate_no text not null, plate_color smallint,
  day date not null, step smallint not null check (step between 0 and 5), amount_fen bigint not null check (amount_fen > 0), state smallint not null default 0 check (state between 0 and 4),
  due_at timestamptz not null, sent_at timestamptz, contact text, by_name text not null, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (enterprise_id, id), foreign key (enterprise_id, record_id) references arrears.record (enterprise_id, id));
create unique index dun_once on arrears.dun (enterprise_id, record_id, day);
create index dun_due on arrears.dun (enterprise_id, due_at desc, id desc);
create index dun_waiting on arrears.dun (enterprise_id, due_at) where state = 0;
select platform.scoped('arrears.dun');

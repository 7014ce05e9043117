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
  dun_count integer not null default 0 check (dun_count >= 0), last_dun_at timestamptz, next_dun_at timestamptz, dun_step smallint not null default 0 check (dun_step >= 0), dun_from timestamptz,
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
select platform.plates_found('arrears.record');

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
-- A driver who has no account appeals at the page behind a printed code, and follows the appeal by its number alone: it is not to be guessed.
-- A number that can be read out and is not to be guessed: ten signs, none of which looks like another, of random bits.
create function arrears.appeal_number() returns text language sql as $$
  select 'SS' || string_agg(substr('23456789ABCDEFGHJKLMNPQRSTUVWXYZ', 1 + (get_byte(b, i) & 31), 1), '') from (select uuid_send(gen_random_uuid()) b) r, unnest(array[0, 1, 2, 3, 4, 5, 10, 11, 12, 13]) i $$;
create table arrears.appeal (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), record_id uuid not null, park_code text not null, reason text not null, images text, contact text not null,
  state smallint not null default 0 check (state between 0 and 3), applicant_id uuid not null, applicant_name text not null, approver_id uuid, approver_name text, verdict text,
  applied_at timestamptz not null, decided_at timestamptz, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  appeal_no text not null default arrears.appeal_number(),
  primary key (enterprise_id, id), foreign key (enterprise_id, record_id) references arrears.record (enterprise_id, id),
  constraint maker_is_not_checker check (applicant_id is distinct from approver_id));
create unique index appeal_no on arrears.appeal (enterprise_id, appeal_no);
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

-- ETC: what an antenna was told to take of a car at an exit, and what became of it. It is an attempt to pay the stay's order through the channel `etc`.
-- etc_state: 0 to be told, 1 told, 2 done, 3 failed, 4 unknown, 5 given to a person. Refunded (6) is what its payment says.
-- fail_code: 1 too little money, 2 on the status list, 3 card and tag disagree, 4 not read, 5 no answer, 6 wrong TAC.
create table arrears.etc_deduct (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), deduct_no text not null, payment_id uuid not null, order_id uuid not null, stay_id uuid,
  park_code text not null, gate_code text, device_no text not null, lane_no text not null, psam_no text not null, psam_seq bigint check (psam_seq >= 0), card_no text,
  plate_no text, plate_color smallint check (plate_color between 0 and 7), amount_fen bigint not null check (amount_fen > 0), fee_fen bigint not null default 0 check (fee_fen >= 0),
  trade_time timestamptz not null, etc_state smallint not null default 1 check (etc_state between 0 and 6), fail_code smallint check (fail_code between 1 and 6),
  matched boolean not null default false, issuer_trade_no text, file_no text, tries smallint not null default 0 check (tries >= 0),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, payment_id) references settlement.payment (enterprise_id, id), foreign key (enterprise_id, order_id) references settlement.order (enterprise_id, id));
create unique index etc_deduct_no on arrears.etc_deduct (enterprise_id, deduct_no);
create unique index etc_deduct_psam on arrears.etc_deduct (enterprise_id, psam_no, psam_seq) where psam_seq is not null;
create unique index etc_deduct_running on arrears.etc_deduct (enterprise_id, order_id) where etc_state in (0, 1);
create index etc_deduct_order on arrears.etc_deduct (enterprise_id, order_id);
create index etc_deduct_time on arrears.etc_deduct (enterprise_id, trade_time desc, id desc);
create index etc_deduct_asking on arrears.etc_deduct (enterprise_id, updated_at) where etc_state in (1, 4);
select platform.scoped('arrears.etc_deduct');
select platform.plates_found('arrears.etc_deduct');

create view arrears.etc_passage with (security_invoker = true) as
  select d.id, d.enterprise_id, d.deduct_no, d.order_id, d.stay_id, d.park_code, d.gate_code, d.device_no, d.lane_no, d.psam_no, d.psam_seq, d.card_no, d.plate_no, d.plate_color, d.amount_fen, d.fee_fen,
    d.trade_time, case when p.received_fen > 0 and p.refund_fen = p.received_fen then 6 else d.etc_state end::smallint as etc_state, d.fail_code, d.matched, d.issuer_trade_no, d.file_no, d.tries,
    r.id as record_id, r.arrears_no, r.state as arrears_state, r.left_at, coalesce(o.arrears_fen, 0) as owed_fen, d.version, d.created_at, d.updated_at
  from arrears.etc_deduct d join settlement.payment p on p.enterprise_id = d.enterprise_id and p.id = d.payment_id
    join settlement.order o on o.enterprise_id = d.enterprise_id and o.id = d.order_id
    left join arrears.record r on r.enterprise_id = d.enterprise_id and r.order_id = d.order_id;
grant select on arrears.etc_passage to kerbline_app;

-- Why an ETC refund was asked for; the refund itself is settlement's.
create table arrears.etc_reason (
  enterprise_id integer not null default scope_enterprise(), refund_id uuid not null, park_code text not null, reason smallint not null check (reason between 1 and 4),
  primary key (enterprise_id, refund_id), foreign key (enterprise_id, refund_id) references settlement.refund (enterprise_id, id));
select platform.scoped('arrears.etc_reason', audited => false, append_only => true);

create view arrears.etc_refund with (security_invoker = true) as
  select f.id, f.enterprise_id, f.refund_no, d.deduct_no, d.plate_no, d.plate_color, d.lane_no, f.park_code, f.amount_fen, coalesce(e.reason, case when f.kind = 2 then 1 else 4 end)::smallint as reason, f.reason as note,
    f.state, f.applicant_id, f.applicant_name, f.first_approver_name as verifier_name, f.verdict, d.matched, d.file_no, f.applied_at, f.decided_at, f.finished_at, f.version
  from settlement.refund f join settlement.payment p on p.enterprise_id = f.enterprise_id and p.id = f.payment_id and p.channel = 'etc'
    join arrears.etc_deduct d on d.enterprise_id = f.enterprise_id and d.payment_id = p.id
    left join arrears.etc_reason e on e.enterprise_id = f.enterprise_id and e.refund_id = f.id;
grant select on arrears.etc_refund to kerbline_app;

-- What the issuer says it has cleared on a day. A name is taken once; the same bytes again are the same file.
create table arrears.etc_file (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), file_no text not null, issuer text not null, clear_date date not null, seq integer not null check (seq > 0),
  digest text not null, rows integer not null check (rows >= 0), charge_fen bigint not null check (charge_fen >= 0), refund_fen bigint not null check (refund_fen >= 0),
  matched integer not null, settled integer not null, failed integer not null, differing integer not null, surplus integer not null, imported_name text not null, imported_at timestamptz not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index etc_file_no on arrears.etc_file (enterprise_id, file_no);
create index etc_file_imported on arrears.etc_file (enterprise_id, imported_at desc, id desc);
select platform.scoped('arrears.etc_file');
create unique index appeal_number on arrears.appeal (enterprise_id, appeal_no);
-- Nobody who is signed in took it down: then whoever decides is another person by nature.
alter table arrears.appeal alter column applicant_id drop not null, drop constraint maker_is_not_checker,
  add constraint maker_is_not_checker check (applicant_id is null or applicant_id is distinct from approver_id);
alter table arrears.record drop constraint record_source_type_check, add constraint record_source_type_check check (source_type between 1 and 8);
create index etc_deduct_plate on arrears.etc_deduct (enterprise_id, plate_no, trade_time desc);

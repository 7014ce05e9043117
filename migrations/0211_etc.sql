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
  matched integer not null, settled integer not null, failed integer not null, surplus integer not null, imported_name text not null, imported_at timestamptz not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index etc_file_no on arrears.etc_file (enterprise_id, file_no);
create index etc_file_imported on arrears.etc_file (enterprise_id, imported_at desc, id desc);
select platform.scoped('arrears.etc_file');


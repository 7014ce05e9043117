-- Places that the company lets: who may bid, what is let and by which notices, who enrolled with which earnest money, what was bid, who won, the contract and its bills.
create schema rent;
select platform.opened('rent');

-- Periods of the procedure in working days, of a company that has set its own.
create table rent.periods (
  enterprise_id integer primary key default scope_enterprise(), letting smallint not null check (letting between 1 and 60), correction smallint not null check (correction between 1 and 60),
  shown smallint not null check (shown between 1 and 60), contract smallint not null check (contract between 1 and 60), refund smallint not null check (refund between 1 and 60), pay_again smallint not null check (pay_again between 1 and 60));
select platform.scoped('rent.periods', key => 'enterprise_id');

-- Whoever may enrol. user_type: 1 a person, 2 a company. state: 0 to be reviewed, 1 attested, 2 rejected. owner_id: the account that they come in with on their own page.
create table rent.bidder (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), user_type smallint not null check (user_type in (1, 2)), name text not null, cert_no text not null, phone text not null,
  images text not null, owner_id uuid, state smallint not null default 0 check (state in (0, 1, 2)), applicant_id uuid, applicant_name text not null, auditor_id uuid, auditor_name text, audited_at timestamptz, opinion text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint maker_is_not_checker check (applicant_id is distinct from auditor_id or applicant_id is null), constraint reviewed check (state = 0 or auditor_id is not null), constraint rejected_why check (state <> 2 or opinion is not null));
create unique index bidder_cert on rent.bidder (enterprise_id, cert_no);
create unique index bidder_owner on rent.bidder (enterprise_id, owner_id) where owner_id is not null;
create index bidder_created on rent.bidder (enterprise_id, created_at desc, id desc);
create index bidder_phone on rent.bidder (enterprise_id, phone);
select platform.scoped('rent.bidder');
create policy own on rent.bidder as restrictive using ((select scope_driver() is null) or owner_id = (select scope_driver()));

-- type: 1 fixed price, 2 open bidding, 3 sealed bidding. state: 0 draft, 1 announced, 2 enrolling, 3 closed, 4 bidding, 5 to be awarded, 6 award shown, 7 signed, 8 running, 9 done, 10 failed, 11 terminated.
-- ends_at is bid_to until a late bid puts it on. current_fen, leader_id and bids follow the bids. sign_by: the last day on which the lease is signed. reminded: 1 that the award was shown to its end, 2 that the lease is due.
create table rent.project (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), project_no text not null, name text not null, type smallint not null check (type in (1, 2, 3)), park_code text not null, assets text not null,
  base_fen bigint not null check (base_fen > 0), step_fen bigint not null default 0 check (step_fen >= 0), reserve_fen bigint check (reserve_fen > 0), earnest_fen bigint not null check (earnest_fen > 0),
  min_bidders smallint not null default 1 check (min_bidders between 1 and 100), extend_min smallint not null default 5 check (extend_min between 1 and 60), lease_months smallint not null check (lease_months between 1 and 60),
  enroll_from timestamptz not null, enroll_to timestamptz not null, bid_from timestamptz not null, bid_to timestamptz not null, ends_at timestamptz not null, current_fen bigint, leader_id uuid, bids integer not null default 0,
  winner_id uuid, public_until date, sign_by date, reminded smallint not null default 0 check (reminded between 0 and 2), state smallint not null default 0 check (state between 0 and 11), files jsonb not null default '[]', maker_id uuid not null, maker_name text not null, remark text, seal_key text, opened_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint in_order check (enroll_from < enroll_to and enroll_to <= bid_from and bid_from < bid_to and bid_to <= ends_at), constraint stepped check (type <> 2 or step_fen > 0),
  constraint reserve_above_base check (reserve_fen >= base_fen), constraint awarded check (state not in (7, 8, 9) or winner_id is not null), constraint shown check (state not in (6, 7, 8, 9) or (public_until is not null and sign_by is not null)),
  constraint sealed_by_key check (type <> 3 or state = 0 or seal_key is not null), constraint opened check (opened_at is null or type = 3));
create unique index project_no on rent.project (enterprise_id, project_no);
create index project_created on rent.project (enterprise_id, created_at desc, id desc);
create index project_park on rent.project (enterprise_id, park_code, created_at desc, id desc);
create index project_enroll on rent.project (enterprise_id, enroll_to desc, id desc);
create index project_moving on rent.project (enterprise_id, state) where state in (1, 2, 3, 4, 5, 6, 7, 8);
select platform.scoped('rent.project');
select platform.uncounted('rent.project');

-- type: 1 letting, 2 correction, 3 award, 4 failed, 5 termination. state: 0 draft, 1 published, 2 withdrawn. toll_type, toll_nos: staff whose handhelds show it.
-- terms: of a correction, what the project is let for from its publishing on, and what it was (terms_were).
create table rent.notice (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), project_id uuid not null, park_code text not null, type smallint not null check (type between 1 and 5), title text not null, content text not null,
  files jsonb not null default '[]', terms jsonb, terms_were jsonb, publish_at timestamptz, show_to date not null, toll_type smallint, toll_nos text, state smallint not null default 0 check (state in (0, 1, 2)), maker_id uuid, maker_name text not null, publisher_id uuid, publisher_name text,
  withdrawn_why text, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, project_id) references rent.project (enterprise_id, id),
  constraint maker_is_not_checker check (maker_id is null or maker_id is distinct from publisher_id), constraint corrects check ((terms is null) = (terms_were is null) and (terms is null or type = 2)), constraint published check (state = 0 or publish_at is not null), constraint withdrawn_why check (state <> 2 or withdrawn_why is not null));
create index notice_project on rent.notice (enterprise_id, project_id);
create unique index notice_correcting on rent.notice (enterprise_id, project_id) where state = 0 and terms is not null;
create index notice_created on rent.notice (enterprise_id, created_at desc, id desc);
select platform.scoped('rent.notice');
select platform.uncounted('rent.notice');
-- What was published stays as it was: it is withdrawn, or another corrects it.
create function rent.notice_kept() returns trigger language plpgsql set search_path = '' as $$
begin
  if old.state <> 0 and (tg_op = 'DELETE' or (new.project_id, new.type, new.title, new.content, new.files, new.terms, new.publish_at) is distinct from (old.project_id, old.type, old.title, old.content, old.files, old.terms, old.publish_at)) then
    raise exception 'a published notice is not changed' using errcode = 'check_violation';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger kept before update or delete on rent.notice for each row execute function rent.notice_kept();

-- state: 0 earnest money to be paid, 1 to be reviewed, 2 qualified, 3 rejected, 4 withdrawn. earnest_state: 0 not paid, 1 paid, 2 frozen, 3 turned into rent, 4 returned, 5 forfeited.
-- award: 0 none, 1 won, 2 gave up, 3 disqualified, 4 set aside on objection. bidder_no is how others see them. refund_id: a refund of it that was asked for, back_for: why (rent_earnest_back).
create table rent.enrollment (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), enroll_no text not null, project_id uuid not null, bidder_id uuid not null, park_code text not null,
  state smallint not null default 0 check (state between 0 and 4), earnest_state smallint not null default 0 check (earnest_state between 0 and 5), earnest_fen bigint not null check (earnest_fen > 0), order_id uuid not null, paid_at timestamptz,
  bidder_no integer, bid_fen bigint, bid_seq integer, bid_at timestamptz, award smallint not null default 0 check (award between 0 and 4), pay_again_until timestamptz, refund_id uuid, refund_due date, back_for smallint check (back_for between 1 and 15), warned_at timestamptz,
  applicant_id uuid, applicant_name text not null, auditor_id uuid, auditor_name text, audited_at timestamptz, opinion text, reason text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, project_id) references rent.project (enterprise_id, id), foreign key (enterprise_id, bidder_id) references rent.bidder (enterprise_id, id),
  constraint maker_is_not_checker check (applicant_id is null or applicant_id is distinct from auditor_id), constraint qualified_paid check (state <> 2 or paid_at is not null), constraint frozen_qualified check (earnest_state not in (2, 3) or state = 2),
  constraint forfeited_why check (earnest_state <> 5 or award in (2, 3)), constraint rent_of_winner check (earnest_state <> 3 or award = 1), constraint bid_qualified check (bid_fen is null or state = 2), constraint back_why check ((refund_id is null) = (back_for is null)));
create unique index enrollment_no on rent.enrollment (enterprise_id, enroll_no);
create unique index enrollment_once on rent.enrollment (enterprise_id, project_id, bidder_id) where state not in (3, 4);
create unique index enrollment_number on rent.enrollment (enterprise_id, project_id, bidder_no) where bidder_no is not null;
create unique index enrollment_winner on rent.enrollment (enterprise_id, project_id) where award = 1;
create unique index enrollment_order on rent.enrollment (enterprise_id, order_id);
create index enrollment_rank on rent.enrollment (enterprise_id, project_id, bid_fen desc, bid_seq) where bid_fen is not null and award < 2;
create index enrollment_bidder on rent.enrollment (enterprise_id, bidder_id);
create index enrollment_refund on rent.enrollment (enterprise_id, refund_id) where refund_id is not null;
create index enrollment_due on rent.enrollment (enterprise_id, refund_due) where refund_due is not null and earnest_state in (1, 2);
create index enrollment_created on rent.enrollment (enterprise_id, created_at desc, id desc);
select platform.scoped('rent.enrollment');
create function rent.bidder_of_driver() returns uuid stable language sql security definer set search_path = '' begin atomic
  select b.id from rent.bidder b where b.enterprise_id = public.scope_enterprise() and b.owner_id = public.scope_driver(); end;
grant execute on function rent.bidder_of_driver() to kerbline_app;
create policy own on rent.enrollment as restrictive using ((select scope_driver() is null) or bidder_id = (select rent.bidder_of_driver()));
alter table rent.project add foreign key (enterprise_id, leader_id) references rent.enrollment (enterprise_id, id), add foreign key (enterprise_id, winner_id) references rent.enrollment (enterprise_id, id);

-- Every bid that counted, in its order. No two of a project are equal, and each is above the one before: only whoever came first has a step.
create table rent.bid (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), project_id uuid not null, enroll_id uuid not null, park_code text not null, seq integer not null check (seq > 0), bid_fen bigint not null check (bid_fen > 0),
  at timestamptz not null, entered_by text, evidence jsonb, primary key (enterprise_id, id), foreign key (enterprise_id, project_id) references rent.project (enterprise_id, id), foreign key (enterprise_id, enroll_id) references rent.enrollment (enterprise_id, id));
create unique index bid_order on rent.bid (enterprise_id, project_id, seq);
create unique index bid_once on rent.bid (enterprise_id, project_id, bid_fen);
select platform.scoped('rent.bid', append_only => true);

-- Whoever holds a part of the key by which the sealed bids of a project open. holder: 1 handles the project, 2 approves, 3 notary. share: the part, closed to the public_key whose other half only its holder has.
create table rent.seal_part (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), project_id uuid not null, park_code text not null, holder smallint not null check (holder in (1, 2, 3)), person_id uuid not null, person_name text not null, public_key text not null, share text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), foreign key (enterprise_id, project_id) references rent.project (enterprise_id, id) on delete cascade);
create unique index seal_part_holder on rent.seal_part (enterprise_id, project_id, holder);
create unique index seal_part_person on rent.seal_part (enterprise_id, project_id, person_id);
select platform.scoped('rent.seal_part', hidden => array['share']);

-- What bidders closed. Nothing here tells how much was bid; cipher, its hash and the commitment are never changed.
create table rent.sealed (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), project_id uuid not null, park_code text not null, enroll_id uuid not null, cipher text not null, commitment text not null, hash text not null, at timestamptz not null, primary key (enterprise_id, id),
  foreign key (enterprise_id, project_id) references rent.project (enterprise_id, id), foreign key (enterprise_id, enroll_id) references rent.enrollment (enterprise_id, id));
create unique index sealed_once on rent.sealed (enterprise_id, project_id, enroll_id);
select platform.scoped('rent.sealed', append_only => true);
select platform.uncounted('rent.bid');
create policy own on rent.bid as restrictive using ((select scope_driver() is null) or enroll_id in (select e.id from rent.enrollment e where e.enterprise_id = bid.enterprise_id));
create function rent.bid_rises() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from rent.bid b where b.enterprise_id = new.enterprise_id and b.project_id = new.project_id and (b.seq >= new.seq or b.bid_fen >= new.bid_fen)) then
    raise exception 'a bid is above those before it' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger rises before insert on rent.bid for each row execute function rent.bid_rises();

-- Another winner, or none: asked by one, or by nobody where a time limit has passed, and confirmed by another. reason: 1 gave up, 2 disqualified, 3 objection upheld. state: 0 to be confirmed, 1 confirmed, 2 refused.
create table rent.award_change (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), project_id uuid not null, park_code text not null, from_id uuid not null, to_id uuid, reason smallint not null check (reason in (1, 2, 3)), evidence jsonb not null,
  state smallint not null default 0 check (state in (0, 1, 2)), maker_id uuid, maker_name text not null, checker_id uuid, checker_name text, decided_at timestamptz, opinion text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, project_id) references rent.project (enterprise_id, id), foreign key (enterprise_id, from_id) references rent.enrollment (enterprise_id, id), foreign key (enterprise_id, to_id) references rent.enrollment (enterprise_id, id),
  constraint maker_is_not_checker check (maker_id is null or maker_id is distinct from checker_id), constraint decided check (state = 0 or checker_id is not null));
create unique index award_change_open on rent.award_change (enterprise_id, project_id) where state = 0;
create unique index award_change_alone on rent.award_change (enterprise_id, from_id) where maker_id is null;
create index award_change_created on rent.award_change (enterprise_id, created_at desc, id desc);
select platform.scoped('rent.award_change');
select platform.uncounted('rent.award_change');

-- rent_fen is for a year; cycle: 1 a month, 2 a quarter, 3 a year. state: 0 to be signed, 1 in force, 2 expired, 3 ended early.
create table rent.contract (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), contract_no text not null, project_id uuid not null, enroll_id uuid not null, bidder_id uuid not null, park_code text not null,
  from_day date not null, to_day date not null, rent_fen bigint not null check (rent_fen > 0), cycle smallint not null check (cycle in (1, 2, 3)), free_days smallint not null default 0 check (free_days between 0 and 365), deposit_fen bigint not null default 0 check (deposit_fen >= 0),
  files jsonb not null default '[]', state smallint not null default 0 check (state between 0 and 3), maker_id uuid not null, maker_name text not null, lessor_id uuid, lessor_name text, lessor_signed_at timestamptz, lessee_signed_at timestamptz, lessee_by_id uuid, lessee_by_name text, lessee_files jsonb not null default '[]', ended_at timestamptz, end_reason text, renews_id uuid,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, project_id) references rent.project (enterprise_id, id), foreign key (enterprise_id, enroll_id) references rent.enrollment (enterprise_id, id), foreign key (enterprise_id, bidder_id) references rent.bidder (enterprise_id, id),
  constraint forward check (to_day > from_day), constraint five_years check (to_day < from_day + interval '5 years'), constraint maker_is_not_signer check (maker_id is distinct from lessor_id), constraint nobody_signs_for_both check (lessor_id is null or lessor_id is distinct from lessee_by_id),
  constraint signed_on_paper check (lessee_by_id is null or jsonb_array_length(lessee_files) > 0),
  foreign key (enterprise_id, renews_id) references rent.contract (enterprise_id, id),
  constraint one_at_a_time exclude using gist (enterprise_id with =, project_id with =, daterange(from_day, to_day, '[]') with &&) where (state = 1),
  constraint both_signed check (state = 0 or (lessor_signed_at is not null and lessee_signed_at is not null)), constraint ended_why check (state <> 3 or (end_reason is not null and ended_at is not null)));
create unique index contract_no on rent.contract (enterprise_id, contract_no);
-- A project is let once; each lease is renewed once, the day after its last. One that was ended before it began leaves room for another.
create unique index contract_project on rent.contract (enterprise_id, project_id) where renews_id is null;
create unique index contract_renewal on rent.contract (enterprise_id, renews_id) where state <> 3;
create index contract_of_project on rent.contract (enterprise_id, project_id);
create index contract_bidder on rent.contract (enterprise_id, bidder_id);
create index contract_to on rent.contract (enterprise_id, to_day desc, id desc);
create index contract_created on rent.contract (enterprise_id, created_at desc, id desc);
select platform.scoped('rent.contract');
select platform.uncounted('rent.contract');
create policy own on rent.contract as restrictive using ((select scope_driver() is null) or bidder_id = (select rent.bidder_of_driver()));

-- kind: 1 rent, 2 deposit of the lease. credit_fen: what the earnest money paid of it. penalty_fen is worked out when its order is opened; waived_fen is what of it was let off, waiving_fen what one has asked for and another has not decided; withheld_fen, of a deposit, what is kept as a penalty once the rest is back. state: 0 to be paid, 1 paid, 2 void.
create table rent.bill (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), bill_no text not null, contract_id uuid not null, bidder_id uuid not null, park_code text not null, kind smallint not null check (kind in (1, 2)),
  period_from date not null, period_to date not null, due_day date not null, amount_fen bigint not null check (amount_fen > 0), credit_fen bigint not null default 0 check (credit_fen >= 0 and credit_fen <= amount_fen),
  penalty_fen bigint not null default 0 check (penalty_fen >= 0), waived_fen bigint not null default 0 check (waived_fen >= 0), withheld_fen bigint not null default 0 check (withheld_fen >= 0), order_id uuid, state smallint not null default 0 check (state between 0 and 2), paid_at timestamptz,
  waiving_fen bigint not null default 0 check (waiving_fen >= 0), waive_maker_id uuid, waive_maker text, waive_reason text, waive_checker_id uuid, waive_checker text, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, contract_id) references rent.contract (enterprise_id, id), foreign key (enterprise_id, bidder_id) references rent.bidder (enterprise_id, id),
  constraint forward check (period_to >= period_from), constraint capped check (penalty_fen <= amount_fen / 5 and waived_fen <= amount_fen / 5), constraint maker_is_not_checker check (waive_maker_id is distinct from waive_checker_id or waive_maker_id is null), constraint waived_by_two check (waived_fen = 0 or waiving_fen > 0 or waive_checker_id is not null),
  constraint waiving_to_pay check (waiving_fen = 0 or state = 0), constraint withheld check (withheld_fen = 0 or (kind = 2 and state = 1 and withheld_fen < amount_fen)), constraint paid check (state = 2 or (state = 1) = (paid_at is not null)),
  constraint once exclude using gist (enterprise_id with =, contract_id with =, kind with =, daterange(period_from, period_to, '[]') with &&));
create unique index bill_no on rent.bill (enterprise_id, bill_no);
create unique index bill_order on rent.bill (enterprise_id, order_id) where order_id is not null;
create index bill_contract on rent.bill (enterprise_id, contract_id, period_from);
create index bill_open on rent.bill (enterprise_id, due_day) where state = 0;
create index bill_bidder on rent.bill (enterprise_id, bidder_id);
select platform.scoped('rent.bill');
create policy own on rent.bill as restrictive using ((select scope_driver() is null) or bidder_id = (select rent.bidder_of_driver()));

-- Half a thousandth a day after it is due, a fifth of it at most, in whole fen.
create function rent.penalty(amount bigint, due date, today date) returns bigint immutable language sql set search_path = ''
  return least(amount / 5, amount * greatest(0, today - due) * 5 / 10000);

-- told_to: each number between two blanks, so that a whole one is looked for.
create view rent.notice_line with (security_invoker = true) as
  select n.*, regexp_replace(' ' || n.toll_nos || ' ', '[,，、;；\s]+', ' ', 'g') as told_to, p.project_no, p.name as project_name from rent.notice n join rent.project p on p.enterprise_id = n.enterprise_id and p.id = n.project_id;
grant select on rent.notice_line to kerbline_app;

-- Enrolments with who, what for, and where they stand: by bid, the earlier of equals first; those that fell out stand behind.
create view rent.enroll_line with (security_invoker = true) as
  select e.*, p.project_no, p.name as project_name, p.state as project_state, b.name as bidder_name, b.state = 1 as attested, b.user_type, b.cert_no, b.phone, o.order_no, f.refund_no, f.state as refund_state,
    case when e.bid_fen is not null and e.award < 2 then (select count(*) + 1 from rent.enrollment x where x.enterprise_id = e.enterprise_id and x.project_id = e.project_id and x.award < 2 and x.bid_fen is not null
      and (x.bid_fen > e.bid_fen or (x.bid_fen = e.bid_fen and x.bid_seq < e.bid_seq)))::int end as rank
  from rent.enrollment e join rent.project p on p.enterprise_id = e.enterprise_id and p.id = e.project_id join rent.bidder b on b.enterprise_id = e.enterprise_id and b.id = e.bidder_id
    left join settlement.order o on o.enterprise_id = e.enterprise_id and o.id = e.order_id left join settlement.refund f on f.enterprise_id = e.enterprise_id and f.id = e.refund_id;
grant select on rent.enroll_line to kerbline_app;

create view rent.award_line with (security_invoker = true) as
  select e.id, e.enterprise_id, e.park_code, e.project_id, e.project_no, e.project_name, e.project_state, p.version as project_version, p.maker_id as project_maker_id, p.type as project_type, p.ends_at, p.public_until, e.enroll_no, e.bidder_name, e.phone, e.bidder_no, e.rank, e.bid_fen, e.bid_at, e.earnest_state, e.earnest_fen, e.award, e.pay_again_until, p.sign_by, e.attested,
    c.id as contract_id, c.contract_no, c.state as contract_state, c.from_day, c.to_day, e.award = 1 as winner, c.id is not null as has_contract, m.bills is not null as has_order,
    coalesce(m.bills_fen, 0) as bills_fen, coalesce(m.paid_fen, 0) as paid_fen, coalesce(m.overdue_fen, 0) as overdue_fen, w.id as change_id, w.version as change_version, w.maker_id as change_maker_id, w.maker_name as change_maker_name, w.reason as change_reason,
    (select b.name from rent.enrollment n join rent.bidder b on b.enterprise_id = n.enterprise_id and b.id = n.bidder_id where n.enterprise_id = w.enterprise_id and n.id = w.to_id) as change_to_name, coalesce(w.evidence, '[]') as change_evidence,
    lpad((9999999999999 - extract(epoch from p.created_at) * 1000)::bigint::text, 13, '0') || e.project_no || lpad(coalesce(e.rank, 99999)::text, 5, '0') as ranking, e.version, e.created_at, e.updated_at
  from rent.enroll_line e join rent.project p on p.enterprise_id = e.enterprise_id and p.id = e.project_id
    left join lateral (select k.* from rent.contract k where k.enterprise_id = e.enterprise_id and k.project_id = e.project_id and k.enroll_id = e.id order by k.state = 1 desc, case when k.state = 1 then k.from_day end, k.from_day desc limit 1) c on true left join rent.award_change w on w.enterprise_id = e.enterprise_id and w.from_id = e.id and w.state = 0
    left join lateral (select count(*) as bills, sum(b.amount_fen)::bigint as bills_fen, sum(case when b.state = 1 then b.amount_fen else b.credit_fen end)::bigint as paid_fen,
      sum(case when b.state = 0 and b.due_day < (now() at time zone 'Asia/Shanghai')::date then b.amount_fen - b.credit_fen else 0 end)::bigint as overdue_fen
      from rent.bill b join rent.contract k on k.enterprise_id = b.enterprise_id and k.id = b.contract_id where k.enterprise_id = e.enterprise_id and k.project_id = e.project_id and k.enroll_id = e.id and b.state <> 2 having count(*) > 0) m on true;
grant select on rent.award_line to kerbline_app;

-- What was paid for one thing and is here still: less what went back, is on its way or is to be sent once more.
create function rent.here(of_enterprise integer, of_id uuid) returns bigint stable language sql set search_path = ''
  return (select coalesce(sum(o.paid_fen - o.refund_fen - o.refunding_fen - (select coalesce(sum(f.amount_fen), 0) from settlement.refund f
    where f.enterprise_id = o.enterprise_id and f.order_id = o.id and f.kind = 1 and f.state = 4)), 0)::bigint from settlement.order o where o.enterprise_id = of_enterprise and o.credited_to = of_id::text);
-- What of a lease that is over may be asked back: the deposit but for what is kept of it, and what was paid of void bills, by themselves or by earnest money.
create function rent.returnable(c rent.contract) returns bigint stable language sql set search_path = '' return (
  select coalesce(sum(greatest(0, rent.here(b.enterprise_id, b.id) - case b.kind when 2 then b.withheld_fen else 0 end)), 0)::bigint from rent.bill b
    where b.enterprise_id = c.enterprise_id and b.contract_id = c.id and b.order_id is not null and (b.state = 2 or (b.kind = 2 and b.state = 1)))
  + (select coalesce(max(greatest(0, rent.here(e.enterprise_id, e.id) - e.earnest_fen + v.fen)), 0)::bigint from rent.enrollment e
    cross join lateral (select sum(b.credit_fen)::bigint as fen from rent.bill b where b.enterprise_id = c.enterprise_id and b.contract_id = c.id and b.state = 2) v
    where e.enterprise_id = c.enterprise_id and e.id = c.enroll_id and v.fen > 0);
create view rent.contract_line with (security_invoker = true) as
  select c.*, p.project_no, p.name as project_name, b.name as bidder_name, b.phone, case when c.renews_id is null then p.sign_by else o.to_day end as sign_by, o.contract_no as renews_no, n.contract_no as renewed_no, case when c.state < 2 then 0 else rent.returnable(c) end as returnable_fen
  from rent.contract c join rent.project p on p.enterprise_id = c.enterprise_id and p.id = c.project_id join rent.bidder b on b.enterprise_id = c.enterprise_id and b.id = c.bidder_id
    left join rent.contract o on o.enterprise_id = c.enterprise_id and o.id = c.renews_id left join rent.contract n on n.enterprise_id = c.enterprise_id and n.renews_id = c.id and n.state <> 3;
grant select on rent.contract_line to kerbline_app;

-- All money of leases, each fen once: earnest money that paid bills stands in those. fee_kind: 1 earnest money, 2 rent, 3 deposit, 4 penalty, 5 refund. state: 0 to be paid, 1 paid, 2 overdue, 3 on its way back, 4 returned, 5 void, 6 turned into rent.
create view rent.order_line with (security_invoker = true) as
  with line as (
    select e.id, e.enterprise_id, e.park_code, 1::smallint as fee_kind, o.order_no as bill_no, e.project_id, e.bidder_id, null::date as period_from, null::date as period_to, e.earnest_fen - r.fen as receivable_fen, o.paid_fen - r.fen as received_fen,
      (case when o.status = 5 then 5 when e.earnest_state = 3 then 6 when o.paid_fen > 0 then 1 else 0 end)::smallint as state, null::date as due_day, o.id as order_id, null::uuid as bill_id, 0::bigint as waiving_fen, null::uuid as waive_maker_id, e.created_at, 0::bigint as pending_fen
    from rent.enrollment e join settlement.order o on o.enterprise_id = e.enterprise_id and o.id = e.order_id
      cross join lateral (select coalesce(sum(b.credit_fen), 0)::bigint as fen from rent.contract c join rent.bill b on b.enterprise_id = c.enterprise_id and b.contract_id = c.id
        where e.earnest_state = 3 and c.enterprise_id = e.enterprise_id and c.project_id = e.project_id and b.state <> 2) r
    union all
    select b.id, b.enterprise_id, b.park_code, (case b.kind when 1 then 2 else 3 end)::smallint, b.bill_no, c.project_id, b.bidder_id, b.period_from, b.period_to, b.amount_fen, case b.state when 1 then b.amount_fen when 2 then coalesce(o.paid_fen, 0) else b.credit_fen end,
      (case when b.state = 2 then 5 when b.state = 1 then 1 when b.due_day < (now() at time zone 'Asia/Shanghai')::date then 2 else 0 end)::smallint, b.due_day, b.order_id, b.id, 0, null, b.created_at, 0
    from rent.bill b join rent.contract c on c.enterprise_id = b.enterprise_id and c.id = b.contract_id left join settlement.order o on o.enterprise_id = b.enterprise_id and o.id = b.order_id
    union all
    select md5(b.id::text || ' penalty')::uuid, b.enterprise_id, b.park_code, 4::smallint, b.bill_no, c.project_id, b.bidder_id, b.period_from, b.period_to, g.fen, case when b.state = 1 then g.fen else 0 end, (case when b.state = 1 then 1 else 2 end)::smallint, b.due_day, b.order_id, b.id, b.waiving_fen, b.waive_maker_id, b.updated_at, 0
    from rent.bill b join rent.contract c on c.enterprise_id = b.enterprise_id and c.id = b.contract_id
      cross join lateral (select case when b.state = 1 then b.penalty_fen else greatest(0, rent.penalty(b.amount_fen - b.credit_fen, b.due_day, (now() at time zone 'Asia/Shanghai')::date) - b.waived_fen) end as fen) g where b.state <> 2 and b.kind = 1 and g.fen > 0
    union all
    select f.id, f.enterprise_id, f.park_code, 5::smallint, f.refund_no, e.project_id, e.bidder_id, null, null, 0, case when f.state = 3 then -f.amount_fen else 0 end, (case when f.state = 3 then 4 else 3 end)::smallint, null, f.order_id, null, 0, null, f.applied_at,
      case when f.state = 3 then 0 else f.amount_fen end
    from settlement.refund f join (
      select n.enterprise_id, n.order_id, n.project_id, n.bidder_id from rent.enrollment n
      union all select b.enterprise_id, b.order_id, c.project_id, b.bidder_id from rent.bill b join rent.contract c on c.enterprise_id = b.enterprise_id and c.id = b.contract_id) e
      on e.enterprise_id = f.enterprise_id and e.order_id = f.order_id where f.state not in (5, 6))
  select line.*, p.project_no, p.name as project_name, b.name as bidder_name,
    case line.state when 2 then '0' || coalesce(line.due_day::text, '') when 0 then '1' || coalesce(line.due_day::text, '') else '2' || lpad((9999999999999 - extract(epoch from line.created_at) * 1000)::bigint::text, 13, '0') end as urgency, case when line.state = 2 then line.receivable_fen - line.received_fen else 0 end::bigint as overdue_fen
  from line join rent.project p on p.enterprise_id = line.enterprise_id and p.id = line.project_id join rent.bidder b on b.enterprise_id = line.enterprise_id and b.id = line.bidder_id;
grant select on rent.order_line to kerbline_app;

-- Shared bays and reservations.
create schema share;
select platform.opened('share');

-- Shared bays by the hour and by the month, places kept in parks, and who did not come.
-- Terms of sharing in one park. kind: 1 by the hour, 2 by the month. A change is a new version; orders keep the terms they were made by.
create table share.fees (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, park_code text not null, kind smallint not null check (kind in (1, 2)),
  price_fen bigint not null check (price_fen > 0), cap_fen bigint check (cap_fen >= price_fen), grace_min integer not null check (grace_min between 0 and 120), overtime_permille integer not null check (overtime_permille between 0 and 5000),
  cancel_free_min integer not null check (cancel_free_min between 0 and 10080), split_permille integer not null check (split_permille between 0 and 1000), status smallint not null default 1 check (status in (1, 2)),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index fees_name on share.fees (enterprise_id, park_code, name);
select platform.scoped('share.fees');

create table share.park (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, fees_id uuid, max_bays integer not null default 20 check (max_bays between 1 and 10000),
  status smallint not null default 1 check (status in (1, 2)), version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (enterprise_id, id), foreign key (enterprise_id, fees_id) references share.fees (enterprise_id, id));
create unique index park_code on share.park (enterprise_id, park_code);
select platform.scoped('share.park');

-- A bay that its owner lets in weekly windows; without an owner it is the operator's. status: 0 to be approved, 1 on offer, 2 withdrawn, 3 paused, 4 rejected.
create table share.offer (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, seat_no text not null, owner_id uuid, owner_name text not null, phone text, proof text,
  windows jsonb not null, split_permille integer not null check (split_permille between 0 and 1000), status smallint not null default 0 check (status between 0 and 4), reason text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint operators_keep_all check (owner_id is not null or split_permille = 0));
create unique index offer_bay on share.offer (enterprise_id, park_code, seat_no) where status in (0, 1, 3);
create index offer_owner on share.offer (enterprise_id, owner_id);
create index offer_created on share.offer (enterprise_id, created_at desc, id desc);
select platform.scoped('share.offer');
select platform.uncounted('share.offer');

-- kind: 1 a bay by the hour, 2 a bay by the month, 3 a place in a park. state: 0 to be paid, 1 booked, 2 in use, 3 completed, 4 cancelled, 5 not come, 6 overrun, 7 refunded.
create table share.booking (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), booking_no text not null, kind smallint not null check (kind in (1, 2, 3)), park_code text not null,
  offer_id uuid, seat_no text, owner_id uuid, plate_no text not null, plate_color smallint check (plate_color between 0 and 7), phone text not null,
  start_at timestamptz not null, end_at timestamptz not null, state smallint not null default 0 check (state between 0 and 7), prepaid_fen bigint not null check (prepaid_fen >= 0),
  refund_fen bigint not null default 0 check (refund_fen >= 0 and refund_fen <= prepaid_fen), over_min integer not null default 0 check (over_min >= 0), over_fen bigint not null default 0 check (over_fen >= 0),
  price_fen bigint not null check (price_fen >= 0), grace_min integer not null, overtime_permille integer not null, cancel_free_min integer not null, hold_min integer not null, split_permille integer not null check (split_permille between 0 and 1000),
  order_id uuid, over_order_id uuid, earlier_over uuid[] not null default '{}', pay_until timestamptz, stay_id uuid, entered_at timestamptz, left_at timestamptz, completed_at timestamptz, split_fen bigint not null default 0 check (split_fen >= 0), split_at timestamptz, reason text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, offer_id) references share.offer (enterprise_id, id),
  constraint forward check (end_at > start_at), constraint bay_or_place check ((kind = 3) = (offer_id is null)), constraint split_within check (split_fen + refund_fen <= prepaid_fen),
  constraint one_at_a_time exclude using gist (enterprise_id with =, offer_id with =, tstzrange(start_at, end_at) with &&) where (offer_id is not null and state in (0, 1, 2, 6)),
  constraint one_place_a_car exclude using gist (enterprise_id with =, park_code with =, plate_no with =, tstzrange(start_at, end_at) with &&) where (state in (0, 1, 2, 6)));
create unique index booking_no on share.booking (enterprise_id, booking_no);
create index booking_order on share.booking (enterprise_id, order_id);
create index booking_over_order on share.booking (enterprise_id, over_order_id) where over_order_id is not null;
create index booking_stay on share.booking (enterprise_id, stay_id) where state in (2, 6);
create index booking_plate on share.booking (enterprise_id, plate_no, start_at desc);
create index booking_start on share.booking (enterprise_id, start_at desc, id desc);
create index booking_of_place on share.booking (enterprise_id, created_at desc, id desc) where kind = 3;
create index booking_open on share.booking (enterprise_id, park_code, state, start_at) where state in (0, 1, 2, 6);
create index booking_to_split on share.booking (enterprise_id, completed_at) where split_at is null and completed_at is not null;
create index booking_owner on share.booking (enterprise_id, owner_id) where owner_id is not null;
select platform.scoped('share.booking');
select platform.plates_found('share.booking');

-- Which parks keep places, and by which rules.
create table share.place (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, quota integer not null check (quota between 0 and 10000),
  open_ahead_hours integer not null check (open_ahead_hours between 1 and 720), hold_min integer not null check (hold_min between 5 and 240), cancel_free_min integer not null check (cancel_free_min between 0 and 1440),
  deposit_fen bigint not null check (deposit_fen >= 0), max_active integer not null check (max_active between 1 and 20), default_limit integer not null check (default_limit between 1 and 100), ban_days integer not null check (ban_days between 1 and 365),
  status smallint not null default 1 check (status in (1, 2)), version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index place_park on share.place (enterprise_id, park_code);
select platform.scoped('share.place');

-- Whoever did not come too often books nothing until then: the telephone, and with it the car that is verified as theirs.
create table share.ban (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, plate_no text not null, phone text not null, with_car boolean not null default false, defaults integer not null, until timestamptz not null,
  lifted_at timestamptz, lifted_name text, reason text, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint one_ban exclude using gist (enterprise_id with =, plate_no with =, tstzrange(created_at, coalesce(lifted_at, until)) with &&) where (with_car));
create index ban_plate on share.ban (enterprise_id, plate_no, until);
create index ban_phone on share.ban (enterprise_id, phone, until);
select platform.scoped('share.ban');

-- What owners are paid of their part. state: 0 to be reviewed, 1 granted, 2 being paid, 3 paid, 4 failed, 5 rejected.
-- Money of shared bays by its kinds, so that what came in is never summed with what went out; and what the bank said of a payout that was granted.
-- It lies in the park where the owner's newest bay is, so that people of other parks do not see it.
create table share.payout (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), payout_no text not null, owner_id uuid not null, owner_name text not null, amount_fen bigint not null check (amount_fen >= 1000),
  bank text not null, state smallint not null default 0 check (state between 0 and 5), applicant_id uuid not null, applicant_name text not null,
  first_approver_id uuid, first_approver_name text, second_approver_id uuid, second_approver_name text, approvals smallint not null default 0, approvals_needed smallint not null default 1, verdict text, paid_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  transfer_no text, settled_name text, failure text,
  park_code text, primary key (enterprise_id, id),
  constraint maker_is_not_checker check (applicant_id is distinct from first_approver_id and applicant_id is distinct from second_approver_id),
  constraint two_people check (first_approver_id is null or first_approver_id is distinct from second_approver_id),
  constraint approved_enough check (state in (0, 5) or approvals >= approvals_needed));
create unique index payout_no on share.payout (enterprise_id, payout_no);
create unique index payout_open on share.payout (enterprise_id, owner_id) where state in (0, 1, 2);
create index payout_created on share.payout (enterprise_id, created_at desc, id desc);
select platform.scoped('share.payout');

create view share.park_line with (security_invoker = true) as
  select p.id, p.enterprise_id, p.park_code, p.fees_id, f.name as fees_name, p.max_bays, p.status,
    (select count(*) from share.offer o where o.enterprise_id = p.enterprise_id and o.park_code = p.park_code and o.status in (1, 3))::int as bays,
    (select count(*) from share.booking b where b.enterprise_id = p.enterprise_id and b.park_code = p.park_code and b.offer_id is not null and b.state in (1, 2, 6) and b.start_at <= now() and (b.end_at > now() or b.state = 6))::int as held,
    p.version, p.created_at, p.updated_at
  from share.park p left join share.fees f on f.enterprise_id = p.enterprise_id and f.id = p.fees_id;
grant select on share.park_line to kerbline_app;

-- What a person sees of a booking: with its bay's owner, its order, what came in for it and went back, and what is left of the overrun.
create view share.booking_line with (security_invoker = true) as
  select b.*, coalesce(r.paid_fen, 0) as paid_fen, coalesce(r.refund_fen, 0) as refunded_fen, o.owner_name, r.order_no, v.order_no as over_order_no, v.status as over_status
  from share.booking b left join share.offer o on o.enterprise_id = b.enterprise_id and o.id = b.offer_id
    left join settlement.order r on r.enterprise_id = b.enterprise_id and r.id = b.order_id left join settlement.order v on v.enterprise_id = b.enterprise_id and v.id = b.over_order_id;
grant select on share.booking_line to kerbline_app;

-- Bookings of places, and the rules of the parks that keep them. kind: 1 a booking, 2 a park's rules. What belongs to each is joined to both together, so that they come in the order of their indexes.
create view share.reservation with (security_invoker = true) as
  select l.id, l.enterprise_id, l.kind, l.park_code, l.booking_no, l.plate_no, l.plate_color, l.phone, l.start_at, l.end_at, l.state, l.deposit_fen, l.refund_fen, l.hold_min, l.cancel_free_min, coalesce(r.paid_fen, 0) as paid_fen, r.order_no,
    l.entered_at, l.left_at, l.reason, l.quota, l.open_ahead_hours, l.max_active, l.default_limit, l.ban_days, l.status,
    (select n.until from share.ban n where n.enterprise_id = l.enterprise_id and (n.phone = l.phone or (n.with_car and n.plate_no = l.plate_no)) and n.lifted_at is null and n.until > now() limit 1) as banned_until, l.version, l.created_at, l.updated_at
  from (
    select b.id, b.enterprise_id, 1::smallint as kind, b.park_code, b.booking_no, b.plate_no, b.plate_color, b.phone, b.start_at, b.end_at, b.state, b.prepaid_fen as deposit_fen, b.refund_fen, b.hold_min, b.cancel_free_min, b.order_id,
      b.entered_at, b.left_at, b.reason, null::integer as quota, null::integer as open_ahead_hours, null::integer as max_active, null::integer as default_limit, null::integer as ban_days, null::smallint as status, b.version, b.created_at, b.updated_at
    from share.booking b where b.kind = 3
    union all
    select p.id, p.enterprise_id, 2::smallint, p.park_code, null, null, null, null, null, null, null, p.deposit_fen, 0::bigint, p.hold_min, p.cancel_free_min, null,
      null, null, null, p.quota, p.open_ahead_hours, p.max_active, p.default_limit, p.ban_days, p.status, p.version, p.created_at, p.updated_at
    from share.place p
  ) l left join settlement.order r on r.enterprise_id = l.enterprise_id and r.id = l.order_id;
grant select on share.reservation to kerbline_app;

-- The orders of a booking are few and looked up one by one: by `any` of them all orders of the enterprise were read for each booking.
create view share.pay_line with (security_invoker = true) as
  with line as (
    select p.id, p.enterprise_id, case when b.order_id = p.order_id then 1 else 2 end::smallint as kind, b.booking_no, b.park_code, b.seat_no, b.plate_no, o.order_no as bill_no, p.received_fen as amount_fen, p.pay_method, p.paid_at as at, null::text as owner_name
    from share.booking b cross join lateral unnest(b.earlier_over || array[b.order_id, b.over_order_id]) as its(order_id)
      join settlement.order o on o.enterprise_id = b.enterprise_id and o.id = its.order_id
      join settlement.payment p on p.enterprise_id = o.enterprise_id and p.order_id = o.id and p.state = 1 and p.paid_at is not null where b.offer_id is not null
    union all
    select f.id, f.enterprise_id, 3::smallint, b.booking_no, b.park_code, b.seat_no, b.plate_no, f.refund_no, f.amount_fen, p.pay_method, f.finished_at, null
    from share.booking b cross join lateral unnest(b.earlier_over || array[b.order_id, b.over_order_id]) as its(order_id)
      join settlement.refund f on f.enterprise_id = b.enterprise_id and f.order_id = its.order_id and f.state = 3 and f.finished_at is not null
      join settlement.payment p on p.enterprise_id = f.enterprise_id and p.id = f.payment_id where b.offer_id is not null
    union all
    select b.id, b.enterprise_id, 4::smallint, b.booking_no, b.park_code, b.seat_no, b.plate_no, b.booking_no, b.split_fen, null, b.split_at, o.owner_name
    from share.booking b join share.offer o on o.enterprise_id = b.enterprise_id and o.id = b.offer_id where b.split_fen > 0 and b.split_at is not null
    union all
    select y.id, y.enterprise_id, 5::smallint, y.payout_no, y.park_code, null, null, y.payout_no, y.amount_fen, null, y.paid_at, y.owner_name from share.payout y where y.state = 3 and y.paid_at is not null)
  select line.*, case when kind in (1, 2) then amount_fen else 0 end::bigint as received_fen, case kind when 3 then amount_fen else 0 end::bigint as returned_fen,
    case kind when 4 then amount_fen else 0 end::bigint as split_fen, case kind when 5 then amount_fen else 0 end::bigint as paid_out_fen
  from line;
grant select on share.pay_line to kerbline_app;
alter table share.payout alter column park_code set not null;
alter table share.payout add constraint paid_at_bank check (state <> 3 or (paid_at is not null and transfer_no is not null)) not valid;
alter table share.payout add constraint failed_why check (state <> 4 or failure is not null);

-- What a driver sees of bookings: those of their own telephone, and those of a plate that is verified as theirs, so that a fee is the same whoever asks for it. Payouts are their owner's.
create function share.phone_of_driver() returns text stable language sql security definer set search_path = '' begin atomic
  select a.phone from owner.account a where a.enterprise_id = public.scope_enterprise() and a.id = public.scope_driver(); end;
create function share.plates_of_driver() returns setof text stable language sql security definer set search_path = '' begin atomic
  select c.plate_no from owner.car c where c.enterprise_id = public.scope_enterprise() and c.owner_id = public.scope_driver() and c.verify_state = 1; end;
grant execute on function share.phone_of_driver(), share.plates_of_driver() to kerbline_app;
create policy own on share.booking as restrictive using ((select scope_driver() is null) or phone = (select share.phone_of_driver()) or plate_no in (select share.plates_of_driver()));
create policy own on share.payout as restrictive using ((select scope_driver() is null) or owner_id = (select scope_driver()));
create policy own on share.ban as restrictive using ((select scope_driver() is null) or phone = (select share.phone_of_driver()) or plate_no in (select share.plates_of_driver()));
-- The calendar of bookings by telephone, for the driver's list.
create index booking_phone on share.booking (enterprise_id, phone, start_at desc);

-- Cars that a park knows: white and black lists, special vehicles, and passes.
create schema member;
select platform.opened('member');

-- One car on one list, for one park or (park_code null) for all. A period is half-open; without an end it is for ever.
create table member.list (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), list_type smallint not null check (list_type in (1, 2, 3)),
  plate_no text not null, plate_color smallint check (plate_color between 0 and 7), start_at timestamptz not null, end_at timestamptz, released_at timestamptz,
  reason_type smallint not null check (reason_type between 1 and 5), action smallint not null default 1 check (action in (1, 2, 3)), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  check (end_at > start_at));
select platform.scoped('member.list');
-- What holds in all parks may be seen by everybody who sees any; it is changed by those who have all parks.
alter table member.list add column park_code text;
create policy parks_seen on member.list as restrictive for select to kerbline_parks using (park_code is null or (select scope_all_parks()) or park_code = any ((select scope_parks())::text[]));
create policy parks_added on member.list as restrictive for insert to kerbline_parks with check ((select scope_all_parks()) or park_code = any ((select scope_parks())::text[]));
create policy parks_removed on member.list as restrictive for delete to kerbline_parks using ((select scope_all_parks()) or park_code = any ((select scope_parks())::text[]));
create policy parks_changed on member.list as restrictive for update to kerbline_parks using ((select scope_all_parks()) or park_code = any ((select scope_parks())::text[]));
-- The same car is on a list once at a time. Released entries make room.
alter table member.list add constraint list_once exclude using gist (
  enterprise_id with =, list_type with =, plate_no with =, coalesce(plate_color, -1) with =, coalesce(park_code, '*') with =, tstzrange(start_at, end_at) with &&) where (released_at is null);
create index list_plate on member.list (enterprise_id, plate_no);
create index list_newest on member.list (enterprise_id, created_at desc, id desc);
create index list_created on member.list (enterprise_id, list_type, created_at desc, id desc);
select platform.plates_found('member.list');

-- Customers with contracts, kinds of pass, plans with a price, and the passes that are sold by them.

-- A person or a company that holds passes. It belongs to the enterprise; passes belong to parks.
create table member.customer (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, phone text, kind smallint not null default 1 check (kind in (1, 2)),
  cert_no text, address text, status smallint not null default 1 check (status in (1, 2)), added_in text[] not null default case when scope_all_parks() then '{}' else scope_parks() end, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index customer_phone on member.customer (enterprise_id, phone) where phone is not null;
create index customer_created on member.customer (enterprise_id, created_at desc, id desc);
create index customer_name on member.customer (enterprise_id, name);
select platform.scoped('member.customer');

-- Plans (套餐): a price for a length of time and for hours. A pass keeps a copy of the terms that it was sold by.
create table member.car_fees (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, price_fen bigint not null check (price_fen >= 0),
  period_unit smallint not null check (period_unit between 1 and 5), period_count integer not null check (period_count between 1 and 366), valid_type smallint not null check (valid_type in (1, 2)),
  time_window smallint not null default 1 check (time_window between 1 and 4), parks text[] not null default '{}', quota integer check (quota > 0), renew_ahead_days integer check (renew_ahead_days > 0),
  grace_days integer not null default 0 check (grace_days between 0 and 366), refund_rule smallint not null default 2 check (refund_rule in (1, 2, 3)), vehicle_classes smallint[] not null default '{}',
  status smallint not null default 1 check (status in (1, 2)), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  -- A calendar month has no half: plans by the day roll.
  constraint days_roll check (period_unit <> 1 or valid_type = 2));
create unique index car_fees_name on member.car_fees (enterprise_id, name);
create index car_fees_created on member.car_fees (enterprise_id, created_at desc, id desc);
select platform.scoped('member.car_fees');

-- Kinds of pass, as a tree. `home_park` is where its income is booked.
create table member.card_group (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), parent_id uuid, name text not null, type smallint not null default 1 check (type between 1 and 5),
  park_codes text[] not null, home_park text not null, max_members integer check (max_members > 0), max_cars integer not null default 3 check (max_cars between 1 and 50),
  seat_policy smallint not null default 1 check (seat_policy in (1, 2)), review boolean not null default false, online boolean not null default false,
  car_fees_ids uuid[] not null default '{}', default_id uuid, access_rule_ids uuid[] not null default '{}', status smallint not null default 1 check (status in (1, 2)), suspended boolean not null default false, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, parent_id) references member.card_group (enterprise_id, id),
  constraint at_home check (home_park = any (park_codes)), constraint default_is_sold check (default_id is null or default_id = any (car_fees_ids)));
create unique index card_group_name on member.card_group (enterprise_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'), name);
create index card_group_created on member.card_group (enterprise_id, created_at desc, id desc);
select platform.scoped('member.card_group');
-- Whoever sees one of its parks sees a kind of pass; it is changed by those who have all of them.
create policy parks_seen on member.card_group as restrictive for select using ((select scope_all_parks()) or park_codes && (select scope_parks())::text[]);
create policy parks_added on member.card_group as restrictive for insert with check ((select scope_all_parks()) or park_codes <@ (select scope_parks())::text[]);
create policy parks_changed on member.card_group as restrictive for update using ((select scope_all_parks()) or park_codes <@ (select scope_parks())::text[]);
create policy parks_removed on member.card_group as restrictive for delete using ((select scope_all_parks()) or park_codes <@ (select scope_parks())::text[]);

-- When cars of which kinds of pass may come in through which entrances. Empty lists name everybody and everything.
create table member.access_rule (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, name text not null, gates text[] not null default '{}', member_groups uuid[] not null default '{}',
  day_mask smallint not null default 127 check (day_mask between 1 and 127), time_from text not null default '00:00' check (time_from ~ '^([01]\d|2[0-3]):[0-5]\d$'), time_to text not null default '00:00' check (time_to ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  date_from date, date_to date, odd_even smallint not null default 0 check (odd_even in (0, 1)), effect smallint not null check (effect in (1, 2)), priority integer not null default 0,
  status smallint not null default 0 check (status in (0, 1)), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  check (date_to >= date_from));
create index access_rule_park on member.access_rule (enterprise_id, park_code, status);
create index access_rule_created on member.access_rule (enterprise_id, created_at desc, id desc);
select platform.scoped('member.access_rule');
create table member.pass (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), pass_no text not null default platform.business_no('MP'), member_id uuid not null, group_id uuid, car_fees_id uuid,
  park_code text not null, park_codes text[] not null, seat_code text, seats integer not null default 1 check (seats > 0), time_window smallint not null default 1 check (time_window in (1, 2, 3, 4)),
  start_at timestamptz not null, end_at timestamptz not null, anchor_day smallint not null check (anchor_day between 1 and 31), state smallint not null default 2 check (state in (0, 2, 3, 5, 6, 7)),
  price_fen bigint not null default 0 check (price_fen >= 0), period_unit smallint not null default 2 check (period_unit between 1 and 5), period_count integer not null default 1 check (period_count > 0),
  valid_type smallint not null default 2 check (valid_type in (1, 2)), grace_days integer not null default 0, renew_ahead_days integer, refund_rule smallint not null default 2 check (refund_rule in (1, 2, 3)),
  periods integer not null default 1 check (periods > 0), frozen_at timestamptz, refunding boolean not null default false, plates_month date, plate_changes integer not null default 0, rejected_for text, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  check (end_at > start_at), primary key (enterprise_id, id), constraint frozen_since check ((state = 3) = (frozen_at is not null)), constraint refunding_is_frozen check (not refunding or state = 3),
  foreign key (enterprise_id, member_id) references member.customer (enterprise_id, id), foreign key (enterprise_id, group_id) references member.card_group (enterprise_id, id),
  foreign key (enterprise_id, car_fees_id) references member.car_fees (enterprise_id, id));
create unique index pass_no on member.pass (enterprise_id, pass_no);
create index pass_park on member.pass (enterprise_id, park_code, end_at);
create index pass_member on member.pass (enterprise_id, member_id, end_at desc);
create index pass_group on member.pass (enterprise_id, group_id, state);
create index pass_plan on member.pass (enterprise_id, car_fees_id, state);
create index pass_end on member.pass (enterprise_id, end_at desc, id desc);
create index pass_created on member.pass (enterprise_id, created_at desc, id desc);
-- A fixed bay is one pass's at a time.
alter table member.pass add constraint bay_once exclude using gist (enterprise_id with =, park_code with =, seat_code with =, tstzrange(start_at, end_at) with &&)
  where (seat_code is not null and state in (0, 2, 3, 7));
select platform.scoped('member.pass');

-- A customer's car. Closed rows stay: past stays keep the plate that they had.
create table member.car (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), member_id uuid not null, plate_no text not null, plate_color smallint check (plate_color between 0 and 7),
  closed_at timestamptz, replaced_by uuid, added_in text[] not null default case when scope_all_parks() then '{}' else scope_parks() end, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (enterprise_id, id), foreign key (enterprise_id, member_id) references member.customer (enterprise_id, id));
create unique index car_once on member.car (enterprise_id, member_id, plate_no) where closed_at is null;
create index car_plate on member.car (enterprise_id, plate_no);
create index car_member on member.car (enterprise_id, member_id, created_at desc);
select platform.scoped('member.car');
select platform.plates_found('member.car');

-- Plans with how many passes run by them.
create view member.plan with (security_invoker = true) as
  select f.*, (select count(*) from member.pass p where p.enterprise_id = f.enterprise_id and p.car_fees_id = f.id and p.state not in (5, 6))::integer as sold from member.car_fees f;
grant select on member.plan to kerbline_app;

-- For which time a pass covers which car in which park: one row for each stretch. `order_id` with `held`: sold and not paid yet; it covers nothing, and keeps its place.
-- An unknown colour is all colours: it collides with every one.
create table member.pass_car (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), pass_id uuid not null, park_code text not null, plate_no text not null, plate_color smallint check (plate_color between 0 and 7),
  hours int4multirange not null, start_at timestamptz not null, end_at timestamptz not null, held boolean not null default false, order_id uuid,
  primary key (enterprise_id, id), foreign key (enterprise_id, pass_id) references member.pass (enterprise_id, id), check (end_at > start_at),
  constraint pass_once exclude using gist (enterprise_id with =, park_code with =, plate_no with =, int4range(coalesce(plate_color, 0), coalesce(plate_color + 1, 8)) with &&, hours with &&, tstzrange(start_at, end_at) with &&));
create index pass_car_plate on member.pass_car (enterprise_id, plate_no, park_code);
create index pass_car_run on member.pass_car using gin (plate_no gin_trgm_ops);
create index pass_car_pass on member.pass_car (enterprise_id, pass_id, start_at);
create index pass_car_park on member.pass_car (enterprise_id, park_code);
create index pass_car_order on member.pass_car (enterprise_id, order_id) where order_id is not null;
select platform.scoped('member.pass_car');

-- A car is seen by whoever sees a pass that it is or was on, and by the parks of whoever added it.
create policy parks_seen on member.car as restrictive for select using ((select scope_all_parks()) or added_in && (select scope_parks())::text[]
  or exists (select from member.pass p join member.pass_car x on x.enterprise_id = p.enterprise_id and x.pass_id = p.id where p.enterprise_id = car.enterprise_id and p.member_id = car.member_id and x.plate_no = car.plate_no));

-- A pause. With `bank` the whole days of it are given back at the end. cause: 1 somebody asked for it, 2 its group rests, 3 the pass is being given back.
create table member.freeze (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), pass_id uuid not null, park_code text not null, from_at timestamptz not null, until_at timestamptz, ended_at timestamptz,
  bank boolean not null, days integer not null default 0 check (days >= 0), reason text not null, by_name text not null, cause smallint not null check (cause in (1, 2, 3)),
  cars jsonb not null default '[]', primary key (enterprise_id, id), foreign key (enterprise_id, pass_id) references member.pass (enterprise_id, id));
create unique index freeze_once on member.freeze (enterprise_id, pass_id) where ended_at is null;
create index freeze_pass on member.freeze (enterprise_id, pass_id, from_at);
create index freeze_due on member.freeze (enterprise_id, until_at) where ended_at is null;
select platform.scoped('member.freeze');
select platform.uncounted('member.freeze');

-- What was sold of a pass: an order of type 3 (or money taken before the product, or a free extension), the time it is for and how its price becomes income day by day.
-- sold_from is its first day as it was sold: days that rest move start_at and leave it, so that its months stay those that were paid for.
-- kind: 1 new, 2 renewed, 3 free extension, 4 brought in by a sheet. state: 0 waits for its money, 1 counts, 2 refunded, 3 cancelled.
create table member.period (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), pass_id uuid not null, member_id uuid not null, group_id uuid, car_fees_id uuid, park_code text not null,
  kind smallint not null check (kind between 1 and 4), order_id uuid, order_no text, start_at timestamptz not null, sold_from timestamptz not null, end_at timestamptz not null, price_fen bigint not null default 0 check (price_fen >= 0),
  days integer not null check (days > 0), earned_days integer not null default 0 check (earned_days >= 0), earned_fen bigint not null default 0 check (earned_fen >= 0), refund_fen bigint not null default 0 check (refund_fen >= 0),
  state smallint not null default 0 check (state between 0 and 3), refund_id uuid, reason text, operator_name text, at timestamptz not null, paid_at timestamptz,
  plates text[] not null default '{}', primary key (enterprise_id, id), foreign key (enterprise_id, pass_id) references member.pass (enterprise_id, id),
  check (end_at > start_at), constraint earned_within check (earned_days <= days and earned_fen + refund_fen <= price_fen));
create unique index period_order on member.period (enterprise_id, order_id) where order_id is not null;
create index period_pass on member.period (enterprise_id, pass_id, start_at);
create index period_refund on member.period (enterprise_id, refund_id) where refund_id is not null;
create index period_earning on member.period (enterprise_id, start_at) where state = 1 and earned_days < days;
create index period_at on member.period (enterprise_id, at desc, id desc);
select platform.scoped('member.period');

-- The k-th day amount of a period, on the k-th active day. A pass earns once a day.
create table member.earning (
  enterprise_id integer not null default scope_enterprise(), period_id uuid not null, seq integer not null check (seq > 0), pass_id uuid not null, park_code text not null, day date not null, amount_fen bigint not null check (amount_fen >= 0),
  primary key (enterprise_id, period_id, seq), foreign key (enterprise_id, period_id) references member.period (enterprise_id, id));
create unique index earning_once on member.earning (enterprise_id, pass_id, day);
create index earning_day on member.earning (enterprise_id, day, park_code);
select platform.scoped('member.earning', audited => false, append_only => true);

-- Passes as people see them: the state follows from the clock, so that a job that did not run lets nobody in.
create view member.held with (security_invoker = true) as
  select p.*, c.name as holder, c.phone, g.name as group_name, f.name as car_fees_name,
    case when p.state in (0, 3, 5, 6, 7) then p.state when p.start_at > now() then 1 when p.end_at <= now() then 4 else 2 end::smallint as status,
    greatest(0, ceil(extract(epoch from p.end_at - greatest(p.start_at, now())) / 86400))::integer as days_left, w.order_no as waiting_no, w.price_fen as waiting_fen,
    array(select distinct x.plate_no from member.pass_car x where x.enterprise_id = p.enterprise_id and x.pass_id = p.id and x.end_at = (
      select max(l.end_at) from member.pass_car l where l.enterprise_id = p.enterprise_id and l.pass_id = p.id) order by x.plate_no) as plates,
    coalesce((select sum(r.price_fen - r.refund_fen) from member.period r where r.enterprise_id = p.enterprise_id and r.pass_id = p.id and r.state in (1, 2)), 0)::bigint as paid_fen
  from member.pass p join member.customer c on c.enterprise_id = p.enterprise_id and c.id = p.member_id
    left join member.card_group g on g.enterprise_id = p.enterprise_id and g.id = p.group_id left join member.car_fees f on f.enterprise_id = p.enterprise_id and f.id = p.car_fees_id
    left join lateral (select r.order_no, r.price_fen from member.period r where r.enterprise_id = p.enterprise_id and r.pass_id = p.id and r.state = 0 and r.order_no is not null order by r.at desc limit 1) w on true;
grant select on member.held to kerbline_app;

-- Every line that touched the deferred money of passes, with whose it is: reports are sums of these, so they equal the ledger.
create view member.movement with (security_invoker = true) as
  select l.enterprise_id, l.entry_id, l.seq, l.at, l.day, l.park_code, e.biz_type, e.biz_no, e.about, p.id as pass_id, p.member_id, p.group_id, p.car_fees_id,
    case when l.credit_fen > 0 then 1 when e.biz_type = 'refund.done' then 2 else 3 end::smallint as kind, l.debit_fen, l.credit_fen
  from ledger.line l join ledger.entry e on e.enterprise_id = l.enterprise_id and e.id = l.entry_id and e.at = l.at
    left join member.pass p on p.enterprise_id = l.enterprise_id and p.id::text = l.sub
  where l.account = 'liability.pass';
grant select on member.movement to kerbline_app;

-- Orders of passes with what they are grouped by: park, kind of pass, plan. What went back counts once, on the refund's own line (refund_fen); what of an order did is beside it (returned_fen). First all that were paid and given back, in their order, and then what belongs to each: the other way round a page of them had all joined.
create view member.payment with (security_invoker = true) as
  select l.enterprise_id, l.id, l.order_id, l.order_no, l.at, l.kind, l.pass_id, l.member_id, c.name as customer, c.phone, l.park_code, l.group_id, g.name as group_name, l.car_fees_id, f.name as car_fees_name,
    l.start_at, l.end_at, case when l.back_fen is null then o.receivable_fen else 0 end as receivable_fen, case when l.back_fen is null then o.discount_fen else 0 end as discount_fen,
    case when l.back_fen is null then o.paid_fen else 0 end as paid_fen, coalesce(l.back_fen, 0) as refund_fen, case when l.back_fen is null then o.refund_fen else 0 end as returned_fen, o.pay_method, o.status, case when l.back_fen is null then o.pay_time else l.at end as pay_time,
    case when l.back_fen is null then coalesce(o.operator_name, l.operator_name) else l.operator_name end as operator_name,
    array(select distinct x.plate_no from member.pass_car x where x.enterprise_id = l.enterprise_id and x.pass_id = l.pass_id order by x.plate_no) as plates,
    (select string_agg(distinct x.plate_no, ' ') from member.pass_car x where x.enterprise_id = l.enterprise_id and x.pass_id = l.pass_id) as plate_no
  from (
    select r.enterprise_id, r.id, r.order_id, r.order_no, r.at, r.kind, r.pass_id, r.member_id, r.park_code, r.group_id, r.car_fees_id, r.start_at, r.end_at, null::bigint as back_fen, r.operator_name from member.period r
    union all
    select r.enterprise_id, x.id, r.order_id, x.refund_no, x.finished_at, 3::smallint, r.pass_id, r.member_id, r.park_code, r.group_id, r.car_fees_id, r.start_at, r.end_at, x.amount_fen, coalesce(x.second_approver_name, x.first_approver_name)
    from settlement.refund x join member.period r on r.enterprise_id = x.enterprise_id and r.order_id = x.order_id where x.state = 3
  ) l join settlement.order o on o.enterprise_id = l.enterprise_id and o.id = l.order_id join member.customer c on c.enterprise_id = l.enterprise_id and c.id = l.member_id
    left join member.card_group g on g.enterprise_id = l.enterprise_id and g.id = l.group_id left join member.car_fees f on f.enterprise_id = l.enterprise_id and f.id = l.car_fees_id;
grant select on member.payment to kerbline_app;
alter table member.list add column white_kind smallint check (white_kind between 1 and 3), add column holder text, add column phone text, add column unit text, add column free_min_per_day integer check (free_min_per_day > 0),
  add column decided smallint not null default 1 check (decided in (0, 1, 2)), add column by_itself boolean not null default false,
  add constraint white_has_a_kind check ((list_type = 1) = (white_kind is not null)), add constraint free_minutes check (free_min_per_day is null or white_kind = 2);
alter table member.list drop constraint list_once;
alter table member.list add constraint list_once exclude using gist (
  enterprise_id with =, list_type with =, plate_no with =, int4range(coalesce(plate_color, 0), coalesce(plate_color + 1, 8)) with &&, coalesce(park_code, '*') with =, tstzrange(start_at, end_at) with &&)
  where (released_at is null and decided = 1);
create index list_unit on member.list (enterprise_id, unit) where unit is not null;
create view member.listed with (security_invoker = true) as
  select l.*, case when decided = 0 then 5 when decided = 2 then 6 when released_at is not null then 4 when start_at > now() then 2 when end_at <= now() then 3 else 1 end::smallint as status from member.list l;
grant select on member.listed to kerbline_app;
-- Whether a payment may release a car from the list: asked for each payment, by whoever takes it, also for entries of parks that they do not see.
create function member.listed_for_debt(plate text) returns boolean stable language sql security definer set search_path = '' begin atomic
  select exists (select from member.list where enterprise_id = public.scope_enterprise() and plate_no = plate and by_itself and released_at is null and decided in (0, 1)); end;
grant execute on function member.listed_for_debt(text) to kerbline_app;
-- How many bays of a park the staff of a unit may use at once.
create table member.unit_quota (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), unit text not null, park_code text not null, bays integer not null check (bays >= 0),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index unit_quota_once on member.unit_quota (enterprise_id, unit, park_code);
select platform.scoped('member.unit_quota');

-- What a driver sees of passes: those of their own telephone, and those that cover a plate that is verified as theirs, whole, so that a fee is the same whoever asks for it.
create function member.customer_of_driver() returns uuid stable language sql security definer set search_path = '' begin atomic
  select c.id from owner.account a join member.customer c on c.enterprise_id = a.enterprise_id and c.phone = a.phone where a.enterprise_id = public.scope_enterprise() and a.id = public.scope_driver(); end;
create function member.passes_of_driver() returns setof uuid stable language sql security definer set search_path = '' begin atomic
  select p.id from member.pass p where p.enterprise_id = public.scope_enterprise() and p.member_id = member.customer_of_driver()
  union select x.pass_id from owner.car c join member.pass_car x on x.enterprise_id = c.enterprise_id and x.plate_no = c.plate_no and (x.plate_color is null or x.plate_color = c.plate_color)
    where c.enterprise_id = public.scope_enterprise() and c.owner_id = public.scope_driver() and c.verify_state = 1; end;
grant execute on function member.customer_of_driver(), member.passes_of_driver() to kerbline_app;
create policy own on member.customer as restrictive using ((select scope_driver() is null) or id = (select member.customer_of_driver()));
create policy own on member.car as restrictive using ((select scope_driver() is null) or member_id = (select member.customer_of_driver()));
create policy own on member.pass as restrictive using ((select scope_driver() is null) or id in (select member.passes_of_driver()));
create policy own on member.pass_car as restrictive using ((select scope_driver() is null) or pass_id in (select member.passes_of_driver()));
create policy own on member.period as restrictive using ((select scope_driver() is null) or pass_id in (select member.passes_of_driver()));
create policy own on member.freeze as restrictive using ((select scope_driver() is null) or pass_id in (select member.passes_of_driver()));

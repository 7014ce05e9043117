-- Toll staff: who they are, in which groups, by which shifts they work.
create schema staff;
select platform.opened('staff');

-- A person who collects, patrols or supervises. type: 1 roadside, 2 car park, 3 inspector, 4 charging, 5 supervisor. on_job: 1 yes, 2 left. person_id is who they are at the console and on the handheld.
create table staff.collector (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), toll_no text not null, name text not null, phone text,
  toll_type smallint not null check (toll_type between 1 and 5), group_id uuid, park_code text not null, on_job smallint not null default 1 check (on_job in (1, 2)),
  pda_no text, person_id uuid, left_at timestamptz, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code),
  constraint left_with_nothing check (on_job = 1 or (pda_no is null and group_id is null and left_at is not null)));
create unique index collector_no on staff.collector (enterprise_id, toll_no);
create unique index collector_person on staff.collector (enterprise_id, person_id) where person_id is not null;
create unique index collector_pda on staff.collector (enterprise_id, pda_no) where pda_no is not null;
create index collector_group on staff.collector (enterprise_id, group_id) where group_id is not null;
create index collector_created on staff.collector (enterprise_id, created_at desc, id desc);
select platform.scoped('staff.collector');

-- People who are planned together, and the places that they keep from one time of day to another.
create table staff.work_group (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, park_code text not null, leader_id uuid, place_codes text[] not null default '{}',
  cover_from text, cover_to text, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code),
  foreign key (enterprise_id, leader_id) references staff.collector (enterprise_id, id),
  constraint covered_from_to check ((cover_from is null) = (cover_to is null)));
create unique index work_group_name on staff.work_group (enterprise_id, name);
create index work_group_created on staff.work_group (enterprise_id, created_at desc, id desc);
create index work_group_leader on staff.work_group (enterprise_id, leader_id) where leader_id is not null;
select platform.scoped('staff.work_group');
alter table staff.collector add foreign key (enterprise_id, group_id) references staff.work_group (enterprise_id, id);

-- A template of a day's work. Cells keep a copy, so that a change is for what comes. status: 1 in use, 2 disabled.
create table staff.work_shift (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, segments jsonb not null, work_min integer not null check (work_min between 1 and 1440),
  late_grace_min integer not null default 5 check (late_grace_min between 0 and 120), early_grace_min integer not null default 5 check (early_grace_min between 0 and 120),
  check_in_from_min integer not null default 30 check (check_in_from_min between 0 and 240), check_out_to_min integer not null default 60 check (check_out_to_min between 0 and 240),
  rest_min integer not null default 0 check (rest_min between 0 and 480), color text not null, status smallint not null default 1 check (status in (1, 2)),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index work_shift_name on staff.work_shift (enterprise_id, name);
create index work_shift_created on staff.work_shift (enterprise_id, created_at desc, id desc);
select platform.scoped('staff.work_shift');

-- Where somebody can be sent to work: parks, districts and the sections of streets, with a point on the map where one is known.
create view staff.place with (security_invoker = true) as
  select p.enterprise_id, p.park_code, p.park_code as place_code, p.name, p.lng, p.lat from parking.park p where not p.deleted
  union all
  select s.enterprise_id, s.park_code, s.section_code, s.name, (s.line -> 0 ->> 0)::double precision, (s.line -> 0 ->> 1)::double precision from roadside.section s where not s.deleted;
grant select on staff.place to kerbline_app;

-- What is told to collectors; who is off duty gets it when the next card says that they are at work. state: 0 waits, 1 sent.
create table staff.notice (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), task_id uuid not null, collector_id uuid not null, title text not null, content text not null,
  urgent boolean not null default false, state smallint not null default 0 check (state in (0, 1)), sent_at timestamptz, sender_name text not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, collector_id) references staff.collector (enterprise_id, id) on delete cascade,
  constraint sent_then check ((state = 1) = (sent_at is not null)));
create index notice_waiting on staff.notice (enterprise_id, collector_id) where state = 0;
select platform.scoped('staff.notice');

-- The roster: who works which shift on which day, where, and what the cards say of it.
-- The hours of a shift on a day of the city. An end at or before its beginning is of the next day; what begins before the first segment is of the next day too.
create function staff.hours_of(segments jsonb, on_day date) returns tstzmultirange immutable language sql set search_path = '' as $$
  select coalesce(range_agg(tstzrange((on_day + (s ->> 'from')::time) at time zone 'Asia/Shanghai' + over, (on_day + (s ->> 'to')::time) at time zone 'Asia/Shanghai' + over
      + case when (s ->> 'to')::time <= (s ->> 'from')::time then interval '1 day' else interval '0' end)), '{}')
  from (select s, case when (s ->> 'from')::time < (segments -> 0 ->> 'from')::time then interval '1 day' else interval '0' end as over from jsonb_array_elements(segments) s) one $$;

-- A cell keeps the hours and the terms that its shift had. state: 1 as planned, 2 on leave, 3 swapped, 4 stood in for, 5 a day of rest, which has no shift.
create table staff.cell (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), collector_id uuid not null, park_code text not null, work_date date not null, shift_id uuid,
  shift_name text not null, hours tstzmultirange not null default '{}', start_at timestamptz, end_at timestamptz, planned_min integer not null default 0 check (planned_min between 0 and 1440),
  late_grace_min integer not null default 0, early_grace_min integer not null default 0, check_in_from_min integer not null default 0, check_out_to_min integer not null default 0,
  place_codes text[] not null default '{}', state smallint not null default 1 check (state between 1 and 5),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, collector_id) references staff.collector (enterprise_id, id), foreign key (enterprise_id, shift_id) references staff.work_shift (enterprise_id, id),
  constraint rest_has_no_hours check ((state = 5) = (shift_id is null) and (shift_id is null) = isempty(hours) and (start_at is null) = (shift_id is null) and (end_at is null) = (shift_id is null)),
  constraint one_work_at_a_time exclude using gist (enterprise_id with =, collector_id with =, hours with &&) where (state in (1, 3, 4)));
create unique index cell_key on staff.cell (enterprise_id, collector_id, work_date, shift_id) nulls not distinct;
create index cell_day on staff.cell (enterprise_id, work_date desc, id desc);
create index cell_shift on staff.cell (enterprise_id, shift_id);
create index cell_ends on staff.cell (enterprise_id, end_at) where end_at is not null;
select platform.scoped('staff.cell');

-- What somebody's handheld or booth said: here I am, and here I was last. kind: 1 in, 2 out. source: 1 handheld, 2 booth, 3 granted afterwards. One card for each `mid`.
create table staff.card (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), collector_id uuid not null, park_code text not null, cell_id uuid, kind smallint not null check (kind in (1, 2)),
  source smallint not null check (source in (1, 2, 3)), at timestamptz not null, received_at timestamptz not null, lng double precision, lat double precision, place_code text, dist_m integer check (dist_m >= 0),
  in_fence boolean not null, image text, mid text not null, created_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, collector_id) references staff.collector (enterprise_id, id), check ((lng is null) = (lat is null)));
create unique index card_mid on staff.card (enterprise_id, collector_id, mid);
create index card_at on staff.card (enterprise_id, collector_id, at desc, id desc);
create index card_granted on staff.card (enterprise_id, cell_id) where cell_id is not null;
select platform.scoped('staff.card', audited => false, append_only => true);

-- A function of cell, cards and requests: written by its cell, so that it may be worked out again. attendance: 0 no card yet, 1 right, 2 late, 3 left early, 4 both, 5 absent, 6 on leave, 7 out of place, 8 by a granted card.
create table staff.attendance (
  cell_id uuid not null, enterprise_id integer not null default scope_enterprise(), park_code text not null, work_date date not null, attendance smallint not null check (attendance between 0 and 8),
  check_in_at timestamptz, check_out_at timestamptz, dist_m integer, late_min integer not null default 0 check (late_min >= 0), early_min integer not null default 0 check (early_min >= 0),
  work_min integer not null default 0 check (work_min >= 0), primary key (enterprise_id, cell_id), foreign key (enterprise_id, cell_id) references staff.cell (enterprise_id, id) on delete cascade);
create index attendance_day on staff.attendance (enterprise_id, work_date, attendance);
select platform.scoped('staff.attendance', audited => false);

-- A month whose figures are paid by: nothing of it changes any more.
create table staff.closed_month (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), month date not null check (extract(day from month) = 1), closed_by text not null, closed_at timestamptz not null,
  version integer not null default 1, primary key (enterprise_id, id));
create unique index closed_month_once on staff.closed_month (enterprise_id, month);
select platform.scoped('staff.closed_month');

-- An account that a collector had before: its tills opened until then stay theirs, whoever has it now.
create table staff.past_account (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), collector_id uuid not null, person_id uuid not null, until timestamptz not null, primary key (enterprise_id, id),
  foreign key (enterprise_id, collector_id) references staff.collector (enterprise_id, id));
create index past_account_person on staff.past_account (enterprise_id, person_id, until);
create index past_account_collector on staff.past_account (enterprise_id, collector_id);
select platform.scoped('staff.past_account', audited => false, append_only => true);
-- Whose a till is that an account opened then.
create function staff.keeper_of(of_person uuid, opened timestamptz) returns uuid stable language sql
  begin atomic select coalesce(
    (select p.collector_id from staff.past_account p where p.enterprise_id = public.scope_enterprise() and p.person_id = of_person and p.until > opened order by p.until limit 1),
    (select c.id from staff.collector c where c.enterprise_id = public.scope_enterprise() and c.person_id = of_person)); end;
grant execute on function staff.keeper_of to kerbline_app;

create view staff.collector_line with (security_invoker = true) as
  select c.*, g.name as group_name, p.username from staff.collector c
  left join staff.work_group g on g.enterprise_id = c.enterprise_id and g.id = c.group_id
  left join identity.person p on p.enterprise_id = c.enterprise_id and p.id = c.person_id;
grant select on staff.collector_line to kerbline_app;
create view staff.work_group_line with (security_invoker = true) as
  select g.*, l.name as leader_name, (select count(*)::integer from staff.collector c where c.enterprise_id = g.enterprise_id and c.group_id = g.id) as people from staff.work_group g
  left join staff.collector l on l.enterprise_id = g.enterprise_id and l.id = g.leader_id;
grant select on staff.work_group_line to kerbline_app;
create view staff.cell_line with (security_invoker = true) as
  select e.id, e.enterprise_id, e.version, e.created_at, e.updated_at, e.collector_id, e.park_code, e.work_date, e.shift_id, e.shift_name, e.start_at, e.end_at, e.planned_min, e.place_codes, e.state,
    c.toll_no, c.name, c.toll_type, c.group_id, coalesce(a.attendance, 0::smallint) as attendance, a.check_in_at, a.check_out_at, a.dist_m,
    coalesce(a.late_min, 0) as late_min, coalesce(a.early_min, 0) as early_min, coalesce(a.work_min, 0) as work_min
  from staff.cell e join staff.collector c on c.enterprise_id = e.enterprise_id and c.id = e.collector_id
  left join staff.attendance a on a.enterprise_id = e.enterprise_id and a.cell_id = e.id;
grant select on staff.cell_line to kerbline_app;

-- Reports of where somebody was. kind: 1 in, 2 out, 3 a granted card, 4 money taken, which has no place of its own.
create view staff.report with (security_invoker = true) as
  select k.id, k.enterprise_id, k.park_code, c.toll_no, k.at, case when k.source = 3 then 3 else k.kind end::smallint as kind, k.place_code, k.in_fence, k.dist_m, k.lng, k.lat, k.image, null::text as biz_no
  from staff.card k join staff.collector c on c.enterprise_id = k.enterprise_id and c.id = k.collector_id
  union all
  select p.id, p.enterprise_id, p.park_code, c.toll_no, p.paid_at, 4::smallint, p.park_code, null, null, null, null, null, p.pay_no
  from staff.collector c cross join lateral (select c.person_id union select a.person_id from staff.past_account a where a.enterprise_id = c.enterprise_id and a.collector_id = c.id) a
  join settlement.shift s on s.enterprise_id = c.enterprise_id and s.person_id = a.person_id and staff.keeper_of(s.person_id, s.opened_at) = c.id
  join settlement.payment p on p.enterprise_id = s.enterprise_id and p.shift_id = s.id where p.paid_at is not null;
grant select on staff.report to kerbline_app;

-- A collector's lies in the collector's park, anybody else's where its money was taken.
create view staff.till with (security_invoker = true) as
  select s.id, s.enterprise_id, s.shift_no, s.state, s.opened_at, s.closed_at, (s.opened_at at time zone 'Asia/Shanghai')::date as work_date, s.opening_float_fen,
    c.toll_no, c.toll_type, coalesce(c.name, s.person_name) as name, c.group_id, coalesce(c.park_code, s.park_code) as park_code, m.orders, m.receivable_fen, m.cash_fen + m.scan_fen as paid_fen, m.cash_fen, m.scan_fen,
    s.cash_out_fen + m.scan_refund_fen as refund_fen, m.cash_fen + m.scan_fen - s.cash_out_fen - m.scan_refund_fen as net_fen, s.cash_in_fen, s.cash_out_fen, s.expected_fen,
    s.deposit_fen, s.over_fen, s.under_fen, s.counted_fen, s.difference_fen, s.open_fen, s.late_fen, s.version, s.person_id, s.taker_id, s.taken_at, s.settled_by_id
  from settlement.shift_line s left join staff.collector c on c.enterprise_id = s.enterprise_id and c.id = staff.keeper_of(s.person_id, s.opened_at)
  cross join lateral (select count(*)::integer as orders, coalesce(sum(p.amount_fen), 0)::bigint as receivable_fen, coalesce(sum(p.received_fen) filter (where p.channel = 'cash'), 0)::bigint as cash_fen,
      coalesce(sum(p.received_fen) filter (where p.channel <> 'cash'), 0)::bigint as scan_fen, coalesce(sum(p.refund_fen) filter (where p.channel <> 'cash'), 0)::bigint as scan_refund_fen
    from settlement.payment p where p.enterprise_id = s.enterprise_id and p.shift_id = s.id and p.received_fen > 0) m;
grant select on staff.till to kerbline_app;

-- Where collectors are while they are at work, and the log of each piece of work.
create function staff.metres(lng1 double precision, lat1 double precision, lng2 double precision, lat2 double precision) returns double precision immutable parallel safe language sql set search_path = '' as $$
  select 6371008.8 * 2 * asin(least(1, sqrt(sin(radians(lat2 - lat1) / 2) ^ 2 + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lng2 - lng1) / 2) ^ 2))) $$;

-- One for each cell that somebody came to. On duty is from the first card in to the last card out, and never longer than until until_at. state: 0 running, 1 to be submitted, 2 submitted, 3 rated, 4 not submitted in time.
create table staff.work_log (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), cell_id uuid not null, collector_id uuid not null, park_code text not null, work_date date not null,
  opened_at timestamptz not null, out_at timestamptz, until_at timestamptz not null, state smallint not null default 0 check (state between 0 and 4),
  entries integer not null default 0 check (entries >= 0), exits integer not null default 0 check (exits >= 0), orders integer not null default 0 check (orders >= 0), paid_fen bigint not null default 0,
  photos integer not null default 0 check (photos >= 0), patrols integer not null default 0 check (patrols >= 0), walk_m integer not null default 0 check (walk_m >= 0), warnings integer not null default 0 check (warnings >= 0),
  content text, images text, incidents jsonb not null default '[]', submitted_at timestamptz, score smallint check (score between 1 and 5), verdict text, reviewer_name text, reviewed_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, cell_id) references staff.cell (enterprise_id, id) on delete cascade, foreign key (enterprise_id, collector_id) references staff.collector (enterprise_id, id),
  constraint forward check (until_at > opened_at and (out_at is null or out_at > opened_at)),
  constraint submitted_with_words check (state not in (2, 3) or (submitted_at is not null and content is not null)),
  constraint rated_by_somebody check ((state = 3) = (score is not null) and (state = 3) = (reviewed_at is not null) and (state = 3) = (reviewer_name is not null)));
create unique index work_log_cell on staff.work_log (enterprise_id, cell_id);
create index work_log_of on staff.work_log (enterprise_id, collector_id, opened_at desc);
create index work_log_day on staff.work_log (enterprise_id, work_date desc, id desc);
create index work_log_running on staff.work_log (enterprise_id, state) where state in (0, 1);
select platform.scoped('staff.work_log', hidden => array['entries', 'exits', 'orders', 'paid_fen', 'photos', 'patrols', 'walk_m', 'warnings']);
select platform.uncounted('staff.work_log');

-- A position belongs to the second in which the handheld was there: said again it is the same one. Only from check-in to check-out, for 90 days.
create table staff.point (
  enterprise_id integer not null default scope_enterprise(), collector_id uuid not null, at timestamptz not null, received_at timestamptz not null, lng double precision not null check (lng between -180 and 180),
  lat double precision not null check (lat between -90 and 90), accuracy_m integer check (accuracy_m >= 0), battery smallint check (battery between 0 and 100), in_fence boolean, dist_m integer check (dist_m >= 0),
  primary key (enterprise_id, collector_id, at)
) partition by range (at);
create table staff.point_rest partition of staff.point default;
insert into platform.monthly (parent, kept) values ('staff.point', interval '90 days');
select platform.ensure_months();
select platform.scoped('staff.point', audited => false, append_only => true);
create function staff.forget_points(now_at timestamptz) returns void language sql security definer set search_path = '' begin atomic
  delete from staff.point where at < now_at - interval '90 days'; end;
revoke execute on function staff.forget_points(timestamptz) from public;
grant execute on function staff.forget_points(timestamptz) to kerbline_app;

-- What somebody at work showed or told from where they were. kind: 5 a picture, 6 a report. One for each `mid`.
create table staff.field_note (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), collector_id uuid not null, park_code text not null, kind smallint not null check (kind in (5, 6)), at timestamptz not null,
  received_at timestamptz not null, lng double precision not null, lat double precision not null, place_code text, dist_m integer check (dist_m >= 0), in_fence boolean not null, image text, note text, mid text not null,
  primary key (enterprise_id, id), foreign key (enterprise_id, collector_id) references staff.collector (enterprise_id, id), constraint picture_or_words check (image is not null or note is not null),
  constraint picture_has_one check (kind <> 5 or image is not null));
create unique index field_note_mid on staff.field_note (enterprise_id, collector_id, mid);
create index field_note_at on staff.field_note (enterprise_id, collector_id, at desc);
select platform.scoped('staff.field_note', audited => false, append_only => true);

create or replace view staff.report with (security_invoker = true) as
  select k.id, k.enterprise_id, k.park_code, c.toll_no, k.at, case when k.source = 3 then 3 else k.kind end::smallint as kind, k.place_code, k.in_fence, k.dist_m, k.lng, k.lat, k.image, null::text as biz_no
  from staff.card k join staff.collector c on c.enterprise_id = k.enterprise_id and c.id = k.collector_id
  union all
  select p.id, p.enterprise_id, p.park_code, c.toll_no, p.paid_at, 4::smallint, p.park_code, null, null, null, null, null, p.pay_no
  from staff.collector c cross join lateral (select c.person_id union select a.person_id from staff.past_account a where a.enterprise_id = c.enterprise_id and a.collector_id = c.id) a
  join settlement.shift s on s.enterprise_id = c.enterprise_id and s.person_id = a.person_id and staff.keeper_of(s.person_id, s.opened_at) = c.id
  join settlement.payment p on p.enterprise_id = s.enterprise_id and p.shift_id = s.id where p.paid_at is not null
  union all
  select n.id, n.enterprise_id, n.park_code, c.toll_no, n.at, n.kind, n.place_code, n.in_fence, n.dist_m, n.lng, n.lat, n.image, null
  from staff.field_note n join staff.collector c on c.enterprise_id = n.enterprise_id and c.id = n.collector_id;

create view staff.work_log_line with (security_invoker = true) as
  select w.*, c.toll_no, c.name, c.toll_type, c.group_id, e.shift_name, coalesce(a.work_min, 0) as work_min
  from staff.work_log w join staff.collector c on c.enterprise_id = w.enterprise_id and c.id = w.collector_id
  join staff.cell e on e.enterprise_id = w.enterprise_id and e.id = w.cell_id
  left join staff.attendance a on a.enterprise_id = w.enterprise_id and a.cell_id = w.cell_id;
grant select on staff.work_log_line to kerbline_app;

-- What is watched of those at work. rule: 1 out of place, 2 does not move, 3 gathered, 4 no card, 5 late, 6 left early, 7 handheld off line, 8 overdue orders. A row is there once a company has set its rule.
create table staff.warning_rule (
  enterprise_id integer not null default scope_enterprise(), rule smallint not null check (rule between 1 and 8), enabled boolean not null, level smallint not null check (level between 1 and 3), notify boolean not null,
  threshold_min integer not null check (threshold_min between 0 and 480), silence_min integer not null check (silence_min between 0 and 480), dist_m integer check (dist_m between 5 and 1000), people integer check (people between 2 and 50),
  version integer not null default 1, updated_at timestamptz not null default now(), primary key (enterprise_id, rule),
  constraint distance_where_it_counts check ((dist_m is not null) = (rule in (2, 3))), constraint people_where_they_count check ((people is not null) = (rule = 3)));
select platform.scoped('staff.warning_rule', key => 'rule');
create view staff.warning_rule_line with (security_invoker = true) as
  select scope_enterprise() as enterprise_id, u.rule, coalesce(r.enabled, true) as enabled, coalesce(r.level, u.level) as level, coalesce(r.notify, u.notify) as notify, coalesce(r.threshold_min, u.threshold_min) as threshold_min,
    coalesce(r.silence_min, u.silence_min) as silence_min, coalesce(r.dist_m, u.dist_m) as dist_m, coalesce(r.people, u.people) as people, coalesce(r.version, 1) as version, r.updated_at
  from (values (1::smallint, 3::smallint, true, 10, 30, null::integer, null::integer), (2::smallint, 2::smallint, false, 30, 60, 20, null), (3::smallint, 2::smallint, true, 15, 60, 20, 3), (4::smallint, 2::smallint, true, 10, 0, null, null),
    (5::smallint, 1::smallint, false, 0, 0, null, null), (6::smallint, 1::smallint, false, 0, 0, null, null), (7::smallint, 2::smallint, true, 10, 30, null, null), (8::smallint, 2::smallint, true, 30, 60, null, null))
    u(rule, level, notify, threshold_min, silence_min, dist_m, people)
  left join staff.warning_rule r on r.enterprise_id = scope_enterprise() and r.rule = u.rule;
grant select on staff.warning_rule_line to kerbline_app;

-- One open of each rule and person; what a cell came to is said once. state: 0 to be handled, 1 handled, 2 a false alarm.
create table staff.warning (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), rule smallint not null check (rule between 1 and 8), level smallint not null check (level between 1 and 3),
  collector_id uuid not null, park_code text not null, cell_id uuid, place_code text, lng double precision, lat double precision, start_at timestamptz not null, end_at timestamptz, times integer not null default 1 check (times >= 1),
  state smallint not null default 0 check (state in (0, 1, 2)), opinion text, handler_name text, handled_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, collector_id) references staff.collector (enterprise_id, id), foreign key (enterprise_id, cell_id) references staff.cell (enterprise_id, id) on delete cascade,
  constraint forward check (end_at is null or end_at >= start_at), constraint placed check ((lng is null) = (lat is null)),
  constraint handled_by_somebody check ((state = 0) = (handled_at is null) and (state = 0) = (handler_name is null) and (state = 0) = (opinion is null)));
create unique index warning_open on staff.warning (enterprise_id, rule, collector_id) where end_at is null;
create unique index warning_of_cell on staff.warning (enterprise_id, rule, cell_id) where rule in (4, 5, 6);
create index warning_start on staff.warning (enterprise_id, start_at desc, id desc);
create index warning_of on staff.warning (enterprise_id, collector_id, rule, end_at desc);
create index warning_cell on staff.warning (enterprise_id, cell_id) where cell_id is not null;
select platform.scoped('staff.warning', hidden => array['times', 'end_at']);
create view staff.warning_line with (security_invoker = true) as
  select w.*, c.toll_no, c.name, c.group_id from staff.warning w join staff.collector c on c.enterprise_id = w.enterprise_id and c.id = w.collector_id;
grant select on staff.warning_line to kerbline_app;

-- A handheld that must not be worked with any more: lost, stolen, or taken out of somebody's hands. A row is a lock that stands; who locked and opened it is in the history.
create table staff.handheld_lock (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), device_no text not null, reason text not null, locked_at timestamptz not null, locked_by text not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, device_no) references device.device (enterprise_id, device_no) on delete cascade);
create unique index handheld_lock_of on staff.handheld_lock (enterprise_id, device_no);
select platform.scoped('staff.handheld_lock');

-- The handhelds that are not scrapped, in whose hands each is, and what it last said of itself. 8 is a handheld, 3 is scrapped.
create view staff.handheld with (security_invoker = true) as
  select d.id, d.enterprise_id, d.device_no, d.name, d.park_code, d.use_status, p.online, p.last_seen_at, coalesce(p.firmware, left(p.state ->> 'app', 64)) as app_version,
    case when jsonb_typeof(p.state -> 'battery') = 'number' then least(greatest((p.state ->> 'battery')::numeric, 0), 100)::smallint end as battery,
    case when jsonb_typeof(p.state -> 'queue') = 'number' then least(greatest((p.state ->> 'queue')::numeric, 0), 1000000)::integer end as queue,
    c.toll_no, c.name as holder_name, l.locked_at, l.locked_by, l.reason as lock_reason, d.version
  from device.device d join device.presence p on p.enterprise_id = d.enterprise_id and p.device_no = d.device_no
  left join staff.collector c on c.enterprise_id = d.enterprise_id and c.pda_no = d.device_no
  left join staff.handheld_lock l on l.enterprise_id = d.enterprise_id and l.device_no = d.device_no
  where d.type = 8 and d.use_status <> 3;
grant select on staff.handheld to kerbline_app;

-- What collectors ask for: leave, a swap, somebody to stand in, a card afterwards. type: 1 leave, 2 swap, 3 stand-in, 4 card. state: 0 waits for the partner, 1 to be decided, 2 granted, 3 rejected, 4 withdrawn, 5 run out.
create table staff.request (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), request_no text not null default platform.business_no('SQ'), park_code text not null,
  type smallint not null check (type between 1 and 4), leave_kind smallint check (leave_kind in (1, 2, 3)), applicant_id uuid not null, cell_id uuid not null, to_collector_id uuid, to_cell_id uuid,
  card_kind smallint check (card_kind in (1, 2)), card_time timestamptz, reason text not null, images text, state smallint not null check (state between 0 and 5),
  asked_by_id uuid not null, agreed_by_id uuid, opinion text, decided_id uuid, decided_name text, decided_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, applicant_id) references staff.collector (enterprise_id, id), foreign key (enterprise_id, to_collector_id) references staff.collector (enterprise_id, id),
  foreign key (enterprise_id, cell_id) references staff.cell (enterprise_id, id) on delete cascade, foreign key (enterprise_id, to_cell_id) references staff.cell (enterprise_id, id) on delete cascade,
  constraint leave_has_kind check ((type = 1) = (leave_kind is not null)), constraint card_has_time check ((type = 4) = (card_time is not null) and (type = 4) = (card_kind is not null)),
  constraint partner_is_another check (applicant_id is distinct from to_collector_id), constraint partner_where_needed check ((type in (2, 3)) = (to_collector_id is not null) and (type = 2) = (to_cell_id is not null)),
  constraint decided_by_somebody check (state <> 2 or decided_id is not null), constraint decided_by_another check (decided_id is null or (decided_id <> asked_by_id and decided_id is distinct from agreed_by_id)));
create unique index request_open on staff.request (enterprise_id, cell_id) where state in (0, 1);
create index request_to_cell on staff.request (enterprise_id, to_cell_id) where to_cell_id is not null;
create index request_created on staff.request (enterprise_id, created_at desc, id desc);
create unique index request_by_no on staff.request (enterprise_id, request_no);
create index request_applicant on staff.request (enterprise_id, applicant_id, created_at desc);
create index request_partner on staff.request (enterprise_id, to_collector_id) where to_collector_id is not null;
select platform.scoped('staff.request');

create view staff.request_line with (security_invoker = true) as
  select r.*, concat_ws(' ', a.person_id, p.person_id, l.person_id) as seen_by, a.toll_no, a.name, p.toll_no as to_toll_no, p.name as to_name, e.work_date, e.shift_name, e.start_at, e.end_at
  from staff.request r join staff.collector a on a.enterprise_id = r.enterprise_id and a.id = r.applicant_id
  join staff.cell e on e.enterprise_id = r.enterprise_id and e.id = r.cell_id
  left join staff.collector p on p.enterprise_id = r.enterprise_id and p.id = r.to_collector_id
  left join staff.work_group g on g.enterprise_id = a.enterprise_id and g.id = a.group_id left join staff.collector l on l.enterprise_id = g.enterprise_id and l.id = g.leader_id;
grant select on staff.request_line to kerbline_app;

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

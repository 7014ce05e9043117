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
create policy parks_seen on member.list as restrictive for select using (park_code is null or (select scope_all_parks()) or park_code = any ((select scope_parks())::text[]));
create policy parks_added on member.list as restrictive for insert with check ((select scope_all_parks()) or park_code = any ((select scope_parks())::text[]));
create policy parks_removed on member.list as restrictive for delete using ((select scope_all_parks()) or park_code = any ((select scope_parks())::text[]));
create policy parks_changed on member.list as restrictive for update using ((select scope_all_parks()) or park_code = any ((select scope_parks())::text[]));
-- The same car is on a list once at a time. Released entries make room.
alter table member.list add constraint list_once exclude using gist (
  enterprise_id with =, list_type with =, plate_no with =, coalesce(plate_color, -1) with =, coalesce(park_code, '*') with =, tstzrange(start_at, end_at) with &&) where (released_at is null);
create index list_plate on member.list (enterprise_id, plate_no);
create index list_created on member.list (enterprise_id, list_type, created_at desc, id desc);
-- Its status follows from the clock, so that a job that did not run lets nobody in.
create view member.listed with (security_invoker = true) as
  select l.*, case when released_at is not null then 4 when start_at > now() then 2 when end_at <= now() then 3 else 1 end::smallint as status from member.list l;
grant select on member.listed to kerbline_app;

-- A pass lets some cars use some seats of a park. `state` is what people set; not yet valid, valid and expired follow from the period.
create table member.pass (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, holder text not null, phone text,
  seats integer not null default 1 check (seats > 0), time_window smallint not null default 1 check (time_window in (1, 2, 3, 4)),
  start_at timestamptz not null, end_at timestamptz not null, state smallint not null default 2 check (state in (0, 2, 3, 5, 6, 7)), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  check (end_at > start_at), unique (enterprise_id, id));
create index pass_park on member.pass (enterprise_id, park_code, end_at);
select platform.scoped('member.pass');

-- The cars of a pass, with its period: two passes of one car in one park do not overlap, unless the hours they are for are apart (day and night).
create table member.pass_car (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), pass_id uuid not null, park_code text not null,
  plate_no text not null, plate_color smallint check (plate_color between 0 and 7), hours int4multirange not null, start_at timestamptz not null, end_at timestamptz not null,
  foreign key (enterprise_id, pass_id) references member.pass (enterprise_id, id) on delete cascade,
  exclude using gist (enterprise_id with =, park_code with =, plate_no with =, coalesce(plate_color, -1) with =, hours with &&, tstzrange(start_at, end_at) with &&));
create index pass_car_plate on member.pass_car (enterprise_id, plate_no, park_code);
create index pass_car_pass on member.pass_car (enterprise_id, pass_id);
select platform.scoped('member.pass_car');

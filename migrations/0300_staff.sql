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

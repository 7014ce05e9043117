-- The cars that a company runs itself: what they are, who drives them, and who has which of them when.
create schema fleet;
select platform.opened('fleet');

-- energy: 1 fuel, 2 electric, 3 hybrid.
create table fleet.brand (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, model text not null, energy smallint not null check (energy in (1, 2, 3)), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index brand_model on fleet.brand (enterprise_id, name, model);
create index brand_created on fleet.brand (enterprise_id, created_at desc, id desc);
select platform.scoped('fleet.brand');

-- status: 1 idle, 2 in use (follows its allocation), 3 in repair, 4 scrapped. device_no: the telephone number under which its terminal speaks, without leading zeros; one terminal is in one car of the whole installation.
create table fleet.vehicle (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), vehicle_no text not null, plate_color smallint check (plate_color between 0 and 7), brand_id uuid not null, vin text, dept text not null, purpose text,
  seats smallint not null check (seats between 1 and 80), buy_date date, insurance_end date not null, inspect_end date not null, mileage_m bigint not null default 0 check (mileage_m >= 0), device_no text check (device_no ~ '^[1-9][0-9]{4,19}$'),
  status smallint not null default 1 check (status in (1, 2, 3, 4)), image text, remark text, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (enterprise_id, id), foreign key (enterprise_id, brand_id) references fleet.brand (enterprise_id, id));
create unique index vehicle_plate on fleet.vehicle (enterprise_id, vehicle_no);
create unique index vehicle_vin on fleet.vehicle (enterprise_id, vin) where vin is not null;
create unique index vehicle_device on fleet.vehicle (device_no) where device_no is not null;
create index vehicle_brand on fleet.vehicle (enterprise_id, brand_id);
create index vehicle_created on fleet.vehicle (enterprise_id, created_at desc, id desc);
create index vehicle_insurance on fleet.vehicle (enterprise_id, insurance_end, id);
create index vehicle_inspection on fleet.vehicle (enterprise_id, inspect_end, id);
select platform.scoped('fleet.vehicle');
-- Found by any run of its plate, as cars are everywhere.
create function fleet.vehicle_known() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  perform platform.know_plate(new.enterprise_id, new.vehicle_no);
  return null;
end $$;
create trigger vehicle_known after insert or update of vehicle_no on fleet.vehicle for each row execute function fleet.vehicle_known();
alter table fleet.vehicle enable always trigger vehicle_known;

-- status: 1 free, 2 driving (follows the allocation), 3 on leave, 4 disabled.
create table fleet.driver (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, phone text not null, licence_no text not null, licence_class smallint not null check (licence_class between 1 and 8),
  licence_end date not null, status smallint not null default 1 check (status in (1, 2, 3, 4)), image text, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index driver_licence on fleet.driver (enterprise_id, licence_no);
create index driver_created on fleet.driver (enterprise_id, created_at desc, id desc);
create index driver_licence_end on fleet.driver (enterprise_id, licence_end, id);
select platform.scoped('fleet.driver');

-- A car for a driver and a time. state: 0 applied for, 1 approved, 2 out, 3 returned, 4 rejected, 5 cancelled. What is applied for, approved or out holds its car and its driver; a car that is
-- fetched early holds them from then on. `changer_ids`: everybody who changed it since it was last approved; none of them approves it.
create table fleet.allocation (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), allocation_no text not null, vehicle_id uuid not null, driver_id uuid not null, reason text not null,
  plan_from timestamptz not null, plan_to timestamptz not null, origin text not null, dest text not null, state smallint not null default 0 check (state between 0 and 5),
  odo_out bigint check (odo_out >= 0), odo_in bigint, fuel_out smallint check (fuel_out between 0 and 100), fuel_in smallint check (fuel_in between 0 and 100), images_out text, images_in text, damage text,
  applicant_id uuid not null, applicant_name text not null, changer_ids uuid[] not null default '{}', approver_id uuid, approver_name text, decided_at timestamptz, verdict text, out_at timestamptz, out_by text, in_at timestamptz, in_by text,
  track_m bigint check (track_m >= 0), odo_off boolean not null default false,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, vehicle_id) references fleet.vehicle (enterprise_id, id), foreign key (enterprise_id, driver_id) references fleet.driver (enterprise_id, id),
  constraint forward check (plan_to > plan_from), constraint maker_is_not_checker check (approver_id <> applicant_id and approver_id <> all (changer_ids)),
  constraint decided check (state in (0, 5) or approver_id is not null), constraint rejected_why check (state <> 4 or verdict is not null),
  constraint handed_out check (state not in (2, 3) or (out_at is not null and odo_out is not null)), constraint came_back check (state <> 3 or (in_at is not null and odo_in is not null)),
  constraint odometer_forward check (odo_in >= odo_out),
  constraint one_driver_a_car exclude using gist (enterprise_id with =, vehicle_id with =, tstzrange(least(plan_from, coalesce(out_at, plan_from)), plan_to) with &&) where (state in (0, 1, 2)),
  constraint one_car_a_driver exclude using gist (enterprise_id with =, driver_id with =, tstzrange(least(plan_from, coalesce(out_at, plan_from)), plan_to) with &&) where (state in (0, 1, 2)));
create unique index allocation_no on fleet.allocation (enterprise_id, allocation_no);
create unique index allocation_out on fleet.allocation (enterprise_id, vehicle_id) where state = 2;
create unique index allocation_driving on fleet.allocation (enterprise_id, driver_id) where state = 2;
create index allocation_from on fleet.allocation (enterprise_id, plan_from desc, id desc);
create index allocation_created on fleet.allocation (enterprise_id, created_at desc, id desc);
create index allocation_vehicle on fleet.allocation (enterprise_id, vehicle_id, plan_from desc);
create index allocation_driver on fleet.allocation (enterprise_id, driver_id, plan_from desc);
create index allocation_open on fleet.allocation (enterprise_id, state, plan_from) where state in (0, 1, 2);
select platform.scoped('fleet.allocation');

create view fleet.vehicle_line with (security_invoker = true) as
  select v.*, b.name as brand_name, b.model, b.energy from fleet.vehicle v join fleet.brand b on b.enterprise_id = v.enterprise_id and b.id = v.brand_id;
create view fleet.allocation_line with (security_invoker = true) as
  select a.*, v.vehicle_no, v.plate_color, v.dept, d.name as driver_name from fleet.allocation a
    join fleet.vehicle v on v.enterprise_id = a.enterprise_id and v.id = a.vehicle_id join fleet.driver d on d.enterprise_id = a.enterprise_id and d.id = a.driver_id;
grant select on fleet.vehicle_line, fleet.allocation_line to kerbline_app;

-- What the police hold against one of the company's own cars. source: 1 by hand, 2 imported. Who drove is who had the car in that minute. state: 0 open, 1 settled.
create table fleet.violation (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), violation_no text not null, vehicle_id uuid not null, at timestamptz not null, place text not null, conduct text not null,
  fine_fen bigint not null default 0 check (fine_fen between 0 and 10000000), points smallint not null default 0 check (points between 0 and 12), source smallint not null check (source in (1, 2)),
  driver_id uuid, allocation_id uuid, state smallint not null default 0 check (state in (0, 1)), settled_by text, settled_at timestamptz, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, vehicle_id) references fleet.vehicle (enterprise_id, id), foreign key (enterprise_id, driver_id) references fleet.driver (enterprise_id, id),
  foreign key (enterprise_id, allocation_id) references fleet.allocation (enterprise_id, id), constraint settled_by_whom check ((state = 1) = (settled_at is not null)));
create unique index violation_no on fleet.violation (enterprise_id, violation_no);
create index violation_at on fleet.violation (enterprise_id, at desc, id desc);
create index violation_vehicle on fleet.violation (enterprise_id, vehicle_id, at desc);
create index violation_driver on fleet.violation (enterprise_id, driver_id);
create index violation_allocation on fleet.violation (enterprise_id, allocation_id);
create index violation_created on fleet.violation (enterprise_id, created_at desc, id desc);
select platform.scoped('fleet.violation');
select platform.binned('fleet.violation', title => 'violation_no');
create view fleet.violation_line with (security_invoker = true) as
  select x.*, v.vehicle_no, v.plate_color, v.dept, d.name as driver_name, a.allocation_no from fleet.violation x join fleet.vehicle v on v.enterprise_id = x.enterprise_id and v.id = x.vehicle_id
    left join fleet.driver d on d.enterprise_id = x.enterprise_id and d.id = x.driver_id left join fleet.allocation a on a.enterprise_id = x.enterprise_id and a.id = x.allocation_id;
grant select on fleet.violation_line to kerbline_app;

-- Where the fleet is: what terminals said, the newest of each, and what whoever supervises it should look at.
-- A position belongs to the second in which the terminal was there: said again it is the same one. trust: 1 good, 2 without a fix, 3 cannot be. All are kept, only the good ones are drawn.
-- The square of the map, about a kilometre wide, that a place lies in: who was in an area is looked for by its squares.
create function fleet.cell(lng double precision, lat double precision) returns bigint language sql immutable parallel safe as $$
  select floor(lng * 100)::bigint * 1000000 + floor(lat * 100)::bigint $$;
create table fleet.position (
  enterprise_id integer not null default scope_enterprise(), vehicle_id uuid not null, device_time timestamptz not null, received_at timestamptz not null, lng double precision not null, lat double precision not null,
  speed integer not null check (speed >= 0), heading smallint not null check (heading between 0 and 360), alt integer not null, acc boolean not null, mileage_m bigint check (mileage_m >= 0), alarm_bits bigint not null, status_bits bigint not null,
  satellites smallint, blind boolean not null, clock_fixed boolean not null, trust smallint not null check (trust in (1, 2, 3)),
  cell bigint generated always as (fleet.cell(lng, lat)) stored, primary key (enterprise_id, vehicle_id, device_time)
) partition by range (device_time);
create index position_cell on fleet.position (enterprise_id, cell, device_time) where trust = 1;
create table fleet.position_rest partition of fleet.position default;
insert into platform.monthly (parent, kept) values ('fleet.position', interval '12 months');
select platform.ensure_months();
select platform.scoped('fleet.position', audited => false, append_only => true);
-- What is to be thought of a place may change by those that come after it; what was said never does.
grant update (trust) on fleet.position to kerbline_app;
-- Along the great circle.
create function fleet.metres(lng1 double precision, lat1 double precision, lng2 double precision, lat2 double precision) returns double precision language sql immutable parallel safe as $$
  select 2 * 6371000 * asin(least(1, sqrt(sin(radians(lat2 - lat1) / 2) ^ 2 + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lng2 - lng1) / 2) ^ 2))) $$;
-- Areas that vehicles come into or go out of. area: {ring: [{lng, lat}], radiusM?}, a circle around its one place or a polygon. kind: 1 arrivals, 2 must not be left, 3 must not be entered; status: 1 in use, 2 not.
-- drawn_at: since when it has stood where it stands, for those whom it holds for; what was before is no crossing of it.
-- An area in metres around its first place, where the earth is as good as flat.
create function fleet.flat(area jsonb) returns polygon language sql immutable parallel safe as $$
  select string_agg(format('(%s,%s)', ((p.lng - o.lng) * cos(radians(o.lat)) * 111194.93)::numeric(12, 2), ((p.lat - o.lat) * 111194.93)::numeric(12, 2)), ',' order by p.n)::polygon
  from (select (area #>> '{ring,0,lng}')::float8 as lng, (area #>> '{ring,0,lat}')::float8 as lat) o,
    lateral (select (one ->> 'lng')::float8 as lng, (one ->> 'lat')::float8 as lat, n from jsonb_array_elements(area -> 'ring') with ordinality as r (one, n)) p $$;
-- How far outside a place lies, in metres; 0 inside.
create function fleet.off_m(area jsonb, flat polygon, lng double precision, lat double precision) returns double precision language sql immutable parallel safe as $$
  select greatest(0, (flat <-> point((lng - (area #>> '{ring,0,lng}')::float8) * cos(radians((area #>> '{ring,0,lat}')::float8)) * 111194.93, (lat - (area #>> '{ring,0,lat}')::float8) * 111194.93))
    - coalesce((area ->> 'radiusM')::float8, 0)) $$;
-- The city's clock within hours of the day, which may go past midnight.
create function fleet.in_hours(time_from text, time_to text, at timestamptz) returns boolean language sql stable parallel safe as $$
  select case when time_from = time_to then true when time_from < time_to then clock >= time_from and clock < time_to else clock >= time_from or clock < time_to end
  from (select to_char(at at time zone 'Asia/Shanghai', 'HH24:MI') as clock) c $$;
create table fleet.fence (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, kind smallint not null check (kind in (1, 2, 3)), area jsonb not null,
  flat polygon generated always as (fleet.flat(area)) stored, time_from text not null default '00:00', time_to text not null default '00:00', vehicle_ids uuid[] not null default '{}', depts text[] not null default '{}',
  status smallint not null default 1 check (status in (1, 2)), remark text, drawn_at timestamptz not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index fence_name on fleet.fence (enterprise_id, name);
create index fence_created on fleet.fence (enterprise_id, created_at desc, id desc);
select platform.scoped('fleet.fence', hidden => '{flat}');
-- On which side of it a vehicle is, as far as is known; where it may have crossed with its last place it waits for the next one. since: when it crossed; none where nobody saw it.
create table fleet.fence_state (
  enterprise_id integer not null default scope_enterprise(), fence_id uuid not null, vehicle_id uuid not null, inside boolean, since timestamptz, pending_inside boolean, pending_at timestamptz, pending_lng double precision, pending_lat double precision,
  primary key (enterprise_id, fence_id, vehicle_id), foreign key (enterprise_id, fence_id) references fleet.fence (enterprise_id, id) on delete cascade,
  foreign key (enterprise_id, vehicle_id) references fleet.vehicle (enterprise_id, id) on delete cascade, constraint pending_whole check (num_nulls(pending_inside, pending_at, pending_lng, pending_lat) in (0, 4)));
create index fence_state_vehicle on fleet.fence_state (enterprise_id, vehicle_id);
select platform.scoped('fleet.fence_state', audited => false);
-- kind: 1 entered, 2 left. One that is told late was no alarm.
create table fleet.fence_event (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), fence_id uuid not null, vehicle_id uuid not null, kind smallint not null check (kind in (1, 2)), at timestamptz not null,
  lng double precision not null, lat double precision not null, live boolean not null, created_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, fence_id) references fleet.fence (enterprise_id, id), foreign key (enterprise_id, vehicle_id) references fleet.vehicle (enterprise_id, id) on delete cascade);
create unique index fence_event_once on fleet.fence_event (enterprise_id, fence_id, vehicle_id, at, kind);
create index fence_event_at on fleet.fence_event (enterprise_id, at desc, id desc);
create index fence_event_vehicle on fleet.fence_event (enterprise_id, vehicle_id, at desc);
select platform.scoped('fleet.fence_event', audited => false);
-- Those that hold for a vehicle.
create view fleet.fence_of with (security_invoker = true) as
  select v.id as vehicle_id, f.* from fleet.fence f join fleet.vehicle v on v.enterprise_id = f.enterprise_id
  where f.status = 1 and v.status <> 4 and ((f.vehicle_ids = '{}' and f.depts = '{}') or v.id = any (f.vehicle_ids) or v.dept = any (f.depts));
create view fleet.fence_line with (security_invoker = true) as
  select f.*, (select count(*) from fleet.fence_state s where s.enterprise_id = f.enterprise_id and s.fence_id = f.id and s.inside and f.status = 1)::integer as inside from fleet.fence f;
create view fleet.fence_event_line with (security_invoker = true) as
  select e.*, f.name as fence_name, f.kind as fence_kind, v.vehicle_no, v.plate_color, v.dept from fleet.fence_event e
    join fleet.fence f on f.enterprise_id = e.enterprise_id and f.id = e.fence_id join fleet.vehicle v on v.enterprise_id = e.enterprise_id and v.id = e.vehicle_id;
grant select on fleet.fence_of, fleet.fence_line, fleet.fence_event_line to kerbline_app;

-- What a terminal is told, once. act: 1 text, 2 picture, 3 track; state: 0 queued, 1 sent, 2 answered, 3 done, 4 failed, 5 too late; failure: 1 failed there, 2 faulty, 3 unsupported, 4 off line, 5 no answer, 6 no picture.
-- One of each act at a time.
create table fleet.terminal_command (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), vehicle_id uuid not null, act smallint not null check (act in (1, 2, 3)), text text, channel smallint, every_s integer, for_s integer,
  urgent boolean not null default false, spoken boolean not null default false, state smallint not null default 0 check (state between 0 and 6), failure smallint check (failure between 1 and 6), by_name text not null,
  created_at timestamptz not null, sent_at timestamptz, acked_at timestamptz, finished_at timestamptz, expires_at timestamptz not null, primary key (enterprise_id, id),
  foreign key (enterprise_id, vehicle_id) references fleet.vehicle (enterprise_id, id) on delete cascade, constraint over check ((state >= 3) = (finished_at is not null)), constraint why check (state not in (4, 5) or failure is not null));
create unique index terminal_command_open on fleet.terminal_command (enterprise_id, vehicle_id, act) where state in (0, 1, 2);
create index terminal_command_created on fleet.terminal_command (enterprise_id, created_at desc, id desc);
create index terminal_command_vehicle on fleet.terminal_command (enterprise_id, vehicle_id, created_at desc);
select platform.scoped('fleet.terminal_command', audited => false);
-- source: 1 ordered, 2 timed, 3 alarm. Kept 180 days.
create table fleet.picture (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), vehicle_id uuid not null, media_id bigint not null, source smallint not null check (source in (1, 2, 3)), channel smallint not null, at timestamptz not null,
  lng double precision, lat double precision, image text not null, created_at timestamptz not null, primary key (enterprise_id, id), foreign key (enterprise_id, vehicle_id) references fleet.vehicle (enterprise_id, id) on delete cascade);
create unique index picture_once on fleet.picture (enterprise_id, vehicle_id, media_id, at);
create index picture_at on fleet.picture (enterprise_id, at desc, id desc);
create index picture_vehicle on fleet.picture (enterprise_id, vehicle_id, at desc);
select platform.scoped('fleet.picture', audited => false);
create view fleet.terminal_command_line with (security_invoker = true) as
  select c.*, v.vehicle_no from fleet.terminal_command c join fleet.vehicle v on v.enterprise_id = c.enterprise_id and v.id = c.vehicle_id;
-- What the company's cars took: terminals by themselves or when they were told, and patrol cars (source 4) of whom they found stopped where nobody may.
create view fleet.picture_line with (security_invoker = true) as
  select p.id::text as id, p.enterprise_id, p.vehicle_id, v.vehicle_no, p.at, p.source, p.channel, p.lng, p.lat, p.image,
    null::text as park_code, v.device_no, null::text as illegal_no, null::text as plate_no, null::text as place
  from fleet.picture p join fleet.vehicle v on v.enterprise_id = p.enterprise_id and v.id = p.vehicle_id
  union all
  select i.id, i.enterprise_id, v.id, v.vehicle_no, i.at, 4::smallint, null::smallint, null::double precision, null::double precision, i.image, i.park_code, i.device_no, i.illegal_no, i.plate_no, i.place
  from roadside.patrol_picture i left join fleet.vehicle v on v.enterprise_id = i.enterprise_id and v.device_no = i.device_no;
grant select on fleet.terminal_command_line, fleet.picture_line to kerbline_app;

-- Twelve months, twice what road transport asks for at least.
create function fleet.forget_positions(at timestamptz) returns void language sql security definer set search_path = '' begin atomic
  delete from fleet.position where device_time < at - interval '12 months';
  delete from fleet.fence_event where fence_event.at < forget_positions.at - interval '12 months';
  delete from fleet.terminal_command where created_at < forget_positions.at - interval '12 months'; end;
revoke execute on function fleet.forget_positions(timestamptz) from public;
grant execute on function fleet.forget_positions(timestamptz) to kerbline_app;

-- The terminal of a car, and the car as it is now. motion: 1 driving, 2 standing, 3 off line.
-- belief: the places that are believed, by the last of them, and those that would be if more came; odometer: where its counter grew last, and what was counted since without it.
create table fleet.terminal (
  enterprise_id integer not null default scope_enterprise(), vehicle_id uuid not null, device_no text not null, terminal_id text, code_hash bytea, heard_at timestamptz,
  device_time timestamptz, lng double precision, lat double precision, speed integer, heading smallint, acc boolean, mileage_m bigint, alarm_bits bigint not null default 0, motion smallint not null default 3 check (motion in (1, 2, 3)),
  standing_since timestamptz, loose_since timestamptz, loose_m bigint not null default 0, day date, day_m bigint not null default 0,
  fenced_at timestamptz, fenced_live boolean not null default false, belief jsonb, odometer jsonb, primary key (enterprise_id, vehicle_id),
  foreign key (enterprise_id, vehicle_id) references fleet.vehicle (enterprise_id, id) on delete cascade);
create index terminal_heard on fleet.terminal (enterprise_id, heard_at);
select platform.scoped('fleet.terminal', audited => false);

-- kind: 1 driven without an allocation, 2 not back in time, 4 driven at night without one, 5 silent for a day, 6 inside an area that it must not enter, 7 outside one that it must not leave.
create table fleet.flag (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), vehicle_id uuid not null, kind smallint not null check (kind in (1, 2, 4, 5, 6, 7)), since timestamptz not null, until timestamptz,
  primary key (enterprise_id, id), foreign key (enterprise_id, vehicle_id) references fleet.vehicle (enterprise_id, id) on delete cascade, constraint forward check (until is null or until >= since));
create unique index flag_open on fleet.flag (enterprise_id, vehicle_id, kind) where until is null;
create index flag_vehicle on fleet.flag (enterprise_id, vehicle_id, since desc);
select platform.scoped('fleet.flag', audited => false);

-- Whose terminal it is, before anybody has signed in: a gateway knows no enterprise.
create function fleet.terminal_of(number text) returns table (enterprise_id integer, vehicle_id uuid, vehicle_no text, vin text, terminal_id text, code_hash bytea) stable language sql security definer set search_path = '' as $$
  select v.enterprise_id, v.id, v.vehicle_no, v.vin, t.terminal_id, t.code_hash from fleet.vehicle v
    left join fleet.terminal t on t.enterprise_id = v.enterprise_id and t.vehicle_id = v.id and t.device_no = v.device_no
    where v.device_no = number and v.status <> 4 $$;
revoke execute on function fleet.terminal_of(text) from public;
grant execute on function fleet.terminal_of(text) to kerbline_app;

create view fleet.supervise_line with (security_invoker = true) as
  select v.id, v.enterprise_id, v.version, v.created_at, v.vehicle_no, v.plate_color, v.dept, v.device_no, coalesce(t.motion, 3::smallint) as motion, t.heard_at, t.device_time, t.lng, t.lat, t.speed, t.heading, t.acc, t.alarm_bits,
    t.day, t.day_m, a.id as allocation_id, a.allocation_no, a.dest, a.plan_to, d.name as driver_name,
    coalesce((select array_agg(f.kind order by f.kind) from fleet.flag f where f.enterprise_id = v.enterprise_id and f.vehicle_id = v.id and f.until is null), '{}') as kinds,
    (select min(f.since) from fleet.flag f where f.enterprise_id = v.enterprise_id and f.vehicle_id = v.id and f.until is null) as flagged_since,
    exists (select from fleet.flag f where f.enterprise_id = v.enterprise_id and f.vehicle_id = v.id and f.until is null) as flagged,
    (select count(*) from fleet.violation x where x.enterprise_id = v.enterprise_id and x.vehicle_id = v.id and x.state = 0)::int as violations
  from fleet.vehicle v left join fleet.terminal t on t.enterprise_id = v.enterprise_id and t.vehicle_id = v.id
    left join fleet.allocation a on a.enterprise_id = v.enterprise_id and a.vehicle_id = v.id and a.state = 2
    left join fleet.driver d on d.enterprise_id = a.enterprise_id and d.id = a.driver_id
  where v.status <> 4;
create view fleet.track_line with (security_invoker = true) as
  select p.*, v.vehicle_no from fleet.position p join fleet.vehicle v on v.enterprise_id = p.enterprise_id and v.id = p.vehicle_id;
grant select on fleet.supervise_line, fleet.track_line to kerbline_app;

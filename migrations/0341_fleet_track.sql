-- Where the fleet is: what terminals said, the newest of each, and what whoever supervises it should look at.
-- A position belongs to the second in which the terminal was there: said again it is the same one. trust: 1 good, 2 without a fix, 3 cannot be. All are kept, only the good ones are drawn.
create table fleet.position (
  enterprise_id integer not null default scope_enterprise(), vehicle_id uuid not null, device_time timestamptz not null, received_at timestamptz not null, lng double precision not null, lat double precision not null,
  speed integer not null check (speed >= 0), heading smallint not null check (heading between 0 and 360), alt integer not null, acc boolean not null, mileage_m bigint check (mileage_m >= 0), alarm_bits bigint not null, status_bits bigint not null,
  satellites smallint, blind boolean not null, clock_fixed boolean not null, trust smallint not null check (trust in (1, 2, 3)), primary key (enterprise_id, vehicle_id, device_time)
) partition by range (device_time);
create table fleet.position_rest partition of fleet.position default;
insert into platform.monthly values ('fleet.position');
select platform.ensure_months();
select platform.scoped('fleet.position', audited => false, append_only => true);
-- Twelve months, twice what road transport asks for at least.
create function fleet.forget_positions(at timestamptz) returns void language sql security definer set search_path = '' begin atomic
  delete from fleet.position where device_time < at - interval '12 months'; end;
revoke execute on function fleet.forget_positions(timestamptz) from public;
grant execute on function fleet.forget_positions(timestamptz) to kerbline_app;

-- The terminal of a car, and the car as it is now. motion: 1 driving, 2 standing, 3 off line.
create table fleet.terminal (
  enterprise_id integer not null default scope_enterprise(), vehicle_id uuid not null, device_no text not null, terminal_id text, code_hash bytea, heard_at timestamptz,
  device_time timestamptz, lng double precision, lat double precision, speed integer, heading smallint, acc boolean, mileage_m bigint, alarm_bits bigint not null default 0, motion smallint not null default 3 check (motion in (1, 2, 3)),
  standing_since timestamptz, loose_since timestamptz, loose_m bigint not null default 0, day date, day_m bigint not null default 0, primary key (enterprise_id, vehicle_id),
  foreign key (enterprise_id, vehicle_id) references fleet.vehicle (enterprise_id, id) on delete cascade);
create index terminal_heard on fleet.terminal (enterprise_id, heard_at);
select platform.scoped('fleet.terminal', audited => false);

-- kind: 1 driven without an allocation, 2 not back in time, 4 driven at night without one, 5 silent for a day.
create table fleet.flag (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), vehicle_id uuid not null, kind smallint not null check (kind in (1, 2, 4, 5)), since timestamptz not null, until timestamptz,
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
    exists (select from fleet.flag f where f.enterprise_id = v.enterprise_id and f.vehicle_id = v.id and f.until is null) as flagged
  from fleet.vehicle v left join fleet.terminal t on t.enterprise_id = v.enterprise_id and t.vehicle_id = v.id
    left join fleet.allocation a on a.enterprise_id = v.enterprise_id and a.vehicle_id = v.id and a.state = 2
    left join fleet.driver d on d.enterprise_id = a.enterprise_id and d.id = a.driver_id
  where v.status <> 4;
create view fleet.track_line with (security_invoker = true) as
  select p.*, v.vehicle_no from fleet.position p join fleet.vehicle v on v.enterprise_id = p.enterprise_id and v.id = p.vehicle_id;
grant select on fleet.supervise_line, fleet.track_line to kerbline_app;

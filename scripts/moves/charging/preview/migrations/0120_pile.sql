-- Charging piles: who runs them, where they stand, what their guns say and what they were told.
create schema pile;
select platform.opened('pile');

create table pile.operator (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), operator_id text not null check (operator_id ~ '^[0-9A-Z]{9}$'), operator_name text not null,
  operator_tel1 text not null, operator_tel2 text, reg_address text, note text, own boolean not null default false, status smallint not null default 1 check (status in (1, 2)),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, operator_id));
create index operator_created on pile.operator (enterprise_id, created_at, id);
create unique index operator_own on pile.operator (enterprise_id) where own;
select platform.scoped('pile.operator');

create table pile.station (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), station_id text not null, station_name text not null, operator_id text not null, equipment_owner_id text,
  park_code text not null, region_code text not null, address text not null, station_tel text, service_tel text not null,
  station_type smallint not null default 1 check (station_type in (1, 50, 100, 101, 102, 103, 255)), station_status smallint not null default 1 check (station_status in (0, 1, 5, 6, 50)),
  park_nums integer not null default 0 check (park_nums >= 0), station_lng double precision not null, station_lat double precision not null, site_guide text,
  construction smallint not null default 255 check (construction in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255)), pictures text, match_cars text, park_info text, busine_hours text not null default '00:00-24:00',
  park_fee text, payment text, remark text, prepay_fen bigint not null default 5000 check (prepay_fen between 500 and 100000), limit_w integer check (limit_w >= 0),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, station_id),
  foreign key (enterprise_id, operator_id) references pile.operator (enterprise_id, operator_id), foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code));
create index station_created on pile.station (enterprise_id, created_at, id);
create index station_operator on pile.station (enterprise_id, operator_id);
create index station_park on pile.station (enterprise_id, park_code);
select platform.scoped('pile.station');
-- Whether any enterprise has a station in a region: who edits regions sees only the stations of their own.
create function pile.region_is_used(of_code text) returns boolean stable language sql security definer set search_path = ''
  begin atomic select exists (select from pile.station where region_code = of_code); end;
grant execute on function pile.region_is_used to kerbline_app;

-- A pile keeps the nameplate that partners read and, in the same row, the device. What its link says of it stands apart: it changes with every sign of life.
create table pile.equipment (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), equipment_id text not null, equipment_name text not null, station_id text not null, park_code text not null,
  equipment_type smallint not null check (equipment_type between 1 and 5), power double precision not null check (power > 0), manufacturer_id text, manufacturer_name text, equipment_model text,
  production_date date, lng double precision, lat double precision, admin_status smallint not null default 4 check (admin_status in (1, 2, 3, 4, 9)), charge_point_id text,
  protocol smallint check (protocol in (1, 2, 3)), security_profile smallint not null default 1 check (security_profile between 0 and 3), meter_kind smallint not null default 1 check (meter_kind in (1, 2)),
  time_mode smallint not null default 1 check (time_mode in (1, 2)), load_priority smallint not null default 5 check (load_priority between 0 and 9), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, equipment_id),
  constraint linked_by_a_protocol check ((charge_point_id is null) = (protocol is null)),
  foreign key (enterprise_id, station_id) references pile.station (enterprise_id, station_id), foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code));
-- A pile says no more than its name when it connects: one name is one pile, of whichever enterprise.
create unique index equipment_point on pile.equipment (charge_point_id);
create index equipment_created on pile.equipment (enterprise_id, created_at, id);
create index equipment_station on pile.equipment (enterprise_id, station_id, created_at, id);
select platform.scoped('pile.equipment');

create table pile.pile_state (
  enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null, online boolean not null default false, last_seen_at timestamptz, connected_at timestamptz,
  boot_at timestamptz, vendor text, model text, serial_no text, firmware text, skew_sec integer, fault_count integer not null default 0 check (fault_count >= 0), primary key (enterprise_id, equipment_id),
  foreign key (enterprise_id, equipment_id) references pile.equipment (enterprise_id, equipment_id) on delete cascade);
select platform.scoped('pile.pile_state', audited => false);

create table pile.connector (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), connector_id text not null, connector_name text, equipment_id text not null, station_id text not null,
  park_code text not null, connector_type smallint not null check (connector_type between 1 and 6), voltage_upper integer not null check (voltage_upper >= 0), voltage_lower integer not null check (voltage_lower >= 0),
  current integer not null check (current >= 0), power double precision not null check (power > 0), park_no text, national_standard smallint not null default 2 check (national_standard in (1, 2)),
  ocpp_connector_no integer not null check (ocpp_connector_no > 0), evse_id integer check (evse_id > 0), seat_code text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, connector_id),
  constraint voltages check (voltage_lower <= voltage_upper),
  foreign key (enterprise_id, equipment_id) references pile.equipment (enterprise_id, equipment_id), foreign key (enterprise_id, station_id) references pile.station (enterprise_id, station_id));
create unique index connector_number on pile.connector (enterprise_id, equipment_id, coalesce(evse_id, 0), ocpp_connector_no);
create index connector_created on pile.connector (enterprise_id, created_at, id);
create index connector_station on pile.connector (enterprise_id, station_id, created_at, id);
select platform.scoped('pile.connector');

create table pile.connector_state (
  enterprise_id integer not null default scope_enterprise(), connector_id text not null, park_code text not null, status smallint not null default 0 check (status in (0, 1, 2, 3, 4, 255)), status_raw text,
  status_at timestamptz, park_status smallint not null default 0 check (park_status in (0, 10, 50)), lock_status smallint not null default 0 check (lock_status in (0, 10, 50)), error_code text,
  meter_wh bigint check (meter_wh >= 0), meter_at timestamptz, power_w integer, soc smallint check (soc between 0 and 100), primary key (enterprise_id, connector_id),
  foreign key (enterprise_id, connector_id) references pile.connector (enterprise_id, connector_id) on delete cascade);
select platform.scoped('pile.connector_state', audited => false);

-- Every change of what a gun says; the same state said again is none.
create table pile.status_change (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), connector_id text not null, park_code text not null, status smallint not null check (status in (0, 1, 2, 3, 4, 255)),
  raw text, error_code text, at timestamptz not null, received_at timestamptz not null, primary key (enterprise_id, id));
create index status_change_of on pile.status_change (enterprise_id, connector_id, at desc, id desc);
select platform.scoped('pile.status_change', audited => false, append_only => true);

-- What was done to piles. Of a command the state is written later.
create table pile.operate_log (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null, kind smallint not null check (kind between 1 and 7), action text not null,
  who text not null, at timestamptz not null, reason text, params jsonb, before jsonb, after jsonb, command_state text, primary key (enterprise_id, id));
create index operate_log_of on pile.operate_log (enterprise_id, equipment_id, at desc, id desc);
create index operate_log_at on pile.operate_log (enterprise_id, at desc, id desc);
select platform.uncounted('pile.operate_log');
select platform.scoped('pile.operate_log', audited => false);

create view pile.pile with (security_invoker = true) as
  select e.*, s.station_name, coalesce(p.online, false) as online, p.last_seen_at, p.firmware, p.skew_sec, coalesce(p.fault_count, 0) as fault_count,
    (select count(*)::integer from pile.connector c where c.enterprise_id = e.enterprise_id and c.equipment_id = e.equipment_id) as connectors
  from pile.equipment e join pile.station s on s.enterprise_id = e.enterprise_id and s.station_id = e.station_id
    left join pile.pile_state p on p.enterprise_id = e.enterprise_id and p.equipment_id = e.equipment_id;
grant select on pile.pile to kerbline_app;

-- The line to a pile: by what it signs in, what it was told, what it said, how it is set.
create table pile.link (
  enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null,
  -- Keyed digests: a town of piles that comes back at once costs no more than as many look-ups. The next one is made from the key and `next_salt`, so that it is never kept itself.
  secret_hash text, next_hash text, next_salt text,
  sub_protocol text, ip text, signed_in_at timestamptz, refused_at timestamptz, refusal smallint check (refusal between 1 and 5),
  boots smallint not null default 0, boots_from timestamptz, boot_skew_ms bigint, city_stamps smallint not null default 0, z_is_city boolean not null default false,
  list_version integer not null default 0, primary key (enterprise_id, equipment_id),
  constraint next_of_salt check ((next_hash is null) = (next_salt is null)),
  foreign key (enterprise_id, equipment_id) references pile.equipment (enterprise_id, equipment_id) on delete cascade
);
select platform.scoped('pile.link', audited => false, key => 'equipment_id');

-- At the door nobody knows the enterprise yet.
create function pile.credential(wanted text)
  returns table (enterprise_id integer, equipment_id text, park_code text, protocol smallint, admin_status smallint, time_mode smallint, meter_kind smallint, security_profile smallint, secret_hash text, next_hash text, z_is_city boolean)
  stable language sql security definer set search_path = ''
  begin atomic
    select e.enterprise_id, e.equipment_id, e.park_code, e.protocol, e.admin_status, e.time_mode, e.meter_kind, e.security_profile, l.secret_hash, l.next_hash, coalesce(l.z_is_city, false)
      from pile.equipment e left join pile.link l on l.enterprise_id = e.enterprise_id and l.equipment_id = e.equipment_id where e.charge_point_id = wanted;
  end;
revoke all on function pile.credential from public;
grant execute on function pile.credential to kerbline_app;

create view pile.pile_link with (security_invoker = true) as
  select e.enterprise_id, e.equipment_id, e.park_code, e.charge_point_id, e.protocol, coalesce(s.online, false) as online, s.last_seen_at, greatest(s.connected_at, l.signed_in_at) as connected_at, s.boot_at, s.vendor, s.model, s.serial_no, s.firmware, s.skew_sec,
    l.ip, l.sub_protocol, l.secret_hash is not null as has_secret, l.next_hash is not null as renewing, l.signed_in_at, l.refused_at, l.refusal,
    case when l.boots_from > now() - interval '1 hour' then l.boots else 0 end as boots
  from pile.equipment e left join pile.pile_state s on s.enterprise_id = e.enterprise_id and s.equipment_id = e.equipment_id
    left join pile.link l on l.enterprise_id = e.enterprise_id and l.equipment_id = e.equipment_id;
grant select on pile.pile_link to kerbline_app;

-- A command is sent once. `effect` is what must be seen to happen before it counts as done.
create table pile.pile_command (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null, connector_id text, order_no text,
  method smallint not null check (method between 1 and 17), params jsonb not null default '{}', reason text, state smallint not null default 0 check (state between 0 and 6), failure smallint check (failure between 1 and 7),
  effect text, result jsonb, by_name text not null, ttl_sec integer not null check (ttl_sec between 1 and 604800),
  created_at timestamptz not null default clock_timestamp(), sent_at timestamptz, delivered_at timestamptz, finished_at timestamptz, expires_at timestamptz not null,
  primary key (enterprise_id, id), constraint over_at check ((state in (3, 4, 5, 6)) = (finished_at is not null)),
  foreign key (enterprise_id, equipment_id) references pile.equipment (enterprise_id, equipment_id) on delete cascade
);
create index pile_command_created on pile.pile_command (enterprise_id, created_at desc, id desc);
create index pile_command_of on pile.pile_command (enterprise_id, equipment_id, created_at desc, id desc);
create index pile_command_open on pile.pile_command (enterprise_id, equipment_id) where state in (0, 1, 2);
create index pile_command_due on pile.pile_command (expires_at) where state in (0, 1, 2);
create index pile_command_in_use on pile.pile_command (enterprise_id, equipment_id, created_at desc) where method = 5;
-- One start and one stop of a gun are under way at a time.
create unique index pile_command_once on pile.pile_command (enterprise_id, connector_id, method) where method in (1, 2) and state in (0, 1, 2);
select platform.scoped('pile.pile_command', audited => false);

create function pile.commands_due() returns table (enterprise_id integer) stable language sql security definer set search_path = '' as $$
  select distinct c.enterprise_id from pile.pile_command c where c.state in (0, 1, 2) and (c.expires_at <= clock_timestamp() or c.state = 0)
$$;
revoke all on function pile.commands_due from public;
grant execute on function pile.commands_due to kerbline_app;

-- Kept for seven days; what must not be read is covered before it comes here.
create table pile.frame (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null, at timestamptz not null,
  direction smallint not null check (direction in (1, 2)), kind smallint not null check (kind in (2, 3, 4, 5, 9)), action text, message_id text not null, body text not null, primary key (enterprise_id, id)
);
create index frame_at on pile.frame (enterprise_id, at desc, id desc);
create index frame_of on pile.frame (enterprise_id, equipment_id, at desc, id desc);
select platform.scoped('pile.frame', audited => false);

create table pile.pile_setting (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null, key text not null, value text, readonly boolean not null default false,
  read_at timestamptz not null, primary key (enterprise_id, id), unique (enterprise_id, equipment_id, key),
  foreign key (enterprise_id, equipment_id) references pile.equipment (enterprise_id, equipment_id) on delete cascade
);
create index pile_setting_key on pile.pile_setting (enterprise_id, key, id);
select platform.scoped('pile.pile_setting', audited => false);

-- The newer version numbers what it says of a transaction: the same number counts once, another content under it is flagged.
create table pile.transaction_event (
  enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null, transaction_id text not null, seq_no integer not null, connector_id text, digest text not null, reply jsonb,
  flagged boolean not null default false, times integer not null default 1, received_at timestamptz not null, primary key (enterprise_id, equipment_id, transaction_id, seq_no)
);
create index transaction_event_at on pile.transaction_event (enterprise_id, received_at);
select platform.scoped('pile.transaction_event', audited => false, key => 'transaction_id');

create table pile.reservation (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), reservation_no integer not null, connector_id text not null, equipment_id text not null, park_code text not null,
  card_no text not null, until timestamptz not null, ended_at timestamptz, created_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, reservation_no),
  foreign key (enterprise_id, connector_id) references pile.connector (enterprise_id, connector_id) on delete cascade
);
create sequence pile.request_no maxvalue 2147483647 cycle;
-- One gun is kept for one card at a time.
create unique index reservation_open on pile.reservation (enterprise_id, connector_id) where ended_at is null;
select platform.scoped('pile.reservation', audited => false);

-- Every gun has its code from the beginning.
create trigger qrcode after insert on pile.connector for each row execute function parking.give_qrcode('4', 'connector_id');
-- A gun that is deleted takes its code with it: whoever scans the print is told that it is not valid any more.
create trigger qrcode_gone after delete on pile.connector for each row execute function parking.take_qrcode('4', 'connector_id');

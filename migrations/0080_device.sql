-- Devices: who they are, what they said, what they were told, and how long they were silent.
create schema device;
select platform.opened('device');

create table device.product (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(),
  name text not null, type smallint not null check (type between 1 and 11), manufacturer text, model text, protocol smallint not null default 1 check (protocol in (1, 2, 3, 9)),
  remark text, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), unique (enterprise_id, name)
);
select platform.scoped('device.product');

-- `device_no` is the serial number that the device signs in with, one in the whole installation: a broker knows no enterprises.
create table device.device (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(),
  device_no text not null unique check (device_no ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,31}$'), name text not null,
  type smallint not null check (type between 1 and 11), product_id uuid, park_code text, gate_code text,
  use_status smallint not null default 1 check (use_status between 0 and 5), interval_sec integer not null default 60 check (interval_sec between 5 and 90000),
  secret_hash text not null, remark text, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, device_no), foreign key (enterprise_id, product_id) references device.product (enterprise_id, id)
);
create index device_park on device.device (enterprise_id, park_code, gate_code);
create index device_name on device.device (enterprise_id, name);
select platform.scoped('device.device', hidden => array['secret_hash']);

-- What changes by the minute stands apart, so that it neither bloats the device's row nor floods the audit stream.
create table device.presence (
  enterprise_id integer not null default scope_enterprise(), device_no text not null, park_code text,
  online boolean not null default false, since timestamptz, last_seen_at timestamptz, ip text, firmware text,
  state jsonb not null default '{}', attributes jsonb not null default '{}', last_open_at timestamptz,
  primary key (enterprise_id, device_no), foreign key (enterprise_id, device_no) references device.device (enterprise_id, device_no) on delete cascade
);
select platform.scoped('device.presence', audited => false, key => 'device_no');
create function device.present() returns trigger language plpgsql as $$
begin
  insert into device.presence (enterprise_id, device_no, park_code) values (new.enterprise_id, new.device_no, new.park_code)
    on conflict (enterprise_id, device_no) do update set park_code = excluded.park_code;
  return null;
end $$;
create trigger present after insert or update of park_code on device.device for each row execute function device.present();

create view device.status with (security_invoker = true) as
  select d.id, d.enterprise_id, d.device_no, d.name, d.type, d.product_id, d.park_code, d.gate_code, d.use_status, d.interval_sec, d.remark, d.version, d.created_at, d.updated_at,
    p.online, p.since, p.last_seen_at, p.ip, p.firmware, p.state
  from device.device d join device.presence p on p.enterprise_id = d.enterprise_id and p.device_no = d.device_no;
grant select on device.status to kerbline_app;

-- At the broker's door nobody knows the enterprise yet.
create function device.credential(wanted text) returns table (enterprise_id integer, type smallint, park_code text, gate_code text, use_status smallint, secret_hash text)
  stable language sql security definer set search_path = ''
  begin atomic select d.enterprise_id, d.type, d.park_code, d.gate_code, d.use_status, d.secret_hash from device.device d where d.device_no = wanted; end;
revoke all on function device.credential from public;
grant execute on function device.credential to kerbline_app;

-- What a device said under a mid once, however often it repeats itself: the mid with a digest of what was said, and the time by its own clock. A device that counts anew after a
-- start says other things under the same mids. Small, because the messages are partitioned and cannot hold it.
create table device.seen (
  enterprise_id integer not null default scope_enterprise(), device_no text not null, mid text not null, said_ms bigint, received_at timestamptz not null default now(),
  primary key (enterprise_id, device_no, mid)
);
create index seen_at on device.seen (enterprise_id, received_at);
select platform.scoped('device.seen', audited => false, key => 'mid');

-- Everything that devices said. `device_time` is the device's own clock and business time; `received_at` is ours.
-- A device whose clock was plainly wrong is dated by receipt; `payload` keeps what it said.
create table device.message (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), device_no text not null, park_code text, gate_code text,
  kind smallint not null check (kind in (1, 2, 3, 4)), type text not null, mid text, device_time timestamptz not null, received_at timestamptz not null default now(),
  offline boolean not null default false, seq bigint, payload jsonb not null,
  clock_fixed boolean not null default false, primary key (id, received_at)
) partition by range (received_at);
create table device.message_rest partition of device.message default;
create index message_device on device.message (enterprise_id, device_no, received_at desc);
create index message_park on device.message (enterprise_id, park_code, received_at desc);
select platform.scoped('device.message', audited => false, append_only => true);
insert into platform.monthly values ('device.message');
select platform.ensure_months();

-- Events of a lane that was cut off wait here until they can be told in the order in which they happened.
create table device.backlog (
  id uuid primary key, enterprise_id integer not null default scope_enterprise(), park_code text, device_no text not null, seq bigint, device_time timestamptz not null,
  received_at timestamptz not null default now(), event jsonb not null
);
create index backlog_order on device.backlog (enterprise_id, park_code, device_time);
select platform.scoped('device.backlog', audited => false);

-- A command is never sent twice: a repeat is a new row with the same order, made when the last one is over. The row is its own record, all its times are in it.
create table device.command (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), device_no text not null, park_code text, gate_code text,
  method text not null check (method in ('gate.open', 'gate.close', 'gate.keepOpen', 'display.show', 'voice.play', 'whitelist.sync', 'etc.deduct', 'etc.query', 'lamp.set', 'lamp.plan', 'lamp.read', 'handheld.lock', 'handheld.unlock', 'dome.start', 'dome.stop')),
  params jsonb not null default '{}', order_id text, attempt smallint not null default 1, persist boolean not null default false,
  state smallint not null default 0 check (state between 0 and 6),
  created_at timestamptz not null default clock_timestamp(), send_at timestamptz not null default clock_timestamp(), ttl_ms integer not null default 10000 check (ttl_ms between 100 and 86400000),
  expires_at timestamptz not null, sent_at timestamptz, delivered_at timestamptz, finished_at timestamptz, retry_at timestamptz,
  result jsonb, failure smallint check (failure between 1 and 7), author jsonb default nullif(current_setting('scope.author', true), '')::jsonb
);
create unique index command_order_once on device.command (enterprise_id, order_id, method) where order_id is not null and state in (0, 1, 2);
create index command_due on device.command (expires_at) where state in (0, 1, 2);
create index command_send on device.command (send_at) where state = 0;
create index command_retry on device.command (retry_at) where retry_at is not null;
create index command_device on device.command (enterprise_id, device_no, created_at desc);
create index command_park on device.command (enterprise_id, park_code, created_at desc);
create index command_order on device.command (enterprise_id, order_id, created_at desc) where order_id is not null;
select platform.scoped('device.command', audited => false);

-- Which enterprises have something due now: the sweep looks once a second and opens a transaction only there. What lies further ahead than it can was said by a clock
-- that was put back since, and waits no longer.
create function device.due() returns table (enterprise_id integer) stable language sql security definer set search_path = '' as $$
  select c.enterprise_id from device.command c where c.state in (0, 1, 2) and c.expires_at <= clock_timestamp()
  union select c.enterprise_id from device.command c where c.state = 0 and c.send_at <= clock_timestamp()
  union select c.enterprise_id from device.command c where c.state in (0, 1, 2) and c.expires_at > clock_timestamp() + interval '8 seconds' and c.created_at > clock_timestamp() + interval '8 seconds'
  union select c.enterprise_id from device.command c where c.retry_at <= clock_timestamp() or c.retry_at > clock_timestamp() + interval '68 seconds'
  union select b.enterprise_id from device.backlog b where b.received_at <= clock_timestamp() - interval '2 seconds' or b.received_at > clock_timestamp() + interval '15 seconds'
  union select p.enterprise_id from device.presence p join device.device d on d.enterprise_id = p.enterprise_id and d.device_no = p.device_no
    where p.online and p.last_seen_at < now() - make_interval(secs => 3 * d.interval_sec)
$$;
revoke all on function device.due from public;
grant execute on function device.due to kerbline_app;

-- What was refused, counted by device, reason and hour: a flood is one row that grows. Strangers have no enterprise; they are in the log and the metrics.
create table device.reject (
  enterprise_id integer not null default scope_enterprise(), device_no text not null, park_code text, reason text not null, hour timestamptz not null default date_trunc('hour', now()),
  count bigint not null default 1, last_at timestamptz not null default now(), last_topic text, last_bytes integer, sample text,
  primary key (enterprise_id, device_no, reason, hour)
);
select platform.scoped('device.reject', audited => false, key => 'reason');

create table device.offline (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), device_no text not null, park_code text,
  from_at timestamptz not null, to_at timestamptz, duration_min integer, reason smallint not null check (reason in (1, 2, 3)), created_at timestamptz not null default now(),
  check (to_at >= from_at)
);
create unique index offline_open on device.offline (enterprise_id, device_no) where to_at is null;
create index offline_list on device.offline (enterprise_id, from_at desc, id desc);
create index offline_park on device.offline (enterprise_id, park_code, from_at desc);
select platform.scoped('device.offline', audited => false);

-- The same open warning is not raised twice; its count goes up.
create table device.warning (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), device_no text not null, park_code text, gate_code text,
  type smallint not null check (type between 1 and 7), level smallint not null check (level between 1 and 4), subject text not null default '',
  state smallint not null default 0 check (state in (0, 1, 2, 3)), count integer not null default 1, first_at timestamptz not null default now(), last_at timestamptz not null default now(),
  recovered_at timestamptz, detail jsonb not null default '{}', version integer not null default 1
,
  told boolean not null default true, handled_by text, remark text);
create unique index warning_open on device.warning (enterprise_id, device_no, type, subject) where state in (0, 1);
create index warning_list on device.warning (enterprise_id, last_at desc, id desc);
create index warning_park on device.warning (enterprise_id, park_code, last_at desc);
select platform.scoped('device.warning', audited => false);
alter table device.presence set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
alter table device.command set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_analyze_scale_factor = 0.02);

-- Which of these are numbers of devices: a client id names its own device and no other.
create function device.numbers_among(wanted text[]) returns setof text stable language sql security definer set search_path = ''
  begin atomic select d.device_no from device.device d where d.device_no = any (wanted); end;
-- A device comes back with its secret; that it is there again it says itself.
select platform.binned('device.device', title => 'name');

-- What a park's devices are warned about and whom it is told, ETC antennas with their lanes, and three further kinds of device.
alter table device.device drop constraint device_type_check, add constraint device_type_check check (type between 1 and 14);
alter table device.product drop constraint product_type_check, add constraint product_type_check check (type between 1 and 14);

-- One rule for a type and a park; the one without a park holds for all that have none of their own. Without a rule the platform's own figures hold.
create table device.warning_rule (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(),
  name text not null, type smallint not null check (type between 1 and 7), park_code text,
  threshold integer check (threshold > 0), duration_sec integer check (duration_sec between 0 and 86400),
  level smallint not null check (level between 1 and 4), notify_people jsonb not null default '[]', notify_roles jsonb not null default '[]',
  silence_min integer not null default 30 check (silence_min between 0 and 1440), status smallint not null default 1 check (status in (1, 2)),
  remark text, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  check (type <> 3 or status = 1), check (threshold is null or type in (2, 4)), check (duration_sec is null or type in (1, 6)),
  unique nulls not distinct (enterprise_id, type, park_code), unique (enterprise_id, id)
);
create index warning_rule_name on device.warning_rule (enterprise_id, name);
select platform.scoped('device.warning_rule');

-- A cause that has to last before it is worth a warning: raised by the watch when it did, forgotten when it went.
create table device.warning_pending (
  enterprise_id integer not null default scope_enterprise(), device_no text not null, type smallint not null, since timestamptz not null,
  primary key (enterprise_id, device_no, type), foreign key (enterprise_id, device_no) references device.device (enterprise_id, device_no) on delete cascade
);
select platform.scoped('device.warning_pending', audited => false, key => 'device_no');
create index warning_told on device.warning (enterprise_id, device_no, type, first_at desc) where told;

-- A park's rule before the enterprise's.
create function device.rule_of(park text, kind smallint) returns device.warning_rule stable language sql as $$
  select r.* from device.warning_rule r where r.enterprise_id = scope_enterprise() and r.type = kind and (r.park_code is null or r.park_code = park)
  order by r.park_code nulls last limit 1
$$;
grant execute on function device.rule_of to kerbline_app;

-- An ETC antenna is a device of type 9 in a lane, with the security module that signs its deductions.
create table device.etc (
  enterprise_id integer not null default scope_enterprise(), device_no text not null, lane_no text not null, vendor text,
  psam_no text not null check (psam_no ~ '^[0-9A-F]{12}$'), disabled boolean not null default false, reason text,
  primary key (enterprise_id, device_no), unique (enterprise_id, lane_no), unique (enterprise_id, psam_no),
  foreign key (enterprise_id, device_no) references device.device (enterprise_id, device_no) on delete cascade
);
select platform.scoped('device.etc', key => 'device_no');
create view device.etc_status with (security_invoker = true) as
  select d.id, d.enterprise_id, d.device_no, d.name, d.park_code, d.gate_code, e.lane_no, e.vendor, e.psam_no,
    case when e.disabled then 2 when p.online then 1 else 0 end::smallint as status, e.reason, p.last_seen_at, d.interval_sec, d.remark, d.version, d.created_at, d.updated_at
  from device.etc e
  join device.device d on d.enterprise_id = e.enterprise_id and d.device_no = e.device_no
  join device.presence p on p.enterprise_id = e.enterprise_id and p.device_no = e.device_no;
grant select on device.etc_status to kerbline_app;
create index warning_device on device.warning (enterprise_id, device_no, last_at desc);

-- A box does one thing at a time: what is wanted meanwhile waits, and the last wish is the one that is sent.
create unique index command_lamp_once on device.command (enterprise_id, device_no) where method = 'lamp.set' and state in (0, 1, 2);

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

alter table device.warning add told boolean not null default true, add handled_by text, add remark text;
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

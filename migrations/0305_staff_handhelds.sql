-- A handheld that must not be worked with any more: lost, stolen, or taken out of somebody's hands. A row is a lock that stands; who locked and opened it is in the history.
create table staff.handheld_lock (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), device_no text not null, reason text not null, locked_at timestamptz not null, locked_by text not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, device_no) references device.device (enterprise_id, device_no) on delete cascade);
create unique index handheld_lock_of on staff.handheld_lock (enterprise_id, device_no);
select platform.scoped('staff.handheld_lock');

-- The handhelds that are not scrapped, in whose hands each is, and what it last said of itself. 8 is a handheld, 3 is scrapped.
create view staff.handheld with (security_invoker = true) as
  select d.id, d.enterprise_id, d.device_no, d.name, d.park_code, d.use_status, p.online, p.last_seen_at, p.firmware as app_version,
    case when jsonb_typeof(p.state -> 'battery') = 'number' then least(greatest((p.state ->> 'battery')::numeric, 0), 100)::smallint end as battery,
    case when jsonb_typeof(p.state -> 'queue') = 'number' then least(greatest((p.state ->> 'queue')::numeric, 0), 1000000)::integer end as queue,
    c.toll_no, c.name as holder_name, l.locked_at, l.locked_by, l.reason as lock_reason, d.version
  from device.device d join device.presence p on p.enterprise_id = d.enterprise_id and p.device_no = d.device_no
  left join staff.collector c on c.enterprise_id = d.enterprise_id and c.pda_no = d.device_no
  left join staff.handheld_lock l on l.enterprise_id = d.enterprise_id and l.device_no = d.device_no
  where d.type = 8 and d.use_status <> 3;
grant select on staff.handheld to kerbline_app;

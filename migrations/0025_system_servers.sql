-- The machines that the product runs on, what was measured on them, and when that is worth a person's attention.
create table system.server (
  id uuid primary key default uuidv7(), name text not null unique, os text not null, cpu text not null, cores integer not null, mem_bytes bigint not null,
  disks jsonb not null default '[]', program_started_at timestamptz not null, first_seen_at timestamptz not null default now(), last_seen_at timestamptz not null);
select platform.shared('system.server', audited => false);

-- Every 15 s for 7 days. A day is a partition, so that forgetting one is dropping a table and never a long delete.
create table system.server_sample (
  server_id uuid not null, at timestamptz not null, cpu_permille integer, mem_permille integer, disk_permille integer, load_percent integer, net_in_bytes bigint, net_out_bytes bigint,
  program_bytes bigint, program_permille integer, loop_ms integer, db_connections integer, db_permille integer, primary key (server_id, at)) partition by range (at);
create table system.server_sample_rest partition of system.server_sample default;
grant select, insert on system.server_sample to kerbline_app;

-- A measure by its code of the dictionary `server_metric`.
create view system.server_metric with (security_invoker = true) as
  select s.server_id, s.at, m.metric, m.value from system.server_sample s cross join lateral (values
    (1, s.cpu_permille::bigint), (2, s.mem_permille), (3, s.disk_permille), (4, s.load_percent), (5, s.net_in_bytes), (6, s.net_out_bytes),
    (7, s.program_bytes), (8, s.program_permille), (9, s.loop_ms), (10, s.db_connections), (11, s.db_permille)) m(metric, value)
  where m.value is not null;
grant select on system.server_metric to kerbline_app;

-- The same by five minutes, for 90 days.
create table system.server_figure (
  server_id uuid not null, metric smallint not null, at timestamptz not null, mean bigint not null, most bigint not null, samples integer not null,
  primary key (server_id, metric, at));
create index server_figure_at on system.server_figure (at);
select platform.shared('system.server_figure', audited => false);

-- Days made ahead, days forgotten. The tables belong to the owner; the job calls this door.
create function system.tend_samples(of timestamptz, kept interval) returns void language plpgsql security definer set search_path = '' as $$
declare a_day date; name text; old record;
begin
  for i in -8..3 loop
    a_day := (of at time zone 'UTC')::date + i;
    name := 'server_sample_' || to_char(a_day, 'YYYYMMDD');
    if a_day >= (of - kept)::date and to_regclass(format('system.%I', name)) is null then
      begin
        execute format('create table system.%I partition of system.server_sample for values from (%L) to (%L)', name, a_day::text || ' 00:00:00Z', (a_day + 1)::text || ' 00:00:00Z');
      exception when check_violation then null; -- its rows lie in the rest already: they are forgotten there
      end;
    end if;
  end loop;
  for old in select c.relname from pg_catalog.pg_inherits i join pg_catalog.pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'system.server_sample'::regclass and c.relname ~ '^server_sample_\d{8}$'
        and to_date(right(c.relname, 8), 'YYYYMMDD') + 1 <= ((of - kept) at time zone 'UTC')::date loop
    execute format('drop table system.%I', old.relname);
  end loop;
  delete from system.server_sample_rest where at < of - kept;
end $$;
revoke execute on function system.tend_samples from public;
grant execute on function system.tend_samples to kerbline_app;
select system.tend_samples(now(), interval '7 days');

create table system.alarm_rule (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, metric smallint not null check (metric between 1 and 12),
  op smallint not null check (op in (1, 2, 3)), threshold integer not null, for_min integer not null check (for_min between 0 and 120),
  level smallint not null check (level in (1, 2, 3, 4)), server_ids uuid[] not null default '{}', notify_people uuid[] not null default '{}', notify_roles uuid[] not null default '{}',
  silence_min integer not null check (silence_min between 0 and 1440), enabled boolean not null default true, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), unique (enterprise_id, name));
select platform.scoped('system.alarm_rule');

-- A record keeps its rule as it was. While it is open there is one of a rule and a server.
create table system.alarm_record (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), rule_id uuid not null, rule_name text not null,
  server_id uuid not null, server_name text not null, metric smallint not null check (metric between 1 and 12), op smallint not null check (op in (1, 2, 3)), threshold integer not null,
  level smallint not null check (level in (1, 2, 3, 4)), state smallint not null default 0 check (state in (0, 1, 2)), value bigint not null, most_value bigint not null, last_value bigint not null,
  since timestamptz not null, raised_at timestamptz not null, seen_at timestamptz not null, told boolean not null,
  acknowledged_at timestamptz, acknowledged_by text, note text, recovered_at timestamptz, ending smallint check (ending in (1, 2, 3)), version integer not null default 1);
create unique index alarm_record_open on system.alarm_record (enterprise_id, rule_id, server_id) where state in (0, 2);
create index alarm_record_raised on system.alarm_record (enterprise_id, raised_at desc, id desc);
create index alarm_record_rule on system.alarm_record (enterprise_id, rule_id, server_id, raised_at desc);
-- What moves with every look is no change that anybody made.
select platform.scoped('system.alarm_record', hidden => '{most_value,last_value,seen_at}');

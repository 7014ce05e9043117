-- How long the rows of a table by months are kept; none: for good. What is too old is taken out by the domain that owns it; a month that is left empty goes whole.
alter table platform.monthly add column kept interval;
create function platform.drop_months() returns void language plpgsql security definer set search_path = '' set lock_timeout = '2s' as $$
declare m record; used boolean;
begin
  for m in
    select p.parent, t.oid::regclass as name from platform.monthly p join pg_catalog.pg_inherits i on i.inhparent = p.parent join pg_catalog.pg_class t on t.oid = i.inhrelid
      where p.kept is not null and t.relname ~ '_\d{6}$' and to_date(right(t.relname, 6), 'YYYYMM') + interval '1 month' < now() - p.kept
  loop
    execute format('select exists (select from %s)', m.name) into used;
    continue when used;
    begin
      execute format('lock table only %s in access exclusive mode', m.parent);
      execute format('select exists (select from %s)', m.name) into used;
      if not used then execute format('drop table %s', m.name); end if;
    exception when lock_not_available then null; -- somebody reads, and whoever comes would wait behind us: tomorrow is a night too
    end;
  end loop;
end $$;

-- What guns measure grows by the second: each month of it lies apart.
alter table charging.meter_sample rename to meter_sample_before;
alter table charging.meter_sample_before rename constraint meter_sample_pkey to meter_sample_before_pkey;
drop index charging.meter_sample_order, charging.meter_sample_at;
create table charging.meter_sample (
  enterprise_id integer not null default scope_enterprise(), connector_id text not null, park_code text not null, order_no text, at timestamptz not null, received_at timestamptz not null,
  meter_wh bigint check (meter_wh >= 0), power_w integer, current_ma integer, voltage_dv integer, soc smallint check (soc between 0 and 100), temperature_c smallint, primary key (enterprise_id, connector_id, at)
) partition by range (at);
create table charging.meter_sample_rest partition of charging.meter_sample default;
insert into platform.monthly (parent, kept) values ('charging.meter_sample', interval '13 months');
select platform.ensure_months();
create index meter_sample_order on charging.meter_sample (enterprise_id, order_no, at);
create index meter_sample_at on charging.meter_sample (enterprise_id, at);
select platform.scoped('charging.meter_sample', audited => false);
insert into charging.meter_sample select * from charging.meter_sample_before;
drop table charging.meter_sample_before;

-- What is left of samples after their time: of five minutes of a gun and a charge the last register and state of charge, the mean of what flowed, the hottest.
create table charging.meter_curve (
  enterprise_id integer not null default scope_enterprise(), connector_id text not null, park_code text not null, order_no text, at timestamptz not null, received_at timestamptz not null,
  meter_wh bigint check (meter_wh >= 0), power_w integer, current_ma integer, voltage_dv integer, soc smallint check (soc between 0 and 100), temperature_c smallint, primary key (enterprise_id, connector_id, at)
) partition by range (at);
create table charging.meter_curve_rest partition of charging.meter_curve default;
insert into platform.monthly (parent) values ('charging.meter_curve');
select platform.ensure_months();
create index meter_curve_order on charging.meter_curve (enterprise_id, order_no, at);
select platform.scoped('charging.meter_curve', audited => false, append_only => true);
create view charging.measured with (security_invoker = true) as select * from charging.meter_sample union all select * from charging.meter_curve;
grant select on charging.measured to kerbline_app;

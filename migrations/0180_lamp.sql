-- Street lamps: boxes beside the road, their circuits, what switches them and what they use.
create schema lamp;
select platform.opened('lamp');

create table lamp.box (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), box_code text not null, name text not null, lng double precision not null check (lng between -180 and 180),
  lat double precision not null check (lat between -90 and 90), region_code text, gateway_no text, phase_count smallint not null check (phase_count in (1, 3)), meter_no text, ratio_ct integer not null default 1 check (ratio_ct between 1 and 5000),
  use_state smallint not null default 1 check (use_state in (1, 2)), remark text, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (enterprise_id, id), foreign key (enterprise_id, gateway_no) references device.device (enterprise_id, device_no));
create unique index box_code on lamp.box (enterprise_id, box_code);
create unique index box_gateway on lamp.box (enterprise_id, gateway_no) where gateway_no is not null;
create index box_created on lamp.box (enterprise_id, created_at desc, id desc);
create index box_name on lamp.box (enterprise_id, name);
select platform.scoped('lamp.box');

-- What changes by the minute stands apart: it neither bloats the box's row nor floods the audit stream. Of the plan: what is wanted, what was sent, what the box has acknowledged.
create table lamp.box_now (
  enterprise_id integer not null default scope_enterprise(), box_code text not null, door smallint check (door in (0, 1)), lux double precision, lux_at timestamptz, register integer, register_at timestamptz, said_at timestamptz,
  plan jsonb, plan_version integer not null default 0, plan_sent integer not null default 0, plan_sent_at timestamptz, plan_command uuid, plan_acked integer not null default 0, plan_night date, plan_due boolean not null default true,
  primary key (enterprise_id, box_code), foreign key (enterprise_id, box_code) references lamp.box (enterprise_id, box_code) on delete cascade, check (plan_acked <= plan_version), check (plan_sent <= plan_version));
create index box_plan_due on lamp.box_now (enterprise_id) where plan_due;
select platform.scoped('lamp.box_now', audited => false, key => 'box_code');
select platform.uncounted('lamp.box_now');

-- mode: 1 automatic, 2 by hand, 3 tagged out for maintenance. circuit_no is the circuit's number inside its box, as the box calls it.
create table lamp.wiring (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), wiring_code text not null, name text not null, box_code text not null, circuit_no smallint not null check (circuit_no between 1 and 64),
  phase smallint not null check (phase between 1 and 4), lamp_count integer not null check (lamp_count between 1 and 5000), rated_power_w integer not null check (rated_power_w between 1 and 1000000), cable text, ratio_ct integer not null default 1 check (ratio_ct between 1 and 5000),
  loss_permille integer not null default 150 check (loss_permille between 1 and 1000), leak_w integer not null default 20 check (leak_w between 0 and 100000), mode smallint not null default 1 check (mode in (1, 2, 3)),
  tagged_by uuid, tagged_name text, tag_reason text, remark text, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (enterprise_id, id), foreign key (enterprise_id, box_code) references lamp.box (enterprise_id, box_code), check ((mode = 3) = (tagged_name is not null)));
create unique index wiring_code on lamp.wiring (enterprise_id, wiring_code);
create unique index wiring_circuit on lamp.wiring (enterprise_id, box_code, circuit_no);
create index wiring_created on lamp.wiring (enterprise_id, created_at desc, id desc);
select platform.scoped('lamp.wiring');
-- Since when until when a circuit was tagged out: what it did not burn meanwhile, nobody saved.
create table lamp.tagging (
  enterprise_id integer not null default scope_enterprise(), wiring_id uuid not null, from_at timestamptz not null, to_at timestamptz, primary key (enterprise_id, wiring_id, from_at),
  foreign key (enterprise_id, wiring_id) references lamp.wiring (enterprise_id, id) on delete cascade, check (to_at >= from_at));
create unique index tagging_open on lamp.tagging (enterprise_id, wiring_id) where to_at is null;
select platform.scoped('lamp.tagging', audited => false, key => 'wiring_id');

-- As read back, and what somebody wants by hand until then. Hours lit are counted for the hours of the lamps.
create table lamp.wiring_now (
  enterprise_id integer not null default scope_enterprise(), wiring_id uuid not null, relay smallint check (relay in (0, 1)), dim smallint check (dim between 0 and 100), u double precision, i double precision, p double precision, pf double precision,
  read_at timestamptz, heard_at timestamptz, override_relay smallint check (override_relay in (0, 1)), override_dim smallint check (override_dim between 0 and 100), override_until timestamptz, override_by smallint check (override_by in (1, 2)), override_name text, override_reason text,
  primary key (enterprise_id, wiring_id), foreign key (enterprise_id, wiring_id) references lamp.wiring (enterprise_id, id) on delete cascade, check ((override_relay is null) = (override_by is null)));
select platform.scoped('lamp.wiring_now', audited => false, key => 'wiring_id');

-- One lamp on its pole, of a circuit, and what its own controller told last through the box: 0 is dark.
create table lamp.lamp (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), lamp_no text not null, wiring_code text not null, pole_no text, rated_power_w integer not null check (rated_power_w between 1 and 5000),
  lng double precision check (lng between -180 and 180), lat double precision check (lat between -90 and 90), remark text, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (enterprise_id, id), foreign key (enterprise_id, wiring_code) references lamp.wiring (enterprise_id, wiring_code), constraint whole_place check ((lng is null) = (lat is null)));
create unique index lamp_no on lamp.lamp (enterprise_id, lamp_no);
create index lamp_wiring on lamp.lamp (enterprise_id, wiring_code);
create index lamp_created on lamp.lamp (enterprise_id, created_at desc, id desc);
select platform.scoped('lamp.lamp');
create table lamp.lamp_now (
  enterprise_id integer not null default scope_enterprise(), lamp_id uuid not null, dim smallint check (dim between 0 and 100), faulty boolean not null default false, p double precision, life_hours integer check (life_hours >= 0), read_at timestamptz,
  primary key (enterprise_id, lamp_id), foreign key (enterprise_id, lamp_id) references lamp.lamp (enterprise_id, id) on delete cascade);
select platform.scoped('lamp.lamp_now', audited => false, key => 'lamp_id');

-- A wish for one circuit. Of a circuit one waits at most, and one is under way at most: who comes later replaces what waits. Success is an acknowledgement and a read-back that agrees.
create table lamp.command (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), batch_id uuid not null, wiring_id uuid not null, wiring_code text not null, box_code text not null, circuit_no smallint not null,
  source smallint not null check (source in (1, 2)), relay smallint not null check (relay in (0, 1)), dim smallint not null check (dim between 0 and 100), until_at timestamptz, reason text, actor_id uuid, actor_name text not null,
  cmd_state smallint not null default 0 check (cmd_state between 0 and 6), failure smallint check (failure between 1 and 9), device_command uuid, expires_at timestamptz not null, sent_at timestamptz, acked_at timestamptz, finished_at timestamptz,
  created_at timestamptz not null default now(), primary key (enterprise_id, id), check ((relay = 0) = (dim = 0)), check (cmd_state <> 3 or acked_at is not null), check ((cmd_state in (3, 4, 5, 6)) = (finished_at is not null)));
create unique index command_waiting on lamp.command (enterprise_id, wiring_id) where cmd_state = 0;
create unique index command_under_way on lamp.command (enterprise_id, wiring_id) where cmd_state in (1, 2);
create index command_of_box on lamp.command (enterprise_id, box_code, cmd_state) where cmd_state in (0, 1, 2);
create index command_batch on lamp.command (enterprise_id, batch_id);
create index command_created on lamp.command (enterprise_id, created_at desc, id desc);
create index command_wiring on lamp.command (enterprise_id, wiring_id, created_at desc);
create index command_device on lamp.command (enterprise_id, device_command) where device_command is not null;
select platform.scoped('lamp.command', audited => false);

-- A program. target: 1 boxes, 2 circuits, 3 regions, 4 the default of one box. Deleted ones are marked, and one in force goes on to the noon that ends its night.
create table lamp.timer (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, target smallint not null check (target between 1 and 4), targets text[] not null check (cardinality(targets) between 1 and 200), kind smallint not null check (kind between 1 and 4),
  date_from date not null, date_to date not null, day_mask smallint not null check (day_mask between 1 and 127), priority smallint not null check (priority between 0 and 99), actions jsonb not null default '[]', lux_below integer check (lux_below between 1 and 2000),
  status smallint not null default 1 check (status in (1, 2)), deleted boolean not null default false, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (enterprise_id, id), check (date_from <= date_to), check ((kind in (3, 4)) = (lux_below is not null)), check ((target = 4) = (priority = 0)));
create unique index timer_default on lamp.timer (enterprise_id, (targets[1])) where target = 4;
create unique index timer_name on lamp.timer (enterprise_id, name) where not deleted and target <> 4;
create index timer_created on lamp.timer (enterprise_id, created_at desc, id desc);
create index timer_to on lamp.timer (enterprise_id, date_to);
select platform.scoped('lamp.timer');
select platform.uncounted('lamp.timer');

-- Whether any enterprise has a box in a region, or a program for it.
create function lamp.region_is_used(of_code text) returns boolean stable language sql security definer set search_path = ''
  begin atomic select exists (select from lamp.box where region_code = of_code) or exists (select from lamp.timer where target = 3 and of_code = any (targets) and not deleted); end;
grant execute on function lamp.region_is_used to kerbline_app;

-- Energy of a box in an hour, by differences of its register. What was used across a gap belongs to no hour, and to the day or month that holds the whole gap.
create table lamp.energy (
  enterprise_id integer not null default scope_enterprise(), box_code text not null, hour timestamptz not null, wh integer check (wh >= 0), gap_wh integer not null default 0 check (gap_wh >= 0), gap_from timestamptz, resets integer not null default 0,
  primary key (enterprise_id, box_code, hour));
create index energy_hour on lamp.energy (enterprise_id, hour);
select platform.scoped('lamp.energy', audited => false, key => 'box_code');

-- The same open alarm is not raised twice; its count goes up. state: 0 raised, 1 acknowledged, 2 recovered, 3 handed to a work order.
create table lamp.alarm (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), box_code text not null, wiring_id uuid, wiring_code text, code smallint not null check (code between 1 and 17), level smallint not null check (level between 1 and 4),
  state smallint not null default 0 check (state between 0 and 3), value double precision, count integer not null default 1, first_at timestamptz not null, last_at timestamptz not null, recovered_at timestamptz, handled_name text, work_order_no text, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), check (state <> 3 or work_order_no is not null));
create unique index alarm_open on lamp.alarm (enterprise_id, box_code, code, (coalesce(wiring_code, ''))) where recovered_at is null;
create index alarm_last on lamp.alarm (enterprise_id, last_at desc, id desc);
select platform.scoped('lamp.alarm');

-- status: 0 off line, 1 on line, 2 faulty, 3 out of use.
create view lamp.box_line with (security_invoker = true) as
  select b.id, b.enterprise_id, b.box_code, b.name, b.lng, b.lat, b.region_code, b.gateway_no, b.phase_count, b.meter_no, b.ratio_ct, b.use_state, b.remark, b.version, b.created_at, b.updated_at,
    (case when b.use_state = 2 then 3 when not coalesce(p.online, false) then 0 when exists (select from lamp.alarm a where a.enterprise_id = b.enterprise_id and a.box_code = b.box_code and a.recovered_at is null and a.level >= 3) then 2 else 1 end)::smallint as status,
    coalesce(p.online, false) as online, n.door, n.lux, n.lux_at, n.register, n.register_at, n.said_at, n.plan_version, n.plan_acked,
    (select count(*) from lamp.wiring w where w.enterprise_id = b.enterprise_id and w.box_code = b.box_code)::int as circuits
  from lamp.box b join lamp.box_now n on n.enterprise_id = b.enterprise_id and n.box_code = b.box_code left join device.presence p on p.enterprise_id = b.enterprise_id and p.device_no = b.gateway_no;
grant select on lamp.box_line to kerbline_app;

-- state: 1 lit, 2 dimmed, 3 dark, 4 faulty, 5 unknown. By day the relay cuts its controller off: it is dark without a word, and a fault stays until the controller says otherwise.
create view lamp.lamp_line with (security_invoker = true) as
  select l.id, l.enterprise_id, l.lamp_no, l.wiring_code, l.pole_no, l.rated_power_w, l.lng, l.lat, l.remark, l.version, l.created_at, l.updated_at, w.name as wiring_name, w.box_code, b.region_code,
    (case when not coalesce(p.online, false) then 5 when n.faulty then 4 when c.relay = 0 and c.read_at >= now() - interval '30 minutes' then 3 when n.dim is null or n.read_at is null or n.read_at < now() - interval '30 minutes' then 5
      when n.dim = 0 then 3 when n.dim < 100 then 2 else 1 end)::smallint as state,
    n.faulty, n.dim, n.p, n.life_hours, n.read_at
  from lamp.lamp l join lamp.lamp_now n on n.enterprise_id = l.enterprise_id and n.lamp_id = l.id join lamp.wiring w on w.enterprise_id = l.enterprise_id and w.wiring_code = l.wiring_code
    join lamp.wiring_now c on c.enterprise_id = w.enterprise_id and c.wiring_id = w.id join lamp.box b on b.enterprise_id = w.enterprise_id and b.box_code = w.box_code left join device.presence p on p.enterprise_id = b.enterprise_id and p.device_no = b.gateway_no;
grant select on lamp.lamp_line to kerbline_app;

-- A circuit has as many lamps as its data says, or as are registered one by one where those are more. Of lamps_known it is known whether they are lit.
create view lamp.wiring_line with (security_invoker = true) as
  select w.id, w.enterprise_id, w.wiring_code, w.name, w.box_code, b.name as box_name, b.region_code, b.lng, b.lat, w.circuit_no, w.phase, greatest(w.lamp_count, s.lamps)::integer as lamp_count, s.lamps_known, s.lamps_known_lit, w.rated_power_w, w.cable, w.ratio_ct, w.loss_permille, w.leak_w, w.mode, w.tagged_by, w.tagged_name, w.tag_reason, w.remark,
    w.version, w.created_at, w.updated_at, b.use_state as box_use_state, coalesce(p.online, false) as online, n.relay, n.dim, n.u, n.i, n.p, n.pf, n.read_at, n.override_relay, n.override_dim, n.override_until, n.override_by, n.override_name, n.override_reason, x.lux, x.lux_at,
    (select c.cmd_state from lamp.command c where c.enterprise_id = w.enterprise_id and c.wiring_id = w.id order by c.created_at desc limit 1) as cmd_state
  from lamp.wiring w join lamp.box b on b.enterprise_id = w.enterprise_id and b.box_code = w.box_code join lamp.box_now x on x.enterprise_id = b.enterprise_id and x.box_code = b.box_code
    join lamp.wiring_now n on n.enterprise_id = w.enterprise_id and n.wiring_id = w.id left join device.presence p on p.enterprise_id = b.enterprise_id and p.device_no = b.gateway_no
    cross join lateral (select count(*)::int as lamps, (count(*) filter (where l.state < 5))::int as lamps_known, (count(*) filter (where l.state in (1, 2)))::int as lamps_known_lit
      from lamp.lamp_line l where l.enterprise_id = w.enterprise_id and l.wiring_code = w.wiring_code) s;
grant select on lamp.wiring_line to kerbline_app;

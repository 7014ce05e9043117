-- Inspection: what is looked at and how often, the tasks that come of it, the rounds that were made and what they found.
create schema inspection;
select platform.opened('inspection');

-- What has to be looked at and how often. cycle: 1 day, 2 week, 3 month, 4 quarter, 5 year. items: [{ name, type 1 right or wrong | 2 a number | 3 a picture, min, max }].
create table inspection.rule (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, device_types smallint[] not null check (cardinality(device_types) > 0),
  cycle smallint not null check (cycle between 1 and 5), times integer not null default 1 check (times between 1 and 28), items jsonb not null check (jsonb_array_length(items) > 0), route text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index rule_name on inspection.rule (enterprise_id, name);
create index rule_created on inspection.rule (enterprise_id, created_at desc, id desc);
select platform.scoped('inspection.rule');

create table inspection.rule_park (
  enterprise_id integer not null default scope_enterprise(), rule_id uuid not null, park_code text not null, primary key (enterprise_id, rule_id, park_code),
  foreign key (enterprise_id, rule_id) references inspection.rule (enterprise_id, id) on delete cascade,
  foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code));
create index rule_park_park on inspection.rule_park (enterprise_id, park_code);
select platform.scoped('inspection.rule_park', key => 'rule_id');

-- One park to be gone through within a time. It keeps the items that its rule had. `slot` is the part of the period that the rule wants it for: it comes once.
-- source: 1 rule, 2 by hand, 3 imported, 4 looked at again. state: 0 waiting, 1 begun, 2 done, 3 overdue, 4 missed, 5 cancelled.
create table inspection.task (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), task_no text not null default platform.business_no('XJ'), name text not null, rule_id uuid, slot text,
  park_code text not null, collector_id uuid, device_types smallint[] not null check (cardinality(device_types) > 0), device_nos text[], items jsonb not null check (jsonb_array_length(items) > 0),
  plan_from timestamptz not null, plan_to timestamptz not null, period_to timestamptz, state smallint not null default 0 check (state between 0 and 5), source smallint not null check (source between 1 and 4),
  due_count integer check (due_count >= 0), started_at timestamptz, ended_at timestamptz, reason text, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code), foreign key (enterprise_id, collector_id) references staff.collector (enterprise_id, id),
  foreign key (enterprise_id, rule_id) references inspection.rule (enterprise_id, id) on delete set null (rule_id),
  constraint planned_forward check (plan_from < plan_to),
  constraint done_when_ended check ((state = 2) = (ended_at is not null) and (ended_at is null or started_at is not null)),
  constraint begun_when_started check (not (state = 1 and started_at is null) and not (state in (0, 4) and started_at is not null)),
  constraint cancelled_for_a_reason check (state <> 5 or reason is not null),
  constraint counted_when_over check ((state in (2, 4, 5)) = (due_count is not null)));
create unique index task_no on inspection.task (enterprise_id, task_no);
create unique index task_slot on inspection.task (enterprise_id, rule_id, park_code, slot) where slot is not null;
create index task_created on inspection.task (enterprise_id, created_at desc, id desc);
create index task_plan on inspection.task (enterprise_id, plan_to desc, id desc);
create index task_from on inspection.task (enterprise_id, plan_from desc, id desc);
-- What is left first, the longest due before the furthest; then what is over, the latest first.
create index task_turn on inspection.task (enterprise_id, ((case when state in (0, 1, 3) then 1 else -1 end * extract(epoch from plan_from - timestamptz '2000-01-01 00:00:00+00') + case when state in (0, 1, 3) then 0 else 100000000000 end)::bigint), id);
create index task_park on inspection.task (enterprise_id, park_code, plan_to desc);
create index task_collector on inspection.task (enterprise_id, collector_id, plan_to desc) where collector_id is not null;
create index task_open on inspection.task (enterprise_id, plan_to) where state in (0, 1, 3);
select platform.scoped('inspection.task');

-- How far a task has come, device by device: all its items, or a reason why not.
create table inspection.task_device (
  enterprise_id integer not null default scope_enterprise(), task_id uuid not null, park_code text not null, device_no text not null, done boolean not null, abnormal boolean not null, reason text,
  primary key (enterprise_id, task_id, device_no), foreign key (enterprise_id, task_id) references inspection.task (enterprise_id, id) on delete cascade);
select platform.scoped('inspection.task_device', audited => false, key => 'task_id');

-- One round through a park, once for each `mid` of whoever made it. Nobody changes it.
create table inspection.record (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), task_id uuid not null, park_code text not null, collector_id uuid not null, mid text not null,
  started_at timestamptz not null, ended_at timestamptz not null, devices integer not null check (devices >= 0), abnormal integer not null check (abnormal between 0 and devices), skipped integer not null check (skipped >= 0),
  author_name text not null, created_at timestamptz not null default now(), primary key (enterprise_id, id), check (started_at <= ended_at),
  foreign key (enterprise_id, task_id) references inspection.task (enterprise_id, id), foreign key (enterprise_id, collector_id) references staff.collector (enterprise_id, id));
create unique index record_mid on inspection.record (enterprise_id, collector_id, mid);
create index record_ended on inspection.record (enterprise_id, ended_at desc, id desc);
create index record_task on inspection.record (enterprise_id, task_id);
select platform.scoped('inspection.record', append_only => true);

-- What one item of one device was like. proof: 1 its code was scanned, 2 whoever looked stood there.
create table inspection.line (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), record_id uuid not null, task_id uuid not null, park_code text not null, seq integer not null,
  device_no text not null, device_name text not null, device_type smallint not null, item_name text not null, item_type smallint not null check (item_type between 1 and 3), value text, ok boolean not null,
  level smallint check (level between 1 and 4), images text, proof smallint not null check (proof in (1, 2)), dist_m integer check (dist_m between 0 and 100), repair_no text, primary key (enterprise_id, id),
  foreign key (enterprise_id, record_id) references inspection.record (enterprise_id, id), check (ok = (level is null)), check ((proof = 2) = (dist_m is not null)));
create unique index line_once on inspection.line (enterprise_id, record_id, device_no, item_name);
create index line_device on inspection.line (enterprise_id, task_id, device_no);
select platform.scoped('inspection.line', audited => false, append_only => true);

-- What came of it, a row for each device: 1 a round, 2 a repair, 3 a scrap. conclusion: 1 right, 2 wrong, 3 not looked at. The rest is for a scrap.
create table inspection.result (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), result_type smallint not null check (result_type between 1 and 3), device_no text not null, device_name text not null,
  device_type smallint not null check (device_type between 1 and 14), park_code text, at timestamptz not null, who text not null, conclusion smallint check (conclusion between 1 and 3), from_no text not null, reason text,
  original_fen bigint check (original_fen >= 0), repair_fen bigint check (repair_fen >= 0), residual_fen bigint check (residual_fen >= 0), months integer check (months >= 0), approvers text,
  primary key (enterprise_id, id), constraint round_concludes check ((result_type = 1) = (conclusion is not null)));
create unique index result_once on inspection.result (enterprise_id, result_type, from_no, device_no) where result_type <> 1;
create index result_at on inspection.result (enterprise_id, result_type, at desc, id desc);
create index result_all on inspection.result (enterprise_id, at desc, id desc);
create index result_device on inspection.result (enterprise_id, device_no, at desc);
select platform.scoped('inspection.result', audited => false, append_only => true);

create view inspection.rule_line with (security_invoker = true) as
  select r.*, array(select p.park_code from inspection.rule_park p where p.enterprise_id = r.enterprise_id and p.rule_id = r.id order by p.park_code) as park_codes,
    (select count(*)::integer from inspection.task t where t.enterprise_id = r.enterprise_id and t.rule_id = r.id and t.state in (0, 1, 3)) as open_tasks
  from inspection.rule r;
grant select on inspection.rule_line to kerbline_app;

-- What can be looked at: devices and piles that stand in a park and work, or should.
create view inspection.thing with (security_invoker = true) as
  select enterprise_id, device_no, name, type, park_code, gate_code from device.device where park_code is not null and use_status in (1, 2, 5)
  union all select enterprise_id, equipment_id, equipment_name, 6::smallint, park_code, null from charging.equipment where park_code is not null and admin_status in (1, 2, 3);
grant select on inspection.thing to kerbline_app;

-- What a task is about, as long as it is open.
create view inspection.due with (security_invoker = true) as
  select t.enterprise_id, t.id as task_id, d.device_no, d.name, d.type, d.gate_code, d.park_code from inspection.task t
  join inspection.thing d on d.enterprise_id = t.enterprise_id and d.park_code = t.park_code and d.type = any (t.device_types) and (t.device_nos is null or d.device_no = any (t.device_nos));
grant select on inspection.due to kerbline_app;

-- With those that were looked at before they went elsewhere.
create view inspection.about with (security_invoker = true) as
  select enterprise_id, task_id, park_code, device_no from inspection.due union select enterprise_id, task_id, park_code, device_no from inspection.task_device;
grant select on inspection.about to kerbline_app;

create view inspection.task_line with (security_invoker = true) as
  select t.id, t.enterprise_id, t.version, t.created_at, t.updated_at, t.task_no, t.name, t.rule_id, t.park_code, p.name as park_name, c.toll_no, c.name as toll_name, t.device_types, t.device_nos, t.items,
    t.plan_from, t.plan_to, t.period_to, t.state, t.source, t.started_at, t.ended_at, t.reason, t.remark,
    coalesce(t.due_count, (select count(*)::integer from inspection.about a where a.enterprise_id = t.enterprise_id and a.task_id = t.id)) as devices_due,
    (select count(*)::integer from inspection.task_device k where k.enterprise_id = t.enterprise_id and k.task_id = t.id and k.done and k.reason is null) as devices_done,
    (select count(*)::integer from inspection.task_device k where k.enterprise_id = t.enterprise_id and k.task_id = t.id and k.done and k.reason is not null) as devices_skipped,
    (select count(*)::integer from inspection.task_device k where k.enterprise_id = t.enterprise_id and k.task_id = t.id and k.abnormal) as abnormal,
    (case when t.state in (0, 1, 3) then 1 else -1 end * extract(epoch from t.plan_from - timestamptz '2000-01-01 00:00:00+00') + case when t.state in (0, 1, 3) then 0 else 100000000000 end)::bigint as turn
  from inspection.task t join parking.park p on p.enterprise_id = t.enterprise_id and p.park_code = t.park_code
  left join staff.collector c on c.enterprise_id = t.enterprise_id and c.id = t.collector_id;
grant select on inspection.task_line to kerbline_app;

create view inspection.record_line with (security_invoker = true) as
  select r.id, r.enterprise_id, 1 as version, r.created_at, r.created_at as updated_at, r.task_id, t.task_no, t.name as task_name, r.park_code, c.toll_no, c.name as toll_name, r.started_at, r.ended_at, r.devices, r.abnormal, r.skipped, r.author_name
  from inspection.record r join inspection.task t on t.enterprise_id = r.enterprise_id and t.id = r.task_id
  join staff.collector c on c.enterprise_id = r.enterprise_id and c.id = r.collector_id;
grant select on inspection.record_line to kerbline_app;

-- How long each device worked and how long it was faulty, where it stood then: what failure rates are counted from. phase: 1 works, 2 faulty or in repair, 3 neither (waiting, in the store, scrapped).
create table inspection.use_span (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), device_no text not null, type smallint not null, park_code text, phase smallint not null check (phase in (1, 2, 3)),
  from_at timestamptz not null, to_at timestamptz, primary key (enterprise_id, id), check (from_at <= to_at),
  foreign key (enterprise_id, device_no) references device.device (enterprise_id, device_no) on delete cascade on update cascade);
create unique index use_span_open on inspection.use_span (enterprise_id, device_no) where to_at is null;
create index use_span_device on inspection.use_span (enterprise_id, device_no, from_at);
create index use_span_park on inspection.use_span (enterprise_id, park_code, from_at);
select platform.scoped('inspection.use_span', audited => false, append_only => true);

create function inspection.phase_of(use_status smallint) returns smallint immutable language sql as $$ select (case when use_status = 1 then 1 when use_status in (2, 5) then 2 else 3 end)::smallint $$;

-- A device that goes on as it was, where it was, begins nothing new.
create function inspection.use_changed() returns trigger language plpgsql security definer set search_path = '' as $$
declare since timestamptz := case when tg_op = 'INSERT' then new.created_at when new.updated_at > old.updated_at then new.updated_at else now() end;
begin
  if tg_op = 'UPDATE' then
    if inspection.phase_of(new.use_status) = inspection.phase_of(old.use_status) and new.park_code is not distinct from old.park_code and new.type = old.type then return null; end if;
    update inspection.use_span set to_at = greatest(since, from_at) where enterprise_id = new.enterprise_id and device_no = new.device_no and to_at is null returning to_at into since;
  end if;
  insert into inspection.use_span (enterprise_id, device_no, type, park_code, phase, from_at) values (new.enterprise_id, new.device_no, new.type, new.park_code, inspection.phase_of(new.use_status), coalesce(since, now()));
  return null;
end $$;
create trigger use_changed after insert or update of use_status, park_code, type on device.device for each row execute function inspection.use_changed();

-- Repairs of devices and piles: one open at a time for each, with every report of what is broken, every step, and what it cost.

-- source: 1 round, 2 reported, 3 warning, 4 work order, 5 scanned. level: 1 low, 2 middle, 3 high, 4 urgent.
-- state: 0 to be assigned, 1 assigned, 2 in hand, 3 to be accepted, 4 done, 5 returned, 6 scrapped instead.
-- `repairer_id` handed the work in, `worker_id` is the account of who it was given to: neither accepts it.
-- `use_before`: where the thing goes back to once it is mended, 0 waiting or 4 in the store; none: in use.
create table inspection.repair (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), repair_no text not null default platform.business_no('WX'),
  device_no text not null, device_name text not null, device_type smallint not null check (device_type between 1 and 14), park_code text,
  source smallint not null check (source in (1, 2, 3, 4, 5)), level smallint not null check (level in (1, 2, 3, 4)), "desc" text not null, images text, reports integer not null default 0 check (reports >= 0),
  state smallint not null default 0 check (state in (0, 1, 2, 3, 4, 5, 6)), toll_no text, toll_name text, worker_id uuid, repairer_id uuid, repairer_name text, acceptor_id uuid, acceptor_name text,
  parts jsonb not null default '[]', parts_fen bigint not null default 0 check (parts_fen >= 0), labour_fen bigint not null default 0 check (labour_fen >= 0),
  cost_fen bigint not null generated always as (parts_fen + labour_fen) stored, after_images text, reason text, order_id uuid, order_no text, opened_name text not null,
  assigned_at timestamptz, started_at timestamptz, submitted_at timestamptz, done_at timestamptz, repair_min integer check (repair_min >= 0),
  use_before smallint check (use_before between 0 and 5),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), unique (enterprise_id, repair_no),
  constraint given_to_somebody check (state not in (1, 2, 3, 4) or toll_no is not null),
  constraint handed_in_by_somebody check (state not in (3, 4) or (repairer_id is not null and submitted_at is not null)),
  constraint over_at check ((state in (4, 6)) = (done_at is not null)),
  constraint accepted_by_somebody check ((state = 4) = (acceptor_id is not null)),
  constraint accepted_by_another check (acceptor_id is null or (acceptor_id <> repairer_id and acceptor_id is distinct from worker_id)),
  constraint order_has_a_number check ((order_id is null) = (order_no is null)));
create unique index repair_open on inspection.repair (enterprise_id, device_no) where state in (0, 1, 2, 3, 5);
create index repair_device on inspection.repair (enterprise_id, device_no, created_at desc);
create index repair_created on inspection.repair (enterprise_id, created_at desc, id desc);
create index repair_done on inspection.repair (enterprise_id, done_at desc, id desc);
create index repair_order on inspection.repair (enterprise_id, order_no) where order_no is not null;
select platform.scoped('inspection.repair');
-- Of a device that stands in another park by now the repair is where it was reported: whoever puts the device away sees that park alone.
create function inspection.repair_in_hand(of_device text) returns text stable language sql security definer set search_path = ''
  begin atomic select repair_no from inspection.repair where enterprise_id = scope_enterprise() and device_no = of_device and state in (0, 1, 2, 3, 5); end;
revoke all on function inspection.repair_in_hand(text) from public;
grant execute on function inspection.repair_in_hand(text) to kerbline_app;
select platform.uncounted('inspection.repair');

-- What was reported of it, each time.
create table inspection.repair_line (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), repair_id uuid not null, seq integer not null check (seq > 0), at timestamptz not null,
  source smallint not null check (source in (1, 2, 3, 4, 5)), level smallint not null check (level in (1, 2, 3, 4)), "desc" text not null, images text, who text not null, contact text,
  unique (enterprise_id, repair_id, seq), foreign key (enterprise_id, repair_id) references inspection.repair (enterprise_id, id) on delete cascade);
select platform.scoped('inspection.repair_line', audited => false, append_only => true);

-- What was done about it, each step; nobody takes one back.
create table inspection.repair_step (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), repair_id uuid not null, seq integer not null check (seq > 0), at timestamptz not null,
  "from" smallint not null check ("from" between 0 and 6), "to" smallint not null check ("to" between 0 and 6), who text not null, whom text, reason text, images text,
  unique (enterprise_id, repair_id, seq), foreign key (enterprise_id, repair_id) references inspection.repair (enterprise_id, id) on delete cascade);
select platform.scoped('inspection.repair_step', audited => false, append_only => true);

-- Scrapping a device or a pile: asked for by one, agreed by another, and where it was dear by a third.

-- reason: 1 past its time, 2 past repair, 3 dearer than a new one, 4 out of date, 5 destroyed or lost. state: 0 to be agreed, 1 to be agreed by the head, 2 approved, 3 refused, 4 taken back.
-- A second person agrees from ten thousand yuan on.
create table inspection.scrap (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), scrap_no text not null default platform.business_no('BF'),
  device_no text not null, device_name text not null, device_type smallint not null check (device_type between 1 and 14), park_code text,
  reason smallint not null check (reason in (1, 2, 3, 4, 5)), note text not null, images text, original_fen bigint not null check (original_fen >= 0), repair_fen bigint not null check (repair_fen >= 0),
  residual_fen bigint not null check (residual_fen >= 0), months integer not null check (months >= 0), state smallint not null default 0 check (state in (0, 1, 2, 3, 4)),
  applicant_id uuid not null, applicant_name text not null, manager_id uuid, manager_name text, managed_at timestamptz, head_id uuid, head_name text, headed_at timestamptz, opinion text, done_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), unique (enterprise_id, scrap_no),
  constraint worth_less_than_bought check (residual_fen <= original_fen),
  constraint over_at check ((state in (2, 3, 4)) = (done_at is not null)),
  constraint agreed_by_another check (manager_id is distinct from applicant_id and head_id is distinct from applicant_id and (manager_id is null or head_id is distinct from manager_id)),
  constraint agreed_in_order check (head_id is null or manager_id is not null),
  constraint agreed_by_somebody check (state not in (1, 2) or manager_id is not null),
  constraint dear_by_a_third check (state <> 2 or original_fen < 1000000 or head_id is not null),
  constraint refused_because check (state <> 3 or opinion is not null));
create unique index scrap_once on inspection.scrap (enterprise_id, device_no) where state in (0, 1, 2);
create index scrap_device on inspection.scrap (enterprise_id, device_no, created_at desc);
create index scrap_created on inspection.scrap (enterprise_id, created_at desc, id desc);
create index scrap_done on inspection.scrap (enterprise_id, done_at desc, id desc);
select platform.scoped('inspection.scrap');

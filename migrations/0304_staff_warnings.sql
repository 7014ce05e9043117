-- What is watched of those at work. rule: 1 out of place, 2 does not move, 3 gathered, 4 no card, 5 late, 6 left early, 7 handheld off line, 8 overdue orders. A row is there once a company has set its rule.
create table staff.warning_rule (
  enterprise_id integer not null default scope_enterprise(), rule smallint not null check (rule between 1 and 8), enabled boolean not null, level smallint not null check (level between 1 and 3), notify boolean not null,
  threshold_min integer not null check (threshold_min between 0 and 480), silence_min integer not null check (silence_min between 0 and 480), dist_m integer check (dist_m between 5 and 1000), people integer check (people between 2 and 50),
  version integer not null default 1, updated_at timestamptz not null default now(), primary key (enterprise_id, rule),
  constraint distance_where_it_counts check ((dist_m is not null) = (rule in (2, 3))), constraint people_where_they_count check ((people is not null) = (rule = 3)));
select platform.scoped('staff.warning_rule', key => 'rule');
create view staff.warning_rule_line with (security_invoker = true) as
  select scope_enterprise() as enterprise_id, u.rule, coalesce(r.enabled, true) as enabled, coalesce(r.level, u.level) as level, coalesce(r.notify, u.notify) as notify, coalesce(r.threshold_min, u.threshold_min) as threshold_min,
    coalesce(r.silence_min, u.silence_min) as silence_min, coalesce(r.dist_m, u.dist_m) as dist_m, coalesce(r.people, u.people) as people, coalesce(r.version, 1) as version, r.updated_at
  from (values (1::smallint, 3::smallint, true, 10, 30, null::integer, null::integer), (2::smallint, 2::smallint, false, 30, 60, 20, null), (3::smallint, 2::smallint, true, 15, 60, 20, 3), (4::smallint, 2::smallint, true, 10, 0, null, null),
    (5::smallint, 1::smallint, false, 0, 0, null, null), (6::smallint, 1::smallint, false, 0, 0, null, null), (7::smallint, 2::smallint, true, 10, 30, null, null), (8::smallint, 2::smallint, true, 30, 60, null, null))
    u(rule, level, notify, threshold_min, silence_min, dist_m, people)
  left join staff.warning_rule r on r.enterprise_id = scope_enterprise() and r.rule = u.rule;
grant select on staff.warning_rule_line to kerbline_app;

-- One open of each rule and person; what a cell came to is said once. state: 0 to be handled, 1 handled, 2 a false alarm.
create table staff.warning (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), rule smallint not null check (rule between 1 and 8), level smallint not null check (level between 1 and 3),
  collector_id uuid not null, park_code text not null, cell_id uuid, place_code text, lng double precision, lat double precision, start_at timestamptz not null, end_at timestamptz, times integer not null default 1 check (times >= 1),
  state smallint not null default 0 check (state in (0, 1, 2)), opinion text, handler_name text, handled_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, collector_id) references staff.collector (enterprise_id, id), foreign key (enterprise_id, cell_id) references staff.cell (enterprise_id, id) on delete cascade,
  constraint forward check (end_at is null or end_at >= start_at), constraint placed check ((lng is null) = (lat is null)),
  constraint handled_by_somebody check ((state = 0) = (handled_at is null) and (state = 0) = (handler_name is null) and (state = 0) = (opinion is null)));
create unique index warning_open on staff.warning (enterprise_id, rule, collector_id) where end_at is null;
create unique index warning_of_cell on staff.warning (enterprise_id, rule, cell_id) where rule in (4, 5, 6);
create index warning_start on staff.warning (enterprise_id, start_at desc, id desc);
create index warning_of on staff.warning (enterprise_id, collector_id, rule, end_at desc);
create index warning_cell on staff.warning (enterprise_id, cell_id) where cell_id is not null;
select platform.scoped('staff.warning', hidden => array['times', 'end_at']);
create view staff.warning_line with (security_invoker = true) as
  select w.*, c.toll_no, c.name, c.group_id from staff.warning w join staff.collector c on c.enterprise_id = w.enterprise_id and c.id = w.collector_id;
grant select on staff.warning_line to kerbline_app;

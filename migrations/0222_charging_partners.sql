-- Promotions of charging. `state` is not kept: but for `stopped` it follows from the dates.
create table charging.activity (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, kind smallint not null check (kind between 1 and 4),
  value integer not null check (value >= 0), threshold_fen bigint check (threshold_fen >= 0), max_discount_fen bigint check (max_discount_fen > 0),
  station_ids text[] not null default '{}', start_modes smallint[] not null default '{}', start_at timestamptz not null, end_at timestamptz not null,
  per_user_times integer check (per_user_times > 0), per_day_times integer check (per_day_times > 0), budget_fen bigint check (budget_fen > 0),
  used_fen bigint not null default 0 check (used_fen >= 0), used_times integer not null default 0 check (used_times >= 0), stopped boolean not null default false,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint activity_lasts check (end_at > start_at), constraint within_budget check (budget_fen is null or used_fen <= budget_fen),
  constraint a_share_is_of_thousand check (kind <> 1 or value < 1000), constraint threshold_of_kind check ((kind = 2) = (threshold_fen is not null)));
create index activity_created on charging.activity (enterprise_id, created_at desc, id desc);
create index activity_start on charging.activity (enterprise_id, start_at desc, id desc);
create index activity_to_come on charging.activity (enterprise_id, end_at) where not stopped;
select platform.scoped('charging.activity');

create view charging.activity_shown with (security_invoker = true) as
  select a.*, (case when a.stopped then 3 when now() < a.start_at then 0 when now() < a.end_at then 1 else 2 end)::smallint as state from charging.activity a;
grant select on charging.activity_shown to kerbline_app;

-- What a promotion gave to an order: one promotion, once.
create table charging.activity_use (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), activity_id uuid not null, order_no text not null, user_key text not null, day date not null,
  discount_fen bigint not null check (discount_fen > 0), at timestamptz not null, primary key (enterprise_id, id),
  foreign key (enterprise_id, activity_id) references charging.activity (enterprise_id, id));
create unique index activity_use_order on charging.activity_use (enterprise_id, order_no);
create index activity_use_user on charging.activity_use (enterprise_id, activity_id, user_key, day);
select platform.scoped('charging.activity_use', audited => false);

-- Whether it is somebody's first charge.
create index charge_of_user on charging.charge (enterprise_id, (coalesce(owner_id, card_no, plate_no))) where final_at is not null;

-- Platforms of others, and our own. What is in `ours` and `theirs` is encrypted under a key that is not in the database.
create table charging.platform (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, operator_id text not null check (operator_id ~ '^[0-9A-Z]{9}$'),
  role smallint not null check (role in (1, 2, 3)), status smallint not null default 1 check (status in (1, 2)), built_in boolean not null default false, base_url text,
  dialect smallint not null default 1 check (dialect in (1, 2)), open_stations text[] not null default '{}', credit_limit_fen bigint not null default 0 check (credit_limit_fen >= 0),
  split_permille smallint not null default 0 check (split_permille between 0 and 1000), remark text, ours text, ours_at timestamptz, theirs text, theirs_at timestamptz,
  deleted boolean not null default false, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint our_own_is_in_use check (not built_in or status = 1));
create unique index platform_operator on charging.platform (enterprise_id, operator_id) where not deleted;
create unique index platform_own on charging.platform (enterprise_id) where built_in;
create index platform_created on charging.platform (enterprise_id, created_at, id);
select platform.scoped('charging.platform', hidden => '{ours,theirs}');

create function charging.own_platform() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into charging.platform (enterprise_id, name, operator_id, role, built_in) values (new.id, '本平台', lpad(new.id::text, 9, '0'), 3, true);
  return null;
end $$;
create trigger own_platform after insert on identity.enterprise for each row execute function charging.own_platform();
insert into charging.platform (enterprise_id, name, operator_id, role, built_in) select id, '本平台', lpad(id::text, 9, '0'), 3, true from identity.enterprise;

-- Whoever calls says their code; whose partner they are, their signature tells.
create function charging.partners_called(wanted text) returns table (enterprise_id integer, platform_id uuid, dialect smallint, ours text) stable language sql security definer set search_path = ''
  begin atomic select p.enterprise_id, p.id, p.dialect, p.ours from charging.platform p
    where p.operator_id = wanted and not p.deleted and not p.built_in and p.status = 1 and p.role in (1, 3) and p.ours is not null; end;

-- Tokens that we gave to partners. A stopped platform has none.
create table charging.partner_token (
  token_hash bytea not null, enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, expires_at timestamptz not null, primary key (enterprise_id, token_hash),
  foreign key (enterprise_id, platform_id) references charging.platform (enterprise_id, id));
create index partner_token_platform on charging.partner_token (enterprise_id, platform_id);
create index partner_token_expires on charging.partner_token (enterprise_id, expires_at);
select platform.scoped('charging.partner_token', audited => false);

-- What was said either way; what waits to be said. `line`: letters of one line leave in their order.
create table charging.partner_message (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, way smallint not null check (way in (1, 2)), interface text not null,
  connector_id text, order_no text, state smallint not null check (state in (0, 1, 2, 3)), ret integer, said text, answer text, line text not null default '', tries integer not null default 0 check (tries >= 0),
  next_at timestamptz, done_at timestamptz, version integer not null default 1, created_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, platform_id) references charging.platform (enterprise_id, id));
create index partner_message_created on charging.partner_message (enterprise_id, created_at desc, id desc);
create index partner_message_platform on charging.partner_message (enterprise_id, platform_id, created_at desc, id desc);
create index partner_message_line on charging.partner_message (enterprise_id, platform_id, line, id) where state = 0;
create index partner_message_dead on charging.partner_message (enterprise_id, platform_id, id) where state = 3;
create index partner_message_order on charging.partner_message (enterprise_id, order_no) where order_no is not null;
create index partner_message_connector on charging.partner_message (enterprise_id, connector_id, created_at desc) where connector_id is not null;
select platform.scoped('charging.partner_message', audited => false);

create view charging.platform_shown with (security_invoker = true) as
  select p.enterprise_id, p.id, p.name, p.operator_id, p.role, p.status, p.built_in, p.base_url, p.dialect, p.open_stations, p.credit_limit_fen, p.split_permille, p.ours is not null as has_ours, p.ours_at,
    p.theirs is not null as has_theirs, p.theirs_at, (select count(*) from charging.partner_message m where m.enterprise_id = p.enterprise_id and m.platform_id = p.id and m.state = 3)::integer as dead_letters,
    p.remark, p.version, p.created_at, p.updated_at
  from charging.platform p where not p.deleted;
grant select on charging.platform_shown to kerbline_app;

-- reduce_type: 1 share of the service fee, 2 off the service price, 3 minutes of parking, 4 an amount of parking, 5 free parking.
create table charging.platform_reduce (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, reduce_type smallint not null check (reduce_type between 1 and 5),
  status smallint not null default 1 check (status in (1, 2)), name text not null, value integer not null check (value >= 0), station_ids text[] not null default '{}', park_codes text[] not null default '{}',
  min_wh integer check (min_wh >= 0), min_minutes integer check (min_minutes >= 0), start_at timestamptz not null, end_at timestamptz not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, platform_id) references charging.platform (enterprise_id, id),
  constraint reduce_lasts check (end_at > start_at), constraint a_share_is_of_thousand check (reduce_type <> 1 or value <= 1000));
create index platform_reduce_created on charging.platform_reduce (enterprise_id, created_at desc, id desc);
create index platform_reduce_platform on charging.platform_reduce (enterprise_id, platform_id, reduce_type) where status = 1;
select platform.scoped('charging.platform_reduce');
create view charging.platform_reduce_shown with (security_invoker = true) as
  select r.*, p.name as platform_name from charging.platform_reduce r join charging.platform p on p.enterprise_id = r.enterprise_id and p.id = r.platform_id;
grant select on charging.platform_reduce_shown to kerbline_app;

-- state: 0 waits, 1 dispatched, 2 worked on, 3 recovered, 4 closed, 5 no fault. One fault of a kind is open at a connector.
create table charging.fault (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), fault_no text not null default platform.business_no('GZ'), connector_id text not null, station_id text not null,
  park_code text not null, code text not null, level smallint not null check (level between 1 and 4), source smallint not null check (source between 1 and 4),
  state smallint not null default 0 check (state between 0 and 5), description text, times integer not null default 1 check (times > 0), start_at timestamptz not null, end_at timestamptz, handler text, note text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint fault_ends check ((state in (3, 4, 5)) = (end_at is not null)));
create unique index fault_open on charging.fault (enterprise_id, connector_id, code) where state in (0, 1, 2);
create unique index fault_no on charging.fault (enterprise_id, fault_no);
create index fault_start on charging.fault (enterprise_id, start_at desc, id desc);
create index fault_connector on charging.fault (enterprise_id, connector_id, start_at desc);
create index fault_station on charging.fault (enterprise_id, station_id, start_at desc, id desc);
select platform.scoped('charging.fault');

-- state: 0 to be put right, 1 being put right, 2 to be reviewed, 3 closed, 4 overdue. `handler_id` did the work, and is not who reviews it.
create table charging.danger (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), danger_no text not null default platform.business_no('YH'), station_id text not null, connector_id text,
  park_code text not null, level smallint not null check (level between 1 and 4), kind smallint not null check (kind between 1 and 9), source smallint not null check (source in (1, 2, 3)),
  state smallint not null default 0 check (state between 0 and 4), found_at timestamptz not null, deadline timestamptz not null, description text, handler text, handler_id uuid, reviewer text, note text,
  closed_at timestamptz, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint closed_when check ((state = 3) = (closed_at is not null)), constraint in_time check (deadline >= found_at));
create unique index danger_no on charging.danger (enterprise_id, danger_no);
create unique index danger_measured on charging.danger (enterprise_id, connector_id, kind, level) where source = 1 and state <> 3;
create index danger_found on charging.danger (enterprise_id, found_at desc, id desc);
create index danger_station on charging.danger (enterprise_id, station_id, found_at desc, id desc);
create index danger_due on charging.danger (enterprise_id, deadline) where state in (0, 1);
select platform.scoped('charging.danger');

-- Partner platforms: theirs and ours, what is said between us, what is settled, and charges of our drivers at their stations.
create schema roaming;
select platform.opened('roaming');

-- Platforms of others, and our own. What is in `ours` and `theirs` is encrypted under a key that is not in the database.
create table roaming.platform (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), name text not null, operator_id text not null check (operator_id ~ '^[0-9A-Z]{9}$'),
  role smallint not null check (role in (1, 2, 3)), status smallint not null default 1 check (status in (1, 2)), built_in boolean not null default false, base_url text,
  dialect smallint not null default 1 check (dialect in (1, 2)), open_stations text[] not null default '{}', credit_limit_fen bigint not null default 0 check (credit_limit_fen >= 0),
  split_permille smallint not null default 0 check (split_permille between 0 and 1000), remark text, ours text, ours_at timestamptz, theirs text, theirs_at timestamptz,
  deleted boolean not null default false, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint our_own_is_in_use check (not built_in or status = 1));
create unique index platform_operator on roaming.platform (enterprise_id, operator_id) where not deleted;
create unique index platform_own on roaming.platform (enterprise_id) where built_in;
create index platform_created on roaming.platform (enterprise_id, created_at, id);
select platform.scoped('roaming.platform', hidden => '{ours,theirs}');

create function roaming.own_platform() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  insert into roaming.platform (enterprise_id, name, operator_id, role, built_in) values (new.id, '本平台', lpad(new.id::text, 9, '0'), 3, true);
  return null;
end $$;
create trigger own_platform after insert on identity.enterprise for each row execute function roaming.own_platform();

-- Tokens that we gave to partners. A stopped platform has none.
create table roaming.partner_token (
  token_hash bytea not null, enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, expires_at timestamptz not null, primary key (enterprise_id, token_hash),
  foreign key (enterprise_id, platform_id) references roaming.platform (enterprise_id, id));
create index partner_token_platform on roaming.partner_token (enterprise_id, platform_id);
create index partner_token_expires on roaming.partner_token (enterprise_id, expires_at);
select platform.scoped('roaming.partner_token', audited => false);

-- What was said either way; what waits to be said. `line`: letters of one line leave in their order.
create table roaming.partner_message (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, way smallint not null check (way in (1, 2)), interface text not null,
  connector_id text, order_no text, state smallint not null check (state in (0, 1, 2, 3, 4)), ret integer, said text, answer text, line text not null default '', tries integer not null default 0 check (tries >= 0),
  next_at timestamptz, done_at timestamptz, sendings jsonb not null default '[]', version integer not null default 1, created_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, platform_id) references roaming.platform (enterprise_id, id));
create index partner_message_created on roaming.partner_message (enterprise_id, created_at desc, id desc);
create index partner_message_platform on roaming.partner_message (enterprise_id, platform_id, created_at desc, id desc);
create index partner_message_line on roaming.partner_message (enterprise_id, platform_id, line, id) where state = 0;
create index partner_message_dead on roaming.partner_message (enterprise_id, platform_id, id) where state = 3;
create index partner_message_order on roaming.partner_message (enterprise_id, order_no) where order_no is not null;
create index partner_message_connector on roaming.partner_message (enterprise_id, connector_id, created_at desc) where connector_id is not null;
select platform.uncounted('roaming.partner_message');
select platform.scoped('roaming.partner_message', audited => false);

create view roaming.platform_shown with (security_invoker = true) as
  select p.enterprise_id, p.id, p.name, p.operator_id, p.role, p.status, p.built_in, p.base_url, p.dialect, p.open_stations, p.credit_limit_fen, p.split_permille, p.ours is not null as has_ours, p.ours_at,
    p.theirs is not null as has_theirs, p.theirs_at, (select count(*) from roaming.partner_message m where m.enterprise_id = p.enterprise_id and m.platform_id = p.id and m.state = 3)::integer as dead_letters,
    p.remark, p.version, p.created_at, p.updated_at
  from roaming.platform p where not p.deleted;
grant select on roaming.platform_shown to kerbline_app;

-- reduce_type: 1 share of the service fee, 2 off the service price, 3 minutes of parking, 4 an amount of parking, 5 free parking.
create table roaming.platform_reduce (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, reduce_type smallint not null check (reduce_type between 1 and 5),
  status smallint not null default 1 check (status in (1, 2)), name text not null, value integer not null check (value >= 0), station_ids text[] not null default '{}', park_codes text[] not null default '{}',
  min_wh integer check (min_wh >= 0), min_minutes integer check (min_minutes >= 0), start_at timestamptz not null, end_at timestamptz not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, platform_id) references roaming.platform (enterprise_id, id),
  constraint reduce_lasts check (end_at > start_at), constraint a_share_is_of_thousand check (reduce_type <> 1 or value <= 1000));
create index platform_reduce_created on roaming.platform_reduce (enterprise_id, created_at desc, id desc);
create index platform_reduce_platform on roaming.platform_reduce (enterprise_id, platform_id, reduce_type) where status = 1;
select platform.scoped('roaming.platform_reduce');
create view roaming.platform_reduce_shown with (security_invoker = true) as
  select r.*, p.name as platform_name from roaming.platform_reduce r join roaming.platform p on p.enterprise_id = r.enterprise_id and p.id = r.platform_id;
grant select on roaming.platform_reduce_shown to kerbline_app;

-- Parking that a charge takes off: once for a charge, once for a stay. `order_id` is the stay's order that holds it; while it is not used it may be let go again.
create table roaming.waiver (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_no text not null, stay_id uuid not null, order_id uuid not null, park_code text not null, reduce_id uuid not null,
  name text not null, amount_fen bigint not null check (amount_fen > 0), used_at timestamptz, created_at timestamptz not null default now(), primary key (enterprise_id, id),
  unique (enterprise_id, order_no), unique (enterprise_id, stay_id),
  foreign key (enterprise_id, order_no) references charging.charge (enterprise_id, order_no));
create index waiver_order on roaming.waiver (enterprise_id, order_id);
select platform.scoped('roaming.waiver', audited => false);
create view roaming.partner_bill with (security_invoker = true) as
  select b.enterprise_id, b.id, b.bill_no, b.order_no, c.start_charge_seq, c.platform_id::uuid as platform_id, b.park_code, b.station_id, c.connector_id, b.kind, b.final_at, b.energy_wh, b.elec_fen, b.service_fen,
    b.adjust_fen, b.partner_fen, b.reason
  from charging.bill b join charging.charge c on c.enterprise_id = b.enterprise_id and c.order_no = b.order_no where c.platform_id is not null;
grant select on roaming.partner_bill to kerbline_app;

-- One question to a partner: are these the charges of that day? state: 0 asked, 1 they agree, 2 they do not.
create table roaming.partner_check (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, day date not null, piece integer not null check (piece > 0), check_seq text not null,
  order_nos text[] not null, order_count integer not null check (order_count > 0), energy_wh bigint not null check (energy_wh >= 0), amount_fen bigint not null check (amount_fen >= 0),
  state smallint not null default 0 check (state in (0, 1, 2)), differences integer not null default 0 check (differences >= 0), answered_at timestamptz, created_at timestamptz not null default now(),
  primary key (enterprise_id, id), unique (enterprise_id, check_seq), unique (enterprise_id, platform_id, day, piece), foreign key (enterprise_id, platform_id) references roaming.platform (enterprise_id, id));
create index partner_check_day on roaming.partner_check (enterprise_id, day desc, id desc);
select platform.scoped('roaming.partner_check', audited => false);

-- A month of a partner. direction: 1 what it owes for its drivers here, 2 what we owe it for ours there. state: 0 draft, 1 sent, 2 with differences, 3 confirmed, 4 settled. Its sums are those of the bills of the month, which never change.
create table roaming.statement (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), statement_no text not null, platform_id uuid not null, direction smallint not null default 1 check (direction in (1, 2)),
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'), state smallint not null default 0 check (state between 0 and 4), orders integer not null check (orders >= 0), energy_wh bigint not null check (energy_wh >= 0), elec_fen bigint not null, service_fen bigint not null,
  adjust_fen bigint not null, split_permille smallint not null check (split_permille between 0 and 1000), split_fen bigint not null check (split_fen >= 0),
  net_fen bigint not null generated always as (elec_fen + service_fen + adjust_fen - split_fen) stored, sent_at timestamptz, sender_id text, sender_name text, confirmed_at timestamptz, confirmer_name text,
  settled_at timestamptz, settler_name text, trade_no text, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (enterprise_id, id), unique (enterprise_id, statement_no), unique (enterprise_id, platform_id, direction, month), foreign key (enterprise_id, platform_id) references roaming.platform (enterprise_id, id));
create index statement_month on roaming.statement (enterprise_id, month desc, id desc);
select platform.scoped('roaming.statement');

-- Charges that a partner has named of a time whose pages have not all come yet, for a day at most.
create table roaming.partner_page (
  enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, from_at timestamptz not null, to_at timestamptz not null, start_charge_seq text not null, at timestamptz not null,
  primary key (enterprise_id, platform_id, from_at, to_at, start_charge_seq), foreign key (enterprise_id, platform_id) references roaming.platform (enterprise_id, id));
select platform.scoped('roaming.partner_page', audited => false, key => 'start_charge_seq');

-- kind: 1 they have no such charge, 2 we have none, 3 energy, 4 amount, 5 state. state: 0 open, 1 ours stands, 2 theirs stands, 3 theirs is to be reviewed.
create table roaming.partner_difference (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, direction smallint not null default 1 check (direction in (1, 2)),
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'), day date not null, kind smallint not null check (kind between 1 and 5), start_charge_seq text not null, order_no text, our_wh bigint, their_wh bigint, our_fen bigint, their_fen bigint,
  state smallint not null default 0 check (state in (0, 1, 2, 3)), reason text, bill_no text, submitter_id text, submitter_name text, closed_at timestamptz, closed_by text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint closed_by_somebody check ((state in (0, 3)) = (closed_at is null)), constraint submitted_by_somebody check (state not in (2, 3) or submitter_id is not null), foreign key (enterprise_id, platform_id) references roaming.platform (enterprise_id, id));
create unique index partner_difference_open on roaming.partner_difference (enterprise_id, platform_id, start_charge_seq) where state in (0, 3);
create index partner_difference_month on roaming.partner_difference (enterprise_id, platform_id, month, id);
select platform.scoped('roaming.partner_difference');

create view roaming.statement_shown with (security_invoker = true) as
  select s.*, p.name as platform_name,
    (select count(*) from roaming.partner_difference d where d.enterprise_id = s.enterprise_id and d.platform_id = s.platform_id and d.direction = s.direction and d.month = s.month and d.state in (0, 3))::integer as open_differences
  from roaming.statement s join roaming.platform p on p.enterprise_id = s.enterprise_id and p.id = s.platform_id;
grant select on roaming.statement_shown to kerbline_app;

-- Stations of partners where our drivers charge, as each partner last told them. `heard_by`: 1 told without being asked, 2 asked for.
create table roaming.partner_station (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, station_id text not null, station_name text not null, operator_id text not null, address text not null,
  service_tel text, station_type smallint not null check (station_type in (1, 50, 100, 101, 102, 103, 255)), station_status smallint not null check (station_status in (0, 1, 5, 6, 50)),
  station_lng double precision not null, station_lat double precision not null, busine_hours text, park_fee text, heard_at timestamptz not null,
  primary key (enterprise_id, id), unique (enterprise_id, platform_id, station_id), foreign key (enterprise_id, platform_id) references roaming.platform (enterprise_id, id));
select platform.scoped('roaming.partner_station', audited => false);
create table roaming.partner_connector (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, station_id text not null, equipment_id text not null, connector_id text not null, connector_name text,
  connector_type smallint not null check (connector_type between 1 and 6), power double precision not null check (power >= 0), park_no text, heard_at timestamptz not null,
  status smallint not null default 0 check (status in (0, 1, 2, 3, 4, 255)), park_status smallint not null default 0 check (park_status in (0, 10, 50)), lock_status smallint not null default 0 check (lock_status in (0, 10, 50)),
  status_at timestamptz, heard_by smallint check (heard_by in (1, 2)), prices jsonb not null default '[]', priced_at timestamptz, price_asked_at timestamptz,
  primary key (enterprise_id, id), unique (enterprise_id, platform_id, connector_id),
  foreign key (enterprise_id, platform_id, station_id) references roaming.partner_station (enterprise_id, platform_id, station_id) on delete cascade);
create index partner_connector_station on roaming.partner_connector (enterprise_id, platform_id, station_id, connector_id);
select platform.uncounted('roaming.partner_connector');
select platform.scoped('roaming.partner_connector', audited => false);
-- How far each partner's stations were asked for: the next question is about what changed since `asked_at`; once in a while all of them are asked for.
create table roaming.partner_asked (
  enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, asked_at timestamptz, whole_at timestamptz, failure text, primary key (enterprise_id, platform_id),
  foreign key (enterprise_id, platform_id) references roaming.platform (enterprise_id, id));
select platform.scoped('roaming.partner_asked', audited => false, key => 'platform_id');
create view roaming.partner_gun with (security_invoker = true) as
  select c.*, p.name as platform_name, s.station_name, s.address, s.station_status, s.station_lng, s.station_lat, s.busine_hours, s.park_fee, s.service_tel, n.elec_price_e4, n.service_price_e4
  from roaming.partner_connector c join roaming.partner_station s on s.enterprise_id = c.enterprise_id and s.platform_id = c.platform_id and s.station_id = c.station_id
    join roaming.platform p on p.enterprise_id = c.enterprise_id and p.id = c.platform_id
    left join lateral (select (r ->> 'elecPriceE4')::integer as elec_price_e4, (r ->> 'servicePriceE4')::integer as service_price_e4 from jsonb_array_elements(c.prices) r
      order by (r ->> 'from') <= to_char(now() at time zone 'Asia/Shanghai', 'HH24:MI') desc, r ->> 'from' desc limit 1) n on true
  where not p.deleted;
grant select on roaming.partner_gun to kerbline_app;

-- A charge of a driver of ours at a partner's station. Money is set aside of the driver's stored value under `order_no`; `held`: it still is. `prices`: what was quoted when it began.
create table roaming.roaming (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_no text not null, start_charge_seq text not null, platform_id uuid not null, station_id text not null, station_name text not null,
  connector_id text not null, power_kw double precision not null, owner_id text not null, payer text not null, plate_no text, plate_color smallint check (plate_color between 0 and 7),
  status smallint not null default 0 check (status between 0 and 10), stop_reason smallint check (stop_reason between 0 and 13), fail_reason text, prices jsonb not null, start_time timestamptz, end_time timestamptz, energy_wh bigint not null default 0 check (energy_wh >= 0),
  elec_fen bigint not null default 0 check (elec_fen >= 0), service_fen bigint not null default 0 check (service_fen >= 0), cost_fen bigint not null generated always as (elec_fen + service_fen) stored,
  soc smallint check (soc between 0 and 100), said_at timestamptz, asked_at timestamptz, hold_fen bigint not null check (hold_fen > 0), held boolean not null default true,
  captured_fen bigint not null default 0 check (captured_fen >= 0), released_fen bigint not null default 0 check (released_fen >= 0), shortfall_fen bigint not null default 0 check (shortfall_fen >= 0),
  lines jsonb not null default '[]', doubts smallint[] not null default '{}', final_at timestamptz, agreed_fen bigint check (agreed_fen >= 0), agreed_note text, agreed_id text, agreed_name text, decided_name text,
  constraint agreed_by_somebody check ((agreed_fen is null) = (agreed_id is null)),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, order_no), unique (enterprise_id, start_charge_seq),
  foreign key (enterprise_id, platform_id) references roaming.platform (enterprise_id, id));
-- One car charges at a gun.
create unique index roaming_gun on roaming.roaming (enterprise_id, platform_id, connector_id) where status in (0, 1, 2, 3);
create index roaming_open on roaming.roaming (enterprise_id, created_at) where status in (0, 1, 2, 3, 4);
create index roaming_undone on roaming.roaming (enterprise_id, platform_id) where status in (0, 1, 2, 3, 4, 7);
create index roaming_created on roaming.roaming (enterprise_id, created_at desc, id desc);
create index roaming_owner on roaming.roaming (enterprise_id, owner_id, created_at desc);
select platform.uncounted('roaming.roaming');
select platform.scoped('roaming.roaming', audited => false);
select platform.plates_found('roaming.roaming');
create view roaming.roaming_shown with (security_invoker = true) as
  select r.*, p.name as platform_name from roaming.roaming r join roaming.platform p on p.enterprise_id = r.enterprise_id and p.id = r.platform_id;
grant select on roaming.roaming_shown to kerbline_app;

-- Whoever calls says their code; whose partner they are, their signature tells. One that is stopped is heard as long as charges of our drivers are not billed there.
create function roaming.partners_called(wanted text) returns table (enterprise_id integer, platform_id uuid, own_operator_id text, role smallint, stopped boolean, dialect smallint, ours text) stable language sql security definer set search_path = ''
  begin atomic select p.enterprise_id, p.id, own.operator_id, p.role, p.status <> 1, p.dialect, p.ours from roaming.platform p join roaming.platform own on own.enterprise_id = p.enterprise_id and own.built_in
    where p.operator_id = wanted and not p.deleted and not p.built_in and p.ours is not null
      and (p.status = 1 or exists (select from roaming.roaming r where r.enterprise_id = p.enterprise_id and r.platform_id = p.id and r.status in (0, 1, 2, 3, 4, 7))); end;

-- What a partner is owed for them: its bill as we agreed to it (1), and what was put right since (3). None ever changes.
create table roaming.roaming_bill (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), bill_no text not null, order_no text not null, platform_id uuid not null, kind smallint not null check (kind in (1, 2, 3)), final_at timestamptz not null,
  energy_wh bigint not null check (energy_wh >= 0), elec_fen bigint not null check (elec_fen >= 0), service_fen bigint not null check (service_fen >= 0), adjust_fen bigint not null default 0,
  captured_fen bigint not null default 0, waived_fen bigint not null default 0, arrears_fen bigint not null default 0 check (arrears_fen >= 0), reason text,
  constraint every_fen_is_somebodys check (captured_fen + waived_fen + arrears_fen = elec_fen + service_fen + adjust_fen),
  primary key (enterprise_id, id), unique (enterprise_id, bill_no), foreign key (enterprise_id, order_no) references roaming.roaming (enterprise_id, order_no));
create unique index roaming_bill_once on roaming.roaming_bill (enterprise_id, order_no) where kind = 1;
create index roaming_bill_final on roaming.roaming_bill (enterprise_id, platform_id, final_at);
select platform.scoped('roaming.roaming_bill', audited => false, append_only => true);

-- These are of charges at all parks together: who has fewer parks sees none of them.
create policy all_parks on roaming.roaming as restrictive using ((select scope_all_parks()));
create policy all_parks on roaming.roaming_bill as restrictive using ((select scope_all_parks()));
-- A driver sees their own.
create policy own on roaming.roaming as restrictive using ((select scope_driver() is null) or owner_id = (select scope_driver())::text);
create policy own on roaming.roaming_bill as restrictive using ((select scope_driver() is null));
create policy all_parks on roaming.statement as restrictive using ((select scope_all_parks()));
create policy all_parks on roaming.partner_page as restrictive using ((select scope_all_parks()));
create policy all_parks on roaming.partner_check as restrictive using ((select scope_all_parks()));
create policy all_parks on roaming.partner_difference as restrictive using ((select scope_all_parks()));

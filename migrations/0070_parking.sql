-- Parks, their areas, gates and lanes, and the stays of cars in them.
create schema parking;
select platform.opened('parking');

create table parking.park (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, name text not null,
  p_type smallint not null check (p_type in (1, 2, 3, 4)), region_code text not null, address text, lng double precision, lat double precision,
  total_bays integer not null check (total_bays >= 0), temp_bays integer not null default 0 check (temp_bays >= 0), pass_bays integer not null default 0 check (pass_bays >= 0),
  charge_bays integer not null default 0 check (charge_bays >= 0), disabled_bays integer not null default 0 check (disabled_bays >= 0),
  open_from text not null default '00:00', open_to text not null default '00:00', phone text, images text,
  filing_no text, filing_status smallint not null default 0 check (filing_status in (0, 1, 2, 3, 4)), filing_until date,
  status smallint not null default 1 check (status in (1, 2)),
  full_policy smallint not null default 1 check (full_policy in (1, 2, 3)), temp_allowed boolean not null default true,
  dup_entry smallint not null default 1 check (dup_entry in (1, 2, 3)),
  no_entry smallint not null default 1 check (no_entry in (1, 2, 3)), no_entry_fee_fen bigint not null default 1000 check (no_entry_fee_fen >= 0),
  entry_arrears smallint not null default 2 check (entry_arrears in (1, 2, 3)), entry_arrears_fen bigint not null default 20000 check (entry_arrears_fen >= 0),
  entry_arrears_count integer not null default 5 check (entry_arrears_count >= 0),
  exit_arrears smallint not null default 2 check (exit_arrears in (1, 2, 3)), exit_arrears_count integer not null default 10 check (exit_arrears_count > 0),
  rule_bind smallint not null default 1 check (rule_bind in (1, 2)), exit_grace_min integer not null default 15 check (exit_grace_min >= 0),
  fuzzy_auto boolean not null default true, count_pass_in_avail boolean not null default true, overstay_days integer not null default 30 check (overstay_days > 0),
  remainder_offset integer not null default 0, open_all_from timestamptz, open_all_by text, remark text, deleted boolean not null default false,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, park_code), check ((open_all_from is null) = (open_all_by is null)));
create index park_created on parking.park (enterprise_id, created_at, id);
create index park_name on parking.park using gin (name gin_trgm_ops);
select platform.scoped('parking.park');

create table parking.area (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, area_code text not null, name text not null,
  parent_area text, nested smallint not null default 0 check (nested in (0, 1)), total_bays integer not null check (total_bays >= 0),
  status smallint not null default 1 check (status in (1, 2)), remark text, deleted boolean not null default false,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, park_code, area_code), check (parent_area <> area_code),
  foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code),
  foreign key (enterprise_id, park_code, parent_area) references parking.area (enterprise_id, park_code, area_code));
create index area_code on parking.area (enterprise_id, area_code, id);
select platform.scoped('parking.area');

create table parking.gate (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, gate_code text not null, name text not null,
  direction smallint not null check (direction in (1, 2, 3)), area_from text, area_to text, lane integer not null default 1,
  camera_id text, barrier_id text, led_id text, status smallint not null default 1 check (status in (1, 2)), remark text, deleted boolean not null default false,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, gate_code), check (area_from <> area_to),
  foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code),
  foreign key (enterprise_id, park_code, area_from) references parking.area (enterprise_id, park_code, area_code),
  foreign key (enterprise_id, park_code, area_to) references parking.area (enterprise_id, park_code, area_code));
create index gate_park on parking.gate (enterprise_id, park_code, gate_code, id);
select platform.scoped('parking.gate');

create table parking.bay (
  enterprise_id integer not null default scope_enterprise(), park_code text not null, seat_code text not null, area_code text,
  primary key (enterprise_id, park_code, seat_code),
  foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code));
select platform.scoped('parking.bay', key => 'seat_code');

-- One visit of a car. `seen_at` orders the lists: it is never null, because who was seen neither coming nor going is no stay.
create table parking.stay (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, area_code text,
  plate_no text not null check (plate_no <> ''), plate_color smallint check (plate_color between 0 and 7), plate_original text,
  vehicle_class smallint not null check (vehicle_class in (1, 2, 3, 4, 5, 6, 9)),
  car_kind_in smallint not null check (car_kind_in in (1, 2, 5, 6, 7, 8, 9)), car_kind_out smallint check (car_kind_out in (1, 2, 5, 6, 7, 8, 9)),
  entry_gate text, entry_time timestamptz, entry_image text, entry_mode smallint check (entry_mode between 1 and 8),
  exit_gate text, exit_time timestamptz, exit_image text, exit_mode smallint check (exit_mode between 1 and 8), duration_min integer check (duration_min >= 0),
  seen_at timestamptz not null generated always as (coalesce(entry_time, exit_time)) stored,
  status smallint not null default 1 check (status in (1, 2, 3, 4, 9)), abnormal_type smallint not null default 0 check (abnormal_type between 0 and 9),
  pay_state smallint not null default 0 check (pay_state between 0 and 4),
  receivable_fen bigint not null default 0 check (receivable_fen >= 0), discount_fen bigint not null default 0 check (discount_fen >= 0),
  payable_fen bigint not null default 0 check (payable_fen = receivable_fen - discount_fen and payable_fen >= 0), paid_fen bigint not null default 0 check (paid_fen >= 0),
  -- What the paid orders of this stay were for: a later quote takes it off.
  settled_fen bigint not null default 0 check (settled_fen >= 0),
  order_id uuid, rule_version_id text, pass_id text, reserve_id text, charge_order_ids jsonb not null default '[]',
  -- After a payment the car may leave until then; backing out of the exit gives that time once more.
  grace_until timestamptz, grace_restarts smallint not null default 0,
  -- Read at the exit while the barrier was up for the car ahead.
  tailing boolean not null default false,
  operator_in text, operator_out text, offline smallint not null default 0 check (offline in (0, 1)), third_platform text,
  clearing_id uuid, corrected_from uuid, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  check (status <> 3 or exit_time is not null), check (status <> 4 or abnormal_type <> 0),
  foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code));
-- Own records only: every list says so, and a count then need not look at the rows.
create index stay_park_status on parking.stay (enterprise_id, park_code, status, seen_at desc, id desc) where third_platform is null;
create index stay_park on parking.stay (enterprise_id, park_code, seen_at desc, id desc) where third_platform is null;
create index stay_all on parking.stay (enterprise_id, seen_at desc, id desc) include (park_code) where third_platform is null;
create index stay_plate on parking.stay (enterprise_id, plate_no, seen_at desc, id desc) where third_platform is null;
create index stay_exit on parking.stay (enterprise_id, park_code, exit_time desc) where exit_time is not null and third_platform is null;
create index stay_open on parking.stay (enterprise_id, seen_at desc, id desc) include (park_code) where status in (1, 2) and third_platform is null;
create index stay_abnormal on parking.stay (enterprise_id, seen_at desc, id desc) include (park_code) where abnormal_type <> 0 and third_platform is null;
create index stay_third on parking.stay (enterprise_id, seen_at desc, id desc) where third_platform is not null;
create index stay_cleared on parking.stay (enterprise_id, clearing_id) where clearing_id is not null;
create unique index stay_corrected on parking.stay (enterprise_id, corrected_from) where corrected_from is not null;
select platform.scoped('parking.stay');

-- Which cars are inside, one row each: what must be unique while it lives stands here, small, however long the history of stays grows.
-- The trigger below writes it, nobody else does, so that it cannot drift from the stays.
create table parking.present (
  stay_id uuid primary key, enterprise_id integer not null, park_code text not null, plate_no text not null, plate_color smallint, area_code text, car_kind smallint not null,
  status smallint not null default 1,
  unique nulls not distinct (enterprise_id, park_code, plate_no, plate_color));
create index present_plate on parking.present (enterprise_id, plate_no);
select platform.scoped('parking.present', audited => false, append_only => true);
revoke insert on parking.present from kerbline_app;

create function parking.keep_present() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.status in (1, 2) and old.status in (1, 2) then
    update parking.present set plate_no = new.plate_no, plate_color = new.plate_color, area_code = new.area_code, car_kind = new.car_kind_in, status = new.status where stay_id = new.id;
  elsif new.status in (1, 2) then
    insert into parking.present values (new.id, new.enterprise_id, new.park_code, new.plate_no, new.plate_color, new.area_code, new.car_kind_in, new.status);
  else
    delete from parking.present where stay_id = new.id;
  end if;
  return null;
end $$;
create trigger came after insert on parking.stay for each row when (new.status in (1, 2) and new.third_platform is null) execute function parking.keep_present();
create trigger moved after update on parking.stay for each row
  when (new.third_platform is null and (old.status in (1, 2) or new.status in (1, 2))
    and (old.status, old.plate_no, old.plate_color, old.area_code, old.car_kind_in) is distinct from (new.status, new.plate_no, new.plate_color, new.area_code, new.car_kind_in))
  execute function parking.keep_present();

-- The way of a car through the areas of a park, where it has inner gates.
create table parking.segment (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, stay_id uuid not null,
  area_code text, gate_code text, from_time timestamptz not null, to_time timestamptz,
  foreign key (stay_id) references parking.stay (id));
create index segment_stay on parking.segment (enterprise_id, stay_id, from_time);
select platform.scoped('parking.segment', audited => false);

-- What lanes decided and which checks led there. Never changed: a person's answer is a decision of its own.
create table parking.decision (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), stay_id uuid, park_code text not null, gate_code text not null,
  direction smallint not null check (direction in (1, 2)), at timestamptz not null, received_at timestamptz not null default now(),
  plate_no text not null, plate_color smallint, confidence smallint, image text, outcome smallint not null check (outcome in (1, 2, 3, 4, 5)),
  checks jsonb not null, quote jsonb, message_id text, command_id text, by text, primary key (id, received_at)
) partition by range (received_at);
create table parking.decision_rest partition of parking.decision default;
insert into platform.monthly values ('parking.decision');
select platform.ensure_months();
create index decision_stay on parking.decision (enterprise_id, stay_id, received_at);
create index decision_park on parking.decision (enterprise_id, park_code, received_at desc, id desc);
create index decision_gate on parking.decision (enterprise_id, gate_code, received_at desc);
select platform.scoped('parking.decision', audited => false, append_only => true);

-- What stands at each gate now. Written with every event, so it is kept out of the audit stream; decisions hold the history.
create table parking.lane (
  enterprise_id integer not null default scope_enterprise(), park_code text not null, gate_code text not null, primary key (enterprise_id, gate_code),
  state smallint not null default 1 check (state in (1, 2, 3, 4, 5, 6)), since timestamptz, stay_id uuid, decision_id uuid, direction smallint,
  plate_no text, plate_color smallint, image text, due_fen bigint not null default 0, outcome smallint, checks jsonb not null default '[]', candidates jsonb not null default '[]',
  -- What the device read, so that a person's answer can be carried out as if it had been decided at once.
  asked jsonb,
  -- Under which name the barrier was told to open for this car, and what it last said itself.
  open_ref text, command_id uuid, gate_state text, gate_at timestamptz,
  foreign key (enterprise_id, gate_code) references parking.gate (enterprise_id, gate_code) on delete cascade);
create index lane_park on parking.lane (enterprise_id, park_code, gate_code);
create index lane_stay on parking.lane (enterprise_id, stay_id) where stay_id is not null;
select platform.scoped('parking.lane', audited => false);

-- What a lane did while it was cut off, by its own counting: a second upload changes nothing.
create table parking.replayed (
  enterprise_id integer not null default scope_enterprise(), park_code text not null, gate_code text not null, seq bigint not null, message_id text not null,
  at timestamptz not null, primary key (enterprise_id, gate_code, seq));
select platform.scoped('parking.replayed', audited => false, append_only => true);

create table parking.clearing (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, reason text not null, count integer not null,
  cleared_by text not null, cleared_at timestamptz not null default now(), reverted_at timestamptz);
create index clearing_at on parking.clearing (enterprise_id, cleared_at desc, id desc);
select platform.scoped('parking.clearing');

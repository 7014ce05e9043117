-- Parks, their areas, gates and lanes, and the stays of cars in them.
create schema parking;
select platform.opened('parking');

-- Whose a park is, and how it is let (subType): the maps and lists of parks are cut by it.
-- Who asked for a park's filing: another person decides it.
-- A district is a park of kind 2: how long a stay may wait for its plate, and how long a debt waits before its driver is reminded.
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
  sub_type smallint not null default 1 check (sub_type in (1, 2, 3)),
  -- A bill above it is looked at by a person before anybody pays.
  bill_max_fen bigint not null default 100000 check (bill_max_fen > 0),
  filing_by uuid,
  plate_fill_min integer not null default 30 check (plate_fill_min between 1 and 1440), pay_grace_hours integer not null default 24 check (pay_grace_hours between 0 and 720),
  unique (enterprise_id, park_code), check ((open_all_from is null) = (open_all_by is null)));
create index park_created on parking.park (enterprise_id, created_at, id);
create index park_name on parking.park using gin (name gin_trgm_ops);
select platform.scoped('parking.park');

-- When all barriers of a park stood open, and who had them opened: an exit that is told afterwards goes by its own time.
create table parking.emergency (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null,
  from_time timestamptz not null, to_time timestamptz, opened_by text not null, check (to_time >= from_time),
  foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code));
create unique index emergency_open on parking.emergency (enterprise_id, park_code) where to_time is null;
create index emergency_park on parking.emergency (enterprise_id, park_code, from_time);
select platform.scoped('parking.emergency', audited => false);

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

-- What the sign of a gate shows at each event: with the gate, because a lane reads it with every car.
create table parking.gate (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, gate_code text not null, name text not null,
  direction smallint not null check (direction in (1, 2, 3)), area_from text, area_to text, lane integer not null default 1,
  camera_id text, barrier_id text, led_id text, status smallint not null default 1 check (status in (1, 2)), remark text, deleted boolean not null default false,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  programs jsonb not null default '[]' check (jsonb_typeof(programs) = 'array' and jsonb_array_length(programs) <= 6),
  -- Whoever locked its barrier: nothing opens it until it is unlocked.
  locked_by text,
  unique (enterprise_id, gate_code), check (area_from <> area_to),
  foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code),
  foreign key (enterprise_id, park_code, area_from) references parking.area (enterprise_id, park_code, area_code),
  foreign key (enterprise_id, park_code, area_to) references parking.area (enterprise_id, park_code, area_code));
create index gate_park on parking.gate (enterprise_id, park_code, gate_code, id);
select platform.scoped('parking.gate');

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
  pay_state smallint not null default 0 check (pay_state between 0 and 5),
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
create index stay_exit on parking.stay (enterprise_id, park_code, exit_time desc) where exit_time is not null and third_platform is null;
create index stay_open on parking.stay (enterprise_id, seen_at desc, id desc) include (park_code) where status in (1, 2) and third_platform is null;
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
  -- Where what is due is not the fee of the stay, due_order_id is the order that asks it.
  plate_no text, plate_color smallint, image text, due_fen bigint not null default 0, due_order_id uuid, outcome smallint, checks jsonb not null default '[]', candidates jsonb not null default '[]',
  -- What the device read, so that a person's answer can be carried out as if it had been decided at once.
  asked jsonb,
  -- Under which name the barrier was told to open for this car, and what it last said itself.
  open_ref text, command_id uuid, gate_state text, gate_at timestamptz,
  -- A person keeps its barrier open since and until then; where it comes down meanwhile, it is over.
  kept_open_from timestamptz, kept_open_until timestamptz,
  foreign key (enterprise_id, gate_code) references parking.gate (enterprise_id, gate_code) on delete cascade);
create index lane_park on parking.lane (enterprise_id, park_code, gate_code);
create index lane_stay on parking.lane (enterprise_id, stay_id) where stay_id is not null;
select platform.scoped('parking.lane', audited => false);

-- What a lane did while it was cut off, by its own counting: a second upload changes nothing.
-- A lane that was reset may tell of another car under a number that it used minutes before: two plates are two events. Null: told before this was kept.
create table parking.replayed (
  enterprise_id integer not null default scope_enterprise(), park_code text not null, gate_code text not null, seq bigint not null, message_id text not null,
  at timestamptz not null,
  plate_no text, primary key (enterprise_id, gate_code, seq));
select platform.scoped('parking.replayed', audited => false, append_only => true);

-- state: 0 waiting for another person, 1 cleared, 2 rejected, 3 withdrawn.
create table parking.clearing (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, reason text not null, count integer not null,
  amount_fen bigint not null check (amount_fen >= 0), state smallint not null check (state in (0, 1, 2, 3)),
  applicant_id uuid not null, cleared_by text not null, approver_id uuid, approver_name text, verdict text, applied_at timestamptz not null, cleared_at timestamptz, reverted_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  check ((state = 1) = (cleared_at is not null)), constraint maker_is_not_checker check (applicant_id is distinct from approver_id));
create index clearing_applied on parking.clearing (enterprise_id, applied_at desc, id desc);
create index clearing_by on parking.clearing (enterprise_id, applicant_id, cleared_at);
select platform.scoped('parking.clearing');
-- Its cars and what each had to pay: until it is made those that were asked for, then those that it let go. Their stays tell the rest of them, and the log of what changed.
create table parking.clearing_car (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, clearing_id uuid not null, stay_id uuid not null,
  due_fen bigint not null check (due_fen >= 0), unpriced boolean not null, unique (enterprise_id, clearing_id, stay_id),
  foreign key (clearing_id) references parking.clearing (id), foreign key (stay_id) references parking.stay (id));
create index clearing_car_due on parking.clearing_car (enterprise_id, clearing_id, due_fen desc, id desc);
select platform.scoped('parking.clearing_car', audited => false);

-- Whether any enterprise has a park in a region: who edits regions sees only the parks of their own.
create function parking.region_is_used(of_code text) returns boolean stable language sql security definer set search_path = ''
  begin atomic select exists (select from parking.park where region_code = of_code and not deleted); end;
grant execute on function parking.region_is_used to kerbline_app;
create index gate_code on parking.gate (enterprise_id, gate_code);
create index park_begins on parking.park (enterprise_id, name);

-- Few rows, each changed with every car: room beside each row keeps its new version on the same page, and what is dead is taken away soon.
alter table parking.lane set (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
-- The stays that are under way, and the commands that wait: their indexes must not fill with what is over.
alter table parking.present set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);

-- How many cars are inside is asked with every car that comes: counted from the index alone, whatever else lies between the rows of one park.
alter table parking.present
  drop constraint present_enterprise_id_park_code_plate_no_plate_color_key,
  add constraint present_enterprise_id_park_code_plate_no_plate_color_key unique nulls not distinct (enterprise_id, park_code, plate_no, plate_color) include (car_kind, status, area_code);
alter table parking.present set (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 500);

-- How many stays are in arrears stands above the record list whenever it is opened: few rows that were looked for among all of them.
create index stay_owing on parking.stay (enterprise_id, seen_at desc, id desc) include (park_code) where pay_state = 4 and third_platform is null;

-- A lane that was replaced or reset counts from one again. What it tells under a number that was used long before is another event, and the number is its from then on.
grant update (message_id, at) on parking.replayed to kerbline_app;
grant update (plate_no) on parking.replayed to kerbline_app;
create index stay_park on parking.stay (enterprise_id, park_code, seen_at desc, id desc) include (status) where third_platform is null;
create index stay_abnormal on parking.stay (enterprise_id, seen_at desc, id desc) include (park_code, status) where abnormal_type <> 0 and third_platform is null;

-- Codes that are printed and hung up. Whoever scans one stands at its place; a park's code alone says nothing, since two enterprises may use the same one.
-- short_code is unique over all enterprises. Prints of the versions from oldest_no on are good.
create function parking.new_short_code() returns text language sql volatile as $$
  select left(translate(encode(sha256(uuid_send(gen_random_uuid())), 'base64'), '+/=0OIl', 'abcdefg'), 10) $$;
create table parking.qrcode (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), target smallint not null check (target between 1 and 4), target_code text not null,
  park_code text not null, short_code text not null default parking.new_short_code(), version_no integer not null default 1 check (version_no > 0),
  oldest_no integer not null default 1 check (oldest_no between 1 and version_no), land_url text, status smallint not null default 1 check (status in (1, 2)), scans bigint not null default 0,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id));
create unique index qrcode_short on parking.qrcode (short_code);
create unique index qrcode_of on parking.qrcode (enterprise_id, park_code, target, target_code);
select platform.scoped('parking.qrcode');

-- Every park, gate and bay has its code from the beginning.
create function parking.give_qrcode() returns trigger language plpgsql as $$
begin
  insert into parking.qrcode (enterprise_id, target, target_code, park_code)
    values (new.enterprise_id, tg_argv[0]::smallint, to_jsonb(new) ->> tg_argv[1], new.park_code) on conflict do nothing;
  return null;
end $$;
-- What is deleted for good leaves no code behind.
create function parking.take_qrcode() returns trigger language plpgsql as $$
begin
  delete from parking.qrcode where enterprise_id = old.enterprise_id and park_code = old.park_code and target = tg_argv[0]::smallint and target_code = to_jsonb(old) ->> tg_argv[1];
  return null;
end $$;
create trigger qrcode after insert on parking.park for each row execute function parking.give_qrcode('1', 'park_code');
create trigger qrcode after insert on parking.gate for each row execute function parking.give_qrcode('2', 'gate_code');

-- The key never leaves the database; the application cannot read it.
create table parking.qr_key (key bytea not null check (length(key) = 64));
insert into parking.qr_key select sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())) || sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
revoke all on parking.qr_key from kerbline_app;

-- HMAC-SHA256 (RFC 2104) over shortCode.versionNo, its first 16 characters in base64url. The key is one block long.
create function parking.qr_signature(of_short text, of_version integer) returns text language plpgsql stable security definer set search_path = '' as $$
declare inside bytea; outside bytea;
begin
  select k.key, k.key into inside, outside from parking.qr_key k;
  for i in 0..63 loop
    inside := set_byte(inside, i, get_byte(inside, i) # 54);
    outside := set_byte(outside, i, get_byte(outside, i) # 92);
  end loop;
  return translate(left(encode(sha256(outside || sha256(inside || convert_to(of_short || '.' || of_version, 'UTF8'))), 'base64'), 16), '+/', '-_');
end $$;

-- Where a code hangs, if it is one of ours and still good. A stranger has no enterprise: this is how one is found.
create function parking.scanned(of_code text) returns table (enterprise_id integer, park_code text, target smallint, target_code text)
language plpgsql stable security definer set search_path = '' as $$
declare parts text[] := string_to_array(of_code, '.');
begin
  if of_code !~ '^[A-Za-z0-9]{10}[.][1-9][0-9]{0,6}[.][A-Za-z0-9_-]{16}$' or parts[3] <> parking.qr_signature(parts[1], parts[2]::integer) then return; end if;
  return query select q.enterprise_id, q.park_code, q.target, q.target_code from parking.qrcode q
    where q.short_code = parts[1] and q.status = 1 and parts[2]::integer between q.oldest_no and q.version_no;
end $$;
create index stay_plate on parking.stay (enterprise_id, plate_no, seen_at desc, id desc) include (park_code, status) where third_platform is null;
select platform.plates_found('parking.stay');
select platform.binned_by_mark('parking.park');
select platform.binned_by_mark('parking.area');
select platform.binned_by_mark('parking.gate');

-- Calls from the help buttons of lanes, as the call centre tells them or as somebody wrote them down.
create table parking.call_out (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, gate_code text not null,
  call_id text not null, source smallint not null check (source in (1, 2)), caller text, agent text,
  start_at timestamptz not null, answer_at timestamptz, end_at timestamptz, wait_sec integer generated always as (case when answer_at is not null then greatest(0, floor(extract(epoch from answer_at - start_at)))::integer end) stored,
  result smallint check (result between 1 and 5), stay_id uuid, record_url text, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, call_id), foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code),
  foreign key (enterprise_id, gate_code) references parking.gate (enterprise_id, gate_code)
);
create index call_out_at on parking.call_out (enterprise_id, start_at desc, id desc);
create index call_out_gate on parking.call_out (enterprise_id, gate_code, start_at desc, id desc);
create index call_out_ringing on parking.call_out (enterprise_id, start_at) where result is null and answer_at is null;
select platform.scoped('parking.call_out');

-- Bills that cannot be right: no money moves before a person has looked. One waits for each stay.
create table parking.held_bill (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, stay_id uuid not null, plate_no text,
  why smallint not null check (why between 1 and 4), amount_fen bigint not null, limit_fen bigint, parked_min integer not null check (parked_min >= 0), held_at timestamptz not null,
  state smallint not null default 0 check (state in (0, 1, 2, 3, 4)), set_fen bigint check (set_fen >= 0), reason text, decided_by text, decided_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  check ((state = 0) = (decided_at is null)), check ((state in (2, 3)) = (set_fen is not null)),
  foreign key (stay_id) references parking.stay (id), foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code));
create unique index held_bill_waiting on parking.held_bill (enterprise_id, stay_id) where state = 0;
create index held_bill_stay on parking.held_bill (enterprise_id, stay_id, held_at desc);
create index held_bill_at on parking.held_bill (enterprise_id, held_at desc, id desc);
select platform.scoped('parking.held_bill');

-- How long a car that had paid at an exit stood there until it had passed: one row each, the last payment counts.
create table parking.pass_time (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, gate_code text not null, stay_id uuid not null, plate_no text not null,
  order_no text not null, paid_at timestamptz not null, passed_at timestamptz check (passed_at >= paid_at),
  seconds integer generated always as (floor(extract(epoch from passed_at - paid_at))::integer) stored,
  unique (enterprise_id, stay_id), foreign key (stay_id) references parking.stay (id), foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code));
create index pass_time_paid on parking.pass_time (enterprise_id, paid_at desc, id desc);
create index pass_time_passed on parking.pass_time (enterprise_id, park_code, passed_at) include (seconds);
select platform.scoped('parking.pass_time', audited => false);

-- The number under which another platform keeps a stay: told twice it is one record.
create table parking.third_record (
  enterprise_id integer not null default scope_enterprise(), platform text not null, third_no text not null, park_code text not null, stay_id uuid not null,
  primary key (enterprise_id, platform, third_no)
);
select platform.scoped('parking.third_record', audited => false, key => 'third_no');
alter table parking.qrcode drop column scans, add column photo text;

-- Beside the code: a scan is no change of it and no line in the log of changes.
create table parking.qrcode_scan (
  enterprise_id integer not null, qrcode_id uuid not null, scans bigint not null, primary key (enterprise_id, qrcode_id),
  foreign key (enterprise_id, qrcode_id) references parking.qrcode (enterprise_id, id) on delete cascade);
select platform.scoped('parking.qrcode_scan', audited => false);
revoke insert, update, delete on parking.qrcode_scan from kerbline_app;

create view parking.qrcode_shown with (security_invoker = true) as
  select q.*, q.short_code || '.' || q.version_no || '.' || parking.qr_signature(q.short_code, q.version_no) as code,
    coalesce(case q.target
      when 1 then (select p.name from parking.park p where p.enterprise_id = q.enterprise_id and p.park_code = q.park_code)
      when 2 then (select g.name from parking.gate g where g.enterprise_id = q.enterprise_id and g.park_code = q.park_code and g.gate_code = q.target_code)
    end, q.target_code) as name,
    coalesce((select s.scans from parking.qrcode_scan s where s.enterprise_id = q.enterprise_id and s.qrcode_id = q.id), 0) as scans
  from parking.qrcode q;
grant select on parking.qrcode_shown to kerbline_app;

-- A stranger scans a code: it is counted, and where it hangs and leads to is answered. A code that is not good counts nothing and answers nothing.
create function parking.visit(of_code text) returns table (park_name text, target smallint, place_name text, land_url text)
language sql volatile security definer set search_path = '' as $$
  with code as (
    select q.* from parking.scanned(of_code) s
    join parking.qrcode q on q.enterprise_id = s.enterprise_id and q.park_code = s.park_code and q.target = s.target and q.target_code = s.target_code),
  counted as (
    insert into parking.qrcode_scan as s (enterprise_id, qrcode_id, scans) select c.enterprise_id, c.id, 1 from code c
    on conflict (enterprise_id, qrcode_id) do update set scans = s.scans + 1)
  select p.name, c.target, coalesce(g.name, c.target_code), c.land_url from code c join parking.park p on p.enterprise_id = c.enterprise_id and p.park_code = c.park_code
    left join parking.gate g on c.target = 2 and g.enterprise_id = c.enterprise_id and g.park_code = c.park_code and g.gate_code = c.target_code $$;
select platform.uncounted('parking.gate');

-- The stays that one fee rule priced, found without those of all other rules. A stay comes into it once, when it ends.
create index stay_rule on parking.stay (enterprise_id, rule_version_id, seen_at, id) where status = 3 and third_platform is null;

-- A stay on the street belongs to a berth and not to gates. A sensor sees a car before anybody sees its plate, so there the plate may come later.
alter table parking.stay
  add column p_type smallint not null default 1 check (p_type in (1, 2)),
  add column section_code text, add column seat_code text,
  alter column plate_no drop not null,
  add constraint stay_of_a_berth check ((p_type = 2) = (seat_code is not null) and (p_type = 2) = (section_code is not null)),
  add constraint stay_has_a_plate check (plate_no is not null or p_type = 2),
  drop constraint stay_abnormal_type_check,
  add constraint stay_abnormal_type_check check (abnormal_type between 0 and 12);
create index stay_all on parking.stay (enterprise_id, seen_at desc, id desc) include (park_code, status, p_type) where third_platform is null;
create index stay_berth on parking.stay (enterprise_id, park_code, seat_code, seen_at desc, id desc) where seat_code is not null;
create index stay_pending on parking.stay (enterprise_id, park_code, seat_code) where status = 4 and seat_code is not null;
create index stay_road on parking.stay (enterprise_id, seen_at desc, id desc) include (park_code, status, section_code) where p_type = 2;
-- Each had stood there so long when it was told what it owed.
create view parking.cleared_car with (security_invoker = true) as
  select c.id, c.enterprise_id, c.park_code, c.clearing_id, c.stay_id, s.plate_no, s.plate_color, s.seat_code, s.entry_time,
    extract(epoch from greatest(coalesce(k.cleared_at, k.applied_at), s.entry_time) - s.entry_time)::integer / 60 as duration_min, s.status, c.due_fen, c.unpriced
  from parking.clearing_car c join parking.clearing k on k.id = c.clearing_id join parking.stay s on s.id = c.stay_id;
grant select on parking.cleared_car to kerbline_app;

-- Off the street a car is inside once for each park, on the street once for each berth.
alter table parking.present
  add column seat_code text,
  alter column plate_no drop not null,
  drop constraint present_enterprise_id_park_code_plate_no_plate_color_key,
  add constraint present_once unique nulls not distinct (enterprise_id, park_code, plate_no, plate_color, seat_code) include (car_kind, status, area_code);
create unique index present_berth on parking.present (enterprise_id, park_code, seat_code) where seat_code is not null;

create or replace function parking.keep_present() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.status in (1, 2) and old.status in (1, 2) then
    update parking.present set plate_no = new.plate_no, plate_color = new.plate_color, area_code = new.area_code, car_kind = new.car_kind_in, status = new.status where stay_id = new.id;
  elsif new.status in (1, 2) then
    insert into parking.present (stay_id, enterprise_id, park_code, plate_no, plate_color, area_code, car_kind, status, seat_code)
      values (new.id, new.enterprise_id, new.park_code, new.plate_no, new.plate_color, new.area_code, new.car_kind_in, new.status, new.seat_code);
  else
    delete from parking.present where stay_id = new.id;
  end if;
  return null;
end $$;

-- All that is known of one plate, telephone or number is asked for while somebody waits: each kind of record is found by an index.
create index decision_plate on parking.decision (enterprise_id, plate_no, received_at desc);

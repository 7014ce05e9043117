-- Charging piles: who runs them, where they stand, what a kilowatt hour costs, who charged and who paid.
create schema charging;
select platform.opened('charging');

create table charging.operator (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), operator_id text not null check (operator_id ~ '^[0-9A-Z]{9}$'), operator_name text not null,
  operator_tel1 text not null, operator_tel2 text, reg_address text, note text, own boolean not null default false, status smallint not null default 1 check (status in (1, 2)),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, operator_id));
create index operator_created on charging.operator (enterprise_id, created_at, id);
create unique index operator_own on charging.operator (enterprise_id) where own;
select platform.scoped('charging.operator');

create table charging.station (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), station_id text not null, station_name text not null, operator_id text not null, equipment_owner_id text,
  park_code text not null, region_code text not null, address text not null, station_tel text, service_tel text not null,
  station_type smallint not null default 1 check (station_type in (1, 50, 100, 101, 102, 103, 255)), station_status smallint not null default 1 check (station_status in (0, 1, 5, 6, 50)),
  park_nums integer not null default 0 check (park_nums >= 0), station_lng double precision not null, station_lat double precision not null, site_guide text,
  construction smallint not null default 255 check (construction in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 255)), pictures text, match_cars text, park_info text, busine_hours text not null default '00:00-24:00',
  park_fee text, payment text, remark text, prepay_fen bigint not null default 5000 check (prepay_fen between 500 and 100000), limit_w integer check (limit_w >= 0),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, station_id),
  foreign key (enterprise_id, operator_id) references charging.operator (enterprise_id, operator_id), foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code));
create index station_created on charging.station (enterprise_id, created_at, id);
create index station_operator on charging.station (enterprise_id, operator_id);
create index station_park on charging.station (enterprise_id, park_code);
select platform.scoped('charging.station');

-- A pile keeps the nameplate that partners read and, in the same row, the device. What its link says of it stands apart: it changes with every sign of life.
create table charging.equipment (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), equipment_id text not null, equipment_name text not null, station_id text not null, park_code text not null,
  equipment_type smallint not null check (equipment_type between 1 and 5), power double precision not null check (power > 0), manufacturer_id text, manufacturer_name text, equipment_model text,
  production_date date, lng double precision, lat double precision, admin_status smallint not null default 4 check (admin_status in (1, 2, 3, 4, 9)), charge_point_id text,
  protocol smallint check (protocol in (1, 2, 3)), security_profile smallint not null default 1 check (security_profile between 0 and 3), meter_kind smallint not null default 1 check (meter_kind in (1, 2)),
  time_mode smallint not null default 1 check (time_mode in (1, 2)), load_priority smallint not null default 5 check (load_priority between 0 and 9), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, equipment_id),
  constraint linked_by_a_protocol check ((charge_point_id is null) = (protocol is null)),
  foreign key (enterprise_id, station_id) references charging.station (enterprise_id, station_id), foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code));
-- A pile says no more than its name when it connects: one name is one pile, of whichever enterprise.
create unique index equipment_point on charging.equipment (charge_point_id);
create index equipment_created on charging.equipment (enterprise_id, created_at, id);
create index equipment_station on charging.equipment (enterprise_id, station_id, created_at, id);
select platform.scoped('charging.equipment');

create table charging.pile_state (
  enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null, online boolean not null default false, last_seen_at timestamptz, connected_at timestamptz,
  boot_at timestamptz, vendor text, model text, serial_no text, firmware text, skew_sec integer, fault_count integer not null default 0 check (fault_count >= 0), primary key (enterprise_id, equipment_id),
  foreign key (enterprise_id, equipment_id) references charging.equipment (enterprise_id, equipment_id) on delete cascade);
select platform.scoped('charging.pile_state', audited => false);

create table charging.connector (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), connector_id text not null, connector_name text, equipment_id text not null, station_id text not null,
  park_code text not null, connector_type smallint not null check (connector_type between 1 and 6), voltage_upper integer not null check (voltage_upper >= 0), voltage_lower integer not null check (voltage_lower >= 0),
  current integer not null check (current >= 0), power double precision not null check (power > 0), park_no text, national_standard smallint not null default 2 check (national_standard in (1, 2)),
  ocpp_connector_no integer not null check (ocpp_connector_no > 0), evse_id integer check (evse_id > 0), seat_code text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, connector_id),
  constraint voltages check (voltage_lower <= voltage_upper),
  foreign key (enterprise_id, equipment_id) references charging.equipment (enterprise_id, equipment_id), foreign key (enterprise_id, station_id) references charging.station (enterprise_id, station_id));
create unique index connector_number on charging.connector (enterprise_id, equipment_id, coalesce(evse_id, 0), ocpp_connector_no);
create index connector_created on charging.connector (enterprise_id, created_at, id);
create index connector_station on charging.connector (enterprise_id, station_id, created_at, id);
select platform.scoped('charging.connector');

create table charging.connector_state (
  enterprise_id integer not null default scope_enterprise(), connector_id text not null, park_code text not null, status smallint not null default 0 check (status in (0, 1, 2, 3, 4, 255)), status_raw text,
  status_at timestamptz, park_status smallint not null default 0 check (park_status in (0, 10, 50)), lock_status smallint not null default 0 check (lock_status in (0, 10, 50)), error_code text,
  meter_wh bigint check (meter_wh >= 0), meter_at timestamptz, power_w integer, soc smallint check (soc between 0 and 100), primary key (enterprise_id, connector_id),
  foreign key (enterprise_id, connector_id) references charging.connector (enterprise_id, connector_id) on delete cascade);
select platform.scoped('charging.connector_state', audited => false);

-- Every change of what a gun says; the same state said again is none.
create table charging.status_change (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), connector_id text not null, park_code text not null, status smallint not null check (status in (0, 1, 2, 3, 4, 255)),
  raw text, error_code text, at timestamptz not null, received_at timestamptz not null, primary key (enterprise_id, id));
create index status_change_of on charging.status_change (enterprise_id, connector_id, at desc, id desc);
select platform.scoped('charging.status_change', audited => false, append_only => true);

-- One row is one version of a price table. A published one never changes but for its end and its state.
create table charging.strategy (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), table_id uuid not null, version_no integer not null default 1 check (version_no > 0), name text not null,
  status smallint not null default 0 check (status in (0, 1, 2)), periods jsonb not null, idle_grace_min integer not null default 15 check (idle_grace_min >= 0),
  occupy_fen_per_min bigint not null default 0 check (occupy_fen_per_min >= 0), occupy_cap_fen bigint not null default 0 check (occupy_cap_fen >= 0), quiet_from text not null default '23:00', quiet_to text not null default '07:00',
  effective_from timestamptz, effective_to timestamptz, station_ids jsonb not null default '[]', published_name text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, table_id, version_no),
  constraint published_from check (status = 0 or effective_from is not null), constraint effective check (effective_to is null or effective_to >= effective_from));
create index strategy_created on charging.strategy (enterprise_id, created_at desc, id desc);
select platform.uncounted('charging.strategy');
select platform.scoped('charging.strategy');
create function charging.keep_published() returns trigger language plpgsql as $$
declare may_change text[] := '{status,effective_to,version,updated_at}';
begin
  if tg_op = 'DELETE' then
    if old.status <> 0 then raise exception using errcode = 'check_violation', message = 'A published price table stays.'; end if;
    return old;
  end if;
  if old.status <> 0 and (to_jsonb(old) - may_change <> to_jsonb(new) - may_change or new.status < old.status) then
    raise exception using errcode = 'check_violation', message = 'A published price table never changes: make a new version.';
  end if;
  return new;
end $$;
create trigger kept before update or delete on charging.strategy for each row execute function charging.keep_published();

-- Which price holds at a station, and when: never two at once.
create table charging.station_price (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), station_id text not null, park_code text not null, strategy_id uuid not null, from_at timestamptz not null, to_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint one_price exclude using gist (enterprise_id with =, station_id with =, tstzrange(from_at, to_at) with &&), constraint in_order check (to_at is null or to_at >= from_at),
  foreign key (enterprise_id, strategy_id) references charging.strategy (enterprise_id, id), foreign key (enterprise_id, station_id) references charging.station (enterprise_id, station_id));
create index station_price_strategy on charging.station_price (enterprise_id, strategy_id);
select platform.scoped('charging.station_price');

create table charging.strategy_user (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), strategy_id uuid, name text not null, user_kind smallint not null check (user_kind between 1 and 5), user_key text not null,
  service_permille integer not null check (service_permille between 0 and 1000), elec_permille integer not null default 1000 check (elec_permille between 0 and 1000),
  valid_from timestamptz not null, valid_to timestamptz not null, used_count integer not null default 0 check (used_count >= 0), saved_fen bigint not null default 0 check (saved_fen >= 0),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), constraint valid check (valid_to > valid_from),
  constraint strategy_user_once exclude using gist (enterprise_id with =, coalesce(strategy_id, '00000000-0000-0000-0000-000000000000'::uuid) with =, user_kind with =, user_key with =, tstzrange(valid_from, valid_to) with &&));
create index strategy_user_created on charging.strategy_user (enterprise_id, created_at desc, id desc);
create index strategy_user_of on charging.strategy_user (enterprise_id, user_kind, user_key);
select platform.scoped('charging.strategy_user');

create table charging.card (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), card_no text not null, kind smallint not null check (kind in (1, 2, 3)), owner_id text, unit text,
  credit_fen bigint not null default 0 check (credit_fen >= 0), holder_name text, plate_no text, status smallint not null default 1 check (status in (1, 2, 3)), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, card_no),
  constraint owner_of_personal check ((kind = 1) = (owner_id is not null)), constraint unit_of_company check ((kind = 2) = (unit is not null)), constraint credit_of_company check (kind = 2 or credit_fen = 0));
create index card_created on charging.card (enterprise_id, created_at desc, id desc);
create index card_unit on charging.card (enterprise_id, unit) where unit is not null;
select platform.scoped('charging.card');
select platform.plates_found('charging.card');

-- One charge. `claimed`: it has the gun, which one order has at a time. `token` starts it at the pile, once.
create table charging.charge (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_no text not null, start_charge_seq text not null, park_code text not null, station_id text not null,
  equipment_id text not null, connector_id text not null, start_mode smallint not null check (start_mode between 1 and 6), owner_id text, card_no text, platform_id text, partner_operator_id text,
  plate_no text, plate_color smallint check (plate_color between 0 and 7), vin text, id_tag text, token text, start_no integer, door_key text, transaction_id text,
  status smallint not null default 0 check (status between 0 and 10), claimed boolean not null default false, stop_reason smallint check (stop_reason between 0 and 13), fail_reason text,
  start_time timestamptz not null, end_time timestamptz, accepted_at timestamptz, stop_asked_at timestamptz, ended_at timestamptz, final_due_at timestamptz,
  start_wh bigint check (start_wh >= 0), end_wh bigint check (end_wh >= 0), energy_wh bigint not null default 0 check (energy_wh >= 0), soc_start smallint check (soc_start between 0 and 100),
  soc smallint check (soc between 0 and 100), power_w integer, said_at timestamptz, elec_fen bigint not null default 0 check (elec_fen >= 0), service_fen bigint not null default 0 check (service_fen >= 0),
  occupy_fen bigint not null default 0 check (occupy_fen >= 0), discount_fen bigint not null default 0 check (discount_fen >= 0),
  cost_fen bigint not null generated always as (elec_fen + service_fen + occupy_fen - discount_fen) stored, clock_fixed boolean not null default false, flagged boolean not null default false,
  suspended_at timestamptz, occupied_from timestamptz, occupied_to timestamptz, final_at timestamptz, prices jsonb not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, order_no),
  unique (enterprise_id, start_charge_seq), constraint discount_within check (discount_fen <= elec_fen + service_fen),
  foreign key (enterprise_id, connector_id) references charging.connector (enterprise_id, connector_id));
-- Of two who want one gun at once one gets it; a card, a token and a pile's transaction are in one charge at a time.
create unique index charge_of_gun on charging.charge (enterprise_id, connector_id) where claimed and status in (0, 1, 2, 3);
create unique index charge_of_card on charging.charge (enterprise_id, card_no) where claimed and status in (0, 1, 2, 3) and card_no is not null;
create unique index charge_token on charging.charge (enterprise_id, token) where token is not null;
create unique index charge_transaction on charging.charge (enterprise_id, equipment_id, transaction_id) where transaction_id is not null;
create index charge_started on charging.charge (enterprise_id, start_time desc, id desc);
create index charge_park on charging.charge (enterprise_id, park_code, start_time desc, id desc);
create index charge_connector on charging.charge (enterprise_id, connector_id, start_time desc);
create index charge_plate on charging.charge (enterprise_id, plate_no, start_time desc);
create index charge_open on charging.charge (enterprise_id, status) where status in (0, 1, 2, 3, 4, 7);
select platform.uncounted('charging.charge');
select platform.scoped('charging.charge', audited => false);
select platform.plates_found('charging.charge');
-- What a 1.6 pile is told its transaction is called: from 1 on, never twice, also when it is refused.
create sequence charging.transaction_no;
create sequence charging.start_no maxvalue 2147483647 cycle;

create table charging.charge_move (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_no text not null, park_code text not null, from_status smallint check (from_status between 0 and 10),
  to_status smallint not null check (to_status between 0 and 10), event text not null, at timestamptz not null, by_name text not null, note text, primary key (enterprise_id, id),
  foreign key (enterprise_id, order_no) references charging.charge (enterprise_id, order_no));
create index charge_move_of on charging.charge_move (enterprise_id, order_no, at, id);
select platform.scoped('charging.charge_move', audited => false, append_only => true);

-- What guns measured. The same moment told again adds what was missing and changes nothing.
create table charging.meter_sample (
  enterprise_id integer not null default scope_enterprise(), connector_id text not null, park_code text not null, order_no text, at timestamptz not null, received_at timestamptz not null,
  meter_wh bigint check (meter_wh >= 0), power_w integer, current_ma integer, voltage_dv integer, soc smallint check (soc between 0 and 100), temperature_c smallint, primary key (enterprise_id, connector_id, at));
create index meter_sample_order on charging.meter_sample (enterprise_id, order_no, at);
create index meter_sample_at on charging.meter_sample (at);
select platform.scoped('charging.meter_sample', audited => false);

-- Money that a charge may cost: what is paid in advance, frozen or lent for it. held = captured + released + open, at any moment.
create table charging.hold (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), hold_no text not null, order_no text not null, park_code text not null, hold_kind smallint not null check (hold_kind in (1, 2, 3)),
  state smallint not null default 0 check (state between 0 and 4), hold_at timestamptz not null, payer text not null, account_id text, settlement_id uuid, pay_method smallint, trade_no text,
  hold_fen bigint not null check (hold_fen >= 0), captured_fen bigint not null default 0 check (captured_fen >= 0), released_fen bigint not null default 0 check (released_fen >= 0),
  open_fen bigint not null generated always as (case when state in (0, 4) then 0 else hold_fen - captured_fen - released_fen end) stored check (open_fen >= 0),
  shortfall_fen bigint not null default 0 check (shortfall_fen >= 0),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, hold_no),
  constraint nothing_of_what_never_came check (state not in (0, 4) or (captured_fen = 0 and released_fen = 0)), constraint nothing_open_at_the_end check (state not in (2, 3) or open_fen = 0),
  foreign key (enterprise_id, order_no) references charging.charge (enterprise_id, order_no), foreign key (enterprise_id, settlement_id) references settlement.order (enterprise_id, id));
create unique index hold_live on charging.hold (enterprise_id, order_no) where state in (0, 1);
create unique index hold_paid_by on charging.hold (enterprise_id, settlement_id) where settlement_id is not null;
create index hold_order on charging.hold (enterprise_id, order_no);
create index hold_at on charging.hold (enterprise_id, hold_at desc, id desc);
create index hold_account on charging.hold (enterprise_id, account_id) where state = 1;
select platform.scoped('charging.hold', audited => false);

-- Final bills; none ever changes. payable = captured + shortfall, and every fen of a shortfall is waived, a partner's, owed, or (below nought) given back.
create table charging.bill (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), bill_no text not null, order_no text not null, park_code text not null, station_id text not null,
  kind smallint not null check (kind in (1, 2, 3)), final_at timestamptz not null, energy_wh bigint not null default 0, elec_fen bigint not null default 0, service_fen bigint not null default 0,
  occupy_fen bigint not null default 0, adjust_fen bigint not null default 0, discount_fen bigint not null default 0 check (discount_fen >= 0), payable_fen bigint not null,
  captured_fen bigint not null default 0 check (captured_fen >= 0), shortfall_fen bigint not null default 0, waived_fen bigint not null default 0 check (waived_fen >= 0), partner_fen bigint not null default 0,
  arrears_fen bigint not null default 0 check (arrears_fen >= 0), settlement_id uuid, paid_by smallint not null check (paid_by between 1 and 7), pay_method smallint, discount_name text, reason text, lines jsonb not null,
  created_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, bill_no),
  constraint payable_is_its_parts check (payable_fen = elec_fen + service_fen + occupy_fen + adjust_fen - discount_fen), constraint every_fen_is_somewhere check (payable_fen = captured_fen + shortfall_fen),
  constraint shortfall_is_somewhere check (payable_fen < 0 or shortfall_fen = waived_fen + partner_fen + arrears_fen), constraint only_adjustments_go_back check (kind = 3 or payable_fen >= 0),
  foreign key (enterprise_id, order_no) references charging.charge (enterprise_id, order_no));
create unique index bill_once on charging.bill (enterprise_id, order_no, kind) where kind in (1, 2);
create index bill_order on charging.bill (enterprise_id, order_no);
create index bill_final on charging.bill (enterprise_id, final_at desc, id desc);
create index bill_park on charging.bill (enterprise_id, park_code, final_at desc, id desc);
select platform.uncounted('charging.bill');
select platform.scoped('charging.bill', audited => false, append_only => true);

-- What was done to piles. Of a command the state is written later.
create table charging.operate_log (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null, kind smallint not null check (kind between 1 and 7), action text not null,
  who text not null, at timestamptz not null, reason text, params jsonb, before jsonb, after jsonb, command_state text, primary key (enterprise_id, id));
create index operate_log_of on charging.operate_log (enterprise_id, equipment_id, at desc, id desc);
create index operate_log_at on charging.operate_log (enterprise_id, at desc, id desc);
select platform.uncounted('charging.operate_log');
select platform.scoped('charging.operate_log', audited => false);

-- An end that belongs to no charge we know: answered, so that the pile stops repeating it, and shown.
create table charging.orphan (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), equipment_id text not null, connector_id text, park_code text not null, transaction_id text, id_tag text, meter_wh bigint,
  at timestamptz not null, received_at timestamptz not null, reason text, order_no text, version integer not null default 1, primary key (enterprise_id, id));
create unique index orphan_once on charging.orphan (enterprise_id, equipment_id, coalesce(transaction_id, ''), at);
create index orphan_at on charging.orphan (enterprise_id, at desc, id desc);
select platform.scoped('charging.orphan', audited => false);

create view charging.pile with (security_invoker = true) as
  select e.*, s.station_name, coalesce(p.online, false) as online, p.last_seen_at, p.firmware, p.skew_sec, coalesce(p.fault_count, 0) as fault_count,
    (select count(*)::integer from charging.connector c where c.enterprise_id = e.enterprise_id and c.equipment_id = e.equipment_id) as connectors
  from charging.equipment e join charging.station s on s.enterprise_id = e.enterprise_id and s.station_id = e.station_id
    left join charging.pile_state p on p.enterprise_id = e.enterprise_id and p.equipment_id = e.equipment_id;
grant select on charging.pile to kerbline_app;

create view charging.gun with (security_invoker = true) as
  select c.*, coalesce(s.status, 0) as status, s.status_raw, s.status_at, coalesce(s.park_status, 0) as park_status, coalesce(s.lock_status, 0) as lock_status, s.error_code, s.power_w, s.soc,
    (select o.order_no from charging.charge o where o.enterprise_id = c.enterprise_id and o.connector_id = c.connector_id and o.claimed and o.status in (0, 1, 2, 3)) as order_no
  from charging.connector c left join charging.connector_state s on s.enterprise_id = c.enterprise_id and s.connector_id = c.connector_id;
grant select on charging.gun to kerbline_app;

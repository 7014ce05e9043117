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
-- Whether any enterprise has a station in a region: who edits regions sees only the stations of their own.
create function charging.region_is_used(of_code text) returns boolean stable language sql security definer set search_path = ''
  begin atomic select exists (select from charging.station where region_code = of_code); end;
grant execute on function charging.region_is_used to kerbline_app;

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

-- What is read from a card is the same card in capitals and in small letters, with marks between its bytes and without: readers and their makers do not agree.
create function charging.card_key(told text) returns text immutable strict parallel safe language sql
  return upper(regexp_replace(regexp_replace(told, '[[:space:]:-]', '', 'g'), '^0[xX](?=.)', ''));
create table charging.card (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), card_no text not null, kind smallint not null check (kind in (1, 2, 3)), owner_id text, unit text,
  credit_fen bigint not null default 0 check (credit_fen >= 0), holder_name text, plate_no text, status smallint not null default 1 check (status in (1, 2, 3)), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  card_key text not null generated always as (charging.card_key(card_no)) stored, primary key (enterprise_id, id), unique (enterprise_id, card_no),
  constraint owner_of_personal check ((kind = 1) = (owner_id is not null)), constraint unit_of_company check ((kind = 2) = (unit is not null)), constraint credit_of_company check (kind = 2 or credit_fen = 0));
create index card_created on charging.card (enterprise_id, created_at desc, id desc);
create index card_unit on charging.card (enterprise_id, unit) where unit is not null;
select platform.scoped('charging.card');
select platform.plates_found('charging.card');

-- One charge. `claimed`: it has the gun, which one order has at a time. `token` starts it at the pile, once. `start_told`: what a clock that is ahead said of the start, by which it is known when it is told again.
-- How far the register of a charge has got: a reading more is added to it, and those before are not read again.
create table charging.charge (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_no text not null, start_charge_seq text not null, park_code text not null, station_id text not null,
  equipment_id text not null, connector_id text not null, start_mode smallint not null check (start_mode between 1 and 6), owner_id text, card_no text, platform_id text, partner_operator_id text,
  plate_no text, plate_color smallint check (plate_color between 0 and 7), vin text, id_tag text, token text, start_no integer, door_key text, transaction_id text,
  status smallint not null default 0 check (status between 0 and 10), claimed boolean not null default false, start_refused text check (start_refused in ('Invalid', 'Blocked', 'Expired', 'ConcurrentTx')), stop_reason smallint check (stop_reason between 0 and 13), fail_reason text,
  start_time timestamptz not null, start_told timestamptz, end_time timestamptz, accepted_at timestamptz, stop_asked_at timestamptz, ended_at timestamptz, final_due_at timestamptz, ends_told text[] not null default '{}',
  start_wh bigint check (start_wh >= 0), end_wh bigint check (end_wh >= 0), energy_wh bigint not null default 0 check (energy_wh >= 0), soc_start smallint check (soc_start between 0 and 100),
  soc smallint check (soc between 0 and 100), power_w integer, said_at timestamptz, elec_fen bigint not null default 0 check (elec_fen >= 0), service_fen bigint not null default 0 check (service_fen >= 0),
  occupy_fen bigint not null default 0 check (occupy_fen >= 0), discount_fen bigint not null default 0 check (discount_fen >= 0),
  cost_fen bigint not null generated always as (elec_fen + service_fen + occupy_fen - discount_fen) stored, clock_fixed boolean not null default false, flagged boolean not null default false,
  suspended_at timestamptz, occupied_from timestamptz, occupied_to timestamptz, final_at timestamptz, prices jsonb not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  running jsonb, primary key (enterprise_id, id), unique (enterprise_id, order_no),
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
create index charge_told on charging.charge (enterprise_id, connector_id, start_told) where start_told is not null;
create index charge_plate on charging.charge (enterprise_id, plate_no, start_time desc);
create index charge_owner on charging.charge (enterprise_id, owner_id) where owner_id is not null;
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
  meter_wh bigint check (meter_wh >= 0), power_w integer, current_ma integer, voltage_dv integer, soc smallint check (soc between 0 and 100), temperature_c smallint, primary key (enterprise_id, connector_id, at)
) partition by range (at);
create table charging.meter_sample_rest partition of charging.meter_sample default;
insert into platform.monthly (parent, kept) values ('charging.meter_sample', interval '13 months');
select platform.ensure_months();
create index meter_sample_order on charging.meter_sample (enterprise_id, order_no, at);
create index meter_sample_at on charging.meter_sample (enterprise_id, at);
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
create index hold_stored on charging.hold (enterprise_id, account_id) where hold_kind = 2;
select platform.scoped('charging.hold', audited => false);

-- Final bills; none ever changes. payable = captured + shortfall, and every fen of a shortfall is waived, a partner's, owed, or (below nought) given back.
create table charging.bill (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), bill_no text not null, order_no text not null, park_code text not null, station_id text not null,
  kind smallint not null check (kind in (1, 2, 3)), final_at timestamptz not null, energy_wh bigint not null default 0, elec_fen bigint not null default 0, service_fen bigint not null default 0,
  occupy_fen bigint not null default 0, adjust_fen bigint not null default 0, discount_fen bigint not null default 0 check (discount_fen >= 0), payable_fen bigint not null,
  captured_fen bigint not null default 0 check (captured_fen >= 0), shortfall_fen bigint not null default 0, waived_fen bigint not null default 0 check (waived_fen >= 0 or kind = 3), partner_fen bigint not null default 0,
  arrears_fen bigint not null default 0 check (arrears_fen >= 0 or kind = 3), settlement_id uuid, paid_by smallint not null check (paid_by between 1 and 7), pay_method smallint, discount_name text, reason text, lines jsonb not null,
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

-- What a start was told that became no charge: told again, however late, it hears the same.
create table charging.start_refused (
  enterprise_id integer not null default scope_enterprise(), connector_id text not null, park_code text not null, id_tag text, told_at timestamptz not null, meter_wh bigint, transaction_id text not null,
  why text not null check (why in ('Invalid', 'Blocked', 'Expired', 'ConcurrentTx')), received_at timestamptz not null,
  foreign key (enterprise_id, connector_id) references charging.connector (enterprise_id, connector_id));
create index start_refused_again on charging.start_refused (enterprise_id, connector_id, told_at);
create index start_refused_received on charging.start_refused (enterprise_id, received_at);
select platform.scoped('charging.start_refused', audited => false);

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

-- The line to a pile: by what it signs in, what it was told, what it said, how it is set.
create table charging.link (
  enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null,
  -- Keyed digests: a town of piles that comes back at once costs no more than as many look-ups. The next one is made from the key and `next_salt`, so that it is never kept itself.
  secret_hash text, next_hash text, next_salt text,
  sub_protocol text, ip text, signed_in_at timestamptz, refused_at timestamptz, refusal smallint check (refusal between 1 and 5),
  boots smallint not null default 0, boots_from timestamptz, boot_skew_ms bigint, city_stamps smallint not null default 0, z_is_city boolean not null default false,
  list_version integer not null default 0, primary key (enterprise_id, equipment_id),
  constraint next_of_salt check ((next_hash is null) = (next_salt is null)),
  foreign key (enterprise_id, equipment_id) references charging.equipment (enterprise_id, equipment_id) on delete cascade
);
select platform.scoped('charging.link', audited => false, key => 'equipment_id');

-- At the door nobody knows the enterprise yet.
create function charging.credential(wanted text)
  returns table (enterprise_id integer, equipment_id text, park_code text, protocol smallint, admin_status smallint, time_mode smallint, meter_kind smallint, security_profile smallint, secret_hash text, next_hash text, z_is_city boolean)
  stable language sql security definer set search_path = ''
  begin atomic
    select e.enterprise_id, e.equipment_id, e.park_code, e.protocol, e.admin_status, e.time_mode, e.meter_kind, e.security_profile, l.secret_hash, l.next_hash, coalesce(l.z_is_city, false)
      from charging.equipment e left join charging.link l on l.enterprise_id = e.enterprise_id and l.equipment_id = e.equipment_id where e.charge_point_id = wanted;
  end;
revoke all on function charging.credential from public;
grant execute on function charging.credential to kerbline_app;

create view charging.pile_link with (security_invoker = true) as
  select e.enterprise_id, e.equipment_id, e.park_code, e.charge_point_id, e.protocol, coalesce(s.online, false) as online, s.last_seen_at, greatest(s.connected_at, l.signed_in_at) as connected_at, s.boot_at, s.vendor, s.model, s.serial_no, s.firmware, s.skew_sec,
    l.ip, l.sub_protocol, l.secret_hash is not null as has_secret, l.next_hash is not null as renewing, l.signed_in_at, l.refused_at, l.refusal,
    case when l.boots_from > now() - interval '1 hour' then l.boots else 0 end as boots
  from charging.equipment e left join charging.pile_state s on s.enterprise_id = e.enterprise_id and s.equipment_id = e.equipment_id
    left join charging.link l on l.enterprise_id = e.enterprise_id and l.equipment_id = e.equipment_id;
grant select on charging.pile_link to kerbline_app;

-- A command is sent once. `effect` is what must be seen to happen before it counts as done.
create table charging.pile_command (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null, connector_id text, order_no text,
  method smallint not null check (method between 1 and 17), params jsonb not null default '{}', reason text, state smallint not null default 0 check (state between 0 and 6), failure smallint check (failure between 1 and 7),
  effect text, result jsonb, by_name text not null, ttl_sec integer not null check (ttl_sec between 1 and 604800),
  created_at timestamptz not null default clock_timestamp(), sent_at timestamptz, delivered_at timestamptz, finished_at timestamptz, expires_at timestamptz not null,
  primary key (enterprise_id, id), constraint over_at check ((state in (3, 4, 5, 6)) = (finished_at is not null)),
  foreign key (enterprise_id, equipment_id) references charging.equipment (enterprise_id, equipment_id) on delete cascade
);
create index pile_command_created on charging.pile_command (enterprise_id, created_at desc, id desc);
create index pile_command_of on charging.pile_command (enterprise_id, equipment_id, created_at desc, id desc);
create index pile_command_open on charging.pile_command (enterprise_id, equipment_id) where state in (0, 1, 2);
create index pile_command_due on charging.pile_command (expires_at) where state in (0, 1, 2);
create index pile_command_in_use on charging.pile_command (enterprise_id, equipment_id, created_at desc) where method = 5;
-- One start and one stop of a gun are under way at a time.
create unique index pile_command_once on charging.pile_command (enterprise_id, connector_id, method) where method in (1, 2) and state in (0, 1, 2);
select platform.scoped('charging.pile_command', audited => false);

create function charging.commands_due() returns table (enterprise_id integer) stable language sql security definer set search_path = '' as $$
  select distinct c.enterprise_id from charging.pile_command c where c.state in (0, 1, 2) and (c.expires_at <= clock_timestamp() or c.state = 0)
$$;
revoke all on function charging.commands_due from public;
grant execute on function charging.commands_due to kerbline_app;

-- Kept for seven days; what must not be read is covered before it comes here.
create table charging.frame (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null, at timestamptz not null,
  direction smallint not null check (direction in (1, 2)), kind smallint not null check (kind in (2, 3, 4, 5, 9)), action text, message_id text not null, body text not null, primary key (enterprise_id, id)
);
create index frame_at on charging.frame (enterprise_id, at desc, id desc);
create index frame_of on charging.frame (enterprise_id, equipment_id, at desc, id desc);
select platform.scoped('charging.frame', audited => false);

create table charging.pile_setting (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null, key text not null, value text, readonly boolean not null default false,
  read_at timestamptz not null, primary key (enterprise_id, id), unique (enterprise_id, equipment_id, key),
  foreign key (enterprise_id, equipment_id) references charging.equipment (enterprise_id, equipment_id) on delete cascade
);
create index pile_setting_key on charging.pile_setting (enterprise_id, key, id);
select platform.scoped('charging.pile_setting', audited => false);

-- The newer version numbers what it says of a transaction: the same number counts once, another content under it is flagged.
create table charging.transaction_event (
  enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null, transaction_id text not null, seq_no integer not null, connector_id text, digest text not null, reply jsonb,
  flagged boolean not null default false, times integer not null default 1, received_at timestamptz not null, primary key (enterprise_id, equipment_id, transaction_id, seq_no)
);
create index transaction_event_at on charging.transaction_event (enterprise_id, received_at);
select platform.scoped('charging.transaction_event', audited => false, key => 'transaction_id');

create table charging.reservation (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), reservation_no integer not null, connector_id text not null, equipment_id text not null, park_code text not null,
  card_no text not null, until timestamptz not null, ended_at timestamptz, created_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, reservation_no),
  foreign key (enterprise_id, connector_id) references charging.connector (enterprise_id, connector_id) on delete cascade
);
create sequence charging.request_no maxvalue 2147483647 cycle;
-- One gun is kept for one card at a time.
create unique index reservation_open on charging.reservation (enterprise_id, connector_id) where ended_at is null;
select platform.scoped('charging.reservation', audited => false);

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
  connector_id text, order_no text, state smallint not null check (state in (0, 1, 2, 3, 4)), ret integer, said text, answer text, line text not null default '', tries integer not null default 0 check (tries >= 0),
  next_at timestamptz, done_at timestamptz, sendings jsonb not null default '[]', version integer not null default 1, created_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, platform_id) references charging.platform (enterprise_id, id));
create index partner_message_created on charging.partner_message (enterprise_id, created_at desc, id desc);
create index partner_message_platform on charging.partner_message (enterprise_id, platform_id, created_at desc, id desc);
create index partner_message_line on charging.partner_message (enterprise_id, platform_id, line, id) where state = 0;
create index partner_message_dead on charging.partner_message (enterprise_id, platform_id, id) where state = 3;
create index partner_message_order on charging.partner_message (enterprise_id, order_no) where order_no is not null;
create index partner_message_connector on charging.partner_message (enterprise_id, connector_id, created_at desc) where connector_id is not null;
select platform.uncounted('charging.partner_message');
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
  state smallint not null default 0 check (state between 0 and 5), description text, times integer not null default 1 check (times > 0), start_at timestamptz not null, end_at timestamptz, handler text, handler_id uuid, note text,
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
  state smallint not null default 0 check (state between 0 and 4), found_at timestamptz not null, deadline timestamptz not null, late boolean not null default false, description text, handler text, handler_id uuid, reviewer text, note text, images text,
  closed_at timestamptz, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint closed_when check ((state = 3) = (closed_at is not null)), constraint in_time check (deadline >= found_at));
create unique index danger_no on charging.danger (enterprise_id, danger_no);
create unique index danger_measured on charging.danger (enterprise_id, connector_id, kind, level) where source = 1 and state <> 3;
create index danger_found on charging.danger (enterprise_id, found_at desc, id desc);
create index danger_station on charging.danger (enterprise_id, station_id, found_at desc, id desc);
create index danger_due on charging.danger (enterprise_id, deadline) where state <> 3 and not late;
create index danger_grave on charging.danger (enterprise_id, station_id) where level = 4 and state <> 3;
select platform.scoped('charging.danger');

-- The grave danger that stops a station, the oldest of several.
create function charging.grave_danger(enterprise integer, station text) returns text language sql stable
  return (select d.danger_no from charging.danger d where d.enterprise_id = enterprise and d.station_id = station and d.level = 4 and d.state <> 3 order by d.found_at, d.id limit 1);
grant execute on function charging.grave_danger to kerbline_app;

-- What a gun is to people: off line where its pile is away, faulty where a severe fault holds it or a grave danger its station (a charge that runs there goes on), else what it told last.
-- `told` is the gun's own word, for what follows from its plug. Whoever shows or counts guns takes `status` from here.
create view charging.gun with (security_invoker = true) as
  select c.*, (case when not coalesce(p.online, false) then 0
      when exists (select from charging.fault f where f.enterprise_id = c.enterprise_id and f.connector_id = c.connector_id and f.level >= 3 and f.state in (0, 1, 2)) then 255
      when s.status is distinct from 3 and charging.grave_danger(c.enterprise_id, c.station_id) is not null then 255
      else coalesce(s.status, 0) end)::smallint as status, coalesce(s.status, 0) as told,
    s.status_raw, case when not coalesce(p.online, false) and s.status <> 0 then p.last_seen_at else s.status_at end as status_at, coalesce(s.park_status, 0) as park_status, coalesce(s.lock_status, 0) as lock_status, s.error_code, s.power_w, case when o.order_no is not null then s.soc end as soc, o.order_no
  from charging.connector c left join charging.connector_state s on s.enterprise_id = c.enterprise_id and s.connector_id = c.connector_id
    left join charging.pile_state p on p.enterprise_id = c.enterprise_id and p.equipment_id = c.equipment_id
    left join charging.charge o on o.enterprise_id = c.enterprise_id and o.connector_id = c.connector_id and o.claimed and o.status in (0, 1, 2, 3);
grant select on charging.gun to kerbline_app;

-- How a station's limit is shared among its guns, what each was told, and how that came.
create table charging.load (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), station_id text not null, park_code text not null,
  limit_w integer check (limit_w >= 1000), mode smallint not null check (mode in (1, 2, 3)), fallback_w integer not null check (fallback_w >= 0), zero_models jsonb not null default '[]',
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, station_id),
  foreign key (enterprise_id, station_id) references charging.station (enterprise_id, station_id));
select platform.uncounted('charging.load');
select platform.scoped('charging.load');
-- A limit that was set before there was sharing is one that guns did not keep: it stays what it was, a number for the figures, until somebody has it shared.

-- What a gun may draw. `default_w`: what it agreed to for whoever comes; `share_w`: for the charge `order_no`. `asked_w` is on its way by `command_id`, `unsure_w` was asked and nobody knows what became of it.
create table charging.load_share (
  enterprise_id integer not null default scope_enterprise(), connector_id text not null, park_code text not null, order_no text, default_w integer check (default_w >= 0), share_w integer check (share_w >= 0),
  asked_w integer check (asked_w >= 0), unsure_w integer check (unsure_w >= 0), command_id uuid, asked_at timestamptz, asks_default boolean not null default false, again boolean not null default false,
  refused_at timestamptz, ignored_at timestamptz, agreed_at timestamptz, want_w integer not null default 0 check (want_w >= 0), why smallint not null default 6 check (why between 1 and 9),
  primary key (enterprise_id, connector_id), constraint asked_by_a_command check ((asked_w is null) = (command_id is null)), constraint share_of_a_charge check (share_w is null or order_no is not null),
  foreign key (enterprise_id, connector_id) references charging.connector (enterprise_id, connector_id) on delete cascade);
select platform.scoped('charging.load_share', audited => false, key => 'connector_id');
create unique index load_share_command on charging.load_share (enterprise_id, command_id) where command_id is not null;

create table charging.load_change (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), at timestamptz not null, station_id text not null, park_code text not null, connector_id text, order_no text,
  event smallint not null check (event between 1 and 8), from_w integer, to_w integer, why smallint check (why between 1 and 9), held_w integer not null, limit_w integer, by_name text not null, primary key (enterprise_id, id));
create index load_change_at on charging.load_change (enterprise_id, at desc, id desc);
create index load_change_station on charging.load_change (enterprise_id, station_id, at desc, id desc);
select platform.scoped('charging.load_change', audited => false);

-- What each gun agreed to, where its station has a limit.
create view charging.share_now with (security_invoker = true) as
  select c.enterprise_id, c.connector_id, case when s.order_no is not null and s.share_w is not null then s.share_w else s.default_w end as now_w
  from charging.connector c join charging.load l on l.enterprise_id = c.enterprise_id and l.station_id = c.station_id and l.limit_w is not null
    join charging.load_share s on s.enterprise_id = c.enterprise_id and s.connector_id = c.connector_id;
grant select on charging.share_now to kerbline_app;

-- Parking that a charge takes off: once for a charge, once for a stay. `order_id` is the stay's order that holds it; while it is not used it may be let go again.
create table charging.waiver (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_no text not null, stay_id uuid not null, order_id uuid not null, park_code text not null, reduce_id uuid not null,
  name text not null, amount_fen bigint not null check (amount_fen > 0), used_at timestamptz, created_at timestamptz not null default now(), primary key (enterprise_id, id),
  unique (enterprise_id, order_no), unique (enterprise_id, stay_id),
  foreign key (enterprise_id, order_no) references charging.charge (enterprise_id, order_no));
create index waiver_order on charging.waiver (enterprise_id, order_id);
select platform.scoped('charging.waiver', audited => false);

-- A charge that a card began names a card that there is.
alter table charging.charge add foreign key (enterprise_id, card_no) references charging.card (enterprise_id, card_no);

-- Every gun has its code from the beginning.
create trigger qrcode after insert on charging.connector for each row execute function parking.give_qrcode('4', 'connector_id');
-- A gun that is deleted takes its code with it: whoever scans the print is told that it is not valid any more.
create trigger qrcode_gone after delete on charging.connector for each row execute function parking.take_qrcode('4', 'connector_id');

create view charging.station_row with (security_invoker = true) as
  select s.*, g.connectors, g.free_connectors, p.strategy_id, p.strategy_name, n.next_strategy_name, n.next_price_at, charging.grave_danger(s.enterprise_id, s.station_id) as danger_no
  from charging.station s
    cross join lateral (select count(*)::integer as connectors, (count(*) filter (where c.status = 1))::integer as free_connectors from charging.gun c
      where c.enterprise_id = s.enterprise_id and c.station_id = s.station_id) g
    left join lateral (select n.id as strategy_id, n.name as strategy_name from charging.station_price x join charging.strategy n on n.enterprise_id = x.enterprise_id and n.id = x.strategy_id
      where x.enterprise_id = s.enterprise_id and x.station_id = s.station_id and x.from_at <= now() and (x.to_at is null or x.to_at > now())) p on true
    left join lateral (select n.name as next_strategy_name, x.from_at as next_price_at from charging.station_price x join charging.strategy n on n.enterprise_id = x.enterprise_id and n.id = x.strategy_id
      where x.enterprise_id = s.enterprise_id and x.station_id = s.station_id and x.from_at > now() and (x.to_at is null or x.to_at > x.from_at) order by x.from_at limit 1) n on true;
grant select on charging.station_row to kerbline_app;

-- Money that was sent back for charges: the rest of an advance goes by itself (1), some by somebody's wish (2), what a pile told late by the house (3). Beside each refund stands what was
-- paid for its charge and what of that the bills took, as the charge itself has it: holds that came, and debts that were paid later. Of a charge with two refunds both rows say the same of it.
-- A refund of what a pile told late is known by its reason, which `LATE` of the domain's bills spells.
create view charging.recharge_refund with (security_invoker = true) as
  select r.id, r.enterprise_id, r.refund_no, o.credited_to as order_no, r.park_code,
    (case when r.applicant_id is not null then 2 when r.reason = '⟦charging.late⟧' then 3 else 1 end)::smallint as refund_kind, r.state, r.applied_at, r.finished_at as done_at,
    (h.hold_fen + d.paid_fen)::bigint as hold_fen, (h.captured_fen + d.paid_fen)::bigint as used_fen, r.amount_fen as refund_fen, r.applicant_name as applicant,
    coalesce(r.second_approver_name, r.first_approver_name) as checker
  from settlement.refund r join settlement.order o on o.enterprise_id = r.enterprise_id and o.id = r.order_id
    cross join lateral (select coalesce(sum(x.hold_fen), 0) as hold_fen, coalesce(sum(x.captured_fen), 0) as captured_fen from charging.hold x
      where x.enterprise_id = o.enterprise_id and x.order_no = o.credited_to and x.state in (1, 2, 3)) h
    cross join lateral (select coalesce(sum(x.paid_fen), 0) as paid_fen from settlement.order x where x.enterprise_id = o.enterprise_id and x.credited_to = o.credited_to and x.type = 5 and x.owed) d
  where o.type = 5;
grant select on charging.recharge_refund to kerbline_app;

create view charging.bill_line with (security_invoker = true) as
  select b.enterprise_id, b.park_code, b.bill_no, (b.bill_no || '-' || l.n) as id, (l.line ->> 'kind')::smallint as kind, (l.line ->> 'from')::timestamptz as "from", (l.line ->> 'to')::timestamptz as "to",
    (l.line ->> 'wh')::bigint as wh, (l.line ->> 'elecPriceE4')::integer as elec_price_e4, (l.line ->> 'servicePriceE4')::integer as service_price_e4,
    (l.line ->> 'elecFen')::bigint as elec_fen, (l.line ->> 'serviceFen')::bigint as service_fen
  from charging.bill b cross join lateral jsonb_array_elements(b.lines) with ordinality l (line, n);
grant select on charging.bill_line to kerbline_app;

create index charge_platform on charging.charge (enterprise_id, platform_id, start_time) where platform_id is not null;
create view charging.partner_bill with (security_invoker = true) as
  select b.enterprise_id, b.id, b.bill_no, b.order_no, c.start_charge_seq, c.platform_id::uuid as platform_id, b.park_code, b.station_id, c.connector_id, b.kind, b.final_at, b.energy_wh, b.elec_fen, b.service_fen,
    b.adjust_fen, b.partner_fen, b.reason
  from charging.bill b join charging.charge c on c.enterprise_id = b.enterprise_id and c.order_no = b.order_no where c.platform_id is not null;
grant select on charging.partner_bill to kerbline_app;

-- One question to a partner: are these the charges of that day? state: 0 asked, 1 they agree, 2 they do not.
create table charging.partner_check (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, day date not null, piece integer not null check (piece > 0), check_seq text not null,
  order_nos text[] not null, order_count integer not null check (order_count > 0), energy_wh bigint not null check (energy_wh >= 0), amount_fen bigint not null check (amount_fen >= 0),
  state smallint not null default 0 check (state in (0, 1, 2)), differences integer not null default 0 check (differences >= 0), answered_at timestamptz, created_at timestamptz not null default now(),
  primary key (enterprise_id, id), unique (enterprise_id, check_seq), unique (enterprise_id, platform_id, day, piece), foreign key (enterprise_id, platform_id) references charging.platform (enterprise_id, id));
create index partner_check_day on charging.partner_check (enterprise_id, day desc, id desc);
select platform.scoped('charging.partner_check', audited => false);

-- A month of a partner. direction: 1 what it owes for its drivers here, 2 what we owe it for ours there. state: 0 draft, 1 sent, 2 with differences, 3 confirmed, 4 settled. Its sums are those of the bills of the month, which never change.
create table charging.statement (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), statement_no text not null, platform_id uuid not null, direction smallint not null default 1 check (direction in (1, 2)),
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'), state smallint not null default 0 check (state between 0 and 4), orders integer not null check (orders >= 0), energy_wh bigint not null check (energy_wh >= 0), elec_fen bigint not null, service_fen bigint not null,
  adjust_fen bigint not null, split_permille smallint not null check (split_permille between 0 and 1000), split_fen bigint not null check (split_fen >= 0),
  net_fen bigint not null generated always as (elec_fen + service_fen + adjust_fen - split_fen) stored, sent_at timestamptz, sender_id text, sender_name text, confirmed_at timestamptz, confirmer_name text,
  settled_at timestamptz, settler_name text, trade_no text, version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  primary key (enterprise_id, id), unique (enterprise_id, statement_no), unique (enterprise_id, platform_id, direction, month), foreign key (enterprise_id, platform_id) references charging.platform (enterprise_id, id));
create index statement_month on charging.statement (enterprise_id, month desc, id desc);
select platform.scoped('charging.statement');

-- Charges that a partner has named of a time whose pages have not all come yet, for a day at most.
create table charging.partner_page (
  enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, from_at timestamptz not null, to_at timestamptz not null, start_charge_seq text not null, at timestamptz not null,
  primary key (enterprise_id, platform_id, from_at, to_at, start_charge_seq), foreign key (enterprise_id, platform_id) references charging.platform (enterprise_id, id));
select platform.scoped('charging.partner_page', audited => false, key => 'start_charge_seq');

-- kind: 1 they have no such charge, 2 we have none, 3 energy, 4 amount, 5 state. state: 0 open, 1 ours stands, 2 theirs stands, 3 theirs is to be reviewed.
create table charging.partner_difference (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, direction smallint not null default 1 check (direction in (1, 2)),
  month text not null check (month ~ '^[0-9]{4}-[0-9]{2}$'), day date not null, kind smallint not null check (kind between 1 and 5), start_charge_seq text not null, order_no text, our_wh bigint, their_wh bigint, our_fen bigint, their_fen bigint,
  state smallint not null default 0 check (state in (0, 1, 2, 3)), reason text, bill_no text, submitter_id text, submitter_name text, closed_at timestamptz, closed_by text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  constraint closed_by_somebody check ((state in (0, 3)) = (closed_at is null)), constraint submitted_by_somebody check (state not in (2, 3) or submitter_id is not null), foreign key (enterprise_id, platform_id) references charging.platform (enterprise_id, id));
create unique index partner_difference_open on charging.partner_difference (enterprise_id, platform_id, start_charge_seq) where state in (0, 3);
create index partner_difference_month on charging.partner_difference (enterprise_id, platform_id, month, id);
select platform.scoped('charging.partner_difference');

create view charging.statement_shown with (security_invoker = true) as
  select s.*, p.name as platform_name,
    (select count(*) from charging.partner_difference d where d.enterprise_id = s.enterprise_id and d.platform_id = s.platform_id and d.direction = s.direction and d.month = s.month and d.state in (0, 3))::integer as open_differences
  from charging.statement s join charging.platform p on p.enterprise_id = s.enterprise_id and p.id = s.platform_id;
grant select on charging.statement_shown to kerbline_app;

-- Stations of partners where our drivers charge, as each partner last told them. `heard_by`: 1 told without being asked, 2 asked for.
create table charging.partner_station (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, station_id text not null, station_name text not null, operator_id text not null, address text not null,
  service_tel text, station_type smallint not null check (station_type in (1, 50, 100, 101, 102, 103, 255)), station_status smallint not null check (station_status in (0, 1, 5, 6, 50)),
  station_lng double precision not null, station_lat double precision not null, busine_hours text, park_fee text, heard_at timestamptz not null,
  primary key (enterprise_id, id), unique (enterprise_id, platform_id, station_id), foreign key (enterprise_id, platform_id) references charging.platform (enterprise_id, id));
select platform.scoped('charging.partner_station', audited => false);
create table charging.partner_connector (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, station_id text not null, equipment_id text not null, connector_id text not null, connector_name text,
  connector_type smallint not null check (connector_type between 1 and 6), power double precision not null check (power >= 0), park_no text, heard_at timestamptz not null,
  status smallint not null default 0 check (status in (0, 1, 2, 3, 4, 255)), park_status smallint not null default 0 check (park_status in (0, 10, 50)), lock_status smallint not null default 0 check (lock_status in (0, 10, 50)),
  status_at timestamptz, heard_by smallint check (heard_by in (1, 2)), prices jsonb not null default '[]', priced_at timestamptz, price_asked_at timestamptz,
  primary key (enterprise_id, id), unique (enterprise_id, platform_id, connector_id),
  foreign key (enterprise_id, platform_id, station_id) references charging.partner_station (enterprise_id, platform_id, station_id) on delete cascade);
create index partner_connector_station on charging.partner_connector (enterprise_id, platform_id, station_id, connector_id);
select platform.uncounted('charging.partner_connector');
select platform.scoped('charging.partner_connector', audited => false);
-- How far each partner's stations were asked for: the next question is about what changed since `asked_at`; once in a while all of them are asked for.
create table charging.partner_asked (
  enterprise_id integer not null default scope_enterprise(), platform_id uuid not null, asked_at timestamptz, whole_at timestamptz, failure text, primary key (enterprise_id, platform_id),
  foreign key (enterprise_id, platform_id) references charging.platform (enterprise_id, id));
select platform.scoped('charging.partner_asked', audited => false, key => 'platform_id');
create view charging.partner_gun with (security_invoker = true) as
  select c.*, p.name as platform_name, s.station_name, s.address, s.station_status, s.station_lng, s.station_lat, s.busine_hours, s.park_fee, s.service_tel, n.elec_price_e4, n.service_price_e4
  from charging.partner_connector c join charging.partner_station s on s.enterprise_id = c.enterprise_id and s.platform_id = c.platform_id and s.station_id = c.station_id
    join charging.platform p on p.enterprise_id = c.enterprise_id and p.id = c.platform_id
    left join lateral (select (r ->> 'elecPriceE4')::integer as elec_price_e4, (r ->> 'servicePriceE4')::integer as service_price_e4 from jsonb_array_elements(c.prices) r
      order by (r ->> 'from') <= to_char(now() at time zone 'Asia/Shanghai', 'HH24:MI') desc, r ->> 'from' desc limit 1) n on true
  where not p.deleted;
grant select on charging.partner_gun to kerbline_app;

-- A charge of a driver of ours at a partner's station. Money is set aside of the driver's stored value under `order_no`; `held`: it still is. `prices`: what was quoted when it began.
create table charging.roaming (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), order_no text not null, start_charge_seq text not null, platform_id uuid not null, station_id text not null, station_name text not null,
  connector_id text not null, power_kw double precision not null, owner_id text not null, payer text not null, plate_no text, plate_color smallint check (plate_color between 0 and 7),
  status smallint not null default 0 check (status between 0 and 10), stop_reason smallint check (stop_reason between 0 and 13), fail_reason text, prices jsonb not null, start_time timestamptz, end_time timestamptz, energy_wh bigint not null default 0 check (energy_wh >= 0),
  elec_fen bigint not null default 0 check (elec_fen >= 0), service_fen bigint not null default 0 check (service_fen >= 0), cost_fen bigint not null generated always as (elec_fen + service_fen) stored,
  soc smallint check (soc between 0 and 100), said_at timestamptz, asked_at timestamptz, hold_fen bigint not null check (hold_fen > 0), held boolean not null default true,
  captured_fen bigint not null default 0 check (captured_fen >= 0), released_fen bigint not null default 0 check (released_fen >= 0), shortfall_fen bigint not null default 0 check (shortfall_fen >= 0),
  lines jsonb not null default '[]', doubts smallint[] not null default '{}', final_at timestamptz, agreed_fen bigint check (agreed_fen >= 0), agreed_note text, agreed_id text, agreed_name text, decided_name text,
  constraint agreed_by_somebody check ((agreed_fen is null) = (agreed_id is null)),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id), unique (enterprise_id, order_no), unique (enterprise_id, start_charge_seq),
  foreign key (enterprise_id, platform_id) references charging.platform (enterprise_id, id));
-- One car charges at a gun.
create unique index roaming_gun on charging.roaming (enterprise_id, platform_id, connector_id) where status in (0, 1, 2, 3);
create index roaming_open on charging.roaming (enterprise_id, created_at) where status in (0, 1, 2, 3, 4);
create index roaming_undone on charging.roaming (enterprise_id, platform_id) where status in (0, 1, 2, 3, 4, 7);
create index roaming_created on charging.roaming (enterprise_id, created_at desc, id desc);
create index roaming_owner on charging.roaming (enterprise_id, owner_id, created_at desc);
select platform.uncounted('charging.roaming');
select platform.scoped('charging.roaming', audited => false);
select platform.plates_found('charging.roaming');
create view charging.roaming_shown with (security_invoker = true) as
  select r.*, p.name as platform_name from charging.roaming r join charging.platform p on p.enterprise_id = r.enterprise_id and p.id = r.platform_id;
grant select on charging.roaming_shown to kerbline_app;

-- Whoever calls says their code; whose partner they are, their signature tells. One that is stopped is heard as long as charges of our drivers are not billed there.
create function charging.partners_called(wanted text) returns table (enterprise_id integer, platform_id uuid, own_operator_id text, role smallint, stopped boolean, dialect smallint, ours text) stable language sql security definer set search_path = ''
  begin atomic select p.enterprise_id, p.id, own.operator_id, p.role, p.status <> 1, p.dialect, p.ours from charging.platform p join charging.platform own on own.enterprise_id = p.enterprise_id and own.built_in
    where p.operator_id = wanted and not p.deleted and not p.built_in and p.ours is not null
      and (p.status = 1 or exists (select from charging.roaming r where r.enterprise_id = p.enterprise_id and r.platform_id = p.id and r.status in (0, 1, 2, 3, 4, 7))); end;

-- What a partner is owed for them: its bill as we agreed to it (1), and what was put right since (3). None ever changes.
create table charging.roaming_bill (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), bill_no text not null, order_no text not null, platform_id uuid not null, kind smallint not null check (kind in (1, 2, 3)), final_at timestamptz not null,
  energy_wh bigint not null check (energy_wh >= 0), elec_fen bigint not null check (elec_fen >= 0), service_fen bigint not null check (service_fen >= 0), adjust_fen bigint not null default 0,
  captured_fen bigint not null default 0, waived_fen bigint not null default 0, arrears_fen bigint not null default 0 check (arrears_fen >= 0), reason text,
  constraint every_fen_is_somebodys check (captured_fen + waived_fen + arrears_fen = elec_fen + service_fen + adjust_fen),
  primary key (enterprise_id, id), unique (enterprise_id, bill_no), foreign key (enterprise_id, order_no) references charging.roaming (enterprise_id, order_no));
create unique index roaming_bill_once on charging.roaming_bill (enterprise_id, order_no) where kind = 1;
create index roaming_bill_final on charging.roaming_bill (enterprise_id, platform_id, final_at);
select platform.scoped('charging.roaming_bill', audited => false, append_only => true);

-- These are of charges at all parks together: who has fewer parks sees none of them.
create policy all_parks on charging.roaming as restrictive using ((select scope_all_parks()));
create policy all_parks on charging.roaming_bill as restrictive using ((select scope_all_parks()));
-- A driver sees their own.
create policy own on charging.roaming as restrictive using ((select scope_driver() is null) or owner_id = (select scope_driver())::text);
create policy own on charging.roaming_bill as restrictive using ((select scope_driver() is null));
create policy all_parks on charging.statement as restrictive using ((select scope_all_parks()));
create policy all_parks on charging.partner_page as restrictive using ((select scope_all_parks()));
create policy all_parks on charging.partner_check as restrictive using ((select scope_all_parks()));
create policy all_parks on charging.partner_difference as restrictive using ((select scope_all_parks()));
select platform.uncounted('charging.charge');

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
create unique index card_key on charging.card (enterprise_id, card_key);
-- It follows from the number: a change of it is told once.
create or replace trigger watched after insert or update or delete on charging.card for each row execute function platform.watched('id', 'card_key');

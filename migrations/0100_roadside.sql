-- Roadside parking: districts, their sections and berths, the devices that watch them, and the stays on them.
create schema roadside;
select platform.opened('roadside');

create table roadside.section (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, section_code text not null, name text not null,
  side smallint not null check (side in (1, 2, 3)), level smallint not null check (level in (1, 2, 3)), line jsonb not null default '[]',
  toll_mode smallint not null check (toll_mode in (1, 2, 3, 4)), flag smallint not null default 2 check (flag in (1, 2)), remark text, deleted boolean not null default false,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, section_code), unique (enterprise_id, park_code, section_code),
  foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code));
create index section_name on roadside.section using gin (name gin_trgm_ops);
select platform.scoped('roadside.section');
create table roadside.berth (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, section_code text, area_code text,
  seat_code text not null, berth_no text not null, type smallint not null default 1 check (type in (1, 2, 3, 4, 5)), charge_type smallint not null default 1 check (charge_type in (0, 1)),
  lng double precision, lat double precision, status smallint not null default 1 check (status in (1, 2)), remark text,
  -- What is printed on the ground: `short_code` stands for the berth in the whole installation, `qr_version` for the print.
  short_code text not null default translate(encode(substring(uuid_send(gen_random_uuid()) from 1 for 8), 'hex'), '01', 'gh'), qr_version integer not null default 1 check (qr_version > 0),
  deleted boolean not null default false,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, park_code, seat_code), unique (short_code), check ((lng is null) = (lat is null)), check (section_code is null or area_code is null),
  foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code),
  foreign key (enterprise_id, park_code, section_code) references roadside.section (enterprise_id, park_code, section_code),
  foreign key (enterprise_id, park_code, area_code) references parking.area (enterprise_id, park_code, area_code));
create index berth_code on roadside.berth (enterprise_id, seat_code, id);
create index berth_section on roadside.berth (enterprise_id, section_code);
select platform.scoped('roadside.berth', hidden => array['short_code']);
select platform.binned_by_mark('roadside.berth', 'seat_code');
-- How many places a district has is how many berths it has.
create function roadside.count_berths() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  update parking.park p set total_bays = n.berths
    from (select b.enterprise_id, b.park_code, count(*) filter (where not b.deleted)::int as berths from roadside.berth b
      where (b.enterprise_id, b.park_code) in (select t.enterprise_id, t.park_code from touched t) group by 1, 2) n
    where p.enterprise_id = n.enterprise_id and p.park_code = n.park_code and p.p_type = 2 and p.total_bays <> n.berths;
  return null;
end $$;
create trigger counted after insert on roadside.berth referencing new table as touched for each statement execute function roadside.count_berths();
create trigger recounted after update on roadside.berth referencing new table as touched for each statement execute function roadside.count_berths();
alter table parking.stay add foreign key (enterprise_id, park_code, seat_code) references roadside.berth (enterprise_id, park_code, seat_code);

-- Which device watches which berth, from when to when. One of a kind at a time; a camera on a pole watches many berths, any other device one.
create table roadside.binding (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, seat_code text not null,
  device_no text not null, kind smallint not null check (kind between 0 and 5), from_at timestamptz not null, to_at timestamptz,
  action smallint not null default 1 check (action in (1, 2, 3, 4)), oper_name text not null, off_oper_name text, reason text,
  constraint sees_something check (kind > 0), check (to_at >= from_at), check ((to_at is null) = (action = 1)),
  constraint one_of_a_kind exclude using gist (enterprise_id with =, park_code with =, seat_code with =, kind with =, tstzrange(from_at, to_at) with &&),
  foreign key (enterprise_id, park_code, seat_code) references roadside.berth (enterprise_id, park_code, seat_code));
create unique index binding_berth on roadside.binding (enterprise_id, device_no, park_code, seat_code) where to_at is null;
create unique index binding_single on roadside.binding (enterprise_id, device_no) where to_at is null and kind <> 2;
create index binding_from on roadside.binding (enterprise_id, from_at desc, id desc);
create index binding_seat on roadside.binding (enterprise_id, park_code, seat_code) where to_at is null;
select platform.scoped('roadside.binding');

-- What a stay of the street has beside what every stay has. `toll_no`: who took it down by hand.
create table roadside.visit (
  stay_id uuid primary key, enterprise_id integer not null default scope_enterprise(), park_code text not null,
  detector smallint not null check (detector between 0 and 5), confirm_state smallint not null default 0 check (confirm_state in (0, 1, 2, 3)), toll_no text,
  plate_source smallint not null default 0 check (plate_source between 0 and 4), plate_confidence smallint check (plate_confidence between 0 and 1000),
  collectable boolean not null default false, came_of jsonb not null default '[]', became jsonb not null default '[]',
  foreign key (stay_id) references parking.stay (id) on delete cascade);
select platform.scoped('roadside.visit', key => 'stay_id');

-- Everything that was seen at a berth. What belongs to no stay (a leave of a car that nobody saw come) is kept all the same: the arrival may be told later.
create table roadside.evidence (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, seat_code text not null, stay_id uuid,
  kind smallint not null check (kind in (1, 2, 3)), detector smallint not null check (detector between 0 and 5), device_no text, at timestamptz not null,
  received_at timestamptz not null, image text, plate_no text, plate_color smallint check (plate_color between 0 and 7), confidence smallint check (confidence between 0 and 1000),
  shows_berth boolean not null default false, shows_plate boolean not null default false, by text, message_id uuid,
  created_at timestamptz not null default now(),
  foreign key (stay_id) references parking.stay (id));
create index evidence_stay on roadside.evidence (enterprise_id, stay_id, at) where stay_id is not null;
create index evidence_seat on roadside.evidence (enterprise_id, park_code, seat_code, at desc);
create index evidence_device on roadside.evidence (enterprise_id, device_no, at desc) where device_no is not null;
create index evidence_message on roadside.evidence (enterprise_id, message_id) where message_id is not null;
select platform.scoped('roadside.evidence', audited => false);

create table roadside.illegal_stop (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, illegal_no text not null,
  type smallint not null check (type between 1 and 6), source smallint not null check (source between 1 and 5), plate_no text, plate_color smallint check (plate_color between 0 and 7),
  confidence smallint check (confidence between 0 and 1000), section_code text, seat_code text, place text not null, device_no text, first_at timestamptz not null, last_at timestamptz not null check (last_at >= first_at),
  images jsonb not null default '[]', count integer not null default 1 check (count > 0), state smallint not null default 0 check (state between 0 and 4),
  invalid_reason smallint check (invalid_reason between 1 and 4), reviewed_by text, reviewed_at timestamptz, filed_by text[] not null default '{}', police_no text, push_error text, result smallint check (result between 1 and 3),
  hold_min integer not null default 3 check (hold_min between 3 and 60), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, illegal_no), check ((state = 2) = (invalid_reason is not null)), check (state < 3 or police_no is not null),
  foreign key (enterprise_id, park_code) references parking.park (enterprise_id, park_code));
create index illegal_first on roadside.illegal_stop (enterprise_id, first_at desc, id desc);
select platform.plates_found('roadside.illegal_stop');
create index illegal_device on roadside.illegal_stop (enterprise_id, device_no, first_at desc) where device_no is not null;
create index illegal_plate on roadside.illegal_stop (enterprise_id, plate_no, last_at desc);
create index illegal_seat on roadside.illegal_stop (enterprise_id, park_code, seat_code, last_at desc) where seat_code is not null;
select platform.scoped('roadside.illegal_stop');
-- The police know their own number and no company.
create unique index illegal_police on roadside.illegal_stop (police_no) where police_no is not null;
create function roadside.enterprise_of(of_police text) returns integer stable language sql security definer set search_path = ''
  begin atomic select i.enterprise_id from roadside.illegal_stop i where i.police_no = of_police; end;
revoke all on function roadside.enterprise_of from public;
grant execute on function roadside.enterprise_of to kerbline_app;

create view roadside.patrol_picture with (security_invoker = true) as
  select i.id::text || '-' || p.n as id, i.enterprise_id, i.park_code, i.illegal_no, i.plate_no, i.place, i.device_no, (p.one ->> 'at')::timestamptz as at, p.one ->> 'image' as image
  from roadside.illegal_stop i cross join lateral jsonb_array_elements(i.images) with ordinality as p (one, n) where i.source = 3;
grant select on roadside.patrol_picture to kerbline_app;

create table roadside.preset (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, device_no text not null, preset_no integer not null check (preset_no between 1 and 255),
  zone text not null, type smallint not null check (type between 1 and 6), hold_min integer not null check (hold_min between 3 and 60), day_mask smallint not null default 127 check (day_mask between 1 and 127),
  time_from text not null default '00:00', time_to text not null default '00:00', status smallint not null default 1 check (status in (1, 2)),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, device_no, preset_no));
select platform.scoped('roadside.preset');
select platform.binned('roadside.preset', title => 'zone');

-- A look through a camera: one ticket, one connection, one session.
create table roadside.play (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), park_code text not null, device_no text not null, session_id text not null,
  person_id uuid not null, person_name text not null, asked_at timestamptz not null, expires_at timestamptz not null, begun_at timestamptz, ended_at timestamptz, ended_because text);
create index play_asked on roadside.play (enterprise_id, asked_at desc);
select platform.scoped('roadside.play', audited => false);

create view roadside.stay with (security_invoker = true) as
  select s.id, s.enterprise_id, s.park_code, s.section_code, s.seat_code, s.plate_no, s.plate_color, s.vehicle_class, s.car_kind_in, s.entry_time as arrived_at, s.seen_at, s.exit_time as left_at,
    s.duration_min as charged_min, s.status, s.abnormal_type, s.pay_state, s.receivable_fen, s.discount_fen, s.payable_fen, s.paid_fen,
    case when s.pay_state = 4 then s.payable_fen - s.paid_fen else 0 end as arrears_fen, s.order_id, s.rule_version_id, s.remark, s.version, s.created_at, s.updated_at,
    v.detector, v.confirm_state, v.toll_no, v.collectable
  from parking.stay s join roadside.visit v on v.stay_id = s.id where s.p_type = 2;
grant select on roadside.stay to kerbline_app;

-- Berths of the street and bays of parks stand in one list: a figure of the street opens those of the street alone.
create view roadside.berth_now with (security_invoker = true) as
  select b.id, b.enterprise_id, b.park_code, b.section_code, b.area_code, b.seat_code, b.berth_no, b.type, b.charge_type, b.lng, b.lat, b.status, b.remark, b.version, b.created_at, b.updated_at,
    sec.name as section_name, p.name as park_name, pr.stay_id, pr.plate_no, pr.plate_color,
    case when b.status = 2 or p.status = 2 or sec.flag = 2 then 3
      when s.abnormal_type = 10 or exists (select from parking.stay w where w.enterprise_id = b.enterprise_id and w.park_code = b.park_code and w.seat_code = b.seat_code and w.status = 4) then 2
      when pr.stay_id is not null then 1 else 0 end::smallint as occupy,
    coalesce(s.entry_time, s.exit_time) as arrived_at,
    coalesce((select min(d.kind) from roadside.binding d where d.enterprise_id = b.enterprise_id and d.park_code = b.park_code and d.seat_code = b.seat_code and d.to_at is null), 0)::smallint as detector,
    (exists (select from roadside.binding d where d.enterprise_id = b.enterprise_id and d.park_code = b.park_code and d.seat_code = b.seat_code and d.to_at is null))::int::smallint as bind_state,
    p.p_type
  from roadside.berth b
    join parking.park p on p.enterprise_id = b.enterprise_id and p.park_code = b.park_code
    left join roadside.section sec on sec.enterprise_id = b.enterprise_id and sec.section_code = b.section_code
    left join parking.present pr on pr.enterprise_id = b.enterprise_id and pr.park_code = b.park_code and pr.seat_code = b.seat_code
    left join parking.stay s on s.id = pr.stay_id
  where not b.deleted;
grant select on roadside.berth_now to kerbline_app;

-- What is printed on the ground is one of the printed codes: one register, one signature, one page behind it. Before, the code of a berth was signed by a key that nobody who scans asked.
create trigger qrcode after insert on roadside.berth for each row execute function parking.give_qrcode('3', 'seat_code');
alter table roadside.berth drop column short_code, drop column qr_version;
create index binding_device on roadside.binding (enterprise_id, device_no, from_at desc);
create index binding_of_seat on roadside.binding (enterprise_id, seat_code, from_at desc);

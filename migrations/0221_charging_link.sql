-- The line to a pile: by what it signs in, what it was told, what it said, how it is set.
create table charging.link (
  enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null,
  -- Keyed digests: a town of piles that comes back at once costs no more than as many look-ups. The next one is made from the key and `next_salt`, so that it is never kept itself.
  secret_hash text, next_hash text, next_salt text,
  sub_protocol text, ip text, signed_in_at timestamptz, refused_at timestamptz, refusal smallint check (refusal between 1 and 4),
  boots smallint not null default 0, boots_from timestamptz, boot_skew_ms bigint, city_stamps smallint not null default 0, z_is_city boolean not null default false,
  list_version integer not null default 0, primary key (enterprise_id, equipment_id),
  constraint next_of_salt check ((next_hash is null) = (next_salt is null)),
  foreign key (enterprise_id, equipment_id) references charging.equipment (enterprise_id, equipment_id) on delete cascade
);
select platform.scoped('charging.link', audited => false, key => 'equipment_id');

-- At the door nobody knows the enterprise yet.
create function charging.credential(wanted text)
  returns table (enterprise_id integer, equipment_id text, park_code text, protocol smallint, admin_status smallint, time_mode smallint, meter_kind smallint, secret_hash text, next_hash text, z_is_city boolean)
  stable language sql security definer set search_path = ''
  begin atomic
    select e.enterprise_id, e.equipment_id, e.park_code, e.protocol, e.admin_status, e.time_mode, e.meter_kind, l.secret_hash, l.next_hash, coalesce(l.z_is_city, false)
      from charging.equipment e left join charging.link l on l.enterprise_id = e.enterprise_id and l.equipment_id = e.equipment_id where e.charge_point_id = wanted;
  end;
revoke all on function charging.credential from public;
grant execute on function charging.credential to kerbline_app;

create view charging.pile_link with (security_invoker = true) as
  select e.enterprise_id, e.equipment_id, e.park_code, e.charge_point_id, e.protocol, coalesce(s.online, false) as online, s.last_seen_at, s.connected_at, s.boot_at, s.vendor, s.model, s.serial_no, s.firmware, s.skew_sec,
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
  direction smallint not null check (direction in (1, 2)), kind smallint not null check (kind in (2, 3, 4, 9)), action text, message_id text not null, body text not null, primary key (enterprise_id, id)
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
  enterprise_id integer not null default scope_enterprise(), equipment_id text not null, park_code text not null, transaction_id text not null, seq_no integer not null, digest text not null, reply jsonb,
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

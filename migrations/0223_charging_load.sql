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

-- What somebody took away as a sheet: who, which list, with which filter, how many rows. Nobody changes it; it stands in the operation log.
create table platform.export (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), person_id uuid not null, call text not null,
  title text not null, title_en text not null, criteria jsonb not null, format text not null check (format in ('xls', 'xlsx', 'csv')),
  -- Unknown where it is written in the background.
  rows integer, at timestamptz not null default now(), unique (enterprise_id, id));
create index export_person on platform.export (enterprise_id, person_id, at desc);
select platform.scoped('platform.export', append_only => true);

-- The file of one that is written in the background, with the scope of whoever asked for it. Its progress is not worth a line in the log.
create table platform.export_file (
  id uuid primary key, enterprise_id integer not null default scope_enterprise(), person_id uuid not null, columns jsonb not null, parks text[],
  language smallint not null check (language in (0, 1)), format text not null check (format in ('xls', 'xlsx', 'csv')), name text not null,
  state smallint not null default 1 check (state in (1, 2, 3, 4, 5)), rows_done integer not null default 0, rows_total integer, bytes bigint,
  heard_at timestamptz not null default now(), finished_at timestamptz, link_until timestamptz, created_at timestamptz not null default now(),
  foreign key (enterprise_id, id) references platform.export (enterprise_id, id));
create index export_file_mine on platform.export_file (enterprise_id, person_id, created_at desc, id desc);
select platform.scoped('platform.export_file', audited => false);
create view platform.my_export with (security_invoker = true) as
  select f.id, f.enterprise_id, f.person_id, e.title, e.title_en, f.format, f.name, f.rows_done, f.rows_total, f.bytes, f.link_until, f.created_at, f.finished_at,
    -- A process that was killed says nothing any more.
    case when f.state in (1, 2) and f.heard_at < now() - interval '15 minutes' then 4::smallint else f.state end as state
  from platform.export_file f join platform.export e on e.enterprise_id = f.enterprise_id and e.id = f.id;
grant select on platform.my_export to kerbline_app;

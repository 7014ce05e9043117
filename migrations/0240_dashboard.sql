-- Rows of the gallery: an enterprise's own, to try every way of using a list on.
create schema dashboard;
select platform.opened('dashboard');
create table dashboard.sample (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), code text not null, name text not null,
  kind smallint not null check (kind in (1, 2, 3)), state smallint not null default 1 check (state in (1, 2, 3)),
  amount_fen bigint not null default 0, cost_fen bigint, happened_at timestamptz not null default now(), keeper text, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), unique (enterprise_id, code));
create index sample_newest on dashboard.sample (enterprise_id, happened_at, id);
create index sample_amount on dashboard.sample (enterprise_id, amount_fen, id);
create index sample_name on dashboard.sample using gin (name gin_trgm_ops);
select platform.scoped('dashboard.sample');

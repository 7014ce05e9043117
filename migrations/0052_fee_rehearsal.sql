-- A draft of a fee rule over real stays of the days before: what it would have changed. `tariff` is the draft as it was then, `mark` its fingerprint; `scope_parks`
-- are the parks of whoever asked (none: all of the enterprise).
create table fee.rehearsal (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), rule_version_id uuid not null, days integer not null check (days between 1 and 90),
  park_codes text[] not null default '{}', scope_parks text[], tariff jsonb not null, mark text not null, state smallint not null default 1 check (state in (1, 2, 3, 4, 5)),
  stays_from timestamptz not null, stays_to timestamptz not null, stays_total integer, stays_done integer not null default 0, unlike_stays integer not null default 0,
  dearer_stays integer not null default 0, dearer_fen bigint not null default 0, cheaper_stays integer not null default 0, cheaper_fen bigint not null default 0,
  before_fen bigint not null default 0, after_fen bigint not null default 0, spread jsonb not null default '[]', by_park jsonb not null default '[]',
  started_by text not null, finished_at timestamptz, override_reason text, overridden_by text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), check (stays_to > stays_from),
  foreign key (enterprise_id, rule_version_id) references fee.rule (enterprise_id, id) on delete cascade);
create index rehearsal_of_version on fee.rehearsal (enterprise_id, rule_version_id, created_at desc, id desc);
create index rehearsal_newest on fee.rehearsal (enterprise_id, created_at desc, id desc);
create unique index rehearsal_one_at_once on fee.rehearsal (enterprise_id, rule_version_id) where state in (1, 2);
select platform.scoped('fee.rehearsal', audited => false);
alter table fee.rehearsal alter column tariff set statistics 0, alter column spread set statistics 0, alter column by_park set statistics 0;
-- Its sums are of the parks of whoever asked: who has fewer does not see them.
create policy parks_seen on fee.rehearsal as restrictive for select using ((select scope_all_parks()) or scope_parks <@ (select scope_parks())::text[]);

-- The stays that would have cost something else, with what both fees depend on besides their times.
create table fee.rehearsed_stay (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), rehearsal_id uuid not null, stay_id uuid not null, park_code text not null, plate_no text,
  rule_version_id uuid not null, entry_time timestamptz not null, until timestamptz not null, before_fen bigint not null, after_fen bigint not null,
  delta_fen bigint not null generated always as (after_fen - before_fen) stored check (after_fen <> before_fen), terms jsonb,
  foreign key (enterprise_id, rehearsal_id) references fee.rehearsal (enterprise_id, id) on delete cascade);
create index rehearsed_stay_delta on fee.rehearsed_stay (enterprise_id, rehearsal_id, delta_fen, id);
create index rehearsed_stay_entry on fee.rehearsed_stay (enterprise_id, rehearsal_id, entry_time, id);
select platform.scoped('fee.rehearsed_stay', audited => false);
alter table fee.rehearsed_stay alter column terms set statistics 0;

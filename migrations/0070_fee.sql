-- What parking costs: rules in versions, what they are tied to, their tables of prices, and days that are not what the calendar says.
create schema fee;
select platform.opened('fee');

-- One row is one version of a rule; `rule_id` is the same for all versions of a rule. A published version never changes: `document` is what prices are worked out from.
-- The console's tables say what a tariff's document says too: caps of their own for weekends and holidays, and a price for every full 24 hours.
create table fee.rule (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), rule_id uuid not null default uuidv7(), version_no integer not null default 1,
  name text not null, vehicle_classes smallint[] not null default '{}', source smallint not null default 1 check (source in (1, 2)),
  free_min integer not null default 0 check (free_min between 0 and 1439), free_mode smallint not null default 1 check (free_mode in (1, 2)),
  free_times_per_day integer not null default 0 check (free_times_per_day >= 0),
  day_unit smallint not null default 1 check (day_unit in (1, 2, 3)), day_cut_min integer not null default 0 check (day_cut_min between 0 and 1439),
  day_cap_fen bigint check (day_cap_fen >= 0), session_cap_fen bigint check (session_cap_fen >= 0),
  unit_anchor smallint not null default 1 check (unit_anchor in (1, 2)), second_rule smallint not null default 1 check (second_rule in (1, 2)),
  priority integer not null default 0, status smallint not null default 0 check (status in (0, 1, 2)),
  effective_from timestamptz, effective_to timestamptz, document jsonb, origin jsonb, published_by text, published_at timestamptz, remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  weekend_cap_fen bigint check (weekend_cap_fen >= 0), holiday_cap_fen bigint check (holiday_cap_fen >= 0), whole_day_fen bigint check (whole_day_fen >= 0),
  unique (enterprise_id, id), unique (enterprise_id, rule_id, version_no),
  constraint rule_published_whole check (status = 0 or (document is not null and effective_from is not null and published_at is not null)),
  constraint rule_period check (effective_to is null or effective_from is null or effective_to >= effective_from),
  constraint rule_versions_apart exclude using gist (enterprise_id with =, rule_id with =, tstzrange(effective_from, effective_to) with &&) where (status = 1));
create index rule_newest on fee.rule (enterprise_id, created_at, id);
create unique index rule_one_draft on fee.rule (enterprise_id, rule_id) where status = 0;
create index rule_name on fee.rule using gin (name gin_trgm_ops);
select platform.scoped('fee.rule');

-- Of a published version only its end may still be set.
create function fee.keep_published() returns trigger language plpgsql as $$
declare may_change text[] := '{status,effective_to,remark,version,updated_at}';
begin
  if tg_op = 'DELETE' then
    if old.status <> 0 then raise exception using errcode = 'check_violation', message = 'A published fee rule stays.'; end if;
    return old;
  end if;
  if old.status <> 0 and (to_jsonb(old) - may_change <> to_jsonb(new) - may_change or new.status < old.status) then
    raise exception using errcode = 'check_violation', message = 'A published fee rule never changes: make a new version.';
  end if;
  return new;
end $$;
create trigger kept before update or delete on fee.rule for each row execute function fee.keep_published();

-- Which stays a rule is for. Nothing named: the default of the enterprise. It is tied to the rule, whichever version is in force.
create table fee.associate (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), rule_id uuid not null,
  area_code text, section_code text, member_group text, car_kind smallint check (car_kind in (2, 6, 7, 8, 9)), remark text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id));
select platform.scoped('fee.associate');
-- Everybody may see what holds for all parks; a tie of one park belongs to those who have that park, and only they, or those with all parks, change one.
alter table fee.associate add column park_code text;
alter table fee.associate add constraint associate_area_in_park check (area_code is null or park_code is not null);
create policy parks_seen on fee.associate as restrictive for select to kerbline_parks   using (park_code is null or (select scope_all_parks()) or park_code = any ((select scope_parks())::text[]));
create policy parks_tied on fee.associate as restrictive for insert to kerbline_parks with check ((select scope_all_parks()) or park_code = any ((select scope_parks())::text[]));
create policy parks_changed on fee.associate as restrictive for update to kerbline_parks using ((select scope_all_parks()) or park_code = any ((select scope_parks())::text[]));
create policy parks_untied on fee.associate as restrictive for delete to kerbline_parks using ((select scope_all_parks()) or park_code = any ((select scope_parks())::text[]));
create unique index associate_once on fee.associate (enterprise_id, rule_id, coalesce(park_code, ''), coalesce(area_code, ''), coalesce(section_code, ''), coalesce(member_group, ''), coalesce(car_kind, 0));
create index associate_newest on fee.associate (enterprise_id, created_at, id);
create index associate_park on fee.associate (enterprise_id, park_code);

-- The tables of a version: bands of the clock, and what each costs by visit, by hour or by step.
create table fee.segment (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), rule_version_id uuid not null, name text,
  "from" text not null check ("from" ~ '^([01]\d|2[0-3]):[0-5]\d$'), "to" text not null check ("to" ~ '^(([01]\d|2[0-3]):[0-5]\d|24:00)$'),
  day_type smallint not null default 7 check (day_type between 1 and 7), mode smallint not null check (mode in (0, 1, 2, 3)), cap_fen bigint check (cap_fen >= 0),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), foreign key (enterprise_id, rule_version_id) references fee.rule (enterprise_id, id) on delete cascade);
create index segment_rule on fee.segment (enterprise_id, rule_version_id, "from", id);
create index segment_newest on fee.segment (enterprise_id, created_at, id);
select platform.scoped('fee.segment');

create table fee.frequency (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), segment_id uuid not null, amount_fen bigint not null check (amount_fen >= 0),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, segment_id), foreign key (enterprise_id, segment_id) references fee.segment (enterprise_id, id) on delete cascade);
create index frequency_newest on fee.frequency (enterprise_id, created_at, id);
select platform.scoped('fee.frequency');

create table fee.hour (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), segment_id uuid not null,
  first_min integer check (first_min between 1 and 1440), first_fen bigint check (first_fen >= 0), unit_min integer not null check (unit_min between 1 and 1440), unit_fen bigint not null check (unit_fen >= 0),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  check ((first_min is null) = (first_fen is null)),
  unique (enterprise_id, segment_id), foreign key (enterprise_id, segment_id) references fee.segment (enterprise_id, id) on delete cascade);
create index hour_newest on fee.hour (enterprise_id, created_at, id);
select platform.scoped('fee.hour');

-- A step says what the stay costs up to a length; the one row with `over_unit_min` says what comes beyond the last.
create table fee.step (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), segment_id uuid not null,
  up_to_min integer check (up_to_min between 1 and 44640), total_fen bigint check (total_fen >= 0), over_unit_min integer check (over_unit_min between 1 and 1440), over_unit_fen bigint check (over_unit_fen >= 0),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  check ((up_to_min is null) = (total_fen is null)), check ((over_unit_min is null) = (over_unit_fen is null)), check ((up_to_min is null) <> (over_unit_min is null)),
  foreign key (enterprise_id, segment_id) references fee.segment (enterprise_id, id) on delete cascade);
create unique index step_up_to on fee.step (enterprise_id, segment_id, coalesce(up_to_min, 0));
create index step_newest on fee.step (enterprise_id, created_at, id);
select platform.scoped('fee.step');

-- Days that differ from the published calendar of holidays, which the program carries: 1 a holiday, 2 a day that is worked, 3 a plain day after all.
create table fee.holiday (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), day date not null, kind smallint not null check (kind in (1, 2, 3)), name text not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), unique (enterprise_id, day));
select platform.scoped('fee.holiday');

-- Ties with what a person wants to know of the rule: its newest name, and the version in force now.
create view fee.associate_line with (security_invoker = true) as
  select a.*, newest.name as rule_name, newest.priority, force.version_no as in_force_no, force.id as in_force_id
  from fee.associate a
  join lateral (select r.name, r.priority from fee.rule r where r.enterprise_id = a.enterprise_id and r.rule_id = a.rule_id order by r.version_no desc limit 1) newest on true
  left join lateral (select r.id, r.version_no from fee.rule r where r.enterprise_id = a.enterprise_id and r.rule_id = a.rule_id and r.status = 1
    and r.effective_from <= now() and (r.effective_to is null or r.effective_to > now()) limit 1) force on true;
grant select on fee.associate_line to kerbline_app;

-- A draft of a fee rule over real stays of the days before: what it would have changed. `tariff` is the draft as it was then, `mark` its fingerprint; `scope_parks`
-- are the parks of whoever asked (none: all of the enterprise).
-- How often a rehearsal was taken up: a process that dies over it leaves it to the next one, but not for ever.
create table fee.rehearsal (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), rule_version_id uuid not null, days integer not null check (days between 1 and 90),
  park_codes text[] not null default '{}', scope_parks text[], tariff jsonb not null, mark text not null, state smallint not null default 1 check (state in (1, 2, 3, 4, 5)),
  stays_from timestamptz not null, stays_to timestamptz not null, stays_total integer, stays_done integer not null default 0, unlike_stays integer not null default 0,
  dearer_stays integer not null default 0, dearer_fen bigint not null default 0, cheaper_stays integer not null default 0, cheaper_fen bigint not null default 0,
  before_fen bigint not null default 0, after_fen bigint not null default 0, spread jsonb not null default '[]', by_park jsonb not null default '[]',
  started_by text not null, finished_at timestamptz, override_reason text, overridden_by text,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  begun smallint not null default 0 check (begun >= 0),
  unique (enterprise_id, id), check (stays_to > stays_from),
  foreign key (enterprise_id, rule_version_id) references fee.rule (enterprise_id, id) on delete cascade);
create index rehearsal_of_version on fee.rehearsal (enterprise_id, rule_version_id, created_at desc, id desc);
create index rehearsal_newest on fee.rehearsal (enterprise_id, created_at desc, id desc);
create unique index rehearsal_one_at_once on fee.rehearsal (enterprise_id, rule_version_id) where state in (1, 2);
select platform.scoped('fee.rehearsal', audited => false);
alter table fee.rehearsal alter column tariff set statistics 0, alter column spread set statistics 0, alter column by_park set statistics 0;
-- Its sums are of the parks of whoever asked: who has fewer does not see them.
create policy parks_seen on fee.rehearsal as restrictive for select to kerbline_parks using ((select scope_all_parks()) or scope_parks <@ (select scope_parks())::text[]);

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
-- One plate among the stays that change.
create index rehearsed_stay_plate on fee.rehearsed_stay (enterprise_id, rehearsal_id, plate_no, delta_fen, id);
select platform.binned_whole('fee.rule', 'name');
select platform.binned_whole('fee.segment', 'name');
-- What has no name of its own is called by the rule that it belongs to.
create function fee.part_told(part jsonb) returns text stable language sql set search_path = ''
  return (select concat_ws(' · ', r.name, coalesce(s.name, s."from" || '–' || s."to")) from fee.segment s left join fee.rule r on r.enterprise_id = s.enterprise_id and r.id = s.rule_version_id
    where s.enterprise_id = (part ->> 'enterprise_id')::integer and s.id = (part ->> 'segment_id')::uuid);
create function fee.associate_told(tie jsonb) returns text stable language sql set search_path = ''
  return (select concat_ws(' · ', r.name, tie ->> 'area_code', tie ->> 'section_code', tie ->> 'member_group') from fee.rule r
    where r.enterprise_id = (tie ->> 'enterprise_id')::integer and r.rule_id = (tie ->> 'rule_id')::uuid order by r.version_no desc limit 1);
select platform.binned_whole('fee.frequency', 'fee.part_told');
select platform.binned_whole('fee.hour', 'fee.part_told');
select platform.binned_whole('fee.step', 'fee.part_told');
select platform.binned_whole('fee.associate', 'fee.associate_told');
select platform.binned_whole('fee.holiday', 'name');

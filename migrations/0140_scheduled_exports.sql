-- A list that is written to a file again and again, for its owner alone. What it is read with are its owner's rights at that time, so none are kept here.
create table platform.scheduled_export (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), person_id uuid not null,
  name text not null check (length(name) between 1 and 60), call text not null, title text not null, title_en text not null,
  criteria jsonb not null, columns jsonb not null, format text not null check (format in ('xls', 'xlsx', 'csv')), language smallint not null check (language in (0, 1)),
  rhythm smallint not null check (rhythm in (1, 2, 3)), day smallint, time_of_day text not null check (time_of_day ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  -- The criterion that moves along: it always holds the stretch before the run.
  moving text, state smallint not null default 1 check (state in (1, 2, 3)), stopped_by smallint check (stopped_by in (1, 2, 3)),
  next_at timestamptz not null, last_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), unique (enterprise_id, id),
  check (case rhythm when 1 then day is null when 2 then day between 1 and 7 else day between 1 and 31 end is true),
  check ((state = 3) = (stopped_by is not null)));
create index scheduled_export_mine on platform.scheduled_export (enterprise_id, person_id, created_at desc, id desc);
create index scheduled_export_due on platform.scheduled_export (enterprise_id, next_at) where state = 1;
select platform.scoped('platform.scheduled_export');
select platform.uncounted('platform.scheduled_export');
select platform.binned('platform.scheduled_export', title => 'name');

-- What became of each time: a file, or why there is none. No time is written twice.
create table platform.scheduled_run (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), scheduled_id uuid not null, due_at timestamptz not null,
  at timestamptz not null, export_id uuid, said text, said_en text,
  unique (enterprise_id, scheduled_id, due_at), check ((export_id is null) = (said is not null)), check ((said is null) = (said_en is null)));
create index scheduled_run_old on platform.scheduled_run (at);
select platform.scoped('platform.scheduled_run', audited => false);

-- Somebody as they are now, without a session: what is done in their name later is done with the rights that they have then. Nothing for whoever may not sign in.
create function identity.person_actor(person uuid, out user_name text, out parks text[], out departments uuid[], out capabilities text[])
stable language sql security definer set search_path = '' begin atomic
  select p.name, identity.parks_seen(a.id, p.id), identity.departments_of(a.id, p.id),
    case when p.must_change or (identity.asks_second_factor(a.id, p.id) and not identity.has_second_factor(p.id)) then '{}' else identity.capabilities_of(a.id, p.id) end
  from identity.person p join identity.enterprise e on e.id = p.enterprise_id join identity.enterprise a on a.id = public.scope_enterprise()
  where p.id = person and p.lock_state = 1 and e.status = 1 and a.status = 1
    and (p.enterprise_id = a.id or exists (select from identity.guest g where g.enterprise_id = a.id and g.person_id = p.id)); end;

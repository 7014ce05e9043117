-- What a person chose in the console: which columns, how wide, which views. It follows them to any browser.
create table identity.preference (
  enterprise_id integer not null default scope_enterprise(), person_id uuid not null, name text not null, value jsonb not null,
  updated_at timestamptz not null default now(), primary key (enterprise_id, person_id, name),
  foreign key (enterprise_id, person_id) references identity.person (enterprise_id, id) on delete cascade);
select platform.scoped('identity.preference', audited => false, key => 'name');

-- A named search of a list. `shared`: everybody of the enterprise finds it, only its maker changes it.
create table identity.view (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), person_id uuid not null, list text not null, name text not null,
  shared boolean not null default false, criteria jsonb not null,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, person_id, list, name),
  foreign key (enterprise_id, person_id) references identity.person (enterprise_id, id) on delete cascade);
create index view_of_list on identity.view (enterprise_id, list);
select platform.scoped('identity.view');

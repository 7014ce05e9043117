-- Scrapping a device or a pile: asked for by one, agreed by another, and where it was dear by a third.

-- reason: 1 past its time, 2 past repair, 3 dearer than a new one, 4 out of date, 5 destroyed or lost. state: 0 to be agreed, 1 to be agreed by the head, 2 approved, 3 refused, 4 taken back.
-- A second person agrees from ten thousand yuan on.
create table inspection.scrap (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), scrap_no text not null default platform.business_no('BF'),
  device_no text not null, device_name text not null, device_type smallint not null check (device_type between 1 and 14), park_code text,
  reason smallint not null check (reason in (1, 2, 3, 4, 5)), note text not null, images text, original_fen bigint not null check (original_fen >= 0), repair_fen bigint not null check (repair_fen >= 0),
  residual_fen bigint not null check (residual_fen >= 0), months integer not null check (months >= 0), state smallint not null default 0 check (state in (0, 1, 2, 3, 4)),
  applicant_id uuid not null, applicant_name text not null, manager_id uuid, manager_name text, managed_at timestamptz, head_id uuid, head_name text, headed_at timestamptz, opinion text, done_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), unique (enterprise_id, scrap_no),
  constraint worth_less_than_bought check (residual_fen <= original_fen),
  constraint over_at check ((state in (2, 3, 4)) = (done_at is not null)),
  constraint agreed_by_another check (manager_id is distinct from applicant_id and head_id is distinct from applicant_id and (manager_id is null or head_id is distinct from manager_id)),
  constraint agreed_in_order check (head_id is null or manager_id is not null),
  constraint agreed_by_somebody check (state not in (1, 2) or manager_id is not null),
  constraint dear_by_a_third check (state <> 2 or original_fen < 1000000 or head_id is not null),
  constraint refused_because check (state <> 3 or opinion is not null));
create unique index scrap_once on inspection.scrap (enterprise_id, device_no) where state in (0, 1, 2);
create index scrap_device on inspection.scrap (enterprise_id, device_no, created_at desc);
create index scrap_created on inspection.scrap (enterprise_id, created_at desc, id desc);
create index scrap_done on inspection.scrap (enterprise_id, done_at desc, id desc);
select platform.scoped('inspection.scrap');

-- Repairs of devices and piles: one open at a time for each, with every report of what is broken, every step, and what it cost.

-- source: 1 round, 2 reported, 3 warning, 4 work order, 5 scanned. level: 1 low, 2 middle, 3 high, 4 urgent.
-- state: 0 to be assigned, 1 assigned, 2 in hand, 3 to be accepted, 4 done, 5 returned, 6 scrapped instead.
-- `repairer_id` handed the work in, `worker_id` is the account of who it was given to: neither accepts it.
create table inspection.repair (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), repair_no text not null default platform.business_no('WX'),
  device_no text not null, device_name text not null, device_type smallint not null check (device_type between 1 and 14), park_code text,
  source smallint not null check (source in (1, 2, 3, 4, 5)), level smallint not null check (level in (1, 2, 3, 4)), "desc" text not null, images text, reports integer not null default 0 check (reports >= 0),
  state smallint not null default 0 check (state in (0, 1, 2, 3, 4, 5, 6)), toll_no text, toll_name text, worker_id uuid, repairer_id uuid, repairer_name text, acceptor_id uuid, acceptor_name text,
  parts jsonb not null default '[]', parts_fen bigint not null default 0 check (parts_fen >= 0), labour_fen bigint not null default 0 check (labour_fen >= 0),
  cost_fen bigint not null generated always as (parts_fen + labour_fen) stored, after_images text, reason text, order_id uuid, order_no text, opened_name text not null,
  assigned_at timestamptz, started_at timestamptz, submitted_at timestamptz, done_at timestamptz, repair_min integer check (repair_min >= 0),
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
  unique (enterprise_id, id), unique (enterprise_id, repair_no),
  constraint given_to_somebody check (state not in (1, 2, 3, 4) or toll_no is not null),
  constraint handed_in_by_somebody check (state not in (3, 4) or (repairer_id is not null and submitted_at is not null)),
  constraint over_at check ((state in (4, 6)) = (done_at is not null)),
  constraint accepted_by_somebody check ((state = 4) = (acceptor_id is not null)),
  constraint accepted_by_another check (acceptor_id is null or (acceptor_id <> repairer_id and acceptor_id is distinct from worker_id)),
  constraint order_has_a_number check ((order_id is null) = (order_no is null)));
create unique index repair_open on inspection.repair (enterprise_id, device_no) where state in (0, 1, 2, 3, 5);
create index repair_device on inspection.repair (enterprise_id, device_no, created_at desc);
create index repair_created on inspection.repair (enterprise_id, created_at desc, id desc);
create index repair_done on inspection.repair (enterprise_id, done_at desc, id desc);
create index repair_order on inspection.repair (enterprise_id, order_no) where order_no is not null;
select platform.scoped('inspection.repair');
select platform.uncounted('inspection.repair');

-- What was reported of it, each time.
create table inspection.repair_line (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), repair_id uuid not null, seq integer not null check (seq > 0), at timestamptz not null,
  source smallint not null check (source in (1, 2, 3, 4, 5)), level smallint not null check (level in (1, 2, 3, 4)), "desc" text not null, images text, who text not null, contact text,
  unique (enterprise_id, repair_id, seq), foreign key (enterprise_id, repair_id) references inspection.repair (enterprise_id, id) on delete cascade);
select platform.scoped('inspection.repair_line', audited => false, append_only => true);

-- What was done about it, each step; nobody takes one back.
create table inspection.repair_step (
  id uuid primary key default uuidv7(), enterprise_id integer not null default scope_enterprise(), repair_id uuid not null, seq integer not null check (seq > 0), at timestamptz not null,
  "from" smallint not null check ("from" between 0 and 6), "to" smallint not null check ("to" between 0 and 6), who text not null, whom text, reason text, images text,
  unique (enterprise_id, repair_id, seq), foreign key (enterprise_id, repair_id) references inspection.repair (enterprise_id, id) on delete cascade);
select platform.scoped('inspection.repair_step', audited => false, append_only => true);

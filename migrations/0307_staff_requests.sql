-- What collectors ask for: leave, a swap, somebody to stand in, a card afterwards. type: 1 leave, 2 swap, 3 stand-in, 4 card. state: 0 waits for the partner, 1 to be decided, 2 granted, 3 rejected, 4 withdrawn, 5 run out.
create table staff.request (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), request_no text not null default platform.business_no('SQ'), park_code text not null,
  type smallint not null check (type between 1 and 4), leave_kind smallint check (leave_kind in (1, 2, 3)), applicant_id uuid not null, cell_id uuid not null, to_collector_id uuid, to_cell_id uuid,
  card_kind smallint check (card_kind in (1, 2)), card_time timestamptz, reason text not null, images text, state smallint not null check (state between 0 and 5),
  asked_by_id uuid not null, agreed_by_id uuid, opinion text, decided_id uuid, decided_name text, decided_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, applicant_id) references staff.collector (enterprise_id, id), foreign key (enterprise_id, to_collector_id) references staff.collector (enterprise_id, id),
  foreign key (enterprise_id, cell_id) references staff.cell (enterprise_id, id) on delete cascade, foreign key (enterprise_id, to_cell_id) references staff.cell (enterprise_id, id) on delete cascade,
  constraint leave_has_kind check ((type = 1) = (leave_kind is not null)), constraint card_has_time check ((type = 4) = (card_time is not null) and (type = 4) = (card_kind is not null)),
  constraint partner_is_another check (applicant_id is distinct from to_collector_id), constraint partner_where_needed check ((type in (2, 3)) = (to_collector_id is not null) and (type = 2) = (to_cell_id is not null)),
  constraint decided_by_somebody check (state <> 2 or decided_id is not null), constraint decided_by_another check (decided_id is null or (decided_id <> asked_by_id and decided_id is distinct from agreed_by_id)));
create unique index request_open on staff.request (enterprise_id, cell_id) where state in (0, 1);
create index request_to_cell on staff.request (enterprise_id, to_cell_id) where to_cell_id is not null;
create index request_created on staff.request (enterprise_id, created_at desc, id desc);
create index request_applicant on staff.request (enterprise_id, applicant_id, created_at desc);
create index request_partner on staff.request (enterprise_id, to_collector_id) where to_collector_id is not null;
select platform.scoped('staff.request');

create view staff.request_line with (security_invoker = true) as
  select r.*, concat_ws(' ', a.person_id, p.person_id, l.person_id) as seen_by, a.toll_no, a.name, p.toll_no as to_toll_no, p.name as to_name, e.work_date, e.shift_name, e.start_at, e.end_at
  from staff.request r join staff.collector a on a.enterprise_id = r.enterprise_id and a.id = r.applicant_id
  join staff.cell e on e.enterprise_id = r.enterprise_id and e.id = r.cell_id
  left join staff.collector p on p.enterprise_id = r.enterprise_id and p.id = r.to_collector_id
  left join staff.work_group g on g.enterprise_id = a.enterprise_id and g.id = a.group_id left join staff.collector l on l.enterprise_id = g.enterprise_id and l.id = g.leader_id;
grant select on staff.request_line to kerbline_app;

-- Where collectors are while they are at work, and the log of each piece of work.
create function staff.metres(lng1 double precision, lat1 double precision, lng2 double precision, lat2 double precision) returns double precision immutable parallel safe language sql set search_path = '' as $$
  select 6371008.8 * 2 * asin(least(1, sqrt(sin(radians(lat2 - lat1) / 2) ^ 2 + cos(radians(lat1)) * cos(radians(lat2)) * sin(radians(lng2 - lng1) / 2) ^ 2))) $$;

-- One for each cell that somebody came to. On duty is from the first card in to the last card out, and never longer than until until_at. state: 0 running, 1 to be submitted, 2 submitted, 3 rated, 4 not submitted in time.
create table staff.work_log (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), cell_id uuid not null, collector_id uuid not null, park_code text not null, work_date date not null,
  opened_at timestamptz not null, out_at timestamptz, until_at timestamptz not null, state smallint not null default 0 check (state between 0 and 4),
  entries integer not null default 0 check (entries >= 0), exits integer not null default 0 check (exits >= 0), orders integer not null default 0 check (orders >= 0), paid_fen bigint not null default 0,
  photos integer not null default 0 check (photos >= 0), patrols integer not null default 0 check (patrols >= 0), walk_m integer not null default 0 check (walk_m >= 0), warnings integer not null default 0 check (warnings >= 0),
  content text, images text, incidents jsonb not null default '[]', submitted_at timestamptz, score smallint check (score between 1 and 5), verdict text, reviewer_name text, reviewed_at timestamptz,
  version integer not null default 1, created_at timestamptz not null default now(), updated_at timestamptz not null default now(), primary key (enterprise_id, id),
  foreign key (enterprise_id, cell_id) references staff.cell (enterprise_id, id) on delete cascade, foreign key (enterprise_id, collector_id) references staff.collector (enterprise_id, id),
  constraint forward check (until_at > opened_at and (out_at is null or out_at > opened_at)),
  constraint submitted_with_words check (state not in (2, 3) or (submitted_at is not null and content is not null)),
  constraint rated_by_somebody check ((state = 3) = (score is not null) and (state = 3) = (reviewed_at is not null) and (state = 3) = (reviewer_name is not null)));
create unique index work_log_cell on staff.work_log (enterprise_id, cell_id);
create index work_log_of on staff.work_log (enterprise_id, collector_id, opened_at desc);
create index work_log_day on staff.work_log (enterprise_id, work_date desc, id desc);
create index work_log_running on staff.work_log (enterprise_id, state) where state in (0, 1);
select platform.scoped('staff.work_log', hidden => array['entries', 'exits', 'orders', 'paid_fen', 'photos', 'patrols', 'walk_m', 'warnings']);
select platform.uncounted('staff.work_log');

-- A position belongs to the second in which the handheld was there: said again it is the same one. Only from check-in to check-out, for 90 days.
create table staff.point (
  enterprise_id integer not null default scope_enterprise(), collector_id uuid not null, at timestamptz not null, received_at timestamptz not null, lng double precision not null check (lng between -180 and 180),
  lat double precision not null check (lat between -90 and 90), accuracy_m integer check (accuracy_m >= 0), battery smallint check (battery between 0 and 100), in_fence boolean, dist_m integer check (dist_m >= 0),
  primary key (enterprise_id, collector_id, at)
) partition by range (at);
create table staff.point_rest partition of staff.point default;
insert into platform.monthly values ('staff.point');
select platform.ensure_months();
select platform.scoped('staff.point', audited => false, append_only => true);
create function staff.forget_points(now_at timestamptz) returns void language sql security definer set search_path = '' begin atomic
  delete from staff.point where at < now_at - interval '90 days'; end;
revoke execute on function staff.forget_points(timestamptz) from public;
grant execute on function staff.forget_points(timestamptz) to kerbline_app;

-- What somebody at work showed or told from where they were. kind: 5 a picture, 6 a report. One for each `mid`.
create table staff.field_note (
  id uuid not null default uuidv7(), enterprise_id integer not null default scope_enterprise(), collector_id uuid not null, park_code text not null, kind smallint not null check (kind in (5, 6)), at timestamptz not null,
  received_at timestamptz not null, lng double precision not null, lat double precision not null, place_code text, dist_m integer check (dist_m >= 0), in_fence boolean not null, image text, note text, mid text not null,
  primary key (enterprise_id, id), foreign key (enterprise_id, collector_id) references staff.collector (enterprise_id, id), constraint picture_or_words check (image is not null or note is not null),
  constraint picture_has_one check (kind <> 5 or image is not null));
create unique index field_note_mid on staff.field_note (enterprise_id, collector_id, mid);
create index field_note_at on staff.field_note (enterprise_id, collector_id, at desc);
select platform.scoped('staff.field_note', audited => false, append_only => true);

create or replace view staff.report with (security_invoker = true) as
  select k.id, k.enterprise_id, k.park_code, c.toll_no, k.at, case when k.source = 3 then 3 else k.kind end::smallint as kind, k.place_code, k.in_fence, k.dist_m, k.lng, k.lat, k.image, null::text as biz_no
  from staff.card k join staff.collector c on c.enterprise_id = k.enterprise_id and c.id = k.collector_id
  union all
  select p.id, p.enterprise_id, p.park_code, c.toll_no, p.paid_at, 4::smallint, p.park_code, null, null, null, null, null, p.pay_no
  from staff.collector c join settlement.shift s on s.enterprise_id = c.enterprise_id and s.person_id = c.person_id
  join settlement.payment p on p.enterprise_id = s.enterprise_id and p.shift_id = s.id where p.paid_at is not null
  union all
  select n.id, n.enterprise_id, n.park_code, c.toll_no, n.at, n.kind, n.place_code, n.in_fence, n.dist_m, n.lng, n.lat, n.image, null
  from staff.field_note n join staff.collector c on c.enterprise_id = n.enterprise_id and c.id = n.collector_id;

create view staff.work_log_line with (security_invoker = true) as
  select w.*, c.toll_no, c.name, c.toll_type, c.group_id, e.shift_name, coalesce(a.work_min, 0) as work_min
  from staff.work_log w join staff.collector c on c.enterprise_id = w.enterprise_id and c.id = w.collector_id
  join staff.cell e on e.enterprise_id = w.enterprise_id and e.id = w.cell_id
  left join staff.attendance a on a.enterprise_id = w.enterprise_id and a.cell_id = w.cell_id;
grant select on staff.work_log_line to kerbline_app;
